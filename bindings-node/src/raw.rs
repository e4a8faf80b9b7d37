//! The few raw Node-API calls that a hot function makes.
//!
//! napi-rs's own types are kind but dear: a `Buffer` argument takes about 100 ns, the calls below about 25, and a short
//! message is hashed in 70. What is not hot goes through napi-rs.

use std::mem::MaybeUninit;
use std::ptr::{NonNull, null_mut, slice_from_raw_parts_mut};

use napi::sys;

pub(crate) type Env = sys::napi_env;
pub(crate) type Value = sys::napi_value;
pub(crate) type Callback = unsafe extern "C" fn(Env, sys::napi_callback_info) -> Value;

/// A callback that returns this returns `undefined`. The JavaScript side takes it for "not a case for this function".
pub(crate) const UNDEFINED: Value = null_mut();

/// The first `N` arguments of the call; `undefined` for those that were not given.
///
/// # Safety
///
/// `env` and `info` are those of the callback that runs.
#[inline]
pub(crate) unsafe fn arguments<const N: usize>(env: Env, info: sys::napi_callback_info) -> [Value; N] {
    let mut values = [null_mut(); N];
    let mut count = N;
    // SAFETY: `values` has room for `count` values; the caller vouches for the rest.
    unsafe { sys::napi_get_cb_info(env, info, &mut count, values.as_mut_ptr(), null_mut(), null_mut()) };
    values
}

/// Memory of JavaScript, during one call.
pub(crate) enum Bytes<'a> {
    /// No other thread can write it.
    Own(&'a [u8]),
    /// Of a SharedArrayBuffer: another thread may write it at any time, so there must be no reference to it.
    Shared(*const [u8]),
}

/// Where the bytes of a Uint8Array (or Int8Array or Uint8ClampedArray) are, and whether they are shared; `None` for all
/// else. A detached one has no bytes.
///
/// # Safety
///
/// `env` and `value` are those of a callback that runs.
#[inline]
unsafe fn view(env: Env, value: Value) -> Option<(*mut [u8], bool)> {
    let mut kind = 0;
    let mut length = 0;
    let mut data = null_mut();
    let mut buffer = null_mut();
    let mut plain = true;
    // SAFETY: the results are written to locals; Node-API checks the type of `value`.
    unsafe {
        if sys::napi_get_typedarray_info(env, value, &mut kind, &mut length, &mut data, &mut buffer, null_mut())
            != sys::Status::napi_ok
            || !matches!(
                kind,
                sys::TypedarrayType::uint8_array
                    | sys::TypedarrayType::int8_array
                    | sys::TypedarrayType::uint8_clamped_array
            )
        {
            return None;
        }
        if length == 0 || data.is_null() {
            return Some((slice_from_raw_parts_mut(NonNull::dangling().as_ptr(), 0), false));
        }
        sys::napi_is_arraybuffer(env, buffer, &mut plain);
    }
    Some((slice_from_raw_parts_mut(data.cast(), length), !plain))
}

/// The bytes of a Uint8Array (or Int8Array or Uint8ClampedArray), `None` for all else.
///
/// # Safety
///
/// `env` and `value` are those of a callback that runs, and the result is not used once JavaScript has run again: only
/// JavaScript can free, move or resize the memory.
#[inline]
pub(crate) unsafe fn bytes<'a>(env: Env, value: Value) -> Option<Bytes<'a>> {
    // SAFETY: as the caller says. Memory of a live ArrayBuffer is valid for its length, and is written only by
    // JavaScript on this thread, which waits for this call.
    unsafe {
        let (memory, shared) = view(env, value)?;
        Some(if shared { Bytes::Shared(memory) } else { Bytes::Own(&*memory) })
    }
}

/// As [`bytes`], for memory that can be written: a Uint8Array of the package's own.
///
/// # Safety
///
/// As for [`bytes`]; and no other reference to this memory is used meanwhile.
#[inline]
pub(crate) unsafe fn bytes_mut<'a>(env: Env, value: Value) -> Option<&'a mut [u8]> {
    // SAFETY: as the caller says. The memory is JavaScript's, not Rust's, so it may be written.
    unsafe {
        match view(env, value)? {
            (memory, false) => Some(&mut *memory),
            (_, true) => None,
        }
    }
}

/// The integers of an Int32Array of the package's own.
///
/// # Safety
///
/// As for [`bytes`].
pub(crate) unsafe fn integers<'a>(env: Env, value: Value) -> Option<&'a [i32]> {
    let mut kind = 0;
    let mut length = 0;
    let mut data = null_mut();
    // SAFETY: the results are written to locals, or not wanted.
    let status =
        unsafe { sys::napi_get_typedarray_info(env, value, &mut kind, &mut length, &mut data, null_mut(), null_mut()) };
    if status != sys::Status::napi_ok || kind != sys::TypedarrayType::int32_array || data.is_null() {
        return None;
    }
    // SAFETY: valid for its length and aligned, as JavaScript promises of an Int32Array; written only by JavaScript on
    // this thread.
    Some(unsafe { std::slice::from_raw_parts(data.cast(), length) })
}

/// An unsigned integer; 0 for what is not a number.
///
/// # Safety
///
/// `env` and `value` are those of a callback that runs.
#[inline]
pub(crate) unsafe fn number(env: Env, value: Value) -> u32 {
    let mut number = 0;
    // SAFETY: the result is written to a local; Node-API checks the type of `value`.
    unsafe { sys::napi_get_value_uint32(env, value, &mut number) };
    number
}

/// The text of a string as UTF-8, lone surrogates as U+FFFD, written to the start of `space`. `None` for what is not a
/// string. A string of n code units has at most 3 n bytes, and Node-API adds a zero: text that does not fit is cut.
///
/// # Safety
///
/// `env` and `value` are those of a callback that runs.
#[inline]
pub(crate) unsafe fn text(env: Env, value: Value, space: &mut [MaybeUninit<u8>]) -> Option<&[u8]> {
    let mut length = 0;
    let start = space.as_mut_ptr().cast();
    // SAFETY: Node-API writes no more than `space` has room for.
    if unsafe { sys::napi_get_value_string_utf8(env, value, start, space.len(), &mut length) } != sys::Status::napi_ok {
        return None;
    }
    // SAFETY: the first `length` bytes have just been written.
    Some(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) })
}

/// A string of ASCII bytes.
///
/// # Safety
///
/// `env` is that of a callback that runs.
#[inline]
pub(crate) unsafe fn ascii(env: Env, text: &[u8]) -> Value {
    let mut value = null_mut();
    // SAFETY: the text is valid for its length.
    unsafe { sys::napi_create_string_latin1(env, text.as_ptr().cast(), text.len() as isize, &mut value) };
    value
}

/// An integer.
///
/// # Safety
///
/// `env` is that of a callback that runs.
#[inline]
pub(crate) unsafe fn integer(env: Env, number: i32) -> Value {
    let mut value = null_mut();
    // SAFETY: the result is written to a local.
    unsafe { sys::napi_create_int32(env, number, &mut value) };
    value
}

/// A number.
///
/// # Safety
///
/// `env` is that of a callback that runs.
pub(crate) unsafe fn double(env: Env, number: f64) -> Value {
    let mut value = null_mut();
    // SAFETY: the result is written to a local.
    unsafe { sys::napi_create_double(env, number, &mut value) };
    value
}

/// A Uint8Array with memory of its own, which JavaScript allocates: never an external one, which Electron forbids.
///
/// # Safety
///
/// `env` is that of a callback that runs.
pub(crate) unsafe fn array(env: Env, bytes: &[u8]) -> Value {
    let mut data = null_mut();
    let mut buffer = null_mut();
    let mut value = null_mut();
    // SAFETY: the new buffer has `bytes.len()` bytes, and nothing else refers to it yet.
    unsafe {
        if sys::napi_create_arraybuffer(env, bytes.len(), &mut data, &mut buffer) != sys::Status::napi_ok {
            return UNDEFINED;
        }
        if !bytes.is_empty() {
            data.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        sys::napi_create_typedarray(env, sys::TypedarrayType::uint8_array, bytes.len(), buffer, 0, &mut value);
    }
    value
}

/// Element `index` of an array that has no getters.
///
/// # Safety
///
/// `env` and `array` are those of a callback that runs.
pub(crate) unsafe fn element(env: Env, array: Value, index: u32) -> Value {
    let mut value = null_mut();
    // SAFETY: the result is written to a local; Node-API checks the type of `array`.
    unsafe { sys::napi_get_element(env, array, index, &mut value) };
    value
}
