//! What the contract says of the fields of its objects (parts 2.1 to 2.11), in a few words, with the values that it names.
//!
//! The lists of values are open: another value may come at any time, and is new, not wrong. The lists of services (2.1) and of tags are
//! examples of identifiers, and name no vocabulary.

use super::catalog::RecordKind;

/// A field of an object of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractField {
    /// Its path, arrays transparent.
    pub path: &'static str,
    /// The part of the contract that has it.
    pub part: &'static str,
    /// What it says.
    pub about: &'static str,
    /// The values that the contract names; none where any may be there.
    pub values: &'static [&'static str],
}

/// An object of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractObject {
    pub name: &'static str,
    /// The records of feeds that are such objects.
    pub records: Option<RecordKind>,
    pub fields: &'static [ContractField],
}

const fn field(
    path: &'static str,
    part: &'static str,
    about: &'static str,
    values: &'static [&'static str],
) -> ContractField {
    ContractField {
        path,
        part,
        about,
        values,
    }
}

#[rustfmt::skip]
const CONTEXT: &[ContractField] = &[
    field("ai", "2.1", "Activity of AI seen from the address; its fields are not shown", &[]),
    field("as", "2.1", "The autonomous system", &[]),
    field("as.number", "2.2", "Its number", &[]),
    field("as.organization", "2.2", "Its name; `Organization` in feeds before 2023-04-20", &[]),
    field("client", "2.1", "What is known of the clients behind it; may be empty", &[]),
    field("client.behaviors", "2.3", "What clients do there", &["FILE_SHARING", "TOR_PROXY_USER"]),
    field("client.concentration", "2.3", "Where most clients are", &[]),
    field("client.concentration.city", "2.3", "City of it", &[]),
    field("client.concentration.country", "2.3", "Country of it", &[]),
    field("client.concentration.density", "2.3", "A number about it, the meaning of which is not shown", &[]),
    field("client.concentration.geohash", "2.3", "Place of it as a geohash", &[]),
    field("client.concentration.skew", "2.3", "A whole number about it, the meaning of which is not shown", &[]),
    field("client.concentration.state", "2.3", "State of it", &[]),
    field("client.count", "2.3", "Clients on an average day", &[]),
    field("client.countries", "2.3", "How many countries they come from", &[]),
    field("client.proxies", "2.3", "Tags of callback proxies that run on devices behind it", &[]),
    field("client.spread", "2.3", "Area over which they are spread, in km²", &[]),
    field("client.types", "2.3", "Kinds of their devices", &["MOBILE", "DESKTOP"]),
    field("infrastructure", "2.1", "Kind of infrastructure; the list is open", &["DATACENTER", "MOBILE", "SATELLITE"]),
    field("ip", "2.1", "The address that the record is about", &[]),
    field("network", "2.5", "The IPv6 network that the record is about, in place of an address", &[]),
    field("location", "2.1", "Where it is", &[]),
    field("location.city", "2.1", "City", &[]),
    field("location.state", "2.1", "State", &[]),
    field("location.country", "2.1", "Country, by two letters", &[]),
    field("organization", "2.1", "Who uses the address: a customer, hoster or operator", &[]),
    field("risks", "2.1", "Risks that were identified; the list is open", &["CALLBACK_PROXY", "TUNNEL", "GEO_MISMATCH", "WEB_SCRAPING"]),
    field("services", "2.1", "Services and protocols in use, by identifiers such as OPENVPN, IPSEC, 3PROXY", &[]),
    field("tunnels", "2.1", "Its tunnels: VPN, proxy, Tor", &[]),
    field("tunnels.anonymous", "2.4", "Whether the tunnel hides who uses it", &[]),
    field("tunnels.entries", "2.4", "Addresses at which the tunnel is entered", &[]),
    field("tunnels.exits", "2.4", "Addresses at which it is left", &[]),
    field("tunnels.operator", "2.4", "Tag of its operator; absent for a proxy that is attributed to none", &[]),
    field("tunnels.type", "2.4", "Kind of the tunnel", &["VPN", "PROXY", "TOR"]),
];

#[rustfmt::skip]
const TAGS: &[ContractField] = &[
    field("tag", "2.6", "The identifier of the service", &[]),
    field("name", "2.6", "Its name for people", &[]),
    field("description", "2.6", "About it, in free text", &[]),
    field("website", "2.6", "Its home page", &[]),
    field("categories", "2.6", "Kinds of proxies that it offers", &["RESIDENTIAL_PROXY", "DATACENTER_PROXY", "MOBILE_PROXY", "ISP_PROXY"]),
    field("platforms", "2.6", "Systems on which it runs", &["ROUTER"]),
    field("protocols", "2.6", "Protocols that it carries", &["HTTP", "SOCKS"]),
    field("targetingTypes", "2.6", "By what an exit can be chosen", &["CITY", "STATE", "COUNTRY", "ASN"]),
    field("allowsWhiteLabel", "2.6", "Whether others sell it under their name", &[]),
    field("isAnonymous", "2.6", "Whether it is mainly there to hide who uses it", &[]),
    field("isCallbackProxy", "2.6", "Whether it includes callback or reverse proxies", &[]),
    field("isNoLog", "2.6", "Whether it claims to keep no logs", &[]),
    field("metrics", "2.6", "Numbers about it", &[]),
    field("metrics.averageDeviceCount", "2.6", "Devices on average", &[]),
    field("metrics.churnRate", "2.6", "Its rate of churn", &[]),
    field("metrics.distinctASNs", "2.6", "How many autonomous systems it has", &[]),
    field("metrics.distinctCountries", "2.6", "How many countries it has", &[]),
    field("metrics.distinctIPs", "2.6", "How many addresses it has", &[]),
    field("metrics.distinctISPs", "2.6", "How many providers it has", &[]),
    field("isTracked", "2.6", "Whether it is followed at present", &[]),
    field("maxAgeDays", "2.6", "The most days that what was seen of it is old", &[]),
    field("allTags", "2.6", "All of its tags, aliases too", &[]),
    field("aliases", "2.6", "Its other tags or names", &[]),
    field("aliasOf", "2.6", "The tag of which it is another name", &[]),
    field("resoldBy", "2.6", "Services that sell it on", &[]),
    field("resells", "2.6", "Services that it sells on or runs through; their fields are not shown", &[]),
    field("allowsLocalNetworkAccess", "2.6", "Whether it gives access to the local network", &[]),
    field("isEnterprise", "2.6", "Whether it is made for enterprises", &[]),
    field("isInactive", "2.6", "Whether it has ended", &[]),
    field("allowsCrypto", "2.6", "Whether it takes crypto currency; in its feed alone", &[]),
    field("allowsFreeAccess", "2.6", "Whether it can be used for free; in its feed alone", &[]),
    field("allowsMultihop", "2.6", "Whether it chains exits; in its feed alone", &[]),
    field("allowsTorrents", "2.6", "Whether it allows torrents; in its feed alone", &[]),
];

#[rustfmt::skip]
const HOSTING: &[ContractField] = &[
    field("network", "2.9", "The netblock that the record is about", &[]),
    field("organization", "2.9", "Who registered the block", &[]),
    field("asn", "2.9", "Number of its autonomous system", &[]),
];

#[rustfmt::skip]
const GEO: &[ContractField] = &[
    field("prefix", "2.10", "The network that the record is about; not in MMDB", &[]),
    field("city", "2.10", "City", &[]),
    field("city.geoname_id", "2.10", "Its geoname number", &[]),
    field("city.names", "2.10", "Its names by language", &[]),
    field("continent", "2.10", "Continent", &[]),
    field("continent.code", "2.10", "Its code", &[]),
    field("continent.geoname_id", "2.10", "Its geoname number", &[]),
    field("continent.names", "2.10", "Its names by language", &[]),
    field("country", "2.10", "Country where it is", &[]),
    field("country.geoname_id", "2.10", "Its geoname number", &[]),
    field("country.iso_code", "2.10", "Its code of two letters", &[]),
    field("country.names", "2.10", "Its names by language", &[]),
    field("registered_country", "2.10", "Country where it is registered", &[]),
    field("registered_country.geoname_id", "2.10", "Its geoname number", &[]),
    field("registered_country.iso_code", "2.10", "Its code of two letters", &[]),
    field("registered_country.names", "2.10", "Its names by language", &[]),
    field("location", "2.10", "Coordinates", &[]),
    field("location.accuracy_radius", "2.10", "A radius of accuracy", &[]),
    field("location.latitude", "2.10", "Latitude", &[]),
    field("location.longitude", "2.10", "Longitude", &[]),
    field("location.time_zone", "2.10", "Time zone", &[]),
    field("vendor", "2.10", "Data of the service's own", &[]),
    field("vendor.as", "2.10", "The autonomous system", &[]),
    field("vendor.as.number", "2.10", "Its number", &[]),
    field("vendor.as.organization", "2.10", "Its name", &[]),
    field("subdivisions", "2.10", "Parts of the country", &[]),
    field("subdivisions.geoname_id", "2.10", "Its geoname number", &[]),
    field("subdivisions.names", "2.10", "Names by language", &[]),
];

#[rustfmt::skip]
const EXPORT: &[ContractField] = &[
    field("ip", "2.11", "The address of a record", &[]),
    field("network", "2.11", "The network of a record that has no address", &[]),
    field("tag", "2.11", "The anonymization service", &[]),
    field("callbackProxy", "2.11", "A callback proxy on the address", &[]),
    field("infrastructure", "2.11", "Kind of infrastructure", &[]),
    field("services", "2.11", "Services that listen", &[]),
    field("clientCount", "2.11", "Devices on an average day", &[]),
    field("locationCity", "2.11", "City", &[]),
    field("locationState", "2.11", "State", &[]),
    field("locationCountry", "2.11", "Country", &[]),
    field("diff", "2.11", "What happened to the record since the day before; in differences alone", &["add", "del"]),
];

#[rustfmt::skip]
const STATUS: &[ContractField] = &[
    field("active", "2.7", "If it is in force", &[]),
    field("queriesRemaining", "2.7", "Queries left in the billing period", &[]),
    field("serviceTier", "2.7", "Tier of the token", &[]),
];

#[rustfmt::skip]
const METADATA: &[ContractField] = &[
    field("json", "2.8", "The newest release as JSON", &[]),
    field("mmdb", "2.8", "The newest release as MMDB, perhaps of an earlier day", &[]),
    field("json.location", "2.8", "Path of the file below the feed", &[]),
    field("json.date", "2.8", "Day of the release; of realtime its time", &[]),
    field("json.generated_at", "2.8", "When it was generated", &[]),
    field("json.available_at", "2.8", "When it could be downloaded", &[]),
    field("json.filesize", "2.8", "Size of the file; the unit is not shown", &[]),
    field("mmdb.location", "2.8", "Path of its file below the feed", &[]),
    field("mmdb.date", "2.8", "Day of it", &[]),
    field("mmdb.generated_at", "2.8", "When it was generated", &[]),
    field("mmdb.available_at", "2.8", "When it could be downloaded", &[]),
    field("mmdb.filesize", "2.8", "Size of its file; the unit is not shown", &[]),
];

/// All objects, in the order of the contract.
pub const OBJECTS: [ContractObject; 7] = [
    object("IP context", Some(RecordKind::Context), CONTEXT),
    object("tag metadata", Some(RecordKind::Tags), TAGS),
    object("token status", None, STATUS),
    object("feed metadata", None, METADATA),
    object("datacenter hosting", Some(RecordKind::Hosting), HOSTING),
    object("IP geolocation", Some(RecordKind::Geo), GEO),
    object("export", None, EXPORT),
];

const fn object(
    name: &'static str,
    records: Option<RecordKind>,
    fields: &'static [ContractField],
) -> ContractObject {
    ContractObject {
        name,
        records,
        fields,
    }
}

/// The fields of a kind of records of which values are named.
pub fn of(records: RecordKind) -> impl Iterator<Item = &'static ContractField> {
    let fields = match records {
        RecordKind::Context | RecordKind::Ipv6Context => CONTEXT,
        RecordKind::Tags => TAGS,
        RecordKind::Hosting => HOSTING,
        RecordKind::Geo => GEO,
    };
    fields.iter().filter(|field| !field.values.is_empty())
}

/// Whether values are named of one of these paths.
pub fn is_listed<'a>(paths: impl Iterator<Item = &'a str>) -> bool {
    let mut paths = paths;
    paths.any(|path| {
        let mut fields = OBJECTS.iter().flat_map(|object| object.fields);
        fields.any(|field| field.path == path && !field.values.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::fields::paths;

    /// Neither is a field of the contract without its words, nor are there words of a field that no record has.
    #[test]
    fn the_words_are_those_of_the_fields_that_are_read() {
        for object in OBJECTS {
            let own: BTreeSet<&str> = object.fields.iter().map(|field| field.path).collect();
            assert_eq!(own.len(), object.fields.len(), "{}", object.name);
            let Some(kind) = object.records else {
                continue;
            };
            let read = paths(kind.members());
            let read: BTreeSet<&str> = read.iter().map(String::as_str).collect();
            assert_eq!(own, read, "{}", object.name);
        }
    }
}
