//! A Gantt chart (Gantt 1910) as SVG: a bar for each task at its earliest times, critical ones apart, with its play as a thin line.

use std::fmt::Write as _;

use super::model::Project;
use super::schedule::Schedule;

/// Height of a row, width of the names, width of the time, and margins, in pixels.
const ROW: usize = 22;
const NAMES: usize = 150;
const TIME: f64 = 860.0;
const TOP: usize = 44;
const BOTTOM: usize = 16;
/// Ticks of the axis, about.
const TICKS: i64 = 10;
/// Characters of a name.
const MOST_CHARACTERS: usize = 22;
/// Links that are drawn.
const MOST_LINKS: usize = 2000;

impl Schedule {
    /// The chart of a schedule of this project, as a text of SVG; tasks by their numbers, links as thin lines.
    pub fn gantt(&self, project: &Project) -> String {
        let tasks = self.earliest.len().min(project.tasks().len());
        let begin = self.earliest.iter().copied().min().unwrap_or(0).min(0);
        let length = self.length().max(begin + 1);
        let x = |time: i64| NAMES as f64 + (time - begin) as f64 / (length - begin) as f64 * TIME;
        let y = |task: usize| TOP + task * ROW;
        let (width, height) = (NAMES + TIME as usize + 40, TOP + tasks * ROW + BOTTOM);
        let critical = self.critical();
        let mut svg = String::new();
        // Writing to a string does not fail.
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<title>Schedule of {tasks} tasks, length {}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"12\" y=\"20\" font-size=\"14\" fill=\"#222222\">Length {}, {} of {tasks} tasks critical</text>\n",
            self.length(),
            self.length(),
            critical.len()
        );
        let step = tick((length - begin) / TICKS);
        let mut time = begin.div_euclid(step) * step;
        while time <= length {
            if time >= begin {
                let x = x(time);
                let end = height - BOTTOM + 4;
                let _ = write!(
                    svg,
                    "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{end}\" stroke=\"#dddddd\"/>\n\
                     <text x=\"{x:.1}\" y=\"{}\" fill=\"#555555\" text-anchor=\"middle\">{time}</text>\n",
                    TOP - 6
                );
            }
            time += step;
        }
        let slack = self.total_slack();
        for (task, &slack) in slack.iter().enumerate().take(tasks) {
            let (start, finish) = (self.earliest[task], self.earliest[task] + self.durations[task]);
            let middle = y(task) + ROW / 2;
            let is_critical = critical.binary_search(&(task as u32)).is_ok();
            let color = if is_critical { "#c0392b" } else { "#2e75b6" };
            let name = name(&project.tasks()[task].name);
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" fill=\"#222222\" text-anchor=\"end\">{name}</text>",
                NAMES - 10,
                middle + 4
            );
            if slack > 0 {
                let end = (finish + slack).min(length);
                let _ = writeln!(
                    svg,
                    "<line x1=\"{:.1}\" y1=\"{middle}\" x2=\"{:.1}\" y2=\"{middle}\" stroke=\"#9dc3e6\" stroke-width=\"4\"/>",
                    x(finish),
                    x(end)
                );
            }
            let play = if slack < 0 { format!(", late by {}", -slack) } else { format!(", play {slack}") };
            let told = format!("<title>{name}: {start} to {finish}{play}</title>");
            if self.durations[task] == 0 {
                let at = x(start);
                let _ = writeln!(
                    svg,
                    "<path d=\"M{at:.1} {} l5 6 l-5 6 l-5 -6 z\" fill=\"{color}\">{told}</path>",
                    middle - 6
                );
            } else {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" rx=\"2\" fill=\"{color}\">{told}</rect>",
                    x(start),
                    middle - 7,
                    (x(finish) - x(start)).max(1.0),
                    14
                );
            }
        }
        for link in project.links().iter().take(MOST_LINKS) {
            let (from, to) = (link.from as usize, link.to as usize);
            if from >= tasks || to >= tasks {
                continue;
            }
            let (first, second) = link.kind.durations();
            let end =
                |task: usize, of_finish: bool| self.earliest[task] + if of_finish { self.durations[task] } else { 0 };
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {} L{:.1} {}\" stroke=\"#888888\" stroke-width=\"0.7\" fill=\"none\" opacity=\"0.6\"/>",
                x(end(from, first)),
                y(from) + ROW / 2,
                x(end(to, second)),
                y(to) + ROW / 2
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below.
fn tick(least: i64) -> i64 {
    let mut power = 1i64;
    loop {
        for step in [1, 2, 5] {
            if step * power >= least {
                return step * power;
            }
        }
        power *= 10;
    }
}

/// A name, cut and with the signs of XML replaced; what XML does not take is left out.
fn name(text: &str) -> String {
    let mut name = String::new();
    for (at, sign) in text.chars().enumerate() {
        if at == MOST_CHARACTERS {
            name.push('…');
            break;
        }
        match sign {
            '&' => name.push_str("&amp;"),
            '<' => name.push_str("&lt;"),
            '>' => name.push_str("&gt;"),
            '"' => name.push_str("&quot;"),
            sign if sign.is_control() => {}
            sign => name.push(sign),
        }
    }
    name
}
