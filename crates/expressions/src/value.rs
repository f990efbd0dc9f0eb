//! Values within a function that is being written: each operation on them is recorded.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use manycore_device::WordType;

use crate::elements::{Elements, Untyping};
use crate::graph::{Binary, Graph, Id, Node, Op, Unary};
use crate::scalar::{Integer, Number, Real, Scalar, ScalarType};
use crate::snippet::is_expression;

/// What is recorded of a function.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) graph: Graph,
    /// Distinguishes functions that are written at the same time.
    number: u64,
    /// A value of another function was met.
    pub(crate) is_mixed: bool,
    /// The types of tables, as far as they are read.
    pub(crate) tables: Vec<Option<ScalarType>>,
    /// A table that is read as two types: its number, and the second one.
    pub(crate) mixed_table: Option<(usize, ScalarType)>,
    /// A text of OpenCL C that is no expression of its arguments.
    pub(crate) wrong_text: Option<&'static str>,
}

thread_local! {
    /// The functions that this thread is writing, the innermost last, and the number of the next one.
    static OPEN: RefCell<(Vec<Record>, u64)> = const { RefCell::new((Vec::new(), 1)) };
}

/// Records what `write` does.
///
/// Every function of users' own comes here, so that this is compiled once for all of them.
pub(crate) fn record(write: &mut dyn FnMut()) -> Record {
    /// Closes the record when the closure panics, too.
    struct Closing;
    impl Drop for Closing {
        fn drop(&mut self) {
            OPEN.with_borrow_mut(|open| open.0.pop());
        }
    }
    OPEN.with_borrow_mut(|(open, next)| {
        open.push(Record { number: *next, ..Record::default() });
        *next += 1;
    });
    let closing = Closing;
    write();
    std::mem::forget(closing);
    OPEN.with_borrow_mut(|open| open.0.pop()).unwrap_or_default()
}

/// A value in the innermost function that is being written, by its place: without a function there is nothing to record.
pub(crate) fn push(op: Op, kind: ScalarType, operands: &[Untyped]) -> Untyped {
    OPEN.with_borrow_mut(|(open, _)| {
        let Some(record) = open.last_mut() else { return Untyped::NONE };
        if operands.iter().any(|operand| operand.of != record.number) {
            record.is_mixed = true;
            return Untyped::NONE;
        }
        if let Op::Read(table, _) = op {
            let table = usize::from(table);
            if record.tables.len() <= table {
                record.tables.resize(table + 1, None);
            }
            if *record.tables[table].get_or_insert(kind) != kind {
                record.mixed_table = Some((table, kind));
            }
        }
        if let Op::Snippet(text, _, _, count) = op
            && !is_expression(text, count)
        {
            record.wrong_text = Some(text);
        }
        Untyped { id: record.graph.push(op, kind), of: record.number }
    })
}

/// Records a function's operations once more, on these arguments; gives its results.
/// Table `i` becomes number `table(i)`.
pub(crate) fn replay(
    nodes: &[Node],
    arguments: &[Untyped],
    outputs: &[Id],
    table: &dyn Fn(u16) -> u16,
) -> Vec<Untyped> {
    let mut made: Vec<Untyped> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let of = |id: Id| made[id as usize];
        let operands: Vec<Untyped> = node.op.operands().map(of).collect();
        let id = |at: usize| operands[at].id;
        made.push(match node.op {
            Op::Input(number) => arguments.get(usize::from(number)).copied().unwrap_or(Untyped::NONE),
            Op::Constant(_) => push(node.op, node.kind, &[]),
            Op::Unary(unary, _) => push(Op::Unary(unary, id(0)), node.kind, &operands),
            Op::Binary(binary, ..) => push(Op::Binary(binary, id(0), id(1)), node.kind, &operands),
            Op::Select(..) => push(Op::Select(id(0), id(1), id(2)), node.kind, &operands),
            Op::Fused(..) => push(Op::Fused(id(0), id(1), id(2)), node.kind, &operands),
            Op::Read(number, _) => push(Op::Read(table(number), id(0)), node.kind, &operands),
            Op::Snippet(text, _, _, count) => {
                push(Op::Snippet(text, id(0), [id(1), id(2), id(3)], count), node.kind, &operands)
            }
        });
    }
    outputs.iter().map(|&output| made[output as usize]).collect()
}

/// A value without its type.
#[derive(Debug, Clone, Copy)]
pub struct Untyped {
    pub(crate) id: Id,
    /// The number of its function; 0 for none.
    of: u64,
}

impl Untyped {
    /// Of no function.
    pub(crate) const NONE: Self = Self { id: 0, of: 0 };

    /// Whether it is of this function.
    pub(crate) fn is_of(self, record: &Record) -> bool {
        self.of == record.number
    }
}

/// A value of type `T` within a function: what is done with it is recorded, and done when the function is.
///
/// Operators take values and constants. Integers are added, subtracted, multiplied and negated modulo `2^bits`; a quotient
/// by 0 is 0 and the remainder the dividend; shifts count modulo the bits. Numbers are rounded once in each operation, to the
/// nearest, on every device; results that are no number may differ in their bits.
///
/// ```
/// use manycore_expressions::{Function, Value};
///
/// let clamp = Function::<(f32, f32), f32>::new(|(x, limit): (Value<f32>, Value<f32>)| (x * 2.0).min(limit).max(0.0))?;
/// assert_eq!(clamp.call((3.0, 5.0)), 5.0);
/// # Ok::<(), manycore_expressions::ExpressionError>(())
/// ```
#[derive(Debug)]
pub struct Value<T> {
    untyped: Untyped,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Value<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Value<T> {}

impl<T> Value<T> {
    /// Without its type.
    pub(crate) fn any(self) -> Untyped {
        self.untyped
    }
}

impl<T: Scalar> From<T> for Value<T> {
    fn from(constant: T) -> Self {
        Self::of(push(Op::Constant(constant.to_bits()), T::SCALAR, &[]))
    }
}

impl<T: Scalar> Value<T> {
    pub(crate) fn of(untyped: Untyped) -> Self {
        Self { untyped, kind: PhantomData }
    }

    pub(crate) fn untyped(self) -> Untyped {
        self.untyped
    }

    /// Argument `number` of the function that is being written.
    pub(crate) fn input(number: u16) -> Self {
        Self::of(push(Op::Input(number), T::SCALAR, &[]))
    }

    /// The value at an index of a table, as [`Value::read`]; truth values are bytes, 0 or 1.
    pub(crate) fn read_at(index: Value<u64>, number: u16) -> Self {
        Self::of(push(Op::Read(number, index.untyped.id), T::SCALAR, &[index.untyped]))
    }

    fn unary<R: Scalar>(self, unary: Unary) -> Value<R> {
        Value::of(push(Op::Unary(unary, self.untyped.id), R::SCALAR, &[self.untyped]))
    }

    fn binary<R: Scalar>(self, binary: Binary, other: Self) -> Value<R> {
        let (a, b) = (self.untyped, other.untyped);
        Value::of(push(Op::Binary(binary, a.id, b.id), R::SCALAR, &[a, b]))
    }

    /// Whether both are the same; -0.0 is 0.0, and what is no number is the same as nothing.
    #[must_use]
    pub fn equals(self, other: impl Into<Self>) -> Value<bool> {
        self.binary(Binary::Equal, other.into())
    }

    /// Whether they differ.
    #[must_use]
    pub fn differs(self, other: impl Into<Self>) -> Value<bool> {
        !self.equals(other)
    }
}

impl<T: Number> Value<T> {
    /// Whether it is less than the other one.
    #[must_use]
    pub fn lt(self, other: impl Into<Self>) -> Value<bool> {
        self.binary(Binary::Less, other.into())
    }

    /// Whether it is at most the other one.
    #[must_use]
    pub fn le(self, other: impl Into<Self>) -> Value<bool> {
        self.binary(Binary::LessOrEqual, other.into())
    }

    /// Whether it is greater than the other one.
    #[must_use]
    pub fn gt(self, other: impl Into<Self>) -> Value<bool> {
        other.into().lt(self)
    }

    /// Whether it is at least the other one.
    #[must_use]
    pub fn ge(self, other: impl Into<Self>) -> Value<bool> {
        other.into().le(self)
    }

    /// The other one where it is less, else this one.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Minimum, other.into())
    }

    /// The other one where it is greater, else this one.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::Maximum, other.into())
    }

    /// Its size; of the least signed integer itself.
    #[must_use]
    pub fn abs(self) -> Self {
        self.unary(Unary::Absolute)
    }

    /// As another type, as `as` converts: integers modulo `2^bits`; numbers to integers towards 0, to the nearest that there
    /// is, and to 0 where they are none; to numbers rounded to the nearest.
    #[must_use]
    pub fn to<R: Number>(self) -> Value<R> {
        self.unary(Unary::Convert)
    }

    /// The word at this index of the function's table `number`, from 0; the table's last word past its end, 0 of an empty one.
    #[must_use]
    pub fn read<R: Number>(self, number: u16) -> Value<R> {
        let index: Value<u64> = self.to();
        Value::of(push(Op::Read(number, index.untyped.id), R::SCALAR, &[index.untyped]))
    }
}

impl<T: Integer> Value<T> {
    /// The sum, the greatest or the least integer where it is past them.
    #[must_use]
    pub fn saturating_add(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::AddSaturating, other.into())
    }

    /// The difference, the greatest or the least integer where it is past them.
    #[must_use]
    pub fn saturating_sub(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::SubtractSaturating, other.into())
    }

    /// The upper half of the product of both.
    #[must_use]
    pub fn mul_high(self, other: impl Into<Self>) -> Self {
        self.binary(Binary::MultiplyHigh, other.into())
    }

    /// The number of its ones.
    #[must_use]
    pub fn count_ones(self) -> Self {
        self.unary(Unary::Ones)
    }

    /// The number of zeros before its highest one; all bits for 0.
    #[must_use]
    pub fn leading_zeros(self) -> Self {
        self.unary(Unary::LeadingZeros)
    }

    /// The number of zeros behind its lowest one; all bits for 0.
    #[must_use]
    pub fn trailing_zeros(self) -> Self {
        self.unary(Unary::TrailingZeros)
    }
}

impl<T: Real> Value<T> {
    /// The greatest integer that is at most it.
    #[must_use]
    pub fn floor(self) -> Self {
        self.unary(Unary::Floor)
    }

    /// The least integer that is at least it.
    #[must_use]
    pub fn ceil(self) -> Self {
        self.unary(Unary::Ceiling)
    }

    /// Towards 0 to an integer.
    #[must_use]
    pub fn trunc(self) -> Self {
        self.unary(Unary::Truncate)
    }

    /// To the nearest integer, halves to the even one.
    #[must_use]
    pub fn round_ties_even(self) -> Self {
        self.unary(Unary::Round)
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(self) -> Self {
        self.unary(Unary::SquareRoot)
    }

    /// Itself times `factor` plus `term`, rounded once.
    #[must_use]
    pub fn mul_add(self, factor: impl Into<Self>, term: impl Into<Self>) -> Self {
        let (a, b, c) = (self.untyped, factor.into().untyped, term.into().untyped);
        Self::of(push(Op::Fused(a.id, b.id, c.id), T::SCALAR, &[a, b, c]))
    }
}

macro_rules! same_bits {
    ($($a:ty, $b:ty, $to_b:ident, $to_a:ident;)*) => {$(
        impl Value<$a> {
            /// Its bits as the other type.
            #[must_use]
            pub fn $to_b(self) -> Value<$b> {
                self.unary(Unary::Reinterpret)
            }
        }

        impl Value<$b> {
            /// Its bits as the other type.
            #[must_use]
            pub fn $to_a(self) -> Value<$a> {
                self.unary(Unary::Reinterpret)
            }
        }
    )*};
}

same_bits! { f32, u32, bits, as_f32; f64, u64, bits, as_f64; }

impl Value<bool> {
    /// The first where it is true, else the second.
    #[must_use]
    pub fn select<T: Scalar>(self, yes: impl Into<Value<T>>, no: impl Into<Value<T>>) -> Value<T> {
        let (a, b, c) = (self.untyped, yes.into().untyped, no.into().untyped);
        Value::of(push(Op::Select(a.id, b.id, c.id), T::SCALAR, &[a, b, c]))
    }

    /// As [`Value::select`], of elements of several scalars: all of the first, or all of the second.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// type Pair = (Value<f32>, Value<u32>);
    /// let lower = Function::<((f32, u32), (f32, u32)), (f32, u32)>::new(|(a, b): (Pair, Pair)| {
    ///     b.0.lt(a.0).select_elements::<(f32, u32)>(b, a)
    /// })?;
    /// assert_eq!(lower.call(((2.0, 7), (1.0, 3))), (1.0, 3));
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    #[must_use]
    pub fn select_elements<T: Elements>(self, yes: T::Values, no: T::Values) -> T::Values {
        let (mut first, mut second, mut kinds) = (Untyping::default(), Untyping::default(), Vec::new());
        T::untyped(yes, &mut first);
        T::untyped(no, &mut second);
        T::types(&mut kinds);
        let select = |((a, b), kind): ((Untyped, Untyped), ScalarType)| {
            push(Op::Select(self.untyped.id, a.id, b.id), kind, &[self.untyped, a, b])
        };
        let chosen: Vec<Untyped> = first.0.into_iter().zip(second.0).zip(kinds).map(select).collect();
        T::typed(&mut chosen.into_iter())
    }

    /// 1 where it is true, else 0.
    #[must_use]
    pub fn number<T: Number>(self) -> Value<T> {
        self.unary(Unary::Convert)
    }
}

macro_rules! operators {
    ($($trait:ident, $method:ident, $binary:ident, $bound:ident;)*) => {$(
        impl<T: $bound> $trait for Value<T> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.binary(Binary::$binary, other)
            }
        }

        impl<T: $bound> $trait<T> for Value<T> {
            type Output = Self;

            fn $method(self, other: T) -> Self {
                self.binary(Binary::$binary, other.into())
            }
        }
    )*};
}

operators! {
    Add, add, Add, Number;
    Sub, sub, Subtract, Number;
    Mul, mul, Multiply, Number;
    Div, div, Divide, Number;
    Rem, rem, Remainder, Number;
    BitAnd, bitand, And, Bits;
    BitOr, bitor, Or, Bits;
    BitXor, bitxor, Xor, Bits;
    Shl, shl, ShiftLeft, Integer;
    Shr, shr, ShiftRight, Integer;
}

/// A type whose values are bits: integers and `bool`.
pub trait Bits: Scalar {}

impl Bits for bool {}
impl<T: Integer> Bits for T {}

impl<T: Bits> Not for Value<T> {
    type Output = Self;

    fn not(self) -> Self {
        self.unary(Unary::Not)
    }
}

impl<T: Number> Neg for Value<T> {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Unary::Negate)
    }
}

macro_rules! constants_first {
    ($($word:ty)*) => {$(
        constants_first! { $word: Add add, Sub sub, Mul mul, Div div, Rem rem }
    )*};
    ($word:ty: $($trait:ident $method:ident),*) => {$(
        impl $trait<Value<$word>> for $word {
            type Output = Value<$word>;

            fn $method(self, other: Value<$word>) -> Value<$word> {
                Value::from(self).$method(other)
            }
        }
    )*};
}

constants_first! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

/// The type in which truth values are kept in memory: 0 or 1.
pub(crate) const TRUTH: WordType = WordType::U8;
