//! Elements in the memory of a device: a buffer for each scalar of their type, as in [`Columns`] on the host.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use manycore_device::{Buffer, Device, DeviceError, Word, WordType};

use crate::columns::Columns;
use crate::elements::Elements;
use crate::host::{Column, Owned};
use crate::map::{Words, WordsMut};

macro_rules! memories {
    ($($name:ident $word:ty,)*) => {
        /// A buffer of words of any type.
        #[derive(Debug)]
        #[allow(missing_docs)] // the names say it
        pub enum Memory {
            $($name(Buffer<$word>),)*
        }

        impl Memory {
            /// Words that may hold anything, to be written before they are read.
            ///
            /// # Errors
            /// [`DeviceError`] without the memory.
            pub fn scratch(device: &Device, word: WordType, len: usize) -> Result<Self, DeviceError> {
                match word {
                    $(WordType::$name => device.scratch(len).map(Self::$name),)*
                }
            }

            /// A copy of these words.
            ///
            /// # Errors
            /// [`DeviceError`] without the memory.
            pub fn upload(device: &Device, words: Column<'_>) -> Result<Self, DeviceError> {
                match words {
                    $(Column::$name(words) => device.upload(words).map(Self::$name),)*
                }
            }

            /// The values of these bits ([`Scalar::to_bits`](crate::Scalar::to_bits)).
            ///
            /// # Errors
            /// [`DeviceError`] without the memory.
            pub fn from_bits(
                device: &Device,
                word: WordType,
                bits: impl Iterator<Item = u64>,
            ) -> Result<Self, DeviceError> {
                Self::upload(device, Owned::from_bits(word, bits).column())
            }

            /// The type of its words.
            pub fn word(&self) -> WordType {
                match self {
                    $(Self::$name(_) => WordType::$name,)*
                }
            }

            /// The number of its words.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$name(buffer) => buffer.len(),)*
                }
            }

            /// Whether it has no words.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The device that it is on.
            pub fn device(&self) -> &Device {
                match self {
                    $(Self::$name(buffer) => buffer.device(),)*
                }
            }

            /// All words, to read.
            pub fn words(&self) -> Words<'_> {
                match self {
                    $(Self::$name(buffer) => buffer.into(),)*
                }
            }

            /// Some words, to read.
            ///
            /// # Errors
            /// [`DeviceError`] for a range past the end.
            pub fn part(&self, range: Range<usize>) -> Result<Words<'_>, DeviceError> {
                match self {
                    $(Self::$name(buffer) => buffer.view(range).map(Words::$name),)*
                }
            }

            /// All words, to write.
            pub fn words_mut(&mut self) -> WordsMut<'_> {
                match self {
                    $(Self::$name(buffer) => buffer.into(),)*
                }
            }

            /// Some words, to write.
            ///
            /// # Errors
            /// [`DeviceError`] for a range past the end.
            pub fn part_mut(&mut self, range: Range<usize>) -> Result<WordsMut<'_>, DeviceError> {
                match self {
                    $(Self::$name(buffer) => buffer.view_mut(range).map(WordsMut::$name),)*
                }
            }

            /// Writes these words over its first ones.
            ///
            /// # Errors
            /// [`DeviceError`] for words of another type, or more of them.
            pub fn write(&mut self, words: Column<'_>) -> Result<(), DeviceError> {
                match (self, words) {
                    $((Self::$name(buffer), Column::$name(words)) => buffer.view_mut(..words.len())?.write(words),)*
                    _ => Err(DeviceError::elsewhere()),
                }
            }

            /// The bits of all words, each in the lowest bits of a number.
            ///
            /// # Errors
            /// [`DeviceError`] of the copy.
            pub fn bits(&self) -> Result<Vec<u64>, DeviceError> {
                fn bits<T: Word>(words: &[T]) -> Vec<u64> {
                    let bits = |word: &T| {
                        let mut bytes = [0; 8];
                        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(word));
                        u64::from_le_bytes(bytes)
                    };
                    words.iter().map(bits).collect()
                }
                match self {
                    $(Self::$name(buffer) => Ok(bits(&buffer.download()?)),)*
                }
            }

            /// A copy on the host.
            ///
            /// # Errors
            /// [`DeviceError`] where the device failed.
            pub fn download(&self) -> Result<Owned, DeviceError> {
                match self {
                    $(Self::$name(buffer) => buffer.download().map(Owned::$name),)*
                }
            }
        }
    };
}

memories! { U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64, }

/// Elements in the memory of a device, a buffer for each scalar of their type.
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Buffers, Columns};
/// let best = Columns::from_elements(&[(1.5f32, 7u32), (2.5, 8)]);
/// let on_device = Buffers::upload(&Device::from_env()?, &best)?;
/// assert_eq!(on_device.memory().len(), 2);
/// assert_eq!(on_device.download()?, best);
/// # Ok::<(), manycore_device::DeviceError>(())
/// ```
pub struct Buffers<T> {
    memory: Vec<Memory>,
    len: usize,
    elements: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Buffers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffers").field("len", &self.len).field("memory", &self.memory).finish()
    }
}

impl<T: Elements> Buffers<T> {
    /// A copy of elements.
    ///
    /// # Errors
    /// [`DeviceError`] without the memory.
    pub fn upload(device: &Device, elements: &Columns<T>) -> Result<Self, DeviceError> {
        let columns = elements.columns().into_iter();
        let memory = columns.map(|column| Memory::upload(device, column)).collect::<Result<_, _>>()?;
        Ok(Self { memory, len: elements.len(), elements: PhantomData })
    }

    /// Elements that may be anything, to be written before they are read.
    ///
    /// # Errors
    /// [`DeviceError`] without the memory.
    pub fn scratch(device: &Device, len: usize) -> Result<Self, DeviceError> {
        let mut types = Vec::new();
        T::types(&mut types);
        let memory = types.iter().map(|kind| Memory::scratch(device, kind.memory(), len)).collect::<Result<_, _>>()?;
        Ok(Self { memory, len, elements: PhantomData })
    }

    /// These buffers as elements; `None` where they do not fit the type, or are not of one length.
    pub fn of(memory: Vec<Memory>, len: usize) -> Option<Self> {
        let mut types = Vec::new();
        T::types(&mut types);
        let fits = memory.len() == types.len()
            && memory.iter().zip(&types).all(|(memory, kind)| memory.word() == kind.memory() && memory.len() == len);
        fits.then_some(Self { memory, len, elements: PhantomData })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The buffers.
    pub fn memory(&self) -> &[Memory] {
        &self.memory
    }

    /// The buffers, to change.
    pub fn memory_mut(&mut self) -> &mut [Memory] {
        &mut self.memory
    }

    /// The buffers, taken apart.
    pub fn into_memory(self) -> Vec<Memory> {
        self.memory
    }

    /// A copy on the host.
    ///
    /// # Errors
    /// [`DeviceError`] where the device failed.
    pub fn download(&self) -> Result<Columns<T>, DeviceError> {
        let scalars = self.memory.iter().map(Memory::download).collect::<Result<_, _>>()?;
        Ok(Columns::of(scalars, self.len))
    }
}
