//! Sets beside the same sets as bits, one for each address.

use fastrand::Rng;

use super::*;

/// So many addresses behind the first one of a corner of a family.
const WITHIN: usize = 256;
/// The ends of the families are corners, too.
const CORNERS: [&str; 5] = [
    "198.51.100.0",
    "0.0.0.0",
    "255.255.255.0",
    "2001:db8::ff00",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ff00",
];

type Bits = [bool; WITHIN];

fn corner(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

fn network(corner: IpAddr, first: usize, length: u8) -> IpNet {
    let host = u8::try_from(first).expect("within");
    match corner {
        IpAddr::V4(corner) => {
            let first = Ipv4Addr::from_bits(corner.to_bits() | u32::from(host));
            Ipv4Net::new(first, 24 + length)
                .expect("a length")
                .trunc()
                .into()
        }
        IpAddr::V6(corner) => {
            let first = Ipv6Addr::from_bits(corner.to_bits() | u128::from(host));
            Ipv6Net::new(first, 120 + length)
                .expect("a length")
                .trunc()
                .into()
        }
    }
}

/// The addresses of a network that is within a corner.
fn fill(bits: &mut Bits, network: &IpNet) {
    let first = match network.network() {
        IpAddr::V4(first) => first.octets()[3],
        IpAddr::V6(first) => first.octets()[15],
    };
    let length = 1 << (network.max_prefix_len() - network.prefix_len());
    bits[usize::from(first)..][..length].fill(true);
}

/// Networks at random, and the addresses that they cover.
fn random(rng: &mut Rng, corner: IpAddr) -> (Vec<IpNet>, Bits) {
    let (mut networks, mut bits) = (Vec::new(), [false; WITHIN]);
    for _ in 0..rng.usize(..40) {
        let length = [8, 8, 7, 6, 5, 3, 0][rng.usize(..7)];
        let network = network(corner, rng.usize(..WITHIN), length);
        fill(&mut bits, &network);
        networks.push(network);
    }
    (networks, bits)
}

fn bits(set: &AddressSet) -> Bits {
    let mut bits = [false; WITHIN];
    set.networks().for_each(|network| fill(&mut bits, &network));
    bits
}

/// The fewest networks of addresses: one where all of a half are there, else those of its halves.
fn fewest(bits: &[bool]) -> usize {
    if bits.iter().all(|bit| *bit) {
        return 1;
    }
    if bits.iter().all(|bit| !bit) {
        return 0;
    }
    let (left, right) = bits.split_at(bits.len() / 2);
    fewest(left) + fewest(right)
}

#[test]
fn ten_thousand_sets_are_what_their_bits_say() {
    for seed in 0..10_000 {
        let mut rng = Rng::with_seed(seed);
        let corner = corner(CORNERS[rng.usize(..CORNERS.len())]);
        let [(a, of_a), (b, of_b)] = [(); 2].map(|()| random(&mut rng, corner));
        let [a, b] = [a, b].map(AddressSet::of);
        assert_eq!(bits(&a), of_a, "{seed}");
        let host = rng.usize(..WITHIN);
        let is_in = a.contains(network(corner, host, 8).addr());
        assert_eq!(is_in, of_a[host], "{seed} {host}");
        let number = of_a.iter().filter(|bit| **bit).count() as u128;
        assert_eq!((a.addresses(), a.len()), (number, fewest(&of_a)), "{seed}");
        assert_eq!(AddressSet::of(a.networks()), a, "{seed}");
        for (operation, wanted) in [
            (
                SetOperation::Union,
                (|a, b| a || b) as fn(bool, bool) -> bool,
            ),
            (SetOperation::Intersect, |a, b| a && b),
            (SetOperation::Subtract, |a, b| a && !b),
        ] {
            let both = a.combined(&b, operation);
            let expected: Bits = std::array::from_fn(|host| wanted(of_a[host], of_b[host]));
            assert_eq!(bits(&both), expected, "{seed} {operation:?}");
            assert_eq!(
                AddressSet::of(both.networks()),
                both,
                "{seed} {operation:?}"
            );
        }
    }
}

#[test]
fn all_addresses_are_one_network_of_each_family() {
    let all = ["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1", "::/0"];
    let all = AddressSet::of(all.map(|text| text.parse().expect("a network")));
    let networks: Vec<String> = all.networks().map(|network| network.to_string()).collect();
    assert_eq!(networks, ["0.0.0.0/0", "::/0"]);
    assert_eq!(all.addresses(), u128::MAX);
    let one = AddressSet::of(["198.51.100.7/32".parse().expect("a network")]);
    let rest = all.combined(&one, SetOperation::Subtract);
    assert_eq!(rest.of_family(Family::V4).len(), 32);
    assert_eq!(rest.of_family(Family::V4).addresses(), (1 << 32) - 1);
    assert_eq!(rest.combined(&one, SetOperation::Union), all);
}

#[test]
fn mapped_addresses_are_ipv4() {
    for (text, expected) in [
        ("::ffff:198.51.100.0/120", "198.51.100.0/24"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
        ("::fffe:0:0/95", "::fffe:0:0/95"),
        ("2001:db8::/32", "2001:db8::/32"),
    ] {
        let network = unmapped(text.parse().expect("a network"));
        assert_eq!(network.to_string(), expected);
    }
    let set = AddressSet::of(["::ffff:198.51.100.7/128".parse().expect("a network")]);
    let address = "::ffff:198.51.100.7".parse().expect("an address");
    assert!(set.contains(address) && set.contains(corner("198.51.100.7")));
}
