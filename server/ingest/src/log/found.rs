//! What the logs of one artifact say: each setting once, with how often it was said.

use std::collections::HashMap;

use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::{Attempt, RunId};

use super::{Read, Said};

/// Most settings that are kept of an artifact: a dump has some four hundred, an artifact a dump for each server.
pub(super) const MOST: usize = 20_000;

/// What was found in an artifact.
#[derive(Default)]
pub(crate) struct Found {
    items: Vec<Item>,
    index: HashMap<(FactKind, String, String), usize>,
    beyond: u64,
}

/// One thing, where it was said first, and how often.
struct Item {
    said: Said,
    file: String,
    line: Option<u64>,
    count: u64,
}

impl Found {
    /// Adds what a file says.
    pub(crate) fn add(&mut self, read: Read) {
        let Read { file, said, beyond, means } = read;
        self.beyond += beyond;
        for (line, said) in said {
            self.add_one(said, &file, Some(line), 1);
        }
        for (name, mean, lines) in means {
            // The same log may lie in two places; two logs with one mean over as many lines would be a wonder.
            let known = self
                .items
                .iter()
                .any(|i| i.said.kind == FactKind::MeasuredAl && (i.said.key.as_str(), &i.said.value, i.count) == (name, &mean, lines));
            if !known {
                let said = Said { kind: FactKind::MeasuredAl, key: name.to_owned(), value: mean };
                self.items.push(Item { said, file: file.clone(), line: None, count: lines });
            }
        }
    }

    fn add_one(&mut self, said: Said, file: &str, line: Option<u64>, count: u64) {
        let key = (said.kind, said.key.clone(), said.value.clone());
        let at = self.index.get(&key).copied();
        if let Some(item) = at.and_then(|at| self.items.get_mut(at)) {
            item.count += count;
        } else if self.items.len() >= MOST {
            self.beyond += 1;
        } else {
            self.index.insert(key, self.items.len());
            self.items.push(Item { said, file: file.to_owned(), line, count });
        }
    }

    /// What was found, as facts about the run.
    pub(crate) fn facts(self, run_id: RunId, attempt: Option<Attempt>, artifact: &str, eval: bool) -> Vec<RunFact> {
        let Self { items, index: _, beyond } = self;
        let fact = |kind, key, value, count: Option<u64>, file, line| RunFact {
            run_id,
            attempt,
            point: None,
            eval,
            kind,
            key,
            value,
            count,
            origin: FactOrigin::Artifact { artifact: artifact.to_owned(), file, line },
        };
        let mut facts: Vec<RunFact> = items
            .into_iter()
            .map(|Item { said: Said { kind, key, value }, file, line, count }| {
                let several = count > 1 || kind == FactKind::MeasuredAl;
                fact(kind, key, value, several.then_some(count), file, line)
            })
            .collect();
        if beyond > 0 {
            let words = format!("{beyond} more settings and lines are not kept: an artifact's first {MOST} are");
            facts.push(fact(FactKind::Note, "left out".to_owned(), words, None, String::new(), None));
        }
        facts
    }
}
