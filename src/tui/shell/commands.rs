//! Commands with arguments, typed after `:`. While one is typed, a row describes the effect of Enter and its price.

use std::net::IpAddr;

use jiff::Timestamp;

use crate::{
    contract::LookupQuery,
    engine::check_case,
    investigation::event_time::zone_named,
    model::{Day, TagName, nearest, parse_address},
    tui::{ctx::Facts, ui::Theme},
};

/// A command with arguments.
#[derive(Debug)]
pub(super) struct TypedCommandHelp {
    pub(super) name: &'static str,
    /// Its arguments, for the list.
    pub(super) takes: &'static str,
    pub(super) help: &'static str,
    /// Synonyms for searching.
    pub(super) also: &'static str,
}

const fn command(
    name: &'static str,
    takes: &'static str,
    help: &'static str,
    also: &'static str,
) -> TypedCommandHelp {
    TypedCommandHelp {
        name,
        takes,
        help,
        also,
    }
}

/// All commands, in the order of the list.
#[rustfmt::skip]
pub(super) const COMMANDS: [TypedCommandHelp; 10] = [
    command("lookup", "ADDRESS", "look an address up", "ip context query who whois"),
    command("tag", "NAME", "open the metadata of a tag", "operator service provider metadata"),
    command("date", "DAY", "look addresses up as of a day: 2026-11-01, -7d, today", "history past time when"),
    command("filter", "TEXT", "filter or search what is in front", "find search grep where vpn proxy tor"),
    command("open", "FILE", "a table of the addresses in a file", "paste log enrich board list read"),
    command("zone", "ZONE", "the zone of times in texts that name none: Europe/Berlin, +02:00", "utc hours offset"),
    command("compare", "A B", "two sides, or one with what is in front: an address, FILE, @DAY, FEED:FILTER", "diff against versus set two sides"),
    command("profile", "NAME", "work with another profile of the configuration", "account service switch"),
    command("case", "NAME", "put what is done into an investigation with a name; - leaves it", "investigation incident ticket trail folder switch"),
    command("theme", "NAME", "change the colours", "colors dark light"),
];

/// A parsed command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TypedCommand {
    Lookup(LookupQuery),
    Tag(TagName),
    Date(Option<Day>),
    Filter(String),
    Open(String),
    /// The zone of times that name none.
    Zone(String),
    Compare(String),
    Profile(String),
    /// The investigation to open, or none.
    Case(Option<String>),
    Theme(&'static str),
}

impl TypedCommand {
    /// Parses a line; `None` without a command and an argument. `query_for` is the query for an address.
    pub(super) fn read(
        line: &str,
        facts: &Facts,
        query_for: impl Fn(IpAddr) -> LookupQuery,
        now: Timestamp,
    ) -> Option<Result<Self, String>> {
        let line = line.trim_start_matches([':', ' ']).trim_end();
        let (name, word) = match line.split_once(char::is_whitespace) {
            Some((name, word)) => (name, word.trim()),
            // An address alone is a lookup.
            None if parse_address(line).is_ok() => ("lookup", line),
            None => return None,
        };
        Some(match name {
            "lookup" => match parse_address(word) {
                Err(why) => Err(why.to_string()),
                Ok(address) => match facts.admission.refuses(address) {
                    Some(reserved) => Err(format!("not sent: {}", reserved.word())),
                    None => Ok(Self::Lookup(query_for(address))),
                },
            },
            "tag" => word.parse().map(Self::Tag).map_err(|why| format!("{why}")),
            "date" => read_day(word, Day::of(now)).map(Self::Date),
            "filter" => Ok(Self::Filter(word.to_owned())),
            "open" => Ok(Self::Open(word.to_owned())),
            "zone" => match zone_named(word) {
                Some(_) => Ok(Self::Zone(word.to_owned())),
                None => Err(format!(
                    "this system knows no time zone {word}; write Europe/Berlin or +02:00"
                )),
            },
            "compare" => Ok(Self::Compare(word.to_owned())),
            "profile" => read_profile(word, facts).map(Self::Profile),
            "case" => read_case(word, facts).map(Self::Case),
            "theme" => {
                let known = Theme::NAMES.into_iter().find(|text| *text == word);
                let all = || Theme::NAMES.join(", ");
                let unknown = || format!("there is no theme {word}; there are {}", all());
                known.map(Self::Theme).ok_or_else(unknown)
            }
            _ => return None,
        })
    }

    /// The commands that a line may become: a theme, a profile or a case that begins with its last word.
    pub(super) fn completions(line: &str, facts: &Facts) -> Vec<String> {
        let line = line.trim_start_matches([':', ' ']);
        let Some((name, typed)) = line.split_once(' ') else {
            return Vec::new();
        };
        let profiles = facts.profiles.iter().map(String::as_str);
        let cases = facts.cases.iter().map(String::as_str);
        let cases = cases.filter(|text| Some(*text) != facts.case.as_deref());
        let words: Vec<&str> = match name {
            "theme" => Theme::NAMES.into(),
            "case" => cases.collect(),
            "profile" => profiles.filter(|text| *text != facts.profile).collect(),
            _ => Vec::new(),
        };
        let words = words.into_iter();
        let begun = words.filter(|word| word.starts_with(typed.trim()));
        begun.map(|word| format!("{name} {word}")).collect()
    }

    /// The effect of Enter, with its price.
    pub(super) fn meaning(&self, facts: &Facts) -> String {
        match self {
            Self::Lookup(_) if facts.lack().is_some() => "local or cached: free".to_owned(),
            Self::Lookup(query) if facts.is_always_live(query.geolocation) => {
                "live: 1 query".to_owned()
            }
            Self::Lookup(_) => "local or cached, else 1 query".to_owned(),
            Self::Tag(_) => "open the tag: free".to_owned(),
            Self::Date(Some(day)) => format!("look addresses up as of {}", day.dashed()),
            Self::Date(None) => "look addresses up as of today".to_owned(),
            Self::Filter(_) => "filter or search what is in front".to_owned(),
            Self::Open(_) => "a table of the addresses in this file: free".to_owned(),
            Self::Zone(zone) => format!("times without a zone are of {zone}: free"),
            Self::Compare(_) => "what differs between two sides: free".to_owned(),
            Self::Profile(name) => format!("leave this profile for {name}"),
            Self::Case(Some(name)) if facts.cases.contains(name) => {
                format!("go on with the case {name}")
            }
            Self::Case(Some(name)) => format!("begin the case {name}"),
            Self::Case(None) => "leave the case: what is done belongs to none".to_owned(),
            Self::Theme(name) => format!("use the theme {name}"),
        }
    }
}

fn read_profile(word: &str, facts: &Facts) -> Result<String, String> {
    let known = &facts.profiles;
    if word == facts.profile {
        return Err(format!("{word} is the profile in use"));
    }
    if known.iter().any(|text| text == word) {
        return Ok(word.to_owned());
    }
    Err(match nearest(word, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no profile {word}; did you mean {near}?"),
        None if known.is_empty() => "the configuration has no profiles".to_owned(),
        None => format!("there is no profile {word}; there are {}", known.join(", ")),
    })
}

/// Reads the name of a case; a minus is none.
fn read_case(word: &str, facts: &Facts) -> Result<Option<String>, String> {
    let case = (word != "-").then(|| word.to_owned());
    if case == facts.case {
        return Err(match case {
            Some(case) => format!("{case} is the case that is open"),
            None => "no case is open".to_owned(),
        });
    }
    match case.as_deref().map(check_case) {
        Some(Err(error)) => Err(error.message),
        _ => Ok(case),
    }
}

/// Parses a day; `None` for today, since then the request has no date.
fn read_day(text: &str, today: Day) -> Result<Option<Day>, String> {
    if text == "now" {
        return Ok(None);
    }
    let day = Day::read(text, today).and_then(|day| day.until(today));
    let day = day.map_err(|why| why.to_string())?;
    Ok((day != today).then_some(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_people_write_them() {
        let today: Day = "20261120".parse().expect("a day");
        let read = |text| read_day(text, today).map(|day| day.map(Day::dashed));
        assert_eq!(read("today"), Ok(None));
        assert_eq!(read("2026-11-20"), Ok(None));
        assert_eq!(read("yesterday"), Ok(Some("2026-11-19".to_owned())));
        assert_eq!(read("-30"), Ok(Some("2026-10-21".to_owned())));
        assert_eq!(read("-7d"), Ok(Some("2026-11-13".to_owned())));
        assert_eq!(read("20261001"), Ok(Some("2026-10-01".to_owned())));
        assert!(read("20261121").is_err_and(|why| why.contains("in the future")));
        assert!(read("soon").is_err_and(|why| why.contains("not a day")));
    }
}
