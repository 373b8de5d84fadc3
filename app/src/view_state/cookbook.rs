//! View of the cookbook.

use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_review::drift::{CookbookFilter, DriftFilter};

use super::query::{Pairs, Reader, Writer, write_pairs};

/// What the cookbook is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CookbookColumn {
    /// Configuration key, then cell.
    Key,
    /// Model.
    Model,
    /// Hardware.
    Hardware,
    /// Status: what has come least far first.
    Status,
    /// Run it claims, the oldest first.
    Run,
    /// Kinds of drift: most first; then what has come furthest.
    #[default]
    Drift,
    /// When its state was seen: the oldest first.
    AsOf,
}

impl CookbookColumn {
    /// All columns that sort.
    pub const ALL: [Self; 7] = [Self::Key, Self::Model, Self::Hardware, Self::Status, Self::Run, Self::Drift, Self::AsOf];

    /// The word in the address.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Model => "model",
            Self::Hardware => "hardware",
            Self::Status => "status",
            Self::Run => "run",
            Self::Drift => "drift",
            Self::AsOf => "as_of",
        }
    }
}

/// Order of the cookbook: a column, maybe the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CookbookSort {
    /// Column.
    pub column: CookbookColumn,
    /// The other way round.
    pub reversed: bool,
}

impl CookbookSort {
    /// The word in the address: `status`, `-status`.
    #[must_use]
    pub fn to_word(self) -> String {
        format!("{}{}", if self.reversed { "-" } else { "" }, self.column.as_str())
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (reversed, word) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let column = CookbookColumn::ALL.into_iter().find(|c| c.as_str() == word);
        column.map(|column| Self { column, reversed }).ok_or_else(|| {
            format!(
                "the orders are {}, each with a - before it for the other way round",
                CookbookColumn::ALL.map(CookbookColumn::as_str).join(", ")
            )
        })
    }
}

/// State of the cookbook's page (`/cookbook`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CookbookView {
    /// Which entries.
    pub filter: CookbookFilter,
    /// In which order.
    pub sort: CookbookSort,
    /// Keys this view doesn't know, kept.
    pub rest: Pairs,
}

impl CookbookView {
    /// Reads a query string; what can't be used is reported in words.
    #[must_use]
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut r = Reader::new(query);
        let status = r.value("status", |text| {
            let all = [CookbookStatus::NotPublished, CookbookStatus::InProgress, CookbookStatus::VerifiedPr, CookbookStatus::Verified];
            CookbookStatus::parse(text).ok_or_else(|| format!("the statuses are {}", all.map(CookbookStatus::as_str).join(", ")))
        });
        let drift = r.value("drift", |text| text.parse::<DriftFilter>().map_err(|e| e.to_string()));
        let filter = CookbookFilter { status, drift, q: r.text("q") };
        let sort = r.value("sort", CookbookSort::parse).unwrap_or_default();
        let (rest, problems) = r.finish();
        (Self { filter, sort, rest }, problems)
    }

    /// The query string of this view (without `?`), in canonical order, defaults left out.
    #[must_use]
    pub fn to_query(&self) -> String {
        let Self { filter: CookbookFilter { status, drift, q }, sort, rest } = self;
        let mut w = Writer::default();
        w.text("status", status.map(CookbookStatus::as_str));
        w.text("drift", drift.map(DriftFilter::as_str));
        w.text("q", q.as_ref());
        w.text("sort", (*sort != CookbookSort::default()).then(|| sort.to_word()));
        write_pairs(&w.finish(rest))
    }

    /// Whether anything narrows the list.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.filter != CookbookFilter::default()
    }

    /// The same view, sorted by a column; by the one it is sorted by already: the other way round.
    #[must_use]
    pub fn sorted_by(&self, column: CookbookColumn) -> Self {
        let reversed = self.sort.column == column && !self.sort.reversed;
        Self { sort: CookbookSort { column, reversed }, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_survives_its_address() {
        for query in ["", "status=in-progress&drift=run&q=gb300&sort=-drift", "drift=not_known&later=1", "sort=as_of"] {
            let (view, problems) = CookbookView::parse(query);
            assert_eq!((view.to_query().as_str(), problems.len()), (query, 0));
        }
        let (view, problems) = CookbookView::parse("status=lost&drift=x&sort=-");
        assert_eq!((view, problems.len()), (CookbookView::default(), 3));
    }

    #[test]
    fn a_column_sorts_one_way_then_the_other() {
        let view = CookbookView::default().sorted_by(CookbookColumn::Status);
        assert_eq!(view.sort.to_word(), "status");
        let view = view.sorted_by(CookbookColumn::Status);
        assert_eq!(view.sort.to_word(), "-status");
        assert_eq!(view.sorted_by(CookbookColumn::Run).sort.to_word(), "run");
        assert_eq!(CookbookView::default().sorted_by(CookbookColumn::Drift).sort.to_word(), "-drift");
    }
}
