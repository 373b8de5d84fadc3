//! Streaming a file through a hash, with an eye on its size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

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
}

/// Reads to the end, or to the budget's.
pub(super) fn stream(reader: &mut dyn Read, keep: bool, budget: Budget, broken: &'static str) -> Result<Streamed, Refusal> {
    let mut hash = Sha256::new();
    let mut content = keep.then(Vec::new);
    let mut size: u64 = 0;
    let mut buffer = vec![0_u8; 64 << 10];
    loop {
        let read = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Refusal::new(broken, error.to_string())),
        };
        let chunk = buffer.get(..read).unwrap_or_default();
        size += chunk.len() as u64;
        if size > budget.bytes {
            return Err(Refusal::new(code::TOO_LARGE, format!("more than {} bytes", budget.bytes)));
        }
        if let Some(suspicious) = budget.suspicious.filter(|s| size > *s) {
            return Err(Refusal::new(code::TOO_LARGE, format!("unpacks to more than {suspicious} bytes, far beyond its packed size")));
        }
        hash.update(chunk);
        if let Some(content) = &mut content {
            content.extend_from_slice(chunk);
        }
    }
    Ok(Streamed { size, digest: format!("sha256:{}", hex::encode(hash.finalize())), content })
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
