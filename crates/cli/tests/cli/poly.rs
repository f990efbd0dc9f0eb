//! `manycore poly mul` and `manycore explain poly-mul`: results on the host and on every OpenCL device, and what is refused.

use crate::common::{Choices, Folder, are_ranked, devices, manycore, manycore_with, read};
use manycore::PrimeField;
use manycore::poly::multiply::reference::multiply;
use npyz::WriterBuilder as _;

const GOLDILOCKS: u64 = 18_446_744_069_414_584_321;

fn lines(values: &[u64]) -> String {
    values.iter().flat_map(|value| [value.to_string(), "\n".to_owned()]).collect()
}

/// Residues without a pattern, the last one not 0.
fn residues(len: usize, p: u64, salt: u64) -> Vec<u64> {
    let value = |i: u64| (i + salt + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) % p;
    (0..len as u64).map(|i| if i + 1 == len as u64 { 1 } else { value(i) }).collect()
}

#[test]
fn worked_examples() {
    let folder = Folder::new();
    let cases = [
        (7, "3 0 5 1", "2,6", "6*x^4 + 4*x^3 + 3*x^2 + 4*x + 6\n"),
        (9001, "9000 1 8999", "5 9000 4500 # x", "x^4 + 4502*x^3 + 4490*x^2 + 6*x + 8996\n"),
        (469_762_049, "469762048 2 235929602", "469762047 1", "235929602*x^3 + 467664896*x^2 + 469762044*x + 2\n"),
        (2, "1 1", "1 1", "x^2 + 1\n"),
        (GOLDILOCKS, "18446744069414584320", "18446744069414584320 3", "18446744069414584318*x + 1\n"),
        (9_223_372_036_854_775_783, "9223372036854775782 1", "1", "x + 9223372036854775782\n"),
        // Leading zeros, the zero polynomial, and none at all.
        (7, "1 0 0", "2 0", "2\n"),
        (7, "0 0", "1 2", "0\n"),
        (7, "# nothing", "1 2", "0\n"),
    ];
    for device in devices() {
        for (p, a, b, product) in cases {
            folder.file("a.txt", a);
            folder.file("b.txt", b);
            let line = format!("poly mul a.txt b.txt --modulus {p} --device {device} --verify");
            assert_eq!(folder.manycore(&line).output(), product, "{line}: {a} times {b}");
            let swapped = format!("poly mul b.txt - --modulus {p} --device {device}");
            let mut command = crate::common::command(&swapped.split_whitespace().collect::<Vec<_>>());
            command.current_dir(folder.path("."));
            assert_eq!(crate::common::run_with(command, a.as_bytes()).output(), product, "{swapped}");
        }
    }
}

#[test]
fn every_algorithm_agrees_with_the_definition() {
    let folder = Folder::new();
    for p in [7u64, 469_762_049, 4_611_686_009_971_671_041] {
        let (a, b) = (residues(150, p, 1), residues(90, p, 2));
        folder.file("a.txt", lines(&a));
        folder.file("b.txt", lines(&b));
        let expected = lines(&multiply(&PrimeField::<u64>::new(p).unwrap(), &a, &b));
        for device in devices() {
            let algorithms: &[&str] = if device.starts_with("host") {
                &["plain", "karatsuba", "transform"]
            } else {
                &["plain", "two-phase", "two-phase --x 7", "transform"]
            };
            for algorithm in algorithms {
                let line = format!(
                    "poly mul a.txt b.txt --modulus {p} --algorithm {algorithm} --device {device} --verify --seed 5 \
                     --format coefficients"
                );
                assert_eq!(folder.manycore(&line).output(), expected, "{line}");
            }
        }
    }
}

#[test]
fn squares_and_files() {
    let folder = Folder::new();
    let a = residues(300, GOLDILOCKS, 3);
    folder.file("a.txt", lines(&a));
    let expected = multiply(&manycore::Goldilocks, &a, &a);
    for device in devices() {
        let options = format!("--modulus {GOLDILOCKS} --device {device} --verify");
        assert_eq!(folder.manycore(&format!("poly mul a.txt a.txt {options} -o h.npy")).output(), "");
        let array = npyz::NpyFile::new(std::fs::File::open(folder.path("h.npy")).unwrap()).unwrap();
        assert_eq!((array.dtype().descr(), array.shape()), ("'<u8'".to_owned(), &[599][..]));
        assert_eq!(array.into_vec::<u64>().unwrap(), expected);
        // An array goes in again: times 1.
        folder.file("one.txt", "1");
        assert_eq!(
            folder.manycore(&format!("poly mul h.npy one.txt {options} --format coefficients -o h.txt")).output(),
            ""
        );
        assert_eq!(read(&folder.path("h.txt")), lines(&expected));
    }
}

#[test]
fn the_report_tells_what_was_done() {
    let folder = Folder::new();
    folder.file("a.txt", "1 2 3");
    folder.file("b.txt", "4 9000");
    let report = folder.manycore("poly mul a.txt b.txt --modulus 9001 --device host --json --verify --seed 7").json();
    assert_eq!(report["command"], "poly mul");
    assert_eq!(report["algorithm"], "plain");
    assert_eq!(report["verified"], true);
    let chance = report["verification"]["chance_log2"].as_f64().unwrap();
    assert!(chance < -64.0, "{report}");
    assert_eq!(report["verification"]["method"], "value at a random point of an extension of the field");
    assert_eq!(report["parameters"]["modulus"], 9001);
    assert_eq!(report["parameters"]["lengths"], serde_json::json!([3, 2]));
    assert_eq!(report["parameters"]["seed"], 7);
    assert_eq!(report["result"], serde_json::json!([4, 7, 10, 8998]));
    assert!(report["seconds"].as_f64().unwrap() >= 0.0 && report["predicted_seconds"].as_f64().unwrap() > 0.0);
    // Residues past 2^53 are strings.
    folder.file("c.txt", "18446744069414584320");
    folder.file("d.txt", "1 2");
    let report = folder.manycore(&format!("poly mul c.txt d.txt --modulus {GOLDILOCKS} --device host --json")).json();
    assert_eq!(report["result"], serde_json::json!(["18446744069414584320", "18446744069414584319"]));
    assert_eq!(report["parameters"]["modulus"], GOLDILOCKS.to_string());
}

#[test]
fn moduli_that_are_no_primes_are_refused() {
    let folder = Folder::new();
    folder.file("a.txt", "1 1");
    let cases = [
        ("0", "--modulus: the modulus is 0, and must be a prime"),
        ("1", "--modulus: the modulus is 1, and must be a prime: mod 1 there is no element but zero"),
        ("10", "--modulus: the modulus 10 is even, and must be a prime"),
        ("9003", "--modulus: the modulus 9003 is not prime: it is 3 times 3001"),
        ("4295098369", "--modulus: the modulus 4295098369 is not prime: it is 65537 times 65537"),
        (
            "9223372036854775837",
            "--modulus: the modulus 9223372036854775837 is too large: it must be below 9223372036854775808 for residues \
             in words of 64 bits",
        ),
    ];
    for (modulus, message) in cases {
        let line = format!("poly mul a.txt a.txt --device host --modulus {modulus}");
        assert_eq!(folder.manycore(&line).error(2), message);
        let line = format!("explain poly-mul --n 4 --device host --modulus {modulus}");
        assert_eq!(folder.manycore(&line).error(2), message);
    }
    for modulus in ["-7", "x", "18446744073709551616"] {
        let message = folder.manycore(&format!("poly mul a.txt a.txt --modulus={modulus}")).error(2);
        assert!(message.contains(modulus), "{message}");
    }
    assert!(folder.manycore("poly mul a.txt a.txt").error(2).contains("--modulus"));
}

#[test]
fn coefficients_that_are_no_integers_are_refused_with_their_place() {
    let folder = Folder::new();
    folder.file("good.txt", "1 2");
    let cases = [
        ("1 2.5", "bad.txt:1: `2.5` is no integer"),
        ("1\nabc", "bad.txt:2: `abc` is no number"),
        ("1,,2", "bad.txt:1: no number before comma 2"),
    ];
    for (text, message) in cases {
        folder.file("bad.txt", text);
        assert_eq!(folder.manycore("poly mul bad.txt good.txt --modulus 7 --device host").error(2), message);
        assert_eq!(folder.manycore("poly mul good.txt bad.txt --modulus 7 --device host").error(2), message);
    }
    let mut array = Vec::new();
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(&[3]).writer(&mut array).begin_nd().unwrap();
    writer.extend([1.0, 2.0, 9.5f64]).unwrap();
    writer.finish().unwrap();
    folder.file("bad.npy", &array);
    assert_eq!(
        folder.manycore("poly mul bad.npy good.txt --modulus 7 --device host").error(2),
        "bad.npy: number 3 is 9.5, which is no integer"
    );
    assert!(folder.manycore("poly mul none.txt good.txt --modulus 7").error(2).starts_with("none.txt: "));
}

#[test]
fn integers_of_any_size_are_coefficients() {
    let folder = Folder::new();
    folder.file("one.txt", "1");
    // 2^64 is 2 mod 7, and -8 is 6.
    folder.file("f.txt", "7 -1 18446744073709551616\n-8 3.0 1.5D+03");
    let line = "poly mul f.txt one.txt --modulus 7 --device host --verify";
    assert_eq!(folder.manycore(line).output(), "2*x^5 + 3*x^4 + 6*x^3 + 2*x^2 + 6*x\n");
    folder.file("f.mtx", "%%MatrixMarket matrix array integer general\n1 3\n-1\n9\n0\n");
    assert_eq!(folder.manycore("poly mul f.mtx one.txt --modulus 7 --device host").output(), "2*x + 6\n");
}

#[test]
fn ways_that_a_device_does_not_have_are_refused() {
    for device in devices() {
        let (algorithm, message) = if device.starts_with("host") {
            ("two-phase", "products by two-phase with x = 16 on host")
        } else {
            ("karatsuba", "products by karatsuba on opencl")
        };
        let line = format!("poly mul - - --modulus 7 --device {device} --algorithm {algorithm}");
        let error = manycore_with(&line, b"1 2 3").error(2);
        assert!(error.starts_with(message) && error.ends_with("the device does not have it"), "{error}");
    }
}

#[test]
fn short_factors_are_what_karatsuba_lacks() {
    let folder = Folder::new();
    folder.file("long.txt", lines(&residues(40, 7, 1)));
    folder.file("short.txt", lines(&residues(31, 7, 2)));
    folder.file("enough.txt", lines(&residues(32, 7, 3)));
    let line = "poly mul long.txt short.txt --modulus 7 --device host --algorithm karatsuba";
    let error = folder.manycore(line).error(2);
    assert!(error.starts_with("products by karatsuba on host"), "{error}");
    assert!(error.ends_with("a factor has 31 coefficients, and the algorithm needs 32 of each"), "{error}");
    let line = "poly mul enough.txt long.txt --modulus 7 --device host --algorithm karatsuba --verify --json";
    assert_eq!(folder.manycore(line).json()["result"].as_array().unwrap().len(), 71);
}

#[test]
fn products_are_verified_modulo_every_kind_of_prime() {
    let folder = Folder::new();
    let primes =
        [2, 3, 7, 9001, 469_762_049, 2_147_483_647, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783, GOLDILOCKS];
    for device in devices() {
        for p in primes {
            for (n, m) in [(1, 1), (1, 40), (300, 270)] {
                folder.file("a.txt", lines(&residues(n, p, 4)));
                folder.file("b.txt", lines(&residues(m, p, 5)));
                for factors in ["a.txt b.txt", "b.txt b.txt"] {
                    let line = format!("poly mul {factors} --modulus {p} --device {device}");
                    let plain = folder.manycore(&line).output();
                    assert_eq!(folder.manycore(&format!("{line} --verify")).output(), plain, "{line}");
                }
            }
        }
    }
}

#[test]
fn products_are_explained() {
    for device in devices() {
        let text = manycore(&format!("explain poly-mul --n 2^12 --m 100 --device {device}")).output();
        assert!(text.starts_with("product on ") && text.contains("plain") && text.contains("transforms"), "{text}");
        let line = format!("explain poly-mul --n 64 --batch 10 --modulus 7 --device {device} --json");
        let report = manycore(&line).json();
        assert_eq!((&report["parameters"]["m"], &report["parameters"]["modulus"]), (&64.into(), &7.into()));
        let rows = report["result"].as_array().unwrap();
        assert!(rows.len() > 1 && are_ranked(rows), "{report}");
    }
    for device in devices() {
        for (line, m) in [("poly-div --n 2^12", 2048), ("poly-gcd --n 100 --m 80 --batch 7", 80)] {
            let line = format!("explain {line} --device {device} --json");
            let report = manycore(&line).json();
            assert_eq!(
                (&report["parameters"]["m"], &report["parameters"]["modulus"]),
                (&m.into(), &469_762_049.into())
            );
            assert!(are_ranked(report["result"].as_array().unwrap()), "{report}");
        }
    }
    assert_eq!(manycore("explain poly-div --n 5 --m 0").error(2), "--n and --m must be at least 1");
    assert_eq!(manycore("explain poly-gcd --n 0").error(2), "--n, --m and --batch must be at least 1");
    for operation in ["poly-div", "poly-gcd"] {
        let huge = manycore(&format!("explain {operation} --n 2^63 --m 2^63 --device host")).error(2);
        assert!(huge.ends_with("too large"), "{huge}");
    }
    for (line, what) in [
        ("poly-div --n 2^62 --m 4", "a division"),
        ("poly-gcd --n 10000000000000000000 --m 4", "a pair, or a batch of them,"),
        ("poly-mul --n 2^62 --m 4", "a pair of factors, or a batch of them,"),
    ] {
        let huge = manycore(&format!("explain {line} --device host:1")).error(2);
        assert_eq!(
            huge,
            format!("explain {line} --device host:1: {what} has more coefficients than memory can be addressed for")
        );
    }
    // In a time that does not grow with the number of blocks.
    assert!(manycore("explain poly-div --n 2^40 --m 2^10 --device host:1").output().contains("newton"));
    assert_eq!(manycore("explain poly-mul --n 0").error(2), "--n, --m and --batch must be at least 1");
    let huge = manycore("explain poly-mul --n 2^63 --m 2^63 --device host").error(2);
    assert!(huge.ends_with("too large"), "{huge}");
}

#[test]
fn choices_are_measured_and_kept() {
    let choices = Choices::new();
    choices.tune("poly-mul --n 64");
    choices.tune("poly-mul --n 300 --m 200 --batch 4 --modulus 7");
    choices.tune("poly-div --n 600 --m 200");
}
