//! A pull request as GitHub tells it: the raw material of the timeline and of the checks.
//!
//! Nothing here is judged. What was never read is told apart from what is empty ([`Known`]), so that no check passes because
//! it could not be looked at.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Whether a pull request is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PullState {
    /// Open.
    #[default]
    Open,
    /// Closed without a merge.
    Closed,
    /// Merged.
    Merged,
}

/// Which parts of a pull request were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The pull request itself.
    pub pull: bool,
    /// Its commits, all of them.
    pub commits: bool,
    /// Its changed files, all of them.
    pub files: bool,
    /// Its comments.
    pub comments: bool,
    /// Its reviews.
    pub reviews: bool,
    /// The history of labels, pushes, merge.
    pub events: bool,
}

/// How many commits, files and comments GitHub says a pull request has: what a list must hold to be the whole of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullCounts {
    /// Commits.
    pub commits: Option<u64>,
    /// Changed files.
    pub files: Option<u64>,
    /// Comments of the conversation, without those on lines.
    pub comments: Option<u64>,
}

/// As of when each list was read: `updated_at` of the pull request that was read with it; `None` where none was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsOf {
    /// Commits.
    pub commits: Option<Timestamp>,
    /// Files.
    pub files: Option<Timestamp>,
    /// Newest commit at which the files were listed.
    pub files_head: Option<String>,
    /// Comments.
    pub comments: Option<Timestamp>,
    /// Reviews.
    pub reviews: Option<Timestamp>,
    /// Permissions.
    pub permissions: Option<Timestamp>,
}

/// A pull request and everything known of it. Partial ones are put together by [`Pull::absorb`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pull {
    /// `owner/name`.
    pub repo: String,
    /// Number.
    pub number: i64,
    /// Title.
    pub title: String,
    /// Description, Markdown.
    pub body: String,
    /// State.
    pub state: PullState,
    /// Not ready for review.
    pub draft: bool,
    /// Who opened it.
    pub author: String,
    /// Standing of the author in the repository, GitHub's word: `MEMBER`.
    pub author_association: Option<String>,
    /// Page.
    pub url: String,
    /// Branch it goes to.
    pub base_branch: Option<String>,
    /// Commit of that branch, as told last.
    pub base_sha: Option<String>,
    /// Branch it comes from.
    pub head_branch: Option<String>,
    /// Newest commit; empty where never told.
    pub head_sha: String,
    /// When it was opened.
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// When it was closed or merged.
    pub closed_at: Option<Timestamp>,
    /// When it was merged.
    pub merged_at: Option<Timestamp>,
    /// The commit of the merge.
    pub merge_commit_sha: Option<String>,
    /// Who merged it.
    pub merged_by: Option<String>,
    /// Labels now.
    pub labels: Vec<String>,
    /// Commits now in it, oldest first.
    pub commits: Vec<PullCommit>,
    /// Commits that were in it once and were dropped by a forced push.
    pub dropped: Vec<PullCommit>,
    /// Changed files.
    pub files: Vec<PullFile>,
    /// Comments, oldest first.
    pub comments: Vec<Comment>,
    /// Reviews, oldest first.
    pub reviews: Vec<Review>,
    /// Labels, forced pushes, merge and the like, oldest first.
    pub events: Vec<PullEvent>,
    /// Permissions of people, where told.
    pub permissions: Vec<Permission>,
    /// Which parts were read.
    pub known: Known,
    /// How much there is of each, as told.
    #[serde(default)]
    pub counts: PullCounts,
    /// How old each part is.
    #[serde(default)]
    pub as_of: AsOf,
    /// Where this is no payload of GitHub's but a retelling: what it is, in words for the page.
    pub retold: Option<String>,
}

/// A commit of a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PullCommit {
    /// Sha; may be short where only that is told.
    pub sha: String,
    /// Message.
    pub message: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was committed.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub at: Option<Timestamp>,
    /// Parents; two or more make it a merge.
    pub parents: Vec<String>,
}

impl PullCommit {
    /// Whether it merges another branch, by its parents or, where those are not told, by its message.
    #[must_use]
    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1 || (self.parents.is_empty() && self.message.starts_with("Merge "))
    }
}

/// Whether two shas, either of which may be short, name one commit: one begins with the other, and neither is shorter than 7.
#[must_use]
pub fn same_commit(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim().to_ascii_lowercase(), b.trim().to_ascii_lowercase());
    a.len().min(b.len()) >= 7 && (a.starts_with(&b) || b.starts_with(&a))
}

/// A changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PullFile {
    /// Path.
    pub path: String,
    /// Former path, where renamed.
    pub previous_path: Option<String>,
    /// `added`, `modified`, `removed`, `renamed`.
    pub status: String,
    /// Lines added.
    pub additions: u64,
    /// Lines removed.
    pub deletions: u64,
    /// The change as a unified diff; `None` where GitHub leaves it out (large or binary files).
    pub patch: Option<String>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comment {
    /// GitHub's number.
    pub id: i64,
    /// Who wrote it.
    pub author: String,
    /// Whether the author is a bot.
    pub bot: bool,
    /// Standing of the author in the repository: `OWNER`, `MEMBER`, `COLLABORATOR`, `CONTRIBUTOR`, `NONE`; `None` where not told.
    pub association: Option<String>,
    /// When it was written.
    pub at: Timestamp,
    /// When it was last edited; equal to `at` where it never was.
    pub updated_at: Timestamp,
    /// Text, Markdown.
    pub body: String,
    /// Page.
    pub url: Option<String>,
    /// Earlier texts that were seen, oldest first: (when that text was last edited, text).
    pub earlier: Vec<(Timestamp, String)>,
    /// No longer there: a newer whole list lacks it. Its text is kept, but no command in it counts any more.
    #[serde(default)]
    pub deleted: bool,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// GitHub's number.
    pub id: i64,
    /// Who wrote it.
    pub author: String,
    /// Standing of the author.
    pub association: Option<String>,
    /// `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`, `DISMISSED`.
    pub state: String,
    /// When; `None` for one not handed in.
    pub at: Option<Timestamp>,
    /// Text.
    pub body: String,
    /// Commit it looked at.
    pub commit: Option<String>,
    /// Page.
    pub url: Option<String>,
}

/// Something that happened to a pull request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PullEvent {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Option<String>,
    /// What.
    pub what: PullHappening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PullHappening {
    /// A label was put on.
    Labeled {
        /// Label.
        label: String,
    },
    /// A label was taken off.
    Unlabeled {
        /// Label.
        label: String,
    },
    /// The branch was pushed by force.
    ForcePushed {
        /// Newest commit before.
        before: Option<String>,
        /// Newest commit after.
        after: Option<String>,
    },
    /// Merged.
    Merged {
        /// The commit of the merge.
        commit: Option<String>,
    },
    /// Closed.
    Closed,
    /// Opened again.
    Reopened,
    /// A review was dismissed.
    ReviewDismissed {
        /// Why, as told.
        message: Option<String>,
    },
    /// Anything else, GitHub's word.
    Other {
        /// Event name.
        event: String,
    },
}

/// What someone may do in the repository, for `/stage-results`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permission {
    /// Who.
    pub user: String,
    /// GitHub's `permission`: `admin`, `write`, `read`, `none`.
    pub permission: String,
    /// GitHub's `role_name`: `admin`, `maintain`, `write`, `triage`, `read`.
    pub role_name: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_shas_name_the_same_commit() {
        for (a, b, same) in [
            ("41d29b2834a85fcee09db6f9f52653b7c2f30ef3", "41d29b28", true),
            ("9bd047ac7", "9bd047ac", true),
            ("41d29b", "41d29b2834", false),
            ("41d29b28", "41d29b29", false),
            ("", "41d29b28", false),
        ] {
            assert_eq!(same_commit(a, b), same, "{a} {b}");
        }
    }
}
