//! The options of every command.

pub use crate::report::ResultFormat;

use std::{env, path::PathBuf};

use clap::{Args as Group, ValueEnum, builder::PossibleValue};

use crate::{engine::Overrides, report::TextStyle};

/// What every command understands
#[derive(Clone, Debug, Default, Group)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Run on the embedded service with its invented data
    #[arg(long, global = true)]
    pub demo: bool,
    /// Never touch the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Use this profile of the configuration
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Read this configuration file; `doctor --config` without a FILE shows each value and where it comes from
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<Option<PathBuf>>,
    /// Keep downloaded feeds here
    #[arg(long, global = true, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// The form of results
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORM")]
    pub format: OutputFormat,
    /// Colours on standard output
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: When,
    /// Retries after a failed attempt; 0 for none
    #[arg(long, global = true, value_name = "N")]
    pub retries: Option<u32>,
    /// No notes and no progress, and nothing on success where a file or the exit code is the result
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print each request on standard error: URL, status, bytes, milliseconds; -vv also its headers
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// The form of results
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// For people.
    #[default]
    Text,
    /// One object a line.
    Json,
    /// RFC 4180.
    Csv,
    /// Markdown.
    Md,
    /// What rows are about, and nothing else of them.
    Ids,
}

impl OutputFormat {
    /// What commands print for it.
    #[must_use]
    pub fn printed(self) -> ResultFormat {
        match self {
            Self::Text => ResultFormat::Text,
            Self::Json => ResultFormat::Json,
            Self::Csv | Self::Ids => ResultFormat::Csv,
            Self::Md => ResultFormat::Md,
        }
    }
}

impl ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Text, Self::Json, Self::Csv, Self::Md, Self::Ids]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Text => ("text", "For people"),
            Self::Json => ("json", "One object a line"),
            Self::Csv => ("csv", "RFC 4180, with a header row"),
            Self::Md => ("md", "Markdown for a ticket, defanged"),
            Self::Ids => ("ids", "Bare addresses, networks or tags, one a line"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// When to use colours
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On terminals, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl When {
    /// Whether a stream gets colours: decided by option, environment and stream.
    pub fn style(self, is_terminal: bool) -> TextStyle {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        TextStyle::colours(match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if set("NO_COLOR").is_some() => false,
            Self::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            Self::Auto => is_terminal && set("TERM").is_none_or(|term| term != "dumb"),
        })
    }
}

impl Global {
    /// What these options change of configuration and environment.
    #[must_use]
    pub fn overrides(&self) -> Overrides {
        Overrides {
            config: self.config.clone().flatten(),
            profile: self.profile.clone(),
            cache_dir: self.cache_dir.clone(),
            retries: self.retries,
            offline: self.offline,
        }
    }
}

/// Which columns are printed
#[derive(Clone, Debug, Default, PartialEq, Eq, Group)]
pub struct ColumnArgs {
    /// Print only these columns of the table or the CSV, by their names in CSV, separated by commas
    #[arg(
        long,
        global = true,
        value_name = "COLUMNS",
        value_delimiter = ',',
        help_heading = "Columns"
    )]
    pub fields: Vec<String>,
    /// Guard CSV cells that a spreadsheet would take for formulas
    #[arg(long, global = true, help_heading = "Columns")]
    pub spreadsheet_safe: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_there_when_they_are_wanted() {
        assert_eq!(When::Always.style(false).alarm("x"), "\x1b[1;31mx\x1b[0m");
        assert_eq!(When::Never.style(true).alarm("x"), "x");
        assert!(!When::Auto.style(false).is_on() || env::var_os("CLICOLOR_FORCE").is_some());
    }
}
