//! Memory: hashing allocates nothing, whatever the input; a batch allocates
//! what depends on the number of messages, not on their sizes.
//!
//! A program of its own, because it counts what its allocator is asked for.

#![cfg(feature = "std")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sha1dc_core::{Backend, Digest, Hasher, Message, Mode, Options, Outcome, Sha1};
use sha1dc_core::{digest_many, hash_many, mitigate, plain};
use sha1dc_test_common::conditions;
use sha1dc_test_common::rng::Rng;

thread_local! {
    /// Allocations, bytes in use and the most there were, of this thread.
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static USED: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn change(allocations: usize, bytes: isize) {
    COUNT.set(COUNT.get() + allocations);
    USED.set(USED.get() + bytes);
    MOST.set(MOST.get().max(USED.get()));
}

// SAFETY: everything is done by the system's allocator. The counters are
// thread-local cells without destructors, so reaching them allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        change(1, layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        change(0, -(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        change(1, size as isize - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of `f`, and the most bytes it had in use.
fn measure(f: impl FnOnce()) -> (usize, usize) {
    let (count, used) = (COUNT.get(), USED.get());
    MOST.set(used);
    f();
    (COUNT.get() - count, (MOST.get() - used) as usize)
}

/// Ordinary input, and input of which every block is recompressed for as many
/// vectors as can be: whatever is put off has to be done in bounded space.
fn inputs(len: usize) -> [Vec<u8>; 3] {
    let mut rng = Rng::new(0);
    let (_, most) = conditions::most_at_once();
    let random = rng.bytes(len);
    let passing: Vec<u8> = (0..len / 64).flat_map(|_| most.solution(&mut rng)).collect();
    [vec![0; len], random, passing]
}

#[test]
fn one_message_allocates_nothing() {
    for data in inputs(1 << 17) {
        for backend in Backend::available() {
            for piece in [data.len(), 65_536, 1000] {
                let options = |mode| Options { mode, backend, ..Options::default() };
                let name = backend.name();
                let run = |hash: &mut dyn FnMut(&[u8])| data.chunks(piece).for_each(hash);
                let none = |what: &str, (count, _): (usize, usize)| {
                    assert_eq!(count, 0, "{name}, {what}, in pieces of {piece}");
                };
                let hasher = || {
                    let mut hasher = Hasher::on(backend);
                    run(&mut |piece| hasher.update(piece));
                    assert!(hasher.finalize().is_ok());
                };
                none("Hasher", measure(hasher));
                let safe = || {
                    let mut hasher = mitigate::Hasher::on(backend);
                    run(&mut |piece| hasher.update(piece));
                    assert!(hasher.finalize().is_ok());
                };
                none("mitigate::Hasher", measure(safe));
                let bare = || {
                    let mut hasher = plain::Hasher::on(backend);
                    run(&mut |piece| hasher.update(piece));
                    hasher.finalize();
                };
                none("plain::Hasher", measure(bare));
                for mode in [Mode::Detect, Mode::Mitigate, Mode::Report, Mode::Plain] {
                    let chosen = || {
                        let mut hasher = Sha1::new(options(mode));
                        run(&mut |piece| hasher.update(piece));
                        assert!(!hasher.finish().collision());
                    };
                    none("Sha1", measure(chosen));
                }
            }
        }
    }
}

#[test]
fn a_batch_allocates_the_same_for_long_messages() {
    for data in inputs(1 << 16) {
        for backend in Backend::available() {
            let options = Options { backend, ..Options::default() };
            let most = |len: usize| {
                let messages = vec![Message { head: b"blob 1\0", body: &data[..len] }; 200];
                let mut out = vec![Outcome::default(); messages.len()];
                measure(|| hash_many(options, &messages, &mut out)).1
            };
            let (short, long) = (most(1000), most(data.len()));
            assert!(long <= short, "{}: {short} and {long} bytes", backend.name());
            assert!(short < 200 * 256, "{}: {short} bytes for 200 messages", backend.name());
        }
        let most = |len: usize| {
            let messages = vec![&data[..len]; 200];
            let mut out = vec![Ok(Digest::default()); messages.len()];
            measure(|| digest_many(&messages, &mut out)).1
        };
        assert!(most(data.len()) <= most(1000));
    }
}

/// The counting counts.
#[test]
fn the_allocator_counts() {
    let (count, most) = measure(|| drop(std::hint::black_box(vec![0u8; 4096])));
    assert_eq!((count, most), (1, 4096));
}
