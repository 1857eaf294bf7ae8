//! One run of the explorer: how it starts, and the browser of its local feed, key by key.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use ipspect::{contract::Feed, report};

use super::{
    measure::{self, Times},
    program::Program,
    pty::Terminal,
};

/// The longest that a frame or a count is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two keys, and between two letters.
const PAUSE: Duration = Duration::from_millis(5);

/// The feed that is browsed, and the one that is downloaded and indexed meanwhile.
pub(crate) const FEEDS: [Feed; 2] = [Feed::Anonymous, Feed::AnonymousResidential];

/// Where the keys of one kind are pressed in turns, and the row that each of them leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    /// What the keys do.
    pub(crate) name: &'static str,
    keys: [&'static str; 2],
}

pub(crate) const ROWS: Keys = Keys {
    name: "row by row",
    keys: ["down", "up"],
};
pub(crate) const PAGES: Keys = Keys {
    name: "page by page",
    keys: ["pgdn", "pgup"],
};
pub(crate) const ENDS: Keys = Keys {
    name: "from end to end",
    keys: ["G", "g"],
};

/// Times of a filter that was typed letter by letter.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    /// From a letter to the frame that shows it.
    pub(crate) letters: Times,
    /// From the last letter to the count of the whole filter; `None` where the count was on the screen before.
    pub(crate) count: Option<Duration>,
}

/// A run of the explorer.
pub(crate) struct Session<'a> {
    program: &'a Program,
    pub(crate) terminal: Terminal,
    records: u64,
}

impl<'a> Session<'a> {
    /// Starts the explorer; returns the time until its first frame.
    pub(crate) fn start(program: &'a Program, records: u64) -> (Self, Duration) {
        let home = &program.root;
        let variables = [("IPSPECT_TOKEN", "benchmark-token")];
        let began = Instant::now();
        let name = env!("CARGO_BIN_EXE_ipspect");
        let terminal = Terminal::start((120, 36), name, &[], home, &variables);
        terminal.wait_for("Lookup");
        let first_frame = began.elapsed();
        let session = Self {
            program,
            terminal,
            records,
        };
        (session, first_frame)
    }

    /// Downloads and indexes another feed from now on, which must not be local yet.
    pub(crate) fn begin_download(&mut self) -> Result<()> {
        let local = self.program.root.join("cache/feeds").join(FEEDS[1].name());
        if local.exists() {
            fs::remove_dir_all(&local)?;
        }
        self.open_feeds();
        self.terminal.press("down p");
        self.terminal.wait_until("a download", is_busy);
        self.terminal.press("up");
        Ok(())
    }

    /// Whether the download goes on.
    pub(crate) fn is_busy(&self) -> bool {
        is_busy(&self.terminal.screen())
    }

    fn open_feeds(&mut self) {
        self.terminal.press("4");
        // What is local has been read: enter would download it otherwise.
        let records = format!("{} records", report::count(self.records));
        self.terminal.wait_for(&records);
    }

    /// Opens the browser of the local feed.
    pub(crate) fn open_browser(&mut self) {
        self.open_feeds();
        self.terminal.press("enter");
        self.terminal.wait_for(&self.result(self.records));
        self.terminal.wait_until("its rows", is_at(0));
    }

    /// How the head of the browser names so many records.
    fn result(&self, count: u64) -> String {
        let [count, all] = [count, self.records].map(report::count);
        format!("{count} of {all} records")
    }

    /// Presses two keys in turns, as often as asked and as long as `goes_on`; the times until their rows are drawn.
    pub(crate) fn press(
        &mut self,
        keys: Keys,
        rounds: usize,
        goes_on: impl Fn(&Self) -> bool,
        times: &mut Times,
    ) -> Result<()> {
        let row = self.leads_to(keys);
        for _ in 0..rounds {
            for (key, to) in keys.keys.into_iter().zip([row, 0]) {
                if !goes_on(self) {
                    return Ok(());
                }
                let time = self.terminal.time_until(key, PATIENCE, is_at(to));
                times.add(time.with_context(|| {
                    let screen = self.terminal.screen();
                    format!("{key} does not lead to row {to}:\n{screen}")
                })?);
                thread::sleep(PAUSE);
            }
        }
        Ok(())
    }

    /// The row that the first of two keys leads to from the first row; the second one leads back.
    fn leads_to(&mut self, keys: Keys) -> u64 {
        let [there, back] = keys.keys;
        // What was pressed before may have ended between its two keys.
        self.terminal.press("g");
        self.terminal.wait_until("the first row", is_at(0));
        self.terminal.press(there);
        let is_there = |screen: &str| row(screen).is_some_and(|row| row > 0) && has_cursor(screen);
        let after = format!("another row after {there}");
        self.terminal.wait_until(&after, is_there);
        let reached = row(&self.terminal.screen()).unwrap_or_default();
        self.terminal.press(back);
        let after = format!("the first row after {there} and {back}");
        self.terminal.wait_until(&after, is_at(0));
        reached
    }

    /// How many records a filter selects, as the command line counts them.
    pub(crate) fn counted(&self, filter: &str) -> Result<u64> {
        let words = ["search", FEEDS[0].name(), filter, "--count", "--offline"];
        let said = measure::run(&mut self.program.command(&words))?.out;
        said.parse()
            .with_context(|| format!("{said:?} is no count"))
    }

    /// Types a filter, waits for its count, and leaves it again.
    pub(crate) fn filter(&mut self, filter: &str, count: u64) -> Result<Typed> {
        let mut typed = Typed::default();
        self.terminal.press("/");
        self.terminal.wait_for("INPUT");
        let (last, _) = filter.char_indices().next_back().unwrap_or_default();
        for (at, letter) in filter[..last].char_indices() {
            let tail = last_letters(&filter[..at + letter.len_utf8()], 8);
            let key = key_of(letter);
            let time = self
                .terminal
                .time_until(&key, PATIENCE, |screen| screen.contains(tail));
            typed.letters.add(time.with_context(|| {
                format!(
                    "{letter:?} of {filter} is not shown:\n{}",
                    self.terminal.screen()
                )
            })?);
            thread::sleep(PAUSE * 6);
        }
        thread::sleep(PAUSE * 20);
        let result = self.result(count);
        let was_there = self.terminal.screen().contains(&result);
        let key = key_of(filter[last..].chars().next().unwrap_or(' '));
        let time = self
            .terminal
            .time_until(&key, PATIENCE, |screen| screen.contains(&result));
        let time = time.with_context(|| {
            format!(
                "{filter} does not come to {count}:\n{}",
                self.terminal.screen()
            )
        })?;
        typed.count = (!was_there).then_some(time);
        self.terminal.press("esc");
        self.terminal.wait_for(&self.result(self.records));
        self.terminal.wait_until("all rows", is_at(0));
        Ok(typed)
    }
}

impl Session<'_> {
    /// Narrows the records by a filter, and opens the form that makes a list of them; the time until it says who is behind them.
    pub(crate) fn behind(&mut self, filter: &str, count: u64) -> Result<Duration> {
        self.terminal.press("/");
        self.terminal.wait_for("INPUT");
        self.terminal.type_text(filter);
        self.terminal.wait_for(&self.result(count));
        self.terminal.press("enter");
        self.terminal
            .wait_until("the end of typing", |screen| !screen.contains("INPUT"));
        let is_told = |screen: &str| screen.contains("behind it");
        let time = self.terminal.time_until("B", PATIENCE, is_told);
        let time = time.with_context(|| {
            let screen = self.terminal.screen();
            format!("nobody is behind {filter}:\n{screen}")
        })?;
        self.terminal.press("esc");
        self.terminal
            .wait_until("the browser", |screen| !screen.contains("behind it"));
        self.terminal.press("esc");
        self.terminal.wait_for(&self.result(self.records));
        Ok(time)
    }
}

/// The row of the cursor, as the border of the table names it.
fn row(screen: &str) -> Option<u64> {
    let border = screen.lines().find(|line| line.starts_with('└'))?;
    let (before, _) = border.split_once(" of ")?;
    let number = before.rsplit(' ').next()?.replace(',', "");
    number.parse::<u64>().ok()?.checked_sub(1)
}

/// Whether the row of the cursor is drawn: old rows have no cursor.
fn has_cursor(screen: &str) -> bool {
    screen.lines().any(|line| line.starts_with("│ > "))
}

/// Whether the cursor is on a row, and that row is drawn.
fn is_at(to: u64) -> impl Fn(&str) -> bool {
    move |screen| row(screen) == Some(to) && has_cursor(screen)
}

/// Whether the header names a job.
fn is_busy(screen: &str) -> bool {
    screen
        .lines()
        .next()
        .is_some_and(|line| line.contains(" J:"))
}

fn key_of(letter: char) -> String {
    if letter == ' ' {
        "space".to_owned()
    } else {
        letter.to_string()
    }
}

/// The end of a text without blanks around it, at most so many letters.
fn last_letters(text: &str, most: usize) -> &str {
    let text = text.trim_end();
    let from = text.char_indices().rev().take(most).last();
    text[from.map_or(0, |(at, _)| at)..].trim_start()
}
