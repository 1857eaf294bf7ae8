//! Command lines that cannot be read, in the words of this program: what is wrong, why, and what to type instead. It must never
//! repeat what follows `--token`.

use std::{ffi::OsString, path::Path};

use clap::{
    Arg, Command,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{
    help::example,
    partial::{TypedWords, takes_value},
};
use crate::{
    contract::Feed,
    engine::{Error, Kind},
    model::{Admission, BadAddress, instead_of, meant, parse_address},
};

/// Options of other tools and commands, each with the equivalent.
const INSTEAD: [(&str, &str); 26] = [
    ("--json", "--format json"),
    ("--jsonl", "--format json"),
    ("--ndjson", "--format json"),
    ("--csv", "--format csv"),
    ("--markdown", "--format md"),
    ("--md", "--format md"),
    ("--text", "--format text"),
    ("--no-color", "--color never"),
    ("--no-colour", "--color never"),
    ("--colour", "--color"),
    ("--silent", "--quiet"),
    ("--debug", "-vv"),
    ("--trace", "-vv"),
    ("--retry", "--retries"),
    ("--timeout", "header_timeout_s in [network] of config.toml"),
    ("--url", "base_url in config.toml, or IPSPECT_BASE_URL"),
    ("--base-url", "base_url in config.toml, or IPSPECT_BASE_URL"),
    (
        "--feeds-url",
        "feeds_url in config.toml, or IPSPECT_FEEDS_URL",
    ),
    (
        "--exports-url",
        "exports_url in config.toml, or IPSPECT_EXPORTS_URL",
    ),
    ("--overwrite", "--force"),
    ("--country", "--ccs, or cc:NL in a filter"),
    ("--tag", "--tags, or tag:ACME_VPN in a filter"),
    ("--out", "-o"),
    ("--file", "-o"),
    ("--max", "--limit"),
    ("--sort", "--top, which sorts by clients"),
];

/// Other names for commands.
const COMMANDS: [(&str, &str); 15] = [
    ("ip", "lookup"),
    ("get", "lookup"),
    ("query", "lookup"),
    ("whois", "lookup"),
    ("history", "lookup ADDRESS --date DAY"),
    ("check", "doctor"),
    ("config", "doctor"),
    ("download", "feeds pull"),
    ("update", "feeds pull"),
    ("list", "feeds"),
    ("ls", "feeds"),
    ("grep", "search"),
    ("find", "search"),
    ("auth", "login"),
    ("version", "--version"),
];

const TOKEN: &str = "a token is never a flag: `ipspect login` stores it, or set IPSPECT_TOKEN";
const SEEN: &str =
    "this line may now be in your shell's history: if it held a token, have the token replaced";

/// Whether a token is given as a flag, which is refused before anything else is read.
pub(super) fn token(words: &[OsString]) -> Option<Error> {
    let words = words.iter().skip(1).map(|word| word.to_string_lossy());
    let mut words = words.take_while(|word| word != "--");
    words
        .any(|word| {
            let name = word.split('=').next().unwrap_or_default();
            ["--token", "--api-key", "--apikey", "--api-token"].contains(&name)
        })
        .then(|| Error::new(Kind::Usage, TOKEN).hint(SEEN))
}

/// A first word that is neither a command nor an address, whatever follows it.
pub(super) fn unknown_command(program: &Command, words: &[OsString]) -> Option<Error> {
    let words = behind_program(words);
    let typed = TypedWords::read(program, words.iter().map(String::as_str));
    let word = typed.operands.first().filter(|_| typed.path.len() == 1)?;
    let is_address = parse_address(word).is_ok();
    (!is_address).then(|| no_command(program, word))
}

fn behind_program(words: &[OsString]) -> Vec<String> {
    let words = words.iter().skip(1);
    words
        .map(|word| word.to_string_lossy().trim().to_owned())
        .collect()
}

/// What is wrong with a line that clap cannot read.
pub(super) fn mistake(program: &Command, words: &[OsString], error: &clap::Error) -> Error {
    // A mistyped command makes what follows it look wrong.
    if let Some(error) = unknown_command(program, words) {
        return error;
    }
    let words = behind_program(words);
    let typed = TypedWords::read(program, words.iter().map(String::as_str));
    let made = Made {
        typed: &typed,
        error,
        words: &words,
    };
    let (message, hint) = made.words();
    let argument = made.argument();
    let is_everywhere = made
        .definition(bare(&argument))
        .is_some_and(Arg::is_global_set);
    let help = if is_everywhere {
        "ipspect help".to_owned()
    } else {
        help_of(&typed)
    };
    let see = format!("`{help}` explains more");
    Error::new(Kind::Usage, message).hint(hint.unwrap_or(see))
}

/// A word in the place of a command that is none.
pub(super) fn no_command(program: &Command, word: &str) -> Error {
    let names: Vec<&str> = visible(program).collect();
    let alias = COMMANDS
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(word));
    let inner = || {
        program.get_subcommands().find_map(|outer| {
            let inner = outer.find_subcommand(word)?;
            Some(format!("{} {}", outer.get_name(), inner.get_name()))
        })
    };
    let near = || meant(word, names.iter().copied()).map(str::to_owned);
    let found = alias.map(|(_, name)| (*name).to_owned());
    let error = Error::new(Kind::Usage, format!("there is no command {word:?}"));
    match found.or_else(inner).or_else(near) {
        Some(name) => error.hint(format!("did you mean `ipspect {name}`?")),
        None => error.hint("`ipspect help` lists the commands; an address opens the explorer"),
    }
}

/// The command of a path of names, as `help` and `man` take it.
///
/// # Errors
/// [`Kind::Usage`] for an unknown name.
pub(in crate::cli) fn find<'a>(
    program: &'a Command,
    path: &[String],
) -> Result<&'a Command, Error> {
    path.iter().try_fold(program, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            if command.get_subcommands().next().is_none() {
                let message = format!("`{}` has no commands of its own", shown(command));
                return Error::new(Kind::Usage, message).hint("leave the last word out");
            }
            if command.get_name() == program.get_name() {
                return no_command(program, name);
            }
            let names: Vec<&str> = visible(command).collect();
            let message = format!("there is no command \"{} {name}\"", command.get_name());
            Error::new(Kind::Usage, message).hint(instead_of(name, &names))
        })
    })
}

fn shown(command: &Command) -> &str {
    command.get_bin_name().unwrap_or(command.get_name())
}

fn visible(command: &Command) -> impl Iterator<Item = &str> {
    let commands = command.get_subcommands();
    let commands = commands.filter(|command| !command.is_hide_set());
    commands.map(Command::get_name)
}

/// How to ask for the help of what was typed.
fn help_of(typed: &TypedWords<'_>) -> String {
    let names: Vec<&str> = typed
        .path
        .iter()
        .skip(1)
        .map(|own| own.get_name())
        .collect();
    match names.as_slice() {
        [] => "ipspect help".to_owned(),
        names => format!("ipspect help {}", names.join(" ")),
    }
}

/// A mistake that clap has found.
struct Made<'a> {
    typed: &'a TypedWords<'a>,
    error: &'a clap::Error,
    words: &'a [String],
}

type MessageAndHint = (String, Option<String>);

impl Made<'_> {
    fn words(&self) -> MessageAndHint {
        let (argument, value) = (self.argument(), self.text(ContextKind::InvalidValue));
        match self.error.kind() {
            ErrorKind::UnknownArgument => self.unknown(&argument),
            ErrorKind::InvalidSubcommand => self.no_inner(),
            ErrorKind::InvalidValue | ErrorKind::NoEquals if value.is_empty() => (
                format!("{argument} needs a value"),
                self.with_value(&argument),
            ),
            ErrorKind::InvalidValue => self.not_one_of(&argument, &value),
            ErrorKind::ValueValidation => no_number(&argument, &value),
            ErrorKind::TooManyValues => {
                let hint = format!("write {} alone", bare(&argument));
                (format!("{} takes no value", bare(&argument)), Some(hint))
            }
            ErrorKind::ArgumentConflict => self.conflict(&argument),
            ErrorKind::MissingRequiredArgument => {
                let needed = self.texts(ContextKind::InvalidArg);
                let needed: Vec<String> = needed.iter().map(|name| plain(name)).collect();
                let message = format!("`{}` needs {}", self.typed.name(), needed.join(" and "));
                (message, self.example())
            }
            ErrorKind::InvalidUtf8 => (
                "the command line is not UTF-8".to_owned(),
                Some("name such a file through a link or a shell glob".to_owned()),
            ),
            _ => {
                let text = self.error.to_string();
                let line = text.lines().next().unwrap_or_default();
                (line.trim_start_matches("error: ").to_owned(), None)
            }
        }
    }

    fn text(&self, kind: ContextKind) -> String {
        self.texts(kind).into_iter().next().unwrap_or_default()
    }

    fn texts(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    /// The argument at fault, as it is typed.
    fn argument(&self) -> String {
        plain(&self.text(ContextKind::InvalidArg))
    }

    /// A line that is right, to begin with.
    fn example(&self) -> Option<String> {
        let example = example(self.typed.command())?;
        Some(format!("for example `{example}`"))
    }

    fn with_value(&self, argument: &str) -> Option<String> {
        let name = bare(argument);
        let written = match self.definition(name)?.get_value_names()?.first()?.as_str() {
            "DAY" => "2026-11-20",
            "N" => "10",
            "FIELD" => "cc",
            "FIELDS" => "ip,tag",
            "TAGS" => "ACME_VPN",
            "CODES" => "NL,DE",
            "FILTER" => "cc:NL",
            "HHMM" => "2310",
            "FILE" => "out.csv",
            "DIR" => "/srv/ipspect",
            "SPEC" => "context:500x2",
            "NAME" if name == "--feed" => "anonymous",
            "NAME" => "work",
            _ => return self.possible(argument),
        };
        Some(format!("for example {name} {written}"))
    }

    fn possible(&self, argument: &str) -> Option<String> {
        let values = self.definition(bare(argument))?.get_possible_values();
        let names: Vec<&str> = values
            .iter()
            .map(clap::builder::PossibleValue::get_name)
            .collect();
        (!names.is_empty()).then(|| format!("it is one of {}", names.join(", ")))
    }

    fn definition(&self, name: &str) -> Option<&Arg> {
        let long = name.strip_prefix("--");
        let mut arguments = self.typed.command().get_arguments();
        arguments.find(|arg| match long {
            Some(long) => arg.get_long() == Some(long),
            None => arg
                .get_short()
                .is_some_and(|short| name == format!("-{short}")),
        })
    }

    fn unknown(&self, argument: &str) -> MessageAndHint {
        let command = self.typed.command();
        let shown = self.typed.name();
        if let Some(words) = self.negative_number(argument) {
            return words;
        }
        if !argument.starts_with('-') && command.get_name() == "login" {
            // It may be one, and is not repeated.
            let message = "a token is never an argument: `ipspect login` reads it from the terminal or from standard input";
            return (message.to_owned(), Some(SEEN.to_owned()));
        }
        if !argument.starts_with('-') {
            let message = format!("`{shown}` takes no further word {argument:?}");
            let hint = match argument.parse::<Feed>() {
                Ok(_) => "it is about one feed: run it once for each".to_owned(),
                Err(_) => "quote words with spaces; options begin with --".to_owned(),
            };
            return (message, Some(hint));
        }
        let name = argument.split('=').next().unwrap_or(argument);
        let message = format!("`{shown}` has no option {name}");
        let own = || {
            let longs: Vec<String> = command
                .get_arguments()
                .filter(|arg| !arg.is_hide_set() || arg.get_help_heading().is_some())
                .filter_map(|arg| arg.get_long().map(|long| format!("--{long}")))
                .collect();
            meant(name, longs.iter().map(String::as_str)).map(str::to_owned)
        };
        let days = match name {
            "--date" | "--on" => self.definition("--day").map(|_| "--day".to_owned()),
            "--day" => self.definition("--date").map(|_| "--date".to_owned()),
            "--top" => self.definition("--limit").map(|_| "--limit".to_owned()),
            "--limit" => self.definition("--top").map(|_| "--top".to_owned()),
            _ => None,
        };
        let fixed = || {
            let (_, found) = INSTEAD.iter().find(|(other, _)| *other == name)?;
            let option = bare(found).trim_end_matches(',');
            let is_here = !option.starts_with('-') || self.definition(option).is_some();
            is_here.then(|| (*found).to_owned())
        };
        if name == "-o" {
            let hint = "results go to standard output: add > FILE in the shell";
            return (message, Some(hint.to_owned()));
        }
        match days.or_else(fixed).or_else(own) {
            Some(other) => (message, Some(format!("did you mean {other}?"))),
            None => (message, self.elsewhere(name)),
        }
    }

    /// `--top -5`: clap takes the number for an option.
    fn negative_number(&self, argument: &str) -> Option<MessageAndHint> {
        let is_number = argument
            .strip_prefix('-')?
            .starts_with(|c: char| c.is_ascii_digit());
        let at = self
            .words
            .iter()
            .position(|word| word.starts_with(argument))?;
        let before = self.definition(self.words.get(at.checked_sub(1)?)?)?;
        (is_number && takes_value(before)).then(|| {
            let name = before.get_long().unwrap_or_default();
            let hint = format!("for example --{name} 10");
            let message = format!("--{name} takes a whole number, 0 or more, not {argument}");
            (message, Some(hint))
        })
    }

    /// The commands that do have an option.
    fn elsewhere(&self, name: &str) -> Option<String> {
        let program = self.typed.path.first()?;
        let long = name.strip_prefix("--")?;
        let has = |command: &Command| {
            command
                .get_arguments()
                .any(|arg| arg.get_long() == Some(long))
        };
        let having: Vec<&str> = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set() && has(command))
            .map(Command::get_name)
            .collect();
        let (last, others) = having.split_last()?;
        Some(match others {
            [] => format!("`ipspect {last}` has it"),
            others => format!("{} and {last} have it", others.join(", ")),
        })
    }

    /// A word behind `feeds` that is no command of it.
    fn no_inner(&self) -> MessageAndHint {
        let word = self.text(ContextKind::InvalidSubcommand);
        let command = self.typed.command();
        let shown = self.typed.name();
        let message = format!("there is no command \"{} {word}\"", command.get_name());
        let names: Vec<&str> = visible(command).collect();
        let hint = if word == "help" {
            format!("did you mean `{}`?", help_of(self.typed))
        } else if word.parse::<Feed>().is_ok() {
            format!("did you mean `{shown} info {word}`?")
        } else {
            match meant(&word, names.iter().copied()) {
                Some(name) => format!("did you mean `{shown} {name}`?"),
                None => format!("there are {}", names.join(", ")),
            }
        };
        (message, Some(hint))
    }

    fn not_one_of(&self, argument: &str, value: &str) -> MessageAndHint {
        let known = self.texts(ContextKind::ValidValue);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let name = bare(argument);
        let message = format!("{name} is one of {}, not {value:?}", known.join(", "));
        let alias = match value.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Some("json"),
            "markdown" => Some("md"),
            "table" | "txt" => Some("text"),
            "on" | "yes" | "true" => Some("always"),
            "off" | "no" | "none" | "false" => Some("never"),
            "api" | "service" | "remote" => Some("live"),
            "cache" | "disk" | "offline" => Some("local"),
            "pwsh" => Some("powershell"),
            _ => None,
        };
        let alias = alias.filter(|alias| known.contains(alias));
        let near = alias.or_else(|| meant(value, known.iter().copied()));
        let hint = near.map(|near| {
            if name.starts_with('-') {
                format!("did you mean {name} {near}?")
            } else {
                format!("did you mean {near}?")
            }
        });
        (message, hint)
    }

    fn conflict(&self, argument: &str) -> MessageAndHint {
        let prior = self.texts(ContextKind::PriorArg);
        let prior: Vec<String> = prior
            .iter()
            .map(|name| bare(&plain(name)).to_owned())
            .collect();
        let name = bare(argument);
        if prior.is_empty() || prior.iter().any(|other| other == name) {
            let hint = "give it once".to_owned();
            return (format!("{name} is given more than once"), Some(hint));
        }
        let prior = prior.join(", ");
        (
            format!("{name} and {prior} exclude each other"),
            Some(format!("leave {name} or {prior} out")),
        )
    }
}

/// A value that is no whole number.
fn no_number(argument: &str, value: &str) -> MessageAndHint {
    let name = bare(argument);
    let digits = value.replace([',', '_', '\'', '.', ' '], "");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if is_number(value) {
        let message = format!("{name}: {value} is too large a number");
        return (message, Some(format!("for example {name} 10")));
    }
    let message = format!("{name} takes a whole number, 0 or more, not {value:?}");
    let hint = if is_number(&digits) && !value.contains('.') {
        format!("did you mean {name} {digits}?")
    } else {
        format!("for example {name} 10")
    };
    (message, Some(hint))
}

/// An argument without the brackets and dots that clap puts around names.
fn plain(argument: &str) -> String {
    argument
        .replace(['<', '>', '[', ']'], "")
        .replace("...", "")
}

/// The name of an option without that of its value.
fn bare(argument: &str) -> &str {
    argument.split([' ', '=']).next().unwrap_or(argument)
}

/// A word where the explorer takes an address.
pub(super) fn no_address(program: &Command, word: &str) -> Error {
    let names: Vec<&str> = visible(program).collect();
    let is_malformed = |bad| matches!(bad, BadAddress::Malformed(_) | BadAddress::Tag(_));
    let looks_like_address = word.contains(['.', ':', '/'])
        || Path::new(word).exists()
        || !parse_address(word).is_err_and(is_malformed);
    let known = COMMANDS
        .iter()
        .any(|(alias, _)| alias.eq_ignore_ascii_case(word));
    let inner = program
        .get_subcommands()
        .any(|outer| outer.find_subcommand(word).is_some());
    if !looks_like_address || known || inner || meant(word, names).is_some() {
        return no_command(program, word);
    }
    super::value::address(word, &Admission::default())
        .err()
        .unwrap_or_else(|| no_command(program, word))
}
