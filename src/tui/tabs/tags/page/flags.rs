//! The truth values of a tag, as boxes, two in a row.

use ratatui::text::{Line, Span};

use crate::{
    model::{Field, Tag},
    tui::{
        ctx::sheet::{Meaning, RowId, Writer},
        ui::{
            theme::Theme,
            widgets::page::{Row, Section},
        },
    },
};

/// Cells for a box and its name, so that the second of a row stands under the second of another.
const ROOM: usize = 28;

/// A flag: the wire's name, the name on the screen, and what the tag says.
type Flag<'t> = (&'static str, &'static str, &'t Field<bool>);

/// Adds the flags that every tag may have, and those of the service-metrics feed where they are there.
pub(super) fn write(tag: &Tag, section: &mut Section<'static, RowId>, writer: &mut Writer<'_>) {
    let mut flags: Vec<Flag<'_>> = vec![
        ("isAnonymous", "anonymous", &tag.is_anonymous),
        ("isCallbackProxy", "callback proxy", &tag.is_callback_proxy),
        ("isNoLog", "claims no logs", &tag.is_no_log),
        ("allowsWhiteLabel", "white label", &tag.allows_white_label),
        ("isTracked", "tracked", &tag.is_tracked),
        ("isEnterprise", "enterprise", &tag.is_enterprise),
        ("isInactive", "inactive", &tag.is_inactive),
        (
            "allowsLocalNetworkAccess",
            "local network access",
            &tag.allows_local_network_access,
        ),
    ];
    let of_feed: [Flag<'_>; 4] = [
        ("allowsCrypto", "crypto payments", &tag.allows_crypto),
        ("allowsFreeAccess", "free access", &tag.allows_free_access),
        ("allowsMultihop", "multi-hop", &tag.allows_multihop),
        ("allowsTorrents", "torrents", &tag.allows_torrents),
    ];
    flags.extend(
        of_feed
            .into_iter()
            .filter(|(_, _, field)| !field.is_absent()),
    );
    for pair in flags.chunks(2) {
        let line: Line<'static> = pair
            .iter()
            .flat_map(|flag| boxed(flag, writer.theme))
            .collect();
        let said: Vec<String> = pair
            .iter()
            .map(|(wire, _, field)| format!("{wire} {}", word(**field)))
            .collect();
        section.push(writer.anchor(Row::text(line), Meaning::new("flags", said.join(", "))));
    }
    if let Some(legend) = legend(&flags) {
        section.push(writer.aside(legend));
    }
}

fn boxed(flag: &Flag<'_>, theme: &Theme) -> [Span<'static>; 2] {
    let (_, name, field) = flag;
    let (mark, style) = match field {
        Field::Is(true) => ("[yes] ", theme.text),
        Field::Is(false) => ("[no ] ", theme.dim),
        Field::Absent => ("[ - ] ", theme.dim),
        Field::Null => ("[nul] ", theme.dim),
        Field::Odd => ("[ ? ] ", theme.warn),
    };
    let room = ROOM - mark.len();
    [
        Span::styled(mark, style),
        Span::styled(format!("{name:room$}"), style),
    ]
}

fn word(field: Field<bool>) -> &'static str {
    match field {
        Field::Is(true) => "true",
        Field::Is(false) => "false",
        Field::Absent => "absent",
        Field::Null => "null",
        Field::Odd => "unreadable",
    }
}

/// What the boxes that are neither yes nor no mean; nothing where there is none.
fn legend(flags: &[Flag<'_>]) -> Option<String> {
    let has = |wanted: &str| flags.iter().any(|(_, _, field)| word(**field) == wanted);
    let meanings = [
        ("absent", "[ - ] absent"),
        ("null", "[nul] null"),
        ("unreadable", "[ ? ] unreadable, see raw"),
    ];
    let shown = meanings.into_iter().filter(|(word, _)| has(word));
    let shown: Vec<&str> = shown.map(|(_, words)| words).collect();
    (!shown.is_empty()).then(|| shown.join("   "))
}
