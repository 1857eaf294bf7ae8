//! The datacenter-hosting netblocks (contract, part 2.9): neighbouring blocks of one operator are one.

use ipnet::{IpNet, Ipv4Net};
use serde::Serialize;

use super::{
    World,
    seed::RngExt,
    site::network_of,
    system::{BlockUse, SYSTEMS, System},
};

/// A DCH Object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Netblock {
    pub(crate) network: IpNet,
    pub(crate) organization: Option<&'static str>,
    pub(crate) asn: Option<u32>,
}

impl World {
    /// All netblocks of datacenters, by address.
    pub(crate) fn netblocks(&self) -> Vec<Netblock> {
        let hosts = |system: &System| matches!(system.zoning, BlockUse::Hosting | BlockUse::Cloud);
        let mut netblocks = Vec::new();
        for (index, system) in SYSTEMS
            .iter()
            .enumerate()
            .filter(|(_, system)| hosts(system))
        {
            let mut dice = self.seed.dice("netblock", &[system.number.into()]);
            let asn = (!dice.percent(15)).then_some(system.number);
            let organization = (!dice.percent(10)).then_some(system.organization);
            let of = |network| Netblock {
                network,
                organization,
                asn,
            };
            let own = self.blocks().filter(|block| block.system == system);
            let networks: Vec<Ipv4Net> = own
                .filter_map(|block| Ipv4Net::new(block.base, 24).ok())
                .collect();
            netblocks.extend(
                Ipv4Net::aggregate(&networks)
                    .into_iter()
                    .map(|network| of(network.into())),
            );
            // Above all sites of people.
            let third = 0xff00 + u16::try_from(index).unwrap_or(0);
            netblocks.push(of(network_of(third).into()));
        }
        netblocks.sort_by_key(|netblock| netblock.network);
        netblocks
    }
}
