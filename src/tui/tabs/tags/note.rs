//! A tag as a note for a ticket, with the addresses on which it was seen.

use crate::{
    engine::Fetched,
    model::{Tag, TagName},
    report::tag_ticket,
    tui::ctx::evidence::Sighting,
};

/// The note about a tag.
pub(super) fn of(name: &TagName, fetched: &Fetched<Tag>, seen: &[Sighting]) -> String {
    let addresses: Vec<String> = seen
        .iter()
        .map(|sighting| sighting.query.address.to_string())
        .collect();
    tag_ticket(name.as_str(), fetched, &addresses.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::harness;

    #[test]
    fn a_note_has_nothing_to_click_and_says_what_is_not_known() {
        let fetched = harness::tag(
            r#"{"tag":"ACME_VPN","name":"Acme *VPN*","website":"https://acme.example/","isAnonymous":true}"#,
        );
        let note = of(&"ACME_VPN".parse().expect("tag"), &fetched, &[]);
        assert!(
            note.starts_with("### ACME_VPN\n\n- **source:** tag metadata"),
            "{note}"
        );
        assert!(
            note.contains("Acme \\*VPN\\*") && note.contains("hxxps://acme[.]example/"),
            "{note}"
        );
        assert!(note.contains("- **not known:** "), "{note}");
    }
}
