//! The tab with the feeds local: the list, the record at once, what changed, how the feeds use a tag, and where it goes in an
//! export. Nothing of it is sent.

use std::{collections::HashMap, sync::Arc};

use super::*;
use crate::{
    contract::{ExportQuery, Host},
    engine::{
        LocalTag, LocalTags, TagChange, TagChanges, UnusableFeed,
        views::{Overlap, TagCount, TagCounts, TagUse, ViewQuery},
    },
    model::{Document, Keyword, compare::compare},
    store::{
        Moment, diff,
        index::Order,
        layout::Release,
        manifest::{DaySource, Manifest},
    },
    tui::ctx::{Destination, Rows, Surface},
};

const WIDGET: &str = r#"{"tag":"WIDGET_PROXY","name":"Widget","description":"","isCallbackProxy":"true","categories":["RESIDENTIAL_PROXY"],
    "metrics":{"averageDeviceCount":"475381","churnRate":"0.4","distinctIPs":"951000","distinctCountries":"190"}}"#;
const EXPRESS: &str = r#"{"tag":"ACME_VPN","name":"Acme Virtual Private Network","description":"A consumer VPN.","categories":["DATACENTER_PROXY"],
    "isAnonymous":"true","isCallbackProxy":"false","aliases":["ACME_EXPRESS"],"resoldBy":["BRAVO_PROXY"],
    "metrics":{"averageDeviceCount":"6008","churnRate":"0.03","distinctIPs":"12100","distinctCountries":"7"}}"#;
const ECHO: &str = r#"{"tag":"ECHO_VPN","name":"Echo","isInactive":"true","metrics":null}"#;

fn document(text: &str) -> Document {
    Document::read(text.as_bytes()).expect(text)
}

fn local(text: &str) -> LocalTag {
    LocalTag::of(document(text)).expect(text)
}

fn day(text: &str) -> Moment {
    Moment::parse(text).expect(text)
}

fn release(moment: &str) -> Release {
    let at = "2026-11-20T04:30:00Z".parse().expect("timestamp");
    let file = "feed-1.json.gz".to_owned();
    let target = "/v2/service-metrics/latest.json.gz".to_owned();
    let sum = "0123456789abcdef".repeat(4);
    let (feed, source) = (Feed::ServiceMetrics, DaySource::Header);
    let mut manifest = Manifest::new(
        feed,
        day(moment),
        source,
        false,
        file.clone(),
        2_411_724,
        sum,
        target,
        at,
    );
    manifest.generated_at = Some(manifest.moment.begins());
    Release {
        manifest,
        data: std::path::PathBuf::from("/cache/feeds/service-metrics").join(file),
    }
}

fn counts(feed: Feed, tags: &[(&str, u64, u64)]) -> TagCounts {
    let count = |(tag, as_operator, as_proxy): &(&str, u64, u64)| {
        let count = TagCount {
            as_operator: *as_operator,
            as_proxy: *as_proxy,
        };
        ((*tag).to_owned(), count)
    };
    TagCounts {
        feed,
        moment: day("20261120"),
        generated: day("20261120").begins().into(),
        tags: std::sync::Arc::new(tags.iter().map(count).collect::<HashMap<_, _>>()),
    }
}

fn of_feeds<T>(found: Vec<T>) -> OfFeeds<T> {
    let unusable = Vec::new();
    OfFeeds { found, unusable }
}

fn changes() -> TagChanges {
    let before = document(
        r#"{"tag":"WIDGET_PROXY","metrics":{"averageDeviceCount":"380000","churnRate":"0.4"}}"#,
    );
    let after = document(WIDGET);
    let mut differences = compare(before.value(), after.value());
    differences.retain(|difference| difference.a != difference.b);
    let change = |name: &str, kind, text: &str, differences| TagChange {
        name: tag(name),
        kind,
        tag: local(text),
        differences,
    };
    TagChanges {
        since: day("20261119"),
        generation: day("20261119").begins().into(),
        until: day("20261120"),
        tags: vec![
            change("ECHO_VPN", diff::ChangeKind::Added, ECHO, Vec::new()),
            change(
                "GONE_VPN",
                diff::ChangeKind::Removed,
                r#"{"tag":"GONE_VPN"}"#,
                Vec::new(),
            ),
            change(
                "WIDGET_PROXY",
                diff::ChangeKind::Changed,
                WIDGET,
                differences,
            ),
        ],
    }
}

fn tag_use(feed: Feed, as_operator: u64, as_proxy: u64, overlaps: Vec<Overlap>) -> TagUse {
    TagUse {
        feed,
        moment: day("20261120"),
        records: 10_000,
        as_operator,
        as_proxy,
        overlaps,
    }
}

/// On the tab, with the feeds local.
fn with_feed(width: u16, height: u16) -> Harness {
    let mut harness = Harness::new(width, height);
    let cmds = harness.keys("2");
    assert!(
        !cmds
            .iter()
            .any(|cmd| matches!(cmd, Cmd::Ask(_, Question::Tag(_))))
    );
    let tags = LocalTags {
        release: release("20261120"),
        tags: [EXPRESS, ECHO, WIDGET].map(local).to_vec(),
        unread: 0,
    };
    harness.answer(&Question::LocalTags, Ok(Answer::LocalTags(tags)));
    harness.answer(
        &Question::TagChanges,
        Ok(Answer::TagChanges(Some(Arc::new(changes())))),
    );
    let counted = vec![
        counts(Feed::Anonymous, &[("ACME_VPN", 363, 0)]),
        counts(
            Feed::AnonymousResidential,
            &[("ACME_VPN", 371, 0), ("WIDGET_PROXY", 0, 951_234)],
        ),
    ];
    let counted = Answer::TagCounts(of_feeds(counted));
    harness.answer(&Question::TagCounts, Ok(counted));
    harness
}

fn answer_uses(harness: &mut Harness, name: &str) {
    let overlap = Overlap {
        own: Keyword::Tag,
        tag: "WIDGET_PROXY".to_owned(),
        field: Keyword::Proxy,
        shared: 41,
        lift: 6.24,
    };
    let uses = vec![
        tag_use(Feed::Anonymous, 363, 0, Vec::new()),
        tag_use(Feed::AnonymousResidential, 371, 2, vec![overlap]),
    ];
    let question = Question::TagUses(tag(name));
    harness.answer(&question, Ok(Answer::TagUses(of_feeds(uses))));
}

#[test]
fn a_local_record_is_shown_at_once_and_nothing_is_sent() {
    let mut harness = with_feed(120, 36);
    let cmds = harness.keys("iacme_vpn<enter>");
    assert!(!asks(&cmds, "ACME_VPN"));
    let screen = harness.screen();
    assert!(
        screen.contains("local 2026-11-20") && screen.contains("A consumer VPN."),
        "{screen}"
    );
    assert!(asks(&harness.keys("R"), "ACME_VPN"));
    harness.answer_tag(ACME);
    let screen = harness.screen();
    assert!(screen.contains("ACME_VPN  live"), "{screen}");
    let text = copied(&mut harness, "ym");
    assert!(text.contains("tag metadata of the Context API"), "{text}");
}

fn copied(harness: &mut Harness, script: &str) -> String {
    harness::copied(&harness.keys(script))
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_tag_opened_while_the_feed_is_read_waits_for_it() {
    let mut harness = Harness::new(120, 36);
    let cmds = harness.go(Destination::Tag(tag("ACME_VPN")));
    assert!(!asks(&cmds, "ACME_VPN"), "it may be local");
    let missing = Error::new(Kind::NotFound, "the feed service-metrics is not local");
    let cmds = harness.answer(&Question::LocalTags, Err(missing));
    assert!(asks(&cmds, "ACME_VPN"), "{cmds:?}");
}

#[test]
fn the_other_names_of_a_service_stand_beside_it() {
    let mut harness = with_feed(120, 36);
    assert!(harness.screen().contains("ACME_EXPRESS ->"));
    harness.keys("/express<enter>");
    assert_eq!(
        harness
            .keys("<enter>")
            .iter()
            .filter(|cmd| matches!(cmd, Cmd::Ask(_, Question::Tag(_))))
            .count(),
        0
    );
    assert!(
        harness
            .screen()
            .contains("ACME_EXPRESS is another name of ACME_VPN")
    );
}

#[test]
fn columns_are_chosen_and_turned() {
    let mut harness = with_feed(120, 36);
    let order = |harness: &Harness| {
        let rows = harness.app.tabs.tags.list.rows();
        let names = rows.keys(0..rows.len()).into_iter();
        names.map(|name| name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(order(&harness)[..2], ["WIDGET_PROXY", "ACME_VPN"]);
    harness.keys("s");
    let screen = harness.screen();
    assert!(
        screen.contains("> devices") && screen.contains("most first"),
        "{screen}"
    );
    harness.keys("s");
    assert_eq!(order(&harness)[..2], ["ACME_VPN", "WIDGET_PROXY"]);
    harness.keys("<<");
    assert_eq!(order(&harness)[0], "ACME_EXPRESS");
    harness.keys("<");
    assert_eq!(order(&harness)[0], "WIDGET_PROXY", "most addresses first");
    assert!(harness.notice().contains("addresses, most first"));
}

#[test]
fn only_what_changed_is_shown_what_was_removed_too() {
    let mut harness = with_feed(120, 36);
    assert!(
        harness
            .screen()
            .contains("since 2026-11-19:  1 added  1 removed  1 changed (c)")
    );
    harness.keys("c");
    let screen = harness.screen();
    assert!(
        screen.contains("- GONE_VPN") && !screen.contains("ACME_EXPRESS"),
        "{screen}"
    );
    harness.keys("/widget<enter><enter>");
    let screen = harness.screen();
    assert!(screen.contains("380000 -> 475381"), "{screen}");
    harness.keys("<esc><esc><esc>");
    assert!(harness.screen().contains("ACME_EXPRESS"));
}

#[test]
fn the_uses_of_one_tag_are_counted_at_a_time() {
    let mut harness = with_feed(120, 36);
    let pending = |harness: &Harness| {
        let uses = harness
            .asked
            .iter()
            .filter(|(_, question)| matches!(question, Question::TagUses(_)));
        uses.map(|(_, question)| question.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(pending(&harness), [Question::TagUses(tag("WIDGET_PROXY"))]);
    harness.keys("jjj");
    assert_eq!(pending(&harness).len(), 1, "walking queues nothing");
    let cmds = harness.answer_any(
        |question| matches!(question, Question::TagUses(_)),
        Ok(Answer::TagUses(OfFeeds::default())),
    );
    let shown = here(&harness).to_owned();
    assert_eq!(harness::questions(&cmds), [Question::TagUses(tag(&shown))]);
}

#[test]
fn a_count_leads_to_its_records_and_a_shared_tag_to_those_of_both() {
    let mut harness = with_feed(120, 36);
    harness.answer_any(
        |question| matches!(question, Question::TagUses(_)),
        Ok(Answer::TagUses(OfFeeds::default())),
    );
    harness.keys("iacme_vpn<enter>");
    answer_uses(&mut harness, "ACME_VPN");
    let leads: Vec<ViewQuery> = (0..20)
        .filter_map(|_| {
            harness.keys("j");
            let tab = &harness.app.tabs.tags;
            let meaning = tab.cases[&tag("ACME_VPN")].page.meaning()?;
            match meaning.lead {
                Some(Destination::Browse(query)) => Some(query),
                _ => None,
            }
        })
        .collect();
    let shown: Vec<String> = leads
        .iter()
        .map(|query| format!("{} {}", query.feed, query.filter))
        .collect();
    let mut shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    shown.dedup();
    assert_eq!(
        shown,
        [
            "anonymous tag:ACME_VPN",
            "anonymous-residential tag:ACME_VPN",
            "anonymous-residential proxy:ACME_VPN",
            "anonymous-residential tag:ACME_VPN proxy:WIDGET_PROXY",
        ]
    );
    assert!(
        leads
            .iter()
            .all(|query| query.order == Order::Clients && query.day.is_some())
    );
}

#[test]
fn a_callback_proxy_goes_to_the_parameter_and_the_feed_that_have_it() {
    let mut harness = with_feed(120, 36);
    harness.keys("E");
    insta::assert_snapshot!("screen_of_the_choice_of_an_export", harness.screen());
    let before = harness.app.tab;
    harness.keys("<esc>");
    assert_eq!(harness.app.tab, before);
    let query = |harness: &Harness| {
        let lead = harness.app.surface().and_then(Surface::lead);
        match lead {
            Some(Destination::Export(query, _)) => query,
            other => panic!("{other:?}"),
        }
    };
    harness.keys("E");
    let chosen = query(&harness);
    assert_eq!(chosen.feed, Feed::AnonymousResidential);
    assert_eq!((chosen.tags.len(), chosen.callback_proxies.len()), (0, 1));
    harness.keys("<esc>/acme_vpn<enter>E");
    let chosen: ExportQuery = query(&harness);
    assert_eq!((chosen.tags.len(), chosen.callback_proxies.len()), (1, 0));
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Export);
}

#[test]
fn another_name_of_a_tag_is_exported_as_the_tag_that_records_name() {
    let mut harness = with_feed(120, 36);
    harness.keys("/acme_express<enter>E");
    assert_eq!(
        harness.notice(),
        "ACME_EXPRESS is another name of ACME_VPN: the export names that"
    );
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Export);
    assert!(harness.screen().contains("ACME_VPN"));
    harness.keys("<back>");
    assert_eq!(harness.app.tab, TabId::Tags);
}

#[test]
fn screens_with_the_feed_local() {
    let mut harness = with_feed(120, 36);
    harness.answer_any(
        |question| matches!(question, Question::TagUses(_)),
        Ok(Answer::TagUses(OfFeeds::default())),
    );
    harness.keys("iacme_vpn<enter>");
    answer_uses(&mut harness, "ACME_VPN");
    insta::assert_snapshot!("screen_of_a_local_tag", harness.screen());
    insta::assert_snapshot!("screen_of_a_local_tag_small", harness.screen_at(80, 24));
    harness.keys("<esc>");
    insta::assert_snapshot!("screen_of_the_local_list_small", harness.screen());
    harness.screen_at(120, 36);
    harness.keys("c");
    harness.pass(8 * 24 * 3600);
    insta::assert_snapshot!("screen_of_old_changes", harness.screen());
}

#[test]
fn coming_back_counts_nothing_again_until_a_release_changes() {
    let mut harness = with_feed(120, 36);
    let counted = |number| {
        let counts = counts(Feed::Anonymous, &[("ACME_VPN", number, 0)]);
        Answer::TagCounts(of_feeds(vec![counts]))
    };
    let is_uses = |question: &Question| matches!(question, Question::TagUses(_));
    harness.answer_any(is_uses, Ok(Answer::TagUses(OfFeeds::default())));
    for (number, expected) in [(363, true), (363, false), (364, true)] {
        harness.keys("1<esc>2");
        let cmds = harness.answer(&Question::TagCounts, Ok(counted(number)));
        let again = harness::questions(&cmds).iter().any(is_uses);
        assert_eq!(again, expected, "{number}");
        if again {
            harness.answer_any(is_uses, Ok(Answer::TagUses(OfFeeds::default())));
        }
    }
}

/// A reading that began before the download ended may have missed the new release.
#[test]
fn a_download_that_ends_while_the_feed_is_read_begins_the_reading_anew() {
    let mut harness = with_feed(120, 36);
    harness.keys("p1<esc>2");
    let early = harness.job(&Question::LocalTags);
    let pull = Question::Pull(PullQuery::latest(Feed::ServiceMetrics));
    let pulled = Answer::Pulled(engine::Pulled {
        release: release("20261121"),
        was_here: false,
        resumed_from: 0,
        removed: Vec::new(),
        warnings: Vec::new(),
    });
    let cmds = harness.answer(&pull, Ok(pulled));
    assert!(cmds.contains(&Cmd::Cancel(early)), "{cmds:?}");
    assert!(harness::questions(&cmds).contains(&Question::LocalTags));
    let late = harness.answer_to(early, Err(Error::new(Kind::NotFound, "not local")));
    assert_eq!(late, []);
    assert!(harness.screen().contains("ACME_VPN"));
}

#[test]
fn a_feed_that_cannot_be_read_is_named_with_the_key_that_mends_it() {
    let mut harness = with_feed(120, 36);
    let unusable = vec![UnusableFeed {
        feed: Feed::AnonymousResidential,
        why: Error::new(Kind::Integrity, "the release of 2026-11-20 is damaged"),
    }];
    let found = vec![counts(Feed::Anonymous, &[("ACME_VPN", 363, 0)])];
    let counted = OfFeeds {
        found,
        unusable: unusable.clone(),
    };
    harness.keys("1<esc>2");
    harness.answer(&Question::TagCounts, Ok(Answer::TagCounts(counted)));
    harness.answer_any(
        |question| matches!(question, Question::TagUses(_)),
        Ok(Answer::TagUses(OfFeeds::default())),
    );
    let found = vec![tag_use(Feed::Anonymous, 363, 0, Vec::new())];
    harness.keys("iacme_vpn<enter>");
    let uses = Answer::TagUses(OfFeeds { found, unusable });
    harness.answer(&Question::TagUses(tag("ACME_VPN")), Ok(uses));
    let screen = harness.screen();
    for words in [
        "! anonymous-residential not counted: the",
        "4 opens Feeds: P i indexes it again, p downloads",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    harness.keys("<esc>");
    let screen = harness.screen();
    assert!(
        screen.contains("! anonymous-residential not counted"),
        "{screen}"
    );
}

#[test]
fn a_list_that_cannot_be_read_says_why() {
    let mut harness = Harness::new(120, 36);
    harness.keys("2");
    let broken = Error::new(Kind::Integrity, "the feed service-metrics is damaged")
        .hint("download it again: `ipspect feeds pull service-metrics`");
    harness.answer(&Question::LocalTags, Err(broken));
    insta::assert_snapshot!("screen_of_a_damaged_feed", harness.screen());
}

#[test]
fn without_the_feeds_host_nothing_is_offered() {
    let mut facts = harness::facts();
    facts.urls.retain(|(host, _)| *host != Host::Feeds);
    let mut harness = Harness::with(facts, 120, 36);
    harness.keys("2");
    let missing = Error::new(Kind::NotFound, "the feed service-metrics is not local");
    let cmds = harness.answer(&Question::LocalTags, Err(missing));
    assert_eq!(harness::questions(&cmds), []);
    assert!(harness.screen().contains("feeds_url is not set"));
}
