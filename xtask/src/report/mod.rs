//! One report of a bench run: a page with plots, and the same tables as Markdown.

mod compare;
mod data;
mod glance;
mod html;
mod markdown;
mod overview;
mod plots;
mod sweeps;
mod table;
mod tables;
mod waits;

pub(crate) use data::Report;
pub(crate) use html::page;
pub(crate) use markdown::document;
pub(crate) use waits::table as waits;
