//! The repository's changelog, newest first: each entry with the runs known here that measured it and with what is odd about it.
//!
//! Entries stand on the main branch, or on the head of a pull request that main doesn't have yet. A run belongs to an entry where it is
//! of the entry's pull request and, if it names configurations, of one of the entry's. The file gives no dates, so none are told.

use std::collections::{BTreeMap, HashMap};

use paretoscope_domain::repo::{Refused, RepoChange, RepoFacts, names};
use paretoscope_domain::run::Run;
use paretoscope_domain::{Kind, RunId};
use serde::Serialize;

/// An entry of the changelog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangelogItem {
    /// Tells it from every other one, as long as nothing new is synced: its number, with its pull request's where only that has it.
    pub id: String,
    /// Number in its file, from 1.
    pub number: usize,
    /// File, relative to the checkout.
    pub file: String,
    /// Line of its file.
    pub line: u64,
    /// Commit that the file was read at; null where none is known.
    pub commit: Option<String>,
    /// The pull request whose head has it while the main branch, as it was synced, has not; null where main has it.
    pub on_pull: Option<i64>,
    /// Whether it is retold: its number and line are not those of the repository's file.
    pub retold: bool,
    /// Configuration keys as written, wildcards and all.
    pub patterns: Vec<String>,
    /// Configurations of that commit that they name.
    pub config_keys: Vec<String>,
    /// Patterns that name none of them.
    pub unresolved: Vec<String>,
    /// Description, a line each.
    pub description: Vec<String>,
    /// Link as written.
    pub pr_link: Option<String>,
    /// Pull request of that link; null for a placeholder.
    pub pr_number: Option<i64>,
    /// Scenario types it is limited to; empty for all.
    pub scenario_types: Vec<String>,
    /// Only evals run.
    pub evals_only: bool,
    /// Every eval runs.
    pub all_evals: bool,
    /// No eval runs.
    pub no_evals: bool,
    /// It only adds points.
    pub append_only: bool,
    /// Evals run only from this prefill EP on; null where it sets none.
    pub eval_min_prefill_ep: Option<u32>,
    /// What is odd about it.
    pub odd: Vec<Oddity>,
    /// Runs known here that measured it, newest first.
    pub runs: Vec<LinkedRun>,
}

/// Something odd about an entry that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Oddity {
    /// Code: `placeholder_link`, `link_suffix`, `no_such_config`, …
    pub reason: String,
    /// In words.
    pub detail: String,
}

/// A run of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LinkedRun {
    /// Run.
    pub run_id: RunId,
    /// Standing.
    pub kind: Kind,
    /// Day it was created; null where unknown.
    pub date: Option<String>,
    /// Whether the run names one of the entry's configurations; where it names none at all, it is known by the pull request alone.
    pub by_configuration: bool,
}

/// Everything the changelog tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changelog {
    /// Entries, newest first: those that only a pull request has, then those of the main branch.
    pub items: Vec<ChangelogItem>,
    /// What of the main branch's file could not be used.
    pub left_out: Vec<Refused>,
}

/// Links the main branch's entries, and those that only the heads of pull requests have, to runs. Synthetic runs belong to no
/// entry; purged ones are hidden.
#[must_use]
pub fn changelog<'a>(main: Option<&RepoFacts>, pulls: &[(i64, &RepoFacts)], runs: impl IntoIterator<Item = &'a Run>) -> Changelog {
    let runs = Runs::of(runs);
    let mut items = Vec::new();
    for (number, head) in pulls {
        let known = |change: &RepoChange| main.is_some_and(|main| main.changelog.iter().any(|other| same(change, other)));
        let own = head.changelog.iter().rev().filter(|change| !known(change));
        items.extend(own.map(|change| item(change, head, Some(*number), &runs)));
    }
    if let Some(main) = main {
        items.extend(main.changelog.iter().rev().map(|change| item(change, main, None, &runs)));
    }
    let left_out = main.map(|main| main.refused.iter().filter(|r| !r.kept && of_changelog(r)).cloned().collect());
    Changelog { items, left_out: left_out.unwrap_or_default() }
}

/// Whether two states hold the same entry. Its link may have been a placeholder before the merge.
fn same(a: &RepoChange, b: &RepoChange) -> bool {
    let links = a.pr_number.is_none() || b.pr_number.is_none() || a.pr_number == b.pr_number;
    links && a.patterns == b.patterns && a.description == b.description
}

const FILE: &str = "perf-changelog.yaml";

fn is_changelog(path: &str) -> bool {
    path.rsplit('/').next() == Some(FILE)
}

fn of_changelog(refused: &Refused) -> bool {
    is_changelog(&refused.file)
}

fn item(change: &RepoChange, facts: &RepoFacts, on_pull: Option<i64>, runs: &Runs<'_>) -> ChangelogItem {
    let RepoChange {
        number,
        line,
        patterns,
        config_keys,
        unresolved,
        description,
        pr_link,
        pr_number,
        scenario_types,
        evals_only,
        all_evals,
        no_evals,
        append_only,
        eval_min_prefill_ep,
    } = change.clone();
    ChangelogItem {
        id: on_pull.map_or_else(|| number.to_string(), |pull| format!("{pull}.{number}")),
        number,
        file: facts.read.iter().find(|file| is_changelog(file)).cloned().unwrap_or_else(|| FILE.to_owned()),
        line,
        commit: facts.commit.clone(),
        on_pull,
        retold: facts.retold.is_some(),
        odd: oddities(change, facts),
        runs: runs.of_change(change, &facts.repo),
        patterns,
        config_keys,
        unresolved,
        description,
        pr_link,
        pr_number,
        scenario_types,
        evals_only,
        all_evals,
        no_evals,
        append_only,
        eval_min_prefill_ep,
    }
}

/// What the reading noted about an entry, and about patterns of it, which are noted once for the whole file.
fn oddities(change: &RepoChange, facts: &RepoFacts) -> Vec<Oddity> {
    let entry = format!("entry {}", change.number);
    let noted = facts.refused.iter().filter(|r| r.kept && of_changelog(r));
    noted
        .filter_map(|r| {
            let detail = if r.what == entry {
                r.detail.clone()
            } else if change.unresolved.contains(&r.what) {
                // The note counts the entries that name it; here only the pattern matters.
                format!("{}: {}", r.what, r.detail.split(" (").next().unwrap_or(&r.detail))
            } else {
                return None;
            };
            Some(Oddity { reason: r.reason.clone(), detail })
        })
        .collect()
}

/// Runs by their pull request.
struct Runs<'a> {
    by_pull: HashMap<i64, Vec<&'a Run>>,
}

impl<'a> Runs<'a> {
    fn of(runs: impl IntoIterator<Item = &'a Run>) -> Self {
        let mut by_pull: HashMap<i64, Vec<&Run>> = HashMap::new();
        for run in runs.into_iter().filter(|run| !run.synthetic && run.purged.is_none()) {
            if let Some(number) = run.pr_number {
                by_pull.entry(number).or_default().push(run);
            }
        }
        Self { by_pull }
    }

    fn of_change(&self, change: &RepoChange, repo: &str) -> Vec<LinkedRun> {
        let of_pull = change.pr_number.and_then(|number| self.by_pull.get(&number)).into_iter().flatten();
        let mut linked: Vec<LinkedRun> = of_pull
            .filter(|run| run.repo.eq_ignore_ascii_case(repo))
            .filter_map(|run| {
                let by_configuration = run.config_keys.iter().any(|key| concerns(change, key));
                let told = by_configuration || run.config_keys.is_empty();
                told.then(|| LinkedRun { run_id: run.run_id, kind: run.kind, date: run.date.clone(), by_configuration })
            })
            .collect();
        linked.sort_by_key(|run| std::cmp::Reverse(run.run_id));
        linked
    }
}

/// Whether an entry is about a configuration; `key` may be a pattern itself, as a run's changelog metadata has them.
fn concerns(change: &RepoChange, key: &str) -> bool {
    change.patterns.iter().any(|pattern| pattern == key || names(pattern, key)) || change.config_keys.iter().any(|known| names(key, known))
}

/// What entries can be narrowed to; page and API share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangelogFilter {
    /// A configuration key, or a pattern of keys.
    pub config: Option<String>,
    /// A pull request.
    pub pr: Option<i64>,
    /// Words that all must be found.
    pub q: Option<String>,
}

impl ChangelogFilter {
    /// Whether an entry fits.
    #[must_use]
    pub fn fits(&self, item: &ChangelogItem) -> bool {
        let Self { config, pr, q } = self;
        let of_config = |key: &str| {
            item.patterns.iter().any(|pattern| pattern == key || names(pattern, key) || names(key, pattern))
                || item.config_keys.iter().any(|known| names(key, known))
        };
        config.as_deref().is_none_or(of_config)
            && pr.is_none_or(|pr| item.pr_number == Some(pr) || item.on_pull == Some(pr))
            && q.as_deref().unwrap_or_default().to_lowercase().split_whitespace().all(|word| mentions(item, word.trim_start_matches('#')))
    }
}

fn mentions(item: &ChangelogItem, word: &str) -> bool {
    let texts = item.patterns.iter().chain(&item.config_keys).chain(&item.description).chain(&item.scenario_types).chain(&item.pr_link);
    texts.map(|text| text.to_lowercase()).any(|text| text.contains(word))
        || item.odd.iter().any(|odd| odd.reason.contains(word))
        || item.runs.iter().any(|run| run.run_id.to_string() == word)
}

/// Entries of one pull request and the same configurations, which stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangelogGroup {
    /// Pull request; `None` where the entry's link names none.
    pub pr_number: Option<i64>,
    /// Entries, newest first; never empty.
    pub items: Vec<ChangelogItem>,
}

/// Puts entries of one pull request and the same configurations together, at the place of the newest. An entry without a pull
/// request stands alone.
#[must_use]
pub fn grouped(items: Vec<ChangelogItem>) -> Vec<ChangelogGroup> {
    let mut groups: Vec<ChangelogGroup> = Vec::new();
    let mut places: BTreeMap<(i64, Option<i64>, Vec<String>), usize> = BTreeMap::new();
    for item in items {
        let key = item.pr_number.map(|number| {
            let mut patterns = item.patterns.clone();
            patterns.sort();
            (number, item.on_pull, patterns)
        });
        let place = key.as_ref().and_then(|key| places.get(key)).copied();
        match place.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.items.push(item),
            None => {
                places.extend(key.map(|key| (key, groups.len())));
                groups.push(ChangelogGroup { pr_number: item.pr_number, items: vec![item] });
            }
        }
    }
    groups
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn change(number: usize, patterns: &[&str], pr: Option<i64>, text: &str) -> RepoChange {
        let owned = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let keys = ["a-x", "a-y", "b-x"];
        RepoChange {
            number,
            line: number as u64 * 10,
            patterns: owned(patterns),
            config_keys: keys.iter().filter(|key| patterns.iter().any(|p| names(p, key))).map(|k| (*k).to_owned()).collect(),
            unresolved: owned(patterns).into_iter().filter(|p| !keys.iter().any(|key| names(p, key))).collect(),
            description: owned(&[text]),
            pr_link: Some(format!("https://github.com/o/r/pull/{}", pr.map_or("XXX".to_owned(), |n| n.to_string()))),
            pr_number: pr,
            ..RepoChange::default()
        }
    }

    fn facts(changelog: Vec<RepoChange>) -> RepoFacts {
        RepoFacts { repo: "o/r".to_owned(), commit: Some("abc1234".to_owned()), changelog, ..RepoFacts::default() }
    }

    fn run(id: i64, pr: Option<i64>, keys: &[&str]) -> Run {
        serde_json::from_value(serde_json::json!({
            "run_id": id, "kind": "unofficial", "synthetic": false, "attempts": [], "attempt_details": [], "repo": "O/R", "pr_number": pr,
            "config_keys": keys, "images": [], "models": [], "hardware": [], "frameworks": [], "precisions": [], "scenarios": [],
            "point_count": 0, "failed_count": 0, "eval_count": 0, "eval_passing": 0, "curves": []
        }))
        .unwrap()
    }

    #[test]
    fn a_run_belongs_to_an_entry_by_pull_request_and_configuration() {
        let main = facts(vec![
            change(1, &["a-*"], Some(7), "one"),
            change(2, &["b-x", "gone"], Some(7), "two"),
            change(3, &["a-x"], None, "three"),
        ]);
        for (keys, pr, expected) in [
            (&["a-x"][..], Some(7), vec![vec![], vec![], vec![true]]),
            (&["a-*"], Some(7), vec![vec![], vec![], vec![true]]),
            (&["*-x"], Some(7), vec![vec![], vec![true], vec![true]]),
            (&["gone"], Some(7), vec![vec![], vec![true], vec![]]),
            (&["c"], Some(7), vec![vec![], vec![], vec![]]),
            // A run that names no configuration is known by its pull request alone.
            (&[], Some(7), vec![vec![], vec![false], vec![false]]),
            (&["a-x"], Some(8), vec![vec![], vec![], vec![]]),
            (&["a-x"], None, vec![vec![], vec![], vec![]]),
        ] {
            let run = run(5, pr, keys);
            let found = changelog(Some(&main), &[], [&run]);
            assert_eq!(found.items.iter().map(|i| i.number).collect::<Vec<_>>(), [3, 2, 1]);
            let by: Vec<Vec<bool>> = found.items.iter().map(|i| i.runs.iter().map(|r| r.by_configuration).collect()).collect();
            assert_eq!(by, expected, "{keys:?} {pr:?}");
        }
    }

    #[test]
    fn synthetic_hidden_and_foreign_runs_belong_to_none() {
        let main = facts(vec![change(1, &["a-x"], Some(7), "one")]);
        let mut runs = [
            run(1, Some(7), &["a-x"]),
            run(2, Some(7), &["a-x"]),
            run(3, Some(7), &["a-x"]),
            run(4, Some(7), &["a-x"]),
            run(9, Some(7), &["a-x"]),
        ];
        runs[0].synthetic = true;
        runs[1].purged = Some(paretoscope_domain::run::Purge { reason: "x".into(), actor: "y".into(), at: jiff::Timestamp::UNIX_EPOCH });
        runs[2].repo = "o/other".to_owned();
        let found = changelog(Some(&main), &[], &runs);
        assert_eq!(found.items[0].runs.iter().map(|r| r.run_id.get()).collect::<Vec<_>>(), [9, 4]);
    }

    #[test]
    fn what_only_a_pull_request_has_stands_first() {
        let main = facts(vec![change(1, &["a-x"], Some(7), "one"), change(2, &["b-x"], Some(8), "two")]);
        // The link of the second was a placeholder on its pull request; the third is not on main.
        let head =
            facts(vec![change(1, &["a-x"], Some(7), "one"), change(2, &["b-x"], None, "two"), change(3, &["a-y"], Some(9), "three")]);
        let found = changelog(Some(&main), &[(9, &head)], []);
        let ids: Vec<(&str, Option<i64>)> = found.items.iter().map(|i| (i.id.as_str(), i.on_pull)).collect();
        assert_eq!(ids, [("9.3", Some(9)), ("2", None), ("1", None)]);
        let found = changelog(None, &[(9, &head)], []);
        assert_eq!(found.items.iter().map(|i| i.id.as_str()).collect::<Vec<_>>(), ["9.3", "9.2", "9.1"]);
        assert_eq!(changelog(None, &[], []), Changelog::default());
    }

    #[test]
    fn oddities_stand_with_their_entries() {
        let note = |what: &str, reason: &str, kept: bool| Refused {
            file: "inferencex-e2e/perf-changelog.yaml".into(),
            line: Some(3),
            what: what.into(),
            reason: reason.into(),
            detail: "is no configuration (entry 1 and 2 more)".into(),
            kept,
        };
        let mut main = facts(vec![change(1, &["a-x", "gone"], Some(7), "one"), change(2, &["a-x"], None, "two")]);
        main.refused =
            vec![note("entry 2", "placeholder_link", true), note("gone", "no_such_config", true), note("entry 3", "unknown_key", false)];
        main.refused.push(Refused { file: "MODELS.md".into(), ..note("entry 1", "x", true) });
        let found = changelog(Some(&main), &[], []);
        let odd: Vec<Vec<(&str, &str)>> =
            found.items.iter().map(|i| i.odd.iter().map(|o| (o.reason.as_str(), o.detail.as_str())).collect()).collect();
        assert_eq!(
            odd,
            [vec![("placeholder_link", "is no configuration (entry 1 and 2 more)")], vec![("no_such_config", "gone: is no configuration")]]
        );
        assert_eq!(found.left_out.iter().map(|r| r.what.as_str()).collect::<Vec<_>>(), ["entry 3"]);
    }

    #[test]
    fn filters() {
        let main = facts(vec![
            change(1, &["a-*"], Some(7), "Raise the limit"),
            change(2, &["b-x", "gone-z"], Some(17), "Lower the limit"),
            change(3, &["a-y"], None, "Other"),
        ]);
        let run = run(40_809_149_952, Some(7), &[]);
        let found = changelog(Some(&main), &[], [&run]);
        let text = |t: &str| Some(t.to_owned());
        for (filter, expected) in [
            (ChangelogFilter::default(), vec![3, 2, 1]),
            (ChangelogFilter { config: text("a-x"), ..Default::default() }, vec![1]),
            (ChangelogFilter { config: text("a-y"), ..Default::default() }, vec![3, 1]),
            (ChangelogFilter { config: text("gone-z"), ..Default::default() }, vec![2]),
            (ChangelogFilter { config: text("gone*"), ..Default::default() }, vec![2]),
            (ChangelogFilter { config: text("*-x"), ..Default::default() }, vec![2, 1]),
            (ChangelogFilter { config: text("nothing"), ..Default::default() }, vec![]),
            (ChangelogFilter { pr: Some(7), ..Default::default() }, vec![1]),
            (ChangelogFilter { q: text("LIMIT lower"), ..Default::default() }, vec![2]),
            (ChangelogFilter { q: text("40809149952"), ..Default::default() }, vec![1]),
            (ChangelogFilter { q: text("#17"), ..Default::default() }, vec![2]),
            (ChangelogFilter { config: text("a-y"), q: text("other"), pr: None }, vec![3]),
        ] {
            let fitting: Vec<usize> = found.items.iter().filter(|i| filter.fits(i)).map(|i| i.number).collect();
            assert_eq!(fitting, expected, "{filter:?}");
        }
    }

    #[test]
    fn entries_of_one_pull_request_and_configuration_stand_together() {
        let main = facts(vec![
            change(1, &["a-x", "a-y"], Some(7), "first"),
            change(2, &["b-x"], Some(8), "between"),
            change(3, &["a-y", "a-x"], Some(7), "second"),
            change(4, &["b-x"], Some(7), "other configuration"),
            change(5, &["b-x"], None, "no pull request"),
            change(6, &["b-x"], None, "no pull request either"),
        ]);
        let groups = grouped(changelog(Some(&main), &[], []).items);
        let found: Vec<(Option<i64>, Vec<usize>)> =
            groups.iter().map(|g| (g.pr_number, g.items.iter().map(|i| i.number).collect())).collect();
        assert_eq!(found, [(None, vec![6]), (None, vec![5]), (Some(7), vec![4]), (Some(7), vec![3, 1]), (Some(8), vec![2])]);
    }
}
