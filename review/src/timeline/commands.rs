//! Commands in the comments of a pull request, who gave them and with what standing (formats-and-rules §2.5).
//!
//! * A command is a line of its own. `/use` needs its run on the same line; a bare `/reuse-sweep-run` picks the newest successful
//!   run with results, a bare `/stage-results` the newest run.
//! * Lines that are quoted, in a code block or in an HTML comment are no commands, nor is anything a bot writes: staging
//!   replies repeat what they answer.
//! * The last such line of a comment counts. `/use` and `/reuse-sweep-run` answer one question and are one family; so a comment
//!   gives at most one command of that family, and one `/stage-results` beside it.
//! * Across comments the newest authorised one of the family is the pin.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::{Comment, Permission, Pull};
use serde::{Deserialize, Serialize};

/// From this day on a comment that is nothing but `/use <run>` also stages that run. The rules name the month, not the day.
const USE_ALSO_STAGES_FROM: Date = Date::constant(2026, 10, 1);
/// Associations that may decide which run is reused.
const MAY_REUSE: [&str; 3] = ["OWNER", "MEMBER", "COLLABORATOR"];
/// Permissions and roles that may publish to the staging results.
const MAY_STAGE: [&str; 3] = ["write", "maintain", "admin"];

/// A command in a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Command {
    /// Which command.
    pub kind: CommandKind,
    /// The run it names; null where it names none.
    pub run_id: Option<RunId>,
    /// The comment.
    pub comment_id: i64,
    /// Page of the comment.
    pub url: Option<String>,
    /// Who gave it.
    pub author: String,
    /// Standing of the author in the repository, GitHub's word; null where not told.
    pub association: Option<String>,
    /// When the comment was written. An edit does not make a command newer.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
    /// Whether the author may give it.
    pub standing: Standing,
    /// It names no run.
    pub bare: bool,
    /// The comment was changed after it was written: the command may not be what was first acted on.
    pub edited: bool,
    /// The comment is nothing but `/use <run>`, late enough to ask for staging as well.
    pub also_stages: bool,
}

/// The commands that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CommandKind {
    /// `/use <run>`: reuse that run's artifacts at the merge.
    Use,
    /// `/reuse-sweep-run [run]`: the older word for the same.
    ReuseSweepRun,
    /// `/stage-results [run]`: publish to the staging results.
    StageResults,
}

/// Whether someone may give a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Standing {
    /// They may.
    Authorised,
    /// They may not.
    NotAuthorised {
        /// Why not.
        why: String,
    },
    /// Nothing that was read tells.
    Unknown {
        /// What is missing.
        why: String,
    },
}

impl CommandKind {
    /// The command as it is typed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Use => "/use",
            Self::ReuseSweepRun => "/reuse-sweep-run",
            Self::StageResults => "/stage-results",
        }
    }

    /// Whether it decides which run is reused at the merge.
    #[must_use]
    pub fn pins(self) -> bool {
        matches!(self, Self::Use | Self::ReuseSweepRun)
    }

    fn of_word(word: &str) -> Option<Self> {
        [Self::Use, Self::ReuseSweepRun, Self::StageResults].into_iter().find(|k| k.as_str() == word)
    }
}

impl Command {
    /// The command as it is typed: `/use 41261902147`.
    #[must_use]
    pub fn text(&self) -> String {
        match self.run_id {
            Some(run) => format!("{} {run}", self.kind.as_str()),
            None => self.kind.as_str().to_owned(),
        }
    }

    /// Whether its author may give it.
    #[must_use]
    pub fn authorised(&self) -> bool {
        self.standing == Standing::Authorised
    }

    /// Whether it can decide which run is reused: a `/use` without a run never does.
    #[must_use]
    pub fn can_pin(&self) -> bool {
        match self.kind {
            CommandKind::Use => self.run_id.is_some(),
            CommandKind::ReuseSweepRun => true,
            CommandKind::StageResults => false,
        }
    }
}

/// All commands of a pull request, oldest first; those without standing and those that can't work are among them.
#[must_use]
pub fn commands(pull: &Pull) -> Vec<Command> {
    let mut all: Vec<Command> =
        pull.comments.iter().filter(|c| !c.bot && !c.deleted).flat_map(|c| commands_of(c, &pull.permissions)).collect();
    all.sort_by_key(|c| (c.at, c.comment_id));
    all
}

/// The command that decides which run is reused: the newest authorised one that can. A command of someone whose standing is not
/// known never is, nor is one without a run where one is needed.
#[must_use]
pub fn current_pin(commands: &[Command]) -> Option<&Command> {
    commands.iter().filter(|c| c.can_pin() && c.authorised()).max_by_key(|c| (c.at, c.comment_id))
}

/// Commands in comments that were deleted since: they count no more, but someone may have acted on them.
#[must_use]
pub fn deleted_commands(pull: &Pull) -> Vec<Command> {
    pull.comments.iter().filter(|c| !c.bot && c.deleted).flat_map(|c| commands_of(c, &pull.permissions)).collect()
}

/// Lines that begin like a command and are none, because of what follows: a reviewer may have meant one.
#[must_use]
pub fn near_misses(comment: &Comment) -> Vec<&str> {
    if comment.bot {
        return Vec::new();
    }
    lines_that_speak(&comment.body).into_iter().filter(|line| matches!(read_line(line), Line::NearMiss)).map(str::trim).collect()
}

fn commands_of(comment: &Comment, permissions: &[Permission]) -> Vec<Command> {
    let (mut reuse, mut bare_use, mut stage) = (None, None, None);
    for line in lines_that_speak(&comment.body) {
        match read_line(line) {
            Line::Command(CommandKind::Use, None) => bare_use = Some((CommandKind::Use, None)),
            Line::Command(kind, run) if kind.pins() => reuse = Some((kind, run)),
            Line::Command(kind, run) => stage = Some((kind, run)),
            Line::NearMiss | Line::Other => {}
        }
    }
    // A `/use` without a run is shown where nothing better stands in the comment; it overrides no line that works.
    let also_stages = is_only_use(&comment.body) && comment.at >= staging_by_use_from();
    let build = |(kind, run_id): (CommandKind, Option<RunId>)| Command {
        kind,
        run_id,
        comment_id: comment.id,
        url: comment.url.clone(),
        author: comment.author.clone(),
        association: comment.association.clone(),
        at: comment.at,
        standing: standing(kind, comment, permissions),
        bare: run_id.is_none(),
        edited: comment.updated_at != comment.at || !comment.earlier.is_empty(),
        also_stages: also_stages && kind == CommandKind::Use,
    };
    reuse.or(bare_use).into_iter().chain(stage).map(build).collect()
}

fn standing(kind: CommandKind, comment: &Comment, permissions: &[Permission]) -> Standing {
    if kind.pins() { reuse_standing(comment) } else { stage_standing(comment, permissions) }
}

fn reuse_standing(comment: &Comment) -> Standing {
    match comment.association.as_deref() {
        Some(word) if MAY_REUSE.iter().any(|m| m.eq_ignore_ascii_case(word)) => Standing::Authorised,
        Some(word) => Standing::NotAuthorised { why: format!("{word} is none of {}", MAY_REUSE.join(", ")) },
        None => Standing::Unknown { why: "the payload doesn't tell the author's association".to_owned() },
    }
}

/// Both the permission and the role must allow it. What people may do is told as of the payload, not as of the comment.
fn stage_standing(comment: &Comment, permissions: &[Permission]) -> Standing {
    let Some(told) = permissions.iter().rfind(|p| p.user.eq_ignore_ascii_case(&comment.author)) else {
        return Standing::Unknown { why: "no payload tells this person's permission".to_owned() };
    };
    let may = |word: &str| MAY_STAGE.iter().any(|m| m.eq_ignore_ascii_case(word));
    let words = MAY_STAGE.join(", ");
    match (may(&told.permission), told.role_name.as_deref()) {
        (false, _) => Standing::NotAuthorised { why: format!("permission {} is none of {words}", told.permission) },
        (true, Some(role)) if may(role) => Standing::Authorised,
        (true, Some(role)) => Standing::NotAuthorised { why: format!("role {role} is none of {words}") },
        (true, None) => Standing::Unknown { why: format!("permission {} is told, the role is not", told.permission) },
    }
}

fn staging_by_use_from() -> Timestamp {
    USE_ALSO_STAGES_FROM.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |z| z.timestamp())
}

fn is_only_use(body: &str) -> bool {
    matches!(read_line(body.trim()), Line::Command(CommandKind::Use, Some(_)))
}

enum Line {
    Command(CommandKind, Option<RunId>),
    NearMiss,
    Other,
}

fn read_line(line: &str) -> Line {
    // Four columns make a code block.
    let indent = line.len() - line.trim_start_matches(' ').len();
    if indent > 3 {
        return Line::Other;
    }
    let mut words = line.split_whitespace();
    let Some(kind) = words.next().and_then(CommandKind::of_word) else { return Line::Other };
    if line.trim().contains(['\n', '\r']) {
        return Line::Other;
    }
    match (words.next(), words.next()) {
        (None, _) => Line::Command(kind, None),
        (Some(id), None) => id.parse().map_or(Line::NearMiss, |id| Line::Command(kind, Some(id))),
        (Some(_), Some(_)) => Line::NearMiss,
    }
}

/// Lines of a comment that are neither quoted, nor code, nor hidden.
fn lines_that_speak(body: &str) -> Vec<&str> {
    let mut fence: Option<(char, usize)> = None;
    let mut hidden = false;
    let mut lines = Vec::new();
    for line in body.lines().flat_map(|l| l.split('\r')) {
        if let Some((mark, length)) = fence {
            if let Some((other, n, rest)) = fence_of(line)
                && other == mark
                && n >= length
                && rest.trim().is_empty()
            {
                fence = None;
            }
            continue;
        }
        if hidden {
            hidden = !line.contains("-->");
            continue;
        }
        if let Some((mark, n, rest)) = fence_of(line) {
            // A back-tick fence has no back-ticks behind it: that would be code within a line.
            if mark != '`' || !rest.contains('`') {
                fence = Some((mark, n));
                continue;
            }
        }
        if let Some((_, rest)) = line.rsplit_once("<!--") {
            hidden = !rest.contains("-->");
            continue;
        }
        if !line.trim_start().starts_with('>') && !line.starts_with('\t') {
            lines.push(line);
        }
    }
    lines
}

/// The mark, its length and what follows, where a line opens or closes a code block.
fn fence_of(line: &str) -> Option<(char, usize, &str)> {
    let text = line.trim_start_matches(' ');
    if line.len() - text.len() > 3 {
        return None;
    }
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    (length >= 3).then_some((mark, length, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(id: i64, at: &str, author: &str, association: Option<&str>, body: &str) -> Comment {
        let at: Timestamp = at.parse().unwrap();
        Comment {
            id,
            author: author.to_owned(),
            bot: author.ends_with("[bot]"),
            association: association.map(str::to_owned),
            at,
            updated_at: at,
            body: body.to_owned(),
            url: None,
            earlier: Vec::new(),
            deleted: false,
        }
    }

    fn pull(comments: Vec<Comment>) -> Pull {
        Pull { comments, ..Pull::default() }
    }

    fn texts(body: &str) -> Vec<String> {
        commands(&pull(vec![comment(1, "2026-10-29T10:00:00Z", "owner", Some("COLLABORATOR"), body)])).iter().map(Command::text).collect()
    }

    #[test]
    fn a_command_is_a_line_of_its_own_and_the_last_one_counts() {
        for (body, expected) in [
            ("/use 40809149952", vec!["/use 40809149952"]),
            ("/use 40809149952\r\n", vec!["/use 40809149952"]),
            ("thanks\r\n/use 1\r\n/use 2\r\nbye\r\n", vec!["/use 2"]),
            ("/use 1\n/reuse-sweep-run 2", vec!["/reuse-sweep-run 2"]),
            ("/reuse-sweep-run 2\n/use 1", vec!["/use 1"]),
            ("/use 1\n/reuse-sweep-run", vec!["/reuse-sweep-run"]),
            ("/use 1\n/use", vec!["/use 1"]),
            ("/use", vec!["/use"]),
            ("/use\n123", vec!["/use"]),
            ("/use 1\n/stage-results 1", vec!["/use 1", "/stage-results 1"]),
            ("/stage-results", vec!["/stage-results"]),
            ("  /use   7  ", vec!["/use 7"]),
            ("please /use 1", vec![]),
            ("`/use 1` is posted", vec![]),
            ("/use 1 please", vec![]),
            ("/use abc", vec![]),
            ("/use -1", vec![]),
            ("/use 0", vec![]),
            ("/use 99999999999999999999999", vec![]),
            ("/used 1", vec![]),
            ("/USE 1", vec![]),
            ("> /use 1", vec![]),
            (">/use 1\n", vec![]),
            ("```\n/use 1\n```", vec![]),
            ("```text\n/use 1\n```\n/use 2", vec!["/use 2"]),
            ("~~~~\n/use 1\n~~~\n/use 2\n~~~~\n/use 3", vec!["/use 3"]),
            ("```\n/use 1", vec![]),
            ("```one line``` of code\n/use 4", vec!["/use 4"]),
            ("    /use 1", vec![]),
            ("\t/use 1", vec![]),
            ("<!-- hidden\n/use 1\n-->\n/use 2", vec!["/use 2"]),
            ("<!-- marker -->\n/use 2", vec!["/use 2"]),
            ("", vec![]),
        ] {
            assert_eq!(texts(body), expected, "{body:?}");
        }
    }

    #[test]
    fn a_bot_gives_no_commands() {
        let staged = comment(1, "2026-10-29T10:00:00Z", "github-actions[bot]", Some("CONTRIBUTOR"), "/use 1");
        assert_eq!(commands(&pull(vec![staged])), []);
    }

    #[test]
    fn the_newest_authorised_command_that_can_pin_is_the_pin() {
        let at = |minute: u32| format!("2026-10-29T10:{minute:02}:00Z");
        let case = |given: &[(&str, Option<&str>)]| {
            let comments = given
                .iter()
                .zip(0u32..)
                .map(|((body, association), i)| comment(i64::from(i), &at(i), "someone", *association, body))
                .collect();
            let all = commands(&pull(comments));
            current_pin(&all).map(Command::text)
        };
        let member = Some("MEMBER");
        for (given, pin) in [
            (vec![("/use 1", member), ("/use 2", Some("COLLABORATOR"))], Some("/use 2")),
            // Someone without standing, or whose standing is not told, changes nothing.
            (vec![("/use 1", Some("OWNER")), ("/use 2", Some("CONTRIBUTOR"))], Some("/use 1")),
            (vec![("/use 1", Some("OWNER")), ("/use 2", Some("NONE"))], Some("/use 1")),
            (vec![("/use 1", Some("OWNER")), ("/use 2", None)], Some("/use 1")),
            (vec![("/use 2", Some("FIRST_TIME_CONTRIBUTOR"))], None),
            // A bare /use pins nothing and unpins nothing; the older word may stand alone.
            (vec![("/use 1", member), ("/use", member)], Some("/use 1")),
            (vec![("/use", member)], None),
            (vec![("/use 1", member), ("/reuse-sweep-run", member)], Some("/reuse-sweep-run")),
            (vec![("/reuse-sweep-run", member), ("/use 3", member)], Some("/use 3")),
            (vec![("/reuse-sweep-run 5", member), ("/stage-results 6", member)], Some("/reuse-sweep-run 5")),
            (vec![], None),
        ] {
            assert_eq!(case(&given).as_deref(), pin, "{given:?}");
        }
    }

    #[test]
    fn order_is_by_time_whatever_the_payload_s_order() {
        let newer = comment(2, "2026-11-02T10:00:00Z", "owner", Some("MEMBER"), "/use 2");
        let older = comment(9, "2026-10-29T10:00:00Z", "owner", Some("MEMBER"), "/use 1");
        let all = commands(&pull(vec![newer, older]));
        assert_eq!(all.iter().map(Command::text).collect::<Vec<_>>(), ["/use 1", "/use 2"]);
        assert_eq!(current_pin(&all).map(Command::text).as_deref(), Some("/use 2"));
    }

    #[test]
    fn an_edit_is_told_and_makes_nothing_newer() {
        let mut first = comment(1, "2026-10-29T10:00:00Z", "owner", Some("MEMBER"), "/use 3");
        first.updated_at = "2026-11-05T10:00:00Z".parse().unwrap();
        first.earlier = vec![(first.at, "/use 1".to_owned())];
        let second = comment(2, "2026-11-01T10:00:00Z", "owner", Some("MEMBER"), "/use 2");
        let all = commands(&pull(vec![first, second]));
        assert_eq!(all.iter().map(|c| c.edited).collect::<Vec<_>>(), [true, false]);
        assert_eq!(current_pin(&all).map(Command::text).as_deref(), Some("/use 2"));
    }

    #[test]
    fn a_comment_that_is_only_use_also_stages_since_october_2026() {
        for (at, body, stages) in [
            ("2026-10-29T10:00:00Z", "/use 1", true),
            ("2026-10-01T00:00:00Z", "\r\n/use 1\r\n", true),
            ("2026-09-30T23:59:59Z", "/use 1", false),
            ("2026-10-29T10:00:00Z", "fine\n/use 1", false),
            ("2026-10-29T10:00:00Z", "/use 1\n/use 2", false),
            ("2026-10-29T10:00:00Z", "/use", false),
            ("2026-10-29T10:00:00Z", "/reuse-sweep-run 1", false),
        ] {
            let all = commands(&pull(vec![comment(1, at, "owner", Some("MEMBER"), body)]));
            assert_eq!(all.first().map(|c| c.also_stages), Some(stages), "{at} {body:?}");
        }
    }

    #[test]
    fn staging_needs_the_permission_and_the_role() {
        let permission = |permission: &str, role: Option<&str>| Permission {
            user: "Owner".to_owned(),
            permission: permission.to_owned(),
            role_name: role.map(str::to_owned),
        };
        for (told, standing) in [
            (Some(permission("write", Some("write"))), "authorised"),
            (Some(permission("admin", Some("maintain"))), "authorised"),
            (Some(permission("write", Some("triage"))), "not"),
            (Some(permission("read", Some("write"))), "not"),
            (Some(permission("write", None)), "unknown"),
            (Some(permission("none", None)), "not"),
            (None, "unknown"),
        ] {
            let mut pull = pull(vec![comment(1, "2026-10-29T10:00:00Z", "owner", Some("OWNER"), "/stage-results 1")]);
            pull.permissions = told.clone().into_iter().collect();
            let found = match commands(&pull).first().map(|c| &c.standing) {
                Some(Standing::Authorised) => "authorised",
                Some(Standing::NotAuthorised { .. }) => "not",
                Some(Standing::Unknown { .. }) => "unknown",
                None => "none",
            };
            assert_eq!(found, standing, "{told:?}");
        }
    }

    #[test]
    fn what_looks_like_a_command_and_is_none_is_told() {
        let c =
            comment(1, "2026-10-29T10:00:00Z", "owner", Some("MEMBER"), "/use 1 please\n/use https://x/runs/1\n> /use abc\n/use 5\n/usual");
        assert_eq!(near_misses(&c), ["/use 1 please", "/use https://x/runs/1"]);
    }
}
