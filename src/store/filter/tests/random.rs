//! What holds of every filter and of every text.

use proptest::prelude::*;

use super::*;

fn value() -> impl Strategy<Value = String> {
    let odd = prop::collection::vec(
        prop::sample::select(vec![
            "\"", "\\", ",", " ", "a", ":", "-", "\u{202e}", "東", "\n", "=", "é",
        ]),
        1..6,
    );
    prop_oneof![any::<String>(), odd.prop_map(|parts| parts.concat())]
        .prop_filter("blank", |text| {
            !text.trim().is_empty() && !text.contains('*')
        })
}

fn test() -> impl Strategy<Value = Test> {
    let open: Vec<Keyword> = Keyword::ALL
        .into_iter()
        .filter(|field| !matches!(field, Keyword::Cc | Keyword::Asn | Keyword::Entry))
        .collect();
    let list = |one: BoxedStrategy<String>| prop::collection::vec(one, 1..4);
    let compare = [
        NumberComparison::Less,
        NumberComparison::AtMost,
        NumberComparison::Equal,
        NumberComparison::AtLeast,
        NumberComparison::More,
    ];
    let network =
        (any::<std::net::IpAddr>(), 0..=128_u8).prop_filter_map("block", |(address, length)| {
            let length = if address.is_ipv4() {
                length % 33
            } else {
                length
            };
            let mapped = address.to_canonical() != address;
            (!mapped).then(|| IpNet::new(address, length).expect("block").trunc())
        });
    prop_oneof![
        (prop::sample::select(open), list(value().boxed()))
            .prop_map(|(field, values)| Test::Is(field, values)),
        list("[A-Z]{2}".boxed()).prop_map(|values| Test::Is(Keyword::Cc, values)),
        list(any::<u32>().prop_map(|number| number.to_string()).boxed())
            .prop_map(|values| Test::Is(Keyword::Asn, values)),
        list(
            any::<std::net::IpAddr>()
                .prop_map(|address| address.to_canonical().to_string())
                .boxed()
        )
        .prop_map(|values| Test::Is(Keyword::Entry, values)),
        list(value().boxed()).prop_map(|values| Test::Contains(Keyword::Org, values)),
        (prop::sample::select(compare.to_vec()), any::<u64>())
            .prop_map(|(compare, number)| Test::Clients(compare, number)),
        prop::collection::vec(network, 1..4).prop_map(Test::Within),
        any::<bool>().prop_map(Test::Attributed),
    ]
}

proptest! {
    #[test]
    fn a_filter_written_and_read_is_the_same(terms in prop::collection::vec((any::<bool>(), test()), 0..5)) {
        let terms = terms.into_iter().map(|(negated, test)| Term { negated, test }).collect();
        let filter = Filter { terms };
        prop_assert_eq!(read(&filter.to_string()), filter);
    }

    #[test]
    fn every_text_is_a_filter_or_pointed_at(text in any::<String>(), more in "[-a-z:<>=!,\"\\\\ 0-9./]{0,24}") {
        for text in [&text, &more, &format!("{more}{text}"), &format!("tag:{text}{more}")] {
            match text.parse::<Filter>() {
                Ok(filter) => prop_assert_eq!(read(&filter.to_string()), filter),
                Err(bad) => {
                    prop_assert!(bad.text.get(bad.place.clone()).is_some());
                    prop_assert_eq!(bad.picture().lines().count(), 2);
                    prop_assert!(bad.picture().contains('^'));
                }
            }
        }
    }

    #[test]
    fn a_negated_term_means_the_rest(test in test()) {
        let record = record();
        let term = |negated| Term { negated, test: test.clone() };
        prop_assert_ne!(term(false).holds(&record), term(true).holds(&record));
    }
}
