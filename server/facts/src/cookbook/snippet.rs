//! A snippet file: comment lines, then one JSON object.

use std::collections::BTreeMap;

use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::{CookbookFile, CookbookPull};
use paretoscope_domain::repo::Refused;
use serde_json::{Map, Value};

use super::cell::{self, run_and_attempt};
use super::refusal;

const NAME: &str = "agentx";

/// Reads a snippet; cells that can't be used are added to `refused`.
pub(super) fn parse(file: &str, bytes: &[u8], refused: &mut Vec<Refused>) -> Result<CookbookFile, Refused> {
    let bad = |line, reason, detail: String| refusal(file, line, "snippet", reason, detail);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|e| bad(None, "not_utf8", e.to_string()))?;
    let (object, lines_before) = object(text).map_err(|detail| bad(None, "no_object", detail))?;
    let value: Value = serde_json::from_str(object).map_err(|e| {
        let line = u64::try_from(e.line()).ok().map(|l| l + lines_before);
        bad(line, "bad_json", format!("the object is no plain JSON: {e}"))
    })?;
    // A JSON file may hold the object under its name.
    let root = value.get(NAME).filter(|inner| inner.get("cells").is_some()).unwrap_or(&value);
    let root = root.as_object().ok_or_else(|| bad(None, "no_object", "an object was expected".to_owned()))?;
    let cells =
        root.get("cells").and_then(Value::as_array).ok_or_else(|| bad(None, "missing_field", "it has no list of cells".to_owned()))?;
    let source = root.get("source").and_then(Value::as_object);
    let of_source = |key: &str| source.and_then(|s| text_of(s, &[key]));
    Ok(CookbookFile {
        header: header(text),
        model: text_of(root, &["model"]).unwrap_or_default(),
        generated_on: text_of(root, &["generatedOn"]),
        source_repo: of_source("repo").map(|r| repo_name(&r)),
        source_sha: source.and_then(|s| text_of(s, &["main", "sha"])),
        pulls: source.and_then(|s| s.get("prs")).and_then(Value::as_object).map(|prs| pulls(file, prs, refused)).unwrap_or_default(),
        cells: cell::cells(file, root, cells, refused),
        ..CookbookFile::default()
    })
}

/// The text of the object, and how many lines stand before it.
fn object(text: &str) -> Result<(&str, u64), String> {
    let trimmed = text.trim_start();
    if trimmed.starts_with('{') {
        let before = text.len() - trimmed.len();
        return Ok((trimmed, lines(text.get(..before).unwrap_or_default())));
    }
    let declared = format!("export const {NAME}");
    let at = text.match_indices(&declared).map(|(at, _)| at).find(|at| {
        let line = text.get(..*at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        line.trim().is_empty()
    });
    let after = at.map(|at| at + declared.len()).ok_or_else(|| format!("it has no `{declared} = {{ … }};`"))?;
    let rest = text.get(after..).unwrap_or_default();
    let open = rest.find('{').filter(|open| rest.get(..*open).unwrap_or_default().trim() == "=");
    let start = after + open.ok_or_else(|| format!("`{declared}` is not followed by `= {{`"))?;
    let body = text.get(start..).unwrap_or_default();
    let end = closing(body).ok_or_else(|| "the object is not closed: the file may be cut off".to_owned())?;
    Ok((body.get(..end).unwrap_or_default(), lines(text.get(..start).unwrap_or_default())))
}

/// Where the object ends that starts at the beginning: past the brace that closes it, those within texts apart.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0_u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn lines(text: &str) -> u64 {
    u64::try_from(text.bytes().filter(|b| *b == b'\n').count()).unwrap_or(u64::MAX)
}

/// Comment lines at the head, without their marks.
fn header(text: &str) -> Vec<String> {
    let comment = |line: &str| line.trim().strip_prefix("//").map(|rest| rest.trim().to_owned());
    text.lines().skip_while(|line| line.trim().is_empty()).map_while(comment).collect()
}

fn pulls(file: &str, prs: &Map<String, Value>, refused: &mut Vec<Refused>) -> BTreeMap<i64, CookbookPull> {
    let mut pulls = BTreeMap::new();
    for (number, about) in prs {
        let what = format!("source.prs.{number}");
        let Some(number) = number.parse::<i64>().ok().filter(|n| *n > 0) else {
            refused.push(refusal(file, None, &what, "bad_number", "no number of a pull request"));
            continue;
        };
        let Some(about) = about.as_object() else {
            refused.push(refusal(file, None, &what, "wrong_type", "an object was expected"));
            continue;
        };
        let run_id: Option<RunId> = match run_and_attempt(about.get("run")) {
            Ok(run) => run.map(|(run, _)| run),
            Err(detail) => {
                refused.push(refusal(file, None, &what, "bad_run", detail));
                continue;
            }
        };
        pulls.insert(number, CookbookPull { run_id, sha: text_of(about, &["sha"]), status: text_of(about, &["status"]) });
    }
    pulls
}

/// `owner/name` of a repository's address.
fn repo_name(text: &str) -> String {
    let path = text.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or(text, |(_, path)| path);
    path.trim_end_matches('/').trim_end_matches(".git").to_owned()
}

/// A text under the first of `keys` that has one; a number is taken as it is written.
pub(super) fn text_of(map: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match map.get(*key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    })
}
