//! Small files about the run as a whole: success counts, changelog metadata, source of a reused run.

use paretoscope_domain::run::{ChangelogEntry, ReuseSource, RunStat};
use paretoscope_domain::{Attempt, RunId};
use serde_json::Value;

use crate::fields::Fields;
use crate::refusal::{Refusal, code};

/// `run_stats.json`: `{"gb300-nv": {"n_success": 19, "total": 24}, …}`.
pub(crate) fn run_stats(value: &Value) -> Result<Vec<RunStat>, Refusal> {
    let mut stats = Vec::new();
    for (name, counts) in Fields::of(value)?.map() {
        let f = Fields::of(counts)?;
        let need =
            |key: &str| f.whole(key)?.ok_or_else(|| Refusal::new(code::MISSING_IDENTITY, format!("{name}: {key} is empty or absent")));
        stats.push(RunStat { name: name.clone(), n_success: need("n_success")?, total: need("total")? });
    }
    Ok(stats)
}

/// `changelog_metadata.json`.
pub(crate) fn changelog(value: &Value) -> Result<Vec<ChangelogEntry>, Refusal> {
    let f = Fields::of(value)?;
    let (base_ref, head_ref) = (f.text("base_ref")?, f.text("head_ref")?);
    let entries = match f.value("entries") {
        None => return Ok(Vec::new()),
        Some(value) => value.as_array().ok_or_else(|| crate::fields::wrong("entries", "a list", value))?,
    };
    entries
        .iter()
        .map(|entry| {
            let e = Fields::of(entry)?;
            let flag = |key: &str| e.flag(key).map(|f| f.unwrap_or(false));
            Ok(ChangelogEntry {
                config_keys: texts(e, "config-keys"),
                scenario_types: texts(e, "scenario-type"),
                description: texts(e, "description"),
                pr_link: e.text("pr-link")?.map(str::to_owned),
                append_only: flag("append-only")?,
                evals_only: flag("evals-only")?,
                base_ref: base_ref.map(str::to_owned),
                head_ref: head_ref.map(str::to_owned),
            })
        })
        .collect()
}

/// A list of texts, or one text; keys are written with `-` or with `_`.
fn texts(f: Fields<'_>, key: &str) -> Vec<String> {
    match f.value(key).or_else(|| f.value(&key.replace('-', "_"))) {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(items)) => items.iter().filter_map(|i| i.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// Number of the pull request that every entry links to; `None` where they disagree or link to none.
pub(crate) fn pull_request(entries: &[ChangelogEntry]) -> Option<i64> {
    let mut numbers = entries.iter().map(|e| e.pr_link.as_deref().and_then(number_of_link));
    let first = numbers.next()??;
    numbers.all(|n| n == Some(first)).then_some(first)
}

fn number_of_link(link: &str) -> Option<i64> {
    let (_, rest) = link.split_once("/pull/")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|n| *n > 0)
}

/// Commit of the changelog metadata, if it is one and not a branch's name.
pub(crate) fn head_sha(entries: &[ChangelogEntry]) -> Option<&str> {
    entries.iter().find_map(|e| e.head_ref.as_deref()).filter(|r| looks_like_a_sha(r))
}

/// Whether a text may be a commit's (shortened) hash.
pub(crate) fn looks_like_a_sha(text: &str) -> bool {
    (7..=40).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The only configuration key that the changelog names, if it names one and no wildcard.
pub(crate) fn only_config_key(entries: &[ChangelogEntry]) -> Option<&str> {
    let mut keys = entries.iter().flat_map(|e| &e.config_keys).map(String::as_str);
    let first = keys.next()?;
    (keys.all(|k| k == first) && !first.contains('*')).then_some(first)
}

/// `reuse_source_run.json`: numbers come as numbers or as texts.
pub(crate) fn reuse(value: &Value) -> Result<ReuseSource, Refusal> {
    let f = Fields::of(value)?;
    let shown = |keys: &[&str]| keys.iter().find_map(|k| f.shown(k));
    let run = |keys: &[&str]| shown(keys).and_then(|text| text.parse::<RunId>().ok());
    let source = ReuseSource {
        source_run_id: run(&["source_run_id"]),
        source_attempt: shown(&["source_run_attempt", "source_attempt"]).and_then(|t| t.parse().ok()).and_then(Attempt::new),
        source_url: shown(&["source_run_url", "source_url", "source_html_url"]),
        ingest_run_id: run(&["ingest_run_id", "merge_run_id"]),
        ingest_url: shown(&["ingest_run_url", "ingest_url", "merge_run_url"]),
        raw: value.to_string(),
    };
    if source.source_run_id.is_none() {
        return Err(Refusal::new(code::MISSING_IDENTITY, "source_run_id is empty, absent or no run id"));
    }
    Ok(source)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn success_counts() {
        let stats = run_stats(&json!({"gb300-nv": {"n_success": 19, "total": 24}, "b300": {"n_success": 0, "total": 0}})).unwrap();
        assert_eq!(stats.len(), 2);
        assert!(stats.contains(&RunStat { name: "gb300-nv".into(), n_success: 19, total: 24 }));
        assert_eq!(run_stats(&json!({"x": {"total": -1, "n_success": 0}})).unwrap_err().reason, code::NEGATIVE);
        assert!(run_stats(&json!([])).is_err());
    }

    #[test]
    fn changelog_and_what_follows_from_it() {
        let entry = |key: &str, link: &str| json!({"config-keys": [key], "description": "one line", "pr-link": link, "scenario-type": null, "append-only": true});
        let one = changelog(&json!({"base_ref": "origin/main", "head_ref": "e09b78b241ca273a97658092656c82be54d5ece3",
            "entries": [entry("a", "https://github.com/o/r/pull/12/changes"), entry("a", "https://github.com/o/r/pull/12")]}))
        .unwrap();
        assert_eq!(only_config_key(&one), Some("a"));
        assert_eq!(pull_request(&one), Some(12));
        assert_eq!(head_sha(&one), Some("e09b78b241ca273a97658092656c82be54d5ece3"));
        assert_eq!(
            (one[0].append_only, one[0].evals_only, one[0].description.as_slice()),
            (true, false, ["one line".to_owned()].as_slice())
        );

        let two =
            changelog(&json!({"head_ref": "main", "entries": [entry("a", "https://github.com/o/r/pull/XXX"), entry("b", "")]})).unwrap();
        assert_eq!((only_config_key(&two), pull_request(&two), head_sha(&two)), (None, None, None));
        let wildcard = changelog(&json!({"entries": [{"config-keys": ["dsr1-*"]}]})).unwrap();
        assert_eq!(only_config_key(&wildcard), None);
        assert_eq!(changelog(&json!({})).unwrap(), []);
        assert!(changelog(&json!({"entries": 3})).is_err());
    }

    #[test]
    fn source_of_a_reused_run() {
        let source = reuse(&json!({"source_run_id": "25763435778", "source_run_attempt": "2", "source_run_url": "https://x/1",
            "ingest_run_id": 25800000000_i64, "ingest_run_attempt": 1}))
        .unwrap();
        assert_eq!(source.source_run_id.map(RunId::get), Some(25_763_435_778));
        assert_eq!(source.source_attempt, Attempt::new(2));
        assert_eq!(source.ingest_run_id.map(RunId::get), Some(25_800_000_000));
        assert!(reuse(&json!({"source_run_id": null})).is_err());
    }
}
