//! Inverses of one matrix in every way, on the host and on every OpenCL device: against the identity and the definition, around
//! the widths of panels, of matrices whose leading heads have no inverse, and of singular ones.

use crate::common::{elements, long, random, short, sparing};
use manycore_device::{Device, TuningMode};
use manycore_linalg::{Inversion, LinalgError, LinearAlgebra, Matrix, MatrixField, eliminate};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

/// The matrix with the row `place(i)` of another in row i.
fn moved<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, place: impl Fn(usize) -> usize) -> Matrix<F> {
    let (words, columns) = (space.entries(a).unwrap(), a.columns());
    let rows = (0..a.rows()).flat_map(|i| words[place(i) * columns..][..columns].to_vec());
    space.matrix(a.rows(), columns, &rows.collect::<Vec<_>>()).unwrap()
}

/// The matrix with entries that are chosen by place.
fn chosen<F: MatrixField>(
    space: &LinearAlgebra<F>,
    order: usize,
    salt: u64,
    entry: impl Fn(usize, usize, F::Element) -> F::Element,
) -> Matrix<F> {
    let words = elements(space.field(), order * order, salt);
    let words: Vec<F::Element> = (0..).zip(&words).map(|(e, &x)| entry(e / order, e % order, x)).collect();
    space.matrix(order, order, &words).unwrap()
}

/// Matrices with an inverse over every field: triangular ones, their product, with rows exchanged in several ways so that some heads
/// or all have no inverse, permutations, and a matrix of blocks whose first half has none.
fn regular<F: MatrixField>(space: &LinearAlgebra<F>, order: usize) -> Vec<Matrix<F>> {
    let (zero, one) = (space.field().zero(), space.field().one());
    let triangle = |salt, keep: &dyn Fn(usize, usize) -> bool| {
        chosen(space, order, salt, |i, j, x| {
            if i == j {
                one
            } else if keep(i, j) {
                x
            } else {
                zero
            }
        })
    };
    let (lower, upper) = (triangle(1, &|i, j| j < i), triangle(2, &|i, j| j > i));
    let product = space.mul(&lower, &upper).unwrap();
    let identity = space.identity(order).unwrap();
    let half = order / 2;
    let mut all = vec![
        moved(space, &product, |i| (i + 1) % order),
        moved(space, &product, |i| order - 1 - i),
        // Only the last rows are exchanged, so that all heads but the last have inverses.
        moved(space, &product, |i| if i + 2 >= order && order >= 2 { 2 * order - 3 - i } else { i }),
        moved(space, &identity, |i| (i + half) % order),
        moved(space, &identity, |i| order - 1 - i),
        // With random entries where a rotated identity leaves the last quarter.
        chosen(space, order, 3, |i, j, x| {
            if (i + half) % order == j {
                one
            } else if i >= half && j >= half {
                x
            } else {
                zero
            }
        }),
    ];
    all.extend([lower, upper, product, identity]);
    all
}

fn panels(device: &Device, order: usize) -> Vec<Inversion> {
    let columns: &[usize] = if sparing(device) { &[0, 9, 64, 90] } else { &[1, 7, 32, 64, 65, 100, 140, 200] };
    let ways = columns.iter().filter(|&&columns| columns < order.max(2)).map(|&columns| Inversion::Blocks(columns));
    ways.chain([Inversion::Beside, Inversion::Blocks(order)]).collect()
}

fn check<F: MatrixField>(space: &LinearAlgebra<F>, a: &Matrix<F>, ways: &[Inversion]) {
    let order = a.rows();
    let identity = space.identity(order).unwrap();
    let inverse = space.inverse(a).unwrap();
    assert!(space.equal(&space.mul(a, &inverse).unwrap(), &identity).unwrap(), "{order} {}", space.field().order());
    for &how in ways {
        let found = space.inverse_by(a, how).unwrap();
        assert!(space.equal(&found, &inverse).unwrap(), "{order} {how} mod {}", space.field().order());
    }
}

fn check_orders<F: MatrixField>(space: &LinearAlgebra<F>, orders: &[usize]) {
    let device = space.device();
    for &order in orders.iter().filter(|&&order| order > 0) {
        let ways = panels(device, order);
        for a in regular(space, order) {
            check(space, &a, &ways);
        }
        // One row twice; a product of thin matrices; nothing.
        let mut words = elements(space.field(), order * order, 7);
        let first = words[..order].to_vec();
        words[(order - 1) * order..].copy_from_slice(&first);
        let thin = space.mul(&random(space, order, 3, 1), &random(space, 3, order, 2)).unwrap();
        // With zeros in the diagonal no head of one column has an inverse.
        let hollow = chosen(space, order, 9, |i, j, x| if i == j { space.field().zero() } else { x });
        let others = [space.matrix(order, order, &words).unwrap(), thin, space.zeros(order, order).unwrap(), hollow];
        for a in others {
            let rank = space.rank(&a).unwrap();
            if rank == order {
                check(space, &a, &ways);
                continue;
            }
            for &how in &ways {
                let error = space.inverse_by(&a, how).unwrap_err();
                assert_eq!(error, LinalgError::Singular { rank, order }, "{how}");
            }
            assert_eq!(space.inverse(&a).unwrap_err(), LinalgError::Singular { rank, order });
        }
    }
    let nothing = space.inverse(&space.zeros(0, 0).unwrap()).unwrap();
    assert_eq!(nothing.shape(), (0, 0));
    for how in [Inversion::Beside, Inversion::Blocks(0), Inversion::Blocks(64)] {
        assert_eq!(space.inverse_by(&nothing, how).unwrap().shape(), (0, 0));
        let wide = space.zeros(2, 3).unwrap();
        assert!(matches!(space.inverse_by(&wide, how), Err(LinalgError::NotSquare { .. })));
    }
}

#[test]
fn every_way_gives_the_inverse() {
    for device in devices().into_iter().filter(|device| !simulated(device)) {
        let device = device.with_tuning(TuningMode::Estimate);
        let orders: &[usize] = if sparing(&device) { &[0, 1, 2, 65, 130] } else { &[0, 1, 2, 63, 64, 65, 129, 150] };
        for p in [2, 251, 469_762_049] {
            check_orders(&LinearAlgebra::new(&device, short(p)).unwrap(), orders);
        }
        let orders: &[usize] = if sparing(&device) { &[1, 65] } else { orders };
        check_orders(&LinearAlgebra::new(&device, long(4_611_686_009_971_671_041)).unwrap(), orders);
    }
}

/// Large heads within which some have no inverse, and such that have none, by turns.
#[test]
fn large_heads_without_inverses_are_searched() {
    for device in devices().into_iter().filter(|device| !simulated(device)) {
        for p in [2, 251, 469_762_049] {
            let space = LinearAlgebra::new(&device, short(p)).unwrap();
            let order = if sparing(&device) { 300 } else { 530 };
            let all = regular(&space, order);
            for a in [&all[0], &all[2], &all[5], &all[8]] {
                check(&space, a, &[Inversion::Blocks(150), Inversion::Blocks(256)]);
            }
        }
    }
}

#[test]
fn choices_have_every_way() {
    for device in devices() {
        let space = LinearAlgebra::new(&device.with_tuning(TuningMode::Estimate), short(469_762_049)).unwrap();
        for order in [0, 1, 65, 300, 4000] {
            let choice = space.explain_inverse(order).unwrap();
            assert!((1..=8).contains(&choice.candidates().len()) && choice.measured() == 0, "{choice}");
            assert!(choice.operation == "matrix-inverse" && choice.best().estimate.seconds.is_finite());
            assert!(choice.refused.is_empty(), "{choice}");
        }
        let large = space.explain_inverse(2000).unwrap();
        assert!(matches!(large.best().parameters, Inversion::Blocks(_)), "{large}");
        assert!(matches!(space.explain_inverse(usize::MAX), Err(LinalgError::TooLarge { .. })));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any matrix, many of whose entries are 0, against the reduced form of the matrix beside the identity.
    #[test]
    fn inverses_are_those_of_the_definition(
        p in prop::sample::select(vec![2u32, 3, 251, 469_762_049]), order in 1usize..40, panel in 1usize..12, zeros in 1u64..4,
        seed: u64
    ) {
        let space = LinearAlgebra::new(&Device::host(), short(p)).unwrap();
        let mut words = space.entries(&space.random(order, order, seed).unwrap()).unwrap();
        words.iter_mut().zip(0u64..).for_each(|(x, i)| if (i ^ seed) % zeros != 0 { *x = 0 });
        let beside: Vec<u32> = words
            .chunks(order)
            .enumerate()
            .flat_map(|(i, row)| row.iter().copied().chain((0..order).map(move |j| u32::from(i == j))))
            .collect();
        let (form, pivots) = eliminate::reference::echelon(space.field(), &beside, 2 * order);
        let rank = pivots.iter().filter(|&&column| column < order).count();
        let found = space.inverse_by(&space.matrix(order, order, &words).unwrap(), Inversion::Blocks(panel));
        if rank == order {
            let expected: Vec<u32> = form.chunks(2 * order).flat_map(|row| row[order..].to_vec()).collect();
            prop_assert_eq!(space.entries(&found.unwrap()).unwrap(), expected);
        } else {
            prop_assert_eq!(found.unwrap_err(), LinalgError::Singular { rank, order });
        }
    }
}
