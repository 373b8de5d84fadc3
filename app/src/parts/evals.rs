//! Evals as a table, and in a sentence.

use leptos::prelude::*;
use paretoscope_domain::eval::{Eval, ImageSource};
use paretoscope_domain::format;

use super::Block;
use super::view::{missing_cell, scroller, written};
use super::words;

/// Evals that count.
pub(crate) fn counting(evals: &[Eval]) -> Vec<&Eval> {
    evals.iter().filter(|e| !e.superseded).collect()
}

/// `6 of 6 pass, all ≤ 2σ`; nothing where there are none.
pub(crate) fn headline(evals: &[&Eval]) -> Option<String> {
    if evals.is_empty() {
        return None;
    }
    let passing = evals.iter().filter(|e| e.passes).count();
    let beyond = evals.iter().filter(|e| e.within_2_sigma == Some(false)).count();
    let judged = evals.iter().filter(|e| e.within_2_sigma.is_some()).count();
    let spread = match (judged, beyond) {
        (0, _) => String::new(),
        (_, 0) if judged == evals.len() => ", all ≤ 2σ".to_owned(),
        (_, 0) => format!(", {judged} ≤ 2σ"),
        (_, n) => format!(", {n} > 2σ"),
    };
    Some(format!("{passing} of {} pass{spread}", evals.len()))
}

/// `gsm8k 0.9689 to 0.9757, n 1,319, needs 0.90 (default).`
pub(crate) fn sentence(evals: &[&Eval]) -> String {
    let mut tasks: Vec<&str> = evals.iter().map(|e| e.task.as_str()).collect();
    tasks.dedup();
    tasks.sort_unstable();
    tasks.dedup();
    let one = |task: &str| {
        let mine: Vec<&&Eval> = evals.iter().filter(|e| e.task == task).collect();
        let scores: Vec<f64> = mine.iter().filter_map(|e| e.score).collect();
        let (low, high) = scores.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(*s), h.max(*s)));
        let range = match scores.as_slice() {
            [] => "no score".to_owned(),
            _ if low == high => words::score(low),
            _ => format!("{} to {}", words::score(low), words::score(high)),
        };
        let mut needs: Vec<String> = mine.iter().map(|e| format!("{} ({})", format::fixed(e.threshold, 2), e.threshold_source)).collect();
        needs.sort();
        needs.dedup();
        format!("{task} {range}, needs {}", needs.join(" or "))
    };
    let mut parts: Vec<String> = tasks.iter().take(3).map(|t| one(t)).collect();
    if tasks.len() > 3 {
        parts.push(format!("and {} more tasks", tasks.len() - 3));
    }
    format!("{}.", parts.join("; "))
}

/// Worst problem first, for the card's sentence: what fails, else what lies beyond two sigma.
pub(crate) fn trouble(evals: &[&Eval]) -> Option<String> {
    let failing: Vec<String> = evals.iter().filter(|e| !e.passes).map(|e| format!("{} {}", e.task, e.label)).collect();
    if !failing.is_empty() {
        let more = failing.len().saturating_sub(2);
        let named = failing.into_iter().take(2).collect::<Vec<_>>().join(", ");
        return Some(if more > 0 { format!("Below the bar: {named} and {more} more.") } else { format!("Below the bar: {named}.") });
    }
    let beyond: Vec<String> =
        evals.iter().filter(|e| e.within_2_sigma == Some(false)).map(|e| format!("{} {}", e.task, e.label)).take(2).collect();
    (!beyond.is_empty()).then(|| format!("Further from the best sibling than 2σ: {}.", beyond.join(", ")))
}

/// Why an eval passes or doesn't, in words.
fn verdict(e: &Eval) -> String {
    if e.passes {
        return "passes".to_owned();
    }
    let why = match (e.score, e.n) {
        _ if e.integration_error.is_some() => format!("broken: {}", e.integration_error.as_deref().unwrap_or_default()),
        (None, _) => "no score".to_owned(),
        (_, Some(n)) if n <= 0.0 => "no answers".to_owned(),
        (Some(_), _) => "below the threshold".to_owned(),
    };
    format!("fails: {why}")
}

fn image(e: &Eval) -> Block {
    let how = match e.image_source {
        ImageSource::Point => "from the point of the same configuration",
        ImageSource::Curve => "all points of the curve ran on it",
        ImageSource::Unknown => "rows don't state an image, and the run's points have none or several",
    };
    match &e.image {
        Some(reference) => {
            let image = paretoscope_domain::run::Image { reference: reference.clone(), digest: e.image_digest.clone() };
            view! { <td class="file wrap" title=format!("{} ({how})", words::full_image(&image))>{words::short_image(&image)}<small>{how}</small></td> }
                .into_any()
        }
        None => view! { <td class="missing" title=how>"not known"<small>{how}</small></td> }.into_any(),
    }
}

/// Artifact, file and row that an eval was read from.
fn source(e: &Eval) -> Block {
    let file = e.row.map_or_else(|| e.file.clone(), |row| format!("{}, row {row}", e.file));
    view! { <td class="file wrap">{e.artifact.clone()}<small>{file}</small></td> }.into_any()
}

/// The table of evals that count; `runs` adds a column that says whose they are.
pub(crate) fn table(caption: String, evals: &[&Eval], runs: bool) -> Block {
    let lines = evals
        .iter()
        .map(|e| {
            let score = match e.score {
                Some(s) => written(words::score(s), Some(words::exact(s))),
                None => missing_cell("the row has no score"),
            };
            let stderr = match e.stderr {
                Some(s) => written(words::score(s), Some(words::exact(s))),
                None => missing_cell("the row states no standard error"),
            };
            let interval = match e.wilson {
                Some(i) => written(format!("{} – {}", words::score(i.low), words::score(i.high)), None),
                None => missing_cell("needs a score and the number of answers"),
            };
            let n = match e.n {
                Some(n) => written(format::fixed(n, 0), Some(words::exact(n))),
                None => missing_cell("the row doesn't state how many answers"),
            };
            let gap = match (e.gap, e.bound, e.within_2_sigma) {
                (Some(0.0), _, _) => view! { <td class="n">"best"</td> }.into_any(),
                (Some(gap), Some(bound), within) => {
                    let within = within.unwrap_or(gap <= bound);
                    let (class, word) = if within { ("n", "within 2σ") } else { ("n worse", "beyond 2σ") };
                    let text = format!("{} {} {}", words::score(gap), if within { "≤" } else { ">" }, words::score(bound));
                    view! { <td class=class title=format!("gap {gap}, bound {bound}")>{text}<small>{word}</small></td> }.into_any()
                }
                (Some(gap), None, _) => written(words::score(gap), None),
                (None, _, _) => missing_cell("it has no sibling to compare with"),
            };
            let attempt =
                e.attempt.map_or_else(|| missing_cell("attempt not known"), |a| view! { <td class="n">{a.get()}</td> }.into_any());
            let verdict_class = if e.passes { "mark on" } else { "mark failed" };
            let run = runs.then(|| view! { <td>{super::view::inner(format!("/runs/{}", e.run_id), e.run_id.to_string())}</td> });
            view! {
                <tr class=if e.passes { "on" } else { "failed" }>
                    <th scope="row">{e.label.clone()}</th>
                    {run}
                    <td>{e.task.clone()}<small>{e.score_name.clone().unwrap_or_default()}</small></td>
                    {score}
                    {stderr}
                    {interval}
                    {n}
                    <td class="n">{format::fixed(e.threshold, 2)}<small>{e.threshold_source.clone()}</small></td>
                    {gap}
                    <td class=verdict_class>{verdict(e)}</td>
                    {attempt}
                    {image(e)}
                    {source(e)}
                </tr>
            }
        })
        .collect_view();
    let note = "The interval is Wilson's at 95 %. It covers the sampling of questions only, not the choice of engine or prompt.";
    view! {
        {scroller(
            caption.clone(),
            view! {
                <table class="evals">
                    <caption class="visually-hidden">{caption}</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Configuration"</th>
                            {runs.then(|| view! { <th scope="col">"Run"</th> })}
                            <th scope="col">"Task"</th>
                            <th scope="col" class="n">"Score"</th>
                            <th scope="col" class="n">"Std. error"</th>
                            <th scope="col" class="n">"95 % interval"</th>
                            <th scope="col" class="n">"n"</th>
                            <th scope="col" class="n">"Needs"</th>
                            <th scope="col" class="n">"Gap to best sibling"</th>
                            <th scope="col">"Verdict"</th>
                            <th scope="col" class="n">"Attempt"</th>
                            <th scope="col">"Image"</th>
                            <th scope="col">"Read from"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        )}
        <p class="fine">{note}</p>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_measured_has_no_headline() {
        assert_eq!(headline(&[]), None);
    }
}
