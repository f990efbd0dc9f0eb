//! Random programs of generalized products, functions of entries, transposes and sums of lines, by any plan, whole and in blocks, against
//! plain loops.

use manycore::expressions::{Function, Value};
use manycore::semiring::plan::Representation;
use manycore::semiring::{Computation, Matrix, Plan, Products, Reduction, Results, Semiring, SemiringError, Term};
use serde::Serialize;

use super::semiring::lists;
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// Table and columns, at most.
const MOST: usize = 12;

type I = Value<i64>;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    sizes: (usize, usize),
    /// What a step does, how, and the places of its operands among what was made before.
    steps: Vec<[u8; 4]>,
    plan: u64,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let sizes = (random.length(MOST), random.length(MOST));
        let steps = random.within(1, 8);
        Self {
            sizes,
            steps: (0..steps).map(|_| random.word().to_le_bytes()).map(|[a, b, c, d, ..]| [a, b, c, d]).collect(),
            plan: random.word(),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let mut drawn = Drawn { computation: Computation::new(), made: Vec::new() };
        drawn.given(self.sizes, random)?;
        for &step in &self.steps {
            let made = drawn.step(&format!("s{}", drawn.made.len()), step)?;
            drawn.made.extend(made);
        }
        let Drawn { mut computation, made } = drawn;
        // The last one, and another one that others may read.
        let (term, expected) = made[made.len() - 1].clone();
        let (other, others) = made[made.len() / 2].clone();
        let (out, also) = (computation.output("out", term)?, computation.output("also", other)?);
        let products = site.context("semiring", || Ok::<_, SemiringError>(Products::new(&site.device)))?;
        let results = planned(&computation, &products, self.plan, site)?;
        let found = site.result(results.matrix(out)?.entries());
        let also = results.matrix(also)?.entries();
        Ok(Found::equal("loops", &found, &expected.entries).and(Found::equal("loops", &also, &others.entries)))
    }
}

/// Runs by the cheapest plan, by the one that is estimated to be fastest, or by any; whole or in blocks of rows.
pub(super) fn planned(
    computation: &Computation,
    products: &Products,
    drawn: u64,
    site: &Site,
) -> Result<Results, Failure> {
    let (name, plan) = match drawn % 4 {
        0 => ("cheapest", computation.cheapest()?),
        1 => ("fastest", computation.fastest(products)?),
        _ => ("any", any(computation, drawn >> 4)?),
    };
    let in_blocks = drawn & 0b1100 == 0;
    site.note("plan", format!("{name}{}", if in_blocks { ", in blocks" } else { "" }));
    Ok(if in_blocks { computation.run_within(products, &plan, 100)? } else { computation.run(products, &plan)? })
}

/// A plan of representations that are drawn, where a node can have them.
fn any(computation: &Computation, drawn: u64) -> Result<Plan, Failure> {
    let program = computation.program();
    let mut wished = vec![Representation::Stored; program.nodes().len()];
    let mut plan = Plan::new(program, &wished).map_err(Failure::other)?;
    for node in program.nodes() {
        let at = node.index();
        wished[at] = Representation::ALL[(drawn >> (2 * (at % 30)) & 3) as usize];
        match Plan::new(program, &wished) {
            Ok(with) => plan = with,
            Err(_) => wished[at] = Representation::Stored,
        }
    }
    Ok(plan)
}

/// A matrix as its rows.
#[derive(Debug, Clone)]
struct Table {
    rows: usize,
    columns: usize,
    entries: Vec<i64>,
}

impl Table {
    fn new(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> i64) -> Self {
        let entries = (0..rows * columns).map(|at| entry(at / columns, at % columns)).collect();
        Self { rows, columns, entries }
    }

    fn at(&self, row: usize, column: usize) -> i64 {
        self.entries[row * self.columns + column]
    }
}

type Made = (Term<i64>, Table);

/// A product or a sum of integers.
type Binary = fn(i64, i64) -> i64;

/// A semiring with its product and its sum.
type Ring = (Semiring<i64, i64, i64>, [Binary; 2]);

struct Drawn {
    computation: Computation,
    made: Vec<Made>,
}

/// A semiring, and its product and sum as functions of integers.
fn semiring(how: u8) -> Result<Ring, SemiringError> {
    Ok(match how % 4 {
        0 => (Semiring::wrapping_plus_times()?, [i64::wrapping_mul, i64::wrapping_add]),
        1 => {
            let plus = |a: i64, b: i64| {
                let infinite = a == i64::MAX || b == i64::MAX;
                if infinite { i64::MAX } else { a.saturating_add(b) }
            };
            (Semiring::min_plus_saturating()?, [plus, i64::min])
        }
        2 => (Semiring::max_min()?, [i64::min, i64::max]),
        // The first of both that is not zero: associative, not commutative.
        _ => {
            let sum = Function::new(|(a, b): (I, I)| a.equals(0).select(b, a))?;
            let product = Function::new(|(a, b): (I, I)| a * b)?;
            (Semiring::new(product, sum, 0)?, [i64::wrapping_mul, |a, b| if a == 0 { b } else { a }])
        }
    })
}

impl Drawn {
    /// Matrices that are stored, lists of rows, and functions of places.
    fn given(&mut self, (n, m): (usize, usize), random: &mut Random) -> Result<(), SemiringError> {
        for (number, (rows, columns)) in [(n, m), (m, n), (n, n)].into_iter().enumerate() {
            let entries = Table::new(rows, columns, |_, _| match random.below(8) {
                0..3 => 0,
                3 => random.word() as i64,
                _ => random.below(19) as i64 - 9,
            });
            let matrix = if random.once_in(3) {
                lists(rows, columns, &entries.entries, 0)?
            } else {
                Matrix::stored(rows as u64, columns as u64, &entries.entries)?
            };
            self.made.push((self.computation.matrix(&format!("m{number}"), matrix), entries));
        }
        let f = Function::new(|(x, y): (Value<u64>, Value<u64>)| (x * 3 + y * 5).to::<i64>() - 7)?;
        let matrix = self.computation.matrix("m3", Matrix::function(n as u64, m as u64, f));
        self.made.push((matrix, Table::new(n, m, |row, column| (column * 3 + row * 5) as i64 - 7)));
        Ok(())
    }

    /// The first from a place on that suits.
    fn fitting(&self, at: u8, fits: impl Fn(&Table) -> bool) -> Option<Made> {
        let all = (0..self.made.len()).map(|more| &self.made[(usize::from(at) + more) % self.made.len()]);
        all.into_iter().find(|(_, rows)| fits(rows)).cloned()
    }

    fn step(&mut self, name: &str, [what, how, a, b]: [u8; 4]) -> Result<Option<Made>, SemiringError> {
        let (left, x) = self.made[usize::from(a) % self.made.len()].clone();
        let computation = &mut self.computation;
        Ok(Some(match what % 8 {
            0..3 => {
                let Some((right, y)) = self.fitting(b, |y| y.rows == x.columns) else { return Ok(None) };
                let (semiring, [product, sum]) = semiring(how)?;
                let entries = Table::new(x.rows, y.columns, |row, column| {
                    let terms = (0..x.columns).map(|i| product(x.at(row, i), y.at(i, column)));
                    terms.fold(semiring.zero(), sum)
                });
                (self.computation.product(name, &semiring, left, right)?, entries)
            }
            3 => {
                let f: fn(i64) -> i64 = match how % 3 {
                    0 => |_| 7,
                    1 => |a| a.wrapping_mul(3).wrapping_add(1),
                    _ => |a| a.min(5),
                };
                let function = Function::<i64, i64>::new(|a: I| match how % 3 {
                    0 => I::from(7),
                    1 => a * 3 + 1,
                    _ => a.min(5),
                })?;
                let entries = Table::new(x.rows, x.columns, |row, column| f(x.at(row, column)));
                (computation.map(name, &function, left)?, entries)
            }
            4 => {
                let function =
                    Function::<((u64, u64), i64), i64>::new(|((x, y), a): ((Value<u64>, Value<u64>), I)| {
                        a ^ (x * 2 + y).to::<i64>()
                    })?;
                let entries =
                    Table::new(x.rows, x.columns, |row, column| x.at(row, column) ^ (column * 2 + row) as i64);
                (computation.map_at(name, &function, left)?, entries)
            }
            5 => {
                let fits = |y: &Table| (y.rows, y.columns) == (x.rows, x.columns);
                let Some((right, y)) = self.fitting(b, fits) else { return Ok(None) };
                let function = Function::<(i64, i64), i64>::new(|(a, b): (I, I)| match how % 3 {
                    0 => b,
                    1 => a - b,
                    _ => a.max(b) & b,
                })?;
                let entries = Table::new(x.rows, x.columns, |row, column| {
                    let (a, b) = (x.at(row, column), y.at(row, column));
                    match how % 3 {
                        0 => b,
                        1 => a.wrapping_sub(b),
                        _ => a.max(b) & b,
                    }
                });
                (self.computation.zip(name, &function, left, right)?, entries)
            }
            6 => {
                let entries = Table::new(x.columns, x.rows, |row, column| x.at(column, row));
                (computation.transpose(name, left)?, entries)
            }
            _ => {
                let is_sum = how.is_multiple_of(2);
                let reduction = if is_sum { Reduction::wrapping_plus() } else { Reduction::max() }?;
                let (zero, add) =
                    if is_sum { (0, i64::wrapping_add as fn(_, _) -> _) } else { (i64::MIN, i64::max as _) };
                if how % 4 < 2 {
                    let entries = Table::new(x.rows, 1, |row, _| (0..x.columns).map(|i| x.at(row, i)).fold(zero, add));
                    (computation.reduce_rows(name, &reduction, left)?, entries)
                } else {
                    let entries =
                        Table::new(1, x.columns, |_, column| (0..x.rows).map(|i| x.at(i, column)).fold(zero, add));
                    (computation.reduce_columns(name, &reduction, left)?, entries)
                }
            }
        }))
    }
}
