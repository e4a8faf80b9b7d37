//! The tables and the JSON.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::measure::Row;
use crate::peers;
use crate::workload::Workload;

/// A ratio to one of the rows.
pub struct Base {
    /// The row's name.
    pub name: &'static str,
    /// The head of the column.
    pub head: &'static str,
}

/// One table.
pub struct Section {
    pub name: &'static str,
    pub title: String,
    pub messages: usize,
    pub bytes: usize,
    pub rows: Vec<Row>,
    pub bases: &'static [Base],
}

impl Section {
    pub fn of(name: &'static str, workload: &Workload, rows: Vec<Row>, bases: &'static [Base]) -> Self {
        let (messages, bytes) = (workload.messages.len(), workload.bytes());
        Self { name, title: workload.title.clone(), messages, bytes, rows, bases }
    }

    /// The rows that ratios are to, as far as they have been measured.
    fn bases(&self) -> Vec<(&'static str, &Row)> {
        let row = |base: &Base| self.rows.iter().find(|row| row.label.name == base.name).map(|row| (base.head, row));
        self.bases.iter().filter_map(row).collect()
    }

    pub fn print(&self) {
        println!("\n{}: {} ({} bytes in all)", self.name, self.title, self.bytes);
        let bases = self.bases();
        let heads: String = bases.iter().map(|(head, _)| format!("{head:>10} ")).collect();
        println!("  {heads}{:>9} {:>11} {:>7}  {:<8}", "MiB/s", "ns/message", "spread", "detects");
        for row in &self.rows {
            let ratios: String = bases.iter().map(|(_, base)| format!("{:>9.2}x ", row.ratio(base))).collect();
            let per_message = row.median() / self.messages as f64;
            println!(
                "  {ratios}{:>9.0} {per_message:>11.1} {:>6.1}%  {:<8} {}{}",
                self.speed(row.median()),
                100.0 * row.spread(),
                if row.label.detects { "yes" } else { "no" },
                if row.label.ours { "this: " } else { "" },
                row.label.name,
            );
        }
    }

    /// MiB/s.
    fn speed(&self, ns: f64) -> f64 {
        self.bytes as f64 / ns * 1e9 / 1_048_576.0
    }

    pub fn json(&self) -> Value {
        let bases = self.bases();
        let rows = self.rows.iter().map(|row| {
            let ratios: serde_json::Map<String, Value> =
                bases.iter().map(|(_, base)| (base.label.name.clone(), rounded(row.ratio(base), 3))).collect();
            json!({
                "name": row.label.name,
                "ours": row.label.ours,
                "detects": row.label.detects,
                "ratio": ratios,
                "mib_per_s": rounded(self.speed(row.median()), 1),
                "ns_per_message": rounded(row.median() / self.messages as f64, 1),
                "ns_per_message_best": rounded(row.best() / self.messages as f64, 1),
                "spread": rounded(row.spread(), 3),
                "rounds": row.samples.len(),
            })
        });
        json!({
            "name": self.name,
            "title": self.title,
            "messages": self.messages,
            "bytes": self.bytes,
            "rows": rows.collect::<Vec<_>>(),
        })
    }
}

fn rounded(value: f64, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    json!((value * scale).round() / scale)
}

/// What it ran on.
pub fn machine() -> Value {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let cpu = match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name}, family {family}, model {model}"),
        (Some(name), ..) => name,
        _ => "unknown".into(),
    };
    let backends: Vec<&str> = sha1dc_core::Backend::available().map(|backend| backend.name()).collect();
    json!({
        "cpu": cpu,
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
        "arch": std::env::consts::ARCH,
        "os": std::env::consts::OS,
        "backends": backends,
        "openssl": peers::openssl_version(),
    })
}

/// Today in UTC, as YYYY-MM-DD.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    // Days to a date: years begin in March here, so that the leap day is the last one.
    let days = (seconds / 86_400) as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
