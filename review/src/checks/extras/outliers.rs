//! Points far from what the same configuration measured before.

use paretoscope_domain::delta::matched;
use paretoscope_domain::format::measured;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;

use crate::check::{Check, Input};
use crate::checks::context::Context;
use crate::checks::draft::Rule;
use crate::checks::text::{list, run_page, some};

static RULE: Rule = Rule {
    id: 104,
    name: "Outliers against history",
    rule: "A value is an outlier if it is further from the median of the same point in earlier official runs than three robust deviations (1.4826 times the median absolute \
           deviation). It takes four such runs or more.",
    source: "ours; the robust deviation is that of F. R. Hampel, 1974",
};

/// Earlier values without which nothing is said.
const ENOUGH: usize = 4;
/// Deviations beyond which a value is an outlier.
const BEYOND: f64 = 3.0;
/// Makes the median absolute deviation a standard deviation, were the values normal.
const TO_SIGMA: f64 = 1.4826;
const METRICS: [&str; 3] = ["tput_per_gpu", "p90_e2el", "median_e2el"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let Some(run) = x.assessed.settle(&mut draft) else { return draft.done() };
    // Each point's earlier selves, newest first.
    let earlier: Vec<Vec<(&Point, &Point)>> = x.g.official.iter().map(|r| matched(&r.points, &run.points).pairs).collect();
    let (mut out, mut fine, mut few) = (Vec::new(), 0_usize, Vec::new());
    for p in run.points.iter().filter(|p| p.counts()) {
        let past: Vec<&Point> = earlier.iter().flatten().filter(|(_, head)| head.id == p.id).map(|(base, _)| *base).collect();
        let mut judged = false;
        for name in METRICS {
            let values: Vec<f64> = past.iter().filter_map(|b| b.metric(name)).collect();
            let Some(value) = p.metric(name).filter(|_| values.len() >= ENOUGH) else { continue };
            judged = true;
            let Some((middle, deviation)) = spread(&values) else { continue };
            let label = Metric::describe(name).label;
            if (value - middle).abs() > BEYOND * deviation {
                out.push(format!(
                    "{} {label} {} against a median of {} over {} runs",
                    p.label,
                    measured(value),
                    measured(middle),
                    values.len()
                ));
            } else {
                fine += 1;
            }
        }
        if !judged {
            few.push(format!("{} ({})", p.label, past.len()));
        }
    }
    draft.input(Input::new("earlier official runs", x.g.official.iter().map(|r| r.run.run_id.to_string()).collect::<Vec<_>>().join(", ")));
    draft.input(Input::new("run", run.run.run_id.to_string()).at(run_page(run.run.run_id)));
    if out.is_empty() && fine == 0 {
        return draft.not_applicable(format!("Fewer than {ENOUGH} earlier official runs of each point are known here: {}.", some(&few, 8)));
    }
    if !few.is_empty() {
        draft.told(format!("With fewer than {ENOUGH} earlier official runs nothing is said of {}.", some(&few, 8)));
    }
    if out.is_empty() {
        draft.pass(format!("{fine} values are within three robust deviations of their history."));
    } else {
        draft.warn(
            format!("Outliers: {}.", list(&out)),
            "Why these values left their history: an intended change, or a broken measurement.",
        );
    }
    draft.done()
}

/// Median and robust deviation; a history without any spread gets a half per cent of its median, below which
/// nothing is worth telling.
fn spread(values: &[f64]) -> Option<(f64, f64)> {
    let middle = median(values)?;
    let distances: Vec<f64> = values.iter().map(|v| (v - middle).abs()).collect();
    let deviation = TO_SIGMA * median(&distances)?;
    Some((middle, deviation.max(middle.abs() * 0.005)))
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    if sorted.len() % 2 == 1 { Some(upper) } else { Some((sorted.get(half.checked_sub(1)?)? + upper) / 2.0) }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::check::CheckStatus::{NotApplicable, Pass, Warn};
    use crate::checks::fixture::{Case, World, run_cases};

    #[test]
    fn medians() {
        for (values, expected) in [(&[][..], None), (&[3.0], Some(3.0)), (&[1.0, 9.0], Some(5.0)), (&[9.0, 1.0, 2.0], Some(2.0))] {
            assert_eq!(median(values), expected);
        }
        let (middle, deviation) = spread(&[1.0, 2.0, 3.0, 4.0, 100.0]).unwrap();
        assert_eq!((middle, (deviation * 1e4).round()), (3.0, 14826.0));
        assert_eq!(spread(&[2.0, 2.0, 2.0]), Some((2.0, 0.01)));
    }

    fn history(w: &mut World, factors: &[f64]) {
        w.official = factors
            .iter()
            .map(|f| {
                let mut run = (*w.runs[0]).clone();
                run.points.iter_mut().for_each(|p| p.metrics.values_mut().for_each(|v| *v *= f));
                Arc::new(run)
            })
            .collect();
    }

    #[test]
    fn outliers() {
        run_cases(
            104,
            &[
                Case::new(
                    "the reference: no history",
                    NotApplicable,
                    "Fewer than 4 earlier official runs of each point are known here: TP4 c1 (0)",
                    |_| {},
                ),
                Case::new("three runs are too few", NotApplicable, "TP4 c1 (3)", |w| history(w, &[1.0, 1.01, 0.99])),
                Case::new("within its history", Pass, "16 values", |w| history(w, &[1.0, 1.01, 0.99, 1.02])),
                Case::new("far from its history", Warn, "TP4 c1 throughput per GPU 8,105 against a median of 4,", |w| {
                    history(w, &[0.5, 0.51, 0.49, 0.5])
                }),
                Case::new("a history without spread", Warn, "Outliers", |w| history(w, &[1.05, 1.05, 1.05, 1.05])),
            ],
        );
    }
}
