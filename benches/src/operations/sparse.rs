//! Products of sparse matrices by vectors and by blocks of vectors.

use anyhow::Result;
use manycore_field::{PrimeField, Reals};
use manycore_sparse::sprs::{CsMat, TriMat};
use manycore_sparse::{ProductOptions, SparseProduct, SparseRing};

use super::case::{Case, Extent, Work, work};
use crate::data;

/// The modulus of the residues.
const P: u32 = 469_762_049;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for side in extent.of(&[100], &[100, 1000], &[1000, 2000]) {
        for width in [1, 8] {
            cases.push(reals(side, width));
            cases.push(residues(side, width));
        }
    }
    cases
}

/// The Laplacian of a square grid by five points, a matrix of `side^2` rows.
fn laplacian<T: Copy + std::ops::Add<Output = T>>(side: usize, diagonal: T, other: T) -> CsMat<T> {
    let mut triplets = TriMat::with_capacity((side * side, side * side), 5 * side * side);
    for point in 0..side * side {
        let (y, x) = (point / side, point % side);
        triplets.add_triplet(point, point, diagonal);
        let neighbours = [
            (y > 0).then(|| point - side),
            (x > 0).then(|| point - 1),
            (x + 1 < side).then_some(point + 1),
            (y + 1 < side).then_some(point + side),
        ];
        neighbours.into_iter().flatten().for_each(|neighbour| triplets.add_triplet(point, neighbour, other));
    }
    triplets.to_csr()
}

/// The product by the definition: `width` values of each column of the matrix, side by side.
fn definition<T: Copy, S>(matrix: &CsMat<T>, x: &[T], width: usize, zero: S, add: impl Fn(S, T, T) -> S) -> Vec<S>
where
    S: Copy,
{
    let mut y = vec![zero; matrix.rows() * width];
    for (row, entries) in matrix.outer_iterator().enumerate() {
        for (column, &value) in entries.iter() {
            for k in 0..width {
                y[row * width + k] = add(y[row * width + k], value, x[column * width + k]);
            }
        }
    }
    y
}

fn ours<R: SparseRing + Clone + 'static>(
    device: &manycore_device::Device,
    ring: R,
    matrix: &CsMat<R::Value>,
    (x, width): (&[R::Value], usize),
    expected: &[R::Value],
) -> Result<Box<dyn Work>>
where
    R::Value: PartialEq,
{
    let product = SparseProduct::new(device, ring, matrix.view(), ProductOptions::default())?;
    let x = product.upload(x)?;
    let y = product.upload(&vec![expected[0]; expected.len()])?;
    let expected = product.upload(expected)?.download()?;
    Ok(work(
        (product, x, y),
        move |(product, x, y)| Ok(product.multiply_buffers(&*x, &mut *y, width)?),
        move |(.., y)| Ok(y.download()? == expected),
    ))
}

fn size(side: usize, width: usize) -> (usize, String) {
    let rows = side * side;
    (rows, if width == 1 { format!("{rows} rows, vector") } else { format!("{rows} rows, {width} vectors") })
}

/// Bytes of the matrix and both operands in words of `bytes` bytes, halved: a floor counts each byte as one read and one write.
fn bytes(side: usize, width: usize, bytes: usize) -> usize {
    (5 * side * side * (bytes + 4) + 4 * side * side + 2 * side * side * width * bytes) / 2
}

fn reals(side: usize, width: usize) -> Case {
    let operands = move || (laplacian(side, 4.0, -1.0), data::values::<f64>(side * side * width));
    let expected = move || {
        let (matrix, x) = operands();
        definition(&matrix, &x, width, 0.0, |sum, a, x| sum + a * x)
    };
    let case = Case::new(
        ("sparse", "f64"),
        size(side, width),
        (bytes(side, width, 8), 10.0 * (side * side * width) as f64),
        "equal to the definition, on integers",
        move |device| {
            let (matrix, x) = operands();
            ours(device, Reals::<f64>::new(), &matrix, (&x, width), &expected())
        },
    );
    if width > 1 {
        return case;
    }
    let case = case.beside("sprs", false, move || {
        let ((matrix, x), expected) = (operands(), expected());
        let y = vec![0.0f64; matrix.rows()];
        Ok(work(
            (matrix, x, y),
            |(matrix, x, y)| {
                y.fill(0.0);
                manycore_sparse::sprs::prod::mul_acc_mat_vec_csr(matrix.view(), &x[..], &mut y[..]);
                Ok(())
            },
            move |(.., y)| Ok(*y == expected),
        ))
    });
    beside_graphblas(case, side)
}

#[cfg(manycore_graphblas)]
fn beside_graphblas(case: Case, side: usize) -> Case {
    use crate::peers::graphblas;

    case.beside(graphblas::name(), true, move || {
        let (matrix, x) = (laplacian(side, 4.0, -1.0), data::values::<f64>(side * side));
        let expected = definition(&matrix, &x, 1, 0.0, |sum, a, x| sum + a * x);
        let product = graphblas::SparseByVector::new(&matrix, &x)?;
        Ok(work(product, |product| product.run(), move |product| Ok(product.values() == expected)))
    })
}

#[cfg(not(manycore_graphblas))]
fn beside_graphblas(case: Case, _side: usize) -> Case {
    case
}

fn residues(side: usize, width: usize) -> Case {
    let p = u64::from(P);
    Case::new(
        ("sparse", "u32"),
        size(side, width),
        (bytes(side, width, 4), 10.0 * (side * side * width) as f64),
        "equal to the definition",
        move |device| {
            let matrix = laplacian(side, 4u32, P - 1);
            let x: Vec<u32> = data::residues(side * side * width, p, 3).into_iter().map(|x| x as u32).collect();
            let expected = definition(&matrix, &x, width, 0u64, |sum, a, x| (sum + u64::from(a) * u64::from(x)) % p);
            let expected: Vec<u32> = expected.into_iter().map(|y| y as u32).collect();
            ours(device, PrimeField::<u32>::new(P)?, &matrix, (&x, width), &expected)
        },
    )
}
