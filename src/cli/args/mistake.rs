//! Command lines that cannot be read, in the words of this program: what is wrong, why, and what to type instead. It must never
//! repeat what follows `--token`.

use std::{ffi::OsString, path::Path};

use clap::{
    Arg, Command,
    builder::PossibleValue,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{
    help::example,
    partial::{TypedWords, option, takes_value, value_name},
    value::{address, usage},
};
use crate::{
    contract::Feed,
    engine::Error,
    model::{Admission, BadAddress, instead_of, meant, parse_address},
    report::each,
};

/// Options of other tools and commands, each with the equivalent.
const INSTEAD: [(&str, &str); 29] = [
    ("--on", "--day"),
    ("--top", "--limit"),
    ("--limit", "--top"),
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
const COMMANDS: [(&str, &str); 14] = [
    ("ip", "lookup"),
    ("get", "lookup"),
    ("query", "lookup"),
    ("whois", "lookup"),
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
        .then(|| usage(TOKEN).hint(SEEN))
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
    let found = made.words();
    if found.hint.is_some() {
        return found;
    }
    let option = made.definition(bare(&made.argument()));
    let help = if option.is_some_and(Arg::is_global_set) {
        "ipspect help".to_owned()
    } else {
        help_of(&typed)
    };
    found.hint(format!("`{help}` explains more"))
}

/// A word in the place of a command that is none.
pub(super) fn no_command(program: &Command, word: &str) -> Error {
    let error = usage(format!("there is no command {word:?}"));
    match command_instead_of(program, word) {
        Some(name) => error.hint(format!("did you mean `ipspect {name}`?")),
        None => error.hint("`ipspect help` lists the commands; an address opens the explorer"),
    }
}

/// The command that was most likely meant by a word.
fn command_instead_of(program: &Command, word: &str) -> Option<String> {
    let is_meant = |(alias, _): &&(&str, &str)| alias.eq_ignore_ascii_case(word);
    if let Some((_, name)) = COMMANDS.iter().find(is_meant) {
        return Some((*name).to_owned());
    }
    let inner = program.get_subcommands().find_map(|outer| {
        let inner = outer.find_subcommand(word)?;
        Some(format!("{} {}", outer.get_name(), inner.get_name()))
    });
    inner.or_else(|| meant(word, visible(program)).map(str::to_owned))
}

/// The command of a path of names, as `help` and `man` take it.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) for an unknown name.
pub(in crate::cli) fn find<'a>(
    program: &'a Command,
    path: &[String],
) -> Result<&'a Command, Error> {
    path.iter().try_fold(program, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            if command.get_subcommands().next().is_none() {
                let message = format!("`{}` has no commands of its own", shown(command));
                return usage(message).hint("leave the last word out");
            }
            if command.get_name() == program.get_name() {
                return no_command(program, name);
            }
            let names: Vec<&str> = visible(command).collect();
            let message = format!("there is no command \"{} {name}\"", command.get_name());
            usage(message).hint(instead_of(name, &names))
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
    typed.name().replacen("ipspect", "ipspect help", 1)
}

/// A mistake that clap has found.
struct Made<'a> {
    typed: &'a TypedWords<'a>,
    error: &'a clap::Error,
    words: &'a [String],
}

impl Made<'_> {
    fn words(&self) -> Error {
        let (argument, value) = (self.argument(), self.text(ContextKind::InvalidValue));
        let name = bare(&argument);
        match self.error.kind() {
            ErrorKind::UnknownArgument => self.unknown(&argument),
            ErrorKind::InvalidSubcommand => self.no_inner(),
            ErrorKind::InvalidValue | ErrorKind::NoEquals if value.is_empty() => {
                usage(format!("{argument} needs a value")).hint_if_any(self.with_value(name))
            }
            ErrorKind::InvalidValue => self.not_one_of(name, &value),
            ErrorKind::ValueValidation => no_number(name, &value),
            ErrorKind::TooManyValues => {
                usage(format!("{name} takes no value")).hint(format!("write {name} alone"))
            }
            ErrorKind::ArgumentConflict => self.conflict(name),
            ErrorKind::MissingRequiredArgument => {
                let needed = self.texts(ContextKind::InvalidArg);
                let needed = each(needed.iter().map(|name| plain(name)), " and ");
                let error = usage(format!("`{}` needs {needed}", self.typed.name()));
                let example = example(self.typed.command());
                error.hint_if_any(example.map(|line| format!("for example `{line}`")))
            }
            ErrorKind::InvalidUtf8 => usage("the command line is not UTF-8")
                .hint("name such a file through a link or a shell glob"),
            _ => {
                let text = self.error.to_string();
                let line = text.lines().next().unwrap_or_default();
                usage(line.trim_start_matches("error: "))
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

    /// A value that is right, or all of them.
    fn with_value(&self, name: &str) -> Option<String> {
        let option = self.definition(name)?;
        let written = match value_name(option) {
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
            _ => {
                let values = option.get_possible_values();
                let names = each(values.iter().map(PossibleValue::get_name), ", ");
                return (!names.is_empty()).then(|| format!("it is one of {names}"));
            }
        };
        Some(format!("for example {name} {written}"))
    }

    fn definition(&self, name: &str) -> Option<&Arg> {
        option(self.typed.command(), name)
    }

    fn unknown(&self, argument: &str) -> Error {
        let (command, shown) = (self.typed.command(), self.typed.name());
        if let Some(error) = self.negative_number(argument) {
            return error;
        }
        if !argument.starts_with('-') && command.get_name() == "login" {
            // It may be one, and is not repeated.
            let message = "a token is never an argument: `ipspect login` reads it from the terminal or from standard input";
            return usage(message).hint(SEEN);
        }
        if !argument.starts_with('-') {
            let error = usage(format!("`{shown}` takes no further word {argument:?}"));
            return error.hint(match argument.parse::<Feed>() {
                Ok(_) => "it is about one feed: run it once for each",
                Err(_) => "quote words with spaces; options begin with --",
            });
        }
        let name = bare(argument);
        let error = usage(format!("`{shown}` has no option {name}"));
        if name == "-o" {
            return error.hint("results go to standard output: add > FILE in the shell");
        }
        let is_here = |instead: &str| {
            let option = bare(instead).trim_end_matches(',');
            !option.starts_with('-') || self.definition(option).is_some()
        };
        let mut fixed = INSTEAD.iter().filter(|(other, _)| *other == name);
        if let Some((_, instead)) = fixed.next().filter(|(_, instead)| is_here(instead)) {
            return error.hint(format!("did you mean {instead}?"));
        }
        let longs: Vec<String> = command
            .get_arguments()
            .filter(|arg| !arg.is_hide_set() || arg.get_help_heading().is_some())
            .filter_map(|arg| arg.get_long().map(|long| format!("--{long}")))
            .collect();
        // What is everywhere is meant less likely than what another command has under this very name.
        let is_everywhere = |text: &str| {
            let own = self.definition(text).and_then(|arg| arg.get_help_heading());
            own == Some("Everywhere")
        };
        match (
            meant(name, longs.iter().map(String::as_str)),
            self.elsewhere(name),
        ) {
            (Some(text), Some(elsewhere)) if is_everywhere(text) => error.hint(elsewhere),
            (Some(text), _) => error.hint(format!("did you mean {text}?")),
            (None, elsewhere) => error.hint_if_any(elsewhere),
        }
    }

    /// `--top -5`: clap takes the number for an option.
    fn negative_number(&self, argument: &str) -> Option<Error> {
        let digits = argument.strip_prefix('-')?;
        let mut words = self.words.iter();
        let at = words.position(|word| word.starts_with(argument))?;
        let before = self.definition(self.words.get(at.checked_sub(1)?)?)?;
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
        (is_number && takes_value(before)).then(|| {
            let name = before.get_long().unwrap_or_default();
            let message = format!("--{name} takes a whole number, 0 or more, not {argument}");
            usage(message).hint(format!("for example --{name} 10"))
        })
    }

    /// The commands that do have an option.
    fn elsewhere(&self, name: &str) -> Option<String> {
        let program = self.typed.path.first()?;
        let having: Vec<&str> = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set() && option(command, name).is_some())
            .map(Command::get_name)
            .collect();
        let (last, others) = having.split_last()?;
        Some(match others {
            [] => format!("`ipspect {last}` has it"),
            others => format!("{} and {last} have it", others.join(", ")),
        })
    }

    /// A word behind `feeds` that is no command of it.
    fn no_inner(&self) -> Error {
        let word = self.text(ContextKind::InvalidSubcommand);
        let (command, shown) = (self.typed.command(), self.typed.name());
        let error = usage(format!(
            "there is no command \"{} {word}\"",
            command.get_name()
        ));
        let names: Vec<&str> = visible(command).collect();
        let meant = if word == "help" {
            help_of(self.typed)
        } else if word.parse::<Feed>().is_ok() {
            format!("{shown} info {word}")
        } else if let Some(name) = meant(&word, names.iter().copied()) {
            format!("{shown} {name}")
        } else {
            return error.hint(format!("there are {}", names.join(", ")));
        };
        error.hint(format!("did you mean `{meant}`?"))
    }

    fn not_one_of(&self, name: &str, value: &str) -> Error {
        let known = self.texts(ContextKind::ValidValue);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let alias = match value.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => "json",
            "markdown" => "md",
            "table" | "txt" => "text",
            "on" | "yes" | "true" => "always",
            "off" | "no" | "none" | "false" => "never",
            "api" | "service" | "remote" => "live",
            "cache" | "disk" | "offline" => "local",
            "pwsh" => "powershell",
            _ => "",
        };
        let alias = Some(alias).filter(|alias| known.contains(alias));
        let near = alias.or_else(|| meant(value, known.iter().copied()));
        let option = if name.starts_with('-') {
            format!("{name} ")
        } else {
            String::new()
        };
        usage(format!(
            "{name} is one of {}, not {value:?}",
            known.join(", ")
        ))
        .hint_if_any(near.map(|near| format!("did you mean {option}{near}?")))
    }

    fn conflict(&self, name: &str) -> Error {
        let prior = self.texts(ContextKind::PriorArg);
        let prior: Vec<String> = prior
            .iter()
            .map(|name| bare(&plain(name)).to_owned())
            .collect();
        if prior.is_empty() || prior.iter().any(|other| other == name) {
            return usage(format!("{name} is given more than once")).hint("give it once");
        }
        let prior = prior.join(", ");
        usage(format!("{name} and {prior} exclude each other"))
            .hint(format!("leave {name} or {prior} out"))
    }
}

/// A value that is no whole number.
fn no_number(name: &str, value: &str) -> Error {
    let digits = value.replace([',', '_', '\'', '.', ' '], "");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let example = format!("for example {name} 10");
    if is_number(value) {
        return usage(format!("{name}: {value} is too large a number")).hint(example);
    }
    let message = format!("{name} takes a whole number, 0 or more, not {value:?}");
    usage(message).hint(if is_number(&digits) && !value.contains('.') {
        format!("did you mean {name} {digits}?")
    } else {
        example
    })
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
    let is_malformed = |bad| matches!(bad, BadAddress::Malformed(_) | BadAddress::Tag(_));
    let looks_like_address = word.contains(['.', ':', '/'])
        || Path::new(word).exists()
        || !parse_address(word).is_err_and(is_malformed);
    if !looks_like_address || command_instead_of(program, word).is_some() {
        return no_command(program, word);
    }
    address(word, &Admission::default())
        .err()
        .unwrap_or_else(|| no_command(program, word))
}
