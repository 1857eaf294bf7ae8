//! What grows with a feed: pull, verify, the index and lookups at several sizes in one table, and where the last two lead.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result};

use super::{
    building::{ADDRESSES, Pulled, most_memory},
    generator::{Generator, mix},
    index_of,
    material::Material,
    measure::{Times, ratio, shown, time, watch},
    program::{self, DAYS, Program},
    table::Table,
};

/// The size that is worked out rather than run, where the last two measured sizes lead.
const BEYOND: u64 = 200_000_000;
/// The addresses of one command, half of them in the feed.
const ASKED: u64 = 100_000;
/// The goal for them, in milliseconds.
const ASKED_GOAL: u32 = 300;

/// What one size came to.
#[derive(Debug)]
struct Size {
    records: u64,
    pull: Duration,
    processors: Option<Duration>,
    peak: Option<u64>,
    disk: u64,
}

/// Measures each of these sizes.
pub(crate) fn sizes(
    sizes: &[u64],
    rounds: usize,
    dir: &Path,
    home: &Path,
    is_kept: bool,
) -> Result<Table> {
    let mut table = Table::default();
    if let Ok(load) = fs::read_to_string("/proc/loadavg") {
        let load = load.split(' ').next().unwrap_or_default().to_owned();
        table.noted("load of the machine before", load);
    }
    let mut measured = Vec::new();
    for records in sizes {
        measured.push(size(*records, rounds, dir, home, &mut table)?);
        fs::remove_dir_all(home)?;
        if !is_kept {
            Material::remove(dir, *records)?;
        }
    }
    if let [.., before, last] = measured.as_slice() {
        beyond(before, last, &mut table);
    }
    Ok(table)
}

fn size(records: u64, rounds: usize, dir: &Path, home: &Path, table: &mut Table) -> Result<Size> {
    let feed = Material::day(dir, records)?;
    table.noted("records", records.to_string());
    let each = |bytes: u64| bytes as f64 / records as f64;
    table.noted(
        "  feed file",
        format!("{:.1} bytes a record", each(feed.bytes()?)),
    );
    let host = program::serve(&[(ADDRESSES, DAYS[0], &feed.path)])?;
    let program = Program::at(home.to_owned(), &host)?;
    let pulled = Pulled::in_turns(&program, ADDRESSES, &feed.path, rounds)?;
    pulled.rows("  ", table);
    if let Some(processors) = pulled.processors[0] {
        let nanoseconds = processors.as_secs_f64() * 1e9 / records as f64;
        table.noted("    of it a record", format!("{nanoseconds:.0} ns"));
    }
    let index = fs::metadata(index_of(&program, ADDRESSES, DAYS[0])?)?.len();
    table.noted(
        "  index on disk",
        format!("{:.1} bytes a record", each(index)),
    );
    for command in ["verify", "reindex"] {
        let (mut times, mut peak) = (Times::default(), None);
        for _ in 0..rounds {
            let ran = watch(&mut program.command(&["feeds", command, ADDRESSES.name(), "-q"]))?;
            times.add(ran.took);
            peak = ran.peak.max(peak);
        }
        let took = times.median();
        table.noted(&format!("  {command}"), shown(took));
        table.beside(format!("{:.2} of gzip -dc", ratio(took, pulled.gzip)));
        most_memory(peak, 200, table);
    }
    looked_up(&program, &feed.generator, rounds, table)?;
    Ok(Size {
        records,
        pull: pulled.pull,
        processors: pulled.processors[0],
        peak: pulled.peak,
        disk: index + feed.bytes()?,
    })
}

/// A list of addresses, answered by one command.
fn looked_up(
    program: &Program,
    generator: &Generator,
    rounds: usize,
    table: &mut Table,
) -> Result<()> {
    let records = generator.numbers().end;
    let addresses = (0..ASKED).map(|number| {
        let place = mix(number) % records + number % 2 * records;
        format!("{}\n", generator.address(place))
    });
    let addresses: String = addresses.collect();
    let mut times = Times::default();
    for _ in 0..=rounds {
        let words = ["enrich", "--format", "json", "-q", "-"];
        let mut command = program.command(&words);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let (took, ran) = time(|| fed(&mut command, &addresses));
        ran?;
        times.add(took);
    }
    let took = times.median();
    let what = format!("  {ASKED} addresses, one command");
    let (value, goal) = (took.as_secs_f64() * 1e3, format!("<= {ASKED_GOAL} ms"));
    table.at_most(&what, shown(took), &goal, value, ASKED_GOAL.into());
    Ok(())
}

/// Runs a program that reads this text.
fn fed(command: &mut Command, text: &str) -> Result<()> {
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().context("a pipe")?;
    input.write_all(text.as_bytes())?;
    drop(input);
    let status = child.wait()?;
    anyhow::ensure!(status.success(), "it ended with {status}");
    Ok(())
}

/// What one more record costs between the last two sizes, and what that makes of a size that was not run.
fn beyond(before: &Size, last: &Size, table: &mut Table) {
    let more = (last.records - before.records) as f64;
    let further = (BEYOND - last.records.min(BEYOND)) as f64;
    let led = |before: f64, last: f64| last + (last - before) / more * further;
    table.noted("records, not run but worked out", BEYOND.to_string());
    let seconds = |time: Duration| time.as_secs_f64();
    let pull = led(seconds(before.pull), seconds(last.pull));
    table.noted("  pull", format!("{pull:.0} s"));
    if let (Some(before), Some(last)) = (before.processors, last.processors) {
        let processors = led(seconds(before), seconds(last));
        table.noted("  time of processors", format!("{processors:.0} s"));
    }
    if let (Some(before), Some(last)) = (before.peak, last.peak) {
        let peak = led(before as f64, last as f64) / f64::from(1 << 20);
        table.noted("  most memory", format!("{peak:.0} MiB"));
    }
    let disk = led(before.disk as f64, last.disk as f64) / 1e9;
    table.noted("  file and index on disk", format!("{disk:.1} GB"));
}
