//! What makes a line worth a look: most lines of a log say nothing for us, and must cost nothing.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::env::PREFIXES;

/// Which kinds of things a line may say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hits {
    pub(super) env: bool,
    pub(super) arguments: bool,
    pub(super) acceptance: bool,
    pub(super) patch: bool,
}

impl Hits {
    pub(super) fn any(self) -> bool {
        self.env || self.arguments || self.acceptance || self.patch
    }
}

const ARGUMENTS: [&str; 9] = [
    "ServerArgs(",
    "non-default args",
    "launch_server",
    "vllm serve",
    "sglang serve",
    "trtllm-serve",
    "api_server",
    "openai_server",
    "dynamo.",
];

const ACCEPTANCE: [&str; 2] = ["accept len", "Mean acceptance length"];

const PATCH: [&str; 10] = [
    "git apply",
    "git am",
    "patch -",
    "sed -i",
    "pip install",
    "onkey patch",
    "onkey-patch",
    "onkeypatch",
    "site-packages",
    "dist-packages",
];

/// `None` only if the list above could not be compiled, which a test rules out; then every line is looked at.
static NEEDLES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let all = PREFIXES.iter().chain(&ARGUMENTS).chain(&ACCEPTANCE).chain(&PATCH);
    AhoCorasick::new(all).ok()
});

/// What a line may say.
pub(super) fn hits(line: &[u8]) -> Hits {
    let Some(needles) = NEEDLES.as_ref() else {
        return Hits { env: true, arguments: true, acceptance: true, patch: true };
    };
    let mut hits = Hits::default();
    let ends = [PREFIXES.len(), ARGUMENTS.len(), ACCEPTANCE.len()];
    for found in needles.find_iter(line) {
        let mut group = found.pattern().as_usize();
        match ends.iter().position(|size| {
            let inside = group < *size;
            group = group.wrapping_sub(if inside { 0 } else { *size });
            inside
        }) {
            Some(0) => hits.env = true,
            Some(1) => hits.arguments = true,
            Some(2) => hits.acceptance = true,
            _ => hits.patch = true,
        }
        if hits.env && hits.arguments && hits.acceptance && hits.patch {
            break;
        }
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups() {
        assert!(NEEDLES.is_some());
        let none = Hits::default();
        for (line, hits_of_it) in [
            ("INFO: ready to serve", none),
            ("export SGLANG_X=1", Hits { env: true, ..none }),
            ("server_args=ServerArgs(a=1)", Hits { arguments: true, ..none }),
            ("Decode batch. accept len: 3.5", Hits { acceptance: true, ..none }),
            ("monkeypatch", Hits { patch: true, ..none }),
            ("HF_HOME=/x vllm serve m", Hits { env: true, arguments: true, ..none }),
        ] {
            assert_eq!(hits(line.as_bytes()), hits_of_it, "{line}");
        }
    }
}
