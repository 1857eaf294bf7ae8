//! `feeds readme`: the documentation of a feed, saved whole or not at all.

use std::path::Path;

use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::Exit,
    },
    contract::Feed,
    engine::Engine,
    report::{Line, size},
};

/// Saves the PDF, or writes it to standard output.
///
/// # Errors
/// What the service said; a file that is there already, unless it is to be replaced.
pub(super) async fn run(
    feed: Feed,
    file: &Path,
    force: bool,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    if file == Path::new("-") {
        console.bytes(&engine.live.feed_readme(feed).await?)?;
        return Ok(Exit::DONE);
    }
    let bytes = engine.exports.save_readme(feed, file, force).await?;
    let name = file.display().to_string();
    let object = Line::new()
        .key("feed", feed.name())
        .key("file", name.clone());
    let sentence = format!("{name}: the documentation of {feed}, {}", size(bytes));
    console.done(&object.key("bytes", bytes), &sentence)?;
    Ok(Exit::DONE)
}
