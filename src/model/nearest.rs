//! The name most likely meant by one that does not exist.

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

/// The one of these names that was most likely meant, whatever case and dashes it is typed with: the nearest, else the shortest
/// that has it as a part.
#[must_use]
pub fn meant<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST_PART: usize = 3;
    let folded = |text: &str| text.trim().to_lowercase().replace('_', "-");
    let typed = folded(typed);
    let names: Vec<(String, &str)> = names.into_iter().map(|name| (folded(name), name)).collect();
    let near = nearest(&typed, names.iter().map(|(folded, _)| folded.as_str()));
    let of_part = || {
        let is_part = typed.chars().count() >= SHORTEST_PART;
        let names = names.iter().map(|(folded, _)| folded.as_str());
        let holding = names.filter(|name| is_part && name.contains(&typed));
        holding.min_by_key(|name| name.len())
    };
    let near = near.or_else(of_part)?;
    let found = names.iter().find(|(folded, _)| folded == near);
    found.map(|(_, name)| *name)
}

/// The mend for a name that does not exist: the one most likely meant, else all names.
#[must_use]
pub fn instead_of(typed: &str, names: &[&str]) -> String {
    match (meant(typed, names.iter().copied()), names) {
        (Some(name), _) => format!("did you mean {name}?"),
        (None, [only]) => format!("there is only {only}"),
        (None, _) => format!("there are {}", names.join(", ")),
    }
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

    #[test]
    fn case_dashes_and_parts_are_understood() {
        let names = [
            "anonymous",
            "anonymous-residential",
            "ipgeo",
            "locationCountry",
            "md",
        ];
        for (typed, expected) in [
            ("anonymus", Some("anonymous")),
            ("ANONYMOUS_RESIDENTIAL", Some("anonymous-residential")),
            ("residential", Some("anonymous-residential")),
            ("geo", Some("ipgeo")),
            ("country", Some("locationCountry")),
            ("xml", None),
            ("o", None),
            ("", None),
        ] {
            assert_eq!(meant(typed, names), expected, "{typed}");
        }
        assert_eq!(instead_of("geo", &["ipgeo"]), "did you mean ipgeo?");
        assert_eq!(instead_of("x", &["ab", "cd"]), "there are ab, cd");
    }
}
