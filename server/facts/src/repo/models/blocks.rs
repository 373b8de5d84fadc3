//! Markdown taken apart into headings, paragraphs and tables, with their lines. Code spans keep their backticks: they mark prefixes.

use jiff::civil::Date;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::days;

/// What stands under one heading.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Section {
    /// The day that the heading is.
    pub(crate) day: Option<Date>,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Block {
    Paragraph { text: String, line: u64 },
    Table(Table),
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// Names of the columns, in lower case.
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) line: u64,
    pub(crate) cells: Vec<String>,
}

impl Section {
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            Block::Paragraph { .. } => None,
        })
    }

    pub(crate) fn paragraphs(&self) -> impl Iterator<Item = (&str, u64)> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Paragraph { text, line } => Some((text.as_str(), *line)),
            Block::Table(_) => None,
        })
    }
}

impl Table {
    /// Where a column stands.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|h| h == name)
    }
}

impl Row {
    pub(crate) fn cell(&self, column: Option<usize>) -> &str {
        column.and_then(|at| self.cells.get(at)).map_or("", String::as_str)
    }
}

/// The code spans of a text.
pub(crate) fn codes(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).map(str::trim).filter(|code| !code.is_empty()).collect()
}

/// A document by its headings.
pub(crate) fn sections(markdown: &str) -> Vec<Section> {
    let starts: Vec<usize> = std::iter::once(0).chain(markdown.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line_of = |offset: usize| starts.partition_point(|start| *start <= offset) as u64;
    let mut sections = vec![Section::default()];
    let push = |sections: &mut Vec<Section>, block: Block| {
        if let Some(section) = sections.last_mut() {
            section.blocks.push(block);
        }
    };
    let mut text = String::new();
    let mut table = Table::default();
    let mut row = Row::default();
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::TableCell) => text.clear(),
            Event::Start(Tag::Table(_)) => table = Table::default(),
            Event::Start(Tag::TableHead | Tag::TableRow) => row = Row { line: line_of(range.start), cells: Vec::new() },
            Event::Text(part) => text.push_str(&part),
            Event::Code(part) => text.extend(["`", &part, "`"]),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(TagEnd::Heading(_)) => sections.push(Section { day: days::whole(text.trim()), blocks: Vec::new() }),
            Event::End(TagEnd::Paragraph) => {
                push(&mut sections, Block::Paragraph { text: text.trim().to_owned(), line: line_of(range.start) });
            }
            Event::End(TagEnd::TableCell) => row.cells.push(text.trim().to_owned()),
            Event::End(TagEnd::TableHead) => table.header = row.cells.iter().map(|cell| cell.to_ascii_lowercase()).collect(),
            Event::End(TagEnd::TableRow) => table.rows.push(std::mem::take(&mut row)),
            Event::End(TagEnd::Table) => push(&mut sections, Block::Table(std::mem::take(&mut table))),
            _ => {}
        }
    }
    sections
}
