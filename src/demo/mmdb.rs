//! Databases indexed by address, written from records that are JSON.

use std::time::{Duration, SystemTime};

use ipnet::IpNet;
use jiff::Timestamp;
use mmdb_writer::Writer;

/// Writes a database. Of networks within networks the most specific answers.
///
/// # Errors
/// What the writer says; nothing that the world makes brings it about.
pub(crate) fn written(
    kind: &str,
    built: Timestamp,
    mut entries: Vec<(IpNet, serde_json::Value)>,
) -> mmdb_writer::Result<Vec<u8>> {
    let epoch = Duration::from_secs(u64::try_from(built.as_second()).unwrap_or(0));
    let mut writer = Writer::builder(kind)
        .description(&[("en", "Invented data")])
        .build_epoch(SystemTime::UNIX_EPOCH + epoch)
        .build();
    // What is written later wins, so the large networks come first.
    entries.sort_by_key(|(network, _)| network.prefix_len());
    for (network, record) in entries {
        writer.insert_value(
            network,
            value(record).unwrap_or_else(|| mmdb_writer::Value::Map([].into())),
        )?;
    }
    writer.to_bytes()
}

/// A JSON value in the types of the format, which has no null: what is null is left out.
fn value(json: serde_json::Value) -> Option<mmdb_writer::Value> {
    use serde_json::Value;
    Some(match json {
        Value::Null => return None,
        Value::Bool(truth) => truth.into(),
        Value::String(text) => text.into(),
        Value::Array(items) => items.into_iter().filter_map(value).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .filter_map(|(key, field)| Some((key, value(field)?)))
            .collect(),
        Value::Number(number) => match number.as_u64() {
            Some(integer) => {
                u32::try_from(integer).map_or_else(|_| integer.into(), mmdb_writer::Value::from)
            }
            None => number.as_f64().unwrap_or_default().into(),
        },
    })
}
