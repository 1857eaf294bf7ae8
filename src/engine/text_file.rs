//! A text file of a person's own choice: a log, a list, a note with addresses in it.

use std::{io::Read as _, path::PathBuf};

use super::error::{Error, ErrorContext, Kind, Result};
use crate::store::folder::{Unsafe, open_users_file, read_users_file};

/// The longest text that is read whole, in bytes. `ipspect enrich` reads texts of any length, line by line.
const LONGEST: u64 = 64 << 20;

/// Where a file is, and its text; `~/` stands for the home directory. What is no UTF-8 is replaced.
///
/// # Errors
/// [`Kind::Usage`] when there is no such file or it is too long; a failure of this machine.
pub fn read_text(path: &str) -> Result<(PathBuf, String)> {
    let path = at_home(path);
    let path = std::path::absolute(&path).at("read", &path)?;
    let refused = |why: &str| Error::new(Kind::Usage, format!("{}: {why}", path.display()));
    match read_users_file(&path, LONGEST) {
        Ok(Some(bytes)) => {
            let text = String::from_utf8(bytes);
            let text =
                text.unwrap_or_else(|other| String::from_utf8_lossy(other.as_bytes()).into_owned());
            Ok((path, text))
        }
        Ok(None) => Err(refused("there is no such file").hint("name a text file")),
        Err(error) if Unsafe::behind(&error) == Some(Unsafe::TooLong) => Err(refused(
            "longer than 64 MiB: `ipspect enrich` reads it line by line",
        )),
        Err(error) => Err(error).at("read", &path),
    }
}

/// Where a long file is, and the lines that begin in its first bytes, to be looked at before all of it is read; `None` where it is shorter
/// than `long`, or cannot be read: reading all of it says why.
#[must_use]
pub fn read_beginning(path: &str, long: u64, most: usize) -> Option<(PathBuf, String)> {
    let path = std::path::absolute(at_home(path)).ok()?;
    let mut file = open_users_file(&path).ok()?;
    if !(long..=LONGEST).contains(&file.metadata().ok()?.len()) {
        return None;
    }
    let mut bytes = vec![0; most];
    file.read_exact(&mut bytes).ok()?;
    let end = memchr::memrchr(b'\n', &bytes)?;
    bytes.truncate(end + 1);
    Some((path, String::from_utf8_lossy(&bytes).into_owned()))
}

/// A path as it is typed; `~/` stands for the home directory.
#[must_use]
pub fn at_home(path: &str) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_long_file_is_whole_lines_of_it() {
        let root = tempfile::tempdir().expect("directory");
        let file = root.path().join("log");
        std::fs::write(&file, b"198.51.100.7 \xff\n198.51.100.8\n".repeat(100)).expect("written");
        let read =
            |path: &std::path::Path, long| read_beginning(path.to_str().expect("a name"), long, 20);
        let (path, text) = read(&file, 1000).expect("a beginning");
        assert_eq!(
            (path, text.as_str()),
            (file.clone(), "198.51.100.7 \u{fffd}\n")
        );
        assert_eq!(read(&file, 10_000), None, "it is short");
        assert_eq!(read(root.path(), 0), None);
        assert_eq!(read(std::path::Path::new("/dev/zero"), 0), None);
    }

    #[test]
    fn a_text_is_read_and_what_is_none_is_refused() {
        let root = tempfile::tempdir().expect("directory");
        let file = root.path().join("log");
        std::fs::write(&file, b"198.51.100.77 \xff\n").expect("written");
        let read = |path: &std::path::Path| read_text(path.to_str().expect("a name"));
        assert_eq!(read(&file).expect("text").1, "198.51.100.77 \u{fffd}\n");
        let missing = read(&root.path().join("none")).expect_err("no file");
        assert_eq!(missing.kind, Kind::Usage);
        let device = read(std::path::Path::new("/dev/zero")).expect_err("a device");
        assert_eq!(device.kind, Kind::Machine);
    }
}
