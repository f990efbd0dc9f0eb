//! Circles of modules within a crate: strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", 1972) of
//! what modules name of each other, by `use` or by path, but for what they only pass on (`pub use`) and for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

/// The path of a module within its crate, empty of its root.
type Module = Vec<String>;

/// Modules that name each other, directly or by others.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Circle {
    pub(crate) modules: Vec<String>,
}

/// The circles of a crate whose sources are in this folder.
pub(crate) fn of(folder: &Path) -> Result<Vec<Circle>> {
    let mut texts = BTreeMap::new();
    read(folder, &mut Vec::new(), &mut texts)?;
    Ok(among(&texts))
}

fn read(folder: &Path, path: &mut Module, texts: &mut BTreeMap<Module, String>) -> Result<()> {
    let told = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(told)? {
        let entry = entry.with_context(told)?.path();
        let Some(name) = entry.file_stem().and_then(|name| name.to_str()) else { continue };
        path.push(name.to_owned());
        if entry.is_dir() {
            read(&entry, path, texts)?;
        } else if entry.extension().is_some_and(|end| end == "rs") && name != "main" {
            let module = if matches!(name, "mod" | "lib") { path[..path.len() - 1].to_vec() } else { path.clone() };
            texts.insert(module, std::fs::read_to_string(&entry).with_context(told)?);
        }
        path.pop();
    }
    Ok(())
}

fn among(texts: &BTreeMap<Module, String>) -> Vec<Circle> {
    let modules: Vec<&Module> = texts.keys().collect();
    let place = |module: &Module| modules.binary_search(&module).ok();
    let edges: Vec<BTreeSet<usize>> =
        texts.iter().map(|(module, text)| named(module, text, texts).iter().filter_map(place).collect()).collect();
    let mut search =
        Search { edges: &edges, order: vec![None; edges.len()], low: vec![0; edges.len()], ..Search::default() };
    (0..edges.len()).for_each(|at| search.visit(at));
    let circle = |circle: Vec<usize>| {
        let mut names: Vec<String> = circle.iter().map(|&at| modules[at].join("/")).collect();
        names.sort();
        Circle { modules: names }
    };
    let mut circles: Vec<Circle> = search.found.into_iter().map(circle).collect();
    circles.sort_by(|a, b| a.modules.cmp(&b.modules));
    circles
}

/// The other modules that a module names.
fn named(module: &Module, text: &str, texts: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    for path in paths(&code(text)) {
        let mut rest = &path[..];
        let mut full: Module = match rest.first().map(String::as_str) {
            Some("crate") => {
                rest = &rest[1..];
                Vec::new()
            }
            Some("super" | "self") => {
                let mut base = module.clone();
                while let Some(step @ ("super" | "self")) = rest.first().map(String::as_str) {
                    if step == "super" {
                        base.pop();
                    }
                    rest = &rest[1..];
                }
                base
            }
            // A module of this one by its name, or another crate.
            Some(first) if texts.contains_key(&[&module[..], &[first.to_owned()]].concat()) => module.clone(),
            _ => continue,
        };
        full.extend(rest.iter().cloned());
        while !texts.contains_key(&full) && full.pop().is_some() {}
        if full != *module {
            found.insert(full);
        }
    }
    found
}

/// A text without comments, what stands in quotes, and tests.
fn code(text: &str) -> String {
    let text = text.split("\nmod tests {").next().unwrap_or_default();
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        code.extend(line.split('"').step_by(2));
        code.push('\n');
    }
    code
}

/// The paths that a text names: those of its `use`, but for `pub use`, and all others of more than one word.
fn paths(code: &str) -> Vec<Module> {
    let (mut found, mut others) = (Vec::new(), String::new());
    let mut rest = code;
    while let Some(at) = next_use(rest) {
        let (before, from) = rest.split_at(at);
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        let (tree, after) = from[4..].split_once(';').unwrap_or((&from[4..], ""));
        others.push_str(&before[..begin]);
        if !before[begin..].trim_start().starts_with("pub") {
            expand(tree, &Vec::new(), &mut found);
        }
        rest = after;
    }
    others.push_str(rest);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for word in others.split(|c| !is_word(c)).filter(|word| word.contains("::")) {
        found.push(word.split("::").map(str::to_owned).collect());
    }
    found
}

/// Where the next `use` of a text begins.
fn next_use(text: &str) -> Option<usize> {
    let is_first = |at: &usize| {
        let line = &text[text[..*at].rfind('\n').map_or(0, |end| end + 1)..*at];
        let line = line.trim();
        line.is_empty() || (line.starts_with("pub") && line.split_whitespace().count() == 1)
    };
    text.match_indices("use ").map(|(at, _)| at).find(is_first)
}

/// The paths of a tree of `use`.
fn expand(tree: &str, before: &Module, found: &mut Vec<Module>) {
    let tree = tree.trim();
    let Some((head, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().split("::").map(|part| part.trim().to_owned());
        found.push(before.iter().cloned().chain(path).collect());
        return;
    };
    let head = head.trim().trim_end_matches("::").split("::").filter(|part| !part.is_empty()).map(str::to_owned);
    let base: Module = before.iter().cloned().chain(head).collect();
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &inner[begin..at];
                if !part.trim().is_empty() {
                    expand(part, &base, found);
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
}

/// The search for components.
#[derive(Default)]
struct Search<'a> {
    edges: &'a [BTreeSet<usize>],
    order: Vec<Option<usize>>,
    low: Vec<usize>,
    stack: Vec<usize>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, at: usize) {
        if self.order[at].is_some() {
            return;
        }
        (self.order[at], self.low[at]) = (Some(self.count), self.count);
        self.count += 1;
        self.stack.push(at);
        let edges = self.edges;
        for &to in &edges[at] {
            match self.order[to] {
                None => {
                    self.visit(to);
                    self.low[at] = self.low[at].min(self.low[to]);
                }
                Some(order) if self.stack.contains(&to) => self.low[at] = self.low[at].min(order),
                Some(_) => {}
            }
        }
        if self.order[at] == Some(self.low[at]) {
            let begin = self.stack.iter().rposition(|&other| other == at).unwrap_or(0);
            let circle = self.stack.split_off(begin);
            if circle.len() > 1 {
                self.found.push(circle);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(texts: &[(&str, &str)]) -> Vec<Vec<String>> {
        let module = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let texts = texts.iter().map(|(path, text)| (module(path), (*text).to_owned())).collect();
        among(&texts).into_iter().map(|circle| circle.modules).collect()
    }

    #[test]
    fn modules_that_name_each_other_are_circles() {
        let texts = [
            ("", "mod a;\npub use a::A;\npub use b::B;\n"),
            ("a", "use crate::b::{self, C as D};\nuse std::fmt;\n"),
            ("b", "fn f() -> super::a::A {}\n"),
            ("b/c", "use super::super::d::E;\n// use crate::b::B;\n#[cfg(test)]\nmod tests { use crate::b::B; }\n"),
            ("d", "const WORD: &str = \"crate::b::c\";\n"),
        ];
        assert_eq!(circles(&texts), [["a", "b"]]);
    }

    #[test]
    fn parents_that_use_their_children_are_in_circles_with_them() {
        let texts = [("a", "use b::B;\nmod b;\n"), ("a/b", "use super::{A, c::{C, D}};\n"), ("a/c", "")];
        assert_eq!(circles(&texts), [["a", "a/b"]]);
        let texts = [("a", "#[cfg(test)]\nmod tests;\nfn f() { b::f() }\n"), ("a/b", "use super::A;\n"), ("c", "")];
        assert_eq!(circles(&texts), [["a", "a/b"]]);
        assert_eq!(circles(&[("a", "pub use b::B;\n"), ("a/b", "use super::A;\n")]), [[""; 0]; 0]);
    }
}
