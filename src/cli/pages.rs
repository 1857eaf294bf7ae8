//! `completions` and `man`: what packagers ask for, made from the same definition that reads the command line.

use std::{fmt::Write, io};

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{
    args::{Args, mistake::find},
    console::{Console, Outcome},
    exit::Exit,
};
use crate::engine::Error;

/// A part of the manual: terms and what they mean.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its heading, in capitals.
    pub heading: String,
    /// A term and its meaning each.
    pub entries: Vec<(String, String)>,
}

const EXIT_STATUS: [(&str, &str); 14] = [
    (
        "0",
        "Everything asked for was done; \"nothing known\" is an answer.",
    ),
    (
        "1",
        "Of several inputs some failed, or a guard stopped a batch.",
    ),
    (
        "2",
        "Usage, or a parameter that the contract forbids; nothing was sent.",
    ),
    ("3", "Credentials: none, 401, 403."),
    ("4", "Quota or rate limit (429)."),
    (
        "5",
        "Network: name, connection, TLS, timeout, cut off after retries.",
    ),
    ("6", "The service broke its contract."),
    ("7", "Data is truncated or corrupt."),
    ("8", "This machine: disk full, read-only, permission."),
    ("9", "Another instance holds the lock."),
    ("10", "No such thing: date, tag, feed file."),
    ("129", "Ended by HUP."),
    ("130", "Ended by INT."),
    ("143", "Ended by TERM."),
];

const ENVIRONMENT: [(&str, &str); 9] = [
    (
        "IPSPECT_TOKEN",
        "The token; beats token_command and the token file.",
    ),
    (
        "IPSPECT_BASE_URL",
        "Address of the Context API; beats the profile.",
    ),
    (
        "IPSPECT_FEEDS_URL",
        "Address of the feeds host; beats the profile.",
    ),
    (
        "IPSPECT_EXPORTS_URL",
        "Address of the exports host; beats the profile.",
    ),
    (
        "IPSPECT_CONFIG_DIR",
        "Folder of config.toml and of the token file.",
    ),
    ("IPSPECT_CACHE_DIR", "Folder of downloaded feeds."),
    (
        "IPSPECT_STATE_DIR",
        "Folder of trail, ledger and what the hosts said.",
    ),
    ("NO_COLOR", "No colours, if it is set to anything."),
    ("CLICOLOR_FORCE", "Colours in pipes, too, unless it is 0."),
];

/// Prints the completions for a shell.
///
/// # Errors
/// What went wrong with standard output.
pub(super) fn completions(shell: Shell, console: &Console) -> Outcome {
    let script = match shell {
        Shell::Bash => include_bytes!("../../assets/completions/ipspect.bash").to_vec(),
        Shell::Zsh => include_bytes!("../../assets/completions/ipspect.zsh").to_vec(),
        Shell::Fish => include_bytes!("../../assets/completions/ipspect.fish").to_vec(),
        // These offer commands and options only.
        other => {
            let mut script = Vec::new();
            clap_complete::generate(other, &mut Args::command(), "ipspect", &mut script);
            script
        }
    };
    console.bytes(&script)?;
    Ok(Exit::DONE)
}

/// Prints the long help of the program, or of one command.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) when there is no such command.
pub fn help(path: &[String], console: &Console) -> Outcome {
    let program = Args::definition();
    let help = find(&program, path)?.clone().render_long_help();
    let text = if console.paint().is_on() {
        help.ansi().to_string()
    } else {
        help.to_string()
    };
    console.results(&format!("{}\n", text.trim_end()))?;
    Ok(Exit::DONE)
}

/// Prints the manual page of the program, with sections that this layer does not know of, or that of one command.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) when there is no such command.
pub fn man(path: &[String], more: &[Section], console: &Console) -> Outcome {
    let program = Args::definition();
    let command = find(&program, path)?.clone();
    let words: Vec<&str> = std::iter::once("ipspect")
        .chain(path.iter().map(String::as_str))
        .collect();
    let title = words.join("-");
    let notes = command
        .get_after_long_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut page = Vec::new();
    let version = concat!("ipspect ", env!("CARGO_PKG_VERSION"));
    let manual = Man::new(command)
        .title(title.to_uppercase())
        .source(version)
        .manual("Manual of ipspect");
    let rendered = render(&manual, &mut page);
    rendered.map_err(|error| Error::machine("make the manual page", &error))?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    page.push_str(&verbatim("NOTES", &notes));
    if !path.is_empty() {
        page.push_str(".SH \"SEE ALSO\"\n\\fBipspect\\fR(1)\n");
    }
    if path.is_empty() {
        page.push_str(&listed("EXIT STATUS", &EXIT_STATUS));
        page.push_str(&listed("ENVIRONMENT", &ENVIRONMENT));
        for Section { heading, entries } in more {
            page.push_str(&listed(heading, entries));
        }
    }
    console.results(&page)?;
    Ok(Exit::DONE)
}

/// What clap knows of a command. Its notes come later, with their lines as they are.
fn render(man: &Man, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    man.render_subcommands_section(page)
}

fn verbatim(heading: &str, text: &str) -> String {
    let lines: Vec<String> = text.lines().map(roff).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(".SH {heading}\n.nf\n{}\n.fi\n", lines.join("\n"))
}

fn listed(heading: &str, entries: &[(impl AsRef<str>, impl AsRef<str>)]) -> String {
    let mut section = format!(".SH \"{}\"\n", roff(heading));
    for (term, meaning) in entries {
        let (term, meaning) = (roff(term.as_ref()), roff(meaning.as_ref()));
        let _ = writeln!(section, ".TP\n\\fB{term}\\fR\n{meaning}");
    }
    section
}

/// Text that means nothing but itself in a manual page.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) {
        format!("\\&{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{args::Format, console::tests::console};

    #[test]
    fn a_manual_holds_what_it_is_given() {
        let (console, out, _) = console(Format::Text);
        let keys = Section {
            heading: "KEYS: LOOKUP".to_owned(),
            entries: vec![(".".to_owned(), "back\\forth".to_owned())],
        };
        man(&[], &[keys], &console).unwrap_or_else(|_| unreachable!());
        let page = out.text();
        for part in [
            ".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR",
            "IPSPECT_TOKEN",
            ".SH \"KEYS: LOOKUP\"\n.TP\n\\fB\\&.\\fR\nback\\eforth\n",
            ".nf\n",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
