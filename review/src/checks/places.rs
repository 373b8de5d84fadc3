//! The places where a setting of a run may stand, and which of them could be looked at: facts of the run, its job events, the
//! master configurations, the pull request's diff, the cookbook.

use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::run::RunDetail;

use super::affected::{Affected, head_page};
use super::cells;
use super::diff::{Reach, added, is_comment, is_prose};
use super::find::{same_name, settings};
use super::text::{cookbook_page, count, distinct, files_page, list, run_page, some, timeline_page};
use crate::check::Input;
use crate::gathered::Gathered;

/// Kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Read in an artifact of the run.
    Read,
    /// Stated by someone about the run.
    Stated,
    /// A job's own event.
    JobEvent,
    /// The master configuration at the head.
    Master,
    /// A line that the pull request adds.
    Diff,
    /// The cookbook.
    Cookbook,
}

/// A setting found somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Name or phrase looked for.
    pub(crate) name: String,
    /// Value; `None` for a bare flag, or where the text tells none.
    pub(crate) value: Option<String>,
    /// Kind of place.
    pub(crate) place: Place,
    /// Where it stands, in words.
    pub(crate) whence: String,
    /// Page that shows it.
    pub(crate) href: Option<String>,
    /// Point it is about, by label.
    pub(crate) point: Option<String>,
    /// Whether it is about an eval's server.
    pub(crate) eval: bool,
    /// In a comment or a description: named there, not necessarily set.
    pub(crate) mention: bool,
}

impl Hit {
    /// `NAME=value`, or the name alone.
    pub(crate) fn setting(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.name),
            None => self.name.clone(),
        }
    }

    /// For people: the setting and where it stands.
    pub(crate) fn in_words(&self) -> String {
        let point = self.point.as_deref().map_or_else(String::new, |p| format!(" of {p}"));
        let eval = if self.eval { ", eval server" } else { "" };
        let mention = if self.mention { ", in words only" } else { "" };
        format!("{} ({}{point}{eval}{mention})", self.setting(), self.whence)
    }

    /// As an input of a check.
    pub(crate) fn input(&self) -> Input {
        let point = self.point.as_deref().map_or_else(String::new, |p| format!(", {p}"));
        let input = Input::new(self.setting(), format!("{}{point}{}", self.whence, if self.mention { ", in words only" } else { "" }));
        match &self.href {
            Some(href) => input.at(href.clone()),
            None => input,
        }
    }
}

/// Where to look.
#[derive(Debug)]
pub(crate) struct Places<'g, 'a> {
    g: &'g Gathered<'a>,
    run: Option<&'a RunDetail>,
    affected: &'g Affected<'a>,
}

impl<'g, 'a> Places<'g, 'a> {
    /// The places of a pull request and a run.
    pub(crate) fn new(g: &'g Gathered<'a>, run: Option<&'a RunDetail>, affected: &'g Affected<'a>) -> Self {
        Self { g, run, affected }
    }

    /// Facts of the run of one kind.
    pub(crate) fn facts(&self, kind: FactKind) -> impl Iterator<Item = &'a RunFact> {
        self.run.into_iter().flat_map(|r| r.evidence.iter()).filter(move |f| f.kind == kind)
    }

    /// Notes about the run whose key or text has one of `words` (lower case), as inputs.
    pub(crate) fn notes(&self, words: &[&str]) -> Vec<Input> {
        let speaks = |f: &&RunFact| {
            let text = format!("{} {}", f.key, f.value).to_ascii_lowercase();
            words.iter().any(|w| text.contains(w))
        };
        let page = |f: &RunFact| match &f.origin {
            FactOrigin::Artifact { .. } => run_page(f.run_id),
            FactOrigin::Stated { url, .. } => url.clone().unwrap_or_else(|| timeline_page(self.g.pull)),
        };
        let name = |f: &RunFact| if f.key.is_empty() { "note".to_owned() } else { f.key.clone() };
        self.facts(FactKind::Note)
            .filter(speaks)
            .map(|f| Input::new(name(f), format!("{} ({})", f.value, f.origin.in_words())).at(page(f)))
            .collect()
    }

    /// Every place that sets one of `names`.
    pub(crate) fn settings(&self, names: &[&str]) -> Vec<Hit> {
        names.iter().flat_map(|name| self.setting(name)).collect()
    }

    fn setting(&self, name: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        for fact in self.run.into_iter().flat_map(|r| r.evidence.iter()) {
            match fact.kind {
                FactKind::Env | FactKind::Argument if same_name(&fact.key, name) => {
                    hits.push(self.of_fact(name, Some(fact.value.clone()).filter(|v| !v.is_empty()), fact));
                }
                // An argument may hold settings of its own: --speculative-config '{…}'.
                FactKind::Env | FactKind::Argument => {
                    hits.extend(settings(&fact.value, name).into_iter().map(|f| self.of_fact(name, f.value, fact)));
                }
                _ => {}
            }
        }
        hits.extend(self.in_texts(|text| settings(text, name).into_iter().map(|f| (name.to_owned(), f.value)).collect()));
        for cell in cells::of(self.g, &self.affected.keys) {
            let env = cell.env.iter().map(|(n, v)| (n, Some(v.clone())));
            let args = cell.args.iter().map(|(n, v)| (n, v.clone()));
            hits.extend(env.chain(args).filter(|(n, _)| same_name(n, name)).map(|(_, value)| Hit {
                name: name.to_owned(),
                value,
                place: Place::Cookbook,
                whence: format!("cookbook cell {}", cell.id),
                href: Some(cookbook_page(&cell.config_key)),
                point: None,
                eval: false,
                mention: false,
            }));
        }
        hits
    }

    /// Every place that holds one of `phrases`, whatever follows; case makes no difference.
    pub(crate) fn phrases(&self, phrases: &[&str]) -> Vec<Hit> {
        let find = |text: &str| -> Vec<(String, Option<String>)> {
            let lower = text.to_ascii_lowercase();
            phrases.iter().filter(|p| lower.contains(**p)).map(|p| ((*p).to_owned(), None)).collect()
        };
        let mut hits: Vec<Hit> = self
            .run
            .into_iter()
            .flat_map(|r| r.evidence.iter())
            .filter(|f| f.kind != FactKind::Note)
            .flat_map(|f| {
                find(&format!("{}={}", f.key, f.value)).into_iter().map(|(name, _)| self.of_fact(&name, Some(f.value.clone()), f))
            })
            .collect();
        hits.extend(self.in_texts(find));
        hits
    }

    fn of_fact(&self, name: &str, value: Option<String>, fact: &RunFact) -> Hit {
        let (place, href) = match &fact.origin {
            FactOrigin::Artifact { .. } => (Place::Read, self.run.map(|r| run_page(r.run.run_id))),
            FactOrigin::Stated { url, .. } => (Place::Stated, url.clone().or_else(|| Some(timeline_page(self.g.pull)))),
        };
        Hit {
            name: name.to_owned(),
            value,
            place,
            whence: fact.origin.in_words(),
            href,
            point: fact.point.clone(),
            eval: fact.eval,
            mention: false,
        }
    }

    /// What `find` finds in job events, master configurations and added lines.
    fn in_texts(&self, find: impl Fn(&str) -> Vec<(String, Option<String>)>) -> Vec<Hit> {
        let mut hits = Vec::new();
        if let Some(run) = self.run {
            for job in &run.jobs {
                hits.extend(find(job.raw.as_deref().unwrap_or_default()).into_iter().map(|(name, value)| Hit {
                    name,
                    value,
                    place: Place::JobEvent,
                    whence: "job event".to_owned(),
                    href: Some(run_page(run.run.run_id)),
                    point: Some(job.title.clone()),
                    eval: job.eval_only == Some(true),
                    mention: false,
                }));
            }
        }
        for config in &self.affected.head {
            hits.extend(find(&config.raw).into_iter().map(|(name, value)| Hit {
                name,
                value,
                place: Place::Master,
                whence: format!("{}, {}", config.file, config.key),
                href: head_page(self.g, &config.file, config.line),
                point: None,
                eval: false,
                mention: false,
            }));
        }
        for file in &self.g.pull.files {
            for line in added(file) {
                hits.extend(find(line.text).into_iter().map(|(name, value)| Hit {
                    name,
                    value,
                    place: Place::Diff,
                    whence: format!("{}, line {}, added", file.path, line.line),
                    href: Some(files_page(self.g.pull)),
                    point: None,
                    eval: false,
                    mention: is_prose(&file.path) || is_comment(line.text),
                }));
            }
        }
        hits
    }

    /// Which places there were.
    pub(crate) fn seen(&self) -> Seen {
        let facts =
            || self.run.into_iter().flat_map(|r| r.evidence.iter()).filter(|f| matches!(f.kind, FactKind::Env | FactKind::Argument));
        let read = |f: &&RunFact| matches!(f.origin, FactOrigin::Artifact { .. });
        Seen {
            diff: Reach::of(self.g.pull),
            run: self.run.map(|r| r.run.run_id.to_string()),
            read: facts().filter(read).count(),
            stated: facts().filter(|f| !read(f)).count(),
            stated_by: distinct(facts().filter(|f| !read(f)).map(|f| f.origin.in_words())),
            points: distinct(facts().filter_map(|f| f.point.clone())),
            jobs: self.run.map_or(0, |r| r.jobs.iter().filter(|j| j.raw.is_some()).count()),
            masters: self.affected.head.len(),
            cells: cells::of(self.g, &self.affected.keys).len(),
        }
    }
}

/// Which places could be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    diff: Reach,
    run: Option<String>,
    read: usize,
    stated: usize,
    stated_by: Vec<String>,
    points: Vec<String>,
    jobs: usize,
    masters: usize,
    cells: usize,
}

impl Seen {
    /// Whether all was seen that a scan needs: every added line, and settings of the run. Those may be stated only.
    pub(crate) fn enough(&self) -> bool {
        matches!(self.diff, Reach::Whole(_)) && self.environment()
    }

    /// Whether settings of the run are known at all.
    pub(crate) fn environment(&self) -> bool {
        self.read + self.stated > 0
    }

    /// Whether any was read in an artifact.
    pub(crate) fn environment_read(&self) -> bool {
        self.read > 0
    }

    /// What was looked at.
    pub(crate) fn input(&self) -> Input {
        let mut parts = Vec::new();
        match &self.diff {
            Reach::Unknown => {}
            Reach::Partly(dark) => parts.push(format!("the added lines of the changed files but {}", count(dark.len(), "file"))),
            Reach::Retold(n) => parts.push(format!("the added lines of {} as they are retold", count(*n, "changed file"))),
            Reach::Whole(n) => parts.push(format!("every added line of {}", count(*n, "changed file"))),
        }
        if self.read > 0 {
            parts.push(format!("{} of the run read in its artifacts", count(self.read, "setting")));
        }
        if self.stated > 0 {
            parts.push(format!("{} of the run {}", count(self.stated, "setting"), list(&self.stated_by)));
        }
        if !self.points.is_empty() {
            parts.push(format!("settings of {}", list(&self.points)));
        }
        for (n, thing) in [(self.jobs, "job event"), (self.masters, "master configuration"), (self.cells, "cookbook cell")] {
            if n > 0 {
                parts.push(count(n, thing));
            }
        }
        Input::new("looked at", if parts.is_empty() { "nothing was at hand".to_owned() } else { parts.join("; ") })
    }

    /// What was not seen and should have been, a line each.
    pub(crate) fn missing(&self) -> Vec<String> {
        let mut out = Vec::new();
        match &self.diff {
            Reach::Unknown => out.push("The diff: the changed files were not read.".to_owned()),
            Reach::Partly(dark) => out.push(format!("The diff of {}: the payload leaves its lines out.", some(dark, 6))),
            Reach::Retold(_) => out.push("The diff itself: what is here is a retelling, which may leave lines out.".to_owned()),
            Reach::Whole(_) => {}
        }
        if !self.environment() {
            out.push(match &self.run {
                Some(run) => format!("Environment and arguments of run {run}: no server log of it was read, and nobody states them."),
                None => "Environment and arguments of the run: no run is known.".to_owned(),
            });
        }
        out
    }

    /// How settings of the run are known, for a sentence.
    pub(crate) fn how(&self) -> String {
        match (self.read, self.stated) {
            (0, 0) => "unknown".to_owned(),
            (0, n) => format!("only {}, {}", list(&self.stated_by), count(n, "setting")),
            (n, 0) => format!("read in its artifacts, {}", count(n, "setting")),
            (r, s) => format!("{} read in its artifacts, {s} {}", count(r, "setting"), list(&self.stated_by)),
        }
    }
}
