//! What more devices and more hosts bring, from times on one and two: a serial part (Amdahl, Validity of the single processor
//! approach, 1967), parts that divide, and what all devices of a host share.

/// An operation as it was measured on one host, and what it sends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Seconds on one device.
    pub one: f64,
    /// Seconds on two equal devices of one host; none where only one was measured, so that no part counts as serial.
    pub two: Option<f64>,
    /// Bytes between host and devices, both ways together.
    pub bus_bytes: f64,
    /// Bytes that change the host where there are many, each counted once.
    pub exchanged_bytes: f64,
}

/// Hosts with equal devices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct System {
    /// The number of hosts.
    pub hosts: u32,
    /// Devices of each.
    pub devices: u32,
    /// Bytes a second between a host's memory and all its devices, both ways together.
    pub host_bandwidth: f64,
    /// Bytes a second that a host sends, while it receives as many.
    pub network_bandwidth: f64,
}

/// What bounds a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// What devices do side by side.
    Devices,
    /// What follows each other.
    Serial,
    /// The memory of each host, which its devices share.
    HostMemory,
    /// The network.
    Network,
}

impl Bound {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Devices => "devices",
            Self::Serial => "the serial part",
            Self::HostMemory => "the host's memory",
            Self::Network => "the network",
        }
    }
}

/// A predicted time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Seconds in all.
    pub seconds: f64,
    /// The time on one device over that.
    pub speedup: f64,
    /// The speed-up over the number of devices.
    pub efficiency: f64,
    /// What takes most of it.
    pub bound: Bound,
}

impl Measured {
    /// The seconds that do not divide: what two devices take beyond half the time of one.
    pub fn serial_seconds(&self) -> f64 {
        self.two.map_or(0.0, |two| (2.0 * two - self.one).clamp(0.0, self.one))
    }

    /// The time on a system: the serial part, the rest divided by the devices but no faster than the memory of the hosts, and the
    /// exchange, of which hosts send equal parts at the same time.
    ///
    /// ```
    /// use manycore_cluster::predict::{Bound, Measured, System};
    /// let sort = Measured { one: 1.0, two: Some(0.55), bus_bytes: 16e9, exchanged_bytes: 8e9 };
    /// let system = System { hosts: 1, devices: 8, host_bandwidth: 200e9, network_bandwidth: 25e9 };
    /// let eight = sort.on(&system);
    /// assert!((eight.seconds - (0.1 + 0.9 / 8.0)).abs() < 1e-9);
    /// assert_eq!(eight.bound, Bound::Devices);
    /// ```
    pub fn on(&self, system: &System) -> Prediction {
        let (hosts, devices) = (f64::from(system.hosts.max(1)), f64::from(system.devices.max(1)));
        let serial = self.serial_seconds();
        let divided = (self.one - serial) / (hosts * devices);
        let host = self.bus_bytes / hosts / system.host_bandwidth;
        let network = self.exchanged_bytes * (hosts - 1.0) / hosts / hosts / system.network_bandwidth;
        let seconds = serial + divided.max(host) + network;
        let parts = [
            (Bound::Devices, divided),
            (Bound::HostMemory, if host > divided { host } else { 0.0 }),
            (Bound::Serial, serial),
            (Bound::Network, network),
        ];
        let bound = parts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Bound::Devices, |part| part.0);
        let speedup = if seconds > 0.0 { self.one / seconds } else { 1.0 };
        Prediction { seconds, speedup, efficiency: speedup / (hosts * devices), bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYSTEM: System = System { hosts: 1, devices: 1, host_bandwidth: 100e9, network_bandwidth: 10e9 };

    #[test]
    fn the_measured_times_come_back() {
        let measured = Measured { one: 2.0, two: Some(1.2), bus_bytes: 1e9, exchanged_bytes: 1e9 };
        assert!((measured.on(&SYSTEM).seconds - 2.0).abs() < 1e-12);
        assert!((measured.on(&System { devices: 2, ..SYSTEM }).seconds - 1.2).abs() < 1e-12);
        // Two that take more than one, and less than half of it.
        assert!((Measured { two: Some(3.0), ..measured }.serial_seconds() - 2.0).abs() < 1e-12);
        assert!(Measured { two: Some(0.9), ..measured }.serial_seconds().abs() < 1e-12);
    }

    #[test]
    fn what_bounds_is_named() {
        let measured = Measured { one: 1.0, two: Some(0.5), bus_bytes: 10e9, exchanged_bytes: 0.0 };
        let on = |hosts, devices, measured: Measured| measured.on(&System { hosts, devices, ..SYSTEM });
        assert_eq!(on(1, 8, measured).bound, Bound::Devices);
        assert_eq!(on(1, 16, measured).bound, Bound::HostMemory);
        assert!((on(1, 64, measured).seconds - 0.1).abs() < 1e-12);
        assert_eq!(on(64, 8, Measured { two: Some(0.51), ..measured }).bound, Bound::Serial);
        let sends = on(64, 8, Measured { exchanged_bytes: 100e9, ..measured });
        assert_eq!(sends.bound, Bound::Network);
        assert!(sends.efficiency < 0.05 && (sends.speedup - 1.0 / sends.seconds).abs() < 1e-9);
    }
}
