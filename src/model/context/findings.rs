//! What follows from a record about anonymization, with the fields that say so.
//!
//! Nothing here weighs or scores, and nothing is ever called clean: that nothing was observed is all a record can say.

use std::collections::HashSet;

use super::{Context, Tunnel};
use crate::model::Field;

/// What a record says about anonymization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anonymization {
    /// A field says so.
    Observed,
    /// There are tunnels that do not say whether they anonymize.
    Possible,
    /// No field says so.
    NotObserved,
    /// No field says so, but one that might could not be read.
    Unknown,
}

/// Risks that name anonymization (contract, part 2.1).
const TELLING_RISKS: [&str; 2] = ["CALLBACK_PROXY", "TUNNEL"];

/// Fields that might tell of anonymization.
const TELLING_FIELDS: [&str; 4] = ["client", "client.proxies", "risks", "tunnels"];

impl Context {
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

    /// What the record says about anonymization.
    #[must_use]
    pub fn anonymizing(&self) -> Anonymization {
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

    /// Paths of the fields that support [`Context::anonymizing`], such as `tunnels[0].anonymous` and `risks[1]`; none
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

    fn observations(&self) -> Vec<String> {
        let tunnels = self.tunnel_reasons(Some(true), ".anonymous");
        let proxies = (0..self.proxies().len()).map(|index| format!("client.proxies[{index}]"));
        let risks = self.risks.items().iter().enumerate();
        let risks = risks
            .filter(|(_, risk)| TELLING_RISKS.contains(&risk.as_str()))
            .map(|(index, _)| format!("risks[{index}]"));
        tunnels.into_iter().chain(proxies).chain(risks).collect()
    }

    fn possibilities(&self) -> Vec<String> {
        self.tunnel_reasons(None, "")
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
        assert_eq!(context.anonymizing(), expected, "{value}");
        assert_eq!(context.reasons(), reasons, "{value}");
    }

    #[test]
    fn observed_is_what_a_field_says() {
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
            &json!({"client": {"proxies": ["A_PROXY", "B_PROXY"]}, "risks": ["GEO_MISMATCH", "CALLBACK_PROXY"]}),
            Anonymization::Observed,
            &["client.proxies[0]", "client.proxies[1]", "risks[1]"],
        );
        check(
            &json!({"risks": ["TUNNEL"], "tunnels": 7}),
            Anonymization::Observed,
            &["risks[0]"],
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
