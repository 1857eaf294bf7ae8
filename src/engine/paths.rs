//! The directories of this program: configuration, cache and state, each of mode 0700.

use std::{
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use super::error::{Error, ErrorContext, Kind, Result};
use crate::store::{
    Folder,
    folder::{Durability, Unsafe, if_there},
};

/// The three directories. XDG on Linux, the platform's own places elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// `config.toml` and the token file.
    pub config: PathBuf,
    /// Downloaded feeds.
    pub cache: PathBuf,
    /// Trail, ledger, what the hosts said.
    pub state: PathBuf,
}

impl Paths {
    /// The directories that environment and platform name.
    ///
    /// # Errors
    /// When there is no home directory and not all three are set.
    pub fn of_environment() -> Result<Self> {
        let place = |variable: &str, usual: Option<PathBuf>| {
            let set = env::var_os(variable)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from);
            set.or(usual).ok_or_else(|| {
                Error::new(Kind::Machine, "there is no home directory to keep files in")
                    .hint(format!("set {variable}"))
            })
        };
        let [config, cache, state] = match Self::usual() {
            Some(usual) => [usual.config, usual.cache, usual.state].map(Some),
            None => [None, None, None],
        };
        Ok(Self {
            config: place("IPSPECT_CONFIG_DIR", config)?,
            cache: place("IPSPECT_CACHE_DIR", cache)?,
            state: place("IPSPECT_STATE_DIR", state)?,
        })
    }

    /// The directories where the environment names none; none without a home directory.
    #[must_use]
    pub fn usual() -> Option<Self> {
        let dirs = directories::ProjectDirs::from("", "", "ipspect")?;
        Some(Self {
            config: dirs.config_dir().to_owned(),
            cache: dirs.cache_dir().to_owned(),
            state: dirs.state_dir().unwrap_or(dirs.data_local_dir()).to_owned(),
        })
    }

    /// Refuses cache and state where others could put files in place of ours.
    ///
    /// # Errors
    /// A folder that is writable by everyone or belongs to another user, with a hint.
    pub fn check(&self) -> Result<()> {
        for path in [&self.cache, &self.state] {
            let Err(error) = Folder::root(path) else {
                continue;
            };
            // Other failures are reported where the folder is used.
            if let Some(Unsafe::OpenToAll | Unsafe::OfAnother) = Unsafe::behind(&error) {
                return Err(Error::machine_at("use", path, &error));
            }
        }
        Ok(())
    }

    /// The same places, each in a folder of its own for invented data, so that it never mixes with real data.
    #[must_use]
    pub fn for_demo(self) -> Self {
        Self {
            cache: self.cache.join("demo"),
            state: self.state.join("demo"),
            ..self
        }
    }
}

/// Makes a folder and its parents, all of mode 0700.
///
/// # Errors
/// A failure of this machine, for a folder into which others may write too.
pub fn make_dir(path: &Path) -> Result<()> {
    Folder::make_root(path).map(drop).at("make", path)
}

/// Writes a small file of mode 0600 whole: beside it first, then by rename. It is on the disk when this returns. The
/// folder may be reached through links, the file not.
///
/// # Errors
/// A failure of this machine.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let (folder, name) = split(path);
    Folder::make_root(folder)
        .and_then(|folder| folder.replace(name, bytes, Durability::Synced))
        .at("write", path)
}

/// The permission bits of a folder, 0 where the system has none; `None` if it does not exist. Changes nothing.
///
/// # Errors
/// Why it cannot be used or written in.
pub fn inspect(path: &Path) -> Result<Option<u32>> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = path.ancestors().skip(1).find(|above| above.exists());
            if let Some(above) = above {
                writable(above).at("make", path)?;
            }
            return Ok(None);
        }
        metadata => metadata.at("read", path)?,
    };
    if !metadata.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into()).at("use", path);
    }
    let folder = Folder::root(path).at("use", path)?;
    folder.unnamed().at("write in", path)?;
    #[cfg(unix)]
    let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777;
    #[cfg(not(unix))]
    let mode = 0;
    Ok(Some(mode))
}

/// Tries to make a file without a name in a folder.
fn writable(folder: &Path) -> io::Result<()> {
    tempfile::tempfile_in(folder).map(drop)
}

/// Looks whether a file can be added to, without changing it; what is not there can.
///
/// # Errors
/// Why it cannot be written.
pub fn inspect_file(path: &Path) -> Result<()> {
    let (folder, name) = split(path);
    let opened = Folder::root(folder).and_then(|folder| folder.open_present(name));
    if_there(opened).map(drop).at("write", path)
}

/// The folder and the name of a file.
pub(super) fn split(path: &Path) -> (&Path, &OsStr) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    (
        folder.unwrap_or(Path::new(".")),
        path.file_name().unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_written_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().expect("directory");
        let path = root.path().join("a/b/file");
        write_whole(&path, b"one").expect("write");
        write_whole(&path, b"two").expect("write again");
        let mode = |path: &Path| fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
        assert_eq!(
            (mode(&path), mode(path.parent().expect("parent"))),
            (0o600, 0o700)
        );
        assert_eq!(fs::read(&path).expect("file"), b"two");
    }
}
