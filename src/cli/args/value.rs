//! Values of arguments: texts turned into addresses, days, feeds and tags. Nothing is sent for an invalid value.

use std::{net::IpAddr, path::Path};

use crate::{
    contract::{Feed, catalog::UnknownFeed},
    engine::{Error, Kind, Result},
    model::{
        Admission, BadAddress, BadDay, Day, Subject, TagName, meant, parse_address, parse_subject,
        scan::scan,
    },
};

/// Reads a feed's name.
///
/// # Errors
/// [`Kind::Usage`] with the valid names.
pub fn feed(text: &str) -> Result<Feed> {
    let read = text.parse();
    read.map_err(|unknown: UnknownFeed| usage(&unknown).hint(unknown.instead()))
}

/// Reads the day of a question to the service.
///
/// # Errors
/// [`Kind::Usage`] for invalid text, and for a day in the future.
pub fn day(text: &str, today: Day) -> Result<Day> {
    // A day that has begun somewhere may be asked for: clocks differ.
    let day = Day::read(text, today).and_then(|day| day.until(today.plus(1)));
    day.map_err(|bad| match text.trim() {
        "latest" | "newest" | "last" => {
            let hint = "leave the day out for the latest";
            usage(format!("{text:?} is not a day of the service")).hint(hint)
        }
        _ => bad_day(text, today, &bad),
    })
}

fn bad_day(text: &str, today: Day, bad: &BadDay) -> Error {
    if let BadDay::Future(_) = bad {
        return usage(bad).hint(format!("today is {}, UTC", today.dashed()));
    }
    let error = usage(format!("{:?} is not a day", text.trim()));
    match near_day(text) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint("write 2026-11-01, -7d, yesterday or today"),
    }
}

/// The day in the accepted spelling, if another spelling is unambiguous.
fn near_day(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let digits = text.trim_start_matches('-');
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    let (digits, unit) = digits.split_at(end);
    let days = match unit.trim() {
        "d" | "day" | "days" | "d ago" | "days ago" | "day ago" => 1,
        "w" | "week" | "weeks" | "weeks ago" | "week ago" => 7,
        _ => 0,
    };
    if let (Ok(number), 1..) = (digits.parse::<u16>(), days) {
        return Some(format!("-{}d", u32::from(number) * days));
    }
    let parts: Vec<&str> = text.split(['/', '.', '-', ' ']).collect();
    let dashed = match parts.as_slice() {
        [year, month, day] if year.len() == 4 => Some([year, month, day]),
        [day, month, year] if year.len() == 4 && text.contains('.') => Some([year, month, day]),
        _ => None,
    };
    if let Some([year, month, day]) = dashed {
        let dashed = format!("{year}-{month:0>2}-{day:0>2}");
        return Day::from_dashed(&dashed).map(Day::dashed);
    }
    meant(&text, ["today", "yesterday", "latest"]).map(str::to_owned)
}

/// Reads the day of a local release; `None` for `latest`.
///
/// # Errors
/// [`Kind::Usage`] for invalid text.
pub fn local_day(text: &str, today: Day) -> Result<Option<Day>> {
    if text.trim() == "latest" {
        return Ok(None);
    }
    let day = Day::read(text, today).map(Some);
    day.map_err(|bad| bad_day(text, today, &bad))
}

/// Reads an optional day of a local release; `None` for the latest.
///
/// # Errors
/// [`Kind::Usage`] for invalid text.
pub fn picked_day(text: Option<&str>, today: Day) -> Result<Option<Day>> {
    text.map_or(Ok(None), |text| local_day(text, today))
}

/// Reads an address.
///
/// # Errors
/// [`Kind::Usage`] says what the text is instead.
pub fn address(text: &str, admission: &Admission) -> Result<IpAddr> {
    parse_address(text).map_err(|bad| bad_address(text, &bad, admission))
}

/// Reads an address or a network.
///
/// # Errors
/// [`Kind::Usage`] says what the text is instead.
pub fn subject(text: &str, admission: &Admission) -> Result<Subject> {
    parse_subject(text).map_err(|bad| bad_address(text, &bad, admission))
}

/// Reads a tag.
///
/// # Errors
/// [`Kind::Usage`] for invalid text.
pub fn tag(text: &str) -> Result<TagName> {
    if text.contains('*') {
        let part = text.replace('*', "");
        return Err(
            usage(format!("{text:?} is not a tag: only filters take a *")).hint(format!(
                "`ipspect tags {part}` lists the tags with {part} in them"
            )),
        );
    }
    let read: Result<TagName, _> = text.parse();
    read.map_err(|bad| {
        usage(bad).hint("`ipspect tags` lists those of the local service-metrics feed")
    })
}

pub(super) fn bad_address(text: &str, bad: &BadAddress, admission: &Admission) -> Error {
    let error = usage(bad);
    let text = text.trim();
    if let Some(term) = bad.filter() {
        let hint = format!("`ipspect search anonymous {term}` finds its records in a local feed");
        return error.hint(match bad {
            BadAddress::Tag(tag) => format!("`ipspect tag {tag}` looks it up; {hint}"),
            _ => hint,
        });
    }
    let within = || {
        let mut found = Vec::new();
        scan(text.as_bytes(), &mut |hit| {
            found.extend(hit.found.address())
        });
        found
    };
    match bad {
        BadAddress::Network(_) => {
            error.hint("name one address of it, or ask the local feeds: --source local")
        }
        BadAddress::PrefixTooLong { most, .. } => error.hint(format!("lengths are 0 to {most}")),
        BadAddress::Padded(_) => {
            let parts = text.split('.').map(|part| part.trim_start_matches('0'));
            let parts = parts.map(|part| if part.is_empty() { "0" } else { part });
            let plain = parts.collect::<Vec<_>>().join(".");
            error.hint(format!("write {plain} if the parts are decimal"))
        }
        BadAddress::Zoned { address, .. } => {
            match address.map(|address| (address, admission.refuses(address))) {
                Some((address, None)) => {
                    let message = format!("{text:?} is a public address with a zone");
                    usage(message).hint(format!("leave the zone out: {address}"))
                }
                Some((_, Some(reserved))) => error.hint(format!(
                    "the address is not public ({}): the service has no record of it",
                    reserved.word()
                )),
                None => error.hint("write 198.51.100.77 or 2001:db8::7"),
            }
        }
        BadAddress::Number { address, .. } => {
            error.hint(format!("`ipspect lookup {address}` looks it up"))
        }
        BadAddress::Several(_) => {
            error.hint("separate them by spaces; `ipspect enrich` finds the addresses of any text")
        }
        // These have a filter.
        BadAddress::Range { .. } | BadAddress::System { .. } | BadAddress::Tag(_) => error,
        BadAddress::Malformed(_) => match within().as_slice() {
            [address] => error.hint(format!("did you mean {address}?")),
            [_, _, ..] => error.hint("`ipspect enrich` finds the addresses of any text"),
            [] if Path::new(text).is_file() => error.hint(format!(
                "`ipspect enrich {text}` finds the addresses of a file"
            )),
            [] if is_name(text) => error.hint(format!(
                "names are not resolved: `dig +short {text}` lists the addresses of one"
            )),
            [] => error.hint("write 198.51.100.77 or 2001:db8::7"),
        },
    }
}

/// Whether a text looks like the name of a host.
fn is_name(text: &str) -> bool {
    let is_of_names = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    text.contains('.')
        && text.chars().all(is_of_names)
        && text.ends_with(|c: char| c.is_ascii_alphabetic())
}

/// Refuses a file name with an extension of no known format; a name without one may hold any.
///
/// # Errors
/// [`Kind::Usage`], which names the extension.
pub fn check_extension(file: &Path, known: &[&str], hint: &str) -> Result<()> {
    let extension = file.extension().map(|text| text.to_string_lossy());
    match extension {
        Some(text) if !known.iter().any(|known| text.eq_ignore_ascii_case(known)) => {
            let message = format!(
                "{}: .{text} is not a format of this command",
                file.display()
            );
            Err(usage(message).hint(hint))
        }
        _ => Ok(()),
    }
}

/// What is wrong with an argument.
pub(in crate::cli) fn usage(error: impl std::fmt::Display) -> Error {
    Error::new(Kind::Usage, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_lead_to_the_day() {
        for (text, expected) in [
            ("7d", Some("-7d")),
            ("2 weeks", Some("-14d")),
            ("3 days ago", Some("-3d")),
            ("2026/11/1", Some("2026-11-01")),
            ("01.11.2026", Some("2026-11-01")),
            ("11/01/2026", None),
            ("2026-13-01", None),
            ("yesturday", Some("yesterday")),
            ("soon", None),
        ] {
            assert_eq!(near_day(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_address_leads_to_one() {
        let admission = Admission::with(vec!["2001:db8:1::/48".parse().expect("block")]);
        let hint = |text: &str| {
            let error = address(text, &admission).expect_err(text);
            assert_eq!(error.kind, Kind::Usage);
            error.hint.unwrap_or_default()
        };
        for (text, expected) in [
            ("https://198.51.100.7/x", "did you mean 198.51.100.7?"),
            ("198.51.100.7:443", "did you mean 198.51.100.7?"),
            (
                "198.051.100.007",
                "write 198.51.100.7 if the parts are decimal",
            ),
            ("198.51.100.0/33", "lengths are 0 to 32"),
            ("198.51.100.0/24", "name one address of it"),
            ("www.example.com", "names are not resolved"),
            ("256.1.1.1", "write 198.51.100.77"),
            (
                "198.51.100.1-198.51.100.9",
                "`ipspect search anonymous net:198.51.100.0/28`",
            ),
            ("198.51.100.1,198.51.100.9", "separate them by spaces"),
            ("198.51.100.1|198.51.100.9", "`ipspect enrich`"),
            ("3325256781", "`ipspect lookup 198.51.100.77`"),
            ("AS64500", "`ipspect search anonymous asn:64500`"),
            (
                "acme_vpn",
                "`ipspect tag ACME_VPN` looks it up; `ipspect search anonymous tag:ACME_VPN`",
            ),
            ("OpenSSH_9.6.0.1", "write 198.51.100.77"),
            ("fe80::1%eth0", "the address is not public (link-local)"),
            ("2001:db8:1::7%eth0", "leave the zone out: 2001:db8:1::7"),
        ] {
            assert!(hint(text).starts_with(expected), "{text}: {}", hint(text));
        }
        let public = address("2001:db8:1::7%eth0", &admission).expect_err("zone");
        assert_eq!(
            public.message,
            "\"2001:db8:1::7%eth0\" is a public address with a zone"
        );
        assert!(tag("ACME*").is_err() && tag("acme_vpn").is_ok());
    }
}
