//! Commands as a shell reads them, as far as it can be told without running them.

/// The text before a backslash that ends a line: the command goes on.
pub(super) fn goes_on(line: &str) -> Option<&str> {
    line.trim_end().strip_suffix('\\').filter(|rest| !rest.ends_with('\\'))
}

/// Words of a command: quotes are taken away. Where they don't match, the words between blanks.
pub(super) fn words(text: &str) -> Vec<String> {
    shlex::split(text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect())
}

/// Name and value of `NAME=value`.
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    (first && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some((name, value))
}

/// The line without what stands before a command in logs: the number of a task, a time stamp, the marks of a shell's trace.
pub(super) fn without_prefix(line: &str) -> &str {
    let mut rest = line.trim();
    // srun --label: "3: ".
    if let Some((task, after)) = rest.split_once(':')
        && !task.is_empty()
        && task.bytes().all(|b| b.is_ascii_digit())
        && after.starts_with(' ')
    {
        rest = after.trim_start();
    }
    // 2026-10-30T08:00:01.123Z of a workflow's log.
    if let Some((stamp, after)) = rest.split_once(' ')
        && stamp.len() >= 19
        && stamp.get(4..5) == Some("-")
        && stamp.get(10..11) == Some("T")
        && stamp.bytes().all(|b| b.is_ascii_digit() || b"-:TZ.+".contains(&b))
    {
        rest = after.trim_start();
    }
    let traced = rest.trim_start_matches('+');
    if traced.len() < rest.len() && traced.starts_with(' ') { traced.trim_start() } else { rest }
}
