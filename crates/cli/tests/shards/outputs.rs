//! Every case of every command, in 1, 2, 3 and 7 shards.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::cases::{CASES, Precision, RESULT, write_files};
use crate::common::{Folder, Run, devices};

/// How a command line is refused whose work does not split.
const REFUSAL: &str = "does not split";

/// A folder with the files that cases read.
fn workplace() -> Folder {
    let folder = Folder::new();
    write_files(Path::new(&folder.path("")));
    folder
}

/// The report without what differs from run to run.
fn without_times(mut report: Value) -> Value {
    for time in ["seconds", "transfer_seconds", "predicted_seconds"] {
        report[time] = Value::Null;
    }
    report
}

/// What a line writes: standard output, or the file of an array, which goes.
fn written(folder: &Folder, line: &str) -> Vec<u8> {
    let Run { code, stdout, stderr, .. } = folder.manycore(line);
    assert_eq!(code, 0, "{line}: {stderr}");
    if line.contains(RESULT) {
        let bytes = std::fs::read(folder.path(RESULT)).unwrap();
        std::fs::remove_file(folder.path(RESULT)).unwrap();
        return bytes;
    }
    stdout.into_bytes()
}

/// Computes all shards, in files `1`, `2` and so on, and gives their names.
fn shards(folder: &Folder, line: &str, count: usize) -> String {
    let mut names = Vec::new();
    for index in 1..=count {
        let name = format!("shard{index}.jsonl");
        let run = folder.manycore(&format!("{line} --shard {index}/{count} -o {name}"));
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{line} --shard {index}/{count}: {}", run.stderr);
        let text = std::fs::read_to_string(folder.path(&name)).unwrap();
        assert!(text.starts_with(r#"{"manycore_shard":1,"#) && text.lines().count() == 1, "{text}");
        names.push(name);
    }
    // In any order.
    names.reverse();
    names.join(" ")
}

/// Whether shards of a line, put together, are what the line writes: text or array, and JSON.
fn check(folder: &Folder, line: &str, device: &str) {
    let (command, to) = line.split_once(" -o ").map_or((line, String::new()), |(line, to)| (line, format!(" -o {to}")));
    let command = format!("{command} --device {device} --seed 5");
    let whole = written(folder, &format!("{command}{to}"));
    // A language is another form than JSON.
    let is_json = !command.contains("--format");
    let report = is_json.then(|| without_times(folder.manycore(&format!("{command} --json")).json()));
    for count in [1, 2, 3, 7] {
        let names = shards(folder, &command, count);
        assert_eq!(written(folder, &format!("merge {names}{to}")), whole, "{command}: {count} shards");
        if let Some(report) = &report {
            let merged = folder.manycore(&format!("merge {names} --json --seed 5")).json();
            assert_eq!(&without_times(merged), report, "{command}: {count} shards");
        }
    }
}

#[test]
fn every_command_splits_or_says_that_it_does_not() {
    let folder = workplace();
    let mut split = Vec::new();
    for case in CASES.iter().filter(|case| case.precision != Precision::Answer) {
        let line = case.line.split(" -o ").next().unwrap();
        let run = folder.manycore(&format!("{line} --device host --seed 5 --shard 2/3"));
        if run.code == 2 {
            assert!(run.stderr.contains(REFUSAL), "{line}: {}", run.stderr);
            continue;
        }
        assert_eq!(run.code, 0, "{line}: {}", run.stderr);
        check(&folder, case.line, "host");
        split.push(case.line);
    }
    for command in ["sbox compare", "matrix det", "maxplus variants"] {
        assert!(split.iter().any(|line| line.starts_with(command)), "{command} does not split: {split:?}");
    }
    // The page lists them, and no other.
    let page = super::page();
    let (table, _) = page.split_once("Other commands refuse").unwrap();
    let listed: BTreeSet<String> = table.lines().filter(|row| row.starts_with("| `")).flat_map(commands).collect();
    let known = |line: &&str| listed.iter().find(|command| line.starts_with(&format!("{command} "))).cloned();
    for line in &split {
        assert!(known(line).is_some(), "the page does not list {line}");
    }
    assert_eq!(split.iter().filter_map(known).collect::<BTreeSet<_>>(), listed);
}

/// The commands of a row of the page's table: `sbox lat`, and `sbox ddt` of `lat`, `ddt`.
fn commands(row: &str) -> Vec<String> {
    let cell = row.split('|').nth(1).unwrap();
    let mut group = "";
    let names = cell.split(',').map(|name| name.trim().trim_matches('`').split(" --").next().unwrap());
    names
        .map(|name| match name.split_once(' ') {
            Some((of, _)) => {
                group = of;
                name.to_owned()
            }
            None if group.is_empty() => name.to_owned(),
            None => format!("{group} {name}"),
        })
        .collect()
}

#[test]
fn commands_without_a_result_do_not_split() {
    for line in ["devices", "explain walsh --n 2^10", "completions bash", "man", "merge x", "calibrate"] {
        let error = crate::common::manycore(&format!("{line} --shard 1/2")).error(2);
        assert!(error.contains(REFUSAL) && error.contains("--shard does not go with it"), "{line}: {error}");
    }
}

#[test]
fn fewer_parts_than_shards() {
    let folder = Folder::new();
    folder.file("two.txt", "3 5\n");
    folder.file("one.txt", "1\n");
    folder.file("none.txt", "# nothing\n");
    folder.file("row.txt", "1 2\n");
    folder.file("plan.csv", "dig,3\npour,2,dig\n");
    folder.file("box.txt", "0 1 2 3\n");
    folder.file("matrix.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 5\n1 2 -1\n2 1 4\n");
    folder.file("empty.mtx", "%%MatrixMarket matrix coordinate integer general\n0 2 0\n");
    folder.file("orders.json", "{\"rows\":[1,0],\"columns\":[1,0]}");
    folder.file("arcs.txt", "-inf -inf\n7 -inf\n");
    folder.file("alone.txt", "-inf\n");
    folder.file("system.txt", "x^2 + y^2 - 5\nx*y - 2\n");
    folder.file("zero.txt", "0\nx*y - 2\n");
    for line in [
        "characters 1",
        "characters 2 --type f32",
        "characters 2,3 --exponents --rows 2..2",
        "characters 2,3 --exponents --columns 1..1",
        "characters 300 --exponents --rows 7..9",
        "characters 3 --modulus 7 --rows 1..3 -o result.npy",
        "sparse multiply matrix.mtx two.txt --modulus 7",
        "sparse multiply matrix.mtx two.txt --orders orders.json",
        "sparse multiply empty.mtx two.txt",
        "maxplus star arcs.txt",
        "maxplus star alone.txt",
        "bivariate resultant system.txt --exact",
        "bivariate resultant system.txt --exact --variables y,x --eliminate first",
        "bivariate resultant zero.txt --exact",
        "spectrum walsh two.txt",
        "spectrum walsh one.txt",
        "spectrum haar two.txt --type f64",
        "spectrum reed-muller one.txt",
        "spectrum kronecker two.txt --product walsh",
        "spectrum fourier two.txt --modulus 13",
        "spectrum fourier two.txt --real --convolve two.txt",
        "spectrum ntt two.txt --modulus 17",
        "spectrum polarities one.txt",
        "poly eval two.txt two.txt --modulus 7",
        "poly eval two.txt none.txt --modulus 7",
        "poly --format pari eval none.txt two.txt --modulus 7",
        "sbox compare box.txt",
        "sbox lat box.txt",
        "sbox ddt box.txt --rows 2..2",
        "matrix mul one.txt row.txt --modulus 7",
        "matrix --format sage mul one.txt row.txt --modulus 2",
        "semiring product one.txt row.txt --semiring max-plus",
        "maxplus variants plan.csv --count 2",
    ] {
        check(&folder, line, "host");
    }
}

#[test]
fn shards_of_different_devices_go_together() {
    let folder = workplace();
    let devices = devices();
    for line in [
        "sbox compare sboxes.txt",
        "sbox ddt sbox.txt",
        "matrix det integral.txt --exact",
        "matrix mul square.txt wide.txt --modulus 7919",
        "maxplus variants plan.csv --count 10",
        "spectrum kronecker integers.txt --product walsh^4",
        "poly eval residues.txt points.txt --modulus 9001",
        "characters 4,6 --exponents",
        "sparse multiply sparse.sms residues.txt --modulus 9001",
        "maxplus star arcs.txt --type f64",
        "bivariate resultant system.txt --exact",
    ] {
        let whole = folder.manycore(&format!("{line} --device host")).output();
        let mut names = Vec::new();
        for index in 1..=devices.len() {
            let device = &devices[index - 1];
            let name = format!("{index}.jsonl");
            folder.manycore(&format!("{line} --device {device} --shard {index}/{} -o {name}", devices.len())).output();
            names.push(name);
        }
        assert_eq!(folder.manycore(&format!("merge {}", names.join(" "))).output(), whole);
        let report = folder.manycore(&format!("merge {} --json", names.join(" "))).json();
        assert!(report["device"].as_str().unwrap().starts_with("host"), "{report}");
    }
}

#[test]
fn checks_of_shards_are_those_of_the_whole() {
    let folder = workplace();
    for line in [
        "sbox compare sboxes.txt",
        "maxplus variants plan.csv --count 10",
        "maxplus star arcs.txt",
        "characters 4,6",
        "sparse multiply sparse.sms residues.txt --modulus 9001",
    ] {
        let line = format!("{line} --device host");
        let whole = without_times(folder.manycore(&format!("{line} --verify --json --seed 5")).json());
        assert_eq!(whole["verified"], true);
        let names = shards(&folder, &format!("{line} --verify --seed 5"), 3);
        let merged = folder.manycore(&format!("merge {names} --verify --json")).json();
        assert_eq!(without_times(merged), whole);
        // One of them was not checked.
        folder.manycore(&format!("{line} --seed 5 --shard 2/3 -o shard2.jsonl")).output();
        let error = folder.manycore(&format!("merge {names} --verify")).error(2);
        assert!(error.starts_with("--verify: not checked: shard2.jsonl:1;"), "{error}");
        assert!(folder.manycore(&format!("merge {names} --json")).json()["verified"].is_null());
    }
}

#[test]
fn determinants_are_checked_where_they_are_put_together() {
    let folder = workplace();
    let line = "matrix det integral.txt --exact --device host";
    let whole = without_times(folder.manycore(&format!("{line} --verify --seed 5 --json")).json());
    let run = folder.manycore(&format!("{line} --shard 1/2 --verify -o 1.jsonl"));
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("not checked: residues of a determinant are checked together"), "{}", run.stderr);
    folder.manycore(&format!("{line} --shard 2/2 -o 2.jsonl")).output();
    let merged = folder.manycore("merge 1.jsonl 2.jsonl --verify --seed 5 --json").json();
    assert_eq!(without_times(merged), whole);
    // Without the check the matrix need not be there; with it, it must be the one that the shards are of.
    folder.file("integral.txt", "1 2\n3 4\n");
    assert_eq!(folder.manycore("merge 1.jsonl 2.jsonl").output().trim(), whole["result"].as_str().unwrap());
    let error = folder.manycore("merge 1.jsonl 2.jsonl --verify").error(2);
    assert!(error.starts_with("integral.txt: not the file that the shards are of"), "{error}");
    std::fs::remove_file(folder.path("integral.txt")).unwrap();
    assert!(folder.manycore("merge 1.jsonl 2.jsonl --verify").error(2).starts_with("integral.txt: "));
}

#[test]
fn resultants_are_checked_where_they_are_put_together() {
    let folder = workplace();
    let line = "bivariate resultant system.txt --exact --device host";
    let whole = without_times(folder.manycore(&format!("{line} --verify --seed 5 --json")).json());
    let run = folder.manycore(&format!("{line} --shard 1/2 --verify -o 1.jsonl"));
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("not checked: residues of a resultant are checked together"), "{}", run.stderr);
    folder.manycore(&format!("{line} --shard 2/2 -o 2.jsonl")).output();
    let merged = folder.manycore("merge 1.jsonl 2.jsonl --verify --seed 5 --json").json();
    assert_eq!(without_times(merged), whole);
    folder.file("system.txt", "x\ny\n");
    assert!(folder.manycore("merge 1.jsonl 2.jsonl").output().contains("x^"));
    let error = folder.manycore("merge 1.jsonl 2.jsonl --verify").error(2);
    assert!(error.starts_with("system.txt: not the file that the shards are of"), "{error}");
}

#[test]
fn stars_of_graphs_with_circuits_do_not_split() {
    let folder = workplace();
    for (line, reason) in [
        ("maxplus star circuits.txt", "a graph with circuits"),
        ("maxplus star arcs.txt --algorithm closure", "--algorithm closure"),
        ("maxplus star arcs.txt --algebra boolean", "--algebra boolean"),
        ("bivariate resultant system.txt --modulus 469762049", "--exact splits, by primes"),
    ] {
        let error = folder.manycore(&format!("{line} --device host --shard 1/2")).error(2);
        assert!(error.contains("does not split so") && error.contains(reason), "{line}: {error}");
    }
}

#[test]
fn rows_of_large_tables_are_rounded_as_the_whole() {
    let folder = Folder::new();
    for line in ["characters 2^3,5,9 --type f32", "characters 7,11 --type f64 --columns 3..60 -o result.npy"] {
        check(&folder, line, "host");
    }
    // Of a table that no memory holds, some rows.
    let line = "characters 2^40 --exponents --rows 5..7 --columns 0..3";
    check(&folder, line, "host");
}

#[test]
fn small_determinants_split() {
    let folder = Folder::new();
    for (name, text, value) in [
        ("none.npy", None, "1"),
        ("entry.txt", Some("123456789012345678901234567890123456789012345678901234567890\n"), ""),
        ("zero.txt", Some("0 0\n1 2\n"), "0"),
        ("two.txt", Some("1 2\n3 4\n"), "-2"),
    ] {
        match text {
            Some(text) => drop(folder.file(name, text)),
            None => drop(folder.file(name, npy_of_no_rows())),
        }
        let value = if value.is_empty() { text.unwrap().trim() } else { value };
        assert_eq!(folder.manycore(&format!("matrix det {name} --exact --device host")).output().trim(), value);
        check(&folder, &format!("matrix det {name} --exact"), "host");
    }
}

/// An array of 0 by 0 integers.
fn npy_of_no_rows() -> Vec<u8> {
    let mut header = "{'descr': '<i8', 'fortran_order': False, 'shape': (0, 0), }".to_owned();
    header.push_str(&" ".repeat(128 - 10 - 1 - header.len()));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.into_bytes());
    bytes
}
