#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zeitnot::sim::stranger::take_over(data));
