use std::net::IpAddr;

use proptest::prelude::*;

use super::*;

/// Every find, as it is spelled there and as it is read.
fn finds(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    scan(text.as_bytes(), &mut |hit| {
        let read = match hit.found {
            Found::Address(address) => address.to_string(),
            Found::Network(network) => network.to_string(),
            Found::MayEndInPort(whole, _) => format!("{whole}?"),
            Found::Padded => "padded".to_owned(),
            Found::Version => return,
        };
        found.push((text[hit.at].to_owned(), read));
    });
    found
}

fn read(text: &str) -> Vec<String> {
    finds(text).into_iter().map(|(_, read)| read).collect()
}

#[test]
fn addresses_are_found_however_they_are_written() {
    for (text, spelled, expected) in [
        ("198.51.100.7", "198.51.100.7", "198.51.100.7"),
        ("from 198.51.100.7.", "198.51.100.7", "198.51.100.7"),
        ("198.51.100.7:8080", "198.51.100.7", "198.51.100.7"),
        ("src=198.51.100.7,", "198.51.100.7", "198.51.100.7"),
        ("src:198.51.100.7", "198.51.100.7", "198.51.100.7"),
        ("{\"ip\":\"198.51.100.7\"}", "198.51.100.7", "198.51.100.7"),
        ("eth0_198.51.100.7_443", "198.51.100.7", "198.51.100.7"),
        ("198.51.100.7/32", "198.51.100.7", "198.51.100.7"),
        ("inet 198.51.100.7/24 brd", "198.51.100.7", "198.51.100.7"),
        ("http://198.51.100.0/24", "198.51.100.0", "198.51.100.0"),
        ("198.51.100.7/2026/11", "198.51.100.7", "198.51.100.7"),
        (
            "GET /v2/context/198.51.100.7?dt=1",
            "198.51.100.7",
            "198.51.100.7",
        ),
        ("kafka.example/198.51.0.0:9092", "198.51.0.0", "198.51.0.0"),
        ("kafka.example/198.51.0.0", "198.51.0.0", "198.51.0.0"),
        ("broker/198.51.0.0:9092", "198.51.0.0", "198.51.0.0"),
        ("/198.51.100.7", "198.51.100.7", "198.51.100.7"),
        ("/198.51.100.7:443", "198.51.100.7", "198.51.100.7"),
        ("https://198.51.100.7/", "198.51.100.7", "198.51.100.7"),
        ("https://me@198.51.100.7/", "198.51.100.7", "198.51.100.7"),
        ("2026/198.51.100.7", "198.51.100.7", "198.51.100.7"),
        ("_198.51.100.7", "198.51.100.7", "198.51.100.7"),
        ("peer-198.51.100.7", "198.51.100.7", "198.51.100.7"),
        ("12:30:45:198.51.100.7", "198.51.100.7", "198.51.100.7"),
        ("::198.51.100.7", "198.51.100.7", "198.51.100.7"),
        (
            "hxxp://198[.]51[.]100[.]7/",
            "198[.]51[.]100[.]7",
            "198.51.100.7",
        ),
        (
            "198(.)51{.}100[dot]7",
            "198(.)51{.}100[dot]7",
            "198.51.100.7",
        ),
        ("198[.51[.100[.7", "198[.51[.100[.7", "198.51.100.7"),
        (
            "203 [.] 0 [.] 113 [.] 9",
            "203 [.] 0 [.] 113 [.] 9",
            "203.0.113.9",
        ),
        (
            "203&#46;0&#x2E;113&period;9",
            "203&#46;0&#x2E;113&period;9",
            "203.0.113.9",
        ),
        ("198.51.100[.]7[:]8080", "198.51.100[.]7", "198.51.100.7"),
        (r"^198\.51\.100\.7$", r"198\.51\.100\.7", "198.51.100.7"),
        (r"a\n198.51.100.7\nb", "198.51.100.7", "198.51.100.7"),
        (r"a\u003d198.51.100.7\u0026", "198.51.100.7", "198.51.100.7"),
        (r"\x22198.51.100.7\x22", "198.51.100.7", "198.51.100.7"),
        (
            "http%3A%2F%2F198.51.100.7%3A443%2F",
            "198.51.100.7",
            "198.51.100.7",
        ),
        ("ip%20198.51.100.7%20", "198.51.100.7", "198.51.100.7"),
        (
            "\u{1b}[1;31m198.51.100.7\u{1b}[0m",
            "198.51.100.7",
            "198.51.100.7",
        ),
        ("地址198.51.100.7。", "198.51.100.7", "198.51.100.7"),
        ("2001:db8::7", "2001:db8::7", "2001:db8::7"),
        ("[2001:DB8::7]:443", "2001:DB8::7", "2001:db8::7"),
        ("from 2001:db8::7: seq=1", "2001:db8::7", "2001:db8::7"),
        ("client:2001:db8::7.", "2001:db8::7", "2001:db8::7"),
        ("IP6 2001:db8::7.443 > x", "2001:db8::7", "2001:db8::7"),
        (
            "2001:db8:0:0:1:0:0:7:443",
            "2001:db8:0:0:1:0:0:7",
            "2001:db8::1:0:0:7",
        ),
        ("2001[:]db8[:][:]7", "2001[:]db8[:][:]7", "2001:db8::7"),
        ("q=2001%3Adb8%3A%3A7&", "2001%3Adb8%3A%3A7", "2001:db8::7"),
        ("2001:db8::7/64", "2001:db8::7", "2001:db8::7"),
        ("fe80::7%eth0", "fe80::7", "fe80::7"),
        ("::ffff:198.51.100.7", "::ffff:198.51.100.7", "198.51.100.7"),
        ("[::ffff:c633:6407]", "::ffff:c633:6407", "198.51.100.7"),
        (
            "64:ff9b::198.51.100.7",
            "64:ff9b::198.51.100.7",
            "64:ff9b::c633:6407",
        ),
    ] {
        assert_eq!(
            finds(text),
            [(spelled.to_owned(), expected.to_owned())],
            "{text}"
        );
    }
}

#[test]
fn an_address_of_a_packet_or_a_socket_has_its_port_behind_a_dot() {
    for (text, expected) in [
        (
            "IP 198.51.100.77.50122 > 203.0.113.9.443: Flags [S]",
            "198.51.100.77 203.0.113.9",
        ),
        (
            "IP 198.51.100.77.https > 203.0.113.9.domain: 7+ A?",
            "198.51.100.77 203.0.113.9",
        ),
        (
            "IP6 2001:db8::7.443 > 2001:db8::9.domain: Flags",
            "2001:db8::7 2001:db8::9",
        ),
        (
            "tcp4       0      0  192.0.2.5.22    198.51.100.77.50122    ESTABLISHED",
            "192.0.2.5 198.51.100.77",
        ),
        ("7.100.51.198.in-addr.arpa > x", ""),
        ("1.3.6.1.4 = 7", ""),
        ("198.51.100.77.50122", ""),
        ("198.51.100.77.99999 > x", ""),
    ] {
        assert_eq!(read(text).join(" "), expected, "{text}");
    }
}

#[test]
fn a_last_group_that_is_no_group_is_a_port() {
    for (text, expected) in [
        ("2001:db8::1:58340", "2001:db8::1"),
        ("x]...2001:db8::1[y", "2001:db8::1"),
        ("client 2001:db8::1:58340 [x]", "2001:db8::1"),
        ("2001:db8::1:8080", "2001:db8::1:8080?"),
        ("2001:db8::1:443,", "2001:db8::1:443?"),
        ("[2001:db8::1:443]", "2001:db8::1:443"),
        ("2001:db8::1:443/64", "2001:db8::1:443"),
        ("2001:db8::443", "2001:db8::443"),
        ("2001:db8::1:2", "2001:db8::1:2?"),
        ("2001:db8::1:02", "2001:db8::1:2"),
        ("2001:db8::1:77777", ""),
        ("2001:db8:0:0:0:0:1:8080", "2001:db8::1:8080"),
    ] {
        assert_eq!(read(text).join(" "), expected, "{text}");
    }
}

#[test]
fn versions_are_told_by_words_and_are_no_addresses() {
    for (text, is_version) in [
        ("Chrome/130.0.0.0", true),
        ("Chrome\\/130.0.0.0", true),
        ("%20Chrome/130.0.0.0", true),
        ("\"agentVersion\":\"3.18.0.1\"", true),
        ("ver=6.2.1.132", true),
        ("Version: 15.0.0.0", true),
        ("Microsoft SMTP Server (15.20.200.12)", true),
        (
            "with Microsoft SMTP Server (version=TLS1_2) id 15.20.200.12; Thu",
            true,
        ),
        ("v1.2.3.4", true),
        ("go-http-client/1.2.3.4", true),
        ("nginx-1.2.3.4", true),
        ("\"Mozilla/5.0 (X11) Client 9.4.0.12\"", true),
        ("\"HTTP/1.1 403 for client 198.51.100.7\"", false),
        ("\"HTTP/1.1 403 Client 198.51.100.7\"", false),
        ("\"Session/7 opened from 198.51.100.8\"", false),
        ("\"HTTP/1.1 200 OK X-Backend: 192.0.2.44\"", false),
        ("HIER_DIRECT/203.0.113.9", false),
        ("FIRSTUP_PARENT/203.0.113.9", false),
        ("outside/198.51.100.77(51234)", false),
        ("Outside/198.51.100.77", false),
        ("web1/203.0.113.12", false),
        ("api/203.0.113.12", false),
        ("server 203.0.113.12", false),
        ("server: 203.0.113.12", false),
        ("connected to the server (203.0.113.12)", false),
        ("host.example (203.0.113.12)", false),
        ("\"id\":\"203.0.113.12\"", false),
        ("driver=203.0.113.12", false),
    ] {
        let mut found = Vec::new();
        scan(text.as_bytes(), &mut |hit| found.push(hit.found));
        assert_eq!(found, [found[0]], "{text}");
        assert_eq!(found[0] == Found::Version, is_version, "{text}");
    }
}

#[test]
fn a_port_behind_the_interface_of_a_firewall_is_no_length() {
    for (text, expected) in [
        ("to outside:198.51.100.128/25 (x)", "198.51.100.128"),
        (
            "%ASA-6-302013: Built for guests:198.51.100.128/25",
            "198.51.100.128",
        ),
        ("net:198.51.100.128/25", "198.51.100.128/25"),
        ("allow:198.51.100.0/24", "198.51.100.0/24"),
    ] {
        assert_eq!(read(text).join(" "), expected, "{text}");
    }
}

#[test]
fn several_stand_in_one_text() {
    for (text, expected) in [
        ("198.51.100.7-198.51.100.9", "198.51.100.7 198.51.100.9"),
        ("198.51.100.7..198.51.100.9", "198.51.100.7 198.51.100.9"),
        ("198.51.100.7:198.51.100.9", "198.51.100.7 198.51.100.9"),
        (
            "198.51.100.7->2001:db8::7,10.0.0.1",
            "198.51.100.7 2001:db8::7 10.0.0.1",
        ),
        (
            "198.51.100.0/24 2001:db8::/32",
            "198.51.100.0/24 2001:db8::/32",
        ),
        ("[ECS 203.0.113.0/24/0]", "203.0.113.0/24"),
        (
            "::ffff:198.51.100.0/120, 0.0.0.0/0.",
            "198.51.100.0/24 0.0.0.0/0",
        ),
        ("198.051.100.007 010.0.0.1", "padded padded"),
    ] {
        assert_eq!(read(text).join(" "), expected, "{text}");
    }
}

#[test]
fn what_only_looks_like_an_address_is_none() {
    for text in [
        "",
        ".",
        ":",
        "::",
        "...",
        ":::",
        ":::22",
        "tcp6 :::8080 :::*",
        "netmask 255.255.255.0",
        "[.]",
        "1.2.3",
        "1.2.3.4.5",
        "v1.2.3.4",
        "1.2.3.4a",
        "1.2.3.4rc1",
        "0x1.2.3.4",
        "256.1.1.1",
        "1.2.3.1000",
        "1..2.3.4",
        "1.3.6.1.4.1.311",
        ".1.3.6.1",
        "7.100.51.198.in-addr.arpa",
        "x.1.2.3.4",
        "12:30:45",
        "2026-11-20T12:30:45.123Z",
        "00:11:22:33:44:55",
        "00:11:22:33:44:55:66:77",
        "0011.2233.4455",
        "SHA1 Fingerprint=AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01",
        "550e8400-e29b-41d4-a716-446655440000",
        "std::1",
        "foo::1",
        "Cache::Add",
        "a::b",
        "x :: Int",
        "2001:db8::x",
        "2001:db8:1:2:3:4:5:6:f",
        "2001:db8:1:2:3:4:5:6:7:8",
        "12345::1",
        "2001:db8:::7::1",
        "Mozilla/5.0 Chrome/130.0.0.0 Safari/537.36 OPR/106.0.0.0",
        "Chrome/120.0.0.0",
        "ua=Chrome/98.51.100.7",
        "Foo-Bar_2/1.2.3.4;",
        "OpenSSH_9.6.0.1",
        "SSH-2.0-OpenSSH_9.6.0.1 Ubuntu",
        "OpenSSH_for_Windows_9.5.0.1",
        "Product/1.02.3.4",
        "ip198.51.100.7",
        "999.051.1.1",
        "0198.51.100.7",
    ] {
        assert_eq!(finds(text), [], "{text}");
    }
}

#[test]
fn long_runs_cost_no_more_than_their_length() {
    for text in [
        "1.".repeat(200_000),
        "a:".repeat(200_000),
        "f".repeat(400_000) + ".",
        "[".repeat(400_000),
        "1..".repeat(200_000),
    ] {
        assert_eq!(finds(&text), []);
    }
    let many = "198.51.100.7:".repeat(100_000);
    assert_eq!(read(&many).len(), 100_000);
}

/// What cannot be a part of an address, nor of an escape before one.
const AROUND: &str = "[^0-9A-Za-z.:%/\\\\\\[\\](){}]{0,12}";

proptest! {
    #[test]
    fn an_address_between_other_characters_is_found(
        before in AROUND, after in AROUND, bits in any::<u32>(), wide in any::<u128>(), is_wide in any::<bool>(), zeros in 0_u32..100,
    ) {
        let address = if is_wide {
            // A public one, so with a digit, and often with a row of zeros.
            IpAddr::from(((wide >> 3 | 1 << 125) >> zeros << zeros).to_be_bytes())
        } else {
            IpAddr::from(bits.to_be_bytes())
        };
        let text = format!("{before}{address}{after}");
        let expected = [(address.to_string(), address.to_string())];
        prop_assert_eq!(finds(&text), expected);
        let defanged = address.to_string().replace('.', "[.]").replace(':', "[:]");
        let text = format!("{before}{defanged}{after}");
        prop_assert_eq!(finds(&text), [(defanged, address.to_string())]);
    }

    #[test]
    fn whatever_is_found_stands_there(text in "[0-9a-f.:/%\\[\\]x ]{0,60}") {
        let mut end = 0;
        scan(text.as_bytes(), &mut |hit| {
            assert!(hit.at.start >= end && hit.at.end <= text.len() && !hit.at.is_empty());
            end = hit.at.end;
            let spelled = text[hit.at].replace("[.]", ".").replace("[:]", ":").replace("%3a", ":").replace("%2e", ".");
            match hit.found {
                Found::Address(address) => assert_eq!(spelled.parse::<IpAddr>().map(|address| address.to_canonical()), Ok(address), "{text}"),
                Found::Network(network) => assert!(spelled.ends_with(&format!("/{}", network.prefix_len())) || spelled.contains("::"), "{text}"),
                Found::MayEndInPort(whole, without) => {
                    assert_eq!(spelled.parse(), Ok(whole), "{text}");
                    assert!(spelled.starts_with(&without.to_string()) || spelled.contains("0:"), "{text}");
                }
                Found::Version => assert_eq!(spelled.split('.').count(), 4, "{text}"),
                Found::Padded => assert!(spelled.parse::<IpAddr>().is_err(), "{text}"),
            }
        });
    }

    #[test]
    fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        scan(&bytes, &mut |hit| assert!(bytes.get(hit.at).is_some()));
    }
}
