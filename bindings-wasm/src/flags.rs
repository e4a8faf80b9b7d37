//! How JavaScript says which options a message is hashed with: one small integer.

use sha1dc_core::{Backend, Mode, Options};

/// Bits 0-1: the mode, in this order.
const MODES: [Mode; 4] = [Mode::Detect, Mode::Mitigate, Mode::Report, Mode::Plain];
/// Bit 2: reduced rounds.
const REDUCED_ROUNDS: u32 = 4;
/// Bit 3: recompress every block, whatever the unavoidable bit conditions say.
const NO_UBC: u32 = 8;

/// The options that `flags` stand for.
pub(crate) fn options(flags: u32, backend: Backend) -> Options {
    Options {
        mode: MODES[(flags & 3) as usize],
        reduced_rounds: flags & REDUCED_ROUNDS != 0,
        ubc: flags & NO_UBC == 0,
        backend,
    }
}

/// The flags that stand for `options`.
pub(crate) fn flags(options: Options) -> u32 {
    let mode = MODES.iter().position(|mode| *mode == options.mode).unwrap_or(0) as u32;
    mode | if options.reduced_rounds { REDUCED_ROUNDS } else { 0 } | if options.ubc { 0 } else { NO_UBC }
}
