//! The size of a service, in one row of numbers.

use ratatui::text::{Line, Span};

use crate::{
    model::{Field, Tag},
    report::each,
    tui::{
        ctx::sheet::{Meaning, SheetWriter},
        ui::{
            widgets::{
                columns::{Column, Width},
                page::{PageRow, Section, SectionSide},
            },
            words::{self, decimal, number},
        },
    },
};

pub(super) fn write(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let title = Line::from(vec![
        Span::raw("Metrics"),
        Span::styled("  devices on average; churn without a unit", theme.dim),
    ]);
    let mut section = Section::new(title, SectionSide::Both);
    let Some(metrics) = tag.metrics.is() else {
        let why = words::shown(&tag.metrics, theme, |_| String::new());
        section.push(writer.field("metrics", why));
        return writer.push(section);
    };
    let count = |field: &Field<u64>| field.as_ref().map(|count| number(*count));
    let rate = |field: &Field<f64>| field.as_ref().map(|value| decimal(*value));
    let values = [
        (
            "averageDeviceCount",
            "DEVICES",
            rate(&metrics.average_device_count),
        ),
        ("churnRate", "CHURN", rate(&metrics.churn_rate)),
        ("distinctIPs", "IPS", count(&metrics.distinct_ips)),
        ("distinctASNs", "ASNS", count(&metrics.distinct_asns)),
        ("distinctISPs", "ISPS", count(&metrics.distinct_isps)),
        (
            "distinctCountries",
            "COUNTRIES",
            count(&metrics.distinct_countries),
        ),
    ];
    let (mut columns, mut cells) = (Vec::new(), Vec::new());
    for (rank, (_, head, value)) in (0..).zip(&values) {
        if let Field::Is(value) = value {
            let column = Column::new(*head, Width::Min(0)).right();
            columns.push(column.rank(u8::saturating_sub(rank, 1)));
            cells.push(Line::raw(value.clone()));
        }
    }
    section = section.columns(columns);
    let said = values.iter().map(|(wire, _, value)| {
        let value = words::plain(value, String::clone);
        format!("{wire} {value}")
    });
    let meaning = Meaning::new("metrics", each(said, "  "));
    section.push(writer.anchor(PageRow::cells(cells), meaning));
    // A missing value must not take the room of a known one.
    for missing in [Field::Absent, Field::Null, Field::Odd] {
        let same = values.iter().filter(|(_, _, value)| *value == missing);
        let heads: Vec<&str> = same.map(|(_, head, _)| *head).collect();
        if !heads.is_empty() {
            let label = words::plain(&missing, String::clone);
            section.push(PageRow::field(
                label,
                Line::styled(heads.join(", "), theme.dim),
            ));
        }
    }
    writer.push(section);
}
