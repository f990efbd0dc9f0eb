//! The checks of the cases can fail, and each operation has some.

use std::collections::BTreeMap;

use manycore::Device;
use manycore_soak::{Outcome, Soak, operations};

/// Every operation's check can fail: a wrong word in a result is told.
#[test]
fn wrong_results_are_told() {
    let mut soak = Soak::new(Some(1 << 14)).corrupting();
    let mut caught: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..600 {
        let line = soak.case(&Device::host(), seed);
        if soak.was_corrupted() {
            assert_eq!(line.outcome, Outcome::Wrong, "{line:?}");
            assert!(line.reason.is_some() && line.again.is_some());
            *caught.entry(line.operation).or_default() += 1;
        } else {
            assert_ne!(line.outcome, Outcome::Wrong, "{line:?}");
        }
    }
    for operation in operations::all() {
        assert!(caught.contains_key(operation.name), "{} was never corrupted: {caught:?}", operation.name);
    }
}
