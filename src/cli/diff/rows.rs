//! Records that differ between two days.

use std::{cell::OnceCell, fmt::Display};

use unicode_width::UnicodeWidthStr;

use crate::{
    cli::{
        args::ResultFormat,
        console::{CommandResult, Console},
    },
    engine::DiffRecord,
    investigation::comparison::name_of,
    model::{Context, Keyword, Terms, visible},
    report::{
        Cell, Columns, SaySide, TextStyle, changes, difference_side, each, hanging, label_of,
        tunnels,
    },
    store::diff::ChangeKind,
};

/// The columns of a record that differs.
pub(super) fn columns() -> Columns<DiffRow> {
    Columns::<DiffRow>::default()
        .column("diff", "diff", |row| word(row.record.kind))
        .column("subject", "subject", |row| row.cells().subject.clone())
        .but_json()
        .words("record", |row| row.cells().brief.clone())
        .csv("tunnel_types", |row| row.cells().types.clone())
        .csv("operators", |row| row.cells().operators.clone())
        .column("country", "country", |row| row.cells().country.clone())
        .but_json()
        .csv("client_count", |row| row.cells().clients.clone())
        .csv("changes", |row| {
            row.changes(str::to_owned, |_, side| side.into())
        })
        .words("what changed", |row| row.changes(label_of, difference_side))
        .json("record", |row| Cell::document(row.record.after.as_ref()))
        .json("before", |row| Cell::document(row.record.before.as_ref()))
        .json("lossy", |row| {
            Cell::lossy(row.record.after.iter().chain(&row.record.before))
        })
}

/// Prints some records: for people a line each, with a sign, the subject and the detail.
pub(super) fn print(
    records: Vec<DiffRecord>,
    columns: &Columns<DiffRow>,
    console: &Console,
) -> CommandResult<()> {
    let records: Vec<DiffRow> = records.into_iter().map(DiffRow::of).collect();
    console.rows(|rows| {
        if rows.format.format != ResultFormat::Text || rows.format.chosen.is_some() {
            return rows.rows(columns, &records);
        }
        let lines = records.iter().map(|row| row.line(rows.format.style));
        lines.collect()
    })
}

fn word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "add",
        ChangeKind::Removed => "del",
        ChangeKind::Changed => "change",
    }
}

/// A record that differs.
pub(super) struct DiffRow {
    record: DiffRecord,
    cells: OnceCell<DiffCells>,
}

impl DiffRow {
    fn of(record: DiffRecord) -> Self {
        Self {
            record,
            cells: OnceCell::new(),
        }
    }

    fn cells(&self) -> &DiffCells {
        self.cells.get_or_init(|| DiffCells::of(&self.record))
    }

    fn changes<S: Display>(&self, name: fn(&str) -> S, say: SaySide) -> String {
        changes(&self.record.differences, name, say)
    }

    fn line(&self, style: TextStyle) -> String {
        let cells = self.cells();
        let (sign, detail) = match self.record.kind {
            ChangeKind::Added => ("+", [&*cells.brief, &cells.country].join(" ")),
            ChangeKind::Removed => ("-", [&*cells.brief, &cells.country].join(" ")),
            ChangeKind::Changed => ("~", self.changes(str::to_owned, difference_side)),
        };
        let subject = visible(&cells.subject);
        let detail = hanging(&visible(detail.trim()), subject.width() + 4, style);
        let line = format!("{} {subject}  {detail}", style.strong(sign));
        line.trim_end().to_owned() + "\n"
    }
}

/// The cells shown for a record: of the new day, or of the old one if it was removed.
struct DiffCells {
    subject: String,
    /// Types and operators together, such as `VPN ACME_VPN; TOR`; without those, the AS number and the organization.
    brief: String,
    types: String,
    operators: String,
    country: String,
    clients: String,
}

impl DiffCells {
    fn of(record: &DiffRecord) -> Self {
        let document = record.after.as_ref().or(record.before.as_ref());
        let terms = document
            .map(|document| Terms::of(document.value()))
            .unwrap_or_default();
        let words = |field| each(terms.of_field(field), " ");
        let context = document.and_then(|document| Context::decode(document.value()).ok());
        let named = context.as_ref().map(tunnels).unwrap_or_default();
        let operators = words(Keyword::Tag);
        let clients = terms.clients.map(|clients| clients.to_string());
        Self {
            subject: name_of(document),
            // A record of another kind, such as a tag or a netblock, has no tunnels and is known by its words.
            brief: if !named.is_empty() {
                named
            } else if !operators.is_empty() {
                operators.clone()
            } else {
                let numbers = terms
                    .of_field(Keyword::Asn)
                    .map(|number| format!("AS{number}"));
                let owners = terms.of_field(Keyword::Org).map(str::to_owned);
                each(numbers.chain(owners), ", ")
            },
            types: words(Keyword::Type),
            operators,
            country: words(Keyword::Cc),
            clients: clients.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cli::console::tests::console,
        model::{
            Document,
            compare::{DifferenceKind, compare},
        },
    };

    fn record(before: Option<&str>, after: Option<&str>) -> DiffRecord {
        let read = |text: &str| Document::read(text.as_bytes()).expect(text);
        let (before, after) = (before.map(read), after.map(read));
        let kind = match (&before, &after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        let both = before.as_ref().zip(after.as_ref());
        let mut differences = both
            .map(|(a, b)| compare(a.value(), b.value()))
            .unwrap_or_default();
        differences.retain(|found| found.change() != DifferenceKind::Equal);
        DiffRecord {
            kind,
            before,
            after,
            differences,
        }
    }

    const OLD: &str = r#"{"ip":"198.51.100.7","client":{"count":3},"tunnels":[{"operator":"ACME_VPN"},{"type":"TOR"}],"location":{"country":"NL"}}"#;
    const NEW: &str = r#"{"ip":"198.51.100.7","client":{"count":1400},"risks":["A\u001b"],"tunnels":[{"operator":"BRAVO_VPN"}]}"#;

    fn shown(format: ResultFormat, before: Option<&str>, after: Option<&str>) -> String {
        let (console, out, _) = console(format);
        let printed = print(vec![record(before, after)], &columns(), &console);
        printed.expect("results");
        out.text()
    }

    #[test]
    fn a_line_of_text_says_what_changed() {
        assert_eq!(
            shown(ResultFormat::Text, None, Some(OLD)),
            "+ 198.51.100.7  ACME_VPN; TOR NL\n"
        );
        assert_eq!(
            shown(ResultFormat::Text, Some(NEW), None),
            "- 198.51.100.7  BRAVO_VPN\n"
        );
        assert_eq!(
            shown(ResultFormat::Text, Some(OLD), Some(NEW)),
            "~ 198.51.100.7  client.count 3 -> 1,400; tunnels[0].operator ACME_VPN -> BRAVO_VPN; -tunnels[1].type TOR; -location.country NL; +risks A\\x1b\n"
        );
        let hosting =
            "{\"network\":\"198.51.100.0/24\",\"asn\":64500,\"organization\":\"Example\"}";
        assert_eq!(
            shown(ResultFormat::Text, None, Some(hosting)),
            "+ 198.51.100.0/24  AS64500, Example\n"
        );
        assert_eq!(
            shown(ResultFormat::Text, None, Some("{\"odd\": 1}")),
            "+ {\"odd\":1}\n"
        );
        assert_eq!(
            shown(ResultFormat::Text, None, Some("{\"tag\":\"ACME_VPN\"}")),
            "+ ACME_VPN  ACME_VPN\n"
        );
    }

    #[test]
    fn records_go_out_as_they_came() {
        assert_eq!(
            shown(ResultFormat::Json, None, Some(OLD)),
            format!("{{\"diff\":\"add\",\"record\":{OLD},\"before\":null}}\n")
        );
        assert_eq!(
            shown(ResultFormat::Json, Some(OLD), None),
            format!("{{\"diff\":\"del\",\"record\":null,\"before\":{OLD}}}\n")
        );
        assert_eq!(
            shown(ResultFormat::Json, Some(OLD), Some(NEW)),
            format!("{{\"diff\":\"change\",\"record\":{NEW},\"before\":{OLD}}}\n")
        );
    }

    #[test]
    fn tables_have_a_row_for_each() {
        assert_eq!(
            shown(ResultFormat::Csv, None, Some(OLD)),
            "add,198.51.100.7,TOR,ACME_VPN,NL,3,\r\n"
        );
        assert_eq!(
            shown(ResultFormat::Md, Some(OLD), None),
            "| del | 198[.]51[.]100[.]7 | ACME_VPN; TOR | NL |  |\n"
        );
        let changed = shown(ResultFormat::Md, Some(OLD), Some(NEW));
        assert!(changed.contains("clients 3 -> 1,400"), "{changed}");
        assert!(!changed.contains("client[.]"), "{changed}");
    }
}
