//! Parts that are runs of values: spectra of vectors, values at points, rows.

use manycore::operation::Value;
use serde::{Deserialize, Serialize};

use super::part::write;
use super::set::Shards;
use crate::error::Error;
use crate::global::Global;
use crate::output::{Bits, PackedBits, Report, Residues};
use manycore::operation::vector::Vector;

/// Values of one type. Floating-point numbers are the integers of their bits, so that every one comes back as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Values {
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<u32>),
    F64(Vec<u64>),
    Residues(Vec<u64>),
    Bits(Vec<u8>),
    Words(Vec<u64>),
}

/// What is written as an array.
pub(crate) trait Array {
    /// Its values as shards have them.
    fn part(&self) -> ArrayPart;
}

/// The values of an array, as shards have them.
pub(crate) struct ArrayPart(Values);

impl Array for Vector {
    fn part(&self) -> ArrayPart {
        ArrayPart(match self {
            Self::I32(values) => Values::I32(values.clone()),
            Self::I64(values) => Values::I64(values.clone()),
            Self::F32(values) => Values::F32(values.iter().map(|value| value.to_bits()).collect()),
            Self::F64(values) => Values::F64(values.iter().map(|value| value.to_bits()).collect()),
        })
    }
}

impl Array for Residues {
    fn part(&self) -> ArrayPart {
        ArrayPart(Values::Residues(self.0.clone()))
    }
}

impl Array for Bits {
    fn part(&self) -> ArrayPart {
        ArrayPart(Values::Bits(self.0.clone()))
    }
}

impl Array for PackedBits {
    fn part(&self) -> ArrayPart {
        ArrayPart(Values::Words(self.0.clone()))
    }
}

impl Values {
    /// The values of both, where they are of one type.
    fn append(&mut self, other: Self) -> bool {
        match (self, other) {
            (Self::I32(all), Self::I32(more)) => all.extend(more),
            (Self::I64(all), Self::I64(more)) => all.extend(more),
            (Self::F32(all), Self::F32(more)) => all.extend(more),
            (Self::F64(all), Self::F64(more))
            | (Self::Residues(all), Self::Residues(more))
            | (Self::Words(all), Self::Words(more)) => all.extend(more),
            (Self::Bits(all), Self::Bits(more)) => all.extend(more),
            _ => return false,
        }
        true
    }

    fn len(&self) -> usize {
        match self {
            Self::I32(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) | Self::Residues(values) | Self::Words(values) => values.len(),
            Self::Bits(values) => values.len(),
        }
    }
}

/// Writes a run of values as a shard.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(crate) fn write_run<A: Array>(global: &Global, report: &Report<A>) -> Result<(), Error> {
    let ArrayPart(values) = report.result.part();
    write(global, report, &values)
}

/// The runs of a command one after the other.
fn joined(command: &'static str, shards: &Shards, global: &Global) -> Result<Report<Values>, Error> {
    let mut merged = shards.decode::<Values>()?;
    let mut parts = std::mem::take(&mut merged.parts).into_iter();
    let Some(mut values) = parts.next() else {
        return Err(shards.damaged("the first shard has no part".to_owned()).into());
    };
    if !parts.all(|part| values.append(part)) {
        return Err(shards.damaged("the parts are values of different types".to_owned()).into());
    }
    if shards.items() > 0 && !(values.len() as u64).is_multiple_of(shards.items()) {
        return Err(shards.damaged("the parts have not as many values as they tell".to_owned()).into());
    }
    Ok(merged.report(Report::new(command, merged.run.parameters.clone(), values), global.verify)?)
}

/// The runs of a command one after the other, as the value of an operation.
///
/// # Errors
/// [`Error::Shard`] for parts that are no runs, or that are not of one array.
pub(crate) fn values(command: &'static str, shards: &Shards, global: &Global) -> Result<Report<Value>, Error> {
    Ok(joined(command, shards, global)?.map(|values| match values {
        Values::I32(values) => Value::Vector(Vector::I32(values)),
        Values::I64(values) => Value::Vector(Vector::I64(values)),
        Values::F32(bits) => Value::Vector(Vector::F32(bits.into_iter().map(f32::from_bits).collect())),
        Values::F64(bits) => Value::Vector(Vector::F64(bits.into_iter().map(f64::from_bits).collect())),
        Values::Residues(words) => Value::Elements(words),
        Values::Bits(bits) => Value::Bits(bits),
        Values::Words(words) => Value::Words(words),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let reals = vec![1.5, -0.0, f64::NAN, f64::INFINITY, f64::from_bits(0x7ff8_0000_0000_0123), 0.1];
        let ArrayPart(values) = Vector::F64(reals.clone()).part();
        let text = serde_json::to_string(&values).unwrap();
        assert!(text.starts_with(r#"{"f64":[4609434218613702656,"#), "{text}");
        assert_eq!(serde_json::from_str::<Values>(&text).unwrap(), values);
        assert_eq!(values, Values::F64(reals.iter().map(|x| x.to_bits()).collect()));
        let ArrayPart(words) = PackedBits(vec![u64::MAX]).part();
        assert_eq!(serde_json::to_string(&words).unwrap(), r#"{"words":[18446744073709551615]}"#);
        let ArrayPart(integers) = Vector::I64(vec![i64::MIN, 3]).part();
        assert_eq!(serde_json::from_str::<Values>(&serde_json::to_string(&integers).unwrap()).unwrap(), integers);
    }

    #[test]
    fn runs_of_one_type_follow_each_other() {
        let mut all = Values::I32(vec![1]);
        assert!(all.append(Values::I32(vec![2, 3])));
        assert_eq!((all.len(), &all), (3, &Values::I32(vec![1, 2, 3])));
        assert!(!all.append(Values::I64(vec![4])));
        assert!(!Values::F64(vec![]).append(Values::Residues(vec![])));
    }
}
