//! The layers stay layers: no module uses another that lies above or beside it, or a crate that belongs elsewhere.
//!
//! ```text
//! model < contract < store < engine < investigation < report < { cli < mcp, tui }    demo beside store, on model and contract alone
//!                                                     terminal < { cli, tui }
//! ```

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::circles::{Room, crossings, named_files};

/// A layer of the crate: what it may use of the others, and what it must not use of other crates.
struct Layer {
    name: &'static str,
    may_use: &'static [&'static str],
    must_not_use: &'static [&'static str],
}

const LAYERS: [Layer; 11] = [
    Layer {
        name: "model",
        may_use: &[],
        must_not_use: &[
            "tokio",
            "reqwest",
            "ratatui",
            "crossterm",
            "hyper",
            "clap",
            "indicatif",
            "comfy_table",
            "std::fs",
            "std::net::TcpStream",
            "std::process",
        ],
    },
    Layer {
        name: "contract",
        may_use: &["model"],
        must_not_use: &[
            "tokio",
            "reqwest",
            "ratatui",
            "crossterm",
            "hyper",
            "clap",
            "indicatif",
            "comfy_table",
            "std::fs",
            "std::net::TcpStream",
            "std::process",
        ],
    },
    Layer {
        name: "store",
        may_use: &["model", "contract"],
        must_not_use: &[
            "tokio",
            "reqwest",
            "ratatui",
            "crossterm",
            "hyper",
            "clap",
            "indicatif",
            "comfy_table",
        ],
    },
    Layer {
        name: "demo",
        may_use: &["model", "contract"],
        must_not_use: &[
            "reqwest",
            "ratatui",
            "crossterm",
            "clap",
            "indicatif",
            "comfy_table",
        ],
    },
    Layer {
        name: "engine",
        may_use: &["model", "contract", "store"],
        must_not_use: &[
            "ratatui",
            "crossterm",
            "hyper",
            "clap",
            "indicatif",
            "comfy_table",
            "std::io::stdout",
            "println",
        ],
    },
    Layer {
        name: "investigation",
        may_use: &["model", "contract", "store", "engine"],
        must_not_use: &[
            "reqwest",
            "ratatui",
            "crossterm",
            "hyper",
            "clap",
            "std::fs",
            "std::io::stdout",
            "println",
        ],
    },
    Layer {
        name: "report",
        may_use: &["model", "contract", "store", "engine", "investigation"],
        must_not_use: &[
            "tokio",
            "reqwest",
            "ratatui",
            "crossterm",
            "hyper",
            "clap",
            "std::fs",
            "std::io::stdout",
            "println",
        ],
    },
    Layer {
        name: "terminal",
        may_use: &[],
        must_not_use: &["reqwest", "hyper", "ratatui", "clap", "std::fs"],
    },
    Layer {
        name: "cli",
        may_use: &[
            "model",
            "contract",
            "store",
            "engine",
            "investigation",
            "report",
            "terminal",
        ],
        must_not_use: &["ratatui", "reqwest", "hyper"],
    },
    Layer {
        name: "tui",
        may_use: &[
            "model",
            "contract",
            "store",
            "engine",
            "investigation",
            "report",
            "terminal",
        ],
        must_not_use: &["reqwest", "hyper", "clap", "comfy_table"],
    },
    Layer {
        name: "mcp",
        may_use: &[
            "model",
            "contract",
            "store",
            "engine",
            "investigation",
            "report",
            "cli",
        ],
        must_not_use: &[
            "reqwest",
            "hyper",
            "clap",
            "ratatui",
            "comfy_table",
            "println",
        ],
    },
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files of a module, tests left out: those may use whatever proves the point.
fn files_of(module: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let own = module.with_extension("rs");
    files.extend(own.is_file().then_some(own));
    let mut dirs = vec![module.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() && !is_test {
                dirs.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
                files.push(path);
            }
        }
    }
    files
}

/// The code of a file up to its tests, comments left out.
fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    let before_tests = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let lines = before_tests
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether code names a module or a crate in a path.
fn uses(code: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + name.len()..];
        !before.is_some_and(is_part)
            && (after.starts_with("::") || after.starts_with('!') || after.starts_with(';'))
    })
}

/// Whether code names a module of this crate from its root, alone or within braces.
fn uses_layer(code: &str, layer: &str) -> bool {
    let flat: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let direct =
        flat.contains(&format!("crate::{layer}::")) || flat.contains(&format!("crate::{layer};"));
    let grouped = flat.split("use crate::{").skip(1).any(|rest| {
        let group = rest.split(';').next().unwrap_or_default();
        top_level(group).any(|item| item == layer || item.starts_with(&format!("{layer}::")))
    });
    direct || grouped
}

/// The items of a group of imports, without what is nested in them.
fn top_level(group: &str) -> impl Iterator<Item = String> {
    let mut items = vec![String::new()];
    let mut depth = 0;
    for character in group.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(String::new()),
            _ if depth == 0 => items.last_mut().expect("one at least").push(character),
            _ => {}
        }
    }
    items.into_iter().map(|item| item.trim().to_owned())
}

#[test]
fn no_layer_uses_one_above_it() {
    let mut found = Vec::new();
    for layer in &LAYERS {
        let files = files_of(&source().join(layer.name));
        assert!(!files.is_empty(), "there is no layer {}", layer.name);
        let others = LAYERS.iter().map(|other| other.name);
        let forbidden =
            others.filter(|other| *other != layer.name && !layer.may_use.contains(other));
        let forbidden: Vec<&str> = forbidden.collect();
        for file in files {
            let code = code_of(&file);
            let layers = forbidden.iter().filter(|other| uses_layer(&code, other));
            let crates = layer.must_not_use.iter().filter(|name| uses(&code, name));
            found.extend(
                layers
                    .chain(crates)
                    .map(|name| format!("{} uses {name}", file.display())),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn each_module_of_the_crate_is_a_layer() {
    let modules = fs::read_dir(source()).expect("the source").flatten();
    let modules = modules.filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()));
    let modules: BTreeSet<String> = modules
        .filter(|name| !["lib", "main"].contains(&name.as_str()))
        .collect();
    let layers: BTreeSet<String> = LAYERS.iter().map(|layer| layer.name.to_owned()).collect();
    assert_eq!(modules, layers);
}

/// No lint asks for documentation: it would breed lines that restate names. A module still begins with what it is.
#[test]
fn each_module_begins_with_what_it_is() {
    let files = files_of(&source());
    let others = files.iter().filter(|file| !file.ends_with("tests.rs"));
    let bare: Vec<_> = others
        .filter(|file| {
            let text = fs::read_to_string(file).expect("a source file");
            !text.starts_with("//! ")
        })
        .collect();
    assert!(bare.is_empty(), "{bare:?}");
}

/// The rooms of the terminal, each of which may use itself and those before it.
const ROOMS: [&str; 4] = ["ui", "ctx", "tabs", "shell"];

#[test]
fn no_room_of_the_terminal_uses_one_above_it() {
    let rank = |file: &str| {
        let room = file.strip_prefix("tui/")?.split('/').next();
        ROOMS.iter().position(|text| Some(*text) == room)
    };
    for (from, to) in named_files() {
        if let (Some(number), Some(other)) = (rank(&from), rank(&to)) {
            assert!(other <= number, "{from} uses {to}");
        }
    }
}

#[test]
fn no_tab_imports_another() {
    let tab = |file: &str| {
        Some(
            file.strip_prefix("tui/tabs/")?
                .split('/')
                .next()?
                .to_owned(),
        )
    };
    for (from, to) in named_files() {
        if let (Some(text), Some(other)) = (tab(&from), tab(&to)) {
            assert_eq!(text, other, "{from} uses {to}");
        }
    }
}

#[test]
fn one_file_of_the_terminal_calls_the_engine_and_one_touches_the_screen() {
    let mut found = Vec::new();
    for file in files_of(&source().join("tui")) {
        let code = code_of(&file);
        let name = file
            .strip_prefix(source())
            .expect("below")
            .display()
            .to_string();
        let name = name.trim_start_matches("tui/");
        let may_call = ["shell/worker.rs", "shell/runtime.rs", "ctx/facts.rs"].contains(&name);
        if code.contains("Engine") && !may_call {
            found.push(format!("{name} knows the engine"));
        }
        let may_touch = name.starts_with("shell/screen");
        if (code.contains("stdout()")
            || code.contains("crossterm::terminal")
            || code.contains("enable_raw_mode"))
            && !may_touch
        {
            found.push(format!("{name} touches the terminal"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What of the store reads or writes files: fronts leave it to the engine, and take plain values.
const READS_FILES: [&str; 8] = [
    "Folder::",
    "FeedLock",
    "Manifest::load",
    "store::folder",
    "store::lock",
    "owner::mark",
    ".cache().releases",
    "store::Cache",
];

/// The files of the fronts that read one of the person's own, or write to the terminal.
const OWN_FILES: [&str; 3] = [
    "cli/text.rs",
    "cli/enrich/resume.rs",
    "tui/shell/screen/outlet.rs",
];

#[test]
fn the_fronts_open_no_files_of_this_program() {
    let mut found = Vec::new();
    let root = source();
    for file in ["cli", "tui"]
        .iter()
        .flat_map(|front| files_of(&root.join(front)))
    {
        let code = code_of(&file);
        let name = file.strip_prefix(&root).unwrap_or(&file).display();
        let own = OWN_FILES.contains(&name.to_string().as_str());
        let asks = ["File::open", "symlink_metadata"];
        if !own && (uses(&code, "fs") || asks.iter().any(|what| code.contains(what))) {
            found.push(format!("{name} opens files"));
        }
        let read = READS_FILES.iter().filter(|what| code.contains(**what));
        found.extend(read.map(|what| format!("{name} uses {what}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The files that tell one place of days from another: the table of places, where a day is looked for, and each place but this disk.
const TELL_PLACES: [&str; 3] = ["store/manifest.rs", "engine/storage", "engine/warehouse"];

#[test]
fn no_other_file_tells_one_place_of_days_from_another() {
    let root = source();
    let mut found = Vec::new();
    for file in files_of(&root) {
        let name = file.strip_prefix(&root).expect("below").display();
        let name = name.to_string();
        let may_tell = TELL_PLACES.iter().any(|text| name.starts_with(text));
        let code: String = code_of(&file).split_whitespace().collect();
        let told = ["ReleasePlace::Local", "ReleasePlace::Warehouse"];
        let told = told.iter().filter(|what| code.contains(**what));
        if !may_tell {
            found.extend(told.map(|what| format!("{name} names {what}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_check_itself_sees_what_it_should() {
    assert!(uses_layer(
        "use crate::{\n    engine::Error,\n    model::{Day, tui},\n};",
        "engine"
    ));
    assert!(!uses_layer(
        "use crate::{\n    engine::Error,\n    model::{Day, tui},\n};",
        "tui"
    ));
    assert!(uses_layer("crate::demo::Demo", "demo"));
    assert!(uses("use tokio::sync;", "tokio") && !uses("use my_tokio::x;", "tokio"));
}

/// The rooms of `store/index`: the reader does not depend on the builder, nor the builder on the reader.
const INDEX: [Room; 4] = [
    Room {
        name: "terms",
        files: &["error", "id", "section_kind", "threads"],
        may_use: &[],
    },
    Room {
        name: "format",
        files: &[
            "extract_terms",
            "clients",
            "clients_order",
            "collation",
            "content",
            "dictionary",
            "entries",
            "file",
            "unindexed_terms",
            "v4_prefix",
            "rows",
            "external_sort",
            "term_fact",
            "scan",
            "shape",
            "spelling",
            "value",
            "words",
        ],
        may_use: &["terms"],
    },
    Room {
        name: "reading",
        files: &[
            "alike",
            "subject_iter",
            "facets",
            "flat",
            "open",
            "page",
            "path_order",
            "paths",
            "query",
            "rank",
            "client_counts",
            "ranked_rows",
            "ranks",
            "records",
            "selection",
            "subjects",
            "survey",
            "flat_token",
            "word_order",
            "word_reader",
        ],
        may_use: &["terms", "format"],
    },
    Room {
        name: "building",
        files: &[
            "build",
            "column",
            "chunk_builder",
            "encode",
            "skeleton_trie",
            "parsed_block",
        ],
        may_use: &["terms", "format"],
    },
];

#[test]
fn the_index_keeps_its_rooms() {
    let found = crossings(&["store", "index"], &INDEX);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
