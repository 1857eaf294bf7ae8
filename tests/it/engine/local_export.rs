//! Exports of local feeds against those of the service, whose code is another: byte for byte, databases as decoded.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Read,
    sync::Arc,
};

use ipspect::{
    contract::{ExportField, ExportQuery, Feed, Output, Param},
    demo::Demo,
    engine::{ExportOrigin, ExportRun, LocalChoice, PullQuery, WantedRelease, progress::unheard},
    model::{Day, Keyword, TagName, Terms},
    store::{
        Filter, Index, StopFlag,
        export::{DatabaseAbout, DatabaseLayout, ExportIndexes, NotExported, export},
        index::{FacetBy, QueryError, build::Building},
    },
};

use super::{
    fixture::{Fixture, noon, today},
    views::{gzip_text, records},
};

/// Indexes of what the service served, by feed and day.
struct Shelf {
    fixture: Fixture<Demo>,
    indexes: BTreeMap<(Feed, Day), Index>,
    /// What each parameter is given, beside leaving it out; for a feed that does not take it, it is refused.
    values: Vec<(Param, Vec<Given>)>,
}

/// Gives a parameter a value.
type Given = Arc<dyn Fn(&mut ExportQuery)>;

fn given(give: impl Fn(&mut ExportQuery) + 'static) -> Given {
    Arc::new(give)
}

impl Shelf {
    async fn filled() -> Self {
        let fixture = Fixture::demo().await;
        let mut indexes = BTreeMap::new();
        for feed in Feed::EXPORTED {
            let diffs = !feed.is_residential() && feed != Feed::Dch;
            for back in if diffs { 0..3 } else { 0..1 } {
                let day = today().plus(-back);
                let query = PullQuery {
                    wanted: WantedRelease::Day(day),
                    ..PullQuery::latest(feed)
                };
                let query = if back == 0 {
                    PullQuery::latest(feed)
                } else {
                    query
                };
                let pulled = fixture.engine.releases.pull(&query, unheard()).await;
                let release = pulled.expect("a release").release;
                let index = indexed(&release.data, &fixture.path(&format!("{feed}-{day}")));
                indexes.insert((feed, day), index);
            }
        }
        let values = values(&indexes[&(Feed::AnonymousResidential, today())]);
        Self {
            fixture,
            indexes,
            values,
        }
    }

    /// What local feeds answer; `None` for what may not be asked.
    fn local(&self, query: &ExportQuery) -> Option<(Vec<u8>, u64)> {
        if query.is_refused() {
            return None;
        }
        let day = query.diff_date.unwrap_or(today());
        let before = self.indexes.get(&(query.feed, day.plus(-1)));
        let days = ExportIndexes {
            day: &self.indexes[&(query.feed, day)],
            before: before.filter(|_| query.diff),
            filter: None,
        };
        assert_eq!(days.before.is_some(), query.diff, "both days are here");
        let mut bytes = Vec::new();
        let rows = export(query, days, &about(), &StopFlag::default(), &mut bytes);
        Some((bytes, rows.expect("an export")))
    }

    /// Asks both, and returns the number of rows if they said the same; `None` for what may not be asked.
    async fn agree(&self, query: &ExportQuery) -> Option<u64> {
        let (local, rows) = self.local(query)?;
        let asked = self
            .fixture
            .engine
            .exports
            .export_unnamed(query, false, unheard());
        let mut served = Vec::new();
        let (mut file, counted) = asked.await.expect("an export");
        assert!(counted.is_none_or(|counted| counted == rows), "{query:?}");
        file.read_to_end(&mut served).expect("its bytes");
        if query.output == Output::Mmdb {
            assert_eq!(decoded(local), decoded(served), "{query:?}");
        } else {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("},{", "},\n{");
            let (local, served) = (text(&local), text(&served));
            for (number, (text, other)) in local.lines().zip(served.lines()).enumerate() {
                assert_eq!(text, other, "line {number} of {query:?}");
            }
            assert_eq!(local.len(), served.len(), "{query:?}");
        }
        Some(rows)
    }

    fn of(&self, param: Param) -> &[Given] {
        let (_, values) = self
            .values
            .iter()
            .find(|(other, _)| *other == param)
            .expect("every parameter");
        values
    }
}

fn about() -> DatabaseAbout {
    DatabaseAbout {
        generated: noon(),
        description: "Invented data".to_owned(),
        layout: DatabaseLayout::Service,
    }
}

/// The index of a feed file.
fn indexed(data: &std::path::Path, into: &std::path::Path) -> Index {
    let mut lines = Vec::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(data).expect("data"))
        .read_to_end(&mut lines)
        .expect("gzip");
    let mut building = Building::begin(into).expect("begin");
    building.lines(lines).expect("lines");
    building.finish(&mut |_, _| ()).expect("an index");
    Index::open(into).expect("an index")
}

/// What a database says, network by network.
fn decoded(bytes: Vec<u8>) -> BTreeMap<String, serde_json::Value> {
    let reader = maxminddb::Reader::from_source(bytes).expect("a database");
    let networks = reader.networks(maxminddb::WithinOptions::default());
    let networks = networks.expect("networks").map(|found| {
        let found = found.expect("a network");
        let value = found.decode().expect("a value").expect("there");
        (found.network().expect("a network").to_string(), value)
    });
    networks.collect()
}

/// Values of every parameter, such as the world has.
fn values(index: &Index) -> Vec<(Param, Vec<Given>)> {
    use ExportField as F;
    let stop = StopFlag::default();
    let all = index.select(&Filter::default(), &stop).expect("all");
    let words = |field| -> Vec<String> {
        let facets = index.facets(&all, &ipspect::store::index::FacetBy::Keyword(field), &stop);
        let facets = facets.expect("facets").into_iter();
        facets.map(|facet| facet.value).collect()
    };
    let tag = |text: &String| TagName::new(text).expect("a tag");
    let (tags, proxies, ccs) = (
        words(Keyword::Tag),
        words(Keyword::Proxy),
        words(Keyword::Cc),
    );
    assert!(tags.len() > 3 && proxies.len() > 2 && ccs.len() > 2);
    let (most, some) = (tag(&tags[0]), vec![tag(&tags[1]), tag(&tags[2])]);
    let (proxy, more) = (tag(&proxies[0]), vec![tag(&proxies[1]), tag(&proxies[2])]);
    let (here, there) = (ccs[0].to_lowercase(), vec![ccs[1].clone(), ccs[2].clone()]);
    let nowhere = TagName::new("NOWHERE_VPN").expect("a tag");
    let fields = |fields: &[F]| {
        let fields = fields.to_vec();
        given(move |query| query.fields.clone_from(&fields))
    };
    vec![
        (
            Param::Output,
            vec![
                given(|query| query.output = Output::Json),
                given(|query| query.output = Output::Mmdb),
            ],
        ),
        (Param::Header, vec![given(|query| query.header = true)]),
        (
            Param::Fields,
            vec![
                fields(&[F::Ip, F::Tag]),
                fields(&[F::Network, F::Tag, F::LocationCountry]),
                fields(&[F::CallbackProxy]),
                fields(&[F::Network, F::Organization]),
                fields(&[F::Asn]),
            ],
        ),
        (
            Param::Limit,
            vec![
                given(|query| query.limit = Some(1)),
                given(|query| query.limit = Some(37)),
            ],
        ),
        (
            Param::Tags,
            vec![
                given(move |query| query.tags = vec![most.clone()]),
                given(move |query| query.tags.clone_from(&some)),
                given(move |query| query.tags = vec![nowhere.clone()]),
            ],
        ),
        (
            Param::CallbackProxies,
            vec![
                given(move |query| query.callback_proxies = vec![proxy.clone()]),
                given(move |query| query.callback_proxies.clone_from(&more)),
            ],
        ),
        (
            Param::Ccs,
            vec![
                given(move |query| query.ccs = vec![here.clone()]),
                given(move |query| query.ccs.clone_from(&there)),
            ],
        ),
        (
            Param::Attributed,
            vec![given(|query| query.attributed = true)],
        ),
        (Param::Diff, vec![given(|query| query.diff = true)]),
        (
            Param::DiffDate,
            vec![given(|query| {
                (query.diff, query.diff_date) = (true, Some(today().plus(-1)))
            })],
        ),
    ]
}

/// Every pair of values of two parameters, the others left out; every value alone, and nothing at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_pair_of_parameters_is_answered_as_by_the_service() {
    let shelf = Shelf::filled().await;
    let (mut asked, mut filled) = (0, 0);
    for feed in Feed::EXPORTED {
        let mut queries = vec![ExportQuery::all_of(feed)];
        for (place, one) in Param::ALL.into_iter().enumerate() {
            for give in shelf.of(one) {
                let mut query = ExportQuery::all_of(feed);
                give(&mut query);
                for other in &Param::ALL[place + 1..] {
                    for give in shelf.of(*other) {
                        let mut query = query.clone();
                        give(&mut query);
                        queries.push(query);
                    }
                }
                queries.push(query);
            }
        }
        for query in queries {
            if let Some(rows) = shelf.agree(&query).await {
                asked += 1;
                filled += u32::from(rows > 0);
            }
        }
    }
    assert!(asked > 500 && filled > asked / 2, "{filled} of {asked}");
}

/// Any parameters together: a third of the values, and the rest left out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_combinations_are_answered_as_by_the_service() {
    let shelf = Shelf::filled().await;
    let mut dice = fastrand::Rng::with_seed(7);
    let (mut asked, mut filled) = (0, 0);
    while asked < 150 {
        let mut query = ExportQuery::all_of(dice.choice(Feed::EXPORTED).expect("a feed"));
        for param in Param::ALL {
            if dice.u8(..3) == 0
                && let Some(give) = dice.choice(shelf.of(param))
            {
                give(&mut query);
            }
        }
        if let Some(rows) = shelf.agree(&query).await {
            asked += 1;
            filled += u32::from(rows > 0);
        }
    }
    assert!(filled > asked / 3, "{filled} of {asked}");
}

#[tokio::test]
async fn an_export_that_is_stopped_says_so() {
    let shelf = Shelf::filled().await;
    let day = &shelf.indexes[&(Feed::Anonymous, today())];
    let before = shelf.indexes.get(&(Feed::Anonymous, today().plus(-1)));
    let stop = StopFlag::default();
    stop.stop();
    for output in Output::ALL {
        for diff in [false, true] {
            let mut query = ExportQuery::all_of(Feed::Anonymous);
            (query.output, query.diff) = (output, diff);
            let days = ExportIndexes {
                day,
                before,
                filter: None,
            };
            let ended = export(&query, days, &about(), &stop, &mut Vec::new());
            assert!(
                matches!(ended, Err(NotExported::Day(QueryError::Stopped))),
                "{query:?}: {ended:?}"
            );
        }
    }
}

/// A byte of an index is not what it was, somewhere: of the day, or of the day before.
#[tokio::test]
async fn damage_is_mended_before_anything_is_answered_from_it() {
    let mut fixture = Fixture::demo().await;
    let of = |wanted| PullQuery {
        wanted,
        ..PullQuery::latest(Feed::Anonymous)
    };
    for back in [0, 1] {
        let query = of(WantedRelease::Day(today().plus(-back)));
        fixture
            .engine
            .releases
            .pull(&query, unheard())
            .await
            .expect("a day");
    }
    let mut query = ExportQuery::all_of(Feed::Anonymous);
    query.diff = true;
    let mut run = ExportRun {
        query,
        file: fixture.path("out.csv"),
        force: true,
        spreadsheet_safe: false,
    };
    fixture
        .engine
        .exports
        .export(&run, unheard())
        .await
        .expect("served");
    let served = fs::read(&run.file).expect("a file");
    run.file = fixture.path("here.csv");
    for part in [1, 3, 5, 7] {
        for day in [today(), today().plus(-1)] {
            let release = fixture
                .engine
                .releases
                .open_local(Feed::Anonymous, Some(day))
                .await;
            let index = release
                .expect("a release")
                .release
                .index()
                .expect("an index");
            fixture.restart();
            let mut bytes = fs::read(&index).expect("an index");
            let place = bytes.len() * part / 8;
            bytes[place] ^= 0x55;
            fs::write(&index, bytes).expect("written");
            let exported = fixture
                .engine
                .exports
                .export_local(&run)
                .await
                .expect("an export");
            assert!(matches!(
                exported.origin,
                ExportOrigin::Disk {
                    before: Some(_),
                    ..
                }
            ));
            assert_eq!(fs::read(&run.file).expect("a file"), served, "{day} {part}");
        }
    }
}

/// The values of a field among the records that only one of two days has.
fn tally_of_changes(one: &[Terms], other: &[Terms], field: Keyword) -> BTreeMap<String, u64> {
    let subjects = |day: &[Terms]| -> BTreeSet<_> {
        day.iter()
            .filter_map(|terms| terms.subject.map(|subject| subject.network()))
            .collect()
    };
    let mut tally = BTreeMap::new();
    for (own, others) in [(one, subjects(other)), (other, subjects(one))] {
        let is_alone = |terms: &&Terms| {
            let subject = terms.subject.map(|subject| subject.network());
            subject.is_some_and(|subject| !others.contains(&subject))
        };
        for terms in own.iter().filter(is_alone) {
            for value in terms.of_field(field) {
                *tally.entry(value.to_owned()).or_default() += 1;
            }
        }
    }
    tally
}

/// The rows that a form shows are those that the export begins with, and a diff counts all of them.
#[tokio::test]
async fn a_preview_is_the_beginning_of_the_export() {
    let shelf = Shelf::filled().await;
    let fixture = &shelf.fixture;
    for (feed, diff, output) in [
        (Feed::Anonymous, false, Output::Csv),
        (Feed::Anonymous, true, Output::Csv),
        (Feed::Anonymous, true, Output::Json),
        (Feed::AnonymousIpv6, false, Output::Json),
        (Feed::Dch, false, Output::Csv),
    ] {
        let mut query = ExportQuery::all_of(feed);
        (query.diff, query.output) = (diff, output);
        query.header = output == Output::Csv;
        let preview = fixture.engine.exports.preview_local(&query).await;
        let preview = preview.expect("preview");
        let file = fixture
            .engine
            .exports
            .export_local_unnamed(&query, &LocalChoice::default(), false)
            .await;
        let whole = ipspect::engine::sample::of(file.expect("export").0, &query).expect("rows");
        assert_eq!(preview.sample.columns, whole.columns, "{feed}");
        assert_eq!(preview.sample.rows, whole.rows, "{feed}");
        assert_eq!(preview.changes.is_some(), diff);
        if let Some(changes) = preview.changes {
            let mut lines = query.clone();
            (lines.output, lines.header) = (Output::Csv, false);
            let (mut file, _) = fixture
                .engine
                .exports
                .export_local_unnamed(&lines, &LocalChoice::default(), false)
                .await
                .expect("export");
            let mut text = String::new();
            std::io::Read::read_to_string(&mut file, &mut text).expect("text");
            let ending =
                |ending: &str| text.lines().filter(|line| line.ends_with(ending)).count() as u64;
            assert_eq!(
                (changes.added, changes.removed),
                (ending(",add"), ending(",del"))
            );
            let days = fixture.engine.exports.open_for_export(&query).await;
            let days = days.expect("two days");
            let terms: Vec<Vec<Terms>> = days
                .opened()
                .map(|opened| {
                    let records = records(&gzip_text(&opened.release.data)).into_iter();
                    records.map(|(_, terms)| terms).collect()
                })
                .collect();
            assert!(!preview.changed.is_empty());
            for counts in &preview.changed {
                let FacetBy::Keyword(field) = counts.by else {
                    unreachable!("fields of the filter language")
                };
                let tally = tally_of_changes(&terms[0], &terms[1], field);
                assert_eq!(counts.distinct, tally.len(), "{field:?}");
                let found = counts.values.iter();
                let found: BTreeMap<_, _> = found
                    .map(|facet| (facet.value.clone(), facet.count))
                    .collect();
                assert_eq!(found, tally, "{field:?}");
                assert_eq!(counts.among, changes.added + changes.removed);
            }
        }
    }
}
