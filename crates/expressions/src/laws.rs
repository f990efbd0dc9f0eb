//! Laws of operations, tested on elements near the limits of their types: a law that fails is reported with the elements.

use std::fmt;

use manycore_device::WordType;

use crate::columns::Columns;
use crate::elements::Elements;
use crate::function::Function;
use crate::host::{Column, Input};
use crate::scalar::ScalarType;

/// Elements that are tried, beside those that are given.
const SAMPLES: usize = 20;

/// A law of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// `(a b) c = a (b c)`.
    Associative,
    /// `a b = b a`.
    Commutative,
    /// `e a = a = a e`.
    Identity,
    /// `z a = z = a z`.
    Absorbing,
    /// `a b` is `a` or `b`.
    Selective,
    /// `a (b + c) = a b + a c` and `(a + b) c = a c + b c`.
    Distributive,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Associative => "associative: (a b) c = a (b c)",
            Self::Commutative => "commutative: a b = b a",
            Self::Identity => "that of an identity: e a = a = a e",
            Self::Absorbing => "that of an absorbing element: z a = z = a z",
            Self::Selective => "selective: a b is a or b",
            Self::Distributive => "distributive: a (b + c) = a b + a c, (a + b) c = a c + b c",
        })
    }
}

/// Elements for which a law fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the law is not kept ({law}): {elements} give {left} and {right}")]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// The elements, as `a = ..., b = ...`.
    pub elements: String,
    /// What one side of the law is.
    pub left: String,
    /// What the other side is.
    pub right: String,
}

/// Tries laws of operations on elements of a type.
///
/// Integers are tried at 0, 1, their least and greatest and near them; numbers at small multiples of 1/4, whose sums and
/// products are exact: what rounding breaks is no violation. A law that holds for all of them is not proved.
///
/// ```
/// use manycore_expressions::{Function, Law, Laws, Value};
///
/// type V = Value<i32>;
/// let sum = Function::<(i32, i32), i32>::new(|(a, b): (V, V)| a.max(b))?;
/// let laws = Laws::new(&[i32::MIN]);
/// assert!(laws.associative(&sum).is_ok());
/// assert!(laws.identity(&sum, i32::MIN).is_ok());
///
/// // Minus infinity as the least integer: sums with it wrap around.
/// let product = Function::<(i32, i32), i32>::new(|(a, b): (V, V)| a + b)?;
/// let violation = laws.absorbing(&product, i32::MIN).unwrap_err();
/// assert_eq!(violation.law, Law::Absorbing);
/// # Ok::<(), manycore_expressions::ExpressionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Laws<T> {
    samples: Vec<T>,
}

/// An operation of elements.
type Operation<T> = Function<(T, T), T>;

impl<T: Elements> Laws<T> {
    /// Tries these elements, too: identities, and others that the operations treat alone.
    pub fn new(more: &[T]) -> Self {
        let mut types = Vec::new();
        T::types(&mut types);
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut samples: Vec<T> = more.to_vec();
        for sample in 0..SAMPLES {
            // The scalars of a tuple take their corners in different orders.
            let bits: Vec<u64> =
                types.iter().enumerate().map(|(i, kind)| corner(*kind, sample * (2 * i + 1) + i, &mut seed)).collect();
            samples.push(T::take_bits(&mut bits.into_iter()));
        }
        Self { samples }
    }

    /// Tries these elements alone: for operations of a part of a type's elements, as sorted tuples are.
    pub fn of(samples: Vec<T>) -> Self {
        Self { samples }
    }

    /// The elements that are tried.
    pub fn samples(&self) -> &[T] {
        &self.samples
    }

    /// Whether an operation is associative.
    ///
    /// # Errors
    /// Elements for which it is not.
    pub fn associative(&self, operation: &Operation<T>) -> Result<(), Violation> {
        let (a, b, c) = self.triples();
        let of = |a: &[T], b: &[T]| apply(operation, a, b);
        let (left, right) = (of(&of(&a, &b), &c), of(&a, &of(&b, &c)));
        compare(Law::Associative, &[("a", &a), ("b", &b), ("c", &c)], &left, &right)
    }

    /// Whether an operation is commutative.
    ///
    /// # Errors
    /// Elements for which it is not.
    pub fn commutative(&self, operation: &Operation<T>) -> Result<(), Violation> {
        let (a, b) = self.pairs();
        compare(Law::Commutative, &[("a", &a), ("b", &b)], &apply(operation, &a, &b), &apply(operation, &b, &a))
    }

    /// Whether an element changes none, from neither side.
    ///
    /// # Errors
    /// An element that it changes.
    pub fn identity(&self, operation: &Operation<T>, identity: T) -> Result<(), Violation> {
        let (a, e) = (&self.samples, vec![identity; self.samples.len()]);
        compare(Law::Identity, &[("e", &e), ("a", a)], &apply(operation, &e, a), a)?;
        compare(Law::Identity, &[("e", &e), ("a", a)], &apply(operation, a, &e), a)
    }

    /// Whether an element takes every other one to itself, from both sides.
    ///
    /// # Errors
    /// An element for which it does not.
    pub fn absorbing(&self, operation: &Operation<T>, zero: T) -> Result<(), Violation> {
        let (a, z) = (&self.samples, vec![zero; self.samples.len()]);
        compare(Law::Absorbing, &[("z", &z), ("a", a)], &apply(operation, &z, a), &z)?;
        compare(Law::Absorbing, &[("z", &z), ("a", a)], &apply(operation, a, &z), &z)
    }

    /// Whether an operation always gives one of both elements.
    ///
    /// # Errors
    /// Elements for which it does not.
    pub fn selective(&self, operation: &Operation<T>) -> Result<(), Violation> {
        let (a, b) = self.pairs();
        let of = apply(operation, &a, &b);
        let nearest: Vec<T> =
            of.iter().zip(&a).zip(&b).map(|((c, a), b)| if is_same(c, b) { *b } else { *a }).collect();
        compare(Law::Selective, &[("a", &a), ("b", &b)], &of, &nearest)
    }

    /// Whether a product distributes over a sum, from both sides.
    ///
    /// # Errors
    /// Elements for which it does not.
    pub fn distributive(&self, sum: &Operation<T>, product: &Operation<T>) -> Result<(), Violation> {
        let (a, b, c) = self.triples();
        let of = |a: &[T], b: &[T]| apply(product, a, b);
        let elements: [(&str, &[T]); 3] = [("a", &a), ("b", &b), ("c", &c)];
        let (left, right) = (of(&a, &apply(sum, &b, &c)), apply(sum, &of(&a, &b), &of(&a, &c)));
        compare(Law::Distributive, &elements, &left, &right)?;
        let (left, right) = (of(&apply(sum, &a, &b), &c), apply(sum, &of(&a, &c), &of(&b, &c)));
        compare(Law::Distributive, &elements, &left, &right)
    }

    fn pairs(&self) -> (Vec<T>, Vec<T>) {
        self.samples.iter().flat_map(|&a| self.samples.iter().map(move |&b| (a, b))).unzip()
    }

    fn triples(&self) -> (Vec<T>, Vec<T>, Vec<T>) {
        let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
        for &x in &self.samples {
            for &y in &self.samples {
                for &z in &self.samples {
                    a.push(x);
                    b.push(y);
                    c.push(z);
                }
            }
        }
        (a, b, c)
    }
}

/// A number near a corner of its type.
fn corner(kind: ScalarType, which: usize, seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let drawn = *seed >> 33;
    let word = match kind {
        ScalarType::Bool => return (which as u64 + drawn) & 1,
        ScalarType::Word(word) => word,
    };
    // Small multiples of 1/4: sums and products of three of them are exact.
    let quarters = || ((drawn % 65) as f64 - 32.0) / 4.0;
    match (word, which % SAMPLES) {
        (WordType::F32 | WordType::F64, 0) => 0,
        (WordType::F32, 1) => 1f32.to_bits().into(),
        (WordType::F32, 2) => (-1f32).to_bits().into(),
        (WordType::F32, _) => (quarters() as f32).to_bits().into(),
        (WordType::F64, 1) => 1f64.to_bits(),
        (WordType::F64, 2) => (-1f64).to_bits(),
        (WordType::F64, _) => quarters().to_bits(),
        (_, corner) => {
            let bits = kind.bits();
            let mask = u64::MAX >> (64 - bits);
            let top = 1u64 << (bits - 1);
            let corners = [0, 1, mask, top, top - 1, top + 1, mask - 1, 2, top >> 1, (top >> 1) + 1];
            corners.get(corner).copied().unwrap_or(if corner % 2 == 0 { drawn % 16 } else { drawn }) & mask
        }
    }
}

/// An operation on each pair.
fn apply<T: Elements>(operation: &Operation<T>, a: &[T], b: &[T]) -> Vec<T> {
    let (left, right) = (a, b);
    let (a, b) = (Columns::from_elements(a), Columns::from_elements(b));
    let mut of = a.clone();
    let inputs: Vec<Input<'_>> = a.columns().into_iter().chain(b.columns()).map(Input::Column).collect();
    let tables: Vec<Column<'_>> = operation.program().tables().iter().map(|&kind| Column::empty(kind)).collect();
    match operation.program().evaluate(&inputs, &tables, &mut of.columns_mut()) {
        Ok(()) => of.elements(),
        // Columns of its own types fit every operation; one by one they do without.
        Err(_) => left.iter().zip(right).map(|(&a, &b)| operation.call((a, b))).collect(),
    }
}

/// Whether two elements are the same; two NaNs are.
#[allow(clippy::float_cmp)] // bits and zeros
fn is_same<T: Elements>(a: &T, b: &T) -> bool {
    let bits = |x: &T| {
        let mut bits = Vec::new();
        x.put_bits(&mut bits);
        bits
    };
    let mut types = Vec::new();
    T::types(&mut types);
    a == b
        || types.iter().zip(bits(a).iter().zip(bits(b))).all(|(kind, (&a, b))| match kind {
            ScalarType::Word(WordType::F32) => {
                let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                a == b || (a.is_nan() && b.is_nan())
            }
            ScalarType::Word(WordType::F64) => {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                a == b || (a.is_nan() && b.is_nan())
            }
            _ => a == b,
        })
}

/// The first place where both sides differ.
fn compare<T: Elements>(law: Law, elements: &[(&str, &[T])], left: &[T], right: &[T]) -> Result<(), Violation> {
    let Some(at) = left.iter().zip(right).position(|(left, right)| !is_same(left, right)) else { return Ok(()) };
    let told: Vec<String> = elements.iter().map(|(name, values)| format!("{name} = {:?}", values[at])).collect();
    let (left, right) = (format!("{:?}", left[at]), format!("{:?}", right[at]));
    Err(Violation { law, elements: told.join(", "), left, right })
}
