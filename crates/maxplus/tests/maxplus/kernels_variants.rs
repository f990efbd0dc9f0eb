//! The kernel of variants of durations (`maxplus_variants`) on every OpenCL device against the host.

use manycore_device::Device;
use manycore_maxplus::project::{Link, LinkKind, Project, Task, Variants};
use manycore_testkit::opencl_devices;

#[test]
fn variants_equal_the_host_s() {
    let tasks = (0..12).map(|task| Task::new(task.to_string(), 0)).collect();
    let kinds = [LinkKind::FinishStart, LinkKind::StartStart, LinkKind::FinishFinish, LinkKind::StartFinish];
    let links =
        (0..30u32).map(|i| Link { from: i % 7, to: 7 + i % 5, kind: kinds[i as usize % 4], lag: i64::from(i % 3) - 1 });
    let project = Project::new(tasks, links.collect()).unwrap();
    let variants = Variants::drawn(12, 70, 5, |_, unit| (unit * 10.0) as i64).unwrap();
    let expected = project.schedule_variants(&Device::host(), &variants).unwrap();
    for device in opencl_devices() {
        assert_eq!(project.schedule_variants(&device, &variants).unwrap(), expected, "{device:?}");
    }
}
