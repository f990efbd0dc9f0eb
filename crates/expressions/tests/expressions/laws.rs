//! Laws of the sums and products that semirings have, and of some that keep them not.

use manycore_expressions::{Function, Law, Laws, Value};

type F = Value<f32>;
type I = Value<i32>;

fn reals(f: impl FnOnce((F, F)) -> F) -> Function<(f32, f32), f32> {
    Function::new(f).unwrap()
}

fn integers(f: impl FnOnce((I, I)) -> I) -> Function<(i32, i32), i32> {
    Function::new(f).unwrap()
}

#[test]
fn max_plus_of_numbers_keeps_all_laws() {
    let (sum, product) = (reals(|(a, b)| a.max(b)), reals(|(a, b)| a + b));
    let laws = Laws::new(&[f32::NEG_INFINITY]);
    laws.associative(&sum).unwrap();
    laws.commutative(&sum).unwrap();
    laws.selective(&sum).unwrap();
    laws.identity(&sum, f32::NEG_INFINITY).unwrap();
    laws.associative(&product).unwrap();
    laws.identity(&product, 0.0).unwrap();
    laws.absorbing(&product, f32::NEG_INFINITY).unwrap();
    laws.distributive(&sum, &product).unwrap();
    let violation = laws.selective(&product).unwrap_err();
    assert_eq!(violation.law, Law::Selective);
}

#[test]
fn plus_times_of_integers_is_a_ring() {
    let (sum, product) = (integers(|(a, b)| a + b), integers(|(a, b)| a * b));
    let laws = Laws::new(&[]);
    laws.associative(&sum).unwrap();
    laws.identity(&sum, 0).unwrap();
    laws.associative(&product).unwrap();
    laws.absorbing(&product, 0).unwrap();
    laws.distributive(&sum, &product).unwrap();
}

#[test]
fn a_violation_names_its_elements() {
    let difference = integers(|(a, b)| a - b);
    let laws = Laws::new(&[]);
    let violation = laws.associative(&difference).unwrap_err();
    let text = violation.to_string();
    assert!(text.starts_with("the law is not kept (associative: (a b) c = a (b c)): a = "), "{text}");
    // The elements that are told do violate it.
    let number = |name: &str| -> i32 {
        let (_, rest) = text.split_once(&format!("{name} = ")).unwrap();
        rest.split([',', ' ']).next().unwrap().parse().unwrap()
    };
    let (a, b, c) = (number(": a"), number("b"), number(", c"));
    let of = |x, y| difference.call((x, y));
    assert_ne!(of(of(a, b), c), of(a, of(b, c)), "{text}");
    assert_eq!(laws.commutative(&difference).unwrap_err().law, Law::Commutative);
    assert_eq!(laws.identity(&difference, 0).unwrap_err().law, Law::Identity);
}

#[test]
fn saturated_sums_are_not_associative() {
    let sum = integers(|(a, b)| a.saturating_add(b));
    assert_eq!(Laws::new(&[]).associative(&sum).unwrap_err().law, Law::Associative);
}

#[test]
fn the_first_of_two_is_associative_and_not_commutative() {
    let first = integers(|(a, _)| a);
    let laws = Laws::new(&[]);
    laws.associative(&first).unwrap();
    assert_eq!(laws.commutative(&first).unwrap_err().law, Law::Commutative);
}

#[test]
fn the_best_with_its_index_keeps_its_laws() {
    type Best = (f32, u32);
    type Pair = (Value<f32>, Value<u32>);
    let better = Function::<(Best, Best), Best>::new(|((x, i), (y, j)): (Pair, Pair)| {
        let second = y.gt(x) | (y.equals(x) & j.lt(i));
        (second.select(y, x), second.select(j, i))
    })
    .unwrap();
    let none = (f32::NEG_INFINITY, u32::MAX);
    let laws = Laws::new(&[none]);
    laws.associative(&better).unwrap();
    laws.commutative(&better).unwrap();
    laws.selective(&better).unwrap();
    laws.identity(&better, none).unwrap();
}
