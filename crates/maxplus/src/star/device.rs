//! Stars on an OpenCL device: a launch for each source, for each level, or two or four for each block of rows.

use manycore_device::{Buffer, Defines, DeviceError, KernelSpec, OpenCl};
use manycore_tuning::Planner;

use super::options::PushShape;
use super::tiles;
use crate::graph::{Graph, Relabelled};
use crate::weight::Weight;

// SAFETY: `OnDevice` alone launches them, with matrices of the rows and columns in their arguments, closed blocks for all rows, and arcs of
// a graph; kernels bring what they read within those.
manycore_device::kernel! {
    /// Zeros of the columns' own nodes, epsilon elsewhere.
    unsafe BEGIN in manycore_kernels::maxplus::ENTRIES: maxplus_begin
    /// Arcs into a dense matrix.
    unsafe SCATTER in manycore_kernels::maxplus::ENTRIES: maxplus_scatter
    /// Rows and columns in the order of the result.
    unsafe ARRANGE in manycore_kernels::maxplus::ENTRIES: maxplus_arrange
    /// A row into those of its successors.
    unsafe PUSH in manycore_kernels::maxplus::DAG: maxplus_push
    /// The rows of a level from those of their predecessors.
    unsafe PULL in manycore_kernels::maxplus::DAG: maxplus_pull
    /// Closures of blocks on the diagonal.
    pub(super) unsafe DIAGONALS in manycore_kernels::maxplus::BLOCKED: maxplus_diagonals
    /// A closed block times its rows.
    pub(super) unsafe ROWS in manycore_kernels::maxplus::BLOCKED: maxplus_rows
    /// The columns of a block times the closed block.
    pub(super) unsafe COLUMNS in manycore_kernels::maxplus::BLOCKED: maxplus_columns
    /// All other entries.
    pub(super) unsafe UPDATE in manycore_kernels::maxplus::BLOCKED: maxplus_update
}

/// Items of a group where nothing else says how many.
const GROUP: usize = 256;

/// Items of a group of the blocked form, which has as many along rows as along columns.
pub(super) const SQUARE: usize = 256;

/// Local memory that is not for blocks, in bytes.
const OTHER_BYTES: usize = 512;

/// Rows and columns of a diagonal block that suit the local memory: those of the host where they fit. `None` where none do.
pub(super) fn block<T>(cl: &OpenCl) -> Option<usize> {
    let local = (cl.info().local_memory_bytes as usize).saturating_sub(OTHER_BYTES);
    let fits = |side: usize| 2 * side * (side + 1) * size_of::<T>() <= local;
    let sides = [64, 32, 16].into_iter().filter(|&side| side <= tiles::block::<T>());
    sides.into_iter().find(|&side| fits(side)).filter(|_| cl.info().group_limit >= SQUARE)
}

/// Runs of four rows and columns of an item: as many as registers hold, and local memory for sixteen terms of both sides.
fn spans<T>(cl: &OpenCl) -> usize {
    let local = (cl.info().local_memory_bytes as usize).saturating_sub(OTHER_BYTES);
    let bytes = |spans: usize| 2 * 16 * (64 * spans + 4) * size_of::<T>();
    if size_of::<T>() == 4 && bytes(2) <= local { 2 } else { 1 }
}

/// Rows of a block and of a tile of [`OnDevice::substitute`].
pub(super) fn tiles<T>(cl: &OpenCl) -> Option<(usize, usize)> {
    block::<T>(cl).map(|side| (side, 64 * spans::<T>(cl)))
}

/// Items of a group of a kernel that takes any number.
fn group(kernel: &manycore_device::Kernel) -> usize {
    GROUP.min(kernel.group_limit())
}

/// A device with what kernels of a type are built with.
pub(super) struct OnDevice<'a> {
    pub(super) planner: &'a Planner,
    pub(super) cl: &'a OpenCl,
}

impl OnDevice<'_> {
    pub(super) fn launch<'k>(&'k self, kernel: &'k manycore_device::Kernel) -> manycore_device::Launch<'k> {
        self.cl.launch(kernel)
    }

    pub(super) fn kernel<T: Weight>(
        &self,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<std::sync::Arc<manycore_device::Kernel>, DeviceError> {
        if T::TYPE.is_floating() && T::TYPE.bytes() == 8 && !self.cl.info().fp64 {
            let feature = "double precision".to_owned();
            return Err(DeviceError::Unsupported { device: self.cl.info().label(), feature });
        }
        self.planner.kernel(self.cl, spec, defines.element(T::TYPE))
    }

    /// Columns that begin at these places: 0 there, epsilon elsewhere.
    fn begin<T: Weight>(&self, nodes: usize, places: &[u32]) -> Result<Buffer<T>, DeviceError> {
        let device = self.planner.device();
        let len = nodes * places.len();
        let mut w = device.scratch::<T>(len)?;
        let places = device.upload(places)?;
        let kernel = self.kernel::<T>(&BEGIN, Defines::new())?;
        self.launch(&kernel)
            .buffer(&mut w)
            .input(&places)
            .value(len as u64)
            .value(places.len() as u64)
            .items(len, group(&kernel))
            .bytes((len * size_of::<T>()) as u64)
            .run()?;
        Ok(w)
    }

    /// A matrix of all arcs, 0 on the diagonal, epsilon elsewhere.
    fn dense<T: Weight>(&self, graph: &Graph<T>) -> Result<Buffer<T>, DeviceError> {
        let (nodes, device) = (graph.nodes(), self.planner.device());
        let places: Vec<u32> = (0..nodes as u32).collect();
        let mut x = self.begin(nodes, &places)?;
        let (offsets, targets, weights) = graph.compressed();
        if targets.is_empty() {
            return Ok(x);
        }
        let arcs = targets.len();
        let ends: Vec<u64> = offsets.iter().map(|&offset| offset as u64).collect();
        let (ends, targets, weights) = (device.upload(&ends)?, device.upload(targets)?, device.upload(weights)?);
        let kernel = self.kernel::<T>(&SCATTER, Defines::new())?;
        self.launch(&kernel)
            .buffer(&mut x)
            .input(&ends)
            .input(&targets)
            .input(&weights)
            .value(arcs as u64)
            .value(nodes as u64)
            .groups(nodes, group(&kernel))
            .bytes((arcs * (4 + 2 * size_of::<T>())) as u64)
            .run()?;
        Ok(x)
    }

    /// The entries in the order of the result, epsilon the least number: row `i` is `w`'s row `rows[i]`, column `j` is `columns[j]`.
    pub(super) fn arranged<T: Weight>(
        &self,
        w: &Buffer<T>,
        rows: &[u32],
        columns: &[u32],
    ) -> Result<Buffer<T>, DeviceError> {
        let device = self.planner.device();
        let (nodes, width) = (rows.len(), columns.len());
        let len = nodes * width;
        let mut out = device.scratch::<T>(len)?;
        let (rows, columns) = (device.upload(rows)?, device.upload(columns)?);
        let kernel = self.kernel::<T>(&ARRANGE, Defines::new())?;
        self.launch(&kernel)
            .buffer(&mut out)
            .input(w)
            .input(&rows)
            .input(&columns)
            .value(len as u64)
            .value(width as u64)
            .value(nodes as u64)
            .value(T::LOWEST)
            .items(len, group(&kernel))
            .bytes((2 * len * size_of::<T>()) as u64)
            .run()?;
        Ok(out)
    }

    /// The columns of a star that begin at these ascending places, by a launch for each source with arcs.
    pub(super) fn push<T: Weight>(
        &self,
        graph: &Relabelled<T>,
        places: &[u32],
        shape: PushShape,
    ) -> Result<Buffer<T>, DeviceError> {
        let (device, nodes, width) = (self.planner.device(), graph.order.len(), places.len());
        let mut w = self.begin::<T>(nodes, places)?;
        let (offsets, targets, weights) = graph.graph.compressed();
        if targets.is_empty() {
            return Ok(w);
        }
        let (targets, weights) = (device.upload(targets)?, device.upload(weights)?);
        let shape = shape.within(self.cl.info().group_limit);
        let defines = Defines::new().set("ROWS", shape.rows).set("COLUMNS", shape.columns);
        let kernel = self.kernel::<T>(&PUSH, defines)?;
        let mut active = 0;
        for source in 0..nodes {
            while active < width && places[active] as usize <= source {
                active += 1;
            }
            let (begin, count) = (offsets[source], offsets[source + 1] - offsets[source]);
            if count == 0 || active == 0 {
                continue;
            }
            self.launch(&kernel)
                .buffer(&mut w)
                .input(&targets)
                .input(&weights)
                .value(begin as u64)
                .value(count as u64)
                .value(source as u64)
                .value(nodes as u64)
                .value(width as u64)
                .value(active as u64)
                .groups(count.div_ceil(shape.rows) * active.div_ceil(shape.columns), shape.rows * shape.columns)
                .bytes(((2 * count + 1) * active * size_of::<T>()) as u64)
                .operations((count * active) as u64)
                .run()?;
        }
        Ok(w)
    }

    /// The columns of a star that begin at these ascending places, by a launch for each level.
    pub(super) fn pull<T: Weight>(&self, graph: &Relabelled<T>, places: &[u32]) -> Result<Buffer<T>, DeviceError> {
        let (device, nodes, width) = (self.planner.device(), graph.order.len(), places.len());
        let mut w = self.begin::<T>(nodes, places)?;
        let incoming = graph.graph.reversed();
        let (offsets, sources, weights) = incoming.compressed();
        let arcs = sources.len();
        if arcs == 0 {
            return Ok(w);
        }
        let ends: Vec<u64> = offsets.iter().map(|&offset| offset as u64).collect();
        let (ends, sources, weights) = (device.upload(&ends)?, device.upload(sources)?, device.upload(weights)?);
        let kernel = self.kernel::<T>(&PULL, Defines::new())?;
        // The first level has no predecessors.
        for level in graph.levels.windows(2).skip(1) {
            let (first, end) = (level[0], level[1]);
            let active = places.partition_point(|&place| (place as usize) < end);
            if active == 0 {
                continue;
            }
            let count = offsets[end] - offsets[first];
            self.launch(&kernel)
                .buffer(&mut w)
                .input(&ends)
                .input(&sources)
                .input(&weights)
                .value(first as u64)
                .value((end - first) as u64)
                .value(first as u64 - 1)
                .value(arcs as u64)
                .value(width as u64)
                .value(active as u64)
                .items((end - first) * active, group(&kernel))
                .bytes(((count + end - first) * active * size_of::<T>()) as u64)
                .operations((count * active) as u64)
                .run()?;
        }
        Ok(w)
    }

    pub(super) fn blocked<T: Weight>(&self) -> Result<(usize, usize, Defines), DeviceError> {
        let Some(side) = block::<T>(self.cl) else {
            let info = self.cl.info();
            let feature = format!(
                "a star by blocks in {} bytes of local memory and groups of {} items",
                info.local_memory_bytes, info.group_limit
            );
            return Err(DeviceError::Unsupported { device: info.label(), feature });
        };
        let spans = spans::<T>(self.cl);
        Ok((side, 64 * spans, Defines::new().set("BLOCK", side).set("SPANS", spans)))
    }

    /// The columns of a star that begin at these ascending places, by forward substitution of blocks.
    pub(super) fn substitute<T: Weight>(
        &self,
        graph: &Relabelled<T>,
        places: &[u32],
    ) -> Result<Buffer<T>, DeviceError> {
        let (device, nodes, width) = (self.planner.device(), graph.order.len(), places.len());
        let mut w = self.begin::<T>(nodes, places)?;
        if graph.graph.arc_count() == 0 {
            return Ok(w);
        }
        let x = self.dense(&graph.graph)?;
        let (side, tile, defines) = self.blocked::<T>()?;
        let blocks = nodes.div_ceil(side);
        let mut closed = device.scratch::<T>(blocks * side * side)?;
        let mut flag = device.zeros::<u32>(1)?;
        let kernel = self.kernel::<T>(&DIAGONALS, defines.clone())?;
        self.diagonals(&kernel, &x, &mut closed, (0, blocks), (nodes, side), T::HIGHEST, &mut flag)?;
        let rows = self.kernel::<T>(&ROWS, defines.clone())?;
        let update = self.kernel::<T>(&UPDATE, defines)?;
        for k in 0..blocks {
            let end = ((k + 1) * side).min(nodes);
            let active = places.partition_point(|&place| (place as usize) < end);
            if active == 0 {
                continue;
            }
            self.rows(&rows, (&mut w, &closed), k, (nodes, width, active), side, u64::MAX)?;
            if end == nodes {
                continue;
            }
            let groups = (nodes - end).div_ceil(tile) * active.div_ceil(tile);
            self.launch(&update)
                .buffer(&mut w)
                .input(&x)
                .value((k * side) as u64)
                .value(nodes as u64)
                .value(k as u64)
                .value(end as u64)
                .value(nodes as u64)
                .value(width as u64)
                .value(active as u64)
                .value(0u32)
                .value(T::ZERO)
                .buffer(&mut flag)
                .groups(groups, SQUARE)
                .bytes((2 * (nodes - end) * active * size_of::<T>()) as u64)
                .operations(((nodes - end) * active * side) as u64)
                .run()?;
        }
        Ok(w)
    }

    /// The star of any graph by blocks in place; `None` where a circuit is positive.
    pub(super) fn closure<T: Weight>(&self, graph: &Graph<T>) -> Result<Option<Buffer<T>>, DeviceError> {
        let (device, nodes) = (self.planner.device(), graph.nodes());
        let mut w = self.dense(graph)?;
        let (side, tile, defines) = self.blocked::<T>()?;
        let blocks = nodes.div_ceil(side);
        let mut closed = device.scratch::<T>(blocks * side * side)?;
        let mut p = device.scratch::<T>(nodes * side)?;
        let mut flag = device.zeros::<u32>(1)?;
        let diagonals = self.kernel::<T>(&DIAGONALS, defines.clone())?;
        let rows = self.kernel::<T>(&ROWS, defines.clone())?;
        let columns = self.kernel::<T>(&COLUMNS, defines.clone())?;
        let update = self.kernel::<T>(&UPDATE, defines)?;
        for k in 0..blocks {
            self.diagonals(&diagonals, &w, &mut closed, (k, 1), (nodes, side), T::ZERO, &mut flag)?;
            self.rows(&rows, (&mut w, &closed), k, (nodes, nodes, nodes), side, k as u64)?;
            self.launch(&columns)
                .buffer(&mut w)
                .input(&closed)
                .buffer(&mut p)
                .value(k as u64)
                .value(nodes as u64)
                .groups(blocks, SQUARE)
                .bytes((3 * nodes * side * size_of::<T>()) as u64)
                .operations((nodes * side * side) as u64)
                .run()?;
            self.launch(&update)
                .buffer(&mut w)
                .input(&p)
                .value(0u64)
                .value(side as u64)
                .value(k as u64)
                .value(0u64)
                .value(nodes as u64)
                .value(nodes as u64)
                .value(nodes as u64)
                .value(1u32)
                .value(T::ZERO)
                .buffer(&mut flag)
                .groups(nodes.div_ceil(tile).pow(2), SQUARE)
                .bytes((2 * nodes * nodes * size_of::<T>()) as u64)
                .operations((nodes * nodes * side) as u64)
                .run()?;
        }
        Ok((flag.download()?.first() == Some(&0)).then_some(w))
    }

    #[allow(clippy::too_many_arguments)] // those of the kernel
    pub(super) fn diagonals<T: Weight>(
        &self,
        kernel: &manycore_device::Kernel,
        x: &Buffer<T>,
        closed: &mut Buffer<T>,
        (first, count): (usize, usize),
        (nodes, side): (usize, usize),
        tolerance: T,
        flag: &mut Buffer<u32>,
    ) -> Result<(), DeviceError> {
        self.launch(kernel)
            .input(x)
            .buffer(closed)
            .value(first as u64)
            .value(nodes as u64)
            .value(tolerance)
            .buffer(flag)
            .groups(count, SQUARE)
            .bytes((2 * count * side * side * size_of::<T>()) as u64)
            .operations((count * side.pow(3)) as u64)
            .run()
    }

    pub(super) fn rows<T: Weight>(
        &self,
        kernel: &manycore_device::Kernel,
        (w, closed): (&mut Buffer<T>, &Buffer<T>),
        k: usize,
        (nodes, width, active): (usize, usize, usize),
        side: usize,
        skipped: u64,
    ) -> Result<(), DeviceError> {
        self.launch(kernel)
            .buffer(w)
            .input(closed)
            .value(k as u64)
            .value(nodes as u64)
            .value(width as u64)
            .value(active as u64)
            .value(skipped)
            .groups(active.div_ceil(side), SQUARE)
            .bytes((2 * side * active * size_of::<T>()) as u64)
            .operations((active * side * side) as u64)
            .run()
    }
}
