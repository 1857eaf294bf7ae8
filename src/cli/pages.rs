//! `completions` and `man`: what packagers ask for, made from the same definition that reads the command line.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{
    args::Args,
    console::{Console, Outcome},
    exit::Exit,
};
use crate::engine::{Error, Kind};

/// Prints the completions for a shell.
///
/// # Errors
/// What went wrong with standard output.
pub(super) fn completions(shell: Shell, console: &Console) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "ipspect", &mut script);
    console.bytes(&script)?;
    Ok(Exit::DONE)
}

/// Prints the manual page of the program, or of one of its commands.
///
/// # Errors
/// [`Kind::Usage`] when there is no such command.
pub(super) fn man(path: &[String], console: &Console) -> Outcome {
    let mut command = Args::command();
    command.build();
    for name in path {
        let inner = command.find_subcommand(name).cloned();
        command = inner.ok_or_else(|| {
            Error::new(
                Kind::Usage,
                format!("there is no command {:?}", path.join(" ")),
            )
        })?;
    }
    let title = std::iter::once("ipspect")
        .chain(path.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join("-");
    let mut page = Vec::new();
    let rendered = Man::new(command).title(title).render(&mut page);
    rendered.map_err(|error| Error::machine("make the manual page", &error))?;
    console.bytes(&page)?;
    Ok(Exit::DONE)
}
