//! Functions: what was recorded, with the types of arguments and results.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::elements::{Elements, Untyping};
use crate::error::ExpressionError;
use crate::program::{Program, checked};
use crate::record::{record, replay};
use crate::scalar::ScalarType;

/// A function of elements, written once: evaluated over slices on the host, and printed as OpenCL C.
///
/// ```
/// use manycore_expressions::{Function, Value};
///
/// // The larger of two values with its index, the lower index where both are the same.
/// type Best = (f32, u32);
/// type Pair = (Value<f32>, Value<u32>);
/// let better = Function::<(Best, Best), Best>::new(|((x, i), (y, j)): (Pair, Pair)| {
///     let second = y.gt(x) | (y.equals(x) & j.lt(i));
///     (second.select(y, x), second.select(j, i))
/// })?;
/// assert_eq!(better.call(((1.5, 7), (1.5, 3))), (1.5, 3));
/// # Ok::<(), manycore_expressions::ExpressionError>(())
/// ```
pub struct Function<I, O> {
    program: Arc<Program>,
    types: PhantomData<fn(I) -> O>,
}

impl<I, O> Clone for Function<I, O> {
    fn clone(&self) -> Self {
        Self { program: Arc::clone(&self.program), types: PhantomData }
    }
}

impl<I, O> fmt::Debug for Function<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.program.fmt(f)
    }
}

impl<I: Elements, O: Elements> Function<I, O> {
    /// Records what `write` does with the arguments.
    ///
    /// # Errors
    /// [`ExpressionError::Foreign`] where a value of another function is used; [`ExpressionError::Table`] for a table that is
    /// read as two types; [`ExpressionError::Snippet`] for a text of OpenCL C that is no expression of its arguments.
    pub fn new(write: impl FnOnce(I::Values) -> O::Values) -> Result<Self, ExpressionError> {
        let mut write = Some(write);
        let written = recorded(I::types, &mut |outputs| {
            if let Some(write) = write.take() {
                O::untyped(write(I::inputs(&mut 0)), outputs);
            }
        });
        Ok(Self { program: written?, types: PhantomData })
    }

    /// Its value within another function that is being written; tables that it reads are those of that function.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// type V = Value<u32>;
    /// let square = Function::<u32, u32>::new(|x: V| x * x)?;
    /// let sum = Function::<(u32, u32), u32>::new(|(x, y): (V, V)| square.of(x) + square.of(y))?;
    /// assert_eq!(sum.call((3, 4)), 25);
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    #[must_use]
    pub fn of(&self, arguments: I::Values) -> O::Values {
        self.of_from(arguments, 0)
    }

    /// [`Function::of`], where its table number 0 is number `first_table` of the function that is being written, and so on.
    #[must_use]
    pub fn of_from(&self, arguments: I::Values, first_table: u16) -> O::Values {
        let mut untyped = Untyping::default();
        I::untyped(arguments, &mut untyped);
        let results = replay(self.program.nodes(), &untyped.0, self.program.output_ids(), &|table| {
            table.saturating_add(first_table)
        });
        O::typed(&mut results.into_iter())
    }

    /// A function that was taken without its types; `None` where these are not its types.
    pub fn typed(program: Arc<Program>) -> Option<Self> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        I::types(&mut inputs);
        O::types(&mut outputs);
        let fits = program.inputs() == inputs && program.outputs().eq(outputs);
        fits.then_some(Self { program, types: PhantomData })
    }

    /// The function without its types.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The function without its types, shared.
    pub fn shared(&self) -> Arc<Program> {
        Arc::clone(&self.program)
    }

    /// Its value at one argument; tables that it reads are empty.
    pub fn call(&self, argument: I) -> O {
        let mut bits = Vec::new();
        argument.put_bits(&mut bits);
        O::take_bits(&mut self.program.at(&bits).into_iter())
    }
}

/// The program of what `write` records, apart from the types of arguments: compiled once.
fn recorded(
    inputs: fn(&mut Vec<ScalarType>),
    write: &mut dyn FnMut(&mut Untyping),
) -> Result<Arc<Program>, ExpressionError> {
    let (mut types, mut outputs) = (Vec::new(), Untyping::default());
    inputs(&mut types);
    let record = record(&mut || write(&mut outputs));
    Ok(Arc::new(checked(types, &record, &outputs.0)?))
}
