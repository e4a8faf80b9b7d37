//! The desk: memory in which JavaScript lays short messages down for this module.
//!
//! To look at the arguments of a call takes about 20 ns, to find out where the bytes of a view are 25 more, and a short
//! message is hashed in 60. JavaScript copies it to a place that both know in 10, and then calls without arguments. The
//! copy also is the one read of each byte that shared memory needs.
//!
//! An environment has one desk, however many copies of the front end use it: each call is over before the next begins.

use std::cell::{Cell, RefCell};
use std::ptr::null_mut;
use std::slice;

use napi::sys::{self, napi_callback_info as Info};

use crate::message;
use crate::raw::{Env, UNDEFINED, Value};

/// Two words, how many bytes the message has and the flags, and what else makes up a line of the cache.
const HEAD: usize = 64;
/// Longer messages gain more from not being copied.
const ROOM: usize = 4096;

struct Desk {
    env: Env,
    /// `HEAD + ROOM` bytes.
    memory: *mut u8,
    /// Keeps it.
    view: sys::napi_ref,
}

thread_local! {
    /// Of all environments of the thread: Electron can have several.
    static DESKS: RefCell<Vec<Desk>> = const { RefCell::new(Vec::new()) };
    /// The environment that called last, and its desk.
    static LAST: Cell<(Env, *mut u8)> = const { Cell::new((null_mut(), null_mut())) };
}

/// The desk of an environment; null when it has none.
#[inline]
fn memory_of(env: Env) -> *mut u8 {
    let (last, memory) = LAST.get();
    if last == env {
        return memory;
    }
    let memory =
        DESKS.with_borrow(|desks| desks.iter().find(|desk| desk.env == env).map_or(null_mut(), |desk| desk.memory));
    LAST.set((env, memory));
    memory
}

/// The flags on the desk, for a call that brings its message otherwise.
///
/// # Safety
///
/// `env` is that of a callback that runs.
#[inline]
pub(crate) unsafe fn flags(env: Env) -> u32 {
    let memory = memory_of(env);
    if memory.is_null() {
        return 0;
    }
    // SAFETY: a desk is as long as its head at least, and aligned for words, as memory of an ArrayBuffer is.
    unsafe { memory.cast::<u32>().add(1).read() }
}

/// `hashDesk()`: hashes the message on the desk.
pub(crate) unsafe extern "C" fn hash(env: Env, _: Info) -> Value {
    let memory = memory_of(env);
    if memory.is_null() {
        return UNDEFINED;
    }
    // SAFETY: the desk is kept by a reference for as long as its environment lives, is never detached, since nobody but
    // the package has it, and is written only by JavaScript on this thread, which waits for this call.
    unsafe {
        let length = memory.cast::<u32>().read() as usize;
        let message = slice::from_raw_parts(memory.add(HEAD), length.min(ROOM));
        message::hash_own(env, message, memory.cast::<u32>().add(1).read())
    }
}

/// `desk()`: the desk of the environment as a Uint8Array. It is made by the first call.
pub(crate) unsafe extern "C" fn desk(env: Env, _: Info) -> Value {
    let kept = DESKS.with_borrow(|desks| desks.iter().find(|desk| desk.env == env).map(|desk| desk.view));
    let mut view = null_mut();
    if let Some(kept) = kept {
        // SAFETY: the reference is of this environment.
        unsafe { sys::napi_get_reference_value(env, kept, &mut view) };
        return view;
    }
    let mut memory = null_mut();
    let mut buffer = null_mut();
    let mut reference = null_mut();
    // SAFETY: Node-API calls this with an environment that is valid; results go to locals.
    let made = unsafe {
        sys::napi_create_arraybuffer(env, HEAD + ROOM, &mut memory, &mut buffer) == sys::Status::napi_ok
            && sys::napi_create_typedarray(env, sys::TypedarrayType::uint8_array, HEAD + ROOM, buffer, 0, &mut view)
                == sys::Status::napi_ok
            && sys::napi_create_reference(env, view, 1, &mut reference) == sys::Status::napi_ok
    };
    if !made {
        return UNDEFINED;
    }
    DESKS.with_borrow_mut(|desks| desks.push(Desk { env, memory: memory.cast(), view: reference }));
    LAST.set((env, memory.cast()));
    view
}

/// Forgets the desk of an environment that goes.
pub(crate) fn clear(env: Env) {
    LAST.set((null_mut(), null_mut()));
    DESKS.with_borrow_mut(|desks| {
        desks.retain(|desk| {
            if desk.env == env {
                // SAFETY: the environment is still there, and the reference is its own.
                unsafe { sys::napi_delete_reference(env, desk.view) };
            }
            desk.env != env
        });
    });
}
