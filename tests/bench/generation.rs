//! How long generation takes by number of operations, and that it stays linear.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::table;

/// Numbers of operations, with the budget of the design where it names one.
const SIZES: [(usize, &str); 4] = [(20, "≤ 0.05 s"), (200, ""), (1_100, ""), (2_200, "")];

/// Generates documents of our own; the time per operation must not grow.
pub(crate) fn run() {
    let header = ["operations", "seconds", "µs/operation", "ratio", "budget"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut base = 0.0;
    for (n_operations, budget) in SIZES {
        eprintln!("generating {n_operations} operations");
        let seconds = median_time(n_operations).as_secs_f64();
        #[allow(clippy::cast_precision_loss)] // Thousands.
        let each = seconds * 1e6 / n_operations as f64;
        if base == 0.0 {
            base = each;
        }
        rows.push(vec![
            n_operations.to_string(),
            format!("{seconds:.3}"),
            format!("{each:.0}"),
            format!("{:.2}", each / base),
            budget.to_owned(),
        ]);
    }
    table::print(
        "generate, from file to crate in memory (median of 5; ratio: time per operation against the first row)",
        &rows,
    );
}

fn median_time(n_operations: usize) -> Duration {
    let path = std::env::temp_dir().join(format!(
        "oas2mcp-bench-{}-{n_operations}.yaml",
        std::process::id()
    ));
    if std::fs::write(&path, document(n_operations)).is_err() {
        return Duration::ZERO;
    }
    let mut times: Vec<Duration> = (0..5).map(|_| time(&path)).collect();
    let _ = std::fs::remove_file(&path);
    times.sort_unstable();
    times.get(2).copied().unwrap_or_default()
}

fn time(path: &Path) -> Duration {
    let began = Instant::now();
    let outcome = oas2mcp::generate(path);
    let elapsed = began.elapsed();
    assert!(
        outcome.files.is_some(),
        "{:?}",
        outcome.diagnostics.items().first()
    );
    elapsed
}

/// A document in which each operation has a path, query and body arguments and shares schemas with the others.
fn document(n_operations: usize) -> String {
    let mut text = String::from(
        "openapi: 3.0.3\ninfo: {title: Benchmark, version: 1.0.0}\nservers: [{url: https://api.example.com}]\n\
         components:\n  schemas:\n    Money: {type: integer, description: Whole cents}\n    Person:\n      type: object\n      required: [name]\n      properties:\n        name: {type: string, maxLength: 80}\n        email: {type: string, format: email}\n        debt: {$ref: '#/components/schemas/Money'}\npaths:\n",
    );
    for n in 0..n_operations {
        let _ = write!(
            text,
            "  /v1/things_{n}/{{id}}/parts:\n    post:\n      operationId: makePart{n}\n      summary: Makes part {n} of a thing\n      description: A longer text that says what happens to the thing, as documents of real APIs do at this place.\n      parameters:\n        - {{name: id, in: path, required: true, schema: {{type: string}}}}\n        - {{name: dry_run, in: query, schema: {{type: boolean}}}}\n      requestBody:\n        required: true\n        content:\n          application/json:\n            schema:\n              type: object\n              required: [amount]\n              properties:\n                amount: {{$ref: '#/components/schemas/Money'}}\n                owner: {{$ref: '#/components/schemas/Person'}}\n                tags: {{type: array, items: {{type: string}}}}\n      responses: {{'200': {{description: ok}}}}\n"
        );
    }
    text
}
