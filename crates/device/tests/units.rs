//! Every unit of the library builds under each of its parameter sets on every OpenCL device.

use manycore_device::{Device, DeviceError, Executor};
use manycore_kernels::{Defines, Entry, UNITS, Unit};
use manycore_testkit::opencl_devices;

fn build(device: &Device, unit: &'static Unit, set: Defines) -> Result<(), DeviceError> {
    let Executor::OpenCl(cl) = device.executor() else { panic!("{device:?} is no OpenCL device") };
    cl.try_build(unit, set)
}

#[test]
fn every_unit_builds_under_every_parameter_set() {
    for device in opencl_devices() {
        for unit in UNITS {
            for &set in unit.parameter_sets {
                let outcome = build(&device, unit, set);
                if set.contains(&("ELEMENT", "double")) && !device.info().fp64 {
                    assert!(matches!(outcome, Err(DeviceError::Unsupported { .. })), "{} {set:?}", unit.path);
                } else {
                    outcome.unwrap_or_else(|error| panic!("{} {set:?} on {device:?}: {error}", unit.path));
                }
            }
        }
    }
}

/// The check above can fail: a name that stands in no source is found missing.
#[test]
fn an_entry_that_is_not_in_the_source_is_an_error() {
    static MISNAMED: Unit = Unit {
        path: "tests/misnamed.cl",
        source: "__kernel void one(__global uint *x) { x[0] = 1u; }\n",
        parts: &[],
        entries: &[Entry::named("two")],
        parameter_sets: &[&[]],
    };
    for device in opencl_devices() {
        let outcome = build(&device, &MISNAMED, &[]);
        assert!(matches!(outcome, Err(DeviceError::Api { call: "clCreateKernel", .. })), "{outcome:?}");
    }
}

#[test]
fn double_without_fp64_is_unsupported() {
    static DOUBLES: Unit = Unit {
        path: "tests/doubles.cl",
        source: "__kernel void twice(__global ELEMENT *x) { x[0] = x[0] + x[0]; }\n",
        parts: &[],
        entries: &[Entry::named("twice")],
        parameter_sets: &[&[("ELEMENT", "double")]],
    };
    for device in opencl_devices() {
        let outcome = build(&device, &DOUBLES, DOUBLES.parameter_sets[0]);
        if device.info().fp64 {
            outcome.unwrap();
        } else {
            assert!(matches!(outcome, Err(DeviceError::Unsupported { .. })), "{outcome:?}");
        }
    }
}
