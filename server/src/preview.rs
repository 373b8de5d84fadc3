//! A run's chart as an image of its own: SVG, and the PNG that pasted links show.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use paretoscope_app::figure::{Figure, FigureInput, SeriesInput, SeriesRole, Size, Theme};
use paretoscope_domain::curve::{Axes, curves};
use paretoscope_domain::run::RunDetail;
use resvg::{tiny_skia, usvg};

use crate::app::App;
use crate::export::notices;
use crate::http::Problem;

/// The one font of images: DejaVu Sans, Bitstream Vera licence (style/fonts/).
const FONT: &[u8] = include_bytes!("../../style/fonts/DejaVuSans-subset.ttf");
/// Its bold cut, for titles.
const FONT_BOLD: &[u8] = include_bytes!("../../style/fonts/DejaVuSans-Bold-subset.ttf");

/// Series that an image shows at most; the rest is said in words.
const SERIES_MAX: usize = 8;

fn figure(app: &App, detail: &RunDetail, axes: Axes) -> Result<Figure, Problem> {
    let words = &app.words.vocabulary;
    let mut all = curves(&detail.points, &axes, words).map_err(|e| Problem::parameter(if e.is_x { "x" } else { "y" }, format!("{e}.")))?;
    let more = all.len().saturating_sub(SERIES_MAX);
    all.truncate(SERIES_MAX);
    let run = &detail.run;
    let mut said = notices(run).into_iter();
    let notice = run.kind.notice().is_some() || run.synthetic;
    let notice = if notice { said.next() } else { None };
    let title = match all.as_slice() {
        [one] => one.series.clone(),
        [] => format!("Run {}", run.run_id),
        [first, ..] => format!("{} and {} more curves", first.series, all.len() - 1 + more),
    };
    let series = all
        .into_iter()
        .enumerate()
        .map(|(colour, curve)| SeriesInput { marked: marked(detail), ..SeriesInput::new(curve.series.clone(), curve, SeriesRole::Head, colour) })
        .collect();
    Ok(Figure::build(FigureInput { subtitle: notices(run).pop(), notice, ..FigureInput::new(title, axes, series) }))
}

/// Points drawn with a mark: more failed requests than their gate allows.
fn marked(detail: &RunDetail) -> HashSet<paretoscope_domain::PointId> {
    use paretoscope_domain::point::reason::HIGH_FAILURE;
    detail.points.iter().filter(|p| p.reasons.iter().any(|r| r == HIGH_FAILURE)).map(|p| p.id.clone()).collect()
}

/// The chart as a file of its own.
///
/// # Errors
/// When an axis has no better end.
pub fn chart_svg(app: &App, detail: &RunDetail, axes: Axes) -> Result<String, Problem> {
    Ok(figure(app, detail, axes)?.standalone_svg(Size::Wide, Theme::Light))
}

/// Why an image could not be drawn.
#[derive(Debug, thiserror::Error)]
enum ImageError {
    #[error("the chart's SVG can't be read back")]
    Svg(#[from] usvg::Error),
    #[error("there is no room for an image of this size")]
    Size,
    #[error("the image can't be encoded: {0}")]
    Encoding(String),
}

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    Arc::clone(FONTS.get_or_init(|| {
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_font_data(FONT.to_vec());
        fonts.load_font_data(FONT_BOLD.to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        Arc::new(fonts)
    }))
}

fn rasterise(svg: &str) -> Result<Vec<u8>, ImageError> {
    let options = usvg::Options { fontdb: fonts(), font_family: "DejaVu Sans".to_owned(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or(ImageError::Size)?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| ImageError::Encoding(e.to_string()))
}

/// The preview image, 1200 × 630.
///
/// # Errors
/// When an axis has no better end, or the image can't be drawn.
pub fn png(app: &App, detail: &RunDetail, axes: Axes) -> Result<Vec<u8>, Problem> {
    let svg = figure(app, detail, axes)?.standalone_svg(Size::Preview, Theme::Light);
    rasterise(&svg).map_err(|e| Problem::internal(&e))
}
