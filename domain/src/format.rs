//! Numbers for people: no more digits than mean something, thousands grouped; full precision is one step away.

/// Groups the digits of a whole-number text by thousands.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number with `decimals` places, grouped: `8,105`, `0.9757`. Negative numbers take a true minus sign.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "not a number".to_owned();
    }
    let text = format!("{:.*}", decimals, value.abs());
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), None), |(w, r)| (w, Some(r)));
    let sign = if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) { "\u{2212}" } else { "" };
    match rest {
        Some(rest) => format!("{sign}{}.{rest}", grouped(whole)),
        None => format!("{sign}{}", grouped(whole)),
    }
}

/// A measured value with about four significant digits: `340,890`, `6.29`, `0.00712`.
#[must_use]
pub fn measured(value: f64) -> String {
    let size = value.abs();
    let decimals = if size >= 1000.0 || size == 0.0 {
        0
    } else if size >= 100.0 {
        1
    } else if size >= 1.0 {
        2
    } else {
        // Three significant digits below one.
        let leading = (-size.log10()).ceil().clamp(1.0, 12.0);
        // The cast is exact: the value is a small whole number.
        leading as usize + 2
    };
    fixed(value, decimals)
}

/// A change in per cent with a sign and one decimal: `+0.1 %`, `−7.8 %`, `0.0 %`.
#[must_use]
pub fn percent_change(percent: f64) -> String {
    if !percent.is_finite() {
        return "not a number".to_owned();
    }
    let text = fixed(percent, 1);
    if text == "0.0" || text.starts_with('\u{2212}') { format!("{text} %") } else { format!("+{text} %") }
}

/// A size in bytes: `812 B`, `12.4 kB`, `3.1 MB`.
#[must_use]
pub fn bytes(size: u64) -> String {
    const STEPS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    for (step, unit) in STEPS {
        if size >= step {
            // Display only: a size beyond 2^53 bytes does not occur.
            return format!("{:.1} {unit}", size as f64 / step as f64);
        }
    }
    format!("{size} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        for (value, text) in [
            (8105.0, "8,105"),
            (340_890.0, "340,890"),
            (1_234_567.8, "1,234,568"),
            (33.68, "33.68"),
            (6.3, "6.30"),
            (123.45, "123.5"),
            (0.007_123_4, "0.00712"),
            (0.5, "0.500"),
            (0.0, "0"),
            (-0.25, "−0.250"),
            (999.96, "1,000.0"),
        ] {
            assert_eq!(measured(value), text);
        }
        for (value, text) in [(0.1, "+0.1 %"), (-7.8, "−7.8 %"), (-0.04, "0.0 %"), (0.0, "0.0 %"), (12.06, "+12.1 %"), (-0.06, "−0.1 %")]
        {
            assert_eq!(percent_change(value), text);
        }
        assert_eq!(fixed(0.97574, 4), "0.9757");
        assert_eq!(fixed(1234.5, 1), "1,234.5");
        assert_eq!(bytes(812), "812 B");
        assert_eq!(bytes(12_400), "12.4 kB");
    }
}
