//! Projects: files, schedules, updates, variants, charts.

mod files;
mod schedules;
mod variants;
