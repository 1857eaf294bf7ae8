//! Downloaded MMDB files that are damaged: `feeds verify` names them, and no lookup answers from one.

use std::{fs, path::PathBuf};

use ipspect::demo::DemoRole;

use crate::service::{Home, Service};

const FEED: &str = "ipgeo";
const ADDRESS: &str = "198.51.100.77";

/// A downloaded database, and where it is.
fn pulled(home: &Home) -> (PathBuf, Vec<u8>) {
    let line = home.run(&format!("feeds pull {FEED} --mmdb --format json"));
    let file = line.ends(0).line()["file"].as_str().map(PathBuf::from);
    let file = file.expect("a path");
    let bytes = fs::read(&file).expect("a database");
    (file, bytes)
}

/// The database without its end, without bytes of its middle, and with others there.
fn damaged(whole: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    let middle = whole.len() / 2;
    let mut changed = whole.to_vec();
    changed[middle] ^= 0x20;
    [
        ("cut", whole[..middle].to_vec()),
        ("empty", Vec::new()),
        (
            "bytes missing",
            [&whole[..middle], &whole[middle + 100..]].concat(),
        ),
        ("changed", changed),
    ]
}

#[test]
fn a_damaged_database_is_named_and_the_named_commands_mend_it() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let (file, whole) = pulled(&home);
    let verify = format!("feeds verify {FEED}");
    let pull = format!("feeds pull {FEED} --mmdb");
    home.run(&verify).ends(0);
    for (what, bytes) in damaged(&whole) {
        fs::write(&file, &bytes).expect(what);
        let ran = home.run(&verify);
        ran.ends(7).says(&file.display().to_string());
        ran.says(&format!("`ipspect {pull}`"));
        assert!(!ran.err.contains("reindex"), "it has no index: {ran:?}");
        let line = home.run(&format!("{verify} --format json")).ends(7).line();
        assert_eq!(line["error"]["kind"], "integrity", "{what}");
        if bytes.len() == whole.len() {
            let day = file.parent().and_then(|path| path.file_name());
            let day = day.and_then(|text| text.to_str()).expect("a day");
            home.run(&format!("feeds rm {FEED} --day {day}")).ends(0);
        }
        home.run(&pull).ends(0);
        home.run(&verify).ends(0);
        assert_eq!(pulled(&home), (file.clone(), whole.clone()), "{what}");
    }
}

#[test]
fn no_lookup_answers_from_a_damaged_database() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let (file, whole) = pulled(&home);
    let geolocated = format!("lookup {ADDRESS} --mmgeo --format json");
    let live = home.run(&geolocated).ends(0).line();
    for (what, bytes) in damaged(&whole) {
        fs::write(&file, &bytes).expect(what);
        let asked = service.paid().len();
        let answer = home.run(&geolocated).ends(0).line();
        assert_eq!(answer["source"], "live", "{what}");
        assert_eq!(answer["record"], live["record"], "{what}");
        assert_eq!(service.paid().len(), asked + 1, "{what}");
        home.run(&format!("{geolocated} --source local")).ends(2);
        // A database alone is no local feed.
        let local = home.run(&format!("lookup {ADDRESS} --source local --format json"));
        assert!(
            local
                .ends(10)
                .lines()
                .iter()
                .all(|value| value["record"].is_null())
        );
    }
}
