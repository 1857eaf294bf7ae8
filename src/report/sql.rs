//! The statement of SQL that gives the records of a filter, for a person to run.

use std::fmt::Write as _;

use crate::{
    contract::Feed,
    model::Day,
    store::{Filter, filter::sql::SqlDialect},
};

/// What is asked of a flat Parquet file of a feed.
#[derive(Clone, Copy, Debug)]
pub struct SqlStatement<'f> {
    pub feed: Feed,
    /// The day in the name of the file.
    pub day: Option<Day>,
    pub filter: &'f Filter,
    /// Whether the records are counted only.
    pub counts: bool,
    /// The most records.
    pub limit: Option<usize>,
    /// Whether the data is that of the embedded service.
    pub is_invented: bool,
}

impl SqlStatement<'_> {
    /// The lines that bind the parameters, and the statement.
    #[must_use]
    pub fn text(&self, dialect: SqlDialect) -> String {
        let day = self
            .day
            .map_or_else(String::new, |day| format!("-{}", day.dashed()));
        let of_day = self
            .day
            .map_or_else(String::new, |day| format!(" --day {}", day.dashed()));
        let feed = self.feed;
        let file = format!("{feed}{day}.parquet");
        let condition = self.filter.sql(dialect);
        let demo = if self.is_invented { " --demo" } else { "" };
        let mut text = format!("-- ipspect parquet {feed}{of_day} --flat -o {file}{demo}\n");
        let mut select = if self.counts {
            "SELECT count(*) AS records\n".to_owned()
        } else {
            "SELECT record\n".to_owned()
        };
        select += &match dialect {
            SqlDialect::ClickHouse => format!("FROM file('{file}', Parquet)\n"),
            SqlDialect::DuckDb => format!("FROM '{file}'\n"),
        };
        select += &format!("WHERE {}", condition.text);
        if !self.counts {
            select += "\nORDER BY \"row\"";
            if let Some(limit) = self.limit {
                // Writing to a text does not fail.
                let _ = write!(select, "\nLIMIT {limit}");
            }
        }
        let parameters = condition.parameters.iter().enumerate();
        let parameters = parameters.map(|(number, value)| (number, value.literal(dialect)));
        match dialect {
            SqlDialect::ClickHouse => {
                for (number, literal) in parameters {
                    let _ = writeln!(text, "SET param_p{number} = {literal};");
                }
                text + &select + ";\n"
            }
            SqlDialect::DuckDb => {
                let given: Vec<String> = parameters
                    .map(|(number, literal)| format!("p{number} := {literal}"))
                    .collect();
                if given.is_empty() {
                    return text + &select + ";\n";
                }
                let given = given.join(", ");
                text + &format!("PREPARE matching AS\n{select};\nEXECUTE matching({given});\n")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_names_the_command_that_writes_its_file() {
        let filter = "tag:ACME_VPN -infra:MOBILE".parse().expect("a filter");
        let statement = SqlStatement {
            feed: Feed::Anonymous,
            day: Day::new(2026, 11, 20),
            filter: &filter,
            counts: false,
            limit: Some(5),
            is_invented: false,
        };
        insta::assert_snapshot!(statement.text(SqlDialect::DuckDb), @r#"
        -- ipspect parquet anonymous --day 2026-11-20 --flat -o anonymous-2026-11-20.parquet
        PREPARE matching AS
        SELECT record
        FROM 'anonymous-2026-11-20.parquet'
        WHERE (list_has_any(tag, $p0))
          AND NOT (list_has_any(infra, $p1))
        ORDER BY "row"
        LIMIT 5;
        EXECUTE matching(p0 := ['acme_vpn'], p1 := ['mobile']);
        "#);
        let counted = SqlStatement {
            counts: true,
            day: None,
            ..statement
        };
        insta::assert_snapshot!(counted.text(SqlDialect::ClickHouse), @"
        -- ipspect parquet anonymous --flat -o anonymous.parquet
        SET param_p0 = ['acme_vpn'];
        SET param_p1 = ['mobile'];
        SELECT count(*) AS records
        FROM file('anonymous.parquet', Parquet)
        WHERE (hasAny(tag, {p0:Array(String)}))
          AND NOT (hasAny(infra, {p1:Array(String)}));
        ");
    }
}
