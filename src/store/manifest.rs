//! The manifest of a release: what the data beside it is, where it comes from, and how many records it holds.

use std::{
    fmt, fs,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::Error as _};
use xxhash_rust::xxh3::xxh3_64;

use super::layout::Moment;
use crate::contract::{Feed, Format};

/// The version of the manifest that this program writes.
const VERSION: u32 = 1;

/// Where the day of a release comes from, in order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DaySource {
    /// It was asked for by its day.
    Asked,
    /// `x-feed-generation-date` of the download.
    Header,
    /// The feed's metadata.
    Metadata,
    /// `Last-Modified` of the file.
    LastModified,
    /// Nothing said so: the day of the download.
    Download,
}

impl DaySource {
    /// The source in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Asked => "as asked",
            Self::Header => "x-feed-generation-date",
            Self::Metadata => "feed metadata",
            Self::LastModified => "Last-Modified of the file",
            Self::Download => "day of the download: the service named none",
        }
    }
}

/// Lines that are not records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// How many there are.
    pub count: u64,
    /// The first five, by line number, with the reason.
    pub first: Vec<(u64, String)>,
}

impl Rejected {
    /// Counts one, and keeps it if it is among the first.
    pub fn add(&mut self, line: u64, why: impl FnOnce() -> String) {
        const KEPT: usize = 5;
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push((line, why()));
        }
    }
}

/// The index of a release, beside its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexFile {
    /// Its name.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// The XXH3 hash, in hexadecimal digits, of its end, where the checksums of its parts stand: it tells this index from
    /// any other, such as that of another day.
    pub seal: String,
}

impl IndexFile {
    /// The end that the seal is of.
    const END: u64 = 4 << 10;

    /// What a manifest says of this file.
    ///
    /// # Errors
    /// A failure to read it.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = fs::File::open(path)?;
        let bytes = file.metadata()?.len();
        file.seek(SeekFrom::Start(bytes.saturating_sub(Self::END)))?;
        let mut end = Vec::new();
        file.take(Self::END).read_to_end(&mut end)?;
        let name = path.file_name().unwrap_or_default();
        Ok(Self {
            file: name.to_string_lossy().into_owned(),
            bytes,
            seal: format!("{:016x}", xxh3_64(&end)),
        })
    }
}

/// The manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The feed.
    #[serde(serialize_with = "shown", deserialize_with = "feed")]
    pub feed: Feed,
    /// Which release.
    #[serde(serialize_with = "shown", deserialize_with = "moment")]
    pub moment: Moment,
    /// Where the day comes from.
    pub day_source: DaySource,
    /// Whether the day was asked for: such releases are kept until removed.
    pub pinned: bool,
    /// The data file's name.
    pub file: String,
    /// The data file's length.
    pub bytes: u64,
    /// The data file's SHA-256 in hexadecimal digits: an own one, the service gives none.
    pub sha256: String,
    /// Records; for the MMDB form not counted.
    pub records: Option<u64>,
    /// Lines that are not records.
    pub rejected: Rejected,
    /// The index; none for the MMDB form, nor where the program that wrote this built none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<IndexFile>,
    /// What told whether the file had changed.
    pub validator: Option<String>,
    /// The request target.
    pub target: String,
    /// When it was published here.
    pub pulled_at: Timestamp,
}

impl Manifest {
    /// A manifest of this version.
    #[must_use]
    #[expect(
        clippy::too_many_arguments,
        reason = "one argument for each fact, named at the only call"
    )]
    pub fn new(
        feed: Feed,
        moment: Moment,
        day_source: DaySource,
        pinned: bool,
        file: String,
        bytes: u64,
        sha256: String,
        target: String,
        pulled_at: Timestamp,
    ) -> Self {
        let (records, rejected, validator) = (None, Rejected::default(), None);
        Self {
            version: VERSION,
            feed,
            moment,
            day_source,
            pinned,
            file,
            bytes,
            sha256,
            records,
            rejected,
            index: None,
            validator,
            target,
            pulled_at,
        }
    }

    /// The manifest's own file for a form.
    #[must_use]
    pub fn file_name(form: Format) -> &'static str {
        match form {
            Format::Json => "feed.json",
            Format::Mmdb => "mmdb.json",
        }
    }

    /// Reads a manifest file, if there is one.
    ///
    /// # Errors
    /// Why it cannot be used: unreadable, damaged, of another version, or naming files elsewhere.
    pub fn load(path: &Path) -> Result<Option<Self>, String> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let manifest: Self =
            serde_json::from_slice(&text).map_err(|error| format!("it cannot be read: {error}"))?;
        if manifest.version != VERSION {
            return Err(format!(
                "it is of version {}, this program knows {VERSION}",
                manifest.version
            ));
        }
        let index = manifest.index.as_ref().map(|index| &index.file);
        if ![Some(&manifest.file), index]
            .into_iter()
            .flatten()
            .all(|file| is_beside(file))
        {
            return Err("it names a file elsewhere".to_owned());
        }
        Ok(Some(manifest))
    }

    /// The form of its data: each form's manifest names files of its own.
    #[must_use]
    pub fn form(&self) -> Format {
        match Path::new(&self.file).extension() {
            Some(ending) if ending == "mmdb" => Format::Mmdb,
            _ => Format::Json,
        }
    }

    /// The manifest's text.
    #[must_use]
    pub fn text(&self) -> String {
        // Plain data without maps of odd keys always serializes.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Whether this is the name of a file in the same folder.
fn is_beside(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|own| own == name)
}

fn shown<T: fmt::Display, S: serde::Serializer>(value: &T, output: S) -> Result<S::Ok, S::Error> {
    output.collect_str(value)
}

fn feed<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Feed, D::Error> {
    String::deserialize(input)?
        .parse()
        .map_err(D::Error::custom)
}

fn moment<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Moment, D::Error> {
    let text = String::deserialize(input)?;
    Moment::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no release")))
}

/// A local release that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The feed in whose folder it is.
    pub feed: Feed,
    /// The form whose manifest or data is at fault.
    pub form: Format,
    /// The release that its folder is for.
    pub moment: Moment,
    /// The file that is at fault.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for Unusable {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Day, store::Cache};

    fn release(cache: &Cache, day: &str, text: &str) -> Manifest {
        let moment = Moment::parse(day).expect("moment");
        let dir = cache.release_dir(Feed::Anonymous, moment);
        fs::create_dir_all(&dir).expect("directory");
        fs::write(dir.join("feed-1.json.gz"), text).expect("data");
        let mut manifest = Manifest::new(
            Feed::Anonymous,
            moment,
            DaySource::Header,
            false,
            "feed-1.json.gz".to_owned(),
            text.len() as u64,
            "00".to_owned(),
            "/v2/anonymous/latest.json.gz".to_owned(),
            Timestamp::UNIX_EPOCH,
        );
        manifest.records = Some(3);
        manifest.rejected.add(7, || "not JSON".to_owned());
        fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
        manifest
    }

    #[test]
    fn releases_are_found_newest_first_and_odd_ones_named() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let (old, new) = (
            release(&cache, "20261119", "aa"),
            release(&cache, "20261120", "bbb"),
        );
        let broken = release(&cache, "20261118", "cccc");
        let dir = cache.release_dir(Feed::Anonymous, broken.moment);
        fs::write(dir.join(&broken.file), "c").expect("shorter");
        fs::create_dir_all(cache.part_dir(Feed::Anonymous)).expect("part");
        fs::create_dir_all(cache.feed_dir(Feed::Anonymous).join("20261117"))
            .expect("without manifest");
        let (releases, unusable) = cache
            .releases(Feed::Anonymous, Format::Json)
            .expect("releases");
        let manifests: Vec<Manifest> = releases
            .into_iter()
            .map(|release| release.manifest)
            .collect();
        assert_eq!(manifests, [new, old]);
        assert_eq!(unusable.len(), 1);
        assert!(unusable[0].to_string().contains("20261118"), "{unusable:?}");
        assert_eq!(cache.releases(Feed::Dch, Format::Json).expect("none").0, []);
    }

    #[test]
    fn sweeping_removes_what_no_manifest_names() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let manifest = release(&cache, "20261120", "bbb");
        let dir = cache.release_dir(Feed::Anonymous, manifest.moment);
        fs::write(dir.join("feed-0.json.gz"), "old").expect("write");
        cache
            .sweep(Feed::Anonymous, manifest.moment)
            .expect("sweep");
        let mut left: Vec<String> = fs::read_dir(&dir)
            .expect("directory")
            .map(|entry| {
                entry
                    .expect("entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        left.sort();
        assert_eq!(left, ["feed-1.json.gz", "feed.json"]);
        assert!(
            cache
                .sweep(
                    Feed::Anonymous,
                    Moment::Day(Day::new(2026, 1, 1).expect("day"))
                )
                .is_ok()
        );
    }

    #[test]
    fn a_newer_or_foreign_manifest_is_left_alone() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let manifest = release(&cache, "20261120", "bbb");
        let path = cache
            .release_dir(Feed::Anonymous, manifest.moment)
            .join("feed.json");
        let text = manifest.text();
        for (from, to, expected) in [
            ("\"version\": 1", "\"version\": 2", "version 2"),
            ("feed-1.json.gz", "../../x", "elsewhere"),
            ("\"anonymous\"", "\"anonymouse\"", "no feed"),
            ("\"anonymous\"", "\"dch\"", "for dch 20261120"),
            ("20261120", "20261119", "for anonymous 20261119"),
            ("feed-1.json.gz", "mmdb-1.mmdb", "MMDB"),
        ] {
            fs::write(&path, text.replace(from, to)).expect("write");
            let unusable = cache
                .release(Feed::Anonymous, Format::Json, manifest.moment)
                .expect_err(to);
            assert!(unusable.why.contains(expected), "{unusable}");
        }
    }
}
