//! Ranges and ticks of an axis: round numbers, no more than fit, the same for the SVG and for plotly.

use paretoscope_domain::format;

/// A tick: where it stands, in the metric's unit, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) text: String,
}

/// What an axis spans. On a logarithmic axis `low` and `high` are powers of ten, as plotly has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) log: bool,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Room beside the outermost points, as a share of what they span.
const PADDING: f64 = 0.06;

impl Span {
    /// The span of an axis over the values drawn on it. A linear axis starts at zero where that costs less than two thirds of it.
    pub(super) fn over(values: impl Iterator<Item = f64>, log: bool) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.map(|v| if log { v.log10() } else { v }).filter(|v| v.is_finite()) {
            low = low.min(v);
            high = high.max(v);
        }
        if low > high {
            return Self { log, low: 0.0, high: 1.0 };
        }
        if log {
            let room = ((high - low) * PADDING).max(0.05);
            return Self { log, low: low - room, high: high + room };
        }
        let from_zero = low >= 0.0 && low <= high * (2.0 / 3.0) && high > 0.0;
        if from_zero {
            return Self { log, low: 0.0, high: high * (1.0 + PADDING) };
        }
        let room = if high > low { (high - low) * PADDING } else { (high.abs() * 0.1).max(1e-9) };
        Self { log, low: if low >= 0.0 { (low - room).max(0.0) } else { low - room }, high: high + room }
    }

    /// Where a value stands: 0 at the low end, 1 at the high one.
    pub(super) fn share(&self, value: f64) -> f64 {
        let v = if self.log { value.log10() } else { value };
        (v - self.low) / (self.high - self.low)
    }

    /// About `most` ticks, one more at most.
    pub(super) fn ticks(&self, most: usize) -> Vec<Tick> {
        let most = most.max(2);
        if self.log { log_ticks(self.low, self.high, most) } else { linear_ticks(self.low, self.high, most) }
    }
}

/// Steps of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0) {
        return Vec::new();
    }
    // Display arithmetic: counts of ticks are small.
    let raw = span / most as f64;
    let mut power = raw.log10().floor() as i32;
    let mut factor = 10.0;
    for candidate in [1.0, 2.0, 5.0] {
        if raw <= candidate * 10f64.powi(power) * (1.0 + 1e-9) {
            factor = candidate;
            break;
        }
    }
    if factor == 10.0 {
        factor = 1.0;
        power += 1;
    }
    let step = factor * 10f64.powi(power);
    let decimals = usize::try_from(-power).unwrap_or(0);
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|i| tick(i as f64 * step, decimals)).collect()
}

/// The densest of: every digit, 1-2-5, 1-3, decades, every n-th decade. A span too short for those has linear ticks.
fn log_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let sets: [&[f64]; 4] = [&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    for (set, fewest) in sets.into_iter().zip([3, 3, 3, 2]) {
        let ticks: Vec<Tick> = (first..=last)
            .flat_map(|power| set.iter().map(move |digit| (power, digit * 10f64.powi(power))))
            .filter(|(_, v)| v.log10() >= low - 1e-9 && v.log10() <= high + 1e-9)
            .map(|(power, v)| tick(v, usize::try_from(-power).unwrap_or(0)))
            .collect();
        if ticks.len() <= most {
            if ticks.len() >= fewest {
                return ticks;
            }
            return linear_ticks(10f64.powf(low), 10f64.powf(high), most.min(6));
        }
    }
    let every = ((high - low) / most as f64).ceil().max(1.0) as i32;
    (first..=last)
        .filter(|power| power.rem_euclid(every) == 0 && f64::from(*power) >= low && f64::from(*power) <= high)
        .map(|power| tick(10f64.powi(power), usize::try_from(-power).unwrap_or(0)))
        .collect()
}

/// A tick whose value is exactly what its text says.
fn tick(value: f64, decimals: usize) -> Tick {
    let value = format!("{value:.decimals$}").parse().unwrap_or(value);
    Tick { value: if value == 0.0 { 0.0 } else { value }, text: format::fixed(value, decimals) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(span: Span, most: usize) -> Vec<String> {
        span.ticks(most).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn ticks_are_round_and_fit() {
        for (low, high, most, expected) in [
            (0.0, 35.7, 8, "0 5 10 15 20 25 30 35"),
            (0.0, 361_343.0, 7, "0 100,000 200,000 300,000"),
            (0.0, 361_343.0, 8, "0 50,000 100,000 150,000 200,000 250,000 300,000 350,000"),
            (0.0, 1.0, 5, "0.0 0.2 0.4 0.6 0.8 1.0"),
            (0.094, 0.106, 5, "0.095 0.100 0.105"),
            (-3.0, 3.0, 4, "−2 0 2"),
            (9_999_990.0, 10_000_010.0, 5, "9,999,990 9,999,995 10,000,000 10,000,005 10,000,010"),
        ] {
            let got = texts(Span { log: false, low, high }, most);
            assert_eq!(got.join(" "), expected, "{low} to {high}");
        }
        for (low, high, most, expected) in [
            (2.0, 50.0, 8, "2 5 10 20 50"),
            (5.0, 40.0, 9, "5 6 7 8 9 10 20 30 40"),
            (5.0, 40.0, 6, "5 10 20"),
            (0.01, 1000.0, 8, "0.01 0.1 1 10 100 1,000"),
            (1e-6, 1e6, 5, "0.000001 0.001 1 1,000 1,000,000"),
            (100.0, 130.0, 6, "100 105 110 115 120 125 130"),
            (8000.0, 350_000.0, 8, "10,000 20,000 50,000 100,000 200,000"),
        ] {
            let got = texts(Span { log: true, low: f64::log10(low), high: f64::log10(high) }, most);
            assert_eq!(got.join(" "), expected, "log {low} to {high}");
        }
    }

    #[test]
    fn spans_hold_all_values_and_are_never_empty() {
        for (values, log, low, high) in [
            (vec![5.67, 33.68], false, 0.0, 33.68 * 1.06),
            (vec![90.0, 100.0], false, 89.4, 100.6),
            (vec![7.0], false, 6.3, 7.7),
            (vec![0.0], false, 0.0, 1e-9),
            (vec![], false, 0.0, 1.0),
            (vec![10.0, 1000.0], true, 0.88, 3.12),
            (vec![10.0, 10.0], true, 0.95, 1.05),
        ] {
            let span = Span::over(values.iter().copied(), log);
            assert!((span.low - low).abs() < 1e-9 && (span.high - high).abs() < 1e-9, "{values:?}: {span:?}");
            assert!(span.low < span.high);
        }
    }

    #[test]
    fn a_tick_is_where_its_text_says() {
        for t in (Span { log: false, low: 0.0, high: 0.7 }).ticks(9) {
            assert_eq!(t.text.parse::<f64>().unwrap(), t.value);
        }
    }
}
