//! What a pull request affects: changelog entries, configurations, and what is submitted with them.

use paretoscope_domain::Scenario;
use paretoscope_domain::point::{Parallel, Point, Role, Topology};
use paretoscope_domain::repo::{ConfigFact, MatrixPoint, RepoFacts};
use paretoscope_domain::run::RunDetail;
use paretoscope_domain::vocabulary::Vocabulary;

use super::text::{count, distinct, file_page, list, run_page, short, state};
use crate::check::Input;
use crate::gathered::Gathered;

/// A changelog entry that the pull request adds.
#[derive(Clone, Debug)]
pub(crate) struct NewEntry {
    /// Configuration keys, wildcards resolved where the configurations are known.
    pub(crate) keys: Vec<String>,
    /// Scenario types it is limited to; empty for all.
    pub(crate) scenario_types: Vec<String>,
    /// Description, a line each.
    pub(crate) description: Vec<String>,
    /// It only adds points.
    pub(crate) append_only: bool,
    /// Only evals run.
    pub(crate) evals_only: bool,
    /// No eval runs; `None` where its source does not tell.
    pub(crate) no_evals: Option<bool>,
}

impl NewEntry {
    /// Whether it selects a scenario.
    pub(crate) fn selects(&self, scenario: &str) -> bool {
        let word = if is_agentic(scenario) { "agentic-coding" } else { "fixed-seq-len" };
        self.scenario_types.is_empty() || self.scenario_types.iter().any(|t| t == word)
    }
}

/// Whether a scenario key is that of agent traces.
pub(crate) fn is_agentic(scenario: &str) -> bool {
    scenario.parse::<Scenario>().is_ok_and(Scenario::is_agentic)
}

/// What a pull request affects.
#[derive(Debug)]
pub(crate) struct Affected<'a> {
    /// Changelog entries it adds.
    pub(crate) entries: Vec<NewEntry>,
    /// Configuration keys.
    pub(crate) keys: Vec<String>,
    /// Where the keys come from.
    pub(crate) from: Input,
    /// Those configurations at its head, where that commit was synced.
    pub(crate) head: Vec<&'a ConfigFact>,
    /// Those at the commit it departs from, where that was synced.
    pub(crate) base: Vec<&'a ConfigFact>,
}

impl<'a> Affected<'a> {
    /// From the changelog at the head, else the run's changelog metadata, else the keys of the run's points.
    pub(crate) fn of(g: &Gathered<'a>, run: Option<&RunDetail>) -> Self {
        let (entries, from) = entries(g, run);
        let mut keys = distinct(entries.iter().flat_map(|e| e.keys.iter().cloned()));
        let mut from = from;
        if keys.is_empty()
            && let Some(run) = run
        {
            keys = distinct(run.points.iter().filter_map(|p| p.config_key.clone()).chain(run.run.config_keys.iter().cloned()));
            from = Input::new("configurations", list(&keys)).at(run_page(run.run.run_id));
        }
        let pick = |facts: Option<&'a RepoFacts>| -> Vec<&'a ConfigFact> {
            facts.map(|f| f.configs.iter().filter(|c| keys.contains(&c.key)).collect()).unwrap_or_default()
        };
        Self { head: pick(g.head), base: pick(g.base), entries, keys, from }
    }

    /// Whether an entry of a configuration selects a scenario; without entries everything is.
    pub(crate) fn selects(&self, key: &str, scenario: &str) -> bool {
        let mut about = self.entries.iter().filter(|e| e.keys.iter().any(|k| k == key)).peekable();
        about.peek().is_none() || about.any(|e| e.selects(scenario))
    }

    /// Images that the configurations name at the head, with the keys that name them.
    pub(crate) fn head_images(&self) -> Vec<(String, Vec<String>)> {
        let images = distinct(self.head.iter().filter_map(|c| c.image.clone()));
        images
            .into_iter()
            .map(|image| {
                let keys = self.head.iter().filter(|c| c.image.as_deref() == Some(&image)).map(|c| c.key.clone()).collect();
                (image, keys)
            })
            .collect()
    }
}

fn entries(g: &Gathered<'_>, run: Option<&RunDetail>) -> (Vec<NewEntry>, Input) {
    if let Some(head) = g.head {
        let own: Vec<_> = head.changelog.iter().filter(|e| e.pr_number == Some(g.pull.number)).collect();
        if let Some(first) = own.first() {
            let input =
                Input::new("changelog at the head", format!("{} for this pull request, {}", count(own.len(), "entry"), state(head)));
            let input = match head_page(g, "perf-changelog.yaml", first.line) {
                Some(page) => input.at(page),
                None => input.at(format!("/changelog?pr={}", g.pull.number)),
            };
            let entries = own
                .into_iter()
                .map(|e| NewEntry {
                    keys: e.config_keys.clone(),
                    scenario_types: e.scenario_types.clone(),
                    description: e.description.clone(),
                    append_only: e.append_only,
                    evals_only: e.evals_only,
                    no_evals: Some(e.no_evals),
                })
                .collect();
            return (entries, input);
        }
    }
    let Some(run) = run.filter(|r| !r.changelog.is_empty()) else {
        return (Vec::new(), Input::new("changelog entries", "none known"));
    };
    let configs: &[ConfigFact] = g.head.or(g.main).map(|f| f.configs.as_slice()).unwrap_or_default();
    let entries: Vec<NewEntry> = run
        .changelog
        .iter()
        .map(|e| NewEntry {
            keys: e.config_keys.iter().flat_map(|pattern| resolve(pattern, configs)).collect(),
            scenario_types: e.scenario_types.clone(),
            description: e.description.clone(),
            append_only: e.append_only,
            evals_only: e.evals_only,
            no_evals: None,
        })
        .collect();
    let input = Input::new("changelog metadata of the run", count(entries.len(), "entry"));
    (entries, input.at(run_page(run.run.run_id)))
}

/// Keys that a pattern with `*` names; a pattern that names none stays as it is.
fn resolve(pattern: &str, configs: &[ConfigFact]) -> Vec<String> {
    if !pattern.contains('*') {
        return vec![pattern.to_owned()];
    }
    let keys: Vec<String> = configs.iter().filter(|c| paretoscope_domain::repo::names(pattern, &c.key)).map(|c| c.key.clone()).collect();
    if keys.is_empty() { vec![pattern.to_owned()] } else { keys }
}

/// One thing submitted: what a rule about models, precisions or engines asks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Submission {
    /// Model key; `None` where the vocabulary doesn't know the model.
    pub(crate) model: Option<String>,
    /// Model as written.
    pub(crate) model_word: String,
    /// Served checkpoint.
    pub(crate) checkpoint: Option<String>,
    /// Hardware key, or the label where the vocabulary doesn't know it.
    pub(crate) hardware: String,
    /// Framework key, or the word.
    pub(crate) framework: String,
    /// Precision key, or the word.
    pub(crate) precision: String,
    /// Scenario key.
    pub(crate) scenario: String,
    /// Whether it decodes speculatively.
    pub(crate) speculative: bool,
}

impl Submission {
    /// For people: `DeepSeek-V4.1-Flash · agentic traces · GB300 · SGLang · FP4`.
    pub(crate) fn title(&self, words: &Vocabulary) -> String {
        let scenario = self.scenario.parse::<Scenario>().map_or_else(|_| self.scenario.clone(), Scenario::title);
        [
            self.model.as_deref().map_or(self.model_word.as_str(), |m| words.model_label(m)),
            &scenario,
            words.hardware_label(&self.hardware),
            words.framework_label(&self.framework),
            words.precision_label(&self.precision),
        ]
        .join(" · ")
    }
}

/// Everything submitted: by the configurations at the head, and by the run.
pub(crate) fn submissions(g: &Gathered<'_>, affected: &Affected<'_>, run: Option<&RunDetail>) -> Vec<Submission> {
    let planned = affected.head.iter().flat_map(|c| {
        c.points.iter().filter(|p| affected.selects(&c.key, &p.scenario)).map(|p| Submission {
            speculative: p.spec_decoding != "none",
            scenario: p.scenario.parse::<Scenario>().map_or_else(|_| p.scenario.clone(), |s| s.to_string()),
            ..of_config(g.words, c)
        })
    });
    let measured = run.into_iter().flat_map(|r| r.points.iter()).map(of_point);
    distinct(planned.chain(measured))
}

fn of_config(words: &Vocabulary, c: &ConfigFact) -> Submission {
    let key = |entry: Option<&paretoscope_domain::vocabulary::Entry>, word: &str| entry.map_or_else(|| word.to_owned(), |e| e.key.clone());
    Submission {
        model: words.model(Some(&c.model_prefix), Some(&c.model)).map(|e| e.key.clone()),
        model_word: c.model_prefix.clone(),
        checkpoint: Some(c.model.clone()),
        hardware: key(words.hardware(&c.runner), &c.runner),
        framework: key(words.framework(&c.framework), &c.framework),
        precision: key(words.precision(&c.precision), &c.precision),
        scenario: String::new(),
        speculative: false,
    }
}

fn of_point(p: &Point) -> Submission {
    Submission {
        model: Some(p.model.clone()),
        model_word: p.model.clone(),
        checkpoint: p.model_path.clone(),
        hardware: p.hardware.clone(),
        framework: p.framework.clone(),
        precision: p.precision.clone(),
        scenario: p.scenario.to_string(),
        speculative: p.spec_method != "none",
    }
}

/// Topology of a planned point.
pub(crate) fn planned_topology(p: &MatrixPoint) -> Topology {
    match (p.prefill, p.decode) {
        (Some(prefill), Some(decode)) => Topology::Disaggregated { prefill, decode },
        _ => Topology::Aggregated(p.parallel),
    }
}

/// A topology in which absent sizes are one, as in the natural key.
pub(crate) fn settled(t: &Topology) -> Topology {
    let one = |size: Option<u32>| Some(size.unwrap_or(1));
    let parallel = |p: Parallel| Parallel {
        tp: p.tp,
        pp: one(p.pp),
        ep: one(p.ep),
        dcp: one(p.dcp),
        pcp: one(p.pcp),
        dp_attention: Some(p.dp_attention.unwrap_or(false)),
    };
    let role = |r: Role| {
        let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = parallel(r.parallel());
        Role { tp, pp, ep, dcp, pcp, dp_attention, workers: r.workers, gpus: None }
    };
    match *t {
        Topology::Aggregated(p) => Topology::Aggregated(parallel(p)),
        Topology::Disaggregated { prefill, decode } => Topology::Disaggregated { prefill: role(prefill), decode: role(decode) },
    }
}

/// Why checks about measurements have nothing to do: the files are known, none of them can affect a benchmark, and nothing
/// was run or pinned. `None` where they have.
pub(crate) fn no_benchmark(g: &Gathered<'_>, pinned: bool) -> Option<String> {
    let harmless = |path: &str| {
        let ending = [".md", ".png", ".svg", ".jpg", ".gif"].iter().any(|e| path.ends_with(e));
        ending || path.starts_with(".github/") || path.starts_with("docs/") || path.ends_with("CODEOWNERS") || path == "LICENSE"
    };
    let only_words = g.pull.known.files && !g.pull.files.is_empty() && g.pull.files.iter().all(|f| harmless(&f.path));
    (only_words && g.runs.is_empty() && !pinned)
        .then(|| "The pull request changes only documents and has no run: no benchmark is affected.".to_owned())
}

/// A line of a file at the head, on GitHub. The files of a retold pull request have other lines than the real ones.
pub(crate) fn head_page(g: &Gathered<'_>, file: &str, line: u64) -> Option<String> {
    file_page(g.head?, file, Some(line).filter(|_| g.pull.retold.is_none()))
}

/// An image reference taken apart: reference without digest, digest. `#` stands for `/` in some rows.
pub(crate) fn split_image(image: &str) -> (String, Option<String>) {
    let image = image.trim().replace('#', "/");
    match image.split_once('@') {
        Some((reference, digest)) => (reference.to_owned(), Some(digest.to_owned())),
        None => (image, None),
    }
}

/// Whether two images are the same: equal references and, where both state one, equal digests.
pub(crate) fn same_image(a: (&str, Option<&str>), b: (&str, Option<&str>)) -> bool {
    let plain = |r: &str| split_image(r).0;
    plain(a.0) == plain(b.0) && a.1.zip(b.1).is_none_or(|(x, y)| x == y)
}

/// An image for people, the digest short.
pub(crate) fn image_in_words(reference: &str, digest: Option<&str>) -> String {
    match digest {
        Some(digest) => format!("{reference}@{}…", digest.chars().take("sha256:".len() + 8).collect::<String>()),
        None => reference.to_owned(),
    }
}

/// A commit for people, with its page.
pub(crate) fn commit_input(g: &Gathered<'_>, name: &str, sha: &str) -> Input {
    Input::new(name, short(sha)).at(super::text::commit_page(&g.pull.repo, sha))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images() {
        assert_eq!(split_image("nvcr.io#nvidia/x:1"), ("nvcr.io/nvidia/x:1".to_owned(), None));
        assert_eq!(split_image("a/b:1@sha256:00"), ("a/b:1".to_owned(), Some("sha256:00".to_owned())));
        for (a, b, same) in [
            (("a:1", None), ("a:1", Some("sha256:1")), true),
            (("a:1", Some("sha256:2")), ("a:1", Some("sha256:1")), false),
            (("a:1", None), ("a:2", None), false),
            (("a#b:1", None), ("a/b:1", None), true),
        ] {
            assert_eq!(same_image(a, b), same, "{a:?} {b:?}");
        }
    }
}
