//! View of the list of pull requests.

use paretoscope_domain::pull::PullState;

use super::query::{Pairs, Reader, Writer, write_pairs};

/// What the list can be narrowed to: a state, or those whose own payload was never read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullsState {
    /// Open.
    Open,
    /// Merged.
    Merged,
    /// Closed without a merge.
    Closed,
    /// Known only from runs that name them.
    Unread,
}

impl PullsState {
    /// All choices, as the menu shows them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Merged, Self::Closed, Self::Unread];

    /// The word in the address.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Merged => "merged",
            Self::Closed => "closed",
            Self::Unread => "unread",
        }
    }

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Unread => "not imported",
            other => other.as_str(),
        }
    }

    /// Reads a word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == text)
    }

    /// Whether a pull request of this state is meant; `None` is one whose payload was never read.
    #[must_use]
    pub fn fits(self, state: Option<PullState>) -> bool {
        self == match state {
            Some(PullState::Open) => Self::Open,
            Some(PullState::Merged) => Self::Merged,
            Some(PullState::Closed) => Self::Closed,
            None => Self::Unread,
        }
    }
}

/// State of the list of pull requests (`/pulls`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PullsView {
    /// Words to search for.
    pub q: Option<String>,
    /// State.
    pub state: Option<PullsState>,
    /// Place to go on from: the number of the last one before.
    pub cursor: Option<i64>,
    /// Keys this view doesn't know, kept.
    pub rest: Pairs,
}

impl PullsView {
    /// Reads a query string; what can't be used is reported in words.
    #[must_use]
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut r = Reader::new(query);
        let view = Self {
            q: r.text("q"),
            state: r.value("state", |text| {
                PullsState::parse(text).ok_or_else(|| format!("the states are {}", PullsState::ALL.map(PullsState::as_str).join(", ")))
            }),
            cursor: r.value("cursor", |text| text.parse::<i64>().map_err(|_| "it is the number of a pull request".to_owned())),
            rest: Pairs::new(),
        };
        let (rest, problems) = r.finish();
        (Self { rest, ..view }, problems)
    }

    /// The query string of this view (without `?`), in canonical order, defaults left out.
    #[must_use]
    pub fn to_query(&self) -> String {
        let Self { q, state, cursor, rest } = self;
        let mut w = Writer::default();
        w.text("q", q.as_ref());
        w.text("state", state.map(PullsState::as_str));
        w.text("cursor", *cursor);
        write_pairs(&w.finish(rest))
    }

    /// Whether anything narrows the list.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.q.is_some() || self.state.is_some()
    }

    /// The same list from another place.
    #[must_use]
    pub fn at(&self, cursor: Option<i64>) -> Self {
        Self { cursor, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_survives_its_address() {
        for query in ["", "q=gb300&state=open", "state=unread&cursor=4603&later=1"] {
            let (view, problems) = PullsView::parse(query);
            assert_eq!((view.to_query().as_str(), problems.len()), (query, 0));
        }
        let (view, problems) = PullsView::parse("state=lost&cursor=x");
        assert_eq!((view, problems.len()), (PullsView::default(), 2));
    }
}
