//! `paretoscope checks`

use std::fmt::Write as _;

use paretoscope_review::timeline::{Missing, PullAnswer, ToldCheck};
use paretoscope_review::{Check, CheckStatus};

use super::{CliError, Context, Ended, print, print_json};
use crate::app::App;

/// Characters of a line of details.
const TEXT_WIDTH: usize = 80;

/// Form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A table for the terminal
    Text,
    /// Markdown, to paste
    Md,
    /// Everything, as the API gives it
    Json,
}

/// Decides checks 0 to 18 of a pull request from what was read, and says what is missing before its merge.
#[derive(Debug, clap::Args)]
pub struct Checks {
    /// Number of the pull request
    pr: i64,
    /// Form
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Checks {
    /// Runs it.
    ///
    /// # Errors
    /// When the pull request was never read, or the store can't be.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let Self { pr, format } = self;
        let app = App::new(context.store().await?, context.words.clone(), &context.settings.public_url, &context.settings.repo).await?;
        let answer = app.pull_answer(pr).await?.filter(|a| !a.checks.is_empty());
        let answer = answer.ok_or_else(|| {
            format!("pull request #{pr} was never read here: `paretoscope pulls import FILE…` reads saved payloads of it")
        })?;
        match format {
            _ if context.json => print_json(&*answer)?,
            Format::Json => print_json(&*answer)?,
            Format::Text => print(&text(&answer)),
            Format::Md => print(&markdown(&answer)),
        }
        Ok(Ended::Well)
    }
}

fn told(answer: &PullAnswer, id: u16) -> Option<&ToldCheck> {
    answer.verdict.as_ref()?.checks.iter().find(|t| t.id == id)
}

/// What no check of the verifier asks has no number that a reader knows.
fn number(check: &Check) -> String {
    if check.id < 100 { check.id.to_string() } else { "+".to_owned() }
}

fn pin(answer: &PullAnswer) -> String {
    let now = &answer.now;
    match (&now.pin, &now.no_pin) {
        (Some(pin), _) => {
            let run = pin.run_id.map_or_else(|| "no run that is known here".to_owned(), |r| format!("run {r}"));
            format!("{run}, by {} of {}", pin.command.text(), pin.command.author)
        }
        (None, why) => format!("none. {}", why.as_deref().unwrap_or_default()),
    }
}

fn text(answer: &PullAnswer) -> String {
    let mut out = String::new();
    let name = |c: &Check| c.name.chars().count();
    let width = answer.checks.iter().map(name).max().unwrap_or_default();
    // Writing to a string does not fail.
    let _ = writeln!(out, "#{} {}\n{}\nPinned: {}\n", answer.number, answer.title, answer.now.sentence, pin(answer));
    for check in &answer.checks {
        let pad = " ".repeat(width - name(check));
        let head = format!("{:>3}  {}{pad}  {:<14}  ", number(check), check.name, check.status.title());
        let indent = " ".repeat(width + 23);
        let look = check.look.iter().map(|l| format!("Look at: {l}"));
        let differs = told(answer, check.id).filter(|t| t.agrees == Some(false)).map(|t| format!("The verifier says {}.", t.word));
        let mut start = head.as_str();
        for line in std::iter::once(check.detail.clone()).chain(look).chain(differs).flat_map(|text| wrapped(&text, TEXT_WIDTH)) {
            let _ = writeln!(out, "{start}{line}");
            start = &indent;
        }
    }
    if !answer.now.missing.is_empty() {
        let _ = writeln!(out, "\nMissing before the merge:");
        for Missing { about: _, sentence, blocks } in &answer.now.missing {
            let _ = writeln!(out, "  {} {sentence}", if *blocks { "✕" } else { "?" });
        }
    }
    for note in &answer.notes {
        let _ = writeln!(out, "\nNote: {note}");
    }
    if let Some(retold) = &answer.retold {
        let _ = writeln!(out, "\nNote: {retold}");
    }
    out
}

/// A text in lines of at most `width` characters, as far as its words let it.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let long = |line: &String| !line.is_empty() && line.chars().count() + word.chars().count() >= width;
        if lines.last().is_some_and(long) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn markdown(answer: &PullAnswer) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mark = |status: CheckStatus| match status {
        CheckStatus::Pass => "✅",
        CheckStatus::Warn => "⚠️",
        CheckStatus::Fail => "❌",
        CheckStatus::NotApplicable => "➖",
        CheckStatus::NeedsHuman => "❔",
    };
    let mut out = String::new();
    let _ = writeln!(out, "**#{} {}**\n\n{}\n\nPinned: {}\n", answer.number, cell(&answer.title), answer.now.sentence, pin(answer));
    if let Some(retold) = &answer.retold {
        let _ = writeln!(out, "> {}\n", cell(retold));
    }
    out.push_str("| # | Check | Status | Detail |\n|---:|---|---|---|\n");
    for check in &answer.checks {
        let look = check.look.iter().map(|l| format!("<br>Look at: {}", cell(l))).collect::<String>();
        let _ = writeln!(
            out,
            "| {} | {} | {} {} | {}{look} |",
            number(check),
            cell(&check.name),
            mark(check.status),
            check.status.title(),
            cell(&check.detail)
        );
    }
    if !answer.now.missing.is_empty() {
        out.push_str("\nMissing before the merge:\n\n");
        for Missing { about: _, sentence, blocks } in &answer.now.missing {
            let _ = writeln!(out, "- {} {sentence}", if *blocks { "❌" } else { "❔" });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("averyverylongword b", 5), ["averyverylongword", "b"]);
        assert_eq!(wrapped("", 5), [""]);
    }
}
