//! `manycore semiring product`: worked examples on every device, reports, and what is refused.

use crate::common::{Folder, devices, manycore_with};
use serde_json::json;

#[test]
fn worked_examples() {
    for device in devices() {
        let text = |line: &str, input: &str| {
            manycore_with(&format!("semiring product - - {line} --device {device} --verify"), input.as_bytes()).output()
        };
        let arcs = "0 3 inf # two arcs\ninf, 0, 4\n1 inf 0\n";
        assert_eq!(text("--semiring min-plus", arcs), "0 3 7\n5 0 4\n1 4 0\n");
        assert_eq!(text("--semiring min-plus --type f64", arcs), "0 3 7\n5 0 4\n1 4 0\n");
        assert_eq!(text("--semiring plus-times --type i32", "1 2\n3 4\n"), "7 10\n15 22\n");
        assert_eq!(text("--semiring max-plus --type f32", "0 -inf\n2.5 1\n"), "0 -inf\n3.5 2\n");
        assert_eq!(
            text("--semiring max-plus --wrap", "9223372036854775807 0\n0 0\n"),
            "0 9223372036854775807\n9223372036854775807 0\n"
        );
        assert_eq!(text("--semiring max-plus", "9223372036854775806 5\n0 0\n"), "inf inf\n9223372036854775806 5\n");
        assert_eq!(text("--semiring max-min", "1 7\n5 2\n"), "5 2\n2 5\n");
        assert_eq!(text("--semiring min-max", "1 7\n5 2\n"), "1 7\n5 2\n");
        assert_eq!(text("--semiring max-times --type f64", "0.5 0.25\n0.125 1\n"), "0.25 0.25\n0.125 1\n");
        assert_eq!(text("--semiring or-and --type i32", "1 2\n4 7\n"), "1 2\n4 7\n");
    }
}

#[test]
fn json_has_rows_and_shapes() {
    let line = "semiring product - - --semiring min-plus --json --device host --verify";
    let report = manycore_with(line, b"0 inf\n-5 1\n").json();
    assert_eq!(report["command"], "semiring product");
    assert_eq!(report["result"], json!([[0, "inf"], [-5, 2]]));
    let parameters = json!({ "semiring": "min-plus", "type": "i64", "wrap": false, "shapes": [[2, 2], [2, 2]] });
    assert_eq!(report["parameters"], parameters);
    assert_eq!(report["verification"]["chance_log2"], json!(null));
    let line = "semiring product - - --semiring plus-times --type f64 --json --device host";
    let report = manycore_with(line, b"1e300 0\n0 1\n").json();
    assert_eq!(report["result"], json!([["inf", 0.0], [0.0, 1.0]]));
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = Folder::new();
    folder.file("wide.txt", "1 2 3\n");
    folder.file("ragged.txt", "1 2\n3\n");
    folder.file("odd.txt", "1 2\n3 x\n");
    folder.file("empty.txt", "# nothing\n");
    let refused = |line: &str| folder.manycore(&format!("semiring product {line} --device host")).error(2);
    assert!(
        refused("wide.txt wide.txt --semiring max-plus").contains("wide.txt: 1 rows, where wide.txt has 3 columns")
    );
    assert!(
        refused("ragged.txt wide.txt --semiring max-plus")
            .contains("ragged.txt:2: 1 entries, where the first row has 2")
    );
    assert!(refused("odd.txt odd.txt --semiring max-plus").contains("odd.txt:2: \"x\" is no entry of type i64"));
    assert!(refused("empty.txt wide.txt --semiring max-plus").contains("empty.txt: no entries"));
    assert!(refused("wide.txt wide.txt --semiring or-and --type f32").contains("or-and is of integers"));
    assert!(refused("wide.txt wide.txt --semiring plus-times --wrap").contains("--wrap goes with"));
}
