//! `export --local`: what was pulled answers like the service, sends nothing, and says which release it read.

use ipspect::{
    demo::{DemoRole, FaultSite},
    model::Day,
};

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
        ("anonymous --mmdb-layout geoip", "is about MMDB"),
        (
            "anonymous --output mmdb --mmdb-layout geoip --fields tag",
            "service's layout",
        ),
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

/// The usual names, for readers that know no others: of contexts, IPv6 networks, netblocks and changes.
#[test]
fn a_database_has_the_names_of_geolocation_databases_where_asked() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("export anonymous --output mmdb --mmdb-layout geoip -o x.mmdb")
        .ends(2)
        .says("--mmdb-layout needs --local");
    for feed in ["anonymous", "anonymous-ipv6", "dch"] {
        home.run(&format!("feeds pull {feed}")).ends(0);
        home.run(&format!(
            "export {feed} --local --mmdb-layout geoip -o {feed}.mmdb"
        ))
        .ends(0);
    }
    let pulled = home.run("feeds pull anonymous --format json");
    let latest = pulled.ends(0).line()["day"]
        .as_str()
        .and_then(Day::from_compact);
    let before = latest.expect("a day").plus(-1);
    home.run(&format!("feeds pull anonymous --date {before}"))
        .ends(0);
    home.run("export anonymous --local --diff --mmdb-layout geoip -o diff.mmdb")
        .ends(0);
    let open = |name: &str| {
        let bytes = std::fs::read(home.path(name)).expect(name);
        maxminddb::Reader::from_source(bytes).expect("a database")
    };
    let found = |name: &str, address: &str| -> Option<serde_json::Value> {
        let reader = open(name);
        let found = reader.lookup(address.parse().expect(address));
        found.expect("a lookup").decode().expect("a value")
    };
    let acme = serde_json::json!({
        "operator": "ACME_VPN",
        "autonomous_system_number": 64500,
        "autonomous_system_organization": "Example Hosting BV",
        "is_anonymous": true,
        "is_anonymous_vpn": true,
        "is_hosting_provider": true,
        "continent": {"code": "EU", "names": {"en": "Europe"}},
        "country": {"iso_code": "NL", "names": {"en": "Netherlands"}},
        "city": {"names": {"en": "Amsterdam"}},
        "subdivisions": [{"names": {"en": "North Holland"}}],
    });
    let own = found("anonymous.mmdb", "198.51.100.77").expect("a record");
    for (name, value) in acme.as_object().expect("fields") {
        assert_eq!(&own[name], value, "{name} of {own}");
    }
    let six = found("anonymous-ipv6.mmdb", "2001:db8:77:1::7").expect("a record");
    assert_eq!(
        (&six["operator"], &six["is_anonymous_vpn"]),
        (&"ACME_VPN".into(), &true.into())
    );
    let block = found("dch.mmdb", "198.51.100.77").expect("a record");
    assert_eq!(
        (
            &block["autonomous_system_number"],
            &block["is_hosting_provider"],
            &block["is_anonymous"]
        ),
        (&64500.into(), &true.into(), &().into())
    );
    // Typed readers look for these words in the type, which must not begin with a reserved one.
    let kind = open("anonymous.mmdb").metadata().database_type.clone();
    for word in ["City", "Country", "GeoLite2-ASN", "GeoIP2-Anonymous-IP"] {
        assert!(kind.contains(word) && !kind.starts_with("Geo"), "{kind}");
    }
    // Every record of the search is in the file with what it has; a flag is there only where the record makes it so.
    let reader = open("anonymous.mmdb");
    for line in home
        .run("search anonymous --format json --top 300")
        .ends(0)
        .lines()
    {
        let address = line["ip"].as_str().expect("an address");
        let own = reader
            .lookup(address.parse().expect(address))
            .expect("a lookup");
        let own: serde_json::Value = own.decode().expect("a value").expect("a record");
        assert_eq!(
            own["autonomous_system_number"], line["as"]["number"],
            "{address}"
        );
        assert_eq!(
            own["country"]["iso_code"], line["location"]["country"],
            "{address}"
        );
        let tunnels = line["tunnels"].as_array().map_or(&[][..], Vec::as_slice);
        let anonymous = tunnels.iter().any(|tunnel| tunnel["anonymous"] == true);
        assert_eq!(own["is_anonymous"] == true, anonymous, "{address}");
    }
    let changes = open("diff.mmdb");
    let networks = changes.networks(maxminddb::WithinOptions::default());
    for found in networks.expect("networks") {
        let record = found.expect("a network").decode::<serde_json::Value>();
        let record = record.expect("a value").expect("a record");
        assert!(
            record["diff"] == "add" || record["diff"] == "del",
            "{record}"
        );
    }
}
