//! Feed files and how they are pulled, for tests that say every byte themselves.

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};
use ipspect::{
    contract::{Feed, Format},
    engine::{Pick, PullQuery, Pulled, Result, progress::unheard},
    model::Subject,
};

use super::{
    fixture::Fixture,
    wire::{Wire, answer},
};

/// The feed that is pulled where any will do.
pub(crate) const FEED: Feed = Feed::Dch;

/// One gzip member.
pub(crate) fn gz(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(bytes.as_ref()).expect("memory");
    encoder.finish().expect("memory")
}

/// A feed of so many records, a name in each.
pub(crate) fn records(name: &str, count: usize) -> Vec<u8> {
    let line = |number| {
        format!("{{\"network\":\"198.51.100.{number}/32\",\"organization\":\"{name}\"}}\n")
    };
    gz((0..count).map(line).collect::<String>())
}

/// An answer with a whole file of a state that its tag names.
pub(crate) fn whole(tag: &str, file: &[u8]) -> Vec<u8> {
    answer(200, &headers(tag), file)
}

/// An answer with a whole file that is the release of a day.
pub(crate) fn of_day(day: &str, file: &[u8]) -> Vec<u8> {
    let headers = format!("ETag: \"{day}\"\r\nX-Feed-Generation-Date: {day}\r\n");
    answer(200, &headers, file)
}

/// An answer with the file from a byte on.
pub(crate) fn rest(tag: &str, file: &[u8], from: usize) -> Vec<u8> {
    let range = format!(
        "Content-Range: bytes {from}-{}/{}\r\n",
        file.len() - 1,
        file.len()
    );
    answer(206, &(headers(tag) + &range), &file[from..])
}

fn headers(tag: &str) -> String {
    format!("ETag: \"{tag}\"\r\nX-Feed-Generation-Date: 20261120\r\n")
}

/// An answer that ends after so many bytes of its body.
pub(crate) fn cut(mut answer: Vec<u8>, bytes: usize) -> Vec<u8> {
    let head = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .expect("a head")
        + 4;
    answer.truncate(head + bytes);
    answer
}

impl<S> Fixture<S> {
    /// Pulls the latest release.
    pub(crate) async fn pull(&self) -> Result<Pulled> {
        self.engine
            .releases
            .pull(&PullQuery::latest(FEED), unheard())
            .await
    }

    /// The data of the newest release that can be used.
    pub(crate) fn published(&self) -> Option<Vec<u8>> {
        let newest = self
            .engine
            .releases
            .cache()
            .newest_usable(FEED, Format::Json);
        let newest = newest.expect("cache").0?;
        Some(fs::read(newest.data).expect("data"))
    }

    /// The days of the releases that are here, the newest first.
    pub(crate) fn days(&self) -> Vec<String> {
        let releases = self.engine.releases.cache().releases(FEED, Format::Json);
        let days = releases.expect("cache").0.into_iter();
        days.map(|release| release.manifest.moment.to_string())
            .collect()
    }

    /// What the local feeds say of a network, line by line.
    pub(crate) async fn says_of(&self, network: &str, pick: &Pick) -> Result<Vec<String>> {
        let subject = Subject::Network(network.parse().expect("network"));
        let storage = &self.engine.storage;
        let opened = if *pick == Pick::default() {
            storage.open_picked(pick).await?
        } else {
            storage.open_some(pick).await?
        };
        if let Some(feed) = opened.unusable.into_iter().next() {
            return Err(feed.why);
        }
        let opened = storage.all_about(&opened.days, [subject]).await?;
        let records = self.engine.releases.lookup_local(subject, &opened).await?;
        let lines = records
            .records
            .iter()
            .map(|record| record.document.to_line());
        Ok(lines.collect())
    }

    /// The files of what is partial, by name.
    pub(crate) fn partial(&self) -> Vec<String> {
        names(&self.engine.releases.cache().part_dir(FEED))
    }
}

impl Fixture<Wire> {
    /// A release of two records that is here already.
    pub(crate) async fn with_release() -> (Self, Vec<u8>) {
        let fixture = Self::wire().await;
        let file = records("old", 2);
        fixture.service.says(whole("old", &file));
        fixture.pull().await.expect("the first release");
        (fixture, file)
    }
}

/// The names in a folder, in order.
pub(crate) fn names(dir: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let names = entries.map(|entry| {
        entry
            .expect("entry")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
