//! The table of forms: how each consumer reads an entry, and what is around the entries.

use std::path::Path;

use ipnet::IpNet;

/// What sets are called that have no name.
const OWN_NAME: &str = "ipspect";

/// A form of lists. Its texts are templates; [`BlockList`](super::BlockList) knows what is in braces.
#[derive(Debug)]
pub struct BlockForm {
    /// As it is typed.
    pub name: &'static str,
    /// Who reads it.
    pub about: &'static str,
    /// What a comment begins with; none where there are no comments in lines of their own.
    pub(super) comment: Option<&'static str>,
    /// At the beginning of the file.
    pub(super) head: &'static str,
    /// Before and after the entries of each family.
    pub(super) opening: &'static str,
    pub(super) closing: &'static str,
    /// At the end of the file.
    pub(super) tail: &'static str,
    /// An entry.
    pub(super) entry: &'static str,
    /// An entry that ends, where the consumer knows such.
    pub(super) expiring: Option<&'static str>,
    pub(super) lines: EntryLines,
    /// What `{action}` is where none is asked for; none where entries have no action.
    pub action: Option<&'static str>,
    /// The most bytes of the name of a set.
    pub most_name: usize,
    /// Names that the consumer takes for something else.
    pub reserved: &'static [&'static str],
    /// The most seconds until an entry ends.
    pub most_seconds: u64,
    /// The most entries; none where only the consumer has a limit.
    pub most_entries: Option<usize>,
    /// Whether each entry is one address.
    pub of_addresses: bool,
    /// The command that finds faults in a file, and the one that begins to use it.
    pub check: &'static str,
    pub apply: &'static str,
}

/// How entries are laid out in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryLines {
    /// Entries in a line.
    pub(super) most: usize,
    pub(super) begin: &'static str,
    pub(super) between: &'static str,
    pub(super) end: &'static str,
}

/// A network in each line and nothing else.
const PLAIN: BlockForm = BlockForm {
    name: "plain",
    about: "a network in each line: HAProxy -f, Squid, ModSecurity, pf, grepcidr, iprange",
    comment: Some("#"),
    head: "",
    opening: "",
    closing: "",
    tail: "",
    entry: "{network}",
    expiring: None,
    lines: EntryLines {
        most: 1,
        begin: "",
        between: "",
        end: "\n",
    },
    action: None,
    most_name: 200,
    reserved: &[],
    most_seconds: u64::MAX,
    most_entries: None,
    of_addresses: false,
    check: "grepcidr -f {file} /dev/null",
    apply: "reload its reader: `squid -k reconfigure`, `pfctl -t {name} -T replace -f {file}`",
};

/// Entries of an array of JSON, one in a line.
const IN_AN_ARRAY: EntryLines = EntryLines {
    most: usize::MAX,
    begin: "",
    between: ",\n",
    end: "\n",
};

/// An indicator, with what is said of its end. Versions of an object have one time of creation, which the feed does not say: the epoch. One
/// with another end is another version, which readers know by its time.
macro_rules! stix {
    ($until:literal) => {
        concat!(
            r#"{"type":"indicator","spec_version":"2.1","id":"indicator--{uuid}","created":"1970-01-01T00:00:00.000Z","#,
            r#""modified":"{modified}","name":"{network} of {source}","indicator_types":["anonymization"],"#,
            r#""pattern":"[ipv{family}-addr:value {pattern}]","pattern_type":"stix","valid_from":"{day}T00:00:00.000Z""#,
            $until,
            "}"
        )
    };
}

/// An attribute of an event, with what is said of its end.
macro_rules! misp {
    ($until:literal) => {
        concat!(
            r#"{"uuid":"{uuid}","type":"ip-dst","category":"Network activity","to_ids":true,"#,
            r#""timestamp":"{seconds_modified}","value":"{network}""#,
            $until,
            "}"
        )
    };
}

/// Lists of networks with what is known of all of them.
const CSV: BlockForm = BlockForm {
    name: "csv",
    about: "columns network,feed,release,until: PostgreSQL, scripts",
    comment: None,
    head: "network,feed,release,until\n",
    entry: "{cidr},{feed},{release},{until}",
    check: "head -n 3 {file}",
    apply: "in psql: BEGIN; TRUNCATE the table; \\copy it from the file with csv header; COMMIT",
    ..PLAIN
};

/// All forms.
pub static BLOCK_FORMS: [BlockForm; 14] = [
    PLAIN,
    BlockForm {
        name: "edl",
        about: "the same without comments: Palo Alto, FortiGate, Juniper, OPNsense",
        comment: None,
        check: "wc -l {file}: what is beyond the limit of the model is cut in silence",
        apply: "serve it by HTTPS where the device fetches it",
        ..PLAIN
    },
    BlockForm {
        name: "nft",
        about: "sets NAME4 and NAME6 of the nftables table inet ipspect, replaced whole",
        opening: "add table inet ipspect\n\
            add set inet ipspect {name}{family} { type ipv{family}_addr; flags interval,timeout; }\n\
            flush set inet ipspect {name}{family}\n",
        expiring: Some("{network} timeout {seconds}s"),
        lines: EntryLines {
            // A tenth of that in a line takes four times as long to load.
            most: 1000,
            begin: "add element inet ipspect {name}{family} { ",
            between: ", ",
            end: " }\n",
        },
        // With the family behind them they are words of nft.
        reserved: &["ip", "icmpv"],
        most_seconds: 86_400_000,
        check: "nft -c -f {file}",
        apply: "nft -f {file}",
        ..PLAIN
    },
    BlockForm {
        name: "ipset",
        about: "sets NAME4 and NAME6 of ipset, swapped in whole: iptables, firewalld",
        opening: "create {name}{family} hash:net family {inet} maxelem 4294967295 timeout 0\n\
            create {name}{family}.new hash:net family {inet} maxelem 4294967295 timeout 0\n\
            flush {name}{family}.new\n",
        closing: "swap {name}{family} {name}{family}.new\n\
            destroy {name}{family}.new\n",
        entry: "add {name}{family}.new {network}",
        expiring: Some("add {name}{family}.new {network} timeout {seconds}"),
        // Of 31, with the family and `.new`.
        most_name: 26,
        most_seconds: 2_147_483,
        check: "unshare -Urn ipset -exist restore -f {file}",
        apply: "ipset -exist restore -f {file}",
        ..PLAIN
    },
    BlockForm {
        name: "nginx",
        about: "the inside of a geo block: geo $listed { default 0; include FILE; }",
        entry: "{network} 1;",
        check: "nginx -t",
        apply: "nginx -s reload",
        ..PLAIN
    },
    BlockForm {
        name: "haproxy-map",
        about: "a map from network to day, for map_ip: why, in the log",
        entry: "{network} {day}",
        check: "haproxy -c -f haproxy.cfg",
        apply: "reload haproxy, or `prepare map`, `add map` and `commit map` on its socket",
        ..PLAIN
    },
    BlockForm {
        name: "postfix",
        about: "a cidr: table of Postfix, for check_client_access",
        entry: "{network} {action}",
        action: Some("REJECT"),
        check: "postmap -q 198.51.100.7 cidr:{file}",
        apply: "postfix reload",
        ..PLAIN
    },
    BlockForm {
        name: "rpz",
        about: "a response policy zone by addresses of answers: BIND, Unbound, PowerDNS; Knot Resolver takes them for names",
        comment: Some(";"),
        head: "$TTL 300\n\
            @ SOA localhost. hostmaster.localhost. {serial} 3600 600 86400 300\n\
            @ NS localhost.\n",
        entry: "{rpz} CNAME {action}",
        action: Some("."),
        check: "named-checkzone {name} {file}",
        apply: "rndc reload {name} (BIND takes a second change after a minute), unbound-control auth_zone_reload {name}, or rec_control reload-lua-config, then rec_control wipe-cache $",
        ..PLAIN
    },
    BlockForm {
        name: "mikrotik",
        about: "an address list of RouterOS",
        entry: "/{ip} firewall address-list add list={name} address={network}",
        expiring: Some(
            "/{ip} firewall address-list add list={name} address={network} timeout={seconds}s",
        ),
        check: "on the router: /import file-name={file} verbose=yes dry-run",
        apply: "on the router: /import file-name={file}, into a list that no rule uses yet; then switch the rule",
        ..PLAIN
    },
    CSV,
    BlockForm {
        name: "splunk",
        about: "the same columns as a lookup of Splunk with match_type = CIDR(network)",
        apply: "upload it as a lookup",
        ..CSV
    },
    BlockForm {
        name: "stix",
        about: "a bundle of indicators of STIX 2.1: Sentinel, OpenCTI, TAXII; for MISP take misp",
        comment: None,
        head: "{\"type\":\"bundle\",\"id\":\"bundle--{list}\",\"objects\":[\n",
        tail: "]}\n",
        entry: stix!(""),
        expiring: Some(stix!(",\"valid_until\":\"{until}\"")),
        lines: IN_AN_ARRAY,
        check: "stix2_validator {file}",
        apply: "import it as a bundle: what it has is replaced by its ids",
        ..PLAIN
    },
    BlockForm {
        name: "misp",
        about: "an event of MISP, its addresses as ip-dst",
        comment: None,
        head: "{\"Event\":{\"uuid\":\"{list}\",\"info\":\"{name} of {source}\",\"date\":\"{day}\",\"timestamp\":\"{seconds_modified}\",\
            \"analysis\":\"2\",\"threat_level_id\":\"4\",\"distribution\":\"0\",\"published\":false,\
            \"Orgc\":{\"name\":\"ipspect\",\"uuid\":\"{maker}\"},\"Attribute\":[\n",
        tail: "]}}\n",
        entry: misp!(""),
        expiring: Some(misp!(
            ",\"first_seen\":\"{day}T00:00:00+00:00\",\"last_seen\":\"{until}\""
        )),
        lines: IN_AN_ARRAY,
        check: "python3 -c 'import pymisp; pymisp.MISPEvent().load_file(\"{file}\")'",
        apply: "in MISP: Add Event, Populate from, MISP JSON; or serve it beside its manifest.json",
        ..PLAIN
    },
    BlockForm {
        name: "ecs",
        about: "indicators of Elastic's common schema, an address in each line of JSON",
        comment: None,
        entry: "{\"@timestamp\":\"{day}T00:00:00.000Z\",\"event\":{\"id\":\"{uuid}\",\"kind\":\"enrichment\",\"category\":[\"threat\"],\
            \"type\":[\"indicator\"]},\"threat\":{\"feed\":{\"name\":\"{feed}\"},\"indicator\":{\"type\":\"ipv{family}-addr\",\"ip\":\"{network}\",\
            \"provider\":\"ipspect\",\"modified_at\":\"{day}T00:00:00.000Z\"}}}",
        // A field of this schema is one address, and no rule compares it with a network.
        most_entries: Some(1_000_000),
        of_addresses: true,
        check: "head -n 1 {file} | python3 -m json.tool",
        apply: "index it with event.id as the _id of each document",
        ..PLAIN
    },
];

/// How many addresses a network has; one too few for all of IPv6.
#[must_use]
pub(super) fn addresses(network: IpNet) -> u128 {
    let bits = network.max_prefix_len() - network.prefix_len();
    1_u128.checked_shl(bits.into()).unwrap_or(u128::MAX)
}

impl BlockForm {
    /// The form of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        BLOCK_FORMS.iter().find(|form| form.name == name)
    }

    /// How many entries a list of these networks has.
    ///
    /// # Errors
    /// The number, where it cannot hold so many.
    pub fn count(&self, networks: impl Iterator<Item = IpNet>) -> Result<usize, u128> {
        let each = networks.map(|network| {
            if self.of_addresses {
                addresses(network)
            } else {
                1
            }
        });
        let number = each.fold(0, u128::saturating_add);
        let most = self.most_entries.unwrap_or(usize::MAX);
        usize::try_from(number)
            .ok()
            .filter(|own| *own <= most)
            .ok_or(number)
    }

    /// The entries of a list of these networks.
    pub fn entries(&self, networks: impl Iterator<Item = IpNet>) -> impl Iterator<Item = IpNet> {
        networks.flat_map(|network| {
            let own = (!self.of_addresses).then_some(network);
            // The longest length is one of each family.
            let each = self
                .of_addresses
                .then(|| network.subnets(network.max_prefix_len()));
            own.into_iter()
                .chain(each.and_then(Result::ok).into_iter().flatten())
        })
    }

    /// Whether its consumer ends entries by itself.
    #[must_use]
    pub fn expires(&self) -> bool {
        self.expiring.is_some()
    }

    /// Whether its files say until when they hold, if only in a comment.
    #[must_use]
    pub fn says_end(&self) -> bool {
        self.expires() || self.comment.is_some() || self.entry.contains("{until}")
    }

    /// Whether something in the file or its commands has the name of the list.
    #[must_use]
    pub fn has_names(&self) -> bool {
        let texts = [self.head, self.opening, self.entry, self.check, self.apply];
        let has = |text: &&str| text.contains("{name}") || text.contains("{list}");
        texts.iter().any(has)
    }

    /// Whether a letter may be in the name of a set, whoever reads it.
    #[must_use]
    pub fn is_plain(letter: char) -> bool {
        letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
    }

    /// The most bytes of the name of a list, of whose parts each has a number behind it.
    #[must_use]
    pub fn longest_name(&self, is_parted: bool) -> usize {
        /// `-` and the number of a part.
        const PART: usize = 6;
        self.most_name - if is_parted { PART } else { 0 }
    }

    /// What the sets of a file are called where nobody says it.
    #[must_use]
    pub fn name_of(&self, file: &Path, is_parted: bool) -> String {
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.filter(|_| file != Path::new("-")).unwrap_or(OWN_NAME);
        let plain = |letter| if Self::is_plain(letter) { letter } else { '_' };
        let name: String = stem
            .chars()
            .map(plain)
            .skip_while(|letter| !letter.is_ascii_alphabetic())
            .take(self.longest_name(is_parted))
            .collect();
        if name.is_empty() || self.reserved.contains(&&*name) {
            return OWN_NAME.to_owned();
        }
        name
    }

    /// Whether an action can be written.
    #[must_use]
    pub fn takes(&self, action: &str) -> bool {
        let is_line = action.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let is_name = || {
            action.bytes().all(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'*' | b'-' | b'_')
            })
        };
        let is_zone = self.entry.contains(" CNAME ");
        self.action.is_some()
            && is_line
            && !action.trim().is_empty()
            && action.trim() == action
            && (!is_zone || is_name())
    }
}
