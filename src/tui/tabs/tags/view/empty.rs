//! What is shown in place of the list while there is no tag: what is missing, and how to get it.

use ratatui::{Frame, layout::Rect, text::Line};

use crate::{
    contract::Feed,
    engine::Area,
    model::visible,
    tui::{
        ctx::{ViewCtx, failure, meter},
        tabs::tags::known_tags::KnownTags,
        ui::{
            cells,
            theme::Focus,
            widgets::{page, pane::Pane},
            words::bytes,
        },
    },
};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, known: &KnownTags, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let inner = Pane::new("Tags", Focus::Here).draw(frame, area, theme);
    if known.is_reading() && known.error().is_none() {
        let line = Line::styled("~ reading the local service-metrics feed", theme.warn);
        return page::draw_lines(frame, inner, [line], theme);
    }
    let key = |key: &'static str, does: String| {
        let head = Line::styled(format!("  {key:<7}"), theme.key);
        cells::hang(head, Line::raw(does), page::text_width(inner))
    };
    let first = match known.error() {
        Some(error) => Line::styled(format!("x {}", visible(&error.message)), theme.bad),
        None => Line::raw("The list of tags is the service-metrics feed, which is not local."),
    };
    let mut lines = vec![first];
    lines.extend(
        known
            .error()
            .and_then(failure::hint)
            .map(|hint| Line::styled(visible(&hint).into_owned(), theme.dim)),
    );
    lines.push(Line::default());
    match download(ctx) {
        Some(under_way) => lines.push(Line::styled(under_way, theme.warn)),
        None => lines.extend(key("p", offer(known, ctx))),
    }
    lines.extend(key(
        "i",
        "types a tag and fetches its metadata: free, no query".to_owned(),
    ));
    lines.extend(key(
        "enter",
        "in Lookup, on an operator or a callback proxy, comes here".to_owned(),
    ));
    lines.push(Line::default());
    if ctx.facts.lack_of_feeds().is_some() {
        let lack = ctx.facts.lack();
        let lack =
            lack.unwrap_or_else(|| "feeds_url is not set: nothing can be downloaded".to_owned());
        lines.push(Line::styled(lack, theme.warn));
    }
    page::draw_lines(frame, inner, lines, theme);
}

/// What one key gets, and how large that is; else why it was refused.
pub(super) fn offer(known: &KnownTags, ctx: &ViewCtx<'_>) -> String {
    if let Some(why) = ctx.facts.refusal(Area::Feeds) {
        return format!("tries again to download service-metrics ({why})");
    }
    let size = known.size();
    let size = size.map_or_else(String::new, |size| format!(" ({})", bytes(size)));
    format!("downloads service-metrics{size}: free, no query")
}

/// How far the download of the feed is, while it is under way.
pub(super) fn download(ctx: &ViewCtx<'_>) -> Option<String> {
    let job = ctx.jobs.running_pull(Feed::ServiceMetrics)?;
    let progress = meter::words(job);
    Some(format!("~ downloading service-metrics  {progress}"))
}
