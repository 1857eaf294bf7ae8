//! Which source answers, what may be sent, and what is said beside an answer: `--source auto`, the guards, ages and families.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use ipspect::{
    demo::{DemoRole, FaultSite},
    model::Day,
};
use serde_json::Value;

use crate::{
    fake::{Fake, answer},
    home::{Here, subject},
    pty::Terminal,
    service::{Home, Service},
};

const ADDRESS: &str = "198.51.100.77";

fn day(back: i32) -> Day {
    Day::of(jiff::Timestamp::now()).plus(-back)
}

/// Adds a part to the configuration.
fn configure(home: &Home, more: &str) {
    let config = home.read("config/config.toml");
    home.configure(&format!("{config}\n{more}\n"));
}

fn sources(home: &Home, line: &str) -> Vec<String> {
    let lines = home.run(&format!("{line} --format json")).ends(0).lines();
    let source = |line: &Value| line["source"].as_str().expect("source").to_owned();
    lines.iter().map(source).collect()
}

/// The lookups that came in.
fn lookups(service: &Service) -> Vec<String> {
    let asked = service.asked(FaultSite::Context);
    let lookups = asked
        .into_iter()
        .filter(|target| target.starts_with("/v2/context/"));
    lookups.collect()
}

#[test]
fn geolocation_netblocks_and_realtime_never_replace_a_query() {
    let service = Service::start();
    let here = Here::with(&service, &["ipgeo", "dch", "realtime"]);
    let realtime = here.records("realtime")[0]["ip"]
        .as_str()
        .expect("an address")
        .to_owned();
    for address in [ADDRESS, &realtime] {
        let known = here.known(address);
        assert!(!known.is_empty(), "{address}");
        let line = format!("lookup {address} --source auto --format json");
        let lines = here.home.run(&line).ends(0).lines();
        assert_eq!(
            (&lines[0]["source"], &lines[0]["cost"]),
            (&"live".into(), &1.into())
        );
        // They are beside the answer.
        let beside: Vec<&str> = lines[1..]
            .iter()
            .filter_map(|line| line["feed"].as_str())
            .collect();
        assert_eq!(beside.len(), known.len(), "{lines:?}");
        assert!(
            known
                .iter()
                .all(|(feed, _)| beside.contains(&feed.as_str()))
        );
        let again = here.home.run(&line).ends(0).lines();
        assert_eq!(
            (&again[0]["source"], again.len()),
            (&"cache".into(), lines.len())
        );
    }
    assert_eq!(lookups(&service).len(), 2);
}

#[test]
fn an_old_context_does_not_replace_a_query_and_answers_marked_where_none_may_be_sent() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run(&format!("feeds pull anonymous --date {}", day(5)))
        .ends(0);
    let line = format!("lookup {ADDRESS} --source auto");
    let stale = home.run(&format!("{line} --offline --format json"));
    stale.ends(0).says("5 days old");
    let stale = stale.line();
    assert_eq!(
        (&stale["source"], &stale["stale"]),
        (&"local".into(), &true.into())
    );
    home.run(&format!("{line} --offline"))
        .ends(0)
        .shows(", stale, free");
    assert_eq!(lookups(&service), [""; 0]);
    let unsent = service.home(DemoRole::Full).without_token();
    unsent
        .run(&format!("feeds pull anonymous --date {}", day(5)))
        .ends(3);

    assert_eq!(sources(&home, &line), ["live"]);
    assert_eq!(sources(&home, &line), ["cache"]);
    // A release young enough, if the configuration says so.
    configure(&home, "[cache]\nlocal_max_age_h = 200");
    assert_eq!(sources(&home, &line), ["local"]);
    assert_eq!(lookups(&service).len(), 1);
}

#[test]
fn without_a_token_or_under_the_guard_a_stale_record_answers() {
    let service = Service::start();
    let home = service.home(DemoRole::NearlySpent);
    home.run(&format!("feeds pull anonymous --date {}", day(4)))
        .ends(0);
    configure(&home, "[guards]\nstop_below = 4");
    let line = format!("lookup {ADDRESS} 198.18.255.255 --source auto --format json");
    let ran = home.run(&line);
    let lines = ran.ends(1).lines();
    assert_eq!(lines[0]["stale"], true);
    assert_eq!(
        (&lines[1]["error"]["kind"], lines[1].get("record")),
        (&"guard".into(), None)
    );
    assert_eq!(lookups(&service), [""; 0]);
    let home = home.without_token();
    let lines = home.run(&line).ends(1).lines();
    assert_eq!(lines[0]["stale"], true);
    assert_eq!(lines[1]["error"]["kind"], "credentials");
}

#[test]
fn a_feed_without_a_record_never_answers_for_the_service() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "ipgeo"]);
    let unknown = here.unknown_address("198.18");
    let line = format!("lookup {unknown} --source auto --format json");
    let ran = here.home.run(&format!("{line} --offline"));
    let failed = ran.ends(2).says("no local or cached answer").line();
    assert_eq!(failed["error"]["kind"], "usage");
    assert!(failed.get("record").is_none());
    assert_eq!(here.home.run(&line).ends(0).line()["source"], "live");
    // What the service said earlier still answers.
    assert_eq!(
        here.home.run(&format!("{line} --offline")).ends(0).line()["source"],
        "cache"
    );
}

#[test]
fn a_past_day_is_answered_by_its_release_then_by_the_cache_then_live() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let (with, without) = (day(6), day(7));
    home.run(&format!("feeds pull anonymous --date {with}"))
        .ends(0);
    let of = |day: Day| format!("lookup {ADDRESS} --source auto --date {day}");
    assert_eq!(sources(&home, &of(with)), ["local"]);
    assert_eq!(sources(&home, &of(without)), ["live"]);
    assert_eq!(sources(&home, &of(without)), ["cache"]);
    assert_eq!(
        lookups(&service),
        [format!("/v2/context/{ADDRESS}?dt={without}")]
    );
    // Another geolocation is known to the service alone.
    let mmgeo = format!("{} --mmgeo", of(with));
    assert_eq!(sources(&home, &mmgeo), ["live"]);
    assert_eq!(sources(&home, &mmgeo), ["live"]);
    for options in ["--mmgeo", &format!("--date {with}")] {
        home.run(&format!("lookup {ADDRESS} --source local {options}"))
            .ends(2);
    }
    home.run(&format!("lookup 198.18.255.255 --source auto --day {with}"))
        .ends(10)
        .says("no IP context");
}

#[test]
fn many_queries_are_confirmed_by_the_command_line() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    configure(&home, "[guards]\nconfirm_over = 2");
    let three = "lookup 198.18.0.1 198.18.0.2 198.18.0.3 198.18.0.1";
    let ran = home.run(&format!("{three} --format json"));
    let error = ran.ends(2).says("--yes").line();
    assert_eq!(error["error"]["kind"], "usage");
    assert_eq!(service.demo.requests(), []);
    home.run("lookup 198.18.0.1 198.18.0.2").ends(0);
    home.run(&format!("{three} --yes")).ends(0);
    assert_eq!(lookups(&service).len(), 5);
    // Two of three are cached.
    home.run(&format!("{three} --source auto 198.18.0.4"))
        .ends(0);
    assert_eq!(lookups(&service).len(), 6);
    let capped = home.run("lookup 198.18.1.1 198.18.1.2 198.18.1.3 --spend 2 --format json");
    let lines = capped.ends(1).says("198.18.1.3").lines();
    assert_eq!(lines[2]["error"]["kind"], "guard");
    assert!(lines[..2].iter().all(|line| line["cost"] == 1));
    assert_eq!(lookups(&service).len(), 8);
    home.run("lookup 198.18.1.1 --spend 0").ends(1);
    assert_eq!(lookups(&service).len(), 8);
}

#[test]
fn zero_always_asks_but_for_what_costs_nothing() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    configure(&home, "[guards]\nconfirm_over = 0");
    home.run(&format!("lookup {ADDRESS}")).ends(2);
    home.run("lookup 10.0.0.1").ends(2).says("not public");
    home.run(&format!("lookup {ADDRESS} --yes")).ends(0);
    home.run(&format!("lookup {ADDRESS} --source auto")).ends(0);
    home.run(&format!("lookup {ADDRESS} --offline"))
        .ends(2)
        .says("--offline");
    assert_eq!(lookups(&service).len(), 1);
}

#[test]
fn a_person_is_asked_at_a_terminal() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    configure(&home, "[guards]\nconfirm_over = 1");
    let answered = |key: &str| {
        let program = env!("CARGO_BIN_EXE_ipspect");
        let words = ["lookup", "198.18.0.1", "198.18.0.2", "--format", "json"];
        let token = [("IPSPECT_TOKEN", DemoRole::Full.token())];
        let mut terminal = Terminal::start((100, 20), program, &words, home.root.path(), &token);
        terminal.wait_for("Send 2 queries");
        terminal.type_text(key);
        terminal.press("enter");
        terminal.exit_code()
    };
    assert_eq!(answered("n"), 1);
    assert_eq!(lookups(&service), [""; 0]);
    assert_eq!(answered("y"), 0);
    assert_eq!(lookups(&service).len(), 2);
}

#[test]
fn the_balance_guard_holds_in_a_fresh_process() {
    // Until an answered lookup has ended, its query is counted as under way: two are asked for before either is answered.
    let service = Service::with(&["context:delay=1"]);
    let home = service.home(DemoRole::NearlySpent);
    configure(&home, "[guards]\nstop_below = 2");
    let ran = home.run("lookup 198.18.0.1 198.18.0.2 198.18.0.3 198.18.0.4 --format json");
    let lines = ran.ends(1).lines();
    let answered = lines.iter().filter(|line| line.get("record").is_some());
    assert_eq!(answered.count(), 2, "{ran:?}");
    let guarded = lines.iter().filter(|line| line["error"]["kind"] == "guard");
    assert_eq!(guarded.count(), 2, "{ran:?}");
    // Neither --yes nor --spend overrides it, and another process asks for the balance first.
    for options in ["", "--yes", "--spend 5"] {
        home.run(&format!("lookup 198.18.0.5 {options}"))
            .ends(1)
            .says("below the guard");
    }
    assert_eq!(lookups(&service).len(), 2);
    assert_eq!(service.demo.spent(DemoRole::NearlySpent), 2);
}

#[test]
fn a_balance_that_cannot_be_asked_for_sends_nothing() {
    let service = Service::with(&["context:500"]);
    let home = service.home(DemoRole::Full);
    configure(&home, "[guards]\nstop_below = 1");
    home.run("lookup 198.18.0.1 198.18.0.2")
        .ends(1)
        .says("the balance is unknown");
    assert!(!service.asked(FaultSite::Context).is_empty());
    assert_eq!(lookups(&service), [""; 0]);
    service
        .home(DemoRole::Full)
        .run("lookup 198.18.0.1 --retries 0")
        .ends(6);
    assert_eq!(lookups(&service).len(), 1);
}

#[test]
fn a_network_has_the_number_of_records_inside_it() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "anonymous-ipv6"]);
    for (feed, network) in [
        ("anonymous", "198.51.100.0/24"),
        ("anonymous-ipv6", "2001:db8::/32"),
    ] {
        let block: ipnet::IpNet = network.parse().expect(network);
        let inside = here
            .records(feed)
            .iter()
            .filter_map(subject)
            .filter(|network| block.contains(network))
            .count();
        assert!(inside > 1, "{network}");
        let line = format!("lookup {network} --source local");
        let answers = here.home.run(&format!("{line} --format json"));
        let answers = answers.ends(0).lines();
        let of_feed: Vec<_> = answers.iter().filter(|line| line["feed"] == feed).collect();
        assert!(!of_feed.is_empty(), "{answers:?}");
        for line in of_feed {
            assert_eq!(line["inside"], inside, "{network}");
        }
        let text = here.home.run(&line);
        text.ends(0).shows("records inside");
        assert!(!text.out.contains("harmless"), "{text:?}");
        let counted = here
            .home
            .run_words(&["search", feed, &format!("net:{network}"), "--count"]);
        assert_eq!(counted.ends(0).out.trim(), inside.to_string());
    }
    let nothing = here
        .home
        .run("lookup 192.0.2.0/30 --source local --format json");
    assert_eq!(nothing.ends(0).line()["inside"], 0);
}

#[test]
fn a_family_that_no_local_feed_holds_is_named() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let home = &here.home;
    std::fs::write(home.path("text"), "2001:db8:77:1::7 198.51.100.77").expect("write");
    for line in ["lookup 2001:db8:77:1::7 --source local", "enrich text"] {
        home.run(line).ends(0).says("IPv6").says("anonymous-ipv6");
        assert_eq!(home.run(&format!("{line} -q")).ends(0).err, "");
    }
    let known = home.run(&format!("lookup {ADDRESS} 203.0.113.255 --source local"));
    assert_eq!(known.ends(0).err, "");
    // Geolocation that holds the family does not tell who is behind an address of it.
    let located = Here::with(&service, &["anonymous", "dch", "ipgeo"]);
    std::fs::write(located.home.path("text"), "2001:db8:77:1::7").expect("write");
    for line in ["lookup 2001:db8:77:1::7 --source local", "enrich text"] {
        located.home.run(line).ends(0).says("IPv6");
    }
    let v6 = Here::with(&service, &["anonymous-ipv6"]);
    v6.home
        .run(&format!("lookup {ADDRESS} --source local"))
        .ends(0)
        .says("IPv4");
}

#[test]
fn an_old_release_is_named_with_its_age_wherever_it_answers() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for back in [9, 8] {
        home.run(&format!("feeds pull anonymous --date {}", day(back)))
            .ends(0);
    }
    std::fs::write(home.path("text"), ADDRESS).expect("write");
    let named = format!("anonymous of {} is ~8 days old", day(8).dashed());
    for line in [
        format!("lookup {ADDRESS} --source local"),
        "enrich text".to_owned(),
        "enrich text --facet tag".to_owned(),
        "enrich text --plan".to_owned(),
        "search anonymous --count".to_owned(),
        "search anonymous --facet cc --format json".to_owned(),
        "diff anonymous --count".to_owned(),
        "export anonymous --local -o - --limit 1".to_owned(),
        "export anonymous --local -o file --limit 1".to_owned(),
        "export anonymous --local --dry-run".to_owned(),
        "parquet anonymous -o file.parquet".to_owned(),
    ] {
        home.run(&line).ends(0).says(&named);
    }
    home.run("diff anonymous --count")
        .ends(0)
        .says(&format!("{} is ~9 days old", day(9).dashed()));
    home.run("feeds pull anonymous").ends(0);
    assert_eq!(
        home.run(&format!("lookup {ADDRESS} --source local"))
            .ends(0)
            .err,
        ""
    );
}

/// A home with the release of today of a feed of these lines.
fn with_feed(feed: &str, lines: &[String]) -> Home {
    with_release(feed, day(0), lines)
}

/// A home with the release of a day of a feed of these lines.
fn with_release(feed: &str, day: Day, lines: &[String]) -> Home {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder
        .write_all((lines.join("\n") + "\n").as_bytes())
        .expect("memory");
    let body = encoder.finish().expect("memory");
    let headers = format!("x-feed-generation-date: {day}\r\n");
    let home = Fake::answering(move |_| answer(200, &headers, &body)).home();
    home.run(&format!("feeds pull {feed}")).ends(0);
    home
}

/// A list of more values than any record has that is read.
fn long() -> String {
    format!("[{}1]", "0,".repeat(500_000))
}

#[test]
fn old_tags_are_named_with_their_age() {
    let tag = r#"{"tag":"ACME_VPN","name":"Acme"}"#.to_owned();
    let home = with_release("service-metrics", day(892), &[tag]);
    for line in ["tags", "tag ACME_VPN --source local"] {
        home.run(line).ends(0).says("is ~892 days old");
    }
}

#[test]
fn one_record_that_cannot_be_read_costs_that_record() {
    let line = |key: &str, subject: &str, x: &str| {
        format!(r#"{{"{key}":"{subject}","organization":"Example","x":{x}}}"#)
    };
    let home = with_feed(
        "dch",
        &[
            line("network", "198.51.100.0/24", "[1]"),
            line("network", "198.51.100.0/25", &long()),
        ],
    );
    let asked = "198.51.100.7 198.51.100.200 198.51.100.0/25";
    let ran = home.run(&format!("lookup {asked} --source local --format json"));
    let lines = ran
        .ends(0)
        .says("is left out")
        .says("more than 500000 values")
        .lines();
    let about: Vec<&Value> = lines
        .iter()
        .map(|line| &line["record"]["network"])
        .collect();
    assert_eq!(about, ["198.51.100.0/24"; 3]);

    let home = with_feed(
        "anonymous",
        &[
            line("ip", "198.51.100.8", "[1]"),
            line("ip", "198.51.100.7", &long()),
        ],
    );
    let ran = home.run("lookup 198.51.100.7 --source local --format json");
    let only = ran.ends(0).says("is left out").line();
    assert_eq!(
        (&only["record"], &only["unread"]),
        (&Value::Null, &1.into())
    );
    let text = home.run("lookup 198.51.100.7 --source local");
    text.ends(0).shows("cannot be read");
    assert!(!text.out.contains("harmless"), "{text:?}");
}

#[test]
fn what_was_typed_stands_beside_the_query_and_failures_are_said_twice() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let ran = home.run(
        "lookup 198[.]51[.]100[.]77 ::ffff:198.51.100.77 198.51.100.77 10[.]0.0.1 x --format json",
    );
    let lines = ran.ends(1).lines();
    let typed: Vec<Option<&str>> = lines.iter().map(|line| line["input"].as_str()).collect();
    assert_eq!(
        typed,
        [
            Some("198[.]51[.]100[.]77"),
            Some("::ffff:198.51.100.77"),
            None,
            Some("10[.]0.0.1"),
            None
        ]
    );
    assert!(lines[..3].iter().all(|line| line["query"] == ADDRESS));
    assert_eq!(lines[3]["query"], "10.0.0.1");
    ran.says("10.0.0.1 is not public")
        .says("\"x\" is not an IPv4 or IPv6");
    let tags = home.run("tag acme_vpn --format json").ends(0).line();
    assert_eq!(
        (&tags["query"], &tags["input"]),
        (&"ACME_VPN".into(), &"acme_vpn".into())
    );
}

#[test]
fn addresses_come_from_standard_input() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let mut child = home
        .command("lookup - --format json")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("start");
    let mut input = child.stdin.take().expect("input");
    input
        .write_all(b"198.51.100.77\n198.18.0.1 198.51.100.77\n")
        .expect("write");
    drop(input);
    let ran = crate::service::Ran::of(child.wait_with_output().expect("wait"));
    assert_eq!(ran.ends(0).lines().len(), 3);
    assert_eq!(lookups(&service).len(), 2);
}
