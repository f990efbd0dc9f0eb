//! The check that a machine's numbers are plausible.

use super::Machine;
use crate::error::MachineError;
use crate::operation::Operation;

impl Machine {
    /// The machine itself, if its numbers make sense.
    ///
    /// # Errors
    /// [`MachineError`] names the parameter: counts of zero, numbers that are not finite or negative, rates and seconds
    /// outside of what any machine has, levels out of order.
    pub fn checked(self) -> Result<Self, MachineError> {
        let counts = [
            ("processors", u64::from(self.processors)),
            ("local_bytes", self.local_bytes),
            ("block_threads", u64::from(self.block_threads)),
        ];
        if let Some(&(parameter, _)) = counts.iter().find(|(_, count)| *count == 0) {
            return Err(MachineError::Zero { parameter });
        }
        // Products and quotients of such numbers and of counts are finite.
        let positive = |value: f64| (1e-9..=1e30).contains(&value);
        let at_least_0 = |value: f64| value == 0.0 || positive(value);
        let seconds = |value: f64| (0.0..=1e9).contains(&value);
        let numbers = [
            ("clock_hz", self.clock_hz, positive(self.clock_hz)),
            ("rates.int32", self.rates.int32, positive(self.rates.int32)),
            ("rates.int64", self.rates.int64, positive(self.rates.int64)),
            ("rates.f32", self.rates.f32, positive(self.rates.f32)),
            ("rates.f64", self.rates.f64, at_least_0(self.rates.f64)),
            ("rates.scalar", self.rate(Operation::Scalar), positive(self.rate(Operation::Scalar))),
            ("operation_latency_seconds", self.operation_latency_seconds, seconds(self.operation_latency_seconds)),
            ("bandwidth", self.bandwidth, positive(self.bandwidth)),
            ("processor_bandwidth", self.processor_bandwidth, positive(self.processor_bandwidth)),
            ("local_bandwidth", self.local_bandwidth, positive(self.local_bandwidth)),
            ("local_bandwidth_8_bytes", self.local_rate(8), positive(self.local_rate(8))),
            ("launch_seconds", self.launch_seconds, seconds(self.launch_seconds)),
            ("round_trip_seconds", self.round_trip_seconds, seconds(self.round_trip_seconds)),
        ];
        if let Some(&(parameter, value, _)) = numbers.iter().find(|(.., good)| !good) {
            return Err(MachineError::NotPositive { parameter, value });
        }
        let rates = self.segments.iter().map(|segment| ("segments", segment.rate));
        let mut rates = rates.chain(self.caches.iter().map(|cache| ("caches", cache.rate)));
        if let Some((parameter, value)) = rates.find(|(_, value)| !positive(*value)) {
            return Err(MachineError::NotPositive { parameter, value });
        }
        let lengths = self.segments.iter().map(|segment| ("segments", segment.bytes));
        let mut lengths = lengths.chain(self.caches.iter().map(|cache| ("caches", cache.bytes)));
        if let Some((parameter, _)) = lengths.find(|(_, bytes)| *bytes == 0) {
            return Err(MachineError::Zero { parameter });
        }
        if !self.segments.is_sorted_by_key(|segment| segment.bytes) {
            return Err(MachineError::Order { parameter: "segments" });
        }
        if !self.caches.is_sorted_by_key(|cache| cache.bytes) {
            return Err(MachineError::Order { parameter: "caches" });
        }
        Ok(self)
    }
}
