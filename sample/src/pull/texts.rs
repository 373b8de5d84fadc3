//! The texts of the discussion, in our own words, and the changes of its files.

pub(super) const DESCRIPTION: &str = include_str!("texts/description.md");
pub(super) const CODE_REVIEW: &str = include_str!("texts/code-review.md");
pub(super) const UNOFFICIAL: &str = include_str!("texts/unofficial.md");
pub(super) const COOKBOOK_47214_ANNOUNCED: &str = include_str!("texts/cookbook-47214-announced.md");
pub(super) const COOKBOOK_47214_MERGED: &str = include_str!("texts/cookbook-47214-merged.md");
pub(super) const COOKBOOK_47464_ANNOUNCED: &str = include_str!("texts/cookbook-47464-announced.md");
pub(super) const COOKBOOK_47464_MERGED: &str = include_str!("texts/cookbook-47464-merged.md");
pub(super) const COOKBOOK_47929_ANNOUNCED: &str = include_str!("texts/cookbook-47929-announced.md");
pub(super) const COOKBOOK_47929_MERGED: &str = include_str!("texts/cookbook-47929-merged.md");
pub(super) const USE_OLDER: &str = include_str!("texts/use-40809149952.md");
pub(super) const USE_PINNED: &str = include_str!("texts/use-41261902147.md");
pub(super) const STAGED_OLDER: &str = include_str!("texts/staged-40809149952.md");
pub(super) const STAGED_PINNED: &str = include_str!("texts/staged-41261902147.md");
pub(super) const SIGN_OFF_DETAIL: &str = include_str!("texts/sign-off-detail.md");
pub(super) const VERDICT: &str = include_str!("texts/verdict.md");
pub(super) const NEW_SWEEP: &str = include_str!("texts/new-sweep.md");
pub(super) const APPROVAL: &str = include_str!("texts/approval.md");
pub(super) const DISMISSAL: &str = include_str!("texts/dismissal.md");
pub(super) const INGEST_REPORT: &str = include_str!("texts/ingest-report.md");
pub(super) const RECIPE_PATCH: &str = include_str!("texts/agentic.patch");
pub(super) const MASTER_PATCH: &str = include_str!("texts/nvidia-master.patch");
pub(super) const CHANGELOG_PATCH: &str = include_str!("texts/perf-changelog.patch");
