//! The statements of filters: the flat columns against the records, and both dialects on the real engines.

use std::{collections::HashMap, fs, io::Write as _, process::Command};

use ::parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};
use ipspect::{
    contract::catalog::RecordKind,
    model::Keyword,
    report::SqlStatement,
    store::{
        Filter, StopFlag,
        filter::{
            self as filters,
            sql::{self, SqlDialect, SqlValue},
        },
        parquet::{self, ParquetForm, ParquetOptions},
    },
};
use proptest::{collection::vec, prelude::*, strategy::ValueTree, test_runner::TestRunner};
use serde_json::{Value, json};

use super::{
    feeds::{Feed, feeds},
    fixture::{FEW, Fixture, Holds, draw},
    questions::filter,
};

/// The flat file of a feed.
fn flat(fixture: &Fixture) -> Vec<u8> {
    let form = ParquetOptions {
        records: RecordKind::Context,
        form: ParquetForm::Flat,
        about: Vec::new(),
    };
    let (mut file, stop) = (Vec::new(), StopFlag::default());
    let all = Filter::default();
    parquet::write(
        &fixture.index,
        &all,
        &form,
        &mut file,
        &stop,
        &mut |_, _| (),
    )
    .expect("written");
    file
}

fn texts(field: &Field) -> Vec<String> {
    let Field::ListInternal(list) = field else {
        panic!("{field:?} is no list")
    };
    let text = |field: &Field| match field {
        Field::Str(text) => text.clone(),
        odd => panic!("{odd:?} is no text"),
    };
    list.elements().iter().map(text).collect()
}

/// Each record has a row with what filters are about, and nothing is null.
fn is_flat(feed: &Feed) -> Holds {
    let fixture = Fixture::of(feed);
    let reader = SerializedFileReader::new(bytes::Bytes::from(flat(&fixture))).expect("a file");
    let mut rows: Vec<_> = reader
        .get_row_iter(None)
        .expect("rows")
        .map(|row| row.expect("a row"))
        .collect();
    prop_assert_eq!(rows.len(), fixture.rows.len());
    let column = |row: &::parquet::record::Row, name: &str| {
        let found = row.get_column_iter().find(|(text, _)| *text == name);
        found.map(|(_, field)| field.clone()).expect("a column")
    };
    let place = |row: &::parquet::record::Row| match column(row, "row") {
        Field::ULong(number) => number,
        odd => panic!("{odd:?} is no number"),
    };
    rows.sort_by_key(place);
    let rows_of_index = fixture.index.hashed().expect("hashes");
    let hashes: HashMap<_, _> = rows_of_index
        .map(|result| result.expect("a hash"))
        .collect();
    for ((row, id), record) in rows.iter().zip(&fixture.rows).zip(&fixture.naive.records) {
        prop_assert_eq!(place(row), u64::from(id.0));
        prop_assert!(
            row.get_column_iter()
                .all(|(_, field)| *field != Field::Null)
        );
        for keyword in Keyword::ALL {
            let words: Vec<String> = record
                .terms
                .of_field(keyword)
                .map(str::to_ascii_lowercase)
                .collect();
            prop_assert_eq!(texts(&column(row, keyword.name())), words);
        }
        let clients = record.terms.clients.unwrap_or_default();
        prop_assert_eq!(column(row, "clients"), Field::ULong(clients));
        prop_assert_eq!(column(row, "hash"), Field::ULong(hashes[id]));
        prop_assert_eq!(
            column(row, "has_clients"),
            Field::Bool(record.terms.clients.is_some())
        );
        prop_assert_eq!(
            column(row, "attributed"),
            Field::Bool(record.terms.attributed)
        );
        let subject = record
            .terms
            .subject
            .map_or_else(String::new, |subject| subject.to_string());
        prop_assert_eq!(column(row, "subject"), Field::Str(subject));
        let network = record.terms.subject.map(|subject| subject.network());
        let (family, first, last) = network.map_or((0, String::new(), String::new()), |network| {
            let (family, first, last) = sql::range(network);
            (u64::from(family), sql::digits(first), sql::digits(last))
        });
        prop_assert_eq!(column(row, "family"), Field::ULong(family));
        let prefix = network.map_or(0, |network| u64::from(network.prefix_len()));
        prop_assert_eq!(column(row, "prefix"), Field::ULong(prefix));
        prop_assert_eq!(column(row, "first"), Field::Str(first));
        prop_assert_eq!(column(row, "last"), Field::Str(last));
        let line = String::from_utf8_lossy(&record.line).into_owned();
        prop_assert_eq!(column(row, "record"), Field::Str(line));
        let names: Vec<String> = record
            .terms
            .of_field(Keyword::Org)
            .map(str::to_owned)
            .collect();
        let texts = texts(&column(row, "org_text"));
        prop_assert_eq!(texts.len(), names.len());
        for (text, name) in texts.iter().zip(&names) {
            prop_assert!(filters::contains(name, text) && filters::contains(text, name));
        }
    }
    Ok(())
}

#[test]
fn flat_columns_have_what_filters_are_about() {
    draw(FEW, &feeds(60), |feed| is_flat(&feed));
}

/// A filter as the engines are asked, and the rows that it selects by the matcher and by the index.
fn case(fixture: &Fixture, filter: &Filter) -> Value {
    let selected = fixture
        .index
        .select(filter, &StopFlag::default())
        .expect("selected");
    let rows: Vec<_> = selected.rows().collect();
    assert_eq!(
        fixture.places(rows.clone()),
        fixture.naive.select(filter),
        "{filter}"
    );
    let [clickhouse, duckdb] =
        [SqlDialect::ClickHouse, SqlDialect::DuckDb].map(|dialect| filter.sql(dialect));
    let value = |value: &SqlValue| match value {
        SqlValue::Text(text) => json!(text),
        SqlValue::Texts(texts) => json!(texts),
        SqlValue::Number(number) => json!(number),
    };
    let parameters: Vec<Value> = duckdb.parameters.iter().map(value).collect();
    let literals: Vec<String> = clickhouse
        .parameters
        .iter()
        .map(|value| value.literal(SqlDialect::ClickHouse))
        .collect();
    let printed = [SqlDialect::ClickHouse, SqlDialect::DuckDb].map(|dialect| {
        let statement = SqlStatement {
            feed: ipspect::contract::Feed::Anonymous,
            day: None,
            filter,
            counts: true,
            limit: None,
            is_invented: false,
        };
        statement.text(dialect)
    });
    json!({
        "filter": filter.to_string(),
        "clickhouse": clickhouse.text,
        "duckdb": duckdb.text,
        "parameters": parameters,
        "literals": literals,
        "printed": printed,
        "rows": rows.iter().map(|row| row.0).collect::<Vec<_>>(),
    })
}

/// Adds as many values to each term as no form has fields for: lists are other statements.
fn lengthen(filter: &mut Filter) {
    for term in &mut filter.terms {
        match &mut term.test {
            filters::Test::Is(_, values) => {
                values.extend((0..300).map(|number| format!("INVENTED_{number}*")));
                values.extend((0..3_000).map(|number| format!("O'INVENTED\\{number}")));
            }
            filters::Test::Contains(_, parts) => {
                parts.extend((0..300).map(|number| format!("Invented {number} é")));
            }
            filters::Test::Within(networks) => {
                let network = |number: u32| {
                    let (third, fourth, length) = (number / 256, number % 256, 22 + number % 11);
                    let network = format!("198.18.{third}.{fourth}/{length}");
                    network.parse::<ipnet::IpNet>().expect("a network").trunc()
                };
                networks.splice(0..0, (0..3_300).map(network));
            }
            filters::Test::Clients(..) | filters::Test::Attributed(_) => {}
        }
    }
}

/// Random filters over random feeds select the same by the matcher, the index, and both engines.
#[test]
#[ignore = "needs Python with duckdb and chdb: see CONTRIBUTING.md"]
fn engines_select_what_the_index_does() {
    let number = |name: &str, usual: usize| {
        let given = std::env::var(name).ok();
        given.map_or(usual, |text| text.parse().expect("a number"))
    };
    let all = number("IPSPECT_FILTERS", 2_000);
    let python = std::env::var("IPSPECT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut runner = TestRunner::deterministic();
    let (mut left, mut in_all) = (all, 0);
    let say = |text: String| std::io::stderr().write_all(text.as_bytes()).expect("write");
    while left > 0 {
        let together = left.min(2_000);
        left -= together;
        let mut sample = |most| {
            let tree = (feeds(most), vec(filter(), together)).new_tree(&mut runner);
            tree.expect("a draw").current()
        };
        let (feed, mut filters) = sample(300);
        filters.iter_mut().step_by(100).for_each(lengthen);
        let fixture = Fixture::of(&feed);
        let folder = fixture.dir.path();
        fs::write(folder.join("feed.parquet"), flat(&fixture)).expect("write");
        let cases: Vec<Value> = filters
            .iter()
            .map(|filter| case(&fixture, filter))
            .collect();
        let rows = |value: &Value| value["rows"].as_array().map_or(0, Vec::len);
        let selected: usize = cases.iter().map(rows).sum();
        in_all += selected;
        fs::write(folder.join("cases.json"), Value::from(cases).to_string()).expect("write");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines.py");
        let ran = Command::new(&python).arg(script).arg(folder).output();
        let ran = match ran {
            Ok(ran) => ran,
            Err(why) => return say(format!("not run: {python}: {why}\n")),
        };
        let said = String::from_utf8_lossy(&ran.stdout);
        say(format!(
            "{} records, selected {selected} times: {}\n",
            fixture.rows.len(),
            said.trim().replace('\n', "; ")
        ));
        assert!(
            ran.status.success(),
            "{said}\n{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
    assert!(in_all > 0, "some filter selects a record");
}
