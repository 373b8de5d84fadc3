//! Attempts of a run and what its jobs say of themselves.

use leptos::prelude::*;
use paretoscope_domain::format;
use paretoscope_domain::run::{AttemptSummary, JobEvent};

use super::Context;
use crate::parts::view::{count_cell, empty, link, missing_cell, scroller, section as part};
use crate::parts::{Block, words};
use crate::view_state::{RunView, address};

fn attempt_table(c: &Context<'_>, attempts: &[AttemptSummary]) -> Block {
    let last = attempts.last().map(|a| a.attempt);
    let lines = attempts
        .iter()
        .map(|a| {
            let AttemptSummary { attempt, conclusion, html_url, point_count, eval_count, failed_jobs } = a;
            let then = (Some(*attempt) != last).then(|| {
                let query = RunView { attempt: Some(*attempt), ..c.view.clone() }.to_query();
                view! { <a href=address(&c.path(), &query)>{format!("as it stood after attempt {attempt}")}</a> }
            });
            view! {
                <tr>
                    <th scope="row">{link(html_url.as_deref(), format!("attempt {attempt}"))}</th>
                    <td>{conclusion.clone().unwrap_or_else(|| "not known".to_owned())}</td>
                    {count_cell(u64::try_from(*point_count).unwrap_or(u64::MAX))}
                    {count_cell(u64::try_from(*eval_count).unwrap_or(u64::MAX))}
                    {count_cell(u64::try_from(*failed_jobs).unwrap_or(u64::MAX))}
                    <td>{then}</td>
                </tr>
            }
        })
        .collect_view();
    scroller(
        "Attempts",
        view! {
            <table>
                <caption class="visually-hidden">"Attempts and what they measured"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Attempt"</th>
                        <th scope="col">"Conclusion"</th>
                        <th scope="col" class="n">"Points that count"</th>
                        <th scope="col" class="n">"Evals that count"</th>
                        <th scope="col" class="n">"Failed jobs"</th>
                        <th scope="col">"View"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        },
    )
}

fn job_table(title: &str, jobs: &[&JobEvent]) -> Block {
    // A column that no job fills says nothing.
    let errors = jobs.iter().any(|j| j.error.is_some());
    let runners = jobs.iter().any(|j| j.runner.is_some());
    let starts = jobs.iter().any(|j| j.started_at.is_some());
    let durations = jobs.iter().any(|j| j.duration_s.is_some());
    let lines = jobs
        .iter()
        .map(|j| {
            let failed = j.outcome.as_deref().is_some_and(|o| o != "success");
            let outcome = j.outcome.clone().unwrap_or_else(|| "not stated".to_owned());
            let duration = match j.duration_s {
                Some(s) => view! { <td class="n">{format::fixed(s, 0)}</td> }.into_any(),
                None => missing_cell("not stated"),
            };
            let attempt =
                j.attempt.map_or_else(|| missing_cell("attempt not known"), |a| view! { <td class="n">{a.get()}</td> }.into_any());
            view! {
                <tr class=if failed { "failed" } else { "on" }>
                    <th scope="row">{j.title.clone()}</th>
                    {attempt}
                    <td>{match j.eval_only { Some(true) => "eval", Some(false) => "benchmark", None => "not stated" }}</td>
                    <td class=if failed { "mark failed" } else { "mark on" }>{outcome}</td>
                    {errors.then(|| view! { <td class="wrap">{j.error.clone().unwrap_or_default()}</td> })}
                    {runners.then(|| view! { <td>{j.runner.clone().unwrap_or_default()}</td> })}
                    {starts.then(|| view! { <td>{j.started_at.as_deref().map(words::told_time).unwrap_or_default()}</td> })}
                    {durations.then_some(duration)}
                    <td class="file">{j.artifact.clone()}</td>
                </tr>
            }
        })
        .collect_view();
    scroller(
        title.to_owned(),
        view! {
            <table>
                <caption class="visually-hidden">{title.to_owned()}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Job"</th>
                        <th scope="col" class="n">"Attempt"</th>
                        <th scope="col">"What"</th>
                        <th scope="col">"Outcome"</th>
                        {errors.then(|| view! { <th scope="col">"Error"</th> })}
                        {runners.then(|| view! { <th scope="col">"Runner"</th> })}
                        {starts.then(|| view! { <th scope="col">"Started"</th> })}
                        {durations.then(|| view! { <th scope="col" class="n">"Duration"<small>"s"</small></th> })}
                        <th scope="col">"Artifact"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        },
    )
}

/// The section.
pub(super) fn section(c: &Context<'_>) -> Block {
    let d = c.detail;
    let attempts = if d.run.attempt_details.is_empty() {
        empty("Which attempt measured what is not known: neither folders nor an artifact listing told.")
    } else {
        attempt_table(c, &d.run.attempt_details)
    };
    let (failed, fine): (Vec<&JobEvent>, Vec<&JobEvent>) =
        d.jobs.iter().partition(|j| j.error.is_some() || j.outcome.as_deref().is_some_and(|o| o != "success"));
    let failed = (!failed.is_empty())
        .then(|| view! { <h3>{words::capital(&words::count(failed.len(), "failed job", "failed jobs"))}</h3> {job_table("Failed jobs", &failed)} });
    let fine = (!fine.is_empty()).then(|| {
        view! { <details><summary>{words::count(fine.len(), "job without a failure", "jobs without a failure")}</summary>{job_table("Jobs without a failure", &fine)}</details> }
    });
    let none = d.jobs.is_empty().then(|| empty("No job left an event of its own (`job_event.json`)."));
    let stats = (!d.run_stats.is_empty()).then(|| {
        let items = d
            .run_stats
            .iter()
            .map(|s| view! { <li>{format!("{}: {} of {} jobs succeeded", s.name, s.n_success, s.total)}</li> })
            .collect_view();
        view! { <h3>"Success counts over all attempts"</h3> <ul class="plain">{items}</ul> }
    });
    part("attempts", "Attempts and jobs", view! { {attempts} {failed} {fine} {none} {stats} })
}
