//! 64-bit ARM. No such machine was at hand: what is here is right (the whole
//! suite runs on an emulated CPU), and nothing is claimed about its speed.

pub(crate) mod features;
pub(crate) mod neon;
pub(crate) mod sha1;

use crate::arch::soft::Soft;
use crate::arch::tier::{soft, tier, wide};
use sha1::ArmSha1;

tier!(neon_sha1, "neon,sha2", ArmSha1, neon::U32x4, 4,
    across neon::U32x4, 4, queue neon::U32x4, 4: 0 1 2 3);
soft!(neon_soft, "neon", neon::U32x4, 4, groups 4, across neon::U32x4, 4);

wide!(neon_wide, "neon", neon::U32x4, 4);
