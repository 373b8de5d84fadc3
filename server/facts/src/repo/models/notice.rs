//! Deprecations announced under a heading that is a day: tables of retirements, and a sentence with the last day of one scenario.

use jiff::civil::Date;
use paretoscope_domain::repo::Deprecation;
use paretoscope_domain::vocabulary::Vocabulary;

use super::super::notes::{Notes, reason};
use super::blocks::{Block, Section, Table, codes};
use super::days;
use super::phrase::{self, About};

/// An announced deprecation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    pub(crate) prefix: String,
    pub(crate) deprecation: Deprecation,
}

pub(crate) fn read(section: &Section, words: &Vocabulary, notes: &mut Notes<'_>) -> Vec<Notice> {
    let Some(day) = section.day else { return Vec::new() };
    let last_day = says_last_day(section, day).then_some(day);
    let enacted = says_enacted(section);
    let mut notices = Vec::new();
    for (at, block) in section.blocks.iter().enumerate() {
        match block {
            Block::Table(table) => {
                if let Some(column) = deprecated_column(table) {
                    let enacted = enacted && !says_not_yet(section, at);
                    if last_day.is_none() {
                        let line = table.rows.first().map_or(1, |row| row.line);
                        notes.odd(
                            line,
                            day.to_string(),
                            reason::NOT_UNDERSTOOD,
                            "no sentence says that this day is the last; no day is taken from it",
                        );
                    }
                    notices.extend(rows(table, column, last_day, enacted, words, notes));
                }
            }
            Block::Paragraph { text, line } => notices.extend(sentence(text, *line, day, enacted, notes)),
        }
    }
    // A table and the sentence above it may say the same.
    let mut once: Vec<Notice> = Vec::new();
    for notice in notices {
        let same = |n: &&mut Notice| {
            let (a, b) = (&n.deprecation, &notice.deprecation);
            n.prefix == notice.prefix && (&a.scenario, &a.precision, a.spec_decoding) == (&b.scenario, &b.precision, b.spec_decoding)
        };
        match once.iter_mut().find(same) {
            Some(known) => known.deprecation.enacted &= notice.deprecation.enacted,
            None => once.push(notice),
        }
    }
    once
}

/// Whether a paragraph says that the day is the last one.
fn says_last_day(section: &Section, day: Date) -> bool {
    section.paragraphs().any(|(text, _)| text.contains("last day") && days::in_prose(text).contains(&day))
}

/// Whether a paragraph says that the section was carried out.
fn says_enacted(section: &Section) -> bool {
    section.paragraphs().any(|(text, _)| {
        let text = text.to_ascii_lowercase();
        text.starts_with("enacted on") || text.starts_with("partially enacted on")
    })
}

/// Whether a paragraph behind the table, before the next one, says that it is not carried out yet.
fn says_not_yet(section: &Section, table: usize) -> bool {
    let behind = section.blocks.iter().skip(table + 1);
    let behind = behind.map_while(|block| match block {
        Block::Paragraph { text, .. } => Some(text.to_ascii_lowercase()),
        Block::Table(_) => None,
    });
    behind.into_iter().any(|text| text.starts_with("status") && text.contains("not yet enacted"))
}

/// The column of what is deprecated, in a table of retirements.
fn deprecated_column(table: &Table) -> Option<usize> {
    table.column("model").and_then(|_| table.header.iter().position(|name| name.contains("deprecated") || name.contains("to retire")))
}

fn rows(table: &Table, column: usize, last_day: Option<Date>, enacted: bool, words: &Vocabulary, notes: &mut Notes<'_>) -> Vec<Notice> {
    let mut notices = Vec::new();
    for row in &table.rows {
        let (model, text) = (row.cell(table.column("model")), row.cell(Some(column)));
        let prefixes = codes(model);
        let about = phrase::understood(text, words);
        let (Some(about), false) = (about, prefixes.is_empty()) else {
            notes.refuse(row.line, model, reason::NOT_UNDERSTOOD, format!("deprecated: {text:?}"));
            continue;
        };
        // What was never allowed has no last day.
        let valid_to = last_day.filter(|_| !phrase::remarks(text).iter().any(|remark| remark.contains("from day 0")));
        for prefix in prefixes {
            notices.push(Notice { prefix: prefix.to_owned(), deprecation: deprecation(about.clone(), valid_to, enacted, text, row.line) });
        }
    }
    notices
}

pub(crate) fn deprecation(about: About, valid_to: Option<Date>, enacted: bool, text: &str, line: u64) -> Deprecation {
    let About { scenario, precision, spec_decoding } = about;
    Deprecation { scenario, precision, spec_decoding, valid_to, enacted, text: text.to_owned(), line }
}

/// `Thursday, August 6, 2026 is the last day for the Single-turn 8k1k scenario on Kimi (kimik2.5).`
fn sentence(paragraph: &str, line: u64, day: Date, enacted: bool, notes: &mut Notes<'_>) -> Vec<Notice> {
    let first = paragraph.split_inclusive(". ").next().unwrap_or(paragraph).trim();
    if !first.contains("is the last day for") || !days::in_prose(first).contains(&day) {
        return Vec::new();
    }
    let prefixes = codes(first);
    if prefixes.is_empty() {
        // It announces the tables below it.
        return Vec::new();
    }
    let scenarios = phrase::scenarios_in(first);
    let [scenario] = scenarios.as_slice() else {
        notes.refuse(line, prefixes.join(", "), reason::NOT_UNDERSTOOD, format!("names {} scenarios: {first:?}", scenarios.len()));
        return Vec::new();
    };
    let about = About { scenario: Some(scenario.clone()), ..About::default() };
    let notice =
        |prefix: &&str| Notice { prefix: (*prefix).to_owned(), deprecation: deprecation(about.clone(), Some(day), enacted, first, line) };
    prefixes.iter().map(notice).collect()
}
