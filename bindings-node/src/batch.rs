//! Many messages in one call.

use std::cell::RefCell;

use napi::sys::napi_callback_info as Info;
use sha1dc_core::{Message, Outcome, hash_many as hash_all};

use crate::raw::{self, Bytes, Env, UNDEFINED, Value};
use crate::{hex, options, report};

thread_local! {
    /// Kept from one batch to the next: as many as the largest group had, which is a fixed number.
    static OUTCOMES: RefCell<Vec<Outcome>> = const { RefCell::new(Vec::new()) };
}

/// `hashMany(arena, layout, count, large, flags, out, asHex)`.
///
/// Each message has two numbers in `layout`. The first is a place in the arena. The second, if not negative, is the
/// length of the message, which lies there; otherwise it is the complement of the length of a head that lies there, and
/// the rest of the message is the next view in `large`. Small messages are cheaper to copy than to hand over one by one;
/// large ones are cheaper not to copy.
///
/// Digests go to `out`, as hex (40 bytes each) or as bytes (20 each). The answer is 0, or the reports of all attacked
/// messages.
pub(crate) unsafe extern "C" fn hash_many(env: Env, info: Info) -> Value {
    // SAFETY: Node-API calls this with an environment and arguments that are valid until it returns, and no JavaScript
    // runs before that: `large` is an array that the package made, without getters. `out` is another buffer of the
    // package's than `arena` and `layout`, and not in `large`.
    unsafe {
        let [arena, layout, count, large, flags, out, as_hex] = raw::arguments(env, info);
        let (Some(Bytes::Own(arena)), Some(layout)) = (raw::bytes(env, arena), raw::integers(env, layout)) else {
            return UNDEFINED;
        };
        let layout = layout.as_chunks::<2>().0;
        let Some(layout) = layout.get(..raw::number(env, count) as usize) else { return UNDEFINED };
        let Some(messages) = messages(env, arena, layout, large) else { return UNDEFINED };
        let options = options::of(raw::number(env, flags));
        let as_hex = raw::number(env, as_hex) == 1;
        let size = if as_hex { 40 } else { 20 };
        let Some(out) = raw::bytes_mut(env, out).and_then(|out| out.get_mut(..size * messages.len())) else {
            return UNDEFINED;
        };

        OUTCOMES.with_borrow_mut(|outcomes| {
            if outcomes.len() < messages.len() {
                outcomes.resize_with(messages.len(), Outcome::default);
            }
            let outcomes = &mut outcomes[..messages.len()];
            hash_all(options, &messages, outcomes);
            let mut reports = Vec::new();
            for (index, (outcome, out)) in outcomes.iter().zip(out.chunks_exact_mut(size)).enumerate() {
                let digest = outcome.digest_for(options.mode);
                if as_hex {
                    out.copy_from_slice(&hex::encode(digest.as_bytes()));
                } else {
                    out.copy_from_slice(digest.as_bytes());
                }
                if outcome.collision() {
                    report::write(&mut reports, index as u32, outcome);
                }
            }
            if reports.is_empty() { raw::integer(env, 0) } else { raw::array(env, &reports) }
        })
    }
}

/// The messages that `layout` describes; `None` when it does not fit the arena or the views.
///
/// # Safety
///
/// As for `raw::bytes`.
unsafe fn messages<'a>(env: Env, arena: &'a [u8], layout: &[[i32; 2]], large: Value) -> Option<Vec<Message<'a>>> {
    let mut next = 0;
    layout
        .iter()
        .map(|&[start, length]| {
            let rest = arena.get(start as usize..)?;
            if length >= 0 {
                return Some(Message { head: &[], body: rest.get(..length as usize)? });
            }
            let head = rest.get(..!length as usize)?;
            // SAFETY: as the caller says.
            let body = match unsafe { raw::bytes(env, raw::element(env, large, next)) }? {
                Bytes::Own(body) => body,
                // Shared memory goes through a hasher, which copies it.
                Bytes::Shared(_) => return None,
            };
            next += 1;
            Some(Message { head, body })
        })
        .collect()
}
