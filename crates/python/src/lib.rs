#![doc = include_str!("../README.md")]
// The README is a page for users of Python; what Python gives is taken by value.
#![allow(clippy::doc_markdown, clippy::needless_pass_by_value)]

mod arrays;
mod batches;
mod bits;
mod boolean;
mod codes;
mod device;
mod devices;
mod errors;
mod exact;
mod fields;
mod groups;
mod integers;
mod matrices;
mod maxplus;
mod operations;
mod polynomials;
mod semirings;
mod sorting;
mod sparse;
mod systems;
mod transforms;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package: see the modules in Python for what users call.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::batches::matrix_batch;
    #[pymodule_export]
    use crate::bits::PyBitMatrix;
    #[pymodule_export]
    use crate::boolean::{PyFunction, PySBox, sbox_figures};
    #[pymodule_export]
    use crate::codes::{PyErasureCode, join_parts, split_parts};
    #[pymodule_export]
    use crate::device::{PyDevice, device_names};
    #[pymodule_export]
    use crate::devices::PyDeviceSet;
    #[pymodule_export]
    use crate::exact::{
        determinant_of_parts, determinant_residues, integer_characteristic_polynomial, integer_determinant,
        integer_hermite_form, integer_invariant_factors, integer_inverse, integer_minimal_polynomial,
        integer_nullspace, integer_rank, integer_smith_form, integer_solve, real_determinant,
    };
    #[pymodule_export]
    use crate::groups::PyGroup;
    #[pymodule_export]
    use crate::integers::{explain_integer_product, integer_product, integer_square};
    #[pymodule_export]
    use crate::matrices::{PyMatrix, PySpace};
    #[pymodule_export]
    use crate::maxplus::{
        PyProject, PySchedule, best_path, cycle_mean, cycle_mean_real, draw_units, eigenvectors, reachability, star,
    };
    #[pymodule_export]
    use crate::operations::{call_operation, declarations};
    #[pymodule_export]
    use crate::polynomials::{PyPoly, PyRing, PyTree};
    #[pymodule_export]
    use crate::semirings::PySemiring;
    #[pymodule_export]
    use crate::sorting::{argsort, argsort_bytes, explain_sort, first, sort};
    #[pymodule_export]
    use crate::sparse::{PySparse, page_rank, sparse_misses, sparse_order};
    #[pymodule_export]
    use crate::systems::{rational_system_resultant, solve_rational_system, solve_system, system_resultant};
    #[pymodule_export]
    use crate::transforms::groups::{convolve, fourier};
    #[pymodule_export]
    use crate::transforms::kronecker::kronecker;
    #[pymodule_export]
    use crate::transforms::modular::{explain_ntt, ntt, residue_bytes, residues};
    #[pymodule_export]
    use crate::transforms::{arithmetic, explain_walsh, haar, polarity_terms, reed_muller, walsh};
    #[pymodule_export]
    use crate::work::{pop_limits, push_limits};
}
