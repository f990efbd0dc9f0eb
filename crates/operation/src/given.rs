//! Calls with input in memory.

use std::io::Cursor;
use std::ops::Range;

use manycore_device::DeviceSet;
use manycore_files::{FileError, Source, decode};

use crate::arguments::Arguments;
use crate::failure::OperationError;
use crate::job::{Answer, Files, Operation};

/// Inputs in memory: each the bytes of a file of any form, with the name that messages call it.
///
/// ```
/// use manycore_operation::{Files, Given};
/// let mut given = Given::new().with("f.txt", "1 2 0 3").with("g.txt", "1 1");
/// assert_eq!((given.count(), given.name(1)), (2, "g.txt".to_owned()));
/// assert_eq!(given.text(0)?, "1 2 0 3");
/// # Ok::<(), manycore_files::FileError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Given {
    inputs: Vec<(String, Vec<u8>)>,
    is_kept: bool,
    part: Option<Part>,
}

/// A part of the work.
#[derive(Debug, Clone)]
enum Part {
    /// The items of this range.
    Items(Range<usize>),
    /// Part `index` of `count` parts, whose lengths differ by at most one item.
    Share { index: usize, count: usize },
}

impl Given {
    /// No input.
    pub fn new() -> Self {
        Self::default()
    }

    /// The inputs with one more.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.inputs.push((name.into(), bytes.into()));
        self
    }

    /// The inputs, kept after the work for a check.
    #[must_use]
    pub fn kept(self) -> Self {
        Self { is_kept: true, ..self }
    }

    /// The inputs, with the work on these items alone.
    #[must_use]
    pub fn part_of(self, items: Range<usize>) -> Self {
        Self { part: Some(Part::Items(items)), ..self }
    }

    /// The inputs, with part `index`, from 0, of `count` parts of the work; `count` is at least one.
    #[must_use]
    pub fn share_of(self, index: usize, count: usize) -> Self {
        Self { part: Some(Part::Share { index, count: count.max(1) }), ..self }
    }

    /// Calls an operation with it; with a check, the result is checked independently, and so is a refusal that can be.
    ///
    /// # Errors
    /// What is wrong with the input or the arguments; what fails; the difference of a wrong result.
    pub fn call(
        mut self,
        operation: &dyn Operation,
        arguments: &Arguments,
        devices: &DeviceSet,
        (seed, is_checked): (u64, bool),
    ) -> Result<Answer, OperationError> {
        self.is_kept |= is_checked;
        let mut job = operation.read(arguments, &mut self)?;
        job.prepare(devices)?;
        if let Err(refused) = job.compute(devices, seed) {
            if let Some(checked) = is_checked.then(|| job.check_refusal(&refused, seed)).flatten() {
                checked?;
            }
            return Err(refused);
        }
        if is_checked && operation.declaration().not_checked.is_none() {
            job.check(seed, true)?;
        }
        Ok(job.answer())
    }

    fn input(&self, input: usize) -> (String, Vec<u8>) {
        self.inputs.get(input).cloned().unwrap_or_default()
    }
}

impl Files for Given {
    fn numbers(&mut self, input: usize) -> Result<Source<'static>, FileError> {
        let (name, bytes) = self.input(input);
        Source::new(name, Cursor::new(bytes))
    }

    fn parts(&mut self, input: usize) -> Result<(Source<'static>, bool), FileError> {
        let (name, bytes) = self.input(input);
        Source::with_parts(name, Cursor::new(bytes))
    }

    fn matrix(&mut self, input: usize) -> Result<Source<'static>, FileError> {
        let (name, bytes) = self.input(input);
        Source::matrix(name, Cursor::new(bytes))
    }

    /// One of the inputs by its name.
    fn named_matrix(&mut self, _: usize, name: &str) -> Result<Source<'static>, FileError> {
        if let Some(input) = self.inputs.iter().position(|(known, _)| known == name) {
            return self.matrix(input);
        }
        let error = std::io::Error::new(std::io::ErrorKind::NotFound, "no input of this name");
        Err(FileError::Read { file: name.to_owned(), error })
    }

    fn name(&self, input: usize) -> String {
        self.inputs.get(input).map(|(name, _)| name.clone()).unwrap_or_default()
    }

    fn count(&self) -> usize {
        self.inputs.len()
    }

    fn text(&mut self, input: usize) -> Result<String, FileError> {
        let (name, bytes) = self.input(input);
        Ok(decode(&bytes, &name)?.into_owned())
    }

    fn bytes(&mut self, input: usize) -> Result<Vec<u8>, FileError> {
        Ok(self.input(input).1)
    }

    fn earlier(&self, input: usize) -> Option<usize> {
        let same = |earlier: &(String, Vec<u8>)| Some(earlier) == self.inputs.get(input);
        self.inputs.iter().take(input).position(same)
    }

    fn is_kept(&self) -> bool {
        self.is_kept
    }

    fn part(&mut self, items: usize) -> Range<usize> {
        match self.part.clone() {
            None => 0..items,
            Some(Part::Items(part)) => part,
            Some(Part::Share { index, count }) => items * index / count..items * (index + 1) / count,
        }
    }

    fn is_part(&self) -> bool {
        self.part.is_some()
    }
}
