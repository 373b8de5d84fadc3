//! The cookbook's cells of the affected configurations, in the newest state of each of its files.

use std::collections::BTreeMap;

use paretoscope_domain::cookbook::{Cell, CookbookVersion};

use crate::gathered::Gathered;

/// Newest state of each file.
pub(crate) fn newest<'a>(g: &Gathered<'a>) -> Vec<&'a CookbookVersion> {
    let mut files: BTreeMap<(&str, &str), &'a CookbookVersion> = BTreeMap::new();
    for version in g.cookbook {
        let key = (version.file.repo.as_str(), version.file.path.as_str());
        let newer = files.get(&key).is_none_or(|old| (old.at(), old.synced_at) <= (version.at(), version.synced_at));
        if newer {
            files.insert(key, version);
        }
    }
    files.into_values().collect()
}

/// Cells of these configurations in the newest states.
pub(crate) fn of<'a>(g: &Gathered<'a>, keys: &[String]) -> Vec<&'a Cell> {
    newest(g).into_iter().flat_map(|version| in_version(version, keys)).collect()
}

/// Cells of these configurations in one state.
pub(crate) fn in_version<'a>(version: &'a CookbookVersion, keys: &[String]) -> Vec<&'a Cell> {
    version.file.cells.iter().filter(|c| keys.contains(&c.config_key)).collect()
}
