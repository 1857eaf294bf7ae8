//! The account: the token of this run, its rights at each host, its balance with the guards, and the ledger.
//!
//! It keeps what the hosts said and decides whether a query may be sent. It must never send anything itself, and nothing
//! about one token is ever used for another.

mod balance;
mod cost;
pub mod credentials;
mod digest;
mod foreign_spending;
mod guards;
mod ledger;
mod rights;

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use jiff::SignedDuration;

pub use self::{
    balance::{Balance, BalanceSource},
    foreign_spending::{Elsewhere, elsewhere},
    ledger::{Ledger, QueryPurpose, SavedBy, SavedQueries, Spent, Statement},
    rights::{Access, Area, AreaStatus},
};
pub(super) use self::{
    cost::{Cost, Sending},
    guards::{BalanceGuards, Reservation},
};
use self::{
    digest::QuestionKey,
    rights::{AccessFile, LoadedAccess},
};
use super::{
    config,
    error::{Error, Kind, Result, offline},
    notices::Notices,
    settings::Settings,
    threads::lock,
};
use crate::contract::{Endpoint, Host, LookupQuery, Token};

#[derive(Debug)]
pub struct Account {
    pub(super) settings: Arc<Settings>,
    notices: Arc<Notices>,
    /// The queries spent.
    pub ledger: Ledger,
    /// The balance, and what keeps queries from being sent.
    pub(super) guards: Arc<BalanceGuards>,
    token: Mutex<Option<Token>>,
    /// Whether that was entered, and is in no file.
    is_entered: AtomicBool,
    access_file: Mutex<AccessFile>,
    access: Mutex<Access>,
}

impl Account {
    pub(super) fn new(settings: &Arc<Settings>, notices: &Arc<Notices>) -> Self {
        let state = &settings.paths.state;
        Self {
            ledger: Ledger::new(state, settings.owner()),
            guards: Arc::new(BalanceGuards::new(settings.guards.stop_below)),
            token: Mutex::default(),
            is_entered: AtomicBool::default(),
            access_file: Mutex::new(AccessFile::new(state)),
            access: Mutex::default(),
            settings: Arc::clone(settings),
            notices: Arc::clone(notices),
        }
    }

    /// What each host last said of this token, in earlier runs too. A token that a command gives is known, and with it
    /// what was said of it, when the first request needs it.
    #[must_use]
    pub fn access(&self) -> Access {
        self.know_token_at_once();
        lock(&self.access).clone()
    }

    /// Takes up what is known of the token, if it can be read at once.
    fn know_token_at_once(&self) {
        if lock(&self.token).is_none()
            && let Some(token) = self.settings.token.read_at_once()
        {
            self.know_token(&token);
        }
    }

    /// The balance as it was last heard in this run; `None` is unknown.
    #[must_use]
    pub fn balance(&self) -> Option<Balance> {
        self.guards.balance()
    }

    /// The key for the digests of questions in the ledger.
    ///
    /// # Errors
    /// A failure of this machine.
    fn question_key(&self) -> Result<QuestionKey> {
        let state = &self.settings.paths.state;
        let key = QuestionKey::read(state);
        // Without it no line of the ledger can be written.
        key.map_err(|error| Error::machine_at("write", state.join("ledger"), &error))
    }

    /// Which of these queries may have been spent without an answer: they were sent by a run that was cut off, or failed once they were
    /// sent. One about today that is older than a day is none, since its answer would be another one.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn possibly_spent(&self, queries: &[LookupQuery]) -> Result<HashSet<LookupQuery>> {
        if queries.is_empty() {
            return Ok(HashSet::new());
        }
        let unanswered = self.ledger.unanswered()?;
        if unanswered.is_empty() {
            return Ok(HashSet::new());
        }
        let (key, now) = (self.question_key()?, self.settings.now());
        let queries = queries.iter().filter(|query| {
            let sent = unanswered.get(&key.digest(&Endpoint::Context(**query)));
            sent.is_some_and(|sent| {
                query.date.is_some() || now.duration_since(*sent) < SignedDuration::from_hours(24)
            })
        });
        Ok(queries.copied().collect())
    }

    /// The balance that the service named last for this token, in earlier runs too; `None` is unknown.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn last_balance(&self) -> Result<Option<Balance>> {
        if let Some(balance) = self.balance() {
            return Ok(Some(balance));
        }
        self.know_token_at_once();
        let mut spent = self.ledger.statement()?.spent.into_iter().rev();
        Ok(spent.find_map(|spent| {
            // That of a total is the highest of its time.
            let balance = spent.balance.filter(|_| !spent.is_total);
            Some(Balance {
                remaining: balance?,
                at: spent.at,
                source: BalanceSource::Lookup,
            })
        }))
    }

    /// What a refusal in this area means beside what the other hosts said; none where they tell no more than the refusal.
    pub(super) fn diagnosis(&self, area: Area) -> Option<&'static str> {
        lock(&self.access).diagnosis(area)
    }

    /// Notes the balance that `/status` named: what falls between two of them without a query was spent elsewhere.
    pub(super) fn note_balance(&self, balance: u64) {
        let noted = self.ledger.note_balance(self.settings.now(), balance);
        if let Err(error) = noted {
            self.notices.trouble(error);
        }
    }

    /// Notes that a local or cached answer took the place of a query.
    pub fn note_saved(&self, by: SavedBy) {
        self.ledger.note_saved(self.settings.now(), by);
    }

    /// Replaces the guards and saves them in the configuration file; on the embedded service they are not saved.
    ///
    /// # Errors
    /// What is wrong with the file; a failure of this machine. Then the guards are as they were.
    pub fn change_guards(&self, guards: &config::GuardSettings) -> Result<()> {
        if !self.settings.invented {
            config::keep_guards(&self.settings.config_file, guards)?;
        }
        self.guards.change(guards.stop_below);
        Ok(())
    }

    /// Whether a query may be sent, as far as it is known without asking anybody.
    ///
    /// # Errors
    /// [`Kind::Usage`], [`Kind::Credentials`] or [`Kind::Guard`]: why nothing may be sent.
    pub(super) async fn may_send(&self) -> Result<()> {
        if self.settings.offline {
            return Err(offline());
        }
        self.settings.url(Host::Context)?;
        self.token().await?;
        self.guards.hold(0)
    }

    /// The token, read at first need.
    pub(super) async fn token(&self) -> Result<Token> {
        let known = lock(&self.token).clone();
        if let Some(token) = known {
            return Ok(token);
        }
        let what = || "still waiting for token_command; Ctrl-C stops".to_owned();
        let read = self.notices.while_waiting(what, self.settings.token.read());
        let token = read.await?;
        Ok(self.know_token(&token))
    }

    /// The token of this run from now on, unless there is one already; returns the one that is.
    fn know_token(&self, token: &Token) -> Token {
        let mut known = lock(&self.token);
        if let Some(known) = &*known {
            return known.clone();
        }
        self.recall(token);
        known.insert(token.clone()).clone()
    }

    /// Uses this token from now on instead of the configured one. The balance and rights of another token are dropped.
    pub fn use_token(&self, token: &Token) {
        let mut known = lock(&self.token);
        self.is_entered.store(true, Ordering::Relaxed);
        if known.as_ref() != Some(token) {
            self.guards.forget();
            self.recall(token);
            *known = Some(token.clone());
        }
    }

    /// The token in use, where it was entered in this run: what the settings name may be something else.
    #[must_use]
    pub fn entered_token(&self) -> Option<Token> {
        let known = lock(&self.token);
        let is_entered = self.is_entered.load(Ordering::Relaxed);
        known.clone().filter(|_| is_entered)
    }

    /// Whether this is the token in use.
    pub(super) fn uses(&self, token: &Token) -> bool {
        lock(&self.token).as_ref() == Some(token)
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
            Ok(LoadedAccess::default())
        };
        // Without the key no token is recognised; the error of the state directory is reported where it is needed.
        self.ledger.use_token(digest.ok());
        let loaded = loaded.unwrap_or_else(|error| {
            let what = "read the hosts' answers in";
            let error = Error::machine_at(what, &settings.paths.state, &error);
            self.notices.trouble(error);
            LoadedAccess::default()
        });
        if let Some(said) = loaded.set_aside {
            self.notices.trouble(Error::new(Kind::Integrity, said));
        }
        *lock(&self.access) = loaded.access;
    }

    /// Keeps what a host said.
    pub(super) fn record(&self, area: Area, heard: AreaStatus) {
        let news = lock(&self.access).record(area, heard);
        if news {
            self.keep_access();
        }
    }

    /// Saves the rights without holding their lock, so that readers never wait for the disk.
    fn keep_access(&self) {
        let file = lock(&self.access_file);
        let access = lock(&self.access).clone();
        // A failure is harmless: the next request learns the rights again.
        let _ = file.save(&access);
    }
}
