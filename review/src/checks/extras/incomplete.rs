//! Sweeps that lack something: planned points, failed ones, jobs that never succeeded.

use paretoscope_domain::point::Status;

use crate::check::{Check, Input};
use crate::checks::context::Context;
use crate::checks::draft::Rule;
use crate::checks::matrix::missing_points;
use crate::checks::text::{count, list, run_page, some};

static RULE: Rule = Rule {
    id: 101,
    name: "Incomplete sweep",
    rule: "Every point that the configurations generate was measured and did not fail.",
    source: "completeness: expected points less those present",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let Some(run) = x.assessed.settle(&mut draft) else { return draft.done() };
    let page = run_page(run.run.run_id);
    let failed: Vec<&str> = run.points.iter().filter(|p| p.status == Status::Failed && !p.superseded).map(|p| p.label.as_str()).collect();
    if !failed.is_empty() {
        draft.fail(format!("{} failed: {}.", count(failed.len(), "point"), list(&failed)));
    }
    match missing_points(x, run) {
        Some(missing) if missing.is_empty() => draft.pass("Every generated point is there."),
        Some(missing) => draft.fail(format!("{} missing: {}.", count(missing.len(), "generated point"), some(&missing, 10))),
        None => draft.ask(
            "What the configurations generate at the head is not known.",
            "The matrix of the pull request against the points of the run.",
        ),
    }
    // Counts of the file are over all attempts: a rerun leaves a failure behind, so they are told only.
    for stat in &run.run_stats {
        draft.input(
            Input::new(format!("jobs on {}, all attempts", stat.name), format!("{} of {} succeeded", stat.n_success, stat.total))
                .at(page.clone()),
        );
    }
    draft.done()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use paretoscope_domain::point::Status;

    use crate::check::CheckStatus::{Fail, NeedsHuman, Pass};
    use crate::checks::fixture::{Case, matrix_point, run_cases};

    #[test]
    fn incomplete() {
        run_cases(
            101,
            &[
                Case::new("the reference", Pass, "Every generated point is there", |_| {}),
                Case::new("one is missing", Fail, "1 generated point missing: TP4 c32", |w| {
                    w.head.as_mut().unwrap().configs[0].points.push(matrix_point("TP4", 32));
                }),
                Case::new("one failed", Fail, "1 point failed: TP4 c1", |w| w.run_mut().points[0].status = Status::Failed),
                Case::new("the matrix is not known", NeedsHuman, "is not known", |w| w.head = None),
            ],
        );
    }
}
