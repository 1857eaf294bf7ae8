//! The facets: what they show, and what their keys do.

use super::*;

#[test]
fn facets_that_are_no_longer_drawn_lose_the_focus() {
    let mut harness = browsing(120, 36, "", 41_198);
    answer_facets(&mut harness);
    harness.keys("<tab>");
    assert!(
        harness.screen().contains("enter only this"),
        "{}",
        harness.screen()
    );
    harness.screen_at(80, 24);
    harness.keys("<down>");
    let screen = harness.screen();
    assert!(
        !screen.contains("enter only this") && screen.contains("look up"),
        "{screen}"
    );
}

#[test]
fn facets_write_the_visible_filter() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("f<down>");
    let filter_after = |harness: &mut Harness, keys: &str| -> String {
        harness.keys(keys);
        answer_pages(harness, 900);
        answer_facets(harness);
        match harness.app.trail.here() {
            Some(TrailStop::View(query)) => query.filter.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(filter_after(&mut harness, "<enter>"), "tag:BRAVO_PROXY");
    assert_eq!(
        filter_after(&mut harness, "<down> "),
        "tag:BRAVO_PROXY,CARGO_VPN"
    );
    assert_eq!(
        filter_after(&mut harness, "<down>-"),
        "tag:BRAVO_PROXY,CARGO_VPN -cc:NL"
    );
    insta::assert_snapshot!(harness.screen());
    assert_eq!(filter_after(&mut harness, "-"), "tag:BRAVO_PROXY,CARGO_VPN");
    assert_eq!(filter_after(&mut harness, "<up><enter>"), "tag:CARGO_VPN");
    assert_eq!(filter_after(&mut harness, "<enter>"), "");
}

/// In the facets no key is about the record under the other cursor.
#[test]
fn keys_of_the_facets_are_about_the_value_under_the_cursor() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("<right><right>f<down>");
    assert!(
        harness.screen().contains("f hide facets"),
        "{}",
        harness.screen()
    );
    for (keys, text) in [
        ("yv", "BRAVO_PROXY"),
        ("yi", "BRAVO_PROXY"),
        ("yr", "BRAVO_PROXY\t1204"),
    ] {
        assert_eq!(copied(&harness.keys(keys)), Some(text), "{keys}");
    }
    let refused = "a value of the facets is selected: esc leads back to the records";
    for keys in ["V", "r", "yj", "yd"] {
        assert_eq!(copied(&harness.keys(keys)), None, "{keys}");
        assert_eq!(harness.notice(), refused, "{keys}");
        assert!(harness.screen().contains("enter only this"), "{keys}");
    }
    for (keys, filter) in [
        ("=", "tag:BRAVO_PROXY"),
        ("=", ""),
        ("-", "-tag:BRAVO_PROXY"),
    ] {
        harness.keys(keys);
        answer_pages(&mut harness, 900);
        answer_facets(&mut harness);
        let here = TrailStop::View(view(filter, Some("20261120")));
        assert_eq!(harness.app.trail.here(), Some(&here), "{keys}");
    }
    harness.keys("f");
    let screen = harness.screen();
    assert!(
        screen.contains("f facets") && !screen.contains("Facets"),
        "{screen}"
    );
}

fn is_facets(question: &Question) -> bool {
    matches!(question, Question::Facets(..))
}

#[test]
fn a_value_that_the_filter_names_has_its_count_however_rare_it_is() {
    let mut harness = Harness::new(120, 36);
    harness.app.tab = TabId::Feeds;
    go(&mut harness, view("tag:TAG_12 org:acme -tag:ABSENT", None));
    answer_pages(&mut harness, 36);
    let facet = |at: u64| Facet {
        value: format!("TAG_{at}"),
        count: 1000 - at,
    };
    let counts = FacetCounts {
        by: FacetBy::Keyword(Keyword::Tag),
        values: (1..=12).map(facet).collect(),
        distinct: 640,
        among: 50_000,
    };
    harness.answer_any(is_facets, Ok(Answer::Facets(vec![counts])));
    let screen = harness.screen();
    let line = |value: &str| {
        let found = screen.lines().rfind(|line| line.contains(value));
        found.map(str::to_owned).unwrap_or_default()
    };
    assert!(line("+TAG_12").contains("988"), "{screen}");
    assert!(line("-ABSENT").contains(" 0 "), "none is left: {screen}");
    assert!(line("operator ─").contains("632 more"), "{screen}");
    // Counts of another filter do not say how many records have a value that they do not name.
    harness.keys("/tag:NEW_TAG<enter>");
    answer_pages(&mut harness, 36);
    let screen = harness.screen();
    let new = screen.lines().filter(|line| line.contains("+NEW_TAG"));
    assert!(new.clone().any(|line| line.contains(" ? ")), "{screen}");
}

#[test]
fn facets_that_fail_say_why_over_the_old_ones_and_come_again_on_request() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("/cc:NL<enter>");
    answer_pages(&mut harness, 900);
    let error = Error::new(Kind::Integrity, "the index is damaged");
    harness.answer_any(is_facets, Err(error));
    let screen = harness.screen();
    assert!(
        screen.contains("x the index is damaged") && screen.contains("BRAVO_PROXY"),
        "{screen}"
    );
    harness.keys("<down><down><up>");
    assert_eq!(
        waiting(&harness, is_facets),
        [],
        "no key but one asks again"
    );
    harness.keys("R");
    answer_pages(&mut harness, 900);
    assert_eq!(waiting(&harness, is_facets).len(), 1);
    answer_facets(&mut harness);
    assert!(!harness.screen().contains("damaged"));
}

#[test]
fn a_value_that_the_filter_names_keeps_its_place_when_counts_change() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("f<down><enter>");
    answer_pages(&mut harness, 900);
    let facet = |(value, count): (&str, u64)| Facet {
        value: value.to_owned(),
        count,
    };
    let values = [("BRAVO_PROXY", 900), ("CARGO_VPN", 8), ("ACME_VPN", 3)];
    let counts = FacetCounts {
        by: FacetBy::Keyword(Keyword::Tag),
        values: values.map(facet).to_vec(),
        distinct: 3,
        among: 900,
    };
    harness.answer_any(is_facets, Ok(Answer::Facets(vec![counts])));
    let screen = harness.screen();
    let line = |value: &str| screen.lines().position(|line| line.contains(value));
    assert_eq!(
        line("+BRAVO_PROXY"),
        line("CARGO_VPN").map(|first| first + 1),
        "it was the second: {screen}"
    );
}

/// Bars compare the values of a field. A field that the filter names is counted among other records, and says among how many.
#[test]
fn a_full_bar_is_the_largest_count_of_its_field() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("/tag:ACME_VPN<enter>");
    answer_pages(&mut harness, 300);
    let counts = |by, found: [(&str, u64); 2], among| FacetCounts {
        by: FacetBy::Keyword(by),
        values: found
            .map(|(value, count)| Facet {
                value: value.to_owned(),
                count,
            })
            .to_vec(),
        distinct: 2,
        among,
    };
    let found = vec![
        counts(
            Keyword::Tag,
            [("ACME_VPN", 300), ("BRAVO_PROXY", 150)],
            5_708,
        ),
        counts(Keyword::Cc, [("SG", 40), ("NL", 10)], 300),
    ];
    harness.answer_any(is_facets, Ok(Answer::Facets(found)));
    let screen = harness.screen();
    let line = |value: &str| {
        let found = screen.lines().rfind(|line| line.contains(value));
        found.map(str::to_owned).unwrap_or_default()
    };
    assert!(line("+ACME_VPN ").contains(" 300 ████████"), "{screen}");
    assert!(
        line("│   BRAVO_PROXY ").contains(" 150 ████    "),
        "{screen}"
    );
    assert!(line("  SG   ").contains(" 40 ████████"), "{screen}");
    assert!(line("  NL   ").contains(" 10 ██    "), "{screen}");
    assert!(line("operator ").contains("among 5,708"), "{screen}");
    assert!(!line("country ").contains("among"), "{screen}");
}

#[test]
fn records_without_a_value_are_counted_and_values_are_in_order_where_they_were_typed() {
    let mut harness = browsing(120, 36, "", 41_198);
    let screen = harness.screen();
    assert!(
        screen.contains("(none)") && screen.contains("9,910"),
        "{screen}"
    );
    harness.keys("/tag:CARGO_VPN<enter>");
    answer_pages(&mut harness, 36);
    answer_facets(&mut harness);
    let screen = harness.screen();
    let at = |value: &str| screen.lines().position(|line| line.contains(value));
    assert!(at("ACME_VPN      ") < at("+CARGO_VPN"), "{screen}");
}
