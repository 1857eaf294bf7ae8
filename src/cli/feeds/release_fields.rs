//! The fields of a local or just removed release, worded alike by every command.

use crate::{
    contract::{Feed, Format},
    engine::Removed,
    report::{Columns, size},
    store::{Moment, layout::Release},
};

/// A removed release and the space it freed.
pub(super) fn removed_words(gone: &Removed) -> String {
    let form = form_of(gone.form);
    format!(
        "{} {} ({form}), {}",
        gone.feed,
        gone.moment.dashed(),
        size(gone.bytes)
    )
}

/// The columns of rows that name a release.
pub(super) fn name_columns<R: 'static>(name: fn(&R) -> (Feed, Moment)) -> Columns<R> {
    Columns::new()
        .column("feed", "feed", move |row| name(row).0.name())
        .column("release", "release", move |row| name(row).1)
        .json("day", move |row| name(row).1.day().to_string())
}

/// A form as the command line calls it.
pub(super) fn form_of(form: Format) -> &'static str {
    match form {
        Format::Json => "json",
        Format::Mmdb => "mmdb",
    }
}

/// The file of a release, unless only its index was kept.
pub(super) fn file_of(release: &Release) -> Option<String> {
    let kept = release.holds_data();
    kept.then(|| release.data.display().to_string())
}

/// The index of a release, if it has one.
pub(super) fn index_of(release: &Release) -> Option<String> {
    release.index().map(|path| path.display().to_string())
}

/// The length of the index of a release, if it has one.
pub(super) fn index_bytes(release: &Release) -> Option<u64> {
    release.manifest.index.as_ref().map(|index| index.bytes)
}
