//! Launches: what is checked before a kernel runs, and what is told when it cannot.

use manycore_device::launched::{self, Launches};
use manycore_device::{Defines, Device, DeviceError, Executor, Kernel, KernelSpec, Launch, OpenCl};
use manycore_kernels::{Entry, Unit};
use manycore_testkit::{devices, opencl_devices};

static SCALE_UNIT: Unit = Unit {
    path: "tests/scale.cl",
    source: "#ifndef OFFSET\n#define OFFSET 0\n#endif\n\
             __kernel void scale(__global const float *x, __global float *y, const ulong n, const float a)\n{\n\
             \x20   const ulong i = get_global_id(0);\n    if (i < n)\n        y[i] = a * x[i] + OFFSET;\n}\n",
    parts: &[],
    entries: &[Entry::named("scale")],
    parameter_sets: &[&[]],
};

// SAFETY: its launches tell the lengths of both buffers, or are refused before they run.
manycore_device::kernel! {
    /// y = a x + OFFSET.
    unsafe SCALE in SCALE_UNIT: scale(x: input<f32>, y: buffer<f32>, n: u64, a: f32)
}

/// Declarations that the source contradicts.
mod wrong {
    use super::SCALE_UNIT;

    // SAFETY: declarations that the source contradicts are never built.
    manycore_device::kernel! {
        pub(crate) unsafe WORD in SCALE_UNIT: scale(x: input<f32>, y: buffer<u32>, n: u64, a: f32)
        pub(crate) unsafe VALUE in SCALE_UNIT: scale(x: input<f32>, y: buffer<f32>, n: u32, a: f32)
        pub(crate) unsafe BUFFER in SCALE_UNIT: scale(x: input<f32>, y: buffer<f32>, n: u64, a: input<f32>)
        pub(crate) unsafe NUMBER in SCALE_UNIT: scale(x: f32, y: buffer<f32>, n: u64, a: f32)
        pub(crate) unsafe FEWER in SCALE_UNIT: scale(x: input<f32>, y: buffer<f32>, n: u64)
        pub(crate) unsafe MORE in SCALE_UNIT: scale(x: input<f32>, y: buffer<f32>, n: u64, a: f32, b: f32)
        pub(crate) unsafe ELEMENT in SCALE_UNIT: scale(x: input<element>, y: buffer<element>, n: u64, a: element)
        pub(crate) unsafe NAME in SCALE_UNIT: scales(x: input<f32>, y: buffer<f32>, n: u64, a: f32)
    }
}

fn opencl(device: &Device) -> &OpenCl {
    match device.executor() {
        Executor::OpenCl(cl) => cl,
        Executor::Host(_) => panic!("{device:?} is no OpenCL device"),
    }
}

fn build(device: &Device, spec: &'static KernelSpec) -> Result<Kernel, DeviceError> {
    opencl(device).kernel(spec, &Defines::new())
}

/// The error that argument `index` of `scale` has the wrong shape.
#[track_caller]
fn assert_argument(outcome: Result<(), DeviceError>, at: usize, wanted: &str, came: &str) {
    match outcome {
        Err(DeviceError::Argument { kernel, index, expected, given }) => {
            assert_eq!((kernel.as_str(), index), ("scale", at));
            assert!(expected.contains(wanted), "expected {expected}");
            assert!(given.contains(came), "given {given}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn grids_are_rounded_up() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        let group = kernel.group_limit().min(32);
        for len in [0, 1, group - 1, group, group + 1, 5 * group + 3] {
            let x: Vec<f32> = (0..len).map(|i| i as f32).collect();
            let (from, mut to) = (device.upload(&x).unwrap(), device.upload(&vec![-1.0f32; len]).unwrap());
            let launch = cl.launch(&kernel).input(&from).buffer(&mut to).value(len as u64).value(3.0f32);
            launch.items(len, group).run().unwrap();
            assert_eq!(to.download().unwrap(), x.iter().map(|v| 3.0 * v).collect::<Vec<_>>(), "{device:?} {len}");
        }
    }
}

static REVERSE_UNIT: Unit = Unit {
    path: "tests/reverse.cl",
    source: "__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void reverse(__global uint *x)\n{\n\
             \x20   __local uint tile[64];\n    const uint i = get_local_id(0);\n    const size_t first = 16 * get_group_id(0);\n\
             \x20   tile[i] = x[first + i];\n    barrier(CLK_LOCAL_MEM_FENCE);\n    x[first + i] = tile[15 - i];\n}\n",
    parts: &[],
    entries: &[Entry::named("reverse")],
    parameter_sets: &[&[]],
};

// SAFETY: its launches have groups of 16 items on whole groups of 16 words.
manycore_device::kernel! {
    /// Each 16 words in reverse.
    unsafe REVERSE in REVERSE_UNIT: reverse(x: buffer<u32>)
}

#[test]
fn launches_are_observed_with_what_their_kernels_need() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &REVERSE).unwrap());
        let mut x = device.upload(&(0..48u32).collect::<Vec<_>>()).unwrap();
        let (outcome, seen) = launched::observe(|| {
            cl.launch(&kernel).buffer(&mut x).groups(3, 16).run()?;
            cl.launch(&kernel).buffer(&mut x).groups(3, 16).run()
        });
        outcome.unwrap();
        let [reverse] = &seen.kernels[..] else { panic!("{device:?}: {seen:?}") };
        assert_eq!((reverse.name, reverse.groups, reverse.group, seen.is_refused), ("reverse", 6, 16, false));
        // 64 words, where the driver tells; the largest group is no smaller than what the source requires.
        assert!(reverse.local_bytes == 0 || reverse.local_bytes >= 256, "{device:?}: {seen:?}");
        assert!(reverse.group_limit == 0 || reverse.group_limit >= 16, "{device:?}: {seen:?}");
        assert_eq!(x.download().unwrap(), (0..48).collect::<Vec<_>>());

        let (outcome, seen) = launched::observe(|| cl.launch(&kernel).buffer(&mut x).groups(3, 8).run());
        assert!(outcome.is_err());
        assert_eq!(seen, Launches { kernels: Vec::new(), is_refused: true });
        let (outcome, seen) = launched::observe(|| build(&device, &wrong::NAME).map(drop));
        assert!(outcome.is_err() && seen.is_refused && seen.kernels.is_empty());
    }
}

#[test]
fn arguments_of_another_shape_are_named() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        let x = device.zeros::<f32>(8).unwrap();
        let mut y = device.upload(&[9.0f32; 8]).unwrap();
        let mut words = device.zeros::<u32>(8).unwrap();
        let run = |launch: Launch<'_>| launch.items(8, 1).run();
        let (n, a) = (8u64, 2.0f32);

        let outcome = run(cl.launch(&kernel).input(&words).buffer(&mut y).value(n).value(a));
        assert_argument(outcome, 0, "a buffer of f32 to read", "a buffer of u32 to read");
        let outcome = run(cl.launch(&kernel).input(&x).buffer(&mut words).value(n).value(a));
        assert_argument(outcome, 1, "a buffer of f32", "a buffer of u32");
        let outcome = run(cl.launch(&kernel).input(&x).buffer(&mut y).value(8u32).value(a));
        assert_argument(outcome, 2, "a value of u64", "a value of u32");
        let outcome = run(cl.launch(&kernel).input(&x).buffer(&mut y).value(n).value(2.0f64));
        assert_argument(outcome, 3, "a value of f32", "a value of f64");

        let outcome = run(cl.launch(&kernel).value(1.0f32).buffer(&mut y).value(n).value(a));
        assert_argument(outcome, 0, "a buffer of f32 to read", "a value of f32");
        let outcome = run(cl.launch(&kernel).input(&x).buffer(&mut y).value(n).input(&x));
        assert_argument(outcome, 3, "a value of f32", "a buffer of f32 to read");
        // What is lent to be read is not given to be written; the other way round it is.
        let outcome = run(cl.launch(&kernel).input(&x).input(&x).value(n).value(a));
        assert_argument(outcome, 1, "a buffer of f32", "a buffer of f32 to read");

        let outcome = run(cl.launch(&kernel).input(&x).buffer(&mut y).value(n));
        assert_argument(outcome, 3, "a value of f32", "nothing");
        assert_argument(run(cl.launch(&kernel)), 0, "a buffer of f32 to read", "nothing");
        let outcome = run(cl.launch(&kernel).input(&x).buffer(&mut y).value(n).value(a).value(a));
        assert_argument(outcome, 4, "no more arguments", "a value of f32");
        // The first of several errors is told.
        let outcome = run(cl.launch(&kernel).input(&x).buffer(&mut y).value(a).input(&x).value(a).value(a));
        assert_argument(outcome, 2, "a value of u64", "a value of f32");

        assert_eq!(y.download().unwrap(), [9.0; 8], "{device:?}: a launch with an error ran");
        let mut x = x;
        run(cl.launch(&kernel).buffer(&mut x).buffer(&mut y).value(n).value(a)).unwrap();
        assert_eq!(y.download().unwrap(), [0.0; 8]);
    }
}

#[test]
fn declarations_that_the_source_contradicts_are_refused() {
    for device in opencl_devices() {
        let built = |spec| build(&device, spec).map(drop);
        assert_argument(built(&wrong::WORD), 1, "a buffer of u32", "float");
        assert_argument(built(&wrong::VALUE), 2, "a value of u32", "ulong");
        assert_argument(built(&wrong::BUFFER), 3, "a buffer of f32 to read", "float");
        assert_argument(built(&wrong::NUMBER), 0, "a value of f32", "float");
        assert_argument(built(&wrong::FEWER), 3, "3 arguments", "4 in tests/scale.cl");
        assert_argument(built(&wrong::MORE), 4, "5 arguments", "4 in tests/scale.cl");
        assert_argument(built(&wrong::ELEMENT), 0, "an element type", "none");
        assert!(matches!(built(&wrong::NAME), Err(DeviceError::Api { call: "clCreateKernel", .. })));
        let element = |words| opencl(&device).kernel(&wrong::ELEMENT, &Defines::new().element(words)).map(drop);
        element(manycore_device::WordType::F32).unwrap();
        assert_argument(element(manycore_device::WordType::I32), 0, "a buffer of i32 to read", "float");
    }
}

#[test]
fn groups_past_the_limit_and_of_nothing_are_refused() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        let (x, mut y) = (device.zeros::<f32>(8).unwrap(), device.upload(&[9.0f32; 8]).unwrap());
        let mut run = |groups: usize, group: usize| {
            let launch = cl.launch(&kernel).input(&x).buffer(&mut y).value(8u64).value(2.0f32);
            launch.groups(groups, group).run()
        };
        let past = kernel.group_limit() + 1;
        match run(1, past) {
            Err(DeviceError::TooLarge { what, size, limit, .. }) => {
                assert!(what.contains("scale") && (size, limit) == (past as u64, past as u64 - 1), "{what}");
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(run(usize::MAX, 2), Err(DeviceError::TooLarge { .. })));
        assert!(matches!(run(1, 0), Err(DeviceError::Length { given: 0, .. })));
        // An empty grid is no launch, and still checks its arguments.
        run(0, 1).unwrap();
        assert_argument(cl.launch(&kernel).groups(0, 1).run(), 0, "a buffer", "nothing");
        assert_argument(cl.launch(&kernel).run(), 0, "a buffer", "nothing");
        assert_eq!(y.download().unwrap(), [9.0; 8]);
    }
}

#[test]
fn views_are_passed_from_anywhere() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        let step = device.info().view_alignment_bytes / 4;
        let data: Vec<f32> = (0..3 * step).map(|i| i as f32).collect();
        let (x, mut y) = (device.upload(&data).unwrap(), device.upload(&data).unwrap());
        let (from, to) = (x.view(step..2 * step).unwrap(), y.view_mut(2 * step..).unwrap());
        let launch = cl.launch(&kernel).input(from).buffer(to).value(step as u64).value(2.0f32);
        launch.items(step, 1).run().unwrap();
        let mut expected = data.clone();
        for i in 0..step {
            expected[2 * step + i] = 2.0 * data[step + i];
        }
        assert_eq!(y.download().unwrap(), expected, "{device:?}");

        // Others are copied, and nothing beside what the kernel writes changes.
        let (from, to) = (x.view(1..step).unwrap(), y.view_mut(step - 1..2 * step).unwrap());
        let launch = cl.launch(&kernel).input(from).buffer(to).value(3u64).value(3.0f32);
        launch.items(3, 1).run().unwrap();
        for i in 0..3 {
            expected[step - 1 + i] = 3.0 * data[1 + i];
        }
        assert_eq!(y.download().unwrap(), expected, "{device:?}");
        // Their copies are theirs alone.
        let launch = cl.launch(&kernel).input(x.view(1..2).unwrap()).buffer(&mut y).value(1u64).value(1.0f32);
        launch.items(1, 1).run().unwrap();
        // SAFETY: nothing is launched.
        assert_argument(unsafe { kernel.enqueue_alone(1, 1) }, 0, "a buffer of f32 to read", "nothing");
    }
}

/// Nothing can be passed from anywhere, also from the end of a buffer that fills its block of memory.
#[test]
fn empty_views_are_passed_from_anywhere() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        for len in [0, 1, 64, 1024, 4096] {
            let (x, mut y) = (device.zeros::<f32>(len).unwrap(), device.upload(&vec![9.0f32; len]).unwrap());
            for at in [0, len / 2, len] {
                let (from, to) = (x.view(at..at).unwrap(), y.view_mut(at..at).unwrap());
                cl.launch(&kernel).input(from).buffer(to).value(0u64).value(1.0f32).items(1, 1).run().unwrap();
            }
            assert_eq!(y.download().unwrap(), vec![9.0; len]);
        }
    }
}

#[test]
fn memory_and_kernels_of_other_devices_are_refused() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        for other in devices().iter().filter(|other| **other != device) {
            let (x, mut y) = (other.zeros::<f32>(8).unwrap(), device.zeros::<f32>(8).unwrap());
            let outcome = cl.launch(&kernel).input(&x).buffer(&mut y).value(8u64).value(1.0f32).items(8, 1).run();
            let Err(DeviceError::MixedDevices { expected, given }) = outcome else { panic!("{outcome:?}") };
            assert!(expected.starts_with(&device.info().id) && given.starts_with(&other.info().id));
            if let Executor::OpenCl(other_cl) = other.executor() {
                let foreign = build(other, &SCALE).unwrap();
                let (x, mut y) = (device.zeros::<f32>(8).unwrap(), device.zeros::<f32>(8).unwrap());
                let outcome = cl.launch(&foreign).input(&x).buffer(&mut y).value(8u64).value(1.0f32).items(8, 1).run();
                assert!(matches!(outcome, Err(DeviceError::MixedDevices { .. })), "{outcome:?}");
                let outcome = other_cl.launch(&foreign).input(&x).run();
                assert!(matches!(outcome, Err(DeviceError::MixedDevices { .. })), "{outcome:?}");
            }
        }
    }
}

#[test]
fn threads_launch_one_kernel_each_with_its_own_arguments() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        std::thread::scope(|scope| {
            for thread in 0..4u32 {
                let (device, kernel) = (&device, &kernel);
                scope.spawn(move || {
                    let len = 500 + thread as usize;
                    let x = device.upload(&vec![1.0f32; len]).unwrap();
                    for round in 0..50u32 {
                        let a = (1000 * thread + round) as f32;
                        let mut y = device.scratch::<f32>(len).unwrap();
                        let launch = cl.launch(kernel).input(&x).buffer(&mut y).value(len as u64).value(a);
                        launch.items(len, 16).run().unwrap();
                        assert!(y.download().unwrap() == vec![a; len], "{device:?} thread {thread}");
                    }
                });
            }
        });
    }
}

#[test]
fn launches_built_at_the_same_time_have_arguments_of_their_own() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        let x = device.upload(&[1.0f32; 8]).unwrap();
        let mut outputs: Vec<_> = (0..3).map(|_| device.zeros::<f32>(8).unwrap()).collect();
        for round in 1..4 {
            let mut launches: Vec<_> =
                outputs.iter_mut().map(|y| cl.launch(&kernel).input(&x).buffer(y).value(8u64)).collect();
            // One is never run, and one fails.
            drop(cl.launch(&kernel).input(&x));
            assert_argument(cl.launch(&kernel).input(&x).value(1.0f32).run(), 1, "a buffer of f32", "a value of f32");
            for a in (0..3).rev() {
                launches.remove(a).value((10 * round + a) as f32).items(8, 1).run().unwrap();
            }
            drop(launches);
            for (a, y) in outputs.iter().enumerate() {
                assert_eq!(y.download().unwrap(), [(10 * round + a) as f32; 8], "{device:?}");
            }
        }
    }
}

#[test]
fn arguments_follow_when_memory_is_freed_and_had_again() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        for round in 0..20 {
            let x = device.upload(&[round as f32; 64]).unwrap();
            let mut y = device.zeros::<f32>(64).unwrap();
            cl.launch(&kernel).input(&x).buffer(&mut y).value(64u64).value(2.0f32).items(64, 1).run().unwrap();
            assert_eq!(y.download().unwrap(), [2.0 * round as f32; 64], "{device:?}");
            drop((x, y));
            cl.trim().unwrap();
        }
    }
}

#[test]
fn a_kernel_is_enqueued_alone_with_its_last_arguments() {
    for device in opencl_devices() {
        let (cl, kernel) = (opencl(&device), build(&device, &SCALE).unwrap());
        // SAFETY: only this test uses the buffers of its launches, each grid has at most their 64 elements, and the
        // kernel guards the surplus.
        let enqueue_alone = |groups, group| unsafe { kernel.enqueue_alone(groups, group) };
        assert_argument(enqueue_alone(8, 1), 0, "a buffer of f32 to read", "nothing");
        let mut x = device.upload(&[1.0f32; 64]).unwrap();
        let mut y = device.zeros::<f32>(64).unwrap();
        let launch = cl.launch(&kernel).input(&x).buffer(&mut y).value(64u64).value(2.0f32);
        launch.items(64, 1).run().unwrap();
        x.fill(5.0).unwrap();
        enqueue_alone(32, 2).unwrap();
        assert_eq!(y.download().unwrap(), [10.0; 64], "{device:?}");
        enqueue_alone(0, 1).unwrap();
        assert!(matches!(enqueue_alone(1, 0), Err(DeviceError::Length { given: 0, .. })));
        assert!(matches!(enqueue_alone(1, kernel.group_limit() + 1), Err(DeviceError::TooLarge { .. })));
        // What it was given may be freed.
        cl.trim().unwrap();
        assert_argument(enqueue_alone(8, 1), 0, "a buffer of f32 to read", "nothing");
        let step = device.info().view_alignment_bytes / 4;
        let z = device.zeros::<f32>(2 * step).unwrap();
        let launch = cl.launch(&kernel).input(z.view(..step).unwrap()).buffer(&mut y).value(1u64).value(2.0f32);
        launch.items(1, 1).run().unwrap();
        assert_argument(enqueue_alone(1, 1), 0, "a buffer of f32 to read", "nothing");
    }
}

#[test]
fn kernels_of_another_handle_s_context_are_refused() {
    for device in opencl_devices() {
        let limited = device.limited(1 << 10, 32);
        let kernel = build(&limited, &SCALE).unwrap();
        let x = device.zeros::<f32>(8).unwrap();
        let outcome = opencl(&device).launch(&kernel).input(&x).run();
        assert!(matches!(outcome, Err(DeviceError::MixedDevices { .. })), "{outcome:?}");
    }
}
