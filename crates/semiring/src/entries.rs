//! Entries of a function of column and row, stored: on the host by rows that threads share, on an OpenCL device an item for each.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Defines, DeviceError, Executor, Passing, WordType};
use manycore_expressions::generated::{self, Arguments};
use manycore_expressions::{Column, Input, Program, Words, WordsMut};

use crate::error::SemiringError;
use crate::multiply::host::lines;
use crate::multiply::products::Products;
use crate::plan::Shape;

/// Items of a group.
const GROUP: usize = 256;

impl Products {
    /// Stores all entries of a function of column and row.
    pub(crate) fn store(
        &self,
        entry: &std::sync::Arc<Program>,
        tables: &[Words<'_>],
        Shape { rows, columns }: Shape,
        out: &mut [WordsMut<'_>],
    ) -> Result<(), SemiringError> {
        let (height, width) = (rows as usize, columns as usize);
        if height == 0 || width == 0 {
            return Ok(());
        }
        let operations = (entry.operations() as u64).saturating_mul(rows).saturating_mul(columns);
        match self.device().executor() {
            Executor::Host(pool) => {
                let tables: Vec<Column<'_>> = tables.iter().map(|table| table.host()).collect::<Result<_, _>>()?;
                let places: Vec<u64> = (0..columns).collect();
                let failed = Mutex::new(None);
                let lines = lines(out, width)?;
                pool.step("semiring_entries", 0, operations, || {
                    let team = pool.team().only_if(operations > 1 << 16);
                    team.each(lines.into_iter().enumerate(), |(row, mut line)| {
                        let inputs = [Input::Column((&places[..]).into()), Input::Same(row as u64)];
                        if let Err(error) = entry.evaluate(&inputs, &tables, &mut line) {
                            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        }
                    });
                });
                failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |error| Err(error.into()))
            }
            Executor::OpenCl(cl) => {
                if entry.needs_fp64() && !cl.info().fp64 {
                    let feature = "double precision".to_owned();
                    return Err(DeviceError::Unsupported { device: cl.info().label(), feature }.into());
                }
                let kernel = self.entry_kernels.get(entry.clone(), |entry| {
                    let (source, params) = text(entry);
                    // SAFETY: this function alone launches it, with results of rows times columns words; the kernel guards
                    // items past them, and the function bounds the places in tables.
                    let spec = unsafe { generated::spec("semiring_entries", source, params) };
                    cl.kernel(spec, &Defines::new())
                })?;
                let mut launch = cl.launch(&kernel).value(rows * columns).value(columns);
                for table in tables {
                    launch = table.pass(launch).value(table.len() as u64);
                }
                for words in out {
                    launch = words.reborrow().pass(launch);
                }
                launch.items(height * width, GROUP.min(kernel.group_limit())).operations(operations).run()?;
                Ok(())
            }
        }
    }
}

fn text(entry: &Program) -> (String, Vec<manycore_device::Param>) {
    let mut arguments = Arguments::default();
    for size in ["count", "columns"] {
        arguments.add(size, Passing::Value, WordType::U64);
    }
    let mut given = vec!["i % columns".to_owned(), "i / columns".to_owned()];
    for (i, kind) in entry.tables().iter().enumerate() {
        arguments.add(format!("t{i}"), Passing::Input, kind.memory());
        arguments.add(format!("t{i}_len"), Passing::Value, WordType::U64);
        given.push(format!("t{i}, t{i}_len"));
    }
    let (mut before, mut after) = (String::new(), String::new());
    for (i, kind) in entry.outputs().enumerate() {
        arguments.add(format!("c{i}"), Passing::Buffer, kind.memory());
        let _ = writeln!(before, "    {} r{i};", kind.memory().opencl_name());
        let _ = writeln!(after, "    c{i}[i] = r{i};");
        given.push(format!("&r{i}"));
    }
    let source = format!(
        "{}{}__kernel void semiring_entries({})\n{{\n    const ulong i = get_global_id(0);\n    if (i >= count)\n        \
         return;\n{before}    entry({});\n{after}}}\n",
        entry.opencl_head(),
        entry.opencl("entry"),
        arguments.declared(),
        given.join(", "),
    );
    (source, arguments.into_params())
}
