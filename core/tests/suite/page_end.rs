//! Messages that begin or end where memory ends: a byte read outside of them
//! ends the program.

use std::ptr;

use sha1dc_core::{Message, Options, Outcome, hash_many};
use sha1dc_test_common::rng::Rng;

use crate::support::{ATTACKS, Expected, all_of, backends, check_hashers, check_pieces, material};

/// Memory with a page before and a page after it that cannot be read.
struct Fenced {
    start: *mut u8,
    page: usize,
    len: usize,
}

impl Fenced {
    fn new(pages: usize) -> Self {
        // SAFETY: a question.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a size");
        let len = pages * page;
        let (protection, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, anywhere.
        let start = unsafe { libc::mmap(ptr::null_mut(), len + 2 * page, protection, flags, -1, 0) };
        assert_ne!(start, libc::MAP_FAILED);
        let start = start.cast::<u8>();
        // SAFETY: within the mapping.
        let result = unsafe { libc::mprotect(start.add(page).cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(result, 0);
        Self { start, page, len }
    }

    /// All of it.
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: these pages can be read and written, are zero at first, and
        // belong to `self`.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(self.page), self.len) }
    }

    /// The message at the very end.
    fn at_end(&mut self, message: &[u8]) -> &[u8] {
        let from = self.len - message.len();
        let place = &mut self.bytes()[from..];
        place.copy_from_slice(message);
        place
    }

    /// The message at the very beginning.
    fn at_start(&mut self, message: &[u8]) -> &[u8] {
        let place = &mut self.bytes()[..message.len()];
        place.copy_from_slice(message);
        place
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: the mapping that `new` made; nothing borrows from it any more.
        unsafe { libc::munmap(self.start.cast(), self.len + 2 * self.page) };
    }
}

#[test]
fn messages_of_every_length() {
    let mut rng = Rng::of_test();
    let mut fenced = Fenced::new(2);
    for len in all_of((0..=1200).collect(), &mut rng) {
        let message = material(&mut rng, len);
        let expected = Expected::of(&message);
        for backend in backends() {
            check_hashers(backend, &[fenced.at_end(&message)], &expected);
            check_hashers(backend, &[fenced.at_start(&message)], &expected);
            let options = Options { reduced_rounds: true, backend, ..Options::default() };
            let place = fenced.at_end(&message);
            let (head, tail) = place.split_at(rng.below(len + 1));
            check_pieces(options, &[head, tail], &expected);
        }
    }
}

/// Every message of a batch between its own fences.
#[test]
fn batches() {
    let mut rng = Rng::of_test();
    for count in [1, 2, 4, 7, 8, 15, 16, 17, 33] {
        for at_end in [false, true] {
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|i| {
                    let len = rng.below(1500);
                    if i % 9 == 4 { ATTACKS[i % 5].to_vec() } else { material(&mut rng, len) }
                })
                .collect();
            let expected: Vec<Expected> = messages.iter().map(|message| Expected::of(message)).collect();
            let mut heads: Vec<Fenced> = (0..count).map(|_| Fenced::new(1)).collect();
            let mut bodies: Vec<Fenced> = (0..count).map(|_| Fenced::new(1)).collect();
            let placed: Vec<Message<'_>> = messages
                .iter()
                .zip(heads.iter_mut().zip(&mut bodies))
                .map(|(message, (head_place, body_place))| {
                    let (head, body) = message.split_at(rng.below(message.len().min(64) + 1));
                    match at_end {
                        true => Message { head: head_place.at_end(head), body: body_place.at_end(body) },
                        false => Message { head: head_place.at_start(head), body: body_place.at_start(body) },
                    }
                })
                .collect();
            for backend in backends() {
                let options = Options { backend, ..Options::default() };
                let mut out = vec![Outcome::default(); count];
                hash_many(options, &placed, &mut out);
                for (out, expected) in out.iter().zip(&expected) {
                    assert_eq!(*out, expected.with(options), "{}", backend.name());
                }
            }
        }
    }
}

/// The fence is one: checked in a child process, which it must kill.
#[test]
fn the_fence_holds() {
    for before in [false, true] {
        let mut fenced = Fenced::new(1);
        let outside = if before { fenced.at_start(&[1]).as_ptr().wrapping_sub(1) } else { fenced.at_end(&[]).as_ptr() };
        // An emulator's own locks, held by other threads at the fork, can keep the
        // child from ever running.
        let status = (0..10).find_map(|_| read_in_child(outside)).expect("a child that runs");
        // Killed, or ended by a sanitizer.
        assert_ne!(status, 0, "the fence could be read");
    }
}

/// How a child process ends that reads a byte; `None` if it has not in ten
/// seconds.
fn read_in_child(from: *const u8) -> Option<i32> {
    // SAFETY: the child only reads a byte and exits; it takes no lock.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: not safe, and that is what is tested. `_exit` ends the child.
        unsafe {
            ptr::read_volatile(from);
            libc::_exit(0);
        }
    }
    let mut status = 0;
    for _ in 0..1000 {
        // SAFETY: looks whether the child of above has ended.
        match unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } {
            0 => std::thread::sleep(std::time::Duration::from_millis(10)),
            ended => {
                assert_eq!(ended, child);
                return Some(status);
            }
        }
    }
    // SAFETY: ends the child of above, and waits for that.
    unsafe {
        libc::kill(child, libc::SIGKILL);
        libc::waitpid(child, &mut status, 0);
    }
    None
}
