//! Cells: one search-space item of one configuration each.

use std::collections::BTreeSet;

use paretoscope_domain::cookbook::{Cell, CellPoint};
use paretoscope_domain::repo::Refused;
use paretoscope_domain::{Attempt, RunId};
use serde_json::{Map, Value};

use super::blocks::Snippet;
use super::refusal;
use super::snippet::text_of;

/// All cells of a file; one that can't be used is refused, and the others are kept.
pub(super) fn cells(file: &str, root: &Map<String, Value>, cells: &[Value], refused: &mut Vec<Refused>) -> Vec<Cell> {
    let snippet = Snippet { envs: root.get("envs").and_then(Value::as_array), cells };
    let mut found = Vec::new();
    let mut ids = BTreeSet::new();
    for (number, value) in cells.iter().enumerate() {
        let name = value.get("id").and_then(Value::as_str).map_or_else(|| format!("cells[{number}]"), str::to_owned);
        let result = cell(&snippet, number, value).and_then(|cell| {
            let new = cell.iter().all(|c| ids.insert(c.id.clone()));
            if new { Ok(cell) } else { Err(("duplicate_id", "another cell before it has the same id".to_owned())) }
        });
        match result {
            Ok(mut cell) => found.append(&mut cell),
            Err((reason, detail)) => refused.push(refusal(file, None, &name, reason, detail)),
        }
    }
    found
}

/// A cell; several where its points come from several places.
fn cell(snippet: &Snippet<'_>, number: usize, value: &Value) -> Result<Vec<Cell>, (&'static str, String)> {
    let map = value.as_object().ok_or(("wrong_type", "an object was expected".to_owned()))?;
    let needed = |key: &str| text_of(map, &[key]).ok_or(("missing_field", format!("it has no {key}")));
    let (image, image_digest) = split_image(text_of(map, &["image"]));
    let launch = snippet.launch(number, map).map_err(|detail| ("bad_blocks", detail))?;
    let id = needed("id")?;
    let config_key = match text_of(map, &["configKey"]) {
        Some(key) => key,
        // An id is the key and the item.
        None => id.rsplit_once('#').map(|(key, _)| key.to_owned()).ok_or(("missing_field", "it has no configKey".to_owned()))?,
    };
    let whole = Cell {
        id,
        config_key,
        hardware: text_of(map, &["hw"]).unwrap_or_default(),
        checkpoint: text_of(map, &["ckpt"]),
        label: text_of(map, &["label"]).unwrap_or_default(),
        detail: text_of(map, &["detail"]),
        gpus: map.get("gpus").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()),
        image,
        image_digest,
        image_status: text_of(map, &["imageStatus"]),
        image_commit: text_of(map, &["imageCommit"]),
        submitted: text_of(map, &["submitted"]),
        disclosures: map.get("disclosures").and_then(Value::as_array).into_iter().flatten().filter_map(disclosure).collect(),
        env: launch.env,
        args: launch.args,
        commands: launch.commands,
        ..Cell::default()
    };
    let points = match map.get("points") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(points)) => {
            let one = |(at, p): (usize, &Value)| point(p).map_err(|detail| ("bad_point", format!("points[{at}]: {detail}")));
            points.iter().enumerate().map(one).collect::<Result<_, _>>()?
        }
        Some(_) => return Err(("wrong_type", "points: a list was expected".to_owned())),
    };
    match map.get("prov").and_then(Value::as_object) {
        Some(prov) => {
            let prov = Provenance::of(prov).map_err(|detail| ("bad_provenance", format!("prov: {detail}")))?;
            Ok(vec![prov.on(Cell { points: points.into_iter().map(|(p, _)| p).collect(), ..whole })])
        }
        None => Ok(by_provenance(whole, points)),
    }
}

/// A cell without a provenance of its own: its points may have theirs, and a cell says one thing.
fn by_provenance(cell: Cell, points: Vec<(CellPoint, Provenance)>) -> Vec<Cell> {
    let mut cells: Vec<(Provenance, Cell)> = Vec::new();
    for (point, prov) in points {
        match cells.iter_mut().find(|(known, _)| *known == prov) {
            Some((_, cell)) => cell.points.push(point),
            None => cells.push((prov, Cell { points: vec![point], ..cell.clone() })),
        }
    }
    if cells.is_empty() {
        return vec![cell];
    }
    let several = cells.len() > 1;
    let named = |(number, (prov, cell)): (usize, (Provenance, Cell))| {
        let id = if several { format!("{}@{}", cell.id, number + 1) } else { cell.id.clone() };
        prov.on(Cell { id, ..cell })
    };
    cells.into_iter().enumerate().map(named).collect()
}

/// Where a cell or a point comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Provenance {
    sha: Option<String>,
    recipe: Option<String>,
    run: Option<(RunId, Option<Attempt>)>,
    pr: Option<i64>,
    status: Option<String>,
    date: Option<String>,
}

impl Provenance {
    fn of(map: &Map<String, Value>) -> Result<Self, String> {
        let pr = match map.get("pr") {
            None | Some(Value::Null) => None,
            Some(_) => {
                let text = text_of(map, &["pr"]).ok_or("pr is no number")?;
                Some(text.trim_start_matches('#').parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("pr {text:?} is no number"))?)
            }
        };
        let run = map.get("run").or_else(|| map.get("runUrl"));
        Ok(Self {
            sha: text_of(map, &["sha"]),
            recipe: text_of(map, &["recipe"]),
            run: run_and_attempt(run)?,
            pr,
            status: text_of(map, &["status"]),
            date: text_of(map, &["date"]),
        })
    }

    fn on(self, cell: Cell) -> Cell {
        let Self { sha, recipe, run, pr, status, date } = self;
        Cell {
            sha,
            recipe,
            run_id: run.map(|(run, _)| run),
            attempt: run.and_then(|(_, attempt)| attempt),
            pr,
            status_word: status,
            date,
            ..cell
        }
    }
}

/// A run and its attempt: `<id>`, `<id>/attempts/<n>`, or the address of either.
pub(super) fn run_and_attempt(value: Option<&Value>) -> Result<Option<(RunId, Option<Attempt>)>, String> {
    let text = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(other) => return Err(format!("run {other}: a text was expected")),
    };
    let bad = || format!("run {text:?}: `<id>`, `<id>/attempts/<n>` or the address of a run was expected");
    let tail = text.split_once("/actions/runs/").map_or(text.as_str(), |(_, tail)| tail);
    let parts: Vec<&str> = tail.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').split('/').collect();
    let (run, attempt) = match parts.as_slice() {
        // A job of it names it too.
        [run] | [run, "job", ..] => (*run, None),
        [run, "attempts", attempt, ..] => (*run, Some(attempt.parse().ok().and_then(Attempt::new).ok_or_else(bad)?)),
        _ => return Err(bad()),
    };
    Ok(Some((run.parse().map_err(|_| bad())?, attempt)))
}

fn point(value: &Value) -> Result<(CellPoint, Provenance), String> {
    let map = value.as_object().ok_or("an object was expected")?;
    let conc =
        |v: &Value| v.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0).ok_or_else(|| format!("{v} is no concurrency"));
    let concs = match (map.get("concs"), map.get("conc")) {
        (Some(Value::Array(concs)), _) => concs.iter().map(conc).collect::<Result<Vec<_>, _>>()?,
        (Some(one), _) | (None, Some(one)) => vec![conc(one)?],
        (None, None) => return Err("it has no concs".to_owned()),
    };
    let point = CellPoint {
        concs,
        item: text_of(map, &["item"]),
        override_name: text_of(map, &["override"]),
        golden_al: text_of(map, &["goldenAL"]),
    };
    Ok((point, Provenance::of(map)?))
}

fn disclosure(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value.get("id")?.as_str()).map(str::to_owned)
}

/// Reference and digest of `<reference>@sha256:…`.
fn split_image(image: Option<String>) -> (Option<String>, Option<String>) {
    match image {
        Some(text) => match text.split_once('@') {
            Some((reference, digest)) => (Some(reference.to_owned()), Some(digest.to_owned())),
            None => (Some(text), None),
        },
        None => (None, None),
    }
}
