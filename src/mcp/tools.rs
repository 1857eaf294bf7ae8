//! The tools: which command each of them is, and what it takes.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::{
    contract::Feed,
    engine::{Error, Kind, Result},
    model::{TagName, nearest, parse_address, parse_subject},
    store::Filter,
};

/// The rows of an answer where nobody says how many.
const USUAL: usize = 25;
/// The most rows of an answer.
const MOST: usize = 500;
/// The longest text of an argument, in bytes.
const LONGEST: usize = 4096;
/// The most addresses of one call.
const MOST_ADDRESSES: usize = 100;

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArgumentKind {
    /// One address, or a list of them.
    Addresses,
    /// An address or a network.
    Subject,
    Feed,
    Filter,
    Tag,
    /// A day, a field, a word: the command says what is wrong with it.
    Text,
    /// One of these, each with the words that it stands for.
    Choice(&'static [(&'static str, &'static [&'static str])]),
    /// Whether an option is given.
    Switch,
}

/// Where an argument is on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArgumentPlace {
    /// Behind all options, in the order of the table.
    Last,
    /// The value of this option.
    Option(&'static str),
    /// Behind this word, which is there with it alone.
    Under(&'static str),
    /// The words that it stands for.
    Words,
}

use ArgumentKind::{
    Addresses, Choice, Feed as AFeed, Filter as AFilter, Subject, Switch, Tag, Text,
};
use ArgumentPlace::{Last, Option as Named, Under, Words};

#[derive(Debug)]
struct Argument {
    name: &'static str,
    kind: ArgumentKind,
    place: ArgumentPlace,
    is_needed: bool,
    about: &'static str,
}

const fn needed(
    name: &'static str,
    kind: ArgumentKind,
    place: ArgumentPlace,
    about: &'static str,
) -> Argument {
    Argument {
        name,
        kind,
        place,
        is_needed: true,
        about,
    }
}

const fn optional(
    name: &'static str,
    kind: ArgumentKind,
    place: ArgumentPlace,
    about: &'static str,
) -> Argument {
    Argument {
        is_needed: false,
        ..needed(name, kind, place, about)
    }
}

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
        about: "What is known of addresses: VPN, proxy, Tor, hosting, callback proxies, clients, location, risks. From local feeds; sends nothing. Where no local feed has a record, `searched` says which were looked in: that is not that the address is clean.",
        words: &["lookup", "--source=local"],
        arguments: &[
            needed(
                "address",
                Addresses,
                Last,
                "an address, or a list of up to 100; defanged ones, too",
            ),
            DAY,
        ],
        is_local: true,
        reads_alone: true,
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
    },
    ToolCommand {
        name: "blocklist",
        about: "What a list of these records to block by would be, and who would be hurt by it. Writes nothing.",
        words: &["blocklist", "--check"],
        arguments: &[FEED, FILTER, DAY],
        is_local: true,
        reads_alone: true,
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
    },
    ToolCommand {
        name: "tag",
        about: "The metadata of a tag of a service, such as ACME_VPN. Asks the service, which costs no query.",
        words: &["tag"],
        arguments: &[needed("tag", Tag, Last, "the tag")],
        is_local: false,
        reads_alone: true,
    },
    ToolCommand {
        name: "status",
        about: "The balance of the token and what each host said of it. Asks the service, which costs no query.",
        words: &["status"],
        arguments: &[],
        is_local: false,
        reads_alone: true,
    },
    ToolCommand {
        name: "feeds",
        about: "Which feeds there are, and which releases are local; or all about one. Asks the service, which costs no query.",
        words: &["feeds"],
        arguments: &[optional("feed", AFeed, Under("info"), "this feed alone")],
        is_local: false,
        reads_alone: true,
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
            Some(near) => format!("there is no tool {name:?}; {near} is one"),
            None => format!(
                "there is no tool {name:?}; there are {}",
                names().collect::<Vec<_>>().join(", ")
            ),
        })
    }

    /// The tool as clients are told.
    pub(super) fn described(&'static self) -> Tool {
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
            .read_only(self.reads_alone)
            .destructive(false)
            .open_world(!self.is_local);
        let mut tool = Tool::new(self.name, self.about, object(input));
        tool.output_schema = Some(object(output()));
        tool.annotations = Some(hints);
        tool
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
                return Err(wrong(format!("{} takes no {name:?}", self.name)).hint(hint));
            }
        }
        let (mut words, mut last) = (
            self.words
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>(),
            Vec::new(),
        );
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
        let number = |name: &str, least: usize, most: usize, usual: usize| match given.get(name) {
            None | Some(Value::Null) => Ok(usual),
            Some(value) => {
                let number = value
                    .as_u64()
                    .and_then(|number| usize::try_from(number).ok());
                let number = number.filter(|number| (least..=most).contains(number));
                number.ok_or_else(|| wrong(format!("{name} is a number from {least} to {most}")))
            }
        };
        // A number is not read page by page.
        let is_number = words.iter().any(|word| word == "--count");
        let offset = number("offset", 0, usize::MAX, 0)?;
        Ok(Asked {
            selects: self.selects(given)?,
            words,
            offset: if is_number { 0 } else { offset },
            limit: number("limit", 1, MOST, USUAL)?,
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

impl Argument {
    fn schema(&self) -> Value {
        match self.kind {
            Addresses => json!({
                "description": self.about,
                "anyOf": [
                    {"type": "string"},
                    {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_ADDRESSES},
                ],
            }),
            AFeed => {
                let names: Vec<&str> = Feed::all().map(Feed::name).collect();
                json!({"type": "string", "enum": names, "description": self.about})
            }
            Choice(words) => {
                let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
                json!({"type": "string", "enum": names, "description": self.about})
            }
            Switch => json!({"type": "boolean", "description": self.about}),
            Subject | AFilter | Tag | Text => json!({"type": "string", "description": self.about}),
        }
    }

    /// What is on the command line for a value.
    fn texts(&self, value: &Value) -> Result<Vec<String>> {
        let is = |what: &str| wrong(format!("{} is {what}", self.name)).hint(self.about);
        if self.kind == Switch {
            let is_given = value.as_bool().ok_or_else(|| is("true or false"))?;
            return Ok(is_given.then(String::new).into_iter().collect());
        }
        let values: Vec<&str> = match value {
            Value::String(text) => vec![text],
            Value::Array(all) if self.kind == Addresses => {
                let texts: Option<Vec<&str>> = all.iter().map(Value::as_str).collect();
                texts
                    .filter(|all| (1..=MOST_ADDRESSES).contains(&all.len()))
                    .ok_or_else(|| is("a list of up to 100 addresses"))?
            }
            _ => return Err(is("a text")),
        };
        let mut texts = Vec::new();
        for text in values {
            if text.len() > LONGEST {
                return Err(is("a text of at most 4,096 bytes"));
            }
            texts.extend(self.checked(text)?);
        }
        Ok(texts)
    }

    /// The words for a text, after it was checked for what the argument is: the name of a file, or `-`, is no address, feed or tag.
    fn checked(&self, text: &str) -> Result<Vec<String>> {
        let bad =
            |why: &dyn std::fmt::Display| wrong(format!("{}: {why}", self.name)).hint(self.about);
        let same = || vec![text.to_owned()];
        match self.kind {
            Addresses => parse_address(text).map(|_| same()).map_err(|why| bad(&why)),
            Subject => parse_subject(text).map(|_| same()).map_err(|why| bad(&why)),
            AFeed => text
                .parse::<Feed>()
                .map(|_| same())
                .map_err(|why| bad(&why)),
            AFilter if matches!(self.place, Under(_)) => Ok(same()),
            AFilter => match text.parse::<Filter>() {
                Ok(filter) if filter.is_empty() => Ok(Vec::new()),
                Ok(_) => Ok(same()),
                // Its hint says which fields there are, or what was meant.
                Err(why) => Err(why.into()),
            },
            Tag => TagName::new(text).map(|_| same()).map_err(|why| bad(&why)),
            Choice(words) => {
                let found = words.iter().find(|(name, _)| *name == text);
                let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
                let (_, words) =
                    found.ok_or_else(|| bad(&format!("one of {}", names.join(", "))))?;
                Ok(words.iter().map(|word| (*word).to_owned()).collect())
            }
            Switch | Text => Ok(same()),
        }
    }
}

/// `FEED:FILTER` or `FEED@DAY:FILTER`, which names no file.
fn records(text: &str) -> Result<String> {
    let head = text.split([':', '@']).next().unwrap_or_default();
    let is_of_feed = head.len() < text.len() && head.parse::<Feed>().is_ok();
    is_of_feed.then(|| text.to_owned()).ok_or_else(|| {
        wrong(format!("{text:?} names no records")).hint("FEED:FILTER, as anonymous:tag:ACME_VPN")
    })
}

fn wrong(message: String) -> Error {
    Error::new(Kind::Usage, message)
}

fn number(about: &str, least: u64) -> Value {
    json!({"type": "integer", "minimum": least, "description": about})
}

/// What every answer is.
fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {"type": "object"}, "description": "as the command prints them in JSON; what failed has an error with a hint"},
            "next": {"type": ["integer", "null"], "description": "the offset of the rows that follow, where there are more"},
            "notes": {"type": "array", "items": {"type": "string"}, "description": "what the command says beside them"},
            "code": {"type": "integer", "description": "the exit code of the command: 0 done, 11 something changed, else why not"},
        },
        "required": ["rows", "next", "notes", "code"],
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
mod tests {
    use super::*;

    fn asked(tool: &str, arguments: Value) -> Result<Asked> {
        let tool = ToolCommand::named(tool).expect("a tool");
        tool.asked(&object(arguments))
    }

    #[test]
    fn arguments_are_the_words_of_a_command_and_none_is_an_option_or_a_file() {
        for (tool, arguments, words) in [
            (
                "lookup",
                json!({"address": "198.51[.]100.7"}),
                "lookup --source=local --format=json -- 198.51[.]100.7",
            ),
            (
                "lookup",
                json!({"address": ["198.51.100.7", "2001:db8::7"], "day": "-7d"}),
                "lookup --source=local --day=-7d --format=json -- 198.51.100.7 2001:db8::7",
            ),
            (
                "search",
                json!({"feed": "anonymous", "filter": "-cc:NL", "count": true}),
                "search --count --format=json -- anonymous -cc:NL",
            ),
            (
                "search",
                json!({"feed": "anonymous", "filter": " ", "count": false}),
                "search --format=json -- anonymous",
            ),
            (
                "facets",
                json!({"feed": "dch", "field": "--count"}),
                "search --facet=--count --format=json -- dch",
            ),
            ("feeds", json!({}), "feeds --format=json"),
            (
                "feeds",
                json!({"feed": "dch"}),
                "feeds info --format=json -- dch",
            ),
            (
                "watch",
                json!({"what": "told"}),
                "watch check --told --format=json",
            ),
            (
                "match",
                json!({"a": "anonymous:", "b": "dch@-7d:cc:NL", "operation": "union"}),
                "match --union --format=json -- anonymous: dch@-7d:cc:NL",
            ),
        ] {
            assert_eq!(asked(tool, arguments).expect(words).words.join(" "), words);
        }
        for (tool, arguments, why) in [
            ("lookup", json!({"address": "-"}), "address"),
            ("lookup", json!({"address": "/etc/passwd"}), "address"),
            ("lookup", json!({"address": []}), "100"),
            ("lookup", json!({"address": 7}), "a text"),
            ("lookup", json!({}), "needs"),
            (
                "lookup",
                json!({"address": "198.51.100.7", "adress": "198.51.100.8"}),
                "takes no \"adress\"",
            ),
            ("history", json!({"subject": "-"}), "subject"),
            ("common", json!({"records": "-"}), "no records"),
            (
                "match",
                json!({"a": "/etc/passwd", "b": "anonymous:"}),
                "no records",
            ),
            ("blocklist", json!({"feed": "-"}), "feed"),
            ("blocklist", json!({"feed": "list.txt"}), "feed"),
            (
                "search",
                json!({"feed": "anonymous", "filter": "nosuch:1"}),
                "there are tag",
            ),
            ("search", json!({"feed": "anonymous", "limit": 501}), "500"),
            ("watch", json!({"what": "rm"}), "list, check, told"),
            ("tag", json!({"tag": "../x"}), "tag"),
        ] {
            let error = asked(tool, arguments.clone()).expect_err(why);
            let said = format!(
                "{} {}",
                error.message,
                error.hint.clone().unwrap_or_default()
            );
            assert!(
                error.kind == Kind::Usage && said.contains(why),
                "{arguments}: {error:?}"
            );
        }
    }

    #[test]
    fn each_tool_is_a_command_that_can_be_read_and_its_schemas_are_strict() {
        for tool in TOOLS {
            let described = tool.described();
            let input = Value::Object(described.input_schema.as_ref().clone());
            assert_eq!(input["additionalProperties"], json!(false), "{}", tool.name);
            let properties = input["properties"].as_object().expect("an object");
            assert!(
                properties
                    .values()
                    .all(|schema| schema["description"].is_string())
            );
            let text = format!(
                "{input}{}",
                Value::Object(described.output_schema.expect("one").as_ref().clone())
            );
            assert!(!text.contains("\"format\":\"int"), "{text}");
        }
        assert_eq!(
            ToolCommand::named("lookups").expect_err("no tool"),
            "there is no tool \"lookups\"; lookup is one"
        );
    }
}
