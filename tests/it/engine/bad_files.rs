//! Files that are not what they should be: nothing of them is published, and the release before stays and answers.

use ipspect::{
    contract::{Feed, Format},
    engine::{Kind, PullQuery, progress::unheard},
};

use super::{
    feed::{FEED, gz, records, rest, whole},
    fixture::Fixture,
    wire::answer,
};

/// A file with one byte changed.
fn with_byte(mut file: Vec<u8>, at: usize) -> Vec<u8> {
    file[at] ^= 0x10;
    file
}

#[tokio::test]
async fn what_is_not_whole_or_not_a_feed_is_not_published() {
    let file = records("new", 9);
    let end = file.len();
    let json_array = gz(r#"[{"network":"198.51.100.0/24"}]"#);
    for (what, bytes) in [
        ("nothing", Vec::new()),
        ("no gzip", b"{\"network\":\"198.51.100.0/24\"}\n".to_vec()),
        ("a gzip header alone", file[..10].to_vec()),
        ("cut in a record", file[..end / 2].to_vec()),
        ("cut before its checksum", file[..end - 8].to_vec()),
        ("cut in its checksum", file[..end - 3].to_vec()),
        ("another byte", with_byte(file.clone(), end / 2)),
        ("another checksum", with_byte(file.clone(), end - 7)),
        ("another length", with_byte(file.clone(), end - 2)),
        ("garbage behind it", [&file[..], b"garbage"].concat()),
        ("zeros behind it", [&file[..], &[0; 512]].concat()),
        (
            "a second member cut",
            [&file[..], &records("more", 2)[..20]].concat(),
        ),
        (
            "a web page in gzip",
            gz("<html>\n<body>Sign in</body>\n</html>\n"),
        ),
        ("one array", json_array),
        ("plain text", gz("one\ntwo\n")),
        ("no line at all", gz("")),
        ("blank lines", gz("\n\n\r\n")),
    ] {
        let (fixture, old) = Fixture::with_release().await;
        fixture.service.says(whole("new", &bytes));
        let error = fixture.pull().await.expect_err(what);
        assert_eq!(error.kind, Kind::Integrity, "{what}: {error}");
        assert_eq!(fixture.published(), Some(old), "{what}");
        // Nothing of it is kept, unless it is sound and only has no records; the next run works.
        fixture.service.says(whole("new", &file));
        let partial = fixture.partial();
        assert!(
            partial.is_empty() || error.message.contains("is empty"),
            "{what}: {partial:?}"
        );
        fixture.pull().await.expect(what);
        assert_eq!(fixture.published().as_ref(), Some(&file), "{what}");
    }
}

#[tokio::test]
async fn a_web_page_in_place_of_a_file_is_called_one() {
    for kind in ["Content-Type: text/html\r\n", ""] {
        let (fixture, old) = Fixture::with_release().await;
        // Whatever is asked for, metadata too.
        for _ in 0..2 {
            fixture.service.says(answer(
                200,
                kind,
                "<!DOCTYPE html><title>Guest network</title>",
            ));
        }
        let error = fixture.pull().await.expect_err("a page");
        assert_eq!(error.kind, Kind::Contract);
        assert!(error.message.contains("web page"), "{error}");
        assert_eq!(fixture.published(), Some(old));
    }
}

#[tokio::test]
async fn faults_of_the_storage_leave_the_release_as_it_was() {
    for fault in [
        "storage:short",
        "storage:corrupt",
        "storage:html",
        "feeds:html",
    ] {
        let fixture = Fixture::demo().await;
        fixture.arm(fault);
        fixture.pull().await.expect_err(fault);
        assert_eq!(
            (fixture.published(), fixture.partial()),
            (None, vec![]),
            "{fault}"
        );
        fixture.service.faults().clear();
        fixture.pull().await.expect(fault);
    }
}

#[tokio::test]
async fn files_of_several_members_are_read_to_their_end() {
    let (one, two) = (records("one", 3), records("two", 4));
    let fixture = Fixture::wire().await;
    fixture
        .service
        .says(whole("a", &[one, gz(""), two].concat()));
    let pulled = fixture.pull().await.expect("a release");
    assert_eq!(pulled.release.manifest.records, Some(7));
    let demo = Fixture::demo().await;
    let query = PullQuery::latest(Feed::AnonymousResidential);
    let pulled = demo
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("a release");
    let metadata = demo
        .engine
        .live
        .feed_metadata(query.feed)
        .await
        .expect("metadata");
    let lines = metadata
        .value
        .json
        .is()
        .and_then(ipspect::model::feed_metadata::ReleaseMetadata::line_count);
    assert!(lines.is_some());
    assert_eq!(pulled.release.manifest.records, lines);
}

#[tokio::test]
async fn far_fewer_records_than_before_are_refused_unless_accepted() {
    for (before, now, accepted) in [
        (10, 5, true),
        (10, 4, false),
        (3, 2, true),
        (3, 1, false),
        (1, 1, true),
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(whole("old", &records("old", before)));
        fixture.pull().await.expect("the first release");
        let file = records("new", now);
        fixture.service.says(whole("new", &file));
        let refused = fixture.pull().await.err();
        assert_eq!(
            refused.as_ref().map(|error| error.kind),
            (!accepted).then_some(Kind::Integrity),
            "{before} {now}"
        );
        let Some(error) = refused else { continue };
        assert!(
            error
                .hint
                .as_deref()
                .is_some_and(|hint| hint.contains("--allow-shrink")),
            "{error}"
        );
        assert_eq!(fixture.published(), Some(records("old", before)));
        // What came is not fetched again.
        let range = format!("Content-Range: bytes */{}\r\n", file.len());
        fixture.service.says(answer(416, &range, ""));
        let query = PullQuery {
            allow_shrink: true,
            ..PullQuery::latest(FEED)
        };
        fixture
            .engine
            .releases
            .pull(&query, unheard())
            .await
            .expect("accepted");
        assert_eq!(fixture.published(), Some(file));
    }
}

#[tokio::test]
async fn a_refused_file_that_was_mended_meanwhile_is_fetched() {
    let (fixture, _) = Fixture::with_release().await;
    fixture.service.says(whole("none", &gz("\n")));
    fixture.pull().await.expect_err("no records");
    let mended = records("new", 3);
    fixture.service.says(whole("new", &mended));
    fixture.pull().await.expect("a release");
    assert_eq!(fixture.published(), Some(mended));
}

#[tokio::test]
async fn an_mmdb_file_without_its_end_is_not_published() {
    let query = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(Feed::Ipgeo)
    };
    let fixture = Fixture::demo().await;
    fixture.arm("storage:shortx1");
    let error = fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect_err("half a file");
    assert_eq!(error.kind, Kind::Integrity, "{error}");
    let pulled = fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("a release");
    let reader = maxminddb::Reader::open_readfile(&pulled.release.data).expect("a database");
    assert!(reader.metadata().node_count > 0);
    let bytes = std::fs::read(&pulled.release.data).expect("a file");
    let wire = Fixture::wire().await;
    for damaged in [
        bytes[..bytes.len() - 1].to_vec(),
        [&bytes[..4000], &bytes[4700..]].concat(),
        [&bytes[..9000], &bytes[9700..]].concat(),
    ] {
        wire.service.says(whole("b", &damaged));
        let error = wire.engine.releases.pull(&query, unheard()).await;
        let error = error.expect_err("no whole database").to_string();
        assert!(error.contains("not a whole MMDB file"), "{error}");
    }
    let wire = Fixture::wire().await;
    wire.service.says(rest("a", b"xx", 1));
    wire.service.says(whole("a", b"nothing of the kind"));
    let error = wire
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect_err("no database");
    assert_eq!(
        (error.kind, wire.service.heard().len()),
        (Kind::Integrity, 2),
        "{error}"
    );
}
