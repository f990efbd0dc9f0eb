//! The number-theoretic transform on the host, over a team of threads and the widest vectors of the
//! processor.
//!
//! The transform follows the tree of remainders: `x^(2m) - s^2 = (x^m - s)(x^m + s)`, so that a block of `2 m` values has one
//! factor `s` for all of its butterflies. Down to rows as long as a vector these are butterflies between vectors; the last
//! levels are done on tiles that are transposed, so that there, too, whole vectors meet. Between its first and its last
//! butterfly a residue is in whatever form and range its arithmetic likes best.
//!
//! | file | what |
//! |---|---|
//! | `residues` | what the transform needs of vectors of residues |
//! | `word32`, `word64`, `goldilocks`, `floating` | the arithmetics on vectors, with their ranges |
//! | `block` | blocks of the tree, and their factors |
//! | `rows`, `steps`, `tile` | a few levels at once, in registers: between rows far apart, and of neighbouring values |
//! | `engine` | the code for an arithmetic and the vectors of an instruction set |
//! | `tables` | factors in the order in which they are read |
//! | `transform`, `threads` | all levels on one thread, and on several |
//! | `convolution` | forward, products and back in one descent |

mod block;
mod convolution;
mod engine;
mod floating;
mod goldilocks;
mod residues;
mod rows;
mod steps;
mod tables;
#[cfg(test)]
mod tests;
mod threads;
mod tile;
mod transform;
mod word32;
mod word64;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use manycore_arrays::blocks::bit_reverse;
use manycore_device::{Executor, Team};
use manycore_field::simd::Level;

use self::block::Factors;
use self::convolution::{Convolution, Halves};
pub(super) use self::engine::EngineField;
use self::engine::{Engine, Vectors};
use self::tables::{Aligned, Direction, last};
pub(super) use self::threads::TASK_VALUES;
pub(super) use self::transform::MOST_LEVELS;
use self::transform::Transform;
use super::{Kind, Ntt, NttField, SpectrumOrder, Way};

/// The arithmetic of a transform, and the factors of the directions that were asked for.
#[derive(Debug)]
pub(super) struct Tables<F: NttField> {
    engine: Engine<F::Element>,
    forward: OnceLock<Direction<F::Element>>,
    inverse: OnceLock<Direction<F::Element>>,
    /// The last factors of inverses that multiply by powers of 2, too, by the exponent.
    last: Mutex<HashMap<u32, Arc<Aligned<F::Element>>>>,
}

impl<F: NttField> Tables<F> {
    /// For transforms of more than one value.
    pub(super) fn new(ntt: &Ntt<F>) -> Self {
        Self::with_vectors(ntt, Vectors::Of(Level::widest()))
    }

    fn with_vectors(ntt: &Ntt<F>, vectors: Vectors) -> Self {
        let engine = ntt.field.engine(vectors, ntt.log_len);
        Self { engine, forward: OnceLock::new(), inverse: OnceLock::new(), last: Mutex::default() }
    }

    fn forward(&self, ntt: &Ntt<F>) -> Factors<F::Element> {
        self.forward.get_or_init(|| self.direction(ntt, Way::Forward)).factors()
    }

    /// The last factors of inverses that multiply by `2^shift`, too.
    fn last(&self, ntt: &Ntt<F>, shift: u32) -> Arc<Aligned<F::Element>> {
        let mut kept = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let power = ntt.field.power(ntt.field.natural(2), shift.into());
            Arc::new(last(ntt, &self.engine, ntt.field.mul(ntt.scale(), power), Way::Inverse))
        };
        Arc::clone(kept.entry(shift).or_insert_with(make))
    }

    fn inverse(&self, ntt: &Ntt<F>) -> Factors<F::Element> {
        self.inverse.get_or_init(|| self.direction(ntt, Way::Inverse)).factors()
    }

    fn direction(&self, ntt: &Ntt<F>, way: Way) -> Direction<F::Element> {
        let make = || Direction::new(ntt, &self.engine, way);
        match ntt.device().executor() {
            Executor::Host(pool) => pool.install(make),
            Executor::OpenCl(_) => make(),
        }
    }
}

/// Transforms every run of the transform's length of canonical residues of `x` in place, to a spectrum in the
/// transform's order, or back, over the threads of `team`.
///
/// Takes one pass over the memory for the levels of a part of 16 KiB, and one over a larger cache, or the memory, for each
/// further three levels.
pub(super) fn transform<F: NttField>(ntt: &Ntt<F>, tables: &Tables<F>, x: &mut [F::Element], way: Way, team: Team<'_>) {
    let factors = match way {
        Way::Forward => tables.forward(ntt),
        Way::Inverse => tables.inverse(ntt),
    };
    let natural = ntt.order == SpectrumOrder::Natural;
    if natural && way == Way::Inverse {
        bit_reverse(x, ntt.log_len, team);
    }
    Transform { engine: &tables.engine, factors, way }.runs(x, ntt.log_len, team);
    if natural && way == Way::Forward {
        bit_reverse(x, ntt.log_len, team);
    }
}

/// Makes every run of `left` its product, modulo the polynomial that the transform is for, by one of `right`; see
/// [`Convolution::runs`].
pub(super) fn convolve<F: NttField>(
    ntt: &Ntt<F>,
    tables: &Tables<F>,
    (left, right): (&mut [F::Element], &mut [F::Element]),
    rows: &super::Rows,
    team: Team<'_>,
) {
    let engine = &tables.engine;
    let last = tables.last(ntt, engine.product_shift + rows.shift);
    let back = Factors { last: last.as_ptr(), ..tables.inverse(ntt) };
    let mut halves = Halves { left: rows.left_half, right: rows.right_half };
    if ntt.kind == Kind::Negacyclic {
        // Their first level copies nothing.
        for (values, half) in [(&mut *left, &mut halves.left), (&mut *right, &mut halves.right)] {
            if std::mem::take(half) {
                let runs = values.chunks_exact_mut(ntt.len());
                runs.for_each(|run| run[ntt.len() / 2..].fill(ntt.field.zero()));
            }
        }
    }
    let forward = Transform { engine, factors: tables.forward(ntt), way: Way::Forward };
    let inverse = Transform { engine, factors: back, way: Way::Inverse };
    Convolution { forward, inverse, halves }.runs(left, right, rows.shared, ntt.log_len, team);
}
