//! Generalized products `c[u][v] = sum over i, in order, of a[u][i] b[i][v]` (paper 003, formula 1).
//!
//! | file | what |
//! |---|---|
//! | `reference` | the definition |
//! | `host` | blocks of rows shared by threads |
//! | `host_operands` | operands as those read them |
//! | `bits` | truth values, 32 to a word |
//! | `bands` | dense operands on the host by any operations |
//! | `registers` | tiles of known operations on the host, in vector registers |
//! | `device` | a kernel that is made of the semiring's text |
//! | `text` | that text |
//! | `assembly` | steps in the words of a device |
//! | `extrema` | maxima and minima by a device's own instruction |
//! | `lists` | the kernels of two operands that are lists of entries |
//! | `direct` | the kernels of one operand that is lists, and of those that depend on the result's entry or whose lists functions make |
//! | `several` | matrices of the host's memory, on several devices and past their memory |
//! | `plan` | the algorithms and their parameters |
//! | `cost` | what they count |
//! | `choice` | the choice among them |

mod assembly;
mod bands;
mod bits;
mod choice;
mod cost;
mod device;
mod direct;
mod extrema;
pub(crate) mod host;
mod host_operands;
mod lists;
mod plan;
mod reference;
mod registers;
mod several;
mod text;

use manycore_device::{Cache, Device, Executor, Kernel};
use manycore_expressions::{Elements, Program, WordsMut};
use manycore_tuning::{Planner, Plans};

pub use manycore_arrays::blocks::ProductTiles;
pub use plan::{ProductPlan, ProductTile};

use crate::algebra::Algebra;
use crate::entries::EntryKernels;
use crate::error::SemiringError;
use crate::factor::Factor;
use crate::matrix::Matrix;
use crate::operand::{Form, Operand};
use crate::plan::Shape;
use crate::resident::{DeviceMatrix, count, len};
use crate::semiring::Semiring;
use bits::{BitKernels, Bits};
use text::KernelKey;

/// The sizes of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ProductShape {
    pub(crate) rows: usize,
    pub(crate) inner: usize,
    pub(crate) columns: usize,
}

impl ProductShape {
    /// Products of two entries.
    pub(crate) fn pairs(self) -> u64 {
        [self.rows, self.inner, self.columns]
            .into_iter()
            .fold(1, |product: u64, size| product.saturating_mul(size as u64))
    }

    /// Bytes of both factors and of the product, all stored.
    pub(crate) fn bytes(self, algebra: &Algebra) -> u64 {
        let of = |a: usize, b: usize, kinds: &[_]| {
            (a as u64).saturating_mul(b as u64).saturating_mul(Algebra::bytes(kinds).1 as u64)
        };
        of(self.rows, self.inner, algebra.left())
            .saturating_add(of(self.inner, self.columns, algebra.right()))
            .saturating_add(of(self.rows, self.columns, algebra.sums()))
    }
}

/// What choices depend on beside sizes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ProductForm {
    pub(crate) algebra: Algebra,
    pub(crate) left: Form,
    pub(crate) right: Form,
}

impl ProductForm {
    /// All programs that run for it.
    fn programs(&self) -> impl Iterator<Item = &Program> {
        [&*self.algebra.step].into_iter().chain(self.left.programs()).chain(self.right.programs())
    }

    /// Whether a device needs double precision for it.
    pub(crate) fn needs_fp64(&self) -> bool {
        self.programs().any(Program::needs_fp64)
    }

    /// The plan on an OpenCL device, where there is one alone: of factors that are lists, or that depend on the result's entry.
    pub(crate) fn sole_plan(&self) -> Option<ProductPlan> {
        match (&self.left, &self.right) {
            (Form::Lists, Form::Lists) => Some(ProductPlan::Lists),
            (Form::Stored | Form::Computed(_), Form::Stored | Form::Computed(_)) => None,
            _ => Some(ProductPlan::Direct),
        }
    }

    /// Whether two columns of so many may stand in a word.
    pub(crate) fn has_halves(&self, columns: u64) -> bool {
        columns.is_multiple_of(2)
            && [&self.left, &self.right].into_iter().all(|form| *form == Form::Stored)
            && assembly::Halves::of(&self.algebra).is_some()
    }

    /// The directives before the functions of a kernel's text.
    pub(crate) fn head(&self) -> String {
        self.programs().find(|program| program.needs_fp64()).unwrap_or(&self.algebra.step).opencl_head()
    }
}

/// Generalized products on a device: the host's threads, or kernels that are made of a semiring's text, each once.
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Function, Value};
/// use manycore_semiring::{Matrix, Products, Semiring};
///
/// type V = Value<i32>;
/// let (product, sum) = (Function::new(|(a, b): (V, V)| a + b)?, Function::new(|(a, b): (V, V)| a.max(b))?);
/// let max_plus = Semiring::<i32, i32, i32>::new(product, sum, i32::MIN)?;
/// let products = Products::new(&Device::from_env()?);
/// let a = products.upload(&Matrix::stored(2, 2, &[1, 2, 3, 4])?)?;
/// let c = products.multiply(&max_plus, &a, &a)?; // stays on the device
/// assert_eq!(c.download()?.entries(), [5, 6, 7, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Products {
    planner: Planner,
    kernels: Cache<KernelKey, Kernel>,
    list_kernels: Cache<Algebra, Kernel>,
    direct_kernels: Cache<ProductForm, Kernel>,
    entry_kernels: EntryKernels,
    bit_kernels: BitKernels,
    chosen: Plans<(ProductForm, ProductShape), ProductPlan>,
}

impl Products {
    /// Products on a device.
    pub fn new(device: &Device) -> Self {
        Self {
            planner: Planner::new(device),
            kernels: Cache::default(),
            list_kernels: Cache::default(),
            direct_kernels: Cache::default(),
            entry_kernels: EntryKernels::default(),
            bit_kernels: BitKernels::default(),
            chosen: Plans::default(),
        }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    pub(crate) fn bit_kernels(&self) -> &BitKernels {
        &self.bit_kernels
    }

    pub(crate) fn entry_kernels(&self) -> &EntryKernels {
        &self.entry_kernels
    }

    /// A copy of a matrix on the device ([`DeviceMatrix::upload`]).
    ///
    /// # Errors
    /// [`SemiringError::Device`] without the memory.
    #[inline(never)]
    pub fn upload<T: Elements>(&self, matrix: &Matrix<T>) -> Result<DeviceMatrix<T>, SemiringError> {
        DeviceMatrix::upload(self.device(), matrix)
    }

    /// The product of a matrix of `l` by `m` entries and one of `m` by `n`, stored, in `l m n` products and sums. An operand that
    /// is a function is computed where it is read; a [`FunctionMatrix`](crate::FunctionMatrix) for each entry of the product. Missing entries of lists are left out: of a left operand as lists O(entries n)
    /// steps, of a right one O(l entries), and as many as there are pairs of entries where both are.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`]; [`SemiringError::Absent`] where products with missing entries are not zero; [`SemiringError::NoChoice`] where no plan suits the device; [`SemiringError::Device`].
    #[inline(never)]
    pub fn multiply<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        leaves_out(semiring, a, b)?;
        self.multiply_leaving_out(semiring, a, b)
    }

    /// [`Products::multiply`] whose missing entries are known to count for nothing.
    pub(crate) fn multiply_leaving_out<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        self.stored(semiring, a, b, |algebra, shape, (a, b), out| self.product(algebra, shape, (a, b), out))
    }

    /// [`Products::multiply`] by a given plan: the same bits by every plan.
    ///
    /// # Errors
    /// As [`Products::multiply`]; [`SemiringError::Plan`] for a plan that the device does not take.
    pub fn multiply_by<A: Elements, B: Elements, S: Elements>(
        &self,
        plan: ProductPlan,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        leaves_out(semiring, a, b)?;
        self.stored(semiring, a, b, |algebra, shape, (a, b), out| self.product_by(plan, algebra, shape, (a, b), out))
    }

    /// Makes a result of a product, by `run` where it has entries.
    fn stored<A: Elements, B: Elements, S: Elements>(
        &self,
        semiring: &Semiring<A, B, S>,
        a: &impl Factor<A>,
        b: &impl Factor<B>,
        run: impl FnOnce(
            &Algebra,
            ProductShape,
            (&Operand<'_>, &Operand<'_>),
            &mut [WordsMut<'_>],
        ) -> Result<(), SemiringError>,
    ) -> Result<DeviceMatrix<S>, SemiringError> {
        let shape = shape(a.shape(), b.shape())?;
        for device in [a.device(), b.device()].into_iter().flatten() {
            self.device().same_as(device)?;
        }
        a.check()?;
        b.check()?;
        let sizes = sizes(a.shape(), b.shape(), self.device())?;
        let (left, right) = (a.operand(), b.operand());
        for (operand, side, is_by_rows, lines) in [(&left, "first", true, "columns"), (&right, "second", false, "rows")]
        {
            if let Operand::Made(lists, ..) = operand
                && lists.is_by_rows != is_by_rows
            {
                return Err(SemiringError::Lines { lines, side });
            }
        }
        let mut out = DeviceMatrix::scratch(self.device(), shape)?;
        if let Some(entries) = out.entries_mut().filter(|entries| !entries.is_empty()) {
            let mut words: Vec<WordsMut<'_>> =
                entries.memory_mut().iter_mut().map(|memory| memory.words_mut()).collect();
            run(semiring.algebra(), sizes, (&left, &right), &mut words)?;
        }
        Ok(out)
    }

    /// A product that has entries, by the plan that is taken.
    pub(crate) fn product(
        &self,
        algebra: &Algebra,
        shape: ProductShape,
        (a, b): (&Operand<'_>, &Operand<'_>),
        out: &mut [WordsMut<'_>],
    ) -> Result<(), SemiringError> {
        if self.planner.on_host() {
            let form = ProductForm { algebra: algebra.clone(), left: a.form(), right: b.form() };
            let plan = cost::on_host(&form)[0];
            return self.product_by(plan, algebra, shape, (a, b), out);
        }
        let form = ProductForm { algebra: algebra.clone(), left: a.form(), right: b.form() };
        if let Some(plan) = form.sole_plan() {
            return self.product_by(plan, algebra, shape, (a, b), out);
        }
        let ask = |_: &_| Ok(self.planner.ask(cost::ProductCosts { products: self, form: &form }, shape));
        self.chosen
            .run(self.device(), (form.clone(), shape), ask, |&plan| self.product_by(plan, algebra, shape, (a, b), out))
    }

    /// A product that has entries, by a plan.
    pub(crate) fn product_by(
        &self,
        plan: ProductPlan,
        algebra: &Algebra,
        shape: ProductShape,
        (a, b): (&Operand<'_>, &Operand<'_>),
        out: &mut [WordsMut<'_>],
    ) -> Result<(), SemiringError> {
        let words = match (self.device().executor(), plan) {
            (Executor::Host(_), ProductPlan::Bits) => Some(None),
            (Executor::OpenCl(_), ProductPlan::BitTiles(tile)) => Some(Some(ProductPlan::Tiles(tile))),
            _ => None,
        };
        let form = || ProductForm { algebra: algebra.clone(), left: a.form(), right: b.form() };
        if let Some((words, bits)) = words.and_then(|words| Some((words, Bits::of(&form())?))) {
            let plan = words.unwrap_or_else(|| cost::on_host(&bits.form())[0]);
            return bits::product(self, (bits, shape, plan), (a, b), out);
        }
        let is_dense = |operand: &Operand<'_>| matches!(operand, Operand::Stored(_) | Operand::Computed(..));
        match (self.device().executor(), plan) {
            (Executor::Host(pool), ProductPlan::Registers)
                if registers::product(pool, (algebra, shape), (a, b), out)? =>
            {
                Ok(())
            }
            (Executor::Host(pool), ProductPlan::Rows) => host::product(pool, (algebra, shape), (a, b), out),
            (Executor::OpenCl(cl), ProductPlan::Tiles(tile))
                if is_dense(a) && is_dense(b) && tile.fits(cl, algebra)? =>
            {
                device::product(cl, &self.kernels, (algebra, shape, tile), (a, b), out)
            }
            (Executor::OpenCl(cl), ProductPlan::Direct) => {
                direct::product(cl, &self.direct_kernels, (algebra, shape), (a, b), out)
            }
            (Executor::OpenCl(cl), ProductPlan::Lists) => match (a, b) {
                (Operand::Lists { rows: a, .. }, Operand::Lists { rows: b, .. }) => {
                    lists::product(cl, &self.list_kernels, (algebra, shape), (a, b), out)
                }
                _ => Err(SemiringError::Plan { plan, device: self.device().info().label() }),
            },
            _ => Err(SemiringError::Plan { plan, device: self.device().info().label() }),
        }
    }
}

impl<A: Elements, B: Elements, S: Elements> Semiring<A, B, S> {
    /// The product on a device, stored; for products in a row keep a [`Products`]. In blocks that come and go where the device does not
    /// hold all ([`Semiring::multiply_on`]).
    ///
    /// # Errors
    /// As [`Semiring::multiply_on`].
    #[inline(never)]
    pub fn multiply(&self, device: &Device, a: &Matrix<A>, b: &Matrix<B>) -> Result<Matrix<S>, SemiringError> {
        if !several::fits(device, self.algebra(), a, b)? {
            return self.multiply_on(&device.clone().into(), a, b);
        }
        let products = Products::new(device);
        products.multiply(self, &products.upload(a)?, &products.upload(b)?)?.download()
    }
}

/// Whether products with missing entries are zero.
pub(crate) fn leaves_out<A: Elements, B: Elements, S: Elements>(
    semiring: &Semiring<A, B, S>,
    a: &impl Factor<A>,
    b: &impl Factor<B>,
) -> Result<(), SemiringError> {
    if a.absent().is_some_and(|absent| !semiring.leaves_out_left(absent)) {
        return Err(SemiringError::Absent { side: "left" });
    }
    if b.absent().is_some_and(|absent| !semiring.leaves_out_right(absent)) {
        return Err(SemiringError::Absent { side: "right" });
    }
    Ok(())
}

/// The shape of a product.
fn shape(left: Shape, right: Shape) -> Result<Shape, SemiringError> {
    if left.columns != right.rows {
        return Err(SemiringError::Shapes { left, right });
    }
    Ok(Shape { rows: left.rows, columns: right.columns })
}

/// The sizes of a product whose operands fit.
fn sizes(left: Shape, right: Shape, device: &Device) -> Result<ProductShape, SemiringError> {
    for shape in [left, right, Shape { rows: left.rows, columns: right.columns }] {
        len(shape, device)?;
    }
    Ok(ProductShape {
        rows: count(left.rows, device)?,
        inner: count(left.columns, device)?,
        columns: count(right.columns, device)?,
    })
}
