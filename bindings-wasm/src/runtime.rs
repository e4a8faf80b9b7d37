//! What `std` would bring, smaller.
//!
//! Its panics print, and nobody reads what a page's wasm prints. Its allocator is a good one, and a fifth of the whole
//! module; ours has the fixed areas to allocate, hashers of one size, and now and then a report.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size, unreachable};
use core::cell::UnsafeCell;
use core::panic::PanicInfo;
use core::ptr::null_mut;

/// JavaScript sees a `WebAssembly.RuntimeError`.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    unreachable()
}

const PAGE: usize = 64 * 1024;
/// The smallest block: a pointer to the next free one must fit, and every block is aligned to its size up to `ALIGN`.
const SMALLEST: usize = 16;
const ALIGN: usize = 16;

/// Blocks of powers of two, a list of free ones for each; new ones from the end of memory. What is freed serves the
/// next of its size.
struct Allocator(UnsafeCell<State>);

struct State {
    /// By the logarithm of the size.
    free: [*mut Free; usize::BITS as usize],
    /// Fresh memory, `next..end`.
    next: usize,
    end: usize,
}

struct Free {
    next: *mut Free,
}

// SAFETY: the module has one thread.
unsafe impl Sync for Allocator {}

#[global_allocator]
static ALLOCATOR: Allocator =
    Allocator(UnsafeCell::new(State { free: [null_mut(); usize::BITS as usize], next: 0, end: 0 }));

/// The size of the block for a layout, and its logarithm.
fn block(layout: Layout) -> (usize, usize) {
    let size = layout.size().max(layout.align()).max(SMALLEST).next_power_of_two();
    (size, size.trailing_zeros() as usize)
}

// SAFETY: blocks do not overlap: each is cut once from fresh memory, and is either in one list or in use. A block has at
// least the size asked for. It is aligned to ALIGN, as `next` always is; more is refused.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, class) = block(layout);
        if layout.align() > ALIGN || size > isize::MAX as usize {
            return null_mut();
        }
        // SAFETY: one thread, and nothing below calls back.
        let state = unsafe { &mut *self.0.get() };
        let free = state.free[class];
        if !free.is_null() {
            // SAFETY: blocks in the list are free, and each holds a pointer to the next.
            state.free[class] = unsafe { (*free).next };
            return free.cast();
        }
        if state.end - state.next < size {
            // Grown memory follows the old unless someone else has grown it between; then the rest before is lost.
            let pages = size.div_ceil(PAGE);
            let start = memory_grow(0, pages);
            // The last page is left alone: its end is no address.
            if start == usize::MAX || start + pages >= 1 << 16 {
                return null_mut();
            }
            if start * PAGE != state.end {
                state.next = start * PAGE;
            }
            state.end = memory_size(0) * PAGE;
        }
        let address = state.next;
        state.next += size;
        address as *mut u8
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let (_, class) = block(layout);
        // SAFETY: one thread; the block is no longer in use, and is large and aligned enough for a `Free`.
        unsafe {
            let state = &mut *self.0.get();
            let free = pointer.cast::<Free>();
            free.write(Free { next: state.free[class] });
            state.free[class] = free;
        }
    }
}
