//! The boolean fields of a tag, grouped into true, false and absent.

use ratatui::text::Line;

use crate::{
    model::{Field, Tag},
    tui::{
        ctx::sheet::{SheetRow, SheetWriter},
        ui::widgets::page::Section,
    },
};

/// A flag: the name on the screen, and what the tag says.
type Flag<'t> = (&'static str, &'t Field<bool>);

/// Adds the flags that every tag may have, and those of the service-metrics feed where they are there.
pub(super) fn write(
    tag: &Tag,
    section: &mut Section<'static, SheetRow>,
    writer: &mut SheetWriter<'_>,
) {
    let flags: [Flag<'_>; 12] = [
        ("anonymous", &tag.is_anonymous),
        ("callback proxy", &tag.is_callback_proxy),
        ("claims no logs", &tag.is_no_log),
        ("white label", &tag.allows_white_label),
        ("tracked", &tag.is_tracked),
        ("enterprise", &tag.is_enterprise),
        ("inactive", &tag.is_inactive),
        ("local network access", &tag.allows_local_network_access),
        ("crypto payments", &tag.allows_crypto),
        ("free access", &tag.allows_free_access),
        ("multi-hop", &tag.allows_multihop),
        ("torrents", &tag.allows_torrents),
    ];
    // The last four are in the feed only: elsewhere it is no news that they are absent.
    let is_news = |at: usize, field: &Field<bool>| at < 8 || !field.is_absent();
    let theme = writer.theme;
    for (label, field, style) in [
        ("yes", Field::Is(true), theme.text),
        ("no", Field::Is(false), theme.dim),
        ("(absent)", Field::Absent, theme.dim),
        ("(null)", Field::Null, theme.dim),
        ("(unreadable)", Field::Odd, theme.warn),
    ] {
        let flags = flags.iter().enumerate();
        let same = flags.filter(|(at, (_, own))| **own == field && is_news(*at, own));
        let names: Vec<&str> = same.map(|(_, (name, _))| *name).collect();
        if !names.is_empty() {
            let line = Line::styled(names.join(", "), style);
            section.push(writer.field(label, line));
        }
    }
}
