//! Stated facts: what someone says about a run's execution where its logs are not at hand, in a file of our own.
//!
//! ```json
//! {
//!   "stated_facts": 1,
//!   "repo": "SemiAnalysisAI/InferenceX",
//!   "pull": 4603,
//!   "by": "code owner (sign-off)",
//!   "url": "https://github.com/SemiAnalysisAI/InferenceX/pull/4603#issuecomment-1",
//!   "at": "2026-11-03T09:00:00Z",
//!   "facts": [
//!     {"run_id": 41261902147, "attempt": null, "point": "TP4 c1", "eval": false, "kind": "env",
//!      "key": "SGLANG_SIMULATE_ACC_LEN", "value": "3.51", "count": null}
//!   ]
//! }
//! ```
//!
//! `stated_facts` is the version, 1. `by` says who, by role; `repo`, `pull`, `url` and `at` may be left out. Of a fact, `run_id`,
//! `kind`, `key` and `value` must be there. `kind` is one of `env`, `argument`, `golden_al`, `measured_al`, `build_commit`,
//! `build_url`, `ancestry`, `patch`, `note`; what key and value hold for each is told at
//! [`FactKind`](paretoscope_domain::fact::FactKind). A fact that can't be used is refused, and its neighbours land.

use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::repo::Refused;
use paretoscope_domain::{Attempt, RunId};
use serde_json::Value;

use super::fields::Fields;
use super::source::refusal;

const VERSION: i64 = 1;

/// Reads the facts of a file.
pub(super) fn facts(f: Fields<'_>, file: &str, into: &mut Vec<(String, RunFact)>, refused: &mut Vec<Refused>) {
    if f.int(&["stated_facts"]) != Some(VERSION) {
        return refused.push(refusal(file, "stated_facts", "bad_version", format!("this program reads version {VERSION} of stated facts")));
    }
    let Some(by) = f.text(&["by"]) else {
        return refused.push(refusal(file, "by", "missing_field", "it does not say who states the facts: a fact stands on who says it"));
    };
    let Some(facts) = f.list(&["facts"]) else {
        return refused.push(refusal(file, "facts", "missing_field", "it has no list of facts"));
    };
    let at = f.time(&["at"]);
    if at.is_none() && f.text(&["at"]).is_some() {
        return refused.push(refusal(file, "at", "not_a_time", "a time as 2026-11-03T09:00:00Z was expected"));
    }
    let origin = FactOrigin::Stated { by, url: f.text(&["url"]), at };
    for (number, value) in facts.iter().enumerate() {
        match fact(value, &origin) {
            Ok(fact) => into.push((file.to_owned(), fact)),
            Err(detail) => refused.push(refusal(file, format!("facts[{number}]"), "bad_fact", detail)),
        }
    }
}

fn fact(value: &Value, origin: &FactOrigin) -> Result<RunFact, String> {
    let f = Fields::of(value).ok_or("an object was expected")?;
    let run_id = match f.get("run_id") {
        Some(Value::Number(n)) => n.as_i64().and_then(RunId::new).ok_or_else(|| format!("run_id {n} is no run"))?,
        Some(Value::String(text)) => text.parse::<RunId>().map_err(|e| e.to_string())?,
        _ => return Err("it has no run_id".to_owned()),
    };
    let word = f.text(&["kind"]).ok_or("it has no kind")?;
    let kind: FactKind = serde_json::from_value(Value::String(word.clone())).map_err(|_| format!("{word:?} is no kind of fact"))?;
    let value = match f.get("value") {
        Some(Value::String(text)) => text.clone(),
        // As it is written: 3.51 stays 3.51.
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(flag)) => flag.to_string(),
        Some(_) => return Err("its value is no text".to_owned()),
        None => return Err("it has no value".to_owned()),
    };
    let whole = |key: &str| match f.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(|| format!("its {key} {value} is no count")),
    };
    let attempt = match whole("attempt")? {
        None => None,
        Some(n) => Some(u32::try_from(n).ok().and_then(Attempt::new).ok_or_else(|| format!("attempt {n}: an attempt is 1 or more"))?),
    };
    Ok(RunFact {
        run_id,
        attempt,
        point: f.text(&["point"]),
        eval: f.flag(&["eval"]).unwrap_or(false),
        kind,
        key: f.text(&["key"]).ok_or("it has no key")?,
        value,
        count: whole("count")?,
        origin: origin.clone(),
    })
}
