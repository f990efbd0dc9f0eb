//! The page of a plan: its graph with the cost of each step, and the other forms that a step could have.

use manycore_pages::{Body, Cell, Graph, Page, Table, seconds};

use crate::computation::{Explanation, PlanStep};
use crate::plan::Representation;

/// Steps that the graph and the table have at the most.
const MOST_STEPS: usize = 200;

/// The page. `name` is the program's file, `text` the explanation as the terminal shows it.
pub(super) fn page(name: &str, device: &str, plan: &Explanation) -> String {
    let steps = &plan.steps()[..plan.steps().len().min(MOST_STEPS)];
    let mut body = Body::new();
    let estimated = plan.seconds().map(seconds).unwrap_or_default();
    let measured = sum(plan.steps().iter().map(|step| step.seconds)).map(seconds).unwrap_or_default();
    body.figures([
        ("steps", plan.steps().len().to_string()),
        ("accesses to memory", plan.accesses().to_string()),
        ("with all results stored", plan.accesses_stored().to_string()),
        ("estimated", estimated),
        ("measured", measured),
    ]);
    body.note(
        "An estimate is the time that a step's accesses and operations take at the rates of the device. A measurement has, beside, the \
         time to start each step, which is most of it where matrices are small.",
    );
    body.section("Graph").text("Shaded steps are stored; the others are computed where they are read.");
    let mut graph = Graph::new("Steps of the plan");
    for step in steps {
        let cost = step.seconds.or(step.estimated).map_or_else(|| step.representation.name().to_owned(), seconds);
        let after = step.operands.iter().filter_map(|operand| steps.iter().position(|step| step.node == *operand));
        let is_stored = step.representation == Representation::Stored;
        graph = graph.node(format!("{}: {}", step.name, step.what), cost, is_stored, after);
    }
    body.graph(&graph);
    if steps.len() < plan.steps().len() {
        body.note(&format!("The first {MOST_STEPS} of {} steps.", plan.steps().len()));
    }
    body.section("Steps");
    let longest = steps.iter().filter_map(|step| step.seconds).fold(0.0, f64::max);
    let heads = ["name", "what", "shape", "kept as", "accesses", "estimated", "measured", "other forms", "then free"];
    let mut table = Table::new(heads).names(2);
    for step in steps {
        table = table.row([
            Cell::new(&step.name),
            Cell::new(step.what),
            Cell::new(&step.shape),
            Cell::new(step.representation.name()),
            Cell::new(step.accesses.to_string()),
            Cell::new(step.estimated.map(seconds).unwrap_or_default()),
            step.seconds.map_or_else(Cell::default, |time| {
                Cell::new(seconds(time)).bar(if longest > 0.0 { time / longest } else { 0.0 })
            }),
            Cell::new(others(step)),
            Cell::new(step.freed.join(", ")),
        ]);
    }
    body.table(&table);
    body.note("BUF is stored, XY computed where it is read, CSR and CSC lists of the entries of rows and columns.");
    let mut all = Body::new();
    all.code(&plan.to_string());
    body.fold("As text", &all);
    Page::new(format!("The plan of {name}")).lead(format!("On {device}.")).html(&body)
}

/// What the whole plan would take with each other form of a step.
fn others(step: &PlanStep) -> String {
    let told = |&(representation, accesses, time): &(Representation, u128, Option<f64>)| {
        let form = representation.name();
        match time {
            Some(time) => format!("{form}: {accesses}, {}", seconds(time)),
            None => format!("{form}: {accesses}"),
        }
    };
    step.others.iter().map(told).collect::<Vec<_>>().join("; ")
}

/// The sum of what is there; `None` where nothing is.
fn sum(times: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    times.flatten().fold(None, |sum, time| Some(sum.unwrap_or(0.0) + time))
}
