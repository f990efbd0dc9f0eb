//! `manycore poly roots` and `manycore poly factor`: results on the host and on every OpenCL device, their forms, and what is
//! refused.

use crate::common::{Folder, devices, lines};
use manycore::Goldilocks;
use manycore::field::{ModularField as _, Semiring as _};
use serde_json::json;

const GOLDILOCKS: u64 = 18_446_744_069_414_584_321;

#[test]
fn worked_examples() {
    let folder = Folder::new();
    let cases = [
        ("roots", 469_762_049, "0 3 469762045 1", "0\n1\n3\n"),
        ("roots", 7, "1 0 1", ""),
        ("roots", 7, "0 6 0 0 0 0 0 1", "0\n1\n2\n3\n4\n5\n6\n"),
        ("roots", 2, "0 1 1", "0\n1\n"),
        ("roots", 7, "3", ""),
        ("roots", 9001, "9000 0 0 0 0 0 0 0 1", "1\n1237\n2159\n2614\n6387\n6842\n7764\n9000\n"),
        ("factor", 7, "0 0 3 0 3", "3 * x^2 * (x^2 + 1)\n"),
        ("factor", 7, "1 0 0 0 1", "(x^2 + 3*x + 1) * (x^2 + 4*x + 1)\n"),
        ("factor", 2, "1 0 0 0 1", "(x + 1)^4\n"),
        ("factor --format coefficients", 7, "0 0 3 0 3", "3\n2: 0 1\n1: 1 0 1\n"),
        ("factor", 7, "5", "5\n"),
    ];
    for device in devices() {
        for (operation, p, f, output) in cases {
            folder.file("f.txt", f);
            let line = format!("poly {operation} f.txt --modulus {p} --device {device}");
            for line in [line.clone(), format!("{line} --verify")] {
                let run = folder.manycore(&line);
                let told = if output.is_empty() { "manycore: no roots\n" } else { "" };
                assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, output, told), "{line}: {f}");
            }
        }
    }
}

#[test]
fn polynomials_that_split() {
    let folder = Folder::new();
    let n = 64;
    let mut f = vec![0; n + 1];
    (f[0], f[n]) = (GOLDILOCKS - 1, 1);
    folder.file("f.txt", lines(&f));
    let root = Goldilocks.root_of_unity(n as u64).unwrap();
    let mut roots: Vec<u64> = (0..n as u64).map(|i| Goldilocks.power(root, i)).collect();
    roots.sort_unstable();
    for device in devices() {
        let options = format!("--modulus {GOLDILOCKS} --device {device} --verify --seed 1");
        assert_eq!(folder.manycore(&format!("poly roots f.txt {options}")).output(), lines(&roots), "{device}");
        assert_eq!(folder.manycore(&format!("poly roots f.txt {options} -o r.npy")).output(), "");
        let array = npyz::NpyFile::new(std::fs::File::open(folder.path("r.npy")).unwrap()).unwrap();
        assert_eq!(array.into_vec::<u64>().unwrap(), roots);
        let factors = folder.manycore(&format!("poly factor f.txt {options} --json")).json();
        assert_eq!(factors["result"]["factors"].as_array().unwrap().len(), n, "{device}");
    }
}

#[test]
fn reports_tell_what_was_done() {
    let folder = Folder::new();
    folder.file("f.txt", "0 0 3 0 3");
    let report = |line: &str| folder.manycore(&format!("poly {line} --device host --json --verify --seed 5")).json();
    let roots = report("roots f.txt --modulus 7");
    assert_eq!((&roots["command"], &roots["result"]), (&"poly roots".into(), &json!([0])));
    assert_eq!(roots["parameters"], json!({ "modulus": 7, "lengths": [5], "seed": 5 }));
    assert_eq!(roots["verification"]["method"], "certificate at a random point of an extension of the field");
    assert!(roots["verification"]["chance_log2"].as_f64().unwrap() <= -64.0);
    let factors = report("factor f.txt --modulus 7");
    let expected = json!([{ "factor": [0, 1], "multiplicity": 2 }, { "factor": [1, 0, 1], "multiplicity": 1 }]);
    assert_eq!((&factors["command"], &factors["verified"]), (&"poly factor".into(), &true.into()));
    assert_eq!(factors["result"], json!({ "leading": 3, "factors": expected }));
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = Folder::new();
    folder.file("f.txt", "1 1");
    folder.file("zero.txt", "# none");
    folder.file("bad.txt", "1\n2 0.9");
    let error = |line: &str| folder.manycore(&format!("poly {line} --modulus 7 --device host")).error(2);
    assert_eq!(error("roots zero.txt"), "zero.txt: every element of the field is a root of the zero polynomial");
    assert_eq!(error("factor zero.txt"), "zero.txt: the zero polynomial has no factorization");
    for operation in ["roots", "factor"] {
        assert_eq!(error(&format!("{operation} bad.txt")), "bad.txt:2: `0.9` is no integer");
        assert!(error(&format!("{operation} none.txt")).starts_with("none.txt: "));
        assert!(folder.manycore(&format!("poly {operation} f.txt")).error(2).contains("--modulus"));
    }
    assert_eq!(error("factor f.txt -o x.npy"), "x.npy: a factorization is text or JSON, no .npy array");
}
