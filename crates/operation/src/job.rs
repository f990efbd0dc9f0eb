//! Jobs: calls of operations, from their input to their answer.

use std::ops::Range;
use std::path::PathBuf;

use manycore_device::{Device, DeviceSet};
use manycore_files::{FileError, Source};
use manycore_verify::Passed;

use crate::arguments::Arguments;
use crate::declaration::Declaration;
use crate::failure::OperationError;
use crate::left;
use crate::streamed::Flow;
use crate::value::Value;
use crate::vector::NumberType;

/// An operation.
pub trait Operation: Sync {
    /// What it is.
    fn declaration(&self) -> &'static Declaration;

    /// Whether several devices share its work with these arguments.
    fn is_shared(&self, _arguments: &Arguments) -> bool {
        false
    }

    /// Reads its input.
    ///
    /// # Errors
    /// What is wrong with the input, with its file and place, or with an argument.
    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError>;
}

/// Where the input of a call comes from.
pub trait Files {
    /// Opens the file of numbers that is this one of the inputs.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn numbers(&mut self, input: usize) -> Result<Source<'static>, FileError>;

    /// Opens the matrix that is this one of the inputs.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn matrix(&mut self, input: usize) -> Result<Source<'static>, FileError>;

    /// Opens the matrix in the file that this one of the inputs names: from its folder, `-` for standard input.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn named_matrix(&mut self, input: usize, name: &str) -> Result<Source<'static>, FileError>;

    /// What messages call this one of the inputs.
    fn name(&self, input: usize) -> String;

    /// The path of this one of the inputs; `None` of one in memory, and of standard input.
    fn path(&self, _input: usize) -> Option<PathBuf> {
        None
    }

    /// The number of files, where the last input is many.
    fn count(&self) -> usize;

    /// The text of this one of the inputs.
    ///
    /// # Errors
    /// Where it cannot be read, or is no text.
    fn text(&mut self, input: usize) -> Result<String, FileError>;

    /// Opens the file of numbers of input `input`; a complex number counts as two. Returns whether it is an array or a vector of complex
    /// numbers.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn parts(&mut self, input: usize) -> Result<(Source<'static>, bool), FileError> {
        Ok((self.numbers(input)?, false))
    }

    /// The array that is this one of the inputs, where it is left in its file because it is too large for memory: one whose numbers are of
    /// one of these types, as a header of a `.npy` file names them.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn left(&mut self, _input: usize, _types: &[(&str, NumberType)]) -> Result<Option<left::Numbers>, FileError> {
        Ok(None)
    }

    /// The bytes of this one of the inputs.
    ///
    /// # Errors
    /// Where it cannot be read.
    fn bytes(&mut self, input: usize) -> Result<Vec<u8>, FileError>;

    /// An earlier input that is the same file: standard input has no second time.
    fn earlier(&self, input: usize) -> Option<usize>;

    /// Whether the input is needed after the work, for a check or for a part of the work.
    fn is_kept(&self) -> bool;

    /// The range of `items` items whose work this process does: all, unless several processes share the work.
    fn part(&mut self, items: usize) -> Range<usize>;

    /// Whether a part of the work alone is done, whose result is put together with others.
    fn is_part(&self) -> bool {
        false
    }
}

/// One call of an operation.
pub trait Job {
    /// The work as one whose time is estimated, where it is.
    fn task(&self) -> Option<Task> {
        None
    }

    /// The estimate for a device by the input, where it is better than that of a task; it is not measured.
    fn estimate(&self, _device: &Device) -> Option<Estimate> {
        None
    }

    /// Bytes of the input and the result together, for a job with an estimate of its own.
    fn bytes(&self) -> u64 {
        0
    }

    /// Whether several devices can share it.
    fn is_shared(&self) -> bool {
        false
    }

    /// Whether the threads of the host compute the job, whatever the device is.
    fn is_on_host(&self) -> bool {
        false
    }

    /// Refuses what cannot be done and chooses a plan, before the time of the work begins; [`Job::compute`] does it where it was not done.
    ///
    /// # Errors
    /// What is wrong with the input, or with a device.
    fn prepare(&mut self, _devices: &DeviceSet) -> Result<(), OperationError> {
        Ok(())
    }

    /// Whether the job's time is wall-clock time, because no profile of one device contains it: known after the work.
    fn is_waited_for(&self) -> bool {
        false
    }

    /// What makes and writes the result block by block, where memory need not hold it: in the place of [`Job::prepare`], [`Job::compute`] and
    /// [`Job::check`] where text or an array alone is written.
    fn flow(&mut self) -> Option<&mut dyn Flow> {
        None
    }

    /// Computes the result; a seed decides what is random.
    ///
    /// # Errors
    /// What is wrong with the input, or with a device.
    fn compute(&mut self, devices: &DeviceSet, seed: u64) -> Result<(), OperationError>;

    /// An estimate of the seconds that the check of the result, or of a refusal, takes; `is_told`: with the answer's parameters.
    fn check_seconds(&self, _refused: Option<&OperationError>, _is_told: bool) -> f64 {
        0.0
    }

    /// Checks the result independently, and with `is_told` the answer's parameters.
    ///
    /// # Errors
    /// The difference of a wrong result; what the check fails with.
    fn check(&self, seed: u64, is_told: bool) -> Result<Passed, OperationError>;

    /// Checks that the input is rightly refused for this reason; `None` where that is not checked.
    fn check_refusal(&self, _refused: &OperationError, _seed: u64) -> Option<Result<Passed, OperationError>> {
        None
    }

    /// The result.
    fn answer(self: Box<Self>) -> Answer;
}

/// What a job takes on a device, by a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Seconds of the work.
    pub seconds: f64,
    /// Kernels of different names, which are built or loaded before.
    pub kernels: usize,
}

/// Work whose time is estimated, by the names of a choice and of its sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The choice.
    pub choice: &'static str,
    /// Its sizes.
    pub sizes: Vec<(&'static str, u64)>,
    /// What else it depends on, such as a type: names of options with their words, none of a flag; a word without a name stands alone.
    pub words: Vec<(&'static str, String)>,
}

impl Task {
    /// Work that depends on sizes alone.
    pub fn of(choice: &'static str, sizes: Vec<(&'static str, u64)>) -> Self {
        Self { choice, sizes, words: Vec::new() }
    }

    /// The task with one more word.
    #[must_use]
    pub fn with(mut self, name: &'static str, word: impl Into<String>) -> Self {
        self.words.push((name, word.into()));
        self
    }
}

/// The result of a call, and how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The result.
    pub value: Value,
    /// The modulus of its residues.
    pub modulus: Option<u64>,
    /// The algorithm, where it has a name.
    pub algorithm: Option<&'static str>,
    /// The seconds that were estimated.
    pub predicted_seconds: Option<f64>,
    /// What it depends on, and what is known of it, by name.
    pub parameters: Vec<(&'static str, serde_json::Value)>,
    /// Whether it depends on the seed.
    pub is_random: bool,
    /// What is written beside it: the option of each file, and its bytes.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// Notes for the reader of its text, a line each; the parameters contain the same facts.
    pub notes: Vec<String>,
}

impl Answer {
    /// What it depends on, and what is known of it, as an object of JSON.
    pub fn told(&self) -> serde_json::Map<String, serde_json::Value> {
        self.parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    /// It as JSON: the value, and what it depends on.
    pub fn json(&self) -> serde_json::Value {
        let files: serde_json::Map<_, _> = self
            .files
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), String::from_utf8_lossy(bytes).into()))
            .collect();
        serde_json::json!({
            "result": self.value,
            "modulus": self.modulus.map(crate::json::integer),
            "algorithm": self.algorithm,
            "predicted_seconds": self.predicted_seconds,
            "parameters": self.told(),
            "files": files,
        })
    }

    /// An answer with a result alone.
    pub fn of(value: Value) -> Self {
        Self {
            value,
            modulus: None,
            algorithm: None,
            predicted_seconds: None,
            parameters: Vec::new(),
            is_random: false,
            files: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A result of residues.
    #[must_use]
    pub fn modulo(self, modulus: u64) -> Self {
        Self { modulus: Some(modulus), ..self }
    }

    /// A result by an algorithm of this name.
    #[must_use]
    pub fn by(self, algorithm: &'static str) -> Self {
        Self { algorithm: Some(algorithm), ..self }
    }

    /// The answer with one more parameter.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<serde_json::Value>) -> Self {
        self.parameters.push((name, value.into()));
        self
    }
}
