//! What the cookbook says of the run's configurations, and where it drifts.

use paretoscope_domain::cookbook::CookbookStatus;

use super::super::document::Part;
use super::super::escape::{code, link, text};
use super::super::writer::{Writer, short};
use crate::drift::{self, CookbookEntry};

pub(super) fn parts(w: &mut Writer<'_>) -> Vec<Part> {
    let run = w.run();
    let href = w.page("/cookbook");
    let Some(entries) = w.input.cookbook else {
        w.gap("The cookbook: none of its snippets was ever synced here.", "cookbook：这里没有同步过任何片段。");
        let line = w.l.of("Not known: no snippet of the cookbook was synced.", "未知：没有同步过 cookbook 片段。");
        return vec![w.bullets(vec![line], href)];
    };
    let mine = drift::of_run(entries, run);
    if mine.is_empty() {
        let line = if run.synthetic {
            w.l.of("Not applicable: the run is synthetic.", "不适用：该 run 是合成数据。")
        } else {
            w.l.of("None of the synced snippets speaks of this run or its configurations.", "已同步的片段都没有提到该 run 或其配置。")
        };
        return vec![w.bullets(vec![line], href)];
    }
    // Cells that say the same stand together.
    let (mut claims, mut drifts, mut unknown) = (Grouped::default(), Grouped::default(), Grouped::default());
    for e in &mine {
        claims.add(claim(w, e), cell(e));
        for d in &e.drift {
            drifts.add(text(&d.in_words(w.l)), cell(e));
        }
        for n in &e.not_known {
            unknown.add(text(&drift::not_known(n.kind, &n.missing, w.l)), cell(e));
        }
    }
    let mut out: Vec<String> = Vec::new();
    for (claim, cells) in claims.0 {
        let cells = w.some(&cells);
        out.push(w.l.of(format!("{cells}: {claim}."), format!("{cells}：{claim}。")));
    }
    for (said, cells) in drifts.0 {
        let cells = w.some(&cells);
        out.push(w.l.of(format!("Drift in {cells}, {said}."), format!("{cells} 的偏差，{said}。")));
    }
    for (why, cells) in unknown.0 {
        let cells = w.some(&cells);
        w.gap(format!("Cookbook, {cells}: {why}."), format!("cookbook，{cells}：{why}。"));
    }
    if mine.iter().all(|e| e.drift.is_empty()) {
        out.push(w.l.of("No drift in what could be looked at.", "在可检查的内容中没有偏差。"));
    }
    vec![w.bullets(out, href)]
}

fn cell(e: &CookbookEntry) -> String {
    code(e.cell_id.as_deref().unwrap_or(&e.config_key))
}

/// Sentences, each with the cells that it is about, in their order.
#[derive(Default)]
struct Grouped(Vec<(String, Vec<String>)>);

impl Grouped {
    fn add(&mut self, sentence: String, cell: String) {
        match self.0.iter_mut().find(|(s, _)| *s == sentence) {
            Some((_, cells)) => cells.push(cell),
            None => self.0.push((sentence, vec![cell])),
        }
    }
}

fn claim(w: &Writer<'_>, e: &CookbookEntry) -> String {
    let status = drift::status(e.status, w.l);
    if e.status == CookbookStatus::NotPublished {
        return status;
    }
    let mut facts: Vec<String> = Vec::new();
    facts.push(e.run_id.map_or_else(|| w.l.of("no run", "没有 run"), |r| format!("run {r}")));
    facts.extend(e.sha.as_deref().map(|s| format!("commit {}", code(&short(s)))));
    facts.extend(e.image.as_deref().map(|i| {
        let digest = e.image_digest.as_deref().map(|d| format!("@{d}")).unwrap_or_default();
        w.l.of(format!("image {}", code(&format!("{i}{digest}"))), format!("镜像 {}", code(&format!("{i}{digest}"))))
    }));
    facts.extend(e.golden_al.as_deref().map(|g| format!("golden AL {}", text(g))));
    if let (Some(repo), Some(n)) = (&e.repo, e.cookbook_pr) {
        let by = link(&text(&format!("{repo} PR {n}")), &format!("https://github.com/{repo}/pull/{n}"));
        facts.push(w.l.of(format!("brought by {by}"), format!("来自 {by}")));
    }
    let list = facts.join(w.l.of(", ", "，").as_str());
    w.l.of(format!("{status}; {list}"), format!("{status}；{list}"))
}
