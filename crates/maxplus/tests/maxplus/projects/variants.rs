//! Variants on every device against schedules one by one.

use manycore_maxplus::MaxPlusError;
use manycore_maxplus::project::{Link, LinkKind, Project, Task, Variants, VariantsReport};
use manycore_testkit::devices;
use proptest::prelude::*;

use super::schedules::project;

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

proptest! {
    #[test]
    fn ranges_are_parts_of_one_run(tasks in 0usize..6, cuts in prop::collection::vec(0u64..30, 0..5), seed: u64) {
        let mut cuts = cuts;
        cuts.extend([0, 30]);
        cuts.sort_unstable();
        let duration = |task: usize, unit: f64| (unit * (task + 3) as f64 * 1e6) as i64;
        let all = Variants::drawn(tasks, 30, seed, duration).unwrap();
        for cut in cuts.windows(2) {
            let part = Variants::drawn_of(tasks, cut[0]..cut[1], seed, duration).unwrap();
            prop_assert_eq!(part.count() as u64, cut[1] - cut[0]);
            for variant in cut[0]..cut[1] {
                let mut units = vec![0.0; tasks];
                Variants::draw_units(seed, variant, &mut units);
                let own = (0..tasks).map(|task| all.duration(task, variant as usize));
                let expected: Vec<_> = (0..).zip(&units).map(|(task, &unit)| Some(duration(task, unit))).collect();
                prop_assert_eq!(own.collect::<Vec<_>>(), expected);
            }
            for (task, variant) in (0..tasks).flat_map(|task| (cut[0]..cut[1]).map(move |variant| (task, variant))) {
                let own = part.duration(task, (variant - cut[0]) as usize);
                prop_assert_eq!(own, all.duration(task, variant as usize));
            }
        }
    }
}

#[test]
fn draws_are_even_and_differ_between_variants_and_tasks() {
    let drawn = Variants::drawn(10, 1000, 1, |_, unit| (unit * 1e9) as i64).unwrap();
    let all: Vec<i64> = (0..10)
        .flat_map(|task| (0..1000).map(move |variant| (task, variant)))
        .map(|(task, variant)| drawn.duration(task, variant).unwrap())
        .collect();
    let mean = all.iter().sum::<i64>() as f64 / all.len() as f64;
    // The mean of 10^4 draws has the deviation 1e9 / sqrt(12 * 10^4).
    assert!((mean - 5e8).abs() < 5.0 * 1e9 / 12e4f64.sqrt(), "{mean}");
    let mut distinct = all.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() > 9_990, "{}", distinct.len());
}

#[test]
fn reports_of_other_projects_do_not_add_up() {
    let report = |critical: Vec<u64>| VariantsReport::new(vec![1], critical);
    let sum = VariantsReport::of_parts(&[report(vec![1, 0]), report(vec![1, 1])]).unwrap();
    assert_eq!((sum.lengths(), sum.critical()), (&[1, 1][..], &[2, 1][..]));
    let error = VariantsReport::of_parts(&[report(vec![1]), report(vec![1, 1])]).unwrap_err();
    assert!(matches!(error, MaxPlusError::Length { given: 2, expected: 1, .. }));
    assert_eq!(VariantsReport::of_parts(&[]).unwrap().mean(), None);
}
