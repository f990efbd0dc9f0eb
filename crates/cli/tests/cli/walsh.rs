//! `manycore spectrum walsh`: its results, on the host and on every OpenCL device.

use crate::common::{Folder, devices, has_f64, integers, lines, manycore_with, read};
use manycore::Order;
use manycore::spectral::walsh::reference::walsh_hadamard;

#[test]
fn worked_examples_in_every_order_by_every_algorithm() {
    let cases = [
        ("3 1 4 1 5 9 2 6", "hadamard", [31, -3, 5, -1, -13, 13, -7, -1]),
        ("3 1 4 1 5 9 2 6", "dyadic", [31, -13, 5, -7, -3, 13, -1, -1]),
        ("3 1 4 1 5 9 2 6", "sequency", [31, -13, -7, 5, -1, -1, 13, -3]),
        ("1,0,0,1,0,1,1,1", "hadamard", [5, -1, -1, 1, -1, 1, 1, 3]),
        // The function [0,0,1,0,0,1,0,0] as signs.
        ("1 1 -1 1 1 -1 1 1", "hadamard", [4, 0, 0, 4, 0, -4, 4, 0]),
    ];
    for device in devices() {
        for (values, order, expected) in cases {
            for algorithm in ["cooley-tukey", "constant-geometry"] {
                for number_type in ["i32", "i64"] {
                    let line = format!(
                        "spectrum walsh - --device {device} --order {order} --algorithm {algorithm} --type {number_type} --verify"
                    );
                    assert_eq!(manycore_with(&line, values.as_bytes()).output(), lines(&expected), "{line}");
                }
            }
        }
    }
}

#[test]
fn every_length_agrees_with_the_definition_and_comes_back() {
    let folder = Folder::new();
    for device in devices() {
        for log_len in [0, 1, 2, 5, 9] {
            let x = integers(1 << log_len);
            folder.file("x.txt", lines(&x));
            for order in Order::ALL {
                let line = format!("spectrum walsh x.txt --device {device} --order {order} --verify -o y.txt");
                assert_eq!(folder.manycore(&line).output(), "");
                assert_eq!(read(&folder.path("y.txt")), lines(&walsh_hadamard(&x, order).unwrap()), "{line}");
                let back = format!("spectrum walsh y.txt --inverse --device {device} --order {order} --verify");
                assert_eq!(folder.manycore(&back).output(), lines(&x), "{back}");
            }
        }
    }
}

#[test]
fn floating_point_spectra_are_right_and_come_back() {
    let folder = Folder::new();
    let x: Vec<f64> = integers(256).iter().map(|&value| value as f64 / 4.0).collect();
    folder.file("x.txt", lines(&x));
    for device in devices() {
        for number_type in if has_f64(&device) { &["f32", "f64"][..] } else { &["f32"] } {
            for order in Order::ALL {
                // Quarters of small integers: every sum is exact.
                let options = format!("--type {number_type} --device {device} --order {order} --verify");
                folder.manycore(&format!("spectrum walsh x.txt {options} -o y.txt")).output();
                assert_eq!(read(&folder.path("y.txt")), lines(&walsh_hadamard(&x, order).unwrap()), "{options}");
                let back = folder.manycore(&format!("spectrum walsh y.txt --inverse {options}")).output();
                assert_eq!(back, lines(&x), "{options}");
            }
        }
    }
}

#[test]
fn batches_are_transformed_one_by_one() {
    let x = integers(96);
    let expected: Vec<i64> = x.chunks(16).flat_map(|run| walsh_hadamard(run, Order::Sequency).unwrap()).collect();
    for device in devices() {
        let line = format!("spectrum walsh - --batch 16 --order sequency --device {device} --verify");
        let y = manycore_with(&line, lines(&x).as_bytes()).output();
        assert_eq!(y, lines(&expected), "{device}");
        assert_eq!(manycore_with(&format!("{line} --inverse"), y.as_bytes()).output(), lines(&x), "{device}");
    }
}

#[test]
fn integers_wrap_only_when_told_to() {
    let x = "2147483647 1 1 1";
    for device in devices() {
        let line = format!("spectrum walsh - --type i32 --device {device}");
        assert_eq!(
            manycore_with(&line, x.as_bytes()).error(2),
            "standard input: coefficients of transform 0 could reach 2147483650, past the largest i32; use --type i64, \
             or --wrap to compute modulo 2^32"
        );
        let wrapped = manycore_with(&format!("{line} --wrap --verify"), x.as_bytes()).output();
        assert_eq!(wrapped, lines(&[i32::MIN + 2, 2_147_483_646, 2_147_483_646, 2_147_483_646]));
        // The largest coefficient that fits is allowed, and the least.
        let least = manycore_with(&format!("{line} --verify"), b"-2147483648 0").output();
        assert_eq!(least, lines(&[i32::MIN, i32::MIN]));
        let least =
            manycore_with(&format!("spectrum walsh - --verify --device {device}"), b"-9223372036854775808 0").output();
        assert_eq!(least, lines(&[i64::MIN, i64::MIN]));
        let past = manycore_with(&line, b"-2147483648 -1").error(2);
        assert!(past.contains("transform 0 could reach 2147483649"), "{past}");
        let most = manycore_with(&format!("{line} --verify"), b"2147483644 1 1 1").output();
        assert!(most.starts_with("2147483647\n"), "{most}");
    }
}

#[test]
fn an_inverse_that_is_no_integer_is_refused() {
    for device in devices() {
        let line = format!("spectrum walsh - --inverse --device {device}");
        assert_eq!(
            manycore_with(&line, b"8 0 0 0 0 0 3 0").error(2),
            "standard input: no spectrum of integers: value 1 of its inverse is 11/8; use --type f64"
        );
        let rounded = manycore_with(&format!("{line} --wrap --verify"), b"8 0 0 0 0 0 3 0").output();
        assert_eq!(rounded, lines(&[1, 1, 0, 0, 0, 0, 1, 1]));
        if has_f64(&device) {
            let exact = manycore_with(&format!("{line} --type f64 --verify"), b"8 0 0 0 0 0 3 0").output();
            assert_eq!(exact, lines(&[1.375, 1.375, 0.625, 0.625, 0.625, 0.625, 1.375, 1.375]));
        }
    }
}

#[test]
fn arrays_go_in_and_out() {
    let folder = Folder::new();
    let x = integers(64);
    folder.file("x.txt", lines(&x));
    let spectrum = walsh_hadamard(&x, Order::Hadamard).unwrap();
    let cases = [("i32", "'<i4'"), ("i64", "'<i8'"), ("f32", "'<f4'"), ("f64", "'<f8'")];
    for device in devices() {
        for (number_type, descr) in cases {
            if number_type == "f64" && !has_f64(&device) {
                continue;
            }
            let options = format!("--device {device} --verify");
            let to_array = format!("spectrum walsh x.txt --type {number_type} {options} -o y.npy");
            assert_eq!(folder.manycore(&to_array).output(), "");
            let array = npyz::NpyFile::new(std::fs::File::open(folder.path("y.npy")).unwrap()).unwrap();
            assert_eq!((array.dtype().descr(), array.shape()), (descr.to_owned(), &[64][..]));
            if number_type == "i64" {
                assert_eq!(array.into_vec::<i64>().unwrap(), spectrum);
            }
            let back = folder.manycore(&format!("spectrum walsh y.npy --inverse --type i64 {options}")).output();
            assert_eq!(back, lines(&x), "{number_type}");
            // An array keeps its floating-point type; its integers become i64.
            let kept = folder.manycore(&format!("spectrum walsh y.npy --inverse {options} --json")).json();
            let expected = if number_type.starts_with('f') { number_type } else { "i64" };
            assert_eq!(kept["parameters"]["type"], expected);
        }
    }
    let array = std::fs::read(folder.path("y.npy")).unwrap();
    assert_eq!(manycore_with("spectrum walsh - --inverse --type i32 --device host", &array).output(), lines(&x));
}

#[test]
fn many_values_by_every_algorithm_agree() {
    let folder = Folder::new();
    folder.file("x.txt", lines(&integers(1 << 16)));
    let spectrum = |device: &str, options: &str| {
        folder.manycore(&format!("spectrum walsh x.txt --device {device} --verify {options}")).output()
    };
    let expected = spectrum("host", "--order dyadic");
    for device in devices() {
        for algorithm in ["cooley-tukey", "constant-geometry"] {
            assert_eq!(spectrum(&device, &format!("--order dyadic --algorithm {algorithm}")), expected, "{device}");
        }
    }
}
