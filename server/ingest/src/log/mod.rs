//! Server logs and the files beside them, line by line: environment, server arguments, acceptance lengths, builds, patches.
//!
//! A log may have hundreds of megabytes: it is streamed, and of a line no more than [`LONGEST`] is held. Only what a line says
//! for sure is taken: an assignment where a shell or a dump would put one, never a `NAME=value` amid a sentence.
//!
//! * `lines`: bytes to lines; `env`, `arguments`, `acceptance`, `patch`: what one line says; `yaml`: settings below sections
//! * `shell`, `python`: words of a command, fields of a dump; `secret`: what is never kept
//! * `found`: what an artifact says in all, each setting once

mod acceptance;
mod arguments;
mod env;
mod found;
mod lines;
mod needles;
mod patch;
mod python;
mod secret;
mod shell;
#[cfg(test)]
mod tests;
mod yaml;

use std::borrow::Cow;

use paretoscope_domain::fact::FactKind;

use self::acceptance::Acceptance;
pub(crate) use self::found::Found;
use self::lines::Lines;
use self::needles::Hits;
use self::yaml::Sections;

/// Most that is held of one line, in bytes; dumps of server arguments have some ten thousand.
const LONGEST: usize = 256 << 10;

/// Lines of a command that goes on with a backslash, and its bytes.
const LONGEST_COMMAND: (u32, usize) = (400, 64 << 10);

/// How much of a file is looked at to tell text from something else.
const LOOK_AT: usize = 8 << 10;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) kind: FactKind,
    pub(crate) key: String,
    pub(crate) value: String,
}

/// A file while it is read.
pub(crate) struct Scan {
    file: String,
    looked_at: usize,
    binary: bool,
    lines: Lines,
    page: Page,
}

/// What was read of a file so far.
struct Page {
    /// Settings stand below sections.
    sections: Option<Sections>,
    /// A command that goes on: its first line's number, how many lines, its text.
    command: Option<(u64, u32, String)>,
    acceptance: Acceptance,
    said: Vec<(u64, Said)>,
    /// How many more were said than are held.
    beyond: u64,
}

/// What a whole file says.
pub(crate) struct Read {
    pub(crate) file: String,
    /// Line and what it says, in order.
    pub(crate) said: Vec<(u64, Said)>,
    pub(crate) beyond: u64,
    /// Means over its lines: name, mean, number of lines.
    pub(crate) means: Vec<(&'static str, String, u64)>,
}

impl Scan {
    /// A file of that path; the path decides whether it is read as YAML.
    pub(crate) fn new(file: &str) -> Self {
        let yaml = [".yaml", ".yml"].iter().any(|end| file.to_ascii_lowercase().ends_with(end));
        let page =
            Page { sections: yaml.then(Sections::default), command: None, acceptance: Acceptance::default(), said: Vec::new(), beyond: 0 };
        Self { file: file.to_owned(), looked_at: 0, binary: false, lines: Lines::default(), page }
    }

    /// Takes the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.looked_at < LOOK_AT {
            let head = bytes.get(..LOOK_AT.min(bytes.len())).unwrap_or_default();
            self.looked_at += head.len();
            self.binary |= memchr::memchr(0, head).is_some();
        }
        if !self.binary {
            let page = &mut self.page;
            self.lines.push(bytes, &mut |number, line| page.line(number, line));
        }
    }

    /// What the file says; `None` where it is no text.
    pub(crate) fn finish(mut self) -> Option<Read> {
        if self.binary {
            return None;
        }
        let page = &mut self.page;
        self.lines.finish(&mut |number, line| page.line(number, line));
        page.end_command();
        let Page { acceptance, said, beyond, .. } = self.page;
        Some(Read { file: self.file, said, beyond, means: acceptance.means() })
    }
}

impl Page {
    fn line(&mut self, number: u64, bytes: &[u8]) {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let bytes: Cow<'_, [u8]> = if memchr::memchr(0x1b, bytes).is_some() {
            Cow::Owned(anstream::adapter::strip_bytes(bytes).into_vec())
        } else {
            Cow::Borrowed(bytes)
        };
        let mut part = |part: &[u8]| {
            let hits = needles::hits(part);
            if hits.any() || self.command.is_some() || self.sections.is_some() {
                self.part(number, &String::from_utf8_lossy(part), hits);
            }
        };
        // A progress bar writes over its own line; what comes after it stands there alone.
        if memchr::memchr(b'\r', &bytes).is_some() {
            bytes.split(|b| *b == b'\r').for_each(part);
        } else {
            part(&bytes);
        }
    }

    fn part(&mut self, number: u64, text: &str, hits: Hits) {
        if let Some((_, lines, command)) = &mut self.command {
            *lines += 1;
            let goes_on = shell::goes_on(text);
            command.push(' ');
            command.push_str(goes_on.unwrap_or(text));
            if goes_on.is_some() && *lines < LONGEST_COMMAND.0 && command.len() < LONGEST_COMMAND.1 {
                return;
            }
            return self.end_command();
        }
        if text.trim_start().starts_with('#') {
            return;
        }
        if let Some(sections) = &mut self.sections
            && let Some(said) = sections.line(text)
        {
            return self.say(number, said);
        }
        if let Some(start) = shell::goes_on(text).filter(|_| hits.any()) {
            self.command = Some((number, 1, start.to_owned()));
            return;
        }
        self.whole(number, text, hits);
    }

    fn end_command(&mut self) {
        if let Some((number, _, text)) = self.command.take() {
            let hits = needles::hits(text.as_bytes());
            self.whole(number, &text, hits);
        }
    }

    /// A whole line, or the lines of one command.
    fn whole(&mut self, number: u64, text: &str, hits: Hits) {
        if hits.acceptance {
            self.acceptance.line(text);
        }
        if hits.env {
            for (key, value) in env::assignments(text, self.sections.is_some()) {
                self.say(number, env::said(key, value));
            }
        }
        if hits.arguments {
            for (key, value) in arguments::of_line(text) {
                self.say(number, Said { kind: FactKind::Argument, key, value });
            }
        }
        if hits.patch
            && let Some(what) = patch::what(text)
        {
            self.say(number, Said { kind: FactKind::Patch, key: what.to_owned(), value: text.trim().to_owned() });
        }
    }

    fn say(&mut self, number: u64, said: Said) {
        if self.said.len() < found::MOST {
            self.said.push((number, Said { value: secret::kept(&said.key, said.kind, &said.value), ..said }));
        } else {
            self.beyond += 1;
        }
    }
}
