//! Evals: accuracy rows of a run, and what is computed over siblings.

use serde::{Deserialize, Serialize};

use crate::ids::{Attempt, EvalId, RunId};
use crate::point::{Parallel, Point, Role, Topology};
use crate::significance::{Interval, two_sigma_bound, wilson};
use crate::threshold::Thresholds;
use crate::vocabulary::Vocabulary;

/// An eval row as it is kept: what its artifact says, normalised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvalRecord {
    /// Run.
    pub run_id: RunId,
    /// Attempt that measured it; `None` where it is not known.
    pub attempt: Option<Attempt>,
    /// Task: `gsm8k`.
    pub task: String,
    /// Suite, where stated.
    pub suite: Option<String>,
    /// Model key.
    pub model: String,
    /// The row's own model prefix, for thresholds.
    pub model_prefix: Option<String>,
    /// The model's path or id as the row has it.
    pub model_path: Option<String>,
    /// Hardware key.
    pub hardware: String,
    /// The runner label as the row has it.
    pub hardware_label: String,
    /// Framework key.
    pub framework: String,
    /// Precision key.
    pub precision: String,
    /// Spec method key.
    pub spec_method: String,
    /// Input sequence length; `None` for 0, absent and null alike.
    pub isl: Option<u32>,
    /// Output sequence length; likewise.
    pub osl: Option<u32>,
    /// Concurrency.
    pub conc: Option<u32>,
    /// Whether prefill and decode ran apart.
    pub disagg: bool,
    /// Whether it ran on several nodes.
    pub multinode: bool,
    /// Aggregated parallelism (meaningless when disaggregated).
    pub parallel: Parallel,
    /// Prefill side; `None` when aggregated.
    pub prefill: Option<Role>,
    /// Decode side; `None` when aggregated.
    pub decode: Option<Role>,
    /// Hash of the matrix entry, where the row has one.
    pub recipe_fingerprint: Option<String>,
    /// Score as a fraction; `None` where the row has none.
    pub score: Option<f64>,
    /// Which score it is: `em_strict`, `accuracy`, `em_flexible`.
    pub score_name: Option<String>,
    /// Standard error as the row reports it.
    pub stderr: Option<f64>,
    /// Effective number of answers.
    pub n: Option<f64>,
    /// Every other numeric metric of the row, by name.
    pub metrics: crate::point::Metrics,
    /// What broke, where the row says that something did.
    pub integration_error: Option<String>,
    /// Artifact it was read from.
    pub artifact: String,
    /// File inside the artifact.
    pub file: String,
    /// Row of a collected file, from 0.
    pub row: Option<u32>,
}

impl EvalRecord {
    /// How the GPUs were laid out.
    #[must_use]
    pub fn topology(&self) -> Topology {
        match (self.prefill, self.decode) {
            (Some(prefill), Some(decode)) => Topology::Disaggregated { prefill, decode },
            _ => Topology::Aggregated(self.parallel),
        }
    }

    /// What the row says, for telling a repeated row from a corrected one: the score and its n. Collected rows and per-job
    /// files of one eval differ in all else.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.score == other.score && self.n == other.n && self.integration_error == other.integration_error
    }
}

/// A stored eval version: the record, its identity, and whether a newer one counts instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredEval {
    /// Identity.
    pub id: EvalId,
    /// Whether a newer version counts instead.
    pub superseded: bool,
    /// What the row says.
    pub record: EvalRecord,
}

/// How sure it is which image an eval ran on: rows do not say, so it is joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImageSource {
    /// A point of the same configuration and concurrency has it.
    Point,
    /// All points of the curve have it.
    Curve,
    /// Not known: the run's points have none, or several.
    Unknown,
}

/// An eval row with what is computed over its siblings, in the words of the contract. Scores, gaps and bounds are fractions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Eval {
    /// Hash of the natural key.
    pub id: EvalId,
    /// Run.
    pub run_id: RunId,
    /// Task.
    pub task: String,
    /// Topology and concurrency in the points' notation.
    pub label: String,
    /// Concurrency.
    pub conc: Option<u32>,
    /// Model key.
    pub model: String,
    /// Hardware key.
    pub hardware: String,
    /// Framework key.
    pub framework: String,
    /// Precision key.
    pub precision: String,
    /// Spec method key.
    pub spec_method: String,
    /// Score; null where the row has none.
    pub score: Option<f64>,
    /// Which score it is.
    pub score_name: Option<String>,
    /// Standard error as reported.
    pub stderr: Option<f64>,
    /// Effective number of answers.
    pub n: Option<f64>,
    /// Wilson's 95 % interval of the score; covers the sampling of questions only.
    pub wilson: Option<Interval>,
    /// Lowest passing score.
    pub threshold: f64,
    /// `default` or `model:<prefix>`.
    pub threshold_source: String,
    /// Whether it passes: a score at or above the threshold, n above zero where stated, nothing broken.
    pub passes: bool,
    /// The best eval of the same task, model, hardware, framework, precision and run; null for a lone row.
    pub best_sibling: Option<EvalId>,
    /// Best sibling's score less this one's; 0 for the best row, null for a lone row.
    pub gap: Option<f64>,
    /// Two-sigma bound of that gap; null for a lone row or where n is not known.
    pub bound: Option<f64>,
    /// Whether the gap is within the bound; null where either is.
    pub within_2_sigma: Option<bool>,
    /// Attempt that measured it.
    pub attempt: Option<Attempt>,
    /// Image it is taken to have run on.
    pub image: Option<String>,
    /// Digest of that image.
    pub image_digest: Option<String>,
    /// Where the image comes from.
    pub image_source: ImageSource,
    /// What broke, if anything.
    pub integration_error: Option<String>,
    /// Artifact it was read from.
    pub artifact: String,
    /// File inside the artifact.
    pub file: String,
    /// Row of a collected file.
    pub row: Option<u32>,
    /// Whether a newer version counts instead.
    pub superseded: bool,
}

/// Siblings are the rows of one task, model, hardware, framework, precision and run.
fn siblings_key(e: &EvalRecord) -> (&str, &str, &str, &str, &str) {
    (&e.task, &e.model, &e.hardware, &e.framework, &e.precision)
}

/// The eval rows of a run with thresholds, intervals, siblings and images. `points` are the run's own.
#[must_use]
pub fn review(stored: &[StoredEval], points: &[Point], thresholds: &Thresholds, words: &Vocabulary) -> Vec<Eval> {
    stored.iter().map(|e| one(e, stored, points, thresholds, words)).collect()
}

fn one(e: &StoredEval, all: &[StoredEval], points: &[Point], thresholds: &Thresholds, words: &Vocabulary) -> Eval {
    let r = &e.record;
    let spellings = words.model_spellings(&r.model);
    let own = r.model_prefix.as_deref().into_iter();
    let threshold = thresholds.find(own.chain(spellings.iter().map(String::as_str)), &r.task);
    let passes = r.score.is_some_and(|s| s >= threshold.value) && r.n.is_none_or(|n| n > 0.0) && r.integration_error.is_none();

    let mut cohort: Vec<(&StoredEval, f64)> = all
        .iter()
        .filter(|o| !o.superseded && siblings_key(&o.record) == siblings_key(r))
        .filter_map(|o| o.record.score.map(|s| (o, s)))
        .collect();
    cohort.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.id.cmp(&b.0.id)));
    // Among equal best scores a best row is its own best sibling.
    let best = cohort
        .first()
        .map(|(_, top)| *top)
        .and_then(|top| cohort.iter().find(|(o, s)| *s == top && o.id == e.id).or_else(|| cohort.first()));
    let alone = cohort.len() < 2 || e.superseded;
    let (best_sibling, gap, bound) = match (best, r.score) {
        (Some((best, top)), Some(score)) if !alone => {
            let bound = best.record.n.zip(r.n).and_then(|(n_b, n)| two_sigma_bound((*top, n_b), (score, n)));
            (Some(best.id.clone()), Some(top - score), bound)
        }
        _ => (None, None, None),
    };
    let (image, image_digest, image_source) = image_of(r, points);
    Eval {
        id: e.id.clone(),
        run_id: r.run_id,
        task: r.task.clone(),
        label: crate::label::label(&r.topology(), r.conc),
        conc: r.conc,
        model: r.model.clone(),
        hardware: r.hardware.clone(),
        framework: r.framework.clone(),
        precision: r.precision.clone(),
        spec_method: r.spec_method.clone(),
        score: r.score,
        score_name: r.score_name.clone(),
        stderr: r.stderr,
        n: r.n,
        wilson: r.score.zip(r.n).and_then(|(s, n)| wilson(s, n)),
        threshold: threshold.value,
        threshold_source: threshold.source,
        passes,
        best_sibling,
        gap,
        bound,
        within_2_sigma: gap.zip(bound).map(|(gap, bound)| gap <= bound),
        attempt: r.attempt,
        image,
        image_digest,
        image_source,
        integration_error: r.integration_error.clone(),
        artifact: r.artifact.clone(),
        file: r.file.clone(),
        row: r.row,
        superseded: e.superseded,
    }
}

/// The image an eval ran on, joined through the run's points of the same configuration, else of the whole curve.
fn image_of(r: &EvalRecord, points: &[Point]) -> (Option<String>, Option<String>, ImageSource) {
    let same = |p: &&Point| {
        !p.superseded && p.model == r.model && p.hardware == r.hardware && p.framework == r.framework && p.precision == r.precision
    };
    let single = |filter: &dyn Fn(&&Point) -> bool| {
        let mut images: Vec<(&Option<String>, &Option<String>)> =
            points.iter().filter(same).filter(filter).map(|p| (&p.image, &p.image_digest)).collect();
        images.sort();
        images.dedup();
        match images.as_slice() {
            [(Some(image), digest)] => Some((Some(image.clone()), (*digest).clone())),
            _ => None,
        }
    };
    let brief = |t: Topology, conc: Option<u32>| crate::label::label(&t, conc);
    let mine = brief(r.topology(), r.conc);
    let exact = |p: &&Point| {
        brief(p.topology(), Some(p.conc)) == mine
            && r.recipe_fingerprint.as_ref().is_none_or(|f| p.recipe_fingerprint.as_ref().is_none_or(|g| f == g))
    };
    if let Some((image, digest)) = single(&exact) {
        return (image, digest, ImageSource::Point);
    }
    match single(&|_| true) {
        Some((image, digest)) => (image, digest, ImageSource::Curve),
        None => (None, None, ImageSource::Unknown),
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
pub(crate) mod tests {
    use super::*;
    use crate::natural_key::{eval_base, eval_id};

    pub(crate) fn record(tp: u32, conc: u32, score: f64) -> EvalRecord {
        EvalRecord {
            run_id: RunId::new(1).unwrap(),
            attempt: None,
            task: "gsm8k".into(),
            suite: None,
            model: "dsv41flash".into(),
            model_prefix: Some("dsv41flash".into()),
            model_path: None,
            hardware: "gb300".into(),
            hardware_label: "gb300".into(),
            framework: "sglang".into(),
            precision: "fp4".into(),
            spec_method: "mtp".into(),
            isl: None,
            osl: None,
            conc: Some(conc),
            disagg: false,
            multinode: false,
            parallel: Parallel { tp: Some(tp), ..Parallel::default() },
            prefill: None,
            decode: None,
            recipe_fingerprint: None,
            score: Some(score),
            score_name: Some("em_strict".into()),
            stderr: None,
            n: Some(1319.0),
            metrics: Default::default(),
            integration_error: None,
            artifact: "eval_x".into(),
            file: "results.json".into(),
            row: None,
        }
    }

    fn stored(record: EvalRecord) -> StoredEval {
        StoredEval { id: eval_id(&eval_base(&record), None), superseded: false, record }
    }

    #[test]
    fn reference_run() {
        let scores = [0.9735, 0.9757, 0.9757, 0.9735, 0.9757, 0.9689];
        let rows: Vec<_> = scores.iter().zip(1..).map(|(s, c)| stored(record(4, c, *s))).collect();
        let evals = review(&rows, &[], &Thresholds::shipped().unwrap(), &Vocabulary::shipped().unwrap());
        assert!(evals.iter().all(|e| e.passes && e.within_2_sigma == Some(true) && e.threshold == 0.90 && e.threshold_source == "default"));
        let worst = &evals[5];
        assert!((worst.gap.unwrap() - 0.0068).abs() < 1e-9);
        assert!((worst.bound.unwrap() - 0.0128).abs() < 5e-5);
        for best in [1, 2, 4] {
            assert_eq!(evals[best].gap, Some(0.0));
            assert_eq!(evals[best].best_sibling.as_ref(), Some(&evals[best].id));
        }
    }

    #[test]
    fn a_lone_row_has_no_sibling() {
        let evals = review(&[stored(record(4, 1, 0.95))], &[], &Thresholds::shipped().unwrap(), &Vocabulary::shipped().unwrap());
        assert_eq!((evals[0].best_sibling.clone(), evals[0].gap, evals[0].bound, evals[0].within_2_sigma), (None, None, None, None));
    }

    #[test]
    fn what_fails() {
        let (t, w) = (Thresholds::shipped().unwrap(), Vocabulary::shipped().unwrap());
        let verdict = |change: fn(&mut EvalRecord)| {
            let mut r = record(4, 1, 0.95);
            change(&mut r);
            review(&[stored(r)], &[], &t, &w)[0].passes
        };
        assert!(verdict(|_| {}));
        assert!(verdict(|r| r.score = Some(0.90)));
        assert!(!verdict(|r| r.score = Some(0.8999)));
        assert!(!verdict(|r| r.score = Some(0.0)));
        assert!(!verdict(|r| r.score = None));
        assert!(!verdict(|r| r.n = Some(0.0)));
        assert!(!verdict(|r| r.integration_error = Some("timeout".into())));
    }
}
