//! The server half of Paretoscope: router, handlers, snapshot, command line.
//!
//! Data flows one way: artifacts → ingest → store → snapshot → handlers → pages and JSON (docs/architecture.md).

pub mod api;
pub mod app;
pub mod assets;
pub mod cli;
pub mod export;
pub mod facts;
pub mod http;
pub mod operations;
pub mod pages;
pub mod preview;
pub mod review;
pub mod router;
pub mod settings;
pub mod snapshot;
