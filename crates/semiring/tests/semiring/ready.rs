//! Semirings with names: their laws, their known answers, and every pair of them told apart.

use manycore_expressions::{Function, Laws, Value};
use manycore_semiring::{Bounded, Matrix, Semiring};
use manycore_testkit::devices;

fn integers() -> Vec<(&'static str, Semiring<i32, i32, i32>)> {
    vec![
        ("plus-times", Semiring::wrapping_plus_times().unwrap()),
        ("max-plus", Semiring::wrapping_max_plus().unwrap()),
        ("min-plus", Semiring::wrapping_min_plus().unwrap()),
        ("max-min", Semiring::max_min().unwrap()),
        ("min-max", Semiring::min_max().unwrap()),
        ("or-and", Semiring::or_and().unwrap()),
        ("xor-and", Semiring::xor_and().unwrap()),
        ("max-plus saturating", Semiring::max_plus_saturating().unwrap()),
        ("min-plus saturating", Semiring::min_plus_saturating().unwrap()),
    ]
}

#[test]
fn every_one_has_its_answer() {
    let expected: [(&str, [i32; 4]); 9] = [
        ("plus-times", [19, 22, 43, 50]),
        ("max-plus", [9, 10, 11, 12]),
        ("min-plus", [6, 7, 8, 9]),
        ("max-min", [2, 2, 4, 4]),
        ("min-max", [5, 6, 5, 6]),
        ("or-and", [3, 0, 5, 2]),
        ("xor-and", [3, 0, 5, 2]),
        ("max-plus saturating", [9, 10, 11, 12]),
        ("min-plus saturating", [6, 7, 8, 9]),
    ];
    let (a, b) = (Matrix::stored(2, 2, &[1, 2, 3, 4]).unwrap(), Matrix::stored(2, 2, &[5, 6, 7, 8]).unwrap());
    for device in devices() {
        for ((name, semiring), (expected_name, expected)) in integers().into_iter().zip(expected) {
            assert_eq!(name, expected_name);
            assert_eq!(semiring.multiply(&device, &a, &b).unwrap().entries(), expected, "{name} on {device:?}");
        }
    }
}

#[test]
fn sums_are_commutative_and_products_distribute() {
    for (name, semiring) in integers() {
        assert!(semiring.is_commutative(), "{name}");
        let laws = Laws::new(&[semiring.zero(), 3]);
        // Sums that end at an end forget by how much they passed it.
        if !name.contains("saturating") {
            laws.associative(semiring.product()).unwrap();
        }
        // Sums that wrap around, or end, and extremes of them are no semiring near the ends of the type.
        if !name.contains("plus") || name == "plus-times" {
            laws.distributive(semiring.sum(), semiring.product()).unwrap();
        }
    }
}

#[test]
fn saturated_sums_keep_what_stands_for_infinity() {
    let (most, least) = (i16::GREATEST, i16::LEAST);
    let shortest = Semiring::<i16, i16, i16>::min_plus_saturating().unwrap();
    let longest = Semiring::<i16, i16, i16>::max_plus_saturating().unwrap();
    for x in [least, -1, 0, 1, most - 1, most] {
        assert_eq!(shortest.product().call((most, x)), most);
        assert_eq!(longest.product().call((x, least)), least);
    }
    assert_eq!(shortest.product().call((most - 1, 5)), most);
    assert_eq!(longest.product().call((least + 1, -5)), least);
    // Products with what is missing are zero, so that lists leave them out.
    assert!(shortest.leaves_out_left(most) && shortest.leaves_out_right(most));
    assert!(longest.leaves_out_left(least) && longest.leaves_out_right(least));
    // Wrapped sums are not.
    assert!(!Semiring::<i16, i16, i16>::wrapping_min_plus().unwrap().leaves_out_left(most));
}

type V = Value<f32>;

#[test]
fn truth_values_and_numbers() {
    let reach = Semiring::<bool, bool, bool>::or_and().unwrap();
    assert!(reach.product().call((true, true)) && !reach.product().call((true, false)));
    assert!(!reach.zero());
    let likeliest = Semiring::<f64, f64, f64>::max_times().unwrap();
    assert_eq!(likeliest.step().call((0.25, 0.5, 0.75)).to_bits(), 0.375f64.to_bits());
    // Those that a user writes are the same operations.
    let written = Semiring::<f32, f32, f32>::new(
        Function::new(|(a, b): (V, V)| a + b).unwrap(),
        Function::new(|(a, b): (V, V)| a.min(b)).unwrap(),
        f32::INFINITY,
    );
    let named = Semiring::<f32, f32, f32>::min_plus().unwrap();
    assert_eq!(written.unwrap().step().program(), named.step().program());
}
