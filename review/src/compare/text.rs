//! A comparison as text for a terminal, and as Markdown to paste.

use paretoscope_domain::format::{fixed, measured, percent_change};
use paretoscope_domain::metric::Metric;

use super::alone::Alone;
use super::change::Delta;
use super::frontier::CurveComparison;
use super::side::{RunBrief, SideSummary};
use super::verdict::judged;
use super::{Comparison, PointPair};

/// What is written where nothing was measured.
const NONE: &str = "—";

/// For a terminal: a table for each metric, at most about 100 columns wide.
#[must_use]
pub fn as_text(c: &Comparison) -> String {
    let mut out = String::new();
    for line in heading(c) {
        out.push_str(&format!("{line}\n"));
    }
    out.push_str(&format!("\n{}\n", c.verdict.sentence));
    for (i, curve) in c.curves.iter().enumerate() {
        out.push_str(&format!("\n{}\n", curve.series));
        let pairs: Vec<&PointPair> = c.points.iter().filter(|p| p.curve == i).collect();
        for metric in shown(curve, &pairs) {
            let mut rows = vec![["", "baseline", "run", "change", "noise", ""].map(str::to_owned)];
            rows.extend(pairs.iter().filter_map(|p| {
                let d = p.delta.get(&metric.name)?;
                Some([p.label.clone(), number(d.base), number(d.head), change(d), band(d), judgement(d)])
            }));
            out.push_str(&format!("\n  {metric}\n{}", table(&rows)));
        }
        for line in curve_lines(curve) {
            out.push_str(&format!("\n  {line}"));
        }
        out.push('\n');
    }
    for p in c.points.iter().filter(|p| p.note.is_some()) {
        out.push_str(&format!("\n{}: {}.", p.label, p.note.as_deref().unwrap_or_default()));
    }
    for (title, alone) in [(format!("Only in {}", c.head.title), &c.added), (format!("Only in {}", c.base.title), &c.removed)] {
        section(&mut out, &title, alone.iter().map(alone_line).collect());
    }
    section(&mut out, "Evals", eval_lines(c));
    section(&mut out, "What differs", difference_lines(c));
    if !c.verdict.sentence.contains(&c.noise.sentence) {
        out.push_str(&format!("\n{}\n", c.noise.sentence));
    }
    out
}

/// As Markdown, ready to paste: the verdict, a table of the points of each curve, then the rest as lists.
#[must_use]
pub fn as_markdown(c: &Comparison) -> String {
    let mut out = String::new();
    let mut lines = heading(c).into_iter();
    out.push_str(&format!("### {}\n\n", cell(&lines.next().unwrap_or_default())));
    for line in lines {
        out.push_str(&format!("> {}\n", cell(&line)));
    }
    out.push_str(&format!("\n**{}**\n", cell(&c.verdict.sentence)));
    for (i, curve) in c.curves.iter().enumerate() {
        let pairs: Vec<&PointPair> = c.points.iter().filter(|p| p.curve == i).collect();
        out.push_str(&format!("\n#### {}\n", cell(&curve.series)));
        let metrics = shown(curve, &pairs);
        if !metrics.is_empty() {
            out.push_str("\n| Point |");
            for m in &metrics {
                out.push_str(&format!(" {}: baseline | run | Δ | noise |", cell(&m.to_string())));
            }
            out.push_str("\n|---|");
            out.push_str(&"---:|---:|---:|---|".repeat(metrics.len()));
            out.push('\n');
            for p in &pairs {
                out.push_str(&format!("| {} |", cell(&p.label)));
                for m in &metrics {
                    let d = p.delta.get(&m.name).cloned().unwrap_or_default();
                    let judged = [band(&d), judgement(&d)].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" ");
                    out.push_str(&format!(" {} | {} | {} | {} |", number(d.base), number(d.head), change(&d), cell(&judged)));
                }
                out.push('\n');
            }
        }
        list(&mut out, curve_lines(curve));
    }
    let notes = c.points.iter().filter_map(|p| p.note.as_ref().map(|n| format!("{}: {n}.", p.label))).collect();
    list(&mut out, notes);
    for (title, lines) in [
        (format!("Only in {}", c.head.title), c.added.iter().map(alone_line).collect()),
        (format!("Only in {}", c.base.title), c.removed.iter().map(alone_line).collect()),
        ("Evals".to_owned(), eval_lines(c)),
        ("What differs".to_owned(), difference_lines(c)),
    ] {
        let lines: Vec<String> = lines;
        if !lines.is_empty() {
            out.push_str(&format!("\n#### {}\n", cell(&title)));
            list(&mut out, lines);
        }
    }
    if !c.verdict.sentence.contains(&c.noise.sentence) {
        out.push_str(&format!("\n{}\n", cell(&c.noise.sentence)));
    }
    out
}

/// What is compared with what, and what each is not.
fn heading(c: &Comparison) -> Vec<String> {
    let title = |s: &SideSummary| s.title.clone();
    let mut lines = vec![format!("{} against {}", super::alone::capital(&title(&c.head)), title(&c.base))];
    if c.base.synthetic || c.head.synthetic {
        lines.push("SYNTHETIC SAMPLE DATA: made up, not a measurement".to_owned());
    }
    for (name, side) in [("Compared", &c.head), ("Baseline", &c.base)] {
        let runs: Vec<String> = side.runs.iter().map(run_line).collect();
        let what = if side.official { format!("{}: ", side.title) } else { String::new() };
        let runs = if runs.is_empty() { "no run gives it".to_owned() } else { runs.join("; ") };
        lines.push(format!("{name}: {what}{runs}"));
        for hidden in &side.hidden {
            lines.push(format!("{name}: run {} would have given a curve but is hidden", hidden.run_id));
        }
    }
    lines
}

/// `run 41261902147, UNOFFICIAL RUN: not an official result, 2026-11-01, commit 41d29b28, pull request #4603`
fn run_line(r: &RunBrief) -> String {
    let mut parts = vec![format!("run {}", r.run_id)];
    parts.push(r.kind.notice().map_or_else(|| r.kind.to_string(), str::to_owned));
    parts.push(r.date.clone().unwrap_or_else(|| "date not known".to_owned()));
    parts.extend(r.head_sha.as_ref().map(|sha| format!("commit {}", sha.chars().take(8).collect::<String>())));
    parts.extend(r.pr_number.map(|n| format!("pull request #{n}")));
    parts.join(", ")
}

/// Judged metrics and the axes, as far as any of the pairs states them on both sides.
fn shown(curve: &CurveComparison, pairs: &[&PointPair]) -> Vec<Metric> {
    let mut metrics = judged(curve.key.scenario);
    for name in [&curve.x, &curve.y] {
        if !metrics.iter().any(|m| m.name == *name) {
            metrics.push(Metric::describe(name));
        }
    }
    metrics.retain(|m| pairs.iter().any(|p| p.delta.get(&m.name).is_some_and(|d| d.missing.is_none())));
    metrics
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), measured)
}

fn change(d: &Delta) -> String {
    match (d.pct, d.missing) {
        (Some(pct), _) => percent_change(pct),
        (None, Some(missing)) => missing.in_words().to_owned(),
        (None, None) => NONE.to_owned(),
    }
}

/// `± 1.1 %`; nothing where noise is not known.
fn band(d: &Delta) -> String {
    d.band.map(|b| format!("± {} %", fixed(b, 1))).unwrap_or_default()
}

/// `large, worse`.
fn judgement(d: &Delta) -> String {
    match d.better.filter(|_| d.stands_out()) {
        Some(better) => format!("{}, {}", d.in_words(), if better { "better" } else { "worse" }),
        None => d.in_words().to_owned(),
    }
}

fn curve_lines(curve: &CurveComparison) -> Vec<String> {
    let (x, y) = (Metric::describe(&curve.x), Metric::describe(&curve.y));
    let mut out = Vec::new();
    if let Some(uplift) = &curve.uplift {
        out.push(format!("Geometric mean of {}: {}.", y.label, uplift.in_words()));
    }
    if let Some(why) = &curve.not_compared {
        out.push(why.clone());
        return out;
    }
    if let (Some(b), Some(h)) = (&curve.base, &curve.head) {
        out.push(format!(
            "Frontier of {} against {}: {} of {} points, in the baseline {} of {}.",
            y.label, x.label, h.frontier, h.total, b.frontier, b.total
        ));
    }
    out.extend(curve.entered.iter().map(|m| format!("Entered the frontier: {} ({}).", m.label, m.why)));
    out.extend(curve.left.iter().map(|m| format!("Left the frontier: {} ({}).", m.label, m.why)));
    match (&curve.area, &curve.no_area) {
        (Some(a), _) => out.push(format!(
            "Area under the frontier from {} to {} {}: {}.",
            measured(a.from),
            measured(a.to),
            x.unit.symbol(),
            a.pct.map_or_else(|| "the baseline's is 0".to_owned(), percent_change)
        )),
        (None, Some(why)) => out.push(why.clone()),
        (None, None) => {}
    }
    out
}

fn alone_line(a: &Alone) -> String {
    format!("{}: {}", a.label, a.reason)
}

fn eval_lines(c: &Comparison) -> Vec<String> {
    c.evals
        .iter()
        .map(|e| {
            let score = |s: Option<&super::EvalSide>| s.and_then(|s| s.score).map_or_else(|| NONE.to_owned(), |s| fixed(s, 4));
            let change = match (e.difference, e.bound, e.significant) {
                (Some(d), Some(bound), Some(beyond)) => {
                    let sign = if d > 0.0 { "+" } else { "" };
                    format!(", {sign}{} ({} 2σ = {})", fixed(d, 4), if beyond { "beyond" } else { "within" }, fixed(bound, 4))
                }
                (Some(d), _, _) => format!(", {}{}", if d > 0.0 { "+" } else { "" }, fixed(d, 4)),
                _ => String::new(),
            };
            let note = e.note.as_ref().map(|n| format!(". {n}")).unwrap_or_default();
            format!("{} {}: {} → {}{change}{note}", e.task, e.label, score(e.base.as_ref()), score(e.head.as_ref()))
        })
        .collect()
}

fn difference_lines(c: &Comparison) -> Vec<String> {
    let mut out: Vec<String> = c
        .differences
        .found
        .iter()
        .map(|d| {
            let name = d.name.as_ref().map(|n| format!(" {n}")).unwrap_or_default();
            let value = |v: &Option<String>| match v.as_deref() {
                None => "not there".to_owned(),
                Some("") => "given".to_owned(),
                Some(text) => text.to_owned(),
            };
            let place = if d.points.is_empty() { String::new() } else { format!(" ({})", d.points.join(", ")) };
            let eval = if d.eval { " of the eval's server" } else { "" };
            format!("{}{name}{eval}: {} → {}{place}", d.about.title(), value(&d.base), value(&d.head))
        })
        .collect();
    out.extend(c.differences.known.iter().map(|k| k.sentence.clone()));
    out
}

fn section(out: &mut String, title: &str, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    out.push_str(&format!("\n{title}\n"));
    for line in lines {
        out.push_str(&format!("  {line}\n"));
    }
}

fn list(out: &mut String, lines: Vec<String>) {
    if !lines.is_empty() {
        out.push('\n');
    }
    for line in lines {
        out.push_str(&format!("- {}\n", cell(&line)));
    }
}

/// Text for Markdown, within a table and without: nothing of a run's becomes markup.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '~' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Rows as columns: the first and the last left, the numbers between them right.
fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::from("   ");
        for (i, (text, wide)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(wide.saturating_sub(text.chars().count()));
            let left = i == 0 || i + 1 == N;
            line.push_str(&if left { format!(" {text}{pad} ") } else { format!(" {pad}{text} ") });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
