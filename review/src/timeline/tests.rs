//! The whole story, small.
