//! Names of artifacts and folders.

use std::path::Path;

use paretoscope_domain::{Attempt, RunId};

/// Last part of a path, as text.
pub(super) fn last(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Name of an artifact without what a browser adds to a second download of the same name: `results_bmk (10)` is the tenth
/// `results_bmk`. Other brackets are part of the name.
pub(super) fn without_copy(stem: &str) -> (&str, u32) {
    let stripped = stem.strip_suffix(')').and_then(|rest| {
        let (name, digits) = rest.rsplit_once(" (")?;
        let copy = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse::<u32>().ok())??;
        Some((name.trim_end(), copy)).filter(|(name, _)| !name.is_empty())
    });
    stripped.unwrap_or((stem, 0))
}

/// File name without `.zip`, whatever its case.
pub(super) fn zip_stem(file: &str) -> Option<&str> {
    let at = file.len().checked_sub(4)?;
    let (stem, ending) = file.split_at_checked(at)?;
    (ending.eq_ignore_ascii_case(".zip") && !stem.is_empty()).then_some(stem)
}

/// Whether a file's name says JSON.
pub(super) fn is_json(file: &str) -> bool {
    file.len().checked_sub(5).and_then(|at| file.split_at_checked(at)).is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(".json"))
}

/// Attempt that a folder's name tells: `attempt-2`.
pub(super) fn attempt_of(folder: &str) -> Option<Attempt> {
    let lower = folder.to_ascii_lowercase();
    let rest = lower.strip_prefix("attempt")?;
    rest.trim_start_matches(['-', '_', ' ']).parse().ok().and_then(Attempt::new)
}

/// Run id that a folder's name is.
pub(super) fn run_of(folder: &str) -> Option<RunId> {
    (!folder.is_empty() && folder.bytes().all(|b| b.is_ascii_digit())).then(|| folder.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_browser() {
        for (stem, name, copy) in [
            ("results_bmk", "results_bmk", 0),
            ("results_bmk (10)", "results_bmk", 10),
            ("results_bmk (1) (2)", "results_bmk (1)", 2),
            ("bmk_x (final)", "bmk_x (final)", 0),
            ("bmk (a)b", "bmk (a)b", 0),
            ("bmk_[x] y", "bmk_[x] y", 0),
            (" (3)", " (3)", 0),
            ("x ()", "x ()", 0),
        ] {
            assert_eq!(without_copy(stem), (name, copy), "{stem}");
        }
    }

    #[test]
    fn folders() {
        assert_eq!(attempt_of("attempt-2"), Attempt::new(2));
        assert_eq!(attempt_of("Attempt_3"), Attempt::new(3));
        assert_eq!((attempt_of("attempt-0"), attempt_of("attempts"), attempt_of("attempt-2b")), (None, None, None));
        assert_eq!(run_of("29003473063").map(RunId::get), Some(29_003_473_063));
        assert_eq!((run_of(""), run_of("12a"), run_of("0")), (None, None, None));
        assert_eq!((zip_stem("a b.ZIP"), zip_stem(".zip"), zip_stem("é")), (Some("a b"), None, None));
        assert!(is_json("x.JSON") && !is_json("x.jsonl"));
    }
}
