//! Changes of a run against its baseline, point by point.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::frontier::Better;
use crate::metric::Metric;
use crate::point::{Offload, Parallel, Point, Role, Topology, Versioned};
use crate::scenario::Scenario;

/// One metric of two matched points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Change {
    /// The baseline's value.
    pub base: f64,
    /// The run's value.
    pub head: f64,
    /// Change in per cent of the baseline's value; null where that is 0.
    pub pct: Option<f64>,
    /// Whether the change is for the better; null where the metric has no better end or nothing changed.
    pub better: Option<bool>,
}

impl Change {
    /// The change of a metric from `base` to `head`.
    #[must_use]
    pub fn of(metric: &Metric, base: f64, head: f64) -> Self {
        let pct = (base != 0.0).then(|| (head - base) / base * 100.0).filter(|p| p.is_finite());
        let better = metric.better.filter(|_| head != base).map(|end| (head > base) == (end == Better::Higher));
        Self { base, head, pct, better }
    }
}

/// What makes two points of different runs the same measurement: all of the natural key but the run and the fingerprint, and
/// for agentic curves also not the spec method. Never order, name or image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchKey<'a> {
    model: &'a str,
    hardware: &'a str,
    framework: &'a str,
    precision: &'a str,
    spec_method: Option<&'a str>,
    scenario: Scenario,
    conc: u32,
    disagg: bool,
    topology: Topology,
    offload: Offload,
    backend: Option<&'a Versioned>,
}

/// What tells points apart nearly always, in few words: equal keys have equal ones, and the rest is compared.
impl Hash for MatchKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { model, hardware, framework, conc, topology, .. } = self;
        for name in [model, hardware, framework] {
            state.write(name.as_bytes());
        }
        let (a, b) = match topology {
            Topology::Aggregated(p) => ((p.tp, p.ep), (p.pp, p.dp_attention.map(u32::from))),
            Topology::Disaggregated { prefill, decode } => ((prefill.workers, prefill.tp), (decode.workers, decode.tp)),
        };
        let two = |(x, y): (Option<u32>, Option<u32>)| (u64::from(x.unwrap_or(0)) << 32) | u64::from(y.unwrap_or(0));
        state.write_u64(two(a));
        state.write_u64(two(b));
        state.write_u32(*conc);
    }
}

/// Absent sizes are one, as in the natural key.
fn settled(p: Parallel) -> Parallel {
    let one = |size: Option<u32>| Some(size.unwrap_or(1));
    let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = p;
    Parallel { tp, pp: one(pp), ep: one(ep), dcp: one(dcp), pcp: one(pcp), dp_attention: Some(dp_attention.unwrap_or(false)) }
}

fn settled_role(role: Role) -> Role {
    let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = settled(role.parallel());
    Role { tp, pp, ep, dcp, pcp, dp_attention, workers: role.workers, gpus: role.gpus }
}

impl<'a> MatchKey<'a> {
    /// The key of a point.
    #[must_use]
    pub fn of(p: &'a Point) -> Self {
        Self {
            model: &p.model,
            hardware: &p.hardware,
            framework: &p.framework,
            precision: &p.precision,
            spec_method: (!p.scenario.is_agentic()).then_some(p.spec_method.as_str()),
            scenario: p.scenario,
            conc: p.conc,
            disagg: p.disagg,
            topology: settled_topology(p),
            offload: p.offload,
            backend: p.offload_backend.as_ref(),
        }
    }
}

/// The topology of a point with absent sizes as one, for telling equal layouts.
#[must_use]
pub fn settled_topology(p: &Point) -> Topology {
    match p.topology() {
        Topology::Aggregated(parallel) => Topology::Aggregated(settled(parallel)),
        Topology::Disaggregated { prefill, decode } => {
            Topology::Disaggregated { prefill: settled_role(prefill), decode: settled_role(decode) }
        }
    }
}

/// The strongest thing that two points of one configuration have in common, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Alike {
    /// The recipe fingerprint, which both state.
    Fingerprint,
    /// The digest of the image, which both state, and the spec method.
    Digest,
    /// The reference of the image, which both state, and the spec method.
    Image,
    /// The spec method.
    SpecMethod,
    /// The configuration alone.
    Configuration,
}

impl Alike {
    /// What two points of one configuration have in common.
    #[must_use]
    pub fn of(a: &Point, b: &Point) -> Self {
        let stated = |x: &Option<String>, y: &Option<String>| x.as_ref().is_some_and(|x| !x.is_empty() && y.as_ref() == Some(x));
        let spec = a.spec_method == b.spec_method;
        if stated(&a.recipe_fingerprint, &b.recipe_fingerprint) {
            Self::Fingerprint
        } else if spec && stated(&a.image_digest, &b.image_digest) {
            Self::Digest
        } else if spec && stated(&a.image, &b.image) {
            Self::Image
        } else if spec {
            Self::SpecMethod
        } else {
            Self::Configuration
        }
    }
}

/// Which of its configuration's points a pair shows again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Again {
    /// Neither: this is each point's own pair.
    Neither,
    /// The baseline's point, which is another pair's already: the run has more points of the configuration.
    Base,
    /// The run's point, which is another pair's already: the baseline has more points of the configuration.
    Head,
}

/// How two points came to be a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BestMatch {
    /// Points of the baseline that share the configuration.
    pub bases: usize,
    /// Points of the run that share it.
    pub heads: usize,
    /// What the two have in common beyond it.
    pub alike: Alike,
    /// Whether one of them is shown in another pair too.
    pub again: Again,
}

impl BestMatch {
    /// Whether the configuration alone made the pair: nothing had to be chosen.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.bases == 1 && self.heads == 1
    }

    /// For people, where something had to be chosen: among how many, and by what.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        if self.is_plain() {
            return None;
        }
        let count = |n: usize| if n == 1 { "1 point".to_owned() } else { format!("{n} points") };
        let by = match self.alike {
            Alike::Fingerprint => "best match: the same recipe fingerprint",
            Alike::Digest => "best match: another fingerprint, the same image digest",
            Alike::Image => "best match: another fingerprint, the same image reference",
            Alike::SpecMethod => "best match: another fingerprint and image, the same spec method",
            Alike::Configuration => "best match: nothing in common but the configuration",
        };
        let again = match self.again {
            Again::Neither => "",
            Again::Base => "; the baseline's point is shown more than once",
            Again::Head => "; the run's point is shown more than once",
        };
        Some(format!("{} of the baseline and {} of the run share this configuration; {by}{again}", count(self.bases), count(self.heads)))
    }
}

/// Matched points of two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matched<'a> {
    /// Pairs (base, head), in the head's order; a point's own pair stands before those that show it again.
    pub pairs: Vec<(&'a Point, &'a Point)>,
    /// How each pair came about: as long as `pairs`, in the same order.
    pub how: Vec<BestMatch>,
    /// Points whose configuration only the baseline has.
    pub removed: Vec<&'a Point>,
    /// Points whose configuration only the run has.
    pub added: Vec<&'a Point>,
}

impl<'a> Matched<'a> {
    /// The pairs in which each point of either side stands once at most.
    pub fn one_to_one(&self) -> impl Iterator<Item = (&'a Point, &'a Point)> {
        self.with_how().filter(|(_, _, how)| how.again == Again::Neither).map(|(b, h, _)| (b, h))
    }

    /// The pairs and how each came about.
    pub fn with_how(&self) -> impl Iterator<Item = (&'a Point, &'a Point, BestMatch)> {
        self.pairs.iter().zip(&self.how).map(|((b, h), how)| (*b, *h, *how))
    }
}

/// Points of one configuration, with their places in the input.
#[derive(Default)]
struct Group<'a> {
    bases: Vec<(usize, &'a Point)>,
    heads: Vec<(usize, &'a Point)>,
}

/// A pair with the places of its points: (head, whether shown again, base).
type Placed<'a> = ((usize, Again, usize), (&'a Point, &'a Point), BestMatch);

impl<'a> Group<'a> {
    /// Pairs the points of the configuration: the most alike first, each with one; then those left over, each with the point of the
    /// other side that it is most alike to. What is equally alike is told by fingerprint and id, never by order.
    fn settle(self, out: &mut Vec<Placed<'a>>) {
        let Self { bases, heads } = self;
        let how = |alike, again| BestMatch { bases: bases.len(), heads: heads.len(), alike, again };
        if let ([(bi, b)], [(hi, h)]) = (bases.as_slice(), heads.as_slice()) {
            out.push(((*hi, Again::Neither, *bi), (*b, *h), how(Alike::of(b, h), Again::Neither)));
            return;
        }
        let name = |p: &'a Point| (p.recipe_fingerprint.as_deref(), p.id.as_str());
        let mut all: Vec<_> =
            bases.iter().flat_map(|(bi, b)| heads.iter().map(move |(hi, h)| (Alike::of(b, h), *bi, *b, *hi, *h))).collect();
        // The smaller name first, whichever side it is on: the other way round the pairs are the same.
        all.sort_by_cached_key(|(alike, _, b, _, h)| (*alike, name(b).min(name(h)), name(b).max(name(h))));
        let (mut used_bases, mut used_heads) = (std::collections::HashSet::new(), std::collections::HashSet::new());
        for (alike, bi, b, hi, h) in &all {
            if !used_bases.contains(bi) && !used_heads.contains(hi) {
                used_bases.insert(*bi);
                used_heads.insert(*hi);
                out.push(((*hi, Again::Neither, *bi), (*b, *h), how(*alike, Again::Neither)));
            }
        }
        for (alike, bi, b, hi, h) in &all {
            if used_heads.insert(*hi) {
                out.push(((*hi, Again::Base, *bi), (*b, *h), how(*alike, Again::Base)));
            }
            if used_bases.insert(*bi) {
                out.push(((*hi, Again::Head, *bi), (*b, *h), how(*alike, Again::Head)));
            }
        }
    }
}

/// Matches the points that count of a baseline and a run by their configuration. Where a fingerprint tells several apart on one
/// side, each is shown against the best match of the other, and [`Matched::how`] says so.
#[must_use]
pub fn matched<'a>(base: &'a [Point], head: &'a [Point]) -> Matched<'a> {
    let mut place: HashMap<MatchKey<'a>, usize> = HashMap::with_capacity(base.len() + 1);
    let mut groups: Vec<Group<'a>> = Vec::with_capacity(base.len());
    let mut group_of = |p: &'a Point, groups: &mut Vec<Group<'a>>| {
        *place.entry(MatchKey::of(p)).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        })
    };
    for (i, p) in base.iter().enumerate().filter(|(_, p)| p.counts()) {
        let at = group_of(p, &mut groups);
        if let Some(group) = groups.get_mut(at) {
            group.bases.push((i, p));
        }
    }
    for (i, p) in head.iter().enumerate().filter(|(_, p)| p.counts()) {
        let at = group_of(p, &mut groups);
        if let Some(group) = groups.get_mut(at) {
            group.heads.push((i, p));
        }
    }
    let (mut placed, mut removed, mut added) = (Vec::with_capacity(head.len()), Vec::new(), Vec::new());
    for group in groups {
        if group.heads.is_empty() {
            removed.extend(group.bases);
        } else if group.bases.is_empty() {
            added.extend(group.heads);
        } else {
            group.settle(&mut placed);
        }
    }
    placed.sort_unstable_by_key(|(at, _, _)| *at);
    removed.sort_unstable_by_key(|(i, _)| *i);
    added.sort_unstable_by_key(|(i, _)| *i);
    let (pairs, how) = placed.into_iter().map(|(_, pair, how)| (pair, how)).unzip();
    let points = |found: Vec<(usize, &'a Point)>| found.into_iter().map(|(_, p)| p).collect();
    Matched { pairs, how, removed: points(removed), added: points(added) }
}

/// The change of one metric over matched points: (head point, change), for pairs where both have it. Each point of the run once,
/// against its best match.
#[must_use]
pub fn changes<'a>(matched: &Matched<'a>, metric: &Metric) -> Vec<(&'a Point, Change)> {
    matched
        .with_how()
        .filter(|(_, _, how)| how.again != Again::Head)
        .filter_map(|(b, h, _)| {
            let (base, head) = (b.metric(&metric.name)?, h.metric(&metric.name)?);
            Some((h, Change::of(metric, base, head)))
        })
        .collect()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::label::tests::point;
    use crate::natural_key;

    #[test]
    fn change_and_its_direction() {
        let tput = Metric::parse("tput_per_gpu").unwrap();
        let e2el = Metric::parse("p90_e2el").unwrap();
        let c = Change::of(&tput, 100.0, 92.2);
        assert!((c.pct.unwrap() + 7.8).abs() < 1e-9);
        assert_eq!(c.better, Some(false));
        assert_eq!(Change::of(&e2el, 2.0, 1.0).better, Some(true));
        assert_eq!(Change::of(&e2el, 2.0, 2.0).better, None);
        assert_eq!(Change::of(&tput, 0.0, 2.0).pct, None);
    }

    #[test]
    fn absent_sizes_are_one_and_role_gpus_tell_apart() {
        let a = point("TP4", 4);
        let mut b = a.clone();
        (b.pp, b.ep, b.dcp, b.pcp, b.dp_attention) = (Some(1), Some(1), Some(1), Some(1), Some(false));
        assert!(MatchKey::of(&a) == MatchKey::of(&b));
        let role = Role { tp: Some(4), workers: Some(1), gpus: Some(16), ..Role::default() };
        b.set_topology(Topology::Disaggregated { prefill: role, decode: role });
        let mut c = b.clone();
        c.set_topology(Topology::Disaggregated { prefill: role, decode: Role { gpus: Some(48), ..role } });
        assert!(MatchKey::of(&b) != MatchKey::of(&c));
    }

    #[test]
    fn points_match_by_configuration_not_by_image_or_fingerprint() {
        let mut base = point("TP4", 4);
        base.run_id = crate::RunId::new(9).unwrap();
        base.image = Some("old".into());
        base.recipe_fingerprint = Some("aa".into());
        base.spec_method = "none".into();
        let gone = {
            let mut p = point("TP8", 4);
            p.run_id = base.run_id;
            p.id = natural_key::point_id(&p);
            p
        };
        base.id = natural_key::point_id(&base);
        let (bases, heads) = ([base, gone], [point("TP4", 4), point("TP4", 8)]);
        let m = matched(&bases, &heads);
        assert_eq!(m.pairs.len(), 1);
        assert_eq!((m.added.len(), m.removed.len()), (1, 1));
        assert_eq!(m.removed[0].tp, Some(8));
    }

    /// A point with a fingerprint, an image and a spec method.
    fn variant(fingerprint: &str, image: &str, spec: &str) -> Point {
        let mut p = point("TP4", 4);
        p.recipe_fingerprint = (!fingerprint.is_empty()).then(|| fingerprint.into());
        p.image = (!image.is_empty()).then(|| image.into());
        p.spec_method = spec.into();
        p.id = natural_key::point_id(&p);
        p
    }

    /// (base's fingerprint, head's fingerprint, alike, again), in order.
    fn told(base: &[Point], head: &[Point]) -> Vec<(String, String, Alike, Again)> {
        let f = |p: &Point| p.recipe_fingerprint.clone().unwrap_or_default();
        let m = matched(base, head);
        assert!(m.added.is_empty() && m.removed.is_empty());
        m.with_how().map(|(b, h, how)| (f(b), f(h), how.alike, how.again)).collect()
    }

    #[test]
    fn several_of_one_configuration_are_each_shown_against_the_best_match() {
        let s = |t: &str| t.to_owned();
        // Equal fingerprints first, whatever the order.
        assert_eq!(
            told(&[variant("aa", "i", "mtp"), variant("bb", "i", "mtp")], &[variant("bb", "j", "mtp"), variant("aa", "j", "mtp")]),
            [(s("bb"), s("bb"), Alike::Fingerprint, Again::Neither), (s("aa"), s("aa"), Alike::Fingerprint, Again::Neither)]
        );
        // Several of the run against one of the baseline: none is called new.
        assert_eq!(
            told(&[variant("aa", "i", "mtp")], &[variant("bb", "i", "mtp"), variant("aa", "j", "mtp")]),
            [(s("aa"), s("bb"), Alike::Image, Again::Base), (s("aa"), s("aa"), Alike::Fingerprint, Again::Neither)]
        );
        // The other way round: the same, seen from the other side; the run's own pair stands first.
        assert_eq!(
            told(&[variant("bb", "i", "mtp"), variant("aa", "j", "mtp")], &[variant("aa", "i", "mtp")]),
            [(s("aa"), s("aa"), Alike::Fingerprint, Again::Neither), (s("bb"), s("aa"), Alike::Image, Again::Head)]
        );
        // Without an equal fingerprint: the spec method before nothing, the image before the spec method alone.
        assert_eq!(
            told(&[variant("aa", "i", "none"), variant("bb", "j", "mtp"), variant("cc", "k", "mtp")], &[variant("dd", "k", "mtp")])[0],
            (s("cc"), s("dd"), Alike::Image, Again::Neither)
        );
        let words = matched(&[variant("aa", "i", "mtp")], &[variant("bb", "i", "mtp"), variant("aa", "j", "mtp")]).how[0].in_words();
        assert_eq!(
            words.unwrap(),
            "1 point of the baseline and 2 points of the run share this configuration; best match: another fingerprint, the same image \
             reference; the baseline's point is shown more than once"
        );
    }

    #[test]
    fn each_point_of_the_run_has_one_change() {
        let mut bases = [variant("aa", "i", "mtp"), variant("bb", "i", "mtp")];
        let mut heads = [variant("aa", "i", "mtp")];
        for (p, v) in bases.iter_mut().chain(&mut heads).zip([100.0, 50.0, 110.0]) {
            p.metrics.insert("tput_per_gpu".into(), v);
        }
        let m = matched(&bases, &heads);
        assert_eq!(m.pairs.len(), 2);
        let changes = changes(&m, &Metric::describe("tput_per_gpu"));
        assert_eq!(changes.len(), 1);
        assert!((changes[0].1.pct.unwrap() - 10.0).abs() < 1e-9);
    }
}
