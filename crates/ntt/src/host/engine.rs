//! The arithmetic for a prime and a length, and its code for the instruction set that the processor has.
//!
//! What is generic over vectors is compiled here, once for each arithmetic and instruction set, behind one function pointer:
//! a handful of loops that are long enough for the call not to matter.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use manycore_field::simd::vectors::{F64x4, F64x8, U32x8, U32x16, U64x4, U64x8};
use manycore_field::simd::vectors::{Lanes32, Lanes64, LanesF64};
use manycore_field::simd::{Level, Set};
use manycore_field::{self as field, FieldSlices, FloatingPoint, Goldilocks, PrimeField};

use super::block::{Block, Factors};
use super::floating::Floating;
use super::goldilocks::GoldilocksWords;
use super::residues::Residues;
use super::steps::{backward_columns, forward_columns};
use super::tile::{backward_tile, forward_tile, product_tile, right_tile};
use super::word32::Shoup;
use super::word64::ShoupWide;
use crate::Way;

/// The vectors that an engine is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    /// The vectors of a level of the processor; arrays for the portable one.
    Of(Level),
    /// Arrays as wide as the widest vectors.
    #[cfg(test)]
    Imitated,
}

impl Vectors {
    /// Whether fused multiply-adds are instructions, or tested as if they were.
    fn fuse(self) -> bool {
        match self {
            Self::Of(level) => level.set() != Set::Portable,
            #[cfg(test)]
            Self::Imitated => true,
        }
    }
}

/// What one thread does in one go.
#[derive(Debug, Clone)]
pub(super) struct Job<W> {
    pub(super) way: Way,
    pub(super) factors: Factors<W>,
    /// The first of `count` neighbouring blocks of one level.
    pub(super) block: Block<W>,
    pub(super) count: usize,
    pub(super) work: Work<W>,
}

/// What is done on each block of a job.
#[derive(Debug, Clone)]
pub(super) enum Work<W> {
    /// Up to three levels, from the block's own on, on some of the columns of its rows.
    Levels(u32, Range<usize>),
    /// Levels of a whole cyclic forward transform whose upper half counts as zeros.
    HalfLevels(u32, Range<usize>),
    /// All levels; the blocks are tiles.
    Tiles,
    /// All levels forward of right operands of products; the blocks are tiles.
    RightTiles,
    /// All levels forward, products with right operands, and all levels backward by other factors; the blocks are tiles.
    Products {
        /// Where the right operands begin; null for squares.
        right: *const W,
        back: Factors<W>,
    },
}

/// # Safety
/// The instruction set is available, and the values that the job names belong to the caller.
#[inline(always)]
unsafe fn run<A: Residues>(p: A::Word, job: Job<A::Word>) {
    let Job { way, factors, block, count, work } = job;
    let edge = block.level == 0;
    // SAFETY: the caller's; the blocks lie side by side.
    unsafe {
        let a = A::new(p);
        macro_rules! each {
            (|$block:ident| $done:expr) => {
                for i in 0..count {
                    let $block = block.neighbour(i);
                    $done;
                }
            };
        }
        match (way, work) {
            (Way::Forward, Work::Tiles) => each!(|tile| forward_tile(a, factors, tile)),
            (Way::Inverse, Work::Tiles) => each!(|tile| backward_tile(a, factors, tile)),
            (_, Work::RightTiles) => each!(|tile| right_tile(a, factors, tile)),
            (_, Work::Products { right, back }) => {
                for i in 0..count {
                    let right = if right.is_null() { right } else { right.add(i << block.log_len) };
                    product_tile(a, (factors, back), block.neighbour(i), right);
                }
            }
            // Entering a canonical residue that is in that form already changes nothing. Single words are for transforms of a few
            // values, whose factors of 1 are multiplied by.
            (Way::Forward, Work::Levels(levels, columns)) => match (levels, edge, factors.negacyclic) {
                (1, true, false) if A::LOG_LANES > 0 => {
                    forward_columns::<A, 1, true, true, false>(a, factors, block, columns);
                }
                (2, true, false) if A::LOG_LANES > 0 => {
                    forward_columns::<A, 2, true, true, false>(a, factors, block, columns);
                }
                (_, true, false) if A::LOG_LANES > 0 => {
                    forward_columns::<A, 3, true, true, false>(a, factors, block, columns);
                }
                (1, true, _) if A::ENTERS => forward_columns::<A, 1, true, false, false>(a, factors, block, columns),
                (2, true, _) if A::ENTERS => forward_columns::<A, 2, true, false, false>(a, factors, block, columns),
                (_, true, _) if A::ENTERS => forward_columns::<A, 3, true, false, false>(a, factors, block, columns),
                (1, ..) => {
                    each!(|block| forward_columns::<A, 1, false, false, false>(a, factors, block, columns.clone()))
                }
                (2, ..) => {
                    each!(|block| forward_columns::<A, 2, false, false, false>(a, factors, block, columns.clone()))
                }
                _ => {
                    each!(|block| forward_columns::<A, 3, false, false, false>(a, factors, block, columns.clone()))
                }
            },
            (_, Work::HalfLevels(levels, columns)) => match levels {
                1 => forward_columns::<A, 1, true, true, true>(a, factors, block, columns),
                2 => forward_columns::<A, 2, true, true, true>(a, factors, block, columns),
                _ => forward_columns::<A, 3, true, true, true>(a, factors, block, columns),
            },
            (Way::Inverse, Work::Levels(levels, columns)) => match (levels, edge, factors.negacyclic) {
                (1, false, _) => {
                    each!(|block| backward_columns::<A, 1, false, false>(a, factors, block, columns.clone()))
                }
                (2, false, _) => {
                    each!(|block| backward_columns::<A, 2, false, false>(a, factors, block, columns.clone()))
                }
                (_, false, _) => {
                    each!(|block| backward_columns::<A, 3, false, false>(a, factors, block, columns.clone()))
                }
                (1, true, _) => backward_columns::<A, 1, true, false>(a, factors, block, columns),
                (2, true, false) if A::LOG_LANES > 0 => {
                    backward_columns::<A, 2, true, true>(a, factors, block, columns);
                }
                (_, true, false) if A::LOG_LANES > 0 => {
                    backward_columns::<A, 3, true, true>(a, factors, block, columns);
                }
                (2, true, _) => backward_columns::<A, 2, true, false>(a, factors, block, columns),
                (_, true, _) => backward_columns::<A, 3, true, false>(a, factors, block, columns),
            },
        }
    }
}

/// # Safety
/// As [`run`].
unsafe fn run_portable<A: Residues>(p: A::Word, job: Job<A::Word>) {
    // SAFETY: the caller's.
    unsafe { run::<A>(p, job) }
}

/// # Safety
/// As [`run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn run_avx2<A: Residues>(p: A::Word, job: Job<A::Word>) {
    // SAFETY: the caller's.
    unsafe { run::<A>(p, job) }
}

/// # Safety
/// As [`run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
unsafe fn run_avx512<A: Residues>(p: A::Word, job: Job<A::Word>) {
    // SAFETY: the caller's.
    unsafe { run::<A>(p, job) }
}

/// One way to transform: an arithmetic compiled for an instruction set, and the prime.
#[derive(Debug, Clone, Copy)]
pub struct Engine<W> {
    run: unsafe fn(W, Job<W>),
    p: W,
    /// The binary logarithms of the residues of a vector and of a tile.
    pub(super) log_lanes: u32,
    pub(super) log_tile: u32,
    /// Products of spectra are divided by 2 to this power.
    pub(super) product_shift: u32,
    /// How factors are stored.
    pub(super) arithmetic: field::Arithmetic,
}

impl<W: Copy> Engine<W> {
    fn new<A: Residues<Word = W>>(run: unsafe fn(W, Job<W>), p: W, arithmetic: field::Arithmetic) -> Self {
        // Tables of factors are as long as the arithmetic says, and read as long as the vectors say.
        assert_eq!(A::FACTOR_WORDS, arithmetic.factor_words());
        Self { run, p, log_lanes: A::LOG_LANES, log_tile: log_tile::<A>(), product_shift: A::PRODUCT_SHIFT, arithmetic }
    }

    /// # Safety
    /// The values that the job names belong to the caller.
    pub(super) unsafe fn run(&self, job: Job<W>) {
        // SAFETY: an engine exists only if the processor has its instruction set.
        unsafe { (self.run)(self.p, job) }
    }
}

const fn log_tile<A: Residues>() -> u32 {
    A::LOG_ROWS + A::LOG_LANES
}

/// The engine with the widest vectors of a level, and of those narrower, whose tiles are shorter than the transform, else with single words; `arrays` are
/// vectors that any processor imitates, the second of them as wide as the widest, for tests of the loops.
macro_rules! engine {
    ($vectors:expr, $log_len:expr, $p:expr, $arithmetic:expr, single: $single:ty as $of_single:expr,
     arrays: $portable:ty, $imitated:ty, avx2: $avx2:ty, avx512: $avx512:ty) => {{
        match $vectors {
            #[cfg(target_arch = "x86_64")]
            Vectors::Of(level) if level.set() == Set::Avx512 && $log_len > log_tile::<$avx512>() => {
                return Engine::new::<$avx512>(run_avx512::<$avx512>, $p, $arithmetic);
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Of(level) if level.set() != Set::Portable && $log_len > log_tile::<$avx2>() => {
                return Engine::new::<$avx2>(run_avx2::<$avx2>, $p, $arithmetic);
            }
            #[cfg(test)]
            Vectors::Imitated if $log_len > log_tile::<$imitated>() => {
                return Engine::new::<$imitated>(run_portable::<$imitated>, $p, $arithmetic);
            }
            _ => {}
        }
        if $log_len > log_tile::<$portable>() {
            Engine::new::<$portable>(run_portable::<$portable>, $p, $arithmetic)
        } else {
            Engine::new::<$single>(run_portable::<$single>, $p, $of_single)
        }
    }};
}

/// Single words for every prime below 2^63: transforms of a few values are not worth the wider ranges.
type SingleWide = ShoupWide<Lanes64<0, 1>, 1>;
const SINGLE_WIDE: field::Arithmetic = field::Arithmetic::Word64 { lazy: false };

/// For primes below 2^31 and lengths from 2 on.
fn shoup32<const LOG_RANGE: u32>(vectors: Vectors, p: u32, log_len: u32) -> Engine<u32> {
    type Of<V, const LOG_RANGE: u32> = Shoup<V, LOG_RANGE>;
    engine!(vectors, log_len, p, field::Arithmetic::Word32, single: Of<Lanes32<0, 1>, 1> as field::Arithmetic::Word32,
        arrays: Of<Lanes32<2, 4>, LOG_RANGE>, Of<Lanes32<4, 16>, LOG_RANGE>,
        avx2: Of<U32x8, LOG_RANGE>, avx512: Of<U32x16, LOG_RANGE>)
}

/// For primes below 2^63 and lengths from 2 on.
fn shoup64<const LOG_RANGE: u32>(vectors: Vectors, p: u64, log_len: u32) -> Engine<u64> {
    type Of<V, const LOG_RANGE: u32> = ShoupWide<V, LOG_RANGE>;
    engine!(vectors, log_len, p, field::Arithmetic::Word64 { lazy: LOG_RANGE > 1 }, single: SingleWide as SINGLE_WIDE,
        arrays: Of<Lanes64<1, 2>, LOG_RANGE>, Of<Lanes64<3, 8>, LOG_RANGE>,
        avx2: Of<U64x4, LOG_RANGE>, avx512: Of<U64x8, LOG_RANGE>)
}

/// For primes below 2^50 and lengths from 2 on.
fn doubles(vectors: Vectors, p: u64, log_len: u32) -> Engine<u64> {
    engine!(vectors, log_len, p, field::Arithmetic::Floating, single: SingleWide as SINGLE_WIDE,
        arrays: Floating<LanesF64<1, 2>>, Floating<LanesF64<3, 8>>,
        avx2: Floating<F64x4>, avx512: Floating<F64x8>)
}

/// For `2^64 - 2^32 + 1` and lengths from 2 on.
fn goldilocks(vectors: Vectors, log_len: u32) -> Engine<u64> {
    engine!(vectors, log_len, Goldilocks::MODULUS, field::Arithmetic::Goldilocks,
        single: GoldilocksWords<Lanes64<0, 1>> as field::Arithmetic::Goldilocks,
        arrays: GoldilocksWords<Lanes64<1, 2>>, GoldilocksWords<Lanes64<3, 8>>,
        avx2: GoldilocksWords<U64x4>, avx512: GoldilocksWords<U64x8>)
}

/// Fields that have engines of transforms; sealed.
pub trait EngineField: FieldSlices {
    /// The engine for transforms of `2^log_len` residues, `log_len > 0`.
    #[doc(hidden)]
    fn engine(&self, vectors: Vectors, log_len: u32) -> Engine<Self::Element>;
}

impl EngineField for PrimeField<u32> {
    fn engine(&self, vectors: Vectors, log_len: u32) -> Engine<u32> {
        match self.modulus() {
            p @ ..0x2000_0000 => shoup32::<3>(vectors, p, log_len),
            p @ ..0x4000_0000 => shoup32::<2>(vectors, p, log_len),
            p => shoup32::<1>(vectors, p, log_len),
        }
    }
}

impl EngineField for PrimeField<u64> {
    fn engine(&self, vectors: Vectors, log_len: u32) -> Engine<u64> {
        match self.modulus() {
            // Without the instruction a fused multiply-add takes longer than products of integers.
            p @ ..FloatingPoint::FUSED_LIMIT if vectors.fuse() => doubles(vectors, p, log_len),
            p @ ..0x1000_0000_0000_0000 => shoup64::<4>(vectors, p, log_len),
            p @ ..0x4000_0000_0000_0000 => shoup64::<2>(vectors, p, log_len),
            p => shoup64::<1>(vectors, p, log_len),
        }
    }
}

impl EngineField for Goldilocks {
    fn engine(&self, vectors: Vectors, log_len: u32) -> Engine<u64> {
        goldilocks(vectors, log_len)
    }
}
