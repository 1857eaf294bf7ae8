//! Sets of many networks beside `iprange`: read and aggregated, intersected, subtracted; both print all networks.

use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    net::{Ipv4Addr, Ipv6Addr},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::Result;
use fastrand::Rng;

use super::{
    measure::{Times, ratio, shown, watch},
    program::Program,
    table::Table,
};

/// The goals: of the time of `iprange`, and of memory in bytes.
const TIME: f64 = 0.5;
const MEMORY: u64 = 256 << 20;

/// Measures sets of so many lines, and of half as many beside them.
pub(crate) fn sets(lines: u64, rounds: usize, dir: &Path, home: &Path) -> Result<Table> {
    let mut table = Table::default();
    let program = Program::at(home.to_owned(), "http://127.0.0.1:9")?;
    let paths: Vec<PathBuf> = [(4, lines), (4, lines / 2), (6, lines)]
        .into_iter()
        .enumerate()
        .map(|(at, (family, lines))| list(&dir.join(format!("set-{at}")), family, lines, at as u64))
        .collect::<Result<_>>()?;
    let [a, b, v6] = [0, 1, 2].map(|at| paths[at].display().to_string());
    for (what, own, peer) in [
        (
            "aggregated",
            vec!["match", &a, &a, "--intersect"],
            Some(vec![&*a, "--optimize"]),
        ),
        (
            "intersected",
            vec!["match", &a, &b],
            Some(vec![&*a, "--common", &b]),
        ),
        (
            "subtracted",
            vec!["match", &a, &b, "--subtract"],
            Some(vec![&*a, "--except", &b]),
        ),
        (
            "IPv6 aggregated",
            vec!["match", &v6, &v6, "--intersect"],
            None,
        ),
    ] {
        let (mut times, mut theirs, mut peak) = (Times::default(), Times::default(), None);
        let mut why = "no peer has IPv6".to_owned();
        for _ in 0..rounds {
            // One list is read twice where another tool reads it once: it comes by standard input to a list to block by instead.
            let ran = if what.ends_with("aggregated") {
                let mut command =
                    program.command(&["blocklist", "-", "--as", "edl", "-o", "-", "-q"]);
                watch(command.stdin(File::open(own[1])?))?
            } else {
                watch(&mut program.command(&[&own[..], &["-q"]].concat()))?
            };
            times.add(ran.took);
            peak = ran.peak.max(peak);
            if let Some(words) = &peer {
                match watch(Command::new("iprange").args(words).stderr(Stdio::null())) {
                    Ok(ran) => theirs.add(ran.took),
                    Err(error) => why = format!("iprange: {error}"),
                }
            }
        }
        let name = format!("{what}: {lines} lines");
        if theirs.len() == 0 {
            table.noted(&name, shown(times.median()));
            table.beside(why);
        } else {
            let part = ratio(times.median(), theirs.median());
            table.at_most(
                &name,
                shown(times.median()),
                "<= 0.5 of iprange",
                part,
                TIME,
            );
            table.beside(format!("{part:.2} of {}", shown(theirs.median())));
        }
        if let Some(peak) = peak {
            let mib = format!("{} MiB", peak >> 20);
            table.at_most(
                "  its memory",
                mib,
                "<= 256 MiB",
                peak as f64,
                MEMORY as f64,
            );
        }
    }
    for path in paths {
        fs::remove_file(path)?;
    }
    Ok(table)
}

/// Writes a list of networks and addresses, half of them lone addresses.
fn list(path: &Path, family: u8, lines: u64, seed: u64) -> Result<PathBuf> {
    const LENGTHS: [u8; 6] = [0, 0, 0, 2, 4, 8];
    let mut out = BufWriter::new(File::create(path)?);
    let mut rng = Rng::with_seed(seed);
    for _ in 0..lines {
        let bits = LENGTHS[rng.usize(..LENGTHS.len())];
        if family == 4 {
            let address = Ipv4Addr::from_bits(rng.u32(..) >> bits << bits);
            writeln!(out, "{address}/{}", 32 - bits)?;
        } else {
            let address =
                Ipv6Addr::from_bits((0x2001_0db8 << 96 | rng.u128(..) >> 32) >> bits << bits);
            writeln!(out, "{address}/{}", 128 - bits)?;
        }
    }
    out.flush()?;
    Ok(path.to_owned())
}
