//! The examples of the book's page on many machines, as the shell runs them.

use crate::common::Folder;

/// The blocks of the page that begin with this line, without it.
fn block(mark: &str) -> String {
    let page = super::page();
    let begin = page.find(mark).unwrap_or_else(|| panic!("no {mark} on the page")) + mark.len();
    page[begin..].split("```").next().unwrap().trim_start_matches('\n').to_owned()
}

/// A folder with S-boxes, and `manycore` in the path.
fn workplace() -> (Folder, String) {
    let folder = Folder::new();
    let boxes: Vec<String> = (0..9).map(|k| format!("{} {} {} 3\n", k % 4, (k + 1) % 4, k / 3)).collect();
    folder.file("boxes.txt", boxes.concat());
    folder.file("matrix.txt", "12345678901234567890 7 1\n1 98765432109876543210 2\n3 4 5\n");
    let whole = folder.manycore("sbox compare boxes.txt --device host").output();
    (folder, whole)
}

const SETUP: &str =
    "mkdir -p bin; ln -sf \"$manycore\" bin/manycore; PATH=$PWD/bin:$PATH; export MANYCORE_DEVICE=host\n";

#[test]
fn a_slurm_array_is_a_loop_over_its_indices() {
    let (folder, whole) = workplace();
    folder.file("job.sh", block("```sh,slurm\n"));
    let script = format!(
        "{SETUP} for i in 1 2 3 4 5 6 7 8; do SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=8 sh job.sh || exit 1; done\n\
         manycore merge shards/*.jsonl"
    );
    assert_eq!(folder.shell(&script, b"").output(), whole);
}

#[test]
fn make_computes_what_is_missing() {
    let (folder, whole) = workplace();
    if folder.shell("command -v make", b"").code != 0 {
        drop(std::io::Write::write_all(&mut std::io::stderr(), b"not tested: there is no make\n"));
        return;
    }
    folder.file("Makefile", block("```make\n"));
    let run = folder.shell(&format!("{SETUP} make -s -j 2 && rm shards/3.jsonl && make -s && cat figures.txt"), b"");
    assert_eq!(run.output(), whole);
}
