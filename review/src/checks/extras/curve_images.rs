//! Points of one curve on different images.

use std::collections::BTreeMap;

use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::point::Point;

use crate::check::{Check, Input};
use crate::checks::affected::image_in_words;
use crate::checks::context::Context;
use crate::checks::draft::Rule;
use crate::checks::text::{count, list, run_page, some};

static RULE: Rule = Rule {
    id: 102,
    name: "Images within a curve",
    rule: "All points of a curve ran on one image, told by its digest where points state one.",
    source: "same image across a curve and its evals",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let Some(run) = x.assessed.settle(&mut draft) else { return draft.done() };
    let mut curves: BTreeMap<CurveKey, Vec<&Point>> = BTreeMap::new();
    for p in run.points.iter().filter(|p| p.counts()) {
        curves.entry(CurveKey::of(p)).or_default().push(p);
    }
    if curves.is_empty() {
        return draft.not_applicable("The run has no point that counts.");
    }
    for (key, points) in &curves {
        let title = key.title(x.g.words);
        let mut images: BTreeMap<(&str, Option<&str>), Vec<&str>> = BTreeMap::new();
        let mut unknown: Vec<&str> = Vec::new();
        for p in points {
            match p.image.as_deref() {
                Some(image) => images.entry((image, p.image_digest.as_deref())).or_default().push(&p.label),
                None => unknown.push(&p.label),
            }
        }
        for ((image, digest), labels) in &images {
            draft.input(Input::new(image_in_words(image, *digest), format!("{title}: {}", list(labels))).at(run_page(run.run.run_id)));
        }
        if !unknown.is_empty() {
            draft.ask(format!("{title}: the image of {} is not known.", some(&unknown, 8)), "The server logs of these points: the image.");
        }
        match images.len() {
            0 => {}
            1 if unknown.is_empty() => draft.pass(format!("{title}: one image.")),
            1 => {}
            n => {
                let parts: Vec<String> =
                    images.iter().map(|((i, d), labels)| format!("{} ({})", image_in_words(i, *d), some(labels, 4))).collect();
                draft.fail(format!("{title}: {}: {}.", count(n, "image"), list(&parts)));
            }
        }
    }
    draft.done()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, run_cases};

    #[test]
    fn curve_images() {
        run_cases(
            102,
            &[
                Case::new("the reference", Pass, "one image", |_| {}),
                Case::new("two images", Fail, "2 images", |w| w.run_mut().points[3].image = Some("lmsysorg/sglang:old".into())),
                Case::new("two digests of a tag", Fail, "2 images", |w| w.run_mut().points[3].image_digest = Some("sha256:00".into())),
                Case::new("one does not tell", NeedsHuman, "image of TP4 c1 is not known", |w| w.run_mut().points[0].image = None),
                Case::new("no points", NotApplicable, "no point that counts", |w| w.run_mut().points.clear()),
            ],
        );
    }
}
