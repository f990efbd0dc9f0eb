//! Kernels that are built: a declared signature is compared with the program's.

use std::sync::{Arc, Mutex};

use manycore_kernels::ParamType;

use super::defines::Defines;
use super::executor::OpenCl;
use super::kernel::{Kernel, KernelMemory};
use super::object::Object;
use super::objects::{self, Program};
use super::spec::{KernelSpec, Pass, Shape};
use crate::error::DeviceError;
use crate::launched;
use crate::word::WordType;

impl OpenCl {
    /// Builds a kernel and compares its declared signature with the program's.
    ///
    /// # Errors
    /// [`DeviceError::Build`] with the log; [`DeviceError::Argument`] where declaration and source differ;
    /// [`DeviceError::Unsupported`] for `double` where the device has none.
    pub fn kernel(&self, spec: &'static KernelSpec, defines: &Defines) -> Result<Kernel, DeviceError> {
        self.built(spec, defines).inspect_err(|_| launched::refuse())
    }

    fn built(&self, spec: &'static KernelSpec, defines: &Defines) -> Result<Kernel, DeviceError> {
        let mut program = self.program(spec.unit(), defines)?;
        let mut object = objects::Kernel::of(&program, spec.entry(), self.name())?;
        let wrong = |index, expected: String, given: String| DeviceError::Argument {
            kernel: spec.entry().to_owned(),
            index,
            expected,
            given,
        };
        let mut shapes = Vec::with_capacity(spec.params().len());
        for (index, param) in spec.params().iter().enumerate() {
            let words = match param.words {
                ParamType::Element => defines.element.ok_or("an element type"),
                ParamType::Fixed(name) => WordType::of_opencl(name).ok_or(name),
                ParamType::Define(name, default) => {
                    WordType::of_opencl(defines.text(name).unwrap_or(default)).ok_or(name)
                }
            };
            let words = words.map_err(|lacking| wrong(index, format!("{lacking} among the defines"), "none".into()))?;
            let count = match param.count.map(|name| (name, defines.integer(name))) {
                None => 0,
                Some((_, Some(count))) => count,
                Some((name, None)) => {
                    return Err(wrong(index, format!("{name} among the defines"), "none".into()));
                }
            };
            shapes.push(Shape { passing: param.passing.into(), words, count });
        }
        let count = object.arguments(self.name())?;
        if count != shapes.len() {
            return Err(wrong(
                count.min(shapes.len()),
                format!("{} arguments declared", shapes.len()),
                format!("{count} in {}", spec.unit().path),
            ));
        }
        for (index, shape) in shapes.iter().enumerate() {
            // Where the runtime keeps no record of types, the count above is all there is to compare.
            if let Some(found) = object.argument_type(index)
                && !same_type(&found, *shape)
            {
                return Err(wrong(index, shape.to_string(), format!("{found} in {}", spec.unit().path)));
            }
        }
        // The signature is checked by now: a program made from a binary keeps no record of types.
        if let Some(wished) = self.wished(spec.unit(), defines, &program) {
            object = objects::Kernel::of(&wished, spec.entry(), self.name())?;
            program = wished;
        }
        let required_group = object.required_group(self.raw_id(), self.name())?.map(|[items, ..]| items);
        self.ready(spec.entry(), shapes, program, object, required_group)
    }

    /// A built kernel whose signature was compared, with its first object.
    pub(crate) fn ready(
        &self,
        entry: &'static str,
        shapes: Vec<Shape>,
        program: Arc<Program>,
        object: objects::Kernel,
        required_group: Option<usize>,
    ) -> Result<Kernel, DeviceError> {
        // A kernel with a required group was compiled for it; some drivers then still report a smaller general limit.
        let told = object.group_limit(self.raw_id(), self.name());
        let (private_bytes, local_bytes) = (object.private_bytes(self.raw_id()), object.local_bytes(self.raw_id()));
        let memory = KernelMemory {
            private_bytes,
            local_bytes,
            group_limit: told.as_ref().ok().copied().filter(|&told| told >= required_group.unwrap_or(0)).unwrap_or(0),
        };
        let group_limit = match required_group {
            Some(group) => group,
            None => told?,
        };
        let (device, name, label) = (self.raw_id(), self.name().to_owned(), self.info().label());
        let idle = Mutex::new(vec![Object::new(object, shapes.len())]);
        let opened = self.opened()?;
        let (queue, generation) = (Arc::clone(&opened.queue), opened.pool.generation().clone());
        Ok(Kernel {
            entry,
            shapes,
            group_limit,
            required_group,
            memory,
            device,
            name,
            label,
            program,
            idle,
            queue,
            generation,
        })
    }
}

/// Whether the type in the source (`uint`, `float*`, `uint4*`) is the one declared; a buffer of vectors holds words of
/// the vector's element.
pub(crate) fn same_type(found: &str, shape: Shape) -> bool {
    let found = found.replace(' ', "");
    match found.strip_suffix('*') {
        Some(pointee) => {
            let word = pointee.trim_end_matches(|c: char| c.is_ascii_digit());
            matches!(shape.passing, Pass::Input | Pass::Buffer | Pass::Local) && word == shape.words.opencl_name()
        }
        // The compiler knows what is in a struct, and the runtime how long it is.
        None if shape.passing == Pass::Words => found != shape.words.opencl_name(),
        None => shape.passing == Pass::Value && found == shape.words.opencl_name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_source_are_compared_with_the_declared_ones() {
        let shape = |passing, words| Shape { passing, words, count: 4 };
        assert!(same_type("uint4*", shape(Pass::Buffer, WordType::U32)));
        assert!(same_type("uchar16*", shape(Pass::Input, WordType::U8)));
        assert!(same_type("float *", shape(Pass::Input, WordType::F32)));
        assert!(same_type("ulong", shape(Pass::Value, WordType::U64)));
        assert!(!same_type("ulong", shape(Pass::Value, WordType::U32)));
        assert!(!same_type("uint*", shape(Pass::Value, WordType::U32)));
        assert!(!same_type("uint", shape(Pass::Buffer, WordType::U32)));
        assert!(!same_type("int*", shape(Pass::Buffer, WordType::U32)));
        assert!(same_type("constants", shape(Pass::Words, WordType::U32)));
        assert!(!same_type("uint", shape(Pass::Words, WordType::U32)));
        assert!(!same_type("uint*", shape(Pass::Words, WordType::U32)));
    }
}
