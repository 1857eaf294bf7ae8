//! Each rule of exports by the queries that break it and those that do not.

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
