//! Results that write themselves piece by piece: a long list of facts, or a formula that no memory holds as text.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use manycore_device::DeviceSet;
use manycore_files::Format;
use manycore_verify::Passed;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::failure::OperationError;
use crate::json::JsonInteger;

/// The JSON form of a result that is written as a stream.
pub enum JsonForm<'a> {
    /// As a whole.
    Whole(Json),
    /// A list of objects, one after the other, each with its names and values in this order.
    Objects(Box<dyn Iterator<Item = Fields> + 'a>),
    /// A list of numbers.
    Row(Row),
    /// An object with lists of numbers, and what else it has.
    Lists(Vec<(&'static str, Row)>, Fields),
    /// The rows of a table, one after the other.
    Rows(Box<dyn Iterator<Item = Row> + 'a>),
}

/// Numbers, such as a row of a table, which stand in JSON in the fewest digits of their type.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// Integers.
    Integers(Vec<u64>),
    /// Complex numbers of single precision, the real part first.
    Singles(Vec<[f32; 2]>),
    /// Complex numbers of double precision, the real part first.
    Doubles(Vec<[f64; 2]>),
    /// Numbers, and texts of those that JSON has none for.
    Values(Vec<Json>),
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integers(row) => serializer.collect_seq(row.iter().map(|&entry| JsonInteger(entry.into()))),
            Self::Singles(row) => serializer.collect_seq(row),
            Self::Doubles(row) => serializer.collect_seq(row),
            Self::Values(row) => serializer.collect_seq(row),
        }
    }
}

/// Names and values.
pub type Fields = Vec<(&'static str, Json)>;

/// An object whose names stand in the order that they are given in.
struct Object(Fields);

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A result that is written as a stream.
pub trait Stream: fmt::Debug + Send + Sync {
    /// Writes its text, with the ends of its lines.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes it as a `.npy` array.
    ///
    /// # Errors
    /// Those of `out`; [`io::ErrorKind::InvalidData`] of what no array holds.
    fn write_array(&self, _out: &mut dyn Write) -> io::Result<()> {
        let why = "no list or matrix of numbers, which no array holds: write text or JSON";
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// Writes it as coordinates in the Matrix Market format; as text, where it is no matrix.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_coordinates(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_text(out)
    }

    /// Its JSON form.
    fn json(&self) -> JsonForm<'_>;
}

/// A result that writes itself, which may be shared.
///
/// ```
/// use manycore_operation::{JsonForm, Stream, Streamed};
/// use std::io::{self, Write};
///
/// #[derive(Debug)]
/// struct Squares(u32);
///
/// impl Stream for Squares {
///     fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
///         (0..self.0).try_for_each(|n| writeln!(out, "{}", n * n))
///     }
///
///     fn json(&self) -> JsonForm<'_> {
///         JsonForm::Objects(Box::new((0..self.0).map(|n| vec![("n", n.into()), ("square", (n * n).into())])))
///     }
/// }
///
/// let squares = Streamed::new(Squares(2));
/// assert_eq!(serde_json::to_string(&squares)?, r#"[{"n":0,"square":0},{"n":1,"square":1}]"#);
/// assert_eq!(squares, Streamed::new(Squares(2)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Streamed(Arc<dyn Stream>);

impl Streamed {
    /// The result.
    pub fn new(stream: impl Stream + 'static) -> Self {
        Self(Arc::new(stream))
    }

    /// Writes its text.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.write_text(out)
    }

    /// Writes it as a `.npy` array.
    ///
    /// # Errors
    /// Those of `out`; [`io::ErrorKind::InvalidData`] of what no array holds.
    pub fn write_array(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.write_array(out)
    }

    /// Writes it as coordinates in the Matrix Market format; as text, where it is no matrix.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_coordinates(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.write_coordinates(out)
    }
}

impl Serialize for Streamed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.json() {
            JsonForm::Whole(json) => json.serialize(serializer),
            JsonForm::Objects(objects) => serializer.collect_seq(objects.map(Object)),
            JsonForm::Row(row) => row.serialize(serializer),
            JsonForm::Lists(lists, fields) => {
                let mut object = serializer.serialize_map(Some(lists.len() + fields.len()))?;
                lists.iter().try_for_each(|(name, row)| object.serialize_entry(name, row))?;
                fields.iter().try_for_each(|(name, value)| object.serialize_entry(name, value))?;
                object.end()
            }
            JsonForm::Rows(rows) => serializer.collect_seq(rows),
        }
    }
}

/// Results are equal whose JSON is.
impl PartialEq for Streamed {
    fn eq(&self, other: &Self) -> bool {
        match (self.0.json(), other.0.json()) {
            (JsonForm::Whole(one), JsonForm::Whole(other)) => one == other,
            (JsonForm::Objects(one), JsonForm::Objects(other)) => one.eq(other),
            (JsonForm::Row(one), JsonForm::Row(other)) => one == other,
            (JsonForm::Rows(one), JsonForm::Rows(other)) => one.eq(other),
            (JsonForm::Lists(one, of_one), JsonForm::Lists(other, of_other)) => one == other && of_one == of_other,
            (
                JsonForm::Whole(_) | JsonForm::Objects(_) | JsonForm::Row(_) | JsonForm::Rows(_) | JsonForm::Lists(..),
                _,
            ) => false,
        }
    }
}

/// A result that is made while it is written, block of rows by block, because memory need not hold it.
pub trait Flow {
    /// Makes and writes it. A block that is found wrong is not written, and nothing behind it.
    ///
    /// # Errors
    /// Those of the writer; within, what is wrong with a device, and the difference of a wrong block.
    fn write(&mut self, devices: &DeviceSet, writing: Writing<'_>) -> io::Result<Result<(), OperationError>>;
}

/// Where and how a result is written that is made meanwhile.
pub struct Writing<'a> {
    /// Where.
    pub out: &'a mut dyn Write,
    /// As text or as an array.
    pub format: Format,
    /// Where each block is checked before it is written: hears of those that pass.
    pub passed: Option<&'a mut dyn FnMut(Passed)>,
    /// Hears the rows that are done, and all rows.
    pub progress: &'a mut dyn FnMut(u64, u64),
}
