//! The two tables of the present state: models with their scenarios, and scenarios with their status.

use jiff::civil::Date;
use paretoscope_domain::repo::{Deprecation, ModelFact};
use paretoscope_domain::vocabulary::Vocabulary;

use super::super::notes::{Notes, reason};
use super::blocks::{Row, Table, codes};
use super::days;
use super::notice::{Notice, deprecation};
use super::phrase::{self, About};

/// Adds the models of the table of models. What it calls deprecated counts as carried out, unless an announcement about the same
/// model's arm says that it is not yet.
pub(crate) fn models(table: &Table, notices: &[Notice], words: &Vocabulary, notes: &mut Notes<'_>, models: &mut Vec<ModelFact>) {
    let name_column = (0..table.header.len()).find(|at| table.header.get(*at).is_some_and(|name| name.contains("model")));
    let starts = |start: &str| table.header.iter().position(|name| name.starts_with(start));
    let columns = Columns {
        name: name_column,
        prefix: table.column("prefix"),
        added: starts("date added").or_else(|| starts("added")),
        active: starts("active"),
        deprecated: starts("deprecated"),
    };
    for row in &table.rows {
        let prefixes = codes(row.cell(columns.prefix));
        let prefixes: Vec<&str> = if prefixes.is_empty() {
            row.cell(columns.prefix).split(',').map(str::trim).filter(|p| !p.is_empty()).collect()
        } else {
            prefixes
        };
        if prefixes.is_empty() {
            notes.refuse(row.line, row.cell(columns.name), reason::MISSING, "no prefix");
        }
        for (at, prefix) in prefixes.iter().enumerate() {
            if models.iter().any(|model| model.prefix == *prefix) {
                notes.refuse(row.line, *prefix, reason::REPEATED_KEY, "has a row already; the first one counts");
                continue;
            }
            let names: Vec<&str> = row.cell(columns.name).split(" / ").map(str::trim).collect();
            let name = names.get(at).filter(|_| names.len() == prefixes.len()).copied().unwrap_or(row.cell(columns.name));
            let subject = Subject { prefix, name, names: &names, at, only: prefixes.len() == 1 };
            models.push(model(row, &columns, &subject, notices, words, notes));
        }
    }
}

struct Columns {
    name: Option<usize>,
    prefix: Option<usize>,
    added: Option<usize>,
    active: Option<usize>,
    deprecated: Option<usize>,
}

/// One of the models of a row.
struct Subject<'a> {
    prefix: &'a str,
    name: &'a str,
    names: &'a [&'a str],
    at: usize,
    /// Whether the row is about it alone.
    only: bool,
}

fn model(row: &Row, columns: &Columns, subject: &Subject<'_>, notices: &[Notice], words: &Vocabulary, notes: &mut Notes<'_>) -> ModelFact {
    let active = row.cell(columns.active);
    let none = active.to_ascii_lowercase().starts_with("none");
    let mut model = ModelFact {
        prefix: subject.prefix.to_owned(),
        name: subject.name.to_owned(),
        added: added(row.cell(columns.added), subject),
        active: if none { Vec::new() } else { active_scenarios(active) },
        deprecated: Vec::new(),
    };
    if none {
        let last = phrase::remarks(active).iter().find_map(|remark| days::last_before(remark));
        model.deprecated.push(deprecation(About::default(), last, true, active, row.line));
    }
    let open = |d: &Deprecation| d.spec_decoding == Some(false) && !d.enacted;
    for part in phrase::parts(row.cell(columns.deprecated)) {
        match concerns(&part, subject) {
            Concern::Other => continue,
            Concern::Unclear => {
                notes.refuse(row.line, subject.prefix, reason::NOT_UNDERSTOOD, format!("deprecated: {part:?}"));
                continue;
            }
            Concern::This => {}
        }
        let Some(about) = phrase::understood(&part, words) else {
            notes.refuse(row.line, subject.prefix, reason::NOT_UNDERSTOOD, format!("deprecated: {part:?}"));
            continue;
        };
        let not_yet = about.spec_decoding == Some(false) && notices.iter().any(|n| n.prefix == subject.prefix && open(&n.deprecation));
        let last = phrase::remarks(&part).iter().find_map(|remark| days::last_before(remark));
        model.deprecated.push(deprecation(about, last, !not_yet && !part.contains("not required"), &part, row.line));
    }
    model
}

/// The day a model was added: the cell's first, or the one that names it (`…, with GLM-5.1 added 2026-04-21`).
fn added(cell: &str, subject: &Subject<'_>) -> Option<Date> {
    let days = days::iso(cell);
    let named = days.iter().find(|(_, before)| before.trim_end().ends_with(&format!("{} added", subject.name)));
    let first = days.first().filter(|_| subject.only || subject.at == 0);
    named.or(first).map(|(day, _)| *day)
}

/// Scenarios as written, one each.
fn active_scenarios(cell: &str) -> Vec<String> {
    let mut active = Vec::new();
    for part in phrase::parts(cell) {
        match part.split_once(" and ") {
            Some((one, other))
                if [one, other].iter().all(|side| !phrase::scenarios_in(&phrase::without_remarks(side)).is_empty())
                    && !one.contains('(') =>
            {
                active.extend([one.trim().to_owned(), other.trim().to_owned()]);
            }
            _ => active.push(part),
        }
    }
    active
}

enum Concern {
    This,
    Other,
    Unclear,
}

/// Whom a part of a row with several models is about: `(GLM-5 only)` narrows it to one.
fn concerns(part: &str, subject: &Subject<'_>) -> Concern {
    let Some(only) = phrase::remarks(part).iter().find_map(|remark| remark.trim().strip_suffix(" only")) else { return Concern::This };
    if only == subject.name {
        Concern::This
    } else if subject.names.contains(&only) {
        Concern::Other
    } else {
        Concern::Unclear
    }
}

/// The scenarios that are deprecated for every model.
pub(crate) fn scenarios(table: &Table, notes: &mut Notes<'_>) -> Vec<Deprecation> {
    let mut found = Vec::new();
    for row in &table.rows {
        let (name, status) = (row.cell(table.column("scenario")), row.cell(table.column("status")));
        let lower = status.to_ascii_lowercase();
        if lower.starts_with("active") {
            continue;
        }
        match (phrase::scenarios_in(name).as_slice(), lower.starts_with("deprecated")) {
            ([scenario], true) => {
                let about = About { scenario: Some(scenario.clone()), ..About::default() };
                found.push(deprecation(about, days::last_before(status), true, status, row.line));
            }
            _ => notes.refuse(row.line, name, reason::NOT_UNDERSTOOD, format!("status: {status:?}")),
        }
    }
    found
}
