//! What was most likely meant by a name that there is not.

/// How many letters must be put in, taken out, replaced or exchanged with the next to make one name of another.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}

/// The one of these names that was most likely meant, if one is near enough: a third of its letters apart at most. A name that
/// goes on where the typed one ends a word is one letter apart.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = (typed.chars().count() / 3).max(1);
    let rated = names.into_iter().map(|name| {
        let apart = match name.strip_prefix(typed) {
            Some(rest) if rest.starts_with(['_', '-', '.']) => 1,
            _ => distance(typed, name),
        };
        (apart, name)
    });
    let nearest = rated.min_by_key(|(apart, _)| *apart);
    nearest
        .filter(|(apart, _)| *apart <= near)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_is_near_the_one_that_was_meant() {
        let names = ["BRAVO_PROXY", "ACME_VPN", "ACME_MOBILE_PROXY"];
        for (typed, meant) in [
            ("ACMEVPN", Some("ACME_VPN")),
            ("ACME_VPNN", Some("ACME_VPN")),
            ("CAME_VPN", Some("ACME_VPN")),
            ("BRAVO", Some("BRAVO_PROXY")),
            ("CARGO_VPN", None),
        ] {
            assert_eq!(nearest(typed, names), meant, "{typed}");
        }
        assert_eq!(nearest("x", []), None);
    }
}
