//! The façade: everything that the terminal and the command line may ask, with all policy of I/O behind it.
//!
//! [`Engine`] is concrete and cheap to clone. Cancelling is dropping: a future that is dropped sends nothing more, and
//! what it had finished stays. Nothing here draws, prints or asks a person.

pub mod access;
mod answers;
mod ask;
mod body;
pub mod config;
pub mod credentials;
pub mod diff;
pub mod download;
pub mod enrich;
pub mod error;
pub mod export;
pub mod history;
mod http;
mod indexing;
pub mod keep;
pub mod ledger;
pub mod local;
mod lookup;
mod mmdb;
pub mod output;
pub mod parquet;
pub mod paths;
mod probe;
pub mod progress;
pub mod retry;
pub mod settings;
pub mod tags;

use std::{
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;

pub use access::{Access, Area, Heard};
pub use ask::{Fetched, Provenance};
pub use diff::{Days, DiffRecord};
pub use download::{PullQuery, Pulled, Wanted};
pub use enrich::{LocalAnswers, LocalLine};
pub use error::{Error, Kind, Result};
pub use export::{ExportRun, Exported, Origin, local::ExportDays};
pub use keep::Removed;
pub use ledger::{Balance, BalanceSource, Ledger, Spent};
pub use local::{LocalRecord, Opened, Pick, Picked, Sound};
pub use lookup::{Answer, Listed, Record};
pub use output::OutputFile;
pub use parquet::{ParquetFile, ParquetRun};
pub use probe::Probed;
pub use progress::{Progress, Report, Stage};
pub use settings::{GivenService, Overrides, Settings};
pub use tags::{LocalTag, LocalTags};

use crate::contract::{Host, Token};
use access::AccessFile;
use answers::Answers;

/// The core of the program.
#[derive(Clone, Debug)]
pub struct Engine(Arc<Inner>);

/// What all clones of an engine share.
#[derive(Debug)]
pub struct Inner {
    /// How this run behaves.
    pub settings: Settings,
    /// The ledger of queries spent.
    pub ledger: Ledger,
    http: http::Http,
    answers: Answers,
    token: Mutex<Option<Token>>,
    access_file: Mutex<AccessFile>,
    access: Mutex<Access>,
    balance: Mutex<Option<Balance>>,
    clock_off: Mutex<Option<i64>>,
    shelf: local::Shelf,
}

impl Deref for Engine {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Engine {
    /// The core for these settings. Reads small files of the state directory, sends nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let service = service_key(&settings);
        let access_file = AccessFile::new(settings.paths.state.join("hosts.json"), service.clone());
        let access = access_file.load();
        let ledger = Ledger::new(settings.paths.state.join("ledger"), service);
        Self(Arc::new(Inner {
            answers: Answers::of(&settings),
            settings,
            ledger,
            http: http::Http::default(),
            token: Mutex::new(None),
            access_file: Mutex::new(access_file),
            access: Mutex::new(access),
            balance: Mutex::new(None),
            clock_off: Mutex::new(None),
            shelf: local::Shelf::default(),
        }))
    }

    /// What each host last said of this token.
    #[must_use]
    pub fn access(&self) -> Access {
        lock(&self.access).clone()
    }

    /// The balance as it was last heard in this run; `None` is unknown.
    #[must_use]
    pub fn balance(&self) -> Option<Balance> {
        *lock(&self.balance)
    }

    /// Seconds by which the clock of the service is ahead of this machine's, as its last answer had it, when it is more
    /// than five minutes off.
    #[must_use]
    pub fn clock_off(&self) -> Option<i64> {
        *lock(&self.clock_off)
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.settings.clock)()
    }

    /// The token, read at first need.
    async fn token(&self) -> Result<Token> {
        let known = lock(&self.token).clone();
        if let Some(token) = known {
            return Ok(token);
        }
        let token = self.settings.token.read().await?;
        Ok(lock(&self.token).get_or_insert(token).clone())
    }

    /// Uses this token from now on, whatever the settings say. What was heard of another is no word about this one.
    pub fn use_token(&self, token: &Token) {
        let before = lock(&self.token).replace(token.clone());
        if before.as_ref() != Some(token) {
            *lock(&self.access) = Access::default();
            *lock(&self.balance) = None;
            self.keep_access();
        }
    }

    fn record(&self, area: Area, heard: Heard) {
        let news = lock(&self.access).record(area, heard);
        if news {
            self.keep_access();
        }
    }

    /// Writes down what was heard. Whoever only wants to know it must not wait for the disk meanwhile.
    fn keep_access(&self) {
        let file = lock(&self.access_file);
        let access = lock(&self.access).clone();
        file.save(&access);
    }

    fn set_balance(&self, balance: Balance) {
        *lock(&self.balance) = Some(balance);
    }
}

/// Tells services and profiles apart in files of the state directory. A demo's ports change from run to run.
fn service_key(settings: &Settings) -> String {
    let place = settings
        .service
        .url(Host::Context)
        .filter(|_| !settings.invented);
    place.map_or_else(
        || settings.profile.clone(),
        |url| format!("{} {url}", settings.profile),
    )
}

/// A lock whose holder panicked still guards whole values: each is replaced in one assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
