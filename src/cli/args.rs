//! The command line as typed: names, help and examples. The modules of the commands then parse addresses, days and exports; a
//! parse failure ends the run with code 2 before anything is sent.

pub mod blocklist;
pub mod case;
pub mod common;
pub mod compare;
pub mod diff;
pub mod enrich;
pub mod explain;
pub mod export;
pub mod feeds;
pub(super) mod fields;
pub mod global;
pub(super) mod help;
pub mod history;
pub mod lookup;
pub mod matching;
#[cfg(feature = "mcp")]
pub mod mcp;
pub(super) mod mistake;
pub mod parquet;
pub(super) mod partial;
pub mod search;
pub mod value;
pub mod warehouse;
pub mod watch;

pub use global::{Global, OutputFormat, ResultFormat, When};

use std::{ffi::OsString, io};

use clap::{
    Args as Group, Command as Definition, CommandFactory, FromArgMatches, Parser, Subcommand,
    error::ErrorKind,
};
use clap_complete::Shell;

#[cfg(feature = "mcp")]
use self::mcp::McpArgs;
use self::{
    blocklist::BlocklistArgs,
    case::CaseArgs,
    common::CommonArgs,
    compare::CompareArgs,
    diff::DiffArgs,
    enrich::EnrichArgs,
    explain::ExplainArgs,
    export::ExportArgs,
    feeds::{FeedsArgs, FeedsCommand},
    global::ColumnArgs,
    history::HistoryArgs,
    lookup::{LookupArgs, TagArgs, TagsArgs},
    matching::MatchArgs,
    parquet::ParquetArgs,
    search::SearchArgs,
    warehouse::{PlaceArg, WarehouseArgs},
    watch::WatchArgs,
};
use super::{console::Console, exit::Exit};
use crate::{
    engine::{DayPlace, Error, Kind},
    model::parse_address,
};

/// The terminal explorer for IP intelligence, and its command line
#[derive(Debug, Parser)]
#[command(
    name = "ipspect",
    version,
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND",
    override_usage = "ipspect [OPTIONS] [ADDRESS]\n       ipspect [OPTIONS] COMMAND",
    after_help = "Without a command it opens the explorer.\n\n\
        Examples:\n  \
        ipspect demo                           an invented world, nothing to set up\n  \
        ipspect lookup 198.51.100.77 --demo    the same world on the command line\n\n\
        Exit codes: 0 done, 1 some inputs failed, 2 usage, 3 credentials, 4 quota or rate limit, 5 network, \
        6 the service broke its contract, 7 corrupt data, 8 this machine, 9 locked, 10 no such thing, 11 something changed or is over (`watch check`, `diff` and `compare --exit-code`, `blocklist --check`)."
)]
pub struct Args {
    /// An address that the explorer opens on
    #[arg(value_name = "ADDRESS", num_args = 0..)]
    pub address: Vec<String>,
    /// What every command understands
    #[command(flatten)]
    pub global: Global,
    /// What to do instead of opening the explorer
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// What to do
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Open the explorer on the embedded service with invented data
    #[command(after_help = "Examples:\n  ipspect demo\n  ipspect demo 198.51.100.77")]
    Demo {
        /// An address to open on
        address: Option<String>,
    },
    /// Look up addresses, one answer each, in input order
    Lookup(LookupArgs),
    /// Find every address in any text and answer from the local feeds
    Enrich(EnrichArgs),
    /// Look up service tags
    Tag(TagArgs),
    /// The service tags of the local feed
    Tags(TagsArgs),
    /// The token's status and balance, and what each host said of it
    Status(StatusArgs),
    /// What the service has of every feed, and what is local
    Feeds(FeedsArgs),
    /// The records of a local feed that match a filter, their number, or their values
    Search(SearchArgs),
    /// Records added, removed and changed between two days of a local feed
    Diff(DiffArgs),
    /// Two addresses, texts, earlier runs or filters: where their verdicts differ
    Compare(CompareArgs),
    /// Two sets of addresses, from lists and filters: what is in either, in both, or in one alone
    Match(MatchArgs),
    /// A list to block by, in the form that a firewall or another program reads
    Blocklist(BlocklistArgs),
    /// What the records about some addresses share, and the rest of their feed does not
    Common(CommonArgs),
    /// What a field or a value means: by the contract, and in the local feeds
    Explain(ExplainArgs),
    /// Investigations by their names: what was done in them, and what it cost
    Case(CaseArgs),
    /// How an address or network changed over days: a strip, and a line a stretch
    History(HistoryArgs),
    /// A filtered subset of a feed, as a file
    Export(ExportArgs),
    /// A local feed as Parquet, for other engines
    Parquet(ParquetArgs),
    /// Days of feeds in a server for all of a team: load releases, list days
    Warehouse(WarehouseArgs),
    /// What is looked for in each new release of a feed, and what changed
    Watch(WatchArgs),
    #[cfg(feature = "mcp")]
    /// Answer assistants over standard input and output, by the Model Context Protocol; sends no paid query unasked
    #[command(
        after_help = "Speaks the protocol and nothing else on standard output, until standard input ends. Its tools are commands of this program: \
        lookup, enrich, history, search, facets, diff, common, explain, match, blocklist (--check), watch, tag, status, feeds, with \
        the JSON of these. None downloads, deletes, or reads or writes a file of yours. None sends a paid query without --spend; with \
        it lookup and enrich may, after the client asked a person.\n\n\
        Examples:\n  ipspect mcp\n  ipspect mcp --spend 20\n  ipspect mcp --print-config"
    )]
    Mcp(McpArgs),
    /// Run the embedded service alone, on loopback, until it is interrupted
    #[command(
        after_help = "Prints one line of JSON: base_url, feeds_url, exports_url, token, and tokens by role.\n\n\
        Examples:\n  ipspect serve\n  ipspect serve --fault context:500x2 --fault storage:cut=200000x1"
    )]
    Serve {
        /// A fault to inject: PLACE:KIND, then optionally =VALUE, @SKIP and xTIMES; repeatable
        #[arg(long = "fault", value_name = "SPEC")]
        faults: Vec<String>,
    },
    /// Store a token, read from the terminal without echo or from standard input
    #[command(
        after_help = "The token is never an argument. It is checked with the hosts that are configured, unless --offline.\n\n\
        Examples:\n  ipspect login\n  pass show ip-intelligence | ipspect login --profile work"
    )]
    Login,
    /// Remove the stored token
    #[command(after_help = "Examples:\n  ipspect logout\n  ipspect logout --profile work")]
    Logout,
    /// Check configuration, paths, token, hosts, cache and terminal, and say what to do
    Doctor(DoctorArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Examples:\n  ipspect completions bash > ipspect.bash\n  ipspect completions fish | source"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// What may be at the end of a line, for the scripts of completions
    #[command(name = "__complete", hide = true)]
    Complete {
        /// The words behind the name of the program, the last one as far as it is typed
        #[arg(num_args = 0.., allow_hyphen_values = true, trailing_var_arg = true)]
        words: Vec<String>,
    },
    /// Explain a command, or list them all
    #[command(after_help = "Examples:\n  ipspect help lookup\n  ipspect help feeds pull")]
    Help {
        /// The command, such as `feeds pull`
        command: Vec<String>,
    },
    /// Print the manual page
    #[command(
        after_help = "Examples:\n  ipspect man > ipspect.1\n  ipspect man feeds pull | man -l -"
    )]
    Man {
        /// The page of a command, such as `feeds pull`
        command: Vec<String>,
    },
}

/// Arguments of `status`
#[derive(Debug, Group)]
#[command(
    after_help = "JSON: {\"status\":{as sent},\"hosts\":[{area,host,status,at,meaning}]}\n\
    CSV: area,host,status,at,meaning\n\n\
    Examples:\n  ipspect status\n  ipspect status --test --format json\n  ipspect status --below 1000 -q"
)]
pub struct StatusArgs {
    /// Ask every host, without spending a query
    #[arg(long)]
    pub test: bool,
    /// Exit with 4 if fewer than N queries are left
    #[arg(long, value_name = "N")]
    pub below: Option<u64>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// Arguments of `doctor`
#[derive(Debug, Group)]
#[command(
    after_help = "JSON: {\"level\",\"about\",\"said\",\"advice\",\"kind\"}\n\
    CSV: level,about,said,advice\n\
    JSON of --config: {\"key\",\"value\",\"source\",\"from\",\"overrode\":[{\"value\",\"source\",\"from\"}]}\n\
    CSV of --config: key,value,source,from,overrode\n\n\
    Examples:\n  ipspect doctor\n  ipspect doctor --config\n  ipspect doctor --sample > config.toml"
)]
pub struct DoctorArgs {
    /// Print a commented sample of config.toml
    #[arg(long, conflicts_with_all = ["fields", "spreadsheet_safe"])]
    pub sample: bool,
    /// Whether `--config` is without a file: each value is shown with where it comes from
    #[arg(skip)]
    pub values: bool,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

impl CliCommand {
    /// The one thing that the command is about, where it is about one.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::Feeds(args) => args.command.as_ref().and_then(FeedsCommand::feed),
            Self::Diff(args) => Some(&args.feed),
            Self::Search(args) => Some(&args.feed),
            Self::Export(args) => Some(&args.feed),
            Self::Parquet(args) => Some(&args.feed),
            Self::History(args) => Some(&args.subject),
            _ => None,
        }
    }

    /// Where the days are that answer it.
    #[must_use]
    pub fn place(&self) -> DayPlace {
        let at = match self {
            Self::Lookup(args) => args.pick.at,
            Self::Enrich(args) => args.pick.at,
            Self::Diff(args) => args.at,
            Self::Search(args) => args.at,
            _ => PlaceArg::default(),
        };
        at.into()
    }
}

/// A day has one option on every command: `--day` and `--date` are two names of it, where a command does not tell them apart.
fn with_one_day(command: Definition) -> Definition {
    let has = |name: &str| command.get_arguments().any(|arg| arg.get_id() == name);
    let mut command = match (has("day"), has("date")) {
        (true, false) => command.mut_arg("day", |arg| arg.alias("date")),
        (false, true) => command.mut_arg("date", |arg| arg.alias("day")),
        _ => command,
    };
    let names = command
        .get_subcommands()
        .map(|command| command.get_name().to_owned());
    for name in names.collect::<Vec<_>>() {
        command = command.mut_subcommand(name, with_one_day);
    }
    command
}

impl Args {
    /// The program as it is typed, with the help of its commands.
    #[must_use]
    pub fn definition() -> Definition {
        help::shaped(with_one_day(Self::command()))
    }

    /// Reads the command line. `Err` is how the run ends instead: help was asked for, or it cannot be understood.
    ///
    /// # Errors
    /// The code to end with; what there is to say has been said.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, Exit> {
        let mut words = search::shielded(words);
        // Help names the program, whatever the file is called.
        if let Some(first) = words.first_mut() {
            *first = "ipspect".into();
        }
        let program = Self::definition();
        if let Some(error) = mistake::token(&words) {
            return Err(refuse(&words, error));
        }
        let read = program.clone().try_get_matches_from(&words);
        let args = read.and_then(|matches| Self::from_arg_matches(&matches));
        let mut args = args.map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                match mistake::unknown_command(&program, &words) {
                    Some(mistake) => refuse(&words, mistake),
                    None => show(&error),
                }
            }
            _ => refuse(&words, mistake::mistake(&program, &words, &error)),
        })?;
        if let Some(CliCommand::Doctor(doctor)) = &mut args.command {
            doctor.values = matches!(args.global.config, Some(None));
        }
        match args.without_file().or_else(|| args.mistyped(&program)) {
            None => Ok(args),
            Some(error) => Err(Console::new(&args.global).conclude(Err(error.into()))),
        }
    }

    #[cfg(feature = "mcp")]
    /// The command that these words are, as another front types it.
    ///
    /// # Errors
    /// [`Kind::Usage`] with what is wrong with them.
    pub fn of_command(words: &[String]) -> crate::engine::Result<CliCommand> {
        let typed = ["ipspect".to_owned()]
            .into_iter()
            .chain(words.iter().cloned());
        let words = search::shielded(typed.map(OsString::from));
        let read = Self::definition().try_get_matches_from(&words);
        let args = read.and_then(|matches| Self::from_arg_matches(&matches));
        let args = args.map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Error::new(Kind::Usage, first.trim_start_matches("error: "))
        })?;
        args.command
            .ok_or_else(|| Error::new(Kind::Usage, "there is no command"))
    }

    /// `--config` without a file, which only `doctor` takes.
    fn without_file(&self) -> Option<Error> {
        let is_doctor = matches!(self.command, Some(CliCommand::Doctor(_)));
        let lacks = matches!(self.global.config, Some(None)) && !is_doctor;
        lacks.then(|| {
            Error::new(Kind::Usage, "--config needs a FILE")
                .hint("`ipspect doctor --config` shows each value and where it comes from")
        })
    }

    /// Words in the place of an address that must be something else.
    fn mistyped(&self, program: &Definition) -> Option<Error> {
        let is_address = |word: &str| parse_address(word).is_ok();
        match (&self.command, self.address.as_slice()) {
            (_, []) => None,
            (None, [word]) => (!is_address(word)).then(|| mistake::no_address(program, word)),
            (_, [word, ..]) if !is_address(word) => Some(mistake::no_command(program, word)),
            (None, [_, rest @ ..])
                if rest
                    .iter()
                    .any(|word| program.find_subcommand(word).is_some()) =>
            {
                let error = Error::new(Kind::Usage, "an address comes before the command");
                Some(error.hint("the command comes first: `ipspect lookup 198.51.100.77`"))
            }
            (None, [_, _, ..]) => {
                let error = Error::new(Kind::Usage, "the explorer opens on one address");
                Some(error.hint("`ipspect lookup` looks up several"))
            }
            (Some(_), [word, ..]) => {
                let error = Error::new(Kind::Usage, format!("{word} comes before the command"));
                Some(error.hint(format!("the command comes first: `ipspect lookup {word}`")))
            }
        }
    }
}

/// Ends a run whose command line cannot be understood.
fn refuse(words: &[OsString], error: Error) -> Exit {
    let global = Global {
        format: if asks_for_json(words) {
            OutputFormat::Json
        } else {
            OutputFormat::Text
        },
        ..Global::default()
    };
    Console::new(&global).conclude(Err(error.into()))
}

/// Help and version go to standard output.
fn show(asked: &clap::Error) -> Exit {
    match asked.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let error = Error::machine("write to standard output", &error);
            Console::new(&Global::default()).conclude(Err(error.into()))
        }
        // Without a reader there is no place to report it.
        _ => Exit::DONE,
    }
}

/// Whether the words ask for JSON, as far as that is known where they could not be parsed.
fn asks_for_json(words: &[OsString]) -> bool {
    let is_option = |pair: &[OsString]| pair[0] == "--format" && pair[1] == "json";
    words.iter().any(|word| word == "--format=json") || words.windows(2).any(is_option)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Args> {
        let matches = Args::definition().try_get_matches_from(line.split_whitespace());
        let args = Args::from_arg_matches(&matches.ok()?).ok()?;
        args.mistyped(&Args::definition()).is_none().then_some(args)
    }

    #[test]
    fn a_day_has_one_option_on_every_command() {
        for (line, other) in [
            ("enrich --day -7d", "--date"),
            ("search dch --day 20261120", "--date"),
            ("parquet dch -o x --day 20261120", "--date"),
            ("warehouse load dch --day 20261120", "--date"),
            ("feeds rm dch --day 20261120", "--date"),
            ("feeds pull dch --date 20261120", "--day"),
            ("feeds files dch --date 20261120", "--day"),
        ] {
            let known = read(&format!("ipspect {line}")).expect(line);
            let own = if other == "--day" { "--date" } else { "--day" };
            let line = line.replace(own, other);
            let read = read(&format!("ipspect {line}")).expect(&line);
            assert_eq!(
                format!("{:?}", read.command),
                format!("{:?}", known.command)
            );
        }
    }

    #[test]
    fn the_definition_holds_together() {
        Args::command().debug_assert();
        Args::definition().debug_assert();
    }

    #[test]
    fn a_day_may_be_words_wherever_one_is_taken() {
        for line in [
            "lookup 198.51.100.7 --date",
            "lookup 198.51.100.7 --source local --day",
            "enrich --day",
            "search dch --day",
            "diff dch --to yesterday --from",
            "diff dch --from yesterday --to",
            "export anonymous --diff --diff-date",
            "export anonymous --local --day",
            "parquet dch -o x --day",
            "feeds pull dch --date",
            "feeds files dch --date",
            "feeds verify dch --day",
            "feeds rm dch --day",
            "feeds reindex dch --day",
        ] {
            for day in ["-7d", "yesterday", "20261120"] {
                assert!(read(&format!("ipspect {line} {day}")).is_some(), "{line}");
            }
        }
    }

    #[test]
    fn options_stand_before_and_behind_a_command() {
        for line in [
            "ipspect --demo --format json lookup 198.51.100.7",
            "ipspect lookup --demo 198.51.100.7 --format=json",
        ] {
            let args = read(line).expect(line);
            assert!(
                args.global.demo
                    && args.global.format == OutputFormat::Json
                    && args.address.is_empty()
            );
            assert!(
                matches!(args.command, Some(CliCommand::Lookup(lookup)) if lookup.addresses == ["198.51.100.7"])
            );
        }
    }

    #[test]
    fn an_address_opens_the_explorer_and_a_mistyped_command_does_not() {
        let args = read("ipspect 198.51.100.7").expect("explorer");
        assert_eq!(
            (args.address, args.command.is_none()),
            (vec!["198.51.100.7".to_owned()], true)
        );
        assert!(read("ipspect lokup 198.51.100.7").is_none());
        assert!(read("ipspect 198.51.100.7 status").is_none());
        assert!(read("ipspect nonsense").is_none());
    }

    /// Each command shows two real examples, and they are understood.
    #[test]
    fn every_example_is_understood() {
        fn check(command: &clap::Command, path: &str) {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let examples: Vec<&str> = help
                .lines()
                .filter(|line| line.starts_with("  "))
                .filter_map(|line| line.split("ipspect ").nth(1))
                .collect();
            assert!(examples.len() >= 2, "{path}: {help}");
            for example in examples {
                let end = example.find(['|', '>']).unwrap_or(example.len());
                let line = example[..end].split("   ").next().unwrap_or_default();
                assert!(read(&format!("ipspect {line}")).is_some(), "{path}: {line}");
            }
            for inner in command
                .get_subcommands()
                .filter(|inner| !inner.is_hide_set())
            {
                check(inner, &format!("{path} {}", inner.get_name()));
            }
        }
        check(&Args::command(), "ipspect");
    }
}
