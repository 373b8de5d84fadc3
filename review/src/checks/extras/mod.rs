//! What no check of the verifier asks, and a reviewer wants to know: numbers from 100.

pub(crate) mod curve_images;
pub(crate) mod eval_images;
pub(crate) mod hung;
pub(crate) mod incomplete;
pub(crate) mod outliers;
pub(crate) mod request_gates;
