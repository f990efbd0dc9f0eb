//! `manycore code split` and `join`: files come back byte by byte, damaged parts are named, and what is refused.

mod common;

use common::{Folder, devices};
use serde_json::Value;

fn bytes(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

#[test]
fn files_come_back_from_any_parts() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("x.bin", bytes(12_345));
        let names = "x.bin.part0\nx.bin.part1\nx.bin.part2\nx.bin.part3\nx.bin.part4\n";
        let line = format!("code split x.bin --data 3 --parity 2 --verify --device {device}");
        assert_eq!(folder.manycore(&line).output(), names);
        let line = format!("code join x.bin.part4 x.bin.part1 x.bin.part3 -o y.bin --device {device}");
        assert_eq!(folder.manycore(&line).output(), "");
        assert!(std::fs::read(folder.path("y.bin")).unwrap() == bytes(12_345), "{device}");
    }
}

#[test]
fn damaged_parts_are_named() {
    let folder = Folder::new();
    folder.file("x.txt", "some text\n");
    std::fs::create_dir(folder.path("parts")).unwrap();
    let split = folder.manycore("code split x.txt --data 2 --parity 1 --folder parts --device host --json").output();
    let report: Value = serde_json::from_str(&split).unwrap();
    assert_eq!(report["command"], "code split");
    assert_eq!(report["result"][2], "parts/x.txt.part2");
    assert_eq!(report["parameters"]["bytes"], 10);
    let mut part = std::fs::read(folder.path("parts/x.txt.part0")).unwrap();
    part[50] ^= 1;
    folder.file("parts/x.txt.part0", &part);
    let all = "parts/x.txt.part0 parts/x.txt.part1 parts/x.txt.part2";
    let joined = folder.manycore(&format!("code join {all} --device host"));
    assert_eq!(joined.stdout, "some text\n");
    let told = "left out: parts/x.txt.part0: its checksum is not that of its content";
    assert!(joined.stderr.contains(told), "{}", joined.stderr);
    let joined = folder.manycore(&format!("code join {all} --device host --json -o y.txt"));
    let report: Value = serde_json::from_str(&joined.stdout).unwrap();
    assert_eq!(report["result"]["recovered"], serde_json::json!([0]));
    assert_eq!(report["result"]["damaged"].as_array().unwrap().len(), 1);
    assert_eq!(common::read(&folder.path("y.txt")), "some text\n");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    folder.file("x.txt", "12345");
    folder.file("z.txt", "54321");
    let error = folder.manycore("code split x.txt --data 0 --parity 1 --device host").error(2);
    assert!(error.starts_with("0 data and 1 parity parts"), "{error}");
    for name in ["x", "z"] {
        folder.manycore(&format!("code split {name}.txt --data 2 --parity 1 --device host")).output();
    }
    let error = folder.manycore("code join x.txt.part0 z.txt.part1 --device host").error(2);
    assert_eq!(error, "x.txt.part0 and z.txt.part1 are parts of different files");
    let error = folder.manycore("code join x.txt.part0 x.txt --device host").error(2);
    assert_eq!(error, "2 parts are needed and 1 are whole; x.txt: it does not begin as a part does");
    let error = folder.manycore("code join x.txt.part0 x.txt.part9 --device host").error(2);
    assert!(error.starts_with("x.txt.part9: No such file"), "{error}");
    let error = folder.manycore("code join x.txt.part0 x.txt.part1 --device host --json").error(2);
    assert!(error.contains("-o"), "{error}");
    let error = folder.manycore("code split x.txt --data 2 --parity 1 --device host -o list.npy").error(2);
    assert_eq!(error, "list.npy: a list of files is text or JSON, no .npy array");
}
