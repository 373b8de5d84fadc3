//! The artifacts of a run as files: their names, and the shapes both kinds of sample share.
//!
//! Artifact names are ours: the result name in them is opaque to a reader, who takes identity from the JSON inside.

use crate::SampleFile;
use crate::json::{Json, Object};

/// How a run's JSON is laid out: indented where people review it, else compact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Indented,
    Compact,
}

impl Layout {
    /// A file of one JSON value.
    pub(crate) fn file(self, path: String, value: impl Into<Json>) -> SampleFile {
        let value = value.into();
        let contents = match self {
            Self::Indented => value.to_file(),
            Self::Compact => format!("{value}\n"),
        };
        SampleFile { path, contents }
    }

    /// `run.json`: a workflow-run payload.
    pub(crate) fn run_payload(self, payload: Object) -> SampleFile {
        self.file("run.json".to_owned(), payload)
    }

    /// `bmk_agentic_<result>/<result>.json`: the row of one agentic job.
    pub(crate) fn agentic_row(self, folder: &str, result: &str, row: Object) -> SampleFile {
        self.file(format!("{folder}bmk_agentic_{result}/{result}.json"), row)
    }

    /// `bmk_<result>/agg_<result>.json`: the row of one fixed-sequence job.
    pub(crate) fn fixed_row(self, folder: &str, result: &str, row: Object) -> SampleFile {
        self.file(format!("{folder}bmk_{result}/agg_{result}.json"), row)
    }

    /// `results_bmk/agg_bmk.json`: the collected rows of a run.
    pub(crate) fn collected_rows(self, rows: Vec<Object>) -> SampleFile {
        self.file("results_bmk/agg_bmk.json".to_owned(), rows)
    }

    /// `eval_<result>/`: what one eval job leaves, `meta_env.json` and `results.json`.
    pub(crate) fn eval_job(self, folder: &str, result: &str, meta: Object, results: Object) -> [SampleFile; 2] {
        [self.file(format!("{folder}eval_{result}/meta_env.json"), meta), self.file(format!("{folder}eval_{result}/results.json"), results)]
    }

    /// `eval_results_all/agg_eval_all.json`: the collected eval rows of a run.
    pub(crate) fn collected_evals(self, folder: &str, rows: Vec<Object>) -> SampleFile {
        self.file(format!("{folder}eval_results_all/agg_eval_all.json"), rows)
    }
}

/// One eval's outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvalScore {
    /// Exact match, strict: a fraction.
    pub(crate) strict: f64,
    /// Its standard error, where known.
    pub(crate) stderr: Option<f64>,
    /// Questions counted.
    pub(crate) n: u32,
}

impl EvalScore {
    /// The part of an lm-eval result file that says it.
    pub(crate) fn results(self, task: &str) -> Object {
        let Self { strict, stderr, n } = self;
        let scores = Object::new().with("exact_match,strict-match", strict).with_known("exact_match_stderr,strict-match", stderr);
        Object::new()
            .with("results", Object::new().with(task, scores))
            .with("n-samples", Object::new().with(task, Object::new().with("effective", n)))
    }

    /// The score fields of a collected row. An eval that was never scored leniently says so with nulls, as the
    /// collector does.
    pub(crate) fn row_fields(self, task: &str, source: &str) -> Object {
        let Self { strict, stderr, n } = self;
        let stderr = stderr.map_or(Json::Null, Json::Float);
        Object::new()
            .with("task", task)
            .with("em_strict", strict)
            .with("em_strict_se", stderr.clone())
            .with("em_flexible", Json::Null)
            .with("em_flexible_se", Json::Null)
            .with("n_eff", n)
            .with("source", source)
            .with("infrastructure_success", true)
            .with("integration_error", Json::Null)
            .with("score", strict)
            .with("score_name", "em_strict")
            .with("score_se", stderr)
    }
}

/// `"true"` or `"false"`: rows hold `dp_attention` as text.
pub(crate) const fn as_text(flag: bool) -> &'static str {
    if flag { "true" } else { "false" }
}
