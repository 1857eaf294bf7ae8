//! The local matches of the form, counted with each change, free.

use std::time::Duration;

use super::*;
use crate::{
    engine::{
        LocalPreview,
        views::{FacetCounts, View, ViewPage, ViewQuery},
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
    let mut manifest = Manifest::new(
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
    manifest.generated_at = Some(manifest.moment.begins());
    Release {
        manifest,
        data: PathBuf::from("/cache/feeds/anonymous/feed-1.json.gz"),
    }
}

fn page(count: u64) -> Answer {
    Answer::Page(ViewPage {
        view: View {
            release: release("20261120"),
            records: 20_104_877,
            count,
            took: Duration::from_millis(9),
            newer: None,
            beyond: None,
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
        origin: ExportOrigin::Disk {
            day: moment("20261120"),
            generation: moment("20261120").generation(),
            before: changes.map(|_| moment("20261119")),
        },
        changes,
        changed: changes.map_or_else(Vec::new, |changes| {
            let facet = |value: &str, count| Facet {
                value: value.to_owned(),
                count,
            };
            let values = |field, values| FacetCounts {
                by: FacetBy::Keyword(field),
                values,
                distinct: 2,
                among: changes.added + changes.removed,
            };
            let tags = vec![facet("CARGO_VPN", 2_000), facet("ACME_VPN", 367)];
            vec![values(Keyword::Tag, tags)]
        }),
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
    Error::new(Kind::NotFound, "the feed anonymous is not downloaded")
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
        screen.contains("20,104,877 IPs  of 20,104,877  ~ older form"),
        "{screen}"
    );
    count(&mut script, 43_308, None);
    assert!(
        script
            .screen()
            .contains("43,308 IPs  of 20,104,877  exact, 9 ms")
    );
    script.answer_any(is_preview, Ok(preview(None)));
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
    let tags = DraftField::Of(Param::Tags);
    let text = |script: &Harness| script.app.tabs.export.build.draft().text(tags).to_owned();
    assert_eq!(text(&script), "ACME_VPN, CARGO_PROXY, ");
    // Without a choice, Enter continues.
    script.keys("<enter>");
    assert_ne!(script.app.tabs.export.build.focus(), tags);
    // A click takes a name as Enter does; typing continues.
    script.keys("<up>");
    script.types(" carg");
    script.click("CARGO_VPN ");
    assert_eq!(text(&script), "ACME_VPN, CARGO_PROXY, CARGO_VPN, ");
    script.types("x");
    assert_eq!(text(&script), "ACME_VPN, CARGO_PROXY, CARGO_VPN, x");
}

/// A form that is refused has no output: nothing is said of that of the form before.
#[test]
fn a_form_that_is_refused_shows_no_output_of_an_older_one() {
    let mut script = script();
    count(&mut script, 20_104_877, None);
    assert!(script.screen().contains("of CSV"), "{}", script.screen());
    script.keys("<tab><tab><tab><tab><tab>");
    script.types("ACM");
    let screen = script.screen();
    assert!(
        !screen.contains("of CSV") && !screen.contains("keeps the busiest"),
        "{screen}"
    );
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
    assert_eq!(
        draft.text(DraftField::Of(Param::Tags)),
        "ACME_VPN, CARGO_VPN"
    );
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
        "p downloads it; S asks the service",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    let pull = questions(&script.keys("p"));
    assert!(matches!(pull.as_slice(), [Question::Pull(_)]), "{pull:?}");
    for (width, height) in [(120, 36), (80, 24)] {
        let screen = script.screen_at(width, height);
        assert!(screen.contains("~ downloading"), "{screen}");
        assert!(!screen.contains("p downloads it"), "{screen}");
    }
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

/// All that is counted fits at 120x36; until the records that changed are counted, what counts the whole release says so.
#[test]
fn a_diff_counts_its_rows_and_names_what_counts_the_whole_release() {
    let mut script = script();
    script.keys("<s-tab><s-tab> ");
    let changes = Changes {
        added: 1_204,
        removed: 1_163,
    };
    script.answer_any(is_page, Ok(page(43_308)));
    script.answer_any(is_facets, Ok(facets()));
    let screen = script.screen_at(120, 36);
    assert!(
        screen.contains("matches   release: 43,308 IPs  of 20,104,877"),
        "{screen}"
    );
    assert_eq!(screen.matches("release: ").count(), 4, "{screen}");
    script.answer_any(is_preview, Ok(preview(Some(changes))));
    let screen = script.screen_at(120, 36);
    for words in [
        "rows     1,204 added, 1,163 removed since 2026-11-19",
        "matches  2,367 IPs  beside 43,308 in the release",
        "CARGO_VPN 2,000   ACME_VPN 367",
        "limit    nothing is cut",
        "output   about",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    let by_tag = screen.lines().find(|line| line.contains("by tag"));
    assert!(
        by_tag.is_some_and(|line| line.contains("ACME_VPN")),
        "{screen}"
    );
    assert!(!screen.contains("release: "), "{screen}");
    let screen = script.screen_at(80, 24);
    assert!(
        screen.contains("diff 1,204 added, 1,163 removed"),
        "{screen}"
    );
    // On a lower screen the rows and the limit stay the longest.
    let screen = script.screen_at(120, 28);
    for words in ["1,204 added", "nothing is cut", "about"] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
}

#[test]
fn what_was_counted_is_compared_with_what_came() {
    let mut script = script();
    count(&mut script, 43_308, None);
    let export = start(&mut script);
    script.answer(&export, Ok(Answer::Exported(exported())));
    script.answer_any(is_rows, Ok(Answer::ExportRows(super::page())));
    let words = "local counted 43,308, the service gave 43,291: 17 fewer; its data may be newer";
    let screen = script.screen_at(120, 36);
    assert!(screen.contains(words), "{screen}");
    script.keys("<back>");
    let screen = script.screen_at(160, 40);
    assert!(screen.contains(words), "{screen}");
}

#[test]
fn what_is_counted_while_an_export_runs_is_compared_too() {
    let mut script = script();
    let export = start(&mut script);
    count(&mut script, 43_308, None);
    script.answer(&export, Ok(Answer::Exported(exported())));
    let screen = script.screen_at(160, 40);
    assert!(
        screen.contains("the service gave 43,291: 17 fewer"),
        "{screen}"
    );
}

#[test]
fn a_breakdown_of_an_older_form_is_marked_and_a_failed_one_shows_why() {
    let mut script = script();
    count(&mut script, 43_308, None);
    let counted = |screen: &str| {
        let line = screen.lines().find(|line| line.contains("by cc"));
        line.unwrap_or_default().to_owned()
    };
    assert!(!counted(&script.screen()).contains("~ older form"));
    script.keys("<tab><tab><tab><tab>");
    script.types("A");
    script.answer_any(is_page, Ok(page(7)));
    let screen = script.screen();
    assert!(screen.contains("7 IPs  of 20,104,877  exact"), "{screen}");
    script.keys("<esc><s-tab>");
    script.keys("<tab><tab><tab>");
    script.types("NL");
    let screen = script.screen();
    assert!(counted(&screen).contains("~ older form"), "{screen}");
    script.answer_any(is_page, Ok(page(7)));
    let failure = Error::new(Kind::Machine, "could not read the index");
    script.answer_any(is_facets, Err(failure));
    let screen = script.screen();
    assert!(
        screen.contains("not counted: could not read the index"),
        "{screen}"
    );
    assert!(!screen.contains("WIDGET_PROXY 812"), "{screen}");
}

#[test]
fn another_feed_shows_no_number_of_the_feed_before() {
    let mut script = script();
    count(&mut script, 43_308, None);
    script.keys("<right>");
    let screen = script.screen();
    assert!(!screen.contains("43,308"), "{screen}");
    assert!(!screen.contains("ACME_VPN 41,198"), "{screen}");
    script.answer_any(is_page, Ok(page(7)));
    assert!(!script.screen().contains("ACME_VPN 41,198"));
}

#[test]
fn a_preview_waits_for_the_one_under_way_and_the_newest_form_wins() {
    let mut script = script();
    script.keys("<s-tab><s-tab><s-tab>");
    count(&mut script, 43_308, None);
    let mut asked = Vec::new();
    for digit in ["1", "0", "0"] {
        let cmds = script.types(digit);
        asked.extend(harness::questions(&cmds));
    }
    let limit = |limit| Question::LocalPreview(query(|q| q.limit = Some(limit)));
    assert_eq!(asked, [limit(1)]);
    let cmds = script.answer_any(is_preview, Ok(preview(None)));
    assert_eq!(harness::questions(&cmds), [limit(100)]);
    // What was asked for another feed means nothing any more.
    let late = script.job(&limit(100));
    script.keys("<esc>");
    let cmds = script.keys("g<right>");
    assert!(cmds.contains(&Cmd::Cancel(late)), "{cmds:?}");
    let previews = harness::questions(&cmds);
    assert_eq!(
        previews
            .iter()
            .filter(|question| is_preview(question))
            .count(),
        1
    );
}

#[test]
fn a_preview_that_failed_shows_why() {
    let mut script = script();
    script.answer_any(is_page, Ok(page(7)));
    let failure = Error::new(Kind::Integrity, "the index is damaged");
    script.answer_any(is_preview, Err(failure));
    let screen = script.screen();
    assert!(screen.contains("x the index is damaged"), "{screen}");
    insta::assert_snapshot!(screen);
}

#[test]
fn a_screen_of_a_stale_release_and_of_a_count_that_failed() {
    let mut script = script();
    script.pass(3 * 86_400);
    count(&mut script, 43_308, None);
    insta::assert_snapshot!(script.screen_at(80, 24));
    let mut script = self::script();
    let failure = Error::new(Kind::Machine, "could not read the index of anonymous");
    script.answer_any(is_page, Err(failure.clone()));
    script.answer_any(is_facets, Err(failure.clone()));
    script.answer_any(is_preview, Err(failure));
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
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
    assert_eq!(script.app.tabs.export.build.focus(), DraftField::last());
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
    assert_eq!(script.notice(), "anonymous is not local: p downloads it");
    count(&mut script, 43_308, None);
    script.keys("<ctrl-o>");
    assert!(
        script
            .screen()
            .contains("Export of the local release to a file")
    );
    let mut run = run_of(query(|_| ()), false);
    // Beside an export of the service that was run in the same minute.
    run.file = run.file.with_file_name("anonymous-20261120-2314-local.csv");
    script.keys("<enter>");
    let there = Question::IsThere(run.file.clone());
    let cmds = script.answer(&there, Ok(Answer::IsThere(false)));
    let export = Question::ExportLocal(run.clone());
    assert_eq!(questions(&cmds), slice::from_ref(&export));
    let cmds = script.answer(&export, Ok(Answer::Exported(exported())));
    assert!(matches!(
        questions(&cmds).as_slice(),
        [Question::ExportRows(..)]
    ));
    // What is local is not compared with itself.
    assert!(!script.screen_at(160, 40).contains("local counted"));
}
