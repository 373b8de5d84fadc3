//! One cell's claims, each against what is known at a time.

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::{Cell, CookbookStatus, CookbookVersion};
use paretoscope_domain::point::Point;
use paretoscope_domain::pull::{Pull, same_commit};
use paretoscope_domain::repo::{ConfigFact, RepoFacts};
use paretoscope_domain::run::{Run, RunDetail};

use super::words::short;
use super::{Against, CookbookEntry, CookbookInputs, Drift, DriftKind, Missing, NotKnown, config, golden, layout, state_at};
use crate::evidence::Language;
use crate::timeline::{Command, Standing, commands, current_pin};

/// Settings that the checklist forbids, and the check that does (formats-and-rules §3).
const FORBIDDEN_ENVIRONMENT: [(&str, u16); 1] = [("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE", 13)];
/// Arguments that change a model's architecture.
const FORBIDDEN_ARGUMENTS: [(&str, u16); 2] = [("hf_overrides", 8), ("json_model_override_args", 8)];

/// What is being judged, and what has been found.
struct Judge<'a> {
    inputs: &'a CookbookInputs<'a>,
    version: &'a CookbookVersion,
    cell: &'a Cell,
    /// The time of judgement.
    at: Timestamp,
    status: CookbookStatus,
    /// Whether the snippet states that status, in a word that is known.
    status_told: bool,
    pull: Option<&'a Pull>,
    merged_at: Option<Timestamp>,
    drift: Vec<Drift>,
    not_known: Vec<NotKnown>,
    notes: Vec<String>,
}

/// A cell of a snippet, judged at a time.
pub(super) fn cell(inputs: &CookbookInputs<'_>, version: &CookbookVersion, cell: &Cell, at: Timestamp) -> CookbookEntry {
    let pull = cell.pr.and_then(|n| pull_of(inputs, version, n));
    let mut judge = Judge {
        inputs,
        version,
        cell,
        at,
        status: CookbookStatus::InProgress,
        status_told: false,
        pull,
        merged_at: pull.and_then(|p| p.merged_at).filter(|t| *t <= at),
        drift: Vec::new(),
        not_known: Vec::new(),
        notes: Vec::new(),
    };
    judge.read_status();
    let pin = judge.run();
    let official = official(inputs, &cell.config_key, Some(at)).map(|r| measured_by(inputs, r));
    judge.official(official, pin.as_ref());
    // The run that the other claims are held against: what counts, else what is claimed.
    let counts = pin.as_ref().and_then(|c| c.run_id).or(cell.run_id).or(official);
    let against = judge.reference(counts);
    judge.commit(against);
    judge.image(against);
    judge.image_pruned();
    judge.golden();
    judge.points(against);
    judge.status_after_merge();
    judge.forbidden();
    judge.entry(pin.and_then(|c| c.run_id), official)
}

/// A configuration that no snippet has.
pub(super) fn unpublished(inputs: &CookbookInputs<'_>, key: &str, framework: Option<String>) -> CookbookEntry {
    let fact = config(inputs, key);
    let run = official(inputs, key, None);
    let only = |list: Option<&Vec<String>>| list.filter(|l| l.len() == 1).and_then(|l| l.first().cloned());
    let model = fact.and_then(|c| model_key(inputs, Some(&c.model_prefix), Some(&c.model))).or_else(|| only(run.map(|r| &r.models)));
    let hardware = fact.and_then(|c| inputs.words.hardware(&c.runner)).map(|e| e.key.clone()).or_else(|| only(run.map(|r| &r.hardware)));
    let mut notes = Vec::new();
    if fact.is_some_and(|c| !c.points.is_empty() && c.points.iter().all(|p| p.isl.is_some())) {
        notes.push("It generates fixed sequences only; the snippets read here mirror agentic configurations.".to_owned());
    }
    CookbookEntry {
        config_key: key.to_owned(),
        cell_id: None,
        model,
        hardware,
        framework,
        label: None,
        status: CookbookStatus::NotPublished,
        sha: None,
        run_id: None,
        attempt: None,
        pr: None,
        image: None,
        image_digest: None,
        image_status: None,
        golden_al: None,
        concs: Vec::new(),
        date: None,
        repo: None,
        path: None,
        commit: None,
        cookbook_pr: None,
        page: None,
        source_repo: None,
        as_of: None,
        pinned_run_id: None,
        official_run_id: run.map(|r| measured_by(inputs, r)),
        drift: Vec::new(),
        not_known: Vec::new(),
        notes,
    }
}

/// The newest official run of a configuration, not younger than a time.
pub(super) fn official<'a>(inputs: &CookbookInputs<'a>, key: &str, at: Option<Timestamp>) -> Option<&'a Run> {
    let day = at.map(|t| t.to_zoned(jiff::tz::TimeZone::UTC).date().to_string());
    let there = |r: &Run| match (r.created_at, r.date.as_deref(), at, day.as_deref()) {
        (Some(created), _, Some(at), _) => created <= at,
        (None, Some(date), _, Some(day)) => date <= day,
        _ => true,
    };
    inputs.official.iter().copied().find(|r| r.config_keys.iter().any(|k| k == key) && there(r))
}

/// The run whose rows an official run shows: another's, where it reuses them.
fn measured_by(inputs: &CookbookInputs<'_>, run: &Run) -> RunId {
    let detail = inputs.runs.iter().find(|d| d.run.run_id == run.run_id);
    detail.and_then(|d| d.reuse.as_ref()).and_then(|r| r.source_run_id).unwrap_or(run.run_id)
}

fn pull_of<'a>(inputs: &CookbookInputs<'a>, version: &CookbookVersion, number: i64) -> Option<&'a Pull> {
    let same_repo = |p: &Pull| {
        let theirs = version.file.source_repo.as_deref();
        p.repo.is_empty() || theirs.is_none_or(|r| r.trim_end_matches('/').to_lowercase().ends_with(&p.repo.to_lowercase()))
    };
    inputs.pulls.iter().copied().find(|p| p.number == number && same_repo(p))
}

fn model_key(inputs: &CookbookInputs<'_>, prefix: Option<&str>, path: Option<&str>) -> Option<String> {
    inputs.words.model(prefix, path).map(|e| e.key.clone())
}

/// Page of a run here.
fn run_page(id: RunId) -> String {
    format!("/runs/{id}")
}

impl<'a> Judge<'a> {
    fn differs(
        &mut self,
        kind: DriftKind,
        against: Against,
        values: (Option<String>, Option<String>),
        href: Option<String>,
        since: Option<Timestamp>,
    ) {
        let (expected, found) = values;
        let since = Some(since.unwrap_or_else(|| self.version.at()).max(self.version.at()));
        let mut drift = Drift { kind, expected, found, against, sentence: String::new(), href, since };
        drift.sentence = drift.in_words(Language::En);
        self.drift.push(drift);
    }

    fn missing(&mut self, kind: DriftKind, missing: Missing) {
        let why = missing.in_words(Language::En);
        self.not_known.push(NotKnown { kind, missing, why });
    }

    /// The cell's own status; else what the snippet says of its pull request; else what the ladder makes of its run and date.
    fn read_status(&mut self) {
        let mirrored = self.cell.pr.and_then(|n| self.version.file.pulls.get(&n));
        let word = self.cell.status_word.as_deref().or_else(|| mirrored.and_then(|m| m.status.as_deref()));
        let by_claims = match (self.cell.run_id, self.cell.pr, &self.cell.date) {
            (None, ..) => CookbookStatus::InProgress,
            (Some(_), Some(_), None) => CookbookStatus::VerifiedPr,
            (Some(_), ..) => CookbookStatus::Verified,
        };
        let told = word.and_then(CookbookStatus::parse);
        self.status = told.unwrap_or(by_claims);
        self.status_told = told.is_some();
        match word {
            Some(word) if CookbookStatus::parse(word).is_none() => {
                self.missing(DriftKind::Status, Missing::StatusWord { word: word.to_owned() })
            }
            Some(_) => {}
            None => {
                self.missing(DriftKind::Status, Missing::NotClaimed);
                self.notes.push(format!("The snippet gives no status: «{}» is what its run and date amount to.", by_claims.title()));
            }
        }
        if let Some(mirrored) = mirrored {
            if mirrored.run_id.is_some() && self.cell.run_id.is_some() && mirrored.run_id != self.cell.run_id {
                let (of_file, of_cell) = (
                    mirrored.run_id.map(|r| r.to_string()).unwrap_or_default(),
                    self.cell.run_id.map(|r| r.to_string()).unwrap_or_default(),
                );
                self.notes
                    .push(format!("The snippet's list of pull requests names run {of_file}, the cell run {of_cell}; the cell's counts."));
            }
            if let (Some(a), Some(b)) = (&mirrored.sha, &self.cell.sha)
                && !same_commit(a, b)
            {
                self.notes.push(format!(
                    "The snippet's list of pull requests names commit {}, the cell {}; the cell's counts.",
                    short(a),
                    short(b)
                ));
            }
        }
    }

    /// The claimed run against the newest authorised command; gives that command.
    fn run(&mut self) -> Option<Command> {
        let Some(pr) = self.cell.pr else {
            self.missing(DriftKind::Run, Missing::NoPull);
            return None;
        };
        let Some(pull) = self.pull.filter(|p| p.known.comments) else {
            self.missing(DriftKind::Run, Missing::PullNotRead { pr });
            return None;
        };
        let given: Vec<Command> = commands(pull).into_iter().filter(|c| c.at <= self.at).collect();
        let pin = current_pin(&given).cloned();
        let newer_unknown = given.iter().any(|c| {
            c.can_pin()
                && matches!(c.standing, Standing::Unknown { .. })
                && pin.as_ref().is_none_or(|p| (c.at, c.comment_id) > (p.at, p.comment_id))
        });
        if newer_unknown {
            self.missing(DriftKind::Run, Missing::StandingNotTold { pr });
            return pin;
        }
        let page = Some(format!("/pulls/{pr}"));
        match &pin {
            Some(Command { run_id: None, .. }) => self.missing(DriftKind::Run, Missing::PinNamesNoRun { pr }),
            Some(Command { run_id, at, .. }) if *run_id != self.cell.run_id => {
                let values = (run_id.map(|r| r.to_string()), self.cell.run_id.map(|r| r.to_string()));
                self.differs(DriftKind::Run, Against::Pin { pr }, values, page, Some(*at));
            }
            Some(_) => {}
            None => {
                // A run that nobody pinned.
                if let Some(run) = self.cell.run_id {
                    self.differs(DriftKind::Run, Against::Pin { pr }, (None, Some(run.to_string())), page, None);
                }
            }
        }
        pin
    }

    /// The claimed run against the newest official one, which counts once the pull request is merged. GitHub's run ids grow with
    /// time: a claim that is newer than the official run is ahead of it, not behind.
    fn official(&mut self, official: Option<RunId>, pin: Option<&Command>) {
        let Some(official) = official else { return };
        let merged = self.merged_at.is_some() || self.status == CookbookStatus::Verified;
        let behind = self.cell.run_id.is_none_or(|claimed| claimed < official);
        let said = pin.is_some_and(|p| p.run_id == Some(official));
        if merged && behind && !said {
            let values = (Some(official.to_string()), self.cell.run_id.map(|r| r.to_string()));
            self.differs(DriftKind::Run, Against::Official, values, Some(run_page(official)), None);
        }
    }

    /// The run that commit, image and points are held against.
    fn reference(&mut self, counts: Option<RunId>) -> Option<&'a Arc<RunDetail>> {
        let Some(id) = counts else {
            for kind in [DriftKind::Commit, DriftKind::Image, DriftKind::Points] {
                self.missing(kind, Missing::NoRun);
            }
            return None;
        };
        let found = self.inputs.runs.iter().find(|d| d.run.run_id == id);
        if found.is_none() {
            for kind in [DriftKind::Commit, DriftKind::Image, DriftKind::Points] {
                self.missing(kind, Missing::RunNotRead { run_id: id });
            }
        }
        found
    }

    fn commit(&mut self, run: Option<&Arc<RunDetail>>) {
        let Some(run) = run.map(|d| &d.run) else { return };
        match (&self.cell.sha, &run.head_sha) {
            (None, _) => self.missing(DriftKind::Commit, Missing::NotClaimed),
            (_, None) => self.missing(DriftKind::Commit, Missing::RunDoesNotSay { run_id: run.run_id }),
            (Some(claimed), Some(measured)) if !same_commit(claimed, measured) => {
                let values = (Some(measured.clone()), Some(claimed.clone()));
                self.differs(DriftKind::Commit, Against::Run { run_id: run.run_id }, values, Some(run_page(run.run_id)), None);
            }
            _ => {}
        }
    }

    /// Points of the cell's configuration in a run; `None`, and said, where its rows don't tell.
    fn members(&mut self, kind: DriftKind, detail: &'a RunDetail) -> Option<Vec<&'a Point>> {
        let key = &self.cell.config_key;
        let told: Vec<&Point> = detail.points.iter().filter(|p| p.counts() && p.config_key.as_ref() == Some(key)).collect();
        let all_told = || detail.points.iter().filter(|p| p.counts()).all(|p| p.config_key.is_some());
        if !told.is_empty() || (all_told() && detail.run.point_count > 0) {
            return Some(told);
        }
        if detail.run.config_keys.len() == 1 && detail.run.config_keys.first() == Some(key) {
            return Some(detail.points.iter().filter(|p| p.counts()).collect());
        }
        self.missing(kind, Missing::PointsNotTold { run_id: detail.run.run_id });
        None
    }

    fn image(&mut self, run: Option<&'a Arc<RunDetail>>) {
        let Some(claimed) = self.cell.image.as_deref() else {
            if run.is_some() {
                self.missing(DriftKind::Image, Missing::NotClaimed);
            }
            return;
        };
        let claim = (claimed, self.cell.image_digest.as_deref());
        let Some(detail) = run else {
            // The run can't be asked; the configuration at that commit can.
            self.image_of_configuration(claim);
            return;
        };
        let Some(points) = self.members(DriftKind::Image, detail) else { return };
        let mut ran: Vec<(&str, Option<&str>)> =
            points.iter().filter_map(|p| Some((p.image.as_deref()?, p.image_digest.as_deref()))).collect();
        ran.sort_unstable();
        ran.dedup();
        if ran.is_empty() {
            self.missing(DriftKind::Image, Missing::RunDoesNotSay { run_id: detail.run.run_id });
            return;
        }
        if !ran.iter().any(|other| same_image(claim, *other)) {
            let expected = ran.iter().map(|(reference, digest)| image_text(reference, *digest)).collect::<Vec<_>>().join(", ");
            let href = Some(format!("{}#provenance", run_page(detail.run.run_id)));
            let values = (Some(expected), Some(image_text(claim.0, claim.1)));
            self.differs(DriftKind::Image, Against::Run { run_id: detail.run.run_id }, values, href, None);
        } else if ran.len() > 1 {
            self.notes.push(format!(
                "The points of run {} ran on {} images; the cookbook names one of them.",
                detail.run.run_id,
                ran.len()
            ));
        } else if claim.1.is_none() {
            self.notes.push("The cookbook names the image by its tag alone, which can be moved.".to_owned());
        }
    }

    fn image_of_configuration(&mut self, claim: (&str, Option<&str>)) {
        let Some((facts, fact)) = self.configuration() else { return };
        let Some(written) = fact.image.as_deref() else { return };
        let (reference, digest) = split_image(written);
        // What could not be held against the run is known after all.
        self.not_known.retain(|n| n.kind != DriftKind::Image);
        if !same_image(claim, (&reference, digest.as_deref())) {
            let values = (Some(image_text(&reference, digest.as_deref())), Some(image_text(claim.0, claim.1)));
            let against = Against::Configuration { commit: facts.commit.clone() };
            self.differs(DriftKind::Image, against, values, None, None);
        }
    }

    /// The cell's configuration at the commit it mirrors or, where it is merged, at the newest state of main.
    fn configuration(&self) -> Option<(&'a RepoFacts, &'a ConfigFact)> {
        let merged = self.merged_at.is_some() || self.status == CookbookStatus::Verified;
        let at_its_own = self.cell.sha.as_deref().and_then(|sha| state_at(self.inputs, sha));
        let facts = at_its_own.or_else(|| self.inputs.main.filter(|_| merged))?;
        facts.configs.iter().find(|c| c.key == self.cell.config_key).map(|c| (facts, c))
    }

    /// Why [`Self::configuration`] has none.
    fn no_configuration(&self) -> Missing {
        let merged = self.merged_at.is_some() || self.status == CookbookStatus::Verified;
        match (&self.cell.sha, self.inputs.main) {
            (_, None) if self.inputs.states.is_empty() => Missing::RepoNotRead,
            (Some(sha), _) if !merged && state_at(self.inputs, sha).is_none() => Missing::StateNotRead { sha: sha.clone() },
            (None, _) if !merged => Missing::NotClaimed,
            _ => Missing::NoConfiguration,
        }
    }

    fn image_pruned(&mut self) {
        match self.cell.image_status.as_deref() {
            Some(word) if word.eq_ignore_ascii_case("pruned") => {
                let image = self.cell.image.as_deref().map(|i| image_text(i, self.cell.image_digest.as_deref()));
                self.differs(DriftKind::ImagePruned, Against::Registry, (Some("ok".to_owned()), image), None, None);
            }
            Some(_) => {}
            None => self.missing(DriftKind::ImagePruned, Missing::NotClaimed),
        }
    }

    fn golden(&mut self) {
        let claimed: Vec<&str> = distinct(self.cell.points.iter().filter_map(|p| p.golden_al.as_deref()));
        if claimed.is_empty() {
            // Only what runs with synthetic acceptance has one.
            if self.cell.disclosures.iter().any(|d| d == "synthetic-acceptance") {
                self.missing(DriftKind::GoldenAl, Missing::NotClaimed);
            }
            return;
        }
        // The commit it mirrors first: main may not have had the model yet, or be older than it.
        let own = self.cell.sha.as_deref().and_then(|sha| state_at(self.inputs, sha));
        let states: Vec<&RepoFacts> = own.into_iter().chain(self.inputs.main).collect();
        if states.is_empty() {
            self.missing(DriftKind::GoldenAl, Missing::RepoNotRead);
            return;
        }
        let fact = config(self.inputs, &self.cell.config_key);
        let paths: Vec<&str> = [self.cell.checkpoint.as_deref(), fact.map(|c| c.model.as_str()), Some(self.version.file.model.as_str())]
            .into_iter()
            .flatten()
            .collect();
        let model = paths.iter().find_map(|p| model_key(self.inputs, None, Some(p)));
        let of_state = |facts: &'a RepoFacts| golden::curves(facts, &paths, model.as_deref(), self.inputs.words);
        let curves = states.into_iter().map(of_state).find(|curves| !curves.is_empty()).unwrap_or_default();
        if curves.is_empty() {
            self.missing(DriftKind::GoldenAl, Missing::NoGoldenCurve);
            return;
        }
        let arguments: Vec<(&str, &str)> =
            self.cell.args.iter().filter_map(|(flag, value)| Some((flag.as_str(), value.as_deref()?))).collect();
        let draft_length = golden::draft_length(arguments.iter().copied());
        let thinking = golden::thinking(self.cell.env.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        let committed = golden::values(&curves, draft_length, thinking);
        let mut unsure = false;
        for text in claimed {
            let fits = text.trim().parse::<f64>().is_ok_and(|value| committed.iter().any(|c| golden::same(c.value, value)));
            if fits {
                unsure |= draft_length.is_none();
                continue;
            }
            // All lengths of all curves would say nothing.
            let expected = match draft_length {
                Some(_) if !committed.is_empty() => Some(committed.iter().map(golden::Committed::in_words).collect::<Vec<_>>().join(", ")),
                Some(length) => Some(format!("none for draft length {length} in {}", files(&curves))),
                None => Some(format!("another value at every draft length in {}", files(&curves))),
            };
            self.differs(DriftKind::GoldenAl, Against::Golden { draft_length }, (expected, Some(text.to_owned())), None, None);
        }
        if unsure {
            self.missing(DriftKind::GoldenAl, Missing::NoDraftLength);
        }
    }

    /// All cells of the configuration, because which of them a point belongs to is not always told.
    fn points(&mut self, run: Option<&'a Arc<RunDetail>>) {
        let key = &self.cell.config_key;
        let cells: Vec<&Cell> = self.version.file.cells.iter().filter(|c| c.config_key == *key).collect();
        let layouts = layout::comparable(&cells);
        let ours = layout::of_cells(&cells, layouts);
        if ours.is_empty() {
            self.missing(DriftKind::Points, Missing::NotClaimed);
            return;
        }
        if let Some(detail) = run
            && let Some(points) = self.members(DriftKind::Points, detail)
        {
            let theirs = layout::of_points(&points, layouts);
            let values = (theirs.beyond(&ours), ours.beyond(&theirs));
            if values != (None, None) {
                let run_id = detail.run.run_id;
                self.differs(DriftKind::Points, Against::Run { run_id }, values, Some(format!("{}#points", run_page(run_id))), None);
            }
        }
        let Some((facts, fact)) = self.configuration() else {
            let missing = self.no_configuration();
            self.missing(DriftKind::Points, missing);
            return;
        };
        // The snippets mirror agentic configurations; a key may have fixed sequences beside them.
        let agentic = fact.points.iter().filter(|p| p.isl.is_none());
        let theirs = layout::of_matrix(agentic, layouts);
        let values = (theirs.beyond(&ours), ours.beyond(&theirs));
        if values != (None, None) {
            self.differs(DriftKind::Points, Against::Configuration { commit: facts.commit.clone() }, values, None, None);
        }
    }

    fn status_after_merge(&mut self) {
        if self.status == CookbookStatus::Verified || !self.status_told {
            return;
        }
        let Some(pr) = self.cell.pr else {
            self.missing(DriftKind::Status, Missing::NoPull);
            return;
        };
        match (self.pull.filter(|p| p.known.pull), self.merged_at) {
            (_, Some(at)) => {
                let values = (Some(CookbookStatus::Verified.as_str().to_owned()), Some(self.status.as_str().to_owned()));
                self.differs(DriftKind::Status, Against::Merge { pr, at }, values, Some(format!("/pulls/{pr}")), Some(at));
            }
            (None, None) => self.missing(DriftKind::Status, Missing::PullNotRead { pr }),
            (Some(_), None) => {}
        }
    }

    fn forbidden(&mut self) {
        let mut found: Vec<(String, u16)> = Vec::new();
        for (name, value) in &self.cell.env {
            if let Some((_, check)) = FORBIDDEN_ENVIRONMENT.iter().find(|(n, _)| n == name)
                && golden::truth(value) != Some(false)
            {
                found.push((format!("{name}={value}"), *check));
            }
        }
        for (flag, value) in &self.cell.args {
            if let Some((_, check)) = FORBIDDEN_ARGUMENTS.iter().find(|(n, _)| *n == golden::plain(flag)) {
                found.push((value.as_ref().map_or_else(|| flag.clone(), |v| format!("{flag} {v}")), *check));
            }
        }
        // A command line may set what the lists don't.
        for word in self.cell.commands.iter().flat_map(|c| c.split_whitespace()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            if let Some((_, check)) = FORBIDDEN_ENVIRONMENT.iter().find(|(n, _)| *n == name)
                && golden::truth(value) != Some(false)
            {
                found.push((word.to_owned(), *check));
            } else if let Some((_, check)) = FORBIDDEN_ARGUMENTS.iter().find(|(n, _)| word.starts_with("--") && *n == golden::plain(name)) {
                found.push((name.to_owned(), *check));
            }
        }
        found.sort();
        found.dedup();
        for (setting, check) in found {
            self.differs(DriftKind::ForbiddenFlag, Against::Rule { check }, (None, Some(setting)), None, None);
        }
    }

    fn entry(self, pinned: Option<RunId>, official: Option<RunId>) -> CookbookEntry {
        let Self { inputs, version, cell, at: _, status, status_told: _, pull: _, merged_at: _, mut drift, not_known, notes } = self;
        drift.sort_by_key(|d| d.kind);
        let file = &version.file;
        let fact = config(inputs, &cell.config_key);
        // A snippet may hold several checkpoints, and name itself by their family.
        let prefix = fact.and_then(|c| model_key(inputs, Some(&c.model_prefix), Some(&c.model)));
        let model = prefix
            .or_else(|| cell.checkpoint.as_deref().and_then(|c| model_key(inputs, None, Some(c))))
            .or_else(|| model_key(inputs, Some(&file.model), Some(&file.model)))
            .or_else(|| written(&file.model));
        let hardware = inputs.words.hardware(&cell.hardware).map(|e| e.key.clone()).or_else(|| written(&cell.hardware));
        let submitted = cell.submitted.as_deref().map(|s| if s == "dynamo" { "dynamo-sglang" } else { s });
        let framework = fact.map(|c| c.framework.as_str()).or(submitted);
        let mut concs: Vec<u32> = cell.points.iter().flat_map(|p| p.concs.iter().copied()).collect();
        concs.sort_unstable();
        let golden = distinct(cell.points.iter().filter_map(|p| p.golden_al.as_deref()));
        CookbookEntry {
            config_key: cell.config_key.clone(),
            cell_id: Some(cell.id.clone()),
            model,
            hardware,
            framework: framework.map(|f| inputs.words.framework(f).map_or_else(|| f.to_owned(), |e| e.key.clone())),
            label: written(&cell.label),
            status,
            sha: cell.sha.clone(),
            run_id: cell.run_id,
            attempt: cell.attempt,
            pr: cell.pr,
            image: cell.image.clone(),
            image_digest: cell.image_digest.clone(),
            image_status: cell.image_status.clone(),
            golden_al: (!golden.is_empty()).then(|| golden.join(", ")),
            concs,
            date: cell.date.clone(),
            repo: written(&file.repo),
            path: written(&file.path),
            commit: file.commit.clone(),
            cookbook_pr: file.cookbook_pr,
            page: file.page.clone(),
            source_repo: file.source_repo.clone(),
            as_of: Some(version.at()),
            pinned_run_id: pinned,
            official_run_id: official,
            drift,
            not_known,
            notes,
        }
    }
}

/// A text that says something.
fn written(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// Values in their order, each once.
fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut out: Vec<&str> = Vec::new();
    for value in values {
        if !out.contains(&value) {
            out.push(value);
        }
    }
    out
}

fn files(curves: &[&paretoscope_domain::repo::GoldenCurve]) -> String {
    distinct(curves.iter().map(|c| c.file.as_str())).join(", ")
}

/// An image with its digest, where stated.
fn image_text(reference: &str, digest: Option<&str>) -> String {
    digest.map_or_else(|| reference.to_owned(), |d| format!("{reference}@{d}"))
}

/// A reference and its digest; `#` stands for `/` in some files.
fn split_image(text: &str) -> (String, Option<String>) {
    let text = text.replace('#', "/");
    match text.split_once('@') {
        Some((reference, digest)) => (reference.to_owned(), Some(digest.to_owned())),
        None => (text, None),
    }
}

/// Whether two images are one: the same name and tag, and the same digest where both state one. A digest decides alone where
/// one side has no tag.
fn same_image(a: (&str, Option<&str>), b: (&str, Option<&str>)) -> bool {
    let plain = |reference: &str| reference.replace('#', "/").trim_start_matches("docker.io/").trim().to_owned();
    let has_tag = |reference: &str| reference.rsplit('/').next().is_some_and(|last| last.contains(':'));
    let (name_a, name_b) = (plain(a.0), plain(b.0));
    let untagged = !has_tag(&name_a) || !has_tag(&name_b);
    match (a.1, b.1) {
        (Some(x), Some(y)) => x == y && (name_a == name_b || untagged),
        _ => name_a == name_b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_one_by_name_and_digest() {
        let (d, e) = (Some("sha256:aa"), Some("sha256:bb"));
        for (a, b, same) in [
            (("lmsysorg/sglang:n1", d), ("lmsysorg/sglang:n1", d), true),
            (("lmsysorg/sglang:n1", None), ("docker.io/lmsysorg/sglang:n1", d), true),
            (("lmsysorg/sglang:n1", e), ("lmsysorg/sglang:n1", d), false),
            (("lmsysorg/sglang:n1", None), ("lmsysorg/sglang:n2", None), false),
            (("lmsysorg/sglang", d), ("lmsysorg/sglang:n1", d), true),
            (("nvcr.io#nvidia/x:1", None), ("nvcr.io/nvidia/x:1", None), true),
        ] {
            assert_eq!(same_image(a, b), same, "{a:?} {b:?}");
        }
    }
}
