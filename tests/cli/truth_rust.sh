# A Rust program: demangled names, inlines, the root.
# serial
. "$(dirname "${BASH_SOURCE[0]}")/truth.bash"
need rustc
cat > split.rs <<'RUST'
use std::time::Instant;
#[inline(never)]
fn churn<T: Into<u64> + Copy>(seed: T, rounds: u64) -> u64 {
    let mut value: u64 = seed.into();
    for i in 0..rounds { value = std::hint::black_box(value.wrapping_mul(6364136223846793005).wrapping_add(i)); }
    value
}
mod shop { pub struct Cart; impl Cart { #[inline(never)] pub fn total(&self, n: u64) -> u64 { let r = super::churn(7u32, n); std::hint::black_box(r) } } }
fn main() {
    let start = Instant::now();
    let mut sum = 0u64;
    while start.elapsed().as_secs() < 60 { sum = sum.wrapping_add(shop::Cart.total(100000)); }
    println!("{}", sum);
}
RUST
rustc -O -g split.rs -o split 2>/dev/null || skip "rustc cannot build"
start_target ./split
record_folded "$TARGET"
kill -9 "$TARGET"
expect_most folded.txt 'split::main;.*split::shop::Cart::total;.*split::churn' 95
expect_most folded.txt '(^|;)_start;' 95
rustc -O -g -C symbol-mangling-version=v0 split.rs -o split_v0 2>/dev/null || exit 0
start_target ./split_v0
record_folded "$TARGET"
kill -9 "$TARGET"
expect_most folded.txt 'split(_v0)?::main;.*<?split(_v0)?::shop::Cart>?::total;.*split(_v0)?::churn::<u32>' 95
