//! Memory seen as words of another type.

use crate::buffer::storage::{Buffer, Storage};
use crate::error::DeviceError;
use crate::word::Word;

impl<T: Word> Buffer<T> {
    /// Does `work` on this buffer's memory seen as words of another type: the bytes stay as they are, little-endian on every
    /// device known. Nothing is copied.
    ///
    /// ```
    /// use manycore_device::Device;
    /// let mut bytes = Device::host().upload(&[1u8, 2, 0, 0])?;
    /// bytes.seen_as::<u32, _>(|words| words.fill(0x0403_0201))??;
    /// assert_eq!(bytes.download()?, [1, 2, 3, 4]);
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Length`] where the bytes are no whole number of such words; then nothing was done. Also where `work` put
    /// a buffer of another length or device in its place: that becomes this buffer as far as its whole words go.
    pub fn seen_as<U: Word, R>(&mut self, work: impl FnOnce(&mut Buffer<U>) -> R) -> Result<R, DeviceError> {
        let bytes = self.len * size_of::<T>();
        if !bytes.is_multiple_of(size_of::<U>()) {
            let expected = bytes.next_multiple_of(size_of::<U>());
            return Err(DeviceError::Length { what: "bytes of a buffer seen as wider words", expected, given: bytes });
        }
        let mut seen = Buffer::<U> {
            device: self.device.clone(),
            len: bytes / size_of::<U>(),
            storage: self.take_storage().seen_as(bytes / size_of::<U>()),
            held: self.held.take(),
        };
        self.len = 0;
        let result = work(&mut seen);
        let given = seen.len * size_of::<U>();
        self.len = given / size_of::<T>();
        self.device = seen.device.clone();
        self.storage = seen.take_storage().seen_as(self.len);
        self.held = seen.held.take();
        if given == bytes {
            Ok(result)
        } else {
            Err(DeviceError::Length { what: "bytes of a buffer seen as other words", expected: bytes, given })
        }
    }
}

impl<T: Word> Storage<T> {
    /// The memory as `len` words of another type, which fit it.
    fn seen_as<U: Word>(self, len: usize) -> Storage<U> {
        match self {
            Self::Host(memory) => Storage::Host(memory.seen_as(len)),
            Self::OpenCl(block) => Storage::OpenCl(block),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::device::Device;
    use crate::error::DeviceError;

    #[test]
    fn bytes_stay_on_every_device() {
        for device in Device::all() {
            let mut x = device.upload(&[0x0102_0304_0506_0708_u64, 9]).unwrap();
            let halves = x.seen_as::<u32, _>(|halves| halves.download().unwrap()).unwrap();
            assert_eq!(halves, [0x0506_0708, 0x0102_0304, 9, 0]);
            x.seen_as::<u8, _>(|bytes| bytes.write(&[1; 16])).unwrap().unwrap();
            assert_eq!(x.download().unwrap(), [0x0101_0101_0101_0101; 2]);
        }
    }

    #[test]
    fn another_buffer_may_take_the_place() {
        for device in Device::all() {
            let mut x = device.upload(&[1u16, 2, 3, 4]).unwrap();
            let mut other = device.upload(&[7u64]).unwrap();
            x.seen_as::<u64, _>(|x| std::mem::swap(x, &mut other)).unwrap();
            assert_eq!(x.download().unwrap(), [7, 0, 0, 0]);
            assert_eq!(other.download().unwrap(), [0x0004_0003_0002_0001]);
            let mut longer = device.upload(&[1u64, 2]).unwrap();
            let outcome = x.seen_as::<u64, _>(|x| std::mem::swap(x, &mut longer));
            assert!(matches!(outcome, Err(DeviceError::Length { expected: 8, given: 16, .. })));
            assert_eq!(x.len(), 8);
        }
    }

    #[test]
    fn bytes_that_make_no_words_are_refused() {
        let mut x = Device::host().upload(&[1u8, 2, 3]).unwrap();
        let outcome = x.seen_as::<u16, _>(|_| ());
        assert!(matches!(outcome, Err(DeviceError::Length { expected: 4, given: 3, .. })));
        assert_eq!(x.download().unwrap(), [1, 2, 3]);
        let mut nothing = Device::host().upload::<u8>(&[]).unwrap();
        assert_eq!(nothing.seen_as::<u64, _>(|x| x.len()).unwrap(), 0);
    }
}
