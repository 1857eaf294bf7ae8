//! Changing `config.toml` in place: only the values that are meant change, comments and everything else stay.
//!
//! The file that is there may be a link to one that a person keeps elsewhere: the link stays, and what it leads to is replaced
//! as a whole. A file with a mistake is never written over.

use std::{fs, io, io::Write, path::Path};

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::{Config, GuardSettings, mistake::mistake};
use crate::{
    contract::{BaseUrl, Host},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        paths::split,
    },
};

/// Writes the guards into the configuration file, which is made where there is none.
///
/// # Errors
/// [`Kind::Usage`] for a file with a mistake, which is named with its place; a failure of this machine.
pub fn keep_guards(path: &Path, guards: &GuardSettings) -> Result<()> {
    keep(path, |text| with_guards(text, guards))
}

/// Writes the addresses of hosts into a profile of the configuration file, which is made where there is none.
///
/// # Errors
/// As [`keep_guards`].
pub fn keep_urls(path: &Path, profile: &str, urls: &[(Host, BaseUrl)]) -> Result<()> {
    keep(path, |text| with_urls(text, profile, urls))
}

fn keep(path: &Path, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    // Reads what may be read of it, and finds its mistakes.
    Config::load(path, false)?;
    let target = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        target => target.at("read", path)?,
    };
    let text = match fs::read_to_string(&target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.at("read", &target)?,
    };
    let text = change(&text)?;
    replace(&target, &text).at("write", &target)
}

fn unreadable(why: impl std::fmt::Display) -> Error {
    Error::new(Kind::Usage, format!("the configuration: {why}"))
}

/// The text of the file with these addresses in a profile.
fn with_urls(text: &str, profile: &str, urls: &[(Host, BaseUrl)]) -> Result<String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| unreadable(error.message()))?;
    let table = |implicit: bool| {
        let mut table = Table::new();
        table.set_implicit(implicit);
        Item::Table(table)
    };
    let profiles = document.entry("profiles").or_insert_with(|| table(true));
    let profiles = profiles
        .as_table_like_mut()
        .ok_or_else(|| unreadable("profiles is not a table"))?;
    let item = profiles.entry(profile).or_insert_with(|| table(false));
    let like = item
        .as_table_like_mut()
        .ok_or_else(|| unreadable(format!("profiles.{profile} is not a table")))?;
    for (host, url) in urls {
        put(like, host.key(), Value::from(url.to_string()));
    }
    let text = document.to_string();
    Config::parse(&text).map_err(|error| unreadable(mistake(&text, &error).message))?;
    Ok(text)
}

/// Sets a value; the comment behind the one before, which is part of its decoration, stays.
fn put(table: &mut dyn TableLike, key: &str, new: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(value) => {
            let decoration = value.decor().clone();
            *value = new;
            *value.decor_mut() = decoration;
        }
        None => {
            table.insert(key, toml_edit::value(new));
        }
    }
}

/// The text of the file with these guards.
fn with_guards(text: &str, guards: &GuardSettings) -> Result<String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| unreadable(error.message()))?;
    if !document.contains_key("guards") {
        // At the end, behind whatever comment is there.
        let gap = match text {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let ended: Result<DocumentMut, _> = format!("{text}{gap}[guards]\n").parse();
        document = ended.map_err(|error: toml_edit::TomlError| unreadable(error.message()))?;
    }
    let table = document
        .get_mut("guards")
        .and_then(Item::as_table_like_mut)
        .ok_or_else(|| unreadable("guards is not a table"))?;
    for (key, number) in [
        ("warn_below", guards.warn_below),
        ("stop_below", guards.stop_below),
        ("confirm_over", guards.confirm_over),
    ] {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        put(table, key, Value::from(number));
    }
    let text = document.to_string();
    Config::parse(&text).map_err(|error| unreadable(mistake(&text, &error).message))?;
    Ok(text)
}

/// Puts a file with this text in the place of another, with the permissions of that.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let (folder, _) = split(path);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Ok(present) = fs::metadata(path) {
        file.as_file().set_permissions(present.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARDS: GuardSettings = GuardSettings {
        warn_below: 5000,
        stop_below: 500,
        confirm_over: 10,
    };

    #[test]
    fn values_change_and_everything_else_stays() {
        let text = "# mine\nprofile = \"work\" # the usual\n\n[profiles.work]\n\n[guards] # careful\nwarn_below = 1_000 # soon\n# at last\nstop_below=0\n\n[ui]\nmouse = true\n";
        assert_eq!(
            with_guards(text, &GUARDS).expect("text"),
            "# mine\nprofile = \"work\" # the usual\n\n[profiles.work]\n\n[guards] # careful\nwarn_below = 5000 # soon\n# at last\nstop_below=500\nconfirm_over = 10\n\n[ui]\nmouse = true\n"
        );
        let made = with_guards("", &GUARDS).expect("text");
        assert_eq!(Config::parse(&made).expect(&made).guards, GUARDS);
        let inline = with_guards("guards = { warn_below = 7 }\n", &GUARDS).expect("text");
        assert_eq!(Config::parse(&inline).expect(&inline).guards, GUARDS);
    }

    #[test]
    fn addresses_go_into_their_profile() {
        let url = |text: &str| text.parse::<BaseUrl>().expect(text);
        let urls = [
            (Host::Context, url("https://context.example")),
            (Host::Feeds, url("https://feeds.example")),
        ];
        let made = with_urls("", "default", &urls).expect("text");
        let config = Config::parse(&made).expect(&made);
        let profile = &config.profiles["default"];
        assert_eq!(profile.url(Host::Context), Some(&urls[0].1), "{made}");
        assert_eq!(profile.url(Host::Exports), None);
        let text = "# mine\n[profiles.work] # careful\nbase_url = \"https://old.example\" # soon\n\n[ui]\nmouse = true\n";
        let changed = with_urls(text, "work", &urls[..1]).expect("text");
        assert_eq!(
            changed,
            text.replace("https://old.example", &urls[0].1.to_string())
        );
        let other = with_urls(text, "other", &urls).expect("text");
        assert!(other.contains("\"https://old.example\" # soon"), "{other}");
        assert_eq!(Config::parse(&other).expect(&other).profiles.len(), 2);
    }

    #[test]
    fn a_link_stays_and_rights_stay() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().expect("directory");
        let (kept, link) = (
            root.path().join("dotfiles.toml"),
            root.path().join("config.toml"),
        );
        fs::write(&kept, "# mine\n").expect("write");
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o600)).expect("mode");
        std::os::unix::fs::symlink(&kept, &link).expect("link");
        keep_guards(&link, &GUARDS).expect("written");
        assert!(fs::symlink_metadata(&link).expect("link").is_symlink());
        let text = fs::read_to_string(&kept).expect("text");
        assert!(
            text.starts_with("# mine\n") && text.contains("stop_below = 500"),
            "{text}"
        );
        let mode = fs::metadata(&kept).expect("file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let new = root.path().join("new/config.toml");
        keep_guards(&new, &GUARDS).expect("made");
        assert_eq!(Config::load(&new, true).expect("config").guards, GUARDS);
    }

    #[test]
    fn a_file_with_a_mistake_is_left_alone() {
        let root = tempfile::tempdir().expect("directory");
        let path = root.path().join("config.toml");
        fs::write(&path, "[guards]\nwarn = 1\n").expect("write");
        let error = keep_guards(&path, &GUARDS).expect_err("a mistake");
        assert_eq!(error.kind, Kind::Usage);
        assert_eq!(
            fs::read_to_string(&path).expect("text"),
            "[guards]\nwarn = 1\n"
        );
    }
}
