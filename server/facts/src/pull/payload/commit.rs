//! Commits.

use paretoscope_domain::pull::PullCommit;

use super::super::fields::Fields;
use super::super::owner::Hint;
use super::{Parsed, missing};

/// A commit of REST's list, of a timeline (`committed`), or as `gh` writes it.
pub(in super::super) fn commit(f: Fields<'_>) -> Parsed<PullCommit> {
    let sha = f.text(&["sha", "oid"]).ok_or_else(|| missing("sha"))?;
    // REST keeps what git says one level deeper than the timeline does.
    let git = f.object(&["commit"]).unwrap_or(f);
    let gh_author = || f.list(&["authors"]).and_then(<[_]>::first).and_then(Fields::of).and_then(|a| a.text(&["login", "name"]));
    let message = match (git.str(&["message"]), f.str(&["messageHeadline"]), f.text(&["messageBody"])) {
        (Some(message), ..) => message.to_owned(),
        (None, Some(headline), Some(body)) => format!("{headline}\n\n{body}"),
        (None, Some(headline), None) => headline.to_owned(),
        (None, None, _) => return Err(missing("message")),
    };
    let when = |key: &str| git.object(&[key]).and_then(|who| who.time(&["date"]));
    let parents = f.list(&["parents"]).unwrap_or_default().iter().filter_map(|p| Fields::of(p)?.text(&["sha", "oid"])).collect();
    let commit = PullCommit {
        sha,
        message,
        author: f.object(&["author"]).and_then(|a| a.text(&["login"])).or_else(|| git.login(&["author"])).or_else(gh_author),
        at: when("committer").or_else(|| when("author")).or_else(|| f.time(&["committedDate", "authoredDate"])),
        parents,
    };
    Ok((commit, Hint::of([f.str(&["url"]), f.str(&["html_url"])])))
}
