//! The workflow-run payload: as GitHub's API and webhooks have it, or as `gh run view --json` writes it.

use jiff::Timestamp;
use paretoscope_domain::run::RunFacts;
use paretoscope_domain::{Attempt, Kind, RunId};
use serde_json::Value;

use crate::fields::Fields;

/// What a payload says.
#[derive(Clone, Debug)]
pub(crate) struct Payload {
    pub(crate) run_id: Option<RunId>,
    pub(crate) facts: RunFacts,
}

/// Reads a payload.
pub(crate) fn parse_payload(bytes: &[u8]) -> Result<Payload, String> {
    let document = crate::json::parse(bytes).map_err(|r| r.detail)?;
    let outer = Fields::of(&document.value).map_err(|r| r.detail)?;
    let f = outer.object("workflow_run").unwrap_or(outer);
    let text = |keys: &[&str]| keys.iter().find_map(|k| f.shown(k));
    let run_id = text(&["id", "databaseId", "run_id"]).and_then(|t| t.parse::<RunId>().ok());
    let known = ["head_sha", "headSha", "run_attempt", "html_url", "event", "status", "created_at", "createdAt", "conclusion"];
    if run_id.is_none() && !known.iter().any(|k| f.has(k)) {
        return Err("it has neither an id nor a head_sha, event or status".to_owned());
    }
    let html_url = text(&["html_url", "url"]).filter(|u| !u.starts_with("https://api."));
    let (created_at, date) = when(text(&["created_at", "createdAt", "run_started_at"]).as_deref());
    let pull = f.value("pull_requests").and_then(Value::as_array).and_then(|p| p.first()).and_then(|p| Fields::of(p).ok());
    let repo = |x: Fields<'_>| x.object("repository").and_then(|r| r.shown("full_name").or_else(|| r.shown("nameWithOwner")));
    let login = |key: &str| f.object(key).and_then(|a| a.shown("login")).or_else(|| f.text(key).ok().flatten().map(str::to_owned));
    let kind = text(&["paretoscope_kind"]);
    let kind = match kind {
        None => None,
        Some(word) => Some(word.parse::<Kind>().map_err(|e| format!("paretoscope_kind: {e}"))?),
    };
    let facts = RunFacts {
        kind: kind.unwrap_or_default(),
        synthetic: f.flag("paretoscope_synthetic").ok().flatten().or(outer.flag("paretoscope_synthetic").ok().flatten()).unwrap_or(false),
        actor: login("actor").or_else(|| login("triggering_actor")),
        name: text(&["name", "workflowName", "displayTitle", "display_title"]),
        event: text(&["event"]),
        status: text(&["status"]),
        conclusion: text(&["conclusion"]),
        head_sha: text(&["head_sha", "headSha"]),
        head_branch: text(&["head_branch", "headBranch"]),
        repo: repo(f).or_else(|| repo(outer)).or_else(|| html_url.as_deref().and_then(repo_of_url)),
        html_url,
        pr_number: pull.and_then(|p| p.whole("number").ok().flatten()).and_then(|n| i64::try_from(n).ok()),
        pr_title: pull.and_then(|p| p.shown("title")),
        pr_author: pull.and_then(|p| p.object("user")).and_then(|u| u.shown("login")),
        created_at,
        date,
        attempt: text(&["run_attempt", "attempt"]).and_then(|t| t.parse().ok()).and_then(Attempt::new),
        payload: Some(document.value.to_string()),
    };
    Ok(Payload { run_id, facts })
}

/// A time and its day; a bare day has no time.
pub(super) fn when(text: Option<&str>) -> (Option<Timestamp>, Option<String>) {
    let Some(text) = text else { return (None, None) };
    if let Ok(time) = text.parse::<Timestamp>() {
        let day = time.to_string().chars().take(10).collect();
        return (Some(time), Some(day));
    }
    (None, text.parse::<jiff::civil::Date>().ok().map(|day| day.to_string()))
}

fn repo_of_url(url: &str) -> Option<String> {
    let mut parts = url.strip_prefix("https://")?.split('/').skip(1);
    let (owner, name) = (parts.next()?, parts.next()?);
    (!owner.is_empty() && !name.is_empty()).then(|| format!("{owner}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Payload {
        parse_payload(text.as_bytes()).unwrap()
    }

    #[test]
    fn as_the_api_has_it() {
        let p = parse(
            r#"{"id": 41261902147, "name": "Run Sweep", "event": "pull_request", "status": "completed", "conclusion": "success",
                "run_attempt": 2, "head_sha": "41d29b28", "head_branch": "x", "html_url": "https://github.com/o/r/actions/runs/41261902147",
                "url": "https://api.github.com/x", "created_at": "2026-11-01T23:30:00-02:00", "actor": {"login": "alice"},
                "repository": {"full_name": "o/r"}, "pull_requests": [{"number": 4603, "title": "t", "user": {"login": "bob"}}]}"#,
        );
        assert_eq!(p.run_id.map(RunId::get), Some(41_261_902_147));
        let f = p.facts;
        assert_eq!((f.date.as_deref(), f.attempt, f.pr_number), (Some("2026-11-02"), Attempt::new(2), Some(4603)));
        assert_eq!((f.actor.as_deref(), f.pr_author.as_deref(), f.repo.as_deref()), (Some("alice"), Some("bob"), Some("o/r")));
        assert!(f.created_at.is_some() && !f.synthetic);
    }

    #[test]
    fn as_a_webhook_and_as_gh_have_it() {
        let p = parse(r#"{"action": "completed", "workflow_run": {"id": 7, "head_sha": "ab"}, "repository": {"full_name": "o/r"}}"#);
        assert_eq!((p.run_id.map(RunId::get), p.facts.repo.as_deref()), (Some(7), Some("o/r")));
        let p = parse(
            r#"{"databaseId": 9, "headSha": "ab", "headBranch": "b", "displayTitle": "t", "createdAt": "2026-01-02T03:04:05Z", "attempt": 3,
                "url": "https://github.com/o/r/actions/runs/9", "conclusion": "failure"}"#,
        );
        assert_eq!((p.run_id.map(RunId::get), p.facts.attempt, p.facts.repo.as_deref()), (Some(9), Attempt::new(3), Some("o/r")));
        assert_eq!((p.facts.name.as_deref(), p.facts.date.as_deref()), (Some("t"), Some("2026-01-02")));
    }

    #[test]
    fn our_own_additions() {
        let p =
            parse(r#"{"id": 9000000000001, "paretoscope_synthetic": true, "paretoscope_kind": "official", "created_at": "2026-11-01"}"#);
        assert_eq!((p.facts.synthetic, p.facts.kind), (true, Kind::Official));
        assert_eq!((p.facts.created_at, p.facts.date.as_deref()), (None, Some("2026-11-01")));
        assert!(parse_payload(br#"{"id": 1, "paretoscope_kind": "great"}"#).is_err());
        assert!(parse_payload(b"{}").is_err());
        assert!(parse_payload(b"[").is_err());
    }
}
