//! The façade of the engine: all operations of the explorer and the command line, with every I/O policy behind it.
//!
//! [`Engine`] is concrete and cheap to clone. It holds the services, each with its own state, and hands them out. Cancelling is dropping: a future that is dropped sends nothing more, and what it had finished stays. Nothing
//! here draws, prints or asks a person.

mod account;
pub mod answers;
pub mod config;
pub mod error;
mod exports;
mod http;
mod live;
pub mod locale;
mod login;
mod mmdb;
mod notices;
pub mod origins;
mod pager_file;
mod pastes;
pub mod paths;
pub mod progress;
mod releases;
pub mod runtime;
pub mod settings;
mod storage;
mod text_file;
mod threads;
pub mod trail;
pub mod views;
pub mod warehouse;
pub mod watches;

use std::sync::Arc;

pub use account::{
    Access, Account, Area, AreaStatus, Balance, BalanceSource, Elsewhere, Ledger, QueryPurpose,
    SavedBy, SavedQueries, Spent, Statement, credentials, elsewhere,
};
pub use answers::{
    AnswerRecord, Answers, LookupAnswer, NotAnswered, Sources, Spending,
    enrich::{self, KnownAddress, LocalAnswers, LocalLine, OtherRecord},
};
pub use error::{Error, ErrorContext, Kind, Result};
pub use exports::{
    ColumnOrder, DescribedFile, ExportDays, ExportFileRun, ExportOrigin, ExportRun, Exports,
    ListDescription, LocalChoice, LocalPreview, MADE_BY, OutputFile, ParquetFile, ParquetRun,
    PastRun, Preset, SavedExports, TablePage, TableQuery, check_export, is_there,
    sample::{self, Sample},
};
pub use http::{Fetched, NamedRoots, Provenance, named_roots, proxy_before};
pub use live::{FetchedListing, Live, Probed};
pub use login::{Entered, Keep};
pub use notices::Notices;
pub use pager_file::PagerFile;
pub use pastes::Pastes;
pub use progress::{Progress, Rebuilds, Report, Stage};
pub use releases::{
    DayHealth, Deleted, DiffDays, DiffPage, DiffRecord, DownloadPlan, Family, Health, Inventory,
    LocalLookup, LocalRecord, LocalTag, LocalTags, OnDisk, OpenRelease, PartialDownload, Pinned,
    PullQuery, Pulled, Releases, Removed, RemovedReleases, Unfinished, UnknownValue, Unread,
    VerifiedRelease, WantedRelease,
};
pub use settings::{GivenService, Overrides, Settings, check_case};
pub use storage::{DayPlace, Missing, MissingWhy, OpenDay, Opened, Pick, Storage, UnusableFeed};
pub use text_file::{at_home, read_beginning, read_text};
pub use threads::{off_thread, stoppable, together};
pub use trail::{SavedTrail, TrailLog};
pub use views::{TagChange, TagChanges, Views};
pub use warehouse::Warehouse;

use self::{exports::output::unfinished, http::Requests, watches::Watches};

/// The core of the program.
#[derive(Clone, Debug)]
pub struct Engine {
    /// How this run behaves.
    pub settings: Arc<Settings>,
    /// What happens beside answers and must be said.
    pub notices: Arc<Notices>,
    /// The token with its rights, the balance with its guards, and the ledger.
    pub account: Arc<Account>,
    /// What costs no query.
    pub live: Live,
    pub releases: Releases,
    /// Where the days of feeds are that answer.
    pub storage: Storage,
    /// Answers about addresses.
    pub answers: Answers,
    /// Files that are made for a person.
    pub exports: Exports,
    /// Views of the local releases: pages, counts, facets, pivots.
    pub views: Views,
    pub trail: Arc<TrailLog>,
    pub watches: Watches,
    pub pastes: Pastes,
    /// Days of feeds beyond this machine.
    pub warehouse: Warehouse,
    requests: Requests,
}

impl Engine {
    /// The core for these settings. Reads nothing, sends nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let (settings, notices) = (Arc::new(settings), Arc::default());
        let account = Arc::new(Account::new(&settings, &notices));
        let requests = Requests::new(&settings, &account);
        let live = Live::new(requests.clone(), Arc::clone(&account));
        let (own, told) = (|| Arc::clone(&settings), || Arc::clone(&notices));
        let releases = Releases::new(own(), told(), requests.clone(), live.clone());
        let trail = TrailLog::new(&settings.paths.state, settings.owner());
        let trail = Arc::new(trail.of_case(settings.case()));
        let watches = Watches::new(own());
        let warehouse = Warehouse::new(own(), told(), releases.clone());
        let storage = Storage::new(releases.clone(), warehouse.clone());
        Self {
            answers: Answers::new(
                own(),
                told(),
                Arc::clone(&account),
                requests.clone(),
                live.clone(),
                storage.clone(),
                Arc::clone(&trail),
            ),
            exports: Exports::new(own(), requests.clone(), live.clone(), releases.clone()),
            views: Views::new(&releases, storage.clone()),
            storage,
            warehouse,
            pastes: Pastes::new(&settings.paths.state),
            settings,
            notices,
            account,
            live,
            releases,
            trail,
            watches,
            requests,
        }
    }

    /// The same whose answers are from the releases at this place.
    #[must_use]
    pub fn at(&self, place: DayPlace) -> Self {
        self.with(self.storage.clone().at(place))
    }

    /// The same that does not ask the warehouse beyond this disk any more, for this reason: a day that may be there is unusable.
    #[must_use]
    pub fn without_warehouse(&self, why: Error) -> Self {
        self.with(self.storage.clone().without_warehouse(why))
    }

    fn with(&self, storage: Storage) -> Self {
        let engine = self.clone();
        Self {
            answers: engine.answers.of(storage.clone()),
            views: engine.views.of(storage.clone()),
            storage,
            ..engine
        }
    }

    /// Refuses folders into which others may write, and removes what a killed process has left: unfinished files in a person's folder, and a
    /// copy of the token.
    ///
    /// # Errors
    /// As [`paths::Paths::check`].
    pub fn check_folders(&self) -> Result<()> {
        let paths = &self.settings.paths;
        paths.check()?;
        let swept = unfinished::sweep(&paths.state).when("remove an unfinished file");
        swept
            .and_then(|()| credentials::remove_leftovers(&self.settings.profile, &paths.config))
            .unwrap_or_else(|error| self.notices.trouble(error));
        Ok(())
    }

    /// Seconds by which the clock of the service is ahead of this machine's, as its last answer had it, when it is more
    /// than five minutes off.
    #[must_use]
    pub fn clock_off(&self) -> Option<i64> {
        self.requests.clock_off()
    }
}
