//! Plans that run: every choice of representations, whole, in blocks of rows and on several devices, gives what plain loops give.

use manycore_device::Device;
use manycore_expressions::{Elements, Function, Value};
use manycore_semiring::plan::{Operation, Shape};
use manycore_semiring::{Computation, Matrix, Plan, Products, Representation, Semiring, SemiringError, Term};
use manycore_testkit::devices;
use proptest::prelude::*;

type I = Value<i64>;
type U = Value<u64>;
/// Rows of entries.
type Rows = Vec<Vec<i64>>;

fn plus_times() -> Semiring<i64, i64, i64> {
    Semiring::wrapping_plus_times().unwrap()
}

fn min_plus() -> Semiring<i64, i64, i64> {
    Semiring::min_plus_saturating().unwrap()
}

/// The first of both that is not zero: associative, not commutative.
fn first() -> Semiring<i64, i64, i64> {
    let sum = Function::new(|(a, b): (I, I)| a.equals(0).select(b, a)).unwrap();
    Semiring::new(Function::new(|(a, b): (I, I)| a * b).unwrap(), sum, 0).unwrap()
}

/// Plain loops.
fn product(semiring: &Semiring<i64, i64, i64>, a: &Rows, b: &Rows, columns: usize) -> Rows {
    let entry = |row: &Vec<i64>, column: usize| {
        row.iter().zip(b).fold(semiring.zero(), |sum, (&a, b)| semiring.step().call((sum, a, b[column])))
    };
    a.iter().map(|row| (0..columns).map(|column| entry(row, column)).collect()).collect()
}

/// A matrix of rows, kept in one of five ways; missing entries are 0.
pub(crate) fn kept(rows: &Rows, how: u8) -> Matrix<i64> {
    let (height, width) = (rows.len() as u64, rows.first().map_or(0, Vec::len) as u64);
    let lists = |lines: u64, width: u64, of: &dyn Fn(usize, usize) -> i64| {
        let (mut offsets, mut indices, mut entries) = (vec![0], Vec::new(), Vec::new());
        for line in 0..lines {
            for index in (0..width).filter(|&index| of(line as usize, index as usize) != 0) {
                indices.push(index);
                entries.push(of(line as usize, index as usize));
            }
            offsets.push(indices.len());
        }
        (offsets, indices, entries)
    };
    match how % 3 {
        0 => Matrix::stored(height, width, &rows.concat()).unwrap(),
        1 => {
            let (offsets, indices, entries) = lists(height, width, &|row, column| rows[row][column]);
            Matrix::rows(height, width, (&offsets, &indices, &entries), 0).unwrap()
        }
        _ => {
            let (offsets, indices, entries) = lists(width, height, &|column, row| rows[row][column]);
            Matrix::columns(height, width, (&offsets, &indices, &entries), 0).unwrap()
        }
    }
}

/// A computation that is drawn at random, and its outputs by plain loops.
struct Drawn {
    computation: Computation,
    outputs: Vec<(Term<i64>, Rows)>,
}

fn drawn(steps: &[(u8, u8, u8)], n: usize, seed: u64) -> Drawn {
    let draw = |i: u64| {
        let x = (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95);
        if x.is_multiple_of(3) { 0 } else { (x >> 40) as i64 % 19 - 9 }
    };
    let mut computation = Computation::new();
    // Terms with their entries, and whether they are given as lists.
    let mut terms: Vec<(Term<i64>, Rows, bool)> = Vec::new();
    for matrix in 0..2u64 {
        let how = (seed >> (8 * matrix)) as u8;
        let rows: Rows = (0..n as u64)
            .map(|row| (0..n as u64).map(|column| draw(row * 64 + column + matrix * 4096)).collect())
            .collect();
        terms.push((computation.matrix(&format!("m{matrix}"), kept(&rows, how)), rows, !how.is_multiple_of(3)));
    }
    let function = Function::<(u64, u64), i64>::new(|(x, y): (U, U)| (x * 3 + y * 5).to::<i64>() - 7).unwrap();
    let rows = (0..n as i64).map(|y| (0..n as i64).map(|x| 3 * x + 5 * y - 7).collect()).collect();
    terms.push((computation.matrix("f", Matrix::function(n as u64, n as u64, function)), rows, false));
    for (i, &(what, a, b)) in steps.iter().enumerate() {
        let (a, b) = (&terms[usize::from(a) % terms.len()], &terms[usize::from(b) % terms.len()]);
        let name = format!("s{i}");
        let each =
            |f: &dyn Fn(usize, usize) -> i64| -> Rows { (0..n).map(|y| (0..n).map(|x| f(y, x)).collect()).collect() };
        let made = match what % 6 {
            0 | 1 => {
                // Products with a missing 0 are not zero in min-plus.
                let semiring = match (what / 6 % 3, a.2 || b.2) {
                    (0, false) => min_plus(),
                    (1, _) => first(),
                    _ => plus_times(),
                };
                (computation.product(&name, &semiring, a.0, b.0).unwrap(), product(&semiring, &a.1, &b.1, n))
            }
            2 => {
                let f = Function::<i64, i64>::new(|x: I| x * 3 + 1).unwrap();
                (computation.map(&name, &f, a.0).unwrap(), each(&|y, x| a.1[y][x].wrapping_mul(3).wrapping_add(1)))
            }
            3 => {
                let f = Function::<((u64, u64), i64), i64>::new(|((x, y), a): ((U, U), I)| a ^ (x * 2 + y).to::<i64>());
                let entries = each(&|y, x| a.1[y][x] ^ (2 * x + y) as i64);
                (computation.map_at(&name, &f.unwrap(), a.0).unwrap(), entries)
            }
            4 => {
                let f = Function::<(i64, i64), i64>::new(|(a, b): (I, I)| a - b.min(5)).unwrap();
                let entries = each(&|y, x| a.1[y][x].wrapping_sub(b.1[y][x].min(5)));
                (computation.zip(&name, &f, a.0, b.0).unwrap(), entries)
            }
            _ => (computation.transpose(&name, a.0).unwrap(), each(&|y, x| a.1[x][y])),
        };
        terms.push((made.0, made.1, false));
    }
    let last = terms.len() - 1;
    let mut outputs = Vec::new();
    for at in [last, last / 2] {
        let (term, rows, _) = &terms[at];
        outputs.push((computation.output(&format!("out{at}"), *term).unwrap(), rows.clone()));
    }
    Drawn { computation, outputs }
}

/// The plan that wishes for these representations, where they are allowed.
pub(crate) fn plan(computation: &Computation, code: u64) -> Plan {
    let program = computation.program();
    let wished = program.nodes().map(|node| {
        let wished = Representation::ALL[(code >> (2 * (node.index() % 32)) & 3) as usize];
        let mut one = vec![Representation::Stored; program.nodes().len()];
        one[node.index()] = wished;
        if Plan::new(program, &one).is_ok() { wished } else { Representation::Stored }
    });
    Plan::new(program, &wished.collect::<Vec<_>>()).unwrap()
}

fn check(drawn: &Drawn, results: &manycore_semiring::Results, what: &str) {
    for (term, rows) in &drawn.outputs {
        let made = results.matrix(*term).unwrap();
        assert_eq!(made.entries(), rows.concat(), "{what}\n{:?}", drawn.computation);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_gives_what_plain_loops_give(
        steps in prop::collection::vec(any::<(u8, u8, u8)>(), 1..6),
        n in 0usize..6,
        seed: u64,
        code: u64,
    ) {
        let drawn = drawn(&steps, n, seed);
        let products = Products::new(&Device::host());
        let fastest = drawn.computation.fastest(&products).unwrap();
        let of = |plan: &Plan| -> f64 {
            drawn.computation.estimate(&products, plan).unwrap().iter().map(|(_, seconds)| seconds).sum()
        };
        let cheapest = drawn.computation.cheapest().unwrap();
        prop_assert!(of(&fastest) <= of(&cheapest) && of(&fastest) <= of(&plan(&drawn.computation, 0)));
        let plans = [plan(&drawn.computation, code), plan(&drawn.computation, 0), cheapest, fastest];
        for plan in plans {
            check(&drawn, &drawn.computation.run(&products, &plan).unwrap(), "whole");
            for limit in [1, 200, 1 << 20] {
                check(&drawn, &drawn.computation.run_within(&products, &plan, limit).unwrap(), "in blocks");
            }
            let both = [Products::new(&Device::host_with(1).unwrap()), Products::new(&Device::host_with(2).unwrap())];
            check(&drawn, &drawn.computation.run_on(&both, &plan).unwrap(), "on two devices");
            let program = drawn.computation.program();
            let arrows: usize = program.order().iter().map(|&node| program.operands(node).len()).sum();
            let explanation = drawn.computation.explain(&plan, None).unwrap();
            prop_assert_eq!(explanation.dot().matches(" -> ").count(), arrows);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn every_device_gives_what_plain_loops_give(
        steps in prop::collection::vec(any::<(u8, u8, u8)>(), 1..5),
        n in 1usize..6,
        seed: u64,
        code: u64,
    ) {
        let drawn = drawn(&steps, n, seed);
        for device in devices() {
            let products = Products::new(&device);
            let fastest = drawn.computation.fastest(&products).unwrap();
            check(&drawn, &drawn.computation.run(&products, &fastest).unwrap(), "by seconds");
            let plan = plan(&drawn.computation, code);
            check(&drawn, &drawn.computation.run(&products, &plan).unwrap(), "whole");
            check(&drawn, &drawn.computation.run_within(&products, &plan, 200).unwrap(), "in blocks");
            // The host and the device together.
            let both = [Products::new(&Device::host()), products];
            check(&drawn, &drawn.computation.run_on(&both, &plan).unwrap(), "on two devices");
        }
    }
}

/// The graph of figure 5: a diagonal matrix, scaled, multiplied twice.
#[test]
fn plans_are_told_with_their_alternatives() {
    let n = 4;
    let mut computation = Computation::new();
    let a = computation.matrix("A", Matrix::stored(n, n, &(0..16).collect::<Vec<i64>>()).unwrap());
    let b = computation.unbound::<i64>("B", Shape { rows: n, columns: n });
    let scaled = computation.map("scaled", &Function::new(|x: I| x * 2).unwrap(), a).unwrap();
    let c = computation.product("C", &plus_times(), scaled, b).unwrap();
    let out = computation.output("out", c).unwrap();
    let plan = computation.cheapest().unwrap();
    let products = Products::new(&Device::host());
    let error = computation.run(&products, &plan).unwrap_err();
    assert_eq!(error.to_string(), "B: no matrix is bound to it");
    let identity = Function::<(u64, u64), i64>::new(|(x, y): (U, U)| x.equals(y).number::<i64>()).unwrap();
    computation.bind(b, Matrix::function(n, n, identity)).unwrap();
    let results = computation.run_timed(&products, &plan).unwrap();
    assert_eq!(results.matrix(out).unwrap().entries(), (0..16).map(|x| 2 * x).collect::<Vec<i64>>());
    assert!(matches!(results.matrix(c), Err(SemiringError::NoOutput { .. })));
    let text = computation.explain(&plan, Some(&results)).unwrap().to_string();
    assert!(text.contains("accesses to memory") && text.contains("scaled: elements 4 x 4, XY"), "{text}");
    assert!(text.contains("as BUF the plan has") && text.contains(" ms") && text.contains("then free"), "{text}");
    let dot = computation.explain(&plan, None).unwrap().dot();
    assert!(dot.starts_with("digraph plan {") && dot.contains("n0 -> n2;"), "{dot}");
    assert_eq!(*computation.program().operation(out.node()), Operation::Output);
}

#[test]
fn what_does_not_fit_is_named() {
    let mut computation = Computation::new();
    let a = computation.matrix("A", Matrix::stored(2, 3, &[1i64; 6]).unwrap());
    let error = computation.product("P", &plus_times(), a, a).unwrap_err();
    assert_eq!(error.to_string(), "P: 2 x 3 and 2 x 3 do not fit");
    let error = computation.bind(a, Matrix::stored(3, 3, &[1i64; 9]).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("A: a matrix of 3 x 3 is bound where 2 x 3"), "{error}");
    let table = Function::<i64, i64>::new(|x: I| x.read::<i64>(0)).unwrap();
    assert!(matches!(computation.map("M", &table, a), Err(SemiringError::Tables { .. })));
    computation.output("out", a).unwrap();
    let products = Products::new(&Device::host());
    let other = Computation::new();
    assert!(matches!(other.run(&products, &computation.cheapest().unwrap()), Err(SemiringError::OtherPlan)));
}

/// Elements of two scalars and truth values through stored results and entries that read them.
#[test]
fn elements_of_several_scalars() {
    type Pair = (f32, bool);
    let mut computation = Computation::new();
    let a = computation.matrix("A", Matrix::stored(3, 2, &[1.5f32, -2.0, 0.0, 4.0, -1.0, 9.0]).unwrap());
    let marked = Function::<f32, Pair>::new(|x: Value<f32>| (x * 2.0, x.gt(0.0))).unwrap();
    let marked = computation.map("marked", &marked, a).unwrap();
    let turned = computation.transpose("turned", marked).unwrap();
    let chosen =
        Function::<Pair, f32>::new(|(x, is_marked): <Pair as Elements>::Values| is_marked.select(x, 0.0)).unwrap();
    let chosen = computation.map("chosen", &chosen, turned).unwrap();
    let out = computation.output("out", chosen).unwrap();
    for device in devices() {
        let products = Products::new(&device);
        for code in [0, u64::MAX / 3, 0b01_00_01_00_00] {
            let results = computation.run(&products, &plan(&computation, code)).unwrap();
            assert_eq!(results.matrix(out).unwrap().entries(), [3.0, 0.0, 0.0, 0.0, 8.0, 18.0], "{code} on {device:?}");
        }
    }
}

/// Results of lists stay lists where that is faster: here a dense matrix would take 10^12 entries.
#[test]
fn functions_of_lists_stay_lists() {
    let n = 1_000_000u64;
    let offsets: Vec<usize> = (0..=n as usize).collect();
    let indices: Vec<u64> = (0..n).map(|row| (row * 7 + 3) % n).collect();
    let entries: Vec<i64> = (0..n as i64).map(|row| row % 5 - 2).collect();
    let x: Vec<i64> = (0..n as i64).map(|row| row % 11).collect();
    let mut computation = Computation::new();
    let a = computation.matrix("a", Matrix::rows(n, n, (&offsets, &indices, &entries), 0).unwrap());
    let dense = computation.matrix("x", Matrix::stored(n, 1, &x).unwrap());
    let scale = Function::<((u64, u64), i64), i64>::new(|((x, y), a): ((U, U), I)| a * (x + y).to::<i64>()).unwrap();
    let scaled = computation.map_at("scaled", &scale, a).unwrap();
    let weights = Function::<(u64, u64), i64>::new(|(x, _): (U, U)| (x & 3).to::<i64>()).unwrap();
    let weights = computation.matrix("weights", Matrix::function(n, n, weights));
    let times = Function::<(i64, i64), i64>::new(|(a, b): (I, I)| a * b).unwrap();
    let weighted = computation.zip("weighted", &times, weights, scaled).unwrap();
    let product = computation.product("product", &plus_times(), weighted, dense).unwrap();
    let turned = computation.transpose("turned", weighted).unwrap();
    let row = computation.transpose("row", dense).unwrap();
    let other = computation.product("other", &plus_times(), row, turned).unwrap();
    let sum = computation.transpose("column", other).unwrap();
    let minus = Function::<(i64, i64), i64>::new(|(a, b): (I, I)| a * 2 - b).unwrap();
    let both = computation.zip("both", &minus, product, sum).unwrap();
    let out = computation.output("out", both).unwrap();
    for device in devices() {
        let products = Products::new(&device);
        let plan = computation.fastest(&products).unwrap();
        assert_eq!(plan.representation(weighted.node()), Representation::Rows);
        assert_eq!(plan.representation(turned.node()), Representation::Columns);
        assert_ne!(plan.representation(scaled.node()), Representation::Stored);
        let results = computation.run(&products, &plan).unwrap();
        let expected: Vec<i64> = (0..n as usize)
            .map(|row| {
                let column = indices[row];
                entries[row] * (column + row as u64) as i64 * (column & 3) as i64 * x[column as usize]
            })
            .collect();
        assert_eq!(results.matrix(out).unwrap().entries(), expected);
        let explanation = computation.explain_on(&products, &plan, Some(&results)).unwrap();
        assert!(explanation.seconds().unwrap() > 0.0);
        assert!(explanation.to_string().contains("weighted: elements 1000000 x 1000000, CSR"), "{explanation}");
    }
}
