//! What HTTP asks of every answer: problems in words, strict parameters, caching, compression, security headers.

pub mod cache;
pub mod params;
pub mod problem;
pub mod security;

pub use params::Params;
pub use problem::Problem;
