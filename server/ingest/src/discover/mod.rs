//! Which runs lie where, and which artifacts each has.

mod family;
mod find;
mod listing;
mod name;
mod payload;

pub(crate) use self::family::{FileKind, family_of_kind, family_of_name, file_kind, is_of_an_eval, pairing_key, sniff};
pub(crate) use self::find::{Item, Place, RunFolder, find, small_file};
pub(crate) use self::listing::{Listed, assign};
pub(crate) use self::payload::{Payload, parse_payload};
