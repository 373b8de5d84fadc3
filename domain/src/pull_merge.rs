//! What is known of a pull request meets what is told now: nothing that was seen is lost, nothing older rolls back.
//!
//! A payload of the pull request itself carries its `updated_at`, and the lists read with it are as of that time ([`AsOf`]). A list
//! that comes without one is taken to be as new as its reading. Whether a list is the whole of it is judged against GitHub's own
//! counts where those are known ([`PullCounts`]): a list that has fallen behind them is known no more.

mod lists;

use jiff::Timestamp;

use crate::pull::{AsOf, Comment, Known, Pull, PullCounts, PullHappening, same_commit};

impl Pull {
    /// What is known after `newer` was told: of the same pull request, read later, whole or in parts. Of another one nothing is taken.
    ///
    /// * Of the pull request itself the later `updated_at` counts; what only the earlier one tells fills gaps.
    /// * A whole list takes the place of what was known, unless that is newer; part of a list adds to it.
    /// * Commits that a newer whole list lacks move to [`Pull::dropped`], comments that it lacks are [`Comment::deleted`].
    /// * An edited comment keeps its earlier texts; a dismissed review stays dismissed.
    /// * GitHub's payload of the pull request takes the place of a retelling whole, and a retelling adds nothing to one. Lists alone
    ///   don't tell which they are: they are merged with a retelling, and it stays one.
    #[must_use]
    pub fn absorb(self, newer: Self) -> Self {
        if self.is_untold() {
            return newer.settled();
        }
        let other = newer.number != self.number
            || (!newer.repo.is_empty() && !self.repo.is_empty() && !newer.repo.eq_ignore_ascii_case(&self.repo));
        if newer.is_untold() || other {
            return self.settled();
        }
        match (&self.retold, &newer.retold) {
            (Some(_), None) if newer.known.pull => newer.settled(),
            (None, Some(_)) if self.known.pull => self.settled(),
            _ => merged(self, newer).settled(),
        }
    }

    /// The same with its parts in order and [`Known`] as its lists bear out: what a reader of payloads ends with.
    ///
    /// A list is known where it holds as many as GitHub counts; without a count, where its reader saw its end. Commits must hold the
    /// newest commit, and files must have been listed at it.
    #[must_use]
    pub fn settled(mut self) -> Self {
        let whole = Whole { head: &self.head_sha, counts: self.counts };
        let (commits, files) = (whole.commits(&self), whole.files(&self));
        let live = self.comments.iter().filter(|c| !c.deleted).count();
        // Comments only grow: more than were counted means that the count is the older one.
        let comments = self.counts.comments.map_or(self.known.comments, |n| as_count(live) >= n);
        self.known = Known { commits, files, comments, ..self.known };
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.comments.iter_mut().for_each(lists::put_in_order);
        self.comments.sort_by_key(|c| (c.at, c.id));
        self.reviews.sort_by_key(|r| (r.at.is_none(), r.at, r.id));
        lists::put_events_in_order(&mut self.events);
        self.permissions.sort_by(|a, b| a.user.cmp(&b.user));
        if commits {
            self.drop_pushed_over();
        }
        self.dropped.retain(|d| !self.commits.iter().any(|c| same_commit(&c.sha, &d.sha)));
        self.dropped.sort_by(|a, b| (a.at.is_none(), a.at, &a.sha).cmp(&(b.at.is_none(), b.at, &b.sha)));
        self
    }

    /// Commits that a forced push names and that are not in it now were dropped, whichever end of the push they were.
    fn drop_pushed_over(&mut self) {
        for event in &self.events {
            let PullHappening::ForcePushed { before, after } = &event.what else { continue };
            for sha in before.iter().chain(after) {
                if !self.commits.iter().chain(&self.dropped).any(|c| same_commit(&c.sha, sha)) {
                    self.dropped.push(lists::bare_commit(sha));
                }
            }
        }
    }

    /// Nothing is known of it at all.
    fn is_untold(&self) -> bool {
        *self == Self::default()
    }
}

/// What a list must hold to be the whole of it.
struct Whole<'a> {
    /// Newest commit; empty where never told.
    head: &'a str,
    counts: PullCounts,
}

impl Whole<'_> {
    /// Whether the commits of `pull` are all there are.
    fn commits(&self, pull: &Pull) -> bool {
        let holds_head = pull.commits.is_empty() || pull.commits.iter().any(|c| self.is_head(&c.sha));
        holds_head && self.counts.commits.map_or(pull.known.commits, |n| as_count(pull.commits.len()) == n)
    }

    /// Whether the files of `pull` are all there are.
    fn files(&self, pull: &Pull) -> bool {
        let at_head = pull.as_of.files_head.as_deref().is_none_or(|sha| self.is_head(sha));
        at_head && self.counts.files.map_or(pull.known.files, |n| as_count(pull.files.len()) == n)
    }

    fn is_head(&self, sha: &str) -> bool {
        self.head.is_empty() || same_commit(sha, self.head)
    }
}

fn as_count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Both of one pull request, neither or both retold.
fn merged(ours: Pull, theirs: Pull) -> Pull {
    let older = |theirs: Option<Timestamp>, ours: Option<Timestamp>| theirs.zip(ours).is_some_and(|(t, o)| t < o);
    let as_of = later(&ours, &theirs);
    // The one whose payload counts, and the one that fills its gaps.
    let theirs_first = match (ours.known.pull, theirs.known.pull) {
        (true, false) => false,
        (false, true) => true,
        _ => !older(theirs.updated_at, ours.updated_at),
    };
    let counts = {
        let (first, second) = if theirs_first { (theirs.counts, ours.counts) } else { (ours.counts, theirs.counts) };
        PullCounts {
            commits: first.commits.or(second.commits),
            files: first.files.or(second.files),
            comments: first.comments.or(second.comments),
        }
    };
    let text = |first: String, second: String| if first.is_empty() { second } else { first };
    let head_sha = {
        let (first, second) = if theirs_first { (&theirs, &ours) } else { (&ours, &theirs) };
        text(first.head_sha.clone(), second.head_sha.clone())
    };
    let whole = Whole { head: &head_sha, counts };
    let commits = lists::commits(&ours, &theirs, older(theirs.as_of.commits, ours.as_of.commits), &whole);
    let files = lists::files(&ours, &theirs, older(theirs.as_of.files, ours.as_of.files), &whole);
    let comments = lists::comments(&ours, &theirs, older(theirs.as_of.comments, ours.as_of.comments));
    let reviews = lists::reviews(&ours, &theirs, older(theirs.as_of.reviews, ours.as_of.reviews));
    let permissions = lists::permissions(&ours, &theirs, older(theirs.as_of.permissions, ours.as_of.permissions));
    let known = Known {
        pull: ours.known.pull || theirs.known.pull,
        commits: commits.whole,
        files: files.whole,
        comments: ours.known.comments || theirs.known.comments,
        reviews: ours.known.reviews || theirs.known.reviews,
        events: ours.known.events || theirs.known.events,
    };
    let files_head = files.head;
    let (first, second) = if theirs_first { (theirs, ours) } else { (ours, theirs) };
    // What is absent from a whole payload is so; from a part it is only not told.
    let told = first.known.pull;
    Pull {
        repo: text(first.repo, second.repo),
        number: first.number,
        title: text(first.title, second.title),
        body: if told { first.body } else { text(first.body, second.body) },
        state: first.state,
        draft: first.draft,
        author: text(first.author, second.author),
        author_association: first.author_association.or(second.author_association),
        url: text(first.url, second.url),
        base_branch: first.base_branch.or(second.base_branch),
        base_sha: first.base_sha.or(second.base_sha),
        head_branch: first.head_branch.or(second.head_branch),
        head_sha,
        created_at: first.created_at.or(second.created_at),
        updated_at: first.updated_at.max(second.updated_at),
        closed_at: if told { first.closed_at } else { first.closed_at.or(second.closed_at) },
        merged_at: first.merged_at.or(second.merged_at),
        merge_commit_sha: first.merge_commit_sha.or(second.merge_commit_sha),
        merged_by: first.merged_by.or(second.merged_by),
        labels: if told || !first.labels.is_empty() { first.labels } else { second.labels },
        commits: commits.now,
        dropped: commits.dropped,
        files: files.now,
        comments,
        reviews,
        events: lists::events(first.events, second.events),
        permissions,
        known,
        counts,
        as_of: AsOf { files_head, ..as_of },
        retold: first.retold.or(second.retold),
    }
}

/// How old each part is once both are merged: an untimed list that was taken as newer is at least as new as what it met.
fn later(ours: &Pull, theirs: &Pull) -> AsOf {
    AsOf {
        commits: ours.as_of.commits.max(theirs.as_of.commits),
        files: ours.as_of.files.max(theirs.as_of.files),
        files_head: None,
        comments: ours.as_of.comments.max(theirs.as_of.comments),
        reviews: ours.as_of.reviews.max(theirs.as_of.reviews),
        permissions: ours.as_of.permissions.max(theirs.as_of.permissions),
    }
}

/// Whether a list of comments is the whole of it by a count of its own: only then does a comment that it lacks no longer exist.
fn lists_every_comment(pull: &Pull) -> bool {
    let live = |c: &&Comment| !c.deleted;
    pull.known.comments && pull.counts.comments == Some(as_count(pull.comments.iter().filter(live).count()))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
