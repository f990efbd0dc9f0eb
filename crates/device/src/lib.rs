//! Devices, buffers, kernels, launches, profiles and transfers over the host's threads and OpenCL.
