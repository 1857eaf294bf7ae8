//! The rules of asking for an export, once (contract, part 4.3): form, command line and embedded service read them here.

use std::fmt;

use super::{
    catalog::Feed,
    export::{ExportQuery, LIMIT, Param},
    export_field::{ExportField, Output},
};
use crate::model::count;

/// What becomes of a request with a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Sent; worth knowing.
    Noted,
    /// Not sent.
    Refused,
}

/// A rule of exports. Each is stated once, with its words, its place and its fix.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Rule {
    /// The exports host does not filter this feed.
    #[error("this feed has no export: exports filter the four anonymous types and dch")]
    NotExported,
    /// `network` collapses addresses, so `ip` and `services` must not be requested (rule 1).
    #[error("network collapses addresses into CIDR blocks: {0} cannot be combined with it")]
    NetworkExcludes(ExportField),
    /// `network` disables diff (rules 1 and 2).
    #[error("diff compares addresses: it cannot be combined with network")]
    NetworkWithDiff,
    /// Residential types have no daily diff (rule 3).
    #[error("residential types have no daily diff")]
    DiffOnResidential,
    /// `callbackProxies` is for residential types only.
    #[error("callbackProxies filters anonymous-residential types only")]
    CallbackProxiesOnAnonymous,
    /// The limit is 1 to 2,000,000.
    #[error("limit {} is outside 1 to {}", count(*.0), count(LIMIT))]
    LimitOutOfRange(u64),
    /// Records of the feed do not have the field.
    #[error("records of this feed have no field {0}")]
    FieldOfAnotherFeed(ExportField),
    /// A country code is two letters.
    #[error("{0:?} is not a country code of two letters")]
    BadCountry(String),
    /// `diffDate` says against what to diff, so it needs `diff`.
    #[error("diffDate needs diff")]
    DiffDateWithoutDiff,
    /// `dch` takes output, header and fields only.
    #[error("dch takes output, includeCSVHeader and fields; {} is not a parameter of it", .0.name())]
    NotOfHosting(Param),
    /// The header row exists in CSV only.
    #[error("a header row exists in CSV only: it is left out of the request")]
    HeaderWithoutCsv,
    /// IPv6 types return `network` instead of `ip` (rule 4).
    #[error("IPv6 types are by network: the service gives network instead of ip")]
    IpOnIpv6,
    /// MMDB may be long-running (rule 5).
    #[error("MMDB without a filter may run long: filtering is advised")]
    UnfilteredMmdb,
    /// `callbackProxy` is a field of the record (2.11), not of the parameter's list.
    #[error("callbackProxy is not documented as a field to ask for; it is sent as asked")]
    UndocumentedField,
    /// Collapsing takes significantly longer (rule 1).
    #[error("collapsing into networks takes significantly longer")]
    NetworkIsSlow,
}

/// What makes a conflict go away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fix {
    /// Take a field out.
    DropField(ExportField),
    /// Set a parameter back to its default.
    Clear(Param),
    SetDiff,
    SetLimit(u64),
    /// Take a country out.
    DropCountry(String),
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DropField(field) => write!(f, "remove {field} from fields"),
            Self::Clear(param) => write!(f, "leave {} out", param.name()),
            Self::SetDiff => f.write_str("switch diff on"),
            Self::SetLimit(limit) => write!(f, "set limit to {}", count(*limit)),
            Self::DropCountry(code) => write!(f, "remove {code:?} from ccs"),
        }
    }
}

/// A rule that a request touches.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{rule}")]
pub struct Conflict {
    pub rule: Rule,
    /// Whether it keeps the request from being sent.
    pub severity: Severity,
    /// The parameter at which a form shows it.
    pub at: Param,
    /// What makes it go away, where one thing does.
    pub fix: Option<Fix>,
}

impl Rule {
    /// What becomes of a request that touches it, and the parameter at which a form shows it.
    fn place(&self) -> (Severity, Param) {
        use Severity::{Noted, Refused};
        match self {
            Self::NotExported => (Refused, Param::Output),
            Self::NetworkExcludes(_) | Self::FieldOfAnotherFeed(_) => (Refused, Param::Fields),
            Self::NetworkWithDiff | Self::DiffOnResidential => (Refused, Param::Diff),
            Self::CallbackProxiesOnAnonymous => (Refused, Param::CallbackProxies),
            Self::LimitOutOfRange(_) => (Refused, Param::Limit),
            Self::BadCountry(_) => (Refused, Param::Ccs),
            Self::DiffDateWithoutDiff => (Refused, Param::DiffDate),
            Self::NotOfHosting(param) => (Refused, *param),
            Self::HeaderWithoutCsv => (Noted, Param::Header),
            Self::UnfilteredMmdb => (Noted, Param::Output),
            Self::IpOnIpv6 | Self::UndocumentedField | Self::NetworkIsSlow => {
                (Noted, Param::Fields)
            }
        }
    }
}

impl Conflict {
    fn new(rule: Rule, fix: impl Into<Option<Fix>>) -> Self {
        let ((severity, at), fix) = (rule.place(), fix.into());
        Self {
            rule,
            severity,
            at,
            fix,
        }
    }
}

impl ExportQuery {
    /// Every rule that the request touches: refused ones first. Nothing refused means that it may be sent.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut found = if self.feed == Feed::Dch {
            self.hosting_conflicts()
        } else {
            self.anonymous_conflicts()
        };
        if !Feed::EXPORTED.contains(&self.feed) {
            found.push(Conflict::new(Rule::NotExported, None));
        }
        for field in self.fields.iter().filter(|field| !field.is_of(self.feed)) {
            found.push(Conflict::new(
                Rule::FieldOfAnotherFeed(*field),
                Fix::DropField(*field),
            ));
        }
        if self.header && self.output != Output::Csv {
            found.push(Conflict::new(
                Rule::HeaderWithoutCsv,
                Fix::Clear(Param::Header),
            ));
        }
        found.sort_by_key(|conflict| std::cmp::Reverse(conflict.severity));
        found
    }

    /// Whether a rule keeps the request from being sent.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.conflicts()
            .iter()
            .any(|conflict| conflict.severity == Severity::Refused)
    }

    fn hosting_conflicts(&self) -> Vec<Conflict> {
        let sent = self.parameters();
        let foreign = sent
            .into_iter()
            .map(|(param, _)| param)
            .filter(|param| !param.is_of(self.feed));
        foreign
            .map(|param| Conflict::new(Rule::NotOfHosting(param), Fix::Clear(param)))
            .collect()
    }

    fn anonymous_conflicts(&self) -> Vec<Conflict> {
        let mut found = Vec::new();
        if self.asks_for(ExportField::Network) {
            for field in [ExportField::Ip, ExportField::Services] {
                if self.asks_for(field) {
                    found.push(Conflict::new(
                        Rule::NetworkExcludes(field),
                        Fix::DropField(field),
                    ));
                }
            }
            if self.diff {
                found.push(Conflict::new(
                    Rule::NetworkWithDiff,
                    Fix::Clear(Param::Diff),
                ));
            }
            found.push(Conflict::new(
                Rule::NetworkIsSlow,
                Fix::DropField(ExportField::Network),
            ));
        } else if self.feed.is_ipv6() && self.asks_for(ExportField::Ip) {
            found.push(Conflict::new(Rule::IpOnIpv6, None));
        }
        if self.diff && self.feed.is_residential() {
            found.push(Conflict::new(
                Rule::DiffOnResidential,
                Fix::Clear(Param::Diff),
            ));
        }
        if self.diff_date.is_some() && !self.diff {
            let fix = if self.feed.is_residential() {
                Fix::Clear(Param::DiffDate)
            } else {
                Fix::SetDiff
            };
            found.push(Conflict::new(Rule::DiffDateWithoutDiff, fix));
        }
        if !self.callback_proxies.is_empty() && !self.feed.is_residential() {
            let fix = Fix::Clear(Param::CallbackProxies);
            found.push(Conflict::new(Rule::CallbackProxiesOnAnonymous, fix));
        }
        if let Some(limit) = self.limit.filter(|limit| !(1..=LIMIT).contains(limit)) {
            let fix = Fix::SetLimit(limit.clamp(1, LIMIT));
            found.push(Conflict::new(Rule::LimitOutOfRange(limit), fix));
        }
        for code in &self.ccs {
            if code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                let fix = Fix::DropCountry(code.clone());
                found.push(Conflict::new(Rule::BadCountry(code.clone()), fix));
            }
        }
        if self.asks_for(ExportField::CallbackProxy) {
            let fix = Fix::DropField(ExportField::CallbackProxy);
            found.push(Conflict::new(Rule::UndocumentedField, fix));
        }
        if self.output == Output::Mmdb && !self.is_filtered() {
            found.push(Conflict::new(Rule::UnfilteredMmdb, None));
        }
        found
    }

    /// Makes one conflict go away.
    pub fn apply(&mut self, fix: &Fix) {
        match fix {
            Fix::DropField(field) => self.fields.retain(|export_field| export_field != field),
            Fix::SetDiff => self.diff = true,
            Fix::SetLimit(limit) => self.limit = Some(*limit),
            Fix::DropCountry(code) => self.ccs.retain(|text| text != code),
            Fix::Clear(param) => self.clear(*param),
        }
    }
}

#[cfg(test)]
mod tests;
