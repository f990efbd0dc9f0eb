//! The folder in which tests keep calibrations, measured choices and self-tests: never the user's.

/// The name of the folder of test programs that are started without one (`MANYCORE_CACHE`): it lies beside them.
pub const FOLDER: &str = "test-cache";

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod at_start {
    use manycore_device::CACHE_VARIABLE;

    /// Names the folder beside this program, unless the harness or the user has named one.
    extern "C" fn name_folder() {
        let is_named = std::env::var_os(CACHE_VARIABLE).is_some_and(|folder| !folder.is_empty());
        if let Some(program) = std::env::current_exe().ok().filter(|_| !is_named) {
            // SAFETY: the loader calls this before `main`, when no other thread runs.
            unsafe { std::env::set_var(CACHE_VARIABLE, program.with_file_name(super::FOLDER)) };
        }
    }

    /// What the loader calls before `main`, in each program that is linked with this crate.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static AT_START: extern "C" fn() = name_folder;
}
