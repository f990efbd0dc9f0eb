//! Generalized products on devices: by every plan the bits of the definition, near the ends of the types, at the edges of tiles.

use std::fmt::Debug;

use manycore_device::{Device, Executor};
use manycore_expressions::{Elements, Function, Number, Scalar, Value};
use manycore_semiring::{DeviceMatrix, Matrix, ProductPlan, ProductTile, Products, Semiring, SemiringError};
use manycore_testkit::devices;
use proptest::prelude::*;

fn semiring<T: Number + Elements<Values = Value<T>>>(
    product: impl FnOnce(Value<T>, Value<T>) -> Value<T>,
    sum: impl FnOnce(Value<T>, Value<T>) -> Value<T>,
    zero: T,
) -> Semiring<T, T, T> {
    let product = Function::new(|(a, b): (Value<T>, Value<T>)| product(a, b)).unwrap();
    Semiring::new(product, Function::new(|(a, b): (Value<T>, Value<T>)| sum(a, b)).unwrap(), zero).unwrap()
}

fn tile(items: (u32, u32), registers: (u32, u32), depth: u32, double_buffer: bool, steps: u32) -> ProductPlan {
    ProductPlan::Tiles(ProductTile { items, registers, depth, double_buffer, steps, extrema: false, halves: false })
}

/// The plans that are tried on a device: a part of the candidates, which differs from shape to shape, for GPUs take seconds to
/// build each; and tiles whose sides differ.
fn plans<A: Elements, B: Elements, S: Elements>(
    products: &Products,
    semiring: &Semiring<A, B, S>,
    a: &DeviceMatrix<A>,
    b: &DeviceMatrix<B>,
) -> Vec<ProductPlan> {
    const PARTS: usize = 6;
    let choice = products.explain(semiring, a, b).unwrap();
    let part = (a.shape().rows + a.shape().columns + b.shape().columns) as usize % PARTS;
    let candidates = choice.candidates().iter().map(|candidate| candidate.parameters);
    let is_many = choice.candidates().len() > PARTS;
    let mut plans: Vec<_> =
        candidates.enumerate().filter(|(at, _)| !is_many || at % PARTS == part).map(|(_, plan)| plan).collect();
    if let (Executor::OpenCl(_), false) = (products.device().executor(), choice.candidates().len() == 1) {
        plans.push(tile((2, 4), (4, 2), 4, true, 1));
        plans.push(tile((4, 2), (1, 8), 2, true, 2));
        plans.push(tile((1, 1), (1, 1), 1, false, 1));
        let (items, registers, depth, double_buffer) = ((4, 2), (2, 4), 4, true);
        let of = |extrema, halves| ProductTile { items, registers, depth, double_buffer, steps: 1, extrema, halves };
        plans.push(ProductPlan::Tiles(of(true, false)));
        plans.push(ProductPlan::Tiles(of(false, true)));
        plans.push(ProductPlan::Tiles(ProductTile { registers: (2, 1), ..of(false, true) }));
    }
    plans
}

/// Bits, those of what is no number made the same.
#[allow(clippy::eq_op)] // of what is no number
fn bits<T: Elements>(elements: &[T]) -> Vec<u64> {
    let mut bits = Vec::new();
    for element in elements {
        let before = bits.len();
        element.put_bits(&mut bits);
        if element != element {
            bits.truncate(before);
            bits.push(u64::MAX);
        }
    }
    bits
}

/// Every plan on every device gives the bits of the definition.
fn holds<A: Elements, B: Elements, S: Elements + Debug>(semiring: &Semiring<A, B, S>, a: &Matrix<A>, b: &Matrix<B>) {
    let expected = semiring.reference(a, b).unwrap().entries();
    for device in devices() {
        if !device.info().fp64 && semiring.step().program().needs_fp64() {
            continue;
        }
        let products = Products::new(&device);
        let (left, right) = (products.upload(a).unwrap(), products.upload(b).unwrap());
        let check = |plan: Option<ProductPlan>| {
            let made = match plan {
                Some(plan) => products.multiply_by(plan, semiring, &left, &right),
                None => products.multiply(semiring, &left, &right),
            };
            let made = match made {
                // Not every tile suits every type.
                Err(SemiringError::Plan { .. }) if plan.is_some() => return,
                made => made.unwrap().download().unwrap().entries(),
            };
            if bits(&made) != bits(&expected) {
                let at = made.iter().zip(&expected).position(|(made, expected)| bits(&[*made]) != bits(&[*expected]));
                let at = at.unwrap_or_default();
                let (made, expected) = (&made[at], &expected[at]);
                panic!("{made:?} is no {expected:?} at {at} of {} by {}, {plan:?} on {device:?}", a.shape(), b.shape());
            }
        };
        check(None);
        for plan in plans(&products, semiring, &left, &right) {
            check(Some(plan));
        }
    }
}

/// Numbers without a pattern, a third of them from `ends`.
fn drawn<T: Scalar>(len: u64, seed: u64, ends: &[T], of: impl Fn(u64) -> T) -> Vec<T> {
    let draw =
        |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed).rotate_left(31).wrapping_mul(seed | 1);
    (0..len)
        .map(|i| {
            let x = draw(i) >> 7;
            if x.is_multiple_of(3) { ends[(x >> 20) as usize % ends.len()] } else { of(x >> 13) }
        })
        .collect()
}

fn matrices<T: Scalar + Elements>(
    (rows, inner, columns): (u64, u64, u64),
    ends: &[T],
    of: impl Fn(u64) -> T,
) -> (Matrix<T>, Matrix<T>) {
    let (a, b) = (drawn(rows * inner, 11, ends, &of), drawn(inner * columns, 12, ends, &of));
    (Matrix::stored(rows, inner, &a).unwrap(), Matrix::stored(inner, columns, &b).unwrap())
}

/// Nothing, one, and both sides of the edges of tiles and vectors; few, since kernels are built for each length of vectors.
const SHAPES: [(u64, u64, u64); 6] = [(0, 3, 2), (3, 0, 2), (1, 1, 1), (16, 16, 16), (15, 17, 33), (65, 24, 68)];

#[test]
fn max_plus_of_words_keeps_the_ends_of_the_type() {
    for shape in SHAPES {
        let (a, b) = matrices(shape, &[i32::MIN, i32::MAX, 0, -1, 46_341], |x| x as i32);
        holds(&semiring(|a, b| a + b, Value::max, i32::MIN), &a, &b);
        holds(&semiring(Value::saturating_add, Value::min, i32::MAX), &a, &b);
    }
}

#[test]
fn sums_of_singles_run_in_order() {
    for shape in SHAPES {
        let ends = [0.0, -0.0, 1e-40, -1e38, 3.4e38, f32::INFINITY, 1.0 / 3.0];
        let (a, b) = matrices(shape, &ends[..5], |x| (x as i32) as f32 * 1e-3);
        holds(&semiring(|a, b| a * b, |a, b| a + b, 0.0f32), &a, &b);
        let (a, b) = matrices(shape, &ends, |x| (x as i16).into());
        holds(&semiring(|a, b| a + b, Value::max, f32::NEG_INFINITY), &a, &b);
        holds(&semiring(Value::min, Value::max, f32::NEG_INFINITY), &a, &b);
    }
}

/// Factors that a device's own maximum treats otherwise, alone among others: NaN, -0.0, infinities of both signs.
#[test]
fn extrema_of_singles_have_the_bits_of_the_definition() {
    type F = Semiring<f32, f32, f32>;
    let all = [F::max_plus(), F::min_plus(), F::max_min(), F::min_max()].map(Result::unwrap);
    for odd in [1.5, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        for place in [0, 150] {
            let of = |seed: u64| drawn(15 * 16, seed, &[0.0, -0.5], |x| f32::from(x as i8) / 4.0);
            let (mut a, mut b) = (of(1), of(2));
            (a[place], b[239 - place]) = (odd, -odd);
            let (a, b) = (Matrix::stored(15, 16, &a).unwrap(), Matrix::stored(16, 15, &b).unwrap());
            for semiring in &all {
                holds(semiring, &a, &b);
            }
        }
    }
}

#[test]
fn other_words() {
    for shape in [(15, 17, 33), (33, 8, 32)] {
        let (a, b) = matrices(shape, &[i16::MIN, i16::MAX, 0], |x| x as i16);
        holds(&semiring(|a, b| a + b, Value::max, i16::MIN), &a, &b);
        let (a, b) = matrices(shape, &[u8::MIN, u8::MAX], |x| x as u8);
        holds(&semiring(|a, b| a & b, |a, b| a | b, 0u8), &a, &b);
        let (a, b) = matrices(shape, &[u64::MIN, u64::MAX], |x| x);
        holds(&semiring(|a, b| a * b, |a, b| a + b, 0u64), &a, &b);
        holds(&semiring(|a, b| a & b, |a, b| a ^ b, 0u64), &a, &b);
        let (a, b) = matrices(shape, &[0.0, -1e300, 1e-310, f64::INFINITY], |x| x as i32 as f64 / 7.0);
        holds(&semiring(|a, b| a + b, Value::min, f64::INFINITY), &a, &b);
        holds(&semiring(|a, b| a * b, Value::max, f64::NEG_INFINITY), &a, &b);
    }
}

/// Two columns in a word: carries stay in their halves, and rows of every even length, as those of one column.
#[test]
fn halves_of_words() {
    type I = Semiring<i16, i16, i16>;
    for semiring in [I::wrapping_max_plus(), I::wrapping_min_plus(), I::max_min(), I::min_max()].map(Result::unwrap) {
        let (a, b) = matrices((9, 16, 18), &[i16::MIN, i16::MAX, -1, 0, 1], |x| x as i16);
        holds(&semiring, &a, &b);
    }
    for shape in [(1, 1, 2), (5, 7, 4), (3, 5, 1)] {
        let (a, b) = matrices(shape, &[i16::MIN, i16::MAX, -1, 0, 1], |x| x as i16);
        holds(&I::wrapping_max_plus().unwrap(), &a, &b);
    }
}

/// Also by words of bits, of inner lengths around whole words.
#[test]
fn truth_values() {
    type Truth = Semiring<bool, bool, bool>;
    for semiring in [Truth::or_and(), Truth::xor_and()].map(Result::unwrap) {
        for shape in [(1, 0, 1), (5, 31, 7), (9, 33, 32), (17, 70, 5)] {
            let (a, b) = matrices(shape, &[false], |x| x % 5 == 1);
            holds(&semiring, &a, &b);
        }
    }
}

type Best = (f32, u32);
type Pair = (Value<f32>, Value<u32>);

/// More columns and a longer inner index than the host packs at a time.
#[test]
fn several_panels_on_the_host() {
    let shape = (70, 130, 70);
    let (a, b) = matrices(shape, &[i32::MIN, i32::MAX, 0], |x| x as i32);
    let max_plus = Semiring::<i32, i32, i32>::wrapping_max_plus().unwrap();
    let products = Products::new(&Device::host());
    let expected = max_plus.reference(&a, &b).unwrap().entries();
    let (a, b) = (products.upload(&a).unwrap(), products.upload(&b).unwrap());
    for plan in [ProductPlan::Rows, ProductPlan::Registers] {
        assert_eq!(products.multiply_by(plan, &max_plus, &a, &b).unwrap().download().unwrap().entries(), expected);
    }
}

/// Elements of two scalars, factors of other types than the sum, and a factor that is a function.
#[test]
fn the_nearest_of_each_row_with_its_place() {
    let product = Function::<(f32, Best), Best>::new(|(a, (b, place)): (Value<f32>, Pair)| (a + b, place)).unwrap();
    let sum = Function::<(Best, Best), Best>::new(|((x, i), (y, j)): (Pair, Pair)| {
        let second = y.lt(x) | (y.equals(x) & j.lt(i));
        (second.select(y, x), second.select(j, i))
    });
    let nearest = Semiring::new(product, sum.unwrap(), (f32::INFINITY, u32::MAX)).unwrap();
    let places = Function::<(u64, u64), Best>::new(|(x, y): (Value<u64>, Value<u64>)| {
        ((x * 7 + y * 3).to::<f32>() * 0.5, (y).to::<u32>())
    });
    let places = places.unwrap();
    for (rows, inner, columns) in [(5, 9, 3), (17, 16, 33), (0, 1, 1), (2, 0, 2)] {
        let a = Matrix::stored(rows, inner, &drawn(rows * inner, 5, &[0.0, -1.5], |x| x as i8 as f32)).unwrap();
        let right = Matrix::function(inner, columns, places.clone());
        holds(&nearest, &a, &right);
        let entries = right.entries();
        holds(&nearest, &a, &Matrix::stored(inner, columns, &entries).unwrap());
    }
}

/// The first of both that is not zero: associative and not commutative.
#[test]
fn the_order_of_sums_that_are_not_commutative_is_kept() {
    let first = semiring(|a: Value<i32>, b| a * b, |a, b| a.equals(0).select(b, a), 0);
    assert!(!first.is_commutative());
    for shape in [(7, 40, 9), (33, 31, 17)] {
        let (a, b) = matrices(shape, &[0], |x| (x % 3) as i32 * (x as i8) as i32);
        holds(&first, &a, &b);
    }
}

#[test]
fn both_operands_are_functions() {
    let plus_times = semiring(|a: Value<u32>, b| a * b, |a, b| a + b, 0);
    let of = |f: fn(Value<u64>, Value<u64>) -> Value<u64>| {
        Function::<(u64, u64), u32>::new(|(x, y): (Value<u64>, Value<u64>)| f(x, y).to::<u32>()).unwrap()
    };
    let a = Matrix::function(19, 21, of(|x, y| x * 3 + y));
    let b = Matrix::function(21, 23, of(|x, y| x ^ (y << 2)));
    holds(&plus_times, &a, &b);
}

#[test]
fn eight_scalars() {
    type Eight = (i8, u8, i16, u16, i32, u32, i64, u64);
    type V = <Eight as Elements>::Values;
    let sum = Function::<(Eight, Eight), Eight>::new(|(a, b): (V, V)| {
        (a.0 + b.0, a.1 | b.1, a.2.max(b.2), a.3.min(b.3), a.4 + b.4, a.5 ^ b.5, a.6.min(b.6), a.7 + b.7)
    });
    let product = Function::<(u8, i8), Eight>::new(|(a, b): (Value<u8>, Value<i8>)| {
        let c = a.to::<i32>() * b.to::<i32>();
        (c.to(), a, c.to(), c.to(), c, c.to(), c.to(), c.to())
    });
    let zero = (0, 0, i16::MIN, u16::MAX, 0, 0, i64::MAX, 0);
    let semiring = Semiring::new(product.unwrap(), sum.unwrap(), zero).unwrap();
    let a = Matrix::stored(9, 11, &drawn(99, 1, &[0, 255], |x| x as u8)).unwrap();
    let b = Matrix::stored(11, 13, &drawn(143, 2, &[-128, 127], |x| x as i8)).unwrap();
    holds(&semiring, &a, &b);
}

/// A matrix as lists of rows or of columns; missing entries are `absent`.
fn lists<T: Elements>((rows, columns): (u64, u64), entries: &[T], absent: T, by_rows: bool) -> Matrix<T> {
    let (lines, width) = if by_rows { (rows, columns) } else { (columns, rows) };
    let (mut offsets, mut indices, mut found) = (vec![0], Vec::new(), Vec::new());
    for line in 0..lines {
        for index in 0..width {
            let (row, column) = if by_rows { (line, index) } else { (index, line) };
            let entry = entries[(row * columns + column) as usize];
            if entry != absent {
                indices.push(index);
                found.push(entry);
            }
        }
        offsets.push(indices.len());
    }
    let lists = (&offsets[..], &indices[..], &found[..]);
    if by_rows { Matrix::rows(rows, columns, lists, absent) } else { Matrix::columns(rows, columns, lists, absent) }
        .unwrap()
}

#[test]
fn lists_of_entries_leave_out_what_is_missing() {
    let times = semiring(|a: Value<i32>, b| a * b, |a, b| a + b, 0);
    let first = semiring(|a: Value<i32>, b| a * b, |a, b| a.equals(0).select(b, a), 0);
    let function = Function::new(|(x, y): (Value<u64>, Value<u64>)| (x * 5 + y).to::<i32>()).unwrap();
    for (rows, inner, columns) in [(1, 1, 1), (3, 0, 2), (7, 40, 9), (33, 31, 200)] {
        for density in [0, 1, 3] {
            let entry = |x: u64| if x % 8 < density { x as i16 as i32 } else { 0 };
            let (a, b) = (drawn(rows * inner, 3, &[0], entry), drawn(inner * columns, 4, &[0], entry));
            let all = |(rows, columns): (u64, u64), entries: &[i32]| {
                let of = |by_rows| lists((rows, columns), entries, 0, by_rows);
                let computed = Matrix::function(rows, columns, function.clone());
                [Matrix::stored(rows, columns, entries).unwrap(), of(true), of(false), computed]
            };
            for (i, a) in all((rows, inner), &a).iter().enumerate() {
                for (j, b) in all((inner, columns), &b).iter().enumerate() {
                    if (1..3).contains(&i) || (1..3).contains(&j) {
                        holds(&times, a, b);
                        holds(&first, a, b);
                    }
                }
            }
        }
    }
}

#[test]
fn missing_entries_of_two_scalars() {
    let product = Function::<(f32, Best), Best>::new(|(a, (b, place)): (Value<f32>, Pair)| (a + b, place)).unwrap();
    let sum = Function::<(Best, Best), Best>::new(|((x, i), (y, j)): (Pair, Pair)| {
        let second = y.lt(x) | (y.equals(x) & j.lt(i));
        (second.select(y, x), second.select(j, i))
    });
    let nearest = Semiring::new(product, sum.unwrap(), (f32::INFINITY, u32::MAX)).unwrap();
    let a = drawn(9 * 13, 5, &[0.5, -1.5], |x| x as i8 as f32);
    let absent = (f32::INFINITY, u32::MAX);
    let b: Vec<Best> = drawn(13 * 11, 6, &[7u32], |x| x as u32)
        .into_iter()
        .map(|x| if x.is_multiple_of(3) { (x as i8 as f32, x) } else { absent })
        .collect();
    let a = Matrix::stored(9, 13, &a).unwrap();
    for by_rows in [true, false] {
        holds(&nearest, &a, &lists((13, 11), &b, absent, by_rows));
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let max_plus = semiring(|a: Value<i32>, b| a + b, Value::max, i32::MIN);
    for device in devices() {
        let products = Products::new(&device);
        let a = products.upload(&Matrix::stored(2, 3, &[0; 6]).unwrap()).unwrap();
        let error = products.multiply(&max_plus, &a, &a).unwrap_err();
        assert!(error.to_string().starts_with("the product of 2 x 3 by 2 x 3"), "{error}");
        let b = products.upload(&Matrix::stored(3, 1, &[0; 3]).unwrap()).unwrap();
        if let Executor::OpenCl(_) = device.executor() {
            for wrong in [
                ProductPlan::Rows,
                tile((0, 1), (1, 1), 1, false, 1),
                tile((1, 1), (3, 1), 1, false, 1),
                tile((1, 1), (1, 1), 1, true, 2),
            ] {
                let error = products.multiply_by(wrong, &max_plus, &a, &b).unwrap_err();
                assert!(matches!(error, SemiringError::Plan { .. }), "{error}");
            }
            let error = Products::new(&Device::host()).multiply(&max_plus, &a, &b).unwrap_err();
            assert!(matches!(error, SemiringError::Device(_)), "{error}");
        }
        // Two steps at a time are for sums without rounding alone.
        let single = semiring(|a: Value<f32>, b| a * b, |a, b| a + b, 0.0);
        let a = DeviceMatrix::upload(&device, &Matrix::stored(1, 1, &[1.0f32]).unwrap()).unwrap();
        let error = products.multiply_by(tile((1, 1), (1, 1), 2, false, 2), &single, &a, &a).unwrap_err();
        assert!(matches!(error, SemiringError::Plan { .. }), "{error}");
    }
    let table = Function::<(u32, u32), u32>::new(|(a, b): (Value<u32>, Value<u32>)| a.read::<u32>(0) + b).unwrap();
    let sum = Function::new(|(a, b): (Value<u32>, Value<u32>)| a + b).unwrap();
    let error = Semiring::new(table, sum, 0).unwrap_err();
    assert!(matches!(error, SemiringError::Tables { operation: "product" }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn products_of_any_shape(
        (rows, inner, columns) in (0u64..40, 0u64..40, 0u64..40),
        which in 0u8..3,
    ) {
        let (a, b) = matrices((rows, inner, columns), &[0, i32::MIN, i32::MAX], |x| x as i32);
        holds(&match which {
            0 => semiring(|a: Value<i32>, b| a * b, |a, b| a + b, 0),
            1 => semiring(|a: Value<i32>, b| a + b, Value::min, i32::MAX),
            _ => semiring(|a: Value<i32>, b| a.max(b), Value::min, i32::MAX),
        }, &a, &b);
    }
}
