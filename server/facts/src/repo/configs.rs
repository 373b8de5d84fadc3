//! The master configurations: what is benchmarked, each expanded to the points it generates (formats-and-rules §2.2).

use std::collections::BTreeSet;

use paretoscope_domain::repo::{ConfigFact, Refused};
use paretoscope_domain::vocabulary::Vocabulary;

use super::matrix::{self, Head};
use super::notes::{Notes, reason};
use super::places::Source;
use super::yaml::{self, Comment, Content, Key, Map, Node};

/// Whether a file of the folder of configurations is a master configuration.
pub(crate) fn is_master(name: &str) -> bool {
    name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).is_some_and(|stem| stem == "master" || stem.ends_with("-master"))
}

/// Reads master configurations, in the files' order.
pub(crate) fn read(sources: &[Source], words: &Vocabulary, refused: &mut Vec<Refused>) -> Vec<ConfigFact> {
    let mut configs: Vec<ConfigFact> = Vec::new();
    for source in sources {
        let mut notes = Notes::on(&source.path, refused);
        for (key, value, comments) in entries(&source.text, &mut notes) {
            // The generator refuses a key that stands in two files.
            if let Some(other) = configs.iter().find(|c| c.key == key.text) {
                notes.refuse(key.line, &key.text, reason::SHARED_KEY, format!("stands in {} already, line {}", other.file, other.line));
                continue;
            }
            match config(&key, &value, &comments, source, words, &mut notes) {
                Ok(config) => configs.push(config),
                Err((line, reason, detail)) => notes.refuse(line, &key.text, reason, detail),
            }
        }
    }
    configs
}

/// The keys of retired configurations. Their contents are not read: nothing generates points of them.
pub(crate) fn retired(sources: &[Source], refused: &mut Vec<Refused>) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for source in sources {
        let mut notes = Notes::on(&source.path, refused);
        keys.extend(entries(&source.text, &mut notes).into_iter().map(|(key, ..)| key.text));
    }
    keys
}

/// The file's entries with the comments that belong to each; the file in pieces where it is no YAML as a whole.
fn entries(text: &str, notes: &mut Notes<'_>) -> Vec<(Key, Node, Vec<String>)> {
    let error = match yaml::parse(text) {
        Ok(document) if document.root.is_null() => return Vec::new(),
        Ok(document) => return of_map(document.root, &document.comments, notes),
        Err(error) => error,
    };
    notes.odd(error.line, "the file", reason::NOT_YAML, format!("{}; it is read entry by entry", error.detail));
    let begins = |line: &str| line.contains(':') && !line.starts_with([' ', '\t', '-', '#', '}', ']']);
    let (pieces, markers) = yaml::pieces(text, begins);
    for line in markers {
        notes.refuse(line, "a line", reason::CONFLICT_MARKER, "left by a failed merge; the entries of both sides are read");
    }
    let mut found = Vec::new();
    for piece in pieces {
        match yaml::parse(&piece.text) {
            Ok(document) => {
                let by = piece.line - 1;
                let comments: Vec<Comment> = document.comments.into_iter().map(|c| Comment { line: c.line + by, ..c }).collect();
                found.extend(of_map(document.root.moved(by), &comments, notes));
            }
            Err(error) => {
                let name = piece.text.lines().find(|l| begins(l)).and_then(|l| l.split(':').next()).unwrap_or("an entry").to_owned();
                notes.refuse(piece.line_of(error.line), name, reason::NOT_YAML, error.detail);
            }
        }
    }
    found
}

fn of_map(root: Node, comments: &[Comment], notes: &mut Notes<'_>) -> Vec<(Key, Node, Vec<String>)> {
    let Content::Map(map) = root.content else {
        notes.refuse(
            root.line,
            "the file",
            reason::WRONG_TYPE,
            format!("a mapping of configurations is expected, this is {}", root.kind()),
        );
        return Vec::new();
    };
    for key in &map.repeated {
        notes.refuse(key.line, &key.text, reason::REPEATED_KEY, "stands again further up or down in the file; the last one counts");
    }
    map.entries.into_iter().map(|(key, value)| (belonging(&key, &value, comments), key, value)).map(|(c, k, v)| (k, v, c)).collect()
}

/// The comments right above a key, and those beside or between the lines of its head.
fn belonging(key: &Key, value: &Node, comments: &[Comment]) -> Vec<String> {
    let mut above: Vec<&Comment> = Vec::new();
    for comment in comments.iter().rev().filter(|c| c.alone && c.line < key.line) {
        let next = above.last().map_or(key.line, |c| c.line);
        if comment.line + 1 != next {
            break;
        }
        above.push(comment);
    }
    let scenarios = value.map().and_then(|map| map.entries.iter().find(|(k, _)| k.text == "scenarios")).map_or(key.line, |(k, _)| k.line);
    let inside = comments.iter().filter(|c| c.line >= key.line && c.line < scenarios);
    above.into_iter().rev().chain(inside).map(|c| c.text.clone()).collect()
}

const KEYS: [&str; 12] = [
    "image",
    "model",
    "model-prefix",
    "runner",
    "precision",
    "framework",
    "multinode",
    "disagg",
    "router",
    "kv-p2p-transfer",
    "srt-recipe-dir",
    "scenarios",
];

type Unusable = (u64, &'static str, String);

fn config(
    key: &Key,
    value: &Node,
    comments: &[String],
    source: &Source,
    words: &Vocabulary,
    notes: &mut Notes<'_>,
) -> Result<ConfigFact, Unusable> {
    let map =
        value.map().ok_or_else(|| (key.line, reason::WRONG_TYPE, format!("a configuration is a mapping, this is {}", value.kind())))?;
    noted_keys(map, &KEYS, &key.text, notes);
    let need = |name: &str| match map.get(name) {
        None => Err((key.line, reason::MISSING, format!("no {name}"))),
        Some(node) => node.text().map(str::to_owned).ok_or_else(|| (node.line, reason::WRONG_TYPE, format!("{name} is a text"))),
    };
    let flag = |name: &str| match map.get(name) {
        None => Ok(None),
        Some(node) => node.flag().map(Some).ok_or_else(|| (node.line, reason::WRONG_TYPE, format!("{name} is true or false"))),
    };
    let framework = need("framework")?;
    let by_name = words.framework(&framework).is_some_and(|entry| entry.disagg);
    let multinode = flag("multinode")?;
    if multinode.is_none() {
        notes.odd(key.line, &key.text, reason::MISSING, "no multinode; taken as one node");
    }
    let image = map.get("image").and_then(Node::text).map(str::to_owned);
    if image.is_none() {
        notes.odd(key.line, &key.text, reason::MISSING, "no image");
    }
    let head = Head {
        key: &key.text,
        line: key.line,
        map,
        disagg: flag("disagg")?.unwrap_or(false) || by_name,
        recipe_dir: map.get("srt-recipe-dir").and_then(Node::text),
    };
    Ok(ConfigFact {
        key: key.text.clone(),
        file: source.name().to_owned(),
        line: key.line,
        image,
        model: need("model")?,
        model_prefix: need("model-prefix")?,
        runner: need("runner")?,
        precision: need("precision")?,
        framework,
        multinode: multinode.unwrap_or(false),
        disagg: head.disagg,
        router: map.get("router").and_then(component),
        kv_transfer: map.get("kv-p2p-transfer").and_then(Node::text).map(str::to_owned),
        comments: comments.to_vec(),
        points: matrix::points(&head, notes),
        raw: value.json().to_string(),
    })
}

/// Notes unknown and repeated keys of a mapping.
pub(crate) fn noted_keys(map: &Map, known: &[&str], what: &str, notes: &mut Notes<'_>) {
    for (key, _) in map.entries.iter().filter(|(key, _)| !known.contains(&key.text.as_str())) {
        notes.odd(key.line, what, reason::UNKNOWN_KEY, format!("{:?} is a key that nothing here reads", key.text));
    }
    for key in &map.repeated {
        notes.odd(key.line, what, reason::REPEATED_KEY, format!("{:?} stands twice; the last one counts", key.text));
    }
}

/// `{name: …, version: …}` or a bare name, as `name version`.
fn component(node: &Node) -> Option<String> {
    let Some(map) = node.map() else { return node.text().map(str::to_owned) };
    let name = map.get("name").and_then(Node::text)?;
    Some(match map.get("version").and_then(Node::text) {
        Some(version) => format!("{name} {version}"),
        None => name.to_owned(),
    })
}
