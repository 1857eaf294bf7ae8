//! What went wrong, in words for a person and in a kind for a program.

use std::{fmt, io, path::Path};

use crate::{
    contract::{Endpoint, Host, NotOffered, Refusal},
    model::Day,
    store::folder::Unsafe,
};

/// The kind of a failure. The command line gives each an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What was asked for cannot be asked: malformed input, a forbidden parameter, nothing configured. Nothing was sent.
    Usage,
    /// A guard of the configuration stopped it. Nothing was sent.
    Guard,
    /// No token, an invalid one, or one without the right.
    Credentials,
    /// No queries left.
    Quota,
    /// Too many requests.
    RateLimit,
    /// Name, connection, TLS, timeout, cut off.
    Network,
    /// The service did what the contract does not have.
    Contract,
    /// Data is truncated or corrupt.
    Integrity,
    /// This machine: disk, permission.
    Machine,
    /// Another instance holds the lock.
    Locked,
    /// No such date, tag or file.
    NotFound,
    /// Ended from outside.
    Interrupted,
}

impl Kind {
    /// The word for the kind in machine-readable output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Guard => "guard",
            Self::Credentials => "credentials",
            Self::Quota => "quota",
            Self::RateLimit => "rate-limit",
            Self::Network => "network",
            Self::Contract => "contract",
            Self::Integrity => "integrity",
            Self::Machine => "machine",
            Self::Locked => "locked",
            Self::NotFound => "not-found",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether every later input of a batch would meet the same failure.
    #[must_use]
    pub fn stops_a_batch(self) -> bool {
        matches!(
            self,
            Self::Quota | Self::Guard | Self::Credentials | Self::Usage
        )
    }
}

/// A failure: what failed and why in `message`, what to do in `hint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// For programs.
    pub kind: Kind,
    /// What failed, where and why: one sentence, no token, no signed URL.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The status that the service answered with, if it did.
    pub status: Option<u16>,
}

/// What this layer's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A failure without a hint.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            status: None,
        }
    }

    /// The same with what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the service's status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// A failure of this machine while doing `what` (`"write /path"`).
    #[must_use]
    pub fn machine(what: &str, error: &io::Error) -> Self {
        let hint = match error.kind() {
            _ if let Some(why) = Unsafe::behind(error) => why.mend(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "free some space, then start the same again: what is here is kept"
            }
            io::ErrorKind::FileTooLarge => {
                "a file size limit is set (ulimit -f): raise it, then start the same again"
            }
            io::ErrorKind::PermissionDenied => {
                "check owner and mode of that path, or choose another with --cache-dir or IPSPECT_STATE_DIR"
            }
            io::ErrorKind::ResourceBusy => "another process of this program is using it: try again",
            io::ErrorKind::ReadOnlyFilesystem => {
                "choose a writable place with --cache-dir or IPSPECT_CACHE_DIR"
            }
            _ => "check that path, then start the same again",
        };
        Self::new(Kind::Machine, format!("could not {what}: {error}")).hint(hint)
    }

    /// A failure of this machine while doing `what` (`"write"`) to a file or folder.
    #[must_use]
    pub fn machine_at(what: &str, path: impl AsRef<Path>, error: &io::Error) -> Self {
        Self::machine(&format!("{what} {}", path.as_ref().display()), error)
    }

    /// A refusal of the service in the words of the contract. `diagnosis` is what it means beside the answers of the other
    /// hosts, where they tell more; `said` is what the body said, if anything readable.
    #[must_use]
    pub fn refused(
        endpoint: &Endpoint,
        refusal: Refusal,
        status: u16,
        diagnosis: Option<&str>,
        said: Option<&str>,
    ) -> Self {
        let host = endpoint.host();
        let (kind, message, hint) = match refusal {
            Refusal::BadInput if let Some(day) = day_of(endpoint) => (
                Kind::NotFound,
                format!("no data for {} (400)", day.dashed()),
                "another day may have some; without a date the service answers for today",
            ),
            Refusal::BadInput => (
                Kind::Contract,
                "the service refused the input as not a public address (400)".to_owned(),
                "the address is well formed and not reserved here: if it is public, ask the provider",
            ),
            Refusal::TokenInvalid => (
                Kind::Credentials,
                "the Context API denied access (401): the token is most likely invalid".to_owned(),
                "store the right one with `ipspect login`; `ipspect doctor` says where the present one comes from",
            ),
            Refusal::NoAccess if day_of(endpoint).is_some() => (
                Kind::Credentials,
                format!(
                    "the Context API denied access to a past day (403): {}",
                    diagnosis.unwrap_or("the token is valid but has no access to the Context API, or none to past days")
                ),
                "past days need historical access on the account, unless that day is local",
            ),
            Refusal::NoAccess => (
                Kind::Credentials,
                "the token is valid but has no access to the Context API (403)".to_owned(),
                "feeds and exports may still work: `ipspect status --test` asks each host",
            ),
            Refusal::TokenOrAccess => (
                Kind::Credentials,
                format!(
                    "the {host} host denied access ({status}): {}",
                    diagnosis.unwrap_or("the token is invalid, or has no access to this")
                ),
                access_hint(endpoint),
            ),
            Refusal::QuotaSpent => (
                Kind::Quota,
                "the account has insufficient queries (429)".to_owned(),
                "wait for the next billing period or raise the quota; what is answered so far is kept",
            ),
            Refusal::SlowDown => (
                Kind::RateLimit,
                format!("the {host} host says too many requests (429)"),
                "try again later; the service does not state its limits",
            ),
            Refusal::NotThere => (
                Kind::NotFound,
                not_there(endpoint),
                "check the name or the date",
            ),
            Refusal::NotOffered => (
                Kind::NotFound,
                format!("{} is not offered by this service (404)", endpoint.target()),
                "the contract only says that it follows the pattern of the other feeds",
            ),
            Refusal::Fault => (
                Kind::Contract,
                format!("the {host} host answered that an error occurred ({status})"),
                "try again later; if it stays, tell the provider",
            ),
            Refusal::OutsideContract => (
                Kind::Contract,
                format!(
                    "the {host} host answered with status {status}, which its contract does not have"
                ),
                "check the address of the host with `ipspect doctor`",
            ),
        };
        let message = match said {
            Some(said) => format!("{message}; it said: {said}"),
            None => message,
        };
        Self::new(kind, message).hint(hint).status(status)
    }
}

/// The day that a lookup is about.
fn day_of(endpoint: &Endpoint) -> Option<Day> {
    match endpoint {
        Endpoint::Context(query) => query.date,
        _ => None,
    }
}

fn access_hint(endpoint: &Endpoint) -> &'static str {
    use crate::contract::{Feed, Resource};
    match endpoint {
        Endpoint::Feed(Feed::Realtime, _) => {
            "realtime feeds need realtime access on the account; `ipspect status --test` asks each host"
        }
        Endpoint::Feed(_, Resource::Dated(_) | Resource::Runs | Resource::Files(_)) => {
            "dated files and listings need historical access; the latest release does not: `ipspect feeds pull FEED`"
        }
        _ => {
            "`ipspect status --test` asks each host; feeds and exports need an enterprise organization"
        }
    }
}

fn not_there(endpoint: &Endpoint) -> String {
    match endpoint {
        Endpoint::Tag(tag) => format!("the service knows no tag {tag} (404)"),
        Endpoint::Context(query) => match query.date {
            Some(day) => format!(
                "the service has nothing for {} on {day} (404)",
                query.address
            ),
            None => format!("the service has no record of {} (404)", query.address),
        },
        _ => format!(
            "the {} host has no {} (404)",
            endpoint.host(),
            endpoint.target()
        ),
    }
}

/// No address configured for a host.
#[must_use]
pub fn not_configured(host: Host) -> Error {
    Error::new(
        Kind::Usage,
        format!("no address of the {host} host is configured"),
    )
    .hint(format!(
        "set {} in the profile (`ipspect doctor --sample` prints one), or try `--demo`",
        host.key()
    ))
}

/// Nothing may be sent at all.
pub(super) fn offline() -> Error {
    Error::new(Kind::Usage, "--offline: nothing was sent")
        .hint("leave --offline out to ask the service")
}

/// What was being done when this machine failed.
pub trait Doing<T> {
    /// The failure with what was being done (`"start working threads"`).
    ///
    /// # Errors
    /// [`Kind::Machine`].
    fn when(self, what: &str) -> Result<T>;

    /// The failure with what was being done to a file or folder (`"write"`).
    ///
    /// # Errors
    /// [`Kind::Machine`].
    fn at(self, what: &str, path: impl AsRef<Path>) -> Result<T>;
}

impl<T> Doing<T> for io::Result<T> {
    fn when(self, what: &str) -> Result<T> {
        self.map_err(|error| Error::machine(what, &error))
    }

    fn at(self, what: &str, path: impl AsRef<Path>) -> Result<T> {
        self.map_err(|error| Error::machine_at(what, path, &error))
    }
}

impl From<NotOffered> for Error {
    fn from(not_offered: NotOffered) -> Self {
        Self::new(Kind::Usage, not_offered.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
