//! Days, as prose and tables write them.

use jiff::ToSpan;
use jiff::civil::Date;

const MONTHS: [&str; 12] =
    ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/// A text that is a day and nothing else: `Monday, August 3, 2026`. A weekday that is not the day's own makes it none.
pub(crate) fn whole(text: &str) -> Option<Date> {
    ["%A, %B %d, %Y", "%B %d, %Y", "%Y-%m-%d"].iter().find_map(|form| Date::strptime(form, text).ok())
}

/// Days of the form `August 3, 2026` within a text.
pub(crate) fn in_prose(text: &str) -> Vec<Date> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .windows(3)
        .filter_map(|three| {
            let [month, day, year] = three else { return None };
            let month = MONTHS.iter().position(|m| month.eq_ignore_ascii_case(m))?;
            let day = day.strip_suffix(',')?.parse().ok()?;
            let year = year.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
            Date::new(year, i8::try_from(month + 1).ok()?, day).ok()
        })
        .collect()
}

/// Days of the form `2026-08-03` within a text, with the text in front of each.
pub(crate) fn iso(text: &str) -> Vec<(Date, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(part) = text.get(from..) {
        let Some(at) = part.find(|c: char| c.is_ascii_digit()) else { break };
        let digits_end = part.get(at..).map_or(part.len(), |p| at + p.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(p.len()));
        if let Some(date) = part.get(at..digits_end).filter(|word| word.len() == 10).and_then(|word| word.parse().ok()) {
            found.push((date, text.get(..from + at).unwrap_or_default()));
        }
        from += digits_end.max(at + 1);
    }
    found
}

/// The last day before something was removed, retired or deprecated, as a remark tells it: `removed 2026-08-04`,
/// `deprecated since 2026-07-17`.
pub(crate) fn last_before(remark: &str) -> Option<Date> {
    let ends = ["removed", "retired", "retired on", "removed on", "since", "deprecated", "deprecated on"];
    let told = iso(remark).into_iter().find(|(_, before)| {
        let before = before.trim_end().to_ascii_lowercase();
        ends.iter().any(|end| before.ends_with(end))
    });
    told.and_then(|(day, _)| day.checked_sub(1.day()).ok())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days() {
        assert_eq!(whole("Monday, August 3, 2026"), Some(date(2026, 8, 3)));
        assert_eq!(whole("August 3, 2026"), Some(date(2026, 8, 3)));
        assert_eq!(whole("Friday, August 3, 2026"), None);
        assert_eq!(whole("Scenarios"), None);
        assert_eq!(in_prose("until August 6, 2026 and from September 31, 2026, not May"), [date(2026, 8, 6)]);
        let found: Vec<Date> = iso("2026-02-18 (#755), 12345 1-2 2026-13-01 x2026-02-19.").into_iter().map(|(d, _)| d).collect();
        assert_eq!(found, [date(2026, 2, 18), date(2026, 2, 19)]);
        for (remark, day) in [
            ("removed 2026-08-04, #1", Some(date(2026, 8, 3))),
            ("fully retired 2026-03-01", Some(date(2026, 2, 28))),
            ("Deprecated since 2026-07-17", Some(date(2026, 7, 16))),
            ("added 2026-09-10", None),
            ("deprecated from day 0", None),
        ] {
            assert_eq!(last_before(remark), day, "{remark}");
        }
    }
}
