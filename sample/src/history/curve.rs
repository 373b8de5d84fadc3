//! How fast an invented deployment is: smooth curves on which more users give more throughput and less interactivity.
//! Only `+ − × ÷` and `√` on fixed constants, so that every platform gives the same digits.

use oorandom::Rand64;

use super::plan::{Deployment, Lane, Role, Workload};
use crate::json::Object;

/// Tokens of an average agentic request.
const AGENTIC_INPUT: f64 = 92_000.0;
const AGENTIC_OUTPUT: f64 = 640.0;
/// Seconds an agentic job measures.
pub(super) const AGENTIC_WINDOW: f64 = 3600.0;

/// The speed of one point.
pub(super) struct Speed {
    /// Median seconds to the first token.
    ttft: f64,
    /// Median seconds between tokens.
    tpot: f64,
    /// Median seconds to the last token.
    e2el: f64,
    /// Tokens of a request.
    input: f64,
    output: f64,
    conc: f64,
    /// GPUs that input, output and total throughput are counted over.
    prefill_gpus: f64,
    decode_gpus: f64,
    gpus: f64,
}

impl Speed {
    pub(super) fn of(
        lane: &Lane,
        workload: Workload,
        spec: &str,
        deployment: &Deployment,
        conc: u32,
        gain: f64,
        random: &mut Rand64,
    ) -> Self {
        let (prefill, decode, disaggregated, offloaded) = match *deployment {
            Deployment::Aggregated { role, offload, .. } => (role, role, false, offload.is_some()),
            Deployment::Disaggregated { prefill, decode, .. } => (prefill, decode, true, false),
        };
        let (prefill_gpus, decode_gpus) = (f64::from(prefill.gpus()), f64::from(decode.gpus()));
        let (input, output) = match workload {
            Workload::Fixed { isl, osl } => (f64::from(isl), f64::from(osl)),
            Workload::Agentic => (AGENTIC_INPUT, AGENTIC_OUTPUT),
        };
        // Long prompts take from an aggregated server's decoding what a prefill worker does elsewhere.
        let share_for_decoding = match workload {
            Workload::Fixed { isl, osl } if isl > osl => {
                if disaggregated {
                    0.8
                } else {
                    0.35
                }
            }
            _ => 1.0,
        };
        let (spec_pace, spec_capacity) = if spec == "none" { (1.0, 1.0) } else { (1.55, 1.2) };
        let offload_capacity = if offloaded { 1.25 } else { 1.0 };
        let noise = 1.0 + 0.02 * (random.rand_float() - 0.5);

        let conc = f64::from(conc);
        let pace = lane.pace * gain * spec_pace * role_pace(decode) * noise;
        let capacity =
            lane.capacity * gain * spec_capacity * offload_capacity * share_for_decoding * role_capacity(decode) * decode_gpus * noise;
        let tpot = (1.0 + conc * pace / capacity) / pace;
        let ttft = match workload {
            Workload::Fixed { .. } => {
                let prefill_rate = 4.0 * lane.capacity * gain * prefill_gpus;
                0.05 + input / prefill_rate * (1.0 + conc / (4.0 * prefill_gpus))
            }
            Workload::Agentic => 0.28 / gain * (1.0 + conc / (6.0 * prefill_gpus)),
        };
        Self {
            ttft,
            tpot,
            e2el: ttft + (output - 1.0) * tpot,
            input,
            output,
            conc,
            prefill_gpus,
            decode_gpus,
            gpus: if disaggregated { prefill_gpus + decode_gpus } else { decode_gpus },
        }
    }

    /// Requests per second of the whole deployment.
    fn requests_per_second(&self) -> f64 {
        0.97 * self.conc / self.e2el
    }

    /// Requests that an agentic job completes.
    pub(super) fn agentic_requests(&self) -> i64 {
        (self.requests_per_second() * AGENTIC_WINDOW) as i64
    }

    /// The metrics of a fixed-sequence row.
    pub(super) fn fixed_metrics(&self) -> Object {
        let rate = self.requests_per_second();
        let (input, output) = (rate * self.input, rate * self.output);
        let mut metrics = Object::new()
            .with("tput_per_gpu", round(3, (input + output) / self.gpus))
            .with("output_tput_per_gpu", round(3, output / self.decode_gpus))
            .with("input_tput_per_gpu", round(3, input / self.prefill_gpus));
        let families = [
            ("ttft", self.ttft, [1.25, 1.0, 2.2, 4.5, 0.9]),
            ("tpot", self.tpot, [1.01, 1.0, 1.08, 1.16, 0.05]),
            ("itl", self.tpot, [1.01, 1.0, 1.3, 1.9, 0.4]),
            ("e2el", self.e2el, [1.02, 1.0, 1.12, 1.3, 0.1]),
        ];
        for (family, median, factors) in families {
            for (statistic, factor) in ["mean", "median", "p90", "p99", "std"].into_iter().zip(factors) {
                let seconds = round(6, median * factor);
                metrics = metrics.with(format!("{statistic}_{family}"), seconds);
                if family == "tpot" && statistic != "std" {
                    metrics = metrics.with(format!("{statistic}_intvty"), round(4, 1.0 / seconds));
                }
            }
        }
        metrics
    }

    /// The `request_metrics` of an agentic row.
    pub(super) fn agentic_metrics(&self) -> Object {
        let rate = self.requests_per_second();
        let (input, output) = (rate * self.input, rate * self.output);
        let itl = statistics(self.tpot, [1.0, 0.93, 1.14, 1.46, 1.8, 0.38]);
        let latency = Object::new()
            .with("ttft", object(statistics(self.ttft, [1.0, 0.62, 1.15, 2.3, 3.3, 1.5])))
            .with("e2el", object(statistics(self.e2el, [1.0, 0.63, 1.14, 2.37, 3.5, 1.2])))
            .with("itl", object(itl))
            .with("tpot", object(itl))
            .with("intvty", reciprocals(itl, [1.0; 5]))
            .with("e2e_norm_intvty", reciprocals(itl, [0.7, 0.78, 0.68, 0.55, 0.5]));
        let tokens = Object::new()
            .with("input", object(statistics(self.input, [1.0, 0.88, 1.3, 1.86, 2.4, 0.7])))
            .with("output_actual", object(statistics(self.output, [1.0, 0.6, 1.2, 2.35, 3.1, 1.3])));
        let per_gpu = Object::new()
            .with("total_tput_tps", round(5, (input + output) / self.gpus))
            .with("output_tput_tps", round(5, output / self.decode_gpus))
            .with("input_tput_tps", round(5, input / self.prefill_gpus));
        let throughput = Object::new()
            .with("input", tokens_per_second(input))
            .with("output", tokens_per_second(output))
            .with("total", tokens_per_second(input + output))
            .with("duration_seconds", AGENTIC_WINDOW)
            .with("per_gpu", per_gpu);
        Object::new()
            .with("latency", latency)
            .with("tokens", tokens)
            .with("throughput", throughput)
            .with("cache", Object::new().with("theoretical_cache_hit_rate", 0.968))
    }

    /// The share of an agentic row's prompt tokens that were in the GPUs' cache: less, the more users share it.
    pub(super) fn cache_hit_rate(&self) -> f64 {
        round(5, 0.96 / (1.0 + 0.0015 * self.conc))
    }
}

/// One user's speed against four GPUs.
fn role_pace(role: Role) -> f64 {
    let by_size = match role.tp {
        1 => 0.62,
        2 => 0.8,
        4 => 1.0,
        8 => 1.18,
        _ => 1.25,
    };
    if role.dp_attention { 0.72 * by_size } else { by_size }
}

/// Each GPU's saturated output against four GPUs: wide tensor parallelism spends it on communication, expert
/// parallelism and DP attention win some back.
fn role_capacity(role: Role) -> f64 {
    let by_size = match role.tp {
        1 => 1.16,
        2 => 1.09,
        4 => 1.0,
        8 => 0.8,
        _ => 0.72,
    };
    match (role.ep > 1, role.dp_attention) {
        (_, true) => 1.55 * by_size,
        (true, false) => 1.12 * by_size,
        (false, false) => by_size,
    }
}

const STATISTICS: [&str; 6] = ["mean", "p50", "p75", "p90", "p95", "std"];

/// The six statistics of an agentic row, to the five decimals it is rounded to.
fn statistics(mean: f64, factors: [f64; 6]) -> [f64; 6] {
    factors.map(|factor| round(5, mean * factor))
}

fn object(values: [f64; 6]) -> Object {
    STATISTICS.into_iter().zip(values).fold(Object::new(), |object, (name, value)| object.with(name, value))
}

/// Tokens per second and user: one over each of the seconds, times a factor; it has no `std`.
fn reciprocals(seconds: [f64; 6], factors: [f64; 5]) -> Object {
    STATISTICS
        .into_iter()
        .zip(seconds)
        .zip(factors)
        .fold(Object::new(), |object, ((name, seconds), factor)| object.with(name, round(5, factor / seconds)))
}

fn tokens_per_second(rate: f64) -> Object {
    Object::new().with("tokens_per_second", round(5, rate))
}

/// Rounds to a number of decimals.
pub(super) fn round(decimals: i32, value: f64) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}
