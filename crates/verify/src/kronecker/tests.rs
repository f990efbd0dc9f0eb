use manycore_kronecker::num_complex::Complex;
use manycore_kronecker::transform::reference::apply as defined;
use manycore_kronecker::{Complexes, Goldilocks, Integers, KroneckerProduct, PrimeField, Reals, Values, parse};

use super::*;
use crate::SplitMix;
use crate::faults::{SCALES, all_found, moved, turned_bits, unit};

/// The product as checks take it.
fn product<V: Values, E>(product: &KroneckerProduct<V>, convert: impl Fn(V::Value) -> E) -> Product<E> {
    let factor = |factor: &manycore_kronecker::Factor<V>| Factor {
        order: factor.order(),
        entries: factor.entries().map(|list| entries(list, &convert).unwrap()),
    };
    let divisor = product.factors().iter().map(manycore_kronecker::Factor::divisor).product();
    Product { factors: product.factors().iter().map(factor).collect(), divisor }
}

const TEXTS: [&str; 9] =
    ["", "walsh", "id5", "rm x walsh", "id3 x arith^2", "arith x id2", "walsh^3", "h12 x rm", "walsh x id3 x h4"];

#[test]
fn integers_pass_and_every_turned_bit_is_found() {
    let (ring, mut random) = (Integers::<i32>::new(), SplitMix::new(1));
    for text in TEXTS {
        for given in [parse(&ring, text).unwrap(), parse(&ring, text).unwrap().transposed()] {
            for count in [0, 1, 2] {
                let x: Vec<i32> = (0..count * given.order()).map(|_| random.next_word() as i32).collect();
                let y = defined(&given, &x);
                let check = |y: &[i32]| wrapping(&x, y, &product(&given, i64::from)).map(|_| ());
                all_found(&y, |_, value| turned_bits(value), check);
                let x: Vec<i32> = x.iter().map(|value| value >> 20).collect();
                let check = |y: &[i32]| exact(&x, y, &product(&given, i64::from)).map(|_| ());
                all_found(&defined(&given, &x), |_, value| turned_bits(value), check);
            }
        }
    }
}

#[test]
fn inverses_of_integers_divide_once_rounding_down() {
    let ring = Integers::<i64>::new();
    let walsh = product(&parse(&ring, "walsh^2").unwrap().inverse().unwrap(), i64::from);
    assert_eq!(walsh.divisor, 4);
    // 10 / 4, -2 / 4, -4 / 4, 0: rounding down.
    assert!(wrapping(&[1i64, 2, 3, 4], &[2, -1, -1, 0], &walsh).is_ok());
    assert!(exact(&[1i64, 2, 3, 4], &[2, -1, -1, 0], &walsh).is_err());
    assert!(exact(&[10i64, -2, -4, 0], &[1, 2, 3, 4], &walsh).is_ok());
    assert!(exact(&[10i64, -2, -4, 0], &[1, 2, 3, 5], &walsh).is_err());
    for wrong in [[2, 0, -1, 0], [3, -1, -1, 0], [2, -1, -2, 0]] {
        assert!(wrapping(&[1i64, 2, 3, 4], &wrong, &walsh).is_err());
    }
    assert_eq!(first_fraction(&[10i64, -2, -4, 0], 4), Some(0));
    assert_eq!(first_fraction(&[8i64, -4, -4, 1], 4), Some(3));
    assert_eq!(first_fraction(&[8i64, -4, -4, 0], 4), None);
}

#[test]
fn the_largest_result_is_computed_where_bounds_are_no_answer() {
    let ring = Integers::<i64>::new();
    let walsh = product(&parse(&ring, "walsh^2").unwrap(), i64::from);
    assert_eq!(largest(&[3i64, 3, 3, -3, 1, 0, 0, 1], &walsh, 10), Ok((0, 6)));
    assert_eq!(largest(&[1i64, 0, 0, 1, 3, 3, 3, -3], &walsh, 20), Ok((1, 12)));
    assert_eq!(largest(&[i64::MIN; 4], &walsh, i64::MAX.into()), Ok((0, 1 << 65)));
    let large = Product { factors: vec![Factor { order: 1, entries: Some(vec![i64::MAX]) }; 3], divisor: 1 };
    assert_eq!(largest(&[i64::MAX], &large, 0), Ok((0, i128::MAX)));
    // What passes 128 bits on the way is not small because it is taken away again.
    let differences = Factor { order: 2, entries: Some(vec![1, 0, 1, -1]) };
    let large = Product { factors: vec![differences, large.factors[0].clone(), large.factors[0].clone()], divisor: 1 };
    assert_eq!(largest(&[i64::MAX, i64::MAX - 1], &large, 0), Ok((0, i128::MAX)));
}

#[test]
fn residues_pass_and_every_turned_bit_is_found() {
    let mut random = SplitMix::new(1);
    let seven = PrimeField::<u32>::new(7).unwrap();
    for text in ["walsh x rm", "dft3 x id2", "dft6 x walsh", ""] {
        let given = parse(&seven, text).unwrap();
        for given in [given.clone(), given.inverse().unwrap(), given.transposed()] {
            let x: Vec<u32> = (0..2 * given.order()).map(|_| (random.next_word() % 7) as u32).collect();
            let y = defined(&given, &x);
            let check = |y: &[u32]| residues(&x, y, &product(&given, u64::from), 7).map(|_| ());
            all_found(&y, |_, value| (0..32).map(|bit| value ^ 1 << bit).chain([value + 7]).collect(), check);
        }
    }
    let given = parse(&Goldilocks, "dft5 x walsh x dft3").unwrap().inverse().unwrap();
    let x: Vec<u64> = (0..given.order()).map(|_| random.next_word() % Goldilocks::MODULUS).collect();
    let y = defined(&given, &x);
    let check = |y: &[u64]| residues(&x, y, &product(&given, |x| x), Goldilocks::MODULUS).map(|_| ());
    all_found(&y, |_, value| (0..64).map(|bit| value ^ 1 << bit).collect(), check);
}

#[test]
fn reals_pass_and_every_change_above_the_bound_of_its_place_is_found() {
    let (ring, mut random) = (Reals::<f64>::new(), SplitMix::new(1));
    for text in TEXTS {
        let given = parse(&ring, text).unwrap();
        for given in [given.clone(), given.inverse().unwrap(), given.transposed()] {
            let of = product(&given, |x| x);
            let sizes_of = Product { factors: product(&given, f64::abs).factors, divisor: of.divisor };
            for scale in SCALES {
                let x: Vec<f64> = (0..2 * given.order()).map(|_| unit(random.next_word()) * scale).collect();
                let y = defined(&given, &x);
                let check = |y: &[f64]| reals(&x, y, &of).map(|_| ());
                if scale < 1e-305 {
                    assert_eq!(check(&y), Ok(()), "{text} {scale}");
                    continue;
                }
                let dot = |row: &[f64], column: &mut dyn Iterator<Item = f64>| -> f64 {
                    row.iter().zip(column).map(|(entry, value)| entry * value).sum()
                };
                let sizes: Vec<f64> = x
                    .chunks(given.order())
                    .flat_map(|run| {
                        let run = run.iter().map(|value| value.abs() / scale).collect();
                        let sizes = apply(run, &sizes_of.factors, dot).unwrap();
                        sizes.into_iter().map(|size| size / of.divisor as f64 * scale).collect::<Vec<_>>()
                    })
                    .collect();
                let depth = numbers::depth(&of.factors);
                let changes = |place: usize, value| moved(value, 3.0 * depth * f64::EPSILON * sizes[place] + 1e-303);
                all_found(&y, changes, check);
            }
        }
    }
}

#[test]
fn complex_numbers_pass_and_every_change_above_the_bound_is_found() {
    let (ring, mut random) = (Complexes::<f64>::new(), SplitMix::new(1));
    for text in ["dft3", "dft2 x dft5", "dft3^2 x id2", "walsh x dft4"] {
        let given = parse(&ring, text).unwrap();
        for given in [given.clone(), given.inverse().unwrap()] {
            let of = product(&given, |x: Complex<f64>| [x.re, x.im]);
            for scale in SCALES.into_iter().filter(|&scale| scale > 1e-305) {
                let words = (0..4 * given.order()).map(|_| unit(random.next_word()) * scale);
                let x: Vec<f64> = words.collect();
                let y: Vec<f64> = parts(defined(&given, &numbers_of(&x)));
                let changes = |_, value| moved(value, 1e-12 * scale + 1e-304);
                all_found(&y, changes, |y| complex(&x, y, &of).map(|_| ()));
            }
        }
    }
    let single = parse(&Complexes::<f32>::new(), "dft3^3").unwrap();
    let x: Vec<f32> = (0..54).map(|_| unit(random.next_word()) as f32 * 1e-30).collect();
    let y = parts(defined(&single, &numbers_of(&x)));
    let of = product(&single, |x: Complex<f32>| [x.re, x.im].map(f64::from));
    all_found(&y, |_, value| vec![value + 1e-33, f32::NAN], |y| complex(&x, y, &of).map(|_| ()));
}

fn numbers_of<T: Copy>(words: &[T]) -> Vec<Complex<T>> {
    words.as_chunks().0.iter().map(|&[re, im]| Complex { re, im }).collect()
}

fn parts<T>(numbers: Vec<Complex<T>>) -> Vec<T> {
    numbers.into_iter().flat_map(|number| [number.re, number.im]).collect()
}

#[test]
fn a_large_value_hides_no_error_elsewhere() {
    let of = product(&parse(&Reals::<f64>::new(), "id2 x walsh").unwrap(), |x| x);
    assert!(reals(&[1e300, 0.0, 1.0, 2.0], &[1e300, 1e300, 3.0, -1.0], &of).is_ok());
    let error = reals(&[1e300, 0.0, 1.0, 2.0], &[1e300, 1e300, 3.0, -1.000_1], &of).unwrap_err();
    assert!(matches!(error, CheckError::Bound { run: 0, index: 3, .. }), "{error}");
}

#[test]
fn what_cannot_be_checked_is_told() {
    let factor = |order, entries| Factor { order, entries: Some(entries) };
    for (factors, divisor) in [
        (vec![factor(2, vec![1i64; 3])], 1),
        (vec![factor(0, vec![])], 1),
        (vec![factor(2, vec![1; 4])], 0),
        (vec![Factor { order: 1 << 40, entries: None }; 2], 1),
    ] {
        let error = exact(&[1i64, 2], &[1, 2], &Product { factors, divisor }).unwrap_err();
        assert!(matches!(error, CheckError::Shape { .. }), "{error}");
    }
    let product = Product { factors: vec![Factor { order: 1, entries: Some(vec![1u64]) }], divisor: 7 };
    assert!(matches!(residues(&[1u32], &[1], &product, 7), Err(CheckError::Shape { .. })));
    let composite = residues(&[1u32], &[4], &Product { divisor: 4, ..product.clone() }, 15);
    assert!(matches!(composite, Err(CheckError::Shape { .. })), "{composite:?}");
    assert!(matches!(residues(&[9u32], &[1], &Product { divisor: 1, ..product }, 7), Err(CheckError::Input { .. })));
    let huge = Product { factors: vec![Factor { order: 1, entries: Some(vec![1e200]) }; 2], divisor: 1 };
    assert!(matches!(reals(&[1.0f64], &[1.0], &huge), Err(CheckError::Shape { .. })));
}
