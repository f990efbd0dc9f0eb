//! Runs of tests whose failures are printed once more at the end: what a harness prints between `failures:` and `test
//! result:`, and the errors of cargo, so that the end of a long log says what failed and why.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::shell;

/// Lines that are kept of one harness, and of the whole run.
const OF_ONE: usize = 60;
const OF_ALL: usize = 160;

/// Shows and runs a command that runs tests; its output passes through. A non-zero exit is an error that holds the failures.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = shell::line(command);
    eprintln!("$ {line}");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start: {line}"))?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let (mut failures, mut notes) = (Failures::default(), Vec::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            pass(errors, std::io::stderr(), |line| {
                if line.starts_with("error") || line.contains("process didn't exit successfully") {
                    notes.push(line.to_owned());
                }
            });
        });
        pass(output, std::io::stdout(), |line| failures.see(line));
    });
    let status = child.wait().with_context(|| format!("did not end: {line}"))?;
    if !status.success() {
        let told: Vec<String> = failures.lines.into_iter().chain(notes.into_iter().take(OF_ONE)).collect();
        bail!("{line}: {status}\n{}", told.join("\n"));
    }
    Ok(())
}

/// Passes a stream on, line by line; bytes that are no UTF-8 are replaced.
fn pass(stream: Option<impl Read>, mut out: impl Write, mut see: impl FnMut(&str)) {
    let Some(stream) = stream else { return };
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    while stream.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        // Whoever reads may have gone; the tests go on.
        let _ = out.write_all(&bytes).and_then(|()| out.flush());
        see(String::from_utf8_lossy(&bytes).trim_end());
        bytes.clear();
    }
}

/// What harnesses say of their failures.
#[derive(Default)]
struct Failures {
    lines: Vec<String>,
    /// Lines kept of the present harness; `None` outside its failures.
    within: Option<usize>,
}

impl Failures {
    fn see(&mut self, line: &str) {
        if line == "failures:" {
            self.within.get_or_insert(0);
        } else if line.starts_with("test result:") {
            self.within = None;
        } else if let Some(count) = &mut self.within
            && !line.is_empty()
            && *count < OF_ONE
            && self.lines.len() < OF_ALL
        {
            *count += 1;
            self.lines.push(line.to_owned());
        }
    }
}

/// What the output of one harness says of its failures; its last lines where it says nothing of the kind.
pub(crate) fn told(text: &str) -> String {
    let mut failures = Failures::default();
    text.lines().for_each(|line| failures.see(line));
    if !failures.lines.is_empty() {
        return failures.lines.join("\n");
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(OF_LAST)..].join("\n")
}

/// The number of last lines that are printed of an output without failures.
const OF_LAST: usize = 20;

/// Tests that passed, by the results of all harnesses of an output.
pub(crate) fn passed(text: &str) -> u64 {
    let results = text.lines().filter_map(|line| line.trim().strip_prefix("test result: "));
    let counts = results.filter_map(|result| result.split(' ').nth(1)?.parse::<u64>().ok());
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::{Failures, OF_ONE, passed, told};
    use crate::shell;

    #[test]
    fn failures_stand_between_their_head_and_the_result() {
        let mut failures = Failures::default();
        let text = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\nleft: 1\n\nfailures:\n    a\n\ntest result: FAILED. 1\nother";
        text.lines().for_each(|line| failures.see(line));
        assert_eq!(failures.lines, ["---- a stdout ----", "left: 1", "    a"]);
        failures.see("failures:");
        (0..2 * OF_ONE).for_each(|_| failures.see("much"));
        assert_eq!(failures.lines.len(), 3 + OF_ONE);
    }

    #[test]
    fn outputs_tell_failures_or_end() {
        let text = "running 2 tests\nfailures:\n\nwhy\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n";
        assert_eq!((told(text), passed(text)), ("why".to_owned(), 1));
        assert_eq!(
            (told("one\n\ntwo\n"), passed("test result: ok. 12 passed; 0 failed\n")),
            ("one\ntwo".to_owned(), 12)
        );
    }

    #[cfg(unix)]
    #[test]
    fn an_error_tells_the_failures() {
        let script =
            "echo failures:; echo why; echo 'test result: FAILED'; echo 'error: 1 target failed' >&2; exit 101";
        let error = super::run(shell::command("sh").args(["-c", script])).unwrap_err().to_string();
        assert!(error.contains("why") && error.contains("1 target failed") && error.contains("101"), "{error}");
        assert!(super::run(shell::command("sh").args(["-c", "echo failures:"])).is_ok());
    }
}
