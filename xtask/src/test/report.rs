//! Reads the closing lines of test runners.

/// "N tests" from the closing lines of cargo test, the conformance suite and node's runner; empty if there are none.
pub fn counts(log: &str) -> String {
    let mut passed = 0;
    let mut skipped = 0;
    for line in log.lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("test result: ") {
            // test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
            passed += number_before(rest, " passed");
            skipped += number_before(rest, " ignored");
        } else if is_plain(line) {
            passed += number_before(line, " passed");
            skipped += number_before(line, " skipped");
        } else if let Some(rest) = line.strip_prefix("# pass ").or_else(|| line.strip_prefix("ℹ pass ")) {
            passed += rest.trim().parse().unwrap_or(0);
        } else if let Some(rest) = line.strip_prefix("# skipped ").or_else(|| line.strip_prefix("ℹ skipped ")) {
            skipped += rest.trim().parse().unwrap_or(0);
        }
    }
    match (passed, skipped) {
        (0, 0) => String::new(),
        (passed, 0) => format!("{passed} tests"),
        (passed, skipped) => format!("{passed} tests, {skipped} skipped"),
    }
}

/// Whether the line is "N passed, N failed", with no more than ", N skipped" after it.
fn is_plain(line: &str) -> bool {
    let mut parts = line.split(", ");
    let is = |part: Option<&str>, word: &str| {
        part.and_then(|part| part.strip_suffix(word)).is_some_and(|number| number.parse::<u64>().is_ok())
    };
    is(parts.next(), " passed")
        && is(parts.next(), " failed")
        && match parts.next() {
            None => true,
            skips => is(skips, " skipped") && parts.next().is_none(),
        }
}

fn number_before(text: &str, word: &str) -> u64 {
    let Some(at) = text.find(word) else { return 0 };
    let digits = text[..at].rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
    digits.parse().unwrap_or(0)
}

/// The names of the tests that failed, as cargo test, the conformance suite and node's runner write them, each once.
pub fn failures(log: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in log.lines() {
        let line = line.trim();
        let name = if let Some(name) = line.strip_prefix("FAILED ") {
            name
        } else if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
            name
        } else if let Some(rest) = line.strip_prefix("not ok ") {
            rest
        } else {
            continue;
        };
        let name = name.trim();
        // The suite names them when they fail, and again at the end with the first line of why.
        if !names.iter().any(|known: &&str| known.starts_with(name) || name.starts_with(*known)) {
            names.push(name);
        }
    }
    names
}

/// The last `lines` lines.
pub fn tail(log: &str, lines: usize) -> String {
    let all: Vec<&str> = log.lines().collect();
    let from = all.len().saturating_sub(lines);
    let mut text = all[from..].join("\n");
    if from > 0 {
        text.insert_str(0, &format!("({from} lines before these)\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_the_runners_say() {
        assert_eq!(counts("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured"), "12 tests, 1 skipped");
        assert_eq!(counts("a\n40 passed, 0 failed\n2 passed, 0 failed, 3 skipped\n"), "42 tests, 3 skipped");
        assert_eq!(counts("# pass 7\n# skipped 0"), "7 tests");
        assert_eq!(counts("12 passed, which is good\nnothing"), "");
    }

    #[test]
    fn names_what_failed() {
        let log = "FAILED  node24: memory: x\n  Error: y\n1 passed, 1 failed\nfailures:\nFAILED  node24: memory: x: Error: y\n";
        assert_eq!(failures(log), ["node24: memory: x"]);
        assert_eq!(failures("test a::b ... FAILED\ntest c ... ok\nnot ok 3 - d\nok 4 - e"), ["a::b", "3 - d"]);
        assert!(failures("2 passed, 0 failed").is_empty());
    }

    #[test]
    fn the_tail_says_what_it_leaves_out() {
        assert_eq!(tail("a\nb\nc", 2), "(1 lines before these)\nb\nc");
        assert_eq!(tail("a\nb", 2), "a\nb");
    }
}
