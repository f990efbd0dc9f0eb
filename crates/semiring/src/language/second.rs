//! Second computation of programs, by plain loops.

use manycore_operation::verify::{CheckError, Outcome, Passed};

use super::building::OutputEntries;
use super::numbers::{At, Numeric};
use super::text::{Lines, Statement, What};
use crate::matrix::Matrix;
use crate::operations::exact::Domain;
use crate::plan::Shape;

/// A matrix as its rows.
type Rows<T> = (Shape, Vec<<T as Numeric>::Second>);

/// Compares every entry of the outputs with what plain loops give.
pub(crate) fn check<T: Numeric>(
    statements: &[Statement],
    matrices: &[Matrix<T>],
    domain: &Domain,
    found: &[OutputEntries<T>],
) -> Outcome {
    let mut all: Vec<Rows<T>> = Vec::new();
    let (mut matrices, mut outputs) = (matrices.iter(), found.iter());
    for statement in statements {
        let made: Rows<T> = match &statement.what {
            What::Matrix(_) => matrices.next().map_or_else(
                || (Shape { rows: 0, columns: 0 }, Vec::new()),
                |matrix| {
                    let entries = matrix.entries().into_iter().map(|entry| T::second(domain, Some(entry)));
                    (matrix.shape(), entries.collect())
                },
            ),
            What::Function([rows, columns], expression) => {
                each((*rows, *columns), |x, y| expression.value(&At::<T> { place: (x, y), ..At::origin(domain) }))
            }
            What::Product(kind, a, b) => {
                let ((left, a), (right, b)) = (&all[*a], &all[*b]);
                each((left.rows, right.columns), |x, y| {
                    let pair = |i: u64| (a[(y * left.columns + i) as usize], b[(i * right.columns + x) as usize]);
                    T::entry(domain, *kind, &mut (0..left.columns).map(pair))
                })
            }
            What::Map(operands, expression) => {
                let (shape, a) = &all[operands[0]];
                let (_, b) = &all[operands[operands.len() - 1]];
                each((shape.rows, shape.columns), |x, y| {
                    let at = (y * shape.columns + x) as usize;
                    expression.value(&At::<T> { domain, a: a[at], b: b[at], place: (x, y) })
                })
            }
            What::Transpose(a) => {
                let (shape, a) = &all[*a];
                each((shape.columns, shape.rows), |x, y| a[(x * shape.columns + y) as usize])
            }
            What::Reduce(fold, lines, a) => {
                let (shape, a) = &all[*a];
                let entry = |x: u64, y: u64| a[(y * shape.columns + x) as usize];
                match lines {
                    Lines::Rows => each((shape.rows, 1), |_, y| {
                        T::fold(domain, *fold, &mut (0..shape.columns).map(|x| entry(x, y)))
                    }),
                    Lines::Columns => each((1, shape.columns), |x, _| {
                        T::fold(domain, *fold, &mut (0..shape.rows).map(|y| entry(x, y)))
                    }),
                }
            }
            What::Output(a) => {
                let run = found.len() - outputs.len();
                let expected = &all[*a].1;
                let made = outputs.next().map(|found| &found.entries[..]).unwrap_or_default();
                if made.len() != expected.len() {
                    return Err(CheckError::Length { found: made.len(), expected: expected.len() });
                }
                for (index, (&found, &expected)) in made.iter().zip(expected).enumerate() {
                    let found = T::second(domain, found);
                    if !T::are_same(found, expected) {
                        return Err(CheckError::Value {
                            run,
                            index,
                            found: T::told(found),
                            expected: T::told(expected),
                        });
                    }
                }
                (Shape { rows: 0, columns: 0 }, Vec::new())
            }
        };
        all.push(made);
    }
    Ok(Passed::by_second_computation("second computation by plain loops"))
}

/// Entries row after row.
fn each<T>((rows, columns): (u64, u64), of: impl Fn(u64, u64) -> T) -> (Shape, Vec<T>) {
    let entries = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))).map(|(x, y)| of(x, y)).collect();
    (Shape { rows, columns }, entries)
}
