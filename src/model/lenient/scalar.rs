//! What single values say, in the several ways in which they are spelled.

use std::{net::IpAddr, str::FromStr};

use ipnet::{IpNet, Ipv4Net};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::Value;

/// A number, a truth value or a text as it is spelled, without surrounding blanks.
pub(in crate::model) fn spelling(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text.trim()),
        Value::Number(number) => Some(number.as_str()),
        Value::Bool(flag) => Some(if *flag { "true" } else { "false" }),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A whole number, also when it is spelled as a decimal, up to where decimals are exact.
pub(in crate::model) fn whole<T: FromStr>(text: &str) -> Option<T> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    text.parse().ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        let exact = number.fract() == 0.0 && number.abs() <= EXACT;
        // Adding zero takes the sign from a negative zero.
        exact.then(|| format!("{:.0}", number + 0.0).parse().ok())?
    })
}

/// A finite number.
pub(in crate::model) fn decimal(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// `true` or `false`, in any case.
pub(in crate::model) fn flag(text: &str) -> Option<bool> {
    text.to_ascii_lowercase().parse().ok()
}

/// An address; an IPv4-mapped IPv6 address is taken as its IPv4 address.
pub(in crate::model) fn address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.trim().parse().ok()?;
    Some(address.to_canonical())
}

/// A network with its host bits cleared; an IPv4-mapped one is taken as its IPv4 network.
pub(in crate::model) fn network(text: &str) -> Option<IpNet> {
    let network: IpNet = match text.trim().parse() {
        Ok(network) => network,
        Err(_) => address(text)?.into(),
    };
    Some(unmapped(network).trunc())
}

/// An IPv4-mapped network as its IPv4 network, any other as it is.
pub(in crate::model) fn unmapped(network: IpNet) -> IpNet {
    let mapped = match network {
        IpNet::V6(v6) if v6.prefix_len() >= 96 => v6
            .addr()
            .to_ipv4_mapped()
            .and_then(|address| Ipv4Net::new(address, v6.prefix_len() - 96).ok()),
        _ => None,
    };
    mapped.map_or(network, IpNet::V4)
}

/// An instant in ISO 8601, in UTC unless it says otherwise.
pub(in crate::model) fn timestamp(text: &str) -> Option<Timestamp> {
    text.parse().ok().or_else(|| {
        let civil: DateTime = text.parse().ok()?;
        Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_end_where_their_type_ends() {
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        for text in [
            "18446744073709551616",
            "-1",
            "14.5",
            "1e400",
            "NaN",
            "inf",
            "x",
            "",
        ] {
            assert_eq!(whole::<u64>(text), None, "{text}");
        }
        assert_eq!(whole("-0.0"), Some(0_u64));
        assert_eq!(whole("-3.0"), Some(-3_i64));
        assert_eq!(whole::<u32>("4294967296"), None);
    }

    #[test]
    fn decimals_are_finite() {
        assert_eq!(decimal("0.25"), Some(0.25));
        for text in ["NaN", "inf", "1e400", "0,25"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_and_networks_have_one_form() {
        let shown = |text| address(text).map(|address| address.to_string());
        assert_eq!(shown("2001:DB8:0:0::1").as_deref(), Some("2001:db8::1"));
        assert_eq!(shown("::ffff:192.0.2.1").as_deref(), Some("192.0.2.1"));
        assert_eq!(shown("192.0.02.1"), None);
        let shown = |text| network(text).map(|network| network.to_string());
        assert_eq!(shown("192.0.2.77/24").as_deref(), Some("192.0.2.0/24"));
        assert_eq!(shown("2001:DB8::1").as_deref(), Some("2001:db8::1/128"));
        assert_eq!(
            shown("::ffff:192.0.2.77/120").as_deref(),
            Some("192.0.2.0/24")
        );
        assert_eq!(shown("192.0.2.0/33"), None);
    }

    #[test]
    fn instants_are_utc_unless_they_say_otherwise() {
        for text in [
            "2026-11-20T03:58:00Z",
            "2026-11-20T03:58:00",
            "2026-11-20T04:58:00+01:00",
        ] {
            let shown = timestamp(text).map(|instant| instant.to_string());
            assert_eq!(shown.as_deref(), Some("2026-11-20T03:58:00Z"), "{text}");
        }
        assert_eq!(timestamp("yesterday"), None);
    }
}
