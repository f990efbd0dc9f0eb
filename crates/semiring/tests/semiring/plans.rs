//! The paper's plans: orders, lifetimes and costs as its figures and tables have them, corrected.

use manycore_semiring::plan::{Node, Plan, PlanError, Program, Representation, Shape, Sparsity};
use proptest::prelude::*;

use Representation::{Columns, Function, Rows, Stored};

fn square(n: u64) -> Shape {
    Shape { rows: n, columns: n }
}

/// Figures 4 and 5: 3 = 1 times the diagonal 2, 5 = 3 times 4, output 6 of 5, 7 = 1 times 5, output 8 of 7. Nodes from 0.
fn figure_5(n: u64, diagonal: (u64, u64), with_6: bool) -> Program {
    let mut program = Program::new();
    let m1 = program.given("1", square(n));
    let m2 = program.given_at("2", square(n), diagonal.0, diagonal.1);
    let m3 = program.product("3", m1, m2, Sparsity::Entries(1)).unwrap();
    let m4 = program.given("4", square(n));
    let m5 = program.product("5", m3, m4, Sparsity::Dense).unwrap();
    if with_6 {
        program.output("6", m5).unwrap();
    }
    let m7 = program.product("7", m1, m5, Sparsity::Dense).unwrap();
    program.output("8", m7).unwrap();
    program
}

fn named(program: &Program, nodes: impl IntoIterator<Item = Node>) -> Vec<&str> {
    nodes.into_iter().map(|node| program.name(node)).collect()
}

/// A plan of the figure with these representations of 3 and 5.
fn plan(program: &Program, of_3: Representation, of_5: Representation) -> Plan {
    let kept: Vec<Representation> = program
        .nodes()
        .map(|node| match program.name(node) {
            "3" => of_3,
            "5" => of_5,
            _ => Stored,
        })
        .collect();
    Plan::new(program, &kept).unwrap()
}

#[test]
fn the_order_is_depth_first() {
    let program = figure_5(4, (1, 4), true);
    assert_eq!(named(&program, program.order()), ["1", "2", "3", "4", "5", "6", "7", "8"]);
    let node = |name: &str| program.nodes().find(|&node| program.name(node) == name).unwrap();
    let order = program.order_from([node("8"), node("6")]);
    assert_eq!(named(&program, order), ["1", "2", "3", "4", "5", "7", "8", "6"]);
}

#[test]
fn what_no_output_needs_is_left_out() {
    let mut program = figure_5(4, (1, 4), false);
    let unused = program.given("unused", square(4));
    program.elements("more", &[unused]).unwrap();
    assert_eq!(named(&program, program.order()), ["1", "2", "3", "4", "5", "7", "8"]);
}

/// Nodes with what is freed behind them.
fn freed(plan: &Plan) -> Vec<(&str, Vec<&str>)> {
    let program = plan.program();
    let all = plan.schedule().into_iter();
    all.map(|(node, freed)| (program.name(node), named(program, freed)))
        .filter(|(_, freed)| !freed.is_empty())
        .collect()
}

#[test]
fn results_live_until_their_last_reader_has_run() {
    let program = figure_5(4, (1, 4), true);
    let stored = plan(&program, Stored, Stored);
    assert_eq!(freed(&stored), [("3", vec!["2"]), ("5", vec!["3", "4"]), ("7", vec!["1", "5"]), ("8", vec!["7"])]);
    let program = figure_5(4, (1, 4), false);
    let lazy = plan(&program, Function, Stored);
    assert_eq!(freed(&lazy), [("5", vec!["2", "4"]), ("7", vec!["1", "5"]), ("8", vec!["7"])]);
    let lazier = plan(&program, Function, Function);
    assert_eq!(freed(&lazier), [("7", vec!["1", "2", "4"]), ("8", vec!["7"])]);
}

#[test]
fn costs_are_those_of_table_3() {
    let program = figure_5(512, (0, 0), false);
    let of = |of_5| plan(&program, Function, of_5).cost(false).unwrap().total;
    assert_eq!((of(Stored), of(Function)), (537_395_200, 137_573_695_488));
    assert_eq!(plan(&program, Function, Stored).cost(true).unwrap().total, 537_657_344);
    assert_eq!(plan(&program, Function, Function).cost(true).unwrap().total, 137_573_957_632);
}

#[test]
fn costs_are_those_of_the_formulas() {
    let of = |n: u64, of_5| plan(&figure_5(n, (1, n), false), Function, of_5).cost(true).unwrap().total;
    assert_eq!((of(512, Stored), of(512, Function)), (671_875_584, 206_293_434_880));
    assert_eq!((of(2, Stored), of(2, Function)), (54, 70));
    // At n = 1 the second plan is the cheaper one.
    assert_eq!((of(1, Stored), of(1, Function)), (9, 8));
}

#[test]
fn costs_are_those_of_table_2() {
    let mut program = Program::new();
    let (a, b) = (program.given("A", square(1024)), program.given("B", square(1024)));
    let f = program.elements("f", &[a, b]).unwrap();
    let g = program.elements("g", &[f]).unwrap();
    let product = program.product("R", f, g, Sparsity::Dense).unwrap();
    program.output("out", product).unwrap();
    let of = |of_f, of_g| {
        Plan::new(&program, &[Stored, Stored, of_f, of_g, Stored, Stored]).unwrap().cost(false).unwrap().total
    };
    assert_eq!(of(Stored, Stored), 2_152_726_528);
    assert_eq!(of(Function, Function), 4_297_064_448);
    assert_eq!(of(Function, Rows), 5_370_806_272);
    assert_eq!(of(Function, Columns), 5_370_806_272);
    // f within g saves its own entries: 2 n^3 + 4 n^2.
    assert_eq!(program.cheapest(false).unwrap().cost(false).unwrap().total, 2_151_677_952);
}

/// The paper compares two plans, both of which compute 3 where it is read; to store it is cheaper: 4 n^3 + 5 n^2 + n.
#[test]
fn the_cheapest_plan_of_figure_5_stores_all() {
    let program = figure_5(512, (1, 512), false);
    let cheapest = program.cheapest(true).unwrap();
    assert_eq!(cheapest, plan(&program, Stored, Stored));
    assert_eq!(cheapest.cost(true).unwrap().total, 538_182_144);
}

#[test]
fn bad_programs_are_named() {
    let mut program = Program::new();
    let (a, b) = (program.given("A", Shape { rows: 2, columns: 3 }), program.given("B", Shape { rows: 4, columns: 3 }));
    let error = program.product("R", a, b, Sparsity::Dense).unwrap_err();
    assert_eq!(error.to_string(), "R: 2 x 3 and 4 x 3 do not fit");
    assert_eq!(program.elements("f", &[a, b]).unwrap_err().to_string(), "f: 2 x 3 and 4 x 3 do not fit");
    assert!(matches!(program.elements("f", &[]), Err(PlanError::NoOperand { .. })));
    let out = program.output("out", a).unwrap();
    assert_eq!(program.elements("f", &[out]).unwrap_err().to_string(), "f: an output is no operand");
    let foreign = Program::new().product("R", a, b, Sparsity::Dense).unwrap_err();
    assert_eq!(foreign.to_string(), "R: an operand is of another program");
    assert!(matches!(Plan::new(&program, &[Stored]), Err(PlanError::Representations { expected: 3, given: 1 })));
    assert!(matches!(Plan::new(&program, &[Function, Stored, Stored]), Err(PlanError::NotStored { .. })));
    let huge = Shape { rows: u64::MAX, columns: u64::MAX };
    let mut program = Program::new();
    let a = program.given("A", huge);
    let b = program.product("B", a, a, Sparsity::Dense).unwrap();
    let c = program.product("C", b, b, Sparsity::Dense).unwrap();
    program.output("out", c).unwrap();
    assert!(matches!(program.cheapest(false), Err(PlanError::Cost { .. })));
}

/// A program of operations on earlier nodes, drawn at random.
fn drawn(steps: &[(u8, u8, u8)], n: u64) -> Program {
    let mut program = Program::new();
    let mut nodes = vec![program.given("a", square(n)), program.given_at("b", square(n), 0, 0)];
    for (i, &(what, a, b)) in steps.iter().enumerate() {
        let (a, b) = (nodes[usize::from(a) % nodes.len()], nodes[usize::from(b) % nodes.len()]);
        let name = i.to_string();
        nodes.push(match what % 4 {
            0 => program.product(&name, a, b, Sparsity::Dense).unwrap(),
            1 => program.product(&name, a, b, Sparsity::Entries(2)).unwrap(),
            2 => program.elements(&name, &[a]).unwrap(),
            _ => program.elements(&name, &[a, b, a]).unwrap(),
        });
    }
    let last = *nodes.last().unwrap();
    program.output("out", last).unwrap();
    program
}

proptest! {
    #[test]
    fn no_plan_is_cheaper_than_the_cheapest(
        steps in prop::collection::vec(any::<(u8, u8, u8)>(), 1..6),
        n in 1u64..9,
        charge_output: bool,
    ) {
        let program = drawn(&steps, n);
        let cheapest = program.cheapest(charge_output).unwrap().cost(charge_output).unwrap().total;
        let count = program.nodes().len();
        let mut least = u128::MAX;
        for code in 0..4usize.pow(count as u32 - 3) {
            let kept: Vec<Representation> = (0..count)
                .map(|at| if at < 2 || at == count - 1 { Stored } else { Representation::ALL[code >> (2 * (at - 2)) & 3] })
                .collect();
            if let Ok(plan) = Plan::new(&program, &kept) {
                least = least.min(plan.cost(charge_output).unwrap().total);
            }
        }
        prop_assert_eq!(cheapest, least);
    }

    #[test]
    fn nothing_is_read_after_it_was_freed(steps in prop::collection::vec(any::<(u8, u8, u8)>(), 1..12), code: u64) {
        let program = drawn(&steps, 3);
        let kept: Vec<Representation> = program
            .nodes()
            .map(|node| {
                let wished = Representation::ALL[(code >> (2 * node.index()) & 3) as usize];
                let mut one = vec![Stored; program.nodes().len()];
                one[node.index()] = wished;
                if Plan::new(&program, &one).is_ok() { wished } else { Stored }
            })
            .collect();
        let plan = Plan::new(&program, &kept).unwrap();
        let mut live = Vec::new();
        let mut freed_at_all = 0;
        for (node, freed) in plan.schedule() {
            for read in plan.reads(node) {
                prop_assert!(live.contains(&read), "{} reads {}", program.name(node), program.name(read));
            }
            live.push(node);
            live.retain(|node| !freed.contains(node));
            freed_at_all += freed.len();
        }
        // Only the output is left: every other stored result was freed once.
        prop_assert_eq!(live.len(), 1);
        prop_assert_eq!(freed_at_all + 1, plan.schedule().len());
    }
}
