//! Serving engines behind the framework names.

/// The engine that a framework serves with. Dynamo, MoRI, llm-d and the like count as theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// SGLang.
    Sglang,
    /// vLLM.
    Vllm,
    /// TensorRT-LLM, ATOM, TileRT and whatever else a vendor brings.
    Other,
}

impl Engine {
    /// The engine of a framework key.
    pub(crate) fn of(framework: &str) -> Self {
        let framework = framework.to_ascii_lowercase();
        if framework.contains("sglang") {
            Self::Sglang
        } else if framework.contains("vllm") {
            Self::Vllm
        } else {
            Self::Other
        }
    }

    /// Whether it is one of the two that must come first.
    pub(crate) fn in_tree(self) -> bool {
        self != Self::Other
    }
}

/// Hardware that is previewed: new enough that a vendor's engine may come first.
pub(crate) fn is_preview(hardware: &str) -> bool {
    matches!(hardware, "mi455x" | "vr200" | "rubin") || hardware.starts_with("tpu")
}
