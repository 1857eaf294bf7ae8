//! Lines as feeds have them: what is a record, what is rejected, and that it is counted.

use ipspect::store::Rejected;

use super::{
    feed::{gz, whole},
    fixture::Fixture,
};

const ONE: &str = r#"{"network":"198.51.100.0/25"}"#;

/// Records and rejects of a feed with this text.
async fn read(text: impl AsRef<[u8]>) -> (u64, Rejected) {
    let fixture = Fixture::wire().await;
    fixture.service.says(whole("a", &gz(text)));
    let manifest = fixture.pull().await.expect("a release").release.manifest;
    (manifest.records.expect("counted"), manifest.rejected)
}

#[tokio::test]
async fn lines_end_and_begin_in_many_ways() {
    for (what, text) in [
        ("plain", format!("{ONE}\n{ONE}\n")),
        ("no final newline", format!("{ONE}\n{ONE}")),
        ("CRLF", format!("{ONE}\r\n{ONE}\r\n")),
        ("blank lines", format!("\n\n{ONE}\n \t\n{ONE}\n\n")),
        ("a byte order mark", format!("\u{feff}{ONE}\n{ONE}\n")),
        ("blanks around", format!("  {ONE} \n\t{ONE}\n")),
    ] {
        assert_eq!(read(&text).await, (2, Rejected::default()), "{what}");
    }
}

#[tokio::test]
async fn odd_records_are_records_still() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for odd in [
        deep.as_bytes(),
        br#"{"network":null}"#,
        br#"{"network":"198.51.100.0/25","network":"198.51.100.128/25"}"#,
        br#"{"asn":184467440737095516160,"x":-0.0e-999,"y":1e999}"#,
        br#"{"organization":"\ud800 \u0000"}"#,
        b"{\"organization\":\"caf\xe9\"}",
        b"{}",
    ] {
        let text = [odd, b"\n", ONE.as_bytes(), b"\n"].concat();
        let shown = String::from_utf8_lossy(&odd[..odd.len().min(40)]).into_owned();
        assert_eq!(read(text).await, (2, Rejected::default()), "{shown}");
    }
}

#[tokio::test]
async fn what_is_no_record_is_rejected_by_line_and_the_rest_is_kept() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(17 << 20));
    for odd in [
        &b"{\"network\":"[..],
        b"[1]",
        b"7",
        b"null",
        b"{\"a\":\"\x00\"}",
        b"{} {}",
        b"\xff\xfe\x00",
        long.as_bytes(),
    ] {
        let text = [ONE.as_bytes(), b"\n\n", odd, b"\n", ONE.as_bytes(), b"\n"].concat();
        let (records, rejected) = read(text).await;
        let shown = String::from_utf8_lossy(&odd[..odd.len().min(20)]).into_owned();
        assert_eq!((records, rejected.count), (2, 1), "{shown}");
        assert_eq!(
            rejected.first.first().map(|(line, _)| *line),
            Some(3),
            "{shown}"
        );
    }
}

#[tokio::test]
async fn the_first_five_rejects_are_named_and_all_are_counted() {
    let text: String = (0..20)
        .map(|number| {
            if number % 2 == 0 {
                format!("{ONE}\n")
            } else {
                "odd\n".to_owned()
            }
        })
        .collect();
    let (records, rejected) = read(text).await;
    let lines: Vec<u64> = rejected.first.iter().map(|(line, _)| *line).collect();
    assert_eq!(
        (records, rejected.count, lines),
        (10, 10, vec![2, 4, 6, 8, 10])
    );
}
