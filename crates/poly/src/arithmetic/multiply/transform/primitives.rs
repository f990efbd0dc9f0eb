//! The steps of a product other than the transforms, on either executor.

use std::sync::Arc;

use manycore_device::{Buffer, Executor, HostPool, ViewMut};
use manycore_field::{KernelField, PrimeField, ResidueWord, SliceWord};
use manycore_ntt::NttField;
use manycore_tuning::Planner;

use super::component::Component;
use super::crt::Crt;
use super::error::ProductError;
use super::root_powers::RootPowers;
use super::rows::{Operands, Wanted};
use super::{device, host};

fn threads<'a>(cx: &'a Planner, pool: &'a HostPool) -> host::Threads<'a> {
    host::Threads { pool, machine: cx.machine() }
}

/// The operands as rows of `2^k` words, padded with zeros, first those of a. On the host upper halves that all are zeros are
/// not written: see [`Operands::halves`].
pub(super) fn load<W: ResidueWord, G: NttField>(
    cx: &Arc<Planner>,
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    to: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    match cx.device().executor() {
        Executor::Host(pool) => host::load(threads(cx, pool), by, from, reduce, to)?,
        Executor::OpenCl(cl) => device::load(cx, cl, by, from, reduce, to)?,
    }
    Ok(())
}

/// The operands modulo `x^(2B) - 1` and, twisted, modulo `x^B - s`: see [`root_powers`](super::root_powers).
pub(super) fn load_twisted<W: ResidueWord, G: NttField>(
    cx: &Arc<Planner>,
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    root: &RootPowers<G>,
    cyclic: &mut Buffer<G::Element>,
    twisted: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    match cx.device().executor() {
        Executor::Host(pool) => host::load_twisted(threads(cx, pool), by, from, reduce, root, cyclic, twisted)?,
        Executor::OpenCl(cl) => device::load_twisted(cx, cl, by, from, reduce, root, cyclic, twisted)?,
    }
    Ok(())
}

/// Products modulo both parts put together.
pub(super) fn combine<G: NttField>(
    cx: &Arc<Planner>,
    by: &Component<G>,
    cyclic: &Buffer<G::Element>,
    twisted: &Buffer<G::Element>,
    root: &RootPowers<G>,
    to: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    match cx.device().executor() {
        Executor::Host(pool) => host::combine(threads(cx, pool), by, cyclic, twisted, root, to)?,
        Executor::OpenCl(cl) => device::combine(cx, cl, by, cyclic, twisted, root, to)?,
    }
    Ok(())
}

/// The coefficients wanted, from rows of residues modulo the field's own prime.
pub(super) fn store<F: NttField>(
    cx: &Arc<Planner>,
    by: &Component<F>,
    rows: &Buffer<F::Element>,
    wanted: &Wanted<'_, F::Element>,
    out: ViewMut<'_, F::Element>,
) -> Result<(), ProductError> {
    match cx.device().executor() {
        Executor::Host(pool) => host::store(threads(cx, pool), by, rows, wanted, out)?,
        Executor::OpenCl(cl) => device::store(cx, cl, by, &[rows], None, wanted, out)?,
    }
    Ok(())
}

/// The coefficients wanted, from rows of residues modulo several primes.
pub(super) fn store_combined<F: NttField, W: SliceWord>(
    cx: &Arc<Planner>,
    by: &Component<F>,
    rows: &[&Buffer<W>],
    crt: &Crt<W>,
    wanted: &Wanted<'_, F::Element>,
    out: ViewMut<'_, F::Element>,
) -> Result<(), ProductError>
where
    PrimeField<W>: KernelField<Element = W>,
{
    match cx.device().executor() {
        Executor::Host(pool) => host::store_combined(threads(cx, pool), by, rows, crt, wanted, out)?,
        Executor::OpenCl(cl) => device::store(cx, cl, by, rows, crt.constants.as_ref(), wanted, out)?,
    }
    Ok(())
}
