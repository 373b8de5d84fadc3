//! What the tests of this crate share.
#![allow(dead_code, reason = "each test file uses some of these helpers, none uses all")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::Write;
use std::path::{Path, PathBuf};

use paretoscope_domain::RunId;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_ingest::{IngestError, Options, RunBatch, read};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("server/ingest lies in the workspace").to_owned()
}

/// The real data, where it is at hand.
pub(crate) fn data() -> Option<PathBuf> {
    let data = workspace().parent()?.join("shared/data");
    if !data.is_dir() {
        eprintln!("SKIPPED: {} is not there, so nothing is tried on real data", data.display());
        return None;
    }
    Some(data)
}

pub(crate) fn words() -> Vocabulary {
    Vocabulary::shipped().expect("the shipped vocabulary parses")
}

pub(crate) fn try_read(path: &Path, options: &Options) -> Result<Vec<RunBatch>, IngestError> {
    read(&[path.to_owned()], options, &words(), &mut |_| {})
}

pub(crate) fn as_run(run: i64) -> Options {
    Options { run_id: RunId::new(run), ..Options::default() }
}

/// Reads the one run at `path`.
pub(crate) fn one(path: &Path, options: &Options) -> RunBatch {
    let mut batches = try_read(path, options).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(batches.len(), 1, "{}", path.display());
    batches.pop().unwrap()
}

pub(crate) fn put(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

pub(crate) fn zip_of(path: &Path, files: &[(&str, &[u8])]) {
    let mut zip = ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, content) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
}

/// A fixed-sequence row.
pub(crate) fn fixed_row(conc: u32) -> serde_json::Value {
    serde_json::json!({
        "hw": "b200-trt", "conc": conc, "image": "nvcr.io#nvidia/x:1", "model": "openai/gpt-oss-120b", "infmax_model_prefix": "gptoss",
        "framework": "trt", "precision": "fp4", "spec_decoding": "none", "disagg": false, "isl": 1024, "osl": 1024, "is_multinode": false,
        "tp": 8, "ep": 8, "dp_attention": "false", "tput_per_gpu": 100.5, "mean_ttft": 0.5, "median_intvty": 80.0, "median_tpot": 0.0125
    })
}

pub(crate) fn reasons(batch: &RunBatch) -> Vec<&str> {
    batch.quarantine.iter().map(|q| q.reason.as_str()).collect()
}
