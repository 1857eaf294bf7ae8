//! What a record says, as labels and values for people: the same list for text, ticket and table of values.

use super::{Cell, each};
use crate::model::{
    Anonymization, Context, Field, Tag,
    context::{AutonomousSystem, Concentration, Location, Tunnel},
};

/// One thing that a record says, or does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub label: &'static str,
    /// What is said.
    pub cell: Cell,
}

fn fact(label: &'static str, cell: Cell) -> Fact {
    Fact { label, cell }
}

/// What the record of an address says, the answer to "who is behind it" first.
#[must_use]
pub fn of_record(context: &Context) -> Vec<Fact> {
    let client = &context.client;
    let mut facts = vec![
        fact("anonymization", anonymization(context)),
        fact("operators", operators(context)),
    ];
    match context.tunnels.items() {
        [] => facts.push(fact("tunnels", Cell::of(&context.tunnels, |_| "none"))),
        tunnels => facts.extend(
            tunnels
                .iter()
                .map(|tunnel| fact("tunnel", tunnel_cell(tunnel))),
        ),
    }
    facts.extend([
        fact(
            "proxies",
            within(client, |client| Cell::list(&client.proxies)),
        ),
        fact("infrastructure", Cell::text(&context.infrastructure)),
        fact(
            "network owner",
            Cell::of(&context.autonomous_system, system),
        ),
        fact("organization", Cell::text(&context.organization)),
        fact("location", Cell::of(&context.location, place)),
        fact(
            "clients",
            within(client, |client| Cell::count(&client.count)),
        ),
        fact(
            "client countries",
            within(client, |client| Cell::count(&client.countries)),
        ),
        fact(
            "client spread",
            within(client, |client| {
                Cell::of(&client.spread, |area| {
                    format!("{} km²", super::count(*area))
                })
            }),
        ),
        fact(
            "client types",
            within(client, |client| Cell::list(&client.types)),
        ),
        fact(
            "concentration",
            within(client, |client| {
                Cell::of(&client.concentration, concentration)
            }),
        ),
        fact(
            "behaviors",
            within(client, |client| Cell::list(&client.behaviors)),
        ),
        fact("risks", Cell::list(&context.risks)),
        fact("services", Cell::list(&context.services)),
        fact("ai", Cell::of(&context.ai, ToString::to_string)),
    ]);
    facts.extend(remainder(&context.unknown, &context.odd));
    facts
}

/// What the metadata of a tag says.
#[must_use]
pub fn of_tag(tag: &Tag) -> Vec<Fact> {
    let metrics = &tag.metrics;
    let mut facts = vec![
        fact("name", Cell::text(&tag.name)),
        fact("description", Cell::text(&tag.description)),
        fact("website", Cell::text(&tag.website)),
        fact("categories", Cell::list(&tag.categories)),
        fact("anonymous", Cell::flag(tag.is_anonymous)),
        fact("callback proxy", Cell::flag(tag.is_callback_proxy)),
        fact("claims no logs", Cell::flag(tag.is_no_log)),
        fact("white label", Cell::flag(tag.allows_white_label)),
        fact("platforms", Cell::list(&tag.platforms)),
        fact("protocols", Cell::list(&tag.protocols)),
        fact("targeting", Cell::list(&tag.targeting_types)),
        fact(
            "devices",
            within(metrics, |metrics| {
                Cell::number(&metrics.average_device_count)
            }),
        ),
        fact(
            "churn rate",
            within(metrics, |metrics| Cell::number(&metrics.churn_rate)),
        ),
        fact(
            "addresses",
            within(metrics, |metrics| Cell::count(&metrics.distinct_ips)),
        ),
        fact(
            "networks",
            within(metrics, |metrics| Cell::count(&metrics.distinct_asns)),
        ),
        fact(
            "providers",
            within(metrics, |metrics| Cell::count(&metrics.distinct_isps)),
        ),
        fact(
            "countries",
            within(metrics, |metrics| Cell::count(&metrics.distinct_countries)),
        ),
    ];
    // These stand in few records, and say something only where they stand.
    let rare = [
        fact("tracked", Cell::flag(tag.is_tracked)),
        fact("days observed", Cell::number(&tag.max_age_days)),
        fact("alias of", Cell::text(&tag.alias_of)),
        fact("aliases", Cell::list(&tag.aliases)),
        fact("all tags", Cell::list(&tag.all_tags)),
        fact("resold by", Cell::list(&tag.resold_by)),
        fact(
            "resells",
            Cell::of(&tag.resells, |resells| {
                each(
                    &resells.iter().map(ToString::to_string).collect::<Vec<_>>(),
                    " ",
                )
            }),
        ),
        fact(
            "local networks",
            Cell::flag(tag.allows_local_network_access),
        ),
        fact("enterprise", Cell::flag(tag.is_enterprise)),
        fact("inactive", Cell::flag(tag.is_inactive)),
    ];
    facts.extend(rare.into_iter().filter(|fact| fact.cell.text != "absent"));
    facts.extend(remainder(&tag.unknown, &tag.odd));
    facts
}

/// Keys beyond the contract, and fields that could not be read: both stand whole in the JSON form.
fn remainder(unknown: &[String], odd: &[String]) -> impl Iterator<Item = Fact> {
    let named = [("other keys", unknown), ("unreadable", odd)];
    named
        .into_iter()
        .filter(|(_, paths)| !paths.is_empty())
        .map(|(label, paths)| fact(label, Cell::known(each(paths, " "))))
        .collect::<Vec<_>>()
        .into_iter()
}

/// A value inside of an object that may not be there itself.
fn within<T>(object: &Field<T>, inner: impl FnOnce(&T) -> Cell) -> Cell {
    object.is().map_or_else(|| Cell::of(object, |_| ""), inner)
}

fn anonymization(context: &Context) -> Cell {
    let reasons = || each(&context.reasons(), ", ");
    match context.anonymizing() {
        Anonymization::Observed => Cell::known(format!("observed: {}", reasons())),
        Anonymization::Possible => Cell::known(format!("possible: {}", reasons())),
        Anonymization::NotObserved => Cell::unknown("none observed"),
        Anonymization::Unknown => {
            Cell::unknown("unknown: a field that might tell could not be read")
        }
    }
}

fn operators(context: &Context) -> Cell {
    let operators = context.tunnel_operators();
    if operators.is_empty() {
        Cell::unknown("none named")
    } else {
        Cell::known(each(&operators, " "))
    }
}

fn tunnel_cell(tunnel: &Tunnel) -> Cell {
    let anonymous = match &tunnel.anonymous {
        Field::Is(true) => "anonymous",
        Field::Is(false) => "not anonymous",
        _ => "anonymous or not: not said",
    };
    let named = |what: &str, list: &Field<Vec<String>>| match list.items() {
        [] => None,
        items => Some(format!("{what} {}", each(items, " "))),
    };
    let parts = [
        Some(tunnel.kind.text().unwrap_or("tunnel").to_owned()),
        Some(
            tunnel
                .operator
                .text()
                .unwrap_or("without operator")
                .to_owned(),
        ),
        Some(anonymous.to_owned()),
        named("in", &tunnel.entries),
        named("out", &tunnel.exits),
    ];
    Cell::known(each(&parts.into_iter().flatten().collect::<Vec<_>>(), ", "))
}

fn system(system: &AutonomousSystem) -> String {
    let number = system.number.is().map(|number| format!("AS{number}"));
    let name = system.organization.text().map(str::to_owned);
    each(&number.into_iter().chain(name).collect::<Vec<_>>(), " ")
}

fn place(location: &Location) -> String {
    let parts = [&location.city, &location.state, &location.country];
    each(
        &parts
            .into_iter()
            .filter_map(Field::text)
            .collect::<Vec<_>>(),
        ", ",
    )
}

fn concentration(place: &Concentration) -> String {
    let names = [&place.city, &place.state, &place.country]
        .into_iter()
        .filter_map(Field::text)
        .map(str::to_owned);
    let geohash = place.geohash.text().map(|hash| format!("geohash {hash}"));
    let density = place
        .density
        .is()
        .map(|density| format!("density {density}"));
    let skew = place.skew.is().map(|skew| format!("skew {skew} km"));
    each(
        &names
            .chain(geohash)
            .chain(density)
            .chain(skew)
            .collect::<Vec<_>>(),
        ", ",
    )
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
            (
                "anonymization",
                "observed: tunnels[0].anonymous, tunnels[0].operator, client.proxies[0], client.proxies[1]",
            ),
            ("operators", "ACME_VPN"),
            ("tunnel", "VPN, ACME_VPN, anonymous, out 198.51.100.77"),
            ("proxies", "A_PROXY B_PROXY"),
            ("network owner", "AS64500 Example Hosting"),
            ("location", "Amsterdam, NL"),
            ("clients", "14"),
            ("concentration", "Zürich, density 1, skew 15400 km"),
            ("risks", "none"),
            ("services", "absent"),
            ("other keys", "new"),
        ] {
            assert_eq!(said(&record, label), expected, "{label}");
        }
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

    #[test]
    fn a_tag_is_told_with_what_it_is_beside_its_neighbours() {
        let tag = Tag::decode(
            &json!({"tag": "ACME_VPN", "name": "", "isNoLog": "true", "aliasOf": "CARGO_VPN",
            "metrics": {"distinctIPs": "6400000"}}),
        );
        let facts = of_tag(&tag.expect("tag"));
        let said = |label: &str| {
            facts
                .iter()
                .find(|fact| fact.label == label)
                .map(|fact| fact.cell.text.as_str())
        };
        assert_eq!(said("name"), Some("empty"));
        assert_eq!(said("claims no logs"), Some("yes"));
        assert_eq!(said("addresses"), Some("6,400,000"));
        assert_eq!(said("alias of"), Some("CARGO_VPN"));
        assert_eq!(said("enterprise"), None);
    }
}
