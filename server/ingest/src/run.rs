//! From found folders to batches: which run, which facts, in which order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use paretoscope_domain::RunId;
use paretoscope_domain::batch::RunBatch;
use paretoscope_domain::report::Quarantined;
use paretoscope_domain::run::{Artifact, Family, Reading, RunFacts};
use paretoscope_domain::vocabulary::Vocabulary;

use crate::artifact::Reader;
use crate::discover::{self, Item, Listed, Payload, Place, RunFolder, assign, family_of_name, find, pairing_key, parse_payload};
use crate::error::IngestError;
use crate::evidence;
use crate::options::{Options, Progress};
use crate::refusal::code;
use crate::run_files;

/// Reads the runs that lie at `paths`: folders of artifacts, zips, or single JSON files.
///
/// What is wrong with a row or a file is in the batch's quarantine; only what keeps a whole run from being read is an error.
///
/// # Errors
/// When nothing says which run the files are of, when nothing is there, or when it cannot be read ([`IngestError`]).
pub fn read(
    paths: &[PathBuf],
    options: &Options,
    words: &Vocabulary,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<RunBatch>, IngestError> {
    let given = options.run_json.as_deref().map(payload_at).transpose()?;
    let mut folders = Vec::new();
    let mut several = false;
    for path in paths {
        let found = find(path)?;
        several |= found.len() > 1;
        folders.extend(found);
    }
    if folders.is_empty() {
        return Err(IngestError::NothingFound { path: paths.first().cloned().unwrap_or_default() });
    }
    only_one_run(&folders, several, options)?;

    let mut runs: Vec<(RunId, Vec<RunFolder>)> = Vec::new();
    for folder in folders {
        let run = run_of(&folder, options, given.as_ref())?;
        match runs.iter_mut().find(|(id, _)| *id == run) {
            Some((_, folders)) => folders.push(folder),
            None => runs.push((run, vec![folder])),
        }
    }
    let of: usize = runs.iter().flat_map(|(_, folders)| folders).map(|f| f.items.len()).sum();
    progress(Progress::Found { artifacts: of });
    let mut done = 0;
    let mut batches = Vec::with_capacity(runs.len());
    for (run, folders) in runs {
        batches.push(batch(run, folders, options, given.as_ref(), words, &mut |artifact| {
            progress(Progress::Reading { artifact, done, of });
            done += 1;
        })?);
    }
    Ok(batches)
}

fn payload_at(path: &Path) -> Result<Payload, IngestError> {
    parse_payload(&discover::small_file(path)?).map_err(|detail| IngestError::BadRunJson { path: path.to_owned(), detail })
}

fn own_id(folder: &RunFolder) -> Option<RunId> {
    folder.payload.as_ref().and_then(|(_, p)| p.run_id).or(folder.named)
}

/// A flag that names one run fits one run's files only.
fn only_one_run(folders: &[RunFolder], several: bool, options: &Options) -> Result<(), IngestError> {
    let flag = match options {
        Options { run_id: Some(_), .. } => "--run-id",
        Options { run_json: Some(_), .. } => "--run-json",
        _ => return Ok(()),
    };
    let own: BTreeSet<RunId> = folders.iter().filter_map(own_id).collect();
    if several || own.len() > 1 {
        return Err(IngestError::SeveralRuns { flag, found: folders.iter().map(|f| f.root.clone()).collect() });
    }
    Ok(())
}

/// The run of a folder: told by the caller, by a payload, or by the folder's name.
fn run_of(folder: &RunFolder, options: &Options, given: Option<&Payload>) -> Result<RunId, IngestError> {
    let found = options.run_id.or_else(|| given.and_then(|p| p.run_id)).or_else(|| own_id(folder));
    found.ok_or_else(|| match &folder.bad_payload {
        Some((path, detail)) => IngestError::BadRunJson { path: path.clone(), detail: detail.clone() },
        None => IngestError::NoRunId { path: folder.root.clone() },
    })
}

/// An artifact that was found, and what the listing knows of it.
struct Found {
    item: Item,
    listed: Option<Listed>,
}

fn batch(
    run: RunId,
    mut folders: Vec<RunFolder>,
    options: &Options,
    given: Option<&Payload>,
    words: &Vocabulary,
    progress: &mut dyn FnMut(&str),
) -> Result<RunBatch, IngestError> {
    let payload = given.or_else(|| folders.iter().find_map(|f| f.payload.as_ref().map(|(_, p)| p)));
    let mut batch = RunBatch::new(run, facts(run, payload, options));
    let mut found = Vec::new();
    let mut absent = Vec::new();
    for folder in &mut folders {
        for (name, refusal) in folder.refused.drain(..) {
            batch.quarantine.push(about_the_folder(name, refusal.reason, refusal.detail));
        }
        if let Some((path, detail)) = folder.bad_payload.take() {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            batch.quarantine.push(about_the_folder(name, code::BAD_JSON, detail));
        }
        let mut items = std::mem::take(&mut folder.items);
        items.sort_by(|a, b| (&a.name, a.attempt, a.copy).cmp(&(&b.name, b.attempt, b.copy)));
        let assigned = assign(&mut items, &folder.listing, run);
        absent.extend(not_here(&folder.listing, &assigned, run, folder.loose));
        found.extend(items.into_iter().zip(assigned).map(|(item, entry)| {
            let listed = entry.and_then(|e| folder.listing.get(e)).cloned();
            Found { item, listed }
        }));
    }
    // Oldest first: of two rows at one place the later one stands.
    found.sort_by_cached_key(|f| {
        let listed = f.listed.as_ref();
        let attempt = options.attempt.or(f.item.attempt).or(listed.and_then(|l| l.attempt));
        (attempt, listed.and_then(|l| l.created_at), listed.and_then(|l| l.id), f.item.name.clone(), f.item.copy)
    });

    let mut known = false;
    for Found { item, listed } in &found {
        progress(&item.name);
        let attempt = options.attempt.or(item.attempt).or(listed.as_ref().and_then(|l| l.attempt));
        let mut reader = Reader { words, limits: &options.limits, batch: &mut batch };
        known |= reader.artifact(item, listed.as_ref(), attempt);
    }
    // A file that somebody pointed at has to be one of ours.
    if let (false, [Found { item: Item { place: Place::File(path), .. }, .. }]) = (known, found.as_slice()) {
        let detail = "its content is none that the benchmark writes (rows, evals, metadata)".to_owned();
        return Err(IngestError::NotRecognised { path: path.clone(), detail });
    }
    batch.artifacts.extend(absent);
    pair(&mut batch.artifacts);
    evidence::name_points(&mut batch);
    settle(&mut batch);
    Ok(batch)
}

fn about_the_folder(file: String, reason: &str, detail: String) -> Quarantined {
    Quarantined { artifact: String::new(), file, row: None, reason: reason.to_owned(), detail }
}

fn facts(run: RunId, payload: Option<&Payload>, options: &Options) -> RunFacts {
    let mut facts = payload.map(|p| p.facts.clone()).unwrap_or_default();
    if let Some(kind) = options.kind {
        facts.kind = kind;
    }
    if let Some(other) = payload.and_then(|p| p.run_id).filter(|id| *id != run) {
        tracing::warn!(%run, payload = %other, "the payload speaks of another run than was asked for; its page is not kept");
        facts.html_url = None;
    }
    facts
}

/// What the listing names and nobody downloaded: listed, so that the run's page can say so.
fn not_here(listing: &[Listed], assigned: &[Option<usize>], run: RunId, loose: bool) -> Vec<Artifact> {
    if loose {
        return Vec::new();
    }
    let of_this_run = |l: &&Listed| l.run_id.is_none_or(|r| r == run);
    listing
        .iter()
        .enumerate()
        .filter(|(i, _)| !assigned.contains(&Some(*i)))
        .map(|(_, l)| l)
        .filter(of_this_run)
        .map(|l| Artifact {
            name: l.name.clone(),
            attempt: l.attempt,
            artifact_id: l.id,
            family: family_of_name(&l.name).unwrap_or(Family::Unknown),
            reading: Reading::Listed,
            size: l.size.unwrap_or_default(),
            digest: l.digest.clone(),
            uploaded_at: l.created_at,
            expires_at: l.expires_at.clone(),
            files: Vec::new(),
            pairs_with: None,
        })
        .collect()
}

/// Pairs artifacts of one job by the key they share with its benchmark artifact.
fn pair(artifacts: &mut [Artifact]) {
    let keys: BTreeSet<String> = artifacts
        .iter()
        .filter(|a| a.family == Family::Benchmark)
        .filter_map(|a| pairing_key(&a.name, a.family).map(str::to_owned))
        .collect();
    for artifact in artifacts {
        let own = pairing_key(&artifact.name, artifact.family).map(str::to_owned);
        artifact.pairs_with = own.and_then(|own| {
            if keys.contains(&own) {
                return Some(own);
            }
            // Names of eval jobs have more around the key.
            let around = keys.iter().filter(|k| artifact.name.contains(k.as_str())).max_by_key(|k| k.len()).cloned();
            let named_for_the_job = !matches!(artifact.family, Family::Eval | Family::JobEvent);
            around.or_else(|| named_for_the_job.then_some(own))
        });
    }
}

/// What follows from the changelog for the run and its points.
fn settle(batch: &mut RunBatch) {
    if let Some(key) = run_files::only_config_key(&batch.changelog) {
        for row in &mut batch.points {
            row.point.config_key = Some(key.to_owned());
        }
    }
    if batch.facts.pr_number.is_none() {
        batch.facts.pr_number = run_files::pull_request(&batch.changelog);
    }
    if batch.facts.head_sha.is_none() {
        batch.facts.head_sha = run_files::head_sha(&batch.changelog).map(str::to_owned);
    }
}
