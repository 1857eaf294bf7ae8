//! The files that are measured on: two days of a feed, networks, and two days of a feed that repeats little. Made once and
//! kept where they are kept.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use flate2::{Compression, write::GzEncoder};

use super::{
    generator::{About, Generator},
    high_entropy::HighEntropyFeed,
    reversed_lists::reverse_lists,
    say,
};

/// One seed, so that runs compare.
const SEED: u64 = 20_261_120;
/// As the service compresses, about.
const LEVEL: u32 = 6;
/// The files of the feed that repeats little.
const HIGH_ENTROPY: [&str; 2] = ["high-entropy", "high-entropy-reversed"];

/// A feed file and what it was made from.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) path: PathBuf,
    pub(crate) generator: Generator,
}

impl Feed {
    /// Its compressed length.
    pub(crate) fn bytes(&self) -> Result<u64> {
        Ok(fs::metadata(&self.path)?.len())
    }
}

/// All files.
#[derive(Debug)]
pub(crate) struct Material {
    /// Addresses on two days.
    pub(crate) days: [Feed; 2],
    /// IPv6 networks, a quarter as many.
    pub(crate) networks: Feed,
    /// The feed that repeats little: a day, and a day with the same records whose lists are reversed.
    pub(crate) high_entropy: [PathBuf; 2],
}

impl Material {
    /// Makes what is not in the folder.
    pub(crate) fn make(dir: &Path, records: u64) -> Result<Self> {
        let first = Generator::new(About::Addresses, SEED, records);
        let next = first.next_day();
        let networks = Generator::new(About::Networks, SEED, (records / 4).max(1));
        let high_entropy = HighEntropyFeed(first.clone());
        let paths = HIGH_ENTROPY.map(|name| file(dir, name, records));
        for (path, reversed) in paths.iter().zip([false, true]) {
            gzipped(path, 5, |out| {
                write_high_entropy(&high_entropy, records, reversed, out)
            })?;
        }
        Ok(Self {
            high_entropy: paths,
            days: [
                made(file(dir, "day-1", records), first)?,
                made(file(dir, "day-2", records), next)?,
            ],
            networks: made(file(dir, "networks", records), networks)?,
        })
    }

    /// Makes the first day alone.
    pub(crate) fn day(dir: &Path, records: u64) -> Result<Feed> {
        let first = Generator::new(About::Addresses, SEED, records);
        made(file(dir, "day-1", records), first)
    }

    /// Removes what was made in the folder.
    pub(crate) fn remove(dir: &Path, records: u64) -> io::Result<()> {
        let names = ["day-1", "day-2", "networks"];
        for name in names.into_iter().chain(HIGH_ENTROPY) {
            match fs::remove_file(file(dir, name, records)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

fn file(dir: &Path, name: &str, records: u64) -> PathBuf {
    dir.join(format!("{name}-{records}.json.gz"))
}

fn made(path: PathBuf, generator: Generator) -> Result<Feed> {
    if !path.exists() {
        say(&format!("making {}", path.display()));
        let part = path.with_extension("part");
        let file = BufWriter::new(File::create(&part)?);
        let mut gzip = GzEncoder::new(file, Compression::new(LEVEL));
        generator.write(&mut gzip)?;
        gzip.finish()?.into_inner()?.sync_all()?;
        fs::rename(&part, &path)?;
    }
    Ok(Feed { path, generator })
}

fn write_high_entropy(
    feed: &HighEntropyFeed,
    records: u64,
    reversed: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let (mut line, mut other) = (Vec::new(), Vec::new());
    for number in 0..records {
        line.clear();
        feed.line(number, &mut line)?;
        if reversed {
            other.clear();
            reverse_lists(&line, &mut other);
            ensure!(line != other, "record {number} has no list to reverse");
            out.write_all(&other)?;
        } else {
            out.write_all(&line)?;
        }
    }
    Ok(())
}

/// Makes a file of what is written by piping it through `gzip` of this level, unless the file exists.
pub(crate) fn gzipped(
    path: &Path,
    level: u8,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    say(&format!("making {}", path.display()));
    let part = path.with_extension("part");
    let mut gzip = Command::new("gzip")
        .args(["-n", "-c", &format!("-{level}")])
        .stdin(Stdio::piped())
        .stdout(File::create(&part)?)
        .spawn()
        .context("gzip was not started")?;
    let input = gzip.stdin.take().context("gzip has no standard input")?;
    let mut input = BufWriter::with_capacity(1 << 20, input);
    write(&mut input)?;
    input.flush()?;
    drop(input);
    let status = gzip.wait()?;
    ensure!(status.success(), "gzip ended with {status}");
    fs::rename(&part, path)?;
    Ok(())
}
