//! What the arithmetics cost, in multiply-adds.

use manycore_device::{Device, Executor, WordType};
use manycore_field::Arithmetic;
use manycore_model::{Machine, Operation};

/// What an arithmetic's butterflies and products by known factors cost, in multiply-adds of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) operation: Operation,
    pub(super) butterfly: u64,
    pub(super) product: u64,
}

pub(super) const fn price(arithmetic: Arithmetic) -> Price {
    match arithmetic {
        Arithmetic::Word32 => Price { operation: Operation::Int32, butterfly: 5, product: 4 },
        Arithmetic::Word64 { lazy: true } => Price { operation: Operation::Int64, butterfly: 5, product: 4 },
        Arithmetic::Word64 { lazy: false } => Price { operation: Operation::Int64, butterfly: 7, product: 5 },
        Arithmetic::Goldilocks => Price { operation: Operation::Int64, butterfly: 7, product: 6 },
        Arithmetic::Floating => Price { operation: Operation::F64, butterfly: 9, product: 6 },
    }
}

/// The type of an arithmetic's words in memory.
pub(in crate::ntt) const fn element(arithmetic: Arithmetic) -> WordType {
    match arithmetic {
        Arithmetic::Word32 => WordType::U32,
        _ => WordType::U64,
    }
}

/// The arithmetic whose butterflies the device does fastest, of those that hold for a field. `slowdown` tells how many times
/// as long an arithmetic's operations take as the machine says, and is asked only where there is a choice.
pub(in crate::ntt) fn fastest(
    arithmetics: &[Arithmetic],
    device: &Device,
    machine: &Machine,
    slowdown: impl Fn(Arithmetic) -> f64,
) -> Arithmetic {
    let on_opencl = matches!(device.executor(), Executor::OpenCl(_));
    let possible = |arithmetic: &Arithmetic| *arithmetic != Arithmetic::Floating || (device.info().fp64 && on_opencl);
    let possible: Vec<Arithmetic> = arithmetics.iter().copied().filter(possible).collect();
    if let [only] = possible[..] {
        return only;
    }
    let seconds = |arithmetic: Arithmetic| {
        let price = price(arithmetic);
        price.butterfly as f64 / machine.rate(price.operation) * slowdown(arithmetic)
    };
    let timed = possible.into_iter().map(|arithmetic| (arithmetic, seconds(arithmetic)));
    // Every field has an arithmetic of integers.
    timed.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(Arithmetic::Word64 { lazy: false }, |(arithmetic, _)| arithmetic)
}
