//! What is here of a feed, or was until now, as every command words it.

use crate::{
    contract::Format,
    engine::Removed,
    report::{Line, bytes},
    store::layout::Release,
};

/// A release that is gone, and what came free.
pub(super) fn removed_words(gone: &Removed) -> String {
    let form = word_of(gone.form);
    format!(
        "{} {} ({form}), {}",
        gone.feed,
        gone.moment,
        bytes(gone.bytes)
    )
}

/// The object of a release that is gone.
pub(super) fn removed_line(gone: &Removed) -> Line {
    Line::new()
        .key("feed", gone.feed.name())
        .key("release", gone.moment.to_string())
        .key("day", gone.moment.day().to_string())
        .key("form", word_of(gone.form))
        .key("bytes", gone.bytes)
}

/// A form as the command line calls it.
pub(super) fn word_of(form: Format) -> &'static str {
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
