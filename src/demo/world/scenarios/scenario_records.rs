//! The records of the stories, each written out.

use std::net::Ipv4Addr;

use serde_json::json;

use crate::demo::world::{
    Snapshot,
    place::place,
    record::{Client, Concentration, Record, Tunnel},
};

pub(super) fn changed_hands(scene: &Snapshot<'_>, plain: Record) -> Record {
    let ends = |hosts: &[u8]| {
        hosts
            .iter()
            .map(|host| Ipv4Addr::new(198, 51, 100, *host).into())
            .collect()
    };
    let now = scene.day >= scene.world.handover();
    let exits = Tunnel {
        entries: ends(&[70, 66, 71]),
        exits: ends(&[77, 64, 72, 73, 74, 75, 76, 78, 79, 80, 81, 82, 83, 84, 85]),
        ..Tunnel::of("VPN", Some("ACME_VPN"))
    };
    let before = Tunnel {
        entries: Vec::new(),
        ..Tunnel::of("PROXY", Some("BRAVO_PROXY"))
    };
    Record {
        infrastructure: Some("DATACENTER"),
        client: Some(Client {
            behaviors: vec!["TOR_PROXY_USER"],
            concentration: Some(Concentration::around(
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
            Tunnel::of("PROXY", None),
        ]),
        ..plain
    }
}

pub(super) fn crowded(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        client: Some(Client {
            behaviors: vec!["FILE_SHARING", "ACME_VPN_USER"],
            concentration: Some(Concentration::around(
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
        tunnels: Some(vec![Tunnel::of("VPN", Some("GIZMO_VPN"))]),
        ..plain
    }
}

pub(super) fn far_away(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        infrastructure: Some("MOBILE"),
        client: Some(Client {
            concentration: Some(Concentration {
                skew: 15_412,
                ..Concentration::around(place("Sydney"), place("Madrid"), 655, 3)
            }),
            count: Some(1_873),
            countries: Some(2),
            proxies: vec!["DELTA_MOBILE_PROXY", "SEMAPHORE_MOBILE_PROXY"],
            spread: Some(1_204_118),
            types: vec!["MOBILE"],
            ..Client::default()
        }),
        risks: Some(vec!["GEO_MISMATCH", "CALLBACK_PROXY"]),
        ..plain
    }
}

pub(super) fn onion(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        infrastructure: Some("DATACENTER"),
        client: Some(Client {
            behaviors: vec!["TOR_PROXY_USER"],
            count: Some(260),
            ..Client::default()
        }),
        risks: Some(vec!["TUNNEL", "WEB_SCRAPING", "LOGIN_BRUTEFORCE"]),
        services: Some(vec!["TOR"]),
        tunnels: Some(vec![Tunnel::of("TOR", Some("TOR_PROXY"))]),
        ..plain
    }
}

pub(super) fn unattributed(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        client: Some(Client {
            count: Some(2),
            types: vec!["DESKTOP"],
            ..Client::default()
        }),
        risks: Some(vec!["TUNNEL"]),
        services: Some(vec!["SOCKS5"]),
        tunnels: Some(vec![Tunnel::of("PROXY", None)]),
        ..plain
    }
}

pub(super) fn desktop(_: &Snapshot<'_>, plain: Record) -> Record {
    let open = |kind| Tunnel {
        anonymous: false,
        ..Tunnel::of(kind, None)
    };
    Record {
        infrastructure: Some("DATACENTER"),
        client: Some(Client {
            count: Some(5),
            types: vec!["HEADLESS", "DESKTOP"],
            ..Client::default()
        }),
        risks: Some(vec!["TUNNEL"]),
        services: Some(vec!["RDP", "SSH", "WIREGUARD", "SOCKS5", "PPTP"]),
        tunnels: Some(vec![
            open("REMOTE_DESKTOP"),
            Tunnel::of("REMOTE_DESKTOP", Some("PERISCOPE_DESKTOP")),
            Tunnel::of("VPN", Some("WICKET_VPN")),
        ]),
        ..plain
    }
}

pub(super) fn relay(scene: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        infrastructure: Some("DATACENTER"),
        client: Some(Client {
            concentration: Some(Concentration::around(
                place("Amsterdam"),
                place("Amsterdam"),
                968,
                5,
            )),
            count: Some(scene.drifting(Ipv4Addr::new(198, 51, 100, 210), 4_200)),
            countries: Some(3),
            types: vec!["MOBILE", "DESKTOP"],
            ..Client::default()
        }),
        risks: Some(vec!["TUNNEL"]),
        services: Some(vec!["MASQUE"]),
        tunnels: Some(vec![Tunnel::of("PROXY", Some("NIMBUS_RELAY_PROXY"))]),
        ..plain
    }
}

pub(super) fn passengers(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        infrastructure: Some("IN_FLIGHT_WIFI"),
        client: Some(Client {
            count: Some(88),
            countries: Some(9),
            types: vec!["MOBILE"],
            ..Client::default()
        }),
        risks: Some(vec!["GEO_MISMATCH"]),
        ..plain
    }
}

pub(super) fn agents(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        ai: Some(
            json!({"agents": [{"family": "invented-crawler", "share": 0.25}], "training": true, "score": null}),
        ),
        client: Some(Client {
            count: Some(3),
            proxies: vec!["SPIGOT_PROXY"],
            ..Client::default()
        }),
        risks: Some(vec!["CALLBACK_PROXY", "WEB_SCRAPING"]),
        ..plain
    }
}

/// Escape sequences, a line break, a change of writing direction, invisible letters, a formula.
pub(super) fn hostile(_: &Snapshot<'_>, plain: Record) -> Record {
    let name = "=cmd|'/C calc'!A0 \u{1b}]0;owned\u{7}\u{1b}[31mred\u{1b}[2J \u{9b}5m \r\n\u{202e}gnp.exe\u{202c} zero\u{200b}width <b>&amp;</b> e\u{301}\u{301}\u{301}\u{301}";
    Record {
        organization: Some(name.to_owned()),
        client: Some(Client {
            count: Some(1),
            types: vec!["DESK\u{1b}[7mTOP"],
            ..Client::default()
        }),
        risks: Some(vec!["WEB_SCRAPING", "\u{202e}LENNUT"]),
        services: Some(vec!["SSH", "A,B", "\"quoted\""]),
        ..plain
    }
}

pub(super) fn sparse(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        organization: None,
        client: Some(Client {
            proxies: vec!["WHATSIT_PROXY"],
            ..Client::default()
        }),
        ..plain
    }
}

pub(super) fn newcomer(_: &Snapshot<'_>, plain: Record) -> Record {
    Record {
        client: Some(Client {
            count: Some(4),
            proxies: vec!["BRAVO_PROXY"],
            types: vec!["MOBILE"],
            ..Client::default()
        }),
        risks: Some(vec!["CALLBACK_PROXY"]),
        ..plain
    }
}
