//! The primitives on OpenCL devices: one launch each.

use manycore_device::{Buffer, Defines, DeviceKind, OpenCl, Word, WordType};

use super::job::Job;
use super::panels::Panel;
use super::part::Step;
use super::prepared::{Prepared, Roots};
use crate::error::CharacterError;
use crate::values::{Product, Values};

// SAFETY: `direct` and `kronecker` alone launch them, for a tile whose buffer has its length
// (`Characters::table_into`), with roots, radices and terms that were prepared for the group.
manycore_device::kernel! {
    /// Character tables by exponents.
    unsafe DIRECT in manycore_kernels::characters::DIRECT: characters_direct
    /// A step of the Kronecker construction of exponents or complex numbers.
    unsafe KRONECKER in manycore_kernels::characters::KRONECKER: characters_kronecker
    /// The kernel of a Kronecker step for residues.
    unsafe KRONECKER_RESIDUES in manycore_kernels::characters::KRONECKER_RESIDUES: characters_kronecker
}

/// Bytes that a group writes by the direct construction, at most, where the table is large enough for every compute unit to
/// have several groups.
pub(super) const DIRECT_BYTES: usize = 32 << 10;
/// The bytes that a group writes in a Kronecker step, which needs no preparation.
pub(super) const STEP_BYTES: usize = 16 << 10;

/// Local memory that roots take, at most: several groups share a compute unit's.
const ROOT_BYTES: usize = 8 << 10;

/// The largest cyclic factor whose rows a group makes together.
const MOST_ROWS: u64 = 8;

/// Items of a group.
pub(super) fn group_items(is_gpu: bool, group_limit: usize) -> usize {
    let wanted = if is_gpu { 256 } else { 64 };
    wanted.min(group_limit).max(64)
}

fn items_of(cl: &OpenCl) -> usize {
    group_items(cl.info().kind == DeviceKind::Gpu, cl.info().group_limit)
}

/// Rows of a Kronecker step by a factor `q` that a group makes together: an entry of a small factor is read once for the rows
/// that it goes to.
pub(super) fn rows_together(q: u64) -> usize {
    if (2..=MOST_ROWS).contains(&q) { q as usize } else { 1 }
}

/// The distribution of rows to groups: the rows of each group, and the groups that share a row.
pub(super) struct Deal {
    pub(super) rows_each: usize,
    pub(super) segments: usize,
}

impl Deal {
    /// Groups write from `least` bytes, so that their preparation is a small part, to about `most`.
    pub(super) fn new(
        compute_units: u32,
        rows: usize,
        row_bytes: usize,
        (least, most): (usize, usize),
        given: Option<usize>,
    ) -> Self {
        // Several groups for each compute unit, but none of them with less than 4 KB.
        let wanted = 8 * compute_units.max(1) as usize;
        let usual = || {
            let all = rows.saturating_mul(row_bytes);
            most.min(all.div_ceil(wanted)).max(4 << 10).max(least)
        };
        let target = given.unwrap_or_else(usual).max(1);
        if row_bytes >= target {
            // Kernels count segments in 32 bits.
            Self { rows_each: 1, segments: (row_bytes.saturating_add(target / 2) / target).clamp(1, u32::MAX as usize) }
        } else {
            Self { rows_each: (target / row_bytes.max(1)).clamp(1, rows.max(1)), segments: 1 }
        }
    }

    pub(super) fn groups(&self, rows: usize) -> usize {
        rows.div_ceil(self.rows_each).saturating_mul(self.segments)
    }
}

/// Where a kernel finds the root of an exponent; `LOOKUP` of `direct.cl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookup {
    /// It is the exponent.
    Exponent,
    /// In a table in local memory, with room for the given number of roots.
    Local(usize),
    /// In a table in global memory.
    Global,
    /// In the exponent's bits: roots of an order that divides 4, in single precision.
    Quarter,
}

impl Lookup {
    /// The lookup of the roots of order `order`, of `value_bytes` bytes each; `is_single`: complex numbers in single precision.
    pub(super) fn new(order: usize, value_bytes: usize, is_single: bool) -> Self {
        let room = order.checked_next_power_of_two().unwrap_or(usize::MAX);
        if is_single && matches!(order, 1 | 2 | 4) {
            Self::Quarter
        } else if room.saturating_mul(value_bytes) <= ROOT_BYTES {
            Self::Local(room)
        } else {
            Self::Global
        }
    }

    fn define(self, order: usize, defines: Defines) -> Defines {
        match self {
            Self::Exponent => defines.set("LOOKUP", 0),
            Self::Local(room) => defines.set("LOOKUP", 1).set("ROOTS", room),
            Self::Global => defines.set("LOOKUP", 2),
            Self::Quarter => defines.set("LOOKUP", 3).set("LOG_ORDER", order.ilog2()),
        }
    }

    /// Bytes of its table in local memory.
    pub(super) fn local_bytes(self, value_bytes: usize) -> usize {
        if let Self::Local(room) = self { room * value_bytes } else { 0 }
    }
}

/// Room for the exponents of a panel's lows and highs in local memory, and the bytes of one.
pub(super) fn parts_room(panel: &Panel, exponent: u64) -> (usize, usize) {
    (panel.entries().next_power_of_two().max(64), if exponent <= 1 << 16 { 2 } else { 4 })
}

/// Makes a tile by the direct construction: one launch for each panel.
pub(super) fn direct<V: Values>(
    cl: &OpenCl,
    job: &Job<'_, V>,
    prepared: &Prepared<V>,
    out: &mut Buffer<V::Word>,
) -> Result<(), CharacterError> {
    let (rows, width) = (job.height(), job.width());
    let items = items_of(cl);
    let exponent = u128::from(job.exponent);
    let wide = prepared.radices.iter().map(|radix| u128::from(radix.n) * exponent).sum::<u128>() >> 32 != 0;
    let defines = Defines::new().element(V::Word::TYPE).set("VALUE_WORDS", V::WORDS).set("GROUP", items);
    let (order, value_bytes) = (job.exponent as usize, size_of::<V::Value>());
    let lookup = match prepared.roots {
        Roots::Table(_) => Lookup::new(order, value_bytes, V::Word::TYPE == WordType::F32 && job.step == 1),
        Roots::Exponent | Roots::Single => Lookup::Exponent,
    };
    let defines = lookup.define(order, defines.set("WIDE", u8::from(wide)));
    let nothing = job.context.nothing::<V>()?;
    let roots = match &prepared.roots {
        Roots::Table(roots) => roots,
        // Not read.
        Roots::Exponent | Roots::Single => &nothing,
    };
    let mut offset = 0u64;
    for (panel, terms) in &prepared.panels {
        let Panel { low_len, start_low, lows, highs, .. } = panel;
        let (room, part_bytes) = parts_room(panel, job.exponent);
        let part = if part_bytes == 2 { "ushort" } else { "uint" };
        let defines = defines.clone().set("PARTS", room).set("PART", part);
        let kernel = job.context.planner().kernel(cl, &DIRECT, defines)?;
        let row_bytes = panel.len() * value_bytes;
        let bytes = (8 * lookup.local_bytes(value_bytes), DIRECT_BYTES);
        let deal = Deal::new(cl.info().compute_units, rows, row_bytes, bytes, job.group_bytes);
        cl.launch(&kernel)
            .buffer(&mut *out)
            .input(roots)
            .input(terms)
            .input(&prepared.radix_words)
            .value(prepared.radices.len() as u32)
            .value(job.exponent as u32)
            .value(job.rows.start)
            .value(rows as u64)
            .value(deal.rows_each as u32)
            .value(deal.segments as u32)
            .value(width as u64)
            .value(offset)
            .value(panel.len() as u32)
            .value(*low_len)
            .value(lows.count)
            .value(highs.count)
            .value(*start_low)
            .groups(deal.groups(rows), items)
            .bytes((rows * row_bytes) as u64)
            .operations((rows * panel.len()) as u64)
            .run()?;
        offset += panel.len() as u64;
    }
    Ok(())
}

/// What a kernel multiplies by, instead of dividing by `q` numbers up to `largest`; 0 where that would not be exact.
fn magic(q: u64, largest: u64) -> u32 {
    // m q = 2^32 + e with 0 < e <= q: t m / 2^32 is less than t / q + 1 / q while t e < 2^32.
    if largest.saturating_mul(q) < 1 << 32 { ((1u64 << 32) / q + 1) as u32 } else { 0 }
}

/// One step of the Kronecker construction.
pub(super) fn kronecker<V: Values>(
    cl: &OpenCl,
    job: &Job<'_, V>,
    step: &Step,
    from: &Buffer<V::Word>,
    factor: &Buffer<V::Word>,
    to: &mut Buffer<V::Word>,
) -> Result<(), CharacterError> {
    let Step { q, from: before, to: after } = step;
    let items = items_of(cl);
    let spec = if matches!(job.values.product(), Product::Residues(_)) { &KRONECKER_RESIDUES } else { &KRONECKER };
    let first_column = after.columns.start % q;
    let magic = magic(*q, first_column + after.width() as u64);
    let each = rows_together(*q);
    let small = if each > 1 { each } else { 0 };
    let defines = job.values.defines().set("GROUP", items).set("DIVIDE", u8::from(magic == 0)).set("Q", small);
    let kernel = job.context.planner().kernel(cl, spec, defines)?;
    let (p, reciprocal) = job.values.modulus();
    let (rows, columns) = (after.height(), after.width());
    let first_row = after.rows.start % q;
    // Rows one by one begin at the first; those that are made together, with its source.
    let blocks = if each > 1 { (first_row as usize + rows).div_ceil(each) } else { rows };
    let row_bytes = each * columns * size_of::<V::Value>();
    let deal = Deal::new(cl.info().compute_units, blocks, row_bytes, (0, STEP_BYTES), job.group_bytes);
    let entries = rows * columns + before.height() * before.width();
    cl.launch(&kernel)
        .input(from)
        .buffer(to)
        .input(factor)
        .value(*q as u32)
        .value(magic)
        .value(first_row as u32)
        .value(rows as u64)
        .value(deal.rows_each as u32)
        .value(deal.segments as u32)
        .value(first_column as u32)
        .value(columns as u32)
        .value(before.width() as u64)
        .value((job.exponent * job.step) as u32)
        .value(p)
        .value(reciprocal)
        .groups(deal.groups(blocks), items)
        .bytes((entries * size_of::<V::Value>()) as u64)
        .operations((rows * columns) as u64)
        .run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::magic;

    #[test]
    fn multiplication_divides_exactly() {
        for q in (2..200).chain([255, 256, 1000, 4095, 65_535]) {
            let largest = ((1u64 << 32) - 1) / q;
            let m = u64::from(magic(q, largest));
            assert_ne!(m, 0);
            let near = |t: u64| t.saturating_sub(2)..=(t + 2).min(largest);
            let samples = (0..50).flat_map(|i| near(i * q)).chain(near(largest)).chain(near(largest / q * q));
            assert!(samples.into_iter().all(|t| (t * m) >> 32 == t / q), "{q}");
            assert_eq!(magic(q, (1 << 32) / q + 1), 0);
        }
    }
}
