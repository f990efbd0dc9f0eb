//! Computations with factors that products alone read: sorting networks, extrema of rows, in blocks and on several devices.

use manycore_device::Device;
use manycore_expressions::{Function, Value};
use manycore_semiring::plan::Shape;
use manycore_semiring::{Computation, Matrix, PlanError, Products, Reduction, Semiring, SemiringError, Term};
use manycore_testkit::devices;
use proptest::prelude::*;

type I = Value<i64>;
type U = Value<u64>;
type At = (U, U);

fn draw(seed: u64, i: u64) -> i64 {
    let x = (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95);
    (x >> 40) as i64 % 9 - 4
}

/// A bitonic sorting network of `2^bits` keys with their places, a product for each of its steps (paper 003, algorithm 1,
/// corrected: equal keys are told apart by their places).
fn network(computation: &mut Computation, keys: Term<u32>, bits: u32) -> Result<Term<u32>, SemiringError> {
    let n = 1u64 << bits;
    // The one entry of a column, or nothing.
    let take = Function::new(|(a, is_there): (Value<u32>, Value<bool>)| is_there.select(a, 0))?;
    let sum = Function::new(|(a, b): (Value<u32>, Value<u32>)| a.max(b))?;
    let take = Semiring::<u32, bool, u32>::new(take, sum, 0)?;
    let mut sorted = keys;
    for stage in 1..=bits {
        for part in 1..=stage {
            let (mask, turn) = (1u64 << (stage - part), 1u64 << stage);
            let row = Function::<(u64, u64), u64>::new(|(x, _): At| {
                let other = x ^ mask;
                let (key, others) = (x.read::<u32>(0), other.read::<u32>(0));
                let is_less = key.lt(others) | (key.equals(others) & x.lt(other));
                let (is_lower, ascends) = ((x & mask).equals(0), (x & turn).equals(0));
                (is_less ^ is_lower ^ ascends).select(x, other)
            })?;
            let one = Function::<u64, u64>::new(|_: U| U::from(1))?;
            let value = Function::<(u64, u64), bool>::new(|_: At| true.into())?;
            let name = format!("swap {stage} {part}");
            let shape = Shape { rows: n, columns: n };
            let swap = computation.lists_by_columns(&name, shape, (one, row, value), false, &[sorted.node()])?;
            sorted = computation.product(&format!("step {stage} {part}"), &take, sorted, swap)?;
        }
    }
    Ok(sorted)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn networks_sort(bits in 0u32..7, seed: u64) {
        let keys: Vec<u32> = (0..1u64 << bits).map(|i| draw(seed, i).unsigned_abs() as u32 * 17).collect();
        let mut expected = keys.clone();
        expected.sort_unstable();
        let mut computation = Computation::new();
        let given = computation.matrix("v", Matrix::stored(1, keys.len() as u64, &keys).unwrap());
        let sorted = network(&mut computation, given, bits).unwrap();
        let out = computation.output("out", sorted).unwrap();
        let plan = computation.cheapest().unwrap();
        for device in devices() {
            let results = computation.run(&Products::new(&device), &plan).unwrap();
            prop_assert_eq!(results.matrix(out).unwrap().entries(), expected.clone());
        }
    }

    #[test]
    fn extrema_of_rows_are_one_product(m in 0u64..9, n in 0u64..40, seed: u64) {
        let data: Vec<i64> = (0..m * n).map(|i| draw(seed, i)).collect();
        let mut computation = Computation::new();
        let given = computation.matrix("data", Matrix::stored(m, n, &data).unwrap());
        let twice = computation.map("twice", &Function::<i64, i64>::new(|x: I| x * 2).unwrap(), given).unwrap();
        // Also the row's number, which blocks of rows count from their first one, and an entry that another node stores.
        let sign = Function::<((u64, u64), (u64, u64)), i64>::new(|((_, y), (u, v)): (At, At)| {
            v.equals(1).select(-1, 1) * (u.to::<i64>() + 1) + y.read::<i64>(0)
        });
        let shape = Shape { rows: n, columns: 2 };
        let signs = computation.function_matrix("signs", shape, &sign.unwrap(), &[twice.node()]).unwrap();
        let product = Function::new(|(a, b): (I, I)| a * b).unwrap();
        let largest = Semiring::new(product, Function::new(|(a, b): (I, I)| a.max(b)).unwrap(), i64::MIN).unwrap();
        let extrema = computation.product("extrema", &largest, twice, signs).unwrap();
        let out = computation.output("out", extrema).unwrap();
        let sums = computation.reduce_rows("sums", &Reduction::wrapping_plus().unwrap(), twice).unwrap();
        let sums_out = computation.output("sums out", sums).unwrap();
        let totals = computation.reduce_columns("totals", &Reduction::wrapping_plus().unwrap(), given).unwrap();
        let totals_out = computation.output("totals out", totals).unwrap();
        let row = |u: u64| -> Vec<i64> { (0..n).map(|v| 2 * data[(u * n + v) as usize]).collect() };
        let expected: Vec<i64> = (0..m)
            .flat_map(|u| {
                let weight = |i: usize, sign: i64| sign * (u as i64 + 1) + 2 * data[i];
                let of = |sign: i64| row(u).iter().enumerate().map(|(i, x)| x * weight(i, sign)).max().unwrap_or(i64::MIN);
                [of(1), of(-1)]
            })
            .collect();
        let expected_sums: Vec<i64> = (0..m).map(|u| row(u).iter().sum()).collect();
        let expected_totals: Vec<i64> = (0..n).map(|v| (0..m).map(|u| data[(u * n + v) as usize]).sum()).collect();
        let plan = computation.cheapest().unwrap();
        let check = |results: &manycore_semiring::Results| {
            assert_eq!(results.matrix(out).unwrap().entries(), expected);
            assert_eq!(results.matrix(sums_out).unwrap().entries(), expected_sums);
            assert_eq!(results.matrix(totals_out).unwrap().entries(), expected_totals);
        };
        let all: Vec<Products> = devices().iter().map(Products::new).collect();
        for products in &all {
            check(&computation.run(products, &plan).unwrap());
            check(&computation.run_within(products, &plan, 200).unwrap());
        }
        check(&computation.run_on(&all, &plan).unwrap());
    }
}

#[test]
fn factors_are_read_by_products_alone() {
    let mut computation = Computation::new();
    let a = computation.matrix("a", Matrix::stored(2, 2, &[1i64, 2, 3, 4]).unwrap());
    let shape = Shape { rows: 2, columns: 2 };
    let entry = Function::<((u64, u64), (u64, u64)), i64>::new(|((x, _), _): (At, At)| x.to::<i64>()).unwrap();
    let f = computation.function_matrix("f", shape, &entry, &[]).unwrap();
    let double = Function::<i64, i64>::new(|x: I| x * 2).unwrap();
    let refused = |error: SemiringError| {
        assert!(matches!(error, SemiringError::Program(PlanError::Factor { .. })), "{error}");
    };
    refused(computation.map("m", &double, f).unwrap_err());
    refused(computation.transpose("t", f).unwrap_err());
    refused(computation.output("o", f).unwrap_err());
    let lists = || {
        let one = Function::<u64, u64>::new(|_: U| U::from(1)).unwrap();
        let index = Function::<(u64, u64), u64>::new(|(x, _): At| x).unwrap();
        (one, index, Function::<(u64, u64), i64>::new(|_: At| I::from(1)).unwrap())
    };
    let rows = computation.lists_by_rows("rows", shape, lists(), 0, &[]).unwrap();
    let plus_times = Semiring::<i64, i64, i64>::wrapping_plus_times().unwrap();
    refused(computation.product("p", &plus_times, a, rows).unwrap_err());
    let first = computation.product("p", &plus_times, rows, f).unwrap();
    let out = computation.output("out", first).unwrap();
    let results = computation.run(&Products::new(&Device::host()), &computation.cheapest().unwrap()).unwrap();
    assert_eq!(results.matrix(out).unwrap().entries(), [0, 1, 0, 1]);
    let reads = Function::<((u64, u64), (u64, u64)), i64>::new(|((x, _), _): (At, At)| x.read::<i64>(1)).unwrap();
    let error = computation.function_matrix("g", shape, &reads, &[a.node()]).unwrap_err();
    assert!(matches!(error, SemiringError::Table { number: 1, given: "none", .. }), "{error}");
    // A matrix with missing entries that count.
    let b = computation.lists_by_columns("b", shape, lists(), 1, &[]).unwrap();
    let product = computation.product("absent", &plus_times, a, b).unwrap();
    computation.output("absent out", product).unwrap();
    let error = computation.run(&Products::new(&Device::host()), &computation.cheapest().unwrap()).unwrap_err();
    assert!(matches!(error, SemiringError::Absent { side: "right" }), "{error}");
}
