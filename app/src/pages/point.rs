//! One point: every metric, its topology, where it was read from, and how it stands.

use leptos::prelude::*;
use paretoscope_domain::curve::{Axes, CurveKey};
use paretoscope_domain::delta::Change;
use paretoscope_domain::label;
use paretoscope_domain::metric::{self, Metric};
use paretoscope_domain::point::{Parallel, Point, Role, Status, Topology, Versioned};
use paretoscope_domain::run::{Image, Run};
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_review::drift::CookbookEntry;

use super::{CookbookShown, PointPage, RawVersion};
use crate::document::{Head, Site};
use crate::pages::run::{notice, standing_prefix};
use crate::parts::curves::{self, GroupKey};
use crate::parts::points::change_cell;
use crate::parts::view::{bands, empty, inner, link, missing_cell, number, run_path, scroller, section};
use crate::parts::{Block, cookbook as list, facts, islands, view, words};

fn fact(name: &'static str, value: Option<String>) -> Block {
    match value {
        Some(value) => view! { <dt>{name}</dt><dd>{value}</dd> }.into_any(),
        None => view! { <dt>{name}</dt><dd class="missing">"not stated"</dd> }.into_any(),
    }
}

fn yes_no(value: Option<bool>) -> Option<String> {
    value.map(|v| if v { "on".to_owned() } else { "off".to_owned() })
}

fn versioned(value: Option<&Versioned>) -> Option<String> {
    value.map(|v| v.version.as_deref().map_or_else(|| v.name.clone(), |version| format!("{} {version}", v.name)))
}

fn size(n: Option<u32>) -> Option<String> {
    n.map(|n| n.to_string())
}

/// Headings by the group that [`metric::order`] sorts a name into.
fn group_of(name: &str) -> &'static str {
    match metric::order(name).0 {
        0 => "Throughput",
        1 => "Latency and interactivity",
        2 => "Requests, cache, power",
        _ => "Other numbers of the row",
    }
}

fn metrics(point: &Point, baseline: Option<&(Run, Point)>) -> Block {
    let mut names: Vec<&String> = point.metrics.keys().filter(|n| metric::is_shown(n)).collect();
    if let Some((_, base)) = baseline {
        names.extend(base.metrics.keys().filter(|n| metric::is_shown(n) && !point.metrics.contains_key(*n)));
    }
    names.sort_by_key(|n| metric::order(n));
    if names.is_empty() {
        return empty("The row holds no metrics.");
    }
    let mut groups: Vec<(&'static str, Vec<&String>)> = Vec::new();
    for name in names {
        let title = group_of(name);
        match groups.last_mut() {
            Some((last, list)) if *last == title => list.push(name),
            _ => groups.push((title, vec![name])),
        }
    }
    let against = baseline.map(|(run, _)| run.run_id);
    let bodies = groups
        .into_iter()
        .map(|(title, names)| {
            let lines = names
                .into_iter()
                .map(|name| {
                    let m = Metric::describe(name);
                    let value = point.metric(name);
                    let exact = value.map_or_else(|| missing_cell("not in its row"), |v| view! { <td class="n exact">{words::exact(v)}</td> }.into_any());
                    let base = baseline.map(|(_, base)| {
                        let base = base.metric(name);
                        let change = base.zip(value).map(|(b, h)| Change::of(&m, b, h));
                        view! { {number(&m, base, "the baseline's row doesn't state it")} {change_cell(change.as_ref(), "needs both values")} }
                    });
                    view! {
                        <tr>
                            <th scope="row">{words::capital(&m.label)}</th>
                            {number(&m, value, "not in its row")}
                            <td>{m.unit.symbol()}</td>
                            {exact}
                            {base}
                            <td class="file">{name.clone()}</td>
                        </tr>
                    }
                })
                .collect_view();
            let width = if against.is_some() { "7" } else { "5" };
            view! { <tbody><tr class="curve"><th colspan=width scope="rowgroup">{title}</th></tr>{lines}</tbody> }
        })
        .collect_view();
    let heads = against.map(|id| {
        view! { <th scope="col" class="n">{format!("Run {id}")}</th><th scope="col" class="n">"Δ"</th> }
    });
    scroller(
        "Metrics",
        view! {
            <table class="metrics">
                <caption class="visually-hidden">"Every metric of the point"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Metric"</th>
                        <th scope="col" class="n">"Value"</th>
                        <th scope="col">"Unit"</th>
                        <th scope="col" class="n">"As stored"</th>
                        {heads}
                        <th scope="col">"Name"</th>
                    </tr>
                </thead>
                {bodies}
            </table>
        },
    )
}

fn topology(point: &Point) -> Block {
    let parallel = |p: &Parallel| {
        let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = *p;
        [
            ("TP", size(tp)),
            ("PP", size(pp)),
            ("EP", size(ep)),
            ("DCP", size(dcp)),
            ("PCP", size(pcp)),
            ("DP attention", yes_no(dp_attention)),
        ]
    };
    let row = |name: &'static str, cells: Vec<Option<String>>| {
        let cells = cells
            .into_iter()
            .map(|c| match c {
                Some(text) => view! { <td class="n">{text}</td> }.into_any(),
                None => missing_cell("the row doesn't say"),
            })
            .collect_view();
        view! { <tr><th scope="row">{name}</th>{cells}</tr> }
    };
    let role = |name: &'static str, r: &Role| {
        let mut cells: Vec<Option<String>> = parallel(&r.parallel()).into_iter().map(|(_, v)| v).collect();
        cells.extend([size(r.workers), size(r.gpus)]);
        row(name, cells)
    };
    let (heads, lines) = match point.topology() {
        Topology::Aggregated(p) => {
            let cells = parallel(&p).into_iter().map(|(_, v)| v).chain([size(point.gpus)]).collect();
            (vec!["TP", "PP", "EP", "DCP", "PCP", "DP attention", "GPUs"], row("all", cells).into_any())
        }
        Topology::Disaggregated { prefill, decode } => (
            vec!["TP", "PP", "EP", "DCP", "PCP", "DP attention", "Workers", "GPUs"],
            view! { {role("prefill", &prefill)} {role("decode", &decode)} }.into_any(),
        ),
    };
    let heads = heads.into_iter().map(|h| view! { <th scope="col" class="n">{h}</th> }).collect_view();
    scroller(
        "Topology",
        view! {
            <table>
                <caption class="visually-hidden">"How the GPUs were laid out"</caption>
                <thead><tr><th scope="col">"Role"</th>{heads}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
        },
    )
}

fn standing(point: &Point, siblings: &[Point], w: &Vocabulary) -> Block {
    if point.status == Status::Failed {
        return view! { <p>{format!("It failed: {}. A failed point is on no curve.", words::joined(&words::marks(point)))}</p> }.into_any();
    }
    if !point.counts() {
        return view! { <p>"A newer version of this point counts instead."</p> }.into_any();
    }
    let points = curves::members(siblings, &GroupKey::of(point));
    let items = curves::judged_axes(point.scenario)
        .into_iter()
        .map(|axes| {
            let Axes { x, y } = &axes;
            let on = curves::on(&points, &axes, w);
            let curve = on.iter().find(|c| c.key == CurveKey::of(point));
            let mine = curve.and_then(|c| c.points.iter().find(|p| p.point_id == point.id));
            let what = format!("{} against {}: ", words::capital(&y.label), x.label);
            let verdict: Block = match (curve, mine) {
                (Some(c), Some(p)) if p.on_frontier => format!("on the frontier, with {} of {} points.", c.frontier, c.total).into_any(),
                (_, Some(p)) if !p.dominators.is_empty() => {
                    let n = p.dominators.len();
                    let links = p
                        .dominators
                        .iter()
                        .enumerate()
                        .map(|(i, id)| {
                            let label = points.iter().find(|q| q.id == *id).map_or_else(|| id.to_string(), |q| q.label.clone());
                            let comma = if i + 1 < n { ", " } else { "." };
                            view! { <a href=format!("/runs/{}/points/{id}", point.run_id)>{label}</a>{comma} }
                        })
                        .collect_view();
                    view! { "dominated by " {links} }.into_any()
                }
                _ => "takes no part: its row states no value above zero for both.".into_any(),
            };
            view! { <li>{what}{verdict}</li> }
        })
        .collect_view();
    view! { <ul class="plain">{items}</ul> }.into_any()
}

fn versions(list: &[Point]) -> Block {
    if list.len() < 2 {
        return view! { <p class="fine">"One version: it was measured once."</p> }.into_any();
    }
    let tput = Metric::describe("tput_per_gpu");
    let lines = list
        .iter()
        .map(|v| {
            let state = match (v.status, v.superseded) {
                (Status::Failed, _) => format!("failed: {}", words::joined(&words::marks(v))),
                (Status::Ok, true) => "superseded".to_owned(),
                (Status::Ok, false) => "counts".to_owned(),
            };
            let row = v.row.map_or_else(String::new, |r| format!(", row {r}"));
            view! {
                <tr>
                    <th scope="row">{v.attempt.map_or_else(|| "not known".to_owned(), |a| a.to_string())}</th>
                    <td>{state}</td>
                    {number(&tput, v.metric(&tput.name), "not in its row")}
                    <td class="file wrap">{format!("{} / {}{row}", v.artifact, v.file)}</td>
                </tr>
            }
        })
        .collect_view();
    scroller(
        "Versions",
        view! {
            <table>
                <caption class="visually-hidden">"Versions of the point"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Attempt"</th>
                        <th scope="col">"State"</th>
                        <th scope="col" class="n">"Throughput"<small>"tok/s/GPU"</small></th>
                        <th scope="col">"Read from"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        },
    )
}

fn raw(list: Vec<RawVersion>) -> Block {
    if list.is_empty() {
        return empty("The row itself is not stored.");
    }
    list.into_iter()
        .map(|r| {
            let RawVersion { artifact, file, row, attempt, json } = r;
            let row = row.map(|r| format!(", row {r}")).unwrap_or_default();
            let attempt = attempt.map(|a| format!(", attempt {a}")).unwrap_or_default();
            view! { <details><summary>{format!("{artifact} / {file}{row}{attempt}")}</summary><pre tabindex="0">{json}</pre></details> }
        })
        .collect_view()
        .into_any()
}

/// Cells of the cookbook that hold the point; a synthetic run's point is in none.
fn cells(run: &Run, cookbook: &CookbookShown, w: &Vocabulary) -> Option<Block> {
    if run.synthetic {
        return None;
    }
    let entries: Vec<&CookbookEntry> = cookbook.entries.iter().collect();
    let body = match (entries.is_empty(), cookbook.synced) {
        (false, _) => list::table("Cells of the cookbook with this point", &entries, &cookbook.known, w, None),
        (true, true) => empty("No cell of the snippets that were read holds this point."),
        (true, false) => empty("No snippet of the cookbook was read yet: `paretoscope cookbook sync PATH`."),
    };
    Some(section("cookbook", "Cookbook", body))
}

/// Links to the points before and after it on its curve.
fn neighbours(point: &Point, siblings: &[Point]) -> Block {
    let key = CurveKey::of(point);
    let mut curve: Vec<&Point> = siblings.iter().filter(|p| !p.superseded && CurveKey::of(p) == key).collect();
    curve.dedup_by(|a, b| a.id == b.id);
    let Some(at) = curve.iter().position(|p| p.id == point.id) else { return ().into_any() };
    let to = |p: &&Point, rel: &'static str, word: &'static str| {
        view! { <a href=format!("/runs/{}/points/{}", p.run_id, p.id) rel=rel>{format!("{word}: {}", p.label)}</a> }
    };
    let before = at.checked_sub(1).and_then(|i| curve.get(i)).map(|p| to(p, "prev", "Previous"));
    let after = curve.get(at + 1).map(|p| to(p, "next", "Next"));
    view! { <nav class="pages" aria-label="Points of the curve">{before}{after}</nav> }.into_any()
}

pub(crate) fn point(site: &Site, page: PointPage) -> (Head, Block) {
    let PointPage { run, versions: all, siblings, raw: rows, baseline, evidence, cookbook } = page;
    let w: &Vocabulary = &site.words;
    let run_link = inner(run_path(&run), format!("run {}", run.run_id));
    let Some(p) = all.first() else {
        let head = Head { title: "Point".to_owned(), description: String::new(), path: run_path(&run), image: None, nav: "/runs" };
        return (head, view! { <h1>"Point"</h1> {empty("This point has no version.")} <p>{run_link}</p> }.into_any());
    };
    let path = format!("/runs/{}/points/{}", run.run_id, p.id);
    let curve = CurveKey::of(p).title(w);
    let headline: Vec<String> = curves::scenario_metrics(p.scenario)
        .iter()
        .filter_map(|m| p.metric(&m.name).map(|v| format!("{} {} {}", m.label, words::value(m, v), m.unit.symbol())))
        .collect();
    let head = Head {
        title: format!("{}{} · {curve} · run {}", standing_prefix(&run), p.label, run.run_id),
        description: notice(&run).map(|n| format!("{n}. ")).unwrap_or_default() + &headline.join(", "),
        path,
        image: Some(format!("/api/v1/runs/{}/preview.png", run.run_id)),
        nav: "/runs",
    };
    let state = match p.status {
        Status::Failed => Some(format!("failed: {}", words::joined(&words::marks(p)))),
        Status::Ok if p.superseded => Some("superseded by a newer version".to_owned()),
        Status::Ok => None,
    };
    let remarks: Vec<String> = words::marks(p).into_iter().filter(|_| p.status == Status::Ok).chain(p.notes.iter().cloned()).collect();
    let remarks = (!remarks.is_empty()).then(|| {
        let items = remarks.into_iter().map(|r| view! { <li>{words::capital(&r)}</li> }).collect_view();
        view! { <div class="notice"><p><strong>"What to know about its numbers"</strong></p><ul>{items}</ul></div> }
    });
    let image =
        p.image.as_ref().map(|reference| words::full_image(&Image { reference: reference.clone(), digest: p.image_digest.clone() }));
    let requests = p.requests;
    let count = |n: Option<u64>| n.map(|n| paretoscope_domain::format::fixed(n as f64, 0));
    let offload = match (p.offload, versioned(p.offload_backend.as_ref())) {
        (offload, Some(backend)) => format!("{} ({backend})", offload.as_str()),
        (offload, None) => offload.as_str().to_owned(),
    };
    let lengths = match (p.isl, p.osl) {
        (Some(isl), Some(osl)) => Some(format!("{isl} in, {osl} out")),
        _ => None,
    };
    let fixed = (!p.scenario.is_agentic()).then(|| fact("Sequence lengths (tokens)", lengths));
    let setup = view! {
        <dl class="facts">
            {fact("Layout", Some(label::topology(&p.topology())))}
            {fact("Concurrency", Some(p.conc.to_string()))}
            {fact("GPUs", size(p.gpus))}
            {fact("Several nodes", Some(if p.multinode { "yes" } else { "no" }.to_owned()))}
            {fact("Model", Some(format!("{} ({})", w.model_label(&p.model), p.model_path.as_deref().unwrap_or("path not stated"))))}
            {fact("Hardware", Some(format!("{} (runner label {})", w.hardware_label(&p.hardware), p.hardware_label)))}
            {fact("Framework", Some(w.framework_label(&p.framework).to_owned()))}
            {fact("Precision", Some(w.precision_label(&p.precision).to_owned()))}
            {fact("Speculative decoding", Some(w.spec_label(&p.spec_method).to_owned()))}
            {fact("Scenario", Some(p.scenario.title()))}
            {fixed}
            {fact("KV offload", Some(offload))}
            {fact("Router", versioned(p.router.as_ref()))}
            {fact("KV transfer", p.kv_transfer.clone())}
            {fact("Requests", count(requests.total))}
            {fact("Successful requests", count(requests.successful))}
            {fact("Dropped for an error", count(requests.error_dropped))}
        </dl>
    };
    let page = p.image.as_deref().and_then(|reference| words::image_page(&run, reference));
    let image_fact = image.clone().map_or_else(|| "not stated".into_any(), |text| link(page.as_deref(), text));
    let digest = p.image_digest.clone();
    let provenance = view! {
        <dl class="facts">
            <dt>"Run"</dt><dd>{inner(run_path(&run), run.run_id.to_string())} " (" {link(run.html_url.as_deref(), "on GitHub")} ")"</dd>
            {fact("Attempt", p.attempt.map(|a| a.to_string()))}
            {fact("Artifact", Some(p.artifact.clone()))}
            {fact("File", Some(p.file.clone()))}
            {fact("Row", Some(p.row.map_or_else(|| "the file is one row".to_owned(), |r| r.to_string())))}
            <dt>"Image"</dt><dd class:missing=image.is_none()>{image_fact}</dd>
            {fact("Image digest", digest)}
            {fact("Recipe fingerprint", p.recipe_fingerprint.clone())}
            {fact("Configuration key", p.config_key.clone())}
            {fact("Id", Some(p.id.to_string()))}
        </dl>
    };
    let numbers = view! { <ul class="headline" aria-label="Headline numbers">{headline.into_iter().map(|t| view! { <li>{words::capital(&t)}</li> }).collect_view()}</ul> };
    let against = baseline.as_ref().map(|(b, bp)| {
        view! { <p class="fine">"Beside the same point of " {inner(format!("/runs/{}/points/{}", b.run_id, bp.id), format!("run {}", b.run_id))} "."</p> }
    });
    let body = view! {
        {bands(&run)}
        <header class="page-head">
            <p class="crumbs">{run_link} " · " {curve}</p>
            <div class="title-row"><h1>{p.label.clone()}</h1><div class="actions">{islands::copy_link()}</div></div>
            <ul class="meta" aria-label="Facts">
                <li>{view::badge(run.kind, run.synthetic)}</li>
                {state.map(|s| view! { <li><span class="badge failed">{s}</span></li> })}
                <li>{view::when(&run)}</li>
            </ul>
            {numbers}
        </header>
        {neighbours(p, &siblings)}
        {remarks}
        {section("standing", "How it stands", standing(p, &siblings, w))}
        {section("metrics", "Metrics", view! { {against} {metrics(p, baseline.as_ref())} })}
        {section("setup", "Set-up", view! { {topology(p)} {setup} })}
        {section("provenance", "Provenance", provenance)}
        {section("environment", "Environment and facts", facts::table(&facts::of_point(&evidence, &p.label)))}
        {cells(&run, &cookbook, w)}
        {section("versions", "Versions", versions(&all))}
        {section("raw", "The rows themselves", raw(rows))}
    };
    (head, body.into_any())
}
