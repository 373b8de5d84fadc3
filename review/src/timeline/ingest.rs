//! The ingest report comment, into numbers (formats-and-rules §2.7).

use std::collections::BTreeMap;

use paretoscope_domain::RunId;
use paretoscope_domain::report::{Families, Tally};
use serde::{Deserialize, Serialize};

use super::text::{bare, holds, links, run_number};

/// What the benchmark's own ingest says it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToldIngest {
    /// Its headline.
    pub headline: String,
    /// Rows by family; null for a family that its table doesn't have.
    pub rows: Families,
    /// Counters of its footer by name: `evalSamplesNew`. One that it doesn't tell is not among them.
    pub counters: BTreeMap<String, u64>,
    /// The run whose rows they are; null where it links none.
    pub source_run_id: Option<RunId>,
    /// Pages it links.
    pub links: Vec<(String, String)>,
}

/// Whether a bot's text is an ingest report.
#[must_use]
pub fn is_ingest_report(text: &str) -> bool {
    text.lines().map(bare).find(|l| !l.is_empty()).is_some_and(|l| holds(&l, "ingest report"))
}

/// Reads an ingest report.
#[must_use]
pub fn read(text: &str) -> ToldIngest {
    let mut columns = ["new", "duplicate", "skipped", "unmapped", "failed"].map(str::to_owned).to_vec();
    let mut rows = Families::default();
    for line in text.lines() {
        let cells: Vec<String> = line.split(['|', '\t']).map(bare).filter(|c| !c.is_empty()).collect();
        let Some((first, rest)) = cells.split_first() else { continue };
        if first.eq_ignore_ascii_case("category") {
            columns = rest.iter().map(|c| c.to_ascii_lowercase()).collect();
            continue;
        }
        let tally = tally(&columns, rest);
        match first.to_ascii_lowercase().as_str() {
            "benchmark" => rows.benchmark = rows.benchmark.or(tally),
            "eval" => rows.eval = rows.eval.or(tally),
            "trace" => rows.trace = rows.trace.or(tally),
            "power" => rows.power = rows.power.or(tally),
            _ => {}
        }
    }
    let links = links(text);
    let source = links.iter().find(|(label, _)| holds(label, "source run"));
    ToldIngest {
        headline: text.lines().map(bare).find(|l| !l.is_empty()).unwrap_or_default(),
        rows,
        counters: counters(text),
        source_run_id: source.and_then(|(_, url)| url.split('/').find_map(run_number)),
        links,
    }
}

/// A row of the table, if each of the five columns has its number.
fn tally(columns: &[String], cells: &[String]) -> Option<Tally> {
    let number = |name: &str| {
        let at = columns.iter().position(|c| c == name)?;
        cells.get(at)?.replace(',', "").parse::<u64>().ok()
    };
    Some(Tally {
        new: number("new")?,
        duplicate: number("duplicate")?,
        skipped: number("skipped")?,
        unmapped: number("unmapped")?,
        failed: number("failed")?,
    })
}

/// `benchmarkFiles 8, …`: words of two cases with a number behind them.
fn counters(text: &str) -> BTreeMap<String, u64> {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let is_counter = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_lowercase())
            && w.bytes().any(|b| b.is_ascii_uppercase())
            && w.bytes().all(|b| b.is_ascii_alphabetic())
    };
    words
        .windows(2)
        .filter_map(|pair| match pair {
            [name, number] if is_counter(name) => number.parse().ok().map(|n| ((*name).to_owned(), n)),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_footer_become_numbers() {
        let text = "**Ingest report** — ✅ Results ingested.\n\n[Ingest workflow](https://github.com/o/r/actions/runs/41300000001) · [Benchmark source run](https://github.com/o/r/actions/runs/41261902147)\n\n| Category | new | duplicate | skipped | unmapped | failed |\n|---|---:|---:|---:|---:|---:|\n| benchmark | 8 | 0 | 0 | 0 | 0 |\n| eval | 6 | 6 | 10 | 0 | 0 |\n| **trace** | 1,008 | 0 | 0 | 0 | 0 |\n| power | 8 | 0 | ? | 0 | 0 |\n\n<sub>benchmarkFiles 8, evalSamplesNew 7914, gpuMetricSamplesNew: 118366</sub>";
        assert!(is_ingest_report(text));
        let told = read(text);
        let five = |new, duplicate, skipped| Some(Tally { new, duplicate, skipped, unmapped: 0, failed: 0 });
        assert_eq!(told.rows.benchmark, five(8, 0, 0));
        assert_eq!(told.rows.eval, five(6, 6, 10));
        assert_eq!(told.rows.trace, five(1008, 0, 0));
        // A row with a number that can't be read is not filled up with zeros.
        assert_eq!(told.rows.power, None);
        assert_eq!(
            told.counters,
            BTreeMap::from([
                ("benchmarkFiles".to_owned(), 8),
                ("evalSamplesNew".to_owned(), 7914),
                ("gpuMetricSamplesNew".to_owned(), 118_366)
            ])
        );
        assert_eq!(told.source_run_id, RunId::new(41_261_902_147));
    }

    #[test]
    fn columns_are_read_by_their_names() {
        let told = read("Ingest report\nCategory\tfailed\tnew\tduplicate\tskipped\tunmapped\nbenchmark\t1\t2\t3\t4\t5");
        assert_eq!(told.rows.benchmark, Some(Tally { new: 2, duplicate: 3, skipped: 4, unmapped: 5, failed: 1 }));
        assert_eq!(told.rows.eval, None);
        assert_eq!(told.counters, BTreeMap::new());
    }
}
