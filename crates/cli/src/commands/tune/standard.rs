//! The shapes that `tune all` measures: common ones of every operation that has several candidates.

use std::ops::RangeInclusive;

use manycore::operation::json::integer;
use manycore::{AbelianGroup, Order};
use serde_json::{Map, Value, json};

use crate::commands::choice::Chosen;
use manycore::operation::vector::NumberType;

/// An operation with a shape, and the shape's description in messages before it is explained.
pub(super) struct Shape {
    pub(super) operation: Chosen,
    pub(super) told: Map<String, Value>,
}

/// Primes of 29, 31, 50 and 62 bits with roots of unity of orders 2^26, 2^27, 2^24 and 2^24 at least, and 2^64 - 2^32 + 1.
const TRANSFORM_PRIMES: [(u64, u32); 5] = [
    (469_762_049, 26),
    (2_013_265_921, 27),
    (1_125_899_437_080_577, 24),
    (4_611_686_018_326_724_609, 24),
    (18_446_744_069_414_584_321, 32),
];

/// The transforms' primes, and primes without roots of unity of large orders: 2^31 - 1, and the largest below 2^62.
const PRODUCT_PRIMES: [u64; 5] =
    [469_762_049, 2_147_483_647, 4_611_686_018_326_724_609, 4_611_686_018_427_387_847, 18_446_744_069_414_584_321];

/// Coefficients of the longest greatest common divisors that are measured, as a power of two.
const LONGEST_GCD: u32 = 16;

/// Non-zeros of the largest sparse matrices that are generated to be measured, as a power of two.
const LONGEST_SPARSE: u32 = 24;

/// Primes of 29, 31 and 62 bits, whose residues have four digits and eight.
const MATRIX_PRIMES: [u64; 3] = [469_762_049, 2_147_483_647, 4_611_686_018_427_387_847];

/// The orders of matrices that are measured, as powers of two.
const MATRIX_ORDERS: RangeInclusive<u32> = 4..=11;

/// Arcs into each node of a graph without circuits, as in a schedule.
const ARCS: usize = 4;

/// Values of one transform in batches.
const BATCHED: usize = 1 << 10;

/// The shapes of 2^k values, for each k of `logs`, the smallest first; without f64 on devices that lack it.
pub(super) fn shapes(logs: RangeInclusive<u32>, fp64: bool) -> Vec<Shape> {
    logs.flat_map(|log| of_size(log, fp64)).collect()
}

/// The shapes of operations, of which none is wrong: the tests count those of each.
struct Shapes(Vec<Shape>);

impl Shapes {
    /// Adds a shape that messages describe by its arguments.
    fn add(&mut self, name: &str, arguments: &Value) {
        self.add_told(name, arguments, arguments);
    }

    /// Adds a shape that messages describe by `told`.
    fn add_told(&mut self, name: &str, arguments: &Value, told: &Value) {
        let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let chosen = Chosen::new(name, &object(arguments));
        self.0.extend(chosen.map(|operation| Shape { operation, told: object(told) }));
    }
}

fn of_size(log: u32, fp64: bool) -> Vec<Shape> {
    let mut shapes = Shapes(Vec::new());
    spectral(log, fp64, &mut shapes);
    modular(log, &mut shapes);
    matrices(log, &mut shapes);
    groups(log, fp64, &mut shapes);
    sparse(log, fp64, &mut shapes);
    sorts(log, &mut shapes);
    semirings(log, &mut shapes);
    // Both tables of a box of k bits have 2^(2 k) entries.
    if log.is_multiple_of(2) && (4..=32).contains(&log) {
        let bits = json!({ "bits": log / 2 });
        shapes.add("sbox-linear", &bits);
        shapes.add("sbox-differences", &bits);
    }
    shapes.0
}

fn spectral(log: u32, fp64: bool, shapes: &mut Shapes) {
    let n = 1_usize << log;
    let types = [NumberType::F32, NumberType::I32, NumberType::I64, NumberType::F64];
    let types = types.into_iter().filter(|&number_type| fp64 || number_type != NumberType::F64);
    let mut walsh = |[n, batch]: [usize; 2], number_type: NumberType, order: Order| {
        shapes.add("walsh", &json!({ "n": n, "batch": batch, "type": number_type.name(), "order": order.name() }));
    };
    for number_type in types {
        walsh([n, 1], number_type, Order::Hadamard);
    }
    walsh([n, 1], NumberType::F32, Order::Sequency);
    if n > BATCHED {
        walsh([BATCHED, n / BATCHED], NumberType::F32, Order::Hadamard);
        walsh([BATCHED, n / BATCHED], NumberType::I32, Order::Hadamard);
    }
    for packed in [false, true] {
        shapes.add("reed-muller", &json!({ "n": n, "packed": packed }));
    }
    for number_type in [NumberType::I32, NumberType::I64] {
        shapes.add("arithmetic", &json!({ "n": n, "type": number_type.name() }));
    }
    for number_type in [NumberType::F32, NumberType::I32] {
        shapes.add("haar", &json!({ "n": n, "type": number_type.name() }));
    }
}

fn modular(log: u32, shapes: &mut Shapes) {
    let n = 1_usize << log;
    for (modulus, most) in TRANSFORM_PRIMES {
        if log <= most {
            shapes.add("ntt", &json!({ "n": n, "modulus": integer(modulus) }));
        }
    }
    for modulus in PRODUCT_PRIMES.map(integer) {
        shapes.add("poly-mul", &json!({ "n": n, "m": n, "modulus": modulus }));
    }
    for modulus in PRODUCT_PRIMES.map(integer) {
        shapes.add("poly-div", &json!({ "n": n, "m": n.div_ceil(2), "modulus": modulus }));
        shapes.add("poly-eval", &json!({ "n": n, "points": 1, "modulus": modulus }));
        // Steps of greatest common divisors are as many as coefficients, and wait for each other.
        if log <= LONGEST_GCD {
            shapes.add("poly-gcd", &json!({ "n": n, "m": n, "modulus": modulus }));
        }
    }
}

/// A matrix of order 2^k has 2^(2 k) entries.
fn matrices(log: u32, shapes: &mut Shapes) {
    if !log.is_multiple_of(2) || !MATRIX_ORDERS.contains(&(log / 2)) {
        return;
    }
    let n = 1_usize << (log / 2);
    // Matrices of bits.
    shapes.add("matrix-mul", &json!({ "n": n, "modulus": 2 }));
    for modulus in MATRIX_PRIMES {
        for name in ["matrix-mul", "matrix-det", "matrix-inverse"] {
            shapes.add(name, &json!({ "n": n, "modulus": integer(modulus) }));
        }
    }
}

fn groups(log: u32, fp64: bool, shapes: &mut Shapes) {
    let power = |order: u64, count: u32| AbelianGroup::new(&vec![order; count as usize]).ok();
    let text = |group: &AbelianGroup| group.factors().iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let told = |group: &AbelianGroup, numbers: &str| json!({ "group": group.factors(), "numbers": numbers });
    // Factors of order 3 in 2^log elements: log_3 2 = 0.63093.
    let threes = log * 63_093 / 100_000;
    // A table of a group of 2^k elements has 2^(2 k) entries.
    if log.is_multiple_of(2) {
        for group in [power(2, log / 2), power(3, threes / 2)].into_iter().flatten() {
            for (exponents, numbers) in [(false, "complex f32"), (true, "exponents")] {
                let arguments = json!({ "group": text(&group), "exponents": exponents });
                shapes.add_told("characters", &arguments, &told(&group, numbers));
            }
        }
    }
    let mut fourier = |group: Option<AbelianGroup>, number_type: Option<&str>, modulus: Option<u64>| {
        let Some(group) = group else { return };
        let numbers = number_type.map_or("residues".to_owned(), |number_type| format!("complex {number_type}"));
        let arguments = json!({ "group": text(&group), "type": number_type, "modulus": modulus });
        shapes.add_told("fourier", &arguments, &told(&group, &numbers));
    };
    let cyclic = || power(1 << log, 1);
    fourier(cyclic(), Some("f32"), None);
    if fp64 {
        fourier(cyclic(), Some("f64"), None);
    }
    if log <= TRANSFORM_PRIMES[0].1 {
        fourier(cyclic(), None, Some(TRANSFORM_PRIMES[0].0));
    }
    fourier(power(3, threes), Some("f32"), None);
    let mut kronecker = |product: String, number_type: NumberType, complex: bool| {
        shapes.add("kronecker", &json!({ "product": product, "type": number_type.name(), "complex": complex }));
    };
    if log > 0 {
        kronecker(format!("walsh^{log}"), NumberType::I32, false);
        kronecker(format!("walsh^{log}"), NumberType::F32, false);
    }
    if threes > 0 {
        kronecker(format!("dft3^{threes}"), NumberType::F32, true);
    }
    if log > 4 {
        kronecker(format!("h12 x walsh^{}", log - 4), NumberType::I32, false);
    }
}

/// Matrices of 2^log non-zeros, eight in a row, by a vector and by eight columns.
fn sparse(log: u32, fp64: bool, shapes: &mut Shapes) {
    let non_zeros = 8;
    let rows = (1_usize << log) / non_zeros;
    if rows < non_zeros || log > LONGEST_SPARSE {
        return;
    }
    let moduli = [Some(TRANSFORM_PRIMES[0].0), fp64.then_some(0)].into_iter().flatten();
    for modulus in moduli.map(|p| (p > 0).then_some(p)) {
        for width in [1, 8] {
            let arguments = json!({ "rows": rows, "non-zeros": non_zeros, "width": width, "modulus": modulus });
            let told = json!({ "rows": rows, "non_zeros": non_zeros, "width": width, "modulus": modulus });
            shapes.add_told("sparse-multiply", &arguments, &told);
        }
    }
}

/// Numbers alone, and with their places.
fn sorts(log: u32, shapes: &mut Shapes) {
    let n = 1_usize << log;
    for (number_type, places) in [(NumberType::I32, false), (NumberType::I64, false), (NumberType::I64, true)] {
        shapes.add("sort-numbers", &json!({ "n": n, "type": number_type.name(), "places": places }));
    }
}

/// Products of longest paths, and stars of graphs without circuits: matrices of order 2^k have 2^(2 k) entries.
fn semirings(log: u32, shapes: &mut Shapes) {
    if !log.is_multiple_of(2) || !MATRIX_ORDERS.contains(&(log / 2)) {
        return;
    }
    let n = 1_usize << (log / 2);
    for number_type in ["i32", "i64", "f32"] {
        shapes.add("semiring-product", &json!({ "n": n, "semiring": "max-plus", "type": number_type }));
    }
    for number_type in ["i32", "i64"] {
        shapes.add("maxplus-star", &json!({ "n": n, "acyclic": ARCS, "type": number_type }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::choice;
    use manycore::field::primes::is_prime;

    #[test]
    fn every_operation_has_shapes() {
        let all = shapes(10..=12, true);
        for name in choice::names() {
            assert!(all.iter().any(|shape| shape.operation.name() == name), "{name}");
        }
        let is_f64 =
            |shape: &&Shape| shape.told.values().any(|value| value.as_str().is_some_and(|t| t.contains("f64")));
        assert!(all.iter().any(|shape| is_f64(&shape)));
        assert!(!shapes(10..=12, false).iter().any(|shape| is_f64(&shape)));
        assert!(!shapes(0..=1, true).is_empty());
    }

    #[test]
    fn moduli_are_primes_with_their_roots() {
        for (p, log) in TRANSFORM_PRIMES {
            assert!(is_prime(p) && (p - 1).is_multiple_of(1 << log), "{p}");
        }
        assert!(PRODUCT_PRIMES.into_iter().chain(MATRIX_PRIMES).all(is_prime));
    }
}
