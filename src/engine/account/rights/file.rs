//! The file behind [`Access`]: what the hosts last said, kept across runs for each token by its digest.
//!
//! The file can be lost: each right is learnt again with the next request. It must never return entries of another token, or
//! entries without a valid checksum.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Access, Area, AreaStatus};
use crate::store::{
    Folder, checksum,
    folder::{Durability, Replacement, temporary},
};

const NAME: &str = "hosts.json";
/// Where a file goes that cannot be trusted.
const ASIDE: &str = "hosts.json.aside";
const VERSION: u64 = 2;
/// Tokens of which something is kept; the one that was heard of longest ago goes first.
const MOST_TOKENS: usize = 64;
const LARGEST: u64 = 1 << 20;

/// The file, for the token that is in use.
#[derive(Debug)]
pub(in crate::engine) struct AccessFile {
    state: PathBuf,
    token: Option<String>,
}

/// What was read of it.
#[derive(Debug, Default)]
pub(in crate::engine) struct LoadedAccess {
    pub(in crate::engine) access: Access,
    /// Why the file was set aside, if it was.
    pub(in crate::engine) set_aside: Option<String>,
}

impl AccessFile {
    pub(in crate::engine) fn new(state: &Path) -> Self {
        Self {
            state: state.to_owned(),
            token: None,
        }
    }

    /// From now on it is about the token of this digest. Returns what was heard of it in earlier runs.
    ///
    /// # Errors
    /// A failure of the system.
    pub(in crate::engine) fn load(&mut self, digest: &str) -> io::Result<LoadedAccess> {
        self.token = Some(digest.to_owned());
        let folder = match Folder::root(&self.state) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(LoadedAccess::default());
            }
            folder => folder?,
        };
        let (mut tokens, set_aside) = read(&folder)?;
        let entry = tokens.remove(digest).unwrap_or_default();
        Ok(LoadedAccess {
            access: access_of(&entry),
            set_aside,
        })
    }

    /// The digest of no token: nothing is kept.
    pub(in crate::engine) fn forget_token(&mut self) {
        self.token = None;
    }

    /// Keeps what was heard of the token.
    ///
    /// # Errors
    /// A failure of the system.
    pub(in crate::engine) fn save(&self, access: &Access) -> io::Result<()> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let folder = Folder::make_root(&self.state)?;
        // Another process may be keeping what it heard: the lock is on the temporary file.
        let mut replacement = Replacement::begin(&folder, temporary(NAME.as_ref()))?;
        let (mut tokens, _) = read(&folder)?;
        let areas = access.heard.iter();
        let areas = areas.map(|(area, heard)| (area.word().to_owned(), json!(heard)));
        tokens.insert(token.clone(), Value::Object(areas.collect()));
        while tokens.len() > MOST_TOKENS {
            let oldest = tokens.iter().filter(|(text, _)| *text != token);
            let Some(oldest) = oldest.min_by_key(|(_, entry)| last_heard(entry)) else {
                break;
            };
            let oldest = oldest.0.clone();
            tokens.remove(&oldest);
        }
        let mut object = Map::new();
        object.insert("version".to_owned(), VERSION.into());
        object.insert("tokens".to_owned(), Value::Object(tokens));
        let text = format!("{:#}\n", checksum::sign(object));
        replacement.file.write_all(text.as_bytes())?;
        replacement.publish(NAME, Durability::Cached)
    }
}

/// What is kept of each token. A file that cannot be trusted is set aside, and why is said.
fn read(folder: &Folder) -> io::Result<(Map<String, Value>, Option<String>)> {
    let Some(bytes) = folder.read(NAME, LARGEST)? else {
        return Ok((Map::new(), None));
    };
    let why = match checksum::verify(&bytes) {
        Ok(mut object) if object.get("version") == Some(&VERSION.into()) => {
            match object.remove("tokens") {
                Some(Value::Object(tokens)) => return Ok((tokens, None)),
                _ => "it names no tokens".to_owned(),
            }
        }
        Ok(_) => "it is of another version".to_owned(),
        Err(why) => why.to_string(),
    };
    folder.rename(NAME, ASIDE)?;
    let path = folder.path().join(NAME);
    let said = format!("{} was set aside as {ASIDE}: {why}", path.display());
    Ok((Map::new(), Some(said)))
}

fn access_of(entry: &Value) -> Access {
    let mut access = Access::default();
    for area in Area::ALL {
        // The checksum was right: what does not fit was not written by this version, and is not known.
        if let Ok(heard) = AreaStatus::deserialize(&entry[area.word()]) {
            access.record(area, heard);
        }
    }
    access
}

fn time_of(entry: &Value) -> Option<Timestamp> {
    entry["at"].as_str()?.parse().ok()
}

fn last_heard(entry: &Value) -> Option<Timestamp> {
    let areas = entry.as_object().into_iter().flat_map(Map::values);
    areas.filter_map(time_of).max()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn access(status: u16, second: i64) -> Access {
        let mut access = Access::default();
        access.record(
            Area::Lookup,
            AreaStatus {
                at: Timestamp::from_second(second).expect("time"),
                status: Some(status),
                trouble: None,
            },
        );
        access
    }

    fn load(state: &Path, token: &str) -> (AccessFile, LoadedAccess) {
        let mut file = AccessFile::new(state);
        let loaded = file.load(token).expect("load");
        (file, loaded)
    }

    #[test]
    fn what_was_heard_stays_with_its_token() {
        let root = tempfile::tempdir().expect("directory");
        let (a, nothing) = load(root.path(), "a");
        assert_eq!(nothing.access, Access::default());
        a.save(&access(200, 1)).expect("save");
        let (b, of_b) = load(root.path(), "b");
        assert_eq!(of_b.access, Access::default());
        b.save(&access(403, 2)).expect("save");
        assert_eq!(load(root.path(), "a").1.access, access(200, 1));
        assert_eq!(load(root.path(), "b").1.access, access(403, 2));
        AccessFile::new(root.path())
            .save(&access(401, 3))
            .expect("without a token nothing is kept");
        for n in 0..MOST_TOKENS {
            let (file, _) = load(root.path(), &n.to_string());
            file.save(&access(200, 10)).expect("save");
        }
        assert_eq!(load(root.path(), "a").1.access, Access::default());
        assert_eq!(load(root.path(), "7").1.access, access(200, 10));
    }

    #[test]
    fn a_file_that_was_changed_is_set_aside_and_says_nothing() {
        let root = tempfile::tempdir().expect("directory");
        let path = root.path().join(NAME);
        load(root.path(), "a")
            .0
            .save(&access(403, 1))
            .expect("save");
        let text = fs::read_to_string(&path).expect("file");
        for changed in [
            text.replace("403", "200"),
            "[oops".to_owned(),
            String::new(),
        ] {
            fs::write(&path, &changed).expect("write");
            let (file, loaded) = load(root.path(), "a");
            assert_eq!(loaded.access, Access::default());
            assert!(loaded.set_aside.is_some_and(|said| said.contains(ASIDE)));
            assert_eq!(
                fs::read_to_string(root.path().join(ASIDE)).expect("aside"),
                changed
            );
            assert!(!path.exists());
            file.save(&access(200, 2)).expect("save");
            assert_eq!(load(root.path(), "a").1.access, access(200, 2));
        }
    }
}
