//! The values of fields: networks, numbers, countries and words.

use std::ops::Range;

use ipnet::IpNet;

use super::mistake::FilterMistake;
use crate::model::{Keyword, parse_address};

/// A value as typed, without its quotes.
#[derive(Debug)]
pub(super) struct FilterValue {
    pub(super) text: String,
    pub(super) place: Range<usize>,
}

impl FilterValue {
    pub(super) fn begun(at: usize) -> Self {
        Self {
            text: String::new(),
            place: at..at,
        }
    }

    fn mistake(&self, what: &str) -> FilterMistake {
        FilterMistake::at(self.place.clone(), format!("{:?} is {what}", self.text))
    }
}

/// What is wrong with a value, and what to write instead.
type Bad = (&'static str, &'static str);

/// Parses each of them.
pub(super) fn all<T>(
    values: &[FilterValue],
    read: impl Fn(&str) -> Result<T, Bad>,
) -> Result<Vec<T>, FilterMistake> {
    let one = |value: &FilterValue| {
        read(&value.text).map_err(|(what, hint)| value.mistake(what).hint(hint))
    };
    values.iter().map(one).collect()
}

/// The value of a field that takes only one.
fn only<'a>(values: &'a [FilterValue], hint: &str) -> Result<&'a FilterValue, FilterMistake> {
    if let [only] = values {
        return Ok(only);
    }
    let end = |value: Option<&FilterValue>| value.map_or(0, |value| value.place.end);
    let more = end(values.first())..end(values.last());
    Err(FilterMistake::at(more, "only one value is allowed").hint(hint))
}

/// A number of clients.
pub(super) fn number(values: &[FilterValue]) -> Result<u64, FilterMistake> {
    let value = only(
        values,
        "write digits without commas; a range is two terms: clients>=5 clients<=20",
    )?;
    let text = value.text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| {
        let what = if digits {
            "too large a number"
        } else {
            "not a number"
        };
        value
            .mistake(what)
            .hint("a number of clients is written in digits alone: clients>1000")
    })
}

/// `yes` or `no`.
pub(super) fn truth(values: &[FilterValue]) -> Result<bool, FilterMistake> {
    const HINT: &str = "write attributed:yes or attributed:no";
    let value = only(values, HINT)?;
    match value.text.to_ascii_lowercase().as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(value.mistake("neither yes nor no").hint(HINT)),
    }
}

/// A word of a field, in the spelling of the records if there is a single one.
pub(super) fn word(field: Keyword, text: &str) -> Result<String, Bad> {
    match field {
        Keyword::Cc => country(text).ok_or((
            "not a country code",
            "countries are written in two letters: cc:NL",
        )),
        Keyword::Asn => system(text).ok_or((
            "not the number of an autonomous system",
            "write asn:64500 or asn:AS64500; names are searched by org:",
        )),
        Keyword::Entry => parse_address(text)
            .map(|address| address.to_string())
            .map_err(|_| {
                (
                    "not an address",
                    "write one such as entry:198.51.100.70; networks are for net:, which is about the record itself",
                )
            }),
        Keyword::Tag | Keyword::Proxy if text.trim_end_matches('*').contains('*') => Err((
            "not a tag: * is allowed at the end only",
            "tag:ACME* means all tags that begin with ACME; `ipspect tags PART` lists those with a part",
        )),
        _ => Ok(text.to_owned()),
    }
}

fn country(text: &str) -> Option<String> {
    let text = text.trim();
    let letters = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters.then(|| text.to_ascii_uppercase())
}

/// The digits of an AS number.
pub(super) fn system(text: &str) -> Option<String> {
    let text = text.trim();
    let digits = match text.get(..2) {
        Some(prefix) if prefix.eq_ignore_ascii_case("as") => &text[2..],
        _ => text,
    };
    let number: u32 = digits.parse().ok()?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| number.to_string())
}

/// A network or an address, in any accepted spelling.
pub(super) fn network(text: &str) -> Result<IpNet, Bad> {
    let bad = (
        "neither an address nor a CIDR block",
        "write net:198.51.100.0/24, net:2001:db8::/32 or an address",
    );
    let Some((address, length)) = text.split_once('/') else {
        return Ok(parse_address(text).map_err(|_| bad)?.into());
    };
    let digits = length.trim().bytes().all(|byte| byte.is_ascii_digit());
    let length: u8 = length.trim().parse().ok().filter(|_| digits).ok_or(bad)?;
    let address = parse_address(address).map_err(|_| bad)?;
    let mapped = address.is_ipv4() && text.contains(':');
    let length = if mapped {
        // An IPv4-mapped block: its length counts 96 bits that the parsed address no longer has.
        length.checked_sub(96).ok_or((
            "a block that is wider than all of IPv4-mapped IPv6",
            "write it as IPv4 or as IPv6",
        ))?
    } else {
        length
    };
    let too_long = if address.is_ipv4() {
        (
            "not a network: its prefix length exceeds 32",
            "lengths are 0 to 32 for IPv4: net:198.51.100.0/24",
        )
    } else {
        (
            "not a network: its prefix length exceeds 128",
            "lengths are 0 to 128 for IPv6: net:2001:db8::/32",
        )
    };
    Ok(IpNet::new(address, length).map_err(|_| too_long)?.trunc())
}

/// Whether a text without a field is an address or a CIDR block.
pub(super) fn is_network(text: &str) -> bool {
    network(text).is_ok()
}
