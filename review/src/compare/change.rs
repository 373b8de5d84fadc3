//! Every metric of a pair of points: both values, the change, and what it is worth.

use std::collections::BTreeSet;
use std::sync::Arc;

use paretoscope_domain::delta::Change;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};

use super::noise::Cursors;
use super::relevance::{Relevance, Thresholds};
use super::uplift::Tally;

/// What a change is to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Within the band that earlier runs give, or too small to matter.
    WithinNoise,
    /// Beyond the band where there is one, and from the metric's first threshold.
    Notable,
    /// Beyond the band where there is one, and from its second.
    Large,
}

impl Class {
    /// Both judgements in one: what is not significant is noise, whatever its size; what is too small does not matter, whatever its
    /// significance. Where noise is not known, size alone decides.
    #[must_use]
    pub fn of(relevance: Relevance, significant: Option<bool>) -> Self {
        match (significant, relevance) {
            (Some(false), _) | (_, Relevance::Small) => Self::WithinNoise,
            (_, Relevance::Notable) => Self::Notable,
            (_, Relevance::Large) => Self::Large,
        }
    }

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::WithinNoise => "within noise",
            Self::Notable => "notable",
            Self::Large => "large",
        }
    }
}

/// Why a change can't be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = MissingValue))]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// The baseline's row doesn't state the metric.
    Base,
    /// The run's row doesn't state it.
    Head,
    /// The baseline's value is 0: there is no change in per cent.
    BaseIsZero,
}

impl Missing {
    /// For people.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Base => "the baseline's row doesn't state it",
            Self::Head => "the run's row doesn't state it",
            Self::BaseIsZero => "the baseline's value is 0, so there is no change in per cent",
        }
    }
}

/// One metric of a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Delta {
    /// The baseline's value; null where its row doesn't state it.
    pub base: Option<f64>,
    /// The run's value; null where its row doesn't state it.
    pub head: Option<f64>,
    /// Change in per cent of the baseline's value; null where it can't be told.
    pub pct: Option<f64>,
    /// Whether the change is for the better; null where the metric has no better end, nothing changed, or a value is missing.
    pub better: Option<bool>,
    /// Whether its size matters, noise aside; null where it can't be told or the metric has no better end.
    pub relevance: Option<Relevance>,
    /// Whether it is beyond the noise of earlier runs; null where they are too few.
    pub significant: Option<bool>,
    /// Band of that noise, ± per cent; null where earlier runs are too few.
    pub band: Option<f64>,
    /// Values of earlier runs behind the band, or too few for one.
    pub earlier: usize,
    /// Both judgements in one; null where the change can't be judged.
    pub class: Option<Class>,
    /// Why there is no change; null where there is one.
    pub missing: Option<Missing>,
}

impl Delta {
    /// A metric of a pair.
    fn of(column: &Column, base: Option<f64>, head: Option<f64>, (band, earlier): (Option<f64>, usize)) -> Self {
        let (Some(b), Some(h)) = (base, head) else {
            return Self { base, head, missing: Some(if base.is_none() { Missing::Base } else { Missing::Head }), ..Self::default() };
        };
        let Change { pct, better, .. } = Change::of(&column.metric, b, h);
        // Nothing at all changed, whatever the value is.
        let pct = pct.or((b == h).then_some(0.0));
        let relevance = column.thresholds.zip(pct).map(|(t, pct)| t.judge(pct));
        let significant = relevance.and(band.zip(pct)).map(|(band, pct)| pct.abs() > band);
        Self {
            base,
            head,
            pct,
            better,
            relevance,
            significant,
            band: if relevance.is_some() { band } else { None },
            earlier,
            class: relevance.map(|r| Class::of(r, significant)),
            missing: pct.is_none().then_some(Missing::BaseIsZero),
        }
    }

    /// What it is worth, for people: the class, told apart by what is known of noise.
    #[must_use]
    pub fn in_words(&self) -> &'static str {
        match (self.class, self.significant) {
            (None, _) => "",
            (Some(Class::WithinNoise), None) => "small",
            (Some(Class::WithinNoise), Some(true)) => "small but real",
            (Some(class), _) => class.title(),
        }
    }

    /// Whether it matters and is beyond noise, as far as that is known.
    #[must_use]
    pub fn stands_out(&self) -> bool {
        self.class.is_some_and(|c| c > Class::WithinNoise)
    }
}

/// The metrics of a pair by ascending name. In JSON an object: name → delta.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deltas(Vec<(Arc<str>, Delta)>);

impl Deltas {
    /// A metric's delta; `None` where neither row states it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Delta> {
        let at = self.0.binary_search_by(|(n, _)| (**n).cmp(name)).ok()?;
        self.0.get(at).map(|(_, d)| d)
    }

    /// All of them, by ascending name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Delta)> {
        self.0.iter().map(|(n, d)| (&**n, d))
    }
}

impl Serialize for Deltas {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, delta) in &self.0 {
            map.serialize_entry(&**name, delta)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Deltas {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = std::collections::BTreeMap::<String, Delta>::deserialize(deserializer)?;
        Ok(Self(map.into_iter().map(|(name, delta)| (name.into(), delta)).collect()))
    }
}

/// A metric that some point of either side states.
#[derive(Clone, Debug)]
struct Column {
    name: Arc<str>,
    metric: Metric,
    thresholds: Option<Thresholds>,
    /// Whether the ratios of this metric are counted.
    tallied: bool,
}

/// All metrics that any pair states, by ascending name: described once for all pairs.
pub(super) struct Columns(Vec<Column>);

impl Columns {
    /// The metrics of some points; the ratios of those in `tallied` are to be counted.
    pub(super) fn of<'a>(points: impl Iterator<Item = &'a Point>, tallied: &BTreeSet<String>) -> Self {
        let mut names: Vec<&'a str> = Vec::new();
        for p in points {
            // Rows of a run state the same metrics, nearly always: a look is enough.
            if p.metrics.len() == names.len() && p.metrics.keys().zip(&names).all(|(a, b)| a == b) {
                continue;
            }
            let mut at = 0;
            for name in p.metrics.keys() {
                while names.get(at).is_some_and(|n| *n < name.as_str()) {
                    at += 1;
                }
                if names.get(at) != Some(&name.as_str()) {
                    names.insert(at, name);
                }
                at += 1;
            }
        }
        let column = |name: &str| {
            let metric = Metric::describe(name);
            Column { name: name.into(), thresholds: Thresholds::of(&metric), metric, tallied: tallied.contains(name) }
        };
        Self(names.into_iter().map(column).collect())
    }

    /// A place to count ratios in, a tally a metric.
    pub(super) fn tallies(&self) -> Vec<Tally> {
        vec![Tally::default(); self.0.len()]
    }

    /// Each counted metric with its tally.
    pub(super) fn counted<'a>(&'a self, tallies: &'a [Tally]) -> impl Iterator<Item = (&'a Metric, Tally)> {
        self.0.iter().zip(tallies).filter(|(c, _)| c.tallied).map(|(c, t)| (&c.metric, *t))
    }

    /// The deltas of a pair; `earlier` are the configuration's earlier points in the order of time. Ratios are counted in `tallies`,
    /// where there are any.
    pub(super) fn deltas(&self, base: &Point, head: &Point, earlier: &[&Point], tallies: &mut [Tally]) -> Deltas {
        let mut past = Cursors::new(earlier);
        let (mut bases, mut heads) = (base.metrics.iter().peekable(), head.metrics.iter().peekable());
        let mut out = Vec::with_capacity(base.metrics.len().max(head.metrics.len()));
        let mut tallies = tallies.iter_mut();
        for column in &self.0 {
            let tally = tallies.next().filter(|_| column.tallied);
            let name = &*column.name;
            let b = bases.next_if(|(n, _)| n.as_str() == name).map(|(_, v)| *v);
            let h = heads.next_if(|(n, _)| n.as_str() == name).map(|(_, v)| *v);
            if let (Some(tally), Some((b, h))) = (tally, b.zip(h)) {
                tally.count(b, h);
            }
            if b.is_some() || h.is_some() {
                out.push((Arc::clone(&column.name), Delta::of(column, b, h, past.band(name))));
            }
        }
        Deltas(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_and_significance_make_the_class() {
        use Class::{Large, Notable, WithinNoise};
        for (relevance, significant, class) in [
            (Relevance::Small, None, WithinNoise),
            (Relevance::Small, Some(true), WithinNoise),
            (Relevance::Notable, None, Notable),
            (Relevance::Notable, Some(true), Notable),
            (Relevance::Notable, Some(false), WithinNoise),
            (Relevance::Large, None, Large),
            (Relevance::Large, Some(true), Large),
            (Relevance::Large, Some(false), WithinNoise),
        ] {
            assert_eq!(Class::of(relevance, significant), class, "{relevance:?} {significant:?}");
        }
    }

    #[test]
    fn a_delta_says_what_is_missing() {
        let column = |name: &str| {
            let metric = Metric::describe(name);
            Column { name: name.into(), thresholds: Thresholds::of(&metric), metric, tallied: false }
        };
        let tput = column("tput_per_gpu");
        let d = Delta::of(&tput, None, Some(5.0), (None, 0));
        assert_eq!((d.base, d.head, d.pct, d.class, d.missing), (None, Some(5.0), None, None, Some(Missing::Base)));
        assert_eq!(Delta::of(&tput, Some(1.0), None, (None, 0)).missing, Some(Missing::Head));
        let zero = Delta::of(&tput, Some(0.0), Some(2.0), (None, 0));
        assert_eq!((zero.pct, zero.missing, zero.class), (None, Some(Missing::BaseIsZero), None));
        let same = Delta::of(&tput, Some(0.0), Some(0.0), (None, 0));
        assert_eq!((same.pct, same.missing, same.class), (Some(0.0), None, Some(Class::WithinNoise)));
        let plain = Delta::of(&column("kv_cache_pool_tokens"), Some(1.0), Some(2.0), (Some(1.0), 9));
        assert_eq!((plain.pct, plain.class, plain.band, plain.significant), (Some(100.0), None, None, None), "it has no better end");
        let noisy = Delta::of(&tput, Some(100.0), Some(93.0), (Some(8.0), 6));
        assert_eq!((noisy.relevance, noisy.significant, noisy.class), (Some(Relevance::Large), Some(false), Some(Class::WithinNoise)));
        let sure = Delta::of(&tput, Some(100.0), Some(93.0), (Some(1.0), 6));
        assert_eq!((sure.significant, sure.class, sure.better), (Some(true), Some(Class::Large), Some(false)));
    }
}
