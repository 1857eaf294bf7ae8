//! `explain`: what the contract says of a word, and where local feeds have it.

use ipspect::{
    contract::vocabulary::OBJECTS,
    demo::DemoRole,
    model::{Day, Keyword},
};

use crate::service::{Ran, Service};

#[test]
fn each_field_and_each_named_value_of_the_contract_is_explained() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for field in OBJECTS.iter().flat_map(|object| object.fields) {
        let ran = home.run(&format!("explain {} --format json", field.path));
        let lines = ran.ends(0).lines();
        let is_own = |line: &&serde_json::Value| {
            line["path"] == field.path && line["part"] == field.part && line["about"] == field.about
        };
        assert!(lines.iter().any(|line| is_own(&line)), "{ran:?}");
        for value in field.values {
            let text = home.run(&format!("explain {value}"));
            text.ends(0).shows(field.path).shows(field.part);
        }
    }
    for field in Keyword::ALL {
        home.run(&format!("explain {}", field.name())).ends(0);
    }
    home.run("explain add").ends(0).says("no feed is local");
    home.run("explain ROUTER")
        .ends(0)
        .says("platforms is no field of a filter");
    home.run("explain tag:").ends(0);
    assert_eq!(
        home.command("explain")
            .arg(" ")
            .status()
            .expect("run")
            .code(),
        Some(2)
    );
    assert!(service.paid().is_empty());
}

#[test]
fn a_value_is_counted_in_each_local_feed_since_the_day_from_which_none_lacks_it() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("explain ACME_VPN")
        .ends(10)
        .says("the contract does not have \"ACME_VPN\", and no feed is local");
    // A day has its release some hours after it began.
    let pulled = home.run("feeds pull anonymous -q --format json");
    let newest = pulled.ends(0).lines()[0]["day"].clone();
    let newest: Day = newest.as_str().expect("a day").parse().expect("a day");
    for back in [1, 2, 4] {
        let day = newest.plus(-back);
        home.run(&format!("feeds pull anonymous --date {day} -q"))
            .ends(0);
    }
    for feed in ["dch", "service-metrics"] {
        home.run(&format!("feeds pull {feed} -q")).ends(0);
    }
    let ran = home.run("explain ACME_VPN --format json");
    let lines = ran.ends(0).lines();
    assert_eq!(ran.err, "");
    home.run("explain REMOTE_DESKTOP")
        .ends(0)
        .says("the contract does not name this value: its lists are open");
    home.run("explain tag:ACME_VPN").ends(0).shows("or earlier");
    home.run("explain NONE_VPN")
        .ends(10)
        .says("a field of a filter in a local feed has \"NONE_VPN\"");
    let feeds: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["feed"].as_str())
        .collect();
    assert_eq!(feeds, ["anonymous", "service-metrics"]);
    for line in &lines {
        let feed = line["feed"].as_str().expect("a feed");
        let mut search = home.command(&format!("search {feed} --count"));
        search.arg(line["filter"].as_str().expect("a filter"));
        let counted = Ran::of(search.output().expect("run"));
        assert_eq!(counted.ends(0).out.trim(), line["count"].to_string());
    }
    // A day between that is not local is passed over.
    assert_eq!(lines[0]["since"], newest.plus(-4).to_string());
    assert_eq!(lines[0]["or_earlier"], true);
}
