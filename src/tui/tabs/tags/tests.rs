//! Tests of the tab as a user meets it: scripts of keys, the requests they cause, and the screens.

mod local;

use super::*;
use crate::{
    contract::{Feed, LookupQuery},
    engine::{self, Error, Kind, PullQuery, trail, views::OfFeeds},
    model::FeedMetadata,
    tui::{
        ctx::{Answer, Destination, Scope, TokenState},
        harness::{self, Harness},
        shell::{msg::Msg, registry::TabId},
        test_terminal,
    },
};

const ACME: &str = r#"{"tag":"ACME_VPN","name":"Acme Virtual Private Network",
    "description":"A consumer VPN with apps for six platforms, which sells exits in sixty-one countries and says that it keeps no logs.",
    "website":"https://acme.example/","categories":["DATACENTER_PROXY"],"platforms":["ROUTER"],"protocols":["HTTP","SOCKS"],
    "targetingTypes":["COUNTRY","CITY"],"allowsWhiteLabel":true,"isAnonymous":true,"isCallbackProxy":false,"isNoLog":true,
    "metrics":{"averageDeviceCount":18204.5,"churnRate":0.03,"distinctASNs":212,"distinctCountries":61,"distinctIPs":41220,"distinctISPs":null},
    "isTracked":true,"maxAgeDays":30,"aliases":["ACME_EXPRESS","Acme the Great"],"resoldBy":["BRAVO_PROXY"],
    "resells":[{"tag":"CARGO_VPN","since":2024},{"name":"Delta"}],"isEnterprise":null,"isInactive":"perhaps","fresh":1}"#;
const BRAVO: &str = r#"{"tag":"BRAVO_PROXY","name":"Bravo","description":"","website":"javascript:alert(1)",
    "categories":["RESIDENTIAL_PROXY"],"metrics":{"averageDeviceCount":912331,"churnRate":0.41},"resells":[{"tag":"ACME_VPN"}]}"#;

fn tag(name: &str) -> TagName {
    name.parse().expect(name)
}

fn asks(cmds: &[Cmd], name: &str) -> bool {
    cmds.iter()
        .any(|cmd| matches!(cmd, Cmd::Ask(_, Question::Tag(asked)) if asked.as_str() == name))
}

/// The local feeds are read: there is none.
fn nothing_local(harness: &mut Harness) {
    let missing = Error::new(Kind::NotFound, "the feed service-metrics is not local");
    harness.answer(&Question::LocalTags, Err(missing));
    harness.answer(&Question::TagChanges, Ok(Answer::TagChanges(None)));
    harness.answer(
        &Question::TagCounts,
        Ok(Answer::TagCounts(OfFeeds::default())),
    );
}

/// On the tab, with nothing local.
fn without_feed(width: u16, height: u16) -> Harness {
    let mut harness = Harness::new(width, height);
    harness.keys("2");
    nothing_local(&mut harness);
    harness
}

/// With the metadata of `ACME_VPN` opened by its name, and an address on which it was seen.
fn with_acme(width: u16, height: u16) -> Harness {
    let mut harness = Harness::new(width, height);
    let record = harness::record(
        r#"{"ip":"198.51.100.77","tunnels":[{"type":"VPN","operator":"ACME_VPN"}],"client":{"proxies":["WIDGET_PROXY"]}}"#,
    );
    let query = LookupQuery::now([198, 51, 100, 77].into());
    let entries = vec![
        trail::TrailEntry::Looked(query, Box::new(record)),
        trail::TrailEntry::Tagged(tag("OLD_VPN"), harness::now()),
    ];
    let trail = harness.app.begin(None, harness.now);
    let [Cmd::Ask(job, Question::Trail), ..] = trail.as_slice() else {
        panic!("{trail:?}")
    };
    harness.tell(Msg::Answered(
        *job,
        Box::new(Ok(Answer::Trail(engine::SavedTrail {
            entries,
            ..engine::SavedTrail::default()
        }))),
    ));
    harness.keys("2");
    nothing_local(&mut harness);
    harness.keys("iacme_vpn<enter>");
    harness.answer_tag(ACME);
    harness
}

fn here(harness: &Harness) -> &str {
    harness
        .app
        .tabs
        .tags
        .list
        .selected()
        .map_or("", TagName::as_str)
}

#[test]
fn a_typed_name_is_asked_for_once_and_remembered() {
    let mut harness = without_feed(120, 36);
    let cmds = harness.keys("iacme_vpn<enter>");
    assert!(asks(&cmds, "ACME_VPN"));
    assert!(
        matches!(&cmds[0], Cmd::Remember(trail::TrailEntry::Tagged(tag, _)) if tag.as_str() == "ACME_VPN")
    );
    assert!(
        !asks(&harness.keys("R"), "ACME_VPN"),
        "it is being asked for"
    );
    harness.answer_tag(ACME);
    assert!(
        !asks(&harness.keys("iACME_VPN<enter>"), "ACME_VPN"),
        "it is known"
    );
    assert!(asks(&harness.keys("R"), "ACME_VPN"));
}

#[test]
fn a_name_that_is_none_is_refused_and_stays_to_be_mended() {
    let mut harness = without_feed(120, 36);
    let cmds = harness.keys("ia b<enter>");
    assert_eq!(cmds, []);
    assert!(harness.app.surface().is_some());
    assert!(harness.screen().contains("is not a service tag"));
    assert_eq!(harness.keys("<esc>"), []);
    assert!(harness.app.surface().is_none());
}

#[test]
fn the_line_for_a_name_stays_until_it_is_left_and_a_click_leaves_it() {
    let mut harness = with_acme(120, 36);
    harness.keys("ibra");
    assert!(harness.screen().contains(" tag bra"));
    harness.tell(Msg::Focus(true));
    harness.click("OLD_VPN");
    assert!(harness.app.surface().is_none());
    assert_eq!(here(&harness), "OLD_VPN");
    harness.keys("i<enter>");
    assert_eq!(harness.notice(), "type a tag first");
    harness.keys("<tab>");
    assert_eq!(harness.app.scopes()[0], Scope::Tab("Tags"));
}

#[test]
fn what_has_no_effect_is_refused_with_its_reason() {
    let mut harness = without_feed(120, 36);
    for (key, why) in [
        (" ", "no tag is known yet: i types one"),
        ("s", "no tag is known yet: i types one"),
        ("E", "no tag is known yet: i types one"),
        ("c", "there is no local release before"),
        ("o", "this tag names no website"),
        ("r", "there is no JSON here yet"),
    ] {
        assert_eq!(harness.keys(key), []);
        assert_eq!(harness.notice(), why, "{key}");
        assert!(harness.app.overlay.is_none() && harness.app.surface().is_none());
    }
}

#[test]
fn an_answer_that_comes_too_late_is_dropped() {
    let mut harness = with_acme(120, 36);
    harness.keys("R");
    let (job, _) = harness.asked.last().expect("a question").clone();
    let cmds = harness.keys("x");
    assert!(cmds.contains(&Cmd::Cancel(job)));
    let before = harness.app.tabs.tags.cases[&tag("ACME_VPN")]
        .live
        .value()
        .map(|fetched| fetched.value.clone());
    harness.tell(Msg::Answered(
        job,
        Box::new(Ok(Answer::Tag(harness::tag(BRAVO)))),
    ));
    let after = harness.app.tabs.tags.cases[&tag("ACME_VPN")]
        .live
        .value()
        .map(|fetched| fetched.value.clone());
    assert_eq!(before, after);
}

#[test]
fn a_relation_is_followed_and_the_way_back_leads_to_the_same_row() {
    let mut harness = with_acme(120, 36);
    let lead = |harness: &Harness| {
        let case = &harness.app.tabs.tags.cases[&tag("ACME_VPN")];
        case.page.focus()
    };
    harness.keys("jj");
    let left = lead(&harness);
    let cmds = harness.keys("<enter>");
    assert!(asks(&cmds, "BRAVO_PROXY"), "{cmds:?}");
    harness.answer_tag(BRAVO);
    assert_eq!(here(&harness), "BRAVO_PROXY");
    harness.keys("<back>");
    assert_eq!((here(&harness), lead(&harness)), ("ACME_VPN", left));
    assert_eq!(harness.keys("L"), [], "forward asks for nothing");
    assert_eq!(here(&harness), "BRAVO_PROXY");
}

#[test]
fn evidence_leads_to_the_address_at_no_cost() {
    let mut harness = with_acme(120, 36);
    let is_there = |harness: &Harness| {
        let case = &harness.app.tabs.tags.cases[&tag("ACME_VPN")];
        let lead = case.page.meaning().and_then(|meaning| meaning.lead);
        matches!(lead, Some(Destination::AtHand(_)))
    };
    harness.keys("G");
    while !is_there(&harness) {
        harness.keys("<up>");
    }
    assert_eq!(harness.keys("<enter>"), [], "it is cached");
    let leads = harness.app.tab == TabId::Lookup;
    assert!(leads, "{}", harness.screen());
}

#[test]
fn marked_tags_go_to_an_export_and_the_selected_one_without_marks() {
    let mut harness = with_acme(120, 36);
    let mut desk_tags = Vec::new();
    for script in ["E<enter>", "2<tab> j E<enter>"] {
        harness.keys(script);
        desk_tags.push((harness.app.tab, harness.app.tabs.tags.list.marks().len()));
    }
    assert_eq!(desk_tags, [(TabId::Export, 0), (TabId::Export, 2)]);
    harness.keys("2 ");
    assert_eq!(
        harness.app.tabs.tags.list.marks().len(),
        1,
        "a second press takes the mark back"
    );
}

#[test]
fn all_tags_of_the_list_are_marked_turned_round_and_taken_back() {
    let mut harness = with_acme(120, 36);
    let marked = |harness: &Harness| harness.app.tabs.tags.list.marks().len();
    harness.keys("<tab> A");
    let all = marked(&harness);
    assert!(all > 2, "{}", harness.screen());
    harness.keys("u");
    assert_eq!(marked(&harness), 1);
    harness.keys("*");
    assert_eq!(marked(&harness), all - 1);
    harness.keys("uu");
    assert_eq!(marked(&harness), 0);
    harness.keys("<ctrl-r>");
    assert_eq!(marked(&harness), 1);
}

#[test]
fn a_range_of_the_list_is_marked() {
    let mut harness = with_acme(120, 36);
    harness.keys("<tab>gV<down><down>");
    assert!(
        harness.screen().contains("3 in the range"),
        "{}",
        harness.screen()
    );
    harness.keys("<esc>");
    assert_eq!(harness.notice(), "range cancelled");
    harness.keys("V<up>V");
    assert_eq!(harness.app.tabs.tags.list.marks().len(), 2);
    let names = harness.keys("yi");
    assert_eq!(
        harness::copied(&names).map(|names| names.lines().count()),
        Some(2)
    );
    harness.keys("u");
    assert!(harness.app.tabs.tags.list.marks().is_empty());
}

#[test]
fn the_filter_keeps_what_matches_and_escape_clears_it() {
    let mut harness = with_acme(120, 36);
    harness.keys("/widget<enter>");
    assert_eq!(here(&harness), "WIDGET_PROXY");
    assert!(!harness.screen().contains("OLD_VPN"));
    harness.keys("<esc>");
    assert!(harness.screen().contains("OLD_VPN"));
    assert!(!harness.app.tabs.tags.list.is_filtered());
}

#[test]
fn a_website_opens_after_a_question_only_and_only_a_web_page() {
    let mut harness = with_acme(120, 36);
    assert_eq!(harness.keys("o"), []);
    assert!(
        harness
            .screen()
            .contains("Open https://acme.example/ in the browser?")
    );
    assert_eq!(harness.keys("n"), []);
    assert_eq!(
        harness.keys("oy"),
        [Cmd::Browse("https://acme.example/".to_owned())]
    );
    harness.keys("ibravo_proxy<enter>");
    harness.answer_tag(BRAVO);
    assert_eq!(harness.keys("o"), []);
    assert!(harness.app.overlay.is_none());
}

#[test]
fn what_is_copied_is_what_was_asked_for() {
    let mut harness = with_acme(120, 36);
    let mut copied = |script: &str| match harness.keys(script).as_slice() {
        [Cmd::Copy(_, text)] => text.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(copied("yi"), "ACME_VPN");
    assert_eq!(copied("yv"), "ACME_EXPRESS");
    assert_eq!(copied("yr"), "aliases: ACME_EXPRESS");
    assert!(copied("yj").starts_with(r#"{"tag":"ACME_VPN""#));
    assert!(copied("ym").contains("- **seen on:** 198[.]51[.]100[.]77"));
    assert_eq!(
        copied("yc"),
        "curl -fsS -H \"Token: $IPSPECT_TOKEN\" 'https://context.example/v2/metadata/tags/ACME_VPN'"
    );
    assert_eq!(copied("yd"), "[]");
}

#[test]
fn a_question_that_failed_leaves_the_old_answer_and_says_why() {
    let mut harness = with_acme(120, 36);
    harness.keys("R");
    assert!(harness.screen().contains("~ fetching live"));
    let error = Error::new(Kind::Network, "the connection was cut off");
    harness.answer_any(|question| matches!(question, Question::Tag(_)), Err(error));
    let screen = harness.screen();
    assert!(screen.contains("x the connection was cut off; this is the last"));
    assert!(screen.contains("Acme Virtual Private Network"));
}

#[test]
fn on_a_small_screen_list_and_page_take_turns() {
    let mut harness = with_acme(80, 24);
    harness.keys("<esc>");
    assert_eq!(harness.app.tabs.tags.part, TagsFocus::List);
    harness.keys("<enter>");
    assert_eq!(harness.app.tabs.tags.part, TagsFocus::Page);
    harness.keys("<back>");
    assert_eq!(harness.app.tabs.tags.part, TagsFocus::List);
    harness.keys("<tab>");
    assert_eq!(harness.app.tabs.tags.part, TagsFocus::Page);
}

#[test]
fn the_json_is_read_in_place_of_the_page() {
    let mut harness = with_acme(120, 36);
    assert_eq!(harness.app.scopes()[0], Scope::Tab("Tags"));
    harness.keys("r");
    assert_eq!(harness.app.scopes()[0], Scope::Json);
    harness.keys("/church");
    assert_eq!(harness.app.scopes()[0], Scope::Input);
    harness.keys("<enter>r");
    assert_eq!(harness.app.scopes()[0], Scope::Tab("Tags"));
}

#[test]
fn any_size_will_do() {
    let mut harness = with_acme(120, 36);
    harness.keys(" ");
    for script in ["", "<tab>", "i", "<esc>/a", "<enter>r", "/x"] {
        harness.keys(script);
        test_terminal::fits_any_area(|frame, area| {
            let app = &harness.app;
            view::draw(frame, area, &app.tabs.tags, &app.view(harness.now));
        });
    }
}

#[test]
fn screen_with_data() {
    insta::assert_snapshot!(with_acme(120, 36).screen());
    let mut small = with_acme(80, 24);
    insta::assert_snapshot!("screen_with_data_small", small.screen());
    small.keys("<esc>");
    insta::assert_snapshot!("screen_of_the_list_small", small.screen());
}

#[test]
fn screen_of_a_list_that_is_sorted_filtered_and_marked() {
    let mut harness = with_acme(120, 36);
    harness.keys("ibravo_proxy<enter>");
    harness.answer_tag(BRAVO);
    harness.keys("iunknown_vpn<enter><tab>< /p");
    let error = Error::new(Kind::NotFound, "tag UNKNOWN_VPN not found (404)").status(404);
    harness.answer_any(|question| matches!(question, Question::Tag(_)), Err(error));
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn screen_of_a_tag_that_is_asked_for_or_not_known() {
    let mut harness = without_feed(120, 36);
    harness.keys("iunknown_vpn<enter>");
    insta::assert_snapshot!("screen_pending", harness.screen());
    let error = Error::new(Kind::NotFound, "tag UNKNOWN_VPN not found (404)").status(404);
    harness.answer_any(
        |question| matches!(question, Question::Tag(_)),
        Err(error.clone()),
    );
    insta::assert_snapshot!("screen_not_found", harness.screen());
    let mut small = without_feed(80, 24);
    small.keys("iunknown_vpn<enter>");
    let error = Error::new(Kind::Credentials, "the Context API denied access (401): the token is most likely invalid")
        .hint("store the right one with `ipspect login`; `ipspect doctor` says where the present one comes from");
    small.answer_any(|question| matches!(question, Question::Tag(_)), Err(error));
    insta::assert_snapshot!("screen_denied_small", small.screen());
}

#[test]
fn screen_without_tags() {
    let mut harness = Harness::new(80, 24);
    harness.keys("2");
    insta::assert_snapshot!("screen_while_the_feed_is_read", harness.screen());
    nothing_local(&mut harness);
    let metadata = r#"{"json":{"location":"20261120/feed.json.gz","filesize":2411724}}"#;
    let metadata = harness::fetched(metadata, |value| {
        FeedMetadata::decode(value).expect("metadata")
    });
    let question = Question::Metadata(Feed::ServiceMetrics);
    harness.answer(&question, Ok(Answer::Metadata(metadata)));
    insta::assert_snapshot!("screen_empty_small", harness.screen());
    let pull = Question::Pull(PullQuery::latest(Feed::ServiceMetrics));
    assert_eq!(harness::questions(&harness.keys("p")), [pull]);
    assert!(harness.screen().contains("~ downloading service-metrics"));
    let mut facts = harness::facts();
    facts.token = TokenState::Missing;
    let mut harness = Harness::with(facts, 120, 36);
    harness.keys("2");
    nothing_local(&mut harness);
    insta::assert_snapshot!("screen_empty_without_token", harness.screen());
}

#[test]
fn a_note_has_nothing_to_click_and_says_what_is_not_known() {
    let mut harness = without_feed(120, 36);
    harness.keys("iACME_VPN<enter>");
    harness.answer_tag(
        r#"{"tag":"ACME_VPN","name":"Acme *VPN*","website":"https://acme.example/","isAnonymous":true}"#,
    );
    let cmds = harness.keys("ym");
    let note = harness::copied(&cmds).expect("a note");
    assert!(
        note.starts_with("### ACME_VPN\n\nACME_VPN (Acme \\*VPN\\*): anonymous.\n\n- **name:**"),
        "{note}"
    );
    assert!(
        note.contains("Acme \\*VPN\\*") && note.contains("hxxps://acme[.]example/"),
        "{note}"
    );
    assert!(note.contains("- **not known:** "), "{note}");
}

#[test]
fn the_way_back_from_a_tag_of_the_list_leads_to_the_list_with_row_and_filter() {
    let mut harness = with_acme(160, 36);
    harness.keys("<tab>/");
    harness.types("acme");
    harness.keys("<enter>");
    let list = harness.app.tabs.tags.part;
    assert_eq!(list, TagsFocus::List);
    harness.keys("<enter>");
    assert_eq!(harness.app.tabs.tags.part, TagsFocus::Page);
    let opened = here(&harness).to_owned();
    harness.go(Destination::Tag(tag("BRAVO_PROXY")));
    harness.keys("<back>");
    assert_eq!(here(&harness), opened);
    harness.keys("<back>");
    assert_eq!(harness.app.tabs.tags.part, TagsFocus::List);
    assert_eq!(here(&harness), opened);
    assert!(harness.screen().contains("/ acme"));
}
