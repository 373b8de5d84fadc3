//! What people say, and what they may do.

use paretoscope_domain::pull::{Comment, Permission, Review};

use super::super::fields::{Fields, GHOST, is_bot};
use super::super::owner::Hint;
use super::{Parsed, missing};

/// A comment of the conversation. `gh` gives its number only in its address, and no time of an edit.
pub(in super::super) fn comment(f: Fields<'_>) -> Parsed<Comment> {
    let url = f.str(&["html_url", "url"]);
    let in_address = url.and_then(|u| u.split_once("#issuecomment-")).and_then(|(_, id)| id.parse().ok());
    let id = f.int(&["id"]).or(in_address).ok_or_else(|| missing("number"))?;
    let at = f.time(&["created_at", "createdAt"]).ok_or_else(|| missing("time"))?;
    let person = f.object(&["user", "author", "actor"]);
    let comment = Comment {
        id,
        author: person.and_then(|p| p.text(&["login"])).unwrap_or_else(|| GHOST.to_owned()),
        bot: is_bot(person),
        association: f.text(&["author_association", "authorAssociation"]),
        at,
        updated_at: f.time(&["updated_at", "updatedAt"]).unwrap_or(at),
        body: f.str(&["body"]).unwrap_or_default().to_owned(),
        url: url.filter(|u| u.contains("#issuecomment-")).map(str::to_owned),
        earlier: Vec::new(),
        deleted: false,
    };
    Ok((comment, Hint::of([f.str(&["issue_url"]), url])))
}

/// A review. `gh` names reviews by a key that is not GitHub's number, so that only REST's can be kept.
pub(in super::super) fn review(f: Fields<'_>) -> Parsed<Review> {
    let Some(id) = f.int(&["id"]) else {
        return Err("it has no number: `gh pr view` leaves it out; save GET /repos/OWNER/NAME/pulls/N/reviews instead".to_owned());
    };
    let state = f.text(&["state"]).ok_or_else(|| missing("state"))?;
    let review = Review {
        id,
        author: f.login(&["user", "author"]).unwrap_or_else(|| GHOST.to_owned()),
        association: f.text(&["author_association", "authorAssociation"]),
        state: state.to_ascii_uppercase(),
        at: f.time(&["submitted_at", "submittedAt"]),
        body: f.str(&["body"]).unwrap_or_default().to_owned(),
        commit: f.text(&["commit_id"]),
        url: f.text(&["html_url"]),
    };
    Ok((review, Hint::of([f.str(&["pull_request_url"]), f.str(&["html_url"])])))
}

/// `GET /repos/{owner}/{name}/collaborators/{user}/permission`: it names no repository.
pub(in super::super) fn permission(f: Fields<'_>) -> Parsed<Permission> {
    let user = f.login(&["user"]).or_else(|| f.text(&["user"])).ok_or_else(|| missing("user"))?;
    let permission = f.text(&["permission"]).ok_or_else(|| missing("permission"))?;
    Ok((Permission { user, permission, role_name: f.text(&["role_name"]) }, Hint::default()))
}
