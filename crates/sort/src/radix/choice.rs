//! The choice among the plans of sorts.

use manycore_device::{Buffer, Executor, OpenCl, Word};
use manycore_tuning::{Choice, NoChoice, Operation, Proof, proof};

use super::cost::SortCosts;
use super::device::{Sort, passes_tile};
use super::lengths;
use super::plan::{SortPlan, SortShape};
use super::reference::places;
use super::sorter::Sorter;
use super::words::{Radix, Value};
use crate::digits::Flip;
use crate::error::SortError;
use crate::key::Key;

impl Sorter {
    /// The choice that is taken for so many keys `K`, alone or with values `V`: every plan with an estimate, the chosen one first, and
    /// the origin of the choice. Where the device is to be measured ([`Device::tuned`](manycore_device::Device::tuned)) and this shape was not yet, the plans are
    /// measured now.
    ///
    /// # Errors
    /// [`SortError::NoChoice`] where no plan suits the device; [`SortError::Device`] where there is no memory for a measurement.
    #[inline(never)]
    pub fn explain<K: Key, V: Value>(&self, keys: usize, with_values: bool) -> Result<Choice<SortPlan>, SortError> {
        let sorting = Sorting::<K::Bits, V::Bits>::new(self, K::FLIP, with_values);
        self.planner.choice(&sorting, &keys)
    }

    /// Sorts keys on an OpenCL device, with values beside them where there are any, by the plan that is taken.
    #[inline(never)]
    pub(super) fn on_device<W: Radix, V: Word>(
        &self,
        cl: &OpenCl,
        keys: &mut Buffer<W>,
        values: Option<&mut Buffer<V>>,
        flip: Flip<W>,
    ) -> Result<(), SortError> {
        let len = keys.len();
        if len <= 1 {
            return Ok(());
        }
        let shape = SortShape { key: W::TYPE, value: values.is_some().then_some(V::TYPE), len };
        let with_values = values.is_some();
        let ask = |_: &SortShape| Ok(self.planner.ask(Sorting::<W, V>::new(self, flip, with_values), len));
        match values {
            None => self.chosen.run_in_place(keys, shape, ask, |&plan, keys| {
                Ok(Sort::<W, V> { planner: &self.planner, cl, keys, values: None, flip }.by(plan)?)
            }),
            Some(values) => {
                let plan = self.chosen.plan(shape, ask)?;
                Ok(Sort { planner: &self.planner, cl, keys, values: Some(values), flip }.by(plan)?)
            }
        }
    }
}

/// Sorts of keys `W`, alone or with values `V`.
pub(super) struct Sorting<'a, W: Word, V: Word> {
    sorter: &'a Sorter,
    costs: SortCosts<'a>,
    flip: Flip<W>,
    with_values: bool,
    _values: std::marker::PhantomData<V>,
}

/// Keys as they come, memory to sort them in, and values.
pub(super) struct Trial<W: Word, V: Word> {
    unsorted: Buffer<W>,
    keys: Buffer<W>,
    values: Option<Buffer<V>>,
}

impl<'a, W: Radix, V: Word> Sorting<'a, W, V> {
    pub(super) fn new(sorter: &'a Sorter, flip: Flip<W>, with_values: bool) -> Self {
        let bytes = (size_of::<W>(), if with_values { size_of::<V>() } else { 0 });
        let costs = SortCosts { device: sorter.device(), asked: sorter.asked, bytes };
        Self { sorter, costs, flip, with_values, _values: std::marker::PhantomData }
    }

    fn sort(&self, keys: &mut Buffer<W>, values: Option<&mut Buffer<V>>, plan: SortPlan) -> Result<(), SortError> {
        match self.sorter.device().executor() {
            // The host has one plan, of which nothing is measured: values of any word go by their places.
            Executor::Host(pool) => {
                let (device, keys) = (self.sorter.device(), keys.host_mut()?);
                let Some(values) = values else { return W::on_host(device, pool, keys, self.flip) };
                let mut order = lengths::places(keys.len())?;
                W::with_words(device, pool, keys, &mut order, self.flip)?;
                let unsorted = values.download()?;
                order.iter().zip(values.host_mut()?).for_each(|(&place, value)| *value = unsorted[place as usize]);
                Ok(())
            }
            Executor::OpenCl(cl) => {
                let planner = &self.sorter.planner;
                Ok(Sort { planner, cl, keys, values, flip: self.flip }.by(plan)?)
            }
        }
    }
}

impl<'a, W: Radix, V: Word> Operation for Sorting<'a, W, V> {
    type Costs = SortCosts<'a>;
    type Trial = Trial<W, V>;
    type Error = SortError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &SortCosts<'a> {
        &self.costs
    }

    fn family(&self, _: &usize) -> String {
        match self.costs.bytes {
            (_, 0) => format!("sort, {}", W::TYPE.name()),
            (_, value) => format!("sort, {} with {value} bytes", W::TYPE.name()),
        }
    }

    fn sizes(&self, &len: &usize) -> Vec<usize> {
        vec![len]
    }

    /// What makes words in the order of the keys, which the programs know.
    fn constants(&self, _: &usize) -> String {
        format!("{:?}", self.flip)
    }

    fn is_empty(&self, &len: &usize) -> bool {
        len <= 1
    }

    fn refused(&self, _: &usize, none: NoChoice) -> SortError {
        let (key, value) = self.costs.bytes;
        let tile = match self.sorter.device().executor() {
            Executor::OpenCl(cl) if self.sorter.asked.is_none() => passes_tile(cl.info(), key + value).err(),
            _ => None,
        };
        tile.map_or_else(|| none.into(), SortError::from)
    }

    fn trial(&self, &len: &usize) -> Result<Self::Trial, SortError> {
        let device = self.sorter.device();
        let unsorted = device.upload(&proof::known_words::<W>(len, 1))?;
        let values = self.with_values.then(|| device.upload(&proof::known_words::<V>(len, 2))).transpose()?;
        Ok(Trial { unsorted, keys: device.scratch(len)?, values })
    }

    fn try_plan(&self, _: &usize, trial: &mut Self::Trial, &plan: &SortPlan) -> Result<(), SortError> {
        trial.keys.copy_from(&trial.unsorted)?;
        self.sort(&mut trial.keys, trial.values.as_mut(), plan)
    }

    /// Keys of a few tiles, half of them within a byte, beside those of the host.
    fn proof(&self, &len: &usize, &plan: &SortPlan) -> Result<Proof, SortError> {
        let len = len.min(3 * plan.tile() + 5);
        let words = proof::known_words::<W>(len, 3);
        let mut keys = words.clone();
        for key in keys.iter_mut().step_by(2) {
            *key = W::of_u64(key.to_u64() & 0xff);
        }
        let order = places(&keys, self.flip);
        let device = self.sorter.device();
        let values = proof::known_words::<V>(len, 4);
        let (mut found, mut found_values) = (device.upload(&keys)?, device.upload(&values)?);
        self.sort(&mut found, self.with_values.then_some(&mut found_values), plan)?;
        let expected: Vec<W> = order.iter().map(|&i| keys[i]).collect();
        let of_keys = Proof::of_words(&found.download()?, &expected);
        if !self.with_values {
            return Ok(of_keys);
        }
        let expected: Vec<V> = order.iter().map(|&i| values[i]).collect();
        Ok(of_keys.and(Proof::of_words(&found_values.download()?, &expected)))
    }
}
