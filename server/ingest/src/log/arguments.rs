//! Arguments of servers: the engines' dumps of them, and the commands that start them.

use super::{python, shell};

/// Programs that start others.
const STARTERS: [&str; 20] = [
    "exec",
    "nohup",
    "env",
    "sudo",
    "time",
    "timeout",
    "numactl",
    "taskset",
    "nice",
    "srun",
    "mpirun",
    "docker",
    "podman",
    "run",
    "bash",
    "sh",
    "setsid",
    "nsys",
    "profile",
    "trtllm-llmapi-launch",
];

/// Arguments that a line tells: name in snake case without dashes, value; empty for a bare flag.
pub(super) fn of_line(line: &str) -> Vec<(String, String)> {
    // SGLang: server_args=ServerArgs(model_path='…', …), every argument with its default.
    if let Some((_, dump)) = line.split_once("ServerArgs(") {
        return python::fields(dump, '=');
    }
    // vLLM: non-default args: {'model': '…', …}.
    if let Some((_, dump)) = line.split_once("non-default args: ").and_then(|(_, dump)| dump.split_once('{')) {
        return python::fields(dump, ':');
    }
    of_command(&shell::words(shell::without_prefix(line)), 0)
}

/// Whether words begin with a command, as far as those are known that stand behind assignments.
pub(super) fn starts_something(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    let program = first.rsplit('/').next().unwrap_or_default();
    program.starts_with("python")
        || first.starts_with(['/', '.'])
        || STARTERS.contains(&program)
        || launcher(words).is_some_and(|(at, _)| at == 0)
}

/// Arguments of a command that starts a server; of a shell that is given one, too.
fn of_command(words: &[String], depth: u32) -> Vec<(String, String)> {
    let Some((at, after)) = launcher(words) else {
        let told = words.windows(2).filter_map(|pair| match pair {
            [flag, text] if flag.starts_with('-') && flag.ends_with('c') && text.contains(' ') => Some(text),
            _ => None,
        });
        return told.take(if depth < 2 { 1 } else { 0 }).flat_map(|text| of_command(&shell::words(text), depth + 1)).collect();
    };
    let before = words.get(..at).unwrap_or_default();
    let announced = before.last().is_some_and(|word| word.ends_with(':') && !word.eq_ignore_ascii_case("usage:"));
    if !announced && !before.iter().all(|word| is_before_a_command(word)) {
        return Vec::new();
    }
    arguments(words.get(after..).unwrap_or_default())
}

/// Where a server's command begins and where its arguments do.
fn launcher(words: &[String]) -> Option<(usize, usize)> {
    let name = |i: usize| words.get(i).map(String::as_str).unwrap_or_default();
    (0..words.len()).find_map(|i| {
        let program = name(i).rsplit('/').next().unwrap_or_default();
        let found = match program {
            "vllm" | "sglang" => name(i + 1) == "serve",
            "trtllm-serve" => return Some((i, if name(i + 1) == "serve" { i + 2 } else { i + 1 })),
            _ if program.starts_with("python") && name(i + 1) == "-m" => return is_server(name(i + 2)).then_some((i, i + 3)),
            _ => false,
        };
        found.then_some((i, i + 2))
    })
}

/// Modules that are servers.
fn is_server(module: &str) -> bool {
    let last = module.rsplit('.').next().unwrap_or_default();
    let engine = ["sglang.", "vllm.", "atom.", "tilert."].iter().any(|e| module.starts_with(e));
    module.starts_with("dynamo.") || (engine && ["launch_server", "api_server", "openai_server"].contains(&last))
}

/// What may stand before a command: words of what starts it, never those of a sentence.
fn is_before_a_command(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    STARTERS.contains(&name)
        || word.starts_with(['-', '/', '$', '['])
        || shell::assignment(word).is_some()
        || (word.contains([':', '/', ',']) && !word.ends_with(':'))
        || word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Arguments of a command, to its end.
fn arguments(words: &[String]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for word in words {
        let (word, ends) = (word.trim_end_matches(';'), word.ends_with(';'));
        if ["|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1", "&>", "|&"].contains(&word)
            || word.starts_with("2>")
            || word.starts_with("&>")
        {
            break;
        }
        match flag(word) {
            Some((name, value)) => found.push((name, value.unwrap_or_default().to_owned())),
            // Several values of one flag stand in a row.
            None => match found.last_mut() {
                Some((_, value)) if value.is_empty() => *value = word.to_owned(),
                Some((_, value)) => *value = format!("{value} {word}"),
                // `vllm serve MODEL`.
                None => found.push(("model".to_owned(), word.to_owned())),
            },
        }
        if ends {
            break;
        }
    }
    // A command without flags is a mention of one.
    if found.iter().all(|(name, _)| name == "model") { Vec::new() } else { found }
}

/// Name and value of `--name`, `--name=value`, `-n`. A number below zero is none.
fn flag(word: &str) -> Option<(String, Option<&str>)> {
    let bare = word.trim_start_matches('-');
    let dashes = word.len() - bare.len();
    let begins = bare.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if !(1..=2).contains(&dashes) || !begins {
        return None;
    }
    let (name, value) = bare.split_once('=').map_or((bare, None), |(name, value)| (name, Some(value)));
    name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)).then(|| (name.replace('-', "_"), value))
}

/// A flag of its own, as lists of arguments in YAML hold them.
pub(super) fn of_flag(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once(' ').map_or((word, None), |(flag, value)| (flag, Some(value)));
    let (name, own) = flag(name).filter(|_| word.starts_with("--"))?;
    Some((name, python::unquoted(own.or(value).unwrap_or_default().trim())))
}
