//! Typed memory of devices.
//!
//! | file | what |
//! |---|---|
//! | `storage` | buffers, and the memory that they hold |
//! | `view`, `view_mut` | parts of buffers, to read and to write |
//! | `whole` | buffers made, viewed, copied and filled |

pub(crate) mod storage;
pub(crate) mod view;
pub(crate) mod view_mut;
mod whole;
