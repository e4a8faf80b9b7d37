//! The corpus once more, without a fuzzer.

use std::path::Path;

fn replay(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut inputs: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.sort_unstable();
    assert!(inputs.len() >= 10, "{} inputs in {}", inputs.len(), folder.display());
    for input in inputs {
        let data = std::fs::read(&input).unwrap();
        // Said only if the target fails.
        println!("{}", input.display());
        target(&data);
    }
}

#[test]
fn stream() {
    replay("stream", crate::stream::run);
}

#[test]
fn batch() {
    replay("batch", crate::batch::run);
}

#[test]
fn restore() {
    replay("restore", crate::restore::run);
}

#[test]
fn filter() {
    replay("filter", crate::filter::run);
}
