//! What changed in the local service-metrics feed since its release before.
//!
//! The numbers of a service move every day. A change of numbers alone counts from a tenth of the devices on, so that the list
//! of changes stays readable.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Views,
    changed_tags::{TagChange, TagChanges},
};
use crate::{
    contract::Feed,
    engine::{
        error::{Error, Kind, Result},
        releases::{DiffRecord, LocalTag},
    },
    model::{Document, Field, Tag, TagName},
    store::{Filter, diff},
};

/// The share of the devices by which a service must have grown or shrunk.
const MOVED: f64 = 0.1;

impl Views {
    /// What changed in the service-metrics feed between its newest two local releases; `None` where there are no two.
    ///
    /// # Errors
    /// As [`Releases::diff`](crate::engine::Releases::diff), except for releases that are not local.
    pub async fn tag_changes(&self) -> Result<Option<Arc<TagChanges>>> {
        let releases = &self.releases;
        let days = match releases.open_days(Feed::ServiceMetrics, None, None).await {
            Err(error) if error.kind == Kind::NotFound => return Ok(None),
            days => days?,
        };
        if let Some(kept) = self.changed_tags.find(&days) {
            return Ok(Some(kept));
        }
        let mut tags = Vec::new();
        let visit = |records: Vec<DiffRecord>| {
            tags.extend(records.into_iter().filter_map(change_of));
            Ok::<(), Error>(())
        };
        let all = Filter::default();
        releases.diff(&days, &all, None, visit).await?;
        tags.sort_by(|a, b| a.name.cmp(&b.name));
        let changes = TagChanges {
            since: days.before.release.manifest.moment,
            generation: days.before.release.manifest.generation(),
            until: days.after.release.manifest.moment,
            tags,
        };
        Ok(Some(self.changed_tags.keep(&days, changes)))
    }
}

/// The change of a tag, if it is worth showing.
fn change_of(record: DiffRecord) -> Option<TagChange> {
    let is_telling = record.kind != diff::ChangeKind::Changed
        || record
            .differences
            .iter()
            .any(|difference| !difference.path.starts_with("metrics"))
        || has_moved(record.before.as_ref(), record.after.as_ref());
    let tag = LocalTag::of(record.after.or(record.before)?)?;
    Some(TagChange {
        name: TagName::new(tag.name()).ok()?,
        kind: record.kind,
        tag,
        differences: record.differences,
    })
    .filter(|_| is_telling)
}

fn has_moved(before: Option<&Document>, after: Option<&Document>) -> bool {
    let (before, after) = (devices(before), devices(after));
    match (before, after) {
        (Some(before), Some(after)) => (after - before).abs() >= MOVED * before.abs(),
        (before, after) => before.is_some() != after.is_some(),
    }
}

fn devices(document: Option<&Document>) -> Option<f64> {
    let tag = Tag::decode(document.map_or(&Value::Null, Document::value)).ok()?;
    match tag.metrics {
        Field::Is(metrics) => metrics.average_device_count.into_option(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::compare::compare;

    fn record(before: &str, after: &str) -> DiffRecord {
        let read =
            |text: &str| (!text.is_empty()).then(|| Document::read(text.as_bytes()).expect(text));
        let (before, after) = (read(before), read(after));
        let (kind, differences) = match (&before, &after) {
            (Some(before), Some(after)) => (
                diff::ChangeKind::Changed,
                compare(before.value(), after.value()),
            ),
            (None, _) => (diff::ChangeKind::Added, Vec::new()),
            (_, None) => (diff::ChangeKind::Removed, Vec::new()),
        };
        DiffRecord {
            kind,
            before,
            after,
            differences: differences
                .into_iter()
                .filter(|difference| difference.a != difference.b)
                .collect(),
        }
    }

    #[test]
    fn numbers_that_move_a_little_are_no_change() {
        let sized = |devices: &str| {
            format!(r#"{{"tag":"ACME_VPN","metrics":{{"averageDeviceCount":"{devices}"}}}}"#)
        };
        let is_told = |before: &str, after: &str| change_of(record(before, after)).is_some();
        assert!(!is_told(&sized("1000"), &sized("1099")));
        assert!(is_told(&sized("1000"), &sized("1100")));
        assert!(is_told(&sized("1000"), r#"{"tag":"ACME_VPN"}"#));
        assert!(is_told("", &sized("1")));
        assert!(is_told(&sized("1"), ""));
        assert!(is_told(
            r#"{"tag":"A","isInactive":"false"}"#,
            r#"{"tag":"A","isInactive":"true"}"#
        ));
        assert!(!is_told("", r#"{"name":"no tag"}"#));
    }
}
