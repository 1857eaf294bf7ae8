//! The files that are measured on: two days of a feed and networks, made once and kept where they are kept.

use std::{
    fs::{self, File},
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

use anyhow::Result;
use flate2::{Compression, write::GzEncoder};

use super::{
    generator::{About, Generator},
    say,
};

/// One seed, so that runs compare.
const SEED: u64 = 20_261_120;
/// As the service compresses, about.
const LEVEL: u32 = 6;

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
}

impl Material {
    /// Makes what is not in the folder.
    pub(crate) fn make(dir: &Path, records: u64) -> Result<Self> {
        let first = Generator::new(About::Addresses, SEED, records);
        let next = first.next_day();
        let networks = Generator::new(About::Networks, SEED, (records / 4).max(1));
        Ok(Self {
            days: [
                made(file(dir, "day-1", records), first)?,
                made(file(dir, "day-2", records), next)?,
            ],
            networks: made(file(dir, "networks", records), networks)?,
        })
    }

    /// Removes what was made in the folder.
    pub(crate) fn remove(dir: &Path, records: u64) -> io::Result<()> {
        for name in ["day-1", "day-2", "networks"] {
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
