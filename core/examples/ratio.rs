use sha1dc_core::{Backend, Hasher, plain};
use std::time::Instant;
fn main() {
    let mut x = 1u64;
    let data: Vec<u8> = (0..1 << 20)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x as u8
        })
        .collect();
    for size in [0usize, 64, 256, 1024, 16384, 1 << 20] {
        let d = &data[..size];
        let reps = (1 << 20) / (size + 256);
        let all: Vec<Backend> = Backend::available().collect();
        let mut best = vec![f64::MAX; all.len() * 2];
        for _ in 0..12 {
            for (i, b) in all.iter().enumerate() {
                let t = Instant::now();
                for _ in 0..reps {
                    let mut h = Hasher::on(*b);
                    h.update(d);
                    std::hint::black_box(h.finalize().is_ok());
                }
                best[2 * i] = best[2 * i].min(t.elapsed().as_nanos() as f64 / reps as f64);
                let t = Instant::now();
                for _ in 0..reps {
                    let mut h = plain::Hasher::on(*b);
                    h.update(d);
                    std::hint::black_box(h.finalize());
                }
                best[2 * i + 1] = best[2 * i + 1].min(t.elapsed().as_nanos() as f64 / reps as f64);
            }
        }
        println!("{size} B");
        for (i, b) in all.iter().enumerate() {
            println!(
                "  {:22} detect {:10.1} ns  plain {:10.1}  ratio {:.3}",
                b.name(),
                best[2 * i],
                best[2 * i + 1],
                best[2 * i + 1] / best[2 * i]
            );
        }
    }
}
