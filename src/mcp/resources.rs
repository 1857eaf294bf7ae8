//! What can be read by name: the vocabulary of the contract, the local feeds, the record of an address.

use std::io::Write;

use percent_encoding::percent_decode_str;
use rmcp::model::{JsonObject, Resource, ResourceTemplate};
use serde_json::{Value, json};

use super::{
    page::{Notes, Page, answer, short},
    tools::{Asked, ToolCommand},
};
use crate::{
    cli::{CommandEnd, Console, Exit, console::Caller},
    engine::{Error, Kind, Result},
    investigation::explanation::Explanation,
    report::{Results, Ticket, explanation_columns, explanation_rows},
};

/// The form of each: an object as tools answer.
pub(super) const JSON: &str = "application/json";
const VOCABULARY: &str = "ipspect://vocabulary";
const FEEDS: &str = "ipspect://feeds";
/// How much of a name that is none comes back.
const NAMED: usize = 80;
const RECORD: &str = "ipspect://record/";

/// What a name stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// All fields of the contract.
    Vocabulary,
    /// What a command prints, without sending anything.
    Command(Asked),
}

/// The names that are always there.
pub(super) fn all() -> Vec<Resource> {
    let resource = |uri: &str, name: &str, about: &str| {
        let resource = Resource::new(uri, name);
        resource.with_description(about).with_mime_type(JSON)
    };
    vec![
        resource(
            VOCABULARY,
            "vocabulary",
            "the fields of the contract with their values, and what they mean",
        ),
        resource(
            FEEDS,
            "feeds",
            "the feeds that there are, and which releases of them are local",
        ),
    ]
}

/// The names of many.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let record = ResourceTemplate::new(format!("{RECORD}{{address}}"), "record");
    let record = record.with_description("what the newest local feeds have about an address");
    vec![record.with_mime_type(JSON)]
}

impl Named {
    /// What a name stands for.
    ///
    /// # Errors
    /// [`Kind::NotFound`], and what is wrong with an address.
    pub(super) fn of(uri: &str) -> Result<Self> {
        let command = |tool: &str, given: JsonObject| {
            let tool = ToolCommand::named(tool);
            let tool = tool.map_err(|why| Error::new(Kind::NotFound, why))?;
            tool.asked(&given).map(Self::Command)
        };
        match uri {
            VOCABULARY => Ok(Self::Vocabulary),
            FEEDS => command("feeds", JsonObject::new()),
            _ => {
                let address = uri.strip_prefix(RECORD).ok_or_else(|| {
                    let message = format!("there is no resource {:?}", short(uri, NAMED));
                    Error::new(Kind::NotFound, message)
                })?;
                // Clients put the colons of IPv6 in with and without an escape.
                let address = percent_decode_str(address).decode_utf8_lossy();
                let given = [("address".to_owned(), json!(address))];
                command("lookup", given.into_iter().collect())
            }
        }
    }
}

/// All fields of the contract, as `explain` prints each.
///
/// # Errors
/// A row that cannot be put into words.
pub(super) fn vocabulary(is_demo: bool) -> Result<Value> {
    let (page, notes) = (Page::new(0, usize::MAX, true), Notes::default());
    let streams: (Box<dyn Write>, Box<dyn Write>) = (Box::new(page.clone()), Box::new(notes));
    let console = Console::of_streams(is_demo, streams, Caller::default());
    let all = Explanation::of_contract();
    let rows = explanation_rows(&all);
    let results = Results::table(explanation_columns(), &rows, Ticket::about("the contract"));
    match console.show(results) {
        Err(CommandEnd::Failed(error)) => return Err(error),
        Ok(()) | Err(CommandEnd::ReaderGone) => {}
    }
    let (rows, _) = page.rows();
    Ok(answer((rows, None), Vec::new(), Exit::DONE.code(), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_command_whichever_way_it_is_escaped() {
        for (uri, words) in [
            ("ipspect://feeds", "feeds --format=json"),
            (
                "ipspect://record/2001:db8::7",
                "lookup --source=local --format=json -- 2001:db8::7",
            ),
            (
                "ipspect://record/2001%3Adb8%3a%3A7",
                "lookup --source=local --format=json -- 2001:db8::7",
            ),
        ] {
            match Named::of(uri).expect(uri) {
                Named::Command(asked) => assert_eq!(asked.words.join(" "), words),
                Named::Vocabulary => panic!("{uri}"),
            }
        }
        assert_eq!(Named::of("ipspect://vocabulary"), Ok(Named::Vocabulary));
        for uri in [
            "ipspect://record/",
            "ipspect://record/-",
            "ipspect://record/%2Fetc%2Fpasswd",
            "ipspect://vocabulary/x",
            "file:///etc/passwd",
            "",
        ] {
            assert!(Named::of(uri).is_err(), "{uri}");
        }
    }
}
