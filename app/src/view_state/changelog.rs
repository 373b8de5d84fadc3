//! View of the changelog.

use paretoscope_review::changelog::ChangelogFilter;

use super::query::{Pairs, Reader, Writer, write_pairs};

/// State of the changelog (`/changelog`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangelogView {
    /// What narrows it.
    pub filter: ChangelogFilter,
    /// Place to go on from: the entry that heads the last group of the page before.
    pub cursor: Option<String>,
    /// Keys this view doesn't know, kept.
    pub rest: Pairs,
}

impl ChangelogView {
    /// Reads a query string; what can't be used is reported in words.
    #[must_use]
    pub fn parse(query: &str) -> (Self, Vec<String>) {
        let mut r = Reader::new(query);
        let pull = |text: &str| text.trim_start_matches('#').parse().ok().filter(|n: &i64| *n > 0);
        let filter = ChangelogFilter {
            config: r.text("config"),
            pr: r.value("pr", |text| pull(text).ok_or_else(|| "it is the number of a pull request".to_owned())),
            q: r.text("q"),
        };
        let cursor = r.text("cursor");
        let (rest, problems) = r.finish();
        (Self { filter, cursor, rest }, problems)
    }

    /// The query string of this view (without `?`), in canonical order, defaults left out.
    #[must_use]
    pub fn to_query(&self) -> String {
        let Self { filter: ChangelogFilter { config, pr, q }, cursor, rest } = self;
        let mut w = Writer::default();
        w.text("config", config.as_ref());
        w.text("pr", *pr);
        w.text("q", q.as_ref());
        w.text("cursor", cursor.as_ref());
        write_pairs(&w.finish(rest))
    }

    /// Whether anything narrows the list.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.filter != ChangelogFilter::default()
    }

    /// The same list from another place.
    #[must_use]
    pub fn at(&self, cursor: Option<&str>) -> Self {
        Self { cursor: cursor.map(str::to_owned), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for (query, canonical, problems) in [
            ("", "", 0),
            ("q=limit&pr=%234603&config=dsr1*&cursor=4603.2&x=1", "config=dsr1%2A&pr=4603&q=limit&cursor=4603.2&x=1", 0),
            ("pr=-3&config=", "", 1),
        ] {
            let (view, told) = ChangelogView::parse(query);
            assert_eq!((view.to_query().as_str(), told.len()), (canonical, problems), "{query}");
            assert_eq!(ChangelogView::parse(canonical), (view, vec![]), "{query}");
        }
    }
}
