//! A batched eval job writes one results file for each concurrency; only the file's name says which.

/// Concurrency in a file name: `results_conc64.json`, `results_2026-11-01T09-12-44_conc64_2.json`.
pub(super) fn of_file(file: &str) -> Option<u32> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.split('_').rev().find_map(|part| part.strip_prefix("conc")?.parse().ok()).filter(|n| *n > 0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn suffixes() {
        for (file, conc) in [
            ("results_conc64.json", Some(64)),
            ("a/b/results_2026-11-01T09-12-44.779836_conc128.json", Some(128)),
            ("results_conc64_2.json", Some(64)),
            ("results_2026-11-01T09-12-44.json", None),
            ("results.json", None),
            ("results_concx.json", None),
            ("conc8/results.json", None),
        ] {
            assert_eq!(super::of_file(file), conc, "{file}");
        }
    }
}
