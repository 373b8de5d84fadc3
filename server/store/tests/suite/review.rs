//! What a review rests on: pull requests, states of the benchmark repository, the cookbook, facts about executions.

use std::collections::BTreeMap;

use paretoscope_domain::cookbook::{Cell, CookbookFile, CookbookVersion};
use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::pull::{AsOf, Comment, Known, Pull, PullCommit, PullState};
use paretoscope_domain::repo::{Refused, RepoChange, RepoFacts};
use paretoscope_domain::run::{ArtifactFile, Reading};
use paretoscope_domain::{Attempt, Kind, batch::RunBatch};
use paretoscope_store::{Severity, Store, Stored, main_state};

use crate::databases::Db;
use crate::factories::*;

const REPO: &str = "Owner/Name";

fn sha(digit: char) -> String {
    digit.to_string().repeat(40)
}

fn state(commit: Option<&str>, committed: Option<i64>, entries: usize) -> RepoFacts {
    RepoFacts {
        repo: REPO.into(),
        commit: commit.map(str::to_owned),
        committed_at: committed.map(at),
        changelog: (1..=entries).map(|number| RepoChange { number, ..RepoChange::default() }).collect(),
        thresholds: BTreeMap::from([("default".to_owned(), BTreeMap::from([("gsm8k".to_owned(), 0.1 + 0.2)]))]),
        ..RepoFacts::default()
    }
}

fn commit(sha: &str, second: i64) -> PullCommit {
    PullCommit { sha: sha.into(), message: "Add a recipe".into(), author: None, at: Some(at(second)), parents: vec![sha7('0')] }
}

fn sha7(digit: char) -> String {
    digit.to_string().repeat(7)
}

fn comment(id: i64, edited: i64, body: &str) -> Comment {
    Comment {
        id,
        author: "code owner".into(),
        bot: false,
        association: Some("MEMBER".into()),
        at: at(id),
        updated_at: at(edited),
        deleted: false,
        body: body.into(),
        url: None,
        earlier: vec![],
    }
}

fn pull(number: i64, updated: i64, commits: Vec<PullCommit>) -> Pull {
    Pull {
        repo: REPO.into(),
        number,
        title: "Add a recipe".into(),
        author: "PR author".into(),
        url: format!("https://github.com/{REPO}/pull/{number}"),
        head_sha: commits.last().map(|c| c.sha.clone()).unwrap_or_default(),
        created_at: Some(at(0)),
        updated_at: Some(at(updated)),
        labels: vec!["full-sweep".into()],
        commits,
        known: Known { pull: true, commits: true, ..Known::default() },
        as_of: AsOf { commits: Some(at(updated)), comments: Some(at(updated)), ..AsOf::default() },
        ..Pull::default()
    }
}

/// A pull request, a state of the repository, one of the cookbook and two facts.
pub(crate) async fn store_something_of_all(store: &Store) {
    store.put_pull(pull(7, 1, vec![commit(&sha('a'), 1)]), at(1)).await.unwrap();
    store.put_repo(state(Some(&sha('b')), Some(1), 1), at(1)).await.unwrap();
    store.put_cookbook(vec![version("a.jsx", "sha256:a1", Some(1), 1)], vec![], at(1)).await.unwrap();
    store.put_evidence(vec![stated(1, "PR author", None, "3.5"), stated(1, "PR author", None, "3.6")], at(1)).await.unwrap();
}

pub(crate) async fn repository_states_are_kept_by_commit(db: Db) {
    let store = &db.store;
    assert_eq!(store.repo_main(REPO).await.unwrap(), None);
    assert!(store.repo_states(REPO).await.unwrap().is_empty());
    let first = state(Some(&sha('a')), Some(10), 2);
    let version = store.data_version().await.unwrap();
    assert_eq!(store.put_repo(first.clone(), at(100)).await.unwrap(), Stored::New);
    assert_eq!(store.data_version().await.unwrap(), version + 1);
    assert_eq!(store.put_repo(first.clone(), at(200)).await.unwrap(), Stored::Same);
    assert_eq!(store.data_version().await.unwrap(), version + 1, "the same again is no change");
    assert_eq!(store.put_repo(state(Some(&sha('b')), Some(5), 1), at(101)).await.unwrap(), Stored::New);
    // Without a commit: by content, and counted from when it was read.
    let loose = state(None, None, 3);
    assert_eq!(store.put_repo(loose.clone(), at(300)).await.unwrap(), Stored::New);
    assert_eq!(store.put_repo(loose.clone(), at(400)).await.unwrap(), Stored::Same);

    let states = store.repo_states("owner/NAME").await.unwrap();
    assert_eq!(states.iter().map(|s| s.changelog_entries).collect::<Vec<_>>(), [3, 2, 1], "newest first");
    assert_eq!(states.iter().map(|s| s.commit.clone()).collect::<Vec<_>>(), [None, Some(sha('a')), Some(sha('b'))]);
    assert_eq!((states[1].committed_at, states[1].synced_at, states[0].at()), (Some(at(10)), at(100), at(300)));
    assert_eq!(store.repo_facts(REPO, &states[0].key).await.unwrap(), Some(loose));
    for name in [sha('a'), sha7('a'), sha7('A'), "aaaaaaaaaa".to_owned()] {
        assert_eq!(store.repo_facts("OWNER/name", &name).await.unwrap().as_ref(), Some(&first), "{name}");
    }
    for name in ["aaaaaa", "aaaaaab", "", "ccccccc"] {
        assert_eq!(store.repo_facts(REPO, name).await.unwrap(), None, "{name}");
    }
    assert_eq!(store.repo_facts("other/name", &sha('a')).await.unwrap(), None);

    // Read better later: the same state says more, and what was known of it stays.
    let better = RepoFacts { committed_at: None, ..state(Some(&sha7('a')), None, 7) };
    assert_eq!(store.put_repo(better, at(500)).await.unwrap(), Stored::Changed);
    let now = store.repo_facts(REPO, &sha('a')).await.unwrap().unwrap();
    assert_eq!((now.changelog.len(), now.committed_at, now.commit), (7, Some(at(10)), Some(sha('a'))));
    // A retelling takes nothing away, and gives way to the real one.
    let retold = |digit: char| RepoFacts { retold: Some("by heart".into()), ..state(Some(&sha(digit)), None, 1) };
    assert_eq!(store.put_repo(retold('a'), at(600)).await.unwrap(), Stored::Same);
    assert_eq!(store.repo_facts(REPO, &sha('a')).await.unwrap().unwrap().changelog.len(), 7);
    assert_eq!(store.put_repo(retold('d'), at(600)).await.unwrap(), Stored::New);
    assert_eq!(store.put_repo(state(Some(&sha('d')), Some(-10), 2), at(700)).await.unwrap(), Stored::Changed);
    assert_eq!(store.repo_facts(REPO, &sha('d')).await.unwrap().unwrap().retold, None);
    assert_eq!(store.repo_states(REPO).await.unwrap().len(), 4);
}

pub(crate) async fn a_short_commit_becomes_a_whole_one(db: Db) {
    let store = &db.store;
    assert_eq!(store.put_repo(state(Some(&sha7('a')), None, 1), at(1)).await.unwrap(), Stored::New);
    assert_eq!(store.put_repo(state(Some(&sha('a')), Some(0), 1), at(2)).await.unwrap(), Stored::Changed);
    assert_eq!(store.put_repo(state(Some(&sha7('a')), None, 1), at(3)).await.unwrap(), Stored::Same);
    let states = store.repo_states(REPO).await.unwrap();
    assert_eq!((states.len(), states[0].key.clone(), states[0].at()), (1, sha('a'), at(0)));
    // Two commits that begin alike: the short name is that of neither.
    let alike = format!("{}{}", sha7('a'), "b".repeat(33));
    assert_eq!(store.put_repo(state(Some(&alike), Some(1), 2), at(4)).await.unwrap(), Stored::New);
    assert_eq!(store.repo_facts(REPO, &sha7('a')).await.unwrap(), None);
    assert_eq!(store.repo_facts(REPO, "aaaaaaab").await.unwrap().unwrap().changelog.len(), 2);
}

pub(crate) async fn the_main_branch_is_none_of_a_pull_requests(db: Db) {
    let store = &db.store;
    store.put_repo(state(Some(&sha('a')), Some(10), 1), at(100)).await.unwrap();
    store.put_repo(state(Some(&sha('b')), Some(20), 2), at(100)).await.unwrap();
    let main = async || store.repo_main(REPO).await.unwrap().unwrap().commit;
    assert_eq!(main().await, Some(sha('b')), "nothing tells that it is of a pull request");
    let mut told = pull(7, 1, vec![commit(&sha7('b'), 20)]);
    told.merge_commit_sha = Some(sha('a'));
    store.put_pull(told, at(1)).await.unwrap();
    assert_eq!(main().await, Some(sha('a')));
    let states = store.repo_states(REPO).await.unwrap();
    assert_eq!(states.iter().map(|s| s.pull).collect::<Vec<_>>(), [Some(7), None]);
    assert_eq!(main_state(&states).unwrap().key, sha('a'));
    // A forced push drops it from the pull request; it is still none of the main branch.
    store.put_pull(pull(7, 2, vec![commit(&sha('c'), 30)]), at(2)).await.unwrap();
    assert_eq!(main().await, Some(sha('a')));
    let only = state(Some(&sha('c')), Some(40), 3);
    store.put_repo(RepoFacts { repo: "other/repo".into(), ..only }, at(100)).await.unwrap();
    assert_eq!(store.repo_main("other/repo").await.unwrap().unwrap().changelog.len(), 3, "another repository's pull requests");
}

pub(crate) async fn pulls_are_merged(db: Db) {
    let store = &db.store;
    assert_eq!(store.pull(REPO, 7).await.unwrap(), None);
    let mut first = pull(7, 10, vec![commit(&sha('a'), 1), commit(&sha('b'), 2)]);
    first.comments = vec![comment(1, 1, "/use 1")];
    let version = store.data_version().await.unwrap();
    assert_eq!(store.put_pull(first.clone(), at(1)).await.unwrap(), Stored::New);
    assert_eq!(store.put_pull(first.clone(), at(2)).await.unwrap(), Stored::Same);
    assert_eq!(store.data_version().await.unwrap(), version + 1);
    assert_eq!(store.pull("owner/name", 7).await.unwrap().unwrap().comments, first.comments);

    // Later: a forced push dropped the second commit, the comment was edited, it was merged.
    let mut later = pull(7, 20, vec![commit(&sha('a'), 1), commit(&sha('c'), 3)]);
    later.repo = "owner/name".into();
    later.comments = vec![comment(1, 15, "/use 2"), comment(2, 16, "thanks")];
    (later.state, later.merged_at, later.title) = (PullState::Merged, Some(at(20)), "Add a recipe é".into());
    later.labels = vec![];
    assert_eq!(store.put_pull(later.clone(), at(3)).await.unwrap(), Stored::Changed);
    let merged = store.pull(REPO, 7).await.unwrap().unwrap();
    assert_eq!(merged.commits.iter().map(|c| c.sha.clone()).collect::<Vec<_>>(), [sha('a'), sha('c')]);
    assert_eq!(merged.dropped.iter().map(|c| c.sha.clone()).collect::<Vec<_>>(), [sha('b')]);
    assert_eq!((merged.comments.len(), merged.comments[0].body.as_str()), (2, "/use 2"));
    assert_eq!(merged.comments[0].earlier, [(at(1), "/use 1".to_owned())]);
    assert_eq!(store.put_pull(later, at(4)).await.unwrap(), Stored::Same);

    // The older payload again changes nothing: neither the state nor the list of what is dropped.
    assert_eq!(store.put_pull(first, at(5)).await.unwrap(), Stored::Same);
    assert_eq!(store.pull(REPO, 7).await.unwrap().unwrap(), merged);

    store.put_pull(pull(12, 1, vec![]), at(6)).await.unwrap();
    store.put_pull(Pull { repo: "other/name".into(), ..pull(99, 1, vec![]) }, at(6)).await.unwrap();
    let rows = store.pulls(REPO).await.unwrap();
    assert_eq!(rows.iter().map(|r| (r.number, r.state)).collect::<Vec<_>>(), [(12, PullState::Open), (7, PullState::Merged)]);
    let row = &rows[1];
    assert_eq!((row.title.as_str(), row.repo.as_str(), row.author.as_str()), ("Add a recipe é", REPO, "PR author"));
    assert_eq!((row.head_sha.clone(), row.merged_at, row.updated_at, row.synced_at), (sha('c'), Some(at(20)), Some(at(20)), at(3)));
    assert!(row.labels.is_empty());
    assert!(store.check().await.unwrap().iter().all(|f| f.severity == Severity::Ok));
}

fn version(path: &str, digest: &str, committed: Option<i64>, synced: i64) -> CookbookVersion {
    CookbookVersion {
        file: CookbookFile {
            repo: "org/docs".into(),
            path: path.into(),
            commit: committed.map(|at| format!("c{at}")),
            model: "dsv41flash".into(),
            cells: vec![Cell { id: format!("{digest}#0"), ..Cell::default() }],
            ..CookbookFile::default()
        },
        digest: digest.into(),
        committed_at: committed.map(at),
        synced_at: at(synced),
    }
}

fn refused(file: &str, what: &str) -> Refused {
    Refused { file: file.into(), line: Some(3), what: what.into(), reason: "not_json".into(), detail: "it ends early".into(), kept: false }
}

pub(crate) async fn cookbook_states_are_kept(db: Db) {
    let store = &db.store;
    let two = vec![version("b.jsx", "sha256:b1", Some(20), 100), version("a.jsx", "sha256:a1", Some(10), 100)];
    assert_eq!(store.put_cookbook(two.clone(), vec![], at(100)).await.unwrap(), [Stored::New, Stored::New]);
    let data = store.data_version().await.unwrap();
    let again: Vec<_> = two.iter().map(|v| CookbookVersion { synced_at: at(300), ..v.clone() }).collect();
    assert_eq!(store.put_cookbook(again, vec![], at(300)).await.unwrap(), [Stored::Same, Stored::Same]);
    assert_eq!(store.data_version().await.unwrap(), data);
    assert_eq!(store.cookbook().await.unwrap(), [two[1].clone(), two[0].clone()], "oldest first");

    assert_eq!(store.put_cookbook(vec![version("a.jsx", "sha256:a2", Some(30), 301)], vec![], at(301)).await.unwrap(), [Stored::New]);
    // The same bytes at a later commit are the same state; at an earlier one they were there from then on.
    assert_eq!(store.put_cookbook(vec![version("a.jsx", "sha256:a2", Some(40), 302)], vec![], at(302)).await.unwrap(), [Stored::Same]);
    assert_eq!(store.put_cookbook(vec![version("a.jsx", "sha256:a2", Some(25), 303)], vec![], at(303)).await.unwrap(), [Stored::Changed]);
    // What comes without a time can't be told from what is known.
    assert_eq!(store.put_cookbook(vec![version("a.jsx", "sha256:a1", None, 304)], vec![], at(304)).await.unwrap(), [Stored::Same]);
    // A later commit that brings the first bytes back is a state of its own, once.
    for outcome in [Stored::New, Stored::Same] {
        assert_eq!(store.put_cookbook(vec![version("a.jsx", "sha256:a1", Some(50), 305)], vec![], at(305)).await.unwrap(), [outcome]);
    }
    let told: Vec<_> = store.cookbook().await.unwrap().iter().map(|v| (v.digest.clone(), v.at())).collect();
    let expected = [("sha256:a1", 10), ("sha256:b1", 20), ("sha256:a2", 25), ("sha256:a1", 50)];
    assert_eq!(told, expected.map(|(digest, second)| (digest.to_owned(), at(second))));
    // Told later: which pull request of the cookbook brought it.
    let mut told = version("b.jsx", "sha256:b1", Some(20), 306);
    told.file.cookbook_pr = Some(5);
    assert_eq!(store.put_cookbook(vec![told], vec![], at(306)).await.unwrap(), [Stored::Changed]);
    assert_eq!(store.put_cookbook(vec![version("b.jsx", "sha256:b1", Some(20), 307)], vec![], at(307)).await.unwrap(), [Stored::Same]);
    let b = store.cookbook().await.unwrap().into_iter().find(|v| v.file.path == "b.jsx").unwrap();
    assert_eq!((b.file.cookbook_pr, b.synced_at), (Some(5), at(100)));
}

pub(crate) async fn the_last_good_cookbook_state_stays(db: Db) {
    let store = &db.store;
    let good = version("a.jsx", "sha256:a1", Some(10), 100);
    store.put_cookbook(vec![good.clone()], vec![refused("b.jsx", "file")], at(100)).await.unwrap();
    let data = store.data_version().await.unwrap();
    let broken = vec![refused("a.jsx", "file"), refused("a.jsx", "cell 2")];
    assert_eq!(store.put_cookbook(vec![], broken.clone(), at(200)).await.unwrap(), []);
    assert_eq!(store.data_version().await.unwrap(), data + 1);
    assert_eq!(store.cookbook().await.unwrap(), std::slice::from_ref(&good));
    let all = [broken[0].clone(), broken[1].clone(), refused("b.jsx", "file")];
    assert_eq!(store.cookbook_refused().await.unwrap(), all);
    store.put_cookbook(vec![], broken, at(201)).await.unwrap();
    assert_eq!(store.data_version().await.unwrap(), data + 1, "the same again is no change");
    // Read well, but for one cell: what is wrong now takes the place of what was wrong before. Another file's stays.
    let odd = vec![refused("a.jsx", "cell 3")];
    store.put_cookbook(vec![good.clone()], odd.clone(), at(202)).await.unwrap();
    assert_eq!(store.cookbook_refused().await.unwrap(), [odd[0].clone(), all[2].clone()]);
    store.put_cookbook(vec![good.clone(), version("b.jsx", "sha256:b1", None, 203)], vec![], at(203)).await.unwrap();
    assert_eq!(store.cookbook_refused().await.unwrap(), []);
}

fn fact(run: i64, attempt: u32, artifact: &str, key: &str, value: &str) -> RunFact {
    RunFact {
        run_id: id(run),
        attempt: Attempt::new(attempt),
        point: Some("TP4 c1".into()),
        eval: false,
        kind: FactKind::Env,
        key: key.into(),
        value: value.into(),
        count: None,
        origin: FactOrigin::Artifact { artifact: artifact.into(), file: "server.log".into(), line: Some(7) },
    }
}

fn stated(run: i64, by: &str, url: Option<&str>, value: &str) -> RunFact {
    let origin = FactOrigin::Stated { by: by.into(), url: url.map(str::to_owned), at: Some(at(0)) };
    RunFact { point: None, kind: FactKind::MeasuredAl, count: Some(1400), origin, attempt: None, ..fact(run, 1, "", "mean", value) }
}

fn with_facts(attempt: u32, evidence: Vec<RunFact>) -> RunBatch {
    let mut told = RunBatch::new(id(1), facts());
    let mut log = artifact("server_logs");
    log.attempt = Attempt::new(attempt);
    log.files = vec![ArtifactFile { path: "server.log".into(), size: 1, digest: None, reading: Reading::Read }];
    told.artifacts = vec![log];
    told.evidence = evidence;
    told
}

pub(crate) async fn facts_of_artifacts_are_replaced_by_their_next_reading(db: Db) {
    let store = &db.store;
    let apply = async |batch: RunBatch| store.apply(batch, at(0)).await.unwrap().rows_changed;
    let (a, b) = (fact(1, 1, "server_logs", "SGLANG_A", "1"), fact(1, 1, "server_logs", "SGLANG_B", "é"));
    assert!(apply(with_facts(1, vec![a.clone(), b.clone()])).await > 0);
    assert_eq!(store.evidence(id(1)).await.unwrap(), [a.clone(), b.clone()]);
    assert_eq!(store.detail(id(1)).await.unwrap().unwrap().evidence, [a.clone(), b.clone()]);
    assert_eq!(apply(with_facts(1, vec![a.clone(), b.clone()])).await, 0, "again: nothing changes");
    // Another attempt's log of the same name stands beside it.
    let second = fact(1, 2, "server_logs", "SGLANG_A", "2");
    assert!(apply(with_facts(2, vec![second.clone()])).await > 0);
    assert_eq!(store.evidence(id(1)).await.unwrap(), [a.clone(), b.clone(), second.clone()]);
    // Read better: in place of the earlier reading.
    assert!(apply(with_facts(1, vec![a.clone()])).await > 0);
    assert_eq!(store.evidence(id(1)).await.unwrap(), [a.clone(), second.clone()]);
    // Only listed: says nothing. Read, and nothing in it: nothing is left.
    let mut listed = with_facts(1, vec![]);
    (listed.artifacts[0].reading, listed.artifacts[0].files) = (Reading::Listed, vec![]);
    assert_eq!(apply(listed).await, 0);
    assert_eq!(store.evidence(id(1)).await.unwrap().len(), 2);
    assert_eq!(apply(with_facts(1, vec![])).await, 1);
    assert_eq!(store.evidence(id(1)).await.unwrap(), [second]);
    assert_eq!(apply(with_facts(1, vec![])).await, 0);
}

pub(crate) async fn a_fact_keeps_its_point(db: Db) {
    let store = &db.store;
    let known = fact(1, 1, "server_logs", "SGLANG_A", "1");
    let unknown = RunFact { point: None, ..known.clone() };
    store.apply(with_facts(1, vec![unknown.clone()]), at(0)).await.unwrap();
    store.apply(with_facts(1, vec![known.clone()]), at(0)).await.unwrap();
    // The log alone, without the benchmark's artifact beside it.
    assert_eq!(store.apply(with_facts(1, vec![unknown.clone()]), at(0)).await.unwrap().rows_changed, 0);
    assert_eq!(store.evidence(id(1)).await.unwrap(), [known]);
    let other = RunFact { value: "2".into(), ..unknown };
    store.apply(with_facts(1, vec![other.clone()]), at(0)).await.unwrap();
    assert_eq!(store.evidence(id(1)).await.unwrap(), [other]);
}

pub(crate) async fn facts_gain_their_attempt(db: Db) {
    let store = &db.store;
    let unknown = RunFact { attempt: None, ..fact(1, 1, "server_logs", "SGLANG_A", "1") };
    let known = fact(1, 1, "server_logs", "SGLANG_A", "1");
    store.apply(with_facts(0, vec![unknown.clone()]), at(0)).await.unwrap();
    assert_eq!(store.evidence(id(1)).await.unwrap(), std::slice::from_ref(&unknown));
    store.apply(with_facts(1, vec![known.clone()]), at(0)).await.unwrap();
    assert_eq!(store.evidence(id(1)).await.unwrap(), std::slice::from_ref(&known), "one reading, not two");
    assert_eq!(store.apply(with_facts(0, vec![unknown]), at(0)).await.unwrap().rows_changed, 0);
    assert_eq!(store.evidence(id(1)).await.unwrap(), [known]);
}

pub(crate) async fn stated_facts_may_come_before_the_run(db: Db) {
    let store = &db.store;
    let url = Some("https://github.com/Owner/Name/pull/7#issuecomment-1");
    let (mine, theirs) = (stated(1, "PR author", url, "3.497"), stated(1, "code owner", url, "3.5"));
    let other = stated(2, "PR author", None, "2.9");
    assert_eq!(store.put_evidence(vec![mine.clone(), theirs.clone(), other.clone()], at(1)).await.unwrap(), Stored::New);
    let version = store.data_version().await.unwrap();
    assert_eq!(store.put_evidence(vec![mine.clone(), other.clone()], at(2)).await.unwrap(), Stored::Same);
    assert_eq!(store.data_version().await.unwrap(), version);
    assert_eq!(store.evidence(id(1)).await.unwrap(), [mine, theirs.clone()]);
    let measured = fact(1, 1, "server_logs", "SGLANG_A", "1");
    store.apply(with_facts(1, vec![measured.clone()]), at(3)).await.unwrap();
    let version = store.data_version().await.unwrap();
    let corrected = vec![stated(1, "PR author", url, "3.51"), RunFact { kind: FactKind::Note, ..stated(1, "PR author", url, "done") }];
    assert_eq!(store.put_evidence(corrected.clone(), at(4)).await.unwrap(), Stored::Changed);
    assert_eq!(store.changed_since(version).await.unwrap(), [id(1)], "the run's page is another now");
    assert_eq!(store.evidence(id(1)).await.unwrap(), [measured, corrected[0].clone(), corrected[1].clone(), theirs]);
    assert_eq!(store.evidence(id(2)).await.unwrap(), [other]);
    assert_eq!(store.put_evidence(vec![], at(5)).await.unwrap(), Stored::Same);
}

pub(crate) async fn a_database_of_the_first_step_is_brought_up_to_date(db: Db) {
    let store = &db.store;
    store.apply(batch(1), at(0)).await.unwrap();
    store.set_kind(id(1), Kind::Staged, "look", "ann", at(1)).await.unwrap();
    let before = store.detail(id(1)).await.unwrap();
    for table in ["pull_commits", "pulls", "repo_states", "cookbook_states", "cookbook_refused", "run_facts"] {
        db.execute(&format!("DROP TABLE {table}")).await;
    }
    db.execute("DELETE FROM _sqlx_migrations WHERE version = 2").await;
    assert!(store.check().await.unwrap()[0].detail.contains("paretoscope migrate"));
    assert!(store.pulls(REPO).await.unwrap_err().to_string().contains("paretoscope migrate"));
    store.migrate().await.unwrap();
    assert_eq!(store.detail(id(1)).await.unwrap(), before);
    assert_eq!(store.put_pull(pull(7, 1, vec![commit(&sha('a'), 1)]), at(1)).await.unwrap(), Stored::New);
    assert_eq!(store.apply(batch(1), at(0)).await.unwrap().rows_changed, 0);
    assert!(store.check().await.unwrap().iter().all(|f| f.severity == Severity::Ok));
}
