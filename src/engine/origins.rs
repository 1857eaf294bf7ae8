//! Where each value of this run comes from: flag before environment before file before default, and what it overrides.
//!
//! Tokens are never among the values, and of a command that gives one only its first word: arguments may hold secrets.

use std::{env, path::Path};

use serde::Serialize;
use serde_json::{Map, Value};
use toml_edit::{Document, Item, TableLike};

use super::{
    account::credentials::{self, TokenSource},
    config::{BlocklistSettings, CacheLimits, GuardSettings, RequestLimits, Ui, WatchSettings},
    error::{Error, ErrorContext, Kind, Result},
    locale,
    paths::{self, Paths},
    settings::Settings,
};
use crate::contract::Host;

/// Where a value is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// Nowhere: it is the default.
    Default,
    /// In the configuration file, in this line.
    File {
        path: String,
        /// The line, from 1.
        line: usize,
    },
    /// In this environment variable.
    Environment(&'static str),
    /// On the command line, by this flag.
    Flag(&'static str),
    /// By the embedded service, which is in the place of the configured one.
    Demo,
    /// In a file of its own.
    Stored(String),
}

/// A value and where it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    pub value: Value,
    /// Where it is said.
    pub source: ValueSource,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueOrigin {
    /// Its key in the configuration, or what it is.
    pub key: String,
    pub holds: Stated,
    /// The values that it overrides, the one of highest precedence first; a default is not listed.
    pub overrode: Vec<Stated>,
}

/// The text of a configuration file; nothing where there is none.
fn text_of(path: &Path) -> Result<String> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        text => text.at("read", path),
    }
}

/// Each value of this run, in the order of the sample.
///
/// # Errors
/// When the configuration file cannot be read any more.
pub fn origins(settings: &Settings) -> Result<Vec<ValueOrigin>> {
    let path = &settings.config_file;
    let text = text_of(path)?;
    // It was understood when the run began.
    let document = Document::parse(text.as_str()).map_err(|error| {
        let message = format!("{}: {}", path.display(), error.message());
        Error::new(Kind::Usage, message)
    })?;
    let file = ConfigFile {
        path,
        text: &text,
        root: document.as_table(),
    };
    let flags = &settings.overrides;
    let mut all = Vec::new();
    let mut add = |key: &str, stated: Vec<Option<Stated>>| {
        let mut stated = stated.into_iter().flatten();
        if let Some(holds) = stated.next() {
            let overrode = stated.filter(|stated| stated.source != ValueSource::Default);
            all.push(ValueOrigin {
                key: key.to_owned(),
                holds,
                overrode: overrode.collect(),
            });
        }
    };
    let default = |value: Value| {
        Some(Stated {
            value,
            source: ValueSource::Default,
        })
    };
    let flag = |name, value: Value| {
        Some(Stated {
            value,
            source: ValueSource::Flag(name),
        })
    };

    let given = flags.config.as_ref();
    let named = |path: &Path| Value::from(path.display().to_string());
    add(
        "config file",
        vec![
            given.and_then(|path| flag("--config", named(path))),
            default(named(path)),
        ],
    );
    folders(settings, &mut add);
    let profile = flags.profile.as_deref();
    add(
        "profile",
        vec![
            settings.invented.then(|| Stated {
                value: settings.profile.clone().into(),
                source: ValueSource::Demo,
            }),
            profile.and_then(|name| flag("--profile", name.into())),
            file.at(&["profile"]),
            default("default".into()),
        ],
    );
    let name = profile.map_or_else(|| file.profile(), str::to_owned);
    service(settings, &file, &name, &mut add);
    warehouse(settings, &file, &name, &mut add);

    let sections = [
        ("network", json(RequestLimits::default())),
        ("cache", json(CacheLimits::default())),
        ("guards", json(GuardSettings::default())),
        ("blocklist", json(BlocklistSettings::default())),
        ("watch", json(WatchSettings::default())),
        ("ui", json(Ui::default())),
    ];
    for (section, values) in sections {
        for (key, value) in values {
            let whole = format!("{section}.{key}");
            let first = match whole.as_str() {
                "network.attempts" => flags
                    .retries
                    .and_then(|retries| flag("--retries", retries.saturating_add(1).into())),
                "ui.theme" => variable("NO_COLOR").map(|(_, source)| Stated {
                    value: "none".into(),
                    source,
                }),
                _ => None,
            };
            let value = if whole == "ui.unicode" {
                Value::from(drawn_in_unicode())
            } else {
                value
            };
            add(
                &whole,
                vec![first, file.at(&[section, &key]), default(value)],
            );
        }
    }
    for key in settings.keys.keys() {
        add(&format!("keys.{key}"), vec![file.at(&["keys", key])]);
    }
    Ok(all)
}

fn folders(settings: &Settings, add: &mut impl FnMut(&str, Vec<Option<Stated>>)) {
    let usual = Paths::usual();
    let given = settings.overrides.cache_dir.as_ref();
    let usual = [
        ("config folder", usual.as_ref().map(|paths| &paths.config)),
        ("cache folder", usual.as_ref().map(|paths| &paths.cache)),
        ("state folder", usual.as_ref().map(|paths| &paths.state)),
    ];
    for ((key, usual), (name, of_service)) in usual.into_iter().zip(paths::VARIABLES) {
        let own = match key {
            "cache folder" => Some(&settings.paths.cache),
            "state folder" => Some(&settings.paths.state),
            _ => None,
        };
        let of_demo = own.filter(|_| settings.invented);
        let given = given.filter(|_| key == "cache folder");
        let stated = |path: &std::path::PathBuf, source| Stated {
            value: path.display().to_string().into(),
            source,
        };
        let set = variable(name).map(|(value, source)| Stated { value, source });
        add(
            key,
            vec![
                of_demo.map(|path| stated(path, ValueSource::Demo)),
                given.map(|path| stated(path, ValueSource::Flag("--cache-dir"))),
                set,
                paths::of_service(of_service, &|name| env::var_os(name))
                    .map(|path| stated(&path, ValueSource::Environment(of_service))),
                usual.map(|path| stated(path, ValueSource::Default)),
            ],
        );
    }
}

/// Hosts, token and blocks of the profile.
fn service(
    settings: &Settings,
    file: &ConfigFile<'_>,
    name: &str,
    add: &mut impl FnMut(&str, Vec<Option<Stated>>),
) {
    let table = ["profiles", name];
    let demo = |value: Value| {
        settings.invented.then_some(Stated {
            value,
            source: ValueSource::Demo,
        })
    };
    for (host, set) in Host::ALL.into_iter().zip([
        "IPSPECT_BASE_URL",
        "IPSPECT_FEEDS_URL",
        "IPSPECT_EXPORTS_URL",
    ]) {
        let used = settings.service.url(host).map(ToString::to_string);
        add(
            &format!("profiles.{name}.{}", host.key()),
            vec![
                demo(used.into()),
                variable(set).map(|(value, source)| Stated { value, source }),
                file.at(&[table[0], table[1], host.key()]),
                Some(Stated {
                    value: Value::Null,
                    source: ValueSource::Default,
                }),
            ],
        );
    }
    let command = file.at(&[table[0], table[1], "token_command"]);
    let command = command.map(of_command);
    let stored = credentials::file_of(name, &settings.paths.config);
    let is_stored = TokenSource::File(stored.clone()).is_there();
    let hidden = || Value::from("set, not shown");
    add(
        "token",
        vec![
            demo(hidden()),
            variable(credentials::VARIABLE).map(|(_, source)| Stated {
                value: hidden(),
                source,
            }),
            command,
            is_stored.then(|| Stated {
                value: hidden(),
                source: ValueSource::Stored(stored.display().to_string()),
            }),
            Some(Stated {
                value: Value::Null,
                source: ValueSource::Default,
            }),
        ],
    );
    add(
        &format!("profiles.{name}.treat_as_public"),
        vec![
            demo("the ranges of the embedded service".into()),
            file.at(&[table[0], table[1], "treat_as_public"]),
            Some(Stated {
                value: Value::Array(Vec::new()),
                source: ValueSource::Default,
            }),
        ],
    );
}

/// The warehouse of the profile; nothing of it without one.
fn warehouse(
    settings: &Settings,
    file: &ConfigFile<'_>,
    name: &str,
    add: &mut impl FnMut(&str, Vec<Option<Stated>>),
) {
    if settings.service.warehouse.is_none() {
        return;
    }
    let at = |key: &str| file.at(&["profiles", name, "warehouse", key]);
    let default = |value: Value| {
        Some(Stated {
            value,
            source: ValueSource::Default,
        })
    };
    let key = |key: &str| format!("profiles.{name}.warehouse.{key}");
    add(&key("url"), vec![at("url"), default(Value::Null)]);
    add(&key("user"), vec![at("user"), default("default".into())]);
    let database = vec![at("database"), default("default".into())];
    add(&key("database"), database);
    let hidden = |source| Stated {
        value: "set, not shown".into(),
        source,
    };
    let set = variable(credentials::WAREHOUSE_VARIABLE).map(|(_, source)| hidden(source));
    let command = at("password_command").map(of_command);
    add(&key("password"), vec![set, command, default(Value::Null)]);
}

/// A command that prints a secret, without its arguments.
fn of_command(stated: Stated) -> Stated {
    Stated {
        value: match stated.value.get(0).and_then(Value::as_str) {
            Some(word) => format!("the output of {word}").into(),
            None => "an empty command".into(),
        },
        ..stated
    }
}

/// The configuration file, read.
struct ConfigFile<'f> {
    path: &'f Path,
    text: &'f str,
    root: &'f dyn TableLike,
}

impl ConfigFile<'_> {
    fn profile(&self) -> String {
        let named = self.at(&["profile"]);
        let name = named.and_then(|stated| stated.value.as_str().map(str::to_owned));
        name.unwrap_or_else(|| "default".to_owned())
    }

    /// What it says at this place.
    fn at(&self, keys: &[&str]) -> Option<Stated> {
        let (last, tables) = keys.split_last()?;
        let mut table = self.root;
        for key in tables {
            table = table.get(key)?.as_table_like()?;
        }
        let item = table.get(last)?;
        let begins = item.span().map_or(0, |span| span.start);
        let before = self.text.get(..begins).unwrap_or_default();
        Some(Stated {
            value: value_of(item),
            source: ValueSource::File {
                path: self.path.display().to_string(),
                line: before.matches('\n').count() + 1,
            },
        })
    }
}

/// A value of the file; one of a kind that no key takes is left out.
fn value_of(item: &Item) -> Value {
    if let Some(text) = item.as_str() {
        text.into()
    } else if let Some(number) = item.as_integer() {
        number.into()
    } else if let Some(switch) = item.as_bool() {
        switch.into()
    } else if let Some(list) = item.as_array() {
        let texts = list.iter().map(|value| Value::from(value.as_str()));
        Value::Array(texts.collect())
    } else {
        Value::Null
    }
}

/// A variable that is set and not empty.
fn variable(name: &'static str) -> Option<(Value, ValueSource)> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    let value = value.to_string_lossy().into_owned();
    Some((value.into(), ValueSource::Environment(name)))
}

/// Whether symbols beyond ASCII are drawn where the configuration leaves it open.
fn drawn_in_unicode() -> bool {
    let set = |name: &str| env::var(name).ok();
    locale::draws_unicode(set)
}

fn json(section: impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(section) {
        Ok(Value::Object(keys)) => keys,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::engine::Overrides;

    #[test]
    fn each_value_names_its_place_and_what_it_overrode() {
        let root = tempfile::tempdir().expect("a folder");
        let path = root.path().join("mine.toml");
        let text = "profile = \"work\"\n[profiles.work]\nfeeds_url = \"https://feeds.example\"\n\
                    token_command = [\"pass\", \"secret-1\"]\n[network]\nattempts = 3\n[ui]\nmouse = true\n";
        fs::write(&path, text).expect("write");
        let overrides = Overrides {
            config: Some(path.clone()),
            retries: Some(1),
            cache_dir: Some(root.path().join("cache")),
            ..Overrides::default()
        };
        let settings = Settings::load(&overrides).expect("settings");
        let all = origins(&settings).expect("origins");
        let of = |key: &str| all.iter().find(|origin| origin.key == key).expect(key);
        let line = |line| ValueSource::File {
            path: path.display().to_string(),
            line,
        };
        let attempts = of("network.attempts");
        assert_eq!(attempts.holds.value, 2);
        assert_eq!(attempts.holds.source, ValueSource::Flag("--retries"));
        assert_eq!(attempts.overrode.len(), 1);
        assert_eq!(attempts.overrode[0].source, line(6));
        assert_eq!(of("profile").holds.source, line(1));
        assert_eq!(of("profiles.work.feeds_url").holds.source, line(3));
        assert_eq!(of("ui.mouse").holds.value, true);
        assert_eq!(of("guards.warn_below").holds.source, ValueSource::Default);
        assert_eq!(
            of("cache folder").holds.source,
            ValueSource::Flag("--cache-dir")
        );
        let shown = format!("{all:?}");
        assert!(!shown.contains("secret-1"), "{shown}");
        assert!(shown.contains("the output of pass"), "{shown}");
    }
}
