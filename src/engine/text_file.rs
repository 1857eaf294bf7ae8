//! A text file of a person's own choice: a log, a list, a note with addresses in it.

use std::path::PathBuf;

use super::error::{Error, ErrorContext, Kind, Result};
use crate::store::folder::{Unsafe, read_users_file};

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
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok((path, text))
        }
        Ok(None) => Err(refused("there is no such file").hint("name a text file")),
        Err(error) if Unsafe::behind(&error) == Some(Unsafe::TooLong) => Err(refused(
            "longer than 64 MiB: `ipspect enrich` reads it line by line",
        )),
        Err(error) => Err(error).at("read", &path),
    }
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
