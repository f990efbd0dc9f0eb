//! Ranges of the entries of a program's matrices (interval arithmetic): words are exact where nothing overflows.

use std::marker::PhantomData;

use super::expression::{Comparison, Expression, Function};
use super::numbers::Numeric;
use super::text::{Fold, Lines, Statement, What};
use crate::checked::Checked;
use crate::checked::bounds::EntryRange;
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::operations::exact::Domain;
use crate::operations::kind::{Kind, checked};
use crate::plan::Shape;

/// The shape of a statement's matrix, and where its entries lie; `None` where something may pass its type, or where infinities meet
/// operations that words have not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) shape: Shape,
    pub(crate) range: Option<EntryRange>,
}

/// Of each statement.
pub(crate) fn of<T: Numeric + Checked>(
    statements: &[Statement],
    matrices: &[Matrix<T>],
    domain: &Domain,
) -> Result<Vec<Known>, SemiringError> {
    let mut all: Vec<Known> = Vec::new();
    let mut matrices = matrices.iter();
    for Statement { what, .. } in statements {
        let both = |a: Known, b: Known| a.range.zip(b.range);
        let value = |expression: &Expression, shape, a, b| {
            Bounds::<T> { domain, a, b, shape, word: PhantomData }.of(expression)
        };
        all.push(match what {
            What::Matrix(_) => {
                matrices.next().map_or(Known { shape: Shape { rows: 0, columns: 0 }, range: None }, |matrix| Known {
                    shape: matrix.shape(),
                    range: matrix.range(),
                })
            }
            What::Function([rows, columns], expression) => {
                let shape = Shape { rows: *rows, columns: *columns };
                Known { shape, range: value(expression, shape, None, None) }
            }
            What::Product(kind, a, b) => {
                let (a, b) = (all[*a], all[*b]);
                let range =
                    both(a, b).map(|ranges| product::<T>(domain, *kind, ranges, a.shape.columns)).transpose()?;
                let shape = Shape { rows: a.shape.rows, columns: b.shape.columns };
                Known { shape, range: range.flatten() }
            }
            What::Map(operands, expression) => {
                let (a, b) = (all[operands[0]], all[operands[operands.len() - 1]]);
                let range = both(a, b).and_then(|(x, y)| value(expression, a.shape, Some(x), Some(y)));
                Known { shape: a.shape, range }
            }
            What::Transpose(a) => {
                let Known { shape, range } = all[*a];
                Known { shape: Shape { rows: shape.columns, columns: shape.rows }, range }
            }
            What::Reduce(fold, lines, a) => {
                let Known { shape, range } = all[*a];
                let (terms, shape) = match lines {
                    Lines::Rows => (shape.columns, Shape { rows: shape.rows, columns: 1 }),
                    Lines::Columns => (shape.rows, Shape { rows: 1, columns: shape.columns }),
                };
                let (kind, one) = match fold {
                    Fold::Sum => (Kind::PlusTimes, EntryRange::new::<T>(1, 1, false)),
                    Fold::Max => (Kind::MaxMin, Some(EntryRange::EMPTY)),
                    Fold::Min => (Kind::MinMax, Some(EntryRange::EMPTY)),
                };
                let range = range.zip(one).map(|ranges| product::<T>(domain, kind, ranges, terms)).transpose()?;
                Known { shape, range: range.flatten() }
            }
            What::Output(a) => all[*a],
        });
    }
    Ok(all)
}

fn has_end(range: EntryRange) -> bool {
    range.has_least || range.has_greatest
}

fn product<T: Numeric + Checked>(
    domain: &Domain,
    kind: Kind,
    (a, b): (EntryRange, EntryRange),
    terms: u64,
) -> Result<Option<EntryRange>, SemiringError> {
    let made = checked::<T>(kind)?.product_range(a, b, terms);
    // Infinities are no factors, and no results, of integers.
    let is_of_integers = domain.is_infinite && matches!(kind, Kind::PlusTimes | Kind::MaxTimes | Kind::OrAnd);
    Ok(made.filter(|&made| !is_of_integers || !(has_end(a) || has_end(b) || has_end(made))))
}

/// Ranges of the entries of operands.
#[derive(Clone, Copy)]
struct Bounds<'a, T> {
    domain: &'a Domain,
    a: Option<EntryRange>,
    b: Option<EntryRange>,
    shape: Shape,
    word: PhantomData<T>,
}

const BELOW: EntryRange = EntryRange { has_least: true, ..EntryRange::EMPTY };
const ABOVE: EntryRange = EntryRange { has_greatest: true, ..EntryRange::EMPTY };

impl<T: Numeric + Checked> Bounds<'_, T> {
    /// The range of a function; `None` where a part that is chosen may pass the type, or be undefined.
    fn of(&self, expression: &Expression) -> Option<EntryRange> {
        match expression {
            Expression::Number(text) if text == "inf" => Some(ABOVE),
            Expression::Number(text) => {
                let number = i128::from(text.parse::<i64>().ok()?);
                self.between(number, number)
            }
            Expression::Variable(name) => {
                let place = |count: u64| self.between(0, i128::from(count.saturating_sub(1)));
                match name {
                    'a' => self.a,
                    'b' => self.b,
                    'x' => place(self.shape.columns),
                    _ => place(self.shape.rows),
                }
            }
            Expression::Negative(a) => self.difference(self.between(0, 0)?, self.of(a)?),
            Expression::Binary(operator, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                match operator {
                    '+' => self.sum(a, b),
                    '-' => self.difference(a, b),
                    '*' => self.product(a, b),
                    _ => None,
                }
            }
            Expression::Call(Function::Abs, all) => {
                let a = self.of(all.first()?)?;
                self.difference(self.between(0, 0)?, a).map(|negative| a.and(negative))
            }
            Expression::Call(_, all) => all.iter().try_fold(EntryRange::EMPTY, |range, a| Some(range.and(self.of(a)?))),
            Expression::If(comparison, all) => {
                let [a, b, yes, no] = &**all;
                // What is compared must be right, too.
                let (of_a, of_b) = (self.of(a)?, self.of(b)?);
                let (mut where_yes, mut where_no) = (*self, *self);
                for (variable, with) in [(a, of_b), (b, of_a)] {
                    let Expression::Variable(name @ ('a' | 'b')) = variable else { continue };
                    if let Some((if_equal, if_not)) = self.told_apart(*name, with) {
                        match comparison {
                            Comparison::Equal => (where_yes, where_no) = (if_equal, if_not),
                            Comparison::Different => (where_yes, where_no) = (if_not, if_equal),
                            Comparison::Less | Comparison::LessOrEqual => {}
                        }
                    }
                }
                Some(where_yes.of(yes)?.and(where_no.of(no)?))
            }
        }
    }

    /// Where a variable is an infinity, and where it is not.
    fn told_apart(&self, name: char, with: EntryRange) -> Option<(Self, Self)> {
        let of = |range: EntryRange| {
            let mut bounds = *self;
            *(if name == 'a' { &mut bounds.a } else { &mut bounds.b }) = Some(range);
            bounds
        };
        let range = if name == 'a' { self.a } else { self.b }?;
        match with {
            ABOVE => Some((of(ABOVE), of(EntryRange { has_greatest: false, ..range }))),
            BELOW => Some((of(BELOW), of(EntryRange { has_least: false, ..range }))),
            _ => None,
        }
    }

    /// Integers between bounds, where the type holds them.
    fn between(&self, least: i128, greatest: i128) -> Option<EntryRange> {
        EntryRange::new::<T>(least, greatest, self.domain.is_infinite)
    }

    /// The finite entries, and those that are infinite.
    fn parts(&self, range: EntryRange) -> (Option<(i128, i128)>, bool, bool) {
        if self.domain.is_infinite {
            (range.between, range.has_least, range.has_greatest)
        } else {
            (range.bounds::<T>(), false, false)
        }
    }

    /// Integers between bounds where there are some, and infinities.
    fn with(&self, between: Option<(i128, i128)>, below: bool, above: bool) -> Option<EntryRange> {
        let finite = between.map_or(Some(EntryRange::EMPTY), |(least, greatest)| self.between(least, greatest))?;
        Some(EntryRange { has_least: finite.has_least || below, has_greatest: finite.has_greatest || above, ..finite })
    }

    fn sum(&self, a: EntryRange, b: EntryRange) -> Option<EntryRange> {
        let ((of_a, a_below, a_above), (of_b, b_below, b_above)) = (self.parts(a), self.parts(b));
        if (a_below && b_above) || (a_above && b_below) {
            return None;
        }
        let between = of_a.zip(of_b).map(|(a, b)| (a.0 + b.0, a.1 + b.1));
        self.with(between, a_below || b_below, a_above || b_above)
    }

    fn difference(&self, a: EntryRange, b: EntryRange) -> Option<EntryRange> {
        let ((of_a, a_below, a_above), (of_b, b_below, b_above)) = (self.parts(a), self.parts(b));
        if (a_below && b_below) || (a_above && b_above) {
            return None;
        }
        let between = of_a.zip(of_b).map(|(a, b)| (a.0 - b.1, a.1 - b.0));
        self.with(between, a_below || b_above, a_above || b_below)
    }

    fn product(&self, a: EntryRange, b: EntryRange) -> Option<EntryRange> {
        let ((of_a, a_below, a_above), (of_b, b_below, b_above)) = (self.parts(a), self.parts(b));
        let has_zero = |of: Option<(i128, i128)>| of.is_some_and(|(least, greatest)| least <= 0 && 0 <= greatest);
        let (a_infinite, b_infinite) = (a_below || a_above, b_below || b_above);
        if (a_infinite && has_zero(of_b)) || (b_infinite && has_zero(of_a)) {
            return None;
        }
        let between = of_a.zip(of_b).map(|(a, b)| {
            let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            (corners.into_iter().fold(i128::MAX, i128::min), corners.into_iter().fold(i128::MIN, i128::max))
        });
        let is_infinite = a_infinite || b_infinite;
        self.with(between, is_infinite, is_infinite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str, a: EntryRange, b: EntryRange, is_infinite: bool) -> Option<EntryRange> {
        let domain = Domain { ends: (i64::MIN.into(), i64::MAX.into()), is_infinite, wraps: false };
        let shape = Shape { rows: 3, columns: 4 };
        let bounds = Bounds::<i64> { domain: &domain, a: Some(a), b: Some(b), shape, word: PhantomData };
        bounds.of(&Expression::parse(text, "abxy").unwrap())
    }

    fn between(least: i128, greatest: i128) -> EntryRange {
        EntryRange { between: Some((least, greatest)), ..EntryRange::EMPTY }
    }

    #[test]
    fn ranges_of_functions() {
        let (a, b) = (between(-3, 5), between(2, 4));
        for (text, expected) in [
            ("a + b", (-1, 9)),
            ("a - b", (-7, 3)),
            ("a * b", (-12, 20)),
            ("-a", (-5, 3)),
            ("abs(a)", (-5, 5)),
            ("min(a, b, 7)", (-3, 7)),
            ("x + 10 * y", (0, 23)),
            ("if(a < b, a, 9)", (-3, 9)),
        ] {
            assert_eq!(range(text, a, b, false), Some(between(expected.0, expected.1)), "{text}");
            assert_eq!(range(text, a, b, true), Some(between(expected.0, expected.1)), "{text}");
        }
        let large = between(0, 1 << 62);
        assert_eq!(range("a + a", large, b, false), None);
        assert_eq!(range("if(a + a > 0, 1, 2)", large, b, false), None);
        // An end of the type is a number where there are no infinities.
        let end = EntryRange { has_greatest: true, ..EntryRange::EMPTY };
        assert_eq!(range("a - 1", end, b, false), Some(between(i128::from(i64::MAX) - 1, i128::from(i64::MAX) - 1)));
        assert_eq!(range("a + 1", end, b, false), None);
    }

    #[test]
    fn infinities_are_told_apart() {
        let (a, b) =
            (EntryRange { has_greatest: true, ..between(1, 5) }, EntryRange { has_greatest: true, ..between(0, 5) });
        assert_eq!(range("a - b", a, b, true), None);
        let saved = EntryRange { has_least: true, ..between(-4, 5) };
        assert_eq!(range("if(a == inf, 0, a - b)", a, b, true), Some(saved));
        assert_eq!(range("if(inf != a, a - b, 0)", a, b, true), Some(saved));
        assert_eq!(range("a * b", a, b, true), None);
        assert_eq!(
            range("a * -2", a, b, true),
            Some(EntryRange { has_least: true, has_greatest: true, ..between(-10, -2) })
        );
        assert_eq!(range("a + 1", a, b, true), Some(EntryRange { has_greatest: true, ..between(2, 6) }));
    }
}
