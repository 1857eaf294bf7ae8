//! What two sides say of an address or a record.

use unicode_width::UnicodeWidthStr;

use crate::{
    cli::{
        args::ResultFormat,
        console::{CommandResult, Console},
    },
    investigation::comparison::{ComparedKind, ComparedRow, SideRecord},
    model::{compare::Difference, visible},
    report::{
        Cell, Columns, Results, TextCell, TextStyle, Ticket, changes, compared_in_words,
        difference_side, hanging, label_of, reading_of, same_verdict_line, side_in_words, value,
    },
};

/// The columns of a row.
pub(super) fn columns() -> Columns<ComparedRow> {
    Columns::<ComparedRow>::default()
        .column("diff", "diff", |row| word(row.kind))
        .column("query", "subject", |row| row.name.clone())
        .json("other", |row| {
            Cell::some(row.other.map(|address| address.to_string()))
        })
        .data("event_day", |row| {
            Cell::some(row.event_day.map(|day| day.to_string()))
        })
        .words("A", |row| TextCell::known(side_in_words(&row.sides[0])))
        .words("B", |row| TextCell::known(side_in_words(&row.sides[1])))
        .data("unknown", |row| {
            let sides = row.sides.iter().zip(["A", "B"]);
            let unknown = sides.filter(|(side, _)| matches!(side, SideRecord::Unknown(_)));
            let names: Vec<&str> = unknown.map(|(_, name)| name).collect();
            Cell::some((!names.is_empty()).then(|| names.join(" ")))
        })
        .csv("tunnel_types_a", |row| {
            Cell::some(value_of(row, 0, "tunnel_types"))
        })
        .csv("operators_a", |row| {
            Cell::some(value_of(row, 0, "operators"))
        })
        .csv("tunnel_types_b", |row| {
            Cell::some(value_of(row, 1, "tunnel_types"))
        })
        .csv("operators_b", |row| {
            Cell::some(value_of(row, 1, "operators"))
        })
        .csv("changes", |row| {
            changes(&row.differences, str::to_owned, |_, side| side.into())
        })
        .json("record", |row| Cell::document(row.sides[1].document()))
        .json("before", |row| Cell::document(row.sides[0].document()))
        .json("lossy", |row| {
            Cell::lossy(row.sides.iter().filter_map(SideRecord::document))
        })
}

fn word(kind: ComparedKind) -> &'static str {
    match kind {
        ComparedKind::Added => "add",
        ComparedKind::Removed => "del",
        ComparedKind::Changed => "change",
        ComparedKind::Other => "other",
        ComparedKind::Equal => "equal",
        ComparedKind::Unknown => "unknown",
    }
}

fn sign(kind: ComparedKind) -> &'static str {
    match kind {
        ComparedKind::Added => "+",
        ComparedKind::Removed => "-",
        ComparedKind::Changed | ComparedKind::Other => "~",
        ComparedKind::Equal => "=",
        ComparedKind::Unknown => "?",
    }
}

/// Prints some rows: for people a line each, with a sign, what it is about and both verdicts.
pub(super) fn print(
    rows: &[ComparedRow],
    columns: &Columns<ComparedRow>,
    console: &Console,
) -> CommandResult<()> {
    console.rows(|writer| {
        if writer.format.format != ResultFormat::Text || writer.format.chosen.is_some() {
            return writer.rows(columns, rows);
        }
        let style = writer.format.style;
        rows.iter().map(|row| line(row, style)).collect()
    })
}

fn line(row: &ComparedRow, style: TextStyle) -> String {
    let name = visible(&row.name);
    let day = row
        .event_day
        .map_or_else(String::new, |day| format!(" {}", day.dashed()));
    let width = name.width() + day.len() + 4;
    let detail = hanging(&visible(&compared_in_words(row)), width, style);
    format!("{} {name}{day}  {detail}\n", style.strong(sign(row.kind)))
}

/// Two addresses: both verdicts at the head, then the fields that differ.
pub(super) fn pair<'r>(
    row: &'r ComparedRow,
    names: [&str; 2],
    before: Option<&(&str, String)>,
    ticket: impl FnOnce(&str) -> Ticket,
    style: TextStyle,
) -> Results<'r, ComparedRow> {
    let verdicts = row.sides.each_ref().map(side_in_words);
    let width = names
        .iter()
        .map(|text| text.width())
        .max()
        .unwrap_or_default();
    let heads = ["A", "B"].iter().zip(names).zip(&verdicts);
    let mut text = String::new();
    for ((side, name), verdict) in heads {
        let (name, verdict) = (visible(name), visible(verdict));
        text += &format!("{side}  {name:width$}  {}\n", style.strong(&verdict));
    }
    if let Some((label, words)) = before {
        text += &format!("{}\n", same_verdict_line(label, words));
    }
    let fields = Columns::<Difference>::default()
        .words("field", |difference| {
            TextCell::known(label_of(&difference.path))
        })
        .words("A", |difference| {
            side_of(difference, difference.a.as_deref())
        })
        .words("B", |difference| {
            side_of(difference, difference.b.as_deref())
        });
    let ticket = ticket(&format!("A: {}; B: {}.", verdicts[0], verdicts[1]));
    let markdown = if row.differences.is_empty() {
        if row.kind == ComparedKind::Equal {
            text += "no field differs; lists are compared as sets\n";
        }
        ticket.end()
    } else {
        text += &format!("\n{}", fields.table(&row.differences, style));
        ticket.table(&fields.markdown(&row.differences))
    };
    Results::table(columns(), [row], Ticket::about(""))
        .text(text)
        .markdown(markdown)
}

fn side_of(found: &Difference, side: Option<&str>) -> TextCell {
    match side {
        Some(text) => TextCell::known(difference_side(&found.path, text)),
        None => TextCell::unknown("-"),
    }
}

/// What a side says in a column of tables.
fn value_of(row: &ComparedRow, side: usize, column: &str) -> Option<String> {
    let values = reading_of(&row.sides[side])?.values();
    Some(value(&values, column).to_owned())
}
