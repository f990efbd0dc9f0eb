//! `manycore spectrum ntt` and `manycore explain ntt`: results on the host and on every OpenCL device, and what is refused.

use crate::common::{Folder, are_ranked, devices, manycore, manycore_with};
use manycore::field::{Field as _, ModularField as _};
use manycore::ntt::Kind;
use manycore::ntt::reference;
use manycore::{Goldilocks, PrimeField};

const GOLDILOCKS: u64 = 18_446_744_069_414_584_321;

fn lines(values: &[u64]) -> String {
    values.iter().flat_map(|value| [value.to_string(), "\n".to_owned()]).collect()
}

#[test]
fn worked_examples() {
    for device in devices() {
        // Modulo 17 the roots of order 4 are 4 and 13, those of order 2 are -1.
        for (input, options, output) in [
            ("1 1", "--modulus 17", "2\n0\n"),
            ("5", "--modulus 17", "5\n"),
            ("1 0 0 0", "--modulus 17", "1\n1\n1\n1\n"),
            ("1 1 1 1", "--modulus 17", "4\n0\n0\n0\n"),
            ("1 1 2 2", "--modulus 17 --batch 2", "2\n0\n4\n0\n"),
            ("4 0 0 0", "--modulus 17 --inverse", "1\n1\n1\n1\n"),
            ("1", "--modulus 2", "1\n"),
        ] {
            let line = format!("spectrum ntt - {options} --device {device} --verify");
            assert_eq!(manycore_with(&line, input.as_bytes()).output(), output, "{line}: {input}");
        }
    }
}

#[test]
fn every_form_agrees_with_the_definition() {
    let folder = Folder::new();
    let field = Goldilocks;
    let x: Vec<u64> = (0..64u64).map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) % GOLDILOCKS).collect();
    folder.file("x.txt", lines(&x));
    for device in devices() {
        for (options, kind, order) in [("", Kind::Cyclic, 64), ("--negacyclic", Kind::Negacyclic, 128)] {
            let expected = reference::ntt(&field, &x, field.root_of_unity(order).unwrap(), kind);
            let options = format!("--modulus {GOLDILOCKS} --device {device} {options} --verify --seed 3");
            let output = folder.manycore(&format!("spectrum ntt x.txt {options}")).output();
            assert_eq!(output, lines(&expected), "{options}");
            let reversed: Vec<u64> = (0..64u32).map(|i| expected[(i.reverse_bits() >> 26) as usize]).collect();
            let options = format!("{options} --order bit-reversed");
            assert_eq!(folder.manycore(&format!("spectrum ntt x.txt {options} -o y.npy")).output(), "");
            let array = npyz::NpyFile::new(std::fs::File::open(folder.path("y.npy")).unwrap()).unwrap();
            assert_eq!(array.into_vec::<u64>().unwrap(), reversed, "{options}");
            assert_eq!(folder.manycore(&format!("spectrum ntt y.npy {options} --inverse")).output(), lines(&x));
        }
    }
}

#[test]
fn the_report_tells_what_was_done() {
    let report = manycore_with("spectrum ntt - --modulus 17 --device host --json --verify --seed 1", b"1 2 3 4").json();
    assert_eq!(report["command"], "spectrum ntt");
    assert_eq!(report["verified"], true);
    let parameters = &report["parameters"];
    assert_eq!((&parameters["length"], &parameters["transforms"]), (&4.into(), &1.into()));
    assert_eq!((&parameters["order"], &parameters["direction"]), (&"natural".into(), &"forward".into()));
    let field = PrimeField::<u64>::new(17).unwrap();
    let root = parameters["root"].as_u64().unwrap();
    assert_eq!((field.inverse(root).is_some(), report["result"][0].as_u64()), (true, Some(10)));
    let expected = reference::ntt(&field, &[1, 2, 3, 4], root, Kind::Cyclic);
    assert_eq!(report["result"], serde_json::json!(expected));
    assert!(report["predicted_seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn what_cannot_be_transformed_is_refused() {
    let cases: [(&str, &[u8], &str); 7] = [
        ("--modulus 17", b"1 2 3", "standard input: 3 values: the length of a transform must be a power of two"),
        (
            "--modulus 7",
            b"1 2 3 4",
            "standard input: modulo 7 there is no root of unity of order 4; the largest power of two is 2",
        ),
        (
            "--modulus 17 --negacyclic",
            b"1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8",
            "standard input: modulo 17 there is no root of unity of order 32; the largest power of two is 16",
        ),
        ("--modulus 17", b"", "standard input: no values"),
        ("--modulus 17", b"1\n17.5", "standard input:2: `17.5` is no integer"),
        ("--modulus 9003", b"1", "--modulus: the modulus 9003 is not prime: it is 3 times 3001"),
        (
            "--modulus 17 --batch 4",
            b"1 2 3",
            "standard input: 3 values are no whole number of transforms of 4 (--batch)",
        ),
    ];
    for (options, input, message) in cases {
        let line = format!("spectrum ntt - --device host {options}");
        assert_eq!(manycore_with(&line, input).error(2), message, "{line}");
    }
}

#[test]
fn transforms_are_explained() {
    for device in devices() {
        let text = manycore(&format!("explain ntt --n 2^12 --device {device}")).output();
        assert!(text.contains(" on "), "{text}");
        let report =
            manycore(&format!("explain ntt --n 256 --batch 4 --modulus 12289 --device {device} --json")).json();
        assert_eq!((&report["parameters"]["batch"], &report["parameters"]["modulus"]), (&4.into(), &12289.into()));
        let rows = report["result"].as_array().unwrap();
        assert!(!rows.is_empty() && are_ranked(rows), "{report}");
    }
    assert!(manycore("explain ntt --n 3 --device host").error(2).contains("power of two"));
    let past = "--n 1099511627776 --batch 1099511627776: too large, or zero";
    assert_eq!(manycore("explain ntt --n 2^40 --batch 2^40 --device host").error(2), past);
    assert_eq!(manycore("explain ntt --n 4 --batch 0 --device host").error(2), "--n 4 --batch 0: too large, or zero");
}
