//! What else could answer: `zgrep`, `jq` and `DuckDB` on the same file, where they are installed, beside one command here.

use std::{path::Path, process::Command};

use anyhow::{Result, bail, ensure};

use super::{
    building::ADDRESSES,
    material::Material,
    measure::{Ran, Times, ratio, run, shown},
    program::{DAYS, Program},
    say,
    table::Table,
};

/// How often one command is run.
const ROUNDS: usize = 11;
/// A one-shot count may take this long, start of the process included.
const ONE_SHOT_MS: f64 = 60.0;

/// One count and one address, asked of everything there is.
pub(crate) fn beside(program: &Program, material: &Material, table: &mut Table) {
    say("one count and one address, asked of every program");
    count(program, material, table);
    address(program, material, table);
}

fn count(program: &Program, material: &Material, table: &mut Table) {
    let day = &material.days[0];
    let tag = &day.generator.words().tags[4];
    let what = "one count by one command";
    let filter = format!("tag:{tag}");
    // The newest day is another one than that of the file.
    let words = [
        "search",
        ADDRESSES.name(),
        &filter,
        "--count",
        "--day",
        DAYS[0],
    ];
    let ran = match repeated(program, &words) {
        Ok(ran) => ran,
        Err(error) => return table.missing(what, &error.to_string()),
    };
    let took = ran.took.as_secs_f64() * 1e3;
    table.at_most(what, shown(ran.took), "<= 60 ms", took, ONE_SHOT_MS);
    let pipe = r#"gzip -dc "$1" | jq -c --arg tag "$2" 'select(any(.tunnels[]?; .operator == $tag)) | 1' | wc -l"#;
    let mut shell = Command::new("sh");
    shell.args(["-c", pipe, "sh"]).arg(&day.path).arg(tag);
    other(
        table,
        "  jq",
        &ran,
        is_there("jq").and_then(|()| run(&mut shell)),
    );
    let table_of = source(&day.path);
    let sql = format!(
        "select count(*) from {table_of} where list_contains([t.operator for t in tunnels], '{tag}')"
    );
    other(table, "  DuckDB, same file", &ran, duckdb(&sql));
}

fn address(program: &Program, material: &Material, table: &mut Table) {
    let day = &material.days[0];
    let address = day.generator.address(17).to_string();
    let what = "one address by one command";
    let feed = ADDRESSES.name();
    let words = [
        "lookup", &address, "--source", "local", "--feed", feed, "--day", DAYS[0], "--format",
        "json",
    ];
    let ran = match repeated(program, &words) {
        Ok(ran) => ran,
        Err(error) => return table.missing(what, &error.to_string()),
    };
    table.noted(what, shown(ran.took));
    let ran = Ran {
        out: known(&ran.out).to_string(),
        ..ran
    };
    let mut zgrep = Command::new("zgrep");
    zgrep
        .args(["-cF", &format!("\"ip\":\"{address}\"")])
        .arg(&day.path);
    other(
        table,
        "  zgrep -c",
        &ran,
        is_there("zgrep").and_then(|()| run(&mut zgrep)),
    );
    let sql = format!(
        "select count(*) from {} where ip = '{address}'",
        source(&day.path)
    );
    other(table, "  DuckDB, same file", &ran, duckdb(&sql));
}

/// How many of these lines hold a record.
fn known(lines: &str) -> usize {
    let is_known = |line: &&str| !line.contains("\"record\":null");
    lines.lines().filter(is_known).count()
}

/// Notes what another program took, how that compares, and whether it says the same.
fn other(table: &mut Table, what: &str, own: &Ran, ran: Result<Ran>) {
    match ran {
        Err(error) => table.missing(what, &error.to_string()),
        Ok(ran) => {
            table.noted(what, shown(ran.took));
            let times = ratio(ran.took, own.took);
            let answer = if ran.out == own.out {
                "same answer".to_owned()
            } else {
                format!("ANOTHER ANSWER: {} for {}", ran.out, own.out)
            };
            table.beside(format!("{times:.0} times as long, {answer}"));
        }
    }
}

/// The records of a file, as `DuckDB` reads them.
fn source(file: &Path) -> String {
    let file = file.display().to_string().replace('\'', "''");
    format!("read_json('{file}', format = 'newline_delimited', compression = 'gzip')")
}

/// Asks `DuckDB`, by its own program or by its library for Python.
fn duckdb(sql: &str) -> Result<Ran> {
    if is_there("duckdb").is_ok() {
        return run(Command::new("duckdb").args(["-noheader", "-list", "-c", sql]));
    }
    let python = |text: &str| {
        let mut command = Command::new("python3");
        command.args(["-c", text, sql]);
        command
    };
    if run(&mut python("import duckdb")).is_err() {
        bail!("not installed");
    }
    run(&mut python(
        "import duckdb, sys; asked = duckdb.connect(); \
         asked.execute('SET enable_progress_bar = false'); \
         print(asked.execute(sys.argv[1]).fetchall()[0][0])",
    ))
}

fn is_there(program: &str) -> Result<()> {
    let asked = Command::new("sh")
        .args(["-c", "command -v \"$1\"", "sh", program])
        .output()?;
    ensure!(asked.status.success(), "not installed");
    Ok(())
}

/// The median run of a command of this program.
pub(crate) fn repeated(program: &Program, words: &[&str]) -> Result<Ran> {
    let mut times = Times::default();
    let mut last = run(&mut program.command(words))?;
    for _ in 0..ROUNDS {
        last = run(&mut program.command(words))?;
        times.add(last.took);
    }
    last.took = times.median();
    Ok(last)
}
