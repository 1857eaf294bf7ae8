//! The size of a service, in one row of numbers.

use ratatui::text::Line;

use crate::{
    model::{Field, Tag},
    report::each,
    tui::{
        ctx::sheet::{Meaning, SheetWriter},
        ui::{
            widgets::{
                columns::{Column, Width},
                page::{PageRow, SectionSide},
            },
            words::{self, decimal, number},
        },
    },
};

pub(super) fn write(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let remark = "devices on average; churn without a unit";
    writer.begin("Metrics", remark, SectionSide::Both);
    let Some(metrics) = tag.metrics.is() else {
        let why = words::shown(&tag.metrics, theme, |_| String::new());
        return writer.value("metrics", why);
    };
    let count = |field: &Field<u64>| field.as_ref().map(|count| number(*count));
    let rate = |field: &Field<f64>| field.as_ref().map(|value| decimal(*value));
    let devices = rate(&metrics.average_device_count);
    let values = [
        ("averageDeviceCount", "DEVICES", devices),
        ("churnRate", "CHURN", rate(&metrics.churn_rate)),
        ("distinctIPs", "ADDRESSES", count(&metrics.distinct_ips)),
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
    writer.columns(columns);
    let values_by_name = values.iter().map(|(wire, _, value)| {
        let value = words::plain(value, String::clone);
        format!("{wire} {value}")
    });
    writer.cells(cells, Meaning::new("metrics", each(values_by_name, "  ")));
    // A missing value must not take the room of a known one.
    for missing in [Field::Absent, Field::Null, Field::Odd] {
        let same = values.iter().filter(|(_, _, value)| *value == missing);
        let heads: Vec<&str> = same.map(|(_, head, _)| *head).collect();
        if !heads.is_empty() {
            let label = words::plain(&missing, String::clone);
            let heads = Line::styled(heads.join(", "), theme.dim);
            writer.put(PageRow::field(label, heads));
        }
    }
}
