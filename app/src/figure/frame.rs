//! Where things stand for one size of a drawing: the plot's rectangle, ticks, font sizes, labels beside points.

use paretoscope_domain::frontier::Better;

use super::ticks::Tick;
use super::{Axis, Figure, Mark, Series, SeriesRole, Size};

/// A rectangle, in the drawing's pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

impl Rect {
    pub(super) fn right(&self) -> f64 {
        self.x + self.w
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.h
    }

    fn meets(&self, other: &Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    fn holds(&self, other: &Self) -> bool {
        other.x >= self.x && other.y >= self.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }

    /// Distance of a place from the rectangle; 0 within it.
    fn distance(&self, (x, y): (f64, f64)) -> f64 {
        let outside = |at: f64, from: f64, length: f64| (from - at).max(at - from - length).max(0.0);
        outside(x, self.x, self.w).hypot(outside(y, self.y, self.h))
    }

    /// Whether a line from `a` to `b` touches it.
    fn crossed_by(&self, a: (f64, f64), b: (f64, f64)) -> bool {
        // Liang-Barsky: the part of the segment inside each pair of sides.
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (p, q) in [(-dx, a.0 - self.x), (dx, self.right() - a.0), (-dy, a.1 - self.y), (dy, self.bottom() - a.1)] {
            if p == 0.0 {
                if q < 0.0 {
                    return false;
                }
            } else if p < 0.0 {
                from = from.max(q / p);
            } else {
                to = to.min(q / p);
            }
        }
        from <= to
    }
}

/// Room around the plot for what is not the plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chrome {
    /// Above the y axis' title.
    pub(super) above: f64,
    /// Below the x axis' title.
    pub(super) below: f64,
    /// At the left and right edge.
    pub(super) side: f64,
}

impl Chrome {
    /// The page has title, notice and legend in HTML.
    pub(super) const NONE: Self = Self { above: 0.0, below: 0.0, side: 0.0 };
}

/// A laid-out drawing.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) plot: Rect,
    /// Font size of ticks and labels.
    pub(super) font: f64,
    /// Radius of a marker.
    pub(super) radius: f64,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
}

/// A label beside a point: the text, its point, and how far off its anchor stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label<'a> {
    pub(super) series: &'a str,
    pub(super) text: &'a str,
    pub(super) x: f64,
    pub(super) y: f64,
    /// From the point to the text's anchor (start, middle or end of the text; middle of its height).
    pub(super) dx: f64,
    pub(super) dy: f64,
    pub(super) anchor: Anchor,
}

/// Which part of a text stands at its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Font size of a size's ticks and labels.
pub(super) fn font_of(size: Size) -> f64 {
    match size {
        Size::Wide => 12.0,
        Size::Narrow => 11.0,
        Size::Preview => 19.0,
    }
}

/// At most so many labels are tried, and so many points are kept clear of them.
const MOST_LABELS: usize = 80;
const MOST_OBSTACLES: usize = 400;

impl Frame {
    pub(super) fn lay_out(figure: &Figure, size: Size, chrome: Chrome) -> Self {
        let (width, height) = size.pixels();
        let (width, height) = (f64::from(width), f64::from(height));
        let font = font_of(size);
        let top = (chrome.above + font * 2.4).round();
        let bottom = (chrome.below + font * 3.8).round();
        let h = height - top - bottom;
        // Without points an axis spans nothing that a number could tell.
        let ticks = |axis: &Axis, most: usize| if figure.empty.is_some() { Vec::new() } else { axis.span.ticks(most) };
        let y_ticks = ticks(&figure.y, (h / (font * 3.6)) as usize);
        let widest = y_ticks.iter().map(|t| text_width(&t.text, font)).fold(font * 2.0, f64::max);
        let left = (chrome.side + widest + font * 0.9).round();
        let longest = |w: f64, ticks: &[Tick]| {
            let texts = ticks.iter().map(|t| text_width(&t.text, font) + font * 1.6).fold(0.0, f64::max);
            texts * ticks.len() as f64 <= w
        };
        let right_edge = (chrome.side + font * 1.4).round();
        let w = width - left - right_edge;
        let mut most = (w / (font * 4.5)) as usize;
        let mut x_ticks = ticks(&figure.x, most);
        while most > 2 && !longest(w, &x_ticks) {
            most -= 1;
            x_ticks = ticks(&figure.x, most);
        }
        Self {
            width,
            height,
            plot: Rect { x: left, y: top, w, h },
            font,
            radius: if size == Size::Preview { 8.0 } else { 5.0 },
            x_ticks,
            y_ticks,
        }
    }

    /// Where a point of the figure stands in the drawing.
    pub(super) fn at(&self, figure: &Figure, (x, y): (f64, f64)) -> (f64, f64) {
        (self.plot.x + figure.x.span.share(x) * self.plot.w, self.plot.bottom() - figure.y.span.share(y) * self.plot.h)
    }

    /// Labels beside points that overlap nothing. They stand on the good side of their point first: beyond the frontier there
    /// is nothing else. Baselines have none; the table lists all.
    pub(super) fn labels<'a>(&self, figure: &'a Figure) -> Vec<Label<'a>> {
        if !figure.labels {
            return Vec::new();
        }
        let shown = || figure.series.iter().filter(|s| !s.hidden);
        let good = (
            if figure.x.better() == Better::Lower { -1.0 } else { 1.0 },
            // Up is negative in a drawing.
            if figure.y.better() == Better::Higher { -1.0 } else { 1.0 },
        );
        let compact = figure.is_compact();
        let r = self.radius + 1.0;
        let centres: Vec<(f64, f64)> = shown().flat_map(|s| &s.points).take(MOST_OBSTACLES).map(|p| self.at(figure, (p.x, p.y))).collect();
        let markers: Vec<Rect> = centres.iter().map(|(x, y)| Rect { x: x - r, y: y - r, w: 2.0 * r, h: 2.0 * r }).collect();
        let lines: Vec<((f64, f64), (f64, f64))> = shown()
            .flat_map(|s| s.line.iter().zip(s.line.iter().skip(1)))
            .take(MOST_OBSTACLES)
            .map(|(a, b)| (self.at(figure, *a), self.at(figure, *b)))
            .collect();
        let mut wanted: Vec<(&Series, &Mark)> = shown()
            .filter(|s| s.role != SeriesRole::Baseline)
            .flat_map(|s| s.points.iter().filter(|p| p.beside.is_some() && (p.on_frontier || !compact)).map(move |p| (s, p)))
            .collect();
        wanted.sort_by_key(|(s, p)| (s.role != SeriesRole::Head, !p.on_frontier));
        let mut placed: Vec<Rect> = Vec::new();
        let mut labels = Vec::new();
        for (s, p) in wanted.into_iter().take(MOST_LABELS) {
            let Some(text) = p.beside.as_deref() else { continue };
            let (x, y) = self.at(figure, (p.x, p.y));
            let (w, h) = (text_width(text, self.font), self.font * 1.15);
            let candidates = self.candidates(if p.on_frontier { good } else { (-good.0, -good.1) });
            let free = candidates.into_iter().find_map(|(dx, dy, anchor)| {
                let left = match anchor {
                    Anchor::Start => x + dx,
                    Anchor::Middle => x + dx - w / 2.0,
                    Anchor::End => x + dx - w,
                };
                let place = Rect { x: left, y: y + dy - h / 2.0, w, h };
                let clear = self.plot.holds(&place)
                    && !placed.iter().any(|other| other.meets(&place))
                    && !markers.iter().any(|other| other.meets(&place))
                    && !lines.iter().any(|(a, b)| place.crossed_by(*a, *b))
                    // Nearer to another point, it would name that one.
                    && !centres.iter().any(|c| *c != (x, y) && place.distance(*c) < place.distance((x, y)) + r / 2.0);
                clear.then_some((place, Label { series: &s.key, text, x: p.x, y: p.y, dx, dy, anchor }))
            });
            if let Some((place, label)) = free {
                placed.push(place);
                labels.push(label);
            }
        }
        labels
    }

    /// Places of a label around its point, best first, where the good side is `(gx, gy)`.
    fn candidates(&self, (gx, gy): (f64, f64)) -> [(f64, f64, Anchor); 7] {
        let (near, apart) = (self.radius + 4.0, self.radius + self.font * 0.75);
        let beside = |side: f64| if side < 0.0 { Anchor::End } else { Anchor::Start };
        [
            (gx * near, gy * self.font * 0.55, beside(gx)),
            (gx * (near + 1.0), 0.0, beside(gx)),
            (0.0, gy * apart, Anchor::Middle),
            (-gx * near, gy * self.font * 0.7, beside(-gx)),
            (-gx * (near + 1.0), 0.0, beside(-gx)),
            (-gx * near, -gy * self.font * 0.7, beside(-gx)),
            (0.0, -gy * apart, Anchor::Middle),
        ]
    }
}

/// Width of a text, estimated on the safe side: DejaVu Sans is wider than the systems' fonts.
pub(super) fn text_width(text: &str, font: f64) -> f64 {
    text.chars()
        .map(|c| match c {
            'i' | 'l' | 'j' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.32,
            'f' | 't' | 'r' | '(' | ')' | '/' | '-' | '·' => 0.41,
            'm' | 'w' | 'M' | 'W' | '%' | '→' | '…' => 0.95,
            'A'..='Z' => 0.70,
            _ => 0.62,
        })
        .sum::<f64>()
        * font
}

/// The text cut to `most` pixels, with an ellipsis where something was cut.
pub(super) fn fitting(text: &str, font: f64, most: f64) -> String {
    if text_width(text, font) <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if text_width(&out, font) + font > most {
            out.pop();
            break;
        }
    }
    format!("{}…", out.trim_end())
}
