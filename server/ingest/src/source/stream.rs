//! Streaming a file through a hash, with an eye on its size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::packed::{self, LogRead};
use super::{Packing, Want};
use crate::log::Scan;
use crate::options::Limits;
use crate::refusal::{Refusal, code};

/// How much of one file is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Bytes at most.
    pub(super) bytes: u64,
    /// Bytes at which the file is taken for a bomb; `None` where it is not packed.
    pub(super) suspicious: Option<u64>,
}

/// What came out of a file.
#[derive(Debug)]
pub(super) struct Streamed {
    pub(super) size: u64,
    pub(super) digest: String,
    pub(super) content: Option<Vec<u8>>,
    pub(super) log: Option<LogRead>,
}

/// Reads to the end, or to the budget's; `path` is the file's, `limits` are for what is packed in it.
pub(super) fn stream(
    reader: &mut dyn Read,
    want: Want,
    path: &str,
    budget: Budget,
    limits: &Limits,
    broken: &'static str,
) -> Result<Streamed, Refusal> {
    let mut hashed = Hashed { reader, hash: Sha256::new(), size: 0, budget, refusal: None };
    let mut content = None;
    let mut log = None;
    match want {
        Want::Nothing => {}
        Want::Content => {
            let mut bytes = Vec::new();
            pump(&mut hashed, broken, &mut |chunk| bytes.extend_from_slice(chunk))?;
            content = Some(bytes);
        }
        Want::Log(Packing::Plain) => {
            let mut scan = Scan::new(path);
            pump(&mut hashed, broken, &mut |chunk| scan.push(chunk))?;
            log = Some(LogRead { read: scan.finish().into_iter().collect(), refused: Vec::new() });
        }
        Want::Log(packing) => log = Some(packed::read(&mut hashed, packing, path, limits)),
    }
    // What nobody looked at is hashed all the same.
    pump(&mut hashed, broken, &mut |_| {})?;
    let Hashed { hash, size, .. } = hashed;
    Ok(Streamed { size, digest: format!("sha256:{}", hex::encode(hash.finalize())), content, log })
}

/// Reads to the end and hands on every piece.
pub(super) fn pump(reader: &mut Hashed<'_>, broken: &'static str, each: &mut dyn FnMut(&[u8])) -> Result<(), Refusal> {
    let mut buffer = vec![0_u8; 64 << 10];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => each(buffer.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(reader.refusal.take().unwrap_or_else(|| Refusal::new(broken, error.to_string()))),
        }
    }
}

/// A file that is hashed while it is read, with an eye on its size.
pub(super) struct Hashed<'a> {
    reader: &'a mut dyn Read,
    hash: Sha256,
    size: u64,
    budget: Budget,
    /// Why it went no further.
    refusal: Option<Refusal>,
}

impl Hashed<'_> {
    /// Bytes read so far.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    fn beyond(&mut self, detail: String) -> std::io::Error {
        self.refusal = Some(Refusal::new(code::TOO_LARGE, detail.clone()));
        std::io::Error::other(detail)
    }
}

impl Read for Hashed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.size += read as u64;
        if self.size > self.budget.bytes {
            return Err(self.beyond(format!("more than {} bytes", self.budget.bytes)));
        }
        if let Some(suspicious) = self.budget.suspicious.filter(|s| self.size > *s) {
            return Err(self.beyond(format!("unpacks to more than {suspicious} bytes, far beyond its packed size")));
        }
        self.hash.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

/// `sha256:…` of a whole file.
pub(crate) fn digest_of_file(path: &Path) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0_u8; 64 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("sha256:{}", hex::encode(hash.finalize()))),
            read => hash.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}
