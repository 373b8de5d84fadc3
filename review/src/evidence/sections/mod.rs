//! The sections, one file each, in the order of the document.

mod assessed;
mod attempts;
mod changes;
mod cookbook;
mod environment;
mod evals;
mod golden;
mod images;
mod pareto;
mod validation;

use paretoscope_domain::Kind;

use super::document::{Document, Heading, Part, Section};
use super::language::Language;
use super::writer::Writer;
use super::{EvidenceInput, escape};

/// What writes a section.
type Write<'a> = fn(&mut Writer<'a>) -> Vec<Part>;

/// The whole document.
pub(super) fn document<'a>(input: &'a EvidenceInput<'a>, language: Language) -> Document {
    let mut w = Writer::new(input, language);
    let written: [(Heading, Write<'a>); 10] = [
        (Heading::Assessed, assessed::parts),
        (Heading::Attempts, attempts::parts),
        (Heading::Validation, validation::parts),
        (Heading::Evals, evals::parts),
        (Heading::Golden, golden::parts),
        (Heading::Images, images::parts),
        (Heading::Pareto, pareto::parts),
        (Heading::Changes, changes::parts),
        (Heading::Cookbook, cookbook::parts),
        (Heading::Environment, environment::parts),
    ];
    let mut sections: Vec<Section> = Vec::new();
    for (heading, parts) in written {
        let mut parts = parts(&mut w);
        if parts.is_empty() {
            let line = w.l.of("Nothing is known; the last section says why.", "没有已知内容；原因见最后一节。");
            parts.push(w.bullets(vec![line], w.page(&format!("/runs/{}", w.run().run_id))));
        }
        sections.push(Section { heading, parts });
    }
    sections.push(Section { heading: Heading::Unknown, parts: unknown(&mut w) });
    Document { opening: opening(&w), sections, closing: closing(&w) }
}

/// What the run is not, first of all; then which run it is.
fn opening(w: &Writer<'_>) -> Vec<String> {
    let run = w.run();
    let mut notices: Vec<String> = Vec::new();
    match run.kind {
        Kind::Unofficial => notices.push(w.l.of("UNOFFICIAL RUN: not an official result", "非正式 run：不是正式结果")),
        Kind::Staged => notices.push(w.l.of("STAGED RUN: not an official result", "已暂存的 run：不是正式结果")),
        Kind::Official => {}
    }
    if run.synthetic {
        notices.push(w.l.of("SYNTHETIC SAMPLE DATA: made up, not a measurement", "合成示例数据：为演示编造，不是测量结果"));
    }
    if notices.is_empty() {
        notices.push(w.l.of("Official run", "正式 run"));
    }
    let curves: Vec<String> = run.curves.iter().map(|c| escape::text(&c.title(w.input.words))).collect();
    let what = match curves.as_slice() {
        [] => String::new(),
        [first] => format!(" · {first}"),
        [first, rest @ ..] => {
            w.l.of(format!(" · {first} and {} more curves", rest.len()), format!(" · {first}，另有 {} 条曲线", rest.len()))
        }
    };
    vec![
        format!("> **{}**", notices.join(" · ")),
        String::new(),
        format!("### {} · {}{what}", w.l.of("Additional detail", "附加详情"), w.run_link(run)),
    ]
}

fn unknown(w: &mut Writer<'_>) -> Vec<Part> {
    if w.input.public_url.is_empty() {
        w.gap(
            "The links are paths: this site was not told the address that people open it at (`PARETOSCOPE_PUBLIC_URL`).",
            "链接只是路径：本站没有设置对外地址（`PARETOSCOPE_PUBLIC_URL`）。",
        );
    }
    w.gap(
        "Code quality, the truth of the description, patches inside scripts and the behaviour of code changes: a person must read the diff.",
        "代码质量、PR 描述是否属实、脚本中的补丁以及代码改动的行为：需要人工阅读 diff。",
    );
    let href = w.page(&format!("/runs/{}", w.run().run_id));
    vec![Part::bullets(std::mem::take(&mut w.gaps), href)]
}

fn closing(w: &Writer<'_>) -> Vec<String> {
    let page = w.page(&format!("/runs/{}", w.run().run_id));
    let link = escape::link(&w.l.of("this run's page", "该 run 的页面"), &page);
    let source = if w.run().synthetic {
        String::new()
    } else {
        w.l.of(" Results of the public benchmark InferenceX (Apache-2.0).", " 数据来自公开 benchmark InferenceX（Apache-2.0）。")
    };
    vec![w.l.of(
        format!("Written by Paretoscope from what it ingested of the run; every figure stands on {link}.{source}"),
        format!("由 Paretoscope 根据其 ingest 的内容生成；所有数字都可在{link}查到。{source}"),
    )]
}
