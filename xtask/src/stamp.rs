//! Notes of what a product was made from, so that it is made again only when that changed. Contents count, not times:
//! a checkout, a branch switch or a copy changes times only.

use crate::ctx::{Context, Ctx, Result};
use std::path::{Path, PathBuf};

/// FNV-1a, 64 bits: enough to notice a change; nothing here is adversarial.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        // The length too, so that what ends one item cannot begin the next.
        for byte in (bytes.len() as u64).to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The stamp of these files' contents; of a folder, all that is in it.
pub fn of_files(paths: &[PathBuf]) -> Result<String> {
    let mut hash = Fnv::new();
    for path in paths {
        let mut files = Vec::new();
        if path.is_dir() {
            collect(path, &mut files)?;
            files.sort();
        } else {
            files.push(path.clone());
        }
        for file in files {
            hash.add(&std::fs::read(&file).context(file.display())?);
        }
    }
    Ok(format!("{:016x}", hash.0))
}

/// The stamp of the inputs of a product: files and folders (relative to the root, with all that is in them), and words
/// such as a compiler's version and its flags. An input that does not exist counts as such.
pub fn of_inputs(ctx: &Ctx, inputs: &[&str], words: &[String]) -> Result<String> {
    let mut hash = Fnv::new();
    for word in words {
        hash.add(word.as_bytes());
    }
    for input in inputs {
        let mut files = Vec::new();
        collect(&ctx.path(input), &mut files)?;
        files.sort();
        for file in files {
            let name = file.strip_prefix(&ctx.root).unwrap_or(&file);
            hash.add(name.to_string_lossy().replace('\\', "/").as_bytes());
            hash.add(&std::fs::read(&file).context(file.display())?);
        }
    }
    Ok(format!("{:016x}", hash.0))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let Ok(entries) = std::fs::read_dir(path) else { return Ok(()) };
    for entry in entries {
        let entry = entry.context(path.display())?;
        let name = entry.file_name();
        if !["node_modules", "target", "dist", "pkg"].iter().any(|skipped| name == *skipped) {
            collect(&entry.path(), files)?;
        }
    }
    Ok(())
}

/// The note on one product.
pub struct Stamp {
    file: PathBuf,
    inputs: String,
    products: Vec<PathBuf>,
}

impl Stamp {
    /// `inputs` is the stamp of what the files `products` are made from.
    pub fn new(ctx: &Ctx, name: &str, inputs: String, products: Vec<PathBuf>) -> Stamp {
        Stamp { file: ctx.target().join("xtask").join(format!("{name}.stamp")), inputs, products }
    }

    /// Whether the products are what was made, from what is there now. (They are looked at too: someone may have run the
    /// tools by hand.)
    pub fn fresh(&self) -> bool {
        let Ok(products) = of_files(&self.products) else { return false };
        std::fs::read_to_string(&self.file).is_ok_and(|before| before == format!("{} {products}", self.inputs))
    }

    pub fn write(&self) -> Result {
        let note = format!("{} {}", self.inputs, of_files(&self.products)?);
        std::fs::create_dir_all(self.file.parent().expect("a file in a folder")).context(self.file.display())?;
        std::fs::write(&self.file, note).context(self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_changes_with_contents_and_with_borders_between_items() {
        let stamp = |items: &[&[u8]]| {
            let mut hash = Fnv::new();
            items.iter().for_each(|item| hash.add(item));
            hash.0
        };
        assert_ne!(stamp(&[b"ab", b"c"]), stamp(&[b"a", b"bc"]));
        assert_ne!(stamp(&[b"", b"a"]), stamp(&[b"a", b""]));
        assert_eq!(stamp(&[b"abc"]), stamp(&[b"abc"]));
    }
}
