//! Lanes of 32-bit words: the trait that an instruction set implements, and
//! that everything wide is written over, once.
//!
//! A lane is a block: lane `l` of the vector `w[t]` is word t of the block in
//! lane l. So the message expansion, the conditions and the rounds read as
//! they do for one block, and there is nothing to pack.

/// A vector of [`COUNT`](Self::COUNT) 32-bit words.
///
/// # Safety
///
/// Only [`load`](Self::load) and [`splat`](Self::splat) make a value, and
/// calling them promises that the CPU has the type's instruction set. That a
/// value exists is what makes the other methods safe.
///
/// Every method is `#[inline(always)]` and is called only from functions with
/// the matching `#[target_feature]`; that, not the method, decides how it is
/// compiled.
pub(crate) trait Lanes: Copy {
    /// Words in a vector, and so blocks side by side: 1, 2, 4, 8 or 16.
    const COUNT: usize;
    /// Whether any function of three bits is one instruction, so that to invert costs
    /// nothing.
    const TERNARY: bool = false;

    /// Reads `COUNT` words.
    ///
    /// # Safety
    ///
    /// `from` is readable for `4 * COUNT` bytes (any alignment), and the CPU
    /// has the instruction set.
    unsafe fn load(from: *const u32) -> Self;

    /// Writes `COUNT` words.
    ///
    /// # Safety
    ///
    /// `to` is writable for `4 * COUNT` bytes (any alignment).
    unsafe fn store(self, to: *mut u32);

    /// The same word in every lane.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set.
    unsafe fn splat(word: u32) -> Self;

    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn shl<const N: i32>(self) -> Self;
    fn shr<const N: i32>(self) -> Self;

    #[inline(always)]
    fn rotl<const N: i32, const M: i32>(self) -> Self {
        const { assert!(N + M == 32) };
        self.shl::<N>().or(self.shr::<M>())
    }

    #[allow(clippy::wrong_self_convention)] // as `u32::from_be`
    /// Each word as the big-endian value of its bytes in memory.
    fn from_be(self) -> Self;

    /// All ones in the lanes where bit `BIT` is set, zero in the others.
    fn spread<const BIT: i32>(self) -> Self;

    /// `self` without `bits` in the lanes where bit `BIT` of `x` is zero.
    #[inline(always)]
    fn drop_where_zero<const BIT: i32>(self, x: Self, bits: u32) -> Self {
        // SAFETY: a value exists, so the CPU has the instruction set.
        self.and(x.spread::<BIT>().or(unsafe { Self::splat(!bits) }))
    }

    /// Likewise, where it is one.
    #[inline(always)]
    fn drop_where_one<const BIT: i32>(self, x: Self, bits: u32) -> Self {
        // SAFETY: likewise.
        self.and_not(x.spread::<BIT>().and(unsafe { Self::splat(bits) }))
    }

    /// Reads `COUNT / 4` times four words, each from where a pointer says.
    ///
    /// # Safety
    ///
    /// The first `COUNT / 4` pointers are readable for 16 bytes, and the CPU
    /// has the instruction set.
    unsafe fn load_quads(from: [*const u8; 4]) -> Self;

    /// Bit l of the result is set if lane l is zero.
    fn zeros(self) -> u32;

    /// `self | other` in the lanes where `condition` is not zero, `self` in the
    /// others.
    fn or_where(self, condition: Self, other: Self) -> Self;

    /// Likewise, where `condition` is zero.
    fn or_where_zero(self, condition: Self, other: Self) -> Self;

    /// Transposes 4x4 words within each 128 bits: `rows[k]` holds words 0-3 of
    /// some blocks, the result's `[j]` holds word j of all of them. Which lane
    /// a block lands in: [`block_in_lane`].
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    /// Writes the lanes whose bit is set in `lanes` one after the other; what
    /// comes after them is anything.
    ///
    /// # Safety
    ///
    /// `to` is writable for `COUNT` words.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // for AVX-512
    #[inline(always)]
    unsafe fn pack(self, lanes: u32, to: *mut u32) {
        // SAFETY: a vector is `COUNT` words in memory; the caller's promise.
        unsafe { pack((&raw const self).cast(), lanes, to) };
    }

    /// Likewise with `COUNT` pointers.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set. `from` is readable, `to` is writable
    /// for `COUNT` pointers.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // for AVX-512
    #[inline(always)]
    unsafe fn pack_pointers(from: *const *const u8, lanes: u32, to: *mut *const u8) {
        // SAFETY: the caller's promise.
        unsafe { pack(from, lanes, to) };
    }

    /// Makes the compiler have the value here, before all that is pinned later.
    #[inline(always)]
    fn pin(self) {}

    // What has a shorter form on some instruction sets.

    /// Bytes 3 and 0 of each word: of `self` in bits 0 to 7 and 8 to 15, of
    /// `other` in bits 16 to 23 and 24 to 31.
    #[inline(always)]
    fn join(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instruction set.
        let byte = unsafe { Self::splat(0xff) };
        let low = self.shr::<24>().or(self.and(byte).shl::<8>());
        low.or(other.shl::<24>()).or(other.shr::<24>().shl::<16>())
    }

    /// [Joins](Self::join) `count` pairs of words.
    ///
    /// # Safety
    ///
    /// `first` and `second` are readable, and `to` is writable, for `count`
    /// vectors. The CPU has the instruction set.
    #[inline(always)]
    unsafe fn halves(first: *const Self, second: *const Self, to: *mut Self, count: usize) {
        let mut i = 0;
        while i < count {
            // SAFETY: the caller's promise.
            unsafe { to.add(i).write(first.add(i).read().join(second.add(i).read())) };
            i += 1;
        }
    }

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        self.xor(y).xor(z)
    }

    #[inline(always)]
    fn and3(self, y: Self, z: Self) -> Self {
        self.and(y).and(z)
    }

    /// `self | (y & z)`.
    #[inline(always)]
    fn or_and(self, y: Self, z: Self) -> Self {
        self.or(y.and(z))
    }

    /// `(self & y) | (!self & z)`.
    #[inline(always)]
    fn choose(self, y: Self, z: Self) -> Self {
        z.xor(self.and(y.xor(z)))
    }

    #[inline(always)]
    fn majority(self, y: Self, z: Self) -> Self {
        self.and(y).or(z.and(self.or(y)))
    }

    /// Ones where all three bits are the same, `y` and `z` counted inverted
    /// where `Y` and `Z` say so.
    #[inline(always)]
    fn same3<const Y: bool, const Z: bool>(self, y: Self, z: Self) -> Self {
        let (xy, xz) = (self.xor(y), self.xor(z));
        match (Y, Z) {
            (false, false) => xy.or(xz).not(),
            (false, true) => xz.and_not(xy),
            (true, false) => xy.and_not(xz),
            (true, true) => xy.and(xz),
        }
    }

    /// Ones where both bits are the same, or differ if `Y`.
    #[inline(always)]
    fn same2<const Y: bool>(self, y: Self) -> Self {
        if Y { self.xor(y) } else { self.xor(y).not() }
    }

    fn not(self) -> Self;
}

/// [`Lanes::pack`], one by one.
///
/// # Safety
///
/// What `lanes` names of `from` is readable, and as many are writable at `to`.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // for AVX-512
#[inline(always)]
unsafe fn pack<T: Copy>(from: *const T, mut lanes: u32, mut to: *mut T) {
    while lanes != 0 {
        // SAFETY: the caller's promise.
        unsafe {
            to.write(from.add(lanes.trailing_zeros() as usize).read());
            to = to.add(1);
        }
        lanes &= lanes - 1;
    }
}

/// The block that [`Lanes::transpose`] puts into lane `lane` when `rows[k]`
/// holds `count / 4` blocks each, in order.
pub(crate) const fn block_in_lane(count: usize, lane: usize) -> usize {
    (lane % 4) * (count / 4) + lane / 4
}

/// Reads from where the program says. In wasm the compiler knows nothing of
/// registers: it would bring many reads forward, for V8 to store again. In
/// their places they make the filter 10 % faster in Node 20, the rounds 3 % in
/// Node 24.
///
/// # Safety
///
/// As [`pointer::read`](https://doc.rust-lang.org/std/primitive.pointer.html#method.read).
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(from: *const T) -> T {
    // SAFETY: the caller's promise.
    unsafe { if cfg!(target_arch = "wasm32") { from.read_volatile() } else { from.read() } }
}
