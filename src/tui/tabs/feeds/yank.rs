//! What can be copied of a feed.

use super::{FeedsTab, browse::Browse, latest, standing::Standing};
use crate::{
    contract::Feed,
    report::feed_note,
    store::Moment,
    tui::ctx::{UpdateCtx, intent::Yank},
};

impl FeedsTab {
    /// Copies something; says whether there was something of that kind.
    pub fn yank(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let feed = self.selected();
        if let Some(raw) = &self.raw
            && raw.yank(what, ctx.out)
        {
            return true;
        }
        match what {
            Yank::Address => match self.browse.as_ref().and_then(Browse::name) {
                Some(name) => ctx.out.copy(name.clone(), name),
                None => ctx.out.copy(feed.name(), feed.name()),
            },
            Yank::Value => {
                let known = self.known(feed, ctx.jobs);
                let Some(moment) = known.offered_moment() else {
                    return false;
                };
                ctx.out
                    .copy(format!("the release of {feed}"), moment.to_string());
            }
            Yank::Json => {
                let Some(document) = self.document() else {
                    return false;
                };
                ctx.out
                    .copy_json(format!("the metadata of {feed}"), document.text());
            }
            Yank::Curl => ctx
                .out
                .copy("the request as curl", ctx.facts.curl(&latest(feed))),
            Yank::Row => {
                let row = self.row_text(feed, ctx);
                ctx.out.copy(format!("the row of {feed}"), row);
            }
            Yank::Ticket => {
                let note = self.ticket(feed, ctx);
                ctx.out.copy_lines(format!("a note on {feed}"), note);
            }
            Yank::Defanged => return false,
        }
        true
    }

    fn row_text(&self, feed: Feed, ctx: &UpdateCtx<'_>) -> String {
        let known = self.known(feed, ctx.jobs);
        let standing = Standing::of(&known, ctx.out.now);
        let moment = |found: Option<Moment>| {
            found.map_or_else(|| "-".to_owned(), |moment| moment.to_string())
        };
        let local = known.newest().map(|release| release.manifest.moment);
        format!(
            "{feed}  release {}  local {}  {}",
            moment(known.offered_moment()),
            moment(local),
            standing.words
        )
    }

    /// What is known of a feed, as Markdown.
    fn ticket(&self, feed: Feed, ctx: &UpdateCtx<'_>) -> String {
        let known = self.known(feed, ctx.jobs);
        let now = ctx.out.now;
        let offered = known.offered_moment();
        let state = Standing::of(&known, now).words;
        feed_note(feed, offered, known.newest(), &state, now)
    }
}
