//! The recording of a function: its graph, and its first error.

use std::cell::RefCell;

use crate::graph::{Graph, Id, Node, Op};
use crate::scalar::ScalarType;

/// What is recorded of a function.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) graph: Graph,
    /// Distinguishes functions that are written at the same time.
    number: u64,
    /// A value of another function was met.
    pub(crate) is_mixed: bool,
    /// The types of tables, as far as they are read.
    pub(crate) tables: Vec<Option<ScalarType>>,
    /// A table that is read as two types: its number, and the second one.
    pub(crate) mixed_table: Option<(usize, ScalarType)>,
    /// A text of OpenCL C that is no expression of its arguments.
    pub(crate) wrong_text: Option<&'static str>,
}

thread_local! {
    /// The functions that this thread is writing, the innermost last, and the number of the next one.
    static OPEN: RefCell<(Vec<Record>, u64)> = const { RefCell::new((Vec::new(), 1)) };
}

/// Records what `write` does.
///
/// Every function of users' own comes here, so that this is compiled once for all of them.
pub(crate) fn record(write: &mut dyn FnMut()) -> Record {
    /// Closes the record when the closure panics, too.
    struct Closing;
    impl Drop for Closing {
        fn drop(&mut self) {
            OPEN.with_borrow_mut(|open| open.0.pop());
        }
    }
    OPEN.with_borrow_mut(|(open, next)| {
        open.push(Record { number: *next, ..Record::default() });
        *next += 1;
    });
    let closing = Closing;
    write();
    std::mem::forget(closing);
    OPEN.with_borrow_mut(|open| open.0.pop()).unwrap_or_default()
}

/// A value in the innermost function that is being written, by its place: without a function there is nothing to record.
pub(crate) fn push(op: Op, kind: ScalarType, operands: &[Untyped]) -> Untyped {
    OPEN.with_borrow_mut(|(open, _)| {
        let Some(record) = open.last_mut() else { return Untyped::NONE };
        if operands.iter().any(|operand| operand.of != record.number) {
            record.is_mixed = true;
            return Untyped::NONE;
        }
        if let Op::Read(table, _) = op {
            let table = usize::from(table);
            if record.tables.len() <= table {
                record.tables.resize(table + 1, None);
            }
            if *record.tables[table].get_or_insert(kind) != kind {
                record.mixed_table = Some((table, kind));
            }
        }
        if let Op::Snippet(text, _, _, count) = op
            && !is_expression(text, count)
        {
            record.wrong_text = Some(text);
        }
        Untyped { id: record.graph.push(op, kind), of: record.number }
    })
}

/// Records a function's operations again, on these arguments, and returns its results. Table `i` becomes number
/// `table(i)`.
pub(crate) fn replay(
    nodes: &[Node],
    arguments: &[Untyped],
    outputs: &[Id],
    table: &dyn Fn(u16) -> u16,
) -> Vec<Untyped> {
    let mut made: Vec<Untyped> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let of = |id: Id| made[id as usize];
        let operands: Vec<Untyped> = node.op.operands().map(of).collect();
        let id = |at: usize| operands[at].id;
        made.push(match node.op {
            Op::Input(number) => arguments.get(usize::from(number)).copied().unwrap_or(Untyped::NONE),
            Op::Constant(_) => push(node.op, node.kind, &[]),
            Op::Unary(unary, _) => push(Op::Unary(unary, id(0)), node.kind, &operands),
            Op::Binary(binary, ..) => push(Op::Binary(binary, id(0), id(1)), node.kind, &operands),
            Op::Select(..) => push(Op::Select(id(0), id(1), id(2)), node.kind, &operands),
            Op::Fused(..) => push(Op::Fused(id(0), id(1), id(2)), node.kind, &operands),
            Op::Read(number, _) => push(Op::Read(table(number), id(0)), node.kind, &operands),
            Op::Snippet(text, _, _, count) => {
                push(Op::Snippet(text, id(0), [id(1), id(2), id(3)], count), node.kind, &operands)
            }
        });
    }
    outputs.iter().map(|&output| made[output as usize]).collect()
}

/// A value without its type.
#[derive(Debug, Clone, Copy)]
pub struct Untyped {
    pub(crate) id: Id,
    /// The number of its function; 0 for none.
    of: u64,
}

impl Untyped {
    /// Of no function.
    pub(crate) const NONE: Self = Self { id: 0, of: 0 };

    /// Whether it is of this function.
    pub(crate) fn is_of(self, record: &Record) -> bool {
        self.of == record.number
    }
}

/// Whether a text is one expression with places for `count` arguments.
fn is_expression(text: &str, count: u8) -> bool {
    let (mut rest, mut open) = (text, 0i64);
    if text.trim().is_empty() {
        return false;
    }
    while let Some(next) = rest.chars().next() {
        let width = match next {
            '{' => {
                let number = rest.get(1..2).and_then(|digit| digit.parse::<u8>().ok());
                if number.is_none_or(|number| number >= count) || rest.get(2..3) != Some("}") {
                    return false;
                }
                3
            }
            '}' | ';' | '#' | '\n' | '\r' => return false,
            _ => {
                open += i64::from(next == '(') - i64::from(next == ')');
                next.len_utf8()
            }
        };
        if open < 0 {
            return false;
        }
        rest = &rest[width..];
    }
    open == 0 && !text.contains("//") && !text.contains("/*")
}

#[cfg(test)]
mod tests {
    use super::is_expression;

    #[test]
    fn texts_are_single_expressions() {
        for text in ["{0} + 1", "hadd({0}, {1})", "({0})"] {
            assert!(is_expression(text, 2), "{text}");
        }
        for text in
            ["", " ", "{2}", "{", "{0", "{}", "{0}; f()", "a } {", "(", ")(", "1 // {0}", "1 /* */", "#if", "1\n"]
        {
            assert!(!is_expression(text, 2), "{text}");
        }
    }
}
