//! From cargo's output to what a browser loads: wasm-bindgen, then wasm-opt.

use std::{fs, path::Path, process::Command};

use wasm_bindgen_cli_support::Bindgen;

use crate::error::{self, Error, Result};

/// The two files of the browser's half: its glue as an ES module, and the module itself.
pub(crate) struct Bound {
    pub(crate) js: String,
    pub(crate) wasm: Vec<u8>,
}

/// Runs wasm-bindgen. The page passes the module's hashed address to the glue's
/// default export, so the glue holds no address of its own.
pub(crate) fn bind(wasm: &Path) -> Result<Bound> {
    let failed = |source| Error::new(format!("wasm-bindgen refused {}: {source:#}", wasm.display()));
    let mut output = Bindgen::new()
        .input_bytes("app", error::read(wasm)?)
        .web(true)
        .map_err(failed)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_producers_section(true)
        .generate_output()
        .map_err(failed)?;
    let snippets = output.snippets().values().map(Vec::len).sum::<usize>();
    if snippets + output.local_modules().len() > 0 {
        return Err(Error::new(
            "a dependency of the app brings JavaScript snippets of its own, which have no hashed \
             address: leave it out, or teach tools/web to publish them",
        ));
    }
    Ok(Bound { wasm: output.wasm_mut().emit_wasm(), js: output.js().to_owned() })
}

/// What rustc's wasm target emits by default and every current browser runs.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Runs npm's `wasm-opt -Oz`, with drafts in the folder `work`.
pub(crate) fn optimise(wasm: &[u8], work: &Path) -> Result<Vec<u8>> {
    let tool = Path::new("node_modules/binaryen/bin/wasm-opt");
    if !tool.exists() {
        return Err(Error::new(format!("{} is not there: run `make setup`", tool.display())));
    }
    let (input, output) = (work.join("in.wasm"), work.join("out.wasm"));
    error::write_atomic(&input, wasm)?;
    let status = Command::new("node")
        .arg(tool)
        .args(["-Oz", "--strip-debug", "--strip-producers"])
        .args(FEATURES)
        .arg(&input)
        .arg("-o")
        .arg(&output)
        .status()
        .map_err(|source| Error::io("run", Path::new("node"), &source))?;
    if !status.success() {
        return Err(Error::new(format!("wasm-opt failed: {status}")));
    }
    let optimised = error::read(&output)?;
    fs::remove_dir_all(work).map_err(|source| Error::io("remove", work, &source))?;
    Ok(optimised)
}
