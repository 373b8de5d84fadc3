//! KV offload and the software around a point: three generations of fields for one thing.

use paretoscope_domain::point::{Offload, Versioned};
use serde_json::Value;

use crate::fields::{Fields, wrong};
use crate::refusal::Refusal;

/// Offload and backend of a row. A fixed sequence has no such setting; an agentic row that leaves it out does not say, which is not
/// "none".
pub(crate) fn offload(f: Fields<'_>, agentic: bool) -> Result<(Offload, Option<Versioned>), Refusal> {
    let stated = versioned(f, "kv_offload_backend")?;
    // Newest first: `kv_offloading` says where to, `offloading` by what, `offload_mode` only that.
    if let Some(to) = setting(f, "kv_offloading")? {
        let offload = match to.as_str() {
            "none" | "off" | "false" => Offload::None,
            "dram" | "cpu" => Offload::Dram,
            _ => Offload::Unknown,
        };
        return Ok((offload, stated));
    }
    if let Some(by) = setting(f, "offloading")? {
        return Ok(match by.as_str() {
            "none" | "off" | "false" => (Offload::None, stated),
            "dram" | "cpu" => (Offload::Dram, stated),
            "on" | "true" => (with_backend(&stated), stated),
            _ => (Offload::Dram, stated.or(Some(Versioned { name: by, version: None }))),
        });
    }
    if let Some(mode) = setting(f, "offload_mode")? {
        return Ok(match mode.as_str() {
            "none" | "off" | "false" => (Offload::None, stated),
            "dram" => (Offload::Dram, stated),
            _ => (with_backend(&stated), stated),
        });
    }
    Ok((if stated.is_some() || agentic { Offload::Unknown } else { Offload::None }, stated))
}

/// Offloading is on: with a backend it goes to the host's memory, without one nobody knows where to.
fn with_backend(stated: &Option<Versioned>) -> Offload {
    if stated.is_some() { Offload::Dram } else { Offload::Unknown }
}

fn setting(f: Fields<'_>, key: &str) -> Result<Option<String>, Refusal> {
    match f.value(key) {
        Some(Value::Bool(on)) => Ok(Some(on.to_string())),
        _ => Ok(f.text(key)?.map(str::to_lowercase)),
    }
}

/// A name with a version: a text, `{name, version}`, or nothing.
pub(crate) fn versioned(f: Fields<'_>, key: &str) -> Result<Option<Versioned>, Refusal> {
    let named = |name: &str| Some(name.trim()).filter(|n| !n.is_empty() && !n.eq_ignore_ascii_case("none")).map(str::to_owned);
    match f.value(key) {
        None => Ok(None),
        Some(Value::String(name)) => Ok(named(name).map(|name| Versioned { name, version: None })),
        Some(object @ Value::Object(_)) => {
            let inner = Fields::of(object)?;
            Ok(inner.text("name")?.and_then(named).map(|name| Versioned { name, version: inner.shown("version") }))
        }
        Some(other) => Err(wrong(key, "a name or {name, version}", other)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_generation() {
        let backend = |name: &str, version: Option<&str>| Some(Versioned { name: name.into(), version: version.map(str::to_owned) });
        for (row, expected) in [
            (json!({}), (Offload::None, None)),
            (json!({"offload_mode": "on"}), (Offload::Unknown, None)),
            (json!({"offload_mode": "off"}), (Offload::None, None)),
            (json!({"offload_mode": "on", "kv_offload_backend": "native"}), (Offload::Dram, backend("native", None))),
            (json!({"offloading": "none"}), (Offload::None, None)),
            (json!({"offloading": "lmcache"}), (Offload::Dram, backend("lmcache", None))),
            (json!({"offloading": "hicache"}), (Offload::Dram, backend("hicache", None))),
            (json!({"kv_offloading": "none", "kv_offload_backend": ""}), (Offload::None, None)),
            (json!({"kv_offloading": "none", "kv_offload_backend": null}), (Offload::None, None)),
            (json!({"kv_offloading": "dram", "kv_offload_backend": "lmcache"}), (Offload::Dram, backend("lmcache", None))),
            (
                json!({"kv_offloading": "dram", "kv_offload_backend": {"name": "mooncake", "version": "0.3.7"}}),
                (Offload::Dram, backend("mooncake", Some("0.3.7"))),
            ),
            (json!({"kv_offloading": "dram", "kv_offload_backend": {"name": "hicache"}}), (Offload::Dram, backend("hicache", None))),
            (json!({"kv_offloading": "nvme"}), (Offload::Unknown, None)),
        ] {
            assert_eq!(offload(Fields::of(&row).unwrap(), false), Ok(expected), "{row}");
        }
        assert!(offload(Fields::of(&json!({"kv_offload_backend": 3})).unwrap(), true).is_err());
        assert_eq!(offload(Fields::of(&json!({})).unwrap(), true), Ok((Offload::Unknown, None)), "an agentic row that does not say");
    }
}
