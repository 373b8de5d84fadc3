//! Whether every job ended well, whether every point of the matrix is there, which lanes left nothing, how long it lives.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use paretoscope_domain::label;
use paretoscope_domain::point::{Point, Status, Topology};
use paretoscope_domain::repo::{ConfigFact, MatrixPoint, RepoFacts};
use paretoscope_domain::run::{Family, JobEvent};

use super::super::document::Part;
use super::super::escape::code;
use super::super::writer::{Writer, short};
use super::attempts::failed;

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    let jobs = jobs(w);
    if !jobs.is_empty() {
        parts.push(w.bullets(jobs, w.part("attempts")));
    }
    let mut points = points(w);
    points.extend(matrix(w));
    points.extend(lanes(w));
    parts.push(w.bullets(points, w.part("points")));
    let artifacts = artifacts(w);
    if !artifacts.is_empty() {
        parts.push(w.bullets(artifacts, w.part("artifacts")));
    }
    parts
}

/// How each job ended in its newest attempt.
fn jobs(w: &mut Writer<'_>) -> Vec<String> {
    let d = w.input.detail;
    let mut newest: BTreeMap<(&str, Option<bool>), &JobEvent> = BTreeMap::new();
    for job in &d.jobs {
        let held = newest.entry((&job.title, job.eval_only)).or_insert(job);
        if job.attempt >= held.attempt {
            *held = job;
        }
    }
    let mut out = Vec::new();
    for (eval, one, many, zh) in [
        (Some(false), "benchmark job", "benchmark jobs", " benchmark job"),
        (Some(true), "eval job", "eval jobs", " eval job"),
        (None, "job of a kind not stated", "jobs of a kind not stated", "类型未知的 job"),
    ] {
        let mine: Vec<&JobEvent> = newest.values().copied().filter(|j| j.eval_only == eval).collect();
        if mine.is_empty() {
            continue;
        }
        let lost: Vec<String> = mine.iter().filter(|j| failed(j)).map(|j| j.title.clone()).collect();
        let silent = mine.iter().filter(|j| !failed(j) && j.outcome.is_none()).count();
        let count = w.count(mine.len(), one, many, zh);
        let silent = match silent {
            0 => String::new(),
            n => w.l.of(format!(" {n} state no outcome."), format!("{n} 个没有给出结果。")),
        };
        out.push(match lost.len() {
            0 => w.l.of(
                format!("{count}, by their own events, none of them failed in its newest attempt.{silent}"),
                format!("{count}，按其事件，在最新一次尝试中没有失败。{silent}"),
            ),
            n => w.l.of(
                format!("{count}, by their own events; {n} failed in the newest attempt: {}.{silent}", w.labels(&lost)),
                format!("{count}，按其事件；最新一次尝试中失败 {n} 个：{}。{silent}", w.labels(&lost)),
            ),
        });
    }
    for s in &d.run_stats {
        let (name, n, all) = (code(&s.name), s.n_success, s.total);
        out.push(w.l.of(
            format!("Over all attempts {n} of {all} jobs on {name} succeeded."),
            format!("所有尝试合计，{name} 上 {all} 个 job 中 {n} 个成功。"),
        ));
    }
    w.gap(
        "Jobs that were skipped, and jobs without an artifact: GitHub's list of jobs was not read.",
        "被跳过的 job 以及没有 artifact 的 job：没有读取 GitHub 的 job 列表。",
    );
    out
}

/// Points that count, that failed, and requests that were lost.
fn points(w: &mut Writer<'_>) -> Vec<String> {
    let all: Vec<&Point> = w.input.detail.points.iter().filter(|p| !p.superseded).collect();
    let good: Vec<&&Point> = all.iter().filter(|p| p.counts()).collect();
    let bad: Vec<String> = all.iter().filter(|p| p.status == Status::Failed).map(|p| p.label.clone()).collect();
    let count = w.count(good.len(), "point counts", "points count", "有效的点");
    let mut out = vec![match bad.len() {
        0 => w.l.of(format!("{count}; none failed."), format!("{count}；没有失败的点。")),
        n => w.l.of(format!("{count}; {n} failed: {}.", w.labels(&bad)), format!("{count}；失败 {n} 个：{}。", w.labels(&bad))),
    }];
    let errors: Vec<u64> = good.iter().filter_map(|p| p.requests.error_dropped).collect();
    if let (Some(low), Some(high)) = (errors.iter().min(), errors.iter().max()) {
        let range = if low == high { low.to_string() } else { format!("{low}–{high}") };
        out.push(w.l.of(format!("{range} requests a point were dropped for an error."), format!("每个点因错误丢弃的请求数：{range}。")));
    }
    if errors.len() < good.len() {
        let n = good.len() - errors.len();
        w.gap(
            format!("Requests dropped for an error: the rows of {n} points don't state them."),
            format!("因错误丢弃的请求数：{n} 个点的数据行没有给出。"),
        );
    }
    let high: Vec<String> = good
        .iter()
        .filter(|p| p.reasons.iter().any(|r| r == paretoscope_domain::point::reason::HIGH_FAILURE))
        .map(|p| p.label.clone())
        .collect();
    if !high.is_empty() {
        out.push(w.l.of(
            format!("More failed requests than the gate allows: {}.", w.labels(&high)),
            format!("失败请求超过门限：{}。", w.labels(&high)),
        ));
    }
    out
}

/// The state of the benchmark repository that the run's configurations are read from.
fn state<'a>(w: &Writer<'a>) -> Option<(&'a RepoFacts, bool)> {
    w.input.head.map(|f| (f, true)).or_else(|| w.input.main.map(|f| (f, false)))
}

fn configs<'a>(w: &Writer<'a>) -> Vec<&'a ConfigFact> {
    let keys = &w.run().config_keys;
    state(w).map(|(facts, _)| facts.configs.iter().filter(|c| keys.contains(&c.key)).collect()).unwrap_or_default()
}

/// Points of the matrix against points of the run.
fn matrix(w: &mut Writer<'_>) -> Option<String> {
    let keys = &w.run().config_keys;
    if keys.is_empty() {
        w.gap("Which points the configuration asks for: the run names no configuration key.", "配置要求哪些点：该 run 没有给出配置 key。");
        return None;
    }
    let Some((facts, own)) = state(w) else {
        w.gap(
            "Which points the configuration asks for: the benchmark repository was never synced here.",
            "配置要求哪些点：这里没有同步过 benchmark 仓库。",
        );
        return None;
    };
    let found = configs(w);
    let at = facts.commit.as_deref().map(short).unwrap_or_else(|| "?".to_owned());
    if found.is_empty() {
        w.gap(
            format!("Which points the configuration asks for: its key stands in no master configuration at {at}."),
            format!("配置要求哪些点：在 {at} 的 master 配置中没有该 key。"),
        );
        return None;
    }
    if !own {
        w.gap(
            format!("Which points the configuration asked for at the measured commit: only commit {at} was synced, and that is what the points are held against."),
            format!("在被测 commit 上配置要求哪些点：只同步过 commit {at}，以下以它为准。"),
        );
    }
    let append = w.input.detail.changelog.iter().any(|e| e.append_only || !e.scenario_types.is_empty());
    let name = |p: &MatrixPoint| {
        let topology = match (p.prefill, p.decode) {
            (Some(prefill), Some(decode)) => Topology::Disaggregated { prefill, decode },
            _ => Topology::Aggregated(p.parallel),
        };
        (p.isl, p.osl, label::label(&topology, Some(p.conc)))
    };
    let wanted: BTreeSet<_> = found.iter().flat_map(|c| &c.points).map(name).collect();
    let there: BTreeSet<_> =
        w.input.detail.points.iter().filter(|p| p.counts()).map(|p| (p.isl, p.osl, label::label(&p.topology(), Some(p.conc)))).collect();
    let names = |set: Vec<&(Option<u32>, Option<u32>, String)>| set.into_iter().map(|(_, _, l)| l.clone()).collect::<Vec<_>>();
    let (missing, beyond) = (names(wanted.difference(&there).collect()), names(there.difference(&wanted).collect()));
    let total = wanted.len();
    let scope = if append { w.l.of(" The changelog limits what was run.", "changelog 限定了运行范围。") } else { String::new() };
    let mut text = match missing.len() {
        0 => w.l.of(
            format!("All {total} points that the configuration generates at {at} are there."),
            format!("配置在 {at} 生成的 {total} 个点全部存在。"),
        ),
        n => w.l.of(
            format!("Of {total} points that the configuration generates at {at}, {n} are missing: {}.{scope}", w.labels(&missing)),
            format!("配置在 {at} 生成 {total} 个点，缺少 {n} 个：{}。{scope}", w.labels(&missing)),
        ),
    };
    if !beyond.is_empty() {
        text.push_str(&w.l.of(format!(" Not in it: {}.", w.labels(&beyond)), format!("不在其中：{}。", w.labels(&beyond))));
    }
    Some(text)
}

/// Kinds of jobs that left nothing, and whether the configuration generates any.
fn lanes(w: &mut Writer<'_>) -> Option<String> {
    let d = w.input.detail;
    let points: Vec<&Point> = d.points.iter().filter(|p| !p.superseded).collect();
    let found = configs(w);
    // Name, in Chinese, whether the run has it, whether the configurations generate it.
    let lanes = [
        (
            "agentic",
            "agentic",
            points.iter().any(|p| p.scenario.is_agentic()),
            found.iter().flat_map(|c| &c.points).any(|p| p.isl.is_none()),
        ),
        (
            "fixed-sequence",
            "固定序列",
            points.iter().any(|p| !p.scenario.is_agentic()),
            found.iter().flat_map(|c| &c.points).any(|p| p.isl.is_some()),
        ),
        ("single-node", "单节点", points.iter().any(|p| !p.multinode), found.iter().any(|c| !c.multinode)),
        ("multi-node", "多节点", points.iter().any(|p| p.multinode), found.iter().any(|c| c.multinode)),
    ];
    let names = |wanted: bool| {
        lanes.iter().filter(|(_, _, has, generated)| !has && *generated == wanted).map(|(en, zh, ..)| w.l.of(*en, *zh)).collect::<Vec<_>>()
    };
    if found.is_empty() {
        return None;
    }
    let (none, lost) = (names(false), names(true));
    let mut text = String::new();
    if !none.is_empty() {
        let list = w.l.list(&none);
        text.push_str(&w.l.of(
            format!("Lanes that left nothing and that the configuration does not generate: {list}."),
            format!("没有产出、且配置本身不生成的部分：{list}。"),
        ));
    }
    if !lost.is_empty() {
        let list = w.l.list(&lost);
        text.push_str(&w.l.of(
            format!(" Lanes that the configuration generates and that left nothing: {list}."),
            format!("配置会生成、但没有产出的部分：{list}。"),
        ));
    }
    (!text.is_empty()).then(|| text.trim().to_owned())
}

/// How long CI keeps what was measured.
fn artifacts(w: &mut Writer<'_>) -> Vec<String> {
    let measured = |f: Family| matches!(f, Family::Benchmark | Family::CollectedBenchmarks | Family::Eval | Family::CollectedEvals);
    let mine: Vec<_> = w.input.detail.artifacts.iter().filter(|a| measured(a.family)).collect();
    let mut ends: Vec<&str> = mine.iter().filter_map(|a| a.expires_at.as_deref()).collect();
    ends.sort_unstable();
    let Some(first) = ends.first().copied() else {
        w.gap(
            "How long CI keeps the artifacts: no listing states it. They stay here.",
            "CI 保留 artifact 到何时：没有列表给出。这里会一直保留。",
        );
        return Vec::new();
    };
    let day =
        first.parse::<Timestamp>().map(|t| t.to_zoned(TimeZone::UTC).date()).or_else(|_| first.get(..10).unwrap_or(first).parse::<Date>());
    let Ok(day) = day else { return Vec::new() };
    let gone = day < w.input.now.to_zoned(TimeZone::UTC).date();
    let (n, all) = (ends.len(), mine.len());
    vec![if gone {
        w.l.of(
            format!("CI has deleted the first of these {n} artifacts since {day}; they are kept here."),
            format!("自 {day} 起 CI 已删除这 {n} 个 artifact 中最早的；这里仍保留。"),
        )
    } else {
        w.l.of(
            format!("{n} of {all} benchmark and eval artifacts state when CI deletes them: none before {day}."),
            format!("{all} 个 benchmark 与 eval artifact 中有 {n} 个给出了 CI 删除时间：都不早于 {day}。"),
        )
    }]
}
