//! The cookbook's claims against pins, official runs, images, golden acceptance lengths and matrices (formats-and-rules §4).
//!
//! [`cookbook`] judges what stands in the cookbook now, [`rounds`] what each round of a pull request's configurations said while
//! it stood. A claim that nothing read here contradicts is no drift; one that can't be looked at is listed under
//! [`CookbookEntry::not_known`] with the reason, never taken for fine.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::cookbook::{Cell, CookbookFile, CookbookStatus, CookbookVersion};
use paretoscope_domain::point::Point;
use paretoscope_domain::pull::{Pull, same_commit};
use paretoscope_domain::repo::{ConfigFact, RepoFacts};
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{Attempt, RunId};
use serde::{Deserialize, Serialize};

use crate::evidence::Language;

mod filter;
pub mod golden;
mod judge;
mod layout;
mod words;

pub use filter::{BadDriftFilter, CookbookFilter, DriftFilter};
pub use words::{Against, Missing};
pub(crate) use words::{not_known, status};

/// Frameworks that the cookbook documents, by their keys. The others have recipes elsewhere.
pub const COVERED: [&str; 2] = ["sglang", "dynamo-sglang"];

/// What the judgement looks at.
#[derive(Clone, Copy)]
pub struct CookbookInputs<'a> {
    /// Every state of every snippet that was seen, in any order.
    pub versions: &'a [CookbookVersion],
    /// Pull requests that were read.
    pub pulls: &'a [&'a Pull],
    /// Runs whose rows are known here: those that are claimed, pinned or official; purged ones left out.
    pub runs: &'a [Arc<RunDetail>],
    /// The newest synced state of the benchmark repository's main branch.
    pub main: Option<&'a RepoFacts>,
    /// Other synced states, for cells that mirror a commit of a pull request.
    pub states: &'a [&'a RepoFacts],
    /// Official runs, newest first; purged and synthetic ones left out.
    pub official: &'a [&'a Run],
    /// Names and their spellings.
    pub words: &'a Vocabulary,
    /// The time of looking.
    pub now: Timestamp,
}

/// The cookbook as it stands, judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Cookbook {
    /// One for each cell, and one for each configuration that the official data knows and the cookbook doesn't; by key.
    pub entries: Vec<CookbookEntry>,
    /// Configurations that the official data knows and that can't be in the cookbook.
    pub left_out: Vec<LeftOut>,
}

/// Configurations that are not listed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeftOut {
    /// Framework.
    pub framework: String,
    /// How many configurations.
    pub configurations: usize,
    /// Why, as a sentence.
    pub why: String,
}

/// One cell of the cookbook, or one configuration that it lacks, with its drift.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CookbookEntry {
    /// Configuration key.
    pub config_key: String,
    /// Cell: `<configuration key>#<item>`; null where the configuration is not published.
    pub cell_id: Option<String>,
    /// Model key; as written where the vocabulary doesn't know it, null where nothing tells.
    pub model: Option<String>,
    /// Hardware key; likewise.
    pub hardware: Option<String>,
    /// Framework key; likewise.
    pub framework: Option<String>,
    /// Label of the cell: `Agg TP2·EP2`.
    pub label: Option<String>,
    /// How far it has come.
    pub status: CookbookStatus,
    /// Commit it claims.
    pub sha: Option<String>,
    /// Run it claims.
    pub run_id: Option<RunId>,
    /// Attempt it claims.
    pub attempt: Option<Attempt>,
    /// Pull request it mirrors.
    pub pr: Option<i64>,
    /// Image it claims, without the digest.
    pub image: Option<String>,
    /// Digest of that image.
    pub image_digest: Option<String>,
    /// What it says of the image: `ok`, `pruned`, `digest-only`.
    pub image_status: Option<String>,
    /// Golden acceptance length it claims, as written; several are joined by commas.
    pub golden_al: Option<String>,
    /// Concurrencies of its points.
    pub concs: Vec<u32>,
    /// Date it states, as written.
    pub date: Option<String>,
    /// Repository of the cookbook.
    pub repo: Option<String>,
    /// Snippet within it.
    pub path: Option<String>,
    /// Commit of the cookbook at which the snippet was read.
    pub commit: Option<String>,
    /// Pull request of the cookbook that brought this state.
    pub cookbook_pr: Option<i64>,
    /// Page that people read.
    pub page: Option<String>,
    /// Repository that the snippet mirrors.
    pub source_repo: Option<String>,
    /// Since when this state stands: of its commit, else of its reading here.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub as_of: Option<Timestamp>,
    /// Run that the newest authorised command on the pull request names.
    pub pinned_run_id: Option<RunId>,
    /// Newest official run of the configuration: the one that measured it, where another ingested it.
    pub official_run_id: Option<RunId>,
    /// Where the claims differ from what is known here.
    pub drift: Vec<Drift>,
    /// Which claims could not be looked at.
    pub not_known: Vec<NotKnown>,
    /// Sentences a reader should know beside them.
    pub notes: Vec<String>,
}

/// A claim that differs from what is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Drift {
    /// Kind.
    pub kind: DriftKind,
    /// What it should be; null where that is nothing. For points: those that the cookbook lacks.
    pub expected: Option<String>,
    /// What the cookbook says; null where that is nothing. For points: those that only the cookbook has.
    pub found: Option<String>,
    /// What it was held against.
    pub against: Against,
    /// In words: `run: cookbook 40809149952, pinned 41261902147`.
    pub sentence: String,
    /// Page that shows what it was held against.
    pub href: Option<String>,
    /// Since when both stood as they do.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub since: Option<Timestamp>,
}

impl Drift {
    /// In words.
    #[must_use]
    pub fn in_words(&self, language: Language) -> String {
        words::sentence(self, language)
    }
}

/// Kinds of drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DriftKind {
    /// Another run than the pinned or the official one.
    Run,
    /// Another commit than the run measured.
    Commit,
    /// Another image than the run's points ran on.
    Image,
    /// The registry dropped the image.
    ImagePruned,
    /// Another acceptance length than the committed one.
    GoldenAl,
    /// Points that only one side has.
    Points,
    /// A status older than the merge.
    Status,
    /// A setting that checks 8 or 13 forbid.
    ForbiddenFlag,
}

impl DriftKind {
    /// All kinds.
    pub const ALL: [Self; 8] =
        [Self::Run, Self::Commit, Self::Image, Self::ImagePruned, Self::GoldenAl, Self::Points, Self::Status, Self::ForbiddenFlag];

    /// The word, as in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Commit => "commit",
            Self::Image => "image",
            Self::ImagePruned => "image_pruned",
            Self::GoldenAl => "golden_al",
            Self::Points => "points",
            Self::Status => "status",
            Self::ForbiddenFlag => "forbidden_flag",
        }
    }

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Commit => "commit",
            Self::Image => "image",
            Self::ImagePruned => "image pruned",
            Self::GoldenAl => "golden AL",
            Self::Points => "points",
            Self::Status => "status",
            Self::ForbiddenFlag => "forbidden flag",
        }
    }

    /// Reads a word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == text.trim())
    }
}

/// A claim that could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotKnown {
    /// Which claim.
    pub kind: DriftKind,
    /// What is missing.
    pub missing: Missing,
    /// Why, as a sentence.
    pub why: String,
}

/// A state of a snippet and what it said of some configurations while it stood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Round {
    /// Repository of the cookbook.
    pub repo: String,
    /// Snippet.
    pub path: String,
    /// Commit of the cookbook.
    pub commit: Option<String>,
    /// Pull request of the cookbook that brought it.
    pub cookbook_pr: Option<i64>,
    /// From when it stood.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub from: Timestamp,
    /// Until when; null for the one that stands.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub until: Option<Timestamp>,
    /// Its cells, judged at the end of that time.
    pub entries: Vec<CookbookEntry>,
}

/// The cookbook at [`CookbookInputs::now`].
#[must_use]
pub fn cookbook(inputs: &CookbookInputs<'_>) -> Cookbook {
    let mut entries: Vec<CookbookEntry> = current(inputs)
        .into_iter()
        .flat_map(|version| version.file.cells.iter().map(move |cell| (version, cell)))
        .map(|(version, cell)| judge::cell(inputs, version, cell, inputs.now))
        .collect();
    let (missing, left_out) = not_published(inputs, &entries);
    entries.extend(missing);
    entries.sort_by(|a, b| (&a.config_key, &a.cell_id, &a.path).cmp(&(&b.config_key, &b.cell_id, &b.path)));
    Cookbook { entries, left_out }
}

/// Rounds of the cookbook that spoke of a pull request or of its configurations, oldest first. Each is judged at the end of the
/// time it stood, so that one which missed a pin shows it, until the one that made up for it.
#[must_use]
pub fn rounds(inputs: &CookbookInputs<'_>, pr: i64, config_keys: &[String]) -> Vec<Round> {
    let concerns = |cell: &Cell| cell.pr == Some(pr) || config_keys.contains(&cell.config_key);
    let mut rounds: Vec<Round> = by_snippet(inputs)
        .into_values()
        .flat_map(|states| {
            let ends = states.iter().skip(1).map(|v| Some(v.at())).chain([None]).collect::<Vec<_>>();
            states.into_iter().zip(ends).collect::<Vec<_>>()
        })
        .filter(|(version, _)| version.file.cells.iter().any(concerns))
        .map(|(version, until)| {
            // Just before the next one came.
            let end = until.and_then(|t| t.checked_sub(jiff::SignedDuration::from_nanos(1)).ok()).unwrap_or(inputs.now);
            let CookbookFile { repo, path, commit, cookbook_pr, cells, .. } = &version.file;
            Round {
                repo: repo.clone(),
                path: path.clone(),
                commit: commit.clone(),
                cookbook_pr: *cookbook_pr,
                from: version.at(),
                until,
                entries: cells.iter().filter(|c| concerns(c)).map(|c| judge::cell(inputs, version, c, end)).collect(),
            }
        })
        .collect();
    rounds.sort_by(|a, b| (a.from, &a.path).cmp(&(b.from, &b.path)));
    rounds
}

/// Entries that concern a run: it is what they claim, pin or hold official, or they are of its configurations.
#[must_use]
pub fn of_run<'a>(entries: &'a [CookbookEntry], run: &Run) -> Vec<&'a CookbookEntry> {
    if run.synthetic {
        return Vec::new();
    }
    let id = Some(run.run_id);
    entries
        .iter()
        .filter(|e| e.run_id == id || e.pinned_run_id == id || e.official_run_id == id || run.config_keys.contains(&e.config_key))
        .collect()
}

/// Entries of a run that are about a point: by concurrency and, where the cell names a layout that can be read, by layout.
#[must_use]
pub fn of_point<'a>(entries: &'a [CookbookEntry], run: &Run, point: &Point) -> Vec<&'a CookbookEntry> {
    let keys: &[String] = point.config_key.as_ref().map_or(&run.config_keys, std::slice::from_ref);
    let mut mine = of_run(entries, run);
    mine.retain(|e| {
        keys.contains(&e.config_key) && e.concs.contains(&point.conc) && e.label.as_deref().is_none_or(|l| layout::may_be(l, point))
    });
    mine
}

/// Runs that a judgement will want to look into: claimed, pinned and official ones.
#[must_use]
pub fn wanted_runs(inputs: &CookbookInputs<'_>) -> Vec<RunId> {
    let mut ids: Vec<RunId> = inputs.versions.iter().flat_map(|v| &v.file.cells).filter_map(|c| c.run_id).collect();
    ids.extend(inputs.pulls.iter().flat_map(|p| crate::timeline::commands(p)).filter_map(|c| c.run_id));
    let keys: std::collections::BTreeSet<&str> =
        inputs.versions.iter().flat_map(|v| &v.file.cells).map(|c| c.config_key.as_str()).collect();
    ids.extend(keys.into_iter().filter_map(|key| judge::official(inputs, key, None)).map(|r| r.run_id));
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// States of each snippet, oldest first; what comes after the time of looking is not there yet.
fn by_snippet<'a>(inputs: &CookbookInputs<'a>) -> BTreeMap<(&'a str, &'a str), Vec<&'a CookbookVersion>> {
    let mut snippets: BTreeMap<(&str, &str), Vec<&CookbookVersion>> = BTreeMap::new();
    for version in inputs.versions.iter().filter(|v| v.at() <= inputs.now) {
        snippets.entry((&version.file.repo, &version.file.path)).or_default().push(version);
    }
    for states in snippets.values_mut() {
        states.sort_by_key(|v| (v.at(), v.synced_at));
    }
    snippets
}

/// The newest state of each snippet.
fn current<'a>(inputs: &CookbookInputs<'a>) -> Vec<&'a CookbookVersion> {
    by_snippet(inputs).into_values().filter_map(|states| states.last().copied()).collect()
}

/// A master configuration at the newest state of main.
fn config<'a>(inputs: &CookbookInputs<'a>, key: &str) -> Option<&'a ConfigFact> {
    inputs.main?.configs.iter().find(|c| c.key == key)
}

/// The synced state of the benchmark repository at a commit.
fn state_at<'a>(inputs: &CookbookInputs<'a>, sha: &str) -> Option<&'a RepoFacts> {
    inputs.main.into_iter().chain(inputs.states.iter().copied()).find(|s| s.commit.as_deref().is_some_and(|c| same_commit(c, sha)))
}

/// Configurations of the official data that no snippet has, and those that none could have.
fn not_published(inputs: &CookbookInputs<'_>, published: &[CookbookEntry]) -> (Vec<CookbookEntry>, Vec<LeftOut>) {
    let framework_key = |name: &str| inputs.words.framework(name).map_or_else(|| name.to_owned(), |e| e.key.clone());
    // Key and frameworks: by the master configuration where there is one, else by the official runs.
    let mut known: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for run in inputs.official {
        for key in &run.config_keys {
            let frameworks = known.entry(key).or_default();
            frameworks.extend(run.frameworks.iter().cloned());
        }
    }
    for config in inputs.main.into_iter().flat_map(|m| &m.configs) {
        known.insert(&config.key, vec![framework_key(&config.framework)]);
    }
    let mut entries = Vec::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for (key, mut frameworks) in known {
        if published.iter().any(|e| e.config_key == key) {
            continue;
        }
        frameworks.sort();
        frameworks.dedup();
        if frameworks.iter().any(|f| COVERED.contains(&f.as_str())) {
            entries.push(judge::unpublished(inputs, key, frameworks.first().cloned()));
        } else {
            *others.entry(inputs.words.framework_label(&Language::En.list(&frameworks)).to_owned()).or_default() += 1;
        }
    }
    let left_out = others
        .into_iter()
        .map(|(framework, configurations)| LeftOut {
            framework,
            configurations,
            why: "The cookbook documents SGLang and Dynamo with SGLang only.".to_owned(),
        })
        .collect();
    (entries, left_out)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
