//! Polynomials in files: they come back as they were, on the host and on every OpenCL device, and what is wrong in a file
//! is named with its place.

use std::fs;
use std::path::Path;

use crate::common::{elements, long, short};
use manycore_device::Device;
use manycore_field::{Goldilocks, ResidueWord as _};
use manycore_files::{FileError, Format, NpyNumber, Source, write_npy};
use manycore_poly::{PolyError, PolyField, PolyFileError, PolyRing};
use manycore_testkit::opencl_devices;
use proptest::prelude::*;

fn devices() -> Vec<Device> {
    [Device::host()].into_iter().chain(opencl_devices()).collect()
}

fn round_trip<F: PolyField>(device: &Device, field: &F, folder: &Path) {
    let ring = PolyRing::new(device, field.clone()).unwrap();
    for len in [0, 1, 2, 1000] {
        let words = elements(field, len, 1);
        let f = ring.poly(&words).unwrap();
        for name in ["f.txt", "f.npy"] {
            let path = folder.join(name);
            ring.write(&f, &path).unwrap();
            let back = ring.read(&path).unwrap();
            assert!(ring.equal(&back, &f).unwrap(), "{len} of mod {} in {name}", field.order());
        }
        // An array has the words of the field; a text a number a line.
        let bytes = fs::read(folder.join("f.npy")).unwrap();
        let array = npyz::NpyFile::new(&bytes[..]).unwrap();
        assert_eq!(array.dtype().descr(), format!("'<u{}'", size_of::<F::Element>()));
        assert_eq!(array.shape(), [len as u64]);
        let text: String = words.iter().flat_map(|word| [word.as_u64().to_string(), "\n".to_owned()]).collect();
        assert_eq!(fs::read_to_string(folder.join("f.txt")).unwrap(), text);
        let mut written = Vec::new();
        ring.write_to(&f, Format::Text, "memory", &mut written).unwrap();
        assert_eq!(written, text.as_bytes());
    }
}

#[test]
fn polynomials_come_back() {
    let folder = tempfile::tempdir().unwrap();
    for device in devices() {
        round_trip(&device, &short(2), folder.path());
        round_trip(&device, &short(2_147_483_647), folder.path());
        round_trip(&device, &long(9_223_372_036_854_775_783), folder.path());
        round_trip(&device, &Goldilocks, folder.path());
    }
}

fn read(p: u32, bytes: &[u8]) -> Result<Vec<u32>, PolyFileError> {
    let ring = PolyRing::new(&Device::host(), short(p)).unwrap();
    let f = ring.read_from(Source::new("f", bytes)?)?;
    Ok(ring.coefficients(&f)?)
}

fn array<T: NpyNumber>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_npy(&mut bytes, values).unwrap();
    bytes
}

#[test]
fn every_form_of_the_same_numbers() {
    for bytes in [
        b"3 0 5 1".to_vec(),
        b"# leading zeros\n3, 0\n5 1 0 0 # are dropped\n".to_vec(),
        array(&[3u32, 0, 5, 1]),
        array(&[3u64, 0, 5, 1, 0]),
        array(&[3i32, 0, 5, 1]),
        array(&[3.0f64, 0.0, 5.0, 1.0]),
    ] {
        assert_eq!(read(7, &bytes).unwrap(), [3, 0, 5, 1]);
    }
    for bytes in [b"".to_vec(), b"# nothing".to_vec(), b"0 0".to_vec(), array::<u32>(&[]), array(&[0u64])] {
        assert!(read(7, &bytes).unwrap().is_empty());
    }
    // The largest residue of all passes 2^63.
    let ring = PolyRing::new(&Device::host(), Goldilocks).unwrap();
    let p = 18_446_744_069_414_584_321u64;
    for bytes in [format!("{}", p - 1).into_bytes(), array(&[p - 1])] {
        let f = ring.read_from(Source::new("f", &bytes[..]).unwrap()).unwrap();
        assert_eq!(ring.coefficients(&f).unwrap(), [p - 1]);
    }
}

#[test]
fn integers_of_any_size_are_taken_modulo_the_prime() {
    // 10^42 is 1 mod 7, and 2^64 - 1 is 1.
    for (bytes, expected) in [
        (b"1 2\n7 3".to_vec(), vec![1, 2, 0, 3]),
        (b"-1 -7 -8 1".to_vec(), vec![6, 0, 6, 1]),
        (format!("1{} -1{}", "0".repeat(42), "0".repeat(42)).into_bytes(), vec![1, 6]),
        (b"3.0 1.5D+03 2e0".to_vec(), vec![3, 2, 2]),
        (b"%%MatrixMarket matrix array real general\n3 1\n1\n9\n-3.0\n".to_vec(), vec![1, 2, 4]),
        (b"\xef\xbb\xbf3 1 # M\xfcller\n".to_vec(), vec![3, 1]),
        (array(&[1u32, 2, 7, 8]), vec![1, 2, 0, 1]),
        (array(&[u64::MAX]), vec![1]),
        (array(&[0i32, -3]), vec![0, 4]),
        (array(&[9.0f64, -1.0, 2f64.powi(100)]), vec![2, 6, 2]),
    ] {
        assert_eq!(read(7, &bytes).unwrap(), expected);
    }
}

#[test]
fn a_number_that_is_no_integer_is_named_with_its_place() {
    let cases = [
        (array(&[1.0, 0.5f32]), "f: number 2 is 0.5, which is no integer"),
        (array(&[f64::NAN]), "f: number 1 is NaN, which is no integer"),
    ];
    for (bytes, message) in cases {
        assert_eq!(read(7, &bytes).unwrap_err().to_string(), message);
    }
    let error = read(7, &array(&[1.0, 0.5f64])).unwrap_err();
    let PolyFileError::NotInteger { file, number: 2, value } = error else { panic!("{error:?}") };
    assert_eq!((file.as_str(), value.to_bits()), ("f", 0.5f64.to_bits()));
}

#[test]
fn files_that_hold_no_polynomial_are_refused() {
    let cases: [(&[u8], &str); 6] = [
        (b"1 2.5", "f:1: `2.5` is no integer"),
        (b"1\nabc", "f:2: `abc` is no number"),
        (b"1,,2", "f:1: no number before comma 2"),
        (b"1\n\xff", "f:2: neither text nor a .npy file"),
        (b"\x93NUMPY", "f: ends within the header of a .npy file"),
        (b"+", "f:1: `+` is no number"),
    ];
    for (bytes, message) in cases {
        let error = read(7, bytes).unwrap_err();
        assert!(matches!(&error, PolyFileError::File(_)), "{error:?}");
        assert_eq!(error.to_string(), message);
    }
    let cut = array(&[1u32, 2, 3]);
    assert_eq!(read(7, &cut[..cut.len() - 1]).unwrap_err().to_string(), "f: ends after 2 of 3 values");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let ring = PolyRing::new(&Device::host(), short(7)).unwrap();
    let f = ring.one().unwrap();
    let error = ring.read("no/such/file.txt").unwrap_err();
    assert!(matches!(&error, PolyFileError::File(FileError::Read { file, .. }) if file == "no/such/file.txt"));
    let error = ring.write(&f, "no/such/file.npy").unwrap_err();
    assert!(matches!(&error, PolyFileError::File(FileError::Write { file, .. }) if file == "no/such/file.npy"));
    // A polynomial of another ring is refused before the file is touched.
    let other = PolyRing::new(&Device::host(), short(9001)).unwrap();
    let error = other.write(&f, "no/such/file.npy").unwrap_err();
    assert!(matches!(error, PolyFileError::Poly(PolyError::MixedRings { expected: 9001, given: 7 })), "{error:?}");
}

proptest! {
    /// Whatever the bytes are, there is a polynomial or an error.
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), npy: bool) {
        let bytes = if npy { [&b"\x93NUMPY\x01\x00"[..], &bytes].concat() } else { bytes };
        let outcome = read(469_762_049, &bytes);
        prop_assert!(outcome.is_err() || !npy);
    }

    /// Any text of residues and separators is what it says.
    #[test]
    fn texts_are_read_as_they_stand(words in proptest::collection::vec((0u32..9001, "[ \t]+|[ ]?,[ ]?|\r?\n|[ ]#[a-z, 0-9]*\n"), 0..40)) {
        let text: String = words.iter().flat_map(|(word, separator)| [word.to_string(), separator.clone()]).collect();
        let mut expected: Vec<u32> = words.iter().map(|&(word, _)| word).collect();
        let len = expected.iter().rposition(|&word| word != 0).map_or(0, |i| i + 1);
        expected.truncate(len);
        prop_assert_eq!(read(9001, text.as_bytes()).unwrap(), expected);
    }
}
