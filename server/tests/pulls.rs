//! Pull requests over HTTP: what is imported, what only runs tell, and what is not there.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use http::StatusCode;
use jiff::Timestamp;
use paretoscope_domain::pull::{Comment, Known, Pull, PullCommit, PullState};
use paretoscope_domain::run::DEFAULT_REPO;

#[path = "common/mod.rs"]
mod common;
use common::Site;

const HEAD: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";

fn comment(id: i64, at: &str, association: &str, body: &str) -> Comment {
    let at: Timestamp = at.parse().unwrap();
    Comment {
        id,
        author: "code owner".into(),
        bot: false,
        association: Some(association.into()),
        at,
        updated_at: at,
        body: body.into(),
        url: None,
        earlier: Vec::new(),
        deleted: false,
    }
}

/// A pull request of the runs of the sample.
fn pull() -> Pull {
    Pull {
        repo: DEFAULT_REPO.into(),
        number: 4603,
        title: "A newer image".into(),
        author: "PR author".into(),
        url: format!("https://github.com/{DEFAULT_REPO}/pull/4603"),
        state: PullState::Open,
        head_sha: HEAD.into(),
        commits: vec![PullCommit { sha: HEAD.into(), message: "Newer image".into(), author: None, at: None, parents: vec![] }],
        comments: vec![
            comment(1, "2026-10-30T09:00:00Z", "COLLABORATOR", "/use 40809149952"),
            comment(2, "2026-11-02T09:00:00Z", "COLLABORATOR", "/use 41261902147"),
            comment(3, "2026-11-03T09:00:00Z", "CONTRIBUTOR", "/use 40809149952"),
        ],
        known: Known { pull: true, commits: true, files: true, comments: true, reviews: true, events: true },
        ..Pull::default()
    }
}

async fn with_pull(pull: Pull) -> Site {
    let site = Site::sample().await;
    site.store.put_pull(pull, "2026-11-30T00:00:00Z".parse().unwrap()).await.unwrap();
    site
}

#[tokio::test]
async fn the_newest_authorised_command_is_the_pin() {
    let site = with_pull(pull()).await;
    let answer = site.get("/api/v1/pulls/4603").await.json();
    let pins: Vec<_> = answer["pins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["run_id"].as_i64(), p["authorised"].as_bool(), p["current"].as_bool()))
        .collect();
    let told = |run: i64, authorised, current| (Some(run), Some(authorised), Some(current));
    assert_eq!(pins, [told(40_809_149_952, true, false), told(41_261_902_147, true, true), told(40_809_149_952, false, false)]);
    assert_eq!(answer["now"]["pin"]["run_id"], 41_261_902_147_i64);
    assert_eq!(answer["now"]["measured"]["in_pull"], true);
    assert_eq!(answer["runs"].as_array().unwrap().len(), 2);
    let checks: Vec<_> = answer["checks"].as_array().unwrap().iter().map(|c| c["id"].as_u64().unwrap()).filter(|id| *id < 100).collect();
    assert_eq!(checks, (0..=18).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_hidden_run_is_left_out_and_said() {
    let site = with_pull(pull()).await;
    let run = paretoscope_domain::RunId::new(41_261_902_147).unwrap();
    site.store.purge(run, "a hung point", "someone", "2026-11-30T00:00:00Z".parse().unwrap()).await.unwrap();
    let answer = site.get("/api/v1/pulls/4603").await.json();
    assert_eq!(answer["now"]["pin"]["known"], false);
    assert!(answer["now"]["pin"]["note"].as_str().unwrap().contains("a hung point"));
    assert!(answer["notes"].as_array().unwrap().iter().any(|n| n.as_str().unwrap().contains("is hidden here")));
    let page = site.get("/pulls/4603").await;
    assert!(page.text().contains("a hung point"));
}

#[tokio::test]
async fn one_that_only_runs_name_is_listed_and_shown_as_such() {
    let site = Site::empty().await;
    let folder = tempfile::tempdir().unwrap();
    let paths = paretoscope_sample::write_to(folder.path(), &paretoscope_sample::reference_runs()).unwrap();
    site.ingest(&paths, &paretoscope_ingest::Options::default()).await;
    let list = site.get("/api/v1/pulls?state=unread").await.json();
    assert_eq!((list["items"][0]["number"].as_i64(), list["items"][0]["run_count"].as_i64()), (Some(4603), Some(2)));
    assert!(list["items"][0]["state"].is_null() && list["items"][0]["checks"].is_null());
    let answer = site.get("/api/v1/pulls/4603").await.json();
    assert!(answer["state"].is_null());
    assert_eq!(answer["checks"].as_array().unwrap().len(), 0);
    let page = site.get("/pulls/4603").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains("paretoscope pulls import FILE"));
}

#[tokio::test]
async fn what_is_not_there_says_what_to_do() {
    let site = Site::empty().await;
    for (path, status) in [
        ("/pulls", StatusCode::OK),
        ("/pulls?state=lost", StatusCode::OK),
        ("/pulls/7", StatusCode::NOT_FOUND),
        ("/pulls/seven", StatusCode::NOT_FOUND),
        ("/api/v1/pulls", StatusCode::OK),
        ("/api/v1/pulls/7", StatusCode::NOT_FOUND),
        ("/api/v1/pulls/seven", StatusCode::BAD_REQUEST),
        ("/api/v1/pulls?state=lost", StatusCode::BAD_REQUEST),
        ("/api/v1/pulls?limit=0", StatusCode::BAD_REQUEST),
        ("/api/v1/pulls/7?x=1", StatusCode::BAD_REQUEST),
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        if status == StatusCode::NOT_FOUND {
            assert!(answer.text().contains("pull"), "{path}");
        }
    }
    assert!(site.get("/pulls").await.text().contains("No pull requests yet"));
}
