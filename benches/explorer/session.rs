//! One run of the explorer, key by key.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};

use super::{
    measure::{self, Times, shown},
    process,
    program::Program,
    pty::Terminal,
    table::Table,
};

/// The longest that a frame is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// For how long nothing is pressed.
const IDLE: Duration = Duration::from_secs(10);
/// A filter whose count is neither none nor all.
const FILTER: &str = "cc:NL -infra:MOBILE";

/// A run of the explorer on a local feed.
pub(crate) struct Session<'a> {
    program: &'a Program,
    terminal: Terminal,
    first_frame: Duration,
}

impl<'a> Session<'a> {
    /// Starts the explorer.
    pub(crate) fn start(program: &'a Program) -> Self {
        let home = &program.root;
        let variables = [("IPSPECT_TOKEN", "benchmark-token")];
        let began = Instant::now();
        let size = (120, 36);
        let name = env!("CARGO_BIN_EXE_ipspect");
        let terminal = Terminal::start(size, name, &["--offline"], home, &variables);
        terminal.wait_for("Lookup");
        let first_frame = began.elapsed();
        Self {
            program,
            terminal,
            first_frame,
        }
    }

    /// Measures everything.
    pub(crate) fn measure(mut self, records: u64, table: &mut Table) -> Result<()> {
        at_most(
            table,
            "first frame",
            self.first_frame,
            Duration::from_millis(50),
        );
        self.terminal.press("4");
        self.terminal.wait_for("anonymous-residential");
        self.terminal.settle();
        self.terminal.press("enter");
        let all = grouped(records);
        self.terminal.wait_for(&all);
        self.terminal.settle();
        self.keys("at rest", table)?;
        self.filter(table)?;
        self.idle(table);
        Ok(())
    }

    /// Scrolls, pages and jumps through the browser.
    fn keys(&mut self, when: &str, table: &mut Table) -> Result<()> {
        for (what, keys, rounds) in [
            ("row by row", ["down", "up"], 200),
            ("page by page", ["pgdn", "pgup"], 100),
            ("from end to end", ["G", "g"], 50),
        ] {
            let mut times = Times::default();
            for key in keys.into_iter().cycle().take(rounds) {
                let time = self.terminal.time_to_frame(key, PATIENCE);
                times.add(time.with_context(|| format!("{key} draws nothing"))?);
                thread::sleep(Duration::from_millis(5));
            }
            let name = format!("key to frame {what}, {when}");
            let p99 = times.percentile(99);
            at_most(table, &name, p99, Duration::from_millis(16));
            table.beside(format!(
                "median {}, most {}",
                shown(times.median()),
                shown(times.most())
            ));
        }
        Ok(())
    }

    /// Types a filter letter by letter and waits for its count.
    fn filter(&mut self, table: &mut Table) -> Result<()> {
        let words = ["search", "anonymous", FILTER, "--count", "--offline"];
        let count = measure::run(&mut self.program.command(&words))?.out;
        let count = grouped(count.parse().context("a count")?);
        self.terminal.press("/");
        let mut times = Times::default();
        let (last, first) = FILTER
            .char_indices()
            .next_back()
            .map_or(("", ""), |(at, _)| (&FILTER[at..], &FILTER[..at]));
        for letter in first.chars() {
            let key = if letter == ' ' {
                "space".to_owned()
            } else {
                letter.to_string()
            };
            let time = self.terminal.time_to_frame(&key, PATIENCE);
            times.add(time.with_context(|| format!("{letter:?} draws nothing"))?);
            thread::sleep(Duration::from_millis(30));
        }
        self.terminal.settle();
        let began = Instant::now();
        self.terminal.type_text(last);
        self.terminal.wait_for(&count);
        at_most(
            table,
            "count of an edited filter",
            began.elapsed(),
            Duration::from_millis(100),
        );
        table.beside(format!(
            "{FILTER}: {count} records, as `ipspect search --count` says"
        ));
        at_most(
            table,
            "letter of a filter to frame",
            times.percentile(99),
            Duration::from_millis(16),
        );
        self.terminal.press("esc");
        Ok(())
    }

    /// Presses nothing.
    fn idle(&mut self, table: &mut Table) {
        self.terminal.settle();
        let process = self.terminal.process();
        let (before, drawn) = (process::used(process), self.terminal.raw().len());
        thread::sleep(IDLE);
        let (after, drawn) = (process::used(process), self.terminal.raw().len() - drawn);
        let what = "bytes drawn while idle";
        table.at_most(
            what,
            drawn.to_string(),
            "0",
            f64::from(u32::try_from(drawn).unwrap_or(u32::MAX)),
            0.0,
        );
        if let (Some(before), Some(after)) = (before, after) {
            at_most(
                table,
                "processor time in 10 idle seconds",
                after.time.saturating_sub(before.time),
                Duration::from_millis(20),
            );
            let written = after.written.saturating_sub(before.written);
            table.noted("bytes written to files while idle", written.to_string());
        }
        if let Some(memory) = process::anonymous_memory(process) {
            let mib = u32::try_from(memory >> 20).unwrap_or(u32::MAX);
            table.at_most(
                "anonymous memory",
                format!("{mib} MiB"),
                "<= 64 MiB",
                mib.into(),
                64.0,
            );
        }
    }
}

fn at_most(table: &mut Table, what: &str, time: Duration, bar: Duration) {
    let goal = format!("<= {}", shown(bar));
    table.at_most(
        what,
        shown(time),
        &goal,
        time.as_secs_f64(),
        bar.as_secs_f64(),
    );
}

/// A count as the screen shows it.
fn grouped(count: u64) -> String {
    ipspect::report::count(count)
}
