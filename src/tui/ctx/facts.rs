//! Facts about the outside world: the configured service, the token, the balance, the hosts' answers.

use std::path::PathBuf;

use jiff::Timestamp;

use super::WatchNews;
use crate::{
    contract::{Endpoint, Feed, Geolocation, Host},
    engine::{
        Access, Area, Balance, Engine, Pastes,
        answers::{Age, Limits},
        config::{AnswerOrder, GuardSettings},
    },
    model::Admission,
    report,
    store::Moment,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenState {
    Missing,
    /// There seems to be one; it was not read.
    There,
}

/// What is missing for asking a host.
enum Missing {
    Network,
    Url,
    Token,
}

/// Facts about the outside world.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The profile's name.
    pub profile: String,
    pub profiles: Vec<String>,
    /// Whether the data is invented.
    pub invented: bool,
    /// The case that is open, and the names of all.
    pub case: Option<String>,
    pub cases: Vec<String>,
    /// Whether the network must not be touched.
    pub offline: bool,
    /// Where the warehouse of the profile is, if it names one.
    pub warehouse: Option<String>,
    /// Where each host is, if that is configured.
    pub urls: Vec<(Host, String)>,
    pub token: TokenState,
    /// Where the token comes from, in words.
    pub token_source: String,
    pub config_file: PathBuf,
    /// Where pasted texts are kept.
    pub pastes: Pastes,
    /// Where exports are written unless told otherwise.
    pub working_dir: PathBuf,
    /// Which addresses may be sent.
    pub admission: Admission,
    pub guards: GuardSettings,
    /// What a lookup asks first.
    pub answers: AnswerOrder,
    /// How old an answer may be that stands for a query.
    pub limits: Limits,
    /// The balance, as it was last heard.
    pub balance: Option<Balance>,
    pub balance_before: Option<u64>,
    /// What each host last said.
    pub access: Access,
    /// Addresses worth trying, each with what it shows; for the embedded service.
    pub examples: Vec<(String, String)>,
    /// What is watched, and what changed there since a person last looked.
    pub watched: WatchNews,
    /// Whether the terminal window has the focus.
    pub focused: bool,
}

impl Facts {
    /// What the engine knows before anything is asked.
    #[must_use]
    pub fn of(engine: &Engine, examples: Vec<(String, String)>) -> Self {
        let settings = &engine.settings;
        let urls = Host::ALL.into_iter().filter_map(|host| {
            let url = settings.service.url(host)?;
            Some((host, url.to_string()))
        });
        Self {
            profile: settings.profile.clone(),
            profiles: settings.profiles.clone(),
            invented: settings.invented,
            case: settings.case().map(str::to_owned),
            // That the log cannot be read is said where the trail is.
            cases: engine.trail.cases().into_iter().flatten().collect(),
            offline: settings.offline,
            warehouse: engine.warehouse.place().ok(),
            urls: urls.collect(),
            token: if settings.token.is_there() {
                TokenState::There
            } else {
                TokenState::Missing
            },
            token_source: settings.token.words(),
            config_file: settings.config_file.clone(),
            pastes: engine.pastes.clone(),
            // Where that is unknown, files are named relative to it, which leads to the same place.
            working_dir: std::env::current_dir().unwrap_or_default(),
            admission: settings.admission.clone(),
            guards: settings.guards.clone(),
            answers: settings.ui.answers,
            limits: Limits::of(settings),
            balance: engine.account.balance(),
            balance_before: None,
            access: engine.account.access(),
            examples,
            watched: WatchNews::default(),
            focused: true,
        }
    }

    /// Whether a lookup can be sent at all.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.token == TokenState::There && self.url(Host::Context).is_some()
    }

    /// What is missing for asking a host; nothing when it can be asked.
    fn missing(&self, host: Host) -> Option<Missing> {
        if self.offline {
            Some(Missing::Network)
        } else if self.url(host).is_none() {
            Some(Missing::Url)
        } else {
            (self.token == TokenState::Missing).then_some(Missing::Token)
        }
    }

    /// What is missing for asking the Context API, and what to do about it; nothing when it can be asked.
    #[must_use]
    pub fn lack(&self) -> Option<String> {
        let text = match self.missing(Host::Context)? {
            Missing::Network => "--offline: nothing is sent. Start without it to ask the service.",
            Missing::Url => {
                "No service is configured: T enters its addresses, : demo opens one with invented data."
            }
            Missing::Token => "There is no token: T takes one, or start with IPSPECT_TOKEN set.",
        };
        Some(text.to_owned())
    }

    /// Whether a lookup is sent whatever is at hand: the configuration says so, or only the service has the geolocation.
    #[must_use]
    pub fn is_always_live(&self, geolocation: Geolocation) -> bool {
        geolocation == Geolocation::Mmgeo || self.answers == AnswerOrder::Live
    }

    /// Whether a lookup shows the record of a feed in place of a query, where this is its newest release.
    #[must_use]
    pub fn is_free(&self, feed: Feed, newest: Moment, now: Timestamp) -> bool {
        let age = self.limits.age_of(feed, newest, now);
        self.answers != AnswerOrder::Live && age == Some(Age::Fresh)
    }

    /// What a look at an address may cost of which no fresh local record is known, also where a token is still to come.
    #[must_use]
    pub fn price(&self, geolocation: Geolocation) -> &'static str {
        if self.is_always_live(geolocation) {
            "1 query"
        } else {
            "1 query unless local or cached"
        }
    }

    /// What a look at an address costs that is shown in a row now: where nothing can be sent it costs nothing.
    #[must_use]
    pub fn price_now(&self, geolocation: Geolocation) -> &'static str {
        match (self.lack().is_some(), self.is_always_live(geolocation)) {
            (true, _) => "local or cached only",
            (false, true) => "1 query",
            (false, false) => "local, else 1 query",
        }
    }

    /// What keeps the service from being asked, in a few words, with the key that mends it; nothing when it can be asked.
    #[must_use]
    pub fn lack_in_short(&self) -> Option<&'static str> {
        Some(match self.missing(Host::Context)? {
            Missing::Network => "offline: nothing is sent",
            Missing::Url => "not possible now: T enters the service",
            Missing::Token => "not possible now: T enters a token",
        })
    }

    /// What keeps the feeds host from being asked, and what to do about it; nothing when it can be asked.
    #[must_use]
    pub fn lack_of_feeds(&self) -> Option<String> {
        self.lack_of(Host::Feeds)
    }

    /// What keeps the exports host from being asked, and what to do about it; nothing when it can be asked.
    #[must_use]
    pub fn lack_of_exports(&self) -> Option<String> {
        self.lack_of(Host::Exports)
    }

    fn lack_of(&self, host: Host) -> Option<String> {
        Some(match self.missing(host)? {
            Missing::Network => "offline: nothing is sent".to_owned(),
            Missing::Url => format!("{} is not set: T sets it", host.key()),
            Missing::Token => "no token: T takes one".to_owned(),
        })
    }

    /// What it means that a host refuses the token here, if that was its last word.
    #[must_use]
    pub fn refusal(&self, area: Area) -> Option<String> {
        let status = self.access.of(area)?.status?;
        let is_refused = matches!(status, 401 | 403);
        is_refused.then(|| format!("{status}: {}", self.access.meaning(area)))
    }

    #[must_use]
    pub fn url(&self, host: Host) -> Option<&str> {
        let (_, url) = self.urls.iter().find(|(other, _)| *other == host)?;
        Some(url)
    }

    /// The request as a command that asks the same; the token stays in the environment.
    #[must_use]
    pub fn curl(&self, endpoint: &Endpoint) -> String {
        let host = endpoint.host();
        let base = self.url(host).map_or_else(
            || format!("${{{}}}", host.key().to_uppercase()),
            str::to_owned,
        );
        report::curl(endpoint, &format!("{base}{}", endpoint.target()))
    }
}
