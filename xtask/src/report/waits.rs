//! The wait: whole processes by the host, by a GPU and by what `--device auto` takes.

use super::data::{Report, Wait};
use super::table::{Table, seconds};

/// The time that `auto` may take beyond the better of host and GPU: a tenth of it, and the given seconds.
const OVER: (f64, f64) = (0.1, 0.01);

/// A row a command and size; `None` where none was timed.
pub(crate) fn table(report: &Report) -> Option<Table> {
    let waits = &report.waits;
    (!waits.is_empty()).then(|| Table {
        title: format!("Whole processes: auto is near the better one in {} of {}", near(waits), waits.len()),
        head: vec![
            "command",
            "size",
            "device",
            "bare process",
            "host",
            "device, first",
            "device, later",
            "auto, first",
            "auto, later",
        ],
        rows: waits.iter().map(row).collect(),
        names: 3,
    })
}

/// The number of cases, with all caches filled, in which `auto` is near the better device.
pub(crate) fn near(waits: &[Wait]) -> usize {
    let is_near = |wait: &&Wait| wait.auto_later <= (1.0 + OVER.0) * wait.host.min(wait.later) + OVER.1;
    waits.iter().filter(is_near).count()
}

fn row(wait: &Wait) -> Vec<String> {
    let times = [wait.floor, wait.host, wait.first, wait.later, wait.auto_first, wait.auto_later];
    let named = [wait.case.clone(), wait.size.to_string(), wait.device.clone()];
    named.into_iter().chain(times.map(seconds)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_tells_each_time_and_the_title_how_often_auto_is_near() {
        let line = |auto_later: f64| {
            format!(
                "{{\"kind\":\"wait\",\"case\":\"poly mul\",\"size\":256,\"device\":\"a GPU\",\"host\":0.02,\"first\":2.0,\"later\":0.4,\
                 \"auto_first\":0.05,\"auto_later\":{auto_later},\"floor\":0.25}}\n"
            )
        };
        let mut report = Report::default();
        assert!(table(&report).is_none());
        report.add_run("x", &(line(0.03) + &line(0.2))).unwrap();
        let table = table(&report).unwrap();
        assert!(table.title.ends_with("1 of 2"), "{}", table.title);
        assert_eq!(table.rows[0][3..5], ["250 ms", "20.0 ms"]);
        assert_eq!(table.rows[0].len(), table.head.len());
        let wrong = line(0.03).replace("0.25", "-1");
        assert!(format!("{:#}", report.add_run("x", &wrong).unwrap_err()).contains("floor"));
    }
}
