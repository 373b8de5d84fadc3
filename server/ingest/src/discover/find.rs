//! Looks through the given paths for runs and their artifacts. Only names are looked at here; nothing is opened but small
//! files about the run itself.

use std::fs;
use std::path::{Path, PathBuf};

use paretoscope_domain::run::Family;
use paretoscope_domain::{Attempt, RunId};

use super::family::family_of_name;
use super::listing::{Listed, has_id, parse_listing};
use super::name::{attempt_of, is_json, last, run_of, without_copy, zip_stem};
use super::payload::{Payload, parse_payload};
use crate::error::IngestError;
use crate::refusal::{Refusal, code};

const RUN_JSON: &str = "run.json";
const LISTING: &str = "artifacts.json";
/// How deep folders of folders are looked through.
const DEPTH: usize = 6;
/// Bytes of a file about the run; a listing of ten thousand artifacts has about eight million.
const SMALL_FILE: u64 = 64 << 20;

/// Where an artifact lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A folder with its files.
    Folder(PathBuf),
    /// An archive.
    Zip(PathBuf),
    /// One file.
    File(PathBuf),
}

/// An artifact that was found.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Name.
    pub(crate) name: String,
    /// Number that a browser gave to a further download of the same name; 0 for the first.
    pub(crate) copy: u32,
    /// Where it lies.
    pub(crate) place: Place,
    /// Attempt, by its folder.
    pub(crate) attempt: Option<Attempt>,
    /// Digest of its archive, once worked out.
    pub(crate) digest: Option<String>,
}

/// A folder (or a few loose files) of one run.
#[derive(Debug, Default)]
pub(crate) struct RunFolder {
    /// What was given or found.
    pub(crate) root: PathBuf,
    /// Run id by the folder's name.
    pub(crate) named: Option<RunId>,
    /// The run's payload and its file.
    pub(crate) payload: Option<(PathBuf, Payload)>,
    /// GitHub's artifact listing.
    pub(crate) listing: Vec<Listed>,
    /// Artifacts.
    pub(crate) items: Vec<Item>,
    /// Files about the run, and links, that could not be used: name and why.
    pub(crate) refused: Vec<(String, Refusal)>,
    /// A payload that could not be read: its file and why.
    pub(crate) bad_payload: Option<(PathBuf, String)>,
    /// Whether it is only a file or artifact that was given by itself, and may belong with others.
    pub(crate) loose: bool,
}

/// Finds the runs below a given path.
pub(crate) fn find(path: &Path) -> Result<Vec<RunFolder>, IngestError> {
    let meta = fs::metadata(path).map_err(|source| unreadable(path, source))?;
    let mut found = Vec::new();
    if meta.is_dir() {
        // "." and ".." have no name of their own.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if is_artifact(&real) {
            found.push(single(path, Place::Folder(path.to_owned()), last(&real))?);
        } else {
            search(path, &real, 0, &mut found)?;
        }
    } else {
        let file = last(path);
        let (place, name) = match zip_stem(&file) {
            Some(stem) => (Place::Zip(path.to_owned()), stem.to_owned()),
            None if is_json(&file) => (Place::File(path.to_owned()), name_of_file(path)),
            None => {
                let detail = "a folder, a .zip or a .json file is expected".to_owned();
                return Err(IngestError::NotRecognised { path: path.to_owned(), detail });
            }
        };
        found.push(single(path, place, name)?);
    }
    if found.iter().all(|f| f.items.is_empty() && f.payload.is_none() && f.bad_payload.is_none() && f.refused.is_empty()) {
        return Err(IngestError::NothingFound { path: path.to_owned() });
    }
    Ok(found)
}

/// A lone JSON file is named for the artifact folder it lies in, so that it is the same place whichever way it is given.
fn name_of_file(path: &Path) -> String {
    let folder = path.parent().and_then(|p| p.canonicalize().ok()).map(|p| last(&p)).unwrap_or_default();
    if family_of_name(&folder).is_some() {
        return folder;
    }
    let file = last(path);
    file.rsplit_once('.').map_or(file.clone(), |(stem, _)| stem.to_owned())
}

/// One artifact or file that was given by itself. The folders above it may tell run and attempt.
fn single(path: &Path, place: Place, stem: String) -> Result<RunFolder, IngestError> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut folder = RunFolder { root: path.to_owned(), loose: true, ..RunFolder::default() };
    let mut attempt = None;
    for above in real.ancestors().skip(1).take(3) {
        attempt = attempt.or_else(|| attempt_of(&last(above)));
        let named = run_above(above);
        if named.is_some() || above.join(RUN_JSON).is_file() {
            about_the_run(above, &mut folder)?;
            folder.named = named;
            break;
        }
    }
    let (name, copy) = without_copy(&stem);
    folder.items.push(Item { name: name.to_owned(), copy, place, attempt, digest: None });
    Ok(folder)
}

/// Run id of a folder above what was given. Short numbers are not taken: a year or a scratch folder is no run.
fn run_above(folder: &Path) -> Option<RunId> {
    run_of(&last(folder)).filter(|run| run.get() >= 100_000_000)
}

/// Whether a folder is an artifact by itself.
fn is_artifact(folder: &Path) -> bool {
    folder.join("meta_env.json").is_file() || (family_of_name(&last(folder)).is_some() && !is_shelf(folder))
}

/// Whether a folder holds artifacts or runs, whatever it is called: people name their folders `results_today` too.
fn is_shelf(folder: &Path) -> bool {
    let Ok(mut inside) = fs::read_dir(folder) else { return false };
    inside.any(|entry| {
        let Ok(entry) = entry else { return false };
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_dir = entry.file_type().is_ok_and(|t| t.is_dir());
        let artifact = if is_dir { Some(name.as_str()) } else { zip_stem(&name) };
        let holds_rows = artifact.and_then(family_of_name).is_some_and(|f| {
            use Family::{Benchmark, Changelog, CollectedBenchmarks, CollectedEvals, Eval, JobEvent, RunStats};
            matches!(f, Benchmark | Changelog | CollectedBenchmarks | CollectedEvals | Eval | JobEvent | RunStats)
        });
        holds_rows || name == RUN_JSON || (is_dir && (attempt_of(&name).is_some() || run_of(&name).is_some_and(|r| r.get() >= 100_000_000)))
    })
}

/// What lies directly in a folder.
#[derive(Default)]
struct Entries {
    folders: Vec<PathBuf>,
    zips: Vec<PathBuf>,
    jsons: Vec<PathBuf>,
    links: Vec<PathBuf>,
    has_payload: bool,
    has_listing: bool,
}

fn entries(folder: &Path) -> Result<Entries, IngestError> {
    let mut entries = Entries::default();
    for entry in fs::read_dir(folder).map_err(|source| unreadable(folder, source))? {
        let entry = entry.map_err(|source| unreadable(folder, source))?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().map_err(|source| unreadable(&path, source))?;
        let (is_dir, is_file) = if kind.is_symlink() {
            // A link is followed only where it stays inside.
            let target = path.canonicalize().ok();
            let root = folder.canonicalize().ok();
            match target.zip(root) {
                Some((target, root)) if target.starts_with(&root) && !root.starts_with(&target) => (false, target.is_file()),
                _ => {
                    entries.links.push(path);
                    continue;
                }
            }
        } else {
            (kind.is_dir(), kind.is_file())
        };
        if is_dir {
            if !name.starts_with('.') {
                entries.folders.push(path);
            }
        } else if is_file && name == RUN_JSON {
            entries.has_payload = true;
        } else if is_file && name == LISTING {
            entries.has_listing = true;
        } else if is_file && zip_stem(&name).is_some() {
            entries.zips.push(path);
        } else if is_file && is_json(&name) && !name.starts_with('.') {
            entries.jsons.push(path);
        }
    }
    for list in [&mut entries.folders, &mut entries.zips, &mut entries.jsons, &mut entries.links] {
        list.sort();
    }
    Ok(entries)
}

/// Whether artifacts lie directly in a folder.
fn holds_artifacts(entries: &Entries) -> bool {
    !entries.zips.is_empty()
        || entries.folders.iter().any(|f| is_artifact(f) || attempt_of(&last(f)).is_some())
        || entries.jsons.iter().any(|f| ["agg_bmk", "agg_eval_all"].iter().any(|p| last(f).starts_with(p)))
}

/// Whether a folder inside another is a run of its own.
fn is_run(folder: &Path) -> bool {
    folder.join(RUN_JSON).is_file()
        || (run_of(&last(folder)).is_some() && fs::read_dir(folder).is_ok_and(|mut inside| inside.next().is_some()))
}

fn search(folder: &Path, real: &Path, depth: usize, found: &mut Vec<RunFolder>) -> Result<(), IngestError> {
    let entries = entries(folder)?;
    let about = entries.has_payload || entries.has_listing;
    let runs_inside = !about && entries.folders.iter().any(|f| is_run(f));
    let named = run_of(&last(real));
    let is_run_folder =
        !runs_inside && (about || holds_artifacts(&entries) || (named.is_some() && (depth > 0 || !entries.folders.is_empty())));
    if is_run_folder {
        found.push(run_folder(folder, real, &entries)?);
        return Ok(());
    }
    let before = found.len();
    if depth < DEPTH {
        for inner in &entries.folders {
            search(inner, inner, depth + 1, found)?;
        }
    }
    // Names told nothing: whatever was given is one run with artifacts that nobody knows, unless there is nothing at all.
    if depth == 0 && found.len() == before && (!entries.folders.is_empty() || !entries.jsons.is_empty() || !entries.links.is_empty()) {
        found.push(run_folder(folder, real, &entries)?);
    }
    Ok(())
}

fn run_folder(folder: &Path, real: &Path, entries: &Entries) -> Result<RunFolder, IngestError> {
    let mut run = RunFolder { root: folder.to_owned(), named: run_of(&last(real)), ..RunFolder::default() };
    about_the_run(folder, &mut run)?;
    let attempt = attempt_of(&last(real));
    if attempt.is_some() || run.named.is_none() {
        // An attempt's folder, or an unnamed one, inside the run's.
        if let Some(above) = real.parent().filter(|above| run_above(above).is_some() && run.payload.is_none() && run.named.is_none()) {
            about_the_run(above, &mut run)?;
            run.named = run_above(above);
        }
    }
    gather(folder, entries, attempt, 0, &mut run)?;
    Ok(run)
}

/// Reads what a folder says about its run.
fn about_the_run(folder: &Path, run: &mut RunFolder) -> Result<(), IngestError> {
    let payload = folder.join(RUN_JSON);
    if payload.is_file() && run.payload.is_none() {
        match parse_payload(&small_file(&payload)?) {
            Ok(parsed) => run.payload = Some((payload, parsed)),
            Err(detail) => run.bad_payload = Some((payload, detail)),
        }
    }
    let listing = folder.join(LISTING);
    if listing.is_file() && run.listing.is_empty() {
        match parse_listing(&small_file(&listing)?) {
            Ok(parsed) => run.listing = parsed,
            Err(detail) => run.refused.push((LISTING.to_owned(), Refusal::new(code::BAD_JSON, detail))),
        }
    }
    Ok(())
}

pub(crate) fn small_file(path: &Path) -> Result<Vec<u8>, IngestError> {
    let size = fs::metadata(path).map_err(|source| unreadable(path, source))?.len();
    if size > SMALL_FILE {
        let detail = format!("{size} bytes are more than such a file has");
        return Err(IngestError::NotRecognised { path: path.to_owned(), detail });
    }
    fs::read(path).map_err(|source| unreadable(path, source))
}

/// Gathers the artifacts of a run from a folder and the folders of artifacts inside it.
fn gather(folder: &Path, entries: &Entries, attempt: Option<Attempt>, depth: usize, run: &mut RunFolder) -> Result<(), IngestError> {
    for link in &entries.links {
        let refusal = Refusal::new(code::PATH_ESCAPES, format!("a symbolic link that leads out of {}, or nowhere", folder.display()));
        run.refused.push((last(link), refusal));
    }
    for zip in &entries.zips {
        let file = last(zip);
        let (name, copy) = without_copy(zip_stem(&file).unwrap_or(&file));
        run.items.push(Item { name: name.to_owned(), copy, place: Place::Zip(zip.clone()), attempt, digest: None });
    }
    for json in &entries.jsons {
        run.items.push(Item { name: name_of_file(json), copy: 0, place: Place::File(json.clone()), attempt, digest: None });
    }
    for inner in &entries.folders {
        let name = last(inner);
        let told = attempt_of(&name);
        let listed = run.listing.iter().any(|l| l.name == name) || has_id(&run.listing, &name);
        if told.is_none() && (listed || is_artifact(inner)) {
            push_folder(inner, attempt, run);
            continue;
        }
        let inside = self::entries(inner)?;
        if (told.is_some() || holds_artifacts(&inside)) && depth < DEPTH {
            about_the_run(inner, run)?;
            gather(inner, &inside, told.or(attempt), depth + 1, run)?;
        } else {
            push_folder(inner, attempt, run);
        }
    }
    Ok(())
}

fn push_folder(folder: &Path, attempt: Option<Attempt>, run: &mut RunFolder) {
    let stem = last(folder);
    let (name, copy) = without_copy(&stem);
    run.items.push(Item { name: name.to_owned(), copy, place: Place::Folder(folder.to_owned()), attempt, digest: None });
}

fn unreadable(path: &Path, source: std::io::Error) -> IngestError {
    IngestError::Unreadable { path: path.to_owned(), source }
}
