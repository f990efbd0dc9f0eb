//! The tests of files, in one program; those that change its whole process stand beside it.

mod matrices;
mod targets;
