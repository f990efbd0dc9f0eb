//! The ring of polynomials: the context of all operations.

use manycore_device::{Buffer, Context, Defines, Device, Word as _};
use manycore_field::{Arithmetic, ResidueWord as _};
use manycore_files::NpyNumber;
use manycore_model::{Machine, Operation};
use manycore_transform::NttField;

use crate::error::PolyError;
use crate::host::HostField;
use crate::multiply::Multiplier;
use crate::poly::Poly;

/// Fields whose polynomials have all operations on the host and on devices: [`PrimeField<u32>`](manycore_field::PrimeField),
/// [`PrimeField<u64>`](manycore_field::PrimeField) and [`Goldilocks`](manycore_field::Goldilocks).
pub trait PolyField: NttField<Element: NpyNumber> + HostField {}

impl<F: NttField<Element: NpyNumber> + HostField> PolyField for F {}

/// The ring of polynomials in one variable over a prime field, on one device: keeps kernels, tables and the model's choices.
///
/// Polynomials lie in the device's memory and chains of operations do not return to the host; see [`Poly`].
///
/// ```
/// use manycore_device::Device;
/// use manycore_field::PrimeField;
/// use manycore_poly::PolyRing;
///
/// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
/// let f = ring.poly(&[3, 0, 5, 1])?; // 3 + 5 x^2 + x^3
/// let g = ring.poly(&[2, 6])?;
/// assert_eq!(ring.coefficients(&ring.mul(&f, &g)?)?, [6, 4, 3, 4, 6]);
/// assert_eq!(ring.evaluate(&f, 2)?, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PolyRing<F: PolyField> {
    context: Context,
    field: F,
    /// How the device's kernels compute.
    arithmetic: Arithmetic,
    pub(crate) multiplier: Multiplier<F>,
}

impl<F: PolyField> PolyRing<F> {
    /// The ring over `field` on `device`, that chooses by the device's machine: the calibrated one if there is one. Kernels
    /// are built when they are first needed.
    ///
    /// On a CPU through OpenCL the prices of products by the definition and of transforms are corrected by a measurement for each
    /// arithmetic ([`Ntt::corrected`](manycore_transform::Ntt::corrected)), when first asked for; what was measured is kept for
    /// later processes.
    ///
    /// # Errors
    /// None now; kept for devices that prepare something.
    pub fn new(device: &Device, field: F) -> Result<Self, PolyError> {
        Ok(Self::with_machine(device, device.machine(), field)?.corrected())
    }

    /// The same, choosing as if the device were `machine`, by prediction alone.
    ///
    /// # Errors
    /// As [`PolyRing::new`].
    pub fn with_machine(device: &Device, machine: Machine, field: F) -> Result<Self, PolyError> {
        Ok(Self {
            arithmetic: fastest(&field.arithmetics(), device, &machine),
            multiplier: Multiplier::new(device, &machine, &field)?,
            context: Context::with_machine(device, machine),
            field,
        })
    }

    /// The same with prices corrected as [`PolyRing::new`] does it.
    #[must_use]
    pub fn corrected(self) -> Self {
        Self { multiplier: self.multiplier.corrected(), context: self.context.correcting(), ..self }
    }

    /// The same with kernels that compute in `arithmetic` instead of the one that the model finds fastest; the results are
    /// the same bits. Products by transforms choose by themselves.
    ///
    /// # Errors
    /// [`PolyError::Arithmetic`](PolyError) where its range does not hold the prime.
    pub fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Result<Self, PolyError> {
        if !self.field.arithmetics().contains(&arithmetic) {
            return Err(PolyError::Arithmetic { arithmetic, p: self.field.order() });
        }
        self.arithmetic = arithmetic;
        self.multiplier.forget();
        Ok(self)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.context.device()
    }

    /// The machine that choices are made for.
    pub fn machine(&self) -> &Machine {
        self.context.machine()
    }

    /// The field of the coefficients.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// How the kernels of OpenCL devices compute.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Fails unless the polynomial is one of this ring, on its device.
    pub(crate) fn own(&self, f: &Poly<F>) -> Result<(), PolyError> {
        if f.field.order() != self.field.order() {
            return Err(PolyError::MixedRings { expected: self.field.order(), given: f.field.order() });
        }
        Ok(self.device().same_as(f.buffer.device())?)
    }

    /// A polynomial whose leading coefficient, if `len` is not 0, is known not to be zero.
    pub(crate) fn exact(&self, buffer: Buffer<F::Element>, len: usize) -> Poly<F> {
        Poly { buffer, len, field: self.field.clone() }
    }

    /// The words that products need of the prime.
    pub(crate) fn modulus(&self) -> (F::Element, u64) {
        (F::Element::from_u64(self.field.order()), self.field.reciprocal(self.arithmetic))
    }

    /// The definitions that kernels of this ring are built with.
    pub(crate) fn defines(&self) -> Defines {
        self.arithmetic.define(Defines::new().element(F::Element::TYPE))
    }

    /// Products that kernels add between two reductions: 4 where the range has room, else 2.
    pub(crate) fn sum_terms(&self) -> u32 {
        sum_terms(self.arithmetic, self.field.order())
    }

    /// Kernels built, and what they are built for.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }
}

/// The most products, of 2 and 4, that `accumulate.clh` may add between two foldings.
const fn sum_terms(arithmetic: Arithmetic, p: u64) -> u32 {
    let room = match arithmetic {
        Arithmetic::Word32 => p <= 1 << 30,
        Arithmetic::Word64 { .. } => p <= 1 << 62,
        Arithmetic::Goldilocks => true,
        Arithmetic::Floating => false,
    };
    if room { 4 } else { 2 }
}

/// What a product that is added to a sum costs in kernels, in multiply-adds of an operation.
pub(crate) const fn product_price(arithmetic: Arithmetic) -> (Operation, u64) {
    match arithmetic {
        Arithmetic::Word32 => (Operation::Int32, 4),
        Arithmetic::Word64 { .. } => (Operation::Int64, 6),
        Arithmetic::Goldilocks => (Operation::Int64, 7),
        Arithmetic::Floating => (Operation::F64, 10),
    }
}

/// The arithmetic whose sums of products the device does fastest, of those that hold for a field.
fn fastest(arithmetics: &[Arithmetic], device: &Device, machine: &Machine) -> Arithmetic {
    let floating = |arithmetic| arithmetic == Arithmetic::Floating;
    let possible = arithmetics.iter().copied().filter(|&one| !floating(one) || device.floating_residues());
    let seconds = |arithmetic: &Arithmetic| {
        let (operation, price) = product_price(*arithmetic);
        price as f64 / machine.rate(operation)
    };
    // Every field has an arithmetic of integers.
    possible.min_by(|a, b| seconds(a).total_cmp(&seconds(b))).unwrap_or(Arithmetic::Word64 { lazy: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_sums_have_room() {
        for (arithmetic, bits, p) in [
            (Arithmetic::Word32, 32, (1u64 << 31) - 1),
            (Arithmetic::Word32, 32, 469_762_049),
            (Arithmetic::Word64 { lazy: false }, 64, (1 << 63) - 25),
            (Arithmetic::Word64 { lazy: true }, 64, 4_611_686_009_971_671_041),
        ] {
            let terms = u128::from(sum_terms(arithmetic, p));
            assert!(terms * u128::from(p) <= 1 << bits, "{arithmetic} {p}");
        }
        assert_eq!(sum_terms(Arithmetic::Word32, 2_013_265_921), 2);
        assert_eq!(sum_terms(Arithmetic::Word32, 469_762_049), 4);
    }
}
