//! Text from outside, escaped for Markdown: it changes no layout and becomes no link.

use std::net::Ipv4Addr;

use crate::model::{parse_address, visible};

/// Text from outside on one line: control characters made visible, addresses defanged, and characters escaped where Markdown would
/// take them for markup.
#[must_use]
pub fn escaped(text: &str) -> String {
    let text = defanged(&visible(text));
    let mut safe = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if shapes(before, character, rest.clone().next()) {
            safe.push('\\');
        }
        safe.push(character);
        before = Some(character);
    }
    safe
}

/// Whether a character would shape the text between these two. Brackets stay as they are: they open no link, since no parenthesis
/// follows unescaped.
fn shapes(before: Option<char>, character: char, after: Option<char>) -> bool {
    let is_word = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
    match character {
        '`' | '*' | '|' | '~' => true,
        '\\' => after.is_none_or(|after| after.is_ascii_punctuation()),
        '(' => before == Some(']'),
        '<' => after.is_some_and(|after| after.is_alphabetic() || "/!?".contains(after)),
        '>' => before.is_none(),
        '#' => before.is_none() || is_word(after),
        '_' => !is_word(before) || !is_word(after),
        _ => false,
    }
}

/// The text with every address, URL and host name in it made unclickable: `198[.]51[.]100[.]7`, `hxxps://acme[.]example`.
#[must_use]
pub fn defanged(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(defanged_word).collect();
    words.join(" ")
}

fn defanged_word(word: &str) -> String {
    let core = word.trim_matches(|character: char| ",;()\"'".contains(character));
    // Behind an address that ends a clause is what IPv6 is written with, too.
    let ended = core.trim_end_matches('.');
    let ended = ended.strip_suffix(':').unwrap_or(ended);
    for core in [ended, core] {
        let bare = core.split_once('/').map_or(core, |(address, _)| address);
        if let Ok(address) = parse_address(bare) {
            let mark = if address.is_ipv4() { '.' } else { ':' };
            let dead = core.replace(mark, &format!("[{mark}]"));
            return word.replacen(core, &dead, 1);
        }
    }
    if word.contains("://") || names_a_host(core) {
        return word.replace("http", "hxxp").replace('.', "[.]");
    }
    with_dead_quads(word)
}

/// The word with every IPv4 address within it made unclickable, such as one behind the name of a field.
fn with_dead_quads(word: &str) -> String {
    let is_part = |character: char| character.is_ascii_digit() || character == '.';
    let mut dead = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let (run, behind) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
        let quad = run.trim_end_matches('.');
        dead += before;
        if quad.parse::<Ipv4Addr>().is_ok() {
            dead += &quad.replace('.', "[.]");
            dead += &run[quad.len()..];
        } else {
            dead += run;
        }
        rest = behind;
    }
    dead + rest
}

/// What names of files end with that no host's name ends with.
const ENDINGS: [&str; 7] = ["csv", "gz", "json", "mmdb", "parquet", "pdf", "toml"];

/// Whether a word reads like `acme.example`: labels of letters, digits and hyphens, the last one of letters.
fn names_a_host(word: &str) -> bool {
    // The path of a file is not clickable.
    if word.starts_with(['/', '~']) {
        return false;
    }
    let host = word
        .split(['/', ':', '@'])
        .find(|part| part.contains('.'))
        .unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    let of_host =
        |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    labels.len() > 1
        && labels.iter().all(of_host)
        && labels.last().is_some_and(|top| {
            top.len() > 1 && top.chars().all(char::is_alphabetic) && !ENDINGS.contains(top)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_be_clicked() {
        for (text, expected) in [
            ("198.51.100.77", "198[.]51[.]100[.]77"),
            (
                "out 198.51.100.77, 2001:db8::7",
                "out 198[.]51[.]100[.]77, 2001[:]db8[:][:]7",
            ),
            ("2001:db8::/32", "2001[:]db8[:][:]/32"),
            ("https://acme.example/a.b", "hxxps://acme[.]example/a[.]b"),
            ("mail to x@acme.example", "mail to x@acme[.]example"),
            ("Example B.V. 3.5", "Example B.V. 3.5"),
            ("/home/me/config.toml", "/home/me/config.toml"),
            ("198.51.100.7: seen", "198[.]51[.]100[.]7: seen"),
            ("2001:db8::7: seen", "2001[:]db8[:][:]7: seen"),
            (
                "match net:198.51.100.0/24,203.0.113.9 in 198.18.0.0/15.",
                "match net:198[.]51[.]100[.]0/24,203[.]0[.]113[.]9 in 198[.]18[.]0[.]0/15.",
            ),
        ] {
            assert_eq!(defanged(text), expected);
        }
    }

    #[test]
    fn outside_text_cannot_shape_the_ticket() {
        assert_eq!(
            escaped("*a* | <b> `c` [d](x) _e_ ![f](y)"),
            "\\*a\\* \\| \\<b> \\`c\\` [d]\\(x) \\_e\\_ ![f]\\(y)"
        );
        assert_eq!(escaped("a\n# b\u{1b}"), r"a\x0a# b\x1b");
        assert_eq!(escaped("# > \\"), r"\# > \\");
    }

    #[test]
    fn plain_words_stay_as_they_are() {
        for plain in [
            "services (absent)",
            "Example & Sons (Holding) B.V.!",
            "clients>=100 tag=ACME_VPN clients<5",
            "A # of 3 -> B",
            "20261120/feed.json.gz and feed.mmdb",
        ] {
            assert_eq!(escaped(plain), plain);
        }
    }
}
