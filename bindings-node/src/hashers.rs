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
}

thread_local! {
    static SLAB: RefCell<Slab> = const { RefCell::new(Slab { hashers: Vec::new(), free: Vec::new() }) };
}

pub(crate) fn insert(hasher: Sha1) -> u32 {
    let hasher = Some(Arc::new(Mutex::new(hasher)));
    SLAB.with_borrow_mut(|slab| match slab.free.pop() {
        Some(slot) => {
            slab.hashers[slot as usize] = hasher;
            slot
        }
        None => {
            slab.hashers.push(hasher);
            (slab.hashers.len() - 1) as u32
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
    let hasher = SLAB.with_borrow_mut(|slab| {
        let hasher = slab.hashers.get_mut(slot as usize)?.take()?;
        slab.free.push(slot);
        Some(hasher)
    })?;
    Some(match Arc::try_unwrap(hasher) {
        Ok(hasher) => hasher.into_inner().unwrap_or_else(PoisonError::into_inner),
        // A job of the pool still holds it: that job's end then drops it.
        Err(shared) => shared.lock().unwrap_or_else(PoisonError::into_inner).clone(),
    })
}

/// Forgets all hashers of this thread, when its environment goes.
pub(crate) fn clear() {
    SLAB.with_borrow_mut(|slab| *slab = Slab::default());
}
