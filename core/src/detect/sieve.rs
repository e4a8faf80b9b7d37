//! A sieve for lanes of messages: most of the conditions, in the order of the
//! steps, for use between the rounds while the words are in registers.
//!
//! Where the rounds run in lanes there is no idle time to hide the filter in,
//! and memory is what it waits for: [`super::program`], which keeps a hundred
//! values, took 10 ns a block here with AVX-512. So a line is three
//! instructions (compare, test, drop vectors), and lines that cost more than
//! the recompressions they save are left out. What passes and proves to be an
//! attack is hashed again with all conditions, so the verdicts are the same.
//!
//! `cargo run --release -p conditions sieve` chooses the lines and writes them
//! into this file, for the prices that stand at the top of its `sieve.rs`; for
//! other prices of a candidate, `sieve NS...` tells what it would choose. A test of the
//! core proves for each vector that what its lines ask follows from its
//! published conditions.

use crate::lanes::Lanes;

/// Turns the lines into code; `w` is a ring of the last sixteen words.
macro_rules! sieve {
    (candidates $candidates:literal in 1000000 blocks; $(step $t:literal { $($op:ident($($s:tt $i:literal $($shift:ident $n:literal)?),*) bit $bit:literal of $vectors:literal;)* })*) => {
        /// Runs the lines of step `T`: drops from each lane's mask the vectors
        /// that its block cannot be for. Pinned, or the compiler tests many lines
        /// before it drops anything, and moves words and masks out of the way:
        /// 18.7 instead of 16.4 ns a block with AVX-512, all in all.
        #[inline(always)]
        pub(crate) fn step<V: Lanes, const T: usize>(w: &[V; 16], mask: V) -> V {
            match T {
                $($t => {
                    let mut mask = mask;
                    $(mask = sieve!(@$op mask, $bit, $vectors, $(($s w[$i % 16] $(.$shift::<$n>())?))*); mask.pin();)*
                    mask
                })*
                _ => mask,
            }
        }

        /// The lines as data: for each its operands, as they stand in the text,
        /// the bit and the vectors.
        #[cfg(feature = "alloc")]
        pub(crate) const LINES: &[(&str, u32, u32)] =
            &[$($((stringify!($($s $i $($shift $n)?),*), $bit, $vectors),)*)*];

        /// How many vectors random blocks are left with.
        #[cfg(test)]
        const CANDIDATES_IN_A_MILLION: u32 = $candidates;
    };
    (@same2 $mask:ident, $bit:literal, $vectors:literal, (+ $($x:tt)*) (+ $($y:tt)*)) => {
        $mask.drop_where_one::<$bit>($($x)*.xor($($y)*), $vectors)
    };
    (@same2 $mask:ident, $bit:literal, $vectors:literal, (+ $($x:tt)*) (- $($y:tt)*)) => {
        $mask.drop_where_zero::<$bit>($($x)*.xor($($y)*), $vectors)
    };
    (@same3 $mask:ident, $bit:literal, $vectors:literal, (+ $($x:tt)*) ($s2:tt $($y:tt)*) ($s3:tt $($z:tt)*)) => {
        $mask.drop_where_zero::<$bit>(
            $($x)*.same3::<{ sieve!(@sign $s2) }, { sieve!(@sign $s3) }>($($y)*, $($z)*), $vectors)
    };
    (@sign +) => { false };
    (@sign -) => { true };
}

sieve! {
    candidates 64453 in 1000000 blocks;
    step 36 {
        same2(+ 35 shl 5, - 36) bit 6 of 0x00000410;
    }
    step 37 {
        same2(+ 36 shl 5, - 37) bit 6 of 0x00041040;
        same2(+ 37, + 37 shl 5) bit 6 of 0x00004000;
    }
    step 38 {
        same2(+ 36, - 38) bit 4 of 0x28000000;
        same2(+ 37 shl 5, - 38) bit 6 of 0x00004100;
    }
    step 40 {
        same2(+ 36, + 40 shr 25) bit 4 of 0x00110208;
        same3(+ 37, - 39, + 40 shr 25) bit 4 of 0x50000001;
        same3(+ 38 shl 5, - 39, - 40 shl 5) bit 6 of 0x00000400;
        same2(+ 39, - 40 shr 5) bit 1 of 0x00401010;
    }
    step 41 {
        same3(+ 36 shl 5, - 37, - 41 shr 25) bit 5 of 0x00400000;
        same2(+ 37, + 41 shr 25) bit 4 of 0x00220820;
        same3(+ 38, - 40, + 41 shr 25) bit 4 of 0xa0000002;
        same2(+ 39, - 41) bit 1 of 0x00401000;
        same2(+ 40, + 41) bit 29 of 0x800a00a2;
        same2(+ 40 shl 5, - 41) bit 6 of 0x01004040;
    }
    step 42 {
        same3(+ 37 shl 5, - 38, - 42 shr 25) bit 5 of 0x01000000;
        same2(+ 38, + 42 shr 25) bit 4 of 0x00882080;
        same3(+ 39, - 41, + 42 shr 25) bit 4 of 0x40000005;
        same2(+ 40, + 42) bit 6 of 0x00000010;
        same2(+ 40, - 42) bit 1 of 0x01004000;
        same2(+ 41, - 42 shr 5) bit 1 of 0x04040100;
        same2(+ 41, + 42) bit 29 of 0x00180284;
    }
    step 43 {
        same3(+ 38 shl 5, - 39, - 43 shr 25) bit 5 of 0x04000000;
        same2(+ 39, + 43 shr 25) bit 4 of 0x02108200;
        same3(+ 40, - 42, + 43 shr 25) bit 4 of 0x8000000a;
        same2(+ 42 shr 5, + 43) bit 1 of 0x04040000;
        same2(+ 42, + 43) bit 29 of 0x00300a08;
    }
    step 44 {
        same2(+ 40, + 44 shr 25) bit 4 of 0x08200800;
        same2(+ 41, + 44 shr 25) bit 4 of 0x00812025;
        same2(+ 43, + 44) bit 29 of 0x00a12820;
    }
    step 45 {
        same2(+ 43, + 45) bit 6 of 0x00000440;
        same2(+ 43, - 45) bit 4 of 0x00000224;
        same2(+ 44, - 45 shr 5) bit 1 of 0x00404000;
        same2(+ 44, + 45) bit 29 of 0x0283a080;
    }
    step 46 {
        same2(+ 42, + 46) bit 6 of 0x00000110;
        same2(+ 42 shl 25, + 46) bit 29 of 0x22028000;
        same2(+ 43 shl 25, + 46) bit 29 of 0x08080225;
        same2(+ 44, + 46) bit 6 of 0x00001110;
        same2(+ 44, - 46) bit 1 of 0x00400000;
        same2(+ 44, - 46) bit 29 of 0x00000025;
        same2(+ 45, + 46) bit 29 of 0x0a0a8200;
    }
    step 47 {
        same3(+ 42 shl 25, + 45, - 47) bit 29 of 0x0000008a;
        same2(+ 44, + 47 shr 25) bit 4 of 0x1010088a;
        same2(+ 45, + 47) bit 6 of 0x00004440;
        same2(+ 45, - 47) bit 1 of 0x01000000;
        same2(+ 46 shr 5, + 47) bit 1 of 0x01000010;
        same2(+ 46, + 47) bit 29 of 0x18180801;
    }
    step 48 {
        same3(+ 40, - 47 shr 5, - 48) bit 1 of 0x00000040;
        same3(+ 43, - 46 shr 5, - 48 shr 5) bit 1 of 0x00001000;
        same2(+ 45, + 48 shr 25) bit 4 of 0x20202224;
        same3(+ 46, - 47 shr 5, - 48) bit 1 of 0x04000000;
        same2(+ 47, - 48 shr 5) bit 1 of 0x00040000;
        same2(+ 47, + 48) bit 29 of 0x30302002;
    }
    step 49 {
        same3(+ 46 shr 5, + 48 shr 5, + 49) bit 1 of 0x00000100;
        same2(+ 46, + 49 shr 25) bit 4 of 0x40808888;
        same2(+ 47, + 49) bit 6 of 0x00004400;
        same2(+ 47, - 49) bit 4 of 0x00012200;
        same2(+ 47, - 49) bit 29 of 0x00000888;
        same2(+ 48, + 49) bit 29 of 0x60a08004;
    }
    step 50 {
        same3(+ 42, - 47 shr 5, - 50) bit 1 of 0x00000400;
        same2(+ 47 shl 25, + 50) bit 29 of 0x82012220;
        same2(+ 49, + 50) bit 29 of 0xc2810008;
    }
    step 51 {
        same3(+ 48, + 50, + 51 shl 5) bit 6 of 0x00041000;
        same2(+ 48, + 51 shr 25) bit 4 of 0x08028880;
        same2(+ 50, + 51) bit 29 of 0x8a020020;
    }
    step 52 {
        same3(+ 47 shr 5, + 51 shr 5, + 52) bit 1 of 0x00004000;
        same2(+ 49 shl 25, + 52) bit 29 of 0x10092200;
        same2(+ 51, + 52) bit 29 of 0x18080080;
    }
    step 53 {
        same2(+ 50 shl 25, + 53) bit 29 of 0x20128800;
        same2(+ 51, + 53) bit 6 of 0x00400000;
        same2(+ 51, - 53) bit 29 of 0x00028800;
        same2(+ 52, + 53) bit 29 of 0x30110200;
    }
    step 54 {
        same3(+ 50, - 51 shr 5, - 54) bit 1 of 0x00400000;
        same3(+ 51 shl 5, - 52, - 54) bit 6 of 0x01000000;
        same2(+ 51 shl 25, + 54) bit 29 of 0x40282000;
        same2(+ 53, + 54) bit 29 of 0x60220800;
    }
    step 55 {
        same2(+ 51, - 55) bit 1 of 0x01000000;
        same2(+ 53, + 55) bit 6 of 0x04000000;
        same2(+ 54, + 55) bit 29 of 0xc0882000;
    }
    step 56 {
        same3(+ 52, - 55 shr 5, - 56) bit 1 of 0x04000000;
        same2(+ 53, - 56) bit 29 of 0x00308000;
        same2(+ 55, + 56) bit 29 of 0x82108000;
    }
    step 57 {
        same2(+ 56, + 57) bit 29 of 0x08200000;
    }
    step 58 {
        same2(+ 55, - 58) bit 29 of 0x02800000;
        same2(+ 57, + 58) bit 29 of 0x10800000;
    }
    step 59 {
        same2(+ 56, - 59) bit 29 of 0x0a000000;
    }
    step 62 {
        same2(+ 61 shl 5, - 62) bit 5 of 0x00020008;
        same2(+ 61 shl 5, - 62) bit 6 of 0x00000001;
        same2(+ 61 shl 5, - 62) bit 7 of 0x00040010;
    }
    step 63 {
        same2(+ 62 shl 5, - 63) bit 5 of 0x00080020;
        same2(+ 62 shl 5, - 63) bit 6 of 0x00000002;
        same2(+ 62 shl 5, - 63) bit 7 of 0x00000040;
    }
    step 64 {
        same2(+ 63 shl 5, - 64) bit 6 of 0x00010004;
        same2(+ 63 shl 5, - 64) bit 7 of 0x00000100;
    }
}

#[cfg(test)]
mod tests {
    use super::{CANDIDATES_IN_A_MILLION, step};
    use crate::arch::portable::U32x1;
    use crate::detect::conditions::{CONDITIONS, mask};
    use crate::lanes::Lanes;
    use crate::schedule::expand;

    /// xorshift.
    struct Rng(u64);

    impl Rng {
        fn next(&mut self) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) as u32
        }
    }

    fn word(value: u32) -> U32x1 {
        // SAFETY: every CPU has words.
        unsafe { U32x1::splat(value) }
    }

    fn sieved(words: &[u32; 80]) -> u32 {
        macro_rules! steps {
            ($words:ident: $($t:literal)*) => {{
                let mut w = [word(0); 16];
                let mut mask = word(!0);
                for t in 20..36 {
                    w[t % 16] = word($words[t]);
                }
                $(
                    w[$t % 16] = word($words[$t]);
                    mask = step::<U32x1, $t>(&w, mask);
                )*
                mask.get()
            }};
        }
        steps!(words: 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64)
    }

    /// Random words that satisfy all conditions of a vector.
    fn satisfying(vector: usize, rng: &mut Rng) -> [u32; 80] {
        let mut w = core::array::from_fn(|_| rng.next());
        let mine = || CONDITIONS.iter().filter(|c| c.vectors >> vector & 1 == 1);
        // From a bit that is settled its neighbours are; the conditions of a
        // vector have no cycles.
        let mut settled = [0_u32; 80];
        while let Some(first) = mine().find(|c| settled[c.i as usize] >> c.a & 1 == 0) {
            settled[first.i as usize] |= 1 << first.a;
            while let Some(c) = mine().find(|c| (settled[c.i as usize] >> c.a ^ settled[c.j as usize] >> c.b) & 1 == 1)
            {
                let (from, to) = if settled[c.i as usize] >> c.a & 1 == 1 {
                    ((c.i as usize, c.a), (c.j as usize, c.b))
                } else {
                    ((c.j as usize, c.b), (c.i as usize, c.a))
                };
                let bit = w[from.0] >> from.1 & 1 ^ u32::from(c.v);
                w[to.0] = w[to.0] & !(1 << to.1) | bit << to.1;
                settled[to.0] |= 1 << to.1;
            }
        }
        w
    }

    #[test]
    fn drops_no_vector_that_the_conditions_leave() {
        let mut rng = Rng(0x5eed);
        for vector in 0..32 {
            for _ in 0..400 {
                let w = satisfying(vector, &mut rng);
                let exact = mask(&w);
                assert_eq!(exact >> vector & 1, 1, "vector {vector} is satisfied");
                assert_eq!(exact & !sieved(&w), 0, "vector {vector}");
            }
        }
    }

    #[test]
    fn stops_what_it_is_said_to_stop() {
        let mut rng = Rng(0xb10c);
        let said = f64::from(CANDIDATES_IN_A_MILLION) / 1e6;
        let blocks = 200_000;
        let left: u32 = (0..blocks).map(|_| sieved(&expand(&core::array::from_fn(|_| rng.next()))).count_ones()).sum();
        let left = f64::from(left) / f64::from(blocks);
        assert!((left / said - 1.0).abs() < 0.05, "{left} candidates a block; the text says {said}");
    }

    /// What images of disks and of memory are full of.
    #[test]
    fn stops_zeros_and_ones() {
        assert_eq!(sieved(&expand(&[0; 16])), 0);
        assert_eq!(sieved(&[!0; 80]), 0, "no block, but the bits that a line compares are the same");
    }
}
