//! Results that write themselves piece by piece: a long list of facts, or a formula that no memory holds as text.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

/// The JSON form of a result that writes itself.
pub enum JsonForm<'a> {
    /// As a whole.
    Whole(Json),
    /// A list of objects, one after the other, each with its names and values in this order.
    Objects(Box<dyn Iterator<Item = Fields> + 'a>),
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

/// A result that writes itself.
pub trait Stream: fmt::Debug + Send + Sync {
    /// Writes its text, with the ends of its lines.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;

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
}

impl Serialize for Streamed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.json() {
            JsonForm::Whole(json) => json.serialize(serializer),
            JsonForm::Objects(objects) => serializer.collect_seq(objects.map(Object)),
        }
    }
}

/// Results are equal whose JSON is.
impl PartialEq for Streamed {
    fn eq(&self, other: &Self) -> bool {
        match (self.0.json(), other.0.json()) {
            (JsonForm::Whole(one), JsonForm::Whole(other)) => one == other,
            (JsonForm::Objects(one), JsonForm::Objects(other)) => one.eq(other),
            (JsonForm::Whole(_), JsonForm::Objects(_)) | (JsonForm::Objects(_), JsonForm::Whole(_)) => false,
        }
    }
}
