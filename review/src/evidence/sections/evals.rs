//! Scores with n, threshold and its source, and the two-sigma rule against siblings and against the baseline (§3.2).

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::eval::{Eval, ImageSource};
use paretoscope_domain::format;
use paretoscope_domain::significance::two_sigma_bound;

use super::super::document::Part;
use super::super::escape::{code, text};
use super::super::writer::{Writer, score};
use super::super::{Against, escape};

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let evals: Vec<&Eval> = w.input.detail.evals.iter().filter(|e| !e.superseded).collect();
    let href = w.part("evals");
    if evals.is_empty() {
        w.gap("Evals: none of the run's artifacts holds eval rows.", "Eval：该 run 的 artifact 中没有 eval 数据行。");
        return vec![w.bullets(vec![w.l.of("No evals were read.", "没有读取到 eval。")], href)];
    }
    let base = baseline(w);
    let mut out = vec![passing(w, &evals)];
    out.extend(thresholds(w, &evals));
    out.extend(siblings(w, &evals));
    out.extend(against(w, &evals, &base));
    out.extend(image(w, &evals));
    vec![w.bullets(out, href.clone()), table(w, &evals, &base, href)]
}

/// The baseline's evals that count.
fn baseline<'a>(w: &Writer<'a>) -> Vec<&'a Eval> {
    match w.input.against {
        Against::None(_) => Vec::new(),
        Against::Some { detail, .. } => detail.evals.iter().filter(|e| !e.superseded).collect(),
    }
}

/// The same eval of the baseline: task and configuration, never order.
fn same<'a>(e: &Eval, base: &[&'a Eval]) -> Option<&'a Eval> {
    let key = |e: &Eval| (e.task.clone(), e.label.clone(), e.model.clone(), e.hardware.clone(), e.framework.clone(), e.precision.clone());
    base.iter().copied().find(|b| key(b) == key(e))
}

fn passing(w: &mut Writer<'_>, evals: &[&Eval]) -> String {
    let failing: Vec<String> = evals.iter().filter(|e| !e.passes).map(|e| format!("{} {}", e.task, e.label)).collect();
    let unsized_rows = evals.iter().filter(|e| e.n.is_none()).count();
    if unsized_rows > 0 {
        w.gap(format!("n of {unsized_rows} evals: their rows don't state it."), format!("{unsized_rows} 个 eval 的 n：数据行没有给出。"));
    }
    let (n, all) = (evals.len() - failing.len(), evals.len());
    match failing.len() {
        0 => w.l.of(format!("All {all} evals pass."), format!("全部 {all} 个 eval 通过。")),
        _ => w.l.of(
            format!("{n} of {all} evals pass; below the bar or broken: {}.", w.labels(&failing)),
            format!("{all} 个 eval 中 {n} 个通过；未达标或出错：{}。", w.labels(&failing)),
        ),
    }
}

/// `gsm8k needs 0.90 (default)`, and what the synced repository says.
fn thresholds(w: &mut Writer<'_>, evals: &[&Eval]) -> Vec<String> {
    let needs: BTreeSet<(&str, String, &str)> =
        evals.iter().map(|e| (e.task.as_str(), format::fixed(e.threshold, 2), e.threshold_source.as_str())).collect();
    let facts = w.input.head.or(w.input.main).filter(|f| !f.thresholds.is_empty());
    if facts.is_none() {
        w.gap(
            "Whether the thresholds are the repository's newest: it was never synced here, so those that Paretoscope ships were used.",
            "门限是否与仓库最新一致：这里没有同步过，使用的是 Paretoscope 自带的门限。",
        );
    }
    needs
        .into_iter()
        .map(|(task, value, source)| {
            let words = source.strip_prefix("model:").map_or_else(
                || w.l.of("the default", "默认值"),
                |prefix| w.l.of(format!("the model's own, {}", code(prefix)), format!("模型 {} 的专用值", code(prefix))),
            );
            let group = source.strip_prefix("model:").unwrap_or("default");
            let theirs = facts.and_then(|f| f.thresholds.get(group)).and_then(|tasks| tasks.get(task));
            let task = text(task);
            let note = match theirs {
                Some(theirs) if format::fixed(*theirs, 2) != value => {
                    let theirs = format::fixed(*theirs, 2);
                    w.l.of(format!(" The synced repository says {theirs}."), format!("已同步的仓库中为 {theirs}。"))
                }
                Some(_) => w.l.of(" The synced repository says the same.", "与已同步的仓库一致。"),
                None => String::new(),
            };
            w.l.of(format!("{task} needs {value}: {words}.{note}"), format!("{task} 需达到 {value}：{words}。{note}"))
        })
        .collect()
}

/// The largest gap among siblings, and those beyond the bound.
fn siblings(w: &mut Writer<'_>, evals: &[&Eval]) -> Vec<String> {
    let judged: Vec<(&&Eval, f64, f64)> = evals.iter().filter_map(|e| Some((e, e.gap?, e.bound?))).collect();
    let unjudged = evals.len() - judged.len();
    if unjudged > 0 {
        w.gap(
            format!("The sibling gap of {unjudged} evals: they are alone in their task, or a score or an n is missing."),
            format!("{unjudged} 个 eval 与同组最好成绩的差距：它们在该任务中只有一行，或缺少分数或 n。"),
        );
    }
    let Some((worst, gap, bound)) = judged.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { return Vec::new() };
    let beyond: Vec<String> =
        judged.iter().filter(|(_, gap, bound)| gap > bound).map(|(e, ..)| format!("{} {}", e.task, e.label)).collect();
    let (label, gap, bound) = (text(&worst.label), score(*gap), score(*bound));
    let mut out = vec![match beyond.len() {
        0 => w.l.of(
            format!("Largest gap to the best sibling: {gap} ({label}), within 2σ = {bound}; every judged row is within its bound."),
            format!("与同组最好成绩的最大差距：{gap}（{label}），在 2σ = {bound} 以内；所有可判断的行都在界内。"),
        ),
        n => w.l.of(
            format!(
                "Largest gap to the best sibling: {gap} ({label}) against 2σ = {bound}; {n} beyond their bound: {}.",
                w.labels(&beyond)
            ),
            format!("与同组最好成绩的最大差距：{gap}（{label}），2σ = {bound}；超界 {n} 个：{}。", w.labels(&beyond)),
        ),
    }];
    out.push(w.l.of(
        "2σ is 2·√(s₁(1−s₁)/n₁ + s₂(1−s₂)/n₂): it covers the sampling of questions only.",
        "2σ 为 2·√(s₁(1−s₁)/n₁ + s₂(1−s₂)/n₂)：只反映题目抽样。",
    ));
    out
}

/// How much the baseline scored more, and the bound of that.
fn behind(e: &Eval, b: &Eval) -> Option<(f64, f64)> {
    let (score, base) = (e.score?, b.score?);
    Some((base - score, two_sigma_bound((base, b.n?), (score, e.n?))?))
}

fn against(w: &mut Writer<'_>, evals: &[&Eval], base: &[&Eval]) -> Option<String> {
    let run = w.base()?;
    let link = w.run_link(run);
    if base.is_empty() {
        w.gap(
            format!("Evals of the baseline, run {}: none of its artifacts that were read holds eval rows.", run.run_id),
            format!("基线 run {} 的 eval：已读取的 artifact 中没有 eval 数据行。", run.run_id),
        );
        return None;
    }
    let pairs: Vec<(&&Eval, f64, f64)> =
        evals.iter().filter_map(|e| same(e, base).and_then(|b| behind(e, b)).map(|(gap, bound)| (e, gap, bound))).collect();
    let unmatched = evals.len() - pairs.len();
    if unmatched > 0 {
        w.gap(
            format!(
                "{unmatched} evals against run {}: it has none of the same task and configuration, or a score or an n is missing.",
                run.run_id
            ),
            format!("{unmatched} 个 eval 相对 run {}：其中没有相同任务和配置的行，或缺少分数或 n。", run.run_id),
        );
    }
    let (worst, gap, bound) = pairs.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let beyond: Vec<String> = pairs.iter().filter(|(_, gap, bound)| gap > bound).map(|(e, ..)| format!("{} {}", e.task, e.label)).collect();
    let (label, gap, bound, n) = (text(&worst.label), score(*gap), score(*bound), pairs.len());
    Some(match beyond.len() {
        0 => w.l.of(
            format!("Against {link}: {n} rows matched, none below it by more than 2σ (largest shortfall {gap}, {label}, bound {bound})."),
            format!("相对 {link}：匹配 {n} 行，没有低于它超过 2σ 的（最大差距 {gap}，{label}，界 {bound}）。"),
        ),
        m => w.l.of(
            format!(
                "Against {link}: {n} rows matched, {m} below it by more than 2σ: {} (largest shortfall {gap}, {label}, bound {bound}).",
                w.labels(&beyond)
            ),
            format!("相对 {link}：匹配 {n} 行，{m} 行低于它超过 2σ：{}（最大差距 {gap}，{label}，界 {bound}）。", w.labels(&beyond)),
        ),
    })
}

/// The image that evals ran on: rows don't state it, so it is joined, and said how.
fn image(w: &mut Writer<'_>, evals: &[&Eval]) -> Vec<String> {
    let mut images: BTreeMap<String, usize> = BTreeMap::new();
    for e in evals.iter().filter(|e| e.image_source != ImageSource::Unknown) {
        let digest = e.image_digest.as_deref().map(|d| format!("@{d}")).unwrap_or_default();
        *images.entry(format!("{}{digest}", e.image.as_deref().unwrap_or_default())).or_default() += 1;
    }
    let unknown = evals.iter().filter(|e| e.image_source == ImageSource::Unknown).count();
    if unknown > 0 {
        w.gap(
            format!("The image that {unknown} evals ran on: eval rows don't state one, and the run's points have none or several."),
            format!("{unknown} 个 eval 使用的镜像：eval 数据行没有给出，而该 run 的点没有镜像或有多个。"),
        );
    }
    if evals.iter().any(|e| e.image_source != ImageSource::Unknown) {
        w.gap(
            "That the evals ran on that image: eval rows don't state one; it is taken from the points of the same configuration or curve.",
            "eval 确实运行在该镜像上：eval 数据行没有给出，取自相同配置或曲线的点。",
        );
    }
    images
        .into_iter()
        .map(|(image, n)| {
            w.l.of(format!("{n} evals are taken to have run on {}.", code(&image)), format!("{n} 个 eval 视为运行在 {} 上。", code(&image)))
        })
        .collect()
}

fn table(w: &Writer<'_>, evals: &[&Eval], base: &[&Eval], href: String) -> Part {
    let none = || "—".to_owned();
    let against = w.base().filter(|_| !base.is_empty());
    let mut columns: Vec<(String, bool)> = vec![
        (w.l.of("Configuration", "配置"), false),
        (w.l.of("Task", "任务"), false),
        (w.l.of("Score", "分数"), true),
        ("n".to_owned(), true),
        (w.l.of("Needs", "需达到"), true),
        (w.l.of("Gap to best sibling", "与同组最好的差距"), true),
        ("2σ".to_owned(), true),
    ];
    if let Some(run) = against {
        columns.push((w.l.of(format!("Run {}", run.run_id), format!("Run {}", run.run_id)), true));
        columns.push((w.l.of("2σ against it", "相对它的 2σ"), true));
    }
    columns.push((w.l.of("Attempt", "尝试"), true));
    let rows = evals
        .iter()
        .map(|e| {
            let mut row = vec![
                escape::text(&e.label),
                format!("{}{}", text(&e.task), e.score_name.as_deref().map(|n| format!(" ({})", text(n))).unwrap_or_default()),
                e.score.map_or_else(none, score),
                e.n.map_or_else(none, |n| format::fixed(n, 0)),
                format::fixed(e.threshold, 2),
                e.gap.map_or_else(none, score),
                e.bound.map_or_else(none, score),
            ];
            if against.is_some() {
                let other = same(e, base);
                row.push(other.and_then(|b| b.score).map_or_else(none, score));
                row.push(other.and_then(|b| behind(e, b)).map_or_else(none, |(_, bound)| score(bound)));
            }
            row.push(e.attempt.map_or_else(none, |a| a.to_string()));
            row
        })
        .collect();
    Part::table(columns, rows, href)
}
