//! Axes as an address names them, and what they mean for a scenario.

use paretoscope_domain::Scenario;
use paretoscope_domain::curve::Axes;
use paretoscope_domain::metric::Metric;

/// Quantities offered across, with their group's title, in the order of the menu.
pub const X_QUANTITIES: [(&str, &str); 4] = [
    ("e2el", "End-to-end latency"),
    ("intvty", "Interactivity"),
    ("ttft", "Time to first token"),
    ("e2e_norm_intvty", "Normalised interactivity"),
];

/// Metrics offered up, in the order of the menu.
pub const Y_METRICS: [&str; 3] = ["tput_per_gpu", "output_tput_per_gpu", "input_tput_per_gpu"];

/// Reads the name of an axis: a metric with a good end, the existing dashboard's name of one, or a bare quantity such as `e2el`,
/// which stands for the scenario's own statistic.
///
/// # Errors
/// In words, when it is none of them.
pub fn axis_name(text: &str) -> Result<String, String> {
    let name = match text.trim() {
        "y_tpPerGpu" | "y" => "tput_per_gpu",
        "y_outputTputPerGpu" => "output_tput_per_gpu",
        "y_inputTputPerGpu" => "input_tput_per_gpu",
        other => other,
    };
    if X_QUANTITIES.iter().any(|(quantity, _)| *quantity == name) {
        return Ok(name.to_owned());
    }
    let metric = Metric::parse(name).map_err(|e| e.to_string())?;
    match metric.better {
        Some(_) => Ok(metric.name),
        None => Err(format!("{} has no better end, so no frontier can be drawn on it", metric.label)),
    }
}

/// The statistic that a scenario opens with.
pub(super) fn statistic(scenario: Scenario) -> &'static str {
    if scenario.is_agentic() { "p90" } else { "median" }
}

/// The axes of a view for a scenario; what is not chosen opens as the scenario's default.
#[must_use]
pub fn axes_for(x: Option<&str>, y: Option<&str>, scenario: Scenario) -> Axes {
    let (default_x, default_y) = Axes::default_for(scenario);
    let metric = |name: Option<&str>, default: &str| {
        let name = name.unwrap_or(default);
        let bare = X_QUANTITIES.iter().any(|(quantity, _)| *quantity == name);
        Metric::describe(&if bare { format!("{}_{name}", statistic(scenario)) } else { name.to_owned() })
    };
    Axes { x: metric(x, default_x), y: metric(y, default_y) }
}
