//! The text of the kernels: a tile's sum, and a tile's prefix sums from the sum of all before.

use std::fmt::Write as _;

use manycore_device::{Param, Passing, WordType};
use manycore_expressions::generated::Arguments;
use manycore_expressions::{Program, ScalarType};

/// Which kernel, and the shape of its tiles: a part of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Step {
    /// Prefix sums, or the sum.
    pub(super) is_scan: bool,
    /// Items of a group, a power of two.
    pub(super) group: usize,
    /// Elements of an item.
    pub(super) per: usize,
}

impl Step {
    /// The kernel's name.
    pub(super) fn entry(self) -> &'static str {
        if self.is_scan { "fold_scan" } else { "fold_sums" }
    }

    /// The text for a sum of elements of these scalars, and the arguments: `count`, elements `x`, the identity `e`, and of a scan the
    /// sums `s` before each tile and whether its own place is left out; then the results `y`.
    pub(super) fn text(self, sum: &Program, kinds: &[ScalarType]) -> (String, Vec<Param>) {
        let Self { is_scan, group, per } = self;
        let tile = group * per;
        let words: Vec<WordType> = kinds.iter().map(|kind| kind.memory()).collect();
        let mut arguments = Arguments::default();
        arguments.add("count", Passing::Value, WordType::U64);
        arguments.add_each("x", Passing::Input, words.iter().copied());
        arguments.add_each("e", Passing::Value, words.iter().copied());
        if is_scan {
            arguments.add_each("s", Passing::Input, words.iter().copied());
            arguments.add("is_exclusive", Passing::Value, WordType::U32);
        }
        arguments.add_each("y", Passing::Buffer, words.iter().copied());

        // One statement for each scalar, with its number and type.
        let each = |statement: &dyn Fn(usize, &str) -> String| -> String {
            words.iter().enumerate().map(|(i, word)| statement(i, word.opencl_name())).collect::<Vec<_>>().join(" ")
        };
        // r = left + right, by names before the scalar's number.
        let combine = |left: &dyn Fn(usize) -> String, right: &dyn Fn(usize) -> String| -> String {
            let all = |of: &dyn Fn(usize) -> String| (0..words.len()).map(of).collect::<Vec<_>>().join(", ");
            let results = all(&|i| format!("&r{i}"));
            format!("combine({}, {}, {results});", all(left), all(right))
        };
        let named = |name: &'static str| move |i: usize| format!("{name}{i}");
        let at = |name: &'static str, place: &'static str| move |i: usize| format!("{name}{i}[{place}]");
        let keep = |name: &'static str| each(&|i, _| format!("{name}{i} = r{i};"));

        let mut text = sum.opencl_head() + &sum.opencl("combine");
        let _ = writeln!(text, "__kernel __attribute__((reqd_work_group_size({group}, 1, 1)))");
        let _ = writeln!(text, "void {}({})\n{{", self.entry(), arguments.declared());
        let mut line = |indent: usize, statement: String| {
            let _ = writeln!(text, "{:width$}{statement}", "", width = 4 * indent);
        };
        line(1, each(&|i, kind| format!("__local {kind} t{i}[{tile}];")));
        line(1, each(&|i, kind| format!("__local {kind} g{i}[{group}];")));
        line(1, "const uint me = (uint)get_local_id(0);".into());
        line(1, format!("const ulong begin = get_group_id(0) * {tile}ul;"));
        line(1, format!("const uint own = (uint)min((ulong){tile}, count - begin);"));
        line(1, each(&|i, kind| format!("{kind} r{i};")));
        // Elements lie side by side in memory, those of an item one behind the other in the tile; the identity past the end.
        line(1, format!("for (uint i = me; i < {tile}u; i += {group}u) {{"));
        line(2, each(&|i, _| format!("t{i}[i] = i < own ? x{i}[begin + i] : e{i};")));
        line(1, "}".into());
        line(1, "barrier(CLK_LOCAL_MEM_FENCE);".into());
        line(1, format!("const uint first = me * {per}u;"));
        line(1, each(&|i, kind| format!("{kind} a{i} = t{i}[first];")));
        line(1, format!("for (uint j = 1u; j < {per}u; j++) {{"));
        line(2, combine(&named("a"), &at("t", "first + j")));
        line(2, keep("a"));
        line(1, "}".into());
        line(1, each(&|i, _| format!("g{i}[me] = a{i};")));
        line(1, "barrier(CLK_LOCAL_MEM_FENCE);".into());
        line(1, format!("for (uint step = 1u; step < {group}u; step <<= 1) {{"));
        line(2, "if (me >= step) {".into());
        line(3, combine(&at("g", "me - step"), &named("a")));
        line(3, keep("a"));
        line(2, "}".into());
        line(2, "barrier(CLK_LOCAL_MEM_FENCE);".into());
        line(2, each(&|i, _| format!("g{i}[me] = a{i};")));
        line(2, "barrier(CLK_LOCAL_MEM_FENCE);".into());
        line(1, "}".into());
        if is_scan {
            line(1, each(&|i, _| format!("a{i} = s{i}[get_group_id(0)];")));
            line(1, "if (me > 0u) {".into());
            line(2, combine(&named("a"), &at("g", "me - 1u")));
            line(2, keep("a"));
            line(1, "}".into());
            line(1, format!("for (uint j = 0u; j < {per}u; j++) {{"));
            line(2, combine(&named("a"), &at("t", "first + j")));
            line(2, each(&|i, _| format!("t{i}[first + j] = is_exclusive != 0u ? a{i} : r{i};")));
            line(2, keep("a"));
            line(1, "}".into());
            line(1, "barrier(CLK_LOCAL_MEM_FENCE);".into());
            line(1, format!("for (uint i = me; i < own; i += {group}u) {{"));
            line(2, each(&|i, _| format!("y{i}[begin + i] = t{i}[i];")));
            line(1, "}".into());
        } else {
            line(1, format!("if (me == {}u) {{", group - 1));
            line(2, each(&|i, _| format!("y{i}[get_group_id(0)] = a{i};")));
            line(1, "}".into());
        }
        line(0, "}".into());
        (text, arguments.into_params())
    }
}
