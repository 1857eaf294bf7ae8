//! The field for an address, a network or a text with several; what its text is, and what stands for it before Enter.

use std::{collections::HashSet, net::IpAddr};

use ipnet::IpNet;

use crate::{
    engine::views::{HeldWithin, ViewQuery},
    model::{
        Subject, parse_address, parse_subject,
        scan::{Found, scan},
    },
    report::each,
    store::{Filter, filter::Test, index::Order},
    tui::{
        ctx::{Outbox, Trail, TrailStop},
        ui::{Motion, TextField, Tone, words},
    },
};

#[derive(Debug)]
pub(super) struct AddressField(pub(super) TextField);

impl Default for AddressField {
    fn default() -> Self {
        Self(TextField::new("address, network or pasted log"))
    }
}

/// The newest address of the trail that begins with what is typed.
pub(super) fn completion(field: &TextField, trail: &Trail) -> Option<String> {
    let typed = field.value();
    let is_typed = !typed.is_empty() && !field.is_selected();
    let mut addresses = addresses(trail).into_iter().filter(|_| is_typed);
    addresses.find(|address| address.len() > typed.len() && address.starts_with(typed))
}

/// Puts an address of the trail into the field: up goes back in time, down forward.
pub(super) fn recall(field: &mut TextField, motion: Motion, trail: &Trail) {
    let addresses = addresses(trail);
    let here = addresses
        .iter()
        .position(|address| address == field.value());
    let next = match (motion, here) {
        (Motion::Up, None) => Some(0),
        (Motion::Up, Some(index)) => Some((index + 1).min(addresses.len() - 1)),
        (Motion::Down, Some(index)) => index.checked_sub(1),
        _ => return,
    };
    match next.and_then(|index| addresses.get(index)) {
        Some(address) => field.set(address),
        None => field.clear(),
    }
}

/// The addresses of the trail, each once, the newest first.
fn addresses(trail: &Trail) -> Vec<String> {
    let mut seen: Vec<IpAddr> = Vec::new();
    for (visit, _) in trail.listed() {
        if let TrailStop::Address(query) = &visit.stop
            && !seen.contains(&query.address)
        {
            seen.push(query.address);
        }
    }
    seen.iter().map(ToString::to_string).collect()
}

/// The records of a network in the local feed that has most of them; names the other feeds, or why there is none.
pub(super) fn richest_view(
    network: IpNet,
    held: &HeldWithin,
    out: &mut Outbox,
) -> Option<ViewQuery> {
    for feed in &held.unusable {
        let why = format!("{} not counted: {}", feed.feed, feed.why.message);
        out.say(Tone::Warn, why);
    }
    let Some(most) = held.richest() else {
        let feeds: Vec<&str> = held.counts().map(|count| count.feed.name()).collect();
        let why = match each(&feeds, ", ") {
            none if none.is_empty() => {
                "no feed is local to browse; esc, then 4 opens Feeds, p downloads one".to_owned()
            }
            feeds => format!("no record lies in it in {feeds}"),
        };
        out.say(Tone::Warn, format!("{network}: {why}"));
        return None;
    };
    let others = held
        .counts()
        .filter(|count| count.feed != most.feed && count.records > 0);
    let others = others.map(|count| format!("{} {}", count.feed, words::number(count.records)));
    let others: Vec<String> = others.collect();
    if !others.is_empty() {
        let text = format!("{network} is also in {}", each(&others, ", "));
        out.say(Tone::Info, text);
    }
    Some(ViewQuery {
        feed: most.feed,
        day: None,
        filter: Filter::from_iter([Test::Within(vec![network])]),
        order: Order::Address,
    })
}

/// What is typed or pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LookupInput {
    Nothing,
    Address(IpAddr),
    /// Exactly one network, and no address.
    Network(IpNet),
    /// So many, to be gathered with what stands beside them.
    Several(usize),
    /// Neither, and why.
    Bad(String),
}

impl LookupInput {
    /// Reads a text: as one address or network, else for those that are anywhere in it.
    pub(super) fn of(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::Nothing;
        }
        match parse_subject(text) {
            Ok(Subject::Address(address)) => return Self::Address(address),
            Ok(Subject::Network(network)) => return Self::Network(network),
            Err(_) => {}
        }
        let mut addresses: HashSet<IpAddr> = HashSet::new();
        let mut networks: HashSet<IpNet> = HashSet::new();
        scan(text.as_bytes(), &mut |hit| match hit.found {
            Found::Network(network) => drop(networks.insert(network)),
            found => addresses.extend(found.address()),
        });
        let only = (addresses.iter().next(), networks.iter().next());
        match (addresses.len(), networks.len(), only) {
            (1, 0, (Some(only), _)) => Self::Address(*only),
            (0, 1, (_, Some(only))) => Self::Network(*only),
            (0, 0, _) => Self::Bad(match parse_address(text) {
                Err(why) => match why.filter() {
                    Some(term) => format!("{why} (in the filter of a feed: {term})"),
                    None => why.to_string(),
                },
                Ok(_) => "no address".to_owned(),
            }),
            (0, ..) => Self::Bad("several networks; one can be browsed".to_owned()),
            (addresses, ..) => Self::Several(addresses),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_with_an_address_in_it_is_understood() {
        let address = LookupInput::Address([198, 51, 100, 77].into());
        for text in [
            "198.51.100.77",
            " 198.51.100.77 ",
            "198.51.100.77:443",
            "https://198.51.100.77/login?x=1",
            "hxxp://198[.]51[.]100[.]77:8080/",
            "198[.]51[.]100[.]77",
            "198.51.100.77,",
            "(198.51.100.77)",
            "src=198.51.100.77 dst=198.51.100.77",
            "198.51.100.77/32",
            "198.51.100.77%eth0",
        ] {
            assert_eq!(LookupInput::of(text), address, "{text}");
        }
        let six = LookupInput::Address("2001:db8::1".parse().expect("address"));
        assert_eq!(LookupInput::of("[2001:db8::1]:443"), six);
        let network = LookupInput::Network("198.51.100.0/24".parse().expect("network"));
        for text in [
            "198.51.100.0/24",
            "198[.]51[.]100[.]0/24",
            "net 198.51.100.0/24,",
        ] {
            assert_eq!(LookupInput::of(text), network, "{text}");
        }
        let list = LookupInput::of("a 198.51.100.7 b 203.0.113.9, 198.51.100.7; 192.0.2.0/24");
        assert_eq!(list, LookupInput::Several(2));
        assert_eq!(LookupInput::of(" "), LookupInput::Nothing);
        for (text, says) in [
            ("example", "is not an IPv4 or IPv6 address"),
            ("198.051.100.7", "has zero-padded parts"),
            ("Chrome/120.0.0.0", "is not an IPv4 or IPv6 address"),
            ("3325256781", "as an address it is 198.51.100.77"),
            ("AS64500", "(in the filter of a feed: asn:64500)"),
            ("ACME_VPN", "(in the filter of a feed: tag:ACME_VPN)"),
        ] {
            let LookupInput::Bad(why) = LookupInput::of(text) else {
                panic!("{text}");
            };
            assert!(why.contains(says), "{text}: {why}");
        }
    }
}
