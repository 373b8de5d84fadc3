//! View of one run.

use paretoscope_domain::{Attempt, RunId, Scenario};

use super::axes::axis_name;
use super::query::{Pairs, Reader, Writer, each_once, write_pairs};

/// Which run to compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaselineParam {
    /// The one that the baseline rule finds.
    #[default]
    Auto,
    /// None, as asked for (`baseline=none`).
    None,
    /// This one.
    Run(RunId),
}

/// State of a run's page (`/runs/{id}`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunView {
    /// Show the run as it stood after this attempt.
    pub attempt: Option<Attempt>,
    /// Run to compare with.
    pub baseline: BaselineParam,
    /// Model to draw, where the run has several.
    pub model: Option<String>,
    /// Scenario to draw, where the run has several.
    pub scenario: Option<Scenario>,
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

impl RunView {
    /// Reads a query string; what can't be used is reported in words.
    #[must_use]
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut r = Reader::new(query);
        let attempt = r.value("attempt", |text| {
            let number = text.parse().ok().and_then(Attempt::new);
            number.ok_or_else(|| "an attempt is a whole number from 1".to_owned())
        });
        let baseline = r.value("baseline", |text| match text.to_ascii_lowercase().as_str() {
            "none" => Ok(BaselineParam::None),
            "auto" => Ok(BaselineParam::Auto),
            id => id.parse().map(BaselineParam::Run).map_err(|e| format!("{e}, and `none` compares with nothing")),
        });
        let model = r.text("model");
        let scenario = r.value("scenario", |text| text.parse::<Scenario>().map_err(|e| e.to_string()));
        let (x, y) = (r.value("x", axis_name), r.value("y", axis_name));
        let (log_x, log_y, optimal) = (r.flag("logx"), r.flag("logy"), r.flag("optimal"));
        let hidden = each_once(r.all(|k| k == "hide"), str::to_owned);
        let (rest, problems) = r.finish();
        let view = Self {
            attempt,
            baseline: baseline.unwrap_or_default(),
            model,
            scenario,
            x,
            y,
            log_x: log_x.unwrap_or_default(),
            log_y: log_y.unwrap_or_default(),
            optimal: optimal.unwrap_or_default(),
            hidden,
            rest,
        };
        (view, problems)
    }

    /// Keys and values in canonical order, defaults left out.
    #[must_use]
    pub fn pairs(&self) -> Pairs {
        let Self { attempt, baseline, model, scenario, x, y, log_x, log_y, optimal, hidden, rest } = self;
        let mut w = Writer::default();
        w.text("attempt", *attempt);
        match baseline {
            BaselineParam::Auto => {}
            BaselineParam::None => w.text("baseline", Some("none")),
            BaselineParam::Run(id) => w.text("baseline", Some(id)),
        }
        w.text("model", model.as_ref());
        w.text("scenario", *scenario);
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
}
