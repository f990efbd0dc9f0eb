//! Kernel objects of the runtime, and the arguments that they have.

use std::sync::Arc;

use super::objects::{Kernel, Memory};

/// A kernel object, and the arguments that were last set: an argument that stays need not be set again, which takes a
/// good part of the time of a launch.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) kernel: Kernel,
    known: Vec<Known>,
}

/// The last value of an argument.
#[derive(Debug)]
enum Known {
    /// None, or memory that may have been freed since.
    Nothing,
    Number([u8; 8]),
    Words(Arc<[u8]>),
    /// Bytes of local memory.
    Local(usize),
    /// A block of memory: its handle, and the [`Generation`](super::memory::Generation) in which the handle is that
    /// block's.
    Block(usize, u64),
    /// A part of a block, which must exist until the kernel is enqueued.
    Part {
        _until_enqueued: Memory,
    },
}

impl Object {
    pub(crate) fn new(kernel: Kernel, arguments: usize) -> Self {
        Self { kernel, known: std::iter::repeat_with(|| Known::Nothing).take(arguments).collect() }
    }

    /// Notes what argument `index` was set to; nothing where the runtime refused it.
    fn note(&mut self, index: usize, outcome: Result<(), i32>, to: Known) -> Result<(), i32> {
        if let Some(known) = self.known.get_mut(index) {
            *known = if outcome.is_ok() { to } else { Known::Nothing };
        }
        outcome
    }

    /// Sets a number of `size` bytes; an error is the runtime's code.
    pub(crate) fn set_value(&mut self, index: usize, bytes: [u8; 8], size: usize) -> Result<(), i32> {
        if matches!(self.known.get(index), Some(Known::Number(known)) if *known == bytes) {
            return Ok(());
        }
        let outcome = self.kernel.set(index, &bytes[..size]);
        self.note(index, outcome, Known::Number(bytes))
    }

    /// Sets a struct of numbers; an error is the runtime's code.
    pub(crate) fn set_words(&mut self, index: usize, bytes: &Arc<[u8]>) -> Result<(), i32> {
        if matches!(self.known.get(index), Some(Known::Words(known)) if known == bytes) {
            return Ok(());
        }
        let outcome = self.kernel.set(index, bytes);
        self.note(index, outcome, Known::Words(Arc::clone(bytes)))
    }

    /// Sets bytes of local memory; an error is the runtime's code.
    pub(crate) fn set_local(&mut self, index: usize, bytes: usize) -> Result<(), i32> {
        if matches!(self.known.get(index), Some(&Known::Local(known)) if known == bytes) {
            return Ok(());
        }
        let outcome = self.kernel.set_local(index, bytes);
        self.note(index, outcome, Known::Local(bytes))
    }

    /// Sets a block of the pool in this generation; an error is the runtime's code.
    pub(crate) fn set_block(&mut self, index: usize, memory: &Memory, generation: u64) -> Result<(), i32> {
        let to = (memory.address(), generation);
        if matches!(self.known.get(index), Some(&Known::Block(handle, of)) if (handle, of) == to) {
            return Ok(());
        }
        let outcome = self.kernel.set_memory(index, memory);
        self.note(index, outcome, Known::Block(to.0, to.1))
    }

    /// Sets memory that exists until the kernel is enqueued, and perhaps no longer; an error is the runtime's code.
    pub(crate) fn set_memory(&mut self, index: usize, memory: &Memory) -> Result<(), i32> {
        let outcome = self.kernel.set_memory(index, memory);
        self.note(index, outcome, Known::Nothing)
    }

    /// Sets a part of a block, and keeps it until [`Object::drop_parts`]; an error is the runtime's code.
    pub(crate) fn set_part(&mut self, index: usize, part: Memory) -> Result<(), i32> {
        let outcome = self.kernel.set_memory(index, &part);
        self.note(index, outcome, Known::Part { _until_enqueued: part })
    }

    /// Lets the parts of blocks go, whose memory could else not be freed.
    pub(crate) fn drop_parts(&mut self) {
        for known in &mut self.known {
            if matches!(known, Known::Part { .. }) {
                *known = Known::Nothing;
            }
        }
    }

    /// The first argument that is not set, or to memory that may have been freed before this generation.
    pub(crate) fn first_unset(&self, generation: u64) -> Option<usize> {
        self.known.iter().position(|known| match known {
            Known::Nothing | Known::Part { .. } => true,
            Known::Block(_, of) => *of != generation,
            Known::Number(_) | Known::Words(_) | Known::Local(_) => false,
        })
    }
}
