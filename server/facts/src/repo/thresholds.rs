//! Lowest passing eval scores (formats-and-rules §3.2): `default`, then one table per model prefix.

use std::collections::BTreeMap;

use paretoscope_domain::repo::Refused;

use super::notes::{Notes, reason};
use super::places::Source;
use super::yaml::{self, Map, Node};

/// `default` or a model prefix, then the task.
pub(crate) type Table = BTreeMap<String, BTreeMap<String, f64>>;

pub(crate) fn read(source: &Source, refused: &mut Vec<Refused>) -> Table {
    let mut notes = Notes::on(&source.path, refused);
    let document = match yaml::parse(&source.text) {
        Ok(document) => document,
        Err(error) => {
            notes.refuse(error.line, "the file", reason::NOT_YAML, error.detail);
            return Table::new();
        }
    };
    let Some(map) = document.root.map() else {
        notes.refuse(
            document.root.line,
            "the file",
            reason::WRONG_TYPE,
            format!("a mapping is expected, this is {}", document.root.kind()),
        );
        return Table::new();
    };
    let mut table = Table::new();
    for (key, value) in &map.entries {
        match (key.text.as_str(), value.map()) {
            ("default", Some(tasks)) => {
                table.insert("default".to_owned(), scores("default", tasks, &mut notes));
            }
            ("models", Some(models)) => {
                for (model, tasks) in &models.entries {
                    match tasks.map() {
                        Some(tasks) => {
                            table.insert(model.text.clone(), scores(&model.text, tasks, &mut notes));
                        }
                        None => notes.refuse(
                            model.line,
                            &model.text,
                            reason::WRONG_TYPE,
                            format!("a mapping of tasks is expected, this is {}", tasks.kind()),
                        ),
                    }
                }
            }
            ("default" | "models", None) if value.is_null() => {}
            ("default" | "models", None) => {
                notes.refuse(key.line, &key.text, reason::WRONG_TYPE, format!("a mapping is expected, this is {}", value.kind()))
            }
            _ => notes.odd(key.line, &key.text, reason::UNKNOWN_KEY, "neither default nor models; nothing here reads it"),
        }
    }
    table
}

fn scores(whose: &str, tasks: &Map, notes: &mut Notes<'_>) -> BTreeMap<String, f64> {
    for key in &tasks.repeated {
        notes.odd(key.line, whose, reason::REPEATED_KEY, format!("{} stands twice; the last one counts", key.text));
    }
    let mut scores = BTreeMap::new();
    for (task, value) in &tasks.entries {
        match value.number().filter(|score| (0.0..=1.0).contains(score)) {
            Some(score) => {
                scores.insert(task.text.clone(), score);
            }
            None => notes.refuse(
                task.line,
                format!("{whose} {}", task.text),
                reason::WRONG_TYPE,
                format!("{} is no score from 0 to 1", value.text().unwrap_or_else(|| Node::kind(value))),
            ),
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Table, Vec<(String, bool)>) {
        let mut refused = Vec::new();
        let table = read(&Source { path: "thresholds.yaml".to_owned(), text: text.to_owned() }, &mut refused);
        (table, refused.into_iter().map(|r| (r.reason, r.kept)).collect())
    }

    #[test]
    fn a_table() {
        let expected = Table::from([
            ("default".to_owned(), BTreeMap::from([("gsm8k".to_owned(), 0.9)])),
            ("m1".to_owned(), BTreeMap::from([("gsm8k".to_owned(), 0.94)])),
        ]);
        // Newer checkouts write it as JSON, which is YAML.
        for text in [
            "default:\n  gsm8k: 0.90\nmodels:\n  m1: {gsm8k: 0.94}\n",
            "{\"default\": {\"gsm8k\": 0.90}, \"models\": {\"m1\": {\"gsm8k\": 0.94}}}",
        ] {
            assert_eq!(read_text(text), (expected.clone(), vec![]), "{text}");
        }
    }

    #[test]
    fn what_is_no_score_is_refused_alone() {
        for (text, scores, reasons) in [
            ("default: {a: 0.5, b: '0.5', c: 90, d: -0.1}", 1, vec![(reason::WRONG_TYPE, false); 3]),
            ("default: 3\nmodels: {m: 3, n: {a: 0.5}}", 1, vec![(reason::WRONG_TYPE, false); 2]),
            ("default: {a: 0.5}\nother: 1", 1, vec![(reason::UNKNOWN_KEY, true)]),
            ("default: {a: 0.5, a: 0.6}", 1, vec![(reason::REPEATED_KEY, true)]),
            ("[]", 0, vec![(reason::WRONG_TYPE, false)]),
            ("a: b: c", 0, vec![(reason::NOT_YAML, false)]),
        ] {
            let (table, refused) = read_text(text);
            let reasons: Vec<(String, bool)> = reasons.iter().map(|(r, kept)| ((*r).to_owned(), *kept)).collect();
            assert_eq!((table.values().map(BTreeMap::len).sum::<usize>(), refused), (scores, reasons), "{text}");
        }
    }
}
