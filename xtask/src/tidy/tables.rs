//! Tables of the book, made of kept measurements: `docs/tables.toml` names the file, the rows and what each column shows.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::shell;

/// The tables of `docs/tables.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tables {
    table: Vec<Table>,
}

/// A table of one page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// The page, below `docs/src`.
    pub(super) page: String,
    /// The name of its block.
    pub(super) name: String,
    /// The kept measurements, below `benches/results`.
    results: String,
    /// The head of the first column.
    head: String,
    rows: Vec<Row>,
    columns: Vec<ColumnOf>,
}

/// A row: what stands for it in the names of cases, with its label where that is another.
#[derive(Deserialize)]
#[serde(untagged)]
enum Row {
    Own(String),
    Labelled { label: String, case: String },
}

/// A column: a field of a case of ours, or the seconds of another code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnOf {
    head: String,
    /// The case, `{row}` in it standing for the row.
    case: Option<String>,
    /// A time of the case: `seconds`, or that of its least traffic, `floor_seconds`.
    #[serde(default)]
    field: Field,
    /// Another code, as lines of kind `peer` name it.
    code: Option<String>,
    /// Its elements.
    element: Option<String>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Field {
    #[default]
    Seconds,
    FloorSeconds,
}

/// A line of kept measurements.
#[derive(Deserialize)]
struct Line {
    kind: String,
    case: Option<String>,
    code: Option<String>,
    element: Option<String>,
    log_len: Option<u32>,
    batch: Option<u64>,
    seconds: Option<f64>,
    floor_seconds: Option<f64>,
    verified: Option<bool>,
}

/// Reads what tables there are.
pub(super) fn read() -> Result<Vec<Table>> {
    let path = shell::root().join("docs").join("tables.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let tables: Tables = toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(tables.table)
}

impl Table {
    /// Its lines, from the kept measurements.
    pub(super) fn lines(&self) -> Result<String> {
        let path = shell::root().join("benches").join("results").join(&self.results);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        self.of(&text).with_context(|| format!("table {} of {}, from {}", self.name, self.page, self.results))
    }

    fn of(&self, results: &str) -> Result<String> {
        let lines = results.lines().map(serde_json::from_str).collect::<Result<Vec<Line>, _>>()?;
        let heads: Vec<&str> = self.columns.iter().map(|column| column.head.as_str()).collect();
        let mut table = format!("| {} | {} |\n|{}\n", self.head, heads.join(" | "), "---|".repeat(heads.len() + 1));
        let mut has_any = vec![false; heads.len()];
        for row in &self.rows {
            let (label, case) = match row {
                Row::Own(case) => (case, case),
                Row::Labelled { label, case } => (label, case),
            };
            let _ = write!(table, "| {label} |");
            for (column, has_any) in self.columns.iter().zip(&mut has_any) {
                match column.seconds(&lines, case)? {
                    Some(seconds) => {
                        *has_any = true;
                        let _ = write!(table, " {} |", time(seconds));
                    }
                    None => table.push_str(" |"),
                }
            }
            table.push('\n');
        }
        match heads.iter().zip(has_any).find(|(_, has_any)| !has_any) {
            Some((head, _)) => bail!("no measurement is of column {head}"),
            None => Ok(table),
        }
    }
}

impl ColumnOf {
    /// The column's time at a row, the least of several; `None` where nothing was measured.
    fn seconds(&self, lines: &[Line], row: &str) -> Result<Option<f64>> {
        let times: Vec<f64> = match (&self.case, &self.code) {
            (Some(case), None) => {
                let case = case.replace("{row}", row);
                let own = lines.iter().filter(|line| line.case.as_ref() == Some(&case));
                // What was not checked is no measurement.
                let checked = own.filter(|line| line.kind == "measurement" && line.verified == Some(true));
                checked
                    .filter_map(|line| match self.field {
                        Field::Seconds => line.seconds,
                        Field::FloorSeconds => line.floor_seconds,
                    })
                    .collect()
            }
            (None, Some(code)) => {
                let (log_len, batch) = shape(row).with_context(|| format!("row {row} is of no shape"))?;
                let is_it = |line: &&Line| {
                    line.kind == "peer"
                        && line.code.as_ref() == Some(code)
                        && self.element.as_ref().is_none_or(|element| line.element.as_ref() == Some(element))
                        && (line.log_len, line.batch) == (Some(log_len), Some(batch))
                };
                lines.iter().filter(is_it).filter_map(|line| line.seconds).collect()
            }
            _ => bail!("column {} names a case or a code", self.head),
        };
        Ok(times.into_iter().min_by(f64::total_cmp))
    }
}

/// The logarithm of the length and the batch of a row such as `2^20` or `2^10x2^17`.
fn shape(row: &str) -> Option<(u32, u64)> {
    let log = |text: &str| text.strip_prefix("2^").and_then(|log| log.parse::<u32>().ok());
    match row.split_once('x') {
        None => Some((log(row)?, 1)),
        Some((len, batch)) => Some((log(len)?, 1u64.checked_shl(log(batch)?)?)),
    }
}

/// A time with three digits and its unit.
fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        seconds if seconds >= 1.0 => (seconds, "s"),
        seconds if seconds >= 1e-3 => (1e3 * seconds, "ms"),
        seconds => (1e6 * seconds, "us"),
    };
    let decimals = (2 - value.max(1e-2).log10().floor() as i32).clamp(0, 3) as usize;
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::{Tables, shape, time};

    const RESULTS: &str = concat!(
        r#"{"kind":"environment","device":"opencl:1"}"#,
        "\n",
        r#"{"kind":"measurement","case":"w/2^4","seconds":3.0e-6,"floor_seconds":1.0e-6,"verified":true}"#,
        "\n",
        r#"{"kind":"measurement","case":"w/2^4","seconds":2.5e-6,"verified":true}"#,
        "\n",
        r#"{"kind":"measurement","case":"w/2^5","seconds":9.0e-6,"verified":false}"#,
        "\n",
        r#"{"kind":"peer","code":"other 1","element":"f32","log_len":5,"batch":1,"seconds":0.0123}"#,
        "\n",
        r#"{"kind":"peer","code":"other 1","element":"f64","log_len":5,"batch":1,"seconds":0.0001}"#,
    );

    fn lines(columns: &str) -> anyhow::Result<String> {
        let text = format!(
            "[[table]]\npage = 'p.md'\nname = 't'\nresults = 'r'\nhead = 'values'\nrows = ['2^4', {{ label = 'more', \
             case = '2^5' }}]\ncolumns = [{columns}]\n"
        );
        toml::from_str::<Tables>(&text)?.table[0].of(RESULTS)
    }

    #[test]
    fn columns_are_ours_and_others() {
        let columns = "{ head = 'ours', case = 'w/{row}' }, { head = 'once', case = 'w/{row}', field = 'floor_seconds' }, \
                       { head = 'other', code = 'other 1', element = 'f32' }";
        let expected = "| values | ours | once | other |\n|---|---|---|---|\n| 2^4 | 2.50 us | 1.00 us | |\n| more | | | 12.3 ms |\n";
        assert_eq!(lines(columns).unwrap(), expected);
    }

    #[test]
    fn columns_without_measurements_are_refused() {
        for columns in ["{ head = 'x', case = 'v/{row}' }", "{ head = 'x', code = 'none' }", "{ head = 'x' }"] {
            assert!(lines(columns).is_err(), "{columns}");
        }
    }

    #[test]
    fn rows_have_shapes() {
        assert_eq!(shape("2^20"), Some((20, 1)));
        assert_eq!(shape("2^10x2^17"), Some((10, 1 << 17)));
        assert_eq!([shape("20"), shape("2^x"), shape("2^3x2^99")], [None; 3]);
    }

    #[test]
    fn times_have_three_digits() {
        let times = [6.3e-6, 82.44e-6, 339e-6, 0.0017, 0.9994, 2.0, 123.4, 1e-9].map(time);
        assert_eq!(times, ["6.30 us", "82.4 us", "339 us", "1.70 ms", "999 ms", "2.00 s", "123 s", "0.001 us"]);
    }
}
