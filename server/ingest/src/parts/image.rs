//! Image references: `nvcr.io#nvidia/…` is `nvcr.io/nvidia/…`, and the digest stands apart.

/// Reference and digest of an image as a row writes it; `None` for an empty one.
pub(crate) fn image(text: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(text) = text.map(str::trim).filter(|t| !t.is_empty()) else { return (None, None) };
    let text = text.replace('#', "/");
    match text.split_once('@') {
        Some((reference, digest)) if digest.starts_with("sha256:") => {
            (Some(reference.to_owned()).filter(|r| !r.is_empty()), Some(digest.to_owned()))
        }
        _ => (Some(text), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        for (text, reference, digest) in [
            ("nvcr.io#nvidia/tensorrt-llm/release:1.2.0rc2", Some("nvcr.io/nvidia/tensorrt-llm/release:1.2.0rc2"), None),
            ("lmsysorg/sglang:v1@sha256:ab12", Some("lmsysorg/sglang:v1"), Some("sha256:ab12")),
            ("", None, None),
            ("user@host/image", Some("user@host/image"), None),
        ] {
            assert_eq!(image(Some(text)), (reference.map(str::to_owned), digest.map(str::to_owned)), "{text}");
        }
        assert_eq!(image(None), (None, None));
    }
}
