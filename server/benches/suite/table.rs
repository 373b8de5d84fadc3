//! The table of figures.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<(String, String, String, &'static str)>,
}

fn duration(d: Duration) -> String {
    let s = d.as_secs_f64();
    if s >= 1.0 {
        format!("{s:.2} s")
    } else if s >= 1e-3 {
        format!("{:.2} ms", s * 1e3)
    } else {
        format!("{:.1} µs", s * 1e6)
    }
}

fn verdict(reached: Option<bool>) -> &'static str {
    match reached {
        Some(true) => "reached",
        Some(false) => "MISSED",
        None => "",
    }
}

impl Table {
    fn add(&mut self, what: &str, reach: String, measured: String, reached: Option<bool>) {
        // Seen while it grows: the suite takes minutes.
        let _ = writeln!(std::io::stderr(), "{what}: {measured}");
        self.rows.push((what.to_owned(), reach, measured, verdict(reached)));
    }

    pub(crate) fn time(&mut self, what: &str, reach: Option<Duration>, measured: Duration) {
        self.add(what, reach.map(duration).unwrap_or_default(), duration(measured), reach.map(|r| measured <= r));
    }

    pub(crate) fn rate(&mut self, what: &str, reach: Option<f64>, measured: f64) {
        let n = |v: f64| paretoscope_domain::format::fixed(v, 0);
        self.add(what, reach.map(n).unwrap_or_default(), n(measured), reach.map(|r| measured >= r));
    }

    pub(crate) fn count(&mut self, what: &str, reach: Option<u64>, measured: u64) {
        self.add(what, reach.map(|r| r.to_string()).unwrap_or_default(), measured.to_string(), reach.map(|r| measured <= r));
    }

    pub(crate) fn bytes(&mut self, what: &str, reach: Option<u64>, measured: u64) {
        let b = paretoscope_domain::format::bytes;
        self.add(what, reach.map(b).unwrap_or_default(), b(measured), reach.map(|r| measured <= r));
    }

    pub(crate) fn note(&mut self, what: &str) {
        self.add(what, String::new(), String::new(), None);
    }

    pub(crate) fn print(&self) {
        let wide = self.rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
        let mut out = String::new();
        let _ = writeln!(out, "\n{:<wide$}  {:>12}  {:>12}", "what", "reach", "measured");
        for (what, reach, measured, verdict) in &self.rows {
            let _ = writeln!(out, "{what:<wide$}  {reach:>12}  {measured:>12}  {verdict}");
        }
        let _ = std::io::stdout().write_all(out.as_bytes());
    }
}
