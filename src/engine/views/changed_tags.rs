//! What changed in service-metrics between two releases, kept until others are compared.

use std::sync::{Arc, Mutex};

use crate::{
    engine::{
        releases::{DiffDays, LocalTag},
        threads::lock,
    },
    model::{TagName, compare::Difference},
    store::{Generation, Moment, diff, layout::Release},
};

/// The tags that are not the same in two releases.
#[derive(Clone, Debug)]
pub struct TagChanges {
    /// The old release.
    pub since: Moment,
    /// From when the age of that counts.
    pub generation: Generation,
    pub until: Moment,
    /// The tags, by name.
    pub tags: Vec<TagChange>,
}

/// A tag that is not the same in two releases.
#[derive(Clone, Debug)]
pub struct TagChange {
    pub name: TagName,
    pub kind: diff::ChangeKind,
    /// Its record: in the new release, or in the old one where it was removed.
    pub tag: LocalTag,
    /// Where the records differ.
    pub differences: Vec<Difference>,
}

impl TagChanges {
    #[must_use]
    pub fn find(&self, name: &TagName) -> Option<&TagChange> {
        let at = self.tags.binary_search_by(|change| change.name.cmp(name));
        at.ok().map(|at| &self.tags[at])
    }

    /// How many tags have this change.
    #[must_use]
    pub fn count(&self, kind: diff::ChangeKind) -> usize {
        let same = self.tags.iter().filter(|change| change.kind == kind);
        same.count()
    }
}

/// The changes between the two releases that were compared last, the old one first.
#[derive(Debug, Default)]
pub(super) struct ChangedTags(Mutex<Option<([Release; 2], Arc<TagChanges>)>>);

impl ChangedTags {
    pub(super) fn find(&self, days: &DiffDays) -> Option<Arc<TagChanges>> {
        let kept = lock(&self.0);
        let ([before, after], changes) = kept.as_ref()?;
        let is_same = *before == days.before.release && *after == days.after.release;
        is_same.then(|| Arc::clone(changes))
    }

    pub(super) fn keep(&self, days: &DiffDays, changes: TagChanges) -> Arc<TagChanges> {
        let changes = Arc::new(changes);
        let releases = [&days.before, &days.after].map(|release| release.release.clone());
        *lock(&self.0) = Some((releases, Arc::clone(&changes)));
        changes
    }
}
