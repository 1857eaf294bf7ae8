//! The metadata of a tag, in words.

use super::{Fact, fact, remainder, within};
use crate::{
    model::{Field, Tag, tag::Metrics},
    report::{Cell, Columns, TextCell, decimal, each},
};

/// What the metadata of a tag says.
#[must_use]
pub fn of_tag(tag: &Tag) -> Vec<Fact> {
    let metric = |label: &'static str, show: fn(&Metrics) -> TextCell| {
        fact(label, within(&tag.metrics, show))
    };
    let mut facts = vec![
        fact("name", TextCell::text(&tag.name)),
        fact("description", TextCell::text(&tag.description)),
        fact("website", TextCell::text(&tag.website)),
        fact("categories", TextCell::list(&tag.categories)),
        fact("anonymous", TextCell::flag(tag.is_anonymous)),
        fact("callback proxy", TextCell::flag(tag.is_callback_proxy)),
        fact("claims no logs", TextCell::flag(tag.is_no_log)),
        fact("white label", TextCell::flag(tag.allows_white_label)),
        fact("platforms", TextCell::list(&tag.platforms)),
        fact("protocols", TextCell::list(&tag.protocols)),
        fact("targeting", TextCell::list(&tag.targeting_types)),
        metric("devices", |metrics| {
            TextCell::of(&metrics.average_device_count, |number| decimal(*number))
        }),
        metric("churn rate", |metrics| {
            TextCell::number(&metrics.churn_rate)
        }),
        metric("addresses", |metrics| {
            TextCell::count(&metrics.distinct_ips)
        }),
        metric("ASNs", |metrics| TextCell::count(&metrics.distinct_asns)),
        metric("ISPs", |metrics| TextCell::count(&metrics.distinct_isps)),
        metric("countries", |metrics| {
            TextCell::count(&metrics.distinct_countries)
        }),
    ];
    // These are in few records, and say something only where they are.
    let rare = [
        fact("tracked", TextCell::flag(tag.is_tracked)),
        fact("days observed", TextCell::number(&tag.max_age_days)),
        fact("alias of", TextCell::text(&tag.alias_of)),
        fact("aliases", TextCell::list(&tag.aliases)),
        fact("all tags", TextCell::list(&tag.all_tags)),
        fact("resold by", TextCell::list(&tag.resold_by)),
        fact(
            "resells",
            TextCell::of(&tag.resells, |resells| {
                each(resells.iter().map(ToString::to_string), " ")
            }),
        ),
        fact(
            "local networks",
            TextCell::flag(tag.allows_local_network_access),
        ),
        fact("enterprise", TextCell::flag(tag.is_enterprise)),
        fact("inactive", TextCell::flag(tag.is_inactive)),
    ];
    facts.extend(rare.into_iter().filter(|fact| fact.cell.text != "absent"));
    facts.extend(remainder(&tag.unknown, &tag.odd));
    facts
}

/// Adds the columns of a tag.
pub fn tag_columns<R: 'static>(columns: Columns<R>, tag: fn(&R) -> &Tag) -> Columns<R> {
    let text = |field: &Field<String>| TextCell::text(field).dashed();
    let metric = move |show: fn(&Metrics) -> Cell| {
        move |row: &R| tag(row).metrics.is().map_or(Cell::Null, show)
    };
    columns
        .column("tag", "tag", move |row| text(&tag(row).tag))
        .column("name", "name", move |row| text(&tag(row).name))
        .data("website", move |row| text(&tag(row).website))
        .words("kind", move |row| tag(row).kind_word().map(str::to_owned))
        .column("categories", "categories", move |row| {
            let categories = Some(each(tag(row).categories.items(), " "));
            categories.filter(|categories| !categories.is_empty())
        })
        .column("is_anonymous", "anonymous", move |row| {
            tag(row).is_anonymous.into_option()
        })
        .data("is_callback_proxy", move |row| {
            tag(row).is_callback_proxy.into_option()
        })
        .data("is_no_log", move |row| tag(row).is_no_log.into_option())
        .column(
            "average_device_count",
            "devices",
            metric(|metrics| {
                TextCell::number(&metrics.average_device_count)
                    .dashed()
                    .into()
            }),
        )
        .data(
            "churn_rate",
            metric(|metrics| TextCell::number(&metrics.churn_rate).into()),
        )
        .column(
            "distinct_ips",
            "addresses",
            metric(|metrics| metrics.distinct_ips.into_option().into()),
        )
        .data("alias_of", move |row| text(&tag(row).alias_of))
}

/// What a tag says in its columns, for programs, each behind the name of the column.
#[must_use]
pub fn tag_values(tag: &Tag) -> Vec<(&'static str, String)> {
    let columns = tag_columns(Columns::default(), |tag| tag);
    columns
        .names()
        .into_iter()
        .zip(columns.texts(tag))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
