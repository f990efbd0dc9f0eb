//! Files of every form, and what is wrong with them by line.

use manycore_device::Device;
use manycore_maxplus::project::{Project, ProjectFormat};
use manycore_maxplus::{MaxPlus, MaxPlusError};

const SINGLE_MODE: &str = "\
************************************************************************
projects                      :  1
jobs (incl. supersource/sink ):  4
RESOURCES
************************************************************************
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          2           2   3
   2        1          1           4
   3        1          1           4
   4        1          0
************************************************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1
------------------------------------------------------------------------
  1      1     0       0
  2      1     8       4
  3      1     4      10
  4      1     0       0
************************************************************************
";

const TIME_LAGS: &str =
    "2 1 0 0\n0 1 2 1 2 [0] [1]\n1 1 2 2 3 [3] [4]\n2 1 2 1 3 [-5] [2]\n3 1 0\n0 1 0 0\n1 1 4 1\n2 1 2 1\n3 1 0 0\n5\n";

const PATTERSON: &str = "4 1\n10\n0 0 2 2 3\n8 4 1\n4\n4 10 1 4\n0 0 0\n";

const CSV: &str = "name,duration,predecessors,release,deadline\n# a comment\ndig,3\npour,2,dig+1\ndry-out,4,pour:SS+1;dig,5,20\npaint,1,dry-out;pour:ff-2\n";

fn parse(text: &str, format: ProjectFormat) -> Result<Project, MaxPlusError> {
    Project::parse("p", text, format)
}

#[test]
fn every_form_is_read() {
    let earliest = |text: &str, format| parse(text, format).unwrap().schedule().unwrap().earliest().to_vec();
    assert_eq!(earliest(SINGLE_MODE, ProjectFormat::SingleMode), [0, 0, 0, 8]);
    assert_eq!(earliest(PATTERSON, ProjectFormat::Patterson), [0, 0, 0, 8]);
    assert_eq!(earliest(TIME_LAGS, ProjectFormat::TimeLags), [0, 0, 3, 5]);
    let schedule = parse(CSV, ProjectFormat::Csv).unwrap().schedule().unwrap();
    assert_eq!(schedule.earliest(), [0, 4, 5, 9]);
    assert_eq!(schedule.late(), []);
    let matrix = "%%MatrixMarket matrix coordinate integer general\n3 3 3\n2 1 4\n3 2 5\n3 1 7\n";
    assert_eq!(earliest(matrix, ProjectFormat::Matrix), [0, 4, 9]);
    for (name, format) in [
        ("a.SM", Some(ProjectFormat::SingleMode)),
        ("a.sch", Some(ProjectFormat::TimeLags)),
        ("a.rcp", Some(ProjectFormat::Patterson)),
        ("a.csv", Some(ProjectFormat::Csv)),
        ("a.mtx", Some(ProjectFormat::Matrix)),
        ("a", None),
    ] {
        assert_eq!(ProjectFormat::of(name), format);
    }
}

#[test]
fn the_first_of_several_modes_counts() {
    let modes = SINGLE_MODE.replace("   2        1 ", "   2        3 ").replace(
        "  2      1     8       4\n",
        "  2      1     8       4\n         2     5       7\n         3     2       9\n",
    );
    assert_eq!(ProjectFormat::of("a.mm"), Some(ProjectFormat::SingleMode));
    let project = parse(&modes, ProjectFormat::SingleMode).unwrap();
    assert_eq!(project.tasks().iter().map(|task| task.duration).collect::<Vec<_>>(), [0, 8, 4, 0]);
    assert_eq!(project.schedule().unwrap().length(), 8);
}

#[test]
fn tables_of_every_form_are_the_same_project() {
    let of = |text: &str| {
        let project = parse(text, ProjectFormat::Csv).unwrap();
        let tasks: Vec<_> = project.tasks().iter().map(|task| (task.name.clone(), task.duration)).collect();
        (tasks, project.schedule().unwrap().earliest().to_vec())
    };
    let expected = (vec![("dig, deep".to_owned(), 3), ("say \"pour\"".into(), 20), ("dry".into(), 1)], vec![0, 3, 24]);
    for text in [
        "\"dig, deep\",3\n\"say \"\"pour\"\"\",20,\"dig, deep\"\ndry,1,\"dig, deep;say \"\"pour\"\"+1\",4\n",
        "\u{feff}task;days;after;from\r\n\"dig, deep\";3.0;;\r\nsay \"pour\";2e1;dig, deep;\r\ndry;1;\"dig, deep;say \"\"pour\"\"+1.0\";4\r\n",
        "# a table\n\ndig, deep\t3\nsay \"pour\"\t20\tdig, deep\ndry\t1\tsay \"pour\"+1;dig, deep\t4\t\n",
    ] {
        assert_eq!(of(text), expected, "{text}");
    }
    assert_eq!(of("a,1\nb,2\nc,3,\"a,b\"\n").1, [0, 0, 2]);
    assert_eq!(of("a;1\nb;2\nc;3;a,b:SS\n").1, [0, 0, 1]);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    use ProjectFormat::{Csv, Patterson, SingleMode, TimeLags};
    let wrong = |text: &str, format, line: usize, what: &str| match parse(text, format) {
        Err(MaxPlusError::Text(error)) => {
            assert!(error.line == line && error.what.contains(what), "{error}, where {line}: {what} should be");
            assert!(error.to_string().starts_with(&format!("p:{line}: ")));
        }
        other => panic!("{what}: {other:?}"),
    };
    wrong("", SingleMode, 1, "the file ends");
    wrong(&SINGLE_MODE.replace("2   3\n", "2\n"), SingleMode, 8, "1 successors, where 2 are announced");
    wrong(&SINGLE_MODE.replace("1           4\n   3", "1           5\n   3"), SingleMode, 9, "successor 5");
    wrong(
        &SINGLE_MODE.replace("   3        1          1", "   9        1          1"),
        SingleMode,
        10,
        "job 9 stands where job 3 should",
    );
    wrong(&SINGLE_MODE.replace("  1     8 ", "  1     x "), SingleMode, 17, "`x` is no number: a duration is expected");
    wrong(
        &SINGLE_MODE.replace("   2        1 ", "   2        2 "),
        SingleMode,
        18,
        "\"3\" stands where mode 2 of job 2 should: it has 2 modes",
    );
    wrong(&SINGLE_MODE.replace("  1     8 ", "  1    -8 "), SingleMode, 17, "the duration is -8");
    wrong(
        &SINGLE_MODE.replace("jobs (incl. supersource/sink ):  4", "jobs : 5"),
        SingleMode,
        13,
        "successors of 4 jobs, where there are 5",
    );
    wrong(&SINGLE_MODE[..SINGLE_MODE.len() - 100], SingleMode, 19, "the file ends");
    wrong("2 1 0 0\n0 1 2 1 2 [0]\n", TimeLags, 2, "2 successors are announced");
    wrong("2 1 0 0\n0 1 1 9 [0]\n", TimeLags, 2, "a successor is 9");
    wrong("2 1 0 0\n1 1 0\n", TimeLags, 2, "activity 1 stands where activity 0 should");
    wrong("2 1 0 0\n0 1 1 1 0\n", TimeLags, 2, "is no lag in brackets");
    wrong("-2 1", TimeLags, 1, "is -2");
    wrong("4 1\n10\n0 0 2 2 5", Patterson, 3, "a successor is 5");
    wrong("4 1\n10\n0 0 2 2", Patterson, 4, "the file ends");
    wrong(&format!("{PATTERSON}7\n"), Patterson, 8, "past the last activity");
    wrong("a,1\na,2\n", Csv, 2, "a second task with the name \"a\"");
    wrong("a,1\nb,x\n", Csv, 2, "`x` is no duration");
    wrong("a,3.5\n", Csv, 1, "`3.5` is no whole duration: write all times in a smaller unit");
    wrong("a,1,,1e300\n", Csv, 1, "a release: 1e300 is out of the range of i64");
    wrong("a,1\nb,1,\"a,c\"\n", Csv, 2, "no task has the name \"c\"");
    wrong("a,1\nb,1,c\n", Csv, 2, "no task has the name \"c\"");
    wrong("a,1\nb,1,a:XY\n", Csv, 2, "none of FS, SS, FF and SF");
    wrong("a\n", Csv, 1, "1 values");
    wrong("a,-1\n", Csv, 1, "the duration is -1");
    wrong("a,1\nb,1,a:SS+x\n", Csv, 2, "is no lag");
    assert!(matches!(Project::read("/nowhere/a.sm"), Err(MaxPlusError::File(_))));
    assert!(matches!(Project::read("a.txt"), Err(MaxPlusError::Text(_))));
    let oblong = "%%MatrixMarket matrix coordinate integer general\n3 2 0\n";
    assert!(matches!(parse(oblong, ProjectFormat::Matrix), Err(MaxPlusError::Length { .. })));
    let half = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 0.5\n";
    assert!(matches!(parse(half, ProjectFormat::Matrix), Err(MaxPlusError::Matrix(_))));
}

/// The star of a project's links equals its schedule: the first row of starts is its column from the source.
#[test]
fn stars_of_projects_are_their_schedules() {
    let project = parse(TIME_LAGS, ProjectFormat::TimeLags).unwrap();
    let star = MaxPlus::new(&Device::host()).star(&project.graph().unwrap()).unwrap();
    let column: Vec<i64> = (0..4).map(|task| star.get(task, 0).unwrap()).collect();
    assert_eq!(column, project.schedule().unwrap().earliest());
}
