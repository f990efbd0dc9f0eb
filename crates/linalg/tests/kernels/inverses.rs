//! The kernels of small inverses on every OpenCL device and the host, against echelon forms by the definition: `inverses` by
//! tiles of every size, and `entries_unit` and `entries_take`.

use crate::common::{Check, elements, few_spaces, short, special};
use manycore_device::Device;
use manycore_linalg::{Elimination, Inversion, LinalgError, LinearAlgebra, MatrixField, eliminate};
use manycore_testkit::{opencl_devices, simulated};

/// The inverse by elimination of the matrix beside the identity; `None` for a singular one.
fn inverse<F: MatrixField>(field: &F, order: usize, words: &[F::Element]) -> Option<Vec<F::Element>> {
    let beside: Vec<F::Element> = (0..order)
        .flat_map(|i| {
            let unit = (0..order).map(move |j| if i == j { field.one() } else { field.zero() });
            words[i * order..(i + 1) * order].iter().copied().chain(unit)
        })
        .collect();
    let (form, pivots) = eliminate::reference::echelon(field, &beside, 2 * order);
    let right = || form.chunks(2 * order).flat_map(|row| row[order..].iter().copied()).collect();
    pivots.iter().copied().eq(0..order).then(right)
}

/// Batches of every kind of matrix: those with inverses, and each kind of singular one behind them.
struct Inverses(Vec<usize>);

impl Check for Inverses {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let field = space.field();
        for &order in &self.0 {
            let mut kinds = special(field, order, order);
            kinds.extend((20..24).map(|salt| elements(field, order * order, salt)));
            // A permutation, all of whose pivots are exchanged, and the identity.
            let moved = |by: usize| {
                (0..order * order)
                    .map(|e| if (e / order + by) % order == e % order { field.one() } else { field.zero() })
                    .collect::<Vec<_>>()
            };
            kinds.extend([moved(1), moved(order / 2), moved(0)]);
            let (mut regular, mut expected, mut singular) = (Vec::new(), Vec::new(), Vec::new());
            for words in kinds {
                match inverse(field, order, &words) {
                    Some(inverse) => {
                        regular.extend(words);
                        expected.extend(inverse);
                    }
                    None => singular.push(words),
                }
            }
            let count = regular.len() / (order * order);
            assert!(count > 2);
            let batch = space.batch(count, order, &regular).unwrap();
            let found = space.inverses(&batch).unwrap();
            assert_eq!((found.count(), found.order()), (count, order));
            assert!(found.buffer().download().unwrap() == expected, "{order} {}", space.arithmetic());
            // The determinants of both are inverse.
            let products = space.determinants(&batch).unwrap().download().unwrap();
            let of_inverses = space.determinants(&found).unwrap().download().unwrap();
            assert!(products.iter().zip(&of_inverses).all(|(&x, &y)| field.mul(x, y) == field.one()), "{order}");
            for words in singular {
                let all: Vec<F::Element> = regular.iter().chain(&words).chain(&words).copied().collect();
                match space.inverses(&space.batch(count + 2, order, &all).unwrap()) {
                    Err(LinalgError::SingularMember { index, order: told }) => {
                        assert_eq!((index, told), (count, order));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

fn all_devices() -> Vec<Device> {
    std::iter::once(Device::host()).chain(opencl_devices()).collect()
}

#[test]
fn inverses_equal_the_definition_in_every_arithmetic() {
    for device in all_devices() {
        let orders = if simulated(&device) { vec![3, 9] } else { vec![1, 2, 8, 9, 33] };
        few_spaces(&device, &mut Inverses(orders));
    }
}

#[test]
fn inverses_of_every_size_equal_the_definition() {
    for device in all_devices() {
        let orders = if simulated(&device) { vec![2, 17] } else { vec![7, 15, 16, 17, 31, 32, 63, 64, 65, 130] };
        for p in [3, 469_762_049] {
            Inverses(orders.clone()).check(&LinearAlgebra::new(&device, short(p)).unwrap());
        }
    }
}

#[test]
fn batches_of_nothing_have_inverses() {
    for device in all_devices() {
        let space = LinearAlgebra::new(&device, short(7)).unwrap();
        for (count, order) in [(0, 3), (3, 0), (0, 0)] {
            let inverses = space.inverses(&space.batch(count, order, &[]).unwrap()).unwrap();
            assert_eq!((inverses.count(), inverses.order()), (count, order));
        }
    }
}

/// Blocks whose heads have inverses, and such that have none, in turns: by blocks as by columns, on every device.
#[test]
fn panels_with_and_without_regular_heads_give_the_same_form() {
    for device in all_devices() {
        let space = LinearAlgebra::new(&device, short(469_762_049)).unwrap();
        let field = space.field();
        let (rows, columns) = if simulated(&device) { (12, 16) } else { (60, 80) };
        let mut words = elements(field, rows * columns, 5);
        // Some columns repeat others, and some rows begin with zeros.
        for i in 0..rows {
            for j in (rows / 4..rows / 2).chain(rows - 4..rows) {
                words[i * columns + j] = words[i * columns + j - rows / 4];
            }
        }
        words[..columns * (rows / 3)].chunks_mut(columns).for_each(|row| row[..columns / 3].fill(0));
        let a = space.matrix(rows, columns, &words).unwrap();
        let (form, pivots) = eliminate::reference::echelon(field, &words, columns);
        for panel in [1, 4, 7, 16] {
            let found = space.echelon_by(&a, Elimination::Blocks(panel)).unwrap();
            assert_eq!(found.pivots(), pivots, "{panel}");
            assert!(space.entries(found.matrix()).unwrap() == form, "{panel}");
        }
        assert_eq!(space.rank(&a).unwrap(), pivots.len());
    }
}

/// Heads that groups do not hold are inverted by blocks themselves.
#[test]
fn large_heads_are_inverted_by_blocks() {
    for device in all_devices().into_iter().filter(|device| !simulated(device)) {
        let space = LinearAlgebra::new(&device, short(65_537)).unwrap();
        let a = space.random(300, 320, 3).unwrap();
        let expected = space.echelon_by(&a, Elimination::Columns).unwrap();
        for panel in [140, 280, 400] {
            let found = space.echelon_by(&a, Elimination::Blocks(panel)).unwrap();
            assert_eq!(found.pivots(), expected.pivots(), "{panel}");
            assert!(space.equal(found.matrix(), expected.matrix()).unwrap(), "{panel}");
        }
        let square = space.random(300, 300, 4).unwrap();
        let determinant = space.determinant_by(&square, Elimination::Columns).unwrap();
        assert_eq!(space.determinant_by(&square, Elimination::Blocks(150)).unwrap(), determinant);
        let inverse = space.inverse(&square).unwrap();
        assert!(space.equal(&space.mul(&square, &inverse).unwrap(), &space.identity(300).unwrap()).unwrap());
    }
}

/// One matrix by panels, whose heads are inverted at once, by blocks without a wait, and behind exchanges of rows.
#[test]
fn inverses_in_place_equal_the_definition() {
    for device in all_devices() {
        let space = LinearAlgebra::new(&device, short(469_762_049)).unwrap();
        let order = 66;
        let field = space.field();
        let mut words = elements(field, order * order, 11);
        for is_exchanged in [false, true] {
            if is_exchanged {
                // The first head has no inverse.
                words[..order].copy_from_slice(&vec![0; order]);
                words[order - 1] = 5;
            }
            let Some(expected) = inverse(field, order, &words) else { panic!("{is_exchanged}") };
            let a = space.matrix(order, order, &words).unwrap();
            for columns in if simulated(&device) { vec![66] } else { vec![5, 64, 66] } {
                let found = space.inverse_by(&a, Inversion::Blocks(columns)).unwrap();
                assert!(space.entries(&found).unwrap() == expected, "{columns} {is_exchanged}");
            }
        }
    }
}
