//! Products by their definition on OpenCL devices.

pub mod two_phase;

use manycore_device::{Buffer, DeviceKind, OpenCl};

use super::cost::OnDevice;
use super::{Algorithm, Shape, Tile};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

// SAFETY: `reading` alone launches it: the tile has no fault, and the factors and the result have the coefficients of
// the shape from their places on, which whoever multiplies a `Poly` or a `Batch` sees to.
manycore_device::kernel! {
    /// Products in one launch.
    unsafe PRODUCT_TILE in manycore_kernels::poly::PRODUCT_TILE: product_tile
}

/// The tile of devices that are no GPU: their items are turns of a loop, and another tile takes their compilers a
/// second.
const CPU_TILE: Tile = Tile { outputs: 8, log_slots: 3, log_segments: 1, log_pack: 0, log_chunk: 9 };

/// Products by the definition on this device.
pub(super) fn operation<F: PolyField>(ring: &PolyRing<F>, cl: &OpenCl) -> Result<OnDevice, PolyError> {
    let gpu = cl.info().kind == DeviceKind::Gpu;
    Ok(OnDevice {
        arithmetic: ring.arithmetic(),
        sum_terms: ring.sum_terms(),
        group_limit: cl.info().group_limit.min(if gpu { 1024 } else { 64 }),
        local_bytes: cl.local_limit_bytes()?,
        largest_bytes: cl.info().largest_allocation_bytes,
        tile: (!gpu).then_some(CPU_TILE),
    })
}

/// Reads that an item of a GPU has under way together where it stages coefficients.
const GPU_READS: u32 = 4;

/// The products of `shape` in one launch, of factors and into a result at a place of their buffers.
pub(super) fn plain<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    tile: &Tile,
    shape: &Shape,
    a: (&Buffer<F::Element>, usize),
    b: (&Buffer<F::Element>, usize),
    out: (&mut Buffer<F::Element>, usize),
) -> Result<(), PolyError> {
    let reads = if cl.info().kind == DeviceKind::Gpu { GPU_READS } else { 1 };
    reading(ring, cl, (tile, reads), shape, a, b, out)
}

/// The product in which an item has `reads` reads in flight together.
fn reading<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    (tile, reads): (&Tile, u32),
    shape: &Shape,
    a: (&Buffer<F::Element>, usize),
    b: (&Buffer<F::Element>, usize),
    (out, out_at): (&mut Buffer<F::Element>, usize),
) -> Result<(), PolyError> {
    let word_bytes = size_of::<F::Element>();
    if let Some(reason) = tile.fault(cl.info().group_limit, cl.local_limit_bytes()?, word_bytes) {
        return Err(PolyError::Algorithm { algorithm: Algorithm::Plain, device: cl.info().label(), reason });
    }
    let defines = ring
        .defines()
        .set("SUM_TERMS", ring.sum_terms())
        .set("OUTPUTS", tile.outputs)
        .set("LOG_SLOTS", tile.log_slots)
        .set("LOG_SEGMENTS", tile.log_segments)
        .set("LOG_PACK", tile.log_pack)
        .set("LOG_CHUNK", tile.log_chunk)
        .set("READS", reads);
    let kernel = ring.planner().kernel(cl, &PRODUCT_TILE, defines)?;
    let (p, reciprocal) = ring.modulus();
    let groups = shape.len.div_ceil(tile.width()).saturating_mul(shape.count.div_ceil(1 << tile.log_pack));
    cl.launch(&kernel)
        .input(a.0)
        .value(a.1 as u64)
        .value(shape.n as u64)
        .input(b.0)
        .value(b.1 as u64)
        .value(shape.m as u64)
        .buffer(&mut *out)
        .value(out_at as u64)
        .value(shape.low as u64)
        .value(shape.len as u64)
        .value(shape.count as u64)
        .value(p)
        .value(reciprocal)
        .groups(groups, 1 << tile.log_group())
        .bytes(((shape.n + shape.m + shape.len) * shape.count * word_bytes) as u64)
        .operations(super::host::products(shape))
        .run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use manycore_device::Executor;
    use manycore_field::PrimeField;
    use manycore_testkit::opencl_devices;

    use super::{PolyRing, Shape, Tile, reading};

    /// However many reads are under way: at the edges of tiles, of chunks and of what the items of a product read together.
    #[test]
    fn reads_under_way_change_no_product() {
        let tile = Tile { outputs: 4, log_slots: 2, log_segments: 1, log_pack: 1, log_chunk: 4 };
        for device in opencl_devices() {
            let Executor::OpenCl(cl) = device.executor() else { continue };
            let ring = PolyRing::new(&device, PrimeField::<u32>::new(469_762_049).unwrap()).unwrap();
            for (n, m, count) in [(1, 1, 1), (1, 2, 3), (3, 17, 2), (16, 16, 1), (31, 33, 2), (40, 100, 3), (129, 5, 1)]
            {
                let shape = Shape { count, ..Shape::full(n, m) };
                let (mut a, mut b) = (device.zeros::<u32>(n * count).unwrap(), device.zeros::<u32>(m * count).unwrap());
                ring.fill_random(&mut a, 1).unwrap();
                ring.fill_random(&mut b, 2).unwrap();
                let of = |reads| {
                    let mut out = device.zeros::<u32>(shape.len * count).unwrap();
                    reading(&ring, cl, (&tile, reads), &shape, (&a, 0), (&b, 0), (&mut out, 0)).unwrap();
                    out.download().unwrap()
                };
                let one = of(1);
                for (product, (f, g)) in one.chunks_exact(shape.len).zip(rows(&a, n).zip(rows(&b, m))) {
                    let expected = crate::arithmetic::multiply::reference::multiply(ring.field(), &f, &g);
                    assert_eq!(product, expected, "{device:?} {n} {m} {count}");
                }
                for reads in [2, 4, 8] {
                    assert_eq!(of(reads), one, "{device:?} {reads} {n} {m} {count}");
                }
            }
        }
    }

    fn rows(values: &manycore_device::Buffer<u32>, len: usize) -> impl Iterator<Item = Vec<u32>> {
        values.download().unwrap().chunks_exact(len).map(<[u32]>::to_vec).collect::<Vec<_>>().into_iter()
    }
}
