//! The services that hide people: invented operators of VPNs and proxies, and what is known of each.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::demo::table::{rows, words};

/// What a service sells, which decides where its exits are and how their records look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum ServiceKind {
    /// A VPN on servers.
    Vpn,
    /// A VPN of employers and schools, on servers.
    Enterprise,
    /// A privacy relay built into other software.
    Relay,
    /// Rented desktops.
    Desktop,
    /// Proxies on servers.
    Datacenter,
    /// Proxies on servers that are registered to access providers.
    Isp,
    /// The onion routers.
    Tor,
    /// Proxies on other people's devices at home.
    Residential,
    /// Proxies on other people's phones.
    Mobile,
    /// Peers who route for each other.
    Peers,
    /// Peers who are paid in coins.
    Blockchain,
    /// Devices that were taken over.
    Malware,
}

impl ServiceKind {
    /// Whether exits are in datacenters, which puts them into the Anonymous feed (contract, part 4.2 rule 1).
    pub(crate) fn is_datacenter_centric(self) -> bool {
        matches!(
            self,
            Self::Vpn
                | Self::Enterprise
                | Self::Relay
                | Self::Desktop
                | Self::Datacenter
                | Self::Isp
                | Self::Tor
        )
    }

    /// The `type` of its tunnels.
    pub(crate) fn tunnel(self) -> &'static str {
        match self {
            Self::Vpn | Self::Enterprise => "VPN",
            Self::Tor => "TOR",
            Self::Desktop => "REMOTE_DESKTOP",
            _ => "PROXY",
        }
    }

    /// The `categories` of its metadata; none for what the contract has no word for.
    pub(crate) fn categories(self) -> &'static [&'static str] {
        match self {
            Self::Residential | Self::Peers | Self::Blockchain | Self::Malware => {
                &["RESIDENTIAL_PROXY"]
            }
            Self::Mobile => &["MOBILE_PROXY", "RESIDENTIAL_PROXY"],
            Self::Vpn | Self::Datacenter | Self::Relay => &["DATACENTER_PROXY"],
            Self::Isp => &["ISP_PROXY", "DATACENTER_PROXY"],
            Self::Enterprise | Self::Desktop | Self::Tor => &[],
        }
    }

    /// Services that its exits may listen with.
    pub(crate) fn listens(self) -> &'static [&'static str] {
        match self {
            Self::Vpn => &["OPENVPN", "IPSEC", "WIREGUARD", "PPTP"],
            Self::Enterprise => &["IPSEC", "SSL_VPN"],
            Self::Desktop => &["RDP", "SSH"],
            Self::Tor => &["TOR"],
            Self::Relay => &["MASQUE"],
            _ => &["SOCKS5", "3PROXY", "HTTP_PROXY"],
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct DemoService {
    pub(crate) tag: &'static str,
    pub(crate) name: &'static str,
    pub(crate) trade: ServiceKind,
    pub(crate) description: &'static str,
    /// Other tags of the same service, each answering for itself with `aliasOf`.
    #[serde(deserialize_with = "words")]
    pub(crate) aliases: Vec<&'static str>,
    /// Services whose exits it sells as its own.
    #[serde(deserialize_with = "words")]
    pub(crate) resells: Vec<&'static str>,
    /// Out of business: it has metadata and no exits.
    pub(crate) inactive: bool,
}

impl DemoService {
    /// The tags of services that resell this one.
    pub(crate) fn resold_by(&self) -> Vec<&'static str> {
        let resellers = SERVICES
            .iter()
            .filter(|other| other.resells.contains(&self.tag));
        resellers.map(|reseller| reseller.tag).collect()
    }
}

/// The service that has this tag, as its own or as an alias.
pub(crate) fn service_of(tag: &str) -> Option<&'static DemoService> {
    SERVICES
        .iter()
        .find(|service| service.tag == tag || service.aliases.contains(&tag))
}

/// The services in business with exits where `wanted` says.
pub(crate) fn services_of(wanted: fn(ServiceKind) -> bool) -> Vec<&'static DemoService> {
    let trading = SERVICES.iter().filter(|service| !service.inactive);
    trading.filter(|service| wanted(service.trade)).collect()
}

/// All services, in the order of the service-metrics feed.
pub(crate) static SERVICES: LazyLock<Vec<DemoService>> =
    LazyLock::new(|| rows(include_str!("../../../assets/demo/services.tsv")));

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::demo::table::tests::is_whole;

    #[test]
    fn tags_are_unique_and_relations_lead_somewhere() {
        assert!(is_whole(
            include_str!("../../../assets/demo/services.tsv"),
            &SERVICES
        ));
        let tags: Vec<&str> = SERVICES
            .iter()
            .flat_map(|service| [&[service.tag], &service.aliases[..]].concat())
            .collect();
        assert_eq!(tags.iter().collect::<BTreeSet<_>>().len(), tags.len());
        assert!(SERVICES.is_sorted_by_key(|service| service.tag));
        for service in SERVICES.iter() {
            assert!(
                service
                    .tag
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
            );
            for resold in &service.resells {
                assert!(
                    service_of(resold).is_some_and(|other| other.tag != service.tag),
                    "{resold}"
                );
            }
        }
        assert_eq!(
            service_of("ACME").map(|service| service.tag),
            Some("ACME_VPN")
        );
        assert_eq!(
            service_of("ACME_VPN").map(DemoService::resold_by),
            Some(vec!["BRAVO_PROXY", "CARGO_VPN"])
        );
    }
}
