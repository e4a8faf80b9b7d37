//! WebAssembly. What a module may use is settled when it is compiled: an
//! engine that lacks an instruction refuses the whole module. So there is
//! nothing to detect, and JavaScript chooses between two modules.

pub(crate) mod simd128;

use crate::ahead;
use crate::backend::Backend;
use crate::detect::queue::{Job, Queue};
use crate::engine::{Detection, Hit};
use crate::group::Group;
use crate::schedule::BLOCK_SIZE;
use crate::steps::Plain;
use crate::wide::{self, InOrder, Message, Queued, Results};
use simd128::U32x4;

/// One message, eight groups at a time: with four it takes 1 % more, with two
/// 2 % more (Node 20 and 24).
pub(crate) fn scan(h: &mut [u32; 5], blocks: &[[u8; BLOCK_SIZE]], detection: Detection, hits: &mut dyn FnMut(Hit)) {
    // SAFETY: the module has the instructions.
    unsafe { ahead::scan::<Plain, U32x4, 4, 8>(h, blocks, detection, hits, piece) }
}

/// Many messages in lanes.
pub(crate) fn hash(
    backend: Backend,
    messages: &[Message<'_>],
    order: &[usize],
    detection: Detection,
    worth: usize,
    results: Results<'_>,
) {
    // SAFETY: the module has the instructions.
    unsafe {
        let way = Queued::<U32x4, _, 4>::new(Group::new(), piece);
        wide::hash(backend, messages, order, detection, worth, results, way);
    }
}

fn piece(job: &mut Job<U32x4, 4>, queue: &Queue<4>, _: usize) {
    job.whole::<InOrder>(queue);
}
