//! `manycore poly eval` and `poly interpolate` on the host and every OpenCL device, and what is refused.

use crate::common::{Folder, devices};
use serde_json::json;

#[test]
fn values_and_back() {
    for device in devices() {
        let folder = Folder::new();
        folder.file("f.txt", "4 3 2 1");
        folder.file("points.txt", "1 2 3 4 0 0");
        let line = format!("poly eval f.txt points.txt --modulus 9001 --verify --device {device}");
        assert_eq!(folder.manycore(&line).output(), "10\n26\n58\n112\n4\n4\n");
        folder.file("points.txt", "0,1,2,5");
        folder.file("values.txt", "1 0 4 6");
        let line = format!("poly interpolate points.txt values.txt --modulus 7 --verify --device {device}");
        assert_eq!(folder.manycore(&line).output(), "4*x^3 + x^2 + x + 1\n");
        // Values of which the last is zero, at points of which the last is zero.
        folder.file("points.txt", "3 1 0");
        folder.file("values.txt", "6 2 0");
        let report = folder.manycore(&format!("{line} --json")).json();
        assert_eq!(report["result"], json!([0, 2]));
        assert_eq!(report["parameters"]["lengths"], json!([3, 3]));
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    folder.file("points.txt", "3 1 2 1");
    folder.file("values.txt", "1 2 3 4");
    let line = "poly interpolate points.txt values.txt --modulus 7 --device host";
    assert_eq!(folder.manycore(line).error(2), "points.txt: points 2 and 4 are equal");
    folder.file("values.txt", "1 2 3");
    assert_eq!(folder.manycore(line).error(2), "values.txt: 3 values for 4 points");
    // 9 and -5 are 2 mod 7.
    folder.file("points.txt", "9 2 5");
    assert_eq!(folder.manycore(line).error(2), "points.txt: points 1 and 2 are equal");
    folder.file("points.txt", "-5 9");
    let values = folder.manycore("poly eval values.txt points.txt --modulus 7 --verify --device host").output();
    assert_eq!(values, "3\n3\n");
    folder.file("points.txt", "3\n0.5");
    let error = folder.manycore("poly eval values.txt points.txt --modulus 7 --device host").error(2);
    assert_eq!(error, "points.txt:2: `0.5` is no integer");
}
