//! Curves: which points belong together, and their frontier on two axes.

use serde::{Deserialize, Serialize};

use crate::frontier::{self, Better, Direction, Place, Verdict};
use crate::ids::PointId;
use crate::metric::Metric;
use crate::point::Point;
use crate::scenario::Scenario;
use crate::vocabulary::Vocabulary;

/// What makes a curve within a run: model, scenario, hardware, framework, precision and, for fixed sequences, the spec method.
/// Agentic curves pool spec methods and offload.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CurveKey {
    /// Model key.
    pub model: String,
    /// Scenario.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub scenario: Scenario,
    /// Hardware key.
    pub hardware: String,
    /// Framework key.
    pub framework: String,
    /// Precision key.
    pub precision: String,
    /// Spec method key; null for agentic curves, which pool them.
    pub spec_method: Option<String>,
}

impl CurveKey {
    /// The curve of a point.
    #[must_use]
    pub fn of(p: &Point) -> Self {
        Self {
            model: p.model.clone(),
            scenario: p.scenario,
            hardware: p.hardware.clone(),
            framework: p.framework.clone(),
            precision: p.precision.clone(),
            spec_method: (!p.scenario.is_agentic()).then(|| p.spec_method.clone()),
        }
    }

    /// One line for storage and comparison.
    #[must_use]
    pub fn as_text(&self) -> String {
        let Self { model, scenario, hardware, framework, precision, spec_method } = self;
        format!("{model}|{scenario}|{hardware}|{framework}|{precision}|{}", spec_method.as_deref().unwrap_or(""))
    }

    /// Reads [`Self::as_text`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('|').map(str::to_owned);
        let (model, scenario, hardware, framework, precision, spec) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some(Self {
            model,
            scenario: scenario.parse().ok()?,
            hardware,
            framework,
            precision,
            spec_method: (!spec.is_empty()).then_some(spec),
        })
    }

    /// For people: `DeepSeek-V4.1-Flash · agentic traces · GB300 · SGLang · FP4`.
    #[must_use]
    pub fn title(&self, words: &Vocabulary) -> String {
        let mut parts = vec![
            words.model_label(&self.model).to_owned(),
            self.scenario.title(),
            words.hardware_label(&self.hardware).to_owned(),
            words.framework_label(&self.framework).to_owned(),
            words.precision_label(&self.precision).to_owned(),
        ];
        if let Some(spec) = self.spec_method.as_deref().filter(|s| *s != "none") {
            parts.push(words.spec_label(spec).to_owned());
        }
        parts.join(" · ")
    }
}

/// Axes of a chart or a frontier. The y axis always has a good end; so has the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// Metric across.
    pub x: Metric,
    /// Metric up.
    pub y: Metric,
}

/// Why two metrics cannot span a frontier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} has no better end, so no frontier can be drawn on it")]
pub struct NoDirection {
    /// Name of the metric.
    pub name: String,
    /// Whether it was asked for as x.
    pub is_x: bool,
}

impl Axes {
    /// Direction of the frontier on these axes.
    ///
    /// # Errors
    /// When a metric has no better end.
    pub fn direction(&self) -> Result<Direction, NoDirection> {
        let better =
            |m: &Metric, is_x: bool| -> Result<Better, NoDirection> { m.better.ok_or_else(|| NoDirection { name: m.name.clone(), is_x }) };
        Ok(Direction { x: better(&self.x, true)?, y: better(&self.y, false)? })
    }

    /// Axes that open for a scenario: P90 E2EL for agentic traces, median interactivity for fixed sequences, against throughput.
    #[must_use]
    pub fn default_for(scenario: Scenario) -> (&'static str, &'static str) {
        (if scenario.is_agentic() { "p90_e2el" } else { "median_intvty" }, "tput_per_gpu")
    }
}

/// One point of a curve on the axes asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CurvePoint {
    /// Point.
    pub point_id: PointId,
    /// Its label.
    pub label: String,
    /// Value of the x metric; null where it was not measured.
    pub x: Option<f64>,
    /// Value of the y metric; null where it was not measured.
    pub y: Option<f64>,
    /// Whether it is on the frontier.
    pub on_frontier: bool,
    /// Label of the frontier point with the smallest y among those that dominate it.
    pub dominated_by: Option<String>,
    /// All frontier points that dominate it, smallest y first.
    pub dominators: Vec<PointId>,
}

/// A curve on two axes, with its frontier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Curve {
    /// For people.
    pub series: String,
    /// What makes the curve.
    pub key: CurveKey,
    /// Points that count; failed and superseded ones are not among them.
    pub total: usize,
    /// Points with both metrics finite and above zero.
    pub eligible: usize,
    /// Points that lack one.
    pub invalid: usize,
    /// Distinct coordinates on the frontier.
    pub frontier: usize,
    /// Verdict of the coverage rule.
    pub verdict: Verdict,
    /// The points, in the run's order.
    pub points: Vec<CurvePoint>,
    /// Frontier points by x ascending, one per distinct coordinate: the line that is drawn.
    pub line: Vec<PointId>,
}

/// The curves of a run on two axes; the points keep their order. Failed and superseded points take no part.
///
/// # Errors
/// When an axis has no better end.
pub fn curves(points: &[Point], axes: &Axes, words: &Vocabulary) -> Result<Vec<Curve>, NoDirection> {
    let direction = axes.direction()?;
    let mut order: Vec<CurveKey> = Vec::new();
    let mut groups: std::collections::HashMap<CurveKey, Vec<&Point>> = std::collections::HashMap::new();
    for p in points.iter().filter(|p| p.counts()) {
        let key = CurveKey::of(p);
        let group = groups.entry(key.clone()).or_default();
        if group.is_empty() {
            order.push(key);
        }
        group.push(p);
    }
    Ok(order
        .into_iter()
        .map(|key| {
            let members = groups.remove(&key).unwrap_or_default();
            one_curve(key, &members, axes, direction, words)
        })
        .collect())
}

fn one_curve(key: CurveKey, members: &[&Point], axes: &Axes, direction: Direction, words: &Vocabulary) -> Curve {
    let coordinates: Vec<(Option<f64>, Option<f64>)> = members.iter().map(|p| (p.metric(&axes.x.name), p.metric(&axes.y.name))).collect();
    let f = frontier::frontier(&coordinates, direction);
    let id = |i: &usize| members.get(*i).map(|p| p.id.clone());
    let points = members
        .iter()
        .zip(&coordinates)
        .zip(&f.places)
        .map(|((p, (x, y)), place)| {
            let by: &[usize] = if let Place::Dominated(by) = place { by } else { &[] };
            CurvePoint {
                point_id: p.id.clone(),
                label: p.label.clone(),
                x: *x,
                y: *y,
                on_frontier: *place == Place::Frontier,
                dominated_by: by.first().and_then(|i| members.get(*i)).map(|p| p.label.clone()),
                dominators: by.iter().filter_map(id).collect(),
            }
        })
        .collect();
    Curve {
        series: key.title(words),
        key,
        total: members.len(),
        eligible: f.eligible(),
        invalid: f.invalid(),
        frontier: f.count(),
        verdict: Verdict::of(&f),
        points,
        line: f.line.iter().filter_map(id).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tests::point;

    #[test]
    fn keys_round_trip() {
        let key = CurveKey::of(&point("TP4", 1));
        assert_eq!(CurveKey::parse(&key.as_text()), Some(key));
        assert_eq!(CurveKey::parse("a|b"), None);
    }

    #[test]
    fn agentic_curves_pool_spec_methods_and_fixed_ones_do_not() {
        let mut a = point("TP4", 1);
        a.metrics.insert("p90_e2el".into(), 1.0);
        a.metrics.insert("tput_per_gpu".into(), 1.0);
        let mut b = a.clone();
        b.spec_method = "none".into();
        b.conc = 2;
        let axes = Axes { x: Metric::parse("p90_e2el").unwrap(), y: Metric::parse("tput_per_gpu").unwrap() };
        let words = Vocabulary::shipped().unwrap();
        assert_eq!(curves(&[a.clone(), b.clone()], &axes, &words).unwrap().len(), 1);
        for p in [&mut a, &mut b] {
            p.scenario = Scenario::Fixed { isl: 1024, osl: 1024 };
        }
        assert_eq!(curves(&[a.clone(), b], &axes, &words).unwrap().len(), 2);
        a.status = crate::point::Status::Failed;
        assert!(curves(&[a], &axes, &words).unwrap().is_empty(), "a failed point is on no curve");
    }
}
