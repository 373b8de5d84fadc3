//! The ingest report: what became of every row.

use leptos::prelude::*;
use paretoscope_domain::report::{Counts, Families, Quarantined, Tally};

use super::Context;
use crate::parts::view::{count_cell, empty, scroller, section as part};
use crate::parts::{Block, words};

/// What the report shows for input that is not read yet. Never 0.
pub(crate) const NOT_READ: &str = "not read yet";

fn family(name: &'static str, what: &'static str, tally: Option<Tally>) -> Block {
    let cells = match tally {
        Some(Tally { new, duplicate, skipped, unmapped, failed }) => {
            [new, duplicate, skipped, unmapped, failed].map(count_cell).into_iter().collect_view().into_any()
        }
        None => view! { <td colspan="5" class="missing">{NOT_READ}</td> }.into_any(),
    };
    view! { <tr><th scope="row">{name}<small>{what}</small></th>{cells}</tr> }.into_any()
}

fn counters(counts: &Counts) -> Block {
    let Counts {
        benchmark_files,
        raw_benchmark_rows,
        covered_by_per_job_files,
        replaced,
        eval_replaced,
        purged_points,
        failed_run_rows,
        run_stats_new,
        run_stats_duplicate,
        eval_samples_new,
        gpu_metric_samples_new,
        power_publication_points,
        changelog_entries_written,
    } = *counts;
    let lines = [
        ("Benchmark files read", Some(benchmark_files)),
        ("Benchmark rows seen", Some(raw_benchmark_rows)),
        ("Collected rows that a per-job file covers", Some(covered_by_per_job_files)),
        ("Benchmark rows that took the place of one they correct", Some(replaced)),
        ("Eval rows that took the place of one they correct", Some(eval_replaced)),
        ("Points hidden by a purge", Some(purged_points)),
        ("Rows of failed points", Some(failed_run_rows)),
        ("Success counts, new or changed", Some(run_stats_new)),
        ("Success counts stored already", Some(run_stats_duplicate)),
        ("Eval samples", eval_samples_new),
        ("GPU telemetry samples", gpu_metric_samples_new),
        ("Points with power in their rows", Some(power_publication_points)),
        ("Changelog entries written", Some(changelog_entries_written)),
    ];
    let items = lines
        .into_iter()
        .map(|(name, n)| {
            // Display only: counts stay far below 2^53.
            let value = n.map_or_else(|| NOT_READ.to_owned(), |n| paretoscope_domain::format::fixed(n as f64, 0));
            view! { <dt>{name}</dt><dd class=if n.is_none() { "missing" } else { "n" }>{value}</dd> }
        })
        .collect_view();
    view! { <dl class="facts counters">{items}</dl> }.into_any()
}

fn quarantine(list: &[Quarantined]) -> Block {
    if list.is_empty() {
        return view! { <p class="fine">"Nothing was refused and every word was known."</p> }.into_any();
    }
    let lines = list
        .iter()
        .map(|q| {
            let Quarantined { artifact, file, row, reason, detail } = q;
            let row = row.map_or_else(|| "whole file".to_owned(), |r| r.to_string());
            let file = if file.is_empty() { "the artifact itself".to_owned() } else { file.clone() };
            view! {
                <tr>
                    <th scope="row" class="file wrap">{artifact.clone()}</th>
                    <td class="file wrap">{file}</td>
                    <td class="n">{row}</td>
                    <td><code>{reason.clone()}</code></td>
                    <td class="wrap">{detail.clone()}</td>
                </tr>
            }
        })
        .collect_view();
    let title = words::capital(&words::count(list.len(), "input refused or not mapped", "inputs refused or not mapped"));
    view! {
        <h3>{title}</h3>
        {scroller(
            "Refused and unmapped input",
            view! {
                <table>
                    <caption class="visually-hidden">"Refused and unmapped input"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Artifact"</th>
                            <th scope="col">"File"</th>
                            <th scope="col" class="n">"Row"</th>
                            <th scope="col">"Reason"</th>
                            <th scope="col">"What exactly"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        )}
    }
    .into_any()
}

/// The section.
pub(super) fn section(c: &Context<'_>) -> Block {
    let Some(report) = &c.detail.report else {
        return part("ingest", "Ingest report", empty("No ingest report is stored for this run."));
    };
    let Families { benchmark, eval, trace, power } = report.rows;
    let at = report.ingested_at.map(|at| format!("Ingested {}. ", words::time_words(at))).unwrap_or_default();
    // Display only: counts stay far below 2^53.
    let changed = format!("{at}{} rows of the database changed.", paretoscope_domain::format::fixed(report.rows_changed as f64, 0));
    part(
        "ingest",
        "Ingest report",
        view! {
            <p class="fine">{changed}</p>
            {scroller(
                "Rows by family",
                view! {
                    <table class="report">
                        <caption class="visually-hidden">"What became of every row, by family"</caption>
                        <thead>
                            <tr>
                                <th scope="col">"Rows"</th>
                                <th scope="col" class="n">"New"</th>
                                <th scope="col" class="n">"Duplicate"</th>
                                <th scope="col" class="n">"Skipped"</th>
                                <th scope="col" class="n">"Unmapped"</th>
                                <th scope="col" class="n">"Failed"</th>
                            </tr>
                        </thead>
                        <tbody>
                            {family("benchmark", "measured points", benchmark)}
                            {family("eval", "accuracy", eval)}
                            {family("trace", "agentic rows linked to a trace", trace)}
                            {family("power", "GPU telemetry series", power)}
                        </tbody>
                    </table>
                },
            )}
            {counters(&report.counts)}
            {quarantine(&report.quarantine)}
        },
    )
}
