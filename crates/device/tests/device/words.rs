//! Arguments that are structs of a few numbers, passed by value.

use manycore_device::{Defines, Device, DeviceError, Executor, OpenCl, Words};
use manycore_kernels::{Entry, Unit};
use manycore_testkit::opencl_devices;

static HORNER_UNIT: Unit = Unit {
    path: "tests/horner.cl",
    source: "#ifndef TERMS\n#define TERMS 4\n#endif\n\
             typedef struct {\n    uint of[TERMS];\n} coefficients;\n\n\
             __kernel void horner(__global uint *x, const coefficients c)\n{\n\
             \x20   const uint at = x[get_global_id(0)];\n\
             \x20   x[get_global_id(0)] = ((c.of[3] * at + c.of[2]) * at + c.of[1]) * at + c.of[0];\n}\n",
    parts: &[],
    entries: &[Entry::named("horner")],
    parameter_sets: &[&[]],
};

// SAFETY: its launches have one item for each word of the buffer.
manycore_device::kernel! {
    /// x = c0 + c1 x + c2 x^2 + c3 x^3.
    unsafe HORNER in HORNER_UNIT: horner(x: buffer<u32>, c: words<u32; TERMS>)

    /// Declared as another argument than the source has.
    unsafe NUMBER in HORNER_UNIT: horner(x: words<u32; TERMS>, c: words<u32; TERMS>)
}

fn opencl(device: &Device) -> &OpenCl {
    match device.executor() {
        Executor::OpenCl(cl) => cl,
        Executor::Host(_) => panic!("{device:?} is no OpenCL device"),
    }
}

#[test]
fn launches_take_the_words_that_they_are_given() {
    for device in opencl_devices() {
        let cl = opencl(&device);
        let kernel = cl.kernel(&HORNER, &Defines::new().set("TERMS", 4)).unwrap();
        let values = [0u32, 1, 2, 10, u32::MAX];
        // The same words twice, others, and equal ones in another place: an argument that stays is not set again.
        for c in [[5u32, 0, 0, 1], [5, 0, 0, 1], [1, 2, 3, 4], [u32::MAX; 4], [1, 2, 3, 4]] {
            let mut x = device.upload(&values).unwrap();
            cl.launch(&kernel).buffer(&mut x).words(&Words::new(&c)).groups(values.len(), 1).run().unwrap();
            let expected = values.map(|x| c.iter().rev().fold(0, |sum: u32, &c| sum.wrapping_mul(x).wrapping_add(c)));
            assert_eq!(x.download().unwrap(), expected, "{device:?} {c:?}");
        }
    }
}

#[test]
fn words_of_another_type_or_number_are_refused() {
    for device in opencl_devices() {
        let cl = opencl(&device);
        let kernel = cl.kernel(&HORNER, &Defines::new().set("TERMS", 4)).unwrap();
        let mut x = device.upload(&[7u32; 4]).unwrap();
        let outcome = cl.launch(&kernel).buffer(&mut x).words(&Words::new(&[1u64; 2])).groups(4, 1).run();
        let Err(DeviceError::Argument { index: 1, expected, given, .. }) = outcome else { panic!("{outcome:?}") };
        assert_eq!((expected.as_str(), given.as_str()), ("a struct of 4 u32", "a struct of 2 u64"));
        let outcome = cl.launch(&kernel).buffer(&mut x).value(1u32).groups(4, 1).run();
        assert!(matches!(outcome, Err(DeviceError::Argument { index: 1, .. })), "{outcome:?}");
        for count in [0, 1, 3, 5] {
            let words = Words::new(&vec![1u32; count]);
            let outcome = cl.launch(&kernel).buffer(&mut x).words(&words).groups(4, 1).run();
            assert!(matches!(outcome, Err(DeviceError::Argument { index: 1, .. })), "{device:?} {count}: {outcome:?}");
        }
        assert_eq!(x.download().unwrap(), [7; 4], "{device:?}: a launch with an error ran");
    }
}

#[test]
fn a_buffer_declared_as_words_is_refused_and_so_is_an_unknown_number() {
    for device in opencl_devices() {
        let outcome = opencl(&device).kernel(&HORNER, &Defines::new());
        assert!(matches!(outcome, Err(DeviceError::Argument { index: 1, .. })), "{device:?}: {outcome:?}");
        let outcome = opencl(&device).kernel(&NUMBER, &Defines::new().set("TERMS", 4));
        assert!(matches!(outcome, Err(DeviceError::Argument { index: 0, .. })), "{device:?}: {outcome:?}");
    }
}
