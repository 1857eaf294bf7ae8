//! The rows of an export as a table.

use super::*;
use crate::{
    engine::{ColumnOrder, TableQuery},
    model::Admission,
};

/// A table of rows whose addresses may be asked about, with its first page here.
fn table() -> Harness {
    let mut world = facts();
    world.admission = Admission::with(vec!["198.51.100.0/24".parse().expect("block")]);
    let (mut script, _) = Harness::on_with(world, TabId::Export);
    let export = start(&mut script);
    script.answer(&export, Ok(Answer::Exported(exported())));
    script.answer_any(is_rows, Ok(Answer::ExportRows(page())));
    script
}

fn tables(cmds: &[Cmd]) -> Vec<TableQuery> {
    let asked = harness::questions(cmds).into_iter();
    let table = asked.filter_map(|question| match question {
        Question::ExportRows(query, _) => Some(query),
        _ => None,
    });
    table.collect()
}

fn is_sorted(asked: &TableQuery, column: usize, descending: bool) -> bool {
    asked.sort == Some(ColumnOrder { column, descending })
}

#[test]
fn rows_are_sorted_by_the_chosen_column_and_flipped() {
    let mut script = table();
    assert_eq!(tables(&script.keys("<right>s")), []);
    assert!(script.screen().contains("Sort by"));
    let cmds = script.keys("<enter>");
    assert!(is_sorted(&tables(&cmds)[0], 1, false));
    let screen = script.screen();
    assert!(screen.contains("~ sorting"), "{screen}");
    let late = script.job(&harness::questions(&cmds)[0]);
    let cmds = script.keys("ss");
    assert!(cmds.contains(&Cmd::Cancel(late)));
    assert!(is_sorted(&tables(&cmds)[0], 1, true));
    script.answer_any(is_rows, Ok(Answer::ExportRows(page())));
    insta::assert_snapshot!(script.screen_at(80, 24));
    // Numbers begin with the largest, as in every list.
    let cmds = script.keys("s>><enter>");
    assert!(is_sorted(&tables(&cmds)[0], 3, true));
    assert!(is_sorted(&tables(&script.keys("u"))[0], 1, true));
}

#[test]
fn enter_on_rows_is_not_the_fix_that_the_form_behind_them_offers() {
    let mut script = table();
    script.keys("<esc><down><down><down><space><right><space>");
    assert!(script.screen().contains("enter fix"), "{}", script.screen());
    script.keys("I");
    let screen = script.screen();
    assert!(screen.contains("Rows of "), "{screen}");
    assert!(!screen.contains("enter fix"), "{screen}");
}

#[test]
fn rows_are_filtered_while_the_words_are_typed() {
    let mut script = table();
    script.keys("/");
    let cmds = script.types("acme");
    let asked = tables(&cmds);
    assert_eq!(
        asked.last().map(|query| query.filter.as_str()),
        Some("acme")
    );
    let screen = script.screen();
    assert!(screen.contains("~ filtering"), "{screen}");
    let few = TablePage {
        count: 2_110,
        ..page()
    };
    script.answer_any(is_rows, Ok(Answer::ExportRows(few)));
    script.keys("<enter>");
    let screen = script.screen();
    assert!(screen.contains("/ acme   2,110 of 43,291 rows"), "{screen}");
    insta::assert_snapshot!(screen);
    let cleared = tables(&script.keys("<esc>"));
    assert_eq!(cleared[0].filter, "");
    assert_eq!(tables(&script.keys("u"))[0].filter, "acme");
}

#[test]
fn enter_names_its_price_and_the_way_back_finds_row_and_filter() {
    let mut script = table();
    let screen = script.screen();
    assert!(screen.contains("enter look up: 1 query"), "{screen}");
    let answer = harness::record(r#"{"ip":"198.51.100.77"}"#);
    script.sources.cached = Some(answer);
    script.keys("<down><up>");
    let screen = script.screen();
    assert!(screen.contains("enter look up: cached, free"), "{screen}");
    script.keys("<down>");
    assert!(script.screen().contains("enter look up: no single address"));
    script.keys("<enter>");
    assert_eq!(script.app.tab, TabId::Export);
    script.keys("<up>/");
    script.types("acme");
    script.answer_any(is_rows, Ok(Answer::ExportRows(page())));
    script.keys("<enter><enter>");
    assert_eq!(script.app.tab, TabId::Lookup);
    script.keys("<back>");
    assert_eq!(script.app.tab, TabId::Export);
    let screen = script.screen();
    assert!(screen.contains("/ acme"), "{screen}");
    // The form is behind it.
    script.keys("<back>");
    assert!(script.screen().contains("Build"));
    script.keys("I");
    assert!(script.screen().contains("/ acme"));
}

#[test]
fn cells_and_rows_are_copied() {
    let mut script = table();
    assert_eq!(copied(&script.keys("yi")), Some("198.51.100.77"));
    assert_eq!(copied(&script.keys("<right>yv")), Some("ACME_VPN"));
    assert_eq!(
        copied(&script.keys("yr")),
        Some("198.51.100.77\tACME_VPN\tDATACENTER\t14\tNL")
    );
}

#[test]
fn rows_further_down_are_asked_for_as_they_come_into_view() {
    let mut script = table();
    let cmds = script.keys("G");
    let asked = harness::questions(&cmds);
    let last = asked.iter().find_map(|question| match question {
        Question::ExportRows(_, rows) => Some(rows.clone()),
        _ => None,
    });
    let last = last.expect("asked");
    assert!(last.start > 43_000 && last.end >= 43_291, "{last:?}");
}

#[test]
fn a_table_does_not_take_the_place_of_a_form_that_was_changed() {
    let mut script = script();
    let export = start(&mut script);
    script.keys("<right>");
    script.answer(&export, Ok(Answer::Exported(exported())));
    script.answer_any(is_rows, Ok(Answer::ExportRows(page())));
    let screen = script.screen();
    assert!(screen.contains("I shows all its rows"), "{screen}");
    script.keys("I");
    assert!(script.screen().contains("Rows of anonymous"));
}

#[test]
fn rows_that_cannot_be_read_say_why() {
    let mut script = script();
    let export = start(&mut script);
    script.answer(&export, Ok(Answer::Exported(exported())));
    let gone = Error::new(Kind::Machine, "could not read /cases/a.csv: it is gone");
    script.answer_any(is_rows, Err(gone));
    assert!(script.notice().contains("its rows cannot be shown"));
    script.keys("I");
    let screen = script.screen();
    assert!(screen.contains("R tries again"), "{screen}");
    assert_eq!(tables(&script.keys("R")).len(), 1);
}

#[test]
fn rows_are_marked_by_their_cells_and_read_from_the_file_where_they_are_not_at_hand() {
    let mut script = table();
    script.keys(" ");
    assert!(script.screen().contains("1 marked   2 of 43,291"));
    assert_eq!(copied(&script.keys("yi")), Some("198.51.100.77"));
    script.keys("V<down>");
    assert!(script.screen().contains("2 in the range"));
    assert_eq!(tables(&script.keys("V")), []);
    insta::assert_snapshot!(script.screen());
    let all = "198.51.100.0/24\n198.51.100.77\n203.0.113.40";
    assert_eq!(copied(&script.keys("yi")), Some(all));
    let printed = script.keys("Q");
    assert_eq!(
        printed,
        [Cmd::Print(all.lines().map(str::to_owned).collect())]
    );
    let rows = script.keys("yr");
    let rows = copied(&rows).expect("rows");
    assert!(rows.contains("\r\n198.51.100.0/24,ACME_VPN,"), "{rows}");
    assert_eq!(rows.lines().count(), 4);
    script.keys("u");
    assert_eq!(copied(&script.keys("yi")), Some("198.51.100.77"));
    script.keys("A");
    assert_eq!(
        script.notice(),
        "43,291 rows: no more than 10,000 are marked at a time, so filter first"
    );
    script.keys("/");
    script.types("acme");
    let few = || TablePage {
        count: 2_110,
        ..page()
    };
    script.answer_any(is_rows, Ok(Answer::ExportRows(few())));
    script.keys("<enter>");
    assert_eq!(tables(&script.keys("A")).len(), 1);
    assert!(script.screen().contains("marking"), "{}", script.screen());
    let cmds = script.answer_any(is_rows, Ok(Answer::ExportRows(few())));
    let asked = harness::questions(&cmds);
    let is_rest = |question: &Question| matches!(question, Question::ExportRows(_, rows) if *rows == (3..2_110));
    assert!(asked.iter().any(is_rest), "{asked:?}");
    let end = TablePage {
        rows: Vec::new(),
        first: 3,
        ..few()
    };
    script.answer_any(is_rows, Ok(Answer::ExportRows(end)));
    assert!(script.screen().contains("3 marked"), "{}", script.screen());
    script.keys("<esc>");
    assert_eq!(script.notice(), "marks cleared; u brings them back");
    script.keys("uu");
    assert!(script.screen().contains("1 marked"), "{}", script.screen());
    let asked = tables(&script.keys("u"));
    assert_eq!(asked[0].filter, "", "the filter came before");
}
