//! Text from outside as it stands in Markdown: it shapes nothing there, and nobody clicks on it by mistake.

use crate::model::{parse_address, visible};

/// Text from outside on one line, visible, defanged, and without a meaning of its own in Markdown.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in defanged(&visible(text)).chars() {
        // The brackets of defanging stay as they are: they open no link, since no parenthesis follows unescaped.
        if matches!(
            character,
            '\\' | '`' | '*' | '|' | '<' | '>' | '(' | ')' | '#' | '~' | '!'
        ) {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe
}

/// The text with every address, URL and host name in it made unclickable: `198[.]51[.]100[.]7`, `hxxps://acme[.]example`.
#[must_use]
pub fn defanged(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(defanged_word).collect();
    words.join(" ")
}

fn defanged_word(word: &str) -> String {
    let core = word.trim_matches(|character: char| ",;()\"'".contains(character));
    let bare = core.split_once('/').map_or(core, |(address, _)| address);
    if let Ok(address) = parse_address(bare) {
        let mark = if address.is_ipv4() { '.' } else { ':' };
        return word.replace(mark, &format!("[{mark}]"));
    }
    if word.contains("://") || names_a_host(core) {
        return word.replace("http", "hxxp").replace('.', "[.]");
    }
    word.to_owned()
}

/// Whether a word reads like `acme.example`: labels of letters, digits and hyphens, the last one of letters.
fn names_a_host(word: &str) -> bool {
    let host = word
        .split(['/', ':', '@'])
        .find(|part| part.contains('.'))
        .unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    let of_host =
        |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    labels.len() > 1
        && labels.iter().all(of_host)
        && labels
            .last()
            .is_some_and(|top| top.len() > 1 && top.chars().all(char::is_alphabetic))
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
        ] {
            assert_eq!(defanged(text), expected);
        }
    }

    #[test]
    fn outside_text_cannot_shape_the_ticket() {
        assert_eq!(
            escaped("*a* | <b> `c` [d](x)"),
            "\\*a\\* \\| \\<b\\> \\`c\\` [d]\\(x\\)"
        );
        assert_eq!(escaped("a\n# b\u{1b}"), r"a\\x0a\# b\\x1b");
    }
}
