//! The C types of `CL/cl.h`, as far as the table of forwarders names them.
//!
//! Aliases of our own instead of those of `cl-sys`: this crate then stands below `cl-sys` in no
//! link order, and the table can be read beside the header. Handles, structures and callbacks are
//! opaque here: the forwarders pass them on and never look inside.

pub(crate) use std::ffi::{c_char, c_uchar, c_void};

pub(crate) type size_t = usize;

pub(crate) type cl_int = i32;
pub(crate) type cl_uint = u32;
pub(crate) type cl_ulong = u64;
pub(crate) type cl_bool = cl_uint;
pub(crate) type cl_bitfield = cl_ulong;

// Handles.
pub(crate) type cl_platform_id = *mut c_void;
pub(crate) type cl_device_id = *mut c_void;
pub(crate) type cl_context = *mut c_void;
pub(crate) type cl_command_queue = *mut c_void;
pub(crate) type cl_mem = *mut c_void;
pub(crate) type cl_program = *mut c_void;
pub(crate) type cl_kernel = *mut c_void;
pub(crate) type cl_event = *mut c_void;
pub(crate) type cl_sampler = *mut c_void;

// Structures, passed by pointer only.
pub(crate) type cl_image_format = c_void;
pub(crate) type cl_image_desc = c_void;

/// A nullable callback of whatever signature. Code pointers of all signatures have one size and
/// one way of being passed.
pub(crate) type cl_callback = Option<unsafe extern "system" fn()>;

// Sets of flags.
pub(crate) type cl_device_type = cl_bitfield;
pub(crate) type cl_command_queue_properties = cl_bitfield;
pub(crate) type cl_mem_flags = cl_bitfield;
pub(crate) type cl_svm_mem_flags = cl_bitfield;
pub(crate) type cl_mem_migration_flags = cl_bitfield;
pub(crate) type cl_map_flags = cl_bitfield;

// Elements of lists of properties.
pub(crate) type cl_context_properties = isize;
pub(crate) type cl_device_partition_property = isize;
pub(crate) type cl_pipe_properties = isize;
pub(crate) type cl_queue_properties = cl_bitfield;
pub(crate) type cl_sampler_properties = cl_bitfield;

// Enumerations.
pub(crate) type cl_addressing_mode = cl_uint;
pub(crate) type cl_buffer_create_type = cl_uint;
pub(crate) type cl_filter_mode = cl_uint;
pub(crate) type cl_mem_object_type = cl_uint;

// Names of parameters in the queries.
pub(crate) type cl_command_queue_info = cl_uint;
pub(crate) type cl_context_info = cl_uint;
pub(crate) type cl_device_info = cl_uint;
pub(crate) type cl_event_info = cl_uint;
pub(crate) type cl_image_info = cl_uint;
pub(crate) type cl_kernel_arg_info = cl_uint;
pub(crate) type cl_kernel_exec_info = cl_uint;
pub(crate) type cl_kernel_info = cl_uint;
pub(crate) type cl_kernel_sub_group_info = cl_uint;
pub(crate) type cl_kernel_work_group_info = cl_uint;
pub(crate) type cl_mem_info = cl_uint;
pub(crate) type cl_pipe_info = cl_uint;
pub(crate) type cl_platform_info = cl_uint;
pub(crate) type cl_profiling_info = cl_uint;
pub(crate) type cl_program_build_info = cl_uint;
pub(crate) type cl_program_info = cl_uint;
pub(crate) type cl_sampler_info = cl_uint;

// OpenGL sharing (`CL/cl_gl.h`).
pub(crate) type cl_GLenum = u32;
pub(crate) type cl_GLint = i32;
pub(crate) type cl_GLuint = u32;
pub(crate) type cl_gl_context_info = cl_uint;
pub(crate) type cl_gl_object_type = cl_uint;
pub(crate) type cl_gl_texture_info = cl_uint;

/// No platform: also the answer of every forwarder that has no library to forward to.
pub(crate) const CL_PLATFORM_NOT_FOUND_KHR: cl_int = -1001;
/// The library has no such function.
pub(crate) const CL_INVALID_OPERATION: cl_int = -59;

/// A function of the library before the forwarder of its name gives it its signature.
pub(crate) type Function = unsafe extern "system" fn();
