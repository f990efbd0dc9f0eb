//! Functions on the host: operation by operation over blocks of values, in loops that compilers turn into vector instructions.

mod binary;
mod columns;
mod unary;

use manycore_device::WordType;

pub(crate) use columns::with_word;
pub use columns::{Column, ColumnMut, Owned};

use crate::error::ExpressionError;
use crate::graph::{Id, Op};
use crate::program::{Place, Program};
use crate::scalar::ScalarType;

/// Values that an operation computes at a time: a few registers of them stay in a core's first cache.
const BLOCK: usize = 512;

/// A register: a block of values of any type.
#[derive(Clone)]
struct Register(Vec<u64>);

impl Register {
    fn of<T: bytemuck::Pod>(&self, len: usize) -> &[T] {
        &bytemuck::cast_slice(&self.0)[..len]
    }

    fn of_mut<T: bytemuck::Pod>(&mut self, len: usize) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.0)[..len]
    }
}

/// What a block reads.
struct Operands<'a> {
    registers: &'a [Register],
    inputs: &'a [Argument<'a>],
    start: usize,
    len: usize,
    program: &'a Program,
}

impl<'a> Operands<'a> {
    /// The values of an operand.
    fn of<T: columns::InColumn>(&self, id: Id) -> &'a [T] {
        match self.program.place(id) {
            Place::Register(register) => self.registers[usize::from(register)].of(self.len),
            Place::Input(number) => self.input(number),
        }
    }

    /// The values of an argument.
    fn input<T: columns::InColumn>(&self, number: u16) -> &'a [T] {
        match &self.inputs[usize::from(number)] {
            Argument::Column(column) => &T::of(column)[self.start..][..self.len],
            Argument::Same(register) => register.of(self.len),
        }
    }
}

/// An argument: a value for each element, or one for all.
enum Argument<'a> {
    Column(Column<'a>),
    Same(Register),
}

/// An argument of [`Program::evaluate`].
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// A value for each element.
    Column(Column<'a>),
    /// The same value for all elements, by its bits ([`Scalar::to_bits`](crate::Scalar::to_bits)).
    Same(u64),
}

impl Input<'_> {
    /// The first `middle` elements and the others.
    pub(crate) fn split_at(self, middle: usize) -> (Self, Self) {
        match self {
            Self::Column(column) => {
                let (first, rest) = column.split_at(middle);
                (Self::Column(first), Self::Column(rest))
            }
            Self::Same(bits) => (Self::Same(bits), Self::Same(bits)),
        }
    }
}

impl Program {
    /// Its values at one argument by its bits; tables are empty.
    pub(crate) fn at(&self, argument: &[u64]) -> Vec<u64> {
        let inputs: Vec<Argument<'_>> =
            self.inputs().iter().zip(argument).map(|(kind, &bits)| Argument::Same(filled(*kind, bits, 1))).collect();
        let mut registers = vec![Register(vec![0]); self.registers()];
        self.constants(&mut registers, 1);
        let tables: Vec<Column<'_>> = self.tables().iter().map(|kind| Column::empty(*kind)).collect();
        self.block(&mut registers, &inputs, &tables, 0, 1);
        let operands = Operands { registers: &registers, inputs: &inputs, start: 0, len: 1, program: self };
        self.output_ids().iter().map(|&id| columns::first_bits(&operands, id, self.nodes()[id as usize].kind)).collect()
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
        let facts = |input: &Input<'_>| match input {
            Input::Column(column) => Some((column.word(), column.len())),
            Input::Same(_) => None,
        };
        let (ins, words): (Vec<_>, Vec<_>) =
            (inputs.iter().map(facts).collect(), tables.iter().map(Column::word).collect());
        let outs: Vec<_> = outputs.iter().map(|output| (output.word(), output.len())).collect();
        let len = self.check(&ins, &words, &outs)?;
        let inputs: Vec<Argument<'_>> = inputs
            .iter()
            .zip(self.inputs())
            .map(|(input, kind)| match *input {
                Input::Column(column) => Argument::Column(column),
                Input::Same(bits) => Argument::Same(filled(*kind, bits, BLOCK.min(len))),
            })
            .collect();
        self.all(&inputs, tables, outputs, len);
        Ok(())
    }

    /// Block after block of arguments and results that fit.
    fn all(&self, inputs: &[Argument<'_>], tables: &[Column<'_>], outputs: &mut [ColumnMut<'_>], len: usize) {
        let block = BLOCK.min(len);
        let mut registers = vec![Register(vec![0; block]); self.registers()];
        self.constants(&mut registers, block);
        for start in (0..len).step_by(BLOCK) {
            let len = BLOCK.min(len - start);
            self.block(&mut registers, inputs, tables, start, len);
            let operands = Operands { registers: &registers, inputs, start, len, program: self };
            for (&id, output) in self.output_ids().iter().zip(&mut *outputs) {
                output.write(&operands, id, start, len);
            }
        }
    }

    /// Writes constants into their registers.
    fn constants(&self, registers: &mut [Register], len: usize) {
        for (id, node) in (0..).zip(self.nodes()) {
            if let (Op::Constant(bits), Place::Register(register)) = (node.op, self.place(id)) {
                registers[usize::from(register)] = filled(node.kind, bits, len);
            }
        }
    }

    /// Computes one block.
    fn block(
        &self,
        registers: &mut [Register],
        inputs: &[Argument<'_>],
        tables: &[Column<'_>],
        start: usize,
        len: usize,
    ) {
        for (id, node) in (0..).zip(self.nodes()) {
            let Place::Register(register) = self.place(id) else { continue };
            // No operation reads the register that it writes.
            let mut to = Register(std::mem::take(&mut registers[usize::from(register)].0));
            let operands = Operands { registers, inputs, start, len, program: self };
            let kind_of = |id: Id| self.nodes()[id as usize].kind;
            match node.op {
                Op::Input(number) => columns::truth(&operands, number, &mut to),
                Op::Constant(_) => {}
                Op::Unary(unary, a) => unary::compute(unary, (kind_of(a), node.kind), &operands, a, &mut to),
                Op::Binary(binary, a, b) => binary::compute(binary, kind_of(a), &operands, (a, b), &mut to),
                Op::Select(condition, a, b) => {
                    columns::select(node.kind, &operands, (condition, a, b), &mut to);
                }
                Op::Fused(a, b, c) => binary::fused(node.kind, &operands, (a, b, c), &mut to),
                Op::Read(table, a) => columns::read(tables[usize::from(table)], &operands, a, &mut to),
            }
            registers[usize::from(register)] = to;
        }
    }

    /// The number of elements of these columns, told by their types and lengths; inputs without are the same for all elements.
    pub(crate) fn check(
        &self,
        inputs: &[Option<(WordType, usize)>],
        tables: &[WordType],
        outputs: &[(WordType, usize)],
    ) -> Result<usize, ExpressionError> {
        let count = |what, expected, given| {
            if expected == given { Ok(()) } else { Err(ExpressionError::Count { what, expected, given }) }
        };
        count("inputs", self.inputs().len(), inputs.len())?;
        count("tables", self.tables().len(), tables.len())?;
        count("outputs", self.outputs().len(), outputs.len())?;
        let expected = outputs.first().map_or(0, |output| output.1);
        let fits = |what, number, kind: ScalarType, word: WordType, given: usize| {
            if word_of(kind) != word {
                return Err(ExpressionError::Type { what, number, expected: kind.name(), given: word.name() });
            }
            if given == expected { Ok(()) } else { Err(ExpressionError::Length { what, number, expected, given }) }
        };
        for (number, (kind, &(word, len))) in self.outputs().zip(outputs).enumerate() {
            fits("output", number, kind, word, len)?;
        }
        for (number, (&kind, input)) in self.inputs().iter().zip(inputs).enumerate() {
            input.map_or(Ok(()), |(word, len)| fits("input", number, kind, word, len))?;
        }
        for (number, (&kind, &word)) in self.tables().iter().zip(tables).enumerate() {
            fits("table", number, kind, word, expected)?;
        }
        Ok(expected)
    }
}

/// The type of words in which values are kept in memory.
pub(crate) fn word_of(kind: ScalarType) -> WordType {
    kind.memory()
}

/// A register full of one value.
fn filled(kind: ScalarType, bits: u64, len: usize) -> Register {
    let mut register = Register(vec![0; len]);
    columns::fill(kind, bits, &mut register, len);
    register
}
