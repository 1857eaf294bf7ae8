//! Which four numbers are the version of a product, by the words beside them.
//!
//! | written as | is |
//! |---|---|
//! | `Chrome/130.0.0.0`, `Chrome\/130.0.0.0`, `%20Chrome/130.0.0.0`, `OpenSSH_9.6.0.1`, `curl/8.5.0.1` | a version: a product, by its name or by its form |
//! | `Version: 15.0.0.0`, `"agentVersion":"3.18.0.1"`, `ver=6.2.1.132` | a version: a key says so |
//! | `Microsoft SMTP Server (15.20.200.12)` | a version: behind the name of a product |
//! | `HIER_DIRECT/203.0.113.9`, `outside/198.51.100.77(51234)`, `web1/203.0.113.12`, `/lookup/198.51.100.7` | an address |

use std::ops::Range;

use super::context::INTERFACES;

/// The most bytes of a word that are looked at.
const LONGEST: usize = 48;

/// The most bytes of a user agent that are looked at.
const LONGEST_AGENT: usize = 300;

/// Whether four numbers at this place are a version.
pub(super) fn is_version(text: &[u8], place: &Range<usize>) -> bool {
    // A port follows an address alone.
    if let [b':' | b'_' | b'(', b'0'..=b'9', ..] = &text[place.end..] {
        return false;
    }
    let before = &text[place.start.saturating_sub(2 * LONGEST)..place.start];
    if is_in_agent(text, place.start) || is_of_folder(before, &text[place.end..]) {
        return true;
    }
    let is_of_none = text[place.clone()].ends_with(b".0.0.0");
    match before.split_last() {
        Some((b'_', before)) => before.last().is_some_and(u8::is_ascii_alphanumeric),
        Some((b'-', before)) => is_known(word_before(before).1),
        Some((b'/', before)) => {
            is_of_product(before.strip_suffix(b"\\").unwrap_or(before), is_of_none)
        }
        Some((b'F' | b'f', before)) if before.ends_with(b"%2") => {
            is_of_product(&before[..before.len() - 2], is_of_none)
        }
        Some((b'(', before)) => is_behind_product(before.trim_ascii_end()),
        Some((b' ' | b'"' | b'\'' | b'=' | b':', _)) => is_behind_key(before, is_of_none),
        _ => false,
    }
}

/// Whether a product ends here, behind which a slash stands.
fn is_of_product(before: &[u8], is_of_none: bool) -> bool {
    let (before, name) = product_before(before);
    let continues = before
        .last()
        .is_some_and(|byte| b"/.@%\\".contains(byte) || byte.is_ascii_alphanumeric());
    !name.is_empty() && !continues && (is_known(name) || is_product(name) || is_of_none)
}

/// Whether a place is in the quoted name of a user agent: `"Mozilla/5.0 (…) Client 9.4.0.12"`. An URL in one has an address.
fn is_in_agent(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(LONGEST_AGENT)..start];
    if near.ends_with(b"//") || near.ends_with(b"@") {
        return false;
    }
    let Some(quote) = memchr::memrchr(b'"', near) else {
        return false;
    };
    let quoted = &near[quote + 1..];
    let Some(slash) = memchr::memchr(b'/', quoted) else {
        return false;
    };
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b" -_\\".contains(byte);
    let name = &quoted[..slash];
    // `"HTTP/1.1 403 for client 198.51.100.7"` is a sentence.
    let is_behind_name = match near.split_last() {
        Some((b' ', before)) => {
            let (_, word) = word_before(before);
            word == b"os" || word.first().is_some_and(u8::is_ascii_uppercase)
        }
        Some((sign, _)) => b"/_-(;".contains(sign),
        None => false,
    };
    slash >= 2
        && is_behind_name
        && !PROTOCOLS.contains(&name)
        && name[0].is_ascii_uppercase()
        && name.iter().all(is_of_name)
        && quoted.get(slash + 1).is_some_and(u8::is_ascii_digit)
        && name.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether the numbers end the name of a folder: `C:\\Program Files\\App 3.18.0.1\\app.exe`.
fn is_of_folder(before: &[u8], behind: &[u8]) -> bool {
    let is_at_sign =
        matches!(behind, [b'\\', next, ..] if next.is_ascii_alphanumeric() || *next == b'\\');
    is_at_sign && !before.ends_with(b"\\") && memchr::memmem::find(before, b":\\").is_some()
}

/// The word that ends here, and what is before it.
fn word_before(text: &[u8]) -> (&[u8], &[u8]) {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let len = text.iter().rev().take(LONGEST).take_while(is_of_word);
    text.split_at(text.len() - len.count())
}

/// The name of a product that ends here, without the rest of an escape before it.
fn product_before(text: &[u8]) -> (&[u8], &[u8]) {
    let (before, name) = word_before(text);
    match (before.strip_suffix(b"%"), name) {
        (Some(_), [first, second, rest @ ..])
            if first.is_ascii_hexdigit() && second.is_ascii_hexdigit() =>
        {
            // Before an escape is no path.
            (&[], rest)
        }
        _ => (before, name),
    }
}

/// Whether a word has the form of the name of a product: `SamsungBrowser`, no `HIER_DIRECT`, `web1` or `outside`.
fn is_product(name: &[u8]) -> bool {
    let is_interface = || {
        INTERFACES
            .iter()
            .any(|bytes| name.eq_ignore_ascii_case(bytes))
    };
    let [first, rest @ ..] = name else {
        return false;
    };
    let is_lower = rest.iter().any(u8::is_ascii_lowercase);
    first.is_ascii_alphabetic()
        && rest.iter().chain([first]).any(u8::is_ascii_uppercase)
        && is_lower
        && !is_interface()
}

fn is_known(name: &[u8]) -> bool {
    // `SSH-2.0-OpenSSH`, `python-requests`
    let last = memchr::memrchr(b'-', name).map_or(name, |at| &name[at + 1..]);
    is_listed(name) || last.len() < name.len() && is_listed(last)
}

/// Whether a name is that of a product, the case of letters aside.
fn is_listed(name: &[u8]) -> bool {
    const LONGEST: usize = 16;
    let mut small = [0; LONGEST];
    let Some(small) = small.get_mut(..name.len()) else {
        return false;
    };
    small.copy_from_slice(name);
    small.make_ascii_lowercase();
    PRODUCTS.binary_search(&&*small).is_ok()
}

/// Whether the name of a product ends here that has several words: `Microsoft SMTP Server`.
fn is_behind_product(text: &[u8]) -> bool {
    let (before, last) = word_before(text);
    let (_, first) = word_before(before.trim_ascii_end());
    let is_name = |word: &[u8]| word.first().is_some_and(u8::is_ascii_uppercase);
    KINDS.contains(&last) && is_name(first)
}

/// Whether a key or a word that means a version ends here, signs between them aside.
fn is_behind_key(text: &[u8], is_of_none: bool) -> bool {
    let signs = text.iter().rev().take(5);
    let signs = signs.take_while(|byte| b" \"'=:\\".contains(byte)).count();
    let key = &text[..text.len() - signs];
    let (before, word) = word_before(key);
    let is_name = is_of_none && word.first().is_some_and(u8::is_ascii_uppercase);
    // `nginx: 198.51.100.7 - -` is what a program says.
    let is_said = text[text.len() - signs..].contains(&b':') && !is_of_none;
    if (is_known(word) && !is_said || is_name) && text.ends_with(b" ") {
        // `Chrome 130.0.0.0`
        return true;
    }
    if text.ends_with(b" ") && is_product(word) && before.ends_with(b"ua=") {
        return true;
    }
    if word == b"id" {
        // `with Microsoft SMTP Server (…) id 15.20.200.12`
        return before.ends_with(b") ");
    }
    let last = word.rsplit(|byte| b"-_".contains(byte)).next();
    let last = last.unwrap_or_default();
    let camel = last.iter().rposition(u8::is_ascii_uppercase);
    let is_upper = last.iter().all(u8::is_ascii_uppercase);
    let camel = &last[camel.filter(|_| !is_upper).unwrap_or(0)..];
    let is_key =
        |bytes: &&[u8]| last.eq_ignore_ascii_case(bytes) || camel.eq_ignore_ascii_case(bytes);
    let tail = last.len().checked_sub(VERSION.len());
    let is_version = tail.is_some_and(|at| last[at..].eq_ignore_ascii_case(VERSION));
    is_version || KEYS.iter().any(is_key)
}

/// What has a version and sends none: an answer begins with it.
const PROTOCOLS: [&[u8]; 4] = [b"HTTP", b"RTSP", b"SIP", b"ICAP"];

const VERSION: &[u8] = b"version";

/// What a version is called beside that.
const KEYS: [&[u8]; 9] = [
    b"rv",
    b"ver",
    b"vers",
    b"build",
    b"release",
    b"rev",
    b"revision",
    b"firmware",
    b"v",
];

/// The last words of names of products.
const KINDS: [&[u8]; 9] = [
    b"Server",
    b"Exchange",
    b"Outlook",
    b"Client",
    b"Agent",
    b"Engine",
    b"Edition",
    b"Suite",
    b"Transport",
];

/// Products whose names have the form of other words, sorted.
const PRODUCTS: [&[u8]; 54] = [
    b"aws-cli",
    b"axios",
    b"boto3",
    b"botocore",
    b"chrome",
    b"containerd",
    b"curl",
    b"dalvik",
    b"dart",
    b"darwin",
    b"edg",
    b"fbav",
    b"fbsv",
    b"filebeat",
    b"firefox",
    b"fluentd",
    b"git",
    b"go-http-client",
    b"gsa",
    b"helm",
    b"ie",
    b"java",
    b"kubectl",
    b"kubelet",
    b"libcurl",
    b"lighttpd",
    b"logstash",
    b"masscan",
    b"mmwebsdk",
    b"mozilla",
    b"msie",
    b"nghttp2",
    b"nginx",
    b"nikto",
    b"nmap",
    b"okhttp",
    b"openssh",
    b"openssl",
    b"opr",
    b"opt",
    b"opx",
    b"php",
    b"python",
    b"requests",
    b"safari",
    b"sdk",
    b"sqlmap",
    b"tbs",
    b"undici",
    b"urllib3",
    b"wget",
    b"xweb",
    b"zgrab",
    b"zlib",
];
