//! Semirings of a user's own: a product of two types of elements, and a sum of its results whose laws were tried.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use manycore_expressions::{Elements, Function, Laws};

use crate::algebra::Algebra;
use crate::error::SemiringError;

/// A product of elements of `A` and `B`, and a sum of the results.
///
/// The sum is associative and has an identity, which is what an empty sum is; it need not be commutative: sums run in the
/// order of the inner index. Laws are tried near the corners of the types when the semiring is made.
///
/// ```
/// use manycore_expressions::{Function, Value};
/// use manycore_semiring::Semiring;
///
/// type V = Value<f64>;
/// let sum = Function::new(|(a, b): (V, V)| a.max(b))?;
/// let product = Function::new(|(a, b): (V, V)| a + b)?;
/// let max_plus = Semiring::<f64, f64, f64>::new(product, sum, f64::NEG_INFINITY)?;
/// assert!(max_plus.is_commutative());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Semiring<A, B, S> {
    product: Function<(A, B), S>,
    sum: Function<(S, S), S>,
    /// A sum and the next product.
    step: Function<(S, A, B), S>,
    zero: S,
    is_commutative: bool,
    algebra: Arc<Algebra>,
    /// The semiring with places, once it was made.
    placed: Arc<OnceLock<Box<dyn Any + Send + Sync>>>,
    /// Which missing entries were found to leave products out, by their side and bits.
    left_out: Arc<Mutex<LeftOut>>,
}

/// Whether a missing entry leaves products out, by its side and bits.
type LeftOut = HashMap<(bool, Vec<u64>), bool>;

/// Two pairs of factors.
type Two<T> = (T, T);

impl<A: Elements, B: Elements, S: Elements> Semiring<A, B, S> {
    /// These operations, and the sum of nothing.
    ///
    /// # Errors
    /// [`SemiringError::Law`] where the sum is not associative or `zero` is no identity, with elements that show it;
    /// [`SemiringError::Tables`] where one reads tables; [`SemiringError::Expression`] where both operations do not fit into one function.
    pub fn new(product: Function<(A, B), S>, sum: Function<(S, S), S>, zero: S) -> Result<Self, SemiringError> {
        Self::of_elements(product, sum, zero, &Laws::new(&[zero]))
    }

    /// These operations of a part of the elements of a type, as sorted tuples are, of which all results are: the laws are tried on
    /// the elements of `laws` alone.
    ///
    /// # Errors
    /// As [`Semiring::new`].
    #[inline(never)]
    pub fn of_elements(
        product: Function<(A, B), S>,
        sum: Function<(S, S), S>,
        zero: S,
        laws: &Laws<S>,
    ) -> Result<Self, SemiringError> {
        laws.associative(&sum)?;
        laws.identity(&sum, zero)?;
        let is_commutative = laws.commutative(&sum).is_ok();
        Self::lawful(product, sum, zero, is_commutative)
    }

    /// These operations, of a sum whose laws are known to hold.
    ///
    /// # Errors
    /// As [`Semiring::new`], but of laws.
    pub(crate) fn lawful(
        product: Function<(A, B), S>,
        sum: Function<(S, S), S>,
        zero: S,
        is_commutative: bool,
    ) -> Result<Self, SemiringError> {
        for (operation, program) in [("product", product.program()), ("sum", sum.program())] {
            if !program.tables().is_empty() {
                return Err(SemiringError::Tables { operation });
            }
        }
        let step = Function::new(|(s, a, b): (S::Values, A::Values, B::Values)| sum.of((s, product.of((a, b)))))?;
        let pair: Function<(S, Two<(A, B)>), S> =
            Function::new(|(s, (first, second))| sum.of((s, sum.of((product.of(first), product.of(second))))))?;
        let mut bits = Vec::new();
        zero.put_bits(&mut bits);
        let mut left = Vec::new();
        A::types(&mut left);
        let algebra = Arc::new(Algebra {
            step: step.shared(),
            product: product.shared(),
            sum: sum.shared(),
            pair: pair.shared(),
            zero: bits,
            left_count: left.len(),
            is_exact: sum.program().is_exact_sum(),
        });
        Ok(Self { product, sum, step, zero, is_commutative, algebra, placed: Arc::default(), left_out: Arc::default() })
    }

    /// The product.
    pub fn product(&self) -> &Function<(A, B), S> {
        &self.product
    }

    /// The sum.
    pub fn sum(&self) -> &Function<(S, S), S> {
        &self.sum
    }

    /// A sum and a product added to it, as one function.
    pub fn step(&self) -> &Function<(S, A, B), S> {
        &self.step
    }

    /// The sum of nothing.
    pub fn zero(&self) -> S {
        self.zero
    }

    /// What was made of it once, or is now.
    pub(crate) fn made_once<T: Any + Clone + Send + Sync>(
        &self,
        make: impl FnOnce() -> Result<T, SemiringError>,
    ) -> Result<T, SemiringError> {
        if let Some(made) = self.placed.get().and_then(|made| made.downcast_ref::<T>()) {
            return Ok(made.clone());
        }
        let made = make()?;
        // Another thread may have been first, with the same.
        drop(self.placed.set(Box::new(made.clone())));
        Ok(made)
    }

    pub(crate) fn algebra(&self) -> &Algebra {
        &self.algebra
    }

    /// Whether the order of a sum does not matter, as far as was tried.
    pub fn is_commutative(&self) -> bool {
        self.is_commutative
    }

    /// Whether products with this first operand are zero, so that sums may leave them out; tried once for each.
    #[inline(never)]
    pub fn leaves_out_left(&self, absent: A) -> bool {
        let try_all = || Laws::<B>::new(&[]).samples().iter().all(|&b| self.product.call((absent, b)) == self.zero);
        self.tried_once(true, absent, try_all)
    }

    /// Whether products with this second operand are zero, so that sums may leave them out; tried once for each.
    #[inline(never)]
    pub fn leaves_out_right(&self, absent: B) -> bool {
        let try_all = || Laws::<A>::new(&[]).samples().iter().all(|&a| self.product.call((a, absent)) == self.zero);
        self.tried_once(false, absent, try_all)
    }

    fn tried_once<T: Elements>(&self, is_left: bool, absent: T, try_all: impl FnOnce() -> bool) -> bool {
        let mut bits = Vec::new();
        absent.put_bits(&mut bits);
        // A panic of another thread leaves whole verdicts.
        let mut known = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry((is_left, bits)).or_insert_with(try_all)
    }
}
