//! A figure as SVG: for the page (colours from the style sheet, text in the page's font) and standing alone.

use std::fmt::Write as _;

use super::frame::{Anchor, Chrome, Frame, Label, fitting, font_of, text_width};
use super::shape::number as n;
use super::{Figure, Mark, Series, SeriesRole, Size, Theme};

/// Opacity of a baseline's lines and markers.
pub(super) const MUTED: f64 = 0.55;
/// Distance of tick texts from the plot's edge, as plotly has it.
const TICK_GAP: f64 = 3.4;

/// Name of a series' colour in the style sheet.
pub(super) fn series_variable(colour: usize) -> String {
    format!("var(--series-{colour})")
}

/// Where colours come from.
#[derive(Clone, Copy)]
enum Paint {
    /// Variables of the style sheet.
    Variables,
    /// Literal colours.
    Literal(Theme),
}

impl Paint {
    fn series(self, colour: usize) -> String {
        // The same colours as `--series-n` in style/: dark ones on white, light ones on near-black; told apart by the colour-blind.
        const LIGHT: [&str; 8] = ["#0b63b0", "#b8500a", "#0a7a5c", "#a0377f", "#6b5b00", "#5a4fcf", "#b3243b", "#3f6b7a"];
        const DARK: [&str; 8] = ["#63b3ff", "#f29a4a", "#3fcf9f", "#e88ac8", "#d9c54a", "#a99cff", "#ff7d8a", "#8fc1d1"];
        let pick = |palette: [&str; 8]| palette.get(colour).copied().unwrap_or("#777777").to_owned();
        match self {
            Self::Variables => series_variable(colour),
            Self::Literal(Theme::Light) => pick(LIGHT),
            Self::Literal(Theme::Dark) => pick(DARK),
        }
    }

    fn ink(self) -> &'static str {
        match self {
            Self::Variables => "currentColor",
            Self::Literal(Theme::Light) => "#1b1f24",
            Self::Literal(Theme::Dark) => "#e6e9ed",
        }
    }

    fn muted(self) -> &'static str {
        match self {
            Self::Variables => "var(--muted)",
            Self::Literal(Theme::Light) => "#57606a",
            Self::Literal(Theme::Dark) => "#9da7b3",
        }
    }

    fn grid(self) -> &'static str {
        match self {
            Self::Variables => "var(--grid)",
            Self::Literal(Theme::Light) => "#e3e6ea",
            Self::Literal(Theme::Dark) => "#2c323a",
        }
    }

    fn paper(self) -> &'static str {
        match self {
            Self::Variables => "var(--paper)",
            Self::Literal(Theme::Light) => "#ffffff",
            Self::Literal(Theme::Dark) => "#14171b",
        }
    }

    /// Background, stripes and text of the notice band.
    fn notice(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Literal(Theme::Dark) => ("#4a3200", "#5c4000", "#ffe3a6"),
            Self::Variables | Self::Literal(Theme::Light) => ("#fff1cf", "#fbe3ab", "#5c3d00"),
        }
    }
}

/// Text of an element or attribute. Control characters, which XML can't hold, become a replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The drawing for the page.
pub(super) fn page(figure: &Figure, size: Size) -> String {
    let frame = Frame::lay_out(figure, size, Chrome::NONE);
    let name = match size {
        Size::Wide => "wide",
        Size::Narrow => "narrow",
        Size::Preview => "preview",
    };
    // An image's children are no links to a screen reader: with links it is a group.
    let links = !figure.is_compact() && figure.series.iter().any(|s| s.points.iter().any(|p| p.link.is_some()));
    let role = if links { "group" } else { "img" };
    let mut out = String::with_capacity(16_384);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart-svg {name}\" viewBox=\"0 0 {w} {h}\" role=\"{role}\" \
         aria-labelledby=\"chart-{name}-title\" aria-describedby=\"chart-{name}-desc\" font-size=\"{f}\" fill=\"currentColor\" \
         data-plot=\"{px} {py} {pw} {ph}\"><title id=\"chart-{name}-title\">{title}</title><desc id=\"chart-{name}-desc\">{desc}</desc>",
        w = n(frame.width),
        h = n(frame.height),
        f = n(frame.font),
        px = n(frame.plot.x),
        py = n(frame.plot.y),
        pw = n(frame.plot.w),
        ph = n(frame.plot.h),
        title = escaped(&figure.title),
        desc = escaped(&figure.description()),
    );
    let pen = Pen { figure, frame: &frame, paint: Paint::Variables, interactive: true };
    pen.plot(&mut out);
    out.push_str("</svg>");
    out
}

/// A drawing that stands alone.
pub(super) fn standalone(figure: &Figure, size: Size, theme: Theme) -> String {
    let font = font_of(size);
    let paint = Paint::Literal(theme);
    let (width, height) = size.pixels();
    let (width, height) = (f64::from(width), f64::from(height));
    let side = (font * 1.2).round();
    let room = width - 2.0 * side;

    let notice_height = if figure.notice.is_some() { (font * 2.0).round() } else { 0.0 };
    let title_font = (font * 1.35).round();
    let subtitle_height = if figure.subtitle.is_some() { font * 1.5 } else { 0.0 };
    let rows = legend_rows(figure, font, room, if size == Size::Narrow { 3 } else { 2 });
    let above = notice_height + font * 0.7 + title_font * 1.3 + subtitle_height;
    let below = rows.len() as f64 * font * 1.6 + font * 0.4;
    let frame = Frame::lay_out(figure, size, Chrome { above, below, side: font * 0.6 });

    let mut out = String::with_capacity(16_384);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
         aria-labelledby=\"title desc\" font-family=\"'DejaVu Sans', Verdana, sans-serif\" font-size=\"{f}\" fill=\"{ink}\">\
         <title id=\"title\">{title}</title><desc id=\"desc\">{desc}</desc>\
         <rect width=\"{w}\" height=\"{h}\" fill=\"{paper}\"/>",
        w = n(width),
        h = n(height),
        f = n(font),
        ink = paint.ink(),
        title = escaped(&full_title(figure)),
        desc = escaped(&figure.description()),
        paper = paint.paper(),
    );
    if let Some(notice) = &figure.notice {
        notice_band(&mut out, notice, paint, width, notice_height, font, side);
    }
    let mut y = notice_height + font * 0.7 + title_font;
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"700\">{}</text>",
        n(side),
        n(y),
        n(title_font),
        escaped(&fitting(&figure.title, title_font * 1.08, room))
    );
    if let Some(subtitle) = &figure.subtitle {
        y += font * 1.55;
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>",
            n(side),
            n(y),
            paint.muted(),
            escaped(&fitting(subtitle, font, room))
        );
    }
    Pen { figure, frame: &frame, paint, interactive: false }.plot(&mut out);
    let first = height - below + font;
    for (i, row) in rows.iter().enumerate() {
        legend_row(&mut out, row, paint, side, first + i as f64 * font * 1.6, font);
    }
    out.push_str("</svg>");
    out
}

/// The title with the notice, for those who don't see the band.
fn full_title(figure: &Figure) -> String {
    match &figure.notice {
        Some(notice) => format!("{notice}. {}", figure.title),
        None => figure.title.clone(),
    }
}

/// A band with stripes: words and pattern, not colour alone.
fn notice_band(out: &mut String, notice: &str, paint: Paint, width: f64, height: f64, font: f64, side: f64) {
    let (back, stripes, ink) = paint.notice();
    let _ = write!(out, "<rect width=\"{}\" height=\"{h}\" fill=\"{back}\"/><path fill=\"{stripes}\" d=\"", n(width), h = n(height));
    // Stripes stay off the text: at the right end, beyond it.
    let mut x = side * 2.0 + text_width(notice, font * 1.05);
    while x < width {
        let _ = write!(out, "M{},{h}L{},0H{}L{},{h}Z", n(x), n(x + height), n(x + height + font), n(x + font), h = n(height));
        x += font * 2.0;
    }
    let _ = write!(
        out,
        "\"/><text x=\"{}\" y=\"{}\" font-weight=\"700\" fill=\"{ink}\">{}</text>",
        n(side),
        n(height / 2.0 + font * 0.36),
        escaped(&fitting(notice, font * 1.05, width - 2.0 * side))
    );
}

/// What a legend entry of a standalone drawing shows.
enum Entry<'a> {
    Series(&'a Series, String),
    More(String),
}

/// The legend's entries by rows, at most `most` of them; the last entry says how many don't fit.
fn legend_rows(figure: &Figure, font: f64, room: f64, most: usize) -> Vec<Vec<Entry<'_>>> {
    let shown: Vec<&Series> = figure.series.iter().filter(|s| !s.hidden).collect();
    let more_width = text_width("+ 88 more", font) + font;
    let (mut rows, mut row, mut x) = (Vec::new(), Vec::new(), 0.0);
    for (i, s) in shown.iter().enumerate() {
        let mut text = s.name.clone();
        if s.role == SeriesRole::Baseline {
            text.push_str(" (baseline)");
        }
        if let Some(note) = &s.note {
            let _ = write!(text, " · {note}");
        }
        let text = fitting(&text, font, room - font * 4.0 - more_width);
        let width = entry_width(&text, font);
        let is_last = i + 1 == shown.len();
        let needed = x + width + if rows.len() + 1 == most && !is_last { more_width } else { 0.0 };
        if needed > room && !row.is_empty() {
            if rows.len() + 1 == most {
                row.push(Entry::More(format!("+ {} more", shown.len() - i)));
                break;
            }
            rows.push(std::mem::take(&mut row));
            x = 0.0;
        }
        x += width;
        row.push(Entry::Series(s, text));
    }
    if !row.is_empty() {
        rows.push(row);
    }
    rows
}

fn entry_width(text: &str, font: f64) -> f64 {
    font * 2.9 + text_width(text, font) + font * 1.2
}

fn legend_row(out: &mut String, row: &[Entry<'_>], paint: Paint, left: f64, y: f64, font: f64) {
    let mut x = left;
    for entry in row {
        match entry {
            Entry::Series(s, text) => {
                let c = paint.series(s.colour);
                let opacity = opacity(s);
                let _ = write!(
                    out,
                    "<g{opacity}><path d=\"M{},{y}h{}\" stroke=\"{c}\" stroke-width=\"2\"{}/><path d=\"{}\" fill=\"{c}\"/></g>\
                     <text x=\"{}\" y=\"{}\">{}</text>",
                    n(x),
                    n(font * 2.4),
                    dashes(s),
                    s.shape.path(x + font * 1.2, y, font * 0.4),
                    n(x + font * 2.9),
                    n(y + font * 0.36),
                    escaped(text),
                    y = n(y),
                );
                x += entry_width(text, font);
            }
            Entry::More(text) => {
                let _ =
                    write!(out, "<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>", n(x), n(y + font * 0.36), paint.muted(), escaped(text));
            }
        }
    }
}

fn dashes(s: &Series) -> String {
    s.dash.lengths().map(|d| format!(" stroke-dasharray=\"{d}\"")).unwrap_or_default()
}

fn opacity(s: &Series) -> String {
    if s.role == SeriesRole::Baseline { format!(" opacity=\"{MUTED}\"") } else { String::new() }
}

/// Draws what is inside the frame.
struct Pen<'a> {
    figure: &'a Figure,
    frame: &'a Frame,
    paint: Paint,
    /// With links, names and keys for the islands.
    interactive: bool,
}

impl Pen<'_> {
    fn plot(&self, out: &mut String) {
        self.axes(out);
        if let Some(why) = self.figure.is_empty() {
            self.reason(out, why);
            return;
        }
        for s in self.figure.back_to_front() {
            self.series(out, s);
        }
        let labels = self.frame.labels(self.figure);
        if !labels.is_empty() {
            // A halo in the background's colour keeps labels readable over grid lines.
            let _ = write!(
                out,
                "<g class=\"labels\" paint-order=\"stroke\" stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\">",
                self.paint.paper()
            );
            for label in &labels {
                self.label(out, label);
            }
            out.push_str("</g>");
        }
    }

    fn axes(&self, out: &mut String) {
        let Self { figure, frame, paint, .. } = self;
        let plot = frame.plot;
        let _ = write!(out, "<path class=\"grid\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\" d=\"", paint.grid());
        if figure.empty.is_some() {
            let _ = write!(out, "M{},{}h{}v{}h-{}Z", n(plot.x), n(plot.y), n(plot.w), n(plot.h), n(plot.w));
        }
        for t in &frame.x_ticks {
            let (x, _) = frame.at(figure, (t.value, 1.0));
            let _ = write!(out, "M{},{}V{}", n(x), n(plot.y), n(plot.bottom()));
        }
        for t in &frame.y_ticks {
            let (_, y) = frame.at(figure, (1.0, t.value));
            let _ = write!(out, "M{},{}H{}", n(plot.x), n(y), n(plot.right()));
        }
        let _ = write!(out, "\"/><g class=\"ticks\" fill=\"{}\">", paint.muted());
        for t in &frame.x_ticks {
            let (x, _) = frame.at(figure, (t.value, 1.0));
            let y = plot.bottom() + TICK_GAP + frame.font;
            let _ = write!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", n(x), n(y), t.text);
        }
        for t in &frame.y_ticks {
            let (_, y) = frame.at(figure, (1.0, t.value));
            let (x, y) = (plot.x - TICK_GAP, y + frame.font * 0.35);
            let _ = write!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", n(x), n(y), t.text);
        }
        let room = frame.width - frame.font;
        let left = title_left(frame);
        let _ = write!(
            out,
            "</g><g class=\"axis-titles\"><text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text></g>",
            n(left),
            n(plot.y - frame.font * Y_TITLE),
            escaped(&fitting(&figure.y.title_up(), frame.font, room)),
            n(plot.right()),
            n(plot.bottom() + frame.font * X_TITLE),
            escaped(&fitting(&figure.x.title_across(), frame.font, room)),
        );
    }

    fn reason(&self, out: &mut String, why: &str) {
        let plot = self.frame.plot;
        let mut lines: Vec<String> = vec![String::new()];
        for word in why.split(' ') {
            if let Some(line) = lines.last_mut() {
                if !line.is_empty() && text_width(line, self.frame.font) + text_width(word, self.frame.font) > plot.w * 0.85 {
                    lines.push(word.to_owned());
                } else {
                    if !line.is_empty() {
                        line.push(' ');
                    }
                    line.push_str(word);
                }
            }
        }
        let step = self.frame.font * 1.5;
        let mut y = plot.y + plot.h / 2.0 - step * (lines.len() as f64 - 1.0) / 2.0;
        for line in lines {
            let _ = write!(
                out,
                "<text class=\"empty\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                n(plot.x + plot.w / 2.0),
                n(y),
                escaped(&line)
            );
            y += step;
        }
    }

    fn series(&self, out: &mut String, s: &Series) {
        if s.hidden && !self.interactive {
            return;
        }
        let Self { figure, frame, paint, .. } = self;
        let colour = paint.series(s.colour);
        let opacity = opacity(s);
        if self.interactive {
            let role = match s.role {
                SeriesRole::Head => "head",
                SeriesRole::Baseline => "baseline",
                SeriesRole::Overlay => "overlay",
            };
            let hidden = if s.hidden { " display=\"none\"" } else { "" };
            let _ = write!(out, "<g class=\"series s{} {role}\" data-series=\"{}\"{opacity}{hidden}>", s.colour, escaped(&s.key));
        } else {
            let _ = write!(out, "<g{opacity}>");
        }
        let mut ties = String::new();
        for p in &s.points {
            if let Some(tie) = p.tie {
                let ((x, y), (tx, ty)) = (frame.at(figure, (p.x, p.y)), frame.at(figure, tie));
                let _ = write!(ties, "M{},{}L{},{}", n(x), n(y), n(tx), n(ty));
            }
        }
        if !ties.is_empty() && !figure.is_compact() {
            let _ = write!(out, "<path class=\"ties\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\" opacity=\"0.5\" d=\"{ties}\"/>");
        }
        let mut line = String::new();
        for (i, at) in s.line.iter().enumerate() {
            let (x, y) = frame.at(figure, *at);
            let _ = write!(line, "{}{},{}", if i == 0 { 'M' } else { 'L' }, n(x), n(y));
        }
        if s.line.len() > 1 {
            let width = if s.role == SeriesRole::Head { "2" } else { "1.5" };
            let _ = write!(
                out,
                "<path class=\"line\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{} d=\"{line}\"/>",
                dashes(s)
            );
        }
        if figure.is_compact() {
            self.all_at_once(out, s, &colour);
        } else {
            let _ = write!(out, "<g stroke=\"{colour}\" stroke-width=\"1.5\">");
            // Frontier points last, so that they lie on top.
            for p in s.points.iter().filter(|p| !p.on_frontier).chain(s.points.iter().filter(|p| p.on_frontier)) {
                self.point(out, s, p, &colour);
            }
            out.push_str("</g>");
        }
        out.push_str("</g>");
    }

    fn point(&self, out: &mut String, s: &Series, p: &Mark, colour: &str) {
        let (x, y) = self.frame.at(self.figure, (p.x, p.y));
        let r = self.frame.radius;
        let fill = if p.on_frontier { colour } else { self.paint.paper() };
        let outline = s.shape.path(x, y, r);
        let cross = if p.marked {
            let c = r * CROSS;
            let (w, e, t, b) = (n(x - c), n(x + c), n(y - c), n(y + c));
            format!("<path class=\"mark\" fill=\"none\" stroke=\"{}\" d=\"M{w},{t}L{e},{b}M{w},{b}L{e},{t}\"/>", self.paint.ink())
        } else {
            String::new()
        };
        if !self.interactive {
            let _ = write!(out, "<path fill=\"{fill}\" d=\"{outline}\"/>{cross}");
            return;
        }
        let text = escaped(&format!("{}: {}, {}, {}", p.name, p.x_text, p.y_text, p.standing));
        let kind = if p.on_frontier { "pt" } else { "pt dominated" };
        let id = escaped(&p.id);
        let shape = format!("<title>{text}</title><path fill=\"{fill}\" d=\"{outline}\"/>{cross}");
        let _ = match &p.link {
            Some(href) => {
                write!(out, "<a class=\"{kind}\" href=\"{}\" data-point=\"{id}\" aria-label=\"{text}\">{shape}</a>", escaped(href))
            }
            None => write!(out, "<g class=\"{kind}\" data-point=\"{id}\">{shape}</g>"),
        };
    }

    /// Many points: one path for those on the frontier, one for the rest.
    fn all_at_once(&self, out: &mut String, s: &Series, colour: &str) {
        for on_frontier in [false, true] {
            let path: String = s
                .points
                .iter()
                .filter(|p| p.on_frontier == on_frontier)
                .map(|p| {
                    let (x, y) = self.frame.at(self.figure, (p.x, p.y));
                    // A tenth of a pixel is enough for so many.
                    s.shape.path((x * 10.0).round() / 10.0, (y * 10.0).round() / 10.0, COMPACT_RADIUS)
                })
                .collect();
            if !path.is_empty() {
                let fill = if on_frontier { colour } else { "none" };
                let _ = write!(out, "<path fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1\" d=\"{path}\"/>");
            }
        }
    }

    fn label(&self, out: &mut String, label: &Label<'_>) {
        let (x, y) = self.frame.at(self.figure, (label.x, label.y));
        let anchor = match label.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let series = if self.interactive { format!(" data-series=\"{}\"", escaped(label.series)) } else { String::new() };
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\"{anchor}{series}>{}</text>",
            n(x + label.dx),
            n(y + label.dy + self.frame.font * 0.35),
            escaped(label.text)
        );
    }
}

/// Left edge of the y axis' title: above the tick texts, or above the plot where it would not fit otherwise.
pub(super) fn title_left(frame: &Frame) -> f64 {
    let widest = frame.y_ticks.iter().map(|t| text_width(&t.text, frame.font)).fold(0.0, f64::max);
    (frame.plot.x - TICK_GAP - widest).max(frame.font * 0.3)
}

/// Baselines of the axes' titles, in font sizes from the plot's edge.
pub(super) const Y_TITLE: f64 = 1.2;
pub(super) const X_TITLE: f64 = 3.0;
/// Half-width of the cross over a marked point, in radii.
pub(super) const CROSS: f64 = 1.5;
/// Radius of a marker where there are very many.
pub(super) const COMPACT_RADIUS: f64 = 3.0;
