//! Download, check and index, beside `gzip -dc` of the same file.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::Result;
use ipspect::{contract::Feed, store::index::build::Building};

use super::{
    generator::Generator,
    index_of,
    material::Material,
    measure::{Times, ratio, run, shown, time, watch},
    program::{DAYS, Program},
    say,
    table::Table,
};

/// The feeds of the catalogue that the days, the networks and the feed that repeats little are served as.
pub(crate) const ADDRESSES: Feed = Feed::AnonymousResidential;
pub(crate) const NETWORKS: Feed = Feed::AnonymousResidentialIpv6;
pub(crate) const HIGH_ENTROPY: Feed = Feed::Anonymous;

/// How often each of the two is run, in turns.
const ROUNDS: usize = 5;
/// The index alone is built from memory, from at most so many records.
const IN_MEMORY: u64 = 1_000_000;
/// Blocks as the download hands them over.
const BLOCK: usize = 1 << 20;

/// What pulling a feed takes beside `gzip -dc` of its file.
#[derive(Debug)]
pub(crate) struct Pulled {
    pub(crate) gzip: Duration,
    pub(crate) pull: Duration,
    /// That of the other build, if there is one.
    other: Option<Duration>,
    /// The time of processors that the pull took, that of `gzip -dc`, and that of the other build; where the system tells.
    pub(crate) processors: [Option<Duration>; 3],
    /// The most memory of the program, in bytes; where the system tells.
    pub(crate) peak: Option<u64>,
}

impl Pulled {
    /// Pulls the latest day of a feed in turns with `gzip -dc` of its file, and takes the medians.
    pub(crate) fn in_turns(
        program: &Program,
        feed: Feed,
        file: &Path,
        rounds: usize,
    ) -> Result<Self> {
        let (mut gzip, mut pull, mut other) =
            (Times::default(), Times::default(), Times::default());
        let words = ["feeds", "pull", feed.name(), "-q"];
        let mut processors = [(); 3].map(|()| Times::default());
        let mut peak = None;
        for round in 1..=rounds {
            say(&format!(
                "gzip -dc and feeds pull {feed}, round {round} of {rounds}"
            ));
            let ran = watch(Command::new("gzip").arg("-dc").arg(file))?;
            gzip.add(ran.took);
            processors[1].add_known(ran.processors);
            if let Some(mut command) = program.other_command(&words) {
                program.forget()?;
                let ran = watch(&mut command)?;
                other.add(ran.took);
                processors[2].add_known(ran.processors);
            }
            program.forget()?;
            let ran = watch(&mut program.command(&words))?;
            pull.add(ran.took);
            processors[0].add_known(ran.processors);
            peak = ran.peak.max(peak);
        }
        Ok(Self {
            processors: processors.map(|times| (times.len() > 0).then(|| times.median())),
            gzip: gzip.median(),
            pull: pull.median(),
            other: (other.len() > 0).then(|| other.median()),
            peak,
        })
    }

    /// The rows, with `indent` before those that have none.
    pub(crate) fn rows(&self, indent: &str, table: &mut Table) {
        table.noted(&format!("{indent}gzip -dc of the file"), shown(self.gzip));
        let times = ratio(self.pull, self.gzip);
        let what = format!("{indent}pull: download, verify, index");
        table.at_most(&what, shown(self.pull), "<= 0.9 of gzip -dc", times, 0.9);
        let of_other = self.other.map(|other| ratio(self.pull, other));
        let of_other = of_other.map(|times| format!(", {times:.2} of the other build"));
        table.beside(format!(
            "{times:.2} of gzip -dc{}",
            of_other.unwrap_or_default()
        ));
        let [own, of_gzip, of_other] = self.processors;
        let of_gzip = own.zip(of_gzip).map(|(own, gzip)| ratio(own, gzip));
        let of_other = own.zip(of_other).map(|(own, other)| ratio(own, other));
        let what = format!("{indent}  time of processors");
        match of_gzip {
            Some(times) => {
                let measured = format!("{times:.2} of gzip -dc");
                table.at_most(&what, measured, "<= 1.1 of gzip -dc", times, 1.1);
                if let Some(times) = of_other {
                    table.beside(format!("{times:.2} of the other build"));
                }
            }
            None => table.missing(&what, "the system does not tell"),
        }
        most_memory(self.peak, 512, table);
    }
}

/// The row of the most memory, with a goal in MiB.
pub(crate) fn most_memory(peak: Option<u64>, goal: u32, table: &mut Table) {
    let Some(peak) = peak else {
        return table.missing("  most memory", "the system does not tell");
    };
    let mib = peak as f64 / f64::from(1 << 20);
    let (measured, bar) = (format!("{mib:.0} MiB"), format!("<= {goal} MiB"));
    table.at_most("  most memory", measured, &bar, mib, goal.into());
}

/// Pulls the latest day in turns with `gzip -dc`; returns the median time of that.
pub(crate) fn pull(program: &Program, material: &Material, table: &mut Table) -> Result<Duration> {
    let pulled = Pulled::in_turns(program, ADDRESSES, &material.days[0].path, ROUNDS)?;
    pulled.rows("", table);
    let gzip = pulled.gzip;
    for (what, command) in [
        ("reindex from the file", "reindex"),
        ("verify of the file", "verify"),
    ] {
        let words = ["feeds", command, ADDRESSES.name(), "-q"];
        if let Err(error) = beside_gzip(program, what, &words, gzip, table) {
            table.missing(what, &error.to_string());
        }
    }
    Ok(gzip)
}

/// A command of the program, in turns with the other build if there is one.
fn beside_gzip(
    program: &Program,
    what: &str,
    words: &[&str],
    gzip: Duration,
    table: &mut Table,
) -> Result<()> {
    let (mut own, mut other) = (Times::default(), Times::default());
    for _ in 0..ROUNDS {
        if let Some(mut command) = program.other_command(words) {
            other.add(run(&mut command)?.took);
        }
        own.add(run(&mut program.command(words))?.took);
    }
    let own = own.median();
    let mut beside = format!("{:.2} of gzip -dc", ratio(own, gzip));
    if other.len() > 0 {
        beside.push_str(&format!(
            ", {:.2} of the other build",
            ratio(own, other.median())
        ));
    }
    table.noted(what, shown(own));
    table.beside(beside);
    Ok(())
}

/// Pulls both days of the feed that repeats little, the first in turns with `gzip -dc`, and gives their indexes.
pub(crate) fn pull_high_entropy(
    program: &Program,
    material: &Material,
    records: u64,
    table: &mut Table,
) -> Result<[PathBuf; 2]> {
    let file = &material.high_entropy[0];
    let each =
        |path: &Path| -> Result<f64> { Ok(fs::metadata(path)?.len() as f64 / records as f64) };
    let size = each(file)?;
    table.at_most(
        "high-entropy feed file",
        format!("{size:.1} bytes a record"),
        "82 to 90 bytes a record",
        (size - 86.0).abs(),
        4.0,
    );
    Pulled::in_turns(program, HIGH_ENTROPY, file, ROUNDS)?.rows("  ", table);
    let day = [
        "feeds",
        "pull",
        HIGH_ENTROPY.name(),
        "--date",
        DAYS[1],
        "-q",
    ];
    run(&mut program.command(&day))?;
    let [index, reversed] = DAYS.map(|day| index_of(program, HIGH_ENTROPY, day));
    let index = index?;
    let bytes = each(&index)?;
    table.noted("  index on disk", format!("{bytes:.1} bytes a record"));
    table.beside(format!("{:.2} of the feed file", bytes / size));
    Ok([index, reversed?])
}

/// Pulls what else is asked later: the second day, and the networks.
pub(crate) fn pull_the_rest(program: &Program) -> Result<()> {
    say("pulling the second day and the networks");
    let day = ["feeds", "pull", ADDRESSES.name(), "--date", DAYS[1], "-q"];
    run(&mut program.command(&day))?;
    run(&mut program.command(&["feeds", "pull", NETWORKS.name(), "-q"]))?;
    Ok(())
}

/// Builds the index alone, from lines in memory. `gzip` is the time of `gzip -dc` for all `records`.
pub(crate) fn alone(
    generator: &Generator,
    records: u64,
    gzip: Duration,
    dir: &Path,
    table: &mut Table,
) -> Result<()> {
    let taken = records.min(IN_MEMORY);
    say(&format!("building an index of {taken} records from memory"));
    let mut blocks = vec![Vec::with_capacity(BLOCK)];
    for number in 0..taken {
        if let Some(block) = blocks.last_mut() {
            generator.line(number, block);
            if block.len() > BLOCK {
                blocks.push(Vec::with_capacity(BLOCK));
            }
        }
    }
    let file = dir.join("alone.index");
    let (took, built) = time(|| {
        let mut building = Building::begin(&file)?;
        for block in blocks {
            building.lines(block)?;
        }
        building.finish(&mut |_, _| ())
    });
    anyhow::ensure!(built?.records == taken, "records were lost");
    fs::remove_file(&file)?;
    let each = took.as_secs_f64() * 1e9 / taken as f64;
    table.noted("index alone, from memory", format!("{each:.0} ns a record"));
    let part = gzip.mul_f64(taken as f64 / records as f64);
    table.beside(format!("{:.2} of gzip -dc", ratio(took, part)));
    Ok(())
}
