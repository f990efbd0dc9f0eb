//! A device, the contexts that are kept for it, and the results that are taken from it.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

use manycore::device::Word;
use manycore::model::Machine;
use manycore::{Buffer, Device, DeviceKind};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::random::Random;

/// Contexts that are kept at most: one more drops them all, as each holds tables in the device's memory.
const MOST_CONTEXTS: usize = 48;

/// Bytes of local memory and items of a group that a device is limited to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of local memory.
    pub local_bytes: usize,
    /// Items of a group.
    pub group_limit: usize,
}

type Key = (TypeId, String);

/// Where cases run.
#[derive(Debug)]
pub struct Site {
    /// The device.
    pub device: Device,
    /// The host, as a second route.
    pub host: Device,
    limits: Option<Limits>,
    most_bytes: u64,
    contexts: RefCell<HashMap<Key, Rc<dyn Any>>>,
    notes: RefCell<Map<String, Value>>,
    /// Whether results are corrupted, to test the checks.
    corrupting: bool,
    corrupted: Cell<bool>,
}

impl Site {
    /// `device`, or that device with limits, for operands of at most `most_bytes` bytes.
    pub fn new(device: &Device, limits: Option<Limits>, most_bytes: u64) -> Self {
        let device = match limits {
            Some(Limits { local_bytes, group_limit }) => device.limited(local_bytes, group_limit),
            None => device.clone(),
        };
        Self {
            device,
            host: Device::host(),
            limits,
            most_bytes,
            contexts: RefCell::default(),
            notes: RefCell::default(),
            corrupting: false,
            corrupted: Cell::new(false),
        }
    }

    /// The site with one wrong word in each result, to test that checks find it.
    #[must_use]
    pub fn corrupting(self) -> Self {
        Self { corrupting: true, ..self }
    }

    /// Whether a result was corrupted since this was asked last.
    pub fn was_corrupted(&self) -> bool {
        self.corrupted.replace(false)
    }

    /// The limits of the device.
    pub fn limits(&self) -> Option<Limits> {
        self.limits
    }

    /// Whether the device is the host.
    pub fn is_host(&self) -> bool {
        self.device.info().kind == DeviceKind::Host
    }

    /// Whether the device has double precision.
    pub fn has_f64(&self) -> bool {
        self.is_host() || self.device.info().fp64
    }

    /// The machine that contexts choose by: the typical one, so that candidates do not depend on measurements that were kept.
    pub fn machine(&self) -> Machine {
        self.device.typical_machine()
    }

    /// The largest number of values of `value_bytes` bytes that a case may have: most cases are short, and one in a hundred
    /// reaches the limit of the bytes.
    pub fn most_values(&self, random: &mut Random, value_bytes: usize) -> usize {
        let gpu = self.device.info().kind == DeviceKind::Gpu;
        let log = match random.below(100) {
            0 => 62,
            1..6 if gpu => 26,
            1..6 => 20,
            6..40 => 16,
            _ => 11,
        };
        (self.most_bytes / value_bytes as u64).min(1 << log) as usize
    }

    /// The context kept under a key, or a new one.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn context<T: 'static, E: Into<Failure>>(
        &self,
        key: impl Display,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Rc<T>, Failure> {
        let key = (TypeId::of::<T>(), key.to_string());
        let kept = self.contexts.borrow().get(&key).cloned();
        if let Some(kept) = kept.and_then(|kept| kept.downcast().ok()) {
            return Ok(kept);
        }
        let made = Rc::new(make().map_err(Into::into)?);
        let mut contexts = self.contexts.borrow_mut();
        if contexts.len() >= MOST_CONTEXTS {
            contexts.clear();
        }
        contexts.insert(key, Rc::clone(&made) as Rc<dyn Any>);
        Ok(made)
    }

    /// Drops all contexts: after a panic they may be in any state.
    pub fn forget(&self) {
        self.contexts.borrow_mut().clear();
    }

    /// Notes a parameter of the case that is found out while it runs, such as the plan.
    pub fn note(&self, name: &str, value: impl Display) {
        self.notes.borrow_mut().insert(name.to_owned(), Value::String(value.to_string()));
    }

    /// Notes the parameters that were drawn.
    pub fn note_all(&self, parameters: Map<String, Value>) {
        self.notes.borrow_mut().extend(parameters);
    }

    /// The notes since they were taken last.
    pub fn take_notes(&self) -> Map<String, Value> {
        self.notes.take()
    }

    /// The result in a buffer.
    ///
    /// # Errors
    /// As [`Buffer::download`].
    pub fn taken<T: Word>(&self, buffer: &Buffer<T>) -> Result<Vec<T>, Failure> {
        let mut words = buffer.download()?;
        self.corrupt(&mut words);
        Ok(words)
    }

    /// A result that is on the host already.
    pub fn result<T: bytemuck::Pod>(&self, mut words: Vec<T>) -> Vec<T> {
        self.corrupt(&mut words);
        words
    }

    /// Changes the second highest bit of one word: of floating-point numbers, the highest of the exponent.
    fn corrupt<T: bytemuck::Pod>(&self, words: &mut [T]) {
        if !self.corrupting || words.is_empty() {
            return;
        }
        let middle = words.len() / 2;
        if let Some(last) = bytemuck::bytes_of_mut(&mut words[middle]).last_mut() {
            *last ^= 0x40;
            self.corrupted.set(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_kept_by_type_and_key() {
        let site = Site::new(&Device::host(), None, 1 << 20);
        let made = Cell::new(0);
        let make = || {
            made.set(made.get() + 1);
            Ok::<u32, Failure>(made.get())
        };
        assert_eq!((*site.context("a", make).unwrap(), *site.context("a", make).unwrap()), (1, 1));
        assert_eq!(*site.context("b", make).unwrap(), 2);
        assert_eq!(*site.context("a", || Ok::<u64, Failure>(9)).unwrap(), 9);
        site.forget();
        assert_eq!(*site.context("a", make).unwrap(), 3);
        for key in 0..2 * MOST_CONTEXTS {
            site.context(key, make).unwrap();
        }
        assert!(site.contexts.borrow().len() <= MOST_CONTEXTS);
    }

    #[test]
    fn corrupted_results_differ_in_one_word() {
        let site = Site::new(&Device::host(), None, 1 << 20).corrupting();
        assert!(!site.was_corrupted());
        let buffer = site.device.upload(&[1.0_f64, 2.0, 0.0, 4.0]).unwrap();
        let taken = site.taken(&buffer).unwrap();
        assert!(taken[2] > 1.0 && taken[..2] == [1.0, 2.0]);
        assert!(site.was_corrupted() && !site.was_corrupted());
        assert!(site.result(Vec::<u8>::new()).is_empty());
        assert!(!site.was_corrupted());
        assert_eq!(Site::new(&Device::host(), None, 1).result(vec![7_u32]), [7]);
    }
}
