//! OpenCL C sources of Manycore as constants, with the table of their units and parameter sets.
