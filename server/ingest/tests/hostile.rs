//! Archives and folders that nobody vouches for: what is bad is refused by name, the rest lands, nothing is written anywhere.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::io::Write;

use common::{as_run, fixed_row, one, put, reasons, try_read, zip_of};
use paretoscope_domain::run::Reading;
use paretoscope_ingest::{IngestError, Limits, Options};
use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn rows(concs: &[u32]) -> Vec<u8> {
    serde_json::to_vec(&concs.iter().map(|c| fixed_row(*c)).collect::<Vec<_>>()).unwrap()
}

#[test]
fn entries_that_climb_out_are_refused_and_the_rest_lands() {
    let dir = tempfile::tempdir().unwrap();
    let zip = dir.path().join("results_bmk.zip");
    zip_of(
        &zip,
        &[
            ("../agg_bmk.json", &rows(&[1])),
            ("/etc/agg_bmk.json", &rows(&[2])),
            ("a/../../agg_bmk.json", &rows(&[3])),
            ("C:\\agg_bmk.json", &rows(&[4])),
            ("agg_bmk.json", &rows(&[5, 6])),
        ],
    );
    let batch = one(&zip, &as_run(1));
    assert_eq!(batch.points.iter().map(|r| r.point.conc).collect::<Vec<_>>(), [5, 6]);
    assert_eq!(reasons(&batch), ["path_escapes"; 4]);
    assert_eq!(batch.tallies.benchmark_failed, 4);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing was unpacked to disk");
}

#[test]
fn links_in_archives_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results_bmk.zip");
    let mut zip = ZipWriter::new(std::fs::File::create(&path).unwrap());
    zip.add_symlink("agg_bmk.json", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    zip.start_file("more.json", SimpleFileOptions::default()).unwrap();
    zip.write_all(&rows(&[1])).unwrap();
    zip.finish().unwrap();
    let batch = one(&path, &as_run(1));
    assert_eq!((batch.points.len(), reasons(&batch)), (1, vec!["path_escapes"]));
}

#[test]
fn bombs_are_not_unpacked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results_bmk.zip");
    let blanks = vec![b' '; 4 << 20];
    zip_of(&path, &[("agg_bmk.json", &blanks), ("good.json", &rows(&[1]))]);
    // By size, by ratio, by what the whole archive may have, by the number of entries.
    let limits = Limits::default();
    for limits in [
        Limits { json_bytes: 1 << 20, ..limits },
        Limits { ratio: 10, ratio_from: 1 << 20, ..limits },
        Limits { archive_bytes: 1 << 20, ..limits },
    ] {
        let batch = one(&path, &Options { limits, ..as_run(1) });
        assert_eq!(reasons(&batch).first(), Some(&"too_large"), "{limits:?}");
        assert!(batch.tallies.benchmark_failed >= 1);
    }
    let batch = one(&path, &Options { limits: Limits { entries: 1, ..limits }, ..as_run(1) });
    assert_eq!((reasons(&batch), batch.artifacts[0].reading), (vec!["too_large"], Reading::Refused));
    let batch = one(&path, &Options { limits: Limits { ratio: 10, ratio_from: 1 << 20, ..limits }, ..as_run(1) });
    assert_eq!(batch.points.len(), 1, "its neighbour lands");
}

#[test]
fn an_entry_that_lies_about_its_size_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results_bmk.zip");
    zip_of(&path, &[("agg_bmk.json", &vec![b' '; 4 << 20])]);
    let mut bytes = std::fs::read(&path).unwrap();
    let size = (4_u32 << 20).to_le_bytes();
    let at: Vec<usize> = bytes.windows(4).enumerate().filter(|(_, w)| *w == size).map(|(i, _)| i).collect();
    assert!(!at.is_empty());
    for i in at {
        bytes[i..i + 4].copy_from_slice(&10_u32.to_le_bytes());
    }
    std::fs::write(&path, bytes).unwrap();
    let batch = one(&path, &Options { limits: Limits { json_bytes: 1 << 20, ..Limits::default() }, ..as_run(1) });
    assert!(matches!(reasons(&batch).as_slice(), ["too_large" | "bad_zip_entry"]), "{:?}", batch.quarantine);
}

#[test]
fn a_flipped_bit_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results_bmk.zip");
    let mut zip = ZipWriter::new(std::fs::File::create(&path).unwrap());
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    zip.start_file("agg_bmk.json", stored).unwrap();
    zip.write_all(&rows(&[12345])).unwrap();
    zip.start_file("good.json", stored).unwrap();
    zip.write_all(&rows(&[1])).unwrap();
    zip.finish().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(5).position(|w| w == b"12345").unwrap();
    bytes[at] = b'9';
    std::fs::write(&path, bytes).unwrap();
    let batch = one(&path, &as_run(1));
    assert_eq!((batch.points.len(), reasons(&batch)), (1, vec!["bad_zip_entry"]));
    assert_eq!(batch.quarantine[0].file, "agg_bmk.json");
}

#[test]
fn what_is_no_zip_is_named_and_its_neighbours_land() {
    let dir = tempfile::tempdir().unwrap();
    zip_of(&dir.path().join("bmk_good [a] (b).zip"), &[("agg_x.json", &serde_json::to_vec(&fixed_row(8)).unwrap())]);
    put(dir.path(), "bmk_bad.zip", b"PK\x03\x04 not really");
    put(dir.path(), "bmk_empty.zip", b"");
    let whole = std::fs::read(dir.path().join("bmk_good [a] (b).zip")).unwrap();
    put(dir.path(), "bmk_cut.zip", &whole[..whole.len() / 2]);
    let batch = one(dir.path(), &as_run(1));
    assert_eq!(reasons(&batch), ["bad_zip"; 3]);
    assert_eq!(batch.points[0].point.artifact, "bmk_good [a] (b)");
    assert_eq!((batch.points.len(), batch.tallies.benchmark_failed, batch.artifacts.len()), (1, 3, 4));
    assert!(batch.artifacts.iter().all(|a| a.digest.is_some()), "broken ones are listed with their digest too");
}

#[test]
fn encrypted_entries_are_said_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results_bmk.zip");
    zip_of(&path, &[("agg_bmk.json", &rows(&[1])), ("good.json", &rows(&[2]))]);
    // Bit 0 of the general purpose flags, in the local header and in the central directory.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[6] |= 1;
    let central = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    bytes[central + 8] |= 1;
    std::fs::write(&path, bytes).unwrap();
    let batch = one(&path, &as_run(1));
    assert_eq!((batch.points.len(), reasons(&batch)), (1, vec!["encrypted"]));
}

#[test]
fn one_bad_row_does_not_take_its_neighbours_along() {
    let dir = tempfile::tempdir().unwrap();
    let good = |c| fixed_row(c).to_string();
    let nan = fixed_row(2).to_string().replace("\"mean_ttft\":0.5", "\"mean_ttft\":NaN");
    let infinite = fixed_row(3).to_string().replace("100.5", "-Infinity");
    let text = format!("[{}, {nan}, {infinite}, 7, {}, {{}}]", good(1), good(4));
    put(dir.path(), "results_bmk/agg_bmk.json", text);
    let batch = one(dir.path(), &as_run(1));
    assert_eq!(batch.points.iter().map(|r| r.point.conc).collect::<Vec<_>>(), [1, 4]);
    let told: Vec<_> = batch.quarantine.iter().map(|q| (q.row, q.reason.as_str())).collect();
    assert_eq!(told, [(Some(1), "not_a_number"), (Some(2), "not_a_number"), (Some(3), "wrong_type"), (Some(5), "missing_identity")]);
    assert!(batch.quarantine[0].detail.contains("mean_ttft is NaN"), "{}", batch.quarantine[0].detail);
    assert_eq!((batch.tallies.benchmark_failed, batch.tallies.benchmark_files), (4, 1));
}

#[test]
fn truncated_and_empty_files() {
    let dir = tempfile::tempdir().unwrap();
    let whole = rows(&[1, 2]);
    put(dir.path(), "77000000001/results_bmk/agg_bmk.json", &whole[..whole.len() - 20]);
    put(dir.path(), "77000000002/results_bmk/agg_bmk.json", "[]");
    put(dir.path(), "77000000003/bmk_x/agg_x.json", "");
    put(dir.path(), "77000000003/eval_results_all/agg_eval_all.json", "{\"a\":");
    let batches = try_read(dir.path(), &Options::default()).unwrap();
    assert_eq!(batches.len(), 3);
    assert_eq!((reasons(&batches[0]), batches[0].tallies.benchmark_failed), (vec!["bad_json"], 1));
    assert!(batches[0].quarantine[0].detail.contains("line 1 column"), "{}", batches[0].quarantine[0].detail);
    assert!(batches[1].quarantine.is_empty() && batches[1].points.is_empty() && batches[1].artifacts[0].reading == Reading::Read);
    assert_eq!((batches[2].tallies.benchmark_failed, batches[2].tallies.eval_failed), (1, 1));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_out_of_the_tree() {
    let dir = tempfile::tempdir().unwrap();
    let secret = tempfile::tempdir().unwrap();
    put(secret.path(), "bmk_secret/agg_x.json", fixed_row(99).to_string());
    put(dir.path(), "bmk_good/agg_x.json", fixed_row(1).to_string());
    let link = |to: &std::path::Path, at: &str| std::os::unix::fs::symlink(to, dir.path().join(at)).unwrap();
    link(&secret.path().join("bmk_secret"), "bmk_linked");
    link(&secret.path().join("bmk_secret/agg_x.json"), "bmk_good/agg_linked.json");
    link(&dir.path().join("nowhere"), "bmk_good/agg_dangling.json");
    link(dir.path(), "bmk_good/loop");
    let batch = one(dir.path(), &as_run(1));
    assert_eq!(batch.points.iter().map(|r| r.point.conc).collect::<Vec<_>>(), [1]);
    assert!(reasons(&batch).iter().all(|r| *r == "path_escapes") && batch.quarantine.len() >= 3, "{:?}", batch.quarantine);
}

#[test]
fn other_peoples_files_are_listed_not_refused() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "klaud-sweep-manifest/manifest.json", "{broken");
    put(dir.path(), "klaud-sweep-manifest/notes.txt", "hello");
    put(dir.path(), "trt-main-source-build-1/list.json", json!({"a": [1]}).to_string());
    put(dir.path(), "bmk_x/agg_x.json", fixed_row(1).to_string());
    let batch = one(dir.path(), &as_run(1));
    assert!(batch.quarantine.is_empty(), "{:?}", batch.quarantine);
    let listed: Vec<_> =
        batch.artifacts.iter().filter(|a| a.reading == Reading::Listed).map(|a| (a.name.as_str(), a.files.len())).collect();
    assert_eq!(listed, [("klaud-sweep-manifest", 2), ("trt-main-source-build-1", 1)]);
}

#[test]
fn errors_say_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let text = |path: &std::path::Path, options: &Options| try_read(path, options).unwrap_err().to_string();
    assert!(text(dir.path(), &as_run(1)).contains("holds no artifacts"));
    assert!(matches!(try_read(&dir.path().join("absent"), &as_run(1)), Err(IngestError::Unreadable { .. })));
    put(dir.path(), "x/bmk_x/agg_x.json", fixed_row(1).to_string());
    assert!(text(&dir.path().join("x"), &Options::default()).contains("--run-id"));
    put(dir.path(), "x/run.json", "{");
    assert!(matches!(try_read(&dir.path().join("x"), &Options::default()), Err(IngestError::BadRunJson { .. })));
    let batch = one(&dir.path().join("x"), &as_run(1));
    assert_eq!((batch.points.len(), reasons(&batch)), (1, vec!["bad_json"]));
}
