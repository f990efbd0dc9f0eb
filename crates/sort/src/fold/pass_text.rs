//! The text of the kernel of prefix sums in one pass by decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan with
//! Decoupled Look-back, 2016).
//!
//! Tiles are numbered as their groups begin. A group publishes its tile's own sum, then adds up the published sums of earlier tiles, a
//! window of as many as it has items at a time, back to a tile with an inclusive sum; then it publishes the inclusive sum of its own tile.
//! A word of a state has 32 bits of the sum below a mark of two bits, so that no fence stands between a sum and its mark; a sum of several
//! words counts once they all have the same mark. A group that waited too often for a tile sums that tile's elements itself: nothing hangs
//! where groups do not get on at the same time.

use std::fmt::Write as _;

use manycore_device::{Param, Passing, WordType};
use manycore_expressions::generated::Arguments;
use manycore_expressions::{Program, ScalarType};

/// The shape of the kernel: its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Pass {
    /// Items of a group, a power of two.
    pub(super) group: usize,
    /// Elements of an item.
    pub(super) per: usize,
    /// Turns of a wait for a tile.
    pub(super) turns: u32,
}

/// Words of a state of elements of these types.
pub(super) fn state_words(words: &[WordType]) -> usize {
    words.iter().map(|word| word.bytes().div_ceil(4)).sum()
}

impl Pass {
    pub(super) const ENTRY: &'static str = "fold_pass";

    /// Elements of a tile.
    pub(super) fn tile(self) -> usize {
        self.group * self.per
    }

    /// Words of local memory of a tile, of which those of items are in different banks.
    fn padded(self) -> usize {
        self.tile() + self.group
    }

    /// Bytes of local memory for elements of `bytes` bytes.
    pub(super) fn local_bytes(self, bytes: usize) -> usize {
        (self.padded() + 2 * self.group + 1) * bytes + 16
    }

    /// The text for a sum of elements of these scalars, and the arguments: `count`, elements `x`, the identity `e`, whether an element's
    /// own place is left out, and the number of tiles that have begun with the states of tiles behind it, all 0 at first; then the
    /// results `y`.
    pub(super) fn text(self, sum: &Program, kinds: &[ScalarType]) -> (String, Vec<Param>) {
        let words: Vec<WordType> = kinds.iter().map(|kind| kind.memory()).collect();
        let pieces = state_words(&words);
        let mut arguments = Arguments::default();
        arguments.add("count", Passing::Value, WordType::U64);
        arguments.add_each("x", Passing::Input, words.iter().copied());
        arguments.add_each("e", Passing::Value, words.iter().copied());
        arguments.add("is_exclusive", Passing::Value, WordType::U32);
        arguments.add_shared("states", WordType::U64);
        // Not `restrict`: PoCL's compiler then gives a kernel with this loop of waits that writes elsewhere.
        words.iter().enumerate().for_each(|(i, &word)| arguments.add_shared(format!("y{i}"), word));

        let mut text = Text { pass: self, pieces, words, lines: sum.opencl_head() + HELPERS + &sum.opencl("combine") };
        let _ = writeln!(text.lines, "__kernel __attribute__((reqd_work_group_size({}, 1, 1)))", self.group);
        let _ = writeln!(text.lines, "void {}({})\n{{", Self::ENTRY, arguments.declared());
        text.load();
        text.own_sum();
        text.look_back();
        text.sum_of_another();
        text.tell_all();
        text.results();
        (text.lines, arguments.into_params())
    }
}

/// The text that is being written.
struct Text {
    pass: Pass,
    /// The scalars of an element.
    words: Vec<WordType>,
    /// Words of a state.
    pieces: usize,
    lines: String,
}

impl Text {
    fn line(&mut self, indent: usize, statement: &str) {
        let _ = writeln!(self.lines, "{:width$}{statement}", "", width = 4 * indent);
    }

    /// One statement for each scalar, with its number and type.
    fn each(&self, statement: &dyn Fn(usize, &str) -> String) -> String {
        let words = self.words.iter().enumerate();
        words.map(|(i, word)| statement(i, word.opencl_name())).collect::<Vec<_>>().join(" ")
    }

    /// One statement for each scalar, whose number # is.
    fn same(&self, form: &str) -> String {
        self.each(&|i, _| form.replace('#', &i.to_string()))
    }

    /// `r = left + right`, by forms in which # is the scalar's number.
    fn combine(&self, left: &str, right: &str) -> String {
        let all = |form: &str| {
            (0..self.words.len()).map(|i| form.replace('#', &i.to_string())).collect::<Vec<_>>().join(", ")
        };
        format!("combine({}, {}, {});", all(left), all(right), all("&r#"))
    }

    /// Tells `r` with a mark.
    fn tell(&self, mark: u32) -> String {
        let pieces = pieces_of(&self.words, "r#").into_iter().enumerate();
        pieces.map(|(i, bits)| format!("tell(&state[{i}], {mark}ul << 62 | {bits});")).collect::<Vec<_>>().join(" ")
    }

    /// The group's tile, in local memory: elements lie side by side in memory, those of an item one behind the other in the tile, the
    /// identity past the end.
    fn load(&mut self) {
        let Pass { group, per, .. } = self.pass;
        let (tile, padded) = (self.pass.tile(), self.pass.padded());
        self.line(1, &self.each(&|i, kind| format!("__local {kind} t{i}[{padded}];")));
        self.line(1, &self.each(&|i, kind| format!("__local {kind} g{i}[{group}];")));
        self.line(1, &self.each(&|i, kind| format!("__local {kind} h{i}[{group}];")));
        self.line(1, &self.each(&|i, kind| format!("__local {kind} p{i};")));
        self.line(1, "__local uint shared[3];");
        self.line(1, "const uint me = (uint)get_local_id(0);");
        self.line(1, "if (me == 0u) {");
        self.line(2, "shared[0] = atomic_inc((volatile __global uint *)states);");
        self.line(2, &self.same("p# = e#;"));
        self.line(1, "}");
        self.line(1, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(1, "const uint tile = shared[0];");
        self.line(1, "if (tile >= get_num_groups(0))\n        return;");
        self.line(1, &format!("const ulong begin = tile * {tile}ul;"));
        self.line(1, &format!("const uint own = (uint)min((ulong){tile}, count - begin);"));
        self.line(1, &self.each(&|i, kind| format!("{kind} r{i};")));
        self.line(1, &format!("if (own == {tile}u) {{\n#pragma unroll"));
        self.line(2, &format!("for (uint j = 0u; j < {per}u; j++) {{"));
        self.line(3, &format!("const uint i = me + j * {group}u;"));
        self.line(3, &self.each(&|s, _| format!("t{s}[i + i / {per}u] = x{s}[begin + i];")));
        self.line(2, "}");
        self.line(1, "} else {");
        self.line(2, &format!("for (uint i = me; i < {tile}u; i += {group}u) {{"));
        self.line(3, &self.each(&|s, _| format!("t{s}[i + i / {per}u] = i < own ? x{s}[begin + i] : e{s};")));
        self.line(2, "}");
        self.line(1, "}");
        self.line(1, "barrier(CLK_LOCAL_MEM_FENCE);");
    }

    /// Sums of an item's elements in registers and of the items in local memory; then the tile's sum, which is published.
    fn own_sum(&mut self) {
        let Pass { group, per, .. } = self.pass;
        let (pieces, stride) = (self.pieces, per + 1);
        self.line(1, &format!("const uint first = me * {stride}u;"));
        self.line(1, &self.each(&|i, kind| format!("{kind} a{i}[{per}];")));
        self.line(1, &self.same("r# = a#[0] = t#[first];"));
        self.line(0, "#pragma unroll");
        self.line(1, &format!("for (uint j = 1u; j < {per}u; j++) {{"));
        self.line(2, &self.combine("a#[j - 1u]", "t#[first + j]"));
        self.line(2, &self.same("a#[j] = r#;"));
        self.line(1, "}");
        self.line(1, &self.same("g#[me] = r#;"));
        self.line(1, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(1, &format!("for (uint step = 1u; step < {group}u; step <<= 1) {{"));
        self.line(2, &self.same("r# = g#[me];"));
        self.line(2, "if (me >= step) {");
        self.line(3, &self.combine("g#[me - step]", "g#[me]"));
        self.line(2, "}");
        self.line(2, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(2, &self.same("g#[me] = r#;"));
        self.line(2, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(1, "}");
        self.line(1, &format!("volatile __global ulong *state = states + 1 + (ulong)tile * {pieces}ul;"));
        let last = group - 1;
        self.line(1, &format!("if (me == {last}u) {{"));
        self.line(2, &format!("if (tile == 0u) {{ {} }} else {{ {} }}", self.tell(2), self.tell(1)));
        self.line(1, "}");
    }

    /// The sum of all tiles before: a window of them at a time, the nearest with item 0.
    fn look_back(&mut self) {
        let (group, pieces) = (self.pass.group, self.pieces);
        self.line(1, "uint rest = tile;");
        self.line(1, "uint waited = 0u;");
        self.line(1, "while (rest > 0u) {");
        self.line(2, &format!("if (me < 2u)\n            shared[1u + me] = {group}u;"));
        self.line(2, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(2, "if (me < rest) {");
        self.line(3, &format!("volatile __global ulong *told = states + 1 + (ulong)(rest - 1u - me) * {pieces}ul;"));
        for piece in 0..pieces {
            self.line(3, &format!("const ulong w{piece} = told_of(&told[{piece}]);"));
        }
        self.line(3, "uint mark = (uint)(w0 >> 62);");
        for piece in 1..pieces {
            self.line(3, &format!("mark = mark == (uint)(w{piece} >> 62) ? mark : 0u;"));
        }
        self.line(3, "if (mark != 1u)\n                (void)atomic_min(&shared[mark == 2u ? 1u : 2u], me);");
        self.line(3, &from_pieces(&self.words, "h#[me]"));
        self.line(2, "}");
        self.line(2, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(2, "const bool is_all = shared[1] < shared[2];");
        self.line(2, &format!("const uint seen = is_all ? shared[1] + 1u : min(shared[2], min(rest, {group}u));"));
        self.line(2, "for (uint step = 1u; step < seen; step <<= 1) {");
        self.line(3, "if ((me & (2u * step - 1u)) == 0u && me + step < seen) {");
        self.line(4, &self.combine("h#[me + step]", "h#[me]"));
        self.line(4, &self.same("h#[me] = r#;"));
        self.line(3, "}");
        self.line(3, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(2, "}");
        self.line(2, "if (me == 0u && seen > 0u) {");
        self.line(3, &self.combine("h#[0]", "p#"));
        self.line(3, &self.same("p# = r#;"));
        self.line(2, "}");
        self.line(2, "rest = is_all ? 0u : rest - seen;");
        self.line(2, "waited = seen > 0u ? 0u : waited + 1u;");
        self.line(2, "barrier(CLK_LOCAL_MEM_FENCE);");
    }

    /// After a wait that is too long the sum of the other tile's elements.
    fn sum_of_another(&mut self) {
        let Pass { group, per, turns } = self.pass;
        let tile = self.pass.tile();
        self.line(2, &format!("if (rest > 0u && waited > {turns}u) {{"));
        self.line(3, &format!("const ulong from = (ulong)(rest - 1u) * {tile}ul + me * {per}u;"));
        self.line(3, &self.same("r# = x#[from]; h#[me] = r#;"));
        self.line(3, &format!("for (uint j = 1u; j < {per}u; j++) {{"));
        self.line(4, &self.combine("h#[me]", "x#[from + j]"));
        self.line(4, &self.same("h#[me] = r#;"));
        self.line(3, "}");
        self.line(3, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(3, &format!("for (uint step = 1u; step < {group}u; step <<= 1) {{"));
        self.line(4, "if ((me & (2u * step - 1u)) == 0u) {");
        self.line(5, &self.combine("h#[me]", "h#[me + step]"));
        self.line(5, &self.same("h#[me] = r#;"));
        self.line(4, "}");
        self.line(4, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(3, "}");
        self.line(3, "if (me == 0u) {");
        self.line(4, &self.combine("h#[0]", "p#"));
        self.line(4, &self.same("p# = r#;"));
        self.line(3, "}");
        self.line(3, "rest--;");
        self.line(3, "waited = 0u;");
        self.line(3, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(2, "}");
        self.line(1, "}");
    }

    fn tell_all(&mut self) {
        let last = self.pass.group - 1;
        self.line(1, "if (me == 0u && tile > 0u) {");
        self.line(2, &self.combine("p#", &format!("g#[{last}]")));
        self.line(2, &self.tell(2));
        self.line(1, "}");
    }

    /// The elements' prefix sums, through local memory.
    fn results(&mut self) {
        let Pass { group, per, .. } = self.pass;
        let tile = self.pass.tile();
        self.line(1, &self.each(&|i, kind| format!("{kind} c{i} = p{i};")));
        self.line(1, "if (me > 0u) {");
        self.line(2, &self.combine("c#", "g#[me - 1u]"));
        self.line(2, &self.same("c# = r#;"));
        self.line(1, "}");
        self.line(1, "if (is_exclusive != 0u)\n        {");
        self.line(2, &self.same("t#[first] = c#;"));
        self.line(1, "}");
        self.line(0, "#pragma unroll");
        self.line(1, &format!("for (uint j = 0u; j < {per}u; j++) {{"));
        self.line(2, &self.combine("c#", "a#[j]"));
        self.line(2, "if (is_exclusive == 0u) {");
        self.line(3, &self.same("t#[first + j] = r#;"));
        self.line(2, &format!("}} else if (j + 1u < {per}u) {{"));
        self.line(3, &self.same("t#[first + j + 1u] = r#;"));
        self.line(2, "}");
        self.line(1, "}");
        self.line(1, "barrier(CLK_LOCAL_MEM_FENCE);");
        self.line(1, &format!("if (own == {tile}u) {{\n#pragma unroll"));
        self.line(2, &format!("for (uint j = 0u; j < {per}u; j++) {{"));
        self.line(3, &format!("const uint i = me + j * {group}u;"));
        self.line(3, &self.each(&|s, _| format!("y{s}[begin + i] = t{s}[i + i / {per}u];")));
        self.line(2, "}");
        self.line(1, "} else {");
        self.line(2, &format!("for (uint i = me; i < own; i += {group}u) {{"));
        self.line(3, &self.each(&|s, _| format!("y{s}[begin + i] = t{s}[i + i / {per}u];")));
        self.line(2, "}");
        self.line(1, "}");
        self.line(0, "}");
    }
}

/// Reads and writes of words that other groups write and read: whole words, past the first caches.
const HELPERS: &str = "\
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
inline ulong told_of(volatile __global ulong *state)
{
#if defined(__NV_CL_C_VERSION)
    return *state;
#else
    return atom_add(state, 0ul);
#endif
}
inline void tell(volatile __global ulong *state, const ulong word)
{
#if defined(__NV_CL_C_VERSION)
    *state = word;
#else
    (void)atom_xchg(state, word);
#endif
}
";

/// The scalars of a form in which # is a scalar's number, as words of 32 bits.
fn pieces_of(words: &[WordType], form: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let name = form.replace('#', &i.to_string());
        match word {
            WordType::U64 | WordType::I64 | WordType::F64 => {
                let bits = if *word == WordType::F64 { format!("as_ulong({name})") } else { format!("(ulong){name}") };
                pieces.push(format!("({bits} & 0xfffffffful)"));
                pieces.push(format!("({bits} >> 32)"));
            }
            WordType::I8 => pieces.push(format!("(ulong)as_uchar({name})")),
            WordType::I16 => pieces.push(format!("(ulong)as_ushort({name})")),
            WordType::F32 | WordType::I32 => pieces.push(format!("(ulong)as_uint({name})")),
            _ => pieces.push(format!("(ulong){name}")),
        }
    }
    pieces
}

/// Statements that make scalars of the words `w0`, `w1`, ...
fn from_pieces(words: &[WordType], form: &str) -> String {
    let (mut piece, mut statements) = (0, Vec::new());
    for (i, word) in words.iter().enumerate() {
        let low = format!("(uint)w{piece}");
        let value = match word {
            WordType::U64 | WordType::I64 | WordType::F64 => {
                piece += 1;
                let bits = format!("((ulong)(uint)w{piece} << 32 | {low})");
                match word {
                    WordType::F64 => format!("as_double({bits})"),
                    WordType::I64 => format!("as_long({bits})"),
                    _ => bits,
                }
            }
            WordType::F32 => format!("as_float({low})"),
            WordType::I8 => format!("as_char((uchar){low})"),
            WordType::I16 => format!("as_short((ushort){low})"),
            WordType::I32 => format!("as_int({low})"),
            _ => format!("({}){low}", word.opencl_name()),
        };
        piece += 1;
        statements.push(format!("{} = {value};", form.replace('#', &i.to_string())));
    }
    statements.join(" ")
}
