//! The files of one eval job: `meta_env.json` says what ran, `results*.json` what came out.

use paretoscope_domain::eval::EvalRecord;
use paretoscope_domain::point::Metrics;
use paretoscope_domain::vocabulary::Vocabulary;
use serde_json::{Map, Value, json};

use super::concurrency::of_file;
use super::score::{Scored, fraction, maybe_number, metric_name, pick};
use crate::fields::Fields;
use crate::point::{Place, refuse_marks};
use crate::refusal::{Refusal, code};

/// What became of one results file, or of one task in it.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// An eval, with the files it was read from as JSON text.
    Record(Box<EvalRecord>, String),
    /// Of no use.
    Refused {
        /// File.
        file: String,
        /// Why.
        refusal: Refusal,
    },
    /// No task in it has a score that we know.
    NothingRecognised {
        /// File.
        file: String,
    },
}

/// The files of one eval artifact, gathered because an archive may hold them in any order.
#[derive(Debug, Default)]
pub(crate) struct JobFiles {
    meta: Vec<(String, Value)>,
    results: Vec<(String, Value)>,
}

impl JobFiles {
    pub(crate) fn add_meta(&mut self, file: &str, value: Value) {
        self.meta.push((file.to_owned(), value));
    }

    pub(crate) fn add_results(&mut self, file: &str, value: Value) {
        self.results.push((file.to_owned(), value));
    }

    /// Reads the evals. `place` is that of the artifact; each eval gets its own file.
    pub(crate) fn read(mut self, place: Place<'_>, words: &Vocabulary) -> Vec<Outcome> {
        // Names hold the time, so that of two results of one task the later one comes later.
        self.results.sort_by(|a, b| a.0.cmp(&b.0));
        let mut outcomes = Vec::new();
        for (file, results) in &self.results {
            outcomes.extend(self.file(file, results, place, words));
        }
        outcomes
    }

    fn file(&self, file: &str, results: &Value, place: Place<'_>, words: &Vocabulary) -> Vec<Outcome> {
        let place = Place { file, ..place };
        let refused = |refusal| vec![Outcome::Refused { file: file.to_owned(), refusal }];
        let Some(meta) = self.meta_of(file) else {
            return refused(Refusal::new(code::MISSING_IDENTITY, "no meta_env.json beside it says what was evaluated"));
        };
        if let Err(refusal) = refuse_marks(meta) {
            return refused(refusal);
        }
        let (meta, top) = match (Fields::of(meta), Fields::of(results)) {
            (Ok(meta), Ok(top)) => (meta, top),
            (Err(refusal), _) | (_, Err(refusal)) => return refused(refusal),
        };
        let broken = super::integration_error(top.value("integration_error"));
        let tasks = tasks(top, broken.is_some());
        let mut outcomes = Vec::new();
        for (task, scores) in tasks {
            let read = scored(top, &task, scores, broken.clone()).and_then(|scored| match scored {
                None => Ok(None),
                Some(scored) => super::record(meta, &task, conc(file, meta)?, scored, place, words).map(Some),
            });
            match read {
                Ok(None) => {}
                Ok(Some(record)) => {
                    let raw = json!({ "meta_env": meta.map(), "task": task, "results": scores, "n-samples": n_samples(top, &task) });
                    outcomes.push(Outcome::Record(Box::new(record), raw.to_string()));
                }
                Err(refusal) => outcomes.push(Outcome::Refused { file: file.to_owned(), refusal }),
            }
        }
        if outcomes.is_empty() {
            outcomes.push(Outcome::NothingRecognised { file: file.to_owned() });
        }
        outcomes
    }

    /// The metadata of a results file: of the same concurrency, of the same folder, else the only one there is.
    fn meta_of(&self, file: &str) -> Option<&Value> {
        let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        let conc = of_file(file);
        let same_conc = |m: &&(String, Value)| conc.is_some() && of_file(&m.0) == conc;
        let same_folder = |m: &&(String, Value)| folder(&m.0) == folder(file);
        let plain = |m: &&(String, Value)| of_file(&m.0).is_none();
        let found = self
            .meta
            .iter()
            .find(|m| same_conc(m) && same_folder(m))
            .or_else(|| self.meta.iter().find(same_conc))
            .or_else(|| self.meta.iter().find(|m| same_folder(m) && plain(m)))
            .or_else(|| self.meta.iter().find(plain));
        found.map(|(_, value)| value)
    }
}

/// Concurrency: of the file where the job ran several, else of the metadata, else the only one the job completed.
fn conc(file: &str, meta: Fields<'_>) -> Result<Option<u32>, Refusal> {
    if let Some(conc) = of_file(file) {
        return Ok(Some(conc));
    }
    if let Some(conc) = meta.loose_size("conc")? {
        return Ok(Some(conc));
    }
    let only = |key: &str| match meta.value(key).and_then(Value::as_array).map(Vec::as_slice) {
        Some([one]) => one.as_u64().and_then(|n| u32::try_from(n).ok()),
        _ => None,
    };
    Ok(only("completed_eval_concs").or_else(|| only("eval_concs")))
}

const NO_SCORES: &Value = &Value::Null;

/// Tasks and what they scored. A job that broke before any score may name its tasks only in its configuration.
fn tasks<'a>(top: Fields<'a>, broken: bool) -> Vec<(String, &'a Value)> {
    let of = |key: &str| top.value(key).and_then(Value::as_object).into_iter().flatten();
    let scored: Vec<(String, &Value)> = of("results").map(|(task, scores)| (task.clone(), scores)).collect();
    if scored.is_empty() && broken {
        return of("configs").map(|(task, _)| (task.clone(), NO_SCORES)).collect();
    }
    scored
}

/// The scores of one task; `None` where there is none that we know and nothing broke.
fn scored(top: Fields<'_>, task: &str, scores: &Value, broken: Option<String>) -> Result<Option<Scored>, Refusal> {
    refuse_marks(scores)?;
    let empty = Map::new();
    let mut metrics = Metrics::new();
    for (key, value) in scores.as_object().unwrap_or(&empty) {
        let name = metric_name(key);
        if super::score::PICKED.contains(&name.as_str()) {
            if let Some(number) = maybe_number(key, Some(value))? {
                metrics.entry(name).or_insert(number);
            }
        } else if let Some(number) = value.as_f64() {
            metrics.entry(name).or_insert(number);
        }
    }
    let picked = pick(&metrics);
    if picked.is_none() && broken.is_none() {
        return Ok(None);
    }
    let n = match n_samples(top, task) {
        Some(Value::Object(counts)) => maybe_number("n-samples", counts.get("effective").or_else(|| counts.get("original")))?,
        other => maybe_number("n-samples", other)?,
    };
    Ok(Some(Scored {
        score: fraction("score", picked.map(|(_, score, _)| score))?,
        name: picked.map(|(name, ..)| name.to_owned()),
        stderr: picked.and_then(|(.., stderr)| stderr),
        n,
        metrics,
        integration_error: broken,
    }))
}

fn n_samples<'a>(top: Fields<'a>, task: &str) -> Option<&'a Value> {
    ["n-samples", "n_samples"].iter().find_map(|key| top.object(key)?.value(task))
}
