//! The rules of asking for an export, once (contract, part 4.3): form, command line and embedded service read them here.

use std::fmt;

use super::{
    catalog::Feed,
    export::{ExportField, ExportQuery, LIMIT, Output, Param},
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

    /// Sets one parameter back to its default.
    pub fn clear(&mut self, param: Param) {
        match param {
            Param::Output => self.output = Output::default(),
            Param::Header => self.header = false,
            Param::Fields => self.fields.clear(),
            Param::Limit => self.limit = None,
            Param::Tags => self.tags.clear(),
            Param::CallbackProxies => self.callback_proxies.clear(),
            Param::Ccs => self.ccs.clear(),
            Param::Attributed => self.attributed = false,
            // A date without diff would be the next conflict.
            Param::Diff => (self.diff, self.diff_date) = (false, None),
            Param::DiffDate => self.diff_date = None,
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
mod tests {
    use super::*;
    use crate::model::Day;

    fn query(feed: Feed, change: impl FnOnce(&mut ExportQuery)) -> ExportQuery {
        let mut query = ExportQuery::all_of(feed);
        change(&mut query);
        query
    }

    fn rules(query: &ExportQuery, severity: Severity) -> Vec<Rule> {
        query
            .conflicts()
            .into_iter()
            .filter(|conflict| conflict.severity == severity)
            .map(|conflict| conflict.rule)
            .collect()
    }

    /// Each forbidden combination of the contract, and that it is forbidden for one reason only.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn what_the_contract_forbids_is_refused() {
        use ExportField::{Asn, CallbackProxy, Ip, Network, Services, Tag};
        let day = Day::new(2026, 11, 20);
        let tag: crate::model::TagName = "ACME_VPN".parse().expect("tag");
        let table: Vec<(ExportQuery, Rule)> = vec![
            (
                query(Feed::Anonymous, |q| q.fields = vec![Ip, Network]),
                Rule::NetworkExcludes(Ip),
            ),
            (
                query(Feed::AnonymousIpv6, |q| q.fields = vec![Network, Services]),
                Rule::NetworkExcludes(Services),
            ),
            (
                query(Feed::Anonymous, |q| {
                    (q.fields, q.diff) = (vec![Network], true)
                }),
                Rule::NetworkWithDiff,
            ),
            (
                query(Feed::AnonymousResidential, |q| q.diff = true),
                Rule::DiffOnResidential,
            ),
            (
                query(Feed::AnonymousResidentialIpv6, |q| {
                    (q.diff, q.diff_date) = (true, day)
                }),
                Rule::DiffOnResidential,
            ),
            (
                query(Feed::Anonymous, |q| q.callback_proxies = vec![tag.clone()]),
                Rule::CallbackProxiesOnAnonymous,
            ),
            (
                query(Feed::AnonymousIpv6, |q| {
                    q.callback_proxies = vec![tag.clone()]
                }),
                Rule::CallbackProxiesOnAnonymous,
            ),
            (
                query(Feed::Anonymous, |q| q.limit = Some(0)),
                Rule::LimitOutOfRange(0),
            ),
            (
                query(Feed::Anonymous, |q| q.limit = Some(2_000_001)),
                Rule::LimitOutOfRange(2_000_001),
            ),
            (
                query(Feed::Anonymous, |q| q.fields = vec![Asn]),
                Rule::FieldOfAnotherFeed(Asn),
            ),
            (
                query(Feed::Dch, |q| q.fields = vec![Tag]),
                Rule::FieldOfAnotherFeed(Tag),
            ),
            (
                query(Feed::Dch, |q| q.fields = vec![CallbackProxy]),
                Rule::FieldOfAnotherFeed(CallbackProxy),
            ),
            (
                query(Feed::Anonymous, |q| q.ccs = vec!["NLD".into()]),
                Rule::BadCountry("NLD".into()),
            ),
            (
                query(Feed::Anonymous, |q| q.ccs = vec!["N1".into()]),
                Rule::BadCountry("N1".into()),
            ),
            (
                query(Feed::Anonymous, |q| q.diff_date = day),
                Rule::DiffDateWithoutDiff,
            ),
            (
                query(Feed::Dch, |q| q.limit = Some(5)),
                Rule::NotOfHosting(Param::Limit),
            ),
            (
                query(Feed::Dch, |q| q.tags = vec![tag.clone()]),
                Rule::NotOfHosting(Param::Tags),
            ),
            (
                query(Feed::Dch, |q| q.callback_proxies = vec![tag.clone()]),
                Rule::NotOfHosting(Param::CallbackProxies),
            ),
            (
                query(Feed::Dch, |q| q.ccs = vec!["NL".into()]),
                Rule::NotOfHosting(Param::Ccs),
            ),
            (
                query(Feed::Dch, |q| q.attributed = true),
                Rule::NotOfHosting(Param::Attributed),
            ),
            (
                query(Feed::Dch, |q| q.diff = true),
                Rule::NotOfHosting(Param::Diff),
            ),
            (
                query(Feed::Dch, |q| q.diff_date = day),
                Rule::NotOfHosting(Param::DiffDate),
            ),
            (query(Feed::Ipsummary, |_| ()), Rule::NotExported),
        ];
        for (query, rule) in table {
            assert_eq!(rules(&query, Severity::Refused), vec![rule], "{query:?}");
            assert!(query.is_refused());
        }
    }

    #[test]
    fn what_is_only_noted_may_be_sent() {
        use ExportField::{CallbackProxy, Ip, Network};
        let table = [
            (
                query(Feed::Anonymous, |q| {
                    (q.header, q.output) = (true, Output::Json)
                }),
                vec![Rule::HeaderWithoutCsv],
            ),
            (
                query(Feed::AnonymousIpv6, |q| q.fields = vec![Ip]),
                vec![Rule::IpOnIpv6],
            ),
            (
                query(Feed::Anonymous, |q| q.output = Output::Mmdb),
                vec![Rule::UnfilteredMmdb],
            ),
            (
                query(Feed::Anonymous, |q| {
                    (q.output, q.attributed) = (Output::Mmdb, true)
                }),
                vec![],
            ),
            (
                query(Feed::AnonymousResidential, |q| {
                    q.fields = vec![CallbackProxy]
                }),
                vec![Rule::UndocumentedField],
            ),
            (
                query(Feed::Anonymous, |q| q.fields = vec![Network]),
                vec![Rule::NetworkIsSlow],
            ),
            (query(Feed::Dch, |q| q.fields = vec![Network]), vec![]),
            (
                query(Feed::Anonymous, |q| {
                    (q.diff, q.limit) = (true, Some(2_000_000))
                }),
                vec![],
            ),
        ];
        for (query, expected) in table {
            assert_eq!(
                (rules(&query, Severity::Noted), query.is_refused()),
                (expected, false),
                "{query:?}"
            );
        }
    }

    /// Taking every fix that is offered ends at a request that may be sent.
    #[test]
    fn fixes_lead_to_a_request_that_may_be_sent() {
        for feed in Feed::EXPORTED {
            let mut query = query(feed, |q| {
                q.fields = ExportField::ALL.to_vec();
                q.ccs = vec!["NL".into(), "NLD".into(), String::new()];
                q.limit = Some(9_000_000);
                q.diff_date = Day::new(2026, 11, 20);
                q.diff = true;
                q.header = true;
                q.callback_proxies = vec!["ACME_PROXY".parse().expect("tag")];
            });
            let mut steps = 0;
            while let Some(fix) = query
                .conflicts()
                .into_iter()
                .find_map(|conflict| conflict.fix)
            {
                query.apply(&fix);
                steps += 1;
                assert!(steps < 40, "fixes go in circles: {query:?}");
            }
            assert!(!query.is_refused(), "{query:?}");
        }
    }
}
