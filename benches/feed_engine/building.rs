//! Download, check and index, beside `gzip -dc` of the same file.

use std::{fs, path::Path, process::Command, time::Duration};

use anyhow::Result;
use ipspect::{contract::Feed, store::index::build::Building};

use super::{
    generator::Generator,
    material::Material,
    measure::{Times, ratio, run, shown, time, watch},
    program::{DAYS, Program},
    say,
    table::Table,
};

/// The feed that the days are of, and the one that the networks are of.
pub(crate) const ADDRESSES: Feed = Feed::AnonymousResidential;
pub(crate) const NETWORKS: Feed = Feed::AnonymousResidentialIpv6;

/// How often each of the two is run, in turns.
const ROUNDS: usize = 3;
/// The index alone is built from memory, from at most so many records.
const IN_MEMORY: u64 = 1_000_000;
/// Blocks as the download hands them over.
const BLOCK: usize = 1 << 20;

/// Pulls the latest day in turns with `gzip -dc`; gives the median time of that.
pub(crate) fn pull(program: &Program, material: &Material, table: &mut Table) -> Result<Duration> {
    let day = &material.days[0];
    let (mut gzip, mut pull, mut reindex) = (Times::default(), Times::default(), Times::default());
    let mut peak = None;
    for round in 1..=ROUNDS {
        say(&format!(
            "gzip -dc and feeds pull, round {round} of {ROUNDS}"
        ));
        gzip.add(watch(Command::new("gzip").arg("-dc").arg(&day.path))?.took);
        program.forget()?;
        let ran = watch(&mut program.command(&["feeds", "pull", ADDRESSES.name(), "-q"]))?;
        pull.add(ran.took);
        peak = ran.peak.max(peak);
    }
    let gzip = gzip.median();
    table.noted("gzip -dc of the file", shown(gzip));
    let (took, bar) = (pull.median(), 0.9);
    let times = ratio(took, gzip);
    let what = "pull: download, verify, index";
    table.at_most(what, shown(took), "<= 0.9 of gzip -dc", times, bar);
    table.beside(format!("{times:.2} of gzip -dc"));
    match peak {
        Some(peak) => {
            let mib = peak as f64 / f64::from(1 << 20);
            table.at_most(
                "  most memory",
                format!("{mib:.0} MiB"),
                "<= 512 MiB",
                mib,
                512.0,
            );
        }
        None => table.missing("  most memory", "the system does not tell"),
    }
    for _ in 0..ROUNDS {
        let words = ["feeds", "reindex", ADDRESSES.name(), "-q"];
        match run(&mut program.command(&words)) {
            Ok(ran) => reindex.add(ran.took),
            Err(error) => {
                table.missing("reindex from the file", &error.to_string());
                return Ok(gzip);
            }
        }
    }
    table.noted("reindex from the file", shown(reindex.median()));
    table.beside(format!("{:.2} of gzip -dc", ratio(reindex.median(), gzip)));
    Ok(gzip)
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
