//! A side of a comparison: a run, or the official curve as of a date.

use std::borrow::Cow;
use std::cmp::Reverse;

use jiff::Timestamp;
use jiff::civil::Date;
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::eval::Eval;
use paretoscope_domain::fact::RunFact;
use paretoscope_domain::point::Point;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::{Baseline, Kind, RunId};
use serde::{Deserialize, Serialize};

/// What is compared. Its points keep their runs: those of the official curve may come from several.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    /// All versions of its points.
    pub points: Cow<'a, [Point]>,
    /// Evals that count.
    pub evals: Vec<&'a Eval>,
    /// Runs that its points come from, newest first, each with the curves it gives.
    pub runs: Vec<(&'a RunDetail, Vec<CurveKey>)>,
    /// The official curve, and the last day that it may come from; `None` for a run.
    pub official: Option<Option<Date>>,
    /// Runs that would have given a curve but are hidden.
    pub hidden: Vec<(CurveKey, RunId)>,
}

impl<'a> Side<'a> {
    /// A run as a side.
    #[must_use]
    pub fn run(detail: &'a RunDetail) -> Self {
        Self {
            points: Cow::Borrowed(&detail.points),
            evals: detail.evals.iter().filter(|e| !e.superseded).collect(),
            runs: vec![(detail, detail.run.curves.clone())],
            official: None,
            hidden: Vec::new(),
        }
    }

    /// `run 41261902147`, `the official curve`, `the official curve as of 2026-10-29`.
    #[must_use]
    pub fn title(&self) -> String {
        match (self.official, self.runs.first()) {
            (None, Some((detail, _))) => format!("run {}", detail.run.run_id),
            (None, None) => "no run".to_owned(),
            (Some(None), _) => "the official curve".to_owned(),
            (Some(Some(date)), _) => format!("the official curve as of {date}"),
        }
    }

    /// Whether it is made up.
    #[must_use]
    pub fn synthetic(&self) -> bool {
        self.runs.iter().any(|(d, _)| d.run.synthetic)
    }

    /// Facts about the execution of its runs.
    pub fn evidence(&self) -> impl Iterator<Item = &'a RunFact> {
        self.runs.iter().flat_map(|(d, _)| &d.evidence)
    }

    /// What the answer says of it.
    #[must_use]
    pub fn summary(&self) -> SideSummary {
        let runs: Vec<RunBrief> = self.runs.iter().map(|(d, curves)| RunBrief::of(&d.run, curves.clone())).collect();
        SideSummary {
            run_id: if self.official.is_none() { runs.first().map(|r| r.run_id) } else { None },
            title: self.title(),
            official: self.official.is_some(),
            as_of: self.official.flatten().map(|d| d.to_string()),
            synthetic: self.synthetic(),
            point_count: self.points.iter().filter(|p| p.counts()).count(),
            eval_count: self.evals.len(),
            runs,
            hidden: self.hidden.iter().map(|(curve, run_id)| HiddenRun { curve: curve.clone(), run_id: *run_id }).collect(),
        }
    }
}

/// One side of a comparison, in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SideSummary {
    /// The run; null for the official curve.
    pub run_id: Option<RunId>,
    /// `run 41261902147`, `the official curve as of 2026-10-29`.
    pub title: String,
    /// Whether it is the official curve.
    pub official: bool,
    /// Last day that the official curve may come from; null for a run, and where none was asked for.
    pub as_of: Option<String>,
    /// Synthetic sample data, not a measurement.
    pub synthetic: bool,
    /// Points that count.
    pub point_count: usize,
    /// Evals that count.
    pub eval_count: usize,
    /// Runs that the points come from, newest first.
    pub runs: Vec<RunBrief>,
    /// Official runs that would have given a curve but are hidden.
    pub hidden: Vec<HiddenRun>,
}

/// A run that gives a side its points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunBrief {
    /// Run.
    pub run_id: RunId,
    /// Standing.
    pub kind: Kind,
    /// Synthetic sample data, not a measurement.
    pub synthetic: bool,
    /// Day it was created; null where unknown.
    pub date: Option<String>,
    /// Commit it measured.
    pub head_sha: Option<String>,
    /// Pull request.
    pub pr_number: Option<i64>,
    /// Page of the run; null for synthetic runs.
    pub html_url: Option<String>,
    /// Curves it gives.
    pub curves: Vec<CurveKey>,
}

impl RunBrief {
    fn of(run: &Run, curves: Vec<CurveKey>) -> Self {
        Self {
            run_id: run.run_id,
            kind: run.kind,
            synthetic: run.synthetic,
            date: run.date.clone(),
            head_sha: run.head_sha.clone(),
            pr_number: run.pr_number,
            html_url: run.html_url.clone(),
            curves,
        }
    }
}

/// An official run that is hidden, so that its curve comes from an older run or from none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HiddenRun {
    /// Curve.
    pub curve: CurveKey,
    /// Run.
    pub run_id: RunId,
}

/// Where an official curve comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfficialSource {
    /// The newest official run of the curve that may be shown.
    pub run: Option<RunId>,
    /// A newer one that is hidden.
    pub hidden: Option<RunId>,
}

/// For each curve the newest official run not later than `date`: the newest of all where there is no date. Undated runs can't be
/// called earlier than anything, so they give no curve; neither does `except` (the run that is compared), nor a run of the other
/// world than `synthetic` says.
#[must_use]
pub fn official_sources<'a>(
    runs: impl IntoIterator<Item = &'a Run>,
    date: Option<Date>,
    curves: &[CurveKey],
    synthetic: bool,
    except: Option<RunId>,
) -> Vec<OfficialSource> {
    let mut newest: Vec<(Option<&Run>, Option<&Run>)> = vec![(None, None); curves.len()];
    let newer = |held: Option<&Run>, run: &Run| held.is_none_or(|held| Baseline::from(held).is_earlier_than(&Baseline::from(run)));
    for run in runs {
        let day = run.date.as_deref().and_then(|d| d.parse::<Date>().ok());
        let early_enough = day.is_some_and(|day| date.is_none_or(|until| day <= until));
        if run.kind != Kind::Official || run.synthetic != synthetic || !early_enough || except == Some(run.run_id) {
            continue;
        }
        for (curve, (shown, hidden)) in curves.iter().zip(&mut newest) {
            if !run.curves.contains(curve) {
                continue;
            }
            let held = if run.purged.is_some() { hidden } else { shown };
            if newer(*held, run) {
                *held = Some(run);
            }
        }
    }
    newest
        .into_iter()
        .map(|(shown, hidden)| OfficialSource {
            run: shown.map(|r| r.run_id),
            hidden: hidden.filter(|h| newer(shown, h)).map(|r| r.run_id),
        })
        .collect()
}

/// The official curves as of a date: the points of the newest official run of each curve not later than it, as
/// [`official_sources`] finds them among `runs`. Each point keeps its run.
#[must_use]
pub fn official_as_of<'a>(runs: &[&'a RunDetail], date: Option<Date>, curves: &[CurveKey], except: Option<RunId>) -> Side<'a> {
    // Real runs and synthetic ones have curves among themselves; what was gathered is of one world.
    let synthetic = runs.first().is_some_and(|d| d.run.synthetic);
    let sources = official_sources(runs.iter().map(|d| &d.run), date, curves, synthetic, except);
    let mut chosen: Vec<(&RunDetail, Vec<CurveKey>)> = Vec::new();
    let mut hidden = Vec::new();
    for (curve, source) in curves.iter().zip(&sources) {
        hidden.extend(source.hidden.map(|id| (curve.clone(), id)));
        let Some(detail) = source.run.and_then(|id| runs.iter().find(|d| d.run.run_id == id)) else { continue };
        match chosen.iter_mut().find(|(d, _)| d.run.run_id == detail.run.run_id) {
            Some((_, curves)) => curves.push(curve.clone()),
            None => chosen.push((detail, vec![curve.clone()])),
        }
    }
    chosen.sort_by_key(|(d, _)| Reverse(in_time(&d.run)));
    let points = chosen.iter().flat_map(|(d, mine)| d.points.iter().filter(|p| mine.contains(&CurveKey::of(p)))).cloned().collect();
    let of_curves = |e: &Eval, mine: &[CurveKey]| {
        mine.iter().any(|c| {
            (&c.model, &c.hardware, &c.framework, &c.precision) == (&e.model, &e.hardware, &e.framework, &e.precision)
                && c.spec_method.as_ref().is_none_or(|s| *s == e.spec_method)
        })
    };
    let evals = chosen.iter().flat_map(|(d, mine)| d.evals.iter().filter(|e| !e.superseded && of_curves(e, mine))).collect();
    Side { points: Cow::Owned(points), evals, runs: chosen, official: Some(date), hidden }
}

/// A run's place in time, for sorting: the day, the time where it is known, the number.
pub(super) fn in_time(run: &Run) -> (Option<&str>, Option<Timestamp>, RunId) {
    (run.date.as_deref(), run.created_at, run.run_id)
}

/// Runs whose values tell the noise of `head`'s configurations: earlier than it, sharing a curve, official or of its pull request,
/// shown, of the same world; the newest `limit` of them, newest first.
#[must_use]
pub fn earlier_runs<'a>(head: &Run, runs: impl IntoIterator<Item = &'a Run>, limit: usize) -> Vec<RunId> {
    let now = Baseline::from(head);
    let mut found: Vec<&Run> = runs
        .into_iter()
        .filter(|r| {
            r.run_id != head.run_id
                && r.purged.is_none()
                && r.synthetic == head.synthetic
                && (r.kind == Kind::Official || (r.pr_number.is_some() && r.pr_number == head.pr_number))
                && Baseline::from(*r).is_earlier_than(&now)
                && r.curves.iter().any(|c| head.curves.contains(c))
        })
        .collect();
    found.sort_by_key(|r| Reverse(in_time(r)));
    found.into_iter().take(limit).map(|r| r.run_id).collect()
}
