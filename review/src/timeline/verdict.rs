//! Verdicts: the verifier's comment on a sign-off, each check once (formats-and-rules §3).

use jiff::Timestamp;
use paretoscope_domain::pull::{Comment, Pull};
use serde::{Deserialize, Serialize};

use super::text::{TextVersion, after, bare, commit_after, holds, minute, versions};
use crate::check::{Check, CheckStatus};

/// A verdict: one text of one comment of the bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = VerifierVerdict))]
pub struct Verdict {
    /// The comment.
    pub comment_id: i64,
    /// Page of the comment.
    pub url: Option<String>,
    /// When this text was written.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
    /// Its word: `PASS`, `WARN`, `REJECTED`.
    pub word: String,
    /// The commit it assessed, as it says.
    pub commit: Option<String>,
    /// What it says of each check.
    pub checks: Vec<ToldCheck>,
    /// Why it no longer counts; null for the one that does.
    pub superseded: Option<String>,
    /// What is not sure about its time.
    pub note: Option<String>,
}

/// A check as the verifier decided it, and as it is decided here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToldCheck {
    /// Number.
    pub id: u16,
    /// Name.
    pub name: String,
    /// Its word: `PASS`, `N/A`.
    pub word: String,
    /// The word as a status; null for one we don't know.
    pub status: Option<CheckStatus>,
    /// Its reasons.
    pub detail: String,
    /// How it is decided here; null where it isn't.
    pub ours: Option<CheckStatus>,
    /// Whether both say the same; null where either could not decide.
    pub agrees: Option<bool>,
}

/// All verdicts of a pull request, oldest first. The newest text of the newest comment counts.
#[must_use]
pub fn verdicts(pull: &Pull) -> Vec<Verdict> {
    let mut all: Vec<(bool, Verdict)> = pull
        .comments
        .iter()
        .filter(|c| c.bot)
        .flat_map(|c| versions(c).into_iter().filter_map(|v| read(c, &v).map(|t| (v.current && !c.deleted, t))).collect::<Vec<_>>())
        .collect();
    all.sort_by_key(|(_, v)| (v.at, v.comment_id));
    let newest = all.iter().rposition(|(current, _)| *current);
    let counts = newest.and_then(|i| all.get(i)).map(|(_, v)| v.at);
    for (i, (_, verdict)) in all.iter_mut().enumerate() {
        if Some(i) != newest {
            verdict.superseded = Some(
                counts
                    .map_or_else(|| "its comment is no verdict any more".to_owned(), |at| format!("replaced by the one of {}", minute(at))),
            );
        }
    }
    all.into_iter().map(|(_, v)| v).collect()
}

/// The verdict that counts.
#[must_use]
pub fn current_verdict(all: &[Verdict]) -> Option<&Verdict> {
    all.iter().find(|v| v.superseded.is_none())
}

/// Whether a bot's text is a verdict.
#[must_use]
pub fn is_verdict(text: &str) -> bool {
    after(text, "verdict:").is_some() && holds(text, "assessed commit")
}

impl Verdict {
    /// The same with our answers beside the verifier's.
    #[must_use]
    pub fn beside(mut self, ours: &[Check]) -> Self {
        for told in &mut self.checks {
            told.ours = ours.iter().find(|c| c.id == told.id).map(|c| c.status);
            told.agrees = match (told.status, told.ours) {
                (Some(theirs), Some(ours)) if ours != CheckStatus::NeedsHuman => Some(theirs == ours),
                _ => None,
            };
        }
        self
    }
}

fn read(comment: &Comment, version: &TextVersion<'_>) -> Option<Verdict> {
    let text = version.text;
    if !is_verdict(text) {
        return None;
    }
    let word = after(text, "verdict:")?.split(|c: char| !c.is_ascii_alphabetic()).find(|w| !w.is_empty())?.to_owned();
    Some(Verdict {
        comment_id: comment.id,
        url: comment.url.clone(),
        at: version.at,
        word,
        commit: commit_after(text, "assessed commit"),
        checks: text.lines().filter_map(read_check).collect(),
        superseded: None,
        note: version.note.clone(),
    })
}

/// `✅ Check 2 (Evals): PASS — reasons`.
fn read_check(line: &str) -> Option<ToldCheck> {
    let line = bare(line);
    let rest = line.strip_prefix("Check ")?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let id = rest.get(..digits)?.parse().ok()?;
    let rest = rest.get(digits..)?.trim_start();
    let (name, rest) = match rest.strip_prefix('(') {
        // A name may hold brackets of its own; the colon ends it.
        Some(named) => named.split_once("):")?,
        None => ("", rest.strip_prefix(':')?),
    };
    let (word, detail) = [" — ", " – ", " - "].iter().find_map(|dash| rest.split_once(dash)).unwrap_or((rest, ""));
    let word = word.trim().to_owned();
    Some(ToldCheck {
        id,
        name: name.trim().to_owned(),
        status: status(&word),
        word,
        detail: detail.trim().to_owned(),
        ours: None,
        agrees: None,
    })
}

fn status(word: &str) -> Option<CheckStatus> {
    Some(match word.to_ascii_uppercase().as_str() {
        "PASS" => CheckStatus::Pass,
        "WARN" => CheckStatus::Warn,
        "FAIL" | "REJECT" | "REJECTED" => CheckStatus::Fail,
        "N/A" | "NA" | "NOT APPLICABLE" => CheckStatus::NotApplicable,
        _ => return None,
    })
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const TEXT: &str = "✅✅✅ **Verdict: PASS** ✅✅✅\n\nPassed and not applicable checks\n\n✅ **Check 0 (CODEOWNER): PASS** — named owner; see [the file](https://a).\n- ✅ Check 2 (Evals): PASS — 6 rows - all fine.\n➖ Check 12 (Append-only): N/A — no such entry.\n⚠️ Check 14 (Pareto (both)): WARN — 4 points.\n❌ Check 18: REJECTED\n❔ Check 3 (Recipe): PENDING — later\nCheck whether all is well: PASS\n\nAssessed commit: 41d29b2834a85fcee09db6f9f52653b7c2f30ef3.";

    fn comment(bot: bool, body: &str) -> Comment {
        let at: Timestamp = "2026-11-03T05:00:00Z".parse().unwrap();
        Comment {
            id: 7,
            author: "bot".into(),
            bot,
            association: None,
            at,
            updated_at: at,
            body: body.into(),
            url: None,
            earlier: Vec::new(),
            deleted: false,
        }
    }

    #[test]
    fn a_verdict_is_read_check_by_check() {
        let all = verdicts(&Pull { comments: vec![comment(true, TEXT)], ..Pull::default() });
        let verdict = current_verdict(&all).unwrap();
        assert_eq!((verdict.word.as_str(), verdict.commit.as_deref()), ("PASS", Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3")));
        let told: Vec<_> = verdict.checks.iter().map(|c| (c.id, c.name.as_str(), c.word.as_str(), c.status)).collect();
        assert_eq!(
            told,
            [
                (0, "CODEOWNER", "PASS", Some(CheckStatus::Pass)),
                (2, "Evals", "PASS", Some(CheckStatus::Pass)),
                (12, "Append-only", "N/A", Some(CheckStatus::NotApplicable)),
                (14, "Pareto (both)", "WARN", Some(CheckStatus::Warn)),
                (18, "", "REJECTED", Some(CheckStatus::Fail)),
                (3, "Recipe", "PENDING", None),
            ]
        );
        assert_eq!(verdict.checks[1].detail, "6 rows - all fine.");
    }

    #[test]
    fn ours_stands_beside_theirs_and_an_open_question_agrees_with_nothing() {
        let ours = |id, status| Check {
            id,
            name: String::new(),
            status,
            detail: String::new(),
            rule: String::new(),
            source: String::new(),
            inputs: vec![],
            look: vec![],
        };
        let all = verdicts(&Pull { comments: vec![comment(true, TEXT)], ..Pull::default() });
        let verdict = current_verdict(&all).unwrap().clone().beside(&[
            ours(0, CheckStatus::Pass),
            ours(2, CheckStatus::Fail),
            ours(14, CheckStatus::NeedsHuman),
            ours(3, CheckStatus::Pass),
        ]);
        let agrees: Vec<_> = verdict.checks.iter().map(|c| (c.id, c.agrees)).collect();
        assert_eq!(agrees, [(0, Some(true)), (2, Some(false)), (12, None), (14, None), (18, None), (3, None)]);
    }

    #[test]
    fn a_person_gives_no_verdict() {
        assert_eq!(verdicts(&Pull { comments: vec![comment(false, TEXT), comment(true, "Verdict: soon")], ..Pull::default() }), []);
    }
}
