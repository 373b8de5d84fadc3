//! The first page: newest runs, what changed, where to go.

use leptos::prelude::*;

use super::HomePage;
use crate::document::{Head, Site};
use crate::parts::view::{empty, sentence};
use crate::parts::{Block, runs, words};

pub(crate) fn home(site: &Site, page: HomePage) -> (Head, Block) {
    let HomePage { newest, runs_total, points_total, evals_total, synthetic_runs, changes } = page;
    let head = Head {
        title: String::new(),
        description: "Runs of the InferenceX LLM inference benchmark: Pareto frontiers, evals, changes against a baseline, and what every number rests on.".to_owned(),
        path: "/".to_owned(),
        image: None,
        nav: "/",
    };
    let counts = [(runs_total, "run", "runs"), (points_total, "point", "points"), (evals_total, "eval", "evals")]
        .map(|(n, one, many)| view! { <li><strong>{words::whole(n)}</strong>" "{if n == 1 { one } else { many }}</li> })
        .collect_view();
    let sample = (synthetic_runs > 0).then(|| {
        let n = words::count(synthetic_runs, "run is", "runs are");
        view! {
            <p class="band synthetic"><strong>{format!("{n} synthetic sample data: made up, not a measurement.")}</strong>" They are labelled everywhere and never mix with real runs."</p>
        }
    });
    let newest = if newest.is_empty() {
        empty("No runs yet. Read the artifacts of one: `paretoscope ingest <folder>`, or load the bundled sample: `paretoscope sample`.")
    } else {
        view! { {runs::table("Newest runs", &newest, site)} <p><a href="/runs">{format!("All {}", words::count(runs_total, "run", "runs"))}</a></p> }.into_any()
    };
    let changes = (!changes.is_empty()).then(|| {
        let items = changes
            .into_iter()
            .map(|(text, href)| match href {
                Some(href) => view! { <li><a href=href>{text}</a></li> }.into_any(),
                None => view! { <li>{text}</li> }.into_any(),
            })
            .collect_view();
        view! { <section aria-labelledby="changes-title"><h2 id="changes-title">"What changed"</h2><ul class="plain">{items}</ul></section> }
    });
    let ways = [
        ("Share a run", "`/inference?unofficialRun=ID` shows a run by the id that its address on GitHub ends with; several ids with commas lay runs over each other.", "/inference"),
        ("Accuracy", "`/evaluation?unofficialRun=ID` shows the evals of the same run.", "/evaluation"),
        ("Add a run", "`paretoscope ingest <folder>` reads what `gh run download` left.", "/runs"),
        ("Programs", "Everything here is JSON and CSV under `/api/v1`.", "/api/v1/openapi.json"),
    ]
    .map(|(title, text, href)| view! { <li><a href=href>{title}</a><p>{sentence(text)}</p></li> })
    .collect_view();
    let body = view! {
        {sample}
        <header class="page-head">
            <h1>"Inference benchmark runs"</h1>
            <ul class="meta counts" aria-label="Stored">{counts}</ul>
        </header>
        <section aria-labelledby="newest-title"><h2 id="newest-title">"Newest runs"</h2>{newest}</section>
        {changes}
        <section aria-labelledby="ways-title"><h2 id="ways-title">"Where to go"</h2><ul class="ways">{ways}</ul></section>
    };
    (head, body.into_any())
}
