//! What each page is made of, one file a page. The server fills these values, [`crate::render`] turns them into HTML.

mod changelog;
mod compare;
mod cookbook;
mod home;
mod overlay;
mod point;
mod problem;
mod pull;
mod pulls;
mod run;
mod runs;

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::fact::RunFact;
use paretoscope_domain::point::Point;
use paretoscope_domain::pull::PullState;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::{Attempt, RunId};

use paretoscope_review::CheckStatus;
use paretoscope_review::drift::CookbookEntry;
use paretoscope_review::timeline::PullAnswer;

use crate::view_state::{OverlayView, PullsView, RunView, RunsView};

pub(crate) use changelog::changelog;
pub use changelog::{ChangelogPage, ChangelogState};
pub(crate) use compare::compare;
pub use compare::{BasePoints, ComparePage, CompareShown};
pub use cookbook::CookbookPage;
pub(crate) use cookbook::cookbook;
pub(crate) use home::home;
pub(crate) use overlay::{evaluation, inference};
pub(crate) use point::point;
pub(crate) use problem::problem;
pub(crate) use pull::pull;
pub(crate) use pulls::pulls;
pub(crate) use run::run;
pub use run::run_figure;
pub(crate) use runs::runs;

/// A page and all it shows.
#[expect(clippy::large_enum_variant, reason = "made once for a response and moved once")]
pub enum Page {
    /// `/`
    Home(HomePage),
    /// `/runs`
    Runs(RunsPage),
    /// `/runs/{run_id}`
    Run(Box<RunPage>),
    /// `/runs/{run_id}/points/{point_id}`
    Point(Box<PointPage>),
    /// `/pulls`
    Pulls(PullsPage),
    /// `/pulls/{number}`
    Pull(Box<PullPage>),
    /// `/cookbook`
    Cookbook(CookbookPage),
    /// `/changelog`
    Changelog(Box<ChangelogPage>),
    /// `/compare`
    Compare(Box<ComparePage>),
    /// `/inference`
    Inference(Box<OverlayPage>),
    /// `/evaluation`
    Evaluation(Box<OverlayPage>),
    /// Anything that can't be shown.
    Problem(ProblemPage),
}

/// The first page.
pub struct HomePage {
    /// Newest runs, newest first.
    pub newest: Vec<Run>,
    /// Runs stored, purged ones aside.
    pub runs_total: usize,
    /// Points that count.
    pub points_total: usize,
    /// Evals that count.
    pub evals_total: usize,
    /// Runs of synthetic sample data among them.
    pub synthetic_runs: usize,
    /// What happened lately, newest first: text, and where it leads.
    pub changes: Vec<(String, Option<String>)>,
}

/// Choices of a filter: key and how many runs have it.
pub type Choices = Vec<(String, usize)>;

/// What the list of runs can be narrowed to.
#[derive(Clone, Debug, Default)]
pub struct Facets {
    /// Model keys.
    pub models: Choices,
    /// Hardware keys.
    pub hardware: Choices,
    /// Framework keys.
    pub frameworks: Choices,
}

/// The list of runs.
pub struct RunsPage {
    /// State of the view.
    pub view: RunsView,
    /// Runs of this page.
    pub items: Vec<Run>,
    /// Runs that the filters let through, on all pages.
    pub total: usize,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// What the filters offer.
    pub facets: Facets,
    /// Parameters that could not be used, in words.
    pub problems: Vec<String>,
}

/// One run.
pub struct RunPage {
    /// State of the view.
    pub view: RunView,
    /// The run and all it holds.
    pub detail: Arc<RunDetail>,
    /// What it is compared with.
    pub baseline: BaselineChoice,
    /// Runs that share a curve with it, for the choice of a baseline; newest first.
    pub candidates: Vec<Run>,
    /// What the cookbook says of it.
    pub cookbook: CookbookShown,
    /// Parameters that could not be used, in words.
    pub problems: Vec<String>,
}

/// What the cookbook says of a run or a point.
#[derive(Clone, Debug, Default)]
pub struct CookbookShown {
    /// Entries.
    pub entries: Vec<CookbookEntry>,
    /// Whether any snippet was ever read.
    pub synced: bool,
    /// Runs that have a page here.
    pub known: BTreeSet<RunId>,
}

/// What a run is compared with.
pub enum BaselineChoice {
    /// Nothing.
    None {
        /// Why, as a sentence.
        why: String,
    },
    /// Another run.
    Some {
        /// That run.
        run: Box<Run>,
        /// All versions of its points.
        points: Vec<Point>,
        /// Whether it was asked for by its id.
        chosen: bool,
    },
}

/// One point.
pub struct PointPage {
    /// Its run.
    pub run: Run,
    /// Versions, the one that counts first.
    pub versions: Vec<Point>,
    /// All versions of all points of the run, in the run's order: what it is compared with and stands beside.
    pub siblings: Vec<Point>,
    /// Rows as their artifacts have them, a version each.
    pub raw: Vec<RawVersion>,
    /// The same point of the baseline.
    pub baseline: Option<(Run, Point)>,
    /// Facts of the run's execution.
    pub evidence: Vec<RunFact>,
    /// Cells of the cookbook that hold it.
    pub cookbook: CookbookShown,
}

/// A row as its artifact has it.
#[derive(Clone, Debug)]
pub struct RawVersion {
    /// Artifact.
    pub artifact: String,
    /// File inside it.
    pub file: String,
    /// Row of a collected file, from 0.
    pub row: Option<u32>,
    /// Attempt that uploaded it.
    pub attempt: Option<Attempt>,
    /// The row, as JSON text.
    pub json: String,
}

/// The list of pull requests.
pub struct PullsPage {
    /// State of the view.
    pub view: PullsView,
    /// Pull requests of this page, highest number first.
    pub items: Vec<PullListItem>,
    /// Pull requests that the filters let through, on all pages.
    pub total: usize,
    /// Cursor of the next page.
    pub next: Option<i64>,
    /// Parameters that could not be used, in words.
    pub problems: Vec<String>,
}

/// A pull request in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct PullListItem {
    /// Number.
    pub number: i64,
    /// Title; empty where never told.
    pub title: String,
    /// State; `None` where its payload was never read.
    pub state: Option<PullState>,
    /// Whether it is a draft.
    pub draft: bool,
    /// Who opened it; empty where never told.
    pub author: String,
    /// Page on GitHub.
    pub url: String,
    /// The pinned run.
    pub pinned: Option<RunId>,
    /// Whether that run is known here and shown.
    pub pinned_known: bool,
    /// Runs of it that are known here.
    pub runs: usize,
    /// How many checks gave which answer; `None` where they can't be asked.
    pub checks: Option<Vec<(CheckStatus, usize)>>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// Whether it is a retelling.
    pub retold: bool,
}

/// One pull request.
pub struct PullPage {
    /// Everything about it.
    pub answer: PullAnswer,
}

/// Runs laid over each other.
pub struct OverlayPage {
    /// State of the view.
    pub view: OverlayView,
    /// Runs that can be shown, in the order asked for.
    pub runs: Vec<Arc<RunDetail>>,
    /// Ids that can't.
    pub problems: Vec<IdProblem>,
    /// Parameters that could not be used, in words.
    pub parameter_problems: Vec<String>,
    /// Newest runs, offered where none was asked for.
    pub newest: Vec<Run>,
}

/// A run id that can't be shown.
#[derive(Clone, Debug)]
pub struct IdProblem {
    /// The id, as asked for.
    pub id: String,
    /// Why, as a sentence.
    pub reason: String,
    /// What to do, as a sentence; code between backquotes.
    pub what_to_do: String,
}

/// A page that says what went wrong.
pub struct ProblemPage {
    /// HTTP status.
    pub status: u16,
    /// In few words.
    pub title: String,
    /// As sentences.
    pub detail: String,
    /// What to do: text (code between backquotes) and where it leads.
    pub advice: Vec<(String, Option<String>)>,
}
