//! The last answer of each host about the token, and the conclusion from all of them.

use ratatui::text::Line;

use super::super::QuotaTab;
use crate::{
    engine::{Area, AreaStatus},
    model::visible,
    tui::{
        ctx::{
            ViewCtx,
            sheet::{Meaning, SheetWriter},
        },
        ui::{
            theme::Theme,
            widgets::{
                columns::{Column, Width},
                page::SectionSide,
            },
        },
    },
};

/// The areas that a test asks for. The others would cost a query, or need one that is looked up anyway.
const TESTED: [Area; 5] = [
    Area::Status,
    Area::Feeds,
    Area::FeedHistory,
    Area::Realtime,
    Area::Exports,
];

pub(super) fn write(tab: &QuotaTab, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    writer.begin("Access, by each host's last answer", "", SectionSide::Both);
    writer.columns(vec![
        Column::new("HOST", Width::Fixed(7)),
        Column::new("AREA", Width::Fixed(12)),
        Column::new("CHECKED", Width::Fixed(9)),
        Column::new("RESULT", Width::Fixed(9)),
        Column::new("MEANING", Width::Fill(20)),
    ]);
    let is_testing = tab.probe.is_pending();
    let mut host = None;
    for area in Area::ALL {
        let is_first = host.replace(area.host()) != Some(area.host());
        let head = if is_first { area.host().name() } else { "" };
        row(
            area,
            head,
            is_testing && TESTED.contains(&area),
            ctx,
            writer,
        );
    }
    let bad = writer.theme.bad;
    for (areas, trouble) in troubles(ctx) {
        writer.lines([Line::styled(format!("x {areas}: {trouble}"), bad)]);
    }
    writer.remark(if is_testing {
        "~ asking each host; these rows show the earlier answers"
    } else {
        "t tests access: asks for the status, a feed's metadata, days and window, one row of an export; costs no query"
    });
}

fn row(
    area: Area,
    host: &'static str,
    testing: bool,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let access = &ctx.facts.access;
    let heard = access.of(area);
    let checked = match heard {
        _ if testing => "~ testing".to_owned(),
        Some(heard) => ctx.age(heard.at),
        None => "never".to_owned(),
    };
    let (sign, style) = sign(heard, theme);
    let result = match heard {
        Some(AreaStatus {
            status: Some(status),
            ..
        }) => format!("{sign} {status}"),
        Some(_) => format!("{sign} none"),
        None => sign.to_owned(),
    };
    let trouble = heard.and_then(|heard| heard.trouble.as_ref());
    // The words of a trouble are as long as they are: they are below the table.
    let meaning = match trouble {
        Some(_) => "no answer, see below",
        None => access.meaning(area),
    };
    let whole = trouble.map_or(meaning.into(), |trouble| visible(trouble));
    let said = format!("{result}, {whole} (checked {checked})");
    let cells = vec![
        Line::styled(host, theme.dim),
        Line::raw(area.word()),
        Line::styled(checked, if testing { theme.warn } else { theme.dim }),
        Line::styled(result, style),
        Line::raw(meaning),
    ];
    let cells = if testing {
        cells
            .into_iter()
            .map(|cell| cell.patch_style(theme.stale))
            .collect()
    } else {
        cells
    };
    writer.cells(cells, Meaning::new(name_of(area), said));
}

/// What went wrong, whole, each trouble once with the areas that it struck.
fn troubles(ctx: &ViewCtx<'_>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for area in Area::ALL {
        let heard = ctx.facts.access.of(area);
        let Some(trouble) = heard.and_then(|heard| heard.trouble.as_ref()) else {
            continue;
        };
        let trouble = visible(trouble);
        match all.iter_mut().find(|(_, known)| *known == trouble) {
            Some((areas, _)) => {
                areas.push_str(", ");
                areas.push_str(area.word());
            }
            None => all.push((area.word().to_owned(), trouble.into_owned())),
        }
    }
    all
}

fn sign(heard: Option<&AreaStatus>, theme: &Theme) -> (&'static str, ratatui::style::Style) {
    match heard.map(|heard| heard.status) {
        None => ("-", theme.dim),
        Some(Some(200..=399)) => ("ok", theme.good),
        Some(Some(404 | 429)) => ("!", theme.warn),
        Some(_) => ("x", theme.bad),
    }
}

/// The host and the area, the area alone where it bears the host's name.
fn name_of(area: Area) -> String {
    let host = area.host().name();
    if host == area.word() {
        host.to_owned()
    } else {
        format!("{host} {}", area.word())
    }
}
