//! Keys and answers in, questions and screens out.

mod form;
mod local;
mod presets;
mod results;

use std::{path::PathBuf, slice};

use super::draft::DraftField;
use crate::{
    contract::{ExportField, ExportQuery, Feed, LookupQuery, Output, Param, Rule, Severity},
    engine::{
        Error, ExportFileRun, ExportOrigin, ExportRun, Kind, Progress, Sample, Stage, TablePage,
    },
    model::Day,
    tui::{
        ctx::{Answer, Cmd, Question, TrailStop},
        harness::{self, Harness, copied, facts},
        shell::registry::TabId,
    },
};

/// What is asked by effects, except for what is counted locally with each change of the form.
fn questions(cmds: &[Cmd]) -> Vec<Question> {
    let mut asked = harness::questions(cmds);
    asked.retain(|question| {
        let local = matches!(
            question,
            Question::Page(..)
                | Question::Facets(..)
                | Question::LocalPreview(_)
                | Question::LocalTags
        );
        !local
    });
    asked
}

fn query(change: impl FnOnce(&mut ExportQuery)) -> ExportQuery {
    let mut query = ExportQuery::all_of(Feed::Anonymous);
    query.header = true;
    change(&mut query);
    query
}

fn script() -> Harness {
    Harness::on(TabId::Export).0
}

/// What the form asks for now.
fn asked(script: &Harness) -> ExportQuery {
    script.app.tabs.export.build.query()
}

fn run_of(query: ExportQuery, force: bool) -> ExportRun {
    ExportRun {
        query,
        file: PathBuf::from("/cases/anonymous-20261120-2314.csv"),
        force,
        spreadsheet_safe: false,
    }
}

fn rows(more: bool) -> Sample {
    let columns = [
        "ip",
        "tag",
        "infrastructure",
        "clientCount",
        "locationCountry",
    ];
    let row = |ip: &str, tag: &str, clients: &str| {
        [ip, tag, "DATACENTER", clients, "NL"]
            .map(str::to_owned)
            .to_vec()
    };
    Sample {
        columns: columns.map(str::to_owned).to_vec(),
        rows: vec![
            row("198.51.100.77", "ACME_VPN", "14"),
            row("198.51.100.0/24", "ACME_VPN", "9"),
            row("203.0.113.40", "CARGO_VPN\u{1b}[2J", "1234"),
        ],
        more,
    }
}

fn is_rows(question: &Question) -> bool {
    matches!(question, Question::ExportRows(..))
}

/// The first rows of the file.
fn page() -> TablePage {
    let Sample { columns, rows, .. } = rows(true);
    TablePage {
        columns,
        records: 43_291,
        count: 43_291,
        first: 0,
        rows,
        is_torn: false,
        took: std::time::Duration::from_millis(9),
    }
}

fn exported() -> ExportFileRun {
    ExportFileRun {
        file: PathBuf::from("/cases/anonymous-20261120-2314.csv"),
        bytes: 1_204_112,
        records: Some(43_291),
        asked_at: "2026-11-20T23:14:40Z".parse().expect("timestamp"),
        origin: ExportOrigin::Service {
            url: "https://exports.example/v1/feeds/anonymous?output=csv&includeCSVHeader=true"
                .to_owned(),
        },
    }
}

/// Presses ctrl-s, takes the name that is offered, and says that no such file is there.
fn start(script: &mut Harness) -> Question {
    let run = run_of(asked(script), false);
    let there = Question::IsThere(run.file.clone());
    assert_eq!(
        questions(&script.keys("<ctrl-s><enter>")),
        slice::from_ref(&there)
    );
    let cmds = script.answer(&there, Ok(Answer::IsThere(false)));
    let export = Question::Export(run);
    assert_eq!(questions(&cmds), slice::from_ref(&export));
    export
}

#[test]
fn running_asks_for_a_file_then_exports_then_shows_rows() {
    let mut script = script();
    let export = start(&mut script);
    let cmds = script.answer(&export, Ok(Answer::Exported(exported())));
    assert!(matches!(
        questions(&cmds).as_slice(),
        [Question::ExportRows(..)]
    ));
    script.answer_any(is_rows, Ok(Answer::ExportRows(page())));
    let screen = script.screen_at(120, 36);
    for words in [
        "43,291 records, 1.1 MiB in /cases/anonymous",
        "198.51.100.77",
        "Rows of anonymous-20261120-2314.csv",
        "1 of 43,291",
        "all 43,291 rows",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_the_person_says_so() {
    let mut script = script();
    let file = run_of(query(|_| ()), false).file;
    let there = Question::IsThere(file);
    script.keys("<ctrl-s><enter>");
    assert_eq!(
        questions(&script.answer(&there, Ok(Answer::IsThere(true)))),
        []
    );
    assert!(script.screen_at(80, 24).contains("Replace this file?"));
    assert_eq!(questions(&script.keys("n")), []);
    script.keys("<enter>");
    script.answer(&there, Ok(Answer::IsThere(true)));
    let export = Question::Export(run_of(query(|_| ()), true));
    assert_eq!(questions(&script.keys("y")), [export]);
}

#[test]
fn an_answer_about_another_name_is_dropped() {
    let mut script = script();
    let there = Question::IsThere(run_of(query(|_| ()), false).file);
    script.keys("<ctrl-s><enter>");
    script.types("x");
    assert_eq!(
        questions(&script.answer(&there, Ok(Answer::IsThere(false)))),
        []
    );
    script.keys("<esc>");
    assert!(script.app.surface().is_none());
}

#[test]
fn only_the_export_started_last_shows_its_rows() {
    let mut script = script();
    let first = start(&mut script);
    script.keys("<right>");
    script.keys("<ctrl-s>");
    script.types("2");
    let file = PathBuf::from("/cases/anonymous-residential-20261120-2314.csv2");
    script.keys("<enter>");
    let there = Question::IsThere(file);
    script.answer(&there, Ok(Answer::IsThere(false)));
    assert_eq!(
        questions(&script.answer(&first, Ok(Answer::Exported(exported())))),
        []
    );
}

#[test]
fn rows_from_the_service_come_and_older_answers_do_not_count() {
    let mut script = script();
    let first = Question::Preview(query(|q| q.limit = Some(12)));
    assert_eq!(questions(&script.keys("S")), slice::from_ref(&first));
    let late = script.job(&first);
    let cmds = script.keys("<right>S");
    let second = Question::Preview(query(|q| {
        (q.feed, q.limit) = (Feed::AnonymousResidential, Some(12));
    }));
    assert!(cmds.contains(&Cmd::Cancel(late)));
    assert_eq!(questions(&cmds), slice::from_ref(&second));
    script.answer_to(late, Ok(Answer::Sample(rows(false))));
    assert!(!script.screen_at(120, 36).contains("198.51.100.77"));
    script.answer(&second, Ok(Answer::Sample(rows(false))));
    let screen = script.screen_at(120, 36);
    assert!(
        screen.contains("[server] 3 rows of anonymous-residential"),
        "{screen}"
    );
    script.keys("<left>");
    assert!(script.screen_at(120, 36).contains("~ older form, 3 rows"));
    assert_eq!(script.keys("x").len(), 0);
    // dch takes no limit, so a few rows of it cannot be had.
    script.keys("<right><right><right><right>");
    assert_eq!(questions(&script.keys("S")), []);
}

#[test]
fn enter_on_a_row_looks_its_address_up() {
    let mut script = script();
    script.keys("S");
    let few = Question::Preview(query(|q| q.limit = Some(12)));
    script.answer(&few, Ok(Answer::Sample(rows(false))));
    script.keys("<s-tab><down><enter>");
    assert_eq!(
        script.notice(),
        "this row is about a network: there is no single address to look up"
    );
    script.keys("<up>");
    assert_eq!(copied(&script.keys("yi")), Some("198.51.100.77"));
    assert_eq!(
        copied(&script.keys("yr")),
        Some("198.51.100.77\tACME_VPN\tDATACENTER\t14\tNL")
    );
    script.keys("<enter>");
    let address = "198.51.100.77".parse().expect("address");
    let here = TrailStop::Address(LookupQuery::now(address));
    assert_eq!(script.app.trail.here(), Some(&here));
    assert_eq!(script.app.tab, TabId::Lookup);
    script.keys("<back>");
    assert_eq!(script.app.tab, TabId::Export);
    assert_eq!(
        copied(&script.keys("yi")),
        Some("198.51.100.77"),
        "the same row"
    );
}

#[test]
fn the_request_can_be_copied() {
    let mut script = script();
    assert_eq!(
        copied(&script.keys("yv")),
        Some("https://exports.example/v1/feeds/anonymous?output=csv&includeCSVHeader=true")
    );
    let curl = script.keys("yc");
    assert!(copied(&curl).expect("curl").contains("$IPSPECT_TOKEN"));
    let note = script.keys("ym");
    assert!(copied(&note).expect("note").contains("not run yet"));
    assert_eq!(copied(&script.keys("yi")), None);
}

#[test]
fn tags_seed_a_form_and_undo_brings_the_other_back() {
    let mut script = script();
    script.keys("<right>");
    for tag in ["ACME_VPN", "CARGO_VPN"] {
        script.keys("2i");
        script.types(tag);
        script.keys("<enter> ");
    }
    script.keys("E<enter>");
    assert_eq!(
        script
            .app
            .tabs
            .export
            .build
            .draft()
            .text(DraftField::Of(Param::Tags)),
        "ACME_VPN, CARGO_VPN"
    );
    script.keys("u");
    assert_eq!(asked(&script).feed, Feed::AnonymousResidential);
}

#[test]
fn a_screen_of_a_form_at_rest() {
    let mut script = script();
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

#[test]
fn a_screen_of_conflicts() {
    let mut script = script();
    script.keys("<tab><tab><tab> <right> <tab><tab>");
    script.types("WIDGET_PROXY");
    script.keys("<tab><tab><tab>");
    script.types("abc");
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

#[test]
fn a_screen_while_an_export_runs_and_after() {
    let mut script = script();
    let export = start(&mut script);
    let progress = Progress {
        stage: Stage::Downloading,
        done: 700_000,
        total: None,
    };
    script.progress(&export, progress);
    insta::assert_snapshot!(script.screen_at(120, 36));
    script.answer(&export, Ok(Answer::Exported(exported())));
    script.answer_any(is_rows, Ok(Answer::ExportRows(page())));
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
    script.keys("<back>");
    insta::assert_snapshot!(script.screen_at(120, 36));
    script.keys("<s-tab>Z");
    script.draws_at_any_size();
}

#[test]
fn a_screen_of_a_failure_and_of_the_file() {
    let (mut script, _) = Harness::on_with(facts(), TabId::Export);
    script.keys("S");
    let failed = Error::new(
        Kind::Network,
        "https://exports.example did not answer in 30 s",
    )
    .hint("try again; [network] in config.toml sets the limits");
    let few = Question::Preview(query(|q| q.limit = Some(12)));
    script.answer(&few, Err(failed));
    insta::assert_snapshot!(script.screen_at(120, 36));
    script.keys("<ctrl-s>");
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

#[test]
fn without_a_service_nothing_is_offered_that_needs_one() {
    let mut world = facts();
    world
        .urls
        .retain(|(host, _)| *host == crate::contract::Host::Context);
    let (mut script, _) = Harness::on_with(world, TabId::Export);
    for (width, height) in [(120, 36), (80, 24)] {
        let screen = script.screen_at(width, height);
        for key in ["ctrl-s", "S asks", "S server", "d downloads"] {
            assert!(!screen.contains(key), "{key}\n{screen}");
        }
    }
    assert!(
        script
            .screen_at(120, 36)
            .contains("exports_url is not set: T sets it")
    );
    for key in ["S", "<ctrl-s>"] {
        assert_eq!(questions(&script.keys(key)), []);
        assert_eq!(script.notice(), "exports_url is not set: T sets it");
    }
}

#[test]
fn a_screen_of_hosting() {
    let mut script = script();
    script.keys("<right><right><right><right>");
    insta::assert_snapshot!(script.screen_at(80, 24));
}

/// What came of another form is not what this one would bring.
#[test]
fn the_result_of_a_former_run_says_so_once_the_form_is_another() {
    let mut script = script();
    let export = start(&mut script);
    script.answer(&export, Ok(Answer::Exported(exported())));
    script.answer_any(is_rows, Ok(Answer::ExportRows(page())));
    script.keys("<back>");
    let words = "~ the last run, of an older form: anonymous";
    assert!(!script.screen().contains(words), "{}", script.screen());
    script.keys("<right>");
    assert!(script.screen().contains(words), "{}", script.screen());
}
