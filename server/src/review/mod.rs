//! What a review decides, over what is stored: gathers the facts that the pure functions of `paretoscope_review` look at.

pub mod changelog;
pub mod compare;
pub mod cookbook;
pub mod evidence;
pub mod gather;
pub mod pulls;

pub use gather::GatheredPull;
