//! How fast the explorer is on a large local feed, driven in a real pseudo-terminal and printed as one table:
//!
//! ```sh
//! cargo bench --bench explorer -- [--records 10000000] [--dir DIR] [--keep] [--compare FILE]
//! ```
//!
//! It invents a feed of so many records (`feed_engine/generator.rs`), has the release build download and index it from a host on this
//! machine, drives the explorer at 120x36 and measures:
//!
//! - the first frame, the slowest of several starts;
//! - the time from a key to the frame with the rows that it leads to, while scrolling, paging and jumping through the browser of the
//!   feed, and from a letter of a filter to the frame that shows it;
//! - the time from the last letter of a filter to its count, for about forty filters whose counts `ipspect search --count` has told;
//! - both once more while another feed of as many records is downloaded and indexed;
//! - bytes drawn, bytes written to files and processor time while nothing is pressed;
//! - a log of 64 MiB that is opened as a table: its first rows, all of them beside `enrich`, and keys meanwhile;
//! - anonymous memory, as long as nothing is indexed.
//!
//! It fails when a goal is missed. The files are written to DIR, where `--keep` keeps the feed file for the next run, or to a temporary
//! folder that is removed. `--compare FILE` prints a saved table of an earlier run beside this one. 20,000 records are enough to try it,
//! and too few for frames during the download.
//!
//! On a machine with other work the times mean little. Memory, processor time and bytes written are read from `/proc`: elsewhere they
//! are left out.

#[path = "feed_engine/access_log.rs"]
mod access_log;
#[path = "feed_engine/earlier.rs"]
mod earlier;
#[path = "explorer/filling.rs"]
mod filling;
#[path = "feed_engine/filters.rs"]
mod filters;
#[path = "feed_engine/generator.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod generator;
#[path = "explorer/goals.rs"]
mod goals;
#[path = "feed_engine/measure.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod measure;
#[path = "explorer/process.rs"]
mod process;
#[path = "feed_engine/program.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod program;
#[path = "../tests/it/pty.rs"]
mod pty;
#[path = "explorer/session.rs"]
mod session;
#[path = "feed_engine/table.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod table;

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use flate2::{Compression, write::GzEncoder};

use self::{
    earlier::Earlier,
    generator::{About, Generator},
    program::{DAYS, Program},
    session::FEEDS,
    table::Table,
};

const USAGE: &str =
    "cargo bench --bench explorer -- [--records 10000000] [--dir DIR] [--keep] [--compare FILE]";

/// One seed, so that runs compare.
const SEED: u64 = 20_261_120;

/// What was asked for.
struct Options {
    records: u64,
    dir: Option<PathBuf>,
    keep: bool,
    compare: Option<Earlier>,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self {
            records: 10_000_000,
            dir: None,
            keep: false,
            compare: None,
        };
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .with_context(|| format!("{word} needs a value"))
            };
            match word.as_str() {
                "--records" => options.records = value()?.replace(['_', ','], "").parse()?,
                "--dir" => options.dir = Some(value()?.into()),
                "--keep" => options.keep = true,
                "--compare" => options.compare = Some(Earlier::read(value()?.as_ref())?),
                // cargo says this to every benchmark.
                "--bench" => {}
                "--help" | "-h" => return Ok(None),
                other => bail!("{other} is not known: {USAGE}"),
            }
        }
        if !(1000..=100_000_000).contains(&options.records) {
            bail!("from 1,000 to 100,000,000 records");
        }
        Ok(Some(options))
    }
}

fn main() -> Result<()> {
    let Some(options) = Options::read(std::env::args().skip(1))? else {
        writeln!(io::stdout(), "{USAGE}")?;
        return Ok(());
    };
    let temporary = tempfile::tempdir()?;
    let dir = options.dir.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(dir)?;
    let mut table = measured(dir, options.records)?;
    if let Some(earlier) = options.compare {
        table.compare(earlier);
    }
    let over = table.print()?;
    if options.dir.is_some() {
        fs::remove_dir_all(dir.join("explorer"))?;
        if !options.keep {
            fs::remove_file(material(dir, options.records))?;
        }
    }
    if over > 0 {
        bail!("{over} over their goal");
    }
    Ok(())
}

fn material(dir: &Path, records: u64) -> PathBuf {
    dir.join(format!("day-1-{records}.json.gz"))
}

fn generator(records: u64) -> Generator {
    Generator::new(About::Addresses, SEED, records)
}

/// Makes the feed file, unless it is there.
fn made(dir: &Path, generator: &Generator, records: u64) -> Result<PathBuf> {
    let path = material(dir, records);
    if !path.exists() {
        say(&format!("making {}", path.display()));
        let part = path.with_extension("part");
        let file = BufWriter::new(File::create(&part)?);
        let mut gzip = GzEncoder::new(file, Compression::fast());
        generator.write(&mut gzip)?;
        gzip.finish()?.into_inner()?.sync_all()?;
        fs::rename(&part, &path)?;
    }
    Ok(path)
}

fn measured(dir: &Path, records: u64) -> Result<Table> {
    let generator = generator(records);
    let file = made(dir, &generator, records)?;
    let host = program::serve(&FEEDS.map(|feed| (feed, DAYS[0], &*file)))?;
    let program = Program::at(dir.join("explorer"), &host)?;
    // Releases of an earlier run belong to a host of another port: they cannot be used, and pile up.
    program.forget()?;
    say("downloading and indexing it");
    measure::run(&mut program.command(&["feeds", "pull", FEEDS[0].name()]))?;
    let mut table = Table::default();
    let filters = filters::filters(generator.words(), 0)?;
    let filters: Vec<String> = filters.iter().map(ToString::to_string).collect();
    goals::measure(&program, records, &filters, &mut table)?;
    filling::measure(&program, &generator, &mut table)?;
    Ok(table)
}

/// Says how far it is.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
