//! A feed that is made to exhaust the memory of whoever indexes it: few lines, each with one very long name that hardly
//! compresses at its start and compresses to nothing after that.
//!
//! What must hold: memory stays within its bound, and every record comes back byte for byte.

use std::{
    fs,
    io::{self, Write},
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};
use fastrand::Rng;
use ipspect::contract::Feed;

use super::{
    building::most_memory,
    generator::mix,
    index_of,
    material::gzipped,
    measure::{shown, watch},
    program::{DAYS, Program, serve},
    queries::open,
    say,
    table::Table,
};

/// Lines of the whole feed.
pub(crate) const LINES: u64 = 32_000;
/// Random hexadecimal digits at the start of each name, and letters behind them.
const DIGITS: usize = 4_000;
const LETTERS: usize = 146_000;
/// Records that are compared byte for byte.
const SAMPLES: u64 = 200;
const SEED: u64 = 20_261_122;
const FEED: Feed = Feed::Anonymous;
/// The bound of memory, in MiB.
const MOST_MEMORY: u32 = 768;

/// Pulls the feed in a home of its own, and compares a sample of its records.
pub(crate) fn pull(home: &Path, dir: &Path, lines: u64, table: &mut Table) -> Result<()> {
    let path = file(dir, lines);
    gzipped(&path, 1, |out| write(lines, out))?;
    say("pulling the hostile feed");
    let program = Program::at(home.to_owned(), &serve(&[(FEED, DAYS[0], &path)])?)?;
    let ran = watch(&mut program.command(&["feeds", "pull", FEED.name(), "-q"]))?;
    table.noted("hostile feed: pull", shown(ran.took));
    let megabytes = fs::metadata(&path)?.len() as f64 / 1e6;
    table.beside(format!("{lines} lines, {megabytes:.0} MB"));
    most_memory(ran.peak, MOST_MEMORY, table);
    let right = compare(&index_of(&program, FEED, DAYS[0])?, lines)?;
    table.at_least(
        "  sampled records as in the feed",
        format!("{right} of {SAMPLES}"),
        "all",
        right as f64,
        SAMPLES as f64,
    );
    Ok(())
}

/// Removes the file of the feed.
pub(crate) fn remove(dir: &Path, lines: u64) -> io::Result<()> {
    match fs::remove_file(file(dir, lines)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn file(dir: &Path, lines: u64) -> PathBuf {
    dir.join(format!("hostile-{lines}.json.gz"))
}

fn write(lines: u64, out: &mut dyn Write) -> Result<()> {
    let mut text = Vec::new();
    for number in 0..lines {
        text.clear();
        line(number, &mut text)?;
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(())
}

/// How many of the sampled records the index gives back byte for byte.
fn compare(path: &Path, lines: u64) -> Result<u64> {
    let index = open(path)?;
    ensure!(index.records() == lines, "not every line became a record");
    let mut rng = Rng::with_seed(SEED);
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    let mut right = 0;
    for _ in 0..SAMPLES {
        let number = rng.u64(..lines);
        expected.clear();
        line(number, &mut expected)?;
        found.clear();
        let rows = index.covering(IpAddr::from(address(number)).into());
        // A damaged part counts as a wrong record: the row shows how many there are.
        let read =
            rows.and_then(|rows| rows.iter().try_for_each(|row| index.line(*row, &mut found)));
        right += u64::from(read.is_ok() && found == expected);
    }
    Ok(right)
}

/// An address of 198.18.0.0/15 for each line.
fn address(number: u64) -> Ipv4Addr {
    let host = u32::try_from(number & 0x1_ffff).unwrap_or_default();
    Ipv4Addr::from(u32::from(Ipv4Addr::new(198, 18, 0, 0)) | host)
}

/// Appends the line of a number without its line end.
fn line(number: u64, into: &mut Vec<u8>) -> io::Result<()> {
    let mut rng = Rng::with_seed(mix(SEED ^ number));
    write!(
        into,
        r#"{{"as":{{"number":64500,"organization":"Example Networks"}},"client":{{}},"infrastructure":"DATACENTER","ip":"{}","location":{{"country":"NL"}},"organization":""#,
        address(number)
    )?;
    into.extend((0..DIGITS).map(|_| b"0123456789abcdef"[rng.usize(..16)]));
    into.resize(into.len() + LETTERS, b'A');
    into.extend_from_slice(br#"","risks":["TUNNEL"],"services":[],"tunnels":[]}"#);
    Ok(())
}
