//! What changed against the named baseline: points, metrics, images, recipes, settings.

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::delta::{Change, Matched, changes, matched};
use paretoscope_domain::fact::{FactKind, RunFact};
use paretoscope_domain::format;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;
use paretoscope_domain::run::{Run, RunDetail};

use super::super::Against;
use super::super::document::Part;
use super::super::escape::{code, text};
use super::super::writer::{Writer, short};
use super::pareto;

/// Metrics that a review looks at, in its order.
const REVIEWED: [&str; 14] = [
    "tput_per_gpu",
    "output_tput_per_gpu",
    "p90_e2el",
    "p75_e2el",
    "median_e2el",
    "p90_ttft",
    "median_ttft",
    "p90_intvty",
    "median_intvty",
    "p90_tpot",
    "median_tpot",
    "avg_power_w",
    "joules_per_output_token",
    "joules_per_total_token",
];

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let href = w.part("deltas");
    let (base, chosen) = match w.input.against {
        Against::None(why) => {
            let why = why.in_words(w.l);
            w.gap(format!("What changed: there is no baseline, because {why}."), format!("有何变化：没有基线，因为{why}。"));
            let line = w.l.of(format!("No baseline: {why}."), format!("没有基线：{why}。"));
            return vec![w.bullets(vec![line], href)];
        }
        Against::Some { detail, chosen } => (detail, chosen),
    };
    let head = w.input.detail;
    let pairs = matched(&base.points, &head.points);
    let mut out = vec![named(w, &base.run, chosen), told(w, &pairs)];
    out.extend(images(w, base));
    out.extend(recipes(w, &pairs));
    out.extend(settings(w, base));
    pareto::notes(w, &format!("run {}", base.run.run_id), &base.points);
    pareto::notes(w, &format!("run {}", head.run.run_id), &head.points);
    w.gap(
        "Whether a change is more than noise: see the comparison page; a single run against another can't tell.",
        "变化是否超出噪声：见对比页面；仅两个 run 之间无法判断。",
    );
    let mut parts = vec![w.bullets(out, href.clone())];
    parts.extend(table(w, &pairs, href));
    parts
}

/// Which run, how it was chosen, and what it is.
fn named(w: &Writer<'_>, base: &Run, chosen: bool) -> String {
    let mut facts: Vec<String> = vec![match base.kind {
        paretoscope_domain::Kind::Unofficial => w.l.of("unofficial", "非正式"),
        paretoscope_domain::Kind::Staged => w.l.of("staged", "已暂存"),
        paretoscope_domain::Kind::Official => w.l.of("official", "正式"),
    }];
    if base.synthetic {
        facts.push(w.l.of("synthetic", "合成"));
    }
    facts.extend(base.date.as_deref().map(text));
    facts.extend(base.head_sha.as_deref().map(|s| format!("commit {}", code(&short(s)))));
    facts.extend(base.pr_number.map(|n| format!("PR {n}")));
    let how = if chosen {
        w.l.of("chosen by hand", "手动选择")
    } else {
        w.l.of(
            "by the rule: the newest earlier run that shares a curve, of the same pull request, else official",
            "按规则：共有曲线的、更早的最新 run，优先同一 pull request，否则正式 run",
        )
    };
    let (link, facts) = (w.run_link(base), facts.join(w.l.of(", ", "，").as_str()));
    w.l.of(format!("Baseline: {link} ({facts}), {how}."), format!("基线：{link}（{facts}），{how}。"))
}

/// Points matched, new, dropped.
fn told(w: &mut Writer<'_>, pairs: &Matched<'_>) -> String {
    let labels = |points: &[&Point]| points.iter().map(|p| p.label.clone()).collect::<Vec<_>>();
    let n = pairs.pairs.len();
    let (added, removed) = (labels(&pairs.added), labels(&pairs.removed));
    let side = |labels: &[String], w: &Writer<'_>| if labels.is_empty() { w.l.of("none", "无") } else { w.labels(labels) };
    let (new, gone) = (side(&added, w), side(&removed, w));
    w.l.of(
        format!("{n} points matched by configuration. Only here: {new}. Only in the baseline: {gone}."),
        format!("按配置匹配 {n} 个点。只在本 run：{new}。只在基线：{gone}。"),
    )
}

/// For each metric both have: how many points, and the change from best to worst.
fn table(w: &mut Writer<'_>, pairs: &Matched<'_>, href: String) -> Option<Part> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut lacking: Vec<String> = Vec::new();
    for name in REVIEWED {
        let metric = Metric::describe(name);
        let changed = changes(pairs, &metric);
        if changed.is_empty() {
            let ours = pairs.pairs.iter().any(|(_, h)| h.metric(name).is_some());
            if ours {
                lacking.push(w.metric_name(&metric));
            }
            continue;
        }
        let mut known: Vec<(&str, &Change, f64)> = changed.iter().filter_map(|(p, c)| Some((p.label.as_str(), c, c.pct?))).collect();
        known.sort_by(|a, b| a.2.total_cmp(&b.2));
        let cell = |at: Option<&(&str, &Change, f64)>| {
            at.map_or_else(|| "—".to_owned(), |(label, _, pct)| format!("{} ({})", format::percent_change(*pct), text(label)))
        };
        let count = |better: bool| changed.iter().filter(|(_, c)| c.better == Some(better)).count().to_string();
        rows.push(vec![w.metric(&metric), changed.len().to_string(), count(true), count(false), cell(known.last()), cell(known.first())]);
    }
    if !lacking.is_empty() {
        let list = w.l.list(&lacking);
        w.gap(format!("Changes of {list}: the baseline's rows don't state them."), format!("{list} 的变化：基线的数据行没有给出。"));
    }
    let columns = vec![
        (w.l.of("Metric", "指标"), false),
        (w.l.of("Points", "点数"), true),
        (w.l.of("Better", "变好"), true),
        (w.l.of("Worse", "变差"), true),
        (w.l.of("Highest change", "最高变化"), true),
        (w.l.of("Lowest change", "最低变化"), true),
    ];
    (!rows.is_empty()).then(|| Part::table(columns, rows, href))
}

fn image_set(detail: &RunDetail) -> BTreeSet<String> {
    let name = |p: &Point| {
        let digest = p.image_digest.as_deref().map(|d| format!("@{d}")).unwrap_or_default();
        p.image.as_deref().map(|i| format!("{i}{digest}"))
    };
    detail.points.iter().filter(|p| p.counts()).filter_map(name).collect()
}

fn images(w: &mut Writer<'_>, base: &RunDetail) -> Option<String> {
    let (before, now) = (image_set(base), image_set(w.input.detail));
    if before.is_empty() || now.is_empty() {
        w.gap("Whether the image changed: one of the two runs states none.", "镜像是否变化：两个 run 之一没有给出。");
        return None;
    }
    let list = |set: &BTreeSet<String>| set.iter().map(|i| code(i)).collect::<Vec<_>>().join(", ");
    Some(if before == now {
        w.l.of("Image: the same.", "镜像：相同。")
    } else {
        w.l.of(format!("Image: from {} to {}.", list(&before), list(&now)), format!("镜像：从 {} 变为 {}。", list(&before), list(&now)))
    })
}

fn recipes(w: &mut Writer<'_>, pairs: &Matched<'_>) -> Option<String> {
    let told: Vec<(&str, bool)> = pairs
        .pairs
        .iter()
        .filter_map(|(b, h)| Some((h.label.as_str(), b.recipe_fingerprint.as_ref()? != h.recipe_fingerprint.as_ref()?)))
        .collect();
    if told.is_empty() {
        w.gap(
            "Whether recipes changed: the rows of one of the two runs hold no fingerprint.",
            "recipe 是否变化：两个 run 之一的数据行没有 fingerprint。",
        );
        return None;
    }
    let other: Vec<String> = told.iter().filter(|(_, changed)| *changed).map(|(l, _)| (*l).to_owned()).collect();
    let all = told.len();
    Some(match other.len() {
        0 => w.l.of(
            format!("Recipe fingerprints: the same on all {all} points that state them."),
            format!("recipe fingerprint：给出的 {all} 个点全部相同。"),
        ),
        n => w.l.of(
            format!("Recipe fingerprints: {n} of {all} points that state them differ: {}.", w.labels(&other)),
            format!("recipe fingerprint：给出的 {all} 个点中 {n} 个不同：{}。", w.labels(&other)),
        ),
    })
}

/// Environment and arguments of a run, without those of evals: (point, kind, name) and values.
fn settings_of(detail: &RunDetail) -> BTreeMap<(Option<&str>, &'static str, &str), BTreeSet<&str>> {
    let mut out: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    let kind = |f: &RunFact| match f.kind {
        FactKind::Env => Some("env"),
        FactKind::Argument => Some("arg"),
        _ => None,
    };
    for f in detail.evidence.iter().filter(|f| !f.eval) {
        if let Some(kind) = kind(f) {
            out.entry((f.point.as_deref(), kind, f.key.as_str())).or_default().insert(&f.value);
        }
    }
    out
}

fn settings(w: &mut Writer<'_>, base: &RunDetail) -> Option<String> {
    let (before, now) = (settings_of(base), settings_of(w.input.detail));
    if before.is_empty() || now.is_empty() {
        w.gap(
            "Whether environment or server arguments changed: nothing read of one of the two runs states them.",
            "环境变量或服务器参数是否变化：两个 run 之一没有读取到。",
        );
        return None;
    }
    // Only what both runs speak of can have changed: a name that one lacks may not have been read.
    let changed: Vec<String> = now
        .iter()
        .filter_map(|(at, values)| {
            let old = before.get(at).filter(|old| *old != values)?;
            let join = |set: &BTreeSet<&str>| set.iter().copied().collect::<Vec<_>>().join(", ");
            let point = at.0.map(|p| format!("{} ", text(p))).unwrap_or_default();
            Some(format!("{point}{}: {} → {}", code(at.2), code(&join(old)), code(&join(values))))
        })
        .collect();
    let both = now.keys().filter(|k| before.contains_key(*k)).count();
    let alone = now.len() + before.len() - 2 * both;
    if alone > 0 {
        w.gap(
            format!("{alone} settings that only one of the two runs is known to have: they may not have been read of the other."),
            format!("{alone} 项设置只在其中一个 run 中读到：另一个 run 可能只是没有读取到。"),
        );
    }
    Some(match changed.len() {
        0 => w.l.of(format!("Settings: the same on all {both} that are known of both."), format!("设置：两者都已知的 {both} 项全部相同。")),
        n => {
            let list = changed.iter().take(20).cloned().collect::<Vec<_>>().join("; ");
            w.l.of(
                format!("Settings: {n} of {both} known of both differ: {list}."),
                format!("设置：两者都已知的 {both} 项中 {n} 项不同：{list}。"),
            )
        }
    })
}
