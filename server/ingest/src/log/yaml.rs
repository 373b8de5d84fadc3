//! Settings of servers in YAML, line by line: by indentation alone, so that a line keeps its number and no document is held.

use paretoscope_domain::fact::FactKind;

use super::{Said, arguments, python};

/// Deepest nesting that is followed.
const DEEPEST: usize = 64;

/// Where a line stands: the keys above it, with their indentation.
#[derive(Default)]
pub(super) struct Sections {
    above: Vec<(usize, String)>,
}

impl Sections {
    /// The argument that a line sets, where it stands below a section of server arguments: `sglang_config`, `vllm_config`,
    /// `engine_args` and the like. Other lines only tell where the next ones stand.
    pub(super) fn line(&mut self, line: &str) -> Option<Said> {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') || text == "---" {
            return None;
        }
        let indent = line.len() - text.len();
        let item = text.starts_with("- ");
        while self.above.last().is_some_and(|(at, _)| *at > indent || (*at == indent && !item)) {
            self.above.pop();
        }
        let below = self.above.iter().any(|(_, key)| is_section(key));
        if item {
            let (key, value) = arguments::of_flag(python::unquoted(text.trim_start_matches("- ").trim()).as_str()).filter(|_| below)?;
            return Some(Said { kind: FactKind::Argument, key, value });
        }
        let (key, value) = text.split_once(':').filter(|(_, v)| v.is_empty() || v.starts_with([' ', '\t']))?;
        let key = python::unquoted(key.trim());
        let value = without_comment(value.trim());
        if value.is_empty() {
            if self.above.len() < DEEPEST {
                self.above.push((indent, key));
            }
            return None;
        }
        let is_flag = key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c));
        // Blocks of text and references are no values.
        let plain = !value.starts_with(['|', '>', '&', '*']);
        (below && is_flag && plain).then(|| Said { kind: FactKind::Argument, key: key.replace('-', "_"), value: python::unquoted(value) })
    }
}

/// A value without the comment behind it: what follows a blank and `#`, or a closing quote.
pub(super) fn without_comment(value: &str) -> &str {
    let Some(quote) = value.chars().next().filter(|c| ['"', '\''].contains(c)) else {
        return value.split(" #").next().unwrap_or(value).trim_end();
    };
    let mut escaped = false;
    for (at, c) in value.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if c == quote => return value.get(..=at).unwrap_or(value),
            _ => {}
        }
    }
    value
}

/// Sections whose entries are a server's arguments.
fn is_section(key: &str) -> bool {
    let key = key.replace('-', "_");
    ["sglang_config", "vllm_config", "trtllm_config", "atom_config", "engine_config"].contains(&key.as_str())
        || ["server_args", "engine_args", "sglang_args", "vllm_args", "trtllm_args", "extra_args"].contains(&key.as_str())
}
