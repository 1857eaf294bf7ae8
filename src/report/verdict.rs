//! The verdict on a record, in one line: what was seen at the address, and how widely it is shared.
//!
//! A tunnel anonymises only where its record has `anonymous: true`; a missing flag is unknown, not false. Nothing here weighs or
//! scores, and nothing is ever called clean.

use std::net::IpAddr;

use super::{counted, each};
use crate::{
    engine::views::EntryOf,
    model::{Anonymization, Context, Field, context::Tunnel, visible},
};

/// Clients a day from which an address is called shared.
const SHARED: u64 = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Verdict {
    pub seen: Anonymization,
    /// Whether 100 clients or more use the address on a day.
    pub shared: bool,
    /// The most telling finding, such as `VPN exit of ACME_VPN`.
    pub headline: String,
    /// Further findings.
    pub also: Vec<String>,
    /// How widely the address is shared, such as `14 clients a day from 6 countries`.
    pub clients: String,
}

impl Verdict {
    /// The verdict on a record about an address, or a network.
    pub fn of(context: &Context, address: Option<IpAddr>) -> Self {
        Self::beside(context, address, &[])
    }

    /// That of a record about an address which other records name as an entry of their tunnels, if its own has none.
    pub fn beside(context: &Context, address: Option<IpAddr>, entry_of: &[EntryOf]) -> Self {
        let mut found = findings(context, address);
        let mut seen = context.anonymization();
        let named = named_as_entry(entry_of).filter(|_| context.tunnels.items().is_empty());
        if let Some(named) = named {
            seen = seen.min(Anonymization::Possible);
            if found.is_empty() {
                let none = "no tunnel or proxy in its own record".to_owned();
                found.push((Anonymization::NotObserved, none));
            }
            found.insert(0, (Anonymization::Possible, named));
        }
        if seen == Anonymization::Unknown {
            let words = "unknown: a deciding field is unreadable".to_owned();
            found.push((seen, words));
        }
        found.sort_by_key(|(seen, _)| *seen);
        let mut words = found.into_iter().map(|(_, words)| words);
        let none = || "no tunnel or proxy seen".to_owned();
        let headline = words.next().unwrap_or_else(none);
        let number = context.client.is().and_then(|client| client.count.is());
        Self {
            seen,
            shared: number.is_some_and(|number| *number >= SHARED),
            headline,
            also: words.collect(),
            clients: clients(context),
        }
    }

    /// The headline, with a word for an address that is widely shared.
    #[must_use]
    pub fn line(&self) -> String {
        if self.shared {
            format!("{}, shared", self.headline)
        } else {
            self.headline.clone()
        }
    }
}

/// As what other records name an address: `named as entry of ACME_VPN in 2 records of anonymous`; the feed with most of them stands for
/// all. Nothing where there is none.
#[must_use]
pub fn named_as_entry(entry_of: &[EntryOf]) -> Option<String> {
    let most = entry_of.iter().rev().max_by_key(|of| of.records)?;
    let more = match entry_of.len() - 1 {
        0 => String::new(),
        more => format!(" (and {} more)", counted(more as u64, "feed")),
    };
    Some(format!("named as entry of {}{more}", in_feed(most)))
}

/// The same of each feed with its day.
pub(super) fn entries_by_feed(entry_of: &[EntryOf]) -> Option<String> {
    let own = |of: &EntryOf| format!("of {} {}", in_feed(of), of.moment.dashed());
    (!entry_of.is_empty()).then(|| each(entry_of.iter().map(own), "; "))
}

/// `ACME_VPN in 2 records of anonymous`.
fn in_feed(entry_of: &EntryOf) -> String {
    let operators = match entry_of.operators.as_slice() {
        [] => "an unattributed tunnel".into(),
        operators => visible(&operators.join(", ")).into_owned(),
    };
    let (records, feed) = (counted(entry_of.records, "record"), entry_of.feed);
    if entry_of.read < entry_of.records {
        return format!("{operators} and maybe others in {records} of {feed}");
    }
    format!("{operators} in {records} of {feed}")
}

/// Each finding with what it comes to, in the order of the record.
fn findings(context: &Context, address: Option<IpAddr>) -> Vec<(Anonymization, String)> {
    let mut found: Vec<(Anonymization, String, usize)> = Vec::new();
    let mut push = |seen, words: String| match found.iter_mut().find(|parts| parts.1 == words) {
        Some(same) => same.2 += 1,
        None => found.push((seen, words, 1)),
    };
    for tunnel in context.tunnels.items() {
        let (seen, doubt) = match tunnel.anonymous {
            Field::Is(true) => (Anonymization::Observed, ""),
            Field::Is(false) => (Anonymization::NotObserved, ", not anonymous"),
            _ => (Anonymization::Possible, ", anonymity unknown"),
        };
        push(seen, format!("{}{doubt}", tunnel_words(tunnel, address)));
    }
    for proxy in context.proxies() {
        let words = format!("callback proxy {} on clients", visible(proxy));
        push(Anonymization::Possible, words);
    }
    let telling: Vec<&str> = context.telling_risks().map(|(_, risk)| risk).collect();
    if !telling.is_empty() {
        let is_without = (
            context.tunnels.items().is_empty(),
            context.proxies().is_empty(),
        );
        let named = match is_without {
            (true, true) => "tunnel or proxy",
            (true, false) => "tunnel",
            (false, _) => "proxy",
        };
        let words = format!("risk {}, no {named} named", telling.join(" and "));
        found.push((Anonymization::Possible, words, 1));
    }
    let counted = |(seen, words, times): (Anonymization, String, usize)| match times {
        1 => (seen, words),
        times => (seen, format!("{words} ({times} times)")),
    };
    found.into_iter().map(counted).collect()
}

/// A tunnel: its type, whether the address is its exit or its entry, and whose it is.
fn tunnel_words(tunnel: &Tunnel, address: Option<IpAddr>) -> String {
    let is_in = |list: &Field<Vec<String>>| {
        let own = |text: &String| address.is_some() && text.trim().parse().ok() == address;
        list.items().iter().any(own)
    };
    let role = if is_in(&tunnel.exits) {
        " exit"
    } else if is_in(&tunnel.entries) {
        " entry"
    } else {
        ""
    };
    let kind = tunnel.kind.text().map_or("tunnel".into(), visible);
    match tunnel
        .operator
        .text()
        .filter(|name| !name.trim().is_empty())
    {
        Some(operator) => format!("{kind}{role} of {}", visible(operator)),
        None => format!("unattributed {kind}{role}"),
    }
}

/// How many clients use the address and from where.
fn clients(context: &Context) -> String {
    let Some(client) = context.client.is() else {
        return "clients not given".to_owned();
    };
    let number = match &client.count {
        Field::Is(number) => format!("{} a day", counted(*number, "client")),
        _ => "clients not counted".to_owned(),
    };
    match &client.countries {
        Field::Is(countries) if *countries > 0 => {
            format!("{number} from {}", counted(*countries, "country"))
        }
        _ => number,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{contract::Feed, store::Moment};

    fn verdict(record: &Value) -> Verdict {
        let context = Context::decode(record).expect("a record");
        Verdict::of(&context, "198.51.100.7".parse().ok())
    }

    #[test]
    fn the_most_telling_comes_first_and_the_rest_beside_it() {
        let found = verdict(&json!({
            "client": {"count": 14, "countries": 6, "proxies": ["WIDGET_PROXY"]},
            "tunnels": [
                {"type": "PROXY"}, {"type": "PROXY"},
                {"type": "VPN", "operator": "DELTA_VPN", "anonymous": false},
                {"type": "VPN", "operator": "ACME_VPN", "anonymous": true, "exits": ["198.51.100.7"]}
            ]
        }));
        assert_eq!((found.seen, found.shared), (Anonymization::Observed, false));
        assert_eq!(found.line(), "VPN exit of ACME_VPN");
        assert_eq!(found.clients, "14 clients a day from 6 countries");
        assert_eq!(
            found.also,
            [
                "unattributed PROXY, anonymity unknown (2 times)",
                "callback proxy WIDGET_PROXY on clients",
                "VPN of DELTA_VPN, not anonymous"
            ]
        );
    }

    #[test]
    fn an_address_of_many_is_shared() {
        let exit = |clients: u64| {
            verdict(&json!({"client": {"count": clients, "countries": 1},
                "tunnels": [{"type": "VPN", "operator": "ACME_VPN", "anonymous": true}]}))
        };
        assert_eq!(exit(1873).line(), "VPN of ACME_VPN, shared");
        assert_eq!(exit(1873).clients, "1,873 clients a day from 1 country");
        assert_eq!(exit(1).clients, "1 client a day from 1 country");
        assert!(exit(SHARED).shared && !exit(SHARED - 1).shared);
    }

    #[test]
    fn an_address_that_others_name_as_their_entry_is_not_without_a_finding() {
        let entry_of = |feed, operators: &[&str], records| EntryOf {
            feed,
            moment: Moment::parse("20261120").expect("a day"),
            records,
            read: records.min(64),
            operators: operators.iter().map(ToString::to_string).collect(),
        };
        let named = [
            entry_of(Feed::Realtime, &["ACME_VPN"], 1),
            entry_of(Feed::Anonymous, &["ACME_VPN"], 2),
        ];
        let beside = |record: Value, named: &[EntryOf]| {
            let context = Context::decode(&record).expect("a record");
            Verdict::beside(&context, "198.51.100.7".parse().ok(), named)
        };
        let found = beside(json!({}), &named);
        assert_eq!(found.seen, Anonymization::Possible);
        assert_eq!(
            found.line(),
            "named as entry of ACME_VPN in 2 records of anonymous (and 1 feed more)"
        );
        assert_eq!(found.also, ["no tunnel or proxy in its own record"]);
        let found = beside(
            json!({"client": {"proxies": ["WIDGET_PROXY"]}}),
            &named[..1],
        );
        assert_eq!(
            found.headline,
            "named as entry of ACME_VPN in 1 record of realtime"
        );
        assert_eq!(found.also, ["callback proxy WIDGET_PROXY on clients"]);
        let own = json!({"tunnels": [{"type": "VPN", "operator": "DELTA_VPN", "anonymous": true}]});
        assert_eq!(beside(own.clone(), &named), verdict(&own));
        let many = [entry_of(Feed::Anonymous, &[], 1200)];
        assert_eq!(
            named_as_entry(&many).as_deref(),
            Some(
                "named as entry of an unattributed tunnel and maybe others in 1,200 records of anonymous"
            )
        );
        assert_eq!(named_as_entry(&[]), None);
        assert_eq!(
            entries_by_feed(&named).as_deref(),
            Some(
                "of ACME_VPN in 1 record of realtime 2026-11-20; of ACME_VPN in 2 records of anonymous 2026-11-20"
            )
        );
    }

    #[test]
    fn only_a_tunnel_that_anonymises_is_anonymising() {
        for (record, seen, line) in [
            (
                json!({"tunnels": [{"type": "VPN", "anonymous": false, "operator": "DELTA_VPN"}], "risks": ["TUNNEL"]}),
                Anonymization::NotObserved,
                "VPN of DELTA_VPN, not anonymous",
            ),
            (
                json!({"client": {"proxies": ["A_PROXY"]}, "risks": ["CALLBACK_PROXY"]}),
                Anonymization::Possible,
                "callback proxy A_PROXY on clients",
            ),
            (
                json!({"risks": ["TUNNEL", "GEO_MISMATCH"]}),
                Anonymization::Possible,
                "risk TUNNEL, no tunnel or proxy named",
            ),
            (
                json!({"tunnels": [{"type": "TOR", "anonymous": true}]}),
                Anonymization::Observed,
                "unattributed TOR",
            ),
            (
                json!({"tunnels": [{"type": "VPN", "anonymous": false}], "risks": ["TUNNEL", "CALLBACK_PROXY"]}),
                Anonymization::Possible,
                "risk CALLBACK_PROXY, no proxy named",
            ),
            (
                json!({"tunnels": [{"type": "VPN", "anonymous": false}, 7]}),
                Anonymization::Unknown,
                "unknown: a deciding field is unreadable",
            ),
            (
                json!({}),
                Anonymization::NotObserved,
                "no tunnel or proxy seen",
            ),
            (
                json!({"tunnels": 7}),
                Anonymization::Unknown,
                "unknown: a deciding field is unreadable",
            ),
        ] {
            let found = verdict(&record);
            let context = Context::decode(&record).expect("a record");
            assert_eq!(
                found.seen,
                context.anonymization(),
                "one meaning everywhere"
            );
            assert_eq!(
                (found.seen, found.line().as_str()),
                (seen, line),
                "{record}"
            );
        }
    }
}
