//! Views of local releases against a walk over the lines of the same feed: counts, pages, orders, positions, names.

use std::{collections::BTreeMap, io::Read, path::Path};

use flate2::read::MultiGzDecoder;
use ipspect::{
    contract::{Feed, Format},
    demo::Demo,
    engine::{Kind, PullQuery, WantedRelease, progress::unheard, views::ViewQuery},
    model::{Document, Keyword, Terms},
    store::{
        Filter, Moment,
        index::{Order, SortField},
    },
};

use super::fixture::{Fixture, today};

const FILTERS: [&str; 7] = [
    "",
    "cc:NL",
    "infra:DATACENTER -cc:NL,DE",
    "clients>=5",
    "net:198.18.0.0/16,2001:db8::/33",
    "type:VPN,PROXY attributed:yes",
    "tag:NO_SUCH_TAG",
];

/// All feeds of the catalogue are local, so that no kind of record is left out.
pub(super) async fn with_all_feeds() -> Fixture<Demo> {
    with_feeds(&Feed::all().collect::<Vec<_>>()).await
}

pub(super) async fn with_feeds(feeds: &[Feed]) -> Fixture<Demo> {
    let fixture = Fixture::demo().await;
    for feed in feeds {
        let query = PullQuery::latest(*feed);
        let pulled = fixture.engine.releases.pull(&query, unheard()).await;
        pulled.unwrap_or_else(|error| panic!("{feed}: {error}"));
    }
    fixture
}

pub(super) fn query(feed: Feed, filter: &str, order: Order) -> ViewQuery {
    ViewQuery {
        feed,
        day: None,
        filter: filter.parse().expect(filter),
        order,
    }
}

/// The records of the newest release of a feed, line by line.
pub(super) fn naive(fixture: &Fixture<Demo>, feed: Feed) -> Vec<(String, Terms)> {
    let latest = fixture.engine.releases.cache().latest(feed, Format::Json);
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

async fn lines(fixture: &Fixture<Demo>, query: &ViewQuery, step: u64) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let first = lines.len() as u64;
        let page = fixture.engine.views.page(query, first..first + step).await;
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
    let fixture = with_all_feeds().await;
    for feed in Feed::all() {
        let all = naive(&fixture, feed);
        for filter in FILTERS {
            let expected: Vec<&str> = selected(&all, filter)
                .iter()
                .map(|(line, _)| &**line)
                .collect();
            let in_file = lines(&fixture, &query(feed, filter, Order::File), 700).await;
            assert_eq!(in_file, expected, "{feed} {filter}");
            for order in [Order::Address, Order::Clients] {
                let ordered = lines(&fixture, &query(feed, filter, order), 1000).await;
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
fn first_value(line: &str, terms: &Terms, by: SortField) -> Option<Value> {
    let values: Vec<String> = match by {
        SortField::Words(field) => terms.of_field(field).map(str::to_owned).collect(),
        SortField::Path(path) => {
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
    let fixture = with_all_feeds().await;
    let fields = [
        SortField::Words(Keyword::Cc),
        SortField::Words(Keyword::Asn),
        SortField::Words(Keyword::Org),
        SortField::Words(Keyword::Infra),
        SortField::Words(Keyword::Tag),
        SortField::Path("location.city"),
        SortField::Path("client.countries"),
    ];
    let mut orders = 0;
    for feed in Feed::all() {
        let all = naive(&fixture, feed);
        for (filter, step) in [("", 997), ("cc:NL,DE", 40)] {
            let by_address = query(feed, filter, Order::Address);
            let by_address = lines(&fixture, &by_address, 5000).await;
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
                    let found = lines(&fixture, &asked, step).await;
                    let expected: Vec<&String> =
                        expected.into_iter().map(|(_, line)| line).collect();
                    assert!(
                        found.iter().eq(expected),
                        "{feed} {filter:?} {by:?} {descending}"
                    );
                    // A record is found where it is.
                    let line = found.get(found.len() / 2);
                    let subject = line.and_then(|line| terms[&**line].subject);
                    if let (Some(line), Some(subject)) = (line, subject) {
                        let network = subject.network();
                        let position = fixture.engine.views.position(&asked, network).await;
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
    assert_eq!(orders, Feed::all().count() * 2 * fields.len() * 2);
}

#[tokio::test]
async fn records_are_named_as_a_walk_names_them() {
    let fixture = with_feeds(&[Feed::Anonymous]).await;
    let all = naive(&fixture, Feed::Anonymous);
    let asked = query(Feed::Anonymous, "cc:NL", Order::File);
    let names = fixture
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
    let found = names.iter().map(|name| {
        let tags: Vec<&str> = name.tags.iter().map(String::as_str).collect();
        (name.name.clone(), tags)
    });
    assert!(found.eq(expected));
}

#[tokio::test]
async fn a_position_leads_to_the_record_or_to_the_first_of_a_network() {
    let fixture = with_feeds(&[Feed::Anonymous]).await;
    let all = naive(&fixture, Feed::Anonymous);
    for order in [Order::File, Order::Address, Order::Clients] {
        let query = query(Feed::Anonymous, "infra:DATACENTER", order);
        let rows = lines(&fixture, &query, 5000).await;
        for (line, terms) in selected(&all, "infra:DATACENTER").into_iter().step_by(97) {
            let network = terms.subject.expect("a subject").network();
            let position = fixture.engine.views.position(&query, network).await;
            let position = position.expect("an answer").expect("a position");
            assert_eq!(&rows[usize::try_from(position).expect("small")], line);
        }
        let block = "198.18.0.0/15".parse().expect("a network");
        let position = fixture.engine.views.position(&query, block).await;
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
        let position = fixture.engine.views.position(&empty, nowhere).await;
        assert_eq!(position.expect("an answer"), None);
    }
}

#[tokio::test]
async fn a_view_keeps_to_its_day_and_names_a_newer_one() {
    let fixture = with_feeds(&[Feed::Anonymous]).await;
    let before = today().plus(-1);
    let older = PullQuery {
        wanted: WantedRelease::Day(before),
        ..PullQuery::latest(Feed::Anonymous)
    };
    fixture
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
        let page = fixture
            .engine
            .views
            .page(&query, 0..10)
            .await
            .expect("a page");
        assert_eq!(page.view.release.manifest.moment.day(), shown);
        assert_eq!(page.view.newer.map(Moment::day), newer);
    }
    let missing = query(Feed::AnonymousIpv6, "", Order::File);
    let error = fixture
        .engine
        .views
        .page(&missing, 0..1)
        .await
        .expect_err("not local");
    assert_eq!(error.kind, Kind::NotFound);
}
