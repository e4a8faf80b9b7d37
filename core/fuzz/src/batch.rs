//! A batch of messages with heads: as the references say of each.

use crate::{expected, message, options};
use arbitrary::{Result, Unstructured};
use sha1dc_core::{Message, Outcome, hash_many};

/// One input. What is too short is nothing.
pub fn run(data: &[u8]) {
    let _ = read(&mut Unstructured::new(data));
}

fn read(u: &mut Unstructured<'_>) -> Result<()> {
    let options = options(u)?;
    let mut batch = Vec::new();
    for _ in 0..u.int_in_range(0..=40)? {
        // Some messages several times: lanes in step.
        let message = if !batch.is_empty() && u.ratio(1, 3)? { u.choose(&batch).cloned()? } else { message(u)? };
        batch.push(message);
    }
    let mut messages = Vec::new();
    for message in &batch {
        let (head, body) = message.split_at(u.int_in_range(0..=message.len().min(64))?);
        messages.push(Message { head, body });
    }
    let mut out = vec![Outcome::default(); batch.len()];
    hash_many(options, &messages, &mut out);
    for (message, out) in batch.iter().zip(&out) {
        assert_eq!(*out, expected(message, options));
    }
    Ok(())
}
