use sha1dc_core::arch::x86_64::bench::*;
use std::time::Instant;
fn main() {
    let mut x = 1u64;
    let blocks: Vec<[u8; 64]> = (0..16384).map(|_| core::array::from_fn(|_| { x ^= x << 13; x ^= x >> 7; x ^= x << 17; x as u8 })).collect();
    let n = blocks.len();
    type F = Box<dyn Fn(&mut [u32; 5], &[[u8; 64]]) -> u32>;
    let fs: Vec<(&str, F)> = vec![
        ("plain", Box::new(|h, b| unsafe { plain_ni(h, b); 0 })),
        ("f vl x2048", Box::new(|_, _| unsafe { f_256(2048) })),
        ("f avx2 x2048", Box::new(|_, _| unsafe { f_avx2(2048) })),
        ("zmm", Box::new(|h, b| unsafe { g_512(h, b) })),
        ("ymm512", Box::new(|h, b| unsafe { g_256(h, b) })),
        ("avx2", Box::new(|h, b| unsafe { g_avx2(h, b) })),
    ];
    let mut best = vec![f64::MAX; fs.len()];
    let mut tot = vec![0; fs.len()];
    for _ in 0..40 {
        for (i, (_, f)) in fs.iter().enumerate() {
            let mut h = [1, 2, 3, 4, 5];
            let t = Instant::now();
            tot[i] = f(&mut h, &blocks);
            let ns = t.elapsed().as_nanos() as f64 / n as f64;
            std::hint::black_box(h);
            if ns < best[i] { best[i] = ns }
        }
    }
    for (i, (name, _)) in fs.iter().enumerate() {
        println!("{name:12} {:.2} ns/block  ratio {:.3}  survivors {}", best[i], best[0] / best[i], tot[i]);
    }
}
