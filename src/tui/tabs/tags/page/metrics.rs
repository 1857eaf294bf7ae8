//! The size of a service, in one row of numbers.

use ratatui::text::{Line, Span};

use crate::{
    model::Tag,
    tui::{
        ctx::sheet::{Meaning, SheetWriter},
        ui::{
            widgets::{
                columns::{Column, Width},
                page::{PageRow, Section, SectionSide},
            },
            words::{self, decimal, number, short},
        },
    },
};

pub(super) fn write(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let column = |name, least, rank| Column::new(name, Width::Min(least)).right().rank(rank);
    let columns = vec![
        column("DEVICES", 7, 0),
        column("CHURN", 5, 0),
        column("IPS", 6, 1),
        column("ASNS", 4, 2),
        column("ISPS", 4, 3),
        column("COUNTRIES", 9, 4),
    ];
    let title = Line::from(vec![
        Span::raw("Metrics"),
        Span::styled(
            "  devices on average; churn without a unit",
            writer.theme.dim,
        ),
    ]);
    let mut section = Section::new(title, SectionSide::Both).columns(columns);
    let Some(metrics) = tag.metrics.is() else {
        let why = words::shown(&tag.metrics, writer.theme, |_| String::new());
        section.push(writer.field("metrics", why));
        return writer.push(section);
    };
    let count = |field| short(field, |count| number(*count));
    let values = [
        (
            "averageDeviceCount",
            short(&metrics.average_device_count, |value| decimal(*value)),
        ),
        (
            "churnRate",
            short(&metrics.churn_rate, |value| decimal(*value)),
        ),
        ("distinctIPs", count(&metrics.distinct_ips)),
        ("distinctASNs", count(&metrics.distinct_asns)),
        ("distinctISPs", count(&metrics.distinct_isps)),
        ("distinctCountries", count(&metrics.distinct_countries)),
    ];
    let said: Vec<String> = values
        .iter()
        .map(|(wire, value)| format!("{wire} {value}"))
        .collect();
    let cells = values
        .into_iter()
        .map(|(_, value)| Line::raw(value))
        .collect();
    let row = PageRow::cells(cells);
    section.push(writer.anchor(row, Meaning::new("metrics", said.join("  "))));
    writer.push(section);
}
