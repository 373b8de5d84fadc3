//! YAML as a tree that knows its lines, keeps repeated keys in sight and its comments beside it.
//!
//! Built over `granit-parser`'s events rather than its values, because a review needs what a value has lost: the line of a key,
//! a key that stands twice, a comment, a number as it was written. The benchmark repository reads its files with a YAML 1.1 loader, so
//! words like `yes` count as flags here too, and the last of two equal keys wins.

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, Span};

/// Deepest nesting that is read. The repository's files need nine levels.
const DEPTH: usize = 64;
/// Most nodes that are built, those of aliases counted each time: an alias of aliases can't grow without end.
const NODES: usize = 2_000_000;

/// A text that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Document {
    /// The value; a null where the text holds none.
    pub(crate) root: Node,
    /// Comments, in order.
    pub(crate) comments: Vec<Comment>,
}

/// A text that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {detail}")]
pub(crate) struct YamlError {
    pub(crate) line: u64,
    pub(crate) detail: String,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) line: u64,
    /// Without its `#` and the space after it.
    pub(crate) text: String,
    /// Whether nothing else stands on its line.
    pub(crate) alone: bool,
}

/// A value and the line it begins on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) line: u64,
    pub(crate) content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// A text; `plain` where it was written without quotes or tag, and so may be a number, a flag or nothing.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    Map(Map),
}

/// A mapping, in the order of its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Map {
    pub(crate) entries: Vec<(Key, Node)>,
    /// Keys that were written again; `entries` has only the last.
    pub(crate) repeated: Vec<Key>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) line: u64,
    pub(crate) text: String,
}

/// Reads one document.
pub(crate) fn parse(text: &str) -> Result<Document, YamlError> {
    let options = granit_parser::options! {
        emit_comments: true,
        // The master files have comments of more than a hundred lines.
        max_buffered_comment_events: NODES,
        block_nesting_limit: DEPTH,
        flow_nesting_limit: DEPTH,
    };
    let mut builder = Builder::default();
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|e| YamlError { line: e.marker().line() as u64, detail: e.info() })?;
        builder.take(event, span)?;
    }
    let root = builder.root.unwrap_or(Node { line: 1, content: Content::Scalar { text: String::new(), plain: true } });
    Ok(Document { root, comments: builder.comments })
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
    comments: Vec<Comment>,
    /// Finished anchored nodes: the node, how many nodes it is, how deep.
    anchors: HashMap<usize, (Node, usize, usize)>,
    nodes: usize,
    /// Line on which the newest node ended.
    last_line: u64,
}

struct Open {
    line: u64,
    anchor: usize,
    kind: OpenKind,
}

enum OpenKind {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, key: Option<Key> },
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        let line = span.start.line() as u64;
        let wrong = |detail: &str| YamlError { line, detail: detail.to_owned() };
        match event {
            Event::Comment(text, _) => {
                let alone = self.last_line != line;
                self.comments.push(Comment { line, text: text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned(), alone });
                return Ok(());
            }
            Event::DocumentStart(..) if self.root.is_some() => return Err(wrong("a second document begins")),
            Event::Scalar(text, style, anchor, tag) => {
                let plain = matches!(style, ScalarStyle::Plain) && tag.is_none();
                self.finish(Node { line, content: Content::Scalar { text: text.into_owned(), plain } }, anchor)?;
            }
            Event::SequenceStart(_, anchor, _) => self.open.push(Open { line, anchor, kind: OpenKind::List(Vec::new()) }),
            Event::MappingStart(_, anchor, _) => {
                self.open.push(Open { line, anchor, kind: OpenKind::Map { entries: Vec::new(), key: None } });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let open = self.open.pop().ok_or_else(|| wrong("an end without a beginning"))?;
                let content = match open.kind {
                    OpenKind::List(items) => Content::List(items),
                    OpenKind::Map { entries, .. } => Content::Map(settled(entries)),
                };
                self.finish(Node { line: open.line, content }, open.anchor)?;
            }
            Event::Alias(id) => {
                let (node, size, depth) = self.anchors.get(&id).cloned().ok_or_else(|| wrong("an alias inside what it stands for"))?;
                self.nodes = self.nodes.saturating_add(size);
                if self.open.len() + depth > DEPTH {
                    return Err(wrong("nested too deep"));
                }
                self.finish(Node { line, ..node }, 0)?;
            }
            _ => return Ok(()),
        }
        self.last_line = span.end.line() as u64;
        Ok(())
    }

    /// Puts a finished node where it belongs.
    fn finish(&mut self, node: Node, anchor: usize) -> Result<(), YamlError> {
        let line = node.line;
        self.nodes += 1;
        if self.nodes > NODES {
            return Err(YamlError { line, detail: format!("more than {NODES} values") });
        }
        if anchor != 0 {
            let (size, depth) = measured(&node);
            self.anchors.insert(anchor, (node.clone(), size, depth));
        }
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => self.root = Some(node),
            Some(OpenKind::List(items)) => items.push(node),
            Some(OpenKind::Map { entries, key }) => match (key.take(), node.content) {
                (Some(key), content) => entries.push((key, Node { line, content })),
                (None, Content::Scalar { text, .. }) => *key = Some(Key { line, text }),
                (None, _) => return Err(YamlError { line, detail: "a key that is a list or a mapping".to_owned() }),
            },
        }
        Ok(())
    }
}

/// Nodes of a value, and its depth.
fn measured(node: &Node) -> (usize, usize) {
    let all =
        |nodes: &mut dyn Iterator<Item = &Node>| nodes.map(measured).fold((1, 1), |(size, depth), (s, d)| (size + s, depth.max(d + 1)));
    match &node.content {
        Content::Scalar { .. } => (1, 1),
        Content::List(items) => all(&mut items.iter()),
        Content::Map(map) => all(&mut map.entries.iter().map(|(_, value)| value)),
    }
}

/// A mapping with its merge keys (`<<`) carried out and only the last of equal keys.
fn settled(written: Vec<(Key, Node)>) -> Map {
    let mut map = Map::default();
    let mut merged = Vec::new();
    for (key, value) in written {
        if key.text == "<<" {
            match value.content {
                Content::Map(other) => merged.extend(other.entries),
                Content::List(items) => merged.extend(items.into_iter().flat_map(|item| match item.content {
                    Content::Map(other) => other.entries,
                    _ => Vec::new(),
                })),
                Content::Scalar { .. } => map.entries.push((key, value)),
            }
            continue;
        }
        match map.entries.iter().position(|(k, _)| k.text == key.text) {
            Some(at) => {
                map.repeated.push(key.clone());
                map.entries.remove(at);
                map.entries.push((key, value));
            }
            None => map.entries.push((key, value)),
        }
    }
    for (key, value) in merged {
        if map.get(&key.text).is_none() {
            map.entries.push((key, value));
        }
    }
    map
}

impl Map {
    /// A value; an explicit null is none.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|(k, _)| k.text == key).map(|(_, value)| value).filter(|value| !value.is_null())
    }
}

impl Node {
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.content, Content::Scalar { text, plain: true } if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    pub(crate) fn map(&self) -> Option<&Map> {
        match &self.content {
            Content::Map(map) => Some(map),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Self]> {
        match &self.content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// A text, a number or a flag as it is written.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// A whole number without quotes.
    pub(crate) fn whole(&self) -> Option<u32> {
        match &self.content {
            Content::Scalar { text, plain: true } if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        }
    }

    /// A finite number without quotes, in decimal notation.
    pub(crate) fn number(&self) -> Option<f64> {
        let Content::Scalar { text, plain: true } = &self.content else { return None };
        let decimal = text.bytes().any(|b| b.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        text.parse().ok().filter(|n: &f64| decimal && n.is_finite())
    }

    /// `true` or `false`, or one of YAML 1.1's other words for them.
    pub(crate) fn flag(&self) -> Option<bool> {
        let Content::Scalar { text, plain: true } = &self.content else { return None };
        match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// The value as JSON. What was written without quotes is a number, a flag or null where it reads as one.
    pub(crate) fn json(&self) -> serde_json::Value {
        use serde_json::Value;
        match &self.content {
            Content::List(items) => Value::Array(items.iter().map(Self::json).collect()),
            Content::Map(map) => Value::Object(map.entries.iter().map(|(key, value)| (key.text.clone(), value.json())).collect()),
            Content::Scalar { .. } if self.is_null() => Value::Null,
            Content::Scalar { text, .. } => {
                let whole = text.parse::<i64>().ok().filter(|_| self.number().is_some()).map(Value::from);
                let number = || self.number().and_then(serde_json::Number::from_f64).map(Value::Number);
                whole.or_else(number).or_else(|| self.flag().map(Value::Bool)).unwrap_or_else(|| Value::String(text.clone()))
            }
        }
    }

    /// What kind of value it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.content {
            Content::Scalar { .. } if self.is_null() => "nothing",
            Content::Scalar { .. } => "a text or number",
            Content::List(_) => "a list",
            Content::Map(_) => "a mapping",
        }
    }
}

/// A part of a text that begins where an entry begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its first line.
    pub(crate) line: u64,
    pub(crate) text: String,
}

impl Piece {
    /// A line of the piece as the whole text counts it; one behind its end is its last.
    pub(crate) fn line_of(&self, line: u64) -> u64 {
        let last = (self.text.lines().count() as u64).max(1);
        self.line + line.clamp(1, last) - 1
    }
}

/// Takes a text apart that can't be read as a whole: at each line that begins an entry, comments right above it included. Lines
/// that a failed merge left (`<<<<<<<`, `=======`, `>>>>>>>`) belong to no piece; their numbers come second.
pub(crate) fn pieces(text: &str, begins: impl Fn(&str) -> bool) -> (Vec<Piece>, Vec<u64>) {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut markers = Vec::new();
    let mut comments: Vec<&str> = Vec::new();
    for (number, line) in (1_u64..).zip(text.lines()) {
        if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark)) {
            markers.push(number);
        } else if line.starts_with('#') {
            comments.push(line);
            continue;
        } else if begins(line) {
            let above = comments.len() as u64;
            let mut piece = Piece { line: number - above, text: String::new() };
            for line in comments.drain(..).chain([line]) {
                push_line(&mut piece.text, line);
            }
            pieces.push(piece);
        } else if let Some(piece) = pieces.last_mut() {
            for line in comments.drain(..).chain([line]) {
                push_line(&mut piece.text, line);
            }
        } else if !line.trim().is_empty() && line.trim() != "---" {
            // Something stands before the first entry: a piece of its own, so that it is told and not lost.
            pieces.push(Piece { line: number, text: format!("{line}\n") });
        }
        comments.clear();
    }
    (pieces, markers)
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

impl Node {
    /// The same with its lines counted from further down.
    pub(crate) fn moved(mut self, by: u64) -> Self {
        self.line += by;
        self.content = match self.content {
            Content::List(items) => Content::List(items.into_iter().map(|item| item.moved(by)).collect()),
            Content::Map(map) => Content::Map(Map {
                entries: map.entries.into_iter().map(|(key, value)| (key.moved(by), value.moved(by))).collect(),
                repeated: map.repeated.into_iter().map(|key| key.moved(by)).collect(),
            }),
            scalar @ Content::Scalar { .. } => scalar,
        };
        self
    }
}

impl Key {
    fn moved(self, by: u64) -> Self {
        Self { line: self.line + by, ..self }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Node {
        parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).root
    }

    #[test]
    fn values() {
        for (text, value) in [
            ("", json!(null)),
            ("a: 1\nb: [true, no, ~, 'no', 1.50, \"1\"]", json!({"a": 1, "b": [true, false, null, "no", 1.5, "1"]})),
            (
                "v: 1.10.0\nd: 2026-08-03\nh: 1:30\nx: 0x10\nn: .nan",
                json!({"v": "1.10.0", "d": "2026-08-03", "h": "1:30", "x": "0x10", "n": ".nan"}),
            ),
            ("{\"default\": {\"gsm8k\": 0.90}}", json!({"default": {"gsm8k": 0.9}})),
            ("- >-\n  one\n  two\n- |\n  a\n  b\n", json!(["one two", "a\nb\n"])),
            (
                "base: &b {x: 1, y: 2}\nc: {<<: *b, y: 3}\nd: *b",
                json!({"base": {"x": 1, "y": 2}, "c": {"x": 1, "y": 3}, "d": {"x": 1, "y": 2}}),
            ),
            ("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}", json!({"a": {"x": 1}, "b": {"x": 2, "y": 2}, "c": {"x": 1, "y": 2}})),
        ] {
            assert_eq!(read(text).json(), value, "{text}");
        }
    }

    #[test]
    fn lines_and_repeated_keys() {
        let root = read("# head\na:\n  b: 1\n  c:\n  - x\n  - y: 2\na: 3\n");
        let map = root.map().unwrap();
        assert_eq!(map.get("a").and_then(Node::whole), Some(3));
        assert_eq!(map.repeated, [Key { line: 7, text: "a".to_owned() }]);
        let root = read("k:\n  - one\n\n  # two\n  - {z: 5}\n");
        let items = root.map().unwrap().get("k").unwrap().list().unwrap();
        assert_eq!(items.iter().map(|n| n.line).collect::<Vec<_>>(), [2, 5]);
    }

    #[test]
    fn comments_beside_and_alone() {
        let text = "# above\nkey: # beside\n  - x # too\n  #own\n  - \"# no comment\"\n";
        let comments: Vec<(u64, String, bool)> = parse(text).unwrap().comments.into_iter().map(|c| (c.line, c.text, c.alone)).collect();
        let expected = [(1, "above", true), (2, "beside", false), (3, "too", false), (4, "own", true)];
        assert_eq!(comments, expected.map(|(line, text, alone)| (line, text.to_owned(), alone)));
    }

    #[test]
    fn what_is_no_document() {
        for (text, line) in [("a: [1, 2", 1), ("a: 1\nb: *nowhere\n", 2), ("a: 1\n---\nb: 2\n", 2), ("? [a]\n: 1\n", 1), ("a:\n\t- 1\n", 2)]
        {
            let error = parse(text).expect_err(text);
            assert!(error.line >= line, "{text}: {error}");
        }
    }

    #[test]
    fn aliases_of_aliases_end() {
        let mut text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
        for n in 1..10 {
            let item = format!("*a{}", n - 1);
            text.push_str(&format!("a{n}: &a{n} [{}]\n", vec![item; 10].join(", ")));
        }
        assert!(parse(&text).unwrap_err().detail.contains("values"));
        let mut text = "a0: &a0 [1]\n".to_owned();
        for n in 1..200 {
            text.push_str(&format!("a{n}: &a{n} [*a{}]\n", n - 1));
        }
        assert!(parse(&text).unwrap_err().detail.contains("deep"));
        assert!(parse(&"[".repeat(10_000)).is_err());
    }

    #[test]
    fn a_text_in_pieces() {
        let text = "- a: 1\n\n<<<<<<< HEAD\n# about b\n- b: 2\n  c: 3\n=======\n- d: 4\n>>>>>>> other\n";
        let (pieces, markers) = pieces(text, |line| line.starts_with("- "));
        assert_eq!(markers, [3, 7, 9]);
        let found: Vec<(u64, &str)> = pieces.iter().map(|p| (p.line, p.text.as_str())).collect();
        assert_eq!(found, [(1, "- a: 1\n\n"), (4, "# about b\n- b: 2\n  c: 3\n"), (8, "- d: 4\n")]);
    }

    proptest! {
        #[test]
        fn never_panics(text in "[-a-c:{}\\[\\]&*<'\"#|>\n\t 0-9.!~]{0,120}") {
            let _ = parse(&text).map(|d| d.root.json());
            let _ = pieces(&text, |line| line.starts_with("- "));
        }
    }
}
