//! `cargo xtask unsafe`: every use of `unsafe` in what is shipped, with its reason. Clippy sees to it that each block has one.

use crate::ctx::{Context, Ctx, Result, Stop};
use std::path::{Path, PathBuf};

/// Prints the list. What has no reason is a failure.
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    let quiet = args == ["--check"];
    if !quiet && !args.is_empty() {
        return Err(Stop::failed("usage: cargo xtask unsafe [--check]"));
    }
    let mut files = Vec::new();
    for folder in ["core/src", "bindings-node/src", "bindings-wasm/src"] {
        sources(&ctx.path(folder), &mut files)?;
    }
    files.sort();
    let (mut blocks, mut functions, mut bare) = (0, 0, Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).context(file.display())?;
        let name = file.strip_prefix(&ctx.root).unwrap_or(file).display().to_string();
        for found in uses(&text) {
            match found.kind {
                Kind::Function => functions += 1,
                Kind::Block => blocks += 1,
            }
            let Use { line, code, reason, .. } = found;
            match reason {
                Some(reason) if !quiet => println!("{name}:{line}: {code}\n    {reason}"),
                Some(_) => {}
                None => bare.push(format!("{name}:{line}: {code}")),
            }
        }
    }
    if !bare.is_empty() {
        return Err(Stop::failed(format!("no reason is given for\n{}", bare.join("\n"))));
    }
    let words = format!("{blocks} unsafe blocks, {functions} unsafe functions, each with its reason");
    if quiet {
        ctx.say(words)
    } else {
        println!("{words}")
    }
    Ok(())
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> Result {
    for entry in std::fs::read_dir(folder).context(folder.display())?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

enum Kind {
    Function,
    Block,
}

struct Use<'a> {
    line: usize,
    code: &'a str,
    kind: Kind,
    reason: Option<String>,
}

fn uses(text: &str) -> Vec<Use<'_>> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (i, code) in lines.iter().copied().enumerate() {
        let of_code = code.split("//").next().unwrap_or_default();
        // Not `unsafe fn(...)`, which is a type.
        let function = ["unsafe fn ", "unsafe extern \"C\" fn "].iter().any(|words| of_code.contains(words));
        let (kind, reason) = if function {
            (Kind::Function, contract(&lines[..i], code))
        } else if of_code.contains("unsafe {") || of_code.contains("unsafe impl") {
            (Kind::Block, safety(&lines[..i]))
        } else {
            continue;
        };
        found.push(Use { line: i + 1, code, kind, reason });
    }
    found
}

/// What a function asks of its callers: its section `# Safety`, or what its kind asks for.
fn contract(before: &[&str], code: &str) -> Option<String> {
    let is_head = |line: &&&str| line.starts_with("///") || line.starts_with("#[");
    let head: Vec<&str> = before.iter().rev().take_while(is_head).copied().collect();
    let docs: Vec<&str> = head.iter().rev().filter_map(|line| line.strip_prefix("///")).map(str::trim).collect();
    if let Some(at) = docs.iter().position(|line| *line == "# Safety") {
        return Some(docs[at + 1..].join(" ").trim().to_string());
    }
    if head.iter().any(|line| line.starts_with("#[target_feature")) {
        return Some("the CPU has the instruction sets of its `target_feature`".into());
    }
    if code.contains("extern \"C\" fn ") && code.contains("env: Env") {
        return Some("Node calls it, with its environment and the call's arguments".into());
    }
    let block = before.iter().rev().find(|line| line.starts_with("impl") || line.starts_with("unsafe impl"));
    block.is_some_and(|line| line.contains(" for ")).then(|| "as its trait says".into())
}

/// The comment `SAFETY:` in front of a block's statement, or the one `SAFETY of ...` for all blocks that follow.
fn safety(before: &[&str]) -> Option<String> {
    let words = |at: usize| {
        let lines = before[at..].iter().map_while(|line| line.strip_prefix("//").map(str::trim));
        lines.collect::<Vec<_>>().join(" ")
    };
    for (i, line) in before.iter().enumerate().rev() {
        if line.starts_with("// SAFETY:") {
            return Some(words(i));
        }
        // The end of what comes before the statement.
        if !line.starts_with("//") && (line.is_empty() || line.ends_with([';', '}', '{'])) {
            break;
        }
    }
    before.iter().rposition(|line| line.starts_with("// SAFETY of ")).map(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_reasons_and_their_absence() {
        let text = "/// # Safety\n///\n/// It is\n/// so.\n#[inline]\nunsafe fn f() {}\n\n// SAFETY: likewise,\n// and more.\nlet x = unsafe { f() };\n";
        let reasons: Vec<_> = uses(text).into_iter().map(|found| found.reason.unwrap()).collect();
        assert_eq!(reasons, ["It is so.", "SAFETY: likewise, and more."]);
        assert!(uses("fn g() {\n    unsafe { f() }\n}").iter().all(|found| found.reason.is_none()));
        assert!(uses("unsafe fn g() {}").iter().all(|found| found.reason.is_none()));
        assert!(uses("// unsafe { no code }\npiece: unsafe fn(u32),").is_empty());
    }
}
