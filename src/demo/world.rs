//! The invented world: who has which address, what runs there, who hides behind it, day by day.
//!
//! It lives on ranges kept for documentation and benchmarks, with invented operators on documentation numbers, so it
//! never says anything about anybody. A record is a pure function of seed, address and day: no day is stored, each is
//! worked out when it is asked for (the last few are kept), and the lookup of an address and its line in a feed are the same record. It must
//! never read a clock or a file.

mod activity;
mod attention;
mod block;
mod exit;
mod geo;
mod home;
mod hosting;
mod listed_days;
mod listing;
mod metadata;
mod place;
mod realtime;
mod record;
mod scenarios;
mod seed;
mod service;
mod site;
mod snapshot;
mod system;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub(crate) use hosting::Netblock;
pub(crate) use record::{DemoRecord, RecordKey, json_line};
pub(crate) use scenarios::STORIES;

pub(crate) use self::snapshot::{Snapshot, World};
use self::{activity::AddressActivity, listed_days::ListedDays, seed::Seed};
use crate::model::Day;

/// How many days of daily releases there are.
pub(crate) const RELEASES: i32 = 14;

impl World {
    /// The world of this seed as it is on `today`, with up to 512 inhabited blocks besides the scripted ones.
    pub(crate) fn new(seed: u64, today: Day, blocks: u16) -> Self {
        let blocks = blocks.clamp(1, block::BENCHMARKING_BLOCKS);
        Self {
            seed: Seed(seed),
            today,
            blocks,
            listed: ListedDays::default(),
        }
    }

    pub(crate) fn on(&self, day: Day) -> Snapshot<'_> {
        Snapshot {
            world: self,
            day,
            number: seed::day_number(day),
        }
    }

    /// Whether an address lies in one of the ranges of the world.
    pub(crate) fn admits(&self, address: IpAddr) -> bool {
        match address {
            IpAddr::V4(address) => self.block(address).is_some(),
            IpAddr::V6(address) => site::admits(address),
        }
    }
}

impl Snapshot<'_> {
    /// The record of an address, or `None` outside the world. Where nothing is known it is plain.
    pub(crate) fn record(&self, address: IpAddr) -> Option<DemoRecord> {
        match address {
            IpAddr::V4(address) => self.record_v4(address),
            IpAddr::V6(address) => self.record_v6(address),
        }
    }

    fn record_v4(&self, address: Ipv4Addr) -> Option<DemoRecord> {
        let block = self.world.block(address)?;
        let [.., host] = address.octets();
        let slice = self.world.lease(&block, host / 32, self.day);
        let life = self.life(&block, host, slice);
        Some(self.tell(&block, address, &life))
    }

    /// An IPv6 address has the data of the most specific network that covers it (contract, part 2.5 rule 2).
    fn record_v6(&self, address: Ipv6Addr) -> Option<DemoRecord> {
        if !site::admits(address) {
            return None;
        }
        let covering = self
            .sites()
            .into_iter()
            .filter(|(_, record)| record.key.network().contains(&IpAddr::V6(address)));
        let nearest = covering.max_by_key(|(_, record)| record.key.network().prefix_len());
        let mut record = nearest.map_or_else(|| self.plain_site(address), |(_, record)| record);
        record.key = RecordKey::Address(address.into());
        Some(record)
    }

    fn tell(
        &self,
        block: &block::V4Block,
        address: Ipv4Addr,
        life: &AddressActivity,
    ) -> DemoRecord {
        let key = RecordKey::Address(address.into());
        let plain = DemoRecord::plain(key, block.system, block.place, block.tenant(address));
        match life {
            AddressActivity::Quiet => plain,
            AddressActivity::Notable => self.notable(plain, address),
            AddressActivity::Exit(service) => self.exit(plain, address, service),
            AddressActivity::Proxied(service) => self.proxied(plain, block, address, service),
            AddressActivity::Told(story) => (story.tell)(self, plain),
        }
    }

    /// The record with the location of the third-party database (contract, part 4.1, `mmgeo`).
    pub(crate) fn relocated(&self, mut record: DemoRecord) -> DemoRecord {
        if let RecordKey::Address(IpAddr::V4(address)) = record.key
            && let Some(block) = self.world.block(address)
        {
            let mut location = block.elsewhere.location();
            // That database knows the country of every address and the city of most.
            if block.host(address.octets()[3]).to_bits() % 5 == 0 {
                (location.city, location.state) = (None, None);
            }
            record.location = Some(location);
        }
        record
    }
}

#[cfg(test)]
mod tests;
