//! Exact products of matrices of integers, also of sums past their type, against sums of 128 bits; and programs of such products, whose
//! entries mark overflow.

use manycore::expressions::{Function, Value};
use manycore::semiring::{Checked, CheckedSemiring, Computation, Matrix, Products, SemiringError, Term};
use serde::Serialize;

use super::programs::planned;
use super::semiring::lists;
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// Rows and columns, at most: the second route takes each term alone.
const MOST: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Rule {
    PlusTimes,
    MaxPlus,
    MinPlus,
    MaxTimes,
    MaxMin,
    MinMax,
    OrAnd,
}

const RULES: [Rule; 7] =
    [Rule::PlusTimes, Rule::MaxPlus, Rule::MinPlus, Rule::MaxTimes, Rule::MaxMin, Rule::MinMax, Rule::OrAnd];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Type {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

const TYPES: [Type; 8] = [Type::I8, Type::U8, Type::I16, Type::U16, Type::I32, Type::U32, Type::I64, Type::U64];

/// The form of a call of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    Resident,
    AtOnce,
    OnSet,
    Places,
}

/// What is drawn of a product.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    rule: Rule,
    number: Type,
    rows: usize,
    inner: usize,
    columns: usize,
    /// Bits of the entries of either factor, in sixteenths of those of the type.
    bits: (u32, u32),
    has_ends: bool,
    is_sparse: bool,
    form: Form,
}

/// What is drawn of a program.
#[derive(Debug, Serialize)]
pub(crate) struct Program {
    rule: Rule,
    number: Type,
    order: usize,
    /// Bits of the entries, in sixteenths of those of the type.
    bits: u32,
    has_ends: bool,
    steps: Vec<(u64, u64, u64)>,
    plan: u64,
}

macro_rules! with_type {
    ($type:expr, $name:ident => $body:expr) => {
        with_type!($type, $name => $body, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64)
    };
    ($type:expr, $name:ident => $body:expr, $($variant:ident $word:ty),*) => {
        match $type {
            $(Type::$variant => {
                type $name = $word;
                $body
            })*
        }
    };
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let (rows, inner, columns) = (random.length(MOST), random.length(MOST), random.length(MOST));
        Self {
            rule: random.pick(&RULES),
            number: random.pick(&TYPES),
            rows,
            inner,
            columns,
            bits: (random.within(1, 16) as u32, random.within(1, 16) as u32),
            has_ends: random.once_in(4),
            is_sparse: random.once_in(4),
            form: random.pick(&[Form::Resident, Form::Resident, Form::AtOnce, Form::OnSet, Form::Places]),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_type!(self.number, T => self.of::<T>(random, site))
    }
}

impl super::case::Case for Program {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let mut step = || (random.below(4), random.below(8), random.below(8));
        let steps = (0..5).map(|_| step()).collect::<Vec<_>>();
        Self {
            rule: random.pick(&RULES),
            number: random.pick(&TYPES),
            order: random.length(8),
            bits: random.within(1, 16) as u32,
            has_ends: random.once_in(4),
            steps: steps[..random.within(1, 5) as usize].to_vec(),
            plan: random.word(),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_type!(self.number, T => self.of::<T>(random, site))
    }
}

/// Integers of 8 to 64 bits.
trait Wide: Checked + TryFrom<i128> + Into<i128> {}

impl<T: Checked + TryFrom<i128> + Into<i128>> Wide for T {}

/// Integers near two ranges' ends, ends of the type, 0 and 1.
fn drawn<T: Wide>(random: &mut Random, len: usize, bits: u32, has_ends: bool) -> Vec<T> {
    let (least, greatest): (i128, i128) = (T::LEAST.into(), T::GREATEST.into());
    let all = greatest.ilog2() + 1;
    let most = (greatest >> (all - all * bits / 16)).max(1);
    let mut entries = Vec::with_capacity(len);
    for _ in 0..len {
        let within = i128::from(random.word()) & ((1 << (most.ilog2() + 1)) - 1);
        let entry = match random.below(12) {
            0 if has_ends => least,
            1 if has_ends => greatest,
            2 | 3 => i128::from(random.below(2)),
            4 => most,
            5 => -most,
            6..=8 => -(within.min(most)),
            _ => within.min(most),
        };
        entries.push(T::try_from(entry.clamp(least, greatest)).unwrap_or(T::ZERO));
    }
    entries
}

impl Case {
    fn of<T: Wide>(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let &Self { rows, inner, columns, .. } = self;
        let semiring = semiring::<T>(self.rule)?;
        let a = drawn::<T>(random, rows * inner, self.bits.0, self.has_ends);
        let b = drawn::<T>(random, inner * columns, self.bits.1, self.has_ends);
        let (height, width) = (rows as u64, columns as u64);
        let left = if self.is_sparse && self.rule == Rule::PlusTimes {
            lists(rows, inner, &a, T::ZERO)?
        } else {
            Matrix::stored(height, inner as u64, &a)?
        };
        let right = Matrix::stored(inner as u64, width, &b)?;
        let products = site.context("semiring", || Ok::<_, SemiringError>(Products::new(&site.device)))?;
        let has_places = self.form == Form::Places && !matches!(self.rule, Rule::PlusTimes | Rule::OrAnd);
        let found = match self.form {
            Form::AtOnce => semiring.multiply(&site.device, &left, &right).map(|made| made.entries()),
            Form::OnSet => semiring.multiply_on(&site.device.clone().into(), &left, &right).map(|made| made.entries()),
            Form::Places if has_places && !self.is_sparse => {
                let (x, y) = (products.upload(&left)?, products.upload(&right)?);
                let made = products.multiply_checked_with_places(&semiring, &x, &y);
                made.and_then(|made| made.download())
                    .map(|made| made.entries().into_iter().map(|(entry, _)| entry).collect())
            }
            _ => {
                let (x, y) = (products.upload(&left)?, products.upload(&right)?);
                products.multiply_checked(&semiring, &x, &y).and_then(|made| Ok(made.download()?.entries()))
            }
        };
        let expected: Vec<Option<T>> = (0..rows * columns)
            .map(|at| {
                let (row, column) = (at / columns, at % columns);
                let term = |i: usize| (Some(a[row * inner + i].into()), Some(b[i * columns + column].into()));
                entry::<T>(self.rule, (0..inner).map(term))
            })
            .collect();
        let route = "sums of 128 bits";
        let first = expected.iter().position(Option::is_none);
        let place = first.map(|at| (at as u64 / width + 1, at as u64 % width + 1));
        site.note("past", format!("{place:?}"));
        match (found, place) {
            (Ok(found), None) => {
                let found: Vec<T> = site.result(found);
                Ok(Found::equal(route, &found, &expected.into_iter().flatten().collect::<Vec<_>>()))
            }
            (Ok(_), Some(place)) => {
                Ok(Found::holds(route, false, || format!("the entry at {place:?} passes its type")))
            }
            (Err(SemiringError::Overflow { row, column }), place) => {
                Ok(Found::holds(route, place == Some((row, column)), || {
                    format!("overflow is told at {:?} instead of {place:?}", (row, column))
                }))
            }
            (Err(error), _) => Err(error.into()),
        }
    }
}

fn semiring<T: Checked>(rule: Rule) -> Result<CheckedSemiring<T>, SemiringError> {
    match rule {
        Rule::PlusTimes => CheckedSemiring::plus_times(),
        Rule::MaxPlus => CheckedSemiring::max_plus(),
        Rule::MinPlus => CheckedSemiring::min_plus(),
        Rule::MaxTimes => CheckedSemiring::max_times(),
        Rule::MaxMin => CheckedSemiring::max_min(),
        Rule::MinMax => CheckedSemiring::min_max(),
        Rule::OrAnd => CheckedSemiring::or_and(),
    }
}

/// An integer, or an infinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extended {
    Below,
    Of(i128),
    Above,
}

use Extended::{Above, Below, Of};

/// The sum of terms, exactly; `None` where its type does not hold it, or it is made of a factor that is `None` and that the other one does
/// not make nothing.
fn entry<T: Wide>(rule: Rule, terms: impl Iterator<Item = (Option<i128>, Option<i128>)>) -> Option<T> {
    let (least, greatest): (i128, i128) = (T::LEAST.into(), T::GREATEST.into());
    let (below, above) = match rule {
        Rule::MaxPlus => (true, true),
        Rule::MinPlus => (least < 0, true),
        _ => (false, false),
    };
    let nothing = match rule {
        Rule::PlusTimes | Rule::OrAnd => Some(0),
        Rule::MaxPlus | Rule::MaxMin => Some(least),
        Rule::MinPlus | Rule::MinMax => Some(greatest),
        Rule::MaxTimes => None,
    };
    let extended = |a: i128| match a {
        a if below && a == least => Below,
        a if above && a == greatest => Above,
        a => Of(a),
    };
    // The first infinity absorbs the other one.
    let plus = |a, b, first| match (extended(a), extended(b)) {
        (a, b) if a == first || b == first => first,
        (Of(a), Of(b)) => Of(a + b),
        (Of(_), infinite) | (infinite, _) => infinite,
    };
    let (mut sum, mut is_past) = (None::<Extended>, false);
    // Sums of products in two parts: upper * 2^32 + lower, of a's bits from 32 on and of those below.
    let (mut upper, mut lower) = (0i128, 0i128);
    for (a, b) in terms {
        is_past |= (a.is_none() && (b != nothing || nothing.is_none()))
            || (b.is_none() && (a != nothing || nothing.is_none()));
        let (Some(a), Some(b)) = (a, b) else {
            if let Some(nothing) = nothing {
                let term = extended(nothing);
                sum = Some(match rule {
                    Rule::MinPlus | Rule::MinMax => sum.map_or(term, |sum| sum.min(term)),
                    _ => sum.map_or(term, |sum| sum.max(term)),
                });
            }
            continue;
        };
        upper += (a >> 32) * b;
        lower += (a & 0xffff_ffff) * b;
        let or = |sum| if let Some(Of(sum)) = sum { sum | (a & b) } else { a & b };
        sum = Some(match rule {
            Rule::PlusTimes => Of(0),
            Rule::MaxPlus => sum.map_or(plus(a, b, Below), |sum| sum.max(plus(a, b, Below))),
            Rule::MinPlus => sum.map_or(plus(a, b, Above), |sum| sum.min(plus(a, b, Above))),
            // Products past 128 bits are of types without a sign, and past all others.
            Rule::MaxTimes => sum.unwrap_or(Below).max(Of(a.checked_mul(b).unwrap_or(i128::MAX))),
            Rule::MaxMin => sum.unwrap_or(Below).max(Of(a.min(b))),
            Rule::MinMax => sum.unwrap_or(Above).min(Of(a.max(b))),
            Rule::OrAnd => Of(or(sum)),
        });
    }
    if is_past {
        return None;
    }
    let sum = match (rule, sum) {
        (Rule::PlusTimes, _) => {
            let high = (upper + (lower >> 32)).checked_mul(1 << 32)?;
            Of(high.checked_add(lower & 0xffff_ffff)?)
        }
        (_, Some(sum)) => sum,
        (Rule::OrAnd, None) => Of(0),
        (Rule::MinPlus | Rule::MinMax, None) => Above,
        (_, None) => Below,
    };
    match sum {
        Below => Some(T::LEAST),
        Above => Some(T::GREATEST),
        Of(sum) if (below && sum == least) || (above && sum == greatest) => None,
        Of(sum) => T::try_from(sum).ok(),
    }
}

/// A matrix of a program: rows, columns, and entries, `None` of what passed its type.
type Entries = (usize, usize, Vec<Option<i128>>);

impl Program {
    fn of<T: Wide>(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        type Flagged<T> = Term<(T, bool)>;
        let semiring = semiring::<T>(self.rule)?;
        let mut computation = Computation::new();
        let given = Function::<T, (T, bool)>::new(|a: Value<T>| (a, false.into())).map_err(SemiringError::from)?;
        let mut made: Vec<(Flagged<T>, Entries)> = Vec::new();
        let n = self.order;
        for (number, (rows, columns)) in [(n, n), (n, n + 1), (n + 1, n)].into_iter().enumerate() {
            let entries = drawn::<T>(random, rows * columns, self.bits, self.has_ends);
            let matrix = Matrix::stored(rows as u64, columns as u64, &entries)?;
            let term = computation.matrix(&format!("m{number}"), matrix);
            let term = computation.map(&format!("f{number}"), &given, term)?;
            made.push((term, (rows, columns, entries.into_iter().map(|entry| Some(entry.into())).collect())));
        }
        let of = |terms: &mut dyn Iterator<Item = (Option<i128>, Option<i128>)>| {
            entry::<T>(self.rule, terms).map(Into::into)
        };
        for (number, &(what, a, b)) in self.steps.iter().enumerate() {
            let name = format!("s{number}");
            let (left, (rows, columns, x)) = made[a as usize % made.len()].clone();
            let step: (Flagged<T>, Entries) = match what {
                0 | 1 => {
                    let fitting = (0..made.len()).map(|more| &made[(b as usize + more) % made.len()]);
                    let Some((right, (_, width, y))) = fitting.clone().find(|(_, (rows, ..))| *rows == columns) else {
                        continue;
                    };
                    let product = computation.product_checked(&name, &semiring, left, *right)?;
                    let entries = (0..rows * width).map(|at| {
                        let (row, column) = (at / width, at % width);
                        of(&mut (0..columns).map(|i| (x[row * columns + i], y[i * width + column])))
                    });
                    (product, (rows, *width, entries.collect()))
                }
                2 => {
                    let entries = (0..rows * columns).map(|at| x[at % rows * columns + at / rows]).collect();
                    (computation.transpose(&name, left)?, (columns, rows, entries))
                }
                _ if b % 2 == 0 => {
                    let entries = (0..rows).map(|row| self.summed::<T>(&x[row * columns..(row + 1) * columns]));
                    (computation.reduce_rows_checked(&name, &semiring, left)?, (rows, 1, entries.collect()))
                }
                _ => {
                    let column = |column: usize| (0..rows).map(|row| x[row * columns + column]).collect::<Vec<_>>();
                    let entries = (0..columns).map(|at| self.summed::<T>(&column(at))).collect();
                    (computation.reduce_columns_checked(&name, &semiring, left)?, (1, columns, entries))
                }
            };
            made.push(step);
        }
        let Some((last, (_, _, expected))) = made.pop() else { return Err(Failure::other("a program of nothing")) };
        let out = computation.output("out", last)?;
        let products = site.context("semiring", || Ok::<_, SemiringError>(Products::new(&site.device)))?;
        let results = planned(&computation, &products, self.plan, site)?;
        let entries = results.matrix(out)?.entries();
        site.note("past", entries.iter().filter(|(_, is_past)| *is_past).count());
        // A word of what is past its type says nothing.
        let words = entries.iter().filter(|(_, is_past)| !is_past).map(|&(word, _)| word).collect();
        let mut words = site.result(words).into_iter();
        let found: Vec<Option<i128>> =
            entries.iter().map(|&(_, is_past)| if is_past { None } else { words.next().map(Into::into) }).collect();
        Ok(Found::equal("sums of 128 bits", &found, &expected))
    }

    /// The sum of a line.
    fn summed<T: Wide>(&self, line: &[Option<i128>]) -> Option<i128> {
        if line.iter().any(Option::is_none) {
            return None;
        }
        let entries = line.iter().copied().flatten();
        let (least, greatest): (i128, i128) = (T::LEAST.into(), T::GREATEST.into());
        match self.rule {
            Rule::PlusTimes => Some(entries.sum::<i128>()).filter(|sum| (least..=greatest).contains(sum)),
            Rule::OrAnd => Some(entries.fold(0, |sum, entry| sum | entry)),
            Rule::MinPlus | Rule::MinMax => Some(entries.min().unwrap_or(greatest)),
            _ => Some(entries.max().unwrap_or(least)),
        }
    }
}
