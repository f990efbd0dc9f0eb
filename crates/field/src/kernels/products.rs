//! The multiplications side by side on an OpenCL device: one kernel that multiplies again and again.

use manycore_device::{Buffer, Defines, DeviceError, Executor, OpenCl, Word};

use super::{Arithmetic, KernelField};
use crate::prime_field::{Montgomery, ResidueWord};

// SAFETY: `on_device` alone launches them, with the length of the buffer, an even one.
manycore_device::kernel! {
    unsafe PRODUCTS in manycore_kernels::field::PRODUCTS: products

    unsafe BUTTERFLIES in manycore_kernels::field::PRODUCTS: butterflies
}

/// What is done with every residue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// The product of two residues: after Barrett, or the arithmetic's own.
    Product,
    /// The product by a constant with its quotient: after Shoup, or the arithmetic's own.
    Factor,
    /// The product divided by `R = 2^32` or `2^64`, after Montgomery; for odd primes in words.
    Montgomery,
    /// Pairs of values `(u, v)`, `v` in the second half, to `(u + b v, u - b v)`.
    Butterfly,
}

/// Work-items of a group.
const GROUP: usize = 256;

/// Does `step` with `b` on every residue of `data`, `times` times over, `chains` residues in each work-item; the host does
/// the same by the field's own operations.
///
/// Not a way to compute powers: it exists so that the multiplications of kernels can be tested and their rates measured.
///
/// # Errors
/// [`DeviceError::Unsupported`] for an arithmetic whose range does not hold the prime, and for Montgomery's product where
/// there is none; others of [`DeviceError`].
pub fn repeat<F: KernelField>(
    field: &F,
    arithmetic: Arithmetic,
    step: Step,
    data: &mut Buffer<F::Element>,
    b: F::Element,
    (times, chains): (u32, u32),
) -> Result<(), DeviceError> {
    let device = data.device().clone();
    let montgomery = Montgomery::new(F::Element::from_u64(field.order()));
    let words = matches!(arithmetic, Arithmetic::Word32 | Arithmetic::Word64 { .. });
    if !field.arithmetics().contains(&arithmetic)
        || (step == Step::Montgomery && (!words || montgomery.is_none()))
        || !data.len().is_multiple_of(2)
    {
        let feature = format!("{step:?} of {} values in {arithmetic} modulo {}", data.len(), field.order());
        return Err(DeviceError::Unsupported { device: device.info().label(), feature });
    }
    match device.executor() {
        Executor::Host(_) => {
            on_host(field, step, montgomery.as_ref(), data.host_mut()?, b, times);
            Ok(())
        }
        Executor::OpenCl(cl) => {
            let inverse = montgomery.map_or(0, |by| by.inverse().as_u64());
            on_device(cl, field, arithmetic, step, inverse, data, b, (times, chains.max(1)))
        }
    }
}

fn on_host<F: KernelField>(
    field: &F,
    step: Step,
    montgomery: Option<&Montgomery<F::Element>>,
    x: &mut [F::Element],
    b: F::Element,
    times: u32,
) {
    let (low, high) = x.split_at_mut(x.len() / 2);
    for (u, v) in low.iter_mut().zip(high) {
        for _ in 0..times {
            (*u, *v) = match (step, montgomery) {
                (Step::Butterfly, _) => {
                    let product = field.mul(*v, b);
                    (field.add(*u, product), field.sub(*u, product))
                }
                (Step::Montgomery, Some(by)) => (by.mul(*u, b), by.mul(*v, b)),
                _ => (field.mul(*u, b), field.mul(*v, b)),
            };
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the arguments of `repeat`, checked")]
fn on_device<F: KernelField>(
    cl: &OpenCl,
    field: &F,
    arithmetic: Arithmetic,
    step: Step,
    inverse: u64,
    data: &mut Buffer<F::Element>,
    b: F::Element,
    (times, chains): (u32, u32),
) -> Result<(), DeviceError> {
    let count = data.len();
    let [first, second] = field.factor(b, arithmetic);
    let (p, reciprocal) = (F::Element::from_u64(field.order()), field.reciprocal(arithmetic));
    let method = match step {
        Step::Montgomery => 2,
        Step::Factor => 1,
        Step::Product | Step::Butterfly => 0,
    };
    let defines = arithmetic.define(Defines::new().element(F::Element::TYPE)).set("METHOD", method);
    let defines = defines.set("CHAINS", format!("{chains}u"));
    let kernel;
    let (launch, values) = if step == Step::Butterfly {
        kernel = cl.kernel(&BUTTERFLIES, &defines)?;
        (cl.launch(&kernel).buffer(data).value(count as u64), count / 2)
    } else {
        kernel = cl.kernel(&PRODUCTS, &defines)?;
        (cl.launch(&kernel).buffer(data).value(count as u64).value(b), count)
    };
    let launch = launch.value(first).value(second).value(times).value(p).value(reciprocal);
    let launch = if step == Step::Butterfly { launch } else { launch.value(inverse) };
    launch
        .groups(values.div_ceil(GROUP * chains as usize).max(1), GROUP)
        .bytes(2 * (count * size_of::<F::Element>()) as u64)
        .operations(u64::from(times) * values as u64)
        .run()
}
