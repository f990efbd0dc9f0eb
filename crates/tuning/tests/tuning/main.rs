//! The tests of choices and of sizes where they change, in one program.

mod choices;
mod crossovers;
