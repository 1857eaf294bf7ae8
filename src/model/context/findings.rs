//! What follows from a record about anonymization, with the fields that say so.
//!
//! Nothing here weighs or scores, and nothing is ever called clean: that nothing was observed is all a record can say.

use std::collections::{BTreeSet, HashSet};

use super::{Context, Tunnel};
use crate::model::Field;

/// What a record says about anonymization; the order is that of a list which has the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anonymization {
    /// A tunnel anonymizes.
    Observed,
    /// A tunnel whose flag is missing, a callback proxy on clients, or a risk that names one of them.
    Possible,
    /// Nothing of the kind, but a field that might tell could not be read.
    Unknown,
    /// Nothing of the kind.
    NotObserved,
}

/// The risk that names a tunnel (contract, part 2.1).
const TUNNEL: &str = "TUNNEL";
/// The risk that names a callback proxy.
const CALLBACK_PROXY: &str = "CALLBACK_PROXY";

/// Fields that might tell of anonymization.
const TELLING_FIELDS: [&str; 4] = ["client", "client.proxies", "risks", "tunnels"];

/// What the verdict on a record rests on: types, operators and anonymity of the tunnels, and without a tunnel the callback proxies.
/// Records that share it have the same verdict, however their numbers, exits and entries differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictBasis {
    seen: Anonymization,
    /// Type, operator, and whether it anonymizes.
    tunnels: BTreeSet<(Option<String>, Option<String>, Option<bool>)>,
    proxies: BTreeSet<String>,
}

impl Context {
    #[must_use]
    pub fn verdict_basis(&self) -> VerdictBasis {
        let text = |field: &Field<String>| {
            let text = field.text().filter(|text| !text.trim().is_empty());
            text.map(str::to_owned)
        };
        let tunnels = self.tunnels.items().iter();
        let basis = |tunnel: &Tunnel| {
            let anonymous = tunnel.anonymous.into_option();
            (text(&tunnel.kind), text(&tunnel.operator), anonymous)
        };
        let tunnels: BTreeSet<_> = tunnels.map(basis).collect();
        let proxies = self.proxies().iter();
        VerdictBasis {
            seen: self.anonymization(),
            proxies: proxies.filter(|_| tunnels.is_empty()).cloned().collect(),
            tunnels,
        }
    }

    /// The operators of its tunnels, anonymous or not, each once and in the order sent.
    #[must_use]
    pub fn tunnel_operators(&self) -> Vec<&str> {
        self.of_tunnels(|tunnel| &tunnel.operator)
    }

    /// The types of its tunnels, anonymous or not, each once and in the order sent.
    #[must_use]
    pub fn tunnel_types(&self) -> Vec<&str> {
        self.of_tunnels(|tunnel| &tunnel.kind)
    }

    fn of_tunnels(&self, field: impl Fn(&Tunnel) -> &Field<String>) -> Vec<&str> {
        let mut seen = HashSet::new();
        let texts = self.tunnels.items().iter();
        let texts = texts.filter_map(|tunnel| field(tunnel).text());
        texts
            .filter(|text| !text.trim().is_empty() && seen.insert(*text))
            .collect()
    }

    /// The callback proxies that run on devices behind it.
    #[must_use]
    pub fn proxies(&self) -> &[String] {
        self.client
            .is()
            .map_or(&[], |client| client.proxies.items())
    }

    /// What the record says about anonymization. Only a tunnel whose `anonymous` is true anonymizes; a missing flag is unknown,
    /// not false.
    #[must_use]
    pub fn anonymization(&self) -> Anonymization {
        let lost = |path: &String| {
            let field = path.trim_end_matches(|c: char| c.is_ascii_digit() || "[]".contains(c));
            TELLING_FIELDS.contains(&field)
        };
        if !self.observations().is_empty() {
            Anonymization::Observed
        } else if !self.possibilities().is_empty() {
            Anonymization::Possible
        } else if self.odd.iter().any(lost) {
            Anonymization::Unknown
        } else {
            Anonymization::NotObserved
        }
    }

    /// Paths of the fields that support [`Context::anonymization`], such as `tunnels[0].anonymous` and `risks[1]`; none
    /// where nothing was observed. The numbers count the elements that could be read.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let observations = self.observations();
        if observations.is_empty() {
            self.possibilities()
        } else {
            observations
        }
    }

    /// The risks that name a tunnel or a callback proxy of which the record has none, each with its number.
    pub fn telling_risks(&self) -> impl Iterator<Item = (usize, &str)> {
        let risks = self.risks.items().iter().map(String::as_str).enumerate();
        risks.filter(|(_, risk)| match *risk {
            TUNNEL => self.tunnels.items().is_empty(),
            CALLBACK_PROXY => self.proxies().is_empty(),
            _ => false,
        })
    }

    fn observations(&self) -> Vec<String> {
        self.tunnel_reasons(Some(true), ".anonymous")
    }

    fn possibilities(&self) -> Vec<String> {
        let tunnels = self.tunnel_reasons(None, "");
        let proxies = (0..self.proxies().len()).map(|index| format!("client.proxies[{index}]"));
        let risks = self.telling_risks();
        let risks = risks.map(|(index, _)| format!("risks[{index}]"));
        tunnels.into_iter().chain(proxies).chain(risks).collect()
    }

    /// Paths of the tunnels whose flag is `anonymous`, and of their operators.
    fn tunnel_reasons(&self, anonymous: Option<bool>, suffix: &str) -> Vec<String> {
        let mut reasons = Vec::new();
        for (index, tunnel) in self.tunnels.items().iter().enumerate() {
            if tunnel.anonymous.into_option() == anonymous {
                reasons.push(format!("tunnels[{index}]{suffix}"));
                let operator = tunnel.operator.text();
                reasons.extend(operator.map(|_| format!("tunnels[{index}].operator")));
            }
        }
        reasons
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(value: &Value, expected: Anonymization, reasons: &[&str]) {
        let context = Context::decode(value).expect("a record");
        assert_eq!(context.anonymization(), expected, "{value}");
        assert_eq!(context.reasons(), reasons, "{value}");
    }

    #[test]
    fn only_a_tunnel_that_anonymizes_is_observed() {
        check(
            &json!({"tunnels": [
                {"anonymous": false, "operator": "DELTA_VPN"},
                {"anonymous": true, "operator": "ACME_VPN"},
                {"anonymous": "true"},
                {"type": "PROXY"}
            ]}),
            Anonymization::Observed,
            &[
                "tunnels[1].anonymous",
                "tunnels[1].operator",
                "tunnels[2].anonymous",
            ],
        );
        check(
            &json!({"tunnels": [{"anonymous": true}], "client": {"proxies": ["A_PROXY"]}, "risks": ["TUNNEL"]}),
            Anonymization::Observed,
            &["tunnels[0].anonymous"],
        );
    }

    #[test]
    fn a_callback_proxy_and_a_risk_are_possible() {
        check(
            &json!({"client": {"proxies": ["A_PROXY", "B_PROXY"]}, "risks": ["GEO_MISMATCH", "CALLBACK_PROXY", "TUNNEL"]}),
            Anonymization::Possible,
            &["client.proxies[0]", "client.proxies[1]", "risks[2]"],
        );
        check(
            &json!({"risks": ["TUNNEL"], "tunnels": 7}),
            Anonymization::Possible,
            &["risks[0]"],
        );
        // The risk has its tunnel; that of the proxy has none.
        let tunnel = json!({"anonymous": false, "operator": "DELTA_VPN"});
        check(
            &json!({"risks": ["TUNNEL"], "tunnels": [tunnel]}),
            Anonymization::NotObserved,
            &[],
        );
        check(
            &json!({"risks": ["TUNNEL", "CALLBACK_PROXY"], "tunnels": [tunnel]}),
            Anonymization::Possible,
            &["risks[1]"],
        );
    }

    #[test]
    fn a_tunnel_that_does_not_say_is_possible() {
        for anonymous in [Value::Null, json!("perhaps")] {
            check(
                &json!({"tunnels": [{"anonymous": anonymous, "operator": "ACME_VPN"}]}),
                Anonymization::Possible,
                &["tunnels[0]", "tunnels[0].operator"],
            );
        }
    }

    #[test]
    fn nothing_said_is_not_observed() {
        for record in [
            json!({}),
            json!({"tunnels": [], "risks": ["WEB_SCRAPING"], "client": {"proxies": []}}),
            json!({"tunnels": [{"anonymous": false, "operator": "DELTA_VPN"}]}),
            json!({"tunnels": null, "services": 7, "client": {"count": "many"}}),
        ] {
            check(&record, Anonymization::NotObserved, &[]);
        }
    }

    #[test]
    fn what_could_not_be_read_is_unknown() {
        for record in [
            json!({"tunnels": 7}),
            json!({"tunnels": [{"anonymous": false}, "VPN"]}),
            json!({"risks": ["GEO_MISMATCH", 7]}),
            json!({"client": "none"}),
            json!({"client": {"proxies": {"A_PROXY": 1}}}),
        ] {
            check(&record, Anonymization::Unknown, &[]);
        }
    }

    #[test]
    fn operators_are_named_once() {
        let record = json!({"tunnels": [
            {"operator": "ACME_VPN"}, {"operator": ""}, {"operator": "DELTA_VPN"}, {"operator": "ACME_VPN"}
        ]});
        let context = Context::decode(&record).expect("a record");
        assert_eq!(context.tunnel_operators(), ["ACME_VPN", "DELTA_VPN"]);
    }
}
