//! The native module inside the npm package `sha1dc`: conversion and threads only.
//!
//! A function that gets what it cannot handle, such as a DataView, returns `undefined`: the JavaScript side then turns
//! the data into what it can, or throws. Nothing here throws into a hot path, and nothing hands out external memory.

extern crate alloc;

mod batch;
mod desk;
mod feed;
#[path = "../../bindings-wasm/src/flags.rs"]
mod flags;
mod hashers;
#[path = "../../bindings-wasm/src/hex.rs"]
mod hex;
mod message;
mod options;
mod raw;
#[path = "../../bindings-wasm/src/report.rs"]
mod report;
mod shared;

use std::ffi::CString;
use std::ptr::null_mut;

use napi::bindgen_prelude::{Env, Object, Result};
use napi::{JsValue, check_status, sys};
use napi_derive::napi;

/// The backends of this machine, fastest first. A backend's place in this list goes into the flags.
#[napi]
pub fn backends() -> Vec<&'static str> {
    options::BACKENDS.iter().map(|backend| backend.name()).collect()
}

/// The version of the package that this module belongs to.
#[napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Adds the functions that bypass napi-rs.
#[napi(module_exports)]
pub fn exports(exports: Object, env: Env) -> Result<()> {
    let functions: [(&str, raw::Callback); 21] = [
        ("desk", desk::desk),
        ("hashDesk", desk::hash),
        ("hash", message::hash),
        ("hashText", message::hash_text),
        ("hashLongText", message::hash_long_text),
        ("hashRange", message::hash_range),
        ("hashMany", batch::hash_many),
        ("create", message::create),
        ("createWith", message::create_with),
        ("update", message::update),
        ("updateRange", message::update_range),
        ("updateText", message::update_text),
        ("updateLongText", message::update_long_text),
        ("finish", message::finish),
        ("free", message::free),
        ("copy", message::copy),
        ("reportSoFar", message::report_so_far),
        ("save", message::save),
        ("restore", message::restore),
        ("optionsOf", message::options_of),
        ("bytesHashed", message::bytes_hashed),
    ];
    for (name, callback) in functions {
        let name = CString::new(name).expect("names without a zero");
        let mut function = null_mut();
        // SAFETY: the environment is the one that loads this module; names end with a zero; results go to locals.
        unsafe {
            check_status!(sys::napi_create_function(
                env.raw(),
                name.as_ptr(),
                name.as_bytes().len() as isize,
                Some(callback),
                null_mut(),
                &mut function,
            ))?;
            check_status!(sys::napi_set_named_property(env.raw(), exports.raw(), name.as_ptr(), function))?;
        }
    }
    let raw = env.raw();
    env.add_env_cleanup_hook((), move |()| {
        hashers::clear();
        desk::clear(raw);
    })?;
    Ok(())
}
