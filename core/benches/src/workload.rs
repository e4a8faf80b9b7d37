//! What is hashed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use sha1dc_test_common::conditions;
use sha1dc_test_common::rng::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Digest(pub [u8; 20]);

pub struct Workload {
    pub title: String,
    pub messages: Vec<Vec<u8>>,
}

/// Every run, here and in the child processes, hashes the same.
const SEED: u64 = 0x5ead_beef_0000_0001;

impl Workload {
    /// One message of random bytes.
    pub fn message(size: usize) -> Self {
        let mut message = vec![0; size];
        Rng::new(SEED).fill(&mut message);
        Self { title: format!("one message of {}", in_words(size)), messages: vec![message] }
    }

    /// A thousand messages of random bytes, with the sizes of git.git's objects, in no order.
    pub fn git_sizes() -> Self {
        let data: serde_json::Value =
            serde_json::from_str(include_str!("../data/git-object-sizes.json")).expect("the file is JSON");
        let sizes = data["sizes"].as_array().expect("it has sizes");
        let mut sizes: Vec<usize> = sizes.iter().map(|size| size.as_u64().expect("a size") as usize).collect();
        let mut rng = Rng::new(SEED);
        for i in (1..sizes.len()).rev() {
            sizes.swap(i, rng.below(i + 1));
        }
        let messages = sizes.iter().map(|size| {
            let mut message = vec![0; *size];
            rng.fill(&mut message);
            message
        });
        let messages: Vec<_> = messages.collect();
        Self { title: format!("{} messages of random bytes, sizes as git.git's objects", messages.len()), messages }
    }

    /// The objects of a git repository, each with its header, as git hashes them: evenly chosen, up to about `limit` bytes.
    pub fn repository(path: &Path, limit: usize) -> Result<Self, String> {
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(path).args(args);
            command
        };
        let all = ["cat-file", "--batch-all-objects", "--unordered"];
        let list = git(&all).arg("--batch-check=%(objectname) %(objectsize)").output().map_err(|e| e.to_string())?;
        if !list.status.success() {
            return Err(format!("{}: {}", path.display(), String::from_utf8_lossy(&list.stderr).trim()));
        }
        let list = String::from_utf8_lossy(&list.stdout);
        let objects: Vec<(&str, usize)> = list
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter_map(|(name, size)| Some((name, size.parse().ok()?)))
            .collect();
        let total: usize = objects.iter().map(|(_, size)| size).sum();
        if total == 0 {
            return Err(format!("{} has no objects", path.display()));
        }
        let step = total.div_ceil(limit).max(1);
        let chosen: Vec<&str> = objects.iter().step_by(step).map(|(name, _)| *name).collect();

        let mut child = git(&["cat-file", "--batch=%(objecttype) %(objectsize)"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut input = child.stdin.take().expect("it is piped");
        let names = chosen.join("\n") + "\n";
        // Written beside the reading: git stops reading while nobody takes what it has written.
        let writer = std::thread::spawn(move || std::io::Write::write_all(&mut input, names.as_bytes()));
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut messages = Vec::with_capacity(chosen.len());
        for _ in &chosen {
            let message = object(&mut output).map_err(|error| format!("git cat-file --batch: {error}"))?;
            messages.push(message);
        }
        writer.join().expect("it does not panic").map_err(|error| error.to_string())?;
        child.wait().map_err(|error| error.to_string())?;
        let title = match step {
            1 => format!("all {} objects of a git repository", messages.len()),
            _ => format!("{} of the {} objects of a git repository", messages.len(), objects.len()),
        };
        Ok(Self { title, messages })
    }

    /// One message whose blocks all pass the filter for as many disturbance vectors as can be had at once.
    pub fn worst(size: usize) -> Self {
        let mut rng = Rng::new(SEED);
        let (vectors, system) = conditions::most_at_once();
        let message = (0..size / 64).flat_map(|_| system.solution(&mut rng)).collect();
        let title = format!(
            "one message of {} that passes the filter for {} vectors in each block",
            in_words(size),
            vectors.count_ones()
        );
        Self { title, messages: vec![message] }
    }

    pub fn bytes(&self) -> usize {
        self.messages.iter().map(Vec::len).sum()
    }
}

/// The next object of `git cat-file --batch=%(objecttype) %(objectsize)`.
fn object(output: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut header = String::new();
    output.read_line(&mut header)?;
    let header = header.trim_end();
    let size = header.rsplit_once(' ').and_then(|(_, size)| size.parse().ok());
    let size: usize = size.ok_or_else(|| std::io::Error::other(format!("no object: {header}")))?;
    let mut message = [header.as_bytes(), b"\0"].concat();
    let start = message.len();
    message.resize(start + size, 0);
    output.read_exact(&mut message[start..])?;
    let mut newline = [0];
    output.read_exact(&mut newline)?;
    Ok(message)
}

/// A size as one would say it.
pub fn in_words(size: usize) -> String {
    match size {
        0..1024 => format!("{size} B"),
        1024..1_048_576 => format!("{} KiB", size >> 10),
        1_048_576..1_073_741_824 => format!("{} MiB", size >> 20),
        _ => format!("{} GiB", size >> 30),
    }
}
