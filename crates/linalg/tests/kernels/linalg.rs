//! The kernels of linear algebra on every OpenCL device, against the definitions: `matrix_product` by tiles of several sizes,
//! `entries_combine`, `entries_transpose`, `entries_copy`, `entries_pick` and `entries_differ`, `eliminate_pivot`,
//! `eliminate_exchange`, `eliminate_update` and `eliminate_permute` column by column and by blocks, `echelon_local`,
//! `condense_pivot` and `condense_step`.

use crate::common::{Check, elements, few_spaces, random, short, special};
use manycore_field::ResidueWord as _;
use manycore_linalg::{
    Elimination, LinearAlgebra, MatrixField, ProductPlan, ProductTile, condense, eliminate, multiply,
};
use manycore_testkit::{opencl_devices, simulated};

struct Products {
    plans: Vec<ProductPlan>,
    shapes: Vec<(usize, usize, usize)>,
}

impl Check for Products {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        for &(rows, inner, columns) in &self.shapes {
            let (a, b) = (random(space, rows, inner, 1), random(space, inner, columns, 2));
            let words = |len, salt| elements(space.field(), len, salt);
            let expected = multiply::reference::multiply(
                space.field(),
                &words(rows * inner, 1),
                &words(inner * columns, 2),
                (rows, inner, columns),
            );
            for &plan in &self.plans {
                if space.takes_plan(plan).unwrap() {
                    let found = space.entries(&space.mul_with(&a, &b, plan).unwrap()).unwrap();
                    assert!(found == expected, "{rows} {inner} {columns} {plan:?} {}", space.arithmetic());
                }
            }
        }
    }
}

const fn tile(side: u32, registers: u32, depth: u32) -> ProductPlan {
    ProductPlan::Words(ProductTile { side, registers, depth })
}

#[test]
fn products_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        let shapes = vec![(1, 1, 1), (3, 5, 2), (16, 16, 16), (17, 33, 15), (1, 20, 9)];
        few_spaces(&device, &mut Products { plans: vec![tile(4, 2, 8)], shapes });
    }
}

#[test]
fn products_by_every_tile_equal_the_definition() {
    for device in opencl_devices() {
        let plans = vec![tile(1, 1, 4), tile(2, 1, 4), tile(8, 1, 8), tile(8, 2, 8), tile(8, 4, 8)];
        let shapes = vec![(2, 0, 3), (15, 16, 17), (33, 9, 31)];
        Products { plans, shapes }.check(&LinearAlgebra::new(&device, short(469_762_049)).unwrap());
    }
}

struct Entries;

impl Check for Entries {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let field = space.field();
        for (rows, columns) in [(1, 1), (3, 5), (16, 17)] {
            let (x, y) = (elements(field, rows * columns, 1), elements(field, rows * columns, 9));
            let (a, b) = (random(space, rows, columns, 1), random(space, rows, columns, 9));
            let c = F::Element::from_u64(field.order() - 1);
            let both = |of: &dyn Fn(F::Element, F::Element) -> F::Element| -> Vec<F::Element> {
                x.iter().zip(&y).map(|(&x, &y)| of(x, y)).collect()
            };
            assert_eq!(space.entries(&space.add(&a, &b).unwrap()).unwrap(), both(&|x, y| field.add(x, y)));
            assert_eq!(space.entries(&space.sub(&a, &b).unwrap()).unwrap(), both(&|x, y| field.sub(x, y)));
            assert_eq!(space.entries(&space.scale(&a, c).unwrap()).unwrap(), both(&|x, _| field.mul(x, c)));
            let transpose = space.transpose(&a).unwrap();
            assert_eq!(transpose.shape(), (columns, rows));
            let expected: Vec<F::Element> = (0..rows * columns).map(|e| x[e % rows * columns + e / rows]).collect();
            assert_eq!(space.entries(&transpose).unwrap(), expected);
            assert!(space.equal(&a, &random(space, rows, columns, 1)).unwrap());
            let mut other = x.clone();
            other[rows * columns - 1] = field.add(other[rows * columns - 1], field.one());
            assert!(!space.equal(&a, &space.matrix(rows, columns, &other).unwrap()).unwrap());
        }
    }
}

#[test]
fn entries_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        few_spaces(&device, &mut Entries);
    }
}

struct Eliminations(Vec<(usize, usize)>);

impl Check for Eliminations {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        for &(rows, columns) in &self.0 {
            for words in special(space.field(), rows, columns) {
                let a = space.matrix(rows, columns, &words).unwrap();
                let (form, pivots) = eliminate::reference::echelon(space.field(), &words, columns);
                for how in
                    [Elimination::Columns, Elimination::NearMemory, Elimination::Blocks(3), Elimination::Blocks(5)]
                {
                    let found = space.echelon_by(&a, how).unwrap();
                    assert_eq!(found.pivots(), pivots, "{rows} {columns} {how:?} {}", space.arithmetic());
                    assert!(
                        space.entries(found.matrix()).unwrap() == form,
                        "{rows} {columns} {how:?} {}",
                        space.arithmetic()
                    );
                }
                if rows == columns {
                    let determinant = condense::reference::bareiss(space.field(), rows, &words).unwrap();
                    for how in [Elimination::Columns, Elimination::NearMemory, Elimination::Blocks(3)] {
                        assert_eq!(space.determinant_by(&a, how).unwrap(), determinant, "{rows} {how:?}");
                    }
                    assert_eq!(space.determinant_by_condensation(&a).unwrap(), determinant, "{rows}");
                }
            }
        }
    }
}

#[test]
fn elimination_and_condensation_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        let shapes = if simulated(&device) { vec![(4, 4), (3, 7)] } else { vec![(1, 1), (5, 5), (3, 7), (9, 4)] };
        few_spaces(&device, &mut Eliminations(shapes));
    }
}

#[test]
fn elimination_equals_the_definition_for_every_size() {
    for device in opencl_devices() {
        let shapes = if simulated(&device) {
            vec![(7, 7)]
        } else {
            vec![(2, 2), (3, 3), (15, 15), (16, 16), (17, 17), (17, 5), (2, 40)]
        };
        for p in [2, 3, 469_762_049] {
            Eliminations(shapes.clone()).check(&LinearAlgebra::new(&device, short(p)).unwrap());
        }
    }
}

/// On a device with little local memory matrices are taken column by column.
#[test]
fn elimination_past_local_memory_equals_the_definition() {
    for device in manycore_testkit::limited_devices() {
        Eliminations(vec![(9, 9), (17, 5)]).check(&LinearAlgebra::new(&device, short(65_537)).unwrap());
    }
}
