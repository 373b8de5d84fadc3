//! From pieces to pull requests: where each piece belongs, and what they make together.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::{AsOf, Comment, Known, Permission, Pull, PullCommit, PullEvent, PullFile, Review, same_commit};

use super::document::{Document, Part, Piece, Reading};
use super::list::List;
use super::owner::{Hint, folder, number_in_name};
use super::{FileRead, Options, PullBatch};

/// A pull request: its repository in lower case, as GitHub knows it, and its number.
type Key = (String, i64);

/// Puts everything read together.
pub(super) fn gather(reading: Reading, options: &Options) -> PullBatch {
    let Reading { documents, pieces, stated, refused } = reading;
    let mut batch = PullBatch { refused, ..PullBatch::default() };
    let mut held = Held::default();
    let around = around(&pieces);
    let told = Told::of(&pieces, &documents, &around, options);
    // By pull request, then by folder: two folders may hold two states of one.
    let mut gathered: BTreeMap<Key, (String, BTreeMap<String, Group>)> = BTreeMap::new();
    let mut retold: BTreeMap<Key, String> = BTreeMap::new();
    for Piece { document, hint, part } in pieces {
        let Some(about) = documents.get(document) else { continue };
        let in_document = around.get(&document).cloned().unwrap_or_default();
        let owners = match told.owners(&hint.clone().or(in_document), about, &part) {
            Ok(owners) => owners,
            Err((reason, detail)) => {
                batch.refused.push(super::source::refusal(&about.file, part.what(), reason, detail));
                continue;
            }
        };
        for (repo, number) in owners {
            held.note(&about.file, part.in_words(number));
            let key = (repo.to_ascii_lowercase(), number);
            if let Some(words) = &about.retold {
                retold.insert(key.clone(), words.clone());
            }
            let (_, groups) = gathered.entry(key).or_insert_with(|| (repo, BTreeMap::new()));
            groups.entry(folder(&about.file).to_owned()).or_default().take(&part, &hint);
        }
    }
    for (file, fact) in stated {
        held.count_fact(&file, fact.run_id);
        batch.stated.push(fact);
    }
    batch.pulls = gathered
        .into_iter()
        .map(|(key, (repo, groups))| {
            let retold = retold.get(&key).cloned();
            let mut groups: Vec<Group> = groups.into_values().collect();
            // Timed states in their order; what has no time is as new as its reading.
            groups.sort_by_key(|g| (g.at().is_none(), g.at()));
            let partial = groups.into_iter().map(|g| g.into_pull(&repo, key.1, retold.as_deref()));
            partial.fold(Pull::default(), Pull::absorb)
        })
        .collect();
    batch.read = held.into_files();
    batch
}

/// What the pieces of each document say together.
fn around(pieces: &[Piece]) -> BTreeMap<usize, Hint> {
    let mut around: BTreeMap<usize, Hint> = BTreeMap::new();
    for piece in pieces {
        let known = around.remove(&piece.document).unwrap_or_default();
        around.insert(piece.document, known.or(piece.hint.clone()));
    }
    around
}

/// The pull requests that payloads at hand name, for those that don't say where they belong.
struct Told<'a> {
    pulls: Vec<Here>,
    options: &'a Options,
    /// The only repository that any address names.
    repo: Option<String>,
}

#[derive(Debug)]
struct Here {
    repo: Option<String>,
    number: i64,
    folder: String,
    head_sha: String,
}

impl<'a> Told<'a> {
    fn of(pieces: &[Piece], documents: &[Document], around: &BTreeMap<usize, Hint>, options: &'a Options) -> Self {
        let here = |piece: &Piece| {
            let hint = piece.hint.clone().or(around.get(&piece.document).cloned().unwrap_or_default());
            let file = &documents.get(piece.document)?.file;
            let (head_sha, named) = match &piece.part {
                Part::Pull(pull) => (pull.head_sha.clone(), number_in_name(file)),
                _ => (String::new(), None),
            };
            Some(Here { repo: hint.repo, number: hint.number.or(named)?, folder: folder(file).to_owned(), head_sha })
        };
        let pulls = pieces.iter().filter_map(here).collect();
        let repos: BTreeSet<String> = pieces.iter().filter_map(|p| p.hint.repo.as_deref()).map(str::to_ascii_lowercase).collect();
        let named = |only: &String| pieces.iter().find_map(|p| p.hint.repo.clone().filter(|r| r.eq_ignore_ascii_case(only)));
        let repo = if repos.len() == 1 { repos.first().and_then(named) } else { None };
        Self { pulls, options, repo }
    }

    /// The pull requests that a piece belongs to: one, save for a permission, which is the same for all of its repository.
    fn owners(&self, hint: &Hint, about: &Document, part: &Part) -> Result<Vec<(String, i64)>, (&'static str, String)> {
        let fits = |here: &&Here| hint.repo.as_ref().zip(here.repo.as_ref()).is_none_or(|(a, b)| a.eq_ignore_ascii_case(b));
        let here: Vec<&Here> = self.pulls.iter().filter(fits).collect();
        let number = hint
            .number
            .or_else(|| only(here.iter().filter(|h| hint.shas.iter().any(|s| same_commit(s, &h.head_sha)))))
            .or_else(|| only(here.iter().filter(|h| part.holds(&h.head_sha))))
            .or_else(|| only(here.iter().filter(|h| h.folder == folder(&about.file))))
            .or_else(|| number_in_name(&about.file))
            .or_else(|| only(here.iter()));
        let Some(number) = number else {
            let one_repo = here.iter().filter_map(|h| h.repo.as_ref()).map(|r| r.to_ascii_lowercase()).collect::<BTreeSet<_>>().len() == 1;
            if matches!(part, Part::Permission(_)) && one_repo {
                return Ok(here.iter().filter_map(|h| Some((h.repo.clone()?, h.number))).collect());
            }
            let detail = "nothing says which pull request it belongs to: give the pull request's own payload with it, or name the file or \
                          its folder by the number";
            return Err(("no_pull", detail.to_owned()));
        };
        let of_pull = here.iter().find(|h| h.number == number).and_then(|h| h.repo.clone());
        match hint.repo.clone().or(of_pull).or_else(|| self.repo.clone()).or_else(|| self.options.repo.clone()) {
            Some(repo) => Ok(vec![(repo, number)]),
            None => Err(("no_repo", format!("nothing says of which repository pull request {number} is"))),
        }
    }
}

/// The number that all of them have; `None` where there is none, or several.
fn only<'a>(pulls: impl Iterator<Item = &'a &'a Here>) -> Option<i64> {
    let numbers: BTreeSet<i64> = pulls.map(|h| h.number).collect();
    if numbers.len() == 1 { numbers.first().copied() } else { None }
}

impl Part {
    /// Whether it lists this commit.
    fn holds(&self, sha: &str) -> bool {
        matches!(self, Self::Commits(list) if list.items.iter().any(|c| same_commit(&c.sha, sha)))
    }

    fn in_words(&self, number: i64) -> String {
        match self {
            Self::Pull(_) => format!("pull request {number}"),
            part => format!("{} of pull request {number}", part.what()),
        }
    }

    fn what(&self) -> String {
        let many = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        match self {
            Self::Pull(_) => "the pull request itself".to_owned(),
            Self::Commits(list) => many(list.items.len(), "commit"),
            Self::Files(list) => many(list.items.len(), "file"),
            Self::Comments(list) => many(list.items.len(), "comment"),
            Self::Reviews(list) => many(list.items.len(), "review"),
            Self::Events(list) => many(list.items.len(), "event"),
            Self::Labels(labels) => many(labels.len(), "label"),
            Self::Permission(permission) => format!("the permission of {}", permission.user),
        }
    }
}

/// What one folder holds of one pull request.
#[derive(Debug, Default)]
struct Group {
    pulls: Vec<Pull>,
    commits: Option<List<PullCommit>>,
    files: Option<List<PullFile>>,
    files_head: Option<String>,
    comments: Option<List<Comment>>,
    reviews: Option<List<Review>>,
    events: Option<List<PullEvent>>,
    labels: Vec<String>,
    permissions: Vec<Permission>,
}

impl Group {
    fn take(&mut self, part: &Part, hint: &Hint) {
        match part {
            Part::Pull(pull) => self.pulls.push((**pull).clone()),
            Part::Commits(list) => {
                join(&mut self.commits, list, |a, b| a.sha == b.sha, |a, b| a.parents.is_empty() && !b.parents.is_empty())
            }
            Part::Files(list) => {
                self.files_head = self.files_head.take().or_else(|| hint.shas.first().cloned());
                join(&mut self.files, list, |a, b| a.path == b.path, |a, b| a.patch.is_none() && b.patch.is_some());
            }
            Part::Comments(list) => join(&mut self.comments, list, |a, b| a.id == b.id, |a, b| b.updated_at > a.updated_at),
            Part::Reviews(list) => join(&mut self.reviews, list, |a, b| a.id == b.id, |_, b| b.state == "DISMISSED"),
            Part::Events(list) => join(&mut self.events, list, |a, b| a == b, |_, _| false),
            Part::Labels(labels) => self.labels.extend(labels.iter().cloned()),
            Part::Permission(permission) => self.permissions.push(permission.clone()),
        }
    }

    /// When it was read, by the pull request's own word.
    fn at(&self) -> Option<Timestamp> {
        self.pulls.iter().filter_map(|p| p.updated_at).max()
    }

    fn into_pull(self, repo: &str, number: i64, retold: Option<&str>) -> Pull {
        let at = self.at();
        let Self { mut pulls, commits, files, files_head, comments, reviews, events, labels, permissions } = self;
        let end = |seen: Option<bool>| seen.unwrap_or(false);
        let known = Known {
            pull: false,
            commits: end(commits.as_ref().map(|l| l.end_seen)),
            files: end(files.as_ref().map(|l| l.end_seen)),
            comments: end(comments.as_ref().map(|l| l.end_seen)),
            reviews: end(reviews.as_ref().map(|l| l.end_seen)),
            events: end(events.as_ref().map(|l| l.end_seen)),
        };
        pulls.sort_by_key(|p| p.updated_at);
        let head = pulls.last().map(|p| p.head_sha.clone()).filter(|sha| !sha.is_empty());
        let timed = |there: bool| if there { at } else { None };
        let as_of = AsOf {
            commits: timed(commits.is_some()),
            files: timed(files.is_some()),
            files_head: if files.is_some() { files_head.or(head) } else { None },
            comments: timed(comments.is_some()),
            reviews: timed(reviews.is_some()),
            permissions: timed(!permissions.is_empty()),
        };
        fn items<T>(list: Option<List<T>>) -> Vec<T> {
            list.map(|l| l.items).unwrap_or_default()
        }
        let whole = |pull: Pull| Pull { repo: repo.to_owned(), number, retold: retold.map(str::to_owned), ..pull };
        let lists = Pull {
            labels,
            commits: items(commits),
            files: items(files),
            comments: items(comments),
            reviews: items(reviews),
            events: items(events),
            permissions,
            known,
            as_of,
            ..Pull::default()
        };
        // The lists come first, so that nothing of a partial payload hides what stands in them.
        pulls.into_iter().map(whole).fold(whole(lists), Pull::absorb).settled()
    }
}

fn join<T: Clone>(into: &mut Option<List<T>>, list: &List<T>, same: impl Fn(&T, &T) -> bool, better: impl Fn(&T, &T) -> bool) {
    into.get_or_insert_default().join(list.clone(), same, better);
}

/// What each file held.
#[derive(Default)]
struct Held {
    /// In the order of reading.
    order: Vec<String>,
    words: BTreeMap<String, Vec<String>>,
    facts: BTreeMap<(String, i64), usize>,
}

impl Held {
    fn note(&mut self, file: &str, words: String) {
        let held = self.file(file);
        if !held.contains(&words) {
            held.push(words);
        }
    }

    fn count_fact(&mut self, file: &str, run: RunId) {
        self.file(file);
        *self.facts.entry((file.to_owned(), run.get())).or_default() += 1;
    }

    fn file(&mut self, file: &str) -> &mut Vec<String> {
        if !self.words.contains_key(file) {
            self.order.push(file.to_owned());
        }
        self.words.entry(file.to_owned()).or_default()
    }

    fn into_files(mut self) -> Vec<FileRead> {
        for ((file, run), n) in &self.facts {
            let words = format!("{n} stated fact{} about run {run}", if *n == 1 { "" } else { "s" });
            self.words.entry(file.clone()).or_default().push(words);
        }
        let mut words = self.words;
        self.order.into_iter().map(|file| FileRead { held: words.remove(&file).unwrap_or_default(), file }).collect()
    }
}
