//! Environment, arguments, patches and notes that are known of the run's execution, each with where it was found.

use std::collections::BTreeMap;

use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};

use super::super::document::Part;
use super::super::escape::{code, link, text};
use super::super::writer::Writer;

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let stated = w.input.detail.evidence.iter().filter(|f| matches!(f.origin, FactOrigin::Stated { .. })).count();
    if stated > 0 {
        w.gap(
            format!("Whether the {stated} facts marked as stated hold: a person said so; no artifact that was read shows them."),
            format!("标为「陈述」的 {stated} 项事实是否属实：由人陈述，已读取的 artifact 中没有。"),
        );
    }
    let facts: Vec<&RunFact> = w
        .input
        .detail
        .evidence
        .iter()
        .filter(|f| matches!(f.kind, FactKind::Env | FactKind::Argument | FactKind::Patch | FactKind::Note))
        .collect();
    if facts.is_empty() {
        w.gap(
            "Environment and server arguments: no log or fingerprint of the run was read.",
            "环境变量与服务器参数：没有读取该 run 的日志或 fingerprint。",
        );
        let line = w.l.of("Nothing is known.", "没有已知内容。");
        return vec![w.bullets(vec![line], w.part("artifacts"))];
    }
    // One row for what several points say alike.
    type Row<'a> = (FactKind, &'a str, &'a str, bool);
    let mut rows: BTreeMap<Row<'_>, Vec<&RunFact>> = BTreeMap::new();
    for f in facts {
        rows.entry((f.kind, &f.key, &f.value, f.eval)).or_default().push(f);
    }
    let columns = vec![
        (w.l.of("What", "类别"), false),
        (w.l.of("Name", "名称"), false),
        (w.l.of("Value", "值"), false),
        (w.l.of("Of", "所属"), false),
        (w.l.of("Found in", "出处"), false),
    ];
    let rows = rows
        .into_iter()
        .map(|((kind, key, value, eval), facts)| {
            let (en, zh) = match kind {
                FactKind::Env => ("environment", "环境变量"),
                FactKind::Argument => ("argument", "参数"),
                FactKind::Patch => ("patch", "补丁"),
                _ => ("note", "备注"),
            };
            let mut points: Vec<String> = facts.iter().filter_map(|f| f.point.clone()).collect();
            points.sort();
            points.dedup();
            let whole = facts.iter().any(|f| f.point.is_none());
            let of = if whole || points.is_empty() { w.l.of("the run", "该 run") } else { w.labels(&points) };
            let of = if eval { w.l.of(format!("{of}, eval server"), format!("{of}，eval 服务器")) } else { of };
            let from = facts.first().map(|f| origin(w, f)).unwrap_or_default();
            let more = facts.len() - 1;
            let from = if more > 0 { w.l.of(format!("{from} and {more} more"), format!("{from}，另有 {more} 处")) } else { from };
            let value = if kind == FactKind::Note { text(value) } else { code(value) };
            vec![w.l.of(en, zh), code(key), value, of, from]
        })
        .collect();
    vec![Part::table(columns, rows, w.part("environment"))]
}

/// Where a fact was found, or who stated it.
pub(super) fn origin(w: &Writer<'_>, f: &RunFact) -> String {
    match &f.origin {
        FactOrigin::Artifact { artifact, file, line } => {
            let name = code(&format!("{artifact}/{file}"));
            match line {
                Some(line) => w.l.of(format!("{name}, line {line}"), format!("{name} 第 {line} 行")),
                None => name,
            }
        }
        FactOrigin::Stated { by, url, at } => {
            let when = at.map(|t| w.l.of(format!(" on {}", w.l.time(t)), format!("（{}）", w.l.time(t)))).unwrap_or_default();
            let by = text(by);
            let said = w.l.of(format!("stated by the {by}{when}"), format!("由 {by} 陈述{when}"));
            url.as_deref().map_or_else(|| said.clone(), |url| link(&said, url))
        }
    }
}
