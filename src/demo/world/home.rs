//! Callback proxies among people: at home, on phones, in offices.

use std::net::Ipv4Addr;

use super::{
    Snapshot,
    activity::infrastructure,
    block::V4Block,
    place::anywhere,
    record::{DemoClient, DemoConcentration, DemoRecord, DemoTunnel},
    seed::RngExt,
    service::{DemoService, ServiceKind, services_of},
    system::BlockUse,
};

impl Snapshot<'_> {
    /// The record of an address on which devices run `service`, and perhaps others.
    pub(crate) fn proxied(
        &self,
        plain: DemoRecord,
        block: &V4Block,
        address: Ipv4Addr,
        service: &'static DemoService,
    ) -> DemoRecord {
        let mut dice = self.always("home", address);
        let phones = block.zoning() == BlockUse::Mobile;
        let mut proxies = vec![service.tag];
        while dice.percent(25) {
            let other = dice.pick(&services_of(|trade| trade == ServiceKind::Residential));
            if !proxies.contains(&other.tag) {
                proxies.push(other.tag);
            }
        }
        let around = if phones {
            dice.u32(20..900)
        } else {
            dice.u32(1..9)
        };
        let away = dice.percent(if phones { 30 } else { 6 });
        let center = if away {
            anywhere(&mut dice)
        } else {
            block.place
        };
        let mismatch = center.country != block.place.country;
        let density = dice.u32(200..=1000);
        let characters = dice.usize(3..=6);
        let mut risks = vec!["CALLBACK_PROXY"];
        risks.extend(mismatch.then_some("GEO_MISMATCH"));
        risks.extend(dice.some_of(&["WEB_SCRAPING", "AD_FRAUD"], 10));
        // The order of risks means nothing and does not last.
        self.lately("order", address).shuffle(&mut risks);
        DemoRecord {
            infrastructure: infrastructure(block.zoning(), dice.u32(..100)),
            client: Some(DemoClient {
                behaviors: dice.some_of(&["FILE_SHARING", "TOR_PROXY_USER"], 12),
                concentration: (mismatch || dice.percent(60))
                    .then(|| DemoConcentration::around(center, block.place, density, characters)),
                count: dice.percent(96).then(|| self.drifting(address, around)),
                countries: Some(1 + u32::from(mismatch)),
                proxies,
                spread: dice.percent(60).then(|| dice.u32(1..9_000)),
                types: dice.some_of(
                    if phones {
                        &["MOBILE"]
                    } else {
                        &["DESKTOP", "MOBILE", "IOT"]
                    },
                    70,
                ),
            }),
            risks: Some(risks),
            services: dice.percent(25).then(Vec::new),
            tunnels: dice.percent(8).then(|| vec![DemoTunnel::of("PROXY", None)]),
            ..plain
        }
    }
}
