//! How the explorer looks on a terminal: what the terminal answers about its ground, without Unicode, read aloud, and back from the shell.

use std::{fs, process::Command};

use tempfile::TempDir;

use crate::pty::Terminal;

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");
const QUESTION: &[u8] = b"\x1b]11;?\x07";
const LIGHT: &str = "\x1b]11;rgb:fafa/fafa/f7f7\x1b\\";
const READY: &str = "all data is invented";

/// A home with this in the configuration.
fn home_with(ui: &str) -> TempDir {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir(home.path().join("config")).expect("a folder");
    let text = format!("[ui]\n{ui}\n");
    fs::write(home.path().join("config/config.toml"), text).expect("a file");
    home
}

fn demo(home: &TempDir, variables: &[(&str, &str)]) -> Terminal {
    let terminal = Terminal::start((120, 36), PROGRAM, &["demo"], home.path(), variables);
    terminal.wait_for(READY);
    terminal
}

fn place_of(raw: &[u8], part: &[u8]) -> Option<usize> {
    raw.windows(part.len()).position(|window| window == part)
}

fn is_light(terminal: &Terminal) -> bool {
    let cells = terminal.cells();
    let ground = cells.cell(20, 0).map(vt100::Cell::bgcolor);
    ground == Some(vt100::Color::Rgb(0xfa, 0xfa, 0xf7))
}

#[test]
fn a_terminal_that_answers_decides_between_light_and_dark() {
    let home = home_with("theme = \"auto\"");
    let mut terminal = demo(&home, &[]);
    assert!(!is_light(&terminal));
    terminal.type_text(LIGHT);
    terminal.press("4");
    terminal.wait_for("service-metrics");
    terminal.settle();
    assert!(is_light(&terminal), "{:?}", terminal.screen());
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
    let raw = terminal.raw();
    let [frame, asked] = [b"\x1b[?2026l", QUESTION].map(|part| place_of(&raw, part));
    assert!(
        frame.is_some() && frame < asked,
        "the first frame does not wait"
    );
}

#[test]
fn a_late_answer_is_not_typed() {
    let home = home_with("theme = \"auto\"");
    let mut terminal = demo(&home, &[]);
    terminal.press("i");
    terminal.type_text("198.51");
    terminal.wait_for("198.51");
    let (first, second) = LIGHT.split_at(9);
    terminal.type_text(first);
    terminal.settle();
    terminal.type_text(second);
    terminal.type_text(".100.77");
    terminal.wait_for("198.51.100.77");
    terminal.settle();
    assert!(!terminal.screen().contains("rgb"), "{}", terminal.screen());
    assert!(is_light(&terminal), "{}", terminal.screen());
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn an_answer_that_comes_after_leaving_does_not_reach_the_shell() {
    let home = home_with("theme = \"auto\"");
    let line = format!("'{PROGRAM}' demo; read -r line; printf 'read <%s>\\n' \"$line\"");
    let mut terminal = Terminal::start((120, 36), "sh", &["-c", &line], home.path(), &[]);
    terminal.wait_for(READY);
    terminal.type_text(&format!("q{LIGHT}"));
    terminal.gone(READY);
    terminal.type_text("x\n");
    terminal.wait_for("read <x>");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_terminal_that_never_answers_is_not_waited_for() {
    let home = home_with("theme = \"high-contrast\"");
    let mut terminal = demo(&home, &[]);
    terminal.press("4");
    terminal.wait_for("service-metrics");
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
    // Where there is nothing to decide, nothing is asked.
    for (ui, variables) in [
        ("theme = \"terminal\"", &[][..]),
        ("theme = \"auto\"", &[("NO_COLOR", "1")][..]),
    ] {
        let home = home_with(ui);
        let mut terminal = demo(&home, variables);
        terminal.press("q");
        assert_eq!(terminal.exit_code(), 0);
        assert_eq!(place_of(&terminal.raw(), QUESTION), None, "{ui}");
    }
}

#[test]
fn a_terminal_that_reads_no_utf_8_is_sent_ascii() {
    let home = home_with("");
    let mut terminal = demo(&home, &[("LC_ALL", "POSIX")]);
    terminal.press("enter");
    terminal.wait_for("Pivot (enter)");
    terminal.press("4 5 ?");
    terminal.wait_for("type to search");
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
    let raw = terminal.raw();
    let odd = raw.iter().position(|byte| !byte.is_ascii());
    let around = odd.map(|at| String::from_utf8_lossy(&raw[at.saturating_sub(40)..at + 8]));
    assert_eq!(around, None);
}

#[test]
fn a_screen_that_is_read_aloud_has_the_cursor_on_the_row_that_it_names() {
    let home = home_with("screen_reader = true");
    let mut terminal = demo(&home, &[]);
    terminal.press("4");
    terminal.wait_for("selected: anonymous, ");
    terminal.press("down");
    terminal.wait_for("selected: anonymous-residential, ");
    terminal.settle();
    let cells = terminal.cells();
    assert!(!cells.hide_cursor());
    let (row, _) = cells.cursor_position();
    let screen = terminal.screen();
    let line = screen.lines().nth(row.into()).unwrap_or_default();
    assert!(line.contains("anonymous-residential"), "{screen}");
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_stop_leads_to_the_shell_and_fg_back_to_the_same_screen() {
    for way in ["ctrl-z", "TSTP", "STOP"] {
        let home = home_with("mouse = true");
        let script = format!(
            "set -m; sh -c 'echo $$ >pid; exec \"$0\" demo' '{PROGRAM}'; echo stopped; read _; fg >fg; echo \"ended $?\"; read _"
        );
        let arguments = ["-c", script.as_str()];
        let mut terminal = Terminal::start((120, 36), "bash", &arguments, home.path(), &[]);
        terminal.wait_for(READY);
        terminal.press("4");
        terminal.wait_for("service-metrics");
        if way == "ctrl-z" {
            terminal.press(way);
        } else {
            let process = fs::read_to_string(home.path().join("pid")).expect("a number");
            let sent = Command::new("kill")
                .args(["-s", way, process.trim()])
                .status();
            assert!(sent.expect("kill").success());
        }
        terminal.wait_for("stopped");
        // Nobody sees coming what cannot be caught.
        assert_eq!(terminal.cells().alternate_screen(), way == "STOP", "{way}");
        // The terminal may have another size when the program is back.
        terminal.resize(100, 30);
        terminal.type_text("\n");
        terminal.gone("stopped");
        terminal.wait_for("[4 Feeds]");
        terminal.wait_for("service-metrics");
        terminal.settle();
        let cells = terminal.cells();
        assert!(cells.alternate_screen() && cells.bracketed_paste(), "{way}");
        assert_ne!(
            cells.mouse_protocol_mode(),
            vt100::MouseProtocolMode::None,
            "{way}"
        );
        terminal.press("3");
        terminal.wait_for("queries remaining");
        terminal.press("q");
        terminal.wait_for("ended 0");
    }
}
