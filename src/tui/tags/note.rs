//! A tag as a note for a ticket: Markdown in which nothing can be clicked, with source, time, and what is not known.

use crate::{
    engine::Fetched,
    model::{Field, Tag, TagName, visible},
    tui::{
        evidence::Sighting,
        ticket::Note,
        words::{self, decimal, number},
    },
};

use super::case::kind_of;

/// The note about a tag.
pub(super) fn of(name: &TagName, fetched: &Fetched<Tag>, seen: &[Sighting]) -> String {
    let tag = &fetched.value;
    let mut note = Note::about(&visible(name.as_str()));
    let asked_at = fetched.provenance.asked_at;
    note.line(
        "source",
        &format!("tag metadata of the Context API, live, asked {asked_at:.0}"),
    );
    note.field("name", &tag.name, String::clone);
    note.line("kind", &kind_of(tag));
    for (label, list) in [
        ("categories", &tag.categories),
        ("protocols", &tag.protocols),
        ("targetingTypes", &tag.targeting_types),
    ] {
        note.field(label, list, |values| values.join(", "));
    }
    for (label, flag) in [
        ("isAnonymous", &tag.is_anonymous),
        ("isCallbackProxy", &tag.is_callback_proxy),
        ("isNoLog", &tag.is_no_log),
        ("isInactive", &tag.is_inactive),
    ] {
        note.field(label, flag, |set| yes_or_no(*set).to_owned());
    }
    metrics(&mut note, tag);
    note.field("website", &tag.website, |url| url.replace('.', "[.]"));
    for (label, list) in [("aliases", &tag.aliases), ("resoldBy", &tag.resold_by)] {
        note.field(label, list, |names| names.join(", "));
    }
    note.field("aliasOf", &tag.alias_of, String::clone);
    if !seen.is_empty() {
        let addresses = seen.iter();
        let addresses = addresses.map(|sighting| words::defanged(sighting.query.address));
        note.line("seen on", &addresses.collect::<Vec<_>>().join(", "));
    }
    note.finish()
}

fn yes_or_no(set: bool) -> &'static str {
    if set { "yes" } else { "no" }
}

fn metrics(note: &mut Note, tag: &Tag) {
    let metrics = tag.metrics.is();
    let of =
        |field: fn(&crate::model::tag::Metrics) -> Field<f64>| metrics.map_or(Field::Absent, field);
    let devices = of(|metrics| metrics.average_device_count);
    note.field("devices on average", &devices, |count| decimal(*count));
    note.field("churn", &of(|metrics| metrics.churn_rate), |rate| {
        decimal(*rate)
    });
    let addresses = metrics.map_or(Field::Absent, |metrics| metrics.distinct_ips);
    note.field("addresses", &addresses, |count| number(*count));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::rehearsal;

    #[test]
    fn a_note_has_nothing_to_click_and_says_what_is_not_known() {
        let fetched = rehearsal::tag(
            r#"{"tag":"ACME_VPN","name":"Acme *VPN*","website":"https://acme.example/","isAnonymous":true,
                "metrics":{"averageDeviceCount":18204.5},"resoldBy":["BRAVO_PROXY"],"categories":[]}"#,
        );
        let name = "ACME_VPN".parse().expect("tag");
        assert_eq!(
            of(&name, &fetched, &[]),
            "### ACME_VPN\n\n\
             - **source**: tag metadata of the Context API, live, asked 2026-11-20T23:10:00Z\n\
             - **name**: Acme \\*VPN\\*\n\
             - **kind**: anonymous\n\
             - **isAnonymous**: yes\n\
             - **devices on average**: 18,204.5\n\
             - **website**: https[://]acme[.]example/\n\
             - **resoldBy**: BRAVO_PROXY\n\
             - **not known**: categories, protocols, targetingTypes, isCallbackProxy, isNoLog, isInactive, churn, \
             addresses, aliases, aliasOf\n"
        );
    }
}
