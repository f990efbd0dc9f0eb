//! The text of the table: a module for each folder, a static for each part and each unit.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::head::{Head, UnitHead};
use super::prototype::{Argument, TYPES, prototypes};

/// The Rust text of the table of these files.
///
/// # Errors
/// The file and what of it is not understood.
pub(crate) fn text(files: &BTreeMap<String, String>) -> Result<String, String> {
    let heads =
        files.iter().map(|(path, text)| Ok((path.as_str(), Head::read(text).map_err(|e| format!("{path}: {e}"))?)));
    let table = Table { files, heads: heads.collect::<Result<_, String>>()? };
    let mut folders: BTreeMap<&str, String> = BTreeMap::new();
    let mut units = Vec::new();
    for (path, source) in files {
        let folder = path.split('/').next().unwrap_or_default();
        let text = folders.entry(folder).or_default();
        let is_part = path.rsplit('.').next() == Some("clh");
        let made = if is_part { table.part(path) } else { table.units(path, source, &mut units) };
        *text += &made.map_err(|error| format!("{path}: {error}"))?;
    }
    let mut all = String::new();
    for (folder, text) in folders {
        let (uses, docs) =
            ("use crate::unit::{Entry, Param, ParamType, Part, Passing, Unit};", "/// The units of the folder");
        let _ = write!(
            all,
            "{docs} `kernels/{folder}`.\npub mod {folder} {{\n#[allow(unused_imports)]\n{uses}\n{text}}}\n"
        );
    }
    let _ = write!(all, "/// Every unit.\npub static UNITS: &[&crate::unit::Unit] = &[{}];\n", units.join(", "));
    Ok(all)
}

struct Table<'a> {
    files: &'a BTreeMap<String, String>,
    heads: BTreeMap<&'a str, Head>,
}

impl Table<'_> {
    fn source(path: &str) -> String {
        let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))", format!("/{path}"));
        format!("path: {:?}, source: {text}", format!("kernels/{path}"))
    }

    fn part(&self, path: &str) -> Result<String, String> {
        let [unit] = &self.heads[path].units[..] else { return Err("a part is of no unit".to_owned()) };
        if !unit.sets.is_empty() || !unit.name.is_empty() {
            return Err("a part has no parameter sets".to_owned());
        }
        let name = part_name(path);
        Ok(format!("pub(crate) static {name}: Part = Part {{ {} }};\n", Self::source(path)))
    }

    fn units(&self, path: &str, source: &str, all: &mut Vec<String>) -> Result<String, String> {
        let mut made = String::new();
        for unit in &self.heads[path].units {
            let parts = self.parts(unit, &mut Vec::new())?;
            let texts: Vec<&str> = parts.iter().map(|part| self.files[*part].as_str()).chain([source]).collect();
            let sets: Result<Vec<String>, String> = unit.sets.iter().map(|set| set_of(set, &texts)).collect();
            let entries: Result<Vec<String>, String> = prototypes(source)?
                .iter()
                .map(|prototype| {
                    let parameters: Result<Vec<String>, String> =
                        prototype.arguments.iter().map(|argument| self.parameter(argument, &parts, &texts)).collect();
                    Ok(format!("Entry {{ name: {:?}, params: &[{}] }}", prototype.name, parameters?.join(", ")))
                })
                .collect();
            let name = unit_name(path, unit);
            let folder = path.split('/').next().unwrap_or_default();
            let parts: Vec<String> = parts.iter().map(|part| format!("&super::{}", part_path(part))).collect();
            let title = documented(&self.heads[path].title);
            let _ = writeln!(
                made,
                "#[doc = {:?}]\npub static {name}: Unit = Unit {{ {}, parts: &[{}], entries: &[{}], parameter_sets: &[&[], {}] }};",
                format!("`kernels/{path}`: {title}"),
                Self::source(path),
                parts.join(", "),
                entries?.join(", "),
                sets?.join(", "),
            );
            all.push(format!("&{folder}::{name}"));
        }
        Ok(made)
    }

    /// The parts of a unit, each after the parts that it names.
    fn parts<'b>(&'b self, unit: &'b UnitHead, open: &mut Vec<&'b str>) -> Result<Vec<&'b str>, String> {
        let (mut all, mut named): (Vec<&str>, Vec<&String>) = Default::default();
        for part in &unit.parts {
            let head = self.heads.get(part.as_str()).ok_or_else(|| format!("no part {part}"))?;
            if open.contains(&part.as_str()) {
                return Err(format!("part {part} is a part of itself"));
            }
            open.push(part);
            let mut below = Vec::new();
            for unit in &head.units {
                below.extend(self.parts(unit, open)?);
            }
            open.pop();
            for part in below {
                if !all.contains(&part) {
                    all.push(part);
                }
            }
            // One that is named again stands there again: for what is defined between.
            if !all.contains(&part.as_str()) || named.contains(&part) {
                all.push(part);
            }
            named.push(part);
        }
        Ok(all)
    }

    fn parameter(&self, argument: &Argument, parts: &[&str], texts: &[&str]) -> Result<String, String> {
        let Argument { name, word, is_memory, is_read_only } = argument;
        let text = |passing: &str, words: &str, count: &str| {
            format!("Param {{ name: {name:?}, passing: Passing::{passing}, words: {words}, count: {count} }}")
        };
        let passing = match (is_memory, is_read_only) {
            (true, true) => "Input",
            (true, false) => "Buffer",
            (false, _) => "Value",
        };
        let mut structs = parts.iter().flat_map(|part| &self.heads[*part].words);
        if let Some([_, element, count]) = structs.find(|words| words[0] == *word) {
            return Ok(text("Words", &words_of(element, texts)?, &format!("Some({count:?})")));
        }
        Ok(text(passing, &words_of(word, texts)?, "None"))
    }
}

/// A sentence as documentation: words that are code stand in backticks.
fn documented(title: &str) -> String {
    let words = title.split(' ').map(|word| {
        let core = word.trim_matches(['(', ')', ',', ':', ';', '.']);
        let is_code = core.contains(['_', '[', ']', '<', '>', '^', '*']);
        if is_code { word.replace(core, &format!("`{core}`")) } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The type of an argument's words: the element, a type of OpenCL C, or a define that stands for one.
fn words_of(word: &str, texts: &[&str]) -> Result<String, String> {
    if word == "ELEMENT" {
        return Ok("ParamType::Element".to_owned());
    }
    if TYPES.contains(&word) {
        return Ok(format!("ParamType::Fixed({word:?})"));
    }
    let default = texts.iter().find_map(|text| {
        let (_, after) = text.split_once(&format!("#ifndef {word}\n#define {word} "))?;
        after.split_whitespace().next()
    });
    let default = default.filter(|default| TYPES.contains(default));
    let default = default.ok_or_else(|| format!("{word} is no type of words, and no define that stands for one"))?;
    Ok(format!("ParamType::Define({word:?}, {default:?})"))
}

/// A parameter set; a type of elements sets what the texts know of it.
fn set_of(set: &[(String, String)], texts: &[&str]) -> Result<String, String> {
    let mut pairs = Vec::new();
    for (name, value) in set {
        if !name.is_empty() {
            if !is_known(name, texts) {
                return Err(format!("{name} has no default"));
            }
            pairs.push(format!("({name:?}, {value:?})"));
            continue;
        }
        let bytes = match value.as_str() {
            "uchar" | "char" => "1",
            "ushort" | "short" => "2",
            "uint" | "int" | "float" => "4",
            "ulong" | "long" | "double" => "8",
            _ => return Err(format!("{value} is neither NAME=VALUE nor a type of words")),
        };
        let floating = if matches!(value.as_str(), "float" | "double") { "1" } else { "0" };
        let swizzle = if bytes == "8" { "4" } else { "5" };
        let all = [
            ("ELEMENT", value.as_str()),
            ("ELEMENT_BYTES", bytes),
            ("ELEMENT_FLOATING", floating),
            ("SWIZZLE", swizzle),
        ];
        let known = all.into_iter().filter(|(name, _)| is_known(name, texts));
        pairs.extend(known.map(|(name, value)| format!("({name:?}, {value:?})")));
    }
    Ok(format!("&[{}]", pairs.join(", ")))
}

fn is_known(name: &str, texts: &[&str]) -> bool {
    texts.iter().any(|text| text.contains(&format!("#ifndef {name}\n")))
}

fn stem(path: &str) -> String {
    let name = path.split_once('/').map_or(path, |(_, name)| name);
    name.split('.').next().unwrap_or_default().to_uppercase()
}

fn part_name(path: &str) -> String {
    format!("PART_{}", stem(path))
}

fn part_path(path: &str) -> String {
    let folder = path.split('/').next().unwrap_or_default();
    format!("{folder}::{}", part_name(path))
}

fn unit_name(path: &str, unit: &UnitHead) -> String {
    if unit.name.is_empty() { stem(path) } else { format!("{}_{}", stem(path), unit.name) }
}
