//! Interactivity of agentic rows: 1/ITL of the same statistic, the slow tail (formats-and-rules §1.3.1).

use paretoscope_domain::point::Metrics;

/// Statistics that interactivity has. A deviation has no reciprocal worth showing.
const STATISTICS: [&str; 7] = ["mean", "median", "p75", "p90", "p95", "p99", "p99.9"];

/// How far a stored value may be off: nested rows are rounded.
const TOLERANCE: f64 = 0.001;

/// Keeps stored values that agree with 1/ITL, computes the others, and says so.
pub(crate) fn settle(metrics: &mut Metrics) -> Option<String> {
    let mut replaced = Vec::new();
    let mut added = Vec::new();
    let mut from_full_response = false;
    for statistic in STATISTICS {
        let full = metrics.get(&format!("{statistic}_full_response_itl")).copied().filter(|itl| *itl > 0.0);
        let plain = metrics.get(&format!("{statistic}_itl")).copied().filter(|itl| *itl > 0.0);
        let Some(itl) = full.or(plain) else { continue };
        let computed = 1.0 / itl;
        let name = format!("{statistic}_intvty");
        match metrics.get(&name).copied() {
            Some(stored) if (stored - computed).abs() <= TOLERANCE * computed => continue,
            Some(stored) => replaced.push(format!("{statistic} {stored:.2} → {computed:.2}")),
            None => added.push(statistic),
        }
        from_full_response |= full.is_some();
        metrics.insert(name, computed);
    }
    let mut parts = Vec::new();
    if !replaced.is_empty() {
        parts.push(format!("the row's own values are not its slow tail ({})", replaced.join(", ")));
    }
    if !added.is_empty() {
        parts.push(format!("the row has none for {}", added.join(", ")));
    }
    let source = if from_full_response { "full-response ITL" } else { "ITL" };
    (!parts.is_empty()).then(|| format!("Interactivity is computed as 1/{source} of the same statistic: {}.", parts.join("; ")))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn metrics(pairs: &[(&str, f64)]) -> Metrics {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect()
    }

    #[test]
    fn agreeing_values_are_kept() {
        let mut m = metrics(&[("mean_itl", 0.08503), ("mean_intvty", 11.76123), ("p90_itl", 0.11371), ("p90_intvty", 8.79412)]);
        assert_eq!(settle(&mut m), None);
        assert_eq!((m["mean_intvty"], m["p90_intvty"]), (11.76123, 8.79412));
    }

    #[test]
    fn the_fast_tail_gives_way() {
        let mut m = metrics(&[("p90_itl", 0.1), ("p90_intvty", 48.0), ("std_itl", 0.2), ("std_intvty", 7.0), ("median_itl", 0.05)]);
        let note = settle(&mut m).unwrap();
        assert_eq!((m["p90_intvty"], m["std_intvty"], m["median_intvty"]), (10.0, 7.0, 20.0));
        assert!(note.contains("p90 48.00 → 10.00") && note.contains("none for median"), "{note}");
    }

    #[test]
    fn full_response_comes_first_and_zero_has_no_reciprocal() {
        let mut m = metrics(&[("p90_itl", 0.1), ("p90_full_response_itl", 0.2), ("p75_itl", 0.0), ("p95_intvty", 3.0)]);
        assert!(settle(&mut m).unwrap().contains("full-response"));
        assert_eq!((m["p90_intvty"], m["p95_intvty"]), (5.0, 3.0));
        assert!(!m.contains_key("p75_intvty"));
    }
}
