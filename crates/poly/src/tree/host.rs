//! Steps at the nodes of subproduct trees beside products, and the lowest levels, on the host.

use manycore_device::{Buffer, HostPool};

use super::level::Level;
use crate::error::PolyError;
use crate::poly::PolyField;

/// The base-2 logarithm of the points of the lowest nodes that are kept.
pub(super) const LOG_LEAF: u32 = 5;
const LEAF: usize = 1 << LOG_LEAF;

/// Runs `work` for each node of `words` words, those with an even index in `left`, with its index.
fn nodes<F: PolyField>(
    pool: &HostPool,
    name: &'static str,
    level: &mut Level<F>,
    words: usize,
    work: impl Fn(usize, &mut [F::Element]) + Sync,
) -> Result<(), PolyError> {
    let (left, right) = (level.left.host_mut()?, level.right.host_mut()?);
    let bytes = (size_of_val(left) + size_of_val(right)) as u64;
    // A node of each parity is a task.
    let mut right: Vec<Option<&mut [F::Element]>> = right.chunks_mut(words).map(Some).collect();
    right.resize_with(left.len() / words, || None);
    pool.step(name, 3 * bytes, bytes, || {
        pool.team().each(left.chunks_mut(words).zip(right).enumerate(), |(pair, (left, right))| {
            work(2 * pair, left);
            if let Some(right) = right {
                work(2 * pair + 1, right);
            }
        });
    });
    Ok(())
}

/// The points of a node, filled up.
fn node_points<F: PolyField>(field: &F, words: &[F::Element], node: usize) -> [F::Element; LEAF] {
    let mut own = [field.zero(); LEAF];
    let from = words.len().min(node * LEAF);
    let to = words.len().min((node + 1) * LEAF);
    own[..to - from].copy_from_slice(&words[from..to]);
    own
}

/// `m = m (x - u)` for a monic polynomial without its leading one.
fn times_linear<F: PolyField>(field: &F, m: &mut [F::Element], len: usize, u: F::Element) {
    let minus = field.neg(u);
    let mut below = field.zero();
    for c in &mut m[..len] {
        let c_times_x = *c;
        *c = field.add(below, field.mul(minus, *c));
        below = c_times_x;
    }
    m[len] = field.add(below, minus);
}

pub(super) fn leaves<F: PolyField>(
    field: &F,
    pool: &HostPool,
    points: &Buffer<F::Element>,
    level: &mut Level<F>,
) -> Result<(), PolyError> {
    let points = points.host()?;
    nodes(pool, "tree_leaves", level, LEAF, |node, m| {
        m.fill(field.zero());
        for (len, &u) in node_points(field, points, node).iter().enumerate() {
            times_linear(field, m, len, u);
        }
    })
}

pub(super) fn join<F: PolyField>(
    field: &F,
    pool: &HostPool,
    products: &[&Buffer<F::Element>],
    children: &Level<F>,
    level: &mut Level<F>,
    log_words: u32,
) -> Result<(), PolyError> {
    let (words, half) = (1usize << log_words, 1usize << (log_words - 1));
    let products = products.iter().map(|product| product.host()).collect::<Result<Vec<_>, _>>()?;
    let (a, b) = (children.left.host()?, children.right.host()?);
    nodes(pool, "tree_join", level, words, |node, out| {
        for (i, product) in products.iter().enumerate() {
            let product = &product[node * words..][..words];
            if i == 0 {
                out.copy_from_slice(product);
            } else {
                field.add_slice(out, product);
            }
        }
        field.add_slice(&mut out[half..], &a[node * half..][..half]);
        field.add_slice(&mut out[half..], &b[node * half..][..half]);
    })
}

pub(super) fn descend<F: PolyField>(
    field: &F,
    pool: &HostPool,
    t: &Buffer<F::Element>,
    products: &[Buffer<F::Element>; 2],
    below: &mut Buffer<F::Element>,
    log_words: u32,
) -> Result<(), PolyError> {
    let (words, half) = (1usize << log_words, 1usize << (log_words - 1));
    let (t, left, right) = (t.host()?, products[0].host()?, products[1].host()?);
    let below = below.host_mut()?;
    let bytes = size_of_val(t) as u64;
    pool.step("tree_descend", 3 * bytes, bytes, || {
        pool.team().each(below.chunks_mut(words).enumerate(), |(node, out)| {
            for (out, product) in out.chunks_mut(half).zip([left, right]) {
                out.copy_from_slice(&product[node * half..][..half]);
                field.add_slice(out, &t[node * words..][..half]);
            }
        });
    });
    Ok(())
}

pub(super) fn values<F: PolyField>(
    field: &F,
    pool: &HostPool,
    points: &Buffer<F::Element>,
    level: &Level<F>,
    t: &Buffer<F::Element>,
    values: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let (points, t, values) = (points.host()?, t.host()?, values.host_mut()?);
    let (left, right) = (level.left.host()?, level.right.host()?);
    let bytes = 3 * size_of_val(t) as u64;
    pool.step("tree_values", bytes, (t.len() * LEAF) as u64, || {
        pool.team().each(values.chunks_mut(LEAF).enumerate(), |(node, values)| {
            let side = if node % 2 == 0 { left } else { right };
            let (m, t) = (&side[node / 2 * LEAF..][..LEAF], &t[node * LEAF..][..LEAF]);
            field.node_values(m, t, &points[node * LEAF..][..values.len()], values);
        });
    });
    Ok(())
}

pub(super) fn leaf_sums<F: PolyField>(
    field: &F,
    pool: &HostPool,
    points: &Buffer<F::Element>,
    weights: &Buffer<F::Element>,
    sums: &mut Level<F>,
) -> Result<(), PolyError> {
    let (points, weights) = (points.host()?, weights.host()?);
    nodes(pool, "tree_leaf_sums", sums, LEAF, |node, sum| {
        field.node_sums(&node_points(field, points, node), &node_points(field, weights, node), sum);
    })
}

/// The inverses, or the index of the first that is zero.
pub(super) fn invert<F: PolyField>(
    field: &F,
    pool: &HostPool,
    values: &Buffer<F::Element>,
    inverses: &mut Buffer<F::Element>,
) -> Result<Option<usize>, PolyError> {
    /// Residues that one inversion serves.
    const RUN: usize = 1 << 12;
    let (values, inverses) = (values.host()?, inverses.host_mut()?);
    if let Some(zero) = values.iter().position(|&c| c == field.zero()) {
        return Ok(Some(zero));
    }
    let bytes = 2 * size_of_val(values) as u64;
    pool.step("tree_invert", bytes, 3 * values.len() as u64, || {
        pool.team().each(values.chunks(RUN).zip(inverses.chunks_mut(RUN)), |(values, inverses)| {
            let mut product = field.one();
            for (&value, inverse) in values.iter().zip(&mut *inverses) {
                *inverse = product;
                product = field.mul(product, value);
            }
            let Some(mut rest) = field.inverse(product) else { return };
            for (&value, inverse) in values.iter().zip(inverses).rev() {
                *inverse = field.mul(*inverse, rest);
                rest = field.mul(rest, value);
            }
        });
    });
    Ok(None)
}

pub(super) fn scale<F: PolyField>(
    field: &F,
    pool: &HostPool,
    x: &Buffer<F::Element>,
    y: &Buffer<F::Element>,
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    const TASK: usize = 1 << 14;
    let (x, y, out) = (x.host()?, y.host()?, out.host_mut()?);
    let bytes = 3 * size_of_val(x) as u64;
    pool.step("tree_scale", bytes, x.len() as u64, || {
        pool.team().each(out.chunks_mut(TASK).zip(x.chunks(TASK).zip(y.chunks(TASK))), |(out, (x, y))| {
            for (out, (&x, &y)) in out.iter_mut().zip(x.iter().zip(y)) {
                *out = field.mul(x, y);
            }
        });
    });
    Ok(())
}
