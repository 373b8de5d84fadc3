//! Acceptance lengths as the engines log them, and their mean over the lines.

/// Sums over the lines of one file.
#[derive(Default)]
pub(super) struct Acceptance {
    sglang: Mean,
    vllm: Mean,
}

/// A sum in billionths, so that no rounding adds up over the lines.
#[derive(Default)]
struct Mean {
    billionths: i128,
    lines: u64,
}

impl Acceptance {
    /// Takes a line. SGLang tells it with each decode batch (prefill lines and the load generator speak of other things), vLLM
    /// with its metrics of speculative decoding.
    pub(super) fn line(&mut self, line: &str) {
        let after = |name: &str| line.split_once(name).map(|(_, rest)| rest.trim_start_matches([':', '=', ' ']));
        if line.contains("Decode batch") {
            self.sglang.add(after("accept len"));
        } else if line.contains("SpecDecoding metrics") || line.contains("Draft acceptance rate") {
            self.vllm.add(after("Mean acceptance length"));
        }
    }

    /// Name as logged, mean, number of lines: of what was told at all.
    pub(super) fn means(self) -> Vec<(&'static str, String, u64)> {
        [("accept len", self.sglang), ("Mean acceptance length", self.vllm)]
            .into_iter()
            .filter_map(|(name, mean)| Some((name, mean.text()?, mean.lines)))
            .collect()
    }
}

impl Mean {
    fn add(&mut self, text: Option<&str>) {
        if let Some(billionths) = text.and_then(billionths) {
            self.billionths += i128::from(billionths);
            self.lines += 1;
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "far below 2^53 before the division in any log")]
    fn text(&self) -> Option<String> {
        let lines = i128::from(self.lines);
        // Whole and rest apart: the mean of equal values is that value.
        let (whole, rest) = (self.billionths.checked_div(lines)?, self.billionths.checked_rem(lines)?);
        let mean = (whole as f64 + rest as f64 / lines as f64) / 1e9;
        Some(mean.to_string())
    }
}

/// The number that a text begins with; `None` for `nan`, for none, and for one beyond a million.
fn billionths(text: &str) -> Option<i64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (whole, fraction) = text.get(..end)?.split_once('.').unwrap_or((text.get(..end)?, ""));
    let whole: i64 = whole.parse().ok().filter(|n| *n < 1_000_000)?;
    let fraction = fraction.trim_end_matches('.');
    let fraction = fraction.get(..9).unwrap_or(fraction);
    let digits: i64 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let scale = 10_i64.checked_pow(u32::try_from(9_usize.checked_sub(fraction.len())?).ok()?)?;
    whole.checked_mul(1_000_000_000)?.checked_add(digits.checked_mul(scale)?)
}
