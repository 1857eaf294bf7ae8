//! A long log that is opened as a table: when its first rows are there, when all are answered, and how keys are answered meanwhile.

use std::{
    fs,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use super::{
    access_log,
    generator::Generator,
    goals::{KEY_TO_FRAME, at_most},
    measure::{Times, ratio, shown, watch},
    program::{DAYS, Program},
    say,
    session::{FEEDS, Session},
    table::Table,
};

/// As many as make nearly 64 MiB, the longest text that the explorer reads.
const LINES: u64 = 570_000;
/// The longest text that the explorer reads.
const MOST: u64 = 64 << 20;
const FIRST_ROWS: Duration = Duration::from_millis(100);
/// The goal for all rows, in times of `enrich` of the same log.
const WHOLE: f64 = 1.2;
/// How often it is opened.
const ROUNDS: usize = 3;
const PATIENCE: Duration = Duration::from_mins(1);
/// What the page of keys is headed, and a column of the table.
const KEYS: &str = "Keys of this place";
const ROWS: &str = "VERDICT";
/// What the title of the first rows says, while the rest is read.
const BEGINNING: &str = "being read";

/// Opens the log, presses keys until all rows are answered, and runs `enrich` on it in turns.
pub(crate) fn measure(program: &Program, generator: &Generator, table: &mut Table) -> Result<()> {
    say("opening a log as a table");
    let file = program.root.join("access.log");
    access_log::write(&file, LINES, generator)?;
    let bytes = fs::metadata(&file)?.len();
    ensure!(bytes < MOST, "the log is longer than the explorer reads");
    let path = file.display().to_string();
    let (mut first, mut whole, mut keys) = (Times::default(), Times::default(), Times::default());
    let mut enrich = Times::default();
    for _ in 0..ROUNDS {
        let of_feed = ["--feed", FEEDS[0].name(), "--day", DAYS[0], "-q"];
        let words = [&["enrich", &path, "--format", "json"][..], &of_feed].concat();
        enrich.add(watch(&mut program.command(&words))?.took);
        let (mut session, _) = Session::start(program, 0);
        let opened = open(&mut session, &path, &mut keys)?;
        first.add(opened.first);
        whole.add(opened.whole);
        session.terminal.press("ctrl-c");
        session.terminal.exit_code();
    }
    fs::remove_file(&file)?;
    at_most(
        table,
        "first rows of a log of 64 MiB",
        first.median(),
        FIRST_ROWS,
    );
    at_most(
        table,
        "a key while it is read, 99 of 100",
        keys.percentile(99),
        KEY_TO_FRAME,
    );
    table.beside(format!("{} keys, most {}", keys.len(), shown(keys.most())));
    let times = ratio(whole.median(), enrich.median());
    let goal = format!("<= {WHOLE} times enrich");
    table.at_most(
        "all its rows answered",
        shown(whole.median()),
        &goal,
        times,
        WHOLE,
    );
    table.beside(format!("{times:.2} of enrich, {}", shown(enrich.median())));
    Ok(())
}

/// When a table was there.
struct Opened {
    first: Duration,
    whole: Duration,
}

/// Opens a text as a table, and presses keys until it is whole.
fn open(session: &mut Session<'_>, path: &str, keys: &mut Times) -> Result<Opened> {
    let terminal = &mut session.terminal;
    terminal.press(":");
    terminal.type_text(&format!("open {path}"));
    terminal.settle();
    let began = Instant::now();
    terminal.press("enter");
    terminal.wait_for("reading");
    let mut first = None;
    loop {
        // The page of keys comes and goes: what it does is the same whatever is behind it.
        for (key, is_there) in [("?", true), ("esc", false)] {
            let shows = |screen: &str| screen.contains(KEYS) == is_there;
            let took = terminal.time_until(key, PATIENCE, shows);
            keys.add(took.with_context(|| format!("{key} does nothing"))?);
        }
        let screen = terminal.screen();
        if first.is_none() && screen.contains(ROWS) {
            first = Some(began.elapsed());
        }
        let is_whole = !screen.contains(BEGINNING) && !screen.contains("reading");
        if first.is_some() && is_whole {
            break;
        }
        ensure!(began.elapsed() < PATIENCE, "it is still read:\n{screen}");
    }
    Ok(Opened {
        first: first.unwrap_or_default(),
        whole: began.elapsed(),
    })
}
