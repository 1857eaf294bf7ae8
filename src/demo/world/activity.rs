//! What an address is up to on a day, decided before its record is written: this is what puts it into a feed.

use std::net::Ipv4Addr;

use super::{
    Snapshot,
    attention::Attention,
    block::V4Block,
    record::{DemoClient, DemoRecord, DemoTunnel},
    scenarios::{Scenario, story_of},
    seed::{RngExt, tenure},
    service::{DemoService, ServiceKind, services_of},
    system::BlockUse,
};

/// The activity of an address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AddressActivity {
    /// Nothing is known.
    Quiet,
    /// Activity without anonymization.
    Notable,
    Exit(&'static DemoService),
    /// A callback proxy among people.
    Proxied(&'static DemoService),
    /// Told by hand.
    Told(&'static Scenario),
}

impl AddressActivity {
    pub(crate) fn standing(&self) -> Attention {
        match self {
            Self::Quiet => Attention::Quiet,
            Self::Notable => Attention::Notable,
            Self::Proxied(_) => Attention::Residential,
            Self::Exit(_) => Attention::Anonymous,
            Self::Told(story) => story.standing,
        }
    }
}

impl Snapshot<'_> {
    /// The life of a host, given who has rented its part of the block.
    pub(crate) fn life(
        &self,
        block: &V4Block,
        host: u8,
        lease: Option<(&'static DemoService, u32)>,
    ) -> AddressActivity {
        let address = block.host(host);
        if let Some(story) = story_of(address).filter(|story| (story.on)(self)) {
            return AddressActivity::Told(story);
        }
        if !block.inhabited {
            return AddressActivity::Quiet;
        }
        let number = u64::from(address.to_bits());
        let days = if block.zoning() == BlockUse::Hosting {
            30
        } else {
            8
        };
        let mut dice = self
            .world
            .seed
            .dice("life", &[number, tenure(self.number, number, days)]);
        let roll = dice.u32(..1000);
        let residential: fn(ServiceKind) -> bool =
            |trade| !trade.is_datacenter_centric() && trade != ServiceKind::Mobile;
        let (proxied, notable, trade): (u32, u32, fn(ServiceKind) -> bool) = match block.zoning() {
            BlockUse::Hosting => {
                return match lease {
                    Some((service, used)) if roll < used * 10 => AddressActivity::Exit(service),
                    _ if roll.is_multiple_of(40) => AddressActivity::Notable,
                    _ => AddressActivity::Quiet,
                };
            }
            BlockUse::Cloud => (12, 60, |trade| {
                matches!(trade, ServiceKind::Isp | ServiceKind::Desktop)
            }),
            BlockUse::Home => (56, 40, residential),
            BlockUse::Mobile => (80, 30, |trade| trade == ServiceKind::Mobile),
            BlockUse::Office => (8, 40, |trade| trade == ServiceKind::Enterprise),
            BlockUse::Satellite => (4, 40, residential),
        };
        if roll >= proxied {
            return if roll < proxied + notable {
                AddressActivity::Notable
            } else {
                AddressActivity::Quiet
            };
        }
        let service = dice.pick(&services_of(trade));
        if service.trade.is_datacenter_centric() {
            AddressActivity::Exit(service)
        } else {
            AddressActivity::Proxied(service)
        }
    }

    /// Dice about an address that fall the same way on every day.
    pub(crate) fn always(&self, noun: &str, address: Ipv4Addr) -> fastrand::Rng {
        self.world.seed.dice(noun, &[u64::from(address.to_bits())])
    }

    /// Dice about an address that fall another way now and then: for about one address in six since the day before.
    pub(crate) fn lately(&self, noun: &str, address: Ipv4Addr) -> fastrand::Rng {
        let number = u64::from(address.to_bits());
        let stretch = tenure(self.number, number, 6);
        self.world.seed.dice(noun, &[number, stretch])
    }

    /// A number of clients that drifts.
    pub(crate) fn drifting(&self, address: Ipv4Addr, around: u32) -> u32 {
        let reach = 1 + around / 8;
        let drift = self.lately("drift", address).u32(..=2 * reach);
        (around + drift).saturating_sub(reach).max(1)
    }

    /// An address with activity but without anonymization.
    pub(crate) fn notable(&self, plain: DemoRecord, address: Ipv4Addr) -> DemoRecord {
        let mut dice = self.always("notable", address);
        let risks = dice.some_of(&["WEB_SCRAPING", "LOGIN_BRUTEFORCE", "AD_FRAUD"], 35);
        let desktop = dice.percent(8).then(|| DemoTunnel {
            anonymous: false,
            ..DemoTunnel::of("REMOTE_DESKTOP", None)
        });
        let people = dice.u32(1..6);
        DemoRecord {
            infrastructure: infrastructure(plain.system.zoning, dice.u32(..100)),
            client: dice.percent(85).then(|| DemoClient {
                count: Some(self.drifting(address, people)),
                types: dice.some_of(&["DESKTOP", "MOBILE", "HEADLESS", "IOT"], 40),
                behaviors: dice.some_of(&["FILE_SHARING", "TOR_PROXY_USER", "ACME_VPN_USER"], 25),
                ..DemoClient::default()
            }),
            risks: (dice.percent(90) || !risks.is_empty()).then_some(risks),
            services: dice
                .percent(50)
                .then(|| dice.some_of(&["SSH", "RDP", "HTTP", "FTP"], 30)),
            tunnels: desktop.map(|tunnel| vec![tunnel]),
            ..plain
        }
    }
}

/// The `infrastructure` of a zoning, which homes never have and others not always.
pub(crate) fn infrastructure(zoning: BlockUse, roll: u32) -> Option<&'static str> {
    match zoning {
        BlockUse::Hosting | BlockUse::Cloud if roll < 92 => Some("DATACENTER"),
        BlockUse::Mobile if roll < 90 => Some("MOBILE"),
        BlockUse::Satellite => Some(if roll < 40 {
            "IN_FLIGHT_WIFI"
        } else {
            "SATELLITE"
        }),
        BlockUse::Office if roll < 30 => Some("BUSINESS"),
        _ => None,
    }
}
