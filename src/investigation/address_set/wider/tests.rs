//! The fewest networks against all lists that there are, and the price against the fewest.

use ipnet::IpNet;

use super::*;

/// Eight addresses, as bits.
type Bits = u8;

/// All lists of disjoint networks within eight addresses, as their bits: taken, left out, or both halves each.
fn lists(first: u8, length: u8) -> Vec<Vec<Bits>> {
    let addresses = 8 >> length;
    let own = (Bits::MAX >> (8 - addresses)) << first;
    let mut all = vec![Vec::new(), vec![own]];
    if length < 3 {
        let upper = lists(first + addresses / 2, length + 1);
        for lower in lists(first, length + 1) {
            for upper in &upper {
                let both = [lower.clone(), upper.clone()].concat();
                if !both.is_empty() {
                    all.push(both);
                }
            }
        }
    }
    all
}

fn set_of(bits: Bits) -> AddressSet {
    let one = |at: u8| IpNet::from(std::net::IpAddr::from([198, 51, 100, at]));
    AddressSet::of((0..8).filter(|at| bits >> at & 1 == 1).map(one))
}

fn bits_of(set: &AddressSet) -> Bits {
    let has = |at: &u8| set.contains([198, 51, 100, *at].into());
    (0..8).filter(has).fold(0, |bits, at| bits | 1 << at)
}

fn widening(percent: u8, barred: Bits, shortest: u8) -> Widening {
    Widening {
        percent,
        barred: set_of(barred),
        shortest: [(Family::V4, shortest), (Family::V6, 0)],
    }
}

#[test]
fn no_list_of_eight_addresses_is_shorter() {
    let lists = lists(0, 0);
    for bits in 1..=Bits::MAX {
        for (percent, barred, shortest) in [
            (0, 0, 0),
            (25, 0, 0),
            (50, 1, 0),
            (100, 0x41, 0),
            (200, 0, 30),
        ] {
            let barred = barred & !bits;
            let most = bits.count_ones() * u32::from(percent) / 100;
            let is_allowed = |list: &&Vec<Bits>| {
                let all = list.iter().fold(0, |all, own| all | own);
                let widest = list
                    .iter()
                    .filter(|own| **own & !bits != 0)
                    .map(|own| own.count_ones());
                all & bits == bits
                    && (all & !bits).count_ones() <= most
                    && all & !bits & barred == 0
                    && widest.max().unwrap_or(0) <= 1 << (32 - shortest.max(29))
            };
            let allowed = lists.iter().filter(is_allowed);
            let best = allowed.map(|list| {
                let all = list.iter().fold(0, |all: Bits, own| all | own);
                (list.len(), (all & !bits).count_ones())
            });
            let best = best.min().expect("the set itself");
            let set = set_of(bits);
            let widened = set.widened(&widening(percent, barred, shortest));
            let all = bits_of(&widened.set);
            let found = (widened.set.len(), (all & !bits).count_ones());
            // Two networks of the shortest length may be one.
            let is_joined = shortest > 0 && found.0 < best.0 && found.1 == best.1;
            assert!(
                found == best || is_joined,
                "{bits:08b} {percent} {barred:08b} {shortest}"
            );
            assert_eq!(bits_of(&widened.beyond), all & !bits);
            assert!(widened.is_smallest);
        }
    }
}

#[test]
fn a_price_keeps_what_is_allowed_and_is_nearly_as_short() {
    let mut dice = fastrand::Rng::with_seed(38);
    for round in 0..200 {
        let number = dice.usize(2..300);
        let networks: Vec<IpNet> = (0..number)
            .map(|_| {
                let length = dice.u8(22..=32);
                let address = u32::from_be_bytes([198, 18, dice.u8(..), dice.u8(..)]);
                IpNet::new(std::net::Ipv4Addr::from_bits(address).into(), length)
                    .expect("a length")
                    .trunc()
            })
            .collect();
        let set = AddressSet::of(networks);
        if set.len() < 2 {
            continue;
        }
        let mut tree = Tree {
            nodes: Vec::new(),
            barred: &[],
            shortest: 0,
        };
        tree.grow(&set.v4);
        let most = set.addresses() / 5;
        let as_set = |blocks: Blocks<u32>| AddressSet {
            v4: blocks,
            v6: Vec::new(),
        };
        let (fewest, priced) = (as_set(tree.fewest(most)), as_set(tree.at_a_price(most)));
        for list in [&fewest, &priced] {
            let beyond = list.combined(&set, SetOperation::Subtract).addresses();
            assert!(beyond <= most, "{round}: {beyond} of {most}");
            assert!(
                set.combined(list, SetOperation::Subtract).is_empty(),
                "{round}"
            );
        }
        assert!(fewest.len() <= priced.len(), "{round}");
        assert!(priced.len() <= set.len(), "{round}");
    }
}

#[test]
fn families_are_apart_and_the_largest_numbers_do_not_wrap() {
    let networks = [
        "198.51.100.0",
        "198.51.100.2",
        "::/1",
        "8000::/2",
        "c000::/3",
    ];
    let set = AddressSet::of(networks.iter().map(|text| {
        let address = text.parse::<std::net::IpAddr>().map(IpNet::from);
        address.unwrap_or_else(|_| text.parse().expect("a network"))
    }));
    let widened = set.widened(&widening(99, 0, 0));
    let names: Vec<String> = widened
        .set
        .networks()
        .map(|network| network.to_string())
        .collect();
    assert_eq!(names, ["198.51.100.0/32", "198.51.100.2/32", "::/0"]);
    let widened = set.widened(&widening(100, 0, 0));
    assert_eq!(
        widened
            .set
            .networks()
            .next()
            .map(|network| network.to_string())
            .as_deref(),
        Some("198.51.100.0/30")
    );
}
