//! Rounds of the cookbook as comments announce them and tell of their merge (formats-and-rules §4), and which pin each missed.

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_domain::pull::{Comment, Pull};
use serde::{Deserialize, Serialize};

use super::commands::{Command, current_pin};
use super::items::Link;
use super::signoff::is_sign_off;
use super::text::{after, commit_after, holds, links, minute, run_after, short};
use super::verdict::is_verdict;
use crate::drift;

/// Repositories whose recipes a configuration is synced to.
const RECIPES: [&str; 2] = ["sgl-project/sglang", "vllm-project/recipes"];

/// A round: one pull request of the cookbook, as it is spoken of here and as its state was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CookbookRound {
    /// Repository of the cookbook.
    pub repo: String,
    /// Its pull request; null for a state that nothing says which one brought.
    pub number: Option<i64>,
    /// Page of that pull request.
    pub url: Option<String>,
    /// When it was first spoken of.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub announced_at: Option<Timestamp>,
    /// When it was merged, as far as anything tells; null while nothing says it was.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub merged_at: Option<Timestamp>,
    /// What tells the time of the merge.
    pub merged_told_by: Option<String>,
    /// Configurations it is about.
    pub config_keys: Vec<String>,
    /// How far the configuration is by this round, as the comments say.
    pub status: Option<CookbookStatus>,
    /// The run it mirrors, as the comments say.
    pub run_id: Option<RunId>,
    /// The commit it mirrors, as the comments say.
    pub sha: Option<String>,
    /// Page people read.
    pub page: Option<String>,
    /// The comments.
    pub comments: Vec<Link>,
    /// Which pin it missed; null where it missed none.
    pub missed_pin: Option<String>,
    /// The later round that made up for it.
    pub settled_by: Option<i64>,
    /// What its snippet said while it stood, and its drift; null where that state was not synced here.
    pub state: Option<drift::Round>,
}

/// What one comment says of a round.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToldRound {
    pub(crate) repo: String,
    pub(crate) number: i64,
    pub(crate) merged: bool,
    pub(crate) config_keys: Vec<String>,
    pub(crate) status: Option<CookbookStatus>,
    pub(crate) run_id: Option<RunId>,
    pub(crate) sha: Option<String>,
    pub(crate) page: Option<String>,
}

/// The rounds of a pull request, in the order they were spoken of; states that no comment speaks of come after them.
#[must_use]
pub fn rounds(pull: &Pull, commands: &[Command], states: Vec<drift::Round>) -> Vec<CookbookRound> {
    let mut all: Vec<CookbookRound> = Vec::new();
    for comment in pull.comments.iter().filter(|c| !c.deleted) {
        let Some(told) = told(comment) else { continue };
        let at = match all.iter().position(|r| r.repo == told.repo && r.number == Some(told.number)) {
            Some(at) => at,
            None => {
                all.push(CookbookRound {
                    repo: told.repo.clone(),
                    number: Some(told.number),
                    url: Some(format!("https://github.com/{}/pull/{}", told.repo, told.number)),
                    announced_at: Some(comment.at),
                    ..CookbookRound::default()
                });
                all.len() - 1
            }
        };
        if let Some(round) = all.get_mut(at) {
            take(round, told, comment);
        }
    }
    for round in &mut all {
        if let Some((at, by)) = merge_told_elsewhere(pull, round) {
            round.merged_at = Some(at);
            round.merged_told_by = Some(by);
        }
    }
    for state in states {
        match all.iter_mut().find(|r| r.number.is_some() && r.number == state.cookbook_pr && r.state.is_none()) {
            Some(round) => round.state = Some(state),
            None => all.push(untold(state)),
        }
    }
    judge(&mut all, commands, pull);
    all
}

/// Reads a comment that speaks of a round; a sign-off or verdict only refers to one.
pub(crate) fn told(comment: &Comment) -> Option<ToldRound> {
    let text = comment.body.as_str();
    if !(holds(text, "cookbook") || holds(text, "recipe")) || is_sign_off(text) || is_verdict(text) {
        return None;
    }
    let (repo, number, rest) = first_mention(text)?;
    let sentence = rest.split(['\n', ',']).next().unwrap_or_default();
    let sentence = sentence.split(". ").next().unwrap_or_default().to_ascii_lowercase();
    let merged = ["has been merged", "is merged", "was merged"].iter().any(|m| sentence.contains(m));
    let announced = ["will happen in", "is synced in", "will be in", "is prepared in"].iter().any(|m| holds(text, m));
    if !merged && !announced {
        return None;
    }
    let run_id = run_after(text, "measured in run").or_else(|| run_after(text, "mirror run"));
    let in_progress = ["\"in progress\"", "“in progress”", "`in progress`", "*in progress*"].iter().any(|w| holds(text, w));
    let status = match (in_progress, run_id) {
        (true, _) => Some(CookbookStatus::InProgress),
        (false, Some(_)) => Some(CookbookStatus::VerifiedPr),
        (false, None) => None,
    };
    let sha = commit_after(text, "shows the recipe at").or_else(|| commit_after(text, "at this pr's head"));
    let links = links(text).into_iter().map(|(_, url)| url);
    let page = links.chain(plain_addresses(text)).find(|u| u.contains("/cookbook/") || u.contains("recipes.vllm.ai"));
    let run_id = run_id.filter(|_| !in_progress);
    Some(ToldRound { repo, number, merged, config_keys: config_keys(text), status, run_id, sha, page })
}

fn take(round: &mut CookbookRound, told: ToldRound, comment: &Comment) {
    let ToldRound { repo: _, number: _, merged, config_keys, status, run_id, sha, page } = told;
    for key in config_keys {
        if !round.config_keys.contains(&key) {
            round.config_keys.push(key);
        }
    }
    // The later comment knows better.
    if status.is_some() || run_id.is_some() || sha.is_some() {
        (round.status, round.run_id, round.sha) = (status, run_id, sha);
    }
    round.page = page.or(round.page.take());
    if merged && round.merged_at.is_none() {
        round.merged_at = Some(comment.at);
        round.merged_told_by = Some("the comment that tells of it, so it was merged by then".to_owned());
    }
    let text = if merged { "comment on its merge" } else { "announcement" };
    if let Some(href) = &comment.url {
        round.comments.push(Link::new(text, href.clone()));
    }
}

/// A state of a snippet that no comment speaks of.
fn untold(state: drift::Round) -> CookbookRound {
    let mut config_keys: Vec<String> = state.entries.iter().map(|e| e.config_key.clone()).collect();
    config_keys.sort();
    config_keys.dedup();
    CookbookRound {
        repo: state.repo.clone(),
        number: state.cookbook_pr,
        url: state.cookbook_pr.map(|n| format!("https://github.com/{}/pull/{n}", state.repo)),
        merged_at: Some(state.from),
        merged_told_by: Some("the snippet's state".to_owned()),
        config_keys,
        state: Some(state),
        ..CookbookRound::default()
    }
}

/// Sign-offs and verdicts write when a cookbook pull request was merged: `#47929 is MERGED (2026-11-03T03:28:14Z)`.
fn merge_told_elsewhere(pull: &Pull, round: &CookbookRound) -> Option<(Timestamp, String)> {
    let number = round.number?;
    let mention = format!("{}#{number}", round.repo);
    pull.comments.iter().filter(|c| !c.deleted && (is_sign_off(&c.body) || is_verdict(&c.body))).find_map(|c| {
        let rest = after(&c.body, &mention)?.lines().next()?;
        let told = after(rest, "merged")?.trim_start_matches([' ', '(', ':']);
        // Nothing but the time may stand behind the word, else it may be about something else.
        let time = told.split(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '-' | ':' | '.'))).next()?;
        let by = if c.bot { "the verdict" } else { "the sign-off" };
        Some((time.parse().ok()?, by.to_owned()))
    })
}

/// Which pin each round missed, and which later one made up for it.
fn judge(rounds: &mut [CookbookRound], commands: &[Command], pull: &Pull) {
    for i in 0..rounds.len() {
        let Some(round) = rounds.get(i) else { continue };
        let Some(merged) = round.merged_at else { continue };
        let before: Vec<Command> = commands.iter().filter(|c| c.at <= merged).cloned().collect();
        let Some((pinned, pin)) = current_pin(&before).and_then(|c| Some((c.run_id?, c))) else { continue };
        let Some(claim) = claim(round) else { continue };
        if claim == Claim::Run(pinned) {
            continue;
        }
        let says = match &claim {
            Claim::Run(run) => format!("it claims run {run}"),
            Claim::NoRun(Some(sha)) => format!("it shows the recipe at {} as in progress", short(sha)),
            Claim::NoRun(None) => "it claims no run".to_owned(),
        };
        let sentence = format!("Missed the pin: run {pinned} was pinned on {}, before it was merged, and {says}.", minute(pin.at));
        let settled =
            rounds.iter().skip(i + 1).find(|later| later.merged_at.is_some() && claims_its_pin(later, commands)).and_then(|r| r.number);
        if let Some(round) = rounds.get_mut(i) {
            round.missed_pin = Some(sentence);
            round.settled_by = settled;
        }
    }
    // Where nothing was pinned, nothing was missed; a pull request whose comments were not read tells neither.
    if !pull.known.comments && pull.comments.is_empty() {
        for round in rounds {
            (round.missed_pin, round.settled_by) = (None, None);
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    Run(RunId),
    NoRun(Option<String>),
}

/// What a round claims: by its snippet where that was read, else by what the comments say. `None` where neither tells.
fn claim(round: &CookbookRound) -> Option<Claim> {
    if let Some(state) = &round.state
        && let Some(entry) = state.entries.first()
    {
        return Some(entry.run_id.map_or_else(|| Claim::NoRun(entry.sha.clone()), Claim::Run));
    }
    match (round.run_id, round.status) {
        (Some(run), _) => Some(Claim::Run(run)),
        (None, Some(CookbookStatus::InProgress)) => Some(Claim::NoRun(round.sha.clone())),
        (None, _) => None,
    }
}

fn claims_its_pin(round: &CookbookRound, commands: &[Command]) -> bool {
    let Some(merged) = round.merged_at else { return false };
    let before: Vec<Command> = commands.iter().filter(|c| c.at <= merged).cloned().collect();
    let pinned = current_pin(&before).and_then(|c| c.run_id);
    pinned.is_some_and(|run| claim(round) == Some(Claim::Run(run)))
}

/// The first pull request of a recipe repository that a text names: repository, number and what follows.
fn first_mention(text: &str) -> Option<(String, i64, &str)> {
    RECIPES
        .iter()
        .flat_map(|repo| [format!("{repo}#"), format!("{repo}/pull/")].map(|mark| (repo, mark)))
        .filter_map(|(repo, mark)| {
            let at = text.find(&mark)?;
            let rest = text.get(at + mark.len()..)?;
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number = rest.get(..digits)?.parse().ok()?;
            Some((at, (*repo).to_owned(), number, rest.get(digits..)?))
        })
        .min_by_key(|(at, ..)| *at)
        .map(|(_, repo, number, rest)| (repo, number, rest))
}

/// Configuration keys in brackets: `AgentX config (dsv41flash-fp4-gb300-sglang-agentic-dspark)`.
fn config_keys(text: &str) -> Vec<String> {
    let Some(rest) = after(text, "config") else { return Vec::new() };
    let Some(inside) = rest.split_once('(').filter(|(before, _)| before.len() < 24).and_then(|(_, r)| r.split_once(')')) else {
        return Vec::new();
    };
    let is_key = |w: &str| w.matches('-').count() >= 2 && w.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
    inside.0.split([',', ' ']).map(|w| w.trim_matches('`')).filter(|w| is_key(w)).map(str::to_owned).collect()
}

fn plain_addresses(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().filter(|w| w.starts_with("https://")).map(|w| w.trim_end_matches(['.', ',', ')', ']']).to_owned())
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::super::commands::commands;
    use super::*;

    const KEY: &str = "dsv41flash-fp4-gb300-sglang-agentic-dspark";

    fn comment(id: i64, at: &str, body: &str) -> Comment {
        let at: Timestamp = at.parse().unwrap();
        Comment {
            id,
            author: "engineer".into(),
            bot: false,
            association: Some("COLLABORATOR".into()),
            at,
            updated_at: at,
            body: body.into(),
            url: Some(format!("https://github.com/o/r/pull/1#issuecomment-{id}")),
            earlier: Vec::new(),
            deleted: false,
        }
    }

    fn announced(n: i64, tail: &str) -> String {
        format!(
            "The cookbook update of this PR's AgentX config (`{KEY}`) will happen in sgl-project/sglang#{n}. It has been live since sgl-project/sglang#1.\n\n{tail}"
        )
    }

    fn merged(n: i64, tail: &str) -> String {
        format!(
            "sgl-project/sglang#{n} has been merged. The config ({KEY}) is in the cookbook: https://docs.sglang.io/cookbook/a#b\n\n{tail}"
        )
    }

    const HEAD: &str = "No authorised pin yet, so the cookbook shows the recipe at this PR's head (9bd047ac7) as \"in progress\".";

    fn story() -> Pull {
        Pull {
            comments: vec![
                comment(1, "2026-10-29T08:00:00Z", &announced(47214, HEAD)),
                comment(2, "2026-10-29T09:00:00Z", &merged(47214, HEAD)),
                comment(3, "2026-10-30T08:00:00Z", &announced(47464, HEAD)),
                comment(4, "2026-10-30T09:00:00Z", "/use 40809149952"),
                comment(5, "2026-10-30T10:00:00Z", &merged(47464, HEAD)),
                comment(6, "2026-11-02T09:00:00Z", "/use 41261902147"),
                comment(
                    7,
                    "2026-11-02T10:00:00Z",
                    &announced(47929, "The commands mirror the launch measured in run 41261902147, pinned here."),
                ),
                comment(
                    8,
                    "2026-11-03T04:00:00Z",
                    &merged(47929, "The commands mirror the launch measured in run 41261902147, pinned here."),
                ),
                comment(
                    9,
                    "2026-11-03T05:00:00Z",
                    "As a reviewer and code owner:\n- [x] all\n\nAdditional detail\nMerged cookbook PR sgl-project/sglang#47929 (MERGED 2026-11-03T03:28:14Z)",
                ),
                comment(10, "2026-11-03T06:00:00Z", "Is the cookbook page of sgl-project/sglang#47929 fine?"),
            ],
            ..Pull::default()
        }
    }

    #[test]
    fn rounds_are_announced_and_merged_and_one_missed_the_pin() {
        let pull = story();
        let rounds = rounds(&pull, &commands(&pull), Vec::new());
        let told: Vec<_> = rounds.iter().map(|r| (r.number, r.status, r.run_id, r.sha.as_deref(), r.settled_by)).collect();
        let progress = Some(CookbookStatus::InProgress);
        assert_eq!(
            told,
            [
                (Some(47214), progress, None, Some("9bd047ac7"), None),
                (Some(47464), progress, None, Some("9bd047ac7"), Some(47929)),
                (Some(47929), Some(CookbookStatus::VerifiedPr), RunId::new(41_261_902_147), None, None),
            ]
        );
        assert_eq!(rounds.iter().map(|r| r.missed_pin.is_some()).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(
            rounds[1].missed_pin.as_deref(),
            Some(
                "Missed the pin: run 40809149952 was pinned on 2026-10-30 09:00 UTC, before it was merged, and it shows the recipe at 9bd047ac as in progress."
            )
        );
        assert!(rounds.iter().all(|r| r.config_keys == [KEY] && r.comments.len() == 2));
        assert_eq!(rounds[0].page.as_deref(), Some("https://docs.sglang.io/cookbook/a#b"));
    }

    #[test]
    fn the_time_of_a_merge_is_what_is_told_best() {
        let pull = story();
        let rounds = rounds(&pull, &commands(&pull), Vec::new());
        assert_eq!(rounds[2].merged_at, "2026-11-03T03:28:14Z".parse().ok());
        assert_eq!(rounds[2].merged_told_by.as_deref(), Some("the sign-off"));
        assert_eq!(rounds[1].merged_at, "2026-10-30T10:00:00Z".parse().ok());
    }

    #[test]
    fn a_round_that_is_not_merged_misses_nothing_yet() {
        let mut pull = story();
        pull.comments.truncate(4);
        let rounds = rounds(&pull, &commands(&pull), Vec::new());
        assert_eq!(rounds[1].merged_at, None);
        assert_eq!(rounds[1].missed_pin, None);
    }
}
