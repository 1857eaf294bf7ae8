//! Views of local releases against a walk over the lines of the same feed: counts, pages, positions, facets, pivots.

use std::{collections::BTreeMap, io::Read, path::Path};

use flate2::read::MultiGzDecoder;
use ipspect::{
    contract::{Feed, Format},
    demo::Demo,
    engine::{
        DiffRecord, Error, Kind, PullQuery, Wanted,
        progress::unheard,
        views::{PivotKind, ViewQuery},
    },
    model::{Context, Document, Keyword, Subject, Terms},
    store::{
        Filter, Moment,
        index::{FacetBy, Order, SortBy},
    },
};

use super::stand::{Stand, today};

/// The feeds that are pulled: contexts of both families, netblocks, geolocation.
const FEEDS: [Feed; 5] = [
    Feed::Anonymous,
    Feed::AnonymousResidential,
    Feed::AnonymousIpv6,
    Feed::Dch,
    Feed::Ipgeo,
];

const FILTERS: [&str; 7] = [
    "",
    "cc:NL",
    "infra:DATACENTER -cc:NL,DE",
    "clients>=5",
    "net:198.18.0.0/16,2001:db8::/33",
    "type:VPN,PROXY attributed:yes",
    "tag:NO_SUCH_TAG",
];

pub(super) async fn with_feeds(feeds: &[Feed]) -> Stand<Demo> {
    let stand = Stand::demo().await;
    for feed in feeds {
        let query = PullQuery::latest(*feed);
        let pulled = stand.engine.releases.pull(&query, unheard()).await;
        pulled.unwrap_or_else(|error| panic!("{feed}: {error}"));
    }
    stand
}

fn query(feed: Feed, filter: &str, order: Order) -> ViewQuery {
    ViewQuery {
        feed,
        day: None,
        filter: filter.parse().expect(filter),
        order,
    }
}

/// The records of the newest release of a feed, line by line.
pub(super) fn naive(stand: &Stand<Demo>, feed: Feed) -> Vec<(String, Terms)> {
    let latest = stand.engine.releases.cache().latest(feed, Format::Json);
    records(&gzip_text(&latest.expect("cache").expect("a release").data))
}

pub(super) fn gzip_text(data: &Path) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(std::fs::File::open(data).expect("data"))
        .read_to_string(&mut text)
        .expect("gzip");
    text
}

pub(super) fn records(text: &str) -> Vec<(String, Terms)> {
    let record = |line: &str| {
        let document = Document::read(line.as_bytes()).expect("a record");
        (document.to_line(), Terms::of(document.value()))
    };
    text.lines().map(record).collect()
}

pub(super) fn selected<'a>(all: &'a [(String, Terms)], filter: &str) -> Vec<&'a (String, Terms)> {
    let filter: Filter = filter.parse().expect("a filter");
    let records = all.iter().filter(|(_, terms)| filter.matches(terms));
    records.collect()
}

async fn lines(stand: &Stand<Demo>, query: &ViewQuery, step: u64) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let first = lines.len() as u64;
        let page = stand.engine.views.page(query, first..first + step).await;
        let page = page.expect("a page");
        assert_eq!(page.first, first);
        let rows = page.rows.iter().map(|row| row.as_ref().expect("a record"));
        lines.extend(rows.map(Document::to_line));
        if lines.len() as u64 == page.view.count {
            return lines;
        }
        assert!(!page.rows.is_empty(), "{query:?}");
    }
}

#[tokio::test]
async fn pages_hold_what_a_walk_over_the_feed_finds() {
    let stand = with_feeds(&FEEDS).await;
    for feed in FEEDS {
        let all = naive(&stand, feed);
        for filter in FILTERS {
            let expected: Vec<&str> = selected(&all, filter)
                .iter()
                .map(|(line, _)| &**line)
                .collect();
            let in_file = lines(&stand, &query(feed, filter, Order::File), 700).await;
            assert_eq!(in_file, expected, "{feed} {filter}");
            for order in [Order::Address, Order::Clients] {
                let ordered = lines(&stand, &query(feed, filter, order), 1000).await;
                let mut sorted = ordered.clone();
                sorted.sort_unstable();
                let mut expected = expected.clone();
                expected.sort_unstable();
                assert_eq!(sorted, expected, "{feed} {filter} {order:?}");
                if order == Order::Clients {
                    let clients = |line: &String| {
                        let document = Document::read(line.as_bytes()).expect("a record");
                        Terms::of(document.value()).clients.unwrap_or_default()
                    };
                    assert!(ordered.iter().map(clients).is_sorted_by(|a, b| a >= b));
                }
            }
        }
    }
}

/// A value as it is sorted: whether it is a name, its number, its letters.
type Value = (bool, u64, String);

/// The first value of a record in a field or at a path, as it is sorted: numbers by size before names, absent last.
fn first_value(line: &str, terms: &Terms, by: SortBy) -> Option<Value> {
    let values: Vec<String> = match by {
        SortBy::Words(field) => terms.of_field(field).map(str::to_owned).collect(),
        SortBy::Path(path) => {
            let pointer = format!("/{}", path.replace('.', "/"));
            let document = Document::read(line.as_bytes()).expect("a record");
            let value = document.value().pointer(&pointer);
            let text = value.map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
            text.filter(|text| !text.is_empty()).into_iter().collect()
        }
    };
    let key = |text: String| {
        let number = text.parse::<u64>().ok();
        (
            number.is_none(),
            number.unwrap_or_default(),
            text.to_ascii_lowercase(),
        )
    };
    values.into_iter().map(key).min()
}

#[tokio::test]
async fn any_column_sorts_in_both_directions_as_a_walk_does() {
    let stand = with_feeds(&FEEDS).await;
    let fields = [
        SortBy::Words(Keyword::Cc),
        SortBy::Words(Keyword::Asn),
        SortBy::Words(Keyword::Org),
        SortBy::Words(Keyword::Infra),
        SortBy::Words(Keyword::Tag),
        SortBy::Path("location.city"),
        SortBy::Path("client.countries"),
    ];
    let mut orders = 0;
    for feed in FEEDS {
        let all = naive(&stand, feed);
        for (filter, step) in [("", 997), ("cc:NL,DE", 40)] {
            let by_address = query(feed, filter, Order::Address);
            let by_address = lines(&stand, &by_address, 5000).await;
            let terms: BTreeMap<&str, &Terms> =
                all.iter().map(|(line, terms)| (&**line, terms)).collect();
            for by in fields {
                for descending in [false, true] {
                    let mut expected: Vec<(Option<Value>, &String)> = by_address
                        .iter()
                        .map(|line| (first_value(line, terms[&**line], by), line))
                        .collect();
                    expected.sort_by(|(one, _), (other, _)| {
                        let ends = one.is_none().cmp(&other.is_none());
                        let values = one.cmp(other);
                        ends.then(if descending { values.reverse() } else { values })
                    });
                    let order = Order::Field { by, descending };
                    let asked = query(feed, filter, order);
                    let found = lines(&stand, &asked, step).await;
                    let expected: Vec<&String> =
                        expected.into_iter().map(|(_, line)| line).collect();
                    assert!(
                        found.iter().eq(expected),
                        "{feed} {filter:?} {by:?} {descending}"
                    );
                    // A record is found where it stands.
                    if let Some(line) = found.get(found.len() / 2) {
                        let network = terms[&**line].subject.expect("a subject").network();
                        let position = stand.engine.views.position(&asked, network).await;
                        let position = position.expect("an answer").expect("a position");
                        let there = usize::try_from(position).expect("small");
                        let subject = |line: &String| terms[&**line].subject;
                        assert_eq!(subject(&found[there]), subject(line), "{feed} {by:?}");
                    }
                    orders += 1;
                }
            }
        }
    }
    assert_eq!(orders, FEEDS.len() * 2 * fields.len() * 2);
}

#[tokio::test]
async fn records_are_named_as_a_walk_names_them() {
    let stand = with_feeds(&[Feed::Anonymous]).await;
    let all = naive(&stand, Feed::Anonymous);
    let asked = query(Feed::Anonymous, "cc:NL", Order::File);
    let names = stand
        .engine
        .views
        .names(&asked, 3..50)
        .await
        .expect("names");
    let expected = selected(&all, "cc:NL");
    let expected = expected[3..50].iter().map(|(_, terms)| {
        let subject = terms.subject.expect("a subject").to_string();
        let tags: Vec<&str> = terms.of_field(Keyword::Tag).collect();
        (subject, tags)
    });
    let found = names.iter().map(|own| {
        let tags: Vec<&str> = own.tags.iter().map(String::as_str).collect();
        (own.name.clone(), tags)
    });
    assert!(found.eq(expected));
}

#[tokio::test]
async fn what_lies_in_a_network_is_counted_in_every_kind_of_feed() {
    let stand = with_feeds(&FEEDS).await;
    for network in [
        "198.18.0.0/16",
        "2001:db8::/33",
        "203.0.113.0/24",
        "192.0.2.7/32",
    ] {
        let parsed = network.parse().expect(network);
        let held = stand
            .engine
            .views
            .held_within(parsed)
            .await
            .expect("counts");
        let counted: Vec<Feed> = held.counts().map(|own| own.feed).collect();
        assert_eq!(counted, FEEDS);
        for own in held.counts() {
            let walked = selected(&naive(&stand, own.feed), &format!("net:{network}")).len();
            assert_eq!(own.records, walked as u64, "{} {network}", own.feed);
        }
        let most = held
            .contexts
            .iter()
            .map(|own| own.records)
            .max()
            .unwrap_or_default();
        let most = if most > 0 {
            most
        } else {
            held.others
                .iter()
                .map(|own| own.records)
                .max()
                .unwrap_or_default()
        };
        assert_eq!(held.richest().map_or(0, |own| own.records), most);
    }
}

#[tokio::test]
async fn a_position_leads_to_the_record_or_to_the_first_of_a_network() {
    let stand = with_feeds(&[Feed::Anonymous]).await;
    let all = naive(&stand, Feed::Anonymous);
    for order in [Order::File, Order::Address, Order::Clients] {
        let query = query(Feed::Anonymous, "infra:DATACENTER", order);
        let rows = lines(&stand, &query, 5000).await;
        for (line, terms) in selected(&all, "infra:DATACENTER").into_iter().step_by(97) {
            let network = terms.subject.expect("a subject").network();
            let position = stand.engine.views.position(&query, network).await;
            let position = position.expect("an answer").expect("a position");
            assert_eq!(&rows[usize::try_from(position).expect("small")], line);
        }
        let block = "198.18.0.0/15".parse().expect("a network");
        let position = stand.engine.views.position(&query, block).await;
        let first = rows
            .iter()
            .position(|line| line.contains("\"198.18.") || line.contains("\"198.19."));
        assert_eq!(
            position.expect("an answer"),
            first.map(|first| first as u64)
        );
        let nowhere = "203.0.113.0/24".parse().expect("a network");
        let empty = ViewQuery {
            filter: "tag:NO_SUCH_TAG".parse().expect("a filter"),
            ..query
        };
        let position = stand.engine.views.position(&empty, nowhere).await;
        assert_eq!(position.expect("an answer"), None);
    }
}

#[tokio::test]
async fn facets_and_clauses_count_what_a_walk_counts() {
    let stand = with_feeds(&FEEDS).await;
    for feed in FEEDS {
        let all = naive(&stand, feed);
        let asked = query(feed, "cc:NL,DE -infra:MOBILE clients<1000000", Order::File);
        let fields = [Keyword::Tag, Keyword::Cc, Keyword::Infra].map(FacetBy::Keyword);
        let counted = stand
            .engine
            .views
            .facets(&asked, &fields, 3)
            .await
            .expect("facets");
        for (counts, (field, filter)) in counted.iter().zip([
            (Keyword::Tag, "cc:NL,DE -infra:MOBILE clients<1000000"),
            // Its own choice does not narrow it.
            (Keyword::Cc, "-infra:MOBILE clients<1000000"),
            (Keyword::Infra, "cc:NL,DE -infra:MOBILE clients<1000000"),
        ]) {
            let among = selected(&all, filter);
            let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
            for (_, terms) in &among {
                for value in terms.of_field(field) {
                    *tally.entry(value).or_default() += 1;
                }
            }
            assert_eq!(counts.among, among.len() as u64, "{feed} {filter}");
            assert_eq!(counts.distinct, tally.len(), "{feed} {field:?}");
            let named = |value: &str| match field {
                Keyword::Cc => ["NL", "DE"].contains(&value),
                Keyword::Infra => value == "MOBILE",
                _ => false,
            };
            let (frequent, rare) = counts.values.split_at(tally.len().min(3));
            assert!(rare.iter().all(|own| named(&own.value)), "{rare:?}");
            for value in tally.keys().filter(|value| named(value)) {
                let is_here = frequent.iter().chain(rare).any(|own| own.value == *value);
                assert!(is_here, "{feed} {value}: the filter names it");
            }
            for facet in &counts.values {
                assert_eq!(
                    tally.get(&*facet.value),
                    Some(&facet.count),
                    "{feed} {facet:?}"
                );
            }
        }
        let clauses = stand.engine.views.clauses(&asked).await.expect("clauses");
        let terms = ["cc:NL,DE", "-infra:MOBILE", "clients<1000000"];
        for (clause, term) in clauses.iter().zip(terms) {
            assert_eq!(clause.term.to_string(), term);
            let others = terms.into_iter().filter(|other| *other != term);
            let others = others.collect::<Vec<_>>().join(" ");
            assert_eq!(
                clause.alone,
                selected(&all, term).len() as u64,
                "{feed} {term}"
            );
            assert_eq!(
                clause.without,
                selected(&all, &others).len() as u64,
                "{feed} {term}"
            );
        }
        assert_eq!(clauses.len(), terms.len());
    }
}

#[tokio::test]
async fn pivots_count_the_records_that_share_a_value() {
    let feeds = [Feed::Anonymous, Feed::AnonymousResidential, Feed::Dch];
    let stand = with_feeds(&feeds).await;
    let anonymous = naive(&stand, Feed::Anonymous);
    let (line, _) = anonymous
        .iter()
        .find(|(line, _)| line.contains("\"operator\"") && line.contains("\"organization\""))
        .expect("one");
    let document = Document::read(line.as_bytes()).expect("a record");
    let context = Context::decode(document.value()).expect("a context");
    let subject = context.subject().expect("a subject");
    let pivots = stand
        .engine
        .views
        .pivots(subject, &document)
        .await
        .expect("pivots")
        .pivots;
    assert!(pivots.iter().any(|pivot| pivot.kind == PivotKind::Operator));
    assert!(
        pivots
            .iter()
            .any(|pivot| pivot.kind == PivotKind::Organization)
    );
    for pivot in &pivots {
        // A feed of netblocks holds no contexts: it is not counted at all.
        let counted: Vec<Feed> = pivot.counts.iter().map(|count| count.feed).collect();
        assert_eq!(counted, feeds[..2]);
        for count in &pivot.counts {
            let found = selected(&naive(&stand, count.feed), &pivot.filter.to_string()).len();
            assert_eq!(count.records, found as u64, "{pivot:?}");
            assert_eq!(count.moment.day(), today());
            if pivot.kind == PivotKind::Organization {
                let all = naive(&stand, count.feed);
                let mut same = 0;
                for (_, terms) in &all {
                    let mut names = terms.of_field(Keyword::Org);
                    same += u64::from(names.any(|name| name.eq_ignore_ascii_case(&pivot.value)));
                }
                assert_eq!(count.records, same, "{pivot:?}");
            }
            // The browser that the row opens shows the very same number.
            let query = ViewQuery {
                filter: pivot.filter.clone(),
                ..query(count.feed, "", Order::Clients)
            };
            let page = stand.engine.views.page(&query, 0..1).await;
            assert_eq!(page.expect("a page").view.count, count.records, "{pivot:?}");
        }
    }
    // A record that is not in any feed has its neighbours.
    let empty = Document::read(b"{}").expect("an object");
    let alone = Subject::Address("198.51.100.77".parse().expect("address"));
    let pivots = stand
        .engine
        .views
        .pivots(alone, &empty)
        .await
        .expect("pivots")
        .pivots;
    assert_eq!(pivots.len(), 1);
    assert_eq!(pivots[0].value, "198.51.100.0/24");
}

#[tokio::test]
async fn a_view_keeps_to_its_day_and_names_a_newer_one() {
    let stand = with_feeds(&[Feed::Anonymous]).await;
    let before = today().plus(-1);
    let older = PullQuery {
        wanted: Wanted::Day(before),
        ..PullQuery::latest(Feed::Anonymous)
    };
    stand
        .engine
        .releases
        .pull(&older, unheard())
        .await
        .expect("the day before");
    for (day, shown, newer) in [(None, today(), None), (Some(before), before, Some(today()))] {
        let query = ViewQuery {
            day,
            ..query(Feed::Anonymous, "cc:NL", Order::Address)
        };
        let page = stand
            .engine
            .views
            .page(&query, 0..10)
            .await
            .expect("a page");
        assert_eq!(page.view.release.manifest.moment.day(), shown);
        assert_eq!(page.view.newer.map(Moment::day), newer);
    }
    let missing = query(Feed::AnonymousIpv6, "", Order::File);
    let error = stand
        .engine
        .views
        .page(&missing, 0..1)
        .await
        .expect_err("not local");
    assert_eq!(error.kind, Kind::NotFound);
}

#[tokio::test]
async fn two_days_are_compared_in_pieces_as_in_one() {
    let stand = with_feeds(&[Feed::Anonymous]).await;
    let before = today().plus(-1);
    let older = PullQuery {
        wanted: Wanted::Day(before),
        ..PullQuery::latest(Feed::Anonymous)
    };
    let releases = &stand.engine.releases;
    let pulled = releases.pull(&older, unheard()).await;
    pulled.expect("the day before");
    let days = releases.open_days(Feed::Anonymous, Some(before), Some(today()));
    let days = days.await.expect("two days");
    let piece = async |positions: std::ops::Range<u64>| {
        let mut names = Vec::new();
        let take = |records: Vec<DiffRecord>| {
            let side = |own: &DiffRecord| own.after.clone().or(own.before.clone());
            names.extend(records.iter().filter_map(side));
            Ok::<(), Error>(())
        };
        let all = Filter::default();
        let compared = releases.diff_within(&days, &all, positions, take);
        compared.await.expect("a comparison");
        names
    };
    let all = piece(0..u64::MAX).await;
    assert!(all.len() > 10, "{}", all.len());
    let mut found = Vec::new();
    for positions in [0..3, 3..7, 7..u64::MAX, u64::MAX..u64::MAX] {
        found.extend(piece(positions).await);
    }
    assert_eq!(found, all);
}
