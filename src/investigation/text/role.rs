//! What the names of fields mean. One table, for keys, heads, members of JSON, and words in prose.

/// What a field holds, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    Time(TimeRole),
    /// The zone of the times of its row.
    Zone,
    /// The address of somebody, if it holds one.
    Address(AddressRole),
    /// Addresses of a client and of the proxies behind it, in this order.
    Forwarded,
    /// The version of a product.
    Version,
    /// The name of a user agent, in which numbers are versions.
    Agent,
    Other,
}

/// Which time a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeRole {
    /// When the event happened; of several the lowest number decides.
    Event(u8),
    /// When what the row is about began or ended: that of the event, where there is no other.
    Span(u8),
    /// When it was seen first, and last: from then to then, where there is no other.
    Seen(bool),
    /// When something else is: an expiry, a build, a birth.
    Other,
}

/// Whose address it is. Of several roles of an address the first of these counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressRole {
    /// Who acted from outside.
    Source,
    /// A hop in between.
    Proxy,
    /// Where the traffic went.
    Destination,
    /// The machine that wrote the row.
    Own,
    /// The text does not say: taken for a source.
    #[default]
    Unknown,
}

impl AddressRole {
    /// Those that have a word, in the order in which they are listed.
    pub const NAMED: [Self; 4] = [Self::Source, Self::Destination, Self::Own, Self::Proxy];

    /// Its word in filters and output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Source | Self::Unknown => "source",
            Self::Proxy => "proxy",
            Self::Destination => "destination",
            Self::Own => "own",
        }
    }

    /// Whether it is somebody outside, about whom a query is worth its price.
    #[must_use]
    pub fn is_source(self) -> bool {
        matches!(self, Self::Source | Self::Unknown)
    }
}

/// Names that are a time by themselves, the strongest first.
const EVENTS: [&[&str]; 3] = [
    &[
        "eventtime",
        "eventtimestamp",
        "eventdatetime",
        "realtimetimestamp",
        "sourcerealtimetimestamp",
        "utctime",
        "startutc",
    ],
    &[
        "timestamp",
        "time",
        "ts",
        "rt",
        "datetime",
        "timegenerated",
        "timecreated",
        "systemtime",
        "createddatetime",
        "creationtime",
        "creationdate",
        "activitydatetime",
        "activitydate",
        "published",
        "generatedtime",
        "generatetime",
        "logtime",
        "logdate",
        "eventdate",
        "occurred",
        "occurredat",
        "happenedat",
        "starteddatetime",
        "requesttime",
        "timelocal",
        "timeiso8601",
        "timestampms",
        "epoch",
        "epochtime",
        "unixtime",
        "asctime",
        "when",
        "at",
        "datetimeutc",
        "utc",
        "detecttime",
        "observed",
        "timereceived",
        "calltime",
        "isodate",
    ],
    &[
        "date",
        "day",
        "lastref",
        "datum",
        "uhrzeit",
        "zeitpunkt",
        "fecha",
        "hora",
        "heure",
        "receivetime",
        "receivedtime",
        "receivedat",
        "clock",
        "hour",
    ],
];

/// Words of when something was seen first, and last.
const SEEN: [&[&str]; 2] = [
    &["firstseen", "firsttime", "firstobserved", "first"],
    &["lastseen", "lasttime", "lastobserved", "last"],
];

/// Names of when something began, or ended, or was written down.
const SPANS: [&[&str]; 3] = [
    &[
        "start",
        "starttime",
        "begin",
        "begintime",
        "sessionstart",
        "connectedsince",
        "logintime",
        "opened",
        "validfrom",
        "since",
    ],
    &["end", "endtime", "stop", "stoptime", "closed", "logouttime"],
    &[
        "created",
        "createdat",
        "added",
        "reported",
        "updated",
        "updatedat",
        "modified",
        "modifiedat",
        "modifiedtimestamp",
    ],
];

/// Words in the name of a time that is none of the event.
const OTHER_TIMES: [&str; 34] = [
    "taken",
    "apply",
    "launch",
    "exp",
    "expires",
    "expiry",
    "expiration",
    "expire",
    "after",
    "before",
    "nbf",
    "iat",
    "build",
    "birth",
    "birthday",
    "mtime",
    "ctime",
    "atime",
    "uptime",
    "monotonic",
    "ingested",
    "indexed",
    "elapsed",
    "duration",
    "boot",
    "compile",
    "password",
    "renew",
    "lease",
    "valid",
    "until",
    "took",
    "timeout",
    "auth",
];

/// Words in the name of a time of the event.
const TIME_WORDS: [&str; 6] = ["time", "timestamp", "date", "datetime", "ts", "utc"];

const ZONES: [&str; 11] = [
    "tz",
    "timezone",
    "tzone",
    "zone",
    "tzoffset",
    "utcoffset",
    "timezoneoffset",
    "devicetimezone",
    "dtz",
    "gmtoffset",
    "timezonename",
];

const FORWARDED: [&str; 7] = [
    "xforwardedfor",
    "httpxforwardedfor",
    "forwardedfor",
    "xff",
    "forwarded",
    "ipchain",
    "trueclientip",
];

const VERSIONS: [&str; 9] = [
    "version", "ver", "vers", "build", "release", "revision", "firmware", "sdk", "v",
];

/// Names of fields that hold a host and the version of its program.
const HOSTS_WITH_VERSION: [&str; 1] = ["originatingserver"];

/// Words of each role in names, the strongest role first: what is translated is one's own, whatever it was before.
const ADDRESSES: [(AddressRole, &[&str]); 6] = [
    (AddressRole::Proxy, &["edge", "cdn"]),
    (
        AddressRole::Own,
        &[
            "nat",
            "xlate",
            "xlated",
            "mapped",
            "translated",
            "natsrc",
            "natsrcip",
            "gaddr",
            "laddr",
            "lhost",
            "lip",
            "localip",
            "localaddr",
            "localaddress",
            "local",
            "listener",
            "listen",
            "bind",
        ],
    ),
    (
        AddressRole::Destination,
        &[
            "dst",
            "dest",
            "destination",
            "dstip",
            "destip",
            "dstaddr",
            "daddr",
            "destinationip",
            "destinationaddress",
            "target",
            "resp",
            "responder",
            "server",
            "serverip",
            "upstream",
            "backend",
            "peeraddr",
            "rdata",
            "answer",
            "answers",
            "tranip",
            "relay",
            "dns",
            "service",
            "serviceaddr",
            "originip",
            "originserver",
            "srv",
            "da",
            "victim",
            "to",
            "against",
            "towards",
            "into",
            "resolved",
            "dip",
        ],
    ),
    (
        AddressRole::Source,
        &[
            "src",
            "source",
            "srcip",
            "sourceip",
            "sourceaddress",
            "srcaddr",
            "saddr",
            "client",
            "clientip",
            "cip",
            "remote",
            "remoteip",
            "remoteaddr",
            "remotehost",
            "raddr",
            "rhost",
            "rip",
            "remip",
            "peer",
            "caller",
            "callerip",
            "orig",
            "originator",
            "attacker",
            "actor",
            "from",
            "faddr",
            "cli",
            "sa",
            "foreign",
            "visitor",
            "suspect",
            "user",
            "initiator",
            "requester",
            "sip",
        ],
    ),
    (
        AddressRole::Proxy,
        &[
            "proxy",
            "proxyip",
            "nh",
            "via",
            "hop",
            "forwarder",
            "loadbalancer",
        ],
    ),
    (
        AddressRole::Own,
        &[
            "host",
            "hostip",
            "device",
            "dvc",
            "dvchost",
            "observer",
            "agent",
            "sensor",
            "collector",
            "nas",
            "nasip",
            "by",
            "on",
            "self",
            "firewall",
            "gateway",
            "appliance",
            "reporter",
            "hostaddress",
            "management",
            "private",
            "instance",
            "publicip",
            "fw",
            "ra",
            "devip",
            "deviceip",
            "machine",
            "computer",
        ],
    ),
];

/// The most words of a name that are looked at.
const MOST_WORDS: usize = 12;

/// What a name means.
#[must_use]
pub fn role_of_name(name: &str) -> FieldRole {
    let last = name.rsplit('.').next().unwrap_or(name);
    let plain = plain(last);
    if let Some(time) = time_of(&plain, last) {
        return FieldRole::Time(time);
    }
    if ZONES.contains(&plain.as_str()) {
        return FieldRole::Zone;
    }
    let is_forwarded = |segment: &str| {
        let plain = self::plain(segment);
        FORWARDED
            .iter()
            .any(|own| plain == *own || plain.starts_with(own) && own.len() > 8)
    };
    if name.split('.').any(is_forwarded) {
        return FieldRole::Forwarded;
    }
    let words = Words::of(last);
    if words.last().is_some_and(|last| VERSIONS.contains(&last))
        || plain.ends_with("version")
        || HOSTS_WITH_VERSION.contains(&plain.as_str())
    {
        return FieldRole::Version;
    }
    if AGENTS.contains(&plain.as_str()) {
        return FieldRole::Agent;
    }
    address_of_name(name).map_or(FieldRole::Other, FieldRole::Address)
}

/// Names of fields with user agents.
const AGENTS: [&str; 6] = [
    "useragent",
    "httpuseragent",
    "requestuseragent",
    "csuseragent",
    "ua",
    "agent",
];

/// Whose address a field of this name holds.
fn address_of_name(name: &str) -> Option<AddressRole> {
    // W3C: of the server, the client.
    match name {
        "c-ip" => return Some(AddressRole::Source),
        // Exim: the interface.
        "s-ip" | "I" | "origin" => return Some(AddressRole::Own),
        "r-ip" => return Some(AddressRole::Destination),
        _ => {}
    }
    // The other side of a translation is where the traffic goes on to.
    let translates = |segment: &str| {
        let words = Words::of(segment);
        let plain = self::plain(segment);
        let is_nat = |own: &&str| words.has(own) || plain.starts_with(own);
        let is_other = |own: &&str| words.has(own) || plain.ends_with(own);
        NAT.iter().any(is_nat) && DESTINATION.iter().any(is_other)
    };
    if name.split('.').any(translates) {
        return Some(AddressRole::Destination);
    }
    // Elasticsearch puts a document under this name.
    let mut segments = name.rsplit('.').filter(|segment| *segment != "_source");
    let found = segments.find_map(|segment| {
        let plain = plain(segment);
        let words = Words::of(segment);
        let is_own = |word: &&str| *word == plain || words.has(word);
        let mut roles = ADDRESSES.iter();
        let found = roles.find(|(_, words)| words.iter().any(is_own));
        found.map(|(role, _)| *role)
    });
    let is_plain = || !name.contains('.') && PLAIN.contains(&plain(name).as_str());
    let found = found.or_else(|| is_plain().then_some(AddressRole::Source));
    if !name.split('.').any(|segment| segment == "reply") {
        return found;
    }
    // The ends of an answer are turned round.
    Some(match found? {
        AddressRole::Source => AddressRole::Destination,
        AddressRole::Destination => AddressRole::Own,
        role => role,
    })
}

/// What is translated.
const NAT: [&str; 6] = ["nat", "xlate", "xlated", "mapped", "translated", "tran"];

/// The other side of a translation.
const DESTINATION: [&str; 4] = ["dst", "dest", "destination", "dstip"];

/// Names that mean an address and no more: that of whom the row is about.
const PLAIN: [&str; 8] = [
    "ip",
    "addr",
    "address",
    "ipaddress",
    "ipaddr",
    "ipaddressv4",
    "ipv4",
    "ipv6",
];

fn time_of(plain: &str, last: &str) -> Option<TimeRole> {
    let level = |levels: &[&[&str]]| levels.iter().position(|own| own.contains(&plain));
    if let Some(level) = level(&EVENTS) {
        return Some(TimeRole::Event(u8::try_from(level).unwrap_or(u8::MAX)));
    }
    let words = Words::of(last);
    let is_seen = |names: &&[&str]| {
        let mut names = names.iter();
        names.any(|own| plain == *own || plain.ends_with(own) && own.len() > 5)
    };
    if let Some(which) = SEEN.iter().position(is_seen) {
        return Some(TimeRole::Seen(which == 1));
    }
    if let Some(level) = level(&SPANS) {
        return Some(TimeRole::Span(u8::try_from(level).unwrap_or(u8::MAX)));
    }
    if OTHER_TIMES.iter().any(|own| words.has(own)) {
        return Some(TimeRole::Other);
    }
    let is_of_time = TIME_WORDS.iter().any(|own| words.has(own))
        || plain.ends_with("time")
        || plain.ends_with("timestamp")
        || plain.ends_with("datetime");
    if !is_of_time {
        return None;
    }
    let is_of = |names: &&[&str]| {
        let mut names = names.iter();
        names.any(|own| words.has(own) || plain.starts_with(own))
    };
    Some(match SPANS.iter().position(is_of) {
        Some(level) => TimeRole::Span(u8::try_from(level).unwrap_or(u8::MAX)),
        None => TimeRole::Event(3),
    })
}

/// A name in small letters, without signs.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The words of a name: `srcIpAddress`, `src_ip`, `source-ip`.
struct Words(Vec<String>);

impl Words {
    fn of(name: &str) -> Self {
        let mut words = vec![String::new()];
        let mut before = ' ';
        for letter in name.chars() {
            let is_new = !letter.is_ascii_alphanumeric()
                || letter.is_ascii_uppercase() && before.is_ascii_lowercase();
            if is_new && words.last().is_some_and(|word| !word.is_empty()) {
                if words.len() == MOST_WORDS {
                    break;
                }
                words.push(String::new());
            }
            if let Some(word) = words.last_mut().filter(|_| letter.is_ascii_alphanumeric()) {
                word.push(letter.to_ascii_lowercase());
            }
            before = letter;
        }
        words.retain(|word| !word.is_empty());
        Self(words)
    }

    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|own| own == word)
    }

    fn last(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_times_are_told_apart() {
        let event = |names: &[&str]| {
            for name in names {
                let role = role_of_name(name);
                assert!(
                    matches!(role, FieldRole::Time(TimeRole::Event(_))),
                    "{name} {role:?}"
                );
            }
        };
        event(&[
            "eventTime",
            "@timestamp",
            "timestamp",
            "time",
            "ts",
            "_time",
            "__REALTIME_TIMESTAMP",
            "UtcTime",
            "rt",
            "eventtime",
            "event_time",
            "System.TimeCreated.SystemTime",
            "t.$date",
            "createdDateTime",
            "Event Time",
            "date",
            "log_timestamp",
        ]);
        for name in [
            "exp",
            "notAfter",
            "build_date",
            "expires_at",
            "password_time",
            "_SOURCE_MONOTONIC_TIMESTAMP",
            "uptime",
        ] {
            assert_eq!(
                role_of_name(name),
                FieldRole::Time(TimeRole::Other),
                "{name}"
            );
        }
        for name in [
            "start",
            "session_start_time",
            "firstSeen",
            "end_time",
            "last_seen",
        ] {
            assert!(
                matches!(
                    role_of_name(name),
                    FieldRole::Time(TimeRole::Span(_) | TimeRole::Seen(_))
                ),
                "{name}"
            );
        }
        for name in [
            "id",
            "bytes",
            "seq",
            "phone",
            "flow_id",
            "account",
            "message",
            "runtime_id",
        ] {
            assert!(!matches!(role_of_name(name), FieldRole::Time(_)), "{name}");
        }
    }

    #[test]
    fn names_say_whose_address_it_is() {
        for (role, names) in [
            (
                AddressRole::Source,
                &[
                    "src",
                    "SRC",
                    "srcip",
                    "source.ip",
                    "client_ip",
                    "ClientIP",
                    "c-ip",
                    "id.orig_h",
                    "remote_addr",
                    "rhost",
                    "callerIpAddress",
                    "actor.ip",
                ][..],
            ),
            (
                AddressRole::Destination,
                &[
                    "DST",
                    "dstip",
                    "destination.ip",
                    "dest_ip",
                    "id.resp_h",
                    "server.ip",
                    "upstream_addr",
                    "target",
                ],
            ),
            (
                AddressRole::Own,
                &[
                    "host.ip",
                    "observer.ip",
                    "s-ip",
                    "source.nat.ip",
                    "dvc",
                    "laddr",
                    "NAT Source IP",
                    "agent.ip",
                ],
            ),
            (AddressRole::Proxy, &["proxy_ip", "via"]),
        ] {
            for name in names {
                assert_eq!(role_of_name(name), FieldRole::Address(role), "{name}");
            }
        }
        assert_eq!(role_of_name("X-Forwarded-For"), FieldRole::Forwarded);
        assert_eq!(role_of_name("tz"), FieldRole::Zone);
        assert_eq!(role_of_name("agentVersion"), FieldRole::Version);
        for name in ["message", "note", "count"] {
            assert_eq!(role_of_name(name), FieldRole::Other, "{name}");
        }
    }
}
