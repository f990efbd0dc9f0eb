//! The record that a process keeps of a device's start, and its use at the next start.

use std::sync::Arc;
use std::time::Duration;

use manycore_model::machine::Startup;

use super::builders::{self, Builders};
use super::self_test;
use super::startup::StartupRecord;
use crate::error::DeviceError;
use crate::info::DeviceInfo;
use crate::opencl::executor::{OpenCl, Start};
use crate::proof::Proof;

/// The start of a device: its seconds, and the processes that build for it.
#[derive(Debug, Default)]
pub(super) struct Record {
    startup: StartupRecord,
    builders: Arc<Builders>,
}

impl Start for Record {
    fn anew(&self) -> Arc<dyn Start> {
        Arc::new(Self::default())
    }

    fn begin(&self, device: &OpenCl) -> Result<(), DeviceError> {
        builders::begin(device, &self.builders, &self.startup)
    }

    fn has_context(&self) {
        self.builders.open();
    }

    fn opened(&self, took: Duration) {
        self.startup.opened(took);
    }

    fn prove(&self, bench: &OpenCl, broken: Option<&str>) -> Result<Proof, DeviceError> {
        self_test::prove(bench, broken)
    }

    fn was_built(&self, program: u64, info: &DeviceInfo) -> bool {
        self.startup.was_built(program, info)
    }

    fn has_builder(&self, name: &str) -> bool {
        self.builders.has(name)
    }

    fn wait_for_builder(&self, name: &str) -> bool {
        self.builders.wait(name)
    }

    fn built(&self, took: Option<Duration>, program: u64, info: &DeviceInfo) {
        self.startup.built(took, program, info);
    }

    fn startup(&self, typical: Startup, info: &DeviceInfo) -> Startup {
        self.startup.startup(typical, info)
    }
}
