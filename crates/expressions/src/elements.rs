//! Arguments and results of functions: numbers, truth values, and nested tuples of them.

use std::fmt::Debug;

use crate::graph::Op;
use crate::record::{Untyped, push};
use crate::scalar::{Scalar, ScalarType};
use crate::value::Value;

mod sealed {
    pub trait Sealed {}
}

/// A type of elements: a [`Scalar`], or a tuple of up to eight of elements. A structure of a user's own is such a tuple; its
/// scalars are kept in columns, one behind the other in the order in which they stand.
pub trait Elements: sealed::Sealed + Copy + PartialEq + Debug + Send + Sync + 'static {
    /// What a function that is being written sees: a [`Value`], or a tuple of them.
    type Values: Copy;

    /// Appends the types of its scalars.
    fn types(all: &mut Vec<ScalarType>);

    #[doc(hidden)]
    fn inputs(next: &mut u16) -> Self::Values;

    #[doc(hidden)]
    fn untyped(values: Self::Values, all: &mut Untyping);

    #[doc(hidden)]
    fn typed(next: &mut dyn Iterator<Item = Untyped>) -> Self::Values;

    /// The element at an index of tables, one for each scalar from number `next` on.
    #[doc(hidden)]
    fn reads(index: Value<u64>, next: &mut u16) -> Self::Values;

    /// The constants of these bits.
    #[doc(hidden)]
    fn constants(next: &mut dyn Iterator<Item = u64>) -> Self::Values;

    #[doc(hidden)]
    fn put_bits(self, all: &mut Vec<u64>);

    #[doc(hidden)]
    fn take_bits(next: &mut dyn Iterator<Item = u64>) -> Self;
}

/// Values without their types.
#[derive(Debug, Default)]
pub struct Untyping(pub(crate) Vec<Untyped>);

impl<T: Scalar> sealed::Sealed for T {}

impl<T: Scalar> Elements for T {
    type Values = Value<T>;

    fn types(all: &mut Vec<ScalarType>) {
        all.push(T::SCALAR);
    }

    fn inputs(next: &mut u16) -> Value<T> {
        let number = *next;
        *next = next.saturating_add(1);
        Value::input(number)
    }

    fn untyped(values: Value<T>, all: &mut Untyping) {
        all.0.push(values.untyped());
    }

    fn typed(next: &mut dyn Iterator<Item = Untyped>) -> Value<T> {
        Value::of(next.next().unwrap_or(Untyped::NONE))
    }

    fn reads(index: Value<u64>, next: &mut u16) -> Value<T> {
        let number = *next;
        *next = next.saturating_add(1);
        Value::read_at(index, number)
    }

    fn constants(next: &mut dyn Iterator<Item = u64>) -> Value<T> {
        T::from_bits(next.next().unwrap_or_default()).into()
    }

    fn put_bits(self, all: &mut Vec<u64>) {
        all.push(self.to_bits());
    }

    fn take_bits(next: &mut dyn Iterator<Item = u64>) -> Self {
        T::from_bits(next.next().unwrap_or_default())
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),*))*) => {$(
        impl<$($name: Elements),*> sealed::Sealed for ($($name,)*) {}

        impl<$($name: Elements),*> Elements for ($($name,)*) {
            type Values = ($($name::Values,)*);

            #[allow(unused_variables)] // for the empty one
            fn types(all: &mut Vec<ScalarType>) {
                $($name::types(all);)*
            }

            #[allow(unused_variables, clippy::unused_unit)]
            fn inputs(next: &mut u16) -> Self::Values {
                ($($name::inputs(next),)*)
            }

            #[allow(unused_variables)]
            fn untyped(values: Self::Values, all: &mut Untyping) {
                $($name::untyped(values.$at, all);)*
            }

            #[allow(unused_variables, clippy::unused_unit)]
            fn typed(next: &mut dyn Iterator<Item = Untyped>) -> Self::Values {
                ($($name::typed(next),)*)
            }

            #[allow(unused_variables, clippy::unused_unit)]
            fn reads(index: Value<u64>, next: &mut u16) -> Self::Values {
                ($($name::reads(index, next),)*)
            }

            #[allow(unused_variables, clippy::unused_unit)]
            fn constants(next: &mut dyn Iterator<Item = u64>) -> Self::Values {
                ($($name::constants(next),)*)
            }

            #[allow(unused_variables)]
            fn put_bits(self, all: &mut Vec<u64>) {
                $(self.$at.put_bits(all);)*
            }

            #[allow(unused_variables, clippy::unused_unit)]
            fn take_bits(next: &mut dyn Iterator<Item = u64>) -> Self {
                ($($name::take_bits(next),)*)
            }
        }
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

impl Value<bool> {
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
            push(Op::Select(self.any().id, a.id, b.id), kind, &[self.any(), a, b])
        };
        let chosen: Vec<Untyped> = first.0.into_iter().zip(second.0).zip(kinds).map(select).collect();
        T::typed(&mut chosen.into_iter())
    }
}
