//! Lines as they should not be.

use proptest::{prelude::*, sample::select};

/// Lines that are no records, and records that are hardly any.
const SHORT: &[&[u8]] = &[
    b"",
    b" ",
    b"\t \x0c",
    b"\r",
    b"{}",
    b"{ }",
    b"[]",
    b"[{}]",
    b"null",
    b"5",
    b"\"x\"",
    b"{",
    b"}",
    b"{\"ip\":",
    b"{\"ip\":\"198.51.100.7\"",
    b"{\"ip\":\"198.51.100.7\"}x",
    b"{\"ip\":\"198.51.100.7\"}{\"ip\":\"198.51.100.8\"}",
    b"{\"ip\":\"198.51.100.7\",}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":01}}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":+1}}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":.5}}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":1.}}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":NaN}}",
    b"{\"ip\":\"198.51.100.7\",\"x\":1 2}",
    b"{\"ip\":\"198.51.100.7\" \"x\":1}",
    b"{\"ip\":\"198.51.100.7\",\"x\":tru}",
    b"{\"ip\":\"198.51.100.7\",\"x\":TRUE}",
    b"{\"ip\":\"198.51.100.7\",\"x\":[1}",
    b"{\"ip\":\"198.51.100.7\",\"x\":[1,]}",
    b"{\"ip\":\"198.51.100.7\",1:2}",
    b"{\"ip\":\"198.51.100.7\",\"x\":\"a\\x\"}",
    b"{\"ip\":\"198.51.100.7\",\"x\":\"\\u12\"}",
    b"{\"ip\":\"198.51.100.7\",\"x\":\"a\x01b\"}",
    b"{\"ip\":\"198.51.100.7\",\"x\":\"a\tb\"}",
    b"{\"ip\":\"198.51.100.7\",\"x\":\"a\x7fb\"}",
    b"{\"ip\":\"198.51.100.7\"}\x00",
    b"\x00{\"ip\":\"198.51.100.7\"}",
    b"\x01{\"ip\":\"198.51.100.7\"}",
    b"{\x01}",
    b"{\"ip\":\x01}",
    b"\x0c{\"ip\":\"198.51.100.7\"}",
    b"{\"ip\":\"198.51.100.7\"}\x0c",
    b"\xc2\xa0{\"ip\":\"198.51.100.7\"}",
    b"{'ip':'198.51.100.7'}",
    b"not json at all",
    b"<html></html>",
    b"\xef\xbb\xbf{\"ip\":\"198.51.100.7\"}",
    b"  {\"ip\" : \"198.51.100.7\"}\t ",
    b"{\"ip\":\"198.51.100.7\"}\r",
    b"\r{\"ip\":\"198.51.100.7\"}",
    b"{\"ip\":\"198.51.100.7\",\r\"tag\":\"ACME_VPN\"}",
    // Bytes that are not UTF-8, within texts, keys, and between.
    b"{\"ip\":\"198.51.100.7\",\"organization\":\"a\xffb\"}",
    b"{\"ip\":\"198.51.100.7\",\"organization\":\"a\xc3\"}",
    b"{\"ip\":\"198.51.100.7\",\"organization\":\"\xed\xa0\x80\"}",
    b"{\"ip\":\"198.51.100.7\",\"a\xff\":\"b\",\"infrastructure\":\"MOBILE\"}",
    b"{\"ip\":\"198.51.100.7\",\"location\":{\"country\":\"N\xff\"}}",
    b"{\"ip\":\"198.51.100.7\",\xff\"a\":1}",
    b"{\"ip\":\"198.51.100.7\"}\xff",
    // Halves of surrogate pairs, NUL, and escapes of what needs none.
    b"{\"ip\":\"198.51.100.7\",\"organization\":\"\\ud800 half\"}",
    b"{\"ip\":\"198.51.100.7\",\"organization\":\"\\udc00\\ud83d\\ude00\"}",
    b"{\"ip\":\"198.51.100.7\",\"tunnels\":[{\"operator\":\"A\\u0000B\",\"type\":\"VPN\"}]}",
    b"{\"\\u0069p\":\"198.51.100.7\",\"location\":{\"country\":\"\\u004eL\"}}",
    b"{\"i\\u0070\":\"198.51.100.8\",\"ip\":\"198.51.100.7\"}",
    b"{\"ip\":\"198\\u002e51.100.7\",\"infrastructure\":\"\\u004dOBILE\"}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":\"1\\u0034\"}}",
    // Keys that say a path, or nothing.
    b"{\"ip\":\"198.51.100.7\",\"location.country\":\"NL\"}",
    b"{\"ip\":\"198.51.100.7\",\"tunnels.operator\":\"ACME_VPN\",\"tunnels.type\":\"VPN\"}",
    b"{\"\":{\"tag\":\"ACME_VPN\"},\"ip\":\"198.51.100.7\"}",
    b"{\"\":\"ACME_VPN\",\"ip\":\"198.51.100.7\",\"location\":{\"\":\"NL\",\"country\":\"NL\"}}",
    b"{\"tag\":{\"\":\"ACME_VPN\"}}",
    b"{\"a[]\":\"ACME_VPN\",\"tunnels[]\":{\"operator\":\"ACME_VPN\"}}",
    b"{\"$serde_json::private::Number\":\"5\"}",
    b"{\"$serde_json::private::RawValue\":\"5\",\"ip\":\"198.51.100.7\"}",
    // One thing where a list of them belongs.
    b"{\"tunnels\":{\"operator\":\"ACME_VPN\",\"type\":\"VPN\",\"exits\":[]},\"ip\":\"198.51.100.7\"}",
    b"{\"client\":[{\"count\":3,\"proxies\":[\"CARGO_VPN\"]}],\"ip\":\"198.51.100.7\"}",
    // Repeated keys: the last one counts.
    b"{\"ip\":\"198.51.100.8\",\"ip\":\"198.51.100.7\"}",
    b"{\"ip\":\"198.51.100.7\",\"ip\":null}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":3},\"client\":{\"count\":4}}",
    b"{\"ip\":\"198.51.100.7\",\"client\":{\"count\":3},\"client\":{}}",
    b"{\"ip\":\"198.51.100.7\",\"tunnels\":[{\"type\":\"VPN\",\"operator\":\"ACME_VPN\",\"type\":\"PROXY\"}]}",
    b"{\"location\":{\"country\":\"NL\",\"country\":\"BE\"},\"ip\":\"198.51.100.7\"}",
];

/// Lines that are long or deep.
fn large() -> impl Strategy<Value = Vec<u8>> + Clone {
    let deep = select(vec![10_usize, 62, 63, 64, 65, 130, 1000, 100_000]);
    let nested = (deep, any::<bool>(), any::<bool>()).prop_map(|(depth, objects, closed)| {
        let (open, close) = if objects {
            ("{\"a\":", "}")
        } else {
            ("[", "]")
        };
        let (inner, close) = ("1", if closed { close } else { "" });
        let nest = open.repeat(depth) + inner + &close.repeat(depth);
        format!("{{\"ip\":\"198.51.100.7\",\"infrastructure\":\"MOBILE\",\"x\":{nest}}}")
            .into_bytes()
    });
    let long = (1000..40_000_usize).prop_map(|length| {
        let text = "é\\n,".repeat(length / 4);
        format!("{{\"organization\":\"{text}\",\"ip\":\"198.51.100.9\"}}").into_bytes()
    });
    let wide = (200..3000_usize).prop_map(|count| {
        let proxies: Vec<String> = (0..count)
            .map(|one| format!("\"P{}_PROXY\"", one % 700))
            .collect();
        let proxies = proxies.join(",");
        format!("{{\"ip\":\"198.51.100.10\",\"client\":{{\"proxies\":[{proxies}]}}}}").into_bytes()
    });
    let many_keys = (200..1500_usize).prop_map(|count| {
        let keys: Vec<String> = (0..count).map(|one| format!("\"k{one}\":{one}")).collect();
        format!("{{{},\"ip\":\"198.51.100.11\"}}", keys.join(",")).into_bytes()
    });
    prop_oneof![2 => nested, 1 => long, 1 => wide, 1 => many_keys]
}

/// Odd lines.
pub(crate) fn odd() -> impl Strategy<Value = Vec<u8>> + Clone {
    let noise = prop::collection::vec(
        select(b"{}[]\",:\\u09aeE.- \t\x00\x01\xff\xc3".to_vec()),
        0..40,
    );
    prop_oneof![
        20 => select(SHORT).prop_map(<[u8]>::to_vec),
        3 => noise,
        1 => large(),
    ]
}

/// All short odd lines in turn.
pub(crate) fn all_short() -> impl Iterator<Item = Vec<u8>> {
    SHORT.iter().map(|line| line.to_vec())
}
