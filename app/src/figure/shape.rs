//! What tells series apart besides colour: marker shapes and line dashes, drawn the same by the SVG and by plotly.

use plotly::common::{DashType, MarkerSymbol};

use super::SeriesRole;

/// Shape of a series' markers; plotly's outlines, so that a marker does not change when plotly takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Diamond,
    TriangleUp,
    TriangleDown,
    Pentagon,
    Hexagon,
    Star,
}

impl Shape {
    const ALL: [Self; 8] =
        [Self::Circle, Self::Square, Self::Diamond, Self::TriangleUp, Self::TriangleDown, Self::Pentagon, Self::Hexagon, Self::Star];

    /// Shape of the `again`-th series of a colour: colour and shape together are unique for 64 series.
    pub(super) fn of(colour: usize, again: usize) -> Self {
        let index = (colour + again) % Self::ALL.len();
        Self::ALL.get(index).copied().unwrap_or(Self::Circle)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Square => "square",
            Self::Diamond => "diamond",
            Self::TriangleUp => "triangle-up",
            Self::TriangleDown => "triangle-down",
            Self::Pentagon => "pentagon",
            Self::Hexagon => "hexagon",
            Self::Star => "star",
        }
    }

    pub(super) fn symbol(self) -> MarkerSymbol {
        match self {
            Self::Circle => MarkerSymbol::Circle,
            Self::Square => MarkerSymbol::Square,
            Self::Diamond => MarkerSymbol::Diamond,
            Self::TriangleUp => MarkerSymbol::TriangleUp,
            Self::TriangleDown => MarkerSymbol::TriangleDown,
            Self::Pentagon => MarkerSymbol::Pentagon,
            Self::Hexagon => MarkerSymbol::Hexagon,
            Self::Star => MarkerSymbol::Star,
        }
    }

    /// The outline around (x, y), as path data.
    pub(super) fn path(self, x: f64, y: f64, r: f64) -> String {
        if self == Self::Circle {
            let (left, d) = (number(x - r), number(2.0 * r));
            let r = number(r);
            return format!("M{left},{}a{r},{r} 0 1,0 {d},0a{r},{r} 0 1,0 -{d},0Z", number(y));
        }
        let corners: Vec<(f64, f64)> = match self {
            Self::Circle | Self::Square => vec![(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)],
            Self::Diamond => vec![(1.3, 0.0), (0.0, 1.3), (-1.3, 0.0), (0.0, -1.3)],
            Self::TriangleUp => vec![(-1.1547, 0.5), (1.1547, 0.5), (0.0, -1.0)],
            Self::TriangleDown => vec![(-1.1547, -0.5), (1.1547, -0.5), (0.0, 1.0)],
            Self::Pentagon => vec![(0.951, -0.309), (0.588, 0.809), (-0.588, 0.809), (-0.951, -0.309), (0.0, -1.0)],
            Self::Hexagon => vec![(0.866, -0.5), (0.866, 0.5), (0.0, 1.0), (-0.866, 0.5), (-0.866, -0.5), (0.0, -1.0)],
            Self::Star => [
                (0.225, -0.309),
                (0.951, -0.309),
                (0.363, 0.118),
                (0.588, 0.809),
                (0.0, 0.382),
                (-0.588, 0.809),
                (-0.363, 0.118),
                (-0.951, -0.309),
                (-0.225, -0.309),
                (0.0, -1.0),
            ]
            .map(|(a, b)| (a * 1.4, b * 1.4))
            .to_vec(),
        };
        // From the first corner on by differences, the same for every point: they compress to nothing.
        let mut path = String::new();
        let mut last = (0.0, 0.0);
        for (i, (dx, dy)) in corners.into_iter().enumerate() {
            let (step_x, step_y) = if i == 0 { (x + dx * r, y + dy * r) } else { ((dx - last.0) * r, (dy - last.1) * r) };
            path.push(if i == 0 { 'M' } else { 'l' });
            path.push_str(&number(step_x));
            path.push(',');
            path.push_str(&number(step_y));
            last = (dx, dy);
        }
        path.push('Z');
        path
    }
}

/// Dash of a frontier line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Solid,
    Dash,
    Dot,
    DashDot,
    LongDash,
    LongDashDot,
}

impl Stroke {
    /// Solid for the run itself, dashed for its baseline, and a pattern of its own for each overlay in turn.
    pub(super) fn of(role: SeriesRole, overlay: usize) -> Self {
        const OVERLAYS: [Stroke; 4] = [Stroke::DashDot, Stroke::LongDash, Stroke::Dot, Stroke::LongDashDot];
        match role {
            SeriesRole::Head => Self::Solid,
            SeriesRole::Baseline => Self::Dash,
            SeriesRole::Overlay => OVERLAYS.get(overlay % OVERLAYS.len()).copied().unwrap_or(Self::DashDot),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Dash => "dash",
            Self::Dot => "dot",
            Self::DashDot => "dashdot",
            Self::LongDash => "longdash",
            Self::LongDashDot => "longdashdot",
        }
    }

    pub(super) fn plotly(self) -> DashType {
        match self {
            Self::Solid => DashType::Solid,
            Self::Dash => DashType::Dash,
            Self::Dot => DashType::Dot,
            Self::DashDot => DashType::DashDot,
            Self::LongDash => DashType::LongDash,
            Self::LongDashDot => DashType::LongDashDot,
        }
    }

    /// Lengths of dashes and gaps for the SVG; none for a solid line. The island gives plotly the same (islands/chart.rs).
    pub(super) fn lengths(self) -> Option<&'static str> {
        Some(match self {
            Self::Solid => return None,
            Self::Dash => "7 5",
            Self::Dot => "2 4",
            Self::DashDot => "9 4 2 4",
            Self::LongDash => "14 5",
            Self::LongDashDot => "14 4 2 4",
        })
    }
}

/// A coordinate with at most two decimals, and no more characters than it needs.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_and_shape_are_unique_for_64_series() {
        let mut seen = std::collections::HashSet::new();
        for i in 0..64 {
            assert!(seen.insert((i % 8, Shape::of(i % 8, i / 8).name())));
        }
    }

    #[test]
    fn coordinates_are_short() {
        for (value, text) in [(1.0, "1"), (1.5, "1.5"), (-0.001, "0"), (100.0, "100"), (12.345, "12.35"), (-3.10, "-3.1")] {
            assert_eq!(number(value), text);
        }
        assert_eq!(Shape::Circle.path(10.0, 20.0, 5.0), "M5,20a5,5 0 1,0 10,0a5,5 0 1,0 -10,0Z");
        assert_eq!(Shape::Square.path(0.0, 0.0, 5.0), "M5,5l-10,0l0,-10l10,0Z");
    }
}
