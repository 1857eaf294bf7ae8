//! What the service says of one anonymization service: the Tag Metadata Object (contract, part 2.6).
//!
//! The service-metrics feed spells truth values and numbers as texts; both variants are read alike.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    TagName,
    fields::{Object, object},
    lenient::{Field, NotAnObject, ObjectReader},
};

object! {
    /// One Tag Metadata Object.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Tag {
        tag: String = "tag" => Tag,
        /// Name for people; may be empty.
        name: String = "name",
        /// Free text; may be empty.
        description: String = "description",
        /// Address of its home page; may be empty, and may be anything.
        website: String = "website",
        /// Such as `RESIDENTIAL_PROXY`; the vocabulary is open.
        categories: Vec<String> = "categories",
        /// Such as `ROUTER`.
        platforms: Vec<String> = "platforms",
        /// Such as `SOCKS`.
        protocols: Vec<String> = "protocols",
        /// How finely an exit can be chosen, such as `CITY`.
        targeting_types: Vec<String> = "targetingTypes",
        /// White-label versions exist.
        allows_white_label: bool = "allowsWhiteLabel",
        /// Primarily anonymizes traffic.
        is_anonymous: bool = "isAnonymous",
        /// Includes callback or reverse-proxy functions.
        is_callback_proxy: bool = "isCallbackProxy",
        /// Claims to keep no logs.
        is_no_log: bool = "isNoLog",
        metrics: Metrics = "metrics",
        is_tracked: bool = "isTracked",
        /// For how many days an observation of it holds.
        max_age_days: f64 = "maxAgeDays",
        /// All its tags, aliases included.
        all_tags: Vec<String> = "allTags",
        /// Other tags or names of it.
        aliases: Vec<String> = "aliases",
        alias_of: String = "aliasOf",
        /// Services that resell it.
        resold_by: Vec<String> = "resoldBy",
        /// Services that it resells or routes through; their fields are not documented.
        resells: Vec<Value> = "resells",
        /// Lets its users reach local networks.
        allows_local_network_access: bool = "allowsLocalNetworkAccess",
        is_enterprise: bool = "isEnterprise",
        is_inactive: bool = "isInactive",
        /// Takes crypto payments.
        allows_crypto: bool = "allowsCrypto",
        /// Can be used without paying.
        allows_free_access: bool = "allowsFreeAccess",
        /// Routes over several hops.
        allows_multihop: bool = "allowsMultihop",
        /// Lets torrent traffic through.
        allows_torrents: bool = "allowsTorrents",
        .. unknown, odd
    }
}

object! {
    /// How large a service is.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Metrics {
        average_device_count: f64 = "averageDeviceCount",
        /// How fast its addresses change.
        churn_rate: f64 = "churnRate",
        /// Autonomous systems in which it was seen.
        distinct_asns: u64 = "distinctASNs",
        /// Countries in which it was seen.
        distinct_countries: u64 = "distinctCountries",
        /// Addresses on which it was seen.
        distinct_ips: u64 = "distinctIPs",
        /// Providers on which it was seen.
        distinct_isps: u64 = "distinctISPs",
    }
}

/// A link from one tag to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    /// The wire key that holds it, such as `resoldBy`.
    pub label: &'static str,
    /// The tag at the other end.
    pub tag: TagName,
}

impl Tag {
    /// Reads a record of either variant.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value; anything else odd costs one field only.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        Ok(Self::read(&mut ObjectReader::open(value)?))
    }

    /// The tag, if it can be asked for.
    #[must_use]
    pub fn tag_name(&self) -> Option<TagName> {
        TagName::new(self.tag.text()?).ok()
    }

    /// A short word for what it is, from `aliasOf`, else its categories, else its flags; a category without a short
    /// word stands for itself. None when they say nothing.
    #[must_use]
    pub fn kind_word(&self) -> Option<&str> {
        if self.alias_of.text().is_some() {
            return Some("alias");
        }
        let categories = self.categories.items();
        let known = CATEGORY_WORDS
            .iter()
            .find(|(category, _)| categories.iter().any(|text| text == category));
        let is_set = |flag: &Field<bool>| flag.is() == Some(&true);
        match known {
            Some((_, word)) => Some(word),
            None if !categories.is_empty() => categories.first().map(String::as_str),
            None if is_set(&self.is_callback_proxy) => Some("callback"),
            None if is_set(&self.is_anonymous) => Some("anonymous"),
            None if is_set(&self.is_enterprise) => Some("enterprise"),
            None => None,
        }
    }

    /// The tags to which one can go on from here, each once under each label; never this tag itself, and no name that
    /// is not a tag.
    #[must_use]
    pub fn relations(&self) -> Vec<Relation> {
        let listed = |list: &Field<Vec<String>>| list.items().to_vec();
        let resold = self.resells.items().iter();
        let resold = resold.filter_map(|entry| entry.get("tag").unwrap_or(entry).as_str());
        let links = [
            ("aliasOf", Vec::from_iter(self.alias_of.is().cloned())),
            ("aliases", listed(&self.aliases)),
            ("resoldBy", listed(&self.resold_by)),
            ("allTags", listed(&self.all_tags)),
            ("resells", resold.map(str::to_owned).collect()),
        ];
        let mut seen = HashSet::new();
        let relations = links.into_iter().flat_map(|(label, names)| {
            let tags = names
                .into_iter()
                .filter_map(|name| TagName::new(&name).ok());
            tags.map(move |tag| Relation { label, tag })
        });
        relations
            .filter(|relation| self.tag.text() != Some(relation.tag.as_str()))
            .filter(|relation| seen.insert(relation.clone()))
            .collect()
    }
}

/// Short words for categories, the more telling ones first.
const CATEGORY_WORDS: [(&str, &str); 5] = [
    ("RESIDENTIAL_PROXY", "residential"),
    ("MOBILE_PROXY", "mobile"),
    ("ISP_PROXY", "isp"),
    ("DATACENTER_PROXY", "datacenter"),
    ("VPN", "vpn"),
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn decode(value: &Value) -> Tag {
        Tag::decode(value).expect("a tag")
    }

    #[test]
    fn both_variants_say_the_same() {
        let typed = decode(&json!({
            "tag": "ACME_VPN", "name": "", "isAnonymous": true, "isNoLog": false, "isTracked": null,
            "metrics": {"averageDeviceCount": 18204.5, "churnRate": 0.03, "distinctIPs": 41220, "distinctASNs": null}
        }));
        let spelled = decode(&json!({
            "tag": "ACME_VPN", "name": "", "isAnonymous": "true", "isNoLog": "False", "isTracked": "",
            "metrics": {"averageDeviceCount": "18204.5", "churnRate": "0.03", "distinctIPs": "41220", "distinctASNs": ""}
        }));
        assert_eq!(typed, spelled);
        let metrics = typed.metrics.is().expect("metrics");
        assert_eq!(metrics.distinct_ips, Field::Is(41_220));
        assert_eq!(metrics.distinct_countries, Field::Absent);
    }

    #[test]
    fn the_flags_of_the_feed_alone_are_read() {
        let tag = decode(&json!({
            "tag": "ACME_VPN", "description": null, "allowsCrypto": "true", "allowsFreeAccess": "false",
            "allowsMultihop": null, "allowsTorrents": "often", "fresh": 1, "metrics": {"fresh": 1}
        }));
        assert_eq!(tag.description, Field::Null);
        assert_eq!(tag.allows_crypto, Field::Is(true));
        assert_eq!(tag.allows_free_access, Field::Is(false));
        assert_eq!(tag.allows_multihop, Field::Null);
        assert_eq!(tag.allows_torrents, Field::Odd);
        assert_eq!(tag.unknown, ["metrics.fresh", "fresh"]);
        assert_eq!(tag.odd, ["allowsTorrents"]);
    }

    #[test]
    fn one_word_says_what_it_is() {
        for (record, expected) in [
            (
                json!({"categories": ["DATACENTER_PROXY", "RESIDENTIAL_PROXY"]}),
                Some("residential"),
            ),
            (
                json!({"categories": ["MOBILE_PROXY"], "aliasOf": "ACME_VPN"}),
                Some("alias"),
            ),
            (
                json!({"categories": ["NEW_KIND"], "aliasOf": ""}),
                Some("NEW_KIND"),
            ),
            (
                json!({"isAnonymous": "true", "isCallbackProxy": "true"}),
                Some("callback"),
            ),
            (
                json!({"isAnonymous": true, "isCallbackProxy": false}),
                Some("anonymous"),
            ),
            (json!({"tag": "ACME_VPN"}), None),
        ] {
            assert_eq!(decode(&record).kind_word(), expected, "{record}");
        }
    }

    #[test]
    fn links_lead_to_other_tags_only() {
        let tag = decode(&json!({
            "tag": "ACME_VPN", "aliasOf": "ACME", "aliases": ["ACME_EXPRESS", "Acme the Great", "ACME_EXPRESS"],
            "allTags": ["ACME_VPN", "ACME"], "resoldBy": "BRAVO_PROXY",
            "resells": [{"tag": "CARGO_VPN", "since": 1}, {"name": "Delta"}, "3ECHO_VPN"]
        }));
        let relations = tag.relations();
        let shown: Vec<_> = relations
            .iter()
            .map(|relation| (relation.label, relation.tag.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("aliasOf", "ACME"),
                ("aliases", "ACME_EXPRESS"),
                ("resoldBy", "BRAVO_PROXY"),
                ("allTags", "ACME"),
                ("resells", "CARGO_VPN"),
                ("resells", "3ECHO_VPN")
            ]
        );
    }
}
