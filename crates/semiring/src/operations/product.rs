//! The product of two matrices over a semiring as an operation.

use manycore_device::DeviceSet;
use manycore_operation::files::NotFinite;
use manycore_operation::json::Json;
use manycore_operation::verify::Passed;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Splits,
    Task, Value, unmade,
};
use serde_json::json;

use super::check::{Made, Plain, Sizes};
use super::entries::{Infinities, read, zero};
use super::faults::Past;
use super::kind::{Kind, WRAP, type_option};
use super::rows::Rows;
use crate::error::SemiringError;
use crate::matrix::Matrix;

/// Matrices that every semiring has, square ones.
const MATRICES: &[&str] = &["0 3\n5 0\n", "1 2 3\n4 5 6\n7 8 9\n", "[2]\n", "1 0 2 1\n0 1 1 3\n2 2 0 1\n1 1 1 0\n"];

const DECLARATION: Declaration = Declaration {
    name: "semiring product",
    title: "The product of two matrices over a semiring",
    about: "\
The product of two matrices over a semiring

An entry is the sum over i, in order, of the products of A's entries in row u, column i and B's in row i, column v, where sum and \
product are those of the semiring: min-plus gives shortest paths of two arcs, max-min the widest. Written as text, a row a line; \
with --json, as a list of rows.",
    help: "\
A matrix is a .npy array, text, a row a line, with white space or commas between entries, where # begins a comment, or a file in the \
Matrix Market, SMS or Harwell-Boeing format, whose missing entries are the semiring's zero. inf and -inf are infinities, which plus-times \
and or-and have none of, and max-times of integers neither; NaN is refused. Integers are exact: an entry that its type does not hold is an error that names it, \
exit code 2. With --wrap sums and products are modulo 2^bits, and no integer is an infinity.

With --arg each entry is followed by a colon and the index i, from 0, of the product that it is, the lowest of equal ones; by - where \
there is none. The sum must take one of its terms, as max and min do. With --json the result has entries and places.

--verify computes every entry once more on the host, by plain loops, of integers with 128 bits, and compares. No wrong result passes.

Examples:
  printf '0 3\\ninf 0\\n' | manycore semiring product - - --semiring min-plus --verify
  manycore semiring product a.txt b.txt --semiring max-plus --type f64 --json",
    step: "multiplying",
    inputs: &[
        Input::new("a", "A", "One matrix: text, a row a line; - is standard input").such_as(MATRICES),
        Input::new("b", "B", "The other matrix").such_as(MATRICES),
    ],
    options: &[
        DeclaredOption {
            value: OptionKind::Word { value_name: "NAME", words: Kind::WORDS, default: None },
            is_required: true,
            ..DeclaredOption::flag("semiring", "The semiring, by its sum and its product")
        },
        type_option("The type of the entries"),
        WRAP,
        DeclaredOption::flag("arg", "Print the index of the product that each entry is"),
    ],
    no_array_with: Some(("arg", "a product with places")),
    splits: Some(Splits::Own),
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct Product;

impl Operation for Product {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    /// Places are of one device.
    fn is_shared(&self, arguments: &Arguments) -> bool {
        !arguments.is_given("arg")
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let how = How::of(arguments);
        let is_real = matches!(arguments.word("type"), Some("f32" | "f64"));
        if is_real && how.kind == Kind::OrAnd {
            return Err(OperationError::usage("--semiring or-and is of integers: --type i32 or i64"));
        }
        if how.wraps && (is_real || !how.kind.has_arithmetic()) {
            return Err(OperationError::usage(
                "--wrap goes with --semiring plus-times, max-times, max-plus or min-plus of integers",
            ));
        }
        if how.has_places && matches!(how.kind, Kind::PlusTimes | Kind::OrAnd) {
            return Err(OperationError::usage("--arg goes with sums that take one of their terms: max and min"));
        }
        match arguments.word("type") {
            Some("i32") => of_type::<i32>(how, files),
            Some("f32") => of_type::<f32>(how, files),
            Some("f64") => of_type::<f64>(how, files),
            _ => of_type::<i64>(how, files),
        }
    }
}

/// The options of the call.
#[derive(Debug, Clone, Copy)]
struct How {
    kind: Kind,
    wraps: bool,
    has_places: bool,
}

impl How {
    fn of(arguments: &Arguments) -> Self {
        Self {
            kind: arguments.word("semiring").and_then(Kind::of_name).unwrap_or(Kind::PlusTimes),
            wraps: arguments.is_given("wrap"),
            has_places: arguments.is_given("arg"),
        }
    }

    /// Whether integers have infinities.
    fn is_infinite<T: Plain>(self) -> bool {
        T::IS_INTEGER && !self.wraps && self.kind.has_infinities()
    }

    /// Numbers have infinities of their own, of which a ring has none.
    fn infinities<T: Plain>(self) -> Infinities {
        if self.is_infinite::<T>() || (!T::IS_INTEGER && self.kind != Kind::PlusTimes) {
            Infinities::Kept
        } else {
            Infinities::None
        }
    }

    /// Entries as rows of a result.
    fn rows<T: Plain>(self, columns: usize, entries: Vec<T>) -> Rows<T> {
        let is_kept = self.infinities::<T>() == Infinities::Kept;
        Rows {
            columns,
            entries,
            field: if T::IS_INTEGER { "integer" } else { "real" },
            absent: zero(self.kind),
            is_same: |a, b| a.is_same(*b),
            push: if is_kept {
                |&entry, text| Infinities::Kept.push(entry, text)
            } else {
                |&entry, text| Infinities::None.push(entry, text)
            },
            json: if is_kept { |&entry| Infinities::Kept.json(entry) } else { |&entry| Infinities::None.json(entry) },
        }
    }
}

fn of_type<T: Plain + 'static>(how: How, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
    let (infinities, absent) = (how.infinities::<T>(), zero(how.kind));
    let a = read::<T>(files, 0, infinities, Some(absent))?;
    let b = if files.earlier(1).is_some() { a.clone() } else { read::<T>(files, 1, infinities, Some(absent))? };
    if a.shape().columns != b.shape().rows {
        let (columns, rows) = (a.shape().columns, b.shape().rows);
        let (first, second) = (files.name(0), files.name(1));
        return Err(OperationError::usage(format!("{second}: {rows} rows, where {first} has {columns} columns")));
    }
    let shapes = [&a, &b].map(|matrix| [matrix.shape().rows, matrix.shape().columns]);
    let is_part = files.is_part();
    let rows = files.part(shapes[0][0] as usize);
    let first = rows.start as u64;
    let a = if is_part { a.part(first..rows.end as u64)? } else { a };
    Ok(Box::new(Call { how, a, b, shapes, first: is_part.then_some(first), found: None }))
}

/// A call.
struct Call<T> {
    how: How,
    /// The rows of the first matrix that are multiplied here.
    a: Matrix<T>,
    b: Matrix<T>,
    /// The shapes of both matrices.
    shapes: [[u64; 2]; 2],
    /// The first of the rows, where others multiply others.
    first: Option<u64>,
    found: Option<Found<T>>,
}

/// Entries and places, or the first entry that its type does not hold, from 1.
type Found<T> = Result<(Vec<T>, Option<Vec<u32>>), (u64, u64)>;

impl<T: Plain> Call<T> {
    fn sizes(&self) -> Sizes {
        let size = |size: u64| size as usize;
        (size(self.a.shape().rows), size(self.a.shape().columns), size(self.b.shape().columns))
    }

    /// Compares with a second computation.
    fn compared(&self) -> Result<Passed, OperationError> {
        let found = match self.found.as_ref().ok_or_else(unmade)? {
            Ok((entries, places)) => Ok((&entries[..], places.as_deref())),
            &Err(place) => Err(place),
        };
        let domain = T::domain(self.how.is_infinite::<T>(), self.how.wraps);
        let (a, b) = (self.a.entries(), self.b.entries());
        Ok(T::check(self.how.kind, &domain, self.sizes(), (&a, &b), found)?)
    }
}

impl<T: Plain + 'static> Job for Call<T> {
    fn task(&self) -> Option<Task> {
        let (rows, inner, columns) = self.sizes();
        let sizes = [("n", rows), ("inner", inner), ("columns", columns)].map(|(name, size)| (name, size as u64));
        let task = Task::of("semiring-product", sizes.to_vec());
        Some(task.with("semiring", self.how.kind.name()).with("type", T::NAME))
    }

    fn is_shared(&self) -> bool {
        !self.how.has_places
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let How { kind, wraps, has_places } = self.how;
        let made: Made<T> = T::multiply(kind, wraps, devices, (&self.a, &self.b), has_places);
        match made {
            Ok(made) => self.found = Some(Ok(made)),
            Err(SemiringError::Overflow { row, column }) => {
                self.found = Some(Err((row, column)));
                let row = row + self.first.unwrap_or(0);
                let what = format!("row {row}, column {column} of the product: the exact integer");
                return Err(Past { what, type_name: T::NAME }.into());
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        if matches!(self.found, Some(Err(_))) {
            return Err(unmade().into());
        }
        self.compared()
    }

    fn check_refusal(&self, _: &OperationError, _: u64) -> Option<Result<Passed, OperationError>> {
        matches!(self.found, Some(Err(_))).then(|| self.compared())
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { how, b, shapes, first, found, .. } = *self;
        let value = match found {
            Some(Ok((entries, places))) => {
                let rows = how.rows(b.shape().columns as usize, entries);
                if first.is_some() { part(&rows, places.as_deref()) } else { of_rows(rows, places) }
            }
            Some(Err(_)) | None => Value::None,
        };
        let answer = Answer::of(value).with("semiring", how.kind.name()).with("type", T::NAME);
        answer.with("wrap", how.wraps).with("shapes", json!(shapes))
    }
}

/// The rows, with their places where there are any.
fn of_rows<T: Plain + 'static>(rows: Rows<T>, places: Option<Vec<u32>>) -> Value {
    let Some(places) = places else { return rows.value() };
    let text = placed_lines(&rows, &places).map(|line| line + "\n").collect();
    let json = json!({ "entries": rows.json_rows().collect::<Vec<_>>(), "places": json_places(&rows, &places) });
    Value::Shown { text, json }
}

/// Rows as parts have them: each as JSON and as text.
fn part<T: Plain>(rows: &Rows<T>, places: Option<&[u32]>) -> Value {
    let lines: Vec<String> = match places {
        Some(places) => placed_lines(rows, places).collect(),
        None => rows.lines().collect(),
    };
    let places = places.map(|places| json_places(rows, places));
    let json = json!({ "rows": rows.json_rows().collect::<Vec<_>>(), "places": places, "lines": lines });
    Value::Shown { text: String::new(), json }
}

/// Lines with a colon and its place behind each entry, `-` where there is none.
fn placed_lines<T: Plain>(rows: &Rows<T>, places: &[u32]) -> impl Iterator<Item = String> {
    let columns = rows.columns.max(1);
    rows.entries.chunks(columns).zip(places.chunks(columns)).map(|(row, places)| {
        let words = row.iter().zip(places).map(|(entry, &place)| {
            let mut text = String::new();
            (rows.push)(entry, &mut text);
            if place == u32::MAX { text + ":-" } else { format!("{text}:{place}") }
        });
        words.collect::<Vec<_>>().join(" ")
    })
}

fn json_places<T>(rows: &Rows<T>, places: &[u32]) -> Vec<Json> {
    let place = |&place: &u32| if place == u32::MAX { Json::Null } else { place.into() };
    places.chunks(rows.columns.max(1)).map(|row| row.iter().map(place).collect()).collect()
}

/// The product whose rows are these lines, as it is computed with these options; `None` where a word is no entry, or rows are of different
/// lengths.
pub fn value_of_lines(arguments: &Arguments, lines: &[String]) -> Option<Value> {
    let how = How::of(arguments);
    match arguments.word("type") {
        Some("i32") => of_lines::<i32>(how, lines),
        Some("f32") => of_lines::<f32>(how, lines),
        Some("f64") => of_lines::<f64>(how, lines),
        _ => of_lines::<i64>(how, lines),
    }
}

fn of_lines<T: Plain + 'static>(how: How, lines: &[String]) -> Option<Value> {
    let columns = lines.first()?.split(' ').count();
    let (mut entries, mut places) = (Vec::new(), Vec::new());
    for (row, line) in (1..).zip(lines) {
        for word in line.split(' ') {
            let (word, place) = match word.split_once(':') {
                Some((word, place)) if how.has_places => (word, place),
                None if !how.has_places => (word, "-"),
                _ => return None,
            };
            entries.push(match word {
                "inf" => T::GREATEST,
                "-inf" => T::LEAST,
                // Sums of opposite infinities are no numbers.
                word => T::of_word(word, NotFinite::Taken).ok()?,
            });
            places.push(if place == "-" { u32::MAX } else { place.parse().ok()? });
        }
        if entries.len() != row * columns {
            return None;
        }
    }
    Some(of_rows(how.rows(columns, entries), how.has_places.then_some(places)))
}

#[cfg(test)]
mod tests {
    use manycore_operation::Setting;

    use super::*;

    #[test]
    fn lines_are_products() {
        let arguments = Arguments::new().with("semiring", Setting::Word("min-plus"));
        let of = |arguments: &Arguments, lines: &[&str]| {
            value_of_lines(arguments, &lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>())
        };
        let value = of(&arguments, &["3 inf", "0 -7"]).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"[[3,"Infinity"],[0,-7]]"#);
        let reals = Arguments::new().with("semiring", Setting::Word("max-plus")).with("type", Setting::Word("f64"));
        let value = of(&reals, &["NaN -inf", "0.1 inf"]).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"[["NaN","-Infinity"],[0.1,"Infinity"]]"#);
        let placed = arguments.clone().with("arg", Setting::Given);
        let value = of(&placed, &["3:1 inf:-"]).unwrap();
        let json = r#"{"entries":[[3,"Infinity"]],"places":[[1,null]]}"#;
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        let mut text = Vec::new();
        value.write_text(&mut text).unwrap();
        assert_eq!(text, b"3:1 inf:-\n");
        for wrong in [&["1 2", "3"][..], &["x"], &["1:2"], &[]] {
            assert_eq!(of(&arguments, wrong), None, "{wrong:?}");
        }
        assert_eq!(of(&placed, &["1"]), None);
    }
}
