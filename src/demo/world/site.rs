//! The IPv6 networks of the world: sites with networks in them, and hosts in those. None is merged with what lies in it,
//! each has its own most applicable data (contract, part 2.5).

use std::net::Ipv6Addr;

use fastrand::Rng;
use ipnet::Ipv6Net;

use super::{
    Snapshot,
    activity::infrastructure,
    attention::Attention,
    block::BENCHMARKING_BLOCKS,
    place::{Locality, anywhere, place},
    record::{DemoClient, DemoConcentration, DemoRecord, DemoTunnel, RecordKey},
    seed::{RngExt, tenure},
    service::{DemoService, SERVICES, service_of},
    system::{SYSTEMS, System},
};

/// The network for documentation, in which all sites lie.
const PREFIX: [u16; 2] = [0x2001, 0x0db8];

/// The third group of the site that is written by hand.
const TOLD: u16 = 0x77;

/// How many sites a full world has.
const SITES: u32 = 160;

/// Whether an address lies in the IPv6 range of the world.
pub(crate) fn admits(address: Ipv6Addr) -> bool {
    address.segments()[..2] == PREFIX
}

fn network(groups: [u16; 6], prefix_len: u8) -> Ipv6Net {
    let mut segments = [0; 8];
    segments[..2].copy_from_slice(&PREFIX);
    segments[2..].copy_from_slice(&groups);
    let address = Ipv6Addr::from(segments);
    // Lengths here are literals up to 128.
    Ipv6Net::new(address, prefix_len).map_or_else(|_| address.into(), |network| network.trunc())
}

/// The /48 of the world with this third group.
pub(crate) fn network_of(third: u16) -> Ipv6Net {
    network([third, 0, 0, 0, 0, 0], 48)
}

impl Snapshot<'_> {
    /// Every network of which something is known, by address, larger ones first.
    pub(crate) fn sites(&self) -> Vec<(Attention, DemoRecord)> {
        let mut sites = self.told_site();
        for (index, first) in [0x4000, 0x9000, 0xe000_u16].into_iter().enumerate() {
            // A large network that says little, around many small ones that say more.
            let prefix_len = if index == 0 { 36 } else { 40 };
            sites.extend(self.network(network([first, 0, 0, 0, 0, 0], prefix_len)));
        }
        let count = (SITES * u32::from(self.world.blocks) / u32::from(BENCHMARKING_BLOCKS)).max(12);
        for index in 0..count {
            // An odd multiplier spreads the sites over the range and gives none twice.
            let third = u16::try_from((0x101 + index * 433) & 0xffff).unwrap_or(0);
            if third != TOLD {
                self.fill(third, &mut sites);
            }
        }
        sites.sort_by_key(|(_, record)| record.key.network());
        // Neighbouring /64 may lie in one /56, which a feed lists once.
        sites.dedup_by_key(|(_, record)| record.key.network());
        sites
    }

    fn fill(&self, third: u16, sites: &mut Vec<(Attention, DemoRecord)>) {
        let mut dice = self.world.seed.dice("site", &[third.into()]);
        sites.extend(self.network(network(
            [third, 0, 0, 0, 0, 0],
            if dice.percent(20) { 44 } else { 48 },
        )));
        for subnet in 0..dice.u16(0..4) {
            let fourth = subnet * 16 + dice.u16(..16);
            sites.extend(self.network(network(
                [third, fourth, 0, 0, 0, 0],
                if dice.percent(25) { 56 } else { 64 },
            )));
            for _ in 0..dice.u16(0..3) {
                let host = [
                    third,
                    fourth,
                    dice.u16(..),
                    dice.u16(..),
                    dice.u16(..),
                    dice.u16(..),
                ];
                sites.extend(self.network(network(host, 128)));
            }
        }
    }

    /// A network with what runs there, unless it is away on this day.
    fn network(&self, network: Ipv6Net) -> Option<(Attention, DemoRecord)> {
        let mut dice = self.about(network);
        let holder = dice.u64(..);
        let there = self
            .world
            .seed
            .dice("there", &[holder, tenure(self.number, holder, 25)])
            .percent(90);
        let service = &SERVICES[dice.usize(..SERVICES.len())];
        let busy = !service.inactive && dice.percent(85);
        let standing = match service.trade.is_datacenter_centric() {
            _ if !busy => Attention::Notable,
            true => Attention::Anonymous,
            false => Attention::Residential,
        };
        there.then(|| {
            (
                standing,
                self.site_record(network, &mut dice, busy.then_some(service)),
            )
        })
    }

    fn site_record(
        &self,
        network: Ipv6Net,
        dice: &mut Rng,
        service: Option<&'static DemoService>,
    ) -> DemoRecord {
        let (system, registered) = self.landlord(network);
        let plain = DemoRecord::plain(
            RecordKey::Network(network),
            system,
            registered,
            Some(system.organization.to_owned()),
        );
        let callback = service.filter(|service| !service.trade.is_datacenter_centric());
        let exit = service.filter(|service| service.trade.is_datacenter_centric());
        let around = anywhere(dice);
        DemoRecord {
            infrastructure: infrastructure(system.zoning, dice.u32(..100)),
            client: Some(if dice.percent(20) && callback.is_none() {
                DemoClient::default()
            } else {
                DemoClient {
                    count: Some(dice.u32(1..40)),
                    proxies: callback.iter().map(|service| service.tag).collect(),
                    types: dice.some_of(&["MOBILE", "DESKTOP"], 60),
                    concentration: dice
                        .percent(40)
                        .then(|| DemoConcentration::around(around, registered, 500, 4)),
                    ..DemoClient::default()
                }
            }),
            risks: Some(match (exit, callback) {
                (Some(_), _) => vec!["TUNNEL"],
                (_, Some(_)) => vec!["CALLBACK_PROXY"],
                _ => Vec::new(),
            }),
            services: Some(
                exit.map(|exit| dice.some_of(exit.trade.listens(), 40))
                    .unwrap_or_default(),
            ),
            tunnels: Some(
                exit.iter()
                    .map(|exit| DemoTunnel::of(exit.trade.tunnel(), Some(exit.tag)))
                    .collect(),
            ),
            ..plain
        }
    }

    /// Who runs the site of a network, and where.
    fn landlord(&self, network: Ipv6Net) -> (&'static System, &'static Locality) {
        let third = network.addr().segments()[2];
        let mut dice = self.world.seed.dice("landlord", &[third.into()]);
        let system = &SYSTEMS[dice.usize(..SYSTEMS.len())];
        (system, place(system.city))
    }

    fn about(&self, network: Ipv6Net) -> Rng {
        let groups = network.addr().segments().map(u64::from);
        self.world.seed.dice(
            "network",
            &[&groups[..], &[network.prefix_len().into()]].concat(),
        )
    }

    /// The plain record of an address in no known network.
    pub(crate) fn plain_site(&self, address: Ipv6Addr) -> DemoRecord {
        let (system, place) = self.landlord(address.into());
        DemoRecord::plain(
            RecordKey::Address(address.into()),
            system,
            place,
            Some(system.organization.to_owned()),
        )
    }

    /// A household's site, a network in it with a callback proxy, and in that a host with a VPN's exit.
    fn told_site(&self) -> Vec<(Attention, DemoRecord)> {
        let told = |groups, prefix_len, standing, tag: Option<&str>| {
            let network = network(groups, prefix_len);
            let record =
                self.site_record(network, &mut self.about(network), tag.and_then(service_of));
            (standing, record)
        };
        vec![
            told([TOLD, 0, 0, 0, 0, 0], 48, Attention::Notable, None),
            told(
                [TOLD, 1, 0, 0, 0, 0],
                64,
                Attention::Residential,
                Some("WIDGET_PROXY"),
            ),
            told(
                [TOLD, 1, 0, 0, 0, 7],
                128,
                Attention::Anonymous,
                Some("ACME_VPN"),
            ),
        ]
    }
}
