//! MODELS.md: which models are benchmarked in which scenarios, and what is deprecated since when.
//!
//! It is prose with tables. Read are: the table of models (told by its `Prefix` column), the table of scenarios (`Scenario` and
//! `Status`), and under each heading that is a day the tables of retirements and the sentence that names a last day. A phrase is
//! taken only where all of it is understood (`phrase`); anything else is listed and decides nothing.

mod blocks;
mod days;
mod matrix;
mod notice;
mod phrase;
#[cfg(test)]
mod tests;

use paretoscope_domain::repo::{Deprecation, ModelFact, Refused};
use paretoscope_domain::vocabulary::Vocabulary;

use self::notice::Notice;
use super::notes::{Notes, reason};
use super::places::Source;

/// Models, and scenarios deprecated for every model.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Models {
    pub(crate) models: Vec<ModelFact>,
    pub(crate) scenarios: Vec<Deprecation>,
}

pub(crate) fn read(source: &Source, words: &Vocabulary, refused: &mut Vec<Refused>) -> Models {
    let mut notes = Notes::on(&source.path, refused);
    let sections = blocks::sections(&source.text);
    let notices: Vec<Notice> = sections.iter().flat_map(|section| notice::read(section, words, &mut notes)).collect();
    let mut found = Models::default();
    for table in sections.iter().flat_map(|section| section.tables()) {
        if table.column("prefix").is_some() {
            matrix::models(table, &notices, words, &mut notes, &mut found.models);
        } else if table.column("scenario").is_some() && table.column("status").is_some() {
            found.scenarios.extend(matrix::scenarios(table, &mut notes));
        }
    }
    if found.models.is_empty() {
        notes.odd_file(reason::MISSING, "it has no table of models: none with a Prefix column");
    }
    for Notice { prefix, deprecation } in notices {
        match found.models.iter_mut().find(|model| model.prefix == prefix) {
            Some(model) => join(model, deprecation, &mut notes),
            None => {
                let detail = format!("no row of the table of models; announced: {}", deprecation.text);
                notes.refuse(deprecation.line, prefix, reason::NO_SUCH_MODEL, detail);
            }
        }
    }
    found
}

/// Joins an announced deprecation to what the model's row says. Both are one where they are about the same; the announcement gives
/// the last day, the row only the day of removal.
fn join(model: &mut ModelFact, announced: Deprecation, notes: &mut Notes<'_>) {
    let about = |d: &Deprecation| (d.scenario.clone(), d.precision.clone(), d.spec_decoding);
    let Some(known) = model.deprecated.iter_mut().find(|d| about(d) == about(&announced)) else {
        model.deprecated.push(announced);
        return;
    };
    if let (Some(known_day), Some(day)) = (known.valid_to, announced.valid_to)
        && known_day != day
    {
        let detail = format!("last day {day} here, {known_day} by line {}; the earlier one counts", known.line);
        notes.odd(announced.line, &model.prefix, reason::DAYS_DIFFER, detail);
    }
    let valid_to = match (known.valid_to, announced.valid_to) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let enacted = known.enacted && announced.enacted;
    let text =
        if announced.text.eq_ignore_ascii_case(&known.text) { announced.text } else { format!("{}; {}", announced.text, known.text) };
    *known = Deprecation { valid_to, enacted, text, ..announced };
}
