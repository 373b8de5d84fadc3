//! A row a point: both values of each metric, the change with its bar, and the noise that it is held against.

use leptos::prelude::*;
use paretoscope_domain::delta::Again;
use paretoscope_domain::format::{fixed, percent_change};
use paretoscope_domain::metric::{self, Metric};
use paretoscope_review::compare::{CurveComparison, Delta, NEEDED, PointPair, judged};

use super::{Context, path};
use crate::parts::points::sense;
use crate::parts::view::{empty, missing_cell, scroller, swapped_section};
use crate::parts::{Block, words};
use crate::view_state::CompareView;

/// Columns that fit beside the chart.
const NARROW: usize = 2;

/// The section, and whether it fits beside the chart.
pub(super) fn section(c: &Context<'_>) -> (Block, bool) {
    let Some(group) = &c.group else { return (().into_any(), false) };
    let mine = |k: &CurveComparison| k.key.model == group.model && k.key.scenario == group.scenario;
    let curves: Vec<usize> = c.comparison.curves.iter().enumerate().filter(|(_, k)| mine(k)).map(|(i, _)| i).collect();
    let all: Vec<&PointPair> = c.comparison.points.iter().filter(|p| curves.contains(&p.curve)).collect();
    let (judged, shared) = metrics(c, &all, group.scenario);
    let columns = if c.view.all_metrics { &shared } else { &judged };
    let stands_out = |p: &&&PointPair| judged.iter().any(|m| p.delta.get(&m.name).is_some_and(Delta::stands_out));
    let loud = all.iter().filter(stands_out).count();
    let shown: Vec<&PointPair> = if c.view.notable { all.iter().filter(stands_out).copied().collect() } else { all.clone() };
    let body = if all.is_empty() {
        empty(&format!(
            "{} and {} share no point of {}.",
            words::capital(&c.comparison.head.title),
            c.comparison.base.title,
            group.title(c.words)
        ))
    } else if columns.is_empty() {
        empty("The matched points state none of the judged metrics on both sides.")
    } else if shown.is_empty() {
        empty("No change of these points stands out: each is below its metric's threshold or within noise.")
    } else {
        table(c, columns, &curves, &shown)
    };
    let filters = (!all.is_empty()).then(|| filters(c, all.len(), loud, judged.len(), shared.len()));
    let only = one_sided(c, &all);
    // Said at the top already, where noise is not known.
    let noise = Some(&c.comparison.noise.sentence).filter(|s| !c.comparison.verdict.sentence.contains(s.as_str())).cloned();
    let narrow = columns.len() <= NARROW;
    let section = swapped_section(
        "points",
        "Points",
        view! {
            {filters}
            <p class="fine">{noise}{only}</p>
            {body}
        },
    );
    (section, narrow)
}

/// Metrics that some pair states on both sides: the judged ones with the axes, and all that have values to compare.
fn metrics(c: &Context<'_>, pairs: &[&PointPair], scenario: paretoscope_domain::Scenario) -> (Vec<Metric>, Vec<Metric>) {
    let both = |name: &str| pairs.iter().any(|p| p.delta.get(name).is_some_and(|d| d.base.is_some() && d.head.is_some()));
    let mut own = judged(scenario);
    for axis in [&c.axes.x, &c.axes.y] {
        if !own.iter().any(|m| m.name == axis.name) {
            own.push(axis.clone());
        }
    }
    own.retain(|m| both(&m.name));
    // Pairs state the same metrics, nearly always.
    let mut names: Vec<&str> = Vec::new();
    for p in pairs {
        if !p.delta.iter().map(|(n, _)| n).eq(names.iter().copied()) {
            names.extend(p.delta.iter().map(|(n, _)| n));
            names.sort_unstable();
            names.dedup();
        }
    }
    names.retain(|n| metric::is_shown(n) && both(n));
    names.sort_by_cached_key(|n| metric::order(n));
    (own, names.into_iter().map(Metric::describe).collect())
}

/// All points or the notable ones; the judged metrics or all that both sides state.
fn filters(c: &Context<'_>, all: usize, loud: usize, judged: usize, shared: usize) -> Block {
    let link = |view: CompareView, here: bool, text: String| {
        view! { <li><a href=path(&view) aria-current=here.then_some("page")>{text}</a></li> }
    };
    let v = c.view;
    view! {
        <div class="filters">
            <nav class="tabs" aria-label="Points shown"><ul>
                {link(CompareView { notable: false, ..v.clone() }, !v.notable, format!("All points ({all})"))}
                {link(CompareView { notable: true, ..v.clone() }, v.notable, format!("Notable only ({loud})"))}
            </ul></nav>
            <nav class="tabs" aria-label="Metrics shown"><ul>
                {link(CompareView { all_metrics: false, ..v.clone() }, !v.all_metrics, format!("Judged metrics ({judged})"))}
                {link(CompareView { all_metrics: true, ..v.clone() }, v.all_metrics, format!("All that both state ({shared})"))}
            </ul></nav>
        </div>
    }
    .into_any()
}

/// What only one side states, of the judged metrics and the axes.
fn one_sided(c: &Context<'_>, pairs: &[&PointPair]) -> Option<String> {
    let group = c.group.as_ref()?;
    let mut own = judged(group.scenario);
    own.extend([c.axes.x.clone(), c.axes.y.clone()]);
    let mut seen: Vec<&str> = Vec::new();
    let (mut base, mut head) = (Vec::new(), Vec::new());
    for m in &own {
        if seen.contains(&m.name.as_str()) {
            continue;
        }
        seen.push(&m.name);
        let any = |get: fn(&Delta) -> Option<f64>| pairs.iter().any(|p| p.delta.get(&m.name).and_then(get).is_some());
        match (any(|d| d.base), any(|d| d.head)) {
            (true, false) => base.push(m.label.clone()),
            (false, true) => head.push(m.label.clone()),
            _ => {}
        }
    }
    let say = |who: &str, names: Vec<String>| (!names.is_empty()).then(|| format!(" Only {who} states {}.", words::joined(&names)));
    let text: String = [say(&c.comparison.head.title, head), say(&c.comparison.base.title, base)].into_iter().flatten().collect();
    (!text.is_empty()).then_some(text)
}

fn table(c: &Context<'_>, columns: &[Metric], curves: &[usize], pairs: &[&PointPair]) -> Block {
    // One scale a column, so that its bars can be compared.
    let scales: Vec<f64> = columns.iter().map(|m| scale(m, pairs)).collect();
    let several = curves.len() > 1;
    let width = (1 + columns.len()).to_string();
    let bodies = curves
        .iter()
        .filter_map(|i| {
            let rows: Vec<&&PointPair> = pairs.iter().filter(|p| p.curve == *i).collect();
            if rows.is_empty() {
                return None;
            }
            let title = c.comparison.curves.get(*i).filter(|_| several).map(|k| {
                view! { <tr class="curve"><th colspan=width.clone() scope="rowgroup">{k.series.clone()}</th></tr> }
            });
            let lines = rows.into_iter().map(|p| line(p, columns, &scales)).collect_view();
            Some(view! { <tbody>{title}{lines}</tbody> })
        })
        .collect_view();
    let sort = (!several).then_some("num");
    let heads = columns
        .iter()
        .map(|m| {
            let unit = m.unit.symbol();
            view! { <th scope="col" class="n" data-sort=sort title=m.name.clone()>{words::column(m)}<small>{unit}</small></th> }
        })
        .collect_view();
    let caption = format!("Changes of {} against {}", c.comparison.head.title, c.comparison.base.title);
    let key = view! {
        <p class="fine">
            "Each cell: the change, baseline → run, and ± the noise of the configuration's own earlier runs where it is known. The bar shows the change, the shaded field behind it the noise; a column has one scale."
        </p>
    };
    let class = if columns.len() > NARROW { "compare wide-table" } else { "compare" };
    let table = scroller(
        caption.clone(),
        view! {
            <table class=class>
                <caption class="visually-hidden">{caption}</caption>
                <thead><tr><th scope="col" data-sort=(!several).then_some("text")>"Point"</th>{heads}</tr></thead>
                {bodies}
            </table>
        },
    );
    view! { {table} {key} }.into_any()
}

/// The largest change or band of a column, in per cent.
fn scale(m: &Metric, pairs: &[&PointPair]) -> f64 {
    let sizes = pairs.iter().filter_map(|p| p.delta.get(&m.name)).flat_map(|d| [d.pct.map(f64::abs), d.band]).flatten();
    sizes.fold(1.0, f64::max)
}

fn line(p: &PointPair, columns: &[Metric], scales: &[f64]) -> Block {
    let cells = columns.iter().zip(scales).map(|(m, scale)| cell(m, p.delta.get(&m.name), *scale)).collect_view();
    let note = p.note.as_ref().map(|text| {
        let text = words::capital(text);
        view! { <span class="note" title=text.clone()>"best match"<span class="visually-hidden">{format!(": {text}")}</span></span> }
    });
    let base = p.base_label.as_ref().map(|label| view! { <small>{format!("against {label}")}</small> });
    let class = (p.matched.again != Again::Neither).then_some("again");
    view! {
        <tr class=class data-point=p.head_point_id.to_string()>
            <th scope="row"><a href=format!("/runs/{}/points/{}", p.head_run_id, p.head_point_id)>{p.label.clone()}</a>{note}{base}</th>
            {cells}
        </tr>
    }
    .into_any()
}

fn cell(m: &Metric, delta: Option<&Delta>, scale: f64) -> Block {
    let Some(d) = delta else { return missing_cell("neither row states it") };
    let (Some(b), Some(h)) = (d.base, d.head) else {
        return missing_cell(d.missing.map_or("a value is missing", |why| why.in_words()));
    };
    let values = format!("{} → {}", words::value(m, b), words::value(m, h));
    let Some(pct) = d.pct else {
        let why = d.missing.map_or("there is no change in per cent", |why| why.in_words());
        return view! { <td class="n missing" title=why>{words::MISSING}<span class="visually-hidden">{format!(" ({why})")}</span><small>{values}</small></td> }
            .into_any();
    };
    let text = percent_change(pct);
    let loud = d.stands_out();
    let (class, word) = sense(d.better, &text);
    let class = if loud { format!("n change loud {class}") } else { "n change quiet".to_owned() };
    let band = d.band.map(|band| format!(" ± {} %", fixed(band, 1)));
    let judgement = match (loud, d.class) {
        (_, None) => String::new(),
        (true, _) => format!("{word}, {}", d.in_words()),
        (false, _) => d.in_words().to_owned(),
    };
    let title = format!("{} → {}: {pct} %{}", words::exact(b), words::exact(h), noise_words(d));
    view! {
        <td class=class title=title data-value=words::exact(pct)>
            <span class="bar" style=bar(pct, d.band, scale) aria-hidden="true"></span>
            {text}
            <span class="sense">{judgement}</span>
            <small>{values}{band}</small>
        </td>
    }
    .into_any()
}

fn noise_words(d: &Delta) -> String {
    match (d.band, d.class) {
        (Some(band), _) => format!("; noise ± {band} % from {} earlier runs", d.earlier),
        (None, Some(_)) => format!("; noise not known: {} of {NEEDED} earlier values", d.earlier),
        (None, None) => String::new(),
    }
}

/// Places of the bar and of the band behind it, in per cent of the bar's width: 50 is no change.
fn bar(pct: f64, band: Option<f64>, scale: f64) -> String {
    let at = |v: f64| 50.0 + (v / scale).clamp(-1.0, 1.0) * 50.0;
    let (from, to) = (at(pct.min(0.0)), at(pct.max(0.0)));
    let noise = band.map(|b| format!(";--c:{:.1}%;--d:{:.1}%", at(-b), at(b))).unwrap_or_default();
    format!("--a:{from:.1}%;--b:{to:.1}%{noise}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_from_the_middle() {
        assert_eq!(bar(-10.0, None, 10.0), "--a:0.0%;--b:50.0%");
        assert_eq!(bar(5.0, Some(2.0), 10.0), "--a:50.0%;--b:75.0%;--c:40.0%;--d:60.0%");
        assert_eq!(bar(0.0, None, 1.0), "--a:50.0%;--b:50.0%");
    }
}
