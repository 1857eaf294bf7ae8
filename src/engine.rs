//! The façade: everything that the terminal and the command line may ask, with all policy of I/O behind it.
//!
//! [`Engine`] is concrete and cheap to clone. Cancelling is dropping: a future that is dropped sends nothing more, and
//! what it had finished stays. Nothing here draws, prints or asks a person.

pub mod access;
pub mod answers;
mod ask;
mod body;
pub mod config;
pub mod credentials;
pub mod diff;
mod digest;
pub mod download;
pub mod enrich;
pub mod error;
pub mod export;
mod guard;
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
pub mod trail;

use std::{
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;

pub use access::{Access, Area, Heard};
pub use answers::{NotAnswered, Sources, Spending};
pub use ask::{Fetched, Provenance};
pub use diff::{Days, DiffRecord};
pub use download::{PullQuery, Pulled, Wanted};
pub use enrich::{Also, Known, LocalAnswers, LocalLine};
pub use error::{Error, Kind, Result};
pub use export::{ExportRun, Exported, Origin, local::ExportDays};
pub use keep::Removed;
pub use ledger::{Account, Balance, BalanceSource, Ledger, Spent};
pub use local::{Family, LocalLookup, LocalRecord, Opened, Pick, Picked, Sound, Unread};
pub use lookup::{Answer, Listed, Record};
pub use output::OutputFile;
pub use parquet::{ParquetFile, ParquetRun};
pub use probe::Probed;
pub use progress::{Progress, Rebuilds, Report, Stage};
pub use settings::{GivenService, Overrides, Settings};
pub use tags::{LocalTag, LocalTags};
pub use trail::Trail;

use crate::{contract::Token, store::Log};
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
    under_way: Mutex<guard::UnderWay>,
    /// Held by whoever asks for the balance on behalf of the guard.
    asks_balance: tokio::sync::Mutex<()>,
    clock_off: Mutex<Option<i64>>,
    shelf: local::Shelf,
    log: Log,
    troubles: Mutex<Vec<Error>>,
    rebuilds: Mutex<Rebuilds>,
    notices: Mutex<Vec<String>>,
}

impl Deref for Engine {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Engine {
    /// The core for these settings. Reads nothing, sends nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let (owner, state) = (settings.owner(), &settings.paths.state);
        let (ledger, log) = (Ledger::new(state, owner.clone()), Log::new(state, owner));
        let access_file = AccessFile::new(state);
        Self(Arc::new(Inner {
            answers: Answers::of(&settings),
            settings,
            ledger,
            log,
            http: http::Http::default(),
            token: Mutex::new(None),
            access_file: Mutex::new(access_file),
            access: Mutex::default(),
            balance: Mutex::new(None),
            under_way: Mutex::default(),
            asks_balance: tokio::sync::Mutex::default(),
            clock_off: Mutex::new(None),
            shelf: local::Shelf::default(),
            troubles: Mutex::default(),
            rebuilds: Mutex::new(Rebuilds::default()),
            notices: Mutex::default(),
        }))
    }

    /// Refuses folders into which others may write, and removes what a killed process has left in a person's folder.
    ///
    /// # Errors
    /// As [`paths::Paths::check`].
    pub fn check_folders(&self) -> Result<()> {
        let paths = &self.settings.paths;
        paths.check()?;
        if let Err(error) = output::unfinished::sweep(&paths.state) {
            self.trouble(Error::machine("remove an unfinished file", &error));
        }
        Ok(())
    }

    /// What each host last said of this token, in earlier runs too. A token that a command gives is known, and with it
    /// what was said of it, when the first request needs it.
    #[must_use]
    pub fn access(&self) -> Access {
        if lock(&self.token).is_none()
            && let Some(token) = self.settings.token.read_at_once()
        {
            self.know_token(&token);
        }
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

    /// From now on this hears how far an index is that is rebuilt before it answers.
    pub fn report_rebuilds(&self, rebuilds: Rebuilds) {
        *lock(&self.rebuilds) = rebuilds;
    }

    /// What happened beside answers and is worth a word, since this was asked last.
    #[must_use]
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notices))
    }

    fn notice(&self, text: String) {
        tracing::warn!(text);
        lock(&self.notices).push(text);
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
        Ok(self.know_token(&token))
    }

    /// The token of this run from now on, unless there is one already; gives the one that is.
    fn know_token(&self, token: &Token) -> Token {
        let mut known = lock(&self.token);
        if let Some(known) = &*known {
            return known.clone();
        }
        self.recall(token);
        known.insert(token.clone()).clone()
    }

    /// Uses this token from now on, whatever the settings say. What was heard of another is no word about this one.
    pub fn use_token(&self, token: &Token) {
        let mut known = lock(&self.token);
        if known.as_ref() != Some(token) {
            *lock(&self.balance) = None;
            self.recall(token);
            *known = Some(token.clone());
        }
    }

    /// Takes up what is known of a token from earlier runs.
    fn recall(&self, token: &Token) {
        let settings = &self.settings;
        let mut file = lock(&self.access_file);
        let digest = digest::of(&settings.paths.state, token, &settings.hosts());
        let loaded = if let Ok(digest) = &digest {
            file.load(digest)
        } else {
            file.forget_token();
            Ok(access::Loaded::default())
        };
        // Without the key nothing is known of any token; what needs the state directory says what is wrong with it.
        self.ledger.use_token(digest.ok());
        let loaded = loaded.unwrap_or_else(|error| {
            let what = format!(
                "read what the hosts said, in {}",
                settings.paths.state.display()
            );
            self.trouble(Error::machine(&what, &error));
            access::Loaded::default()
        });
        if let Some(said) = loaded.set_aside {
            self.trouble(Error::new(Kind::Integrity, said));
        }
        *lock(&self.access) = loaded.access;
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
        // What cannot be kept is heard again with the next request, so nobody is told anything wrong.
        let _ = file.save(&access);
    }

    /// What went wrong beside what was asked for, each thing once: it cost no answer, and must be said. Empty afterwards.
    #[must_use]
    pub fn take_troubles(&self) -> Vec<Error> {
        std::mem::take(&mut *lock(&self.troubles))
    }

    fn trouble(&self, error: Error) {
        const MOST: usize = 20;
        let mut troubles = lock(&self.troubles);
        if troubles.len() < MOST && !troubles.contains(&error) {
            troubles.push(error);
        }
    }

    fn set_balance(&self, balance: Balance) {
        *lock(&self.balance) = Some(balance);
    }
}

/// A lock whose holder panicked still guards whole values: each is replaced in one assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
