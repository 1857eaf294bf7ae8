//! A question and its answer as files keep them: the cache and the trail.

use std::time::Duration;

use serde_json::{Value, json};

use super::answer::{AnswerRecord, LookupAnswer};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::http::Provenance,
    model::{Context, Document},
};

pub(in crate::engine) fn query_value(query: &LookupQuery) -> Value {
    json!({
        "address": query.address.to_string(),
        "date": query.date.map(|day| day.to_string()),
        "mmgeo": query.geolocation == Geolocation::Mmgeo,
    })
}

/// A question and its answer as they are kept in files.
pub(in crate::engine) fn answer_value(query: &LookupQuery, answer: &LookupAnswer) -> Value {
    let provenance = &answer.provenance;
    let mut value = query_value(query);
    let kept = json!({
        "at": provenance.asked_at.to_string(),
        "url": provenance.url,
        "status": provenance.status,
        "elapsed_ms": u64::try_from(provenance.elapsed.as_millis()).unwrap_or(u64::MAX),
        "attempts": provenance.attempts,
        "cost": provenance.cost,
        "possibly_spent": provenance.possibly_spent,
        "balance": provenance.balance,
        "data_date": provenance.data_date.map(|day| day.to_string()),
        "record": answer.record.as_ref().map(|record| record.document.text()),
    });
    if let (Value::Object(own), Value::Object(kept)) = (&mut value, kept) {
        own.extend(kept);
    }
    value
}

pub(in crate::engine) fn query_of(value: &Value) -> Option<LookupQuery> {
    let geolocation = if value["mmgeo"].as_bool()? {
        Geolocation::Mmgeo
    } else {
        Geolocation::Service
    };
    let date = match &value["date"] {
        Value::Null => None,
        day => Some(day.as_str()?.parse().ok()?),
    };
    Some(LookupQuery {
        address: value["address"].as_str()?.parse().ok()?,
        date,
        geolocation,
    })
}

/// Reads a question and its answer back, if they are of this form.
pub(in crate::engine) fn answer_of(value: &Value) -> Option<(LookupQuery, LookupAnswer)> {
    let text = |key: &str| value[key].as_str();
    let small = |key: &str| u32::try_from(value[key].as_u64()?).ok();
    let record = match &value["record"] {
        Value::Null => None,
        text => {
            let document = Document::read(text.as_str()?.as_bytes()).ok()?;
            Some(AnswerRecord {
                context: Context::decode(document.value()).ok()?,
                document,
            })
        }
    };
    let data_date = match &value["data_date"] {
        Value::Null => None,
        day => Some(day.as_str()?.parse().ok()?),
    };
    let provenance = Provenance {
        url: text("url")?.to_owned(),
        status: u16::try_from(value["status"].as_u64()?).ok()?,
        asked_at: text("at")?.parse().ok()?,
        elapsed: Duration::from_millis(value["elapsed_ms"].as_u64()?),
        attempts: small("attempts")?,
        cost: small("cost")?,
        possibly_spent: small("possibly_spent")?,
        balance: value["balance"].as_u64(),
        data_date,
        clock_off: None,
    };
    Some((query_of(value)?, LookupAnswer { record, provenance }))
}
