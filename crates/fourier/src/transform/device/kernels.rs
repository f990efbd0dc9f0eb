//! The kernels' signatures.

// SAFETY: the launches of this folder take the sizes of stages that `build` made for the group and the batch:
// `Fourier::run` compares them with the length of the data and has scratch as long as the stages need. Factors of
// spectra are whole numbers of transforms.
manycore_device::kernel! {
    /// A pass in tiles.
    pub(super) unsafe TILE in manycore_kernels::FOURIER_TILE: fourier_tile(
        from: input<element>, to: buffer<element>, constants: input<element>, places: input<u32>, low: input<element>,
        high: input<element>, units: u64, inner: u64, unit_tiles: u32, run_tiles: u32, from_outer: u64, from_unit: u64,
        from_row: u64, to_outer: u64, to_unit: u64, to_row: u64, flags: u32, p: element, reciprocal: u64
    )
    /// The same of residues.
    pub(super) unsafe TILE_RESIDUES in manycore_kernels::FOURIER_TILE_RESIDUES: fourier_tile(
        from: input<element>, to: buffer<element>, constants: input<element>, places: input<u32>, low: input<element>,
        high: input<element>, units: u64, inner: u64, unit_tiles: u32, run_tiles: u32, from_outer: u64, from_unit: u64,
        from_row: u64, to_outer: u64, to_unit: u64, to_row: u64, flags: u32, p: element, reciprocal: u64
    )
    /// A pass in tiles that leaves units where they are.
    pub(super) unsafe STAYING in manycore_kernels::FOURIER_TILE: fourier_tile_in_place(
        data: buffer<element>, constants: input<element>, places: input<u32>, low: input<element>, high: input<element>,
        units: u64, inner: u64, unit_tiles: u32, run_tiles: u32, from_outer: u64, from_unit: u64, from_row: u64,
        to_outer: u64, to_unit: u64, to_row: u64, flags: u32, p: element, reciprocal: u64
    )
    /// The same of residues.
    pub(super) unsafe STAYING_RESIDUES in manycore_kernels::FOURIER_TILE_RESIDUES: fourier_tile_in_place(
        data: buffer<element>, constants: input<element>, places: input<u32>, low: input<element>, high: input<element>,
        units: u64, inner: u64, unit_tiles: u32, run_tiles: u32, from_outer: u64, from_unit: u64, from_row: u64,
        to_outer: u64, to_unit: u64, to_row: u64, flags: u32, p: element, reciprocal: u64
    )
    /// A pass by the definition.
    pub(super) unsafe DENSE in manycore_kernels::FOURIER_DENSE: fourier_dense(
        from: input<element>, to: buffer<element>, roots: input<element>, low: input<element>, high: input<element>,
        bits: u32, count: u64, rows: u32, cofactor: u64, inner: u64, flags: u32, p: element, reciprocal: u64
    )
    /// The same of residues.
    pub(super) unsafe DENSE_RESIDUES in manycore_kernels::FOURIER_DENSE_RESIDUES: fourier_dense(
        from: input<element>, to: buffer<element>, roots: input<element>, low: input<element>, high: input<element>,
        bits: u32, count: u64, rows: u32, cofactor: u64, inner: u64, flags: u32, p: element, reciprocal: u64
    )
    /// Products along an axis.
    pub(super) unsafe WEIGH in manycore_kernels::FOURIER_WEIGH: fourier_weigh(
        from: input<element>, to: buffer<element>, weights: input<element>, count: u64, before: u64, after: u64, inner: u64,
        known: u64, reversed: u32, weighs: u32, flags: u32, p: element, reciprocal: u64
    )
    /// The same of residues.
    pub(super) unsafe WEIGH_RESIDUES in manycore_kernels::FOURIER_WEIGH_RESIDUES: fourier_weigh(
        from: input<element>, to: buffer<element>, weights: input<element>, count: u64, before: u64, after: u64, inner: u64,
        known: u64, reversed: u32, weighs: u32, flags: u32, p: element, reciprocal: u64
    )
    /// Products along an axis in place.
    pub(super) unsafe WEIGH_STAYING in manycore_kernels::FOURIER_WEIGH: fourier_weigh_in_place(
        data: buffer<element>, weights: input<element>, count: u64, length: u64, inner: u64, known: u64, weighs: u32,
        flags: u32, p: element, reciprocal: u64
    )
    /// The same of residues.
    pub(super) unsafe WEIGH_STAYING_RESIDUES in manycore_kernels::FOURIER_WEIGH_RESIDUES: fourier_weigh_in_place(
        data: buffer<element>, weights: input<element>, count: u64, length: u64, inner: u64, known: u64, weighs: u32,
        flags: u32, p: element, reciprocal: u64
    )
    /// Products of spectra.
    pub(super) unsafe MULTIPLY in manycore_kernels::FOURIER_WEIGH: fourier_multiply(
        x: buffer<element>, y: input<element>, count: u64, period: u64, conjugate: u32, p: element, reciprocal: u64
    )
    /// The same of residues.
    pub(super) unsafe MULTIPLY_RESIDUES in manycore_kernels::FOURIER_WEIGH_RESIDUES: fourier_multiply(
        x: buffer<element>, y: input<element>, count: u64, period: u64, conjugate: u32, p: element, reciprocal: u64
    )
}
