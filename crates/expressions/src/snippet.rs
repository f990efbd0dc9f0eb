//! Expressions in OpenCL C of a user's own within functions, beside what the host computes for them.

use crate::graph::Op;
use crate::record::{Untyped, push};
use crate::scalar::Number;
use crate::value::Value;

mod sealed {
    use super::Untyped;

    pub trait Sealed {
        /// The values, and how many there are.
        fn all(self) -> ([Untyped; 3], u8);
    }
}

/// What an expression in OpenCL C takes: up to three values, as a tuple where there are several.
pub trait SnippetArguments: sealed::Sealed {}

impl<S: sealed::Sealed> SnippetArguments for S {}

impl<A> sealed::Sealed for Value<A> {
    fn all(self) -> ([Untyped; 3], u8) {
        ([self.any(); 3], 1)
    }
}

impl<A, B> sealed::Sealed for (Value<A>, Value<B>) {
    fn all(self) -> ([Untyped; 3], u8) {
        ([self.0.any(), self.1.any(), self.1.any()], 2)
    }
}

impl<A, B, C> sealed::Sealed for (Value<A>, Value<B>, Value<C>) {
    fn all(self) -> ([Untyped; 3], u8) {
        ([self.0.any(), self.1.any(), self.2.any()], 3)
    }
}

impl<T: Number> Value<T> {
    /// This value, which OpenCL devices compute by an expression of OpenCL C instead, in which `{0}`, `{1}` and `{2}` stand for
    /// the arguments. The host computes this value; so do the proofs that compare a device with it, and the trials of laws.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    ///
    /// type V = Value<u32>;
    /// let average = Function::<(u32, u32), u32>::new(|(a, b): (V, V)| {
    ///     let on_host = (a & b) + ((a ^ b) >> 1);
    ///     // SAFETY: a built-in function of two values.
    ///     unsafe { on_host.in_opencl("hadd({0}, {1})", (a, b)) }
    /// })?;
    /// assert_eq!(average.call((7, 12)), 9);
    /// assert!(average.program().opencl("average").contains("hadd(a0, a1)"));
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    ///
    /// Making the function fails with [`ExpressionError::Snippet`](crate::ExpressionError::Snippet) for a place without an
    /// argument, and for a text that is no single expression: one with `;`, `#`, a brace or a line break, or with parentheses that
    /// do not match.
    ///
    /// # Safety
    /// The expression reads and writes no memory, and ends.
    #[must_use]
    pub unsafe fn in_opencl(self, text: &'static str, arguments: impl SnippetArguments) -> Self {
        let ([a, b, c], count) = arguments.all();
        let twin = self.untyped();
        Self::of(push(Op::Snippet(text, twin.id, [a.id, b.id, c.id], count), T::SCALAR, &[twin, a, b, c]))
    }
}
