//! The rules of asking for an export, once (contract, part 4.3): form, command line and embedded service read them here.

use std::fmt;

use super::{
    catalog::Feed,
    export::{ExportQuery, LIMIT, Param},
    export_field::{ExportField, Output},
};

/// What becomes of a request with a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Sent; worth knowing.
    Noted,
    /// Not sent.
    Refused,
}

/// A rule of exports. Each is stated once, with its words, its place and its fix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The exports host does not filter this feed.
    NotExported,
    /// `network` collapses addresses, so `ip` and `services` must not be requested (rule 1).
    NetworkExcludes(ExportField),
    /// `network` disables diff (rules 1 and 2).
    NetworkWithDiff,
    /// Residential types have no daily diff (rule 3).
    DiffOnResidential,
    /// `callbackProxies` is for residential types only.
    CallbackProxiesOnAnonymous,
    /// The limit is 1 to 2,000,000.
    LimitOutOfRange(u64),
    /// Records of the feed do not have the field.
    FieldOfAnotherFeed(ExportField),
    /// A country code is two letters.
    BadCountry(String),
    /// `diffDate` says against what to diff, so it needs `diff`.
    DiffDateWithoutDiff,
    /// `dch` takes output, header and fields only.
    NotOfHosting(Param),
    /// The header row exists in CSV only.
    HeaderWithoutCsv,
    /// IPv6 types return `network` instead of `ip` (rule 4).
    IpOnIpv6,
    /// MMDB may be long-running (rule 5).
    UnfilteredMmdb,
    /// `callbackProxy` is a field of the record (2.11), not of the parameter's list.
    UndocumentedField,
    /// Collapsing takes significantly longer (rule 1).
    NetworkIsSlow,
}

/// What makes a conflict go away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fix {
    /// Take a field out.
    DropField(ExportField),
    /// Set a parameter back to its default.
    Clear(Param),
    /// Switch diff on.
    SetDiff,
    /// Set the limit.
    SetLimit(u64),
    /// Take a country out.
    DropCountry(String),
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DropField(field) => write!(f, "take {field} out of fields"),
            Self::Clear(param) => write!(f, "leave {} out", param.name()),
            Self::SetDiff => f.write_str("switch diff on"),
            Self::SetLimit(limit) => write!(f, "set limit to {limit}"),
            Self::DropCountry(code) => write!(f, "take {code:?} out of ccs"),
        }
    }
}

/// A rule that a request touches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conflict {
    /// The rule.
    pub rule: Rule,
    /// Whether it keeps the request from being sent.
    pub severity: Severity,
    /// The parameter at which a form shows it.
    pub at: Param,
    /// What makes it go away, where one thing does.
    pub fix: Option<Fix>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotExported => f.write_str(
                "this feed has no export: exports filter the four anonymous types and dch",
            ),
            Self::NetworkExcludes(field) => {
                write!(
                    f,
                    "network collapses addresses into CIDR blocks: {field} cannot be asked for beside it"
                )
            }
            Self::NetworkWithDiff => {
                f.write_str("diff compares addresses: it cannot be combined with network")
            }
            Self::DiffOnResidential => f.write_str("residential types have no daily diff"),
            Self::CallbackProxiesOnAnonymous => {
                f.write_str("callbackProxies filters anonymous-residential types only")
            }
            Self::LimitOutOfRange(limit) => write!(f, "limit {limit} is outside 1 to {LIMIT}"),
            Self::FieldOfAnotherFeed(field) => {
                write!(f, "records of this feed have no field {field}")
            }
            Self::BadCountry(code) => write!(f, "{code:?} is not a country code of two letters"),
            Self::DiffDateWithoutDiff => f.write_str("diffDate means something only with diff"),
            Self::NotOfHosting(param) => {
                write!(
                    f,
                    "dch takes output, includeCSVHeader and fields; {} is not a parameter of it",
                    param.name()
                )
            }
            Self::HeaderWithoutCsv => {
                f.write_str("a header row exists in CSV only: it is left out of the request")
            }
            Self::IpOnIpv6 => {
                f.write_str("IPv6 types are by network: the service gives network instead of ip")
            }
            Self::UnfilteredMmdb => {
                f.write_str("MMDB without a filter may run long: filtering is advised")
            }
            Self::UndocumentedField => f.write_str(
                "callbackProxy is not documented as a field to ask for; it is sent as asked",
            ),
            Self::NetworkIsSlow => {
                f.write_str("collapsing into networks takes significantly longer")
            }
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
            found.push(refused(Rule::NotExported, Param::Output, None));
        }
        for field in self.fields.iter().filter(|field| !field.is_of(self.feed)) {
            found.push(refused(
                Rule::FieldOfAnotherFeed(*field),
                Param::Fields,
                Some(Fix::DropField(*field)),
            ));
        }
        if self.header && self.output != Output::Csv {
            found.push(noted(
                Rule::HeaderWithoutCsv,
                Param::Header,
                Some(Fix::Clear(Param::Header)),
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
            .map(|param| refused(Rule::NotOfHosting(param), param, Some(Fix::Clear(param))))
            .collect()
    }

    fn anonymous_conflicts(&self) -> Vec<Conflict> {
        let mut found = Vec::new();
        if self.asks_for(ExportField::Network) {
            for field in [ExportField::Ip, ExportField::Services] {
                if self.asks_for(field) {
                    found.push(refused(
                        Rule::NetworkExcludes(field),
                        Param::Fields,
                        Some(Fix::DropField(field)),
                    ));
                }
            }
            if self.diff {
                found.push(refused(
                    Rule::NetworkWithDiff,
                    Param::Diff,
                    Some(Fix::Clear(Param::Diff)),
                ));
            }
            found.push(noted(
                Rule::NetworkIsSlow,
                Param::Fields,
                Some(Fix::DropField(ExportField::Network)),
            ));
        } else if self.feed.is_ipv6() && self.asks_for(ExportField::Ip) {
            found.push(noted(Rule::IpOnIpv6, Param::Fields, None));
        }
        if self.diff && self.feed.is_residential() {
            found.push(refused(
                Rule::DiffOnResidential,
                Param::Diff,
                Some(Fix::Clear(Param::Diff)),
            ));
        }
        if self.diff_date.is_some() && !self.diff {
            let fix = if self.feed.is_residential() {
                Fix::Clear(Param::DiffDate)
            } else {
                Fix::SetDiff
            };
            found.push(refused(
                Rule::DiffDateWithoutDiff,
                Param::DiffDate,
                Some(fix),
            ));
        }
        if !self.callback_proxies.is_empty() && !self.feed.is_residential() {
            let fix = Fix::Clear(Param::CallbackProxies);
            found.push(refused(
                Rule::CallbackProxiesOnAnonymous,
                Param::CallbackProxies,
                Some(fix),
            ));
        }
        if let Some(limit) = self.limit.filter(|limit| !(1..=LIMIT).contains(limit)) {
            let fix = Fix::SetLimit(limit.clamp(1, LIMIT));
            found.push(refused(
                Rule::LimitOutOfRange(limit),
                Param::Limit,
                Some(fix),
            ));
        }
        for code in &self.ccs {
            if code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                let fix = Fix::DropCountry(code.clone());
                found.push(refused(
                    Rule::BadCountry(code.clone()),
                    Param::Ccs,
                    Some(fix),
                ));
            }
        }
        if self.asks_for(ExportField::CallbackProxy) {
            let fix = Fix::DropField(ExportField::CallbackProxy);
            found.push(noted(Rule::UndocumentedField, Param::Fields, Some(fix)));
        }
        if self.output == Output::Mmdb && !self.is_filtered() {
            found.push(noted(Rule::UnfilteredMmdb, Param::Output, None));
        }
        found
    }

    /// Makes one conflict go away.
    pub fn apply(&mut self, fix: &Fix) {
        match fix {
            Fix::DropField(field) => self.fields.retain(|own| own != field),
            Fix::SetDiff => self.diff = true,
            Fix::SetLimit(limit) => self.limit = Some(*limit),
            Fix::DropCountry(code) => self.ccs.retain(|own| own != code),
            Fix::Clear(param) => self.clear(*param),
        }
    }
}

fn refused(rule: Rule, at: Param, fix: Option<Fix>) -> Conflict {
    Conflict {
        rule,
        severity: Severity::Refused,
        at,
        fix,
    }
}

fn noted(rule: Rule, at: Param, fix: Option<Fix>) -> Conflict {
    Conflict {
        rule,
        severity: Severity::Noted,
        at,
        fix,
    }
}

#[cfg(test)]
mod tests;
