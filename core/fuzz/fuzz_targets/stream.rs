#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sha1dc_fuzz::stream::run(data));
