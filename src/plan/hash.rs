//! A short hash that tells apart names which would collide.

/// Eight hexadecimal digits of FNV-1a over the text: the same on every machine and in every version.
#[must_use]
pub(super) fn short_hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{:08x}", (hash ^ (hash >> 32)) & 0xffff_ffff)
}
