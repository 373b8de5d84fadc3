//! A run's chart as an image of its own: SVG, and the PNG that pasted links show. The figure is the page's.

use std::sync::{Arc, OnceLock};

use paretoscope_app::figure::{Figure, FigureInput, Size, Theme};
use paretoscope_app::view_state::RunView;
use paretoscope_app::{BaselineChoice, run_figure};
use paretoscope_domain::Scenario;
use paretoscope_domain::curve::Axes;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::run::RunDetail;
use resvg::{tiny_skia, usvg};

use crate::app::App;
use crate::export::warnings;
use crate::http::Problem;

/// The one font of images: DejaVu Sans, Bitstream Vera licence (style/fonts/).
const FONT: &[u8] = include_bytes!("../../style/fonts/DejaVuSans-subset.ttf");
/// Its bold cut, for titles.
const FONT_BOLD: &[u8] = include_bytes!("../../style/fonts/DejaVuSans-Bold-subset.ttf");

/// The figure of a view.
fn figure(app: &App, view: &RunView, detail: &RunDetail, baseline: &BaselineChoice) -> Figure {
    let base = match baseline {
        BaselineChoice::Some { run, points, .. } => Some((&**run, points.as_slice())),
        BaselineChoice::None { .. } => None,
    };
    Figure::build(run_figure(&app.words.vocabulary, view, detail, base).unwrap_or_else(|| nothing(detail)))
}

/// The figure of a run that holds no points: axes without a curve.
fn nothing(detail: &RunDetail) -> FigureInput {
    let (x, y) = Axes::default_for(Scenario::AgenticTraces);
    let axes = Axes { x: Metric::describe(x), y: Metric::describe(y) };
    let warnings = warnings(&detail.run).join(" · ");
    let notice = (!warnings.is_empty()).then_some(warnings);
    FigureInput { notice, ..FigureInput::new(format!("Run {}", detail.run.run_id), axes, Vec::new()) }
}

/// The chart of a view as a file of its own.
pub fn chart_svg(app: &App, view: &RunView, detail: &RunDetail, baseline: &BaselineChoice) -> String {
    figure(app, view, detail, baseline).standalone_svg(Size::Wide, Theme::Light)
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

/// The preview image, 1200 × 630: the view that the run's page opens with.
///
/// # Errors
/// When the image can't be drawn.
pub fn png(app: &App, detail: &RunDetail, baseline: &BaselineChoice) -> Result<Vec<u8>, Problem> {
    let svg = figure(app, &RunView::default(), detail, baseline).standalone_svg(Size::Preview, Theme::Light);
    rasterise(&svg).map_err(|e| Problem::internal(&e))
}
