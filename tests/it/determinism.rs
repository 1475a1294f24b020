//! The same input gives the same bytes.

use oas2mcp::emit::emit;

use crate::sample::server;

#[test]
fn two_runs_are_equal() {
    let first = emit(&server()).expect("it emits");
    let second = emit(&server()).expect("it emits");
    assert_eq!(first, second);
    assert!(first.files.len() > 10);
}

#[test]
fn nothing_of_this_machine_is_in_the_texts() {
    let home = env!("CARGO_MANIFEST_DIR");
    for (path, file) in emit(&server()).expect("it emits").files {
        assert!(!file.contents.contains(home), "{path}");
    }
}
