//! Commands with arguments, typed after `:`. While one is typed, a row describes the effect of Enter and its price.

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::config::AnswerOrder,
    model::{Day, TagName, nearest, parse_address},
    tui::{
        ctx::{cmd::Cmd, destination::Destination, intent::Gesture, outbox::Outbox},
        ui::theme::{Theme, Tone},
    },
};

use super::{app::App, registry::TabId};

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
pub(super) const COMMANDS: [TypedCommandHelp; 7] = [
    command("lookup", "ADDRESS", "look an address up", "ip context query who whois"),
    command("tag", "NAME", "open the metadata of a tag", "operator service provider metadata"),
    command("date", "DAY", "look addresses up as of a day: 2026-11-01, -7d, today", "history past time when"),
    command("filter", "TEXT", "filter or search what is in front", "find search grep where"),
    command("open", "FILE", "a table of the addresses in a file", "paste log enrich board list read"),
    command("profile", "NAME", "work with another profile of the configuration", "account service switch"),
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
    Profile(String),
    Theme(&'static str),
}

impl App {
    /// Parses a line; `None` without a command and an argument.
    pub(super) fn read_command(
        &self,
        line: &str,
        now: jiff::Timestamp,
    ) -> Option<Result<TypedCommand, String>> {
        let line = line.trim_start_matches([':', ' ']).trim_end();
        let (name, word) = match line.split_once(char::is_whitespace) {
            Some((name, word)) => (name, word.trim()),
            // An address alone is a lookup.
            None if parse_address(line).is_ok() => ("lookup", line),
            None => return None,
        };
        Some(match name {
            "lookup" => self.read_lookup(word),
            "tag" => word
                .parse()
                .map(TypedCommand::Tag)
                .map_err(|why| format!("{why}")),
            "date" => read_day(word, Day::of(now)).map(TypedCommand::Date),
            "filter" => Ok(TypedCommand::Filter(word.to_owned())),
            "open" => Ok(TypedCommand::Open(word.to_owned())),
            "profile" => self.read_profile(word),
            "theme" => {
                let known = Theme::NAMES.into_iter().find(|own| *own == word);
                known.map(TypedCommand::Theme).ok_or_else(|| {
                    format!(
                        "there is no theme {word}; there are {}",
                        Theme::NAMES.join(", ")
                    )
                })
            }
            _ => return None,
        })
    }

    /// The commands that a line may become: a theme or a profile that begins with its last word.
    pub(super) fn completions(&self, line: &str) -> Vec<String> {
        let line = line.trim_start_matches([':', ' ']);
        let Some((name, typed)) = line.split_once(' ') else {
            return Vec::new();
        };
        let profiles = self.facts.profiles.iter().map(String::as_str);
        let words: Vec<&str> = match name {
            "theme" => Theme::NAMES.into(),
            "profile" => profiles.filter(|own| *own != self.facts.profile).collect(),
            _ => Vec::new(),
        };
        let begun = words
            .into_iter()
            .filter(|word| word.starts_with(typed.trim()));
        begun.map(|word| format!("{name} {word}")).collect()
    }

    fn read_lookup(&self, word: &str) -> Result<TypedCommand, String> {
        let address = parse_address(word).map_err(|why| why.to_string())?;
        if let Some(reserved) = self.facts.admission.refuses(address) {
            return Err(format!("not sent: {}", reserved.word()));
        }
        Ok(TypedCommand::Lookup(self.tabs.lookup.query_for(address)))
    }

    fn read_profile(&self, word: &str) -> Result<TypedCommand, String> {
        let known = &self.facts.profiles;
        if word == self.facts.profile {
            return Err(format!("{word} is the profile in use"));
        }
        if known.iter().any(|own| own == word) {
            return Ok(TypedCommand::Profile(word.to_owned()));
        }
        let near = nearest(word, known.iter().map(String::as_str));
        Err(match near {
            Some(near) => format!("there is no profile {word}; did you mean {near}?"),
            None if known.is_empty() => "the configuration has no profiles".to_owned(),
            None => format!("there is no profile {word}; there are {}", known.join(", ")),
        })
    }

    /// The effect of Enter on a command, with its price.
    pub(super) fn meaning_of(&self, typed: &TypedCommand) -> String {
        match typed {
            TypedCommand::Lookup(query) => {
                let is_live = query.geolocation == Geolocation::Mmgeo
                    || self.facts.answers == AnswerOrder::Live;
                if self.facts.lack().is_some() {
                    "local or cached: free".to_owned()
                } else if is_live {
                    "live: 1 query".to_owned()
                } else {
                    "local or cached, else 1 query".to_owned()
                }
            }
            TypedCommand::Tag(_) => "open the tag: free".to_owned(),
            TypedCommand::Date(Some(day)) => format!("look addresses up as of {}", day.dashed()),
            TypedCommand::Date(None) => "look addresses up as of today".to_owned(),
            TypedCommand::Filter(_) => "filter or search what is in front".to_owned(),
            TypedCommand::Open(_) => "a table of the addresses in this file: free".to_owned(),
            TypedCommand::Profile(name) => format!("leave this profile for {name}"),
            TypedCommand::Theme(name) => format!("use the theme {name}"),
        }
    }

    /// Runs a command.
    pub(super) fn run_command(&mut self, typed: TypedCommand, out: &mut Outbox) {
        match typed {
            // An effect that was shown as free sends nothing, even if a token has arrived meanwhile.
            TypedCommand::Lookup(query) if self.facts.lack().is_some() => {
                out.go = Some(Destination::AtHand(query));
            }
            TypedCommand::Lookup(query) => out.go = Some(Destination::Address(query)),
            TypedCommand::Tag(tag) => out.go = Some(Destination::Tag(tag)),
            TypedCommand::Date(day) => {
                self.tab = TabId::Lookup;
                self.tabs.lookup.look_up_as_of(day);
                let day = day.map_or_else(|| "today".to_owned(), Day::dashed);
                out.say(Tone::Ok, format!("addresses are looked up as of {day}"));
            }
            TypedCommand::Filter(text) => self.filter_in_front(&text, out),
            TypedCommand::Open(path) => out.cmd(Cmd::Read(path)),
            TypedCommand::Profile(name) => self.leave_with(Cmd::OpenProfile(name), out),
            TypedCommand::Theme(name) => self.use_theme(name, out),
        }
    }

    /// Enters a text into the filter of the tab, and applies it.
    fn filter_in_front(&mut self, text: &str, out: &mut Outbox) {
        self.gesture(Gesture::Find, out);
        let Some(field) = self.field() else {
            return out.say(Tone::Info, "there is nothing to filter or to search here");
        };
        field.set(text);
        self.typed(out);
        self.gesture(Gesture::Open, out);
    }

    pub(super) fn use_theme(&mut self, name: &'static str, out: &mut Outbox) {
        self.look.theme = name;
        self.theme = self.look.colours();
        if self.look.asks_for_ground() {
            out.cmd(Cmd::AskGround);
        }
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
