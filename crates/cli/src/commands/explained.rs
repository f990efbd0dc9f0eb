//! The explanation of a choice as text, as JSON, and as a page.

use manycore::operation::Explained;
use manycore::tuning::TuningCost;
use serde_json::{Value, json};

use crate::commands::auto::{self, Prediction};
use crate::destination;
use crate::error::Error;
use crate::global::Global;
use crate::label::{Labelled, label};
use crate::output::{self, Report};
use crate::pages::choice;

/// Tells what each device takes beside the candidates.
pub(crate) fn compare(explained: &mut Explained, devices: &[Prediction]) {
    explained.text += &auto::table(devices);
    explained.parameters.insert("devices".to_owned(), json!(devices));
}

/// Writes the candidates, the chosen one first.
///
/// # Errors
/// [`Error::Output`].
pub(crate) fn write(
    explained: Explained,
    command: &'static str,
    device: &impl Labelled,
    global: &Global,
) -> Result<(), Error> {
    let Explained { mut parameters, rows, text, tuning, whole_seconds, .. } = explained;
    if let Some(target) = &global.page {
        let told = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let shape = parameters.iter().filter(|(_, value)| !(value.is_null() || value.is_array() || value.is_object()));
        let shape: Vec<(String, String)> = shape.map(|(name, value)| (name.clone(), told(value))).collect();
        let page = choice::page(&label(device), &shape, &rows, &text);
        target.write(|out| out.write_all(page.as_bytes())).map_err(destination::output_error)?;
    }
    if !global.json {
        return output::write(global, |out| out.write_all(text.as_bytes()));
    }
    let TuningCost { candidates, seconds } = tuning;
    parameters.insert("tuning".to_owned(), json!({ "candidates": candidates, "seconds": seconds }));
    let report = Report {
        device: Some(label(device)),
        predicted_seconds: whole_seconds.or_else(|| rows.first().map(|row| row.estimate_seconds)),
        ..Report::new(command, parameters.into(), rows)
    };
    output::write_report(global, &report)
}
