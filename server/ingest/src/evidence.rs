//! Which point a fact is about: that of the benchmark artifact which its artifact is paired with.

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::batch::RunBatch;
use paretoscope_domain::fact::FactOrigin;
use paretoscope_domain::label;
use paretoscope_domain::point::Point;
use paretoscope_domain::run::Family;

use crate::discover::pairing_key;

/// Names the point of each fact whose artifact belongs to a job with exactly one point. A job with several says of none of them
/// which it is about, and neither does one whose benchmark artifact is not here.
pub(crate) fn name_points(batch: &mut RunBatch) {
    if batch.evidence.is_empty() {
        return;
    }
    let mut points: Vec<Point> = batch.points.iter().map(|row| row.point.clone()).collect();
    label::assign(&mut points);
    let mut labels: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for point in &points {
        if let Some(key) = pairing_key(&point.artifact, Family::Benchmark) {
            labels.entry(key).or_default().insert(&point.label);
        }
    }
    let paired: BTreeMap<&str, &str> = batch
        .artifacts
        .iter()
        .filter_map(|a| Some((a.name.as_str(), a.pairs_with.as_deref()?)))
        .filter(|(artifact, key)| names(artifact, key))
        .collect();
    for fact in &mut batch.evidence {
        let FactOrigin::Artifact { artifact, .. } = &fact.origin else { continue };
        let of_the_job = paired.get(artifact.as_str()).and_then(|key| labels.get(key));
        fact.point = match of_the_job.map(|labels| labels.iter().collect::<Vec<_>>()).as_deref() {
            Some([one]) => Some((**one).to_owned()),
            _ => None,
        };
    }
}

/// Whether an artifact's name holds the key as words of its own: `conc1` is not in `conc16`.
fn names(artifact: &str, key: &str) -> bool {
    artifact.match_indices(key).any(|(at, _)| {
        let before = artifact.get(..at).and_then(|t| t.chars().next_back());
        let after = artifact.get(at + key.len()..).and_then(|t| t.chars().next());
        [before, after].into_iter().flatten().all(|c| !c.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_are_whole_words() {
        for (artifact, key, is) in [
            ("server_logs_x_conc1", "x_conc1", true),
            ("server_logs_x_conc16", "x_conc1", false),
            ("server_logs_lone", "one", false),
            ("job_event_eval_x_conc1_sglang", "x_conc1", true),
            ("xx_x", "x", true),
        ] {
            assert_eq!(super::names(artifact, key), is, "{artifact} {key}");
        }
    }
}
