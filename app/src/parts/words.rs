//! Words and numbers of a page: titles, dates, shortened names. Pure functions.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use paretoscope_domain::format;
use paretoscope_domain::metric::{Metric, Unit};
use paretoscope_domain::point::{Point, Status, reason};
use paretoscope_domain::run::{Image, Run};
use paretoscope_domain::vocabulary::Vocabulary;

/// What a table shows where nothing was measured.
pub(crate) const MISSING: &str = "—";

/// Notice of synthetic sample data.
pub(crate) const SYNTHETIC: &str = "SYNTHETIC SAMPLE DATA: made up, not a measurement";

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn day_words(date: Date) -> String {
    let month = usize::try_from(date.month()).ok().and_then(|m| m.checked_sub(1)).and_then(|m| MONTHS.get(m)).unwrap_or(&"");
    format!("{} {month} {}", date.day(), date.year())
}

/// `2026-11-01` as `1 Nov 2026`; what is no date stays as it is.
pub(crate) fn date_words(date: &str) -> String {
    date.get(..10).unwrap_or(date).parse::<Date>().map_or_else(|_| date.to_owned(), day_words)
}

/// `1 Nov 2026, 14:03 UTC`.
pub(crate) fn time_words(at: Timestamp) -> String {
    let at = at.to_zoned(TimeZone::UTC);
    format!("{}, {:02}:{:02} UTC", day_words(at.date()), at.hour(), at.minute())
}

/// A time as told (RFC 3339 or a bare date), for people.
pub(crate) fn told_time(text: &str) -> String {
    text.parse::<Timestamp>().map_or_else(|_| date_words(text), time_words)
}

/// `3 points`, `1 point`; thousands grouped.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", whole(n), if n == 1 { one } else { many })
}

/// A whole number, thousands grouped.
pub(crate) fn whole(n: usize) -> String {
    // Display only: counts stay far below 2^53.
    format::fixed(n as f64, 0)
}

/// First digits of a commit.
pub(crate) fn short_sha(sha: &str) -> String {
    sha.chars().take(8).collect()
}

/// `sha256:d4b7701d…` as `d4b7701d`.
pub(crate) fn short_digest(digest: &str) -> String {
    digest.rsplit(':').next().unwrap_or(digest).chars().take(8).collect()
}

/// An image without registry and owner: `sglang:nightly-… @d4b7701d`.
pub(crate) fn short_image(image: &Image) -> String {
    let name = image.reference.rsplit('/').next().unwrap_or(&image.reference);
    image.digest.as_deref().map_or_else(|| name.to_owned(), |digest| format!("{name} @{}", short_digest(digest)))
}

/// Page of a run's image. A synthetic run's image exists nowhere.
pub(crate) fn image_page(run: &Run, reference: &str) -> Option<String> {
    if run.synthetic { None } else { registry_page(reference) }
}

/// Page of an image at the registries that have one: Docker Hub and NVIDIA's catalogue. `None` for any other, and for a reference
/// that isn't one.
fn registry_page(reference: &str) -> Option<String> {
    let (path, tag) = match reference.rsplit_once(':') {
        Some((path, tag)) if !tag.contains('/') => (path, Some(tag)),
        _ => (reference, None),
    };
    let plain = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    let parts: Vec<&str> = path.split('/').collect();
    if !parts.iter().all(|p| plain(p)) || !tag.is_none_or(plain) {
        return None;
    }
    let tags = tag.map(|t| format!("?name={t}")).unwrap_or_default();
    match parts.as_slice() {
        ["docker.io", owner, name] => Some(format!("https://hub.docker.com/r/{owner}/{name}/tags{tags}")),
        ["nvcr.io", org, name] => Some(format!("https://catalog.ngc.nvidia.com/orgs/{org}/containers/{name}")),
        ["nvcr.io", org, team, name] => Some(format!("https://catalog.ngc.nvidia.com/orgs/{org}/teams/{team}/containers/{name}")),
        // A first part with a dot is another registry's host.
        [owner, name] if !owner.contains('.') => Some(format!("https://hub.docker.com/r/{owner}/{name}/tags{tags}")),
        _ => None,
    }
}

/// An image with its whole digest.
pub(crate) fn full_image(image: &Image) -> String {
    image.digest.as_deref().map_or_else(|| format!("{} (digest not stated)", image.reference), |d| format!("{}@{d}", image.reference))
}

/// An address that may be linked: HTTPS and nothing that could end an attribute or hide where it goes.
pub(crate) fn https(url: &str) -> Option<String> {
    let clean =
        url.starts_with("https://") && url.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'<' | b'>' | b'\\' | b'`'));
    clean.then(|| url.to_owned())
}

/// Up to three names, or how many there are.
fn some_of(names: Vec<String>, many: &str) -> Option<String> {
    match names.len() {
        0 => None,
        1..=3 => Some(names.join(", ")),
        n => Some(format!("{n} {many}")),
    }
}

/// What a run measured, in one line: `DeepSeek-V4.1-Flash · agentic traces · GB300 · SGLang · FP4`; several curves are summed up.
pub(crate) fn run_title(run: &Run, words: &Vocabulary) -> String {
    if let [only] = run.curves.as_slice() {
        return only.title(words);
    }
    let label = |keys: &[String], f: &dyn Fn(&str) -> String| keys.iter().map(|k| f(k)).collect::<Vec<_>>();
    let scenario = |s: &str| s.parse::<paretoscope_domain::Scenario>().map_or_else(|_| s.to_owned(), paretoscope_domain::Scenario::title);
    let parts = [
        some_of(label(&run.models, &|k| words.model_label(k).to_owned()), "models"),
        some_of(label(&run.scenarios, &scenario), "scenarios"),
        some_of(label(&run.hardware, &|k| words.hardware_label(k).to_owned()), "GPU types"),
        some_of(label(&run.frameworks, &|k| words.framework_label(k).to_owned()), "frameworks"),
        some_of(label(&run.precisions, &|k| words.precision_label(k).to_owned()), "precisions"),
    ];
    let title = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    if title.is_empty() { run.name.clone().unwrap_or_else(|| format!("Run {}", run.run_id)) } else { title }
}

/// A number as stored, to its last digit.
pub(crate) fn exact(value: f64) -> String {
    format!("{value}")
}

/// A metric's value for people, in the unit of its header.
pub(crate) fn value(metric: &Metric, value: f64) -> String {
    match metric.unit {
        // Counts are whole, throughput is read to the unit.
        Unit::Count | Unit::Tokens | Unit::TokensPerSecondPerGpu if value.abs() >= 100.0 => format::fixed(value, 0),
        Unit::Count if value.fract() == 0.0 => format::fixed(value, 0),
        Unit::Seconds if (0.995..1000.0).contains(&value.abs()) => format::fixed(value, 2),
        _ => format::measured(value),
    }
}

/// A score to four places.
pub(crate) fn score(value: f64) -> String {
    format::fixed(value, 4)
}

/// A metric's name at the head of a column, without its unit.
pub(crate) fn column(metric: &Metric) -> String {
    if metric.name == "tput_per_gpu" { "Throughput".to_owned() } else { capital(&metric.label) }
}

/// The first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A reason code in words.
pub(crate) fn reason_words(code: &str) -> String {
    match code {
        reason::NO_SUCCESSFUL_REQUESTS => "no request succeeded".to_owned(),
        reason::OUTCOME_FAILED => "the benchmark reported a failed outcome".to_owned(),
        reason::HIGH_FAILURE => "more failed requests than the gate allows".to_owned(),
        reason::INTERACTIVITY_COMPUTED => "interactivity computed from ITL".to_owned(),
        reason::POWER_INVALID => "power measurement marked as not valid".to_owned(),
        other => other.replace('_', " "),
    }
}

/// Marks of a point that a reader should know beside its numbers, in words.
pub(crate) fn marks(point: &Point) -> Vec<String> {
    let mut marks: Vec<String> = point.reasons.iter().map(|r| reason_words(r)).collect();
    if point.status == Status::Failed && marks.is_empty() {
        marks.push("failed, no reason stated".to_owned());
    }
    marks
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn joined(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        assert_eq!(date_words("2026-11-01"), "1 Nov 2026");
        assert_eq!(date_words("soon"), "soon");
        assert_eq!(told_time("2026-11-01T14:03:59Z"), "1 Nov 2026, 14:03 UTC");
        assert_eq!(told_time("2027-01-30"), "30 Jan 2027");
        assert_eq!(told_time("2026-11-01T23:30:00-02:00"), "2 Nov 2026, 01:30 UTC");
    }

    #[test]
    fn only_plain_https_is_linked() {
        assert!(https("https://github.com/a/b/actions/runs/1").is_some());
        for bad in ["http://a", "javascript:alert(1)", "https://a\"onclick=", "https://a b", "https://a<b", "//a", "", "https://ä"] {
            assert_eq!(https(bad), None, "{bad}");
        }
    }

    #[test]
    fn values_by_unit() {
        let of = |name: &str, v: f64| value(&Metric::describe(name), v);
        assert_eq!(of("p90_e2el", 6.3), "6.30");
        assert_eq!(of("p90_e2el", 123.456), "123.46");
        assert_eq!(of("p90_ttft", 0.0712), "0.0712");
        assert_eq!(of("tput_per_gpu", 8105.0), "8,105");
        assert_eq!(of("tput_per_gpu", 340_890.4), "340,890");
        assert_eq!(of("num_requests_total", 12.0), "12");
    }

    #[test]
    fn images_have_pages_at_known_registries() {
        for (reference, page) in [
            ("lmsysorg/sglang:nightly-1", Some("https://hub.docker.com/r/lmsysorg/sglang/tags?name=nightly-1")),
            ("vllm/vllm-openai", Some("https://hub.docker.com/r/vllm/vllm-openai/tags")),
            (
                "nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:0.7.0",
                Some("https://catalog.ngc.nvidia.com/orgs/nvidia/teams/ai-dynamo/containers/tensorrtllm-runtime"),
            ),
            (
                "nvcr.io/nvidia/tensorrt-llm/release:1.2.0rc2",
                Some("https://catalog.ngc.nvidia.com/orgs/nvidia/teams/tensorrt-llm/containers/release"),
            ),
            ("ghcr.io/owner/name:1", None),
            ("owner/<script>:1", None),
            ("owner/name:\"onload", None),
            ("", None),
        ] {
            assert_eq!(registry_page(reference).as_deref(), page, "{reference}");
        }
    }

    #[test]
    fn images_are_shortened() {
        let image = Image { reference: "lmsysorg/sglang:nightly-1".into(), digest: Some("sha256:d4b7701dc94d".into()) };
        assert_eq!(short_image(&image), "sglang:nightly-1 @d4b7701d");
        assert_eq!(joined(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
