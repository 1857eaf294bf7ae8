//! The files behind the feeds: made when they are first asked for, kept in memory, never on disk.

use std::{
    collections::HashMap,
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use ipnet::IpNet;
use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::{sync::OnceCell, task};

pub(crate) use super::file_id::FileId;
use super::{
    link::hex,
    mmdb,
    world::{DemoRecord, World, json_line},
};
use crate::{
    contract::{Feed, Format, catalog::RecordKind},
    model::Day,
};

/// The content of a file and its metadata.
#[derive(Debug)]
pub(crate) struct DemoFile {
    pub(crate) bytes: Bytes,
    pub(crate) etag: String,
    pub(crate) modified: Timestamp,
    /// The number of this publication, which the storage counts in microseconds.
    pub(crate) generation: i64,
    /// Lines, or entries of a database.
    pub(crate) records: usize,
}

/// The same file may be published again with other bytes; an edition is one of these publications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Edition {
    #[default]
    First,
    /// The same data, packed in another way.
    Second,
}

/// The files that were made so far.
#[derive(Debug, Default)]
pub(crate) struct Files(Mutex<HashMap<(FileId, Edition), FileCell>>);

/// A file, once it is made.
type FileCell = Arc<OnceCell<Arc<DemoFile>>>;

impl Files {
    /// How many files are kept. They are functions of the world: what is thrown away can be made again.
    const KEPT: usize = 100;

    /// The file, made at first use; concurrent requests wait for the same one.
    ///
    /// # Errors
    /// When the making was stopped or failed.
    pub(crate) async fn file(
        &self,
        world: &Arc<World>,
        id: FileId,
        edition: Edition,
    ) -> Result<Arc<DemoFile>, FileNotMade> {
        let cell = {
            let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if made.len() >= Self::KEPT && !made.contains_key(&(id, edition)) {
                made.clear();
            }
            Arc::clone(made.entry((id, edition)).or_default())
        };
        let make = || async {
            let world = Arc::clone(world);
            let file = task::spawn_blocking(move || make(&world, id, edition)).await;
            file.map_err(|_| FileNotMade)?.map(Arc::new)
        };
        cell.get_or_try_init(make).await.map(Arc::clone)
    }
}

/// A file could not be made.
#[derive(Debug)]
pub(crate) struct FileNotMade;

fn make(world: &World, id: FileId, edition: Edition) -> Result<DemoFile, FileNotMade> {
    let modified = id.generated_at();
    let (bytes, records) = match id {
        FileId::Release(feed, day, Format::Mmdb) => {
            let entries = entries(world, feed, day);
            let count = entries.len();
            let built = modified.as_second() + i64::from(edition == Edition::Second);
            let description = mmdb::Description {
                kind: format!("demo-{feed}"),
                text: format!("Invented data: {feed} of {}", day.dashed()),
                built: Timestamp::from_second(built).unwrap_or(modified),
            };
            let bytes = mmdb::written(&description, entries).map_err(|_| FileNotMade)?;
            (bytes, count)
        }
        FileId::Release(feed, day, Format::Json) => {
            let lines = lines(world, feed, day);
            // One feed comes in several gzip members, as files that were packed in parallel do.
            let members = if feed == Feed::AnonymousResidential {
                3
            } else {
                1
            };
            (packed(&lines, members, edition), lines.len())
        }
        FileId::Window(window) => {
            let detections = world.on(window.day).detections(window);
            let lines: Vec<String> = detections.iter().map(DemoRecord::line).collect();
            (packed(&lines, 1, edition), lines.len())
        }
    };
    let etag = format!("\"{}\"", hex(&Sha256::digest(&bytes)[..8]));
    Ok(DemoFile {
        bytes: bytes.into(),
        etag,
        modified,
        generation: modified.as_microsecond() + i64::from(edition == Edition::Second),
        records,
    })
}

/// The lines of a feed's day.
fn lines(world: &World, feed: Feed, day: Day) -> Vec<String> {
    match feed.row().records {
        RecordKind::Context | RecordKind::Ipv6Context => {
            let listing = world.listing(feed, day);
            listing.lines().map(str::to_owned).collect()
        }
        RecordKind::Tags => world.service_metrics(day).iter().map(json_line).collect(),
        RecordKind::Hosting => world.netblocks().iter().map(json_line).collect(),
        RecordKind::Geo => world.locations().into_iter().map(prefixed).collect(),
    }
}

/// A geolocation record as a line: JSON names the network, a database is indexed by it (contract, part 2.10).
fn prefixed((network, mut record): (IpNet, Value)) -> String {
    record["prefix"] = network.to_string().into();
    json_line(&record)
}

/// The entries of a feed's database.
fn entries(world: &World, feed: Feed, day: Day) -> Vec<(IpNet, Value)> {
    let unkeyed = |value: Result<Value, serde_json::Error>| {
        let mut value = value.unwrap_or_default();
        if let Value::Object(fields) = &mut value {
            fields.retain(|key, _| !matches!(key.as_str(), "ip" | "network"));
        }
        value
    };
    match feed.row().records {
        RecordKind::Geo => world.locations(),
        RecordKind::Hosting => {
            let netblocks = world.netblocks().into_iter();
            netblocks
                .map(|netblock| (netblock.network, unkeyed(serde_json::to_value(&netblock))))
                .collect()
        }
        _ => {
            let listing = world.listing(feed, day);
            let entry =
                |record: &DemoRecord| (record.key.network(), unkeyed(serde_json::to_value(record)));
            listing.records().map(entry).collect()
        }
    }
}

/// Newline-separated lines, gzip-compressed into so many members.
fn packed(lines: &[String], members: usize, edition: Edition) -> Vec<u8> {
    // The metadata of all feeds has their sizes, so that one command makes all files: a higher level is not worth the wait.
    let level = match edition {
        Edition::First => Compression::fast(),
        Edition::Second => Compression::new(6),
    };
    let mut bytes = Vec::new();
    for member in lines.chunks(lines.len().div_ceil(members).max(1)) {
        let mut encoder = GzEncoder::new(Vec::new(), level);
        for line in member {
            // Writing to memory does not fail.
            let _ = encoder
                .write_all(line.as_bytes())
                .and_then(|()| encoder.write_all(b"\n"));
        }
        bytes.extend(encoder.finish().unwrap_or_default());
    }
    bytes
}
