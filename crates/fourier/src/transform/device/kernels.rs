//! The kernels' signatures.

// SAFETY: the launches of this folder take the sizes of stages that `build` made for the group and the batch:
// `Fourier::run` compares them with the length of the data and has scratch as long as the stages need. Factors of
// spectra are whole numbers of transforms.
manycore_device::kernel! {
    /// A pass in tiles.
    pub(super) unsafe TILE in manycore_kernels::fourier::TILE: fourier_tile
    /// A tile of residues, into another buffer.
    pub(super) unsafe TILE_RESIDUES in manycore_kernels::fourier::TILE_RESIDUES: fourier_tile
    /// A pass in tiles that leaves units where they are.
    pub(super) unsafe STAYING in manycore_kernels::fourier::TILE: fourier_tile_in_place
    /// A tile of residues, in place.
    pub(super) unsafe STAYING_RESIDUES in manycore_kernels::fourier::TILE_RESIDUES: fourier_tile_in_place
    /// A pass by the definition.
    pub(super) unsafe DENSE in manycore_kernels::fourier::DENSE: fourier_dense
    /// A dense pass over residues.
    pub(super) unsafe DENSE_RESIDUES in manycore_kernels::fourier::DENSE_RESIDUES: fourier_dense
    /// Products along an axis.
    pub(super) unsafe MULTIPLY_ALONG in manycore_kernels::fourier::MULTIPLY: fourier_multiply_along
    /// Products along an axis of residues, into another buffer.
    pub(super) unsafe MULTIPLY_ALONG_RESIDUES in manycore_kernels::fourier::MULTIPLY_RESIDUES: fourier_multiply_along
    /// Products along an axis in place.
    pub(super) unsafe MULTIPLY_ALONG_STAYING in manycore_kernels::fourier::MULTIPLY: fourier_multiply_along_in_place
    /// Products along an axis of residues, in place.
    pub(super) unsafe MULTIPLY_ALONG_STAYING_RESIDUES in manycore_kernels::fourier::MULTIPLY_RESIDUES: fourier_multiply_along_in_place
    /// Products of spectra.
    pub(super) unsafe MULTIPLY in manycore_kernels::fourier::MULTIPLY: fourier_multiply
    /// Products of residues by place.
    pub(super) unsafe MULTIPLY_RESIDUES in manycore_kernels::fourier::MULTIPLY_RESIDUES: fourier_multiply
}
