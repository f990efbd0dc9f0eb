//! Determinants of many matrices that local memory does not hold, in one launch, a group for each: elimination by panels in global
//! memory, which changes the matrices.

use manycore_device::{Buffer, Defines, DeviceKind, OpenCl};
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;

use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::counts::{inverse_steps, with_chain, with_trips};
use crate::modular::eliminate::plan::EliminationShape;

// SAFETY: this file alone launches it, with as many whole matrices as groups.
manycore_device::kernel! {
    /// Determinants by panels.
    unsafe DETERMINANTS in manycore_kernels::linalg::DETERMINANTS_PANELS: determinants_panels
}

/// Columns of a panel, as in the kernel.
const PANEL: usize = 16;
/// Operations of a column that wait for each other: the pivot is read and compared, entries are read, two products are added and reduced,
/// the sum is written, and all items wait. Of a panel's column in its inverses: five products, each reduced.
const CHAIN: u64 = 8 + 5 * 4;
/// Groups that a compute unit has at once: more hide what waits.
const RESIDENT: usize = 8;

/// How a group has its tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panels {
    /// The order of the matrices.
    pub(crate) order: usize,
    /// Items along each side of a tile, and entries of each along each side.
    side: usize,
    each: usize,
}

impl Panels {
    /// The largest groups of a device; a processor, whose items take turns, has few.
    pub(crate) fn new(cl: &OpenCl, order: usize, entry_bytes: usize) -> Result<Option<Self>, LinalgError> {
        let (limit, local) = (cl.info().group_limit, cl.local_limit_bytes()?);
        let tiles: &[(usize, usize)] =
            if cl.info().kind == DeviceKind::Gpu { &[(16, 4), (8, 4), (8, 2), (4, 2)] } else { &[(8, 2), (4, 2)] };
        // The program has two kernels, whose local memory some runtimes count together; also, two groups then share a unit.
        let fits = |&(side, each): &(usize, usize)| {
            side * side <= limit && 2 * Self { order, side, each }.local_words() * entry_bytes as u64 <= local as u64
        };
        Ok(tiles.iter().find(|tile| fits(tile)).map(|&(side, each)| Self { order, side, each }))
    }

    /// Items of a group.
    pub(crate) const fn group(self) -> usize {
        self.side * self.side
    }

    /// Words of local memory: the parts of both factors, the pivots and their inverses, and a row.
    fn local_words(self) -> u64 {
        let tile = (self.side * self.each) as u64;
        let panel = PANEL as u64;
        tile.max(panel) * (panel + 1) + (tile + 2) * panel + 4
    }

    /// The definitions that kernels are built with.
    pub(crate) fn defines<F: MatrixField>(self, space: &LinearAlgebra<F>) -> Defines {
        // Two groups of 256 items share a unit with 65536 registers.
        let defines = space.defines().registers(128);
        defines.set("SIDE", format!("{}u", self.side)).set("REGS", format!("{}u", self.each))
    }

    /// Matrices that are taken at once: as many as keep a device busy, or fit a part of its memory.
    pub(crate) fn together<F: MatrixField>(self, space: &LinearAlgebra<F>, count: usize) -> usize {
        let info = space.device().info();
        let bytes = (self.order * self.order * size_of::<F::Element>()).max(1) as u64;
        let most = (space.device().room_bytes() / 4).min(info.largest_allocation_bytes);
        let room = usize::try_from(most / bytes).unwrap_or(usize::MAX);
        let most = (info.compute_units.max(1) as usize * RESIDENT).min(room).max(1);
        // Parts of one size: a few matrices take as long as many.
        count.div_ceil(count.div_ceil(most).max(1)).max(1)
    }

    /// What `count` matrices take that are taken at once.
    pub(crate) fn estimate<F: MatrixField>(
        self,
        space: &LinearAlgebra<F>,
        count: usize,
        machine: &Machine,
    ) -> Result<Estimate, DoesNotFit> {
        let (n, panel, group) = (self.order as u64, PANEL as u64, self.group() as u64);
        let word_bytes = size_of::<F::Element>() as u32;
        let counts = space.device_counts();
        let tile = (self.side * self.each) as u64;
        // Of the rest behind each panel, by whole tiles; entries of rows and of panels, by single products.
        let (mut rest, mut single) = (0, 0);
        for start in (0..n).step_by(PANEL) {
            let below = n.saturating_sub(start + panel);
            rest += below.next_multiple_of(tile).pow(2);
            single += below * panel * panel;
        }
        let products = counts.sums.four.times(panel / 4).plus(counts.sums.residue);
        let local = Operations::int32(2 * panel / self.each as u64);
        let operations = products.plus(local).times(rest / group).plus(counts.product.times(single / group));
        // An entry of the rest is read and written for each panel, and the upper factor once for each tile.
        let traffic = rest * 2 + rest * panel / tile;
        let kernel = Kernel::new("determinants_panels", group as u32)
            .blocks(Blocks::even(
                count as u64,
                group as u32,
                operations.of_one_kind(machine).max(1),
                traffic / group,
                rest / group,
            ))
            .operation(operations.kind())
            .word_bytes(word_bytes)
            .local_words(self.local_words())
            .local_accesses(2 * panel * rest / (group * self.each as u64))
            .traffic_words(count as u64 * traffic)
            .footprint_bytes(count as u64 * n * n * u64::from(word_bytes));
        let mut program = Program::new();
        program.queue(kernel)?;
        let chain = n * CHAIN + n.div_ceil(panel) * inverse_steps(space.field().order());
        Ok(with_trips(with_chain(machine.estimate(&program)?, chain, machine), 1, machine))
    }
}

impl<F: MatrixField> LinearAlgebra<F> {
    /// The panels of groups that take `count` matrices of an order, where that is estimated to take less time than one after the other.
    pub(crate) fn panels_of(&self, cl: &OpenCl, count: usize, order: usize) -> Result<Option<Panels>, LinalgError> {
        let Some(panels) = Panels::new(cl, order, size_of::<F::Element>())? else { return Ok(None) };
        let machine = self.machine();
        let together = panels.together(self, count);
        let parts = count.div_ceil(together) as u64;
        let one = self
            .copy_estimate(order * order, machine)
            .and_then(|copy| Ok(copy.then(self.elimination_estimate(EliminationShape::determinant(order), machine)?)));
        let all = panels.estimate(self, together, machine);
        Ok(match (all, one) {
            (Ok(all), Ok(one)) if all.seconds * parts as f64 <= one.seconds * count as f64 => Some(panels),
            (Ok(_), Err(_)) => Some(panels),
            _ => None,
        })
    }

    /// `out[first + k]` becomes the determinant of matrix `k` of `count`; the matrices are lost.
    pub(super) fn determinants_by_panels(
        &self,
        cl: &OpenCl,
        panels: Panels,
        a: &mut Buffer<F::Element>,
        out: &mut Buffer<F::Element>,
        (first, count): (usize, usize),
    ) -> Result<(), LinalgError> {
        let defines = panels.defines(self).set("SUM_TERMS", self.sum_terms());
        let kernel = self.kernel(cl, &DETERMINANTS, defines)?;
        let (p, reciprocal) = self.modulus();
        let words = a.len();
        cl.launch(&kernel)
            .buffer(a)
            .value(panels.order as u32)
            .buffer(out)
            .value(first as u32)
            .value(p)
            .value(reciprocal)
            .groups(count, panels.group())
            .bytes((words * size_of::<F::Element>()) as u64)
            .operations((2 * words * panels.order / 3) as u64)
            .run()?;
        Ok(())
    }
}
