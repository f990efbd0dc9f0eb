#![doc = include_str!("../README.md")]

mod body;
mod cells;
mod figures;
mod format;
mod gantt;
mod graph;
mod heat;
mod page;
mod plot;
mod table;

pub use body::Body;
pub use cells::{Cells, MOST_CELLS};
pub use figures::{facts, histogram};
pub use format::{count, power_of_two, seconds, significant};
pub use gantt::{Bar, Gantt};
pub use graph::Graph;
pub use heat::{Colours, Counts, HeatMap, Places};
pub use page::Page;
pub use plot::{Axis, Plot, Point, Scale, Series, Style};
pub use table::{Cell, Table};
