//! The tools: which command each of them is, and what it takes.

use std::{collections::HashSet, sync::Arc};

use bytes::Bytes;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::argument::{
    Argument,
    ArgumentKind::{
        Addresses, Choice, Feed as AFeed, Filter as AFilter, Pasted, Subject, Switch, Tag, Text,
    },
    ArgumentPlace::{Either, Input, Last, Option as Named, Under, Words},
    needed, number, optional, records, wrong,
};
use super::page::short;
use crate::{
    contract::Feed,
    engine::Result,
    model::{nearest, parse_address, visible},
    report::counted,
    store::Filter,
};

/// The rows of an answer where nobody says how many.
const USUAL: u64 = 25;
/// The most rows of an answer.
const MOST: u64 = 500;
/// The most queries of one call.
const MOST_QUERIES: u64 = 100;
/// How much of a name that is none comes back.
const NAMED: usize = 80;
/// The argument of tools that can send queries.
const SPEND: &str = "spend";

/// A tool.
#[derive(Debug)]
pub(super) struct ToolCommand {
    name: &'static str,
    about: &'static str,
    /// The command.
    words: &'static [&'static str],
    arguments: &'static [Argument],
    /// Whether it never touches the network. What does asks for what costs no query.
    pub(super) is_local: bool,
    /// Whether it changes nothing that a later call sees.
    reads_alone: bool,
    /// How it sends queries, where it can.
    sends: Option<Sends>,
}

/// What is typed where no query may be sent, and where some may.
#[derive(Debug)]
struct Sends {
    without: &'static [&'static str],
    with: &'static [&'static str],
}

const FEED: Argument = needed(
    "feed",
    AFeed,
    Last,
    "the feed, such as anonymous; `feeds` lists which are local",
);
const FILTER: Argument = optional(
    "filter",
    AFilter,
    Last,
    "which records: terms with AND, values with OR, a minus for NOT, as `tag:ACME_VPN cc:NL,DE -infra:DATACENTER clients>10 net:198.51.100.0/24`; fields are tag, type, cc, asn, org, infra, risk, service, behavior, proxy, device, entry, clients, net",
);
const DAY: Argument = optional(
    "day",
    Text,
    Named("--day"),
    "the local release of this day, as 2026-11-01 or -7d; else the newest",
);

/// All tools.
pub(super) const TOOLS: &[ToolCommand] = &[
    ToolCommand {
        name: "lookup",
        about: "What is known of addresses: VPN, proxy, Tor, hosting, callback proxies, clients, location, risks. From local feeds, without sending anything. Where none has a record, `searched` says which were looked in: that is not that the address is clean. With `spend` the service is asked for what neither a local feed nor the cache answers, a query each, after a person agreed.",
        words: &["lookup"],
        arguments: &[
            needed(
                "address",
                Addresses,
                Last,
                "an address, or a list of up to 100; defanged ones, too",
            ),
            optional(
                "day",
                Text,
                Either("--day", "--date"),
                "as of this day, as 2026-11-01 or -7d; else the newest",
            ),
        ],
        is_local: true,
        reads_alone: true,
        sends: Some(Sends {
            without: &["--source=local"],
            with: &["--source=auto"],
        }),
    },
    ToolCommand {
        name: "enrich",
        about: "Every address of a text, such as lines of a log: once each, with what is known of it and where it stands in the text. From local feeds, without sending anything. With `spend` the service is asked for the rest, those with most lines first, after a person agreed.",
        words: &["enrich"],
        arguments: &[
            needed(
                "text",
                Pasted,
                Input,
                "the text itself, up to 1 MiB; for more a person runs `ipspect enrich FILE`",
            ),
            optional(
                "filter",
                Text,
                Named("--filter"),
                "which addresses: as in search, and `lines>10`, `role:source`, `status:401`, `user:alice`",
            ),
            optional(
                "group",
                Text,
                Named("--group"),
                "how many addresses and lines by this: `is` for VPN, proxy, hosting or unknown, tag, cc, asn, user, status",
            ),
            optional(
                "at_time",
                Switch,
                Named("--at-time"),
                "as of the UTC day of each event, too",
            ),
        ],
        is_local: true,
        reads_alone: true,
        sends: Some(Sends {
            without: &[],
            with: &[],
        }),
    },
    ToolCommand {
        name: "history",
        about: "How an address or a network changed over the local days, a row a stretch of days.",
        words: &["history"],
        arguments: &[
            needed("subject", Subject, Last, "an address or a network"),
            optional(
                "from",
                Text,
                Named("--from"),
                "the first day: 2026-11-01, -30d",
            ),
            optional("to", Text, Named("--to"), "the last day; else today"),
            optional("feed", AFeed, Named("--feed"), "this feed alone"),
        ],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "search",
        about: "The records of a local feed that match a filter, or how many there are.",
        words: &["search"],
        arguments: &[
            FEED,
            FILTER,
            DAY,
            optional("count", Switch, Named("--count"), "their number alone"),
        ],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "facets",
        about: "The values of a field among the records that match, each with the number of records, the most frequent first.",
        words: &["search"],
        arguments: &[
            FEED,
            needed(
                "field",
                Text,
                Named("--facet"),
                "tag, type, cc, asn, org, infra, risk, proxy, behavior, device, or a path such as location.city",
            ),
            FILTER,
            DAY,
        ],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "diff",
        about: "The records that were added, removed and changed between two local days of a feed.",
        words: &["diff"],
        arguments: &[
            FEED,
            optional(
                "from",
                Text,
                Named("--from"),
                "the old day; else the local one before the new one",
            ),
            optional(
                "to",
                Text,
                Named("--to"),
                "the new day; else the newest local one",
            ),
            optional("filter", AFilter, Named("--filter"), "only these records"),
            optional(
                "summary",
                Switch,
                Named("--summary"),
                "counts by operator and country alone",
            ),
        ],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "common",
        about: "What the records that match a filter share, and the rest of their feed does not.",
        words: &["common"],
        arguments: &[needed(
            "records",
            AFilter,
            Under(""),
            "FEED:FILTER, as `anonymous:net:198.51.100.0/24`",
        )],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "explain",
        about: "What a field or a value means, by the contract of the service and in the local feeds.",
        words: &["explain"],
        arguments: &[needed(
            "word",
            Text,
            Last,
            "a field or a value, such as CALLBACK_PROXY or client.spread",
        )],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "match",
        about: "Which addresses are in two sets of records: in both, in either, or in the first alone; the fewest networks.",
        words: &["match"],
        arguments: &[
            needed("a", AFilter, Under(""), "FEED[@DAY]:FILTER"),
            needed("b", AFilter, Under(""), "FEED[@DAY]:FILTER"),
            optional(
                "operation",
                Choice(&[
                    ("intersect", &["--intersect"]),
                    ("union", &["--union"]),
                    ("subtract", &["--subtract"]),
                ]),
                Words,
                "what is wanted of them; in both without it",
            ),
        ],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "blocklist",
        about: "What a list of these records to block by would be, and who would be hurt by it. Writes nothing.",
        words: &["blocklist", "--check"],
        arguments: &[FEED, FILTER, DAY],
        is_local: true,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "watch",
        about: "What is watched, or what changed there: `check` looks at new releases, and what it tells is told once all of it was read; `told` lists what was told.",
        words: &["watch"],
        arguments: &[needed(
            "what",
            Choice(&[
                ("list", &["list"]),
                ("check", &["check"]),
                ("told", &["check", "--told"]),
            ]),
            Words,
            "what is wanted",
        )],
        is_local: true,
        reads_alone: false,
        sends: None,
    },
    ToolCommand {
        name: "tag",
        about: "The metadata of a tag of a service, such as ACME_VPN. Asks the service, which costs no query.",
        words: &["tag"],
        arguments: &[needed("tag", Tag, Last, "the tag")],
        is_local: false,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "status",
        about: "The balance of the token and what each host said of it. Asks the service, which costs no query.",
        words: &["status"],
        arguments: &[],
        is_local: false,
        reads_alone: true,
        sends: None,
    },
    ToolCommand {
        name: "feeds",
        about: "Which feeds there are, and which releases are local; or all about one. Asks the service, which costs no query.",
        words: &["feeds"],
        arguments: &[optional("feed", AFeed, Under("info"), "this feed alone")],
        is_local: false,
        reads_alone: true,
        sends: None,
    },
];

/// A call that can be run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The command as it is typed.
    pub(super) words: Vec<String>,
    /// The records of a release that are asked about.
    pub(super) selects: Option<(Feed, Option<String>, Filter)>,
    /// Rows to pass over, and how many to give.
    pub(super) offset: usize,
    pub(super) limit: usize,
    /// The most queries that may be sent.
    pub(super) spend: u64,
    /// What is read in place of standard input.
    pub(super) text: Option<Bytes>,
    /// The options of the command, each with the argument that it is here.
    pub(super) options: Vec<(&'static str, &'static str)>,
}

impl ToolCommand {
    /// The tool of a name.
    ///
    /// # Errors
    /// What there is in its place.
    pub(super) fn named(name: &str) -> std::result::Result<&'static Self, String> {
        let names = || TOOLS.iter().map(|tool| tool.name);
        let found = TOOLS.iter().find(|tool| tool.name == name);
        found.ok_or_else(|| match nearest(name, names()) {
            Some(near) => format!("there is no tool {:?}; {near} is one", short(name, NAMED)),
            None => format!(
                "there is no tool {:?}; there are {}",
                short(name, NAMED),
                names().collect::<Vec<_>>().join(", ")
            ),
        })
    }

    /// The tool as clients are told.
    pub(super) fn described(&'static self, may_spend: bool) -> Tool {
        let mut properties = Map::new();
        for argument in self.arguments {
            properties.insert(argument.name.to_owned(), argument.schema());
        }
        let limit = format!("at most so many rows, {USUAL} without it, {MOST} at most");
        let mut limit = number(&limit, 1);
        limit["maximum"] = MOST.into();
        properties.insert("limit".to_owned(), limit);
        properties.insert(
            "offset".to_owned(),
            number("rows to pass over: the `next` of the answer before", 0),
        );
        if self.sends.is_some() {
            let about = format!(
                "the most paid queries that this call may send, {MOST_QUERIES} at most; a person is asked first. All of it belongs to the first page, those that follow are free. None without it, and where the server was started without --spend"
            );
            let mut spend = number(&about, 0);
            spend["maximum"] = MOST_QUERIES.into();
            properties.insert(SPEND.to_owned(), spend);
        }
        let needed: Vec<&str> = self
            .arguments
            .iter()
            .filter(|argument| argument.is_needed)
            .map(|argument| argument.name)
            .collect();
        let input = json!({
            "type": "object",
            "properties": properties,
            "required": needed,
            "additionalProperties": false,
        });
        let hints = ToolAnnotations::new()
            .read_only(self.reads_alone && !(may_spend && self.sends.is_some()))
            .destructive(false)
            .open_world(!self.is_local || may_spend && self.sends.is_some());
        let mut tool = Tool::new(self.name, self.about, object(input));
        tool.output_schema = Some(object(output()));
        tool.annotations = Some(hints);
        tool
    }

    /// The options of the command, each with the argument that it is here.
    fn options(&self) -> Vec<(&'static str, &'static str)> {
        let of = |argument: &'static Argument| match argument.place {
            Named(option) | Either(option, _) => Some((option, argument.name)),
            _ => None,
        };
        self.arguments.iter().filter_map(of).collect()
    }

    /// The command for these arguments.
    ///
    /// # Errors
    /// [`Kind::Usage`] with what to do.
    pub(super) fn asked(&self, given: &JsonObject) -> Result<Asked> {
        let known = || {
            self.arguments
                .iter()
                .map(|argument| argument.name)
                .chain(["limit", "offset"])
                .chain(self.sends.as_ref().map(|_| SPEND))
        };
        for name in given.keys() {
            if !known().any(|own| own == name) {
                let near = nearest(name, known());
                let hint = near.map_or_else(
                    || {
                        format!(
                            "{} takes {}",
                            self.name,
                            known().collect::<Vec<_>>().join(", ")
                        )
                    },
                    |near| format!("{near} is meant, perhaps"),
                );
                let name = short(name, NAMED);
                return Err(wrong(format!("{} takes no {name:?}", self.name)).hint(hint));
            }
        }
        let number = |name: &str, least: u64, most: u64, usual: u64| match given.get(name) {
            None | Some(Value::Null) => Ok(usual),
            Some(value) => value
                .as_u64()
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| {
                    let wrong = wrong(format!("{name} is a number from {least} to {most}"));
                    wrong.hint(format!("{usual} without it"))
                }),
        };
        let (asked, offset) = (
            number(SPEND, 0, MOST_QUERIES, 0)?,
            number("offset", 0, u64::MAX, 0)?,
        );
        // What a call sends it sends before its first page: those that follow show what is known by then.
        let spend = if offset == 0 { asked } else { 0 };
        let sending: &[&str] = match &self.sends {
            None => &[],
            Some(sends) if asked > 0 => sends.with,
            Some(sends) => sends.without,
        };
        let own = self.words.iter().chain(sending);
        let mut words: Vec<String> = own.map(|word| (*word).to_owned()).collect();
        let (mut last, mut pasted) = (Vec::new(), None);
        if asked > 0 {
            words.push(format!("--spend={spend}"));
        }
        for argument in self.arguments {
            let texts = match given.get(argument.name).filter(|value| !value.is_null()) {
                Some(value) => argument.texts(value)?,
                None if argument.is_needed => {
                    return Err(wrong(format!("{} needs {:?}", self.name, argument.name))
                        .hint(format!("{}: {}", argument.name, argument.about)));
                }
                None => continue,
            };
            match argument.place {
                Last => last.extend(texts),
                Named(option) if argument.kind == Switch => {
                    words.extend(texts.iter().map(|_| option.to_owned()));
                }
                Named(option) => words.extend(texts.iter().map(|text| format!("{option}={text}"))),
                Either(free, paid) => {
                    let option = if asked > 0 { paid } else { free };
                    words.extend(texts.iter().map(|text| format!("{option}={text}")));
                }
                Input => pasted = texts.into_iter().next().map(Bytes::from),
                Under("") => {
                    for text in texts {
                        last.push(records(&text)?);
                    }
                }
                Under(word) => {
                    words.push(word.to_owned());
                    last.extend(texts);
                }
                Words => words.extend(texts),
            }
        }
        words.push("--format=json".to_owned());
        if !last.is_empty() {
            // Nothing behind it is an option, whatever it begins with.
            words.push("--".to_owned());
            words.extend(last);
        }
        // A number is not read page by page.
        let is_number = words.iter().any(|word| word == "--count");
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Asked {
            selects: self.selects(given)?,
            words,
            offset: if is_number { 0 } else { place(offset) },
            limit: place(number("limit", 1, MOST, USUAL)?),
            spend,
            text: pasted,
            options: self.options(),
        })
    }
}

impl ToolCommand {
    /// The records of a release that its arguments name, if it is about such.
    fn selects(&self, given: &JsonObject) -> Result<Option<(Feed, Option<String>, Filter)>> {
        let takes = |name| self.arguments.iter().any(|argument| argument.name == name);
        if !(takes("feed") && takes("filter") && takes("day")) {
            return Ok(None);
        }
        let text = |name: &str| given.get(name).and_then(Value::as_str);
        let Some(feed) = text("feed").and_then(|name| name.parse().ok()) else {
            return Ok(None);
        };
        let filter = text("filter").unwrap_or_default().trim();
        Ok(Some((
            feed,
            text("day").map(str::to_owned),
            filter.parse()?,
        )))
    }
}

/// A call in words, for a person who is asked about it: what it is about, of which queries may be a part.
pub(super) fn in_words(given: &JsonObject) -> String {
    /// How many addresses are named.
    const NAMED: usize = 3;
    let text = |name: &str| given.get(name).and_then(Value::as_str);
    let all: Vec<&str> = match given.get("address") {
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(one)) => vec![one],
        _ => {
            let lines = text("text").unwrap_or_default().lines().count();
            return format!(
                "the addresses of a text of {}",
                counted(lines as u64, "line")
            );
        }
    };
    let parsed = all.into_iter().filter_map(|text| parse_address(text).ok());
    let mut known = HashSet::new();
    let different: Vec<String> = parsed
        .filter(|address| known.insert(*address))
        .map(|address| address.to_string())
        .collect();
    let of_day = text("day").map_or_else(String::new, |day| format!(" as of {}", visible(day)));
    let named = different[..different.len().min(NAMED)].join(", ");
    match different.len() {
        0..=NAMED => format!("{named}{of_day}"),
        more => format!("{more} addresses{of_day}, among them {named}"),
    }
}

/// What every answer is.
fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {"type": "object"}, "description": "as the command prints them in JSON; what failed has an error with a hint"},
            "next": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "the offset of the rows that follow, where there are more"},
            "notes": {"type": "array", "items": {"type": "string"}, "description": "what the command says beside them"},
            "code": {"type": "integer", "description": "the exit code of the command: 0 done, 11 something changed, else why not"},
            "budget": {"type": "integer", "description": "the paid queries that this server may still send"},
        },
        "required": ["rows", "next", "notes", "code", "budget"],
        "additionalProperties": false,
    })
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

#[cfg(test)]
mod tests;
