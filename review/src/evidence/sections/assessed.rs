//! Which commit was measured, how it stands in the pull request, and which command pins which run.

use paretoscope_domain::pull::{Pull, PullState, same_commit};

use super::super::document::Part;
use super::super::escape::{code, link, text};
use super::super::writer::{Writer, short};
use crate::timeline::{Command, Standing, commands, current_pin};

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let run = w.run();
    let href = w.part("provenance");
    let mut out: Vec<String> = Vec::new();
    match &run.head_sha {
        Some(sha) => {
            let commit = run.commit_url.as_deref().map_or_else(|| code(sha), |url| link(&code(sha), url));
            out.push(w.l.of(format!("Assessed commit: {commit}."), format!("评估的 commit：{commit}。")));
        }
        None => w.gap("Which commit was measured: the run's payload names none.", "测量的是哪个 commit：run 的 payload 没有给出。"),
    }
    out.push(what_run(w));
    let mut parts = vec![w.bullets(out, href)];
    let Some(number) = run.pr_number else {
        w.gap("The pull request: the run names none.", "pull request：该 run 没有给出。");
        return parts;
    };
    let Some(pull) = w.input.pull else {
        w.gap(
            format!("Pull request #{number}: it was never read here, so its head, its commands and its merge are not known."),
            format!("pull request #{number}：这里没有读取过，因此不知道其 head、命令和合并状态。"),
        );
        return parts;
    };
    let mut lines = standing_in_pull(w, pull, run.head_sha.as_deref());
    lines.extend(pins(w, pull));
    if let Some(words) = &pull.retold {
        lines.push(w.l.of(
            format!("What is known of the pull request is retold: {}", text(words)),
            format!("关于该 pull request 的信息为转述：{}", text(words)),
        ));
    }
    let page = w.page(&format!("/pulls/{number}"));
    parts.push(w.bullets(lines, page));
    parts
}

/// `Run Sweep 41261902147 (pull_request, success, attempts 1 and 2), 2026-11-01.`
fn what_run(w: &Writer<'_>) -> String {
    let run = w.run();
    let name = run.name.as_deref().map(|n| format!("{} ", text(n))).unwrap_or_default();
    let number = run.html_url.as_deref().map_or_else(|| run.run_id.to_string(), |url| link(&run.run_id.to_string(), url));
    let attempts: Vec<String> = run.attempts.iter().map(ToString::to_string).collect();
    let attempts = match attempts.len() {
        0 => w.l.of("attempt not known", "尝试次数未知"),
        1 => w.l.of(format!("attempt {}", w.l.list(&attempts)), format!("第 {} 次尝试", w.l.list(&attempts))),
        _ => w.l.of(format!("attempts {}", w.l.list(&attempts)), format!("第 {} 次尝试", w.l.list(&attempts))),
    };
    let ended = run.conclusion.as_deref().or(run.status.as_deref()).map_or_else(|| w.l.of("conclusion not known", "结论未知"), text);
    let mut facts: Vec<String> = run.event.as_deref().map(text).into_iter().collect();
    facts.extend([ended, attempts]);
    let date = run.date.as_deref().map_or_else(|| w.l.of("date not known", "日期未知"), text);
    let (facts_en, facts_zh) = (facts.join(", "), facts.join("，"));
    w.l.of(format!("Run: {name}{number} ({facts_en}), {date}."), format!("Run：{name}{number}（{facts_zh}），{date}。"))
}

/// Whether the measured commit is the head, still in the pull request, or gone; and what follows it.
fn standing_in_pull(w: &mut Writer<'_>, pull: &Pull, sha: Option<&str>) -> Vec<String> {
    let n = pull.number;
    let mut out = Vec::new();
    match (pull.state, pull.merged_at) {
        (PullState::Merged, at) => {
            let at = at.map(|t| w.l.time(t));
            let (en, zh) = (
                at.as_deref().map(|t| format!(" on {t}")).unwrap_or_default(),
                at.as_deref().map(|t| format!("，时间 {t}")).unwrap_or_default(),
            );
            out.push(w.l.of(format!("Pull request #{n} was merged{en}."), format!("pull request #{n} 已合并{zh}。")));
        }
        (PullState::Closed, _) => {
            out.push(w.l.of(format!("Pull request #{n} is closed without a merge."), format!("pull request #{n} 已关闭，未合并。")))
        }
        (PullState::Open, _) => {}
    }
    let Some(sha) = sha else { return out };
    if !pull.known.commits {
        if pull.head_sha.is_empty() {
            w.gap(
                format!("Whether the measured commit is in #{n}: its commits were not read."),
                format!("测量的 commit 是否在 #{n} 中：没有读取其 commit 列表。"),
            );
        } else {
            let is = same_commit(&pull.head_sha, sha);
            let head = code(&short(&pull.head_sha));
            out.push(match is {
                true => w.l.of(format!("It is the head of #{n}."), format!("它是 #{n} 的 head。")),
                false => w.l.of(
                    format!("The head of #{n} is another commit, {head}; its list of commits was not read."),
                    format!("#{n} 的 head 是另一个 commit {head}；没有读取其 commit 列表。"),
                ),
            });
        }
        return out;
    }
    let Some(at) = pull.commits.iter().position(|c| same_commit(&c.sha, sha)) else {
        let dropped = pull.dropped.iter().any(|c| same_commit(&c.sha, sha));
        out.push(match dropped {
            true => w.l.of(
                format!("The measured commit is no longer in #{n}: a forced push dropped it."),
                format!("测量的 commit 已不在 #{n} 中：被 force push 移除。"),
            ),
            false => w.l.of(format!("The measured commit is not in #{n}."), format!("测量的 commit 不在 #{n} 中。")),
        });
        return out;
    };
    let after = pull.commits.get(at + 1..).unwrap_or_default();
    if after.is_empty() {
        out.push(w.l.of(format!("It is the head of #{n}: no commits follow it."), format!("它是 #{n} 的 head：之后没有 commit。")));
        return out;
    }
    let merges = after.iter().filter(|c| c.is_merge()).count();
    let names: Vec<String> = after.iter().map(|c| short(&c.sha)).collect();
    let names = w.labels(&names);
    let total = after.len();
    out.push(if merges == total {
        w.l.of(
            format!("It is in #{n}; {total} commits follow it, all of them merges: {names}."),
            format!("它在 #{n} 中；之后有 {total} 个 commit，全部是 merge：{names}。"),
        )
    } else {
        w.l.of(
            format!("It is in #{n}; {total} commits follow it, {} of them no merges: {names}.", total - merges),
            format!("它在 #{n} 中；之后有 {total} 个 commit，其中 {} 个不是 merge：{names}。", total - merges),
        )
    });
    out
}

/// The command that counts, and what it took the place of.
fn pins(w: &mut Writer<'_>, pull: &Pull) -> Vec<String> {
    let n = pull.number;
    if !pull.known.comments {
        w.gap(format!("Which run #{n} pins: its comments were not read."), format!("#{n} 固定了哪个 run：没有读取其评论。"));
        return Vec::new();
    }
    let all = commands(pull);
    let mut out = Vec::new();
    let Some(pin) = current_pin(&all) else {
        out.push(w.l.of(
            format!("No authorised reuse command stands on #{n}: no run is pinned."),
            format!("#{n} 上没有有效的复用命令：没有固定任何 run。"),
        ));
        return out;
    };
    let said = |c: &Command| c.url.as_deref().map_or_else(|| code(&c.text()), |url| link(&code(&c.text()), url));
    let by = pin.association.as_deref().map(text).unwrap_or_default();
    let mine = pin.run_id == Some(w.run().run_id);
    let (en, zh) = match (mine, pin.run_id) {
        (true, _) => ("and names this run", "指向本 run"),
        (false, Some(_)) => ("and names another run than this one", "指向的不是本 run"),
        (false, None) => ("and names no run", "没有写明 run"),
    };
    out.push(w.l.of(
        format!("{} is the newest authorised reuse command on #{n} (by a {by}, {}), {en}.", said(pin), w.l.time(pin.at)),
        format!("{} 是 #{n} 上最新的有效复用命令（{by}，{}），{zh}。", said(pin), w.l.time(pin.at)),
    ));
    let earlier: Vec<&Command> = all.iter().filter(|c| c.can_pin() && c.authorised() && c.at < pin.at && c.run_id != pin.run_id).collect();
    if let Some(last) = earlier.last() {
        out.push(w.l.of(
            format!("It replaces {} of {}.", said(last), w.l.time(last.at)),
            format!("它取代了 {} 的 {}。", w.l.time(last.at), said(last)),
        ));
    }
    let unknown = all.iter().any(|c| c.can_pin() && c.at > pin.at && matches!(c.standing, Standing::Unknown { .. }));
    if unknown {
        w.gap(
            format!("Whether a newer command on #{n} counts: its author's standing is not told."),
            format!("#{n} 上更新的命令是否有效：其作者的权限未知。"),
        );
    }
    out
}
