//! What may be at the end of a line: commands, options and values, and from this machine days, tags and profiles. The scripts in
//! `assets/completions` ask for it at each Tab. It sends nothing, and where something cannot be read it offers the rest.

use clap::{Arg, Command};

use super::{
    args::{
        Args,
        partial::{TypedWords, option, takes_value, value_name},
    },
    console::{CommandResult, Console},
    exit::Exit,
};
use crate::{
    contract::{ExportField, Feed},
    engine::Engine,
    model::{Keyword, fields::paths, visible},
    report::about,
    store::Filter,
};

/// What the shell completes itself.
const FILES: &str = ":files";
const FOLDERS: &str = ":folders";

/// Something that may be at the end, and what it is.
type WordCandidate = (String, String);

/// Prints what may be in place of the last of these words, which is empty where a new one begins: a line each, with what it is
/// behind a tab.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn run(
    words: &[String],
    engine: Option<&Engine>,
    console: &Console,
) -> CommandResult {
    let (current, before) = words
        .split_last()
        .map_or(("", &[][..]), |(current, before)| {
            (current.as_str(), before)
        });
    let program = Args::definition();
    let typed = TypedWords::read(&program, before.iter().map(String::as_str));
    let place = LineEnd::of(&typed, current);
    let candidates = Candidates {
        typed: &typed,
        engine,
    };
    let found = candidates.of(&place).await;
    let begins = |value: &str| {
        let own = value.get(..place.begun.len());
        own.is_some_and(|text| text.eq_ignore_ascii_case(place.begun))
    };
    let lines = found.iter().filter_map(|(value, what)| {
        if value.starts_with(':') && value.len() > 1 {
            return Some(format!("{value}\n"));
        }
        let what = what.lines().next().unwrap_or_default();
        let line = format!("{}{}\t{}\n", place.kept, visible(value), visible(what));
        begins(value).then_some(line)
    });
    console.results(&lines.collect::<String>())?;
    Ok(Exit::DONE)
}

/// What is being typed.
enum CompletionKind<'a> {
    /// A command or, where none was begun, the first operand.
    Command(&'a Command),
    Option(&'a Command),
    Value(&'a Arg),
    /// Nothing that could be offered.
    Nothing,
}

struct LineEnd<'a> {
    wanted: CompletionKind<'a>,
    /// The beginning of the word that stays, such as `--feed=` or `tag:A,`.
    kept: &'a str,
    /// What is begun behind it.
    begun: &'a str,
}

impl<'a> LineEnd<'a> {
    fn of(typed: &TypedWords<'a>, current: &'a str) -> Self {
        let command = typed.command();
        let (kept, begun, wanted) = match typed.waiting {
            Some(option) => ("", current, CompletionKind::Value(option)),
            None if typed.ended => ("", current, operand(typed)),
            None => match current.split_once('=') {
                Some((name, value)) if name.starts_with("--") => {
                    let option = option(command, name);
                    let wanted = option.map_or(CompletionKind::Nothing, CompletionKind::Value);
                    (&current[..=name.len()], value, wanted)
                }
                _ if current.starts_with("--") || current == "-" => {
                    ("", current, CompletionKind::Option(command))
                }
                _ if typed.operands.is_empty() && command.has_subcommands() => {
                    ("", current, CompletionKind::Command(command))
                }
                _ => ("", current, operand(typed)),
            },
        };
        let mut place = Self {
            wanted,
            kept,
            begun,
        };
        if let CompletionKind::Value(arg) = place.wanted {
            place.cut_list(arg);
        }
        place
    }

    /// Of a list, and of a filter, only its last item is completed.
    fn cut_list(&mut self, arg: &Arg) {
        let ends: &[char] = match value_name(arg) {
            "TAGS" | "FIELDS" => &[','],
            "FILTER" => &[',', ':', '-', ' '],
            _ => return,
        };
        let word = &self.begun;
        // A minus begins a term and is within names, too.
        let end =
            word.rfind(|letter| ends.contains(&letter) && (letter != '-' || word.starts_with('-')));
        let end = end.map_or(0, |end| end + 1);
        if self.kept.is_empty() {
            (self.kept, self.begun) = word.split_at(end);
        }
    }
}

fn operand<'a>(typed: &TypedWords<'a>) -> CompletionKind<'a> {
    let positionals: Vec<&Arg> = typed.command().get_positionals().collect();
    let own = positionals.get(typed.operands.len()).or(positionals.last());
    own.map_or(CompletionKind::Nothing, |arg| CompletionKind::Value(arg))
}

/// Where candidates come from.
struct Candidates<'a> {
    typed: &'a TypedWords<'a>,
    engine: Option<&'a Engine>,
}

impl Candidates<'_> {
    async fn of(&self, place: &LineEnd<'_>) -> Vec<WordCandidate> {
        match place.wanted {
            CompletionKind::Command(command) => commands(command),
            CompletionKind::Option(command) => self.options(command),
            CompletionKind::Value(arg) => self.values(arg, place).await,
            CompletionKind::Nothing => Vec::new(),
        }
    }

    fn options(&self, command: &Command) -> Vec<WordCandidate> {
        let given = |arg: &Arg| {
            let id = arg.get_id().as_str();
            self.typed.values.iter().any(|(text, _)| *text == id)
        };
        command
            .get_arguments()
            .filter(|arg| !(takes_value(arg) && given(arg)))
            .filter_map(|arg| Some((format!("--{}", arg.get_long()?), help(arg))))
            .collect()
    }

    async fn values(&self, arg: &Arg, place: &LineEnd<'_>) -> Vec<WordCandidate> {
        let possible = arg.get_possible_values();
        if !possible.is_empty() {
            let one = |value: &clap::builder::PossibleValue| {
                let help = value.get_help().map(ToString::to_string);
                (value.get_name().to_owned(), help.unwrap_or_default())
            };
            return possible.iter().map(one).collect();
        }
        match (arg.get_id().as_str(), value_name(arg)) {
            ("feed" | "feeds", _) => feeds(),
            ("profile", _) => self.profiles(),
            ("command", _) => self.named_command(),
            ("filter", "FILTER") if self.typed.command().get_name() == "tags" => Vec::new(),
            (_, "FILTER") => self.filter(place).await,
            (_, "DAY") => self.days(arg),
            (_, "FIELD") => self.facets(),
            (_, "FIELDS") => ExportField::ALL.map(|field| plain(field.name())).to_vec(),
            (_, "TAG" | "TAGS") => self.tags().await,
            (_, "FILE") => vec![plain(FILES)],
            // A side of a comparison.
            (_, "A" | "B") => [feeds(), vec![plain(FILES)]].concat(),
            (_, "DIR") => vec![plain(FOLDERS)],
            _ => Vec::new(),
        }
    }

    /// The feed that the line is about.
    fn feed(&self) -> Option<Feed> {
        let option = self.typed.values.iter().rev().find(|(id, _)| *id == "feed");
        let name = option.map(|(_, value)| *value);
        name.or(self.typed.operands.first().copied())?.parse().ok()
    }

    fn profiles(&self) -> Vec<WordCandidate> {
        let names = self.engine.map(|engine| engine.settings.profiles.clone());
        let names = names.unwrap_or_default().into_iter();
        names.map(|name| (name, String::new())).collect()
    }

    /// The commands in the command that the operands of `help` and `man` name.
    fn named_command(&self) -> Vec<WordCandidate> {
        let mut command = self.typed.path.first().copied();
        for name in &self.typed.operands {
            command = command.and_then(|command| command.find_subcommand(name));
        }
        command.map(commands).unwrap_or_default()
    }

    /// Words for days, and the local ones.
    fn days(&self, arg: &Arg) -> Vec<WordCandidate> {
        let is_local = arg.get_id() != "date" && arg.get_id() != "diff-date";
        let words: &[&str] = if is_local {
            &["latest", "yesterday", "-7d"]
        } else {
            &["today", "yesterday", "-7d"]
        };
        let mut found: Vec<WordCandidate> = words.iter().map(|word| plain(word)).collect();
        let feeds: Vec<Feed> = match self.feed() {
            Some(feed) => vec![feed],
            None => Feed::all().collect(),
        };
        for feed in feeds.into_iter().filter(|_| is_local) {
            let moments = self.engine.map(|engine| engine.releases.moments(feed));
            for moment in moments.into_iter().flatten().flatten() {
                let day = moment.day().dashed();
                if !found.iter().any(|(text, _)| *text == day) {
                    found.push((day, "local".to_owned()));
                }
            }
        }
        found
    }

    /// Fields of filters, then paths of the feed's records.
    fn facets(&self) -> Vec<WordCandidate> {
        let words =
            Keyword::ALL.map(|field| (field.name().to_owned(), about(field.name()).to_owned()));
        let records = self.feed().unwrap_or(Feed::Anonymous).row().records;
        let paths = paths(records.members()).into_iter();
        words
            .into_iter()
            .chain(paths.map(|path| (path, String::new())))
            .collect()
    }

    async fn tags(&self) -> Vec<WordCandidate> {
        let Some(engine) = self.engine else {
            return Vec::new();
        };
        // Without the feed there is nothing to offer.
        let Ok(local) = engine.releases.local_tags().await else {
            return Vec::new();
        };
        let one = |tag: &crate::engine::LocalTag| {
            let name = tag.tag.name.text().unwrap_or_default();
            (tag.name().to_owned(), name.to_owned())
        };
        local.tags.iter().map(one).collect()
    }

    /// The next part of a filter: a field, or a value of the field before.
    async fn filter(&self, place: &LineEnd<'_>) -> Vec<WordCandidate> {
        let term = place.kept.rsplit(' ').next().unwrap_or_default();
        match term.trim_start_matches('-').split_once(':') {
            Some(("tag" | "proxy", _)) => self.tags().await,
            Some(_) => Vec::new(),
            None => Filter::FIELDS
                .map(|field| {
                    let sign = if field.name == "clients" { '>' } else { ':' };
                    (
                        format!("{}{sign}", field.name),
                        about(field.name).to_owned(),
                    )
                })
                .to_vec(),
        }
    }
}

fn commands(command: &Command) -> Vec<WordCandidate> {
    let shown = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let candidate = |command: &Command| {
        let about = command.get_about().map(ToString::to_string);
        (command.get_name().to_owned(), about.unwrap_or_default())
    };
    shown.map(candidate).collect()
}

fn feeds() -> Vec<WordCandidate> {
    Feed::all()
        .map(|feed| (feed.name().to_owned(), feed.row().covers.to_owned()))
        .collect()
}

fn help(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

fn plain(text: &str) -> WordCandidate {
    (text.to_owned(), String::new())
}
