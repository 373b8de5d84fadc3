//! What is known beside the runs is read once, and anew when it changed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::pull::{Known, Pull, PullCommit};
use paretoscope_domain::repo::{RepoChange, RepoFacts};
use paretoscope_server::app::App;
use paretoscope_store::Store;

#[path = "common/mod.rs"]
mod common;

const REPO: &str = "Owner/Name";

async fn app(folder: &std::path::Path) -> (Store, Arc<App>) {
    let words = common::words();
    let store_words = paretoscope_store::Words { vocabulary: Arc::clone(&words.vocabulary), thresholds: Arc::clone(&words.thresholds) };
    let store = Store::open(&format!("sqlite://{}", folder.join("test.db").display()), store_words).await.unwrap();
    store.migrate().await.unwrap();
    let app = App::new(store.clone(), words, "", REPO).await.unwrap();
    (store, app)
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn state(commit: &str, second: i64, entries: usize) -> RepoFacts {
    RepoFacts {
        repo: REPO.into(),
        commit: Some(commit.into()),
        committed_at: Some(at(second)),
        changelog: vec![RepoChange::default(); entries],
        ..RepoFacts::default()
    }
}

#[tokio::test]
async fn facts_follow_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let (store, app) = app(folder.path()).await;
    let nothing = app.facts().await.unwrap();
    assert!(nothing.main.is_none() && nothing.states.is_empty() && nothing.cookbook.is_empty() && nothing.pulls.is_empty());
    assert_eq!(app.pull(7).await.unwrap(), None);
    assert_eq!(app.repo_at("aaaaaaa").await.unwrap(), None);

    store.put_repo(state(&"a".repeat(40), 1, 1), at(1)).await.unwrap();
    store.put_repo(state(&"b".repeat(40), 2, 2), at(1)).await.unwrap();
    let pull = Pull {
        repo: REPO.into(),
        number: 7,
        head_sha: "b".repeat(40),
        commits: vec![PullCommit { sha: "b".repeat(40), message: String::new(), author: None, at: None, parents: vec![] }],
        known: Known { pull: true, commits: true, ..Known::default() },
        ..Pull::default()
    };
    store.put_pull(pull, at(1)).await.unwrap();
    app.refresh().await;
    let facts = app.facts().await.unwrap();
    assert_eq!(facts.main.as_ref().unwrap().changelog.len(), 1, "the newer one is of a pull request");
    assert_eq!((facts.states.len(), facts.pulls.len()), (2, 1));
    assert_eq!(app.repo_at("bbbbbbbbb").await.unwrap().unwrap().changelog.len(), 2);
    assert_eq!(app.pull(7).await.unwrap().unwrap().number, 7);
    assert!(Arc::ptr_eq(&facts, &app.facts().await.unwrap()), "read once");

    // Another change: facts are read anew, a state of the repository that is as it was is not.
    let title = Pull { repo: REPO.into(), number: 8, known: Known { pull: true, ..Known::default() }, ..Pull::default() };
    store.put_pull(title, at(2)).await.unwrap();
    app.refresh().await;
    let later = app.facts().await.unwrap();
    assert_eq!(later.pulls.iter().map(|p| p.number).collect::<Vec<_>>(), [8, 7]);
    assert!(Arc::ptr_eq(facts.main.as_ref().unwrap(), later.main.as_ref().unwrap()));
    store.put_repo(state(&"a".repeat(40), 1, 5), at(3)).await.unwrap();
    app.refresh().await;
    assert_eq!(app.facts().await.unwrap().main.as_ref().unwrap().changelog.len(), 5);
}
