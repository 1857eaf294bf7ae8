//! A note for a ticket: Markdown in which nothing can be clicked, with source, day of the data, time of the query, and
//! what is not known.

use super::{lookup::case::aspect, words};
use crate::{
    contract::LookupQuery,
    engine::Answer,
    model::{Context, Field, context::Tunnel, visible},
};

/// The note about an answer.
#[must_use]
pub fn of(query: &LookupQuery, answer: &Answer) -> String {
    let provenance = &answer.provenance;
    let mut note = Note::about(&words::defanged(query.address));
    let data = provenance.data_date.map_or_else(
        || "day not named".to_owned(),
        |day| format!("data of {day}"),
    );
    let aspect = aspect(query);
    let asked = if aspect.is_empty() {
        String::new()
    } else {
        format!(" ({aspect})")
    };
    note.line(
        "source",
        &format!(
            "Context API, live{asked}, {data}, queried {:.0}",
            provenance.asked_at
        ),
    );
    match &answer.record {
        Some(record) => note.facts(&record.context),
        None => note.line(
            "finding",
            "the service has no record; that says nothing about whether it is harmless",
        ),
    }
    note.finish()
}

/// A note that grows line by line.
pub(super) struct Note {
    text: String,
    unknown: Vec<&'static str>,
}

impl Note {
    /// A note under this heading.
    pub(super) fn about(subject: &str) -> Self {
        Self {
            text: format!("### {}\n\n", escaped(subject)),
            unknown: Vec::new(),
        }
    }

    /// A line; what has a meaning in Markdown loses it.
    pub(super) fn line(&mut self, label: &str, value: &str) {
        self.text
            .push_str(&format!("- **{label}**: {}\n", escaped(value)));
    }

    /// A line for a field that says something; the name of one that does not is kept for the last line.
    pub(super) fn field<T>(
        &mut self,
        label: &'static str,
        field: &Field<T>,
        words: impl FnOnce(&T) -> String,
    ) {
        match field.is().map(words).filter(|words| !words.is_empty()) {
            Some(words) => self.line(label, &visible(&words)),
            None => self.unknown.push(label),
        }
    }

    fn facts(&mut self, context: &Context) {
        let mark = match context.anonymizing() {
            crate::model::Anonymization::Observed => "anonymising",
            crate::model::Anonymization::Possible => "possibly anonymising",
            crate::model::Anonymization::Unknown => "not readable",
            crate::model::Anonymization::NotObserved => "no anonymisation observed",
        };
        let reasons = context.reasons();
        let because = if reasons.is_empty() {
            String::new()
        } else {
            format!(" (because of {})", reasons.join(", "))
        };
        self.line("finding", &format!("{mark}{because}"));
        self.field("tunnels", &context.tunnels, |tunnels| {
            tunnels.iter().map(tunnel).collect::<Vec<_>>().join("; ")
        });
        if !context.proxies().is_empty() {
            self.line("callback proxies", &visible(&context.proxies().join(", ")));
        }
        self.field("risks", &context.risks, |risks| risks.join(", "));
        self.field("infrastructure", &context.infrastructure, String::clone);
        self.field("services", &context.services, |services| {
            services.join(", ")
        });
        self.field("AS", &context.autonomous_system, |system| {
            let number = system.number.is().map(ToString::to_string);
            let name = system.organization.text().map(str::to_owned);
            number.into_iter().chain(name).collect::<Vec<_>>().join(" ")
        });
        self.field("organization", &context.organization, String::clone);
        self.field("location", &context.location, |place| {
            words::place(&place.city, &place.state, &place.country)
        });
        let count = context
            .client
            .is()
            .map_or(Field::Absent, |client| client.count.as_ref());
        self.field("clients a day", &count, |count| words::number(**count));
    }

    /// The text, with what is not known in its last line.
    pub(super) fn finish(mut self) -> String {
        if !self.unknown.is_empty() {
            let unknown = self.unknown.join(", ");
            self.line("not known", &unknown);
        }
        self.text
    }
}

fn tunnel(tunnel: &Tunnel) -> String {
    let kind = tunnel.kind.text().unwrap_or("tunnel of unknown type");
    let operator = tunnel.operator.text().unwrap_or("an unattributed operator");
    format!("{kind} of {operator}")
}

/// Text from outside without a meaning in Markdown, and without a name that could be clicked.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '|' | '<' | '>' | '#' | '~') {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe.replace("://", "[://]")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        engine::{Provenance, Record},
        model::Document,
    };

    fn answer(text: &str) -> Answer {
        let document = Document::read(text.as_bytes()).expect("document");
        let provenance = Provenance {
            url: String::new(),
            status: 200,
            asked_at: jiff::Timestamp::UNIX_EPOCH,
            elapsed: Duration::ZERO,
            attempts: 1,
            cost: 1,
            possibly_spent: 0,
            balance: None,
            data_date: "20261120".parse().ok(),
            clock_off: None,
        };
        Answer {
            record: Some(Record {
                context: Context::decode(document.value()).expect("record"),
                document,
            }),
            provenance,
        }
    }

    #[test]
    fn a_note_says_source_findings_and_what_is_not_known() {
        let answer = answer(
            r#"{"ip":"198.51.100.7","tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true}],"as":{"number":64500,"organization":"*Example*"},"risks":[]}"#,
        );
        let note = of(&LookupQuery::now([198, 51, 100, 7].into()), &answer);
        assert_eq!(
            note,
            "### 198[.]51[.]100[.]7\n\n\
             - **source**: Context API, live, data of 20261120, queried 1970-01-01T00:00:00Z\n\
             - **finding**: anonymising (because of tunnels[0].anonymous, tunnels[0].operator)\n\
             - **tunnels**: VPN of ACME_VPN\n\
             - **AS**: 64500 \\*Example\\*\n\
             - **not known**: risks, infrastructure, services, organization, location, clients a day\n"
        );
    }
}
