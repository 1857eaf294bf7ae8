//! The help of each command, short and long, from the one text that is with its arguments: `-h` ends with the examples, `--help`
//! with all of it. What every command understands is explained once, by `ipspect help`, and named elsewhere.
//!
//! A line of such a text is a paragraph: the terminal or the manual breaks it.

use clap::{Arg, Command};

/// The heading of what every command understands.
const EVERYWHERE: &str = "Everywhere";

/// What a paragraph that is a list begins with.
const LISTS: [&str; 5] = ["JSON", "CSV", "FEED", "FIELDS", "LAYOUT"];

/// The program with the help of all its commands.
pub(super) fn shaped(mut program: Command) -> Command {
    program.build();
    let options = program.get_arguments().filter(|arg| is_everywhere(arg));
    let names: Vec<String> = options
        .filter_map(|arg| arg.get_long().map(|long| format!("--{long}")))
        .collect();
    let everywhere = format!(
        "Everywhere: {}.\n`ipspect help` explains these.",
        names.join(", ")
    );
    shaped_alone(program, true, &everywhere)
}

fn shaped_alone(command: Command, is_program: bool, everywhere: &str) -> Command {
    let notes = notes(&command);
    let short = format!("{}\n\n{everywhere}", examples(&notes).join("\n"));
    let long = if is_program {
        notes
    } else {
        format!("{notes}\n\n{everywhere}")
    };
    command
        .after_help(short)
        .after_long_help(long)
        .mut_args(|arg| match (is_everywhere(&arg), is_program) {
            (false, _) => arg,
            (true, true) => arg.hide_short_help(true),
            (true, false) => arg.hide(true),
        })
        .mut_subcommands(|inner| shaped_alone(inner, false, everywhere))
}

pub(in crate::cli) fn is_everywhere(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(EVERYWHERE)
}

fn notes(command: &Command) -> String {
    let notes = command.get_after_long_help();
    let notes = notes.or(command.get_after_help());
    let notes = notes.map(ToString::to_string).unwrap_or_default();
    let lines = notes.lines().map(paragraph);
    lines.collect::<Vec<_>>().join("\n")
}

/// A paragraph; lists such as the keys of JSON stand below what they are of, with blanks at which they may be broken.
fn paragraph(line: &str) -> String {
    match line.split_once(": ") {
        Some((label, list)) if LISTS.iter().any(|list| label.starts_with(list)) => {
            let list = list.replace(", ", ",").replace(',', ", ");
            format!("{label}:\n  {list}")
        }
        _ => line.to_owned(),
    }
}

/// The heading of the examples and their lines.
fn examples(notes: &str) -> Vec<&str> {
    let lines = notes.lines().skip_while(|line| *line != "Examples:");
    lines.take_while(|line| !line.is_empty()).collect()
}

/// The first example of a command.
pub(super) fn example(command: &Command) -> Option<String> {
    let notes = notes(command);
    let mut lines = examples(&notes).into_iter().map(str::trim);
    let line = lines.find(|line| line.starts_with("ipspect "))?;
    Some(line.split("   ").next().unwrap_or(line).to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Args;

    fn all(command: &Command) -> Vec<Command> {
        let inner = command.get_subcommands().flat_map(all);
        std::iter::once(command.clone()).chain(inner).collect()
    }

    #[test]
    fn the_terminal_breaks_paragraphs_and_nothing_else_does() {
        let program = shaped(Args::command());
        for command in all(&program) {
            for line in notes(&command).lines() {
                let is_paragraph = !line.starts_with(' ') && !line.is_empty();
                assert!(
                    !is_paragraph || line.ends_with(['.', ':']),
                    "{}: a paragraph ends within a sentence: {line}",
                    command.get_name()
                );
            }
        }
    }

    #[test]
    fn no_example_is_broken_at_eighty_columns() {
        for command in all(&shaped(Args::command())) {
            let notes = notes(&command);
            for line in examples(&notes) {
                assert!(line.len() <= 80, "{line}");
            }
            let help = command.clone().term_width(80).render_long_help();
            for line in help.to_string().lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
        }
    }
}
