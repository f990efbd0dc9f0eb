//! Factors in the order in which the transform reads them.
//!
//! At level `l` of the tree of remainders the values stand in `2^l` blocks, and block `i` has one factor `R[i]`, for
//! negacyclic transforms `R[2^l + i]`, where `R[i] = v^reversed(i)` for a root `v` of order twice the length. The factors of
//! the levels down to blocks as long as two vectors are kept like that. In a square of as many blocks of a vector's length
//! as a vector has lanes every lane has factors of its own: the square keeps, each for all lanes side by side, the factors
//! of these blocks, then of their left and of their right halves, then of their quarters, and so on, so that a transform
//! reads them once, from the first to the last.
//!
//! ```text
//!  square t of 4 x 4:   R[4t]  R[4t+1]  R[4t+2]  R[4t+3]  | R[8t] R[8t+2] R[8t+4] R[8t+6] | R[8t+1] R[8t+3] ...
//! ```

use rayon::prelude::*;

use super::block::Factors;
use super::engine::Engine;
use crate::Word;
use crate::tables::{block_roots, words};
use crate::{Kind, Ntt, NttField, Way};

/// Words that begin at a cache line.
#[derive(Debug)]
pub(super) struct Aligned<W> {
    lines: Vec<Line>,
    len: usize,
    words: std::marker::PhantomData<W>,
}

#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl<W: Word> Aligned<W> {
    fn zeroed(len: usize) -> Self {
        let lines = bytemuck::zeroed_vec((len * size_of::<W>()).div_ceil(64));
        Self { lines, len, words: std::marker::PhantomData }
    }

    fn copied(words: &[W]) -> Self {
        let mut copy = Self::zeroed(words.len());
        copy.words().copy_from_slice(words);
        copy
    }

    fn words(&mut self) -> &mut [W] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }

    pub(super) fn as_ptr(&self) -> *const W {
        self.lines.as_ptr().cast()
    }
}

/// The factors of one direction, for transforms longer than a tile.
#[derive(Debug)]
pub(super) struct Direction<W> {
    blocks: Aligned<W>,
    squares: Aligned<W>,
    last: Aligned<W>,
    negacyclic: bool,
}

impl<W: Word> Direction<W> {
    pub(super) fn new<F: NttField<Element = W>>(ntt: &Ntt<F>, engine: &Engine<W>, way: Way) -> Self {
        let (field, log_len, log_lanes) = (&ntt.field, ntt.log_len, engine.log_lanes);
        let negacyclic = ntt.kind == Kind::Negacyclic;
        let all = block_roots(field, log_len - u32::from(!negacyclic), |log_order| ntt.root_of(log_order, way));
        let first = |level: u32| if negacyclic { 1usize << level } else { 0 };

        // The last level between whole vectors.
        let level = log_len - log_lanes - 1;
        let blocks = Aligned::copied(&words(field, engine.arithmetic, &all[..first(level) + (1 << level)]));

        let (lanes, each) = (1usize << log_lanes, engine.arithmetic.factor_words());
        let square_words = (lanes - 1) * lanes * each;
        let mut squares = Aligned::zeroed(square_words << (log_len - 2 * log_lanes));
        // Vectors of one word have no levels between lanes.
        let fill = |(square, words): (usize, &mut [F::Element])| {
            let mut vectors = words.chunks_exact_mut(lanes * each);
            for level in 0..log_lanes {
                let first = first(log_len - log_lanes + level);
                for (group, vector) in vectors.by_ref().take(1 << level).enumerate() {
                    for lane in 0..lanes {
                        let w = all[first + (((square << log_lanes) + lane) << level) + group];
                        let factor = field.factor(w, engine.arithmetic);
                        for (word, factor) in factor.into_iter().take(each).enumerate() {
                            vector[word * lanes + lane] = factor;
                        }
                    }
                }
            }
        };
        // The calling thread alone is in no pool, and starts none.
        if rayon::current_thread_index().is_some() {
            squares.words().par_chunks_exact_mut(square_words.max(1)).enumerate().for_each(fill);
        } else {
            squares.words().chunks_exact_mut(square_words.max(1)).enumerate().for_each(fill);
        }

        Self { blocks, squares, last: last(ntt, engine, ntt.scale(), way), negacyclic }
    }

    pub(super) fn factors(&self) -> Factors<W> {
        Factors {
            blocks: self.blocks.as_ptr(),
            negacyclic: self.negacyclic,
            squares: self.squares.as_ptr(),
            last: self.last.as_ptr(),
        }
    }
}

/// The factors of the last level, for sums and for differences, which scale.
pub(super) fn last<F: NttField>(
    ntt: &Ntt<F>,
    engine: &Engine<F::Element>,
    scale: F::Element,
    way: Way,
) -> Aligned<F::Element> {
    // The first level has one block, whose factor is 1, or a square root of -1.
    let root = if ntt.kind == Kind::Negacyclic { ntt.root_of(2, way) } else { ntt.field.one() };
    Aligned::copied(&words(&ntt.field, engine.arithmetic, &[scale, ntt.field.mul(root, scale)]))
}
