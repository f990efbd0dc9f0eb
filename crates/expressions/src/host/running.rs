//! Running sums of columns by one exact operation each: loops over the words themselves, without registers.

use manycore_device::WordType;

use super::columns::{Column, ColumnMut};
use crate::graph::{Binary, Op};
use crate::program::Program;
use crate::scalar::{Scalar, ScalarType};

/// The operations of a sum of two elements that is, scalar by scalar, one exact operation on integers: made by
/// [`Program::running`].
///
/// ```
/// use manycore_expressions::{Function, Value};
/// let sum = Function::<(u32, u32), u32>::new(|(a, b): (Value<u32>, Value<u32>)| a + b)?;
/// let running = sum.program().running().ok_or("not exact")?;
/// let (mut before, mut sums) = ([10], [0u32; 3]);
/// running.sums(&mut before, &[(&[1u32, 2, 3][..]).into()], &mut [(&mut sums[..]).into()], false);
/// assert_eq!((sums, before), ([11, 13, 16], [16]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    operations: Vec<Binary>,
}

impl Program {
    /// Its operations where it is an exact sum of integers ([`Program::is_exact_sum`]); `None` of others and of truth values.
    pub fn running(&self) -> Option<Running> {
        let is_integer =
            |kind| matches!(kind, ScalarType::Word(word) if !matches!(word, WordType::F32 | WordType::F64));
        if !self.is_exact_sum() || !self.outputs().all(is_integer) {
            return None;
        }
        let operation = |&output: &u32| match self.nodes()[output as usize].op {
            Op::Binary(binary, ..) => Some(binary),
            _ => None,
        };
        let operations = self.output_ids().iter().map(operation).collect::<Option<_>>()?;
        Some(Running { operations })
    }
}

impl Running {
    /// Adds all elements to `before`, the bits of a scalar for each column.
    pub fn total(&self, before: &mut [u64], columns: &[Column<'_>]) {
        for ((before, column), &operation) in before.iter_mut().zip(columns).zip(&self.operations) {
            total(operation, before, *column);
        }
    }

    /// The sums of `before` and the elements up to each place, or before it where they are exclusive; `before` becomes the sum
    /// of all. Outputs have the types and lengths of the columns; others stay as they are.
    pub fn sums(&self, before: &mut [u64], columns: &[Column<'_>], outputs: &mut [ColumnMut<'_>], is_exclusive: bool) {
        let scalars = before.iter_mut().zip(columns).zip(outputs).zip(&self.operations);
        for (((before, column), output), &operation) in scalars {
            sums(operation, before, *column, output, is_exclusive);
        }
    }
}

/// What is done by an operation, of which the loop is compiled for each.
trait Work<T> {
    fn work(self, by: impl Fn(T, T) -> T);
}

struct Total<'a, T> {
    before: &'a mut u64,
    words: &'a [T],
}

impl<T: Scalar> Work<T> for Total<'_, T> {
    fn work(self, by: impl Fn(T, T) -> T) {
        *self.before = self.words.iter().fold(T::from_bits(*self.before), |sum, &word| by(sum, word)).to_bits();
    }
}

struct Sums<'a, T> {
    before: &'a mut u64,
    words: &'a [T],
    to: &'a mut [T],
    is_exclusive: bool,
}

impl<T: Scalar> Work<T> for Sums<'_, T> {
    fn work(self, by: impl Fn(T, T) -> T) {
        let mut sum = T::from_bits(*self.before);
        let places = self.to.iter_mut().zip(self.words);
        if self.is_exclusive {
            for (to, &word) in places {
                *to = sum;
                sum = by(sum, word);
            }
        } else {
            for (to, &word) in places {
                sum = by(sum, word);
                *to = sum;
            }
        }
        *self.before = sum.to_bits();
    }
}

macro_rules! integers {
    ($($name:ident $word:ty,)*) => {
        fn total(operation: Binary, before: &mut u64, words: Column<'_>) {
            match words {
                $(Column::$name(words) => <$word as Integer>::by(operation, Total { before, words }),)*
                // Their sums round.
                Column::F32(_) | Column::F64(_) => {}
            }
        }

        fn sums(
            operation: Binary,
            before: &mut u64,
            words: Column<'_>,
            to: &mut ColumnMut<'_>,
            is_exclusive: bool,
        ) {
            match (words, to) {
                $((Column::$name(words), ColumnMut::$name(to)) if words.len() == to.len() => {
                    <$word as Integer>::by(operation, Sums { before, words, to, is_exclusive });
                })*
                _ => {}
            }
        }

        $(impl Integer for $word {
            fn by(operation: Binary, work: impl Work<Self>) {
                match operation {
                    Binary::Add => work.work(Self::wrapping_add),
                    Binary::Multiply => work.work(Self::wrapping_mul),
                    Binary::Minimum => work.work(Ord::min),
                    Binary::Maximum => work.work(Ord::max),
                    Binary::And => work.work(|a, b| a & b),
                    Binary::Or => work.work(|a, b| a | b),
                    Binary::Xor => work.work(|a, b| a ^ b),
                    // No other one is exact, associative and commutative.
                    _ => {}
                }
            }
        })*
    };
}

trait Integer: Sized {
    fn by(operation: Binary, work: impl Work<Self>);
}

integers! { U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Input;
    use crate::{Function, Value};

    type V = Value<i16>;

    /// Each operation, against the program itself called element by element.
    #[test]
    fn each_exact_operation_runs() {
        let sums: [fn((V, V)) -> V; 7] = [
            |(a, b)| a + b,
            |(a, b)| a * b,
            |(a, b)| a.min(b),
            |(a, b)| a.max(b),
            |(a, b)| a & b,
            |(a, b)| a | b,
            |(a, b)| b ^ a,
        ];
        let words: Vec<i16> = (1..200).map(|i: i16| i.wrapping_mul(-30_011) | 1).collect();
        for (place, sum) in sums.into_iter().enumerate() {
            let function = Function::<(i16, i16), i16>::new(sum).unwrap();
            let running = function.program().running().unwrap();
            for is_exclusive in [false, true] {
                let start = 77i16;
                let (mut before, mut expected) = (start, Vec::new());
                for &word in &words {
                    let (mut next, word) = ([0i16], [word]);
                    let inputs = [Input::Same(before.to_bits()), Input::Column((&word[..]).into())];
                    function.program().evaluate(&inputs, &[], &mut [(&mut next[..]).into()]).unwrap();
                    expected.push(if is_exclusive { before } else { next[0] });
                    before = next[0];
                }
                let (mut bits, mut made) = ([start.to_bits()], vec![0i16; words.len()]);
                running.sums(&mut bits, &[(&words[..]).into()], &mut [(&mut made[..]).into()], is_exclusive);
                assert_eq!((made, bits), (expected, [before.to_bits()]), "operation {place}");
                let mut bits = [start.to_bits()];
                running.total(&mut bits, &[(&words[..]).into()]);
                assert_eq!(bits, [before.to_bits()], "operation {place}");
            }
        }
    }

    #[test]
    fn others_do_not_run() {
        let less = Function::<(i16, i16), i16>::new(|(a, b): (V, V)| a - b).unwrap();
        let both = Function::<(bool, bool), bool>::new(|(a, b): (Value<bool>, Value<bool>)| a & b).unwrap();
        let most = Function::<(f32, f32), f32>::new(|(a, b): (Value<f32>, Value<f32>)| a.max(b)).unwrap();
        assert_eq!(less.program().running(), None);
        assert_eq!(both.program().running(), None);
        assert_eq!(most.program().running(), None);
    }
}
