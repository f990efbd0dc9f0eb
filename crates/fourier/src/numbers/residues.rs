//! Residues modulo a prime.

use manycore_characters::values::LARGEST_EXPONENT;
use manycore_characters::{Residues, Values as _};
use manycore_field::{Arithmetic, KernelField, Montgomery, OutOfRange, ResidueWord};

use super::engine::{Engine, Level, MOST_BLOCK, Task};
use super::{Numbers, Sealed};
use crate::error::FourierError;
use crate::transform::direction::Direction;

/// Residues one by one, multiplied by constants in Montgomery's form.
#[derive(Debug)]
struct One<'a, F: KernelField> {
    field: &'a F,
    by: Montgomery<F::Element>,
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derived one would ask the field to be Copy")]
impl<F: KernelField> Clone for One<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: KernelField> Copy for One<'_, F> {}

impl<F: KernelField> Engine<Residues<F>> for One<'_, F> {
    type Number = F::Element;
    const LANES: usize = 1;
    const BLOCK: usize = 1;

    #[inline(always)]
    unsafe fn read(self, from: *const F::Element) -> F::Element {
        // SAFETY: the caller vouches for the word.
        unsafe { *from }
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut F::Element, x: F::Element) {
        // SAFETY: the caller vouches for the word.
        unsafe { *to = x }
    }

    #[inline(always)]
    unsafe fn read_columns(self, from: *const F::Element, _: usize) -> [F::Element; MOST_BLOCK] {
        // SAFETY: the caller vouches for the word.
        [unsafe { *from }; MOST_BLOCK]
    }

    #[inline(always)]
    unsafe fn write_columns(self, to: *mut F::Element, _: usize, rows: [F::Element; MOST_BLOCK]) {
        // SAFETY: the caller vouches for the word.
        unsafe { *to = rows[0] }
    }

    #[inline(always)]
    fn reversed(self, x: F::Element) -> F::Element {
        x
    }

    #[inline(always)]
    fn conjugated(self, x: F::Element) -> F::Element {
        x
    }

    #[inline(always)]
    unsafe fn load(self, at: *const F::Element, _: usize) -> F::Element {
        // SAFETY: the caller vouches for the word.
        unsafe { *at }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut F::Element, _: usize, x: F::Element) {
        // SAFETY: the caller vouches for the word.
        unsafe { *at = x }
    }

    #[inline(always)]
    unsafe fn all(self, constant: F::Element) -> F::Element {
        constant
    }

    #[inline(always)]
    unsafe fn constant(self, at: *const F::Element) -> F::Element {
        // SAFETY: the caller vouches for the word.
        unsafe { *at }
    }

    #[inline(always)]
    fn plus(self, a: F::Element, b: F::Element) -> F::Element {
        self.field.add(a, b)
    }

    #[inline(always)]
    fn minus(self, a: F::Element, b: F::Element) -> F::Element {
        self.field.sub(a, b)
    }

    #[inline(always)]
    fn times(self, x: F::Element, w: F::Element) -> F::Element {
        self.by.mul(x, w)
    }

    #[inline(always)]
    fn plus_times(self, sum: F::Element, x: F::Element, w: F::Element) -> F::Element {
        self.field.add(sum, self.by.mul(x, w))
    }

    #[inline(always)]
    fn quarter(self, x: F::Element, root: F::Element) -> F::Element {
        self.by.mul(x, root)
    }

    #[inline(always)]
    fn eighth(self, x: F::Element, root: F::Element) -> F::Element {
        self.by.mul(x, root)
    }

    #[inline(always)]
    fn sine(self, x: F::Element, s: F::Element) -> F::Element {
        self.by.mul(x, s)
    }

    #[inline(always)]
    fn plus_cosine(self, sum: F::Element, x: F::Element, c: F::Element) -> F::Element {
        self.field.add(sum, self.by.mul(x, c))
    }

    #[inline(always)]
    fn plus_sine(self, sum: F::Element, x: F::Element, s: F::Element) -> F::Element {
        self.field.add(sum, self.by.mul(x, s))
    }

    #[inline(always)]
    fn minus_sine(self, sum: F::Element, x: F::Element, s: F::Element) -> F::Element {
        self.field.sub(sum, self.by.mul(x, s))
    }

    #[inline(always)]
    fn turned(self, x: F::Element) -> F::Element {
        x
    }
}

/// The arithmetic that kernels use.
fn arithmetic<F: KernelField>(field: &F) -> Arithmetic {
    // The first is the one of integers, which every device has.
    field.arithmetics().first().copied().unwrap_or(Arithmetic::Word64 { lazy: false })
}

impl<F: KernelField> Sealed for Residues<F> {}

impl<F: KernelField> Numbers for Residues<F> {
    const CONJUGATES: bool = false;

    type Precise = Self;

    fn precise(&self) -> Self {
        self.clone()
    }

    fn rounded(precise: F::Element) -> F::Element {
        precise
    }

    fn zero(&self) -> F::Element {
        self.field().zero()
    }

    fn one(&self) -> F::Element {
        self.field().one()
    }

    #[inline(always)]
    fn plus(&self, a: F::Element, b: F::Element) -> F::Element {
        self.field().add(a, b)
    }

    #[inline(always)]
    fn minus(&self, a: F::Element, b: F::Element) -> F::Element {
        self.field().sub(a, b)
    }

    #[inline(always)]
    fn times(&self, a: F::Element, b: F::Element) -> F::Element {
        self.field().mul(a, b)
    }

    fn conjugated(&self, a: F::Element) -> F::Element {
        a
    }

    fn natural(&self, n: u64) -> F::Element {
        self.field().natural(n)
    }

    fn distance(&self, a: &[F::Element], b: &[F::Element]) -> f64 {
        if a == b { 0.0 } else { f64::INFINITY }
    }

    fn reciprocal(&self, n: u64) -> F::Element {
        // Orders of groups with roots divide a power of p - 1, so that they have inverses.
        self.field().inverse(self.field().natural(n)).unwrap_or_else(|| self.field().zero())
    }

    fn powers(
        &self,
        order: u64,
        direction: Direction,
        exponents: &mut dyn Iterator<Item = u64>,
    ) -> Result<Vec<F::Element>, FourierError> {
        let field = self.field();
        let positive = self.base(order)?;
        let base = match direction {
            Direction::Forward => field.power(positive, order - 1),
            Direction::Inverse => positive,
        };
        // Most often the exponents rise by small or equal steps.
        let (mut last, mut root) = (0, field.one());
        let (mut step, mut factor) = (0, field.one());
        let mut next = |e: u64| {
            if e < last {
                (last, root) = (e, field.power(base, e));
            } else if e > last {
                if e - last != step {
                    step = e - last;
                    factor = field.power(base, step);
                }
                (last, root) = (e, field.mul(root, factor));
            }
            root
        };
        Ok(exponents.map(&mut next).collect())
    }

    fn halves(&self, root: F::Element) -> [F::Element; 2] {
        let field = self.field();
        let half = self.reciprocal(2);
        let inverse = field.inverse(root).unwrap_or(root);
        [field.mul(field.add(root, inverse), half), field.mul(field.sub(root, inverse), half)]
    }

    fn has_roots(&self, order: u64) -> bool {
        (1..=LARGEST_EXPONENT).contains(&order) && (self.field().order() - 1).is_multiple_of(order)
    }

    fn group_of_roots(&self) -> u64 {
        self.field().order() - 1
    }

    fn prepared(&self, constant: F::Element) -> F::Element {
        Montgomery::new(F::Element::from_u64(self.field().order())).map_or(constant, |by| by.enter(constant))
    }

    #[allow(private_interfaces, private_bounds)]
    fn lanes(&self) -> usize {
        #[cfg(target_arch = "x86_64")]
        if super::x86::words::suits::<F::Element>(self.field().order()) {
            return 8;
        }
        1
    }

    #[allow(private_interfaces)]
    fn levels(&self) -> Vec<Level> {
        #[cfg(target_arch = "x86_64")]
        if super::x86::words::suits::<F::Element>(self.field().order()) {
            return vec![Level::One, Level::Avx2];
        }
        vec![Level::One]
    }

    #[allow(private_interfaces, private_bounds)]
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "there is one level"))]
    unsafe fn run_at<T: Task<Self>>(&self, level: Level, task: T) {
        // Modulo 2 there are no transforms but that of one element, which has no passes.
        let Some(by) = Montgomery::new(F::Element::from_u64(self.field().order())) else { return };
        #[cfg(target_arch = "x86_64")]
        if level > Level::One && super::x86::words::suits::<F::Element>(self.field().order()) {
            // SAFETY: as was just asked; the caller vouches for the memory.
            return unsafe { super::x86::words::with_words(&by, task) };
        }
        // SAFETY: single words need no instruction set; the caller vouches for the memory.
        unsafe { task.run(One { field: self.field(), by }) }
    }

    fn constant_words(&self, constant: F::Element, words: &mut Vec<F::Element>) {
        let arithmetic = arithmetic(self.field());
        let factor = self.field().factor(constant, arithmetic);
        words.extend(&factor[..arithmetic.factor_words()]);
    }

    fn check(&self, words: &[F::Element]) -> Result<(), OutOfRange> {
        self.field().check(words)
    }
}
