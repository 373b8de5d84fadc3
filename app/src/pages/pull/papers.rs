//! The sign-off and the verdict that count.

use leptos::prelude::*;
use paretoscope_review::timeline::{PullAnswer, SignOff, ToldCheck, Verdict};

use crate::parts::checks::mark;
use crate::parts::view::{empty, inner, link, scroller, section as part};
use crate::parts::{Block, words};

/// The section.
pub(super) fn section(a: &PullAnswer) -> Block {
    let signed = match &a.signoff {
        Some(s) => sign_off(s),
        None => empty("No sign-off was read: no comment begins as a reviewer or code owner and holds the checklist."),
    };
    let verdict = match &a.verdict {
        Some(v) => verdict(v),
        None => empty("No verdict of the verifier was read."),
    };
    part("papers", "Sign-off and verdict", view! { <h3>"Sign-off"</h3>{signed}<h3>"Verdict"</h3>{verdict} })
}

fn about(commit: Option<&str>) -> String {
    commit.map_or_else(|| "naming no commit".to_owned(), |c| format!("about {}", words::short_sha(c)))
}

fn sign_off(s: &SignOff) -> Block {
    let run = s.run_id.map(|r| view! { ", resting on " {inner(format!("/runs/{r}"), format!("run {r}"))} });
    let open = s.items.len() - s.checked();
    let items = s
        .items
        .iter()
        .map(|i| {
            let (sign, word) = if i.checked { ("☑", "ticked: ") } else { ("☐", "open: ") };
            view! { <li><span aria-hidden="true">{sign}</span>" "<span class="visually-hidden">{word}</span>{i.text.clone()}</li> }
        })
        .collect_view();
    let detail = s.additional_detail.as_deref().map(|d| {
        view! { <details><summary>"Additional detail, as written"</summary><pre tabindex="0">{d.to_owned()}</pre></details> }
    });
    let count = format!("{} of {} items ticked", s.checked(), s.items.len());
    view! {
        <p>
            {link(s.url.as_deref(), "Sign-off")}
            {format!(" by {} ({}), {}: {count}, {}", s.author, s.association.as_deref().unwrap_or("standing not told"), words::time_words(s.at), about(s.commit.as_deref()))}
            {run} "."
        </p>
        {s.note.as_deref().map(|n| view! { <p class="fine">{words::capital(n)}"."</p> })}
        <details open=open.gt(&0)><summary>"Its checklist"</summary><ul class="plain">{items}</ul></details>
        {detail}
    }
    .into_any()
}

fn verdict(v: &Verdict) -> Block {
    let Verdict { comment_id: _, url, at, word, commit, checks, superseded: _, note } = v;
    let both = checks.iter().filter(|c| c.agrees.is_some()).count();
    let agree = checks.iter().filter(|c| c.agrees == Some(true)).count();
    let lines = checks.iter().map(line).collect_view();
    view! {
        <p>
            <strong>{word.clone()}</strong> ", "
            {link(url.as_deref(), "verdict")}
            {format!(" of {}, {}. Of {} it decides, {both} could be decided here as well; {agree} agree.", words::time_words(*at), about(commit.as_deref()), words::count(checks.len(), "check", "checks"))}
        </p>
        {note.as_deref().map(|n| view! { <p class="fine">{words::capital(n)}"."</p> })}
        {scroller(
            "The verifier's checks beside ours",
            view! {
                <table class="wide-table">
                    <caption class="visually-hidden">"The verifier's checks beside ours"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Check"</th>
                            <th scope="col">"Verifier"</th>
                            <th scope="col">"Here"</th>
                            <th scope="col">"Agree"</th>
                            <th scope="col">"The verifier's reasons"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        )}
    }
    .into_any()
}

fn line(told: &ToldCheck) -> Block {
    let ToldCheck { id, name, word, status, detail, ours, agrees } = told;
    let theirs = status.map(mark);
    let here = match ours {
        Some(status) => view! { <td>{mark(*status)}" "{status.title()}</td> }.into_any(),
        None => view! { <td class="missing">"not decided here"</td> }.into_any(),
    };
    let agree = match agrees {
        Some(true) => view! { <td>"yes"</td> }.into_any(),
        Some(false) => view! { <td><span class="badge failed">"no"</span></td> }.into_any(),
        None => view! { <td class="missing">"not decided here"</td> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">{inner(format!("#check-{id}"), format!("{id} {name}"))}</th>
            <td>{theirs}" "{word.clone()}</td>
            {here}
            {agree}
            <td class="wrap">{detail.clone()}</td>
        </tr>
    }
    .into_any()
}
