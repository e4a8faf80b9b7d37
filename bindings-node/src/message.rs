//! One message: in one call, or through a hasher.
//!
//! All that end a message answer in the same way: the digest in hex, when no attack was found; otherwise the report, from
//! which JavaScript takes either digest and all it wants to know.

use std::cell::RefCell;
use std::mem::MaybeUninit;

use napi::sys::napi_callback_info as Info;
use sha1dc_core::{Outcome, Sha1, StateError};

use crate::raw::{self, Bytes, Env, UNDEFINED, Value};
use crate::{desk, hashers, hex, options, report, shared};

/// Room for the bytes of short text, of up to 1365 code units, and the zero that Node-API adds.
const SHORT_TEXT: usize = 4096;
/// The same for text of up to 65536 code units. It is kept for the thread once it has been needed: pieces must be that long,
/// for the core hashes many blocks at a time.
const LONG_TEXT: usize = 3 * 64 * 1024 + 1;

thread_local! {
    static LONG: RefCell<Box<[MaybeUninit<u8>]>> = RefCell::new(Box::new_uninit_slice(LONG_TEXT));
}

/// The digest as hex, or the report.
///
/// # Safety
///
/// `env` is that of a callback that runs.
#[inline]
unsafe fn tell(env: Env, outcome: &Outcome) -> Value {
    // SAFETY: as the caller says.
    unsafe {
        if outcome.collision() {
            return raw::array(env, &report::of(outcome));
        }
        raw::ascii(env, &hex::encode(outcome.digest.as_bytes()))
    }
}

/// Hashes bytes that nobody writes meanwhile.
///
/// # Safety
///
/// `env` is that of a callback that runs.
#[inline]
pub(crate) unsafe fn hash_own(env: Env, bytes: &[u8], flags: u32) -> Value {
    // SAFETY: as the caller says.
    unsafe { tell(env, &outcome_of(Bytes::Own(bytes), flags)) }
}

fn outcome_of(bytes: Bytes<'_>, flags: u32) -> Outcome {
    let options = options::of(flags);
    match bytes {
        Bytes::Own(bytes) => sha1dc_core::hash(bytes, options),
        Bytes::Shared(_) => {
            let mut hasher = Sha1::new(options);
            feed(&mut hasher, bytes);
            hasher.finish()
        }
    }
}

#[inline]
fn feed(hasher: &mut Sha1, bytes: Bytes<'_>) {
    match bytes {
        Bytes::Own(bytes) => hasher.update(bytes),
        // SAFETY: JavaScript keeps the memory of a view alive, and SharedArrayBuffers never shrink.
        Bytes::Shared(bytes) => unsafe { shared::update(hasher, bytes) },
    }
}

/// Bytes `start..end` of a view of the package's own.
///
/// # Safety
///
/// As for `raw::bytes`.
unsafe fn range<'a>(env: Env, view: Value, start: Value, end: Value) -> Option<&'a [u8]> {
    // SAFETY: as the caller says.
    unsafe {
        match raw::bytes(env, view)? {
            Bytes::Own(bytes) => bytes.get(raw::number(env, start) as usize..raw::number(env, end) as usize),
            Bytes::Shared(_) => None,
        }
    }
}

/// `hash(view, flags)`: hashes all of a Uint8Array.
pub(crate) unsafe extern "C" fn hash(env: Env, info: Info) -> Value {
    // SAFETY: Node-API calls this, and all functions below, with an environment and arguments that are valid until it
    // returns, and no JavaScript runs before that.
    unsafe {
        let [view, flags] = raw::arguments(env, info);
        let Some(bytes) = raw::bytes(env, view) else { return UNDEFINED };
        tell(env, &outcome_of(bytes, raw::number(env, flags)))
    }
}

/// `hashText(text)`: hashes a string of at most 1365 code units. The flags are on the desk.
pub(crate) unsafe extern "C" fn hash_text(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe { hash_text_in(env, info, &mut [MaybeUninit::uninit(); SHORT_TEXT]) }
}

/// `hashLongText(text)`: hashes a string of at most 65536 code units. The flags are on the desk.
pub(crate) unsafe extern "C" fn hash_long_text(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    LONG.with_borrow_mut(|space| unsafe { hash_text_in(env, info, space) })
}

/// # Safety
///
/// `env` and `info` are those of the callback that runs.
#[inline]
unsafe fn hash_text_in(env: Env, info: Info, space: &mut [MaybeUninit<u8>]) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [text] = raw::arguments(env, info);
        let Some(bytes) = raw::text(env, text, space) else { return UNDEFINED };
        hash_own(env, bytes, desk::flags(env))
    }
}

/// `hashRange(view, start, end, flags)`: hashes a part of a view of the package's own.
pub(crate) unsafe extern "C" fn hash_range(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [view, start, end, flags] = raw::arguments(env, info);
        let Some(bytes) = range(env, view, start, end) else { return UNDEFINED };
        tell(env, &outcome_of(Bytes::Own(bytes), raw::number(env, flags)))
    }
}

/// `create(flags)`: makes a hasher.
pub(crate) unsafe extern "C" fn create(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [flags] = raw::arguments(env, info);
        raw::integer(env, hashers::insert(Sha1::new(options::of(raw::number(env, flags)))) as i32)
    }
}

/// `createWith(flags, view)`: makes a hasher and feeds it all of a Uint8Array.
pub(crate) unsafe extern "C" fn create_with(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [flags, view] = raw::arguments(env, info);
        let Some(bytes) = raw::bytes(env, view) else { return UNDEFINED };
        let mut hasher = Sha1::new(options::of(raw::number(env, flags)));
        feed(&mut hasher, bytes);
        raw::integer(env, hashers::insert(hasher) as i32)
    }
}

/// `update(slot, view)`: 0, or undefined when it is not a Uint8Array.
pub(crate) unsafe extern "C" fn update(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot, view] = raw::arguments(env, info);
        let Some(bytes) = raw::bytes(env, view) else { return UNDEFINED };
        fed(env, hashers::with(raw::number(env, slot), |hasher| feed(hasher, bytes)))
    }
}

/// `updateRange(slot, view, start, end)`: the same with a part of a view of the package's own.
pub(crate) unsafe extern "C" fn update_range(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot, view, start, end] = raw::arguments(env, info);
        let Some(bytes) = range(env, view, start, end) else { return UNDEFINED };
        fed(env, hashers::with(raw::number(env, slot), |hasher| hasher.update(bytes)))
    }
}

/// `updateText(slot, text)`: the same with a string of at most 1365 code units.
pub(crate) unsafe extern "C" fn update_text(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe { update_text_in(env, info, &mut [MaybeUninit::uninit(); SHORT_TEXT]) }
}

/// `updateLongText(slot, text)`: the same with a string of at most 65536 code units.
pub(crate) unsafe extern "C" fn update_long_text(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    LONG.with_borrow_mut(|space| unsafe { update_text_in(env, info, space) })
}

/// # Safety
///
/// `env` and `info` are those of the callback that runs.
#[inline]
unsafe fn update_text_in(env: Env, info: Info, space: &mut [MaybeUninit<u8>]) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot, text] = raw::arguments(env, info);
        let Some(bytes) = raw::text(env, text, space) else { return UNDEFINED };
        fed(env, hashers::with(raw::number(env, slot), |hasher| hasher.update(bytes)))
    }
}

/// 0 when the hasher was there.
///
/// # Safety
///
/// `env` is that of a callback that runs.
unsafe fn fed(env: Env, done: Option<()>) -> Value {
    match done {
        // SAFETY: as the caller says.
        Some(()) => unsafe { raw::integer(env, 0) },
        None => UNDEFINED,
    }
}

/// `finish(slot)`: ends a hasher's message and frees the hasher.
pub(crate) unsafe extern "C" fn finish(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot] = raw::arguments(env, info);
        match hashers::remove(raw::number(env, slot)) {
            Some(hasher) => tell(env, &hasher.finish()),
            None => UNDEFINED,
        }
    }
}

/// `free(slot)`: frees a hasher.
pub(crate) unsafe extern "C" fn free(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot] = raw::arguments(env, info);
        hashers::remove(raw::number(env, slot));
    }
    UNDEFINED
}

/// `copy(slot)`: makes a second hasher in the state of the first.
pub(crate) unsafe extern "C" fn copy(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot] = raw::arguments(env, info);
        match hashers::with(raw::number(env, slot), |hasher| hasher.clone()) {
            Some(hasher) => raw::integer(env, hashers::insert(hasher) as i32),
            None => UNDEFINED,
        }
    }
}

/// `reportSoFar(slot)`: what a hasher has found so far, without digests; 0 when that is nothing.
pub(crate) unsafe extern "C" fn report_so_far(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot] = raw::arguments(env, info);
        let found = hashers::with(raw::number(env, slot), |hasher| {
            hasher.collision_detected().then(|| report::so_far(hasher.collisions()))
        });
        match found {
            Some(Some(report)) => raw::array(env, &report),
            Some(None) => raw::integer(env, 0),
            None => UNDEFINED,
        }
    }
}

/// `save(slot)`: the state of a hasher as bytes.
pub(crate) unsafe extern "C" fn save(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot] = raw::arguments(env, info);
        match hashers::with(raw::number(env, slot), |hasher| hasher.save()) {
            Some(state) => raw::array(env, &state),
            None => UNDEFINED,
        }
    }
}

/// `restore(state, flags)`: makes a hasher on the backend of `flags` from saved bytes of the package's own. Refused: -2
/// for another version of the format, -3 for changed bytes, -1 for what is no saved state at all.
pub(crate) unsafe extern "C" fn restore(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [state, flags] = raw::arguments(env, info);
        let Some(Bytes::Own(state)) = raw::bytes(env, state) else { return UNDEFINED };
        let answer = match Sha1::restore_on(state, options::backend(raw::number(env, flags))) {
            Ok(hasher) => hashers::insert(hasher) as i32,
            Err(StateError::Version(_)) => -2,
            Err(StateError::Corrupt) => -3,
            Err(_) => -1,
        };
        raw::integer(env, answer)
    }
}

/// `optionsOf(slot)`: the flags that a hasher was made with, without its backend.
pub(crate) unsafe extern "C" fn options_of(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot] = raw::arguments(env, info);
        match hashers::with(raw::number(env, slot), |hasher| crate::flags::flags(hasher.options())) {
            Some(flags) => raw::integer(env, flags as i32),
            None => UNDEFINED,
        }
    }
}

/// `bytesHashed(slot)`: how many bytes a hasher has been fed.
pub(crate) unsafe extern "C" fn bytes_hashed(env: Env, info: Info) -> Value {
    // SAFETY: see `hash`.
    unsafe {
        let [slot] = raw::arguments(env, info);
        match hashers::with(raw::number(env, slot), |hasher| hasher.bytes_hashed()) {
            Some(length) => raw::double(env, length as f64),
            None => UNDEFINED,
        }
    }
}
