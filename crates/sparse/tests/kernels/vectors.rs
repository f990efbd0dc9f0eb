//! The kernels `sparse_dot` and `sparse_combine` on every OpenCL device: an iteration of conjugate gradients against the
//! same by hand, for lengths at the edges of groups.

use std::ops::ControlFlow;

use manycore_field::Reals;
use manycore_sparse::{ConjugateGradientOptions, ProductOptions, SparseProduct, conjugate_gradient};
use manycore_testkit::opencl_devices;
use sprs::CsMat;

#[test]
fn one_iteration_is_that_of_the_definition() {
    for device in opencl_devices() {
        for n in [1usize, 2, 63, 255, 256, 257, 2000] {
            // Small integers: all sums are exact, and so are the products by a step that is a quotient rounded once.
            let diagonal: Vec<f32> = (0..n).map(|i| (1 + i % 3) as f32).collect();
            let matrix = CsMat::new((n, n), (0..=n).collect(), (0..n).collect(), diagonal.clone());
            let b: Vec<f32> = (0..n).map(|i| (i % 5) as f32 - 2.0).collect();
            let product = SparseProduct::new(&device, Reals::<f32>::new(), matrix.view(), ProductOptions::default());
            let options = ConjugateGradientOptions { tolerance: 0.0, most_iterations: 1 };
            let found = conjugate_gradient(&product.unwrap(), &b, options, |_, _| ControlFlow::Continue(())).unwrap();
            let square: f32 = b.iter().map(|b| b * b).sum();
            let curvature: f32 = b.iter().zip(&diagonal).map(|(b, d)| d * b * b).sum();
            let step = (f64::from(square) / f64::from(curvature)) as f32;
            let expected: Vec<f32> = b.iter().map(|b| step * b).collect();
            assert!(found.solution == expected, "{device:?}, {n} values");
            let after: f64 = b
                .iter()
                .zip(&diagonal)
                .map(|(&b, &d)| f64::from(b - step * d * b))
                .map(|residual| residual * residual)
                .sum();
            let expected = (after / f64::from(square)).sqrt();
            assert!((found.residuals[1] - expected).abs() <= 1e-5 * expected.max(1.0), "{device:?}, {n} values");
        }
    }
}
