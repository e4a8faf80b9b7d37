//! Which code compresses and checks blocks: listed, detected, forced.

use crate::engine::{Detection, Hit};
use crate::naive;
use crate::schedule::BLOCK_SIZE;

/// The code that compresses and checks blocks on this machine.
///
/// [`Backend::detect`] is what everything uses by default. Tests and benches
/// list and force the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backend(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Portable,
}

impl Backend {
    /// The fastest backend that this machine has.
    pub fn detect() -> Self {
        Self(Kind::Portable)
    }

    /// Every backend that this machine has, fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self(Kind::Portable)].into_iter()
    }

    /// The backend of this name, if this machine has it.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|backend| backend.name() == name)
    }

    /// Target and instruction sets, such as `x86_64/avx512+sha-ni`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable if cfg!(target_arch = "x86_64") => "x86_64/portable",
            Kind::Portable if cfg!(target_arch = "aarch64") => "aarch64/portable",
            Kind::Portable if cfg!(target_arch = "wasm32") => "wasm32/portable",
            Kind::Portable => "portable",
        }
    }

    /// Compresses `blocks` into `h`. Every attacked block has been reported
    /// when it returns, in any order, each once.
    #[inline]
    pub(crate) fn scan(
        self,
        h: &mut [u32; 5],
        blocks: &[[u8; BLOCK_SIZE]],
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
    ) {
        match self.0 {
            Kind::Portable => naive::scan(h, blocks, detection, hits),
        }
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::detect()
    }
}
