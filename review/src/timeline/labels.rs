//! Labels that steer a sweep (formats-and-rules §2.3).

/// Labels that start a full sweep; exactly one of them is put on.
pub const FULL_SWEEP: [&str; 3] = ["full-sweep-fail-fast", "full-sweep-enabled", "non-canary-full-sweep-enabled"];
/// Labels whose results may not be reused at the merge.
pub const NOT_REUSABLE: [&str; 2] = ["evals-only", "agentx-fast"];

/// What a label does, as a sentence; empty for one that steers nothing.
pub(crate) fn meaning(label: &str) -> String {
    let text = match label {
        "full-sweep-fail-fast" => "A full sweep: canary first, and the first failure ends it.",
        "full-sweep-enabled" => "A full sweep, canary first.",
        "non-canary-full-sweep-enabled" => "A full sweep without a canary.",
        "all-evals" => "Every eval runs.",
        "evals-only" => "Only evals run; their results can't be reused at the merge.",
        "agentx-fast" => "A short agentic profile; its results can't be reused at the merge.",
        "skip_queue" => "Its jobs don't wait their turn.",
        _ => "",
    };
    text.to_owned()
}
