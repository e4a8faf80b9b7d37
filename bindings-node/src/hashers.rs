//! Live hashers. JavaScript names them by index into a slab, which costs it less than an object with a finalizer; a
//! `FinalizationRegistry` there frees those that are forgotten.
//!
//! The slab belongs to a thread, as a JavaScript environment does. A hasher is shared with the thread of the pool that
//! feeds it; nothing else uses it meanwhile, so nobody ever waits for the lock.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use sha1dc_core::Sha1;

pub(crate) type Shared = Arc<Mutex<Sha1>>;

#[derive(Default)]
struct Slab {
    hashers: Vec<Option<Shared>>,
    free: Vec<u32>,
    /// Of hashers that are no more, memory for the next ones: most are made, used and gone one after the other.
    spare: Vec<Shared>,
}

/// As many as can be of use; what ten thousand hashers had is given back.
const SPARE: usize = 16;

thread_local! {
    static SLAB: RefCell<Slab> =
        const { RefCell::new(Slab { hashers: Vec::new(), free: Vec::new(), spare: Vec::new() }) };
}

impl Slab {
    fn shared(&mut self, hasher: Sha1) -> Shared {
        match self.spare.pop() {
            Some(mut spare) => match Arc::get_mut(&mut spare) {
                Some(mutex) => {
                    *mutex.get_mut().unwrap_or_else(PoisonError::into_inner) = hasher;
                    spare
                }
                None => Arc::new(Mutex::new(hasher)),
            },
            None => Arc::new(Mutex::new(hasher)),
        }
    }
}

pub(crate) fn insert(hasher: Sha1) -> u32 {
    SLAB.with_borrow_mut(|slab| {
        let hasher = Some(slab.shared(hasher));
        match slab.free.pop() {
            Some(slot) => {
                slab.hashers[slot as usize] = hasher;
                slot
            }
            None => {
                slab.hashers.push(hasher);
                (slab.hashers.len() - 1) as u32
            }
        }
    })
}

pub(crate) fn get(slot: u32) -> Option<Shared> {
    SLAB.with_borrow(|slab| slab.hashers.get(slot as usize)?.clone())
}

/// Calls `f` with the hasher, if there is one.
pub(crate) fn with<R>(slot: u32, f: impl FnOnce(&mut Sha1) -> R) -> Option<R> {
    SLAB.with_borrow(|slab| {
        let hasher = slab.hashers.get(slot as usize)?.as_ref()?;
        Some(f(&mut hasher.lock().unwrap_or_else(PoisonError::into_inner)))
    })
}

pub(crate) fn remove(slot: u32) -> Option<Sha1> {
    SLAB.with_borrow_mut(|slab| {
        let mut shared = slab.hashers.get_mut(slot as usize)?.take()?;
        slab.free.push(slot);
        Some(match Arc::get_mut(&mut shared) {
            Some(mutex) => {
                let place = mutex.get_mut().unwrap_or_else(PoisonError::into_inner);
                let hasher = std::mem::replace(place, Sha1::new(place.options()));
                if slab.spare.len() < SPARE {
                    slab.spare.push(shared);
                }
                hasher
            }
            // A job of the pool still holds it: that job's end then drops it.
            None => shared.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        })
    })
}

/// Forgets all hashers of this thread, when its environment goes.
pub(crate) fn clear() {
    SLAB.with_borrow_mut(|slab| *slab = Slab::default());
}
