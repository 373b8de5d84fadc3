//! Check 10: the engine runs as its image ships it. A scan of the diff and of logs; what it finds a person reads.

use paretoscope_domain::fact::FactKind;

use super::context::Context;
use super::draft::Rule;
use super::places::{Hit, Place};
use super::scan::{Weight, conclude, lay_out};
use super::text::files_page;
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 10,
    name: "Engine patches",
    rule: "The image's serving stack is not patched: no patch files, no git apply, no edits in site-packages, no monkey patches, no overwritten files, no forked or rebuilt wheels. \
           The only exception is a patch with a waiver in docs/waiver/<number of the pull request>.md, filed with it.",
    source: "PR review checklist, check 10",
};

/// Phrases that hint at a patch; lower case.
const PHRASES: [&str; 12] = [
    "git apply",
    "git am ",
    "patch -p",
    "| patch",
    "sed -i",
    "site-packages",
    "dist-packages",
    "monkey",
    "pip install",
    "uv pip",
    "setup.py install",
    "setup.py develop",
];
/// Names of engines, for telling a wheel of theirs from a client's tool.
const ENGINES: [&str; 9] = ["sglang", "sgl-kernel", "sgl_kernel", "vllm", "tensorrt", "flashinfer", "atom", "deep_gemm", "deepgemm"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let places = x.places();
    let mut hits: Vec<(Hit, Weight)> = Vec::new();
    for hit in places.phrases(&PHRASES) {
        let line = line_of(x, &hit).unwrap_or_else(|| hit.value.clone().unwrap_or_default()).to_ascii_lowercase();
        let weight = weight(&hit.name, &line);
        hits.push((Hit { value: None, name: line_or_name(&hit, &line), ..hit }, weight));
    }
    for file in &x.g.pull.files {
        let path = file.path.to_ascii_lowercase();
        if file.status != "removed" && (path.ends_with(".patch") || path.ends_with(".diff")) {
            hits.push((of_file(x, &file.path, &file.status), Weight::Read));
        }
    }
    for fact in places.facts(FactKind::Patch) {
        let hit = Hit {
            name: fact.value.clone(),
            value: None,
            place: Place::Read,
            whence: fact.origin.in_words(),
            href: x.run().map(|r| super::text::run_page(r.run.run_id)),
            point: fact.point.clone(),
            eval: fact.eval,
            mention: false,
        };
        hits.push((hit, Weight::Read));
    }
    places.notes(&["patch", "overlay", "wheel"]).into_iter().for_each(|n| draft.input(n));
    let waiver = format!("docs/waiver/{}.md", x.g.pull.number);
    let filed = x.g.pull.files.iter().any(|f| f.path.ends_with(&waiver) && f.status != "removed");
    if filed {
        draft.input(Input::new("waiver", waiver.clone()).at(files_page(x.g.pull)));
        draft.ask(
            format!("A waiver is filed: {waiver}."),
            format!("{waiver}: what is patched, why the image can't run without it, the upstream link, the plan for its removal."),
        );
        // A waiver excuses from failing, not from being read.
        for (_, weight) in &mut hits {
            *weight = Weight::Read;
        }
    }
    lay_out(&mut draft, &hits);
    if hits.is_empty() {
        if !filed {
            conclude(&mut draft, &places.seen(), "No patch, edit of installed files or wheel");
        }
    } else {
        draft.input(places.seen().input());
    }
    draft.done()
}

/// The added line behind a hit in the diff.
fn line_of(x: &Context<'_, '_>, hit: &Hit) -> Option<String> {
    if hit.place != Place::Diff {
        return None;
    }
    let lines = || x.g.pull.files.iter().flat_map(|f| super::diff::added(f).into_iter().map(move |a| (f, a)));
    lines().find(|(f, a)| hit.whence == format!("{}, line {}, added", f.path, a.line)).map(|(_, a)| a.text.trim().to_owned())
}

fn line_or_name(hit: &Hit, line: &str) -> String {
    if line.is_empty() { hit.name.clone() } else { line.chars().take(120).collect() }
}

/// An edit of installed files and an engine's wheel are banned outright; the rest depends on what it touches.
fn weight(phrase: &str, line: &str) -> Weight {
    let engine = ENGINES.iter().any(|e| line.contains(e));
    let writes = ["sed -i", "cp ", "mv ", "tee ", "> ", "patch ", "git apply", "write"].iter().any(|w| line.contains(w));
    match phrase {
        "site-packages" | "dist-packages" if writes => Weight::Banned,
        "pip install" | "uv pip" if engine && (line.contains(".whl") || line.contains("git+") || line.contains(" -e ")) => Weight::Banned,
        _ => Weight::Read,
    }
}

fn of_file(x: &Context<'_, '_>, path: &str, status: &str) -> Hit {
    Hit {
        name: path.to_owned(),
        value: None,
        place: Place::Diff,
        whence: format!("{status} in the pull request"),
        href: Some(files_page(x.g.pull)),
        point: None,
        eval: false,
        mention: false,
    }
}

#[cfg(test)]
mod tests {
    use paretoscope_domain::fact::FactKind;
    use paretoscope_domain::pull::PullFile;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, World, run_cases};

    fn file(w: &mut World, path: &str) {
        w.pull.files.push(PullFile {
            path: path.into(),
            previous_path: None,
            status: "added".into(),
            additions: 1,
            deletions: 0,
            patch: Some("@@ -0,0 +1 @@\n+x".into()),
        });
    }

    #[test]
    fn patches() {
        run_cases(
            10,
            &[
                Case::new("the reference", Pass, "No patch, edit of installed files or wheel", |_| {}),
                Case::new("a patch file", NeedsHuman, "runners/patches/573.patch", |w| file(w, "runners/patches/573.patch")),
                Case::new("an edit of installed files", Fail, "site-packages", |w| {
                    w.add_line("sed -i 's/a/b/' /usr/lib/python3/site-packages/sglang/srt/server.py");
                }),
                Case::new("a rebuilt wheel of the engine", Fail, "pip install", |w| w.add_line("pip install https://x/vllm-0.9-cp312.whl")),
                Case::new("a tool of the client", NeedsHuman, "pip install aiperf", |w| w.add_line("pip install aiperf")),
                Case::new("git apply", NeedsHuman, "git apply", |w| w.add_line("git apply /tmp/x")),
                Case::new("a line of a log", NeedsHuman, "applying overlay", |w| {
                    w.read_fact(FactKind::Patch, "overlay", "applying overlay x")
                }),
                Case::new("a waiver asks to be read", NeedsHuman, "A waiver is filed: docs/waiver/4603.md", |w| {
                    w.add_line("sed -i 's/a/b/' /usr/lib/python3/site-packages/sglang/srt/server.py");
                    file(w, "docs/waiver/4603.md");
                }),
                Case::new("another pull request's waiver", Fail, "site-packages", |w| {
                    w.add_line("sed -i 's/a/b/' /usr/lib/python3/site-packages/sglang/srt/server.py");
                    file(w, "docs/waiver/4602.md");
                }),
                Case::new("in a comment", NeedsHuman, "sed -i", |w| w.add_line("# sed -i x /site-packages/y")),
                Case::new("the diff was not read", NeedsHuman, "not everything could be looked at", |w| w.pull.known.files = false),
                Case::new("only documents", NotApplicable, "only documents", |w| w.only_documents()),
            ],
        );
    }
}
