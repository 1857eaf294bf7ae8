//! A lenient parse of the typed words: the command they reach, its operands, options and values. Error messages and completions
//! use it, so it accepts anything; it decides nothing.

use clap::{Arg, ArgAction, Command};

/// Words, parsed as far as possible.
#[derive(Debug)]
pub(in crate::cli) struct TypedWords<'a> {
    /// The commands, the program first.
    pub(in crate::cli) path: Vec<&'a Command>,
    /// Words that are not commands, options or values of options.
    pub(in crate::cli) operands: Vec<&'a str>,
    /// The option that still waits for its value.
    pub(in crate::cli) waiting: Option<&'a Arg>,
    /// Whether `--` has ended the options.
    pub(in crate::cli) ended: bool,
    /// The values of options, each with its name.
    pub(in crate::cli) values: Vec<(&'a str, &'a str)>,
}

impl<'a> TypedWords<'a> {
    /// Parses the words after the program name.
    pub(in crate::cli) fn read(
        program: &'a Command,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut typed = Self {
            path: vec![program],
            operands: Vec::new(),
            waiting: None,
            ended: false,
            values: Vec::new(),
        };
        for word in words {
            typed.take(word);
        }
        typed
    }

    /// The command that the words reach.
    pub(in crate::cli) fn command(&self) -> &'a Command {
        self.path[self.path.len() - 1]
    }

    /// The command as it is typed.
    pub(in crate::cli) fn name(&self) -> String {
        let names: Vec<&str> = self.path.iter().map(|command| command.get_name()).collect();
        names.join(" ")
    }

    fn take(&mut self, word: &'a str) {
        if let Some(option) = self.waiting.take() {
            self.values.push((option.get_id().as_str(), word));
        } else if self.ended {
            self.operands.push(word);
        } else if word == "--" {
            self.ended = true;
        } else if word.starts_with("--") {
            let parts = word.split_once('=');
            let (name, value) = parts.map_or((word, None), |(name, value)| (name, Some(value)));
            self.option(option(self.command(), name), value);
        } else if let Some(letter) = word.strip_prefix('-').and_then(|text| text.chars().next()) {
            let (name, value) = word.split_at(1 + letter.len_utf8());
            let value = Some(value).filter(|value| !value.is_empty());
            self.option(option(self.command(), name), value);
        } else if let Some(inner) = self.subcommand(word) {
            self.path.push(inner);
        } else {
            self.operands.push(word);
        }
    }

    fn subcommand(&self, word: &str) -> Option<&'a Command> {
        self.command()
            .find_subcommand(word)
            .filter(|_| self.operands.is_empty())
    }

    fn option(&mut self, option: Option<&'a Arg>, value: Option<&'a str>) {
        match (option.filter(|option| takes_value(option)), value) {
            (Some(option), Some(value)) => self.values.push((option.get_id().as_str(), value)),
            (waiting, None) => self.waiting = waiting,
            (None, Some(_)) => {}
        }
    }
}

/// The option of a command with this name, dashes included.
pub(in crate::cli) fn option<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    let mut options = command.get_arguments();
    options.find(|arg| match name.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|c| name == format!("-{c}")),
    })
}

/// Whether an option has a value behind it.
pub(in crate::cli) fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// The name of an argument's value, such as `DAY`.
pub(in crate::cli) fn value_name(arg: &Arg) -> &str {
    arg.get_value_names()
        .and_then(|names| names.first())
        .map_or_else(|| arg.get_id().as_str(), |name| name.as_str())
}
