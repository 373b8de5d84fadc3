//! What all sections share: language, links, and the list of what is not known.

use paretoscope_domain::format;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;
use paretoscope_domain::run::Run;

use super::document::Part;
use super::language::Language;
use super::{Against, EvidenceInput, escape};

/// Names of metrics in Chinese, where they are no abbreviations.
const METRICS: [(&str, &str); 8] = [
    ("tput_per_gpu", "每 GPU 吞吐"),
    ("output_tput_per_gpu", "每 GPU 输出吞吐"),
    ("median_e2el", "E2EL 中位数"),
    ("median_intvty", "交互速度中位数"),
    ("p90_intvty", "P90 交互速度"),
    ("avg_power_w", "每 GPU 平均功率"),
    ("joules_per_output_token", "每输出 token 能耗"),
    ("joules_per_total_token", "每 token 能耗"),
];

/// Bullets of a section in the making.
pub(super) struct Writer<'a> {
    pub(super) input: &'a EvidenceInput<'a>,
    pub(super) l: Language,
    /// What is not known, each with its reason.
    pub(super) gaps: Vec<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(input: &'a EvidenceInput<'a>, l: Language) -> Self {
        Self { input, l, gaps: Vec::new() }
    }

    /// The run itself.
    pub(super) fn run(&self) -> &'a Run {
        &self.input.detail.run
    }

    /// The baseline's run.
    pub(super) fn base(&self) -> Option<&'a Run> {
        match self.input.against {
            Against::None(_) => None,
            Against::Some { detail, .. } => Some(&detail.run),
        }
    }

    /// Address of a page of this site.
    pub(super) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.input.public_url.trim_end_matches('/'))
    }

    /// Address of a part of the run's page.
    pub(super) fn part(&self, anchor: &str) -> String {
        self.page(&format!("/runs/{}#{anchor}", self.run().run_id))
    }

    /// Address of a point's page.
    pub(super) fn point(&self, p: &Point) -> String {
        self.page(&format!("/runs/{}/points/{}", p.run_id, p.id))
    }

    /// A run as a link to its page.
    pub(super) fn run_link(&self, run: &Run) -> String {
        escape::link(&format!("run {}", run.run_id), &self.page(&format!("/runs/{}", run.run_id)))
    }

    /// A sentence and the page that shows it.
    pub(super) fn shown(&self, sentence: String, href: &str) -> String {
        let link = escape::link(&self.l.of("shown here", "见此"), href);
        self.l.of(format!("{sentence} ({link})"), format!("{sentence}（{link}）"))
    }

    /// Bullets, each with the page that shows it.
    pub(super) fn bullets(&self, sentences: Vec<String>, href: String) -> Part {
        Part::bullets(sentences.into_iter().map(|s| self.shown(s, &href)).collect(), href)
    }

    /// Something that is not known, and why.
    pub(super) fn gap(&mut self, en: impl Into<String>, zh: impl Into<String>) {
        let sentence = self.l.of(en, zh);
        if !self.gaps.contains(&sentence) {
            self.gaps.push(sentence);
        }
    }

    /// Labels joined: all of them where they are few, else the first and how many more.
    pub(super) fn labels(&self, labels: &[String]) -> String {
        self.some(&labels.iter().map(|l| escape::text(l)).collect::<Vec<_>>())
    }

    /// The same for names that are Markdown already.
    pub(super) fn some(&self, names: &[String]) -> String {
        const SHOWN: usize = 24;
        match names.get(..SHOWN).filter(|_| names.len() > SHOWN) {
            None => self.l.list(names),
            Some(first) => {
                let (first, more) = (first.join(self.l.of(", ", "、").as_str()), names.len() - SHOWN);
                self.l.of(format!("{first} and {more} more"), format!("{first} 等，另有 {more} 个"))
            }
        }
    }

    /// A metric's name.
    pub(super) fn metric_name(&self, metric: &Metric) -> String {
        let zh = METRICS.iter().find(|(name, _)| *name == metric.name).map_or(metric.label.as_str(), |(_, zh)| *zh);
        self.l.of(metric.label.clone(), zh)
    }

    /// A metric's name with its unit.
    pub(super) fn metric(&self, metric: &Metric) -> String {
        format!("{} ({})", self.metric_name(metric), metric.unit.symbol())
    }

    /// `3 jobs`, `1 job`; `3 个 job`.
    pub(super) fn count(&self, n: usize, one: &str, many: &str, zh: &str) -> String {
        self.l.of(format!("{n} {}", if n == 1 { one } else { many }), format!("{n} 个{zh}"))
    }
}

/// A score to four places.
pub(super) fn score(value: f64) -> String {
    format::fixed(value, 4)
}

/// First digits of a commit.
pub(super) fn short(sha: &str) -> String {
    sha.chars().take(8).collect()
}
