//! Words of rows that products do not make, on the host.

use manycore_device::{Buffer, HostPool};

use super::rows::Rows;
use crate::arithmetic::evaluate::reference::evaluate;
use crate::error::PolyError;
use crate::poly::PolyField;

pub(super) fn rows<F: PolyField>(
    field: &F,
    pool: &HostPool,
    rows: Rows,
    [a, b, c]: [&Buffer<F::Element>; 3],
    log_words: u32,
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let words = 1usize << log_words;
    let (a, b, c, out) = (a.host()?, b.host()?, c.host()?, out.host_mut()?);
    let part = |from: &'_ [F::Element], row: usize, len: usize| from[row * len..][..len].to_vec();
    let one = |row: usize, out: &mut [F::Element]| match rows {
        Rows::ReversedHalf => {
            out.copy_from_slice(&a[(2 * row + 1) * words..][..words]);
            out.reverse();
        }
        Rows::Reversed => {
            out.copy_from_slice(&a[row * words..][..words]);
            out.reverse();
        }
        Rows::ReversedMonic => {
            out.copy_from_slice(&a[row * words..][..words]);
            out[1..].reverse();
            out[0] = field.one();
        }
        Rows::NextWords => {
            let (low, high) = a[2 * row * words..][..2 * words].split_at(words);
            out.copy_from_slice(low);
            field.add_slice(out, high);
            out.reverse();
            field.add_slice(out, &b[row * words..][..words]);
            field.negate_slice(out);
            out[0] = field.add(out[0], field.one());
        }
        Rows::Joined => {
            let (low, high) = out.split_at_mut(words / 2);
            low.copy_from_slice(&part(a, row, words / 2));
            high.copy_from_slice(&part(b, row, words / 2));
        }
        Rows::Remainder { .. } => {
            let (low, high) = a[2 * row * words..][..2 * words].split_at(words);
            let (product, wrapped) = b[2 * row * words..][..2 * words].split_at(words);
            out.copy_from_slice(low);
            field.add_slice(out, high);
            field.sub_slice(out, product);
            field.sub_slice(out, wrapped);
            field.sub_slice(out, &c[row * words..][..words]);
        }
        Rows::EveryOther { side } => out.copy_from_slice(&a[(2 * row + side as usize) * words..][..words]),
    };
    // Remainders are written to every other row.
    let (first, step) = if let Rows::Remainder { side } = rows { (side as usize, 2) } else { (0, 1) };
    let bytes = size_of_val(out) as u64;
    pool.step("tree_rows", 3 * bytes, bytes, || {
        pool.team().each(out.chunks_mut(words).skip(first).step_by(step).enumerate(), |(row, out)| one(row, out));
    });
    Ok(())
}

pub(super) fn horner<F: PolyField>(
    field: &F,
    pool: &HostPool,
    rows: &Buffer<F::Element>,
    points: &Buffer<F::Element>,
    log_words: u32,
    values: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let words = 1usize << log_words;
    let (rows, points, values) = (rows.host()?, points.host()?, values.host_mut()?);
    let bytes = 3 * size_of_val(points) as u64;
    pool.step("tree_horner", bytes, (points.len() * words) as u64, || {
        let nodes = rows.chunks(words).zip(points.chunks(words)).zip(values.chunks_mut(words));
        pool.team().each(nodes, |((f, points), values)| {
            for (value, &u) in values.iter_mut().zip(points) {
                *value = evaluate(field, f, u);
            }
        });
    });
    Ok(())
}
