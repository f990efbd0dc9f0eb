//! Variants on every device against schedules one by one.

use manycore_maxplus::MaxPlusError;
use manycore_maxplus::project::{Link, LinkKind, Project, Task, Variants};
use manycore_testkit::devices;

use crate::schedules::project;

#[test]
fn variants_equal_schedules_one_by_one() {
    for device in devices() {
        for (n, percent, count) in [(0, 0, 3), (1, 0, 1), (5, 50, 0), (9, 40, 31), (40, 20, 33), (40, 20, 100)] {
            let project = project(n, percent, false, n as u64);
            let variants = Variants::drawn(n, count, 3, |task, unit| (unit * (task % 7 + 3) as f64) as i64).unwrap();
            let again = Variants::drawn(n, count, 3, |task, unit| (unit * (task % 7 + 3) as f64) as i64).unwrap();
            assert_eq!(variants, again);
            let report = project.schedule_variants(&device, &variants).unwrap();
            let mut critical = vec![0; n];
            for (variant, &length) in report.lengths().iter().enumerate() {
                let drawn = |task: usize| variants.duration(task, variant).unwrap();
                let tasks = project.tasks().iter().enumerate();
                let tasks = tasks.map(|(task, of)| Task { duration: drawn(task), ..of.clone() }).collect();
                let schedule = Project::new(tasks, project.links().to_vec()).unwrap().schedule().unwrap();
                assert_eq!(schedule.length(), if n == 0 { 0 } else { length }, "{n} tasks on {device:?}");
                schedule.critical().iter().for_each(|&task| critical[task as usize] += 1);
            }
            assert_eq!((report.critical(), report.lengths().len()), (&critical[..], count), "{n} tasks on {device:?}");
            let mut sorted = report.lengths().to_vec();
            sorted.sort_unstable();
            assert_eq!((report.quantile(0.0), report.quantile(1.0)), (sorted.first().copied(), sorted.last().copied()));
            assert_eq!(report.mean().is_some(), count > 0);
        }
    }
}

#[test]
fn wrong_variants_are_refused() {
    let link = |from, to, lag| Link { from, to, kind: LinkKind::StartStart, lag };
    let tasks = vec![Task::new("a", 1), Task::new("b", 1)];
    let project = Project::new(tasks, vec![link(0, 1, 1), link(1, 0, -5)]).unwrap();
    let host = manycore_device::Device::host();
    let variants = Variants::new(2, 1, vec![1, 2]).unwrap();
    assert!(matches!(project.schedule_variants(&host, &variants), Err(MaxPlusError::Cycle { .. })));
    let other = Variants::new(1, 1, vec![1]).unwrap();
    assert!(matches!(project.schedule_variants(&host, &other), Err(MaxPlusError::Length { .. })));
    assert!(matches!(Variants::new(2, 2, vec![1; 3]), Err(MaxPlusError::Length { given: 3, expected: 4, .. })));
    assert!(matches!(Variants::new(2, 2, vec![1, 1, 1, -1]), Err(MaxPlusError::Task { task: 1, value: -1, .. })));
}
