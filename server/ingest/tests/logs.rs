//! Server logs as they lie in artifacts: plain, packed, paired with their point; and those that nobody vouches for.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::io::Write as _;
use std::path::Path;

use common::{as_run, fixed_row, one, put, reasons, zip_of};
use flate2::Compression;
use flate2::write::GzEncoder;
use paretoscope_domain::Attempt;
use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::run::Reading;
use paretoscope_ingest::{Limits, Options, RunBatch};
use serde_json::json;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // Long names get a record of their own.
        tar.append_data(&mut header, name, *content).unwrap();
    }
    tar.into_inner().unwrap()
}

/// An archive with one entry of exactly that name, which the builder would refuse to write.
fn tar_named(name: &str, kind: tar::EntryType, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append(&header, content).unwrap();
    tar.into_inner().unwrap()
}

fn told(batch: &RunBatch) -> Vec<(FactKind, &str, &str)> {
    batch.evidence.iter().map(|f| (f.kind, f.key.as_str(), f.value.as_str())).collect()
}

fn place(fact: &RunFact) -> (&str, Option<u64>) {
    match &fact.origin {
        FactOrigin::Artifact { file, line, .. } => (file, *line),
        FactOrigin::Stated { .. } => ("", None),
    }
}

fn row(dir: &Path, artifact: &str, conc: u32) {
    put(dir, &format!("{artifact}/agg_{conc}.json"), fixed_row(conc).to_string());
}

#[test]
fn facts_say_where_they_stand_and_which_point_they_are_about() {
    let dir = tempfile::tempdir().unwrap();
    row(dir.path(), "bmk_one", 8);
    row(dir.path(), "bmk_two", 16);
    row(dir.path(), "bmk_two", 32);
    put(dir.path(), "server_logs_one/results/server.log", "starting\n\u{1b}[1mSGLANG_X=1\u{1b}[0m\nDecode batch. accept len: 3.51\n");
    put(dir.path(), "server_logs_one/results/a_config.json", "{\n  \"VLLM_Y\": \"2\",\n  broken\n");
    put(dir.path(), "server_logs_two/server.log", "SGLANG_X=2\n");
    put(dir.path(), "server_logs_lone/server.log", "SGLANG_X=3\n");
    put(dir.path(), "eval_server_logs_one/server.log", "SGLANG_X=4\n");
    let event = |golden: serde_json::Value, eval: bool| {
        json!({"exp_name": "x_tp8_conc8", "outcome": "success", "run_attempt": 2, "eval_only": eval, "golden_acceptance_length": golden})
            .to_string()
    };
    put(dir.path(), "job_event_one/job_event.json", event(json!(3.51), false));
    put(dir.path(), "job_event_eval_one/job_event.json", event(json!("3.51"), true));
    put(dir.path(), "job_event_two/job_event.json", event(json!(null), false));
    let batch = one(dir.path(), &Options { attempt: Attempt::new(2), ..as_run(1) });
    assert!(batch.quarantine.is_empty(), "{:?}", batch.quarantine);
    let facts: Vec<_> = batch.evidence.iter().map(|f| (f.kind, f.value.as_str(), f.point.as_deref(), f.eval, f.count, place(f))).collect();
    let label = Some("TP8/EP8 c8");
    let expected = [
        (FactKind::Env, "4", label, true, None, ("server.log", Some(1))),
        (FactKind::GoldenAl, "3.51", label, true, None, ("job_event.json", None)),
        (FactKind::GoldenAl, "3.51", label, false, None, ("job_event.json", None)),
        (FactKind::Env, "3", None, false, None, ("server.log", Some(1))),
        (FactKind::Env, "2", label, false, None, ("results/a_config.json", Some(2))),
        (FactKind::Env, "1", label, false, None, ("results/server.log", Some(2))),
        (FactKind::MeasuredAl, "3.51", label, false, Some(1), ("results/server.log", None)),
        // A job of two points doesn't say which of them.
        (FactKind::Env, "2", None, false, None, ("server.log", Some(1))),
    ];
    assert_eq!(facts, expected);
    assert!(batch.evidence.iter().all(|f| f.attempt == Attempt::new(2)));
    let logs: Vec<_> = batch.artifacts.iter().filter(|a| a.name.contains("server_logs")).collect();
    assert!(logs.len() == 4 && logs.iter().all(|a| a.reading == Reading::Read && a.files.iter().all(|f| f.digest.is_some())));
}

#[test]
fn packed_logs_are_read_entry_by_entry() {
    let long = format!("LOGS/{}/sbatch_script.sh", "deep/".repeat(30).trim_end_matches('/'));
    let tar = tar_of(&[
        ("LOGS/config.yaml", b"backend:\n  sglang_config:\n    tp-size: 4\n"),
        (&long, b"export SGLANG_X=1\n"),
        ("LOGS/recipe.lock.yaml", b"env:\n  SGLANG_BUILD_COMMIT: 52604e1d\n"),
        ("LOGS/trace.bin", b"\0\0SGLANG_NO=1\n"),
    ]);
    let expected = [
        (FactKind::Argument, "tp_size", "4"),
        (FactKind::Env, "SGLANG_X", "1"),
        (FactKind::BuildCommit, "", "52604e1d"),
        (FactKind::Env, "VLLM_Z", "1"),
    ];
    let log = gz(b"VLLM_Z=1\n");
    let packed = gz(&tar);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in [("a.tar.gz", &packed), ("a.tgz", &packed), ("a.tar", &tar)] {
        // The same as a folder and as a zip.
        let folder = dir.path().join(format!("folder {name}"));
        put(&folder, &format!("multinode_server_logs_x/{name}"), bytes);
        put(&folder, "multinode_server_logs_x/srt-setup.log.gz", &log);
        let zipped = dir.path().join(format!("zip {name}"));
        std::fs::create_dir_all(&zipped).unwrap();
        zip_of(&zipped.join("multinode_server_logs_x.zip"), &[(name, bytes), ("srt-setup.log.gz", &log)]);
        for root in [folder, zipped] {
            let batch = one(&root, &as_run(1));
            assert_eq!((reasons(&batch), told(&batch)), (vec![], expected.to_vec()), "{}", root.display());
            assert_eq!(place(&batch.evidence[1]).0, format!("{name}/{long}"));
            assert_eq!(place(&batch.evidence[3]).0, "srt-setup.log");
            let artifact = &batch.artifacts[0];
            assert!(artifact.reading == Reading::Read && artifact.files.iter().all(|f| f.reading == Reading::Read));
            assert_eq!(artifact.files.iter().map(|f| f.size).sum::<u64>(), (bytes.len() + log.len()) as u64);
        }
    }
}

#[test]
fn what_is_packed_badly_is_named_and_the_rest_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let good = tar_of(&[("a.log", b"SGLANG_A=1\n"), ("b.log", "x".repeat(100_000).as_bytes()), ("c.log", b"SGLANG_C=1\n")]);
    let packed = gz(&good);
    for (name, bytes, reason, facts) in [
        ("cut.tar", good[..50_000].to_vec(), "bad_archive", 1),
        ("cut.tar.gz", packed[..packed.len() - 12].to_vec(), "bad_archive", 2),
        ("no.tar.gz", b"SGLANG_A=1\n".to_vec(), "bad_archive", 0),
        ("no.tar", vec![b'x'; 2048], "bad_archive", 0),
        ("no.log.gz", b"SGLANG_A=1\n".to_vec(), "bad_archive", 0),
        ("out.tar", tar_named("../../etc/a.log", tar::EntryType::Regular, b"SGLANG_A=1\n"), "path_escapes", 0),
    ] {
        let root = dir.path().join(name);
        put(&root, &format!("server_logs_x/{name}"), bytes);
        put(&root, "server_logs_x/server.log", "SGLANG_Z=1\n");
        let batch = one(&root, &as_run(1));
        assert_eq!(reasons(&batch), [reason], "{name}");
        assert!(batch.quarantine[0].file.starts_with(name), "{name}");
        assert_eq!(batch.evidence.len(), facts + 1, "{name}: {:?}", told(&batch));
        assert_eq!(batch.artifacts[0].reading, Reading::Read);
        assert_eq!((batch.tallies.benchmark_failed, batch.tallies.eval_failed), (0, 0), "no row was lost");
    }
    // Links and folders are nothing to read.
    put(dir.path(), "links/server_logs_x/a.tar", tar_named("a.log", tar::EntryType::Symlink, b""));
    let batch = one(&dir.path().join("links"), &as_run(1));
    assert!(batch.quarantine.is_empty() && batch.evidence.is_empty());
}

#[test]
fn bombs_are_not_unpacked() {
    let dir = tempfile::tempdir().unwrap();
    let big = vec![b'x'; 4 << 20];
    put(dir.path(), "server_logs_x/a.tar.gz", gz(&tar_of(&[("a.log", b"SGLANG_A=1\n"), ("b.log", &big), ("c.log", b"SGLANG_C=1\n")])));
    put(dir.path(), "server_logs_x/b.log.gz", gz(&big));
    let limits = Limits::default();
    for (limits, refused) in [
        (Limits { ratio: 10, ratio_from: 1 << 20, ..limits }, vec!["too_large"; 2]),
        (Limits { archive_bytes: 1 << 20, ..limits }, vec!["too_large"; 2]),
        // One entry is too large, and its neighbours are read.
        (Limits { entry_bytes: 1 << 20, ..limits }, vec!["too_large"]),
        (Limits { entries: 2, ..limits }, vec!["too_large"]),
    ] {
        let batch = one(dir.path(), &Options { limits, ..as_run(1) });
        assert_eq!(reasons(&batch), refused, "{limits:?}");
        assert_eq!(told(&batch)[0], (FactKind::Env, "SGLANG_A", "1"), "what came before is kept");
    }
    // A name that is longer than any path is not held.
    let name = tar_named("././@LongLink", tar::EntryType::GNULongName, &vec![b'a'; 1 << 20]);
    put(dir.path(), "name/server_logs_x/a.tar.gz", gz(&name));
    assert_eq!(reasons(&one(&dir.path().join("name"), &as_run(1))), ["too_large"]);
}

#[test]
fn a_line_of_two_hundred_megabytes() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "server_logs_x/server.log", "");
    let mut file = std::fs::File::create(dir.path().join("server_logs_x/server.log")).unwrap();
    let chunk = vec![b'y'; 1 << 20];
    file.write_all(b"SGLANG_A=1\nSGLANG_LONG=").unwrap();
    for _ in 0..200 {
        file.write_all(&chunk).unwrap();
    }
    file.write_all(b"\nSGLANG_B=1\n").unwrap();
    drop(file);
    let batch = one(dir.path(), &as_run(1));
    assert_eq!((told(&batch)[0].1, told(&batch)[2].1, place(&batch.evidence[2])), ("SGLANG_A", "SGLANG_B", ("server.log", Some(3))));
    assert!(told(&batch)[1].2.len() < 5_000, "of a value no more than can be looked at is kept");
}

#[test]
fn the_same_log_again_says_the_same() {
    let dir = tempfile::tempdir().unwrap();
    row(dir.path(), "bmk_one", 8);
    put(dir.path(), "server_logs_one/server.log", "SGLANG_B=1\nSGLANG_A=1\nserver_args=ServerArgs(b=1, a=2)\n");
    let (first, second) = (one(dir.path(), &as_run(1)), one(dir.path(), &as_run(1)));
    assert_eq!(first.evidence, second.evidence);
    assert_eq!(first.evidence.len(), 4);
}
