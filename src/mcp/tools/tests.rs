use super::*;
use crate::engine::Kind;
use crate::mcp::argument::LONGEST_PASTED;

fn asked(tool: &str, arguments: Value) -> Result<Asked> {
    let tool = ToolCommand::named(tool).expect("a tool");
    tool.asked(&object(arguments))
}

#[test]
fn arguments_are_the_words_of_a_command() {
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
            "lookup",
            json!({"address": "198.51.100.7", "day": "-7d", "spend": 2}),
            "lookup --source=auto --spend=2 --date=-7d --format=json -- 198.51.100.7",
        ),
        (
            "enrich",
            json!({"text": "x", "group": "is", "spend": 0, "at_time": true}),
            "enrich --group=is --at-time --format=json",
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
}

#[test]
fn no_argument_is_an_option_or_a_file_and_what_is_wrong_is_said() {
    for (tool, arguments, why) in [
        ("lookup", json!({"address": "-"}), "address"),
        ("lookup", json!({"address": "/etc/passwd"}), "address"),
        ("lookup", json!({"address": []}), "100"),
        (
            "lookup",
            json!({"address": "198.51.100.7", "spend": 101}),
            "from 0 to 100",
        ),
        (
            "lookup",
            json!({"address": "198.51.100.7", "spend": "1"}),
            "from 0 to 100",
        ),
        (
            "search",
            json!({"feed": "dch", "spend": 1}),
            "takes no \"spend\"",
        ),
        ("enrich", json!({}), "needs"),
        (
            "enrich",
            json!({"text": "x".repeat(LONGEST_PASTED + 1)}),
            "enrich FILE",
        ),
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
        let described = tool.described(false);
        let input = Value::Object(described.input_schema.as_ref().clone());
        assert_eq!(input["additionalProperties"], json!(false), "{}", tool.name);
        let properties = input["properties"].as_object().expect("an object");
        assert!(
            properties
                .values()
                .all(|schema| schema["description"].is_string())
        );
        // What may be paid for is not only read, where some may be.
        let reads = |may_spend| {
            tool.described(may_spend)
                .annotations
                .and_then(|hints| hints.read_only_hint)
        };
        let can_send = ["lookup", "enrich"].contains(&tool.name);
        assert_eq!(properties.contains_key("spend"), can_send, "{}", tool.name);
        assert_eq!(reads(true), reads(false).map(|alone| alone && !can_send));
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
