//! The commands that are run with faults, and the files that they read.

use std::fmt::Display;
use std::path::Path;

/// How near a result must come to the one without a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// The same bytes.
    Exact,
    /// Numbers of 53 bits.
    Double,
    /// Numbers of 24 bits.
    Single,
    /// No result, but a message that there is none, and exit status 2.
    Answer,
}

use Precision::{Answer, Double, Exact, Single};

/// A command line, after the name of the program; it writes to standard output or to [`RESULT`].
pub(crate) struct Case {
    pub(crate) line: &'static str,
    pub(crate) precision: Precision,
}

/// The file of results that are not written to standard output.
pub(crate) const RESULT: &str = "result.npy";

impl Case {
    /// The seed of its first fault, by its line alone (FNV-1a: Fowler, Noll, Vo): other cases do not change its faults.
    pub(crate) fn seed(&self) -> u64 {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.line.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }

    /// Whether the case is one of a command, which may be followed by the options that it must have.
    pub(crate) fn is_of(&self, command: &str) -> bool {
        let (command, options) = command.split_once(" --").map_or((command, None), |(c, o)| (c, Some(o)));
        self.line.strip_prefix(command).is_some_and(|rest| rest.starts_with(' '))
            && options.is_none_or(|options| self.line.contains(options))
    }
}

const fn case(line: &'static str, precision: Precision) -> Case {
    Case { line, precision }
}

/// Every command with a result, with every option that chooses how it is computed; lengths are small, as each line is run some twenty
/// times.
pub(crate) const CASES: &[Case] = &[
    case("spectrum walsh integers.txt", Exact),
    case("spectrum walsh integers.txt --order sequency --batch 64 -o result.npy", Exact),
    case("spectrum walsh long.txt --type i32 --wrap --algorithm constant-geometry --order sequency", Exact),
    case("spectrum walsh multiples.txt --inverse --type i64 --algorithm cooley-tukey", Exact),
    case("spectrum walsh reals.txt --type f64", Double),
    case("spectrum walsh reals.txt --type f32 --order dyadic", Single),
    case("spectrum reed-muller bits.txt --inverse --batch 64 --algorithm constant-geometry", Exact),
    case("spectrum reed-muller bits.txt --polarity 5 --order reversed --algorithm cooley-tukey -o result.npy", Exact),
    case("spectrum reed-muller words.txt --packed", Exact),
    case("spectrum arithmetic integers.txt --polarity 5 --type i64 --algorithm cooley-tukey", Exact),
    case("spectrum arithmetic integers.txt --inverse --type i32 --wrap", Exact),
    case("spectrum arithmetic reals.txt --type f64 --order reversed --batch 64", Double),
    case("spectrum arithmetic reals.txt --type f32 --algorithm constant-geometry", Single),
    case("spectrum haar integers.txt --type i64 --batch 64", Exact),
    case("spectrum haar long.txt --type i32 --wrap", Exact),
    case("spectrum haar multiples.txt --inverse --order in-place -o result.npy", Exact),
    case("spectrum haar reals.txt --normalization orthonormal --type f64", Double),
    case("spectrum haar reals.txt --normalization equal-energy --type f32", Single),
    case("spectrum polarities bits.txt", Exact),
    case("spectrum polarities integers.txt --arithmetic --all", Exact),
    case("spectrum ntt residues.txt --modulus 12289", Exact),
    case("spectrum ntt residues.txt --modulus 18446744069414584321 --order bit-reversed -o result.npy", Exact),
    case("spectrum ntt residues.txt --modulus 4611686018326724609 --batch 64", Exact),
    case("spectrum ntt residues.txt --modulus 12289 --negacyclic --inverse", Exact),
    case("spectrum fourier reals.txt --real", Double),
    case("spectrum fourier complex.txt --single", Single),
    case("spectrum fourier complex.txt --group 3,4,5 --inverse", Double),
    case("spectrum fourier residues.txt --modulus 12289", Exact),
    case("spectrum fourier septenary.txt --group 3^4 --modulus 7 -o result.npy", Exact),
    case("spectrum fourier reals.txt --real --convolve reals.txt", Double),
    case("spectrum kronecker integers.txt --product walsh^8 --type i64", Exact),
    case("spectrum kronecker dozens.txt --product h12xarith^3 --type i32 --wrap", Exact),
    case("spectrum kronecker reals.txt --product walsh^4xrm^4 --type f64 --transpose", Double),
    case("spectrum kronecker reals.txt --product walsh^4xid16 --type f32", Single),
    case("spectrum kronecker complex.txt --product dft3xdft4xdft5 --complex", Double),
    case("spectrum kronecker residues.txt --product dft4^4 --modulus 12289 --inverse -o result.npy", Exact),
    case("characters 4,6 --exponents", Exact),
    case("characters 2,3,4 --algorithm kronecker --type f64", Double),
    case("characters 4,6 --algorithm direct --rows 3..20 --columns 5..24 --exponents", Exact),
    case("characters 4,6 --type f32", Single),
    case("characters 4,6 --modulus 13 -o result.npy", Exact),
    case("boolean info function.txt", Exact),
    case("boolean spectrum function.txt", Exact),
    case("boolean anf function.txt", Exact),
    case("boolean report function.txt", Exact),
    case("boolean autocorrelation function.txt", Exact),
    case("sbox info sbox.txt", Exact),
    case("sbox report sbox.txt", Exact),
    case("sbox lat sbox.txt", Exact),
    case("sbox lat sbox.txt --rows 5..40", Exact),
    case("sbox ddt sbox.txt", Exact),
    case("sbox ddt sbox.txt --rows 5..40", Exact),
    case("sbox boomerang sbox.txt", Exact),
    case("sbox boomerang sbox.txt --rows 5..40", Exact),
    case("sbox compare sboxes.txt", Exact),
    case("sbox compare sboxes.txt --best 3", Exact),
    case("poly mul residues.txt residues.txt --modulus 9001 --algorithm plain", Exact),
    case("poly mul residues.txt small.txt --modulus 18446744069414584321 --algorithm plain", Exact),
    case("poly mul residues.txt small.txt --modulus 9001 --algorithm two-phase --x 8", Exact),
    case("poly mul residues.txt residues.txt --modulus 4611686018326724609 --algorithm two-phase", Exact),
    case("poly mul residues.txt small.txt --modulus 9001 --algorithm transform", Exact),
    case("poly mul residues.txt residues.txt --modulus 12289 --algorithm transform -o result.npy", Exact),
    case("poly mul residues.txt residues.txt --modulus 18446744069414584321 --algorithm transform", Exact),
    case("poly mul septenary.txt septenary.txt --modulus 7 --algorithm transform", Exact),
    case("poly div residues.txt small.txt --modulus 9001", Exact),
    case("poly div residues.txt small.txt --modulus 9001 --only quotient -o result.npy", Exact),
    case("poly div residues.txt small.txt --modulus 9001 --only remainder", Exact),
    case("poly gcd residues.txt small.txt --modulus 9001", Exact),
    case("poly xgcd residues.txt small.txt --modulus 9001", Exact),
    case("poly xgcd residues.txt small.txt --modulus 9001 --only gcd", Exact),
    case("poly xgcd residues.txt small.txt --modulus 9001 --only s", Exact),
    case("poly xgcd residues.txt small.txt --modulus 9001 --only t", Exact),
    case("poly resultant residues.txt small.txt --modulus 9001", Exact),
    case("poly discriminant short.txt --modulus 9001", Exact),
    case("poly inverse small.txt residues.txt --modulus 9001", Exact),
    case("poly inverse multiple.txt modulus.txt --modulus 9001", Answer),
    case("poly roots short.txt --modulus 9001", Exact),
    case("poly factor short.txt --modulus 9001", Exact),
    case("poly pow short.txt --exponent 5 --modulus 9001", Exact),
    case("poly pow septenary.txt --exponent 3 --modulus 7 -o result.npy", Exact),
    case("poly compose short.txt linear.txt --modulus 9001", Exact),
    case("poly compose short.txt short.txt --modulus 9001 -o result.npy", Exact),
    case("poly shift residues.txt --by 5 --modulus 9001", Exact),
    case("poly shift septenary.txt --by 3 --modulus 7 -o result.npy", Exact),
    case("poly series inverse one.txt --terms 70 --modulus 9001 -o result.npy", Exact),
    case("poly series quotient short.txt one.txt --terms 70 --modulus 9001", Exact),
    case("poly series log one.txt --terms 70 --modulus 9001", Exact),
    case("poly series exp none.txt --terms 70 --modulus 9001", Exact),
    case("poly series sqrt one.txt --terms 70 --modulus 9001", Exact),
    case("poly series inverse-sqrt one.txt --terms 70 --modulus 9001", Exact),
    case("poly series reversion none.txt --terms 20 --modulus 9001", Exact),
    case("poly series log short.txt --terms 9 --modulus 9001", Answer),
    case("poly eval residues.txt points.txt --modulus 9001", Exact),
    case("poly interpolate points.txt small.txt --modulus 9001 -o result.npy", Exact),
    case("poly interpolate repeated.txt small.txt --modulus 9001", Answer),
    case("bivariate resultant system.txt --modulus 469762049 --eliminate second", Exact),
    case("bivariate resultant system.txt --modulus 469762049 --eliminate first -o result.npy", Exact),
    case("bivariate resultant system.txt --exact", Exact),
    case("bivariate solve system.txt --modulus 469762049", Exact),
    case("bivariate solve system.txt --exact", Exact),
    case("bivariate report system.txt --modulus 251", Exact),
    case("matrix det square.txt --modulus 469762049", Exact),
    case("matrix det integral.txt --exact", Exact),
    case("matrix det integral.txt --exact --probable 64", Exact),
    case("matrix det real.txt --real --pivoting partial", Double),
    case("matrix det real.txt --real --pivoting first", Double),
    case("matrix det real.txt --real --pivoting closest-to-one", Double),
    case("matrix det real.txt --real --pivoting complete", Double),
    case("matrix rank deficient.txt --modulus 7919", Exact),
    case("matrix rank deficient.txt --exact", Exact),
    case("matrix rank fractions.txt --exact", Exact),
    case("matrix inverse square.txt --modulus 469762049", Exact),
    case("matrix inverse deficient.txt --modulus 7919", Answer),
    case("matrix inverse singular-bits.txt --modulus 2", Answer),
    case("matrix inverse fractions.txt --exact", Exact),
    case("matrix inverse deficient.txt --exact", Answer),
    case("matrix nullspace wide.txt --modulus 7919", Exact),
    case("matrix nullspace wide.txt --exact", Exact),
    case("matrix charpoly square.txt --modulus 7919 -o result.npy", Exact),
    case("matrix charpoly fractions.txt --exact", Exact),
    case("matrix minpoly square.txt --modulus 7919 -o result.npy", Exact),
    case("matrix minpoly scalar.txt --modulus 7919", Exact),
    case("matrix minpoly fractions.txt --exact", Exact),
    case("matrix lu square.txt --modulus 469762049", Exact),
    case("matrix lu deficient.txt --modulus 7919", Exact),
    case("matrix lu singular-bits.txt --modulus 2", Exact),
    case("matrix pluq wide.txt --modulus 7919", Exact),
    case("matrix pluq singular-bits.txt --modulus 2", Exact),
    case("matrix rref deficient.txt --modulus 7919", Exact),
    case("matrix rref singular-bits.txt --modulus 2", Exact),
    case("matrix image deficient.txt --modulus 7919 -o result.npy", Exact),
    case("matrix hermite digits.txt --exact", Exact),
    case("matrix hermite deficient.txt --transforms", Exact),
    case("matrix smith digits.txt --exact", Exact),
    case("matrix smith wide.txt --transforms", Exact),
    case("matrix solve square.txt sides.txt --modulus 469762049", Exact),
    case("matrix solve deficient.txt sides.txt --modulus 7919", Exact),
    case("matrix solve fractions.txt sides.txt --exact", Exact),
    case("matrix solve wide.txt sides.txt --exact", Exact),
    case("matrix solve deficient.txt sides.txt --exact", Exact),
    case("matrix mul square.txt wide.txt --modulus 4611686018326724609", Exact),
    case("semiring product integral.txt integral.txt --semiring plus-times --wrap", Exact),
    case("semiring product square.txt wide.txt --semiring min-plus --type i32", Exact),
    case("semiring product square.txt wide.txt --semiring max-plus --wrap", Exact),
    case("semiring product real.txt real.txt --semiring max-min --type f32", Exact),
    case("semiring product square.txt wide.txt --semiring min-max", Exact),
    case("semiring product square.txt wide.txt --semiring or-and", Exact),
    case("semiring product real.txt real.txt --semiring max-times --type f64", Exact),
    case("semiring product square.txt wide.txt --semiring max-plus --arg", Exact),
    case("semiring product square.txt wide.txt --semiring plus-times --type i32", Exact),
    case("semiring plan plan.txt", Exact),
    case("semiring plan plan.txt --accesses", Exact),
    case("semiring plan plan.txt --stored --type i32", Exact),
    case("semiring plan plan.txt --wrap", Exact),
    case("semiring plan plan.txt --html page.html", Exact),
    case("semiring plan real-plan.txt --type f64", Exact),
    case("semiring plan real-plan.txt --type f32", Exact),
    case("maxplus star arcs.txt", Exact),
    case("maxplus star arcs.txt --type i32 --algorithm push", Exact),
    case("maxplus star arcs.txt --algorithm pull --type f64", Double),
    case("maxplus star arcs.txt --algorithm substitution", Exact),
    case("maxplus star circuits.txt --algorithm closure --type f32", Single),
    case("maxplus star circuits.txt", Exact),
    case("maxplus star lengths.txt --algebra min-plus", Exact),
    case("maxplus star arcs.txt --algebra boolean", Exact),
    case("maxplus variants plan.csv --count 64 --spread 50", Exact),
    case("maxplus schedule plan.csv", Exact),
    case("maxplus report plan.csv", Exact),
    case("maxplus cycle-mean square.txt", Exact),
    case("maxplus simulate square.txt", Exact),
    case("sort numbers long.txt --type i64", Exact),
    case("sort numbers reals.txt --type f64", Exact),
    case("sort numbers residues.txt --type u64", Exact),
    case("sort sparse lists.txt --by gray", Exact),
    case("sort sparse lists.txt --width 200 --descending", Exact),
    case("sort text integers.txt", Exact),
    case("sort text integers.txt --descending --places", Exact),
    case("sort numbers reals.txt --type f32 --descending --places", Exact),
    case("sort numbers integers.txt --type i32 --first 40 -o result.npy", Exact),
    case("sparse multiply sparse.sms residues.txt --modulus 9001", Exact),
    case("sparse multiply sparse.sms residues.txt --modulus 4611686018326724609 -o result.npy", Exact),
    case("sparse multiply sparse.sms reals.txt", Double),
    case("sparse multiply sparse.sms reals.txt --orders orders.json", Double),
    case("sparse reorder sparse.sms --method brgc", Exact),
    case("sparse reorder sparse.sms --orders result.json", Exact),
    case("sparse info sparse.sms", Exact),
    case("sparse misses sparse.sms", Exact),
    case("sparse report sparse.sms", Exact),
    case("code split residues.txt --data 3 --parity 2", Exact),
    case("code join part1 part3 part4 -o result.npy", Exact),
];

/// Writes the files that the cases read.
pub(crate) fn write_files(folder: &Path) {
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    write("integers.txt", text(drawn(256, 1).map(|x| x as i64 % 500)));
    write(
        "plan.txt",
        "A = matrix square.txt\nB = map A: min(a, 50) - x\nC = product min-plus A B\nD = map A C: a + b * 2 - y\noutput D\n\
         S = max rows C\noutput S\n"
            .to_owned(),
    );
    write(
        "real-plan.txt",
        "A = matrix real.txt\nT = transpose A\nC = product max-plus A T\nS = sum columns C\noutput S\noutput C\n"
            .to_owned(),
    );
    write("long.txt", text(drawn(4096, 2).map(|x| x as i64 % 100_000)));
    write("multiples.txt", text(drawn(256, 3).map(|x| x as i64 % 500 * 256)));
    write("dozens.txt", text(drawn(192, 4).map(|x| x as i64 % 500)));
    write("reals.txt", text(drawn(256, 5).map(|x| (x as i64 % 10_000) as f64 / 1024.0)));
    write("complex.txt", text(drawn(240, 6).map(|x| (x as i64 % 10_000) as f64 / 1024.0)));
    write("bits.txt", text(drawn(256, 7).map(|x| x >> 63)));
    write("words.txt", text(drawn(16, 8).map(|x| format!("{x:#x}"))));
    write("function.txt", drawn(256, 9).map(|x| (x >> 63).to_string()).collect());
    write("residues.txt", text(drawn(256, 10).map(|x| x % 9000)));
    write("system.txt", "x^3*y - 2*y^4 + x^2 - 7\ny^3*x^2 + 3*x*y - x^3 + 5\n".to_owned());
    write("small.txt", text(drawn(100, 11).map(|x| x % 9000)));
    write("short.txt", text(drawn(20, 14).map(|x| x % 9000)));
    write("square.txt", matrix(drawn(64, 16).map(|x| x % 7919), 8));
    // Every row twice.
    let rows: Vec<u64> = drawn(32, 21).map(|x| x % 7919).collect();
    write("deficient.txt", matrix(rows.iter().chain(&rows), 8));
    // A graph without circuits, one whose circuits weigh less than 0, one of lengths.
    let arc =
        |i: usize, x: u64| if x.is_multiple_of(3) || i % 12 >= i / 12 { "-inf".into() } else { (x % 50).to_string() };
    write("arcs.txt", matrix(drawn(144, 26).enumerate().map(|(i, x)| arc(i, x)), 12));
    write("circuits.txt", matrix(drawn(64, 27).map(|x| -((x % 50) as i64)), 8));
    write("lengths.txt", matrix(drawn(64, 28).map(|x| x % 50), 8));
    let task = |i: u64, x: u64| if i == 0 { "0,5".into() } else { format!("{i},{},{};{}:SS+1", x % 20, x % i, i / 2) };
    write("plan.csv", text(drawn(15, 29).zip(0..).map(|(x, i)| task(i, x))));
    write("wide.txt", matrix(drawn(80, 17).map(|x| x % 7919), 10));
    write("sides.txt", matrix(drawn(16, 18).map(|x| x % 7919), 2));
    write("digits.txt", matrix(drawn(64, 30).map(|x| x as i64 % 10), 8));
    write("scalar.txt", matrix((0..64).map(|e| if e % 9 == 0 { 5 } else { 0 }), 8));
    write("integral.txt", matrix(drawn(64, 19).map(|x| x as i64 >> 8), 8));
    write("real.txt", matrix(drawn(64, 20).map(|x| (x as i64 % 10_000) as f64 / 1024.0), 8));
    let fractions = drawn(64, 25).zip(1..).map(|(x, i)| format!("{}/{}", x as i64 % 100, i % 5 + 1));
    write("fractions.txt", matrix(fractions, 8));
    write("points.txt", text((0..100).map(|i| 3 * i + 1)));
    // The last point is the first one again.
    write("repeated.txt", text((0..99).chain([0]).map(|i| 3 * i + 1)));
    // x - 1 times a polynomial of 100 coefficients, and times one of 200.
    let times_linear = |f: Vec<u64>| -> Vec<u64> {
        let at = |i: usize| f.get(i).copied().unwrap_or(0);
        (0..=f.len()).map(|i| (i.checked_sub(1).map_or(0, at) + 9001 - at(i)) % 9001).collect()
    };
    write("multiple.txt", text(times_linear(drawn(100, 22).map(|x| x % 9000).collect()).into_iter()));
    write("modulus.txt", text(times_linear(drawn(200, 23).map(|x| x % 9000).collect()).into_iter()));
    // The last row is the sum of the first two.
    let bits: Vec<u64> = drawn(90, 24).map(|x| x >> 63).collect();
    let sum = (0..10).map(|j| bits[j] ^ bits[10 + j]);
    write("singular-bits.txt", matrix(bits.iter().copied().chain(sum), 10));
    // Rows of up to 30 non-zeros, and one of all columns.
    let mut entries: std::collections::BTreeMap<(u64, u64), u64> =
        drawn(2000, 16).map(|x| (((x >> 40) % 130 + 1, (x >> 20) % 256 + 1), x % 4000 + 1)).collect();
    entries.extend((1..=256).map(|column| ((77, column), column)));
    let lines = entries.into_iter().map(|((row, column), value)| format!("{row} {column} {value}"));
    write("lists.txt", text((0..200).map(|i| format!("{} {}", i * i % 61, 61 + i % 7))));
    write("sparse.sms", text(["130 256 M".to_owned()].into_iter().chain(lines).chain(["0 0 0".to_owned()])));
    let order = |len: usize| (0..len).rev().map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    write("orders.json", format!("{{\"rows\":[{}],\"columns\":[{}]}}", order(130), order(256)));
    let file: Vec<u8> = drawn(300, 15).map(|x| x as u8).collect();
    let parts = manycore::codes::split(&manycore::Device::host(), &file, 3, 2).unwrap();
    for (index, part) in parts.iter().enumerate() {
        std::fs::write(folder.join(format!("part{index}")), part).unwrap();
    }
    // Power series with the constant term 1, and with 0 and a term in x.
    let series = |first: u64, seed| text([first, 1].into_iter().chain(drawn(50, seed).map(|x| x % 9001)));
    write("one.txt", series(1, 30));
    write("none.txt", series(0, 31));
    write("linear.txt", text([5, 3].into_iter()));
    write("septenary.txt", text(drawn(162, 12).map(|x| x % 7)));
    // A permutation of 6 bits, sorted by drawn keys.
    let mut outputs: Vec<(u64, usize)> = drawn(64, 13).zip(0..).collect();
    outputs.sort_unstable();
    let outputs = text(outputs.into_iter().map(|(_, output)| output));
    // The same as one line, and S-boxes of other shapes.
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let others = (40..45).map(|seed| line(&text(drawn(32, seed).map(|x| x % 32))));
    write("sboxes.txt", text([line(&outputs)].into_iter().chain(others)));
    write("sbox.txt", outputs);
}

/// Numbers without a pattern, by the multipliers of `SplitMix64` (Steele, Lea, Flood 2014).
fn drawn(count: u64, seed: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |i| {
        let z = ((seed << 32) + i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 27)
    })
}

/// A row of so many values a line.
fn matrix(values: impl Iterator<Item = impl Display>, columns: usize) -> String {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    values.chunks(columns).map(|row| row.join(" ") + "\n").collect()
}

/// One value a line.
fn text(values: impl Iterator<Item = impl Display>) -> String {
    values.flat_map(|value| [value.to_string(), "\n".to_owned()]).collect()
}
