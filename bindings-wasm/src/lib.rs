//! The wasm module inside the npm package `sha1dc`: conversion only.
//!
//! JavaScript copies messages into the *arena*, a fixed area of this module's memory, and calls a function that hashes
//! it; digests come back in the *results*, another fixed area. So the memory stays as small as it is at the start,
//! whatever the size of a message, and a hot call passes two or three integers and nothing else. What has no fixed size
//! (reports, saved states) comes back in the *answer*, whose length the call returns. One instance serves any number of
//! hashers: they lie in a slab and JavaScript names them by index.
//!
//! Everything that crosses is a number, so the module imports nothing. That keeps it usable where glue code is in the
//! way: in a worker that is handed the compiled module, in workerd, and as input of wasm2js, which knows no
//! `externref`.
//!
//! Memory that another thread may write is copied once, by JavaScript, on its way into the arena.

#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

mod flags;
mod hex;
mod report;
#[cfg(target_arch = "wasm32")]
mod runtime;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::UnsafeCell;

use sha1dc_core::{Backend, Message, Outcome, Sha1, StateError, hash_many};
use wasm_bindgen::prelude::wasm_bindgen;

/// Bytes of messages that one call can hash. With more of them at hand the lanes stay full longer: of git's objects, where
/// one in a hundred is larger than 100 KB, 256 KiB at a time take 66 ns a block, 512 KiB 61, 1 MiB 56. What a page that
/// hashes one short string does not touch costs it addresses only.
const ARENA: usize = 1024 * 1024;
/// Messages that one call can hash.
const BATCH: usize = 1024;
/// Bytes of one result in the results: hex.
const HEX: usize = 40;

// The arena begins a cache line.
#[repr(C, align(64))]
struct Module {
    arena: [u8; ARENA],
    /// Where in the arena the messages of a batch start, and their lengths.
    layout: [[u32; 2]; BATCH],
    results: [u8; HEX * BATCH],
    answer: Vec<u8>,
    outcomes: Vec<Outcome>,
    hashers: Vec<Option<Box<Sha1>>>,
    free: Vec<usize>,
}

/// The one module of the one thread. All zeros at the start, so that its areas take no place in the file.
struct Only(UnsafeCell<Module>);

// SAFETY: the module is built without the atomics feature, so it has one thread. (For any other target this crate is
// only type-checked.)
unsafe impl Sync for Only {}

static MODULE: Only = Only(UnsafeCell::new(Module {
    arena: [0; ARENA],
    layout: [[0; 2]; BATCH],
    results: [0; HEX * BATCH],
    answer: Vec::new(),
    outcomes: Vec::new(),
    hashers: Vec::new(),
    free: Vec::new(),
}));

fn with<R>(f: impl FnOnce(&mut Module) -> R) -> R {
    // SAFETY: nothing is imported, so what runs inside calls nobody who could call back, and no function here is called
    // by another.
    f(unsafe { &mut *MODULE.0.get() })
}

impl Module {
    /// Puts the standard digest at the start of the results, hex and then bytes, and gives 0. After an attack it gives
    /// the length of the report, from which JavaScript takes the digest that it wants.
    fn tell(&mut self, outcome: &Outcome) -> usize {
        if outcome.collision() {
            self.answer = report::of(outcome);
            return self.answer.len();
        }
        let digest = outcome.digest.as_bytes();
        self.results[..HEX].copy_from_slice(&hex::encode(digest));
        self.results[HEX..HEX + 20].copy_from_slice(digest);
        0
    }

    fn answer(&mut self, answer: Vec<u8>) -> usize {
        self.answer = answer;
        self.answer.len()
    }

    fn insert(&mut self, hasher: Sha1) -> usize {
        let hasher = Some(Box::new(hasher));
        match self.free.pop() {
            Some(slot) => {
                self.hashers[slot] = hasher;
                slot
            }
            None => {
                self.hashers.push(hasher);
                self.hashers.len() - 1
            }
        }
    }

    fn remove(&mut self, slot: usize) -> Box<Sha1> {
        let hasher = self.hashers[slot].take().expect("a live hasher");
        self.free.push(slot);
        hasher
    }

    fn hasher(&mut self, slot: usize) -> &mut Sha1 {
        self.hashers[slot].as_mut().expect("a live hasher")
    }
}

/// Where the arena is.
#[wasm_bindgen]
pub fn arena() -> *const u8 {
    with(|module| module.arena.as_ptr())
}

/// How many bytes the arena has.
#[wasm_bindgen(js_name = arenaSize)]
pub fn arena_size() -> usize {
    ARENA
}

/// Where the layout of a batch is: for each message, its start in the arena and its length, 32 bits each.
#[wasm_bindgen]
pub fn layout() -> *const u32 {
    with(|module| module.layout.as_ptr().cast())
}

/// How many messages a batch can have.
#[wasm_bindgen(js_name = batchSize)]
pub fn batch_size() -> usize {
    BATCH
}

/// Where the results are.
#[wasm_bindgen]
pub fn results() -> *const u8 {
    with(|module| module.results.as_ptr())
}

/// Where the answer of the last call that gave a length is.
#[wasm_bindgen]
pub fn answer() -> *const u8 {
    with(|module| module.answer.as_ptr())
}

/// The name of the code that hashes. Gives its length.
#[wasm_bindgen]
pub fn backend() -> usize {
    with(|module| module.answer(Backend::detect().name().into()))
}

/// Hashes the first `length` bytes of the arena. Gives 0, or the length of a report.
#[wasm_bindgen]
pub fn hash(length: usize, flags: u32) -> usize {
    with(|module| {
        let outcome = sha1dc_core::hash(&module.arena[..length], flags::options(flags, Backend::detect()));
        module.tell(&outcome)
    })
}

/// Hashes `count` messages in the arena, as the layout says. Their digests go to the results, as hex
/// (40 bytes each) or as bytes (20 each). Gives the length of the reports of all attacked messages.
#[wasm_bindgen(js_name = hashMany)]
pub fn hash_batch(count: usize, flags: u32, as_hex: bool) -> usize {
    with(|module| {
        let options = flags::options(flags, Backend::detect());
        let messages: Vec<Message<'_>> = module.layout[..count]
            .iter()
            .map(|&[start, length]| Message { head: &[], body: &module.arena[start as usize..][..length as usize] })
            .collect();
        if module.outcomes.len() < count {
            module.outcomes.resize_with(BATCH, Outcome::default);
        }
        let outcomes = &mut module.outcomes[..count];
        hash_many(options, &messages, outcomes);
        module.answer.clear();
        for (index, outcome) in outcomes.iter().enumerate() {
            let digest = outcome.digest_for(options.mode);
            if as_hex {
                module.results[HEX * index..][..HEX].copy_from_slice(&hex::encode(digest.as_bytes()));
            } else {
                module.results[20 * index..][..20].copy_from_slice(digest.as_bytes());
            }
            if outcome.collision() {
                report::write(&mut module.answer, index as u32, outcome);
            }
        }
        module.answer.len()
    })
}

/// Makes a hasher.
#[wasm_bindgen]
pub fn create(flags: u32) -> usize {
    with(|module| module.insert(Sha1::new(flags::options(flags, Backend::detect()))))
}

/// Feeds the first `length` bytes of the arena to a hasher.
#[wasm_bindgen]
pub fn update(slot: usize, length: usize) {
    with(|module| {
        let hasher = module.hashers[slot].as_mut().expect("a live hasher");
        hasher.update(&module.arena[..length]);
    });
}

/// Ends a hasher's message and frees the hasher. Gives 0, or the length of a report.
#[wasm_bindgen]
pub fn finish(slot: usize) -> usize {
    with(|module| {
        let hasher = module.remove(slot);
        module.tell(&hasher.finish())
    })
}

/// Frees a hasher.
#[wasm_bindgen]
pub fn free(slot: usize) {
    with(|module| drop(module.remove(slot)));
}

/// Makes a second hasher in the state of the first.
#[wasm_bindgen]
pub fn copy(slot: usize) -> usize {
    with(|module| {
        let hasher = module.hasher(slot).clone();
        module.insert(hasher)
    })
}

/// The attacked blocks that a hasher has found so far: 0, or the length of a report without digests.
#[wasm_bindgen(js_name = reportSoFar)]
pub fn report_so_far(slot: usize) -> usize {
    with(|module| {
        if !module.hasher(slot).collision_detected() {
            return 0;
        }
        let report = report::so_far(module.hasher(slot).collisions());
        module.answer(report)
    })
}

/// The flags that a hasher was made with.
#[wasm_bindgen(js_name = optionsOf)]
pub fn options_of(slot: usize) -> u32 {
    with(|module| flags::flags(module.hasher(slot).options()))
}

/// How many bytes a hasher has been fed.
#[wasm_bindgen(js_name = bytesHashed)]
pub fn bytes_hashed(slot: usize) -> f64 {
    with(|module| module.hasher(slot).bytes_hashed() as f64)
}

/// The state of a hasher as bytes. Gives their number.
#[wasm_bindgen]
pub fn save(slot: usize) -> usize {
    with(|module| {
        let state = module.hasher(slot).save();
        module.answer(state)
    })
}

/// Takes the first `length` bytes of the arena for (more of) a saved state: it may be longer than the arena.
#[wasm_bindgen]
pub fn stage(length: usize, first: bool) {
    with(|module| {
        if first {
            module.answer.clear();
        }
        module.answer.extend_from_slice(&module.arena[..length]);
    });
}

/// Makes a hasher from the staged state. Refused: -2 for another version of the format, -3 for changed bytes, -1 for
/// what is no saved state at all.
#[wasm_bindgen]
pub fn restore() -> i32 {
    with(|module| match Sha1::restore(&module.answer) {
        Ok(hasher) => module.insert(hasher) as i32,
        Err(StateError::Version(_)) => -2,
        Err(StateError::Corrupt) => -3,
        Err(_) => -1,
    })
}
