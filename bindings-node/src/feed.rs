//! Hashing off the main thread, on libuv's pool.

use std::sync::PoisonError;

use napi::bindgen_prelude::{AsyncTask, Error, Result, Task, Uint8Array};
use napi_derive::napi;

use crate::hashers::{self, Shared};

/// Feeds one piece of a message.
pub(crate) struct Feed {
    hasher: Shared,
    /// A buffer of the package's own, which it neither shows to anyone nor touches before the job has ended: so the
    /// bytes cannot change or go while this thread reads them.
    buffer: Uint8Array,
    length: usize,
}

impl Task for Feed {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        let mut hasher = self.hasher.lock().unwrap_or_else(PoisonError::into_inner);
        hasher.update(&self.buffer[..self.length]);
        Ok(())
    }

    fn resolve(&mut self, _: napi::Env, (): ()) -> Result<()> {
        Ok(())
    }
}

/// Feeds the first `length` bytes of `buffer` to a hasher, on another thread; the promise tells when that is done.
#[napi(js_name = "updateAsync")]
pub(crate) fn update_async(slot: u32, buffer: Uint8Array, length: u32) -> Result<AsyncTask<Feed>> {
    let hasher = hashers::get(slot).ok_or_else(|| Error::from_reason("no such hasher"))?;
    let length = length as usize;
    if length > buffer.len() {
        return Err(Error::from_reason("more bytes than the buffer has"));
    }
    Ok(AsyncTask::new(Feed { hasher, buffer, length }))
}
