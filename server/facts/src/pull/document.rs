//! From a file's bytes to pieces: parts of pull requests, each with what it says of where it belongs.

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::fact::RunFact;
use paretoscope_domain::pull::{Comment, Permission, Pull, PullCommit, PullEvent, PullFile, Review};
use paretoscope_domain::repo::Refused;
use serde_json::Value;

use super::fields::Fields;
use super::list::{List, end_seen};
use super::owner::Hint;
use super::payload::{self, Parsed, TimelineItem};
use super::shape::{SINGLES, Shape, Useless, lists, of_name, shape};
use super::source::refusal;
use super::stated;

/// GitHub shows at most so many commits of a pull request, and so many files.
const COMMITS_SHOWN: usize = 250;
const FILES_SHOWN: usize = 3000;
/// So many entries of a list are refused one by one; the rest are counted.
const REFUSED_ALONE: usize = 20;
/// Objects within objects: deeper ones are none of GitHub's.
const DEEPEST: usize = 3;
/// Says that a document is a retelling.
const RETOLD: &str = "paretoscope_retold";

/// Everything read so far.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) documents: Vec<Document>,
    pub(super) pieces: Vec<Piece>,
    pub(super) stated: Vec<(String, RunFact)>,
    pub(super) refused: Vec<Refused>,
}

/// A JSON document of a file: what stands in one belongs together.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) file: String,
    pub(super) retold: Option<String>,
}

/// A part of a pull request.
#[derive(Debug)]
pub(super) struct Piece {
    /// Number of its document.
    pub(super) document: usize,
    pub(super) hint: Hint,
    pub(super) part: Part,
}

#[derive(Debug)]
pub(super) enum Part {
    Pull(Box<Pull>),
    Commits(List<PullCommit>),
    Files(List<PullFile>),
    Comments(List<Comment>),
    Reviews(List<Review>),
    Events(List<PullEvent>),
    Labels(Vec<String>),
    Permission(Permission),
}

impl Reading {
    /// Reads a file's documents.
    pub(super) fn file(&mut self, file: &str, bytes: &[u8]) {
        let text = match decode(bytes) {
            Ok(text) => text,
            Err(detail) => return self.refuse(file, "file", "bad_json", detail),
        };
        // Arrays one after another are pages of one list.
        let mut pages: Vec<Vec<Value>> = Vec::new();
        let mut found = false;
        for document in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            found = true;
            match document {
                Ok(Value::Array(items)) => pages.extend(into_pages(items)),
                Ok(value) => {
                    self.pages(file, std::mem::take(&mut pages));
                    self.object(file, &value);
                }
                Err(error) => self
                    .refused
                    .push(Refused { line: u64::try_from(error.line()).ok(), ..refusal(file, "file", "bad_json", error.to_string()) }),
            }
        }
        self.pages(file, pages);
        if !found {
            self.refuse(file, "file", "bad_json", "the file is empty");
        }
    }

    fn pages(&mut self, file: &str, pages: Vec<Vec<Value>>) {
        if pages.is_empty() {
            return;
        }
        let document = self.document(file, None);
        Cursor { reading: self, document, file, depth: 0 }.list(&pages, of_name(file), "");
    }

    fn object(&mut self, file: &str, value: &Value) {
        let retold = Fields::of(value).and_then(|f| f.text(&[RETOLD]));
        let document = self.document(file, retold);
        Cursor { reading: self, document, file, depth: 0 }.object(value, "");
    }

    /// How much was read and refused.
    fn size(&self) -> (usize, usize, usize) {
        (self.pieces.len(), self.stated.len(), self.refused.len())
    }

    fn document(&mut self, file: &str, retold: Option<String>) -> usize {
        self.documents.push(Document { file: file.to_owned(), retold });
        self.documents.len() - 1
    }

    pub(super) fn refuse(&mut self, file: &str, what: &str, reason: &str, detail: impl Into<String>) {
        self.refused.push(refusal(file, what, reason, detail));
    }
}

/// Bytes as text: UTF-8, or the UTF-16 that a Windows shell writes when output is sent to a file.
fn decode(bytes: &[u8]) -> Result<String, String> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks(2).filter_map(|pair| pair.try_into().ok().map(unit)).collect();
        String::from_utf16(&units).map_err(|_| "not UTF-16, though it begins like it".to_owned())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Result<String, String> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|e| format!("not UTF-8: {e}"))
}

/// An array of arrays is a list of pages, any other array a page.
fn into_pages(items: Vec<Value>) -> Vec<Vec<Value>> {
    if items.is_empty() || !items.iter().all(Value::is_array) {
        return vec![items];
    }
    items.into_iter().map(|page| if let Value::Array(items) = page { items } else { vec![page] }).collect()
}

/// A place in a document.
struct Cursor<'a> {
    reading: &'a mut Reading,
    document: usize,
    file: &'a str,
    depth: usize,
}

/// What a list holds, sorted by kind.
#[derive(Default)]
struct Sorted {
    commits: Vec<PullCommit>,
    files: Vec<PullFile>,
    comments: Vec<Comment>,
    reviews: Vec<Review>,
    events: Vec<PullEvent>,
    labels: Vec<String>,
    hint: Hint,
    /// Pull requests that its items name.
    numbers: BTreeSet<i64>,
    /// Shapes of its items.
    shapes: Vec<Shape>,
    /// Items that could not be used: number, reason, why.
    bad: Vec<(usize, &'static str, String)>,
}

impl Cursor<'_> {
    fn push(&mut self, hint: Hint, part: Part) {
        self.reading.pieces.push(Piece { document: self.document, hint, part });
    }

    fn refuse(&mut self, what: &str, reason: &str, detail: impl Into<String>) {
        let what = if what.is_empty() { "file" } else { what };
        self.reading.refuse(self.file, what, reason, detail);
    }

    /// An object: a payload, or several under their names.
    fn object(&mut self, value: &Value, what: &str) {
        let Some(f) = Fields::of(value) else {
            return self.refuse(what, Useless::Unknown.reason(), format!("{}: an object or a list was expected", kind_of(value)));
        };
        match shape(f) {
            Shape::StatedFacts => stated::facts(f, self.file, &mut self.reading.stated, &mut self.reading.refused),
            Shape::Pull => match payload::pull(f) {
                Ok((pull, hint)) => self.push(hint, Part::Pull(Box::new(pull))),
                Err(detail) => self.refuse(what, "missing_field", detail),
            },
            Shape::Permission => match payload::permission(f) {
                Ok((permission, hint)) => self.push(hint, Part::Permission(permission)),
                Err(detail) => self.refuse(what, "missing_field", detail),
            },
            Shape::Several => self.several(f, what),
            Shape::Useless(useless) => {
                let said = f.text(&["message"]).filter(|_| useless == Useless::GithubError).map(|m| format!(": {m}")).unwrap_or_default();
                self.refuse(what, useless.reason(), format!("{}{said}", useless.detail()));
            }
            // A single item is no list: its end is not seen.
            Shape::Commit | Shape::File | Shape::Comment | Shape::Review | Shape::Event | Shape::Label => {
                let mut sorted = Sorted::default();
                sorted.take(0, value);
                self.sorted(sorted, false, what);
            }
        }
    }

    /// The payloads an object holds under their names, and what `gh` says of the pull request itself.
    fn several(&mut self, f: Fields<'_>, what: &str) {
        if self.depth >= DEEPEST {
            return self.refuse(what, Useless::Unknown.reason(), Useless::Unknown.detail());
        }
        self.depth += 1;
        let before = self.reading.size();
        let of_gh = payload::pull_of_gh(f);
        for key in SINGLES {
            if let Some(value) = f.get(key).filter(|v| v.is_object()) {
                self.object(value, &within(what, key));
            }
        }
        for (key, named, items) in lists(f) {
            if key == "labels" && items.iter().all(Value::is_string) {
                self.push(Hint::default(), Part::Labels(items.iter().filter_map(Value::as_str).map(str::to_owned).collect()));
            } else {
                self.list(&into_pages(items.clone()), named, &within(what, key));
            }
        }
        if let Some(value) = f.get("permission").filter(|v| v.is_object()) {
            self.object(value, &within(what, "permission"));
        }
        match of_gh {
            Ok((pull, hint)) if hint.number.is_some() || !pull.head_sha.is_empty() || !pull.title.is_empty() => {
                self.push(hint, Part::Pull(Box::new(pull)))
            }
            Ok(_) | Err(_) if self.reading.size() == before => {
                self.refuse(what, Useless::Unknown.reason(), Useless::Unknown.detail());
            }
            Ok(_) | Err(_) => {}
        }
        self.depth -= 1;
    }

    /// A list; `named` is what its name says it lists, for one without items.
    fn list(&mut self, pages: &[Vec<Value>], named: Option<Shape>, what: &str) {
        let items: Vec<&Value> = pages.iter().flatten().collect();
        if items.is_empty() {
            return self.empty_list(named, what);
        }
        let mut sorted = Sorted::default();
        for (at, item) in items.iter().enumerate() {
            match Fields::of(item).map(shape) {
                Some(Shape::Pull | Shape::Permission | Shape::Several | Shape::StatedFacts) => {
                    self.object(item, &within(what, &format!("[{at}]")));
                }
                _ => sorted.take(at, item),
            }
        }
        if sorted.numbers.len() > 1 {
            return self.of_several(&items, &sorted.numbers, what);
        }
        sorted.shapes.dedup();
        let alone = sorted.shapes.len() == 1 && sorted.bad.is_empty();
        let cap = match sorted.shapes.as_slice() {
            [Shape::Commit] => Some(COMMITS_SHOWN),
            [Shape::File] => Some(FILES_SHOWN),
            _ => None,
        };
        let lengths: Vec<usize> = pages.iter().map(Vec::len).collect();
        self.sorted(sorted, alone && end_seen(&lengths, cap), what);
    }

    /// A list of a whole repository's comments or events: the entries of each pull request are a part of its own.
    fn of_several(&mut self, items: &[&Value], numbers: &BTreeSet<i64>, what: &str) {
        let mut by_number: BTreeMap<Option<i64>, Sorted> = BTreeMap::new();
        for (at, item) in items.iter().enumerate() {
            let mut alone = Sorted::default();
            alone.take(at, item);
            by_number.entry(alone.hint.number.filter(|n| numbers.contains(n))).or_default().take(at, item);
        }
        by_number.into_values().for_each(|sorted| self.sorted(sorted, false, what));
    }

    fn empty_list(&mut self, named: Option<Shape>, what: &str) {
        let part = match named {
            Some(Shape::Commit) => Part::Commits(List { items: Vec::new(), end_seen: true }),
            Some(Shape::File) => Part::Files(List { items: Vec::new(), end_seen: true }),
            Some(Shape::Comment) => Part::Comments(List { items: Vec::new(), end_seen: true }),
            Some(Shape::Review) => Part::Reviews(List { items: Vec::new(), end_seen: true }),
            Some(Shape::Event) => Part::Events(List { items: Vec::new(), end_seen: true }),
            Some(Shape::Label | Shape::Permission | Shape::Useless(_)) => return,
            _ => {
                return self.refuse(
                    what,
                    "empty_list",
                    "an empty list, and its name does not tell of what: name it commits, files, comments, reviews or events",
                );
            }
        };
        self.push(Hint::default(), part);
    }

    fn sorted(&mut self, sorted: Sorted, end_seen: bool, what: &str) {
        let Sorted { commits, files, comments, reviews, events, labels, hint, numbers: _, shapes, bad } = sorted;
        // A timeline's own end is that of its events; of the comments in it, the list of comments tells.
        let of_timeline = shapes.contains(&Shape::Event);
        let lists = !of_timeline && end_seen;
        if !commits.is_empty() {
            self.push(hint.clone(), Part::Commits(List { items: commits, end_seen: lists }));
        }
        if !files.is_empty() {
            self.push(hint.clone(), Part::Files(List { items: files, end_seen: lists }));
        }
        if !comments.is_empty() {
            self.push(hint.clone(), Part::Comments(List { items: comments, end_seen: lists }));
        }
        if !reviews.is_empty() {
            self.push(hint.clone(), Part::Reviews(List { items: reviews, end_seen: lists }));
        }
        if !labels.is_empty() {
            self.push(hint.clone(), Part::Labels(labels));
        }
        if of_timeline {
            self.push(hint, Part::Events(List { items: events, end_seen }));
        }
        let more = bad.len().saturating_sub(REFUSED_ALONE);
        for (at, reason, detail) in bad.into_iter().take(REFUSED_ALONE) {
            let place = if shapes.is_empty() && at == 0 { what.to_owned() } else { within(what, &format!("[{at}]")) };
            self.refuse(&place, reason, detail);
        }
        if more > 0 {
            self.refuse(what, "and_more", format!("{more} more entries of this list could not be used"));
        }
    }
}

impl Sorted {
    /// Takes an item of a list.
    fn take(&mut self, at: usize, item: &Value) {
        let Some(f) = Fields::of(item) else {
            return self.bad.push((at, Useless::Unknown.reason(), format!("{}: an object was expected", kind_of(item))));
        };
        let shape = shape(f);
        let taken = match shape {
            Shape::Commit => self.add(payload::commit(f), |s, c| s.commits.push(c)),
            Shape::File => self.add(payload::file(f), |s, c| s.files.push(c)),
            Shape::Comment => self.add(payload::comment(f), |s, c| s.comments.push(c)),
            Shape::Review => self.add(payload::review(f), |s, c| s.reviews.push(c)),
            Shape::Event => self.add(payload::timeline_item(f), |s, item| match item {
                TimelineItem::Event(e) => s.events.push(e),
                TimelineItem::Comment(c) => s.comments.push(c),
                TimelineItem::Review(r) => s.reviews.push(r),
                TimelineItem::Commit(c) => s.commits.push(c),
                TimelineItem::NotKept => {}
            }),
            Shape::Label => {
                self.labels.extend(f.text(&["name"]));
                let of_label = Hint::of([f.str(&["url"])]);
                self.hint = std::mem::take(&mut self.hint).or(of_label);
                Ok(())
            }
            Shape::Useless(useless) => return self.bad.push((at, useless.reason(), useless.detail().to_owned())),
            Shape::Pull | Shape::Permission | Shape::Several | Shape::StatedFacts => return,
        };
        if let Err(detail) = taken {
            self.bad.push((at, "missing_field", detail));
        }
        self.shapes.push(shape);
    }

    fn add<T>(&mut self, parsed: Parsed<T>, put: impl FnOnce(&mut Self, T)) -> Result<(), String> {
        let (value, hint) = parsed?;
        self.numbers.extend(hint.number);
        self.hint = std::mem::take(&mut self.hint).or(hint);
        put(self, value);
        Ok(())
    }
}

fn within(what: &str, key: &str) -> String {
    if what.is_empty() || key.starts_with('[') { format!("{what}{key}") } else { format!("{what}.{key}") }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
