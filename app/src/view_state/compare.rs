//! View of a comparison.

use jiff::civil::Date;
use paretoscope_domain::{RunId, Scenario};

use super::axes::axis_name;
use super::query::{Pairs, Reader, Writer, each_once, write_pairs};

/// What a run is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareBase {
    /// The baseline that the rule finds.
    #[default]
    Auto,
    /// The official curve (`base=official`).
    Official,
    /// This run.
    Run(RunId),
}

/// State of `/compare`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareView {
    /// What is compared with.
    pub base: CompareBase,
    /// The run that is compared; `None` where none, or none that is a run id, was asked for.
    pub head: Option<RunId>,
    /// Last day that the official curve may come from.
    pub as_of: Option<Date>,
    /// Model to draw, where there are several.
    pub model: Option<String>,
    /// Scenario to draw, where there are several.
    pub scenario: Option<Scenario>,
    /// Metric across (or a bare quantity); `None` opens the scenario's own.
    pub x: Option<String>,
    /// Metric up; `None` opens throughput per GPU.
    pub y: Option<String>,
    /// List only the points of which something stands out (`show=notable`).
    pub notable: bool,
    /// Show every metric that both sides state, not only the judged ones (`metrics=all`).
    pub all_metrics: bool,
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

impl CompareView {
    /// Reads a query string; what can't be used is reported in words.
    #[must_use]
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut r = Reader::new(query);
        let base = r.value("base", |text| match text.to_ascii_lowercase().as_str() {
            "official" => Ok(CompareBase::Official),
            "auto" => Ok(CompareBase::Auto),
            id => id.parse().map(CompareBase::Run).map_err(|e| format!("{e}, and `official` is the official curve")),
        });
        let head = r.value("head", |text| text.parse::<RunId>().map_err(|e| e.to_string()));
        let as_of = r.value("as_of", |text| text.parse::<Date>().map_err(|_| "a day is written as 2026-11-01".to_owned()));
        let model = r.text("model");
        let scenario = r.value("scenario", |text| text.parse::<Scenario>().map_err(|e| e.to_string()));
        let (x, y) = (r.value("x", axis_name), r.value("y", axis_name));
        let notable = r.value("show", |text| match text {
            "notable" => Ok(true),
            "all" => Ok(false),
            _ => Err("the table shows `all` points or the `notable` ones".to_owned()),
        });
        let all_metrics = r.value("metrics", |text| match text {
            "all" => Ok(true),
            "judged" => Ok(false),
            _ => Err("the table shows `judged` metrics or `all`".to_owned()),
        });
        let (log_x, log_y, optimal) = (r.flag("logx"), r.flag("logy"), r.flag("optimal"));
        let hidden = each_once(r.all(|k| k == "hide"), str::to_owned);
        let base = base.unwrap_or_default();
        if as_of.is_some() && base != CompareBase::Official {
            r.problems.push(
                "`as_of` is not used: it says from which day the official curve is taken, which is not the baseline here.".to_owned(),
            );
        }
        let (rest, problems) = r.finish();
        let view = Self {
            base,
            head,
            as_of,
            model,
            scenario,
            x,
            y,
            notable: notable.unwrap_or_default(),
            all_metrics: all_metrics.unwrap_or_default(),
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
        let Self { base, head, as_of, model, scenario, x, y, notable, all_metrics, log_x, log_y, optimal, hidden, rest } = self;
        let mut w = Writer::default();
        match base {
            CompareBase::Auto => {}
            CompareBase::Official => w.text("base", Some("official")),
            CompareBase::Run(id) => w.text("base", Some(id)),
        }
        w.text("head", *head);
        w.text("as_of", *as_of);
        w.text("model", model.as_ref());
        w.text("scenario", *scenario);
        w.text("x", x.as_ref());
        w.text("y", y.as_ref());
        w.text("show", notable.then_some("notable"));
        w.text("metrics", all_metrics.then_some("all"));
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

    /// The address of two runs against each other, in a view that is otherwise new.
    #[must_use]
    pub fn of(base: CompareBase, head: RunId) -> Self {
        Self { base, head: Some(head), ..Self::default() }
    }
}
