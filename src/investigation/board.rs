//! Many addresses, each with what its record says and what stands beside it in a text: filtered and grouped by either.
//!
//! ```text
//! is:vpn,proxy -cc:NL user:alice lines>10 day:2026-11-20 acme
//!     the language of filters, with `is`, `lines`, the day of events, the columns of the text, and words
//! ```

mod answers;
mod event_strip;
mod field;
mod field_terms;
mod filter;
mod groups;
mod standing;
mod time_span;
mod time_terms;

pub use self::{
    answers::{BoardAnswer, BoardAnswers, board_answers, event_answers},
    event_strip::{EventBin, EventStrip, MOST_BINS},
    field::{BoardEntry, BoardField, is_column, name_in_filters, network_around},
    field_terms::FieldTerms,
    filter::BoardFilter,
    groups::{BoardGroup, BoardGroups},
    standing::{Standing, StandingCounts, Standings},
    time_span::{BadSpan, TimeSpan},
    time_terms::TimeTerms,
};

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::{
        investigation::{
            gather::{Beside, GatheredText},
            text::AddressRole,
        },
        model::{Day, Keyword},
    };

    /// The addresses of a text that match a filter.
    fn found(text: &str, filter: &str) -> Vec<String> {
        let now = "2026-11-24T10:00:00Z".parse().expect("a time");
        let text = GatheredText::of(text, now);
        let filter = BoardFilter::read(filter, Some(text.values.columns())).expect(filter);
        let entry = |(address, _, seen): &(IpAddr, Option<Day>, _)| (*address, seen_of(seen));
        let entries: Vec<_> = text.addresses.iter().map(entry).collect();
        let matches = |(address, (beside, lines)): &(IpAddr, (Beside, u64))| {
            let entry = BoardEntry {
                address: *address,
                standings: Standing::Unknown.into(),
                record: None,
                beside: Some((&text.values, beside)),
                lines: *lines,
                role: AddressRole::Unknown,
                day: None,
                events: None,
            };
            let row = || address.to_string();
            filter.matches(&entry, row).then(|| address.to_string())
        };
        entries.iter().filter_map(matches).collect()
    }

    fn seen_of(seen: &super::super::gather::Occurrences) -> (Beside, u64) {
        (seen.beside.clone(), seen.count)
    }

    #[test]
    fn a_value_of_any_column_is_a_term_that_finds_its_addresses() {
        let text = "address,user name,type,note,src-if\n\
            198.51.100.7,alice,login,\"a, b\",eth0\n\
            198.51.100.8,bob,logout,say \"\"x\"\",eth1\n";
        for (column, value) in [
            ("user name", "alice"),
            ("type", "login"),
            ("src-if", "eth0"),
            ("note", "a, b"),
        ] {
            let term = BoardField::Column(column.to_owned()).term(value);
            assert_eq!(found(text, &term), ["198.51.100.7"], "{term}");
            assert_eq!(found(text, &format!("-{term}")), ["198.51.100.8"], "{term}");
        }
        assert_eq!(
            BoardField::Column("type".to_owned()).term("login"),
            "text.type:login"
        );
        assert_eq!(found(text, "src-if:eth0"), ["198.51.100.7"]);
        assert_eq!(found(text, "type:VPN"), [""; 0], "a field of records");
        assert_eq!(found(text, "net:198.51.100.8/32"), ["198.51.100.8"]);
        assert_eq!(
            found(text, "-cc:NL"),
            [""; 0],
            "without a record there is no country"
        );
        assert_eq!(found(text, "is:unknown lines:1 100.7"), ["198.51.100.7"]);
        for wrong in [
            "user:alice",
            "is:dog",
            "lines:many",
            "lines>1,2",
            "day:soon",
        ] {
            assert!(BoardFilter::read(wrong, Some(&[])).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_term_of_several_values_is_read_as_these() {
        for by in [
            BoardField::Is,
            BoardField::Record(Keyword::Org),
            BoardField::Record(Keyword::Cc),
            BoardField::Column("user name".to_owned()),
        ] {
            let values = match by {
                BoardField::Is => ["vpn", "no-record"],
                BoardField::Record(Keyword::Cc) => ["NL", "DE"],
                _ => ["a, \"b\"", "c"],
            };
            let term = by.term_of(values);
            let columns = ["user name".to_owned()];
            let filter = BoardFilter::read(&term, Some(&columns)).expect(&term);
            assert_eq!(filter.accepted(&by).expect(&term), values, "{term}");
            let negated = BoardFilter::read(&format!("-{term}"), Some(&columns)).expect(&term);
            assert_eq!(negated.accepted(&by), None, "{term}");
            let other = BoardField::Record(Keyword::Tag);
            assert_eq!(filter.accepted(&other), None, "{term}");
        }
    }

    #[test]
    fn groups_count_each_value_of_an_address_once_and_add_up_over_parts() {
        let entry = |lines| BoardEntry {
            address: [198, 51, 100, 7].into(),
            standings: {
                let mut standings = Standings::from(Standing::Vpn);
                standings.insert(Standing::Hosting);
                standings
            },
            record: None,
            beside: None,
            lines,
            role: AddressRole::Own,
            day: None,
            events: None,
        };
        let mut groups = BoardGroups::new(BoardField::Is);
        groups.add(&entry(3));
        let mut others = BoardGroups::new(BoardField::Is);
        others.add(&entry(4));
        groups.merge(others);
        let ranked = groups.ranked();
        let counts = ranked
            .iter()
            .map(|group| (group.value.as_deref(), group.addresses, group.lines));
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts, [(Some("hosting"), 2, 7), (Some("vpn"), 2, 7)]);
        let mut without = BoardGroups::new(BoardField::Record(Keyword::Tag));
        without.add(&entry(1));
        assert_eq!(without.ranked()[0].value, None);
    }
}
