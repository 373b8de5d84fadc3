//! A list as it was saved: in one array, in pages, or as single items.

/// Pages GitHub cuts lists into unless told otherwise, and the largest ones.
const PAGES: [usize; 3] = [30, 50, 100];

/// Items of one kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct List<T> {
    pub(super) items: Vec<T>,
    /// Whether the list ended by itself, rather than because a page was full.
    pub(super) end_seen: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: Vec::new(), end_seen: false }
    }
}

impl<T> List<T> {
    /// Adds what was read later of the same list. What stands in both is taken once: `better` tells whether a later one counts.
    pub(super) fn join(&mut self, other: Self, same: impl Fn(&T, &T) -> bool, better: impl Fn(&T, &T) -> bool) {
        self.end_seen |= other.end_seen;
        for item in other.items {
            match self.items.iter_mut().find(|known| same(known, &item)) {
                Some(known) if better(known, &item) => *known = item,
                Some(_) => {}
                None => self.items.push(item),
            }
        }
    }
}

/// Whether pages of these lengths are the end of a list of which GitHub shows at most `cap`. The pull request's own count, where it
/// is known, decides instead.
pub(super) fn end_seen(pages: &[usize], cap: Option<usize>) -> bool {
    let total: usize = pages.iter().sum();
    if cap.is_some_and(|cap| total >= cap) {
        return false;
    }
    match pages {
        [] => false,
        [one] => *one == 0 || !PAGES.iter().any(|page| one % page == 0),
        [first, .., last] => last < first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_page_is_no_end() {
        for (pages, cap, expected) in [
            (&[0][..], None, true),
            (&[7], None, true),
            (&[30], None, false),
            (&[100], None, false),
            (&[130], None, true),
            (&[250], Some(250), false),
            (&[100, 20], None, true),
            (&[100, 100], None, false),
            (&[100, 100, 50], Some(250), false),
            (&[], None, false),
        ] {
            assert_eq!(end_seen(pages, cap), expected, "{pages:?}");
        }
    }
}
