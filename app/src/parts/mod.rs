//! Components that several pages share.
