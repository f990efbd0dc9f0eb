//! Errors of operations, of any library.

use std::error::Error;
use std::fmt;

use manycore_device::{DeviceError, ErrorKind, LibraryError};
use manycore_field::NotPrime;
use manycore_files::polynomial::CoefficientError;
use manycore_files::{FileError, OutOfMemory};
use manycore_verify::CheckError;

/// An error of a library in the form that operations report.
pub trait Failure: LibraryError {
    /// Whether input or options can cause it. An operation has checked what it read before it computes, so that other words that are no
    /// residues, lengths that do not fit and remainders of exact divisions are those of a device that failed without an error.
    fn is_of_input(&self) -> bool {
        true
    }

    /// Whether the work needs more memory than there is, and the error does not name the option or file that makes it so large.
    fn is_of_size(&self) -> bool {
        self.device_error().is_some_and(|error| error.kind() == ErrorKind::Memory)
    }

    /// What a check found, where it is an error of that.
    fn difference(&self) -> Option<&CheckError> {
        None
    }

    /// The message, with the option or the file that it is about; `inputs` are the names of the files.
    fn told(&self, _inputs: &[String]) -> String {
        self.to_string()
    }
}

/// Why an operation was not done.
///
/// ```
/// use manycore_operation::OperationError;
/// let error = OperationError::usage("--by 0: nothing to shift by");
/// assert!(error.is_refusal() && !error.is_of_size());
/// assert_eq!(error.told(&[]), "--by 0: nothing to shift by");
/// ```
pub struct OperationError(Box<dyn Failure>);

impl OperationError {
    /// Arguments or input that exclude each other, or mean nothing.
    pub fn usage(message: impl Into<String>) -> Self {
        Usage(message.into()).into()
    }

    /// Whether the input or an option is to blame, and not the machine.
    pub fn is_refusal(&self) -> bool {
        self.kind().is_refusal()
    }

    /// What it is about: [`ErrorKind::Device`] for computed words that a library refuses.
    pub fn kind(&self) -> ErrorKind {
        if self.is_of_computed_words() { ErrorKind::Device } else { self.0.kind() }
    }

    fn is_of_computed_words(&self) -> bool {
        let kind = self.0.kind();
        // No words are to blame for a plan.
        kind.is_refusal() && kind != ErrorKind::Plan && !self.0.is_of_input()
    }

    /// The error of the device that it has come from.
    pub fn device_error(&self) -> Option<&DeviceError> {
        self.0.device_error()
    }

    /// Whether the work needs more memory than there is, and the error does not name the option or file that makes it so large.
    pub fn is_of_size(&self) -> bool {
        self.0.is_of_size()
    }

    /// What a check found, where it is an error of that.
    pub fn difference(&self) -> Option<&CheckError> {
        self.0.difference()
    }

    /// The message, with the option or the file that it is about; `inputs` are the names of the files.
    pub fn told(&self, inputs: &[String]) -> String {
        if self.is_of_computed_words() { self.to_string() } else { self.0.told(inputs) }
    }

    /// The error of a library, where it is this one.
    pub fn of<E: Failure>(&self) -> Option<&E> {
        let error: &(dyn Error + 'static) = &*self.0;
        error.downcast_ref()
    }
}

impl fmt::Debug for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<E: Failure> From<E> for OperationError {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

/// The message of an error about the values of one of the inputs.
pub fn of_input(error: &impl fmt::Display, inputs: &[String], input: usize) -> String {
    inputs.get(input).map_or_else(|| error.to_string(), |name| format!("{name}: {error}"))
}

/// What the check of a job finds whose result is not there: it was not computed, or the answer is a refusal.
///
/// ```
/// use manycore_operation::{OperationError, unmade};
/// let result: Option<u32> = None;
/// let error = OperationError::from(result.ok_or_else(unmade).unwrap_err());
/// assert_eq!(error.to_string(), "that there is a result does not hold");
/// ```
pub fn unmade() -> CheckError {
    CheckError::Relation { relation: "that there is a result".to_owned() }
}

#[derive(Debug)]
struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Usage {}

impl LibraryError for Usage {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Value
    }
}

impl Failure for Usage {}

impl Failure for FileError {}

impl Failure for CoefficientError {}

impl Failure for OutOfMemory {}

impl Failure for NotPrime {
    fn told(&self, _: &[String]) -> String {
        format!("--modulus: {self}")
    }
}

impl Failure for CheckError {
    fn difference(&self) -> Option<&CheckError> {
        Some(self)
    }
}

impl Failure for DeviceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Spoiled(ErrorKind);

    impl fmt::Display for Spoiled {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("entry 3 is no residue")
        }
    }

    impl Error for Spoiled {}

    impl LibraryError for Spoiled {
        fn kind(&self) -> ErrorKind {
            self.0
        }
    }

    impl Failure for Spoiled {
        fn is_of_input(&self) -> bool {
            false
        }

        fn told(&self, inputs: &[String]) -> String {
            format!("{}: {self}", inputs[0])
        }
    }

    #[test]
    fn computed_words_are_the_fault_of_a_device_and_name_no_file() {
        let error = OperationError::from(Spoiled(ErrorKind::Value));
        assert!(!error.is_refusal() && error.kind() == ErrorKind::Device);
        assert_eq!(error.told(&["a.txt".into()]), "entry 3 is no residue");
        assert!(OperationError::from(Spoiled(ErrorKind::Plan)).is_refusal());
        assert_eq!(OperationError::from(Spoiled(ErrorKind::Memory)).kind(), ErrorKind::Memory);
    }

    #[test]
    fn errors_tell_who_is_to_blame() {
        let memory = DeviceError::OutOfMemory {
            device: "host".into(),
            wanted_bytes: 2,
            free_or_limit_bytes: 1,
            reason: "the limit of memory that was set",
        };
        let error = OperationError::from(memory.clone());
        assert!(error.is_of_size() && !error.is_refusal() && error.difference().is_none());
        assert_eq!((error.of::<DeviceError>(), error.of::<CheckError>()), (Some(&memory), None));
        let wrong = CheckError::Length { found: 1, expected: 2 };
        assert_eq!(OperationError::from(wrong.clone()).difference(), Some(&wrong));
        assert_eq!(of_input(&"empty", &["a.txt".to_owned()], 0), "a.txt: empty");
        assert_eq!(of_input(&"empty", &[], 0), "empty");
    }
}
