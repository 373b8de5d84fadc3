//! The document in parts, and how it is kept short: rows are left out from the longest part first, and said so.

use super::language::Language;

/// Headings, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    Assessed,
    Attempts,
    Validation,
    Evals,
    Golden,
    Images,
    Pareto,
    Changes,
    Cookbook,
    Environment,
    Unknown,
}

impl Heading {
    #[cfg(test)]
    pub(super) const ALL: [Self; 11] = [
        Self::Assessed,
        Self::Attempts,
        Self::Validation,
        Self::Evals,
        Self::Golden,
        Self::Images,
        Self::Pareto,
        Self::Changes,
        Self::Cookbook,
        Self::Environment,
        Self::Unknown,
    ];

    pub(super) fn title(self, language: Language) -> String {
        let (en, zh) = match self {
            Self::Assessed => ("Assessed head and pinned run", "评估的 head 与固定的 run"),
            Self::Attempts => ("Attempts", "各次尝试"),
            Self::Validation => ("PR validation", "PR 验证"),
            Self::Evals => ("Evals", "Eval"),
            Self::Golden => ("Golden acceptance length", "Golden 接受长度"),
            Self::Images => ("Image and provenance", "镜像与来源"),
            Self::Pareto => ("Pareto coverage", "Pareto 覆盖"),
            Self::Changes => ("What changed against the baseline", "相对基线的变化"),
            Self::Cookbook => ("Cookbook", "Cookbook"),
            Self::Environment => ("Environment and arguments", "环境变量与参数"),
            Self::Unknown => ("What this can't tell", "这里无法得知的内容"),
        };
        language.of(en, zh)
    }
}

/// A section.
pub(super) struct Section {
    pub(super) heading: Heading,
    pub(super) parts: Vec<Part>,
}

/// Bullets or a table: what rows may be left out of.
pub(super) struct Part {
    /// Head of a table; bullets have none.
    head: Option<Vec<String>>,
    /// Columns with numbers, which stand to the right.
    numbers: Vec<bool>,
    rows: Vec<Vec<String>>,
    /// Characters of each row.
    lengths: Vec<usize>,
    /// Rows that were left out.
    dropped: usize,
    /// Page that shows all of them.
    href: String,
}

impl Part {
    pub(super) fn bullets(lines: Vec<String>, href: String) -> Self {
        Self::new(None, Vec::new(), lines.into_iter().map(|l| vec![l]).collect(), href)
    }

    /// A table; of each column its name, and whether it holds numbers.
    pub(super) fn table(columns: Vec<(String, bool)>, rows: Vec<Vec<String>>, href: String) -> Self {
        let (head, numbers) = columns.into_iter().unzip();
        Self::new(Some(head), numbers, rows, href)
    }

    fn new(head: Option<Vec<String>>, numbers: Vec<bool>, rows: Vec<Vec<String>>, href: String) -> Self {
        let lengths = rows.iter().map(|row| row.iter().map(|cell| cell.chars().count() + 3).sum()).collect();
        Self { head, numbers, rows, lengths, dropped: 0, href }
    }

    fn characters(&self) -> usize {
        self.lengths.iter().sum()
    }

    /// Leaves out a quarter of its rows, at least one; the first stays.
    fn shorten(&mut self) {
        let n = (self.rows.len() / 4).max(1).min(self.rows.len().saturating_sub(1));
        self.rows.truncate(self.rows.len() - n);
        self.lengths.truncate(self.rows.len());
        self.dropped += n;
    }

    fn write(&self, out: &mut String, language: Language) {
        match &self.head {
            None => {
                for row in &self.rows {
                    out.push_str("- ");
                    out.push_str(&row.concat());
                    out.push('\n');
                }
            }
            Some(head) => {
                let line =
                    |cells: &[String]| format!("| {} |\n", cells.iter().map(|c| super::escape::cell(c)).collect::<Vec<_>>().join(" | "));
                out.push('\n');
                out.push_str(&line(head));
                out.push('|');
                for number in &self.numbers {
                    out.push_str(if *number { "---:|" } else { "---|" });
                }
                out.push('\n');
                for row in &self.rows {
                    out.push_str(&line(row));
                }
                out.push('\n');
            }
        }
        if self.dropped > 0 {
            let n = self.dropped;
            let all = super::escape::link(&language.of("all of them", "查看全部"), &self.href);
            out.push_str(&language.of(
                format!("- {n} more {} left out to keep this short: {all}.\n", if n == 1 { "row is" } else { "rows are" }),
                format!("- 为控制长度，省略了 {n} 行：{all}。\n"),
            ));
        }
    }
}

/// The whole.
pub(super) struct Document {
    /// Lines before the first section.
    pub(super) opening: Vec<String>,
    pub(super) sections: Vec<Section>,
    /// Lines after the last one.
    pub(super) closing: Vec<String>,
}

impl Document {
    /// The Markdown, shorter than `limit` characters.
    pub(super) fn render(mut self, language: Language, limit: usize) -> String {
        // By what the rows hold at least, so that a very long text need not be written to be found too long.
        while self.sections.iter().flat_map(|s| &s.parts).map(Part::characters).sum::<usize>() >= limit && self.shorten() {}
        let mut text = self.write(language);
        while text.chars().count() >= limit {
            if !self.shorten() {
                // Single values are clipped, so this many sections of one row fit; but the limit is a promise.
                return text.chars().take(limit.saturating_sub(1)).collect();
            }
            text = self.write(language);
        }
        text
    }

    /// Leaves rows out of the longest part; whether there was any to shorten.
    fn shorten(&mut self) -> bool {
        let parts = self.sections.iter_mut().flat_map(|s| &mut s.parts).filter(|p| p.rows.len() > 1);
        match parts.max_by_key(|p| p.characters()) {
            Some(part) => {
                part.shorten();
                true
            }
            None => false,
        }
    }

    fn write(&self, language: Language) -> String {
        let mut out = String::new();
        for line in &self.opening {
            out.push_str(line);
            out.push('\n');
        }
        for section in &self.sections {
            out.push_str(&format!("\n#### {}\n\n", section.heading.title(language)));
            for part in &section.parts {
                part.write(&mut out, language);
            }
        }
        out.push('\n');
        for line in &self.closing {
            out.push_str(line);
            out.push('\n');
        }
        // A table brings empty lines of its own.
        while out.contains("\n\n\n") {
            out = out.replace("\n\n\n", "\n\n");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heading_stands_in_both_languages() {
        for heading in Heading::ALL {
            let (en, zh) = (heading.title(Language::En), heading.title(Language::Zh));
            assert!(!en.is_empty() && !zh.is_empty());
            assert!(en.is_ascii(), "{en}");
            // One is a proper name.
            assert!(heading == Heading::Evals || heading == Heading::Cookbook || !zh.is_ascii(), "{zh}");
        }
    }

    #[test]
    fn rows_are_left_out_of_the_longest_part_first_and_said() {
        let rows = |n: usize| (0..n).map(|i| vec![format!("row {i}"), "x".repeat(40)]).collect::<Vec<_>>();
        let columns = || vec![("A".to_owned(), false), ("B".to_owned(), true)];
        let document = Document {
            opening: vec!["first".into()],
            sections: vec![
                Section { heading: Heading::Evals, parts: vec![Part::table(columns(), rows(3), "/a".into())] },
                Section {
                    heading: Heading::Pareto,
                    parts: vec![Part::bullets(vec!["one".into()], "/b".into()), Part::table(columns(), rows(500), "/c".into())],
                },
            ],
            closing: vec!["last".into()],
        };
        let text = document.render(Language::En, 4000);
        assert!(text.chars().count() < 4000);
        assert!(text.contains("| row 2 |") && text.contains("- one\n"), "short parts stay whole: {text}");
        let left_out = text.lines().find(|l| l.contains("left out")).unwrap();
        let (n, shown) = (left_out.split(' ').nth(1).unwrap().parse::<usize>().unwrap(), text.matches("| row ").count() - 3);
        assert_eq!(n + shown, 500);
        assert!(left_out.contains("[all of them](/c)"));
        assert!(text.starts_with("first\n") && text.ends_with("last\n"));
    }
}
