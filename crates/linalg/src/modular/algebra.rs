//! The context that all operations on matrices over a field share.

use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Buffer, Defines, Device, DeviceError, Executor, Kernel, KernelSpec, OpenCl, Word as _};
use manycore_field::{Arithmetic, OutOfRange, ResidueWord as _};
use manycore_model::Machine;
use manycore_ntt::cost::sum_terms;
use manycore_tuning::{Planner, proof};
use manycore_verify::SplitMix;

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::counts::{DeviceCounts, HostCounts};
use crate::modular::eliminate::plan::EliminationChoices;
use crate::modular::inverses::plan::InversionChoices;
use crate::modular::matrix::Matrix;
use crate::modular::multiply::plan::ProductChoices;
use crate::shape::{complete, entries};

/// Dense linear algebra over a prime field on one device.
///
/// Matrices lie in the device's memory, and chains of operations do not return to the host; see [`Matrix`].
///
/// ```
/// use manycore_device::Device;
/// use manycore_field::PrimeField;
/// use manycore_linalg::LinearAlgebra;
///
/// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(101)?)?;
/// let a = space.matrix(2, 2, &[1, 2, 3, 4])?;
/// assert_eq!(space.determinant(&a)?, 99); // -2
/// let inverse = space.inverse(&a)?;
/// assert!(space.equal(&space.mul(&a, &inverse)?, &space.identity(2)?)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LinearAlgebra<F: MatrixField> {
    /// The device, its machine, and the kernels built so far.
    planner: Arc<Planner>,
    field: F,
    /// How the device's kernels compute.
    arithmetic: Arithmetic,
    pub(crate) products: Arc<ProductChoices>,
    pub(crate) eliminations: Arc<EliminationChoices>,
    pub(crate) inversions: Arc<InversionChoices>,
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// Linear algebra over `field` on `device`, planned by the device's machine (the calibrated one if there is one) and its
    /// mode ([`Device::tuning`]). Kernels are built when they are first needed; every candidate of a choice gives the same bits.
    ///
    /// # Errors
    /// None now; kept for devices that prepare something.
    #[inline(never)]
    pub fn new(device: &Device, field: F) -> Result<Self, LinalgError> {
        Ok(Self::of_planner(Planner::new(device), field))
    }

    /// Linear algebra over `field` on `device`, planned as if the device were `machine`, by estimates alone; nothing is
    /// measured, read or kept.
    ///
    /// # Errors
    /// As [`LinearAlgebra::new`].
    #[inline(never)]
    pub fn with_machine(device: &Device, machine: Machine, field: F) -> Result<Self, LinalgError> {
        Ok(Self::of_planner(Planner::with_machine(device, machine), field))
    }

    fn of_planner(planner: Planner, field: F) -> Self {
        // The first is the arithmetic of integers, which every field has.
        let arithmetic = field.arithmetics().first().copied().unwrap_or(Arithmetic::Word32);
        Self {
            planner: Arc::new(planner),
            field,
            arithmetic,
            products: Arc::default(),
            eliminations: Arc::default(),
            inversions: Arc::default(),
        }
    }

    /// The algebra on the host, whose results are the reference in proofs of plans.
    pub(crate) fn proving(&self) -> Self {
        Self::of_planner(Planner::new(&proof::host()), self.field.clone())
    }

    /// Linear algebra over another field of primes with as many bits, with the kernels and the choices of this one.
    #[cfg(feature = "bigint")]
    pub(crate) fn over(&self, field: F) -> Self {
        Self { field, ..self.clone() }
    }

    /// The algebra with kernels that compute in `arithmetic`; the bits of results do not depend on it.
    ///
    /// # Errors
    /// [`LinalgError::Arithmetic`] where its range does not hold the prime.
    #[inline(never)]
    pub fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Result<Self, LinalgError> {
        if !self.field.arithmetics().contains(&arithmetic) {
            return Err(LinalgError::Arithmetic { arithmetic, p: self.field.order() });
        }
        self.arithmetic = arithmetic;
        self.products = Arc::default();
        self.eliminations = Arc::default();
        self.inversions = Arc::default();
        Ok(self)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The machine that choices are planned for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }

    /// The field of the entries.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// How the kernels of OpenCL devices compute.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The matrix of `rows` by `columns` entries, canonical residues, row after row.
    ///
    /// # Errors
    /// [`LinalgError::Entries`] for another number of entries; [`LinalgError::OutOfRange`] with the place of the first entry
    /// that is no residue; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn matrix(&self, rows: usize, columns: usize, words: &[F::Element]) -> Result<Matrix<F>, LinalgError> {
        complete((rows, columns), words.len())?;
        check_residues(&self.field, words, columns)?;
        Ok(self.of(self.device().upload(words)?, rows, columns))
    }

    /// The entries, row after row.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn entries(&self, a: &Matrix<F>) -> Result<Vec<F::Element>, LinalgError> {
        self.own(a)?;
        Ok(a.buffer.download()?)
    }

    /// Copies the entries to `out`, row after row.
    ///
    /// # Errors
    /// [`LinalgError::MixedFields`]; [`LinalgError::Device`], also for an output of another length than the matrix has.
    #[inline(never)]
    pub fn entries_into(&self, a: &Matrix<F>, out: &mut [F::Element]) -> Result<(), LinalgError> {
        self.own(a)?;
        Ok(a.buffer.read_into(out)?)
    }

    /// The matrix of zeros.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn zeros(&self, rows: usize, columns: usize) -> Result<Matrix<F>, LinalgError> {
        Ok(self.of(self.device().zeros(entries(rows, columns)?)?, rows, columns))
    }

    /// A matrix of uniform residues that `seed` determines, the same on every device.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    #[inline(never)]
    pub fn random(&self, rows: usize, columns: usize, seed: u64) -> Result<Matrix<F>, LinalgError> {
        let mut random = SplitMix::new(seed);
        let words: Vec<F::Element> = (0..entries(rows, columns)?).map(|_| residue(&self.field, &mut random)).collect();
        self.matrix(rows, columns, &words)
    }

    /// A matrix of the field's residues that is known to have `rows * columns` of them.
    pub(crate) fn of(&self, buffer: Buffer<F::Element>, rows: usize, columns: usize) -> Matrix<F> {
        Matrix { buffer, rows, columns, field: self.field.clone() }
    }

    /// A matrix of unspecified entries, for results that are written whole.
    pub(crate) fn scratch(&self, rows: usize, columns: usize) -> Result<Matrix<F>, LinalgError> {
        Ok(self.of(self.device().scratch(entries(rows, columns)?)?, rows, columns))
    }

    /// Fails unless the matrix is one over this field, on this device.
    pub(crate) fn own(&self, a: &Matrix<F>) -> Result<(), LinalgError> {
        if a.field.order() != self.field.order() {
            return Err(LinalgError::MixedFields { expected: self.field.order(), given: a.field.order() });
        }
        Ok(self.device().same_as(a.device())?)
    }

    /// The words that products need of the prime.
    pub(crate) fn modulus(&self) -> (F::Element, u64) {
        (F::Element::from_u64(self.field.order()), self.field.reciprocal(self.arithmetic))
    }

    /// The definitions that kernels are built with.
    pub(crate) fn defines(&self) -> Defines {
        self.arithmetic.define(Defines::new().element(F::Element::TYPE))
    }

    /// A kernel with these defines: built at its first use, then kept.
    pub(crate) fn kernel(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        self.planner.kernel(cl, spec, defines)
    }

    /// The planner, with the kernels built so far.
    pub(crate) fn planner(&self) -> &Planner {
        &self.planner
    }

    /// What choices depend on beside their shapes.
    pub(crate) fn plan_key(&self) -> String {
        let bits = u64::BITS - self.field.order().leading_zeros();
        format!("{}, {bits} bits", self.arithmetic)
    }

    /// Operations of the device's kernels.
    pub(crate) fn device_counts(&self) -> DeviceCounts {
        DeviceCounts::of(self.arithmetic, self.sum_terms(), self.has_montgomery_form())
    }

    /// Operations of the host.
    pub(crate) fn host_counts(&self) -> HostCounts {
        HostCounts { word_bytes: size_of::<F::Element>() as u32, order: self.field.order() }
    }

    /// Whether kernels may compute in Montgomery's form.
    pub(crate) fn has_montgomery_form(&self) -> bool {
        let in_words = matches!(self.arithmetic, Arithmetic::Word32 | Arithmetic::Word64 { .. });
        in_words && self.field.order() % 2 == 1
    }

    /// The most products, of 2 and 4, that `accumulate.clh` may add between two foldings modulo the prime.
    pub(crate) fn sum_terms(&self) -> u32 {
        sum_terms(self.arithmetic, self.field.order())
    }
}

/// Words that a thread checks at a time.
const CHECKED: usize = 1 << 18;

/// Checks that all words of rows of `columns` entries are residues, with all threads of the host where they are many.
pub(crate) fn check_residues<F: MatrixField>(
    field: &F,
    words: &[F::Element],
    columns: usize,
) -> Result<(), LinalgError> {
    let host = Device::host();
    let outcome = match host.executor() {
        Executor::Host(pool) if words.len() > CHECKED => {
            let first: Mutex<Option<OutOfRange>> = Mutex::default();
            pool.team().each_checked(words.chunks(CHECKED).enumerate(), |(at, part)| {
                let Err(error) = field.check(part) else { return };
                let index = at * CHECKED + error.index;
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|first| index < first.index) {
                    *first = Some(OutOfRange { index, ..error });
                }
            })?;
            first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
        }
        _ => field.check(words),
    };
    outcome.map_err(|error| out_of_range(error, columns))
}

/// The error for a word that is no residue, with its place in rows of `columns` entries.
fn out_of_range(error: OutOfRange, columns: usize) -> LinalgError {
    let (row, column) = (error.index / columns.max(1), error.index % columns.max(1));
    LinalgError::OutOfRange { row, column, value: error.value, modulus: error.modulus }
}

/// A uniform residue: the first number below `p` among words of as many bits.
pub(crate) fn residue<F: MatrixField>(field: &F, random: &mut SplitMix) -> F::Element {
    let p = field.order();
    let mask = u64::MAX >> (p - 1).leading_zeros().min(63);
    loop {
        let word = random.next_word() & mask;
        if word < p {
            return F::Element::from_u64(word);
        }
    }
}
