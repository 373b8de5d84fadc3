//! Builds the web assets that the server embeds: the browser's half through
//! wasm-bindgen, the style sheets, plotly.js and everything in `style/static`.
//! Each gets a name with a hash of its content, and a Brotli and a gzip copy.
//!
//! ```text
//! paretoscope-web-build WASM SITE [--release]
//! ```
//!
//! Run at the root of the workspace, with `WASM` the compiled app (cargo's
//! output), `SITE` usually `target/site`. `--release` also runs `wasm-opt`.
//! `SITE/manifest.json` maps logical names to paths:
//! `{"app.css": "assets/app.1a2b3c4d.css", …}`. A file whose content did not
//! change is not written again, so that cargo has nothing to rebuild.

mod bindgen;
mod css;
mod error;
mod site;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use crate::{
    error::{Error, Result},
    site::{Effort, Site},
};

const USAGE: &str = "usage: paretoscope-web-build WASM SITE [--release]";

fn main() -> ExitCode {
    let outcome = Args::parse(std::env::args().skip(1)).and_then(|args| build(&args));
    match outcome {
        Ok(report) => {
            eprintln!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Args {
    wasm: PathBuf,
    site: PathBuf,
    release: bool,
}

impl Args {
    fn parse(args: impl Iterator<Item = String>) -> Result<Self> {
        let (flags, paths): (Vec<_>, Vec<_>) = args.partition(|arg| arg.starts_with("--"));
        if let Some(unknown) = flags.iter().find(|flag| *flag != "--release") {
            return Err(Error::new(format!("unknown flag {unknown}; {USAGE}")));
        }
        let [wasm, site] = paths.as_slice() else {
            return Err(Error::new(USAGE));
        };
        Ok(Self { wasm: wasm.into(), site: site.into(), release: !flags.is_empty() })
    }
}

/// Builds everything into `args.site` and says what it made.
fn build(args: &Args) -> Result<String> {
    let mut site = Site::open(&args.site)?;

    let statics = Path::new("style/static");
    for file in site::files_under(statics)? {
        let logical = site::logical_name(statics, &file)?;
        site.add(&logical, &error::read(&file)?, Effort::Most)?;
    }
    let plotly = Path::new("node_modules/plotly.js-basic-dist-min/plotly-basic.min.js");
    site.add("plotly.js", &error::read(plotly)?, Effort::Most)?;

    let sheet = css::compact(&css::concatenate(Path::new("style"))?);
    let sheet = css::with_hashed_urls(&sheet, site.manifest())?;
    site.add("app.css", sheet.as_bytes(), Effort::Most)?;

    let bindgen::Bound { js, wasm } = bindgen::bind(&args.wasm)?;
    site.add("app.js", js.as_bytes(), Effort::Most)?;
    if args.release {
        let wasm = bindgen::optimise(&wasm, &args.site.with_extension("wasm-opt"))?;
        site.add("app.wasm", &wasm, Effort::Most)?;
    } else {
        site.add("app.wasm", &wasm, Effort::Little)?;
    }

    site.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Args> {
        Args::parse(args.iter().map(ToString::to_string))
    }

    #[test]
    fn arguments() {
        let args = parse(&["app.wasm", "target/site", "--release"]).unwrap();
        assert_eq!(args.site, Path::new("target/site"));
        assert!(args.release);
        assert!(!parse(&["app.wasm", "target/site"]).unwrap().release);
        assert!(parse(&["app.wasm"]).is_err());
        assert!(parse(&["app.wasm", "target/site", "--fast"]).is_err());
    }
}
