//! Functions on the host: operation by operation over blocks of values, in loops that compilers turn into vector instructions.

mod binary;
mod columns;
mod loops;
mod moves;
mod operands;
mod running;
mod unary;

use manycore_device::WordType;

pub(crate) use columns::with_word;
pub use columns::{Column, ColumnMut, Owned};
pub use operands::Input;
pub use running::Running;

use crate::error::ExpressionError;
use crate::graph::{Id, Op, Unary};
use crate::program::{Place, Program};
use crate::scalar::ScalarType;
use loops::{CHUNK, Level};
use operands::{Operands, Register};

/// Bytes of the values that an operation computes at a time: a few registers of them stay in a core's first cache.
const BLOCK_BYTES: usize = 4096;

/// A program with the memory that its values take, to be evaluated many times.
///
/// ```
/// use manycore_expressions::{Function, Input, Value};
/// let scale = Function::<(f32, f32), f32>::new(|(x, by): (Value<f32>, Value<f32>)| x * by)?;
/// let mut evaluator = scale.program().evaluator();
/// let mut to = [0f32; 3];
/// evaluator.evaluate(&[Input::Column((&[1f32, 2.0, 3.0][..]).into()), Input::Same(2f32.to_bits().into())], &[], &mut [(&mut to[..]).into()])?;
/// assert_eq!(to, [2.0, 4.0, 6.0]);
/// # Ok::<(), manycore_expressions::ExpressionError>(())
/// ```
#[derive(Debug)]
pub struct Evaluator<'p> {
    program: &'p Program,
    level: Level,
    /// Values of a block.
    block: usize,
    registers: Vec<Register>,
    same: Vec<Register>,
}

impl<'p> Evaluator<'p> {
    fn new(program: &'p Program, level: Level) -> Self {
        let largest = program.nodes().iter().map(|node| node.kind.memory().bytes()).max().unwrap_or(8);
        let block = BLOCK_BYTES / largest;
        let mut registers = vec![Register::new(block, largest); program.registers()];
        for (id, node) in (0..).zip(program.nodes()) {
            if let (Op::Constant(bits), Place::Register(register)) = (node.op, program.place(id)) {
                registers[usize::from(register)] = filled(node.kind, bits);
            }
        }
        Self { program, level, block, registers, same: vec![Register::new(CHUNK, 8); program.inputs().len()] }
    }

    /// Its values at all elements ([`Program::evaluate`]).
    ///
    /// # Errors
    /// As [`Program::evaluate`].
    pub fn evaluate(
        &mut self,
        inputs: &[Input<'_>],
        tables: &[Column<'_>],
        outputs: &mut [ColumnMut<'_>],
    ) -> Result<(), ExpressionError> {
        let ins = inputs.iter().map(|input| match input {
            Input::Column(column) => Some((column.word(), column.len())),
            Input::Same(_) => None,
        });
        let outs = outputs.iter().map(|output| (output.word(), output.len()));
        let len = self.program.check(ins, tables.iter().map(Column::word), outs)?;
        for ((input, &kind), same) in inputs.iter().zip(self.program.inputs()).zip(&mut self.same) {
            if let Input::Same(bits) = *input {
                moves::fill(kind, bits, same.bytes_mut(CHUNK * kind.memory().bytes()));
            }
        }
        for start in (0..len).step_by(self.block) {
            let len = self.block.min(len - start);
            self.compute(inputs, tables, outputs, (start, len));
        }
        Ok(())
    }

    /// Computes one block.
    fn compute(
        &mut self,
        inputs: &[Input<'_>],
        tables: &[Column<'_>],
        outputs: &mut [ColumnMut<'_>],
        (start, len): (usize, usize),
    ) {
        let Self { program, level, ref mut registers, ref same, .. } = *self;
        for (id, node) in (0..).zip(program.nodes()) {
            let mut taken = Register(Vec::new());
            let place = program.place(id);
            let to = match place {
                Place::Input(_) => continue,
                // No operation reads the register that it writes.
                Place::Register(register) => {
                    if let Op::Constant(_) = node.op {
                        continue;
                    }
                    taken = std::mem::replace(&mut registers[usize::from(register)], taken);
                    taken.bytes_mut(len * node.kind.memory().bytes())
                }
                Place::Output(number) => outputs[usize::from(number)].bytes_mut(start, len),
            };
            let operands = Operands { registers, same, inputs, start, len, program, level };
            let kind_of = |id: Id| program.nodes()[id as usize].kind;
            match node.op {
                Op::Input(number) => moves::truth(&operands, number, to),
                Op::Constant(_) => {}
                Op::Unary(unary, a) => unary::compute(unary, (kind_of(a), node.kind), &operands, a, to),
                Op::Binary(binary, a, b) => binary::compute(binary, kind_of(a), &operands, (a, b), to),
                Op::Select(condition, a, b) => moves::select(node.kind, &operands, (condition, a, b), to),
                Op::Fused(a, b, c) => binary::fused(node.kind, &operands, (a, b, c), to),
                Op::Read(table, a) => moves::read(tables[usize::from(table)], &operands, a, to),
                // The snippet computes the number of its twin.
                Op::Snippet(_, twin, ..) => {
                    unary::compute(Unary::Convert, (node.kind, node.kind), &operands, twin, to);
                }
            }
            if let Place::Register(register) = place {
                registers[usize::from(register)] = taken;
            }
        }
        let operands = Operands { registers, same, inputs, start, len, program, level };
        for (&id, output) in program.output_ids().iter().zip(outputs) {
            if !matches!(program.place(id), Place::Output(_)) {
                moves::write(output, &operands, id, start, len);
            }
        }
    }
}

impl Program {
    /// Its values at one argument by its bits; tables are empty.
    pub(crate) fn at(&self, argument: &[u64]) -> Vec<u64> {
        let inputs: Vec<Input<'_>> = argument.iter().map(|&bits| Input::Same(bits)).collect();
        let tables: Vec<Column<'_>> = self.tables().iter().map(|kind| Column::empty(*kind)).collect();
        let mut results: Vec<Owned> =
            self.outputs().map(|kind| Owned::from_bits(kind.memory(), std::iter::once(0))).collect();
        let mut evaluator = Evaluator::new(self, Level::Portable);
        for ((same, &kind), &bits) in evaluator.same.iter_mut().zip(self.inputs()).zip(argument) {
            moves::fill(kind, bits, same.bytes_mut(CHUNK * kind.memory().bytes()));
        }
        let mut outputs: Vec<ColumnMut<'_>> = results.iter_mut().map(Owned::column_mut).collect();
        evaluator.compute(&inputs, &tables, &mut outputs, (0, 1));
        results.iter().map(|result| result.bits(0)).collect()
    }

    /// Itself with the memory that its values take.
    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(self, Level::widest())
    }

    /// Its values at all elements: results go to `outputs`, which are of one length; columns among the inputs have it, too.
    ///
    /// Truth values are bytes, 0 or 1. O(operations times elements); registers of a few KiB are all the memory that it takes.
    ///
    /// # Errors
    /// [`ExpressionError::Count`], [`ExpressionError::Type`] and [`ExpressionError::Length`] of what does not fit.
    pub fn evaluate(
        &self,
        inputs: &[Input<'_>],
        tables: &[Column<'_>],
        outputs: &mut [ColumnMut<'_>],
    ) -> Result<(), ExpressionError> {
        self.evaluator().evaluate(inputs, tables, outputs)
    }

    /// The number of elements of these columns, by their types and lengths; inputs without are the same for all elements.
    pub(crate) fn check(
        &self,
        inputs: impl ExactSizeIterator<Item = Option<(WordType, usize)>>,
        tables: impl ExactSizeIterator<Item = WordType>,
        mut outputs: impl ExactSizeIterator<Item = (WordType, usize)>,
    ) -> Result<usize, ExpressionError> {
        let count = |what, expected, given| {
            if expected == given { Ok(()) } else { Err(ExpressionError::Count { what, expected, given }) }
        };
        count("inputs", self.inputs().len(), inputs.len())?;
        count("tables", self.tables().len(), tables.len())?;
        count("outputs", self.outputs().len(), outputs.len())?;
        let (mut kinds, first) = (self.outputs(), outputs.next());
        let expected = first.map_or(0, |output| output.1);
        let fits = |what, number, kind: ScalarType, word: WordType, given: usize| {
            if kind.memory() != word {
                return Err(ExpressionError::Type { what, number, expected: kind.name(), given: word.name() });
            }
            if given == expected { Ok(()) } else { Err(ExpressionError::Length { what, number, expected, given }) }
        };
        for (number, (kind, (word, len))) in kinds.by_ref().zip(first.into_iter().chain(outputs)).enumerate() {
            fits("output", number, kind, word, len)?;
        }
        for (number, (&kind, input)) in self.inputs().iter().zip(inputs).enumerate() {
            input.map_or(Ok(()), |(word, len)| fits("input", number, kind, word, len))?;
        }
        for (number, (&kind, word)) in self.tables().iter().zip(tables).enumerate() {
            fits("table", number, kind, word, expected)?;
        }
        Ok(expected)
    }
}

/// A chunk of one value.
fn filled(kind: ScalarType, bits: u64) -> Register {
    let bytes = kind.memory().bytes();
    let mut register = Register::new(CHUNK, bytes);
    moves::fill(kind, bits, register.bytes_mut(CHUNK * bytes));
    register
}
