//! `completions` and `man`: what packagers ask for, made from the same definition that reads the command line.

use std::{fmt::Write, io};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::{
    args::{Args, help::is_everywhere, mistake::find},
    console::{CommandResult, Console},
    exit::Exit,
};
use crate::engine::Error;

/// A part of the manual: terms and what they mean.
#[derive(Clone, Debug)]
pub struct ManSection {
    /// Its heading, in capitals.
    pub heading: String,
    /// A term and its meaning each.
    pub entries: Vec<(String, String)>,
}

/// A term and its meaning a line.
const EXIT_STATUS: &str = "\
0 Everything asked for was done; \"no record\" is an answer.
1 Some of several inputs failed, or a guard stopped a batch.
2 Usage, or a parameter that the contract forbids; nothing was sent.
3 Credentials: none, 401, 403.
4 Quota or rate limit (429).
5 Network: name, connection, TLS, timeout, cut off after retries.
6 The service broke its contract.
7 Data is truncated or corrupt.
8 This machine: disk full, read-only, permission.
9 Another instance holds the lock.
10 No such thing: date, tag, feed file.
11 Something changed, where that was asked (`diff` and `compare --exit-code`).
129 Ended by HUP.
130 Ended by INT.
143 Ended by TERM.";

/// The same of variables.
const ENVIRONMENT: &str = "\
IPSPECT_TOKEN The token; beats token_command and the token file.
IPSPECT_BASE_URL Address of the Context API; beats the profile.
IPSPECT_FEEDS_URL Address of the feeds host; beats the profile.
IPSPECT_EXPORTS_URL Address of the exports host; beats the profile.
IPSPECT_WAREHOUSE_PASSWORD Password of the user of the warehouse; beats password_command.
IPSPECT_CONFIG_DIR Folder of config.toml and of the token file.
IPSPECT_CACHE_DIR Folder of downloaded feeds.
IPSPECT_STATE_DIR Folder of the trail, the ledger and the hosts' answers.
CONFIGURATION_DIRECTORY Of systemd: in place of IPSPECT_CONFIG_DIR where HOME is not set; likewise CACHE_DIRECTORY and STATE_DIRECTORY.
SSL_CERT_FILE Certificates of issuers to trust; likewise SSL_CERT_DIR, and ca_file in the configuration.
HTTPS_PROXY The proxy before the hosts; NO_PROXY names hosts that need none.
NO_COLOR No colours, if it is set to anything.
CLICOLOR_FORCE Colours in pipes, too, unless it is 0.";

/// Prints the completions for a shell.
///
/// # Errors
/// What went wrong with standard output.
pub(super) fn completions(shell: Shell, console: &Console) -> CommandResult {
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
pub fn help(path: &[String], console: &Console) -> CommandResult {
    let program = Args::definition();
    let help = find(&program, path)?.clone().render_long_help();
    let text = if console.style().is_on() {
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
pub fn man(path: &[String], more: &[ManSection], console: &Console) -> CommandResult {
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
    let rendered = render(command, &title.to_uppercase(), &mut page);
    rendered.map_err(|error| Error::machine("make the manual page", &error))?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    page.push_str(&notes_of(&notes));
    if !path.is_empty() {
        page.push_str(".SH \"SEE ALSO\"\n\\fBipspect\\fR(1)\n");
    }
    if path.is_empty() {
        page.push_str(&listed("EXIT STATUS", table(EXIT_STATUS)));
        page.push_str(&listed("ENVIRONMENT", table(ENVIRONMENT)));
        for ManSection { heading, entries } in more {
            let entries = entries.iter();
            let entries = entries.map(|(term, meaning)| (term.as_str(), meaning.as_str()));
            page.push_str(&listed(heading, entries));
        }
    }
    console.results(&page)?;
    Ok(Exit::DONE)
}

/// What clap knows of a command. Its notes come later. The options of every command are described, and left out of the synopsis.
fn render(command: Command, title: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let has_commands = command.has_subcommands();
    let described = command.clone().mut_args(|arg| {
        if is_everywhere(&arg) {
            arg.hide(false).hide_short_help(false)
        } else {
            arg
        }
    });
    let man = Man::new(command)
        .title(title)
        .source(concat!("ipspect ", env!("CARGO_PKG_VERSION")))
        .manual("Manual of ipspect");
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    Man::new(described).render_options_section(page)?;
    if has_commands {
        man.render_subcommands_section(page)?;
    }
    Ok(())
}

/// The notes of a command: paragraphs are filled, lists below a paragraph are indented, tables and examples keep their lines.
fn notes_of(notes: &str) -> String {
    let mut text = String::new();
    let mut before = "";
    for part in notes.split("\n\n").filter(|part| !part.is_empty()) {
        let first = part.lines().next().unwrap_or_default();
        let heading = match first.split(':').next() {
            Some("Examples") => "EXAMPLES",
            // They have sections of their own.
            Some("Everywhere" | "Exit codes") => continue,
            _ => "NOTES",
        };
        if heading != before {
            let _ = writeln!(text, ".SH \"{heading}\"");
            before = heading;
        }
        let body = part.strip_prefix("Examples:\n").unwrap_or(part);
        text.push_str(&paragraphs(body, heading == "EXAMPLES"));
    }
    text
}

fn paragraphs(part: &str, keep_lines: bool) -> String {
    let mut text = String::new();
    let mut lines = part.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(line) = line.strip_prefix("  ") else {
            let _ = writeln!(text, ".PP\n{}", roff(line));
            continue;
        };
        let mut block = vec![roff(line)];
        while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
            block.push(roff(&line[2..]));
        }
        let (fills, block) = (block.len() == 1 && !keep_lines, block.join("\n"));
        text += &if fills {
            format!(".RS 4\n{block}\n.RE\n")
        } else {
            format!(".RS 4\n.nf\n{block}\n.fi\n.RE\n")
        };
    }
    text
}

fn table(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.lines().filter_map(|line| line.split_once(' '))
}

fn listed<'a>(heading: &str, entries: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut section = format!(".SH \"{}\"\n", roff(heading));
    for (term, meaning) in entries {
        let (term, meaning) = (roff(term), roff(meaning));
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
    use clap::Arg;

    use super::*;
    use crate::cli::{args::ResultFormat, console::tests::console};

    #[test]
    fn a_manual_holds_what_it_is_given() {
        let (console, out, _) = console(ResultFormat::Text);
        let keys = ManSection {
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
        assert_eq!(page.matches("Exit codes").count(), 0, "{page}");
    }

    #[test]
    fn each_page_describes_each_option_and_has_no_empty_section() {
        fn check(command: &Command, path: &[String]) {
            let (console, out, _) = console(ResultFormat::Text);
            man(path, &[], &console).unwrap_or_else(|_| unreachable!());
            let page = out.text();
            let lines: Vec<&str> = page
                .lines()
                .filter(|line| !line.starts_with(".ie") && !line.starts_with(".el"))
                .collect();
            for (at, line) in lines.iter().enumerate() {
                let below = |far: usize| lines.get(at + far).copied().unwrap_or_default();
                let is_text = |line: &str| !line.is_empty() && !line.starts_with('.');
                match *line {
                    ".TP" => assert!(is_text(below(2)), "{path:?}: {}", below(1)),
                    head if head.starts_with(".SH") => {
                        let next = below(1);
                        assert!(
                            !next.is_empty() && !next.starts_with(".SH"),
                            "{path:?}: {head}"
                        );
                    }
                    _ => {}
                }
            }
            let is_shown = |arg: &&Arg| !arg.is_hide_set() || is_everywhere(arg);
            for arg in command.get_arguments().filter(is_shown) {
                let name = arg.get_long().map(|long| roff(&format!("--{long}")));
                let name = name.unwrap_or_else(|| {
                    let names = arg.get_value_names().unwrap_or_default();
                    names.first().map(ToString::to_string).unwrap_or_default()
                });
                assert!(page.contains(&name), "{path:?}: {name}: {page}");
            }
            for inner in command
                .get_subcommands()
                .filter(|command| !command.is_hide_set())
            {
                let name = inner.get_name().to_owned();
                check(inner, &[path, &[name]].concat());
            }
        }
        check(&Args::definition(), &[]);
    }

    #[test]
    fn notes_are_filled_and_examples_keep_their_lines() {
        let notes = "A paragraph.\nJSON:\n  {\"a\", \"b\"}\n\nExamples:\n  ipspect a\n  ipspect b";
        assert_eq!(
            notes_of(notes),
            ".SH \"NOTES\"\n.PP\nA paragraph.\n.PP\nJSON:\n.RS 4\n{\"a\", \"b\"}\n.RE\n\
            .SH \"EXAMPLES\"\n.RS 4\n.nf\nipspect a\nipspect b\n.fi\n.RE\n"
        );
    }
}
