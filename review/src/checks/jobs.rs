//! Jobs of a run over its attempts: the newest attempt of each counts.

use std::collections::BTreeMap;

use paretoscope_domain::run::{JobEvent, RunDetail};
use serde_json::Value;

/// A job and its events, oldest attempt first.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    /// Topology and concurrency.
    pub(crate) title: &'a str,
    /// Whether it is an eval.
    pub(crate) eval: bool,
    /// Its events.
    pub(crate) events: Vec<&'a JobEvent>,
}

impl<'a> Job<'a> {
    /// The event that counts.
    pub(crate) fn newest(&self) -> Option<&'a JobEvent> {
        self.events.last().copied()
    }

    /// Outcome of the event that counts.
    pub(crate) fn outcome(&self) -> Option<&'a str> {
        self.newest()?.outcome.as_deref()
    }

    /// Whether the newest attempt of it succeeded.
    pub(crate) fn green(&self) -> bool {
        self.outcome() == Some("success")
    }

    /// For people: `eval of TP4 c16`.
    pub(crate) fn name(&self) -> String {
        if self.eval { format!("eval of {}", self.title) } else { self.title.to_owned() }
    }

    /// Image that the event names.
    pub(crate) fn image(&self) -> Option<String> {
        text(&content(self.newest()?)?, "image")
    }
}

/// The jobs of a run. A job is told from others by its experiment, recipe and concurrency, not by the runner it was given:
/// a rerun may get another one.
pub(crate) fn jobs(run: &RunDetail) -> Vec<Job<'_>> {
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, Vec<&JobEvent>> = BTreeMap::new();
    for event in &run.jobs {
        let key = identity(event);
        let group = groups.entry(key.clone()).or_default();
        if group.is_empty() {
            order.push(key);
        }
        group.push(event);
    }
    let mut out: Vec<Job<'_>> = order
        .into_iter()
        .filter_map(|key| {
            let mut events = groups.remove(&key)?;
            events.sort_by_key(|e| (e.attempt, e.started_at.clone()));
            let newest = *events.last()?;
            Some(Job { title: &newest.title, eval: newest.eval_only == Some(true), events })
        })
        .collect();
    out.sort_by_key(|j| j.eval);
    out
}

fn identity(event: &JobEvent) -> String {
    let parts = ["exp_name", "recipe_fingerprint", "scenario", "isl", "osl", "precision", "framework", "conc"];
    let value = content(event);
    let told: Vec<String> = parts.iter().map(|name| value.as_ref().and_then(|v| text(v, name)).unwrap_or_default()).collect();
    // Without the name of an experiment only the title is left.
    let name = if told.first().is_some_and(String::is_empty) { event.title.as_str() } else { "" };
    format!("{:?}|{name}|{}", event.eval_only, told.join("|"))
}

fn content(event: &JobEvent) -> Option<Value> {
    serde_json::from_str(event.raw.as_deref()?).ok()
}

/// A field as it stands; `None` where absent, null or empty.
fn text(value: &Value, name: &str) -> Option<String> {
    match value.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|t| !t.is_empty()),
        other => Some(other.to_string()),
    }
}
