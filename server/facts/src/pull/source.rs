//! Files on disk.

use std::fs;
use std::path::{Path, PathBuf};

use paretoscope_domain::repo::Refused;
use walkdir::WalkDir;

/// No payload of a pull request comes near it; a benchmark's raw output among the files may.
const LARGEST: u64 = 64 << 20;

/// Every file below `paths` with its bytes, and those that could not be read.
pub(super) fn files(paths: &[PathBuf]) -> (Vec<(String, Vec<u8>)>, Vec<Refused>) {
    let (mut files, mut refused) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            for found in json_files_below(path) {
                take(&found, &mut files, &mut refused);
            }
        } else {
            take(path, &mut files, &mut refused);
        }
    }
    (files, refused)
}

fn json_files_below(folder: &Path) -> Vec<PathBuf> {
    let hidden = |name: &std::ffi::OsStr| name.to_str().is_some_and(|n| n.starts_with('.') && n.len() > 1);
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(|e| e.depth() == 0 || !hidden(e.file_name()));
    walk.filter_map(Result::ok)
        .filter(|e| e.file_type().is_file() && e.path().extension().is_some_and(|x| x.eq_ignore_ascii_case("json")))
        .map(walkdir::DirEntry::into_path)
        .collect()
}

fn take(path: &Path, files: &mut Vec<(String, Vec<u8>)>, refused: &mut Vec<Refused>) {
    let name = path.to_string_lossy().replace('\\', "/");
    let mut refuse = |reason: &str, detail: String| refused.push(refusal(&name, "file", reason, detail));
    match fs::metadata(path) {
        Ok(about) if about.len() > LARGEST => {
            refuse("too_large", format!("{} MB: no payload of a pull request is larger than {} MB", about.len() >> 20, LARGEST >> 20));
        }
        Ok(_) => match fs::read(path) {
            Ok(bytes) => files.push((name, bytes)),
            Err(error) => refuse("unreadable", error.to_string()),
        },
        Err(error) => refuse("unreadable", error.to_string()),
    }
}

/// Something that is left out.
pub(super) fn refusal(file: &str, what: impl Into<String>, reason: &str, detail: impl Into<String>) -> Refused {
    Refused { file: file.to_owned(), line: None, what: what.into(), reason: reason.to_owned(), detail: detail.into(), kept: false }
}
