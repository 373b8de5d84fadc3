//! The answer in the first screen: frontier, evals, and the change against the baseline, each a sentence.

use leptos::prelude::*;
use paretoscope_domain::curve::Curve;
use paretoscope_domain::delta::changes;
use paretoscope_domain::format;
use paretoscope_domain::frontier::Verdict;
use paretoscope_domain::metric::Metric;

use super::Context;
use crate::parts::curves::{self, GroupKey};
use crate::parts::{Block, evals, words};

/// A card: a link to the section it sums up.
pub(crate) struct Card {
    pub(crate) href: &'static str,
    pub(crate) title: String,
    pub(crate) headline: String,
    pub(crate) sentence: String,
}

/// All cards of a run.
pub(super) fn of(c: &Context<'_>, why_no_baseline: Option<&str>) -> Vec<Card> {
    let mut cards = vec![frontier(c), eval_card(c), against(c, why_no_baseline)];
    cards.extend(super::cookbook::card(c));
    cards
}

pub(super) fn cards(cards: &[Card]) -> Block {
    let items = cards
        .iter()
        .map(|card| {
            view! {
                <li>
                    <a class="card" href=card.href>
                        <span class="card-title">{card.title.clone()}</span>
                        <strong>{card.headline.clone()}</strong>
                        <span class="card-sentence">{card.sentence.clone()}</span>
                    </a>
                </li>
            }
        })
        .collect_view();
    view! { <ul id="cards" class="cards" data-swap="" aria-label="Summary">{items}</ul> }.into_any()
}

/// `P90`, `P75`; `E2EL`, `interactivity`: agentic cards differ by percentile only, those of fixed sequences are medians.
fn axis_word(metric: &Metric, agentic: bool) -> String {
    if agentic { metric.label.trim_end_matches(" E2EL").to_owned() } else { metric.label.trim_start_matches("median ").to_owned() }
}

fn frontier(c: &Context<'_>) -> Card {
    let fixed = c.group.as_ref().is_some_and(|g| !g.scenario.is_agentic());
    let title = if fixed { "Frontier of medians" } else { "Frontier" };
    let card = |headline: String, sentence: String| Card { href: "#frontiers", title: title.to_owned(), headline, sentence };
    let Some(group) = &c.group else {
        return card("no points".to_owned(), "This run holds no points that count.".to_owned());
    };
    let points = curves::members(&c.detail.points, group);
    let agentic = group.scenario.is_agentic();
    let judged: Vec<(String, Vec<Curve>)> =
        curves::judged_axes(group.scenario).iter().map(|axes| (axis_word(&axes.x, agentic), curves::on(&points, axes, c.words))).collect();
    let headline: Vec<String> = judged
        .iter()
        .map(|(word, curves)| {
            let measured: Vec<&Curve> = curves.iter().filter(|c| c.verdict != Verdict::NotMeasured).collect();
            match measured.as_slice() {
                [] => format!("{word} not measured"),
                some => {
                    let frontier: usize = some.iter().map(|c| c.frontier).sum();
                    let total: usize = some.iter().map(|c| c.total).sum();
                    format!("{word} {frontier}/{total}")
                }
            }
        })
        .collect();
    card(headline.join(" · "), frontier_sentence(&judged, group, c))
}

/// What is dominated on the axes that were measured, and what the coverage rule asks for.
fn frontier_sentence(judged: &[(String, Vec<Curve>)], group: &GroupKey, c: &Context<'_>) -> String {
    let measured: Vec<&(String, Vec<Curve>)> =
        judged.iter().filter(|(_, curves)| curves.iter().any(|c| c.verdict != Verdict::NotMeasured)).collect();
    let Some((_, curves)) = measured.first() else {
        let what = judged.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" or ");
        let kind = if group.scenario.is_agentic() { " E2EL" } else { "" };
        return format!("Nothing to judge: no row states {what}{kind}.");
    };
    let mut parts: Vec<String> = Vec::new();
    if curves.len() > 1 {
        parts.push(format!("Summed over {} curves of {}.", curves.len(), group.title(c.words)));
    }
    let said: Vec<(&str, Option<String>)> = measured.iter().map(|(word, curves)| (word.as_str(), dominated(curves))).collect();
    if said.iter().all(|(_, dominated)| dominated.is_none()) {
        parts.push("Every point that takes part is on the frontier.".to_owned());
    }
    for (i, (word, dominated)) in said.iter().enumerate() {
        // What stands first in the headline needs no name.
        parts.extend(dominated.as_ref().map(|d| if i == 0 { format!("{d}.") } else { format!("On {word}, {d}.") }));
    }
    let invalid: usize = curves.iter().map(|c| c.invalid).sum();
    if invalid > 0 {
        parts.push(format!("{} can't take part.", words::count(invalid, "point", "points")));
    }
    let short = curves.iter().filter(|c| c.verdict == Verdict::Warn && c.frontier < Verdict::ENOUGH).count();
    if short > 0 {
        parts.push(if curves.len() == 1 {
            format!("The coverage rule asks for {}.", Verdict::ENOUGH)
        } else {
            format!("{} below the {} that the coverage rule asks for.", words::count(short, "curve", "curves"), Verdict::ENOUGH)
        });
    }
    parts.join(" ")
}

/// `TP4 c4 is dominated by TP4 c16`; nothing where nothing is.
fn dominated(curves: &[Curve]) -> Option<String> {
    let pairs: Vec<(&str, &str)> =
        curves.iter().flat_map(|c| &c.points).filter_map(|p| Some((p.label.as_str(), p.dominated_by.as_deref()?))).collect();
    match pairs.as_slice() {
        [] => None,
        [(point, by)] => Some(format!("{point} is dominated by {by}")),
        // Labels are unique within a curve only.
        [(a, by_a), (b, by_b)] if curves.len() == 1 => Some(format!("{a} is dominated by {by_a}, {b} by {by_b}")),
        many => Some(format!("{} points are dominated", many.len())),
    }
}

fn eval_card(c: &Context<'_>) -> Card {
    let counting = evals::counting(&c.detail.evals);
    let (headline, sentence) = match evals::headline(&counting) {
        Some(headline) => {
            let sentence = evals::trouble(&counting).unwrap_or_else(|| evals::sentence(&counting));
            (headline, sentence)
        }
        None => ("not measured".to_owned(), "None of this run's artifacts holds eval rows.".to_owned()),
    };
    Card { href: "#evals", title: "Evals".to_owned(), headline, sentence }
}

/// `+0.3 … −7.8 %`: from the best to the worst change.
fn range(percents: &[f64]) -> Option<String> {
    let low = percents.iter().copied().fold(f64::INFINITY, f64::min);
    let high = percents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return None;
    }
    let (first, last) = (format::percent_change(high), format::percent_change(low));
    Some(if first == last { first } else { format!("{} … {last}", first.trim_end_matches(" %")) })
}

fn against(c: &Context<'_>, why: Option<&str>) -> Card {
    let card = |title: String, headline: String, sentence: String| Card { href: "#deltas", title, headline, sentence };
    let (Some((base, base_points)), Some(matched)) = (c.baseline, &c.matched) else {
        return card("Against a baseline".to_owned(), "no baseline".to_owned(), why.unwrap_or("There is none.").to_owned());
    };
    let title = format!("Against run {}", base.run_id);
    let tput = Metric::describe("tput_per_gpu");
    let in_group = |scenario, model: &str| c.group.as_ref().is_none_or(|g| g.scenario == scenario && g.model == model);
    let percents: Vec<f64> =
        changes(matched, &tput).into_iter().filter(|(p, _)| in_group(p.scenario, &p.model)).filter_map(|(_, change)| change.pct).collect();
    let headline = range(&percents).map_or_else(|| "nothing to compare".to_owned(), |r| format!("tok/s/GPU {r}"));
    let mut sentence: Vec<String> = Vec::new();
    if let Some(group) = &c.group {
        let theirs = curves::members(base_points, group);
        let judged = curves::judged_axes(group.scenario);
        let measured = judged.iter().filter(|a| curves::is_measured(&theirs, &a.x.name)).count();
        if measured == 0 {
            let what = if group.scenario.is_agentic() { "latency" } else { "latency or interactivity" };
            sentence.push(format!("Frontiers can't be compared: that run states no {what}."));
        }
    }
    let mut counts = vec![words::count(matched.pairs.len(), "point matched", "points matched")];
    if !matched.added.is_empty() {
        counts.push(format!("{} new", matched.added.len()));
    }
    if !matched.removed.is_empty() {
        counts.push(format!("{} dropped", matched.removed.len()));
    }
    if sentence.is_empty() || counts.len() > 1 {
        sentence.push(format!("{}.", counts.join(", ")));
    }
    card(title, headline, sentence.join(" "))
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn a_range_runs_from_best_to_worst() {
        assert_eq!(range(&[0.1, -7.8, 0.3]).as_deref(), Some("+0.3 … −7.8 %"));
        assert_eq!(range(&[1.0]).as_deref(), Some("+1.0 %"));
        assert_eq!(range(&[]), None);
    }
}
