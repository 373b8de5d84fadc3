//! Golden acceptance lengths: a file per model and draft method (formats-and-rules §3.3). Two files may share a model's key, so the
//! file belongs to the identity of a curve.

use std::collections::BTreeMap;

use paretoscope_domain::repo::{GoldenCurve, Refused};

use super::notes::{Notes, reason};
use super::places::Source;
use super::yaml::{self, Node};

/// Reads the files' curves, in their order.
pub(crate) fn read(sources: &[Source], refused: &mut Vec<Refused>) -> Vec<GoldenCurve> {
    let mut curves: Vec<GoldenCurve> = Vec::new();
    for source in sources {
        let mut notes = Notes::on(&source.path, refused);
        let found = of_file(source, &mut notes);
        if let Some((curve, other)) = found.iter().find_map(|c| curves.iter().find(|o| o.model == c.model).map(|o| (c, o))) {
            notes.odd(
                1,
                &curve.model,
                reason::SHARED_KEY,
                format!("stands in {} too: a curve is told by its file and its model", other.file),
            );
        }
        curves.extend(found);
    }
    curves
}

fn of_file(source: &Source, notes: &mut Notes<'_>) -> Vec<GoldenCurve> {
    let document = match yaml::parse(&source.text) {
        Ok(document) => document,
        Err(error) => {
            notes.refuse(error.line, "the file", reason::NOT_YAML, error.detail);
            return Vec::new();
        }
    };
    let Some(models) = document.root.map() else {
        notes.refuse(
            document.root.line,
            "the file",
            reason::WRONG_TYPE,
            format!("a mapping of models is expected, this is {}", document.root.kind()),
        );
        return Vec::new();
    };
    let comments: Vec<String> = document.comments.iter().map(|c| c.text.clone()).collect();
    let source_run = comments.iter().find_map(|c| c.strip_prefix("Source GitHub Actions run:")).map(|rest| rest.trim().to_owned());
    let mut curves = Vec::new();
    for (model, modes) in &models.entries {
        let Some(modes) = modes.map() else {
            notes.refuse(
                model.line,
                &model.text,
                reason::WRONG_TYPE,
                format!("a mapping of thinking modes is expected, this is {}", modes.kind()),
            );
            continue;
        };
        for (thinking, lengths) in &modes.entries {
            let what = format!("{} {}", model.text, thinking.text);
            if !["thinking_on", "thinking_off"].contains(&thinking.text.as_str()) {
                notes.odd(thinking.line, &what, reason::UNKNOWN_WORD, "neither thinking_on nor thinking_off");
            }
            let Some(table) = lengths.map() else {
                notes.refuse(
                    thinking.line,
                    &what,
                    reason::WRONG_TYPE,
                    format!("a mapping of draft lengths is expected, this is {}", lengths.kind()),
                );
                continue;
            };
            for key in &table.repeated {
                notes.odd(key.line, &what, reason::REPEATED_KEY, format!("draft length {} stands twice; the last one counts", key.text));
            }
            let mut lengths = BTreeMap::new();
            for (draft, length) in &table.entries {
                match (draft.text.parse::<u32>(), length.number()) {
                    // A verification step always yields its own token, so an acceptance length is never below one.
                    (Ok(draft), Some(length)) if draft > 0 && length >= 1.0 => {
                        lengths.insert(draft, length);
                    }
                    _ => notes.refuse(
                        draft.line,
                        &what,
                        reason::WRONG_TYPE,
                        format!("{}: {} is no draft length with an acceptance length", draft.text, written(length)),
                    ),
                }
            }
            curves.push(GoldenCurve {
                file: source.name().to_owned(),
                model: model.text.clone(),
                thinking: thinking.text.clone(),
                lengths,
                source: source_run.clone(),
                comments: comments.clone(),
            });
        }
    }
    curves
}

fn written(node: &Node) -> &str {
    node.text().unwrap_or_else(|| node.kind())
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn source(name: &str, text: &str) -> Source {
        Source { path: format!("golden_al_distribution/{name}"), text: text.to_owned() }
    }

    #[test]
    fn curves_of_two_files_with_one_key() {
        let files = [
            source(
                "a.yaml",
                "# Source GitHub Actions run: https://example.org/runs/1\n# second\nm-1:\n  thinking_on: {1: 1.80, 2: 2.50}\n  thinking_off:\n    1: 1.7\n",
            ),
            source("b.yaml", "m-1:\n  thinking_on:\n    1: 1.9 # measured twice\n"),
        ];
        let mut refused = Vec::new();
        let curves = read(&files, &mut refused);
        let keys: Vec<(&str, &str, &str)> = curves.iter().map(|c| (c.file.as_str(), c.model.as_str(), c.thinking.as_str())).collect();
        assert_eq!(keys, [("a.yaml", "m-1", "thinking_on"), ("a.yaml", "m-1", "thinking_off"), ("b.yaml", "m-1", "thinking_on")]);
        assert_eq!(curves[0].lengths, BTreeMap::from([(1, 1.8), (2, 2.5)]));
        assert_eq!(curves[0].source.as_deref(), Some("https://example.org/runs/1"));
        assert_eq!(curves[2].comments, ["measured twice"]);
        assert_eq!(
            refused.iter().map(|r| (r.file.as_str(), r.reason.as_str(), r.kept)).collect::<Vec<_>>(),
            [("golden_al_distribution/b.yaml", reason::SHARED_KEY, true)]
        );
    }

    #[test]
    fn what_is_no_curve_is_refused_alone() {
        for (text, kept, reasons) in [
            ("m: {thinking_on: {1: 1.8, two: 2.5, 3: 'x', 4: 0.4}}", 1, vec![reason::WRONG_TYPE; 3]),
            ("m: {thinking_hard: {1: 1.8}}", 1, vec![reason::UNKNOWN_WORD]),
            ("m: 3\nn: {thinking_on: {1: 1.8}}", 1, vec![reason::WRONG_TYPE]),
            ("m: {thinking_on: [1.8]}", 0, vec![reason::WRONG_TYPE]),
            ("m: {thinking_on: {1: 1.8, 1: 1.9}}", 1, vec![reason::REPEATED_KEY]),
            ("- 1", 0, vec![reason::WRONG_TYPE]),
            ("a: [", 0, vec![reason::NOT_YAML]),
        ] {
            let mut refused = Vec::new();
            let curves = read(&[source("x.yaml", text)], &mut refused);
            assert_eq!((curves.len(), refused.iter().map(|r| r.reason.as_str()).collect::<Vec<_>>()), (kept, reasons), "{text}");
        }
    }
}
