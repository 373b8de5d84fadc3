//! Check 14 in figures: each curve's points, its frontier on each judged axis, and what dominates the rest (§3.1).

use std::collections::{BTreeMap, HashMap, HashSet};

use paretoscope_domain::PointId;
use paretoscope_domain::curve::{Axes, Curve, CurveKey, curves};
use paretoscope_domain::delta::{Change, Matched, matched};
use paretoscope_domain::format;
use paretoscope_domain::frontier::Verdict;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;

use super::super::Against;
use super::super::document::Part;
use super::super::escape::{code, link, text};
use super::super::writer::Writer;

/// Points off a frontier that are named in its sentence.
const NAMED: usize = 12;
/// Points named among those that dominate one.
const DOMINATORS: usize = 3;

/// Metrics that a scenario is judged on against throughput per GPU: P90 and P75 E2EL for agentic traces; for fixed sequences the
/// median E2EL of the rule, and interactivity beside it.
fn judged(key: &CurveKey) -> [Metric; 2] {
    let names = if key.scenario.is_agentic() { ["p90_e2el", "p75_e2el"] } else { ["median_e2el", "median_intvty"] };
    names.map(Metric::describe)
}

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let points = &w.input.detail.points;
    let mut keys: Vec<CurveKey> = Vec::new();
    for p in points.iter().filter(|p| p.counts()) {
        let key = CurveKey::of(p);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if keys.is_empty() {
        let line = w.l.of("No curve: no point counts.", "没有曲线：没有有效的点。");
        return vec![w.bullets(vec![line], w.part("points"))];
    }
    let pairs = match w.input.against {
        Against::None(_) => None,
        Against::Some { detail, .. } => Some(matched(&detail.points, points)),
    };
    keys.iter().flat_map(|key| curve_parts(w, key, pairs.as_ref())).collect()
}

fn curve_parts(w: &mut Writer<'_>, key: &CurveKey, pairs: Option<&Matched<'_>>) -> [Part; 2] {
    let href = w.part("points");
    let members: Vec<Point> = w.input.detail.points.iter().filter(|p| p.counts() && CurveKey::of(p) == *key).cloned().collect();
    let mut out = vec![heading(w, key, &members)];
    let mut frontiers: Vec<(Metric, Curve)> = Vec::new();
    for x in judged(key) {
        let axes = Axes { x: x.clone(), y: Metric::describe("tput_per_gpu") };
        // The axes have better ends, and all members make one curve.
        let curve = curves(&members, &axes, w.input.words).ok().and_then(|mut c| c.pop());
        match curve {
            Some(curve) if curve.verdict != Verdict::NotMeasured => {
                out.push(counted(w, &x, &curve));
                frontiers.push((x, curve));
            }
            _ => {
                let (label, title) = (w.metric_name(&x), text(&key.title(w.input.words)));
                w.gap(format!("{label} of {title}: no row states it."), format!("{title} 的 {label}：数据行没有给出。"));
            }
        }
    }
    let bullets = w.bullets(out, href.clone());
    [bullets, table(w, key, &members, &frontiers, pairs, href)]
}

/// Which curve, from how many points, and which attempt measured each.
fn heading(w: &Writer<'_>, key: &CurveKey, members: &[Point]) -> String {
    let title = text(&key.title(w.input.words));
    let points = w.count(members.len(), "point", "points", "点");
    let mut by: BTreeMap<Option<u32>, Vec<String>> = BTreeMap::new();
    for p in members {
        by.entry(p.attempt.map(|a| a.get())).or_default().push(p.label.clone());
    }
    let told: Vec<String> = match by.len() {
        0 | 1 => Vec::new(),
        _ => by
            .into_iter()
            .map(|(attempt, labels)| {
                let attempt = attempt
                    .map_or_else(|| w.l.of("attempt not known", "尝试未知"), |a| w.l.of(format!("attempt {a}"), format!("第 {a} 次尝试")));
                w.l.of(format!("{attempt}: {}", w.labels(&labels)), format!("{attempt}：{}", w.labels(&labels)))
            })
            .collect(),
    };
    let told =
        if told.is_empty() { String::new() } else { w.l.of(format!(" ({})", told.join("; ")), format!("（{}）", told.join("；"))) };
    w.l.of(format!("**{title}**: {points}{told}."), format!("**{title}**：{points}{told}。"))
}

/// `P90 E2EL: 7/8 frontier points. Off it: TP4 c4, dominated by TP4 c16.`
fn counted(w: &mut Writer<'_>, x: &Metric, curve: &Curve) -> String {
    let label = w.metric_name(x);
    let name = |id: &PointId| curve.points.iter().find(|p| p.point_id == *id).map(|p| p.label.clone());
    let dominated: Vec<_> = curve.points.iter().filter(|p| !p.dominators.is_empty()).collect();
    let mut off: Vec<String> = dominated
        .iter()
        .take(NAMED)
        .map(|p| {
            let mut by: Vec<String> = p.dominators.iter().take(DOMINATORS).filter_map(name).map(|l| text(&l)).collect();
            if let Some(more) = p.dominators.len().checked_sub(DOMINATORS).filter(|n| *n > 0) {
                by.push(w.l.of(format!("{more} more"), format!("另外 {more} 个")));
            }
            let (point, by) = (text(&p.label), w.l.list(&by));
            w.l.of(format!("{point}, dominated by {by}"), format!("{point}（被 {by} 支配）"))
        })
        .collect();
    if let Some(more) = dominated.len().checked_sub(NAMED).filter(|n| *n > 0) {
        off.push(w.l.of(format!("{more} more, see the table"), format!("另有 {more} 个，见表")));
    }
    let (n, total, enough) = (curve.frontier, curve.total, Verdict::ENOUGH);
    let off = if off.is_empty() {
        w.l.of(" Every point that takes part is on it.", "所有参与的点都在前沿上。")
    } else {
        w.l.of(format!(" Off it: {}.", off.join("; ")), format!("不在前沿上：{}。", off.join("；")))
    };
    let invalid = match curve.invalid {
        0 => String::new(),
        m => w
            .l
            .of(format!(" {m} can't take part: a value is missing or not above zero."), format!("{m} 个点不能参与：缺少数值或不大于零。")),
    };
    let verdict = if curve.verdict == Verdict::Pass {
        w.l.of(format!("enough: the rule asks for {enough}"), format!("达到规则要求的 {enough} 个"))
    } else {
        w.l.of(
            format!("a core maintainer must look: the rule asks for {enough} and that every point takes part"),
            format!("需要核心维护者确认：规则要求至少 {enough} 个且所有点都能参与"),
        )
    };
    w.l.of(
        format!("{label}: {n}/{total} frontier points ({verdict}).{off}{invalid}"),
        format!("{label}：{n}/{total} 个前沿点（{verdict}）。{off}{invalid}"),
    )
}

fn table(
    w: &Writer<'_>,
    key: &CurveKey,
    members: &[Point],
    frontiers: &[(Metric, Curve)],
    pairs: Option<&Matched<'_>>,
    href: String,
) -> Part {
    let none = || "—".to_owned();
    let tput = Metric::describe("tput_per_gpu");
    let metrics: Vec<Metric> = judged(key).into_iter().filter(|m| members.iter().any(|p| p.metric(&m.name).is_some())).collect();
    let mut columns: Vec<(String, bool)> = vec![(w.l.of("Point", "点"), false)];
    columns.extend(metrics.iter().map(|m| (w.metric(m), true)));
    columns.push(("tok/s/GPU".to_owned(), true));
    if let Some(base) = w.base() {
        columns.push((w.l.of(format!("Δ tok/s/GPU vs run {}", base.run_id), format!("Δ tok/s/GPU（对 run {}）", base.run_id)), true));
    }
    if !frontiers.is_empty() {
        columns.push((w.l.of("On the frontier", "前沿"), false));
    }
    columns.push((w.l.of("Attempt", "尝试"), true));
    let before: HashMap<&PointId, &Point> = pairs.map(|m| m.pairs.iter().map(|(b, h)| (&h.id, *b)).collect()).unwrap_or_default();
    let on_frontier: Vec<(&Metric, HashSet<&PointId>)> =
        frontiers.iter().map(|(m, c)| (m, c.points.iter().filter(|q| q.on_frontier).map(|q| &q.point_id).collect())).collect();
    let rows = members
        .iter()
        .map(|p| {
            let mut row = vec![link(&text(&p.label), &w.point(p))];
            row.extend(metrics.iter().map(|m| p.metric(&m.name).map_or_else(none, format::measured)));
            row.push(p.metric(&tput.name).map_or_else(none, format::measured));
            if pairs.is_some() {
                let base = before.get(&p.id).copied();
                let change =
                    base.and_then(|b| b.metric(&tput.name)).zip(p.metric(&tput.name)).and_then(|(b, h)| Change::of(&tput, b, h).pct);
                row.push(change.map_or_else(|| if base.is_none() { w.l.of("new", "新增") } else { none() }, format::percent_change));
            }
            if !frontiers.is_empty() {
                let on: Vec<String> = on_frontier.iter().filter(|(_, on)| on.contains(&p.id)).map(|(m, _)| w.metric_name(m)).collect();
                row.push(if on.is_empty() { none() } else { on.join(", ") });
            }
            row.push(p.attempt.map_or_else(none, |a| a.to_string()));
            row
        })
        .collect();
    Part::table(columns, rows, href)
}

/// What a point's row warns of, for the list of what is not known.
pub(super) fn notes(w: &mut Writer<'_>, whose: &str, points: &[Point]) {
    let mut notes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for p in points.iter().filter(|p| p.counts()) {
        for note in &p.notes {
            notes.entry(note).or_default().push(p.label.clone());
        }
    }
    for (note, labels) in notes {
        let (note, labels) =
            (text(note), if labels.len() > 4 { w.count(labels.len(), "point", "points", "点") } else { w.labels(&labels) });
        let whose = code(whose);
        w.gap(format!("{whose}, {labels}: the rows say «{note}»."), format!("{whose}，{labels}：数据行写明「{note}」。"));
    }
}
