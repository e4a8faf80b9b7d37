//! 64-bit ARM. No such machine was at hand: what is here is right (the whole
//! suite runs on an emulated CPU), and nothing is claimed about its speed.

pub(crate) mod features;
pub(crate) mod neon;
pub(crate) mod sha1;

use crate::arch::soft::Soft;
use crate::arch::tier::{few, soft, tier, wide};
use crate::detect::across::Rows;
use crate::steps::Plain;
use sha1::ArmSha1;

tier!(neon_sha1, "neon,sha2", ArmSha1, neon::U32x4, 4, in lanes neon::U32x4, 4: 0 1 2 3);
soft!(neon_soft, "neon", Plain, neon::U32x4, 4, groups 4);

few!(neon_sha1_few, "neon,sha2", ArmSha1, Rows<neon::U32x4, 4>);
few!(neon_soft_few, "neon", Soft, Rows<neon::U32x4, 4>);

wide!(neon_wide, "neon", neon::U32x4, 4, queued);
