//! The real program in a real pseudo-terminal: press keys, wait for what the screen shows.
#![allow(dead_code, reason = "the tests and the pictures each use a part of it")]

use std::{
    io::{Read, Write},
    num::NonZeroU16,
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The longest that anything is waited for; on a busy machine a debug build takes its time.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the program wrote so far, and the screen that came of it.
struct Seen {
    screen: vt100::Parser,
    raw: Vec<u8>,
    /// When the last of it came.
    at: Instant,
    ended: bool,
}

/// A program in a pseudo-terminal.
pub(crate) struct Terminal {
    seen: Arc<(Mutex<Seen>, Condvar)>,
    keys: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
}

/// The bytes that a terminal sends for a key.
fn bytes_of(key: &str) -> Vec<u8> {
    let text = match key {
        "enter" => "\r",
        "esc" => "\x1b",
        "tab" => "\t",
        "s-tab" => "\x1b[Z",
        "space" => " ",
        "bksp" => "\x7f",
        "up" => "\x1b[A",
        "down" => "\x1b[B",
        "right" => "\x1b[C",
        "left" => "\x1b[D",
        "pgup" => "\x1b[5~",
        "pgdn" => "\x1b[6~",
        _ => match key
            .strip_prefix("ctrl-")
            .and_then(|letter| letter.bytes().next())
        {
            Some(letter) => return vec![letter & 0x1f],
            None => key,
        },
    };
    text.as_bytes().to_vec()
}

/// How many of these bytes a terminal shows: a frame that is still being drawn (between `CSI ? 2026 h` and `l`) is shown when it ends.
fn whole_frames(bytes: &[u8]) -> usize {
    const BEGINS: &[u8] = b"\x1b[?2026h";
    const ENDS: &[u8] = b"\x1b[?2026l";
    let last = |mark: &[u8]| bytes.windows(mark.len()).rposition(|bytes| bytes == mark);
    match (last(BEGINS), last(ENDS)) {
        (Some(begin), end) if end.is_none_or(|end| end < begin) => begin,
        // The end of what was read may be the beginning of a mark.
        _ => {
            let halves = (1..BEGINS.len()).rev();
            let half = halves
                .into_iter()
                .find(|len| bytes.ends_with(&BEGINS[..*len]));
            bytes.len() - half.unwrap_or(0)
        }
    }
}

#[test]
fn a_frame_is_seen_when_it_is_whole() {
    for (bytes, shown) in [
        (&b"abc"[..], 3),
        (b"a\x1b[?2026hbc", 1),
        (b"a\x1b[?2026hbc\x1b[?2026l", 19),
        (b"a\x1b[?2026hbc\x1b[?2026ld\x1b[?2026he", 20),
        (b"abc\x1b[?20", 3),
        (b"abc\x1b[?25", 8),
    ] {
        assert_eq!(whole_frames(bytes), shown, "{}", bytes.escape_ascii());
    }
}

fn at_least_one(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap_or(NonZeroU16::MIN)
}

/// The clock of this process, where it is that of another day (`.ci/days`): a program under test has the same one.
pub(crate) fn clock() -> impl Iterator<Item = (&'static str, std::ffi::OsString)> {
    let names = [
        "LD_PRELOAD",
        "FAKETIME",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "NO_FAKE_STAT",
    ];
    let is_other = std::env::var_os("FAKETIME").is_some();
    let names = names.into_iter().filter(move |_| is_other);
    names.filter_map(|name| Some((name, std::env::var_os(name)?)))
}

impl Terminal {
    /// Starts a program with its files in `home`; nothing of this environment reaches it but what it needs.
    pub(crate) fn start(
        (columns, rows): (u16, u16),
        program: &str,
        arguments: &[&str],
        home: &Path,
        variables: &[(&str, &str)],
    ) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system()
            .openpty(size)
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        command.cwd(home);
        command.env("TERM", "xterm-256color");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", home);
        for (name, value) in clock() {
            command.env(name, value);
        }
        for (name, folder) in [
            ("IPSPECT_CONFIG_DIR", "config"),
            ("IPSPECT_CACHE_DIR", "cache"),
            ("IPSPECT_STATE_DIR", "state"),
        ] {
            command.env(name, home.join(folder));
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program");
        drop(pair.slave);
        let seen = Seen {
            screen: vt100::Parser::new(at_least_one(rows), at_least_one(columns), 0),
            raw: Vec::new(),
            at: Instant::now(),
            ended: false,
        };
        let seen = Arc::new((Mutex::new(seen), Condvar::new()));
        let mut output = pair.master.try_clone_reader().expect("its output");
        let shared = Arc::clone(&seen);
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            let mut drawing = Vec::new();
            loop {
                let count = output.read(&mut buffer).unwrap_or(0);
                let at = Instant::now();
                let (seen, changed) = &*shared;
                let mut seen = seen.lock().expect("what was seen");
                seen.raw.extend_from_slice(&buffer[..count]);
                drawing.extend_from_slice(&buffer[..count]);
                let shown = if count == 0 {
                    drawing.len()
                } else {
                    whole_frames(&drawing)
                };
                seen.screen.process(&drawing[..shown]);
                drawing.drain(..shown);
                seen.at = at;
                seen.ended = count == 0;
                changed.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().expect("its input");
        Self {
            seen,
            keys,
            master: pair.master,
            child,
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.0.lock().expect("what was seen")
    }

    /// What the screen shows.
    pub(crate) fn screen(&self) -> String {
        self.seen().screen.screen().contents()
    }

    /// The screen itself, colours and all.
    pub(crate) fn cells(&self) -> vt100::Screen {
        self.seen().screen.screen().clone()
    }

    /// Every byte that the program wrote.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.seen().raw.clone()
    }

    /// Waits until the screen is as it should be.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        let (seen, changed) = &*self.seen;
        let mut seen = seen.lock().expect("what was seen");
        while !holds(&seen.screen.screen().contents()) {
            let left = deadline.saturating_duration_since(Instant::now());
            let screen = seen.screen.screen().contents();
            assert!(
                !left.is_zero() && !seen.ended,
                "waited for {what}; ended: {}\n{screen}",
                seen.ended
            );
            seen = changed.wait_timeout(seen, left).expect("what was seen").0;
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Waits until a text is off the screen.
    #[track_caller]
    pub(crate) fn gone(&self, text: &str) {
        self.wait_until(&format!("no {text}"), |screen| !screen.contains(text));
    }

    /// Waits until the screen has not changed for a moment.
    pub(crate) fn settle(&self) {
        const MOMENT: Duration = Duration::from_millis(400);
        let (seen, changed) = &*self.seen;
        let mut seen = seen.lock().expect("what was seen");
        loop {
            let (next, wait) = changed.wait_timeout(seen, MOMENT).expect("what was seen");
            if wait.timed_out() {
                return;
            }
            seen = next;
        }
    }

    /// Presses keys, one after the other.
    pub(crate) fn press(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.send(&bytes_of(key));
        }
    }

    /// Types a text.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.send(text.as_bytes());
    }

    /// Pastes a text, as a terminal with bracketed paste does.
    pub(crate) fn paste(&mut self, text: &str) {
        self.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    }

    /// Presses a key; returns the time until the program has drawn a screen that is as it should be, `None` where that takes longer than
    /// `patience`.
    pub(crate) fn time_until(
        &mut self,
        key: &str,
        patience: Duration,
        holds: impl Fn(&str) -> bool,
    ) -> Option<Duration> {
        let before = self.seen().raw.len();
        let began = Instant::now();
        self.send(&bytes_of(key));
        let (seen, changed) = &*self.seen;
        let seen = seen.lock().expect("what was seen");
        let is_waiting = |seen: &mut Seen| {
            let is_drawn = seen.raw.len() > before && holds(&seen.screen.screen().contents());
            !is_drawn && !seen.ended
        };
        let (seen, wait) = changed
            .wait_timeout_while(seen, patience, is_waiting)
            .expect("what was seen");
        (!wait.timed_out()).then(|| seen.at.saturating_duration_since(began))
    }

    /// Clicks the first place that has this text, as a terminal that reports the mouse does (SGR).
    #[track_caller]
    pub(crate) fn click(&mut self, text: &str) {
        let (column, row) = self.place_of(text);
        self.send(format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m").as_bytes());
    }

    /// Turns the wheel over the first place that has this text.
    #[track_caller]
    pub(crate) fn wheel(&mut self, text: &str, is_down: bool) {
        let (column, row) = self.place_of(text);
        let button = if is_down { 65 } else { 64 };
        self.send(format!("\x1b[<{button};{column};{row}M").as_bytes());
    }

    /// Where a text begins, counted from one.
    #[track_caller]
    fn place_of(&self, text: &str) -> (usize, usize) {
        let screen = self.screen();
        let found = screen.lines().enumerate().find_map(|(row, line)| {
            let before = line.split_once(text)?.0;
            Some((before.chars().count() + 1, row + 1))
        });
        found.unwrap_or_else(|| panic!("no {text:?} on\n{screen}"))
    }

    /// Sends bytes as a terminal does.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.keys
            .write_all(bytes)
            .and_then(|()| self.keys.flush())
            .expect("keys");
    }

    /// Changes the size of the terminal.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.seen()
            .screen
            .set_size(at_least_one(rows), at_least_one(columns));
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.resize(size).expect("another size");
    }

    /// The number of the process.
    pub(crate) fn process(&self) -> u32 {
        self.child.process_id().expect("a process")
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = std::process::Command::new("kill")
            .args([format!("-{name}"), self.process().to_string()])
            .status();
        assert!(sent.expect("kill").success());
    }

    /// Waits for the end; returns the exit code.
    #[track_caller]
    pub(crate) fn exit_code(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        {
            let (seen, changed) = &*self.seen;
            let mut seen = seen.lock().expect("what was seen");
            while !seen.ended {
                let left = deadline.saturating_duration_since(Instant::now());
                assert!(
                    !left.is_zero(),
                    "the program did not end\n{}",
                    seen.screen.screen().contents()
                );
                seen = changed.wait_timeout(seen, left).expect("what was seen").0;
            }
        }
        self.child.wait().expect("the end").exit_code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_shell_in_a_terminal_answers_keys() {
    let home = tempfile::tempdir().expect("a folder");
    let script = "stty -echo; printf 'ready\\n'; read line; printf 'got %s\\n' \"$line\"; exit 3";
    let mut terminal = Terminal::start((40, 5), "sh", &["-c", script], home.path(), &[]);
    terminal.wait_for("ready");
    terminal.type_text("a word");
    terminal.press("enter");
    terminal.wait_for("got a word");
    assert_eq!(terminal.exit_code(), 3);
    assert!(terminal.raw().starts_with(b"ready"));
}
