//! What operations cost.

/// Weights of the two kinds of instruction sets; only their ratio matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// One operation where there is three-input logic.
    pub(crate) three: i64,
    /// One operation where logic has two inputs.
    pub(crate) two: i64,
}

impl Costs {
    /// One operation on both.
    pub(crate) fn one(self) -> i64 {
        self.three + self.two
    }

    /// Whether two or three words are the same.
    pub(crate) fn same(self, n: usize) -> i64 {
        self.three + self.two * if n == 2 { 1 } else { 3 }
    }

    /// The conjunction of `n` values.
    pub(crate) fn all(self, n: usize) -> i64 {
        self.three * (n / 2) as i64 + self.two * n.saturating_sub(1) as i64
    }
}
