//! The conditions on bit planes: a plane holds one bit of one word, of the
//! blocks in all lanes of several steps.
//!
//! Between rounds in lanes a condition costs five instructions where there are
//! no mask registers: compare, bring the bit to all bits, choose vectors, drop
//! them. A bit of all lanes by itself comes out of `movemask` with two, for
//! four words at once where they share a vector; and then a condition is one
//! exclusive or for 64 blocks.

use core::mem::MaybeUninit;

use crate::detect::conditions::CONDITIONS;
use crate::detect::vectors::COUNT;
use crate::lanes::Lanes;

/// The first word that is taken. Words go four by four; these quads have the
/// fewest planes.
pub(crate) const FIRST: usize = 33;
const QUADS: usize = 8;

/// Steps that share a plane.
pub(crate) const STEPS: usize = 8;

/// For each quad of words the bits that conditions ask for.
const NEEDED: [u32; QUADS] = {
    let mut needed = [0; QUADS];
    let mut c = 0;
    while c < CONDITIONS.len() {
        let condition = &CONDITIONS[c];
        needed[(condition.i as usize - FIRST) / 4] |= 1 << condition.a;
        needed[(condition.j as usize - FIRST) / 4] |= 1 << condition.b;
        c += 1;
    }
    needed
};

/// Planes before those of each quad.
const BEFORE: [usize; QUADS + 1] = {
    let mut before = [0; QUADS + 1];
    let mut q = 0;
    while q < QUADS {
        before[q + 1] = before[q] + NEEDED[q].count_ones() as usize;
        q += 1;
    }
    before
};
const PLANES: usize = BEFORE[QUADS];

/// The plane of a bit of a word of quad `q`.
const fn plane(q: usize, bit: u32) -> usize {
    assert!(NEEDED[q] >> bit & 1 == 1 && (bit < 8 || bit >= 24));
    BEFORE[q] + (NEEDED[q] & ((1 << bit) - 1)).count_ones() as usize
}

/// Lanes whose bits can be taken out.
pub(crate) trait Planar: Lanes {
    /// Which byte of a lane [`quad_bytes`](Self::quad_bytes) makes of each
    /// word's byte 0, and of its byte 3.
    const LOW_BYTES: [usize; 4];
    const HIGH_BYTES: [usize; 4];

    /// Byte 0 of each of the four words, and byte 3.
    fn quad_bytes(words: [Self; 4]) -> [Self; 2];

    /// The highest bit of each byte: bit 4l + i is that of byte i of lane l.
    fn byte_signs(self) -> u32;
}

/// The planes of up to [`STEPS`] steps: of each step as many bits as four times
/// its lanes. Each four are those of a lane, for the four words of the quad.
#[repr(C, align(64))]
pub(crate) struct Planes<V>([MaybeUninit<V>; PLANES]);

impl<V: Planar> Planes<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; PLANES])
    }

    /// Takes quad `Q` of step `step`.
    #[inline(always)]
    pub(crate) fn take<const Q: usize>(&mut self, words: [V; 4], step: usize) {
        // Four bits for each lane fill a word.
        const { assert!(V::COUNT == 8 && V::COUNT == STEPS) };
        debug_assert!(step < STEPS);
        let [low, high] = V::quad_bytes(words);
        macro_rules! bits {
            ($($from:ident $bit:literal $shift:literal;)*) => { $(
                if const { NEEDED[Q] >> $bit & 1 == 1 } {
                    let signs = $from.shl::<$shift>().byte_signs();
                    let to = self.0[const { if NEEDED[Q] >> $bit & 1 == 1 { plane(Q, $bit) } else { 0 } }].as_mut_ptr();
                    // SAFETY: within the vector: there are as many steps as lanes.
                    unsafe { to.cast::<u32>().add(step).write(signs) };
                }
            )* };
        }
        bits!(low 0 7; low 1 6; low 2 5; low 3 4; low 4 3; low 5 2; low 6 1; low 7 0;
            high 24 7; high 25 6; high 26 5; high 27 4; high 28 3; high 29 2; high 30 1; high 31 0;);
    }

    /// Fills the steps from `count` on, which have not been taken.
    pub(crate) fn fill_from(&mut self, count: usize) {
        for plane in &mut self.0 {
            for step in count..STEPS {
                // SAFETY: within the vector, a word for each step.
                unsafe { plane.as_mut_ptr().cast::<u32>().add(step).write(0) };
            }
        }
    }

    /// Which blocks satisfy all conditions of which vectors.
    ///
    /// # Safety
    ///
    /// All quads of all steps have been taken, or filled.
    #[inline(always)]
    pub(crate) unsafe fn found(&self) -> Found<V> {
        let mut broken = [const { MaybeUninit::<V>::uninit() }; CONDITIONS.len()];
        // SAFETY: the caller's promise; there are values, so the CPU has the
        // instruction set.
        let first = unsafe {
            macro_rules! compare { ($($c:literal)*) => { $(broken[$c].write(self.compare::<$c>());)* } }
            compare!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35
                36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69
                70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102
                103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127
                128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152
                153 154 155);
            V::splat(0x1111_1111)
        };
        macro_rules! four {
            ($($d:literal)*) => { [$({
                // SAFETY: all conditions have been compared.
                let [a, b, c, d] = unsafe {
                    [
                        alive::<V, { 4 * $d }>(&broken, first),
                        alive::<V, { 4 * $d + 1 }>(&broken, first),
                        alive::<V, { 4 * $d + 2 }>(&broken, first),
                        alive::<V, { 4 * $d + 3 }>(&broken, first),
                    ]
                };
                a.or(b.shl::<1>()).or(c.shl::<2>().or(d.shl::<3>()))
            }),*] };
        }
        let masks = four!(0 1 2 3 4 5 6 7);
        let [a, b, c, d, e, f, g, h] = masks;
        let any = a.or(b).or(c.or(d)).or(e.or(f).or(g.or(h)));
        let any = any.or(any.shr::<1>());
        Found { masks, any: any.or(any.shr::<2>()).and(first) }
    }

    /// The blocks that break condition `C`, or, if its bits are to differ, that
    /// satisfy it. In the first of each four bits.
    ///
    /// # Safety
    ///
    /// The planes have been written.
    #[inline(always)]
    unsafe fn compare<const C: usize>(&self) -> V {
        const fn from(step: u8, bit: u8) -> (usize, usize) {
            let (q, word) = ((step as usize - FIRST) / 4, (step as usize - FIRST) % 4);
            (plane(q, bit as u32), word)
        }
        let (a, b) = const { (from(CONDITIONS[C].i, CONDITIONS[C].a), from(CONDITIONS[C].j, CONDITIONS[C].b)) };
        let place = |bit: u8, word: usize| if bit < 8 { V::LOW_BYTES[word] } else { V::HIGH_BYTES[word] };
        let (p, q) = (place(CONDITIONS[C].a, a.1), place(CONDITIONS[C].b, b.1));
        // SAFETY: the caller's promise.
        let (x, y) = unsafe { (self.0[a.0].assume_init(), self.0[b.0].assume_init()) };
        if p == q { down(x.xor(y), p) } else { down(x, p).xor(down(y, q)) }
    }
}

/// The conditions of each vector.
const OF: [([u8; 16], usize); COUNT] = {
    let mut of = [([0; 16], 0); COUNT];
    let mut c = 0;
    while c < CONDITIONS.len() {
        let mut d = 0;
        while d < COUNT {
            if CONDITIONS[c].vectors >> d & 1 == 1 {
                of[d].0[of[d].1] = c as u8;
                of[d].1 += 1;
            }
            d += 1;
        }
        c += 1;
    }
    of
};

/// The blocks that satisfy all conditions of vector `D`, in the bits `first`.
///
/// # Safety
///
/// All conditions have been compared.
#[inline(always)]
unsafe fn alive<V: Lanes, const D: usize>(broken: &[MaybeUninit<V>; CONDITIONS.len()], first: V) -> V {
    let (mut some, mut all) = (first.xor(first), first);
    macro_rules! each {
        ($($k:literal)*) => { $(
            if $k < const { OF[D].1 } {
                // SAFETY: the caller's promise.
                let x = unsafe { broken[const { OF[D].0[$k] as usize }].assume_init() };
                if const { CONDITIONS[OF[D].0[$k] as usize].v == 1 } {
                    all = all.and(x);
                } else {
                    some = some.or(x);
                }
            }
        )* };
    }
    each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    all.and_not(some)
}

/// Brings bit `by` of each four to their first.
#[inline(always)]
fn down<V: Lanes>(x: V, by: usize) -> V {
    match by {
        0 => x,
        1 => x.shr::<1>(),
        2 => x.shr::<2>(),
        _ => x.shr::<3>(),
    }
}

/// What the conditions leave.
#[repr(C, align(64))]
pub(crate) struct Found<V> {
    /// In four bits of each block: whether it satisfies the conditions of four
    /// vectors.
    masks: [V; COUNT / 4],
    /// In the first of the four: whether it satisfies those of any.
    any: V,
}

impl<V: Lanes> Found<V> {
    /// Calls `each` with step, lane and mask of what is found in the first
    /// `steps` steps.
    #[inline(always)]
    pub(crate) fn each(&self, steps: usize, mut each: impl FnMut(usize, usize, u32)) {
        for step in 0..steps {
            // SAFETY: a vector is a word for each step.
            let mut any = unsafe { (&raw const self.any).cast::<u32>().add(step).read() };
            while any != 0 {
                let bit = any.trailing_zeros() as usize;
                any &= any - 1;
                let mut mask = 0;
                let mut d = 0;
                while d < COUNT / 4 {
                    // SAFETY: likewise.
                    let four = unsafe { self.masks.as_ptr().add(d).cast::<u32>().add(step).read() };
                    mask |= (four >> bit & 15) << (4 * d);
                    d += 1;
                }
                each(step, bit / 4, mask);
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::arch::x86_64::avx2::U32x8;
    use crate::arch::x86_64::features;
    use crate::detect::conditions::mask;
    use crate::lanes::Lanes;

    fn words(seed: &mut u64) -> [u32; 80] {
        core::array::from_fn(|_| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 32) as u32
        })
    }

    #[test]
    fn finds_what_the_conditions_leave() {
        if !features::avx2() {
            println!("skipped: this CPU has no AVX2");
            return;
        }
        let mut seed = 1;
        let mut all = 0;
        // A vector has at most 15 conditions.
        for _ in 0..6000 {
            let blocks: [[[u32; 80]; 8]; STEPS] = core::array::from_fn(|_| core::array::from_fn(|_| words(&mut seed)));
            let mut planes = Planes::<U32x8>::new();
            for (step, lanes) in blocks.iter().enumerate() {
                macro_rules! quads {
                    ($($q:literal)*) => { $(
                        // SAFETY: just asked.
                        let quad = core::array::from_fn(|i| unsafe {
                            U32x8::load(lanes.map(|w| w[FIRST + 4 * $q + i]).as_ptr())
                        });
                        planes.take::<$q>(quad, step);
                    )* };
                }
                quads!(0 1 2 3 4 5 6 7);
            }
            let mut masks = [[0; 8]; STEPS];
            // SAFETY: all quads of all steps have been taken.
            unsafe { planes.found() }.each(STEPS, |step, lane, mask| masks[step][lane] = mask);
            for (lanes, masks) in blocks.iter().zip(masks) {
                assert_eq!(lanes.map(|w| mask(&w)), masks);
                all |= masks.iter().fold(0, |all, mask| all | mask);
            }
        }
        assert_eq!(all, !0, "each vector has been found");
    }
}
