//! Query parameters of the API, read strictly: an unknown, repeated or malformed one is refused by name.

use std::str::FromStr;

use percent_encoding::percent_decode_str;

use super::Problem;

/// The parameters of one request.
#[derive(Clone, Debug, Default)]
pub struct Params {
    pairs: Vec<(String, String)>,
}

/// Decodes `+` and `%xx`; bytes that are no UTF-8 become U+FFFD.
fn decode(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

impl Params {
    /// Reads a query string that may hold only `allowed` names, each once.
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn parse(query: Option<&str>, allowed: &[&str]) -> Result<Self, Problem> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in query.unwrap_or_default().split('&').filter(|p| !p.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (decode(name), decode(value));
            if !allowed.contains(&name.as_str()) {
                let known =
                    if allowed.is_empty() { "This address takes none.".to_owned() } else { format!("Known are: {}.", allowed.join(", ")) };
                return Err(Problem::parameter(&name, format!("There is no parameter {name:?} here. {known}")));
            }
            if pairs.iter().any(|(n, _)| *n == name) {
                return Err(Problem::parameter(&name, format!("The parameter {name:?} is given more than once.")));
            }
            pairs.push((name, value));
        }
        Ok(Self { pairs })
    }

    /// A parameter's text; an empty one counts as absent.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(n, _)| n == name).map(|(_, v)| v.trim()).filter(|v| !v.is_empty())
    }

    /// A parameter read as a type whose error says what is wrong.
    ///
    /// # Errors
    /// 400 naming the parameter.
    pub fn read<T>(&self, name: &str) -> Result<Option<T>, Problem>
    where
        T: FromStr,
        T::Err: std::fmt::Display,
    {
        self.text(name).map(|text| text.parse().map_err(|e: T::Err| Problem::parameter(name, format!("{name}={text}: {e}.")))).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict() {
        let p = Params::parse(Some("kind=official&q=a+b%20c&limit="), &["kind", "q", "limit"]).unwrap();
        assert_eq!(p.text("q"), Some("a b c"));
        assert_eq!(p.text("limit"), None);
        assert_eq!(Params::parse(Some("nope=1"), &["kind"]).unwrap_err().parameter.as_deref(), Some("nope"));
        assert_eq!(Params::parse(Some("kind=a&kind=b"), &["kind"]).unwrap_err().parameter.as_deref(), Some("kind"));
        let p = Params::parse(Some("limit=x"), &["limit"]).unwrap();
        assert_eq!(p.read::<u32>("limit").unwrap_err().parameter.as_deref(), Some("limit"));
    }
}
