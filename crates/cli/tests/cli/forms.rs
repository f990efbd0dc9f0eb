//! Forms of input and output: the languages of Sage and PARI/GP, archives of arrays, comma-separated values, arrays of matrices; and what
//! `--verify` says where there is nothing to check.

use std::io::Write as _;

use manycore::files::{write_npy, write_npy_matrix};
use serde_json::json;

use crate::common::{Folder, manycore};

#[test]
fn polynomials_come_back_in_both_languages() {
    let folder = Folder::new();
    folder.file("f.txt", "3 0 5 1\n");
    folder.file("g.txt", "2 6\n");
    let expected = folder.manycore("poly mul f.txt g.txt --modulus 7 --device host").output();
    for (language, text) in [
        ("sage", "6*x^4 + 4*x^3 + 3*x^2 + 4*x + 6\n"),
        ("pari", "Mod(6, 7)*x^4 + Mod(4, 7)*x^3 + Mod(3, 7)*x^2 + Mod(4, 7)*x + Mod(6, 7)\n"),
    ] {
        let line = format!("poly mul f.txt g.txt --modulus 7 --device host --verify --format {language}");
        assert_eq!(folder.manycore(&line).output(), text);
        let line = format!("poly --format {language} mul f.txt g.txt --modulus 7 --device host -o h.txt");
        assert_eq!(folder.manycore(&line).output(), "");
        folder.file("one.txt", "1");
        assert_eq!(folder.manycore("poly mul h.txt one.txt --modulus 7 --device host").output(), expected);
    }
    // Constants, also those that are residues alone.
    folder.file("c.txt", "Mod(3, 7)\n");
    assert_eq!(
        folder.manycore("poly mul c.txt one.txt --modulus 7 --device host --format pari").output(),
        "Mod(3, 7)\n"
    );
    folder.file("zero.txt", "");
    assert_eq!(folder.manycore("poly mul c.txt zero.txt --modulus 7 --device host --format pari").output(), "0\n");
}

#[test]
fn factors_parts_lists_and_numbers_have_forms() {
    let folder = Folder::new();
    folder.file("f.txt", "3*x^4 + 3*x^2\n");
    let run = |line: &str| folder.manycore(&format!("{line} --modulus 7 --device host --verify")).output();
    assert_eq!(run("poly factor f.txt --format sage"), "3 * x^2 * (x^2 + 1)\n");
    assert_eq!(
        run("poly factor f.txt --format pari"),
        "[Mod(3, 7), 1; Mod(1, 7)*x, 2; Mod(1, 7)*x^2 + Mod(1, 7), 1]\n"
    );
    folder.file("g.txt", "x + 1\n");
    assert_eq!(run("poly div f.txt g.txt --format sage"), "(3*x^3 + 4*x^2 + 6*x + 1, 6)\n");
    assert_eq!(run("poly resultant f.txt g.txt --format pari"), "Mod(6, 7)\n");
    folder.file("points.txt", "1 2\n");
    assert_eq!(run("poly eval f.txt points.txt --format sage"), "[6, 4]\n");
    assert_eq!(run("poly roots f.txt --format pari"), "[Mod(0, 7)]\n");
}

#[test]
fn matrices_come_back_in_both_languages() {
    let folder = Folder::new();
    folder.file("a.txt", "1 2\n3 4\n");
    let expected = folder.manycore("matrix inverse a.txt --modulus 7 --device host").output();
    for (language, text) in
        [("sage", "matrix(GF(7), 2, 2, [5, 1, 5, 3])\n"), ("pari", "[Mod(5, 7), Mod(1, 7); Mod(5, 7), Mod(3, 7)]\n")]
    {
        let line = format!("matrix inverse a.txt --modulus 7 --device host --verify --format {language}");
        assert_eq!(folder.manycore(&line).output(), text);
        folder.file("b.txt", text);
        let twice = folder.manycore("matrix inverse b.txt --modulus 7 --device host -o c.txt");
        assert_eq!(twice.output(), "");
        assert_eq!(folder.manycore("matrix inverse c.txt --modulus 7 --device host").output(), expected);
    }
    let run = |line: &str| folder.manycore(&format!("{line} --device host --verify")).output();
    assert_eq!(run("matrix inverse a.txt --exact --format sage"), "matrix(QQ, 2, 2, [-2, 1, 3/2, -1/2])\n");
    assert_eq!(run("matrix inverse a.txt --exact --format pari"), "[-2, 1; 3/2, -1/2]\n");
    assert_eq!(run("matrix det a.txt --modulus 7 --format pari"), "5\n");
    assert_eq!(run("matrix charpoly a.txt --modulus 7 --format sage"), "x^2 + 2*x + 5\n");
}

#[test]
fn a_form_is_asked_for_once() {
    let folder = Folder::new();
    folder.file("f.txt", "1 2\n");
    let error = folder.manycore("poly mul f.txt f.txt --modulus 7 --format sage --json").error(2);
    assert_eq!(error, "--format asks for text, and --json for JSON: give one of them");
    let error = folder.manycore("matrix mul f.txt f.txt --modulus 7 --format pari -o y.npy").error(2);
    assert_eq!(error, "y.npy: --format asks for text, the name for an array: give one of them");
    let error = folder.manycore("poly mul f.txt f.txt --modulus 7 --format maple").error(2);
    assert!(error.starts_with("invalid value 'maple' for '--format <LANGUAGE>'"), "{error}");
}

/// An archive of arrays, stored.
fn archive(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        writer.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn vector(values: &[i64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_npy(&mut bytes, values).unwrap();
    bytes
}

fn matrix(rows: usize, columns: usize, values: &[i64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_npy_matrix(&mut bytes, rows, columns, values).unwrap();
    bytes
}

#[test]
fn arrays_of_archives_are_named() {
    let folder = Folder::new();
    folder.file("all.npz", archive(&[("x", vector(&[1, 2])), ("a", matrix(2, 2, &[1, 2, 3, 4]))]));
    let run = |line: &str| folder.manycore(&format!("{line} --device host"));
    assert_eq!(run("spectrum walsh all.npz:x").output(), "3\n-1\n");
    assert_eq!(run("spectrum fourier all.npz:x --group 2 --modulus 7").output(), "3\n6\n");
    assert_eq!(run("poly mul all.npz:x all.npz:x --modulus 7").output(), "4*x^2 + 4*x + 1\n");
    assert_eq!(run("matrix det all.npz:a --modulus 7").output(), "5\n");
    let error = run("spectrum walsh all.npz").error(2);
    assert_eq!(error, "all.npz: an archive of 2 arrays, a, x: name one, as in all.npz:NAME");
    let error = run("spectrum walsh all.npz:y").error(2);
    assert_eq!(error, "all.npz: no array `y` in the archive: it has a, x");
    let error = run("spectrum walsh all.npz:a").error(2);
    assert_eq!(error, "all.npz:a: an array of shape (2, 2), where a vector has one dimension");
    folder.file("one.npz", archive(&[("arr_0", vector(&[5, 3]))]));
    assert_eq!(run("spectrum walsh one.npz").output(), "8\n2\n");
    let whole = archive(&[("arr_0", vector(&[5, 3]))]);
    folder.file("cut.npz", &whole[..whole.len() - 9]);
    assert!(run("spectrum walsh cut.npz").error(2).starts_with("cut.npz: no .npz archive that is read here: "));
}

#[test]
fn comma_separated_values_have_headers_or_none() {
    let folder = Folder::new();
    let run = |line: &str| folder.manycore(&format!("{line} --device host"));
    folder.file("x.csv", "value\n1\n2\n");
    assert_eq!(run("spectrum walsh x.csv").output(), "3\n-1\n");
    folder.file("a.csv", "\"first\";\"second\"\r\n1;2\r\n3;4\r\n");
    assert_eq!(run("matrix det a.csv --modulus 7").output(), "5\n");
    folder.file("bad.csv", "a,b\n1,2\n3\n");
    assert_eq!(run("matrix det bad.csv --modulus 7").error(2), "bad.csv:3: 1 fields, where the line before has 2");
    folder.file("bad.csv", "a,b\n1,\n");
    assert_eq!(run("matrix det bad.csv --modulus 7").error(2), "bad.csv:2: field 2 is empty");
    folder.file("bad.csv", "1,2\n3,x\n");
    let error = run("matrix det bad.csv --modulus 7").error(2);
    assert!(error.starts_with("bad.csv:2: ") && error.contains("`x`"), "{error}");
}

#[test]
fn matrices_of_semirings_and_graphs_are_arrays_too() {
    let folder = Folder::new();
    let run = |line: &str| folder.manycore(&format!("{line} --device host --verify"));
    folder.file("a.npy", matrix(2, 2, &[0, 3, 1, 0]));
    folder.file("a.txt", "0 3\n1 0\n");
    let line = |file: &str| format!("semiring product {file} {file} --semiring min-plus --type i64");
    assert_eq!(run(&line("a.npy")).output(), run(&line("a.txt")).output());
    folder.file("g.npy", matrix(2, 2, &[i64::MIN, i64::MIN, 4, i64::MIN]));
    folder.file("g.csv", "from a,from b\n-inf,-inf\n4,-inf\n");
    assert_eq!(run("maxplus star g.npy --type i64").output(), "0 -inf\n4 0\n");
    assert_eq!(run("maxplus star g.csv --type i64").output(), "0 -inf\n4 0\n");
    folder.file("halves.npy", {
        let mut bytes = Vec::new();
        write_npy_matrix(&mut bytes, 1, 1, &[0.5f64]).unwrap();
        bytes
    });
    let error = run("maxplus star halves.npy --type i64").error(2);
    assert_eq!(error, "halves.npy: value 1: 0.5 is no i64");
    folder.file("wide.npy", matrix(1, 2, &[1, 2]));
    assert!(run("maxplus star wide.npy --type i64").error(2).starts_with("wide.npy: "));
}

#[test]
fn what_has_no_check_does_not_look_checked() {
    let run = manycore("devices --verify --json");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verified"], json!("not checked"));
    assert_eq!(report["verification"], json!({"reason": "a list of devices has no second computation"}));
    assert_eq!(run.stderr, "manycore: not checked: a list of devices has no second computation\n");
    assert_eq!(manycore("devices --json").json()["verified"], json!(null));
    let folder = Folder::new();
    folder.file("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2 1 2\n");
    let run = folder.manycore("sparse info m.mtx --verify --json --device host");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verified"], json!("not checked"));
    assert!(run.stderr.contains("not checked: times of orders differ from run to run"), "{}", run.stderr);
}
