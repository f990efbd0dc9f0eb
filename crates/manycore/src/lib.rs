//! Exact algebra and spectral methods on many-core devices: one API over the host and OpenCL.
