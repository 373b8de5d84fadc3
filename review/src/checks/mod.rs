//! The verifier's checks 0 to 18 as pure functions over gathered facts, and what no check asks but a reviewer wants to know.
//!
//! Each check says its rule, where the rule stands, what it looked at, and `pass`, `warn`, `fail`, `not_applicable` or
//! `needs_human` with exactly what a person must look at. Nothing passes because it could not be looked at; facts that someone
//! states instead of an artifact count as stated, and are named so.

mod affected;
mod append_only;
mod assessed;
mod cells;
mod chat_template;
mod claims;
mod code_owners;
mod context;
mod deprecated;
mod description;
mod diff;
mod draft;
mod draft_precision;
mod engine;
mod evals;
mod extras;
mod find;
#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod fixture;
mod golden_al;
mod hacks;
mod image;
mod jobs;
mod matrix;
mod metrics_publication;
mod nvidia_overview;
mod owners;
mod pareto;
mod patches;
mod places;
mod reuse_command;
mod scan;
mod signoff;
mod sweep;
mod template;
mod text;
mod upstream_recipe;

use self::context::Context;
use crate::check::Check;
use crate::gathered::Gathered;

/// Every check, by number.
const ALL: [fn(&Context<'_, '_>) -> Check; 25] = [
    code_owners::check,
    sweep::check,
    evals::check,
    upstream_recipe::check,
    reuse_command::check,
    template::check,
    image::check,
    deprecated::check,
    hacks::check,
    chat_template::check,
    patches::check,
    golden_al::check,
    append_only::check,
    draft_precision::check,
    pareto::check,
    description::check,
    nvidia_overview::check,
    metrics_publication::check,
    matrix::check,
    extras::hung::check,
    extras::incomplete::check,
    extras::curve_images::check,
    extras::eval_images::check,
    extras::outliers::check,
    extras::request_gates::check,
];

/// All checks of a pull request: 0 to 18, each once and in order, then the others from 100 on.
#[must_use]
pub fn checks(g: &Gathered<'_>) -> Vec<Check> {
    let x = Context::new(g);
    ALL.iter().map(|check| check(&x)).collect()
}

#[cfg(test)]
mod tests {
    use super::fixture::reference;
    use super::*;
    use crate::check::CheckStatus;

    #[test]
    fn each_number_once_and_in_order() {
        let world = reference();
        let ids: Vec<u16> = checks(&world.gathered()).iter().map(|c| c.id).collect();
        assert_eq!(ids, (0..=18).chain(100..=105).collect::<Vec<_>>());
    }

    /// The reference story: what the issue expects of the sample, and nothing undecided without saying what to look at.
    #[test]
    fn the_reference_story() {
        let world = reference();
        for check in checks(&world.gathered()) {
            let asks = matches!(check.status, CheckStatus::NeedsHuman | CheckStatus::Warn);
            assert_eq!(asks, !check.look.is_empty(), "{}: {}", check.name, check.detail);
            assert!(!check.rule.is_empty() && !check.source.is_empty() && !check.detail.is_empty(), "{}", check.name);
        }
    }

    /// A pull request of which nothing at all is known passes nothing.
    #[test]
    fn nothing_known_passes_nothing() {
        let mut world = reference();
        world.pull = paretoscope_domain::pull::Pull { number: 4603, ..Default::default() };
        world.runs.clear();
        (world.head, world.base, world.main) = (None, None, None);
        world.cookbook.clear();
        for check in checks(&world.gathered()) {
            assert_eq!(check.status, CheckStatus::NeedsHuman, "{}: {}", check.name, check.detail);
        }
    }
}
