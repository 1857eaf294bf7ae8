//! The manifest of a release: describes the data beside it, its source, and the number of its records.
//!
//! It is one JSON object with its own checksum ([`super::checksum`]). It is valid only for the feed, the moment, the form and the
//! service of its folder; manifests of older versions are rejected.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize, de::Error as _};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Folder,
    checksum::{Untrusted, sign, verify},
    moment::{Generation, Moment},
};
use crate::{
    contract::{Feed, Format},
    model::Day,
};

/// The version of the manifest format.
const VERSION: u32 = 2;
/// The maximum size of a manifest, in bytes.
const LARGEST: u64 = 1 << 20;

/// The source of a release's day, in order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DaySource {
    /// The user requested this day.
    Asked,
    /// `x-feed-generation-date` of the download.
    Header,
    /// The metadata of the feed.
    Metadata,
    /// `Last-Modified` of the file.
    LastModified,
    /// The day of the download, since the service gave none.
    Download,
    /// The name of its folder: the manifest was damaged and was recreated from the data.
    Folder,
}

impl DaySource {
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Asked => "as asked",
            Self::Header => "x-feed-generation-date",
            Self::Metadata => "feed metadata",
            Self::LastModified => "Last-Modified of the file",
            Self::Download => "day of the download: the service named none",
            Self::Folder => "name of its folder: the manifest was recreated from the data",
        }
    }
}

/// Lines that are not records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// Their number.
    pub count: u64,
    /// The first five, by line number, with the reason.
    pub first: Vec<(u64, String)>,
}

impl Rejected {
    /// Counts a line, and keeps it if it is among the first.
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
    pub file: String,
    pub bytes: u64,
    /// XXH3, in hexadecimal digits, of the end of the file, which has the checksums of its parts. It identifies this index: that
    /// of another day has another seal.
    pub seal: String,
}

impl IndexFile {
    /// The length of the end that the seal covers, in bytes.
    const END: u64 = 4 << 10;

    /// The manifest's entry for this file.
    ///
    /// # Errors
    /// A failure to read it.
    pub fn of(mut file: &File, name: &str) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        file.seek(SeekFrom::Start(bytes.saturating_sub(Self::END)))?;
        let mut end = Vec::new();
        file.take(Self::END).read_to_end(&mut end)?;
        Ok(Self {
            file: name.to_owned(),
            bytes,
            seal: format!("{:016x}", xxh3_64(&end)),
        })
    }
}

/// Where the records of a release are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReleasePlace {
    /// On this disk.
    #[default]
    Local,
    Warehouse,
}

/// The words of a place, and the command that brings days there.
#[derive(Debug)]
pub struct PlaceWords {
    /// In machine output.
    pub word: &'static str,
    /// What days there are called.
    pub days: &'static str,
    /// What is said of a day that is not there.
    pub missing: &'static str,
    pub command: &'static str,
    pub day_option: &'static str,
    /// What the command does with a day.
    pub does: &'static str,
}

impl ReleasePlace {
    #[must_use]
    pub fn words(self) -> &'static PlaceWords {
        match self {
            Self::Local => &PlaceWords {
                word: "local",
                days: "local",
                missing: "not local",
                command: "feeds pull",
                day_option: "--date",
                does: "downloads",
            },
            Self::Warehouse => &PlaceWords {
                word: "warehouse",
                days: "loaded",
                missing: "not loaded",
                command: "warehouse load",
                day_option: "--day",
                does: "loads",
            },
        }
    }

    /// Its word in machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.words().word
    }

    /// The same of a place that is not local, which is not named.
    #[must_use]
    pub fn elsewhere(self) -> Option<&'static str> {
        (self != Self::Local).then(|| self.word())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    #[serde(serialize_with = "shown", deserialize_with = "feed")]
    pub feed: Feed,
    #[serde(serialize_with = "shown", deserialize_with = "moment")]
    pub moment: Moment,
    /// The source of the day.
    pub day_source: DaySource,
    /// Whether the release is kept until it is removed: the user requested its day, or pinned it.
    pub pinned: bool,
    /// Whether the user pinned it, rather than requested its day.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned_by_hand: bool,
    /// The name of the data file.
    pub file: String,
    /// The length of the data file.
    pub bytes: u64,
    /// SHA-256 of the data file in hexadecimal digits. Computed here, since the service provides none.
    pub sha256: String,
    /// The number of records; not counted for the MMDB form.
    pub records: Option<u64>,
    /// Lines that are not records.
    pub rejected: Rejected,
    /// The index; none for the MMDB form, or if the program that wrote this built none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<IndexFile>,
    /// The validator of the download, to detect a changed file.
    pub validator: Option<String>,
    /// The service that it was downloaded from: its `feeds_url`, or the name of the embedded one.
    pub feeds_url: String,
    pub target: String,
    /// The service's clock at the download, if its response had a `Date`.
    pub service_clock: Option<Timestamp>,
    /// The time of publication in the cache, by the clock of this machine.
    pub pulled_at: Timestamp,
    /// When it was last pulled as `latest`, later than every such pull before it even if the clock was set back: `store::latest`
    /// orders by it. `None` for a release that was only pulled by its day. A manifest without the field, of an earlier version of the
    /// program, counts as pulled before all others.
    #[serde(default = "before_all")]
    pub latest_at: Option<Timestamp>,
    /// The time when the service generated it, if its metadata was known at the download.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<Timestamp>,
    /// The day that the metadata named at the download, if that is another one than the day of this release.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "shown_day",
        deserialize_with = "day"
    )]
    pub metadata_day: Option<Day>,
    /// The load of a warehouse that has the records; `None` for a release on this disk, whose manifest this is.
    #[serde(skip)]
    loaded: Option<String>,
}

/// The place in the order of a pull whose time is unknown.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the value of a field that may be null"
)]
fn before_all() -> Option<Timestamp> {
    Some(Timestamp::UNIX_EPOCH)
}

impl Manifest {
    /// A manifest of this version. The caller must set the service, and how it was pulled.
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
            pinned_by_hand: false,
            file,
            bytes,
            sha256,
            records,
            rejected,
            index: None,
            validator,
            feeds_url: String::new(),
            target,
            service_clock: None,
            pulled_at,
            latest_at: before_all(),
            generated_at: None,
            metadata_day: None,
            loaded: None,
        }
    }

    /// The name of the manifest file for a form.
    #[must_use]
    pub fn file_name(form: Format) -> &'static str {
        match form {
            Format::Json => "feed.json",
            Format::Mmdb => "mmdb.json",
        }
    }

    /// Reads the manifest in a release's folder, if there is one.
    ///
    /// # Errors
    /// Why it is unusable: unreadable, damaged, of another version, or it names files in other folders.
    pub fn load(folder: &Folder, form: Format) -> Result<Option<Self>, String> {
        let text = folder.read(Self::file_name(form), LARGEST);
        text.map_err(|error| error.to_string())?
            .map(|text| Self::read(&text))
            .transpose()
    }

    /// Reads the text of a manifest.
    ///
    /// # Errors
    /// As [`Manifest::load`].
    pub fn read(text: &[u8]) -> Result<Self, String> {
        let object = verify(text).map_err(|why| match why {
            Untrusted::Unreadable(why) => format!("damaged: {why}"),
            why => why.to_string(),
        })?;
        let version = object.get("version").and_then(Value::as_u64);
        if version != Some(u64::from(VERSION)) {
            return Err(format!(
                "version {}, this program reads version {VERSION}",
                version.map_or("unknown".to_owned(), |version| version.to_string())
            ));
        }
        let manifest: Self =
            serde_json::from_value(Value::Object(object)).map_err(|why| why.to_string())?;
        let index = manifest.index.as_ref().map(|index| &index.file);
        if ![Some(&manifest.file), index]
            .into_iter()
            .flatten()
            .all(|file| is_beside(file))
        {
            return Err("it names a file elsewhere".to_owned());
        }
        Ok(manifest)
    }

    /// The manifest of the same release in a load of a warehouse.
    #[must_use]
    pub fn in_load(self, name: &str) -> Self {
        Self {
            loaded: Some(name.to_owned()),
            index: None,
            ..self
        }
    }

    #[must_use]
    pub fn place(&self) -> ReleasePlace {
        match self.loaded {
            Some(_) => ReleasePlace::Warehouse,
            None => ReleasePlace::Local,
        }
    }

    /// Where the records are, in machine output.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.place().word()
    }

    /// The name of the load that has the records, where one has.
    #[must_use]
    pub fn load_name(&self) -> Option<&str> {
        self.loaded.as_deref()
    }

    /// Whether what is open of it are only the records that were asked for, made for this run: it has others, was not pulled here, and cannot
    /// be made again from a file.
    #[must_use]
    pub fn is_excerpt(&self) -> bool {
        self.loaded.is_some()
    }

    /// From when the age of a local release counts everywhere.
    #[must_use]
    pub fn generation(&self) -> Generation {
        let known = self.known_generation().map(Into::into);
        known.unwrap_or_else(|| self.moment.generation())
    }

    /// When it was generated, unless that was more than a day ahead of the clock of the download, which is impossible.
    pub(super) fn known_generation(&self) -> Option<Timestamp> {
        let ahead =
            |at: Timestamp| at.duration_since(self.clock()) > SignedDuration::from_hours(24);
        self.generated_at.filter(|at| !ahead(*at))
    }

    /// The day that it cannot be newer than: its own or, if earlier, the one that the metadata named at the download.
    #[must_use]
    pub fn surest_moment(&self) -> Moment {
        let named = self.metadata_day.map(Moment::Day);
        named.map_or(self.moment, |named| named.min(self.moment))
    }

    /// Why its day may be wrong.
    #[must_use]
    pub fn day_doubt(&self) -> Option<String> {
        let named = self.metadata_day?.dashed();
        let (feed, day) = (self.feed, self.moment.dashed());
        let source = self.day_source.words();
        Some(format!(
            "the day of {feed} {day} ({source}) may be wrong: the metadata of the feed named {named} when it was pulled"
        ))
    }

    /// Whether a newer version of this program wrote the manifest in a release's folder, and will need it again.
    #[must_use]
    pub fn is_newer(folder: &Folder, form: Format) -> bool {
        // An unreadable or invalid manifest has no version.
        let text = folder.read(Self::file_name(form), LARGEST).ok().flatten();
        let object = text.and_then(|text| verify(&text).ok());
        let version = object.and_then(|object| object.get("version").and_then(Value::as_u64));
        version.is_some_and(|version| version > u64::from(VERSION))
    }

    /// Whether its day was more than a day ahead of the service's clock at the download or, if the service gave no time, of this
    /// machine's clock. Such a day is a mistake, and a release with a plausible day always counts as newer.
    #[must_use]
    pub fn is_ahead(&self) -> bool {
        self.moment.is_ahead_of(self.clock())
    }

    /// The service's clock at the download or, if its response gave no time, this machine's.
    fn clock(&self) -> Timestamp {
        self.service_clock.unwrap_or(self.pulled_at)
    }

    /// The form of its data, by the ending of the data file.
    #[must_use]
    pub fn form(&self) -> Format {
        match Path::new(&self.file).extension() {
            Some(ending) if ending == "mmdb" => Format::Mmdb,
            _ => Format::Json,
        }
    }

    #[must_use]
    pub fn text(&self) -> String {
        // Cannot fail: all fields serialize to JSON.
        match serde_json::to_value(self) {
            Ok(Value::Object(object)) => format!("{:#}\n", sign(object)),
            _ => String::new(),
        }
    }
}

/// Whether this is the name of a file in the same folder.
fn is_beside(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|text| text == name)
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
    Moment::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a release")))
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field by reference"
)]
fn shown_day<S: serde::Serializer>(value: &Option<Day>, output: S) -> Result<S::Ok, S::Error> {
    value.map(|day| day.to_string()).serialize(output)
}

fn day<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Day>, D::Error> {
    let text = Option::<String>::deserialize(input)?;
    let day = |text: String| {
        Day::from_compact(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a day")))
    };
    text.map(day).transpose()
}

/// A local release that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", .path.display())]
pub struct Unusable {
    /// The feed of its folder.
    pub feed: Feed,
    /// The form of the manifest or data at fault.
    pub form: Format,
    /// The release that its folder is for.
    pub moment: Moment,
    /// The file at fault.
    pub path: PathBuf,
    pub why: String,
    /// Its manifest, if that is whole and only what it names is not.
    pub manifest: Option<Box<Manifest>>,
}

impl Unusable {
    /// Whether it was not even read, because the process or the system has too many open files.
    #[must_use]
    pub fn is_not_opened(&self) -> bool {
        // The system's message ends with the error number: ENFILE, EMFILE.
        ["(os error 23)", "(os error 24)"]
            .iter()
            .any(|number| self.why.ends_with(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let mut manifest = Manifest::new(
            Feed::Anonymous,
            Moment::parse("20261120").expect("moment"),
            DaySource::Header,
            false,
            "feed-1.json.gz".to_owned(),
            3,
            "00".to_owned(),
            "/v2/anonymous/latest.json.gz".to_owned(),
            "2026-11-20T04:30:00Z".parse().expect("timestamp"),
        );
        manifest.records = Some(3);
        manifest.rejected.add(7, || "not JSON".to_owned());
        manifest
    }

    #[test]
    fn a_manifest_comes_back_as_it_was_and_a_changed_one_not_at_all() {
        let manifest = manifest();
        let text = manifest.text().into_bytes();
        assert_eq!(Manifest::read(&text), Ok(manifest));
        for bit in (0..text.len() * 8).step_by(7) {
            let mut flipped = text.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::read(&flipped).is_err(), "bit {bit}");
        }
        for length in 0..text.len() - 1 {
            assert!(Manifest::read(&text[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn an_age_counts_from_the_generation_or_is_marked_as_of_the_day() {
        let mut manifest = manifest();
        for (moment, generated, expected, is_known) in [
            ("20261120", None, "2026-11-20T00:00:00Z", false),
            (
                "20261120",
                Some("2026-11-20T03:41:00Z"),
                "2026-11-20T03:41:00Z",
                true,
            ),
            // It was pulled at 04:30 of the 20th.
            (
                "20261120",
                Some("2026-11-21T04:30:01Z"),
                "2026-11-20T00:00:00Z",
                false,
            ),
            ("20261120-2310", None, "2026-11-20T23:10:00Z", true),
        ] {
            manifest.moment = Moment::parse(moment).expect(moment);
            manifest.generated_at = generated.map(|at: &str| at.parse().expect(at));
            let read = Manifest::read(manifest.text().as_bytes()).expect("a manifest");
            assert_eq!(read, manifest);
            let Generation { at, is_known: own } = read.generation();
            assert_eq!((&*at.to_string(), own), (expected, is_known), "{moment}");
        }
    }

    #[test]
    fn an_older_manifest_counts_as_pulled_before_all_others() {
        let text = manifest().text();
        let mut object: serde_json::Map<String, Value> =
            serde_json::from_str(&text).expect("an object");
        assert!(object.remove("latest_at").is_some(), "{text}");
        assert!(!text.contains("metadata_day"), "{text}");
        let older = Manifest::read(sign(object).to_string().as_bytes()).expect("a manifest");
        assert_eq!(older.latest_at, Some(Timestamp::UNIX_EPOCH));
        let mut manifest = manifest();
        manifest.latest_at = None;
        manifest.metadata_day = Day::from_compact("20261119");
        let read = Manifest::read(manifest.text().as_bytes());
        assert_eq!(read.as_ref(), Ok(&manifest));
        assert_eq!(manifest.surest_moment().to_string(), "20261119");
    }

    #[test]
    fn other_versions_and_files_elsewhere_are_refused() {
        let object = |text: &str| -> serde_json::Map<String, Value> {
            let mut object = serde_json::from_str::<Value>(text).expect("JSON");
            object.as_object_mut().expect("object").clone()
        };
        let text = manifest().text();
        for (from, to, expected) in [
            ("\"version\": 2", "\"version\": 3", "version 3"),
            ("feed-1.json.gz", "../../x", "elsewhere"),
            ("\"anonymous\"", "\"anonymouse\"", "no feed"),
            ("20261120", "20261320", "not a release"),
        ] {
            let changed = sign(object(&text.replace(from, to))).to_string();
            let why = Manifest::read(changed.as_bytes()).expect_err(to);
            assert!(why.contains(expected), "{to}: {why}");
        }
        let mut unsigned = object(&text);
        unsigned.remove("checksum");
        let why = Manifest::read(Value::Object(unsigned).to_string().as_bytes());
        assert!(why.expect_err("unsigned").contains("older version"));
    }

    #[test]
    fn the_clock_of_the_service_decides_whether_a_day_is_ahead() {
        let at = |text: &str| Some(text.parse::<Timestamp>().expect("timestamp"));
        let mut manifest = manifest();
        for (day, service_clock, is_ahead) in [
            ("20261120", None, false),
            ("20261121", None, false),
            ("20261122", None, true),
            ("20261122", at("2026-11-21T00:00:00Z"), false),
            ("20261121", at("2026-11-19T23:59:59Z"), true),
            ("20261121-0430", at("2026-11-20T04:30:00Z"), false),
            ("20261121-0435", at("2026-11-20T04:30:00Z"), true),
        ] {
            manifest.moment = Moment::parse(day).expect(day);
            manifest.service_clock = service_clock;
            assert_eq!(manifest.is_ahead(), is_ahead, "{day} {service_clock:?}");
        }
    }
}
