//! Projects: files, schedules, updates, variants, charts.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod schedules;
mod variants;
