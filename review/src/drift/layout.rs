//! Points of a cell, of a run and of a matrix, made comparable.
//!
//! A cell names its layout in free text (`Agg TP2·EP2`). Where every cell of a configuration names one that can be read, points
//! are compared by layout and concurrency, else by concurrency alone: an unreadable label never makes a difference. DP attention
//! is left out of it, because not every label states it.

use std::collections::BTreeMap;

use paretoscope_domain::cookbook::Cell;
use paretoscope_domain::label;
use paretoscope_domain::point::{Parallel, Point, Topology};
use paretoscope_domain::repo::MatrixPoint;

/// A point as far as all sides can name it: layout, where comparable, and concurrency.
type Coordinate = (Option<String>, u32);

/// Points of one side by coordinate, each with its names.
#[derive(Debug, Default)]
pub(super) struct Side(BTreeMap<Coordinate, Vec<String>>);

impl Side {
    fn add(&mut self, layout: Option<String>, conc: u32, name: String) {
        self.0.entry((layout, conc)).or_default().push(name);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names of points that this side has and `other` lacks. Where it has several at one coordinate and can't tell which of
    /// them the other lacks, all of them are named.
    pub(super) fn beyond(&self, other: &Self) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        for (at, mine) in &self.0 {
            let theirs = other.0.get(at).map_or(0, Vec::len);
            if mine.len() <= theirs {
                continue;
            }
            let extra = mine.len() - theirs;
            if extra == mine.len() {
                names.extend(mine.iter().cloned());
            } else {
                names.push(format!("{extra} of {}", mine.join(", ")));
            }
        }
        (!names.is_empty()).then(|| names.join(", "))
    }
}

/// Whether layouts can be compared: every cell names one that can be read.
pub(super) fn comparable(cells: &[&Cell]) -> bool {
    cells.iter().all(|c| read(&c.label).is_some())
}

/// Whether a cell of that label may hold a point: a label that can't be read excludes none.
pub(super) fn may_be(label: &str, point: &Point) -> bool {
    read(label).is_none_or(|layout| layout == plain(&point.topology()))
}

/// What the cookbook says of a configuration.
pub(super) fn of_cells(cells: &[&Cell], layouts: bool) -> Side {
    let mut side = Side::default();
    for cell in cells {
        let layout = if layouts { read(&cell.label) } else { None };
        for conc in cell.points.iter().flat_map(|p| &p.concs) {
            let name = layout.as_ref().map_or_else(|| format!("c{conc}"), |l| format!("{l} c{conc}"));
            side.add(layout.clone(), *conc, name);
        }
    }
    side
}

/// What a run measured; failed and superseded points are left out.
pub(super) fn of_points(points: &[&Point], layouts: bool) -> Side {
    let mut side = Side::default();
    for p in points.iter().filter(|p| p.counts()) {
        side.add(layouts.then(|| plain(&p.topology())), p.conc, p.label.clone());
    }
    side
}

/// What a master configuration generates.
pub(super) fn of_matrix<'a>(points: impl IntoIterator<Item = &'a MatrixPoint>, layouts: bool) -> Side {
    let mut side = Side::default();
    for p in points {
        let topology = match (p.prefill, p.decode) {
            (Some(prefill), Some(decode)) => Topology::Disaggregated { prefill, decode },
            _ => Topology::Aggregated(p.parallel),
        };
        side.add(layouts.then(|| plain(&topology)), p.conc, label::label(&topology, Some(p.conc)));
    }
    side
}

/// A layout without DP attention.
fn plain(topology: &Topology) -> String {
    match topology {
        Topology::Aggregated(p) => label::parallel(&Parallel { dp_attention: None, ..*p }),
        apart => label::topology(apart),
    }
}

/// The layout that a cell's label names: `Agg TP2·EP2` is `TP2/EP2`, `DEP2` is TP2 and EP2 with DP attention, `TEP4` TP4 and EP4.
/// `None` where it names none, or anything that is not understood.
fn read(text: &str) -> Option<String> {
    let mut parallel = Parallel::default();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()) {
        let upper = word.to_ascii_uppercase();
        if matches!(upper.as_str(), "AGG" | "AGGREGATED" | "DPA" | "DP" | "ATTN" | "ATTENTION") {
            continue;
        }
        let digits = upper.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let (name, size) = (upper.strip_suffix(digits)?, digits.parse::<u32>().ok()?);
        match name {
            "TP" => parallel.tp = Some(size),
            "PP" => parallel.pp = Some(size),
            "EP" => parallel.ep = Some(size),
            "DCP" => parallel.dcp = Some(size),
            "PCP" => parallel.pcp = Some(size),
            "DEP" | "TEP" => (parallel.tp, parallel.ep) = (Some(size), Some(size)),
            _ => return None,
        }
    }
    parallel.tp.map(|_| label::parallel(&parallel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_name_layouts() {
        for (text, layout) in [
            ("Agg TP2·EP2", Some("TP2/EP2")),
            ("Agg TP4", Some("TP4")),
            ("TP4·EP1", Some("TP4")),
            ("Agg TP2·EP2·DPA", Some("TP2/EP2")),
            ("Agg DEP2", Some("TP2/EP2")),
            ("TEP8", Some("TP8/EP8")),
            ("Agg TP8·PP2", Some("TP8/PP2")),
            ("1P1D TP4 → TP8", None),
            ("low latency", None),
            ("", None),
        ] {
            assert_eq!(read(text).as_deref(), layout, "{text}");
        }
    }

    #[test]
    fn points_beyond_the_other_side_are_named() {
        let side = |names: &[(&str, u32)]| {
            let mut side = Side::default();
            for (layout, conc) in names {
                side.add(Some((*layout).to_owned()), *conc, format!("{layout} c{conc}"));
            }
            side
        };
        let (a, b) = (side(&[("TP4", 1), ("TP4", 4), ("TP2/EP2", 16), ("TP2/EP2", 16)]), side(&[("TP4", 1), ("TP2/EP2", 16)]));
        assert_eq!(a.beyond(&b).as_deref(), Some("1 of TP2/EP2 c16, TP2/EP2 c16, TP4 c4"));
        assert_eq!(b.beyond(&a), None);
    }
}
