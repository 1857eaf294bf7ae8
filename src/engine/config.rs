//! `config.toml`: profiles and settings. Unknown keys and bad values are errors with line and column.

mod edit;
mod mistake;

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use ipnet::IpNet;
use serde::{Deserialize, Deserializer, Serialize, de};

pub use self::edit::{keep_guards, keep_urls};
use self::mistake::{ConfigMistake, mistake};
use super::error::{Error, ErrorContext, Kind, Result};
use crate::{
    contract::{BaseUrl, Host},
    model::{BadAddress, TagName, parse_network},
    store::folder::{Unsafe, read_users_file},
};

/// The longest configuration in bytes.
const LONGEST: u64 = 1 << 20;

/// A commented sample of the file.
pub const SAMPLE: &str = include_str!("../../assets/config.sample.toml");

/// The whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The profile used unless another is named.
    pub profile: String,
    /// Services by name.
    pub profiles: BTreeMap<String, Profile>,
    pub network: RequestLimits,
    pub cache: CacheLimits,
    /// What keeps queries from being spent by accident.
    pub guards: GuardSettings,
    /// What lists to block by leave out.
    pub blocklist: BlocklistSettings,
    pub watch: WatchSettings,
    pub ui: Ui,
    /// Keys of the explorer and the names of the actions that they do. Whether there are such keys and actions is seen there.
    pub keys: BTreeMap<String, String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            profile: "default".to_owned(),
            profiles: BTreeMap::new(),
            network: RequestLimits::default(),
            cache: CacheLimits::default(),
            guards: GuardSettings::default(),
            blocklist: BlocklistSettings::default(),
            watch: WatchSettings::default(),
            ui: Ui::default(),
            keys: BTreeMap::new(),
        }
    }
}

/// A service and how its token is come by.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    #[serde(deserialize_with = "parsed_option")]
    base_url: Option<BaseUrl>,
    #[serde(deserialize_with = "parsed_option")]
    feeds_url: Option<BaseUrl>,
    #[serde(deserialize_with = "parsed_option")]
    exports_url: Option<BaseUrl>,
    /// A command whose first line of output is the token.
    pub token_command: Option<Vec<String>>,
    /// Blocks admitted although reserved.
    #[serde(deserialize_with = "networks")]
    pub treat_as_public: Vec<IpNet>,
    /// A warehouse of days of feeds.
    pub warehouse: Option<WarehouseProfile>,
}

/// A `ClickHouse` with days of feeds, and how to log in to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WarehouseProfile {
    /// Its HTTP interface.
    #[serde(deserialize_with = "parsed_option")]
    pub url: Option<BaseUrl>,
    pub user: String,
    /// The database of the tables, which must exist.
    pub database: String,
    /// A command whose first line of output is the password.
    pub password_command: Option<Vec<String>>,
}

impl Default for WarehouseProfile {
    fn default() -> Self {
        Self {
            url: None,
            user: "default".to_owned(),
            database: "default".to_owned(),
            password_command: None,
        }
    }
}

impl Profile {
    #[must_use]
    pub fn url(&self, host: Host) -> Option<&BaseUrl> {
        match host {
            Host::Context => self.base_url.as_ref(),
            Host::Feeds => self.feeds_url.as_ref(),
            Host::Exports => self.exports_url.as_ref(),
        }
    }

    /// Sets the address of a host.
    pub fn set_url(&mut self, host: Host, url: BaseUrl) {
        *match host {
            Host::Context => &mut self.base_url,
            Host::Feeds => &mut self.feeds_url,
            Host::Exports => &mut self.exports_url,
        } = Some(url);
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct RequestLimits {
    /// Tries for feeds, storage and exports, the first included.
    pub attempts: u32,
    /// The first pause between tries; it doubles.
    pub retry_base_ms: u64,
    /// Until the connection is open.
    pub connect_timeout_s: u64,
    /// Until the first header.
    pub header_timeout_s: u64,
    /// Between two pieces of a body.
    pub silence_timeout_s: u64,
    /// Until the first header of an export.
    pub export_timeout_s: u64,
    /// Certificates of issuers that are trusted beside the built-in ones and the system's.
    pub ca_file: Option<PathBuf>,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            attempts: 5,
            retry_base_ms: 500,
            connect_timeout_s: 10,
            header_timeout_s: 30,
            silence_timeout_s: 30,
            export_timeout_s: 900,
            ca_file: None,
        }
    }
}

impl RequestLimits {
    /// Until the first header of an answer from `host`.
    #[must_use]
    pub fn header_timeout(&self, host: Host) -> Duration {
        Duration::from_secs(if host == Host::Exports {
            self.export_timeout_s
        } else {
            self.header_timeout_s
        })
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct CacheLimits {
    /// Releases kept of each feed, the newest.
    pub keep_releases: usize,
    /// Windows kept of realtime, the newest.
    pub keep_windows: usize,
    /// Whether the downloaded file stays beside its index.
    pub keep_feed_files: bool,
    /// The most that the cache may hold.
    pub max_gb: u64,
    /// How old a cached answer may be.
    pub answer_max_age_h: u64,
    /// How old a local record may be, from 00:00 UTC of the release's day, that is given in place of a query.
    pub local_max_age_h: u64,
}

impl Default for CacheLimits {
    fn default() -> Self {
        Self {
            keep_releases: 14,
            keep_windows: 288,
            keep_feed_files: true,
            max_gb: 200,
            answer_max_age_h: 24,
            local_max_age_h: 48,
        }
    }
}

/// What keeps queries from being spent by accident.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct GuardSettings {
    /// Balance below which a warning shows.
    pub warn_below: u64,
    /// Balance below which no lookup is sent; 0 is off.
    pub stop_below: u64,
    /// Number of queries above which a batch needs to be confirmed; 0 confirms every one.
    pub confirm_over: u64,
}

impl Default for GuardSettings {
    fn default() -> Self {
        Self {
            warn_below: 1000,
            stop_below: 0,
            confirm_over: 25,
        }
    }
}

/// What lists to block by leave out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct BlocklistSettings {
    /// Tags of services that many people use and policy exempts.
    #[serde(deserialize_with = "tags")]
    pub exempt_tags: Vec<String>,
    /// Lists of what is never blocked.
    pub allow: Vec<PathBuf>,
}

/// Who is told what watches find.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct WatchSettings {
    /// A command, and its arguments, which gets the changes on standard input; none where this is empty.
    pub on_change: Vec<String>,
}

impl BlocklistSettings {
    /// The files of what is never blocked; those of a configuration are beside it, wherever it is used.
    pub fn allow_files(&self, config_file: &Path) -> impl Iterator<Item = PathBuf> {
        let beside = config_file.parent();
        self.allow.iter().map(move |file| match beside {
            Some(beside) if !file.starts_with("~") => beside.join(file),
            _ => file.clone(),
        })
    }
}

impl Default for BlocklistSettings {
    fn default() -> Self {
        let tags = ["WARP_VPN", "ICLOUD_RELAY_PROXY"];
        Self {
            exempt_tags: tags.map(str::to_owned).to_vec(),
            allow: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ui {
    pub theme: ThemeName,
    /// What Enter asks first.
    pub answers: AnswerOrder,
    /// Whether the mouse is taken.
    pub mouse: bool,
    /// Whether symbols beyond ASCII are drawn; by the locale where nothing is said.
    pub unicode: Option<bool>,
    /// Whether the screen is read aloud: the cursor on the selected row, which a line names, numbered menus, no borders.
    pub screen_reader: bool,
}

/// The colours of the explorer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeName {
    /// The terminal's own.
    #[default]
    Terminal,
    /// Dark or light, as the terminal says its ground is.
    Auto,
    /// For dark grounds.
    Dark,
    /// For light grounds.
    Light,
    /// For weak eyes and weak screens.
    HighContrast,
}

impl ThemeName {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Auto => "auto",
            Self::Dark => "dark",
            Self::Light => "light",
            Self::HighContrast => "high-contrast",
        }
    }
}

/// What Enter asks first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerOrder {
    /// What is local; the service only when nothing is.
    #[default]
    LocalFirst,
    /// Always the service.
    Live,
}

fn parsed_option<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>>(
    input: D,
) -> Result<Option<T>, D::Error> {
    String::deserialize(input)?
        .parse()
        .map(Some)
        .map_err(de::Error::custom)
}

/// A network whose mistake is named at its own place in the list.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct NetworkText(IpNet);

impl TryFrom<String> for NetworkText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse_network(&text).map(Self).map_err(|why| match why {
            // The value is not repeated.
            BadAddress::PrefixTooLong { length, most, .. } => {
                format!("prefix length {length} exceeds {most}")
            }
            _ => "a value is not a network: write \"198.51.100.0/24\"".to_owned(),
        })
    }
}

fn tags<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    let tags = Vec::<String>::deserialize(input)?;
    let read = |tag: String| match tag.parse::<TagName>() {
        Ok(tag) => Ok(tag.to_string()),
        Err(bad) => Err(de::Error::custom(bad)),
    };
    tags.into_iter().map(read).collect()
}

fn networks<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<IpNet>, D::Error> {
    let networks = Vec::<NetworkText>::deserialize(input)?;
    Ok(networks.into_iter().map(|network| network.0).collect())
}

impl Config {
    /// Reads the file, or takes the defaults when there is none.
    ///
    /// # Errors
    /// What is wrong with the file, with line and column.
    pub fn load(path: &Path, must_exist: bool) -> Result<Self> {
        let bytes = match read_users_file(path, LONGEST) {
            Err(error) if Unsafe::behind(&error) == Some(Unsafe::TooLong) => {
                let message = format!("{} is too long for a configuration", path.display());
                return Err(Error::new(Kind::Usage, message));
            }
            read => read.at("read", path)?,
        };
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        match text {
            Some(text) => Self::parse(&text).map_err(|error| {
                let ConfigMistake { message, hint } = mistake(&text, &error);
                Error::new(Kind::Usage, format!("{}: {message}", path.display())).hint(hint)
            }),
            None if must_exist => Err(Error::new(
                Kind::Usage,
                format!("there is no configuration file {}", path.display()),
            )
            .hint("`ipspect doctor --sample` prints one to begin with")),
            None => Ok(Self::default()),
        }
    }

    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let config: Self = toml::from_str(text)?;
        let network = &config.network;
        let numbers = [
            ("attempts", u64::from(network.attempts)),
            ("connect_timeout_s", network.connect_timeout_s),
            ("header_timeout_s", network.header_timeout_s),
            ("silence_timeout_s", network.silence_timeout_s),
            ("export_timeout_s", network.export_timeout_s),
        ];
        match numbers.into_iter().find(|(_, number)| *number == 0) {
            Some((key, _)) => Err(de::Error::custom(format!("{key} must be at least 1"))),
            None => Ok(config),
        }
    }
}

#[cfg(test)]
mod tests;
