//! Exports: what is not sent, what is written, and what is refused afterwards.

use std::{fs, sync::Arc};

use ipspect::{
    contract::{ExportField, ExportQuery, Feed, Output},
    demo::FaultSite,
    engine::{ExportFileRun, ExportRun, Kind, Progress, Result, Stage, progress::unheard},
    model::TagName,
};

use super::{
    feed::{cut, names},
    fixture::{Fixture, today, until},
    wire::{Wire, answer},
};

impl<S> Fixture<S> {
    fn run(&self, change: impl FnOnce(&mut ExportRun)) -> ExportRun {
        let folder = self.path("out");
        fs::create_dir_all(&folder).expect("a folder");
        let (query, file) = (ExportQuery::all_of(Feed::Dch), folder.join("export"));
        let mut run = ExportRun {
            query,
            file,
            force: false,
            spreadsheet_safe: false,
        };
        change(&mut run);
        run
    }

    async fn export(&self, change: impl FnOnce(&mut ExportRun)) -> Result<ExportFileRun> {
        self.engine
            .exports
            .export(&self.run(change), unheard())
            .await
    }

    /// What lies in the folder of the export.
    fn out(&self) -> Vec<String> {
        names(&self.path("out"))
    }
}

impl Fixture<Wire> {
    /// An export in a form, answered with this body.
    async fn said(&self, output: Output, body: &[u8]) -> Result<ExportFileRun> {
        self.service.says(answer(200, "", body));
        self.export(|run| run.query.output = output).await
    }
}

#[tokio::test]
async fn what_the_contract_forbids_is_not_sent() {
    let fixture = Fixture::demo().await;
    let of = |feed, change: fn(&mut ExportQuery)| {
        let mut query = ExportQuery::all_of(feed);
        change(&mut query);
        query
    };
    for query in [
        of(Feed::Realtime, |_| ()),
        of(Feed::Anonymous, |query| {
            (query.diff, query.fields) = (true, vec![ExportField::Network])
        }),
        of(Feed::Anonymous, |query| {
            query.fields = vec![ExportField::Network, ExportField::Ip]
        }),
        of(Feed::Anonymous, |query| {
            query.fields = vec![ExportField::Network, ExportField::Services]
        }),
        of(Feed::Anonymous, |query| {
            query.fields = vec![ExportField::Asn]
        }),
        of(Feed::Anonymous, |query| {
            query.callback_proxies = vec![TagName::new("A_PROXY").expect("tag")]
        }),
        of(Feed::Anonymous, |query| query.limit = Some(2_000_001)),
        of(Feed::Anonymous, |query| query.limit = Some(0)),
        of(Feed::Anonymous, |query| query.ccs = vec!["XYZ".to_owned()]),
        of(Feed::Anonymous, |query| query.diff_date = Some(today())),
        of(Feed::AnonymousResidential, |query| query.diff = true),
        of(Feed::Dch, |query| query.limit = Some(1)),
        of(Feed::Dch, |query| query.attributed = true),
    ] {
        let result = fixture.export(|run| run.query = query.clone()).await;
        assert_eq!(
            result.map_err(|error| error.kind),
            Err(Kind::Usage),
            "{query:?}"
        );
    }
    let safe =
        |run: &mut ExportRun| (run.query.output, run.spreadsheet_safe) = (Output::Json, true);
    assert_eq!(
        fixture.export(safe).await.map_err(|error| error.kind),
        Err(Kind::Usage)
    );
    assert!(fixture.service.requests().is_empty() && fixture.out().is_empty());
}

#[tokio::test]
async fn records_are_counted_in_every_form() {
    let fixture = Fixture::demo().await;
    let mut counts = Vec::new();
    for (output, header) in [
        (Output::Csv, false),
        (Output::Csv, true),
        (Output::Json, false),
        (Output::Mmdb, false),
    ] {
        let exported = fixture.export(|run| {
            (run.query.output, run.query.header, run.force) = (output, header, true);
        });
        let exported = exported.await.expect("an export");
        assert_eq!(
            exported.bytes,
            fs::metadata(&exported.file).expect("there").len()
        );
        counts.push(exported.records);
    }
    assert!(counts[0].is_some_and(|count| count > 1), "{counts:?}");
    assert_eq!(counts, [counts[0], counts[0], counts[0], None]);
}

#[tokio::test]
async fn answers_of_every_shape_are_counted() {
    for (output, body, records) in [
        (Output::Csv, "", 0),
        (Output::Csv, "198.51.100.1,A\n198.51.100.2,B", 2),
        (
            Output::Csv,
            "198.51.100.1,\"A\"\"B\"\r\n\r\n198.51.100.2,\"two\nlines\"\r\n",
            2,
        ),
        (Output::Csv, "\"\",\"\"\n", 1),
        (Output::Csv, "6\" pipe,x\n", 1),
        (Output::Json, "[]", 0),
        (Output::Json, "", 0),
        (Output::Json, "\u{feff}[{\"a\":1},{\"a\":\"\\ud800\"}]\n", 2),
        (Output::Json, "{\"a\":1}\n{\"a\":2}\n\n{\"a\":3}", 3),
    ] {
        let fixture = Fixture::wire().await;
        let exported = fixture.said(output, body.as_bytes()).await.expect(body);
        assert_eq!(exported.records, Some(records), "{body:?}");
        assert_eq!(fs::read(&exported.file).expect("there"), body.as_bytes());
    }
}

#[tokio::test]
async fn an_answer_that_is_not_whole_is_no_file() {
    for (output, body) in [
        (Output::Json, "[{\"a\":1}"),
        (Output::Json, "[{\"a\":1}] more"),
        (Output::Json, "{\"a\":1}\n{\"a\":"),
        (Output::Json, "oh"),
        (Output::Csv, "198.51.100.1,\"A"),
        (Output::Csv, "198.51.100.1,A\n198.51.100.2,\"B\"\""),
        (Output::Mmdb, "not a database"),
    ] {
        let fixture = Fixture::wire().await;
        let error = fixture.said(output, body.as_bytes()).await.expect_err(body);
        assert_eq!(
            (error.kind, fixture.out()),
            (Kind::Integrity, vec![]),
            "{body:?}: {error}"
        );
    }
    for output in Output::ALL {
        let fixture = Fixture::wire().await;
        let error = fixture
            .said(output, b" <!DOCTYPE html><p>Guest network")
            .await
            .expect_err("a page");
        assert!(error.message.contains("web page"), "{output:?}: {error}");
        assert_eq!(fixture.out(), [""; 0]);
    }
}

#[tokio::test]
async fn an_export_that_is_cut_off_starts_over_and_leaves_no_half() {
    let fixture = Fixture::demo().await;
    fixture.arm("exports:cut=60x2");
    let exported = fixture.export(|_| ()).await.expect("an export");
    let clean = Fixture::demo().await;
    let whole = clean.export(|_| ()).await.expect("an export");
    assert_eq!(
        fs::read(exported.file).expect("there"),
        fs::read(whole.file).expect("there")
    );
    assert_eq!(fixture.seen(FaultSite::Exports).len(), 3);
    assert!(
        fixture
            .seen(FaultSite::Exports)
            .iter()
            .all(|seen| seen.header("range").is_none())
    );
    fixture.arm("exports:cut=60");
    let error = fixture
        .export(|run| {
            run.file
                .set_extension("other")
                .then_some(())
                .expect("renamed")
        })
        .await;
    assert_eq!(error.map_err(|error| error.kind), Err(Kind::Network));
    assert_eq!(fixture.out(), ["export"]);
}

#[tokio::test]
async fn a_file_appears_whole_or_not_at_all() {
    let fixture = Fixture::wire().await;
    fixture
        .service
        .says_and_holds(cut(answer(200, "", "198.51.100.1,A\n".repeat(9)), 30));
    let heard = || !fixture.service.heard().is_empty();
    let run = fixture.run(|_| ());
    tokio::select! {
        exported = fixture.engine.exports.export(&run, unheard()) => panic!("{exported:?}"),
        () = until("it is asked", heard) => assert!(!run.file.exists()),
    }
    assert_eq!(fixture.out(), [""; 0]);
}

#[tokio::test]
async fn a_file_that_is_there_is_kept_unless_forced() {
    let fixture = Fixture::wire().await;
    let file = fixture.run(|_| ()).file;
    fs::write(&file, "mine").expect("a file");
    let error = fixture.export(|_| ()).await.expect_err("there already");
    assert_eq!(
        (error.kind, fixture.service.heard().len()),
        (Kind::Usage, 0)
    );
    // One that appears while the export is under way is kept, too.
    fs::remove_file(&file).expect("removed");
    fixture.service.says(answer(200, "", "198.51.100.1,A\n"));
    let meanwhile = file.clone();
    let report = Arc::new(move |now: Progress| {
        if now.stage == Stage::Verifying {
            fs::write(&meanwhile, "mine").expect("a file");
        }
    });
    let error = fixture
        .engine
        .exports
        .export(&fixture.run(|_| ()), report)
        .await
        .expect_err("appeared");
    assert!(
        error.kind == Kind::Usage && error.message.contains("in the meantime"),
        "{error}"
    );
    assert_eq!(
        (fs::read(&file).expect("there"), fixture.out()),
        (b"mine".to_vec(), vec!["export".to_owned()])
    );
    let other = Fixture::wire().await;
    other.service.says(answer(200, "", "198.51.100.1,A\n"));
    fs::write(other.run(|_| ()).file, "mine").expect("a file");
    let exported = other
        .export(|run| run.force = true)
        .await
        .expect("replaced");
    assert_eq!(fs::read(exported.file).expect("there"), b"198.51.100.1,A\n");
}

#[tokio::test]
async fn cells_that_a_spreadsheet_would_run_are_guarded() {
    let fixture = Fixture::wire().await;
    fixture.service.says(answer(
        200,
        "",
        "=1+1,+2,-3,@x,\"\tt\",\"\rr\",plain,\"a,=b\"\n",
    ));
    let exported = fixture
        .export(|run| run.spreadsheet_safe = true)
        .await
        .expect("an export");
    let text = fs::read_to_string(exported.file).expect("there");
    assert_eq!(text, "'=1+1,'+2,'-3,'@x,\"'\tt\",\"'\rr\",plain,\"a,=b\"\n");
    assert_eq!(
        (exported.records, exported.bytes),
        (Some(1), text.len() as u64)
    );
}
