//! `--resume`: what an earlier run has answered, by the JSON lines that it printed.
//!
//! A line that was cut off is no answer. Where the output goes on behind it in the same file, it is cut away first.

use std::{
    collections::HashSet,
    fs::File,
    io::{self, BufRead, BufReader},
    os::unix::fs::MetadataExt,
    path::Path,
};

use crate::{
    engine::{Error, Kind, Result},
    investigation::earlier_run::{AddressOfDay, BEGINNING, EarlierAnswer, EarlierLine},
};
use rustix::fs::{OFlags, fcntl_getfl};

/// The addresses with an answer in this file, each with the day of its events if it has one. Queries that failed or were not sent have
/// none; nor has an address without a local record, where this run `spends` queries.
///
/// # Errors
/// [`Kind::NotFound`], [`Kind::Usage`] for a file that is no output of `enrich`, [`Kind::Machine`].
pub(super) fn answered_in(path: &Path, spends: bool) -> Result<HashSet<AddressOfDay>> {
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
            let length = line.len().min(BEGINNING.len());
            if line[..length] != BEGINNING[..length] {
                return Err(not_ours(path));
            }
            if is_output {
                cut(path, whole).map_err(|error| Error::machine_at("shorten", path, &error))?;
            }
            break;
        }
        whole += length as u64;
        let line = EarlierLine::read(&line).ok_or_else(|| not_ours(path))?;
        done.extend(line.about.filter(|_| !is_open(&line.answer, spends)));
    }
    Ok(done)
}

/// Whether an answer leaves the address to this run.
fn is_open(answer: &EarlierAnswer, spends: bool) -> bool {
    match answer {
        EarlierAnswer::Open => true,
        EarlierAnswer::UnknownDay | EarlierAnswer::Nothing { is_local: true } => spends,
        EarlierAnswer::Nothing { is_local: false } | EarlierAnswer::Record(..) => false,
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
    use std::{fs, net::IpAddr};

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
        let done = answered_in(&path, false).expect("read");
        let address: IpAddr = "198.51.100.7".parse().expect("an address");
        let day = "20261120".parse().ok();
        assert_eq!(done, HashSet::from([(address, None), (address, day)]));
        assert_eq!(fs::read_to_string(&path).expect("as before"), text);
        assert_eq!(answered_in(&path, true), Ok(HashSet::new()));
        for other in ["{\"query\":\"log\"}\n", "my only copy", "{\"my\":\"copy\"}"] {
            fs::write(&path, other).expect("write");
            let read = answered_in(&path, true).map_err(|own| own.kind);
            assert_eq!(read, Err(Kind::Usage), "{other}");
        }
        let none = dir.path().join("none");
        assert_eq!(
            answered_in(&none, true).map_err(|own| own.kind),
            Err(Kind::NotFound)
        );
    }
}
