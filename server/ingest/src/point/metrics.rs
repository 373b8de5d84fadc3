//! Every number of a row, under its stored name.
//!
//! Known names are those of `domain::metric`; any other number is kept under its own name (with dots where it is nested), so
//! that nothing measured is lost. Nulls and texts are no metrics.

use paretoscope_domain::metric::{Metric, Unit, canonical};
use paretoscope_domain::point::Metrics;
use serde_json::Value;

use super::nested::stored_name;
use crate::fields::{Fields, says_nothing, wrong};
use crate::refusal::{Refusal, code};

/// Top-level fields that say what was measured and how, not what came out.
const NO_METRICS: [&str; 36] = [
    "result_schema_version",
    "is_multinode",
    "disagg",
    "conc",
    "users",
    "isl",
    "osl",
    "num_gpus",
    "tp",
    "pp",
    "ep",
    "dcp",
    "dcp_size",
    "pcp",
    "pcp_size",
    "dp_attention",
    "prefill_tp",
    "prefill_pp",
    "prefill_ep",
    "prefill_dcp_size",
    "prefill_pcp_size",
    "prefill_dp_attention",
    "prefill_num_workers",
    "decode_tp",
    "decode_pp",
    "decode_ep",
    "decode_dcp_size",
    "decode_pcp_size",
    "decode_dp_attention",
    "decode_num_workers",
    "num_prefill_gpu",
    "num_decode_gpu",
    "num_aggregate_gpu",
    "router",
    "kv_offload_backend",
    "benchmark_outcome",
];

/// Reads the metrics of a row.
pub(crate) fn metrics(f: Fields<'_>) -> Result<Metrics, Refusal> {
    let mut found = Metrics::new();
    // The top level first: where a value stands twice, that one counts.
    let (nested, flat): (Vec<_>, Vec<_>) = f.map().iter().partition(|(_, value)| value.is_object());
    for (key, value) in flat.into_iter().chain(nested) {
        if !NO_METRICS.contains(&key.as_str()) {
            collect(&mut vec![key], value, &mut found)?;
        }
    }
    Ok(found)
}

fn collect<'a>(path: &mut Vec<&'a str>, value: &'a Value, found: &mut Metrics) -> Result<(), Refusal> {
    if let Value::Object(map) = value {
        for (key, inner) in map {
            path.push(key);
            collect(path, inner, found)?;
            path.pop();
        }
        return Ok(());
    }
    let (name, scale) = match path.as_slice() {
        [key] => flat_name(key),
        nested => (stored_name(nested).map_or_else(|| nested.join("."), |name| canonical(&name)), None),
    };
    let Some(number) = number(&path.join("."), &name, value)? else { return Ok(()) };
    let number = scale.map_or(number, |divisor| number / divisor);
    if number < 0.0 && Metric::parse(&name).is_ok() {
        return Err(Refusal::new(code::NEGATIVE, format!("{} is {number}", path.join("."))));
    }
    found.entry(name).or_insert(number);
    Ok(())
}

/// Stored name of a top-level key, and what to divide by.
fn flat_name(key: &str) -> (String, Option<f64>) {
    let name = canonical(key);
    if let Some(seconds) = name.strip_suffix("_ms")
        && Metric::parse(seconds).is_ok_and(|m| m.unit == Unit::Seconds)
    {
        return (seconds.to_owned(), Some(1000.0));
    }
    // The oldest rows call the end-to-end latency "time to last token".
    match name.strip_suffix("_ttlt") {
        Some(statistic) => (format!("{statistic}_e2el"), None),
        None => (name, None),
    }
}

fn number(path: &str, name: &str, value: &Value) -> Result<Option<f64>, Refusal> {
    match value {
        Value::Number(n) => match n.as_f64().filter(|f| f.is_finite()) {
            Some(f) => Ok(Some(f)),
            None => Err(Refusal::new(code::NOT_A_NUMBER, format!("{path} is {n}"))),
        },
        Value::Bool(valid) if name == "power_valid" || name == "cpu_power_valid" => Ok(Some(f64::from(u8::from(*valid)))),
        Value::String(text) if !says_nothing(text) && Metric::parse(name).is_ok() => {
            let nan = text.trim().trim_start_matches(['+', '-']).to_ascii_lowercase();
            if matches!(nan.as_str(), "nan" | "inf" | "infinity") {
                return Err(Refusal::new(code::NOT_A_NUMBER, format!("{path} is {text:?}")));
            }
            Err(wrong(path, "a number", value))
        }
        _ => Ok(None),
    }
}
