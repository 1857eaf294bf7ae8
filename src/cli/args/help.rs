//! The help of each command, short and long, from the one text that stands with its arguments: `-h` ends with the examples, `--help`
//! with all of it. What every command understands is explained once, by `ipspect help`, and named elsewhere.

use clap::{Arg, Command};

/// The heading of what every command understands.
const EVERYWHERE: &str = "Everywhere";

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

fn is_everywhere(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(EVERYWHERE)
}

fn notes(command: &Command) -> String {
    let notes = command.get_after_long_help();
    let notes = notes.or(command.get_after_help());
    notes.map(ToString::to_string).unwrap_or_default()
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
