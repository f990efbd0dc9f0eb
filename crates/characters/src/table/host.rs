//! The primitives on the host's threads.

use std::ops::Range;

use manycore_device::{Buffer, DeviceError, HostPool, Team};

use super::job::Job;
use super::panels::{Panel, Radix};
use super::part::Step;
use super::prepared::{Prepared, Roots};
use crate::values::Values;

/// Bytes of the rows that a thread takes at a time, about.
const CHUNK_BYTES: usize = 256 << 10;

/// The number of rows, of `row_bytes` bytes each, that a thread takes at a time.
pub(super) fn rows_each(row_bytes: usize) -> usize {
    (CHUNK_BYTES / row_bytes.max(1)).max(1)
}

/// The most bytes of a tile that the calling thread makes alone.
pub(super) const SERIAL_BYTES: usize = 64 << 10;

/// The most bytes of the lows of all exponents of the highs for which these are made once a row and then copied.
const PATTERN_BYTES: usize = 128 << 10;

/// Whether a panel of `lows` times `highs` entries is made of copies: where there are at most half as many patterns as highs, and they fit.
pub(super) fn copies_patterns(order: usize, lows: usize, highs: usize, value_bytes: usize) -> bool {
    order <= highs / 2 && order * lows * value_bytes <= PATTERN_BYTES
}

/// The exponents of a row's lows and highs, by `sums`.
fn parts(row: u64, radices: &[Radix], terms: &[u32], exponent: u64, sums: &mut Vec<u64>, parts: &mut [u32]) {
    let entries = parts.len();
    sums.clear();
    sums.resize(entries, 0);
    for (radix, terms) in radices.iter().zip(terms.chunks_exact(entries.max(1))) {
        let digit = row / radix.place % radix.n;
        if digit != 0 {
            // Products are below 2^62; factors whose product fits 64 bits have a sum of products that does.
            sums.iter_mut().zip(terms).for_each(|(sum, &term)| *sum += digit * u64::from(term));
        }
    }
    parts.iter_mut().zip(sums).for_each(|(part, sum)| *part = (*sum % exponent) as u32);
}

/// The exponents of row `row` from those of the row before it. A digit that increments adds its factor's terms again, and so does one that
/// wraps to 0, because `n` times a term of a factor `n` is a multiple of the exponent.
fn advance(row: u64, radices: &[Radix], terms: &[u32], exponent: u64, parts: &mut [u32]) {
    let (entries, order) = (parts.len().max(1), exponent as u32);
    for (radix, terms) in radices.iter().zip(terms.chunks_exact(entries)).rev() {
        for (part, &term) in parts.iter_mut().zip(terms) {
            // Both are below the exponent, which is at most 2^31.
            let sum = *part + term;
            *part = sum.min(sum.wrapping_sub(order));
        }
        if !(row / radix.place).is_multiple_of(radix.n) {
            break;
        }
    }
}

/// Runs of one high in a row of a panel: its columns, the high's place, and the first low.
fn runs(panel: &Panel) -> impl Iterator<Item = (Range<usize>, usize, usize)> {
    let (len, low_len) = (panel.len(), panel.low_len as usize);
    let first = panel.start_low as usize;
    (0..(first + len).div_ceil(low_len)).map(move |high| {
        let start = (high * low_len).max(first);
        let end = ((high + 1) * low_len).min(first + len);
        (start - first..end - first, high, start - high * low_len)
    })
}

/// Does `work` on chunks of entries, on all threads, or here where that is quicker than calling them.
fn in_chunks<T: Send>(
    pool: &HostPool,
    name: &'static str,
    bytes: u64,
    out: &mut [T],
    chunk: usize,
    work: impl Fn((usize, &mut [T])) + Sync,
) {
    let team = pool.team().only_if(size_of_val(out) > SERIAL_BYTES);
    pool.step(name, bytes, out.len() as u64, || team.each(out.chunks_mut(chunk).enumerate(), work));
}

/// One row of one panel.
fn direct_row<V: Values>(
    job: &Job<'_, V>,
    panel: &Panel,
    roots: Option<&[V::Value]>,
    parts: &[u32],
    patterns: &mut Vec<V::Value>,
    out: &mut [V::Value],
) {
    let (order, low_count) = (job.exponent as u32, panel.lows.count as usize);
    let (lows, highs) = parts.split_at(low_count);
    let fill = |out: &mut [V::Value], lows: &[u32], high: u32| match roots {
        Some(roots) => out.iter_mut().zip(lows).for_each(|(entry, &low)| {
            let e = low + high;
            *entry = roots[e.min(e.wrapping_sub(order)) as usize];
        }),
        None => out.iter_mut().zip(lows).for_each(|(entry, &low)| {
            let e = low + high;
            *entry = job.values.root(job.base, u64::from(e.min(e.wrapping_sub(order))));
        }),
    };
    let orders = order as usize;
    if copies_patterns(orders, low_count, highs.len(), size_of::<V::Value>()) {
        patterns.resize(orders * low_count, bytemuck::Zeroable::zeroed());
        for (e, pattern) in patterns.chunks_exact_mut(low_count).enumerate() {
            fill(pattern, lows, e as u32);
        }
        for (columns, high, low) in runs(panel) {
            let start = highs[high] as usize * low_count + low;
            let len = columns.len();
            out[columns].copy_from_slice(&patterns[start..start + len]);
        }
    } else {
        for (columns, high, low) in runs(panel) {
            let len = columns.len();
            fill(&mut out[columns], &lows[low..low + len], highs[high]);
        }
    }
}

/// Makes a tile by the direct construction.
pub(super) fn direct<V: Values>(
    pool: &HostPool,
    job: &Job<'_, V>,
    prepared: &Prepared<V>,
    out: &mut Buffer<V::Word>,
) -> Result<(), DeviceError> {
    let roots: Option<&[V::Value]> = match &prepared.roots {
        Roots::Table(roots) => Some(bytemuck::cast_slice(roots.host()?)),
        Roots::Exponent | Roots::Single => None,
    };
    let words = job.height() * job.width() * V::WORDS;
    let out: &mut [V::Value] = bytemuck::cast_slice_mut(&mut out.host_mut()?[..words]);
    if matches!(prepared.roots, Roots::Single) {
        pool.step("characters_direct", job.bytes(), 0, || by_definition(pool.team(), job, prepared, out));
        return Ok(());
    }
    let terms: Vec<&[u32]> = prepared.panels.iter().map(|(_, terms)| terms.host()).collect::<Result<_, _>>()?;
    let width = job.width();
    let rows_each = rows_each(width * size_of::<V::Value>());
    let work = |(chunk, out): (usize, &mut [V::Value])| {
        let first = job.rows.start + (chunk * rows_each) as u64;
        let (mut sums, mut exponents, mut patterns) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = 0;
        for ((panel, _), terms) in prepared.panels.iter().zip(&terms) {
            exponents.resize(panel.entries(), 0);
            parts(first, &prepared.radices, terms, job.exponent, &mut sums, &mut exponents);
            let columns = start..start + panel.len();
            for (row, out) in (first..).zip(out.chunks_exact_mut(width)) {
                if row > first {
                    advance(row, &prepared.radices, terms, job.exponent, &mut exponents);
                }
                direct_row(job, panel, roots, &exponents, &mut patterns, &mut out[columns.clone()]);
            }
            start = columns.end;
        }
    };
    in_chunks(pool, "characters_direct", job.bytes(), out, width * rows_each, work);
    Ok(())
}

/// Makes a tile entry by entry, with one root computed for each.
pub(super) fn by_definition<V: Values>(team: Team<'_>, job: &Job<'_, V>, prepared: &Prepared<V>, out: &mut [V::Value]) {
    let exponent = u128::from(job.exponent);
    team.each(out.chunks_mut(job.width()).enumerate(), |(i, out)| {
        let row = job.rows.start + i as u64;
        for (entry, column) in out.iter_mut().zip(job.columns.clone()) {
            let term = |radix: &Radix| {
                let product = u128::from(row / radix.place % radix.n) * u128::from(column / radix.place % radix.n);
                product * u128::from(job.exponent / radix.n)
            };
            let e = prepared.radices.iter().map(term).fold(0, |sum, term| (sum + term) % exponent);
            *entry = job.values.root(job.base, e as u64 * job.step);
        }
    });
}

/// One step of the Kronecker construction.
pub(super) fn kronecker<V: Values>(
    pool: &HostPool,
    job: &Job<'_, V>,
    step: &Step,
    from: &Buffer<V::Word>,
    factor: &Buffer<V::Word>,
    to: &mut Buffer<V::Word>,
) -> Result<(), DeviceError> {
    let Step { q, from: before, to: after } = step;
    let q = *q as usize;
    let (width, height) = (after.width(), after.height());
    let from: &[V::Value] = bytemuck::cast_slice(from.host()?);
    let factor: &[V::Value] = bytemuck::cast_slice(factor.host()?);
    let words = width * height * V::WORDS;
    let to: &mut [V::Value] = bytemuck::cast_slice_mut(&mut to.host_mut()?[..words]);
    let rows_each = rows_each(width * size_of::<V::Value>());
    let first_column = (after.columns.start % q as u64) as usize;
    let bytes = (size_of_val(to) + before.width() * before.height() * size_of::<V::Value>()) as u64;
    let work = |(chunk, to): (usize, &mut [V::Value])| {
        for (i, to) in to.chunks_exact_mut(width).enumerate() {
            let row = after.rows.start + (chunk * rows_each + i) as u64;
            let source = (row / q as u64 - before.rows.start) as usize * before.width();
            let source = &from[source..source + before.width()];
            let scale = &factor[(row % q as u64) as usize * q..][..q];
            // The first column's block may begin in its middle.
            let (head, rest) = to.split_at_mut(width.min((q - first_column) % q));
            let skip = usize::from(!head.is_empty());
            for (entry, &y) in head.iter_mut().zip(&scale[first_column..]) {
                *entry = job.values.multiply(job.base, source[0], y);
            }
            for (block, &x) in rest.chunks_mut(q).zip(&source[skip..]) {
                for (entry, &y) in block.iter_mut().zip(scale) {
                    *entry = job.values.multiply(job.base, x, y);
                }
            }
        }
    };
    in_chunks(pool, "characters_kronecker", bytes, to, width * rows_each, work);
    Ok(())
}
