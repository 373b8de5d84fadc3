//! One style sheet from `style/NN-*.css`: joined in name order, without comments
//! and indentation, its addresses those of the hashed files.

use std::{collections::BTreeMap, ffi::OsStr, path::Path};

use crate::{
    error::{self, Error, Result},
    site,
};

/// Every `*.css` directly in `folder`, in name order.
pub(crate) fn concatenate(folder: &Path) -> Result<String> {
    let mut sheet = String::new();
    for file in site::files_in(folder)? {
        if file.extension() == Some(OsStr::new("css")) {
            let text = String::from_utf8(error::read(&file)?).map_err(|_| Error::new(format!("{} is not UTF-8", file.display())))?;
            sheet.push_str(&text);
            sheet.push('\n');
        }
    }
    Ok(sheet)
}

/// Drops comments, and white space that means nothing. Strings stay as they are.
pub(crate) fn compact(sheet: &str) -> String {
    let mut out = String::with_capacity(sheet.len());
    let mut chars = sheet.chars().peekable();
    // White space is held back until what follows shows whether it is needed.
    let mut space = false;
    while let Some(c) = chars.next() {
        if c == '/' && chars.peek() == Some(&'*') {
            chars.next();
            skip_comment(&mut chars);
            space = true;
        } else if c.is_ascii_whitespace() {
            space = true;
        } else {
            let free = out.is_empty() || out.ends_with(['{', '}', ';', ',']) || matches!(c, '{' | '}');
            if space && !free {
                out.push(' ');
            }
            space = false;
            out.push(c);
            if matches!(c, '"' | '\'') {
                copy_string(c, &mut chars, &mut out);
            }
        }
    }
    out.push('\n');
    out
}

fn skip_comment(chars: &mut impl Iterator<Item = char>) {
    let mut before = ' ';
    for c in chars {
        if before == '*' && c == '/' {
            return;
        }
        before = c;
    }
}

fn copy_string(quote: char, chars: &mut impl Iterator<Item = char>, out: &mut String) {
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '\\' {
            out.extend(chars.next());
        } else if c == quote {
            return;
        }
    }
}

/// Turns `/assets/NAME` into the hashed address of `NAME`; an unknown name is an error.
pub(crate) fn with_hashed_urls(sheet: &str, manifest: &BTreeMap<String, String>) -> Result<String> {
    const PREFIX: &str = "/assets/";
    let mut parts = sheet.split(PREFIX);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(['"', '\'', ')', '?', '#']).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let Some(hashed) = manifest.get(name) else {
            return Err(Error::new(format!("the style sheet names {PREFIX}{name}, but style/static has no {name}")));
        };
        out.push('/');
        out.push_str(hashed);
        out.push_str(rest);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compacting_keeps_what_means_something() {
        for (sheet, compacted) in [
            ("a  b\n{\n  color : red;\n\n  margin: 0 1px\n}\n", "a b{color : red;margin: 0 1px}\n"),
            ("/* note */a{}/**/b{}", "a{}b{}\n"),
            ("a/* * / */b{}", "a b{}\n"),
            (r#"a::after{content:"/* no  comment */ \" x"}"#, "a::after{content:\"/* no  comment */ \\\" x\"}\n"),
            ("a{width:calc(1px + 2px)}", "a{width:calc(1px + 2px)}\n"),
            (":root{--none: ;}", ":root{--none: ;}\n"),
            ("a,\n  b > c{}", "a,b > c{}\n"),
            ("a{} /* never closed", "a{}\n"),
        ] {
            assert_eq!(compact(sheet), compacted, "{sheet}");
        }
    }

    #[test]
    fn addresses_become_hashed_ones() {
        let manifest = BTreeMap::from([("inter.woff2".to_owned(), "assets/inter.0a.woff2".to_owned())]);
        let hashed = with_hashed_urls("a{src:url(/assets/inter.woff2) x}b{src:url('/assets/inter.woff2')}", &manifest);
        assert_eq!(hashed.unwrap(), "a{src:url(/assets/inter.0a.woff2) x}b{src:url('/assets/inter.0a.woff2')}");
        assert!(with_hashed_urls("a{src:url(/assets/other.woff2)}", &manifest).is_err());
    }
}
