//! View of the list of runs.

use jiff::civil::Date;
use paretoscope_domain::Kind;

use super::query::{Pairs, Reader, Writer, write_pairs};

/// Order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunsSort {
    /// Newest first; undated runs last.
    #[default]
    Newest,
    /// Oldest first; undated runs last.
    Oldest,
    /// Last ingested first.
    Ingested,
    /// Most points first.
    Points,
}

impl RunsSort {
    /// All orders, as the menu shows them.
    pub const ALL: [Self; 4] = [Self::Newest, Self::Oldest, Self::Ingested, Self::Points];

    /// The word in the address.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Ingested => "ingested",
            Self::Points => "points",
        }
    }

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Newest => "newest first",
            Self::Oldest => "oldest first",
            Self::Ingested => "last ingested first",
            Self::Points => "most points first",
        }
    }
}

/// State of the list of runs (`/runs`). Model, hardware and framework are what was typed: a key, an alias or a shown name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunsView {
    /// Words to search for.
    pub q: Option<String>,
    /// Kind.
    pub kind: Option<Kind>,
    /// Model.
    pub model: Option<String>,
    /// Hardware.
    pub hardware: Option<String>,
    /// Framework.
    pub framework: Option<String>,
    /// Pull request.
    pub pr: Option<i64>,
    /// Who started the run or wrote the pull request.
    pub author: Option<String>,
    /// First day, UTC.
    pub from: Option<Date>,
    /// Last day, UTC.
    pub to: Option<Date>,
    /// Order.
    pub sort: RunsSort,
    /// Place to go on from, as the page before gave it.
    pub cursor: Option<String>,
    /// Runs a page; the server bounds it.
    pub limit: Option<u32>,
    /// Keys this view doesn't know, kept.
    pub rest: Pairs,
}

impl RunsView {
    /// Reads a query string; what can't be used is reported in words.
    #[must_use]
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut r = Reader::new(query);
        let day = |text: &str| text.parse::<Date>().map_err(|_| "a day is written YYYY-MM-DD".to_owned());
        let whole = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(|| "a whole number from 1 is needed".to_owned());
        let view = Self {
            q: r.text("q"),
            kind: r.value("kind", |text| text.parse::<Kind>().map_err(|e| e.to_string())),
            model: r.text("model"),
            hardware: r.text("hardware"),
            framework: r.text("framework"),
            pr: r.value("pr", |text| {
                let number = text.strip_prefix('#').unwrap_or(text).parse::<i64>().ok().filter(|n| *n > 0);
                number.ok_or_else(|| "a pull request is its number".to_owned())
            }),
            author: r.text("author"),
            from: r.value("from", day),
            to: r.value("to", day),
            sort: r
                .value("sort", |text| {
                    let order = RunsSort::ALL.into_iter().find(|s| s.as_str() == text);
                    order.ok_or_else(|| format!("the orders are {}", RunsSort::ALL.map(RunsSort::as_str).join(", ")))
                })
                .unwrap_or_default(),
            cursor: r.text("cursor"),
            limit: r.value("limit", whole),
            rest: Pairs::new(),
        };
        let (rest, problems) = r.finish();
        (Self { rest, ..view }, problems)
    }

    /// Keys and values in canonical order, defaults left out.
    #[must_use]
    pub fn pairs(&self) -> Pairs {
        let Self { q, kind, model, hardware, framework, pr, author, from, to, sort, cursor, limit, rest } = self;
        let mut w = Writer::default();
        w.text("q", q.as_ref());
        w.text("kind", *kind);
        w.text("model", model.as_ref());
        w.text("hardware", hardware.as_ref());
        w.text("framework", framework.as_ref());
        w.text("pr", *pr);
        w.text("author", author.as_ref());
        w.text("from", *from);
        w.text("to", *to);
        w.text("sort", (*sort != RunsSort::default()).then(|| sort.as_str()));
        w.text("cursor", cursor.as_ref());
        w.text("limit", *limit);
        w.finish(rest)
    }

    /// The query string of this view (without `?`).
    #[must_use]
    pub fn to_query(&self) -> String {
        write_pairs(&self.pairs())
    }

    /// Whether anything narrows the list.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        let Self { q, kind, model, hardware, framework, pr, author, from, to, sort: _, cursor: _, limit: _, rest: _ } = self;
        let texts = [q, model, hardware, framework, author];
        texts.into_iter().any(Option::is_some) || kind.is_some() || pr.is_some() || from.is_some() || to.is_some()
    }

    /// The same list from another place.
    #[must_use]
    pub fn at(&self, cursor: Option<&str>) -> Self {
        Self { cursor: cursor.map(str::to_owned), ..self.clone() }
    }
}
