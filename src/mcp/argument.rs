//! What a tool takes: what each argument is, and where it is on the command line.

use serde_json::{Value, json};

use crate::{
    contract::Feed,
    engine::{Error, Kind, Result},
    model::{TagName, parse_address, parse_subject},
    store::Filter,
};

/// The longest text of an argument, in bytes.
const LONGEST: usize = 4096;
/// The longest text that is read in place of standard input.
pub(super) const LONGEST_PASTED: usize = 1 << 20;
/// The most addresses of one call.
const MOST_ADDRESSES: usize = 100;

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentKind {
    /// One address, or a list of them.
    Addresses,
    /// An address or a network.
    Subject,
    Feed,
    Filter,
    Tag,
    /// A day, a field, a word: the command says what is wrong with it.
    Text,
    /// One of these, each with the words that it stands for.
    Choice(&'static [(&'static str, &'static [&'static str])]),
    /// Whether an option is given.
    Switch,
    /// What the command reads in place of standard input.
    Pasted,
}

/// Where an argument is on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentPlace {
    /// Behind all options, in the order of the table.
    Last,
    /// The value of this option.
    Option(&'static str),
    /// The value of the first option; of the second where queries may be sent.
    Either(&'static str, &'static str),
    /// In place of standard input.
    Input,
    /// Behind this word, which is there with it alone.
    Under(&'static str),
    /// The words that it stands for.
    Words,
}

use ArgumentKind::{
    Addresses, Choice, Feed as AFeed, Filter as AFilter, Pasted, Subject, Switch, Tag, Text,
};
use ArgumentPlace::Under;

#[derive(Debug)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) kind: ArgumentKind,
    pub(super) place: ArgumentPlace,
    pub(super) is_needed: bool,
    pub(super) about: &'static str,
}

pub(super) const fn needed(
    name: &'static str,
    kind: ArgumentKind,
    place: ArgumentPlace,
    about: &'static str,
) -> Argument {
    Argument {
        name,
        kind,
        place,
        is_needed: true,
        about,
    }
}

pub(super) const fn optional(
    name: &'static str,
    kind: ArgumentKind,
    place: ArgumentPlace,
    about: &'static str,
) -> Argument {
    Argument {
        is_needed: false,
        ..needed(name, kind, place, about)
    }
}

impl Argument {
    pub(super) fn schema(&self) -> Value {
        match self.kind {
            Addresses => json!({
                "description": self.about,
                "anyOf": [
                    {"type": "string"},
                    {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_ADDRESSES},
                ],
            }),
            AFeed => {
                let names: Vec<&str> = Feed::all().map(Feed::name).collect();
                json!({"type": "string", "enum": names, "description": self.about})
            }
            Choice(words) => {
                let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
                json!({"type": "string", "enum": names, "description": self.about})
            }
            Switch => json!({"type": "boolean", "description": self.about}),
            Subject | AFilter | Tag | Text | Pasted => {
                json!({"type": "string", "description": self.about})
            }
        }
    }

    /// What is on the command line for a value.
    pub(super) fn texts(&self, value: &Value) -> Result<Vec<String>> {
        let is = |what: &str| wrong(format!("{} is {what}", self.name)).hint(self.about);
        if self.kind == Switch {
            let is_given = value.as_bool().ok_or_else(|| is("true or false"))?;
            return Ok(is_given.then(String::new).into_iter().collect());
        }
        let values: Vec<&str> = match value {
            Value::String(text) => vec![text],
            Value::Array(all) if self.kind == Addresses => {
                let texts: Option<Vec<&str>> = all.iter().map(Value::as_str).collect();
                texts
                    .filter(|all| (1..=MOST_ADDRESSES).contains(&all.len()))
                    .ok_or_else(|| is("a list of up to 100 addresses"))?
            }
            _ => return Err(is("a text")),
        };
        let mut texts = Vec::new();
        for text in values {
            if self.kind == Pasted {
                if text.len() > LONGEST_PASTED {
                    let message = format!(
                        "{} has {} bytes, and {LONGEST_PASTED} at most are read",
                        self.name,
                        text.len()
                    );
                    return Err(wrong(message)
                        .hint("a person runs `ipspect enrich FILE`, which reads any length"));
                }
                texts.push(text.to_owned());
                continue;
            }
            if text.len() > LONGEST {
                return Err(is("a text of at most 4,096 bytes"));
            }
            texts.extend(self.checked(text)?);
        }
        Ok(texts)
    }

    /// The words for a text, after it was checked for what the argument is: the name of a file, or `-`, is no address, feed or tag.
    fn checked(&self, text: &str) -> Result<Vec<String>> {
        let bad =
            |why: &dyn std::fmt::Display| wrong(format!("{}: {why}", self.name)).hint(self.about);
        let same = || vec![text.to_owned()];
        match self.kind {
            Addresses => parse_address(text).map(|_| same()).map_err(|why| bad(&why)),
            Subject => parse_subject(text).map(|_| same()).map_err(|why| bad(&why)),
            AFeed => text
                .parse::<Feed>()
                .map(|_| same())
                .map_err(|why| bad(&why)),
            AFilter if matches!(self.place, Under(_)) => Ok(same()),
            AFilter => match text.parse::<Filter>() {
                Ok(filter) if filter.is_empty() => Ok(Vec::new()),
                Ok(_) => Ok(same()),
                // Its hint says which fields there are, or what was meant.
                Err(why) => Err(why.into()),
            },
            Tag => TagName::new(text).map(|_| same()).map_err(|why| bad(&why)),
            Choice(words) => {
                let found = words.iter().find(|(name, _)| *name == text);
                let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
                let (_, words) =
                    found.ok_or_else(|| bad(&format!("one of {}", names.join(", "))))?;
                Ok(words.iter().map(|word| (*word).to_owned()).collect())
            }
            Switch | Text | Pasted => Ok(same()),
        }
    }
}

/// `FEED:FILTER` or `FEED@DAY:FILTER`, which names no file.
pub(super) fn records(text: &str) -> Result<String> {
    let head = text.split([':', '@']).next().unwrap_or_default();
    let is_of_feed = head.len() < text.len() && head.parse::<Feed>().is_ok();
    is_of_feed.then(|| text.to_owned()).ok_or_else(|| {
        wrong(format!("{text:?} names no records")).hint("FEED:FILTER, as anonymous:tag:ACME_VPN")
    })
}

pub(super) fn wrong(message: String) -> Error {
    Error::new(Kind::Usage, message)
}

pub(super) fn number(about: &str, least: u64) -> Value {
    json!({"type": "integer", "minimum": least, "description": about})
}
