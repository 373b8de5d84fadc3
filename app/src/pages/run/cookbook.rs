//! What the cookbook says of the run's configurations: a card and a section.

use paretoscope_review::drift::CookbookEntry;

use super::Context;
use super::cards::Card;
use crate::parts::view::{empty, section as part};
use crate::parts::{Block, cookbook as list, words};

/// The card; a synthetic run has none: nothing in the cookbook can speak of it.
pub(super) fn card(c: &Context<'_>) -> Option<Card> {
    if c.detail.run.synthetic {
        return None;
    }
    let entries: Vec<&CookbookEntry> = c.cookbook.entries.iter().collect();
    let (headline, sentence) = match (entries.is_empty(), c.cookbook.synced) {
        (false, _) => (list::statuses(&entries), list::drift_sentence(&entries)),
        (true, true) => ("not mentioned".to_owned(), "No snippet that was read speaks of this run or its configurations.".to_owned()),
        (true, false) => ("not known".to_owned(), "No snippet of the cookbook was read yet.".to_owned()),
    };
    Some(Card { href: "#cookbook", title: "Cookbook".to_owned(), headline, sentence })
}

/// The section.
pub(super) fn section(c: &Context<'_>) -> Block {
    if c.detail.run.synthetic {
        return part("cookbook", "Cookbook", empty("The cookbook knows no synthetic runs."));
    }
    let entries: Vec<&CookbookEntry> = c.cookbook.entries.iter().collect();
    if entries.is_empty() {
        let why = if c.cookbook.synced {
            "No snippet that was read speaks of this run or its configurations. `paretoscope cookbook sync PATH` reads newer ones."
        } else {
            "No snippet of the cookbook was read yet. Read them from a checkout of its repository: `paretoscope cookbook sync PATH`."
        };
        return part("cookbook", "Cookbook", empty(why));
    }
    let caption = format!("{} of the cookbook about this run", words::capital(&words::count(entries.len(), "entry", "entries")));
    part("cookbook", "Cookbook", list::table(&caption, &entries, &c.cookbook.known, c.words, None))
}
