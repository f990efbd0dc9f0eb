//! Programs: what defines do, and what is told of a source that does not compile.

use std::sync::Barrier;

use manycore_device::{Defines, Device, DeviceError, Executor, OpenCl};
use manycore_kernels::{Entry, Part, Unit};
use manycore_testkit::opencl_devices;

static BROKEN: Unit = Unit {
    path: "kernels/tests/broken.cl",
    source: "__kernel void broken(__global uint *x)\n{\n    x[0] = 1u;\n    x[1] = undeclared_name;\n}\n",
    parts: &[&SOUND_PART],
    entries: &[Entry::named("broken")],
    parameter_sets: &[&[]],
};

static SOUND_PART: Part =
    Part { path: "kernels/tests/sound.clh", source: "inline uint twice(const uint x)\n{\n    return 2u * x;\n}\n" };

static BROKEN_PART: Part = Part {
    path: "kernels/tests/broken.clh",
    source: "uint twice(const uint x);\n\nuint twice(const uint x) { return y; }\n",
};

static WITH_BROKEN_PART: Unit = Unit {
    path: "kernels/tests/with_broken_part.cl",
    source: "__kernel void with_broken_part(__global uint *x)\n{\n    x[0] = twice(x[0]);\n}\n",
    parts: &[&SOUND_PART_2, &BROKEN_PART],
    entries: &[Entry::named("with_broken_part")],
    parameter_sets: &[&[]],
};

static SOUND_PART_2: Part = Part { path: "kernels/tests/empty.clh", source: "\n\n\n" };

/// Two units with one path, as two crates could have them.
static ONE: Unit = Unit {
    path: "kernels/tests/same.cl",
    source: "__kernel void same(__global uint *x) { x[0] = 1u; }\n",
    parts: &[],
    entries: &[Entry::named("same")],
    parameter_sets: &[&[]],
};

static TWO: Unit = Unit {
    path: "kernels/tests/same.cl",
    source: "__kernel void same(__global uint *x) { x[0] = 2u; }\n",
    parts: &[],
    entries: &[Entry::named("same")],
    parameter_sets: &[&[]],
};

static VALUE: Unit = Unit {
    path: "kernels/tests/value.cl",
    source: "#ifndef N\n#define N 3u\n#endif\n__kernel void value(__global uint *x) { x[0] = N; }\n",
    parts: &[],
    entries: &[Entry::named("value")],
    parameter_sets: &[&[]],
};

// SAFETY: each is launched by one item, on a buffer of one word, if it is built at all.
manycore_device::kernel! {
    unsafe BROKEN_KERNEL in BROKEN: broken(x: buffer<u32>)
    unsafe PART_KERNEL in WITH_BROKEN_PART: with_broken_part(x: buffer<u32>)
    unsafe FIRST_KERNEL in ONE: same(x: buffer<u32>)
    unsafe SECOND_KERNEL in TWO: same(x: buffer<u32>)
    unsafe VALUE_KERNEL in VALUE: value(x: buffer<u32>)
}

fn opencl(device: &Device) -> &OpenCl {
    match device.executor() {
        Executor::OpenCl(cl) => cl,
        Executor::Host(_) => panic!("{device:?} is no OpenCL device"),
    }
}

#[test]
fn a_build_failure_names_file_line_defines_and_log() {
    for device in opencl_devices() {
        let defines = Defines::new().set("N", 5).set("LOG_TILE", 12);
        let error = opencl(&device).kernel(&BROKEN_KERNEL, &defines).unwrap_err();
        let text = error.to_string();
        let DeviceError::Build { unit, line, defines, device: name, log } = error else { panic!("{error}") };
        assert_eq!((unit.as_str(), line), ("kernels/tests/broken.cl", Some(4)), "{log}");
        assert_eq!(defines, "-DN=5 -DLOG_TILE=12");
        assert_eq!(name, device.info().name);
        assert!(log.contains("undeclared_name"), "{log}");
        for part in ["kernels/tests/broken.cl:4", "-DN=5 -DLOG_TILE=12", "undeclared_name", name.as_str()] {
            assert!(text.contains(part), "{part} is not in: {text}");
        }
    }
}

#[test]
fn a_failure_in_a_part_names_the_part() {
    for device in opencl_devices() {
        match opencl(&device).kernel(&PART_KERNEL, &Defines::new()) {
            Err(DeviceError::Build { unit, line, log, .. }) => {
                assert_eq!((unit.as_str(), line), ("kernels/tests/broken.clh", Some(3)), "{log}");
            }
            other => panic!("{other:?}"),
        }
    }
}

fn result_of(device: &Device, spec: &'static manycore_device::KernelSpec, defines: &Defines) -> u32 {
    let cl = opencl(device);
    let kernel = cl.kernel(spec, defines).unwrap();
    let mut x = device.zeros::<u32>(1).unwrap();
    cl.launch(&kernel).buffer(&mut x).groups(1, 1).run().unwrap();
    x.download().unwrap()[0]
}

#[test]
fn units_of_one_path_are_two_programs() {
    for device in opencl_devices() {
        assert_eq!(result_of(&device, &FIRST_KERNEL, &Defines::new()), 1);
        assert_eq!(result_of(&device, &SECOND_KERNEL, &Defines::new()), 2);
        assert_eq!(result_of(&device, &FIRST_KERNEL, &Defines::new()), 1);
    }
}

#[test]
fn defines_set_their_names_and_nothing_else() {
    for device in opencl_devices() {
        assert_eq!(result_of(&device, &VALUE_KERNEL, &Defines::new()), 3);
        assert_eq!(result_of(&device, &VALUE_KERNEL, &Defines::new().set("N", "7u")), 7);
        assert_eq!(result_of(&device, &VALUE_KERNEL, &Defines::new().set("N", 8)), 8);
        for value in ["1u -DM=2", "1u\0", "1u\n"] {
            let outcome = opencl(&device).kernel(&VALUE_KERNEL, &Defines::new().set("N", value)).map(drop);
            assert!(matches!(outcome, Err(DeviceError::Build { .. })), "{value:?}: {outcome:?}");
        }
    }
}

#[test]
fn threads_build_one_program_at_the_same_time() {
    for device in opencl_devices() {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4u32)
                .map(|i| {
                    let device = &device;
                    scope.spawn(move || result_of(device, &VALUE_KERNEL, &Defines::new().set("N", 100 + i % 2)))
                })
                .collect();
            let results: Vec<u32> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            assert_eq!(results, [100, 101, 100, 101], "{device:?}");
        });
    }
}

/// Threads, as those of lanes, that want kernels of one program at the same time, which the compiler is wished something for: each
/// asks the runtime for the program's binary, and PoCL's clGetProgramInfo is for one thread at a time.
#[test]
fn threads_wish_for_one_program_at_the_same_time() {
    for device in opencl_devices() {
        for registers in 1..=20 {
            let defines = Defines::new().registers(registers);
            let begin = Barrier::new(4);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        begin.wait();
                        assert_eq!(result_of(&device, &VALUE_KERNEL, &defines), 3, "{}", device.info().label());
                    });
                }
            });
        }
    }
}
