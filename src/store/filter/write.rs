//! A filter as text: the canonical spelling, which parses to the same filter.

use std::{
    borrow::Cow,
    fmt::{self, Display, Write},
};

use ipnet::IpNet;

use super::{Filter, NumberComparison, Term, Test};
use crate::model::Keyword;

impl Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        listed(f, &self.terms, ' ')
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negated {
            f.write_char('-')?;
        }
        self.test.fmt(f)
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(field, values) | Self::Contains(field, values) => {
                let is_whole = matches!(self, Self::Is(Keyword::Org, _));
                write!(f, "{}{}", field.name(), if is_whole { '=' } else { ':' })?;
                let quoted: Vec<_> = values.iter().map(|value| quoted(value)).collect();
                listed(f, &quoted, ',')
            }
            Self::Clients(compare, number) => write!(f, "clients{compare}{number}"),
            Self::Within(networks) => {
                f.write_str("net:")?;
                let networks: Vec<_> = networks.iter().map(network).collect();
                listed(f, &networks, ',')
            }
            Self::Attributed(true) => f.write_str("attributed:yes"),
            Self::Attributed(false) => f.write_str("attributed:no"),
        }
    }
}

impl Display for NumberComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sign())
    }
}

impl NumberComparison {
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::AtLeast => ">=",
            Self::More => ">",
        }
    }
}

fn listed(f: &mut fmt::Formatter<'_>, items: &[impl Display], between: char) -> fmt::Result {
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            f.write_char(between)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

/// A value as it must be written in a filter: quoted if necessary.
pub(super) fn quoted(value: &str) -> Cow<'_, str> {
    let parts = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '"');
    let is_sign = |letter: char| matches!(letter, '<' | '>' | '=' | '!');
    if !value.is_empty() && !value.contains(parts) && !value.starts_with(is_sign) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(format!(
        "\"{}\"",
        value.replace('\\', "\\\\").replace('"', "\\\"")
    ))
}

/// A network; a single address without its length.
fn network(network: &IpNet) -> String {
    if network.prefix_len() == network.max_prefix_len() {
        network.addr().to_string()
    } else {
        network.to_string()
    }
}
