//! Which image the points ran on, and from which commits it was built.

use std::collections::BTreeMap;

use paretoscope_domain::fact::{FactKind, RunFact};

use super::super::document::Part;
use super::super::escape::{code, link, text};
use super::super::writer::Writer;
use super::environment::origin;

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let d = w.input.detail;
    let mut images: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    let mut silent = 0;
    for p in d.points.iter().filter(|p| p.counts()) {
        match p.image.as_deref() {
            Some(image) => *images.entry((image, p.image_digest.as_deref())).or_default() += 1,
            None => silent += 1,
        }
    }
    let mut out: Vec<String> = Vec::new();
    for ((image, digest), n) in &images {
        let points = w.count(*n, "point ran", "points ran", "点运行");
        match digest {
            Some(digest) => {
                let name = code(&format!("{image}@{digest}"));
                out.push(w.l.of(format!("{points} on {name}."), format!("{points}在 {name} 上。")));
            }
            None => {
                let name = code(image);
                out.push(w.l.of(
                    format!("{points} on {name}; the rows state no digest."),
                    format!("{points}在 {name} 上；数据行没有给出 digest。"),
                ));
                w.gap(
                    format!("Which build {name} was: the rows state a tag without a digest, and tags can be moved."),
                    format!("{name} 是哪个构建：数据行只有 tag 没有 digest，而 tag 可以被移动。"),
                );
            }
        }
    }
    if images.len() > 1 {
        out.push(w.l.of(format!("The points ran on {} images.", images.len()), format!("这些点使用了 {} 个镜像。", images.len())));
    }
    if silent > 0 {
        w.gap(format!("The image of {silent} points: their rows state none."), format!("{silent} 个点的镜像：数据行没有给出。"));
    }
    let builds = builds(w);
    w.gap(
        "Whether the image can still be pulled and is an upstream build: no registry was asked.",
        "镜像是否仍可拉取、是否为上游构建：没有询问 registry。",
    );
    let mut parts = Vec::new();
    for (lines, anchor) in [(out, "provenance"), (builds, "environment")] {
        if !lines.is_empty() {
            parts.push(w.bullets(lines, w.part(anchor)));
        }
    }
    parts
}

fn builds(w: &mut Writer<'_>) -> Vec<String> {
    let evidence = &w.input.detail.evidence;
    let of = |kind: FactKind| evidence.iter().filter(move |f| f.kind == kind);
    let mut out: Vec<String> = Vec::new();
    let mut said: Vec<(&str, &str)> = Vec::new();
    for f in of(FactKind::BuildCommit) {
        if said.contains(&(&f.key, &f.value)) {
            continue;
        }
        said.push((&f.key, &f.value));
        let (commit, from) = (code(&f.value), origin(w, f));
        let (en, zh) = match f.key.as_str() {
            "" => (String::new(), String::new()),
            platform => (format!(" ({})", text(platform)), format!("（{}）", text(platform))),
        };
        let standing = ancestry(w, evidence, &f.value, &from);
        out.push(w.l.of(format!("Built{en} from {commit}{standing}: {from}."), format!("由 {commit} 构建{zh}{standing}：{from}。")));
    }
    if said.is_empty() {
        w.gap(
            "The commit that the image was built from: no log or fingerprint that was read states it.",
            "镜像由哪个 commit 构建：已读取的日志和 fingerprint 没有给出。",
        );
    }
    let mut urls: Vec<&str> = of(FactKind::BuildUrl).map(|f| f.value.as_str()).collect();
    urls.sort_unstable();
    urls.dedup();
    for url in urls {
        let page = link(&code(url), url);
        out.push(w.l.of(format!("Its build: {page}."), format!("其构建：{page}。")));
    }
    if !said.is_empty() && of(FactKind::Ancestry).next().is_none() {
        w.gap(
            "Whether the build commit is an ancestor of the engine's main branch: that needs its git history.",
            "构建 commit 是否为引擎主分支的祖先：需要其 git 历史。",
        );
    }
    out
}

/// How a commit stands to the engine's main branch, where something says; who says so, where it is not `said` already.
fn ancestry(w: &Writer<'_>, evidence: &[RunFact], commit: &str, said: &str) -> String {
    let same = |f: &&RunFact| f.kind == FactKind::Ancestry && paretoscope_domain::pull::same_commit(&f.key, commit);
    let by = |f: &RunFact| {
        let from = origin(w, f);
        if from == said { String::new() } else { w.l.of(format!(" ({from})"), format!("（{from}）")) }
    };
    match evidence.iter().find(same) {
        Some(f) if f.value == "ancestor" => {
            w.l.of(format!(", an ancestor of the main branch{}", by(f)), format!("，是主分支的祖先{}", by(f)))
        }
        Some(f) => {
            let value = text(&f.value);
            w.l.of(format!(", to the main branch: {value}{}", by(f)), format!("，相对主分支：{value}{}", by(f)))
        }
        None => String::new(),
    }
}
