//! The points that a master configuration generates, in its order (formats-and-rules §2.2).
//!
//! What the generator fills in is filled in here too: `pp`, `dcp-size`, `pcp-size` and `ep` are 1, `dp-attn` is false, nothing is
//! offloaded and nothing speculated, unless the item says otherwise. `conc-start` to `conc-end` doubles and ends with `conc-end`
//! itself, also where doubling steps over it.

use std::collections::HashMap;

use paretoscope_domain::Scenario;
use paretoscope_domain::point::{Parallel, Role};
use paretoscope_domain::repo::MatrixPoint;
use serde_json::Value;

use super::configs::noted_keys;
use super::notes::{Notes, reason};
use super::yaml::{Map, Node};

/// What the points of one configuration share.
pub(crate) struct Head<'a> {
    pub(crate) key: &'a str,
    pub(crate) line: u64,
    pub(crate) map: &'a Map,
    /// Prefill and decode apart, by its flag or its framework's name.
    pub(crate) disagg: bool,
    pub(crate) recipe_dir: Option<&'a str>,
}

/// Expands the scenarios. An item that can't be used is noted and left out, the others stay.
pub(crate) fn points(head: &Head<'_>, notes: &mut Notes<'_>) -> Vec<MatrixPoint> {
    let Some(scenarios) = head.map.get("scenarios").and_then(Node::map) else {
        notes.refuse(head.line, head.key, reason::MISSING, "no scenarios: it generates nothing");
        return Vec::new();
    };
    let mut points = Vec::new();
    let mut items: HashMap<String, usize> = HashMap::new();
    for (kind, blocks) in &scenarios.entries {
        let Some(read) = Kind::named(&kind.text) else {
            notes.refuse(kind.line, head.key, reason::UNKNOWN_KEY, format!("{:?} is no kind of scenario", kind.text));
            continue;
        };
        for block in blocks.list().unwrap_or_default() {
            let (scenario, map) = match read.block(block) {
                Ok(found) => found,
                Err(Unusable { line, reason, detail }) => {
                    notes.refuse(line, head.key, reason, detail);
                    continue;
                }
            };
            noted_keys(map, read.keys(), head.key, notes);
            let next = items.entry(scenario.to_string()).or_default();
            for item in map.get("search-space").and_then(Node::list).unwrap_or_default() {
                match expanded(head, &kind.text, scenario, map, item, *next, notes) {
                    Ok(found) => points.extend(found),
                    Err(Unusable { line, reason, detail }) => {
                        let what = format!("{} {scenario} item {next}", head.key);
                        notes.refuse(line, what, reason, detail);
                    }
                }
                *next += 1;
            }
        }
    }
    if points.is_empty() {
        notes.odd(head.line, head.key, reason::MISSING, "it generates no point");
    }
    points
}

/// Why an item can't be used.
struct Unusable {
    line: u64,
    reason: &'static str,
    detail: String,
}

fn unusable<T>(line: u64, reason: &'static str, detail: impl Into<String>) -> Result<T, Unusable> {
    Err(Unusable { line, reason, detail: detail.into() })
}

#[derive(Clone, Copy)]
enum Kind {
    Fixed,
    Agentic,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        match name {
            "fixed-seq-len" => Some(Self::Fixed),
            "agentic-coding" => Some(Self::Agentic),
            _ => None,
        }
    }

    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Fixed => &["isl", "osl", "search-space", "require-power"],
            Self::Agentic => &["search-space", "dram-utilization"],
        }
    }

    fn block(self, block: &Node) -> Result<(Scenario, &Map), Unusable> {
        let Some(map) = block.map() else {
            return unusable(block.line, reason::WRONG_TYPE, format!("a scenario is a mapping, this is {}", block.kind()));
        };
        let length = |key: &str| match map.get(key).and_then(Node::whole).filter(|n| *n > 0) {
            Some(length) => Ok(length),
            None => unusable(block.line, reason::MISSING, format!("a fixed sequence needs {key}, tokens")),
        };
        let scenario = match self {
            Self::Agentic => Scenario::AgenticTraces,
            Self::Fixed => Scenario::Fixed { isl: length("isl")?, osl: length("osl")? },
        };
        Ok((scenario, map))
    }
}

const ITEM: [&str; 20] = [
    "tp",
    "pp",
    "dcp-size",
    "pcp-size",
    "ep",
    "dp-attn",
    "worker",
    "prefill",
    "decode",
    "num-nodes",
    "spec-decoding",
    "kv-offloading",
    "kv-offload-backend",
    "router",
    "kv-p2p-transfer",
    "conc-start",
    "conc-end",
    "conc-list",
    "srt-recipe",
    "eval-srt-recipe",
];
/// Keys of an item that no fact is made of, yet which belong to its recipe.
const ITEM_BESIDES: [&str; 2] = ["power", "require-power"];
const ROLE: [&str; 11] =
    ["num-worker", "tp", "pp", "dcp-size", "pcp-size", "ep", "dp-attn", "hardware", "additional-settings", "batch-size", "max-num-tokens"];

fn expanded(
    head: &Head<'_>,
    kind: &str,
    scenario: Scenario,
    block: &Map,
    item: &Node,
    number: usize,
    notes: &mut Notes<'_>,
) -> Result<Vec<MatrixPoint>, Unusable> {
    let Some(map) = item.map() else {
        return unusable(item.line, reason::WRONG_TYPE, format!("an item is a mapping, this is {}", item.kind()));
    };
    noted_keys(map, &[&ITEM[..], &ITEM_BESIDES[..]].concat(), head.key, notes);
    for role in ["worker", "prefill", "decode"] {
        if let Some(role) = map.get(role).and_then(Node::map) {
            noted_keys(role, &ROLE, head.key, notes);
        }
    }
    let layout = layout(head, map, item.line)?;
    let word = |key: &str, known: &[&str], notes: &mut Notes<'_>| {
        let word = map.get(key).and_then(Node::text).unwrap_or("none").to_owned();
        if !known.contains(&word.as_str()) {
            notes.odd(item.line, head.key, reason::UNKNOWN_WORD, format!("{key} {word:?} is none of {}", known.join(", ")));
        }
        word
    };
    let spec_decoding = word("spec-decoding", &["none", "mtp", "draft_model"], notes);
    let kv_offloading = word("kv-offloading", &["none", "dram"], notes);
    let backend = map.get("kv-offload-backend").and_then(|node| match node.map() {
        Some(backend) => backend.get("name").and_then(Node::text),
        None => node.text(),
    });
    let (isl, osl) = match scenario {
        Scenario::AgenticTraces => (None, None),
        Scenario::Fixed { isl, osl } => (Some(isl), Some(osl)),
    };
    let point = MatrixPoint {
        scenario: scenario.to_string(),
        isl,
        osl,
        item: number,
        conc: 0,
        parallel: layout.parallel,
        prefill: layout.prefill,
        decode: layout.decode,
        spec_decoding,
        kv_offloading,
        kv_offload_backend: backend.map(str::to_owned),
        nodes: map.get("num-nodes").and_then(Node::whole),
        recipe: recipe(head, map),
        recipe_identity: identity(head, kind, block, map),
    };
    let concurrencies = concurrencies(map, item.line)?;
    for (at, conc) in concurrencies.iter().enumerate() {
        if concurrencies.iter().take(at).any(|c| c == conc) {
            notes.odd(item.line, head.key, reason::REPEATED_CONCURRENCY, format!("concurrency {conc} stands twice"));
        }
    }
    Ok(concurrencies.into_iter().map(|conc| MatrixPoint { conc, ..point.clone() }).collect())
}

fn concurrencies(map: &Map, line: u64) -> Result<Vec<u32>, Unusable> {
    let number = |node: &Node| match node.whole().filter(|n| *n > 0) {
        Some(conc) => Ok(conc),
        None => unusable(node.line, reason::WRONG_TYPE, "a concurrency is a whole number of 1 or more"),
    };
    match (map.get("conc-list"), map.get("conc-start"), map.get("conc-end")) {
        (Some(list), None, None) => {
            let Some(items) = list.list() else { return unusable(list.line, reason::WRONG_TYPE, "conc-list is a list") };
            if items.is_empty() {
                return unusable(list.line, reason::MISSING, "conc-list is empty");
            }
            items.iter().map(number).collect()
        }
        (None, Some(start), Some(end)) => {
            let (start, end) = (number(start)?, number(end)?);
            if start > end {
                return unusable(line, reason::CONTRADICTION, format!("conc-start {start} lies above conc-end {end}"));
            }
            let doubled = std::iter::successors(Some(start), |conc| conc.checked_mul(2)).take_while(|conc| *conc < end);
            Ok(doubled.chain([end]).collect())
        }
        (None, None, None) => unusable(line, reason::MISSING, "no concurrency: conc-list, or conc-start and conc-end"),
        (Some(_), _, _) => unusable(line, reason::CONTRADICTION, "conc-list excludes conc-start and conc-end"),
        _ => unusable(line, reason::MISSING, "conc-start and conc-end belong together"),
    }
}

#[derive(Default)]
struct Layout {
    parallel: Parallel,
    prefill: Option<Role>,
    decode: Option<Role>,
}

/// How an item lays its GPUs out. Aggregated serving on several nodes is written as a `worker` or, in older files, as a prefill
/// side beside a decode side of no worker: that side is the engine, as for result rows.
fn layout(head: &Head<'_>, map: &Map, line: u64) -> Result<Layout, Unusable> {
    let side = |key: &str| match map.get(key) {
        None => Ok(None),
        Some(node) => match node.map() {
            Some(side) => role(side, node.line).map(Some),
            None => unusable(node.line, reason::WRONG_TYPE, format!("{key} is a mapping")),
        },
    };
    let whole = map.get("tp").is_some();
    match (whole, side("worker")?, side("prefill")?, side("decode")?) {
        (true, None, None, None) => Ok(Layout { parallel: parallel(map, line)?, ..Layout::default() }),
        (false, Some(worker), None, None) => Ok(Layout { parallel: worker.parallel(), ..Layout::default() }),
        (false, None, Some(prefill), Some(decode)) if head.disagg || decode.workers.is_some_and(|n| n > 0) => {
            Ok(Layout { prefill: Some(prefill), decode: Some(decode), ..Layout::default() })
        }
        (false, None, Some(prefill), Some(decode)) => {
            let engine = if prefill.workers == Some(0) { decode } else { prefill };
            Ok(Layout { parallel: engine.parallel(), ..Layout::default() })
        }
        (false, None, None, None) => unusable(line, reason::MISSING, "no topology: tp, worker, or prefill and decode"),
        (false, None, _, _) => unusable(line, reason::MISSING, "prefill and decode belong together"),
        _ => unusable(line, reason::CONTRADICTION, "tp, worker, and prefill with decode exclude each other"),
    }
}

fn role(map: &Map, line: u64) -> Result<Role, Unusable> {
    let workers = match map.get("num-worker") {
        None => Some(1),
        Some(node) => match node.whole() {
            Some(count) => Some(count),
            None => return unusable(node.line, reason::WRONG_TYPE, "num-worker is a whole number"),
        },
    };
    let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = parallel(map, line)?;
    // How many GPUs a side has in all is for its recipe to say: the configuration doesn't.
    Ok(Role { tp, pp, ep, dcp, pcp, dp_attention, workers, gpus: None })
}

fn parallel(map: &Map, line: u64) -> Result<Parallel, Unusable> {
    let size = |key: &str| match map.get(key) {
        None => Ok(Some(1)),
        // A side of no worker has sizes of 0.
        Some(node) => match node.whole() {
            Some(size) => Ok(Some(size)),
            None => unusable(node.line, reason::WRONG_TYPE, format!("{key} is a whole number")),
        },
    };
    if map.get("tp").is_none() {
        return unusable(line, reason::MISSING, "no tp");
    }
    let dp_attention = match map.get("dp-attn") {
        None => Some(false),
        Some(node) => match node.flag() {
            Some(flag) => Some(flag),
            None => return unusable(node.line, reason::WRONG_TYPE, "dp-attn is true or false"),
        },
    };
    Ok(Parallel { tp: size("tp")?, pp: size("pp")?, ep: size("ep")?, dcp: size("dcp-size")?, pcp: size("pcp-size")?, dp_attention })
}

/// The recipe an item runs: `srt-recipe` below the configuration's `srt-recipe-dir` or, in older files, `CONFIG_FILE` among the
/// additional settings of its engine. `file`, or `file:override`.
fn recipe(head: &Head<'_>, map: &Map) -> Option<String> {
    named_recipe(head, map, "srt-recipe").or_else(|| {
        let sides = ["worker", "prefill", "decode"].into_iter().filter_map(|key| map.get(key).and_then(Node::map));
        let mut settings = sides.filter_map(|side| side.get("additional-settings").and_then(Node::list)).flatten().filter_map(Node::text);
        settings.find_map(|setting| setting.strip_prefix("CONFIG_FILE=").map(str::to_owned))
    })
}

fn named_recipe(head: &Head<'_>, map: &Map, key: &str) -> Option<String> {
    let name = map.get(key).and_then(Node::text)?;
    Some(match head.recipe_dir {
        Some(dir) => format!("{}/{name}", dir.trim_end_matches('/')),
        None => name.to_owned(),
    })
}

/// Everything of the matrix entry but concurrency, experiment name and fingerprint, as canonical JSON. Entries that differ only in
/// writing out what the generator fills in are equal.
fn identity(head: &Head<'_>, kind: &str, block: &Map, item: &Map) -> String {
    let mut entry = serde_json::Map::new();
    let head_keys = head.map.entries.iter().filter(|(key, _)| !["scenarios", "srt-recipe-dir"].contains(&key.text.as_str()));
    let offloads = item.get("kv-offloading").and_then(Node::text).is_some_and(|word| word != "none");
    // The share of host memory says something only where something is offloaded to it.
    let skipped = |key: &str| key == "search-space" || (key == "dram-utilization" && !offloads);
    let block_keys = block.entries.iter().filter(|(key, _)| !skipped(&key.text));
    let item_keys = item.entries.iter().filter(|(key, _)| !["conc-list", "conc-start", "conc-end"].contains(&key.text.as_str()));
    for (key, value) in head_keys.chain(block_keys).chain(item_keys).filter(|(_, value)| !value.is_null()) {
        entry.insert(key.text.clone(), value.json());
    }
    entry.insert("scenario-type".to_owned(), Value::from(kind));
    for key in ["srt-recipe", "eval-srt-recipe"] {
        if let Some(recipe) = named_recipe(head, item, key) {
            entry.insert(key.to_owned(), Value::from(recipe));
        }
    }
    filled(&mut entry, "disagg", Value::from(false));
    filled(&mut entry, "spec-decoding", Value::from("none"));
    filled(&mut entry, "kv-offloading", Value::from("none"));
    if item.get("tp").is_some() {
        sizes_filled(&mut entry);
    }
    for key in ["worker", "prefill", "decode"] {
        if let Some(Value::Object(side)) = entry.get_mut(key) {
            sizes_filled(side);
            filled(side, "num-worker", Value::from(1));
            filled(side, "additional-settings", Value::Array(Vec::new()));
        }
    }
    let mut entry = Value::Object(entry);
    entry.sort_all_objects();
    entry.to_string()
}

fn sizes_filled(map: &mut serde_json::Map<String, Value>) {
    for key in ["pp", "ep", "dcp-size", "pcp-size"] {
        filled(map, key, Value::from(1));
    }
    filled(map, "dp-attn", Value::from(false));
}

fn filled(map: &mut serde_json::Map<String, Value>, key: &str, value: Value) {
    if map.get(key).is_none_or(Value::is_null) {
        map.insert(key.to_owned(), value);
    }
}
