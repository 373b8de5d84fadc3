//! Lines that show a change of the engine outside its image: patches, edits in place, wheels, overlays.

/// What kind of change a line shows; `None` where it shows none. A person judges it: the line is kept as it is.
pub(super) fn what(line: &str) -> Option<&'static str> {
    let lower = line.to_ascii_lowercase();
    let has = |text: &str| lower.contains(text);
    let installed = has("site-packages") || has("dist-packages");
    Some(if has("git apply") || has("git am ") {
        "git apply"
    } else if ["patch -p", "patch -i", "patch -d", "patch -n", "patch -u", "patch --"].iter().any(|p| has(p)) {
        "patch"
    } else if has("sed -i") && (installed || has(".py") || has("sgl-workspace")) {
        "sed -i"
    } else if has("pip install") && (has(".whl") || has("git+") || has(" -e ")) {
        "pip install"
    } else if ["monkey patch", "monkey-patch", "monkeypatch"].iter().any(|p| has(p)) {
        "monkey patch"
    } else if installed && (copies(&lower) || has("overlay")) {
        "overlay"
    } else {
        return None;
    })
}

/// A command that puts files somewhere.
fn copies(lower: &str) -> bool {
    let command = super::shell::without_prefix(lower);
    ["cp ", "mv ", "rsync ", "ln -s", "install -", "tee "].iter().any(|c| command.starts_with(c))
}
