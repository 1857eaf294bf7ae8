//! Everything that decides how this run behaves: configuration, environment and flags, put together once.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    time::SystemTime,
};

use jiff::Timestamp;

use super::{
    account::credentials::{self, TokenSource},
    config::{
        BlocklistSettings, CacheLimits, Config, GuardSettings, Profile, RequestLimits, Ui,
        WatchSettings,
    },
    error::{Error, Kind, Result, not_configured},
    paths::Paths,
};
use crate::{
    contract::{BaseUrl, Endpoint, Host, Token},
    model::{Admission, Day, instant_of, instead_of, visible},
    store::{log::EntryOwner, owner::PulledService},
};

/// What the command line may say about this run.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--profile`
    pub profile: Option<String>,
    /// `--cache-dir`
    pub cache_dir: Option<PathBuf>,
    /// `--retries`: further tries after the first.
    pub retries: Option<u32>,
    /// `--offline`
    pub offline: bool,
    /// `--case`: the investigation to which belongs what is remembered.
    pub case: Option<String>,
}

/// A service that is not configured but given: the embedded one.
#[derive(Clone, Debug)]
pub struct GivenService {
    pub urls: Vec<(Host, BaseUrl)>,
    pub token: Token,
    /// The ranges that it speaks of.
    pub admitted: Vec<ipnet::IpNet>,
}

/// The most characters of the name of a case.
const LONGEST_CASE: usize = 60;

/// Checks the name of a case.
///
/// # Errors
/// [`Kind::Usage`] for one that cannot be typed again or told apart.
pub fn check_case(name: &str) -> Result<()> {
    let why = match name {
        "" => "the name of a case is empty",
        "-" => "a minus alone is no name of a case: `:case -` leaves one",
        name if name.trim() != name => "the name of a case begins or ends with a blank",
        name if visible(name) != name => "the name of a case has a character that is not visible",
        name if name.chars().count() > LONGEST_CASE => {
            "the name of a case is longer than 60 characters"
        }
        _ => return Ok(()),
    };
    let hint = "a name such as INC-2041 or \"phishing wave\"";
    Err(Error::new(Kind::Usage, why).hint(hint))
}

/// How this run behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The profile's name.
    pub profile: String,
    /// The names of all profiles.
    pub profiles: Vec<String>,
    /// The file that was read, whether it exists or not.
    pub config_file: PathBuf,
    /// Hosts by profile.
    pub service: Profile,
    /// The `feeds_url` of the profile that the configuration names as the default: releases that nothing else assigns to
    /// a service are its own.
    pub default_feeds_url: Option<BaseUrl>,
    /// Where the token comes from.
    pub token: TokenSource,
    /// Which addresses may be sent.
    pub admission: Admission,
    /// What the command line said.
    pub overrides: Overrides,
    pub network: RequestLimits,
    /// Further tries of a lookup after the first.
    pub lookup_retries: u32,
    pub cache: CacheLimits,
    pub guards: GuardSettings,
    pub blocklist: BlocklistSettings,
    pub watch: WatchSettings,
    pub ui: Ui,
    /// Keys of the explorer and the actions that they do.
    pub keys: BTreeMap<String, String>,
    pub paths: Paths,
    /// Whether the network must not be touched.
    pub offline: bool,
    /// Whether the data is invented.
    pub invented: bool,
    pub clock: fn() -> Timestamp,
}

impl Settings {
    /// Further tries of a lookup: each may cost a query, so there are few (a rule of this program, not of the contract).
    const LOOKUP_RETRIES: u32 = 2;

    /// Puts configuration, environment and flags together. Nothing is sent and no token is read.
    ///
    /// # Errors
    /// What is wrong with the configuration or the environment.
    pub fn load(overrides: &Overrides) -> Result<Self> {
        let mut paths = Paths::of_environment()?;
        if let Some(cache) = &overrides.cache_dir {
            paths.cache.clone_from(cache);
        }
        let config_file = overrides
            .config
            .clone()
            .unwrap_or_else(|| paths.config.join("config.toml"));
        if let Some(case) = &overrides.case {
            check_case(case)?;
        }
        let config = Config::load(&config_file, overrides.config.is_some())?;
        let default = config.profiles.get(&config.profile);
        let mut default_feeds_url = default.and_then(|profile| profile.url(Host::Feeds).cloned());
        let is_default = overrides
            .profile
            .as_ref()
            .is_none_or(|text| *text == config.profile);
        let name = overrides
            .profile
            .as_ref()
            .unwrap_or(&config.profile)
            .clone();
        let mut service = profile(&config.profiles, &name, &config_file)?;
        for host in Host::ALL {
            if let Some(url) = url_of_environment(host)? {
                service.set_url(host, url);
            }
        }
        if is_default {
            default_feeds_url = service.url(Host::Feeds).cloned();
        }
        let mut settings = Self {
            token: TokenSource::of_profile(&name, &service, &paths.config),
            admission: Admission::with(service.treat_as_public.clone()),
            profile: name,
            config_file,
            service,
            default_feeds_url,
            offline: overrides.offline,
            overrides: overrides.clone(),
            ..Self::of(config, paths)
        };
        if let Some(retries) = overrides.retries {
            settings.network.attempts = retries.saturating_add(1);
            settings.lookup_retries = retries.min(Self::LOOKUP_RETRIES);
        }
        Ok(settings)
    }

    /// The investigation that is open.
    #[must_use]
    pub fn case(&self) -> Option<&str> {
        self.overrides.case.as_deref()
    }

    /// A run in these directories as it is when nothing is configured. Neither files nor the environment are read.
    #[must_use]
    pub fn plain(paths: Paths) -> Self {
        Self::of(Config::default(), paths)
    }

    fn of(config: Config, paths: Paths) -> Self {
        Self {
            token: TokenSource::File(credentials::file_of(&config.profile, &paths.config)),
            admission: Admission::default(),
            profile: config.profile,
            config_file: paths.config.join("config.toml"),
            service: Profile::default(),
            default_feeds_url: None,
            overrides: Overrides::default(),
            network: config.network,
            lookup_retries: Self::LOOKUP_RETRIES,
            cache: config.cache,
            guards: config.guards,
            blocklist: config.blocklist,
            watch: config.watch,
            ui: config.ui,
            keys: config.keys,
            profiles: config.profiles.into_keys().collect(),
            paths,
            offline: false,
            invented: false,
            clock: || instant_of(SystemTime::now()),
        }
    }

    /// The same run on another service whose data is invented: nothing real is read, kept or sent.
    #[must_use]
    pub fn on_invented(mut self, given: GivenService) -> Self {
        self.service = Profile::default();
        for (host, url) in given.urls {
            self.service.set_url(host, url);
        }
        self.admission = Admission::invented(given.admitted);
        self.token = TokenSource::Given(given.token);
        self.paths = self.paths.for_demo();
        "demo".clone_into(&mut self.profile);
        self.invented = true;
        self
    }

    /// To whom belongs what this run keeps in files. The ports of an embedded service change from run to run.
    #[must_use]
    pub fn owner(&self) -> EntryOwner {
        let service = match self.service.url(Host::Context) {
            _ if self.invented => "embedded".to_owned(),
            Some(url) => url.to_string(),
            None => "none".to_owned(),
        };
        EntryOwner {
            profile: self.profile.clone(),
            service,
        }
    }

    /// The hosts of this run as one text: what is known of a token is known at these.
    #[must_use]
    pub fn hosts(&self) -> String {
        if self.invented {
            return "embedded".to_owned();
        }
        let urls = Host::ALL.map(|host| self.service.url(host).map(ToString::to_string));
        urls.map(Option::unwrap_or_default).join(" ")
    }

    /// The service whose releases this run pulls and asks.
    #[must_use]
    pub fn feeds_service(&self) -> PulledService {
        if self.invented {
            return PulledService::Given;
        }
        PulledService::Configured {
            feeds_url: self.service.url(Host::Feeds).map(BaseUrl::to_string),
            default_url: self.default_feeds_url.as_ref().map(BaseUrl::to_string),
        }
    }

    /// Refuses a clock at the end of the calendar, where days cannot be counted any more.
    ///
    /// # Errors
    /// [`Kind::Machine`] past the year 9998.
    pub fn check_clock(now: Timestamp) -> Result<()> {
        /// The calendar ends with the year after it.
        const LAST: i16 = 9998;
        if Day::of(now).date().year() > LAST {
            let message = format!("this machine's clock is past the year {LAST}");
            return Err(Error::new(Kind::Machine, message).hint("set the clock, then run it again"));
        }
        Ok(())
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// The day, UTC.
    #[must_use]
    pub fn today(&self) -> Day {
        Day::of(self.now())
    }

    /// The URL of a request, without the token.
    ///
    /// # Errors
    /// As [`Settings::url`].
    pub fn url_of(&self, endpoint: &Endpoint) -> Result<String> {
        Ok(format!(
            "{}{}",
            self.url(endpoint.host())?,
            endpoint.target()
        ))
    }

    /// The address of a host.
    ///
    /// # Errors
    /// [`Kind::Usage`] when the profile has none.
    pub fn url(&self, host: Host) -> Result<&BaseUrl> {
        self.service.url(host).ok_or_else(|| not_configured(host))
    }
}

fn profile(
    profiles: &BTreeMap<String, Profile>,
    name: &str,
    config_file: &Path,
) -> Result<Profile> {
    match profiles.get(name) {
        Some(profile) => Ok(profile.clone()),
        None if name == "default" => Ok(Profile::default()),
        None => {
            let file = config_file.display();
            let names: Vec<&str> = profiles.keys().map(String::as_str).collect();
            let hint = if names.is_empty() {
                format!("add a table [profiles.{name}] to it, or leave the profile out")
            } else {
                instead_of(name, &names)
            };
            let message = format!("there is no profile {name:?} in {file}");
            Err(Error::new(Kind::Usage, message).hint(hint))
        }
    }
}

fn url_of_environment(host: Host) -> Result<Option<BaseUrl>> {
    let variable = match host {
        Host::Context => "IPSPECT_BASE_URL",
        Host::Feeds => "IPSPECT_FEEDS_URL",
        Host::Exports => "IPSPECT_EXPORTS_URL",
    };
    match env::var(variable) {
        Ok(text) if !text.is_empty() => text.parse().map(Some).map_err(|error| {
            Error::new(Kind::Usage, format!("{variable}: {error}"))
                .hint(format!("unset {variable} to use the profile's address"))
        }),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_at_the_end_of_the_calendar_is_refused() {
        let clock = |year, month, day| Day::new(year, month, day).expect("a day").at(12, 0);
        assert_eq!(Settings::check_clock(clock(2026, 11, 21)), Ok(()));
        assert_eq!(Settings::check_clock(clock(9998, 12, 31)), Ok(()));
        let beyond = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(u64::MAX >> 8);
        for late in [clock(9999, 1, 1), instant_of(beyond), Timestamp::MAX] {
            let refused = Settings::check_clock(late).expect_err("too late");
            assert_eq!(
                (refused.kind, refused.message.as_str()),
                (Kind::Machine, "this machine's clock is past the year 9998")
            );
        }
    }
}
