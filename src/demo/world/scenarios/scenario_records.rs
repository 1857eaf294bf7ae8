//! The records of the stories, each written out.

use std::net::Ipv4Addr;

use serde_json::json;

use crate::demo::world::{
    Snapshot,
    place::place,
    record::{DemoClient, DemoConcentration, DemoRecord, DemoTunnel},
};

pub(super) fn changed_hands(scene: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    let ends = |hosts: &[u8]| {
        hosts
            .iter()
            .map(|host| Ipv4Addr::new(198, 51, 100, *host).into())
            .collect()
    };
    let now = scene.day >= scene.world.handover();
    let exits = DemoTunnel {
        entries: ends(&[70, 66, 71]),
        exits: ends(&[77, 64, 72, 73, 74, 75, 76, 78, 79, 80, 81, 82, 83, 84, 85]),
        ..DemoTunnel::of("VPN", Some("ACME_VPN"))
    };
    let before = DemoTunnel {
        entries: Vec::new(),
        ..DemoTunnel::of("PROXY", Some("BRAVO_PROXY"))
    };
    DemoRecord {
        infrastructure: Some("DATACENTER"),
        client: Some(DemoClient {
            behaviors: vec!["TOR_PROXY_USER"],
            concentration: Some(DemoConcentration::around(
                place("Kyiv"),
                place("Amsterdam"),
                420,
                4,
            )),
            count: Some(if now { 14 } else { 3 }),
            countries: Some(if now { 6 } else { 2 }),
            proxies: vec!["WIDGET_PROXY"],
            spread: Some(91_400),
            types: vec!["MOBILE", "DESKTOP"],
        }),
        risks: Some(if now {
            vec!["TUNNEL", "CALLBACK_PROXY"]
        } else {
            vec!["WEB_SCRAPING", "TUNNEL", "CALLBACK_PROXY"]
        }),
        services: Some(if now {
            vec!["OPENVPN", "IPSEC"]
        } else {
            vec!["OPENVPN"]
        }),
        tunnels: Some(vec![
            if now { exits } else { before },
            DemoTunnel::of("PROXY", None),
        ]),
        ..plain
    }
}

pub(super) fn crowded(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        client: Some(DemoClient {
            behaviors: vec!["FILE_SHARING", "ACME_VPN_USER"],
            concentration: Some(DemoConcentration::around(
                place("Berlin"),
                place("Berlin"),
                1000,
                6,
            )),
            count: Some(11),
            countries: Some(1),
            proxies: vec![
                "WIDGET_PROXY",
                "GADGET_PROXY",
                "BRAVO_PROXY",
                "DOODAD_PROXY",
                "TOGGLE_PROXY",
                "RATCHET_PROXY",
                "POTLUCK_PROXY",
                "GREMLIN_PROXY",
            ],
            spread: Some(4),
            types: vec!["DESKTOP", "MOBILE", "IOT"],
        }),
        risks: Some(vec!["CALLBACK_PROXY", "AD_FRAUD", "LOGIN_BRUTEFORCE"]),
        services: Some(Vec::new()),
        tunnels: Some(vec![DemoTunnel::of("VPN", Some("GIZMO_VPN"))]),
        ..plain
    }
}

pub(super) fn far_away(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        infrastructure: Some("MOBILE"),
        client: Some(DemoClient {
            concentration: Some(DemoConcentration {
                skew: 15_412,
                ..DemoConcentration::around(place("Sydney"), place("Madrid"), 655, 3)
            }),
            count: Some(1_873),
            countries: Some(2),
            proxies: vec!["DELTA_MOBILE_PROXY", "SEMAPHORE_MOBILE_PROXY"],
            spread: Some(1_204_118),
            types: vec!["MOBILE"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["GEO_MISMATCH", "CALLBACK_PROXY"]),
        ..plain
    }
}

pub(super) fn onion(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        infrastructure: Some("DATACENTER"),
        client: Some(DemoClient {
            behaviors: vec!["TOR_PROXY_USER"],
            count: Some(260),
            ..DemoClient::default()
        }),
        risks: Some(vec!["TUNNEL", "WEB_SCRAPING", "LOGIN_BRUTEFORCE"]),
        services: Some(vec!["TOR"]),
        tunnels: Some(vec![DemoTunnel::of("TOR", Some("TOR_PROXY"))]),
        ..plain
    }
}

pub(super) fn unattributed(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        client: Some(DemoClient {
            count: Some(2),
            types: vec!["DESKTOP"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["TUNNEL"]),
        services: Some(vec!["SOCKS5"]),
        tunnels: Some(vec![DemoTunnel::of("PROXY", None)]),
        ..plain
    }
}

pub(super) fn desktop(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    let open = |kind| DemoTunnel {
        anonymous: false,
        ..DemoTunnel::of(kind, None)
    };
    DemoRecord {
        infrastructure: Some("DATACENTER"),
        client: Some(DemoClient {
            count: Some(5),
            types: vec!["HEADLESS", "DESKTOP"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["TUNNEL"]),
        services: Some(vec!["RDP", "SSH", "WIREGUARD", "SOCKS5", "PPTP"]),
        tunnels: Some(vec![
            open("REMOTE_DESKTOP"),
            DemoTunnel::of("REMOTE_DESKTOP", Some("PERISCOPE_DESKTOP")),
            DemoTunnel::of("VPN", Some("WICKET_VPN")),
        ]),
        ..plain
    }
}

pub(super) fn relay(scene: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        infrastructure: Some("DATACENTER"),
        client: Some(DemoClient {
            concentration: Some(DemoConcentration::around(
                place("Amsterdam"),
                place("Amsterdam"),
                968,
                5,
            )),
            count: Some(scene.drifting(Ipv4Addr::new(198, 51, 100, 210), 4_200)),
            countries: Some(3),
            types: vec!["MOBILE", "DESKTOP"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["TUNNEL"]),
        services: Some(vec!["MASQUE"]),
        tunnels: Some(vec![DemoTunnel::of("PROXY", Some("NIMBUS_RELAY_PROXY"))]),
        ..plain
    }
}

pub(super) fn passengers(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        infrastructure: Some("IN_FLIGHT_WIFI"),
        client: Some(DemoClient {
            count: Some(88),
            countries: Some(9),
            types: vec!["MOBILE"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["GEO_MISMATCH"]),
        ..plain
    }
}

pub(super) fn agents(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        ai: Some(
            json!({"agents": [{"family": "invented-crawler", "share": 0.25}], "training": true, "score": null}),
        ),
        client: Some(DemoClient {
            count: Some(3),
            proxies: vec!["SPIGOT_PROXY"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["CALLBACK_PROXY", "WEB_SCRAPING"]),
        ..plain
    }
}

/// Escape sequences, a line break, a change of writing direction, invisible letters, a formula.
pub(super) fn hostile(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    let name = "=cmd|'/C calc'!A0 \u{1b}]0;owned\u{7}\u{1b}[31mred\u{1b}[2J \u{9b}5m \r\n\u{202e}gnp.exe\u{202c} zero\u{200b}width <b>&amp;</b> e\u{301}\u{301}\u{301}\u{301}";
    DemoRecord {
        organization: Some(name.to_owned()),
        client: Some(DemoClient {
            count: Some(1),
            types: vec!["DESK\u{1b}[7mTOP"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["WEB_SCRAPING", "\u{202e}LENNUT"]),
        services: Some(vec!["SSH", "A,B", "\"quoted\""]),
        ..plain
    }
}

pub(super) fn sparse(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        organization: None,
        client: Some(DemoClient {
            proxies: vec!["WHATSIT_PROXY"],
            ..DemoClient::default()
        }),
        ..plain
    }
}

pub(super) fn newcomer(_: &Snapshot<'_>, plain: DemoRecord) -> DemoRecord {
    DemoRecord {
        client: Some(DemoClient {
            count: Some(4),
            proxies: vec!["BRAVO_PROXY"],
            types: vec!["MOBILE"],
            ..DemoClient::default()
        }),
        risks: Some(vec!["CALLBACK_PROXY"]),
        ..plain
    }
}
