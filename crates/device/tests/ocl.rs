//! Queues, memory and events that a program of `ocl` shares with a device.
#![cfg(feature = "opencl")]

use manycore_device::ocl::{self, CommandQueueProperties, MemFlags};
use manycore_device::{Buffer, Defines, Device, DeviceError, Executor};
use manycore_kernels::{Entry, Unit};
use manycore_testkit::opencl_devices;

/// A program's own context and queue on a device.
fn own_queue(device: &Device) -> ocl::Queue {
    let id = device.ocl_queue().unwrap().device();
    let ocl::enums::DeviceInfoResult::Platform(platform) = id.info(ocl::enums::DeviceInfo::Platform).unwrap() else {
        panic!("a device has a platform")
    };
    let context = ocl::Context::builder().platform(platform.into()).devices(id).build().unwrap();
    ocl::Queue::new(&context, id, Some(CommandQueueProperties::PROFILING_ENABLE)).unwrap()
}

fn own_buffer(queue: &ocl::Queue, values: &[u32]) -> ocl::Buffer<u32> {
    ocl::Buffer::builder().queue(queue.clone()).len(values.len()).copy_host_slice(values).build().unwrap()
}

fn read(buffer: &ocl::Buffer<u32>) -> Vec<u32> {
    let mut values = vec![0; buffer.len()];
    buffer.read(&mut values).enq().unwrap();
    values
}

static ADD_UNIT: Unit = Unit {
    path: "tests/add.cl",
    source: "__kernel void add(__global uint *x, const uint a)\n{\n    x[get_global_id(0)] += a;\n}\n",
    parts: &[],
    entries: &[Entry::named("add")],
    parameter_sets: &[&[]],
};

// SAFETY: its launches have an item for each value.
manycore_device::kernel! {
    /// x = x + a, value by value.
    unsafe ADD in ADD_UNIT: add(x: buffer<u32>, a: u32)
}

#[test]
fn memory_goes_there_and_back_without_a_copy() {
    for listed in opencl_devices() {
        let queue = own_queue(&listed);
        let device = Device::from_ocl(&queue).unwrap();
        assert_ne!(device, listed);
        assert_eq!(device.info(), listed.info());
        assert_eq!(device.ocl_context().unwrap().as_core(), queue.context().as_core());
        let Executor::OpenCl(cl) = device.executor() else { panic!("{device:?}") };
        let kernel = cl.kernel(&ADD, &Defines::new()).unwrap();

        let theirs = own_buffer(&queue, &[1, 2, 3, 4]);
        let mut ours = Buffer::from_ocl(&device, theirs.clone()).unwrap();
        assert_eq!((ours.len(), cl.allocated_bytes()), (4, 0));
        cl.launch(&kernel).buffer(&mut ours).value(10u32).items(4, 1).run().unwrap();
        // Their commands on the queue follow ours, and ours theirs.
        assert_eq!(read(&theirs), [11, 12, 13, 14]);
        theirs.cmd().fill(7, None).enq().unwrap();
        cl.launch(&kernel).buffer(&mut ours).value(1u32).items(4, 1).run().unwrap();
        assert_eq!(ours.download().unwrap(), [8; 4]);
        drop(ours);
        assert_eq!(read(&theirs), [8; 4]);
        // Memory that is given is no block of the pool.
        let other = device.upload(&[0u32; 4]).unwrap();
        assert_eq!(read(&theirs), [8; 4]);

        let before = cl.allocated_bytes();
        let theirs = other.into_ocl().unwrap();
        assert!(cl.allocated_bytes() < before);
        assert_eq!((theirs.len(), read(&theirs)), (4, vec![0; 4]));
        theirs.write(&[1u32, 2, 3, 4][..]).enq().unwrap();
        let mut again = Buffer::from_ocl(&device, theirs).unwrap();
        cl.launch(&kernel).buffer(&mut again).value(1u32).items(4, 1).run().unwrap();
        assert_eq!(read(&again.into_ocl().unwrap()), [2, 3, 4, 5]);
    }
}

#[test]
fn arguments_follow_when_a_program_frees_memory() {
    for listed in opencl_devices() {
        let device = Device::from_ocl(&own_queue(&listed)).unwrap();
        let Executor::OpenCl(cl) = device.executor() else { panic!("{device:?}") };
        let kernel = cl.kernel(&ADD, &Defines::new()).unwrap();
        for round in 0..20 {
            let mut x = device.upload(&[round; 64]).unwrap();
            cl.launch(&kernel).buffer(&mut x).value(1u32).items(64, 1).run().unwrap();
            let theirs = x.into_ocl().unwrap();
            assert_eq!(read(&theirs), [round + 1; 64], "{device:?}");
        }
    }
}

#[test]
fn events_order_two_queues() {
    for device in opencl_devices() {
        let id = device.ocl_queue().unwrap().device();
        let other = ocl::Queue::new(device.ocl_context().unwrap(), id, None).unwrap();
        let mut x = device.upload(&vec![1u32; 1 << 16]).unwrap();
        x.fill(5).unwrap();
        let filled = device.ocl_event().unwrap();
        let theirs = x.into_ocl().unwrap();
        let mut done = ocl::Event::empty();
        theirs.cmd().fill(6, Some(1 << 15)).queue(&other).ewait(&filled).enew(&mut done).enq().unwrap();
        other.flush().unwrap();
        device.wait_for_ocl(&done).unwrap();
        let x = Buffer::from_ocl(&device, theirs).unwrap().download().unwrap();
        assert!(x[..1 << 15].iter().all(|&word| word == 6) && x[1 << 15..].iter().all(|&word| word == 5), "{device:?}");
    }
}

/// A queue in the device's context that runs commands in any order, where the device has such.
fn any_order(device: &Device) -> ocl::Queue {
    let (context, id) = (device.ocl_context().unwrap(), device.ocl_queue().unwrap().device());
    let any_order = CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE;
    ocl::Queue::new(context, id, Some(any_order)).or_else(|_| ocl::Queue::new(context, id, None)).unwrap()
}

#[test]
fn work_stands_between_a_programs_own_commands_without_waits() {
    const LEN: usize = 1 << 14;
    for device in opencl_devices() {
        let Executor::OpenCl(cl) = device.executor() else { panic!("{device:?}") };
        let kernel = cl.kernel(&ADD, &Defines::new()).unwrap();
        let theirs = any_order(&device);
        let x = device.zeros::<u32>(LEN).unwrap().into_ocl().unwrap();
        let mut ours = device.ocl_event().unwrap();
        for round in 1..=3 {
            // Their commands follow ours, in any order among each other; ours follow all of theirs.
            let mut done = ocl::EventList::new();
            for part in 0..4 {
                let command = x.cmd().fill(round * part as u32, Some(LEN / 4)).offset(part * LEN / 4);
                command.queue(&theirs).ewait(&ours).enew(&mut done).enq().unwrap();
            }
            device.wait_for_ocl(&done).unwrap();
            let mut shared = Buffer::from_ocl(&device, x.clone()).unwrap();
            cl.launch(&kernel).buffer(&mut shared).value(100u32).items(LEN, 1).run().unwrap();
            ours = device.ocl_event().unwrap();
        }
        let mut found = vec![0; LEN];
        x.cmd().read(&mut found).queue(&theirs).ewait(&ours).enq().unwrap();
        assert!(found.iter().enumerate().all(|(i, &x)| x as usize == 100 + 3 * (i / (LEN / 4))), "{device:?}");
    }
}

#[test]
fn events_of_users_and_none_are_waited_for() {
    for device in opencl_devices() {
        device.wait_for_ocl(ocl::Event::empty()).unwrap();
        device.wait_for_ocl(ocl::EventList::new()).unwrap();
        let user = ocl::Event::user(device.ocl_context().unwrap()).unwrap();
        device.wait_for_ocl(&user).unwrap();
        let mut x = device.scratch::<u32>(4).unwrap();
        x.fill(3).unwrap();
        let filled = device.ocl_event().unwrap();
        assert!(!filled.is_complete().unwrap());
        user.set_complete().unwrap();
        assert_eq!(x.download().unwrap(), [3; 4]);
        assert!(filled.is_complete().unwrap());
        // One of another context is refused.
        let queue = own_queue(&device);
        let mut foreign = ocl::Event::empty();
        own_buffer(&queue, &[1; 4]).cmd().fill(2, None).enew(&mut foreign).enq().unwrap();
        let outcome = device.wait_for_ocl(&foreign);
        assert!(matches!(outcome, Err(DeviceError::Api { .. })), "{outcome:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let host = Device::host();
    let none = |error| matches!(error, DeviceError::Unsupported { .. });
    assert!(none(host.ocl_queue().unwrap_err()) && none(host.ocl_context().unwrap_err()));
    assert!(none(host.ocl_event().unwrap_err()) && none(host.upload(&[1u32]).unwrap().into_ocl().unwrap_err()));
    for device in opencl_devices() {
        let queue = own_queue(&device);
        let foreign = Buffer::from_ocl(&device, own_buffer(&queue, &[1; 4]));
        assert!(matches!(foreign, Err(DeviceError::MixedDevices { .. })), "{foreign:?}");
        let own = Device::from_ocl(&queue).unwrap();
        let constant =
            ocl::Buffer::<u32>::builder().queue(queue.clone()).flags(MemFlags::READ_ONLY).len(4).build().unwrap();
        assert!(none(Buffer::from_ocl(&own, constant).unwrap_err()));
        // A program may put smaller memory into a buffer of `ocl`.
        let mut short = own_buffer(&queue, &[1; 1000]);
        *short.as_mut() = own_buffer(&queue, &[1; 10]).as_core().clone();
        let outcome = Buffer::from_ocl(&own, short);
        assert!(matches!(outcome, Err(DeviceError::Length { expected: 1000, given: 10, .. })), "{outcome:?}");
        let empty = own.zeros::<u32>(0).unwrap().into_ocl();
        assert!(matches!(empty, Err(DeviceError::Api { code: -61, .. })), "{empty:?}");
        let any_order = CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE;
        if let Ok(any_order) = ocl::Queue::new(&queue.context(), queue.device(), Some(any_order)) {
            assert!(none(Device::from_ocl(&any_order).unwrap_err()));
        }
    }
}
