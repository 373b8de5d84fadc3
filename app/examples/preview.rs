//! Renders every page from hand-made values to `/tmp/preview/*.html`, style sheets inlined, for a look without a server:
//! `cargo run -p paretoscope-app --features ssr --example preview`.

#[path = "../tests/reference/mod.rs"]
#[expect(clippy::expect_used, clippy::indexing_slicing, reason = "values made by hand")]
mod reference;

use std::path::Path;

use paretoscope_app::{Page, ProblemPage};

fn main() -> std::io::Result<()> {
    let out = Path::new("/tmp/preview");
    std::fs::create_dir_all(out)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../style");
    let mut sheets: Vec<_> =
        std::fs::read_dir(&root)?.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "css")).collect();
    sheets.sort();
    let css = sheets.iter().map(std::fs::read_to_string).collect::<std::io::Result<String>>()?;
    let site = reference::site();
    let problem = ProblemPage {
        status: 404,
        title: "Run 123 is not known".into(),
        detail: "No artifacts of a run with this id were ever read.".into(),
        advice: vec![
            ("Read its artifacts: `paretoscope ingest <folder> --run-id 123`".into(), None),
            ("Look through all runs".into(), Some("/runs".into())),
        ],
    };
    let pages = [
        ("run", reference::run_page("")),
        ("run-p75", reference::run_page("x=p75_e2el&logy=1&attempt=1&foo=1&y=std_itl")),
        ("run-empty", reference::run_page("x=p90_ttft&baseline=none")),
        ("fixed", reference::fixed_page("")),
        ("point", reference::point_page()),
        ("runs", reference::runs_page("")),
        ("runs-none", reference::runs_page("q=nothing&kind=official")),
        ("home", reference::home_page()),
        ("inference", reference::overlay_page("unofficialRun=41261902147,40809149952,77", false)),
        ("inference-none", reference::overlay_page("", false)),
        ("evaluation", reference::overlay_page("unofficialRun=41261902147", true)),
        ("problem", Page::Problem(problem)),
    ];
    for (name, page) in pages {
        let html = paretoscope_app::render(&site, page);
        for theme in ["light", "dark"] {
            let html = html.replacen("<link rel=\"stylesheet\" href=\"/assets/app.css\">", &format!("<style>{css}</style>"), 1).replacen(
                "<html ",
                &format!("<html data-theme=\"{theme}\" data-hydrated "),
                1,
            );
            std::fs::write(out.join(format!("{name}-{theme}.html")), html)?;
        }
    }
    Ok(())
}
