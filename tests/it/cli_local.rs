//! `lookup` and `tag` from local feeds, and `tags`: what was downloaded is answered unchanged, and nothing is asked for it.

use ipspect::demo::{DemoRole, FaultSite};
use serde_json::Value;

use crate::{
    home::{Here, covers, subject},
    service::{Home, Service},
};

#[test]
fn every_record_is_answered_unchanged_most_specific_first() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "dch", "ipgeo", "anonymous-ipv6"]);
    let asked = service.demo.requests().len();
    let addresses: Vec<String> = here.some_addresses(60);
    let ran = here.home.run(&format!(
        "lookup {} --source local --format json",
        addresses.join(" ")
    ));
    let lines = ran.ends(0).lines();
    let mut lines = lines.iter().peekable();
    for address in &addresses {
        let expected = here.known(address);
        let mut found = Vec::new();
        while let Some(line) = lines.next_if(|line| line["query"] == address.as_str()) {
            assert_eq!(
                (&line["source"], &line["cost"]),
                (&"local".into(), &0.into())
            );
            found.push((
                line["feed"].as_str().unwrap_or_default().to_owned(),
                line["record"].clone(),
            ));
        }
        if expected.is_empty() {
            assert_eq!(found, [(String::new(), Value::Null)], "{address}");
            continue;
        }
        let lengths: Vec<u8> = found
            .iter()
            .map(|(_, record)| subject(record).expect("subject").prefix_len())
            .collect();
        assert!(
            lengths.is_sorted_by(|a, b| a >= b),
            "{address}: {lengths:?}"
        );
        let key = |(feed, record): &(String, Value)| format!("{feed} {record}");
        let (mut found, mut expected): (Vec<_>, Vec<_>) = (
            found.iter().map(key).collect(),
            expected.iter().map(key).collect(),
        );
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{address}");
    }
    assert!(lines.next().is_none());
    assert_eq!(service.demo.requests().len(), asked);
}

#[test]
fn a_network_is_answered_by_what_covers_it() {
    let service = Service::start();
    let here = Here::with(&service, &["dch"]);
    let block = here
        .records("dch")
        .iter()
        .find_map(subject)
        .expect("a block");
    let inner = format!("{}/{}", block.addr(), block.prefix_len() + 1);
    let ran = here.home.run(&format!(
        "lookup {block} {inner} --source local --feed dch --format json"
    ));
    let lines = ran.ends(0).lines();
    let of_block = |line: &&Value| subject(&line["record"]) == Some(block);
    assert_eq!(lines.iter().filter(of_block).count(), 2, "{ran:?}");
    for line in &lines {
        let network = line["query"]
            .as_str()
            .expect("query")
            .parse()
            .expect("network");
        assert!(
            covers(subject(&line["record"]).expect("subject"), network),
            "{line}"
        );
    }
    here.home
        .run(&format!("lookup {block}"))
        .ends(2)
        .says("is a network");
    here.home
        .run("lookup 10.0.0.0/8 --source local")
        .ends(2)
        .says("is not public (");
}

#[test]
fn days_and_feeds_are_picked_and_what_is_not_here_says_so() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("lookup 198.51.100.77 --source local")
        .ends(10)
        .says("no feed is downloaded")
        .says("ipspect feeds pull");
    let here = Here::of(home, &["anonymous", "dch"]);
    let day = here.day("anonymous");
    let line = here
        .home
        .run(&format!(
            "lookup 198.51.100.77 --source local --feed anonymous --day {day} --format json"
        ))
        .ends(0)
        .line();
    assert_eq!(
        (&line["feed"], &line["day"]),
        (&"anonymous".into(), &day.as_str().into())
    );
    assert_eq!(line["record"]["ip"], "198.51.100.77");
    for (options, code, says) in [
        ("--source local --feed ipgeo", 10, "not downloaded"),
        ("--source local --day 2020-01-01", 10, "2020-01-01"),
        ("--source local --feed service-metrics", 2, "holds tags"),
        ("--source local --feed nonsense", 2, "no feed"),
        ("--source local --date 2026-11-01", 2, "--day takes"),
        ("--source local --mmgeo", 2, "another geolocation"),
        ("--feed anonymous", 2, "--source local"),
        ("--date -1d --day -1d", 2, "leave one of them out"),
        (
            "--source auto --mmgeo --feed dch",
            2,
            "leave one of them out",
        ),
    ] {
        let ran = here.home.run(&format!("lookup 198.51.100.77 {options}"));
        assert!(
            ran.ends(code).says(says).out.is_empty(),
            "{options}: {ran:?}"
        );
    }
    here.home
        .run("lookup 10.0.0.1 --source local")
        .ends(2)
        .says("not public (");
    assert_eq!(service.asked(FaultSite::Context), <[String; 0]>::default());
}

#[test]
fn all_formats_name_feed_and_day() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let day = here.day("anonymous");
    let dashed = format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]);
    let run = |format: &str| {
        here.home.run(&format!(
            "lookup 198.51.100.77 203.0.113.255 --source local --format {format}"
        ))
    };
    run("text")
        .ends(0)
        .shows(&format!(
            "198.51.100.77  local, anonymous of {dashed}, free"
        ))
        .shows("ACME_VPN")
        .shows("not mean that it is harmless");
    run("md")
        .ends(0)
        .shows("feed anonymous, local")
        .shows(&format!("**data date:** {dashed}"))
        .shows("198[.]51[.]100[.]77");
    let csv = run("csv");
    let mut rows = csv::Reader::from_reader(csv.ends(0).out.as_bytes());
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("row")).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        [&rows[0][1], &rows[0][2], &rows[0][3]],
        ["local", "anonymous", day.as_str()]
    );
    assert_eq!(&rows[0][6], "198.51.100.77");
}

#[test]
fn auto_asks_this_disk_then_what_was_kept_then_the_service() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let unknown = here.unknown_address("198.18");
    let line = format!("lookup 198.51.100.77 {unknown} --source auto --format json");
    let sources = |line: &str| -> Vec<String> {
        let lines = here.home.run(line).ends(0).lines();
        lines
            .iter()
            .map(|line| line["source"].as_str().expect("source").to_owned())
            .collect()
    };
    assert_eq!(sources(&line), ["local", "live"]);
    assert_eq!(sources(&line), ["local", "cache"]);
    assert_eq!(
        service.asked(FaultSite::Context),
        [format!("/v2/context/{unknown}")]
    );
    // Never live, whatever is not here.
    assert_eq!(sources(&format!("{line} --offline")), ["local", "cache"]);
    let kept = here
        .home
        .run(&format!("lookup {unknown} --source auto --format json"))
        .ends(0)
        .line();
    assert_eq!((&kept["cost"], &kept["balance"]), (&0.into(), &Value::Null));
    let other = here.unknown_address("198.19");
    here.home
        .run(&format!(
            "lookup {other} --source auto --offline --format json"
        ))
        .ends(2)
        .says("no local or cached answer");
    // Another question, another answer.
    here.home
        .run(&format!(
            "lookup {unknown} --source auto --mmgeo --format json"
        ))
        .ends(0)
        .shows("\"source\":\"live\"");
    assert_eq!(service.asked(FaultSite::Context).len(), 2);
    assert_eq!(service.demo.spent(DemoRole::Full), 2);
}

#[test]
fn without_feeds_auto_goes_on_to_the_service() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let run = |options: &str| {
        home.run(&format!(
            "lookup 198.51.100.77 --source auto --format json {options}"
        ))
    };
    run("--offline").ends(2).shows("--offline");
    assert_eq!(run("--feed dch").ends(0).line()["source"], "live");
    assert_eq!(run("").ends(0).line()["source"], "cache");
    run("--day 2020-01-01").ends(10);
    let config = home.read("config/config.toml");
    home.configure(&format!("{config}\n[cache]\nanswer_max_age_h = 0\n"));
    assert_eq!(run("").ends(0).line()["source"], "live");
}

fn with_tags(service: &Service) -> Home {
    let home = service.home(DemoRole::Full);
    home.run("tags")
        .ends(10)
        .says("ipspect feeds pull service-metrics");
    home.run("tag ACME_VPN --source local")
        .ends(10)
        .says("not downloaded");
    home.run("feeds pull service-metrics").ends(0);
    home
}

#[test]
fn tags_are_listed_and_found_on_this_disk() {
    let service = Service::start();
    let home = with_tags(&service);
    let all = home.run("tags --format json").ends(0).lines();
    assert!(all.len() > 20);
    let name = |record: &Value| record["tag"].as_str().expect("tag").to_owned();
    assert!(all.iter().map(name).is_sorted());
    let mobile = home.run("tags mobile_proxy --format json").ends(0).lines();
    let expected = all
        .iter()
        .filter(|record| record.to_string().contains("MOBILE_PROXY"));
    assert!(
        !mobile.is_empty()
            && mobile
                .iter()
                .all(|record| record.to_string().contains("MOBILE_PROXY"))
    );
    assert!(mobile.len() <= expected.count());
    home.run("tags acme").ends(0).shows("ACME_VPN").shows("TAG");
    let described = all.iter().find(|record| record["tag"] == "ACME_VPN");
    let words = described.expect("a tag")["description"].as_str();
    let words: Vec<&str> = words.expect("a description").split(' ').collect();
    home.run_words(&["tags", &words[words.len() / 2..].join(" ")])
        .ends(0)
        .shows("ACME_VPN");
    home.run("tags acme --format csv")
        .ends(0)
        .shows("tag,name,website")
        .shows("ACME_VPN,");
    home.run("tags acme --format md")
        .ends(0)
        .shows("| ACME_VPN |")
        .shows("**data date:**");
    assert_eq!(
        home.run("tags no-such-thing")
            .ends(0)
            .says("no tag, name, description or category")
            .out,
        ""
    );

    let ran = home.run("tag acme_vpn NO_SUCH_VPN DELTA_4G_PROXY --source local --format json");
    let lines = ran.ends(1).lines();
    assert_eq!(
        (&lines[0]["source"], &lines[0]["query"]),
        (&"local".into(), &"ACME_VPN".into())
    );
    assert_eq!(
        Some(&lines[0]["record"]),
        all.iter().find(|record| record["tag"] == "ACME_VPN")
    );
    assert_eq!(lines[1]["error"]["kind"], "not-found");
    assert!(lines[2]["record"].is_object(), "{ran:?}");
    home.run("tag ACME_VPNN --source local")
        .ends(10)
        .says("did you mean ACME_VPN?");
    home.run("tag ACME_VPN --source local")
        .ends(0)
        .shows("Acme Virtual Private Network");
    home.run("tag ACME_VPN --source local --format md")
        .ends(0)
        .shows("feed service-metrics, local");
    assert_eq!(service.asked(FaultSite::Context), <[String; 0]>::default());
}

#[test]
fn an_export_notes_tags_that_the_local_feed_does_not_have() {
    let service = Service::start();
    let home = with_tags(&service);
    let ran = home.run("export anonymous --tags ACME_VPN,ACME_VPNN --dry-run");
    ran.ends(0)
        .says("has no tag ACME_VPNN: did you mean ACME_VPN?")
        .shows("tags=ACME_VPN,ACME_VPNN");
    assert!(!ran.err.contains("tag ACME_VPN:"), "{ran:?}");
    let elsewhere = service.home(DemoRole::Full);
    assert_eq!(
        elsewhere
            .run("export anonymous --tags ACME_VPNN --dry-run")
            .ends(0)
            .err,
        ""
    );
}

#[test]
fn a_value_that_nothing_local_has_is_named_with_the_nearest() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let day = ipspect::model::Day::of(jiff::Timestamp::now()).plus(-2);
    for line in [
        "anonymous",
        "service-metrics",
        &format!("anonymous --date {day}"),
    ] {
        home.run(&format!("feeds pull {line}")).ends(0);
    }
    std::fs::write(home.path("list"), "198.51.100.77").expect("write");
    let near = "no record of anonymous has tag:ACME_VPM: did you mean tag:ACME_VPN?";
    for line in [
        "search anonymous tag:ACME_VPM --count",
        "search anonymous tag:acme_vpm,ACME_VPN --top 1",
        "search anonymous -tag:ACME_VPM --count",
        "search anonymous tag:ACME_VPM --facet cc",
        "enrich list --filter tag:ACME_VPM",
        &format!("diff anonymous --from {day} --count --filter tag:ACME_VPM"),
        "export anonymous --local --tags ACME_VPM -o -",
        "export anonymous --local --filter tag:ACME_VPM -o -",
        "export anonymous --tags ACME_VPM -o -",
    ] {
        let ran = home.run(line);
        ran.ends(0);
        assert!(
            ran.err.to_uppercase().contains(&near.to_uppercase()),
            "{line}: {ran:?}"
        );
        let quiet = home.run(&format!("{line} -q"));
        assert_eq!(quiet.ends(0).err, "", "{line}");
    }
    for (term, says) in [
        ("proxy:BRAVO_PROXI", "did you mean proxy:BRAVO_PROXY?"),
        ("type:VPM", "did you mean type:VPN?"),
        ("infra:DATACENTR", "did you mean infra:DATACENTER?"),
        ("cc:ZZ", "no record of anonymous has cc:ZZ\n"),
        ("tag:ZZZ*", "no record of anonymous has tag:ZZZ*\n"),
    ] {
        home.run(&format!("search anonymous {term} --count"))
            .ends(0)
            .says(says);
    }
    for filter in [
        "tag:acme_vpn cc:NL",
        "tag:ACME* asn:1 org:nobody net:203.0.113.9",
        "type:TOR",
    ] {
        let ran = home.run_words(&["search", "anonymous", filter, "--count"]);
        assert!(!ran.ends(0).err.contains("no record of"), "{ran:?}");
    }
    for (line, code) in [
        ("export anonymous --local --ccs ZZ -o -", 0),
        ("export anonymous --local --ccs ZZ -o local.csv", 0),
        ("export anonymous --ccs ZZ -o -", 0),
        ("export anonymous --ccs ZZ --header -o remote.csv", 0),
        ("export anonymous --ccs ZZ -o remote.json", 0),
    ] {
        home.run(line)
            .ends(code)
            .says("no record matches: the export is empty");
    }
    for command in ["search anonymous", "enrich list"] {
        home.run(&format!("{command} --facet nonsense"))
            .ends(2)
            .says("records of anonymous")
            .says("have no nonsense");
        home.run(&format!("{command} --facet client.cuont"))
            .ends(2)
            .says("did you mean client.count?");
        home.run(&format!("{command} --facet client.count")).ends(0);
    }
}

#[test]
fn a_local_negative_names_the_releases_that_were_searched() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "anonymous-ipv6", "dch"]);
    let unknown = here.unknown_address("198.18");
    let names = |line: &Value| -> Vec<String> {
        let searched = line["searched"].as_array().expect("releases");
        let name = |one: &Value| {
            assert_eq!(one["day"].as_str().map(str::len), Some(8));
            one["feed"].as_str().unwrap_or_default().to_owned()
        };
        searched.iter().map(name).collect()
    };
    let lookup = |words: &str| here.home.run(&format!("lookup {words} --source local"));
    let line = lookup(&format!("{unknown} --format json")).ends(0).line();
    assert_eq!(
        (&line["record"], names(&line)),
        (&Value::Null, vec!["anonymous".to_owned(), "dch".to_owned()])
    );
    let line = lookup("2001:db8:ffff::7 --format json").ends(0).line();
    assert!(
        names(&line).contains(&"anonymous-ipv6".to_owned()),
        "{line}"
    );
    let known = lookup("198.51.100.77 --feed anonymous --format json")
        .ends(0)
        .line();
    assert_eq!(known.get("searched"), None);
    for format in ["text", "md"] {
        let ran = lookup(&format!("{unknown} --format {format}"));
        assert!(!ran.ends(0).out.contains("ipv6"), "{ran:?}");
    }
    let ran = lookup(&format!("{unknown} --feed anonymous-ipv6"));
    ran.ends(0).shows("local, no feed that could have it");
}
