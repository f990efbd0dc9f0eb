//! With the machine's own library: calls arrive there, from many threads at once as from one.

mod common;

use std::env;
use std::sync::Barrier;
use std::thread;

use manycore_opencl_loader::{platform_count, runtime};
use ocl::core;

/// Whether the machine has an OpenCL library, looked for in a process of its own settings.
///
/// Fails where there is none and `MANYCORE_REQUIRE_OPENCL=1` demands one.
fn has_library() -> bool {
    let found = runtime();
    if env::var("MANYCORE_REQUIRE_OPENCL").is_ok_and(|value| value == "1") {
        assert!(found.is_ok(), "{}", found.unwrap_err());
    }
    found.is_ok()
}

#[test]
#[ignore = "run in a process of its own by ocl_lists_the_platforms"]
fn listing_child() {
    assert!(common::is_child());
    let file = runtime().expect("the parent found a library");
    assert!(!file.is_empty());
    let count = platform_count().expect("platforms can be listed");
    if count == 0 {
        return; // A library without a driver.
    }
    let platforms = core::get_platform_ids().expect("platforms can be listed");
    assert_eq!(platforms.len(), count as usize);
    for platform in platforms {
        let name = core::get_platform_info(platform, core::PlatformInfo::Name).expect("a platform has a name");
        assert!(!name.to_string().is_empty());
    }
}

#[test]
fn ocl_lists_the_platforms() {
    if has_library() {
        common::child("listing_child", None);
    }
}

/// Starts 16 threads at once on the process's first OpenCL call; returns what each got.
fn sixteen<T: Send>(first: impl Fn() -> T + Sync) -> Vec<T> {
    let start = Barrier::new(16);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    first()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    })
}

#[test]
#[ignore = "run in processes of its own by sixteen_first_calls_agree"]
fn first_call_child() {
    assert!(common::is_child());
    let counts = sixteen(platform_count);
    let later = platform_count();
    assert!(counts.iter().all(|count| *count == later), "{counts:?}, later {later:?}");
    let files = sixteen(runtime);
    assert!(files.iter().all(|file| *file == files[0]), "{files:?}");
}

#[test]
fn sixteen_first_calls_agree() {
    common::child("first_call_child", Some("none"));
    if has_library() {
        for _ in 0..8 {
            common::child("first_call_child", None);
        }
    }
}
