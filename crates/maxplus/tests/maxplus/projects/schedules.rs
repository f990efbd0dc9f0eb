//! Schedules against their definition on drawn projects, and updates against schedules made anew.

use manycore_maxplus::project::{Link, LinkKind, Project, Scheduler, Task};
use manycore_maxplus::{MaxPlusError, reference};
use proptest::prelude::*;

use crate::common::{Random, permutation};

const KINDS: [LinkKind; 4] =
    [LinkKind::FinishStart, LinkKind::StartStart, LinkKind::FinishFinish, LinkKind::StartFinish];

/// Links that lead forward in a drawn order; with `backward`, also maximal lags, most of them wide.
pub(crate) fn project(n: usize, percent: u64, backward: bool, seed: u64) -> Project {
    let mut random = Random(seed);
    let names = permutation(n, &mut random);
    let tasks = (0..n)
        .map(|task| Task {
            release: if random.below(4) == 0 { random.between(0, 20) } else { 0 },
            deadline: (random.below(5) == 0).then(|| random.between(5, 80)),
            ..Task::new(format!("task {task}"), random.between(0, 9))
        })
        .collect();
    let mut links = Vec::new();
    for to in 1..n {
        for from in 0..to {
            if random.below(100) < percent {
                let kind = KINDS[random.below(4) as usize];
                links.push(Link { from: names[from], to: names[to], kind, lag: random.between(-3, 5) });
                if backward && random.below(6) == 0 {
                    let lag = -random.between(10, 60);
                    links.push(Link { from: names[to], to: names[from], kind: LinkKind::StartStart, lag });
                }
            }
        }
    }
    Project::new(tasks, links).unwrap()
}

/// Whether starts satisfy every link and release, by ends of tasks.
fn is_feasible(project: &Project, starts: &[i64]) -> bool {
    let finish = |task: usize| starts[task] + project.tasks()[task].duration;
    let links = project.links().iter().all(|link| {
        let (from, to) = (link.from as usize, link.to as usize);
        let (first, second) = match link.kind {
            LinkKind::FinishStart => (finish(from), starts[to]),
            LinkKind::StartStart => (starts[from], starts[to]),
            LinkKind::FinishFinish => (finish(from), finish(to)),
            LinkKind::StartFinish => (starts[from], finish(to)),
        };
        second >= first + link.lag
    });
    links && project.tasks().iter().zip(starts).all(|(task, &start)| start >= task.release)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn times_are_extreme(n in 0usize..12, percent in 0u64..80, backward: bool, seed: u64) {
        let project = project(n, percent, backward, seed);
        let star = reference::star(&project.graph().unwrap());
        let schedule = match project.schedule() {
            Ok(schedule) => schedule,
            Err(MaxPlusError::Infeasible { tasks, excess, explanation }) => {
                prop_assert!(star.is_err() && excess > 0 && !tasks.is_empty() && explanation.contains("task "));
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        let star = star.unwrap();
        let tasks = project.tasks();
        // Earliest times are the longest ways from releases.
        let expected: Vec<i64> = (0..n)
            .map(|to| (0..n).filter_map(|from| Some(star[to * n + from]? + tasks[from].release)).max().unwrap())
            .collect();
        prop_assert_eq!(schedule.earliest(), &expected[..]);
        prop_assert!(is_feasible(&project, &expected));
        let length = (0..n).map(|task| expected[task] + tasks[task].duration).max().unwrap_or(0);
        prop_assert_eq!(schedule.length(), length);
        // Latest times: no later than any task after allows.
        for (from, &latest) in schedule.latest().iter().enumerate() {
            let ends = (0..n).filter_map(|to| {
                let end = tasks[to].deadline.map_or(length, |deadline| deadline.min(length));
                Some(end - tasks[to].duration - star[to * n + from]?)
            });
            prop_assert_eq!(latest, ends.min().unwrap());
        }
        let late = schedule.late();
        for (task, of) in tasks.iter().enumerate() {
            let by = of.deadline.map_or(0, |deadline| (expected[task] + of.duration - deadline).max(0));
            prop_assert_eq!(late.iter().find(|late| late.0 as usize == task).map_or(0, |late| late.1), by);
        }
        // A critical task is one whose delay by 1 delays the end.
        for task in 0..n {
            let mut tasks = tasks.to_vec();
            tasks[task].release = expected[task] + 1;
            let delayed = Project::new(tasks, project.links().to_vec()).unwrap().schedule().unwrap();
            prop_assert_eq!(delayed.length() > length, schedule.critical().contains(&(task as u32)));
            // Free slack: another task starts later, or the end comes later, one step past it, and not within it.
            let free = schedule.free_slack()[task];
            prop_assert!(free >= 0);
            if project.tasks()[task].deadline.is_none() {
                let delayed = |by: i64| {
                    let mut tasks = project.tasks().to_vec();
                    tasks[task].release = expected[task] + by;
                    let delayed = Project::new(tasks, project.links().to_vec()).unwrap().schedule().unwrap();
                    let others = (0..n).all(|other| other == task || delayed.earliest()[other] == expected[other]);
                    others && delayed.length() == length
                };
                prop_assert!(delayed(free) && !delayed(free + 1));
            }
        }
        // Critical paths are tight, and as many as are counted.
        let paths = schedule.critical_paths(100_000);
        prop_assert!(paths.is_complete);
        if let Some(count) = schedule.count_critical_paths() {
            prop_assert_eq!(paths.paths.len() as u128, count);
        }
        prop_assert_eq!(paths.paths.is_empty(), n == 0);
        prop_assert_eq!(paths.paths.first().cloned().unwrap_or_default(), schedule.critical_path());
        for path in &paths.paths {
            let (first, last) = (path[0] as usize, path[path.len() - 1] as usize);
            let mut time = tasks[first].release;
            for step in path.windows(2) {
                time += project.graph().unwrap().weight(step[0], step[1]).unwrap();
            }
            prop_assert_eq!(time + tasks[last].duration, length);
        }
        if paths.paths.len() > 1 {
            let some = schedule.critical_paths(1);
            prop_assert!(!some.is_complete && some.paths.len() == 1);
        }
        let chart = schedule.gantt(&project);
        prop_assert!(chart.starts_with("<svg") && chart.ends_with("</svg>\n"));
        prop_assert_eq!(chart.matches("</text>").count() > n, true);
    }

    #[test]
    fn updates_are_schedules_made_anew(n in 1usize..25, percent in 0u64..60, backward: bool, seed: u64) {
        let project = project(n, percent, backward, seed);
        let Ok(mut scheduler) = Scheduler::new(project) else { return Ok(()) };
        let mut random = Random(seed ^ 7);
        for _ in 0..20 {
            let before = scheduler.clone();
            let links = scheduler.project().links().len() as u64;
            let done = if links > 0 && random.below(2) == 0 {
                scheduler.set_lag(random.below(links) as usize, random.between(-4, 8))
            } else {
                scheduler.set_duration(random.below(n as u64) as u32, random.between(0, 12))
            };
            match done {
                Ok(()) => prop_assert_eq!(scheduler.schedule(), &scheduler.project().schedule().unwrap()),
                Err(MaxPlusError::Infeasible { .. }) => {
                    prop_assert_eq!(scheduler.project(), before.project());
                    prop_assert_eq!(scheduler.schedule(), before.schedule());
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn an_update_touches_what_depends_on_it() {
    // Two chains of a thousand tasks each.
    let tasks = (0..2000).map(|task| Task::new(task.to_string(), 1)).collect();
    let links = (0..2000u32).filter(|task| task % 1000 != 999);
    let links = links.map(|from| Link { from, to: from + 1, kind: LinkKind::FinishStart, lag: 0 }).collect();
    let mut scheduler = Scheduler::new(Project::new(tasks, links).unwrap()).unwrap();
    scheduler.set_duration(990, 5).unwrap();
    assert_eq!((scheduler.schedule().length(), scheduler.touched()), (1004, 1000));
    scheduler.set_duration(0, 0).unwrap();
    assert_eq!(scheduler.schedule().length(), 1003);
    let wrong = scheduler.set_duration(2000, 1).unwrap_err();
    assert!(matches!(wrong, MaxPlusError::Index { what: "task", index: 2000, count: 2000 }));
    assert!(matches!(scheduler.set_duration(0, -1), Err(MaxPlusError::Task { task: 0, value: -1, .. })));
    assert!(matches!(scheduler.set_lag(5000, 1), Err(MaxPlusError::Index { what: "link", .. })));
}

#[test]
fn a_contradiction_is_explained() {
    let tasks = vec![Task::new("dig", 3), Task::new("pour", 2)];
    let link = |from, to, kind, lag| Link { from, to, kind, lag };
    let links = vec![link(0, 1, LinkKind::FinishStart, 1), link(1, 0, LinkKind::StartStart, -3)];
    let refused = Project::new(tasks, links).unwrap().schedule().unwrap_err();
    let told = "the links contradict each other by 1: pour starts at least 4 after dig (FS, lag 1); dig starts at least -3 after pour (SS, lag -3)";
    assert_eq!(refused.to_string(), told);
}

#[test]
fn wrong_projects_are_refused() {
    let new = |duration: i64, to: u32| {
        let links = vec![Link { from: 0, to, kind: LinkKind::FinishStart, lag: 0 }];
        Project::new(vec![Task::new("a", duration), Task::new("b", 1)], links)
    };
    assert!(matches!(new(-1, 1), Err(MaxPlusError::Task { task: 0, value: -1, .. })));
    assert!(matches!(new(1 << 41, 1), Err(MaxPlusError::Task { .. })));
    assert!(matches!(new(1, 2), Err(MaxPlusError::Node { arc: 0, from: 0, to: 2, nodes: 2 })));
    let empty = Project::new(vec![], vec![]).unwrap().schedule().unwrap();
    assert_eq!((empty.length(), empty.critical_path(), empty.count_critical_paths()), (0, vec![], Some(0)));
}
