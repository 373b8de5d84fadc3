//! What the words in an artifact mean: models, hardware, frameworks, precisions, spec methods, with their aliases.
//!
//! The words are data (`domain/vocabulary/vocabulary.toml`), extended at run time by a file of the same shape. A word that no
//! entry knows is *unmapped*: the row is listed with it and counted, never guessed at.

use std::collections::HashMap;

use serde::Deserialize;

/// One entry of a word list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Name used everywhere: API, addresses, tables.
    pub key: String,
    /// Name shown to people.
    pub label: String,
    /// Other spellings seen in artifacts.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Models only: last parts of the paths or ids that name it.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Hardware only: who makes it.
    #[serde(default)]
    pub vendor: Option<String>,
    /// Frameworks only: the name itself says that prefill and decode are apart.
    #[serde(default)]
    pub disagg: bool,
}

/// The file's shape.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    models: Vec<Entry>,
    #[serde(default)]
    hardware: Vec<Entry>,
    #[serde(default)]
    frameworks: Vec<Entry>,
    #[serde(default)]
    precisions: Vec<Entry>,
    #[serde(default)]
    spec_methods: Vec<Entry>,
}

/// A list of entries with an index over every spelling.
#[derive(Clone, Debug, Default)]
struct Words {
    entries: Vec<Entry>,
    spellings: HashMap<String, usize>,
    paths: HashMap<String, usize>,
}

impl Words {
    /// Adds entries; one whose key is known already adds its spellings to it.
    fn extend(&mut self, entries: Vec<Entry>) {
        for entry in entries {
            let known = self.entries.iter().position(|e| e.key == entry.key);
            let index = known.unwrap_or(self.entries.len());
            self.spellings.insert(entry.key.to_lowercase(), index);
            for alias in &entry.aliases {
                self.spellings.insert(alias.to_lowercase(), index);
            }
            for path in &entry.paths {
                self.paths.insert(path.to_lowercase(), index);
            }
            match known.and_then(|i| self.entries.get_mut(i)) {
                Some(old) => {
                    old.aliases.extend(entry.aliases);
                    old.paths.extend(entry.paths);
                }
                None => self.entries.push(entry),
            }
        }
    }

    fn find(&self, word: &str) -> Option<&Entry> {
        self.spellings.get(&word.trim().to_lowercase()).and_then(|i| self.entries.get(*i))
    }

    fn find_path(&self, path: &str) -> Option<&Entry> {
        self.paths.get(&path.trim().to_lowercase()).and_then(|i| self.entries.get(*i))
    }

    fn label<'a>(&'a self, key: &'a str) -> &'a str {
        self.find(key).map_or(key, |entry| entry.label.as_str())
    }
}

/// A vocabulary that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("the vocabulary is not valid: {0}")]
pub struct BadVocabulary(#[from] toml::de::Error);

/// The vocabulary in force.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    models: Words,
    hardware: Words,
    frameworks: Words,
    precisions: Words,
    spec_methods: Words,
}

impl Vocabulary {
    /// The vocabulary that the project ships.
    ///
    /// # Errors
    /// When the shipped file is malformed, which a test rules out.
    pub fn shipped() -> Result<Self, BadVocabulary> {
        let mut vocabulary = Self::default();
        vocabulary.extend(include_str!("../vocabulary/vocabulary.toml"))?;
        Ok(vocabulary)
    }

    /// Adds the entries of a document of the same shape; entries with a known key add spellings.
    ///
    /// # Errors
    /// When `document` is not TOML of that shape.
    pub fn extend(&mut self, document: &str) -> Result<(), BadVocabulary> {
        let document: Document = toml::from_str(document)?;
        self.models.extend(document.models);
        self.hardware.extend(document.hardware);
        self.frameworks.extend(document.frameworks);
        self.precisions.extend(document.precisions);
        self.spec_methods.extend(document.spec_methods);
        Ok(())
    }

    /// Model by its prefix (`infmax_model_prefix`), by the prefix without a precision suffix, or by the last part of its path.
    #[must_use]
    pub fn model(&self, prefix: Option<&str>, path: Option<&str>) -> Option<&Entry> {
        let prefix = prefix.map(str::trim).filter(|p| !p.is_empty());
        let by_prefix = prefix.and_then(|p| {
            let bare = p.rsplit_once(['-', '_']).filter(|(_, tail)| self.precisions.find(tail).is_some());
            self.models.find(p).or_else(|| bare.and_then(|(head, _)| self.models.find(head)))
        });
        by_prefix.or_else(|| {
            let path = path.map(str::trim).filter(|p| !p.is_empty())?;
            let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
            // Mount paths of old runs add a precision and a version in lower case: deepseek-r1-0528-fp4-v2.
            self.models.find_path(last).or_else(|| self.models.find(last))
        })
    }

    /// Hardware by its runner label: lower-cased, after the last `:`, before the first `-`, then the alias list.
    #[must_use]
    pub fn hardware(&self, label: &str) -> Option<&Entry> {
        let label = label.trim();
        let last = label.rsplit(':').next().unwrap_or(label);
        let base = last.split('-').next().unwrap_or(last);
        self.hardware.find(base).or_else(|| self.hardware.find(last))
    }

    /// Framework by name or alias.
    #[must_use]
    pub fn framework(&self, name: &str) -> Option<&Entry> {
        self.frameworks.find(name)
    }

    /// Precision by name or alias.
    #[must_use]
    pub fn precision(&self, name: &str) -> Option<&Entry> {
        self.precisions.find(name)
    }

    /// Spec method by name or alias; an empty name is `none`.
    #[must_use]
    pub fn spec_method(&self, name: &str) -> Option<&Entry> {
        self.spec_methods.find(name)
    }

    /// Shown name of a model key, or the key itself.
    #[must_use]
    pub fn model_label<'a>(&'a self, key: &'a str) -> &'a str {
        self.models.label(key)
    }

    /// Shown name of a hardware key, or the key itself.
    #[must_use]
    pub fn hardware_label<'a>(&'a self, key: &'a str) -> &'a str {
        self.hardware.label(key)
    }

    /// Shown name of a framework key, or the key itself.
    #[must_use]
    pub fn framework_label<'a>(&'a self, key: &'a str) -> &'a str {
        self.frameworks.label(key)
    }

    /// Shown name of a precision key, or the key itself.
    #[must_use]
    pub fn precision_label<'a>(&'a self, key: &'a str) -> &'a str {
        self.precisions.label(key)
    }

    /// Shown name of a spec method key, or the key itself.
    #[must_use]
    pub fn spec_label<'a>(&'a self, key: &'a str) -> &'a str {
        self.spec_methods.label(key)
    }

    /// Keys a filter text may stand for: the entry it names by key, alias or shown name, else the text itself.
    #[must_use]
    pub fn canonical(&self, list: WordList, text: &str) -> String {
        let words = match list {
            WordList::Model => &self.models,
            WordList::Hardware => &self.hardware,
            WordList::Framework => &self.frameworks,
        };
        let by_label = || words.entries.iter().find(|e| e.label.eq_ignore_ascii_case(text.trim()));
        words.find(text).or_else(by_label).map_or_else(|| text.trim().to_lowercase(), |e| e.key.clone())
    }

    /// All spellings of a model, its own first: what a threshold may be filed under.
    #[must_use]
    pub fn model_spellings(&self, key: &str) -> Vec<String> {
        self.models
            .find(key)
            .map(|e| std::iter::once(e.key.clone()).chain(e.aliases.iter().cloned()).collect())
            .unwrap_or_else(|| vec![key.to_owned()])
    }
}

/// Which list of words a filter looks in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordList {
    /// Models.
    Model,
    /// Hardware.
    Hardware,
    /// Frameworks.
    Framework,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        Vocabulary::shipped().expect("the shipped vocabulary parses")
    }

    #[test]
    fn every_hardware_label_seen_in_real_runs() {
        let v = vocabulary();
        for (label, key) in [
            ("b200", "b200"),
            ("b200-trt", "b200"),
            ("B200-TRT", "b200"),
            ("b200-dgxc-slurm", "b200"),
            ("mi355x-amd_0", "mi355x"),
            ("mi355x-disagg", "mi355x"),
            ("cluster:gb300-nv", "gb300"),
            ("CLUSTER:GB300-NV", "gb300"),
            ("cluster:mi355x-amds", "mi355x"),
            ("cluster:h100-dgxc", "h100"),
            ("gb200", "gb200"),
            ("MI300X", "mi300x"),
        ] {
            assert_eq!(v.hardware(label).map(|e| e.key.as_str()), Some(key), "{label}");
        }
        assert!(v.hardware("q100").is_none());
        assert!(v.hardware("").is_none());
    }

    #[test]
    fn every_model_alias() {
        let v = vocabulary();
        for (prefix, path, key) in [
            (Some("gptoss"), None, Some("gptoss120b")),
            (Some("gptoss120b"), None, Some("gptoss120b")),
            (Some("dsv4pro"), None, Some("dsv4")),
            (Some("kimik2.7"), None, Some("kimik2.7-code")),
            (Some("dsr1-fp4"), None, Some("dsr1")),
            (Some(""), Some("deepseek-ai/DeepSeek-R1-0528"), Some("dsr1")),
            (None, Some("/mnt/lustre01/models/deepseek-r1-0528-fp4-v2"), Some("dsr1")),
            (None, Some("/mnt/lustre01/models/gpt-oss-120b"), Some("gptoss120b")),
            (None, Some("/lustre/fsw/models/Kimi-K2.5-NVFP4"), Some("kimik2.5")),
            (None, Some("/models/DeepSeek-R1"), Some("dsr1")),
            (None, Some("amd/DeepSeek-R1-0528-MXFP4-Preview"), Some("dsr1")),
            (None, Some("Qwen/Qwen3.5-397B-A17B"), Some("qwen3.5")),
            (Some("nosuch"), Some("nobody/Nothing"), None),
            (None, None, None),
        ] {
            assert_eq!(v.model(prefix, path).map(|e| e.key.as_str()), key, "{prefix:?} {path:?}");
        }
    }

    #[test]
    fn every_framework_precision_and_spec_alias() {
        let v = vocabulary();
        for (name, key, disagg) in [
            ("trtllm", "trt", false),
            ("trt", "trt", false),
            ("dynamo-trtllm", "dynamo-trt", false),
            ("sglang-disagg", "mori-sglang", true),
            ("mori-sglang", "mori-sglang", true),
            ("atom-disagg", "mooncake-atom", true),
            ("SGLang", "sglang", false),
        ] {
            assert_eq!(v.framework(name).map(|e| (e.key.as_str(), e.disagg)), Some((key, disagg)), "{name}");
        }
        for (name, key) in [("nvfp4", "fp4"), ("MXFP4", "fp4"), ("fp8", "fp8"), ("bf16", "bf16")] {
            assert_eq!(v.precision(name).map(|e| e.key.as_str()), Some(key), "{name}");
        }
        for (name, key) in [("", "none"), ("none", "none"), ("mtp", "mtp"), ("draft_model", "draft_model")] {
            assert_eq!(v.spec_method(name).map(|e| e.key.as_str()), Some(key), "{name}");
        }
    }

    #[test]
    fn a_word_can_be_added_without_a_release() {
        let mut v = vocabulary();
        assert!(v.model(Some("nova1"), None).is_none());
        v.extend(
            "[[models]]\nkey = \"nova1\"\nlabel = \"Nova-1\"\n[[hardware]]\nkey = \"b200\"\nlabel = \"B200\"\naliases = [\"b200x\"]\n",
        )
        .unwrap();
        assert_eq!(v.model(Some("nova1"), None).map(|e| e.label.as_str()), Some("Nova-1"));
        assert_eq!(v.hardware("b200x").map(|e| e.key.as_str()), Some("b200"));
        assert!(v.extend("[[models]]\nkey = 1").is_err());
    }
}
