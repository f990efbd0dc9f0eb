//! `manycore spectrum fourier` and `manycore spectrum kronecker`: results on the host and on every OpenCL device, and what is
//! refused.

use crate::common::{Folder, devices, manycore_with};

#[test]
fn fourier_examples() {
    for device in devices() {
        for (input, options, output) in [
            ("1 0 0 1 0 0", "--real --group 2,3", "2.0\n0.0\n2.0\n0.0\n2.0\n0.0\n0.0\n0.0\n0.0\n0.0\n0.0\n0.0\n"),
            ("1 0 0 1", "--group 2 --single", "1.0\n1.0\n1.0\n-1.0\n"),
            ("1 1 1", "--modulus 7", "3\n0\n0\n"),
            ("3 0 0", "--modulus 7 --inverse", "1\n1\n1\n"),
            ("1 2 3 4", "--modulus 7 --group 2", "3\n6\n0\n6\n"),
            ("5", "--modulus 7 --group 1", "5\n"),
        ] {
            let line = format!("spectrum fourier - {options} --device {device} --verify --seed 1");
            assert_eq!(manycore_with(&line, input.as_bytes()).output(), output, "{line}: {input}");
        }
        let folder = Folder::new();
        folder.file("g.txt", "0 1 0");
        folder.file("f.txt", "1 2 3");
        let line = format!("spectrum fourier f.txt --modulus 13 --convolve g.txt --device {device} --verify");
        assert_eq!(folder.manycore(&line).output(), "3\n1\n2\n");
    }
}

#[test]
fn fourier_refusals() {
    for (input, options, message) in [
        ("1 2 3", "--group 2 --modulus 7", "3"),
        ("1 2 3 4 5", "--modulus 7", "7"),
        ("1 2", "--group 0,2", "0"),
        ("1 2 3", "", "3"),
        ("", "--modulus 7", "standard input"),
    ] {
        let line = format!("spectrum fourier - {options} --device host");
        let error = manycore_with(&line, input.as_bytes()).error(2);
        assert!(error.contains(message), "{line}: {error}");
    }
    // Integers are reduced modulo the prime.
    assert_eq!(manycore_with("spectrum fourier - --modulus 7 --device host", b"1 9").output(), "3\n6\n");
}

#[test]
fn kronecker_examples() {
    for device in devices() {
        for (input, options, output) in [
            ("3 1 4 1 5 9 2 6", "--product walsh^3", "31\n-3\n5\n-1\n-13\n13\n-7\n-1\n"),
            ("31 -3 5 -1 -13 13 -7 -1", "--product walsh^3 --inverse", "3\n1\n4\n1\n5\n9\n2\n6\n"),
            ("3 1 4 1 5 9 2 6", "--product arith^3", "3\n-2\n1\n-1\n2\n6\n-4\n1\n"),
            ("1 2 3 4", "--product idxwalsh --type f32", "3.0\n-1.0\n7.0\n-1.0\n"),
            ("1 2", "--product arith --transpose", "-1\n2\n"),
            ("1 1 1", "--product dft3 --modulus 7", "3\n0\n0\n"),
            ("1 0 0 1", "--product dft2 --complex", "1.0\n1.0\n1.0\n-1.0\n"),
        ] {
            let line = format!("spectrum kronecker - {options} --device {device} --verify --seed 2");
            assert_eq!(manycore_with(&line, input.as_bytes()).output(), output, "{line}: {input}");
        }
    }
}

#[test]
fn kronecker_refusals() {
    for (input, options, message) in [
        ("1 2 3", "--product walsh", "3"),
        ("1 2", "--product wolsh", "wolsh"),
        ("1 2 3 4 5", "--product dft5 --modulus 7", "divisors of 6"),
        ("1 2 3", "--product dft3", "dft3"),
        ("1 1", "--product walsh --inverse --modulus 2", "inverse"),
        ("1 2", "--product walsh --modulus 6", "6"),
    ] {
        let line = format!("spectrum kronecker - {options} --device host");
        let error = manycore_with(&line, input.as_bytes()).error(2);
        assert!(error.contains(message), "{line}: {error}");
    }
}
