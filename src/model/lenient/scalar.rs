//! What single values say, in the several ways in which they are spelled.

use std::{net::IpAddr, str::FromStr};

use ipnet::{IpNet, Ipv4Net};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::Value;

/// A number, a truth value or a text as it is spelled, without surrounding blanks.
pub(super) fn spelling(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text.trim()),
        Value::Number(number) => Some(number.as_str()),
        Value::Bool(flag) => Some(if *flag { "true" } else { "false" }),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A whole number, also when it is spelled as a decimal, up to where decimals are exact.
pub(super) fn whole<T: FromStr>(text: &str) -> Option<T> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    text.parse().ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        let exact = number.fract() == 0.0 && number.abs() <= EXACT;
        // Adding zero takes the sign from a negative zero.
        exact.then(|| format!("{:.0}", number + 0.0).parse().ok())?
    })
}

/// A finite number.
pub(super) fn decimal(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// `true` or `false`, in any case.
pub(super) fn flag(text: &str) -> Option<bool> {
    text.to_ascii_lowercase().parse().ok()
}

/// An address; an IPv4-mapped IPv6 address is taken as its IPv4 address.
pub(super) fn address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.trim().parse().ok()?;
    Some(address.to_canonical())
}

/// A network with its host bits cleared; an IPv4-mapped one is taken as its IPv4 network.
pub(super) fn network(text: &str) -> Option<IpNet> {
    let network: IpNet = match text.trim().parse() {
        Ok(network) => network,
        Err(_) => address(text)?.into(),
    };
    let mapped = match network {
        IpNet::V6(v6) if v6.prefix_len() >= 96 => v6
            .addr()
            .to_ipv4_mapped()
            .and_then(|address| Ipv4Net::new(address, v6.prefix_len() - 96).ok()),
        _ => None,
    };
    Some(mapped.map_or(network, IpNet::V4).trunc())
}

/// An instant in ISO 8601, in UTC unless it says otherwise.
pub(super) fn timestamp(text: &str) -> Option<Timestamp> {
    text.parse().ok().or_else(|| {
        let civil: DateTime = text.parse().ok()?;
        Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
    })
}
