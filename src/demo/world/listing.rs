//! What the feeds of a day list: each larger one holds all of the next smaller (contract, part 4.2), so that a day's records and
//! their lines are made once for all files and exports of it.

use std::sync::Arc;

use super::{
    Snapshot, World,
    attention::Attention,
    listed_days::{Listed, Listing},
};
use crate::{contract::Feed, model::Day};

impl World {
    /// What a feed of addresses or networks lists on a day.
    pub(crate) fn listing(&self, feed: Feed, day: Day) -> Listing {
        let least = match feed {
            Feed::Anonymous | Feed::AnonymousIpv6 => Attention::Anonymous,
            Feed::AnonymousResidential | Feed::AnonymousResidentialIpv6 => Attention::Residential,
            _ => Attention::Notable,
        };
        let cell = self.listed.cell((day, feed.is_ipv6()));
        let listed = cell.get_or_init(|| {
            let snapshot = self.on(day);
            if feed.is_ipv6() {
                snapshot.listed_networks()
            } else {
                snapshot.listed_addresses()
            }
        });
        Listing {
            listed: Arc::clone(listed),
            least,
        }
    }
}

impl Snapshot<'_> {
    fn listed_networks(&self) -> Arc<[Listed]> {
        let sites = self.sites().into_iter();
        sites
            .filter(|(standing, _)| *standing >= Attention::Notable)
            .map(|(standing, record)| Listed::new(standing, record))
            .collect()
    }

    fn listed_addresses(&self) -> Arc<[Listed]> {
        let mut listed = Vec::new();
        for block in self.world.blocks() {
            let leases: [_; 8] = std::array::from_fn(|slice| {
                // Eight slices: the index always fits.
                self.world
                    .lease(&block, u8::try_from(slice).unwrap_or(0), self.day)
            });
            for host in 0..=255 {
                let life = self.life(&block, host, leases[usize::from(host / 32)]);
                let standing = life.standing();
                if standing >= Attention::Notable {
                    let record = self.tell(&block, block.host(host), &life);
                    listed.push(Listed::new(standing, record));
                }
            }
        }
        listed.into()
    }
}
