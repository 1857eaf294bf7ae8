//! Where tags can go in an export: as operators of tunnels, or as callback proxies, of a feed that names them.
//!
//! A tag that goes to the wrong parameter, or to a feed that does not have it, selects nothing.

use std::cmp::Reverse;

use crate::{
    contract::{ExportQuery, Feed},
    engine::views::{OfFeeds, TagCounts},
    model::TagName,
    report::counted,
    tui::{
        ctx::{Destination, OmittedConditions, TagRole},
        ui::PickerItem,
    },
};

/// A parameter of the export of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportTarget {
    pub feed: Feed,
    /// As what its records name the tags.
    pub role: TagRole,
}

impl ExportTarget {
    fn destination(self, tags: Vec<TagName>) -> Destination {
        let query = ExportQuery::all_of(self.feed);
        let query = match self.role {
            TagRole::Operator => ExportQuery { tags, ..query },
            TagRole::CallbackProxy => ExportQuery {
                callback_proxies: tags,
                ..query
            },
        };
        Destination::Export(query, OmittedConditions::default())
    }

    fn label(self) -> String {
        let parameter = match self.role {
            TagRole::Operator => "tags",
            TagRole::CallbackProxy => "callbackProxies",
        };
        format!("{parameter} of {}", self.feed)
    }

    /// How many of the tags the local release names so, in how many records; none where the feed is not local.
    fn found(self, tags: &[TagName], counts: &OfFeeds<TagCounts>) -> Option<(usize, u64)> {
        let mut counts = counts.found.iter();
        let counts = counts.find(|counts| counts.feed == self.feed)?;
        let of = |tag: &TagName| {
            let count = counts.tags.get(tag.as_str()).copied().unwrap_or_default();
            match self.role {
                TagRole::Operator => count.as_operator,
                TagRole::CallbackProxy => count.as_proxy,
            }
        };
        let found: Vec<u64> = tags.iter().map(of).filter(|count| *count > 0).collect();
        Some((found.len(), found.iter().sum()))
    }

    fn detail(self, tags: &[TagName], counts: &OfFeeds<TagCounts>) -> String {
        let is_unusable = || counts.unusable.iter().any(|feed| feed.feed == self.feed);
        match self.found(tags, counts) {
            None if is_unusable() => "unreadable: not counted".to_owned(),
            None => "not local: not counted".to_owned(),
            Some((0, _)) => "no match".to_owned(),
            Some((_, records)) if records == 1 || tags.len() == 1 => counted(records, "record"),
            Some((found, records)) => {
                let (all, records) = (tags.len(), counted(records, "record"));
                format!("{found} of {all} tags, up to {records}")
            }
        }
    }
}

/// The targets of these tags, the one that matches most first. Without a local feed the metadata tells, as far as
/// `is_proxy` does.
pub(super) fn choices(
    tags: &[TagName],
    counts: &OfFeeds<TagCounts>,
    is_proxy: bool,
) -> Vec<PickerItem<Destination>> {
    let is_local = |feed| {
        let mut unusable = counts.unusable.iter();
        counts.found.iter().any(|counts| counts.feed == feed)
            || unusable.any(|unusable_feed| unusable_feed.feed == feed)
    };
    let feeds = Feed::EXPORTED.into_iter();
    let feeds = feeds.filter(|feed| *feed != Feed::Dch && (!feed.is_ipv6() || is_local(*feed)));
    let mut targets: Vec<ExportTarget> = feeds
        .flat_map(|feed| {
            [TagRole::Operator, TagRole::CallbackProxy].map(|role| ExportTarget { feed, role })
        })
        .filter(|target| target.role == TagRole::Operator || target.feed.is_residential())
        .collect();
    targets.sort_by_key(|target| {
        let likely = (target.role == TagRole::CallbackProxy) == is_proxy;
        let found = target.found(tags, counts);
        let rank = match found {
            Some((1.., _)) => 2,
            None => 1,
            Some(_) => 0,
        };
        Reverse((rank, found.unwrap_or_default(), likely))
    });
    let item = |target: ExportTarget| {
        let destination = target.destination(tags.to_vec());
        PickerItem::new(target.label(), target.detail(tags, counts), destination)
    };
    targets.into_iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, sync::Arc};

    use super::*;
    use crate::{
        engine::{Error, Kind, UnusableFeed, views::TagCount},
        store::Moment,
    };

    fn counts(feed: Feed, tags: &[(&str, u64, u64)]) -> TagCounts {
        let count = |(tag, as_operator, as_proxy): &(&str, u64, u64)| {
            let count = TagCount {
                as_operator: *as_operator,
                as_proxy: *as_proxy,
            };
            ((*tag).to_owned(), count)
        };
        TagCounts {
            feed,
            moment: Moment::parse("20261120").expect("a day"),
            generated: Moment::parse("20261120").expect("a day").generation(),
            tags: Arc::new(tags.iter().map(count).collect::<HashMap<_, _>>()),
        }
    }

    fn shown(tags: &[&str], counts: &[TagCounts], is_proxy: bool) -> Vec<String> {
        let tags: Vec<TagName> = tags.iter().map(|tag| tag.parse().expect("tag")).collect();
        let counts = OfFeeds {
            found: counts.to_vec(),
            unusable: vec![UnusableFeed {
                feed: Feed::AnonymousIpv6,
                why: Error::new(Kind::Integrity, "damaged"),
            }],
        };
        let choices = choices(&tags, &counts, is_proxy).into_iter();
        choices
            .map(|item| format!("{}: {}", item.label, item.detail))
            .collect()
    }

    #[test]
    fn the_target_that_matches_most_comes_first() {
        let local = [
            counts(Feed::Anonymous, &[("ACME_VPN", 363, 0)]),
            counts(
                Feed::AnonymousResidential,
                &[("ACME_VPN", 371, 1), ("WIDGET_PROXY", 0, 4100)],
            ),
        ];
        assert_eq!(
            shown(&["ACME_VPN"], &local, false),
            [
                "tags of anonymous-residential: 371 records",
                "tags of anonymous: 363 records",
                "callbackProxies of anonymous-residential: 1 record",
                "tags of anonymous-ipv6: unreadable: not counted",
            ]
        );
        assert_eq!(
            shown(&["WIDGET_PROXY"], &local, false)[0],
            "callbackProxies of anonymous-residential: 4,100 records"
        );
        assert_eq!(
            shown(&["ACME_VPN", "WIDGET_PROXY"], &local, false)[0],
            "callbackProxies of anonymous-residential: 2 of 2 tags, up to 4,101 records"
        );
    }

    #[test]
    fn without_a_local_feed_the_metadata_decides() {
        let first = |is_proxy| shown(&["X"], &[], is_proxy).swap_remove(0);
        assert_eq!(first(false), "tags of anonymous: not local: not counted");
        assert_eq!(
            first(true),
            "callbackProxies of anonymous-residential: not local: not counted"
        );
        let local = [counts(Feed::Anonymous, &[])];
        assert_eq!(
            shown(&["X"], &local, false).pop().as_deref(),
            Some("tags of anonymous: no match")
        );
    }

    #[test]
    fn each_target_fills_its_own_parameter() {
        let tags: Vec<TagName> = vec!["X".parse().expect("tag")];
        let of = |role| {
            let feed = Feed::AnonymousResidential;
            match (ExportTarget { feed, role }).destination(tags.clone()) {
                Destination::Export(query, _) => query,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(of(TagRole::Operator).tags, tags);
        assert_eq!(of(TagRole::CallbackProxy).callback_proxies, tags);
        assert_eq!(of(TagRole::CallbackProxy).tags, []);
    }
}
