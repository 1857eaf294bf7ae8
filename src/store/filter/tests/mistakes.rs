//! Where mistakes are, and what is said of them.

use super::*;

/// The filter, the marks under it, and a part of what is said.
#[test]
#[expect(clippy::too_many_lines, reason = "one table of mistakes")]
fn mistakes_are_pointed_at() {
    for (text, marks, said, hint) in [
        (
            "cc:NL tagg:X",
            "      ^^^^",
            "no field \"tagg\"",
            "did you mean tag:X?",
        ),
        ("nation:NL geo:NL,DE", "^^^^^^", "no field", "there are tag"),
        (
            "country:NL,DE",
            "^^^^^^^",
            "no field",
            "did you mean cc:NL,DE?",
        ),
        (
            "-location.country:NL",
            " ^^^^^^^^^^^^^^^^",
            "no field",
            "did you mean -cc:NL?",
        ),
        (
            "ip:198.51.100.7",
            "^^",
            "no field",
            "did you mean net:198.51.100.7?",
        ),
        (
            "organisation:x",
            "^^^^^^^^^^^^",
            "no field",
            "did you mean org:x?",
        ),
        ("client:>5", "^^^^^^", "no field", "did you mean clients>5?"),
        ("frobnicate:x", "^^^^^^^^^^", "no field", "tag, type, cc"),
        (":x", "^", "no field", "there are tag"),
        (
            "\u{2013}infra:MOBILE",
            "^^^^^^",
            "no field",
            "did you mean -infra:MOBILE?",
        ),
        (
            "--infra:MOBILE",
            " ^^^^^^",
            "no field",
            "did you mean -infra:MOBILE?",
        ),
        (
            "cc:NL ACME_VPN",
            "      ^^^^^^^^",
            "is not a filter term",
            "did you mean tag:ACME_VPN?",
        ),
        (
            "-ACME_VPN",
            " ^^^^^^^^",
            "is not a filter term",
            "did you mean -tag:ACME_VPN?",
        ),
        (
            "198.51.100.7",
            "^^^^^^^^^^^^",
            "is not a filter term",
            "net:198.51.100.7?",
        ),
        (
            "2001:db8::/32",
            "^^^^^^^^^^^^^",
            "is not a filter term",
            "net:2001:db8::/32?",
        ),
        (
            "198[.]51[.]100[.]0/24",
            "^^^^^^^^^^^^^^^^^^^^^",
            "is not a filter term",
            "net:198",
        ),
        ("AS64500", "^^^^^^^", "is not a filter term", "asn:AS64500?"),
        (
            "\"example host\"",
            "^^^^^^^^^^^^^^",
            "is not a filter term",
            "org:\"example host\"?",
        ),
        (
            "clients > 20",
            "^^^^^^^",
            "is not a filter term",
            "clients>=20",
        ),
        (
            "org:\u{201c}a b\u{201d}",
            "       ^^",
            "is not a filter term",
            "straight",
        ),
        ("cc:NL - tag:X", "      ^", "a minus on its own", "-infra"),
        ("cc:NL -", "      ^", "a minus on its own", "-infra"),
        ("tag: ACME_VPN", "   ^", "missing", "directly after"),
        ("tag:A,,B", "     ^", "missing", ""),
        ("tag:A,", "     ^", "missing", ""),
        ("tag:A,\" \"", "     ^^^^", "missing", ""),
        ("clients>", "       ^", "missing", ""),
        ("net:", "   ^", "missing", ""),
        (
            "org:\"part of name cc:NL",
            "    ^^^^^^^^^^^^^^^^^^^",
            "never closed",
            "close it",
        ),
        ("org:\"a\\\"", "    ^^^^", "never closed", "close it"),
        (
            "clients=>20",
            "       ^^",
            "takes no \"=>\"",
            "did you mean clients>=20?",
        ),
        (
            "clients!=20",
            "       ^^",
            "takes no",
            "did you mean -clients=20?",
        ),
        ("clients:>20", "       ^", "takes no", "write clients<5"),
        ("clients><20", "       ^^", "takes no", "write clients<5"),
        (
            "tag=ACME_VPN",
            "   ^",
            "takes no",
            "did you mean tag:ACME_VPN?",
        ),
        ("cc!=NL", "  ^^", "takes no", "did you mean -cc:NL?"),
        ("clients>many", "        ^^^^", "not a number", "digits"),
        ("clients>-1", "        ^^", "not a number", "digits"),
        ("clients>+1", "        ^^", "not a number", "digits"),
        (
            "clients>99999999999999999999",
            "        ^^^^^^^^^^^^^^^^^^^^",
            "too large",
            "digits",
        ),
        ("tag:AC*ME", "    ^^^^^", "at the end only", "tag:ACME*"),
        (
            "tag:A OR tag:B",
            "      ^^",
            "a comma is OR",
            "did you mean tag:A,B?",
        ),
        (
            "cc:NL AND (tag:A OR tag:B)",
            "      ^^^",
            "a space is AND",
            "did you mean cc:NL tag:A,B?",
        ),
        ("tag:A OR cc:NL", "      ^^", "a comma is OR", "for example"),
        (
            "clients>1,000",
            "         ^^^^",
            "one value is allowed",
            "without commas",
        ),
        (
            "net:198.51.100.0/33",
            "    ^^^^^^^^^^^^^^^",
            "prefix length exceeds 32",
            "0 to 32",
        ),
        (
            "net:198.51.100.7,example",
            "                 ^^^^^^^",
            "neither an address",
            "net:198",
        ),
        (
            "net:198.51.100.0/+8",
            "    ^^^^^^^^^^^^^^^",
            "neither an address",
            "",
        ),
        (
            "net:::ffff:198.51.100.0/90",
            "    ^^^^^^^^^^^^^^^^^^^^^^",
            "wider",
            "IPv4",
        ),
        (
            "cc:NL,NLD",
            "      ^^^",
            "not a country code",
            "two letters",
        ),
        ("cc:4x", "   ^^", "not a country code", "two letters"),
        ("asn:ACME", "    ^^^^", "not the number", "asn:64500"),
        ("asn:+5", "    ^^", "not the number", "asn:64500"),
        (
            "entry:198.51.100.0/24",
            "      ^^^^^^^^^^^^^^^",
            "not an address",
            "net:",
        ),
        (
            "attributed:maybe",
            "           ^^^^^",
            "neither yes nor no",
            "attributed:yes",
        ),
        (
            "attributed:yes,no",
            "              ^^^",
            "one value is allowed",
            "attributed:yes",
        ),
        // Wide and hostile characters before the place.
        ("org:東京 x:1", "         ^", "no field", ""),
        (
            "org:\u{1b}[2J\u{202e} x:1",
            "                    ^",
            "no field",
            "",
        ),
        ("cc:東", "   ^^", "not a country code", ""),
    ] {
        let bad = text.parse::<Filter>().expect_err(text);
        let picture = bad.picture();
        assert_eq!(picture.lines().nth(1), Some(marks), "{picture}");
        assert!(bad.to_string().contains(said), "{picture}\n{bad}");
        let hinted = bad.hint.unwrap_or_default();
        assert!(hinted.contains(hint), "{picture}\n{hinted}");
    }
}

#[test]
fn the_picture_steers_no_screen() {
    let bad = "tag:A\u{1b}\u{9b}\u{202e}\n\tx:\""
        .parse::<Filter>()
        .expect_err("quote");
    assert!(bad.picture().lines().count() == 2 && !bad.picture().contains('\u{1b}'));
}

/// The mend is the whole text, with the one word changed.
#[test]
fn what_one_change_mends_is_mended() {
    for (text, mend) in [
        ("cc:NL tagg:X clients>5", Some("cc:NL tag:X clients>5")),
        ("  -tagg:X", Some("  -tag:X")),
        ("cc:NL ACME_VPN", Some("cc:NL tag:ACME_VPN")),
        ("198.51.100.0/24 cc:NL", Some("net:198.51.100.0/24 cc:NL")),
        ("clients=>20", Some("clients>=20")),
        ("tag:A OR tag:B", Some("tag:A,B")),
        // What may be meant is no term either.
        ("contry:DE", Some("cc:DE")),
        ("contry:4x", None),
        ("country:nl,DE cc:FR", Some("cc:nl,DE cc:FR")),
        ("-Country:NL", Some("-cc:NL")),
        ("AS:AS64501", Some("asn:AS64501")),
        ("organization=Example", Some("org=Example")),
        ("tag:A OR cc:NL", None),
        ("cc:NLD", None),
        ("frobnicate:x", None),
        ("tag:", None),
    ] {
        let bad = text.parse::<Filter>().expect_err(text);
        assert_eq!(bad.mend.as_deref(), mend, "{text}: {bad}");
    }
}
