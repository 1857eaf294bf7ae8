//! The façade: everything that the terminal and the command line may ask, with all policy of I/O behind it.
//!
//! [`Engine`] is concrete and cheap to clone. It holds the services, each with its own state, and hands every call to one
//! of them. Cancelling is dropping: a future that is dropped sends nothing more, and what it had finished stays. Nothing
//! here draws, prints or asks a person.

mod account;
pub mod answers;
pub mod config;
pub mod error;
mod exports;
mod http;
mod live;
mod local;
mod mmdb;
mod notices;
pub mod paths;
pub mod progress;
mod releases;
mod service;
pub mod settings;
mod threads;
pub mod trail;

use std::{path::PathBuf, sync::Arc};

use jiff::Timestamp;

pub use account::{
    Access, Area, Balance, BalanceSource, Heard, Ledger, Spent, Statement, credentials,
};
pub use answers::{
    Answer, NotAnswered, Record, Sources, Spending,
    enrich::{self, Also, Known, LocalAnswers, LocalLine},
};
pub use error::{Error, Kind, Result};
pub use exports::{
    ExportDays, ExportRun, Exported, Origin, OutputFile, ParquetFile, ParquetRun,
    sample::{self, Sample},
};
pub use http::{Fetched, Provenance};
pub use live::{Listed, Probed};
pub use progress::{Progress, Rebuilds, Report, Stage};
pub use releases::{
    Cleared, Days, DiffRecord, Family, Inventory, LocalLookup, LocalRecord, LocalTag, LocalTags,
    Opened, Pick, Picked, PullQuery, Pulled, Removed, Sound, Unread, Wanted,
};
pub use settings::{GivenService, Overrides, Settings};
pub use trail::Trail;

use self::{
    account::Account,
    answers::Answers,
    exports::{Exports, output::unfinished},
    http::Requests,
    live::Live,
    notices::Notices,
    releases::Releases,
    trail::{Note, TrailLog},
};
use crate::contract::{Endpoint, ExportQuery, Token};

/// The core of the program.
#[derive(Clone, Debug)]
pub struct Engine {
    /// How this run behaves.
    pub settings: Arc<Settings>,
    notices: Arc<Notices>,
    account: Arc<Account>,
    requests: Requests,
    live: Live,
    releases: Releases,
    answers: Answers,
    exports: Exports,
    trail: Arc<TrailLog>,
}

impl Engine {
    /// The core for these settings. Reads nothing, sends nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let (settings, notices) = (Arc::new(settings), Arc::default());
        let account = Arc::new(Account::new(&settings, &notices));
        let requests = Requests::new(&settings, &account);
        let live = Live::new(&requests, &account);
        let releases = Releases::new(&settings, &notices, &requests, &live);
        let answers = Answers::new(&settings, &notices, &account, &requests, &live, &releases);
        Self {
            exports: Exports::new(&settings, &requests, &releases),
            trail: Arc::new(TrailLog::new(&settings.paths.state, settings.owner())),
            settings,
            notices,
            account,
            requests,
            live,
            releases,
            answers,
        }
    }

    /// Refuses folders into which others may write, and removes what a killed process has left in a person's folder.
    ///
    /// # Errors
    /// As [`paths::Paths::check`].
    pub fn check_folders(&self) -> Result<()> {
        let paths = &self.settings.paths;
        paths.check()?;
        if let Err(error) = unfinished::sweep(&paths.state) {
            let error = Error::machine("remove an unfinished file", &error);
            self.notices.trouble(error);
        }
        Ok(())
    }

    /// What each host last said of this token, in earlier runs too. A token that a command gives is known, and with it
    /// what was said of it, when the first request needs it.
    #[must_use]
    pub fn access(&self) -> Access {
        self.account.access()
    }

    /// The balance as it was last heard in this run; `None` is unknown.
    #[must_use]
    pub fn balance(&self) -> Option<Balance> {
        self.account.guards.balance()
    }

    /// The ledger of queries spent.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.account.ledger
    }

    /// Uses this token from now on, whatever the settings say. What was heard of another is no word about this one.
    pub fn use_token(&self, token: &Token) {
        self.account.use_token(token);
    }

    /// Seconds by which the clock of the service is ahead of this machine's, as its last answer had it, when it is more
    /// than five minutes off.
    #[must_use]
    pub fn clock_off(&self) -> Option<i64> {
        self.requests.clock_off()
    }

    /// The URL of a request, without the token.
    ///
    /// # Errors
    /// [`Kind::Usage`] when the host's address is not configured.
    pub fn url_of(&self, endpoint: &Endpoint) -> Result<String> {
        self.requests.url_of(endpoint)
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.requests.now()
    }

    /// From now on this hears how far an index is that is rebuilt before it answers.
    pub fn report_rebuilds(&self, rebuilds: Rebuilds) {
        self.notices.report_rebuilds(rebuilds);
    }

    /// What happened beside answers and is worth a word, since this was asked last.
    #[must_use]
    pub fn take_notices(&self) -> Vec<String> {
        self.notices.take_notices()
    }

    /// What went wrong beside what was asked for, each thing once: it cost no answer, and must be said. Empty afterwards.
    #[must_use]
    pub fn take_troubles(&self) -> Vec<Error> {
        self.notices.take_troubles()
    }

    /// Refuses an export that the contract forbids, before anything is sent.
    ///
    /// # Errors
    /// [`Kind::Usage`] with the rules and their fixes.
    pub fn check_export(query: &ExportQuery) -> Result<()> {
        exports::check_export(query)
    }

    /// Adds an entry to the log.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn remember(&self, note: Note) -> Result<()> {
        self.trail.append(note)
    }

    /// The trail of earlier runs with this profile and service.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn trail(&self) -> Result<Trail> {
        self.trail.read()
    }

    /// How many lines were set aside when the log was rewritten, and where they are.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn log_aside(&self) -> Result<(u64, PathBuf)> {
        self.trail.count_aside()
    }

    /// Removes the trail of this profile and service from the log.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn forget(&self) -> Result<()> {
        self.trail.forget()
    }
}
