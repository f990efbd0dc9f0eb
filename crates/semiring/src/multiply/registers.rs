//! Generalized products of known operations on the host: tiles of sums in vector registers, factors packed side by side (Goto and
//! van de Geijn, "Anatomy of high-performance matrix multiplication", 2008). Each sum runs in the order of the inner index, one
//! product after the other: the bits are those of the definition.

use manycore_device::HostPool;
use manycore_expressions::{Column, ColumnMut, Scalar, WordsMut};

use super::form::ProductShape;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::Operand;
use crate::ready::{Known, known};

/// Entries of the inner index that are packed of a panel of the right factor.
const DEPTH: usize = 128;
/// Rows that a thread takes at a time.
const BAND: usize = 64;

/// A product that has entries, of stored operands; `false` where the operations or operands have no such form.
pub(crate) fn product(
    pool: &HostPool,
    (algebra, shape): (&Algebra, ProductShape),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<bool, SemiringError> {
    let (Some((kind, _)), Operand::Stored(a), Operand::Stored(b), [out]) = (known(algebra), a, b, out) else {
        return Ok(false);
    };
    let ([a], [b]) = (&a[..], &b[..]) else { return Ok(false) };
    let (a, b, out) = (a.host()?, b.host()?, out.reborrow().into_host()?);
    pool.step("semiring_product", shape.bytes(algebra), shape.pairs(), || {
        macro_rules! dispatch {
            ($($name:ident $word:ty: $rows:literal x $width:literal, $($kind:ident)*;)*) => {
                match (kind, a, b, out) {
                    $($((Known::$kind, Column::$name(a), Column::$name(b), ColumnMut::$name(out)) => {
                        let zero = Scalar::from_bits(algebra.zero[0]);
                        all::<$word, $kind, $rows, $width>(pool, Task { shape, zero }, (a, b), out);
                        true
                    })*)*
                    _ => false,
                }
            };
        }
        Ok(dispatch! {
            // Rows and columns of a tile: 16 of the widest vectors for its sums, and rows long enough that the compiler keeps
            // the loop over a row's words and makes vectors of it.
            I16 i16: 8 x 64, PlusTimes MaxPlus MinPlus MaxMin MinMax;
            I32 i32: 4 x 64, PlusTimes MaxPlus MinPlus MaxMin MinMax;
            I64 i64: 2 x 64, PlusTimes MaxPlus MinPlus MaxMin MinMax;
            F32 f32: 4 x 64, PlusTimes MaxPlus MinPlus MaxMin MinMax;
            F64 f64: 2 x 64, PlusTimes MaxPlus MinPlus MaxMin MinMax;
            U16 u16: 8 x 64, PlusTimes OrAnd;
            U32 u32: 4 x 64, PlusTimes OrAnd;
            U64 u64: 2 x 64, PlusTimes OrAnd;
            U8 u8: 8 x 64, OrAnd;
        })
    })
}

/// A sum and the next product.
trait Step<T> {
    fn step(sum: T, a: T, b: T) -> T;
}

struct PlusTimes;
struct MaxPlus;
struct MinPlus;
struct MaxMin;
struct MinMax;
struct OrAnd;

macro_rules! steps {
    ($($word:ty: $add:expr, $multiply:expr;)*) => {$(
        impl Step<$word> for PlusTimes {
            #[inline(always)]
            fn step(sum: $word, a: $word, b: $word) -> $word {
                $add(sum, $multiply(a, b))
            }
        }

        impl Step<$word> for MaxPlus {
            #[inline(always)]
            fn step(sum: $word, a: $word, b: $word) -> $word {
                let product = $add(a, b);
                if product > sum { product } else { sum }
            }
        }

        impl Step<$word> for MinPlus {
            #[inline(always)]
            fn step(sum: $word, a: $word, b: $word) -> $word {
                let product = $add(a, b);
                if product < sum { product } else { sum }
            }
        }

        impl Step<$word> for MaxMin {
            #[inline(always)]
            fn step(sum: $word, a: $word, b: $word) -> $word {
                let product = if b < a { b } else { a };
                if product > sum { product } else { sum }
            }
        }

        impl Step<$word> for MinMax {
            #[inline(always)]
            fn step(sum: $word, a: $word, b: $word) -> $word {
                let product = if b > a { b } else { a };
                if product < sum { product } else { sum }
            }
        }
    )*};
}

macro_rules! wrapping {
    ($($word:ty)*) => { steps! { $($word: <$word>::wrapping_add, <$word>::wrapping_mul;)* } };
}

wrapping! { i16 i32 i64 u16 u32 u64 }
steps! { f32: std::ops::Add::add, std::ops::Mul::mul; f64: std::ops::Add::add, std::ops::Mul::mul; }

macro_rules! bits {
    ($($word:ty)*) => {$(
        impl Step<$word> for OrAnd {
            #[inline(always)]
            fn step(sum: $word, a: $word, b: $word) -> $word {
                sum | (a & b)
            }
        }
    )*};
}

bits! { u8 u16 u32 u64 }

/// Sizes of a product, and the sum of nothing.
#[derive(Clone, Copy)]
struct Task<T> {
    shape: ProductShape,
    zero: T,
}

/// The whole product by all threads: panels of the right factor first, then bands of rows.
fn all<T: Scalar, K: Step<T>, const ROWS: usize, const WIDTH: usize>(
    pool: &HostPool,
    task: Task<T>,
    (a, b): (&[T], &[T]),
    out: &mut [T],
) {
    let ProductShape { inner, columns, .. } = task.shape;
    let team = pool.team().only_if(task.shape.pairs() > 1 << 18);
    if inner == 0 || columns == 0 {
        out.fill(task.zero);
        return;
    }
    let mut panels = vec![[task.zero; WIDTH]; columns.div_ceil(WIDTH) * inner];
    team.each(panels.chunks_mut(inner).enumerate(), |(number, panel)| {
        let first = number * WIDTH;
        let width = WIDTH.min(columns - first);
        for (line, from) in panel.iter_mut().zip(b.chunks_exact(columns)) {
            line[..width].copy_from_slice(&from[first..first + width]);
        }
    });
    let level = Level::widest();
    team.each_with(out.chunks_mut(BAND * columns).enumerate(), Vec::new, |packed, (number, lines)| {
        let rows = &a[number * BAND * inner..][..lines.len() / columns * inner];
        level.band::<T, K, ROWS, WIDTH>(task, rows, &panels, lines, packed);
    });
}

/// A band of rows of the product; `packed` is memory for the left factor's tiles.
#[inline(always)]
fn band<T: Scalar, K: Step<T>, const ROWS: usize, const WIDTH: usize>(
    task: Task<T>,
    rows: &[T],
    panels: &[[T; WIDTH]],
    lines: &mut [T],
    packed: &mut Vec<[T; ROWS]>,
) {
    let ProductShape { inner, columns, .. } = task.shape;
    let count = lines.len() / columns;
    packed.clear();
    for tile in (0..count).step_by(ROWS) {
        // Rows past the end repeat the last row, and their sums are dropped.
        let line = |row: usize| &rows[(tile + row).min(count - 1) * inner..][..inner];
        let of: [&[T]; ROWS] = std::array::from_fn(line);
        packed.extend((0..inner).map(|k| std::array::from_fn(|row| of[row][k])));
    }
    for (number, panel) in panels.chunks_exact(inner).enumerate() {
        let first = number * WIDTH;
        let width = WIDTH.min(columns - first);
        for from in (0..inner).step_by(DEPTH) {
            let to = inner.min(from + DEPTH);
            for (tile, left) in packed.chunks_exact(inner).enumerate() {
                let places = (tile * ROWS..count.min((tile + 1) * ROWS)).map(|row| row * columns + first);
                let mut sums = [[task.zero; WIDTH]; ROWS];
                if from > 0 {
                    for (sums, place) in sums.iter_mut().zip(places.clone()) {
                        sums[..width].copy_from_slice(&lines[place..place + width]);
                    }
                }
                add::<T, K, ROWS, WIDTH>(&mut sums, &left[from..to], &panel[from..to]);
                for (sums, place) in sums.iter().zip(places) {
                    lines[place..place + width].copy_from_slice(&sums[..width]);
                }
            }
        }
    }
}

/// Products of a tile, one inner index after the other.
#[inline(always)]
fn add<T: Scalar, K: Step<T>, const ROWS: usize, const WIDTH: usize>(
    sums: &mut [[T; WIDTH]; ROWS],
    left: &[[T; ROWS]],
    right: &[[T; WIDTH]],
) {
    let mut own = *sums;
    for (left, right) in left.iter().zip(right) {
        for (own, &a) in own.iter_mut().zip(left) {
            for (sum, &b) in own.iter_mut().zip(right) {
                *sum = K::step(*sum, a, b);
            }
        }
    }
    *sums = own;
}

/// An instruction set that this processor has, so a value can only be made after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// What every processor has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// F, BW, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The widest one of this processor.
    fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Portable
    }

    /// [`band`], compiled for this instruction set.
    fn band<T: Scalar, K: Step<T>, const ROWS: usize, const WIDTH: usize>(
        self,
        task: Task<T>,
        rows: &[T],
        panels: &[[T; WIDTH]],
        lines: &mut [T],
        packed: &mut Vec<[T; ROWS]>,
    ) {
        match self {
            Self::Portable => band::<T, K, ROWS, WIDTH>(task, rows, panels, lines, packed),
            // SAFETY: a level exists only if the processor has its instruction set.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { band_avx2::<T, K, ROWS, WIDTH>(task, rows, panels, lines, packed) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { band_avx512::<T, K, ROWS, WIDTH>(task, rows, panels, lines, packed) },
        }
    }
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn band_avx2<T: Scalar, K: Step<T>, const ROWS: usize, const WIDTH: usize>(
    task: Task<T>,
    rows: &[T],
    panels: &[[T; WIDTH]],
    lines: &mut [T],
    packed: &mut Vec<[T; ROWS]>,
) {
    band::<T, K, ROWS, WIDTH>(task, rows, panels, lines, packed);
}

/// # Safety
/// The processor has AVX-512 F, BW, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn band_avx512<T: Scalar, K: Step<T>, const ROWS: usize, const WIDTH: usize>(
    task: Task<T>,
    rows: &[T],
    panels: &[[T; WIDTH]],
    lines: &mut [T],
    packed: &mut Vec<[T; ROWS]>,
) {
    band::<T, K, ROWS, WIDTH>(task, rows, panels, lines, packed);
}
