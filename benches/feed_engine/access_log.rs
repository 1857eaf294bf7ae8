//! A log of requests, whose addresses a feed knows or not.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use anyhow::Result;
use fastrand::Rng;

use super::generator::{Generator, mix};

/// Different addresses in it, every second one of the feed.
const DISTINCT: u64 = 200_000;

/// A log of requests.
pub(crate) fn write(file: &Path, lines: u64, generator: &Generator) -> Result<()> {
    const PATHS: [&str; 4] = ["/", "/login", "/wp-login.php", "/api/v1/items"];
    const AGENTS: [&str; 3] = [
        "curl/8.5.0",
        "python-requests/2.32.3",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
    ];
    let mut out = BufWriter::new(File::create(file)?);
    let mut rng = Rng::with_seed(11);
    let records = generator.numbers().end;
    for line in 0..lines {
        let number = rng.u64(..DISTINCT);
        let address = generator.address(mix(number) % records + number % 2 * records);
        let minute = line * 1440 / lines;
        writeln!(
            out,
            r#"{address} - - [20/Nov/2026:{:02}:{:02}:{:02} +0000] "GET {} HTTP/1.1" {} {} "-" "{}""#,
            minute / 60,
            minute % 60,
            line % 60,
            PATHS[rng.usize(..PATHS.len())],
            [200, 200, 304, 404][rng.usize(..4)],
            rng.u16(..),
            AGENTS[rng.usize(..AGENTS.len())],
        )?;
    }
    out.flush()?;
    Ok(())
}
