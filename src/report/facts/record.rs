//! The record of an address or network, in words.

use std::net::IpAddr;

use super::{Fact, anonymity, counted_remainder, fact, remainder};
use crate::{
    model::{Anonymization, Context, Field, context::Tunnel},
    report::{TextCell, Verdict, distinct, each, fields},
};

/// What the record of an address says, the answer to "who is behind it" first.
#[must_use]
pub fn of_record(context: &Context) -> Vec<Fact> {
    let mut facts = about(context, anonymization(context));
    facts.extend(remainder(&context.unknown, &context.odd));
    facts
}

/// The same in words alone, for people who do not have the JSON before them: no path is in it.
#[must_use]
pub(in crate::report) fn in_words(context: &Context, address: Option<IpAddr>) -> Vec<Fact> {
    let verdict = || Verdict::of(context, address).headline;
    let anonymization = match context.anonymization() {
        Anonymization::Observed => TextCell::known(format!("observed: {}", verdict())),
        Anonymization::Possible => TextCell::known(format!("possible: {}", verdict())),
        Anonymization::NotObserved | Anonymization::Unknown => anonymization(context),
    };
    let mut facts = about(context, anonymization);
    facts.extend(counted_remainder(&context.unknown, &context.odd));
    facts
}

fn about(context: &Context, anonymization: TextCell) -> Vec<Fact> {
    let network = context.network.is().filter(|_| context.ip.is().is_none());
    let mut facts: Vec<Fact> = network
        .map(|network| fact("record of", TextCell::known(network.to_string())))
        .into_iter()
        .collect();
    facts.extend([
        fact("anonymization", anonymization),
        fact("operators", operators(context)),
    ]);
    match context.tunnels.items() {
        [] => facts.push(fact("tunnels", TextCell::of(&context.tunnels, |_| "none"))),
        tunnels => facts.extend(
            tunnels
                .iter()
                .map(|tunnel| fact("tunnel", tunnel_cell(tunnel))),
        ),
    }
    facts.extend(fields::facts(context));
    facts
}

/// The verdict with what it rests on: types and operators of the tunnels first, since a Tor exit or an unattributed proxy
/// has no operator to be known by; then the fields.
fn anonymization(context: &Context) -> TextCell {
    let verdict = |word: &str, anonymous: Option<bool>| {
        let names = evidence(context, anonymous);
        let why = if names.is_empty() {
            each(context.reasons(), ", ")
        } else {
            each(&names, "; ")
        };
        TextCell::known(format!("{word}: {why}"))
    };
    match context.anonymization() {
        Anonymization::Observed => verdict("observed", Some(true)),
        Anonymization::Possible => verdict("possible", None),
        Anonymization::NotObserved => TextCell::unknown("none observed"),
        Anonymization::Unknown => TextCell::unknown("unknown: a deciding field could not be read"),
    }
}

/// The tunnels whose flag is `anonymous`, and where none anonymizes the callback proxies.
fn evidence(context: &Context, anonymous: Option<bool>) -> Vec<String> {
    let tunnels = context.tunnels.items().iter();
    let tunnels = tunnels.filter(|tunnel| tunnel.anonymous.into_option() == anonymous);
    let proxies = context.proxies().iter().filter(|_| anonymous.is_none());
    let proxies = proxies.map(|proxy| format!("callback proxy {proxy}"));
    distinct(tunnels.map(tunnel_name).chain(proxies))
}

fn operators(context: &Context) -> TextCell {
    let operators = context.tunnel_operators();
    if operators.is_empty() {
        TextCell::unknown("none named")
    } else {
        TextCell::known(each(&operators, " "))
    }
}

fn tunnel_cell(tunnel: &Tunnel) -> TextCell {
    let anonymous = anonymity(tunnel.anonymous);
    let kind = tunnel.kind.text().unwrap_or("tunnel");
    let operator = tunnel.operator.text().unwrap_or("without operator");
    let ways = [
        ("in", tunnel.entries.items()),
        ("out", tunnel.exits.items()),
    ];
    let ways = ways.into_iter().filter(|(_, items)| !items.is_empty());
    let ways = ways.map(|(what, items)| format!("{what} {}", each(items, " ")));
    let parts = [kind, operator, anonymous].map(str::to_owned).into_iter();
    TextCell::known(each(parts.chain(ways), ", "))
}

/// A tunnel by type and operator, as far as they are known.
pub(in crate::report) fn tunnel_name(tunnel: &Tunnel) -> String {
    let known = |field: &Field<String>| {
        let text = field.text().map(str::trim).unwrap_or_default();
        (!text.is_empty()).then(|| text.to_owned())
    };
    match (known(&tunnel.kind), known(&tunnel.operator)) {
        (Some(kind), Some(operator)) => format!("{kind} {operator}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "tunnel of unknown type".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn said(value: &Value, label: &str) -> String {
        let facts = of_record(&Context::decode(value).expect("record"));
        facts
            .into_iter()
            .find(|fact| fact.label == label)
            .expect("fact")
            .cell
            .text
    }

    #[test]
    fn a_record_is_told_without_a_verdict() {
        let record = json!({
            "ip": "198.51.100.77", "as": {"number": 64500, "organization": "Example Hosting"},
            "client": {"count": 14, "proxies": ["A_PROXY", "B_PROXY"], "concentration": {"city": "Zürich", "density": 1, "skew": 15_400}},
            "location": {"city": "Amsterdam", "country": "NL"}, "risks": [], "new": 1,
            "tunnels": [{"type": "VPN", "operator": "ACME_VPN", "anonymous": true, "exits": ["198.51.100.77"]}, {}]
        });
        for (label, expected) in [
            ("anonymization", "observed: VPN ACME_VPN"),
            ("operators", "ACME_VPN"),
            ("tunnel", "VPN, ACME_VPN, anonymous, out 198.51.100.77"),
            ("proxies", "A_PROXY B_PROXY"),
            ("AS", "AS64500 Example Hosting"),
            ("location", "Amsterdam, NL"),
            ("clients", "14"),
            ("concentration", "Zürich, density 1, skew 15,400"),
            ("risks", "none"),
            ("services", "absent"),
            ("other keys", "new"),
        ] {
            assert_eq!(said(&record, label), expected, "{label}");
        }
    }

    #[test]
    fn a_verdict_names_what_has_no_operator() {
        let tunnel = |kind: &str, anonymous: Value| {
            let record =
                json!({"ip": "198.51.100.7", "tunnels": [{"type": kind, "anonymous": anonymous}]});
            said(&record, "anonymization")
        };
        assert_eq!(tunnel("TOR", json!(true)), "observed: TOR");
        assert_eq!(tunnel("PROXY", json!(null)), "possible: PROXY");
        let risk = json!({"ip": "198.51.100.7", "risks": ["TUNNEL"]});
        assert_eq!(said(&risk, "anonymization"), "possible: risks[0]");
        let proxy = json!({"ip": "198.51.100.7", "client": {"proxies": ["A_PROXY"]}});
        assert_eq!(
            said(&proxy, "anonymization"),
            "possible: callback proxy A_PROXY"
        );
    }

    #[test]
    fn nothing_observed_is_never_clean() {
        let record = json!({"ip": "198.51.100.77", "client": null});
        assert_eq!(said(&record, "anonymization"), "none observed");
        assert_eq!(said(&record, "clients"), "null");
        let facts = format!(
            "{:?}",
            of_record(&Context::decode(&record).expect("record"))
        );
        assert!(
            !facts.contains("clean") && !facts.contains("safe"),
            "{facts}"
        );
    }
}
