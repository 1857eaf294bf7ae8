//! `export --local`: what was pulled answers like the service, sends nothing, and says which release it read.

use ipspect::demo::{DemoRole, FaultSite};

use crate::service::{Home, Service};

#[test]
fn what_was_pulled_answers_like_the_service() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for line in [
        "anonymous",
        "anonymous-residential",
        "anonymous-ipv6",
        "dch",
    ] {
        home.run(&format!("feeds pull {line}")).ends(0);
    }
    for (number, line) in [
        "anonymous --header",
        "anonymous --fields network,tag --ccs nl,us --output json",
        "anonymous-residential --limit 25 --attributed --fields ip,clientCount,services --header",
        "anonymous-ipv6 --output json",
        "anonymous-residential --limit 40 --output json",
        "dch --output json --fields network,organization",
    ]
    .iter()
    .enumerate()
    {
        home.run(&format!("export {line} -o served-{number}"))
            .ends(0);
        let asked = service.asked(FaultSite::Exports).len();
        let done = home.run(&format!(
            "export {line} --local -o local-{number} --format json"
        ));
        let done = done.ends(0).line();
        assert_eq!(service.asked(FaultSite::Exports).len(), asked);
        let text = home.read(&format!("local-{number}"));
        assert_eq!(text, home.read(&format!("served-{number}")), "{line}");
        assert!(!text.is_empty());
        assert_eq!(done["bytes"], text.len());
        assert_eq!(
            (&done["source"], &done["url"]),
            (&"local".into(), &().into())
        );
        assert!(
            done["day"].is_string() && done["records"].is_u64(),
            "{done}"
        );
        let streamed = home.run(&format!("export {line} --local -o -"));
        assert_eq!(streamed.ends(0).out, text);
    }
    home.run("export anonymous --local --output mmdb -o here.mmdb")
        .ends(0)
        .shows("from the release of ");
    home.run("export anonymous --local -o local-0")
        .ends(2)
        .says("--force");
    home.run("export anonymous --local -o local-0 --force --format csv")
        .ends(0)
        .shows(",local,");
    home.run("export anonymous --local -o local.csv --format md")
        .ends(0)
        .shows("read from");
    home.run("export anonymous --local --offline --header --spreadsheet-safe -o safe.csv")
        .ends(0);
    assert_eq!(home.read("safe.csv"), home.read("served-0"));
}

#[test]
fn a_diff_needs_both_days_on_this_disk() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("export anonymous --local -o out.csv")
        .ends(10)
        .says("ipspect feeds pull anonymous");
    home.run("feeds pull anonymous").ends(0);
    let missing = home.run("export anonymous --local --diff -o out.csv");
    missing.ends(10).says("feeds pull anonymous --date ");
    let day = missing
        .err
        .split("--date ")
        .nth(1)
        .expect("a day")
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '-')
        .filter(char::is_ascii_digit)
        .collect::<String>();
    home.run("export anonymous --local --diff --dry-run")
        .ends(10);
    assert!(!home.path("out.csv").exists());
    home.run(&format!("feeds pull anonymous --date {day}"))
        .ends(0);
    home.run("export anonymous --diff -o served.csv").ends(0);
    home.run("export anonymous --local --diff -o out.csv")
        .ends(0)
        .shows("from the releases of ");
    assert_eq!(home.read("out.csv"), home.read("served.csv"));
    assert!(home.read("out.csv").contains(",add\n"));
    let dry = home.run("export anonymous --local --diff --dry-run --format json");
    let read = dry.ends(0).lines();
    assert_eq!((read.len(), &read[1]["day"]), (2, &day.into()));
    assert_eq!(read[0]["source"], "local");
    assert!(read[0]["records"].as_u64() > Some(0));
}

#[test]
fn what_the_contract_forbids_is_refused_here_too() {
    let home = Home::empty();
    for (line, rule) in [
        ("anonymous --fields network --diff", "diff"),
        ("anonymous-residential --diff", "no daily diff"),
        ("anonymous --limit 0", "outside 1 to 2,000,000"),
        ("dch --limit 5", "dch takes"),
        ("realtime", "no export"),
        ("anonymous --output json --spreadsheet-safe", "not CSV"),
    ] {
        home.run(&format!("export {line} --local -o out"))
            .ends(2)
            .says(rule);
    }
    home.run("export anonymous --local").ends(2).says("-o FILE");
    let dry = home.run("export anonymous --local --dry-run");
    dry.ends(10).says("not downloaded");
    home.run("export anonymous-ipv6 --local --fields ip --output mmdb -o x")
        .ends(10)
        .says("network instead of ip");
}

/// A database is of its release: made twice, it is the same, and it says of what it is.
#[test]
fn a_database_is_as_old_as_its_release_and_the_same_each_time() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    for name in ["one", "two"] {
        home.run(&format!("export anonymous --local -o {name}.mmdb"))
            .ends(0);
    }
    let bytes = |name: &str| std::fs::read(home.path(name)).expect(name);
    assert_eq!(bytes("one.mmdb"), bytes("two.mmdb"));
    let metadata = |name: &str| {
        let reader = maxminddb::Reader::from_source(bytes(name)).expect("a database");
        reader.metadata().clone()
    };
    let info = home.run("feeds info anonymous --format json");
    let info = info.ends(0).line();
    let generated = info["metadata"]["json"]["generated_at"].as_str();
    let generated: jiff::Timestamp = generated.expect("a time").parse().expect("a time");
    let day = generated.strftime("%Y-%m-%d");
    let whole = metadata("one.mmdb");
    assert_eq!(i64::try_from(whole.build_epoch), Ok(generated.as_second()));
    assert_eq!(
        whole.description["en"],
        format!("Exported by ipspect from anonymous of {day}")
    );
    home.run("export anonymous --local --tags ACME_VPN --filter clients>3 -o narrow.mmdb")
        .ends(0);
    let narrow = metadata("narrow.mmdb");
    assert_eq!(narrow.build_epoch, whole.build_epoch);
    assert_eq!(
        narrow.description["en"],
        format!("Exported by ipspect from anonymous of {day}: tags=ACME_VPN, filter=clients>3")
    );
}
