//! Bytes as they come, to lines. Of a line longer than [`LONGEST`] the beginning is taken.

use super::LONGEST;

/// Lines that are not complete yet.
#[derive(Default)]
pub(super) struct Lines {
    /// Lines that ended so far.
    ended: u64,
    /// The beginning of the line that has not ended.
    rest: Vec<u8>,
    /// Whether anything of it came.
    begun: bool,
}

impl Lines {
    /// Takes bytes and gives each line that ends in them, with its number from 1.
    pub(super) fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(u64, &[u8])) {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            let piece = bytes.get(start..end).unwrap_or_default();
            start = end + 1;
            self.ended += 1;
            if self.begun {
                self.keep(piece);
                each(self.ended, &self.rest);
                self.rest.clear();
                self.begun = false;
            } else {
                each(self.ended, piece.get(..LONGEST).unwrap_or(piece));
            }
        }
        let piece = bytes.get(start..).unwrap_or_default();
        if !piece.is_empty() {
            self.begun = true;
            self.keep(piece);
        }
    }

    /// Gives the last line, where no line break ended it.
    pub(super) fn finish(&mut self, each: &mut dyn FnMut(u64, &[u8])) {
        if self.begun {
            each(self.ended + 1, &self.rest);
            self.begun = false;
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        let room = LONGEST.saturating_sub(self.rest.len());
        self.rest.extend_from_slice(piece.get(..room).unwrap_or(piece));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&[u8]]) -> Vec<(u64, String)> {
        let (mut lines, mut out) = (Lines::default(), Vec::new());
        let mut each = |number, line: &[u8]| out.push((number, String::from_utf8_lossy(line).into_owned()));
        chunks.iter().for_each(|chunk| lines.push(chunk, &mut each));
        lines.finish(&mut each);
        out
    }

    #[test]
    fn chunks_do_not_show() {
        let told = |pairs: &[(u64, &str)]| pairs.iter().map(|(n, t)| (*n, (*t).to_owned())).collect::<Vec<_>>();
        for chunks in [vec![b"a\n\nbc\nd".as_slice()], vec![b"a", b"\n", b"\nb", b"c\nd"], vec![b"a\n\nb", b"", b"c", b"\nd"]] {
            assert_eq!(lines(&chunks), told(&[(1, "a"), (2, ""), (3, "bc"), (4, "d")]));
        }
        assert!(lines(&[b""]).is_empty());
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let long = vec![b'x'; LONGEST + 100];
        for chunks in [vec![long.as_slice(), b"y\nz\n"], vec![b"y", long.as_slice(), b"\nz\n"]] {
            let sizes: Vec<_> = lines(&chunks).into_iter().map(|(number, line)| (number, line.len())).collect();
            assert_eq!(sizes, [(1, LONGEST), (2, 1)]);
        }
    }
}
