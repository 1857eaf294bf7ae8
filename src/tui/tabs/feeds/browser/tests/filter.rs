//! The filter: typed, written by facets, and taken along.

use super::*;

#[test]
fn a_filter_is_applied_while_it_is_typed_and_restored_by_escape() {
    let mut stage = browsing(120, 36, "cc:NL", 41_198);
    stage.keys("/");
    let cmds = stage.types("clients>20");
    let asked: Vec<String> = questions(&cmds)
        .iter()
        .filter(|own| matches!(own, Question::Page(..)))
        .map(filter_of)
        .collect();
    assert_eq!(asked, ["cc:NL clients>2", "cc:NL clients>20"]);
    let pages = stage
        .asked
        .iter()
        .filter(|(_, own)| matches!(own, Question::Page(..)));
    assert_eq!(pages.count(), 1, "the older question is dropped");
    answer_pages(&mut stage, 12);
    assert!(stage.screen().contains("12 of 20,104,877 records"));
    stage.keys("<esc>");
    answer_pages(&mut stage, 41_198);
    let screen = stage.screen();
    assert!(
        screen.contains("41,198 of 20,104,877 records") && screen.contains("/ cc:NL"),
        "{screen}"
    );
    stage.keys("/clients>20<enter>");
    answer_pages(&mut stage, 12);
    assert_eq!(
        stage.app.trail.here(),
        Some(&Stop::View(view("cc:NL clients>20", Some("20261120"))))
    );
    stage.keys("u");
    assert!(stage.screen().contains("/ cc:NL "), "undo");
    stage.keys("<ctrl-r>");
    assert!(stage.screen().contains("clients>20"), "redo");
    answer_pages(&mut stage, 12);
    stage.keys("/<ctrl-u><up>");
    assert!(stage.screen().contains("/ cc:NL clients>20"), "history");
}

#[test]
fn a_mistake_is_shown_at_its_place_and_fields_and_values_complete() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("/tga:x");
    insta::assert_snapshot!(
        stage
            .screen()
            .lines()
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    );
    stage.draws_at_any_size();
    stage.keys("<ctrl-u>cc:NL in");
    assert!(stage.screen().contains("kind of infrastructure"));
    stage.keys("<tab>MOB");
    answer_facets(&mut stage);
    insta::assert_snapshot!(
        stage
            .screen()
            .lines()
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    );
    stage.keys("<tab><enter>");
    answer_pages(&mut stage, 5);
    assert_eq!(
        stage.app.trail.here(),
        Some(&Stop::View(view("cc:NL infra:MOBILE", Some("20261120"))))
    );
}

#[test]
fn without_a_record_a_clause_can_be_dropped() {
    let mut stage = browsing(80, 24, "", 41_198);
    stage.keys("/tag:ACME_VPN infra:SATELLITE<enter>");
    answer_pages(&mut stage, 0);
    let Some((_, question)) = stage
        .asked
        .iter()
        .rfind(|(_, own)| matches!(own, Question::Clauses(_)))
        .cloned()
    else {
        panic!("{:?}", stage.asked)
    };
    assert_eq!(filter_of(&question), "tag:ACME_VPN infra:SATELLITE");
    let filter: Filter = filter_of(&question).parse().expect("a filter");
    let count = |at: usize, alone, without| ClauseCount {
        term: filter.terms[at].clone(),
        alone,
        without,
    };
    let counts = vec![count(0, 41_198, 3), count(1, 3, 41_198)];
    stage.answer_any(
        |own| matches!(own, Question::Clauses(_)),
        Ok(Answer::Clauses(counts)),
    );
    insta::assert_snapshot!(stage.screen());
    stage.draws_at_any_size();
    stage.screen_at(80, 24);
    let cmds = stage.keys("<enter>");
    assert_eq!(filter_of(&questions(&cmds)[0]), "tag:ACME_VPN");
}

#[test]
fn facets_write_the_visible_filter() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("f<down>");
    let filter_after = |stage: &mut Harness, keys: &str| -> String {
        stage.keys(keys);
        answer_pages(stage, 900);
        answer_facets(stage);
        match stage.app.trail.here() {
            Some(Stop::View(query)) => query.filter.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(filter_after(&mut stage, "<enter>"), "tag:BRAVO_PROXY");
    assert_eq!(
        filter_after(&mut stage, "<down> "),
        "tag:BRAVO_PROXY,CARGO_VPN"
    );
    assert_eq!(
        filter_after(&mut stage, "<down>-"),
        "tag:BRAVO_PROXY,CARGO_VPN -cc:NL"
    );
    insta::assert_snapshot!(stage.screen());
    assert_eq!(filter_after(&mut stage, "-"), "tag:BRAVO_PROXY,CARGO_VPN");
    assert_eq!(filter_after(&mut stage, "<up><enter>"), "tag:CARGO_VPN");
    assert_eq!(filter_after(&mut stage, "<enter>"), "");
}

#[test]
fn the_filter_goes_into_an_export_as_far_as_it_can() {
    let mut stage = browsing(120, 36, "tag:ACME_VPN cc:NL -infra:MOBILE", 41_198);
    stage.keys("E");
    assert_eq!(stage.app.tab, TabId::Export);
    let screen = stage.screen();
    assert!(
        screen.contains("ACME_VPN") && screen.contains("NL"),
        "{screen}"
    );
    let said: Vec<&str> = stage
        .app
        .notices
        .log()
        .map(|notice| notice.text.as_str())
        .collect();
    assert!(
        said.contains(&"an export cannot have -infra:MOBILE: left out"),
        "{said:?}"
    );
}
