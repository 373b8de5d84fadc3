//! Events, and the comments, reviews and commits among them that a timeline holds.

use paretoscope_domain::pull::{Comment, PullCommit, PullEvent, PullHappening, Review};

use super::super::fields::Fields;
use super::super::owner::Hint;
use super::{Parsed, comment, commit, missing, review};

/// An item of a timeline or of a list of events.
#[derive(Debug)]
pub(in super::super) enum TimelineItem {
    Event(PullEvent),
    Comment(Comment),
    Review(Review),
    Commit(PullCommit),
    /// Comments on lines and on commits.
    NotKept,
}

pub(in super::super) fn timeline_item(f: Fields<'_>) -> Parsed<TimelineItem> {
    let event = f.text(&["event"]).ok_or_else(|| missing("event"))?;
    match event.as_str() {
        "commented" => comment(f).map(|(c, hint)| (TimelineItem::Comment(c), hint)),
        "reviewed" => review(f).map(|(r, hint)| (TimelineItem::Review(r), hint)),
        "committed" => commit(f).map(|(c, hint)| (TimelineItem::Commit(c), hint)),
        "line-commented" | "commit-commented" => Ok((TimelineItem::NotKept, Hint::default())),
        _ => happening(f, event).map(|(e, hint)| (TimelineItem::Event(e), hint)),
    }
}

fn happening(f: Fields<'_>, event: String) -> Parsed<PullEvent> {
    let at = f.time(&["created_at"]).ok_or_else(|| missing("time"))?;
    let label = || f.object(&["label"]).and_then(|l| l.text(&["name"])).ok_or_else(|| missing("label"));
    let what = match event.as_str() {
        "labeled" => PullHappening::Labeled { label: label()? },
        "unlabeled" => PullHappening::Unlabeled { label: label()? },
        // REST tells one end of the push, the commit it left the branch at.
        "head_ref_force_pushed" => PullHappening::ForcePushed { before: f.text(&["before"]), after: f.text(&["after", "commit_id"]) },
        "merged" => PullHappening::Merged { commit: f.text(&["commit_id"]) },
        "closed" => PullHappening::Closed,
        "reopened" => PullHappening::Reopened,
        "review_dismissed" => {
            PullHappening::ReviewDismissed { message: f.object(&["dismissed_review"]).and_then(|d| d.text(&["dismissal_message"])) }
        }
        _ => PullHappening::Other { event },
    };
    let in_issue = f.object(&["issue"]).map(|issue| Hint::of([issue.str(&["url"]), issue.str(&["html_url"])])).unwrap_or_default();
    Ok((PullEvent { at, actor: f.login(&["actor"]), what }, in_issue.or(Hint::of([f.str(&["url"])]))))
}
