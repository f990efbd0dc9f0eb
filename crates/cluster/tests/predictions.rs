//! The page of predictions is what the kept measurements say: `MANYCORE_WRITE_PAGES=1` writes it anew.

#[path = "../examples/predictions/plot.rs"]
mod plot;
#[path = "../examples/predictions/table.rs"]
mod table;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files that the page is made of.
fn measurements() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("benches/results"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with("-scale.jsonl"))
        .collect();
    files.sort();
    files
}

/// The lines between which the tables stand.
const MARKS: [&str; 2] = ["<!-- predictions -->\n", "<!-- end of predictions -->"];

#[test]
fn the_page_is_what_the_measurements_say() {
    let path = root().join("docs/src/predictions.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let files = measurements();
    assert!(!files.is_empty());
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let tables: String = texts.iter().map(|text| table::of(text).unwrap()).collect();
    let (drawing, image) = (plot::of(&texts).unwrap(), root().join("docs/src/images/predictions.svg"));
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (_, after) = rest.split_once(MARKS[1]).unwrap();
    let wished = [before, MARKS[0], "\n", &tables, MARKS[1], after].concat();
    if std::env::var_os("MANYCORE_WRITE_PAGES").is_some() {
        std::fs::write(&path, &wished).unwrap();
        std::fs::write(&image, &drawing).unwrap();
    } else {
        assert!(std::fs::read_to_string(&image).unwrap() == drawing, "draw it anew with MANYCORE_WRITE_PAGES=1");
        assert_eq!(page, wished, "write it anew with MANYCORE_WRITE_PAGES=1");
    }
}

#[test]
fn lines_that_are_no_measurements_are_told() {
    let row = |name: &str, devices: u32, seconds: f64| {
        format!(
            "{{\"row\": \"{name}\", \"device\": \"X\", \"devices\": {devices}, \"seconds\": {seconds}, \"bus_bytes\": 8000000000, \
             \"exchange\": \"slabs\", \"exchanged_bytes\": 4000000000}}\n"
        )
    };
    let bus = row("there and back, lanes 2", 1, 0.2);
    let made = table::of(&(bus.clone() + &row("sort", 1, 1.0) + &row("sort", 2, 0.6))).unwrap();
    assert!(made.contains("40 GB/s at most"), "{made}");
    // 0.2 that does not divide, and 0.8 in 8 parts: more than 0.2 of the host's memory.
    assert!(made.contains("| sort | 1.00 | 0.600 (1.67) | 0.300 s, 3.3 times, 42 %: the host |"), "{made}");
    assert!(table::of(&row("sort", 1, 1.0)).unwrap_err().contains("there and back"));
    assert!(table::of("{}").unwrap_err().contains("line 1"));
    assert!(table::of("").is_err());
}
