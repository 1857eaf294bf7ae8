//! Texts to type and paste.

use std::iter;

use fastrand::Rng;

/// Texts that the user types.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "198.51.100.77", "198.51.100.9", "192.0.2.1", "10.0.0.1", "2001:db8::1", "198.51.100.0/24", "2001:db8::/32", "0.0.0.0/0", "hxxp://198[.]51[.]100[.]77:8080/",
    "198.051.100.7", "999.1.1.1", "ACME_VPN", "WIDGET_PROXY", "cc:NL", "tag:ACME_VPN -cc:NL", "client.count>3", "((", "\"", "as:64500 or", "2026-11-19",
    "20261120", "-30", "yesterday", "2026-02-31", "lookup 198.51.100.9", "tag ACME_VPN", "date -3", "theme light", "filter acme", "open x.log", "forget", "undo", "0",
    "-1", "99999999999999999999999", "../../x", "a.csv", "", " ", "\t", "\u{1b}[2J\u{1b}]0;x\u{7}", "\0\u{9b}\u{7f}\r\n", "\u{202e}gnp.exe\u{202c}", "שלום עולם", "مرحبا",
    "日本語日本語日本語", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301}\u{301}\u{301}", "\u{200b}\u{feff}", "ﷺ", "İıſß", "{\"ip\":\"198.51.100.77\"}", "a,b\n198.51.100.77,c\n",
];

pub(super) fn word(rng: &mut Rng) -> String {
    WORDS[rng.usize(..WORDS.len())].to_owned()
}

/// A pasted text; rarely a very long one.
pub(super) fn pasted(rng: &mut Rng) -> String {
    match rng.u32(..200) {
        0 => "x".repeat(1 << 20),
        1 => log(rng, 20_000),
        2 => iter::repeat_with(|| rng.char(..)).take(5_000).collect(),
        3..50 => {
            let lines = rng.usize(..40);
            log(rng, lines)
        }
        50..80 => {
            let words = rng.usize(..6);
            let words: Vec<String> = iter::repeat_with(|| word(rng)).take(words).collect();
            words.join([" ", "\n", ", ", ""][rng.usize(..4)])
        }
        _ => word(rng),
    }
}

fn log(rng: &mut Rng, lines: usize) -> String {
    let line = || {
        let (from, to) = (rng.u8(..), rng.u8(..));
        match rng.u32(..4) {
            0 => format!("10:41 allow 198.51.100.{from}:443 -> 203.0.113.{to}\n"),
            1 => format!("deny 2001:db8::{from:x}\n"),
            2 => format!("net 198[.]51[.]100[.]{to}\r\n"),
            _ => "nothing of interest\n".to_owned(),
        }
    };
    iter::repeat_with(line).take(lines).collect()
}
