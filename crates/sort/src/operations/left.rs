//! Sorts of numbers that are left in their file, because they are more than memory holds: into a file without a name.

use std::fmt;
use std::io::{self, Write};

use manycore_device::DeviceSet;
use manycore_operation::files::Format;
use manycore_operation::json::Json;
use manycore_operation::left::{Mapped, Numbers, Scratch};
use manycore_operation::verify::{Passed, SplitMix};
use manycore_operation::{Answer, Job, JsonForm, OperationError, Stream, Streamed, Value, unmade};

use super::check;
use super::keys::SortKey;
use super::options::{Options, order_name};
use crate::radix::sorter::Sorter;

/// A sort.
pub(super) struct Left<K> {
    options: Options,
    numbers: Numbers,
    x: Mapped<K>,
    sorted: Option<Scratch<K>>,
}

impl<K: SortKey> Left<K> {
    /// The sort of the numbers of a file, which `x` are.
    pub(super) fn new(options: Options, numbers: Numbers, x: Mapped<K>) -> Self {
        Self { options, numbers, x, sorted: None }
    }

    /// It as a job.
    pub(super) fn boxed(options: Options, x: Mapped<K>, numbers: Numbers) -> Box<dyn Job> {
        Box::new(Self::new(options, numbers, x))
    }
}

impl<K: SortKey> Job for Left<K> {
    fn is_shared(&self) -> bool {
        true
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let (mut keys, mut sorted) = (self.numbers.copy::<K>()?, self.numbers.copy::<K>()?);
        Sorter::over(devices)?.sort_into(&mut keys, &mut sorted, self.options.order)?;
        self.sorted = Some(sorted);
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let sorted = self.sorted.as_ref().ok_or_else(unmade)?;
        let compare = |a: &K, b: &K| self.options.compare(a, b);
        Ok(check::left(&self.x, sorted, compare, K::bits, SplitMix::new(seed))?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { options, sorted, .. } = *self;
        let Some(sorted) = sorted else { return Answer::of(Value::None) };
        let (len, count) = (sorted.len(), options.count(sorted.len()));
        let answer = Answer::of(Value::Streamed(Streamed::new(First { sorted, count })));
        let answer = answer.with("length", len).with("type", K::NAME);
        let answer = answer.with("order", order_name(options.order)).with("places", options.is_of_places);
        answer.with("first", options.first)
    }
}

/// The first of the sorted numbers.
struct First<K> {
    sorted: Scratch<K>,
    count: usize,
}

impl<K: SortKey> First<K> {
    fn numbers(&self) -> &[K] {
        self.sorted.get(..self.count).unwrap_or_default()
    }
}

impl<K: SortKey> fmt::Debug for First<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sorted numbers in a file", self.count)
    }
}

impl<K: SortKey> Stream for First<K> {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        Format::Text.write(out, self.numbers())
    }

    fn write_array(&self, out: &mut dyn Write) -> io::Result<()> {
        Format::Npy.write(out, self.numbers())
    }

    fn json(&self) -> JsonForm<'_> {
        JsonForm::Whole(serde_json::to_value(K::value(self.numbers().to_vec())).unwrap_or(Json::Null))
    }
}
