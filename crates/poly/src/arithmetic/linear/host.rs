//! The linear operations on the host.

use manycore_device::HostPool;
use manycore_field::ResidueWord as _;

use super::reference::{self, Elementwise};
use crate::poly::PolyField;

/// Coefficients of a task; fewer are done by the calling thread.
const TASK: usize = 1 << 15;

/// Runs `work` on parts of `out` with the index of their first coefficient.
fn parts<E: Send + Sync>(pool: &HostPool, name: &'static str, out: &mut [E], work: impl Fn(usize, &mut [E]) + Sync) {
    let (bytes, operations) = (3 * size_of_val(out) as u64, out.len() as u64);
    pool.step(name, bytes, operations, || {
        pool.team().each(out.chunks_mut(TASK).enumerate(), |(i, part)| work(i * TASK, part));
    });
}

/// The part of `f` from `start` on, at most `len` coefficients.
fn part<E>(f: &[E], start: usize, len: usize) -> &[E] {
    &f[f.len().min(start)..f.len().min(start.saturating_add(len))]
}

pub(super) fn elementwise<F: PolyField>(
    field: &F,
    pool: &HostPool,
    operation: Elementwise<F::Element>,
    f: &[F::Element],
    g: &[F::Element],
    out: &mut [F::Element],
) {
    let whole = out.len();
    parts(pool, "coefficients_combine", out, |start, out| {
        let own = part(f, start, out.len());
        match operation {
            Elementwise::Derivative => {
                let own = part(f, start + 1, out.len());
                let mut degree = F::Element::from_u64((start as u64 + 1) % field.order());
                for (out, &c) in out.iter_mut().zip(own) {
                    *out = field.mul(degree, c);
                    degree = field.add(degree, field.one());
                }
            }
            Elementwise::Reverse => {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = f.get(whole - 1 - start - i).copied().unwrap_or(field.zero());
                }
            }
            _ => {
                let (copied, beyond) = out.split_at_mut(own.len());
                copied.copy_from_slice(own);
                beyond.fill(field.zero());
                match operation {
                    Elementwise::Add => field.add_slice(out, part(g, start, out.len())),
                    Elementwise::Subtract => field.sub_slice(out, part(g, start, out.len())),
                    Elementwise::Scale(c) => field.scale_slice(out, c),
                    _ => field.negate_slice(out),
                }
            }
        }
    });
}

pub(super) fn random<F: PolyField>(field: &F, pool: &HostPool, out: &mut [F::Element], seed: u64) {
    parts(pool, "coefficients_random", out, |start, out| {
        for (i, out) in out.iter_mut().enumerate() {
            *out = reference::random(field, seed, (start + i) as u64);
        }
    });
}

pub(super) fn hadamard<F: PolyField>(
    field: &F,
    pool: &HostPool,
    x: &[F::Element],
    y: &[F::Element],
    out: &mut [F::Element],
) {
    parts(pool, "coefficients_product", out, |start, out| {
        out.copy_from_slice(part(x, start, out.len()));
        field.multiply_slice(out, part(y, start, out.len()));
    });
}
