//! Aligned tables on standard output.

/// Prints rows under a heading; the first row is the header.
pub(crate) fn print(heading: &str, rows: &[Vec<String>]) {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = format!("\n{heading}\n");
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let width = widths.get(column).copied().unwrap_or(0);
            let padded = if column == 0 {
                format!("  {cell:<width$}")
            } else {
                format!("  {cell:>width$}")
            };
            text.push_str(&padded);
        }
        text = format!("{}\n", text.trim_end());
    }
    print_all(&text);
}

#[allow(clippy::print_stdout)] // A benchmark's output is its purpose.
fn print_all(text: &str) {
    println!("{}", text.trim_end_matches('\n'));
}
