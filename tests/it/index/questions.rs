//! Questions as they are drawn, from the words of the records and a few that no record has.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use ipspect::{
    model::Keyword,
    store::{
        Filter,
        filter::{NumberComparison, Term, Test},
    },
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    feeds::{GENERATED, generated},
    lines,
};

/// A filter of up to four terms.
pub(crate) fn filter() -> impl Strategy<Value = Filter> {
    let term = (any::<bool>(), test()).prop_map(|(negated, test)| Term { negated, test });
    vec(term, 0..=4).prop_map(|terms| Filter { terms })
}

fn test() -> impl Strategy<Value = Test> {
    let is = select(Keyword::ALL.to_vec())
        .prop_flat_map(|field| (Just(field), vec(word(field), 1..4)))
        .prop_map(|(field, words)| Test::Is(field, words));
    let part = select(vec![
        "carrier",
        "EXAMPLE",
        "Straße",
        "é",
        "é",
        "e",
        " ",
        "of Ex",
        "&",
        "none such",
        "GmbH",
        "Net",
        "o'n",
        "\\N",
        "\\",
        "\t",
        "\u{0}",
    ]);
    let contains = vec(part.prop_map(str::to_owned), 1..3)
        .prop_map(|parts| Test::Contains(Keyword::Org, parts));
    let compare = select(vec![
        NumberComparison::Less,
        NumberComparison::AtMost,
        NumberComparison::Equal,
        NumberComparison::AtLeast,
        NumberComparison::More,
    ]);
    let number = prop_oneof![4 => 0..20_u64, 1 => select(vec![u64::MAX, u64::MAX - 1, 1 << 53, 4_294_967_295])];
    prop_oneof![
        8 => is,
        2 => contains,
        3 => (compare, number).prop_map(|(compare, number)| Test::Clients(compare, number)),
        3 => vec(network(), 1..4).prop_map(Test::Within),
        1 => any::<bool>().prop_map(Test::Attributed),
    ]
}

/// A word that a filter of a field may ask for.
fn word(field: Keyword) -> impl Strategy<Value = String> {
    let words: &[&str] = match field {
        Keyword::Tag | Keyword::Proxy => lines::TAGS,
        Keyword::Type => lines::KINDS,
        Keyword::Cc => lines::COUNTRIES,
        Keyword::Infra => lines::INFRASTRUCTURES,
        Keyword::Risk => lines::RISKS,
        Keyword::Service => lines::SERVICES,
        Keyword::Behavior => lines::BEHAVIORS,
        Keyword::Device => lines::DEVICES,
        Keyword::Asn => &["64500", "64501", "14", "0", "4294967295", "4200000000"],
        Keyword::Entry => &["198.51.100.70", "198.51.100.7", "2001:db8::1", "x", "::"],
        Keyword::Org => lines::FIRMS,
    };
    prop_oneof![
        9 => select(words.to_vec()).prop_map(str::to_owned),
        2 => select(words.to_vec()).prop_map(str::to_ascii_lowercase),
        1 => select(vec!["NONE_SUCH", "x", "", "tag", "A\0B", "N\u{fffd}"]).prop_map(str::to_owned),
    ]
}

/// A network or an address, mostly one that records are about or near.
pub(crate) fn network() -> impl Strategy<Value = IpNet> {
    let words: Vec<IpNet> = lines::NETWORKS
        .iter()
        .map(|text| text.parse().expect(text))
        .chain(lines::ADDRESSES.iter().map(|text| {
            let address: IpAddr = text.parse().expect(text);
            IpNet::from(address.to_canonical())
        }))
        .collect();
    let near = select(words.clone()).prop_flat_map(|network: IpNet| {
        let shortest = network.prefix_len();
        (
            Just(network),
            shortest..=network.max_prefix_len(),
            any::<u128>(),
        )
            .prop_map(|(network, length, bits)| within(network, length, bits))
    });
    let other = (0..2 * GENERATED, any::<bool>()).prop_map(|(number, addresses)| {
        let [of_addresses, of_networks] = generated();
        if addresses {
            IpNet::from(IpAddr::from(of_addresses.address(number)))
        } else {
            IpNet::from(of_networks.network(number))
        }
    });
    prop_oneof![4 => select(words), 4 => near, 1 => other]
}

/// A network of that length within another, by these bits.
fn within(network: IpNet, length: u8, bits: u128) -> IpNet {
    match network {
        IpNet::V4(network) => {
            let free = u32::MAX
                .checked_shr(u32::from(network.prefix_len()))
                .unwrap_or(0);
            let bits = u32::from(network.network()) | ((bits >> 96) as u32 & free);
            Ipv4Net::new(bits.into(), length)
                .expect("a length")
                .trunc()
                .into()
        }
        IpNet::V6(network) => {
            let free = u128::MAX
                .checked_shr(u32::from(network.prefix_len()))
                .unwrap_or(0);
            let bits = u128::from(network.network()) | (bits & free);
            Ipv6Net::new(bits.into(), length)
                .expect("a length")
                .trunc()
                .into()
        }
    }
}
