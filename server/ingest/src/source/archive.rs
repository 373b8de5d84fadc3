//! Zip archives, entry by entry. Nothing is ever written to disk.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::path::inside;
use super::stream::{Budget, stream};
use super::{FileSeen, Visit, Want};
use crate::options::Limits;
use crate::refusal::{Refusal, code};

/// Visits the entries of an archive. An entry that cannot be read is told to the sink and the others follow; an archive that
/// cannot be read at all is an error.
pub(crate) fn visit_zip(path: &Path, limits: &Limits, visit: &mut Visit<'_>) -> Result<(), Refusal> {
    let file = File::open(path).map_err(|e| Refusal::new(code::UNREADABLE, e.to_string()))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|e| Refusal::new(code::BAD_ZIP, e.to_string()))?;
    if archive.len() > limits.entries {
        return Err(Refusal::new(code::TOO_LARGE, format!("{} entries, more than {}", archive.len(), limits.entries)));
    }
    let mut left = limits.archive_bytes;
    for index in 0..archive.len() {
        let Some(head) = head(&mut archive, index, visit) else { continue };
        let want = (visit.want)(&head.path);
        let most = if want == Want::Content { limits.json_bytes } else { limits.entry_bytes };
        let budget = Budget { bytes: most.min(left), suspicious: Some(head.packed.saturating_mul(limits.ratio).max(limits.ratio_from)) };
        let outcome = if head.declared > budget.bytes {
            Err(Refusal::new(code::TOO_LARGE, format!("{} bytes, more than {}", head.declared, budget.bytes)))
        } else {
            match archive.by_index(index) {
                // One byte beyond what the entry declares is enough to know that it lies.
                Ok(mut entry) => {
                    let mut bounded = (&mut entry as &mut dyn Read).take(budget.bytes.saturating_add(1));
                    stream(&mut bounded, want, &head.path, budget, limits, code::BAD_ZIP_ENTRY)
                }
                Err(error) => Err(refusal_of(&error)),
            }
        };
        match outcome {
            Ok(streamed) => {
                left = left.saturating_sub(streamed.size);
                (visit.sink)(FileSeen {
                    path: head.path,
                    size: streamed.size,
                    digest: Some(streamed.digest),
                    content: streamed.content,
                    log: streamed.log,
                    problem: None,
                });
            }
            Err(refusal) => {
                // What was unpacked before it was refused was unpacked all the same.
                left = left.saturating_sub(budget.bytes.min(head.declared.max(head.packed)));
                (visit.sink)(FileSeen {
                    path: head.path,
                    size: head.declared,
                    digest: None,
                    content: None,
                    log: None,
                    problem: Some(refusal),
                });
            }
        }
    }
    Ok(())
}

/// What the archive says of an entry.
struct Head {
    path: String,
    declared: u64,
    packed: u64,
}

/// Looks at an entry without unpacking it; `None` for a folder, or one that was refused.
fn head(archive: &mut ZipArchive<BufReader<File>>, index: usize, visit: &mut Visit<'_>) -> Option<Head> {
    let mut refuse = |path: String, size: u64, refusal: Refusal| {
        (visit.sink)(FileSeen { path, size, digest: None, content: None, log: None, problem: Some(refusal) });
        None
    };
    let entry = match archive.by_index_raw(index) {
        Ok(entry) => entry,
        Err(error) => return refuse(format!("entry {index}"), 0, refusal_of(&error)),
    };
    let raw = entry.name().to_owned();
    let shown: String = raw.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let Some(path) = inside(&raw) else {
        // "./" and the like: the archive's own root, and no file.
        if entry.is_dir() && !raw.contains("..") {
            return None;
        }
        return refuse(
            shown,
            entry.size(),
            Refusal::new(code::PATH_ESCAPES, format!("the path {shown:?} leads out of the archive", shown = raw)),
        );
    };
    if entry.is_dir() {
        return None;
    }
    if entry.is_symlink() {
        return refuse(path, entry.size(), Refusal::new(code::PATH_ESCAPES, "a symbolic link, which may lead out of the archive"));
    }
    if entry.encrypted() {
        return refuse(path, entry.size(), Refusal::new(code::ENCRYPTED, "the entry is encrypted"));
    }
    Some(Head { path, declared: entry.size(), packed: entry.compressed_size() })
}

fn refusal_of(error: &ZipError) -> Refusal {
    match error {
        ZipError::UnsupportedArchive(text) if *text == ZipError::PASSWORD_REQUIRED => {
            Refusal::new(code::ENCRYPTED, "the entry is encrypted")
        }
        other => Refusal::new(code::BAD_ZIP_ENTRY, other.to_string()),
    }
}
