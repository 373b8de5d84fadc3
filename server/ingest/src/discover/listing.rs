//! GitHub's artifact listing, and which of its entries a folder or zip is.

use std::path::Path;

use jiff::Timestamp;
use paretoscope_domain::{Attempt, RunId};

use super::find::{Item, Place};
use super::payload::when;
use crate::fields::Fields;

/// One entry of a listing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listed {
    pub(crate) id: Option<i64>,
    pub(crate) name: String,
    pub(crate) size: Option<u64>,
    pub(crate) digest: Option<String>,
    pub(crate) created_at: Option<Timestamp>,
    pub(crate) expires_at: Option<String>,
    pub(crate) attempt: Option<Attempt>,
    pub(crate) run_id: Option<RunId>,
}

/// Reads a listing: `{"total_count": …, "artifacts": […]}`, or the bare list.
pub(crate) fn parse_listing(bytes: &[u8]) -> Result<Vec<Listed>, String> {
    let document = crate::json::parse(bytes).map_err(|r| r.detail)?;
    let entries = document.value.get("artifacts").unwrap_or(&document.value);
    let entries = entries.as_array().ok_or("it holds no list of artifacts")?;
    let listed = entries.iter().filter_map(|entry| {
        let f = Fields::of(entry).ok()?;
        let run = f.object("workflow_run");
        let attempt = |x: Fields<'_>| ["run_attempt", "attempt"].iter().find_map(|k| x.shown(k)).and_then(|t| t.parse().ok());
        Some(Listed {
            id: f.shown("id").and_then(|t| t.parse().ok()),
            name: f.shown("name")?,
            size: f.whole("size_in_bytes").ok().flatten(),
            digest: f.shown("digest").filter(|d| d.starts_with("sha256:")),
            created_at: when(f.shown("created_at").or_else(|| f.shown("updated_at")).as_deref()).0,
            expires_at: f.shown("expires_at"),
            attempt: attempt(f).or_else(|| run.and_then(attempt)).and_then(Attempt::new),
            run_id: run.and_then(|r| r.shown("id")).and_then(|t| t.parse().ok()),
        })
    });
    Ok(listed.collect())
}

/// Whether a listing names an artifact by this id.
pub(super) fn has_id(listing: &[Listed], id: &str) -> bool {
    id.parse::<i64>().is_ok_and(|id| listed_by_id(listing, id).is_some())
}

fn listed_by_id(listing: &[Listed], id: i64) -> Option<usize> {
    listing.iter().position(|l| l.id == Some(id))
}

/// For each item the index of its entry, if one can be told. An entry belongs to one item at most.
pub(crate) fn assign(items: &mut [Item], listing: &[Listed], run: RunId) -> Vec<Option<usize>> {
    let mut of_item: Vec<Option<usize>> = vec![None; items.len()];
    let mut taken: Vec<bool> = listing.iter().map(|l| l.run_id.is_some_and(|r| r != run)).collect();
    let take = |taken: &mut Vec<bool>, entry: usize| match taken.get_mut(entry) {
        Some(slot) if !*slot => {
            *slot = true;
            Some(entry)
        }
        _ => None,
    };

    // By id: `<id>` or `<name>-<id>`.
    for (item, slot) in items.iter_mut().zip(&mut of_item) {
        let bare = item.name.parse().ok().and_then(|id| listed_by_id(listing, id));
        let ending = || {
            let (name, id) = item.name.rsplit_once(['-', '_'])?;
            let entry = listed_by_id(listing, id.parse().ok()?)?;
            listing.get(entry).filter(|l| l.name == name).map(|_| entry)
        };
        if let Some(entry) = bare.or_else(ending).and_then(|entry| take(&mut taken, entry)) {
            *slot = Some(entry);
            if let Some(listed) = listing.get(entry) {
                item.name.clone_from(&listed.name);
            }
        }
    }
    // By name, the only one of that name on both sides; by attempt; by digest; then oldest to oldest.
    let mut names: Vec<String> = items.iter().zip(&of_item).filter(|(_, slot)| slot.is_none()).map(|(i, _)| i.name.clone()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let free = |taken: &[bool]| -> Vec<usize> {
            let mut free: Vec<usize> =
                (0..listing.len()).filter(|e| taken.get(*e) == Some(&false) && listing.get(*e).is_some_and(|l| l.name == name)).collect();
            free.sort_by_key(|e| listing.get(*e).map(|l| (l.attempt, l.created_at, l.id)));
            free
        };
        let settle = |i: usize, entry: usize, of_item: &mut Vec<Option<usize>>, taken: &mut Vec<bool>| {
            if let (Some(slot), Some(entry)) = (of_item.get_mut(i), take(taken, entry)) {
                *slot = Some(entry);
            }
        };
        for i in open(items, &of_item, &name) {
            let attempt = items.get(i).and_then(|x| x.attempt);
            let same: Vec<usize> =
                free(&taken).into_iter().filter(|e| attempt.is_some() && listing.get(*e).is_some_and(|l| l.attempt == attempt)).collect();
            if let [entry] = same.as_slice() {
                settle(i, *entry, &mut of_item, &mut taken);
            }
        }
        if free(&taken).len() > 1 {
            for i in open(items, &of_item, &name) {
                let digest = items.get_mut(i).and_then(digest);
                let same = free(&taken).into_iter().find(|e| digest.is_some() && listing.get(*e).is_some_and(|l| l.digest == digest));
                if let Some(entry) = same {
                    settle(i, entry, &mut of_item, &mut taken);
                }
            }
        }
        let open = open(items, &of_item, &name);
        // A known attempt that the listing contradicts is no match.
        let fits = |i: usize, e: usize| {
            items.get(i).and_then(|x| x.attempt).zip(listing.get(e).and_then(|l| l.attempt)).is_none_or(|(a, b)| a == b)
        };
        let free = free(&taken);
        // One copy of several uploads is taken for the newest: a download overwrites the older ones.
        let skip = free.len().saturating_sub(open.len());
        for (i, entry) in open.into_iter().zip(free.into_iter().skip(skip)) {
            if fits(i, entry) {
                settle(i, entry, &mut of_item, &mut taken);
            }
        }
    }
    of_item
}

/// Items of a name that have no entry yet.
fn open(items: &[Item], of_item: &[Option<usize>], name: &str) -> Vec<usize> {
    let unsettled = items.iter().zip(of_item).enumerate().filter(|(_, (item, slot))| slot.is_none() && item.name == name);
    unsettled.map(|(i, _)| i).collect()
}

/// Digest of a zip, worked out once.
fn digest(item: &mut Item) -> Option<String> {
    if let (None, Place::Zip(path)) = (&item.digest, &item.place) {
        item.digest = digest_of(path);
    }
    item.digest.clone()
}

fn digest_of(path: &Path) -> Option<String> {
    crate::source::digest_of_file(path).ok()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn item(name: &str, copy: u32, attempt: u32) -> Item {
        Item { name: name.into(), copy, place: Place::Folder(PathBuf::new()), attempt: Attempt::new(attempt), digest: None }
    }

    fn listing() -> Vec<Listed> {
        parse_listing(
            br#"{"total_count": 4, "artifacts": [
                {"id": 30, "name": "bmk_a", "created_at": "2026-11-02T00:00:00Z", "run_attempt": 2, "digest": "sha256:aa"},
                {"id": 10, "name": "bmk_a", "created_at": "2026-11-01T00:00:00Z", "workflow_run": {"id": 5, "run_attempt": 1}},
                {"id": 40, "name": "bmk_b", "created_at": "2026-11-01T00:00:00Z", "size_in_bytes": 7, "expires_at": "2027-01-30"},
                {"id": 50, "name": "bmk_c", "workflow_run": {"id": 6}}]}"#,
        )
        .unwrap()
    }

    fn ids(items: &mut [Item]) -> Vec<Option<i64>> {
        let listing = listing();
        let run = RunId::new(5).unwrap();
        assign(items, &listing, run).into_iter().map(|e| e.and_then(|e| listing[e].id)).collect()
    }

    #[test]
    fn names_attempts_and_ids() {
        assert_eq!(ids(&mut [item("bmk_b", 0, 0)]), [Some(40)]);
        assert_eq!(ids(&mut [item("bmk_a", 0, 1), item("bmk_a", 0, 2)]), [Some(10), Some(30)]);
        assert_eq!(ids(&mut [item("bmk_a", 0, 0), item("bmk_a", 1, 0)]), [Some(10), Some(30)]);
        assert_eq!(ids(&mut [item("bmk_a", 0, 0)]), [Some(30)], "one copy is the newest");
        let mut by_id = [item("10", 0, 0), item("bmk_a-30", 0, 0)];
        assert_eq!(ids(&mut by_id), [Some(10), Some(30)]);
        assert_eq!((by_id[0].name.as_str(), by_id[1].name.as_str()), ("bmk_a", "bmk_a"));
        assert_eq!(ids(&mut [item("bmk_c", 0, 0)]), [None], "of another run");
        assert_eq!(ids(&mut [item("bmk_a", 0, 3)]), [None], "of no attempt listed");
        assert_eq!(ids(&mut [item("nothing", 0, 0)]), [None]);
    }

    #[test]
    fn forms_of_a_listing() {
        assert_eq!(parse_listing(br#"[{"name": "x"}]"#).unwrap().len(), 1);
        assert!(parse_listing(b"{}").is_err());
        assert!(has_id(&listing(), "40") && !has_id(&listing(), "41") && !has_id(&listing(), "x"));
    }
}
