//! The benchmark suite: figures against the speeds the house wants to reach, printed as one table.
//!
//!     make bench                                  everything, a few minutes
//!     PARETOSCOPE_BENCH_POINTS=100000 make bench  stops at that many generated points
//!
//! The server is the release binary in a process of its own, on one core where `taskset` is there; the load comes from here.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark that can't go on should stop")]

mod client;
mod generate;
mod process;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::curve::{Axes, curves};
use paretoscope_domain::metric::Metric;
use paretoscope_ingest::Options as IngestOptions;
use paretoscope_review::compare::{Options, Side, compare};
use paretoscope_server::settings::{Settings, Words};
use paretoscope_store::Store;

use client::{Load, closed_loop, open_loop, percentile};
use process::Server;
use table::Table;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let words = words();
    let mut table = Table::default();
    let folder = tempfile::tempdir().unwrap();

    maths(&mut table, &words);
    ingest(&mut table, &runtime, &words, folder.path());
    real_data(&mut table, &runtime, &words, folder.path());
    pages(&mut table, &runtime, &words, folder.path());
    let limit: usize = std::env::var("PARETOSCOPE_BENCH_POINTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    for points in [100_000, 1_000_000].into_iter().filter(|n| *n <= limit) {
        scale(&mut table, &runtime, &words, folder.path(), points);
    }
    table.print();
}

fn words() -> Words {
    let settings = Settings { database_url: String::new(), vocabulary: None, repo: String::new(), public_url: String::new() };
    settings.words().unwrap()
}

fn open(runtime: &tokio::runtime::Runtime, words: &Words, file: &Path) -> Store {
    runtime.block_on(async {
        let words = paretoscope_store::Words { vocabulary: Arc::clone(&words.vocabulary), thresholds: Arc::clone(&words.thresholds) };
        let store = Store::open(&format!("sqlite://{}", file.display()), words).await.unwrap();
        store.migrate().await.unwrap();
        store
    })
}

/// Median time of one call, over half a second of calls.
fn time_of(mut call: impl FnMut()) -> Duration {
    let (started, mut times) = (Instant::now(), Vec::new());
    while started.elapsed() < Duration::from_millis(500) || times.len() < 5 {
        let t = Instant::now();
        call();
        times.push(t.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

fn maths(table: &mut Table, words: &Words) {
    let base: Vec<_> = generate::batch(1, 1_000, 0.97).points.into_iter().map(|r| r.point).collect();
    let head: Vec<_> = generate::batch(2, 1_000, 1.0).points.into_iter().map(|r| r.point).collect();
    let (base, run) = (generate::detail(1, base), generate::detail(2, head.clone()));
    let compare = time_of(|| {
        let (base, run) = (Side::run(&base), Side::run(&run));
        let comparison = compare(&base, &run, &[], &Options::default(), &words.vocabulary).unwrap();
        assert_eq!(comparison.points.len(), 1_000);
        std::hint::black_box(comparison);
    });
    table.time("comparing two runs of 1,000 points each", Some(Duration::from_millis(5)), compare);
    let axes = Axes { x: Metric::describe("p90_e2el"), y: Metric::describe("tput_per_gpu") };
    let frontier = time_of(|| {
        std::hint::black_box(curves(&head, &axes, &words.vocabulary).unwrap());
    });
    table.time("frontier of a run of 1,000 points", None, frontier);
}

fn ingest(table: &mut Table, runtime: &tokio::runtime::Runtime, words: &Words, folder: &Path) {
    let run = folder.join("70000000001");
    generate::artifacts(&run, 300);
    let store = open(runtime, words, &folder.join("ingest.db"));
    let (first, changed) = ingest_folder(runtime, words, &store, std::slice::from_ref(&run));
    table.time("ingest of a 300-artifact run on disk", Some(Duration::from_secs(5)), first);
    assert!(changed > 0);
    let (again, changed) = ingest_folder(runtime, words, &store, &[run]);
    table.time("the same again", Some(Duration::from_secs(5)), again);
    table.count("rows changed by the same again", Some(0), changed);
}

fn ingest_folder(runtime: &tokio::runtime::Runtime, words: &Words, store: &Store, paths: &[PathBuf]) -> (Duration, u64) {
    let started = Instant::now();
    let batches = paretoscope_ingest::read(paths, &IngestOptions::default(), &words.vocabulary, &mut |_| {}).unwrap();
    let changed = runtime.block_on(async {
        let mut changed = 0;
        for batch in batches {
            changed += store.apply(batch, Timestamp::now()).await.unwrap().rows_changed;
        }
        changed
    });
    (started.elapsed(), changed)
}

/// Real results, where they are at hand.
fn real_data(table: &mut Table, runtime: &tokio::runtime::Runtime, words: &Words, folder: &Path) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/fixed-sequence");
    if !data.is_dir() {
        table.note("real data: ../shared/data is not here, left out");
        return;
    }
    let store = open(runtime, words, &folder.join("real.db"));
    let (took, _) = ingest_folder(runtime, words, &store, &[data]);
    table.time("real data: ingest of 25 official runs, 1,124 rows", None, took);
    table.rate("real data: rows a second", None, 1_124.0 / took.as_secs_f64());
    let server = Server::start(&folder.join("real.db"));
    let times = closed_loop(server.address, &Load::Same("/runs/20764588467".into()), 1, Duration::from_secs(1)).times;
    table.time("real data: a run page, cached, p50", Some(Duration::from_micros(500)), percentile(&times, 0.5));
}

fn pages(table: &mut Table, runtime: &tokio::runtime::Runtime, words: &Words, folder: &Path) {
    let file = folder.join("pages.db");
    let store = open(runtime, words, &file);
    runtime.block_on(async {
        store.apply(generate::batch(1, 200, 0.97), Timestamp::now()).await.unwrap();
        store.apply(generate::batch(2, 200, 1.0), Timestamp::now()).await.unwrap();
        store.apply(generate::batch(3, 5_000, 1.0), Timestamp::now()).await.unwrap();
    });
    let server = Server::start(&file);
    let page = generate::run_id(2);
    let cached = Load::Same(format!("/runs/{page}"));
    closed_loop(server.address, &cached, 2, Duration::from_millis(500));
    let times = open_loop(server.address, &cached, 2_000, Duration::from_secs(3));
    table.time("cached page, loopback, p50", Some(Duration::from_micros(500)), percentile(&times, 0.5));
    table.time("cached page, loopback, p99", Some(Duration::from_millis(3)), percentile(&times, 0.99));

    let mut after_ingest = Vec::new();
    for i in 0..60 {
        runtime.block_on(store.apply(generate::batch(2, 200, 1.0 + f64::from(i) * 1e-6), Timestamp::now())).unwrap();
        after_ingest.push(client::once(server.address, &format!("/runs/{page}")));
    }
    after_ingest.sort();
    table.time("first render of a page after an ingest, p99", Some(Duration::from_millis(25)), percentile(&after_ingest, 0.99));

    let where_ = if server.pinned { "one core" } else { "not pinned to a core" };
    let run = closed_loop(server.address, &Load::Same("/healthz".into()), 16, Duration::from_secs(3));
    table.rate(&format!("smallest answer there is, {where_}, requests a second"), None, run.per_second());
    let run = closed_loop(server.address, &cached, 16, Duration::from_secs(3));
    table.rate(&format!("cached bytes, {where_}, requests a second"), Some(50_000.0), run.per_second());
    let run = closed_loop(server.address, &Load::Counted(format!("/runs/{page}?bench=")), 16, Duration::from_secs(3));
    table.rate(&format!("uncached 200-row page, {where_}, requests a second"), Some(5_000.0), run.per_second());
    let api = Load::Same(format!("/api/v1/runs/{page}/points"));
    let run = closed_loop(server.address, &api, 16, Duration::from_secs(2));
    table.rate(&format!("API: points of a 200-point run, cached, {where_}, requests a second"), None, run.per_second());
    let frontier = client::once(server.address, &format!("/api/v1/runs/{page}/frontier?x=p90_e2el&y=tput_per_gpu"));
    table.time("API: frontier of a 200-point run, first time", None, frontier);
    let bytes = client::body_size(server.address, &format!("/runs/{}", generate::run_id(3)));
    table.bytes("page of a 5,000-point run, Brotli", None, bytes as u64);
    table.bytes("memory after these", None, server.memory());
}

fn scale(table: &mut Table, runtime: &tokio::runtime::Runtime, words: &Words, folder: &Path, points: usize) {
    const PER_RUN: usize = 100;
    let file = folder.join(format!("scale-{points}.db"));
    let store = open(runtime, words, &file);
    let started = Instant::now();
    runtime.block_on(async {
        for run in 0..points / PER_RUN {
            store.apply(generate::batch(i64::try_from(run).unwrap() + 1, PER_RUN, 1.0), Timestamp::now()).await.unwrap();
        }
    });
    let shown = paretoscope_domain::format::fixed(points as f64, 0);
    table.rate(&format!("{shown} points: stored a second"), None, points as f64 / started.elapsed().as_secs_f64());
    drop(store);
    let started = Instant::now();
    let server = Server::start(&file);
    let id: RunId = generate::run_id(i64::try_from(points / PER_RUN / 2).unwrap());
    client::once(server.address, &format!("/runs/{id}"));
    table.time(&format!("{shown} points: start to first answer"), Some(Duration::from_secs(1)), started.elapsed());
    for path in ["/", "/runs", "/runs?q=gb300&sort=tput", "/api/v1/runs?limit=50"] {
        table.time(&format!("{shown} points: {path}, first time"), None, client::once(server.address, path));
    }
    table.bytes(&format!("{shown} points: memory"), Some(300_000_000), server.memory());
}
