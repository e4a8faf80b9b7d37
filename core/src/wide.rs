//! Many messages: a message in each lane, with the rounds in lanes too.
//!
//! Lanes are kept full: when a message ends, the next takes its lane. In
//! between, all lanes run as many blocks as the shortest of their pieces has.
//! When fewer messages are left than make the lanes worth while, they are
//! finished one by one.
//!
//! How the lanes are run is a [`Way`]: what passes the sieve waits in a queue
//! ([`Queued`]), or packed where that costs little ([`crate::packed`]); or there
//! is no sieve, and conditions are tested on bit planes ([`crate::planar`]).

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::arch::soft::Soft;
use crate::backend::Backend;
use crate::detect::queue::{Candidate, Job, Queue, Recompressor};
use crate::detect::recompress::{AS_IS, Other, carry};
use crate::detect::sieve;
use crate::detect::vectors::DisturbanceVector;
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::schedule::{BLOCK_SIZE, INITIAL_H, K};

/// One message of a batch, in two parts so that a header need not be copied
/// in front of its content.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// What comes first: at most 64 bytes, such as git's `blob 11\0`.
    pub head: &'a [u8],
    /// The rest.
    pub body: &'a [u8],
}

/// Blocks of a buffer. Messages of up to 247 bytes, a fifth of git's objects,
/// are one piece.
const BUFFER: usize = 4;

/// A buffer, and before it as much as a copy of a whole block may need: for a
/// few bytes a call to copy them takes longer than the block takes to hash.
#[repr(C, align(64))]
struct Buffer {
    before: [u8; BLOCK_SIZE],
    bytes: [u8; BUFFER * BLOCK_SIZE],
}

/// What a lane has still to do of its message. It does so in pieces: blocks
/// that lie in the message, or in a buffer where head or padding are put to them.
#[derive(Clone, Copy)]
struct Rest<'a> {
    parts: Message<'a>,
    /// Whole blocks of the body that come after the current piece.
    whole: &'a [[u8; BLOCK_SIZE]],
    /// The padded tail comes after that.
    tail: bool,
    /// The buffer that the current piece is in, if the way does not copy;
    /// otherwise the lane's own.
    buffer: Option<u8>,
}

/// Where a piece begins, and its blocks.
type Piece = (*const [u8; BLOCK_SIZE], usize);

impl<'a> Rest<'a> {
    const NONE: Self = Self { parts: Message { head: &[], body: &[] }, whole: &[], tail: false, buffer: None };

    /// Begins a message.
    #[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
    fn begin<W: Way<N>, const N: usize>(&mut self, parts: Message<'a>, buffers: &mut Buffers<W, N>) -> Piece {
        let Message { head, body } = parts;
        assert!(head.len() <= BLOCK_SIZE, "a head is at most 64 bytes");
        self.parts = parts;
        let len = head.len() + body.len();
        if len + 9 <= BUFFER * BLOCK_SIZE {
            let count = (len + 9).div_ceil(BLOCK_SIZE);
            let buffer = &mut buffers.take(&mut self.buffer).bytes;
            // From the longest that the last block or two can be without content.
            buffer[(count * BLOCK_SIZE).saturating_sub(BLOCK_SIZE + 9)..][..BLOCK_SIZE + 9].fill(0);
            buffer[..head.len()].copy_from_slice(head);
            buffer[head.len()..len].copy_from_slice(body);
            self.whole = &[];
            self.tail = false;
            return pad(buffer, len, len, count);
        }
        // Longer than a buffer, so the first block is full.
        let first = if head.is_empty() { 0 } else { BLOCK_SIZE - head.len() };
        self.whole = body[first..].as_chunks().0;
        self.tail = true;
        if head.is_empty() {
            return self.next(buffers).expect("more than a buffer");
        }
        let buffer = &mut buffers.take(&mut self.buffer).bytes;
        buffer[..head.len()].copy_from_slice(head);
        buffer[head.len()..BLOCK_SIZE].copy_from_slice(&body[..first]);
        (buffer.as_ptr().cast(), 1)
    }

    /// The next piece of the message, unless it has ended.
    #[cfg_attr(target_arch = "wasm32", inline(never))] // likewise
    fn next<W: Way<N>, const N: usize>(&mut self, buffers: &mut Buffers<W, N>) -> Option<Piece> {
        buffers.give(&mut self.buffer);
        if !self.whole.is_empty() {
            let piece = (self.whole.as_ptr(), self.whole.len());
            self.whole = &[];
            Some(piece)
        } else if self.tail {
            self.tail = false;
            let Message { head, body } = self.parts;
            let len = head.len() + body.len();
            let rest = len % BLOCK_SIZE;
            let buffer = buffers.take(&mut self.buffer);
            buffer.bytes[..2 * BLOCK_SIZE].fill(0);
            buffer.end_at(rest, body.last_chunk().expect("a body longer than a block"));
            Some(pad(&mut buffer.bytes, rest, len, (rest + 9).div_ceil(BLOCK_SIZE)))
        } else {
            None
        }
    }
}

/// Pads the `used` bytes in a buffer to `count` blocks. Zeros are there.
fn pad(buffer: &mut [u8; BUFFER * BLOCK_SIZE], used: usize, len: usize, count: usize) -> Piece {
    buffer[used] = 0x80;
    let end = count * BLOCK_SIZE;
    buffer[end - 8..end].copy_from_slice(&((len as u64) << 3).to_be_bytes());
    (buffer.as_ptr().cast(), count)
}

impl Buffer {
    const EMPTY: Self = Self { before: [0; BLOCK_SIZE], bytes: [0; BUFFER * BLOCK_SIZE] };

    /// Writes `last` so that it ends at byte `end` of the buffer.
    fn end_at(&mut self, end: usize, last: &[u8; BLOCK_SIZE]) {
        assert!(end < BLOCK_SIZE);
        // SAFETY: from byte `end` of the two fields on there are 64 more.
        unsafe { (&raw mut *self).cast::<u8>().add(end).cast::<[u8; BLOCK_SIZE]>().write(*last) };
    }
}

/// Buffers of the lanes. More than there are lanes: what waits to be
/// recompressed may lie in one that its lane has done with.
struct Buffers<W, const N: usize> {
    /// Through a pointer only, since blocks are pointed to.
    memory: *mut Buffer,
    /// Which are free: a stack from the front; which wait: one from the back.
    list: [[u8; BUFFERS]; N],
    free: usize,
    waiting: usize,
    way: PhantomData<W>,
}

/// Buffers for each lane.
const BUFFERS: usize = 4;

impl<W: Way<N>, const N: usize> Buffers<W, N> {
    /// `memory` has `BUFFERS * N` buffers.
    fn new(memory: *mut Buffer) -> Self {
        const { assert!(BUFFERS * N <= 256) };
        let mut list = [[0; BUFFERS]; N];
        for (i, place) in list.as_flattened_mut().iter_mut().enumerate() {
            *place = i as u8;
        }
        Self { memory, list, free: BUFFERS * N, waiting: 0, way: PhantomData }
    }

    /// Takes a buffer: the lane's own, or a free one. There is one: the lanes
    /// have at most one each, and [`hash`] looks that there are enough when they
    /// go on.
    #[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
    fn take(&mut self, buffer: &mut Option<u8>) -> &mut Buffer {
        let i = if W::COPIES {
            buffer.expect("a lane has its own")
        } else {
            self.free -= 1;
            self.list.as_flattened()[self.free]
        };
        *buffer = Some(i);
        // SAFETY: within the memory, and no block in it is in use.
        unsafe { &mut *self.memory.add(usize::from(i)) }
    }

    fn give(&mut self, buffer: &mut Option<u8>) {
        if W::COPIES {
            return;
        }
        let Some(i) = buffer.take() else { return };
        self.waiting += 1;
        self.list.as_flattened_mut()[BUFFERS * N - self.waiting] = i;
    }

    /// Nothing waits any longer.
    fn settled(&mut self) {
        if W::COPIES {
            return;
        }
        let list = self.list.as_flattened_mut();
        list.copy_within(BUFFERS * N - self.waiting.., self.free);
        self.free += core::mem::take(&mut self.waiting);
    }
}

/// The chain whose quads stand in a [`Queue`] as those of the lanes do: in order.
pub(crate) type InOrder = Soft;

/// Where the results of a batch go.
pub(crate) struct Results<'a> {
    /// A message's chaining value at its end.
    pub done: &'a mut dyn FnMut(usize, [u32; 5]),
    /// A suspect; may come before its message's end or after it.
    pub suspect: &'a mut dyn FnMut(Suspect),
}

/// A message that may hold an attack, and is to be looked at by itself: the
/// lanes may leave conditions out, and compare but part of the chaining values.
pub(crate) struct Suspect {
    pub message: usize,
    pub vector: DisturbanceVector,
    /// The other message's chaining values at the block.
    pub other: Other,
}

/// Of a block that is named by its message's number.
impl From<Hit> for Suspect {
    fn from(hit: Hit) -> Self {
        Self { message: hit.index, vector: hit.vector, other: hit.other }
    }
}

/// What a step over all lanes leaves for detection.
#[repr(C, align(64))]
pub(crate) struct Step<const N: usize> {
    /// Each lane's mask of the vectors that its block may be for.
    pub masks: [u32; N],
    /// Chaining value before and after the block.
    pub before: [[u32; N]; 5],
    pub after: [[u32; N]; 5],
    /// The working state before step 60, and a before step 56.
    pub state_60: [[u32; N]; 4],
    pub a_56: [u32; N],
    pub at: [*const u8; N],
}

/// Where the lanes are: in each its block, and how far on the next one is.
pub(crate) struct At<const N: usize> {
    pub at: [*const u8; N],
    /// 0 for a lane that is idle: it reads the same block again.
    stride: [usize; N],
    /// Number of the message.
    pub message: [u32; N],
    /// Bit l: lane l has a message.
    pub active: u32,
}

impl<const N: usize> At<N> {
    /// Notes the blocks of a step and goes on to the next.
    ///
    /// # Safety
    ///
    /// `step` is memory for a step.
    #[inline(always)]
    pub(crate) unsafe fn leave(&mut self, step: *mut Step<N>) {
        // SAFETY: the caller's promise.
        unsafe { (&raw mut (*step).at).write(self.at) };
        self.go_on();
    }

    #[inline(always)]
    pub(crate) fn go_on(&mut self) {
        let mut l = 0;
        while l < N {
            self.at[l] = self.at[l].wrapping_add(self.stride[l]);
            l += 1;
        }
    }
}

/// How the blocks in the lanes are compressed and checked.
pub(crate) trait Way<const N: usize> {
    /// Whether it copies blocks that it puts off.
    const COPIES: bool;

    /// Runs `count` steps, one block in each lane for each of them.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set, the active lanes have `count` blocks,
    /// and those of the idle ones are there.
    unsafe fn run(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        count: usize,
        detection: Detection,
        suspect: &mut dyn FnMut(Suspect),
    );

    /// Has told of all suspects when it returns.
    fn settle(&mut self, detection: Detection, suspect: &mut dyn FnMut(Suspect));
}

/// Hashes the messages of `order`, in that order: longest first is best.
/// Returns when fewer than `worth` are left, having finished them with
/// `backend`.
///
/// # Safety
///
/// The CPU has the instruction set of `way`.
#[inline(always)]
pub(crate) unsafe fn hash<'a, W: Way<N>, const N: usize>(
    backend: Backend,
    messages: &[Message<'a>],
    order: &[usize],
    detection: Detection,
    worth: usize,
    results: Results<'_>,
    mut way: W,
) {
    let Results { done, suspect } = results;
    let mut order = order.iter();
    let mut rest = [Rest::NONE; N];
    if W::COPIES {
        for (l, rest) in rest.iter_mut().enumerate() {
            rest.buffer = Some(l as u8);
        }
    }
    let mut memory = [const { [const { Buffer::EMPTY }; BUFFERS] }; N];
    let mut buffers = Buffers::<W, N>::new((&raw mut memory).cast());
    let mut h = [[0; N]; 5];
    let idle = [0; BLOCK_SIZE];
    let mut at = At { at: [(&raw const idle).cast(); N], stride: [0; N], message: [0; N], active: 0 };
    // Blocks of the piece that are left; of an idle lane, more than of any other.
    let mut left = [0; N];
    loop {
        if !W::COPIES && buffers.free < N {
            way.settle(detection, suspect);
            buffers.settled();
        }
        // Most lanes have more to do; a few need a new piece.
        let mut ended = 0_u32;
        for (l, left) in left.iter().enumerate() {
            ended |= u32::from(*left == 0) << l;
        }
        while ended != 0 {
            let l = ended.trailing_zeros() as usize;
            ended &= ended - 1;
            let piece = if at.active >> l & 1 == 1 {
                rest[l].next(&mut buffers).or_else(|| {
                    done(at.message[l] as usize, h.map(|word| word[l]));
                    None
                })
            } else {
                None
            };
            let piece = piece.or_else(|| {
                order.next().map(|message| {
                    at.message[l] = *message as u32;
                    for (word, initial) in h.iter_mut().zip(INITIAL_H) {
                        word[l] = initial;
                    }
                    rest[l].begin(messages[*message], &mut buffers)
                })
            });
            if let Some((first, blocks)) = piece {
                (at.at[l], at.stride[l], left[l]) = (first.cast(), BLOCK_SIZE, blocks);
                at.active |= 1 << l;
            } else {
                (at.at[l], at.stride[l], left[l]) = ((&raw const idle).cast(), 0, usize::MAX);
                at.active &= !(1 << l);
            }
        }
        if (at.active.count_ones() as usize) < worth {
            break;
        }
        let run = left.iter().fold(usize::MAX, |least, left| least.min(*left));
        // SAFETY: the caller's promise; no piece is shorter than that.
        unsafe { way.run(&mut at, &mut h, run, detection, suspect) };
        for left in &mut left {
            *left -= run;
        }
    }
    way.settle(detection, suspect);
    buffers.settled();

    // Too few are left: one by one, from where they are.
    for (l, rest) in rest.iter_mut().enumerate() {
        if at.active >> l & 1 == 0 {
            continue;
        }
        let message = at.message[l] as usize;
        let mut h = h.map(|word| word[l]);
        let mut piece = (at.at[l].cast(), left[l]);
        loop {
            // SAFETY: that many blocks are left of the piece.
            let blocks = unsafe { core::slice::from_raw_parts(piece.0, piece.1) };
            backend.scan(&mut h, blocks, detection, &mut |hit| {
                suspect(Suspect { message, vector: hit.vector, other: hit.other });
            });
            match rest.next(&mut buffers) {
                Some(next) => piece = next,
                None => break,
            }
        }
        done(message, h);
    }
}

/// Runs steps for [`Queued`].
pub(crate) trait Steps<V, const N: usize> {
    /// Runs steps. Bit s * N + l of the result: the block in lane l of step s
    /// may be attacked; then its mask is in the step.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`; the blocks are there.
    unsafe fn steps(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        steps: &mut [MaybeUninit<Step<N>>],
        detect: bool,
        recompressor: &mut Recompressor<V, N>,
    ) -> u64;
}

/// [`compress`], step by step, without detection.
///
/// # Safety
///
/// As [`Way::run`].
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // others have a `Way` that does it
#[inline(always)]
pub(crate) unsafe fn plain<V: Lanes, const N: usize>(at: &mut At<N>, h: &mut [[u32; N]; 5], count: usize) {
    for _ in 0..count {
        // SAFETY: the caller's promise; nothing is written to a step.
        unsafe { compress::<V, N, 0>(&at.at, h, core::ptr::null_mut(), &mut ()) };
        at.go_on();
    }
}

/// Candidates wait in a [`Queue`], which has a copy of their blocks, and are
/// looked for after some steps.
pub(crate) struct Queued<V, S, const N: usize> {
    memory: [MaybeUninit<Step<N>>; BATCH / 4],
    recompressor: Recompressor<V, N>,
    steps: S,
}

/// Lanes times steps between two looks for candidates. Looked for after each
/// step, the branch, which no predictor can know, would come at the end of all
/// the work that it depends on, and every other time throw away what of the
/// next step has begun.
const BATCH: usize = 64;

impl<V: Lanes, S: Steps<V, N>, const N: usize> Queued<V, S, N> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V` and `piece`.
    #[inline(always)]
    pub(crate) unsafe fn new(steps: S, piece: unsafe fn(&mut Job<V, N>, &Queue<N>, usize)) -> Self {
        const { assert!(V::COUNT == N && N >= 4) };
        // SAFETY: the caller's promise.
        let recompressor = unsafe { Recompressor::new(piece) };
        Self { memory: [const { MaybeUninit::uninit() }; BATCH / 4], recompressor, steps }
    }
}

impl<V: Lanes, S: Steps<V, N>, const N: usize> Way<N> for Queued<V, S, N> {
    const COPIES: bool = true;

    #[inline(always)]
    unsafe fn run(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        mut count: usize,
        detection: Detection,
        suspect: &mut dyn FnMut(Suspect),
    ) {
        let detect = detection != Detection::Off;
        let mut hits = |hit| suspect(Suspect::from(hit));
        while count > 0 {
            let some = count.min(BATCH / N);
            count -= some;
            let steps = &mut self.memory[..some];
            // SAFETY: the caller's promise.
            let mut candidates = unsafe { self.steps.steps(at, h, steps, detect, &mut self.recompressor) };
            while candidates != 0 {
                let bit = candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                let lane = bit % N;
                if at.active >> lane & 1 == 1 {
                    // SAFETY: the step has been run.
                    let step = unsafe { self.memory[bit / N].assume_init_ref() };
                    step.queue(lane, at.message[lane] as usize, &mut self.recompressor, detection, &mut hits);
                }
            }
        }
    }

    #[inline(always)]
    fn settle(&mut self, detection: Detection, suspect: &mut dyn FnMut(Suspect)) {
        self.recompressor.flush::<InOrder>(detection, &mut |hit| suspect(hit.into()));
    }
}

impl<const N: usize> Step<N> {
    /// Queues lane `l` for each vector of its mask.
    #[inline(always)]
    fn queue<V: Lanes>(
        &self,
        l: usize,
        message: usize,
        recompressor: &mut Recompressor<V, N>,
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
    ) {
        // SAFETY: the block that was compressed; the messages and buffers have
        // not changed since.
        let block = unsafe { &*self.at[l].cast() };
        let mut mask = self.masks[l];
        while mask != 0 {
            let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
            mask &= mask - 1;
            let s = &self.state_60;
            let (mut abcd, mut a_56) = ([s[0][l], s[1][l], s[2][l], s[3][l]], self.a_56[l]);
            if AS_IS >> vector.index() & 1 == 0 {
                let e = a_56.rotate_left(30);
                let [a, b, c, d, e] = carry([abcd[0], abcd[1], abcd[2], abcd[3], e], block, vector);
                (abcd, a_56) = ([a, b, c, d], e.rotate_right(30));
            }
            let (b, a) = (&self.before, &self.after);
            recompressor.push::<InOrder>(
                &Candidate {
                    block,
                    vector,
                    state_56: [a_56, 0, 0, 0],
                    state_60: abcd,
                    before: [b[0][l], b[1][l], b[2][l], b[3][l]],
                    after: [a[0][l], a[1][l], a[2][l], a[3][l]],
                    e: [b[4][l], a[4][l]],
                    index: message,
                },
                detection,
                hits,
            );
        }
    }
}

/// [`compress`], step by step.
pub(crate) struct Sieved;

impl<V: Lanes, const N: usize> Steps<V, N> for Sieved {
    #[inline(always)]
    unsafe fn steps(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        steps: &mut [MaybeUninit<Step<N>>],
        detect: bool,
        recompressor: &mut Recompressor<V, N>,
    ) -> u64 {
        let mut candidates = 0;
        for (s, step) in steps.iter_mut().enumerate() {
            let step = step.as_mut_ptr();
            // SAFETY: the caller's promise; the step's own memory.
            unsafe {
                if detect {
                    let mut sieve = Sieve(V::splat(!0));
                    compress::<V, N, 5>(&at.at, h, step, &mut sieve);
                    let mask = sieve.0;
                    mask.store((&raw mut (*step).masks).cast());
                    candidates |= u64::from(!mask.zeros() & (u32::MAX >> (32 - N))) << (s * N);
                    recompressor.between();
                } else {
                    compress::<V, N, 0>(&at.at, h, step, &mut ());
                }
                at.leave(step);
            }
        }
        candidates
    }
}

/// What looks at the words between the rounds.
pub(crate) trait Watch<V> {
    /// `w` is a ring of the last sixteen words, that of step `T` the last.
    fn step<const T: usize>(&mut self, w: &[V; 16]);
}

/// Without detection.
impl<V> Watch<V> for () {
    #[inline(always)]
    fn step<const T: usize>(&mut self, _: &[V; 16]) {}
}

/// In each lane the vectors that its block may be for.
pub(crate) struct Sieve<V>(pub V);

impl<V: Lanes> Watch<V> for Sieve<V> {
    #[inline(always)]
    fn step<const T: usize>(&mut self, w: &[V; 16]) {
        self.0 = sieve::step::<V, T>(w, self.0);
    }
}

/// Compresses one block in each lane, and shows its words to `watch`. `KEEP`:
/// how many words of the chaining values are noted; 0 is without detection.
///
/// # Safety
///
/// The CPU has the instruction set of `V`; each pointer is readable for a
/// block.
#[inline(always)]
pub(crate) unsafe fn compress<V: Lanes, const N: usize, const KEEP: usize>(
    at: &[*const u8; N],
    h: &mut [[u32; N]; 5],
    step: *mut Step<N>,
    watch: &mut impl Watch<V>,
) {
    // SAFETY: the caller's promise; all states are N words.
    unsafe {
        let mut w = [V::splat(0); 16];
        // Row k of a quad holds the lanes l for which l % 4 = k: see
        // `Lanes::transpose`.
        macro_rules! row {
            ($q:literal, $k:literal) => {
                V::load_quads([
                    at[$k].add(16 * $q),
                    at[($k + 4) % N].add(16 * $q),
                    at[($k + 8) % N].add(16 * $q),
                    at[($k + 12) % N].add(16 * $q),
                ])
            };
        }
        macro_rules! quads {
            ($($q:literal)*) => { $(
                let [a, b, c, d] = V::transpose([row!($q, 0), row!($q, 1), row!($q, 2), row!($q, 3)]);
                w[4 * $q] = a.from_be();
                w[4 * $q + 1] = b.from_be();
                w[4 * $q + 2] = c.from_be();
                w[4 * $q + 3] = d.from_be();
                w[4 * $q].pin();
                w[4 * $q + 1].pin();
                w[4 * $q + 2].pin();
                w[4 * $q + 3].pin();
            )* };
        }
        quads!(0);
        let before = [
            V::load(h[0].as_ptr()),
            V::load(h[1].as_ptr()),
            V::load(h[2].as_ptr()),
            V::load(h[3].as_ptr()),
            V::load(h[4].as_ptr()),
        ];
        let [mut a, mut b, mut c, mut d, mut e] = before;
        macro_rules! steps {
            ($f:ident, $k:literal: $($t:literal)*) => { let k = V::splat(K[$k]); $(
                match $t {
                    0 => { quads!(1); }
                    4 => { quads!(2); }
                    8 => { quads!(3); }
                    _ => {}
                }
                if $t >= 16 {
                    let x = w[($t + 13) % 16].xor3(w[($t + 8) % 16], w[($t + 2) % 16]);
                    w[$t % 16] = x.xor(w[$t % 16]).rotl::<1, 31>();
                    w[$t % 16].pin();
                }
                watch.step::<$t>(&w);
                if KEEP > 0 {
                    if $t == 56 {
                        a.store((&raw mut (*step).a_56).cast());
                    }
                    if $t == 60 {
                        a.store((&raw mut (*step).state_60[0]).cast());
                        b.store((&raw mut (*step).state_60[1]).cast());
                        c.store((&raw mut (*step).state_60[2]).cast());
                        d.store((&raw mut (*step).state_60[3]).cast());
                    }
                }
                let sum = e.add(w[$t % 16].add(k));
                sum.pin();
                let sum = sum.add(b.$f(c, d));
                sum.pin();
                let sum = sum.add(a.rotl::<5, 27>());
                (a, b, c, d, e) = (sum, a, b.rotl::<30, 2>(), c, d);
                a.pin();
            )* };
        }
        steps!(choose, 0: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        steps!(xor3, 1: 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
        steps!(majority, 2: 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59);
        steps!(xor3, 3: 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79);
        let after = [before[0].add(a), before[1].add(b), before[2].add(c), before[3].add(d), before[4].add(e)];
        let mut i = 0;
        while i < 5 {
            if i < KEEP {
                before[i].store((&raw mut (*step).before[i]).cast());
                after[i].store((&raw mut (*step).after[i]).cast());
            }
            after[i].store(h[i].as_mut_ptr());
            i += 1;
        }
    }
}
