//! A file of the present format, byte for byte: what changes it is a new version of the format.

use std::fs;

use ipspect::store::{Filter, Index, StopFlag};

use super::{
    feeds::Feed,
    fixture::{FILE, Fixture},
};

/// The golden file.
pub(crate) const GOLDEN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/index/snapshots/it__index__golden__golden.snap.idx"
);

/// Something of everything that a section holds.
pub(crate) const LINES: [&str; 12] = [
    r#"{"ip":"198.51.100.7","as":{"number":64500,"organization":"Example Hosting"},"client":{"count":14,"types":["MOBILE"],"proxies":["A_PROXY","B_PROXY"]},"infrastructure":"DATACENTER","location":{"city":"Amsterdam","country":"NL"},"risks":["TUNNEL"],"services":["OPENVPN"],"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"operator":"ACME_VPN","type":"VPN"}]}"#,
    r#"{"ip":"198.51.100.9","as":{"number":64501,"organization":"Second"},"client":{},"location":{"country":"DE"},"tunnels":[{"type":"PROXY","operator":"B_PROXY"},{"type":"VPN"}]}"#,
    r#"{"ip":"203.0.113.5","client":{"count":3},"location":{"country":"NL"},"risks":[]}"#,
    r#"{"ip":"203.0.113.6","client":{"count":3},"location":{"country":"NL"},"risks":[]}"#,
    r#"{"ip": "192.0.2.1", "client": {"count": 3.0}, "behaviors": ["\u0041"]}"#,
    r#"{"network":"198.51.100.0/24","organization":"Netz"}"#,
    r#"{"network":"2001:db8::/32","asn":64500}"#,
    r#"{"network":"2001:db8:1::/48","risks":["TUNNEL"]}"#,
    r#"{"ip":"2001:db8:1::5","tunnels":[{"type":"VPN","operator":"ACME_VPN","entries":["2001:db8::1"]}]}"#,
    r#"{"ip":"198.51.100.8","ip":"198.51.100.8"}"#,
    r#"{"tag":"ACME_VPN","name":"Acme"}"#,
    r#"{"ip":"198.51.100.7","location":{"country":"FR"}}"#,
];

fn fixture() -> Fixture {
    Fixture::of(&Feed::plain(
        LINES.map(|line| line.as_bytes().to_vec()).to_vec(),
    ))
}

/// The file was written by the first program of this version. A change of any byte means that older files cannot be read as they are:
/// then `VERSION` in `store/index/file.rs` goes up, and this file is accepted again (`INSTA_UPDATE=always`).
#[test]
fn the_format_is_that_of_the_golden_file() {
    let fixture = fixture();
    let bytes = fs::read(fixture.dir.path().join(FILE)).expect("the index");
    assert_eq!(
        bytes[8..12],
        3_u32.to_le_bytes(),
        "the version of the golden file"
    );
    insta::assert_binary_snapshot!("golden.idx", bytes);
}

#[test]
fn the_golden_file_is_read() {
    let index = Index::open(GOLDEN.as_ref()).expect("an index");
    let all = index.select(&Filter::default(), &StopFlag::default());
    let lines: Vec<String> = all
        .expect("all rows")
        .rows()
        .map(|row| {
            let mut line = Vec::new();
            index.line(row, &mut line).expect("sound");
            String::from_utf8(line).expect("text")
        })
        .collect();
    assert_eq!(lines, LINES);
}
