//! The terminal is left as it was found, whatever ends or interrupts the program.
//!
//! The scene is a program of its own: the test binary starts itself in a pseudo-terminal and plays it there.

use std::{
    env,
    io::{self, Write},
    process, thread,
};

use crossterm::event::{Event, KeyCode};
use ipspect::{
    store::mapping::{Fault, Mapping},
    terminal::{Input, TerminalInput},
    tui::{
        shell::screen::{Mouse, Screen},
        ui::theme::Theme,
    },
};
use ratatui::{
    Frame,
    layout::{Position, Rect},
    text::Line,
};
use tempfile::TempDir;

use crate::pty::Terminal;

const SCENE: &str = "IPSPECT_TEST_SCENE";

/// Plays the scene when this binary was started to do so, and passes otherwise.
#[test]
fn scene() {
    if env::var_os(SCENE).is_some() {
        match Screen::enter(Mouse::Terminal) {
            Ok(screen) => play(screen),
            Err(unfit) => writeln!(io::stderr(), "{unfit}").expect("standard error"),
        }
        process::exit(0);
    }
}

/// Shows the last event, and does what the tests ask for by keys.
fn play(mut screen: Screen) {
    let mut mouse = Mouse::default();
    let mut last = "ready".to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut input = {
        let _runtime = runtime.enter();
        TerminalInput::open().expect("a terminal")
    };
    loop {
        screen.draw(|frame| view(frame, &last)).expect("a frame");
        let Input::Event(event) = runtime.block_on(input.next()).expect("an event") else {
            continue;
        };
        match event {
            Event::Paste(text) => last = format!("pasted {} bytes", text.len()),
            Event::Resize(columns, rows) => last = format!("resized {columns}x{rows}"),
            Event::Key(key) => match key.code {
                KeyCode::Char('q') => return,
                KeyCode::Char('p') => screen
                    .draw(|_| panic!("a \x1b[31mbad\x1b[0m day"))
                    .expect("never"),
                KeyCode::Char('b') => {
                    let ended = thread::spawn(|| panic!("elsewhere")).join();
                    last = format!(
                        "background {}",
                        if ended.is_err() { "fell" } else { "stands" }
                    );
                }
                KeyCode::Char('f') => read_cut_file(),
                KeyCode::Char('z') => {
                    screen.suspend().expect("the terminal back");
                    "continued".clone_into(&mut last);
                }
                KeyCode::Char('e') => {
                    let mut child = process::Command::new("sh");
                    child.args(["-c", "echo from the child; read _"]);
                    let status = screen.lend(|| child.status());
                    let status = status.expect("the terminal back").expect("a child");
                    last = format!("child {}", status.success());
                }
                KeyCode::Char('c') => {
                    let route = screen.copy("198.51.100.77").expect("short enough");
                    last = format!("copied by {route}");
                }
                KeyCode::Char('m') => {
                    mouse = match mouse {
                        Mouse::Terminal => Mouse::Captured,
                        Mouse::Captured => Mouse::Terminal,
                    };
                    screen.set_mouse(mouse).expect("the terminal");
                    last = format!("mouse {mouse:?}");
                }
                other => last = format!("key {other:?}"),
            },
            other => last = format!("{other:?}"),
        }
    }
}

/// Reads a mapped file that was cut off, from several threads at once.
fn read_cut_file() {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&vec![1; 1 << 16]).expect("written");
    let fault = Fault {
        message: "the index was cut off".to_owned(),
        hint: "rebuild it".to_owned(),
    };
    let mapping = Mapping::of(&file, &fault).expect("mapped");
    file.set_len(0).expect("cut off");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| mapping.iter().map(|byte| u64::from(*byte)).sum::<u64>());
        }
    });
}

fn view(frame: &mut Frame<'_>, last: &str) {
    let theme = Theme::named("terminal", None, env::var_os("NO_COLOR").is_some()).expect("a theme");
    let area = frame.area();
    let row = |y| Rect::new(0, y, area.width, 1).intersection(area);
    frame.buffer_mut().set_style(area, theme.base);
    frame.render_widget(Line::styled("> 198.51.100.77", theme.warn), row(0));
    frame.buffer_mut().set_style(row(0), theme.selected);
    frame.render_widget(Line::styled(last.to_owned(), theme.accent), row(1));
    frame.render_widget(Line::from("bidi \u{202e}txt"), row(2));
    frame.set_cursor_position(Position::new(3, 1));
}

/// The scene in a shell with job control, which compares the line discipline before and after.
struct Shell {
    terminal: Terminal,
    /// Removed when the test ends.
    _home: TempDir,
}

fn scene_in_shell(variables: &[(&str, &str)], redirect: &str) -> Shell {
    let home = tempfile::tempdir().expect("a folder");
    let program = env::current_exe().expect("this binary");
    let scene = format!(
        "'{}' --exact screen::scene --nocapture --quiet {redirect}",
        program.display()
    );
    let script = format!(
        "set -m; stty -g >before; {scene}; code=$?; echo stopped or ended, code $code; \
         [ $code -gt 128 ] && {{ read _; fg >fg; }}; stty -g >after; cmp before after && echo as found; read _"
    );
    let variables = [&[(SCENE, "1")], variables].concat();
    let arguments = ["-c", script.as_str()];
    Shell {
        terminal: Terminal::start((60, 30), "bash", &arguments, home.path(), &variables),
        _home: home,
    }
}

/// Every mode of the terminal itself is as it was at the start.
fn assert_as_found(terminal: &Terminal) {
    terminal.wait_for("as found");
    let cells = terminal.cells();
    assert!(!cells.alternate_screen() && !cells.hide_cursor() && !cells.bracketed_paste());
    assert_eq!(cells.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    assert_eq!(cells.fgcolor(), vt100::Color::Default);
    assert!(!cells.inverse());
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    for mode in ["1004", "2004", "1049", "2026"] {
        let last = raw.rfind(&format!("\x1b[?{mode}h"));
        let off = raw.rfind(&format!("\x1b[?{mode}l"));
        assert!(last < off, "mode {mode} is left on");
    }
}

#[test]
fn quitting_gives_the_terminal_back() {
    let Shell {
        mut terminal,
        _home,
    } = scene_in_shell(&[], "");
    terminal.wait_for("ready");
    terminal.wait_for("bidi·txt");
    let cells = terminal.cells();
    assert!(cells.alternate_screen() && cells.bracketed_paste() && !cells.hide_cursor());
    terminal.paste("198.51.100.77\n203.0.113.9");
    terminal.wait_for("pasted 25 bytes");
    terminal.resize(70, 10);
    terminal.wait_for("resized 70x10");
    terminal.press("m");
    terminal.wait_for("mouse Captured");
    terminal.press("q");
    assert_as_found(&terminal);
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_speaks() {
    let Shell {
        mut terminal,
        _home,
    } = scene_in_shell(&[], "");
    terminal.wait_for("ready");
    terminal.press("p");
    assert_as_found(&terminal);
    terminal.wait_for(r"ipspect: internal error: a \x1b[31mbad\x1b[0m day");
    terminal.wait_for("RUST_BACKTRACE=1 shows");
}

#[test]
fn a_panic_in_the_background_waits_until_the_screen_is_free() {
    let Shell {
        mut terminal,
        _home,
    } = scene_in_shell(&[], "");
    terminal.wait_for("ready");
    terminal.press("b");
    terminal.wait_for("background fell");
    assert!(!terminal.screen().contains("internal error"));
    terminal.press("q");
    terminal.wait_for("internal error: elsewhere");
    assert_as_found(&terminal);
}

#[test]
fn a_mapped_file_that_is_cut_off_ends_the_program_after_the_terminal_is_given_back() {
    let Shell {
        mut terminal,
        _home,
    } = scene_in_shell(&[], "");
    terminal.wait_for("ready");
    terminal.press("m");
    terminal.wait_for("mouse Captured");
    terminal.press("f");
    assert_as_found(&terminal);
    terminal.wait_for("error: the index was cut off");
    terminal.wait_for("code 7");
}

#[test]
fn suspending_gives_the_terminal_to_the_shell_and_takes_it_back() {
    let Shell {
        mut terminal,
        _home,
    } = scene_in_shell(&[], "");
    terminal.wait_for("ready");
    terminal.press("z");
    terminal.wait_for("stopped or ended");
    assert!(!terminal.screen().contains("ready"));
    terminal.press("enter");
    terminal.wait_for("continued");
    terminal.wait_for("> 198.51.100.77");
    terminal.press("q");
    assert_as_found(&terminal);
}

#[test]
fn a_child_has_the_terminal_to_itself() {
    let Shell {
        mut terminal,
        _home,
    } = scene_in_shell(&[], "");
    terminal.wait_for("ready");
    terminal.press("e");
    terminal.wait_for("from the child");
    assert!(!terminal.screen().contains("ready"));
    terminal.press("enter");
    terminal.wait_for("child true");
    terminal.wait_for("> 198.51.100.77");
    terminal.press("q");
    assert_as_found(&terminal);
}

#[test]
fn copying_goes_through_tmux_too() {
    let Shell {
        mut terminal,
        _home,
    } = scene_in_shell(&[("TMUX", "/tmp/tmux-0/default,1,0")], "");
    terminal.wait_for("ready");
    terminal.press("c");
    terminal.wait_for("copied by OSC 52 through tmux");
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(raw.contains("\x1bPtmux;\x1b\x1b]52;c;MTk4LjUxLjEwMC43Nw==\x1b\x1b\\\x1b\\"));
}

#[test]
fn without_colour_the_selection_is_still_reversed() {
    let Shell { terminal, _home } = scene_in_shell(&[("NO_COLOR", "1")], "");
    terminal.wait_for("ready");
    let cells = terminal.cells();
    let reversed = |column| cells.cell(0, column).is_some_and(vt100::Cell::inverse);
    assert!((0..60).all(reversed), "the selected row is reversed");
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let frames = &raw[raw.find("\x1b[?1049h").expect("a frame")..];
    assert!(
        !frames.contains("\x1b[;m"),
        "a change of colour that resets everything"
    );
    assert!(!frames.contains("38;5"), "a colour");
}

#[test]
fn a_frame_is_one_synchronized_update() {
    let Shell { terminal, _home } = scene_in_shell(&[], "");
    terminal.wait_for("ready");
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let frame = &raw[raw.find("\x1b[?2026h").expect("a beginning")..];
    assert!(frame.contains("ready") && frame.contains("\x1b[?2026l"));
}

#[test]
fn a_dumb_terminal_is_refused_with_a_reason_and_a_pipe_is_drawn_beside() {
    let dumb = scene_in_shell(&[("TERM", "dumb")], "");
    dumb.terminal.wait_for("TERM=dumb: ");
    // A pipe takes what is picked: the screen is on the terminal beside it.
    let piped = scene_in_shell(&[], "| cat");
    piped.terminal.wait_for("ready");
    assert!(String::from_utf8_lossy(&piped.terminal.raw()).contains("1049"));
}
