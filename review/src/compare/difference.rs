//! What differs besides the figures: commit, image, recipe fingerprint, server arguments and environment, as far as each is known.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::fact::{FactKind, RunFact};
use paretoscope_domain::point::Point;
use serde::{Deserialize, Serialize};

use super::side::Side;

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// The commit measured.
    Commit,
    /// The image's reference.
    Image,
    /// The image's digest.
    Digest,
    /// The router in front.
    Router,
    /// The recipe fingerprint.
    RecipeFingerprint,
    /// A server argument.
    Argument,
    /// An environment variable of the server.
    Environment,
}

impl About {
    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Image => "image",
            Self::Digest => "image digest",
            Self::Router => "router",
            Self::RecipeFingerprint => "recipe fingerprint",
            Self::Argument => "server argument",
            Self::Environment => "environment",
        }
    }
}

/// Something that is not the same on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Difference {
    /// What it is about.
    pub about: About,
    /// Name of the argument or variable; null for the others.
    pub name: Option<String>,
    /// The baseline's value; null where it has none (an argument that isn't given). Empty: given without a value.
    pub base: Option<String>,
    /// The run's value; likewise.
    pub head: Option<String>,
    /// Labels of the points it concerns; empty: the whole run.
    pub points: Vec<String>,
    /// Whether it is about an eval's server.
    pub eval: bool,
}

/// How far a kind of difference is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Known {
    /// What it is about.
    pub about: About,
    /// Pairs (or places) where both sides are known and equal.
    pub same: usize,
    /// Where both are known and differ.
    pub different: usize,
    /// Where a side is not known.
    pub unknown: usize,
    /// The same, as a sentence.
    pub sentence: String,
}

/// Everything that differs, and how far it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Differences {
    /// What differs.
    pub found: Vec<Difference>,
    /// How far each kind is known.
    pub known: Vec<Known>,
}

/// A field of a point that may differ: its value as text, `None` where the row doesn't state it.
type Field = (About, fn(&Point) -> Option<Cow<'_, str>>);

/// Looks through both sides; `pairs` are the matched points, each once.
pub(super) fn between(base: &Side<'_>, head: &Side<'_>, pairs: &[(&Point, &Point)]) -> Differences {
    let mut out = Differences::default();
    commits(base, head, &mut out);
    let fields: [Field; 4] = [
        (About::Image, |p| p.image.as_deref().map(Cow::Borrowed)),
        (About::Digest, |p| p.image_digest.as_deref().map(Cow::Borrowed)),
        (About::Router, |p| {
            let router = p.router.as_ref()?;
            Some(router.version.as_ref().map_or(Cow::Borrowed(router.name.as_str()), |v| Cow::Owned(format!("{} {v}", router.name))))
        }),
        (About::RecipeFingerprint, |p| p.recipe_fingerprint.as_deref().filter(|f| !f.is_empty()).map(Cow::Borrowed)),
    ];
    for which in fields {
        field(which, pairs, &mut out);
    }
    for (about, kind) in [(About::Argument, FactKind::Argument), (About::Environment, FactKind::Env)] {
        facts(about, kind, base, head, &mut out);
    }
    out
}

/// The commits that each side's runs measured.
fn commits(base: &Side<'_>, head: &Side<'_>, out: &mut Differences) {
    let of = |side: &Side<'_>| -> BTreeSet<String> { side.runs.iter().filter_map(|(d, _)| d.run.head_sha.clone()).collect() };
    let (b, h) = (of(base), of(head));
    if b.is_empty() || h.is_empty() {
        let who = if b.is_empty() { base.title() } else { head.title() };
        out.known.push(Known {
            about: About::Commit,
            same: 0,
            different: 0,
            unknown: 1,
            sentence: format!("The commit of {who} is not known."),
        });
        return;
    }
    // A short sha is equal to the commit it is the start of.
    let covers = |xs: &BTreeSet<String>, ys: &BTreeSet<String>| {
        xs.iter().all(|x| ys.iter().any(|y| x.starts_with(y.as_str()) || y.starts_with(x.as_str())))
    };
    let same = covers(&b, &h) && covers(&h, &b);
    let text = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(", ");
    let sentence = if same { "Both measured the same commit." } else { "They measured different commits." };
    out.known.push(Known {
        about: About::Commit,
        same: usize::from(same),
        different: usize::from(!same),
        unknown: 0,
        sentence: sentence.to_owned(),
    });
    if !same {
        let (base, head) = (Some(text(b)), Some(text(h)));
        out.found.push(Difference { about: About::Commit, name: None, base, head, points: Vec::new(), eval: false });
    }
}

/// A field of matched points; equal differences are told once, with the points they concern.
fn field<'a>((about, get): Field, pairs: &[(&'a Point, &'a Point)], out: &mut Differences) {
    let (mut same, mut unknown, mut stated) = (0, 0, false);
    let mut different: BTreeMap<(Cow<'a, str>, Cow<'a, str>), Vec<&'a str>> = BTreeMap::new();
    let (mut no_base, mut no_head) = (0, 0);
    for (b, h) in pairs {
        let (x, y) = (get(b), get(h));
        stated |= x.is_some() || y.is_some();
        no_base += usize::from(x.is_none());
        no_head += usize::from(y.is_none());
        match (x, y) {
            (Some(x), Some(y)) if x == y => same += 1,
            (Some(x), Some(y)) => different.entry((x, y)).or_default().push(&h.label),
            _ => unknown += 1,
        }
    }
    // A router that nobody states is no gap: most points have none.
    if pairs.is_empty() || (about == About::Router && !stated) {
        return;
    }
    let count: usize = different.values().map(Vec::len).sum();
    let all = count == pairs.len() && different.len() == 1;
    let title = about.title();
    let mut parts: Vec<String> = Vec::new();
    if same > 0 {
        parts.push(format!("equal for {same}"));
    }
    if count > 0 {
        parts.push(format!("different for {count}"));
    }
    if unknown > 0 {
        let who = match (no_base, no_head) {
            (_, 0) => " (the baseline's rows don't state it)",
            (0, _) => " (the run's rows don't state it)",
            _ => "",
        };
        parts.push(format!("not known for {unknown}{who}"));
    }
    let points = if pairs.len() == 1 { "matched point" } else { "matched points" };
    let sentence = format!("The {title} is {} of {} {points}.", parts.join(", "), pairs.len());
    out.known.push(Known { about, same, different: count, unknown, sentence });
    out.found.extend(different.into_iter().map(|((base, head), points)| Difference {
        about,
        name: None,
        base: Some(base.into_owned()),
        head: Some(head.into_owned()),
        points: if all { Vec::new() } else { points.into_iter().map(str::to_owned).collect() },
        eval: false,
    }));
}

/// Place of a fact: a point's label or none, and whether it is an eval's.
type Place<'a> = (Option<&'a str>, bool);

/// A difference of arguments or variables, told once with the labels it concerns: name, base, head, whether it is an eval's.
type Told = (String, Option<String>, Option<String>, bool);

/// Arguments or variables: compared only where both sides have facts of the kind about the same place, so that what is not known on
/// one side is not called missing there.
fn facts(about: About, kind: FactKind, base: &Side<'_>, head: &Side<'_>, out: &mut Differences) {
    let (b, h) = (by_place(base.evidence(), kind), by_place(head.evidence(), kind));
    let title = about.title();
    let plural = if about == About::Argument { "Server arguments" } else { "Environment variables" };
    if b.is_empty() || h.is_empty() {
        let who = match (b.is_empty(), h.is_empty()) {
            (true, true) => "either side".to_owned(),
            (true, false) => base.title(),
            _ => head.title(),
        };
        let sentence = format!("{plural} of {who} are not known: no artifact that was read states them.");
        out.known.push(Known { about, same: 0, different: 0, unknown: 1, sentence });
        return;
    }
    let (mut same, mut different) = (0, 0);
    let mut found: BTreeMap<Told, Vec<String>> = BTreeMap::new();
    let mut unknown: Vec<String> = Vec::new();
    let places: BTreeSet<Place<'_>> = b.keys().chain(h.keys()).copied().collect();
    for place in places {
        let (Some(x), Some(y)) = (b.get(&place), h.get(&place)) else {
            let (label, eval) = place;
            unknown.push(format!("{}{}", label.unwrap_or("the whole run"), if eval { " (eval)" } else { "" }));
            continue;
        };
        let names: BTreeSet<&str> = x.keys().chain(y.keys()).copied().collect();
        for name in names {
            let value = |side: &BTreeMap<&str, String>| side.get(name).cloned();
            let (x, y) = (value(x), value(y));
            if x == y {
                same += 1;
            } else {
                different += 1;
                let labels = found.entry((name.to_owned(), x, y, place.1)).or_default();
                labels.extend(place.0.map(str::to_owned));
            }
        }
    }
    let mut sentence = format!("{plural} known on both sides: {same} equal, {different} different.");
    if !unknown.is_empty() {
        sentence.push_str(&format!(" On one side only, so not compared: {title}s of {}.", unknown.join(", ")));
    }
    out.known.push(Known { about, same, different, unknown: unknown.len(), sentence });
    out.found.extend(found.into_iter().map(|((name, base, head, eval), points)| Difference {
        about,
        name: Some(name),
        base,
        head,
        points,
        eval,
    }));
}

/// Values by place and name; several values of one name stand together.
fn by_place<'a>(facts: impl Iterator<Item = &'a RunFact>, kind: FactKind) -> BTreeMap<Place<'a>, BTreeMap<&'a str, String>> {
    let mut out: BTreeMap<Place<'a>, BTreeMap<&'a str, BTreeSet<&'a str>>> = BTreeMap::new();
    for f in facts.filter(|f| f.kind == kind) {
        out.entry((f.point.as_deref(), f.eval)).or_default().entry(&f.key).or_default().insert(&f.value);
    }
    let joined = |values: BTreeSet<&str>| values.into_iter().collect::<Vec<_>>().join(" | ");
    out.into_iter().map(|(place, names)| (place, names.into_iter().map(|(n, v)| (n, joined(v))).collect())).collect()
}
