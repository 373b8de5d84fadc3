//! Where the nested agentic row keeps what older rows had at the top level (formats-and-rules §1.3).

/// Stored name of a value below `request_metrics` or `server_metrics`, by its path; `None` for one that has no name of its own
/// and keeps its path.
pub(crate) fn stored_name(path: &[&str]) -> Option<String> {
    match path {
        ["request_metrics", "qps", statistic] => of_statistic(statistic, "qps"),
        ["request_metrics", "latency", quantity, statistic] => of_statistic(statistic, quantity),
        ["request_metrics", "tokens", "input", statistic] => of_statistic(statistic, "input_tokens"),
        ["request_metrics", "tokens", "output_actual", statistic] => of_statistic(statistic, "output_tokens_actual"),
        ["request_metrics", "tokens", "output_expected", statistic] => of_statistic(statistic, "output_tokens_expected"),
        ["request_metrics", "throughput", side @ ("input" | "output" | "total"), "tokens_per_second"] => Some(format!("{side}_tput_tps")),
        ["request_metrics", "throughput", "duration_seconds"] => Some("duration_seconds".to_owned()),
        ["request_metrics", "throughput", "per_gpu", "total_tput_tps"] => Some("tput_per_gpu".to_owned()),
        ["request_metrics", "throughput", "per_gpu", "output_tput_tps"] => Some("output_tput_per_gpu".to_owned()),
        ["request_metrics", "throughput", "per_gpu", "input_tput_tps"] => Some("input_tput_per_gpu".to_owned()),
        ["request_metrics", "cache", name @ ("theoretical_cache_hit_rate" | "theoretical_infinite_cache_hit_rate")] => {
            Some((*name).to_owned())
        }
        ["server_metrics", "cache", "gpu_cache_hit_rate"] => Some("server_gpu_cache_hit_rate".to_owned()),
        ["server_metrics", "cache", "cpu_cache_hit_rate"] => Some("server_cpu_cache_hit_rate".to_owned()),
        ["server_metrics", "cache", "external_cache_hit_rate"] => Some("server_external_cache_hit_rate".to_owned()),
        ["server_metrics", "cache", "overall_cache_hit_rate"] => Some("server_overall_cache_hit_rate".to_owned()),
        ["server_metrics", "kv_cache", "gpu_usage_pct"] => Some("gpu_kv_cache_usage_pct".to_owned()),
        ["server_metrics", "kv_cache", "cpu_usage_pct"] => Some("cpu_kv_cache_usage_pct".to_owned()),
        ["server_metrics", "kv_cache", "gpu_total_tokens"] => Some("kv_cache_pool_tokens".to_owned()),
        ["server_metrics", "kv_offload", name @ ("bytes_gpu_to_cpu" | "bytes_cpu_to_gpu" | "time_gpu_to_cpu" | "time_cpu_to_gpu")] => {
            Some(format!("kv_offload_{name}"))
        }
        ["server_metrics", "tokens", "prompt_total"] => Some("total_prompt_tokens".to_owned()),
        ["server_metrics", "tokens", "generation_total"] => Some("total_generation_tokens".to_owned()),
        ["server_metrics", "tokens", "requests_completed"] => Some("total_requests_completed".to_owned()),
        _ => None,
    }
}

fn of_statistic(statistic: &str, quantity: &str) -> Option<String> {
    let percentile = statistic.strip_prefix('p').is_some_and(|n| !n.is_empty() && n.parse::<f64>().is_ok());
    (percentile || matches!(statistic, "mean" | "median" | "std")).then(|| format!("{statistic}_{quantity}"))
}
