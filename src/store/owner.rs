//! Assigns the folders of downloaded feeds to services.
//!
//! ```text
//! feeds/                belongs to the first feeds_url that pulls into it
//!   service.json        its mark: names that URL
//! feeds-<hash>/         belongs to another feeds_url, whose hash it has
//! ```
//!
//! A release of one service must never answer for another. The mark only locates the folder: each manifest also names its
//! service, and is checked against the folder's.

use std::{io, path::Path};

use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Cache, Folder, Manifest, Moment,
    checksum::{sign, verify},
    folder::{self, Durability},
    layout::FEEDS,
};
use crate::contract::{Feed, Format};

/// The file that names the service of a folder.
const MARK: &str = "service.json";
/// The maximum size of a mark, in bytes.
const LONGEST_MARK: u64 = 64 << 10;
const VERSION: u64 = 1;

/// The service whose releases a run downloads and queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PulledService {
    /// Provided by the program, such as the embedded service, not configured. It has a separate cache directory, whatever its
    /// address is.
    Given,
    Configured {
        /// Its `feeds_url`. Without one nothing can be downloaded, and the releases in `feeds` answer.
        feeds_url: Option<String>,
        /// The `feeds_url` of the default profile, which owns releases without a mark.
        default_url: Option<String>,
    },
}

/// The name of a provided service in manifests.
const GIVEN: &str = "demo";

/// The content of a folder's mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnerMark {
    Missing,
    /// The URL that owns the folder.
    Names(String),
    /// The mark cannot be trusted, for this reason.
    Damaged(String),
}

impl PulledService {
    /// Its name in manifests and journals.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Given => Some(GIVEN),
            Self::Configured { feeds_url, .. } => feeds_url.as_deref(),
        }
    }

    /// The local releases of this service. If the mark is unreadable, this is the folder `feeds`, whose manifests are checked one
    /// by one.
    #[must_use]
    pub fn cache(&self, cache_dir: &Path) -> Cache {
        let Some(feeds_url) = self.name() else {
            let service = match mark(cache_dir) {
                OwnerMark::Names(url) => Some(url),
                OwnerMark::Missing | OwnerMark::Damaged(_) => None,
            };
            return Cache::of_service(cache_dir, FEEDS, service);
        };
        let name = match self {
            Self::Given => FEEDS.to_owned(),
            Self::Configured { default_url, .. } => {
                folder_of(cache_dir, feeds_url, default_url.as_deref())
            }
        };
        Cache::of_service(cache_dir, &name, Some(feeds_url.to_owned()))
    }

    /// As [`PulledService::cache`], before a download: creates the folder and marks it.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn claim(&self, cache_dir: &Path) -> io::Result<Cache> {
        let Self::Configured {
            feeds_url: Some(feeds_url),
            ..
        } = self
        else {
            return Ok(self.cache(cache_dir));
        };
        let root = Folder::make_root(cache_dir)?;
        let feeds = root.make_child(FEEDS)?;
        // One process at a time: the first becomes the owner.
        let file = feeds.update(".lock")?;
        folder::lock(&file)?;
        let cache = self.cache(cache_dir);
        let own = Folder::make(cache_dir, cache.feeds_dir())?;
        if read_mark(&own) != OwnerMark::Names(feeds_url.clone()) {
            let mark = json!({"version": VERSION, "feeds_url": feeds_url});
            // The value above is an object.
            let mark = mark.as_object().cloned().unwrap_or_default();
            let text = format!("{:#}\n", sign(mark));
            own.replace(MARK, text.as_bytes(), Durability::Synced)?;
        }
        Ok(cache)
    }
}

/// The mark of the folder `feeds`.
#[must_use]
pub fn mark(cache_dir: &Path) -> OwnerMark {
    match Folder::reach(cache_dir, &cache_dir.join(FEEDS)) {
        Ok(feeds) => read_mark(&feeds),
        Err(error) if error.kind() == io::ErrorKind::NotFound => OwnerMark::Missing,
        Err(error) => OwnerMark::Damaged(error.to_string()),
    }
}

fn read_mark(feeds: &Folder) -> OwnerMark {
    let text = match feeds.read(MARK, LONGEST_MARK) {
        Ok(Some(text)) => text,
        Ok(None) => return OwnerMark::Missing,
        Err(error) => return OwnerMark::Damaged(error.to_string()),
    };
    let url = |object: Map<String, Value>| -> Option<String> {
        let version = object.get("version")?.as_u64()?;
        (version == VERSION).then_some(object.get("feeds_url")?.as_str()?.to_owned())
    };
    match verify(&text) {
        Ok(object) => url(object).map_or_else(
            || OwnerMark::Damaged("written by another version".to_owned()),
            OwnerMark::Names,
        ),
        Err(why) => OwnerMark::Damaged(why.to_string()),
    }
}

/// The name of a service's folder.
fn folder_of(cache_dir: &Path, feeds_url: &str, default_url: Option<&str>) -> String {
    let other = format!("{FEEDS}-{:016x}", xxh3_64(feeds_url.as_bytes()));
    let owner = match mark(cache_dir) {
        OwnerMark::Names(url) => Some(url),
        // Without a mark the manifests determine the owner, since they name the service, too.
        OwnerMark::Missing | OwnerMark::Damaged(_) => match FolderContent::of(cache_dir) {
            FolderContent::Of(url) => Some(url),
            FolderContent::Unknown => default_url.map(str::to_owned),
            // If that folder cannot be examined, `feeds` answers, and its manifests are checked.
            FolderContent::None if cache_dir.join(&other).is_dir() => return other,
            FolderContent::None => None,
        },
    };
    match owner {
        Some(owner) if owner != feeds_url => other,
        _ => FEEDS.to_owned(),
    }
}

/// The owner of the releases in the folder `feeds`, by their manifests.
enum FolderContent {
    None,
    /// There are releases, but no readable manifest.
    Unknown,
    Of(String),
}

impl FolderContent {
    fn of(cache_dir: &Path) -> Self {
        let cache = Cache::new(cache_dir);
        let mut content = Self::None;
        for feed in Feed::all() {
            // An unreadable folder counts as releases of an unknown owner.
            let Ok(moments) = cache.moments(feed) else {
                content = Self::Unknown;
                continue;
            };
            for moment in moments {
                content = Self::Unknown;
                if let Some(url) = url_of(&cache, feed, moment) {
                    return Self::Of(url);
                }
            }
        }
        content
    }
}

fn url_of(cache: &Cache, feed: Feed, moment: Moment) -> Option<String> {
    let forms = [Format::Json, Format::Mmdb].into_iter();
    let mut urls = forms.filter_map(|form| {
        // An unreadable manifest names no service; the next one may.
        let folder = cache.open(&cache.release_dir(feed, moment)).ok()??;
        let manifest = Manifest::load(&folder, form).ok()??;
        Some(manifest.feeds_url)
    });
    urls.next()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jiff::Timestamp;

    use super::*;
    use crate::store::DaySource;

    const A: &str = "https://feeds-a.example/v1";
    const B: &str = "https://feeds-b.example";

    fn service(url: &str) -> PulledService {
        PulledService::Configured {
            feeds_url: Some(url.to_owned()),
            default_url: Some(A.to_owned()),
        }
    }

    fn name(cache: &Cache) -> String {
        let name = cache.feeds_dir().file_name().expect("name");
        name.to_string_lossy().into_owned()
    }

    fn release(cache: &Cache, url: &str) {
        let moment = Moment::parse("20261120").expect("day");
        let dir = cache.release_dir(Feed::Dch, moment);
        fs::create_dir_all(&dir).expect("directory");
        let (file, target) = ("feed-1.json.gz".to_owned(), "/v2/x".to_owned());
        fs::write(dir.join(&file), "x").expect("data");
        let (source, hash, now) = (DaySource::Header, "00".to_owned(), Timestamp::UNIX_EPOCH);
        let mut manifest =
            Manifest::new(Feed::Dch, moment, source, false, file, 1, hash, target, now);
        url.clone_into(&mut manifest.feeds_url);
        fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
    }

    #[test]
    fn the_first_url_owns_the_folder_and_any_other_has_one_of_its_own() {
        let root = tempfile::tempdir().expect("directory");
        assert_eq!(
            name(&service(B).cache(root.path())),
            FEEDS,
            "nothing is there yet"
        );
        let first = service(B).claim(root.path()).expect("claimed");
        assert_eq!(name(&first), FEEDS);
        let second = service(A).claim(root.path()).expect("claimed");
        assert!(name(&second).starts_with("feeds-"), "{second:?}");
        for (url, cache) in [(B, &first), (A, &second)] {
            assert_eq!(service(url).cache(root.path()), *cache);
            assert_eq!(service(url).claim(root.path()).expect("again"), *cache);
        }
        assert_eq!(mark(root.path()), OwnerMark::Names(B.to_owned()));
        let unset = PulledService::Configured {
            feeds_url: None,
            default_url: None,
        };
        assert_eq!(unset.cache(root.path()), first);
        let folders = std::fs::read_dir(root.path()).expect("folders");
        assert_eq!(folders.count(), 2);
    }

    #[test]
    fn releases_without_a_mark_belong_to_the_service_that_they_name_or_to_the_default_profile() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        release(&cache, B);
        assert_eq!(name(&service(B).cache(root.path())), FEEDS);
        assert_ne!(name(&service(A).cache(root.path())), FEEDS);
        let moment = Moment::parse("20261120").expect("day");
        let manifest = cache.release_dir(Feed::Dch, moment).join("feed.json");
        fs::write(&manifest, "{\"version\": 1}").expect("older");
        assert_ne!(name(&service(B).cache(root.path())), FEEDS);
        assert_eq!(
            name(&service(A).claim(root.path()).expect("claimed")),
            FEEDS
        );
        assert_ne!(name(&service(B).cache(root.path())), FEEDS);
    }

    #[test]
    fn a_damaged_mark_is_not_believed_and_is_written_again() {
        let root = tempfile::tempdir().expect("directory");
        let cache = service(B).claim(root.path()).expect("claimed");
        release(&cache, B);
        let file = cache.feeds_dir().join(MARK);
        let text = fs::read_to_string(&file).expect("mark").replace('b', "a");
        fs::write(&file, text).expect("changed");
        assert!(matches!(mark(root.path()), OwnerMark::Damaged(_)));
        assert_ne!(name(&service(A).cache(root.path())), FEEDS);
        assert_eq!(service(B).cache(root.path()), cache);
        service(B).claim(root.path()).expect("claimed");
        assert_eq!(mark(root.path()), OwnerMark::Names(B.to_owned()));
    }

    #[test]
    fn a_release_of_another_service_cannot_be_used() {
        let root = tempfile::tempdir().expect("directory");
        let cache = service(B).claim(root.path()).expect("claimed");
        release(&cache, A);
        let latest = cache.latest(Feed::Dch, Format::Json);
        let why = latest.expect_err("of another").to_string();
        assert!(why.contains(A) && why.contains(B), "{why}");
        let given = PulledService::Given.cache(root.path());
        assert_eq!(
            (name(&given).as_str(), given.service()),
            (FEEDS, Some(GIVEN))
        );
    }
}
