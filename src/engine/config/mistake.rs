//! Messages about a wrong configuration: where, which key, what it must be, and what to write instead. Values of the
//! file are never repeated: someone may have put a token there.

use toml::de::Error;

use crate::model::{instead_of, meant};

const SAMPLE: &str = include_str!("../../../assets/config.sample.toml");
const SAMPLE_HINT: &str = "`ipspect doctor --sample` prints a commented sample";
pub(super) const TOKEN_HINT: &str = "a token is never in this file: `ipspect login` stores it, or token_command names a command that prints it";

const PASSWORD_HINT: &str = "a password is never in this file: IPSPECT_WAREHOUSE_PASSWORD holds it, or password_command names a command that prints it";

/// What is wrong, on one line, and what to do about it.
#[derive(Debug)]
pub(super) struct ConfigMistake {
    pub(super) message: String,
    pub(super) hint: String,
}

pub(super) fn mistake(text: &str, error: &Error) -> ConfigMistake {
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    let at = match error.span() {
        Some(span) => Some(span.start),
        // A value that was read and is out of its range: the words begin with its key.
        None => message
            .split(' ')
            .next()
            .and_then(|key| place_of(text, key)),
    };
    let Some(place) = at.and_then(|at| MistakePosition::at(text, at)) else {
        let hint = SAMPLE_HINT.to_owned();
        return ConfigMistake { message, hint };
    };
    let (what, hint) = place.words(&message);
    let message = format!("line {}, column {}: {what}", place.line, place.column);
    ConfigMistake { message, hint }
}

struct MistakePosition<'a> {
    line: usize,
    column: usize,
    /// The line up to a comment.
    text: &'a str,
    /// The table that the line is in.
    table: &'a str,
}

impl<'a> MistakePosition<'a> {
    fn at(text: &'a str, at: usize) -> Option<Self> {
        let before = text.get(..at)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let header = before.lines().rev().find_map(table_of_header);
        Some(Self {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            text: &text[start..end],
            table: header.unwrap_or_default(),
        })
    }

    /// The key of the line; nothing where the line is no assignment to a plain key.
    fn key(&self) -> Option<&'a str> {
        let key = self.text.split_once('=')?.0.trim();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.\"".contains(letter);
        (!key.is_empty() && key.chars().all(is_plain)).then_some(key)
    }

    /// What is wrong here and what to do about it.
    fn words(&self, message: &str) -> (String, String) {
        let sample = || SAMPLE_HINT.to_owned();
        if self.text.trim_start().starts_with("[[") {
            let table = self.text.trim().trim_matches(['[', ']']);
            return (
                format!("[{table}] needs single brackets"),
                format!("write [{table}]"),
            );
        }
        if let Some(name) = self.text.trim_start().strip_prefix("[profile.") {
            let what = "profile is a name, not a table".to_owned();
            return (
                what,
                format!(
                    "did you mean [profiles.{}]?",
                    name.trim_end().trim_end_matches(']')
                ),
            );
        }
        let names = named(message);
        let (found, expected) = names.split_first().unzip();
        let expected = expected.unwrap_or_default();
        if message.starts_with("unknown field") {
            return self.unknown_key(found.copied().unwrap_or_default(), expected);
        }
        let Some(key) = self.key() else {
            return (message.to_owned(), sample());
        };
        if message.starts_with("unknown variant") {
            let near = meant(found.copied().unwrap_or_default(), expected.iter().copied());
            let hint = near.map_or_else(sample, |near| format!("did you mean {key} = \"{near}\"?"));
            return (format!("{key} must be {}", either(expected)), hint);
        }
        let Some((_, expected)) = message.split_once(", expected ") else {
            // What was read as a value of the wrong meaning names no key.
            let what = if message.starts_with(key) {
                message.to_owned()
            } else {
                format!("{key}: {message}")
            };
            return (what, example(key).unwrap_or_else(sample));
        };
        let what = match expected {
            "u64" | "u32" | "usize" => "a whole number, 0 or more",
            "a boolean" => "true or false",
            "a string" | "path string" => "a text in quotes",
            "a sequence" => "a list in square brackets",
            "a map" => "a table",
            other if other.starts_with("struct") => "a table",
            _ => return (format!("{key}: {message}"), sample()),
        };
        let what = format!("{key} must be {what}");
        (what, example(key).unwrap_or_else(sample))
    }

    /// An unknown key or table, and the known ones.
    fn unknown_key(&self, found: &str, known: &[&str]) -> (String, String) {
        let is_table = self.text.trim_start().starts_with('[');
        let what = match (is_table, self.table) {
            (true, _) => format!("there is no table [{found}]"),
            (false, "") => format!("there is no key {found}"),
            (false, table) => format!("there is no key {found} in [{table}]"),
        };
        let hint = match table_of_key(found) {
            _ if found.contains("token") && !found.contains("command") => TOKEN_HINT.to_owned(),
            _ if found == "password" => PASSWORD_HINT.to_owned(),
            Some(table) if table != self.table => format!("{found} belongs to [{table}]"),
            _ => instead_of(found, known),
        };
        (what, hint)
    }
}

fn named(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

fn either(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "one of its values".to_owned(),
    }
}

/// The name of a table, of the line that begins it.
fn table_of_header(line: &str) -> Option<&str> {
    let line = line.trim().strip_prefix('[')?;
    Some(line.split(']').next()?.trim_matches('[').trim())
}

/// The lines of the sample, those that it comments out too.
fn sample_lines() -> impl Iterator<Item = &'static str> {
    SAMPLE
        .lines()
        .map(|line| line.trim_start_matches(['#', ' ']))
}

/// The table of a key, as the sample has it.
fn table_of_key(key: &str) -> Option<&'static str> {
    let mut table = None;
    for line in sample_lines() {
        table = table_of_header(line).or(table);
        if assigns(line, key) {
            return table;
        }
    }
    None
}

/// The line of the sample with a key.
fn example(key: &str) -> Option<String> {
    let line = sample_lines().find(|line| assigns(line, key))?;
    let line = line.split(" #").next().unwrap_or(line).trim_end();
    let line = match key {
        "treat_as_public" => "treat_as_public = [\"198.51.100.0/24\"]",
        _ => line,
    };
    Some(format!("for example {line}"))
}

fn assigns(line: &str, key: &str) -> bool {
    line.split_once('=')
        .is_some_and(|(name, _)| name.trim() == key)
}

/// Where the value of a key begins.
fn place_of(text: &str, key: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if assigns(line, key) {
            let behind = line.find('=')? + 1;
            let blanks = line[behind..].len() - line[behind..].trim_start().len();
            return Some(start + behind + blanks);
        }
        start += line.len();
    }
    None
}
