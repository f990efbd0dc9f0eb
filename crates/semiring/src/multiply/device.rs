//! Generalized products on an OpenCL device, by a kernel that is made of the semiring's text.

use manycore_device::{Cache, Defines, DeviceError, Kernel, OpenCl};
use manycore_expressions::{WordsMut, generated};

use super::assembly;
use super::form::{ProductForm, ProductShape};
use super::plan::ProductTile;
use super::text::{self, KernelKey};
use crate::error::SemiringError;
use crate::operand::Operand;

/// A product that has entries.
pub(crate) fn product(
    cl: &OpenCl,
    kernels: &Cache<KernelKey, Kernel>,
    (form, shape, tile): (&ProductForm, ProductShape, ProductTile),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<(), SemiringError> {
    if !cl.info().fp64 && form.needs_fp64() {
        let feature = "double precision".to_owned();
        return Err(DeviceError::Unsupported { device: cl.info().label(), feature }.into());
    }
    let (inner, columns) = (shape.inner as u64, shape.columns as u64);
    let key = KernelKey::new(form.clone(), tile, (inner, columns), assembly::is_for(cl));
    let tile = key.tile;
    let kernel = kernels.get(key, |key| {
        let (source, params) = text::kernel(key);
        // SAFETY: this function alone launches it, with operands and results of the rows, inner length and columns in its arguments, which
        // `Products` compared; the kernel brings the places that it reads within those, writes within them, and functions bound the places
        // in tables.
        let spec = unsafe { generated::spec("semiring_product", source, params) };
        cl.kernel(spec, &Defines::new())
    })?;
    let mut launch = cl.launch(&kernel).value(shape.rows as u64).value(inner).value(columns);
    let mut bytes = 0;
    for operand in [a, b] {
        match operand {
            Operand::Stored(words) => {
                for words in words {
                    bytes += words.len() * words.word().bytes();
                    launch = words.pass(launch);
                }
            }
            Operand::Computed(_, tables) => {
                for table in tables {
                    bytes += table.len() * table.word().bytes();
                    launch = table.pass(launch).value(table.len() as u64);
                }
            }
            // Those have kernels of their own, and no plan of tiles.
            Operand::Lists { .. } | Operand::AtResult(..) | Operand::Made(..) => {}
        }
    }
    for words in out {
        bytes += words.len() * words.word().bytes();
        launch = words.reborrow().pass(launch);
    }
    let groups = shape.rows.div_ceil(tile.rows()).checked_mul(shape.columns.div_ceil(tile.columns()));
    let operations = shape.pairs().saturating_mul(form.algebra.step.operations() as u64);
    launch.groups(groups.unwrap_or(usize::MAX), tile.group()).bytes(bytes as u64).operations(operations).run()?;
    Ok(())
}
