//! The feed engine beside the tools that people use instead, measured in one run and printed as one table:
//!
//! ```sh
//! cargo bench --bench feed_engine -- [--records 2000000] [--dir DIR] [--keep] [--quick] [--hostile] [--history] [--scale N,N] [--sets N] [--rounds N] [--compare FILE] [--other PROGRAM]
//! ```
//!
//! It invents a feed of so many records (`generator`), serves it to the real program, which downloads, verifies and indexes
//! it, and asks the index and the program everything that has a goal. Ratios are taken within the run, in turns, because
//! times of different machines do not compare. `--quick` takes 200,000 records, to try it (10,000 in a debug build). The
//! files lie in DIR, where they are kept for the next run with `--keep`; else in a temporary folder, and go.
//!
//! A second feed repeats little (`high_entropy`), which is the harder input for a pull. With `--hostile` a feed that is made
//! to exhaust memory is pulled as well (`hostile`), which takes minutes and about 5 GB of disk.
//!
//! With `--history` nothing is measured but the history of an address over 60 local days (`history`), which takes 5 GB of disk for days of
//! 1,000,000 records.
//!
//! With `--sets 10000000` lists of so many networks are aggregated, intersected and subtracted beside `iprange`, and nothing else.
//!
//! With `--scale 2000000,10000000,50000000` what grows with a feed is measured at each of these sizes, and nothing else: one table,
//! which ends with what they make of 200 million records. It takes an hour and 10 GB of disk. `--rounds` says how often each is run.
//!
//! On a machine with other work the times mean little: the table begins with the load. `--compare FILE` puts a saved table of an
//! earlier run beside this one. `--other` names another build of the program, which pulls, verifies and enriches in turns with this one:
//! how they compare is surer than two tables.

#![expect(
    clippy::cast_precision_loss,
    reason = "figures for people, rounded anyway"
)]

#[path = "feed_engine/access_log.rs"]
mod access_log;
#[path = "feed_engine/building.rs"]
mod building;
#[path = "feed_engine/bulk_output.rs"]
mod bulk_output;
#[path = "feed_engine/diffs.rs"]
mod diffs;
#[path = "feed_engine/earlier.rs"]
mod earlier;
#[path = "feed_engine/engines.rs"]
mod engines;
#[path = "feed_engine/enriched_log.rs"]
mod enriched_log;
#[path = "feed_engine/filters.rs"]
mod filters;
#[path = "feed_engine/generator.rs"]
mod generator;
#[path = "feed_engine/high_entropy.rs"]
mod high_entropy;
#[path = "feed_engine/history.rs"]
mod history;
#[path = "feed_engine/hostile.rs"]
mod hostile;
#[path = "feed_engine/material.rs"]
mod material;
#[path = "feed_engine/measure.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod measure;
#[path = "feed_engine/program.rs"]
mod program;
#[path = "feed_engine/queries.rs"]
mod queries;
#[path = "feed_engine/reversed_lists.rs"]
mod reversed_lists;
#[path = "feed_engine/scale.rs"]
mod scale;
#[path = "feed_engine/sets.rs"]
mod sets;
#[path = "feed_engine/table.rs"]
mod table;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use ipspect::{
    contract::{Feed, Format},
    store::Cache,
};

use self::{
    building::{ADDRESSES, HIGH_ENTROPY, NETWORKS},
    earlier::Earlier,
    material::Material,
    program::{DAYS, Program},
    table::Table,
};

const USAGE: &str = "cargo bench --bench feed_engine -- [--records 2000000] [--dir DIR] [--keep] [--quick] [--hostile] [--history] [--scale N,N] [--sets N] [--rounds N] [--compare FILE] [--other PROGRAM]";

/// Records with `--quick`: as many as take less than two minutes.
const QUICK: u64 = if cfg!(debug_assertions) {
    10_000
} else {
    200_000
};

/// What was asked for.
struct Options {
    records: u64,
    dir: Option<PathBuf>,
    keep: bool,
    compare: Option<Earlier>,
    /// Another build of the program.
    other: Option<PathBuf>,
    /// Lines of the hostile feed; 0 leaves it out.
    hostile: u64,
    /// The sizes at which what grows is measured, in place of everything else.
    scale: Vec<u64>,
    /// Lines of the lists whose sets are measured, in place of everything else; 0 for none.
    sets: u64,
    /// How often each is run there.
    rounds: usize,
    /// Whether the history of an address is measured in place of everything else.
    history: bool,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self {
            records: 2_000_000,
            dir: None,
            keep: false,
            compare: None,
            other: None,
            hostile: 0,
            scale: Vec::new(),
            sets: 0,
            rounds: 3,
            history: false,
        };
        let mut quick = false;
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .with_context(|| format!("{word} needs a value"))
            };
            match word.as_str() {
                "--records" => options.records = value()?.replace(['_', ','], "").parse()?,
                "--scale" => {
                    let sizes = value()?.replace('_', "");
                    options.scale = sizes.split(',').map(str::parse).collect::<Result<_, _>>()?;
                }
                "--sets" => options.sets = value()?.replace(['_', ','], "").parse()?,
                "--rounds" => options.rounds = value()?.parse()?,
                "--dir" => options.dir = Some(value()?.into()),
                "--keep" => options.keep = true,
                "--compare" => options.compare = Some(Earlier::read(value()?.as_ref())?),
                "--other" => options.other = Some(value()?.into()),
                "--quick" => quick = true,
                "--history" => options.history = true,
                "--hostile" => options.hostile = hostile::LINES,
                // cargo says this to every benchmark.
                "--bench" => {}
                "--help" | "-h" => return Ok(None),
                other => bail!("{other} is not known: {USAGE}"),
            }
        }
        if quick {
            options.records = options.records.min(QUICK);
            options.hostile /= 16;
        }
        let is_usual = |records: &u64| (1000..=100_000_000).contains(records);
        if !is_usual(&options.records) || !options.scale.iter().all(is_usual) {
            bail!("from 1,000 to 100,000,000 records");
        }
        Ok(Some(options))
    }
}

fn main() -> Result<()> {
    let Some(mut options) = Options::read(std::env::args().skip(1))? else {
        writeln!(io::stdout(), "{USAGE}")?;
        return Ok(());
    };
    let temporary = tempfile::tempdir()?;
    let dir = options.dir.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(dir)?;
    let home = dir.join("home");
    let compare = options.compare.take();
    let done = if options.history {
        history::strip(options.records, dir, &home)
    } else if options.sets > 0 {
        sets::sets(options.sets, options.rounds, dir, &home)
    } else if !options.scale.is_empty() {
        scale::sizes(&options.scale, options.rounds, dir, &home, options.keep)
    } else {
        measured(&options, dir, &home)
    };
    let done = done.and_then(|mut table| {
        if let Some(earlier) = compare {
            table.compare(earlier);
        }
        Ok(table.print()?)
    });
    // Also after a failure: nothing is left behind that was not asked for.
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    if !options.keep {
        Material::remove(dir, options.records)?;
        hostile::remove(dir, options.hostile)?;
    }
    if options.keep && options.dir.is_none() {
        say(&format!("kept in {}", temporary.keep().display()));
    }
    say(&format!("{} over their goal", done?));
    Ok(())
}

/// Measures everything.
fn measured(options: &Options, dir: &Path, home: &Path) -> Result<Table> {
    let records = options.records;
    let mut table = Table::default();
    let material = Material::make(dir, records)?;
    let day = &material.days[0];
    table.noted("records", records.to_string());
    table.noted("feed file", format!("{:.1} MB", day.bytes()? as f64 / 1e6));
    table.beside(format!(
        "{:.0} bytes a record",
        day.bytes()? as f64 / records as f64
    ));
    if let Ok(load) = fs::read_to_string("/proc/loadavg") {
        let load = load.split(' ').next().unwrap_or_default().to_owned();
        table.noted("load of the machine before", load);
    }

    let host = program::serve(&[
        (ADDRESSES, DAYS[0], &day.path),
        (ADDRESSES, DAYS[1], &material.days[1].path),
        (NETWORKS, DAYS[0], &material.networks.path),
        (HIGH_ENTROPY, DAYS[0], &material.high_entropy[0]),
        (HIGH_ENTROPY, DAYS[1], &material.high_entropy[1]),
    ])?;
    let mut program = Program::at(home.to_owned(), &host)?;
    program.other.clone_from(&options.other);
    let gzip = building::pull(&program, &material, &mut table)?;
    building::alone(&day.generator, records, gzip, dir, &mut table)?;

    building::pull_the_rest(&program)?;
    let [index, next] = DAYS.map(|day| index_of(&program, ADDRESSES, day));
    let (index, next) = (index?, next?);
    let bytes = fs::metadata(&index)?.len() as f64;
    let each = bytes / records as f64;
    let measured = format!("{each:.1} bytes a record");
    table.at_most(
        "index on disk",
        measured,
        "<= 85 bytes a record",
        each,
        85.0,
    );
    table.beside(format!(
        "{:.2} of the feed file",
        bytes / day.bytes()? as f64
    ));
    queries::ask(&index, &material, &mut table)?;
    let networks = index_of(&program, NETWORKS, DAYS[0])?;
    queries::covering(&networks, &material.networks.generator, &mut table)?;
    bulk_output::ndjson(&index, &mut table)?;
    bulk_output::exports(&index, records, &mut table)?;
    diffs::days(&[index, next], &mut table)?;
    bulk_output::answer(&program, &day.generator, &mut table)?;
    bulk_output::common(&program, &day.generator, &mut table)?;
    bulk_output::enrich(&program, &day.generator, dir, &mut table)?;
    enriched_log::in_turns(&program, &day.generator, dir, &mut table)?;
    engines::beside(&program, &material, &mut table);

    let apart = Program::at(home.join("high-entropy"), &host)?;
    let [index, reversed] = building::pull_high_entropy(&apart, &material, records, &mut table)?;
    diffs::reversed_lists(&index, &reversed, &mut table)?;
    if options.hostile > 0 {
        let pulled = hostile::pull(&home.join("hostile"), dir, options.hostile, &mut table);
        if let Err(error) = pulled {
            // After minutes of work the other rows are worth printing.
            table.failed("hostile feed", &format!("{error:#}"));
        }
    }
    Ok(table)
}

/// Where the index of a feed and a day lies.
fn index_of(program: &Program, feed: Feed, day: &str) -> Result<PathBuf> {
    let cache = Cache::new(&program.paths().cache);
    let releases = cache.releases(feed, Format::Json)?.0;
    let release = releases
        .iter()
        .find(|release| release.manifest.moment.to_string() == day)
        .with_context(|| format!("{feed} of {day} was not pulled"))?;
    release.index().context("the release has no index")
}

/// Says on standard error what is going on.
fn say(text: &str) {
    // Whoever closes it does not want to know.
    let _ = writeln!(io::stderr(), "{text}");
}
