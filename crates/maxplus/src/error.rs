//! Errors of graphs, stars, schedules and the texts of projects.

use manycore_device::{Device, DeviceError, ErrorKind, LibraryError};
use manycore_files::FileError;
use manycore_tuning::NoChoice;

use crate::graph::arcs::{Extremum, MOST_NODES};

/// What can be wrong with the text of a project, with the line, from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct ProjectTextError {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// What can be wrong with a graph, a star or a schedule. Nodes and tasks are numbered from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MaxPlusError {
    /// More nodes than 31 bits number.
    #[error("{nodes} nodes, where at most {} are numbered", MOST_NODES)]
    TooManyNodes {
        /// The nodes.
        nodes: usize,
    },
    /// An arc to or from a node that is not there.
    #[error("arc {arc} goes from node {from} to node {to} of {nodes} nodes, numbered from 0")]
    Node {
        /// The arc's place in the list, from 0.
        arc: usize,
        /// Where it begins.
        from: u32,
        /// Where it ends.
        to: u32,
        /// The number of nodes.
        nodes: usize,
    },
    /// A weight that is no number: NaN or an infinity, or an integer that stands for one.
    #[error("the arc from node {from} to node {to} has the weight {weight}, {}", no_number(.weight))]
    Weight {
        /// Where the arc begins.
        from: u32,
        /// Where it ends.
        to: u32,
        /// The weight.
        weight: String,
    },
    /// A matrix that is not square, or a list of another length than it should have.
    #[error("{what}: {given} are given, where there should be {expected}")]
    Length {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Offsets or indices of a compressed matrix that are out of order or range.
    #[error("column {column}: {what}")]
    Compressed {
        /// The column, from 0.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// A circuit where there may be none.
    #[error("the graph has a circuit: {}", circuit(.nodes))]
    Cycle {
        /// Its nodes, each the end of an arc from the one before, the first one of an arc from the last one.
        nodes: Vec<u32>,
    },
    /// A circuit that makes paths longer without end.
    #[error("a circuit of positive weight, {sum}, so that there is no longest path: {}", circuit(.nodes))]
    PositiveCircuit {
        /// Its nodes, each the end of an arc from the one before, the first one of an arc from the last one.
        nodes: Vec<u32>,
        /// The exact sum of its weights; of floating point the nearest double.
        sum: String,
    },
    /// A circuit of negative length, so that there is no shortest path.
    #[error("a circuit of negative length, {sum}, so that there is no shortest path: {}", circuit(.nodes))]
    NegativeCircuit {
        /// Its nodes, each the end of an arc from the one before, the first one of an arc from the last one.
        nodes: Vec<u32>,
        /// The exact sum of its weights; of floating point the nearest double.
        sum: String,
    },
    /// A refusal that a device's result asks for, and that the input does not bear out.
    #[error("the result of {device} is wrong: {what}")]
    Faulty {
        /// The device, or the devices.
        device: String,
        /// What is wrong.
        what: String,
    },
    /// A circuit that takes no time, whose ratio of weight to time is none.
    #[error("a circuit whose transit times sum to 0: {}", circuit(.nodes))]
    NoTransit {
        /// Its nodes.
        nodes: Vec<u32>,
    },
    /// A path whose weight the type does not hold.
    #[error(
        "the {} path from node {from} to node {to} has a weight that the type does not hold: take a wider one",
        best(*.extremum)
    )]
    Overflow {
        /// Whether the longest or the shortest path is meant.
        extremum: Extremum,
        /// Where the path begins.
        from: u32,
        /// Where it ends.
        to: u32,
    },
    /// Weights of floating point whose sums may pass the largest number.
    #[error(
        "{count} arcs of a weight up to {largest} may sum to more than the type holds: scale the weights, or take a wider type"
    )]
    Large {
        /// The arcs of the longest path that there may be.
        count: usize,
        /// The largest weight, by its size.
        largest: String,
    },
    /// A sum past 128 bits in an exact computation.
    #[error("{what} takes numbers of more than 127 bits: scale weights or transit times")]
    Exact {
        /// What was computed.
        what: &'static str,
    },
    /// Memory that does not hold the smallest blocks of a star.
    #[error(
        "the star of {nodes} nodes takes {wanted_bytes} bytes of a device in the smallest blocks, where {limit_bytes} may be used"
    )]
    Blocks {
        /// The nodes.
        nodes: usize,
        /// Bytes of the smallest blocks.
        wanted_bytes: u64,
        /// The bytes that may be used.
        limit_bytes: u64,
    },
    /// A star that does not fit memory at once.
    #[error("the star of {nodes} nodes takes {bytes} bytes, where {limit} may be used: {}", room(*.columns))]
    Memory {
        /// The nodes.
        nodes: usize,
        /// The bytes that all columns take.
        bytes: u64,
        /// The bytes that may be used.
        limit: u64,
        /// The columns that a block can have, 0 where there is no room for one.
        columns: usize,
    },
    /// A node, a column or a task that is not there.
    #[error("{what} {index} of {count}, numbered from 0")]
    Index {
        /// What is numbered.
        what: &'static str,
        /// The number.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Powers that did not become periodic within the steps that were allowed.
    #[error("the powers are not periodic within {steps} steps")]
    Steps {
        /// The steps.
        steps: usize,
    },
    /// A matrix whose graph is not strongly connected, where it must be.
    #[error("node {to} cannot be reached from node {from}: the matrix is reducible")]
    Reducible {
        /// A node.
        from: u32,
        /// A node that no path from there ends at.
        to: u32,
    },
    /// Long work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A graph without circuits, which has no cycle mean.
    #[error("the graph has no circuit, so that there is no cycle mean")]
    NoCircuit,
    /// Links that no times of tasks satisfy.
    #[error("the links contradict each other by {excess}: {explanation}")]
    Infeasible {
        /// The tasks of the circuit.
        tasks: Vec<u32>,
        /// By how much the circuit is longer than 0.
        excess: i64,
        /// The circuit's links in words.
        explanation: String,
    },
    /// A negative duration, or times past 62 bits.
    #[error("{what} of task {task} is {value}: {reason}")]
    Task {
        /// What is wrong.
        what: &'static str,
        /// The task.
        task: usize,
        /// The value.
        value: i64,
        /// Why it cannot be.
        reason: &'static str,
    },
    /// A project's text.
    #[error(transparent)]
    Text(#[from] ProjectTextError),
    /// A matrix's text.
    #[error(transparent)]
    Matrix(FileError),
    /// A file that cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The device failed, or has not the memory.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// No algorithm suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
}

/// Nodes that are named at most in a message.
const NAMED: usize = 20;

impl MaxPlusError {
    /// A longest path whose weight the type does not hold.
    pub(crate) fn overflow(from: u32, to: u32) -> Self {
        Self::Overflow { extremum: Extremum::Maximum, from, to }
    }

    /// A wrong result of one of these devices.
    pub(crate) fn faulty(devices: &[Device], what: &str) -> Self {
        let labels: Vec<String> = devices.iter().map(|device| device.info().label()).collect();
        Self::Faulty { device: labels.join(", "), what: what.to_owned() }
    }

    /// The error of shortest paths that is this one of the opposite weights.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::PositiveCircuit { nodes, sum } => {
                let sum = sum.strip_prefix('-').map_or_else(|| format!("-{sum}"), str::to_owned);
                Self::NegativeCircuit { nodes, sum }
            }
            Self::Overflow { from, to, .. } => Self::Overflow { extremum: Extremum::Minimum, from, to },
            error => error,
        }
    }
}

/// Why a weight is no number.
fn no_number(weight: &str) -> &'static str {
    match weight {
        "NaN" => "which is no number",
        "inf" | "-inf" => {
            "which is infinite: -inf is no arc where paths are to be long, inf where they are to be short"
        }
        _ => "which stands for an infinity in its type: take a weight nearer to 0, or a wider type",
    }
}

fn best(extremum: Extremum) -> &'static str {
    match extremum {
        Extremum::Maximum => "longest",
        Extremum::Minimum => "shortest",
    }
}

fn circuit(nodes: &[u32]) -> String {
    let mut names: Vec<String> = nodes.iter().take(NAMED).map(u32::to_string).collect();
    if nodes.len() > NAMED {
        names.push(format!("... ({} nodes in all)", nodes.len()));
    }
    names.extend(nodes.first().map(u32::to_string));
    names.join(" -> ")
}

fn room(columns: usize) -> String {
    match columns {
        0 => "not one column fits".to_owned(),
        columns => format!("take blocks of up to {columns} columns"),
    }
}

impl LibraryError for MaxPlusError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoChoice(_) => ErrorKind::NoChoice,
            Self::Memory { .. } | Self::Blocks { .. } => ErrorKind::Memory,
            Self::Overflow { .. } => ErrorKind::Overflow,
            Self::Faulty { .. } => ErrorKind::Check,
            Self::Cycle { .. }
            | Self::PositiveCircuit { .. }
            | Self::NegativeCircuit { .. }
            | Self::NoCircuit
            | Self::Infeasible { .. }
            | Self::Reducible { .. } => ErrorKind::NoAnswer,
            Self::TooManyNodes { .. } | Self::Length { .. } => ErrorKind::Shape,
            Self::File(error) => error.kind(),
            Self::Device(error) => error.kind(),
            _ => ErrorKind::Value,
        }
    }

    fn device_error(&self) -> Option<&DeviceError> {
        match self {
            Self::Device(error) => Some(error),
            _ => None,
        }
    }
}
