//! How the IPv4 addresses of the world are divided: each /24 has an operator, a city and a use.

use std::net::Ipv4Addr;

use super::{
    World,
    place::{Locality, anywhere, place},
    seed::{RngExt, day_number, tenure},
    service::{DemoService, ServiceKind, service_of, services_of},
    system::{BlockUse, System, system_of, systems_in},
};
use crate::model::Day;

/// The /24 networks for documentation, which are written by hand (see `scenarios`), and what each is.
pub(crate) const TOLD: [(Ipv4Addr, u32, &str); 3] = [
    (Ipv4Addr::new(198, 51, 100, 0), 64500, "Amsterdam"),
    (Ipv4Addr::new(203, 0, 113, 0), 64503, "Berlin"),
    (Ipv4Addr::new(192, 0, 2, 0), 64499, "Madrid"),
];

/// Where the network for benchmarks begins, 512 blocks long: what lives there is left to chance.
pub(crate) const BENCHMARKING: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);

/// How many blocks the network for benchmarks has.
pub(crate) const BENCHMARKING_BLOCKS: u16 = 512;

/// A /24 of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct V4Block {
    /// Its first address.
    pub(crate) base: Ipv4Addr,
    pub(crate) system: &'static System,
    /// Where the service sees it.
    pub(crate) place: &'static Locality,
    /// Where the third-party database sees it (contract, part 4.1, `mmgeo`).
    pub(crate) elsewhere: &'static Locality,
    /// Whether anything but the plain facts is known of its addresses.
    pub(crate) inhabited: bool,
}

impl V4Block {
    pub(crate) fn zoning(&self) -> BlockUse {
        self.system.zoning
    }

    /// The address of a host in the block.
    pub(crate) fn host(&self, host: u8) -> Ipv4Addr {
        let [a, b, c, _] = self.base.octets();
        Ipv4Addr::new(a, b, c, host)
    }

    /// The block as a number for dice.
    pub(crate) fn number(&self) -> u64 {
        u64::from(self.base.to_bits())
    }

    /// Who has rented an address of the block, where the zoning has organizations.
    pub(crate) fn tenant(&self, address: Ipv4Addr) -> Option<String> {
        let [.., host] = address.octets();
        match self.zoning() {
            BlockUse::Hosting if host % 8 != 7 => Some(format!(
                "{} customer {}",
                self.system.organization,
                1 + host / 32
            )),
            BlockUse::Home | BlockUse::Mobile if host % 4 == 3 => None,
            _ => Some(self.system.organization.to_owned()),
        }
    }
}

impl World {
    /// The block of an address, unless it lies outside the world.
    pub(crate) fn block(&self, address: Ipv4Addr) -> Option<V4Block> {
        let [a, b, c, _] = address.octets();
        let base = Ipv4Addr::new(a, b, c, 0);
        let told = TOLD.iter().find(|(told, ..)| *told == base);
        if let Some((_, system, city)) = told {
            let (system, place) = (system_of(*system), place(city));
            let elsewhere = place;
            return Some(V4Block {
                base,
                system,
                place,
                elsewhere,
                inhabited: true,
            });
        }
        let index = base
            .to_bits()
            .checked_sub(BENCHMARKING.to_bits())
            .map(|distance| distance >> 8)?;
        (index < u32::from(BENCHMARKING_BLOCKS)).then(|| self.chance_block(base, index))
    }

    fn chance_block(&self, base: Ipv4Addr, index: u32) -> V4Block {
        let mut dice = self.seed.dice("block", &[u64::from(index)]);
        let zoning = match dice.u32(..100) {
            0..10 => BlockUse::Hosting,
            10..20 => BlockUse::Cloud,
            20..70 => BlockUse::Home,
            70..82 => BlockUse::Mobile,
            82..95 => BlockUse::Office,
            _ => BlockUse::Satellite,
        };
        let system = dice.pick(&systems_in(zoning));
        let abroad = anywhere(&mut dice);
        let place = if dice.percent(80) {
            place(system.city)
        } else {
            abroad
        };
        let elsewhere = if dice.percent(25) {
            anywhere(&mut dice)
        } else {
            place
        };
        // A small world takes its blocks from the whole range, so that it is as mixed as the full one.
        let inhabited = index.is_multiple_of(u32::from(BENCHMARKING_BLOCKS / self.blocks));
        V4Block {
            base,
            system,
            place,
            elsewhere,
            inhabited,
        }
    }

    /// The inhabited blocks, by address.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = V4Block> {
        let benchmarking =
            (0..u32::from(BENCHMARKING_BLOCKS)).map(|index| BENCHMARKING.to_bits() + (index << 8));
        let mut bases: Vec<Ipv4Addr> = TOLD
            .iter()
            .map(|(base, ..)| *base)
            .chain(benchmarking.map(Ipv4Addr::from_bits))
            .collect();
        bases.sort();
        bases
            .into_iter()
            .filter_map(|base| self.block(base))
            .filter(|block| block.inhabited)
    }

    /// Who has rented this eighth of a hosting block on a day, and how many of a hundred addresses are in use.
    pub(crate) fn lease(
        &self,
        block: &V4Block,
        slice: u8,
        day: Day,
    ) -> Option<(&'static DemoService, u32)> {
        if block.base == TOLD[0].0 {
            return self.told_lease(slice, day);
        }
        if block.zoning() != BlockUse::Hosting {
            return None;
        }
        let holder = block.number() + u64::from(slice);
        let mut dice = self
            .seed
            .dice("lease", &[holder, tenure(day_number(day), holder, 60)]);
        let renters = services_of(ServiceKind::is_datacenter_centric);
        let lease = (dice.pick(&renters), dice.pick(&[100, 70, 45]));
        dice.percent(54).then_some(lease)
    }

    /// The leases of 198.51.100.0/24. One changes hands some days before the day on which the world began, so that two
    /// dates of an address there can be compared.
    fn told_lease(&self, slice: u8, day: Day) -> Option<(&'static DemoService, u32)> {
        let (tag, used) = match slice {
            0 => ("ACME_VPN", 100),
            1 => ("CARGO_VPN", 80),
            2 if day < self.handover() => ("BRAVO_PROXY", 60),
            2 => ("ACME_VPN", 60),
            3 => ("3RIVERS_PROXY", 100),
            4 => ("HOLLYHOCK_VPN", 50),
            _ => return None,
        };
        service_of(tag).map(|service| (service, used))
    }

    /// The first day on which `ACME_VPN` has 198.51.100.64/27.
    pub(crate) fn handover(&self) -> Day {
        self.today.plus(-5)
    }
}
