//! Choices among candidates: their command lines, from their declarations.

use std::fmt;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use manycore::Device;
use manycore::device::DeviceSet;
use manycore::operation::{Arguments, Explain, Explained, Task};
use manycore::operations;
use serde_json::{Map, Value};

use super::declared::called::{argument, arguments};
use crate::error::Error;
use crate::label::label;

/// The choices in the order of help.
const ORDER: [&str; 21] = [
    "walsh",
    "reed-muller",
    "arithmetic",
    "haar",
    "ntt",
    "poly-mul",
    "poly-div",
    "poly-gcd",
    "poly-eval",
    "matrix-mul",
    "matrix-det",
    "matrix-inverse",
    "characters",
    "fourier",
    "kronecker",
    "sbox-linear",
    "sbox-differences",
    "sparse-multiply",
    "sort-numbers",
    "semiring-product",
    "maxplus-star",
];

/// All choices, in the order of help.
fn all() -> impl Iterator<Item = &'static dyn Explain> {
    ORDER.iter().filter_map(|name| operations::choice(name))
}

/// The names of all choices on the command line.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all().map(|choice| choice.declaration().name)
}

/// A choice with its arguments.
#[derive(Clone)]
pub struct Chosen {
    choice: &'static dyn Explain,
    arguments: Arguments,
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name(), self.arguments)
    }
}

impl Chosen {
    /// The choice of a name with arguments by the names of its options.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such choice; arguments that are wrong.
    pub(crate) fn new(name: &str, arguments: &Map<String, Value>) -> Result<Self, Error> {
        let choice = operations::choice(name).ok_or_else(|| Error::Usage(format!("{name}: no choice")))?;
        let arguments = choice.declaration().arguments(arguments)?;
        Ok(Self { choice, arguments })
    }

    /// The work of a task, where it is one of the choices.
    pub(crate) fn of_task(task: &Task) -> Option<Self> {
        let choice = operations::choice(task.choice)?;
        Some(Self { choice, arguments: choice.declaration().arguments_of(task).ok()? })
    }

    /// The name on the command line.
    pub(crate) fn name(&self) -> &'static str {
        self.choice.declaration().name
    }

    /// Bytes of the input and the result together, 0 where they are made on the device or not counted.
    pub(crate) fn bytes(&self) -> u64 {
        self.choice.bytes(&self.arguments)
    }

    /// Whether the command of the operation shares its work among several devices.
    pub(crate) fn is_shared(&self) -> bool {
        self.choice.is_shared(&self.arguments)
    }

    /// The blocks in which several devices share the work, or in which it goes through one that it does not fit, where they are known
    /// without the data.
    ///
    /// # Errors
    /// Errors of the operation.
    pub(crate) fn blocks(&self, devices: &DeviceSet) -> Result<Option<String>, Error> {
        Ok(self.choice.blocks(&self.arguments, devices)?)
    }

    /// The choice on a device, which the device's tuning mode may let measure.
    ///
    /// # Errors
    /// A size that the operation does not have; errors of the operation.
    pub(crate) fn explain(&self, device: &Device) -> Result<Explained, Error> {
        let mut explained = self.choice.explain(&self.arguments, device)?;
        explained.parameters.insert("operation".to_owned(), self.name().into());
        Ok(explained)
    }

    /// The choice on a device that measures: of candidates of which one was measured at least, now or earlier.
    ///
    /// # Errors
    /// [`Error::Unmeasured`]; those of [`Self::explain`].
    pub(crate) fn measured(&self, device: &Device) -> Result<Explained, Error> {
        let explained = self.explain(device)?;
        if explained.is_unmeasured() {
            return Err(Error::Unmeasured { operation: self.name(), device: label(device) });
        }
        Ok(explained)
    }
}

impl Subcommand for Chosen {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(all().map(|choice| {
            let declaration = choice.declaration();
            let options = declaration.options.iter().map(argument);
            Command::new(declaration.name).about(declaration.title).args(options)
        }))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        names().any(|known| known == name)
    }
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::raw(ErrorKind::MissingSubcommand, "an operation is missing");
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let choice = operations::choice(name).ok_or_else(missing)?;
        Ok(Self { choice, arguments: arguments(choice.declaration().options, matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tasks_are_choices() {
        let of = |task: Task| Chosen::of_task(&task).map(|chosen| (chosen.name(), chosen.bytes()));
        let sizes = || vec![("n", 8), ("batch", 2)];
        assert_eq!(of(Task::of("walsh", sizes()).with("type", "i64").with("order", "dyadic")), Some(("walsh", 256)));
        let fast = Task::of("arithmetic", sizes()).with("type", "f32").with("algorithm", "constant-geometry");
        assert_eq!(of(fast), Some(("arithmetic", 128)));
        assert_eq!(of(Task::of("reed-muller", vec![("n", 64)]).with("packed", "")), Some(("reed-muller", 16)));
        let fourier = Task::of("fourier", vec![("batch", 2)]).with("", "2,3").with("type", "f64");
        assert_eq!(of(fourier), Some(("fourier", 384)));
        let product = Task::of("kronecker", vec![("batch", 2)]).with("product", "h2 x walsh").with("complex", "");
        assert_eq!(of(product), Some(("kronecker", 128)));
        assert_eq!(of(Task::of("none", Vec::new())), None);
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        let command = Chosen::augment_subcommands(Command::new("explain"));
        let commands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        assert_eq!(commands, ORDER);
        assert_eq!(names().collect::<Vec<_>>(), ORDER);
        let known: BTreeSet<&str> = ORDER.into();
        assert_eq!(operations::choices().map(|choice| choice.declaration().name).collect::<BTreeSet<_>>(), known);
        // The list of operations has the same.
        assert_eq!(manycore_operations::choices().collect::<BTreeSet<_>>(), known);
    }

    #[test]
    fn command_lines_and_names_of_options_give_the_same_arguments() {
        let line = "explain poly-mul --n 2^10 --modulus 18446744069414584321";
        let command = Chosen::augment_subcommands(Command::new("explain"));
        let of_line = Chosen::from_arg_matches(&command.get_matches_from(line.split(' '))).unwrap();
        let given = serde_json::json!({ "n": 1024, "modulus": "18446744069414584321" });
        let of_names = Chosen::new("poly-mul", given.as_object().unwrap()).unwrap();
        assert_eq!(format!("{of_line:?}"), "poly-mul n=1024 batch=1 modulus=18446744069414584321");
        assert_eq!((of_line.bytes(), of_line.bytes() > 0), (of_names.bytes(), true));
        assert!(Chosen::new("poly-mul", &Map::new()).is_err() && Chosen::new("none", &Map::new()).is_err());
    }
}
