//! Matrices of the test data, which is no part of the project: `MANYCORE_DATA` names its folder.

use std::path::PathBuf;

use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_files::Source;
use manycore_linalg::exact::{Certainty, check, determinant};
use manycore_linalg::file::read;
use manycore_linalg::{LinearAlgebra, Solution};
use num_bigint::BigInt;

/// The folder; `None` where there is none, which is said.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("MANYCORE_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("MANYCORE_DATA names no folder: files of LinBox are not read");
    }
    folder
}

#[test]
fn ranks_of_linbox_files() {
    let Some(folder) = folder() else { return };
    let large = 469_762_049;
    let cases = [
        ("rk9_7_10.sms", 7, (10, 10), 9),
        ("rk9_7_10.sms", large, (10, 10), 10),
        ("fib25.sms", large, (25, 25), 25),
        ("bibd_12_5_66x792.sms", large, (66, 792), 66),
        ("bibd_12_5_66x792.sms", 2, (66, 792), 54),
    ];
    for (file, p, shape, rank) in cases {
        let space = LinearAlgebra::new(&Device::host(), PrimeField::<u32>::new(p).unwrap()).unwrap();
        // Entries of the files may be negative: their residues are taken here.
        let dense = read::<i128>(Source::open(folder.join(file)).unwrap()).unwrap();
        assert_eq!((dense.rows, dense.columns), shape, "{file}");
        let words: Vec<u32> = dense.entries.iter().map(|&x| space.field().reduce_i128(x)).collect();
        let a = space.matrix(dense.rows, dense.columns, &words).unwrap();
        assert_eq!(space.rank(&a).unwrap(), rank, "{file}");
        assert!(space.verify_rank(&a, rank, 1).unwrap(), "{file}");
        let right = space.mul(&a, &space.random(dense.columns, 2, 3).unwrap()).unwrap();
        match space.solve(&a, &right).unwrap() {
            Solution::Unique(x) => assert!(rank == dense.columns && space.verify_product(&a, &x, &right, 1).unwrap()),
            Solution::Affine { point, directions } => {
                assert_eq!(directions.shape(), (dense.columns, dense.columns - rank));
                assert!(space.verify_product(&a, &point, &right, 1).unwrap());
                assert!(space.verify_nullspace(&a, &directions, 1).unwrap());
            }
            Solution::None => panic!("{file}: the right side is in the image"),
        }
    }
}

#[test]
fn exact_determinants_of_linbox_files() {
    let Some(folder) = folder() else { return };
    // By Bareiss' elimination in another language.
    for (file, expected) in [("rk9_7_10.sms", -6_041_130_924_003_840_i64), ("fib25.sms", 15_600)] {
        let dense = read::<BigInt>(Source::open(folder.join(file)).unwrap()).unwrap();
        let found = determinant(&Device::host(), dense.rows, &dense.entries, Certainty::Proved).unwrap();
        assert_eq!(found.value, BigInt::from(expected), "{file}");
        assert!(check(dense.rows, &dense.entries, &found.value, 5).is_ok(), "{file}");
    }
}
