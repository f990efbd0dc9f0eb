//! Typed memory of devices.
//!
//! | file | what |
//! |---|---|
//! | `storage` | buffers, and the memory that they hold |
//! | `view` | parts of buffers, to read or to write |
//! | `whole` | buffers made, viewed, copied and filled |

pub(crate) mod storage;
pub(crate) mod view;
mod whole;
