//! Two records side by side.

use super::*;

#[test]
fn the_day_to_compare_with_is_the_latest_local_one_that_differs() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261119");
    harness.days = Some(days("20261112", "-??====="));
    harness.keys("i198.51.100.77<enter>");
    harness.sources.local = local("20261112");
    harness.keys("c<enter>");
    let compare = harness.app.tabs.lookup.comparison().expect("a comparison");
    assert_eq!(compare.a.date, "20261112".parse().ok());
    let asked = harness.asked.iter().map(|(_, question)| question);
    assert!(
        asked.clone().all(|own| *own == Question::Releases),
        "both days are local"
    );
    harness.keys("<esc>");
    harness.days = None;
    harness.sources.local = local("20261119");
    harness.keys("i198.51.100.78<enter>c<enter>");
    let compare = harness.app.tabs.lookup.comparison().expect("a comparison");
    assert_eq!(
        compare.a.date,
        "20261118".parse().ok(),
        "the data's day minus one"
    );
}

#[test]
fn days_without_a_difference_say_since_when_the_verdict_is_the_same() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261119");
    harness.days = Some(days("20261115", "====="));
    harness.keys("i198.51.100.77<enter>");
    harness.sources.local = local("20261118");
    harness.keys("c<enter>");
    let screen = harness.screen();
    assert!(screen.contains("no difference"), "{screen}");
    let words = "the verdict is the same since 2026-11-15 or earlier";
    assert!(screen.contains(words), "{screen}");
}

#[test]
fn lists_differ_by_member_and_a_long_value_is_shown_whole() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("c-9<enter>");
    let many: Vec<String> = (1..60)
        .map(|last| format!(r#""198.51.100.{last}""#))
        .collect();
    let then = RECORD
        .replace(r#""198.51.100.77","198.51.100.78""#, &many.join(","))
        .replace(r#""OPENVPN","#, "");
    let job = harness.asked.last().expect("a question").0;
    answer(&mut harness, job, &then);
    // As it is shown it is written, too.
    let rows = harness.app.written_list().and_then(|front| front.numbers());
    assert_eq!(rows.expect("rows").all, Some(2));
    let screen = harness.screen();
    assert!(screen.contains("services (1 in both)"), "{screen}");
    assert!(screen.contains("tunnels VPN ACME_VPN: exits"), "{screen}");
    assert!(!screen.contains("tunnels["), "{screen}");
    assert!(!screen.contains("198.51.100.59"), "{screen}");
    // What decides the verdict comes first.
    harness.keys("<enter>");
    let screen = harness.screen();
    assert!(screen.contains("198.51.100.59"), "{screen}");
    insta::assert_snapshot!("whole_value", screen);
    harness.keys("<esc>");
    assert!(!harness.screen().contains("198.51.100.59"));
}

#[test]
fn two_days_and_two_geolocations_stand_side_by_side() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("c-9<enter>");
    let day = "20261111".parse().ok();
    let then = LookupQuery {
        date: day,
        ..query("198.51.100.77")
    };
    let (job, asked) = harness.asked.last().cloned().expect("a question");
    assert_eq!(asked, Question::Lookup(then));
    answer(&mut harness, job, &RECORD.replace("ACME_VPN", "BRAVO_VPN"));
    let screen = harness.screen();
    assert!(
        screen.contains("BRAVO_VPN") && screen.contains("ACME_VPN"),
        "{screen}"
    );
    assert!(screen.contains("equal rows hidden"), "{screen}");

    harness.keys("m");
    let mmgeo = LookupQuery {
        geolocation: Geolocation::Mmgeo,
        ..then
    };
    let (job, asked) = harness.asked.last().cloned().expect("a question");
    assert_eq!(asked, Question::Lookup(mmgeo));
    let elsewhere = RECORD
        .replace("ACME_VPN", "BRAVO_VPN")
        .replace("Amsterdam", "Rotterdam");
    answer(&mut harness, job, &elsewhere);
    let screen = harness.screen();
    assert!(
        screen.contains("location.city") && screen.contains("Rotterdam"),
        "{screen}"
    );

    let before = harness.asked.len();
    harness.keys("{{{");
    assert_eq!(
        harness.asked.len(),
        before,
        "stepping past a day costs nothing"
    );
}

#[test]
fn the_way_back_leads_from_a_comparison_to_the_record() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.9");
    answer(&mut harness, job, r#"{"ip":"198.51.100.9"}"#);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("<down><down>");
    let before = harness.screen();
    harness.keys("c-9<enter>");
    let job = harness.asked.last().expect("a question").0;
    answer(&mut harness, job, &RECORD.replace("ACME_VPN", "BRAVO_VPN"));
    harness.keys("<enter><back>");
    assert!(
        harness.app.tabs.lookup.comparison().is_some(),
        "the row is closed"
    );
    harness.keys("<back>");
    assert!(harness.app.tabs.lookup.comparison().is_none());
    harness.app.notices.dismiss();
    assert_eq!(harness.screen(), before);
}

#[test]
fn the_calendar_names_what_enter_costs_under_the_policy_in_force() {
    let of_day = "enter local anonymous-residential 2026-11-19: free";
    for (answers, day, price) in [
        (
            AnswerOrder::LocalFirst,
            "20261120",
            "enter none local, live: 1 query",
        ),
        (AnswerOrder::LocalFirst, "20261119", of_day),
        (AnswerOrder::Live, "20261119", "enter live: 1 query"),
    ] {
        let mut harness = explorer(80, 24);
        harness.sources.local = local("20261120");
        harness.days = Some(days("20261119", "-="));
        harness.keys("i198.51.100.77<enter>");
        harness.app.facts.answers = answers;
        harness.sources.local = local(day);
        harness.keys("c");
        let screen = harness.screen();
        for told in [price, "+ local"] {
            assert!(screen.contains(told), "{told}\n{screen}");
        }
        assert!(!screen.contains("0 queries"), "{screen}");
    }
}

#[test]
fn each_side_of_a_comparison_has_source_day_and_age() {
    let mut harness = explorer(80, 24);
    harness.sources.local = local("20261119");
    harness.keys("i198.51.100.77<enter>");
    harness.sources.local = local("20261112");
    harness.keys("c2026-11-12<enter>");
    let screen = harness.screen();
    assert!(
        screen.contains("A  VPN exit of ACME_VPN   LOCAL anonymous-residential 2026-11-12, 8d old"),
        "{screen}"
    );
    assert!(
        screen
            .contains("B  VPN exit of ACME_VPN   LOCAL anonymous-residential 2026-11-19, 47h old"),
        "{screen}"
    );
}

#[test]
fn a_refused_day_says_what_the_other_hosts_said() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("c-9<enter>");
    for (area, status) in [
        (engine::Area::Lookup, 200),
        (engine::Area::History, 403),
        (engine::Area::Feeds, 403),
    ] {
        let heard = engine::AreaStatus {
            at: harness::now(),
            status: Some(status),
            trouble: None,
        };
        harness.app.facts.access.record(area, heard);
    }
    let job = harness.asked.last().expect("a question").0;
    let denied = Error::new(Kind::Credentials, "the Context API denied access (403)")
        .hint("past days need historical access on the account");
    harness.answer_to(job, Err(denied));
    let screen = harness.screen();
    for said in [
        "x the Context API denied access (403)",
        "past days need historical access on the account",
        "history 403: token valid, no historical access",
        "elsewhere allowed: lookup; refused: feeds",
        "3 opens Quota",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
}

/// The footer names the key that closes a comparison, wherever the trail begins.
#[test]
fn the_way_back_from_a_comparison_is_named() {
    let mut harness = explorer(120, 36);
    let footer = |harness: &mut Harness| {
        let screen = harness.screen();
        screen.lines().rev().nth(1).unwrap_or_default().to_owned()
    };
    let welcome = footer(&mut harness);
    assert!(!welcome.contains("back"), "{welcome}");
    assert!(!welcome.contains("geo (1 query)"), "{welcome}");
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    let record = footer(&mut harness);
    assert!(!record.contains("back"), "the trail begins here: {record}");
    assert!(record.contains("geo (1 query)"), "{record}");
    harness.keys("c-9<enter>");
    let job = harness.asked.last().expect("a question").0;
    answer(&mut harness, job, &RECORD.replace("ACME_VPN", "BRAVO_VPN"));
    let comparison = footer(&mut harness);
    assert!(comparison.contains("back"), "{comparison}");
    harness.keys("<back>");
    assert!(harness.app.tabs.lookup.comparison().is_none());
}

#[test]
fn the_note_on_a_comparison_has_both_sources_and_what_differs_in_words() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("c-9<enter>");
    let job = harness.asked.last().expect("a question").0;
    answer(&mut harness, job, &RECORD.replace(r#""OPENVPN","#, ""));
    let note = harness.keys("ym");
    insta::assert_snapshot!("note", harness::copied(&note).expect("a note"));
}

#[test]
fn what_a_comparison_has_cost_is_told_and_a_missing_side_says_what_it_costs() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("c-9<enter>");
    let job = harness.asked.last().expect("a question").0;
    answer(&mut harness, job, RECORD);
    let screen = harness.screen();
    assert!(screen.contains("cost so far: 1 query"), "{screen}");
    assert!(screen.contains("both sides shown: free"), "{screen}");
    harness.keys("[");
    let screen = harness.screen();
    for words in [
        "B  today (live 2026-11-20, now)   anonymising",
        "not shown yet: enter fetches, local, else 1 query",
        "enter fetch",
        "enter local, else 1 query",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    harness.keys("<enter>");
    let job = harness.asked.last().expect("a question").0;
    answer(&mut harness, job, RECORD);
    let screen = harness.screen();
    assert!(screen.contains("cost so far: 2 queries"), "{screen}");
}

const TWO: &str = "10:41 allow 198.51.100.77:443\n10:42 deny 198[.]51[.]100[.]9\n";

fn compare_question(harness: &Harness) -> Question {
    let mut asked = harness.asked.iter().map(|(_, question)| question);
    let question = asked.find(|question| matches!(question, Question::Compare(_)));
    question.expect("two sides are compared").clone()
}

#[test]
fn a_table_is_compared_with_the_same_text_of_another_day() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261119");
    harness.tell(Msg::Paste(TWO.to_owned()));
    let file = facts().pastes.path_of(TWO).display().to_string();
    harness.keys(":compare<space>@-7d<enter>");
    let question = compare_question(&harness);
    let names = [format!("{file}@-7d"), file];
    assert_eq!(question, Question::Compare(names));
    insta::assert_snapshot!("sides_pending", harness.screen());
    harness.answer(&question, Ok(Answer::Compared(harness::compared())));
    insta::assert_snapshot!("sides_wide", harness.screen());
    insta::assert_snapshot!("sides_narrow", harness.screen_at(80, 24));
    let ticket = harness.keys("ym");
    let is_ticket = |cmd: &Cmd| matches!(cmd, Cmd::Copy(_, text) if text.contains("1 with another verdict, 1 in A only, 1 in B only"));
    assert!(ticket.iter().any(is_ticket), "{ticket:?}");
    // The removed row is shown as of the day of the first side.
    harness.keys("/removed<enter><enter>");
    let here = harness.app.tabs.lookup.here.expect("a record");
    assert_eq!(
        (here.address.to_string().as_str(), here.date),
        ("198.51.100.8", "20261113".parse().ok())
    );
    // The way back is to the list, from there alone.
    let is_list = |harness: &mut Harness| harness.screen().contains("┌ A eb6475c0b11e1e7b.txt@-7d");
    assert!(!is_list(&mut harness));
    harness.keys("<back>");
    assert!(is_list(&mut harness));
    harness.keys("<enter>2<back>1");
    assert!(!is_list(&mut harness), "another tab does not bring it back");
    harness.keys("<back>");
    assert!(is_list(&mut harness));
    harness.keys("<enter>i198.51.100.99<enter><back>");
    assert!(!is_list(&mut harness), "back is to the record before");
    harness.keys("<back>");
    assert!(is_list(&mut harness));
    harness.keys("<enter>:forget<enter>y<back>");
    assert!(!is_list(&mut harness));
}

#[test]
fn sides_that_cannot_be_compared_say_why() {
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste(TWO.to_owned()));
    harness.keys(":compare<space>no-such.log<enter>");
    let question = compare_question(&harness);
    let error = Error::new(Kind::Usage, "no-such.log: there is no such file").hint("name a file");
    harness.answer(&question, Err(error));
    insta::assert_snapshot!("sides_failed", harness.screen());
    harness.keys("<esc>");
    assert!(!harness.screen().contains("no such file"));
}

#[test]
fn two_addresses_are_compared_side_by_side() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261119");
    harness.tell(Msg::Paste(TWO.to_owned()));
    harness.keys("c");
    assert!(
        harness.app.tabs.lookup.comparison().is_none(),
        "no row is marked"
    );
    harness.keys("Ac");
    let compare = harness.app.tabs.lookup.comparison().expect("a comparison");
    let mut sides = [compare.a.address, compare.b.address].map(|address| address.to_string());
    sides.sort();
    assert_eq!(sides, ["198.51.100.77", "198.51.100.9"]);
    insta::assert_snapshot!("two_addresses", harness.screen());
    harness.keys("<esc>");
    assert!(harness.app.tabs.lookup.open_table().is_some());
    // A record is compared with what is typed, nothing is sent.
    harness.keys("i198.51.100.77<enter>:compare<space>198.51.100.78<enter>");
    let compare = harness.app.tabs.lookup.comparison().expect("a comparison");
    let sides = [compare.a.address, compare.b.address].map(|address| address.to_string());
    assert_eq!(sides, ["198.51.100.77", "198.51.100.78"]);
    let subject = harness.app.tabs.lookup.subject();
    let address = subject.address.map(|address| address.to_string());
    assert_eq!(
        address.as_deref(),
        Some("198.51.100.78"),
        "of two the second one"
    );
    harness.keys("<esc>:compare<space>198.51.100.7<space>198.51.100.8<enter>");
    let compare = harness.app.tabs.lookup.comparison().expect("a comparison");
    let sides = [compare.a.address, compare.b.address].map(|address| address.to_string());
    assert_eq!(sides, ["198.51.100.7", "198.51.100.8"]);
    harness.keys("<esc>:compare<space>@2026-11-01<enter>");
    let compare = harness.app.tabs.lookup.comparison().expect("a comparison");
    assert_eq!(
        (compare.a.date, compare.b.date),
        ("20261101".parse().ok(), None)
    );
    assert!(
        harness
            .asked
            .iter()
            .all(|(_, question)| !matches!(question, Question::Lookup(_) | Question::Resolve(_)))
    );
}
