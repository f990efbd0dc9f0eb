//! The shapes that `tune all` measures: common ones of every operation that has several candidates.

use std::ops::RangeInclusive;

use manycore::semiring::operations::Kind;
use manycore::{AbelianGroup, BitOrder, HaarOrder, Order};
use serde_json::{Map, Value, json};

use crate::commands::choice::Operation;
use crate::commands::choice::groups::{CharactersArguments, FourierArguments, KroneckerArguments, Part};
use crate::commands::choice::matrices::{MatrixMulArguments, MatrixOrderArguments};
use crate::commands::choice::modular::{NttArguments, PolyMulArguments};
use crate::commands::choice::quotients::{PolyDivArguments, PolyEvalArguments, PolyGcdArguments};
use crate::commands::choice::spectral::{
    ArithmeticArguments, HaarArguments, ReedMullerArguments, Sizes, WalshArguments,
};
use crate::commands::choice::{sboxes, semirings, sorts, sparse, stars};
use crate::output::JsonInteger;
use crate::vector::NumberType;

/// An operation with a shape, and what is told of the shape before it is looked at.
pub(super) struct Shape {
    pub(super) operation: Operation,
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

/// Those, and primes without such roots: 2^31 - 1, and the largest below 2^62.
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

fn shape(operation: Operation, told: &Value) -> Shape {
    Shape { operation, told: told.as_object().cloned().unwrap_or_default() }
}

fn of_size(log: u32, fp64: bool) -> Vec<Shape> {
    let mut shapes = Vec::new();
    spectral(log, fp64, &mut shapes);
    modular(log, &mut shapes);
    matrices(log, &mut shapes);
    groups(log, fp64, &mut shapes);
    sparse(log, fp64, &mut shapes);
    sorts(log, &mut shapes);
    semirings(log, &mut shapes);
    // Both tables of a box of k bits have 2^(2 k) entries.
    if log.is_multiple_of(2) && (4..=32).contains(&log) {
        let bits = log / 2;
        let told = json!({ "bits": bits });
        shapes.push(shape(Operation::SboxLinear(sboxes::Arguments { bits }), &told));
        shapes.push(shape(Operation::SboxDifferences(sboxes::Arguments { bits }), &told));
    }
    shapes
}

fn spectral(log: u32, fp64: bool, shapes: &mut Vec<Shape>) {
    let n = 1_usize << log;
    let whole = Sizes { n, batch: 1 };
    let types = [NumberType::F32, NumberType::I32, NumberType::I64, NumberType::F64];
    let types = types.into_iter().filter(|&number_type| fp64 || number_type != NumberType::F64);
    let mut walsh = |sizes: &Sizes, number_type: NumberType, order: Order| {
        let told =
            json!({ "n": sizes.n, "batch": sizes.batch, "type": number_type.to_string(), "order": order.name() });
        let arguments = WalshArguments { sizes: sizes.clone(), number_type, order, algorithm: None };
        shapes.push(shape(Operation::Walsh(arguments), &told));
    };
    for number_type in types {
        walsh(&whole, number_type, Order::Hadamard);
    }
    walsh(&whole, NumberType::F32, Order::Sequency);
    if n > BATCHED {
        walsh(&Sizes { n: BATCHED, batch: n / BATCHED }, NumberType::F32, Order::Hadamard);
        walsh(&Sizes { n: BATCHED, batch: n / BATCHED }, NumberType::I32, Order::Hadamard);
    }
    for packed in [false, true] {
        let arguments = ReedMullerArguments { sizes: whole.clone(), packed };
        shapes.push(shape(Operation::ReedMuller(arguments), &json!({ "n": n, "packed": packed })));
    }
    for number_type in [NumberType::I32, NumberType::I64] {
        let told = json!({ "n": n, "type": number_type.to_string() });
        let order = BitOrder::Natural;
        let arguments = ArithmeticArguments { sizes: whole.clone(), number_type, order, algorithm: None };
        shapes.push(shape(Operation::Arithmetic(arguments), &told));
    }
    for number_type in [NumberType::F32, NumberType::I32] {
        let arguments = HaarArguments { sizes: whole.clone(), number_type, order: HaarOrder::Standard };
        shapes.push(shape(Operation::Haar(arguments), &json!({ "n": n, "type": number_type.to_string() })));
    }
}

fn modular(log: u32, shapes: &mut Vec<Shape>) {
    let n = 1_usize << log;
    for (modulus, most) in TRANSFORM_PRIMES {
        if log <= most {
            let told = json!({ "n": n, "modulus": JsonInteger(modulus.into()) });
            shapes.push(shape(Operation::Ntt(NttArguments { n, batch: 1, modulus }), &told));
        }
    }
    for modulus in PRODUCT_PRIMES {
        let told = json!({ "n": n, "m": n, "modulus": JsonInteger(modulus.into()) });
        shapes.push(shape(Operation::PolyMul(PolyMulArguments { n, m: None, batch: 1, modulus }), &told));
    }
    for modulus in PRODUCT_PRIMES {
        let told = json!({ "n": n, "m": n.div_ceil(2), "modulus": JsonInteger(modulus.into()) });
        shapes.push(shape(Operation::PolyDiv(PolyDivArguments { n, m: None, modulus }), &told));
        let told = json!({ "n": n, "points": 1, "modulus": JsonInteger(modulus.into()) });
        shapes.push(shape(Operation::PolyEval(PolyEvalArguments { n, points: 1, modulus }), &told));
        // Steps of greatest common divisors are as many as coefficients, and wait for each other.
        if log <= LONGEST_GCD {
            let told = json!({ "n": n, "m": n, "modulus": JsonInteger(modulus.into()) });
            shapes.push(shape(Operation::PolyGcd(PolyGcdArguments { n, m: None, batch: 1, modulus }), &told));
        }
    }
}

/// A matrix of order 2^k has 2^(2 k) entries.
fn matrices(log: u32, shapes: &mut Vec<Shape>) {
    if !log.is_multiple_of(2) || !MATRIX_ORDERS.contains(&(log / 2)) {
        return;
    }
    let n = 1_usize << (log / 2);
    // Matrices of bits.
    let product = MatrixMulArguments { n, inner: None, columns: None, modulus: 2 };
    shapes.push(shape(Operation::MatrixMul(product), &json!({ "n": n, "modulus": 2 })));
    for modulus in MATRIX_PRIMES {
        let told = json!({ "n": n, "modulus": JsonInteger(modulus.into()) });
        let product = MatrixMulArguments { n, inner: None, columns: None, modulus };
        shapes.push(shape(Operation::MatrixMul(product), &told));
        shapes.push(shape(Operation::MatrixDet(MatrixOrderArguments { n, modulus }), &told));
        shapes.push(shape(Operation::MatrixInverse(MatrixOrderArguments { n, modulus }), &told));
    }
}

fn groups(log: u32, fp64: bool, shapes: &mut Vec<Shape>) {
    let power = |order: u64, count: u32| AbelianGroup::new(&vec![order; count as usize]).ok();
    let told = |group: &AbelianGroup, numbers: &str| json!({ "group": group.factors(), "numbers": numbers });
    // Factors of order 3 in 2^log elements: log_3 2 = 0.63093.
    let threes = log * 63_093 / 100_000;
    // A table of a group of 2^k elements has 2^(2 k) entries.
    if log.is_multiple_of(2) {
        for group in [power(2, log / 2), power(3, threes / 2)].into_iter().flatten() {
            for (exponents, name) in [(false, "complex f32"), (true, "exponents")] {
                let told = told(&group, name);
                let arguments = CharactersArguments { group: group.clone(), exponents, number_type: Part::F32 };
                shapes.push(shape(Operation::Characters(arguments), &told));
            }
        }
    }
    let mut fourier = |group: Option<AbelianGroup>, number_type: Part, modulus: Option<u64>| {
        let Some(group) = group else { return };
        let name = match (modulus, number_type) {
            (Some(_), _) => "residues",
            (None, Part::F32) => "complex f32",
            (None, Part::F64) => "complex f64",
        };
        let told = told(&group, name);
        shapes.push(shape(Operation::Fourier(FourierArguments { group, batch: 1, modulus, number_type }), &told));
    };
    let cyclic = || power(1 << log, 1);
    fourier(cyclic(), Part::F32, None);
    if fp64 {
        fourier(cyclic(), Part::F64, None);
    }
    if log <= TRANSFORM_PRIMES[0].1 {
        fourier(cyclic(), Part::F32, Some(TRANSFORM_PRIMES[0].0));
    }
    fourier(power(3, threes), Part::F32, None);
    let mut kronecker = |product: String, number_type: NumberType, complex: bool| {
        let told = json!({ "product": product, "type": number_type.to_string(), "complex": complex });
        let arguments = KroneckerArguments { product, batch: 1, modulus: None, complex, number_type };
        shapes.push(shape(Operation::Kronecker(arguments), &told));
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
fn sparse(log: u32, fp64: bool, shapes: &mut Vec<Shape>) {
    let non_zeros = 8;
    let rows = (1_usize << log) / non_zeros;
    if rows < non_zeros || log > LONGEST_SPARSE {
        return;
    }
    let moduli = [Some(TRANSFORM_PRIMES[0].0), fp64.then_some(0)].into_iter().flatten();
    for modulus in moduli.map(|p| (p > 0).then_some(p)) {
        for width in [1, 8] {
            let modulus_told = modulus.map(|p| JsonInteger(p.into()));
            let told = json!({ "rows": rows, "non_zeros": non_zeros, "width": width, "modulus": modulus_told });
            let arguments = sparse::Arguments { rows, non_zeros, longest: None, width, modulus };
            shapes.push(shape(Operation::SparseMultiply(arguments), &told));
        }
    }
}

/// Numbers alone, and with their places.
fn sorts(log: u32, shapes: &mut Vec<Shape>) {
    let n = 1_usize << log;
    for (number_type, places) in [(NumberType::I32, false), (NumberType::I64, false), (NumberType::I64, true)] {
        let told = json!({ "n": n, "type": number_type.to_string(), "places": places });
        shapes.push(shape(Operation::SortNumbers(sorts::Arguments { n, number_type, places }), &told));
    }
}

/// Products of longest paths, and stars of graphs without circuits: matrices of order 2^k have 2^(2 k) entries.
fn semirings(log: u32, shapes: &mut Vec<Shape>) {
    if !log.is_multiple_of(2) || !MATRIX_ORDERS.contains(&(log / 2)) {
        return;
    }
    let n = 1_usize << (log / 2);
    for (number, name) in [(NumberType::I32, "i32"), (NumberType::I64, "i64"), (NumberType::F32, "f32")] {
        let told = json!({ "n": n, "semiring": "max-plus", "type": name });
        let arguments = semirings::Arguments { n, inner: None, columns: None, semiring: Kind::MaxPlus, number };
        shapes.push(shape(Operation::SemiringProduct(arguments), &told));
    }
    for (number, name) in [(NumberType::I32, "i32"), (NumberType::I64, "i64")] {
        let told = json!({ "n": n, "acyclic": ARCS, "type": name });
        let arguments = stars::Arguments { n, acyclic: Some(ARCS), number };
        shapes.push(shape(Operation::MaxplusStar(arguments), &told));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore::field::primes::is_prime;

    #[test]
    fn every_operation_has_shapes() {
        let all = shapes(10..=12, true);
        for &name in Operation::NAMES {
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
