//! `perf-changelog.yaml`: what was changed, for which configurations, by which pull request (formats-and-rules §2.1).
//!
//! One broken entry costs only itself: where the file as a whole is no YAML, it is read entry by entry.

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::repo::{Refused, RepoChange, names};
use paretoscope_domain::run::DEFAULT_REPO;

use super::notes::{Notes, reason};
use super::places::Source;
use super::yaml::{self, Map, Node};

/// What an entry's words are held against.
#[derive(Debug, Default)]
pub(crate) struct Known<'a> {
    /// `owner/name` of the repository.
    pub(crate) repo: &'a str,
    /// Keys of the master configurations.
    pub(crate) configs: Vec<&'a str>,
    /// Keys of the archive of retired configurations.
    pub(crate) retired: BTreeSet<String>,
}

/// Reads the entries, in the file's order.
pub(crate) fn read(source: &Source, known: &Known<'_>, refused: &mut Vec<Refused>) -> Vec<RepoChange> {
    let mut notes = Notes::on(&source.path, refused);
    let mut changes = Vec::new();
    for (number, entry) in (1..).zip(entries(&source.text, &mut notes)) {
        let Some(entry) = entry else { continue };
        match change(number, &entry, known, &mut notes) {
            Ok(change) => changes.push(change),
            Err(Unusable { line, reason, detail }) => notes.refuse(line, format!("entry {number}"), reason, detail),
        }
    }
    keys_of_no_config(&changes, known, &mut notes);
    changes
}

/// Why an entry can't be used.
struct Unusable {
    line: u64,
    reason: &'static str,
    detail: String,
}

impl Unusable {
    fn new(line: u64, reason: &'static str, detail: impl Into<String>) -> Self {
        Self { line, reason, detail: detail.into() }
    }
}

/// The file's entries; `None` for one that is no YAML, which is noted.
fn entries(text: &str, notes: &mut Notes<'_>) -> Vec<Option<Node>> {
    let whole = match yaml::parse(text) {
        Ok(document) => match document.root.content {
            yaml::Content::List(items) => return items.into_iter().map(Some).collect(),
            _ if document.root.is_null() => return Vec::new(),
            _ => {
                let detail = format!("a list of entries is expected, this is {}", document.root.kind());
                notes.refuse(document.root.line, "the file", reason::WRONG_TYPE, detail);
                return Vec::new();
            }
        },
        Err(error) => error,
    };
    notes.odd(whole.line, "the file", reason::NOT_YAML, format!("{}; it is read entry by entry", whole.detail));
    let (pieces, markers) = yaml::pieces(text, |line| line == "-" || line.starts_with("- "));
    for line in markers {
        notes.refuse(line, "a line", reason::CONFLICT_MARKER, "left by a failed merge; the entries of both sides are read");
    }
    let mut entries = Vec::new();
    for piece in pieces {
        match yaml::parse(&piece.text) {
            Ok(document) => match document.root.moved(piece.line - 1) {
                Node { content: yaml::Content::List(items), .. } => entries.extend(items.into_iter().map(Some)),
                other => entries.push(Some(other)),
            },
            Err(error) => {
                notes.refuse(piece.line_of(error.line), format!("entry {}", entries.len() + 1), reason::NOT_YAML, error.detail);
                entries.push(None);
            }
        }
    }
    entries
}

const KEYS: [&str; 9] =
    ["config-keys", "description", "pr-link", "scenario-type", "evals-only", "all-evals", "no-evals", "append-only", "eval-min-prefill-ep"];
const SCENARIO_TYPES: [&str; 2] = ["fixed-seq-len", "agentic-coding"];

fn change(number: usize, entry: &Node, known: &Known<'_>, notes: &mut Notes<'_>) -> Result<RepoChange, Unusable> {
    let wrong = |detail: String| Unusable::new(entry.line, reason::WRONG_TYPE, detail);
    let map = entry.map().ok_or_else(|| wrong(format!("an entry is a mapping, this is {}", entry.kind())))?;
    if let Some((key, _)) = map.entries.iter().find(|(key, _)| !KEYS.contains(&key.text.as_str())) {
        return Err(Unusable::new(key.line, reason::UNKNOWN_KEY, format!("{:?} is no key of an entry", key.text)));
    }
    let what = format!("entry {number}");
    for key in &map.repeated {
        notes.odd(key.line, &what, reason::REPEATED_KEY, format!("{:?} stands twice; the last one counts", key.text));
    }
    let patterns = texts(map, "config-keys")?;
    if patterns.is_empty() {
        return Err(Unusable::new(entry.line, reason::MISSING, "no config-keys"));
    }
    let flag = |key: &str| match map.get(key) {
        None => Ok(false),
        Some(value) => value.flag().ok_or_else(|| Unusable::new(value.line, reason::WRONG_TYPE, format!("{key} is true or false"))),
    };
    let eval_min_prefill_ep = match map.get("eval-min-prefill-ep") {
        None => None,
        Some(value) => Some(
            value
                .whole()
                .filter(|n| *n > 0)
                .ok_or_else(|| Unusable::new(value.line, reason::WRONG_TYPE, "eval-min-prefill-ep is a whole number of 1 or more"))?,
        ),
    };
    let (config_keys, unresolved) = resolved(&patterns, known);
    let change = RepoChange {
        number,
        line: entry.line,
        patterns,
        config_keys,
        unresolved,
        description: texts(map, "description")?,
        pr_link: map.get("pr-link").and_then(Node::text).map(str::to_owned),
        pr_number: None,
        scenario_types: texts(map, "scenario-type")?,
        evals_only: flag("evals-only")?,
        all_evals: flag("all-evals")?,
        no_evals: flag("no-evals")?,
        append_only: flag("append-only")?,
        eval_min_prefill_ep,
    };
    let pr_number = linked(&change, map, known, notes);
    oddities(&change, map, notes);
    Ok(RepoChange { pr_number, ..change })
}

/// A list of texts, or one text.
fn texts(map: &Map, key: &str) -> Result<Vec<String>, Unusable> {
    let Some(value) = map.get(key) else { return Ok(Vec::new()) };
    let wrong = |node: &Node| Unusable::new(node.line, reason::WRONG_TYPE, format!("{key} is a list of texts, here is {}", node.kind()));
    let items = value.list().unwrap_or(std::slice::from_ref(value));
    items.iter().map(|item| item.text().map(|text| text.trim_end().to_owned()).ok_or_else(|| wrong(item))).collect()
}

/// The configuration keys that patterns name, each once, and the patterns that name none.
fn resolved(patterns: &[String], known: &Known<'_>) -> (Vec<String>, Vec<String>) {
    let mut keys: Vec<String> = Vec::new();
    let mut unresolved = Vec::new();
    for pattern in patterns {
        let mut found = false;
        for key in known.configs.iter().filter(|key| names(pattern, key)) {
            found = true;
            if !keys.iter().any(|k| k == key) {
                keys.push((*key).to_owned());
            }
        }
        if !found {
            unresolved.push(pattern.clone());
        }
    }
    (keys, unresolved)
}

/// The pull request that an entry links to; what is odd about the link is noted.
fn linked(change: &RepoChange, map: &Map, known: &Known<'_>, notes: &mut Notes<'_>) -> Option<i64> {
    let what = format!("entry {}", change.number);
    let line = map.get("pr-link").map_or(change.line, |value| value.line);
    let mut odd = |reason: &str, detail: String| notes.odd(line, &what, reason, detail);
    let Some(link) = change.pr_link.as_deref() else {
        odd(reason::BAD_LINK, "no pr-link".to_owned());
        return None;
    };
    let parts = link.strip_prefix("https://github.com/").and_then(|rest| rest.split_once("/pull/"));
    let Some((repo, tail)) = parts else {
        odd(reason::BAD_LINK, format!("{link} links to no pull request"));
        return None;
    };
    if ![known.repo, DEFAULT_REPO].iter().any(|ours| ours.eq_ignore_ascii_case(repo)) {
        odd(reason::OTHER_REPOSITORY, format!("{link} links to a pull request of {repo}"));
        return None;
    }
    let digits = tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = tail.split_at(digits);
    let Some(number) = number.parse().ok().filter(|n: &i64| *n > 0) else {
        odd(reason::PLACEHOLDER_LINK, format!("{link} has a placeholder for the number of its pull request"));
        return None;
    };
    if !suffix.is_empty() {
        odd(reason::LINK_SUFFIX, format!("{link} has {suffix:?} behind the number of its pull request"));
    }
    Some(number)
}

/// What the rules of an entry exclude but the entry can be used with.
fn oddities(change: &RepoChange, map: &Map, notes: &mut Notes<'_>) {
    let what = format!("entry {}", change.number);
    if change.description.is_empty() {
        notes.odd(change.line, &what, reason::MISSING, "no description");
    }
    for key in ["config-keys", "description", "scenario-type"] {
        if let Some(value) = map.get(key).filter(|value| value.list().is_none()) {
            notes.odd(value.line, &what, reason::WRONG_TYPE, format!("{key} is one text where a list belongs"));
        }
    }
    for word in change.scenario_types.iter().filter(|word| !SCENARIO_TYPES.contains(&word.as_str())) {
        let detail = format!("{word:?} is no scenario type ({})", SCENARIO_TYPES.join(", "));
        notes.odd(change.line, &what, reason::UNKNOWN_WORD, detail);
    }
    let selects = change.evals_only || change.all_evals || change.eval_min_prefill_ep.is_some();
    for (flag, name) in [(change.append_only, "append-only"), (change.no_evals, "no-evals")] {
        if flag && selects {
            notes.odd(change.line, &what, reason::CONTRADICTION, format!("{name} excludes the keys that select evals"));
        }
    }
}

/// Notes each pattern that names no configuration, once, where it stands first.
fn keys_of_no_config(changes: &[RepoChange], known: &Known<'_>, notes: &mut Notes<'_>) {
    let mut patterns: BTreeMap<&str, (usize, &RepoChange)> = BTreeMap::new();
    for change in changes {
        for pattern in &change.unresolved {
            patterns.entry(pattern).or_insert((0, change)).0 += 1;
        }
    }
    let mut patterns: Vec<(&str, (usize, &RepoChange))> = patterns.into_iter().collect();
    patterns.sort_by_key(|(pattern, (_, change))| (change.number, *pattern));
    for (pattern, (count, change)) in patterns {
        let times = if count == 1 { format!("entry {}", change.number) } else { format!("entry {} and {} more", change.number, count - 1) };
        let retired = known.retired.iter().any(|key| names(pattern, key));
        let (reason, detail) = match (pattern.contains('*'), retired) {
            (_, true) => (reason::RETIRED_CONFIG, "stands only among the retired configurations"),
            (true, false) => (reason::MATCHES_NOTHING, "matches no configuration of this commit"),
            (false, false) => (reason::NO_SUCH_CONFIG, "is no configuration of this commit: retired, renamed, or never there"),
        };
        notes.odd(change.line, pattern, reason, format!("{detail} ({times})"));
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINK: &str = "https://github.com/SemiAnalysisAI/InferenceX/pull";

    fn read_text(text: &str) -> (Vec<RepoChange>, Vec<Refused>) {
        let configs = vec!["aa-fp4-b200-vllm", "aa-fp8-b200-vllm", "aa-fp8-h200-vllm", "bb-fp4-gb300-sglang"];
        let retired = BTreeSet::from(["old-fp8-h100-vllm".to_owned()]);
        let known = Known { repo: "someone/fork", configs, retired };
        let mut refused = Vec::new();
        let changes = read(&Source { path: "perf-changelog.yaml".to_owned(), text: text.to_owned() }, &known, &mut refused);
        (changes, refused)
    }

    fn one(body: &str) -> (Vec<RepoChange>, Vec<(String, bool)>) {
        let (changes, refused) = read_text(&format!("- {}\n", body.trim().replace('\n', "\n  ")));
        (changes, refused.into_iter().map(|r| (r.reason, r.kept)).collect())
    }

    #[test]
    fn an_entry() {
        let (changes, refused) = read_text(&format!(
            "- config-keys:\n    - bb-fp4-gb300-sglang\n  scenario-type:\n    - agentic-coding\n  append-only: true\n  description:\n    - \"First\"\n    - >-\n      second,\n      folded\n  pr-link: {LINK}/4603\n"
        ));
        assert_eq!(refused, []);
        assert_eq!(
            changes,
            [RepoChange {
                number: 1,
                line: 1,
                patterns: vec!["bb-fp4-gb300-sglang".into()],
                config_keys: vec!["bb-fp4-gb300-sglang".into()],
                description: vec!["First".into(), "second, folded".into()],
                pr_link: Some(format!("{LINK}/4603")),
                pr_number: Some(4603),
                scenario_types: vec!["agentic-coding".into()],
                append_only: true,
                ..RepoChange::default()
            }]
        );
    }

    #[test]
    fn wildcards_are_resolved() {
        for (patterns, keys, unresolved) in [
            ("[aa-*]", vec!["aa-fp4-b200-vllm", "aa-fp8-b200-vllm", "aa-fp8-h200-vllm"], vec![]),
            ("['*b200-vllm', aa-fp8*]", vec!["aa-fp4-b200-vllm", "aa-fp8-b200-vllm", "aa-fp8-h200-vllm"], vec![]),
            ("[zz*, bb-fp4-gb300-sglang, cc]", vec!["bb-fp4-gb300-sglang"], vec!["zz*", "cc"]),
        ] {
            let (changes, _) = one(&format!("config-keys: {patterns}\ndescription: [x]\npr-link: {LINK}/1"));
            assert_eq!(
                (changes[0].config_keys.clone(), changes[0].unresolved.clone()),
                (keys.iter().map(|k| (*k).to_owned()).collect(), unresolved.iter().map(|k: &&str| (*k).to_owned()).collect()),
                "{patterns}"
            );
        }
    }

    #[test]
    fn odd_entries_are_kept() {
        for (body, number, reason) in [
            (format!("config-keys: [aa-*]\ndescription: [x]\npr-link: {LINK}/XXX"), None, reason::PLACEHOLDER_LINK),
            (format!("config-keys: [aa-*]\ndescription: [x]\npr-link: {LINK}/12/changes"), Some(12), reason::LINK_SUFFIX),
            ("config-keys: [aa-*]\ndescription: [x]\npr-link: see the chat".to_owned(), None, reason::BAD_LINK),
            ("config-keys: [aa-*]\ndescription: [x]".to_owned(), None, reason::BAD_LINK),
            ("config-keys: [aa-*]\ndescription: [x]\npr-link: https://github.com/o/r/pull/12".to_owned(), None, reason::OTHER_REPOSITORY),
            (format!("config-keys: [aa-*]\npr-link: {LINK}/12"), Some(12), reason::MISSING),
            (format!("config-keys: aa-*\ndescription: [x]\npr-link: {LINK}/12"), Some(12), reason::WRONG_TYPE),
            (format!("config-keys: [gone]\ndescription: [x]\npr-link: {LINK}/12"), Some(12), reason::NO_SUCH_CONFIG),
            (format!("config-keys: [old-fp8-h100-vllm]\ndescription: [x]\npr-link: {LINK}/12"), Some(12), reason::RETIRED_CONFIG),
            (format!("config-keys: [gone-*]\ndescription: [x]\npr-link: {LINK}/12"), Some(12), reason::MATCHES_NOTHING),
            (format!("config-keys: [aa-*]\ndescription: [x]\nscenario-type: [chat]\npr-link: {LINK}/12"), Some(12), reason::UNKNOWN_WORD),
            (
                format!("config-keys: [aa-*]\ndescription: [x]\nno-evals: true\nevals-only: true\npr-link: {LINK}/12"),
                Some(12),
                reason::CONTRADICTION,
            ),
            (format!("config-keys: [aa-*]\ndescription: [y]\ndescription: [x]\npr-link: {LINK}/12"), Some(12), reason::REPEATED_KEY),
            (
                "config-keys: [aa-*]\ndescription: [x]\npr-link: https://github.com/Someone/Fork/pull/12/".to_owned(),
                Some(12),
                reason::LINK_SUFFIX,
            ),
        ] {
            let (changes, refused) = one(&body);
            assert_eq!(changes.len(), 1, "{body}");
            assert_eq!((changes[0].pr_number, refused), (number, vec![(reason.to_owned(), true)]), "{body}");
        }
    }

    #[test]
    fn unusable_entries_cost_only_themselves() {
        let good = format!("- config-keys: [aa-*]\n  description: [x]\n  pr-link: {LINK}/12\n");
        for (bad, line, reason) in [
            ("- just a text\n", 4, reason::WRONG_TYPE),
            ("- description: [x]\n", 4, reason::MISSING),
            ("- config-keys: []\n", 4, reason::MISSING),
            ("- config-keys: [[a]]\n", 4, reason::WRONG_TYPE),
            ("- config-keys: [a]\n  surprise: 1\n", 5, reason::UNKNOWN_KEY),
            ("- config-keys: [a]\n  append-only: perhaps\n", 5, reason::WRONG_TYPE),
            ("- config-keys: [a]\n  eval-min-prefill-ep: 0\n", 5, reason::WRONG_TYPE),
        ] {
            let (changes, refused) = read_text(&format!("{good}{bad}{good}"));
            assert_eq!(changes.iter().map(|c| c.number).collect::<Vec<_>>(), [1, 3], "{bad}");
            assert_eq!(
                refused.iter().map(|r| (r.line, r.reason.as_str(), r.kept)).collect::<Vec<_>>(),
                [(Some(line), reason, false)],
                "{bad}"
            );
        }
    }

    #[test]
    fn a_file_that_is_no_yaml_is_read_entry_by_entry() {
        let good = |n: u32| format!("- config-keys: [aa-*]\n  description: [x]\n  pr-link: {LINK}/{n}\n\n");
        for (bad, reasons) in [
            ("- config-keys:\n\t- a\n\n", vec![reason::NOT_YAML, reason::NOT_YAML]),
            ("- config-keys: [a\n\n", vec![reason::NOT_YAML, reason::NOT_YAML]),
            ("- description: \"it's \"quoted\" twice\"\n\n", vec![reason::NOT_YAML, reason::NOT_YAML]),
        ] {
            let (changes, refused) = read_text(&format!("{}{bad}{}", good(1), good(2)));
            assert_eq!(
                changes.iter().map(|c| (c.number, c.line, c.pr_number)).collect::<Vec<_>>(),
                [(1, 1, Some(1)), (3, 5 + bad.lines().count() as u64, Some(2))],
                "{bad}"
            );
            assert_eq!(refused.iter().map(|r| r.reason.as_str()).collect::<Vec<_>>(), reasons, "{bad}");
            assert_eq!(refused.iter().map(|r| r.kept).collect::<Vec<_>>(), [true, false], "{bad}");
        }
        let (changes, refused) = read_text(&format!("{}<<<<<<< HEAD\n{}=======\n{}>>>>>>> other\n", good(1), good(2), good(3)));
        assert_eq!(changes.iter().map(|c| c.pr_number).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
        assert_eq!(
            refused.iter().filter(|r| r.reason == reason::CONFLICT_MARKER).map(|r| r.line).collect::<Vec<_>>(),
            [Some(5), Some(10), Some(15)]
        );
        assert_eq!(read_text("a: 1\n").1[0].reason, reason::WRONG_TYPE);
        assert_eq!(read_text(""), (vec![], vec![]));
    }

    proptest! {
        #[test]
        fn never_panics(text in "(- (config-keys|description|pr-link|x)?:? ?[\\[\\]a*\"'/0-9é\t]{0,12}\n|  [a-z-]{1,8}: .{0,8}\n|<<<<<<<\n|.{0,6}\n){0,12}") {
            let _ = read_text(&text);
        }
    }
}
