//! Two runs, or a run and the official curve, against each other: the answer, the frontiers, every point, and what differs.

mod beside;
mod choice;
mod frontiers;
mod header;
mod table;

use std::sync::Arc;

use leptos::prelude::*;
use paretoscope_domain::curve::Axes;
use paretoscope_domain::point::Point;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_review::compare::Comparison;

use super::IdProblem;
use crate::document::{Head, Site};
use crate::parts::curves::{self, GroupKey};
use crate::parts::view::problems;
use crate::parts::{Block, islands};
use crate::view_state::{CompareView, address, axes_for};

/// What the page shows.
pub struct ComparePage {
    /// State of the view.
    pub view: CompareView,
    /// The comparison, or why there is none.
    pub shown: CompareShown,
    /// Runs that the run may be compared with, newest first.
    pub candidates: Vec<Run>,
    /// Newest runs, offered where none was asked for.
    pub newest: Vec<Run>,
    /// Parameters that could not be used, in words.
    pub problems: Vec<String>,
}

/// What there is to show.
#[expect(clippy::large_enum_variant, reason = "made once for a response and moved once")]
pub enum CompareShown {
    /// No run was asked for.
    Nothing,
    /// The run, if it can be shown, but nothing to compare it with.
    Refused {
        /// The run.
        head: Option<Run>,
        /// Runs that can't be shown.
        ids: Vec<IdProblem>,
        /// Any other reason, as a sentence.
        why: Option<String>,
    },
    /// Both sides.
    Compared {
        /// The comparison.
        comparison: Box<Comparison>,
        /// The run.
        head: Arc<RunDetail>,
        /// Points of the baseline, all versions.
        base: BasePoints,
    },
}

/// Where the baseline's points stand.
pub enum BasePoints {
    /// With their run.
    Run(Arc<RunDetail>),
    /// Gathered from the runs that give the official curve.
    Official(Vec<Point>),
}

impl BasePoints {
    fn points(&self) -> &[Point] {
        match self {
            Self::Run(detail) => &detail.points,
            Self::Official(points) => points,
        }
    }
}

/// What the parts of the page share.
struct Context<'a> {
    words: &'a Vocabulary,
    view: &'a CompareView,
    comparison: &'a Comparison,
    head: &'a RunDetail,
    base: &'a BasePoints,
    candidates: &'a [Run],
    /// What is drawn: model and scenario.
    group: Option<GroupKey>,
    axes: Axes,
}

/// The page.
pub(crate) fn compare(site: &Site, page: ComparePage) -> (Head, Block) {
    let ComparePage { view, shown, candidates, newest, problems: mut bad } = page;
    match shown {
        CompareShown::Nothing => choice::nothing(site, &view, &newest, &bad),
        CompareShown::Refused { head, ids, why } => choice::refused(site, &view, head.as_ref(), &ids, why.as_deref(), &candidates, &bad),
        CompareShown::Compared { comparison, head, base } => {
            let groups = curves::groups(head.points.iter().chain(base.points()));
            let (group, unmatched) = curves::chosen(&groups, view.model.as_deref(), view.scenario, &site.words);
            bad.extend(unmatched);
            let scenario = group.as_ref().map_or(paretoscope_domain::Scenario::AgenticTraces, |g| g.scenario);
            let context = Context {
                words: &site.words,
                view: &view,
                comparison: &comparison,
                head: &head,
                base: &base,
                candidates: &candidates,
                group,
                axes: axes_for(view.x.as_deref(), view.y.as_deref(), scenario),
            };
            // A narrow table stands beside the chart, in the first screen.
            let (points, narrow) = table::section(&context);
            let (beside, below) = if narrow { (Some(points), None) } else { (None, Some(points)) };
            let body = view! {
                {header::header(&context)}
                <div id="address-problems" data-swap="">{problems(&bad)}</div>
                {frontiers::section(&context, &groups, beside)}
                {islands::chart()}
                {below}
                {beside::alone(&context)}
                {beside::evals(&context)}
                {beside::differences(&context)}
            };
            (header::head(&context), body.into_any())
        }
    }
}

/// Address of a view of this page.
fn path(view: &CompareView) -> String {
    address("/compare", &view.to_query())
}
