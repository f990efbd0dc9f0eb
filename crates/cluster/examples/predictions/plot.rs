//! Speed-ups by the number of devices, measured and predicted, as a drawing with a part for each machine.

use std::fmt::Write as _;

use crate::table::{Lines, Speedups};

/// The most devices, and the least and the largest speed-up, as base-2 logarithms.
const DEVICES: f64 = 3.0;
const LEAST: f64 = -1.5;
const LARGEST: f64 = 3.0;
/// A part: its place, its size, and that of a name below.
const LEFT: f64 = 45.0;
const TOP: f64 = 40.0;
const SIDE: f64 = 330.0;
const HEIGHT: f64 = 270.0;
const PART: f64 = 420.0;
const NAME: f64 = 18.0;
/// Colours that can be distinguished on light and dark pages: one for each kind of operation.
const COLOURS: [&str; 10] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#999999", "#b8860b", "#66a61e"];

/// The kind of an operation: the first word of its name.
fn kind(row: &Speedups) -> &str {
    row.name.split(' ').next().unwrap_or_default()
}

/// The place of a number of devices and a speed-up in a part.
fn place(devices: u32, speedup: f64) -> (f64, f64) {
    let up = (speedup.log2().clamp(LEAST, LARGEST) - LEAST) / (LARGEST - LEAST);
    (LEFT + f64::from(devices).log2() / DEVICES * SIDE, TOP + (1.0 - up) * HEIGHT)
}

fn points(of: &[(u32, f64)]) -> String {
    let told = of.iter().map(|&(devices, speedup)| {
        let (x, y) = place(devices, speedup);
        format!("{x:.0},{y:.0}")
    });
    told.collect::<Vec<_>>().join(" ")
}

/// The drawing of the lines of some files: full lines and dots are measured, dashed lines predicted.
///
/// # Errors
/// Lines that are no measurements.
pub(crate) fn of(files: &[String]) -> Result<String, String> {
    let parts: Vec<(String, Vec<Speedups>)> = files
        .iter()
        .map(|text| {
            let lines = Lines::read(text)?;
            Ok((lines.devices(), lines.speedups()?))
        })
        .collect::<Result<_, String>>()?;
    let names = parts.iter().map(|(_, rows)| rows.len()).max().unwrap_or(0) as f64;
    let (width, height) = (PART * parts.len() as f64, TOP + HEIGHT + 55.0 + NAME * names);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" style=\"max-width: 100%; \
         height: auto; display: block; margin: 1em auto\" role=\"img\" aria-label=\"Speed-ups by the number of devices, measured and \
         predicted\" font-family=\"sans-serif\" font-size=\"13\" fill=\"none\" stroke=\"currentColor\">\n"
    );
    let mut kinds: Vec<&str> = Vec::new();
    for row in parts.iter().flat_map(|(_, rows)| rows) {
        if !kinds.contains(&kind(row)) {
            kinds.push(kind(row));
        }
    }
    for (at, (name, rows)) in parts.iter().enumerate() {
        let _ = writeln!(out, "<g transform=\"translate({:.0} 0)\">", PART * at as f64);
        part(&mut out, name, rows, &kinds);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn part(out: &mut String, name: &str, rows: &[Speedups], kinds: &[&str]) {
    let colour = |row: &Speedups| COLOURS[kinds.iter().position(|of| *of == kind(row)).unwrap_or(0) % COLOURS.len()];
    let text = |x: f64, y: f64, anchor: &str, told: &str| {
        format!(
            "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\" fill=\"currentColor\" stroke=\"none\">{told}</text>\n"
        )
    };
    out.push_str(&text(LEFT + SIDE / 2.0, 20.0, "middle", &format!("measured on {name}")));
    let _ =
        writeln!(out, "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{SIDE}\" height=\"{HEIGHT}\" stroke-opacity=\"0.5\"/>");
    for log in 0..=3u32 {
        let (x, y) = place(1 << log, f64::from(1 << log));
        out.push_str(&text(x, TOP + HEIGHT + 18.0, "middle", &(1 << log).to_string()));
        out.push_str(&text(LEFT - 6.0, y + 4.0, "end", &(1 << log).to_string()));
    }
    out.push_str(&text(LEFT + SIDE / 2.0, TOP + HEIGHT + 36.0, "middle", "devices"));
    // A speed-up of as much as there are devices.
    let whole: Vec<(u32, f64)> = (0..=3).map(|log| (1 << log, f64::from(1 << log))).collect();
    let _ = writeln!(out, "<polyline points=\"{}\" stroke-opacity=\"0.4\" stroke-dasharray=\"1 4\"/>", points(&whole));
    for row in rows {
        let colour = colour(row);
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" stroke=\"{colour}\" stroke-dasharray=\"6 4\"/>",
            points(&row.predicted)
        );
        let _ =
            writeln!(out, "<polyline points=\"{}\" stroke=\"{colour}\" stroke-width=\"2\"/>", points(&row.measured));
        for &(devices, speedup) in &row.measured {
            let (x, y) = place(devices, speedup);
            let _ = writeln!(out, "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"3\" fill=\"{colour}\" stroke=\"none\"/>");
        }
    }
    for (at, row) in rows.iter().enumerate() {
        let colour = colour(row);
        let y = TOP + HEIGHT + 60.0 + NAME * at as f64;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            LEFT + 24.0
        );
        out.push_str(&text(LEFT + 32.0, y + 4.0, "start", &row.name));
    }
}
