//! The table of units as the build makes it of heads and prototypes.

#[path = "../build/head.rs"]
mod head;
#[path = "../build/prototype.rs"]
mod prototype;
#[path = "../build/table.rs"]
mod table;

use std::collections::BTreeMap;

use head::Head;
use manycore_kernels::{ParamType, Passing, UNITS, linalg, poly, sparse};
use prototype::prototypes;

const UNIT: &str = "// Sums of things.\n//\n// parts: a/one.clh a/two.clh\n// set: ulong ROWS=4\n\n#ifndef ROWS\n#define ROWS 2\n\
                    #endif\n__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\nvoid sums(__global const uint4 *restrict x, \
                    // the terms\n    __global ELEMENT *to, const ulong count, const roots r)\n{\n}\n";

fn files(of: &[(&str, &str)]) -> BTreeMap<String, String> {
    of.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn error(of: &[(&str, &str)]) -> String {
    table::text(&files(of)).unwrap_err()
}

#[test]
fn heads_and_prototypes_make_the_table() {
    let one = "// One.\n// words: roots ELEMENT ROOTS\n\n#ifndef ELEMENT\n#define ELEMENT uint\n#endif\n";
    let two = "// Two.\n// parts: a/one.clh\nint x;\n";
    let text = table::text(&files(&[("a/one.clh", one), ("a/two.clh", two), ("a/sums.cl", UNIT)])).unwrap();
    assert!(text.contains("pub static SUMS: Unit"), "{text}");
    assert!(text.contains("parts: &[&super::a::PART_ONE, &super::a::PART_TWO]"), "{text}");
    assert!(text.contains("parameter_sets: &[&[], &[(\"ELEMENT\", \"ulong\"), (\"ROWS\", \"4\")]]"), "{text}");
    for param in [
        "name: \"x\", passing: Passing::Input, words: ParamType::Fixed(\"uint\"), count: None",
        "name: \"to\", passing: Passing::Buffer, words: ParamType::Element, count: None",
        "name: \"count\", passing: Passing::Value, words: ParamType::Fixed(\"ulong\"), count: None",
        "name: \"r\", passing: Passing::Words, words: ParamType::Element, count: Some(\"ROOTS\")",
    ] {
        assert!(text.contains(param), "{param}\n{text}");
    }
}

#[test]
fn what_is_not_understood_is_named_with_its_file() {
    let one = ("a/one.clh", "// One.\n// words: roots ELEMENT ROOTS\n");
    let two = ("a/two.clh", "// Two.\n// parts: a/two.clh\n");
    assert_eq!(error(&[one, ("a/sums.cl", UNIT)]), "a/sums.cl: no part a/two.clh");
    assert_eq!(error(&[one, two, ("a/sums.cl", UNIT)]), "a/sums.cl: part a/two.clh is a part of itself");
    let two = ("a/two.clh", "// Two.\n");
    let unit = UNIT.replace("ROWS=4", "COLUMNS=4");
    assert_eq!(error(&[one, two, ("a/sums.cl", &unit)]), "a/sums.cl: COLUMNS has no default");
    let unit = UNIT.replace("const ulong count", "const size_t count");
    let told = "a/sums.cl: size_t is no type of words, and no define that stands for one";
    assert_eq!(error(&[one, two, ("a/sums.cl", &unit)]), told);
    let told = "a/one.clh: line 1: not a struct, a type and a define: // words: roots";
    assert_eq!(error(&[("a/one.clh", "// words: roots\n")]), told);
    assert_eq!(error(&[("a/one.clh", "// set: ulong\n")]), "a/one.clh: a part has no parameter sets");
}

#[test]
fn units_of_one_file_have_names() {
    let text = "// Rows.\n//\n// unit: -\n// parts: a.clh\n// set: X=1\n// unit: WIDE\n// set: X=2\n// set: X=3\nint y; // set: Z=1\n";
    let head = Head::read(text).unwrap();
    assert_eq!(head.title, "Rows.");
    let units: Vec<(&str, usize, usize)> =
        head.units.iter().map(|unit| (unit.name.as_str(), unit.parts.len(), unit.sets.len())).collect();
    assert_eq!(units, [("", 1, 1), ("WIDE", 0, 2)]);
}

#[test]
fn prototypes_that_are_not_plain_are_refused() {
    assert_eq!(prototypes("__kernel void f(const int a)\n").unwrap()[0].arguments.len(), 1);
    for text in
        ["__kernel f(int a)", "__kernel inline void f(int a)", "__kernel void f(__local int *a)", "__kernel void f("]
    {
        assert!(prototypes(text).is_err(), "{text}");
    }
}

#[test]
fn every_unit_begins_with_its_defaults() {
    assert!(UNITS.len() > 80);
    for unit in UNITS {
        assert!(unit.parameter_sets[0].is_empty(), "{}", unit.path);
        assert!(!unit.entries.is_empty(), "{}", unit.path);
        assert_eq!(unit.source.matches("__kernel").count(), unit.entries.len(), "{}", unit.path);
    }
}

#[test]
fn signatures_are_those_of_the_prototypes() {
    let range = &linalg::REAL.entries[0];
    let passing: Vec<Passing> = range.params.iter().map(|param| param.passing).collect();
    assert_eq!(range.name, "real_range");
    assert_eq!(passing, [Passing::Input, Passing::Value, Passing::Value, Passing::Value, Passing::Buffer]);
    let load = &poly::TRANSFORM_LOAD.entries[0];
    assert_eq!(load.params[0].words, ParamType::Define("SOURCE", "uint"));
    assert!(sparse::ROWS.parts.len() < sparse::ROWS_RESIDUES.parts.len());
}
