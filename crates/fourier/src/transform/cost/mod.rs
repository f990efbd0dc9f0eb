//! Counts of the stages of a plan: values moved, operations on numbers, accesses of tiles, launches.
//!
//! A stage reads and writes its values once; within tiles it does a few operations for every value and step. So the
//! number of passes decides where memory is slow, the radices of the steps where arithmetic is.
//!
//! What is read again from the nearest cache (twiddles, and the rows of a dense pass on an OpenCL device) counts as an
//! access of local memory. Addresses are not counted.
//!
//! | file | what |
//! |---|---|
//! | `shape` | functions on a group, and the stages of a plan for them |
//! | `operations` | operations on numbers |
//! | `stages` | counts and kernels of the stages |

mod operations;
mod shape;
mod stages;

use std::sync::Arc;

use manycore_model::{DoesNotFit, Machine, Program};
use manycore_tuning::Costed;

use super::device::prepare::padded;
use super::plan::parameters::Plan;
use super::plan::slots::Stages;
pub use shape::Shape;

/// Fourier transforms as the planner sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Transforms {
    /// Bytes of local memory of a work-group.
    pub local_bytes: usize,
}

/// The binary logarithms of the values of the host's tiles: in bytes from a core's first cache to its second one. Of
/// equal estimates the smallest tiles come first, which leave the most of a cache or of a compute unit's local memory.
const LOG_HOST_TILES: std::ops::RangeInclusive<u32> = 11..=15;
/// The binary logarithms of the values of tiles on OpenCL devices.
const LOG_DEVICE_TILES: std::ops::RangeInclusive<u32> = 10..=13;
/// The binary logarithms of the values of tiles on devices whose local memory holds no larger tile; the largest that fits is taken.
const LOG_SMALL_TILES: std::ops::RangeInclusive<u32> = 5..=9;

impl Costed for Transforms {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "fourier"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Plan> {
        let fits = |log: &u32| padded(1 << log).saturating_mul(shape.value_bytes) <= self.local_bytes;
        let mut logs: Vec<u32> =
            if shape.on_host { LOG_HOST_TILES.collect() } else { LOG_DEVICE_TILES.filter(fits).collect() };
        if logs.is_empty() {
            logs.extend(LOG_SMALL_TILES.rev().find(fits));
        }
        // Primes beyond registers by chirps, the smallest ones by the definition, or all of them.
        let dense: Vec<u64> = std::iter::once(shape.limits.largest_radix).chain(shape.large_primes()).collect();
        let mut plans: Vec<(Plan, Stages)> = Vec::new();
        for log in logs {
            for (&largest_dense, powers_of_two) in dense.iter().flat_map(|prime| [(prime, false), (prime, true)]) {
                let mut plan = Plan { tile_values: 1 << log, largest_dense, powers_of_two, passes: Arc::default() };
                let stages = shape.stages(&plan);
                plan.passes = stages.names().into();
                // Tiles of other sizes may be cut otherwise under the same names, or be the same where they hold all.
                if !plans.iter().any(|(_, other)| *other == stages) {
                    plans.push((plan, stages));
                }
            }
        }
        plans.into_iter().map(|(plan, _)| plan).collect()
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for placed in &shape.stages(plan).list {
            program.queue(if shape.on_host {
                shape.host_kernel(placed, machine)
            } else {
                shape.device_kernel(placed, machine)
            })?;
        }
        Ok(program)
    }

    fn gives_same_bits(&self, shape: &Shape, one: &Plan, other: &Plan) -> bool {
        !shape.word.is_floating() || shape.arithmetic(one) == shape.arithmetic(other)
    }
}

#[cfg(test)]
mod tests {
    use manycore_characters::{Complexes, Residues};
    use manycore_field::{Goldilocks, PrimeField};
    use manycore_model::Kernel;
    use manycore_model::machine::Class;
    use manycore_tuning::{Candidate, choose};

    use super::super::plan::stages::{Method, Step, TilePass};
    use super::*;
    use crate::numbers::Numbers;

    fn class() -> Class {
        Class {
            name: "a device".into(),
            vendor: String::new(),
            processors: 100,
            clock_hz: 1_000_000_000,
            local_bytes: 48 << 10,
            block_threads: 1024,
            fp64: true,
        }
    }

    const ON_DEVICE: Transforms = Transforms { local_bytes: 48 << 10 };
    const ON_HOST: Transforms = Transforms { local_bytes: usize::MAX };

    fn on_device<N: Numbers>(numbers: &N, factors: &[u64], batch: usize) -> Shape {
        Shape::new(factors, batch, numbers, (false, 100))
    }

    fn plan(tile_values: usize, largest_dense: u64) -> Plan {
        Plan { tile_values, largest_dense, powers_of_two: false, passes: Arc::default() }
    }

    fn kernels(shape: &Shape, plan: &Plan) -> Vec<Kernel> {
        let program = ON_DEVICE.program(shape, plan, &class().gpu()).unwrap();
        program.kernels().to_vec()
    }

    #[test]
    fn a_tile_counts_its_steps() {
        // 16 * 16 rows of 16 columns, in 64 tiles.
        let shape = on_device(&Complexes::<f32>::new(), &[256], 1024);
        let [tile] = &kernels(&shape, &plan(4096, 13))[..] else { panic!("one pass") };
        // Two steps of 16 transforms of 16 numbers: 64 sums of 2, 10 quarters, 6 eighths and 4 products of 4; the first
        // one with 15 twiddles.
        let column = 2 * 16 * (128 + 10 + 24 + 16) + 16 * 15 * 4;
        assert_eq!(tile.work(), Some(column * 1024));
        assert_eq!(tile.traffic_bytes(), 2 * 8 * 256 * 1024);
        assert_eq!((tile.block_count(), tile.threads()), (64, 256));
        // The twiddles of one step.
        assert_eq!(tile.table_bytes(), 8 * 15 * 16);
    }

    #[test]
    fn passes_count_their_twiddles() {
        // 2^20 = 1024 * 1024, with one table of twiddle factors for neither.
        let kernels = kernels(&on_device(&Complexes::<f32>::new(), &[1 << 20], 1), &plan(4096, 13));
        let one_pass = |values: u128| 2 * 8 * values;
        assert!(kernels.len() > 1 && kernels.iter().all(|kernel| kernel.traffic_bytes() == one_pass(1 << 20)));
        // Two products for each value of all passes but the last.
        let plain = on_device(&Complexes::<f32>::new(), &[1 << 20], 1);
        let counts = |cofactor: usize| {
            let pass = TilePass {
                outer: 1,
                rows: 2,
                cofactor,
                inner: 1,
                method: Method::Steps(vec![Step { radix: 2, stride: 1, inner: 1, place: 1 }]),
                units_each: 1,
                run_each: 1,
            };
            plain.tile(&pass).operations
        };
        assert_eq!([counts(1), counts(2048), counts(2049)], [4, 4 + 2 * 4, 4 + 2 * 2 * 4]);
    }

    #[test]
    fn dense_passes_count_every_term() {
        let shape = on_device(&Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap()), &[331], 1000);
        // Then a copy, back to where the values were.
        let [dense, copy] = &kernels(&shape, &plan(1024, 331))[..] else { panic!("two passes") };
        // A product of 5 operations and a sum of 3.
        assert!(dense.work() >= Some(8 * 330 * 331 * 1000) && dense.work() <= Some(8 * 331 * 331 * 1001));
        assert_eq!([dense, copy].map(Kernel::traffic_bytes), [2 * 4 * 331 * 1000; 2]);
        assert_eq!(copy.work(), Some(0));
    }

    #[test]
    fn chirps_are_best_for_large_primes_only() {
        let best = |numbers: &Complexes<f32>, n: u64, on_host: bool| {
            let (operation, machine) = if on_host { (ON_HOST, class().host()) } else { (ON_DEVICE, class().gpu()) };
            let shape = Shape::new(&[n], 1 << 10, numbers, (on_host, 100));
            choose(&operation, &shape, &machine).unwrap().best().parameters.passes.clone()
        };
        for on_host in [false, true] {
            assert!(best(&Complexes::new(), 100_003, on_host).iter().any(|pass| pass == "chirp"));
            let short = best(&Complexes::new(), 17, on_host);
            assert!(short.iter().all(|pass| pass != "chirp"), "{short:?}");
        }
    }

    #[test]
    fn fewer_passes_are_better_where_memory_is_slow() {
        let shape = on_device(&Complexes::<f32>::new(), &[1 << 22], 1);
        let choice = choose(&ON_DEVICE, &shape, &class().gpu()).unwrap();
        let passes = |candidate: &Candidate<Plan>| candidate.parameters.passes.len();
        let least = choice.candidates().iter().map(passes).min();
        assert_eq!(Some(passes(choice.best())), least, "{choice}");
    }

    #[test]
    fn candidates_are_few_and_differ_in_their_names() {
        // The product of the primes from 17 to 53.
        let many = [17, 19 * 23, 29 * 31, 37 * 41, 43 * 47, 53];
        for factors in [&[1u64 << 16][..], &[1009, 2, 3], &[100_003], &many, &[2; 20], &[1000, 1000]] {
            for on_host in [false, true] {
                let (operation, machine) = if on_host { (ON_HOST, class().host()) } else { (ON_DEVICE, class().gpu()) };
                let shape = Shape::new(factors, 1, &Complexes::<f64>::new(), (on_host, 4));
                let names: Vec<String> =
                    operation.candidates(&shape, &machine).iter().map(ToString::to_string).collect();
                let different: std::collections::BTreeSet<&String> = names.iter().collect();
                assert!(different.len() == names.len() && names.len() < 100, "{factors:?}: {names:?}");
            }
        }
    }

    #[test]
    fn counts_of_the_largest_groups_do_not_overflow() {
        let numbers = Residues::new(Goldilocks);
        // A prime near 2^52, for which there are no chirps modulo the Goldilocks prime.
        for factors in [&[4_503_599_627_370_449u64][..], &[1 << 31, 1 << 20], &[3, 1 << 50]] {
            for (operation, machine, on_host) in [(ON_DEVICE, class().gpu(), false), (ON_HOST, class().host(), true)] {
                let shape = Shape::new(factors, 1, &numbers, (on_host, 100));
                for candidate in choose(&operation, &shape, &machine).unwrap().candidates() {
                    assert!(candidate.estimate.seconds > 1.0, "{}", candidate.parameters);
                }
            }
        }
    }

    #[test]
    fn arithmetic_tells_which_bits_are_the_same() {
        let numbers = Complexes::<f32>::new();
        let shape = on_device(&numbers, &[1 << 14], 1);
        let plans = ON_DEVICE.candidates(&shape, &class().gpu());
        let same = |a: &Plan, b: &Plan| ON_DEVICE.gives_same_bits(&shape, a, b);
        for (a, b) in plans.iter().flat_map(|a| plans.iter().map(move |b| (a, b))) {
            assert_eq!(same(a, b), a.passes == b.passes, "{a} {b}");
        }
        let shape = on_device(&Residues::new(Goldilocks), &[1 << 14], 1);
        let plans = ON_DEVICE.candidates(&shape, &class().gpu());
        assert!(plans.iter().all(|plan| ON_DEVICE.gives_same_bits(&shape, plan, &plans[0])));
    }
}
