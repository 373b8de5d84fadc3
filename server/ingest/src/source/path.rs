//! Paths inside an archive: where they lead, or that they lead out.

/// The path with `/` and without `.` and `..`; `None` where it leaves the archive.
pub(super) fn inside(raw: &str) -> Option<String> {
    let path = raw.replace('\\', "/");
    if path.starts_with('/') || path.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for (i, part) in path.split('/').enumerate() {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            drive if i == 0 && is_drive(drive) => return None,
            part => parts.push(part),
        }
    }
    // A terminal shows these names.
    (!parts.is_empty()).then(|| parts.join("/").replace(char::is_control, "\u{fffd}"))
}

fn is_drive(part: &str) -> bool {
    let mut chars = part.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
}

#[cfg(test)]
mod tests {
    #[test]
    fn ways_out() {
        for (raw, path) in [
            ("agg_bmk.json", Some("agg_bmk.json")),
            ("results/a.json", Some("results/a.json")),
            ("a\\b.json", Some("a/b.json")),
            ("a/../b.json", Some("b.json")),
            ("./a//b", Some("a/b")),
            ("../a", None),
            ("a/../../b", None),
            ("..\\a", None),
            ("/etc/passwd", None),
            ("\\\\host\\share", None),
            ("C:\\x", None),
            ("c:x", None),
            ("a\0b", None),
            ("", None),
            ("..", None),
            ("ab:c", Some("ab:c")),
            ("a\u{1b}[31m", Some("a\u{fffd}[31m")),
        ] {
            assert_eq!(super::inside(raw).as_deref(), path, "{raw:?}");
        }
    }
}
