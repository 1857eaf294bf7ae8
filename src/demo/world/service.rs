//! The services that hide people: invented operators of VPNs and proxies, and what is known of each.

/// What a service sells, which decides where its exits are and how their records look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trade {
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

impl Trade {
    /// Whether exits stand in datacenters, which puts them into the Anonymous feed (contract, part 4.2 rule 1).
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

/// A service of the world.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) tag: &'static str,
    pub(crate) name: &'static str,
    pub(crate) trade: Trade,
    pub(crate) description: &'static str,
    /// Other tags of the same service, each answering for itself with `aliasOf`.
    pub(crate) aliases: &'static [&'static str],
    /// Services whose exits it sells as its own.
    pub(crate) resells: &'static [&'static str],
    /// Out of business: it has metadata and no exits.
    pub(crate) inactive: bool,
}

impl Service {
    const fn new(
        tag: &'static str,
        trade: Trade,
        name: &'static str,
        description: &'static str,
    ) -> Self {
        Self {
            tag,
            name,
            trade,
            description,
            aliases: &[],
            resells: &[],
            inactive: false,
        }
    }

    const fn alias(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    const fn reselling(mut self, resells: &'static [&'static str]) -> Self {
        self.resells = resells;
        self
    }

    const fn closed(mut self) -> Self {
        self.inactive = true;
        self
    }

    /// The tags of services that resell this one.
    pub(crate) fn resold_by(&self) -> Vec<&'static str> {
        let resellers = SERVICES
            .iter()
            .filter(|other| other.resells.contains(&self.tag));
        resellers.map(|reseller| reseller.tag).collect()
    }
}

/// The service that has this tag, as its own or as an alias.
pub(crate) fn service_of(tag: &str) -> Option<&'static Service> {
    SERVICES
        .iter()
        .find(|service| service.tag == tag || service.aliases.contains(&tag))
}

/// The services in business with exits where `wanted` says.
pub(crate) fn services_of(wanted: fn(Trade) -> bool) -> Vec<&'static Service> {
    let trading = SERVICES.iter().filter(|service| !service.inactive);
    trading.filter(|service| wanted(service.trade)).collect()
}

use Trade::{
    Blockchain, Datacenter, Desktop, Enterprise, Isp, Malware, Mobile, Peers, Relay, Residential,
    Tor, Vpn,
};

/// All services, in the order of the service-metrics feed.
pub(crate) static SERVICES: [Service; 48] = [
    Service::new("3RIVERS_PROXY", Datacenter, "3Rivers Proxies", "Shared and private datacenter proxies, sold by the port."),
    Service::new("ACME_VPN", Vpn, "Acme Virtual Private Network", "Consumer VPN with apps for six platforms, a router image and a white-label programme for small brands.")
        .alias(&["ACME", "ACME_EXPRESS"]),
    Service::new("ARMADILLO_VPN", Vpn, "Armadillo Tunnel", "A VPN for people who roll up into a ball."),
    Service::new("BAUBLE_PROXY", Residential, "Bauble", "Residential addresses by the gigabyte."),
    Service::new("BOBBIN_ISP_PROXY", Isp, "Bobbin Static ISP", "Static addresses registered to access providers."),
    Service::new("BRAVO_PROXY", Residential, "Bravo Proxy Network", "Residential network behind a browser extension & an SDK for free games.")
        .reselling(&["ACME_VPN", "WIDGET_PROXY"]),
    Service::new("CARGO_VPN", Vpn, "Cargo VPN", "Ships packets in containers.").reselling(&["ACME_VPN"]),
    Service::new("CARRIER_PIGEON_MOBILE_PROXY", Mobile, "Carrier Pigeon", "Phones that carry other people's messages."),
    Service::new("COGWHEEL_PROXY", Datacenter, "Cogwheel", "Rotating datacenter proxies."),
    Service::new("DELTA_MOBILE_PROXY", Mobile, "Delta Mobile Proxies", "4G and 5G proxies in sixty countries.")
        .alias(&["DELTA_4G_PROXY"]),
    Service::new("DOODAD_PROXY", Residential, "Doodad", "Addresses of doodads and of what they are plugged into.").reselling(&["GADGET_PROXY"]),
    Service::new("DOOHICKEY_PROXY", Residential, "Doohickey", ""),
    Service::new("ECHO_VPN", Vpn, "Echo VPN", "Closed; its servers went back to the landlord.").closed(),
    Service::new("FLANGE_PROXY", Datacenter, "Flange", "Proxies with a flange at either end."),
    Service::new("FLUMMERY_VPN", Vpn, "Flummery", "“No logs”, says the home page, three times."),
    Service::new("GADGET_PROXY", Residential, "Gadget Exchange", "Pays people for the idle bandwidth of their gadgets."),
    Service::new("GIZMO_VPN", Vpn, "Gizmo VPN", "Free with advertisements."),
    Service::new("GREMLIN_PROXY", Malware, "Gremlin", "Routers that nobody has updated since they were unpacked."),
    Service::new("GROMMET_PROXY", Datacenter, "Grommet", "Proxies for price comparison.").alias(&["GROMMET_DC"]),
    Service::new("GUBBINS_PROXY", Residential, "Gubbins", "Résidentiel et mobile, à la carte — prépayé en ¥ ou en €."),
    Service::new("HOLLYHOCK_VPN", Vpn, "Hollyhock", "VPN for travellers."),
    Service::new("INKBLOT_VPN", Vpn, "Inkblot", "Obfuscated protocols."),
    Service::new("KUMQUAT_VPN", Vpn, "Kumquat VPN 金柑", "小さくて速い VPN。ログは残しません。").reselling(&["CARGO_VPN", "HOLLYHOCK_VPN"]),
    Service::new("LARKSPUR_VPN", Vpn, "Larkspur", "Multi-hop by default."),
    Service::new("MARZIPAN_VPN", Vpn, "Marzipan", "Sweet and solid."),
    Service::new("NIMBUS_RELAY_PROXY", Relay, "Nimbus Private Relay", "Built into a browser: two hops, the country stays."),
    Service::new("NUTHATCH_VPN", Vpn, "Nuthatch", "Runs down trees head first."),
    Service::new("OXBOW_VPN", Vpn, "Oxbow", "The long way round.").closed(),
    Service::new("PERISCOPE_DESKTOP", Desktop, "Periscope Desktops", "Rented desktops in a browser tab."),
    Service::new("PICKET_ISP_PROXY", Isp, "Picket", "ISP proxies for sneakers.").reselling(&["BOBBIN_ISP_PROXY"]),
    Service::new("PIGGYCOIN_PROXY", Blockchain, "PiggyCoin", "Rewards relaying with a coin of its own."),
    Service::new("PLACEHOLDER_VPN", Vpn, "Placeholder VPN", "Lorem ipsum dolor sit amet."),
    Service::new("POTLUCK_PROXY", Peers, "Potluck", "Everyone brings an address."),
    Service::new("RATCHET_PROXY", Residential, "Ratchet", "Only ever adds devices.").reselling(&["BAUBLE_PROXY", "GADGET_PROXY"]),
    Service::new("SEMAPHORE_MOBILE_PROXY", Mobile, "Semaphore", "Mobile proxies with a change of address on request."),
    Service::new("SPIGOT_PROXY", Residential, "Spigot", "Bandwidth on tap."),
    Service::new("SPROCKET_PROXY", Datacenter, "Sprocket", "Datacenter proxies for testing."),
    Service::new("THIMBLE_PROXY", Residential, "Thimble", "Small plans.").closed(),
    Service::new("THINGAMAJIG_PROXY", Residential, "Thingamajig", "Things on the internet of them."),
    Service::new("TOGGLE_PROXY", Residential, "Toggle", "Sticky or rotating.").reselling(&["BRAVO_PROXY"]),
    Service::new("TOR_PROXY", Tor, "Onion routers", "Exits of the onion routers."),
    Service::new("TRELLIS_ISP_PROXY", Isp, "Trellis", "Static addresses that climb."),
    Service::new("TRINKET_PROXY", Residential, "Trinket", "Sold in small lots."),
    Service::new("UMLAUT_VPN", Vpn, "Ümläut VPN", "Spaßfreie Verschlüsselung für Ämter & Behörden."),
    Service::new("WAYPOINT_VPN", Vpn, "Waypoint", "Splits the tunnel by application."),
    Service::new("WHATSIT_PROXY", Residential, "Whatsit", "Nobody knows what it is."),
    Service::new("WICKET_VPN", Enterprise, "Wicket Access", "Zero-trust access for employees."),
    Service::new("WIDGET_PROXY", Residential, "Widget Proxy", "Residential proxies from widgets in free applications.")
        .alias(&["WIDGET", "WIDGET_SDK_PROXY"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tags_are_unique_and_relations_lead_somewhere() {
        let tags: Vec<&str> = SERVICES
            .iter()
            .flat_map(|service| [&[service.tag], service.aliases].concat())
            .collect();
        assert_eq!(tags.iter().collect::<BTreeSet<_>>().len(), tags.len());
        assert!(SERVICES.is_sorted_by_key(|service| service.tag));
        for service in &SERVICES {
            assert!(
                service
                    .tag
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
            );
            for resold in service.resells {
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
            service_of("ACME_VPN").map(Service::resold_by),
            Some(vec!["BRAVO_PROXY", "CARGO_VPN"])
        );
    }
}
