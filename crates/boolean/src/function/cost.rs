//! What the spectra of a function cost: signs, the passes of a Walsh transform, and one reading for the sums; for the
//! autocorrelation the same again with words of 8 bytes. All of it is bound by memory.

use std::fmt;

use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Program};

/// The spectra of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spectra {
    /// Whether they are computed on the host.
    pub on_host: bool,
}

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// The number of variables.
    pub variables: u32,
    /// Whether the autocorrelation follows the Walsh spectrum.
    pub autocorrelation: bool,
}

/// How: there is one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Passes {
    /// Passes over memory of each Walsh transform.
    pub transform: u32,
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "signs, {} passes a transform, sums", self.transform)
    }
}

impl Costed for Spectra {
    type Size = Size;
    type Parameters = Passes;

    fn name(&self) -> &'static str {
        "boolean"
    }

    fn candidates(&self, size: &Size, _: &Machine) -> Vec<Passes> {
        // A pass does what fits a tile: about 2^13 words of local memory, or of a cache.
        vec![Passes { transform: size.variables.div_ceil(13).max(1) }]
    }

    fn program(&self, size: &Size, passes: &Passes, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let items = if self.on_host { 1 } else { 256.min(machine.block_threads.max(1)) };
        let values = 1u64 << size.variables;
        let groups = (values / u64::from(items) / if self.on_host { 1 << 14 } else { 16 }).max(1);
        let each = values.div_ceil(groups * u64::from(items));
        // Words of 4 bytes for each value.
        let kernel = |name: &str, operations: u64, reads: u64, writes: u64| {
            Kernel::new(name, items)
                .blocks(Blocks::even(groups, items, each * operations, each * reads, each * writes))
                .traffic_words(values * (reads + writes))
                .footprint_bytes(4 * values * reads.max(writes))
        };
        let stages = u64::from(size.variables.div_ceil(passes.transform.max(1)));
        program.queue(kernel("boolean_signs", 2, 0, 1))?;
        for _ in 0..passes.transform {
            program.queue(kernel("walsh", 2 * stages, 1, 1))?;
        }
        program.queue(kernel("boolean_classes", 12, 1, 0))?;
        if size.autocorrelation {
            program.queue(kernel("boolean_squares", 2, 1, 2))?;
            for _ in 0..passes.transform {
                program.queue(kernel("walsh", 4 * stages, 2, 2))?;
            }
            program.queue(kernel("boolean_shifted", 2, 2, 1))?;
            program.queue(kernel("boolean_classes", 12, 1, 0))?;
        }
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_model::choose;
    use manycore_model::machine::Class;

    #[test]
    fn time_grows_with_the_values() {
        let class = Class {
            name: "a GPU".into(),
            vendor: String::new(),
            processors: 100,
            clock_hz: 0,
            local_bytes: 48 << 10,
            block_threads: 1024,
            fp64: true,
        };
        for (on_host, machine) in [(false, class.gpu()), (true, class.host())] {
            let seconds = |variables, autocorrelation| {
                let size = Size { variables, autocorrelation };
                choose(&Spectra { on_host }, &size, &machine).unwrap().best().prediction.seconds
            };
            assert!(seconds(0, false) > 0.0);
            // Past all caches.
            let ratio = seconds(30, false) / seconds(26, false);
            assert!((8.0..32.0).contains(&ratio), "{ratio}");
            assert!(seconds(26, true) > 2.0 * seconds(26, false));
        }
    }
}
