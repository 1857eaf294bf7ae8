//! Indexes with a byte that was flipped, or an end that is missing: the damage is noticed or harmless, never a wrong answer.

use std::{fs, path::Path};

use ipspect::store::{
    Filter, Index, Row, Stop,
    index::{FacetBy, NoAnswer, NotOpened, build::Building},
};

/// Records of every shape that an index treats in its own way.
const FEED: &str = r#"{"ip":"198.51.100.7","as":{"number":64500,"organization":"Example Hosting"},"client":{"count":14,"types":["MOBILE"],"proxies":["A_PROXY","B_PROXY"]},"infrastructure":"DATACENTER","location":{"city":"Amsterdam","country":"NL"},"risks":["TUNNEL"],"services":["OPENVPN"],"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"operator":"ACME_VPN","type":"VPN"}]}
{"ip":"198.51.100.9","as":{"number":64501,"organization":"Zweite"},"client":{},"location":{"country":"DE"},"tunnels":[{"type":"PROXY","operator":"B_PROXY"},{"type":"VPN"}]}
nonsense
{"ip": "203.0.113.5", "client": {"count": 3}, "location": {"country": "nl"}, "new": {"x": [1, {"y": null}]}}
{"network":"198.51.100.0/24","organization":"Netz \u0026 Co","client":{"count":2.0}}
{"network":"2001:db8::/32"}
{"network":"2001:db8:1::/48","risks":["TUNNEL","TUNNEL"]}
{"ip":7}
{"ip":"198.51.100.7","location":{"country":"FR"}}
"#;

fn build(path: &Path) {
    let mut building = Building::begin(path).expect("begin");
    building.lines(FEED.as_bytes().to_vec()).expect("lines");
    building.finish(&mut |_, _| ()).expect("finish");
}

/// An answer, or that there is none.
type Said = Result<String, NoAnswer>;

/// All that an index can be asked, one answer for each question.
fn ask(index: &Index) -> Vec<Said> {
    let stop = Stop::default();
    let mut said = vec![Ok(index.records().to_string())];
    // A number of records that is wrong was noticed, or it is not worth asking for each of them.
    for row in (0..u32::try_from(index.records().min(20)).expect("rows")).map(Row) {
        let mut line = Vec::new();
        let read = index.line(row, &mut line);
        said.push(read.map(|()| String::from_utf8_lossy(&line).into_owned()));
        said.push(index.subject(row).map(|subject| format!("{subject:?}")));
        said.push(index.flat(row).map(|flat| format!("{flat:?}")));
    }
    for network in [
        "198.51.100.7/32",
        "198.51.100.0/25",
        "203.0.113.5/32",
        "203.0.113.6/32",
        "2001:db8:1::5/128",
        "2001:db8::/32",
    ] {
        let rows = index.covering(network.parse().expect(network));
        said.push(rows.map(|rows| format!("{rows:?}")));
    }
    for filter in [
        "",
        "tag:ACME_VPN",
        "cc:nl",
        "-cc:NL",
        "clients>2",
        "asn:64501",
        "org:netz",
        "type:VPN proxy:A_PROXY",
        "attributed:yes",
        "entry:198.51.100.70",
        "net:198.51.100.0/24",
        "net:2001:db8::/32",
        "risk:TUNNEL service:OPENVPN infra:DATACENTER",
    ] {
        let filter: Filter = filter.parse().expect(filter);
        let selection = index.select(&filter, &stop);
        let with = |ask: &dyn Fn(&_) -> Result<String, NoAnswer>| match &selection {
            Ok(selection) => ask(selection),
            Err(why) => Err(why.clone()),
        };
        said.push(with(&|of| {
            Ok(format!(
                "{} {:?}",
                of.count(),
                of.rows().collect::<Vec<_>>()
            ))
        }));
        said.push(with(&|of| {
            index.busiest(of, 3, &stop).map(|rows| format!("{rows:?}"))
        }));
        said.push(with(&|of| {
            index.by_address(of, &stop).map(|rows| format!("{rows:?}"))
        }));
        for by in [
            FacetBy::Keyword(ipspect::model::Keyword::Cc),
            FacetBy::Keyword(ipspect::model::Keyword::Tag),
            FacetBy::Path("location.city".to_owned()),
        ] {
            said.push(with(&|of| {
                index
                    .facets(of, &by, &stop)
                    .map(|facets| format!("{facets:?}"))
            }));
        }
    }
    let subjects: Result<Vec<_>, _> = index.subjects().collect();
    said.push(subjects.map(|subjects| format!("{subjects:?}")));
    said
}

/// Asks a changed index: what it says must be what the whole one says, or that it is damaged. Whether that was noticed.
fn is_noticed(path: &Path, whole: &[Said], what: &str) -> bool {
    let index = match Index::open(path) {
        Ok(index) => index,
        Err(NotOpened::Io(error)) => panic!("{what}: {error}"),
        Err(_) => return true,
    };
    let said = ask(&index);
    let damaged = |said: &Said| matches!(said, Err(NoAnswer::Damaged(_)));
    for (at, (said, right)) in said.iter().zip(whole).enumerate() {
        assert!(
            said == right || damaged(said),
            "{what}, question {at}: {said:?}, not {right:?}"
        );
    }
    assert!(
        said.len() == whole.len() || said.iter().any(damaged),
        "{what}"
    );
    index.check(&Stop::default()).is_err()
}

#[test]
fn every_flipped_byte_is_noticed_or_harmless() {
    let dir = tempfile::tempdir().expect("directory");
    let path = dir.path().join("index");
    build(&path);
    let bytes = fs::read(&path).expect("index");
    let whole = ask(&Index::open(&path).expect("open"));
    assert!(whole.iter().all(Result::is_ok), "{whole:?}");
    let changed = dir.path().join("changed");
    let mut unnoticed = Vec::new();
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&changed, bytes).expect("write");
        if !is_noticed(&changed, &whole, &format!("byte {at}")) {
            unnoticed.push(at);
        }
    }
    assert_eq!(unnoticed, [0; 0], "of {}", bytes.len());
}

#[test]
fn every_end_that_is_missing_is_noticed() {
    let dir = tempfile::tempdir().expect("directory");
    let path = dir.path().join("index");
    build(&path);
    let bytes = fs::read(&path).expect("index");
    let changed = dir.path().join("changed");
    for length in 0..bytes.len() {
        fs::write(&changed, &bytes[..length]).expect("write");
        assert!(
            Index::open(&changed).is_err(),
            "{length} of {}",
            bytes.len()
        );
    }
    fs::write(&changed, [&bytes[..], b"\0"].concat()).expect("write");
    assert!(Index::open(&changed).is_err());
}
