//! Choices among candidates: operations whose plans are estimated and measured, with the sizes that decide.

use manycore_device::{Device, DeviceError, DeviceKind, DeviceSet, SelfTestMode, TuningMode};
use manycore_files::{memory, shown};
use manycore_tuning::{Proved, proof};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::arguments::Arguments;
use crate::declaration::{Declaration, DeclaredOption, OptionKind};
use crate::explained::Explained;
pub use crate::explained::Row;
use crate::failure::OperationError;
use crate::job::Task;

/// What a choice is. In JSON it has these names.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ChoiceDeclaration {
    /// Its name, such as `poly-mul`.
    pub name: &'static str,
    /// The operation that chooses, in one line.
    pub title: &'static str,
    /// Its sizes, and what else the candidates depend on.
    pub options: &'static [DeclaredOption],
}

/// An operation that chooses among candidates.
pub trait Explain: Sync {
    /// What it is.
    fn declaration(&self) -> &'static ChoiceDeclaration;

    /// Bytes of the input and the result together, 0 where they are made on the device.
    fn bytes(&self, arguments: &Arguments) -> u64;

    /// The choice on a device, which the device's tuning mode may let measure.
    ///
    /// # Errors
    /// A size that the operation does not have; errors of the operation.
    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError>;

    /// The proof of every plan that fits the device, also of those that no estimate would take ([`proof::every`]).
    ///
    /// # Errors
    /// As [`Explain::explain`].
    fn proofs(&self, arguments: &Arguments, device: &Device) -> Result<Vec<Proved>, OperationError> {
        let device = device.with_tuning(TuningMode::Estimate).with_proofs(SelfTestMode::Off);
        let (explained, proved) = proof::every(|| self.explain(arguments, &device));
        explained.map(|_| proved)
    }

    /// The blocks in which several devices share the work, or in which it goes through one that it does not fit, where they are known
    /// without the data.
    ///
    /// # Errors
    /// Errors of the operation.
    fn blocks(&self, _arguments: &Arguments, _devices: &DeviceSet) -> Result<Option<String>, OperationError> {
        Ok(None)
    }

    /// Whether several devices share the work.
    fn is_shared(&self, _arguments: &Arguments) -> bool {
        false
    }
}

impl ChoiceDeclaration {
    /// It as that of an operation, whose options it has.
    const fn operation(&self) -> Declaration {
        Declaration { name: self.name, title: self.title, options: self.options, ..Declaration::BASE }
    }

    /// The arguments of an object with a member for each option that is given, as [`Declaration::arguments`] takes it.
    ///
    /// ```
    /// use manycore_operation::{ChoiceDeclaration, DeclaredOption};
    /// const SORT: ChoiceDeclaration =
    ///     ChoiceDeclaration { name: "sort", title: "A sort", options: &[DeclaredOption::size("n", "N", "Numbers")] };
    /// let arguments = SORT.arguments(serde_json::json!({ "n": "2^20" }).as_object().unwrap())?;
    /// assert_eq!(arguments.size("n"), Some(1 << 20));
    /// # Ok::<(), manycore_operation::OperationError>(())
    /// ```
    ///
    /// # Errors
    /// The option that is not known, has no such value, is missing, or means nothing beside the others.
    pub fn arguments(&self, given: &Map<String, Value>) -> Result<Arguments, OperationError> {
        self.operation().arguments(given)
    }

    /// The arguments of a task: its sizes and words by the names of the options, the word without a name that of the option without
    /// one.
    ///
    /// # Errors
    /// As [`ChoiceDeclaration::arguments`].
    pub fn arguments_of(&self, task: &Task) -> Result<Arguments, OperationError> {
        let positional = self.options.iter().find(|option| option.is_positional).map_or("", |option| option.name);
        let sizes = task.sizes.iter().map(|&(name, size)| (name.to_owned(), size.into()));
        let words = task.words.iter().map(|(name, word)| match (*name, word.as_str()) {
            ("", word) => (positional.to_owned(), word.into()),
            (name, "") => (name.to_owned(), true.into()),
            (name, word) => (name.to_owned(), word.into()),
        });
        self.arguments(&sizes.chain(words).collect())
    }

    /// Ways of calling it, as [`Declaration::ways`] makes them.
    pub fn ways(&self) -> Vec<Arguments> {
        self.operation().ways()
    }
}

impl DeclaredOption {
    /// Rows of the first matrix of a product.
    pub const ROWS: Self = Self::size("n", "N", "Rows of the first matrix, also as 2^K");

    /// Columns of the first matrix of a product.
    pub const INNER: Self = Self::size_or(
        "inner",
        "K",
        None,
        "Columns of the first matrix, and rows of the second; without it, as many as rows",
    );

    /// Columns of the second matrix of a product.
    pub const COLUMNS: Self =
        Self::size_or("columns", "M", None, "Columns of the second matrix; without it, as many as rows of the first");

    /// A size that has to be given.
    pub const fn size(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self { value: OptionKind::Size { value_name, is_required: true, default: None }, ..Self::flag(name, help) }
    }

    /// A size that need not be given.
    pub const fn size_or(
        name: &'static str,
        value_name: &'static str,
        default: Option<u64>,
        help: &'static str,
    ) -> Self {
        Self { value: OptionKind::Size { value_name, is_required: false, default }, ..Self::flag(name, help) }
    }

    /// The modulus of a choice, a prime of 29 bits where none is given.
    pub const fn modulus_or(help: &'static str) -> Self {
        Self { value: OptionKind::ModulusOr { default: 469_762_049 }, ..Self::flag("modulus", help) }
    }

    /// The same, of any prime.
    pub const ANY_MODULUS: Self =
        Self::modulus_or("The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1");
}

/// Reads a size: decimal, or `2^K`.
///
/// ```
/// use manycore_operation::choice::size;
/// assert_eq!((size("1024"), size(" 3 ^ 4")), (Ok(1024), Ok(81)));
/// assert_eq!(size("2^64"), Err("2^64: too large".to_owned()));
/// ```
///
/// # Errors
/// That a text is none.
pub fn size(text: &str) -> Result<u64, String> {
    let read = |text: &str| text.trim().parse::<usize>().ok();
    let no_number = || format!("{text}: no number");
    let count = match text.split_once('^') {
        Some((base, exponent)) => {
            let exponent: u32 = exponent.trim().parse().map_err(|_| no_number())?;
            read(base).ok_or_else(no_number)?.checked_pow(exponent)
        }
        None => Some(read(text).ok_or_else(no_number)?),
    };
    count.map(|count| count as u64).ok_or_else(|| format!("{text}: too large"))
}

/// The values of `batch` arrays of `n`.
///
/// # Errors
/// That there are none, or too many.
pub fn total(n: usize, batch: usize) -> Result<usize, OperationError> {
    let total = n.checked_mul(batch).filter(|&total| total > 0);
    total.ok_or_else(|| OperationError::usage(format!("--n {n} --batch {batch}: too large, or zero")))
}

/// Refuses sizes of 0, which are named by their options.
///
/// # Errors
/// The first that is 0.
pub fn at_least_one(sizes: &[(&str, usize)]) -> Result<(), OperationError> {
    match sizes.iter().find(|(_, size)| *size == 0) {
        Some((name, _)) => Err(OperationError::usage(format!("{name} must be at least 1"))),
        None => Ok(()),
    }
}

/// Refuses a shape whose input of so many words the device cannot have, where its candidates are to be measured: else each of
/// them fails, and so do all those of the operations within it.
///
/// # Errors
/// [`DeviceError::OutOfMemory`].
pub fn room_to_measure<W>(device: &Device, words: u128) -> Result<(), DeviceError> {
    if device.tuning() != TuningMode::Measure {
        return Ok(());
    }
    let info = device.info();
    let free = if info.kind == DeviceKind::Host { memory::free_bytes() } else { info.memory_bytes };
    let wanted = u64::try_from(words.saturating_mul(size_of::<W>() as u128)).unwrap_or(u64::MAX);
    if wanted <= free {
        return Ok(());
    }
    Err(DeviceError::OutOfMemory {
        device: shown(&info.label()),
        wanted_bytes: wanted,
        free_or_limit_bytes: free,
        reason: "memory for what is to be measured",
    })
}

/// The bytes of arrays of so many words each.
pub fn bytes_of(counts: &[usize], word_bytes: u64) -> u64 {
    let bytes = |&count: &usize| (count as u64).saturating_mul(word_bytes);
    counts.iter().map(bytes).fold(0, u64::saturating_add)
}

/// The bytes of a residue.
pub const fn residue_bytes(modulus: u64) -> u64 {
    if modulus < 1 << 31 { 4 } else { 8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SORT: ChoiceDeclaration = ChoiceDeclaration {
        name: "sort",
        title: "A sort",
        options: &[
            DeclaredOption::size("n", "N", "Numbers"),
            DeclaredOption::size_or("batch", "N", Some(1), "Sorts"),
            DeclaredOption { is_positional: true, ..DeclaredOption::size("width", "N", "Words of a number") },
            DeclaredOption::flag("places", "Places"),
            DeclaredOption::ANY_MODULUS,
        ],
    };

    #[test]
    fn sizes_are_numbers_or_powers() {
        assert_eq!((size("1024"), size("2^20"), size(" 3 ^ 4")), (Ok(1024), Ok(1 << 20), Ok(81)));
        for wrong in ["", "2^", "x", "2^64", "-1", "2^^3"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_of_zero_are_named() {
        assert_eq!(at_least_one(&[("--n", 2), ("--inner", 0)]).unwrap_err().to_string(), "--inner must be at least 1");
        assert!(at_least_one(&[("--n", 1)]).is_ok());
        assert_eq!(total(3, 0).unwrap_err().to_string(), "--n 3 --batch 0: too large, or zero");
        assert!(total(usize::MAX, 2).is_err() && total(3, 4).is_ok_and(|all| all == 12));
    }

    #[test]
    fn tasks_have_arguments() {
        let task = Task::of("sort", vec![("n", 8), ("modulus", 7)]).with("", "2").with("places", "");
        let arguments = SORT.arguments_of(&task).unwrap();
        let sizes = ["n", "batch", "width"].map(|name| arguments.size(name));
        assert_eq!((sizes, arguments.number("modulus")), ([Some(8), Some(1), Some(2)], Some(7)));
        assert!(arguments.is_given("places"));
        let defaults = SORT.arguments_of(&Task::of("sort", vec![("n", 8), ("width", 1)])).unwrap();
        assert_eq!((defaults.number("modulus"), defaults.is_given("places")), (Some(469_762_049), false));
        assert!(SORT.arguments_of(&Task::of("sort", vec![("n", 8)])).is_err(), "no width");
        assert!(SORT.arguments_of(&task.with("none", "")).is_err());
    }

    #[test]
    fn bytes_do_not_overflow() {
        assert_eq!(bytes_of(&[2, 3], 8), 40);
        assert_eq!(bytes_of(&[usize::MAX, 3], 8), u64::MAX);
        assert_eq!((residue_bytes(2_147_483_647), residue_bytes(1 << 31)), (4, 8));
    }

    #[test]
    fn room_is_asked_for_where_something_is_measured() {
        let host = Device::host();
        let much = u128::MAX;
        assert!(room_to_measure::<u64>(&host.with_tuning(TuningMode::Estimate), much).is_ok());
        assert!(room_to_measure::<u64>(&host.with_tuning(TuningMode::Measure), much).is_err());
        assert!(room_to_measure::<u64>(&host.with_tuning(TuningMode::Measure), 1).is_ok());
    }
}
