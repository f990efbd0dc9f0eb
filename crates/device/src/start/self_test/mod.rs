//! Known-answer tests of an OpenCL device at its first use with a driver, and what follows from them.
//!
//! Drivers have miscompiled high words of products, 64-bit products and divisions in double precision; a library whose
//! results are exact cannot take a primitive on trust. So the first use of a device runs each primitive that kernels rely on
//! with inputs at the edges of their ranges and pseudo-random ones, by the functions that kernels are made of, and compares
//! with results that the host computes in plain integers of 128 bits. What was found is kept as a cache file
//! under device, driver and the kernels' text, so that later processes read a small file.
//!
//! | file | what |
//! |---|---|
//! | `test` | one test: a kernel, operands, and rows of expected results; the comparison |
//! | `words` | integers and single precision |
//! | `group` | work-item numbers, local memory, atomics |
//! | `double` | double precision |
//! | `residues` | arithmetic modulo p |
//! | `kept` | what was found, as a cache file |

mod double;
mod group;
mod kept;
mod residues;
mod test;
mod words;

use self::test::Test;
use crate::error::DeviceError;
use crate::info::DeviceInfo;
use crate::opencl::defines::Defines;
use crate::opencl::executor::OpenCl;
use crate::opencl::spec::KernelSpec;
use crate::proof::Proof;

pub use crate::failure::{Failure, NeededBy, SELF_TEST_VARIABLE};
pub use crate::proof::{SelfTest, SelfTestMode};

/// All tests for a device with groups of at most `group_limit` items; `fp64`: with double precision.
fn tests(fp64: bool, group_limit: usize) -> Vec<Test> {
    let mut tests = vec![words::test(), group::test(group_limit)];
    tests.extend(residues::integers());
    if fp64 {
        tests.extend([double::test(), residues::floating()]);
    }
    tests
}

/// What an earlier process found of a device; `None` where nothing is kept, or tests run in any case.
pub(crate) fn kept(info: &DeviceInfo) -> Option<Proof> {
    match SelfTestMode::from_env().ok()? {
        SelfTestMode::Auto => kept::load(info),
        SelfTestMode::Always | SelfTestMode::Off => None,
    }
}

/// The kernels of the tests, and the probe of local memory, which nearly every operation needs first.
pub(crate) fn kernels(info: &DeviceInfo, broken: Option<&str>) -> Vec<(&'static KernelSpec, Defines)> {
    let tests = tests(info.fp64, info.group_limit);
    let of = |test: &Test| (test.kernel, test.defines_with(broken.and_then(|name| test.break_number(name))));
    tests.iter().map(of).chain([OpenCl::probe_of_local_memory()]).collect()
}

/// Finds out what a device that was just opened computes right: `bench` is a handle of its own, which is trusted and whose
/// launches are in no profile. With `broken`, as if that primitive were computed wrong; then nothing is kept.
///
/// # Errors
/// [`DeviceError::Variable`] for an unknown value of the variable; [`DeviceError::Build`] and [`DeviceError::Api`] where a test
/// of what everything needs did not run.
pub(crate) fn prove(bench: &OpenCl, broken: Option<&str>) -> Result<Proof, DeviceError> {
    if SelfTestMode::from_env()? == SelfTestMode::Off {
        return Ok(Proof::trusted());
    }
    let (mut failures, mut repeated) = (Vec::new(), true);
    bench.build_together(&kernels(bench.info(), broken));
    for test in tests(bench.info().fp64, bench.info().group_limit) {
        let first = failures_of(bench, &test, broken)?;
        if first.is_empty() {
            continue;
        }
        // A fault of a moment is no property of the driver: it counts, but is not kept.
        let again = failures_of(bench, &test, broken)?;
        repeated &= first.iter().map(|failure| &failure.primitive).eq(again.iter().map(|failure| &failure.primitive));
        failures.extend(first);
    }
    let proof = Proof::of(failures);
    if repeated && broken.is_none() {
        // Where it cannot be kept, the next process tests again.
        kept::save(bench.info(), &proof);
    }
    Ok(proof)
}

fn failures_of(bench: &OpenCl, test: &Test, broken: Option<&str>) -> Result<Vec<Failure>, DeviceError> {
    match (test.run)(bench, test, broken.and_then(|primitive| test.break_number(primitive))) {
        Ok(found) => Ok(test.compare(&found)),
        // What everything needs must be there. What only double precision needs may be missing.
        Err(error) if test.needed_by == NeededBy::Everything => Err(error),
        Err(error) => Ok(vec![test.did_not_run(&error)]),
    }
}

/// The primitives that self-tests know, by the names that [`Failure::primitive`] has.
pub fn primitives() -> Vec<String> {
    tests(true, usize::MAX).iter().flat_map(|test| test.rows.iter().map(|row| row.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primitives_have_names_of_their_own() {
        let mut names = primitives();
        let count = names.len();
        assert!(count > 100, "{count}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// Each test's right results pass, and one wrong word of a row is found, with its row, input and place.
    #[test]
    fn one_wrong_word_is_found_in_every_row() {
        for test in tests(true, usize::MAX) {
            let right = test.right();
            assert_eq!(test.compare(&right), [], "{}", test.kernel.entry());
            for row in &test.rows {
                for place in [0, row.expected.len() / 2, row.expected.len() - 1] {
                    let mut wrong = right.clone();
                    wrong[row.start + place] ^= 1 << 63 | 1;
                    let failures = test.compare(&wrong);
                    let [failure] = failures.as_slice() else { panic!("{}: {failures:?}", row.name) };
                    assert_eq!((&failure.primitive, failure.needed_by), (&row.name, test.needed_by));
                    assert!(failure.found != failure.expected && !failure.input.is_empty(), "{failure:?}");
                }
            }
            // Results that are missing are wrong.
            assert_eq!(test.compare(&right[..right.len() - 1]).len(), 1);
            assert_eq!(test.compare(&[]).len(), test.rows.len());
        }
    }

    #[test]
    fn what_fails_decides_what_is_refused() {
        let info = DeviceInfo { id: "opencl:7".into(), ..crate::Device::host().info().clone() };
        for test in tests(true, usize::MAX) {
            let proof = Proof::of(test.compare(&[]));
            let refused = proof.refusal(&info);
            assert_eq!(refused.is_some(), test.needed_by == NeededBy::Everything, "{}", test.kernel.entry());
            if let Some(error) = &refused {
                let DeviceError::SelfTest { device, failure, .. } = error else { panic!("{error:?}") };
                assert!(device.contains("opencl:7") && failure.primitive == test.rows[0].name, "{error}");
                let text = error.to_string();
                assert!(
                    !text.contains('\n') && text.contains(&failure.primitive) && text.contains(SELF_TEST_VARIABLE),
                    "{text}"
                );
            }
            assert_eq!(proof.double(), test.needed_by != NeededBy::Double, "{}", test.kernel.entry());
            let products = test.needed_by == NeededBy::Everything;
            assert_eq!(proof.double_products(), products, "{}", test.kernel.entry());
        }
        let all_well = Proof::of(Vec::new());
        assert!(all_well.refusal(&info).is_none() && all_well.double() && all_well.double_products());
    }
}
