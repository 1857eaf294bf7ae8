//! What is said of a service (contract, part 2.6): typed for a tag lookup, as strings in the service-metrics feed.

use serde_json::{Map, Value, json};

use super::{
    World,
    seed::RngExt,
    service::{DemoService, SERVICES, ServiceKind, service_of},
};
use crate::model::Day;

impl World {
    /// The answer to a tag lookup. An alias answers with the data of the service and `aliasOf`.
    pub(crate) fn tag(&self, tag: &str, day: Day) -> Option<Value> {
        let service = service_of(tag)?;
        let mut fields = self.metadata(service, day);
        if tag != service.tag {
            fields.insert("tag".to_owned(), tag.into());
            fields.insert("aliasOf".to_owned(), service.tag.into());
        }
        Some(fields.into())
    }

    /// The lines of the service-metrics feed: one for each service, booleans and numbers as strings.
    pub(crate) fn service_metrics(&self, day: Day) -> Vec<Value> {
        SERVICES
            .iter()
            .map(|service| self.as_strings(service, self.metadata(service, day)))
            .collect()
    }

    fn metadata(&self, service: &DemoService, day: Day) -> Map<String, Value> {
        let mut dice = self.seed.dice("metadata", &[letters(service.tag)]);
        let callback = !service.trade.is_datacenter_centric();
        let vpn = service.trade.tunnel() == "VPN";
        let slug = service.tag.to_lowercase().replace('_', "-");
        let value = json!({
            "tag": service.tag,
            "name": service.name,
            "description": service.description,
            "website": format!("https://{slug}.example"),
            "categories": service.trade.categories(),
            "platforms": dice.some_of(&["WINDOWS", "MACOS", "LINUX", "ANDROID", "IOS", "ROUTER"], if vpn { 80 } else { 20 }),
            "protocols": if vpn { dice.some_of(service.trade.listens(), 70) } else { vec!["HTTP", "SOCKS"] },
            "targetingTypes": dice.some_of(&["CITY", "STATE", "COUNTRY", "ASN"], 60),
            "allowsWhiteLabel": service.tag == "ACME_VPN" || dice.percent(20),
            "isAnonymous": service.trade != ServiceKind::Enterprise,
            "isCallbackProxy": callback,
            "isNoLog": vpn && dice.percent(70),
            "metrics": self.metrics(service, day),
        });
        let Value::Object(mut fields) = value else {
            return Map::new();
        };
        let optional = [
            (
                "isTracked",
                (!service.inactive || dice.percent(50)).then_some(json!(!service.inactive)),
            ),
            (
                "maxAgeDays",
                dice.percent(80)
                    .then(|| json!(if callback { 7 } else { 30 })),
            ),
            (
                "allTags",
                (!service.aliases.is_empty())
                    .then(|| json!([&[service.tag], &service.aliases[..]].concat())),
            ),
            (
                "aliases",
                (!service.aliases.is_empty()).then(|| json!(service.aliases)),
            ),
            (
                "resoldBy",
                Some(service.resold_by())
                    .filter(|tags| !tags.is_empty())
                    .map(Value::from),
            ),
            (
                "resells",
                (!service.resells.is_empty()).then(|| resells(service)),
            ),
            (
                "allowsLocalNetworkAccess",
                dice.percent(30).then(|| json!(false)),
            ),
            (
                "isEnterprise",
                (service.trade == ServiceKind::Enterprise).then_some(json!(true)),
            ),
            (
                "isInactive",
                (service.inactive || dice.percent(40)).then_some(json!(service.inactive)),
            ),
        ];
        fields.extend(
            optional
                .into_iter()
                .filter_map(|(key, value)| Some((key.to_owned(), value?))),
        );
        fields
    }

    /// Numbers of the whole world that the service pretends to, far beyond the addresses that the feeds hold.
    fn metrics(&self, service: &DemoService, day: Day) -> Value {
        if service.inactive {
            return json!({"averageDeviceCount": 0, "churnRate": 0, "distinctASNs": 0, "distinctCountries": 0, "distinctIPs": 0, "distinctISPs": 0});
        }
        let mut dice = self.seed.dice("metrics", &[letters(service.tag)]);
        let (addresses, churn) = match service.trade {
            ServiceKind::Residential | ServiceKind::Mobile | ServiceKind::Malware => {
                (dice.u32(90_000..1_200_000), dice.u32(250..800))
            }
            ServiceKind::Peers | ServiceKind::Blockchain => {
                (dice.u32(20_000..200_000), dice.u32(100..400))
            }
            _ => (dice.u32(900..42_000), dice.u32(10..90)),
        };
        let systems = 12 + addresses / dice.u32(300..900);
        let today = self
            .seed
            .dice(
                "metrics",
                &[letters(service.tag), super::seed::day_number(day)],
            )
            .u32(..100);
        json!({
            "averageDeviceCount": f64::from(addresses / 2 + today) + 0.5,
            "churnRate": f64::from(churn) / 1000.0,
            "distinctASNs": systems,
            "distinctCountries": (systems / 4).clamp(3, 190),
            "distinctIPs": addresses + today,
            "distinctISPs": systems - systems / 10,
        })
    }

    /// The feed's variant: strings for booleans and metrics, nulls and empty strings among them, four more keys.
    fn as_strings(&self, service: &DemoService, mut fields: Map<String, Value>) -> Value {
        let mut dice = self.seed.dice("variant", &[letters(service.tag)]);
        for key in [
            "allowsCrypto",
            "allowsFreeAccess",
            "allowsMultihop",
            "allowsTorrents",
        ] {
            if dice.percent(80) {
                fields.insert(key.to_owned(), dice.bool().into());
            }
        }
        for value in fields.values_mut().filter(|value| value.is_boolean()) {
            *value = if dice.percent(10) {
                Value::Null
            } else {
                value.to_string().into()
            };
        }
        if let Some(Value::Object(metrics)) = fields.get_mut("metrics") {
            for value in metrics.values_mut() {
                *value = if dice.percent(8) {
                    Value::Null
                } else {
                    value.to_string().into()
                };
            }
        }
        for key in ["description", "name", "website"] {
            if dice.percent(6) {
                fields.insert(
                    key.to_owned(),
                    if dice.bool() { Value::Null } else { "".into() },
                );
            }
        }
        fields.into()
    }
}

/// The contract does not show what an element of `resells` holds; this is this service's idea of it.
fn resells(service: &DemoService) -> Value {
    let of = |tag: &&str| json!({"tag": tag, "since": "2024-11", "exclusive": false});
    service.resells.iter().map(of).collect()
}

/// A name as a number, to roll dice about it.
fn letters(tag: &str) -> u64 {
    tag.bytes().fold(0, |sum: u64, byte| {
        sum.wrapping_mul(131).wrapping_add(u64::from(byte))
    })
}
