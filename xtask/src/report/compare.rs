//! The pairing of other codes' figures with ours.

use super::data::{Measurement, Peer, Report};

impl Measurement {
    /// Whether it is the library's operation forward, to the order that costs least, which other codes compute too.
    pub(crate) fn is_plain(&self) -> bool {
        !self.baseline
            && matches!(self.order.as_str(), "" | "hadamard" | "bit-reversed")
            && !self.algorithm.ends_with("inverse")
    }
}

impl Report {
    /// Whether a case is the same work as a peer's figure, on a device of its class with as many threads: forward, to
    /// the order that costs least.
    pub(crate) fn comparable(&self, case: &Measurement, peer: &Peer) -> bool {
        let environment = &self.environments[case.environment];
        let threads = case.threads.or(if environment.class == "cpu" { environment.processors } else { None });
        (&case.operation, &case.element) == (&peer.operation, &peer.element)
            && (case.log_len, case.batch, &case.size) == (peer.log_len, peer.batch, &peer.size)
            && self.beside(case.environment, peer)
            && (peer.threads.is_none() || threads == peer.threads)
            && case.is_plain()
    }

    /// Whether a peer's figures stand beside a device: of its class, else of the same machine.
    pub(crate) fn beside(&self, environment: usize, peer: &Peer) -> bool {
        match self.environments[environment].class.as_str() {
            "" => self.same_machine(environment, peer),
            _ if peer.class.is_empty() => self.same_machine(environment, peer),
            // OpenCL on a processor stands beside that processor's codes.
            "cpu" => peer.class == "host",
            class => peer.class == class,
        }
    }

    /// Whether a peer's figure was measured on this machine.
    pub(crate) fn same_machine(&self, environment: usize, peer: &Peer) -> bool {
        let name = self.environments[environment].name.as_str();
        name.contains(&peer.machine) || peer.machine.contains(name)
    }
}
