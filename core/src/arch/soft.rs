//! The hash chain in ordinary instructions: for every CPU.

use crate::one::{Chain, FIRST_QUAD, QUADS, Quad, Window};
use crate::schedule::{BLOCK_SIZE, add, expand, step, words};
use crate::trail::Trail;

/// The chaining value in registers.
#[derive(Clone, Copy)]
pub(crate) struct Soft([u32; 5]);

impl Chain for Soft {
    const REVERSED: bool = false;

    #[inline(always)]
    unsafe fn new(h: &[u32; 5]) -> Self {
        Self(*h)
    }

    #[inline(always)]
    fn get(&self) -> [u32; 5] {
        self.0
    }

    #[inline(always)]
    #[allow(clippy::out_of_bounds_indexing)] // in branches that are not taken
    fn block<const N: usize>(
        &mut self,
        block: &[u8; BLOCK_SIZE],
        mut leave: Option<(&mut Window<N>, usize, &mut Trail, usize)>,
        mut gap: impl FnMut(usize),
    ) {
        if let Some((_, _, trail, i)) = &mut leave {
            self.leave(trail, *i);
        }
        let mut w = words(block);
        let mut s = self.0;
        // Written out, because a loop would keep the ring of words in memory
        // and the state's turning in moves.
        macro_rules! steps {
            ($($t:literal)*) => { $(
                if $t >= 16 {
                    w[$t % 16] = (w[($t + 13) % 16] ^ w[($t + 8) % 16] ^ w[($t + 2) % 16] ^ w[$t % 16]).rotate_left(1);
                }
                if let Some((window, b, trail, i)) = &mut leave {
                    if $t % 4 == 3 && $t / 4 >= FIRST_QUAD && $t / 4 < FIRST_QUAD + QUADS {
                        let quad = [w[($t - 3) % 16], w[($t - 2) % 16], w[($t - 1) % 16], w[$t % 16]];
                        window.words[$t / 4 - FIRST_QUAD][*b].write(quad);
                    }
                    if $t == 56 {
                        trail.state_56[*i] = Quad::new([s[0], s[1], s[2], s[3]]);
                    }
                    if $t == 60 {
                        trail.state_60[*i] = Quad::new([s[0], s[1], s[2], s[3]]);
                    }
                }
                s = step($t, s, w[$t % 16]);
            )* };
        }
        steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        gap(0);
        steps!(16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        gap(1);
        steps!(32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47);
        gap(2);
        steps!(48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
        gap(3);
        steps!(64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79);
        gap(4);
        self.0 = add(self.0, s);
    }

    #[inline(always)]
    fn leave(&self, trail: &mut Trail, i: usize) {
        let [a, b, c, d, e] = self.0;
        trail.chain[i].write([a, b, c, d]);
        trail.chain_e[i].write(e);
    }
}

/// The expanded message of a block xor a difference.
#[inline(always)]
pub(crate) fn expanded(block: &[u8; BLOCK_SIZE], difference: &[u8; BLOCK_SIZE]) -> [u32; 80] {
    let (mut w, difference) = (words(block), words(difference));
    let mut t = 0;
    while t < 16 {
        w[t] ^= difference[t];
        t += 1;
    }
    expand(&w)
}

/// Steps `FROM` to `TO`, without `TO`.
#[inline(always)]
pub(crate) fn rounds<const FROM: usize, const TO: usize>(mut s: [u32; 5], w: &[u32; 80]) -> [u32; 5] {
    // Written out, so that the state's turning costs nothing.
    macro_rules! steps {
        ($($t:literal)*) => { $( if $t >= FROM && $t < TO { s = step($t, s, w[$t]); } )* };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39
        40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76
        77 78 79);
    s
}
