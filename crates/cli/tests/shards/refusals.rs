//! Shards that are missing, damaged or of different works.

use crate::common::{Folder, read};

/// A folder with three shards, `1` to `3`, of figures of five S-boxes.
fn three() -> Folder {
    let folder = Folder::new();
    folder.file("boxes.txt", "0 1 2 3\n1 0 3 2\n3 2 1 0\n0 2 1 3\n0 1 3 2\n");
    for index in 1..=3 {
        folder.manycore(&format!("sbox compare boxes.txt --device host --shard {index}/3 -o {index}")).output();
    }
    folder
}

fn refused(folder: &Folder, line: &str) -> String {
    folder.manycore(line).error(2)
}

#[test]
fn a_shard_given_twice_changes_nothing() {
    let folder = three();
    let whole = folder.manycore("sbox compare boxes.txt --device host").output();
    assert_eq!(folder.manycore("merge 3 1 2").output(), whole);
    // Once more, from another run, and as lines of one file.
    folder.manycore("sbox compare boxes.txt --device host:1 --shard 2/3 -o again").output();
    assert_eq!(folder.manycore("merge 1 2 3 again 2 1").output(), whole);
    let all: String = ["1", "2", "again", "3"].map(|name| read(&folder.path(name)) + "\n").concat();
    folder.file("all", &all);
    assert_eq!(folder.manycore("merge all").output(), whole);
    assert_eq!(folder.shell("cat 1 2 3 | $manycore merge - 2", b"").output(), whole);
    // A job that was cut off before it wrote.
    folder.file("empty", "");
    assert_eq!(folder.manycore("merge empty all").output(), whole);
    folder.manycore("merge all -o result.txt").output();
    assert_eq!(read(&folder.path("result.txt")), whole);
}

#[test]
fn missing_shards_are_all_named() {
    let folder = three();
    assert_eq!(refused(&folder, "merge 1 3"), "missing: shard 2 of 3");
    assert_eq!(refused(&folder, "merge 2"), "missing: shards 1, 3 of 3");
    assert_eq!(refused(&folder, "merge 1"), "missing: shards 2-3 of 3");
    let line = "sbox compare boxes.txt --device host";
    for index in [3, 9, 20] {
        folder.manycore(&format!("{line} --shard {index}/1000000 -o of{index}")).output();
    }
    assert_eq!(refused(&folder, "merge of3 of9 of20"), "missing: shards 1-2, 4-8, 10-19, 21-1000000 of 1000000");
    folder.file("empty", "\n\n");
    assert_eq!(refused(&folder, "merge empty"), "no shard in empty");
    assert!(refused(&folder, "merge absent 1").starts_with("absent: "));
    assert!(refused(&folder, "merge").contains("<FILES>..."));
}

#[test]
fn shards_of_other_works_are_refused() {
    let folder = three();
    folder.file("plan.csv", "dig,3\npour,2,dig\n");
    folder.file("m.txt", "1 2\n3 4\n");
    let differs = |line: &str, expected: &str| {
        folder.manycore(&format!("{line} --device host -o other")).output();
        let error = refused(&folder, "merge 1 other 2");
        assert!(error.starts_with("other:1: its ") && error.contains("1:1 is ") && error.contains(expected), "{error}");
    };
    differs("sbox compare boxes.txt --shard 3/4", "number of shards is 4, that of 1:1 is 3");
    differs("sbox compare boxes.txt --shard 3/3 --best 2", "list of arguments is `--best=2 <file 1>`, that of");
    differs("sbox compare boxes.txt --shard 3/3 --hex", "list of arguments is `--hex <file 1>`, that of");
    differs("matrix det m.txt --exact --shard 3/3", "command is matrix det, that of 1:1 is sbox compare");
    folder.file("boxes.txt", "0 1 2 3\n");
    differs("sbox compare boxes.txt --shard 3/3", "input is boxes.txt with the BLAKE3 ");
    for (index, seed) in [(1, 5), (2, 6)] {
        let line = format!("maxplus variants plan.csv --device host --seed {seed} --shard {index}/2 -o v{index}");
        folder.manycore(&line).output();
    }
    assert_eq!(refused(&folder, "merge v1 v2"), "v2:1: its seed is 6, that of v1:1 is 5");
}

#[test]
fn unequal_results_of_one_shard_are_refused() {
    let folder = three();
    let text = read(&folder.path("2"));
    let changed = forged(&text, |line| line.replacen("\"nonlinearity\":0", "\"nonlinearity\":1", 1));
    assert_ne!(changed, text);
    folder.file("other", changed);
    assert_eq!(refused(&folder, "merge 1 2 other 3"), "2:1 and other:1 are both shard 2/3, with different results");
}

#[test]
fn damaged_lines_are_named() {
    let folder = three();
    let text = read(&folder.path("2"));
    let damaged = "damaged: its checksum is not that of the line";
    let (half, rest) = text.split_at(text.len() / 2);
    folder.file("cut", half);
    assert_eq!(refused(&folder, "merge 1 cut 3"), format!("cut:1: {damaged}"));
    folder.file("changed", format!("{}{half}8{rest}", read(&folder.path("1"))));
    assert_eq!(refused(&folder, "merge changed"), format!("changed:2: {damaged}"));
    folder.file("text", "hello\n");
    assert_eq!(refused(&folder, "merge 1 text"), "text:1: no line of a shard");
    folder.file("bytes", [0xff, 0xfe, b'\n']);
    assert!(refused(&folder, "merge 1 bytes").starts_with("bytes:1: no line of a shard"));
    let forge = |name: &str, change: fn(&str) -> String| drop(folder.file(name, forged(&text, change)));
    forge("newer", |line| line.replacen("\"manycore_shard\":1,", "\"manycore_shard\":2,", 1));
    assert_eq!(refused(&folder, "merge newer"), "newer:1: its form is version 2, and this program reads version 1");
    forge("program", |line| line.replacen("\"program\":\"", "\"program\":\"9.", 1));
    let error = refused(&folder, "merge program");
    assert!(error.starts_with("program:1: written by version 9.0.1.0 of the program"), "{error}");
    forge("range", |line| line.replacen("\"range\":[2,4,1]", "\"range\":[0,4,1]", 1));
    assert_eq!(refused(&folder, "merge 1 range 3"), "range:1: its range is not that of shard 2/3 of 5 items");
    forge("part", |line| line.replacen("\"rows\"", "\"lines\"", 1));
    assert!(refused(&folder, "merge 1 part 3").starts_with("part:1: not the fields of a shard of this command"));
    forge("shard", |line| line.replacen("\"shard\":[2,3]", "\"shard\":[4,3]", 1));
    assert!(refused(&folder, "merge shard").starts_with("shard:1: not the fields of a shard"));
    for (name, command) in [("words", "sbox nothing"), ("help", "devices"), ("never", "")] {
        let line = text.replacen("\"command\":\"sbox compare\"", &format!("\"command\":\"{command}\""), 1);
        let forged = forged(&line, str::to_owned);
        folder.file(name, forged);
        assert!(refused(&folder, &format!("merge {name}")).starts_with(&format!("{name}:1: its ")), "{command}");
    }
}

/// A line that was changed, with the checksum of what it has now, and the hash of its part.
fn forged(line: &str, change: impl Fn(&str) -> String) -> String {
    let line = change(line.trim_end());
    let cut = |line: &str, name: &str| -> (String, String) {
        let at = line.rfind(name).unwrap();
        (line[..at].to_owned(), line[at + name.len() + 64..].to_owned())
    };
    let (before, after) = cut(&line, ",\"part_blake3\":\"");
    let begin = after.find("\"part\":").unwrap() + 7;
    let part = &after[begin..after.find(",\"run\":").unwrap()];
    let hash = blake3::hash(part.as_bytes()).to_hex();
    let line = format!("{before},\"part_blake3\":\"{hash}{after}");
    let (before, _) = cut(&line, ",\"blake3\":\"");
    let hash = blake3::hash(format!("{before}}}").as_bytes()).to_hex();
    format!("{before},\"blake3\":\"{hash}\"}}\n")
}

#[test]
fn options_that_do_not_go_with_shards_are_refused() {
    let folder = three();
    folder.file("m.txt", "1 2\n3 4\n");
    let line = "sbox compare boxes.txt --device host";
    assert!(refused(&folder, &format!("{line} --shard 1/2 --json")).contains("`manycore merge --json`"));
    assert!(refused(&folder, &format!("{line} --shard 1/2 -o x.npy")).starts_with("x.npy: a shard is JSON lines"));
    assert!(refused(&folder, "merge 1 2 3 -o x.npy").starts_with("x.npy: a table or a list of facts is text"));
    for wrong in ["0/2", "3/2", "1", "a/b", "1/0"] {
        assert!(
            refused(&folder, &format!("{line} --shard {wrong}")).contains("I from 1 to N, such as 2/16"),
            "{wrong}"
        );
    }
    assert!(refused(&folder, "sbox compare - --shard 1/2").starts_with("standard input: shards are of files"));
    assert!(refused(&folder, "sbox compare absent --shard 1/2").starts_with("absent: "));
    let det = |options: &str| refused(&folder, &format!("matrix det m.txt {options} --shard 1/2"));
    assert_eq!(det("--modulus 7"), "`matrix det` does not split so: --exact splits, by primes");
    assert!(det("--real").contains("--exact splits"));
    assert!(det("--exact --probable 64").contains("--probable stops"));
    let rank = refused(&folder, "matrix rank m.txt --modulus 7 --shard 1/2");
    assert_eq!(rank, "`matrix rank` does not split into independent parts: --shard does not go with it");
    assert!(refused(&folder, "merge 1 2 3 --shard 1/2").starts_with("`merge` does not split"));
}
