//! Finds the OpenCL library at run time, so that programs link and start where none is installed.
