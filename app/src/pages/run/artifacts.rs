//! Artifacts of a run, kept after CI deletes them.

use leptos::prelude::*;
use paretoscope_domain::format;
use paretoscope_domain::run::{Artifact, ArtifactFile, Reading};

use super::Context;
use crate::parts::view::{empty, scroller, section as part};
use crate::parts::{Block, words};

fn reading(r: Reading) -> &'static str {
    match r {
        Reading::Read => "read",
        Reading::NotReadYet => "not read yet",
        Reading::Listed => "listed only",
        Reading::Refused => "refused, see the ingest report",
    }
}

fn digest(d: Option<&String>) -> Block {
    match d {
        Some(d) => view! { <td class="file" title=d.clone()>{words::short_digest(d)}</td> }.into_any(),
        None => view! { <td class="missing" title="not stated">{words::MISSING}</td> }.into_any(),
    }
}

fn files(list: &[ArtifactFile]) -> Block {
    if list.is_empty() {
        return "no files listed".into_any();
    }
    let items = list
        .iter()
        .map(|f| {
            let ArtifactFile { path, size, digest, reading: what } = f;
            let short = digest.as_deref().map(|d| format!(", {}", words::short_digest(d))).unwrap_or_default();
            view! { <li title=digest.clone()><span class="file">{path.clone()}</span> {format!(" ({}{short}, {})", format::bytes(*size), reading(*what))}</li> }
        })
        .collect_view();
    view! { <details><summary>{words::count(list.len(), "file", "files")}</summary><ul class="plain">{items}</ul></details> }.into_any()
}

/// The section.
pub(super) fn section(c: &Context<'_>) -> Block {
    let list = &c.detail.artifacts;
    if list.is_empty() {
        return part("artifacts", "Artifacts", empty("No artifacts are listed for this run."));
    }
    let lines = list
        .iter()
        .map(|a| {
            let Artifact {
                name,
                attempt,
                artifact_id,
                family,
                reading: what,
                size,
                digest: hash,
                uploaded_at,
                expires_at,
                files: inside,
                pairs_with: _,
            } = a;
            let id = artifact_id.map(|id| format!("artifact {id}"));
            view! {
                <tr>
                    <th scope="row" class="file wrap" title=id>{name.clone()}</th>
                    <td class="n">{attempt.map_or_else(|| words::MISSING.to_owned(), |a| a.to_string())}</td>
                    <td>{family.title()}</td>
                    <td>{reading(*what)}</td>
                    <td class="n" title=format!("{size} bytes")>{format::bytes(*size)}</td>
                    {digest(hash.as_ref())}
                    <td>{uploaded_at.map_or_else(|| words::MISSING.to_owned(), words::time_words)}</td>
                    <td>{expires_at.as_deref().map_or_else(|| words::MISSING.to_owned(), words::told_time)}</td>
                    <td>{files(inside)}</td>
                </tr>
            }
        })
        .collect_view();
    let table = scroller(
        "Artifacts",
        view! {
            <table>
                <caption class="visually-hidden">"Artifacts of the run"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Artifact"</th>
                        <th scope="col" class="n">"Attempt"</th>
                        <th scope="col">"What it is"</th>
                        <th scope="col">"What was done"</th>
                        <th scope="col" class="n">"Size"</th>
                        <th scope="col">"Digest"</th>
                        <th scope="col">"Uploaded"</th>
                        <th scope="col">"Expires"</th>
                        <th scope="col">"Files"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        },
    );
    let intro =
        format!("{}. Their list stays true after CI deletes them.", words::capital(&words::count(list.len(), "artifact", "artifacts")));
    part("artifacts", "Artifacts", view! { <p class="fine">{intro}</p> {table} })
}
