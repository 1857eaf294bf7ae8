//! Exits in datacenters: VPNs, datacenter and ISP proxies, desktops, relays, onion routers.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use super::{
    Snapshot,
    activity::infrastructure,
    place::{anywhere, place},
    record::{DemoClient, DemoConcentration, DemoRecord, DemoTunnel},
    seed::RngExt,
    service::{DemoService, ServiceKind},
    system::BlockUse,
};

impl Snapshot<'_> {
    /// The record of an exit of `service`.
    pub(crate) fn exit(
        &self,
        plain: DemoRecord,
        address: Ipv4Addr,
        service: &'static DemoService,
    ) -> DemoRecord {
        let mut dice = self.always("exit", address);
        let mut risks = vec!["TUNNEL"];
        risks.extend(dice.some_of(&["WEB_SCRAPING", "LOGIN_BRUTEFORCE", "AD_FRAUD"], 9));
        let client = dice.percent(94).then(|| self.guests(address, service));
        if client
            .as_ref()
            .is_some_and(|client| !client.proxies.is_empty())
        {
            risks.push("CALLBACK_PROXY");
        }
        // The order of risks means nothing and does not last.
        self.lately("order", address).shuffle(&mut risks);
        // Offices have no rented exits, but employers' gateways.
        let zoning = if service.trade == ServiceKind::Enterprise {
            BlockUse::Office
        } else {
            BlockUse::Hosting
        };
        DemoRecord {
            ai: (dice.u32(..400) == 0).then(|| json!({"agents": ["crawler"], "confidence": 0.82})),
            infrastructure: infrastructure(zoning, dice.u32(..100)),
            client,
            risks: Some(risks),
            services: dice
                .percent(88)
                .then(|| dice.some_of(service.trade.listens(), 55)),
            tunnels: Some(vec![tunnel(&mut dice, address, service)]),
            ..plain
        }
    }

    fn guests(&self, address: Ipv4Addr, service: &DemoService) -> DemoClient {
        let mut dice = self.always("guests", address);
        let around = match service.trade {
            ServiceKind::Relay => dice.u32(200..4000),
            ServiceKind::Vpn => dice.u32(1..60),
            _ => dice.u32(1..12),
        };
        let count = self.drifting(address, around);
        let centers = [place("Kyiv"), place("New York"), anywhere(&mut dice)];
        let center = dice.pick(&centers);
        let registered = self
            .world
            .block(address)
            .map_or(center, |block| block.place);
        let density = dice.u32(80..=1000);
        let characters = dice.usize(3..=6);
        DemoClient {
            behaviors: dice.some_of(&["FILE_SHARING", "TOR_PROXY_USER", "CARGO_VPN_USER"], 8),
            concentration: dice
                .percent(70)
                .then(|| DemoConcentration::around(center, registered, density, characters)),
            count: Some(count),
            countries: dice.percent(85).then(|| 1 + count / 3 % 60),
            proxies: dice.some_of(&["WIDGET_PROXY", "GADGET_PROXY"], 3),
            spread: dice.percent(70).then(|| dice.u32(10..2_000_000)),
            types: dice.some_of(&["MOBILE", "DESKTOP", "HEADLESS"], 60),
        }
    }
}

/// The tunnel of an exit. Entries and exits lie in the same /27, where the operator has rented.
fn tunnel(
    dice: &mut fastrand::Rng,
    address: Ipv4Addr,
    service: &'static DemoService,
) -> DemoTunnel {
    let first = address.to_bits() & !31;
    let ips: Vec<IpAddr> = (first..first + 32)
        .map(|bits| Ipv4Addr::from_bits(bits).into())
        .collect();
    let mut exits = if dice.percent(60) {
        dice.some_of(&ips, 30)
    } else {
        Vec::new()
    };
    if !exits.is_empty() && !exits.contains(&IpAddr::V4(address)) {
        exits.insert(0, address.into());
    }
    // Their order is of no meaning and never the same for long.
    dice.shuffle(&mut exits);
    DemoTunnel {
        entries: if dice.percent(50) {
            dice.some_of(&ips[..8], 30)
        } else {
            Vec::new()
        },
        exits,
        ..DemoTunnel::of(
            service.trade.tunnel(),
            (!dice.percent(4)).then_some(service.tag),
        )
    }
}
