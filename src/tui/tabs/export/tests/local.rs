//! What is local of what the form asks for: counted with each change, free.

use std::time::Duration;

use super::*;
use crate::{
    engine::{
        LocalPreview, PastRun, Preset, SavedExports,
        views::{FacetCounts, Page, View, ViewQuery},
    },
    model::Keyword,
    store::{
        DaySource, Manifest, Moment,
        export::Changes,
        index::{Facet, FacetBy},
        layout::Release,
    },
    tui::tabs::export::local::view_of,
};

fn moment(text: &str) -> Moment {
    Moment::parse(text).expect(text)
}

fn release(day: &str) -> Release {
    let manifest = Manifest::new(
        Feed::Anonymous,
        moment(day),
        DaySource::Header,
        false,
        "feed-1.json.gz".to_owned(),
        1_600_000_000,
        "00".repeat(32),
        "/v2/anonymous/latest.json.gz".to_owned(),
        harness::now(),
    );
    Release {
        manifest,
        data: PathBuf::from("/cache/feeds/anonymous/feed-1.json.gz"),
    }
}

fn page(count: u64) -> Answer {
    Answer::Page(Page {
        view: View {
            release: release("20261120"),
            records: 20_104_877,
            count,
            took: Duration::from_millis(9),
            newer: None,
        },
        first: 0,
        rows: Vec::new(),
    })
}

fn facets() -> Answer {
    let counts = |field, values: &[(&str, u64)]| FacetCounts {
        by: FacetBy::Keyword(field),
        values: values
            .iter()
            .map(|(value, count)| Facet {
                value: (*value).to_owned(),
                count: *count,
            })
            .collect(),
        distinct: values.len(),
        among: 43_308,
    };
    Answer::Facets(vec![
        counts(
            Keyword::Tag,
            &[
                ("ACME_VPN", 41_198),
                ("CARGO_VPN", 2_110),
                ("CARGO_PROXY", 310),
            ],
        ),
        counts(Keyword::Proxy, &[("WIDGET_PROXY", 812)]),
        counts(Keyword::Cc, &[("NL", 30_112), ("DE", 13_196)]),
    ])
}

fn preview(changes: Option<Changes>) -> Answer {
    let mut sample = rows(true);
    if changes.is_some() {
        sample.columns.push("diff".to_owned());
        for (row, word) in sample.rows.iter_mut().zip(["add", "del", "add"]) {
            row.push(word.to_owned());
        }
    }
    Answer::LocalPreview(LocalPreview {
        sample,
        bytes: 150,
        origin: Origin::Disk {
            day: moment("20261120"),
            before: changes.map(|_| moment("20261119")),
        },
        changes,
    })
}

fn is_page(question: &Question) -> bool {
    matches!(question, Question::Page(..))
}

fn is_facets(question: &Question) -> bool {
    matches!(question, Question::Facets(..))
}

fn is_preview(question: &Question) -> bool {
    matches!(question, Question::LocalPreview(_))
}

/// Answers all that waits of what is counted.
fn count(script: &mut Harness, matches: u64, changes: Option<Changes>) {
    script.answer_any(is_page, Ok(page(matches)));
    script.answer_any(is_facets, Ok(facets()));
    script.answer_any(is_preview, Ok(preview(changes)));
}

fn views(cmds: &[Cmd]) -> Vec<ViewQuery> {
    let asked = harness::questions(cmds).into_iter();
    let view = asked.filter_map(|question| match question {
        Question::Page(view, _) => Some(view),
        _ => None,
    });
    view.collect()
}

fn missing() -> Error {
    Error::new(Kind::NotFound, "the feed anonymous is not on this disk")
}

#[test]
fn each_change_of_the_filter_is_counted_and_older_answers_are_dropped() {
    let (mut script, cmds) = Harness::on(TabId::Export);
    assert_eq!(views(&cmds), [view_of(&query(|_| ()))]);
    count(&mut script, 20_104_877, None);
    script.keys("<tab><tab><tab><tab>");
    let cmds = script.types("A");
    let asked = query(|q| q.tags = vec!["A".parse().expect("tag")]);
    assert_eq!(views(&cmds), [view_of(&asked)]);
    let late = script.job(&Question::Page(view_of(&asked), 0..0));
    script.types("C");
    script.answer_to(late, Ok(page(7)));
    let screen = script.screen();
    assert!(
        screen.contains("20,104,877 IPs  of 20,104,877  ~ counting"),
        "{screen}"
    );
    count(&mut script, 43_308, None);
    assert!(
        script
            .screen()
            .contains("43,308 IPs  of 20,104,877  exact, 9 ms")
    );
    // The limit filters nothing: only the rows are made again.
    let cmds = script.keys("<esc><s-tab><s-tab><s-tab><s-tab><s-tab><s-tab><s-tab><s-tab>5");
    assert_eq!(views(&cmds), []);
    assert!(harness::questions(&cmds).iter().any(is_preview));
}

#[test]
fn what_the_limit_cuts_and_how_large_the_output_is_are_told() {
    let mut script = script();
    script.keys("<s-tab><s-tab><s-tab>");
    script.types("100");
    count(&mut script, 43_308, None);
    let screen = script.screen();
    for words in [
        "! keeps the busiest 100, drops 43,208",
        "about 4.9 KiB of CSV",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    assert!(
        script
            .screen_at(80, 24)
            .contains("matches 43,308 IPs, 100 kept")
    );
}

#[test]
fn names_are_completed_with_their_counts() {
    let mut script = script();
    count(&mut script, 20_104_877, None);
    script.keys("<tab><tab><tab><tab>");
    script.types("ACME_VPN, carg");
    let screen = script.screen();
    assert!(screen.contains("> CARGO_VPN"), "{screen}");
    assert!(screen.contains("2,110 IPs"), "{screen}");
    script.keys("<down><enter>");
    let tags = Item::Of(Param::Tags);
    let text = |script: &Harness| script.app.tabs.export.build.draft().text(tags).to_owned();
    assert_eq!(text(&script), "ACME_VPN, CARGO_PROXY, ");
    // With nothing to choose from, Enter goes on.
    script.keys("<enter>");
    assert_ne!(script.app.tabs.export.build.focus(), tags);
}

#[test]
fn a_name_that_there_is_not_is_no_ok() {
    let mut script = script();
    script.keys("<tab><tab><tab><tab>");
    script.types("ACME_VPN, CARGO_VPM");
    count(&mut script, 41_198, None);
    script.keys("<esc>");
    let screen = script.screen();
    for words in [
        "1 tag known",
        "0 records with the tag CARGO_VPM: did you mean",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    script.keys("<enter>");
    let draft = script.app.tabs.export.build.draft();
    assert_eq!(draft.text(Item::Of(Param::Tags)), "ACME_VPN, CARGO_VPN");
}

#[test]
fn without_the_feed_the_form_names_both_ways_on() {
    let mut script = script();
    for is_it in [is_page as fn(&Question) -> bool, is_facets, is_preview] {
        script.answer_any(is_it, Err(missing()));
    }
    let screen = script.screen();
    for words in [
        "anonymous is not local: nothing is counted",
        "d downloads it, S asks the service",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    let pull = questions(&script.keys("d"));
    assert!(matches!(pull.as_slice(), [Question::Pull(_)]), "{pull:?}");
}

#[test]
fn a_diff_shows_its_column_first_and_both_counts() {
    let mut script = script();
    script.keys("<s-tab><s-tab> ");
    let changes = Changes {
        added: 1_204,
        removed: 1_163,
    };
    script.answer_any(is_page, Ok(page(20_104_877)));
    script.answer_any(is_preview, Ok(preview(Some(changes))));
    let screen = script.screen_at(120, 36);
    for words in [
        "1,204 added, 1,163 removed since 2026-11-19",
        "change   ip",
        "removed  198.51.100.0/24",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    assert_eq!(
        copied(&script.keys("<tab><tab>yr")).map(|row| row.ends_with("add")),
        Some(true)
    );
}

#[test]
fn what_was_counted_is_compared_with_what_came() {
    let mut script = script();
    count(&mut script, 43_308, None);
    let export = start(&mut script);
    script.answer(&export, Ok(Answer::Exported(exported())));
    let screen = script.screen_at(160, 40);
    assert!(
        screen.contains("local counted 43,308, service gave 43,291: -17"),
        "{screen}"
    );
}

#[test]
fn on_a_small_screen_every_part_is_reached_with_tab() {
    let mut script = script();
    count(&mut script, 43_308, None);
    script.screen_at(80, 24);
    for words in ["┌ Request", "┌ Checks", "┌ Preview"] {
        script.keys("<s-tab>");
        let screen = script.screen();
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    script.keys("<s-tab>");
    assert_eq!(script.app.tabs.export.build.focus(), Item::last());
}

#[test]
fn a_screen_of_what_is_counted() {
    let mut script = script();
    script.keys("<tab><tab><tab><tab>");
    script.types("ACME_VPN, CARGO_V");
    count(&mut script, 43_308, None);
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

#[test]
fn an_export_of_the_local_release_is_run_with_a_key_of_its_own() {
    let mut script = script();
    assert_eq!(questions(&script.keys("<ctrl-o>")), []);
    assert_eq!(script.notice(), "anonymous is not local: d downloads it");
    count(&mut script, 43_308, None);
    script.keys("<ctrl-o>");
    assert!(
        script
            .screen()
            .contains("Export of the local release to a file")
    );
    let run = run_of(query(|_| ()), false);
    script.keys("<enter>");
    let there = Question::IsThere(run.file.clone());
    let cmds = script.answer(&there, Ok(Answer::IsThere(false)));
    let export = Question::ExportLocal(run.clone());
    assert_eq!(questions(&cmds), slice::from_ref(&export));
    let cmds = script.answer(&export, Ok(Answer::Exported(exported())));
    assert_eq!(questions(&cmds), [Question::Sample(run)]);
    // What is local is not compared with itself.
    assert!(!script.screen_at(160, 40).contains("local counted"));
}

#[test]
fn a_form_is_kept_under_a_name_and_loaded_again() {
    let mut script = script();
    script.keys("p");
    script.types("crypto exits");
    let save = Question::SavePreset("crypto exits".to_owned(), query(|_| ()));
    assert_eq!(questions(&script.keys("<enter>")), slice::from_ref(&save));
    let kept = query(|q| q.ccs = vec!["NL".to_owned()]);
    let saved = SavedExports {
        presets: vec![Preset {
            name: "crypto exits".to_owned(),
            query: kept.clone(),
        }],
        runs: vec![PastRun {
            query: query(|q| q.attributed = true),
            at: harness::now(),
            file: PathBuf::from("/cases/anonymous.csv"),
            records: Some(43_291),
            is_local: false,
        }],
    };
    script.answer(&save, Ok(Answer::SavedExports(saved.clone())));
    assert_eq!(script.notice(), "preset crypto exits saved; P loads (1)");
    assert_eq!(questions(&script.keys("P")), [Question::SavedExports]);
    script.answer(&Question::SavedExports, Ok(Answer::SavedExports(saved)));
    insta::assert_snapshot!(script.screen_at(120, 36));
    script.keys("<enter>");
    assert_eq!(asked(&script), kept);
    script.keys("u");
    assert_eq!(asked(&script), query(|_| ()));
}
