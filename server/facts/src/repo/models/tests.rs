//! MODELS.md in our own words, in the forms that it was seen in.

use jiff::civil::date;
use paretoscope_domain::repo::Deprecation;
use paretoscope_domain::vocabulary::Vocabulary;
use proptest::prelude::*;

use super::super::notes::reason;
use super::super::places::Source;
use super::*;

fn read_text(text: &str) -> (Models, Vec<(Option<u64>, String, bool)>) {
    let mut refused = Vec::new();
    let models = read(&Source { path: "MODELS.md".to_owned(), text: text.to_owned() }, &Vocabulary::shipped().unwrap(), &mut refused);
    (models, refused.into_iter().map(|r| (r.line, r.reason, r.kept)).collect())
}

/// Scenario, precision, arm, last day, carried out.
type Short<'a> = (Option<&'a str>, Option<&'a str>, Option<bool>, Option<jiff::civil::Date>, bool);

fn short(d: &Deprecation) -> Short<'_> {
    (d.scenario.as_deref(), d.precision.as_deref(), d.spec_decoding, d.valid_to, d.enacted)
}

fn deprecated<'a>(models: &'a Models, prefix: &str) -> Vec<Short<'a>> {
    models.models.iter().filter(|m| m.prefix == prefix).flat_map(|m| m.deprecated.iter().map(short)).collect()
}

const TABLE: &str = "| Model | Prefix | Date added | Active scenarios | Deprecated scenarios |\n|---|---|---|---|---|\n";

#[test]
fn the_table_of_models() {
    let text = format!(
        "# Models\n\n{TABLE}\
| Alpha-1 | `alpha1` | 2026-03-01 ([#1](x)) | Single-turn 8k1k and Agentic coding, both limited to fp8/fp4 | Single-turn 1k1k, all bf16 recipes (removed 2026-08-04, [#2](x)) |\n\
| Beta-5 / Beta-5.1 | `beta5`, `beta5.1` | 2026-03-06, with Beta-5.1 added 2026-04-21 | None (fully retired 2026-07-18, [#3](x)) | Single-turn 1k1k, Single-turn 1k8k (Beta-5 only) |\n\
| Gamma | `gamma` | TBD | Agentic coding (a: b, c; d) | |\n\
| Delta | `delta` | 2026-01-01 | Agentic coding | Agentic coding non-MTP arm (deprecated from day 0), something odd |\n"
    );
    let (models, refused) = read_text(&text);
    let names: Vec<(&str, &str, Option<jiff::civil::Date>)> =
        models.models.iter().map(|m| (m.prefix.as_str(), m.name.as_str(), m.added)).collect();
    assert_eq!(
        names,
        [
            ("alpha1", "Alpha-1", Some(date(2026, 3, 1))),
            ("beta5", "Beta-5", Some(date(2026, 3, 6))),
            ("beta5.1", "Beta-5.1", Some(date(2026, 4, 21))),
            ("gamma", "Gamma", None),
            ("delta", "Delta", Some(date(2026, 1, 1))),
        ]
    );
    let active: Vec<&[String]> = models.models.iter().map(|m| m.active.as_slice()).collect();
    assert_eq!(
        active,
        [
            &["Single-turn 8k1k".to_owned(), "Agentic coding, both limited to fp8/fp4".to_owned()][..],
            &[],
            &[],
            &["Agentic coding (a: b, c; d)".to_owned()],
            &["Agentic coding".to_owned()]
        ]
    );
    let retired: Short<'_> = (None, None, None, Some(date(2026, 7, 17)), true);
    for (prefix, expected) in [
        ("alpha1", vec![(Some("1k1k"), None, None, None, true), (None, Some("bf16"), None, Some(date(2026, 8, 3)), true)]),
        ("beta5", vec![retired, (Some("1k1k"), None, None, None, true), (Some("1k8k"), None, None, None, true)]),
        ("beta5.1", vec![retired, (Some("1k1k"), None, None, None, true)]),
        ("gamma", vec![]),
        ("delta", vec![(Some("agentic-traces"), None, Some(false), None, true)]),
    ] {
        assert_eq!(deprecated(&models, prefix), expected, "{prefix}");
    }
    assert_eq!(refused, [(Some(8), reason::NOT_UNDERSTOOD.to_owned(), false)]);
}

#[test]
fn the_table_of_scenarios() {
    let (models, refused) = read_text(&format!(
        "## Scenarios\n\n| Scenario | ISL/OSL | Status |\n|---|---|---|\n\
| Agentic coding | long | Active. Used to be deprecated. |\n\
| Single-turn 1k1k | 1024 / 1024 | **Deprecated for all models** since 2026-07-17 ([#9](x)), to save time. |\n\
| Single-turn 1k8k | 1024 / 8192 | Deprecated for all models |\n\
| Other | | Deprecated since 2026-01-01 |\n\
| Single-turn 8k1k | | Paused |\n\n{TABLE}| A | `a` | | Agentic coding | |\n"
    ));
    let found: Vec<_> = models.scenarios.iter().map(short).collect();
    assert_eq!(found, [(Some("1k1k"), None, None, Some(date(2026, 7, 16)), true), (Some("1k8k"), None, None, None, true)]);
    assert_eq!(refused, [(Some(8), reason::NOT_UNDERSTOOD.to_owned(), false), (Some(9), reason::NOT_UNDERSTOOD.to_owned(), false)]);
}

#[test]
fn announcements() {
    let text = format!(
        "### Monday, August 3, 2026\n\n\
**Monday, August 3, 2026** is the last day for what is listed below.\n\n\
**Partially enacted on 2026-08-04** in #1: the first table.\n\n\
| Model | Deprecated | Remains |\n|---|---|---|\n\
| Alpha (`alpha`) | Single-turn 8k1k | Agentic coding |\n\
| Beta (`beta`) | All **bf16** recipes, in every scenario, on NVIDIA and AMD | the rest |\n\
| Gone (`gone`) | Agentic coding | |\n\
| Beta (`beta`) | Some recipes | |\n\n\
| Model | Deprecated arm | Published arm |\n|---|---|---|\n\
| Alpha (`alpha`) | Agentic coding, non-MTP | Agentic coding, MTP |\n\
| Beta (`beta`) | Agentic coding, non-DSpark (deprecated from day 0) | Agentic coding, DSpark |\n\n\
**Status: not yet enacted.** It comes later.\n\n\
### Thursday, August 6, 2026\n\n\
**Thursday, August 6, 2026** is the last day for the **Single-turn 8k1k** scenario on **Beta 1.6T** (`beta`). More in `docs`.\n\n\
**Enacted on 2026-08-07** in #2: done.\n\n\
### Friday, January 1, 2027\n\n\
| Model | Deprecated |\n|---|---|\n\
| Alpha (`alpha`) | Single-turn 1k1k |\n\n\
## Models\n\n{TABLE}\
| Alpha | `alpha` | 2026-03-01 | Agentic coding | Single-turn 8k1k (removed 2026-08-04), Agentic coding non-MTP arm |\n\
| Beta | `beta` | 2026-03-01 | Agentic coding | Single-turn 8k1k (removed 2026-08-09) |\n"
    );
    let (models, refused) = read_text(&text);
    assert_eq!(
        deprecated(&models, "alpha"),
        [
            (Some("8k1k"), None, None, Some(date(2026, 8, 3)), true),
            (Some("agentic-traces"), None, Some(false), Some(date(2026, 8, 3)), false),
            // No sentence gives its day, and nothing says that it was carried out.
            (Some("1k1k"), None, None, None, false),
        ]
    );
    assert_eq!(
        deprecated(&models, "beta"),
        [
            (Some("8k1k"), None, None, Some(date(2026, 8, 6)), true),
            (None, Some("bf16"), None, Some(date(2026, 8, 3)), true),
            (Some("agentic-traces"), None, Some(false), None, false),
        ]
    );
    let reasons: Vec<(&str, bool)> = refused.iter().map(|(_, reason, kept)| (reason.as_str(), *kept)).collect();
    assert_eq!(
        reasons,
        [(reason::NOT_UNDERSTOOD, false), (reason::NOT_UNDERSTOOD, true), (reason::NO_SUCH_MODEL, false), (reason::DAYS_DIFFER, true)]
    );
}

#[test]
fn a_text_without_tables() {
    assert_eq!(read_text("# Nothing\n").1, [(None, reason::MISSING.to_owned(), true)]);
}

proptest! {
    #[test]
    fn never_panics(text in "(### (Monday, )?August [0-9]{1,2}, 2026\n\n|\\| Model \\| (Prefix|Deprecated) \\|\n\\|---\\|---\\|\n|\\| [a-z`(), 0-9-]{0,12} \\| [A-Za-z`(),é 0-9-]{0,16} \\|\n|.{0,20}\n){0,10}") {
        let _ = read_text(&text);
    }
}
