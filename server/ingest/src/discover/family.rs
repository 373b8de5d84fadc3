//! What an artifact or a file is to us: by name where the name is one the benchmark gives, else by content.

use paretoscope_domain::batch::Origin;
use paretoscope_domain::run::{Family, Reading};
use serde_json::Value;

use crate::fields::Fields;
use crate::source::Packing;

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Benchmark rows.
    Benchmark(Origin),
    /// Collected eval rows.
    CollectedEvals,
    /// Metadata of one eval job.
    EvalMeta,
    /// Results of one eval job.
    EvalResults,
    /// Success counts.
    RunStats,
    /// Changelog metadata.
    Changelog,
    /// A job's event.
    JobEvent,
    /// Source of a reused run.
    Reuse,
    /// A server's log, or what lies beside one.
    Log(Packing),
    /// JSON whose content says what it is.
    Sniff,
    /// Not opened, only hashed.
    Skip(Reading),
}

/// Names that start an artifact's name, and what such an artifact is. The first that fits counts.
const PREFIXES: [(&str, Family); 20] = [
    ("results_bmk", Family::CollectedBenchmarks),
    ("bmk_agentic_", Family::Benchmark),
    ("bmk_", Family::Benchmark),
    ("eval_results_all", Family::CollectedEvals),
    ("eval_gpu_metrics_", Family::GpuMetrics),
    ("eval_server_logs_", Family::ServerLogs),
    ("eval_", Family::Eval),
    ("run-stats", Family::RunStats),
    ("run_stats", Family::RunStats),
    ("changelog-metadata", Family::Changelog),
    ("job_event_eval_", Family::JobEvent),
    ("job_event", Family::JobEvent),
    ("reused-ingest-metadata", Family::Reuse),
    ("agentic_aggregated", Family::Unknown),
    ("agentic_", Family::Trace),
    ("gpu_metrics", Family::GpuMetrics),
    ("power_audit_", Family::PowerAudit),
    ("server_logs_", Family::ServerLogs),
    ("multinode_server_logs_", Family::ServerLogs),
    ("results_", Family::Unknown),
];

/// Family of an artifact by its name; `None` for a name that the benchmark does not give.
pub(crate) fn family_of_name(name: &str) -> Option<Family> {
    PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, family)| *family)
}

/// Key that an artifact shares with the benchmark artifact of the same job: its name without the family's prefix.
pub(crate) fn pairing_key(name: &str, family: Family) -> Option<&str> {
    let paired = matches!(
        family,
        Family::Benchmark | Family::Trace | Family::GpuMetrics | Family::PowerAudit | Family::ServerLogs | Family::Eval | Family::JobEvent
    );
    if !paired {
        return None;
    }
    let (prefix, _) = PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix))?;
    name.strip_prefix(prefix).map(|key| key.trim_start_matches('_')).filter(|key| !key.is_empty())
}

/// Whether the artifact is of an eval-only job's by-products, which nothing reads.
fn is_by_product(artifact: &str) -> bool {
    artifact.starts_with("eval_gpu_metrics_")
}

/// Whether a log is of an eval's server.
pub(crate) fn is_of_an_eval(artifact: &str) -> bool {
    artifact.starts_with("eval_")
}

/// What is done with a file of an artifact.
pub(crate) fn file_kind(family: Family, artifact: &str, path: &str) -> FileKind {
    let name = path.rsplit('/').next().unwrap_or(path);
    let json = super::name::is_json(name);
    let listed = FileKind::Skip(Reading::Listed);
    if name == "reuse_source_run.json" {
        return FileKind::Reuse;
    }
    if family == Family::ServerLogs {
        return FileKind::Log(Packing::of_name(name));
    }
    if !json {
        return match family {
            // The commands that a job ran lie beside what the load generator measured.
            Family::Trace if name.ends_with("_command.txt") => FileKind::Log(Packing::Plain),
            Family::Trace | Family::GpuMetrics | Family::PowerAudit if !is_by_product(artifact) => FileKind::Skip(Reading::NotReadYet),
            Family::Eval if name.starts_with("sample") => FileKind::Skip(Reading::NotReadYet),
            _ => listed,
        };
    }
    match family {
        Family::CollectedBenchmarks | Family::Benchmark if name.starts_with("rejected_rows") => listed,
        Family::CollectedBenchmarks => FileKind::Benchmark(Origin::Collected),
        Family::Benchmark => FileKind::Benchmark(Origin::PerJob),
        Family::CollectedEvals => FileKind::CollectedEvals,
        Family::Eval if name.starts_with("meta_env") => FileKind::EvalMeta,
        Family::Eval if name.starts_with("results") => FileKind::EvalResults,
        Family::Eval if name.starts_with("sample") => FileKind::Skip(Reading::NotReadYet),
        Family::Eval => listed,
        Family::RunStats => FileKind::RunStats,
        Family::Changelog => FileKind::Changelog,
        Family::JobEvent => FileKind::JobEvent,
        Family::Reuse => FileKind::Reuse,
        // Above.
        Family::ServerLogs => FileKind::Log(Packing::of_name(name)),
        Family::Trace | Family::GpuMetrics | Family::PowerAudit => {
            FileKind::Skip(if is_by_product(artifact) { Reading::Listed } else { Reading::NotReadYet })
        }
        Family::Unknown => by_file_name(name).map_or(FileKind::Sniff, |(kind, _)| kind),
    }
}

/// What a file is by its own name, where that is one the benchmark gives.
fn by_file_name(name: &str) -> Option<(FileKind, Family)> {
    let starts = |prefix: &str| name.starts_with(prefix);
    Some(if starts("agg_bmk") {
        (FileKind::Benchmark(Origin::Collected), Family::CollectedBenchmarks)
    } else if starts("agg_eval_all") {
        (FileKind::CollectedEvals, Family::CollectedEvals)
    } else if starts("rejected_rows") {
        (FileKind::Skip(Reading::Listed), Family::CollectedBenchmarks)
    } else if starts("meta_env") {
        (FileKind::EvalMeta, Family::Eval)
    } else if starts("run_stats") {
        (FileKind::RunStats, Family::RunStats)
    } else if starts("changelog_metadata") {
        (FileKind::Changelog, Family::Changelog)
    } else if starts("job_event") {
        (FileKind::JobEvent, Family::JobEvent)
    } else {
        return None;
    })
}

/// Family that a kind of file makes of an artifact with an unknown name.
pub(crate) fn family_of_kind(kind: FileKind) -> Family {
    match kind {
        FileKind::Benchmark(Origin::Collected) => Family::CollectedBenchmarks,
        FileKind::Benchmark(Origin::PerJob) => Family::Benchmark,
        FileKind::CollectedEvals => Family::CollectedEvals,
        FileKind::EvalMeta | FileKind::EvalResults => Family::Eval,
        FileKind::RunStats => Family::RunStats,
        FileKind::Changelog => Family::Changelog,
        FileKind::JobEvent => Family::JobEvent,
        FileKind::Reuse => Family::Reuse,
        FileKind::Log(_) => Family::ServerLogs,
        FileKind::Sniff | FileKind::Skip(_) => Family::Unknown,
    }
}

/// What JSON is by its content; `None` for nothing we know.
pub(crate) fn sniff(value: &Value) -> Option<FileKind> {
    match value {
        Value::Array(rows) => match object_kind(Fields::of(rows.first()?).ok()?)? {
            FileKind::Benchmark(_) => Some(FileKind::Benchmark(Origin::Collected)),
            FileKind::CollectedEvals => Some(FileKind::CollectedEvals),
            _ => None,
        },
        Value::Object(_) => object_kind(Fields::of(value).ok()?),
        _ => None,
    }
}

fn object_kind(f: Fields<'_>) -> Option<FileKind> {
    let any = |keys: &[&str]| keys.iter().any(|k| f.map().contains_key(*k));
    let all = |keys: &[&str]| keys.iter().all(|k| f.map().contains_key(*k));
    if any(&["source_run_id"]) {
        return Some(FileKind::Reuse);
    }
    if any(&["result_filename", "exp_name"]) && any(&["outcome", "run_attempt", "eval_only"]) {
        return Some(FileKind::JobEvent);
    }
    if all(&["entries"]) && any(&["head_ref", "base_ref"]) {
        return Some(FileKind::Changelog);
    }
    if any(&["results"]) && any(&["lm_eval_version", "result_format", "n-samples", "configs"]) {
        return Some(FileKind::EvalResults);
    }
    // A row names its hardware and its engine, if only with empty texts.
    if all(&["hw", "framework", "precision"]) {
        if any(&["task"]) && any(&["score", "em_strict", "em_flexible", "accuracy"]) {
            return Some(FileKind::CollectedEvals);
        }
        let measured = f.map().keys().any(|k| k.ends_with("_ttft") || k.ends_with("_e2el") || k.ends_with("tput_per_gpu"));
        if measured || any(&["scenario_type", "request_metrics", "num_requests_total", "benchmark_outcome"]) {
            return Some(FileKind::Benchmark(Origin::PerJob));
        }
        if any(&["conc", "eval_concs"]) {
            return Some(FileKind::EvalMeta);
        }
    }
    let counts = |v: &Value| v.get("n_success").is_some() && v.get("total").is_some();
    (!f.map().is_empty() && f.map().values().all(counts)).then_some(FileKind::RunStats)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names() {
        for (name, family, key) in [
            ("results_bmk", Some(Family::CollectedBenchmarks), None),
            ("bmk_dsr1_tp8_h200_1", Some(Family::Benchmark), Some("dsr1_tp8_h200_1")),
            ("bmk_agentic_dsr1_tp8", Some(Family::Benchmark), Some("dsr1_tp8")),
            ("agentic_dsr1_tp8", Some(Family::Trace), Some("dsr1_tp8")),
            ("agentic_aggregated", Some(Family::Unknown), None),
            ("gpu_metrics_dsr1_tp8", Some(Family::GpuMetrics), Some("dsr1_tp8")),
            ("eval_gpu_metrics_dsr1", Some(Family::GpuMetrics), Some("dsr1")),
            ("server_logs_dsr1_tp8", Some(Family::ServerLogs), Some("dsr1_tp8")),
            ("multinode_server_logs_dsr1", Some(Family::ServerLogs), Some("dsr1")),
            ("power_audit_x", Some(Family::PowerAudit), Some("x")),
            ("eval_results_all", Some(Family::CollectedEvals), None),
            ("eval_dsr1_tp8", Some(Family::Eval), Some("dsr1_tp8")),
            ("job_event_eval_x", Some(Family::JobEvent), Some("x")),
            ("run-stats", Some(Family::RunStats), None),
            ("reused-ingest-metadata", Some(Family::Reuse), None),
            ("klaud-sweep-manifest", None, None),
        ] {
            assert_eq!(family_of_name(name), family, "{name}");
            assert_eq!(family.and_then(|f| pairing_key(name, f)), key, "{name}");
        }
    }

    #[test]
    fn files_of_an_eval() {
        for (path, kind) in [
            ("meta_env.json", FileKind::EvalMeta),
            ("results_2026-01-21T00-34-31.779836.json", FileKind::EvalResults),
            ("gsm8k/results_conc64.json", FileKind::EvalResults),
            ("samples_gsm8k_2026.jsonl", FileKind::Skip(Reading::NotReadYet)),
            ("swebench_report_x.json", FileKind::Skip(Reading::Listed)),
            ("predictions.jsonl", FileKind::Skip(Reading::Listed)),
        ] {
            assert_eq!(file_kind(Family::Eval, "eval_x", path), kind, "{path}");
        }
        assert_eq!(file_kind(Family::CollectedBenchmarks, "results_bmk", "rejected_rows.json"), FileKind::Skip(Reading::Listed));
        assert_eq!(file_kind(Family::GpuMetrics, "eval_gpu_metrics_x", "gpu_metrics.csv"), FileKind::Skip(Reading::Listed));
    }

    #[test]
    fn contents() {
        for (value, kind) in [
            (json!([]), None),
            (json!([{"hw": "", "framework": "", "precision": "", "mean_ttft": 1}]), Some(FileKind::Benchmark(Origin::Collected))),
            (
                json!({"hw": "b200", "framework": "vllm", "precision": "fp4", "users": 4, "mean_ttft": 1}),
                Some(FileKind::Benchmark(Origin::PerJob)),
            ),
            (
                json!([{"hw": "B200", "framework": "vllm", "precision": "fp4", "task": "gsm8k", "em_strict": 0.9}]),
                Some(FileKind::CollectedEvals),
            ),
            (json!({"hw": "b200", "framework": "vllm", "precision": "fp4", "conc": 4}), Some(FileKind::EvalMeta)),
            (json!({"results": {}, "lm_eval_version": "0.4"}), Some(FileKind::EvalResults)),
            (json!({"gb300": {"n_success": 1, "total": 2}}), Some(FileKind::RunStats)),
            (json!({"head_ref": "x", "entries": []}), Some(FileKind::Changelog)),
            (json!({"result_filename": "x", "outcome": "success"}), Some(FileKind::JobEvent)),
            (json!({"source_run_id": 1}), Some(FileKind::Reuse)),
            (json!({"mean_ttft_ms": 1, "model_id": "x"}), None),
            (json!({}), None),
            (json!(3), None),
        ] {
            assert_eq!(sniff(&value), kind, "{value}");
        }
    }
}
