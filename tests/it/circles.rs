//! No two files of `src` name each other's items, directly or around; and the rooms of the index, each on those below it.
//!
//! An edge leads from a file to the file that defines an item which the first names by an import or a path. A facade's
//! `pub use` is no edge, but is followed to the file that defines the item. Tests and comments do not count, nor do
//! methods, whose calls name no file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Files of a folder that are together, by the first part of their path below it, and the rooms whose items they may name.
pub(crate) struct Room {
    pub(crate) name: &'static str,
    pub(crate) files: &'static [&'static str],
    pub(crate) may_use: &'static [&'static str],
}

/// A word or a sign of code; `::` is one sign.
type Token = String;

/// What `use` brings into a file: the name there, and the path. A glob has the name `*`.
struct Import {
    name: String,
    path: Vec<String>,
    is_public: bool,
}

struct File {
    /// The module's path from the crate's root.
    module: Vec<String>,
    tokens: Vec<Token>,
    items: BTreeSet<String>,
    imports: Vec<Import>,
}

/// What a path leads to: a module or an item, by the number of the file.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    Item(usize),
}

struct Code {
    files: Vec<File>,
}

impl Code {
    fn read(root: &Path) -> Self {
        let mut files = Vec::new();
        let mut dirs = vec![root.to_owned()];
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(&dir).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    dirs.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let text = fs::read_to_string(&path).expect("a source file");
                    files.push((module_of(root, &path), text));
                }
            }
        }
        files.sort();
        Self::of(files)
    }

    /// Files by module, those left out that only tests have.
    fn of(texts: Vec<(Vec<String>, String)>) -> Self {
        let mut files = Vec::new();
        let mut only_in_tests = BTreeSet::new();
        for (module, text) in texts {
            let (tokens, modules) = without_tests(&tokens_of(&text));
            only_in_tests.extend(modules.into_iter().map(|name| child(&module, &name)));
            files.push(File {
                items: items_of(&tokens),
                imports: imports_of(&tokens),
                module,
                tokens,
            });
        }
        files.retain(|file| {
            (1..=file.module.len()).all(|len| !only_in_tests.contains(&file.module[..len]))
        });
        Self { files }
    }

    fn number(&self, module: &[String]) -> Option<usize> {
        self.files.iter().position(|file| file.module == module)
    }

    /// Where a path leads from a file; nothing for other crates, primitives and local names.
    fn resolve(&self, from: usize, path: &[String], fuel: usize) -> Option<Target> {
        let mut at = Target::Module(from);
        for (index, name) in path.iter().enumerate() {
            let Target::Module(number) = at else {
                // A variant or an associated item is where its type does.
                return Some(at);
            };
            at = match name.as_str() {
                "crate" => Target::Module(self.number(&[])?),
                "self" => at,
                "super" => {
                    let (_, parent) = self.files[number].module.split_last()?;
                    Target::Module(self.number(parent)?)
                }
                name => self.find(number, name, index + 1 == path.len(), fuel)?,
            };
        }
        Some(at)
    }

    /// What a name is in a module; where it is a module and an item, the last name of a path is the item.
    fn find(&self, number: usize, name: &str, is_last: bool, fuel: usize) -> Option<Target> {
        let fuel = fuel.checked_sub(1)?;
        let file = &self.files[number];
        let module = || self.number(&child(&file.module, name)).map(Target::Module);
        let item = || file.items.contains(name).then_some(Target::Item(number));
        let imported = || {
            let mut named = file.imports.iter().filter(|import| import.name == name);
            named.find_map(|import| self.resolve(number, &import.path, fuel))
        };
        let through_globs = || {
            let mut globs = file.imports.iter().filter(|import| import.name == "*");
            globs.find_map(|glob| match self.resolve(number, &glob.path, fuel)? {
                Target::Module(other) if other != number => self.find(other, name, is_last, fuel),
                _ => None,
            })
        };
        if is_last {
            item()
                .or_else(imported)
                .or_else(module)
                .or_else(through_globs)
        } else {
            module()
                .or_else(imported)
                .or_else(item)
                .or_else(through_globs)
        }
    }

    /// The names that each file takes from each other.
    fn edges(&self) -> BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>> {
        let mut edges: BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>> = BTreeMap::new();
        for (number, file) in self.files.iter().enumerate() {
            let private = file.imports.iter().filter(|import| !import.is_public);
            let imported = private.map(|import| import.path.clone());
            for path in imported.chain(paths_of(&file.tokens)) {
                if let Some(Target::Item(other)) = self.resolve(number, &path, 16)
                    && other != number
                {
                    let names = edges.entry(number).or_default().entry(other).or_default();
                    names.insert(path.join("::"));
                }
            }
        }
        edges
    }

    /// Where files below a folder name what is in a room that theirs may not use; and files that have no room.
    fn crossings(&self, folder: &[&str], rooms: &[Room]) -> Vec<String> {
        let below = |number: usize| {
            let module = &self.files[number].module;
            let is_below = module
                .iter()
                .zip(folder)
                .filter(|(text, part)| text == part)
                .count();
            module
                .get(folder.len())
                .filter(|_| is_below == folder.len())
        };
        let room_of = |file: &str| rooms.iter().find(|room| room.files.contains(&file));
        let files = (0..self.files.len()).filter_map(below);
        let homeless = files.filter(|file| room_of(file).is_none());
        let mut found: Vec<String> = homeless.map(|file| format!("{file} has no room")).collect();
        for (from, others) in self.edges() {
            let Some((file, room)) = below(from).and_then(|file| Some((file, room_of(file)?)))
            else {
                continue;
            };
            for (other, names) in others {
                if let Some((used, place)) =
                    below(other).and_then(|used| Some((used, room_of(used)?)))
                    && place.name != room.name
                    && !room.may_use.contains(&place.name)
                {
                    let names: Vec<String> = names.into_iter().collect();
                    found.push(format!(
                        "{file} ({}) -> {used} ({}): {}",
                        room.name,
                        place.name,
                        names.join(", ")
                    ));
                }
            }
        }
        found
    }

    /// The sets of files in which each reaches each other, with the edges that tie them.
    fn circles(&self) -> BTreeMap<Vec<String>, String> {
        let edges = self.edges();
        let reached: Vec<BTreeSet<usize>> = (0..self.files.len())
            .map(|start| {
                let mut reached = BTreeSet::new();
                let mut open = vec![start];
                while let Some(at) = open.pop() {
                    let next = edges.get(&at).into_iter().flat_map(BTreeMap::keys);
                    open.extend(next.filter(|next| reached.insert(**next)));
                }
                reached
            })
            .collect();
        let mut circles = BTreeMap::new();
        for (number, from_here) in reached.iter().enumerate() {
            let circle: BTreeSet<usize> = from_here
                .iter()
                .filter(|other| reached[**other].contains(&number))
                .copied()
                .collect();
            if circle.len() < 2 {
                continue;
            }
            let name = |number: &usize| self.files[*number].module.join("/");
            let mut ties = String::new();
            for from in &circle {
                for (to, names) in edges[from].iter().filter(|(to, _)| circle.contains(to)) {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    ties += &format!("\n  {} -> {}: {}", name(from), name(to), names.join(", "));
                }
            }
            circles.insert(circle.iter().map(name).collect(), ties);
        }
        circles
    }
}

fn child(module: &[String], name: &str) -> Vec<String> {
    let name = name.to_owned();
    module.iter().cloned().chain([name]).collect()
}

fn module_of(root: &Path, path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let path = path.strip_prefix(root).expect("below");
    let names = path.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "lib").collect()
}

/// The words and signs of code, without comments, texts and lifetimes.
fn tokens_of(text: &str) -> Vec<Token> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let quoted = raw_text(rest);
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(len) = quoted {
            len
        } else if first == '"' {
            text_len(rest)
        } else if first == '\'' {
            character_len(rest)
        } else if is_word(first) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(rest[..len].to_owned());
            len
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            tokens.extend((!first.is_whitespace()).then(|| first.to_string()));
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    tokens
}

/// The length of `r"..."` or `br#"..."#`, if one begins here.
fn raw_text(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(rest.len() - body.len() + body.find(&end)? + end.len())
}

/// The length of the text in quotes that begins here.
fn text_len(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    rest.len()
}

/// The length of the character literal that begins here, or of the sign of a lifetime with its name.
fn character_len(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((at, c))) => {
            at + c.len_utf8() + rest[at + c.len_utf8()..].find('\'').unwrap_or_default() + 1
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => rest[1..]
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(rest.len(), |end| end + 1),
    }
}

/// The tokens without what is under `#[cfg(test)]`, and the modules that are there.
fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut modules = Vec::new();
    let mut rest = tokens;
    while let Some(token) = rest.first() {
        let is_mark =
            rest.len() > mark.len() && rest.iter().zip(mark).all(|(token, sign)| token == sign);
        if !is_mark {
            kept.push(token.clone());
            rest = &rest[1..];
            continue;
        }
        let item = &rest[..item_len(rest)];
        let named = item.windows(2).find(|pair| pair[0] == "mod");
        modules.extend(named.map(|pair| pair[1].clone()));
        rest = &rest[item.len()..];
    }
    (kept, modules)
}

/// The number of tokens up to the end of the item that begins here, with its attributes.
fn item_len(tokens: &[Token]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token == "}" {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The items that a file defines.
fn items_of(tokens: &[Token]) -> BTreeSet<String> {
    const KINDS: [&str; 8] = [
        "fn", "struct", "enum", "union", "trait", "type", "const", "static",
    ];
    let mut items = BTreeSet::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = |far: usize| tokens.get(at + far).cloned();
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "macro_rules" => items.extend(next(2)),
            kind if depth == 0 && KINDS.contains(&kind) => items.extend(next(1)),
            _ => {}
        }
    }
    items
}

/// What all `use` of a file bring into it.
fn imports_of(tokens: &[Token]) -> Vec<Import> {
    let mut imports = Vec::new();
    for at in (0..tokens.len()).filter(|at| begins_use(&tokens[*at..])) {
        let before = at.checked_sub(1).map(|before| tokens[before].as_str());
        let is_public = matches!(before, Some("pub" | ")"));
        let end = at + item_len_of_use(&tokens[at..]);
        branches(&tokens[at + 1..end], &[], &mut |name, path| {
            imports.push(Import {
                name,
                path,
                is_public,
            });
        });
    }
    imports
}

/// Whether imports begin here, and no list of what a type captures.
fn begins_use(tokens: &[Token]) -> bool {
    tokens[0] == "use" && tokens.get(1).is_some_and(|next| next != "<")
}

fn item_len_of_use(tokens: &[Token]) -> usize {
    tokens
        .iter()
        .position(|token| token == ";")
        .unwrap_or(tokens.len())
}

/// The names and paths of a tree of imports.
fn branches(tree: &[Token], above: &[String], found: &mut impl FnMut(String, Vec<String>)) {
    let mut path = above.to_vec();
    let mut rest = tree;
    while let Some((token, after)) = rest.split_first() {
        match token.as_str() {
            "::" => {}
            "{" => {
                let mut depth = 0_usize;
                let inner = &after[..after.len().saturating_sub(1)];
                let parts = inner.split(|token| {
                    match token.as_str() {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        _ => {}
                    }
                    depth == 0 && token == ","
                });
                for part in parts.filter(|part| !part.is_empty()) {
                    branches(part, &path, found);
                }
                return;
            }
            "as" => {
                found(after.first().cloned().unwrap_or_default(), path);
                return;
            }
            "*" => {
                found("*".to_owned(), path);
                return;
            }
            "self" if !path.is_empty() => {}
            name => path.push(name.to_owned()),
        }
        rest = after;
    }
    if let Some(name) = path.last().cloned() {
        found(name, path);
    }
}

/// The paths that code names outside of `use`; a single name counts where it is a type or called.
fn paths_of(tokens: &[Token]) -> Vec<Vec<String>> {
    let is_name = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if begins_use(&tokens[at..]) {
            at += item_len_of_use(&tokens[at..]);
            continue;
        }
        let before = at.checked_sub(1).map(|before| tokens[before].as_str());
        if !is_name(&tokens[at]) || matches!(before, Some("." | "fn" | "::")) {
            at += 1;
            continue;
        }
        let mut path = vec![tokens[at].clone()];
        while tokens.get(at + 1).is_some_and(|token| token == "::")
            && tokens.get(at + 2).is_some_and(|token| is_name(token))
        {
            path.push(tokens[at + 2].clone());
            at += 2;
        }
        at += 1;
        let is_called = matches!(tokens.get(at).map(String::as_str), Some("(" | "!"));
        let is_type = path[0].starts_with(char::is_uppercase);
        if path.len() > 1 || is_called || is_type {
            paths.push(path);
        }
    }
    paths
}

fn source() -> Code {
    Code::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// Where files of a folder of the source name what is in a room that theirs may not use; and files that have no room.
pub(crate) fn crossings(folder: &[&str], rooms: &[Room]) -> Vec<String> {
    source().crossings(folder, rooms)
}

/// The files of the source that name each other, by module: `tui/shell/app`, `tui/ctx`.
pub(crate) fn named_files() -> Vec<(String, String)> {
    let code = source();
    let name = |number: usize| code.files[number].module.join("/");
    let edges = code.edges().into_iter();
    edges
        .flat_map(|(from, to)| to.into_keys().map(move |to| (from, to)))
        .map(|(from, to)| (name(from), name(to)))
        .collect()
}

#[test]
fn no_files_name_each_other_in_a_circle() {
    let circles = source().circles();
    let ties: Vec<&str> = circles.values().map(String::as_str).collect();
    assert!(ties.is_empty(), "circle:{}", ties.join("\ncircle:"));
}

#[test]
fn the_check_sees_a_circle_through_facades_and_none_in_tests() {
    let file = |module: &str, text: &str| {
        let names = module.split('/').filter(|name| !name.is_empty());
        (names.map(str::to_owned).collect(), text.to_owned())
    };
    let circles = |b: &str| {
        let code = Code::of(vec![
            file("", "mod a; mod b; mod c;"),
            file("a", "use crate::b::Deep; pub struct A; // crate::c::C"),
            file("b", "mod deep; mod tests; pub use self::deep::Deep;"),
            file("b/deep", b),
            file("c", "use super::a::{self, A}; pub struct C(A, a::A);"),
        ]);
        code.circles().into_keys().collect::<Vec<_>>()
    };
    let tied = [vec!["a".to_owned(), "b/deep".to_owned()]];
    assert_eq!(circles("use crate::a::A; pub enum Deep { One(A) }"), tied);
    assert_eq!(
        circles("pub fn new() -> crate::a::A { todo!() } pub type Deep = ();"),
        tied
    );
    for untied in [
        "pub struct Deep; const TEXT: &str = r#\"crate::a::A\"#; /* crate::a::A */",
        "pub struct Deep<'a>(&'a u8); #[cfg(test)] mod tests { use crate::a::A; }",
        "pub struct Deep; impl Deep { const C: char = '\"'; fn a(&self) { self.A() } }",
    ] {
        assert!(circles(untied).is_empty(), "{untied}");
    }
}
