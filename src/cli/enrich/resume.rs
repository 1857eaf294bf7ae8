//! `--resume`: what an earlier run has answered, by the JSON lines that it printed.
//!
//! A line that was cut off is no answer. Where the output goes on behind it in the same file, it is cut away first.

use std::{
    collections::HashSet,
    fs::File,
    io::{self, BufRead, BufReader},
    net::IpAddr,
    os::unix::fs::MetadataExt,
    path::Path,
};

use rustix::fs::{OFlags, fcntl_getfl};
use serde_json::Value;

use crate::{
    engine::{Error, Kind, Result},
    model::Day,
};

/// An address, and the day of its events if it comes once for each.
pub(super) type AddressOfDay = (IpAddr, Option<Day>);

/// The addresses with an answer in this file, each with the day of its events if it has one. Queries that failed or were not sent have
/// none.
///
/// # Errors
/// [`Kind::NotFound`], [`Kind::Usage`] for a file that is no output of `enrich`, [`Kind::Machine`].
pub(super) fn answered_in(path: &Path) -> Result<HashSet<AddressOfDay>> {
    let failed = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            let message = format!("--resume: there is no file {}", path.display());
            Error::new(Kind::NotFound, message).hint("leave --resume out for a first run")
        }
        _ => Error::machine_at("read", path, error),
    };
    let file = File::open(path).map_err(|error| failed(&error))?;
    let is_output = is_output(&file).map_err(|error| failed(&error))?;
    let mut done = HashSet::new();
    let mut lines = BufReader::new(file);
    let (mut line, mut whole) = (Vec::new(), 0);
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line);
        let length = length.map_err(|error| failed(&error))?;
        if length == 0 {
            break;
        }
        if line.last() != Some(&b'\n') {
            if is_output {
                cut(path, whole).map_err(|error| Error::machine_at("shorten", path, &error))?;
            }
            break;
        }
        whole += length as u64;
        let (answered, is_open) = row(&line).ok_or_else(|| not_ours(path))?;
        done.extend(answered.filter(|_| !is_open));
    }
    Ok(done)
}

/// What a line is about, unless that is a text that could not be read, and whether it has no answer; `None` for a line of another kind.
fn row(line: &[u8]) -> Option<(Option<AddressOfDay>, bool)> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let query = line.get("query")?.as_str()?;
    let is_open = line.get("error").is_some() || line.get("left_out").is_some();
    let day = match line.get("event_day") {
        Some(day) => Some(day.as_str()?.parse().ok()?),
        None => None,
    };
    match query.parse() {
        Ok(address) => Some((Some((address, day)), is_open)),
        Err(_) => is_open.then_some((None, true)),
    }
}

/// Whether standard output appends to this very file.
fn is_output(file: &File) -> io::Result<bool> {
    let (own, output) = (file.metadata()?, rustix::fs::fstat(io::stdout())?);
    if (own.dev(), own.ino()) != (output.st_dev, output.st_ino) {
        return Ok(false);
    }
    if fcntl_getfl(io::stdout())?.contains(OFlags::APPEND) {
        return Ok(true);
    }
    Err(io::Error::other(
        "it is the output, and the shell has emptied it: append with >>",
    ))
}

fn cut(path: &Path, length: u64) -> io::Result<()> {
    File::options().write(true).open(path)?.set_len(length)
}

fn not_ours(path: &Path) -> Error {
    let message = format!(
        "--resume: {} is not the JSON of `ipspect enrich`",
        path.display()
    );
    Error::new(Kind::Usage, message)
        .hint("give it the file that `ipspect enrich --format json` wrote")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_failed_was_left_out_or_is_cut_off_has_no_answer() {
        let dir = tempfile::tempdir().expect("directory");
        let path = dir.path().join("out");
        let text = "{\"query\":\"198.51.100.7\",\"record\":null}\n\
            {\"query\":\"198.51.100.8\",\"error\":{\"kind\":\"quota\"}}\n\
            {\"query\":\"198.51.100.9\",\"left_out\":true,\"record\":null}\n\
            {\"query\":\"log.1\",\"error\":{\"kind\":\"machine\"}}\n\
            {\"query\":\"198.51.100.7\",\"event_day\":\"20261120\",\"record\":null}\n\
            {\"query\":\"198.51.100.10\",\"rec";
        fs::write(&path, text).expect("write");
        let done = answered_in(&path).expect("read");
        let address: IpAddr = "198.51.100.7".parse().expect("an address");
        let day = "20261120".parse().ok();
        assert_eq!(done, HashSet::from([(address, None), (address, day)]));
        assert_eq!(fs::read_to_string(&path).expect("as before"), text);
        fs::write(&path, "{\"query\":\"log\"}\n").expect("write");
        assert_eq!(answered_in(&path).map_err(|own| own.kind), Err(Kind::Usage));
        let none = dir.path().join("none");
        assert_eq!(
            answered_in(&none).map_err(|own| own.kind),
            Err(Kind::NotFound)
        );
    }
}
