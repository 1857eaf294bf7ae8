//! Completions: what the program offers for the end of a line, and what the scripts of the shells make of it.

use std::{env, path::Path, process::Command};

use ipspect::demo::DemoRole;

use crate::{
    pty::Terminal,
    service::{Home, Service},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");

/// A home with two local feeds.
fn home(service: &Service) -> Home {
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    home.run("feeds pull service-metrics").ends(0);
    home
}

/// What is offered for the last of these words.
fn offered(home: &Home, words: &[&str]) -> Vec<String> {
    let line = [&["__complete", "--"], words].concat();
    // Not by `run`: values and their words are separated by tabs.
    let output = home.command_of(&line).output().expect("run");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let out = String::from_utf8(output.stdout).expect("text");
    let value = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    out.lines().map(value).collect()
}

#[test]
fn feeds_days_fields_and_tags_are_offered() {
    let service = Service::start();
    let home = home(&service);
    for (words, some, none) in [
        (&["lo"][..], "lookup", "status"),
        (&["feeds", "p"], "pull", "runs"),
        (&["help", "feeds", "p"], "pull", "rm"),
        (&["feeds", "pull", "an"], "anonymous", "dch"),
        (&["lookup", "--source", "lo"], "local", "live"),
        (
            &["lookup", "--source=lo"],
            "--source=local",
            "--source=live",
        ),
        (&["lookup", "--mm"], "--mmgeo", "--date"),
        (&["--prof"], "--profile", "--config"),
        (&["search", "dch", "--facet", "as"], "asn", "org"),
        (&["search", "dch", "--day", "l"], "latest", "yesterday"),
        (&["search", "dch", "--day", ""], "latest", "today"),
        (
            &["feeds", "pull", "dch", "--date", "t"],
            "today",
            "yesterday",
        ),
        (&["tag", "acme"], "ACME_VPN", "BRAVO_PROXY"),
        (
            &["export", "anonymous", "--tags", "X,ACME_V"],
            "X,ACME_VPN",
            "ACME_VPN",
        ),
        (
            &["export", "anonymous", "--fields", "ip,loc"],
            "ip,locationCity",
            "ip,tag",
        ),
        (&["search", "anonymous", "t"], "tag:", "cc:"),
        (&["search", "anonymous", "-inf"], "-infra:", "-org:"),
        (
            &["search", "anonymous", "tag:ACME_V"],
            "tag:ACME_VPN",
            "tag:BRAVO_PROXY",
        ),
        (
            &["search", "anonymous", "--", "tag:A,ACME_V"],
            "tag:A,ACME_VPN",
            "tag:BRAVO_PROXY",
        ),
        (&["feeds", "readme", "dch", "-o", ""], ":files", "dch"),
        (&["status", "--cache-dir", ""], ":folders", ":files"),
        (&["completions", "b"], "bash", "zsh"),
    ] {
        let offered = offered(&home, words);
        let has = |wanted: &str| offered.iter().any(|text| text == wanted);
        assert!(has(some) && !has(none), "{words:?}: {offered:?}");
    }
    let days = offered(&home, &["search", "dch", "--day", "2"]);
    assert_eq!(days.len(), 1, "{days:?}");
    assert!(offered(&Home::empty(), &["tag", ""]).is_empty());
}

/// What a script prints in a shell in which the program is found; nothing where there is no such shell.
fn said(home: &Home, shell: &str, arguments: &[&str]) -> Option<String> {
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let path = env::var("PATH").unwrap_or_default();
    let mut command = Command::new(shell);
    command.args(arguments).current_dir(home.root.path());
    for (name, value) in home.command("").get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.env("PATH", format!("{}:{path}", folder.display()));
    let output = match command.output() {
        // A machine without this shell has no users of it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        output => output.expect("a shell"),
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.is_empty(), "{shell}: {error}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Lines that are completed, and what a shell puts in place of its last word.
const LINES: [(&str, &str); 4] = [
    ("ipspect feeds pull anonymous-r", "anonymous-residential"),
    ("ipspect search dch --facet as", "asn"),
    ("ipspect tag ACME_V", "ACME_VPN"),
    ("ipspect stat", "status"),
];

#[test]
fn bash_completes() {
    let service = Service::start();
    let home = home(&service);
    let script = "source <(ipspect completions bash); COMP_LINE=$1; COMP_POINT=${#1}; \
        COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ipspect; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let complete = |line: &str| said(&home, "bash", &["--norc", "-c", script, "bash", line]);
    for (line, wanted) in LINES {
        let Some(found) = complete(line) else { return };
        assert!(found.lines().any(|text| text == wanted), "{line}: {found}");
    }
    // Bash has cut the word at the colon, and puts back only what follows it.
    let found = complete("ipspect search anonymous tag:ACME_V").unwrap_or_default();
    assert!(found.lines().any(|text| text == "ACME_VPN"), "{found}");
}

#[test]
fn zsh_completes() {
    let service = Service::start();
    let home = home(&service);
    let script = "compdef() { }; compadd() { while (( $# )); do \
        [[ $1 == -a ]] && print -l -- \"${(@P)2}\"; shift; done }; \
        source <(ipspect completions zsh); words=(${(z)1}); CURRENT=${#words}; PREFIX=$words[-1]; _ipspect";
    let complete = |line: &str| said(&home, "zsh", &["-f", "-c", script, "zsh", line]);
    for (line, wanted) in LINES {
        let Some(found) = complete(line) else { return };
        assert!(found.lines().any(|text| text == wanted), "{line}: {found}");
    }
    let found = complete("ipspect search anonymous tag:ACME_V").unwrap_or_default();
    assert!(found.lines().any(|text| text == "tag:ACME_VPN"), "{found}");
}

#[test]
fn fish_completes() {
    let service = Service::start();
    let home = home(&service);
    let script = "ipspect completions fish | source; complete -C $argv[1]";
    let complete = |line: &str| said(&home, "fish", &["--no-config", "-c", script, line]);
    for (line, wanted) in LINES {
        let Some(found) = complete(line) else { return };
        let mut values = found
            .lines()
            .map(|line| line.split('\t').next().unwrap_or_default());
        assert!(values.any(|text| text == wanted), "{line}: {found}");
    }
}

/// Lines that are typed, and what a press of Tab makes of them.
const TABS: [(&str, &str); 6] = [
    ("ipspect stat", "ipspect status"),
    (
        "ipspect feeds pull anonymous-residential-i",
        "ipspect feeds pull anonymous-residential-ipv6",
    ),
    (
        "ipspect search dch --facet as",
        "ipspect search dch --facet asn",
    ),
    ("ipspect tag ACME_V", "ipspect tag ACME_VPN"),
    (
        "ipspect search anonymous tag:ACME_V",
        "ipspect search anonymous tag:ACME_VPN",
    ),
    ("ipspect status --cache-d", "ipspect status --cache-dir"),
];

/// Presses Tab behind each of the lines in a shell that has read its script; where there is no such shell, nothing is tried.
fn tab_completes(shell: &str, arguments: &[&str], setup: &[&str]) {
    let missing = Command::new(shell).arg("--version").output();
    if missing.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return;
    }
    let service = Service::start();
    let home = home(&service);
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let path = env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.display());
    let variables = [("PATH", path.as_str()), ("LANG", "C.UTF-8")];
    let size = (100, 30);
    let mut terminal = Terminal::start(size, shell, arguments, home.root.path(), &variables);
    for line in setup {
        terminal.type_text(line);
        terminal.press("enter");
    }
    // What is typed shows as well: only what is printed has both parts.
    terminal.type_text("clear; printf 'rea%s\\n' dy");
    terminal.press("enter");
    terminal.wait_until("the prompt", |screen| {
        screen.lines().any(|line| line == "ready") && screen.trim_end().ends_with("go>")
    });
    for (typed, wanted) in TABS {
        terminal.type_text(typed);
        terminal.wait_for(&format!("go> {typed}"));
        terminal.press("tab");
        terminal.wait_for(&format!("go> {wanted}"));
        terminal.press("ctrl-u");
        terminal.gone(wanted);
    }
}

#[test]
fn tab_completes_in_bash() {
    let script = "eval \"$(ipspect completions bash)\"";
    tab_completes(
        "bash",
        &["--norc", "--noprofile", "-i"],
        &["PS1='go> '", script],
    );
}

#[test]
fn tab_completes_in_zsh() {
    let setup = "autoload -Uz compinit; compinit -u -D; unsetopt prompt_sp";
    let script = "eval \"$(ipspect completions zsh)\"";
    tab_completes("zsh", &["-f", "-i"], &["PROMPT='go> '", setup, script]);
}

#[test]
fn tab_completes_in_fish() {
    let setup = "set -g fish_autosuggestion_enabled 0; function fish_prompt; printf 'go> '; end";
    let script = "ipspect completions fish | source";
    tab_completes("fish", &["--no-config", "-i"], &[setup, script]);
}
