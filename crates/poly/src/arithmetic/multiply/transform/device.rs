//! The steps on an OpenCL device: one launch each.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, Launch, OpenCl, ViewMut, Word as _, WordType};
use manycore_field::{Arithmetic, ResidueWord};
use manycore_ntt::NttField;
use manycore_ntt::multiply_spectra;
use manycore_tuning::Planner;

use super::component::Component;
use super::error::ProductError;
use super::root_powers::RootPowers;
use super::rows::{Operands, Wanted};
use super::step::{EACH, GROUP};

// SAFETY: the functions of this file alone launch them: rows are as long as the route says, which has no fault for the
// shape, and operands and results are views of the lengths that `TransformProduct::shape` compared.
manycore_device::kernel! {
    /// Coefficients to rows.
    unsafe LOAD in manycore_kernels::poly::TRANSFORM_LOAD: transform_load

    /// Coefficients to rows of both parts of a length of three quarters.
    unsafe LOAD_TWISTED in manycore_kernels::poly::TRANSFORM_TWIST: transform_load_twisted

    /// Both parts put together.
    unsafe COMBINE in manycore_kernels::poly::TRANSFORM_TWIST: transform_combine

    /// Rows of residues to coefficients.
    unsafe STORE in manycore_kernels::poly::TRANSFORM_STORE: transform_store
}

fn defines<G: NttField>(by: &Component<G>) -> Defines {
    by.arithmetic.define(Defines::new().element(G::Element::TYPE))
}

/// `p` and what general products need of it.
fn modulus<G: NttField>(by: &Component<G>) -> (G::Element, u64) {
    (G::Element::from_u64(by.field.order()), by.field.reciprocal(by.arithmetic))
}

fn group(launch: Launch<'_>, words: usize) -> Launch<'_> {
    launch.items(words.div_ceil(EACH), GROUP)
}

/// The first arguments of both loads; squares have no right operand, and the left one stands for it.
pub(super) fn operands<'a, W: ResidueWord>(launch: Launch<'a>, from: &Operands<'a, W>) -> Launch<'a> {
    let (a, b) = (from.a, from.b.unwrap_or(from.a));
    [a, b].into_iter().fold(launch, |launch, runs| {
        launch.input(runs.buffer).value(runs.start as u64).value(runs.len as u64).value(runs.stride as u64)
    })
}

pub(super) fn load<W: ResidueWord, G: NttField>(
    cx: &Arc<Planner>,
    cl: &OpenCl,
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    to: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    let rows = from.rows() + from.rows_b();
    let words = to.len();
    let log_len = (words / rows.max(1)).max(1).ilog2();
    let defines = Defines::new()
        .element(G::Element::TYPE)
        .set("SOURCE", W::TYPE.opencl_name())
        .set("REDUCE", u8::from(reduce))
        .set("EACH", format!("{EACH}u"));
    let kernel = cx.kernel(cl, &LOAD, defines)?;
    let bytes = size_of::<G::Element>() * words + size_of::<W>() * from.words();
    let launch = operands(cl.launch(&kernel), from)
        .buffer(to)
        .value(words as u64)
        .value(log_len)
        .value(from.rows() as u64)
        .value(from.block as u64)
        .value(from.blocks as u64)
        .value(modulus(by).0)
        .value(u64::MAX / by.field.order());
    group(launch, words).bytes(bytes as u64).run()?;
    Ok(())
}

#[allow(clippy::too_many_arguments)] // the arguments of a launch
pub(super) fn load_twisted<W: ResidueWord, G: NttField>(
    cx: &Arc<Planner>,
    cl: &OpenCl,
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    root: &RootPowers<G>,
    cyclic: &mut Buffer<G::Element>,
    twisted: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    let rows = from.rows() + from.rows_b();
    let third = twisted.len() / rows.max(1);
    let defines = defines(by).set("SOURCE", W::TYPE.opencl_name()).set("REDUCE", u8::from(reduce));
    let kernel = cx.kernel(cl, &LOAD_TWISTED, defines)?;
    let bytes = size_of::<G::Element>() * 3 * third * rows + size_of::<W>() * from.words();
    let (p, reciprocal) = modulus(by);
    let [s, quotient] = by.field.factor(root.s, by.arithmetic);
    operands(cl.launch(&kernel), from)
        .buffer(cyclic)
        .buffer(twisted)
        .value(rows as u64)
        .value(third.max(1).ilog2())
        .value(from.rows() as u64)
        .value(from.block as u64)
        .value(from.blocks as u64)
        .input(&root.powers)
        .value(s)
        .value(quotient)
        .value(p)
        .value(reciprocal)
        .value(u64::MAX / by.field.order())
        .items(rows * third, GROUP)
        .bytes(bytes as u64)
        .run()?;
    Ok(())
}

pub(super) fn product<G: NttField>(
    cx: &Arc<Planner>,
    cl: &OpenCl,
    by: &Component<G>,
    spectra: &Buffer<G::Element>,
    blocks: usize,
    log_len: u32,
    to: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    multiply_spectra((cx, cl), (&by.field, by.arithmetic), spectra, (blocks, log_len), to)?;
    Ok(())
}

pub(super) fn combine<G: NttField>(
    cx: &Arc<Planner>,
    cl: &OpenCl,
    by: &Component<G>,
    cyclic: &Buffer<G::Element>,
    twisted: &Buffer<G::Element>,
    root: &RootPowers<G>,
    to: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    let kernel = cx.kernel(cl, &COMBINE, defines(by))?;
    let third = root.inverse_powers.len() / by.arithmetic.factor_words();
    let (words, bytes) = (twisted.len(), 2 * size_of::<G::Element>() * to.len());
    let (p, reciprocal) = modulus(by);
    let [half, half_quotient] = by.field.factor(root.half, by.arithmetic);
    let [half_s, half_s_quotient] = by.field.factor(root.half_s, by.arithmetic);
    cl.launch(&kernel)
        .input(cyclic)
        .input(twisted)
        .buffer(to)
        .value((words / third.max(1)) as u64)
        .value(third.max(1).ilog2())
        .input(&root.inverse_powers)
        .value(half)
        .value(half_quotient)
        .value(half_s)
        .value(half_s_quotient)
        .value(p)
        .value(reciprocal)
        .items(words, GROUP)
        .bytes(bytes as u64)
        .run()?;
    Ok(())
}

/// Rows modulo the field's own prime where there are no `constants`, else modulo as many primes as there are `rows`.
pub(super) fn store<F: NttField, W: ResidueWord>(
    cx: &Arc<Planner>,
    cl: &OpenCl,
    by: &Component<F>,
    rows: &[&Buffer<W>],
    constants: Option<&Buffer<u64>>,
    wanted: &Wanted<'_, F::Element>,
    mut out: ViewMut<'_, F::Element>,
) -> Result<(), ProductError> {
    let offset = out.start() * size_of::<F::Element>();
    if !offset.is_multiple_of(cl.info().view_alignment_bytes) {
        // Kernels take no such view.
        let mut aligned = cx.device().scratch(out.len())?;
        store(cx, cl, by, rows, constants, wanted, ViewMut::from(&mut aligned))?;
        return Ok(out.copy_from(&aligned)?);
    }
    let wide = if by.arithmetic == Arithmetic::Word32 && W::TYPE == WordType::U32 { "uint" } else { "ulong" };
    let primes = if constants.is_some() { rows.len() } else { 0 };
    let defines = defines(by)
        .set("PRIMES", primes)
        .set("DIGIT", W::TYPE.opencl_name())
        .set("WIDE", wide)
        .set("SPLIT", u8::from(wanted.blocks > 1))
        .set("WRAP", u8::from(wanted.wrap))
        .set("EACH", format!("{EACH}u"));
    let kernel = cx.kernel(cl, &STORE, defines)?;
    let words = out.len();
    let bytes = words * (size_of::<F::Element>() + rows.len() * size_of::<W>());
    let (p, reciprocal) = modulus(by);
    // Unused arguments are memory of the right type.
    let nothing;
    let constants = if let Some(constants) = constants {
        constants
    } else {
        nothing = cx.device().scratch::<u64>(1)?;
        &nothing
    };
    let Some(&first) = rows.first() else { return Ok(()) };
    let launch = (0..5).fold(cl.launch(&kernel), |launch, i| launch.input(rows.get(i).copied().unwrap_or(first)));
    let launch = launch
        .input(constants)
        .buffer(out)
        .value(words as u64)
        .value(wanted.len as u64)
        .value(wanted.low as u64)
        .value(wanted.high as u64)
        .value(wanted.row_len as u64)
        .value(wanted.block as u64)
        .value(wanted.blocks as u64);
    let launch = [wanted.a, wanted.b].into_iter().fold(launch, |launch, runs| {
        launch.input(runs.buffer).value(runs.start as u64).value(runs.len as u64).value(runs.stride as u64)
    });
    group(launch.value(p).value(reciprocal), words).bytes(bytes as u64).run()?;
    Ok(())
}
