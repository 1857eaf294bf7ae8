//! Headers that are odd, and what stays readable beside them.

use ipspect::{
    contract::LookupQuery,
    engine::{LookupAnswer, Result},
};

use super::{fixture::Fixture, wire::answer};

const RECORD: &str = r#"{"ip":"198.51.100.77"}"#;

async fn lookup_with(headers: &[u8]) -> Result<LookupAnswer> {
    let fixture = Fixture::wire().await;
    let whole = answer(200, "", RECORD);
    let first_line = whole
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a line")
        + 1;
    fixture
        .service
        .says([&whole[..first_line], headers, &whole[first_line..]].concat());
    let address = "198.51.100.77".parse().expect("address");
    fixture
        .engine
        .answers
        .lookup(&LookupQuery::now(address))
        .await
}

#[tokio::test]
async fn one_malformed_header_does_not_cost_the_answer() {
    for line in [
        &b"x broken\x01 header: value\r\n"[..],
        b"no colon at all\r\n",
        b": no name\r\n",
        b"x-bell: a\x07b\r\n",
        b"x-space : blank before the colon\r\n",
        b"x-latin: caf\xe9\r\n",
        b"x-empty:\r\n",
        b"(comment): value\r\n",
    ] {
        let headers = [line, b"X-Balance-Remaining: 41\r\n"].concat();
        let shown = String::from_utf8_lossy(line);
        let answer = lookup_with(&headers)
            .await
            .unwrap_or_else(|error| panic!("{shown:?}: {error}"));
        assert_eq!(answer.provenance.balance, Some(41), "{shown:?}");
    }
}

#[tokio::test]
async fn a_malformed_header_of_the_service_does_not_cost_its_answer() {
    let fixture = Fixture::demo().await;
    fixture.arm("context:badheader");
    let address = "198.51.100.77".parse().expect("address");
    let answer = fixture
        .engine
        .answers
        .lookup(&LookupQuery::now(address))
        .await
        .expect("an answer");
    assert!(answer.record.is_some() && answer.provenance.balance.is_some());
}

#[tokio::test]
async fn a_header_that_cannot_be_what_it_says_is_unknown() {
    let long = format!("x-balance-remaining: {:0>9000}\r\n", 41);
    for (header, balance) in [
        ("x-balance-remaining: 41\r\n", Some(41)),
        ("X-BALANCE-REMAINING:41\r\n", Some(41)),
        ("x-balance-remaining:   41  \r\n", Some(41)),
        ("x-balance-remaining: 0\r\n", Some(0)),
        ("x-balance-remaining: \r\n", None),
        ("x-balance-remaining: -1\r\n", None),
        ("x-balance-remaining: 41 or so\r\n", None),
        ("x-balance-remaining: 99999999999999999999\r\n", None),
        (&long, None),
        ("", None),
    ] {
        let answer = lookup_with(header.as_bytes()).await.expect("an answer");
        assert_eq!(answer.provenance.balance, balance, "{header:.40}");
    }
}
