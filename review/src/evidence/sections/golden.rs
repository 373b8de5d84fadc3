//! The acceptance length aimed at, the committed one, and what was measured (§3.3).

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};

use super::super::document::Part;
use super::super::escape::{code, text};
use super::super::writer::Writer;
use super::environment::origin;
use crate::drift::golden::{self, Committed};

/// Names under which engines take the acceptance length they simulate, and what the token of the target adds to it (§3.3).
const TARGETS: [(&str, f64); 4] = [
    ("SGLANG_SIMULATE_ACC_LEN", 0.0),
    ("synthetic_acceptance_length", 0.0),
    ("spec_decode_acceptance_length", 0.0),
    ("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", 1.0),
];
/// Settings that belong to it and are worth showing.
const BESIDE: [&str; 2] = ["SGLANG_SIMULATE_ACC_METHOD", "SGLANG_SIMULATE_ACC_TOKEN_MODE"];
/// How far a measured mean may be from the committed value; useful, not required (§3.3).
const CLOSE: f64 = 0.02;

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let d = w.input.detail;
    let methods: BTreeSet<&str> = d.points.iter().filter(|p| p.counts()).map(|p| p.spec_method.as_str()).collect();
    let speculative = methods.iter().any(|m| *m != "none");
    let has_facts = d.evidence.iter().any(|f| matches!(f.kind, FactKind::GoldenAl | FactKind::MeasuredAl));
    let has_events = d.jobs.iter().any(|j| j.golden_acceptance_length.is_some());
    if !speculative && !has_facts && !has_events {
        let line = w.l.of("Not applicable: no point that counts uses speculative decoding.", "不适用：有效的点都没有使用推测解码。");
        return vec![w.bullets(vec![line], w.part("points"))];
    }
    let targets = targets(w);
    let mut out = aimed(w, &targets);
    out.extend(committed(w, &targets));
    out.extend(beside(w));
    out.extend(measured(w, &targets));
    if out.is_empty() { Vec::new() } else { vec![w.bullets(out, w.part("environment"))] }
}

/// Values aimed at, each with where it stands and how many points or jobs state it.
fn targets(w: &Writer<'_>) -> BTreeMap<String, Vec<String>> {
    let d = w.input.detail;
    let mut targets: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for f in d.evidence.iter().filter(|f| !f.eval) {
        let Some(added) = added(f) else { continue };
        // Counted below, with the jobs.
        if f.kind == FactKind::GoldenAl && !d.jobs.is_empty() && is_job_event(f) {
            continue;
        }
        let name = Some(code(&f.key)).filter(|_| f.kind != FactKind::GoldenAl);
        let told: Vec<String> = name.into_iter().chain(f.point.as_deref().map(text)).chain([origin(w, f)]).collect();
        targets.entry(plain(&f.value, added)).or_default().push(told.join(w.l.of(", ", "，").as_str()));
    }
    let mut events: BTreeMap<String, usize> = BTreeMap::new();
    for value in d.jobs.iter().filter_map(|j| j.golden_acceptance_length.as_deref()) {
        *events.entry(plain(value, 0.0)).or_default() += 1;
    }
    for (value, n) in events {
        let jobs = w.count(n, "job event", "job events", " job 事件");
        targets.entry(value).or_default().push(jobs);
    }
    targets
}

/// Whether it was read in a job's own event.
fn is_job_event(f: &RunFact) -> bool {
    matches!(&f.origin, FactOrigin::Artifact { file, .. } if file.ends_with("job_event.json"))
}

/// What is added to a fact's value to make it an acceptance length; `None` where it states no target.
fn added(f: &RunFact) -> Option<f64> {
    match f.kind {
        FactKind::GoldenAl => Some(0.0),
        FactKind::Env | FactKind::Argument => TARGETS.iter().find(|(name, _)| *name == f.key).map(|(_, added)| *added),
        _ => None,
    }
}

/// A value as a number where it is one, so that `3.51` and `'3.510'` are one target.
fn plain(value: &str, added: f64) -> String {
    let bare = value.trim().trim_matches(['"', '\'']);
    bare.parse::<f64>().ok().filter(|n| n.is_finite()).map_or_else(|| bare.to_owned(), |n| (n + added).to_string())
}

fn aimed(w: &mut Writer<'_>, targets: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    if targets.is_empty() {
        w.gap(
            "The acceptance length aimed at: neither a job event, nor a log, nor anybody states it.",
            "目标接受长度：job 事件、日志和任何人都没有给出。",
        );
    }
    targets
        .iter()
        .map(|(value, where_from)| {
            let (first, more) = (where_from.iter().take(3).cloned().collect::<Vec<_>>(), where_from.len().saturating_sub(3));
            let mut list = first.join(w.l.of("; ", "；").as_str());
            if more > 0 {
                list.push_str(&w.l.of(format!("; and {more} more"), format!("；另有 {more} 处")));
            }
            w.l.of(format!("Aimed at {} ({list}).", text(value)), format!("目标值 {}（{list}）。", text(value)))
        })
        .collect()
}

fn of_kind<'a>(w: &Writer<'a>, kind: FactKind) -> impl Iterator<Item = (&'a str, &'a str)> + Clone {
    let evidence = &w.input.detail.evidence;
    evidence.iter().filter(move |f| f.kind == kind && !f.eval).map(|f| (f.key.as_str(), f.value.as_str()))
}

/// The committed values that the target may be held against: model, draft length and thinking mode as far as they are known.
fn committed(w: &mut Writer<'_>, targets: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let Some(facts) = w.input.head.or(w.input.main) else {
        w.gap(
            "The committed golden value: the benchmark repository was never synced here.",
            "已提交的 golden 值：这里没有同步过 benchmark 仓库。",
        );
        return Vec::new();
    };
    let d = w.input.detail;
    let paths: BTreeSet<&str> = d.points.iter().filter_map(|p| p.model_path.as_deref()).collect();
    let paths: Vec<&str> = paths.into_iter().collect();
    let mut out = Vec::new();
    for model in &d.run.models {
        let label = text(w.input.words.model_label(model));
        let curves = golden::curves(facts, &paths, Some(model), w.input.words);
        if curves.is_empty() {
            w.gap(
                format!("The committed golden value of {label}: no file at the synced commit holds its model."),
                format!("{label} 的已提交 golden 值：同步的 commit 中没有该模型的文件。"),
            );
            continue;
        }
        let length = golden::draft_length(of_kind(w, FactKind::Argument));
        let thinking = golden::thinking(of_kind(w, FactKind::Env));
        if length.is_none() {
            w.gap(
                format!("The draft length of {label}: no argument states it; any length of its curves is taken as a match."),
                format!("{label} 的 draft 长度：没有参数给出；其曲线中任一长度的值都视为匹配。"),
            );
        }
        let values = golden::values(&curves, length, thinking);
        for target in targets.keys() {
            let Ok(value) = target.parse::<f64>() else {
                out.push(w.l.of(format!("{} is no number.", text(target)), format!("{} 不是数字。", text(target))));
                continue;
            };
            let fits: Vec<String> = values.iter().filter(|c| golden::same(c.value, value)).map(|c| named(w, c)).collect();
            let all: Vec<String> = values.iter().map(|c| named(w, c)).collect();
            let target = text(target);
            out.push(match (fits.is_empty(), all.is_empty(), length) {
                (false, ..) => w.l.of(
                    format!("{target} matches the committed {}.", w.l.list(&fits)),
                    format!("{target} 与已提交的值一致：{}。", w.l.list(&fits)),
                ),
                (true, false, Some(_)) => w.l.of(
                    format!("{target} does not match the committed {}.", w.l.list(&all)),
                    format!("{target} 与已提交的值不一致：{}。", w.l.list(&all)),
                ),
                (true, false, None) => w.l.of(
                    format!("{target} stands in none of the model's committed curves."),
                    format!("{target} 不在该模型的任何已提交曲线中。"),
                ),
                (true, true, _) => w.l.of(
                    format!(
                        "{target} has nothing committed to hold it against: no value for draft length {}.",
                        length.map_or_else(|| "?".to_owned(), |l| l.to_string())
                    ),
                    format!(
                        "{target} 没有可对照的已提交值：draft 长度 {} 没有值。",
                        length.map_or_else(|| "?".to_owned(), |l| l.to_string())
                    ),
                ),
            });
        }
    }
    out
}

/// `3.51 (dsv41flash_dspark.yaml, thinking_on, draft length 5)`.
fn named(w: &Writer<'_>, c: &Committed<'_>) -> String {
    let (file, thinking) = (code(&c.curve.file), code(&c.curve.thinking));
    w.l.of(
        format!("{:.2} ({file}, {thinking}, draft length {})", c.value, c.draft_length),
        format!("{:.2}（{file}，{thinking}，draft 长度 {}）", c.value, c.draft_length),
    )
}

fn beside(w: &Writer<'_>) -> Option<String> {
    let found: BTreeSet<(&str, &str)> = of_kind(w, FactKind::Env).filter(|(k, _)| BESIDE.contains(k)).collect();
    if found.is_empty() {
        return None;
    }
    let list: Vec<String> = found.into_iter().map(|(k, v)| code(&format!("{k}={v}"))).collect();
    Some(w.l.of(format!("Beside it: {}.", list.join(", ")), format!("相关设置：{}。", list.join("、"))))
}

fn measured(w: &mut Writer<'_>, targets: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let d = w.input.detail;
    let facts: Vec<&RunFact> = d.evidence.iter().filter(|f| f.kind == FactKind::MeasuredAl).collect();
    if facts.is_empty() {
        w.gap(
            "The acceptance length measured: no server log that was read holds it, and nobody states it.",
            "实测接受长度：已读取的服务器日志中没有，也没有人给出。",
        );
        return Vec::new();
    }
    let told: BTreeSet<&str> = facts.iter().filter_map(|f| f.point.as_deref()).collect();
    let silent = d.points.iter().filter(|p| p.counts() && p.spec_method != "none" && !told.contains(p.label.as_str())).count();
    if silent > 0 {
        w.gap(
            format!("The acceptance length measured on {silent} more points: nothing that was read states it."),
            format!("另外 {silent} 个点的实测接受长度：读取的内容中没有给出。"),
        );
    }
    let goals: Vec<f64> = targets.keys().filter_map(|t| t.parse().ok()).collect();
    facts
        .into_iter()
        .map(|f| {
            let point = f.point.as_deref().map_or_else(|| w.l.of("the run", "该 run"), text);
            let lines = f.count.map(|n| w.l.of(format!(" over {n} log lines"), format!("（{n} 行日志）"))).unwrap_or_default();
            let near = match (goals.as_slice(), f.value.trim().parse::<f64>()) {
                ([goal], Ok(value)) if (value - goal).abs() <= CLOSE + 1e-9 => {
                    w.l.of(format!(", within {CLOSE} of the target"), format!("，与目标相差不超过 {CLOSE}"))
                }
                ([_], Ok(_)) => w.l.of(format!(", more than {CLOSE} from the target"), format!("，与目标相差超过 {CLOSE}")),
                _ => String::new(),
            };
            let (value, from) = (text(&f.value), origin(w, f));
            w.l.of(
                format!("Measured mean {value} on {point}{lines}{near}: {from}."),
                format!("{point} 实测平均 {value}{lines}{near}：{from}。"),
            )
        })
        .collect()
}
