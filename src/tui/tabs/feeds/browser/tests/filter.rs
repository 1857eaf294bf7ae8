//! The filter: typed, written by facets, and taken along.

use super::*;

#[test]
fn a_filter_is_applied_while_it_is_typed_and_restored_by_escape() {
    let mut harness = browsing(120, 36, "cc:NL", 41_198);
    harness.keys("/");
    let cmds = harness.types("clients>20");
    let asked: Vec<String> = questions(&cmds)
        .iter()
        .filter(|question| matches!(question, Question::Page(..)))
        .map(filter_of)
        .collect();
    assert_eq!(asked, ["cc:NL clients>2", "cc:NL clients>20"]);
    let pages = harness
        .asked
        .iter()
        .filter(|(_, question)| matches!(question, Question::Page(..)));
    assert_eq!(pages.count(), 1, "the older question is dropped");
    answer_pages(&mut harness, 12);
    assert!(harness.screen().contains("12 of 20,104,877 records"));
    harness.keys("<esc>");
    answer_pages(&mut harness, 41_198);
    let screen = harness.screen();
    assert!(
        screen.contains("41,198 of 20,104,877 records") && screen.contains("/ cc:NL"),
        "{screen}"
    );
    harness.keys("/clients>20<enter>");
    answer_pages(&mut harness, 12);
    assert_eq!(
        harness.app.trail.here(),
        Some(&TrailStop::View(view("cc:NL clients>20", Some("20261120"))))
    );
    harness.keys("u");
    assert!(harness.screen().contains("/ cc:NL "), "undo");
    harness.keys("<ctrl-r>");
    assert!(harness.screen().contains("clients>20"), "redo");
    answer_pages(&mut harness, 12);
    harness.keys("/<ctrl-u><up>");
    assert!(harness.screen().contains("/ cc:NL clients>20"), "history");
}

/// A part of a name is a filter by itself, also where whole names would complete it; a part of a tag is none.
#[test]
fn a_part_of_an_organization_is_counted_while_it_is_typed() {
    for (field, by, is_counted) in [("org", Keyword::Org, true), ("tag", Keyword::Tag, false)] {
        let mut harness = browsing(120, 36, "cc:NL", 41_198);
        harness.types(&format!("/{field}:Ex"));
        answer_pages(&mut harness, 12);
        let counts = FacetCounts {
            by: FacetBy::Keyword(by),
            values: vec![Facet {
                value: "Example Hosting BV".to_owned(),
                count: 12,
            }],
            distinct: 1,
            among: 100,
        };
        let is_its = |question: &Question| matches!(question, Question::Facets(_, fields, _) if *fields == [FacetBy::Keyword(by)]);
        harness.answer_any(is_its, Ok(Answer::Facets(vec![counts])));
        let asked = questions(&harness.types("a"));
        let counts = |filter: &str| {
            let mut asked = asked.iter();
            asked.any(|question| matches!(question, Question::Page(query, _) if query.filter.to_string().ends_with(filter)))
        };
        assert_eq!(counts(&format!("{field}:Exa")), is_counted, "{asked:?}");
    }
}

#[test]
fn a_mistake_is_shown_at_its_place_and_fields_and_values_complete() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("/tga:x");
    insta::assert_snapshot!(
        harness
            .screen()
            .lines()
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    );
    harness.draws_at_any_size();
    // It goes with the mistake: a notice would outlive it.
    harness.keys("<ctrl-u>clients:>5<enter>");
    assert!(harness.screen().contains("x clients takes no"));
    assert_eq!(harness.notice(), "");
    // Enter shows it in place of what may come next.
    harness.keys("<ctrl-u>cc:NL in<enter>");
    assert!(!harness.screen().contains("kind of infrastructure"));
    harness.keys("<ctrl-u>cc:NL in");
    assert!(harness.screen().contains("kind of infrastructure"));
    harness.keys("<tab>MOB");
    answer_facets(&mut harness);
    insta::assert_snapshot!(
        harness
            .screen()
            .lines()
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    );
    harness.keys("<tab><enter>");
    answer_pages(&mut harness, 5);
    assert_eq!(
        harness.app.trail.here(),
        Some(&TrailStop::View(view(
            "cc:NL infra:MOBILE",
            Some("20261120")
        )))
    );
}

/// What may be meant stands beside the mistake with the key that takes it, whole also where the terminal is narrow.
#[test]
fn tab_takes_what_may_be_meant_by_a_mistake() {
    let mut harness = browsing(80, 24, "", 41_198);
    harness.keys("/nation:DE");
    let screen = harness.screen();
    assert!(
        screen.contains("there are tag, type,") && screen.contains("attributed"),
        "{screen}"
    );
    assert!(!screen.contains("tab takes it"), "{screen}");
    harness.keys("<ctrl-u>infra:MOBILE tagg:ACME_VPN cc:NL<enter>");
    let screen = harness.screen();
    assert!(
        screen.contains("did you mean tag:ACME_VPN? tab takes it"),
        "{screen}"
    );
    harness.keys("<tab><enter>");
    answer_pages(&mut harness, 5);
    let filter = "infra:MOBILE tag:ACME_VPN cc:NL";
    let here = TrailStop::View(view(filter, Some("20261120")));
    assert_eq!(harness.app.trail.here(), Some(&here));
}

#[test]
fn tab_takes_the_field_that_a_heading_of_the_facets_means() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("/tag:ACME_VPN country:DE");
    assert!(harness.screen().contains("cc:DE"), "{}", harness.screen());
    harness.keys("<tab><enter>");
    answer_pages(&mut harness, 5);
    let here = TrailStop::View(view("tag:ACME_VPN cc:DE", Some("20261120")));
    assert_eq!(harness.app.trail.here(), Some(&here));
    assert!(harness.screen().contains("/ tag:ACME_VPN cc:DE"));
}

#[test]
fn without_a_record_a_clause_can_be_dropped() {
    let mut harness = browsing(80, 24, "", 41_198);
    harness.keys("/tag:ACME_VPN infra:SATELLITE<enter>");
    answer_pages(&mut harness, 0);
    let Some((_, question)) = harness
        .asked
        .iter()
        .rfind(|(_, question)| matches!(question, Question::Clauses(_)))
        .cloned()
    else {
        panic!("{:?}", harness.asked)
    };
    assert_eq!(filter_of(&question), "tag:ACME_VPN infra:SATELLITE");
    let filter: Filter = filter_of(&question).parse().expect("a filter");
    let count = |at: usize, alone, without| ClauseCount {
        term: filter.terms[at].clone(),
        alone,
        without,
        unknown: Vec::new(),
    };
    let counts = vec![count(0, 41_198, 3), count(1, 3, 41_198)];
    harness.answer_any(
        |question| matches!(question, Question::Clauses(_)),
        Ok(Answer::Clauses(counts)),
    );
    insta::assert_snapshot!(harness.screen());
    harness.draws_at_any_size();
    harness.screen_at(80, 24);
    assert_eq!(copied(&harness.keys("yv")), Some("infra:SATELLITE"));
    let cmds = harness.keys("<enter>");
    assert_eq!(filter_of(&questions(&cmds)[0]), "tag:ACME_VPN");
}

#[test]
fn a_value_that_no_record_has_is_named_with_the_nearest() {
    let mut harness = browsing(80, 24, "", 41_198);
    harness.keys("/tag:ALPHA_VPM cc:ZZ<enter>");
    answer_pages(&mut harness, 0);
    let terms = "tag:ALPHA_VPM cc:ZZ"
        .parse::<Filter>()
        .expect("a filter")
        .terms;
    let unknown = [
        (Keyword::Tag, "ALPHA_VPM", Some("ALPHA_VPN")),
        (Keyword::Cc, "ZZ", None),
    ];
    let counts = terms.into_iter().zip(unknown);
    let counts = counts.map(|(term, (field, value, near))| ClauseCount {
        term,
        alone: 0,
        without: 0,
        unknown: vec![UnknownValue {
            field,
            value: value.to_owned(),
            near: near.map(str::to_owned),
        }],
    });
    let counts = counts.collect();
    harness.answer_any(is_clauses, Ok(Answer::Clauses(counts)));
    let screen = harness.screen();
    for says in [
        "no record of anonymous has tag:ALPHA_VPM: did you mean tag:ALPHA_VPN?",
        "no record of anonymous has cc:ZZ",
    ] {
        assert!(screen.contains(says), "{screen}");
    }
    insta::assert_snapshot!(screen);
}

fn is_clauses(question: &Question) -> bool {
    matches!(question, Question::Clauses(_))
}

#[test]
fn clauses_are_counted_again_after_leaving() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("/tag:ACME_VPN infra:SATELLITE<enter>");
    answer_pages(&mut harness, 0);
    assert_eq!(waiting(&harness, is_clauses).len(), 1);
    harness.keys("q");
    assert_eq!(waiting(&harness, is_clauses), [], "nobody waits for them");
    let filter = "tag:ACME_VPN infra:SATELLITE";
    go(&mut harness, view(filter, Some("20261120")));
    assert_eq!(waiting(&harness, is_clauses).len(), 1);
    harness.keys("&<esc>");
    assert_eq!(
        waiting(&harness, is_clauses).len(),
        1,
        "the table shows them"
    );
    let error = Error::new(Kind::Integrity, "the index is damaged");
    harness.answer_any(is_clauses, Err(error));
    assert!(harness.screen().contains("x the index is damaged"));
    harness.keys("<down>");
    assert_eq!(waiting(&harness, is_clauses), []);
}

#[test]
fn a_filter_that_is_typed_is_not_on_the_trail() {
    let mut harness = Harness::new(120, 36);
    harness.app.tab = TabId::Feeds;
    go(&mut harness, view("cc:NL", None));
    harness.keys("/clients>20");
    answer_pages(&mut harness, 12);
    let here = TrailStop::View(view("cc:NL", Some("20261120")));
    assert_eq!(harness.app.trail.here(), Some(&here));
    harness.keys("<esc>");
    answer_pages(&mut harness, 41_198);
    assert_eq!(harness.app.trail.here(), Some(&here));
    harness.keys("u");
    assert_eq!(harness.notice(), "nothing to undo");
}

#[test]
fn the_number_of_another_filter_is_not_that_of_what_is_typed() {
    let mut harness = browsing(120, 36, "cc:NL", 41_198);
    harness.keys("/");
    assert!(harness.screen().contains("exact"));
    harness.types("clients>");
    let screen = harness.screen();
    assert!(
        screen.contains("41,198 records of cc:NL") && !screen.contains("exact"),
        "{screen}"
    );
    harness.types("20");
    answer_pages(&mut harness, 12);
    assert!(harness.screen().contains("12 of 20,104,877 records"));
}

#[test]
fn what_is_typed_has_room_beside_the_number_of_another_filter() {
    let filter = "tag:ACME_VPN -cc:BJ";
    let mut harness = browsing(120, 36, filter, 41_198);
    harness.keys("/");
    harness.types("-infra:DATACENTER cl");
    let screen = harness.screen();
    assert!(
        screen.contains(&format!("{filter} -infra:DATACENTER cl")),
        "{screen}"
    );
    assert!(screen.contains("41,198 records   ~ previous"), "{screen}");
}

#[test]
fn values_beyond_the_frequent_ones_are_found_for_what_is_typed() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.types("/tag:zu");
    let facet = |value: &str, count| Facet {
        value: value.to_owned(),
        count,
    };
    let counts = FacetCounts {
        by: FacetBy::Keyword(Keyword::Tag),
        values: vec![facet("ACME_VPN", 900), facet("AZURE_VPN", 800)],
        distinct: 640_000,
        among: 41_198,
    };
    let is_its = |question: &Question| matches!(question, Question::Facets(_, fields, _) if *fields == [FacetBy::Keyword(Keyword::Tag)]);
    harness.answer_any(is_its, Ok(Answer::Facets(vec![counts])));
    let is_rare = |question: &Question| matches!(question, Question::Values(..));
    let (_, asked) = harness
        .asked
        .iter()
        .rfind(|(_, question)| is_rare(question))
        .expect("asked");
    let Question::Values(query, field, part, _) = asked else {
        unreachable!("a question about values")
    };
    assert_eq!(
        (query.filter.to_string().as_str(), *field, part.as_str()),
        ("", Keyword::Tag, "zu")
    );
    let rare = vec![facet("ZULU_VPN", 3), facet("AZURE_VPN", 800)];
    harness.answer_any(is_rare, Ok(Answer::Values(rare)));
    let screen = harness.screen();
    let at = |text: &str| {
        screen
            .find(text)
            .unwrap_or_else(|| panic!("{text}\n{screen}"))
    };
    assert!(at("ZULU_VPN") < at("AZURE_VPN"), "{screen}");
    // What was found stays while more is typed; what is under way for less is dropped.
    harness.types("l");
    assert!(harness.screen().contains("ZULU_VPN"));
    harness.types("u");
    let waiting = harness
        .asked
        .iter()
        .filter(|(_, question)| is_rare(question));
    assert_eq!(waiting.count(), 1);
    harness.keys("<tab><enter>");
    answer_pages(&mut harness, 3);
    assert!(harness.screen().contains("/ tag:ZULU_VPN"));
}
