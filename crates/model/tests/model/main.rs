//! The tests of models of machines, in one program; those that change its whole process stand beside it.

mod fork_join;
mod fork_join_greedy;
mod many_core;
