//! The choice among the plans of generalized products.

use std::hash::Hasher as _;

use fnv::FnvHasher;
use manycore_device::DeviceError;
use manycore_expressions::{Elements, Memory, Program, ScalarType, Words, WordsMut};
use manycore_tuning::{Choice, Operation, Proof, proof};

use super::cost::{self, ProductCosts};
use super::fit::{shape, sizes};
use super::form::{ProductForm, ProductShape};
use super::plan::ProductPlan;
use super::products::Products;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::factor::Factor;
use crate::operand::{Form, Operand};
use crate::plan::Shape;
use crate::semiring::Semiring;

impl Products {
    /// The choice that is taken for a product of matrices like these: every plan with an estimate, the chosen one first, and the
    /// origin of the choice. Where the device is to be measured ([`Device::tuned`](manycore_device::Device::tuned)) and this
    /// shape was not yet, the plans are measured now. The host has one plan.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`]; [`SemiringError::NoChoice`] where no plan suits the device; [`SemiringError::Device`] where the
    /// matrices of a measurement cannot be made.
    pub fn explain<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
    ) -> Result<Choice<ProductPlan>, SemiringError> {
        shape(a.shape(), b.shape())?;
        let sizes = sizes(a.shape(), b.shape(), self.device())?;
        let form = ProductForm::of(semiring.algebra(), &a.operand(), &b.operand());
        self.choice(&form, sizes)
    }

    /// [`Products::explain`] of stored matrices of these shapes, which need not be there.
    ///
    /// # Errors
    /// As there.
    pub fn explain_shapes<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        left: Shape,
        right: Shape,
    ) -> Result<Choice<ProductPlan>, SemiringError> {
        shape(left, right)?;
        let form = ProductForm { algebra: semiring.algebra().clone(), left: Form::Stored, right: Form::Stored };
        self.choice(&form, sizes(left, right, self.device())?)
    }

    pub(crate) fn choice(&self, form: &ProductForm, sizes: ProductShape) -> Result<Choice<ProductPlan>, SemiringError> {
        self.planner.choice(&ProductCosts { products: self, form }, &sizes)
    }

    /// The estimated seconds in which the entries of a function are stored.
    pub(crate) fn entry_seconds(&self, entry: &Program, shape: Shape) -> Result<f64, SemiringError> {
        let machine = self.planner.machine();
        let estimate = cost::entries(entry, shape, machine).and_then(|program| machine.estimate(&program));
        let refused = |reason: manycore_model::DoesNotFit| {
            let (device, feature) = (self.device().info().label(), reason.to_string());
            SemiringError::Device(DeviceError::Unsupported { device, feature })
        };
        Ok(estimate.map_err(refused)?.seconds)
    }
}

/// The largest power of two up to 16 that a length is a multiple of: the width of reads and writes follows from it.
fn width(length: usize) -> usize {
    1 << length.trailing_zeros().min(4)
}

/// Data of a measurement: words of both factors, or none of tables, and of the product.
pub(crate) struct Trial([Vec<Memory>; 3]);

impl Trial {
    fn operand<'a>(form: &Form, memory: &'a [Memory]) -> Operand<'a> {
        let words: Vec<Words<'a>> = memory.iter().map(Memory::words).collect();
        match form {
            // Lists have a single plan, which is not measured.
            Form::Stored | Form::Lists => Operand::Stored(words),
            Form::Computed(program) => Operand::Computed(std::sync::Arc::clone(program), words),
            Form::AtResult(program, _) => Operand::AtResult(std::sync::Arc::clone(program), words, 0),
            Form::Made(lists) => Operand::Made(std::sync::Arc::clone(lists), words, 0),
        }
    }
}

impl Operation for ProductCosts<'_> {
    type Costs = Self;
    type Trial = Trial;
    type Error = SemiringError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    fn family(&self, _: &ProductShape) -> String {
        let of = |form: &Form| match form {
            Form::Stored => "stored".to_owned(),
            Form::Lists => "lists".to_owned(),
            Form::Computed(program) => format!("{} operations", program.operations()),
            Form::AtResult(..) => format!("{} operations at results", form.operations()),
            Form::Made(_) => format!("lists by {} operations", form.operations()),
        };
        let ProductForm { algebra, left, right } = self.form;
        format!("semiring-mul, {}, {} x {}", algebra.name(), of(left), of(right))
    }

    fn sizes(&self, shape: &ProductShape) -> Vec<usize> {
        vec![shape.rows, shape.inner, shape.columns]
    }

    fn is_empty(&self, shape: &ProductShape) -> bool {
        shape.rows == 0 || shape.columns == 0
    }

    fn trial(&self, &ProductShape { rows, inner, columns }: &ProductShape) -> Result<Trial, SemiringError> {
        let device = self.products.device();
        // Small numbers without a pattern: none that is slow or no number.
        let small = |at: usize, kind: ScalarType| {
            let value = (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
            match kind.memory() {
                manycore_device::WordType::F32 => u64::from((value as f32).to_bits()),
                manycore_device::WordType::F64 => (value as f64).to_bits(),
                _ => value,
            }
        };
        let words = |kinds: &[ScalarType], len: usize| -> Result<Vec<Memory>, SemiringError> {
            let of = |&kind: &ScalarType| Memory::from_bits(device, kind.memory(), (0..len).map(|at| small(at, kind)));
            Ok(kinds.iter().map(of).collect::<Result<_, _>>()?)
        };
        let operand = |form: &Form, kinds: &[ScalarType], len: usize| match form {
            Form::Stored | Form::Lists => words(kinds, len),
            Form::Computed(_) | Form::AtResult(..) | Form::Made(_) => words(form.tables(), 1),
        };
        let algebra: &Algebra = &self.form.algebra;
        Ok(Trial([
            operand(&self.form.left, algebra.left(), rows * inner)?,
            operand(&self.form.right, algebra.right(), inner * columns)?,
            words(algebra.sums(), rows * columns)?,
        ]))
    }

    fn try_plan(&self, shape: &ProductShape, trial: &mut Trial, plan: &ProductPlan) -> Result<(), SemiringError> {
        let Trial([a, b, out]) = trial;
        let (a, b) = (Trial::operand(&self.form.left, a), Trial::operand(&self.form.right, b));
        let mut out: Vec<WordsMut<'_>> = out.iter_mut().map(Memory::words_mut).collect();
        self.products.product_by(*plan, self.form, *shape, (&a, &b), &mut out)
    }

    /// A fingerprint of the semiring and the operands' functions, whose text is compiled, and the widths of reads.
    fn constants(&self, shape: &ProductShape) -> String {
        let mut hash = FnvHasher::default();
        hash.write(format!("{:?}", self.form).as_bytes());
        format!("{:016x} {} {}", hash.finish(), width(shape.inner), width(shape.columns))
    }

    /// A part of the product: its tiles are those of the whole, by the same program.
    fn proof(&self, shape: &ProductShape, plan: &ProductPlan) -> Result<Proof, SemiringError> {
        const MOST: [usize; 3] = [131, 80, 144];
        // Longer than one tile and no whole number of them.
        let part = |length: usize, most: usize, begin: usize| {
            if length <= most { length } else { begin + width(length) }
        };
        let small = ProductShape {
            rows: shape.rows.min(MOST[0]),
            inner: part(shape.inner, MOST[1], 64),
            columns: part(shape.columns, MOST[2], 128),
        };
        let host = Products::new(&proof::host());
        let product = |operation: &ProductCosts<'_>, plan: ProductPlan| {
            let mut trial = operation.trial(&small)?;
            operation.try_plan(&small, &mut trial, &plan)?;
            Ok::<_, SemiringError>(trial.0[2].iter().map(Memory::bits).collect::<Result<Vec<_>, _>>()?.concat())
        };
        let expected = product(&ProductCosts { products: &host, form: self.form }, ProductPlan::Rows)?;
        Ok(Proof::of_words(&product(self, *plan)?, &expected))
    }
}
