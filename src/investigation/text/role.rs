//! What the names of fields mean. One table, for keys, heads, members of JSON, and words in prose.

mod kinds;
mod names;

pub use kinds::{AddressRole, FieldRole, TimeRole};
use names::{
    ADDRESSES, AGENTS, DESTINATION, EVENTS, FORWARDED, HOSTS, HOSTS_WITH_VERSION, NAT, OTHER_TIMES,
    PLAIN, SEEN, SPANS, TIME_WORDS, USERS, VERSIONS, ZONES,
};

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
            .any(|text| plain == *text || plain.starts_with(text) && text.len() > 8)
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
        let is_nat = |text: &&str| words.has(text) || plain.starts_with(text);
        let is_other = |text: &&str| words.has(text) || plain.ends_with(text);
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

/// A name that tells little by itself: beside an address of a client it means something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakName {
    /// Of a user, or of a password.
    User,
    /// Of a host.
    Host,
    /// Of an address and no more.
    Plain,
}

/// Whether a name tells little by itself.
#[must_use]
pub fn weak_name(name: &str) -> Option<WeakName> {
    let last = plain(name.rsplit('.').next().unwrap_or(name));
    let has = |names: &[&str]| names.contains(&last.as_str());
    if has(&USERS) {
        Some(WeakName::User)
    } else if has(&HOSTS) {
        Some(WeakName::Host)
    } else {
        (has(&PLAIN) && !name.contains('.')).then_some(WeakName::Plain)
    }
}

fn time_of(plain: &str, last: &str) -> Option<TimeRole> {
    let level = |levels: &[&[&str]]| levels.iter().position(|texts| texts.contains(&plain));
    if let Some(level) = level(&EVENTS) {
        return Some(TimeRole::Event(u8::try_from(level).unwrap_or(u8::MAX)));
    }
    let words = Words::of(last);
    let is_seen = |names: &&[&str]| {
        let mut names = names.iter();
        names.any(|text| plain == *text || plain.ends_with(text) && text.len() > 5)
    };
    if let Some(which) = SEEN.iter().position(is_seen) {
        return Some(TimeRole::Seen(which == 1));
    }
    if let Some(level) = level(&SPANS) {
        return Some(TimeRole::Span(u8::try_from(level).unwrap_or(u8::MAX)));
    }
    if OTHER_TIMES.iter().any(|text| words.has(text)) {
        return Some(TimeRole::Other);
    }
    let is_of_time = TIME_WORDS.iter().any(|text| words.has(text))
        || plain.ends_with("time")
        || plain.ends_with("timestamp")
        || plain.ends_with("datetime");
    if !is_of_time {
        return None;
    }
    let is_of = |names: &&[&str]| {
        let mut names = names.iter();
        names.any(|text| words.has(text) || plain.starts_with(text))
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
        self.0.iter().any(|text| text == word)
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
