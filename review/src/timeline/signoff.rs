//! Sign-offs: the review checklist as a reviewer filled it in, in a comment that is edited in place (formats-and-rules §3).

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::{Comment, Pull, same_commit};
use serde::{Deserialize, Serialize};

use super::text::{TextVersion, after, bare, commit_after, holds, minute, run_after, short, versions};

/// A sign-off: one text of one comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignOff {
    /// The comment.
    pub comment_id: i64,
    /// Page of the comment.
    pub url: Option<String>,
    /// Who wrote it.
    pub author: String,
    /// Standing of the author, GitHub's word.
    pub association: Option<String>,
    /// Who it says signed it; null where it has no such line.
    pub signed: Option<String>,
    /// When this text was written.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
    /// The commit it assessed, as it says; null where it says none.
    pub commit: Option<String>,
    /// The run it rests on, as it says; null where it says none.
    pub run_id: Option<RunId>,
    /// Items of its checklist, in order, nested ones among them.
    pub items: Vec<SignedItem>,
    /// Its section of additional detail, Markdown; null where it has none.
    pub additional_detail: Option<String>,
    /// Why it no longer counts; null for the one that does.
    pub superseded: Option<String>,
    /// What is not sure about its time.
    pub note: Option<String>,
}

/// An item of a filled-in checklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignedItem {
    /// Its text as the comment has it.
    pub text: String,
    /// Whether it is ticked.
    pub checked: bool,
}

impl SignOff {
    /// Items that are ticked.
    #[must_use]
    pub fn checked(&self) -> usize {
        self.items.iter().filter(|i| i.checked).count()
    }
}

/// All sign-offs of a pull request, oldest first. At most one of them counts: the newest text of the newest comment. One that
/// assessed another commit than the head still counts as the newest one; what it is worth is for the checks to say.
#[must_use]
pub fn sign_offs(pull: &Pull) -> Vec<SignOff> {
    let mut all: Vec<(bool, SignOff)> = pull
        .comments
        .iter()
        .filter(|c| !c.bot)
        .flat_map(|c| versions(c).into_iter().filter_map(|v| read(c, &v).map(|s| (v.current && !c.deleted, s))).collect::<Vec<_>>())
        .collect();
    all.sort_by_key(|(_, s)| (s.at, s.comment_id));
    // An earlier text never counts, even where the comment became something else since.
    let newest = all.iter().rposition(|(current, _)| *current);
    let counts = newest.and_then(|i| all.get(i)).map(|(_, s)| (s.comment_id, s.at));
    for (i, (_, sign_off)) in all.iter_mut().enumerate() {
        if Some(i) == newest {
            continue;
        }
        sign_off.superseded = Some(match counts {
            Some((comment, at)) if comment == sign_off.comment_id => format!("edited into another one on {}", minute(at)),
            Some((_, at)) => format!("replaced by the one of {}", minute(at)),
            None => "its comment was edited or deleted and is no sign-off any more".to_owned(),
        });
    }
    all.into_iter().map(|(_, s)| s).collect()
}

/// The sign-off that counts.
#[must_use]
pub fn current_sign_off(all: &[SignOff]) -> Option<&SignOff> {
    all.iter().find(|s| s.superseded.is_none())
}

/// Whether a text is a sign-off: it begins as a reviewer or code owner and holds a checklist.
#[must_use]
pub fn is_sign_off(text: &str) -> bool {
    let first = text.lines().map(bare).find(|l| !l.is_empty()).unwrap_or_default().to_ascii_lowercase();
    let role = ["reviewer", "codeowner", "code owner"].iter().any(|r| first.contains(r));
    first.starts_with("as a") && role && text.lines().any(|l| read_item(l).is_some())
}

/// What an item of it says about a commit: whether a sign-off is about `head`, where it says.
#[must_use]
pub fn is_about(sign_off: &SignOff, head: &str) -> Option<bool> {
    sign_off.commit.as_deref().filter(|_| !head.is_empty()).map(|c| same_commit(c, head))
}

fn read(comment: &Comment, version: &TextVersion<'_>) -> Option<SignOff> {
    let text = version.text;
    if !is_sign_off(text) {
        return None;
    }
    let detail = additional_detail(text);
    let told = detail.unwrap_or(text);
    Some(SignOff {
        comment_id: comment.id,
        url: comment.url.clone(),
        author: comment.author.clone(),
        association: comment.association.clone(),
        signed: text.lines().rev().find_map(|l| bare(l).strip_prefix("Signed:").map(|s| s.trim().trim_start_matches('@').to_owned())),
        at: version.at,
        commit: commit_after(told, "assessed head").or_else(|| commit_after(told, "assessed commit")),
        run_id: run_after(told, "pinned run").or_else(|| run_after(told, "run sweep")).or_else(|| run_after(told, "/use")),
        items: text.lines().filter_map(read_item).collect(),
        additional_detail: detail.map(|d| d.trim().to_owned()),
        superseded: None,
        note: version.note.clone(),
    })
}

/// `- [x] text`, at any depth.
fn read_item(line: &str) -> Option<SignedItem> {
    let rest = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
    let (mark, text) = rest.split_once(']')?;
    let checked = match mark {
        " " | "" => false,
        "x" | "X" => true,
        _ => return None,
    };
    // `[x](link)` is a link.
    (!text.starts_with('(')).then(|| SignedItem { text: text.trim().to_owned(), checked })
}

/// What follows the heading of the additional detail.
fn additional_detail(text: &str) -> Option<&str> {
    let heading = text.lines().find(|l| {
        let l = bare(l);
        holds(&l, "additional detail") && l.len() < 48 && read_item(&l).is_none()
    })?;
    after(text, heading)
}

/// In words, for a timeline: `19 of 20 items ticked, about 41d29b28, resting on run 41261902147`.
pub(super) fn in_words(s: &SignOff) -> String {
    let about = s.commit.as_deref().map_or_else(|| "naming no commit".to_owned(), |c| format!("about {}", short(c)));
    let run = s.run_id.map(|r| format!(", resting on run {r}")).unwrap_or_default();
    format!("{} of {} items ticked, {about}{run}", s.checked(), s.items.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "As a PR reviewer and CODEOWNER, I have reviewed this:\n\n- [x] Latest checklist\n- [ ] Evals pass\n\nAdditional detail section:\n- Assessed head: 9bd047ac7, pinned run 40809149952\n\nSigned: owner";
    const NEW: &str = "**As a PR reviewer and CODEOWNER**, I have:\r\n- [x] Latest checklist\r\n  - [X] Linked recipe [x](https://a)\r\n* [x] Evals pass, [link](https://b)\r\n\r\n## Additional detail section\r\nAssessed head: 41d29b2834a85fcee09db6f9f52653b7c2f30ef3. The pinned run is Run Sweep 41261902147; it replaces `/use 40809149952`.\r\n\r\nSigned: @owner\r\n";

    fn comment(id: i64, body: &str, earlier: &[(&str, &str)], updated: &str) -> Comment {
        let at: Timestamp = "2026-10-30T09:00:00Z".parse().unwrap();
        Comment {
            id,
            author: "owner".into(),
            bot: false,
            association: Some("COLLABORATOR".into()),
            at,
            updated_at: updated.parse().unwrap(),
            body: body.into(),
            url: None,
            earlier: earlier.iter().map(|(at, text)| (at.parse().unwrap(), (*text).to_owned())).collect(),
            deleted: false,
        }
    }

    #[test]
    fn an_edited_sign_off_is_two_and_the_newer_text_counts() {
        let pull = Pull { comments: vec![comment(1, NEW, &[("2026-10-30T09:00:00Z", OLD)], "2026-11-03T04:00:00Z")], ..Pull::default() };
        let all = sign_offs(&pull);
        let [old, new] = all.as_slice() else { panic!("two texts: {all:?}") };
        assert_eq!(
            (old.commit.as_deref(), old.run_id, old.checked(), old.items.len()),
            (Some("9bd047ac7"), RunId::new(40_809_149_952), 1, 2)
        );
        assert_eq!(old.superseded.as_deref(), Some("edited into another one on 2026-11-03 04:00 UTC"));
        assert_eq!(new.commit.as_deref(), Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3"));
        assert_eq!((new.run_id, new.checked(), new.items.len()), (RunId::new(41_261_902_147), 3, 3));
        assert_eq!((new.superseded.as_deref(), new.signed.as_deref()), (None, Some("owner")));
        assert!(new.additional_detail.as_deref().unwrap().starts_with("Assessed head"));
        assert_eq!(current_sign_off(&all), Some(new));
        assert_eq!(is_about(new, "41d29b2834a85fcee09db6f9f52653b7c2f30ef3"), Some(true));
        assert_eq!(is_about(old, "41d29b2834a85fcee09db6f9f52653b7c2f30ef3"), Some(false));
    }

    #[test]
    fn an_older_comment_is_replaced_by_a_newer_one() {
        let mut second = comment(2, NEW, &[], "2026-11-03T04:00:00Z");
        second.at = second.updated_at;
        let pull = Pull { comments: vec![comment(1, OLD, &[], "2026-10-30T09:00:00Z"), second], ..Pull::default() };
        let all = sign_offs(&pull);
        assert_eq!(all.iter().map(|s| s.superseded.is_some()).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn what_is_no_sign_off_is_none() {
        for text in
            ["As a reviewer I am pleased", "- [x] As a reviewer", "Please fill in:\n- [ ] reviewer item", "", "As a code owner [x](a)"]
        {
            assert!(!is_sign_off(text), "{text}");
        }
        let mut bot = comment(1, NEW, &[], "2026-10-30T09:00:00Z");
        bot.bot = true;
        assert_eq!(sign_offs(&Pull { comments: vec![bot], ..Pull::default() }), []);
    }
}
