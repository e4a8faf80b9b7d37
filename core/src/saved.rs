//! Saved states: a hasher as bytes, to go on later or elsewhere.
//!
//! Layout, all integers big-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `S1DC` |
//! | 1 | version, 1 |
//! | 1 | flags: bits 0-1 mode, bit 2 reduced rounds, bit 3 conditions on |
//! | 8 | bytes hashed |
//! | 20 | chaining value |
//! | 20 | chaining value of the safe digest; zeros without a collision |
//! | n | the `len % 64` bytes of the block that is not complete |
//! | 4 | number of collisions, then each: 8 offset, 1 vector, 1 reduced, 64 block |
//! | 8 | the first bytes of the SHA-1 of all before |
//!
//! The checksum is against accidents. Whoever can write a state can write any
//! state: keep it as safe as the message.

use alloc::vec::Vec;
use core::fmt;

use crate::backend::Backend;
use crate::detect::vectors::{COUNT, DisturbanceVector};
use crate::engine::Engine;
use crate::plain;
use crate::schedule::BLOCK_SIZE;
use crate::sha1::{CollisionBlock, Mode, Options, Sha1};

const MAGIC: &[u8; 4] = b"S1DC";
const VERSION: u8 = 1;
const CHECKSUM: usize = 8;
const MODES: [Mode; 4] = [Mode::Detect, Mode::Mitigate, Mode::Report, Mode::Plain];

/// Why a saved state was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// Not a saved state, or cut short, or longer than it says.
    Malformed,
    /// Made by another version of the format.
    Version(u8),
    /// The checksum does not match: bytes were changed.
    Corrupt,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("not a saved SHA-1 state"),
            Self::Version(version) => {
                write!(f, "saved SHA-1 state of version {version}, this is version {VERSION}")
            }
            Self::Corrupt => f.write_str("saved SHA-1 state is corrupt"),
        }
    }
}

impl core::error::Error for StateError {}

impl Sha1 {
    /// The state as bytes: mode, flags, and the collisions so far included.
    ///
    /// ```
    /// use sha1dc_core::{Options, Sha1};
    /// let mut hasher = Sha1::new(Options::default());
    /// hasher.update(b"hello ");
    /// let state = hasher.save();
    /// let mut hasher = Sha1::restore(&state).unwrap();
    /// hasher.update(b"world");
    /// assert_eq!(hasher.finish().digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(70 + BLOCK_SIZE + 74 * self.collisions.len());
        put(&mut out, MAGIC);
        let mode = MODES.iter().position(|mode| *mode == self.options.mode).unwrap_or(0) as u8;
        let flags = mode | (self.options.reduced_rounds as u8) << 2 | (self.options.ubc as u8) << 3;
        put(&mut out, &[VERSION, flags]);
        put(&mut out, &self.engine.len.to_be_bytes());
        for word in self.engine.h.into_iter().chain(self.engine.safe.unwrap_or_default()) {
            put(&mut out, &word.to_be_bytes());
        }
        put(&mut out, &self.engine.buffer[..self.engine.buffered()]);
        put(&mut out, &(self.collisions.len() as u32).to_be_bytes());
        for collision in &self.collisions {
            put(&mut out, &collision.offset.to_be_bytes());
            put(&mut out, &[collision.disturbance_vector.index() as u8, collision.reduced_round as u8]);
            put(&mut out, &collision.block);
        }
        let checksum = plain::digest(&out);
        put(&mut out, &checksum.as_bytes()[..CHECKSUM]);
        out
    }

    /// The hasher that [`save`](Self::save) saved.
    pub fn restore(state: &[u8]) -> Result<Self, StateError> {
        Self::restore_on(state, Backend::detect())
    }

    /// As [`restore`](Self::restore), on a given backend.
    #[doc(hidden)]
    pub fn restore_on(state: &[u8], backend: Backend) -> Result<Self, StateError> {
        let mut reader = Reader(state);
        if reader.take(4)? != MAGIC {
            return Err(StateError::Malformed);
        }
        let version = reader.byte()?;
        if version != VERSION {
            return Err(StateError::Version(version));
        }
        let body = state.len().checked_sub(CHECKSUM).ok_or(StateError::Malformed)?;
        let (signed, checksum) = state.split_at(body);
        if plain::digest(signed).as_bytes()[..CHECKSUM] != *checksum {
            return Err(StateError::Corrupt);
        }
        let mut reader = Reader(&signed[5..]);
        let flags = reader.byte()?;
        if flags >> 4 != 0 {
            return Err(StateError::Malformed);
        }
        let options =
            Options { mode: MODES[(flags & 3) as usize], reduced_rounds: flags & 4 != 0, ubc: flags & 8 != 0, backend };
        let mut engine = Engine::new(backend, options.detection());
        engine.len = reader.u64()?;
        engine.h = reader.chain()?;
        let safe = reader.chain()?;
        let buffered = engine.buffered();
        engine.buffer[..buffered].copy_from_slice(reader.take(buffered)?);
        let complete = engine.len - buffered as u64;
        let count = reader.u32()?;
        let mut collisions: Vec<CollisionBlock> = Vec::new();
        for _ in 0..count {
            let offset = reader.u64()?;
            let vector = reader.byte()? as usize;
            let reduced = reader.byte()?;
            let block = reader.array()?;
            // Only what save can have written: whole blocks, in order.
            let after = collisions.last().is_none_or(|last| last.offset < offset);
            if offset % BLOCK_SIZE as u64 != 0 || offset >= complete || !after || vector >= COUNT || reduced > 1 {
                return Err(StateError::Malformed);
            }
            collisions.push(CollisionBlock {
                offset,
                disturbance_vector: DisturbanceVector::new(vector),
                reduced_round: reduced == 1,
                block,
            });
        }
        if !reader.0.is_empty() || (options.mode == Mode::Plain && count > 0) || (count == 0 && safe != [0; 5]) {
            return Err(StateError::Malformed);
        }
        if count > 0 {
            engine.safe = Some(safe);
            engine.detected = true;
        }
        Ok(Self { engine, options, collisions })
    }
}

#[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(bytes);
}

/// Reads from the front of what is left.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], StateError> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(StateError::Malformed)?;
        self.0 = rest;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StateError> {
        self.take(N)?.try_into().map_err(|_| StateError::Malformed)
    }

    fn byte(&mut self) -> Result<u8, StateError> {
        Ok(self.array::<1>()?[0])
    }

    fn u32(&mut self) -> Result<u32, StateError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, StateError> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    fn chain(&mut self) -> Result<[u32; 5], StateError> {
        let mut h = [0; 5];
        for word in &mut h {
            *word = self.u32()?;
        }
        Ok(h)
    }
}
