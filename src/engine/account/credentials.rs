//! The sources and the storage of the token. It is read when the first request needs it, and stored only in its own file.

#[cfg(feature = "keyring")]
mod keyring;

use std::{
    env, fmt, fs, io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use crate::engine::{
    config::Profile,
    error::{Error, ErrorContext, Kind, Result},
    paths,
};
use tokio::io::AsyncReadExt;

use crate::{
    contract::Token,
    store::folder::{Folder, Unsafe, read_users_file, temporary},
};

/// The environment variable that holds a token.
pub const VARIABLE: &str = "IPSPECT_TOKEN";
/// The environment variable that holds the password of a warehouse.
pub const WAREHOUSE_VARIABLE: &str = "IPSPECT_WAREHOUSE_PASSWORD";
const COMMAND_TIMEOUT: Duration = Duration::from_mins(1);
/// The most that a token file may hold and a command may print, in bytes: the longest token takes a small part of it.
const LONGEST_FILE: u64 = 64 << 10;

/// Where the token of this run comes from: environment before command before file.
#[derive(Clone, Debug)]
pub enum TokenSource {
    /// Given by the program itself, for the embedded service.
    Given(Token),
    Environment,
    /// A command's first line of output.
    Command(Vec<String>),
    /// The token file, whether it exists or not.
    File(PathBuf),
}

impl TokenSource {
    /// The source for a profile: environment, then `token_command`, then the profile's token file.
    #[must_use]
    pub fn of_profile(name: &str, profile: &Profile, config_dir: &Path) -> Self {
        if env::var_os(VARIABLE).is_some_and(|value| !value.is_empty()) {
            return Self::Environment;
        }
        match &profile.token_command {
            Some(command) => Self::Command(command.clone()),
            None => Self::File(file_of(name, config_dir)),
        }
    }

    /// Whether there is a token, as far as is known without running a command.
    #[must_use]
    pub fn is_there(&self) -> bool {
        match self {
            Self::Given(_) | Self::Environment | Self::Command(_) => true,
            // The keyring is not read here, since it may prompt the user. The first request reports errors.
            Self::File(path) => cfg!(feature = "keyring") || path.try_exists().unwrap_or(true),
        }
    }

    /// The source in words, never the token.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Given(_) => "the embedded service".to_owned(),
            Self::Environment => format!("environment variable {VARIABLE}"),
            Self::Command(command) => format!(
                "token_command ({})",
                command.first().map_or("empty", String::as_str)
            ),
            Self::File(path) if cfg!(feature = "keyring") => {
                format!("the system's keyring, else file {}", path.display())
            }
            Self::File(path) => format!("file {}", path.display()),
        }
    }

    /// The token, where nothing has to be run or waited for; `None` also if the text cannot be a token, which the first request
    /// will say.
    #[must_use]
    pub fn read_at_once(&self) -> Option<Token> {
        match self {
            Self::Given(token) => Some(token.clone()),
            Self::Environment => Token::new(&env::var(VARIABLE).ok()?).ok(),
            Self::File(path) if cfg!(not(feature = "keyring")) => {
                Token::new(&text_of(path).ok()?).ok()
            }
            Self::File(_) | Self::Command(_) => None,
        }
    }

    /// Reads the token.
    ///
    /// # Errors
    /// [`Kind::Credentials`] when there is none or it cannot be one.
    pub async fn read(&self) -> Result<Token> {
        let text = match self {
            Self::Given(token) => return Ok(token.clone()),
            Self::Environment => {
                let text = env::var_os(VARIABLE).ok_or_else(missing)?;
                text.to_string_lossy().into_owned()
            }
            Self::Command(command) => output_of("token_command", command).await?,
            Self::File(path) => stored_at(path).await?,
        };
        Token::new(&text).map_err(|error| {
            Error::new(
                Kind::Credentials,
                format!("{}: {error}", self.words()),
            )
            .hint("`ipspect login` stores one; IPSPECT_TOKEN and token_command hold it alone, on one line")
        })
    }
}

#[must_use]
pub fn file_of(profile: &str, config_dir: &Path) -> PathBuf {
    let safe =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
    match profile {
        "default" => config_dir.join("token"),
        name if name.chars().all(safe) => config_dir.join(format!("token-{name}")),
        // Two odd names must not share a file: their bytes tell them apart.
        name => config_dir.join(name.bytes().fold("token-x".to_owned(), |path, byte| {
            format!("{path}{byte:02x}")
        })),
    }
}

/// Where a token is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenStore {
    /// In the profile's token file, mode 0600.
    File(PathBuf),
    /// In the system's keyring.
    #[cfg(feature = "keyring")]
    Keyring,
}

impl fmt::Display for TokenStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            #[cfg(feature = "keyring")]
            Self::Keyring => f.write_str("the system's keyring"),
        }
    }
}

/// Stores a token: in the keyring if this program is built with it and there is one, else in the profile's file. If that is a
/// link, the file that it points to is written.
///
/// # Errors
/// A failure of this machine.
pub fn store(profile: &str, config_dir: &Path, token: &Token) -> Result<TokenStore> {
    let path = file_of(profile, config_dir);
    #[cfg(feature = "keyring")]
    if keyring::store(&path, token.expose()) {
        // A file that is left would be a second copy.
        remove_file(&path)?;
        return Ok(TokenStore::Keyring);
    }
    paths::write_whole(
        &target_of(&path),
        format!("{}\n", token.expose()).as_bytes(),
    )?;
    Ok(TokenStore::File(path))
}

/// Removes the stored token of the profile; returns where it was.
///
/// # Errors
/// A failure of this machine.
pub fn remove(profile: &str, config_dir: &Path) -> Result<Option<TokenStore>> {
    let path = file_of(profile, config_dir);
    #[cfg(feature = "keyring")]
    if keyring::remove(&path)? {
        remove_file(&path)?;
        return Ok(Some(TokenStore::Keyring));
    }
    Ok(remove_file(&path)?.then_some(TokenStore::File(path)))
}

/// The temporary token file of a killed `login`, if there is one.
#[must_use]
pub fn leftover(profile: &str, config_dir: &Path) -> Option<PathBuf> {
    let leftover = leftover_of(&target_of(&file_of(profile, config_dir)));
    leftover.symlink_metadata().is_ok().then_some(leftover)
}

/// Removes temporary token files of killed logins: those of any profile in the configuration folder, and the one of this profile
/// beside the file that a link leads to. One that another process is writing stays.
///
/// # Errors
/// A failure of this machine.
pub fn remove_leftovers(profile: &str, config_dir: &Path) -> Result<()> {
    let names = match fs::read_dir(config_dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        names => names.at("read", config_dir)?,
    };
    let prefix = temporary("token".as_ref());
    let mut left: Vec<PathBuf> = leftover(profile, config_dir).into_iter().collect();
    for entry in names {
        let entry = entry.at("read", config_dir)?;
        let bytes = entry.file_name().into_encoded_bytes();
        if bytes.starts_with(prefix.as_encoded_bytes()) {
            left.push(entry.path());
        }
    }
    for path in left {
        let (folder, name) = paths::split(&path);
        Folder::root(folder)
            .and_then(|folder| folder.remove_leftover(name))
            .at("remove", &path)?;
    }
    Ok(())
}

/// The temporary file through which a token file is written.
fn leftover_of(path: &Path) -> PathBuf {
    path.with_file_name(temporary(path.file_name().unwrap_or_default()))
}

/// The file that a path leads to through links, whether it exists or not.
fn target_of(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else {
            break;
        };
        target = target.parent().unwrap_or(Path::new(".")).join(next);
    }
    target
}

/// Removes a token file with the link that leads to it, and what a `login` that was killed has left. Returns whether there was
/// something.
fn remove_file(path: &Path) -> Result<bool> {
    let target = target_of(path);
    let mut removed = false;
    for file in [&leftover_of(&target), &target, path] {
        match fs::remove_file(file) {
            Ok(()) => removed = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::machine_at("remove", file, &error)),
        }
    }
    Ok(removed)
}

fn missing() -> Error {
    Error::new(Kind::Credentials, "there is no token")
        .hint(format!("`ipspect login` stores one; or set {VARIABLE}, or token_command in the profile; or try `--demo`"))
}

/// The stored token: from the keyring where this program is built with it, else from the file.
#[cfg(feature = "keyring")]
async fn stored_at(path: &Path) -> Result<String> {
    let file = path.to_owned();
    let read = tokio::task::spawn_blocking(move || keyring::read(&file)).await;
    let early = || Error::new(Kind::Machine, "a task of this program ended early");
    match read.map_err(|_| early())? {
        Ok(Some(token)) => Ok(token),
        // A machine without a keyring may have the file all the same; without one the keyring is what is wrong.
        Err(error) if path.try_exists().is_ok_and(|exists| !exists) => Err(error),
        Ok(None) | Err(_) => text_of(path),
    }
}

/// The stored token, from the file.
#[cfg(not(feature = "keyring"))]
async fn stored_at(path: &Path) -> Result<String> {
    std::future::ready(text_of(path)).await
}

fn text_of(path: &Path) -> Result<String> {
    let bytes =
        read_users_file(path, LONGEST_FILE).map_err(|error| match Unsafe::behind(&error) {
            Some(Unsafe::TooLong) => Error::new(
                Kind::Credentials,
                format!(
                    "file {}: the token is longer than 4,096 bytes",
                    path.display()
                ),
            )
            .hint("`ipspect login` stores one in its place"),
            _ => Error::machine_at("read", path, &error),
        })?;
    let text = String::from_utf8_lossy(&bytes.ok_or_else(missing)?).into_owned();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            fs::metadata(path).map_or(0o600, |metadata| metadata.permissions().mode() & 0o777);
        if mode & 0o077 != 0 {
            let message = format!(
                "the token file {} can be read by others (mode {mode:o})",
                path.display()
            );
            return Err(Error::new(Kind::Credentials, message)
                .hint(format!("run: chmod 600 {}", path.display())));
        }
    }
    Ok(text)
}

/// The first line that a command prints which the configuration names by this key: a secret.
pub(in crate::engine) async fn output_of(key: &str, command: &[String]) -> Result<String> {
    let failed = |why: String| {
        let name = command.first().map_or(key, String::as_str);
        let secret = key.trim_end_matches("_command");
        Error::new(Kind::Credentials, format!("{key} {name:?} {why}")).hint(format!(
            "run it by hand: its first line must be the {secret}"
        ))
    };
    let (program, arguments) = command
        .split_first()
        .ok_or_else(|| failed("is empty".to_owned()))?;
    let run = async {
        let mut child = tokio::process::Command::new(program)
            .args(arguments)
            .env_remove(VARIABLE)
            .env_remove(WAREHOUSE_VARIABLE)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let mut printed = Vec::new();
        if let Some(output) = child.stdout.take() {
            output
                .take(LONGEST_FILE + 1)
                .read_to_end(&mut printed)
                .await?;
        }
        if printed.len() as u64 > LONGEST_FILE {
            // It may run forever; dropping it kills it.
            return Ok((printed, None));
        }
        let status = child.wait().await?;
        io::Result::Ok((printed, Some(status)))
    };
    let (printed, status) = tokio::time::timeout(COMMAND_TIMEOUT, run)
        .await
        .map_err(|_| {
            failed(format!(
                "printed nothing for {} s",
                COMMAND_TIMEOUT.as_secs()
            ))
        })?
        .map_err(|error| failed(format!("could not be run: {error}")))?;
    match status {
        None => return Err(failed(format!("printed more than {LONGEST_FILE} bytes"))),
        Some(status) if !status.success() => return Err(failed(format!("failed ({status})"))),
        Some(_) => {}
    }
    let text = String::from_utf8_lossy(&printed);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests;
