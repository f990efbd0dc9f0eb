//! The executable as the linker left it: no dependency on an OpenCL library.
#![cfg(target_os = "linux")]

use std::{env, fs};

use object::read::elf::{ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectSymbol, elf};

/// Calls into OpenCL through `ocl`, so that the linker has something to resolve.
fn use_ocl() {
    let count = manycore_opencl_loader::platform_count();
    if count.is_ok_and(|count| count > 0) {
        assert!(ocl::core::get_platform_ids().is_ok());
    }
}

#[test]
fn the_executable_does_not_need_an_opencl_library() {
    use_ocl();
    let bytes = fs::read(env::current_exe().expect("a path")).expect("a readable executable");
    let file = ElfFile64::<Endianness>::parse(&*bytes).expect("an ELF file of 64 bits");
    let endian = file.endian();
    let sections = file.elf_header().sections(endian, &*bytes).expect("sections");
    let (entries, link) = sections.dynamic(endian, &*bytes).expect("readable").expect("a dynamic section");
    let strings = sections.strings(endian, &*bytes, link).expect("names of libraries");
    let needed: Vec<String> = entries
        .iter()
        .filter(|entry| entry.d_tag.get(endian) as i64 == elf::DT_NEEDED)
        .map(|entry| {
            let name = strings.get(entry.d_val.get(endian) as u32).expect("a name");
            String::from_utf8_lossy(name).into_owned()
        })
        .collect();
    assert!(needed.iter().any(|name| name.starts_with("libc.")), "the reading works: {needed:?}");
    assert!(!needed.iter().any(|name| name.contains("OpenCL")), "{needed:?}");

    // An exported forwarder would stand in for the functions of the library that it opens.
    let dynamic: Vec<&str> = file
        .dynamic_symbols()
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| name.starts_with("clGet") || name.starts_with("clEnqueue"))
        .collect();
    assert!(dynamic.is_empty(), "{dynamic:?}");
}

#[test]
fn every_forwarder_is_in_the_executable() {
    use_ocl();
    let bytes = fs::read(env::current_exe().expect("a path")).expect("a readable executable");
    let file = ElfFile64::<Endianness>::parse(&*bytes).expect("an ELF file of 64 bits");
    if file.symbols().next().is_none() {
        // Bundles hold stripped executables: their forwarders have no names left to count, and the test says so.
        eprintln!("this executable is stripped: its forwarders are not counted here");
        return;
    }
    let defined = file
        .symbols()
        .filter(ObjectSymbol::is_definition)
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| name.strip_prefix("cl").is_some_and(|rest| rest.starts_with(char::is_uppercase)))
        .count();
    assert_eq!(defined, manycore_opencl_loader::symbols());
}
