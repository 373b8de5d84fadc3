//! Reads one artifact: sends each file to the parser of its kind, and keeps account of what became of it.

use paretoscope_domain::batch::{EvalRow, Origin, PointRow, RunBatch, Upload};
use paretoscope_domain::report::Quarantined;
use paretoscope_domain::run::{Artifact, ArtifactFile, Family, Reading};
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{Attempt, RunId};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::discover::{self, FileKind, Item, Listed, file_kind};
use crate::eval::{self, JobFiles, Outcome};
use crate::log::Found;
use crate::options::Limits;
use crate::point::{self, Place, refuse_marks};
use crate::refusal::{Refusal, code};
use crate::source::{FileSeen, LogRead, Visit, Want, digest_of_file, visit_file, visit_folder, visit_zip};
use crate::{job_event, json, run_files};

/// What reading an artifact needs to know.
pub(crate) struct Reader<'a> {
    pub(crate) words: &'a Vocabulary,
    pub(crate) limits: &'a Limits,
    pub(crate) batch: &'a mut RunBatch,
}

impl Reader<'_> {
    /// Reads an artifact into the batch. Returns whether it was anything that we know.
    pub(crate) fn artifact(&mut self, item: &Item, listed: Option<&Listed>, attempt: Option<Attempt>) -> bool {
        let family = discover::family_of_name(&item.name).unwrap_or(Family::Unknown);
        let mut one = One {
            run_id: self.batch.run_id,
            words: self.words,
            name: &item.name,
            attempt,
            uploaded_at: listed.and_then(|l| l.created_at),
            artifact_id: listed.and_then(|l| l.id),
            alone: matches!(item.place, discover::Place::File(_)),
            by_name: family,
            family,
            files: Vec::new(),
            job: JobFiles::default(),
            job_results: 0,
            broken: false,
            found: Found::default(),
            batch: self.batch,
        };
        let name = item.name.clone();
        let want = move |path: &str| match file_kind(family, &name, path) {
            FileKind::Skip(_) => Want::Nothing,
            FileKind::Log(packing) => Want::Log(packing),
            _ => Want::Content,
        };
        let mut archive = None;
        {
            let mut sink = |seen: FileSeen| one.file(seen);
            let mut visit = Visit { want: &want, sink: &mut sink };
            match &item.place {
                discover::Place::Folder(path) => visit_folder(path, self.limits, &mut visit),
                discover::Place::File(path) => visit_file(path, self.limits, &mut visit),
                discover::Place::Zip(path) => archive = Some((path, visit_zip(path, self.limits, &mut visit))),
            }
        }
        let mut whole = None;
        if let Some((path, outcome)) = archive {
            if let Err(refusal) = outcome {
                one.whole_refused(refusal);
            }
            let size = std::fs::metadata(path).map(|m| m.len()).ok();
            let stated = listed.and_then(|l| l.digest.clone()).or_else(|| item.digest.clone());
            whole = size.map(|size| (size, stated.or_else(|| digest_of_file(path).ok())));
        }
        one.evals();
        one.finish(whole, listed)
    }
}

/// An artifact while it is read.
struct One<'a> {
    run_id: RunId,
    words: &'a Vocabulary,
    name: &'a str,
    attempt: Option<Attempt>,
    uploaded_at: Option<jiff::Timestamp>,
    artifact_id: Option<i64>,
    /// A file that stands for an artifact.
    alone: bool,
    /// What its name says, by which each file is judged.
    by_name: Family,
    /// What it turned out to be.
    family: Family,
    files: Vec<ArtifactFile>,
    job: JobFiles,
    job_results: usize,
    broken: bool,
    /// What its logs say.
    found: Found,
    batch: &'a mut RunBatch,
}

impl One<'_> {
    fn upload(&self, origin: Origin) -> Upload {
        Upload { origin, uploaded_at: self.uploaded_at, artifact_id: self.artifact_id }
    }

    fn quarantine(&mut self, file: &str, row: Option<u32>, refusal: Refusal) {
        self.batch.quarantine.push(Quarantined {
            artifact: self.name.to_owned(),
            file: file.to_owned(),
            row,
            reason: refusal.reason.to_owned(),
            detail: refusal.detail,
        });
    }

    /// Counts a file of which no row could be read.
    fn count_failed(&mut self, kind: FileKind) {
        match kind {
            FileKind::Benchmark(_) => {
                self.batch.tallies.benchmark_files += 1;
                self.batch.tallies.benchmark_failed += 1;
            }
            FileKind::CollectedEvals | FileKind::EvalResults => self.batch.tallies.eval_failed += 1,
            _ => {}
        }
    }

    /// The archive itself could not be read.
    fn whole_refused(&mut self, refusal: Refusal) {
        self.broken = true;
        self.quarantine("", None, refusal);
        match self.family {
            Family::CollectedBenchmarks | Family::Benchmark => self.batch.tallies.benchmark_failed += 1,
            Family::CollectedEvals | Family::Eval => self.batch.tallies.eval_failed += 1,
            _ => {}
        }
    }

    /// Takes one file.
    fn file(&mut self, seen: FileSeen) {
        let FileSeen { path, size, digest, content, log, problem } = seen;
        let mut kind = file_kind(self.by_name, self.name, &path);
        let reading = match (problem, content) {
            (None, _) if log.is_some() => log.map_or(Reading::Listed, |log| self.log(log)),
            // Somebody else's JSON may be as large as it likes.
            (Some(refusal), _) if kind == FileKind::Sniff && refusal.reason == code::TOO_LARGE && !self.alone => Reading::Listed,
            (Some(refusal), _) => {
                self.count_failed(kind);
                if kind == FileKind::EvalResults {
                    self.job_results += 1;
                }
                self.quarantine(&path, None, refusal);
                Reading::Refused
            }
            (None, Some(bytes)) => self.content(&path, &mut kind, &bytes),
            (None, None) => match kind {
                FileKind::Skip(reading) => reading,
                _ => Reading::Listed,
            },
        };
        if self.family == Family::Unknown && reading != Reading::Listed {
            self.family = discover::family_of_kind(kind);
        }
        self.files.push(ArtifactFile { path, size, digest, reading });
    }

    /// Reads the content of a file.
    fn content(&mut self, path: &str, kind: &mut FileKind, bytes: &[u8]) -> Reading {
        let document = match json::parse(bytes) {
            Ok(document) => document,
            // Not everything that calls itself JSON is ours to complain of.
            Err(_) if *kind == FileKind::Sniff && !self.alone => return Reading::Listed,
            Err(refusal) => {
                self.count_failed(*kind);
                if *kind == FileKind::EvalResults {
                    self.job_results += 1;
                }
                self.quarantine(path, None, refusal);
                return Reading::Refused;
            }
        };
        if *kind == FileKind::Sniff {
            match discover::sniff(&document.value) {
                Some(found) => *kind = found,
                None => return Reading::Listed,
            }
        }
        match *kind {
            FileKind::Benchmark(origin) => self.benchmarks(path, document, origin),
            FileKind::CollectedEvals => self.collected_evals(path, document),
            FileKind::EvalMeta => self.job.add_meta(path, document.value),
            FileKind::EvalResults => {
                self.job_results += 1;
                self.job.add_results(path, document.value);
            }
            FileKind::RunStats | FileKind::Changelog | FileKind::JobEvent | FileKind::Reuse => {
                if let Err(refusal) = self.about_the_run(*kind, path, &document.value) {
                    self.quarantine(path, None, refusal);
                    return Reading::Refused;
                }
            }
            FileKind::Sniff | FileKind::Skip(_) | FileKind::Log(_) => return Reading::Listed,
        }
        Reading::Read
    }

    /// Takes what a log says, or the logs that are packed in a file.
    fn log(&mut self, log: LogRead) -> Reading {
        let LogRead { read, refused } = log;
        let broken = !refused.is_empty();
        for (file, refusal) in refused {
            self.quarantine(&file, None, refusal);
        }
        let any = !read.is_empty();
        read.into_iter().for_each(|text| self.found.add(text));
        match (any, broken) {
            (true, _) => Reading::Read,
            (false, true) => Reading::Refused,
            // No text: a picture, a profile.
            (false, false) => Reading::Listed,
        }
    }

    fn about_the_run(&mut self, kind: FileKind, path: &str, value: &Value) -> Result<(), Refusal> {
        match kind {
            FileKind::RunStats => {
                let stats = self.batch.run_stats.get_or_insert_with(Vec::new);
                for stat in run_files::run_stats(value)? {
                    // A later upload counts over all attempts, so it takes the place of an earlier one.
                    stats.retain(|s| s.name != stat.name);
                    stats.push(stat);
                }
            }
            FileKind::Changelog => {
                for entry in run_files::changelog(value)? {
                    if !self.batch.changelog.contains(&entry) {
                        self.batch.changelog.push(entry);
                    }
                }
            }
            FileKind::JobEvent => {
                let event = job_event::job_event(value, self.attempt, self.name)?;
                self.batch.evidence.extend(job_event::golden_al(&event, self.run_id, path));
                self.batch.jobs.push(event);
            }
            _ => self.batch.reuse = Some(run_files::reuse(value)?),
        }
        Ok(())
    }

    fn place<'p>(&'p self, file: &'p str, row: Option<u32>) -> Place<'p> {
        Place { run_id: self.run_id, attempt: self.attempt, artifact: self.name, file, row }
    }

    fn benchmarks(&mut self, path: &str, document: json::Document, origin: Origin) {
        self.batch.tallies.benchmark_files += 1;
        for (row, value) in rows(&document.value) {
            let checked = if document.marked { refuse_marks(value) } else { Ok(()) };
            match checked.and_then(|()| point::point(value, self.place(path, row), self.words)) {
                Ok(point) => {
                    let row = PointRow { point, upload: self.upload(origin), raw: value.to_string() };
                    self.batch.points.push(row);
                }
                Err(refusal) => {
                    let tallies = &mut self.batch.tallies;
                    *(if refusal.is_unmapped() { &mut tallies.benchmark_unmapped } else { &mut tallies.benchmark_failed }) += 1;
                    self.quarantine(path, row, refusal);
                }
            }
        }
    }

    fn collected_evals(&mut self, path: &str, document: json::Document) {
        for (row, value) in rows(&document.value) {
            let checked = if document.marked { refuse_marks(value) } else { Ok(()) };
            match checked.and_then(|()| eval::collected(value, self.place(path, row), self.words)) {
                Ok(record) => {
                    let row = EvalRow { record, upload: self.upload(Origin::Collected), raw: value.to_string() };
                    self.batch.evals.push(row);
                }
                Err(refusal) => self.eval_refused(path, row, refusal),
            }
        }
    }

    fn eval_refused(&mut self, path: &str, row: Option<u32>, refusal: Refusal) {
        let tallies = &mut self.batch.tallies;
        *(if refusal.is_unmapped() { &mut tallies.eval_unmapped } else { &mut tallies.eval_failed }) += 1;
        self.quarantine(path, row, refusal);
    }

    /// Reads the evals of an eval job's files, once all of them are there.
    fn evals(&mut self) {
        if self.family == Family::Eval && self.job_results == 0 && !self.broken {
            self.batch.tallies.eval_skipped += 1;
            for file in &mut self.files {
                if file.reading == Reading::Read {
                    file.reading = Reading::Listed;
                }
            }
        }
        let job = std::mem::take(&mut self.job);
        for outcome in job.read(self.place("", None), self.words) {
            match outcome {
                Outcome::Record(record, raw) => {
                    let row = EvalRow { record: *record, upload: self.upload(Origin::PerJob), raw };
                    self.batch.evals.push(row);
                }
                Outcome::Refused { file, refusal } => self.eval_refused(&file, None, refusal),
                Outcome::NothingRecognised { file } => {
                    self.batch.tallies.eval_skipped += 1;
                    for entry in self.files.iter_mut().filter(|f| f.path == file) {
                        entry.reading = Reading::Listed;
                    }
                }
            }
        }
    }

    /// Lists the artifact. `archive` is the size and digest of the zip it came as.
    fn finish(mut self, archive: Option<(u64, Option<String>)>, listed: Option<&Listed>) -> bool {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let readings = |wanted: Reading| self.files.iter().any(|f| f.reading == wanted);
        let results_read = self.family != Family::Eval
            || self
                .files
                .iter()
                .any(|f| f.reading == Reading::Read && !f.path.rsplit('/').next().unwrap_or_default().starts_with("meta_env"));
        let reading = if self.broken {
            Reading::Refused
        } else if self.family == Family::Trace && readings(Reading::NotReadYet) {
            // The commands beside a trace are not the trace.
            Reading::NotReadYet
        } else if readings(Reading::Read) && results_read {
            Reading::Read
        } else if readings(Reading::Refused) {
            Reading::Refused
        } else if readings(Reading::NotReadYet) {
            Reading::NotReadYet
        } else {
            Reading::Listed
        };
        let (size, digest) = archive.unwrap_or_else(|| {
            let stated = listed.and_then(|l| l.digest.clone());
            (self.files.iter().map(|f| f.size).sum(), stated.or_else(|| digest_of_files(&self.files)))
        });
        let known = self.family != Family::Unknown || reading == Reading::Refused;
        let found = std::mem::take(&mut self.found);
        self.batch.evidence.extend(found.facts(self.run_id, self.attempt, self.name, discover::is_of_an_eval(self.name)));
        self.batch.artifacts.push(Artifact {
            name: self.name.to_owned(),
            attempt: self.attempt,
            artifact_id: self.artifact_id,
            family: self.family,
            reading,
            size,
            digest,
            uploaded_at: self.uploaded_at,
            expires_at: listed.and_then(|l| l.expires_at.clone()),
            files: self.files,
            pairs_with: None,
        });
        known
    }
}

/// Rows of a file, with their numbers where it is a list.
fn rows(value: &Value) -> Vec<(Option<u32>, &Value)> {
    match value {
        Value::Array(rows) => rows.iter().zip(0_u32..).map(|(row, i)| (Some(i), row)).collect(),
        row => vec![(None, row)],
    }
}

/// Digest over names and contents; `None` where some content could not be read.
fn digest_of_files(files: &[ArtifactFile]) -> Option<String> {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.path.as_bytes());
        hash.update([0]);
        hash.update(file.digest.as_deref()?.as_bytes());
        hash.update([b'\n']);
    }
    Some(format!("sha256:{}", hex::encode(hash.finalize())))
}
