//! Texts of algebra: polynomials in one variable and in two, programs of products over semirings, projects.

use std::fmt::Write as _;

use manycore::bivariate::RationalBivariate;
use manycore::files::AlgebraText;
use manycore::maxplus::project::{LinkKind, Project, ProjectFormat};
use manycore::{Bivariate, Device, PolyRing, PrimeField};
use manycore_cli::readers;

use super::file::{NAME, placed, text, told};

/// Coefficients of a polynomial that is printed, at most.
const MOST_PRINTED: usize = 1 << 20;

/// Polynomials in one variable, as Sage and PARI/GP write them.
pub(super) fn polynomial_text(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let field = PrimeField::<u32>::new(2_147_483_629).unwrap_or_else(|error| panic!("no prime: {error}"));
    let ring = PolyRing::new(&Device::host(), field).unwrap_or_else(|error| panic!("no ring: {error}"));
    let read = |text: &str| ring.parse(text).and_then(|f| ring.coefficients(&f));
    match read(text) {
        // A text of more coefficients may be refused for want of memory.
        Ok(coefficients) if coefficients.len() > MOST_PRINTED => true,
        Ok(coefficients) => {
            for form in [AlgebraText::Sage, AlgebraText::Pari] {
                let f = ring.poly(&coefficients).unwrap_or_else(|error| panic!("no polynomial: {error}"));
                let printed = ring.display_as(&f, form).unwrap_or_else(|error| panic!("not printed: {error}"));
                let again = read(&printed).unwrap_or_else(|error| panic!("not read again: {error}"));
                assert!(again == coefficients, "another polynomial comes back as {form:?}");
            }
            true
        }
        Err(error) => told(error),
    }
}

/// Polynomials in two variables, over a field and over the rationals.
pub(super) fn bivariate(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let field = PrimeField::<u32>::new(7).unwrap_or_else(|error| panic!("no prime: {error}"));
    let residues = match Bivariate::parse(&field, text) {
        Ok(f) => {
            let again = Bivariate::parse(&field, &f.to_string());
            assert!(again.is_ok_and(|again| again.rows() == f.rows()), "another polynomial comes back");
            true
        }
        Err(error) => told(error),
    };
    let rationals = match RationalBivariate::parse(text) {
        Ok(f) => {
            let printed = f.to_string();
            let again = RationalBivariate::parse(&printed).map(|again| again.to_string());
            assert_eq!(again.ok(), Some(printed), "another polynomial comes back");
            true
        }
        Err(error) => told(error),
    };
    residues || rationals
}

/// Programs of products over semirings, with their functions.
pub(super) fn program(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    match readers::program(text, NAME) {
        Ok(printed) => {
            // Comments and spaces at the end of lines change nothing.
            let spaced: Vec<String> =
                text.lines().map(|line| format!("{} \t# more", line.split('#').next().unwrap_or_default())).collect();
            assert_eq!(readers::program(&spaced.join("\n"), NAME).ok(), Some(printed), "another program comes back");
            true
        }
        Err(error) => placed(error, NAME),
    }
}

const FORMATS: [ProjectFormat; 5] = [
    ProjectFormat::SingleMode,
    ProjectFormat::TimeLags,
    ProjectFormat::Patterson,
    ProjectFormat::Csv,
    ProjectFormat::Matrix,
];

/// Projects in every form.
pub(super) fn project(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let mut taken = false;
    for format in FORMATS {
        match Project::parse(NAME, text, format) {
            Ok(project) => {
                taken = true;
                let again = Project::parse(NAME, &table(&project), ProjectFormat::Csv);
                let again = again.unwrap_or_else(|error| panic!("not read again: {error}"));
                let times = |project: &Project| -> Vec<_> {
                    project.tasks().iter().map(|task| (task.duration, task.release, task.deadline)).collect()
                };
                assert_eq!(times(&again), times(&project), "other tasks come back");
                let mut links = project.links().to_vec();
                links.sort_by_key(|link| link.to);
                assert_eq!(again.links(), links, "other links come back");
                // A schedule, or the reason why there is none.
                if let Err(error) = project.schedule() {
                    told(error);
                }
            }
            Err(error) => {
                told(error);
            }
        }
    }
    taken
}

/// A project as a table; tasks are called by their numbers.
fn table(project: &Project) -> String {
    let mut before = vec![String::new(); project.tasks().len()];
    for link in project.links() {
        let kind = if link.kind == LinkKind::FinishStart { "FS" } else { link.kind.code() };
        let written = write!(before[link.to as usize], "t{}:{kind}{:+};", link.from, link.lag);
        written.unwrap_or_else(|error| panic!("not written: {error}"));
    }
    let mut text = String::from("name,duration,predecessors,release,deadline\n");
    for (number, (task, before)) in project.tasks().iter().zip(before).enumerate() {
        let deadline = task.deadline.map_or_else(String::new, |deadline| deadline.to_string());
        let written = writeln!(text, "t{number},{},{before},{},{deadline}", task.duration, task.release);
        written.unwrap_or_else(|error| panic!("not written: {error}"));
    }
    text
}
