//! How a row's GPUs were laid out, and how many there were.

use paretoscope_domain::point::{Parallel, Role, Topology};
use paretoscope_domain::vocabulary::Entry;
use serde_json::Value;

use crate::fields::{Fields, flag_of, wrong};
use crate::refusal::{Refusal, code};

/// Layout of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) topology: Topology,
    pub(crate) disagg: bool,
    pub(crate) multinode: bool,
    pub(crate) gpus: Option<u32>,
    /// What the reader should know about it.
    pub(crate) note: Option<String>,
}

/// Reads the layout of a benchmark row or an eval row.
pub(crate) fn layout(f: Fields<'_>, framework: &Entry) -> Result<Layout, Refusal> {
    let dp = dp_attention(f)?;
    let whole = Parallel {
        tp: f.size("tp")?,
        pp: f.size("pp")?,
        ep: f.size("ep")?,
        dcp: either(f, "dcp_size", "dcp")?,
        pcp: either(f, "pcp_size", "pcp")?,
        dp_attention: dp.whole,
    };
    let prefill = role(f, ["prefill_tp", "prefill_pp", "prefill_ep", "prefill_dcp_size", "prefill_pcp_size"], PREFILL, dp.prefill)?;
    let decode = role(f, ["decode_tp", "decode_pp", "decode_ep", "decode_dcp_size", "decode_pcp_size"], DECODE, dp.decode)?;
    let multinode = f.flag("is_multinode")?.unwrap_or(false);
    // Aggregated rows of one node may mirror their engine into both halves; there a decode worker says nothing.
    let decodes_apart = decode.workers.is_some_and(|n| n > 0) && (multinode || whole.tp.is_none());
    let disagg = framework.disagg || framework.key.starts_with("mori-") || f.flag("disagg")?.unwrap_or(false) || decodes_apart;
    let stated = f.size("num_gpus")?;

    if disagg && (prefill.tp.is_some() || decode.tp.is_some()) {
        let gpus = stated.or_else(|| prefill.gpus.zip(decode.gpus).and_then(|(p, d)| p.checked_add(d)).filter(|n| *n > 0));
        return Ok(Layout { topology: Topology::Disaggregated { prefill, decode }, disagg, multinode, gpus, note: None });
    }
    let half = [prefill, decode].into_iter().find(|r| r.tp.is_some() && r.workers != Some(0)).filter(|_| multinode && !disagg);
    let (parallel, gpus, note) = match half {
        Some(half) => {
            let engine = Parallel { dp_attention: half.dp_attention.or(whole.dp_attention), ..half.parallel() };
            let several = half.workers.filter(|n| *n > 1);
            let counted = f.size("num_aggregate_gpu")?.or(half.gpus.filter(|n| *n > 0));
            let gpus = stated.or(counted).or_else(|| engine.gpus().filter(|_| several.is_none()));
            (engine, gpus, several.map(|n| format!("{n} engines of this topology side by side.")))
        }
        None if disagg => {
            let gpus = stated.or_else(|| prefill.gpus.zip(decode.gpus).and_then(|(p, d)| p.checked_add(d)).filter(|n| *n > 0));
            (whole, gpus, Some("Disaggregated, but the row does not state its prefill and decode sides.".to_owned()))
        }
        None => (whole, stated.or_else(|| whole.gpus()), None),
    };
    if parallel.tp.is_none() {
        let names = if disagg || multinode { "prefill_tp, decode_tp, tp" } else { "tp" };
        return Err(Refusal::new(code::MISSING_IDENTITY, format!("empty or absent: {names}")));
    }
    Ok(Layout { topology: Topology::Aggregated(parallel), disagg, multinode, gpus, note })
}

const PREFILL: [&str; 3] = ["prefill_num_workers", "num_prefill_gpu", "prefill_dp_attention"];
const DECODE: [&str; 3] = ["decode_num_workers", "num_decode_gpu", "decode_dp_attention"];

fn role(
    f: Fields<'_>,
    [tp, pp, ep, dcp, pcp]: [&str; 5],
    [workers, gpus, dp]: [&str; 3],
    told_apart: Option<bool>,
) -> Result<Role, Refusal> {
    Ok(Role {
        tp: f.size(tp)?,
        pp: f.size(pp)?,
        ep: f.size(ep)?,
        dcp: f.size(dcp)?,
        pcp: f.size(pcp)?,
        dp_attention: f.flag(dp)?.or(told_apart),
        workers: f.count(workers)?,
        gpus: f.count(gpus)?,
    })
}

fn either(f: Fields<'_>, key: &str, other: &str) -> Result<Option<u32>, Refusal> {
    Ok(f.size(key)?.or(f.size(other)?))
}

/// DP attention of the whole, or of each side (`prefill=true,decode=false`, as collected eval rows have it).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct DpAttention {
    whole: Option<bool>,
    prefill: Option<bool>,
    decode: Option<bool>,
}

fn dp_attention(f: Fields<'_>) -> Result<DpAttention, Refusal> {
    let key = "dp_attention";
    match f.value(key) {
        Some(value @ Value::String(text)) if text.contains('=') => {
            let mut dp = DpAttention::default();
            for part in text.split(',') {
                let bad = || wrong(key, "true, false, or prefill=…,decode=…", value);
                let (side, flag) = part.split_once('=').ok_or_else(bad)?;
                let flag = flag_of(flag).map_err(|()| bad())?;
                match side.trim() {
                    "prefill" => dp.prefill = flag,
                    "decode" => dp.decode = flag,
                    _ => return Err(bad()),
                }
            }
            Ok(dp)
        }
        _ => Ok(DpAttention { whole: f.flag(key)?, ..DpAttention::default() }),
    }
}

#[cfg(test)]
mod tests {
    use paretoscope_domain::vocabulary::Vocabulary;
    use serde_json::json;

    use super::*;

    fn read(framework: &str, row: Value) -> Result<Layout, Refusal> {
        let words = Vocabulary::shipped().unwrap();
        layout(Fields::of(&row).unwrap(), words.framework(framework).unwrap())
    }

    #[test]
    fn gpu_counts() {
        for (framework, row, disagg, gpus) in [
            ("sglang", json!({"tp": 8, "ep": 8}), false, Some(8)),
            ("vllm", json!({"tp": 4, "ep": 4, "pp": 2, "pcp_size": 2, "dcp_size": 4}), false, Some(16)),
            ("sglang", json!({"tp": 2, "ep": 2, "num_gpus": 2}), false, Some(2)),
            ("sglang", json!({"tp": 8, "num_gpus": 16}), false, Some(16)),
            (
                "dynamo-trt",
                json!({"disagg": true, "is_multinode": true, "prefill_tp": 4, "prefill_ep": 4, "prefill_num_workers": 5,
                       "decode_tp": 16, "decode_num_workers": 1, "num_prefill_gpu": 8, "num_decode_gpu": 48}),
                true,
                Some(56),
            ),
            (
                "dynamo-trt",
                json!({"disagg": true, "is_multinode": true, "prefill_tp": 4, "prefill_num_workers": 5, "decode_tp": 16,
                       "decode_num_workers": 1, "num_prefill_gpu": 8}),
                true,
                None,
            ),
            // Decode workers force it, whatever the flag says.
            (
                "dynamo-sglang",
                json!({"disagg": false, "is_multinode": true, "prefill_tp": 4, "prefill_num_workers": 1, "decode_tp": 8,
                       "decode_num_workers": 1, "num_prefill_gpu": 4, "num_decode_gpu": 8}),
                true,
                Some(12),
            ),
            // The name says it.
            (
                "sglang-disagg",
                json!({"is_multinode": true, "prefill_tp": 8, "decode_tp": 8, "num_prefill_gpu": 8, "num_decode_gpu": 8}),
                true,
                Some(16),
            ),
            // Several nodes, one engine.
            (
                "dynamo-vllm",
                json!({"disagg": false, "is_multinode": true, "prefill_tp": 16, "prefill_ep": 16, "prefill_num_workers": 1,
                       "decode_tp": 0, "decode_ep": 0, "decode_num_workers": 0, "num_prefill_gpu": 16, "num_decode_gpu": 0}),
                false,
                Some(16),
            ),
            (
                "dynamo-vllm",
                json!({"disagg": false, "is_multinode": true, "prefill_tp": 8, "prefill_num_workers": 2, "decode_num_workers": 0}),
                false,
                None,
            ),
            // Agentic rows of several nodes state the sum of both sides' TP as well.
            (
                "dynamo-vllm",
                json!({"disagg": true, "is_multinode": true, "tp": 12, "ep": 8, "num_gpus": 12, "prefill_tp": 4, "prefill_num_workers": 1,
                       "decode_tp": 8, "decode_num_workers": 1, "num_prefill_gpu": 4, "num_decode_gpu": 8}),
                true,
                Some(12),
            ),
            // A mirrored eval row.
            (
                "sglang",
                json!({"is_multinode": false, "tp": 4, "ep": 1, "prefill_tp": 4, "prefill_num_workers": 1, "decode_tp": 4, "decode_num_workers": 1}),
                false,
                Some(4),
            ),
        ] {
            let layout = read(framework, row.clone()).unwrap();
            assert_eq!((layout.disagg, layout.gpus), (disagg, gpus), "{row}");
            assert_eq!(matches!(layout.topology, Topology::Disaggregated { .. }), disagg, "{row}");
        }
    }

    #[test]
    fn the_populated_half_is_the_engine() {
        let layout = read(
            "dynamo-vllm",
            json!({"is_multinode": true, "prefill_tp": 0, "prefill_num_workers": 0, "decode_tp": 0, "decode_num_workers": 0, "tp": 8}),
        )
        .unwrap();
        assert_eq!(layout.topology, Topology::Aggregated(Parallel { tp: Some(8), ..Parallel::default() }));
        let layout = read(
            "dynamo-vllm",
            json!({"is_multinode": true, "prefill_tp": 16, "prefill_ep": 8, "prefill_dp_attention": "true", "prefill_num_workers": 1,
                   "decode_tp": 0, "decode_num_workers": 0}),
        )
        .unwrap();
        let engine = Parallel { tp: Some(16), ep: Some(8), dp_attention: Some(true), ..Parallel::default() };
        assert_eq!((layout.topology, layout.gpus, layout.multinode), (Topology::Aggregated(engine), Some(16), true));
    }

    #[test]
    fn dp_attention_of_each_side() {
        let layout = read(
            "dynamo-trt",
            json!({"is_multinode": true, "disagg": true, "dp_attention": "prefill=false,decode=true", "prefill_tp": 4, "decode_tp": 8}),
        )
        .unwrap();
        let Topology::Disaggregated { prefill, decode } = layout.topology else { panic!("disaggregated") };
        assert_eq!((prefill.dp_attention, decode.dp_attention), (Some(false), Some(true)));
        assert_eq!(read("vllm", json!({"tp": 8, "dp_attention": "maybe"})).unwrap_err().reason, code::WRONG_TYPE);
    }

    #[test]
    fn without_tp_there_is_no_topology() {
        for row in [json!({}), json!({"tp": 0}), json!({"tp": null}), json!({"disagg": true, "is_multinode": true})] {
            assert_eq!(read("vllm", row.clone()).unwrap_err().reason, code::MISSING_IDENTITY, "{row}");
        }
        assert_eq!(read("vllm", json!({"tp": "8"})).unwrap_err().reason, code::WRONG_TYPE);
        assert_eq!(read("vllm", json!({"tp": -8})).unwrap_err().reason, code::NEGATIVE);
    }
}
