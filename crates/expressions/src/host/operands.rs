//! Operands of operations over a block: registers, and arguments.

use super::columns::{Column, InColumn};
use super::loops::{CHUNK, Level, Values};
use crate::graph::{Id, Op};
use crate::program::{Place, Program};

/// A register: a block of values of any type.
#[derive(Debug, Clone)]
pub(super) struct Register(pub(super) Vec<u64>);

impl Register {
    /// Of as many values of up to 8 bytes.
    pub(super) fn new(len: usize, bytes: usize) -> Self {
        Self(vec![0; (len * bytes).div_ceil(8)])
    }

    fn of<T: bytemuck::Pod>(&self, len: usize) -> &[T] {
        &bytemuck::cast_slice(&self.0)[..len]
    }

    pub(super) fn bytes_mut(&mut self, len: usize) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.0)[..len]
    }
}

/// Words of memory that holds some.
pub(super) fn words_mut<T: bytemuck::Pod>(bytes: &mut [u8]) -> &mut [T] {
    // Registers are words of 8 bytes, and results of this type: aligned, and whole words.
    bytemuck::cast_slice_mut(bytes)
}

/// What a block reads.
pub(super) struct Operands<'a> {
    pub(super) registers: &'a [Register],
    /// For each argument a chunk of the value that stands for all, if there is one.
    pub(super) same: &'a [Register],
    pub(super) inputs: &'a [Input<'a>],
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) program: &'a Program,
    pub(super) level: Level,
}

impl<'a> Operands<'a> {
    /// The values of an operand.
    pub(super) fn of<T: InColumn>(&self, id: Id) -> Values<'a, T> {
        match self.program.place(id) {
            Place::Register(register) => {
                let register = &self.registers[usize::from(register)];
                if let Op::Constant(_) = self.program.nodes()[id as usize].op {
                    Values::of_all(register.of(CHUNK))
                } else {
                    Values::of_each(register.of(self.len))
                }
            }
            Place::Input(number) => self.input(number),
            // Of results that no operation takes.
            Place::Output(_) => Values::of_all(&[]),
        }
    }

    /// The values of an argument.
    pub(super) fn input<T: InColumn>(&self, number: u16) -> Values<'a, T> {
        let number = usize::from(number);
        match &self.inputs[number] {
            Input::Column(column) => Values::of_each(&T::of(column)[self.start..][..self.len]),
            Input::Same(_) => Values::of_all(self.same[number].of(CHUNK)),
        }
    }
}

/// An argument of [`Program::evaluate`].
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// A value for each element.
    Column(Column<'a>),
    /// One value for all elements, by its bits ([`Scalar::to_bits`](crate::Scalar::to_bits)).
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
