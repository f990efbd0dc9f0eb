//! Predicted speed-ups of more devices and more hosts, from times on one and two: a part of each host that its devices do not divide, or of
//! one host alone (Amdahl, Validity of the single processor approach, 1967), a part that they divide, and the network.

/// An operation as it was measured on one host, and what it sends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Seconds on one device.
    pub one: f64,
    /// Seconds on two equal devices of one host; none where only one was measured, so that all counts as divided.
    pub two: Option<f64>,
    /// What becomes of the part that does not divide where there are many hosts.
    pub rest: Rest,
    /// Bytes between host and devices, both ways together.
    pub bus_bytes: f64,
    /// What changes the host where there are many.
    pub exchange: Exchange,
}

/// What the devices of one host do not divide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Work of the host with its data, such as copies: of many hosts each has its part.
    OfHost,
    /// Work that one host does in the end, such as putting remainders together.
    Once,
}

/// What hosts send each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Exchange {
    /// Nothing to speak of: each host has its part of the input, and keeps that of the result.
    None,
    /// The bytes of an all-to-all exchange in total, as between the passes of a transform or in a sort: each of `p` hosts sends `1 / p` of
    /// them, apart from its own part.
    Slabs(f64),
    /// Hosts stand in a square, and each gets what those of its row and of its column have, as in products of matrices: `bytes / sqrt(p)`,
    /// where `bytes` are the rows and columns that all entries of the result are made of, each once.
    Grid(f64),
}

impl Exchange {
    /// The bytes that a host gets.
    pub fn bytes_of_host(self, hosts: u32) -> f64 {
        let hosts = f64::from(hosts.max(1));
        let others = (hosts - 1.0) / hosts;
        match self {
            Self::None => 0.0,
            Self::Slabs(bytes) => bytes / hosts * others,
            Self::Grid(bytes) => bytes / hosts.sqrt() * others,
        }
    }
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
    /// What one host does in the end.
    Once,
    /// The memory of each host, and its threads, which its devices share.
    Host,
    /// The network.
    Network,
}

impl Bound {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Devices => "devices",
            Self::Once => "what one host does",
            Self::Host => "the host",
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
    /// The seconds that devices of one host do not divide: what two take beyond half the time of one.
    pub fn undivided_seconds(&self) -> f64 {
        self.two.map_or(0.0, |two| (2.0 * two - self.one).clamp(0.0, self.one))
    }

    /// The time on a system: what is done once, and for each host what its devices do not divide, the rest divided by the devices but no
    /// faster than the memory of the host, and the exchange, of which all hosts do their part at the same time.
    ///
    /// ```
    /// use manycore_cluster::predict::{Bound, Exchange, Measured, Rest, System};
    /// let exchange = Exchange::Slabs(8e9);
    /// let sort = Measured { one: 1.0, two: Some(0.55), rest: Rest::OfHost, bus_bytes: 16e9, exchange };
    /// let system = System { hosts: 1, devices: 8, host_bandwidth: 200e9, network_bandwidth: 25e9 };
    /// let eight = sort.on(&system);
    /// assert!((eight.seconds - (0.1 + 0.9 / 8.0)).abs() < 1e-9);
    /// assert_eq!(eight.bound, Bound::Devices);
    /// ```
    pub fn on(&self, system: &System) -> Prediction {
        let (hosts, devices) = (f64::from(system.hosts.max(1)), f64::from(system.devices.max(1)));
        let undivided = self.undivided_seconds();
        let (once, own) = match self.rest {
            Rest::OfHost => (0.0, undivided / hosts),
            Rest::Once => (undivided, 0.0),
        };
        let divided = (self.one - undivided) / (hosts * devices);
        let memory = self.bus_bytes / hosts / system.host_bandwidth;
        let network = self.exchange.bytes_of_host(system.hosts) / system.network_bandwidth;
        // What a host does not divide is time with its memory, too.
        let host = (own + divided).max(memory) - divided;
        let seconds = once + host + divided + network;
        let parts = [(Bound::Devices, divided), (Bound::Host, host), (Bound::Once, once), (Bound::Network, network)];
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
        for rest in [Rest::OfHost, Rest::Once] {
            let measured = Measured { one: 2.0, two: Some(1.2), rest, bus_bytes: 1e9, exchange: Exchange::Slabs(1e9) };
            assert!((measured.on(&SYSTEM).seconds - 2.0).abs() < 1e-12);
            assert!((measured.on(&System { devices: 2, ..SYSTEM }).seconds - 1.2).abs() < 1e-12);
            // Two that take more than one, and less than half of it.
            assert!((Measured { two: Some(3.0), ..measured }.undivided_seconds() - 2.0).abs() < 1e-12);
            assert!(Measured { two: Some(0.9), ..measured }.undivided_seconds().abs() < 1e-12);
        }
    }

    #[test]
    fn what_bounds_is_named() {
        let measured =
            Measured { one: 1.0, two: Some(0.5), rest: Rest::OfHost, bus_bytes: 10e9, exchange: Exchange::None };
        let on = |hosts, devices, measured: Measured| measured.on(&System { hosts, devices, ..SYSTEM });
        assert_eq!(on(1, 8, measured).bound, Bound::Devices);
        // 0.1 s of memory beside 1 / 64.
        assert_eq!(on(1, 64, measured).bound, Bound::Host);
        assert!((on(1, 64, measured).seconds - 0.1).abs() < 1e-12);
        assert!((on(64, 64, measured).seconds - 0.1 / 64.0).abs() < 1e-12);
        let once = on(64, 8, Measured { two: Some(0.51), rest: Rest::Once, ..measured });
        assert_eq!(once.bound, Bound::Once);
        assert!(once.seconds > 0.02);
        let own = on(64, 8, Measured { two: Some(0.7), ..measured });
        assert!(own.bound == Bound::Host && (own.seconds - 0.4 / 64.0 - 0.6 / 512.0).abs() < 1e-12);
        let sends = on(64, 8, Measured { exchange: Exchange::Slabs(100e9), ..measured });
        assert_eq!(sends.bound, Bound::Network);
        assert!(sends.efficiency < 0.05 && (sends.speedup - 1.0 / sends.seconds).abs() < 1e-9);
        assert!((Exchange::Grid(16e9).bytes_of_host(4) - 6e9).abs() < 1.0);
        assert!(Exchange::Grid(1e9).bytes_of_host(1).abs() < 1e-9);
    }
}
