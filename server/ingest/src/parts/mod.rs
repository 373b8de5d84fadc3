//! Readings that benchmark rows and eval rows share: identity, topology, image, offload.

pub(crate) mod identity;
pub(crate) mod image;
pub(crate) mod offload;
pub(crate) mod topology;
