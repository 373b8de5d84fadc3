//! Launch blocks of a cell, made whole.
//!
//! A block is whole (`kind`, `cmd`, `args`, `env` or `envRef`, a number of the shared environments), or the difference from another:
//! `from`, a block of the same cell's submitted router, or `ref`, `[cell, router, block]`. `diff` sets arguments and variables, or
//! takes them away with null; other keys take the place of the other block's, `drop` names those that are left out. A point after
//! the first may have a `patch` for each router: a difference per block, or `replace`, blocks of its own.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Differences from differences from differences: more are a circle.
const DEEPEST: usize = 32;

/// What the blocks of a cell set, over all its points and routers. Each once, in the order of appearance.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) env: Vec<(String, String)>,
    pub(super) args: Vec<(String, Option<String>)>,
    pub(super) commands: Vec<String>,
}

/// The whole file, to resolve references in.
pub(super) struct Snippet<'a> {
    pub(super) envs: Option<&'a Vec<Value>>,
    pub(super) cells: &'a [Value],
}

/// A block, whole.
#[derive(Clone, Debug, Default)]
struct Block {
    /// Everything but arguments and environment.
    fields: Map<String, Value>,
    args: Vec<(String, Vec<String>)>,
    env: Vec<(String, String)>,
}

impl Snippet<'_> {
    /// What a cell launches.
    pub(super) fn launch(&self, number: usize, cell: &Map<String, Value>) -> Result<Launch, String> {
        let mut launch = Launch::default();
        let mut seen = Seen::default();
        for setup in list(cell.get("setup")) {
            let command = setup.as_str().or_else(|| setup.get("command").and_then(Value::as_str));
            launch.command(&mut seen, command);
        }
        let Some(routers) = cell.get("routers") else { return Ok(launch) };
        let routers = routers.as_object().ok_or("routers: an object was expected")?;
        // What was submitted first; the others are derived from it.
        let submitted = cell.get("submitted").and_then(Value::as_str).unwrap_or_default();
        let mut names: Vec<&String> = routers.keys().collect();
        names.sort_by_key(|name| (name.as_str() != submitted, name.as_str()));
        for name in names {
            let about = routers.get(name);
            list(about.and_then(|r| r.get("install"))).iter().for_each(|line| launch.command(&mut seen, line.as_str()));
            let blocks = self.router(number, name).map_err(|e| format!("routers.{name}: {e}"))?;
            launch.add(&mut seen, &blocks);
            for (at, point) in list(cell.get("points")).iter().enumerate() {
                let patch = point.get("patch").and_then(|p| p.get(name));
                if let Some(patch) = patch.filter(|p| !p.is_null()) {
                    let patched = self.patched(&blocks, patch).map_err(|e| format!("points[{at}].patch.{name}: {e}"))?;
                    launch.add(&mut seen, &patched);
                }
            }
        }
        Ok(launch)
    }

    /// The blocks of a router of a cell.
    fn router(&self, cell: usize, router: &str) -> Result<Vec<Block>, String> {
        let blocks = self.blocks(cell, router).ok_or_else(|| format!("cell {cell} has no blocks for router {router:?}"))?;
        (0..blocks.len()).map(|at| self.block(cell, router, at, DEEPEST)).collect()
    }

    fn blocks(&self, cell: usize, router: &str) -> Option<&Vec<Value>> {
        self.cells.get(cell)?.get("routers")?.get(router)?.get("blocks")?.as_array()
    }

    /// One block of a router of a cell.
    fn block(&self, cell: usize, router: &str, at: usize, depth: usize) -> Result<Block, String> {
        let depth = depth.checked_sub(1).ok_or("its blocks refer to each other in a circle")?;
        let map = self.blocks(cell, router).and_then(|blocks| blocks.get(at));
        let map = map.ok_or_else(|| format!("there is no block {at} in router {router:?} of cell {cell}"))?;
        let map = map.as_object().ok_or_else(|| format!("blocks[{at}]: an object was expected"))?;
        self.made_whole(cell, router, map, depth).map_err(|e| if e.starts_with("blocks[") { e } else { format!("blocks[{at}]: {e}") })
    }

    fn made_whole(&self, cell: usize, router: &str, map: &Map<String, Value>, depth: usize) -> Result<Block, String> {
        let Some((of_cell, of_router, at)) = self.base(cell, router, map)? else { return self.whole(map) };
        let mut base = self.block(of_cell, &of_router, at, depth)?;
        let dropped: Vec<&str> = list(map.get("drop")).iter().filter_map(Value::as_str).collect();
        base.fields.retain(|key, _| !dropped.contains(&key.as_str()));
        if dropped.contains(&"args") {
            base.args.clear();
        }
        if dropped.contains(&"env") {
            base.env.clear();
        }
        let own = self.whole(map)?;
        if map.contains_key("args") {
            base.args = own.args;
        }
        if map.contains_key("env") {
            base.env = own.env;
        }
        base.fields.extend(own.fields.into_iter().filter(|(key, _)| !matches!(key.as_str(), "from" | "ref" | "diff" | "drop" | "envRef")));
        let mut block = self.differing(&base, map.get("diff").unwrap_or(&Value::Null))?;
        if let Some(env) = map.get("envRef") {
            block.env = self.shared(env)?;
        }
        Ok(block)
    }

    /// The block that another one is the difference from; `None` for a whole one.
    fn base(&self, cell: usize, router: &str, map: &Map<String, Value>) -> Result<Option<(usize, String, usize)>, String> {
        if let Some(reference) = map.get("ref") {
            let [Value::Number(of_cell), Value::String(router), Value::Number(at)] = list(Some(reference)) else {
                return Err(format!("ref {reference}: [cell, router, block] was expected"));
            };
            return Ok(Some((index(of_cell)?, router.clone(), index(at)?)));
        }
        let Some(from) = map.get("from") else { return Ok(None) };
        let Value::Number(from) = from else { return Err(format!("from {from}: the number of a block was expected")) };
        let submitted = self.cells.get(cell).and_then(|c| c.get("submitted")).and_then(Value::as_str);
        // A cell that was submitted with a router it doesn't show speaks of its own blocks.
        let router = submitted.filter(|s| self.blocks(cell, s).is_some()).unwrap_or(router);
        Ok(Some((cell, router.to_owned(), index(from)?)))
    }

    fn whole(&self, map: &Map<String, Value>) -> Result<Block, String> {
        let env = match (map.get("env"), map.get("envRef")) {
            (_, Some(number)) => self.shared(number)?,
            // Shared environments may be named in the place of one.
            (Some(number @ Value::Number(_)), None) => self.shared(number)?,
            (Some(Value::Object(env)), None) => variables(env)?,
            // Several together: later ones count.
            (Some(Value::Array(parts)), None) => {
                let mut env = Vec::new();
                for part in parts {
                    let more = if let Value::Object(more) = part { variables(more)? } else { self.shared(part)? };
                    more.into_iter().for_each(|(name, text)| set(&mut env, &name, Some(text)));
                }
                env
            }
            (None | Some(Value::Null), None) => Vec::new(),
            (Some(other), None) => return Err(format!("env {other}: an object was expected")),
        };
        let args = list(map.get("args")).iter().map(argument).collect::<Result<_, _>>()?;
        let fields = map.iter().filter(|(key, _)| !matches!(key.as_str(), "env" | "args")).map(|(k, v)| (k.clone(), v.clone())).collect();
        Ok(Block { fields, args, env })
    }

    fn shared(&self, number: &Value) -> Result<Vec<(String, String)>, String> {
        let Value::Number(n) = number else { return Err(format!("envRef {number}: a number was expected")) };
        let env = self.envs.and_then(|envs| envs.get(index(n).ok()?)).and_then(Value::as_object);
        variables(env.ok_or_else(|| format!("there is no shared environment {n}"))?)
    }

    /// A block with a difference.
    fn differing(&self, block: &Block, diff: &Value) -> Result<Block, String> {
        let diff = match diff {
            Value::Null => return Ok(block.clone()),
            Value::Object(diff) => diff,
            other => return Err(format!("diff {other}: an object was expected")),
        };
        if let Some(whole) = diff.get("block").and_then(Value::as_object) {
            return self.whole(whole);
        }
        let mut block = block.clone();
        if let Some(Value::Array(args)) = diff.get("args") {
            for arg in args {
                let (flag, values) = argument(arg)?;
                set(&mut block.args, &flag, Some(values));
            }
        }
        for (flag, values) in object(diff.get("args").filter(|args| !args.is_array()), "diff.args")? {
            let values = match values {
                Value::Null => None,
                Value::Array(values) => Some(values.iter().map(value).collect::<Result<Vec<_>, _>>()?),
                one => Some(vec![value(one)?]),
            };
            set(&mut block.args, flag, values);
        }
        for (name, text) in object(diff.get("env"), "diff.env")? {
            let text = if text.is_null() { None } else { Some(value(text)?) };
            set(&mut block.env, name, text);
        }
        Ok(block)
    }

    fn patched(&self, blocks: &[Block], patch: &Value) -> Result<Vec<Block>, String> {
        if let Some(replaced) = patch.get("replace") {
            let whole = |block: &Value| self.whole(block.as_object().ok_or("an object was expected")?);
            return list(Some(replaced)).iter().map(whole).collect();
        }
        let diffs = patch.as_array().ok_or("a list was expected")?;
        if diffs.len() > blocks.len() {
            return Err(format!("it changes {} blocks of {}", diffs.len(), blocks.len()));
        }
        let none = Value::Null;
        blocks.iter().enumerate().map(|(at, block)| self.differing(block, diffs.get(at).unwrap_or(&none))).collect()
    }
}

/// What was taken already.
#[derive(Default)]
struct Seen {
    env: BTreeSet<(String, String)>,
    args: BTreeSet<(String, Option<String>)>,
    commands: BTreeSet<String>,
}

impl Launch {
    fn command(&mut self, seen: &mut Seen, command: Option<&str>) {
        if let Some(command) = command.map(str::trim).filter(|c| !c.is_empty())
            && seen.commands.insert(command.to_owned())
        {
            self.commands.push(command.to_owned());
        }
    }

    fn add(&mut self, seen: &mut Seen, blocks: &[Block]) {
        for Block { fields, args, env } in blocks {
            list(fields.get("preamble")).iter().for_each(|line| self.command(seen, line.as_str()));
            self.command(seen, fields.get("cmd").and_then(Value::as_str));
            for (flag, values) in args {
                let arg = (flag.clone(), (!values.is_empty()).then(|| values.join(" ")));
                if seen.args.insert(arg.clone()) {
                    self.args.push(arg);
                }
            }
            for variable in env {
                if seen.env.insert(variable.clone()) {
                    self.env.push(variable.clone());
                }
            }
        }
    }
}

/// Sets a value, or takes it away.
fn set<T>(list: &mut Vec<(String, T)>, key: &str, value: Option<T>) {
    match (list.iter_mut().find(|(known, _)| known == key), value) {
        (Some(known), Some(value)) => known.1 = value,
        (None, Some(value)) => list.push((key.to_owned(), value)),
        (_, None) => list.retain(|(known, _)| known != key),
    }
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn object<'a>(value: Option<&'a Value>, what: &str) -> Result<Vec<(&'a str, &'a Value)>, String> {
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(map)) => Ok(map.iter().map(|(k, v)| (k.as_str(), v)).collect()),
        Some(other) => Err(format!("{what} {other}: an object was expected")),
    }
}

fn variables(env: &Map<String, Value>) -> Result<Vec<(String, String)>, String> {
    env.iter().map(|(name, text)| Ok((name.clone(), value(text)?))).collect()
}

/// `[flag, value…]`, or a bare flag.
fn argument(arg: &Value) -> Result<(String, Vec<String>), String> {
    match arg {
        Value::String(flag) => Ok((flag.clone(), Vec::new())),
        Value::Array(words) => match words.split_first() {
            Some((Value::String(flag), values)) => Ok((flag.clone(), values.iter().map(value).collect::<Result<_, _>>()?)),
            _ => Err(format!("args {arg}: [flag, value…] was expected")),
        },
        other => Err(format!("args {other}: [flag, value…] was expected")),
    }
}

fn value(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        other => Err(format!("{other}: a text was expected")),
    }
}

fn index(number: &serde_json::Number) -> Result<usize, String> {
    number.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(|| format!("{number} is no index"))
}
