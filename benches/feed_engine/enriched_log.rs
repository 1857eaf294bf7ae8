//! The addresses of a log with what stands beside them, against a search for addresses alone.

use std::{fs, path::Path, process::Command};

use anyhow::Result;

use super::{
    access_log,
    building::{ADDRESSES, most_memory},
    generator::Generator,
    measure::{Times, ratio, run, shown, watch},
    program::{DAYS, Program},
    say,
    table::Table,
};

/// Lines of the log.
const LINES: u64 = 1_000_000;
/// How often each program is run, in turns.
const ROUNDS: usize = 5;
/// Four numbers, as people look for them.
const PATTERN: &str = r"([0-9]{1,3}\.){3}[0-9]{1,3}";
/// The goal, in times of `rg -oN`.
const GOAL: f64 = 3.0;

/// Measures the usual output, and groups.
pub(crate) fn in_turns(
    program: &Program,
    generator: &Generator,
    dir: &Path,
    table: &mut Table,
) -> Result<()> {
    say("enriching a log");
    let file = dir.join("access.log");
    access_log::write(&file, LINES, generator)?;
    let path = file.display().to_string();
    let of_feed = ["--feed", ADDRESSES.name(), "--day", DAYS[0], "-q"];
    let words = |more: &[&'static str]| [&["enrich", &path][..], &of_feed, more].concat();
    let kinds = [
        (
            "a log of 1,000,000 lines to JSON",
            words(&["--format", "json"]),
        ),
        (
            "the same to groups",
            words(&["--group", "tag", "--format", "json"]),
        ),
    ];
    for (what, words) in kinds {
        if let Err(error) = row(program, what, &words, &path, table) {
            table.missing(what, &error.to_string());
        }
    }
    fs::remove_file(&file)?;
    Ok(())
}

/// Runs each in turns with `rg -oN`, and with the other build if there is one.
fn row(program: &Program, what: &str, words: &[&str], path: &str, table: &mut Table) -> Result<()> {
    let (mut own, mut rg, mut before) = (Times::default(), Times::default(), Times::default());
    let mut peak = None;
    for _ in 0..ROUNDS {
        let mut search = Command::new("rg");
        // Its output is read: into nothing it would stop at the first match.
        rg.add(run(search.args(["-oN", PATTERN, path]))?.took);
        let ran = watch(&mut program.command(words))?;
        own.add(ran.took);
        peak = ran.peak.max(peak);
        if let Some(mut other) = program.other_command(words) {
            before.add(watch(&mut other)?.took);
        }
    }
    let (own, rg) = (own.median(), rg.median());
    let times = ratio(own, rg);
    let measured = format!("{} ({times:.1} x {})", shown(own), shown(rg));
    let goal = format!("<= {GOAL} times rg -oN");
    table.at_most(what, measured, &goal, times, GOAL);
    if before.len() > 0 {
        table.beside(format!(
            "{:.2} of the other build",
            ratio(own, before.median())
        ));
    }
    most_memory(peak, 128, table);
    Ok(())
}
