"""Runs the statements of filters on DuckDB and ClickHouse: each must select the rows that the index does.

The folder that is named has feed.parquet, flat, and cases.json: for each filter its condition for each engine, the parameters as values and
as literals, and the rows. Prints a line for each engine; ends with 1 where an answer differs.
"""

import json
import re
import sys

# Filters that are asked in one statement.
TOGETHER = 100
# Statements that are run as they are printed, of all.
PRINTED = 60


def renamed(number, text, place):
    """The condition with parameters of its own among those of others."""
    return re.sub(place, lambda found: found[0].replace("p", f"c{number}_", 1), text)


def batches(cases):
    for first in range(0, len(cases), TOGETHER):
        yield cases[first : first + TOGETHER]


def printed(folder, cases, at):
    """The first statements as they are printed, of the file in the folder, with the number of records that each counts."""
    for case in cases[:PRINTED]:
        text = case["printed"][at].replace("anonymous.parquet", f"{folder}/feed.parquet")
        yield text, len(case["rows"])


def on_duckdb(folder, cases):
    import duckdb

    base = duckdb.connect()
    base.execute(f"create table records as from '{folder}/feed.parquet'")
    for batch in batches(cases):
        columns, values = [], {}
        for number, case in enumerate(batch):
            text = renamed(number, case["duckdb"], r"\$p\d+")
            columns.append(f'list("row" order by "row") filter (where {text})')
            for at, value in enumerate(case["parameters"]):
                values[f"c{number}_{at}"] = value
        answer = base.execute(f"select {', '.join(columns)} from records", values).fetchone()
        yield from (rows or [] for rows in answer)
    for text, records in printed(folder, cases, 1):
        counted = base.execute(text).fetchone()[0]
        assert counted == records, text
        base.execute("deallocate matching") if "PREPARE" in text else None


def on_clickhouse(folder, cases):
    from chdb import session

    base = session.Session()
    base.query("create database own")
    base.query(
        "create table own.records engine = MergeTree order by row as "
        f"select * from file('{folder}/feed.parquet', Parquet)"
    )
    for batch in batches(cases):
        columns = []
        for number, case in enumerate(batch):
            text = renamed(number, case["clickhouse"], r"\{p\d+:")
            columns.append(f"arraySort(groupArrayIf(row, {text}))")
            for at, literal in enumerate(case["literals"]):
                base.query(f"SET param_c{number}_{at} = {literal}")
        answer = base.query(f"select [{', '.join(columns)}] as answers from own.records", "JSONEachRow")
        lists = json.loads(str(answer))["answers"]
        yield from ([int(row) for row in rows] for rows in lists)
    for text, records in printed(folder, cases, 0):
        *bound, statement = text.rstrip(";\n").split(";\n")
        for one in bound:
            base.query(one)
        assert int(str(base.query(statement))) == records, text


def main(folder):
    with open(f"{folder}/cases.json", encoding="utf-8") as file:
        cases = json.load(file)
    differ = 0
    for name, ask in [("DuckDB", on_duckdb), ("ClickHouse", on_clickhouse)]:
        try:
            answers = list(ask(folder, cases))
        except ModuleNotFoundError as why:
            print(f"{name}: not run: {why}")
            continue
        wrong = [case for case, rows in zip(cases, answers, strict=True) if case["rows"] != rows]
        print(f"{name}: {len(cases)} filters, {len(wrong)} differ")
        for case in wrong[:3]:
            print(json.dumps(case)[:2000])
        differ += len(wrong)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
