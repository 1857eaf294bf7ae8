//! The directories of this program: configuration, cache and state, each of mode 0700.

use std::{
    env,
    ffi::{OsStr, OsString},
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

/// The variables that name the three directories: our own, and that of systemd for its services.
pub(super) const VARIABLES: [(&str, &str); 3] = [
    ("IPSPECT_CONFIG_DIR", "CONFIGURATION_DIRECTORY"),
    ("IPSPECT_CACHE_DIR", "CACHE_DIRECTORY"),
    ("IPSPECT_STATE_DIR", "STATE_DIRECTORY"),
];

/// The directory that systemd made for a service, the first of several. Only without `HOME`: a user's service has both, and its files are
/// where the user's own runs look for them.
pub(super) fn of_service(
    name: &str,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let is_set = |value: &OsString| !value.is_empty();
    if variable("HOME").is_some_and(|home| is_set(&home)) {
        return None;
    }
    let named = variable(name).filter(is_set)?;
    env::split_paths(&named).find(|path| path.is_absolute())
}

impl Paths {
    /// The directories that environment and platform name.
    ///
    /// # Errors
    /// When there is no home directory and not all three are set: names all that are missing.
    pub fn of_environment() -> Result<Self> {
        Self::named(&|name| env::var_os(name), Self::usual())
    }

    fn named(variable: &dyn Fn(&str) -> Option<OsString>, usual: Option<Self>) -> Result<Self> {
        let usual = match usual {
            Some(usual) => [usual.config, usual.cache, usual.state].map(Some),
            None => [None, None, None],
        };
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for ((text, service), usual) in VARIABLES.into_iter().zip(usual) {
            let set = variable(text).filter(|value| !value.is_empty());
            let set = set.map(PathBuf::from);
            match set.or_else(|| of_service(service, variable)).or(usual) {
                Some(path) => found.push(path),
                None => missing.push(text),
            }
        }
        let Ok([config, cache, state]) = <[PathBuf; 3]>::try_from(found) else {
            let message = "there is no home directory to keep files in";
            let hint = format!("set HOME, or {}", missing.join(" and "));
            return Err(Error::new(Kind::Machine, message).hint(hint));
        };
        Ok(Self {
            config,
            cache,
            state,
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

    /// The directories where these variables are set, and the platform names `/usual` or nothing.
    fn named(set: &[(&str, &str)], has_usual: bool) -> Result<[String; 3]> {
        let variable = |name: &str| {
            let own = set.iter().find(|(text, _)| *text == name);
            own.map(|(_, value)| OsString::from(value))
        };
        let usual = has_usual.then(|| Paths {
            config: "/usual/config".into(),
            cache: "/usual/cache".into(),
            state: "/usual/state".into(),
        });
        let Paths {
            config,
            cache,
            state,
        } = Paths::named(&variable, usual)?;
        Ok([config, cache, state].map(|path| path.display().to_string()))
    }

    #[test]
    fn a_service_without_a_home_keeps_its_files_in_its_own_directories() {
        let service = [
            ("CONFIGURATION_DIRECTORY", "/etc/ipspect"),
            ("CACHE_DIRECTORY", "/var/cache/ipspect:/var/cache/other"),
            ("STATE_DIRECTORY", "/var/lib/ipspect"),
        ];
        let own = ["/etc/ipspect", "/var/cache/ipspect", "/var/lib/ipspect"];
        for has_usual in [false, true] {
            assert_eq!(named(&service, has_usual), Ok(own.map(str::to_owned)));
        }
        // The program's own variables go before, and with a home the user's places stay.
        let mut set = service.to_vec();
        set.push(("IPSPECT_CACHE_DIR", "/srv/cache"));
        assert_eq!(
            named(&set, false).map(|texts| texts[1].clone()),
            Ok("/srv/cache".to_owned())
        );
        set.push(("HOME", "/home/someone"));
        let usual = ["/usual/config", "/srv/cache", "/usual/state"];
        assert_eq!(named(&set, true), Ok(usual.map(str::to_owned)));
    }

    #[test]
    fn one_error_names_all_directories_that_are_missing() {
        let missing = |set: &[(&str, &str)]| named(set, false).expect_err("no place").to_string();
        let all = missing(&[("HOME", "")]);
        for (text, _) in VARIABLES {
            assert!(all.contains(text), "{all}");
        }
        let two = missing(&[("CACHE_DIRECTORY", "/var/cache/ipspect")]);
        assert!(
            two.contains("IPSPECT_CONFIG_DIR and IPSPECT_STATE_DIR"),
            "{two}"
        );
        assert!(missing(&[("CACHE_DIRECTORY", "relative")]).contains("IPSPECT_CACHE_DIR"));
    }

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
