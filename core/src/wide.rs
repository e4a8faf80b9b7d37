//! Many messages: a message in each lane, with the rounds in lanes too.
//!
//! Lanes are kept full: when a message ends, the next takes its lane. In
//! between, all lanes run as many blocks as the shortest of their pieces has.
//! When fewer messages are left than make the lanes worth while, they are
//! finished one by one.

use core::mem::MaybeUninit;

use crate::arch::soft::Soft;
use crate::backend::Backend;
use crate::detect::queue::{Candidate, Job, Queue, Recompressor};
use crate::detect::recompress::{AS_IS, carry};
use crate::detect::sieve;
use crate::detect::vectors::DisturbanceVector;
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::schedule::{BLOCK_SIZE, INITIAL_H, K, words};

/// One message of a batch, in two parts so that a header need not be copied
/// in front of its content.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// What comes first: at most 64 bytes, such as git's `blob 11\0`.
    pub head: &'a [u8],
    /// The rest.
    pub body: &'a [u8],
}

/// Where a lane is in its message.
struct Lane<'a> {
    /// Number of the message, or `None`: the lane is idle.
    message: Option<usize>,
    parts: Message<'a>,
    /// Whole blocks of the body that come after the current piece.
    whole: &'a [[u8; BLOCK_SIZE]],
    /// The padded tail comes after that.
    tail: bool,
    /// Blocks put together: head and padding. Apart from the lane, which is
    /// borrowed again and again while `at` points into them.
    buffer: *mut Buffer,
    /// The current piece: blocks in the body or in the buffer.
    at: *const [u8; BLOCK_SIZE],
    left: usize,
}

/// Blocks of a buffer. Messages of up to 247 bytes, a fifth of git's objects,
/// are one piece.
const BUFFER: usize = 4;
type Buffer = [[u8; BLOCK_SIZE]; BUFFER];

impl<'a> Lane<'a> {
    const IDLE: Self = Self {
        message: None,
        parts: Message { head: &[], body: &[] },
        whole: &[],
        tail: false,
        buffer: core::ptr::null_mut(),
        at: core::ptr::null(),
        left: 0,
    };

    /// The bytes of the buffer.
    fn buffer(&mut self) -> &mut [u8; BUFFER * BLOCK_SIZE] {
        // SAFETY: [`hash`] has given each lane a buffer of its own, and nothing
        // else refers to it while this borrows the lane.
        unsafe { &mut *self.buffer.cast() }
    }

    /// Begins a message.
    #[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
    fn begin(&mut self, message: usize, parts: Message<'a>) {
        let Message { head, body } = parts;
        assert!(head.len() <= BLOCK_SIZE, "a head is at most 64 bytes");
        self.message = Some(message);
        self.parts = parts;
        let len = head.len() + body.len();
        if len + 9 <= BUFFER * BLOCK_SIZE {
            let count = (len + 9).div_ceil(BLOCK_SIZE);
            let buffer = self.buffer();
            buffer[..head.len()].copy_from_slice(head);
            buffer[head.len()..len].copy_from_slice(body);
            self.whole = &[];
            self.tail = false;
            self.pad(len, len, count);
            return;
        }
        // Longer than a buffer, so the first block is full.
        let first = if head.is_empty() { 0 } else { BLOCK_SIZE - head.len() };
        self.whole = body[first..].as_chunks().0;
        self.tail = true;
        if head.is_empty() {
            self.next();
        } else {
            let buffer = self.buffer();
            buffer[..head.len()].copy_from_slice(head);
            buffer[head.len()..BLOCK_SIZE].copy_from_slice(&body[..first]);
            (self.at, self.left) = (self.buffer.cast_const().cast(), 1);
        }
    }

    /// Takes the next piece of the message; false when it has ended.
    #[cfg_attr(target_arch = "wasm32", inline(never))] // likewise
    fn next(&mut self) -> bool {
        if !self.whole.is_empty() {
            (self.at, self.left) = (self.whole.as_ptr(), self.whole.len());
            self.whole = &[];
        } else if self.tail {
            self.tail = false;
            let Message { head, body } = self.parts;
            let len = head.len() + body.len();
            let rest = len % BLOCK_SIZE;
            let buffer = self.buffer();
            buffer[..rest].copy_from_slice(&body[body.len() - rest..]);
            self.pad(rest, len, (rest + 9).div_ceil(BLOCK_SIZE));
        } else {
            return false;
        }
        true
    }

    /// Pads the `used` bytes in the buffer to `count` blocks.
    fn pad(&mut self, used: usize, len: usize, count: usize) {
        let buffer = &mut self.buffer()[..count * BLOCK_SIZE];
        let (rest, length) = buffer[used..].split_last_chunk_mut::<8>().expect("room for the length");
        rest.fill(0);
        rest[0] = 0x80;
        *length = ((len as u64) << 3).to_be_bytes();
        (self.at, self.left) = (self.buffer.cast_const().cast(), count);
    }
}

/// The chain whose quads stand in a [`Queue`] as those of the lanes do: in order.
pub(crate) type InOrder = Soft;

/// Where the results of a batch go.
pub(crate) struct Results<'a> {
    /// A message's chaining value at its end.
    pub done: &'a mut dyn FnMut(usize, [u32; 5]),
    /// A hit in a message; may come after its end.
    pub hit: &'a mut dyn FnMut(usize, Hit),
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
    at: [*const u8; N],
}

/// Where the lanes are: in each its block, and how far on the next one is.
pub(crate) struct At<const N: usize> {
    pub at: [*const u8; N],
    stride: [usize; N],
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
        let mut l = 0;
        while l < N {
            self.at[l] = self.at[l].wrapping_add(self.stride[l]);
            l += 1;
        }
    }
}

/// Lanes times steps between two looks for candidates. Looked for after each
/// step, the branch, which no predictor can know, would come at the end of all
/// the work that it depends on, and every other time throw away what of the
/// next step has begun.
const BATCH: usize = 64;

/// Hashes the messages of `order`, in that order: longest first is best.
/// Returns when fewer than `worth` are left, having finished them with
/// `backend`.
///
/// `compress` runs some steps, one block in each lane for each of them:
/// [`steps`], or in wasm `crate::group`.
///
/// # Safety
///
/// The CPU has the instruction set of `V` and of `piece`. Blocks
/// to read and memory for steps are all that `compress` needs.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe fn hash<'a, V: Lanes, const N: usize>(
    backend: Backend,
    messages: &[Message<'a>],
    order: &[usize],
    detection: Detection,
    worth: usize,
    results: Results<'_>,
    mut compress: impl FnMut(
        &mut At<N>,
        &mut [[u32; N]; 5],
        &mut [MaybeUninit<Step<N>>],
        bool,
        &mut Recompressor<V, N>,
    ) -> u64,
    piece: unsafe fn(&mut Job<V, N>, &Queue<N>, usize),
) {
    const { assert!(V::COUNT == N) };
    let Results { done, hit } = results;
    // SAFETY: the caller's promise.
    let mut recompressor = unsafe { Recompressor::<V, N>::new(piece) };
    let mut order = order.iter();
    let mut lanes = [const { Lane::IDLE }; N];
    let mut buffers = [[[0; BLOCK_SIZE]; BUFFER]; N];
    let first = (&raw mut buffers).cast::<Buffer>();
    for (l, lane) in lanes.iter_mut().enumerate() {
        lane.buffer = first.wrapping_add(l);
    }
    let mut h = [[0; N]; 5];
    let mut steps = [const { MaybeUninit::<Step<N>>::uninit() }; BATCH / 4];
    let idle = [0; BLOCK_SIZE];
    let mut block_hits = |found: Hit| {
        let message = found.index;
        hit(message, found);
    };
    loop {
        // Fill the lanes.
        let mut active = 0;
        let mut run = usize::MAX;
        for (l, lane) in lanes.iter_mut().enumerate() {
            if lane.left == 0 {
                if let Some(message) = lane.message
                    && !lane.next()
                {
                    done(message, h.map(|word| word[l]));
                    lane.message = None;
                }
                if lane.message.is_none()
                    && let Some(message) = order.next()
                {
                    lane.begin(*message, messages[*message]);
                    for (word, initial) in h.iter_mut().zip(INITIAL_H) {
                        word[l] = initial;
                    }
                }
            }
            if lane.message.is_some() {
                active += 1;
                run = run.min(lane.left);
            } else {
                lane.at = &raw const idle;
            }
        }
        if active < worth {
            break;
        }

        let mut at = At { at: [core::ptr::null(); N], stride: [0; N] };
        for (l, lane) in lanes.iter().enumerate() {
            at.at[l] = lane.at.cast();
            at.stride[l] = if lane.message.is_some() { BLOCK_SIZE } else { 0 };
        }
        let detect = detection != Detection::Off;
        let mut todo = run;
        while todo > 0 {
            let count = todo.min(BATCH / N);
            todo -= count;
            // Bit s * N + l: lane l of step s may be attacked. An active lane
            // has at least `run` blocks left, an idle one reads the same block
            // again.
            let mut candidates = compress(&mut at, &mut h, &mut steps[..count], detect, &mut recompressor);
            while candidates != 0 {
                let bit = candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                // SAFETY: the step has been run.
                let step = unsafe { steps[bit / N].assume_init_ref() };
                if let Some(message) = lanes[bit % N].message {
                    step.queue(bit % N, message, &mut recompressor, detection, &mut block_hits);
                }
            }
        }
        for (l, lane) in lanes.iter_mut().enumerate() {
            lane.at = at.at[l].cast();
        }
        for lane in lanes.iter_mut().filter(|lane| lane.message.is_some()) {
            lane.left -= run;
        }
    }
    recompressor.flush::<InOrder>(detection, &mut block_hits);

    // Too few are left: one by one, from where they are.
    for (l, lane) in lanes.iter_mut().enumerate() {
        let Some(message) = lane.message else { continue };
        let mut h = h.map(|word| word[l]);
        loop {
            // SAFETY: `left` blocks are left of the piece.
            let blocks = unsafe { core::slice::from_raw_parts(lane.at, lane.left) };
            backend.scan(&mut h, blocks, detection, &mut |found| hit(message, found));
            if !lane.next() {
                break;
            }
        }
        done(message, h);
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
                let [a, b, c, d, e] = carry([abcd[0], abcd[1], abcd[2], abcd[3], e], &words(block), vector);
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

/// Runs steps. Bit s * N + l of the result: the block in lane l of step s may be
/// attacked; then its mask is in the step.
///
/// # Safety
///
/// The CPU has the instruction set of `V`; the blocks are there.
#[inline(always)]
pub(crate) unsafe fn steps<V: Lanes, const N: usize>(
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
            let mask = if detect {
                compress::<V, N, true>(&at.at, h, step)
            } else {
                compress::<V, N, false>(&at.at, h, step)
            };
            if detect {
                mask.store((&raw mut (*step).masks).cast());
                candidates |= u64::from(!mask.zeros() & (u32::MAX >> (32 - N))) << (s * N);
                recompressor.between();
            }
            at.leave(step);
        }
    }
    candidates
}

/// Compresses one block in each lane, and returns the masks of the vectors
/// that it may be for.
///
/// # Safety
///
/// The CPU has the instruction set of `V`; each pointer is readable for a
/// block.
#[inline(always)]
unsafe fn compress<V: Lanes, const N: usize, const DETECT: bool>(
    at: &[*const u8; N],
    h: &mut [[u32; N]; 5],
    step: *mut Step<N>,
) -> V {
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
        let mut mask = V::splat(!0);
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
                if DETECT {
                    mask = sieve::step::<V, $t>(&w, mask);
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
                let sum = a.rotl::<5, 27>().add(b.$f(c, d)).add(e.add(w[$t % 16].add(k)));
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
            if DETECT {
                before[i].store((&raw mut (*step).before[i]).cast());
                after[i].store((&raw mut (*step).after[i]).cast());
            }
            after[i].store(h[i].as_mut_ptr());
            i += 1;
        }
        mask
    }
}
