//! `--verify` of spectra: right results that were called wrong, results that are not exact or past their type, and what the
//! report tells.

use crate::common::{Folder, devices, has_f64, lines, manycore_with};
use serde_json::{Value, json};

/// The devices that compute in double precision.
fn double_devices() -> impl Iterator<Item = String> {
    devices().into_iter().filter(|device| has_f64(device))
}

#[test]
fn numbers_at_the_ends_of_the_range_are_right() {
    for device in double_devices() {
        for (input, options, output) in [
            ("1e200 0 0", "fourier - --real", lines(&[1e200, 0.0, 1e200, 0.0, 1e200, 0.0])),
            ("1e-320 0 0", "fourier - --real", String::new()),
            ("1e308 0 0 0", "walsh - --type f64", lines(&[1e308; 4])),
            ("1e308 -1e307", "haar -", lines(&[9e307, 1.1e308])),
            ("1e-300 1e300", "arithmetic -", lines(&[1e-300, 1e300])),
            ("1e308 0", "kronecker - --product walsh --type f64", lines(&[1e308; 2])),
            ("1e200 0 0", "kronecker - --product dft3 --complex", String::new()),
        ] {
            let input = if options.contains("dft3") { "1e200 0 0 0 0 0" } else { input };
            let found =
                manycore_with(&format!("spectrum {options} --verify --device {device}"), input.as_bytes()).output();
            // Devices may take numbers below the smallest normal one for 0, and add rounded roots.
            assert!(output.is_empty() || found == output, "{device} {options}: {found}");
        }
    }
    for device in devices() {
        for options in
            ["fourier - --single --real --group 3", "walsh - --type f32 --batch 1", "haar - --type f32 --batch 1"]
        {
            for size in ["1e-44", "1.1754944e-38", "1e37"] {
                let line = format!("spectrum {options} --verify --device {device}");
                manycore_with(&line, format!("{size} 0 {size}").as_bytes()).output();
            }
        }
    }
}

#[test]
fn overflow_is_told() {
    for device in double_devices() {
        for (input, options) in [
            ("1.5e308 1.5e308", "walsh - --type f64"),
            ("1.5e308 1.5e308", "haar - --type f64"),
            ("1.5e308 -1.5e308", "arithmetic - --type f64"),
            ("1.5e308 1.5e308", "fourier - --real"),
            ("1.5e308 1.5e308", "kronecker - --product walsh --type f64"),
        ] {
            let line = format!("spectrum {options} --verify --device {device}");
            let message = manycore_with(&line, input.as_bytes()).error(1);
            assert!(message.contains("past the largest number of its type"), "{line}: {message}");
        }
    }
}

#[test]
fn kronecker_inverses_of_integers_are_exact_or_refused() {
    for device in devices() {
        let run = |options: &str, input: &str| {
            manycore_with(&format!("spectrum kronecker - {options} --verify --device {device}"), input.as_bytes())
        };
        assert_eq!(
            run("--product walsh^2 --inverse", "1 2 3 4").error(2),
            "standard input: no spectrum of integers: value 1 of its inverse is 10/4; use --type f64"
        );
        // As `spectrum walsh` rounds.
        let wrapped = run("--product walsh^2 --inverse --wrap", "1 2 3 4").output();
        assert_eq!(wrapped, lines(&[2, -1, -1, 0]));
        let walsh = format!("spectrum walsh - --inverse --wrap --verify --device {device}");
        assert_eq!(manycore_with(&walsh, b"1 2 3 4").output(), wrapped);
        assert_eq!(
            run("--product walsh --inverse", "4611686018427387904 4611686018427387904").error(2),
            "standard input: coefficients of transform 0 could reach 9223372036854775808, past the largest i64; use --type \
             f64, or --wrap to compute modulo 2^64"
        );
        assert_eq!(
            run("--product walsh --type i32", "1 1 2147483647 1").error(2),
            "standard input: coefficients of transform 1 could reach 2147483648, past the largest i32; use --type i64, or \
             --wrap to compute modulo 2^32"
        );
        assert_eq!(
            run("--product walsh --type i32 --wrap", "2147483647 1").output(),
            lines(&[i32::MIN, 2_147_483_646])
        );
        assert_eq!(run("--product arith^2 --inverse", "3 -2 1 -1").output(), lines(&[3, 1, 4, 1]));
        assert_eq!(run("--product arith --inverse --transpose", "-1 2").output(), lines(&[1, 2]));
    }
}

#[test]
fn sums_that_fit_are_not_refused_for_the_sizes_of_their_terms() {
    // The sizes add up to nearly 2^32, the coefficients to nearly 2^31.
    const WALSH: &str = "1073741822 1073741822 1073741822 -1073741822";
    for device in devices() {
        for (options, input, output) in [
            ("walsh - --type i32", WALSH, vec![2_147_483_644, 2_147_483_644, 2_147_483_644, -2_147_483_644]),
            ("walsh - --type i32 --inverse", WALSH, vec![536_870_911, 536_870_911, 536_870_911, -536_870_911]),
            (
                "kronecker - --product walsh^2 --type i32 --inverse",
                WALSH,
                vec![536_870_911, 536_870_911, 536_870_911, -536_870_911],
            ),
            (
                "haar - --type i32",
                "1073741823 -1073741823 1073741823 -1073741823",
                vec![0, 0, 2_147_483_646, 2_147_483_646],
            ),
            ("arithmetic - --type i32", "2147483647 2147483646", vec![i32::MAX, -1]),
            ("kronecker - --type i32 --product arith", "2147483647 2147483646", vec![i32::MAX, -1]),
        ] {
            let line = format!("spectrum {options} --verify --device {device}");
            assert_eq!(manycore_with(&line, input.as_bytes()).output(), lines(&output), "{line}");
        }
    }
}

#[test]
fn polarities_suggest_no_option_that_there_is_not() {
    let message = manycore_with("spectrum polarities - --arithmetic --device host", b"9223372036854775807 1").error(2);
    assert_eq!(
        message,
        "standard input: the sizes of the values add up to 9223372036854775808, past the largest i64, which holds every \
         coefficient"
    );
}

#[test]
fn reports_tell_how_the_result_was_checked() {
    let report = |line: &str, input: &str| -> Value {
        let report = manycore_with(&format!("spectrum {line} --verify --json --device host"), input.as_bytes()).json();
        assert_eq!(report["verified"], json!(true), "{line}");
        report["verification"].clone()
    };
    let chance = |verification: &Value| verification["chance_log2"].as_f64();
    // Two variables and one transform: 3 / 2^60.
    let exact = report("walsh -", "1 2 3 4");
    assert!((chance(&exact).unwrap() - (3f64.log2() - 60.0)).abs() < 1e-9, "{exact}");
    assert_eq!(exact["method"], json!("both sides at a random point modulo primes near 2^61"));
    assert!((chance(&report("reed-muller -", "1 0 0 1")).unwrap() - (3f64.log2() - 64.0)).abs() < 1e-9);
    for line in [
        "walsh - --type f64",
        "walsh - --wrap",
        "haar -",
        "arithmetic - --type f32",
        "ntt - --modulus 17",
        "fourier - --real",
        "fourier - --modulus 17",
        "kronecker - --product walsh^2",
        "kronecker - --product walsh^2 --modulus 17",
        "kronecker - --product walsh --complex",
        "polarities - --arithmetic",
    ] {
        let verification = report(line, "1 2 3 4");
        assert_eq!(verification["chance_log2"], Value::Null, "{line}");
        assert!(verification["method"].as_str().is_some_and(|method| !method.is_empty()), "{line}");
    }
    let plain = manycore_with("spectrum walsh - --json --device host", b"1 2").json();
    assert_eq!((&plain["verified"], &plain["verification"]), (&Value::Null, &Value::Null));
}

/// An array of complex numbers of 64 or 128 bits.
fn complex_array(descr: &str, len: usize, parts: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len},), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(parts);
    bytes
}

#[test]
fn arrays_of_complex_numbers_are_read() {
    let folder = Folder::new();
    let double: Vec<u8> = [1.0f64, 0.0, 0.0, 1.0].iter().flat_map(|part| part.to_le_bytes()).collect();
    let single: Vec<u8> = [1.0f32, 0.0, 0.0, 1.0].iter().flat_map(|part| part.to_le_bytes()).collect();
    folder.file("double.npy", complex_array("<c16", 2, &double));
    folder.file("single.npy", complex_array("<c8", 2, &single));
    let spectrum = lines(&[1.0, 1.0, 1.0, -1.0]);
    for line in [
        "fourier double.npy",
        "fourier single.npy --single",
        "fourier single.npy",
        "kronecker double.npy --product dft2",
        "kronecker double.npy --product dft2 --complex",
        "kronecker single.npy --product walsh",
    ] {
        assert_eq!(folder.manycore(&format!("spectrum {line} --verify --device host")).output(), spectrum, "{line}");
    }
    let message = folder.manycore("spectrum fourier double.npy --real --device host").error(2);
    assert_eq!(message, "double.npy: an array of complex numbers, where --real asks for real ones");
    let message = folder.manycore("spectrum kronecker double.npy --product walsh --type i32 --device host").error(2);
    assert_eq!(message, "double.npy: an array of complex numbers, which --type i32 does not hold");
    let message = folder.manycore("spectrum walsh double.npy --device host").error(2);
    assert!(message.contains("'<c16'"), "{message}");
}

#[test]
fn large_primes_are_checked_by_chirps() {
    // 65537 values: sums by the definition would be 2^32 products.
    let numbers: Vec<String> = (0..65_537u64).map(|index| (index * index % 97).to_string()).collect();
    let input = numbers.join(" ");
    // The modulus less one is 17 * 65537 * 2^18.
    for options in ["--modulus 292062232577", "--real"] {
        let line = format!("spectrum fourier - {options} --verify --device host");
        let words = if options == "--real" { 2 } else { 1 };
        assert_eq!(manycore_with(&line, input.as_bytes()).output().lines().count(), words * 65_537, "{line}");
    }
}
