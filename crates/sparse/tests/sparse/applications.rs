//! Conjugate gradients and ranks: known solutions, a second route, and every way to end.

use std::ops::ControlFlow;

use crate::common::{laplacian, uniform, words};
use manycore_device::{Device, DeviceError};
use manycore_field::Reals;
use manycore_sparse::{
    ConjugateGradientOptions, Outcome, PageRankOptions, ProductOptions, SparseError, SparseProduct, conjugate_gradient,
    page_rank,
};
use manycore_testkit::devices;
use sprs::CsMat;

fn go_on(_: usize, _: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The host with one thread and with all, and each OpenCL device that has double precision.
fn double_devices() -> Vec<Device> {
    let is_double = |device: &Device| match device.zeros::<f64>(1) {
        Err(DeviceError::Unsupported { .. }) => false,
        _ => device.info().fp64,
    };
    devices().into_iter().filter(is_double).collect()
}

fn prepared(device: &Device, matrix: &CsMat<f64>) -> SparseProduct<Reals<f64>> {
    SparseProduct::new(device, Reals::new(), matrix.view(), ProductOptions::default()).unwrap()
}

#[test]
fn a_laplacian_is_solved_on_every_device() {
    let matrix = laplacian(30);
    let expected: Vec<f64> = words(2).take(900).map(|word| word as f64 / 1e9).collect();
    for device in double_devices() {
        let product = prepared(&device, &matrix);
        let b = product.multiply(&expected).unwrap();
        let options = ConjugateGradientOptions { tolerance: 1e-12, ..Default::default() };
        let found = conjugate_gradient(&product, &b, options, go_on).unwrap();
        assert_eq!(found.outcome, Outcome::Converged);
        assert!(found.true_residual < 1e-11 && found.iterations() < 120, "{found:?}");
        assert_eq!(found.residuals[0].to_bits(), 1.0f64.to_bits());
        // The smallest eigenvalue is 8 sin^2(pi / 62) = 0.0205, the largest below 8: the error is at most 390 residuals.
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let difference: Vec<f64> = found.solution.iter().zip(&expected).map(|(a, b)| a - b).collect();
        assert!(norm(&difference) < 1e-8 * norm(&expected), "{device:?}");
        let again = conjugate_gradient(&product, &b, options, go_on).unwrap();
        assert!(again == found, "{device:?} is deterministic");
    }
}

#[test]
fn single_precision_reaches_its_own_accuracy() {
    let matrix = laplacian(12).map(|&value| value as f32);
    for device in devices() {
        let product = SparseProduct::new(&device, Reals::<f32>::new(), matrix.view(), ProductOptions::default());
        let product = product.unwrap();
        let b = vec![1.0f32; 144];
        let options = ConjugateGradientOptions { tolerance: 1e-5, most_iterations: 200 };
        let found = conjugate_gradient(&product, &b, options, go_on).unwrap();
        assert_eq!(found.outcome, Outcome::Converged, "{device:?}");
        assert!(found.true_residual < 1e-4, "{}", found.true_residual);
    }
}

#[test]
fn iterations_end_in_every_way() {
    let product = prepared(&Device::host(), &laplacian(10));
    let b = vec![1.0; 100];
    let options = ConjugateGradientOptions { tolerance: 0.0, most_iterations: 5 };
    let found = conjugate_gradient(&product, &b, options, go_on).unwrap();
    assert_eq!((found.outcome, found.iterations()), (Outcome::MostIterations, 5));
    let mut told = Vec::new();
    let found = conjugate_gradient(&product, &b, ConjugateGradientOptions::default(), |iteration, residual| {
        told.push((iteration, residual));
        if iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let found = found.unwrap();
    assert_eq!((found.outcome, found.iterations(), told.len()), (Outcome::Cancelled, 3, 4));
    assert!(told.iter().zip(&found.residuals).all(|(told, residual)| told.1.to_bits() == residual.to_bits()));

    let zero = conjugate_gradient(&product, &[0.0; 100], ConjugateGradientOptions::default(), go_on).unwrap();
    assert_eq!((zero.outcome, zero.solution), (Outcome::Converged, vec![0.0; 100]));
    let diagonal = |values: [f64; 2]| CsMat::new((2, 2), vec![0, 1, 2], vec![0, 1], values.to_vec());
    for values in [[1.0, -3.0], [f64::NAN, 1.0], [0.0, 0.0]] {
        let product = prepared(&Device::host(), &diagonal(values));
        let found = conjugate_gradient(&product, &[1.0, 1.0], ConjugateGradientOptions::default(), go_on).unwrap();
        assert!(matches!(found.outcome, Outcome::NotPositiveDefinite { .. }), "{values:?}: {found:?}");
    }
    let empty = prepared(&Device::host(), &CsMat::zero((0, 0)));
    assert_eq!(
        conjugate_gradient(&empty, &[], ConjugateGradientOptions::default(), go_on).unwrap().outcome,
        Outcome::Converged
    );

    let wide = prepared(&Device::host(), &CsMat::zero((2, 3)));
    let error = conjugate_gradient(&wide, &[1.0, 1.0], ConjugateGradientOptions::default(), go_on).unwrap_err();
    assert!(matches!(error, SparseError::NotSquare { rows: 2, columns: 3, .. }));
    let error = conjugate_gradient(&product, &[1.0], ConjugateGradientOptions::default(), go_on).unwrap_err();
    assert_eq!(error, SparseError::Length { what: "the right side", given: 1, expected: 100 });
    let options = ConjugateGradientOptions { tolerance: f64::NAN, most_iterations: 1 };
    assert!(conjugate_gradient(&product, &b, options, go_on).is_err());
}

/// The ranks by elimination: `(I - d M) x = (1 - d) / n + d / n (sum of the ranks of pages without links)`, where `M` is
/// the transposed matrix of chances, made whole for pages without links.
fn eliminated(graph: &CsMat<f64>, d: f64) -> Vec<f64> {
    let n = graph.rows();
    let mut system = vec![vec![0.0; n + 1]; n];
    for (i, row) in system.iter_mut().enumerate() {
        row[i] = 1.0;
        row[n] = (1.0 - d) / n as f64;
    }
    for from in 0..n {
        let links = graph.outer_view(from).unwrap();
        let sum: f64 = links.data().iter().sum();
        for (to, row) in system.iter_mut().enumerate() {
            let chance = if sum > 0.0 { links.get(to).copied().unwrap_or(0.0) / sum } else { 1.0 / n as f64 };
            row[from] -= d * chance;
        }
    }
    // Columns are diagonally dominant: no pivots are looked for.
    for pivot in 0..n {
        let taken = system[pivot].clone();
        for (_, row) in system.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            let factor = row[pivot] / taken[pivot];
            row.iter_mut().zip(&taken).for_each(|(value, taken)| *value -= factor * taken);
        }
    }
    (0..n).map(|i| system[i][n] / system[i][i]).collect()
}

#[test]
fn ranks_are_those_of_elimination() {
    let mut graph = uniform(40, 40, 3, 8);
    // Two pages without weight on their links.
    graph = CsMat::new(
        (40, 40),
        graph.proper_indptr().to_vec(),
        graph.indices().to_vec(),
        graph.iter().map(|(&value, (row, _))| if row == 7 || row == 11 { 0.0 } else { value }).collect(),
    );
    for device in double_devices() {
        for damping in [0.0, 0.5, 0.85] {
            let options = PageRankOptions { damping, tolerance: 1e-13, ..Default::default() };
            let found = page_rank(&device, graph.view(), options, go_on).unwrap();
            assert_eq!(found.outcome, Outcome::Converged);
            let expected = eliminated(&graph, damping);
            let error: f64 = found.ranks.iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum();
            assert!(error <= found.error_bound + 1e-14, "{device:?}, {damping}: {error}");
            assert!((found.ranks.iter().sum::<f64>() - 1.0).abs() < 1e-13);
            let columns = page_rank(&device, graph.to_csc().view(), options, go_on).unwrap();
            assert!(columns == found, "either storage gives the same");
        }
    }
}

#[test]
fn ranks_end_in_every_way() {
    let host = Device::host();
    let cycle = CsMat::new((3, 3), vec![0, 1, 2, 3], vec![1, 2, 0], vec![1.0; 3]);
    let found = page_rank(&host, cycle.view(), PageRankOptions::default(), go_on).unwrap();
    assert!(found.ranks.iter().all(|rank| (rank - 1.0 / 3.0).abs() < 1e-15) && found.changes.len() == 1);
    let path = CsMat::new((3, 3), vec![0, 1, 2, 2], vec![1, 2], vec![1.0; 2]);
    let options = PageRankOptions { tolerance: 0.0, most_iterations: 2, ..Default::default() };
    assert_eq!(page_rank(&host, path.view(), options, go_on).unwrap().outcome, Outcome::MostIterations);
    let stopped = page_rank(&host, path.view(), PageRankOptions::default(), |_, _| ControlFlow::Break(())).unwrap();
    assert_eq!((stopped.outcome, stopped.changes.len()), (Outcome::Cancelled, 0));
    assert!(stopped.error_bound.is_infinite());
    let none = page_rank(&host, CsMat::zero((0, 0)).view(), PageRankOptions::default(), go_on).unwrap();
    assert_eq!((none.outcome, none.ranks.len()), (Outcome::Converged, 0));

    assert!(page_rank(&host, CsMat::zero((2, 3)).view(), PageRankOptions::default(), go_on).is_err());
    for damping in [-0.1, 1.0, f64::NAN] {
        let options = PageRankOptions { damping, ..Default::default() };
        assert!(page_rank(&host, path.view(), options, go_on).is_err());
    }
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let graph = CsMat::new((1, 1), vec![0, 1], vec![0], vec![weight]);
        let error = page_rank(&host, graph.view(), PageRankOptions::default(), go_on).unwrap_err();
        assert!(matches!(error, SparseError::Parameter { name: "a link's weight", .. }), "{error}");
    }
}
