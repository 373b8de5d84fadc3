//! View of the explorer and of the evals page with runs laid over each other.

use paretoscope_domain::Scenario;

use super::axes::{axis_name, statistic};
use super::query::{Pairs, Reader, Writer, each_once, write_pairs};

/// State of `/inference` and `/evaluation`. The existing dashboard's parameters open the same view; those that belong to later
/// capabilities are kept as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayView {
    /// Run ids as given, each once, leading zeros gone. May be malformed: the page says so.
    pub ids: Vec<String>,
    /// Model to draw: a key, an alias or a shown name.
    pub model: Option<String>,
    /// Scenario to draw.
    pub scenario: Option<Scenario>,
    /// Precisions to draw; empty for all.
    pub precisions: Vec<String>,
    /// Eval task to show; `None` for all.
    pub task: Option<String>,
    /// Metric across (or a bare quantity); `None` opens the scenario's own.
    pub x: Option<String>,
    /// Metric up; `None` opens throughput per GPU.
    pub y: Option<String>,
    /// Logarithmic x axis.
    pub log_x: bool,
    /// Logarithmic y axis.
    pub log_y: bool,
    /// Draw only points on the frontier.
    pub optimal: bool,
    /// Keys of the series that the legend hides.
    pub hidden: Vec<String>,
    /// Keys this view doesn't know, kept.
    pub rest: Pairs,
}

/// `unofficialRun`, `unofficialruns`, in any letter case.
fn names_runs(key: &str) -> bool {
    key.eq_ignore_ascii_case("unofficialrun") || key.eq_ignore_ascii_case("unofficialruns")
}

/// An id as GitHub writes it: leading zeros say nothing.
fn tidy_id(text: &str) -> String {
    let bare = text.trim_start_matches('0');
    if !bare.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) { bare.to_owned() } else { text.to_owned() }
}

impl OverlayView {
    /// Reads a query string; what can't be used is reported in words.
    #[must_use]
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut r = Reader::new(query);
        let scenario_of = |text: &str| text.parse::<Scenario>().map_err(|e| e.to_string());
        let ids = each_once(r.all(names_runs), tidy_id);
        let model = r.text("model");
        let old_model = r.text("g_model");
        let scenario = r.value("scenario", scenario_of);
        let old_scenario = r.value("i_seq", scenario_of);
        let precisions = each_once(r.all(|k| k == "precision"), str::to_lowercase);
        let old_precisions = each_once(r.all(|k| k == "i_prec"), str::to_lowercase);
        let task = r.text("task");
        let old_task = r.text("e_bench");
        let (x, y) = (r.value("x", axis_name), r.value("y", axis_name));
        let scenario = scenario.or(old_scenario);
        let old_x = Self::old_x(&mut r, scenario);
        let old_y = Self::old_y(&mut r);
        let (log_x, log_y, optimal) = (r.flag("logx"), r.flag("logy"), r.flag("optimal"));
        let (old_optimal, old_log) = (r.flag("i_optimal"), r.flag("i_log"));
        let hidden = each_once(r.all(|k| k == "hide"), str::to_owned);
        let (rest, problems) = r.finish();
        let view = Self {
            ids,
            model: model.or(old_model),
            scenario,
            precisions: if precisions.is_empty() { old_precisions } else { precisions },
            task: task.or(old_task),
            x: x.or(old_x),
            y: y.or(old_y),
            log_x: log_x.unwrap_or_default(),
            log_y: log_y.or(old_log).unwrap_or_default(),
            optimal: optimal.or(old_optimal).unwrap_or_default(),
            hidden,
            rest,
        };
        (view, problems)
    }

    /// `i_xmode` and `i_pctl`: the quantity, and the percentile where one was picked.
    fn old_x(r: &mut Reader, scenario: Option<Scenario>) -> Option<String> {
        let quantity = r.value("i_xmode", |text| match text {
            "interactivity" => Ok("intvty"),
            "e2e" => Ok("e2el"),
            "ttft" => Ok("ttft"),
            "e2e-normalized-interactivity" => Ok("e2e_norm_intvty"),
            _ => Err("the modes are interactivity, e2e, ttft and e2e-normalized-interactivity".to_owned()),
        });
        let percentile = r.value("i_pctl", |text| match text.to_ascii_lowercase().as_str() {
            "p90" => Ok("p90"),
            "p75" => Ok("p75"),
            _ => Err("the percentiles are p90 and p75".to_owned()),
        });
        match (quantity, percentile) {
            (None, None) => None,
            // Fixed sequences have no percentile to pick.
            (Some(quantity), _) if scenario.is_some_and(|s| !s.is_agentic()) => Some(format!("median_{quantity}")),
            (None, Some(_)) if scenario.is_some_and(|s| !s.is_agentic()) => None,
            (None, Some(percentile)) => Some(format!("{percentile}_e2el")),
            (Some(quantity), Some(percentile)) => Some(format!("{percentile}_{quantity}")),
            (Some(quantity), None) => Some(scenario.map_or_else(|| quantity.to_owned(), |s| format!("{}_{quantity}", statistic(s)))),
        }
    }

    /// `i_metric`; metrics that a later capability brings stay in the address.
    fn old_y(r: &mut Reader) -> Option<String> {
        let text = r.text("i_metric")?;
        match axis_name(&text) {
            Ok(name) => Some(name),
            Err(_) => {
                r.problems.push(format!("`i_metric={text}` can't be drawn here yet, so the chart shows throughput per GPU."));
                r.keep("i_metric", text);
                None
            }
        }
    }

    /// Keys and values in canonical order, defaults left out.
    #[must_use]
    pub fn pairs(&self) -> Pairs {
        let Self { ids, model, scenario, precisions, task, x, y, log_x, log_y, optimal, hidden, rest } = self;
        let mut w = Writer::default();
        w.list("unofficialRun", ids);
        w.text("model", model.as_ref());
        w.text("scenario", *scenario);
        w.list("precision", precisions);
        w.text("task", task.as_ref());
        w.text("x", x.as_ref());
        w.text("y", y.as_ref());
        w.flag("logx", *log_x);
        w.flag("logy", *log_y);
        w.flag("optimal", *optimal);
        w.list("hide", hidden);
        w.finish(rest)
    }

    /// The query string of this view (without `?`).
    #[must_use]
    pub fn to_query(&self) -> String {
        write_pairs(&self.pairs())
    }

    /// The same view with other series hidden.
    #[must_use]
    pub fn hiding(&self, keys: &[&str]) -> Self {
        Self { hidden: keys.iter().map(|k| (*k).to_owned()).collect(), ..self.clone() }
    }

    /// The same view without one run.
    #[must_use]
    pub fn without(&self, id: &str) -> Self {
        Self { ids: self.ids.iter().filter(|i| *i != id).cloned().collect(), ..self.clone() }
    }
}
