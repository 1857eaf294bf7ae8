//! A home with downloaded feeds, and what they say, found out without the program.

use std::{fs, io::Read, net::IpAddr};

use flate2::read::MultiGzDecoder;
use ipnet::IpNet;
use ipspect::demo::DemoRole;
use serde_json::Value;

use crate::service::{Home, Service, files_below};

pub(crate) struct Here {
    pub(crate) home: Home,
    /// The feeds, each with its records in the order of the file.
    feeds: Vec<(String, Vec<Value>)>,
}

impl Here {
    pub(crate) fn with(service: &Service, feeds: &[&str]) -> Self {
        Self::of(service.home(DemoRole::Full), feeds)
    }

    /// Downloads the feeds and reads them.
    pub(crate) fn of(home: Home, feeds: &[&str]) -> Self {
        for feed in feeds {
            home.run(&format!("feeds pull {feed}")).ends(0);
        }
        Self::read(home, feeds)
    }

    /// Reads the newest release of each of these feeds.
    pub(crate) fn read(home: Home, feeds: &[&str]) -> Self {
        let read = |feed: &&str| {
            let mut files = files_below(&home.path(&format!("cache/feeds/{feed}")));
            files.retain(|file| file.to_string_lossy().ends_with(".json.gz"));
            // Their folders are named by the day.
            let file = files.last().expect("a feed file");
            let mut text = String::new();
            MultiGzDecoder::new(fs::File::open(file).expect("file"))
                .read_to_string(&mut text)
                .expect("text");
            let records = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("record"))
                .collect();
            (feed.to_string(), records)
        };
        let feeds = feeds.iter().map(read).collect();
        Self { home, feeds }
    }

    pub(crate) fn records(&self, feed: &str) -> &[Value] {
        let of = self.feeds.iter().find(|(name, _)| name == feed);
        &of.expect("a feed that was downloaded").1
    }

    /// The day of the newest release of a feed.
    pub(crate) fn day(&self, feed: &str) -> String {
        let folder = self.home.path(&format!("cache/feeds/{feed}"));
        let names = fs::read_dir(folder).expect("folder").map(|entry| {
            entry
                .expect("entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        });
        let releases = names.filter(|name| !name.starts_with('.'));
        releases.max().expect("a release")
    }

    /// Every record about an address, with its feed, by looking at all of them.
    pub(crate) fn known(&self, address: &str) -> Vec<(String, Value)> {
        let address: IpAddr = address.parse().expect("address");
        let of_feed = |(feed, records): &(String, Vec<Value>)| {
            let about = records
                .iter()
                .filter(|record| subject(record).is_some_and(|network| network.contains(&address)));
            about
                .map(|record| (feed.clone(), record.clone()))
                .collect::<Vec<_>>()
        };
        self.feeds.iter().flat_map(of_feed).collect()
    }

    /// Addresses of records spread over all feeds, and some beside them.
    pub(crate) fn some_addresses(&self, most: usize) -> Vec<String> {
        let all: Vec<IpNet> = self
            .feeds
            .iter()
            .flat_map(|(_, records)| records.iter().filter_map(subject))
            .collect();
        let step = (all.len() * 2 / most).max(1);
        let mut addresses: Vec<String> = Vec::new();
        for network in all.iter().step_by(step) {
            for address in [network.addr(), network.broadcast()] {
                let address = address.to_string();
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
        }
        addresses.push("192.0.2.255".to_owned());
        addresses.truncate(most);
        addresses
    }

    /// An address beginning so, of which no feed here knows.
    pub(crate) fn unknown_address(&self, beginning: &str) -> String {
        let all = (0..=255).map(|host| format!("{beginning}.255.{host}"));
        let mut unknown = all.filter(|address| self.known(address).is_empty());
        unknown.next().expect("a gap in the world")
    }
}

/// What a record is about.
pub(crate) fn subject(record: &Value) -> Option<IpNet> {
    let text = ["ip", "network", "prefix"]
        .iter()
        .find_map(|key| record[key].as_str())?;
    text.parse()
        .ok()
        .or_else(|| Some(text.parse::<IpAddr>().ok()?.into()))
}

pub(crate) fn covers(outer: IpNet, inner: IpNet) -> bool {
    outer.contains(&inner)
}
