//! Programs of users' own OpenCL C: built, compared with signatures, launched beside the library's work.
#![cfg(feature = "opencl")]

use manycore_device::{Defines, Device, DeviceError, Extent, Signature, SourceKernel, WordType, Words};
use manycore_testkit::opencl_devices;
use proptest::prelude::*;

const SOURCE: &str = r"
typedef struct { uint x, y, z; } three;

__kernel void saxpy(const float a, __global const float *x, __global float *y)
{
    const size_t i = get_global_id(0);
    y[i] += a * x[i];
}

__kernel void places(__global uint *out, const uint2 scale, const three add)
{
    const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] =
        scale.x * (uint)x + scale.y * (uint)y + add.z * (uint)z + add.x + add.y * get_work_dim();
}

__kernel void sums(__constant ulong *x, __local ulong *scratch, __global ulong *sums)
{
    const size_t l = get_local_id(0);
    scratch[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        ulong sum = 0;
        for (size_t i = 0; i < get_local_size(0); i++) sum += scratch[i];
        sums[get_group_id(0)] = sum;
    }
}

__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void tiles(__global uint *sizes)
{
    sizes[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1);
}
";

fn saxpy_signature() -> Signature {
    Signature::new().value::<f32>().input::<f32>().buffer::<f32>()
}

fn kernel(device: &Device, name: &str, signature: Signature) -> SourceKernel {
    device.compile(SOURCE).unwrap().kernel(name, signature).unwrap()
}

fn saxpy(kernel: &SourceKernel, device: &Device, a: f32, x: &[f32], y: &[f32], group: Option<usize>) -> Vec<f32> {
    let (xs, mut ys) = (device.upload(x).unwrap(), device.upload(y).unwrap());
    let launch = kernel.launch().value(a).input(&xs).buffer(&mut ys);
    let launch = match group {
        Some(group) => launch.group(group),
        None => launch,
    };
    // SAFETY: an item for each of the values, of which there are as many in `x` as in `y`.
    unsafe { launch.run(x.len()).unwrap() };
    ys.download().unwrap()
}

#[test]
fn a_kernel_follows_and_precedes_the_librarys_work() {
    for device in opencl_devices() {
        let kernel = kernel(&device, "saxpy", saxpy_signature());
        assert_eq!((kernel.name(), kernel.group_limit() > 0), ("saxpy", true));
        let mut x = device.zeros::<f32>(1000).unwrap();
        let mut y = device.zeros::<f32>(1000).unwrap();
        for round in 1..=20 {
            x.fill(round as f32).unwrap();
            // SAFETY: an item for each value of both.
            unsafe { kernel.launch().value(2.0f32).input(&x).buffer(&mut y).run(1000).unwrap() };
        }
        assert_eq!(y.download().unwrap(), [420.0; 1000]);
        // A part of a buffer, where the device takes it.
        let words = device.info().view_alignment_bytes.div_ceil(4);
        let mut y = device.zeros::<f32>(4 * words).unwrap();
        let part = y.view_mut(words..2 * words).unwrap();
        // SAFETY: an item for each value of the part; `x` has as many at least.
        unsafe { kernel.launch().value(1.0f32).input(&x).buffer(part).run(words.min(1000)).unwrap() };
        let expected = |i| if i / words == 1 && i % words < 1000 { 20.0 } else { 0.0 };
        assert_eq!(y.download().unwrap(), (0..4 * words).map(expected).collect::<Vec<f32>>());
    }
}

#[test]
fn grids_have_up_to_three_dimensions() {
    for device in opencl_devices() {
        let signature = Signature::new().buffer::<u32>().words::<u32>(2).words::<u32>(3);
        let kernel = kernel(&device, "places", signature);
        let grids: [(Extent, [usize; 3], u32); 4] = [
            (7.into(), [7, 1, 1], 1),
            ([5, 3].into(), [5, 3, 1], 2),
            ([4, 2, 3].into(), [4, 2, 3], 3),
            ([1; 3].into(), [1; 3], 3),
        ];
        for (grid, [nx, ny, nz], dimensions) in grids {
            for group in [None, Some(Extent::from(1)), Some([nx, 1, nz].into())] {
                if group == Some([nx, 1, nz].into()) && dimensions < 3 {
                    continue; // groups have no more dimensions than the grid
                }
                let mut out = device.zeros::<u32>(nx * ny * nz).unwrap();
                let (scale, add) = (Words::new(&[10u32, 100]), Words::new(&[5u32, 7, 1000]));
                let launch = kernel.launch().buffer(&mut out).words(&scale).words(&add);
                let launch = match group {
                    Some(group) => launch.group(group),
                    None => launch,
                };
                // SAFETY: an item for each value.
                unsafe { launch.run(grid).unwrap() };
                let at =
                    |i: usize| 10 * (i % nx) + 100 * (i / nx % ny) + 1000 * (i / nx / ny) + 5 + 7 * dimensions as usize;
                let expected: Vec<u32> = (0..nx * ny * nz).map(|i| at(i) as u32).collect();
                assert_eq!(out.download().unwrap(), expected, "{grid}, {group:?}");
            }
        }
    }
}

#[test]
fn local_memory_has_the_size_of_the_launch() {
    for device in opencl_devices() {
        let signature = Signature::new().input::<u64>().local::<u64>().buffer::<u64>();
        let kernel = kernel(&device, "sums", signature);
        let x: Vec<u64> = (0..64).map(|i| 1 << i).collect();
        let xs = device.upload(&x).unwrap();
        for group in [1, 2, 8, 64] {
            let mut sums = device.zeros::<u64>(64 / group).unwrap();
            let launch = kernel.launch().input(&xs).local::<u64>(group).buffer(&mut sums).group(group);
            // SAFETY: items read `x`, groups of 64 in all write a sum each and as many words of local memory as they have items.
            unsafe { launch.run(64).unwrap() };
            let expected: Vec<u64> = x.chunks(group).map(|group| group.iter().sum()).collect();
            assert_eq!(sums.download().unwrap(), expected);
        }
        let mut sums = device.zeros::<u64>(64).unwrap();
        // SAFETY: it is refused.
        let none = unsafe { kernel.launch().input(&xs).local::<u64>(0).buffer(&mut sums).run(64) };
        let text = none.unwrap_err().to_string();
        assert_eq!(text, "kernel sums, argument 1: expected local memory of u64, given 0 words of it");
    }
}

#[test]
fn wrong_signatures_tell_which_argument_and_what_the_source_has() {
    for device in opencl_devices() {
        let program = device.compile(SOURCE).unwrap();
        let mut names = program.kernels();
        names.sort();
        assert_eq!(names, ["places", "saxpy", "sums", "tiles"]);
        let told = |name: &str, signature: Signature| program.kernel(name, signature).unwrap_err().to_string();

        for wanted in ["saxpyy", "", "sax\0py"] {
            let error = program.kernel(wanted, saxpy_signature()).unwrap_err();
            let DeviceError::NoKernel { wanted: told, present } = &error else { panic!("{error}") };
            assert_eq!((told.as_str(), present.len()), (wanted, 4));
            assert!(error.to_string().contains("saxpy"), "{error}");
        }
        let short = Signature::new().value::<f32>().input::<f32>();
        assert_eq!(
            told("saxpy", short),
            "kernel saxpy, argument 2: expected 3 arguments, as its source has, given a signature of 2"
        );
        assert!(told("saxpy", saxpy_signature().value::<u32>()).contains("argument 3: expected 3 arguments"));
        assert!(told("saxpy", Signature::new()).contains("argument 0"));
        // What follows is compared where the runtime has a record of it, as those of processors do.
        let doubles = Signature::new().value::<f32>().input::<f64>().buffer::<f32>();
        assert_eq!(
            told("saxpy", doubles),
            "kernel saxpy, argument 1: expected `__global float*`, as its source has, given a buffer of f64 to read"
        );
        let wide = Signature::new().value::<f64>().input::<f32>().buffer::<f32>();
        assert!(told("saxpy", wide).contains("argument 0: expected `float`"));
        let by_value = Signature::new().value::<f32>().value::<u64>().buffer::<f32>();
        assert!(told("saxpy", by_value).contains("argument 1: expected `__global float*`"));
        let written = Signature::new().buffer::<u64>().local::<u64>().buffer::<u64>();
        assert!(told("sums", written).contains("argument 0: expected `__constant ulong*`"));
        let global = Signature::new().input::<u64>().buffer::<u64>().buffer::<u64>();
        assert!(told("sums", global).contains("argument 1: expected `__local ulong*`"));
        let lanes = Signature::new().buffer::<u32>().words::<u32>(4).words::<u32>(3);
        assert!(told("places", lanes).contains("argument 1: expected `uint2`"));
        let size = Signature::new().buffer::<u32>().words::<u32>(2).words::<u32>(4);
        // Not all runtimes know the sizes of structs.
        if let Err(error) = program.kernel("places", size) {
            let text = "kernel places, argument 2: expected another size than 16 bytes, given a struct of 4 u32";
            assert_eq!(error.to_string(), text);
        }
    }
}

#[test]
fn wrong_launches_are_refused() {
    for device in opencl_devices() {
        let kernel = kernel(&device, "saxpy", saxpy_signature());
        let (x, mut y) = (device.upload(&[1.0f32; 12]).unwrap(), device.upload(&[1.0f32; 12]).unwrap());
        let argument = |error: DeviceError, at: usize, given: &str| match error {
            DeviceError::Argument { index, given: told, .. } => assert_eq!((index, told.as_str()), (at, given)),
            error => panic!("{error}"),
        };
        // SAFETY: each launch is refused.
        unsafe {
            argument(kernel.launch().run(12).unwrap_err(), 0, "nothing");
            argument(kernel.launch().value(1.0f32).input(&x).run(12).unwrap_err(), 2, "nothing");
            argument(kernel.launch().value(1.0f64).run(12).unwrap_err(), 0, "a value of f64");
            argument(kernel.launch().value(1.0f32).value(1.0f32).run(12).unwrap_err(), 1, "a value of f32");
            let read_only = kernel.launch().value(1.0f32).input(&x).input(&x).run(12);
            argument(read_only.unwrap_err(), 2, "a buffer of f32 to read");
            let more = kernel.launch().value(1.0f32).input(&x).buffer(&mut y).value(1u32).run(12);
            argument(more.unwrap_err(), 3, "a value of u32");
            let host = Device::host().upload(&[1.0f32; 12]).unwrap();
            let elsewhere = kernel.launch().value(1.0f32).input(&host).buffer(&mut y).run(12);
            assert!(matches!(elsewhere, Err(DeviceError::MixedDevices { .. })), "{elsewhere:?}");
        }
        let mut refused = |grid: Extent, group: Extent| {
            let launch = kernel.launch().value(1.0f32).input(&x).buffer(&mut y).group(group);
            // SAFETY: the grid is refused.
            let error = unsafe { launch.run(grid) }.unwrap_err();
            assert!(matches!(error, DeviceError::Grid { .. }), "{error}");
            error.to_string()
        };
        let text = refused(12.into(), 5.into());
        assert_eq!(text, "kernel saxpy: a grid of 12 items in groups of 5: groups of 5 do not divide it");
        assert!(refused(12.into(), 0.into()).ends_with("a group has no items"));
        assert!(refused(12.into(), [1, 2].into()).ends_with("more dimensions than the grid"));
        assert!(refused([1 << 40, 1].into(), [1 << 40, 1].into()).ends_with("items at most"));
        assert!(refused([1; 3].into(), [usize::MAX; 3].into()).ends_with("items at most"));
        // A grid without items is no launch.
        // SAFETY: nothing runs.
        unsafe { kernel.launch().value(1.0f32).input(&x).buffer(&mut y).run(0).unwrap() };
        assert_eq!(y.download().unwrap(), [1.0; 12]);
        let cancelled = manycore_device::Control::new();
        cancelled.cancel();
        // SAFETY: nothing runs.
        let outcome = cancelled.run(|| unsafe { kernel.launch().value(1.0f32).input(&x).buffer(&mut y).run(12) });
        assert_eq!(outcome, Err(DeviceError::Cancelled));
    }
}

#[test]
fn a_group_that_the_source_requires_is_taken() {
    for device in opencl_devices() {
        let kernel = kernel(&device, "tiles", Signature::new().buffer::<u32>());
        assert!(kernel.group_limit() >= 8);
        let mut sizes = device.zeros::<u32>(8 * 4).unwrap();
        // SAFETY: an item for each value.
        unsafe { kernel.launch().buffer(&mut sizes).run([8, 4]).unwrap() };
        assert_eq!(sizes.download().unwrap(), [42; 32]);
        // SAFETY: as above.
        unsafe { kernel.launch().buffer(&mut sizes).group([4, 2]).run([8, 4]).unwrap() };
        for (grid, group, told) in [
            ([8, 4], Some([2, 2]), "the source requires groups of 4 x 2 x 1"),
            ([8, 3], None, "groups of 4 x 2 do not divide it"),
        ] {
            let launch = kernel.launch().buffer(&mut sizes);
            let launch = match group {
                Some(group) => launch.group(group),
                None => launch,
            };
            // SAFETY: the grid is refused.
            let error = unsafe { launch.run(grid) }.unwrap_err().to_string();
            assert!(error.ends_with(told), "{error}");
        }
    }
}

#[test]
fn programs_that_do_not_build_tell_the_log() {
    let host = Device::host().compile(SOURCE).unwrap_err();
    assert!(host.to_string().contains("has no compiler of OpenCL C"), "{host}");
    for device in opencl_devices() {
        let error = device.compile("__kernel void f(__global uint *x) { x[0] = no_such_name; }").unwrap_err();
        let DeviceError::Build { log, .. } = &error else { panic!("{error}") };
        assert!(log.contains("no_such_name"), "{log}");
        let error = device.compile("__kernel void f() {}\n\0").unwrap_err().to_string();
        assert!(error.contains("source:1") && error.contains("NUL"), "{error}");
        let source = "__kernel void f(__global ELEMENT *x) { x[get_global_id(0)] = FACTOR * get_global_id(0); }";
        assert!(matches!(device.compile(source), Err(DeviceError::Build { .. })));
        let spaced = device.compile_with(source, &Defines::new().set("FACTOR", "1 + 1"));
        assert!(matches!(spaced, Err(DeviceError::Build { .. })));
        let program = device.compile_with(source, &Defines::new().element(WordType::I16).set("FACTOR", 3)).unwrap();
        let kernel = program.kernel("f", Signature::new().buffer::<i16>()).unwrap();
        drop(program);
        let mut x = device.zeros::<i16>(5).unwrap();
        // SAFETY: an item for each value.
        unsafe { kernel.launch().buffer(&mut x).run(5).unwrap() };
        assert_eq!(x.download().unwrap(), [0, 3, 6, 9, 12]);
        let empty = device.compile("/* nothing */ __constant int x = 1;").unwrap();
        let error = empty.kernel("f", Signature::new()).unwrap_err();
        assert!(matches!(error, DeviceError::NoKernel { .. }), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn saxpy_is_that_of_the_host(
        a in -100i32..100,
        values in prop::collection::vec((-1000i32..1000, -1000i32..1000), 1..200),
        group: bool,
    ) {
        let (x, y): (Vec<f32>, Vec<f32>) = values.iter().map(|&(x, y)| (x as f32, y as f32)).unzip();
        let expected: Vec<f32> = values.iter().map(|&(x, y)| (a * x + y) as f32).collect();
        for device in opencl_devices() {
            let kernel = kernel(&device, "saxpy", saxpy_signature());
            prop_assert_eq!(&saxpy(&kernel, &device, a as f32, &x, &y, group.then_some(1)), &expected);
        }
    }
}
