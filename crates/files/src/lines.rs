//! Lines of text that threads make side by side: numbers take longer to be written out than a file takes to be written.

use std::io::{self, Write};
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

/// Bytes of a thread's turn, about.
const TURN: usize = 1 << 20;

/// Writes `count` lines in their order, each of which `line` appends to a text without its end. Where they are long together, as many threads
/// make them as the system has processors.
///
/// ```
/// let mut out = Vec::new();
/// manycore_files::write_lines(&mut out, 3, |number, text| *text += &(10 * number).to_string())?;
/// assert_eq!(out, b"0\n10\n20\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of `out`.
pub fn write_lines(out: &mut dyn Write, count: usize, line: impl Fn(usize, &mut String) + Sync) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let made = |lines: Range<usize>| {
        let mut text = String::new();
        for number in lines {
            line(number, &mut text);
            text.push('\n');
        }
        text
    };
    let each = (TURN / made(0..1).len()).max(1);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut begin = 0;
    while begin < count {
        let range = |begin: usize| begin..count.min(begin + each);
        let ranges: Vec<Range<usize>> = (begin..count).step_by(each).take(threads).map(range).collect();
        begin = ranges.last().map_or(count, |range| range.end);
        let [first, others @ ..] = &ranges[..] else { break };
        thread::scope(|scope| -> io::Result<()> {
            let made = &made;
            let start = |range: &Range<usize>| {
                let range = range.clone();
                scope.spawn(move || made(range))
            };
            let started: Vec<_> = others.iter().map(start).collect();
            out.write_all(made(first.clone()).as_bytes())?;
            for thread in started {
                let text = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                out.write_all(text.as_bytes())?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_order_whatever_threads_make_them() {
        for (count, width) in [(0, 1), (1, 1), (2, 1 << 20), (5, 300_000), (100_000, 40)] {
            // No width of a format: those are of 16 bits.
            let line = |number: usize| number.to_string() + &"-".repeat(width);
            let mut out = Vec::new();
            write_lines(&mut out, count, |number, text| text.push_str(&line(number))).unwrap();
            let expected: String = (0..count).map(|number| line(number) + "\n").collect();
            assert!(out == expected.as_bytes(), "{count} lines of {width}");
        }
    }

    #[test]
    fn what_cannot_be_written_is_told() {
        let mut full = [0u8; 10];
        let error = write_lines(&mut &mut full[..], 100_000, |_, text| text.push_str("0123456789")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WriteZero);
    }
}
