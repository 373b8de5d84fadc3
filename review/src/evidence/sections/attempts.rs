//! What each attempt measured, what it lost and to what, and what was run again.

use std::collections::BTreeMap;

use paretoscope_domain::Attempt;
use paretoscope_domain::run::JobEvent;

use super::super::document::Part;
use super::super::escape::text;
use super::super::writer::Writer;

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let d = w.input.detail;
    let href = w.part("attempts");
    let mut out: Vec<String> = Vec::new();
    if d.run.attempt_details.is_empty() {
        w.gap(
            "Which attempt measured what: neither folders nor an artifact listing told.",
            "各数据来自哪次尝试：文件夹和 artifact 列表都没有给出。",
        );
    }
    for a in &d.run.attempt_details {
        let n = a.attempt;
        let (points, evals) = (w.count(a.point_count, "point", "points", "点"), w.count(a.eval_count, "eval", "evals", " eval"));
        let ended = a.conclusion.as_deref().map_or_else(|| w.l.of("conclusion not known", "结论未知"), text);
        out.push(w.l.of(
            format!("Attempt {n} ({ended}): {points} and {evals} that count come from it."),
            format!("第 {n} 次尝试（{ended}）：有效数据中有 {points}、{evals} 来自它。"),
        ));
        let mine = |j: &&JobEvent| j.attempt == Some(n);
        out.extend(lost(w, n, &d.jobs.iter().filter(mine).filter(|j| failed(j)).collect::<Vec<_>>()));
        out.extend(run_again(w, n, &d.jobs));
    }
    if d.jobs.is_empty() {
        w.gap(
            "Which jobs ran, failed or were rerun: no job left an event of its own (`job_event.json`).",
            "哪些 job 运行、失败或重跑过：没有任何 job 留下事件文件（`job_event.json`）。",
        );
    }
    if out.is_empty() { Vec::new() } else { vec![w.bullets(out, href)] }
}

/// Whether a job says that it failed.
pub(super) fn failed(job: &JobEvent) -> bool {
    job.error.is_some() || job.outcome.as_deref().is_some_and(|o| o != "success")
}

/// Names of jobs, benchmarks and evals apart.
fn kinds(w: &Writer<'_>, jobs: &[&JobEvent]) -> String {
    let names = |eval: Option<bool>| jobs.iter().filter(|j| j.eval_only == eval).map(|j| j.title.clone()).collect::<Vec<_>>();
    let part = |names: Vec<String>, one: &str, many: &str, zh: &str| {
        (!names.is_empty()).then(|| {
            let count = w.count(names.len(), one, many, zh);
            w.l.of(format!("{count} ({})", w.labels(&names)), format!("{count}（{}）", w.labels(&names)))
        })
    };
    let parts: Vec<String> = [
        part(names(Some(false)), "benchmark job", "benchmark jobs", " benchmark job"),
        part(names(Some(true)), "eval job", "eval jobs", " eval job"),
        part(names(None), "job of a kind not stated", "jobs of a kind not stated", "类型未知的 job"),
    ]
    .into_iter()
    .flatten()
    .collect();
    w.l.list(&parts)
}

/// What failed in an attempt, one line for each cause.
fn lost(w: &Writer<'_>, n: Attempt, jobs: &[&JobEvent]) -> Vec<String> {
    let mut causes: BTreeMap<Option<&str>, Vec<&JobEvent>> = BTreeMap::new();
    for job in jobs {
        causes.entry(job.error.as_deref()).or_default().push(job);
    }
    causes
        .into_iter()
        .map(|(cause, jobs)| {
            let names = kinds(w, &jobs);
            match cause {
                Some(cause) => w.l.of(
                    format!("Attempt {n} lost {names} to: {}.", text(cause)),
                    format!("第 {n} 次尝试失败了 {names}，原因：{}。", text(cause)),
                ),
                None => w.l.of(
                    format!("Attempt {n} lost {names}; their events state no cause."),
                    format!("第 {n} 次尝试失败了 {names}；其事件没有说明原因。"),
                ),
            }
        })
        .collect()
}

/// What ran again in an attempt after the first, and how it ended.
fn run_again(w: &Writer<'_>, n: Attempt, all: &[JobEvent]) -> Option<String> {
    let before =
        |job: &&JobEvent| all.iter().any(|o| o.attempt.is_some_and(|a| a < n) && (&o.title, o.eval_only) == (&job.title, job.eval_only));
    let again: Vec<&JobEvent> = all.iter().filter(|j| j.attempt == Some(n)).filter(before).collect();
    if again.is_empty() {
        return None;
    }
    let well = again.iter().filter(|j| !failed(j)).count();
    let names = kinds(w, &again);
    Some(if well == again.len() {
        w.l.of(format!("Attempt {n} reran {names}; all of them succeeded."), format!("第 {n} 次尝试重跑了 {names}；全部成功。"))
    } else {
        w.l.of(
            format!("Attempt {n} reran {names}; {well} of them succeeded."),
            format!("第 {n} 次尝试重跑了 {names}；其中 {well} 个成功。"),
        )
    })
}
