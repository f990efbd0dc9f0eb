//! What one command writes, in each of its formats, is read by every command that takes such values: random vectors, matrices and
//! polynomials.

use crate::common::{Folder, integers};
use manycore::files::write_npy;

/// Words without a pattern.
fn words(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |i: u64| {
        let x = (seed * 1000 + i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

/// Doubles of every size, and all that is special.
fn doubles(seed: u64, len: usize) -> Vec<f64> {
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, f64::MAX, 5e-324, 1e22, 2.0];
    let special = special.into_iter().take(len);
    special.chain(words(seed).map(f64::from_bits).filter(|x| !x.is_nan())).take(len).collect()
}

fn npy<T: manycore::files::NpyNumber>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_npy(&mut bytes, values).unwrap();
    bytes
}

/// The result of a command as a file.
#[track_caller]
fn made(folder: &Folder, line: &str, to: &str) -> Vec<u8> {
    folder.manycore(&format!("{line} --device host -o {to}")).output();
    std::fs::read(folder.path(to)).unwrap()
}

#[test]
fn vectors() {
    let folder = Folder::new();
    for seed in 1..6 {
        let f64s = doubles(seed, 64);
        folder.file("f64.npy", npy(&f64s));
        folder.file("f32.npy", npy(&f64s.iter().map(|&x| x as f32).collect::<Vec<f32>>()));
        folder.file("i64.npy", npy(&words(seed).take(64).map(u64::cast_signed).collect::<Vec<i64>>()));
        folder.file("u64.npy", npy(&words(seed).take(64).collect::<Vec<u64>>()));
        for (name, number) in [("f64", "f64"), ("f32", "f32"), ("i64", "i64"), ("u64", "u64")] {
            // Through text and through an array, to the same bits.
            let array = made(&folder, &format!("sort numbers {name}.npy"), "a.npy");
            let text = made(&folder, &format!("sort numbers {name}.npy"), "a.txt");
            for from in ["a.npy", "a.txt"] {
                let line = format!("sort numbers {from} --type {number}");
                assert!(made(&folder, &line, "b.txt") == text, "{name} from {from}");
                let again = made(&folder, &line, "b.npy");
                // Texts have one NaN of each sign.
                assert!(again == array || name.starts_with('f') && again.len() == array.len(), "{name} from {from}");
            }
        }
    }
}

#[test]
fn vectors_of_every_transform() {
    let folder = Folder::new();
    let values: Vec<String> = integers(16).iter().map(ToString::to_string).collect();
    folder.file("x.txt", values.join("\n"));
    folder.file("x.csv", format!("value\r\n{}", values.join("\r\n")));
    folder.file("x.mtx", format!("%%MatrixMarket matrix array integer general\n16 1\n{}\n", values.join("\n")));
    folder.file("x.gp", format!("[{}]", values.join(", ")));
    made(&folder, "sort numbers x.txt --places", "places.npy");
    for line in ["spectrum walsh", "spectrum arithmetic", "spectrum haar", "spectrum ntt --modulus 97", "sort numbers"]
    {
        let expected = made(&folder, &format!("{line} x.txt"), "a.txt");
        let array = made(&folder, &format!("{line} x.txt"), "a.npy");
        for from in ["x.csv", "x.mtx", "x.gp"] {
            assert!(made(&folder, &format!("{line} {from}"), "b.txt") == expected, "{line} {from}");
        }
        // The result is an input of every command.
        for then in
            ["spectrum walsh", "sort numbers", "spectrum arithmetic", "spectrum haar", "spectrum ntt --modulus 97"]
        {
            let of_text = made(&folder, &format!("{then} a.txt"), "b.txt");
            assert!(made(&folder, &format!("{then} a.npy"), "b.txt") == of_text, "{line}, then {then}");
        }
        assert!(!array.is_empty());
    }
}

#[test]
fn matrices() {
    let folder = Folder::new();
    for seed in 1..4 {
        let entries: Vec<i64> = words(seed).take(9).map(|word| (word % 19) as i64 - 9).collect();
        let rows: Vec<String> =
            entries.chunks(3).map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")).collect();
        folder.file("a.txt", rows.join("\n"));
        folder.file("unit.txt", "1 0 0\n0 1 0\n0 0 1\n");
        let determinant = folder.manycore("matrix det a.txt --exact").output();
        let product = folder.manycore("semiring product a.txt a.txt --semiring plus-times").output();
        let modular = |file: &str| folder.manycore(&format!("matrix det {file} --modulus 101")).output();
        // Every format of a matrix, made by a product with the unit matrix.
        let mut files = vec!["a.txt".to_owned()];
        for format in ["market", "sage", "pari"] {
            let more = if format == "market" { String::new() } else { format!(" --format {format}") };
            made(&folder, &format!("matrix mul a.txt unit.txt --modulus 101{more}"), format);
            assert_eq!(modular(format), modular("a.txt"), "{format}");
        }
        for (name, line) in [
            ("ring.txt", "semiring product a.txt unit.txt --semiring plus-times"),
            ("reals.txt", "semiring product a.txt unit.txt --semiring plus-times --type f64"),
            ("rows.csv", "semiring product a.txt unit.txt --semiring plus-times"),
        ] {
            let text = made(&folder, line, name);
            if name == "rows.csv" {
                folder.file(name, String::from_utf8(text).unwrap().replace(' ', ";"));
            }
            files.push(name.to_owned());
        }
        for file in &files {
            assert_eq!(folder.manycore(&format!("matrix det {file} --exact")).output(), determinant, "{file}");
            assert_eq!(modular(file), modular("a.txt"), "{file}");
            let line = format!("semiring product {file} a.txt --semiring plus-times");
            assert_eq!(folder.manycore(&line).output(), product, "{file}");
            folder.manycore(&format!("maxplus simulate {file} --steps 2")).output();
            folder.manycore(&format!("maxplus cycle-mean {file} --type f64")).output();
        }
        // Entries with halves, in both forms of infinities.
        folder.file("half.txt", "0 2.5 -inf\n-inf 0 -0.5\n-inf -inf 0\n");
        let star = made(&folder, "maxplus star half.txt --type f64", "star.txt");
        assert!(made(&folder, "maxplus star star.txt --type f64", "again.txt") == star);
        assert!(
            made(&folder, "semiring product star.txt star.txt --semiring max-plus --type f64", "again.txt") == star
        );
    }
}

#[test]
fn fractions() {
    let folder = Folder::new();
    folder.file("a.txt", "2 1.5 -1/3\n0 1e-1 4\n1 0 7\n");
    for format in ["", " --format sage", " --format pari"] {
        made(&folder, &format!("matrix inverse a.txt --exact{format}"), "inverse");
        made(&folder, &format!("matrix inverse inverse --exact{format}"), "back");
        made(&folder, "matrix inverse back --exact", "again");
        assert!(made(&folder, "matrix inverse a.txt --exact", "plain") == std::fs::read(folder.path("again")).unwrap());
        assert_eq!(folder.manycore("matrix rank back --exact").output(), "3\n");
    }
}

#[test]
fn polynomials() {
    let folder = Folder::new();
    for seed in 1..4 {
        let coefficients: Vec<String> = words(seed).take(9).map(|word| (word % 101).to_string()).collect();
        folder.file("f.txt", coefficients.join(" "));
        folder.file("one.txt", "1");
        let square = folder.manycore("poly mul f.txt f.txt --modulus 101").output();
        for format in ["", " --format sage", " --format pari"] {
            made(&folder, &format!("poly mul f.txt one.txt --modulus 101{format}"), "g");
            assert_eq!(folder.manycore("poly mul g f.txt --modulus 101").output(), square, "{format}");
            assert_eq!(folder.manycore("poly mul g g --modulus 101").output(), square, "{format}");
        }
        made(&folder, "poly mul f.txt one.txt --modulus 101", "g.npy");
        assert_eq!(folder.manycore("poly mul g.npy f.txt --modulus 101").output(), square);
    }
}
