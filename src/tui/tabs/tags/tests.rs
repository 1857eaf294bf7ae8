//! Tests of the tab as a user meets it: scripts of keys, the requests they cause, and the screens.

mod local;

use super::*;
use crate::{
    contract::{Feed, LookupQuery},
    engine::{self, Error, Kind, PullQuery, trail, views::OfFeeds},
    model::FeedMetadata,
    tui::{
        ctx::{destination::Destination, facts::TokenState, intent::Scope, request::Answer},
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
fn nothing_local(stage: &mut Harness) {
    let missing = Error::new(Kind::NotFound, "the feed service-metrics is not local");
    stage.answer(&Question::LocalTags, Err(missing));
    stage.answer(&Question::TagChanges, Ok(Answer::TagChanges(None)));
    stage.answer(
        &Question::TagCounts,
        Ok(Answer::TagCounts(OfFeeds::default())),
    );
}

/// On the tab, with nothing local.
fn without_feed(width: u16, height: u16) -> Harness {
    let mut stage = Harness::new(width, height);
    stage.keys("2");
    nothing_local(&mut stage);
    stage
}

/// With the metadata of `ACME_VPN` opened by its name, and an address on which it was seen.
fn with_acme(width: u16, height: u16) -> Harness {
    let mut stage = Harness::new(width, height);
    let record = harness::record(
        r#"{"ip":"198.51.100.77","tunnels":[{"type":"VPN","operator":"ACME_VPN"}],"client":{"proxies":["WIDGET_PROXY"]}}"#,
    );
    let query = LookupQuery::now([198, 51, 100, 77].into());
    let entries = vec![
        trail::TrailEntry::Looked(query, Box::new(record)),
        trail::TrailEntry::Tagged(tag("OLD_VPN"), harness::now()),
    ];
    let trail = stage.app.begin(None, stage.now);
    let [Cmd::Ask(job, Question::Trail), ..] = trail.as_slice() else {
        panic!("{trail:?}")
    };
    stage.tell(Msg::Answered(
        *job,
        Box::new(Ok(Answer::Trail(engine::SavedTrail {
            entries,
            ..engine::SavedTrail::default()
        }))),
    ));
    stage.keys("2");
    nothing_local(&mut stage);
    stage.keys("iacme_vpn<enter>");
    stage.answer_tag(ACME);
    stage
}

fn here(stage: &Harness) -> &str {
    stage
        .app
        .tabs
        .tags
        .here
        .as_ref()
        .map_or("", TagName::as_str)
}

#[test]
fn a_typed_name_is_asked_for_once_and_remembered() {
    let mut stage = without_feed(120, 36);
    let cmds = stage.keys("iacme_vpn<enter>");
    assert!(asks(&cmds, "ACME_VPN"));
    assert!(
        matches!(&cmds[0], Cmd::Remember(trail::TrailEntry::Tagged(tag, _)) if tag.as_str() == "ACME_VPN")
    );
    assert!(!asks(&stage.keys("R"), "ACME_VPN"), "it is being asked for");
    stage.answer_tag(ACME);
    assert!(
        !asks(&stage.keys("iACME_VPN<enter>"), "ACME_VPN"),
        "it is known"
    );
    assert!(asks(&stage.keys("R"), "ACME_VPN"));
}

#[test]
fn a_name_that_is_none_is_refused_and_stays_to_be_mended() {
    let mut stage = without_feed(120, 36);
    let cmds = stage.keys("ia b<enter>");
    assert_eq!(cmds, []);
    assert_eq!(stage.app.tabs.tags.typing, Some(Typing::Name));
    assert!(stage.screen().contains("is not a service tag"));
    assert_eq!(stage.keys("<esc>"), []);
    assert_eq!(stage.app.tabs.tags.typing, None);
}

#[test]
fn an_answer_that_comes_too_late_is_dropped() {
    let mut stage = with_acme(120, 36);
    stage.keys("R");
    let (job, _) = stage.asked.last().expect("a question").clone();
    let cmds = stage.keys("x");
    assert!(cmds.contains(&Cmd::Cancel(job)));
    let before = stage.app.tabs.tags.cases[&tag("ACME_VPN")]
        .live
        .value()
        .map(|fetched| fetched.value.clone());
    stage.tell(Msg::Answered(
        job,
        Box::new(Ok(Answer::Tag(harness::tag(BRAVO)))),
    ));
    let after = stage.app.tabs.tags.cases[&tag("ACME_VPN")]
        .live
        .value()
        .map(|fetched| fetched.value.clone());
    assert_eq!(before, after);
}

#[test]
fn a_relation_is_followed_and_the_way_back_leads_to_the_same_row() {
    let mut stage = with_acme(120, 36);
    let lead = |stage: &Harness| {
        let case = &stage.app.tabs.tags.cases[&tag("ACME_VPN")];
        case.page.focus()
    };
    stage.keys("jj");
    let left = lead(&stage);
    let cmds = stage.keys("<enter>");
    assert!(asks(&cmds, "BRAVO_PROXY"), "{cmds:?}");
    stage.answer_tag(BRAVO);
    assert_eq!(here(&stage), "BRAVO_PROXY");
    stage.keys("<back>");
    assert_eq!((here(&stage), lead(&stage)), ("ACME_VPN", left));
    assert_eq!(stage.keys("L"), [], "forward asks for nothing");
    assert_eq!(here(&stage), "BRAVO_PROXY");
}

#[test]
fn evidence_leads_to_the_address_at_no_cost() {
    let mut stage = with_acme(120, 36);
    let is_there = |stage: &Harness| {
        let case = &stage.app.tabs.tags.cases[&tag("ACME_VPN")];
        let lead = case.page.meaning().and_then(|meaning| meaning.lead);
        matches!(lead, Some(Destination::AtHand(_)))
    };
    stage.keys("G");
    while !is_there(&stage) {
        stage.keys("<up>");
    }
    assert_eq!(stage.keys("<enter>"), [], "it is cached");
    let leads = stage.app.tab == TabId::Lookup;
    assert!(leads, "{}", stage.screen());
}

#[test]
fn marked_tags_go_to_an_export_and_the_selected_one_without_marks() {
    let mut stage = with_acme(120, 36);
    let mut desk_tags = Vec::new();
    for script in ["E<enter>", "2<tab> j E<enter>"] {
        stage.keys(script);
        desk_tags.push((stage.app.tab, stage.app.tabs.tags.marked.len()));
    }
    assert_eq!(desk_tags, [(TabId::Export, 0), (TabId::Export, 2)]);
    stage.keys("2 ");
    assert_eq!(
        stage.app.tabs.tags.marked.len(),
        1,
        "a second press takes the mark back"
    );
}

#[test]
fn all_tags_of_the_list_are_marked_turned_round_and_taken_back() {
    let mut stage = with_acme(120, 36);
    let marked = |stage: &Harness| stage.app.tabs.tags.marked.len();
    stage.keys("<tab> A");
    let all = marked(&stage);
    assert!(all > 2, "{}", stage.screen());
    stage.keys("u");
    assert_eq!(marked(&stage), 1);
    stage.keys("*");
    assert_eq!(marked(&stage), all - 1);
    stage.keys("uu");
    assert_eq!(marked(&stage), 0);
    stage.keys("<ctrl-r>");
    assert_eq!(marked(&stage), 1);
}

#[test]
fn a_range_of_the_list_is_marked() {
    let mut stage = with_acme(120, 36);
    stage.keys("<tab>gV<down><down>");
    assert!(
        stage.screen().contains("3 in the range"),
        "{}",
        stage.screen()
    );
    stage.keys("<esc>");
    assert_eq!(stage.notice(), "range cancelled");
    stage.keys("V<up>V");
    assert_eq!(stage.app.tabs.tags.marked.len(), 2);
    let names = stage.keys("yi");
    assert_eq!(
        harness::copied(&names).map(|names| names.lines().count()),
        Some(2)
    );
    stage.keys("u");
    assert!(stage.app.tabs.tags.marked.is_empty());
}

#[test]
fn the_filter_keeps_what_matches_and_escape_clears_it() {
    let mut stage = with_acme(120, 36);
    stage.keys("/widget<enter>");
    assert_eq!(here(&stage), "WIDGET_PROXY");
    assert!(!stage.screen().contains("OLD_VPN"));
    stage.keys("<esc>");
    assert!(stage.screen().contains("OLD_VPN"));
    assert!(stage.app.tabs.tags.filter.is_empty());
}

#[test]
fn a_website_opens_after_a_question_only_and_only_a_web_page() {
    let mut stage = with_acme(120, 36);
    assert_eq!(stage.keys("o"), []);
    assert!(
        stage
            .screen()
            .contains("Open https://acme.example/ in the browser?")
    );
    assert_eq!(stage.keys("n"), []);
    assert_eq!(
        stage.keys("oy"),
        [Cmd::Browse("https://acme.example/".to_owned())]
    );
    stage.keys("ibravo_proxy<enter>");
    stage.answer_tag(BRAVO);
    assert_eq!(stage.keys("o"), []);
    assert!(stage.app.overlay.is_none());
}

#[test]
fn what_is_copied_is_what_was_asked_for() {
    let mut stage = with_acme(120, 36);
    let mut copied = |script: &str| match stage.keys(script).as_slice() {
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
    let mut stage = with_acme(120, 36);
    stage.keys("R");
    assert!(stage.screen().contains("~ fetching live"));
    let error = Error::new(Kind::Network, "the connection was cut off");
    stage.answer_any(|question| matches!(question, Question::Tag(_)), Err(error));
    let screen = stage.screen();
    assert!(screen.contains("x the connection was cut off; this is the last"));
    assert!(screen.contains("Acme Virtual Private Network"));
}

#[test]
fn on_a_small_screen_list_and_page_take_turns() {
    let mut stage = with_acme(80, 24);
    stage.keys("<esc>");
    assert_eq!(stage.app.tabs.tags.part, TagsFocus::List);
    stage.keys("<enter>");
    assert_eq!(stage.app.tabs.tags.part, TagsFocus::Page);
    stage.keys("<back>");
    assert_eq!(stage.app.tabs.tags.part, TagsFocus::List);
    stage.keys("<tab>");
    assert_eq!(stage.app.tabs.tags.part, TagsFocus::Page);
}

#[test]
fn the_json_is_read_in_place_of_the_page() {
    let mut stage = with_acme(120, 36);
    assert_eq!(stage.app.scopes()[0], Scope::Tab("Tags"));
    stage.keys("r");
    assert_eq!(stage.app.scopes()[0], Scope::Json);
    stage.keys("/church");
    assert_eq!(stage.app.scopes()[0], Scope::Input);
    stage.keys("<enter>r");
    assert_eq!(stage.app.scopes()[0], Scope::Tab("Tags"));
}

#[test]
fn any_size_will_do() {
    let mut stage = with_acme(120, 36);
    stage.keys(" ");
    for script in ["", "<tab>", "i", "<esc>/a", "<enter>r", "/x"] {
        stage.keys(script);
        test_terminal::fits_any_area(|frame, area| {
            let app = &stage.app;
            view::draw(frame, area, &app.tabs.tags, &app.view(stage.now));
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
    let mut stage = with_acme(120, 36);
    stage.keys("ibravo_proxy<enter>");
    stage.answer_tag(BRAVO);
    stage.keys("iunknown_vpn<enter><tab>< /p");
    let error =
        Error::new(Kind::NotFound, "the service knows no tag UNKNOWN_VPN (404)").status(404);
    stage.answer_any(|question| matches!(question, Question::Tag(_)), Err(error));
    insta::assert_snapshot!(stage.screen());
}

#[test]
fn screen_of_a_tag_that_is_asked_for_or_not_known() {
    let mut stage = without_feed(120, 36);
    stage.keys("iunknown_vpn<enter>");
    insta::assert_snapshot!("screen_pending", stage.screen());
    let error =
        Error::new(Kind::NotFound, "the service knows no tag UNKNOWN_VPN (404)").status(404);
    stage.answer_any(
        |question| matches!(question, Question::Tag(_)),
        Err(error.clone()),
    );
    insta::assert_snapshot!("screen_not_found", stage.screen());
    let mut small = without_feed(80, 24);
    small.keys("iunknown_vpn<enter>");
    let error = Error::new(Kind::Credentials, "the Context API denied access (401): the token is most likely invalid")
        .hint("store the right one with `ipspect login`; `ipspect doctor` says where the present one comes from");
    small.answer_any(|question| matches!(question, Question::Tag(_)), Err(error));
    insta::assert_snapshot!("screen_denied_small", small.screen());
}

#[test]
fn screen_without_tags() {
    let mut stage = Harness::new(80, 24);
    stage.keys("2");
    insta::assert_snapshot!("screen_while_the_feed_is_read", stage.screen());
    nothing_local(&mut stage);
    let metadata = r#"{"json":{"location":"20261120/feed.json.gz","filesize":2411724}}"#;
    let metadata = harness::fetched(metadata, |value| {
        FeedMetadata::decode(value).expect("metadata")
    });
    let question = Question::Metadata(Feed::ServiceMetrics);
    stage.answer(&question, Ok(Answer::Metadata(metadata)));
    insta::assert_snapshot!("screen_empty_small", stage.screen());
    let pull = Question::Pull(PullQuery::latest(Feed::ServiceMetrics));
    assert_eq!(harness::questions(&stage.keys("p")), [pull]);
    assert!(stage.screen().contains("~ downloading service-metrics"));
    let mut facts = harness::facts();
    facts.token = TokenState::Missing;
    let mut stage = Harness::with(facts, 120, 36);
    stage.keys("2");
    nothing_local(&mut stage);
    insta::assert_snapshot!("screen_empty_without_token", stage.screen());
}

#[test]
fn a_note_has_nothing_to_click_and_says_what_is_not_known() {
    let mut stage = without_feed(120, 36);
    stage.keys("iACME_VPN<enter>");
    stage.answer_tag(
        r#"{"tag":"ACME_VPN","name":"Acme *VPN*","website":"https://acme.example/","isAnonymous":true}"#,
    );
    let cmds = stage.keys("ym");
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
    let mut stage = with_acme(160, 36);
    stage.keys("<tab>/");
    stage.types("acme");
    stage.keys("<enter>");
    let list = stage.app.tabs.tags.part;
    assert_eq!(list, TagsFocus::List);
    stage.keys("<enter>");
    assert_eq!(stage.app.tabs.tags.part, TagsFocus::Page);
    let opened = here(&stage).to_owned();
    stage.go(Destination::Tag(tag("BRAVO_PROXY")));
    stage.keys("<back>");
    assert_eq!(here(&stage), opened);
    stage.keys("<back>");
    assert_eq!(stage.app.tabs.tags.part, TagsFocus::List);
    assert_eq!(here(&stage), opened);
    assert_eq!(stage.app.tabs.tags.filter.value(), "acme");
}
