//! What each form is made of, beside the texts that its consumers were seen to take.

use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::investigation::{
    address_set::{AddressSet, read_written},
    blocklist::BLOCK_FORMS,
};

fn networks() -> Vec<IpNet> {
    let texts = [
        "192.0.2.0/25",
        "198.51.100.7/32",
        "2001:db8::/33",
        "2001:db8:7::1/128",
    ];
    texts.map(|text| text.parse().expect("a network")).to_vec()
}

fn written(form: &str, holds: bool, networks: &[IpNet]) -> String {
    let origin = ListOrigin {
        feed: Some("anonymous".to_owned()),
        release: Day::new(2026, 11, 29),
        filter: "type:VPN org=\"Zürich\"".to_owned(),
    };
    let until = "2026-12-02T00:00:00Z".parse().expect("an instant");
    let list = BlockList {
        form: BlockForm::named(form).expect("a form"),
        name: "vpn",
        origin: &origin,
        day: Day::new(2026, 11, 29).expect("a day"),
        holds: holds.then_some((259_200, until)),
        action: None,
        families: &Family::ALL,
        serial: None,
    };
    let mut text = String::new();
    let put = |part: &str| -> Result<(), ()> {
        text.push_str(part);
        Ok(())
    };
    list.write(networks.iter().copied(), put).expect("memory");
    text
}

#[test]
fn every_form_is_whole_lines_of_ascii_without_a_name_in_braces() {
    let mut all = String::new();
    for form in &BLOCK_FORMS {
        for holds in [false, true] {
            let text = written(form.name, holds, &networks());
            assert!(text.is_ascii() && text.ends_with('\n'), "{}", form.name);
            assert!(!text.contains('\r'), "{}", form.name);
            let list_of = |template: &str| {
                let origin = ListOrigin::default();
                let list = BlockList {
                    form,
                    name: "vpn",
                    origin: &origin,
                    day: Day::new(2026, 11, 29).expect("a day"),
                    holds: None,
                    action: None,
                    families: &Family::ALL,
                    serial: None,
                };
                list.command(template, "vpn.txt")
            };
            for template in [form.check, form.apply] {
                assert!(!list_of(template).contains("{file}"), "{template}");
            }
            for line in text.lines() {
                let word = line
                    .split_once('{')
                    .and_then(|(_, after)| after.split_once('}'));
                let is_name = |(word, _): (&str, &str)| {
                    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())
                };
                assert!(!word.is_some_and(is_name), "{line}");
            }
            if !holds || form.expires() {
                all += &format!("== {} {}\n{text}", form.name, if holds { "3d" } else { "" });
            }
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_family_without_entries_empties_its_set() {
    let v4: Vec<IpNet> = networks().into_iter().take(1).collect();
    let text = written("nft", false, &v4);
    assert!(text.contains("flush set inet ipspect vpn6\n"), "{text}");
    assert!(!text.contains("add element inet ipspect vpn6"), "{text}");
    assert!(!written("nft", false, &[]).contains("add element"));
}

#[test]
fn no_length_is_zero() {
    let all = ["0.0.0.0/0", "::/0"].map(|text| text.parse().expect("a network"));
    let text = written("edl", false, &all);
    assert_eq!(text, "0.0.0.0/1\n128.0.0.0/1\n::/1\n8000::/1\n");
}

#[test]
fn many_entries_are_lines_of_a_thousand() {
    let many: Vec<IpNet> = (0..2500_u32)
        .map(|number| {
            IpNet::from(std::net::IpAddr::from(
                (0xc612_0000 + 2 * number).to_be_bytes(),
            ))
        })
        .collect();
    let text = written("nft", true, &many);
    let lines: Vec<usize> = text
        .lines()
        .filter(|line| line.starts_with("add element"))
        .map(|line| line.matches(" timeout 259200s").count())
        .collect();
    assert_eq!(lines, [1000, 1000, 500]);
}

#[test]
fn triggers_of_zones_have_their_longest_zeros_as_zz() {
    for (network, expected) in [
        ("192.0.2.0/25", "25.0.2.0.192.rpz-ip"),
        ("198.51.100.7/32", "32.7.100.51.198.rpz-ip"),
        ("2001:db8::/33", "33.zz.db8.2001.rpz-ip"),
        ("2001:db8:7::1/128", "128.1.zz.7.db8.2001.rpz-ip"),
        (
            "2001:db8:0:1:0:1:0:1/128",
            "128.1.0.1.0.1.0.db8.2001.rpz-ip",
        ),
        ("2001:db8:0:0:1:0:0:1/128", "128.1.0.0.1.zz.db8.2001.rpz-ip"),
        (
            "2001:db8:1:2:3:4:5:6/128",
            "128.6.5.4.3.2.1.db8.2001.rpz-ip",
        ),
        ("::/32", "32.zz.rpz-ip"),
    ] {
        assert_eq!(rpz(network.parse().expect("a network")), expected);
    }
}

#[test]
fn what_is_written_in_any_form_is_read_back() {
    let mut dice = fastrand::Rng::with_seed(11);
    for round in 0..60 {
        let network = |_| {
            let (address, length): (IpAddr, u8) = if dice.bool() {
                (
                    Ipv4Addr::from_bits(0xc633_6400 + dice.u32(..256)).into(),
                    dice.u8(24..=32),
                )
            } else {
                let low = dice.u128(..16) << dice.choice([0, 64, 80]).unwrap_or(0);
                (
                    Ipv6Addr::from_bits((0x2001_0db8 << 96) + low).into(),
                    dice.u8(33..=128),
                )
            };
            IpNet::new(address, length).expect("a length").trunc()
        };
        let set = AddressSet::of((0..40).map(network));
        for form in &BLOCK_FORMS {
            let own = if form.of_addresses {
                set.of_family(Family::V4)
            } else {
                set.clone()
            };
            let entries: Vec<IpNet> = form.entries(own.networks()).collect();
            assert_eq!(form.count(own.networks()), Ok(entries.len()));
            let text = written(form.name, round % 2 == 0, &entries);
            let read = read_written(text.as_bytes(), form.name).expect("entries");
            assert_eq!((read.set, read.unread), (own, 0), "{round} {}", form.name);
        }
    }
    let ecs = BlockForm::named("ecs").expect("a form");
    let network = "2001:db8::/64".parse().expect("a network");
    assert_eq!(ecs.count([network].into_iter()), Err(1 << 64));
}

#[test]
fn json_is_json() {
    for form in ["stix", "misp"] {
        for networks in [networks(), Vec::new()] {
            let text = written(form, true, &networks);
            let whole: serde_json::Value = serde_json::from_str(&text).expect(&text);
            let objects = [&whole["objects"], &whole["Event"]["Attribute"]];
            let number = objects
                .iter()
                .find_map(|objects| objects.as_array())
                .map(Vec::len);
            assert_eq!(number, Some(networks.len()));
        }
    }
}

#[test]
fn networks_are_spelled_as_anybody_spells_them() {
    let mut dice = fastrand::Rng::with_seed(4);
    for _ in 0..20_000 {
        let (address, most): (IpAddr, u8) = if dice.bool() {
            (
                Ipv4Addr::from_bits(dice.u32(..) >> dice.u8(..32)).into(),
                32,
            )
        } else {
            (
                Ipv6Addr::from_bits(dice.u128(..) >> dice.u8(..127)).into(),
                128,
            )
        };
        let network = IpNet::new(address, dice.u8(..=most))
            .expect("a length")
            .trunc();
        let mut text = String::new();
        push_network(network, &mut text);
        let usual = if network.prefix_len() == most {
            network.addr().to_string()
        } else {
            network.to_string()
        };
        assert_eq!(text, usual);
    }
}
