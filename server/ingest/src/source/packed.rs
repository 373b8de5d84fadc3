//! Logs that lie packed inside an artifact: `.gz`, `.tar`, `.tar.gz`. Streamed, entry by entry; nothing is ever written to disk.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use tar::Archive;

use super::Packing;
use super::path::inside;
use super::stream::Hashed;
use crate::log::{self, Scan};
use crate::options::Limits;
use crate::refusal::{Refusal, code};

/// Longest name that an entry may give itself in a record of its own.
const LONGEST_NAME: u64 = 64 << 10;

/// What was read of a log, or of the logs that are packed in a file.
#[derive(Default)]
pub(crate) struct LogRead {
    /// What was read, text by text; what is no text is left out.
    pub(crate) read: Vec<log::Read>,
    /// What could not be read, by path.
    pub(crate) refused: Vec<(String, Refusal)>,
}

impl std::fmt::Debug for LogRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogRead").field("read", &self.read.len()).field("refused", &self.refused).finish()
    }
}

/// Reads a packed file. What was read before something broke is kept.
pub(super) fn read(file: &mut Hashed<'_>, packing: Packing, path: &str, limits: &Limits) -> LogRead {
    let mut out = LogRead::default();
    let outcome = match packing {
        Packing::Plain | Packing::Gzip => {
            let mut unpacked = Unpacked::new(MultiGzDecoder::new(file), *limits, true);
            let mut scan = Scan::new(path.strip_suffix(".gz").unwrap_or(path));
            let outcome = feed(&mut unpacked, &mut scan);
            out.read.extend(scan.finish());
            outcome.map_err(|e| unpacked.refusal(&e))
        }
        Packing::Tar => tar(Unpacked::new(file, *limits, false), path, limits, &mut out),
        Packing::TarGzip => tar(Unpacked::new(MultiGzDecoder::new(file), *limits, true), path, limits, &mut out),
    };
    if let Err(refusal) = outcome {
        out.refused.push((path.to_owned(), refusal));
    }
    out
}

fn feed(reader: &mut dyn Read, scan: &mut Scan) -> std::io::Result<()> {
    let mut buffer = vec![0_u8; 64 << 10];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => scan.push(buffer.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn tar<R: Read + Packed>(unpacked: Unpacked<R>, path: &str, limits: &Limits, out: &mut LogRead) -> Result<(), Refusal> {
    let mut archive = Archive::new(unpacked);
    let outcome = entries(&mut archive, path, limits, out);
    outcome.map_err(|refused| match refused {
        Broken::Io(error) => archive.into_inner().refusal(&error),
        Broken::Refused(refusal) => refusal,
    })
}

/// Why an archive was read no further.
enum Broken {
    Io(std::io::Error),
    Refused(Refusal),
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

fn entries<R: Read>(archive: &mut Archive<R>, path: &str, limits: &Limits, out: &mut LogRead) -> Result<(), Broken> {
    let mut longer_name: Option<String> = None;
    // Raw: records about an entry are entries too, so that we decide how much of them is held.
    for (seen, entry) in archive.entries()?.raw(true).enumerate() {
        let mut entry = entry?;
        if seen >= limits.entries {
            return Err(Broken::Refused(Refusal::new(code::TOO_LARGE, format!("more than {} entries", limits.entries))));
        }
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            if entry.size() > LONGEST_NAME {
                return Err(Broken::Refused(Refusal::new(code::TOO_LARGE, "an entry's name is longer than any path")));
            }
            let mut record = Vec::new();
            entry.read_to_end(&mut record)?;
            let name = if kind.is_gnu_longname() {
                record.split(|b| *b == 0).next().map(|name| String::from_utf8_lossy(name).into_owned())
            } else {
                pax_path(&record)
            };
            longer_name = name.or(longer_name);
            continue;
        }
        if !kind.is_file() {
            longer_name = None;
            continue;
        }
        let raw = longer_name.take().unwrap_or_else(|| String::from_utf8_lossy(&entry.path_bytes()).into_owned());
        let Some(name) = inside(&raw) else {
            let shown: String = raw.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
            let refusal = Refusal::new(code::PATH_ESCAPES, format!("the path {raw:?} leads out of the archive"));
            out.refused.push((format!("{path}/{shown}"), refusal));
            continue;
        };
        let name = format!("{path}/{name}");
        if entry.size() > limits.entry_bytes {
            let refusal = Refusal::new(code::TOO_LARGE, format!("{} bytes, more than {}", entry.size(), limits.entry_bytes));
            out.refused.push((name, refusal));
            continue;
        }
        let mut scan = Scan::new(&name);
        let outcome = feed(&mut entry, &mut scan);
        out.read.extend(scan.finish());
        outcome?;
    }
    Ok(())
}

/// The path that a record of extended headers gives its entry.
fn pax_path(record: &[u8]) -> Option<String> {
    let found = tar::PaxExtensions::new(record).flatten().find(|e| e.key_bytes() == b"path")?;
    Some(String::from_utf8_lossy(found.value_bytes()).into_owned())
}

/// What comes out of a packed file, with an eye on how much it is.
struct Unpacked<R> {
    reader: R,
    size: u64,
    limits: Limits,
    /// Compressed: then it may be a bomb.
    compressed: bool,
    refusal: Option<Refusal>,
}

/// What knows how many packed bytes were read.
trait Packed {
    fn packed(&self) -> u64;
}

impl Packed for &mut Hashed<'_> {
    fn packed(&self) -> u64 {
        self.size()
    }
}

impl<'a, 'b> Packed for MultiGzDecoder<&'a mut Hashed<'b>> {
    fn packed(&self) -> u64 {
        self.get_ref().size()
    }
}

impl<R> Unpacked<R> {
    fn new(reader: R, limits: Limits, compressed: bool) -> Self {
        Self { reader, size: 0, limits, compressed, refusal: None }
    }

    /// Why it went no further.
    fn refusal(self, error: &std::io::Error) -> Refusal {
        self.refusal.unwrap_or_else(|| Refusal::new(code::BAD_ARCHIVE, error.to_string()))
    }
}

impl<R: Read + Packed> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.size += read as u64;
        let suspicious = self.reader.packed().saturating_mul(self.limits.ratio).max(self.limits.ratio_from);
        let detail = if self.size > self.limits.archive_bytes {
            format!("unpacks to more than {} bytes", self.limits.archive_bytes)
        } else if self.compressed && self.size > suspicious {
            format!("unpacks to more than {suspicious} bytes, far beyond its packed size")
        } else {
            return Ok(read);
        };
        self.refusal = Some(Refusal::new(code::TOO_LARGE, detail.clone()));
        Err(std::io::Error::other(detail))
    }
}
