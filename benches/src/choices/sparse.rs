//! Products of sparse matrices: rows by one item or several, and parts of equal length merged.

use anyhow::Result;
use manycore_field::PrimeField;
use manycore_sparse::sprs::CsMat;
use manycore_sparse::{ProductOptions, ProductPlan, SparseProduct};

use super::bench::Bench;
use crate::data;
use crate::lines::Line;
use crate::walsh::Profile;

/// Non-zeros of a row.
const EACH: usize = 16;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let logs: &[u32] = match (bench.gpu(), bench.profile) {
        (true, Profile::Quick) => &[14],
        (true, _) => &[12, 14, 16, 18, 20],
        (false, Profile::Quick) => &[10],
        (false, _) => &[10, 14, 18],
    };
    let field = PrimeField::<u32>::new(469_762_049)?;
    for (&log, width) in logs.iter().flat_map(|log| [(log, 1), (log, 8)]) {
        let name = format!("choice/sparse-multiply/29 bits/2^{log}/{width} columns");
        if !bench.wants(&name) {
            continue;
        }
        let rows = 1_usize << log;
        let offsets = (0..=rows).map(|row| row * EACH).collect();
        // Columns of a row are spread alike, from a column of its own on.
        let starts = data::residues(rows, (rows / EACH) as u64, 1);
        let columns = |start: u64| (0..EACH).map(move |k| start as usize + k * (rows / EACH));
        let columns: Vec<usize> = starts.into_iter().flat_map(columns).collect();
        let values = data::residues(rows * EACH, 469_762_049, 2).into_iter().map(|word| word as u32).collect();
        let matrix = CsMat::new((rows, rows), offsets, columns, values);
        let product = SparseProduct::new(bench.device, field, matrix.view(), ProductOptions::default())?;
        let choice = product.explain(width)?;
        // By the device's clock: products by a plan are not called by users.
        let seconds = |plan: &ProductPlan| Ok(product.time(width, plan)?);
        bench.candidates("sparse-multiply", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
    }
    Ok(())
}
