//! The commands that are waited for, each in three sizes, and the files that they read.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use manycore_files::{NpyNumber, write_npy, write_npy_matrix};

/// A command with its input.
pub(crate) struct Case {
    /// The name, which filters match.
    pub(crate) name: &'static str,
    /// Three sizes: a job of milliseconds, one that users have daily, and a large one.
    pub(crate) sizes: [usize; 3],
    /// The arguments after the program's name, without the device and the result's file.
    pub(crate) line: &'static str,
    /// Whether the result is an array, which goes to a `.npy` file.
    pub(crate) is_array: bool,
    /// Writes the files that the command reads.
    pub(crate) files: fn(&Path, usize) -> io::Result<()>,
}

/// `469762049`, which has roots of unity.
const P: u64 = 469_762_049;

/// Every command that is waited for.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "spectrum walsh",
        sizes: [1 << 2, 1 << 16, 1 << 24],
        line: "spectrum walsh x.npy --type i32 --wrap",
        is_array: true,
        files: |folder, n| vector(folder, "x.npy", n, |x| (x >> 40) as i32 % 500),
    },
    Case {
        name: "spectrum haar",
        sizes: [1 << 2, 1 << 16, 1 << 24],
        line: "spectrum haar x.npy --type f32",
        is_array: true,
        files: |folder, n| vector(folder, "x.npy", n, |x| (x >> 40) as f32),
    },
    Case {
        name: "spectrum ntt",
        sizes: [1 << 8, 1 << 16, 1 << 24],
        line: "spectrum ntt x.npy --modulus 469762049",
        is_array: true,
        files: |folder, n| vector(folder, "x.npy", n, residue),
    },
    Case {
        name: "spectrum fourier",
        sizes: [1 << 8, 1 << 16, 1 << 22],
        line: "spectrum fourier x.npy --real",
        is_array: true,
        files: |folder, n| vector(folder, "x.npy", n, |x| (x >> 40) as f64),
    },
    Case {
        name: "poly mul",
        sizes: [1 << 8, 1 << 14, 1 << 20],
        line: "poly mul a.npy b.npy --modulus 469762049",
        is_array: true,
        files: two_polynomials,
    },
    Case {
        name: "poly div",
        sizes: [1 << 8, 1 << 14, 1 << 20],
        line: "poly div a.npy b.npy --modulus 469762049 --only remainder",
        is_array: true,
        files: |folder, n| {
            vector(folder, "a.npy", 2 * n, residue)?;
            vector(folder, "b.npy", n, |x| residue(x ^ 0x5555))
        },
    },
    Case {
        name: "poly gcd",
        sizes: [1 << 8, 1 << 14, 1 << 17],
        line: "poly gcd a.npy b.npy --modulus 469762049",
        is_array: true,
        files: two_polynomials,
    },
    Case {
        name: "poly eval",
        sizes: [1 << 8, 1 << 12, 1 << 16],
        line: "poly eval a.npy b.npy --modulus 469762049",
        is_array: true,
        files: two_polynomials,
    },
    Case {
        name: "poly factor",
        sizes: [1 << 4, 1 << 6, 1 << 8],
        line: "poly factor a.npy --modulus 469762049",
        is_array: false,
        files: |folder, n| vector(folder, "a.npy", n, residue),
    },
    Case {
        name: "matrix mul",
        sizes: [64, 512, 2048],
        line: "matrix mul a.npy b.npy --modulus 469762049",
        is_array: true,
        files: |folder, n| {
            matrix(folder, "a.npy", n, residue)?;
            matrix(folder, "b.npy", n, |x| residue(x ^ 0x5555))
        },
    },
    Case {
        name: "matrix det",
        sizes: [64, 1000, 2048],
        line: "matrix det a.npy --modulus 469762049",
        is_array: false,
        files: |folder, n| matrix(folder, "a.npy", n, residue),
    },
    Case {
        name: "matrix det --exact",
        sizes: [30, 300, 600],
        line: "matrix det a.npy --exact",
        is_array: false,
        files: |folder, n| matrix(folder, "a.npy", n, |x| (x >> 40) as i64 % 100),
    },
    Case {
        name: "matrix minpoly",
        sizes: [30, 300, 600],
        line: "matrix minpoly a.npy --modulus 469762049",
        is_array: true,
        files: |folder, n| matrix(folder, "a.npy", n, residue),
    },
    Case {
        name: "semiring product max-plus",
        sizes: [64, 512, 2048],
        line: "semiring product a.npy a.npy --semiring max-plus --type i32",
        is_array: false,
        files: |folder, n| matrix(folder, "a.npy", n, |x| (x >> 40) as i32 % 1000),
    },
    Case {
        name: "semiring product min-plus",
        sizes: [64, 512, 2048],
        line: "semiring product a.npy a.npy --semiring min-plus --type f32",
        is_array: false,
        files: |folder, n| matrix(folder, "a.npy", n, |x| (x >> 40) as f32),
    },
    Case {
        name: "maxplus star",
        sizes: [64, 512, 1000],
        line: "maxplus star a.npy --algebra min-plus --type i32",
        is_array: false,
        files: |folder, n| matrix(folder, "a.npy", n, |x| 1 + (x >> 40) as i32 % 1000),
    },
    Case {
        name: "bivariate solve",
        sizes: [4, 10, 20],
        line: "bivariate solve system.txt --modulus 469762049",
        is_array: false,
        files: system,
    },
    Case {
        name: "sort numbers",
        sizes: [1000, 1_000_000, 50_000_000],
        line: "sort numbers x.npy --type i64",
        is_array: true,
        files: |folder, n| vector(folder, "x.npy", n, u64::cast_signed),
    },
    Case {
        name: "sparse multiply",
        sizes: [100, 10_000, 300_000],
        line: "sparse multiply a.sms x.npy --modulus 469762049",
        is_array: true,
        files: sparse,
    },
    Case { name: "sbox lat", sizes: [4, 8, 12], line: "sbox lat sbox.txt", is_array: false, files: sbox },
    Case {
        name: "code split",
        sizes: [1000, 1_000_000, 100_000_000],
        line: "code split x.npy --data 10 --parity 4",
        is_array: false,
        files: |folder, n| vector(folder, "x.npy", n / 8, |x| x),
    },
];

fn residue(x: u64) -> u32 {
    // Below 2^29.
    (x % P) as u32
}

fn two_polynomials(folder: &Path, n: usize) -> io::Result<()> {
    vector(folder, "a.npy", n, residue)?;
    vector(folder, "b.npy", n, |x| residue(x ^ 0x5555))
}

/// Numbers without a pattern, by the multipliers of `SplitMix64` (Steele, Lea, Flood 2014).
fn drawn(count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(|i| {
        let z = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

fn vector<T: NpyNumber>(folder: &Path, name: &str, n: usize, of: impl Fn(u64) -> T) -> io::Result<()> {
    let values: Vec<T> = drawn(n).map(of).collect();
    let mut out = BufWriter::new(File::create(folder.join(name))?);
    write_npy(&mut out, &values)?;
    out.flush()
}

fn matrix<T: NpyNumber>(folder: &Path, name: &str, n: usize, of: impl Fn(u64) -> T) -> io::Result<()> {
    let values: Vec<T> = drawn(n * n).map(of).collect();
    let mut out = BufWriter::new(File::create(folder.join(name))?);
    write_npy_matrix(&mut out, n, n, &values)?;
    out.flush()
}

/// Two polynomials of a degree in both variables together, with all terms.
fn system(folder: &Path, degree: usize) -> io::Result<()> {
    let mut numbers = drawn(degree * degree * 4);
    let mut text = String::new();
    for _ in 0..2 {
        let exponents = (0..=degree).flat_map(|i| (0..=degree - i).map(move |j| (i, j)));
        let terms: Vec<String> =
            exponents.zip(&mut numbers).map(|((i, j), number)| format!("{}*x^{i}*y^{j}", 1 + number % 1000)).collect();
        text += &(terms.join(" + ") + "\n");
    }
    std::fs::write(folder.join("system.txt"), text)
}

/// A square matrix with ten entries a row, and a vector.
fn sparse(folder: &Path, n: usize) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(folder.join("a.sms"))?);
    writeln!(out, "{n} {n} M")?;
    let mut numbers = drawn(20 * n);
    for row in 1..=n {
        let mut columns: Vec<u64> = (&mut numbers).take(10).map(|number| 1 + number % n as u64).collect();
        columns.sort_unstable();
        columns.dedup();
        for column in columns {
            writeln!(out, "{row} {column} {}", 1 + numbers.next().unwrap_or(0) % 1000)?;
        }
    }
    writeln!(out, "0 0 0")?;
    out.flush()?;
    vector(folder, "x.npy", n, residue)
}

/// A permutation of `bits` bits.
fn sbox(folder: &Path, bits: usize) -> io::Result<()> {
    let mut outputs: Vec<(u64, usize)> = drawn(1 << bits).zip(0..).collect();
    outputs.sort_unstable();
    let lines: Vec<String> = outputs.iter().map(|(_, output)| output.to_string()).collect();
    std::fs::write(folder.join("sbox.txt"), lines.join("\n") + "\n")
}
