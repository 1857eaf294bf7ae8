//! Records go out as they came, and an answer is only taken where it may come from.

use crate::fake::{Fake, answer};

/// Unknown keys, repeated keys, numbers of every spelling, escapes, nesting.
const ODD: &str = r#"{"ip":"198.51.100.7","as":{"number":64500.0,"Organization":"A\u0026B"},"n":[1.50,1E400,-0,9007199254740993],
  "n":18446744073709551616,"ai":{"deep":[[[{}]]]},"client":{"count":"14","density":1},"lone":"\ud800","tunnels":[{"entries":[{"ip":"198.51.100.8"}]}]}"#;

#[test]
fn a_record_is_what_the_service_sent() {
    let fake = Fake::json("x-balance-remaining: 41\r\nx-result-dt: 20261119\r\n", ODD);
    let ran = fake.home().run("lookup 198.51.100.7 --format json");
    let sent: String = ODD.lines().map(str::trim_start).collect();
    let head = r#"{"query":"198.51.100.7","source":"live","feed":null,"day":"20261119","cost":1,"balance":41,"elapsed_ms":"#;
    let line = ran.ends(0).out.trim_end();
    assert!(line.starts_with(head), "{line}");
    let (_, record) = line.split_once(r#","record":"#).expect("record");
    assert_eq!(record, format!("{sent}}}"));
}

#[test]
fn what_was_not_utf8_is_marked() {
    let fake = Fake::json(
        "",
        b"{\"ip\":\"198.51.100.7\",\"organization\":\"Z\xfcrich\"}".to_vec(),
    );
    let line = fake
        .home()
        .run("lookup 198.51.100.7 --format json")
        .ends(0)
        .line();
    assert_eq!(
        (&line["lossy"], &line["record"]["organization"]),
        (&true.into(), &"Z\u{fffd}rich".into())
    );
}

#[test]
fn hostile_text_steers_nothing() {
    let hostile = "{\"ip\":\"198.51.100.7\",\"organization\":\"a\\u001b]0;x\\u0007\u{202e}b\u{9b}\u{200b}\",\"k\u{7f}\":1}";
    let fake = Fake::json("", hostile);
    let home = fake.home();
    for format in ["text", "json", "csv", "md"] {
        let ran = home.run(&format!("lookup 198.51.100.7 --format {format}"));
        assert!(
            !ran.ends(0)
                .all()
                .contains(['\u{202e}', '\u{200b}', '\u{9b}', '\u{7f}']),
            "{ran:?}"
        );
    }
    let line = home.run("lookup 198.51.100.7 --format json").line();
    assert_eq!(
        line["record"]["organization"],
        "a\u{1b}]0;x\u{7}\u{202e}b\u{9b}\u{200b}"
    );
}

#[test]
fn a_refusal_s_own_words_are_told_and_steer_nothing() {
    let fake = Fake::answering(|_| answer(403, "", b"{\"error\":\"no \x1b[2J access\"}"));
    fake.home()
        .run("lookup 198.51.100.7")
        .ends(3)
        .says("no \\x1b[2J access");
}

#[test]
fn knowing_nothing_is_an_answer() {
    let fake = Fake::answering(|_| answer(404, "", b""));
    let ran = fake.home().run("lookup 198.51.100.7 --format json");
    assert_eq!(ran.ends(0).line()["record"], serde_json::Value::Null);
    fake.home()
        .run("lookup 198.51.100.7")
        .ends(0)
        .shows("does not mean that it is harmless");
    let bare = Fake::json("", r#"{"ip":"198.51.100.7","location":{},"as":{}}"#);
    let text = bare.home().run("lookup 198.51.100.7");
    assert!(!text.ends(0).out.contains("clean"));
    text.shows("none observed");
}

#[test]
fn an_answer_about_another_address_is_refused() {
    let fake = Fake::json("", r#"{"ip":"198.51.100.8"}"#);
    fake.home()
        .run("lookup 198.51.100.7")
        .ends(6)
        .says("198.51.100.8");
    let network = Fake::json("", r#"{"network":"2001:db8::/32"}"#);
    network.home().run("lookup 2001:db8::7").ends(0);
    for body in ["[]", "{}", "7", "", "{\"ip\":", "<html>"] {
        Fake::json("", body)
            .home()
            .run("lookup 198.51.100.7")
            .ends(6);
    }
}

/// A download may lead elsewhere; the token and where it came from stay here.
#[test]
fn another_origin_learns_neither_token_nor_referer() {
    let gz = gzip(b"{\"ip\":\"198.51.100.7\"}\n");
    let storage = Fake::answering(move |_| answer(200, "etag: \"a\"\r\n", &gz));
    let to = format!(
        "location: {}/signed?s=1\r\nx-feed-generation-date: 20261119\r\n",
        storage.url
    );
    let feeds = Fake::answering(move |_| answer(302, &to, b""));
    feeds
        .home()
        .run("feeds pull anonymous")
        .ends(0)
        .shows("20261119")
        .shows("1 records");
    assert!(feeds.asked().iter().all(|asked| asked.has("token")));
    let asked = storage.asked();
    // The release and its metadata, each redirected.
    assert_eq!(asked.len(), 2);
    for name in ["token", "referer", "authorization", "cookie"] {
        assert!(asked.iter().all(|own| !own.has(name)), "{name}: {asked:?}");
    }
}

#[test]
fn a_redirect_where_the_contract_has_none_is_refused() {
    let elsewhere = Fake::json("", r#"{"ip":"198.51.100.7"}"#);
    let to = format!("location: {}/\r\n", elsewhere.url);
    let context = Fake::answering(move |_| answer(302, &to, b""));
    context.home().run("lookup 198.51.100.7").ends(6);
    let to = "location: ftp://files.example/x\r\n".to_owned();
    let feeds = Fake::answering(move |_| answer(302, &to, b""));
    feeds
        .home()
        .run("feeds pull anonymous")
        .ends(6)
        .says("redirect");
    assert_eq!(elsewhere.asked(), []);
}

#[test]
fn listings_of_any_shape_become_names() {
    let fake = Fake::answering(|target| {
        let body: &[u8] = if target.ends_with("20261119/") {
            br#"{"files":[{"Key":"feed.json.gz","Size":12,"etag":"x"}]}"#
        } else {
            b"20261118/\n20261119/\n"
        };
        answer(200, "", body)
    });
    let home = fake.home();
    assert_eq!(
        home.run("feeds runs anonymous").ends(0).out,
        "20261118\n20261119\n"
    );
    let line = home
        .run("feeds files anonymous --date 2026-11-19 --format json")
        .ends(0)
        .line();
    assert_eq!(
        line.to_string(),
        r#"{"name":"feed.json.gz","size":12,"modified":null,"extra":{"etag":"x"}}"#
    );
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("gzip");
    encoder.finish().expect("gzip")
}
