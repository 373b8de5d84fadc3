//! Evals that ran on another image than the points of their curve.

use paretoscope_domain::eval::Eval;

use crate::check::{Check, Input};
use crate::checks::affected::{image_in_words, same_image};
use crate::checks::context::Context;
use crate::checks::draft::Rule;
use crate::checks::evals::eval_image;
use crate::checks::jobs::{Job, jobs};
use crate::checks::text::{evals_page, list, some};

static RULE: Rule = Rule {
    id: 103,
    name: "Images of evals",
    rule: "An eval ran on the image of the points that it speaks for.",
    source: "same image across a curve and its evals",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let Some(run) = x.assessed.settle(&mut draft) else { return draft.done() };
    let evals: Vec<&Eval> = run.evals.iter().filter(|e| !e.superseded).collect();
    if evals.is_empty() {
        return draft.not_applicable("The run has no evals.");
    }
    let all = jobs(run);
    let (mut other, mut unknown, mut joined) = (Vec::new(), Vec::new(), 0);
    for e in &evals {
        let Some((image, digest)) = eval_image(e, &all) else {
            unknown.push(e.label.as_str());
            continue;
        };
        let own = run.points.iter().filter(|p| {
            p.counts() && p.model == e.model && p.hardware == e.hardware && p.framework == e.framework && p.precision == e.precision
        });
        let fits =
            own.filter_map(|p| Some((p.image.as_deref()?, p.image_digest.as_deref()))).any(|i| same_image(i, (&image, digest.as_deref())));
        let words = image_in_words(&image, digest.as_deref());
        let by_job = all.iter().any(|j| j.eval && j.title == e.label && Job::image(j).is_some());
        if !by_job {
            joined += 1;
        }
        let source = if by_job { "its job's event" } else { "joined through the points" };
        draft.input(Input::new(format!("{} {}", e.task, e.label), format!("{words} ({source})")).at(evals_page(run.run.run_id)));
        if !fits {
            other.push(format!("{} on {words}", e.label));
        }
    }
    if !other.is_empty() {
        draft.fail(format!("On another image than the points: {}.", list(&other)));
    }
    if !unknown.is_empty() {
        draft.ask(format!("Which image {} ran on is not known.", some(&unknown, 8)), "Server logs of these evals: the image.");
    }
    if other.is_empty() && unknown.is_empty() {
        // What is joined through the points agrees with them by itself.
        if joined == 0 {
            draft.pass("The jobs of all evals name the image of the points.");
        } else {
            draft.ask(
                format!("Of {joined} of {} evals no job names the image: theirs is taken from the points.", evals.len()),
                "Server logs of these evals: the image.",
            );
        }
    }
    draft.done()
}

#[cfg(test)]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, IMAGE, run_cases};

    #[test]
    fn eval_images() {
        run_cases(
            103,
            &[
                Case::new("the reference", Pass, "The jobs of all evals", |_| {}),
                Case::new("another image", Fail, "TP4 c4 on lmsysorg/sglang:old", |w| {
                    let job = w.run_mut().jobs.iter_mut().find(|j| j.title == "TP4 c4" && j.eval_only == Some(true)).unwrap();
                    job.raw = job.raw.as_ref().map(|r| r.replace(IMAGE, "lmsysorg/sglang:old"));
                }),
                Case::new("only joined", NeedsHuman, "Of 6 of 6 evals no job names the image", |w| w.run_mut().jobs.clear()),
                Case::new("no evals", NotApplicable, "no evals", |w| w.run_mut().evals.clear()),
            ],
        );
    }
}
