//! Random programs over all forms of operands against plain loops: matrices that are stored, lists of rows or of columns, functions of
//! places, constants, functions of entries, rearrangements, products in chains, sums of lines, elements of two scalars, and factors that
//! functions make, each on either side and by every choice of representations.

use manycore_device::Device;
use manycore_expressions::{Function, Value};
use manycore_semiring::plan::Shape;
use manycore_semiring::{Computation, Matrix, Node, Plan, Products, Reduction, Results, Semiring, Term};
use manycore_testkit::devices;
use proptest::prelude::*;

use crate::computations::{kept, plan};

type I = Value<i64>;
type U = Value<u64>;
type Pair = (i64, i64);
type At = (U, U);

/// A matrix as its rows, also without any.
#[derive(Debug, Clone, PartialEq)]
struct Rows<T> {
    height: usize,
    columns: usize,
    entries: Vec<T>,
}

impl<T: Copy> Rows<T> {
    fn new(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let entries = (0..rows * columns).map(|at| entry(at / columns, at % columns)).collect();
        Self { height: rows, columns, entries }
    }

    fn at(&self, row: usize, column: usize) -> T {
        self.entries[row * self.columns + column]
    }
}

/// What products read.
#[derive(Debug, Clone)]
enum Made {
    One(Term<i64>, Rows<i64>),
    Two(Term<Pair>, Rows<Pair>),
}

struct Drawn {
    computation: Computation,
    made: Vec<Made>,
    ones: Vec<(Term<i64>, Rows<i64>)>,
    twos: Vec<(Term<Pair>, Rows<Pair>)>,
}

fn mixed(seed: u64, i: u64) -> u64 {
    (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95)
}

fn semiring(which: u8) -> Semiring<i64, i64, i64> {
    match which % 3 {
        0 => Semiring::wrapping_plus_times().unwrap(),
        1 => Semiring::min_plus_saturating().unwrap(),
        // The first of both that is not zero: associative, not commutative.
        _ => {
            let sum = Function::new(|(a, b): (I, I)| a.equals(0).select(b, a)).unwrap();
            Semiring::new(Function::new(|(a, b): (I, I)| a * b).unwrap(), sum, 0).unwrap()
        }
    }
}

/// Pairs by numbers, scalar by scalar.
fn pairs() -> Semiring<Pair, i64, Pair> {
    let product = Function::new(|((a, b), c): ((I, I), I)| (a * c, b * c)).unwrap();
    let sum = Function::new(|((a, b), (c, d)): ((I, I), (I, I))| (a + c, b.max(d))).unwrap();
    Semiring::new(product, sum, (0, i64::MIN)).unwrap()
}

impl Drawn {
    fn new(steps: &[[u8; 4]], (n, m): (usize, usize), seed: u64) -> Self {
        let mut drawn = Self { computation: Computation::new(), made: Vec::new(), ones: Vec::new(), twos: Vec::new() };
        for matrix in 0..3u64 {
            let (rows, columns) = [(n, m), (m, n), (n, n)][matrix as usize];
            let how = (seed >> (8 * matrix)) as u8;
            let all = Rows::new(rows, columns, |row, column| {
                let x = mixed(seed, (row * 64 + column) as u64 + matrix * 4096);
                if x.is_multiple_of(3) { 0 } else { (x >> 40) as i64 % 19 - 9 }
            });
            let lines: Vec<Vec<i64>> =
                (0..rows).map(|row| all.entries[row * columns..(row + 1) * columns].to_vec()).collect();
            // Lists of nothing have no width to be told by.
            let matrix_of = if rows > 0 && columns > 0 {
                kept(&lines, how)
            } else {
                Matrix::stored(rows as u64, columns as u64, &all.entries).unwrap()
            };
            let term = drawn.computation.matrix(&format!("m{matrix}"), matrix_of);
            drawn.made.push(Made::One(term, all));
        }
        for &step in steps {
            drawn.step(step);
        }
        for at in [drawn.made.len() - 1, drawn.made.len() / 2] {
            match drawn.made[at].clone() {
                Made::One(term, rows) => {
                    let term = drawn.computation.output(&format!("out{at}"), term).unwrap();
                    drawn.ones.push((term, rows));
                }
                Made::Two(term, rows) => {
                    let term = drawn.computation.output(&format!("out{at}"), term).unwrap();
                    drawn.twos.push((term, rows));
                }
            }
        }
        drawn
    }

    fn one(&self, at: u8) -> (Term<i64>, Rows<i64>) {
        let ones: Vec<_> = self.made.iter().filter(|made| matches!(made, Made::One(..))).collect();
        match ones[usize::from(at) % ones.len()] {
            Made::One(term, rows) => (*term, rows.clone()),
            Made::Two(..) => unreachable!("filtered"),
        }
    }

    fn two(&self, at: u8) -> Option<(Term<Pair>, Rows<Pair>)> {
        let twos: Vec<_> = self
            .made
            .iter()
            .filter_map(|made| if let Made::Two(term, rows) = made { Some((*term, rows.clone())) } else { None })
            .collect();
        (!twos.is_empty()).then(|| twos[usize::from(at) % twos.len()].clone())
    }

    /// One whose shape is told by `fits`, the nearest behind `at`.
    fn fitting(&self, at: u8, fits: impl Fn(&Rows<i64>) -> bool) -> Option<(Term<i64>, Rows<i64>)> {
        (0..self.made.len() as u8).map(|more| self.one(at.wrapping_add(more))).find(|(_, rows)| fits(rows))
    }

    fn step(&mut self, [what, how, a, b]: [u8; 4]) {
        let name = format!("s{}", self.made.len());
        let what = what % 12;
        let made = match what {
            0..3 => self.product(&name, [what, how, a, b]),
            3..9 => self.function(&name, [what, how, a, b]),
            9 | 10 => Some(self.rearranged(&name, [what, how, a, b])),
            _ => {
                let (left, x) = self.one(a);
                return self.factor(&name, how, (left, &x), b);
            }
        };
        self.made.extend(made);
    }

    /// Products of numbers and of pairs.
    fn product(&mut self, name: &str, [what, how, a, b]: [u8; 4]) -> Option<Made> {
        let (left, x) = self.one(a);
        Some(match what {
            0 | 1 => {
                let (right, y) = self.fitting(b, |y| y.height == x.columns)?;
                // Products with a missing 0 are not zero in min-plus, which reads all entries.
                let semiring = semiring(how);
                let rows = Rows::new(x.height, y.columns, |row, column| {
                    (0..x.columns)
                        .fold(semiring.zero(), |sum, i| semiring.step().call((sum, x.at(row, i), y.at(i, column))))
                });
                Made::One(self.computation.product(name, &semiring, left, right).unwrap(), rows)
            }
            _ => {
                let (left, x) = self.two(a)?;
                let (right, y) = self.fitting(b, |y| y.height == x.columns)?;
                let semiring = pairs();
                let rows = Rows::new(x.height, y.columns, |row, column| {
                    (0..x.columns)
                        .fold(semiring.zero(), |sum, i| semiring.step().call((sum, x.at(row, i), y.at(i, column))))
                });
                Made::Two(self.computation.product(name, &semiring, left, right).unwrap(), rows)
            }
        })
    }

    /// Functions of entries and of places.
    fn function(&mut self, name: &str, [what, how, a, b]: [u8; 4]) -> Option<Made> {
        let (left, x) = self.one(a);
        Some(match what {
            3 | 4 => {
                let f = Function::<i64, i64>::new(|x: I| match how % 4 {
                    0 => I::from(7),
                    1 => I::from(0),
                    2 => x * 3 + 1,
                    _ => x,
                })
                .unwrap();
                let rows = Rows::new(x.height, x.columns, |row, column| f.call(x.at(row, column)));
                Made::One(self.computation.map(name, &f, left).unwrap(), rows)
            }
            5 => {
                let f = Function::<(Pair64, i64), i64>::new(|((x, y), a): (At, I)| match how % 4 {
                    0 => x.to::<i64>() * 2 - y.to::<i64>(),
                    1 => y.to::<i64>(),
                    2 => I::from(-3),
                    _ => a ^ (x * 2 + y).to::<i64>(),
                })
                .unwrap();
                let rows = Rows::new(x.height, x.columns, |row, column| {
                    f.call(((column as u64, row as u64), x.at(row, column)))
                });
                Made::One(self.computation.map_at(name, &f, left).unwrap(), rows)
            }
            6 => {
                let (right, y) = self.fitting(b, |y| (y.height, y.columns) == (x.height, x.columns))?;
                let f = Function::<Pair, i64>::new(|(a, b): (I, I)| match how % 5 {
                    0 => a,
                    1 => b,
                    2 => I::from(2),
                    3 => a * b,
                    _ => a - b.min(5),
                })
                .unwrap();
                let rows = Rows::new(x.height, x.columns, |row, column| f.call((x.at(row, column), y.at(row, column))));
                Made::One(self.computation.zip(name, &f, left, right).unwrap(), rows)
            }
            7 => {
                let (right, y) = self.fitting(b, |y| (y.height, y.columns) == (x.height, x.columns))?;
                let f = Function::<Pair, Pair>::new(|(a, b): (I, I)| match how % 4 {
                    0 => (b, I::from(1)),
                    1 => (I::from(4), I::from(0)),
                    2 => (a, a),
                    _ => (a + b, b),
                })
                .unwrap();
                let rows = Rows::new(x.height, x.columns, |row, column| f.call((x.at(row, column), y.at(row, column))));
                Made::Two(self.computation.zip(name, &f, left, right).unwrap(), rows)
            }
            _ => {
                if let Some((two, y)) = self.two(b) {
                    let f = Function::<Pair, i64>::new(|(a, b): (I, I)| match how % 4 {
                        0 => a,
                        1 => b,
                        2 => I::from(1),
                        _ => a + b,
                    })
                    .unwrap();
                    let rows = Rows::new(y.height, y.columns, |row, column| f.call(y.at(row, column)));
                    Made::One(self.computation.map(name, &f, two).unwrap(), rows)
                } else {
                    let f = Function::<(u64, u64), i64>::new(|(x, y): At| match how % 3 {
                        0 => I::from(7),
                        1 => x.to::<i64>(),
                        _ => (x * 3 + y * 5).to::<i64>() - 7,
                    })
                    .unwrap();
                    let rows = Rows::new(x.height, x.columns, |row, column| f.call((column as u64, row as u64)));
                    let matrix = Matrix::function(x.height as u64, x.columns as u64, f);
                    Made::One(self.computation.matrix(name, matrix), rows)
                }
            }
        })
    }

    /// Transposes and sums of lines.
    fn rearranged(&mut self, name: &str, [what, how, a, b]: [u8; 4]) -> Made {
        let (left, x) = self.one(a);
        if what == 9 {
            return if let (0, Some((two, y))) = (how % 2, self.two(b)) {
                let rows = Rows::new(y.columns, y.height, |row, column| y.at(column, row));
                Made::Two(self.computation.transpose(name, two).unwrap(), rows)
            } else {
                let rows = Rows::new(x.columns, x.height, |row, column| x.at(column, row));
                Made::One(self.computation.transpose(name, left).unwrap(), rows)
            };
        }
        let sum = if how.is_multiple_of(2) { Reduction::wrapping_plus() } else { Reduction::max() }.unwrap();
        let (start, add) = (sum.zero(), |a: i64, b: i64| sum.sum().call((a, b)));
        if how % 4 < 2 {
            let rows = Rows::new(x.height, 1, |row, _| (0..x.columns).fold(start, |sum, i| add(sum, x.at(row, i))));
            Made::One(self.computation.reduce_rows(name, &sum, left).unwrap(), rows)
        } else {
            let rows =
                Rows::new(1, x.columns, |_, column| (0..x.height).fold(start, |sum, i| add(sum, x.at(i, column))));
            Made::One(self.computation.reduce_columns(name, &sum, left).unwrap(), rows)
        }
    }

    /// A product with a factor that functions make of the places, or of the entries of another matrix.
    fn factor(&mut self, name: &str, how: u8, (term, x): (Term<i64>, &Rows<i64>), b: u8) {
        let plus_times = semiring(0);
        let is_left = how.is_multiple_of(2);
        let inner = if is_left { x.height } else { x.columns };
        let wide = usize::from(how / 8 % 4);
        let shape = if is_left { (wide, inner) } else { (inner, wide) };
        let (read, table) = self.one(b);
        let has_table = (how / 2).is_multiple_of(2) && !table.entries.is_empty();
        let reads: Vec<Node> = if has_table { vec![read.node()] } else { Vec::new() };
        let len = table.entries.len() as u64;
        let product_shape = if is_left { (wide, x.columns) } else { (x.height, wide) };
        let of = |u: usize, v: usize| (u as i64) * 3 + v as i64;
        let size = Shape { rows: shape.0 as u64, columns: shape.1 as u64 };
        let entry: Box<dyn Fn(usize, usize, usize, usize) -> i64>;
        let factor = if (how / 4).is_multiple_of(2) {
            let f = Function::<((u64, u64), (u64, u64)), i64>::new(|((x, y), (u, v)): (At, At)| {
                let place = x.to::<i64>() - y.to::<i64>() + u.to::<i64>() * 3 + v.to::<i64>();
                if has_table { place + ((x + y) % len).read::<i64>(0) } else { place }
            })
            .unwrap();
            let table = table.entries.clone();
            entry = Box::new(move |row, column, u, v| {
                let place = column as i64 - row as i64 + of(u, v);
                if has_table { place.wrapping_add(table[(row + column) % table.len()]) } else { place }
            });
            self.computation.function_matrix(&format!("{name}f"), size, &f, &reads).unwrap()
        } else {
            // One entry in each line, at a place within it.
            let count = Function::<u64, u64>::new(|_: U| U::from(u64::from(inner > 0))).unwrap();
            let most = inner.max(1) as u64;
            let index = Function::<(u64, u64), u64>::new(|(line, _): At| (line * 5 + 1) % most).unwrap();
            let value = Function::<(u64, u64), i64>::new(|(line, _): At| {
                let value = line.to::<i64>() + 2;
                if has_table { value + (line % len).read::<i64>(0) } else { value }
            })
            .unwrap();
            let table = table.entries.clone();
            entry = Box::new(move |row, column, _, _| {
                let (line, at) = if is_left { (row, column) } else { (column, row) };
                let value = (line as i64 + 2).wrapping_add(if has_table { table[line % table.len()] } else { 0 });
                if at as u64 == (line as u64 * 5 + 1) % most { value } else { 0 }
            });
            let (lists, name) = ((count, index, value), format!("{name}f"));
            if is_left {
                self.computation.lists_by_rows(&name, size, lists, 0, &reads).unwrap()
            } else {
                self.computation.lists_by_columns(&name, size, lists, 0, &reads).unwrap()
            }
        };
        let rows = Rows::new(product_shape.0, product_shape.1, |u, v| {
            (0..inner).fold(0i64, |sum, i| {
                let (a, b) = if is_left { (entry(u, i, u, v), x.at(i, v)) } else { (x.at(u, i), entry(i, v, u, v)) };
                sum.wrapping_add(a.wrapping_mul(b))
            })
        });
        let product = if is_left {
            self.computation.product(name, &plus_times, factor, term)
        } else {
            self.computation.product(name, &plus_times, term, factor)
        };
        self.made.push(Made::One(product.unwrap(), rows));
    }

    fn check(&self, results: &Results, what: &str) -> Result<(), TestCaseError> {
        for (term, rows) in &self.ones {
            prop_assert_eq!(
                results.matrix(*term).unwrap().entries(),
                &rows.entries[..],
                "{} {:?}",
                what,
                self.computation
            );
        }
        for (term, rows) in &self.twos {
            prop_assert_eq!(
                results.matrix(*term).unwrap().entries(),
                &rows.entries[..],
                "{} {:?}",
                what,
                self.computation
            );
        }
        Ok(())
    }

    fn every_way(&self, products: &Products, code: u64) -> Result<(), TestCaseError> {
        let fastest = self.computation.fastest(products).unwrap();
        let plans =
            [plan(&self.computation, code), plan(&self.computation, 0), self.computation.cheapest().unwrap(), fastest];
        for (which, plan) in plans.iter().enumerate() {
            let run = self.computation.run(products, plan);
            prop_assert!(run.is_ok(), "plan {}: {:?} {:?}", which, run, self.computation);
            self.check(&run.unwrap(), "whole")?;
            let blocks = self.computation.run_within(products, plan, 100).unwrap();
            self.check(&blocks, "in blocks")?;
        }
        Ok(())
    }
}

/// Column and row.
type Pair64 = (u64, u64);

fn cases(usually: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usually);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn every_form_gives_what_plain_loops_give_on_the_host(
        steps in prop::collection::vec(any::<[u8; 4]>(), 1..7),
        sizes in (0usize..5, 0usize..5),
        seed: u64,
        code: u64,
    ) {
        let drawn = Drawn::new(&steps, sizes, seed);
        drawn.every_way(&Products::new(&Device::host_with(1).unwrap()), code)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300).cases / 100, ..cases(0) })]

    #[test]
    fn every_form_gives_what_plain_loops_give_on_every_device(
        steps in prop::collection::vec(any::<[u8; 4]>(), 1..7),
        sizes in (0usize..5, 0usize..5),
        seed: u64,
        code: u64,
    ) {
        let drawn = Drawn::new(&steps, sizes, seed);
        for device in devices() {
            let plan = plan(&drawn.computation, code);
            let products = Products::new(&device);
            let run = drawn.computation.run(&products, &plan);
            prop_assert!(run.is_ok(), "{:?} {:?}", run, drawn.computation);
            drawn.check(&run.unwrap(), "by a plan that is drawn")?;
        }
    }
}

/// Constants have no table of what they are made of, in products on either side and in chains.
#[test]
fn constants_in_chains() {
    let mut computation = Computation::new();
    let a = computation.matrix("A", Matrix::stored(2, 2, &[1i64, 2, 3, 4]).unwrap());
    let seven = computation.map("V", &Function::<i64, i64>::new(|_: I| I::from(7)).unwrap(), a).unwrap();
    let max_plus = Semiring::<i64, i64, i64>::max_plus_saturating().unwrap();
    let c = computation.product("C", &max_plus, a, seven).unwrap();
    let d = computation.product("D", &max_plus, a, c).unwrap();
    let out = computation.output("out", d).unwrap();
    let columns = Function::<(u64, u64), i64>::new(|(x, _): At| x.to::<i64>()).unwrap();
    let b = computation.matrix("B", Matrix::function(2, 2, columns));
    let e = computation.product("E", &max_plus, b, seven).unwrap();
    let other = computation.output("other", e).unwrap();
    for device in devices() {
        let products = Products::new(&device);
        for code in [0, u64::MAX / 3, 0b01_01_00_01_01_01_01_00] {
            let results = computation.run(&products, &plan(&computation, code)).unwrap();
            assert_eq!(results.matrix(out).unwrap().entries(), [13, 13, 15, 15]);
            assert_eq!(results.matrix(other).unwrap().entries(), [8, 8, 8, 8]);
        }
        let results = computation.run(&products, &computation.fastest(&products).unwrap()).unwrap();
        assert_eq!(results.matrix(out).unwrap().entries(), [13, 13, 15, 15]);
    }
}

/// Long programs: nothing is computed where it is read that would be too long, and no plan takes a stack of its length.
#[test]
fn long_chains() {
    let products = Products::new(&Device::host_with(1).unwrap());
    let more = Function::<i64, i64>::new(|x: I| x * 3 + 1).unwrap();
    let of = |steps: usize, what: &dyn Fn(&mut Computation, Term<i64>) -> Term<i64>| {
        let mut computation = Computation::new();
        let mut term = computation.matrix("A", Matrix::stored(2, 2, &[1i64, 2, 3, 4]).unwrap());
        for _ in 0..steps {
            term = what(&mut computation, term);
        }
        let out = computation.output("out", term).unwrap();
        (computation, out)
    };
    let maps = of(2500, &|computation, term| computation.map("m", &more, term).unwrap());
    let turned = of(2500, &|computation, term| computation.transpose("t", term).unwrap());
    let doubled = Function::<(i64, i64), i64>::new(|(a, b): (I, I)| a + b).unwrap();
    let sums = of(40, &|computation, term| computation.zip("z", &doubled, term, term).unwrap());
    let squares = of(12, &|computation, term| computation.product("p", &semiring(0), term, term).unwrap());
    for (which, (computation, out)) in [maps, turned, sums, squares].iter().enumerate() {
        let run = |plan: &Plan| computation.run(&products, plan).unwrap().matrix(*out).unwrap().entries();
        let stored = run(&plan(computation, 0));
        assert_eq!(run(&plan(computation, u64::MAX / 3)), stored, "functions, {which}");
        assert_eq!(run(&computation.cheapest().unwrap()), stored, "the cheapest, {which}");
        assert_eq!(run(&computation.fastest(&products).unwrap()), stored, "the fastest, {which}");
    }
}
