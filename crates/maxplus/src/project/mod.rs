//! Projects: what their texts may have wrong.

mod error;

pub use error::ProjectTextError;
