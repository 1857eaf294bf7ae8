//! What an index answers, against the walk over all records.

use std::collections::HashMap;

use ipnet::IpNet;
use ipspect::{
    model::{
        Document, Keyword,
        compare::{DifferenceKind, compare},
    },
    store::{
        Filter, StopFlag,
        filter::Test,
        index::{FacetBy, Order, QueryError, SortField},
    },
};
use proptest::{collection::vec, prelude::*};

use super::{
    feeds::{Feed, feeds},
    fixture::{FEW, Fixture, Holds, MANY, draw},
    naive::Naive,
    questions::{filter, network},
};

/// What is asked of one feed.
type Questions = (Feed, Vec<IpNet>, Vec<(Filter, usize)>);

fn questions(most: usize) -> impl Strategy<Value = Questions> {
    (
        feeds(most),
        vec(network(), 0..12),
        vec((filter(), 0..most), 1..5),
    )
}

fn is_answered((feed, networks, filters): &Questions) -> Holds {
    let fixture = Fixture::of(feed);
    is_ordered(&fixture)?;
    for network in networks {
        let found = fixture.places(fixture.index.covering(*network)?);
        prop_assert_eq!(found, fixture.naive.covering(*network), "{}", network);
    }
    let families: [IpNet; 2] = ["0.0.0.0/0", "::/0"].map(|text| text.parse().expect(text));
    for network in networks.iter().chain(&families) {
        let within: Filter = [Test::Within(vec![*network])].into_iter().collect();
        let has = !fixture.naive.select(&within).is_empty();
        prop_assert_eq!(fixture.index.has_within(*network)?, has, "{}", network);
    }
    for (filter, most) in filters {
        is_selected(&fixture, filter, *most)?;
        is_paged(&fixture, filter)?;
    }
    Ok(())
}

fn holds_the_same(a: &[u8], b: &[u8]) -> bool {
    let (Ok(a), Ok(b)) = (Document::read(a), Document::read(b)) else {
        return false;
    };
    let differences = compare(a.value(), b.value());
    differences
        .iter()
        .all(|found| found.change() == DifferenceKind::Equal)
}

/// The orders by fields: by the words of several kinds of field, and by paths.
fn by_fields(naive: &Naive, meant: &[usize]) -> Vec<(Order, Vec<usize>)> {
    let words = [
        Keyword::Tag,
        Keyword::Cc,
        Keyword::Asn,
        Keyword::Org,
        Keyword::Entry,
    ]
    .map(SortField::Words);
    let paths = [
        "location.city",
        "as.organization",
        "client.count",
        "tunnels.operator",
    ]
    .map(SortField::Path);
    let mut orders = Vec::new();
    for by in words.into_iter().chain(paths) {
        for descending in [false, true] {
            let sorted = match by {
                SortField::Words(field) => naive.by_words(meant, field, descending),
                SortField::Path(path) => naive.by_path(meant, path, descending),
            };
            orders.push((Order::Field { by, descending }, sorted));
        }
    }
    orders
}

/// Every page of a selection holds the rows that the whole order has there, and every row knows its position.
fn is_paged(fixture: &Fixture, filter: &Filter) -> Holds {
    let stop = StopFlag::default();
    let (index, naive) = (&fixture.index, &fixture.naive);
    let selection = index.select(filter, &stop)?;
    let meant = naive.select(filter);
    for (order, expected) in [
        (Order::File, meant.clone()),
        (Order::Address, naive.by_address(&meant)),
        (Order::Clients, naive.busiest(&meant, meant.len())),
        (Order::AddressDescending, naive.by_address_turned(&meant)),
        (Order::ClientsAscending, naive.least_busy(&meant)),
    ]
    .into_iter()
    .chain(by_fields(naive, &meant))
    {
        let ordered = index.ordered(&selection, order, &stop)?;
        prop_assert_eq!(ordered.count(), meant.len() as u64);
        let first = ordered.page(index, 1..4, &stop)?;
        let rows = ordered.page(index, 0..u64::MAX, &stop)?;
        prop_assert!(rows.iter().skip(1).take(3).eq(&first));
        ordered.complete(index, &stop)?;
        prop_assert!(ordered.is_complete());
        prop_assert_eq!(&ordered.page(index, 0..u64::MAX, &stop)?, &rows);
        prop_assert_eq!(
            fixture.places(rows.clone()),
            expected,
            "{:?} {}",
            order,
            filter
        );
        for (position, row) in (0..).zip(&rows) {
            prop_assert_eq!(
                ordered.position(index, *row, &stop)?,
                Some(position),
                "{:?}",
                order
            );
        }
        let within = rows.len() as u64 / 3..rows.len() as u64 / 2 + 1;
        let page = ordered.page(index, within.clone(), &stop)?;
        let expected = rows.iter().skip(rows.len() / 3).take(page.len());
        prop_assert!(expected.eq(&page));
        prop_assert_eq!(
            page.len() as u64,
            within.end.min(rows.len() as u64) - within.start
        );
        let other = fixture.rows.iter().find(|row| !selection.contains(**row));
        if let Some(row) = other {
            prop_assert_eq!(ordered.position(index, *row, &stop)?, None);
        }
    }
    Ok(())
}

/// All subjects come by address. Equal lines have equal hashes, and records of equal hashes hold the same.
fn is_ordered(fixture: &Fixture) -> Holds {
    let subjects: Result<Vec<_>, QueryError> = fixture.index.subjects().collect();
    let mut expected = fixture.naive.by_address(&fixture.naive.places());
    expected.retain(|place| fixture.naive.records[*place].terms.subject.is_some());
    let (mut lines, mut hashes) = (HashMap::new(), HashMap::new());
    let mut listed = Vec::new();
    for (subject, row, hash) in subjects? {
        let place = fixture.places([row])[0];
        let record = &fixture.naive.records[place];
        prop_assert_eq!(Some(subject), record.terms.subject);
        let first = *lines.entry(hash).or_insert(&record.line);
        prop_assert!(
            first == &record.line || holds_the_same(first, &record.line),
            "{:?} {:?}",
            first,
            record.line
        );
        prop_assert_eq!(*hashes.entry(&record.line).or_insert(hash), hash);
        listed.push(place);
    }
    prop_assert_eq!(listed, expected);
    Ok(())
}

fn is_selected(fixture: &Fixture, filter: &Filter, most: usize) -> Holds {
    let (index, naive, stop) = (&fixture.index, &fixture.naive, StopFlag::default());
    let selection = index.select(filter, &stop)?;
    let expected = naive.select(filter);
    prop_assert_eq!(fixture.places(selection.rows()), &expected[..]);
    prop_assert_eq!(selection.count(), expected.len() as u64);
    for (place, row) in fixture.rows.iter().enumerate() {
        prop_assert_eq!(selection.contains(*row), expected.contains(&place));
    }
    let from = (most / 2).min(expected.len());
    let page = selection.rows().skip(from).take(10);
    let to = (from + 10).min(expected.len());
    prop_assert_eq!(fixture.places(page), &expected[from..to]);
    let busiest = index.busiest(&selection, most, &stop)?;
    prop_assert_eq!(fixture.places(busiest), naive.busiest(&expected, most));
    let counts = index.client_counts(&selection, &stop)?;
    let busiest = index.busiest_of_counted(&selection, &counts, most, &stop)?;
    prop_assert_eq!(fixture.places(busiest), naive.busiest(&expected, most));
    let ordered = index.by_address(&selection, &stop)?;
    prop_assert_eq!(fixture.places(ordered), naive.by_address(&expected));
    let facets = |by: &FacetBy| -> Result<Vec<(String, u64)>, QueryError> {
        let facets = index.facets(&selection, by, &stop)?.into_iter();
        Ok(facets.map(|facet| (facet.value, facet.count)).collect())
    };
    for field in Keyword::ALL {
        let counted = facets(&FacetBy::Keyword(field))?;
        let words = naive.facets(&expected, field);
        prop_assert_eq!(&counted, &words, "{:?}", field);
        // A piece of some word, its beginning, and what most words have.
        let letters = |at: usize| {
            let word = words.get(most % words.len().max(1)).map(|(word, _)| word);
            let letters = word.into_iter().flat_map(|word| word.chars());
            letters.skip(at).take(2).collect::<String>()
        };
        for part in [
            letters(0).to_uppercase(),
            letters(3),
            "e".to_owned(),
            String::new(),
        ] {
            let found = index
                .alike(&selection, field, &part, most, &stop)?
                .into_iter();
            let found: Vec<_> = found.map(|facet| (facet.value, facet.count)).collect();
            let mut alike = naive.alike(&expected, field, &part);
            alike.truncate(most);
            prop_assert_eq!(found, alike, "{:?} {:?}", field, part);
        }
    }
    for path in PATHS {
        let counted = facets(&FacetBy::Path(path.to_owned()))?;
        prop_assert_eq!(counted, naive.values(&expected, path), "{}", path);
    }
    Ok(())
}

/// Paths that no field stands for, and some that are no path of any record.
const PATHS: [&str; 10] = [
    "location.city",
    "client.count",
    "client",
    "client.concentration.country",
    "tunnels.anonymous",
    "tunnels.entries.ip",
    "ip",
    "names.en",
    "x",
    "none.such",
];

#[test]
fn every_question_is_answered_as_by_a_walk_over_all_records() {
    draw(FEW, &questions(100), |drawn| is_answered(&drawn));
}

#[test]
#[ignore = "long: see the head of tests/it/index.rs"]
fn many_questions_are_answered_as_by_a_walk_over_all_records() {
    draw(MANY, &questions(400), |drawn| is_answered(&drawn));
}

/// A line that is no record changes nothing for the lines behind it.
#[test]
fn a_line_that_is_no_record_does_not_change_how_others_are_kept() {
    let line = br#"{"ip":"198\u002e51.100.7","infrastructure":"\u004dOBILE"}"#.to_vec();
    for odd in ["null", "1", "\"x\"", "[1]", "{", ""] {
        for block in [1, 3] {
            let lines = vec![line.clone(), odd.as_bytes().to_vec(), line.clone()];
            let mut feed = Feed::plain(lines);
            feed.block = block;
            is_ordered(&Fixture::of(&feed)).expect(odd);
        }
    }
}
