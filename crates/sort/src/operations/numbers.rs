//! Numbers, or their places, sorted by radix, as an operation.

use manycore_device::DeviceSet;
use manycore_operation::files::memory::probe;
use manycore_operation::files::{NotFinite, Source};
use manycore_operation::vector::{NumberType, Numbers, Vector};
use manycore_operation::verify::Passed;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Range,
    Task, Value, left, unmade,
};

use super::check;
use super::keys::SortKey;
use super::left::Left;
use super::options::{Options, descending, order, order_name};
use crate::error::SortError;
use crate::radix::sorter::Sorter;

const DECLARATION: Declaration = Declaration {
    name: "sort numbers",
    alias: Some("integers"),
    title: "Numbers, or their places, by radix",
    about: "\
Numbers, or their places, by radix

The numbers in their order, or with --places the place of each, from 0, in the given ones: equal numbers keep their order. \
Floating-point numbers stand in the total order of IEEE 754: -NaN, -infinity, ..., -0, 0, ..., infinity, NaN; a text has them as -nan, \
-inf, inf and nan. The result is one \
number a line; a .npy file with -o NAME.npy; one JSON object with --json.

A .npy array larger than memory, or --memory, is left in its file where the sorted numbers go to one, beside which the disk must have \
room for it twice more.",
    help: "\
--verify sorts again by the standard library and compares every number, or place. No wrong result passes. Of an array that is left in \
its file it compares neighbours, and all numbers by products at random points of a field: wrong ones pass with a chance below n / 2^63.

Examples:
  echo 3 1 2 | manycore sort numbers -
  manycore sort numbers x.npy --descending --first 10
  manycore sort numbers x.npy --places --verify -o places.npy",
    step: "sorting the numbers",
    inputs: &[Input::integers(
        "file",
        "FILE",
        "The numbers: text (separated by white space or commas, # begins a comment) or .npy; - is standard input",
    )],
    options: &[
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "TYPE",
                words: &[("i32", ""), ("i64", ""), ("u64", ""), ("f32", ""), ("f64", "")],
                default: None,
            },
            ..DeclaredOption::flag(
                "type",
                "Read them as this type; without it, i64 for integers, u64 for those that i64 does not hold and for arrays of such, f64 for text with fractions, an array's own floating-point type",
            )
        },
        descending("The largest first"),
        DeclaredOption::flag("places", "Write the indices, from 0, instead of the numbers"),
        DeclaredOption {
            value: OptionKind::Count { value_name: "COUNT", range: Range::Positive, is_required: false, default: None },
            ..DeclaredOption::flag("first", "Write only the first COUNT of the order")
        },
    ],
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct SortNumbers;

type Boxed = Box<dyn Job>;

impl Operation for SortNumbers {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        let is_of_places = arguments.is_given("places");
        let options = Options { order: order(arguments), is_of_places, first: arguments.number("first") };
        let wanted = arguments.word("type");
        if !is_of_places && let Some(job) = left_in_file(wanted, options, files)? {
            return Ok(job);
        }
        match wanted {
            Some("i32") => of_type::<i32>(options, files),
            Some("i64") => of_type::<i64>(options, files),
            Some("u64") => of_type::<u64>(options, files),
            Some("f32") => of_type::<f32>(options, files),
            Some(_) => of_type::<f64>(options, files),
            None => of_own_type(options, files),
        }
    }
}

/// The job of an array that is left in its file; `None` where it is not.
fn left_in_file(
    wanted: Option<&str>,
    options: Options,
    files: &mut dyn Files,
) -> Result<Option<Boxed>, OperationError> {
    if wanted.is_none_or(|wanted| wanted == "u64")
        && let Some(numbers) = files.left(0, left::UNSIGNED)?
    {
        let x = numbers.map_words()?;
        return Ok(Some(Box::new(Left::new(options, numbers, x))));
    }
    let number_type = wanted.map(NumberType::of_name);
    let Some(numbers) = (match number_type {
        // Unsigned integers are no type of vectors.
        Some(None) => None,
        other => files.left(0, left::types(other.flatten()))?,
    }) else {
        return Ok(None);
    };
    Ok(Some(match numbers.number_type() {
        NumberType::I32 => Left::boxed(options, numbers.map_all::<i32>()?, numbers),
        NumberType::I64 => Left::boxed(options, numbers.map_all::<i64>()?, numbers),
        NumberType::F32 => Left::boxed(options, numbers.map_all::<f32>()?, numbers),
        NumberType::F64 => Left::boxed(options, numbers.map_all::<f64>()?, numbers),
    }))
}

/// Refuses numbers with which nothing can be computed: there must be memory for them on a device, and for their result.
fn room<K>(values: &[K], file: &str) -> Result<(), OperationError> {
    Ok(probe(2 * size_of_val(values) as u64, || format!("the results of {file}"))?)
}

/// The job of numbers that are read as a type.
fn of_type<K: SortKey>(options: Options, files: &mut dyn Files) -> Result<Boxed, OperationError> {
    let x: Vec<K> = match files.numbers(0)? {
        Source::Text(text) => text.numbers(NotFinite::Taken)?,
        Source::Array(array) => array.numbers(NotFinite::Taken)?,
    };
    room(&x, &files.name(0))?;
    Ok(Sort::boxed(options, x, files))
}

/// The job of numbers of the type that their file has.
fn of_own_type(options: Options, files: &mut dyn Files) -> Result<Boxed, OperationError> {
    let source = files.numbers(0)?;
    let file = source.file().to_owned();
    let numbers = Numbers::read(source, NotFinite::Taken)?;
    match &numbers {
        Numbers::Vector(vector) => vector.room_for_results(&file)?,
        Numbers::Unsigned(values) => room(values, &file)?,
    }
    Ok(match numbers {
        Numbers::Unsigned(x) => Sort::boxed(options, x, files),
        Numbers::Vector(Vector::I32(x)) => Sort::boxed(options, x, files),
        Numbers::Vector(Vector::I64(x)) => Sort::boxed(options, x, files),
        Numbers::Vector(Vector::F32(x)) => Sort::boxed(options, x, files),
        Numbers::Vector(Vector::F64(x)) => Sort::boxed(options, x, files),
    })
}

/// A sort of numbers in memory.
struct Sort<K> {
    options: Options,
    len: usize,
    /// The numbers; none once they are sorted in place, where nothing looks at them afterwards.
    x: Vec<K>,
    /// Whether the numbers that were read are kept for a check.
    is_kept: bool,
    made: Option<Made<K>>,
}

/// What comes of it.
enum Made<K> {
    Keys(Vec<K>),
    Places(Vec<u32>),
}

impl<K: SortKey> Sort<K> {
    fn boxed(options: Options, x: Vec<K>, files: &dyn Files) -> Boxed {
        Box::new(Self { options, len: x.len(), x, is_kept: files.is_kept(), made: None })
    }

    fn own(&mut self) -> Vec<K> {
        if self.is_kept { self.x.clone() } else { std::mem::take(&mut self.x) }
    }

    fn sort(&mut self, devices: &DeviceSet) -> Result<Made<K>, SortError> {
        let Options { order, is_of_places, .. } = self.options;
        let count = self.options.count(self.len);
        let [device] = devices.devices() else {
            let sorter = Sorter::over(devices)?;
            if is_of_places {
                return Ok(Made::Places(sorter.argsort(&self.x, order)?));
            }
            let mut keys = self.own();
            sorter.sort(&mut keys, order)?;
            keys.truncate(count);
            return Ok(Made::Keys(keys));
        };
        let sorter = Sorter::new(device);
        if is_of_places {
            return Ok(Made::Places(sorter.argsort(&self.x, order)?));
        }
        if count < self.len {
            return Ok(Made::Keys(sorter.first(&self.x, count, order)?));
        }
        let mut keys = self.own();
        sorter.sort(&mut keys, order)?;
        Ok(Made::Keys(keys))
    }
}

impl<K: SortKey> Job for Sort<K> {
    fn task(&self) -> Option<Task> {
        if self.len == 0 {
            return None;
        }
        let task = Task::of("sort-numbers", vec![("n", self.len as u64)]).with("type", K::ESTIMATED.name());
        Some(if self.options.is_of_places { task.with("places", "") } else { task })
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.made = Some(self.sort(devices)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let compare = |a: &K, b: &K| self.options.compare(a, b);
        Ok(match self.made.as_ref().ok_or_else(unmade)? {
            Made::Places(places) => check::places(&self.x, places, compare)?,
            Made::Keys(keys) => check::keys(&self.x, keys, self.options.count(self.len), compare)?,
        })
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { options, len, made, .. } = *self;
        let value = match made {
            None => Value::None,
            Some(Made::Keys(keys)) => K::value(keys),
            Some(Made::Places(places)) => {
                Value::Vector(Vector::I64(places.into_iter().take(options.count(len)).map(i64::from).collect()))
            }
        };
        let answer = Answer::of(value).with("length", len).with("type", K::NAME);
        let answer = answer.with("order", order_name(options.order)).with("places", options.is_of_places);
        answer.with("first", options.first)
    }
}
