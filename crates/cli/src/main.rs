//! The manycore program: spectra and more from the command line, on the host and on OpenCL devices.

fn main() {}
