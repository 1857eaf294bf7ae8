//! Test data: a reachable service and its answers.

use std::time::Duration;

use jiff::SignedDuration;

use crate::{
    contract::Host,
    engine::{
        self, Access, AnswerRecord, Fetched, Pastes, Provenance,
        answers::Limits,
        config::{AnswerOrder, GuardSettings},
    },
    model::{Admission, Context, Document, Status, Tag},
    tui::ctx::{Facts, TokenState, WatchNews},
};

/// A service and a token, before any answer.
pub(crate) fn facts() -> Facts {
    let urls = Host::ALL.map(|host| (host, format!("https://{host}.example")));
    Facts {
        profile: "work".to_owned(),
        profiles: Vec::new(),
        case: None,
        cases: Vec::new(),
        invented: false,
        offline: false,
        warehouse: None,
        urls: urls.to_vec(),
        token: TokenState::There,
        token_source: "IPSPECT_TOKEN".to_owned(),
        config_file: "/config/config.toml".into(),
        pastes: Pastes::new("/state".as_ref()),
        working_dir: "/cases".into(),
        admission: Admission::default(),
        guards: GuardSettings::default(),
        answers: AnswerOrder::default(),
        limits: Limits {
            local: SignedDuration::from_hours(48),
            cached: SignedDuration::from_hours(24),
        },
        balance: None,
        balance_before: None,
        access: Access::default(),
        examples: Vec::new(),
        watched: WatchNews::default(),
        focused: true,
    }
}

fn context_provenance(target: &str) -> Provenance {
    Provenance {
        url: format!("https://context.example{target}"),
        status: 200,
        asked_at: "2026-11-20T23:10:00Z".parse().expect("timestamp"),
        elapsed: Duration::from_millis(142),
        attempts: 1,
        cost: 0,
        possibly_spent: 0,
        balance: None,
        data_date: None,
        clock_off: None,
    }
}

fn document(text: &str) -> Document {
    Document::read(text.as_bytes()).expect(text)
}

/// The metadata of a tag, as a fetched answer.
pub(crate) fn tag(text: &str) -> Fetched<Tag> {
    let document = document(text);
    let value = Tag::decode(document.value()).expect(text);
    let name = value.tag.text().unwrap_or_default();
    let provenance = context_provenance(&format!("/v2/metadata/tags/{name}"));
    Fetched {
        value,
        document,
        provenance,
    }
}

/// The status of the token, as a fetched answer.
pub(crate) fn status(text: &str) -> Fetched<Status> {
    let document = document(text);
    let value = Status::decode(document.value()).expect(text);
    Fetched {
        value,
        document,
        provenance: context_provenance("/status"),
    }
}

/// The record of an address, as the answer to a lookup.
pub(crate) fn record(text: &str) -> engine::LookupAnswer {
    let document = document(text);
    let context = Context::decode(document.value()).expect(text);
    engine::LookupAnswer {
        record: Some(AnswerRecord { context, document }),
        provenance: context_provenance("/v2/context"),
    }
}

/// A document as the service sends it, with what `read` makes of it.
pub(crate) fn fetched<T>(json: &str, read: impl Fn(&serde_json::Value) -> T) -> Fetched<T> {
    let document = Document::read(json.as_bytes()).expect(json);
    Fetched {
        value: read(document.value()),
        document,
        provenance: provenance(),
    }
}

/// The provenance of these answers.
pub(crate) fn provenance() -> Provenance {
    Provenance {
        url: "https://feeds.example/v2/anonymous/latest".to_owned(),
        status: 200,
        asked_at: "2026-11-20T23:14:40Z".parse().expect("timestamp"),
        elapsed: Duration::from_millis(12),
        attempts: 1,
        cost: 0,
        possibly_spent: 0,
        balance: None,
        data_date: None,
        clock_off: None,
    }
}
