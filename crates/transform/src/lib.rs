//! Fast spectral transforms on the host and on OpenCL devices.
