//! Tests of the form by keys: its request, and the notes at its fields.

use super::*;
use crate::tui::tabs::export::{draft::Draft, preview};

#[test]
fn every_parameter_can_be_set_with_keys() {
    let mut script = script();
    script.keys("<right><tab><right><tab> <tab> <right><right> <tab>");
    script.types("ACME_VPN, CARGO_VPN");
    script.keys("<tab>");
    script.types("WIDGET_PROXY");
    script.keys("<tab>");
    script.types("nl,de");
    script.keys("<tab> <tab>");
    script.types("100,000");
    assert_eq!(
        asked(&script),
        query(|query| {
            query.feed = Feed::AnonymousResidential;
            (query.output, query.header) = (Output::Json, false);
            query.fields = vec![ExportField::Ip, ExportField::Tag];
            query.tags = ["ACME_VPN", "CARGO_VPN"]
                .map(|tag| tag.parse().expect(tag))
                .to_vec();
            query.callback_proxies = vec!["WIDGET_PROXY".parse().expect("tag")];
            query.ccs = vec!["NL".to_owned(), "DE".to_owned()];
            query.attributed = true;
            query.limit = Some(100_000);
        })
    );
    let mut script = self::script();
    script.keys("<s-tab><s-tab> <tab>");
    script.types("2026-11-19");
    assert_eq!(
        asked(&script),
        query(|query| (query.diff, query.diff_date) = (true, Day::new(2026, 11, 19)))
    );
}

/// Each rule of the contract is said at its field, and Enter there takes what is offered.
#[test]
fn each_rule_is_shown_at_its_field_and_enter_takes_its_fix() {
    use ExportField::{Ip, Network, Services};
    let tag = || vec!["ACME_VPN".parse().expect("tag")];
    let table: Vec<(ExportQuery, Rule)> = vec![
        (
            query(|q| q.fields = vec![Ip, Network]),
            Rule::NetworkExcludes(Ip),
        ),
        (
            query(|q| q.fields = vec![Network, Services]),
            Rule::NetworkExcludes(Services),
        ),
        (
            query(|q| (q.fields, q.diff) = (vec![Network], true)),
            Rule::NetworkWithDiff,
        ),
        (
            query(|q| (q.feed, q.diff) = (Feed::AnonymousResidential, true)),
            Rule::DiffOnResidential,
        ),
        (
            query(|q| q.callback_proxies = tag()),
            Rule::CallbackProxiesOnAnonymous,
        ),
        (query(|q| q.limit = Some(0)), Rule::LimitOutOfRange(0)),
        (
            query(|q| q.limit = Some(2_000_001)),
            Rule::LimitOutOfRange(2_000_001),
        ),
        (
            query(|q| (q.feed, q.fields) = (Feed::Dch, vec![Ip])),
            Rule::FieldOfAnotherFeed(Ip),
        ),
        (
            query(|q| q.ccs = vec!["NLD".to_owned()]),
            Rule::BadCountry("NLD".to_owned()),
        ),
        (
            query(|q| q.diff_date = Day::new(2026, 11, 19)),
            Rule::DiffDateWithoutDiff,
        ),
        (
            query(|q| (q.feed, q.tags) = (Feed::Dch, tag())),
            Rule::NotOfHosting(Param::Tags),
        ),
        (query(|q| q.output = Output::Json), Rule::HeaderWithoutCsv),
        (query(|q| q.fields = vec![Network]), Rule::NetworkIsSlow),
        (
            query(|q| q.fields = vec![ExportField::CallbackProxy]),
            Rule::UndocumentedField,
        ),
    ];
    for (query, rule) in table {
        let mut script = script();
        let build = &mut script.app.tabs.export.build;
        build.set(Draft::of(&query));
        let conflicts = query.conflicts();
        let conflict = conflicts
            .iter()
            .find(|conflict| conflict.rule == rule)
            .expect("conflict");
        build.focus_on(DraftField::Of(conflict.at));
        let beginning: String = conflict.to_string().chars().take(20).collect();
        let screen = script.screen_at(120, 36);
        assert!(screen.contains(&beginning), "{beginning}\n{screen}");
        script.keys("<enter>");
        let after = asked(&script);
        assert!(
            !after.conflicts().iter().any(|other| other.rule == rule),
            "{rule:?} after the fix: {after:?}"
        );
        if conflict.severity == Severity::Refused {
            let mut again = self::script();
            again.app.tabs.export.build.set(Draft::of(&query));
            assert_eq!(questions(&again.keys("<ctrl-s>")), [], "{rule:?}");
            assert!(again.notice().contains("nothing was sent"), "{rule:?}");
            assert!(again.app.surface().is_none());
        }
    }
}

#[test]
fn what_does_not_parse_is_said_at_its_field() {
    for (tabs, text, words, after) in [
        (
            "<s-tab><s-tab><s-tab>",
            "abc",
            "\"abc\" is not a number",
            "",
        ),
        ("<s-tab>", "2026-13-01", "\"2026-13-01\" is not a day", ""),
        (
            "<tab><tab><tab><tab>",
            "ACME VPN, CARGO_VPN",
            "\"ACME VPN\" is not a service tag",
            "CARGO_VPN",
        ),
    ] {
        let mut script = script();
        script.keys(tabs);
        script.types(text);
        let screen = script.screen_at(120, 36);
        assert!(screen.contains(words), "{screen}");
        assert_eq!(questions(&script.keys("<ctrl-s>")), []);
        script.keys("<enter>");
        let item = script.app.tabs.export.build.focus();
        assert_eq!(script.app.tabs.export.build.draft().text(item), after);
        assert!(script.app.tabs.export.build.refusal().is_none());
    }
}

#[test]
fn letters_are_commands_off_text_and_text_in_it() {
    let mut script = script();
    script.keys("<tab><tab><tab><tab>");
    assert_eq!(questions(&script.types("S")), []);
    assert_eq!(
        script
            .app
            .tabs
            .export
            .build
            .draft()
            .text(DraftField::Of(Param::Tags)),
        "S"
    );
    script.keys("<back><esc>");
    let few = preview::of(&asked(&script)).expect("few rows");
    assert_eq!(questions(&script.types("S")), [Question::Preview(few)]);
    script.keys("<enter>");
    script.types("u");
    assert_eq!(
        script
            .app
            .tabs
            .export
            .build
            .draft()
            .text(DraftField::Of(Param::Tags)),
        "u"
    );
}

#[test]
fn a_word_is_undone_and_redone_as_one() {
    let mut script = script();
    script.keys("<right><tab><tab><tab><tab>");
    script.types("ACME_VPN");
    script.keys("<esc>u");
    assert_eq!(
        script
            .app
            .tabs
            .export
            .build
            .draft()
            .text(DraftField::Of(Param::Tags)),
        ""
    );
    assert_eq!(asked(&script).feed, Feed::AnonymousResidential);
    script.keys("u");
    assert_eq!(asked(&script), query(|_| ()));
    script.keys("u");
    assert_eq!(script.notice(), "nothing to undo");
    script.keys("<ctrl-r><ctrl-r>");
    assert_eq!(
        script
            .app
            .tabs
            .export
            .build
            .draft()
            .text(DraftField::Of(Param::Tags)),
        "ACME_VPN"
    );
}
