//! Plain multiplication: products of `x` coefficients each, then a tree of additions.

use super::{Launches, PaperError, checked};
use crate::many_core::{Blocks, Kernel};

/// The product of two polynomials of `n` and `m` coefficients, with `x` coefficients of the second for each thread and
/// blocks of `l` threads (paper 002, Algorithms 11 to 13, corrected). `x = 1` is the naive variant.
///
/// With the longer polynomial first, `x` at most `m`, `c = n + x - 1` and `r = ceil(m / x)`:
///
/// - one `MulKer` on `r` rows of `ceil(c / l)` blocks. A block keeps `l + x - 1` coefficients of the first polynomial and
///   `x` of the second in local memory; a thread makes one sum of `x` products, `2 x - 1` operations. The threads share
///   the reads evenly: two words each where `2 x - 1 <= l`.
/// - `floor(log2 r) + 1` times `AddKer`: call `i` adds the rows `2^i - 1` modulo `2^(i+1)`, `c` sums each, to the result
///   or to another row. A thread does one addition, reads two words and writes one.
///
/// In all `W = 2 x r c` operations, `S = 2 x + floor(log2 r)` and `L = floor(log2 r) + 2`. Where `x` divides `m`, `m / x`
/// is a power of two and `l` divides `c`, these are the corrected formulas (8.2) and (8.3) with `delta = c`: `W = 2 m
/// delta`, `N = 2 m delta / (x l)`, `O = 3 U N` and `C = 2 x - 1 + 3 U`.
///
/// # Errors
/// [`PaperError::Zero`] and [`PaperError::TooLarge`] for any of the four.
pub fn plain_multiplication(n: u64, m: u64, x: u64, l: u64) -> Result<Launches, PaperError> {
    checked(&[("n", n), ("m", m), ("x", x), ("l", l)])?;
    let (columns, rows, x) = table(n, m, x);
    let threads = l as u32;

    // The threads of a row's last block that are past its end do nothing.
    let span = 2 * x - 1;
    let words = l + 2 * x - 1;
    let block = |count, active: u64| Blocks {
        count,
        span,
        work: u128::from(active * span),
        reads: words.div_ceil(l),
        writes: 1,
    };
    let mut launches = Launches::default();
    launches.push(filled(Kernel::new("MulKer", threads).local_words(words), rows, columns, l, block), 1);

    let mut first = 0;
    while first < rows {
        // Rows `first`, `first + 2 (first + 1)`, ...: those with as many trailing ones in their number.
        let added = (rows - first).div_ceil(2 * (first + 1));
        let block = |count, active: u64| Blocks { count, span: 1, work: u128::from(active), reads: 2, writes: 1 };
        launches.push(filled(Kernel::new("AddKer", threads), 1, added * columns, l, block), 1);
        first = 2 * first + 1;
    }
    Ok(launches)
}

/// The words of global memory between `MulKer` and `AddKer`, `ceil(m / x) (n + x - 1)`: the paper's algorithm does not
/// state them, but they decide which sizes it can do at all. A device with 3 GiB has no room for `n = m = 2^15`, `x = 1`.
///
/// # Errors
/// As [`plain_multiplication`].
pub fn intermediate_words(n: u64, m: u64, x: u64) -> Result<u64, PaperError> {
    checked(&[("n", n), ("m", m), ("x", x)])?;
    let (columns, rows, _) = table(n, m, x);
    Ok(columns * rows)
}

/// `c`, `r`, and `x` itself, at most the shorter length.
fn table(n: u64, m: u64, x: u64) -> (u64, u64, u64) {
    let (long, short) = (n.max(m), n.min(m));
    let x = x.min(short);
    (long + x - 1, short.div_ceil(x), x)
}

/// `rows` times as many blocks as `threads` threads need, of `l` each: full ones, and one of what is left.
fn filled(kernel: Kernel, rows: u64, threads: u64, l: u64, block: impl Fn(u64, u64) -> Blocks) -> Kernel {
    let parts = [(rows * (threads / l), l), (rows, threads % l)];
    let some = parts.into_iter().filter(|&(count, active)| count * active > 0);
    some.fold(kernel, |kernel, (count, active)| kernel.blocks(block(count, active)))
}
