//! Changed files.

use paretoscope_domain::pull::PullFile;

use super::super::fields::Fields;
use super::super::owner::Hint;
use super::{Parsed, missing};

/// A file of REST's list, or as `gh` writes it (without its change).
pub(in super::super) fn file(f: Fields<'_>) -> Parsed<PullFile> {
    let path = f.text(&["filename", "path"]).ok_or_else(|| missing("path"))?;
    let contents = f.str(&["contents_url"]);
    let shas = contents.and_then(|url| url.split_once("?ref=")).map(|(_, sha)| sha.to_owned()).into_iter().collect();
    let file = PullFile {
        path,
        previous_path: f.text(&["previous_filename"]),
        status: f.text(&["status"]).or_else(|| f.text(&["changeType"]).map(|t| rest_word(&t))).unwrap_or_default(),
        additions: f.count(&["additions"]).ok_or_else(|| missing("additions"))?,
        deletions: f.count(&["deletions"]).ok_or_else(|| missing("deletions"))?,
        patch: f.text(&["patch"]),
    };
    Ok((file, Hint { shas, ..Hint::of([contents, f.str(&["blob_url"]), f.str(&["raw_url"])]) }))
}

fn rest_word(word: &str) -> String {
    if word == "DELETED" { "removed".to_owned() } else { word.to_ascii_lowercase() }
}
