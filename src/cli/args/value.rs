//! Values of arguments: texts turned into addresses, days, feeds and tags. Nothing is sent for what cannot be turned.

use std::net::IpAddr;

use crate::{
    contract::Feed,
    engine::{Error, Kind, Result},
    model::{Day, Subject, TagName, parse_address, parse_subject},
};

/// Reads a feed's name.
///
/// # Errors
/// [`Kind::Usage`] with the names there are.
pub fn feed(text: &str) -> Result<Feed> {
    text.parse().map_err(usage)
}

/// Reads a day that the service is asked about.
///
/// # Errors
/// [`Kind::Usage`] for what is none, and for a day in the future.
pub fn day(text: &str, today: Day) -> Result<Day> {
    // A day that has begun somewhere may be asked for: clocks differ.
    let day = Day::read(text, today).and_then(|day| day.until(today.plus(1)));
    day.map_err(usage)
}

/// Reads the day of a local release; `None` for `latest`.
///
/// # Errors
/// [`Kind::Usage`] for what is none.
pub fn local_day(text: &str, today: Day) -> Result<Option<Day>> {
    if text.trim() == "latest" {
        return Ok(None);
    }
    Day::read(text, today).map(Some).map_err(usage)
}

/// Reads the day of a local release that need not be named; `None` for the latest.
///
/// # Errors
/// [`Kind::Usage`] for what is none.
pub fn picked_day(text: Option<&str>, today: Day) -> Result<Option<Day>> {
    text.map_or(Ok(None), |text| local_day(text, today))
}

/// Reads an address.
///
/// # Errors
/// [`Kind::Usage`] says what the text is instead.
pub fn address(text: &str) -> Result<IpAddr> {
    parse_address(text).map_err(usage)
}

/// Reads an address or a network.
///
/// # Errors
/// [`Kind::Usage`] says what the text is instead.
pub fn subject(text: &str) -> Result<Subject> {
    parse_subject(text).map_err(usage)
}

/// Reads a tag.
///
/// # Errors
/// [`Kind::Usage`] for what is none.
pub fn tag(text: &str) -> Result<TagName> {
    text.parse().map_err(usage)
}

/// What is wrong with an argument.
pub(in crate::cli) fn usage(error: impl std::fmt::Display) -> Error {
    Error::new(Kind::Usage, error.to_string()).hint("nothing was sent")
}
